"""What came of a line of orders, from the events its side was told."""

from collections.abc import Sequence

from engine.events import Event
from engine.orders import Line
from tests.toy.round_island.rules.events import BattleFought, Marched, OrderRefused
from tests.toy.round_island.rules.orders import March
from tests.toy.round_island.shown.names import place_name


def came_of(number: int, line: Line | None, told: Sequence[Event]) -> tuple[str, str]:
    """A word and a sentence: refused with the reason, or what met the march where it went."""
    for event in told:
        if isinstance(event, OrderRefused) and event.line == number:
            return "refused", event.why
    if line is None or not isinstance(line.order, March):
        return "ok", ""
    went = any(isinstance(event, Marched) and event.line == number for event in told)
    fights = [event for event in told if isinstance(event, BattleFought) and event.hex == line.order.target]
    return ("ok", _met(fights[0], line.order)) if went and fights else ("ok", "")


def _met(battle: BattleFought, order: March) -> str:
    words = "taken from" if battle.winner == battle.attacker else "held by"
    return f"battle in {place_name(order.target)}: {words} {battle.winner.capitalize()}"
