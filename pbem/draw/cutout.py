"""A part of the board at reading size: its titles above, the boxes off the map and a key beside it."""

from PIL import Image, ImageDraw

from pbem.draw.atlas import Atlas
from pbem.draw.canvas import Canvas, Plate
from pbem.draw.fonts import fitted
from pbem.draw.geometry import Frame
from pbem.draw.key import key_column
from pbem.draw.panels import draw_panel
from pbem.draw.scene import CutOut, Part, Scene, Titles
from pbem.draw.sprites import letters, stamp_from
from pbem.draw.style import Style

#: Pixels a hex is wide: the largest of these at which the map has no more pixels than this.
SCALES, MOST_PIXELS = (128, 106, 84), 2_300_000

# Sizes in hex widths.
HEADER, MARGIN, COLUMN, BOX_HEIGHT, BOX_GAP = 0.62, 0.16, 2.0, 1.5, 0.12
KEY_SCALE = 0.86


def frame_for(atlas: Atlas, part: Part) -> Frame:
    west, south, east, north = part
    area = (east - west) * (north - south)
    scale = next((scale for scale in SCALES if area * scale * scale <= MOST_PIXELS), SCALES[-1])
    return Frame(atlas, scale, west, north, round((east - west) * scale), round((north - south) * scale))


def cut_out(board: Canvas, scene: Scene, around: CutOut) -> Image.Image:
    """The board on its sheet, with as much of the key as there is room for."""
    scale, style, (width, height) = board.scale, board.style, board.picture.size
    margin, header, column = round(MARGIN * scale), round(HEADER * scale), round(COLUMN * scale)
    boxes = [box for box in around.boxes if box not in board.where.plates]
    below = round((BOX_HEIGHT + BOX_GAP) * scale) * len(boxes)
    beside = key_column(style, around.key, round(scale * KEY_SCALE), column, height - below)
    full = header + max(height, below + beside.height) + margin
    sheet = Image.new("RGB", (width + column + 3 * margin, full), style.paper)
    _draw_header(sheet, style, around.titles, scale)
    sheet.paste(_framed(board), (margin, header))
    left = width + 2 * margin
    _draw_boxes(board._replace(picture=sheet), scene, boxes, left, header)
    sheet.paste(beside, (left, header + below))
    return sheet


def _framed(board: Canvas) -> Image.Image:
    picture = board.picture
    outline = (0, 0, picture.width - 1, picture.height - 1)
    ImageDraw.Draw(picture).rectangle(outline, outline=board.style.ink, width=2)
    return picture


def _draw_header(sheet: Image.Image, style: Style, titles: Titles, scale: int) -> None:
    margin, y = MARGIN * scale, HEADER * scale * 0.52
    text, size = fitted(titles.war, "bold", 0.28 * scale, sheet.width * 0.36)
    title = letters(text, "bold", size, style.ink, tracking=round(size * 0.1))
    stamp_from(sheet, title, margin, y)
    left = margin + title.image.width + 0.16 * scale
    lines = (
        (titles.date, "sans", 0.17, style.ink, -0.1),
        (titles.reader, "narrow", 0.13, style.soft_ink, 0.14),
    )
    for line, face, height, colour, down in lines:
        text, size = fitted(line, face, height * scale, sheet.width - margin - left)
        stamp_from(sheet, letters(text, face, size, colour), left, y + down * scale)


def _draw_boxes(sheet: Canvas, scene: Scene, boxes: list[str], left: int, top: int) -> None:
    for box in boxes:
        right, bottom = left + round(COLUMN * sheet.scale), top + round(BOX_HEIGHT * sheet.scale)
        draw_panel(sheet, scene, box, Plate(left, top, right, bottom))
        top = bottom + round(BOX_GAP * sheet.scale)
