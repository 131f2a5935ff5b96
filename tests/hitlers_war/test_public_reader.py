"""The public of Hitler's War: what every side may know at each fog level, and how a GM shows it to anybody.

That nothing hidden from any side is public is compared in tests/hitlers_war/test_leaks.py and tests/contract/test_contract.py. Here is what
is public, and that a fact everybody knows is carried into every view and back.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.events import canonical
from engine.game import FOGS, PUBLIC, Fog, Outcome
from engine.grand_strategy.events import AdvanceTried, Fired, PlaceCaptured, PlayerTurnBegan, PointsLost
from engine.grand_strategy.known import position_as_known
from engine.grand_strategy.state import Country, PublicFacts, State
from engine.grand_strategy.view import SHARED, View, shared_facts
from pbem.cli import printing
from pbem.games import box_of
from pbem.games.box import easel
from tests.barbarossa import GAME, barbarossa, of, run
from tests.cli.test_printing import run as pbem
from tests.cli.test_printing import wars as wars
from tests.overseas import war_of

#: The Axis attacks P14 and takes it.
ATTACK = {"axis": "ATTACK Center P14 ASSAULT ADVANCE"}
DICE = [6, 6, 6]


def public(state: State) -> View:
    return GAME.view(state, PUBLIC, state.options.fog)


# ------------------------------------------------------------------ what is public


def test_where_all_is_open_record_sheets_are_public_and_orders_on_file_are_not() -> None:
    """HW-1.1"""
    state, _ = run(barbarossa(), {"soviet": "STANDING DEFEND ALL HOLD", "axis": ""})
    view = public(state)
    assert view.armies["MOSCOW"].points == {"inf": 2, "mech": 2}
    assert set(view.production) == {"axis", "soviet"}
    assert (view.standing, view.production_on_file, view.kept_for_later, view.free_armies) == ({}, (), (), ())


def test_veiled_counters_and_control_are_public_and_strengths_are_not() -> None:
    state, _ = run(barbarossa(fog="veiled"), {"axis": "ATTACK Center P14 ASSAULT"}, [6, 6])
    view = public(state)
    assert set(view.armies) == set(state.armies)
    assert {(army.points, army.strength, army.band, army.fought) for army in view.armies.values()} == {
        (None, None, "", None)
    }
    assert {place: known.owner for place, known in view.places.items()} == {
        place: ground.owner for place, ground in state.ground.items() if ground.owner != "neutral"
    }
    assert (view.production, view.sea_transport) == ({}, {})


def test_in_fog_the_map_of_the_first_day_is_public_and_no_counter() -> None:
    state = barbarossa(fog="fog")
    began = {place: ground.owner for place, ground in state.ground.items() if ground.owner != "neutral"}
    state, events = run(state, ATTACK, DICE)
    assert [event.place for event in of(PlaceCaptured, events)] == ["P14"]
    view = public(state)
    assert (view.armies, view.forts, view.taken) == ({}, {}, ())
    assert {place: known.owner for place, known in view.places.items()} == began
    assert {(known.seen, known.in_sight, known.in_supply) for known in view.places.values()} == {(6, False, None)}
    assert state.ground["P14"].owner == "axis"
    assert view.places["P14"].owner == "soviet"


def test_the_turn_the_gate_and_the_outcome_are_public() -> None:
    state = barbarossa(fog="fog")
    view = public(state)
    assert (view.turn, view.season, view.phasing, view.gate) == (6, "summer", "axis", GAME.gate(state))
    state.outcome = Outcome(("axis",), "Moscow has fallen", "HW-15.6")
    assert (public(state).gate, public(state).outcome) == (None, state.outcome)


def test_a_match_is_never_shown_foggier_to_the_public_than_it_is() -> None:
    assert GAME.view(barbarossa(fog="open"), PUBLIC, "fog").armies


@pytest.mark.parametrize(
    ("fog", "told"), [("open", True), ("veiled", True), ("fog", False)], ids=["open", "veiled", "fog"]
)
def test_a_battle_and_its_dice_are_public_unless_somebody_may_not_have_seen_it(fog: Fog, told: bool) -> None:
    _, events = run(barbarossa(fog=fog), ATTACK, DICE)
    known = GAME.told(events, PUBLIC, fog)
    assert of(PlayerTurnBegan, known) == of(PlayerTurnBegan, events)
    for kind in (Fired, AdvanceTried):
        rolled = [event.roll for event in of(kind, events)]
        assert rolled
        assert [event.roll for event in of(kind, known)] == (rolled if told else [])
    if fog == "veiled":
        assert {event.lost for event in of(PointsLost, known)} == {None}
        assert [event.count for event in of(PointsLost, known)] == [event.count for event in of(PointsLost, events)]


def test_the_public_gives_no_orders() -> None:
    assert GAME.bot(public(barbarossa()), b"key") == ""


# ------------------------------------------------------------------ shared facts

#: Of each fact that stands in the position and in a view, one that no war begins with.
ANOTHER: dict[str, Any] = {
    "turn": 7,
    "phasing": "soviet",
    "step": "production",
    "inert": ("P14",),
    "winters_before": 2,
    "countries": {"Poland": Country(side="axis", joined=3)},
    "terms": "refused",
    "mobilized": 5,
    "limited_war": True,
    "outcome": Outcome(("soviet",), "the war is over", "HW-15.6"),
}
#: These say which war it is.
WHICH_WAR = ("scenario", "options")


def test_a_fact_that_everybody_knows_is_carried_into_a_view_and_back() -> None:
    assert set(ANOTHER) | set(WHICH_WAR) == set(SHARED), "say in ANOTHER what a new fact may be"
    plain, state = barbarossa(), barbarossa()
    for name, fact in ANOTHER.items():
        assert getattr(plain, name) != fact
        setattr(state, name, fact)
    view, war = GAME.view(state, "soviet", "open"), war_of(state)
    known = position_as_known(view, war.setting)
    for name in SHARED:
        assert getattr(view, name) == getattr(state, name), name
        assert getattr(known, name) == getattr(state, name), name


def test_whatever_is_declared_for_both_is_carried() -> None:
    """One line in PublicFacts is all that a new one needs; it is left out while it is what it was at the start."""
    assert set(PublicFacts.__struct_fields__) <= set(SHARED)
    assert not [field.name for field in msgspec.structs.fields(PublicFacts) if field.required]
    types = [{field.name: field.type for field in msgspec.structs.fields(kind)} for kind in (State, View)]
    for name in SHARED:
        assert types[0][name] == types[1][name], name


def test_a_view_shares_nothing_that_can_be_changed_with_the_position() -> None:
    state = barbarossa()
    state.countries["Poland"] = Country(side="axis")
    facts = shared_facts(state)
    facts["countries"]["Poland"].side = "soviet"
    facts["countries"]["Spain"] = Country()
    assert state.countries == {"Poland": Country(side="axis")}


# ------------------------------------------------------------------ how it is shown


@pytest.mark.parametrize("fog", FOGS)
def test_what_is_public_is_put_into_words_and_drawn(fog: Fog) -> None:
    state, events = run(barbarossa(fog=fog), ATTACK, DICE)
    view, told, box = public(state), GAME.told(events, PUBLIC, fog), box_of(GAME)
    text, page = box.position(view), str(box.position_html(view))
    assert "your arm" not in text.lower()
    assert ("was when the war began" in text) == (fog == "fog")
    for words in (text, page):
        assert ("No army of this side is known to everybody" in words) == (fog == "fog")
        assert ("Army Group Center" in words) == (fog != "fog")
    map_alt, sheet_alt = (picture.alt for picture in box.pictures("report", view, told))
    assert map_alt.startswith("Map, Summer 1941, as known to everybody. Axis armies: ")
    assert ("as far as known" in sheet_alt) == (fog != "open")
    assert ("Nothing that everybody could see." in box.story(told, PUBLIC)) == (fog == "fog")


def test_a_gm_shows_what_is_public(wars: Path) -> None:
    shown = pbem(wars, "show", 1, "--as", PUBLIC)
    assert "what is public" in shown.stdout
    assert "No army of this side is known to everybody" in shown.stdout
    facts = msgspec.json.decode(pbem(wars, "show", 1, "--as", PUBLIC, "--json").stdout)
    assert (facts["side"], facts["view"]["side"], facts["view"]["armies"]) == (PUBLIC, PUBLIC, {})
    assert pbem(wars, "process", 1, "--without-missing").exit_code == 0
    told = pbem(wars, "log", 1, "--as", PUBLIC).stdout
    assert "SUMMER 1941: AXIS PLAYER-TURN" in told
    assert "SHEETS" in pbem(wars, "log", 1).stdout
    assert "SHEETS" not in told, "that no sheet came is the business of its side"


def test_what_is_public_is_printed_for_the_wall(wars: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page itself takes seconds; here it is what it would be drawn from."""
    monkeypatch.setattr(printing, "_page", lambda store, position, side: canonical(position.view(side)))
    assert pbem(wars, "map", "print", 1, "--as", PUBLIC).exit_code == 0
    drawn_from = msgspec.json.decode((wars.parent / "map-1-public.png").read_bytes(), type=View)
    assert (drawn_from.side, drawn_from.armies) == (PUBLIC, {})


def test_the_public_map_of_a_war_in_fog_has_no_counter() -> None:
    """It is the same whoever stands where."""
    state = barbarossa(fog="fog")
    empty = GAME.decode(GAME.encode(state))
    empty.armies = {}
    here, gone = (easel(box_of(GAME), canonical(public(each)), b"[]", "")("map") for each in (state, empty))
    assert here == gone
