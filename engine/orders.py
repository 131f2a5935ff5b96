"""What every game's order sheet has in common: numbered lines, what they were read as, and what was wrong.

A sheet never fails as a whole: each line is read alone, and a line that cannot be used leaves a finding that
quotes it, says why, and says what would work.
"""

import re
from enum import StrEnum
from typing import Any

import msgspec

#: Longer sheets and lines are not read further; no honest sheet comes near these.
MOST_LINES = 1_000
LONGEST_LINE = 400
MOST_UNREADABLE = 40


_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def lines_of(text: str, most: int = 0) -> list[str]:
    """The lines of a sheet, as everybody counts them. Past `most` lines the rest comes as one."""
    return _LINE_ENDS.split(text, most)


class Kind(StrEnum):
    UNREADABLE = "unreadable"  # no order of the language
    AMBIGUOUS = "ambiguous"  # could mean several things, so it means none
    ILLEGAL = "illegal"  # an order, but against the rules in this position
    NOTE = "note"  # taken, but the player may want to know
    UNFINISHED = "unfinished"  # taken, but it looks like a part of what was meant


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One remark on one line. `line` counts from 1, 0 is the sheet as a whole; `column` counts from 1."""

    kind: Kind
    line: int
    why: str
    remedy: str = ""
    text: str = ""
    column: int = 0

    @property
    def refuses(self) -> bool:
        return self.kind not in (Kind.NOTE, Kind.UNFINISHED)

    @property
    def leaves_doubt(self) -> bool:
        """Whether the sender may have meant something else, so that his turn had better wait for him."""
        return self.kind is not Kind.NOTE


class Line(msgspec.Struct, frozen=True):
    """One line of a sheet that was understood. `order` is one of the game's order types."""

    number: int
    text: str
    order: Any
    standing: bool = False


class Sheet(msgspec.Struct, frozen=True):
    """All that one side mailed for one gate, as far as it could be read."""

    side: str
    lines: tuple[Line, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the sheet as a whole was turned away, say for another turn or another side."""
        return any(finding.line == 0 and finding.refuses for finding in self.findings)
