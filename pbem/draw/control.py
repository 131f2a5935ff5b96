"""Who holds what: each hex of land in the tint of its owner, veiled and hatched where it is out of sight."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from pbem.draw.atlas import Atlas, Point
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.ground import Ground, paint_ground, whole_patch
from pbem.draw.kept import PICTURES, kept
from pbem.draw.palette import INKS, SHADES, entry_of, fixed_palette, ground_family, ramp, steps_of_ink
from pbem.draw.patch import Patch, enclosing
from pbem.draw.scene import Holding
from pbem.draw.style import Style

#: The ground is kept in chunks so many pixels wide and high. Whatever is painted coarser comes out even in them.
CHUNK = 512
#: So many of them below each other are painted at once. Wider blocks take a little less time, but the depth of the sea
#: comes from a copy of the sheet that is seldom exactly four times narrower: in them one pixel of a million would lie
#: on another shelf.
BLOCK = 4
#: Hatching over what is out of sight: how dark, how far apart in hex widths, how wide.
HATCH, HATCH_PITCH, HATCH_WIDTH = 40, 0.1, 0.016
#: In a chunk, what is added to the step of ink where a line of the hatching would run.
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
                chunk.lay_on(canvas, window, tile, _tints(style, family))
    return canvas


def is_ashore(atlas: Atlas, style: Style, scale: int, place: str, down: float) -> bool:
    """Whether there is land so far below the middle of a hex, in hex widths."""
    x, y = whole_sheet(atlas, scale).centre(place)
    y += round(down * scale)
    (chunk,) = _block(atlas, style, scale, [(x // CHUNK, y // CHUNK)])
    tile = chunk.tiles.get(place)
    return tile is not None and tile.is_land(x, y)


def _window(frame: Frame) -> Patch:
    """Where on the whole sheet a frame lies."""
    west, north = (round(part) for part in whole_sheet(frame.atlas, frame.scale).pixel(frame.west, frame.north))
    return Patch(west, north, west + frame.width, north + frame.height)


# ------------------------------------------------------------------ chunks

#: Where a chunk is: counted from the west and from the north.
Square = tuple[int, int]
Pixel = tuple[int, int]


class Tile(NamedTuple):
    """Where in a rectangle of a chunk the land of a hex is."""

    mask: Image.Image
    patch: Patch

    def cut(self, patch: Patch) -> "Tile":
        """What of it is in a patch."""
        part = self.patch.within(patch)
        return self if part == self.patch else Tile(self.mask.crop(part.of(self.patch)), part)

    def is_land(self, x: int, y: int) -> bool:
        left, top, right, bottom = self.patch
        return left <= x < right and top <= y < bottom and self.mask.getpixel((x - left, y - top)) == 255


class Chunk(NamedTuple):
    """What is kept of the ground: all that nobody owns in the fixed palette, its steps of ink with the hatching, and
    the land of each hex."""

    patch: Patch
    canvas: Image.Image
    inks: Image.Image
    tiles: dict[str, Tile]

    def lay_on(self, canvas: Image.Image, window: Patch, tile: Tile, tints: list[int]) -> None:
        """Past the checks of `Image.paste`, as `stamp` is."""
        left, top, right, bottom = tile.patch.of(window)
        if right > 0 and bottom > 0 and left < canvas.width and top < canvas.height:
            tinted = self.inks.im.crop(tile.patch.of(self.patch)).point(tints, canvas.mode)
            canvas.im.paste(tinted, (left, top, right, bottom), tile.mask.im)


def _chunks(atlas: Atlas, style: Style, scale: int, window: Patch) -> Iterator[Chunk]:
    """All that a window shows a part of."""
    shown = window.within(whole_patch(whole_sheet(atlas, scale)))
    rows = range(shown.top // CHUNK, -(-shown.bottom // CHUNK))
    columns = range(shown.left // CHUNK, -(-shown.right // CHUNK))
    for column in columns:
        for first in range(0, len(rows), BLOCK):
            yield from _block(atlas, style, scale, [(column, row) for row in rows[first : first + BLOCK]])


def _block(atlas: Atlas, style: Style, scale: int, squares: Sequence[Square]) -> Iterator[Chunk]:
    """Chunks below each other. All of them that are not kept are painted at once."""
    sheet = whole_sheet(atlas, scale)
    keys: dict[Square, Hashable] = {at: (_block, atlas, style, scale, at) for at in squares}
    missing = [at for at in squares if keys[at] not in PICTURES]
    painted = _painted(sheet, style, missing) if missing else {}
    for at in squares:
        yield PICTURES.recall(keys[at], partial(_made, sheet, style, at, painted))


def _made(sheet: Frame, style: Style, at: Square, painted: Mapping[Square, Chunk]) -> Chunk:
    """Another picture may have driven out what was kept just now."""
    return painted[at] if at in painted else _painted(sheet, style, [at])[at]


def _painted(sheet: Frame, style: Style, squares: Sequence[Square]) -> dict[Square, Chunk]:
    """Cut from one patch, since hexes at its edges, and what spreads into it, are worked out for each patch anew."""
    patches = {at: _patch(sheet, at) for at in squares}
    ground = paint_ground(sheet, style, enclosing(list(patches.values())))
    inks = ImageChops.add(ground.inks, hatching(sheet.scale, *ground.patch).point([0] + [HATCHED] * (SHADES - 1)))
    chunks = {at: _cut(ground, inks, patch) for at, patch in patches.items()}
    for place, tile in _tiles(sheet, ground):
        left, top, right, bottom = tile.patch
        for row in range(top // CHUNK, -(-bottom // CHUNK)):
            for column in range(left // CHUNK, -(-right // CHUNK)):
                if (chunk := chunks.get((column, row))) is not None:
                    chunk.tiles[place] = tile.cut(chunk.patch)
    return chunks


def _cut(ground: Ground, inks: Image.Image, patch: Patch) -> Chunk:
    box = patch.of(ground.patch)
    return Chunk(patch, ground.canvas.crop(box), inks.crop(box), {})


def _patch(sheet: Frame, at: Square) -> Patch:
    left, top = at[0] * CHUNK, at[1] * CHUNK
    return Patch(left, top, left + CHUNK, top + CHUNK).within(whole_patch(sheet))


# ------------------------------------------------------------------ tiles


def _tiles(sheet: Frame, ground: Ground) -> Iterator[tuple[str, Tile]]:
    """In the order of their ids: hexes share the pixels between them, which are those of the later one."""
    for place, at in sorted(ground.hexes):
        if sheet.atlas.has_land(place):
            tile = _tile(ground, list(_outlines(sheet, place, at)))
            if tile is not None:
                yield place, tile


def _tile(ground: Ground, outlines: list[list[Point]]) -> Tile | None:
    """No larger than its land; None if there is none."""
    pixels = [[(int(x), int(y)) for x, y in outline] for outline in outlines]
    left = min(x for outline in pixels for x, _ in outline)
    top = min(y for outline in pixels for _, y in outline)
    shape = _shape(tuple(tuple((x - left, y - top) for x, y in outline) for outline in pixels))
    whole = Patch(left, top, left + shape.width, top + shape.height)
    patch = whole.within(ground.patch)
    if patch.is_empty:
        return None
    mask = shape if patch == whole else shape.crop(patch.of(whole))
    if ground.land.im.crop(patch.of(ground.patch)).getextrema() != (255, 255):
        land = ground.land.crop(patch.of(ground.patch)).convert("1", dither=Image.Dither.NONE)
        mask = ImageChops.logical_and(land, mask)
    if (part := mask.getbbox()) is None:
        return None
    taken = Patch(patch.left + part[0], patch.top + part[1], patch.left + part[2], patch.top + part[3])
    return Tile(mask if taken == patch else mask.crop(part), taken)


@kept
def _shape(outlines: tuple[tuple[Pixel, ...], ...]) -> Image.Image:
    """Hexes of a row, and often others, have the same."""
    right, bottom = (max(pixel[axis] for outline in outlines for pixel in outline) for axis in (0, 1))
    image = Image.new("1", (right + 1, bottom + 1))
    draw = ImageDraw.Draw(image)
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
    """For each number in the inks of a chunk the entry of the fixed palette."""
    entries, hatch = ramp(style, family), steps_of_ink()[HATCH] if family.endswith("veiled") else 0
    inks = (max(ink % HATCHED, hatch if ink & HATCHED else 0) for ink in range(SHADES))
    return [entries[min(ink, len(INKS) - 1)] for ink in inks]


def hatching(scale: int, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """Slanting lines that run on from one hex into the next, in whole pixels so that the file stays small."""
    width, height = right - left, bottom - top
    pitch, thickness = round(scale * HATCH_PITCH), max(1, round(scale * HATCH_WIDTH))
    row = bytes(HATCH * (across % pitch < thickness) for across in range(left + top, left + top + width + height))
    return Image.frombytes("L", (width, height), b"".join(row[down : down + width] for down in range(height)))
