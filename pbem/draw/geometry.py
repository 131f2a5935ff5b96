"""Where things are in a picture: board coordinates to pixels, and the corners and sides of a hex.

Board coordinates have one hex width as unit, x to the east and y to the north; row A stands at y = 1 row.
"""

from functools import lru_cache
from math import sqrt

import msgspec

from engine import layout
from engine.hitlers_war.board import LAYOUT

Point = tuple[float, float]

#: Rows are this far apart, in hex widths; a corner is this far from the middle.
ROW = layout.ROW
CORNER = 1 / sqrt(3)
#: The six corners clockwise from the north. The hexsides of the layout run from each to the next.
CORNERS: tuple[Point, ...] = (
    (0.0, -CORNER),
    (0.5, -CORNER / 2),
    (0.5, CORNER / 2),
    (0.0, CORNER),
    (-0.5, CORNER / 2),
    (-0.5, -CORNER / 2),
)

#: Rows are lettered from A to Z.
ROWS = 26

#: What the map shows, west to east and south to north: the hexes and a little beyond them.
WEST, EAST, SOUTH, NORTH = 1.3, 22.3, 0.08, 21.56
#: The sheet of paper around it, and the column in the east for Siberia and the turn track.
MARGIN, COLUMN = 0.26, 1.36


class Frame(msgspec.Struct, frozen=True):
    """A window on the board: how many pixels a hex is wide, and what lies at its upper left corner."""

    scale: int
    west: float
    north: float
    width: int
    height: int

    def pixel(self, x: float, y: float) -> Point:
        return (x - self.west) * self.scale, (self.north - y) * self.scale

    def centre(self, hex_id: str) -> tuple[int, int]:
        """Whole pixels, so that all tiles of a hex are alike."""
        x, y = self.pixel(*middle(hex_id))
        return round(x), round(y)

    def pixel_of(self, hex_id: str) -> Point:
        return self.pixel(*middle(hex_id))

    def corners(self, hex_id: str) -> list[Point]:
        x, y = self.pixel(*middle(hex_id))
        return [(x + dx * self.scale, y + dy * self.scale) for dx, dy in CORNERS]

    def hexside(self, hex_id: str, direction: int) -> tuple[Point, Point]:
        corners = self.corners(hex_id)
        return corners[direction], corners[(direction + 1) % len(CORNERS)]

    def shows(self, x: float, y: float, width: float, height: float) -> bool:
        """Whether a rectangle of pixels around a point lies inside."""
        return width / 2 <= x <= self.width - width / 2 and height / 2 <= y <= self.height - height / 2

    def shows_hex(self, hex_id: str) -> bool:
        """Whether the brick around a hex, with all that is printed in it, lies inside."""
        return self.shows(*self.pixel_of(hex_id), self.scale * 0.98, self.scale * ROW)

    def larger(self, factor: int) -> "Frame":
        return Frame(self.scale * factor, self.west, self.north, self.width * factor, self.height * factor)


@lru_cache(maxsize=512)
def middle(hex_id: str) -> Point:
    return LAYOUT.middle(hex_id)


def hex_at(x: float, y: float) -> str:
    """The hex a point of the board lies in, or nearly so; there may be none of that name."""
    row = round(y / ROW)
    column = round(x - (0.5 if row % 2 == 0 else 0.0))
    return f"{chr(ord('A') + row - 1)}{column}" if 1 <= row <= ROWS else ""


def whole_sheet(scale: int) -> Frame:
    """The sheet of paper with the map on it."""
    width, height = EAST - WEST + COLUMN + 2 * MARGIN, NORTH - SOUTH + 2 * MARGIN
    return Frame(scale, WEST - MARGIN, NORTH + MARGIN, round(width * scale), round(height * scale))


def map_box(frame: Frame) -> tuple[int, int, int, int]:
    """Where on its sheet the map is."""
    (left, top), (right, bottom) = frame.pixel(WEST, NORTH), frame.pixel(EAST, SOUTH)
    return round(left), round(top), round(right), round(bottom)
