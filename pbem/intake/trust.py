"""Whether the sender's provider vouches for a letter: by what our own mail server found, or by checking it ourselves.

Asked for only where the GM requires it (`trust.require: dkim`). It comes on top of key and address, never in place
of them. Either way the letter must have one From and one Subject, both signed, and be signed to its last byte.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import authres
import dkim
from dkim.canonicalization import compress_whitespace
from dkim.util import parse_tag_value

from pbem.intake.domains import same_domain, same_owner
from pbem.letters import Letter
from pbem.letters.headers import Headers, split_head
from pbem.letters.letter import LARGEST_HEAD
from pbem.post.office import LookUp
from pbem.settings import Trust

#: Whether a signer may speak for the domain of the From address.
Aligned = Callable[[str], bool]

#: Signatures of the sender's domain that are checked.
MOST_SIGNATURES = 3
#: Authentication-Results that are looked at: our own server's stands near the top.
MOST_FINDINGS = 20
#: What a signature must cover: who wrote it, and the line with the key.
MUST_BE_SIGNED = frozenset({b"from", b"subject"})
_quiet = logging.getLogger("pbem.dkim")


def txt_record(name: bytes | str, timeout: float = 5) -> bytes | None:
    """The real DNS."""
    found: bytes | None = dkim.get_txt(name, timeout)
    return found


def is_vouched_for(trust: Trust, mail: Letter, raw: bytes, look_up: LookUp = txt_record) -> bool:
    """Whether a signature of the domain in the From address is good."""
    if not has_one_from_and_one_subject(raw):
        return False
    aligned = alignment(trust, mail.sender.rpartition("@")[2])
    signatures = signatures_of(raw, aligned)
    if all_cover_the_letter(signatures) and our_server_says_so(trust.authserv_id, mail.auth_results, aligned):
        return True
    return any(is_good(raw, signature, look_up) for signature in signatures[:MOST_SIGNATURES])


def alignment(trust: Trust, domain: str) -> Aligned:
    """Strict: the very domain. Relaxed: one of the same owner."""
    same = same_domain if trust.alignment == "strict" else same_owner
    return lambda signer: same(signer, domain)


def has_one_from_and_one_subject(raw: bytes) -> bool:
    """Of two a signature covers one, and nobody can tell which of them others have read. A carriage return by itself is
    the end of a line to some programs and not to others: they would not even agree on where the headers end."""
    start = raw[: 2 * LARGEST_HEAD].replace(b"\r\n", b"\n")
    headers, _ = split_head(start.replace(b"\r", b"\n"))
    return b"\r" not in _head_of(start) and _is_single(headers, "from") and _is_single(headers, "subject")


def _head_of(text: bytes) -> bytes:
    return text.lstrip(b"\n").partition(b"\n\n")[0]


def _is_single(headers: Headers, name: str) -> bool:
    return len(headers.all(name)) == 1


# ------------------------------------------------------------------ signatures


@dataclass(frozen=True)
class Signature:
    """A DKIM-Signature of the sender's domain: its place among all of them, and its tags. None can be read of some."""

    number: int
    tags: dict[bytes, bytes]

    @property
    def signer(self) -> str:
        return self.tags.get(b"d", b"").decode("ascii", "replace")

    @property
    def covers_the_letter(self) -> bool:
        """From and Subject and the whole body: with `l=` anybody could write on below its end."""
        signed = {name.strip().lower() for name in self.tags.get(b"h", b"").split(b":")}
        return signed >= MUST_BE_SIGNED and b"l" not in self.tags

    @property
    def is_of_today(self) -> bool:
        """RFC 8301: what SHA-1 signs is not signed."""
        return not self.tags.get(b"a", b"").endswith(b"sha1")

    @property
    def is_relaxed(self) -> bool:
        return self.tags.get(b"c", b"").partition(b"/")[2] == b"relaxed"


def signatures_of(raw: bytes, aligned: Aligned) -> list[Signature]:
    """Those of the sender's domain, topmost first. One that cannot be read may be anybody's, so it is among them."""
    try:
        headers = dkim.DKIM(raw, logger=_quiet).headers
    except Exception:  # dkimpy raises on damaged letters in many ways; they have no signature
        return []
    values = [value for name, value in headers if name.lower() == b"dkim-signature"]
    every = [Signature(number, _tags(value)) for number, value in enumerate(values)]
    return [one for one in every if not one.tags or aligned(one.signer)]


def _tags(value: bytes) -> dict[bytes, bytes]:
    try:
        tags: dict[bytes, bytes] = parse_tag_value(value)
    except Exception:
        return {}
    return tags


def is_good(raw: bytes, signature: Signature, look_up: LookUp) -> bool:
    if not (signature.covers_the_letter and signature.is_of_today):
        return False
    checked = dkim.DKIM(raw, logger=_quiet)
    if signature.is_relaxed:  # blanks count as one; dkimpy itself would take an hour over two megabytes of them
        checked.body = compress_whitespace(checked.body)
    try:
        return bool(checked.verify(idx=signature.number, dnsfunc=look_up))
    except Exception:  # and on damaged signatures
        return False


# ------------------------------------------------------------------ what our own server found


def all_cover_the_letter(signatures: Sequence[Signature]) -> bool:
    """Our server says that one of them is good, but neither which one nor what it covers: so each of them must do."""
    return bool(signatures) and all(one.covers_the_letter for one in signatures)


def our_server_says_so(authserv_id: str, results: Sequence[str], aligned: Aligned) -> bool:
    """Only the topmost header of our own server counts: what stands below may have come with the letter."""
    found = _finding_of_ours(authserv_id, results[:MOST_FINDINGS]) if authserv_id else None
    return found is not None and any(_passed(result, aligned) for result in found.results)


def _finding_of_ours(authserv_id: str, results: Iterable[str]) -> authres.core.AuthenticationResultsHeader | None:
    """None if there is none. One that names our server and cannot be read is the topmost all the same."""
    for header in results:
        try:
            found = authres.parse_value(header)
        except Exception:  # a header of a stranger can be anything
            if authserv_id.lower() in header.lower():
                return None
            continue
        if (found.authserv_id or "").lower() == authserv_id.lower():
            return found
    return None


def _passed(result: authres.core.AuthenticationResult, aligned: Aligned) -> bool:
    named = {one.name: str(one.value) for one in result.properties if one.type == "header"}
    signer = named.get("d") or named.get("i", "").rpartition("@")[2]
    return result.method == "dkim" and result.result == "pass" and aligned(signer)
