"""What painters paint on: a picture, the window on the board that it shows, and where places are in it."""

from collections.abc import Collection
from typing import NamedTuple

from PIL import Image

from pbem.draw.atlas import Point
from pbem.draw.geometry import Frame
from pbem.draw.sprites import Sprite, stamp
from pbem.draw.style import Style

#: Ways pass a panel in the south so far above, in parts of its height.
QUAY = 0.08
#: How near to the edge of the picture a way to a box beyond it ends, in hex widths.
EDGE = 0.25


class Plate(NamedTuple):
    """The rectangle of a panel, in pixels. Ways come to one in the south from the north."""

    left: int
    top: int
    right: int
    bottom: int
    in_the_south: bool = False

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def quay(self) -> Point:
        """Where a way passes by: above a panel in the south, so that it crosses nothing printed there."""
        above = self.top - QUAY * (self.bottom - self.top)
        return (self.middle[0], above) if self.in_the_south else self.middle

    def is_inside(self, frame: Frame) -> bool:
        return self.left >= 0 and self.top >= 0 and self.right <= frame.width and self.bottom <= frame.height

    def rim_towards(self, point: Point) -> Point:
        """Where the straight way from the middle to a point outside leaves the panel; always above one in the south."""
        if self.in_the_south:
            return self.quay
        (x, y), (dx, dy) = self.middle, (point[0] - self.middle[0], point[1] - self.middle[1])
        across, up = (self.right - self.left) / 2, (self.bottom - self.top) / 2
        share = min(1.0, across / abs(dx) if dx else 1.0, up / abs(dy) if dy else 1.0)
        return x + dx * share, y + dy * share


def plate_of(frame: Frame, box: str) -> Plate:
    """Where the panel of a box is, or would be if the picture reached so far."""
    printed = frame.atlas.boxes[box]
    left, top = (round(part) for part in frame.pixel(printed.west, printed.north))
    right, bottom = left + round(printed.width * frame.scale), top + round(printed.height * frame.scale)
    return Plate(left, top, right, bottom, printed.in_the_south)


class Places:
    """The middle of each place in a picture; None for one that is not in it.

    A box may have no room in the picture. If it `reaches_out`, that box is at the edge that is nearest to it.
    """

    def __init__(self, frame: Frame, boxes: Collection[str], *, reaches_out: bool = False) -> None:
        self._frame, self._reaches_out = frame, reaches_out
        plates = {box: plate_of(frame, box) for box in frame.atlas.boxes if box in boxes}
        self.plates = {box: plate for box, plate in plates.items() if plate.is_inside(frame)}

    def __call__(self, place: str) -> Point | None:
        if self._frame.atlas.is_hex(place):
            return self._frame.pixel_of(place)
        if place in self.plates:
            return self.plates[place].middle
        return self._at_the_edge(place) if self._reaches_out and place in self._frame.atlas.boxes else None

    def _at_the_edge(self, box: str) -> Point:
        frame, edge = self._frame, EDGE * self._frame.scale
        x, y = plate_of(frame, box).middle
        return min(max(x, edge), frame.width - edge), min(max(y, edge), frame.height - edge)

    def end(self, place: str, towards: Point) -> Point | None:
        """Where a way that comes from a point ends: in the middle of a hex, but at the rim of a panel."""
        return self.plates[place].rim_towards(towards) if place in self.plates else self(place)

    def passing(self, place: str) -> Point | None:
        """Where a way that goes on from a place passes it."""
        return self.plates[place].quay if place in self.plates else self(place)

    def straight(self, origin: str, place: str) -> tuple[Point, Point] | None:
        """Both ends of the way between two places, if both are in the picture and apart.

        On a map that goes round it is the short way, over the edge if need be.
        """
        start, goal = self(origin), self(place)
        if start is not None and self._frame.atlas.period and self._frame.atlas.is_hex(place):
            goal = self._frame.pixel(*self._frame.atlas.middle_near(place, self._frame.at(*start)[0]))
        if start is None or goal is None or start == goal:
            return None
        first = self.end(origin, goal)
        last = self.end(place, start) if place in self.plates else goal
        return (first, last) if first is not None and last is not None else None


class Canvas(NamedTuple):
    """A picture, its window on the board, how the game looks, and where places are."""

    picture: Image.Image
    frame: Frame
    style: Style
    where: Places

    @property
    def scale(self) -> int:
        """How many pixels a hex is wide."""
        return self.frame.scale

    def stamp(self, sprite: Sprite, at: Point, aside: Point = (0.0, 0.0)) -> None:
        """The middle of a sprite at a point, or so many hex widths aside of it."""
        stamp(self.picture, sprite, at[0] + aside[0] * self.scale, at[1] + aside[1] * self.scale)
