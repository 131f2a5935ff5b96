"""What came of the lines of a sheet."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.events import Event
from engine.grand_strategy.events import (
    AdvanceTried,
    ArmyEliminated,
    ConditionFailed,
    ExploitationEnded,
    Fired,
    LandingTried,
)
from engine.grand_strategy.orders import Attack, Exploit, Invade
from engine.orders import Line, Sheet
from engine.results import LineResult, results_of


def came_of(sheet: Sheet, told: Sequence[Event]) -> list[LineResult]:
    if not any(event.lines for event in told):
        told = [_with_its_lines(event, sheet) for event in told]
    return results_of(sheet, told)


# ------------------------------------------------------------------ turns run before events carried their lines


def _with_its_lines(event: Event, sheet: Sheet) -> Event:
    numbers = tuple(line.number for line in sheet.lines if _came_of(event, line))
    return replace(event, lines={sheet.side: numbers}) if numbers else event


def _came_of(event: Event, line: Line) -> bool:
    """As far as the army or the words of a line tell."""
    order = line.order
    match event:
        case ConditionFailed():
            return event.text == line.text
        case AdvanceTried(exploitation=True) | ExploitationEnded():
            return isinstance(order, Exploit) and order.army == event.army
        case AdvanceTried() | LandingTried() | ArmyEliminated(cause="losses"):
            return isinstance(order, Attack | Invade) and order.army == event.army
        case Fired(exploitation=False):
            return isinstance(order, Attack | Invade) and order.army in event.armies
    return False
