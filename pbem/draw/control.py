"""Who holds what: each hex of land in the tint of its owner, veiled and hatched where it is out of sight."""

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from pbem.draw.atlas import Atlas, Point
from pbem.draw.geometry import Frame
from pbem.draw.ground import Ground, ground
from pbem.draw.palette import SHADES, first_of_ramp, ground_family, steps_of_ink
from pbem.draw.scene import Holding
from pbem.draw.style import Style

#: Hatching over what is out of sight: how dark, how far apart in hex widths, how wide.
HATCH, HATCH_PITCH, HATCH_WIDTH = 40, 0.1, 0.016
#: In a tile, what is added to the step of ink where a line of the hatching would run.
HATCHED = 8
#: How many scales the pictures of mails have: one of the map, three of cut-outs.
SCALES = 4


def tinted_ground(frame: Frame, style: Style, holdings: Mapping[str, Holding]) -> Image.Image:
    """A copy of that part of the ground which a frame shows, with the owners' tints, in the fixed palette."""
    base = ground_in_tiles(frame.atlas, frame.scale)
    west, north = (round(part) for part in base.frame.pixel(frame.west, frame.north))
    canvas = base.canvas.crop((west, north, west + frame.width, north + frame.height))
    for place, known in holdings.items():
        if place in base.tiles:
            base.tiles[place].lay_on(canvas, west, north, _tints(ground_family(known.owner, known.in_sight)))
    return canvas


class Tile(NamedTuple):
    """The land of a hex: its steps of ink, where in the rectangle there is any, and the upper left corner."""

    inks: Image.Image
    mask: Image.Image
    left: int
    top: int

    def lay_on(self, canvas: Image.Image, west: int, north: int, tints: list[int]) -> None:
        """On a part of the ground that begins there. Past the checks of `Image.paste`, as `stamp` is."""
        left, top, (width, height) = self.left - west, self.top - north, self.inks.size
        if -width < left < canvas.width and -height < top < canvas.height:
            tinted = self.inks.im.point(tints, canvas.mode)
            canvas.im.paste(tinted, (left, top, left + width, top + height), self.mask.im)


class TiledGround(NamedTuple):
    """What is kept of the ground: all that nobody owns in the fixed palette, and the land of each hex."""

    frame: Frame
    canvas: Image.Image
    tiles: dict[str, Tile]

    def is_land(self, place: str, x: int, y: int) -> bool:
        """Whether a point inside a hex is."""
        tile = self.tiles[place]
        ashore = 0 <= x - tile.left < tile.mask.width and 0 <= y - tile.top < tile.mask.height
        return ashore and tile.mask.getpixel((x - tile.left, y - tile.top)) == 255


@lru_cache(maxsize=SCALES)
def ground_in_tiles(atlas: Atlas, scale: int) -> TiledGround:
    base = ground(atlas, scale)
    tiles = {place: tile for place in atlas.hexes if (tile := _tile(base, place)) is not None}
    return TiledGround(base.frame, base.canvas, tiles)


def _tile(base: Ground, place: str) -> Tile | None:
    """No larger than its land; None if there is none."""
    outlines = [base.frame.corners(place), *_slivers(base.frame, place)]
    left, top = (math.floor(min(point[axis] for outline in outlines for point in outline)) - 1 for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for outline in outlines for point in outline)) + 2 for axis in (0, 1))
    box = (left, top, right, bottom)
    mask = ImageChops.multiply(base.land.crop(box), _shape(outlines, box)).convert("1")
    if (part := mask.getbbox()) is None:
        return None
    hatched = hatching(base.frame.scale, left, top, right - left, bottom - top).point([0] + [HATCHED] * (SHADES - 1))
    inks = ImageChops.add(base.darkness.crop(box).point(steps_of_ink()), hatched)
    return Tile(inks.crop(part), mask.crop(part), left + part[0], top + part[1])


@lru_cache(maxsize=64)
def _tints(family: str) -> list[int]:
    """For each number in a tile the entry of the fixed palette."""
    first, hatch = first_of_ramp(family), steps_of_ink()[HATCH] if family.endswith("veiled") else 0
    return [first + max(ink % HATCHED, hatch if ink & HATCHED else 0) for ink in range(SHADES)]


def _shape(outlines: list[list[Point]], box: tuple[int, int, int, int]) -> Image.Image:
    left, top, right, bottom = box
    image = Image.new("L", (right - left, bottom - top))
    draw = ImageDraw.Draw(image)
    for outline in outlines:
        draw.polygon([(x - left, y - top) for x, y in outline], fill=255)
    return image


def _slivers(frame: Frame, place: str) -> Iterator[list[Point]]:
    """The nearest part of each sea hex next door: coast that reaches into it goes with this hex."""
    for direction, neighbour in enumerate(frame.atlas.neighbours(place)):
        if frame.atlas.terrain.get(neighbour) == "sea":
            yield [frame.pixel_of(neighbour), *frame.hexside(place, direction)]


def hatching(scale: int, left: int, top: int, width: int, height: int) -> Image.Image:
    """Slanting lines that run on from one hex into the next, in whole pixels so that the file stays small."""
    image = Image.new("L", (width, height))
    draw = ImageDraw.Draw(image)
    pitch = round(scale * HATCH_PITCH)
    for offset in range(-(left + top) % pitch, width + height, pitch):
        for step in range(max(1, round(scale * HATCH_WIDTH))):
            draw.line((offset + step, 0, offset + step - height, height), fill=HATCH)
    return image
