"""Arrows: firm, broken or hollow by what they say, with a pale casing, so that they stand out on any ground."""

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

import msgspec
from PIL import Image, ImageDraw

from pbem.draw.atlas import Point
from pbem.draw.canvas import Canvas
from pbem.draw.sprites import CLEAR, Sprite, stamp
from pbem.draw.style import Style


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
FINER = 2
#: Longer arrows are cut to the picture; strips of a sheet are so high. In hex widths.
LONG, STRIP = 1.3, 2


def paste_arrow(canvas: Canvas, path: list[Point], side: str, manner: str) -> None:
    """Of a long one only what will be seen."""
    picture, scale = canvas.picture, canvas.scale
    pad = round(scale * (STROKES[manner].head + CASING))
    left, top = (int(min(point[axis] for point in path)) - pad for axis in (0, 1))
    right, bottom = (int(max(point[axis] for point in path)) + pad for axis in (0, 1))
    if max(right - left, bottom - top) >= LONG * scale + 2 * pad:
        left, top, right, bottom = max(0, left), max(0, top), min(picture.width, right), min(picture.height, bottom)
    if left < right and top < bottom:
        sheet = _clear_sheet((right - left) * FINER, (bottom - top) * FINER)
        fine = [((x - left) * FINER, (y - top) * FINER) for x, y in path]
        draw_arrow(canvas.style, ImageDraw.Draw(sheet), fine, scale * FINER, side, manner)
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


def draw_arrow(
    style: Style, draw: ImageDraw.ImageDraw, path: list[Point], scale: float, side: str, manner: str
) -> None:
    """First a pale casing, then the arrow; all in the pixels of the patch."""
    colours, stroke = style.side(side), STROKES[manner]
    width, head = stroke.width * scale, stroke.head * scale
    shaft = [*path[: _neck(path, head)], _back_from(path, head * 0.8)]
    outline = _outline_of_head(path, head)
    casing = min(CASING, stroke.width) * scale
    _stroke(draw, shaft, width + 2 * casing, style.white)
    draw.line(outline, fill=style.white, width=round(2 * casing), joint="curve")
    _stroke(draw, shaft, width, colours.dark, broken=scale * stroke.broken)
    if stroke.hollow_shaft:
        _stroke(draw, shaft, width * 0.45, style.white)
    draw.polygon(outline, fill=style.white if stroke.hollow_head else colours.dark)
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
