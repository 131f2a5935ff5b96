"""Which lines of a letter are orders, in whatever words, which may be orders, and which are prose.

The sheet that is judged and kept has the orders alone, those in other words in their exact form. What was found out on
the way is told in the receipt: what a line was read from, which line nobody can tell the meaning of, and the prose.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from engine.game import Side
from engine.language import Language, LooseReader, doubtful
from engine.language.loose import Loosely, Read
from engine.language.names import plain
from engine.orders import MOST_UNREADABLE, Finding, Kind, Sheet
from pbem.desk.desk import Desk
from pbem.games import box_of
from pbem.letters.orders import Own, first_word, is_mistyped, looks_like_an_order, without_number
from pbem.letters.words import Words
from pbem.records.understood import exact

_TICKED, _OPEN = re.compile(r"\s*\[[xX✓✔]\]"), re.compile(r"\s*\[ ?\]")
_NUMBERED_REMARK = re.compile(r"\s*#\s*\d{1,3}[.:)]?\s+")


@dataclass
class Sorted:
    """A sheet line by line, what was found about its lines when they were read, and what is none of it."""

    lines: list[str] = field(default_factory=list)
    remarks: list[Finding] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    has_orders: bool = False

    def trimmed(self) -> "Sorted":
        """Without empty lines at both ends."""
        above = next((number for number, line in enumerate(self.lines) if line.strip()), 0)
        moved = [msgspec.structs.replace(one, line=one.line - above) for one in self.remarks]
        return Sorted(list(trimmed(self.lines)), moved, self.prose, self.has_orders)


def trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Without empty lines at both ends."""
    full = [number for number, line in enumerate(lines) if line.strip()]
    return tuple(lines[full[0] : full[-1] + 1]) if full else ()


class LineSorter:
    """Sorts the lines that are no commands, for one side of one match.

    `read` is how its game reads a sheet now, `read_sheet` the same for the whole one, which may be remembered. `stands`
    has the place of every army.
    """

    def __init__(self, language: Language, read: Read, read_sheet: Read, stands: Mapping[str, str], side: Side) -> None:
        self.language = language
        self.words = Words.of((), (language,))
        self.read_sheet = read_sheet
        others = frozenset(word for word, of in language.peoples.items() if of != side)
        self.loosely = LooseReader(language, read, stands, others)

    def sorted(self, lines: Sequence[Own]) -> Sorted:
        may_be = [(line.taken and not line.text.strip()) or self._may_be_an_order(line) for line in lines]
        if not any(may and line.text for may, line in zip(may_be, lines, strict=True)):
            return Sorted(prose=[line.text for line in lines if line.text.strip()])
        sheet = self.read_sheet("\n".join(line.text if may else "" for may, line in zip(may_be, lines, strict=True)))
        return _Sorting(self, sheet).sort(lines, may_be)

    def _may_be_an_order(self, line: Own) -> bool:
        text = line.text
        if text.lstrip().startswith("#"):
            return line.taken or _NUMBERED_REMARK.match(text) is not None
        first = first_word(text)
        return (
            first in self.words
            or self.loosely.is_about_an_order(text)
            or (is_mistyped(text, self.words) and (self.loosely.names_something(text) or self.words.are_named_in(text)))
        )


def line_sorter(desk: Desk) -> LineSorter:
    """For the seat that wrote a letter, and the gate that is open now."""
    position, side = desk.position, desk.the_seat.side
    assert desk.language is not None, "the game of a match is known"
    view = position.view(side)
    return LineSorter(
        desk.language,
        lambda text: position.game.parse(text, view, str(desk.match_id)),
        lambda text: position.reading(side, text).sheet,
        box_of(position.game).stands(view),
        side,
    )


class _Sorting:
    """The work on one sheet, which was read as it was written."""

    def __init__(self, sorter: LineSorter, sheet: Sheet) -> None:
        self.by, self.sheet = sorter, sheet
        self.understood = {line.number for line in sheet.lines}
        self.refused = {finding.line: finding for finding in reversed(sheet.findings) if finding.refuses}
        self.found = Sorted()
        self.section = ""
        self.tries = 0
        self.texts: list[str] = []
        self.ticked = False

    def sort(self, lines: Sequence[Own], may_be: Sequence[bool]) -> Sorted:
        self.texts = [line.text for line, may in zip(lines, may_be, strict=True) if may]
        self.ticked = any(map(_TICKED.match, self.texts))
        for number, (line, may) in enumerate(zip(lines, may_be, strict=True), 1):
            if not may:
                self._take_prose(line.text)
            elif self._is_open(line.text):
                self._take_doubtful(line.text, Loosely())
            elif number in self.understood or number not in self.refused or self.sheet.refused:
                self._take_as_it_is(line)
            else:
                self._take_loosely(line, self.refused[number])
        self.found.has_orders = any(line.strip() and not line.lstrip().startswith("#") for line in self.found.lines)
        self.found.has_orders |= bool(self.found.remarks)
        return self.found

    def _is_open(self, text: str) -> bool:
        """An order with an open box in a list where others are ticked, or behind the number of a remark."""
        if self.ticked and _OPEN.match(text):
            return True
        found = _NUMBERED_REMARK.match(text)
        return found is not None and self.by.loosely.is_about_an_order(text[found.end() :])

    def _take_prose(self, text: str) -> None:
        if text.strip():
            self.found.prose.append(text)

    def _take_as_it_is(self, line: Own) -> None:
        """An order, an empty line, a remark, a section or a heading."""
        text = plain(line.text).strip().removesuffix(":").rstrip()
        if text in self.by.language.sections:
            self.section = text
        if line.text or (self.found.lines and self.found.lines[-1]):
            self.found.lines.append(line.text)

    def _take_loosely(self, line: Own, finding: Finding) -> None:
        """A line that is no order in exact form: perhaps it is one in other words, or several."""
        text, hash_, remark = line.text.partition("#")
        parts = self.by.loosely.parts(without_number(text))
        for part in parts:
            self._take_part(without_number(part), line if len(parts) == 1 else Own(part, line.taken), finding)
        if hash_:
            self.found.lines[-1:] = [f"{each}  #{remark}" for each in self.found.lines[-1:]]

    def _take_part(self, part: str, line: Own, finding: Finding) -> None:
        if finding.kind is Kind.ILLEGAL and self._begins_as_an_order(line):
            self.found.lines.append(line.text)
            return
        self.tries += 1
        if self.tries > MOST_UNREADABLE:
            self.found.lines.append(part)
            return
        reading = self.by.loosely.reading(part, self.section)
        if len(reading.orders) == 1:
            for each in reading.orders[0]:
                self.found.lines.append(exact(each))
                self._remark(Kind.NOTE, f"Read from: {part.strip()}", part)
        elif reading.refused:
            self.found.lines.append(reading.refused)
        elif not reading.orders and self._begins_as_an_order(line):
            self.found.lines.append(line.text)
        elif reading.orders or self._leaves_doubt(part, reading):
            self._take_doubtful(part, reading)
        else:
            self._take_prose(line.text)

    def _take_doubtful(self, text: str, reading: Loosely) -> None:
        self.found.lines.append(text)
        self.found.remarks.append(doubtful(len(self.found.lines), text, reading))

    def _leaves_doubt(self, text: str, reading: Loosely) -> bool:
        if not self.by.loosely.is_about_an_order(text):
            return False
        return reading.leaves_doubt or any(
            self.by.loosely.takes_back(text, other) for other in self.texts if other != text
        )

    def _begins_as_an_order(self, line: Own) -> bool:
        return line.taken and looks_like_an_order(line.text, self.by.words)

    def _remark(self, kind: Kind, why: str, text: str) -> None:
        self.found.remarks.append(Finding(kind, len(self.found.lines), why, "", text))
