"""The Europe board (HW-39): what `map.yaml` says, checked for contradictions and joined up into a Board."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from engine.grand_strategy.board import Board, Place
from engine.grid import Edge
from engine.layout import Layout, RowLetters
from engine.load import load_yaml

Trust = Literal["stated", "implied", "derived", "residue", "chosen"]

#: The letter of a hexside and the kind of edge it makes. X is the edge of the board.
SIDE_KINDS = {"L": "land", "C": "coast", "S": "sea"}
OFF_BOARD = "X"
DRY = "-"
SOVIET_LAKES = "L"


#: Q16 is column 16 of the seventeenth row from the south; even rows (B, D, F ...) stand half a hex to the east (HW-39).
LAYOUT = Layout(top="pointed", shifted="even", codec=RowLetters(), rows_run="north")

ITALY, ITALIAN = "Italy", "yellow"


class MapDoesNotAddUp(ValueError):
    """The map data contradict themselves."""


# ------------------------------------------------------------------ the file as it is written


class Sea(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    note: str = ""


class Country(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colour: str
    capitals: tuple[str, ...] = ()
    home_forces: int = 0


class Arrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sea way between an off-map box and the board or another box, so many open-sea hexsides long."""

    to: str
    length: int
    sea: str
    source: Trust


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    country: str
    colour: str
    production: tuple[int, Trust]
    production_later: int | None = None
    arrows: tuple[Arrow, ...] = ()
    touches: tuple[str, ...] = ()


class Gateway(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place that lets sea routes of its owner change from one sea to another (HW-12.3)."""

    name: str
    joins: tuple[str, str]
    source: Trust


class Crossing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An all-sea hexside with an arrow that armies may use (HW-6.3)."""

    between: tuple[str, str]
    name: str
    source: Trust


class Further(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What only some hexes have."""

    city: str = ""
    production: tuple[int, Trust] | None = None
    capital: Trust | None = None
    port: Trust | None = None
    lendlease: int = 0


class Hex(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One line of the hex list, column by column."""

    kind: Literal["land", "coast", "sea"]
    terrain: Literal["clear", "mountain", "sea"]
    country: str | None
    country_source: Trust | None
    sides: str
    waters: str
    lat: float
    lon: float
    further: Further = Further()

    @property
    def production(self) -> int:
        return self.further.production[0] if self.further.production else 0


class Atlas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `map.yaml`."""

    seas: dict[str, Sea]
    colours: dict[str, str]
    countries: dict[str, Country]
    also_called: dict[str, tuple[str, ...]]
    boxes: dict[str, Box]
    gateways: dict[str, Gateway]
    canals: dict[str, Gateway]
    port_notes: dict[str, str]
    crossings: tuple[Crossing, ...]
    western_libya: tuple[str, ...]
    hexes: dict[str, Hex]


# ------------------------------------------------------------------ asking for it


@lru_cache(maxsize=1)
def atlas() -> Atlas:
    return msgspec.convert(load_yaml("hitlers-war", "map.yaml"), Atlas)


@lru_cache(maxsize=1)
def europe() -> Board:
    return board_of(atlas())


def board_of(map_: Atlas) -> Board:
    """The board of a map, or MapDoesNotAddUp."""
    _check(map_)
    gateways = {place: gateway.joins for place, gateway in map_.gateways.items()}
    return Board(_places(map_), _edges(map_), LAYOUT, gateways, map_.also_called)


def seas() -> tuple[str, ...]:
    return tuple(sea.name for sea in atlas().seas.values())


def gateways() -> dict[str, Gateway]:
    return atlas().gateways


def countries() -> dict[str, Country]:
    return atlas().countries


def western_libya() -> tuple[str, ...]:
    return atlas().western_libya


def crossing_name(one: str, other: str) -> str:
    """What the crossing between two hexes is called; empty if there is none."""
    return _crossing_names(atlas()).get(frozenset((one, other)), "")


def _crossing_names(map_: Atlas) -> dict[frozenset[str], str]:
    return {frozenset(crossing.between): crossing.name for crossing in map_.crossings}


# ------------------------------------------------------------------ places


def _places(map_: Atlas) -> Iterator[Place]:
    for id_, hex_ in map_.hexes.items():
        yield _place_of_hex(map_, id_, hex_)
    for id_, box in map_.boxes.items():
        yield _place_of_box(id_, box)


def _place_of_hex(map_: Atlas, id_: str, hex_: Hex) -> Place:
    country = hex_.country or ""
    return Place(
        id=id_,
        name=hex_.further.city,
        kind=hex_.kind,
        terrain=hex_.terrain,
        country=country,
        nation=_nation_of(map_.countries[country].colour, country) if country else "",
        colour=map_.countries[country].colour if country else "",
        production=hex_.production,
        capital=hex_.further.capital is not None,
        port=hex_.further.port is not None,
        lendlease=hex_.further.lendlease,
        seas=_seas_of(map_, hex_),
        lat=hex_.lat,
        lon=hex_.lon,
    )


def _place_of_box(id_: str, box: Box) -> Place:
    return Place(
        id=id_,
        name=box.name,
        kind="box",
        country=box.country,
        nation=_nation_of(box.colour, box.country),
        colour=box.colour,
        production=box.production[0],
        seas=tuple(dict.fromkeys(arrow.sea for arrow in box.arrows)),
    )


def _nation_of(colour: str, country: str) -> str:
    """Italy and her allies are one nation in politics, in war and in peace (HW-19.1, HW-20.1)."""
    return ITALY if colour == ITALIAN else country


def _seas_of(map_: Atlas, hex_: Hex) -> tuple[str, ...]:
    return tuple(sea.name for letter, sea in map_.seas.items() if letter in hex_.waters)


# ------------------------------------------------------------------ edges


def _edges(map_: Atlas) -> dict[str, list[Edge]]:
    edges: dict[str, list[Edge]] = {place: [] for place in (*map_.hexes, *map_.boxes)}
    crossings = _crossing_names(map_)
    for id_, hex_ in map_.hexes.items():
        edges[id_].extend(_hexsides(map_, crossings, id_, hex_))
    for id_, box in map_.boxes.items():
        for touched in box.touches:
            edges[id_].append(Edge(touched, "touch"))
            edges[touched].append(Edge(id_, "touch"))
        for arrow in box.arrows:
            _add_arrow(edges, id_, arrow)
    return edges


def _hexsides(map_: Atlas, crossings: dict[frozenset[str], str], id_: str, hex_: Hex) -> Iterator[Edge]:
    for neighbour, side, water in zip(LAYOUT.neighbours(id_), hex_.sides, hex_.waters, strict=True):
        if side != OFF_BOARD:
            kind = "crossing" if frozenset((id_, neighbour)) in crossings else SIDE_KINDS[side]
            yield Edge(neighbour, kind, None if water == DRY else map_.seas[water].name)


def _add_arrow(edges: dict[str, list[Edge]], box: str, arrow: Arrow) -> None:
    """Both ways; an arrow between two boxes is written at both and counts once."""
    for start, end in ((box, arrow.to), (arrow.to, box)):
        edge = Edge(end, "arrow", arrow.sea, arrow.length)
        if edge not in edges[start]:
            edges[start].append(edge)


# ------------------------------------------------------------------ contradictions


def _need(holds: bool, complaint: str) -> None:
    if not holds:
        raise MapDoesNotAddUp(complaint)


def _check(map_: Atlas) -> None:
    for id_, hex_ in map_.hexes.items():
        _check_letters(map_, id_, hex_)
    for id_, hex_ in map_.hexes.items():
        _check_hex(map_, id_, hex_)
        _check_sides(map_, id_, hex_)
    for name, country in map_.countries.items():
        _check_country(map_, name, country)
    for id_, box in map_.boxes.items():
        _check_box(map_, id_, box)
    _check_further_names(map_)
    _check_straits(map_)


def _check_further_names(map_: Atlas) -> None:
    countries = {*map_.countries, *(box.country for box in map_.boxes.values())}
    further = [name for names in map_.also_called.values() for name in names]
    _need(map_.also_called.keys() <= countries, "also_called has a country that is not listed")
    _need(len({*further, *countries}) == len(further) + len(countries), "also_called has a name twice")


def _check_letters(map_: Atlas, id_: str, hex_: Hex) -> None:
    _need(len(hex_.sides) == len(hex_.waters) == len(LAYOUT.directions), f"{id_} has not six sides and six waters")
    _need(set(hex_.sides) <= {*SIDE_KINDS, OFF_BOARD}, f"{id_}: {hex_.sides} has a letter that is no hexside")
    _need(set(hex_.waters) <= {*map_.seas, DRY}, f"{id_}: {hex_.waters} has a letter that is no sea")


def _check_hex(map_: Atlas, id_: str, hex_: Hex) -> None:
    """A sea hex has no country; a coast has seawater on a side, and a lake is not the sea."""
    _need((hex_.kind == "sea") == (hex_.country is None), f"{id_} is {hex_.kind} of country {hex_.country}")
    _need(hex_.country in (None, *map_.countries), f"{id_} is in {hex_.country}, which is not listed")
    wet = bool(set(hex_.waters) - {DRY, SOVIET_LAKES})
    _need(wet == (hex_.kind != "land"), f"{id_} is called {hex_.kind}, but its waters are {hex_.waters}")
    _need(not hex_.further.port or hex_.kind == "coast", f"{id_} has a port and no coast")
    _need((hex_.terrain == "sea") == (hex_.kind == "sea"), f"{id_} is {hex_.kind}, yet {hex_.terrain}")


def _check_sides(map_: Atlas, id_: str, hex_: Hex) -> None:
    for index, (direction, neighbour) in enumerate(zip(LAYOUT.directions, LAYOUT.neighbours(id_), strict=True)):
        side, water = hex_.sides[index], hex_.waters[index]
        where = f"{id_} {direction}"
        _need((side in "CS") == (water != DRY), f"{where}: side {side} does not go with water {water}")
        other = map_.hexes.get(neighbour)
        _need((other is None) == (side == OFF_BOARD), f"{where}: side {side}, but {neighbour} says otherwise")
        if other is not None:
            back = (index + 3) % len(LAYOUT.directions)
            _need(
                (other.sides[back], other.waters[back]) == (side, water),
                f"{id_} and {neighbour} disagree on the hexside between them",
            )
            _need(side == "S" or hex_.kind != "sea", f"{where}: a side of a sea hex is not all sea")


def _check_country(map_: Atlas, name: str, country: Country) -> None:
    marked = {id_ for id_, hex_ in map_.hexes.items() if hex_.country == name and hex_.further.capital}
    _need(marked == set(country.capitals), f"{name}: the map marks the capitals {sorted(marked)}")
    _need(country.colour in map_.colours, f"{name} is {country.colour}, which is no colour group")


def _check_box(map_: Atlas, id_: str, box: Box) -> None:
    _need(box.colour in map_.colours, f"{id_} is {box.colour}, which is no colour group")
    for touched in box.touches:
        _need(_is_at_the_edge(map_, touched), f"{id_} touches {touched}, which is not at the edge")
    for arrow in box.arrows:
        _check_arrow(map_, id_, arrow)


def _check_arrow(map_: Atlas, id_: str, arrow: Arrow) -> None:
    where = f"the arrow from {id_} to {arrow.to}"
    if arrow.to in map_.boxes:
        back = [other.length for other in map_.boxes[arrow.to].arrows if other.to == id_]
        _need(back == [arrow.length], f"{where} is not matched by one back")
    else:
        _need(_is_at_the_edge(map_, arrow.to), f"{where} does not end at the edge of the board")
        _need(arrow.sea in _seas_at(map_, arrow.to), f"{where} is in the {arrow.sea}, its end is not")


def _is_at_the_edge(map_: Atlas, hex_: str) -> bool:
    return hex_ in map_.hexes and OFF_BOARD in map_.hexes[hex_].sides


def _check_straits(map_: Atlas) -> None:
    for crossing in map_.crossings:
        one, other = crossing.between
        touch = {one, other} <= set(map_.hexes) and other in LAYOUT.neighbours(one)
        _need(touch, f"{crossing.name}: {one} and {other} do not touch")
        side = map_.hexes[one].sides[LAYOUT.neighbours(one).index(other)]
        _need(side == "S", f"{crossing.name}: {one}-{other} is not all sea")
    for place, gateway in (*map_.gateways.items(), *map_.canals.items()):
        _need(set(gateway.joins) == _seas_at(map_, place), f"{gateway.name} is not on the seas it joins")


def _seas_at(map_: Atlas, place: str) -> set[str]:
    if place in map_.boxes:
        return {arrow.sea for arrow in map_.boxes[place].arrows}
    return set(_seas_of(map_, map_.hexes[place])) if place in map_.hexes else set()
