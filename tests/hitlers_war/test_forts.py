"""Forts: building, absorbing, firing and falling (HW-14)."""

from fractions import Fraction

import pytest

from engine.game import Options
from engine.grand_strategy.events import (
    Fired,
    FortAbsorbed,
    FortCompleted,
    FortLost,
    FortPointsLost,
    FortStarted,
    GarrisonLost,
    PointsLost,
    StackCulled,
)
from engine.grand_strategy.rules.forts import room_for_fort
from engine.grand_strategy.rules.losses import defenders_lose
from engine.grand_strategy.setup import first_state
from engine.grand_strategy.state import State
from engine.hitlers_war.audit import Auditor, TheImpossibleHappened
from engine.hitlers_war.rulebook import setting_of
from engine.orders import Kind
from pbem.games.hitlers_war.form import form_lines
from pbem.games.hitlers_war.record import record_sheet
from tests.overseas import GAME, of, position, put, put_fort, refusals, run, war_of


def axis_production(**options: str) -> State:
    return position("fall-of-germany", "axis", **options)


def siege(**options: str) -> State:
    """An Allied army beside a fort and a German army in Brest."""
    state = position("fall-of-germany", "allies", **options)
    put(state, "5US", "O7", inf=5, mech=5)
    put(state, "WEST", "N6", inf=5)
    put_fort(state, "N6", 3)
    return state


# ------------------------------------------------------------------ building


def test_a_fort_costs_five_and_counts_from_the_next_production_phase_on() -> None:
    state = axis_production()
    after, events = run(state, {"axis": ["FORT N9 2"]})
    assert (after.forts["N9"].strength, after.forts["N9"].building) == (0, 2)  # HW-14.3
    assert of(FortStarted, events)[0].cost == 10  # HW-14.1
    war = war_of(after)
    assert (war.stack("N9"), war.defence("N9")) == (0, 1)  # the garrison alone
    after.phasing, after.turn = "axis", 15
    after, events = run(after, {"axis": []})
    assert (after.forts["N9"].strength, after.forts["N9"].building) == (2, 0)
    assert of(FortCompleted, events)[0].strength == 2


def crowded(**options: str) -> State:
    """A fort was completed around an army: eleven points stand in Dijon."""
    state = position("fall-of-germany", "axis", **options)
    put(state, "WEST", "M9", inf=1)
    put_fort(state, "M9", 10)
    return state


def test_a_fort_completed_around_an_army_may_leave_too_little_room() -> None:
    """HW-7.3, HW-14.3: what is above ten must leave in the next Movement Phase. Sheet, order form and receipt say so."""
    view = GAME.view(crowded(), "axis", "fog")
    assert view.armies["WEST"].excess == 1
    assert "1 point too many in its hex" in record_sheet(view, "axis")
    assert "1 too many in the hex" in form_lines(1, view, view.gate, "axis")
    attack = GAME.parse("ATTACK WEST N8 ADVANCE", view)
    (note, refusal) = [finding for finding in GAME.check(view, attack) if "ten" in finding.why]
    assert note.why == "1 of WEST above ten in M9 will be lost (HW-7.3)"
    assert refusal.why == "WEST is lost before: more than ten points stand in M9 (HW-7.3)"
    assert refusal.remedy == note.remedy.split(",")[0] + ", so that ten are left"
    state, events = run(crowded(), {"axis": ["ATTACK WEST N8 ADVANCE"]})
    assert of(StackCulled, events)[0].lost == {"inf": 1}
    assert [refused.why for refused in refusals(events)] == [refusal.why]
    assert "WEST" not in state.armies


def test_ten_points_in_a_hex_are_not_too_many() -> None:
    state = crowded()
    state.forts["M9"].strength = 9
    assert GAME.view(state, "axis", "fog").armies["WEST"].excess == 0
    assert GAME.view(crowded(), "allies", "open").armies["WEST"].excess == 1  # HW-1.1: record sheets are open
    assert GAME.view(crowded(fog="veiled"), "allies", "veiled").armies["WEST"].excess == 0


@pytest.mark.parametrize("alone", [True, False])
def test_random_players_leave_a_crowded_hex_or_do_not_count_on_it(alone: bool) -> None:
    state = crowded()
    if not alone:
        put(state, "NORTH", "N9", inf=10)
    view = GAME.view(state, "axis", "open")
    for number in range(40):
        sheet = GAME.parse(GAME.bot(view, bytes([number])), view)
        assert not [finding for finding in GAME.check(view, sheet) if finding.refuses]


def test_a_fort_needs_neither_production_nor_supply() -> None:
    after, _ = run(axis_production(), {"axis": ["FORT M9 1"]})
    assert after.forts["M9"].building == 1  # HW-14.1


def test_the_eighth_fort_is_refused_and_a_dismantled_one_makes_room() -> None:
    state = axis_production()
    for number, place in enumerate(["N9", "O10", "K10", "P8", "Q9", "Q10", "N6"], start=1):
        put_fort(state, place, 1, number=number)
    after, events = run(state, {"axis": ["FORT O7 1"]})
    (refusal,) = refusals(events)
    assert "all 7 fort counters are on the map (HW-14.1)" in refusal.why
    assert "DISMANTLE one" in refusal.remedy
    after, events = run(state, {"axis": ["DISMANTLE FORT 7", "FORT O7 1"]})
    assert refusals(events) == []
    assert "N6" not in after.forts  # HW-14.2
    assert after.forts["O7"].number == 7
    assert of(FortLost, events)[0].cause == "dismantled"


def test_points_may_be_added_to_a_fort_though_all_counters_are_used() -> None:
    state = axis_production()
    for number, place in enumerate(["N9", "O10", "K10", "P8", "Q9", "Q10", "N6"], start=1):
        put_fort(state, place, 1, number=number)
    after, _ = run(state, {"axis": ["FORT N6 1"]})
    assert (after.forts["N6"].strength, after.forts["N6"].building) == (1, 1)


def test_a_fort_is_dismantled_by_its_hex_too_and_an_unknown_one_is_refused() -> None:
    state = axis_production()
    put_fort(state, "N9", 2)
    after, events = run(state, {"axis": ["DISMANTLE FORT N9", "DISMANTLE FORT 5"]})
    assert after.forts == {}
    assert "your forts are: none" in refusals(events)[0].remedy
    _, events = run(state, {"axis": ["DISMANTLE FORT 5"]})
    assert "your forts are: 1 in N9" in refusals(events)[0].remedy


def test_forts_are_built_in_friendly_hexes_only() -> None:
    _, events = run(axis_production(), {"axis": ["FORT P7 1"]})
    assert "P7 is not friendly to you" in refusals(events)[0].why


def test_no_forts_in_france_before_winter_1940() -> None:
    state = position("campaign-1", "allies", turn=3)
    _, events = run(state, {"allies": ["FORT N9 1", "FORT O8 1"]})
    assert any("no forts may be built in France before Winter 1940 (HW-23.6)" in r.why for r in refusals(events))
    state = position("campaign-1", "allies", turn=4)
    after, _ = run(state, {"allies": ["FORT O8 1"]})
    assert after.forts["O8"].building == 1


def test_completed_points_count_for_stacking_and_those_under_construction_do_not() -> None:
    state = axis_production()
    put(state, "WEST", "N6", inf=8)
    put(state, "A", "O7", inf=3)
    put_fort(state, "N6", strength=0, building=3)
    after, _ = run(state, {"axis": ["GOTO A N7", "XFER 2I A -> West"]})
    assert after.armies["WEST"].inf == 10  # HW-7.1
    put_fort(state, "N6", strength=1)
    after, events = run(state, {"axis": ["XFER 2I A -> West"]})
    assert "11 points would stand in N6" in refusals(events)[0].why


def test_a_fort_alone_is_never_more_than_a_hex_holds() -> None:
    state = axis_production()
    put_fort(state, "N9", 9)
    after, _ = run(state, {"axis": ["FORT N9 4"]})
    assert after.forts["N9"].building == 1  # HW-7.1


# ------------------------------------------------------------------ in combat


def test_a_lone_fort_of_two_defends_with_three() -> None:
    state = axis_production()
    put_fort(state, "N9", 2)
    assert war_of(state).defence("N9") == 3  # the garrison is beside it


def test_a_fort_and_an_army_defend_together() -> None:
    assert war_of(siege()).defence("N6") == 8  # HW-14.4


def test_a_fort_fires_in_defence_once_a_player_turn() -> None:
    _, events = run(siege(), {"allies": ["ATTACK 5th N6 ASSAULT"]})
    (defence,) = [event for event in of(Fired, events) if event.defensive]
    assert (defence.armies, defence.fort, defence.strength) == (("WEST",), True, 8)


def test_a_lone_fort_fires_and_is_told_of_as_such() -> None:
    state = siege()
    del state.armies["WEST"]
    _, events = run(state, {"allies": ["ATTACK 5th N6 ASSAULT"]})
    (defence,) = [event for event in of(Fired, events) if event.defensive]
    assert (defence.armies, defence.fort, defence.strength) == ((), True, 3)


def test_a_standing_order_for_the_hex_holds_the_forts_fire() -> None:
    orders = {"allies": ["ATTACK 5th N6 ASSAULT"], "axis": ["STANDING DEFEND N6 NEVER"]}
    _, events = run(siege(), orders)
    assert [event for event in of(Fired, events) if event.defensive] == []


def test_three_fort_points_absorb_three_of_five_losses() -> None:
    state = siege()
    war = war_of(state)
    defenders_lose(war, "N6", 5)
    assert of(FortAbsorbed, war.events)[0].count == 3  # HW-14.6, the worked example
    assert state.armies["WEST"].inf + state.forts["N6"].strength == 8 - 2


def test_absorption_is_one_pool_for_the_player_turn_fixed_at_the_first_loss() -> None:
    state = siege()
    war = war_of(state)
    defenders_lose(war, "N6", 2)
    assert state.forts["N6"].absorbed == 2
    state.forts["N6"].strength = 1  # HW-14.7: what was granted stays
    defenders_lose(war, "N6", 2)
    assert [event.count for event in of(FortAbsorbed, war.events)] == [2, 1]
    defenders_lose(war, "N6", 1)
    assert len(of(FortAbsorbed, war.events)) == 2


def test_absorption_begins_anew_in_the_next_player_turn() -> None:
    state = siege()
    state.forts["N6"].absorbed, state.forts["N6"].can_absorb = 3, 3
    after, _ = run(state, {"allies": []})
    assert (after.forts["N6"].absorbed, after.forts["N6"].can_absorb) == (0, None)


def test_the_owner_may_give_fort_points_for_his_army() -> None:
    _, events = run(
        siege(),
        {"allies": ["ATTACK 5th N6 ASSAULT"], "axis": ["STANDING LOSSES N6 TYPES F,I", "STANDING DEFEND ALL NEVER"]},
        [1],
    )
    # Assault of 10 on a 1 is 4; the pool of three comes first, since each player-turn begins it anew.
    assert of(FortAbsorbed, events)[0].count == 3
    assert [event.count for event in of(FortPointsLost, events)] == [1]
    assert of(PointsLost, events) == []


def test_fort_points_are_no_losses_from_defensive_fire() -> None:
    state = siege()
    put_fort(state, "O7", 2)
    _, events = run(state, {"allies": ["ATTACK 5th N6 ASSAULT", "LOSSES N6 TYPES F,I,M"]}, [1, 6])
    lost = [event for event in of(PointsLost, events) if event.army == "5US"]
    assert sum(event.count for event in lost) == 3  # HW-14.5: firepower of 8 on a 1, all from the army


def test_the_garrison_of_a_lone_fort_is_lost_before_the_fort() -> None:
    state = siege()
    del state.armies["WEST"]
    war = war_of(state)
    defenders_lose(war, "N6", 5)
    assert of(GarrisonLost, war.events) != []
    assert of(FortPointsLost, war.events)[0].count == 1
    assert state.forts["N6"].strength == 2


def test_a_fort_shot_to_pieces_frees_its_counter() -> None:
    state = siege()
    del state.armies["WEST"]
    put_fort(state, "N6", 1)
    war = war_of(state)
    defenders_lose(war, "N6", 3)
    assert "N6" not in state.forts
    assert of(FortLost, war.events)[0].cause == "losses"


def test_a_fort_shot_to_pieces_stays_while_more_of_it_is_being_built() -> None:
    """HW-14.3: what is under construction cannot be hit."""
    state = siege()
    del state.armies["WEST"]
    put_fort(state, "N6", 1, building=2)
    war = war_of(state)
    defenders_lose(war, "N6", 9)
    assert (state.forts["N6"].strength, state.forts["N6"].building) == (0, 2)
    assert of(FortLost, war.events) == []


def test_a_successful_advance_destroys_the_whole_fort() -> None:
    state = siege()
    put(state, "WEST", "N6", inf=1)
    put_fort(state, "N6", 1, building=2)
    orders = {"allies": ["ATTACK 5th N6 ADVANCE"], "axis": ["STANDING DEFEND ALL NEVER"]}
    after, events = run(state, orders, [1])
    assert after.forts == {}  # HW-14.8
    assert [(event.cause, event.count) for event in of(FortLost, events)] == [("captured", 3)]


def test_a_fort_in_an_isolated_hex_is_lost() -> None:
    state = axis_production()
    put_fort(state, "G14", 2)  # Crete, which no Axis supply reaches
    after, events = run(state, {"axis": []})
    assert after.forts == {}
    assert of(FortLost, events)[0].cause == "isolated"  # HW-14.9


def test_a_fort_that_cannot_be_paid_is_not_begun() -> None:
    """HW-14.1: five points each, as many as the money buys."""
    state = axis_production()
    lines = ["BUILD 5M P10", "FORT N7 2", "FORT N6 1"]  # 30 points: 25 for the army, five for one fort point
    after, events = run(state, {"axis": lines})
    assert {place: fort.building for place, fort in after.forts.items()} == {"N7": 1}
    (refusal,) = refusals(events)
    assert (refusal.line, refusal.why) == (3, "a fort point costs 5 and 0 are left")
    assert refusal.remedy


def test_a_new_fort_may_have_as_many_points_as_a_hex_holds() -> None:
    """HW-7.1: those under construction are counted with those that stand."""
    state = axis_production()
    put_fort(state, "N9", 3, building=2)
    war = war_of(state)
    assert (room_for_fort(war, "N7"), room_for_fort(war, "N9")) == (10, 5)


def test_every_side_completes_and_numbers_its_own_forts() -> None:
    """HW-14.1, HW-14.3."""
    state = axis_production()
    put_fort(state, "T15", building=2, number=1)  # Leningrad
    put_fort(state, "N9", building=1, number=2)
    after, _ = run(state, {"axis": ["FORT N6 1", "DISMANTLE FORT T15"]})
    assert (after.forts["T15"].strength, after.forts["T15"].building) == (0, 2)
    assert (after.forts["N9"].strength, after.forts["N9"].building) == (1, 0)
    assert after.forts["N6"].number == 1


# ------------------------------------------------------------------ views and checks


def test_a_neighbour_sees_a_band_and_nothing_of_what_is_built() -> None:
    state = siege(fog="fog")
    put_fort(state, "N6", 5, building=4)
    view = GAME.view(state, "allies", "fog")
    assert (view.forts["N6"].band, view.forts["N6"].strength, view.forts["N6"].building) == ("medium", None, None)
    own = GAME.view(state, "axis", "fog")
    assert (own.forts["N6"].strength, own.forts["N6"].building) == (5, 4)


def test_everybody_knows_the_forts_of_the_set_up() -> None:
    state = first_state(setting_of("fall-of-germany", Options()), Options(fog="fog"))
    assert {place: fort.strength for place, fort in state.forts.items()} == {
        "N9": 2, "O10": 2, "K10": 2, "P8": 1, "Q9": 2, "Q10": 3, "T15": 2,
    }  # fmt: skip
    assert set(GAME.view(state, "allies", "fog").forts) == set(state.forts)  # HW-16.1


@pytest.mark.parametrize(
    ("line", "kind"), [("FORT P10 1", None), ("FORT M10 1", Kind.ILLEGAL), ("FORT P7 1", Kind.NOTE)]
)
def test_the_check_tells_what_cannot_be_from_what_may_change(line: str, kind: Kind | None) -> None:
    state = axis_production(fog="fog")
    view = GAME.view(state, "axis", "fog")
    findings = [finding for finding in GAME.check(view, GAME.parse(line, view)) if finding.line == 1]
    assert [finding.kind for finding in findings] == ([kind] if kind else [])


def judged(state: State, *lines: str) -> list[tuple[int, Kind, str]]:
    view = GAME.view(state, "axis", state.options.fog)
    findings = GAME.check(view, GAME.parse("\n".join(lines), view))
    return [(finding.line, finding.kind, finding.why) for finding in findings if finding.line]


def test_the_receipt_counts_the_counters_line_by_line() -> None:
    """HW-14.1, HW-14.2: as the run will."""
    state = axis_production(fog="fog")
    for number, place in enumerate(["N9", "O10", "K10", "P8", "Q9", "Q10"], start=1):
        put_fort(state, place, 1, number=number)
    ((line, kind, why),) = judged(state, "FORT N6 1", "FORT O7 1")
    assert (line, kind) == (2, Kind.NOTE)
    assert "all 7 fort counters are on the map" in why
    assert judged(state, "FORT N6 1", "DISMANTLE FORT 3", "FORT O7 1") == []
    assert judged(state, "FORT N6 1", "DISMANTLE FORT N6", "FORT O7 1") == []
    assert [line for line, _, _ in judged(state, "DISMANTLE FORT 3", "DISMANTLE FORT 3")] == [2]


def test_the_receipt_says_how_many_points_a_fort_can_take() -> None:
    """HW-7.1: the points that earlier lines begin count too."""
    state = axis_production(fog="fog")
    put_fort(state, "N9", 7)
    assert judged(state, "FORT N9 3") == []
    ((line, kind, why),) = judged(state, "FORT N9 2", "FORT N9 2")
    assert (line, kind) == (2, Kind.NOTE)
    assert "has room for 1 more" in why


def test_the_auditor_notices_a_fort_on_foreign_soil() -> None:
    state = siege()
    auditor = Auditor(state)
    state.ground["N6"].owner = "allies"
    war = war_of(state)
    with pytest.raises(TheImpossibleHappened, match="N6"):
        auditor(war, FortAbsorbed("axis", "N6", 1))


def test_the_odds_count_the_fort() -> None:
    state = siege()
    put(state, "WEST", "N6", inf=1)
    put_fort(state, "N6", 1)
    view = GAME.view(state, "allies", "open")
    (odds,) = GAME.odds(view, GAME.parse("ATTACK 5th N6 ADVANCE", view))
    # The defence of 2 costs infantry at most; 5 mechanized against 2 need 1-4 (HW-9.2, HW-14.4).
    assert odds.success is not None
    assert (odds.success.least, odds.success.most) == (Fraction(4, 6), Fraction(4, 6))


def test_the_odds_remember_what_a_fort_has_absorbed() -> None:
    """HW-14.6: at the stop before exploitation its pool may be used up."""
    chances = []
    for absorbed in (0, 2):
        state = siege(mode="checkpoint")
        state.step = "exploitation"
        put(state, "5US", "O7", inf=5, mech=5).advanced = 1
        put(state, "WEST", "N6", inf=2)
        put_fort(state, "N6", 2).absorbed = absorbed
        state.forts["N6"].can_absorb = 2
        view = GAME.view(state, "allies", "open")
        (odds,) = GAME.odds(view, GAME.parse("EXPLOIT 5th N6:ASSAULT STOP-IF RANGE<0", view))
        assert odds.success is not None
        chances.append(odds.success.most)
    assert chances[0] < chances[1]
