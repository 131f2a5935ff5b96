"""Reports that mail of ours was not delivered: standard ones (RFC 3464), and what other programs write instead."""

import re
from collections.abc import Iterable, Iterator

from pbem.letters.charsets import text_of
from pbem.letters.headers import Headers, addresses, message_ids, split_head
from pbem.letters.letter import LARGEST_TEXT, Bounce
from pbem.letters.mime import Part

_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")
_ORIGINALS = ("message/rfc822", "message/global")
_ORIGINAL_HEADS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
_REFERRING = ("x-original-message-id", "original-message-id", "in-reply-to", "references")
_HEADLINE = re.compile(
    r"undeliver|delivery (?:status|failure|has failed)|failure notice|returned (?:mail|to sender)"
    r"|mail delivery (?:failed|system)"
    r"|delivery notification|non remis|unzustellbar|nicht zugestellt|no se puede entregar|mancato recapito|onbestelbaar"
    r"|message delayed|delayed mail|warning: (?:message|could not send)|nie można dostarczyć|недоставлен|配信不能",
    re.I,
)
_BOUNCER = re.compile(r"(?:mailer-?daemon|post-?master|(?:double-)?bounces?)(?:[+=][^@]*)?@", re.I)
_STILL_TRYING = re.compile(
    r"will (?:be retried|keep trying|retry|continue to be attempted)|delivery (?:is|has been) delayed"
    r"|no action is required|has not yet been delivered|will be re-?tried|still trying|temporary (?:problem|failure)",
    re.I,
)
_PERMANENT = re.compile(r"\b5\d\d[ -]|\b5\.\d{1,3}\.\d{1,3}\b")
_TEMPORARY = re.compile(r"\b4\d\d[ -]\d|\b4\.\d{1,3}\.\d{1,3}\b")
_NAMED = re.compile(r"^[ \t>]*<?([^\s<>@:]{1,64}@[^\s<>@:,;]{1,255}?)>?(?:[:,]|\.\.\.|\s*$|[ \t]+\(|\s+\S)", re.M)
_ID_LINE = re.compile(r"^[ \t>]*Message-I[Dd]:\s*(<[^<>\n]{1,400}>)", re.M | re.I)
_COPY = re.compile(
    r"^-{3,} ?(?:this is a copy|below this line|original message|the following is|message header|the header"
    r"|returned message).*$"
    r"|^original message headers?:?$|^--- ?below this line",
    re.M | re.I,
)
_BLANKS = re.compile(r"\s+")
LONGEST_DIAGNOSTIC = 500
MOST_NAMES = 50


def bounce_of(mail: Part, subject: str, sender: str, return_path: str | None) -> Bounce | None:
    """The report that a mail is; None if it is none, or if it only says that all is well."""
    status = next((part for part in mail.walk() if part.kind in _STATUS_PARTS), None)
    if status is not None:
        return _standard(mail, status)
    comes_from_a_server = bool(_BOUNCER.match(sender)) or return_path == ""
    told = "x-failed-recipients" in mail.headers or bool(_HEADLINE.search(subject))
    return _other(mail) if comes_from_a_server and told else None


# ------------------------------------------------------------------ RFC 3464


def _standard(mail: Part, status: Part) -> Bounce | None:
    groups = [group for group in _groups(status.content[:LARGEST_TEXT]) if group.first("action")]
    failed = [group for group in groups if _action(group) == "failed"]
    delayed = [group for group in groups if _action(group) == "delayed"]
    if not failed and not delayed:
        return None
    counted = failed or delayed
    permanent = any(not group.first("status").strip().startswith("4") for group in failed)
    recipients = _unique(address for group in counted for address in _recipient(group))
    return Bounce(_ids(mail), recipients, permanent, bool(failed), _diagnostic(counted, mail))


def _groups(content: bytes) -> Iterator[Headers]:
    """A group of fields for the mail, then one for each recipient."""
    for block in content.replace(b"\r\n", b"\n").split(b"\n\n", MOST_NAMES):
        yield split_head(block.strip(b"\n") + b"\n\n")[0]


def _action(group: Headers) -> str:
    return group.first("action").partition("(")[0].strip().lower()


def _recipient(group: Headers) -> list[str]:
    """To whom it was sent, and where it was to end up if somebody has passed it on."""
    values = (group.first(name) for name in ("original-recipient", "final-recipient"))
    return [address for value in values for _, address in addresses(value.partition(";")[2] or value)[:1]]


def _diagnostic(groups: list[Headers], mail: Part) -> str:
    said = next((group.first("diagnostic-code") for group in groups if group.first("diagnostic-code")), "")
    text = said.partition(";")[2] or said or _own_text(mail)
    return _BLANKS.sub(" ", text).strip()[:LONGEST_DIAGNOSTIC]


# ------------------------------------------------------------------ others


def _other(mail: Part) -> Bounce:
    whole = _own_text(mail)
    copy = _COPY.search(whole)
    text = whole[: copy.start()] if copy else whole
    named = addresses(mail.headers.first("x-failed-recipients")) or [
        ("", name) for name in _NAMED.findall(text[:20_000])
    ]
    trying = bool(_STILL_TRYING.search(text[:20_000]))
    permanent = not trying and bool(_PERMANENT.search(text) or not _TEMPORARY.search(text))
    diagnostic = _BLANKS.sub(" ", text[:4000]).strip()[:LONGEST_DIAGNOSTIC]
    recipients = _unique(address for _, address in named)
    return Bounce(_ids(mail, whole), recipients, permanent, not trying, diagnostic)


def _own_text(mail: Part) -> str:
    for part in mail.walk():
        if part.kind == "text/plain":
            return text_of(part.content[:LARGEST_TEXT], part.options.get("charset", ""))
    return ""


# ------------------------------------------------------------------ of which mail


def _ids(mail: Part, text: str = "") -> tuple[str, ...]:
    """The ids of the mail that came back: from its copy, else from what the report refers to."""
    returned = [each for part in mail.walk() for each in _ids_of_copy(part)] or _ID_LINE.findall(text)
    referred = [each for name in _REFERRING for value in mail.headers.all(name) for each in message_ids(value)]
    return _unique(returned or referred)


def _ids_of_copy(part: Part) -> list[str]:
    if part.kind in _ORIGINALS and part.children:
        return message_ids(part.children[0].headers.first("message-id"))
    if part.kind in _ORIGINAL_HEADS:
        return message_ids(split_head(part.content[:LARGEST_TEXT].lstrip(b"\n"))[0].first("message-id"))
    return []


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))[:MOST_NAMES]
