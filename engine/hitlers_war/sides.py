"""The three sides of the war in Europe, what they are called, and who fights whom."""

from collections.abc import Sequence

from engine.grand_strategy.state import Terms

AXIS, SOVIET, ALLIES = "axis", "soviet", "allies"
SIDE_NAMES = {AXIS: "the Axis", SOVIET: "the Soviet Union", ALLIES: "the Allies"}


def adjective(side: str) -> str:
    """As in 'Allied player-turn'."""
    return "Allied" if side == ALLIES else side.title()


def at_war(side: str, sides: Sequence[str], terms: Terms) -> tuple[str, ...]:
    """HW-17.1, HW-21.3: the Axis fights the others, who never fight each other; a surrender ends it."""
    enemies = [other for other in sides if other != side and AXIS in (side, other)]
    return tuple(other for other in enemies if terms != "accepted" or {side, other} != {AXIS, SOVIET})
