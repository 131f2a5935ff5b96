"""The tree of parts of a mail, taken apart by hand: every step is bounded, and nothing in here can fail."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote_to_bytes

from pbem.letters import transfer
from pbem.letters.charsets import text_of
from pbem.letters.headers import Headers, decoded_words, split_head
from pbem.letters.letter import DEEPEST_PART, MOST_PARTS, LetterIsTooDeep

_KIND = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
_OPTION = re.compile(r';\s*([^\s=;]{1,60})\s*=\s*("(?:[^"\\]|\\.)*+"?|[^;]*+)')
_NUMBERED = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*?)")
_ESCAPED = re.compile(r"\\(.)")
_GUESSED_BOUNDARY = re.compile(rb"(?:\A|\n)--(\S[^\n]{0,100}[^\s-])[ \t]*\n")
_MESSAGES = ("message/rfc822", "message/global")


@dataclass(frozen=True)
class Part:
    headers: Headers
    body: bytes
    children: tuple["Part", ...] = ()

    @cached_property
    def kind(self) -> str:
        found = _KIND.match(self.headers.first("content-type"))
        return found[1].lower() if found else "text/plain"

    @cached_property
    def options(self) -> dict[str, str]:
        return options_of(self.headers.first("content-type"))

    @cached_property
    def file_name(self) -> str:
        name = options_of(self.headers.first("content-disposition")).get("filename") or self.options.get("name", "")
        return decoded_words(name)[:200]

    @property
    def is_attached(self) -> bool:
        """Whether it is a file. A page may have a name and still be the letter."""
        disposition = self.headers.first("content-disposition").partition(";")[0].strip().lower()
        return disposition == "attachment" or (bool(self.file_name) and self.kind != "text/html")

    @property
    def content(self) -> bytes:
        return transfer.decoded(self.body, self.headers.first("content-transfer-encoding"))

    def walk(self) -> Iterator["Part"]:
        """This part and all within it, but nothing within a mail that is enclosed."""
        yield self
        if self.kind not in _MESSAGES:
            for child in self.children:
                yield from child.walk()


def options_of(value: str) -> dict[str, str]:
    """The parameters of a header, continued and encoded ones (RFC 2231) included."""
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for name, raw in _OPTION.findall(value):
        found = _NUMBERED.match(name.lower())
        if found:
            pieces.setdefault(found[1], []).append((int(found[2] or 0), bool(found[3]), _unquoted(raw)))
    return {name: _joined(sorted(parts, key=lambda part: part[0])) for name, parts in pieces.items()}


def _unquoted(value: str) -> str:
    text = value.strip()
    return _ESCAPED.sub(r"\1", text[1:].removesuffix('"')) if text.startswith('"') else text


def _joined(parts: list[tuple[int, bool, str]]) -> str:
    _, encoded, first = parts[0]
    if not encoded:
        return "".join(text for _, _, text in parts)
    charset, quote, _ = first.partition("'")
    texts = [first.split("'", 2)[-1] if quote else first, *(text for _, _, text in parts[1:])]
    return text_of(unquote_to_bytes("".join(texts)), charset if quote else "")


# ------------------------------------------------------------------ the tree


def read_parts(headers: Headers, body: bytes) -> Part:
    return _Taker().part(headers, body, 0)


class _Taker:
    def __init__(self) -> None:
        self.taken = 0

    def part(self, headers: Headers, body: bytes, depth: int) -> Part:
        self.taken += 1
        if depth > DEEPEST_PART or self.taken > MOST_PARTS:
            why = f"the mail has parts within parts, more than {DEEPEST_PART} deep or more than {MOST_PARTS}"
            raise LetterIsTooDeep(why, "Send the orders alone, as plain text.")
        return Part(headers, body, tuple(self._children(Part(headers, body), depth + 1)))

    def _children(self, part: Part, depth: int) -> Iterator[Part]:
        if part.kind.startswith("multipart/"):
            for raw in _pieces(part):
                yield self.part(*split_head(raw), depth)
        elif part.kind in _MESSAGES:
            yield self.part(*split_head(part.content.lstrip(b"\n")), depth)


def _pieces(part: Part) -> list[bytes]:
    boundary = part.options.get("boundary", "").encode("utf-8", "replace")[:200]
    pieces = _between(part.body, boundary) if boundary else []
    if pieces:
        return pieces
    # The boundary is damaged or missing: the first line that looks like one is taken for it.
    guessed = _GUESSED_BOUNDARY.search(part.body[:100_000])
    pieces = _between(part.body, guessed[1]) if guessed else []
    return pieces or [b"\n" + part.body]


def _between(body: bytes, boundary: bytes) -> list[bytes]:
    """What stands between the lines of a boundary. The closing one may be missing."""
    text = b"\n" + body
    pieces: list[bytes] = []
    start = -1
    for begin, end, closes in _boundary_lines(text, boundary):
        if start >= 0:
            pieces.append(text[start:begin])
        start = end
        if closes or len(pieces) > MOST_PARTS:
            return pieces
    return [*pieces, text[start:]] if start >= 0 else []


def _boundary_lines(text: bytes, boundary: bytes) -> Iterator[tuple[int, int, bool]]:
    """Where each line of the boundary begins and ends, and whether it is the closing one."""
    marker = b"\n--" + boundary
    begin = text.find(marker)
    while begin >= 0:
        end = text.find(b"\n", begin + 1)
        end = len(text) if end < 0 else end
        rest = text[begin + len(marker) : min(end, begin + len(marker) + 100)].strip()
        if rest in (b"", b"--"):
            yield begin, end + 1, rest == b"--"
        begin = text.find(marker, begin + 1)
