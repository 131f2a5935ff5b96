"""Fort counters: a wall with battlements in the side's colour and the points in it."""

from math import ceil

from PIL import Image, ImageDraw

from pbem.draw.canvas import Canvas
from pbem.draw.fonts import fitted, width_of
from pbem.draw.kept import kept
from pbem.draw.scene import Fort, Scene
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp
from pbem.draw.stacks import is_crowded
from pbem.draw.style import Style, mix

# Sizes in hex widths and distances from the middle of the hex: beside the armies, or above them where there are many.
FORT_SIZE, FORT_AT = 0.225, (-0.388, -0.065)
SMALL_SIZE, SMALL_AT = 0.19, (-0.235, -0.38)
SEASON_SIZE, SEASON_AT = 0.085, -0.165
MERLONS = 3
#: The height of its letters and of small ones, and their room, in widths of a wall.
LETTERS, SMALL_LETTERS, ROOM = 0.54, 0.42, 0.88


def draw_forts(canvas: Canvas, scene: Scene) -> None:
    """Those in hexes; the others stand in their panels."""
    for place, fort in scene.forts.items():
        if canvas.frame.atlas.is_hex(place) and canvas.frame.shows_hex(place):
            at, size = (SMALL_AT, SMALL_SIZE) if is_crowded(scene, place) else (FORT_AT, FORT_SIZE)
            canvas.stamp(fort_sign(canvas.style, fort, canvas.scale, size), canvas.frame.pixel_of(place), at)


def fort_sign(style: Style, fort: Fort, scale: int, size: float = FORT_SIZE) -> Sprite:
    """One that was only seen earlier is pale and has the season above it; one that is to be given up is crossed out."""
    if fort.given_up:
        return crossed_out(style, fort, round(size * scale))
    standing = wall(style, fort.side, fort.strength, fort.ghost, round(size * scale))
    return _with_season(style, standing, fort.seen, scale) if fort.seen else standing


def _with_season(style: Style, wall: Sprite, when: str, scale: int) -> Sprite:
    text = letters(when, "narrow", SEASON_SIZE * scale, style.ink, style.white)
    up = round(-SEASON_AT * scale)
    width, height = max(wall.image.width, text.image.width), up + text.y + wall.image.height - wall.y
    sheet, x, y = Image.new("RGBA", (width, height), CLEAR), width // 2, up + text.y
    sheet.alpha_composite(wall.image, (x - wall.x, y - wall.y))
    sheet.alpha_composite(text.image, (x - text.x, 0))
    return Sprite(sheet, x, y)


def crossed_out(style: Style, fort: Fort, size: int) -> Sprite:
    """Pale, under two red strokes, as production is that is gone for good."""
    pale = wall(style, fort.side, fort.strength, True, size)
    room = round(size * 1.2)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        near, far, width = room * finer * 0.08, room * finer * 0.92, round(size * finer * 0.12)
        for line in ((near, near, far, far), (near, far, far, near)):
            draw.line(line, fill=style.red, width=width)

    sheet = Image.new("RGBA", (room, room), CLEAR)
    sheet.alpha_composite(pale.image, (room // 2 - pale.x, room // 2 - pale.y))
    sheet.alpha_composite(shape(room, room, paint).image)
    return Sprite(sheet, room // 2, room // 2)


@kept
def wall(style: Style, side: str, strength: str, pale: bool, size: int) -> Sprite:
    colours = style.side(side)
    plate, ink = (mix(colours.counter, style.white, 0.8), colours.dark) if pale else (colours.counter, style.white)
    wide, tall = _width(strength, size), round(size * 0.9)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        outline = _outline(wide * finer, tall * finer)
        draw.polygon(outline, fill=plate)
        draw.line([*outline, outline[0]], fill=colours.dark, width=round(1.3 * finer), joint="curve")

    counter = shape(wide, tall, paint)
    text, height = fitted(strength, "narrow bold", size * LETTERS, wide * ROOM)
    stamp(counter.image, letters(text, "narrow bold", height, ink), wide / 2, tall * 0.6)
    return counter


def _width(strength: str, size: int) -> int:
    """A wall is as wide as what is known of its points needs in small letters: '7-10' must not become '7-…'."""
    return max(size, ceil(width_of(strength, "narrow bold", size * SMALL_LETTERS) / ROOM))


def _outline(width: float, height: float) -> list[tuple[float, float]]:
    """Clockwise from the lower left, with battlements on top."""
    near, far, top, crenel, base = width * 0.05, width * 0.95, height * 0.05, height * 0.24, height * 0.95
    step = (far - near) / (2 * MERLONS - 1)
    outline = [(near, base)]
    for number in range(2 * MERLONS - 1):
        y = crenel if number % 2 else top
        outline += [(near + number * step, y), (near + (number + 1) * step, y)]
    return [*outline, (far, base)]
