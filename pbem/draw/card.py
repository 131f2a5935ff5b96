"""The picture of a record sheet, in the spirit of a printed card: a row for each army, boxes for its points, and the
economy below."""

from typing import NamedTuple

import msgspec
from PIL import Image

from pbem.draw.counter import counter
from pbem.draw.entries import LINE, Place, at_most, draw_entries, draw_rule_above, heading, height_of
from pbem.draw.fonts import folded
from pbem.draw.pen import Pen
from pbem.draw.scene import Face, Titles
from pbem.draw.signs import bars, emblem, production
from pbem.draw.style import Style, mix
from pbem.words.tables import Cell, Entry, Row, Table


class Heights(NamedTuple):
    """Of a row for an army, of the seasons to come or of what there is without them, and of the bands below."""

    row: int
    strip: int
    low_strip: int
    band: int


#: As it is mailed, and as three of them share a page.
ROOMY, TIGHT = Heights(52, 142, 84, 116), Heights(42, 136, 78, 106)

# Positions and sizes in units of the sheet.
WIDTH, MARGIN, HEAD, TABLE_HEAD = 1180, 32, 104, 44
NAME_AT, WHERE_AT, BOXES_AT, BOX_STEP, TOTAL_AT, CHANGE_AT = 98, 372, 596, 74, 1010, 1096
SEASON_STEP, SEASON_WIDTH = 566, 446
#: Of the lists at the bottom.
PLACES = (Place(MARGIN, 316), Place(WHERE_AT, 430), Place(840, 308))


class Card(msgspec.Struct, frozen=True):
    """All that the picture of a record sheet shows.

    The columns of `armies` are called army, where, total and change, and one is called as each of the `boxes`; boxes
    that are not `used` in this war stay dark. An army has a counter by the key of its row, if it is on the map. Of the
    `seasons` to come the columns are season, budget and how; `strip` is what stands above them, and in their place.
    """

    side: str
    name: str
    title: str
    titles: Titles
    armies: Table
    boxes: tuple[str, ...]
    used: tuple[str, ...]
    counters: dict[str, Face]
    strip: Entry
    seasons: tuple[Row, ...]
    entries: tuple[Entry, ...]


def paint_card(card: Card, style: Style, unit: float = 1.0, heights: Heights = ROOMY) -> Image.Image:
    rows = card.armies.rows
    lower = _height_of_strip(card, heights) + height_of(card.entries, heights.band)
    height = HEAD + TABLE_HEAD + (len(rows) + 1) * heights.row + lower + MARGIN
    pen = Pen(style, WIDTH, height, unit)
    _head(pen, card)
    _table_head(pen, card)
    top = HEAD + TABLE_HEAD
    for number, row in enumerate(rows):
        _row(pen, card, row, top + number * heights.row, heights.row, shaded=number % 2 == 0)
    top += len(rows) * heights.row
    _totals(pen, card, top, heights.row)
    _lower(pen, card, top + heights.row, heights)
    pen.box(8, 8, WIDTH - 17, height - 17, line=pen.style.ink, thick=2)
    return pen.image


# ------------------------------------------------------------------ head


def _head(pen: Pen, card: Card) -> None:
    colours = pen.style.side(card.side)
    pen.box(8, 8, WIDTH - 17, HEAD - 22, fill=colours.counter)
    pen.stamp(emblem(pen.style, card.side, pen.pixels(38), pen.style.white), MARGIN + 28, 47)
    pen.write(MARGIN + 64, 38, card.name.upper(), 32, face="bold", colour=pen.style.white, tracking=3)
    pen.write(MARGIN + 65, 69, card.title, 16, colour=pen.style.white)
    right = WIDTH - MARGIN - 8
    pen.write(right, 38, card.titles.war, 22, face="bold", colour=pen.style.white, align="right", room=560)
    pen.write(right, 68, card.titles.date, 17, colour=pen.style.white, align="right")


def _table_head(pen: Pen, card: Card) -> None:
    y = HEAD + 18
    titles = {name: column.title.on("picture") for name, column in card.armies.columns.items()}
    heading(pen, NAME_AT, y, titles["army"])
    heading(pen, WHERE_AT, y, titles["where"])
    for number, kind in enumerate(card.boxes):
        heading(pen, _box_middle(number), y, titles[kind], "centre")
    heading(pen, TOTAL_AT, y, titles["total"], "centre")
    heading(pen, CHANGE_AT, y, titles["change"], "centre")
    pen.rule(MARGIN, HEAD + TABLE_HEAD - 8, WIDTH - 2 * MARGIN, thick=2)


def _box_middle(number: int) -> float:
    return BOXES_AT + (number + 0.5) * BOX_STEP


# ------------------------------------------------------------------ armies


def _row(pen: Pen, card: Card, row: Row, top: float, height: int, *, shaded: bool) -> None:
    y, face = top + height / 2, card.counters.get(row.key)
    if shaded:
        fill = mix(pen.style.paper, pen.style.side(card.side).land, 0.35)
        pen.box(MARGIN, top, WIDTH - 2 * MARGIN, height - 1, fill=fill)
    if face is not None:
        tall = min(44, height - 3)
        pen.stamp(counter(pen.style, face, pen.pixels(tall * 48 / 44), pen.pixels(tall)), MARGIN + 32, y)
    _name_and_place(pen, row, face, y, height / ROOMY.row)
    _boxes(pen, card, row, top, height)
    if face is not None:
        _total(pen, row.said("total", "picture"), face, y)
    _change(pen, row.cells["change"], y)


def _name_and_place(pen: Pen, row: Row, counter: Face | None, y: float, close: float) -> None:
    """The lines stand as much closer as the row is lower."""
    soft = pen.style.soft_ink
    colour, face = (pen.style.ink, "narrow bold") if counter is not None else (soft, "narrow")
    named = row.cells["army"]
    below, note = f"in orders: {named.code}" if named.code else "", _note(row)
    up, down = 9 * close, 13 * close
    pen.write(NAME_AT, y - (up if below else 0), named.words.on("picture"), 18, face=face, colour=colour, room=262)
    pen.write(NAME_AT, y + down, below, 12, colour=soft, room=262)
    pen.write(WHERE_AT, y - (up if note else 0), row.said("where", "picture"), 17, colour=colour, room=212)
    note_colour = pen.style.red if counter is not None and counter.badge else soft
    pen.write(WHERE_AT, y + down, note, 12, colour=note_colour, room=212)


def _note(row: Row) -> str:
    """There is room for one."""
    return next((mark.words.on("picture") for mark in row.marks if mark.words.on("picture")), "")


def _boxes(pen: Pen, card: Card, row: Row, top: float, height: int) -> None:
    """A number where it is known, a question mark where it is not; boxes that are not used stay dark."""
    for number, kind in enumerate(card.boxes):
        used, x, y = kind in card.used, _box_middle(number), top + height / 2
        _box(pen, number, top, height, used)
        said = row.said(kind, "picture") if used else ""
        if said == "?":
            pen.write(x, y, said, 17, colour=pen.style.soft_ink, align="centre")
        elif said:
            pen.write(x, y, said, 23, face="bold", align="centre")


def _box(pen: Pen, number: int, top: float, height: int, used: bool) -> None:
    fill = pen.style.white if used else mix(pen.style.paper, pen.style.soft_ink, 0.16)
    line = pen.style.soft_ink if used else mix(pen.style.paper, pen.style.soft_ink, 0.3)
    away = 6 if height > 45 else 4
    pen.box(BOXES_AT + number * BOX_STEP + 6, top + away, BOX_STEP - 12, height - 2 * away - 1, fill=fill, line=line)


def _total(pen: Pen, said: str, face: Face, y: float) -> None:
    if face.bars:
        colour = pen.style.side(face.side).counter
        rising = bars(pen.style, face.bars, pen.pixels(40), pen.pixels(20), colour)
        pen.stamp(rising, TOTAL_AT, y - 8)
        pen.write(TOTAL_AT, y + 14, said, 13, align="centre")
    else:
        pen.write(TOTAL_AT, y, said, 24, face="bold", align="centre")


def _change(pen: Pen, cell: Cell, y: float) -> None:
    """What was built above, what was lost below, in red; in the middle if there is only one of them."""
    parts = [said for words in (cell.words, *cell.more) if (said := words.on("picture"))]
    for number, text in enumerate(parts):
        up = (number - (len(parts) - 1) / 2) * 20
        colour = pen.style.red if text.startswith("−") else pen.style.ink
        pen.write(CHANGE_AT, y + up, text, 15, face="narrow bold", colour=colour, align="centre", room=82)


def _totals(pen: Pen, card: Card, top: float, height: int) -> None:
    y, total = top + height / 2 + 2, card.armies.total or Row({})
    pen.rule(MARGIN, top + 1, WIDTH - 2 * MARGIN, thick=2)
    pen.write(NAME_AT, y, total.said("army", "picture"), 17, face="narrow bold", tracking=1)
    pen.write(WHERE_AT, y, total.said("where", "picture"), 17)
    for number, kind in enumerate(card.boxes):
        if kind in card.used:
            pen.write(_box_middle(number), y, total.said(kind, "picture"), 23, face="bold", align="centre")
    pen.write(TOTAL_AT, y, total.said("total", "picture"), 24, face="bold", align="centre")
    _change(pen, total.cells["change"], y)
    pen.rule(MARGIN, top + height + 2, WIDTH - 2 * MARGIN, thick=1)


# ------------------------------------------------------------------ economy


def _lower(pen: Pen, card: Card, top: float, heights: Heights) -> None:
    """The seasons to come over the whole width, below them what else stands on the sheet."""
    first = top + 28
    second = first + _height_of_strip(card, heights)
    _draw_strip(pen, card, first)
    draw_rule_above(pen, PLACES, second)
    draw_entries(pen, card.entries, PLACES, second, heights.band)


def _height_of_strip(card: Card, heights: Heights) -> int:
    """There may be nothing to tell of the seasons to come."""
    return heights.strip if card.seasons else heights.low_strip


def _draw_strip(pen: Pen, card: Card, y: float) -> None:
    """The seasons to come side by side, or what works now if there are none."""
    heading(pen, MARGIN, y, card.strip.label.on("picture"))
    for number, season in enumerate(card.seasons):
        _season(pen, season, MARGIN + number * SEASON_STEP, y)
    if not card.seasons:
        pen.write(MARGIN, y + 30, card.strip.words.on("picture"), 16)


def _season(pen: Pen, season: Row, x: float, y: float) -> None:
    """What works, why that changes, and the forts that will be complete; each begins a line."""
    budget, how = season.said("budget", "picture"), season.cells["how"]
    pen.stamp(production(pen.style, int(budget), 0, 0, pen.pixels(74)), x + 38, y + 62)
    pen.write(x + 88, y + 34, season.said("season", "picture"), 17, face="narrow bold")
    size, room = 16 * pen.unit, SEASON_WIDTH * pen.unit
    parts = [said for words in (how.words, *how.more) if (said := words.on("picture"))]
    lines = [line for part in parts for line in folded(part, "narrow", size, room)]
    for number, line in enumerate(at_most(3, lines), 1):
        pen.write(x + 88, y + 34 + number * LINE, line, 16, room=SEASON_WIDTH)
