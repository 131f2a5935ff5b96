"""Who holds what: each hex of land in the tint of its owner, veiled and hatched where it is out of sight."""

import math
from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from engine.grid import hex_neighbours
from engine.hitlers_war.europe import europe
from engine.hitlers_war.view import View
from pbem.draw.geometry import Frame, Point, middle
from pbem.draw.ground import as_palette, ground
from pbem.draw.hexsides import draw_water_sides
from pbem.draw.palette import darkness_table, fixed_palette, ground_family

#: Hatching over what is out of sight: how dark, how far apart in hex widths, how wide.
HATCH, HATCH_PITCH, HATCH_WIDTH = 40, 0.1, 0.016


def controlled_board(view: View, scale: int) -> Image.Image:
    """A copy of the ground with the owners' tints, in the fixed palette."""
    canvas = _waters(scale).copy()
    for place, known in view.places.items():
        if place in europe() and not europe()[place].is_box:
            tile, mask, left, top = _tile(scale, place, ground_family(known.owner, known.in_sight))
            canvas.paste(tile, (left, top), mask)
    return canvas


@lru_cache(maxsize=3)
def _waters(scale: int) -> Image.Image:
    """The ground with the hexsides at sea that stop armies; land is laid over them."""
    base = ground(scale)
    picture = base.canvas.convert("RGB")
    draw_water_sides(picture, base.frame)
    return picture.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


@lru_cache(maxsize=2048)
def _tile(scale: int, place: str, family: str) -> tuple[Image.Image, Image.Image, int, int]:
    """The land of a hex looked up in a ramp, where in the picture it lies, and its upper left corner."""
    base = ground(scale)
    outlines = [base.frame.corners(place), *_slivers(base.frame, place)]
    left, top = (math.floor(min(point[axis] for outline in outlines for point in outline)) - 1 for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for outline in outlines for point in outline)) + 2 for axis in (0, 1))
    box = (left, top, right, bottom)
    darkness = base.darkness.crop(box)
    if family.endswith("veiled"):
        darkness = ImageChops.lighter(darkness, hatching(scale, left, top, right - left, bottom - top))
    mask = ImageChops.multiply(base.land.crop(box), _shape(outlines, box)).convert("1")
    return as_palette(darkness.point(darkness_table(family))), mask, left, top


def _shape(outlines: list[list[Point]], box: tuple[int, int, int, int]) -> Image.Image:
    left, top, right, bottom = box
    image = Image.new("L", (right - left, bottom - top))
    draw = ImageDraw.Draw(image)
    for outline in outlines:
        draw.polygon([(x - left, y - top) for x, y in outline], fill=255)
    return image


def _slivers(frame: Frame, place: str) -> Iterator[list[Point]]:
    """The nearest part of each sea hex next door: coast that reaches into it goes with this hex."""
    for direction, neighbour in enumerate(hex_neighbours(place)):
        if neighbour in europe() and not europe()[neighbour].has_land:
            yield [frame.pixel(*middle(neighbour)), *frame.hexside(place, direction)]


def hatching(scale: int, left: int, top: int, width: int, height: int) -> Image.Image:
    """Slanting lines that run on from one hex into the next, in whole pixels so that the file stays small."""
    image = Image.new("L", (width, height))
    draw = ImageDraw.Draw(image)
    pitch = round(scale * HATCH_PITCH)
    for offset in range(-(left + top) % pitch, width + height, pitch):
        for step in range(max(1, round(scale * HATCH_WIDTH))):
            draw.line((offset + step, 0, offset + step - height, height), fill=HATCH)
    return image
