"""The ways between places as a view knows them: behind friendly lines, and over the sea where no land joins them."""

import heapq
from collections.abc import Collection, Iterator

from engine.grand_strategy.board import BY_LAND
from engine.grand_strategy.sea.chart import NARROWS, OPEN_SEA
from engine.grand_strategy.view import View
from engine.grid import Edge, search
from engine.hitlers_war.europe import europe

#: A place and the sea one is on there.
Node = tuple[str, str]
ASHORE = ""
#: What a step costs: over the open sea, to a coast, between two friendly coasts past land, and over land.
AT_SEA, TO_A_COAST, PAST_LAND, OVER_LAND = 4, 7, 12, 36
#: What it costs to unload; where ships pass from one sea to another nobody need.
UNLOADING = 36


class Passages:
    """How a side gets from one of its places to another, for drawing. It judges no limits."""

    def __init__(self, view: View, side: str) -> None:
        self._friendly = {place for place, known in view.places.items() if known.owner == side and place in europe()}
        self._navigated = tuple(view.sea_transport.get(side, ()))

    def by_sea(self, origin: str, place: str, seas: Collection[str] = ()) -> tuple[str, ...]:
        """Place by place over these seas, little of it over land; empty if nothing joins the two, or land does and no
        sea is named."""
        if not {origin, place} <= set(europe().places) or (not seas and place in search([origin], self._neighbours)):
            return ()
        return self._best(origin, place, seas or self._navigated)

    def _best(self, origin: str, place: str, seas: Collection[str]) -> tuple[str, ...]:
        heap: list[tuple[int, tuple[str, ...], str]] = [(0, (origin,), ASHORE)]
        done: set[Node] = set()
        while heap:
            cost, way, sea = heapq.heappop(heap)
            if (way[-1], sea) == (place, ASHORE):
                return tuple(dict.fromkeys(way))
            if (way[-1], sea) not in done:
                done.add((way[-1], sea))
                for step, (there, water) in self._steps(way[-1], sea, seas):
                    heapq.heappush(heap, (cost + step, (*way, there), water))
        return ()

    def _steps(self, here: str, sea: str, seas: Collection[str]) -> Iterator[tuple[int, Node]]:
        """Over land to a coast, over the water, and ashore again in a friendly place."""
        if sea == ASHORE:
            yield from ((OVER_LAND, (near, ASHORE)) for near in self._neighbours(here))
        elif here in self._friendly:
            yield 0 if here in europe().chart.gateways else UNLOADING, (here, ASHORE)
        for lane in europe().chart.lanes[here]:
            water = lane.water or ""
            if sea in (ASHORE, water) and (not seas or water in seas) and self._may_cross(here, lane.kind, lane.to):
                yield _cost(lane), (lane.to, water)

    def _neighbours(self, here: str) -> Iterator[str]:
        return (near for near in europe().grid.links(BY_LAND)[here] if near in self._friendly)

    def _may_cross(self, here: str, kind: str, there: str) -> bool:
        """HW-12.2: strips of land and straits only between two friendly places."""
        return kind in OPEN_SEA or (kind in NARROWS and {here, there} <= self._friendly)


def _cost(lane: Edge) -> int:
    if lane.kind in NARROWS:
        return PAST_LAND
    return TO_A_COAST if europe()[lane.to].has_land else AT_SEA
