"""Voyages: a dotted way over the hexsides a fleet crosses, with an anchor on it and a head where it comes ashore."""

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from PIL import Image

from engine.hitlers_war.europe import europe
from pbem.draw.arrows import Where, paste_arrow, path_between
from pbem.draw.geometry import Point
from pbem.draw.marks import port
from pbem.draw.sprites import stamp

# Distances and sizes in hex widths.
TRIMS, ANCHOR_SIZE = (0.3, 0.3), 0.2
#: How often the corners of a way are cut, to make a curve of it.
ROUNDS = 2


def draw_voyage(
    picture: Image.Image, scale: int, where: Where, side: str, places: Sequence[str], manner: str
) -> list[Point]:
    """The path that was drawn; empty if less than two of the places are in the picture."""
    path = sea_path(scale, where, places)
    if path:
        paste_arrow(picture, scale, path, side, manner)
        stamp(picture, port(round(ANCHOR_SIZE * scale)), *halfway(path))
    return path


def sea_path(scale: int, where: Where, places: Sequence[str]) -> list[Point]:
    shown = [(place, at) for place in places if (at := where(place)) is not None]
    ends = [at for _, at in shown]
    if len(set(ends)) < 2:
        return []
    if len(shown) == 2:
        return path_between(ends[0], ends[1], scale, TRIMS)
    return _trimmed(_rounded(_over_hexsides(shown)), scale)


def _over_hexsides(shown: Sequence[tuple[str, Point]]) -> list[Point]:
    """Through the middle of each hexside, where the water is, rather than the middle of each hex."""
    points = [shown[0][1]]
    for (one, here), (other, there) in pairwise(shown):
        if other in europe().grid and europe().grid.edge(one, other) is not None and not _is_box(one, other):
            points.append(_between(here, there, 0.5))
        elif other != shown[-1][0]:
            points.append(there)
    return [*points, shown[-1][1]]


def _is_box(*places: str) -> bool:
    return any(europe()[place].is_box for place in places)


def _rounded(points: list[Point]) -> list[Point]:
    for _ in range(ROUNDS):
        cut = [_between(one, other, share) for one, other in pairwise(points) for share in (0.25, 0.75)]
        points = [points[0], *cut, points[-1]]
    return points


def _trimmed(points: list[Point], scale: int) -> list[Point]:
    """Without what lies under the counters at both ends, if anything is left then."""
    start, end = points[0], points[-1]
    kept = [
        point
        for point in points
        if _far(point, start) > TRIMS[0] * scale and _far(point, end) > TRIMS[1] * scale
    ]  # fmt: skip
    return kept if len(kept) > 1 else points


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _far(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def halfway(path: list[Point]) -> Point:
    """By its length, not by its points."""
    left = sum(_far(one, other) for one, other in pairwise(path)) / 2
    for one, other in pairwise(path):
        step = _far(one, other)
        if step >= left:
            return _between(one, other, left / step if step else 0.0)
        left -= step
    return path[-1]
