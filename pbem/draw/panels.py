"""The boxes off the map as panels at its edge, with their owner, production and counters."""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from pbem.draw.canvas import Canvas, Plate
from pbem.draw.control import hatching
from pbem.draw.fonts import fitted
from pbem.draw.forts import fort_sign
from pbem.draw.hexsides import OUTLINE_AWAY, draw_broken
from pbem.draw.kept import kept
from pbem.draw.palette import veil_line
from pbem.draw.scene import Face, Holding, Scene
from pbem.draw.signs import emblem, production
from pbem.draw.sprites import Sprite, letters, stamp
from pbem.draw.stacks import draw_stack
from pbem.draw.style import Style
from pbem.draw.tags import tag_of_kind, work_tag

NAME_SIZE, COG_SIZE, EMBLEM_SIZE, BOX_GAP = 0.15, 0.3, 0.15, 0.12
TALL = 3.0


def draw_panels(canvas: Canvas, scene: Scene) -> None:
    """Those that have room in the picture."""
    for box, plate in canvas.where.plates.items():
        draw_panel(canvas, scene, box, plate)


def draw_panel(canvas: Canvas, scene: Scene, box: str, plate: Plate) -> None:
    _draw_ground(canvas, plate, scene.holdings[box])
    if any(box in country for country in scene.outlined):
        _draw_outline(canvas, plate)
    scale, x, top = canvas.scale, (plate.left + plate.right) / 2, plate.top + 0.22 * canvas.scale
    name = canvas.frame.atlas.print_in(box).name.upper()
    text, size = fitted(name, "narrow bold", NAME_SIZE * scale, (plate.right - plate.left) * 0.92)
    stamp(canvas.picture, letters(text, "narrow bold", size, canvas.style.ink), x, top)
    _draw_row(canvas, plate, list(_signs(canvas.style, scale, scene, box)), top + 0.32 * scale)
    if faces := scene.stacks.get(box):
        _draw_armies(canvas, plate, faces)


def _draw_ground(canvas: Canvas, plate: Plate, known: Holding) -> None:
    box = (plate.left, plate.top, plate.right, plate.bottom)
    draw, style = ImageDraw.Draw(canvas.picture), canvas.style
    draw.rectangle(box, fill=style.veiled_tint(known.owner, known.in_sight))
    if not known.in_sight:
        canvas.picture.paste(veil_line(style, known.owner), (plate.left, plate.top), _veil(canvas.scale, plate))
    draw.rectangle(box, outline=style.ink, width=max(2, round(canvas.scale * 0.02)))


@kept
def _veil(scale: int, plate: Plate) -> Image.Image:
    lines = hatching(scale, plate.left, plate.top, plate.right, plate.bottom)
    return lines.point([0] + [255] * 255)


def _draw_outline(canvas: Canvas, plate: Plate) -> None:
    """As the border of a country on the map."""
    away, draw = round(OUTLINE_AWAY * canvas.scale), ImageDraw.Draw(canvas.picture)
    left, top, right, bottom = plate.left + away, plate.top + away, plate.right - away, plate.bottom - away
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        draw_broken(canvas.style, draw, start, end, canvas.scale)


def _signs(style: Style, scale: int, scene: Scene, box: str) -> Iterator[Sprite]:
    """The emblem of the owner or the side to come, what the box gives on this turn, its fort, what is built there."""
    known, panel = scene.holdings[box], scene.panels[box]
    if style.is_side(known.owner):
        yield emblem(style, known.owner, round(EMBLEM_SIZE * scale), style.side(known.owner).counter)
    yield from (tag_of_kind(style, "prospect", prospect.side, prospect.text, scale) for prospect in panel.tags)
    if points := panel.production:
        yield production(style, points, min(known.devastated, points), known.ruined, round(COG_SIZE * scale))
    if fort := scene.forts.get(box):
        yield fort_sign(style, fort, scale)
    if scene.orders is not None and (works := scene.orders.works.get(box)):
        yield work_tag(style, works, scene.orders.side, scale)


def _draw_row(canvas: Canvas, plate: Plate, signs: Sequence[Sprite], y: float) -> None:
    gap = BOX_GAP * canvas.scale
    width = sum(sign.image.width for sign in signs) + gap * (len(signs) - 1)
    x = (plate.left + plate.right - width) / 2
    for sign in signs:
        stamp(canvas.picture, sign, x + sign.x, y)
        x += sign.image.width + gap


def _draw_armies(canvas: Canvas, plate: Plate, faces: Sequence[Face]) -> None:
    """One below the other in a tall panel, else as in a hex."""
    scale, x, top = canvas.scale, (plate.left + plate.right) / 2, plate.top + 1.1 * canvas.scale
    if plate.bottom - plate.top < TALL * scale:
        draw_stack(canvas.picture, canvas.style, scale, faces, x, plate.bottom - 0.42 * scale)
        return
    step = min(0.66 * scale, (plate.bottom - top - 0.4 * scale) / len(faces))
    for number, face in enumerate(faces):
        draw_stack(canvas.picture, canvas.style, scale, [face], x, top + number * step)
