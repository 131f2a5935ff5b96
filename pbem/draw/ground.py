"""The ground under everything: coastlines, depth of the sea, mountains, hex grid and borders, painted patch by patch.

It is drawn as darkness and a mask of the land, so that the land of each owner can be looked up in the owner's ramp.
Patches meet as if the whole sheet had been painted at once: every stroke is drawn where it is on the sheet, and what
spreads, as the shelves do, is worked out from enough of what lies around a patch.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil
from random import Random
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.draw.atlas import Atlas, Extent, Point
from pbem.draw.coast import draw_coast, fill_land, has_coast
from pbem.draw.geometry import Frame, map_box
from pbem.draw.hexsides import water_side
from pbem.draw.palette import INKS, SHADES, entry_of, fixed_palette, flattened, shades, steps_of_ink
from pbem.draw.patch import Patch, pencil
from pbem.draw.signs import draw_peak
from pbem.draw.sprites import stamp
from pbem.draw.style import Style

#: Everything is drawn so many times larger and then reduced, which smooths it.
FINER = 2
#: The depth of the sea comes from a copy so many times smaller. Patches begin and end at its pixels.
COARSER = 4

# Darkness of each kind of line, from 0 to 255, and its width in hex widths.
GRID, GRID_WIDTH = 56, 0.012
PEAK, PEAK_WIDTH = 96, 0.014
#: A tree is a triangle, so wide and high in hex widths, its foot so far east and north of the middle of the hex.
WOOD, TREE = 120, 0.12
TREES = ((-0.24, -0.36), (-0.12, -0.42), (0.0, -0.36), (0.12, -0.42), (0.24, -0.36))
COAST, COAST_WIDTH = 165, 0.022
BORDER, BORDER_WIDTH = 190, 0.028
RIM, RIM_WIDTH = 200, 0.034
FRAME_WIDTH = 0.026

#: How much land there is around a point of the sea, after a blur, where the next depth begins.
SHELVES = (70, 26, 6)
SHELF_BLUR = 0.32
#: Pillow blurs by running means, so many one after the other.
MEANS = 3

#: How far from its middle a hex has a part in what is drawn, in hex widths: coast that reaches into a sea hex next door
#: is its land. And how far any line reaches from where it is.
HEX_REACH, LINE_REACH = 1.1, 0.1


#: The middle of a hex on the board, and which of its sides, from the first to the last of a run of them.
Sides = tuple[Point, int, int]
Hexes = Sequence[tuple[str, Point]]


class Ground(NamedTuple):
    """A patch of the sheet: its steps of ink, where land is, and all that nobody owns in the fixed palette; and the
    hexes that have a part in it."""

    patch: Patch
    inks: Image.Image
    land: Image.Image
    canvas: Image.Image
    hexes: Hexes

    def cut(self, patch: Patch) -> "Ground":
        box = patch.of(self.patch)
        return Ground(patch, self.inks.crop(box), self.land.crop(box), self.canvas.crop(box), self.hexes)


def paint_ground(sheet: Frame, style: Style, patch: Patch) -> Ground:
    """A patch of the whole sheet, whose frame this is.

    A little more is painted, since Pillow rounds halves away from its own left and upper edge.
    """
    wide = patch.grown(COARSER).within(whole_patch(sheet))
    return _painted(sheet, style, wide).cut(patch)


def _painted(sheet: Frame, style: Style, patch: Patch) -> Ground:
    around = _around(sheet, patch)
    fine_land = _fine_land(sheet, around)
    land = fine_land.reduce(FINER).point([0] * 128 + [255] * 128)
    shelves = _nearness(sheet, land, around, patch)
    fine_land, land = fine_land.crop(patch.larger(FINER).of(around.larger(FINER))), land.crop(patch.of(around))
    hexes = sheet.atlas.hexes_in(part_of(sheet, patch, HEX_REACH))
    darkness = _with_grid(sheet, patch, hexes, _darkness(sheet, patch, hexes, fine_land).reduce(FINER))
    inks = darkness.point(steps_of_ink())
    return Ground(patch, inks, land, _canvas(sheet, style, patch, hexes, inks, land, shelves), hexes)


def part_of(frame: Frame, patch: Patch, reach: float) -> Extent:
    """What of the board can be seen in a patch, if it reaches so far."""
    (west, north), (east, south) = frame.at(patch.left, patch.top), frame.at(patch.right, patch.bottom)
    return Extent(west, south, east, north).grown(reach)


def _blank(patch: Patch) -> Image.Image:
    return Image.new("L", patch.size)


# ------------------------------------------------------------------ land and sea


def _around(sheet: Frame, patch: Patch) -> Patch:
    """A patch with all from which the blur carries something into it; nothing without a coast in sight."""
    mean = ceil(SHELF_BLUR * sheet.scale / COARSER) + 1
    around = patch.grown((MEANS * mean + 3) * COARSER).within(whole_patch(sheet))
    return around if has_coast(sheet, part_of(sheet, around, LINE_REACH)) else patch


def whole_patch(sheet: Frame) -> Patch:
    """All of a sheet. One that goes round the world has no end in the west and the east."""
    sideways = COARSER * sheet.width * sheet.height if sheet.atlas.period else 0
    return Patch(-sideways, 0, sheet.width + sideways, sheet.height)


def _fine_land(sheet: Frame, patch: Patch) -> Image.Image:
    fine, fine_patch = sheet.larger(FINER), patch.larger(FINER)
    image = _blank(fine_patch)
    fill_land(pencil(image, fine_patch), fine, part_of(sheet, patch, LINE_REACH))
    return image


def _nearness(sheet: Frame, land: Image.Image, around: Patch, patch: Patch) -> Image.Image:
    """How near the land is, from a blur of a small copy."""
    if not has_coast(sheet, part_of(sheet, around, LINE_REACH)):
        return land.crop(patch.of(around))
    small = land.reduce(COARSER).filter(ImageFilter.GaussianBlur(SHELF_BLUR * sheet.scale / COARSER))
    # The whole sheet is seldom a multiple of the small one, whose pixels are a little narrower then.
    across, down = ceil(sheet.width / COARSER) / sheet.width, ceil(sheet.height / COARSER) / sheet.height
    left, top = around.left // COARSER, around.top // COARSER
    box = (
        patch.left * across - left,
        patch.top * down - top,
        min(patch.right * across - left, small.width),
        min(patch.bottom * down - top, small.height),
    )
    return small.resize(patch.size, Image.Resampling.BICUBIC, box)


def _canvas(
    sheet: Frame,
    style: Style,
    patch: Patch,
    hexes: Hexes,
    inks: Image.Image,
    land: Image.Image,
    shelves: Image.Image,
) -> Image.Image:
    """Sea by depth, land without owner, and both fading beyond the board."""
    first, entries = _grounds(style)
    base = Image.new("L", patch.size, first[f"sea {len(SHELVES)}"])
    for depth, limit in reversed(list(enumerate(SHELVES))):
        base.paste(first[f"sea {depth}"], mask=shelves.point([0] * limit + [255] * (SHADES - limit)))
    base.paste(first[style.closed.owner], mask=land)
    outside = _outside(sheet, patch, hexes)
    if outside is not None:
        base.paste(first["beyond sea"], mask=outside)
        base.paste(first["beyond land"], mask=ImageChops.multiply(outside, land))
    canvas = ImageChops.add(base, inks).point(entries)
    canvas.putpalette(fixed_palette(style).getpalette() or [])
    _lay_paper(sheet, style, patch, canvas)
    return _with_water_sides(sheet, style, patch, hexes, canvas)


def _with_water_sides(sheet: Frame, style: Style, patch: Patch, hexes: Hexes, canvas: Image.Image) -> Image.Image:
    """With the hexsides at sea that stop armies; land is laid over them."""
    sides = ((place, at, direction) for place, at in hexes for direction in range(3))
    closed = [(at, direction) for place, at, direction in sides if (place, direction) in _closed(sheet.atlas)]
    if not closed:
        return canvas
    colours = canvas.convert("RGB")
    for at, direction in closed:
        (x1, y1), (x2, y2) = sheet.side_around(at, direction)
        sprite = water_side(style, sheet.atlas.layout.top, sheet.scale, direction)
        stamp(colours, sprite, (x1 + x2) / 2 - patch.left, (y1 + y2) / 2 - patch.top)
    return flattened(colours, style)


@lru_cache(maxsize=8)
def _closed(atlas: Atlas) -> frozenset[tuple[str, int]]:
    return frozenset(atlas.closed)


class _Grounds(NamedTuple):
    """The ramps of what nobody owns one after the other: where each begins, and the entry of the fixed palette that
    each step of them is."""

    first: dict[str, int]
    entries: list[int]


@lru_cache(maxsize=8)
def _grounds(style: Style) -> _Grounds:
    families = [*(f"sea {depth}" for depth in range(len(style.sea))), style.closed.owner, "beyond sea", "beyond land"]
    entries = [entry_of(style, shade) for family in families for shade in shades(style, family)]
    first = {family: number * len(INKS) for number, family in enumerate(families)}
    return _Grounds(first, entries + [0] * (SHADES - len(entries)))


def _lay_paper(sheet: Frame, style: Style, patch: Patch, canvas: Image.Image) -> None:
    """The map is cut to its frame, with a double line around it."""
    thickness, draw = _thickness(sheet, FRAME_WIDTH), pencil(canvas, patch)
    left, top, right, bottom = map_box(sheet)
    paper = entry_of(style, style.paper)
    above, below = (0, 0, sheet.width, top - 1), (0, bottom, sheet.width, sheet.height)
    west, east = (0, 0, left - 1, sheet.height), (right, 0, sheet.width, sheet.height)
    margins = [above, below, west, east]
    if sheet.atlas.period:  # no end in the west and the east
        left, right = patch.left - sheet.scale, patch.right + sheet.scale
        margins = [(left, 0, right, top - 1), (left, bottom, right, sheet.height)]
    for margin in margins:
        draw.rectangle(margin, fill=paper)
    draw.rectangle((left, top, right, bottom), outline=entry_of(style, style.ink), width=thickness)
    away = 3 * thickness
    draw.rectangle((left - away, top - away, right + away, bottom + away), outline=entry_of(style, style.soft_ink))


def _outside(sheet: Frame, patch: Patch, hexes: Hexes) -> Image.Image | None:
    """Where the board is not; None if it is everywhere."""
    if hexes and not list(_rim_sides(sheet.atlas, hexes)):
        return None
    board = _blank(patch)
    draw = pencil(board, patch)
    for _, at in hexes:
        draw.polygon(sheet.corners_around(*sheet.pixel(*at)), fill=255)
    return ImageChops.invert(board)


# ------------------------------------------------------------------ lines


def _darkness(sheet: Frame, patch: Patch, hexes: Hexes, fine_land: Image.Image) -> Image.Image:
    """Painted from the faintest to the firmest."""
    fine, fine_patch, part = sheet.larger(FINER), patch.larger(FINER), part_of(sheet, patch, LINE_REACH)
    coast = _thickness(fine, COAST_WIDTH)
    sea = ImageChops.invert(fine_land)
    draw_coast(pencil(sea, fine_patch), fine, part, 0, coast)
    image = _blank(fine_patch)
    draw = pencil(image, fine_patch)
    _draw_mountains(draw, fine, hexes)
    _draw_forests(draw, fine, hexes)
    draw_coast(draw, fine, part, COAST, coast)
    _draw_sides(draw, fine, _border_sides(sheet.atlas, hexes), BORDER, BORDER_WIDTH)
    image.paste(0, mask=sea)
    _draw_sides(draw, fine, _rim_sides(sheet.atlas, hexes), RIM, RIM_WIDTH)
    return image


def _with_grid(sheet: Frame, patch: Patch, hexes: Hexes, image: Image.Image) -> Image.Image:
    """The grid is too faint for steps to show, and a third smaller in the file without smoothing."""
    grid = _blank(patch)
    _draw_sides(pencil(grid, patch), sheet, _grid_sides(sheet.atlas, hexes), GRID, GRID_WIDTH)
    return ImageChops.lighter(image, grid)


def _thickness(frame: Frame, width: float) -> int:
    return max(1, round(width * frame.scale))


def _draw_sides(draw: ImageDraw.ImageDraw, frame: Frame, sides: Iterable[Sides], darkness: int, width: float) -> None:
    """Sides of a hex that follow each other are drawn as one line."""
    thickness = _thickness(frame, width)
    reach = thickness / 2 - 0.5
    for middle, first, last in sides:
        corners = frame.corners_around(*frame.pixel(*middle))
        line = [*corners, *corners][first : last + 2]
        draw.line(line, fill=darkness, width=thickness)
        for x, y in line if reach else ():
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=darkness)


def _sides(atlas: Atlas, hexes: Hexes, is_drawn: Callable[[str, int, str], bool]) -> Iterator[Sides]:
    for place, at in hexes:
        drawn = [is_drawn(place, direction, there) for direction, there in enumerate(atlas.neighbours(place))]
        for first in range(6):
            if drawn[first] and not (first and drawn[first - 1]):
                yield at, first, drawn.index(False, first) - 1 if False in drawn[first:] else 5


def _grid_sides(atlas: Atlas, hexes: Hexes) -> Iterator[Sides]:
    """Each hexside between two hexes once."""
    return _sides(atlas, hexes, lambda place, _, there: place < there and atlas.is_hex(there))


def _border_sides(atlas: Atlas, hexes: Hexes) -> Iterator[Sides]:
    """Hexsides between two countries that have land on them."""
    return _sides(atlas, hexes, lambda place, side, there: place < there and atlas.is_border(place, side))


def _rim_sides(atlas: Atlas, hexes: Hexes) -> Iterator[Sides]:
    """Where the board ends."""
    return _sides(atlas, hexes, lambda _place, _side, there: not atlas.is_hex(there))


# ------------------------------------------------------------------ mountains and forests


def _draw_forests(draw: ImageDraw.ImageDraw, frame: Frame, hexes: Hexes) -> None:
    """A few small trees below where an army would stand."""
    for place, at in hexes:
        if frame.atlas.terrain[place] == "forest":
            for x, y in TREES:
                west, north = frame.pixel(at[0] + x - TREE / 2, at[1] + y + TREE)
                east, south = frame.pixel(at[0] + x + TREE / 2, at[1] + y)
                draw.polygon([((west + east) / 2, north), (east, south), (west, south)], fill=WOOD)


def _draw_mountains(draw: ImageDraw.ImageDraw, frame: Frame, hexes: Hexes) -> None:
    for place, at in hexes:
        if frame.atlas.terrain[place] == "mountain":
            east = at[0] - frame.atlas.middle(place)[0]
            for x, y, size in _peaks(frame.atlas, place):
                west_end, top = frame.pixel(x + east - size * 0.75, y + size * 0.55)
                east_end, bottom = frame.pixel(x + east + size * 0.75, y - size * 0.45)
                draw_peak(draw, (west_end, top, east_end, bottom), _thickness(frame, PEAK_WIDTH), PEAK, 0)


@lru_cache(maxsize=1024)
def _peaks(atlas: Atlas, place: str) -> list[tuple[float, float, float]]:
    """Peaks scattered over a hex, always the same ones, from north to south so that the nearer hides the farther.

    None stands under the name of a country.
    """
    chance = Random(place)
    x, y = atlas.middle(place)
    peaks = []
    for row, count in ((0.28, 2), (0.06, 3), (-0.16, 3), (-0.36, 1)):
        for number in range(count):
            dx = (number - (count - 1) / 2) * 0.3 + chance.uniform(-0.06, 0.06)
            peaks.append((x + dx, y + row + chance.uniform(-0.04, 0.04), chance.uniform(0.13, 0.2)))
    names = [name for name in atlas.countries if name.is_near(x, y)]
    free = [peak for peak in peaks if not any(name.covers(*peak[:2]) for name in names)]
    return sorted(free, key=lambda peak: -peak[1])
