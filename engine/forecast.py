"""What a sheet may come to, as a table: chances and other numbers, worked out exactly from what its side knows.

Nothing here is rounded or sampled. Where the side does not know the enemy exactly, a number is a span: the lowest and
the highest it can be for any enemy that looks like what the side sees.
"""

from fractions import Fraction
from typing import Any, Literal

import msgspec


class Span(msgspec.Struct, frozen=True):
    """A number that is known, or the two numbers it lies between."""

    least: Fraction
    most: Fraction

    @property
    def is_exact(self) -> bool:
        return self.least == self.most


class Assumption(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that had to be taken for granted, and what it was taken of: several may share the words."""

    what: str
    of: str = ""


#: None stands for what is not tried at all.
Cell = Span | Fraction | int | str | None


class Column(msgspec.Struct, frozen=True):
    """What stands in a column: `name` for programs, `title` for players. A chance is told in hundredths, points in
    tenths."""

    name: str
    title: str
    kind: Literal["chance", "points", "number", "text"]


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a line may come to, with a cell for each column.

    `label` has a {} for each of the `names`, which the box calls as players do. Step 0 is what the line does first, 1
    and up are what follows it. A row of line 0 sums up lines above it, or is `part` of the row above and told below it.
    `facts` are what programs are told of the row, if that is more than its cells.
    """

    line: int
    label: str
    cells: tuple[Cell, ...]
    names: tuple[str, ...] = ()
    step: int = 0
    part: bool = False
    facts: Any = None


class Forecast(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table of what the lines of a sheet may come to; without rows there is nothing to tell.

    `of` is the title above the labels, `about` says what the numbers mean. Assumptions may come several times.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    of: str = "order"
    about: str = ""


def exactly(number: Fraction) -> Span:
    return Span(number, number)


def spanning(numbers: list[Fraction]) -> Span:
    return Span(min(numbers), max(numbers))


def mean(spread: tuple[Fraction, ...]) -> Fraction:
    """The average of a spread: the chances of 0, 1, 2 and so on."""
    return sum((number * chance for number, chance in enumerate(spread)), Fraction(0))
