"""Wars that end with Berlin or when time runs out, and are judged by points (HW-16.4, HW-18.5 to HW-18.7)."""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from engine.grand_strategy.victory import TWO_PLAYERS, end_war, points_held
from engine.grand_strategy.war import War
from engine.hitlers_war.sides import ALLIES, AXIS, SIDE_NAMES, SOVIET

LEVELS = ("decisive", "substantial", "marginal")


def berlin_taken(war: War) -> None:
    """HW-16.4, HW-18.6: the war ends with one hex."""
    berlin = war.scenario.victory.get("ends_when_taken")
    if berlin and war.owner(berlin) != AXIS:
        for ended in war.rules.ended:
            ended(war, war.owner(berlin))
        _judge(war, f"{SIDE_NAMES[war.owner(berlin)]} took {war.place(berlin).name} {berlin}", berlin_fell=True)


def would_take_berlin(war: War, places: Collection[str]) -> bool:
    return war.scenario.victory.get("ends_when_taken") in places


def time_runs_out(war: War) -> None:
    """After the last turn points decide."""
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
