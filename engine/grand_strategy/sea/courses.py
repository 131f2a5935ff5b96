"""The course of points that are shipped, place by place, for whoever shows it.

The rules settle between which places points travel and over which seas (`transport.py`). How they get to a port and
from hexside to hexside makes no difference to them, so the shortest course that anybody would draw is found here.
"""

import heapq
from collections.abc import Collection, Iterator

from engine.grand_strategy.board import Board
from engine.grand_strategy.sea.chart import NARROWS, OPEN_SEA, Node
from engine.grid import Edge, search

ASHORE = ""
#: What a step costs: over the open sea, to a coast, between two friendly coasts past land, and over land.
AT_SEA, TO_A_COAST, PAST_LAND, OVER_LAND = 4, 7, 12, 36
#: What it costs to unload; where ships pass from one sea to another nobody need.
UNLOADING = 36


class Courses:
    """How a side that holds these places and sails these seas gets from one place to another. It judges no limits."""

    def __init__(self, board: Board, friendly: Collection[str], navigated: Collection[str]) -> None:
        self._board, self._navigated = board, tuple(navigated)
        self._friendly = {place for place in friendly if place in board}

    def by_sea(self, origin: str, place: str, seas: Collection[str] = ()) -> tuple[str, ...]:
        """Place by place over these seas, little of it over land; empty if nothing joins the two, or land does and no
        sea is named."""
        if not {origin, place} <= set(self._board.places):
            return ()
        if not seas and place in search([origin], self._neighbours):
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
        chart = self._board.chart
        if sea == ASHORE:
            yield from ((OVER_LAND, (near, ASHORE)) for near in self._neighbours(here))
        elif here in self._friendly:
            yield 0 if here in chart.gateways else UNLOADING, (here, ASHORE)
        for lane in chart.lanes[here]:
            water = lane.water or ""
            if sea in (ASHORE, water) and (not seas or water in seas) and self._may_cross(here, lane.kind, lane.to):
                yield self._cost(lane), (lane.to, water)

    def _neighbours(self, here: str) -> Iterator[str]:
        return (near for near in self._board.by_land[here] if near in self._friendly)

    def _may_cross(self, here: str, kind: str, there: str) -> bool:
        """HW-12.2: strips of land and straits only between two friendly places."""
        return kind in OPEN_SEA or (kind in NARROWS and {here, there} <= self._friendly)

    def _cost(self, lane: Edge) -> int:
        if lane.kind in NARROWS:
            return PAST_LAND
        return TO_A_COAST if self._board[lane.to].has_land else AT_SEA
