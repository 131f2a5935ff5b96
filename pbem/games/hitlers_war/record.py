"""The position as a side knows it: heading, politics, record sheets, and what its pictures show in words."""

from collections.abc import Iterable
from typing import Any

import msgspec
from markupsafe import Markup

from engine.events import Event
from engine.game import PUBLIC
from engine.hitlers_war.europe import europe
from engine.hitlers_war.events import InvasionAnnounced
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import NEUTRAL, TYPES, UNALIGNED, at_war
from engine.hitlers_war.view import ArmyView, View
from engine.orders import Finding, Sheet
from pbem.draw.happenings import came_ashore
from pbem.draw.planning import plan_of
from pbem.games.hitlers_war.names import (
    army_abbreviation,
    army_name,
    as_in_orders,
    counters_of,
    free_counters,
    in_map_order,
    place_name,
    season_name,
    side_shown,
    turn_number,
)
from pbem.games.hitlers_war.textmap import armies_by_place, is_in_sight, text_map
from pbem.words.pages import fragment
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
    politics = (fragment("hitlers-war/politics.html.j2", **_politics(view)),) if view.politics else ()
    sheets = (record_sheet_html(view, side) for side in _own_side_first(view))
    return Markup("\n").join((*politics, *sheets))


def record_sheet_html(view: View, side: str) -> Markup:
    return fragment("hitlers-war/sheet.html.j2", **_record(view, side))


class AltTexts(msgspec.Struct, frozen=True):
    """What the pictures show, for who cannot see them."""

    map: str
    sheet: str


def alt_texts(view: View, told: Iterable[Event] = ()) -> AltTexts:
    record, politics = _record(view, side_shown(view)), _politics(view)
    reader = PUBLIC if view.side == PUBLIC else side_shown(view)
    shown = {"reader": reader, "owners": _own_side_first(view), "groups": armies_by_place(view)}
    values = {**record, **politics, **shown, "landings": _landings(told)}
    words = environment().get_template("hitlers-war/alt.txt.j2").make_module(values)
    return AltTexts(*(" ".join(str(getattr(words, name)()).split()) for name in ("map", "sheet")))


def orders_alt_text(view: View, sheet: Sheet, findings: Iterable[Finding]) -> str:
    """What the picture of a side's own orders shows."""
    names = {"army_name": army_name, "place_name": place_name, "season_name": season_name}
    words = environment().get_template("hitlers-war/alt.txt.j2").make_module(names)
    return " ".join(str(words.orders(plan_of(view, sheet, findings))).split())  # type: ignore[attr-defined]


def _landings(told: Iterable[Event]) -> list[tuple[InvasionAnnounced, bool]]:
    """The invasions that were told, each with whether it came ashore."""
    events = list(told)
    return [(event, came_ashore(event, events)) for event in events if isinstance(event, InvasionAnnounced)]


def politics_text(view: View) -> str:
    """How the countries stand and what is known to come; empty in a war without politics."""
    return render("hitlers-war/politics.txt.j2", **_politics(view)) if view.politics else ""


def _politics(view: View) -> dict[str, Any]:
    """Countries of which there is something to tell, and the others by how they stand."""
    told = [row for row in view.politics if row.note or row.prospect or row.status not in (UNALIGNED, NEUTRAL)]
    others = {
        status: [row.country for row in view.politics if row.status == status and row not in told]
        for status in (UNALIGNED, NEUTRAL)
    }
    return {"view": view, "told": told, "quiet": others[UNALIGNED], "closed": others[NEUTRAL]}


def _own_side_first(view: View) -> list[str]:
    """The reader's own side, then the others in their order of play."""
    return sorted(view.sides, key=lambda side: (side != view.side, view.sides.index(side)))


# ------------------------------------------------------------------ the record sheet


class Damage(msgspec.Struct, frozen=True):
    """Production points of a place that do not work; `ruined` ones never will again."""

    place: str
    devastated: int
    ruined: int


def record_sheet(view: View, side: str) -> str:
    """The record card of a side: all of it where the view has it, else what is known."""
    return render("hitlers-war/sheet.txt.j2", **_record(view, side))


def _record(view: View, side: str) -> dict[str, Any]:
    armies = _armies_of(view, side)
    kinds = [kind for kind in TYPES if kind in load_scenario(view.scenario).unit_types]
    number, count = turn_number(view)
    return {
        "view": view,
        "side": side,
        "in_orders": as_in_orders,
        "turn_number": number,
        "turn_count": count,
        "kinds": kinds,
        "armies": armies,
        "totals": {kind: sum((army.points or {}).get(kind, 0) for army in armies) for kind in kinds},
        "known_in_full": side in view.production,
        "ahead": view.seasons_ahead.get(side, ()),
        "in_sight": {army.id for army in armies if is_in_sight(view, army)},
        "free": free_counters(view, side),
        "damage": _damage(view, side),
        "forts": {place: fort for place, fort in view.forts.items() if fort.side == side},
        "without_supply": list(map(place_name, _without_supply(view, side))),
        "has_heirs": bool(at_war(side, view.sides, view.terms)),  # HW-10.8, A-59
        "army_name": army_name,
        "army_abbreviation": army_abbreviation,
        "place_name": place_name,
        "season_name": season_name,
    }


def _armies_of(view: View, side: str) -> list[ArmyView]:
    """In the order of the printed card."""
    return [view.armies[army] for army in counters_of(side) if army in view.armies and view.armies[army].side == side]


def _damage(view: View, side: str) -> list[Damage]:
    return [
        Damage(place, known.devastated, known.ruined)
        for place, known in sorted(view.places.items(), key=lambda entry: in_map_order(entry[0]))
        if known.owner == side and known.devastated and _produces(place)
    ]


def _produces(place: str) -> bool:
    return place in europe() and europe()[place].production > 0


def _without_supply(view: View, side: str) -> list[str]:
    """Places that will be lost at the end of the side's combat; those cut off from the start are exempt (HW-10.9)."""
    cut_off = [
        place
        for place, known in view.places.items()
        if known.owner == side and known.in_supply is False and place not in view.inert
    ]
    return sorted(cut_off, key=in_map_order)
