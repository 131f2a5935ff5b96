"""The ways between places as a view knows them: behind friendly lines, and over the sea where no land joins them."""

from collections.abc import Callable, Collection, Iterator

from engine.grid import search
from engine.hitlers_war.board import BY_LAND
from engine.hitlers_war.chart import NARROWS, OPEN_SEA
from engine.hitlers_war.europe import europe
from engine.hitlers_war.view import View

#: A place and the sea one is on there, empty ashore.
Node = tuple[str, str]


class Passages:
    """How a side gets from one of its places to another, for drawing. It judges no limits."""

    def __init__(self, view: View, side: str) -> None:
        self._friendly = {place for place, known in view.places.items() if known.owner == side and place in europe()}
        self._navigated = tuple(view.sea_transport.get(side, ()))

    def by_sea(self, origin: str, place: str, seas: Collection[str] = ()) -> tuple[str, ...]:
        """Place by place over these seas; empty if land joins the two, or if nothing does."""
        if not {origin, place} <= set(europe().places) or self._way(origin, place, self._ashore):
            return ()
        used = seas or self._navigated
        return self._way(origin, place, lambda node: self._afloat(node, used))

    def _way(self, origin: str, place: str, steps: Callable[[Node], Iterator[Node]]) -> tuple[str, ...]:
        reached = search([(origin, "")], steps)
        node: Node | None = (place, "")
        if node not in reached:
            return ()
        way = []
        while node is not None:
            way.append(node[0])
            node = reached[node]
        return tuple(dict.fromkeys(reversed(way)))

    def _ashore(self, node: Node) -> Iterator[Node]:
        for near in europe().grid.links(BY_LAND)[node[0]]:
            if near in self._friendly:
                yield near, ""

    def _afloat(self, node: Node, seas: Collection[str]) -> Iterator[Node]:
        """Over land to a coast, over the water, and ashore again in a friendly place."""
        here, sea = node
        if not sea:
            yield from self._ashore(node)
        elif here in self._friendly:
            yield here, ""
        for lane in europe().chart.lanes[here]:
            water = lane.water or ""
            if sea in ("", water) and (not seas or water in seas) and self._may_cross(here, lane.kind, lane.to):
                yield lane.to, water

    def _may_cross(self, here: str, kind: str, there: str) -> bool:
        """HW-12.2: strips of land and straits only between two friendly places."""
        return kind in OPEN_SEA or (kind in NARROWS and {here, there} <= self._friendly)
