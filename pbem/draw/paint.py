"""One picture of a board: a scene, painted on an atlas in a style inside a frame."""

from collections.abc import Callable

from PIL import Image

from pbem.draw.atlas import Atlas
from pbem.draw.canvas import Canvas, Places
from pbem.draw.control import tinted_ground
from pbem.draw.copies import pale_copies
from pbem.draw.cutout import cut_out, frame_for
from pbem.draw.forts import draw_forts
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.hexsides import draw_fronts, draw_outlines, draw_straits
from pbem.draw.labels import draw_great_names, draw_hex_labels
from pbem.draw.orders import draw_orders
from pbem.draw.panels import draw_panels
from pbem.draw.scene import Scene, WallMap
from pbem.draw.signs import draw_marks, draw_rings
from pbem.draw.stacks import draw_stacks
from pbem.draw.style import Style
from pbem.draw.tags import draw_losses, draw_prospects
from pbem.draw.voyages import draw_voyages
from pbem.draw.wall import furnish
from pbem.draw.ways import draw_ways

Layer = Callable[[Canvas, Scene], None]

#: From the ground up: whatever stands below hides what stands above it in this list.
LAYERS: tuple[Layer, ...] = (
    draw_straits,
    draw_great_names,
    draw_rings,
    draw_outlines,
    draw_fronts,
    draw_panels,
    draw_ways,
    draw_voyages,
    draw_hex_labels,
    draw_prospects,
    draw_stacks,
    draw_marks,
    draw_losses,
    draw_forts,
    pale_copies,
    draw_orders,
)


def frame_of(scene: Scene, atlas: Atlas, scale: int) -> Frame:
    """A wall map shows the whole sheet, so many pixels to a hex; a cut-out its part, at a size that can be read."""
    around = scene.around
    return whole_sheet(atlas, scale) if isinstance(around, WallMap) else frame_for(atlas, around.part)


def paint(scene: Scene, frame: Frame, style: Style) -> Image.Image:
    """The part of the board that a frame shows, and around it what belongs there."""
    board = paint_board(scene, frame, style)
    if isinstance(scene.around, WallMap):
        furnish(board, scene.around)
        return board.picture
    return cut_out(board, scene, scene.around)


def paint_board(scene: Scene, frame: Frame, style: Style) -> Canvas:
    ground = tinted_ground(frame, style, scene.holdings).convert("RGB")  # for colours between those of the palette
    canvas = Canvas(ground, frame, style, Places(frame, scene.panels, reaches_out=scene.reaches_out))
    for layer in LAYERS:
        layer(canvas, scene)
    return canvas
