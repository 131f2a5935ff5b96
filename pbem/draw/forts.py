"""Fort counters: a wall with battlements in the side's colour and the points in it."""

from collections.abc import Collection
from functools import lru_cache
from math import ceil

import msgspec
from PIL import Image, ImageDraw

from engine.hitlers_war.europe import europe
from engine.hitlers_war.view import View
from pbem.draw.fonts import fitted, width_of
from pbem.draw.geometry import Frame
from pbem.draw.palette import palette, side_colours
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp
from pbem.draw.style import mix
from pbem.games.hitlers_war.brief import fort_points, season_short

# Sizes in hex widths and distances from the middle of the hex: beside the armies, or above them where there are many.
FORT_SIZE, FORT_AT = 0.225, (-0.388, -0.065)
SMALL_SIZE, SMALL_AT = 0.19, (-0.235, -0.38)
SEASON_SIZE, SEASON_AT = 0.085, -0.165
MERLONS = 3
#: The height of its letters and of small ones, and their room, in widths of a wall.
LETTERS, SMALL_LETTERS, ROOM = 0.54, 0.42, 0.88


class FortFace(msgspec.Struct, frozen=True):
    """`strength` is what is known of its points; a ghost was only seen earlier."""

    side: str
    strength: str
    ghost: bool = False


def draw_forts(
    picture: Image.Image, frame: Frame, view: View, crowded: Collection[str], given_up: Collection[str] = ()
) -> None:
    """Those in hexes; the others stand in their boxes."""
    for place in view.forts:
        if place in europe() and not europe()[place].is_box and frame.shows_hex(place):
            (dx, dy), size = (SMALL_AT, SMALL_SIZE) if place in crowded else (FORT_AT, FORT_SIZE)
            x, y = frame.pixel_of(place)
            sign = fort_sign(view, place, frame.scale, size, given_up=place in given_up)
            stamp(picture, sign, x + dx * frame.scale, y + dy * frame.scale)


def fort_sign(view: View, place: str, scale: int, size: float = FORT_SIZE, *, given_up: bool = False) -> Sprite:
    """One that was only seen earlier is pale and has the season above it; one that is to be given up is crossed out."""
    face = fort_face(view, place)
    if given_up:
        return crossed_out(face, round(size * scale))
    wall = fort(face, round(size * scale))
    return _with_season(wall, season_short(view.forts[place].seen), scale) if face.ghost else wall


def _with_season(wall: Sprite, when: str, scale: int) -> Sprite:
    text = letters(when, "narrow", SEASON_SIZE * scale, palette().ink, palette().white)
    up = round(-SEASON_AT * scale)
    width, height = max(wall.image.width, text.image.width), up + text.y + wall.image.height - wall.y
    sheet, x, y = Image.new("RGBA", (width, height), CLEAR), width // 2, up + text.y
    sheet.alpha_composite(wall.image, (x - wall.x, y - wall.y))
    sheet.alpha_composite(text.image, (x - text.x, 0))
    return Sprite(sheet, x, y)


def crossed_out(face: FortFace, size: int) -> Sprite:
    """Pale, under two red strokes, as production is that is gone for good."""
    wall = fort(FortFace(face.side, face.strength, ghost=True), size)
    room = round(size * 1.2)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        near, far, width = room * finer * 0.08, room * finer * 0.92, round(size * finer * 0.12)
        for line in ((near, near, far, far), (near, far, far, near)):
            draw.line(line, fill=palette().red, width=width)

    sheet = Image.new("RGBA", (room, room), CLEAR)
    sheet.alpha_composite(wall.image, (room // 2 - wall.x, room // 2 - wall.y))
    sheet.alpha_composite(shape(room, room, paint).image)
    return Sprite(sheet, room // 2, room // 2)


def fort_face(view: View, place: str) -> FortFace:
    known = view.forts[place]
    in_sight = place not in view.places or view.places[place].in_sight
    return FortFace(known.side, fort_points(known), ghost=not in_sight)


@lru_cache(maxsize=256)
def fort(face: FortFace, size: int) -> Sprite:
    colours, table = side_colours(face.side), palette()
    plate, ink = (
        (mix(colours.counter, table.white, 0.8), colours.dark) if face.ghost else (colours.counter, table.white)
    )
    wide, tall = _width(face.strength, size), round(size * 0.9)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        wall = _wall(wide * finer, tall * finer)
        draw.polygon(wall, fill=plate)
        draw.line([*wall, wall[0]], fill=colours.dark, width=round(1.3 * finer), joint="curve")

    counter = shape(wide, tall, paint)
    text, height = fitted(face.strength, "narrow bold", size * LETTERS, wide * ROOM)
    stamp(counter.image, letters(text, "narrow bold", height, ink), wide / 2, tall * 0.6)
    return counter


def _width(strength: str, size: int) -> int:
    """A wall is as wide as what is known of its points needs in small letters: '7-10' must not become '7-…'."""
    return max(size, ceil(width_of(strength, "narrow bold", size * SMALL_LETTERS) / ROOM))


def _wall(width: float, height: float) -> list[tuple[float, float]]:
    """Clockwise from the lower left, with battlements on top."""
    near, far, top, crenel, base = width * 0.05, width * 0.95, height * 0.05, height * 0.24, height * 0.95
    step = (far - near) / (2 * MERLONS - 1)
    outline = [(near, base)]
    for number in range(2 * MERLONS - 1):
        y = crenel if number % 2 else top
        outline += [(near + number * step, y), (near + (number + 1) * step, y)]
    return [*outline, (far, base)]
