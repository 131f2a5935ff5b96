"""Small pictures that are drawn once and stamped often: letters with a halo, and shapes smoothed by reduction."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw

from pbem.draw.fonts import cap_height, font, width_of
from pbem.draw.kept import kept

#: Shapes are drawn so many times larger and then reduced.
FINER = 4
CLEAR = (0, 0, 0, 0)
#: For each opacity the nearest of four.
FEW_STEPS = [(step + 42) // 85 * 85 for step in range(256)]
#: Room to the left and right of letters.
PAD = 2

Painter = Callable[[ImageDraw.ImageDraw, int], None]


class Sprite(NamedTuple):
    """A picture and where its own middle is."""

    image: Image.Image
    x: int
    y: int


def stamp(picture: Image.Image, sprite: Sprite, x: float, y: float) -> None:
    """Put the middle of a sprite at a point.

    A map is stamped a thousand times, so this goes past the checks of `Image.paste`, which take longer than the work.
    """
    left, top = round(x) - sprite.x, round(y) - sprite.y
    core = sprite.image.im
    picture.im.paste(core, (left, top, left + sprite.image.width, top + sprite.image.height), core)


def stamp_from(picture: Image.Image, sprite: Sprite, left: float, y: float) -> None:
    """Put letters so that they begin at a point, all lines alike."""
    stamp(picture, sprite, round(left) - PAD + sprite.x, y)


def in_line(sprites: Sequence[Sprite]) -> Sprite:
    """Several sprites side by side as one, around their middle."""
    width = sum(sprite.image.width for sprite in sprites)
    up = max(sprite.y for sprite in sprites)
    down = max(sprite.image.height - sprite.y for sprite in sprites)
    sheet, left = Image.new("RGBA", (width, up + down), CLEAR), 0
    for sprite in sprites:
        sheet.paste(sprite.image, (left, up - sprite.y))
        left += sprite.image.width
    return Sprite(sheet, width // 2, up)


def trimmed(sprite: Sprite) -> Sprite:
    """Without the clear margins, to take less room where many are kept."""
    left, top, right, bottom = sprite.image.getbbox() or (0, 0, 1, 1)
    return Sprite(sprite.image.crop((left, top, right, bottom)), sprite.x - left, sprite.y - top)


def shape(width: int, height: int, painter: Painter) -> Sprite:
    """What a painter draws on a sheet that is FINER times larger, the factor given to it."""
    sheet = Image.new("RGBA", (width * FINER, height * FINER), CLEAR)
    painter(ImageDraw.Draw(sheet), FINER)
    return Sprite(sheet.reduce(FINER), width // 2, height // 2)


@kept
def letters(
    text: str, face: str, size: float, colour: str, halo: str = "", *, tracking: float = 0, turn: float = 0
) -> Sprite:
    """A line of text around its middle, with a halo of another colour, letter-spaced, turned by degrees."""
    rim = max(1, round(size / 7)) if halo else 0
    parts = _spaced(text, face, size, tracking)
    width = parts[-1][0] + width_of(parts[-1][1], face, size)
    sheet = Image.new("RGBA", (round(width) + 2 * (PAD + rim), round(size * 1.6) + 2 * rim), CLEAR)
    draw, kind = ImageDraw.Draw(sheet), font(face, size)
    left, base = (sheet.width - width) / 2, sheet.height / 2 + cap_height(face, size) / 2
    for x, part in parts if halo else ():
        draw.text((left + x, base), part, halo, kind, anchor="ls", stroke_width=rim, stroke_fill=halo)
    for x, part in parts:
        draw.text((left + x, base), part, colour, kind, anchor="ls")
    return _turned(_coarse(sheet), turn)


def _coarse(sheet: Image.Image) -> Image.Image:
    """Letters need no more than a few steps at their edges; fewer make a smaller file."""
    sheet.putalpha(sheet.getchannel("A").point(FEW_STEPS))
    return sheet


def _spaced(text: str, face: str, size: float, tracking: float) -> list[tuple[float, str]]:
    """Letters one by one if they are spaced, else all together, each with its distance from the first."""
    if not tracking or not text:
        return [(0.0, text)]
    places, x = [], 0.0
    for letter in text:
        places.append((x, letter))
        x += width_of(letter, face, size) + tracking
    return places


def _turned(sheet: Image.Image, turn: float) -> Sprite:
    if turn:
        sheet = sheet.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    return Sprite(sheet, sheet.width // 2, sheet.height // 2)
