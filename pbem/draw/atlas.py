"""A map as a game hands it to the kit: how its hexes lie, what is printed on them, its coasts and names.

Nothing here tells who holds what; that is the business of a scene. Board coordinates have the way from a hex to the
next as unit, x to the east and y to the north.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, cos, floor, hypot, radians, sin, sqrt
from typing import Literal, NamedTuple

import msgspec

from engine.layout import ROW, Layout, Spot, Top

Point = tuple[float, float]
#: What the ground of a hex is drawn as.
Terrain = Literal["land", "mountain", "forest", "sea"]

#: A corner of a hex is this far from its middle.
CORNER = 1 / sqrt(3)
#: The six corners, east and south of the middle. The hexsides of a layout run from each to the next, in its order.
CORNERS: dict[Top, tuple[Point, ...]] = {
    "pointed": (
        (0.0, -CORNER),
        (0.5, -CORNER / 2),
        (0.5, CORNER / 2),
        (0.0, CORNER),
        (-0.5, CORNER / 2),
        (-0.5, -CORNER / 2),
    ),
    "flat": (
        (-CORNER / 2, -0.5),
        (CORNER / 2, -0.5),
        (CORNER, 0.0),
        (CORNER / 2, 0.5),
        (-CORNER / 2, 0.5),
        (-CORNER, 0.0),
    ),
}
#: Width and height of the brick around a hex. Bricks do not overlap, so what is printed inside one is met by no other.
BRICKS: dict[Top, Point] = {"pointed": (0.98, ROW), "flat": (ROW, 0.98)}


class Extent(NamedTuple):
    """A rectangle of the board."""

    west: float
    south: float
    east: float
    north: float

    def meets(self, other: "Extent") -> bool:
        return (
            self.west <= other.east
            and other.west <= self.east
            and self.south <= other.north
            and other.south <= self.north
        )

    def has(self, x: float, y: float) -> bool:
        return self.west <= x <= self.east and self.south <= y <= self.north

    def grown(self, by: float) -> "Extent":
        return Extent(self.west - by, self.south - by, self.east + by, self.north + by)

    def moved(self, east: float) -> "Extent":
        return Extent(self.west + east, self.south, self.east + east, self.north)


class Hexside(NamedTuple):
    """A side of a hex: the one towards the neighbour in that direction of the layout."""

    place: str
    direction: int


class Land(msgspec.Struct, frozen=True):
    """A coastline and the lakes in it."""

    outer: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...] = ()

    @property
    def rings(self) -> tuple[tuple[Point, ...], ...]:
        return (self.outer, *self.holes)


class Name(msgspec.Struct, frozen=True):
    """A name written across the map: its middle, the height of its letters, the space between them in parts of that,
    and by how many degrees it is turned to the left."""

    name: str
    middle: Point
    size: float
    wide: float
    turn: float = 0

    @property
    def _half(self) -> float:
        """How long it is on either side of its middle."""
        return len(self.name) * self.size * (0.7 + self.wide) / 2

    def is_near(self, x: float, y: float) -> bool:
        """Whether a hex with that middle may have a point on the name."""
        return hypot(x - self.middle[0], y - self.middle[1]) < self._half + self.size + 1

    def covers(self, x: float, y: float) -> bool:
        """Whether a point of the board lies on the name or close to it."""
        dx, dy, angle = x - self.middle[0], y - self.middle[1], radians(self.turn)
        along, across = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
        return abs(along) < self._half + 0.05 and abs(across) < self.size * 0.6 + 0.08


class Printed(msgspec.Struct, frozen=True):
    """What stands in a hex or a box before any war."""

    name: str = ""
    capital: bool = False
    port: bool = False
    production: int = 0


class Box(msgspec.Struct, frozen=True):
    """Where the panel of a place off the map stands. Ways come to one in the south from the north."""

    west: float
    north: float
    width: float
    height: float
    in_the_south: bool = False


NOTHING_PRINTED = Printed()


def hexsides_between(layout: Layout, places: Iterable[str]) -> Iterator[tuple[str, int, str]]:
    """Each hexside that two of these hexes share once, from its western hex, and the other one."""
    known = dict.fromkeys(places)
    for place in known:
        for direction, neighbour in enumerate(layout.neighbours(place)[:3]):
            if neighbour in known:
                yield place, direction, neighbour


@dataclass(frozen=True, eq=False)
class Atlas:
    """`map` is what the map shows, `sheet` the paper around it; `strait` sides can be crossed over the water, `closed`
    ones cannot, and `borders` lie between two countries.

    There is one of each board, so it is told from others by being another: it can be part of the key of a cache.
    """

    layout: Layout
    map: Extent
    sheet: Extent
    terrain: Mapping[str, Terrain]
    coast: tuple[Land, ...] = ()
    straits: tuple[Hexside, ...] = ()
    closed: tuple[Hexside, ...] = ()
    borders: frozenset[Hexside] = frozenset()
    printed: Mapping[str, Printed] = field(default_factory=dict)
    countries: tuple[Name, ...] = ()
    waters: tuple[Name, ...] = ()
    boxes: Mapping[str, Box] = field(default_factory=dict)
    _middles: dict[str, Point] = field(default_factory=dict, init=False, repr=False)

    # -------------------------------------------------------------- hexes

    @property
    def hexes(self) -> Iterable[str]:
        """In the order in which they are drawn."""
        return self.terrain.keys()

    def is_hex(self, place: str) -> bool:
        return place in self.terrain

    def has_land(self, place: str) -> bool:
        return self.terrain.get(place, "sea") != "sea"

    def print_in(self, place: str) -> Printed:
        return self.printed.get(place, NOTHING_PRINTED)

    def neighbours(self, place: str) -> tuple[str, ...]:
        """By direction; also those that are beyond the board."""
        return self.layout.neighbours(place)

    def touch(self, one: str, other: str) -> bool:
        """Whether two hexes of the board do."""
        return one in self.terrain and other in self.terrain and other in self.neighbours(one)

    @cached_property
    def ranks(self) -> dict[str, int]:
        return {place: number for number, place in enumerate(self.terrain)}

    # -------------------------------------------------------------- hexsides

    @cached_property
    def hexsides(self) -> tuple[tuple[str, int, str], ...]:
        """Each one between two hexes once, from its western hex, and the other one."""
        return tuple(hexsides_between(self.layout, self.terrain))

    def is_border(self, place: str, direction: int) -> bool:
        if direction < 3:
            return Hexside(place, direction) in self.borders
        return Hexside(self.neighbours(place)[direction], direction - 3) in self.borders

    # -------------------------------------------------------------- where they are

    @property
    def corners(self) -> tuple[Point, ...]:
        return CORNERS[self.layout.top]

    @property
    def brick(self) -> Point:
        return BRICKS[self.layout.top]

    def middle(self, place: str) -> Point:
        known = self._middles.get(place)
        if known is None:
            x, y = self.layout.middle(place)
            known = self._middles[place] = (x, y if self.layout.rows_run == "north" else -y)
        return known

    def hex_at(self, x: float, y: float) -> str:
        """The hex a point of the board lies in, or nearly so; empty if there is none of that name."""
        down = y if self.layout.rows_run == "north" else -y
        if self.layout.top == "pointed":
            row = round(down / ROW)
            return self.layout.hex_at(Spot(round(x - self._shift(row)), row))
        column = round(x / ROW)
        return self.layout.hex_at(Spot(column, round(down - self._shift(column))))

    def _shift(self, number: int) -> float:
        return 0.5 if (number % 2 == 1) == (self.layout.shifted == "odd") else 0.0

    def hexes_in(self, part: Extent) -> list[tuple[str, Point]]:
        """Each hex whose middle is in a part of the board, with that middle, in the order in which they are drawn.

        Where the map goes round, the part may lie beyond its first or last column, or show a hex twice.
        """
        found = {(self.ranks[place], at): place for place, at in self._spots_in(part)}
        return [(found[key], key[1]) for key in sorted(found)]

    def _spots_in(self, part: Extent) -> Iterator[tuple[str, Point]]:
        south, north = sorted(y if self.layout.rows_run == "north" else -y for y in (part.south, part.north))
        across, up = (1.0, ROW) if self.layout.top == "pointed" else (ROW, 1.0)
        for row in range(floor(south / up) - 1, ceil(north / up) + 2):
            for column in range(floor(part.west / across) - 1, ceil(part.east / across) + 2):
                place = self.layout.hex_at(Spot(column, row))
                if place in self.terrain:
                    x, y = self.middle(place)
                    x += self.rounds(column) * self.period
                    if part.has(x, y):
                        yield place, (x, y)

    # -------------------------------------------------------------- round the world

    @property
    def period(self) -> float:
        """After how much of the way east the map begins again; 0 if it does not."""
        return self.layout.wrap * (1.0 if self.layout.top == "pointed" else ROW)

    def rounds(self, column: int) -> int:
        """How often the map has gone round before a column."""
        return (column - 1) // self.layout.wrap if self.layout.wrap else 0

    def middle_near(self, place: str, x: float) -> Point:
        """The middle of a hex, round the world if it is nearer to a meridian there."""
        at, y = self.middle(place)
        return (at + self.period * round((x - at) / self.period) if self.period else at), y

    def copies_in(self, part: Extent, extent: Extent) -> Iterator[float]:
        """How far to the east something of that extent is drawn, so that every copy of it in a part is."""
        if not self.period:
            if part.meets(extent):
                yield 0.0
            return
        for rounds in range(
            ceil((part.west - extent.east) / self.period), floor((part.east - extent.west) / self.period) + 1
        ):
            if part.south <= extent.north and extent.south <= part.north:
                yield rounds * self.period
