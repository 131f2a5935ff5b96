"""The part of the board where the war is, cut out at reading size."""

from collections.abc import Iterable

from PIL import Image, ImageDraw

from engine.events import Event
from engine.hitlers_war.view import View
from pbem.draw.board import paint_board
from pbem.draw.boxes import Panel, draw_box
from pbem.draw.counters import armies_by_place
from pbem.draw.encode import as_png
from pbem.draw.fonts import fitted
from pbem.draw.furniture import title_lines
from pbem.draw.geometry import Frame
from pbem.draw.happenings import happenings
from pbem.draw.legend import key_column
from pbem.draw.palette import palette
from pbem.draw.sprites import letters, stamp_from
from pbem.draw.theatre import Part, active_part

#: Pixels a hex is wide: the largest of these at which the map has no more pixels than this.
SCALES, MOST_PIXELS = (128, 106, 84), 2_300_000

# Sizes in hex widths.
HEADER, MARGIN, COLUMN, BOX_HEIGHT = 0.62, 0.16, 2.0, 1.5
KEY_SCALE = 0.86
BOXES = ("SIBERIA", "US", "CANADA", "BRAFRICA", "FRAFRICA", "INDIA")


def front_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """A cut-out around the front and the armies near it."""
    events = tuple(told)
    part = active_part(view, happenings(events))
    scale = _scale_for(part)
    board = _framed(paint_board(view, events, _frame(part, scale)))
    return as_png(_sheet(view, board, scale, bool(events)))


def _scale_for(part: Part) -> int:
    west, south, east, north = part
    area = (east - west) * (north - south)
    return next((scale for scale in SCALES if area * scale * scale <= MOST_PIXELS), SCALES[-1])


def _frame(part: Part, scale: int) -> Frame:
    west, south, east, north = part
    return Frame(scale, west, north, round((east - west) * scale), round((north - south) * scale))


def _framed(board: Image.Image) -> Image.Image:
    ImageDraw.Draw(board).rectangle((0, 0, board.width - 1, board.height - 1), outline=palette().ink, width=2)
    return board


def _sheet(view: View, board: Image.Image, scale: int, happened: bool) -> Image.Image:
    """Title above; to the right the boxes off the map with somebody in them, and the key."""
    margin, header, column = round(MARGIN * scale), round(HEADER * scale), round(COLUMN * scale)
    boxes = [place for place in BOXES if place in armies_by_place(view)]
    below = round((BOX_HEIGHT + 0.12) * scale) * len(boxes)
    key = key_column(view, happened, round(scale * KEY_SCALE), column, board.height - below)
    height = header + max(board.height, below + key.height) + margin
    sheet = Image.new("RGB", (board.width + column + 3 * margin, height), palette().paper)
    _draw_header(sheet, view, scale)
    sheet.paste(board, (margin, header))
    left = board.width + 2 * margin
    _draw_boxes(sheet, view, scale, boxes, left, header)
    sheet.paste(key, (left, header + below))
    return sheet


def _draw_header(sheet: Image.Image, view: View, scale: int) -> None:
    table, margin, y = palette(), MARGIN * scale, HEADER * scale * 0.52
    war, date, reader = title_lines(view)
    text, size = fitted(war, "bold", 0.28 * scale, sheet.width * 0.36)
    title = letters(text, "bold", size, table.ink, tracking=round(size * 0.1))
    stamp_from(sheet, title, margin, y)
    left = margin + title.image.width + 0.16 * scale
    lines = ((date, "sans", 0.17, table.ink, -0.1), (reader, "narrow", 0.13, table.soft_ink, 0.14))
    for line, face, height, colour, down in lines:
        text, size = fitted(line, face, height * scale, sheet.width - margin - left)
        stamp_from(sheet, letters(text, face, size, colour), left, y + down * scale)


def _draw_boxes(sheet: Image.Image, view: View, scale: int, boxes: list[str], left: int, top: int) -> None:
    armies = armies_by_place(view)
    for place in boxes:
        right, bottom = left + round(COLUMN * scale), top + round(BOX_HEIGHT * scale)
        draw_box(sheet, scale, Panel(place, left, top, right, bottom), view, armies[place])
        top = bottom + round(0.12 * scale)
