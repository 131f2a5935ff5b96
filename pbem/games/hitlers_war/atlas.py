"""The Europe board as the kit draws it: the hexes and hexsides of `map.yaml`, the coasts, the names and the boxes."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from engine.grand_strategy.board import Place
from engine.hitlers_war.europe import LAYOUT, europe
from engine.layout import ROW
from engine.load import load_text, load_yaml
from pbem.draw.atlas import Atlas, Box, Extent, Hexside, Land, Name, Point, Printed, Terrain, hexsides_between

#: What the map shows: the hexes and a little beyond them.
MAP = Extent(west=1.3, south=0.08, east=22.3, north=21.56)
#: The sheet of paper around it, and the column in the east for Siberia and the turn track.
MARGIN, COLUMN = 0.26, 1.36
SHEET = Extent(MAP.west - MARGIN, MAP.south - MARGIN, MAP.east + COLUMN + MARGIN, MAP.north + MARGIN)
SIBERIA = "SIBERIA"
BOXES = {
    "CANADA": Box(1.5, 15.9, 1.75, 1.9),
    "US": Box(1.5, 13.85, 1.75, 1.9),
    "FRAFRICA": Box(9.15, 1.92, 1.95, 1.42, in_the_south=True),
    "BRAFRICA": Box(11.25, 1.92, 1.95, 1.42, in_the_south=True),
    "INDIA": Box(MAP.east + MARGIN * 0.5, 1.6, 1.3, 1.5),
    SIBERIA: Box(MAP.east + MARGIN * 0.5, 22.5 * ROW, 1.3, 10 * ROW),
}
#: Kinds of hexsides that are all sea: closed to armies, and those they can cross.
WATER = ("sea", "crossing")
#: Coastlines end at the eastern rim of the data; land there goes on.
DATA_ENDS, LAND_GOES_ON = 22.45, 23.0


@lru_cache(maxsize=1)
def europe_atlas() -> Atlas:
    water = {side: kind for side, kind in _hexsides() if kind in WATER}
    return Atlas(
        layout=LAYOUT,
        map=MAP,
        sheet=SHEET,
        terrain={place.id: _terrain(place) for place in europe().places.values() if not place.is_box},
        coast=tuple(_coast()),
        straits=tuple(side for side, kind in water.items() if kind == "crossing"),
        closed=tuple(side for side, kind in water.items() if kind == "sea"),
        borders=frozenset(side for side, kind in _hexsides() if kind == "border"),
        printed={place.id: _printed(place) for place in europe().places.values()},
        countries=tuple(_names("countries")),
        waters=tuple(_names("waters")),
        boxes=BOXES,
    )


def _terrain(place: Place) -> Terrain:
    if not place.has_land:
        return "sea"
    return "mountain" if place.is_mountain else "land"


def _printed(place: Place) -> Printed:
    return Printed(place.name, place.capital, place.port, place.production)


def _hexsides() -> Iterator[tuple[Hexside, str]]:
    """What lies on the hexsides between two hexes of land, each named from its western hex: water, or a border."""
    board = europe()
    land = [place for place in board.land if not board[place].is_box]
    for place, direction, neighbour in hexsides_between(LAYOUT, land):
        edge = board.grid.edge(place, neighbour)
        if edge is not None:
            is_border = edge.kind not in WATER and board[place].country != board[neighbour].country
            yield Hexside(place, direction), "border" if is_border else edge.kind


# ------------------------------------------------------------------ coasts and names


class _Land(msgspec.Struct, frozen=True):
    outer: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...] = ()


class _Coast(msgspec.Struct, frozen=True):
    """All of `coast.json`. Rows are one apart in it."""

    note: str
    land: tuple[_Land, ...]


def _coast() -> Iterator[Land]:
    for land in msgspec.json.decode(load_text("hitlers-war", "coast.json"), type=_Coast).land:
        yield Land(_outline(land.outer), tuple(map(_outline, land.holes)))


def _outline(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((LAND_GOES_ON if x > DATA_ENDS else x, y * ROW) for x, y in points)


class _Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of `lettering.yaml`."""

    name: str
    at: tuple[float, float]
    size: float
    wide: float
    turn: float = 0


class _Lettering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    countries: tuple[_Name, ...]
    waters: tuple[_Name, ...]


@lru_cache(maxsize=1)
def _lettering() -> _Lettering:
    return msgspec.convert(load_yaml("hitlers-war", "lettering.yaml"), _Lettering)


def _names(kind: str) -> Iterator[Name]:
    """Of countries or waters."""
    for name in getattr(_lettering(), kind):
        column, row = name.at
        yield Name(name.name, (column, row * ROW), name.size, name.wide, name.turn)
