"""The ways of armies over land, bent so that each can be followed from its beginning to its end."""

from itertools import pairwise
from math import hypot

from pbem.draw.arrows import BENDS, STRAIGHT, paste_arrow, path_between
from pbem.draw.atlas import Point
from pbem.draw.canvas import Canvas
from pbem.draw.scene import Scene, Way

# Distances in hex widths: before a counter where a way starts and ends, from the middle of an empty hex, from a panel.
START_TRIM, END_TRIM, TRIM, BOX_TRIM = 0.3, 0.36, 0.14, 0.06
#: How near to the middle of a counter a way runs under it.
COUNTER_REACH = 0.3
#: How bad a seventeenth of a way is beside the board, where legends and boxes are, or over the sea and land of others,
#: in counters it would run under.
BESIDE_THE_BOARD, ELSEWHERE = 0.3, 0.15


def draw_ways(canvas: Canvas, scene: Scene) -> None:
    ways = Ways(canvas, scene)
    for way in scene.ways:
        if path := ways.path(way):
            paste_arrow(canvas, path, way.side, way.manner)


class Ways:
    """Arrows end before the counters of occupied hexes, near the middle of others, and at the panels of boxes."""

    def __init__(self, canvas: Canvas, scene: Scene) -> None:
        self._frame, self._where, self._scene = canvas.frame, canvas.where, scene
        stacks = (place for place in scene.stacks if self._frame.atlas.is_hex(place))
        self._counters = [at for place in stacks if (at := self._where(place)) is not None]

    def path(self, way: Way) -> list[Point]:
        """Empty if one of its ends is not in the picture."""
        ends = self._where.straight(way.origin, way.place)
        if ends is None:
            return []
        return self._easiest(way.side, ends, (self._trim(way.origin, START_TRIM), self._trim(way.place, END_TRIM)))

    def _trim(self, place: str, before_counters: float) -> float:
        if not self._frame.atlas.is_hex(place):
            return BOX_TRIM
        return before_counters if place in self._scene.stacks else TRIM

    def _easiest(self, side: str, ends: tuple[Point, Point], trims: tuple[float, float]) -> list[Point]:
        """The one with the least trouble; of several the one that bends as usual."""
        scale, (start, end) = self._frame.scale, ends
        best, least = path_between(start, end, scale, trims), float("inf")
        if hypot(end[0] - start[0], end[1] - start[1]) <= STRAIGHT * scale:
            return best
        others = [at for at in self._counters if at not in ends]
        for bend in BENDS:
            path = path_between(start, end, scale, trims, bend=bend)
            if (trouble := self._trouble(path, side, others)) < least:
                best, least = path, trouble
            if not trouble:
                break
        return best

    def _trouble(self, path: list[Point], side: str, counters: list[Point]) -> float:
        """How hard a way is to follow: counters it runs under, and how much of it is not over land of its side."""
        frame = self._frame
        crossed = sum(_runs_under(path, at, COUNTER_REACH * frame.scale) for at in counters)
        below = [frame.atlas.hex_at(*frame.at(x, y)) for x, y in path]
        return crossed + sum(self._strangeness(place, side) for place in below)

    def _strangeness(self, place: str, side: str) -> float:
        if not self._frame.atlas.is_hex(place):
            return BESIDE_THE_BOARD
        known = self._scene.holdings.get(place)
        return 0.0 if known is not None and known.owner == side else ELSEWHERE


def _runs_under(path: list[Point], at: Point, reach: float) -> bool:
    x, y = at
    return any(
        _is_near(x, y, here, there, reach)
        for here, there in pairwise(path)
        if min(here[0], there[0]) - reach < x < max(here[0], there[0]) + reach
        and min(here[1], there[1]) - reach < y < max(here[1], there[1]) + reach
    )


def _is_near(x: float, y: float, here: Point, there: Point, reach: float) -> bool:
    """Whether a piece of a way comes so close to a point."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    share = min(1.0, max(0.0, ((x - here[0]) * dx + (y - here[1]) * dy) / (dx * dx + dy * dy or 1.0)))
    return hypot(here[0] + dx * share - x, here[1] + dy * share - y) < reach
