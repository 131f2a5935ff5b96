"""Places joined by typed edges, and the one search that serves movement, supply and retreat.

Hex arithmetic belongs to the layout of a map and appears only where edges are built; every rule asks the grid.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

Node = TypeVar("Node", bound=Hashable)


class Edge(msgspec.Struct, frozen=True):
    """One way from a place to a neighbour: what kind of hexside it is, over which water, and how long."""

    to: str
    kind: str
    water: str | None = None
    length: int = 1


class Grid:
    """An undirected graph of named places. Built once, never changed."""

    def __init__(self, edges: Mapping[str, Iterable[Edge]]) -> None:
        self._edges = {place: tuple(outgoing) for place, outgoing in edges.items()}
        self._links: dict[frozenset[str], dict[str, tuple[str, ...]]] = {}

    def __contains__(self, place: str) -> bool:
        return place in self._edges

    def __iter__(self) -> Iterator[str]:
        return iter(self._edges)

    def edges(self, place: str) -> tuple[Edge, ...]:
        return self._edges[place]

    def edge(self, place: str, to: str) -> Edge | None:
        return next((edge for edge in self._edges.get(place, ()) if edge.to == to), None)

    def links(self, kinds: frozenset[str]) -> dict[str, tuple[str, ...]]:
        """For each place its neighbours over edges of these kinds, worked out once for each set of kinds."""
        if kinds not in self._links:
            self._links[kinds] = {
                place: tuple(edge.to for edge in edges if edge.kind in kinds) for place, edges in self._edges.items()
            }
        return self._links[kinds]


def search(starts: Iterable[Node], steps: Callable[[Node], Iterable[Node]]) -> dict[Node, Node | None]:
    """Breadth first from all starts at once: each place reached, with the place it was reached from."""
    came_from: dict[Node, Node | None] = dict.fromkeys(starts)
    queue = list(came_from)
    for place in queue:  # which grows as more are reached
        for neighbour in steps(place):
            if neighbour not in came_from:
                came_from[neighbour] = place
                queue.append(neighbour)
    return came_from


def route(came_from: Mapping[Node, Node | None], goal: Node) -> list[Node]:
    """The way a search found to the goal, start first; empty if it found none."""
    if goal not in came_from:
        return []
    way: list[Node] = [goal]
    while (previous := came_from[way[-1]]) is not None:
        way.append(previous)
    return way[::-1]
