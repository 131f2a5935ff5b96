"""How the counters of a place share the room of its hex."""

from collections.abc import Sequence

from PIL import Image

from pbem.draw.canvas import Canvas
from pbem.draw.counter import counter
from pbem.draw.scene import Face, Scene
from pbem.draw.sprites import stamp
from pbem.draw.style import Style

MOST_IN_A_HEX = 4
#: A hex with more counters than this has no room left beside them.
ROOM_BESIDE = 2

# Sizes in hex widths: one army alone, one of two above each other, one of four.
ALONE = (0.58, 0.55)
ONE_OF_TWO = (0.58, 0.265)
ONE_OF_FOUR = (0.47, 0.265)
GAP = 0.02
MIDDLE = -0.012


def is_crowded(scene: Scene, place: str) -> bool:
    return len(scene.stacks.get(place, ())) > ROOM_BESIDE


def draw_stacks(canvas: Canvas, scene: Scene) -> None:
    """Those in hexes; the others stand in their panels."""
    frame = canvas.frame
    for place, faces in scene.stacks.items():
        for at in frame.copies_of(place) if frame.atlas.is_hex(place) else ():
            if frame.shows_brick(*at):
                draw_stack(canvas.picture, canvas.style, canvas.scale, faces, *at)


def draw_stack(picture: Image.Image, style: Style, scale: int, faces: Sequence[Face], x: float, y: float) -> None:
    """All armies of a place around a point; a fifth and further ones are counted."""
    shown = list(faces) if len(faces) <= MOST_IN_A_HEX else _with_the_rest_counted(faces)
    width, height = _size(len(shown), scale)
    columns = 2 if len(shown) > 2 else 1
    rows = -(-len(shown) // columns)
    step_x, step_y = width + round(GAP * scale), height + round(GAP * scale)
    for number, face in enumerate(shown):
        column, row = number % columns, number // columns
        in_row = min(columns, len(shown) - row * columns)
        left = x + (column - (in_row - 1) / 2) * step_x
        stamp(picture, counter(style, face, width, height), left, y + MIDDLE * scale + (row - (rows - 1) / 2) * step_y)


def size_of_stack(count: int) -> tuple[float, float]:
    """How wide and high it is, in hex widths."""
    if count == 1:
        return ALONE
    width, height = ONE_OF_TWO if count == 2 else ONE_OF_FOUR
    return width if count == 2 else 2 * width + GAP, 2 * height + GAP


def _with_the_rest_counted(faces: Sequence[Face]) -> list[Face]:
    kept = list(faces[: MOST_IN_A_HEX - 1])
    rest = len(faces) - len(kept)
    return [*kept, Face(faces[-1].side, f"+{rest}", "none", "more", ghost=faces[-1].ghost)]


def _size(count: int, scale: int) -> tuple[int, int]:
    width, height = ALONE if count == 1 else ONE_OF_TWO if count == 2 else ONE_OF_FOUR
    return round(width * scale), round(height * scale)
