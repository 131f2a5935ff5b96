"""Marks on the map, drawn as shapes: emblems of the sides, capitals, ports, production and what is left of it."""

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw

from pbem.draw.atlas import Point
from pbem.draw.palette import palette, side_colours
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp
from pbem.draw.style import mix

COG_TEETH = 10


@lru_cache(maxsize=64)
def emblem(side: str, size: int, colour: str) -> Sprite:
    """A cross, a diamond or a ring, so that a side is known without its colour; a triangle or a square for no side."""
    kind = side_colours(side).emblem

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        draw_emblem(draw, kind, size * finer / 2, size * finer / 2, size * finer / 2, colour)

    return shape(size, size, paint)


def draw_emblem(draw: ImageDraw.ImageDraw, kind: str, x: float, y: float, reach: float, colour: str) -> None:
    match kind:
        case "cross":
            arm = reach * 0.36
            draw.rectangle((x - arm, y - reach, x + arm, y + reach), fill=colour)
            draw.rectangle((x - reach, y - arm, x + reach, y + arm), fill=colour)
        case "diamond":
            draw.polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], fill=colour)
        case "ring":
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), outline=colour, width=round(reach * 0.55))
        case "triangle":
            draw.polygon(
                [(x, y - reach * 0.9), (x + reach, y + reach * 0.8), (x - reach, y + reach * 0.8)], fill=colour
            )
        case "square":
            arm = reach * 0.72
            draw.rectangle((x - arm, y - arm, x + arm, y + arm), outline=colour, width=round(reach * 0.4))


def star_points(x: float, y: float, outer: float, inner: float, rays: int) -> list[Point]:
    """A star with one ray to the north."""
    points = []
    for step in range(2 * rays):
        reach, angle = (inner if step % 2 else outer), pi * step / rays
        points.append((x + reach * sin(angle), y - reach * cos(angle)))
    return points


@lru_cache(maxsize=16)
def capital(size: int) -> Sprite:
    table = palette()

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle, reach = size * finer / 2, size * finer / 2
        draw.polygon(star_points(middle, middle * 1.06, reach, reach * 0.42, 5), fill=table.ink)
        draw.polygon(star_points(middle, middle * 1.06, reach * 0.72, reach * 0.31, 5), fill=table.gold)

    return shape(size, size, paint)


@lru_cache(maxsize=16)
def port(size: int) -> Sprite:
    """An anchor with a pale rim."""
    table = palette()

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        for colour, extra in ((table.white, finer * 1.6), (table.ink, 0.0)):
            _draw_anchor(draw, size * finer, colour, size * finer * 0.11 + extra)

    return shape(size, size, paint)


def _draw_anchor(draw: ImageDraw.ImageDraw, size: float, colour: str, thickness: float) -> None:
    x, ring, width = size / 2, size * 0.12, round(thickness)
    reach = thickness / 2
    draw.ellipse(
        (x - ring - reach, size * 0.06 - reach / 2, x + ring + reach, size * 0.3 + reach), outline=colour, width=width
    )
    draw.line((x, size * 0.28, x, size * 0.86), fill=colour, width=width)
    draw.line((x - size * 0.2, size * 0.42, x + size * 0.2, size * 0.42), fill=colour, width=width)
    span = size * 0.34
    draw.arc((x - span - reach, size * 0.2, x + span + reach, size * 0.88 + reach), 15, 165, fill=colour, width=width)


# ------------------------------------------------------------------ production


@lru_cache(maxsize=256)
def production(points: int, devastated: int, ruined: int, size: int) -> Sprite:
    """A cog with the points that work. Struck through when none do; crossed out when none ever will again."""
    table = palette()
    working = points - devastated
    number, colour = (str(working), table.ink) if working else (str(points), table.soft_ink)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        _draw_cog(draw, size * finer, table.ink if working else table.soft_ink, _plate(working))

    cog = shape(size, size, paint)
    tall = size * (0.54 if len(number) == 1 else 0.45)
    stamp(cog.image, letters(number, "narrow bold", tall, colour), size / 2, size / 2)
    return _struck(cog, ruined >= points) if not working else _tagged(cog, devastated) if devastated else cog


def _plate(working: int) -> str:
    table = palette()
    return table.white if working else mix(table.paper, table.soft_ink, 0.2)


def _draw_cog(draw: ImageDraw.ImageDraw, size: float, rim: str, plate: str) -> None:
    middle = size / 2
    for tooth in range(COG_TEETH):
        angle = 2 * pi * tooth / COG_TEETH
        x, y = middle + sin(angle) * size * 0.44, middle - cos(angle) * size * 0.44
        reach = size * 0.055
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=rim)
    draw.ellipse((size * 0.06, size * 0.06, size * 0.94, size * 0.94), fill=rim)
    draw.ellipse((size * 0.14, size * 0.14, size * 0.86, size * 0.86), fill=plate)


def _struck(cog: Sprite, for_good: bool) -> Sprite:
    size = cog.image.width

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        near, far, width = size * finer * 0.08, size * finer * 0.92, round(size * finer * 0.12)
        draw.line((near, far, far, near), fill=palette().red, width=width)
        if for_good:
            draw.line((near, near, far, far), fill=palette().red, width=width)

    stamp(cog.image, shape(size, size, paint), size // 2, size // 2)
    return cog


def _tagged(cog: Sprite, devastated: int) -> Sprite:
    """A small red number for the points that do not work, at the upper right and clear of the rim."""
    size = cog.image.width
    tag = letters(f"−{devastated}", "narrow bold", size * 0.52, palette().red, palette().white)
    up = tag.image.height // 2
    sheet = Image.new("RGBA", (round(size * 0.74) + tag.image.width, size + up), CLEAR)
    sheet.alpha_composite(cog.image, (0, up))
    sheet.alpha_composite(tag.image, (round(size * 0.74), 0))
    return Sprite(sheet, size // 2, size // 2 + up)


# ------------------------------------------------------------------ mountains


@lru_cache(maxsize=8)
def peaks(width: int, height: int) -> Sprite:
    """Two peaks with hachures, as the ground has them."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        for left, top, wide in ((0.02, 0.3, 0.56), (0.38, 0.02, 0.6)):
            box = (left * width * finer, top * height * finer, (left + wide) * width * finer, height * finer)
            draw_peak(draw, box, round(1.2 * finer), palette().soft_ink, palette().paper)

    return shape(width, height, paint)


def draw_peak(
    draw: ImageDraw.ImageDraw, box: tuple[float, float, float, float], width: int, line: str | int, fill: str | int
) -> None:
    """A roof with hachures on its shaded, eastern side, that hides what is behind it."""
    left, top, right, bottom = box
    crest = ((left + right) / 2, top)
    draw.polygon([crest, (right, bottom), (left, bottom)], fill=fill)
    draw.line([(left, bottom), crest, (right, bottom)], fill=line, width=width, joint="curve")
    for share in (0.35, 0.7):
        x, y = crest[0] + (right - crest[0]) * share, top + (bottom - top) * share
        fall = (bottom - y) * 0.8
        draw.line([(x, y), (x - fall * 0.35, y + fall)], fill=line, width=width)


# ------------------------------------------------------------------ strength


BARS = 4


@lru_cache(maxsize=64)
def bars(filled: int, width: int, height: int, colour: str) -> Sprite:
    """A band of strength as rising bars."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        box = (0.0, 0.0, float(width * finer), float(height * finer))
        draw_bars(draw, box, filled, colour, mix(colour, palette().white, 0.75))

    return shape(width, height, paint)


def draw_bars(
    draw: ImageDraw.ImageDraw, box: tuple[float, float, float, float], filled: int, full: str, empty: str
) -> None:
    """Four rising bars, filled up to the band."""
    left, top, right, bottom = box
    step = (right - left) / BARS
    for number in range(BARS):
        height = (bottom - top) * (0.4 + 0.6 * number / (BARS - 1))
        x = left + number * step
        draw.rectangle((x, bottom - height, x + step * 0.72, bottom), fill=full if number < filled else empty)


# ------------------------------------------------------------------ not there


@lru_cache(maxsize=16)
def cross(size: int, colour: str) -> Sprite:
    """Two crossed strokes with a pale rim."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        near, far = size * finer * 0.2, size * finer * 0.8
        for shade, width in ((palette().white, 0.3), (colour, 0.14)):
            for line in ((near, near, far, far), (near, far, far, near)):
                draw.line(line, fill=shade, width=round(size * finer * width))

    return shape(size, size, paint)
