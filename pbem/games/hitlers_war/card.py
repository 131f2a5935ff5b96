"""The record sheet of a side as a card to be drawn: its rows and entries, and the counters of its armies."""

from collections.abc import Iterable

from engine.events import Event
from engine.grand_strategy.state import TYPES
from engine.grand_strategy.view import View
from engine.hitlers_war.scenario import load_scenario
from pbem.draw.card import Card
from pbem.games.hitlers_war.board_scene import titles_of
from pbem.games.hitlers_war.faces import face_of
from pbem.games.hitlers_war.names import side_title
from pbem.games.hitlers_war.sheet import ARMIES, SEASONS, record_sheet_of


def card_of(view: View, side: str, told: Iterable[Event]) -> Card:
    """All of a side's record sheet, or as far as the view knows it."""
    sheet = record_sheet_of(view, side, told)
    tables, entries = {table.name: table for table in sheet.tables}, {entry.name: entry for entry in sheet.entries}
    return Card(
        side,
        side_title(side),
        sheet.title.on("picture"),
        titles_of(view),
        tables[ARMIES],
        boxes=TYPES,
        used=tuple(load_scenario(view.scenario).unit_types),
        counters={row.key: face_of(view, view.armies[row.key]) for row in tables[ARMIES].rows if row.key},
        strip=entries[SEASONS],
        seasons=tables[SEASONS].rows if SEASONS in tables else (),
        entries=tuple(entry for entry in sheet.entries if entry.name != SEASONS),
    )
