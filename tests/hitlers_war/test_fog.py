"""What a side may know: open, veiled and fog, what is remembered, and how events are told."""

import pytest

from engine.events import canonical
from engine.grand_strategy.containers import band
from engine.grand_strategy.events import (
    ArmyAdvanced,
    ArmyEliminated,
    ArmyRearranged,
    DefaultUsed,
    Fired,
    FortLost,
    OrderRefused,
    PlaceCaptured,
    PointsBuilt,
    PointsLost,
    ProductionCounted,
)
from engine.grand_strategy.sight import OUT_OF_SIGHT
from engine.grand_strategy.state import Army
from tests.barbarossa import GAME, barbarossa, of, pass_turns, run
from tests.overseas import war_of


@pytest.mark.parametrize(
    ("strength", "name"),
    [(1, "light"), (3, "light"), (4, "medium"), (6, "medium"), (7, "strong"), (10, "strong"), (11, "massed")],
)
def test_bands(strength: int, name: str) -> None:
    assert band(strength) == name


def test_open_shows_every_record_sheet_but_not_the_standing_orders() -> None:
    """HW-1.1"""
    state, _ = run(barbarossa(), {"soviet": "STANDING DEFEND ALL HOLD", "axis": ""})
    view = GAME.view(state, "axis", "open")
    assert view.armies["MOSCOW"].points == {"inf": 2, "mech": 2}
    assert set(view.production) == {"axis", "soviet"}
    assert set(view.standing) == {"axis"}


def test_veiled_shows_counters_and_control_but_no_strength() -> None:
    view = GAME.view(barbarossa(fog="veiled"), "axis", "veiled")
    moscow = view.armies["MOSCOW"]
    assert (moscow.place, moscow.points, moscow.strength, moscow.band) == ("Q17", None, None, "")
    assert set(view.production) == {"axis"}
    assert view.places["Q17"].owner == "soviet"
    assert view.places["Q17"].in_sight


def test_veiled_remembers_what_a_battle_showed_with_its_turn() -> None:
    state, _ = run(barbarossa(fog="veiled"), {"axis": "ATTACK Center P14 ASSAULT"}, [6, 6])
    seen = GAME.view(pass_turns(state, "8-axis"), "axis", "veiled").armies["SWEST"]
    assert (seen.strength, seen.fought, seen.points) == (4, 6, None)


def test_fog_shows_bands_next_door_and_the_set_up_beyond() -> None:
    view = GAME.view(barbarossa(fog="fog"), "axis", "fog")
    near, far = view.armies["SWEST"], view.armies["MOSCOW"]
    assert (near.band, near.points, near.strength, near.seen) == ("medium", None, None, 6)
    assert (far.place, far.band, far.points) == ("Q17", "medium", None)
    assert not view.places["Q17"].in_sight
    assert view.places["P14"].in_sight


def test_what_drops_out_of_sight_is_remembered_with_its_season() -> None:
    """The Baltic army is seen on the border, then goes to the Urals unseen."""
    state = pass_turns(barbarossa(fog="fog"), "6-soviet")
    state, events = run(state, {"soviet": "GOTO Baltic Q20"})
    view = GAME.view(pass_turns(state, "7-axis"), "axis", "fog")
    assert "BALTIC" not in view.armies, "its old place is in sight, so everybody sees that it is gone"
    left = of(ArmyRearranged, GAME.told(events, "axis", "fog"))[0]
    assert (left.origin, left.place, left.before, left.after) == ("R13", OUT_OF_SIGHT, None, None)


def test_an_army_that_was_seen_to_be_gone_does_not_come_back_to_mind() -> None:
    """The Axis saw the Baltic army leave R13. It loses sight of R13 later, and still knows better."""
    state = pass_turns(barbarossa(fog="fog"), "6-soviet")
    state, _ = run(state, {"soviet": "GOTO Baltic Q20"})
    war = war_of(state)
    for place in war.board.around["R13"]:
        if war.holds("axis", place):
            war.give_to(place, "soviet")
    view = GAME.view(state, "axis", "fog")
    assert not view.places["R13"].in_sight
    assert "BALTIC" not in view.armies


def test_an_unseen_move_is_not_told_and_not_shown() -> None:
    state = pass_turns(barbarossa(fog="fog"), "6-soviet")
    state, events = run(state, {"soviet": "GOTO Moscow Q20"})
    assert not of(ArmyRearranged, GAME.told(events, "axis", "fog"))
    assert GAME.view(state, "axis", "fog").armies["MOSCOW"].place == "Q17"


def test_strengthening_an_army_in_place_shows_nothing() -> None:
    state = pass_turns(barbarossa(fog="veiled"), "6-soviet")
    _, events = run(state, {"soviet": "XFER 1I NW -> SWEST"})
    assert of(ArmyRearranged, events)
    assert not of(ArmyRearranged, GAME.told(events, "axis", "veiled"))


def test_a_place_lost_from_sight_keeps_its_last_known_owner() -> None:
    """The Axis takes P14 and P15, loses P15 again, and no longer sees beyond it."""
    state = barbarossa(fog="fog")
    state.armies.pop("SWEST")
    axis = ["ATTACK Center P14 ADVANCE", "EXPLOIT Center P15"]
    state, _ = run(state, {"axis": axis}, [1, 1])
    assert GAME.view(state, "axis", "fog").places["P16"].in_sight
    state.armies["WHITE"] = Army("WHITE", "soviet", "P16", mech=10)
    state.armies["CENTER"] = Army("CENTER", "axis", "P15", inf=1)
    state, _ = run(state, {"soviet": "ATTACK White P15 ASSAULT ADVANCE", "axis": "STANDING DEFEND ALL NEVER"}, [1, 1])
    beyond = GAME.view(state, "axis", "fog").places["P16"]
    assert (beyond.in_sight, beyond.owner, beyond.seen) == (False, "soviet", 6)


def test_the_gm_sees_everything() -> None:
    state, events = run(barbarossa(fog="fog"), {"soviet": "STANDING DEFEND ALL HOLD", "axis": "BUILD 1I P10"})
    view = GAME.view(state, None, "fog")
    assert view.armies["MOSCOW"].points == {"inf": 2, "mech": 2}
    assert view.standing["soviet"] == ("DEFEND ALL HOLD",)
    assert GAME.told(events, None, "fog") == events


# ------------------------------------------------------------------ events


BATTLE = ["ATTACK Center P14 ASSAULT ADVANCE", "ATTACK OKW Q16 ASSAULT", "LOSSES ALL TYPES I,M", "BUILD 1M P10"]


@pytest.mark.parametrize("fog", ["veiled", "fog"])
def test_both_sides_read_the_battle_but_only_the_owner_reads_types(fog: str) -> None:
    _, events = run(barbarossa(fog=fog), {"axis": BATTLE}, [1, 1, 1])
    for side, enemy in (("axis", "soviet"), ("soviet", "axis")):
        told = GAME.told(events, side, fog)
        assert len(of(Fired, told)) == len(of(Fired, events)) == 2
        assert all(event.roll.label for event in of(Fired, told))
        for event in of(PointsLost, told) + of(ArmyEliminated, told):
            assert (event.lost is None) == (event.side == enemy)
        assert of(ArmyAdvanced, told)[0].place == "P14"
        assert of(PlaceCaptured, told)[0].place == "P14"
        assert all(not event.seen_by for event in told)


BOTH = ("axis", "soviet")
CUT_OFF = ArmyEliminated("soviet", "NW", "Q14", "isolated", 8, {"inf": 8}, seen_by=BOTH)
NO_RETREAT = ArmyEliminated("soviet", "NW", "Q14", "no retreat", 8, {"inf": 8}, seen_by=BOTH)
SHOT = ArmyEliminated("soviet", "NW", "Q14", "losses", 2, {"inf": 2}, seen_by=BOTH)
FORT = FortLost("soviet", 1, "T15", "captured", 5, 2, seen_by=BOTH)
SITE = FortLost("soviet", 1, "T15", "captured", 4, 4, seen_by=BOTH)


@pytest.mark.parametrize(
    ("event", "fog", "count", "band"),
    [
        (CUT_OFF, "open", 8, ""),
        (CUT_OFF, "veiled", 0, ""),  # nobody had seen how strong it was
        (CUT_OFF, "fog", 0, "strong"),
        (NO_RETREAT, "veiled", 0, "strong"),  # the battle has shown it
        (NO_RETREAT, "fog", 0, "strong"),
        (SHOT, "veiled", 2, ""),  # as all points lost in battle
        (SHOT, "fog", 2, ""),
        (FORT, "open", 5, ""),
        (FORT, "veiled", 0, ""),
        (FORT, "fog", 0, "light"),  # three complete points showed, and two under construction did not
        (SITE, "fog", 0, "unfinished"),
    ],
)
def test_the_points_of_a_counter_that_leaves_the_map_are_told_as_they_were_seen(
    event: ArmyEliminated | FortLost, fog: str, count: int, band: str
) -> None:
    (told,) = GAME.told([event], "axis", fog)
    assert (told.count, told.band) == (count, band)
    (own,) = GAME.told([event], "soviet", fog)
    assert (own.count, own.band) == (event.count, "")
    if isinstance(event, ArmyEliminated):
        assert (told.lost is None) == (fog != "open")
        assert own.lost == event.lost


@pytest.mark.parametrize("fog", ["open", "veiled", "fog"])
def test_refusals_defaults_and_conditions_are_private_at_every_level(fog: str) -> None:
    _, events = run(barbarossa(fog=fog), {"axis": BATTLE}, [1, 1, 1])
    assert of(OrderRefused, events)
    assert not of(OrderRefused, GAME.told(events, "soviet", fog))
    assert {event.side for event in of(DefaultUsed, GAME.told(events, "soviet", fog))} == {"soviet"}


def test_production_is_private_unless_record_sheets_are_open() -> None:
    for fog, known in (("open", True), ("veiled", False), ("fog", False)):
        _, events = run(barbarossa(fog=fog), {"axis": BATTLE}, [1, 1, 1])
        told = GAME.told(events, "soviet", fog)
        assert bool(of(ProductionCounted, told)) == bool(of(PointsBuilt, told)) == known


def test_events_far_behind_the_lines_are_not_told_in_fog() -> None:
    """A French point put out of use is a marker on the map: public when veiled, out of sight in fog."""
    for fog, seen in (("veiled", True), ("fog", False)):
        _, events = run(barbarossa(fog=fog), {"axis": "DEVASTATE-FRANCE N7 N7 O8"})
        assert ("points-ruined" in str(canonical(GAME.told(events, "soviet", fog)))) == seen


def test_a_view_is_never_foggier_than_its_match() -> None:
    """Memory is kept only where it is needed, so an open match cannot be shown in fog."""
    assert GAME.view(barbarossa(fog="open"), "axis", "fog").fog == "open"
    assert GAME.view(barbarossa(fog="fog"), "axis", "veiled").fog == "veiled"
