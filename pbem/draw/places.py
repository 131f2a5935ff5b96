"""Where places are in a picture: hexes of its frame, the panels of boxes, and the edges that other boxes lie beyond."""

from collections.abc import Iterator

import msgspec

from engine.hitlers_war.europe import europe
from engine.hitlers_war.view import View
from pbem.draw.atlas import Point
from pbem.draw.geometry import Frame
from pbem.games.hitlers_war.atlas import BOXES

#: Ways pass panels in the south so far above, in parts of their height.
QUAY = 0.08
#: How near to the edge of the picture a way to a box beyond it ends, in hex widths.
EDGE = 0.25


def hexes() -> Iterator[str]:
    return (place.id for place in europe().places.values() if not place.is_box)


def is_hex(place: str) -> bool:
    return place in europe() and not europe()[place].is_box


class Panel(msgspec.Struct, frozen=True):
    """The rectangle of a box, in pixels."""

    place: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def quay(self) -> Point:
        """Where a way passes by: above a panel in the south, so that it crosses nothing printed there."""
        above = self.top - QUAY * (self.bottom - self.top)
        return (self.middle[0], above) if BOXES[self.place].in_the_south else self.middle

    def is_inside(self, frame: Frame) -> bool:
        return self.left >= 0 and self.top >= 0 and self.right <= frame.width and self.bottom <= frame.height

    def rim_towards(self, point: Point) -> Point:
        """Where the straight way from the middle to a point outside leaves the panel; always above one in the south."""
        if BOXES[self.place].in_the_south:
            return self.quay
        (x, y), (dx, dy) = self.middle, (point[0] - self.middle[0], point[1] - self.middle[1])
        across, up = (self.right - self.left) / 2, (self.bottom - self.top) / 2
        share = min(1.0, across / abs(dx) if dx else 1.0, up / abs(dy) if dy else 1.0)
        return x + dx * share, y + dy * share


def panels_inside(view: View, frame: Frame) -> list[Panel]:
    """Of the boxes that are in the war and have room in the picture."""
    every = (_panel(place, frame) for place in BOXES if place in view.places)
    return [panel for panel in every if panel.is_inside(frame)]


def _panel(place: str, frame: Frame) -> Panel:
    box = BOXES[place]
    left, top = (round(part) for part in frame.pixel(box.west, box.north))
    return Panel(place, left, top, left + round(box.width * frame.scale), top + round(box.height * frame.scale))


class Places:
    """The middle of each place in a picture; None for one that is not in it."""

    def __init__(self, view: View, frame: Frame) -> None:
        self._frame = frame
        self._panels = {panel.place: panel for panel in panels_inside(view, frame)}

    def __call__(self, place: str) -> Point | None:
        if is_hex(place):
            return self._frame.pixel_of(place)
        return self._panels[place].middle if place in self._panels else self.beyond(place)

    def beyond(self, place: str) -> Point | None:
        """What is outside the picture is nowhere in it."""
        return None

    def end(self, place: str, towards: Point) -> Point | None:
        """Where a way that comes from a point ends: in the middle of a hex, but at the rim of a panel."""
        return self._panels[place].rim_towards(towards) if place in self._panels else self(place)

    def passing(self, place: str) -> Point | None:
        """Where a way that goes on from a place passes it."""
        return self._panels[place].quay if place in self._panels else self(place)

    def straight(self, origin: str, place: str) -> tuple[Point, Point] | None:
        """Both ends of the way between two places, if both are in the picture and apart."""
        start, goal = self(origin), self(place)
        if start is None or goal is None or start == goal:
            return None
        first, last = self.end(origin, goal), self.end(place, start)
        return (first, last) if first is not None and last is not None else None


class PlacesAndEdges(Places):
    """A box that has no room in the picture is at the edge that is nearest to it."""

    def beyond(self, place: str) -> Point | None:
        if place not in BOXES:
            return None
        frame, panel, edge = self._frame, _panel(place, self._frame), EDGE * self._frame.scale
        x, y = panel.middle
        return min(max(x, edge), frame.width - edge), min(max(y, edge), frame.height - edge)
