"""A board that nobody plays on: ten thousand hexes with coasts, mountains, cities, five sides, eighteen countries and
some hundred armies, the same each time. Tests and the bench draw a front on it, as on the board of a world war.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin
from random import Random
from typing import NamedTuple

from engine.layout import ROW, Layout, Numbers, Top
from pbem.draw.atlas import Atlas, Extent, Hexside, Land, Name, Point, Printed, Terrain
from pbem.draw.scene import CutOut, Face, Front, Holding, Mark, Part, Scene, Titles
from pbem.draw.style import LandColours, SideColours, Style

COLUMNS, ROWS = 125, 80
SEED = "ten thousand hexes"
#: So many from west to east and from south to north, the coast of each so many points long and straying so far.
CONTINENTS, POINTS, MOST = (9, 5), 400, 1.25
MOUNTAINS, CITIES, PORTS, OUT_OF_SIGHT = 0.14, 0.06, 0.02, 0.3
ARMIES = 400
#: The front of a report: so many hexes from west to east and from south to north.
FRONT = (30, 25)

#: Land, counter and dark of each side, and its emblem.
SIDES = {
    "white": ("#ccd2e6", "#42588c", "#26365e", "cross"),
    "red": ("#f5cfb2", "#b5402b", "#7a2416", "diamond"),
    "green": ("#c4dc94", "#1f5241", "#0f3026", "ring"),
    "gold": ("#f0e08a", "#8a6a12", "#4f3c08", "triangle"),
    "violet": ("#dcc0e2", "#6a3a78", "#3d1f47", "square"),
}
LIGHTNESS = (206, 224, 240)


class Shore(NamedTuple):
    """The coast of a continent: its middle, and how far it is from there in so many directions."""

    middle: Point
    far: tuple[float, ...]

    def covers(self, x: float, y: float) -> bool:
        dx, dy = x - self.middle[0], y - self.middle[1]
        return hypot(dx, dy) < self.far[round(atan2(dy, dx) / (2 * pi) * len(self.far)) % len(self.far)]

    @property
    def outline(self) -> tuple[Point, ...]:
        x, y = self.middle
        turns = ((2 * pi * step / len(self.far), far) for step, far in enumerate(self.far))
        return tuple((x + far * cos(turn), y + far * sin(turn)) for turn, far in turns)


# ------------------------------------------------------------------ the board


@lru_cache(maxsize=4)
def wide_atlas(top: Top = "pointed", wrap: bool = False) -> Atlas:
    layout = Layout(top, "odd", Numbers(COLUMNS, ROWS, "row"), wrap=_columns(top) if wrap else 0)
    shores = tuple(_shores(layout))
    places = [f"{row:02}{column:02}" for column in range(1, _columns(top) + 1) for row in range(1, ROWS + 1)]
    bare = Atlas(layout, _extent(layout, 0.8), _extent(layout, 1.1), dict.fromkeys(places, "land"))
    terrain = {place: _terrain(place, bare.middle(place), shores) for place in places}
    owners = _owners(layout)
    borders, water = [], []
    for place, direction, neighbour in bare.hexsides:
        if terrain[place] != "sea" and terrain[neighbour] != "sea":
            if owners[place] != owners[neighbour]:
                borders.append(Hexside(place, direction))
            elif Random(place + neighbour).random() < 0.01:
                water.append(Hexside(place, direction))
    return Atlas(
        layout,
        bare.map,
        bare.sheet,
        terrain,
        tuple(Land(shore.outline) for shore in shores),
        straits=tuple(water[::2]),
        closed=tuple(water[1::2]),
        borders=frozenset(borders),
        printed={place: _printed(place) for place in places if terrain[place] != "sea"},
        countries=tuple(Name(f"LAND {number}", shore.middle, 0.3, 0.8) for number, shore in enumerate(shores)),
    )


def _columns(top: Top) -> int:
    """A map of flat hexes goes round only over an even number."""
    return COLUMNS - (COLUMNS % 2 if top == "flat" else 0)


def _extent(layout: Layout, around: float) -> Extent:
    (west, north), (east, south) = layout.middle("0101"), layout.middle(f"{ROWS:02}{_columns(layout.top)}")
    return Extent(west - around, -south - around, east + around, -north + around)


def _shores(layout: Layout) -> Iterator[Shore]:
    """One in each square of the board, so that they do not meet."""
    chance, board, (across, up) = Random(SEED), _extent(layout, 0), CONTINENTS
    wide, high = (board.east - board.west) / across, (board.north - board.south) / up
    for number in range(across * up):
        column, row = number % across, number // across
        middle = board.west + (column + 0.5) * wide, board.south + (row + 0.5) * high
        yield Shore(middle, tuple(_far(chance, min(wide, high) / 2 / MOST)))


def _far(chance: Random, size: float) -> Iterator[float]:
    """A line that strays from a circle and is drawn back to it."""
    share = 1.0
    for _ in range(POINTS):
        share = min(MOST, max(0.7, share + chance.uniform(-0.06, 0.06) + (1 - share) * 0.1))
        yield size * share


def _terrain(place: str, middle: Point, shores: tuple[Shore, ...]) -> Terrain:
    if not any(shore.covers(*middle) for shore in shores):
        return "sea"
    return "mountain" if Random(place).random() < MOUNTAINS else "land"


def _printed(place: str) -> Printed:
    chance = Random(f"city {place}")
    if chance.random() > CITIES:
        return Printed()
    return Printed(f"City {place}", chance.random() < 0.2, chance.random() < PORTS / CITIES, chance.randint(0, 3))


# ------------------------------------------------------------------ who holds it


@lru_cache(maxsize=1)
def wide_style() -> Style:
    """Five sides, and eighteen countries that belong to none."""
    countries = tuple(LandColours(f"country {number}", _tint(number), "square") for number in range(18))
    return Style(
        paper="#f6f1e4",
        white="#fffdf7",
        ink="#2b2622",
        soft_ink="#6d655c",
        shore="#33505f",
        sea=("#d3e5ea", "#c2d9e2", "#b2cedb", "#a6c5d5"),
        gold="#f2b824",
        red="#c4261d",
        sides=tuple(SideColours(side, *colours) for side, colours in SIDES.items()),
        nobody=countries,
        closed=LandColours("closed", "#e2dfd8", "square"),
    )


def _tint(number: int) -> str:
    """Eighteen pale tints, six around the wheel in three steps of lightness."""
    turn, light = number % 6 / 6 * 2 * pi + number // 6 * 0.35, LIGHTNESS[number // 6]
    parts = (light + 26 * cos(turn - third * 2 * pi / 3) - 14 for third in range(3))
    return "#" + "".join(f"{min(255, round(part)):02x}" for part in parts)


@lru_cache(maxsize=4)
def _owners(layout: Layout) -> dict[str, str]:
    """Sides and countries hold squares of the board, so that a front of a report shows many of them."""
    style = wide_style()
    everybody = [*(side.side for side in style.sides), *(land.owner for land in style.nobody), style.closed.owner]
    columns = range(1, _columns(layout.top) + 1)
    return {
        f"{row:02}{column:02}": Random(f"{row // 7}/{column // 7}").choice(everybody)
        for column in columns
        for row in range(1, ROWS + 1)
    }


@lru_cache(maxsize=4)
def wide_scene(top: Top = "pointed", wrap: bool = False) -> Scene:
    """A front of a report in the middle of the board."""
    atlas, chance = wide_atlas(top, wrap), Random(f"{SEED}: war")
    owners = _owners(atlas.layout)
    land = [place for place in atlas.hexes if atlas.has_land(place)]
    holdings = {place: Holding(owners[place], chance.random() > OUT_OF_SIGHT) for place in land}
    fronts = [
        Front(place, neighbour, holdings[place].in_sight)
        for place, _, neighbour in atlas.hexsides
        if {place, neighbour} <= holdings.keys() and owners[place] != owners[neighbour]
        if {owners[place], owners[neighbour]} <= SIDES.keys()
    ]
    held = [place for place in land if owners[place] in SIDES]
    stacks = {place: _armies(place, owners[place]) for place in chance.sample(held, ARMIES)}
    around = CutOut(Titles("WIDE WAR", "Spring 1942, turn 11 of 40", "All sides, for nobody"), front_of(atlas))
    marks = tuple(Mark("battle", front.place) for front in fronts[::9])
    return Scene(holdings, around, stacks=stacks, fronts=tuple(fronts), marks=marks)


def front_of(atlas: Atlas) -> Part:
    across, up = FRONT
    x, y = (atlas.map.west + atlas.map.east) / 2, (atlas.map.south + atlas.map.north) / 2
    return Extent(x - across / 2, y - up * ROW / 2, x + across / 2, y + up * ROW / 2)


def _armies(place: str, side: str) -> tuple[Face, ...]:
    chance = Random(f"armies {place}")
    return tuple(
        Face(
            side, f"{chance.randint(1, 60)} Army", chance.choice(("foot", "mobile", "both")), f"{chance.randint(1, 9)}I"
        )
        for _ in range(chance.randint(1, 3))
    )
