"""The course of a Barbarossa: turn order, dates, gates, missed sheets, standing orders, victory (HW-2, HW-3, HW-15)."""

import pytest

from engine.events import canonical
from engine.game import ThereIsNoSuchScenario
from engine.grand_strategy.events import (
    ArmyAdvanced,
    CutOff,
    DefaultUsed,
    Fired,
    OrderRefused,
    PlayerTurnBegan,
    PointsBuilt,
    PointsRuined,
    ProductionCounted,
    SheetMissing,
    StandingChanged,
    WarEnded,
)
from engine.grand_strategy.state import Army
from engine.grand_strategy.tables import ThereIsNoSuchEdition
from tests.barbarossa import GAME, barbarossa, of, pass_turns, run

ORDER_OF_TURNS = [
    f"{season} {year} {side}"
    for season, year in [
        ("summer", 1941),
        ("winter", 1941),
        ("spring", 1942),
        ("summer", 1942),
        ("winter", 1942),
        ("spring", 1943),
        ("summer", 1943),
        ("winter", 1943),
    ]
    for side in ("axis", "soviet")
]


def test_eight_turns_axis_first_then_the_soviets_have_held_out() -> None:
    """HW-2.3, HW-2.4, HW-15.8"""
    state, began = barbarossa(), []
    while GAME.gate(state) is not None:
        state, events = run(state, {state.phasing: ""})
        began += [f"{e.season} {e.year} {e.side}" for e in of(PlayerTurnBegan, events)]
    assert began == ORDER_OF_TURNS
    assert state.outcome is not None
    assert state.outcome.winners == ("soviet",)


def test_printed_production_at_the_start() -> None:
    """HW-15.3: 34 and 16, of which the Axis may spend 17."""
    production = GAME.view(barbarossa(), None, "open").production
    assert (production["axis"].working, production["axis"].budget) == (34, 17)
    assert (production["soviet"].working, production["soviet"].budget) == (16, 16)


def test_siberia_produces_by_its_dates() -> None:
    """HW-15.7: nothing on turn 6, 8 from Winter 1941, 12 from Spring 1943."""
    soviet, state = [], barbarossa()
    while GAME.gate(state) is not None:
        state, events = run(state, {state.phasing: ""})
        soviet += [event.working for event in of(ProductionCounted, events) if event.side == "soviet"]
    assert soviet == [16, 24, 24, 24, 24, 28, 28, 28]


def test_the_siberian_army_is_held_on_the_first_turn_only() -> None:
    """HW-15.6"""
    state = pass_turns(barbarossa(), "6-soviet")
    assert GAME.view(state, "soviet", "open").armies["SIBERIA"].locked
    after, events = run(state, {"soviet": ["GOTO Siberia Q17", "XFER 1I Siberia -> Moscow"]})
    assert [refusal.army for refusal in of(OrderRefused, events)] == ["SIBERIA", "SIBERIA"]
    assert after.armies["SIBERIA"].place == "SIBERIA"


def test_points_may_come_to_siberia_on_the_first_turn() -> None:
    """HW-15.6 binds those that are there: two points come, and of what stands there none may leave."""
    state = pass_turns(barbarossa(), "6-soviet")
    lines = ["XFER 1I Moscow -> Siberia", "FORM White SIBERIA 1M FROM Moscow", "SET Siberia SIBERIA 1I"]
    after, events = run(state, {"soviet": lines})
    assert [refusal.line for refusal in of(OrderRefused, events)] == [3]
    assert after.armies["SIBERIA"].points == {"inf": 3, "mech": 3}
    assert (after.armies["WHITE"].place, after.armies["WHITE"].points) == ("SIBERIA", {"mech": 1})


def test_the_siberian_army_leaves_with_what_has_come() -> None:
    state = pass_turns(barbarossa(), "6-soviet")
    later, events = run(pass_turns(state, "7-soviet"), {"soviet": "GOTO Siberia Q17"})
    assert not of(OrderRefused, events)
    assert later.armies["SIBERIA"].place == "Q17"


def test_french_points_are_the_axis_choice_on_the_first_turn_only() -> None:
    """HW-15.2, D-02"""
    state, events = run(barbarossa(), {"axis": "DEVASTATE-FRANCE N7 N7 O8"})
    assert {event.place: event.points for event in of(PointsRuined, events)} == {"N7": 2, "O8": 1}
    assert [state.ground[place].devastated for place in ("N7", "O8", "M8", "L8", "N8")] == [2, 1, 0, 0, 0]
    assert of(ProductionCounted, events)[0].working == 34
    _, events = run(pass_turns(state, "7-axis"), {"axis": "DEVASTATE-FRANCE M8 L8 N8"})
    assert "first turn" in of(OrderRefused, events)[0].why


@pytest.mark.parametrize(
    ("choice", "why"),
    [("M8 L8", "3 points"), ("M8 L8 P10", "P10 is not in France"), ("M8 M8 L8", "M8 has only 1")],
)
def test_a_wrong_choice_of_french_points_keeps_the_usual_ones(choice: str, why: str) -> None:
    state, events = run(barbarossa(), {"axis": f"DEVASTATE-FRANCE {choice}"})
    assert why in of(OrderRefused, events)[0].why
    assert [state.ground[place].ruined for place in ("M8", "L8", "N8")] == [1, 1, 1]


def test_ruined_french_points_cannot_be_repaired() -> None:
    """HW-15.2, HW-11.5"""
    state, events = run(barbarossa(), {"axis": ["REPAIR M8", "REPAIR L12"]})
    assert [refusal.text for refusal in of(OrderRefused, events)] == ["REPAIR M8"]
    assert (state.ground["M8"].devastated, state.ground["L12"].devastated) == (1, 0)


# ------------------------------------------------------------------ winter


def test_the_winter_modifier_falls_with_every_winter_the_axis_spends_in_russia() -> None:
    """HW-9.16, A-03: winters are counted only if an Axis army stood in the Soviet Union."""
    state = barbarossa()
    state.ground["Q14"].owner = "axis"
    state.armies.pop("NW")
    state.armies["OKW"] = Army("OKW", "axis", "Q14", inf=4)
    seen = []
    for gate in ("7-axis", "8-axis", "10-axis", "11-axis", "13-axis"):
        state = pass_turns(state, gate)
        if state.turn in (7, 10, 13):
            _, events = run(state, {"axis": "ATTACK OKW R14 ASSAULT"})
            seen += [modifier.value for event in of(Fired, events) for modifier in event.roll.modifiers]
    assert seen == [4, 2, 1]


def test_a_winter_outside_russia_does_not_count() -> None:
    state = pass_turns(barbarossa(), "8-axis")
    assert state.winters_before == 0


# ------------------------------------------------------------------ victory


def test_the_axis_wins_the_moment_it_holds_the_three_capitals() -> None:
    """HW-15.8: at once, in the middle of the phase; the other attacks are not rolled."""
    state = barbarossa()
    for place in ("T15", "M19", "Q16", "Q15"):  # the point of Q15 keeps Q16 in supply
        state.ground[place].owner = "axis"
    for army in ("MOSCOW", "LENIN"):
        state.armies.pop(army)
    state.armies["CENTER"].place = "Q16"
    sheet = ["ATTACK Center Q17 ADVANCE", "ATTACK North R13 ADVANCE", "BUILD 1I P10"]
    after, events = run(state, {"axis": sheet, "soviet": "STANDING DEFEND ALL NEVER"}, [1])
    assert after.outcome is not None
    assert after.outcome.winners == ("axis",)
    assert isinstance(events[-1], WarEnded)
    assert GAME.gate(after) is None
    assert not of(PointsBuilt, events)


def test_the_soviets_win_the_moment_they_take_berlin() -> None:
    """HW-15.8"""
    state = pass_turns(barbarossa(), "6-soviet")
    state.ground["P11"].owner = "soviet"
    state.armies["WHITE"] = Army("WHITE", "soviet", "P11", mech=10)
    # P11 hangs together with Poland's neighbours only through this army, so give it a chain to live on.
    for place in ("P12", "P13", "O14"):
        state.ground[place].owner = "soviet"
    state.armies = {name: army for name, army in state.armies.items() if army.place not in ("P13", "O14")}
    after, events = run(state, {"soviet": "ATTACK White P10 ADVANCE"}, [1])
    assert after.outcome is not None
    assert after.outcome.winners == ("soviet",)
    assert of(ArmyAdvanced, events)[0].place == "P10"


# ------------------------------------------------------------------ gates and missing sheets


def test_one_run_has_one_gate_a_player_turn() -> None:
    state, _ = run(barbarossa(), {"axis": "ATTACK Center P14 ASSAULT ADVANCE"}, [6, 1, 1])
    gate = GAME.gate(state)
    assert gate is not None
    assert (gate.id, gate.awaits, gate.also_heard) == ("6-soviet", ("soviet",), ("axis",))


def test_checkpoint_stops_after_the_initial_attack_and_before_production() -> None:
    """D-21, D-33: the player exploits knowing the dice, and spends knowing the map."""
    sheet = ["ATTACK Center P14 ASSAULT ADVANCE", "BUILD 1I P10"]
    state, _ = run(barbarossa(mode="checkpoint"), {"axis": sheet, "soviet": "STANDING DEFEND ALL NEVER"}, [1, 1])
    assert GAME.gate(state).id == "6-axis-exploitation"
    assert GAME.view(state, "axis", "open").kept_for_later == ("BUILD 1I P10",)
    state, events = run(state, {"axis": "EXPLOIT Center P15"}, [1])
    assert of(ArmyAdvanced, events)[0].place == "P15"
    assert GAME.gate(state).id == "6-axis-production"
    state, events = run(state, {"axis": "BUILD 1M P10"})
    assert [event.points for event in of(PointsBuilt, events)] == [{"mech": 1}]
    assert GAME.gate(state).id == "6-soviet"


def test_lines_sent_early_are_used_when_a_later_sheet_is_missing() -> None:
    """D-68"""
    sheet = ["ATTACK Center P14 ASSAULT ADVANCE", "EXPLOIT Center P15", "BUILD 1I P10"]
    state, _ = run(barbarossa(mode="checkpoint"), {"axis": sheet, "soviet": "STANDING DEFEND ALL NEVER"}, [1, 1])
    state, events = run(state, {}, [1])
    assert of(ArmyAdvanced, events)[0].place == "P15"
    _, events = run(state, {})
    assert [event.points for event in of(PointsBuilt, events)] == [{"inf": 1}]


def test_checkpoint_does_not_stop_where_nobody_can_exploit() -> None:
    state, _ = run(barbarossa(mode="checkpoint"), {"axis": "ATTACK Center P14 ASSAULT"}, [6, 6])
    assert GAME.gate(state).id == "6-axis-production"


def test_a_line_for_a_phase_that_is_over_is_refused() -> None:
    state, _ = run(barbarossa(mode="checkpoint"), {"axis": ""})
    _, events = run(state, {"axis": ["GOTO North P10", "BUILD 1I P10"]})
    assert [refusal.text for refusal in of(OrderRefused, events)] == ["GOTO North P10"]
    assert of(PointsBuilt, events)


def test_a_missed_deadline_plays_standing_orders_and_the_last_production_list() -> None:
    """D-68: no movement, no attacks."""
    state, _ = run(barbarossa(), {"axis": ["GOTO North P12", "BUILD 2I P10 NEW B", "STANDING DEFEND ALL NEVER"]})
    state = pass_turns(state, "7-axis")
    after, events = run(state, {})
    assert of(SheetMissing, events)
    assert after.armies["B"].inf == 4
    assert after.armies["NORTH"].place == "P12"
    assert GAME.view(after, "axis", "open").standing["axis"] == ("DEFEND ALL NEVER",)


def test_a_sheet_without_a_production_list_builds_nothing_and_says_so() -> None:
    """D-33"""
    _, events = run(barbarossa(), {"axis": "GOTO North P12"})
    assert [event.decision for event in of(DefaultUsed, events)] == ["D-02", "D-33"]
    assert not of(PointsBuilt, events)


# ------------------------------------------------------------------ standing orders


def test_standing_orders_last_until_replaced_or_cancelled() -> None:
    state, _ = run(barbarossa(), {"soviet": ["STANDING DEFEND ALL NOW", "STANDING RETREAT Q14 TO Q15"], "axis": ""})
    standing = lambda: GAME.view(state, "soviet", "open").standing["soviet"]  # noqa: E731
    assert standing() == ("DEFEND ALL NOW", "RETREAT Q14 TO Q15")
    state, events = run(state, {"soviet": ["STANDING DEFEND ALL HOLD", "CANCEL RETREAT Q14 TO Q15"]})
    assert standing() == ("DEFEND ALL HOLD",)
    assert of(StandingChanged, events)[0].removed == ("DEFEND ALL NOW", "RETREAT Q14 TO Q15")
    state, _ = run(state, {"soviet": "STANDING CLEAR", "axis": ""})
    assert standing() == ()


def test_the_other_side_may_only_change_its_standing_orders() -> None:
    state = barbarossa()
    view = GAME.view(state, "soviet", "open")
    sheet = GAME.parse("GOTO Moscow Q16\nSTANDING DEFEND ALL HOLD\nCANCEL DEFEND ALL HOLD", view)
    assert [finding.line for finding in sheet.findings if finding.refuses] == [1]
    assert len(sheet.lines) == 2


def test_a_late_sheet_is_told_what_counts_now() -> None:
    """A player who missed his turn learns whose player-turn it is and what he may still send."""
    state = pass_turns(barbarossa(), "7-axis")
    (late,) = GAME.parse("TURN SUMMER 1941 SIDE SOVIET", GAME.view(state, "soviet", "open")).findings
    assert "TURN SUMMER 1941" in late.why
    assert "Axis player-turn" in late.remedy
    assert "STANDING orders only" in late.remedy
    (late,) = GAME.parse("TURN SUMMER 1941", GAME.view(state, "axis", "open")).findings
    assert "come too late" in late.remedy


# ------------------------------------------------------------------ supply


def test_an_army_cut_off_can_only_fire_in_defence() -> None:
    """HW-10.6"""
    state = barbarossa()
    for place in ("Q16", "P16"):
        state.ground[place].owner = "axis"
    state.armies["OKW"] = Army("OKW", "axis", "P16", inf=5)
    sheet = ["GOTO OKW P12", "ATTACK OKW P17 ASSAULT"]
    _, events = run(state, {"axis": sheet})
    assert [event.army for event in of(CutOff, events)] == ["OKW"]
    assert [refusal.text for refusal in of(OrderRefused, events)] == sheet


# ------------------------------------------------------------------ the contract's small print


def test_a_run_leaves_the_given_state_as_it_was() -> None:
    state = barbarossa(fog="fog")
    before = GAME.encode(state)
    run(state, {"axis": "ATTACK Center P14 ASSAULT ADVANCE\nBUILD MAX I ANY"})
    assert GAME.encode(state) == before


def test_state_survives_its_encoding() -> None:
    state, events = run(barbarossa(fog="fog"), {"axis": "ATTACK Center P14 ASSAULT ADVANCE IF RANGE>=2"})
    again = GAME.decode(GAME.encode(state))
    assert again == state
    assert GAME.encode(again) == GAME.encode(state)
    assert GAME.decode_events(GAME.encode_events(events)) == events
    assert canonical(GAME.view(again, "axis", "fog")) == canonical(GAME.view(state, "axis", "fog"))


def test_unknown_scenarios_and_editions_are_refused_with_the_known_ones() -> None:
    from engine.game import Options

    with pytest.raises(ThereIsNoSuchScenario, match="barbarossa"):
        GAME.setup("overlord", Options())
    with pytest.raises(ThereIsNoSuchEdition, match="1984"):
        barbarossa(edition="2001")
