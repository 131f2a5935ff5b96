"""How the hexes of a map lie: which touch, how far apart they are, where their middles are, and what they are called.

A Layout is a value of a map. A hex is named by an id such as Q16, 1237 or B0934, and a codec of the map says which
column and row an id means. An id that the codec does not know is an error, never a hex somewhere else.
"""

from dataclasses import dataclass, field
from math import sqrt
from typing import Literal, NamedTuple, Protocol

import msgspec

#: How far apart rows of pointed hexes are, or columns of flat ones; the unit is the way from a hex to the next.
ROW = sqrt(3) / 2

Top = Literal["pointed", "flat"]
Parity = Literal["odd", "even"]

#: The hexsides clockwise from the north, each with its step in half hexes to the east and to the south.
_STEPS: dict[Top, dict[str, tuple[int, int]]] = {
    "pointed": {"NE": (1, -1), "E": (2, 0), "SE": (1, 1), "SW": (-1, 1), "W": (-2, 0), "NW": (-1, -1)},
    "flat": {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)},
}


class Spot(NamedTuple):
    """Where a hex is, by the numbers of its column and its row."""

    column: int
    row: int


class ThereIsNoSuchHex(LookupError):
    """An id that means no hex of the map."""


class LayoutDoesNotClose(ValueError):
    """A map of flat hexes goes round only over an even number of columns."""


# ------------------------------------------------------------------ what hexes are called


class Codec(Protocol):
    """What the hexes of a map are called."""

    @property
    def looks_like(self) -> str:
        """What an id looks like, as a regular expression for text in capitals."""

    def read(self, hex_id: str) -> Spot:
        """The spot an id means. Raises ThereIsNoSuchHex."""

    def write(self, spot: Spot) -> str:
        """The id of a spot; empty if no hex there has one."""


class RowLetters(msgspec.Struct, frozen=True):
    """`Q16`: a letter for the row, the first of them A, and the number of the column."""

    rows: int = 26
    columns: int = 99

    @property
    def looks_like(self) -> str:
        return rf"[A-{self._letter(self.rows)}]\d{{1,{len(str(self.columns))}}}"

    def read(self, hex_id: str) -> Spot:
        letter, number = hex_id[:1], hex_id[1:]
        if not ("A" <= letter <= self._letter(self.rows) and _is_number(number) and int(number) <= self.columns):
            raise ThereIsNoSuchHex(f"{hex_id!r} is no hex such as Q16")
        return Spot(int(number), ord(letter) - ord("A") + 1)

    def write(self, spot: Spot) -> str:
        named = 1 <= spot.row <= self.rows and 0 <= spot.column <= self.columns
        return f"{self._letter(spot.row)}{spot.column}" if named else ""

    def _letter(self, row: int) -> str:
        return chr(ord("A") + row - 1)


class Numbers(msgspec.Struct, frozen=True):
    """`1237`: the numbers of column and row run together, the first in two digits, the second in two or more.

    On a map with more than 99 columns whose ids begin with the row, `19107` is row 19, column 107.
    """

    columns: int
    rows: int
    first: Literal["column", "row"] = "column"

    def __post_init__(self) -> None:
        if (self.columns if self.first == "column" else self.rows) > 99:
            raise ValueError("the first number of an id has two digits")

    @property
    def looks_like(self) -> str:
        longest = len(str(self.rows if self.first == "column" else self.columns))
        return rf"\d{{4,{2 + longest}}}" if longest > 2 else r"\d{4}"

    def read(self, hex_id: str) -> Spot:
        first, second = hex_id[:2], hex_id[2:]
        if _is_number(first) and _is_number(second):
            one, other = int(first), int(second)
            spot = Spot(one, other) if self.first == "column" else Spot(other, one)
            if self.write(spot) == hex_id:
                return spot
        raise ThereIsNoSuchHex(f"{hex_id!r} is no hex of {self.columns} columns and {self.rows} rows")

    def write(self, spot: Spot) -> str:
        if not (1 <= spot.column <= self.columns and 1 <= spot.row <= self.rows):
            return ""
        first, second = spot if self.first == "column" else reversed(spot)
        return f"{first:02}{second:02}"


class MapSheet(msgspec.Struct, frozen=True):
    """One sheet of a map of several: its letter, where its hex 0101 lies on the whole map, and its size."""

    letter: str
    column: int
    row: int
    columns: int
    rows: int

    def has(self, spot: Spot) -> bool:
        return 0 <= spot.column - self.column < self.columns and 0 <= spot.row - self.row < self.rows


class Sheets(msgspec.Struct, frozen=True):
    """`B0934`: the letter of a sheet, and column and row on it. The sheets lie side by side as one grid.

    A sheet may show the first rows of the one below once more, so many as `shared_rows`: such an id means the hex
    below.
    """

    sheets: tuple[MapSheet, ...]
    shared_rows: int = 0

    @property
    def looks_like(self) -> str:
        return rf"[{''.join(sheet.letter for sheet in self.sheets)}]\d{{4}}"

    def read(self, hex_id: str) -> Spot:
        sheet = next((sheet for sheet in self.sheets if sheet.letter == hex_id[:1]), None)
        if sheet is None:
            raise ThereIsNoSuchHex(f"{hex_id!r} is on no sheet of the map")
        column, row = Numbers(sheet.columns, sheet.rows + self.shared_rows).read(hex_id[1:])
        spot = Spot(sheet.column + column - 1, sheet.row + row - 1)
        if self._sheet_of(spot) is None:
            raise ThereIsNoSuchHex(f"{hex_id!r} is below the last sheet")
        return spot

    def write(self, spot: Spot) -> str:
        sheet = self._sheet_of(spot)
        if sheet is None:
            return ""
        return f"{sheet.letter}{spot.column - sheet.column + 1:02}{spot.row - sheet.row + 1:02}"

    def _sheet_of(self, spot: Spot) -> MapSheet | None:
        return next((sheet for sheet in self.sheets if sheet.has(spot)), None)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


# ------------------------------------------------------------------ how they lie


@dataclass(frozen=True)
class Layout:
    """Hexes in rows and columns.

    `shifted` rows of pointed hexes stand half a hex to the east, `shifted` columns of flat hexes half a hex towards
    the higher rows. Rows are counted towards the `rows_run` side. With `wrap` the map goes round the world: its first
    column comes after so many.
    """

    top: Top
    shifted: Parity
    codec: Codec
    rows_run: Literal["north", "south"] = "south"
    wrap: int = 0
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.top == "flat" and self.wrap % 2:
            raise LayoutDoesNotClose(f"{self.wrap} columns of flat hexes do not meet")

    @property
    def directions(self) -> tuple[str, ...]:
        """The six hexsides by name, clockwise from the north: the order of everything that is listed by side."""
        return tuple(_STEPS[self.top])

    # -------------------------------------------------------------- ids

    def spot(self, hex_id: str) -> Spot:
        """Column and row of a hex. Raises ThereIsNoSuchHex."""
        return self.codec.read(hex_id)

    def hex_at(self, spot: Spot) -> str:
        """The hex at a column and row, once round the world if need be; empty if the map has none there."""
        column = (spot.column - 1) % self.wrap + 1 if self.wrap else spot.column
        return self.codec.write(Spot(column, spot.row))

    # -------------------------------------------------------------- what touches what

    def neighbours(self, hex_id: str) -> tuple[str, ...]:
        """The six neighbours in the order of `directions`; empty where the map has no name for a hex."""
        known = self._known.get(hex_id)
        if known is None:
            spot = self.spot(hex_id)
            known = self._known[hex_id] = tuple(self._stepped(spot, step) for step in _STEPS[self.top].values())
        return known

    def neighbour(self, hex_id: str, direction: str) -> str:
        """The neighbour in a direction, by its name or by its number clockwise from 1; empty beyond the map."""
        named = self.directions[int(direction) - 1] if direction in ("1", "2", "3", "4", "5", "6") else direction
        return self._stepped(self.spot(hex_id), _STEPS[self.top][named])

    def direction(self, one: str, other: str) -> str:
        """Over which hexside of one hex the other lies; empty if they do not touch."""
        found = zip(self.directions, self.neighbours(one), strict=True)
        there = self.hex_at(self.spot(other))
        return next((direction for direction, neighbour in found if neighbour == there), "")

    def distance(self, one: str, other: str) -> int:
        """Hexes from one to the other over the grid, whatever lies between; round the world if that is shorter."""
        start, goal = self.spot(one), self.spot(other)
        rounds = (-self.wrap, 0, self.wrap) if self.wrap else (0,)
        return min(self._between(start, Spot(goal.column + columns, goal.row)) for columns in rounds)

    def middle(self, hex_id: str) -> tuple[float, float]:
        """The middle of a hex, x as the columns are counted and y as the rows are."""
        across, down = self._in_halves(self.spot(hex_id))
        return (across / 2, down * ROW) if self.top == "pointed" else (across * ROW, down / 2)

    # -------------------------------------------------------------- in half hexes

    def _in_halves(self, spot: Spot) -> tuple[int, int]:
        """The middle in half hexes along rows (of flat hexes: along columns), so that the shift is a whole number."""
        if self.top == "pointed":
            return 2 * spot.column + self._shift(spot.row), spot.row
        return spot.column, 2 * spot.row + self._shift(spot.column)

    def _shift(self, number: int) -> int:
        return int(number % 2 == (1 if self.shifted == "odd" else 0))

    def _stepped(self, spot: Spot, step: tuple[int, int]) -> str:
        across, down = self._in_halves(spot)
        across, down = across + step[0], down + (step[1] if self.rows_run == "south" else -step[1])
        if self.top == "pointed":
            return self.hex_at(Spot((across - self._shift(down)) // 2, down))
        return self.hex_at(Spot(across, (down - self._shift(across)) // 2))

    def _between(self, start: Spot, goal: Spot) -> int:
        """Every step to the next row or column of the others also goes half a hex along it."""
        (across, down), (there_across, there_down) = self._in_halves(start), self._in_halves(goal)
        along, beside = abs(across - there_across), abs(down - there_down)
        if self.top == "flat":
            along, beside = beside, along
        return beside + max(0, along - beside) // 2
