"""The ground under everything: coastlines, depth of the sea, mountains, hex grid and borders, drawn once for a scale.

It is drawn as darkness and a mask of the land, so that the land of each owner can be looked up in the owner's ramp.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engine.hitlers_war.state import NEUTRAL
from pbem.draw.atlas import Atlas, Point
from pbem.draw.geometry import Frame, map_box, whole_sheet
from pbem.draw.hexsides import draw_water_sides
from pbem.draw.palette import darkness_table, fixed_palette, palette
from pbem.draw.signs import draw_peak
from pbem.games.hitlers_war.style import style

#: Everything is drawn so many times larger and then reduced, which smooths it.
FINER = 2

# Darkness of each kind of line, from 0 to 255, and its width in hex widths.
GRID, GRID_WIDTH = 56, 0.012
PEAK, PEAK_WIDTH = 96, 0.014
COAST, COAST_WIDTH = 165, 0.022
BORDER, BORDER_WIDTH = 190, 0.028
RIM, RIM_WIDTH = 200, 0.034
FRAME_WIDTH = 0.026

#: How much land there is around a point of the sea, after a blur, where the next depth begins.
SHELVES = (70, 26, 6)
SHELF_BLUR = 0.32


class Ground(NamedTuple):
    """`canvas` holds the sea and everything nobody owns, in the fixed palette."""

    frame: Frame
    darkness: Image.Image
    land: Image.Image
    canvas: Image.Image


def ground(atlas: Atlas, scale: int) -> Ground:
    frame = whole_sheet(atlas, scale)
    darkness, land = _smoothed(frame.larger(FINER))
    darkness = _with_grid(frame, darkness)
    return Ground(frame, darkness, land, _canvas(frame, darkness, land))


def _smoothed(fine: Frame) -> tuple[Image.Image, Image.Image]:
    """Darkness and land, drawn larger and then reduced."""
    land = _land(fine)
    return _darkness(fine, land).reduce(FINER), land.reduce(FINER).point([0] * 128 + [255] * 128)


def _blank(frame: Frame) -> Image.Image:
    return Image.new("L", (frame.width, frame.height))


# ------------------------------------------------------------------ land and sea


def _land(frame: Frame) -> Image.Image:
    image = _blank(frame)
    draw = ImageDraw.Draw(image)
    for land in frame.atlas.coast:
        draw.polygon(_outline(frame, land.outer), fill=255)
        for hole in land.holes:
            draw.polygon(_outline(frame, hole), fill=0)
    return image


def _outline(frame: Frame, points: Iterable[Point]) -> list[Point]:
    return [frame.pixel(x, y) for x, y in points]


def _canvas(frame: Frame, darkness: Image.Image, land: Image.Image) -> Image.Image:
    """Sea by depth, land without owner, and both fading beyond the board."""
    canvas = darkness.point(darkness_table("sea 3"))
    nearness = _nearness(frame, land)
    for depth, limit in reversed(list(enumerate(SHELVES))):
        near = nearness.point([0] * limit + [255] * (256 - limit))
        canvas.paste(darkness.point(darkness_table(f"sea {depth}")), mask=near)
    canvas.paste(darkness.point(darkness_table(NEUTRAL)), mask=land)
    outside = ImageChops.invert(_board_mask(frame))
    canvas.paste(darkness.point(darkness_table("beyond sea")), mask=outside)
    canvas.paste(darkness.point(darkness_table("beyond land")), mask=ImageChops.multiply(outside, land))
    canvas.putpalette(fixed_palette().getpalette() or [])
    return _with_water_sides(frame, _on_paper(frame, canvas))


def _on_paper(frame: Frame, canvas: Image.Image) -> Image.Image:
    """The map cut to its frame, with a double line around it."""
    table, thickness = palette(), _thickness(frame, FRAME_WIDTH)
    left, top, right, bottom = map_box(frame)
    sheet, (width, height) = canvas.convert("RGB"), canvas.size
    above, below = (0, 0, width, top - 1), (0, bottom, width, height)
    west, east = (0, 0, left - 1, height), (right, 0, width, height)
    draw = ImageDraw.Draw(sheet)
    for margin in (above, below, west, east):
        draw.rectangle(margin, fill=table.paper)
    draw.rectangle((left, top, right, bottom), outline=table.ink, width=thickness)
    away = 3 * thickness
    draw.rectangle((left - away, top - away, right + away, bottom + away), outline=table.soft_ink)
    return sheet.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


def _with_water_sides(frame: Frame, canvas: Image.Image) -> Image.Image:
    """With the hexsides at sea that stop armies; land is laid over them."""
    sheet = canvas.convert("RGB")
    draw_water_sides(sheet, frame, style())
    return sheet.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


def _nearness(frame: Frame, land: Image.Image) -> Image.Image:
    """How near the land is, from a blur of a small copy."""
    small = land.reduce(4).filter(ImageFilter.GaussianBlur(SHELF_BLUR * frame.scale / 4))
    return small.resize(land.size, Image.Resampling.BICUBIC)


def _board_mask(frame: Frame) -> Image.Image:
    image = _blank(frame)
    draw = ImageDraw.Draw(image)
    for place in frame.atlas.hexes:
        draw.polygon(frame.corners(place), fill=255)
    return image


# ------------------------------------------------------------------ lines


def _darkness(frame: Frame, land: Image.Image) -> Image.Image:
    """Painted from the faintest to the firmest, on one sheet since it is a large one."""
    sea = ImageChops.invert(land)
    _draw_coast(ImageDraw.Draw(sea), frame, 0)
    image = _blank(frame)
    draw = ImageDraw.Draw(image)
    _draw_mountains(draw, frame)
    _draw_coast(draw, frame, COAST)
    _draw_sides(draw, frame, _border_sides(frame.atlas), BORDER, BORDER_WIDTH)
    image.paste(0, mask=sea)
    _draw_sides(draw, frame, _rim_sides(frame.atlas), RIM, RIM_WIDTH)
    return image


def _with_grid(frame: Frame, image: Image.Image) -> Image.Image:
    """The grid is too faint for steps to show, and a third smaller in the file without smoothing."""
    grid = _blank(frame)
    _draw_sides(ImageDraw.Draw(grid), frame, _grid_sides(frame.atlas), GRID, GRID_WIDTH)
    return ImageChops.lighter(image, grid)


def _thickness(frame: Frame, width: float) -> int:
    return max(1, round(width * frame.scale))


def _draw_coast(draw: ImageDraw.ImageDraw, frame: Frame, darkness: int) -> None:
    thickness = _thickness(frame, COAST_WIDTH)
    for land in frame.atlas.coast:
        for ring in land.rings:
            outline = _outline(frame, ring)
            draw.line([*outline, outline[0]], fill=darkness, width=thickness, joint="curve")


def _draw_sides(
    draw: ImageDraw.ImageDraw, frame: Frame, sides: Iterator[tuple[str, int]], darkness: int, width: float
) -> None:
    thickness = _thickness(frame, width)
    for place, direction in sides:
        (x1, y1), (x2, y2) = frame.hexside(place, direction)
        draw.line((x1, y1, x2, y2), fill=darkness, width=thickness)
        for x, y in ((x1, y1), (x2, y2)):
            reach = thickness / 2 - 0.5
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=darkness)


def _grid_sides(atlas: Atlas) -> Iterator[tuple[str, int]]:
    """Each hexside between two hexes once."""
    for place in atlas.hexes:
        for direction, neighbour in enumerate(atlas.neighbours(place)):
            if atlas.is_hex(neighbour) and place < neighbour:
                yield place, direction


def _rim_sides(atlas: Atlas) -> Iterator[tuple[str, int]]:
    for place in atlas.hexes:
        for direction, neighbour in enumerate(atlas.neighbours(place)):
            if not atlas.is_hex(neighbour):
                yield place, direction


def _border_sides(atlas: Atlas) -> Iterator[tuple[str, int]]:
    """Hexsides between two countries that have land on them."""
    return ((place, direction) for place, direction in _grid_sides(atlas) if atlas.is_border(place, direction))


# ------------------------------------------------------------------ mountains


def _draw_mountains(draw: ImageDraw.ImageDraw, frame: Frame) -> None:
    for place, terrain in frame.atlas.terrain.items():
        if terrain == "mountain":
            for x, y, size in _peaks(frame.atlas, place):
                if any(name.covers(x, y) for name in frame.atlas.countries):
                    continue
                box = (*frame.pixel(x - size * 0.75, y + size * 0.55), *frame.pixel(x + size * 0.75, y - size * 0.45))
                draw_peak(draw, box, _thickness(frame, PEAK_WIDTH), PEAK, 0)


def _peaks(atlas: Atlas, place: str) -> list[tuple[float, float, float]]:
    """Peaks scattered over a hex, always the same ones, from north to south so that the nearer hides the farther."""
    chance = Random(place)
    x, y = atlas.middle(place)
    peaks = []
    for row, count in ((0.28, 2), (0.06, 3), (-0.16, 3), (-0.36, 1)):
        for number in range(count):
            dx = (number - (count - 1) / 2) * 0.3 + chance.uniform(-0.06, 0.06)
            peaks.append((x + dx, y + row + chance.uniform(-0.04, 0.04), chance.uniform(0.13, 0.2)))
    return sorted(peaks, key=lambda peak: -peak[1])
