"""What the wars of a soak saw, how often, and what they should have seen and never did."""

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.table import Table

from engine.events import Event
from engine.grand_strategy.events import (
    AnyEvent,
    CountryConquered,
    CountryJoined,
    CountrySurrendered,
    GiftReceived,
    TermsAnswered,
)
from engine.grand_strategy.orders import AnyOrder
from engine.grand_strategy.politics.nations import nation_at
from engine.grand_strategy.state import NEUTRAL
from engine.hitlers_war.europe import ITALY, europe
from engine.hitlers_war.politics.countries import SOVIET_UNION
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import ALLIES, AXIS, SOVIET
from engine.hitlers_war.tables import tables
from tools.soak_upsets import Incident, incidents

KINDS = ("orders", "events", "politics")
#: The scenario in which countries take sides and give up.
CAMPAIGN = "campaign-1"


def politics_of(event: Event) -> str:
    """What a country did, in words; empty for everything else."""
    match event:
        case CountryJoined():
            return f"{event.country} joins {event.side} ({event.case})"
        case CountryConquered():
            return f"{event.country} is conquered by {event.by}"
        case CountrySurrendered():
            return f"{event.country} surrenders to {event.to}"
        case GiftReceived():
            return f"{event.country} brings its forces"
        case TermsAnswered():
            return f"Soviet terms {'accepted' if event.accepted else 'refused'}"
    return ""


class Coverage:
    def __init__(self) -> None:
        self.seen: dict[str, dict[str, Counter[str]]] = {}

    def add(self, scenario: str, seen: Mapping[str, Mapping[str, int]], winners: tuple[str, ...]) -> None:
        """`seen` counts what one war saw, by orders, events and politics."""
        known = self.seen.setdefault(scenario, {})
        for kind in KINDS:
            known.setdefault(kind, Counter()).update(seen[kind])
        known.setdefault("winners", Counter()).update([" and ".join(winners) or "nobody"])

    def tables(self) -> Iterator[Table]:
        for kind in (*KINDS, "winners"):
            counts = {scenario: seen[kind] for scenario, seen in self.seen.items()}
            table = Table(kind.title(), *counts)
            for row in sorted(set().union(*counts.values())):
                table.add_row(row, *(str(counts[scenario][row] or "-") for scenario in counts))
            yield table

    def never(self) -> list[str]:
        """What a soak of all scenarios should see and this one did not."""
        seen = {kind: set().union(*(each[kind] for each in self.seen.values())) for kind in KINDS}
        missing = sorted(set(all_orders()) - seen["orders"]) + sorted(set(all_events()) - seen["events"])
        missing += [what for what in all_politics() if not any(done.startswith(what) for done in seen["politics"])]
        winners = {scenario: " ".join(each["winners"]) for scenario, each in self.seen.items()}
        return missing + [
            f"{side} wins {scenario}"
            for scenario, won in winners.items()
            for side in load_scenario(scenario).sides
            if side not in won
        ]


def all_orders() -> list[str]:
    return [order.__name__ for order in AnyOrder.__args__]


def all_events() -> list[str]:
    return [event.__name__ for event in AnyEvent.__args__]


def all_politics() -> list[str]:
    """How each of these begins: countries that join a side or give up, and what is peculiar to one country."""
    givers = ("Rumania", "Hungary", "Finland", "Bulgaria")  # HW-20.4, A-43
    return [
        *_entries(),
        *sorted({f"{each.country} joins {_driven_to(each)} (HW-19.3)" for each in incidents(CAMPAIGN)}),
        *(f"{nation} surrenders" for nation in sorted(_may_surrender())),
        *(f"{nation} brings its forces" for nation in givers),
        "Soviet terms accepted",
        "Soviet terms refused",
    ]


def _entries() -> list[str]:
    """HW-20: those who come of their own accord."""
    entry = tables().raw["entry"]
    minors = [f"{nation} joins axis (HW-20.3)" for nation in entry["axis_minors"]["countries"]]
    return ["Italy joins axis (HW-20.1)", *minors, "United States joins allies (HW-20.5)"]


def _driven_to(incident: Incident) -> str:
    """HW-19.4."""
    eastern = ("Finland", "Baltic States", "Hungary", "Rumania", "Bulgaria")
    if incident.side != AXIS:
        return AXIS
    return SOVIET if incident.country in eastern else ALLIES


def _may_surrender() -> set[str]:
    """HW-21: everybody who fights and has a capital, and Italy; the Soviet Union offers terms instead."""
    board, owners = europe(), load_scenario(CAMPAIGN).owners(europe())
    capitals = [place for place in owners if board[place].capital and owners[place] != NEUTRAL]
    return {nation_at(board, place) for place in capitals} - {SOVIET_UNION} | {ITALY}
