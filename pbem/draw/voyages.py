"""Voyages: a dotted way over the hexsides a fleet crosses, with an anchor on it and a head where it comes ashore."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

from PIL import ImageDraw

from pbem.draw.arrows import paste_arrow, path_between
from pbem.draw.atlas import Point
from pbem.draw.canvas import Canvas
from pbem.draw.geometry import Frame
from pbem.draw.kept import kept
from pbem.draw.scene import Scene, Voyage
from pbem.draw.signs import port
from pbem.draw.sprites import Sprite, shape
from pbem.draw.style import Style
from pbem.draw.ways import BOX_TRIM

# Distances and sizes in hex widths.
TRIM, ANCHOR_SIZE = 0.3, 0.23
#: A way that is shorter has no room for an anchor.
LEAST = 0.9
#: How often the corners of a way are cut, to make a curve of it.
ROUNDS = 2


def draw_voyages(canvas: Canvas, scene: Scene) -> None:
    for voyage in scene.voyages:
        draw_voyage(canvas, voyage)


def draw_voyage(canvas: Canvas, voyage: Voyage) -> None:
    """Not drawn if less than two of its places are in the picture."""
    path = sea_path(canvas, voyage.places)
    if path:
        paste_arrow(canvas, path, voyage.side, voyage.manner)
        if _length(path) > LEAST * canvas.scale:
            canvas.stamp(_buoy(canvas.style, round(ANCHOR_SIZE * canvas.scale), voyage.side), halfway(path))


@kept
def _buoy(style: Style, size: int, side: str) -> Sprite:
    """An anchor on a pale disc, so that it stands out against the way it lies on."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        edge = size * finer - 1
        rim = style.side(side).dark
        draw.ellipse((0, 0, edge, edge), fill=style.white, outline=rim, width=round(1.3 * finer))

    disc = shape(size, size, paint)
    anchor = port(style, round(size * 0.7))
    disc.image.alpha_composite(anchor.image, (size // 2 - anchor.x, size // 2 - anchor.y))
    return disc


def sea_path(canvas: Canvas, places: Sequence[str]) -> list[Point]:
    scale, where, frame = canvas.scale, canvas.where, canvas.frame
    shown = [(place, at) for place in places if (at := where.passing(place)) is not None]
    if len({at for _, at in shown}) < 2:
        return []
    (first, start), (last, goal) = shown[0], shown[-1]
    ends = where.end(first, shown[1][1]) or start, where.end(last, shown[-2][1]) or goal
    trims = _trim(frame, first), _trim(frame, last)
    if len(shown) == 2:
        return path_between(*ends, scale, trims)
    return _trimmed(_rounded([ends[0], *_over_hexsides(frame, shown), ends[1]]), trims[0] * scale, trims[1] * scale)


def _trim(frame: Frame, place: str) -> float:
    return TRIM if frame.atlas.is_hex(place) else BOX_TRIM


def _over_hexsides(frame: Frame, shown: Sequence[tuple[str, Point]]) -> Iterator[Point]:
    """Through the middle of each hexside, where the water is, rather than the middle of each hex."""
    for (one, here), (other, there) in pairwise(shown):
        if frame.atlas.touch(one, other):
            yield _between(here, there, 0.5)
        elif other != shown[-1][0]:
            yield from (there, there)  # twice, so that the curve keeps to it


def _rounded(points: list[Point]) -> list[Point]:
    for _ in range(ROUNDS):
        cut = [_between(one, other, share) for one, other in pairwise(points) for share in (0.25, 0.75)]
        points = [points[0], *cut, points[-1]]
    return points


def _trimmed(points: list[Point], first: float, last: float) -> list[Point]:
    """Without what lies under the counters at both ends, if anything is left then."""
    kept = _from(_from(points, first)[::-1], last)[::-1]
    return kept if len(kept) > 1 else points


def _from(points: list[Point], away: float) -> list[Point]:
    """A way from where it is so far away from its beginning."""
    start = points[0]
    for number, (here, there) in enumerate(pairwise(points), 1):
        near, far = _far(here, start), _far(there, start)
        if far > away:
            return [_between(here, there, (away - near) / (far - near)), *points[number:]]
    return points[-1:]


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _far(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _length(path: list[Point]) -> float:
    return sum(_far(one, other) for one, other in pairwise(path))


def halfway(path: list[Point]) -> Point:
    """By its length, not by its points."""
    left = _length(path) / 2
    for one, other in pairwise(path):
        step = _far(one, other)
        if step >= left:
            return _between(one, other, left / step if step else 0.0)
        left -= step
    return path[-1]
