"""The pictures: the kit paints the island from its scenes; record sheets stand side by side on a sheet of their own."""

from collections.abc import Sequence

from pbem.draw.encode import as_png
from pbem.draw.paint import frame_of, paint
from pbem.draw.pen import Pen
from pbem.draw.scene import Scene
from tests.toy.round_island.shown.atlas import island_atlas
from tests.toy.round_island.shown.names import side_name
from tests.toy.round_island.shown.record import Record
from tests.toy.round_island.shown.style import LINE, SIDES, STYLE

#: Pixels a hex is wide on a whole sheet.
SCALE = 96
# Of the record sheets.
WIDTH, MARGIN, ROW, HEAD, FOOT = 880, 14, 24, 58, 60


def png(shown: Scene | list[Record]) -> bytes:
    if isinstance(shown, Scene):
        return as_png(paint(shown, frame_of(shown, island_atlas(), SCALE), STYLE), STYLE)
    return as_png(_records(shown).image, STYLE)


def _records(records: Sequence[Record]) -> Pen:
    """One table beside the other."""
    pen = Pen(STYLE, WIDTH, HEAD + ROW * max(len(record.rows) for record in records) + FOOT, 1.0)
    for number, record in enumerate(records):
        _record(pen, record, MARGIN + number * WIDTH / 2, WIDTH / 2 - 2 * MARGIN)
    return pen


def _record(pen: Pen, record: Record, left: float, width: float) -> None:
    right, colour, soft = left + width, SIDES[record.side], STYLE.soft_ink
    title = side_name(record.side) + ("" if record.is_complete else ", as far as seen")
    pen.write(left, 24, title, 19, face="bold", colour=colour)
    pen.rule(left, 42, width, colour=colour, thick=2)
    for number, row in enumerate(record.rows):
        y = HEAD + number * ROW
        pen.write(left, y, row.place, 14, face="sans")
        pen.write(left + 170, y, row.terrain, 14, face="sans", colour=soft)
        pen.write(right, y, row.spears or "?", 14, face="bold", align="right")
    y = HEAD + len(record.rows) * ROW
    pen.rule(left, y - 6, width, colour=LINE, thick=2)
    pen.write(left, y + 10, f"Villages: {record.villages}", 14, face="sans")
    pen.write(right, y + 10, record.total, 14, face="bold", align="right")
    if record.standing:
        pen.write(left, y + 32, f"Standing order: RALLY {record.standing}", 14, face="sans")
