"""Reading a whole sheet: headings, sections, END, and each line alone. Nothing in here raises on what a player wrote.

A game says what a heading means and what a line orders; how far a sheet is read and how a line is answered that cannot
be used is the same in every game.
"""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import msgspec

from engine.language.names import plain
from engine.orders import LONGEST_LINE, MOST_LINES, MOST_UNREADABLE, Finding, Kind, Line, Sheet, lines_of

LONGEST_QUOTE = 100

_END = re.compile(r" *+END *+[.:]? *+")
_TOO_LONG = f"The line has more than {LONGEST_LINE} characters."


class LineCannotBeUsed(Exception):
    """An order line with something wrong at `column`: why, and what would work."""

    def __init__(self, kind: Kind, why: str, remedy: str = "", column: int = 0) -> None:
        super().__init__(why)
        self.kind, self.why, self.remedy, self.column = kind, why, remedy, column


class SheetIsForAnotherGate(Exception):
    """A heading names another game, turn or side than this gate waits for."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(why)
        self.why, self.text = why, text


class Understood(msgspec.Struct, frozen=True):
    """A line that was read. `notes` are remarks: why, remedy, column."""

    order: Any
    standing: bool = False
    notes: tuple[tuple[str, str, int], ...] = ()


class SheetReader(ABC):
    """Reads one sheet for one side. A game says what is a heading, what a line orders, and what would fit this gate."""

    def __init__(self, side: str, sections: Iterable[str]) -> None:
        self.side = side
        self.section = ""
        self.lines: list[Line] = []
        self.findings: list[Finding] = []
        self._unreadable = 0
        self._sections = frozenset(sections)

    @abstractmethod
    def is_heading(self, text: str, line: str) -> bool:
        """Whether a line says which sheet it is. Raises SheetIsForAnotherGate if it says another; `text` is plain."""

    @abstractmethod
    def understand(self, number: int, line: str) -> Understood:
        """What a line orders, under the section it stands in. Raises LineCannotBeUsed."""

    @abstractmethod
    def what_would_fit(self) -> str:
        """What to send instead of a sheet for another gate."""

    def sheet(self, text: str) -> Sheet:
        """Orders and findings, line by line. A heading for another gate turns the whole sheet away."""
        try:
            self._read_all(text)
        except SheetIsForAnotherGate as problem:
            finding = Finding(Kind.ILLEGAL, 0, problem.why, self.what_would_fit(), quoted(problem.text))
            return Sheet(self.side, (), (finding,))
        return Sheet(self.side, tuple(self.lines), tuple(self.findings))

    def _read_all(self, text: str) -> None:
        """Up to END, or to where no honest sheet goes."""
        for number, line in enumerate(lines_of(text, MOST_LINES), start=1):
            why = self._why_stop(number, line)
            if why:
                self.findings.append(Finding(Kind.UNREADABLE, number, why, "Send orders alone, one on each line."))
                return
            if not self._read(number, line):
                return

    def _why_stop(self, number: int, line: str) -> str:
        if number > MOST_LINES and line.strip():
            return f"A sheet has at most {MOST_LINES} lines; I read no further."
        if self._unreadable >= MOST_UNREADABLE:
            return f"Too many lines I cannot read; I stopped at line {number}."
        return ""

    def _read(self, number: int, raw: str) -> bool:
        """Take one line; False if it is END."""
        line = raw.partition("#")[0].rstrip()
        if len(line) > LONGEST_LINE:
            self._find(number, line, Kind.UNREADABLE, _TOO_LONG, "Write one order on each line.", LONGEST_LINE + 1)
            return True
        line = unicodedata.normalize("NFC", line)
        text = plain(line)
        if _END.fullmatch(text):
            return False
        if (section := text.strip(" ").removesuffix(":").rstrip(" ")) in self._sections:
            self.section = section
        elif text.strip() and not self.is_heading(text, line):
            self._read_order(number, line)
        return True

    def _read_order(self, number: int, line: str) -> None:
        try:
            understood = self.understand(number, line)
        except LineCannotBeUsed as problem:
            self._find(number, line, problem.kind, problem.why, problem.remedy, problem.column)
            return
        for why, remedy, column in understood.notes:
            self._find(number, line, Kind.NOTE, why, remedy, column)
        self.lines.append(Line(number, printable(line), understood.order, understood.standing))

    def _find(self, number: int, line: str, kind: Kind, why: str, remedy: str, column: int) -> None:
        self._unreadable += kind is Kind.UNREADABLE
        self.findings.append(Finding(kind, number, why, remedy, quoted(line), column))


def printable(line: str) -> str:
    return "".join(character if character.isprintable() else " " for character in line).strip()


def quoted(line: str) -> str:
    text = printable(line[: 4 * LONGEST_QUOTE])
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "..."


def heading_parts(text: str, headings: Iterable[str]) -> list[tuple[str, str]]:
    """The words of a heading such as GAME 17 TURN Summer 1941 SIDE Axis with what stands behind each; else none."""
    words = "|".join(headings)
    if not words or not re.match(rf" *+(?:{words})(?![\w-])", text):
        return []
    parts = re.findall(rf"({words})(?![\w-])[ :]*+(.*?)(?=(?<! ) ++(?:{words})(?![\w-])|\n|\Z)", text)
    return [(word, value.strip(" .,;:")) for word, value in parts]
