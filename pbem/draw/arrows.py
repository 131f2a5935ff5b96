"""Drawing what happened: arrows for the ways of armies, stars for battles, tags for losses, rings for captures.

Armies that moved leave a broken arrow, those that advanced a firm one, those that retreated a hollow one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot

import msgspec
from PIL import Image, ImageDraw

from pbem.draw.atlas import CORNERS, Point
from pbem.draw.fonts import width_of
from pbem.draw.geometry import Frame
from pbem.draw.happenings import Happenings, Losses
from pbem.draw.marks import star_points
from pbem.draw.palette import palette, side_colours
from pbem.draw.places import Places
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp


class Stroke(msgspec.Struct, frozen=True):
    """How an arrow looks: width and head in hex widths, its shaft firm, broken or hollow, its head full or hollow."""

    width: float
    head: float = 0.2
    broken: float = 0
    hollow_shaft: bool = False
    hollow_head: bool = False


STROKES = {
    "moved": Stroke(0.05, broken=0.1),
    "advanced": Stroke(0.085),
    "retreated": Stroke(0.06, hollow_shaft=True, hollow_head=True),
    "attacks": Stroke(0.085),
    "may attack": Stroke(0.085, hollow_head=True),
    "fires": Stroke(0.085, head=0),
    "exploits": Stroke(0.055, head=0.17),
    "may exploit": Stroke(0.055, head=0.17, broken=0.07),
    "falls back": Stroke(0.022, head=0.11, hollow_head=True),
    "sails": Stroke(0.05, broken=0.045),
    "lands": Stroke(0.085, broken=0.045),
    "sailed": Stroke(0.042, head=0.17, broken=0.04),
    "landed": Stroke(0.085, broken=0.045),
    "turned back": Stroke(0.06, broken=0.045, hollow_head=True),
}

# Sizes in hex widths.
CASING = 0.03
LEAST = 0.24
#: Ways up to this length are straight.
STRAIGHT, STEPS = 1.2, 16
#: How far long ways bend, to the left or to the right; the first is the usual one.
BENDS = (0.13, -0.13, 0.05, -0.05, 0.2, -0.2, 0.27, -0.27)
STAR_SIZE, STAR_AT = 0.27, (-0.35, -0.3)
TAG_AT, TAG_SIZE, TAG_STEP = (0.33, -0.33), 0.125, 0.2
SALVO_SIZE, SALVO_AT = 0.21, (0.41, -0.13)
WORK_SIZE = 0.115
FINER = 2
#: Longer arrows are cut to the picture; strips of a sheet are so high. In hex widths.
LONG, STRIP = 1.3, 2


def draw_captures(picture: Image.Image, frame: Frame, found: Happenings) -> None:
    for place, side in found.captured.items():
        if place[1:].isdigit():
            stamp(picture, capture_ring(frame.scale, side), *frame.pixel_of(place))


def draw_battles(picture: Image.Image, scale: int, found: Happenings, where: Places) -> None:
    star = battle_star(round(STAR_SIZE * scale))
    for place in found.battles:
        if (at := where(place)) is not None:
            stamp(picture, star, at[0] + STAR_AT[0] * scale, at[1] + STAR_AT[1] * scale)
    for place in found.bombarded:
        if (at := where(place)) is not None:
            stamp(picture, salvo(round(SALVO_SIZE * scale)), at[0] + SALVO_AT[0] * scale, at[1] + SALVO_AT[1] * scale)
    for one, other in found.salvoes:
        if (here := where(one)) is not None and (there := where(other)) is not None:
            stamp(picture, salvo(round(SALVO_SIZE * scale)), (here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
    _draw_losses(picture, scale, found, where)


def _draw_losses(picture: Image.Image, scale: int, found: Happenings, where: Places) -> None:
    """Where two sides lost something in one place, one below the other."""
    tagged: Counter[str] = Counter()
    for losses in found.losses.values():
        if (at := where(losses.place)) is not None:
            down = TAG_AT[1] + tagged[losses.place] * TAG_STEP
            text = loss_tag(losses_text(losses), losses.side, scale)
            stamp(picture, text, at[0] + TAG_AT[0] * scale, at[1] + down * scale)
            tagged[losses.place] += 1


def losses_text(losses: Losses) -> str:
    """Points that went with an enemy counter are not always known."""
    return " ".join((*([f"−{losses.count}"] if losses.count else []), *(["✕"] if losses.eliminated else [])))


# ------------------------------------------------------------------ arrows


def paste_arrow(picture: Image.Image, scale: int, path: list[Point], side: str, manner: str) -> None:
    """Of a long one only what will be seen."""
    pad = round(scale * (STROKES[manner].head + CASING))
    left, top = (int(min(point[axis] for point in path)) - pad for axis in (0, 1))
    right, bottom = (int(max(point[axis] for point in path)) + pad for axis in (0, 1))
    if max(right - left, bottom - top) >= LONG * scale + 2 * pad:
        left, top, right, bottom = max(0, left), max(0, top), min(picture.width, right), min(picture.height, bottom)
    if left < right and top < bottom:
        sheet = _clear_sheet((right - left) * FINER, (bottom - top) * FINER)
        fine = [((x - left) * FINER, (y - top) * FINER) for x, y in path]
        draw_arrow(ImageDraw.Draw(sheet), fine, scale * FINER, side, manner)
        for part, x, y in _in_strips(sheet, scale):
            stamp(picture, Sprite(part, 0, 0), left + x, top + y)


def _clear_sheet(width: int, height: int) -> Image.Image:
    """All of an arrow is either clear or not transparent at all, so a palette will do: one byte a pixel, 0 is clear."""
    sheet = Image.new("P", (width, height))
    sheet.putpalette(CLEAR[:3])
    sheet.info["transparency"] = 0
    return sheet


def _in_strips(sheet: Image.Image, scale: int) -> Iterator[tuple[Image.Image, int, int]]:
    """What is drawn on a finer sheet, reduced, and where it begins. Around a long arrow most is clear."""
    height = STRIP * scale * FINER
    for top in range(0, sheet.height, height):
        strip = sheet.crop((0, top, sheet.width, min(top + height, sheet.height)))
        if (box := strip.getbbox()) is not None:
            left, right = box[0] // FINER, -(-box[2] // FINER)
            part = strip.crop((left * FINER, 0, right * FINER, strip.height))
            yield part.convert("RGBA").reduce(FINER), left, top // FINER


def path_between(
    start: Point, end: Point, scale: int, trims: tuple[float, float], aside: float = 0, bend: float = BENDS[0]
) -> list[Point]:
    """From near one middle to near the other, so far to the right of the straight way; longer ways bend a little.

    All but the points is in hex widths.
    """
    start_trim, end_trim = trims
    start, end = (round(start[0]), round(start[1])), (round(end[0]), round(end[1]))
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) / scale
    room = max(LEAST, length - start_trim - end_trim)
    first = (length - room) * start_trim / (start_trim + end_trim) / length
    bend, lane = bend * max(0.0, length - STRAIGHT) / length, aside / length
    points = []
    for step in range(STEPS + 1):
        share = first + step / STEPS * room / length
        bow = 4 * share * (1 - share) * bend - lane
        points.append((start[0] + dx * share + dy * bow, start[1] + dy * share - dx * bow))
    return points


def draw_arrow(draw: ImageDraw.ImageDraw, path: list[Point], scale: float, side: str, manner: str) -> None:
    """First a pale casing, then the arrow; all in the pixels of the patch."""
    colours, table, stroke = side_colours(side), palette(), STROKES[manner]
    width, head = stroke.width * scale, stroke.head * scale
    shaft = [*path[: _neck(path, head)], _back_from(path, head * 0.8)]
    outline = _outline_of_head(path, head)
    casing = min(CASING, stroke.width) * scale
    _stroke(draw, shaft, width + 2 * casing, table.white)
    draw.line(outline, fill=table.white, width=round(2 * casing), joint="curve")
    _stroke(draw, shaft, width, colours.dark, broken=scale * stroke.broken)
    if stroke.hollow_shaft:
        _stroke(draw, shaft, width * 0.45, table.white)
    draw.polygon(outline, fill=table.white if stroke.hollow_head else colours.dark)
    if stroke.hollow_head:
        draw.line(outline, fill=colours.dark, width=round(0.022 * scale), joint="curve")


def _outline_of_head(path: list[Point], head: float) -> list[Point]:
    """Around the head and on to its second corner, so that the joints come out round."""
    wings, tip = _wings(path, head), path[-1]
    return [*wings, tip, wings[0], wings[1]]


def _neck(path: list[Point], head: float) -> int:
    """The number of points before the head begins."""
    tip = path[-1]
    return sum(1 for x, y in path if hypot(tip[0] - x, tip[1] - y) > head * 0.8)


def _direction(path: list[Point], head: float) -> Point:
    """Where the end of the path points to."""
    base = path[max(0, _neck(path, head) - 1)]
    dx, dy = path[-1][0] - base[0], path[-1][1] - base[1]
    length = hypot(dx, dy) or 1.0
    return dx / length, dy / length


def _back_from(path: list[Point], distance: float) -> Point:
    dx, dy = _direction(path, distance)
    return path[-1][0] - dx * distance, path[-1][1] - dy * distance


def _wings(path: list[Point], head: float) -> list[Point]:
    (dx, dy), (x, y) = _direction(path, head), path[-1]
    back, half = (x - dx * head, y - dy * head), head * 0.5
    return [(back[0] + dy * half, back[1] - dx * half), (back[0] - dy * half, back[1] + dx * half)]


def _stroke(draw: ImageDraw.ImageDraw, path: list[Point], width: float, colour: str, broken: float = 0) -> None:
    for part in _dashes(path, broken) if broken else [path]:
        draw.line(_plain(part), fill=colour, width=round(width))


def _plain(path: list[Point]) -> list[Point]:
    """Only the ends of a straight path: short pieces of a wide line leave gaps between them."""
    (x1, y1), (x2, y2) = path[0], path[-1]
    bulge = max(abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) for x, y in path)
    return [path[0], path[-1]] if bulge < hypot(x2 - x1, y2 - y1) else path


def _dashes(path: list[Point], length: float) -> Iterator[list[Point]]:
    """Pieces of a path, a little longer than the gaps between them."""
    on, off = length * 1.2, length * 0.8
    walked, dash = 0.0, [path[0]]
    for here, there in pairwise(path):
        reach = hypot(there[0] - here[0], there[1] - here[1])
        ends = sorted(_turns(walked, walked + reach, on, on + off))
        for at, begins in ends:
            share = (at - walked) / reach
            point = (here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share)
            if begins:
                dash = [point]
            else:
                yield [*dash, point]
                dash = []
        walked += reach
        if dash:
            dash.append(there)
    if len(dash) > 1:
        yield dash


def _turns(start: float, end: float, on: float, pitch: float) -> Iterator[tuple[float, bool]]:
    """Where on this piece of the way dashes begin (True) and end."""
    for number in range(int(start / pitch), int(end / pitch) + 1):
        if number and start < number * pitch <= end:
            yield number * pitch, True
        if start < number * pitch + on <= end:
            yield number * pitch + on, False


# ------------------------------------------------------------------ marks


@lru_cache(maxsize=8)
def battle_star(size: int, hollow: bool = False) -> Sprite:
    table = palette()

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle = size * finer / 2
        draw.polygon(star_points(middle, middle, middle, middle * 0.55, 8), fill=table.ink)
        draw.polygon(star_points(middle, middle, middle * 0.8, middle * 0.44, 8), fill=_star_colour(hollow))
        if not hollow:
            draw.polygon(star_points(middle, middle, middle * 0.42, middle * 0.22, 8), fill=table.red)

    return shape(size, size, paint)


@lru_cache(maxsize=8)
def salvo(size: int) -> Sprite:
    """Ships fire: a splash in the colours of the sea."""
    table = palette()

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle = size * finer / 2
        draw.polygon(star_points(middle, middle, middle, middle * 0.6, 6), fill=table.shore)
        draw.polygon(star_points(middle, middle, middle * 0.76, middle * 0.42, 6), fill=table.white)
        draw.ellipse([middle * part for part in (0.74, 0.74, 1.26, 1.26)], fill=table.red)

    return shape(size, size, paint)


def _star_colour(hollow: bool) -> str:
    return palette().white if hollow else palette().gold


def loss_tag(text: str, side: str, scale: int) -> Sprite:
    """The points lost in red."""
    return tag(text, side, scale, palette().red)


@lru_cache(maxsize=512)
def tag(text: str, side: str, scale: int, colour: str, height: float = TAG_SIZE) -> Sprite:
    """A pale tag with a rim in the side's colour."""
    table, size = palette(), height * scale
    width, tall = round(width_of(text, "narrow bold", size) + size), round(size * 1.5)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        box = (0, 0, width * finer - 1, tall * finer - 1)
        rim = side_colours(side).dark
        draw.rounded_rectangle(box, tall * finer / 2, fill=table.white, outline=rim, width=round(1.5 * finer))

    pale = shape(width, tall, paint)
    stamp(pale.image, letters(text, "narrow bold", size, colour), width / 2, tall / 2)
    return pale


def work_tag(works: Sequence[str], side: str, scale: int) -> Sprite:
    """What is built, repaired or lent in a place."""
    return tag("  ".join(works), side, scale, palette().ink, WORK_SIZE)


@lru_cache(maxsize=16)
def capture_ring(scale: int, side: str, share: float = 0.9) -> Sprite:
    """A hexagon inside the hex, so large a share of it; a small one has fewer dashes."""
    size = round(scale * (share + 0.1) * 1.2)
    dashes = ((0.04, 0.3), (0.37, 0.63), (0.7, 0.96)) if share > 0.5 else ((0.12, 0.88),)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle, reach = size * finer / 2, scale * finer * share
        corners = [(middle + x * reach, middle + y * reach) for x, y in CORNERS["pointed"]]
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            for start, end in dashes:
                ends = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in (start, end)]
                draw.line(ends, fill=side_colours(side).dark, width=round(0.035 * scale * finer))

    return shape(size, size, paint)
