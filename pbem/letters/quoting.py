"""From the lines of a text to quoted lines: how deep each one is quoted, and which were written by a mail program."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pbem.letters import phrases
from pbem.letters.orders import begins_with
from pbem.letters.words import Words

_LINE_ENDS = re.compile(r"\r\n|[\r\n\u2028\u2029\x0b\x0c\x85]")
_MARKS = re.compile(r"(?:[ \t]{0,3}(?:[>＞»]|[A-Za-z]{1,3}>(?=[> ]|$)|\|(?= ))){1,40}[ \t]?")
_ROW = re.compile(r"\s*+\|(?:[^|]++\|){2,9}\s*+")
_MARK = re.compile(r"[>＞»|]")
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F)]
    + [*range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE0080)]
    + [
        code
        for code in range(0xA0)
        if unicodedata.category(chr(code)) == "Cc" and code not in (9, 10, 11, 12, 13, 0x85)
    ]
)
_SPACES = dict.fromkeys([9, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
_VISIBLE = {**_INVISIBLE, **_SPACES}
_NOT_PLAIN = re.compile(f"[{re.escape(''.join(map(chr, _VISIBLE)))}]")
#: Longer lines are prose, and are cut.
LONGEST = 2_000
#: Headings that may stand one below the other above quoted text.
MOST_HEADINGS = 5

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE_BEGINS = "-----BEGIN PGP SIGNATURE-----"
_SIGNATURE_ENDS = "-----END PGP SIGNATURE-----"
ENCRYPTED = "-----BEGIN PGP MESSAGE-----"


@dataclass(frozen=True, slots=True)
class Line:
    """`depth` 0 is the writer's own. `marks` are the signs of quoting as they stood before the text.

    `forwarded` is what stands below the heading of a forwarded mail, `program` what a mail program wrote.
    """

    text: str
    depth: int = 0
    marks: str = ""
    forwarded: bool = False
    program: bool = False


def visible(text: str) -> str:
    """Without characters nobody sees, and with plain spaces."""
    return _NOT_PLAIN.sub(lambda found: _VISIBLE[ord(found[0])] or "", text)


def raw_lines(text: str) -> list[str]:
    return _LINE_ENDS.split(visible(text))


def split_lines(text: str) -> list[str]:
    return [tidy(line) for line in raw_lines(text)]


def tidy(line: str) -> str:
    """Cut if it is very long, and without spaces at the end, but for the mark of a signature."""
    return line if line == "-- " else line[:LONGEST].rstrip()


def quoted_lines(lines: Iterable[str], words: Words) -> list[Line]:
    """Every line with how deep it is quoted, by its marks or by what stands above it."""
    every = list(_unarmoured(lines))
    pointed = [line for line in every if line.lstrip().startswith("»")]
    bullets = all(begins_with(line.lstrip()[1:], words) for line in pointed)
    marked = [_marked(line, bullets) for line in every]
    return _Below(marked, words).quoted()


def _marked(line: str, bullets: bool = False) -> Line:
    """A line with bars at both ends is a row of a table. Where each » has an order behind it, they are `bullets`."""
    if _ROW.fullmatch(line):
        return Line(" ".join(cell.strip() for cell in line.strip().strip("|").split("|")))
    found = _MARKS.match(line)
    if not found or (bullets and line.lstrip().startswith("»")):
        return Line(line)
    return Line(line[found.end() :], len(_MARK.findall(found[0])), found[0])


def _unarmoured(lines: Iterable[str]) -> Iterator[str]:
    """Without the armour of a text signed with PGP."""
    state = "plain"
    for line in lines:
        bare = line.strip()
        if bare == _SIGNED:
            state = "heading"
        elif bare == _SIGNATURE_BEGINS:
            state = "signature"
        elif bare == _SIGNATURE_ENDS and state == "signature":
            state = "plain"
        elif state == "heading":
            state = "heading" if bare else "signed"
        elif state != "signature":
            yield line.removeprefix("- ") if state == "signed" else line


# ------------------------------------------------------------------ what stands above quoted text


_GREETING = re.compile(r"Hello \w+(?: \w+)?,")


class _Below:
    """Finds what mail programs write above quoted text. Below it everything is quoted, unless the quote is marked."""

    def __init__(self, lines: list[Line], words: Words) -> None:
        self.lines = lines
        self.words = words
        self.program: set[int] = set()
        self.next_text = self._next_texts()

    def quoted(self) -> list[Line]:
        start, forwarded = len(self.lines), False
        for number in range(len(self.lines)):
            end, forwarded = self._heading(number)
            if end and not self._is_marked(end):
                start = number
                break
        return [
            self._line(number, line) if number < start else replace(line, depth=line.depth + 1, forwarded=forwarded)
            for number, line in enumerate(self.lines)
        ]

    def _line(self, number: int, line: Line) -> Line:
        return replace(line, depth=max(line.depth, 1), program=True) if number in self.program else line

    def _next_texts(self) -> list[int]:
        """For each line the number of the first line from it on that is not empty."""
        following, numbers = len(self.lines), []
        for number in range(len(self.lines) - 1, -1, -1):
            following = number if self.lines[number].text.strip() else following
            numbers.append(following)
        return [*reversed(numbers), len(self.lines)]

    def _is_marked(self, end: int) -> bool:
        """Whether the quoted text that begins at a line has marks of its own."""
        for _ in range(MOST_HEADINGS):
            following = self.next_text[end]
            if following == len(self.lines):
                return False
            if self.lines[following].depth:
                return True
            end, _ = self._heading(following)
            if not end:
                return False
        return False

    def _heading(self, number: int) -> tuple[int, bool]:
        """Where a heading that begins here ends, or 0; and whether it is that of a forwarded mail."""
        line = self.lines[number]
        text = line.text.strip()
        if line.depth or not text or len(text) > phrases.LONGEST_ATTRIBUTION:
            return 0, False
        if phrases.FORWARDED.fullmatch(text):
            return self._take(number, number + 1), True
        if phrases.REPLIED.fullmatch(text):
            return self._take(number, number + 1), False
        return self._table(number) or self._attribution(number), False

    def _take(self, start: int, end: int) -> int:
        self.program.update(range(start, end))
        return end

    def _table(self, number: int) -> int:
        """From, Sent, To, Subject: three of them in six lines."""
        kinds: set[str] = set()
        at = number
        while at < min(number + 8, len(self.lines)) and not self.lines[at].depth:
            text = self.lines[at].text.strip()
            found = phrases.LABEL.match(text)
            if found:
                kinds.add(str(found.lastgroup))
            elif at == number or not text or len(kinds) >= 3:
                break
            at += 1
        return self._take(number, at) if len(kinds) >= 3 else 0

    def _attribution(self, number: int) -> int:
        """One to three lines that end with a colon and say who wrote when."""
        texts: list[str] = []
        for at in range(number, min(number + 3, len(self.lines))):
            line = self.lines[at]
            if line.depth or not line.text.strip():
                return 0
            texts.append(line.text.strip())
            if phrases.ENDS_WITH_A_COLON.search(line.text):
                return self._take(self._greeting(number), at + 1) if self._says_who_wrote(texts, at + 1) else 0
        return 0

    def _greeting(self, number: int) -> int:
        """Where the heading begins: The Bat writes a greeting above it."""
        above = number - 2
        greets = above >= 0 and not self.lines[number - 1].text.strip() and above == self._first_text
        said = self.lines[number].text
        return (
            above if greets and said.endswith("you wrote:") and _GREETING.fullmatch(self.lines[above].text) else number
        )

    @property
    def _first_text(self) -> int:
        return self.next_text[0]

    def _says_who_wrote(self, texts: list[str], end: int) -> bool:
        text = " ".join(texts)
        if len(text) > phrases.LONGEST_ATTRIBUTION or begins_with(texts[0], self.words):
            return False
        if len(texts) > 1 and self._shorter_is_enough(texts[1:]) and not phrases.ON_A_DAY.match(texts[0]):
            return False
        following = self.next_text[end]
        if following == len(self.lines) or not self.lines[following].depth:
            return _is_sure(text)
        return _signs(text) >= min(len(texts), 2)

    def _shorter_is_enough(self, texts: list[str]) -> bool:
        return _signs(" ".join(texts)) >= 2


def _signs(text: str) -> int:
    return bool(phrases.WROTE.search(text)) + ("@" in text) + bool(phrases.CLOCK.search(text))


def _is_sure(text: str) -> bool:
    """Enough to take all that follows for quoted text, although it has no marks."""
    dated = bool(phrases.CLOCK.search(text) and phrases.YEAR.search(text))
    return ("@" in text and _signs(text) >= 2) or (dated and bool(phrases.ENDS_WITH_WROTE.search(text)))
