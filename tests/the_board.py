"""The board of Europe, and what tests ask of it."""

from heapq import heappop, heappush
from math import cos, hypot, radians

from engine.hitlers_war.europe import europe

BOARD = europe()
HEXES = {place.id: place for place in BOARD.places.values() if not place.is_box}
BOXES = {place.id: place for place in BOARD.places.values() if place.is_box}


def hexes_of(country: str) -> list[str]:
    return [place for place in BOARD.of_country(country) if place in HEXES]


def production_of(country: str) -> int:
    return sum(HEXES[place].production for place in hexes_of(country))


def open_sea_hexsides(start: str, goal: str, *, along_coasts: bool, water: str = "Atlantic") -> int | None:
    """Fewest all-sea hexsides of a route in one water; hexsides along a coast cost nothing, or are barred."""
    best, queue = {start: 0}, [(0, start)]
    while queue:
        cost, place = heappop(queue)
        for edge in BOARD.grid.edges(place):
            if edge.water != water or edge.kind not in ("sea", "crossing", *(["coast"] * along_coasts)):
                continue
            there = cost + (edge.kind != "coast")
            if there < best.get(edge.to, 10**6):
                best[edge.to] = there
                heappush(queue, (there, edge.to))
    return best.get(goal)


def kilometres(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    degree = 111.3
    return hypot((lat - other_lat) * degree, (lon - other_lon) * degree * cos(radians(lat)))
