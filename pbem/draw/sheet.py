"""The record sheet of a side, in the spirit of the printed card: twelve armies, five boxes each, and the economy."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PIL import Image

from engine.events import Event
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import TYPES
from engine.hitlers_war.view import ProductionView, SeasonAhead, View
from pbem.draw.card import Card, Later, Row, card_of
from pbem.draw.counter import counter
from pbem.draw.encode import as_png
from pbem.draw.fonts import folded
from pbem.draw.furniture import side_name, title_lines
from pbem.draw.marks import bars, emblem, production
from pbem.draw.palette import mix, palette, side_colours
from pbem.draw.pen import Pen
from pbem.games.hitlers_war.brief import composition
from pbem.games.hitlers_war.names import place_name, season_name


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
LINE = 24
FIRST_WIDTH, SECOND_WIDTH, THIRD_AT, THIRD_WIDTH = 316, 430, 840, 308
SEASON_STEP, SEASON_WIDTH = 566, 446
HEADINGS = {"inf": "INF", "mech": "MECH", "tac": "TAC", "para": "PARA", "amph": "AMPH"}


def sheet_png(view: View, side: str, told: Iterable[Event] = ()) -> bytes:
    """A side's record sheet, all of it or as far as the view knows it."""
    return as_png(paint_sheet(view, side, tuple(told), 1.0))


def paint_sheet(view: View, side: str, told: Sequence[Event], unit: float, heights: Heights = ROOMY) -> Image.Image:
    card = card_of(view, side, told)
    lower = _strip(card, heights) + (3 if card.later else 2) * heights.band
    height = HEAD + TABLE_HEAD + (len(card.rows) + 1) * heights.row + lower + MARGIN
    pen = Pen(WIDTH, height, unit)
    _head(pen, view, card)
    _table_head(pen, card)
    top = HEAD + TABLE_HEAD
    kinds = load_scenario(view.scenario).unit_types
    for number, row in enumerate(card.rows):
        _row(pen, card, row, kinds, top + number * heights.row, heights.row, shaded=number % 2 == 0)
    top += len(card.rows) * heights.row
    _totals(pen, card, kinds, top, heights.row)
    _lower(pen, card, top + heights.row, heights)
    pen.box(8, 8, WIDTH - 17, height - 17, line=palette().ink, thick=2)
    return pen.image


# ------------------------------------------------------------------ head


def _head(pen: Pen, view: View, card: Card) -> None:
    colours, table = side_colours(card.side), palette()
    pen.box(8, 8, WIDTH - 17, HEAD - 22, fill=colours.counter)
    pen.stamp(emblem(card.side, pen.pixels(38), table.white), MARGIN + 28, 47)
    pen.write(MARGIN + 64, 38, side_name(card.side).upper(), 32, face="bold", colour=table.white, tracking=3)
    title = "Record sheet" if card.known else "Record sheet, as far as known"
    pen.write(MARGIN + 65, 69, title, 16, colour=table.white)
    war, date, _ = title_lines(view)
    right = WIDTH - MARGIN - 8
    pen.write(right, 38, war, 22, face="bold", colour=table.white, align="right", room=560)
    pen.write(right, 68, date, 17, colour=table.white, align="right")


def _table_head(pen: Pen, card: Card) -> None:
    y = HEAD + 18
    _heading(pen, NAME_AT, y, "ARMY")
    _heading(pen, WHERE_AT, y, "WHERE")
    for number, kind in enumerate(TYPES):
        _heading(pen, _box_middle(number), y, HEADINGS[kind], "centre")
    _heading(pen, TOTAL_AT, y, "TOTAL" if card.known else "SEEN AS", "centre")
    _heading(pen, CHANGE_AT, y, "CHANGE", "centre")
    pen.rule(MARGIN, HEAD + TABLE_HEAD - 8, WIDTH - 2 * MARGIN, thick=2)


def _heading(pen: Pen, x: float, y: float, text: str, align: str = "left") -> None:
    pen.write(x, y, text, 13, face="narrow bold", colour=palette().soft_ink, align=align, tracking=2)


def _box_middle(number: int) -> float:
    return BOXES_AT + (number + 0.5) * BOX_STEP


# ------------------------------------------------------------------ armies


def _row(pen: Pen, card: Card, row: Row, kinds: Sequence[str], top: float, height: int, *, shaded: bool) -> None:
    y = top + height / 2
    if shaded:
        fill = mix(palette().paper, side_colours(card.side).land, 0.35)
        pen.box(MARGIN, top, WIDTH - 2 * MARGIN, height - 1, fill=fill)
    if row.face is not None:
        tall = min(44, height - 3)
        pen.stamp(counter(row.face, pen.pixels(tall * 48 / 44), pen.pixels(tall)), MARGIN + 32, y)
    _name_and_place(pen, card, row, y, height / ROOMY.row)
    _boxes(pen, row, kinds, top, height)
    _total(pen, row, y)
    _change(pen, row.gained, row.lost, y)


def _name_and_place(pen: Pen, card: Card, row: Row, y: float, close: float) -> None:
    """The lines stand as much closer as the row is lower."""
    soft = palette().soft_ink
    colour, face = (palette().ink, "narrow bold") if row.face is not None else (soft, "narrow")
    below = f"in orders: {row.abbreviation}" if card.known else ""
    up, down = 9 * close, 13 * close
    pen.write(NAME_AT, y - (up if below else 0), row.name, 18, face=face, colour=colour, room=262)
    pen.write(NAME_AT, y + down, below, 12, colour=soft, room=262)
    pen.write(WHERE_AT, y - (up if row.note else 0), row.where, 17, colour=colour, room=212)
    pen.write(WHERE_AT, y + down, row.note, 12, colour=_note_colour(row), room=212)


def _note_colour(row: Row) -> str:
    return palette().red if row.face is not None and row.face.badge else palette().soft_ink


def _boxes(pen: Pen, row: Row, kinds: Sequence[str], top: float, height: int) -> None:
    """A number where it is known, a question mark where it is not; types that are not in the war stay dark."""
    for number, kind in enumerate(TYPES):
        used, x, y = kind in kinds, _box_middle(number), top + height / 2
        _box(pen, number, top, height, used)
        if not used or row.face is None:
            continue
        if row.points is None:
            pen.write(x, y, "?", 17, colour=palette().soft_ink, align="centre")
        elif row.points.get(kind):
            pen.write(x, y, str(row.points[kind]), 23, face="bold", align="centre")


def _box(pen: Pen, number: int, top: float, height: int, used: bool) -> None:
    table = palette()
    fill = table.white if used else mix(table.paper, table.soft_ink, 0.16)
    line = table.soft_ink if used else mix(table.paper, table.soft_ink, 0.3)
    away = 6 if height > 45 else 4
    pen.box(BOXES_AT + number * BOX_STEP + 6, top + away, BOX_STEP - 12, height - 2 * away - 1, fill=fill, line=line)


def _total(pen: Pen, row: Row, y: float) -> None:
    if row.face is None:
        return
    if row.bars:
        rising = bars(row.bars, pen.pixels(40), pen.pixels(20), side_colours(row.face.side).counter)
        pen.stamp(rising, TOTAL_AT, y - 8)
        pen.write(TOTAL_AT, y + 14, row.total, 13, align="centre")
    else:
        pen.write(TOTAL_AT, y, row.total, 24, face="bold", align="centre")


def _change(pen: Pen, gained: int, lost: int, y: float) -> None:
    """What was built above, what was lost below; in the middle if there is only one of them."""
    parts = [(f"+{gained} built", palette().ink)] if gained else []
    parts += [(f"−{lost} lost", palette().red)] if lost else []
    for number, (text, colour) in enumerate(parts):
        up = (number - (len(parts) - 1) / 2) * 20
        pen.write(CHANGE_AT, y + up, text, 15, face="narrow bold", colour=colour, align="centre", room=82)


def _totals(pen: Pen, card: Card, kinds: Sequence[str], top: float, height: int) -> None:
    y = top + height / 2 + 2
    pen.rule(MARGIN, top + 1, WIDTH - 2 * MARGIN, thick=2)
    pen.write(NAME_AT, y, "ALL ARMIES", 17, face="narrow bold", tracking=1)
    if card.known:
        for number, kind in enumerate(TYPES):
            if kind in kinds:
                pen.write(_box_middle(number), y, str(card.totals[kind]), 23, face="bold", align="centre")
        pen.write(TOTAL_AT, y, str(sum(card.totals.values())), 24, face="bold", align="centre")
    else:
        on_map = sum(row.face is not None for row in card.rows)
        pen.write(WHERE_AT, y, f"{on_map} of {len(card.rows)} armies known of", 17)
    _change(pen, card.gained, card.lost, y)
    pen.rule(MARGIN, top + height + 2, WIDTH - 2 * MARGIN, thick=1)


# ------------------------------------------------------------------ economy


def _lower(pen: Pen, card: Card, top: float, heights: Heights) -> None:
    """The seasons to come over the whole width, below them the places, what happened, and what wars with a sea have."""
    first = top + 28
    second = first + _strip(card, heights)
    third = second + heights.band
    _production(pen, card, first)
    _rule_above(pen, second)
    _list(pen, "DEVASTATED", _damage_text(card), MARGIN, second, THIRD_AT - MARGIN - 24, 3)
    _list(pen, "OUT OF SUPPLY", _supply_text(card), THIRD_AT, second, THIRD_WIDTH, 3)
    _rule_above(pen, third)
    _list(pen, "BUILT AND LOST", _points_text(card), MARGIN, third, FIRST_WIDTH, 3)
    _list(pen, "TAKEN", _listed(card.season.taken) or _nothing(card), WHERE_AT, third, SECOND_WIDTH, 3)
    _list(pen, "GIVEN UP", _listed(card.season.given_up) or _nothing(card), THIRD_AT, third, THIRD_WIDTH, 3)
    if card.later:
        _rule_above(pen, third + heights.band)
        _forts_and_sea(pen, card, card.later, third + heights.band)


def _strip(card: Card, heights: Heights) -> int:
    """There may be nothing to tell of the seasons to come."""
    return heights.strip if card.ahead else heights.low_strip


def _rule_above(pen: Pen, top: float) -> None:
    pen.rule(MARGIN, top - 16, WIDTH - 2 * MARGIN, colour=mix(palette().paper, palette().soft_ink, 0.4))


def _forts_and_sea(pen: Pen, card: Card, later: Later, top: float) -> None:
    """Forts, the sea, and the pool or the countries that have joined."""
    _list(pen, "FORTS", _listed(later.forts) or _nothing(card), MARGIN, top, FIRST_WIDTH, 3)
    _list(pen, "BY SEA", _listed(later.seas) or _unnamed_seas(card), WHERE_AT, top, SECOND_WIDTH, 3)
    if later.pool:
        _list(pen, "TO DEPLOY", composition(later.pool), THIRD_AT, top, THIRD_WIDTH, 3)
    elif later.joined is not None:
        _list(pen, "HAVE JOINED", _listed(later.joined) or "nobody", THIRD_AT, top, THIRD_WIDTH, 3)


def _unnamed_seas(card: Card) -> str:
    return "nothing" if card.known else "not known"


def _nothing(card: Card) -> str:
    return "nothing" if card.known else "nothing seen"


def _production(pen: Pen, card: Card, y: float) -> None:
    """The seasons to come side by side, or what works now if there are none."""
    _heading(pen, MARGIN, y, "PRODUCTION, IF NOTHING ON THE BOARD CHANGES" if card.ahead else "PRODUCTION")
    for number, season in enumerate(card.ahead):
        _season(pen, season, MARGIN + number * SEASON_STEP, y)
    if not card.ahead:
        pen.write(MARGIN, y + 30, _working(card.production) if card.production else "not known", 16)


def _season(pen: Pen, season: SeasonAhead, x: float, y: float) -> None:
    made = season.production
    pen.stamp(production(made.budget, 0, 0, pen.pixels(74)), x + 38, y + 62)
    pen.write(x + 88, y + 34, f"{season_name(season.turn)}: {made.budget} to spend", 17, face="narrow bold")
    size, room = 16 * pen.unit, SEASON_WIDTH * pen.unit
    lines = [line for part in _season_parts(season) for line in folded(part, "narrow", size, room)]
    for number, line in enumerate(_at_most(3, lines), 1):
        pen.write(x + 88, y + 34 + number * LINE, line, 16, room=SEASON_WIDTH)


def _season_parts(season: SeasonAhead) -> list[str]:
    """What works, why that changes, and the forts that will be complete; each begins a line."""
    changes = _listed([f"{change.why}: {_signed(change.points)}" for change in season.changes])
    forts = _listed([f"{points} in {place_name(place)}" for place, points in season.forts.items()])
    parts = [_working(season.production), changes, forts and f"fort points completed: {forts}"]
    return [part for part in parts if part]


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}"


def _working(made: ProductionView) -> str:
    parts = [f"{made.working} {'point works' if made.working == 1 else 'points work'}"]
    parts += [f"less {made.reduction} {' and '.join(made.why) or 'for other fronts'}"] if made.reduction else []
    parts += [f"with {made.lend_lease} of lend-lease"] if made.lend_lease else []
    return ", ".join(parts)


def _damage_text(card: Card) -> str:
    parts = [f"{each.place} −{each.devastated}{' for good' if each.ruined else ''}" for each in card.damage]
    return _listed(parts) or _nothing(card)


def _supply_text(card: Card) -> str:
    return _listed(card.without_supply) or ("none" if card.known else "not known")


def _points_text(card: Card) -> str:
    """By type where the types are known, else only how many."""
    season = card.season
    lost = composition(season.lost_types) if season.all_types_known else str(card.lost)
    parts = [f"built {composition(season.built_types)}"] if card.gained else []
    parts += [f"lost {lost}"] if card.lost else []
    parts += [f"lent {season.lent}"] if season.lent else []
    return _listed(parts) or _nothing(card)


def _listed(parts: Sequence[str]) -> str:
    """With blanks that no line is broken at inside the parts."""
    return ", ".join(part.replace(" ", "\u00a0") for part in parts)


def _list(pen: Pen, heading: str, text: str, x: float, y: float, width: float, most: int) -> None:
    """No more than so many lines."""
    _heading(pen, x, y, heading)
    lines = folded(text, "narrow", 16 * pen.unit, width * pen.unit)
    for number, line in enumerate(_at_most(most, lines)):
        pen.write(x, y + 30 + number * LINE, line, 16, room=width)


def _at_most(most: int, lines: Sequence[str]) -> Sequence[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1].rstrip(',')} …"]
