"""The position as a side knows it: heading, map, record sheets, and what its pictures show in words."""

from typing import Any

import msgspec
from markupsafe import Markup

from engine.orders import Sheet
from tests.toy.round_island.rules.board import SIDES, hexes, neighbours, villages
from tests.toy.round_island.rules.plan import plan_of
from tests.toy.round_island.rules.view import View
from tests.toy.round_island.shown import TEMPLATES
from tests.toy.round_island.shown.names import WORDS, place_name
from tests.toy.round_island.shown.textmap import KEY, text_map


class Row(msgspec.Struct, frozen=True):
    """A band on a record sheet. `spears` is empty where they cannot be counted."""

    place: str
    terrain: str
    spears: str


class Record(msgspec.Struct, frozen=True):
    """The record sheet of one side as rows: text, HTML and picture are made from the same."""

    side: str
    rows: tuple[Row, ...]
    total: str
    villages: int
    standing: str | None

    @property
    def is_complete(self) -> bool:
        return self.standing is not None


def record_of(view: View, side: str) -> Record:
    bands = [(hex_id, band.spears) for hex_id, band in sorted(view.bands.items()) if band.side == side]
    complete = side in view.standing
    return Record(
        side,
        tuple(Row(place_name(hex_id), hexes()[hex_id].terrain, str(spears or "")) for hex_id, spears in bands),
        str(sum(spears or 0 for _, spears in bands)) if complete else "",
        sum(view.owner.get(hex_id) == side for hex_id in villages()),
        view.standing.get(side),
    )


def records(view: View) -> list[Record]:
    """The reader's own first."""
    return [record_of(view, side) for side in sorted(SIDES, key=lambda side: (side != view.side, side))]


def position_text(title: str, view: View) -> str:
    values = {"view": view, "title": title, "map": text_map(view), "key": KEY, "records": records(view)}
    return TEMPLATES.text("show.txt.j2", **values, **WORDS)


def position_html(view: View) -> Markup:
    return TEMPLATES.html("show.html.j2", records=records(view), **WORDS)


def record_text(view: View, side: str) -> str:
    return TEMPLATES.text("sheet.txt.j2", record=record_of(view, side), **WORDS)


def record_html(view: View, side: str) -> Markup:
    return TEMPLATES.html("sheet.html.j2", record=record_of(view, side), **WORDS)


def part_text(view: View, hex_id: str) -> str:
    """A hex and its neighbours, a line each."""
    return TEMPLATES.text("part.txt.j2", view=view, near=_near(hex_id), hexes=hexes(), **WORDS)


def _near(hex_id: str) -> list[str]:
    return [hex_id, *sorted(neighbours(hex_id))]


# ------------------------------------------------------------------ what the pictures show


def map_in_words(view: View) -> str:
    bands = [(place_name(hex_id), band) for hex_id, band in sorted(view.bands.items())]
    return _alt("map", view=view, bands=bands)


def part_in_words(view: View, hex_id: str) -> str:
    near = [(place_name(each), view.bands[each]) for each in _near(hex_id) if each in view.bands]
    return _alt("part", where=place_name(hex_id), view=view, bands=near)


def record_in_words(view: View) -> str:
    return _alt("sheet", record=record_of(view, view.side or SIDES[0]))


def orders_in_words(view: View, sheet: Sheet) -> str:
    return _alt("orders", plan=plan_of(view.spears_of(view.side or ""), sheet.lines))


def _alt(name: str, **values: Any) -> str:
    words = TEMPLATES.macros("alt.txt.j2", **values, **WORDS)
    return " ".join(str(getattr(words, name)()).split())
