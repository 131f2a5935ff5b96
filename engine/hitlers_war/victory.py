"""When the war is over, and who has won it (HW-15.8, HW-16.4, HW-18.5 to HW-18.7)."""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from engine.game import Options, Outcome
from engine.hitlers_war.events import WarEnded
from engine.hitlers_war.politics.surrender import germany_surrenders
from engine.hitlers_war.scenario import ScenarioData
from engine.hitlers_war.state import ALLIES, AXIS, SIDE_NAMES, SOVIET
from engine.hitlers_war.war import War

#: The option of a match in which one player runs both the Soviets and the Allies (HW-16.5, HW-18.5).
TWO_PLAYERS = "two-players"
LEVELS = ("decisive", "substantial", "marginal")


def last_turn(scenario: ScenarioData, options: Options) -> int:
    """HW-18.4: with two players a campaign is a turn shorter."""
    if TWO_PLAYERS in options.switches and scenario.last_turn_two_players is not None:
        return scenario.last_turn_two_players
    return scenario.last_turn


def end_war(war: War, winners: tuple[str, ...], how: str, case: str) -> None:
    war.state.outcome = Outcome(winners, how, case)
    war.emit(WarEnded(winners, how, case))


def check_victory_at_once(war: War) -> None:
    """A side wins the moment it holds every hex it has to take; other wars end with one hex."""
    if war.over:
        return
    for side, goal in war.scenario.victory.get("take_all", {}).items():
        if all(place in war.state.ground and war.owner(place) == side for place in goal):
            names = ", ".join(f"{war.place(place).name} {place}" for place in goal)
            end_war(war, (side,), f"{SIDE_NAMES[side]} holds {names}", war.scenario.victory["case"])
            return
    berlin = war.scenario.victory.get("ends_when_taken")
    if berlin and war.owner(berlin) != AXIS:
        germany_surrenders(war, war.owner(berlin))
        _judge(war, f"{SIDE_NAMES[war.owner(berlin)]} took {war.place(berlin).name} {berlin}", berlin_fell=True)


def would_end_the_war(war: War, places: Collection[str]) -> bool:
    """Whether it would be over at once if the phasing side took all of these."""
    goal = war.scenario.victory.get("take_all", {}).get(war.phasing, ())
    missing = [place for place in goal if war.owner(place) != war.phasing]
    return war.scenario.victory.get("ends_when_taken") in places or (bool(missing) and set(missing) <= set(places))


def check_victory_at_the_end(war: War) -> None:
    """After the last turn the side named by the scenario wins if nobody has won before, or points decide."""
    side = war.scenario.victory.get("otherwise")
    if war.over:
        return
    if side:
        end_war(war, (side,), f"{SIDE_NAMES[side]} held out to the end", war.scenario.victory["case"])
    else:
        _judge(war, "time has run out, and Berlin is Axis", berlin_fell=False)


# ------------------------------------------------------------------ three sides


def _judge(war: War, end: str, *, berlin_fell: bool) -> None:
    if TWO_PLAYERS in war.state.options.switches:
        winners = (SOVIET, ALLIES) if berlin_fell else (AXIS,)
        end_war(war, winners, end, "HW-18.5" if "ratios" in war.scenario.victory else "HW-16.5")
    elif "ratios" in war.scenario.victory:
        _judge_by_ratios(war, end, berlin_fell=berlin_fell)
    else:
        _judge_by_share(war, end, berlin_fell=berlin_fell)


def points_held(war: War, side: str) -> int:
    """All points a side controls, devastated or not."""
    return sum(war.capacity(place) for place in war.producing_places_of(side))


def _judge_by_share(war: War, end: str, *, berlin_fell: bool) -> None:
    """HW-16.4: without Berlin the Soviets need two thirds of what the Allies have."""
    if not berlin_fell:
        end_war(war, (AXIS,), end, "HW-16.4")
        return
    share = Fraction(war.scenario.victory["soviet_share_of_allied_points"])
    soviet, allied = points_held(war, SOVIET), points_held(war, ALLIES)
    winner = SOVIET if soviet >= share * allied else ALLIES
    end_war(war, (winner,), f"{end}; the Soviet Union has {soviet} production points, the Allies {allied}", "HW-16.4")


def _judge_by_ratios(war: War, end: str, *, berlin_fell: bool) -> None:
    """HW-18.6, HW-18.7: each side's points over those of the other two; the highest level wins, equals share (A-51)."""
    points = {side: points_held(war, side) for side in war.scenario.sides}
    if berlin_fell:
        points[AXIS] = 0
    ratios = {side: _ratio(points, side) for side in points}
    levels = {side: level_of(war, side, ratio, berlin_fell=berlin_fell) for side, ratio in ratios.items()}
    best = next(level for level in LEVELS if level in levels.values())
    winners = tuple(side for side, level in levels.items() if level == best)
    rest = sum(points.values())
    counts = ", ".join(
        f"{SIDE_NAMES[side]} {points[side]}:{rest - points[side]} ({levels[side] or 'no victory'})" for side in points
    )
    end_war(war, winners, f"{end}; {counts}: a {best} victory", "HW-18.7")


def _ratio(points: dict[str, int], side: str) -> Fraction:
    others = sum(points.values()) - points[side]
    return Fraction(points[side], max(1, others))


def level_of(war: War, side: str, ratio: Fraction, *, berlin_fell: bool) -> str:
    """The highest level of victory a ratio gives a side; empty if none."""
    if side == AXIS and berlin_fell:
        return ""
    needed: dict[str, dict[str, Any]] = war.tables.raw[war.scenario.victory["ratios"]][side]
    for level in LEVELS:
        least = needed[level]
        if "above" in least and ratio > Fraction(least["above"]):
            return level
        if "at_least" in least and ratio >= Fraction(least["at_least"]):
            return level
    return ""
