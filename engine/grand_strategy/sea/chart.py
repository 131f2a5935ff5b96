"""The sea chart of a board: what is printed about water, worked out once.

A sea way is a walk over nodes, and a node is a place together with the sea one is on there. Hexsides that are all
sea, and arrows to boxes, are open to everybody; part-land hexsides and crossings only between two friendly places
(HW-12.2). A basin is all water that is joined by open ways alone.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

import msgspec

from engine.grid import Edge, Grid, search

#: Hexsides a sea route crosses whoever holds the places (HW-12.2).
OPEN_SEA = frozenset({"sea", "arrow"})
#: Hexsides a sea route crosses between two friendly places only.
NARROWS = frozenset({"coast", "crossing"})
#: All-sea hexsides, which a passing army may be fired at on (HW-13.8).
ALL_SEA = frozenset({"sea", "arrow", "crossing"})

Node = tuple[str, str]  # a place and the sea one is on there


class Strait(msgspec.Struct, frozen=True):
    """Two places between which two basins of one sea are joined, for the side that holds both."""

    places: tuple[str, str]
    basins: tuple[int, int]


class Chart:
    """The waters of a board. `gateways` are the places that let their owner change from one sea to another."""

    def __init__(self, grid: Grid, land: Iterable[str], gateways: Mapping[str, tuple[str, str]]) -> None:
        self.land = frozenset(land)
        self.gateways = dict(gateways)
        self.lanes: dict[str, tuple[Edge, ...]] = {
            place: tuple(edge for edge in grid.edges(place) if _is_wet(edge)) for place in grid
        }
        self.seas_at = {
            place: tuple(dict.fromkeys(edge.water or "" for edge in lanes)) for place, lanes in self.lanes.items()
        }
        self._basins_of_seas: dict[frozenset[str], dict[str, tuple[int, ...]]] = {}

    @cached_property
    def _basins(self) -> dict[Node, int]:
        basins: dict[Node, int] = {}
        for place, seas in self.seas_at.items():
            for sea in seas:
                if (place, sea) not in basins:
                    basins.update(dict.fromkeys(search([(place, sea)], self._openly_joined), len(set(basins.values()))))
        return basins

    def _openly_joined(self, node: Node) -> list[Node]:
        place, sea = node
        return [(lane.to, sea) for lane in self.lanes[place] if lane.kind in OPEN_SEA and (lane.water or "") == sea]

    @cached_property
    def basins_at(self) -> dict[str, tuple[int, ...]]:
        """The basins each place with land lies on."""
        return {
            place: tuple(self._basins[place, sea] for sea in seas)
            for place, seas in self.seas_at.items()
            if place in self.land
        }

    def basins_of(self, seas: Collection[str]) -> dict[str, tuple[int, ...]]:
        """The basins of these seas that each place with land lies on, worked out once for each set of seas."""
        named = frozenset(seas)
        if named not in self._basins_of_seas:
            self._basins_of_seas[named] = {
                place: tuple(basin for basin in basins if self.sea_of[basin] in named)
                for place, basins in self.basins_at.items()
            }
        return self._basins_of_seas[named]

    @cached_property
    def sea_of(self) -> dict[int, str]:
        return {basin: sea for (_, sea), basin in self._basins.items()}

    @cached_property
    def coasts(self) -> dict[int, tuple[str, ...]]:
        """The places with land on each basin."""
        coasts: dict[int, list[str]] = {basin: [] for basin in self.sea_of}
        for place, basins in self.basins_at.items():
            for basin in basins:
                coasts[basin].append(place)
        return {basin: tuple(places) for basin, places in coasts.items()}

    @cached_property
    def straits(self) -> tuple[Strait, ...]:
        """Narrows that join different basins; those inside one basin change nothing."""
        found = []
        for place, lanes in self.lanes.items():
            for lane in lanes:
                if lane.kind in NARROWS and place < lane.to:
                    sea = lane.water or ""
                    basins = self._basins[place, sea], self._basins[lane.to, sea]
                    if basins[0] != basins[1]:
                        found.append(Strait((place, lane.to), basins))
        return tuple(found)


def _is_wet(edge: Edge) -> bool:
    return edge.kind in OPEN_SEA or (edge.kind in NARROWS and edge.water is not None)
