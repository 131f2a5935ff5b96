"""The French points that are out of use for the whole of Barbarossa (HW-15.2, D-02)."""

from collections.abc import Iterable

from engine.grand_strategy.events import PointsRuined
from engine.grand_strategy.orders import DevastateFrance
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.state import Ground
from engine.grand_strategy.war import War


def no_french_points_to_choose(war: War) -> None:
    for line in war.lines_of(DevastateFrance):
        war.refuse(line, "only Barbarossa has French points to choose", "leave the line away")


def french_points_out_of_use(scenario: ScenarioData, ground: dict[str, Ground]) -> None:
    """HW-15.2: before the Axis has said anything."""
    if scenario.ruined_choice is not None:
        ruin(ground, scenario.ruined_choice.default, 1)


def put_french_points_out_of_use(war: War) -> None:
    """HW-15.2, D-02: before anything else the Axis may say which French points never work."""
    choice = war.scenario.ruined_choice
    if choice is None:
        no_french_points_to_choose(war)
        return
    lines = war.lines_of(DevastateFrance)
    if war.state.turn != war.scenario.first_turn or war.phasing != war.scenario.sides[0]:
        why = "the Axis chooses the French points on the first turn of the war only (HW-15.2)"
        for line in lines:
            war.refuse(line, why, "leave the line away")
        return
    if not lines:
        war.default_used(war.phasing, "D-02", f"the French points out of use are in {', '.join(choice.default)}")
    hexes = choice.default
    for line in lines:
        why = _why_choice_is_wrong(war, line.order.hexes, choice.country, choice.points)
        if why:
            war.refuse(line, why, f"name {choice.points} points, such as DEVASTATE-FRANCE {' '.join(choice.default)}")
        else:
            hexes = line.order.hexes
    ruin(war.state.ground, choice.default, -1)
    ruin(war.state.ground, hexes, 1)
    for place in dict.fromkeys(hexes):
        war.emit(PointsRuined(war.phasing, place, hexes.count(place), seen_by=war.seeing(place)))


def ruin(ground: dict[str, Ground], hexes: Iterable[str], points: int) -> None:
    """Put a point in each of these hexes out of use for good, or take that back."""
    for place in hexes:
        ground[place].devastated += points
        ground[place].ruined += points


def _why_choice_is_wrong(war: War, hexes: tuple[str, ...], country: str, points: int) -> str:
    if len(hexes) != points:
        return f"{points} points must be named, not {len(hexes)}"
    for place in hexes:
        if war.place(place).country != country:
            return f"{place} is not in {country}"
        if hexes.count(place) > war.place(place).production:
            return f"{place} has only {war.place(place).production} production"
    return ""
