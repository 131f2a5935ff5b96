"""The headers of a mail or of a part of it, read by hand: the standard library raises on damaged ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pbem.letters.addresses import folded, same_address
from pbem.letters.charsets import text_of
from pbem.letters.letter import LARGEST_HEAD, LONGEST_HEADER, MOST_HEADERS
from pbem.letters.transfer import from_base64, from_quoted_printable

_HEADER = re.compile(rb"([A-Za-z][\w.-]*)[ \t]*:")
_MAILBOX_LINE = re.compile(rb">?From [^\n]*\n")
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*+)\?=")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.){0,400}+"|\((?:[^()\\]|\\.){0,400}+\)|<[^<>]*+>|[,;]|[^",;<>()]++|.', re.S)
_ADDRESS = re.compile(r'[^\s@<>",;:()\[\]\\]{1,128}@[^\s@<>",;:()\\]{1,255}')
_ID = re.compile(r"<([^<>]{1,900})>")
_BARE_ID = re.compile(r"[^\s<>,@]{1,250}@[^\s<>,@]{1,250}")
_BLANKS = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")


@dataclass(frozen=True)
class Headers:
    """Names in small letters with their unfolded values, in the order of the mail."""

    fields: tuple[tuple[str, str], ...] = ()
    complete: bool = True

    def all(self, *names: str) -> list[str]:
        return [value for name, value in self.fields if name in names]

    def first(self, *names: str) -> str:
        return next(iter(self.all(*names)), "")

    def __contains__(self, name: str) -> bool:
        return any(known == name for known, _ in self.fields)


def split_head(raw: bytes) -> tuple[Headers, bytes]:
    """Headers and body. A body that begins without an empty line before it is found too."""
    if raw.startswith(b"\n"):
        return Headers(), raw[1:]
    mailbox_line = _MAILBOX_LINE.match(raw)
    start = mailbox_line.end() if mailbox_line else 0
    end = raw.find(b"\n\n", start, start + LARGEST_HEAD)
    complete = end >= 0 or len(raw) - start <= LARGEST_HEAD
    head = raw[start:end] if end >= 0 else raw[start : start + LARGEST_HEAD]
    lines = head.split(b"\n", MOST_HEADERS * 20)
    used = _lines_of_headers(lines)
    fields = tuple(_fields(lines[:used]))
    body_start = start + sum(len(line) + 1 for line in lines[:used])
    body = raw[body_start:].removeprefix(b"\n") if used else raw[start:]
    return Headers(fields[:MOST_HEADERS], complete and len(fields) <= MOST_HEADERS), body


def _lines_of_headers(lines: list[bytes]) -> int:
    """How many lines belong to the headers: up to the last that looks like one, with what is folded below it."""
    last = next((number for number in range(len(lines), 0, -1) if _HEADER.match(lines[number - 1])), 0)
    while last and last < len(lines) and lines[last][:1] in (b" ", b"\t"):
        last += 1
    return last


def _fields(lines: list[bytes]) -> Iterator[tuple[str, str]]:
    name, value = "", b""
    for line in lines:
        found = _HEADER.match(line)
        if found:
            yield from _field(name, value)
            name, value = found[1].decode("ascii", "replace").lower(), line[found.end() :]
        elif line[:1] in (b" ", b"\t") and len(value) < LONGEST_HEADER:
            value += line
    yield from _field(name, value)


def _field(name: str, value: bytes) -> Iterator[tuple[str, str]]:
    if name:
        yield name, text_of(value[:LONGEST_HEADER]).replace("\t", " ").strip(" ")


# ------------------------------------------------------------------ values


def decoded_words(value: str) -> str:
    """The text of a header with encoded words (RFC 2047), without control characters."""
    text = "".join(_pieces(value)) if "=?" in value else value
    return _BLANKS.sub(" ", _CONTROLS.sub(" ", text)).strip()


def _pieces(value: str) -> Iterator[str]:
    """Neighbours in one charset are joined before they are decoded: a character may be cut in two."""
    end, charset, waiting = 0, "", b""
    for found in _ENCODED.finditer(value):
        between = value[end : found.start()]
        apart = bool(between.strip()) or not end
        if apart or found[1].lower() != charset:
            yield text_of(waiting, charset)
            yield between if apart else ""
            waiting = b""
        charset, end = found[1].lower(), found.end()
        waiting += _encoded_bytes(found[2], found[3])
    yield text_of(waiting, charset)
    yield value[end:]


def _encoded_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    return from_base64(raw) if encoding in "bB" else from_quoted_printable(raw.replace(b"_", b" "))


def addresses(value: str) -> list[tuple[str, str]]:
    """Names and addresses of a header such as To. What has no address is left out."""
    found: list[tuple[str, str]] = []
    words: list[str] = []
    for token in [*_TOKEN.findall(value), ","]:
        if token in (",", ";"):
            found.extend(_bare_address(words))
            words = []
        elif token.startswith("<"):
            found.extend((_name(words), address) for address in _clean_address(token))
            words = []
        elif not token.startswith("("):
            words.append(token)
    return found


def _bare_address(words: list[str]) -> list[tuple[str, str]]:
    text = " ".join(word for word in words if not word.startswith('"'))
    return [("", address) for address in _clean_address(text)]


def _clean_address(text: str) -> list[str]:
    """The address with its domain in small letters, in a list that is empty if there is none.

    What has hidden characters in it is another address than the one it looks like, and nobody's.
    """
    found = None if _CONTROLS.search(text) else _ADDRESS.search(text)
    if found is None:
        return []
    local, _, domain = found[0].partition("@")
    return [f"{local}@{folded(domain).rstrip('.')}"]


def only_address(values: Sequence[str]) -> tuple[str, str]:
    """Name and address of the one person whom the From headers of a mail name; both empty if there is any doubt.

    They name one with `boris@example.net`, or with `Boris <boris@example.net>`, and perhaps remarks in parentheses. A
    list, a group, a route, a second address beside the first: somebody may want to look like somebody else.
    """
    tokens = [token.strip(" ") for token in _TOKEN.findall(values[0])] if len(values) == 1 else []
    words = [token for token in tokens if token and not _is_within("()", token)]
    *before, last = words or [""]
    between = last[1:-1].strip(" ") if _is_within("<>", last) else "" if before else last
    if not _ADDRESS.fullmatch(between) or not all(_may_name(between, word) for word in before):
        return "", ""
    return next(((_name(before), address) for address in _clean_address(between)), ("", ""))


def _is_within(marks: str, token: str) -> bool:
    return len(token) > 1 and (token[0], token[-1]) == (marks[0], marks[1])


def _may_name(address: str, word: str) -> bool:
    """Whether a word before an address can be a name: anything in quotes, else nothing that makes an address or a list.

    Some programs write the address in place of a name, without quotes. That is the same one twice.
    """
    return _is_within('""', word) or same_address(word, address) or not set(word) & set('@<>()",:;')


def _name(words: Sequence[str]) -> str:
    text = decoded_words(" ".join(word.strip() for word in words))
    return text.replace('\\"', "'").replace('"', "").strip()


def message_ids(value: str) -> list[str]:
    """Every message id of a header, in angle brackets."""
    found = _ID.findall(value) or _BARE_ID.findall(value)
    ids = [_BLANKS.sub("", each) for each in found]
    return [f"<{each}>" for each in ids if each]


def date_of(value: str) -> datetime | None:
    """An aware date, if it is one that anybody could mean."""
    try:
        date = parsedate_to_datetime(value[:100])
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        return date if 1970 <= date.astimezone(UTC).year <= 9000 else None
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError):
        return None
