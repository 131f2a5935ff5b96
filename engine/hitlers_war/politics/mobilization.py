"""Soviet mobilization: when all Soviet production begins to count (HW-23.1 to HW-23.4)."""

from typing import Any

from engine.grand_strategy.events import FullyMobilized, LimitedWar
from engine.grand_strategy.politics.nations import nation_at
from engine.grand_strategy.war import War
from engine.hitlers_war.politics.countries import BALTIC_STATES, SOVIET_UNION
from engine.hitlers_war.sides import AXIS, SOVIET


def is_capped(war: War) -> bool:
    """Whether the Soviets may still count only a part of what they have."""
    return bool(war.scenario.production_cap.get(SOVIET)) and not war.state.mobilized


def note_attack_for_mobilization(war: War, target: str) -> None:
    """HW-23.1: an Axis attack lifts the cap. HW-23.3: a Soviet attack before that makes it last longer."""
    if not is_capped(war):
        return
    nation = nation_at(war.board, target)
    if war.phasing == SOVIET and nation != BALTIC_STATES and not war.state.limited_war:
        war.state.limited_war = True
        war.emit(LimitedWar())
    elif war.phasing == AXIS and not war.state.limited_war:
        if war.owner(target) == SOVIET or nation in (SOVIET_UNION, BALTIC_STATES):
            _mobilize(war, "the Axis has attacked")


def check_mobilization(war: War) -> None:
    """The dates of HW-23.1 and HW-23.3, and the five hexes that end a limited war."""
    if not is_capped(war):
        return
    limits: dict[str, Any] = war.tables.raw["production_limits"]["soviet_mobilization"]
    if not war.state.limited_war:
        if war.state.turn >= limits["lifted_on_turn"]:
            _mobilize(war, "the date has come")
        return
    extended, ground = limits["limited_war"], war.state.ground
    lost = sum(ground[place].owner == AXIS for place in war.board.of_country(SOVIET_UNION))
    if war.state.turn >= extended["lifted_on_turn"]:
        _mobilize(war, "the date has come")
    elif lost >= (most := extended["or_axis_hexes_in_the_soviet_union"]):
        _mobilize(war, f"{most} of its hexes are in Axis hands")


def _mobilize(war: War, why: str) -> None:
    """Everybody reads why, so it tells no more than the rule asks for: not where, nor how many more."""
    war.state.mobilized = war.state.turn
    war.emit(FullyMobilized(why))
