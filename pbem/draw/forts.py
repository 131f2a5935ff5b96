"""Fort counters: a wall with battlements in the side's colour and the points in it."""

from functools import lru_cache

import msgspec
from PIL import ImageDraw

from pbem.draw.fonts import fitted
from pbem.draw.palette import mix, palette, side_colours
from pbem.draw.sprites import Sprite, letters, shape, stamp

#: How wide a fort is, in hex widths.
FORT_SIZE = 0.25
MERLONS = 3


class FortFace(msgspec.Struct, frozen=True):
    """`strength` is what is known of its points; a ghost was only seen earlier."""

    side: str
    strength: str
    ghost: bool = False


@lru_cache(maxsize=256)
def fort(face: FortFace, size: int) -> Sprite:
    colours, table = side_colours(face.side), palette()
    plate, ink = (
        (mix(colours.counter, table.white, 0.8), colours.dark) if face.ghost else (colours.counter, table.white)
    )
    tall = round(size * 0.9)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        wall = _wall(size * finer, tall * finer)
        draw.polygon(wall, fill=plate)
        draw.line([*wall, wall[0]], fill=colours.dark, width=round(1.3 * finer), joint="curve")

    counter = shape(size, tall, paint)
    text, height = fitted(face.strength, "narrow bold", size * 0.5, size * 0.86)
    stamp(counter.image, letters(text, "narrow bold", height, ink), size / 2, tall * 0.6)
    return counter


def _wall(width: float, height: float) -> list[tuple[float, float]]:
    """Clockwise from the lower left, with battlements on top."""
    near, far, top, crenel, base = width * 0.05, width * 0.95, height * 0.05, height * 0.24, height * 0.95
    step = (far - near) / (2 * MERLONS - 1)
    outline = [(near, base)]
    for number in range(2 * MERLONS - 1):
        y = crenel if number % 2 else top
        outline += [(near + number * step, y), (near + (number + 1) * step, y)]
    return [*outline, (far, base)]
