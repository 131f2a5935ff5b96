"""How the wars of three sides end, with three players and with two (HW-16.4, HW-16.5, HW-18.4 to HW-18.7)."""

from fractions import Fraction

import pytest

from engine.game import Options, Outcome
from engine.grand_strategy.events import WarEnded
from engine.grand_strategy.state import State
from engine.grand_strategy.victory import TWO_PLAYERS, check_victory_at_once, check_victory_at_the_end, points_held
from engine.hitlers_war.berlin import level_of
from engine.hitlers_war.europe import europe
from tests.overseas import GAME, position, put, run, war_of

BERLIN = europe()["P10"].production


def outcome_of(state: State) -> Outcome:
    assert state.outcome is not None
    return state.outcome


def two_players(state: State) -> State:
    state.options = Options(fog="open", edition="1984", switches=(TWO_PLAYERS,))
    return state


def shares(state: State, **points: int) -> State:
    """All production in the hands of the sides as told: one place for each, worth so much, and nothing else."""
    for ground in state.ground.values():
        ground.owner = "neutral"
    war = war_of(state)
    left = {side: count for side, count in points.items() if count}
    for place in sorted(war.board.producing, key=lambda place: -war.capacity(place)):
        side = next((side for side, count in left.items() if count >= war.capacity(place) > 0), None)
        if side is not None and place != "P10":
            state.ground[place].owner = side
            left[side] -= war.capacity(place)
    state.ground["P10"].owner = "axis"
    assert not any(left.values())
    return state


# ------------------------------------------------------------------ the Fall of Germany


def test_the_fall_of_germany_ends_at_once_with_berlin() -> None:
    """HW-16.4."""
    state = position("fall-of-germany", "soviet", 16)
    put(state, "1UKR", "O11", mech=10)  # where a production point feeds it
    state, _ = run(state, {"soviet": ["ATTACK 1Ukr P10 ADVANCE"]}, [1])
    assert outcome_of(state).case == "HW-16.4"


def test_nobody_goes_on_when_the_war_is_over() -> None:
    """HW-16.4: Berlin ends it at once, whatever the path of the army that took it says."""
    state = position("fall-of-germany", "soviet", 16)
    put(state, "1UKR", "O12", mech=10)
    state, events = run(state, {"soviet": ["ATTACK 1Ukr O11 ADVANCE", "EXPLOIT 1Ukr P10 P9"]}, [1, 1, 1])
    assert isinstance(events[-1], WarEnded)
    assert (state.armies["1UKR"].place, state.ground["P9"].owner) == ("P10", "axis")


@pytest.mark.parametrize(("soviet", "winner"), [(24, "soviet"), (23, "allies")])
def test_the_soviets_need_two_thirds_of_what_the_allies_have(soviet: int, winner: str) -> None:
    """HW-16.4: devastated points count."""
    state = shares(position("fall-of-germany", "soviet", 16), soviet=soviet - BERLIN, allies=36)
    for ground in state.ground.values():
        ground.devastated = 1
    state.ground["P10"].owner = "soviet"
    war = war_of(state)
    assert (points_held(war, "soviet"), points_held(war, "allies")) == (soviet, 36)
    check_victory_at_once(war)
    assert outcome_of(state).winners == (winner,)


def test_the_axis_wins_if_it_still_has_berlin() -> None:
    """HW-16.4."""
    state = position("fall-of-germany", "allies", 19)
    check_victory_at_the_end(war_of(state))
    assert outcome_of(state).winners == ("axis",)


def test_with_two_players_berlin_alone_decides() -> None:
    """HW-16.5."""
    state = two_players(position("fall-of-germany", "allies", 19))
    state.ground["P10"].owner = "allies"
    check_victory_at_once(war_of(state))
    assert outcome_of(state) == Outcome(("soviet", "allies"), "the Allies took Berlin P10", "HW-16.5")


@pytest.mark.parametrize("players", [2, 3])
def test_the_fall_of_germany_lasts_to_winter_1945(players: int) -> None:
    """HW-2.3, A-02: with two players as well; only the campaigns are shorter then."""
    state = position("fall-of-germany", "axis")
    state = two_players(state) if players == 2 else state
    assert GAME.view(state, "axis", "open").last_turn == 19
    seasons = set()
    while GAME.gate(state) is not None:
        seasons.add(state.turn)
        state, _ = run(state, {})
    assert seasons == {14, 15, 16, 17, 18, 19}


# ------------------------------------------------------------------ the campaign


@pytest.mark.parametrize(
    ("side", "ratio", "level"),
    [
        ("axis", "0/1", "marginal"),
        ("axis", "1/8", "marginal"),
        ("axis", "1/3", "marginal"),
        ("axis", "34/101", "substantial"),
        ("axis", "99/100", "substantial"),
        ("axis", "1/1", "decisive"),
        ("soviet", "49/99", ""),
        ("soviet", "1/2", "marginal"),
        ("soviet", "99/100", "marginal"),
        ("soviet", "1/1", "substantial"),
        ("soviet", "149/100", "substantial"),
        ("soviet", "3/2", "decisive"),
        ("allies", "99/100", ""),
        ("allies", "1/1", "marginal"),
        ("allies", "149/100", "marginal"),
        ("allies", "3/2", "substantial"),
        ("allies", "199/100", "substantial"),
        ("allies", "2/1", "decisive"),
    ],
)
def test_levels_of_victory(side: str, ratio: str, level: str) -> None:
    """HW-18.7."""
    war = war_of(position("campaign-1", "axis", 18))
    assert level_of(war, side, Fraction(ratio), berlin_fell=False) == level


def test_the_example_of_the_rulebook_is_shared_by_all() -> None:
    """HW-18.6, A-51: 10, 30 and 50 points make 1:8, 1:2 and 5:4, three marginal victories."""
    state = shares(position("campaign-1", "allies", 18), axis=10 - BERLIN, soviet=30, allies=50)
    check_victory_at_the_end(war_of(state))
    assert outcome_of(state).winners == ("axis", "soviet", "allies")
    assert (
        "the Axis 10:80 (marginal), the Soviet Union 30:60 (marginal), the Allies 50:40 (marginal)"
        in outcome_of(state).how
    )


def test_the_axis_counts_nothing_without_berlin() -> None:
    """HW-18.6: neither for itself nor against the others."""
    state = position("campaign-1", "allies", 12)
    state.ground["P10"].owner = "allies"
    check_victory_at_once(war_of(state))
    assert "the Axis 0:" in outcome_of(state).how
    assert "axis" not in outcome_of(state).winners


@pytest.mark.parametrize(
    ("soviet", "allies", "winners", "level"),
    [
        (30, 40, ("soviet", "allies"), "marginal"),
        (40, 40, ("soviet",), "substantial"),
        (20, 40, ("allies",), "decisive"),
        (21, 40, ("allies",), "substantial"),
        (48, 32, ("soviet",), "decisive"),
    ],
)
def test_without_berlin_the_axis_wins_nothing(soviet: int, allies: int, winners: tuple[str, ...], level: str) -> None:
    """HW-18.6, HW-18.7: not even the marginal victory of those who hold out, whatever else it has."""
    state = shares(position("campaign-1", "soviet", 16), soviet=soviet - BERLIN, allies=allies, axis=5)
    state.ground["P10"].owner = "soviet"
    check_victory_at_once(war_of(state))
    assert outcome_of(state).winners == winners
    assert outcome_of(state).how.endswith(f"a {level} victory")
    assert f"the Axis 0:{soviet + allies} (no victory)" in outcome_of(state).how


def test_with_two_players_the_campaign_ends_a_turn_earlier() -> None:
    """HW-18.4, HW-18.5."""
    state = two_players(position("campaign-1", "allies", 17))
    assert GAME.view(state, "axis", "open").last_turn == 17
    state, _ = run(state, {})
    assert (outcome_of(state).winners, outcome_of(state).case) == (("axis",), "HW-18.5")


def test_with_three_players_it_goes_on_to_summer_1945() -> None:
    state, _ = run(position("campaign-1", "allies", 17), {})
    assert (state.outcome, state.turn) == (None, 18)


def test_with_two_players_berlin_wins_at_once() -> None:
    """HW-18.5."""
    state = two_players(position("campaign-1", "soviet", 12))
    state.ground["P10"].owner = "soviet"
    check_victory_at_once(war_of(state))
    assert outcome_of(state).winners == ("soviet", "allies")
