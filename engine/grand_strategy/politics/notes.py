"""What is remarked of declarations before their time (HW-19)."""

from collections.abc import Iterator

from engine.grand_strategy.check import attacked_places
from engine.grand_strategy.check_production import finding_on
from engine.grand_strategy.events import OrderRefused
from engine.grand_strategy.orders import Violate
from engine.grand_strategy.politics.nations import nation_at, nation_of_country
from engine.grand_strategy.war import War
from engine.orders import Finding, Kind


def idle_declarations(war: War) -> Iterator[Finding]:
    """VIOLATE alone attacks nobody (HW-19.10)."""
    nations = {nation_at(war.board, place) for place in attacked_places(war)}
    refused = {event.line for event in war.events if isinstance(event, OrderRefused)}
    for line in war.lines_of(Violate):
        if line.number not in refused and nation_of_country(war.board, line.order.country) not in nations:
            why = f"no line of this sheet attacks {line.order.country}, so this one does nothing"
            yield finding_on(line, Kind.NOTE, why)
