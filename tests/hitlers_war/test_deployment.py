"""The Fall of Germany begins with free deployment by mail (HW-16.1, D-01)."""

import pytest

from engine.game import Options
from engine.grand_strategy.events import ArmyDeployed, DefaultUsed
from engine.grand_strategy.rules.deployment import pool_of
from engine.grand_strategy.state import State
from engine.hitlers_war.audit import Auditor
from engine.hitlers_war.europe import europe
from engine.orders import Kind
from tests.overseas import GAME, notes, of, refusals, run, war_of

BOARD = europe()


def fall(**options: str) -> State:
    return GAME.setup("fall-of-germany", Options(**{"fog": "open", **options}))


def gate_id(state: State) -> str:
    gate = GAME.gate(state)
    assert gate is not None
    return gate.id


def placed(state: State, side: str) -> dict[str, int]:
    armies = [army for army in state.armies.values() if army.side == side]
    totals = {kind: sum(getattr(army, kind) for army in armies) for kind in ("inf", "mech", "amph")}
    return {kind: count for kind, count in totals.items() if count}


def test_the_sides_deploy_in_their_order() -> None:
    """HW-16.1: Axis, Soviets, Allies; then the Axis begins."""
    state, gates = fall(), []
    for _ in range(4):
        gates.append(gate_id(state))
        state, _ = run(state, {})
    assert gates == ["14-axis-deployment", "14-soviet-deployment", "14-allies-deployment", "14-axis"]


def test_points_stand_where_the_lines_say() -> None:
    state, events = run(fall(), {"axis": ["DEPLOY North Q13 5I 2M", "DEPLOY North Q13 1I", "DEPLOY West O8 8I"]})
    assert state.armies["NORTH"].points == {"inf": 6, "mech": 2}
    assert (state.armies["WEST"].place, state.armies["WEST"].inf >= 8) == ("O8", True)
    assert {event.army for event in of(ArmyDeployed, events)} >= {"NORTH", "WEST"}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            ["DEPLOY North Q13 10I", "DEPLOY West O8 10I", "DEPLOY South N13 10I"],
            "29 infantry, and with this line 1 too",
        ),
        (["DEPLOY North Q13 11I"], "Q13 would hold 1 too many; the limit is 10 (HW-7.1)"),
        (["DEPLOY North N9 9I"], "N9 would hold 1 too many"),  # a fort of two stands there
        (["DEPLOY North Q17 5I"], "Q17 is not friendly to you"),
        (["DEPLOY North J5 5I"], "J5 is not friendly to you"),
        (["DEPLOY North Q13 5I", "DEPLOY North P13 5I"], "NORTH is deployed in Q13 already"),
        (["DEPLOY North Q13 2A"], "your pool has no amphibious points"),
    ],
)
def test_what_cannot_be_deployed(lines: list[str], why: str) -> None:
    """The receipt says so before the gate closes, and the run does the same."""
    state = fall()
    view = GAME.view(state, "axis", "open")
    findings = GAME.check(view, GAME.parse("\n".join(lines), view))
    (refused,) = [finding for finding in findings if finding.kind is Kind.ILLEGAL]
    assert why in refused.why
    assert refused.line == len(lines)
    _, events = run(state, {"axis": lines})
    assert [refusal.why for refusal in refusals(events)] == [refused.why]


@pytest.mark.parametrize(
    ("lines", "remedy"),
    [
        (["DEPLOY North Q13 30I"], "deploy at most 10 infantry here"),  # 29 in the pool, and ten in a hex
        (["DEPLOY North Q13 10I", "DEPLOY West O8 10I", "DEPLOY South N13 10I"], "deploy at most 9 infantry here"),
        (["DEPLOY North Q13 7M", "DEPLOY West O8 7M", "DEPLOY South N13 1M"], "lower an earlier line first"),
        (["DEPLOY North Q10 8I"], "room is left for 7"),
        (["DEPLOY North Q13 10I", "DEPLOY West Q13 1I"], "deploy them in another hex"),
    ],
)
def test_what_would_work_does(lines: list[str], remedy: str) -> None:
    _, events = run(fall(), {"axis": lines})
    assert [refusal.remedy for refusal in refusals(events)] == [remedy]


def crowded(places: list[str]) -> list[str]:
    """All twelve armies of the Axis, three in each of four hexes, ten points a hex."""
    armies = iter(["OKW", "North", "Center", "South", "West", "A", "B", "C", "4th", "PZAA", "Rumania", "Italy"])
    return [f"DEPLOY {next(armies)} {place} {points}" for place in places for points in ("3I 1M", "2I 1M", "2I 1M")]


def test_no_deployment_leaves_points_that_find_no_place() -> None:
    """HW-16.1, HW-1.2, HW-7.1: forty points in four full hexes, and no counter for the other three."""
    state = fall()
    lines = crowded(["Q13", "P13", "N13", "O8"])
    view = GAME.view(state, "axis", "open")
    (finding,) = [finding for finding in GAME.check(view, GAME.parse("\n".join(lines), view)) if finding.refuses]
    assert (finding.line, finding.remedy) == (12, "put fewer armies into one hex")
    assert "3 of the 3 points still to be deployed would find no place" in finding.why
    after, events = run(state, {"axis": lines})
    assert [refusal.why for refusal in refusals(events)] == [finding.why]
    assert placed(after, "axis") == {"inf": 29, "mech": 14}
    _, events = run(state, {"axis": [*lines[:-1], "DEPLOY Italy L14 2I 1M"]})
    assert refusals(events) == []


def test_the_points_of_a_fort_are_named_where_they_count() -> None:
    """HW-7.1: Kiel has a fort of three."""
    _, events = run(fall(), {"axis": ["DEPLOY North Q10 8I"]})
    assert "the limit is 10, the 3 of its fort included (HW-7.1)" in refusals(events)[0].why


def test_the_receipt_tells_where_an_army_would_be_cut_off() -> None:
    """HW-10.6, HW-10.7: no Axis supply crosses the Mediterranean to Crete."""
    (why,) = [why for why, _ in notes(fall(), "axis", "DEPLOY A G14 2I", "DEPLOY B P10 2I")]
    assert why.startswith("no supply reaches G14: A may not move or attack there (HW-10.6), and is lost when")


def test_the_receipt_tells_what_is_left_in_the_pool() -> None:
    view = GAME.view(fall(), "axis", "open")
    findings = GAME.check(view, GAME.parse("DEPLOY North Q13 5I 2M", view))
    (left,) = [finding for finding in findings if "24 infantry, 12 mechanized of your pool" in finding.why]
    assert left.leaves_doubt  # so the war does not begin with a part of the deployment before its deadline
    assert not left.refuses


def test_other_orders_are_too_early() -> None:
    state = fall()
    view = GAME.view(state, "axis", "open")
    findings = GAME.check(view, GAME.parse("ATTACK North Q14 ASSAULT", view))
    assert any("the war has not begun" in finding.why for finding in findings)
    _, events = run(state, {"axis": ["BUILD 1I P10"]})
    assert "the war has not begun" in refusals(events)[0].why


def test_nothing_is_deployed_once_the_war_has_begun() -> None:
    state = fall()
    for _ in range(3):
        state, _ = run(state, {})
    _, events = run(state, {"axis": ["DEPLOY North Q13 1I"]})
    assert "the war has begun" in refusals(events)[0].why


@pytest.mark.parametrize("fog", ["open", "fog"])
def test_a_missed_deadline_deploys_by_default(fog: str) -> None:
    """D-01: the whole pool, within stacking, where it can be supplied, and part of it at the front."""
    state = fall(fog=fog)
    for side in ("axis", "soviet", "allies"):
        state, events = GAME.run(state, {}, None, Auditor(state))  # no die is rolled
        war = war_of(state)
        assert placed(state, side) == pool_of(war, side)
        assert of(DefaultUsed, events)[0].decision == "D-01"
        armies = war.armies_of(side)
        assert all(not war.excess(army.place) for army in armies)
        assert all(army.place in war.supplied(side) for army in armies)
        assert any(war.is_enemy(side, near) for army in armies for near in war.board.by_land[army.place])


def test_by_default_nine_armies_stand_at_the_front_and_the_others_at_home_in_capitals_first() -> None:
    """D-01, as the rulings have it."""
    state, posts = fall(), {}
    for side in ("axis", "soviet", "allies"):
        state, _ = run(state, {})
        posts[side] = [army.place for army in state.armies.values() if army.side == side]
    axis_front = [p for p in posts["axis"] if any(war_of(state).is_enemy("axis", near) for near in BOARD.by_land[p])]
    assert (len(axis_front), len(posts["axis"])) == (9, 12)
    assert "P10" in posts["axis"]  # Berlin
    assert {"M19", "Q17", "T15"} <= set(posts["soviet"])
    assert {"P7", "Q7"} <= set(posts["allies"])
    assert not [place for side in posts for place in posts[side] if BOARD[place].is_box]


def test_the_referee_places_what_the_lines_left() -> None:
    state, _ = run(fall(), {"axis": ["DEPLOY North Q13 5I 2M"]})
    assert state.armies["NORTH"].points["inf"] >= 5
    assert placed(state, "axis") == {"inf": 29, "mech": 14}


def test_the_pool_is_shown_until_it_is_deployed() -> None:
    state = fall()
    assert GAME.view(state, "allies", "open").pool == {"inf": 28, "mech": 12, "amph": 12}
    state, _ = run(state, {})
    assert GAME.view(state, "axis", "open").pool == {}
    assert GAME.view(state, "soviet", "open").pool == {"inf": 40, "mech": 16}


def test_what_is_deployed_out_of_sight_stays_unknown() -> None:
    """In fog the others see only what stands next to them."""
    state, events = run(fall(fog="fog"), {"axis": ["DEPLOY North P10 5I", "DEPLOY South Q15 5I 2M"]})
    view = GAME.view(state, "soviet", "fog")
    assert "NORTH" not in view.armies
    assert view.armies["SOUTH"].points is None
    told = of(ArmyDeployed, GAME.told(events, "soviet", "fog"))
    assert {event.points for event in told} == {None}
    assert "NORTH" not in {event.army for event in told}
