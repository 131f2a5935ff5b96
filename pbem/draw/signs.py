"""Signs, drawn as shapes: emblems of sides, capitals, ports, production and what is left of it, battles, captures."""

from collections.abc import Callable
from math import cos, pi, sin
from typing import NamedTuple

from PIL import Image, ImageDraw

from engine.layout import Top
from pbem.draw.atlas import CORNERS, Point
from pbem.draw.canvas import Canvas
from pbem.draw.kept import kept
from pbem.draw.scene import Mark, Scene
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp
from pbem.draw.style import Style, mix

COG_TEETH = 10


@kept
def emblem(style: Style, side: str, size: int, colour: str) -> Sprite:
    """A cross, a diamond or a ring, so that a side is known without its colour; a triangle or a square for no side."""
    kind = style.side(side).emblem

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


@kept
def capital(style: Style, size: int) -> Sprite:
    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle, reach = size * finer / 2, size * finer / 2
        draw.polygon(star_points(middle, middle * 1.06, reach, reach * 0.42, 5), fill=style.ink)
        draw.polygon(star_points(middle, middle * 1.06, reach * 0.72, reach * 0.31, 5), fill=style.gold)

    return shape(size, size, paint)


@kept
def port(style: Style, size: int) -> Sprite:
    """An anchor with a pale rim."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        for colour, extra in ((style.white, finer * 1.6), (style.ink, 0.0)):
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


@kept
def production(style: Style, points: int, devastated: int, ruined: int, size: int) -> Sprite:
    """A cog with the points that work. Struck through when none do; crossed out when none ever will again."""
    working = points - devastated
    number, colour = (str(working), style.ink) if working else (str(points), style.soft_ink)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        _draw_cog(draw, size * finer, style.ink if working else style.soft_ink, _plate(style, working))

    cog = shape(size, size, paint)
    tall = size * (0.54 if len(number) == 1 else 0.45)
    stamp(cog.image, letters(number, "narrow bold", tall, colour), size / 2, size / 2)
    return (
        _struck(style, cog, ruined >= points) if not working else _tagged(style, cog, devastated) if devastated else cog
    )


def _plate(style: Style, working: int) -> str:
    return style.white if working else mix(style.paper, style.soft_ink, 0.2)


def _draw_cog(draw: ImageDraw.ImageDraw, size: float, rim: str, plate: str) -> None:
    middle = size / 2
    for tooth in range(COG_TEETH):
        angle = 2 * pi * tooth / COG_TEETH
        x, y = middle + sin(angle) * size * 0.44, middle - cos(angle) * size * 0.44
        reach = size * 0.055
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=rim)
    draw.ellipse((size * 0.06, size * 0.06, size * 0.94, size * 0.94), fill=rim)
    draw.ellipse((size * 0.14, size * 0.14, size * 0.86, size * 0.86), fill=plate)


def _struck(style: Style, cog: Sprite, for_good: bool) -> Sprite:
    size = cog.image.width

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        near, far, width = size * finer * 0.08, size * finer * 0.92, round(size * finer * 0.12)
        draw.line((near, far, far, near), fill=style.red, width=width)
        if for_good:
            draw.line((near, near, far, far), fill=style.red, width=width)

    stamp(cog.image, shape(size, size, paint), size // 2, size // 2)
    return cog


def _tagged(style: Style, cog: Sprite, devastated: int) -> Sprite:
    """A small red number for the points that do not work, at the upper right and clear of the rim."""
    size = cog.image.width
    tag = letters(f"−{devastated}", "narrow bold", size * 0.52, style.red, style.white)
    up = tag.image.height // 2
    sheet = Image.new("RGBA", (round(size * 0.74) + tag.image.width, size + up), CLEAR)
    sheet.alpha_composite(cog.image, (0, up))
    sheet.alpha_composite(tag.image, (round(size * 0.74), 0))
    return Sprite(sheet, size // 2, size // 2 + up)


# ------------------------------------------------------------------ mountains


@kept
def peaks(style: Style, width: int, height: int) -> Sprite:
    """Two peaks with hachures, as the ground has them."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        for left, top, wide in ((0.02, 0.3, 0.56), (0.38, 0.02, 0.6)):
            box = (left * width * finer, top * height * finer, (left + wide) * width * finer, height * finer)
            draw_peak(draw, box, round(1.2 * finer), style.soft_ink, style.paper)

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


@kept
def bars(style: Style, filled: int, width: int, height: int, colour: str) -> Sprite:
    """A band of strength as rising bars."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        box = (0.0, 0.0, float(width * finer), float(height * finer))
        draw_bars(draw, box, filled, colour, mix(colour, style.white, 0.75))

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


# ------------------------------------------------------------------ what happened


@kept
def battle_star(style: Style, size: int, hollow: bool = False) -> Sprite:
    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle = size * finer / 2
        draw.polygon(star_points(middle, middle, middle, middle * 0.55, 8), fill=style.ink)
        inside = style.white if hollow else style.gold
        draw.polygon(star_points(middle, middle, middle * 0.8, middle * 0.44, 8), fill=inside)
        if not hollow:
            draw.polygon(star_points(middle, middle, middle * 0.42, middle * 0.22, 8), fill=style.red)

    return shape(size, size, paint)


@kept
def salvo(style: Style, size: int) -> Sprite:
    """Ships fire: a splash in the colours of the sea."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle = size * finer / 2
        draw.polygon(star_points(middle, middle, middle, middle * 0.6, 6), fill=style.shore)
        draw.polygon(star_points(middle, middle, middle * 0.76, middle * 0.42, 6), fill=style.white)
        draw.ellipse([middle * part for part in (0.74, 0.74, 1.26, 1.26)], fill=style.red)

    return shape(size, size, paint)


@kept
def capture_ring(style: Style, top: Top, scale: int, side: str, share: float = 0.9) -> Sprite:
    """A hexagon inside the hex, so large a share of it; a small one has fewer dashes."""
    size = round(scale * (share + 0.1) * 1.2)
    dashes = ((0.04, 0.3), (0.37, 0.63), (0.7, 0.96)) if share > 0.5 else ((0.12, 0.88),)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        middle, reach = size * finer / 2, scale * finer * share
        corners = [(middle + x * reach, middle + y * reach) for x, y in CORNERS[top]]
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            for start, end in dashes:
                ends = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in (start, end)]
                draw.line(ends, fill=style.side(side).dark, width=round(0.035 * scale * finer))

    return shape(size, size, paint)


# ------------------------------------------------------------------ not there


@kept
def cross(style: Style, size: int, colour: str) -> Sprite:
    """Two crossed strokes with a pale rim."""

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        near, far = size * finer * 0.2, size * finer * 0.8
        for shade, width in ((style.white, 0.3), (colour, 0.14)):
            for line in ((near, near, far, far), (near, far, far, near)):
                draw.line(line, fill=shade, width=round(size * finer * width))

    return shape(size, size, paint)


# ------------------------------------------------------------------ marks of a scene


class Sign(NamedTuple):
    """What a mark looks like: how to draw it, its size, and where in its hex it stands, in hex widths."""

    drawn: Callable[[Style, int], Sprite]
    size: float
    at: Point = (0.0, 0.0)


STAR_SIZE, STAR_AT = 0.27, (-0.35, -0.3)
SALVO_SIZE, SALVO_AT = 0.21, (0.41, -0.13)
#: Those below hide those above.
MARKS = {
    "battle": Sign(battle_star, STAR_SIZE, STAR_AT),
    "bombarded": Sign(salvo, SALVO_SIZE, SALVO_AT),
    "salvo": Sign(salvo, SALVO_SIZE),
}


def draw_marks(canvas: Canvas, scene: Scene) -> None:
    for name, sign in MARKS.items():
        for mark in scene.marks:
            if mark.sign == name:
                stamp_mark(canvas, mark, sign)


def stamp_mark(canvas: Canvas, mark: Mark, sign: Sign) -> None:
    """In its place, or half-way to the other one."""
    here, there = canvas.where(mark.place), canvas.where(mark.towards or mark.place)
    if here is not None and there is not None:
        at = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2) if mark.towards else here
        canvas.stamp(sign.drawn(canvas.style, round(sign.size * canvas.scale)), at, sign.at)


def draw_rings(canvas: Canvas, scene: Scene) -> None:
    """Hexes that changed hands."""
    for place, side in scene.rings.items():
        if canvas.frame.atlas.is_hex(place):
            ring = capture_ring(canvas.style, canvas.frame.atlas.layout.top, canvas.scale, side)
            canvas.stamp(ring, canvas.frame.pixel_of(place))
