"""One army counter: a side's colour and emblem, a NATO symbol, the short name and a line for the strength.

What was only seen earlier is a ghost: pale, with a broken rim, and with the season instead of a strength. What only
comes if something else does is hollow: white, with a firm rim.
"""

from PIL import Image, ImageDraw

from pbem.draw.fonts import fitted, width_of
from pbem.draw.kept import kept
from pbem.draw.scene import Face
from pbem.draw.signs import draw_bars, draw_emblem
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp
from pbem.draw.style import Style, mix

#: Room around a counter for its shadow.
ROOM = 2
SHADOW = (43, 38, 34, 96)
#: Letters on a low counter, in parts of its height, and how far they may shrink to make room for a symbol.
LOW_SIZE, SHRUNK = 0.36, 0.85
#: A number that stands for all there is to tell of an army, in parts of the height of its counter.
NUMBER_SIZE = 0.46
#: Symbols of troops whose points are known.
TROOPS = ("foot", "mobile", "both")

Box = tuple[float, float, float, float]


@kept
def counter(style: Style, face: Face, width: int, height: int) -> Sprite:
    """A square counter has three lines, a low one two."""
    sprite = shape(
        width + 2 * ROOM, height + 2 * ROOM, lambda draw, finer: _draw(style, draw, finer, face, width, height)
    )
    if _is_low(width, height):
        _letter_low(style, sprite.image, face, width, height)
    else:
        _letter_square(style, sprite.image, face, width, height)
    return sprite


# ------------------------------------------------------------------ shapes


def _draw(style: Style, draw: ImageDraw.ImageDraw, finer: int, face: Face, width: int, height: int) -> None:
    _draw_plate(style, draw, finer, face, width, height)
    box = _symbol_box(face, width, height)
    fine = (box[0] * finer, box[1] * finer, box[2] * finer, box[3] * finer)
    if not _shows_symbol(face, width, height):
        return
    if face.symbol == "bars":
        _draw_bars(style, draw, face, fine)
    elif face.symbol != "number":
        _draw_symbol(style, draw, finer, face, fine)
    if not _is_low(width, height):
        reach = height * finer * 0.075
        x, y = fine[0] - reach * 2.2, (fine[1] + fine[3]) / 2
        draw_emblem(draw, style.side(face.side).emblem, x, y, reach, _letter_colour(style, face))


def _draw_plate(style: Style, draw: ImageDraw.ImageDraw, finer: int, face: Face, width: int, height: int) -> None:
    colours = style.side(face.side)
    near, right, bottom = ROOM * finer, (ROOM + width) * finer, (ROOM + height) * finer
    curve, line = min(width, height) * finer * 0.13, round(1.3 * finer)
    if face.ghost:
        pale = mix(colours.counter, style.white, 0.8)
        draw.rounded_rectangle((near, near, right, bottom), curve, fill=pale, outline=colours.counter, width=line)
        _break_rim(draw, finer, near, right, bottom)
        return
    away = round(1.6 * finer)
    draw.rounded_rectangle((near + away, near + away, right + away, bottom + away), curve, fill=SHADOW)
    plate, line = (style.white, 2 * line) if face.hollow else (colours.counter, line)
    draw.rounded_rectangle((near, near, right, bottom), curve, fill=plate, outline=colours.dark, width=line)


def _break_rim(draw: ImageDraw.ImageDraw, finer: int, near: int, right: int, bottom: int) -> None:
    pitch, gap, reach = 7 * finer, round(2.5 * finer), round(1.3 * finer)
    for x in range(near + pitch, right - pitch // 2, pitch):
        for y in (near, bottom - reach):
            draw.rectangle((x, y, x + gap, y + reach), fill=CLEAR)
    for y in range(near + pitch, bottom - pitch // 2, pitch):
        for x in (near, right - reach):
            draw.rectangle((x, y, x + reach, y + gap), fill=CLEAR)


def _is_low(width: int, height: int) -> bool:
    return height < width * 0.75


def _is_narrow(width: int, height: int) -> bool:
    return _is_low(width, height) and width < height * 2


def _shows_symbol(face: Face, width: int, height: int) -> bool:
    """A low counter has none beside a number, nor one of troops if their points would have to be set small then."""
    if face.symbol in TROOPS and _is_low(width, height):
        return not _is_narrow(width, height) and _fits_beside_symbol(face, width, height)
    return face.symbol != "none" and not (face.symbol == "number" and _is_low(width, height))


def _fits_beside_symbol(face: Face, width: int, height: int) -> bool:
    start, end = _room_for_text(face, width, height, beside_symbol=True)
    return width_of(_low_text(face, width, height), "narrow bold", height * LOW_SIZE * SHRUNK) <= end - start


def _room_for_text(face: Face, width: int, height: int, *, beside_symbol: bool) -> tuple[float, float]:
    """Where the line for the strength begins and ends on a low counter."""
    start = _symbol_box(face, width, height)[2] + width * 0.04 if beside_symbol else ROOM + width * 0.05
    return start, ROOM + width * 0.95


def _symbol_box(face: Face, width: int, height: int) -> Box:
    """In the middle of a square counter, at the lower left of a low one."""
    if not _is_low(width, height):
        tall = height * 0.32
        left, top = ROOM + (width - tall * 1.55) / 2, ROOM + height * 0.32
        return left, top, left + tall * 1.55, top + tall
    tall, left, top = height * 0.36, ROOM + width * 0.08, ROOM + height * 0.52
    if _is_narrow(width, height) and not _low_text(face, width, height):
        left = ROOM + (width - tall * 1.55) / 2
    return left, top, left + tall * 1.55, top + tall


def _draw_symbol(style: Style, draw: ImageDraw.ImageDraw, finer: int, face: Face, box: Box) -> None:
    """A cross for foot, an oval for mobile troops, both for both."""
    line = round(1.1 * finer)
    left, top, right, bottom = box
    draw.rectangle(box, fill=style.white, outline=style.ink, width=line)
    if face.symbol in ("foot", "both"):
        draw.line((left, top, right, bottom), fill=style.ink, width=line)
        draw.line((left, bottom, right, top), fill=style.ink, width=line)
    if face.symbol in ("mobile", "both"):
        across, down = (right - left) * 0.17, (bottom - top) * 0.24
        draw.ellipse((left + across, top + down, right - across, bottom - down), outline=style.ink, width=line)


def _draw_bars(style: Style, draw: ImageDraw.ImageDraw, face: Face, box: Box) -> None:
    full = _letter_colour(style, face)
    empty = mix(full, style.white, 0.7) if face.ghost or face.hollow else mix(full, style.side(face.side).counter, 0.62)
    draw_bars(draw, box, face.bars, full, empty)


# ------------------------------------------------------------------ letters


def _letter_colour(style: Style, face: Face) -> str:
    return style.side(face.side).dark if face.ghost or face.hollow else style.white


def _letter_square(style: Style, image: Image.Image, face: Face, width: int, height: int) -> None:
    middle = ROOM + width / 2
    _letter(style, image, face, face.name, middle, ROOM + height * 0.175, height * 0.21, width * 0.9)
    if face.symbol == "number":
        _letter(style, image, face, face.strength, middle, ROOM + height * 0.6, height * NUMBER_SIZE, width * 0.9)
        return
    _letter(style, image, face, face.strength, middle, ROOM + height * 0.82, height * 0.21, width * 0.9)
    _letter_symbol(style, image, face, width, height)
    if face.badge:
        _draw_badge(style, image, face, ROOM + width * 0.87, ROOM + height * 0.48, height * 0.24)


def _low_text(face: Face, width: int, height: int) -> str:
    """The season in brief for a ghost; a narrow counter has no room for the word beside the bars."""
    wordless = _is_narrow(width, height) and face.symbol == "bars"
    return face.brief if face.brief or wordless else face.strength


def _letter_low(style: Style, image: Image.Image, face: Face, width: int, height: int) -> None:
    size, text = height * LOW_SIZE, _low_text(face, width, height)
    _letter(style, image, face, face.name, ROOM + width / 2, ROOM + height * 0.27, size, width * 0.9)
    start, end = _room_for_text(face, width, height, beside_symbol=_shows_symbol(face, width, height))
    _letter(style, image, face, text, (start + end) / 2, ROOM + height * 0.71, size, end - start)
    _letter_symbol(style, image, face, width, height)


def _letter(
    style: Style, image: Image.Image, face: Face, text: str, x: float, y: float, size: float, room: float
) -> None:
    text, size = fitted(text, "narrow bold", size, room)
    stamp(image, letters(text, "narrow bold", size, _letter_colour(style, face)), x, y)


def _letter_symbol(style: Style, image: Image.Image, face: Face, width: int, height: int) -> None:
    if face.symbol == "unknown":
        left, top, right, bottom = _symbol_box(face, width, height)
        stamp(image, letters("?", "bold", (bottom - top) * 0.8, style.ink), (left + right) / 2, (top + bottom) / 2)


def _draw_badge(style: Style, image: Image.Image, face: Face, x: float, y: float, size: float) -> None:
    """Something is the matter with this army."""
    stamp(image, letters(face.badge, "bold", size, style.gold), x, y)
