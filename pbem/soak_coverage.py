"""What the wars of a soak saw, how often, and what they should have seen and never did."""

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.table import Table

from engine.events import Event
from engine.hitlers_war.europe import europe
from engine.hitlers_war.events import AnyEvent, CountryConquered, CountryJoined, CountrySurrendered, TermsAnswered
from engine.hitlers_war.nations import POLAND, nation_at, nations_of
from engine.hitlers_war.orders import AnyOrder
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import UNALIGNED

KINDS = ("orders", "events", "politics")


def politics_of(event: Event) -> str:
    """What a country did, in words; empty for everything else."""
    match event:
        case CountryJoined():
            return f"{event.country} joins {event.side} ({event.case})"
        case CountryConquered():
            return f"{event.country} is conquered by {event.by}"
        case CountrySurrendered():
            return f"{event.country} surrenders to {event.to}"
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
        politics = " ".join(sorted(seen["politics"]))
        missing += [what for what in all_politics() if what not in politics]
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
    """Unaligned nations take a side, all but Poland; nations with a capital give up."""
    board, owners = europe(), load_scenario("campaign-1").owners(europe())
    unaligned = {nation_at(board, place) for place, owner in owners.items() if owner == UNALIGNED}
    joining = [f"{nation} joins" for nation in sorted(unaligned - {POLAND})]
    fighting = {nation for nation, places in nations_of(board).items() if _can_fall(places, owners)}
    falling = [f"{nation} surrenders" for nation in sorted(fighting - {"Soviet Union"})]
    return [*joining, *falling, "Soviet terms accepted", "Soviet terms refused"]


def _can_fall(places: tuple[str, ...], owners: Mapping[str, str]) -> bool:
    return any(europe()[place].capital and owners.get(place, "neutral") != "neutral" for place in places)
