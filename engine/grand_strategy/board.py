"""The board of one war: places with their printed facts, typed hexsides, and the tables and scenario in force."""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

import msgspec

from engine.grand_strategy.sea.chart import Chart
from engine.grid import Edge, Grid
from engine.layout import Layout

#: Hexsides armies move, attack and trace supply over at level 1 (HW-6.3, HW-9.15, HW-10.3).
BY_LAND = frozenset({"land", "coast", "crossing", "touch"})
#: Hexsides a displaced army may retreat over, and from level 2 on attack over: no crossing, no full sea (HW-9.9, A-13).
FOR_RETREAT = frozenset({"land", "coast", "touch"})
#: Everything that touches, for what can be seen from where.
TOUCHING = frozenset({"land", "coast", "crossing", "touch", "sea"})
#: So many are kept in mind, which take 20 MB at most: more than half of those of 400 hexes, and few of a large board.
MOST_DISTANCES = 100_000


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """A hex or an off-map box as printed. Sea hexes are places too, but nobody stands there."""

    id: str
    name: str = ""
    kind: str = "land"  # land, coast, sea or box
    terrain: str = "clear"  # clear, mountain or sea
    country: str = ""
    nation: str = ""  # with which it acts in politics
    colour: str = ""
    production: int = 0
    capital: bool = False
    port: bool = False
    lendlease: int = 0
    seas: tuple[str, ...] = ()
    lat: float = 0.0
    lon: float = 0.0

    @property
    def is_box(self) -> bool:
        return self.kind == "box"

    @property
    def is_mountain(self) -> bool:
        return self.terrain == "mountain"

    @property
    def has_land(self) -> bool:
        return self.kind != "sea"


class Board:
    """The places and how they touch. Holds what is printed and never changes; what is asked often is kept."""

    def __init__(
        self,
        places: Iterable[Place],
        edges: dict[str, list[Edge]],
        layout: Layout,
        gateways: Mapping[str, tuple[str, str]] | None = None,
        also_called: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.layout = layout
        self.also_called = also_called or {}  # further names of countries
        self.places = {place.id: place for place in places}
        self.grid = Grid({place: edges.get(place, []) for place in self.places})
        self.by_land = self.grid.links(BY_LAND)
        self.for_retreat = self.grid.links(FOR_RETREAT)
        self.touching = self.grid.links(TOUCHING)
        self.around = {place: (place, *near) for place, near in self.touching.items()}
        self.chart = Chart(self.grid, self.land, gateways or {})
        self._distance = lru_cache(MOST_DISTANCES)(self._measure)
        self._of_countries: dict[tuple[str, ...], tuple[str, ...]] = {}

    def __contains__(self, place: str) -> bool:
        return place in self.places

    def __getitem__(self, place: str) -> Place:
        return self.places[place]

    @cached_property
    def land(self) -> tuple[str, ...]:
        return tuple(place.id for place in self.places.values() if place.has_land)

    @cached_property
    def producing(self) -> tuple[str, ...]:
        """Places with production points printed on them."""
        return tuple(place.id for place in self.places.values() if place.production)

    @cached_property
    def capitals(self) -> tuple[str, ...]:
        return tuple(place.id for place in self.places.values() if place.capital)

    def of_country(self, *countries: str) -> tuple[str, ...]:
        known = self._of_countries.get(countries)
        if known is None:
            found = tuple(place.id for place in self.places.values() if place.country in countries)
            known = self._of_countries[countries] = found
        return known

    @cached_property
    def rank(self) -> dict[str, tuple[int, int, str]]:
        """Row-letter then number order, boxes after the hexes (HW-38.3)."""
        return {
            place.id: (99, 0, place.id) if place.is_box else (*self.layout.spot(place.id)[::-1], place.id)
            for place in self.places.values()
        }

    def distance(self, one: str, other: str) -> int:
        """Hexes over the grid; a box counts through the hexes that touch it, a box without any is farthest."""
        return self._distance(one, other)

    def _measure(self, one: str, other: str) -> int:
        ways = [
            self.layout.distance(a, b) + (a != one) + (b != other)
            for a in self._entries(one)
            for b in self._entries(other)
        ]
        return 0 if one == other else min(ways, default=999)

    def _entries(self, place: str) -> tuple[str, ...]:
        return self.by_land[place] if self.places[place].is_box else (place,)
