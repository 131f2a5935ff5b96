"""Rulings where the rulebook can be read in two ways: each with the case that shows how it is read here."""

import pytest

from engine.dice import ForcedDice
from engine.grand_strategy.conditions import advance_range, fire_modifiers
from engine.grand_strategy.events import AdvanceTried, ArmyRetreated, DefaultUsed
from engine.grand_strategy.orders import Unstack
from engine.grand_strategy.rules.exploitation import cure_overstacks
from engine.grand_strategy.state import Country
from engine.grand_strategy.war import War
from engine.hitlers_war.cases.judging import judge
from engine.hitlers_war.sides import ALLIES, AXIS
from engine.hitlers_war.tables import tables
from engine.orders import Line
from tests.overseas import of, position, put, run, war_of


@pytest.mark.parametrize(("turn", "place", "felt"), [(16, "Q14", 1), (16, "R13", 1), (16, "O13", 0), (14, "Q14", 0)])
def test_in_the_fall_of_germany_the_axis_knows_the_russian_winter(turn: int, place: str, felt: int) -> None:
    """A-89, A-95: +1 from its first winter on, in the Baltic States too, and not in Poland or in spring."""
    state = position("fall-of-germany", AXIS, turn)
    put(state, "NORTH", place, inf=2)
    assert sum(modifier.value for modifier in fire_modifiers(war_of(state), state.armies["NORTH"])) == felt


@pytest.mark.parametrize(("scenario", "winters"), [("barbarossa", [4, 2, 1]), ("fall-of-germany", [1, 1, 1])])
def test_each_winter_is_less_hard_than_the_one_before(scenario: str, winters: list[int]) -> None:
    """HW-9.16, A-89."""
    state = position(scenario, AXIS, 7 if scenario == "barbarossa" else 16)
    put(state, "NORTH", "Q14", inf=2)
    felt = []
    for state.winters_before in range(3):
        (modifier,) = fire_modifiers(war_of(state), state.armies["NORTH"])
        felt.append(modifier.value)
    assert felt == winters


def test_in_the_campaigns_the_baltic_states_are_a_country_of_their_own() -> None:
    """A-95 is for the two scenarios in which they are Soviet from the start."""
    state = position("campaign-1", AXIS, 7)
    put(state, "NORTH", "R13", inf=2)
    assert fire_modifiers(war_of(state), state.armies["NORTH"]) == []


@pytest.mark.parametrize(("side", "capacity"), [(ALLIES, 18), (AXIS, 16), ("", 16)])
def test_the_united_states_grow_as_an_ally_only(side: str, capacity: int) -> None:
    """A-93, HW-20.5: sixteen points, and one more each turn since they joined the Allies."""
    state = position("campaign-1", ALLIES, 10)
    state.countries["United States"] = Country(side=side, joined=8 if side else 0)
    assert war_of(state).capacity("US") == capacity


def test_a_beaten_army_may_retreat_out_of_france() -> None:
    """A-90: HW-22.2 holds Allied points back in the Movement Phase only."""
    state = position("campaign-1", AXIS, 3)
    for place in ("O8", "P8", "N8"):
        state.ground[place].owner = AXIS
    for place in war_of(state).board.for_retreat["O8"]:
        state.ground[place].owner = AXIS
    state.ground["O8"].owner = state.ground["P8"].owner = ALLIES
    assert (war_of(state).place("O8").country, war_of(state).place("P8").country) == ("France", "Low Countries")
    put(state, "1FR", "O8", inf=1)
    put(state, "WEST", "N8", mech=10)
    state, events = run(state, {AXIS: ["ATTACK West O8 ADVANCE"]}, [1, 1, 1, 1])
    assert [(event.army, event.place) for event in of(ArmyRetreated, events)] == [("1FR", "P8")]


# ------------------------------------------------------------------ the duty to thin a stack


def landed_in_a_crowd() -> War:
    """Twelve points came ashore in N6, and no hex around it is friendly: two hold ten points, M7 a garrison alone."""
    state = position("fall-of-germany", ALLIES, 15)
    state.ground["N6"].owner = ALLIES
    put(state, "1US", "N6", inf=2, mech=6)
    put(state, "2BR", "N6", inf=1, mech=3)
    for army in ("1US", "2BR"):
        state.armies[army].advanced = 1
    around = war_of(state).board.by_land["N6"]
    for number, place in enumerate(around):
        assert state.ground[place].owner == AXIS
        if place != around[-1]:
            put(state, list(tables().army_names[AXIS])[number], place, inf=10)
    return war_of(state)


def test_who_has_no_friendly_way_out_has_to_attack_where_the_chance_is_best() -> None:
    """A-91: 1US, not 2BR, and the hex with a garrison alone, not those with ten points. The die decides."""
    for die in (1, 6):
        war = landed_in_a_crowd()
        target = war.board.by_land["N6"][-1]
        war.dice = ForcedDice([die, 6, 6, 6])
        before = advance_range(war, war.state.armies["1US"], target)
        assert before > advance_range(war, war.state.armies["2BR"], target)
        cure_overstacks(war)
        first = of(AdvanceTried, war.events)[0]
        assert (first.army, first.target, first.success) == ("1US", target, die <= before)
        (told, *_) = of(DefaultUsed, war.events)
        assert (told.decision, told.remedy) == ("D-20", f"UNSTACK N6 BY 1US TO {target}")
        assert (war.excess("N6") > 0) == (die > before)


def test_the_duty_ends_when_nobody_may_attack_any_more() -> None:
    """A-91, HW-9.13: each failure ends an army's turn; the overstack stands until the next Movement Phase."""
    war = landed_in_a_crowd()
    war.state.armies["1US"].finished = war.state.armies["2BR"].finished = True
    cure_overstacks(war)
    assert war.excess("N6") == 2
    assert not war.events


def test_lines_of_unstack_come_first() -> None:
    """A-91, D-20: 2BR goes where it was told to, though 1US would have the better chance elsewhere."""
    war = landed_in_a_crowd()
    target = war.board.by_land["N6"][-1]
    war.lines = [Line(1, f"UNSTACK N6 BY 2BR TO {target}", Unstack("N6", "2BR", target))]
    war.dice = ForcedDice([1])
    cure_overstacks(war)
    (tried,) = of(AdvanceTried, war.events)
    assert (tried.army, tried.target, tried.success) == ("2BR", target, True)
    assert not of(DefaultUsed, war.events)
    assert not war.excess("N6")


# ------------------------------------------------------------------ the case runner


def test_each_side_is_heard_at_the_start_of_its_own_player_turn() -> None:
    case = {
        "id": "player-turns",
        "level": 1,
        "kind": "player-turns",
        "setup": {
            "map": "europe",
            "scenario": "barbarossa",
            "turn": 7,
            "start": True,
            "phasing": "axis",
            "player_turns": 2,
        },
        "orders": {"axis": ["GOTO North Q12"], "soviet": ["GOTO Moscow Q18"]},
        "expect": {"legal": True, "armies": [{"id": "NORTH", "hex": "Q12"}, {"id": "MOSCOW", "hex": "Q18"}]},
    }
    assert [verdict.differences for verdict in judge(case)] == [(), ()]


@pytest.mark.parametrize(("berlin", "ratio"), [("axis", "1/8"), ("soviet", "0")])
def test_an_axis_without_berlin_has_no_points(berlin: str, ratio: str) -> None:
    """HW-18.6: whatever it holds otherwise."""
    case = {
        "id": "points",
        "level": 3,
        "kind": "points",
        "setup": {
            "map": "europe",
            "scenario": "campaign_1",
            "points": {"axis": 10, "soviet": 30, "allies": 50},
            "berlin": berlin,
        },
        "expect": {"ratios": {"axis": ratio, "soviet": "1/2" if berlin == "axis" else "3/5"}},
    }
    assert [verdict.differences for verdict in judge(case)] == [(), ()]
