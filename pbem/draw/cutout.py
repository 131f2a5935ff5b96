"""A part of the board at reading size: its title above, the boxes off the map and a key beside it."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.hitlers_war.view import View
from pbem.draw.boxes import draw_box
from pbem.draw.counters import armies_by_place, faces_by_place
from pbem.draw.fonts import fitted
from pbem.draw.geometry import Frame
from pbem.draw.intended import NOTHING, Intended
from pbem.draw.legend import Part as KeyPart
from pbem.draw.legend import key_column
from pbem.draw.palette import palette
from pbem.draw.places import Panel, panels_inside
from pbem.draw.sprites import letters, stamp_from
from pbem.draw.theatre import Part
from pbem.games.hitlers_war.atlas import europe_atlas

#: Pixels a hex is wide: the largest of these at which the map has no more pixels than this.
SCALES, MOST_PIXELS = (128, 106, 84), 2_300_000

# Sizes in hex widths.
HEADER, MARGIN, COLUMN, BOX_HEIGHT = 0.62, 0.16, 2.0, 1.5
KEY_SCALE = 0.86
BOXES = ("SIBERIA", "CANADA", "US", "BRAFRICA", "FRAFRICA", "INDIA")


def frame_for(part: Part) -> Frame:
    west, south, east, north = part
    area = (east - west) * (north - south)
    scale = next((scale for scale in SCALES if area * scale * scale <= MOST_PIXELS), SCALES[-1])
    return Frame(europe_atlas(), scale, west, north, round((east - west) * scale), round((north - south) * scale))


def cut_out(
    view: View,
    board: Image.Image,
    frame: Frame,
    titles: tuple[str, str, str],
    key: Sequence[KeyPart],
    intended: Intended = NOTHING,
) -> Image.Image:
    """The board on its sheet, with as much of the key as there is room for."""
    scale, inside = frame.scale, [panel.place for panel in panels_inside(view, frame)]
    margin, header, column = round(MARGIN * scale), round(HEADER * scale), round(COLUMN * scale)
    boxes = [place for place in BOXES if place not in inside and _is_of_interest(view, place, intended)]
    below = round((BOX_HEIGHT + 0.12) * scale) * len(boxes)
    beside = key_column(key, round(scale * KEY_SCALE), column, board.height - below)
    height = header + max(board.height, below + beside.height) + margin
    sheet = Image.new("RGB", (board.width + column + 3 * margin, height), palette().paper)
    _draw_header(sheet, titles, scale)
    sheet.paste(_framed(board), (margin, header))
    left = board.width + 2 * margin
    _draw_boxes(sheet, view, scale, boxes, (left, header), intended)
    sheet.paste(beside, (left, header + below))
    return sheet


def _framed(board: Image.Image) -> Image.Image:
    ImageDraw.Draw(board).rectangle((0, 0, board.width - 1, board.height - 1), outline=palette().ink, width=2)
    return board


def _draw_header(sheet: Image.Image, titles: tuple[str, str, str], scale: int) -> None:
    table, margin, y = palette(), MARGIN * scale, HEADER * scale * 0.52
    war, date, reader = titles
    text, size = fitted(war, "bold", 0.28 * scale, sheet.width * 0.36)
    title = letters(text, "bold", size, table.ink, tracking=round(size * 0.1))
    stamp_from(sheet, title, margin, y)
    left = margin + title.image.width + 0.16 * scale
    lines = ((date, "sans", 0.17, table.ink, -0.1), (reader, "narrow", 0.13, table.soft_ink, 0.14))
    for line, face, height, colour, down in lines:
        text, size = fitted(line, face, height * scale, sheet.width - margin - left)
        stamp_from(sheet, letters(text, face, size, colour), left, y + down * scale)


def _is_of_interest(view: View, place: str, intended: Intended) -> bool:
    return place in view.places and (
        place in armies_by_place(view) or place in view.forts or intended.marks(place)
    )  # fmt: skip


def _draw_boxes(
    sheet: Image.Image, view: View, scale: int, boxes: list[str], at: tuple[int, int], intended: Intended
) -> None:
    stacks, (left, top) = faces_by_place(view, intended), at
    for place in boxes:
        right, bottom = left + round(COLUMN * scale), top + round(BOX_HEIGHT * scale)
        draw_box(sheet, scale, Panel(place, left, top, right, bottom), view, stacks.get(place, []), intended)
        top = bottom + round(0.12 * scale)
