"""The pictures of Hitler's War: the map, a cut-out of the front, a player's orders, record sheets, a page to print.

Each is a function of a view and of what was told with it, never of a state. The same view makes the same bytes.
"""

from collections.abc import Collection, Iterable

from PIL import Image

from engine.events import Event
from engine.grand_strategy.view import View
from engine.hitlers_war.drafted import Drafted
from engine.hitlers_war.scenario import load_scenario
from pbem.draw.encode import as_png, as_printed_png
from pbem.draw.fonts import folded
from pbem.draw.paint import frame_of, paint
from pbem.draw.pen import Pen
from pbem.draw.scene import Scene
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.card import ROOMY, TIGHT, paint_sheet
from pbem.games.hitlers_war.card import WIDTH as SHEET_WIDTH
from pbem.games.hitlers_war.orders_scene import orders_scene
from pbem.games.hitlers_war.scene import titles_of
from pbem.games.hitlers_war.scenes import front_scene, map_scene, part_scene
from pbem.games.hitlers_war.style import style

#: Pixels a hex is wide on the map.
SCALE = 88


def map_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """The board as a side knows it, with what it was told of the last turn."""
    return as_png(_painted(map_scene(view, told)), style())


def front_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """A cut-out around the front and the armies near it."""
    return as_png(_painted(front_scene(view, told)), style())


def part_png(view: View, places: Collection[str]) -> bytes:
    """What is around some places."""
    return as_png(_painted(part_scene(view, places)), style())


def orders_png(view: View, drafted: Drafted) -> bytes:
    """What a sheet would come to, on the map as its side knows it."""
    return as_png(_painted(orders_scene(view, drafted)), style())


def sheet_png(view: View, side: str, told: Iterable[Event] = ()) -> bytes:
    """A side's record sheet, all of it or as far as the view knows it."""
    return as_png(paint_sheet(view, side, tuple(told), 1.0), style())


def _painted(scene: Scene, scale: int = SCALE) -> Image.Image:
    return paint(scene, frame_of(scene, europe_atlas(), scale), style())


# ------------------------------------------------------------------ on paper


#: A3 on its side at 300 dots an inch.
WIDTH, HEIGHT, DOTS_PER_INCH = 4961, 3508, 300
MARGIN, GAP = 60, 40
#: Pixels a hex is wide, so that the map fills the height.
PRINTED_SCALE = 154
LEAST_HEADING = 400


def print_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """One page of A3 with the map, what happened last, and every record sheet as far as it is known."""
    events = tuple(told)
    page = Image.new("RGB", (WIDTH, HEIGHT), style().paper)
    board = _painted(map_scene(view, events), PRINTED_SCALE)
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
    pen, titles = Pen(style(), width, height, 1.0), titles_of(view)
    middle, top, soft = width / 2, height / 2 - 190, pen.style.soft_ink
    pen.write(middle, top, titles.war, 120, face="bold", align="centre", room=width * 0.92, tracking=8)
    pen.rule(width * 0.1, top + 100, width * 0.8, colour=soft, thick=3)
    pen.write(middle, top + 170, titles.date, 64, face="sans", align="centre", room=width * 0.9)
    pen.write(middle, top + 260, titles.reader, 42, colour=soft, align="centre", room=width * 0.95)
    lines = folded(load_scenario(view.scenario).summary, "narrow", 38, width * 0.86)
    for number, line in enumerate(lines):
        pen.write(middle, top + 360 + number * 54, line, 38, align="centre")
    return pen.image
