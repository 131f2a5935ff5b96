"""Where things are in a picture: a window on the board of an atlas, and from its coordinates to pixels."""

import msgspec

from pbem.draw.atlas import Atlas, Extent, Point


class Frame(msgspec.Struct, frozen=True):
    """A window on a board: how many pixels a hex is wide, and what lies at its upper left corner."""

    atlas: Atlas
    scale: int
    west: float
    north: float
    width: int
    height: int

    @property
    def part(self) -> Extent:
        """What of the board it shows."""
        return Extent(self.west, self.north - self.height / self.scale, self.west + self.width / self.scale, self.north)

    def pixel(self, x: float, y: float) -> Point:
        return (x - self.west) * self.scale, (self.north - y) * self.scale

    def at(self, x: float, y: float) -> Point:
        """The point of the board under a pixel."""
        return self.west + x / self.scale, self.north - y / self.scale

    def centre(self, hex_id: str) -> tuple[int, int]:
        """Whole pixels, so that all tiles of a hex are alike."""
        x, y = self.pixel_of(hex_id)
        return round(x), round(y)

    def pixel_of(self, hex_id: str) -> Point:
        """The middle of a hex; on a map that goes round, of that copy which is nearest to the middle of the frame."""
        return self.pixel(*self.atlas.middle_near(hex_id, self.west + self.width / self.scale / 2))

    def copies_of(self, hex_id: str) -> list[Point]:
        """The middle of a hex wherever it is shown: a map that goes round may show it once more beyond its edge."""
        own = self.pixel_of(hex_id)
        if not self.atlas.period:
            return [own]
        (x, y), round_it = own, self.atlas.period * self.scale
        return [own, *((at, y) for at in (x - round_it, x + round_it) if 0 <= at <= self.width)]

    def corners(self, hex_id: str) -> list[Point]:
        return self.corners_around(*self.pixel_of(hex_id))

    def corners_around(self, x: float, y: float) -> list[Point]:
        """Of the hex whose middle is at a pixel."""
        return [(x + dx * self.scale, y + dy * self.scale) for dx, dy in self.atlas.corners]

    def side_around(self, middle: Point, direction: int) -> tuple[Point, Point]:
        """A side of the hex whose middle is at a point of the board."""
        (x, y), corners = self.pixel(*middle), self.atlas.corners
        (x1, y1), (x2, y2) = corners[direction], corners[(direction + 1) % len(corners)]
        return (x + x1 * self.scale, y + y1 * self.scale), (x + x2 * self.scale, y + y2 * self.scale)

    def hexside(self, hex_id: str, direction: int) -> tuple[Point, Point]:
        corners = self.corners(hex_id)
        return corners[direction], corners[(direction + 1) % len(corners)]

    def shows(self, x: float, y: float, width: float, height: float) -> bool:
        """Whether a rectangle of pixels around a point lies inside."""
        return width / 2 <= x <= self.width - width / 2 and height / 2 <= y <= self.height - height / 2

    def shows_hex(self, hex_id: str) -> bool:
        """Whether the brick around a hex, with all that is printed in it, lies inside."""
        return self.shows_brick(*self.pixel_of(hex_id))

    def shows_brick(self, x: float, y: float) -> bool:
        width, height = self.atlas.brick
        return self.shows(x, y, self.scale * width, self.scale * height)

    def larger(self, factor: int) -> "Frame":
        return Frame(self.atlas, self.scale * factor, self.west, self.north, self.width * factor, self.height * factor)


def whole_sheet(atlas: Atlas, scale: int) -> Frame:
    """The sheet of paper with the map on it."""
    sheet = atlas.sheet
    width, height = sheet.east - sheet.west, sheet.north - sheet.south
    return Frame(atlas, scale, sheet.west, sheet.north, round(width * scale), round(height * scale))


def map_box(frame: Frame) -> tuple[int, int, int, int]:
    """Where on its sheet the map is."""
    shown = frame.atlas.map
    (left, top), (right, bottom) = frame.pixel(shown.west, shown.north), frame.pixel(shown.east, shown.south)
    return round(left), round(top), round(right), round(bottom)
