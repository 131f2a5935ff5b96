"""The map and the record sheets together, to be printed on A3 and hung on a wall."""

from collections.abc import Iterable

from PIL import Image

from engine.events import Event
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.view import View
from pbem.draw.encode import as_printed_png
from pbem.draw.fonts import folded
from pbem.draw.furniture import title_lines
from pbem.draw.map import paint_map
from pbem.draw.palette import palette
from pbem.draw.pen import Pen
from pbem.draw.sheet import ROOMY, TIGHT, paint_sheet
from pbem.draw.sheet import WIDTH as SHEET_WIDTH
from pbem.games.hitlers_war.style import style

#: A3 on its side at 300 dots an inch.
WIDTH, HEIGHT, DOTS_PER_INCH = 4961, 3508, 300
MARGIN, GAP = 60, 40
#: Pixels a hex is wide, so that the map fills the height.
SCALE = 154
LEAST_HEADING = 400


def print_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """One page of A3 with the map, what happened last, and every record sheet as far as it is known."""
    events = tuple(told)
    page = Image.new("RGB", (WIDTH, HEIGHT), palette().paper)
    board = paint_map(view, events, SCALE)
    page.paste(board, (MARGIN // 2, (HEIGHT - board.height) // 2))
    left = MARGIN // 2 + board.width + GAP
    _paste_sheets(page, view, events, left, WIDTH - MARGIN - left)
    return as_printed_png(page, style(), DOTS_PER_INCH)


def _paste_sheets(page: Image.Image, view: View, told: tuple[Event, ...], left: int, width: int) -> None:
    """One below the other, the reader's own first; what is left above them is for the heading."""
    sides = sorted(view.sides, key=lambda side: (side != view.side, view.sides.index(side)))
    heights = ROOMY if len(sides) == 2 else TIGHT
    unit = width / SHEET_WIDTH
    tallest = (HEIGHT - 2 * MARGIN + GAP) / len(sides) - GAP
    first = paint_sheet(view, sides[0], told, unit, heights)
    if first.height > tallest:
        unit *= tallest / first.height
    sheets = [paint_sheet(view, side, told, unit, heights) for side in sides]
    top = HEIGHT - MARGIN - sum(sheet.height + GAP for sheet in sheets) + GAP
    if top - MARGIN > LEAST_HEADING:
        page.paste(_heading(view, width, top - MARGIN - GAP), (left, MARGIN))
    for sheet in sheets:
        page.paste(sheet, (left + (width - sheet.width) // 2, top))
        top += sheet.height + GAP


def _heading(view: View, width: int, height: int) -> Image.Image:
    pen, table = Pen(width, height, 1.0), palette()
    war, date, reader = title_lines(view)
    middle, top = width / 2, height / 2 - 190
    pen.write(middle, top, war, 120, face="bold", align="centre", room=width * 0.92, tracking=8)
    pen.rule(width * 0.1, top + 100, width * 0.8, colour=table.soft_ink, thick=3)
    pen.write(middle, top + 170, date, 64, face="sans", align="centre", room=width * 0.9)
    pen.write(middle, top + 260, reader, 42, colour=table.soft_ink, align="centre", room=width * 0.95)
    lines = folded(load_scenario(view.scenario).summary, "narrow", 38, width * 0.86)
    for number, line in enumerate(lines):
        pen.write(middle, top + 360 + number * 54, line, 38, align="centre")
    return pen.image
