"""Tags: a few letters on a pale ground, with a rim in the colour of a side."""

from collections import Counter
from collections.abc import Sequence

from PIL import ImageDraw

from pbem.draw.canvas import Canvas
from pbem.draw.fonts import width_of
from pbem.draw.kept import kept
from pbem.draw.scene import Scene, TagKind
from pbem.draw.sprites import Sprite, letters, shape, stamp
from pbem.draw.style import Style

#: How high the letters of each kind of tag are, in hex widths.
SIZES: dict[TagKind, float] = {"losses": 0.125, "work": 0.115, "step": 0.105, "prospect": 0.1}
#: Where they stand in their hex. What is to come stands above the port and the production.
LOSSES_AT, LOSSES_STEP, PROSPECT_AT = (0.33, -0.33), 0.2, (0.0, -0.16)


def tag_of_kind(style: Style, kind: TagKind, side: str, text: str, scale: int) -> Sprite:
    """Losses are red, works in ink, everything else in the colour of the side."""
    colour = {"losses": style.red, "work": style.ink}.get(kind, style.side(side).dark)
    return tag(style, text, side, scale, colour, SIZES[kind])


@kept
def tag(style: Style, text: str, side: str, scale: int, colour: str, height: float) -> Sprite:
    size = height * scale
    width, tall = round(width_of(text, "narrow bold", size) + size), round(size * 1.5)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        box = (0, 0, width * finer - 1, tall * finer - 1)
        rim = style.side(side).dark
        draw.rounded_rectangle(box, tall * finer / 2, fill=style.white, outline=rim, width=round(1.5 * finer))

    pale = shape(width, tall, paint)
    stamp(pale.image, letters(text, "narrow bold", size, colour), width / 2, tall / 2)
    return pale


def work_tag(style: Style, works: Sequence[str], side: str, scale: int) -> Sprite:
    """What is built, repaired or lent in a place."""
    return tag_of_kind(style, "work", side, "  ".join(works), scale)


def draw_prospects(canvas: Canvas, scene: Scene) -> None:
    for place, prospect in scene.prospects.items():
        if canvas.frame.shows_hex(place):
            sprite = tag_of_kind(canvas.style, "prospect", prospect.side, prospect.text, canvas.scale)
            canvas.stamp(sprite, canvas.frame.pixel_of(place), PROSPECT_AT)


def draw_losses(canvas: Canvas, scene: Scene) -> None:
    """Where two sides lost something in one place, one below the other."""
    tagged: Counter[str] = Counter()
    for losses in scene.losses:
        if (at := canvas.where(losses.place)) is not None:
            down = LOSSES_AT[1] + tagged[losses.place] * LOSSES_STEP
            text = tag_of_kind(canvas.style, "losses", losses.side, losses.text, canvas.scale)
            canvas.stamp(text, at, (LOSSES_AT[0], down))
            tagged[losses.place] += 1
