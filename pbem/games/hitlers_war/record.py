"""The position as a side knows it: heading, politics, record sheets, and what its pictures show in words."""

from collections.abc import Iterable
from typing import Any

import msgspec
from markupsafe import Markup

from engine.events import Event
from engine.game import PUBLIC
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.events import InvasionAnnounced
from engine.grand_strategy.view import View
from pbem.games.hitlers_war.brief import works_by_place
from pbem.games.hitlers_war.happenings import came_ashore
from pbem.games.hitlers_war.names import army_name, as_in_orders, place_name, season_name, side_shown, turn_number
from pbem.games.hitlers_war.sheet import is_known, politics_of, record_sheet_of, told_of, total_points
from pbem.games.hitlers_war.textmap import armies_by_place, text_map
from pbem.words.tables import sheet_html, sheet_text
from pbem.words.wording import environment, render


def show_text(title: str, view: View) -> str:
    """The whole position as a side knows it: heading, map, record sheets, and the outcome if the war is over."""
    number, count = turn_number(view)
    return render(
        "hitlers-war/show.txt.j2",
        view=view,
        game_title=title,
        turn_number=number,
        turn_count=count,
        map=text_map(view),
        politics=politics_text(view),
        sheets=[record_sheet(view, side) for side in _own_side_first(view)],
    )


def position_html(view: View) -> Markup:
    """Politics and the record sheets as HTML tables; the map is a picture."""
    politics = (sheet_html(politics_of(view)),) if view.politics else ()
    sheets = (record_sheet_html(view, side) for side in _own_side_first(view))
    return Markup("\n").join((*politics, *sheets))


def record_sheet_html(view: View, side: str) -> Markup:
    return sheet_html(record_sheet_of(view, side))


#: What the templates call by name.
NAMES = {"army_name": army_name, "place_name": place_name, "season_name": season_name}


class AltTexts(msgspec.Struct, frozen=True):
    """What the pictures show, for who cannot see them."""

    map: str
    sheet: str


def alt_texts(view: View, told: Iterable[Event] = ()) -> AltTexts:
    words = _words(view, told)
    return AltTexts(*(_in_one_line(words, name) for name in ("map", "sheet")))


def part_in_words(view: View, label: str) -> str:
    """What the picture of a part of the board shows, from a view that knows only that part."""
    return _in_one_line(_words(view, (), label=label), "part")


def _in_one_line(words: Any, name: str) -> str:
    return " ".join(str(getattr(words, name)()).split())


def _words(view: View, told: Iterable[Event], **more: str) -> Any:
    side = side_shown(view)
    armies = [army for army in view.armies.values() if army.side == side]
    values = {
        "view": view,
        "side": side,
        "reader": PUBLIC if view.side == PUBLIC else side,
        "owners": _own_side_first(view),
        "known_in_full": is_known(view, side),
        "armies": armies,
        "totals": total_points(armies),
        "ahead": view.seasons_ahead.get(side, ()),
        "told": told_of(view),
        "groups": armies_by_place(view),
        "landings": _landings(told),
        **NAMES,
        **more,
    }
    return environment().get_template("hitlers-war/alt.txt.j2").make_module(values)


def orders_in_words(drafted: Drafted) -> str:
    """What the picture of a side's own orders shows."""
    values = {
        "works": works_by_place(drafted.works),
        "in_words": [as_in_orders(each.order) for each in drafted.in_words],
        **NAMES,
    }
    words = environment().get_template("hitlers-war/alt.txt.j2").make_module(values)
    return " ".join(str(words.orders(drafted)).split())  # type: ignore[attr-defined]


def _landings(told: Iterable[Event]) -> list[tuple[InvasionAnnounced, bool]]:
    """The invasions that were told, each with whether it came ashore."""
    events = list(told)
    return [(event, came_ashore(event, events)) for event in events if isinstance(event, InvasionAnnounced)]


def politics_text(view: View) -> str:
    """How the countries stand and what is known to come; empty in a war without politics."""
    return sheet_text(politics_of(view)) if view.politics else ""


def record_sheet(view: View, side: str) -> str:
    """The record card of a side: all of it where the view has it, else what is known."""
    return sheet_text(record_sheet_of(view, side))


def _own_side_first(view: View) -> list[str]:
    return sorted(view.sides, key=lambda side: (side != view.side, view.sides.index(side)))
