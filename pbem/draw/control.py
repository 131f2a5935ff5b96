"""Who holds what: each hex of land in the tint of its owner, veiled and hatched where it is out of sight."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

from PIL import Image, ImageChops

from pbem.draw.atlas import Atlas, Point
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.ground import Ground, paint_ground, whole_patch
from pbem.draw.kept import kept
from pbem.draw.palette import INKS, SHADES, entry_of, fixed_palette, ground_family, ramp, steps_of_ink
from pbem.draw.patch import Patch, pencil
from pbem.draw.scene import Holding
from pbem.draw.style import Style

#: The ground is kept in chunks so many pixels wide and high. Whatever is painted coarser comes out even in them.
CHUNK = 512
#: Hatching over what is out of sight: how dark, how far apart in hex widths, how wide.
HATCH, HATCH_PITCH, HATCH_WIDTH = 40, 0.1, 0.016
#: In a tile, what is added to the step of ink where a line of the hatching would run.
HATCHED = 8


def tinted_ground(frame: Frame, style: Style, holdings: Mapping[str, Holding]) -> Image.Image:
    """That part of the ground which a frame shows, with the owners' tints, in the fixed palette."""
    window = _window(frame)
    canvas = Image.new("P", window.size, entry_of(style, style.paper))
    canvas.putpalette(fixed_palette(style).getpalette() or [])
    for chunk in _chunks(frame.atlas, style, frame.scale, window):
        canvas.paste(chunk.canvas, chunk.patch.of(window)[:2])
        for place, tile in chunk.tiles.items():
            if place in holdings:
                family = ground_family(style, holdings[place].owner, holdings[place].in_sight)
                tile.lay_on(canvas, window, _tints(style, family))
    return canvas


def is_ashore(atlas: Atlas, style: Style, scale: int, place: str, down: float) -> bool:
    """Whether there is land so far below the middle of a hex, in hex widths."""
    x, y = whole_sheet(atlas, scale).centre(place)
    y += round(down * scale)
    tile = _chunk(atlas, style, scale, x // CHUNK, y // CHUNK).tiles.get(place)
    return tile is not None and tile.is_land(x, y)


def _window(frame: Frame) -> Patch:
    """Where on the whole sheet a frame lies."""
    west, north = (round(part) for part in whole_sheet(frame.atlas, frame.scale).pixel(frame.west, frame.north))
    return Patch(west, north, west + frame.width, north + frame.height)


# ------------------------------------------------------------------ chunks


class Tile(NamedTuple):
    """The land of a hex in a chunk: its steps of ink, where in the rectangle there is any, and that rectangle."""

    inks: Image.Image
    mask: Image.Image
    patch: Patch

    def lay_on(self, canvas: Image.Image, window: Patch, tints: list[int]) -> None:
        """Past the checks of `Image.paste`, as `stamp` is."""
        left, top, right, bottom = self.patch.of(window)
        if right > 0 and bottom > 0 and left < canvas.width and top < canvas.height:
            tinted = self.inks.im.point(tints, canvas.mode)
            canvas.im.paste(tinted, (left, top, right, bottom), self.mask.im)

    def is_land(self, x: int, y: int) -> bool:
        left, top, right, bottom = self.patch
        return left <= x < right and top <= y < bottom and self.mask.getpixel((x - left, y - top)) == 255


class Chunk(NamedTuple):
    """What is kept of the ground: all that nobody owns in the fixed palette, and the land of each hex."""

    patch: Patch
    canvas: Image.Image
    tiles: dict[str, Tile]


def _chunks(atlas: Atlas, style: Style, scale: int, window: Patch) -> Iterator[Chunk]:
    """All that a window shows a part of."""
    shown = window.within(whole_patch(whole_sheet(atlas, scale)))
    for row in range(shown.top // CHUNK, -(-shown.bottom // CHUNK)):
        for column in range(shown.left // CHUNK, -(-shown.right // CHUNK)):
            yield _chunk(atlas, style, scale, column, row)


@kept
def _chunk(atlas: Atlas, style: Style, scale: int, column: int, row: int) -> Chunk:
    sheet, (left, top) = whole_sheet(atlas, scale), (column * CHUNK, row * CHUNK)
    patch = Patch(left, top, left + CHUNK, top + CHUNK).within(whole_patch(sheet))
    ground = paint_ground(sheet, style, patch)
    return Chunk(patch, ground.canvas, dict(_tiles(sheet, ground)))


def _tiles(sheet: Frame, ground: Ground) -> Iterator[tuple[str, Tile]]:
    """In the order of their ids: hexes share the pixels between them, which are those of the later one."""
    has_sea = ground.land.getextrema() != (255, 255)
    inks = ImageChops.add(ground.inks, hatching(sheet.scale, *ground.patch).point([0] + [HATCHED] * (SHADES - 1)))
    for place, at in sorted(ground.hexes):
        if sheet.atlas.has_land(place):
            tile = _tile(sheet, ground, inks, place, at, has_sea=has_sea)
            if tile is not None:
                yield place, tile


def _tile(sheet: Frame, ground: Ground, inks: Image.Image, place: str, at: Point, *, has_sea: bool) -> Tile | None:
    """No larger than its land; None if there is none."""
    outlines = list(_outlines(sheet, place, at))
    left, top = (floor(min(point[axis] for outline in outlines for point in outline)) - 1 for axis in (0, 1))
    right, bottom = (ceil(max(point[axis] for outline in outlines for point in outline)) + 2 for axis in (0, 1))
    whole = Patch(left, top, right, bottom)
    patch = whole.within(ground.patch)
    if patch.left >= patch.right or patch.top >= patch.bottom:
        return None
    mask = _shape(outlines, whole)
    if patch != whole:
        mask = mask.crop(patch.of(whole))
    if has_sea:
        mask = ImageChops.multiply(ground.land.crop(patch.of(ground.patch)), mask)
    if (part := mask.getbbox()) is None:
        return None
    taken = Patch(patch.left + part[0], patch.top + part[1], patch.left + part[2], patch.top + part[3])
    return Tile(inks.crop(taken.of(ground.patch)), mask.crop(part).convert("1", dither=Image.Dither.NONE), taken)


def _shape(outlines: list[list[Point]], patch: Patch) -> Image.Image:
    image = Image.new("L", patch.size)
    draw = pencil(image, patch)
    for outline in outlines:
        draw.polygon(outline, fill=255)
    return image


def _outlines(sheet: Frame, place: str, at: Point) -> Iterator[list[Point]]:
    """The hex, and the nearest part of each sea hex next door: coast that reaches into it goes with this hex."""
    corners = sheet.corners_around(*sheet.pixel(*at))
    yield corners
    for direction, neighbour in enumerate(sheet.atlas.neighbours(place)):
        if sheet.atlas.terrain.get(neighbour) == "sea":
            yield [sheet.pixel(*sheet.atlas.middle_near(neighbour, at[0])), *sheet.side_around(at, direction)]


# ------------------------------------------------------------------ tints


@lru_cache(maxsize=256)
def _tints(style: Style, family: str) -> list[int]:
    """For each number in a tile the entry of the fixed palette."""
    entries, hatch = ramp(style, family), steps_of_ink()[HATCH] if family.endswith("veiled") else 0
    inks = (max(ink % HATCHED, hatch if ink & HATCHED else 0) for ink in range(SHADES))
    return [entries[min(ink, len(INKS) - 1)] for ink in inks]


def hatching(scale: int, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """Slanting lines that run on from one hex into the next, in whole pixels so that the file stays small."""
    width, height = right - left, bottom - top
    pitch, thickness = round(scale * HATCH_PITCH), max(1, round(scale * HATCH_WIDTH))
    row = bytes(HATCH * (across % pitch < thickness) for across in range(left + top, left + top + width + height))
    return Image.frombytes("L", (width, height), b"".join(row[down : down + width] for down in range(height)))
