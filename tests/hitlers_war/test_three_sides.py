"""The Axis against two sides that are no allies: order, sight, lend-lease (HW-2.4, HW-4.6, HW-17)."""

import pytest

from engine.game import FOGS, Options
from engine.grand_strategy.events import ArmyEliminated, HeirRolled, LendLeaseGiven, PlaceCaptured, ProductionCounted
from engine.grand_strategy.state import UNALIGNED, State
from engine.orders import Kind
from tests.overseas import GAME, of, position, put, refusals, run, war_of


def test_axis_soviets_and_allies_play_in_this_order() -> None:
    """HW-2.4."""
    state, gates = GAME.setup("campaign-1", Options()), []
    for _ in range(4):
        gate = GAME.gate(state)
        assert gate is not None
        gates.append(gate.id)
        state, _ = run(state, {})
    assert gates == ["1-axis", "1-soviet", "1-allies", "2-axis"]


def test_the_two_others_may_send_standing_orders() -> None:
    gate = GAME.gate(GAME.setup("campaign-1", Options()))
    assert gate is not None
    assert (gate.awaits, gate.also_heard) == (("axis",), ("soviet", "allies"))


def test_production_at_the_start_is_as_printed() -> None:
    """HW-16.3, HW-18.3."""
    for scenario, printed in (("fall-of-germany", (30, 23, 35)), ("campaign-1", (16, 8, 23))):
        view = GAME.view(GAME.setup(scenario, Options()), None, "open")
        assert tuple(view.production[side].budget for side in ("axis", "soviet", "allies")) == printed


def test_soviet_armies_do_not_enter_allied_hexes() -> None:
    """HW-4.6."""
    state = position("campaign-1", "soviet")
    put(state, "MOSCOW", "Q17", inf=2)
    state.ground["Q16"].owner = "allies"
    _, events = run(state, {"soviet": ["GOTO Moscow Q16"]})
    assert "not friendly" in refusals(events)[0].why


def test_supply_does_not_run_through_the_other_side() -> None:
    """HW-10.4."""
    state = position("campaign-1", "allies")
    state.ground["P14"].owner = "allies"
    assert "P14" not in war_of(state).supplied("allies")


def test_beaten_armies_do_not_retreat_to_the_other_side() -> None:
    """HW-9.9: only into hexes friendly to them."""
    state = position("campaign-1", "axis")
    put(state, "SOUTH", "P13", mech=10)
    put(state, "2BR", "P14", inf=1)
    state, _ = run(state, {"axis": ["ATTACK South P14 ADVANCE"]}, [6, 1])
    assert "2BR" not in state.armies


@pytest.mark.parametrize("fog", FOGS)
def test_every_side_has_a_view(fog: str) -> None:
    for scenario in ("fall-of-germany", "campaign-1"):
        state = GAME.setup(scenario, Options(fog=fog))
        for side in ("axis", "soviet", "allies", None):
            assert GAME.view(state, side, fog).politics


def test_a_waiting_army_is_nobodys_in_every_view() -> None:
    """HW-22.1, also from memory: the Soviets cannot see Milan."""
    state = GAME.setup("campaign-1", Options(fog="fog"))
    assert {GAME.view(state, side, "fog").armies["ITALY"].side for side in ("axis", "soviet")} == {UNALIGNED}


@pytest.mark.parametrize(("die", "heir"), [(1, "soviet"), (3, "soviet"), (4, "allies"), (6, "allies")])
def test_a_tied_pocket_is_rolled_for_and_everybody_concerned_hears_of_it(die: int, heir: str) -> None:
    """HW-10.8, A-17: N13 lies as far from a Soviet point as from an Allied one, and both could supply it."""
    state = position("fall-of-germany", "axis")
    for place, ground in state.ground.items():
        ground.owner, ground.devastated = "axis" if place in ("P10", "N13") else "soviet", 99
    for place, owner in (("P10", "axis"), ("N15", "soviet"), ("N11", "allies")):
        state.ground[place].owner, state.ground[place].devastated = owner, 0
    state.ground["N12"].owner = "allies"
    state.forts.clear()
    put(state, "SOUTH", "N13", inf=2)
    war = war_of(state)
    assert war.board.distance("N13", "N15") == war.board.distance("N13", "N11")
    after, events = run(state, {"axis": []}, [die])
    (rolled,) = of(HeirRolled, events)
    assert (rolled.side, rolled.place, rolled.roll.die) == (heir, "N13", die)
    (taken,) = of(PlaceCaptured, events)
    assert (taken.side, taken.place, taken.previous, taken.how) == (heir, "N13", "axis", "isolation")
    assert after.ground["N13"].owner == heir
    (lost,) = of(ArmyEliminated, events)
    assert (lost.army, lost.cause, lost.count) == ("SOUTH", "isolated", 2)


# ------------------------------------------------------------------ lend-lease


def allies() -> State:
    return position("fall-of-germany", "allies")


def soviet_budget(state: State) -> ProductionCounted:
    state.phasing, state.step = "soviet", "player-turn"
    return of(ProductionCounted, run(state, {"soviet": []})[1])[0]


def test_lend_lease_is_for_the_next_soviet_production_phase_only() -> None:
    """HW-17.2."""
    state, events = run(allies(), {"allies": ["LENDLEASE U18 2", "LENDLEASE M20 1"]})
    assert [(event.place, event.points) for event in of(LendLeaseGiven, events)] == [("U18", 2), ("M20", 1)]
    counted = soviet_budget(state)
    assert (counted.lend_lease, counted.budget) == (3, 23 + 3)
    state.phasing = "soviet"
    state, _ = run(state, {"soviet": []})
    assert state.lend_lease == 0


def test_the_gift_is_paid_by_the_allies() -> None:
    state, events = run(allies(), {"allies": ["LENDLEASE U18 2", "BUILD MAX I ANY"]})
    assert of(ProductionCounted, events)[0].budget == 35
    assert sum(army.inf for army in state.armies.values()) == (35 - 2) // 2


def test_a_depot_takes_two_points() -> None:
    """HW-17.2: more is cut to what it takes, and a second line finds it full."""
    state, events = run(allies(), {"allies": ["LENDLEASE U18 3", "LENDLEASE U18 1"]})
    assert state.lend_lease == 2
    (refusal,) = refusals(events)
    assert "M20" in refusal.remedy


def test_an_empty_purse_gives_nothing() -> None:
    """HW-17.2: from the Allied budget. What is wrong with the line itself is told first."""
    state = allies()
    for ground in state.ground.values():
        ground.devastated = 99 if ground.owner == "allies" else 0
    state.ground["CANADA"].devastated = 2
    lines = ["LENDLEASE U18 2", "LENDLEASE M20 1", "LENDLEASE Q17 1"]
    state, events = run(state, {"allies": lines})
    assert state.lend_lease == 1
    assert [refusal.why for refusal in refusals(events)] == [
        "no production points are left",
        "Q17 is no lend-lease depot (HW-17.2)",
    ]


def test_a_lost_depot_takes_nothing() -> None:
    """HW-17.2."""
    state = allies()
    state.ground["U18"].owner = "axis"
    state, events = run(state, {"allies": ["LENDLEASE U18 2"]})
    assert state.lend_lease == 0
    assert "is not Soviet" in refusals(events)[0].why


def test_lend_lease_can_stand() -> None:
    """D-38: every turn through whatever depots are open."""
    state, _ = run(allies(), {"allies": ["STANDING LENDLEASE ALWAYS 4"]})
    assert state.lend_lease == 4
    state.lend_lease, state.phasing, state.step = 0, "allies", "player-turn"
    state.ground["M20"].owner = "axis"
    state, _ = run(state, {"allies": []})
    assert state.lend_lease == 2


def test_only_the_allies_give() -> None:
    """HW-17.2."""
    view = GAME.view(position("fall-of-germany", "soviet"), "soviet", "open")
    (finding,) = GAME.parse("LENDLEASE U18 2", view).findings
    assert (finding.kind, finding.why) == (Kind.ILLEGAL, "Only the Allies give lend-lease (HW-17.2).")


def test_a_hex_that_is_no_depot_is_refused_in_the_receipt() -> None:
    view = GAME.view(allies(), "allies", "open")
    findings = GAME.check(view, GAME.parse("LENDLEASE Q17 2", view))
    assert any("no lend-lease depot" in finding.why and "U18" in finding.remedy for finding in findings)


def notes(state: State, side: str, lines: str) -> list[tuple[Kind, int, str]]:
    view = GAME.view(state, side, "open")
    return [(finding.kind, finding.line, finding.why) for finding in GAME.check(view, GAME.parse(lines, view))]


def test_the_receipt_fills_the_depots_line_by_line() -> None:
    """HW-17.2: what the run would refuse or cut is told before."""
    lines = "LENDLEASE U18 2\nLENDLEASE U18 1\nLENDLEASE M20 3"
    takes = "a depot takes 2 points a turn, both together 4 (HW-17.2)"
    found = notes(allies(), "allies", lines)
    assert (Kind.ILLEGAL, 2, takes) in found
    assert (Kind.NOTE, 3, f"1 of 3 will stay: {takes}") in found
    _, events = run(allies(), {"allies": lines.splitlines()})
    assert [(refusal.line, refusal.why) for refusal in refusals(events)] == [(2, takes)]


def test_the_soviet_receipt_counts_the_gift() -> None:
    """HW-17.2: 23 points and four of lend-lease pay for 27, and not for 28."""
    state = position("fall-of-germany", "soviet")
    state.lend_lease = 4
    assert not [why for _, _, why in notes(state, "soviet", "BUILD 5M Q17\nBUILD 1I Q17") if "costs" in why]
    assert [why for _, _, why in notes(state, "soviet", "BUILD 4M Q17\nBUILD 4I Q17") if "costs 28" in why]


@pytest.mark.parametrize(
    ("stands", "lines", "given"),
    [
        ("U18 1", ["U18 1", "M20 1"], 2),  # the line has sent it already
        ("U18 2", ["U18 1", "M20 1"], 3),  # one more through its depot, whatever went through the other
        ("ALWAYS 3", ["U18 2"], 3),
        ("ALWAYS 2", ["M20 2"], 2),
    ],
)
def test_lines_count_towards_what_stands(stands: str, lines: list[str], given: int) -> None:
    """D-38."""
    orders = [f"STANDING LENDLEASE {stands}", *(f"LENDLEASE {line}" for line in lines)]
    state, _ = run(allies(), {"allies": orders})
    assert state.lend_lease == given


def test_nothing_is_given_where_no_depot_is_open() -> None:
    """HW-17.2."""
    state = allies()
    state.ground["U18"].owner = state.ground["M20"].owner = "axis"
    after, events = run(state, {"allies": ["LENDLEASE ALWAYS 4", "STANDING LENDLEASE ALWAYS 4"]})
    assert after.lend_lease == 0
    (refusal,) = refusals(events)
    assert refusal.why == "no lend-lease depot is Soviet (HW-17.2)"
    assert refusal.remedy == "give again when U18 or M20 is"


def test_a_box_has_room_without_a_number() -> None:
    """HW-7.2: what would work is told in words."""
    state = position("fall-of-germany", "soviet")
    put(state, "MOSCOW", "Q17", inf=10)
    _, events = run(state, {"soviet": ["BUILD 1I Q17"]})
    assert "SIBERIA (any number)" in refusals(events)[0].remedy


def test_no_more_is_given_than_there_is() -> None:
    """HW-17.2, HW-11.6: the gifts come out of the budget before anything else, in the order of the lines."""
    state = allies()
    war = war_of(state)
    for place in war.producing_places_of("allies"):
        state.ground[place].devastated = 0 if place == "CANADA" else war.capacity(place)  # three points are left
    lines = ["LENDLEASE U18 2", "LENDLEASE M20 2", "LENDLEASE M20 1", "LENDLEASE U18 1", "BUILD MAX I ANY"]
    after, events = run(state, {"allies": lines})
    assert [(gift.place, gift.points) for gift in of(LendLeaseGiven, events)] == [("U18", 2), ("M20", 1)]
    assert after.lend_lease == 3
    assert [(refusal.line, refusal.why) for refusal in refusals(events)[:2]] == [
        (3, "no production points are left"),
        (4, "a depot takes 2 points a turn, both together 4 (HW-17.2)"),
    ]


def test_a_line_may_leave_the_depots_to_the_referee() -> None:
    """D-38: ALWAYS is not only for standing orders."""
    after, events = run(allies(), {"allies": ["LENDLEASE ALWAYS 3"]})
    assert refusals(events) == []
    assert [(gift.place, gift.points) for gift in of(LendLeaseGiven, events)] == [("U18", 2), ("M20", 1)]
    assert after.lend_lease == 3
