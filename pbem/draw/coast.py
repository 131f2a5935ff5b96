"""The coasts of an atlas, cut into strands, so that a part of the board costs no more than the coasts in it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import ImageDraw

from pbem.draw.atlas import Atlas, Extent, Point
from pbem.draw.geometry import Frame

#: Points of a strand.
LONG = 32


class Strand(NamedTuple):
    """A stretch of coast from one strand to the next, the first point of which is its last."""

    points: tuple[Point, ...]
    extent: Extent


class Ring(NamedTuple):
    """A closed coastline, of land or of a lake in it."""

    strands: tuple[Strand, ...]
    extent: Extent
    is_land: bool


@lru_cache(maxsize=8)
def _rings(atlas: Atlas) -> tuple[Ring, ...]:
    """Lakes after the land they are in."""
    return tuple(_ring(ring, ring is land.outer) for land in atlas.coast for ring in land.rings)


def _ring(points: tuple[Point, ...], is_land: bool) -> Ring:
    closed = (*points, points[0])
    strands = (closed[first : first + LONG + 1] for first in range(0, len(points), LONG))
    return Ring(tuple(Strand(each, _extent(each)) for each in strands), _extent(points), is_land)


def _extent(points: tuple[Point, ...]) -> Extent:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Extent(min(xs), min(ys), max(xs), max(ys))


def _rings_in(frame: Frame, part: Extent) -> Iterator[tuple[Ring, float]]:
    """With how far to the east each is drawn."""
    for ring in _rings(frame.atlas):
        for east in frame.atlas.copies_in(part, ring.extent):
            yield ring, east


def has_coast(frame: Frame, part: Extent) -> bool:
    return any(next(_runs(ring, east, part), None) for ring, east in _rings_in(frame, part))


def fill_land(draw: ImageDraw.ImageDraw, frame: Frame, part: Extent, land: int, water: int) -> None:
    for ring, east in _rings_in(frame, part):
        draw.polygon(list(_outline(frame, ring, east, part)), fill=land if ring.is_land else water)


def _outline(frame: Frame, ring: Ring, east: float, part: Extent) -> Iterator[Point]:
    """A strand that is not in the part may be drawn straight: it stays outside, on the same side."""
    for strand in ring.strands:
        is_near = part.meets(strand.extent.moved(east))
        for x, y in strand.points[: -1 if is_near else 1]:
            yield frame.pixel(x + east, y)


def draw_coast(draw: ImageDraw.ImageDraw, frame: Frame, part: Extent, darkness: int, width: int) -> None:
    for ring, east in _rings_in(frame, part):
        for run in _runs(ring, east, part):
            outline = [frame.pixel(x + east, y) for x, y in run]
            draw.line(outline, fill=darkness, width=width, joint="curve")


def _runs(ring: Ring, east: float, part: Extent) -> Iterator[list[Point]]:
    """What of a coastline is in a part, strands that hang together as one line."""
    run: list[Point] = []
    for strand in ring.strands:
        if part.meets(strand.extent.moved(east)):
            run.extend(strand.points[1:] if run else strand.points)
        elif run:
            yield run
            run = []
    if run:
        yield run
