"""Why a side will have more or less to spend in a season to come, in words."""

from collections.abc import Sequence

from engine.events import Event
from engine.grand_strategy.board import Place
from engine.grand_strategy.events import FullyMobilized
from engine.grand_strategy.rulebook import Told
from engine.hitlers_war.growth import UNITED_STATES_BOX
from engine.hitlers_war.politics.countries import UNITED_STATES
from engine.hitlers_war.politics.limits import NOT_MOBILIZED


def _joins(nation: str) -> str:
    return "the United States join" if nation == UNITED_STATES else f"{nation} joins"


def _grows(place: Place) -> str:
    """HW-20.5, HW-23.4: what the calendar adds to a place."""
    return f"more from {'the ' if place.id == UNITED_STATES_BOX else ''}{place.name}"


def _deduction(why: str, events: Sequence[Event]) -> str:
    """Without a reason it is what the scenario takes off (HW-15.8)."""
    if why == NOT_MOBILIZED and any(isinstance(event, FullyMobilized) for event in events):
        return "fully mobilized"
    return why or "for other fronts"


REASONS = Told(_joins, _grows, _deduction, lent="lend-lease")
