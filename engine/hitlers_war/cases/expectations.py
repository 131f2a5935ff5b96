"""Comparing a played case with what it expects. A key nobody knows is a difference, never a pass."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.grand_strategy.events import (
    ArmyDeployed,
    ArmyEliminated,
    CoastalAirFired,
    CountryJoined,
    CountrySurrendered,
    DefaultUsed,
    Fired,
    FortAbsorbed,
    GarrisonLost,
    HitsIgnored,
    NavalFired,
    OrderRefused,
    PointsBuilt,
    PointsLost,
    PointsRepaired,
    ProductionCounted,
    ProductionEnded,
    StackCulled,
    SupportFired,
)
from engine.grand_strategy.state import TYPES
from engine.hitlers_war.cases.board import Played, place_id
from engine.hitlers_war.sides import SIDE_NAMES

Compare = Callable[[Any, Played], Iterator[str]]


def differences(expected: Mapping[str, Any], played: Played) -> Iterator[str]:
    for key, wanted in expected.items():
        if key in ("note", "all_match"):
            continue  # a comment; and look-ups are always compared
        if key in COMPARE:
            yield from COMPARE[key](wanted, played)
        elif key.endswith("_losses"):
            yield from _differs(key, _losses_of(played, key.removesuffix("_losses")), wanted)
        elif key in NUMBERS:
            yield from _differs(key, NUMBERS[key](played), wanted)
        elif key in played.plain:
            yield from _differs(key, played.plain[key], wanted)
        else:
            yield f"this program does not know how to compare {key!r}"


def _differs(what: str, got: Any, wanted: Any) -> Iterator[str]:
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        for key, value in wanted.items():
            yield from _differs(f"{what} {key}", got.get(key), value)
    elif got != wanted:
        yield f"{what}: {got} instead of {wanted}"


# ------------------------------------------------------------------ armies and hexes


def _armies(wanted: list[Mapping[str, Any]], played: Played) -> Iterator[str]:
    for facts in wanted:
        army = played.war.state.armies.get(facts["id"])
        if army is None:
            yield f"{facts['id']} is not on the map"
            continue
        for field, value in facts.items():
            if field == "hex":
                yield from _differs(f"{army.id} stands in", army.place, place_id(value))
            elif field not in ("id", "side"):
                yield from _differs(f"{army.id} {field}", getattr(army, field), value)


def _hexes(wanted: Mapping[str, Mapping[str, Any]], played: Played) -> Iterator[str]:
    for name, facts in wanted.items():
        place = place_id(name)
        for field, value in facts.items():
            if field != "note":
                yield from _differs(f"{name} {field}", _hex_field(played, place, field), value)


def _hex_field(played: Played, place: str, field: str) -> Any:
    war = played.war
    match field:
        case "garrison":
            return war.garrison(place)
        case "strength":
            return sum(army.strength for army in war.armies_in(place))
        case "garrison_after_phase":
            return int(not war.armies_in(place))
        case "defence":
            return war.defence(place)
        case "production":
            return war.capacity(place)
        case "working":
            return war.working_points(place)
        case _:
            return getattr(war.ground(place), field)


def _off_map(wanted: list[str], played: Played) -> Iterator[str]:
    for army in wanted:
        if army in played.war.state.armies:
            yield f"{army} is still on the map"


def _totals(wanted: Mapping[str, Mapping[str, int]], played: Played) -> Iterator[str]:
    for side, points in wanted.items():
        armies = played.war.armies_of(side)
        got = {kind: sum(getattr(army, kind) for army in armies) for kind in TYPES}
        yield from _differs(f"total of {side}", got, points)


def _forts(wanted: Mapping[str, Mapping[str, Any] | None], played: Played) -> Iterator[str]:
    """Forts by hex; nothing after a hex means that it has none."""
    for name, facts in wanted.items():
        fort = played.war.state.forts.get(place_id(name))
        if fort is None:
            if facts is not None:
                yield f"there is no fort in {name}"
        elif facts is None:
            yield f"there is still a fort of {fort.strength} in {name}"
        else:
            for field, value in facts.items():
                yield from _differs(f"fort in {name} {field}", getattr(fort, field), value)


def _all_of(
    what: str, of: Callable[[Played], Mapping[str, Any]]
) -> Callable[[Mapping[str, Any], Played], Iterator[str]]:
    """A mapping that must be complete."""

    def compare(wanted: Mapping[str, Any], played: Played) -> Iterator[str]:
        got = dict(of(played))
        if got != dict(wanted):
            yield f"{what}: {got} instead of {dict(wanted)}"

    return compare


def _exactly(what: str, of: Callable[[Played], list[str]]) -> Compare:
    def compare(wanted: list[str], played: Played) -> Iterator[str]:
        yield from _differs(what, sorted(of(played)), sorted(wanted))

    return compare


def _eliminated(played: Played) -> list[str]:
    return [event.army for event in played.events if isinstance(event, ArmyEliminated)]


def _refused(played: Played) -> list[str]:
    return [event.army for event in played.events if isinstance(event, OrderRefused) and event.army]


def _joined(played: Played) -> Mapping[str, str]:
    return {event.country: event.side for event in played.events if isinstance(event, CountryJoined)}


def _surrendered(played: Played) -> Mapping[str, str]:
    return {event.country: event.to for event in played.events if isinstance(event, CountrySurrendered)}


def _accepted(played: Played) -> list[str]:
    """Sides that placed all of their pool with the lines they sent."""
    placed_by_referee = {
        event.side
        for event in played.events
        if isinstance(event, OrderRefused) or (isinstance(event, DefaultUsed) and event.decision == "D-01")
    }
    deployed = {event.side for event in played.events if isinstance(event, ArmyDeployed)}
    return sorted(deployed - placed_by_referee) if not played.faults else []


def _levels(wanted: Mapping[str, str], played: Played) -> Iterator[str]:
    if "levels" in played.plain:
        yield from _differs("level of", played.plain["levels"], wanted)
        return
    outcome = played.war.state.outcome
    how = outcome.how if outcome is not None else ""
    for side, level in wanted.items():
        if not re.search(rf"{SIDE_NAMES[side]} \d+:\d+ \({level}\)", how):
            yield f"no {level} victory of {SIDE_NAMES[side]} in: {how}"


# ------------------------------------------------------------------ what the tables say


def _exploitation_modifier(wanted: Mapping[str, int], played: Played) -> Iterator[str]:
    got = wanted["hexes_already_advanced"] * played.war.tables.exploitation_modifier
    yield from _differs("exploitation modifier", got, wanted["modifier"])


def _advance_against(wanted: Mapping[int, Any], played: Played) -> Iterator[str]:
    war = played.war
    for defence, value in wanted.items():
        got = war.tables.advance(war.state.options.edition, 10, defence)
        yield from _differs(f"ten mechanized against {defence}", "never" if got is None else got, value)


def _combinations(wanted: list[Mapping[str, int]], played: Played) -> Iterator[str]:
    """What may be bought together, what it costs and what is then lost because nothing more can be bought."""
    costs, budget = played.war.tables.basic_costs, played.plain["combinations"]
    for bought in wanted:
        spent = sum(count * costs[kind] for kind, count in bought.items() if kind in costs)
        name = ", ".join(f"{count} {kind}" for kind, count in bought.items() if kind in costs)
        yield from _differs(f"{name} cost", spent, bought["spent"])
        yield from _differs(f"{name} leave", budget - spent, bought["lost"])
        if spent > budget:
            yield f"{name} cost more than {budget}"


# ------------------------------------------------------------------ sums over the events


def _sum(of: type, field: str) -> Callable[[Played], int]:
    return lambda played: sum(getattr(event, field) for event in played.events if isinstance(event, of))


def _points_lost(played: Played, side: str = "") -> int:
    return sum(
        event.count
        for event in played.events
        if isinstance(event, PointsLost | ArmyEliminated) and (not side or event.side == side)
    )


def _losses_of(played: Played, side: str) -> int:
    return _points_lost(played, side)


def _losses_applied(played: Played) -> int:
    """Points removed by fire, a garrison counting one."""
    by_fire = sum(
        event.count
        for event in played.events
        if isinstance(event, PointsLost) or (isinstance(event, ArmyEliminated) and event.cause == "losses")
    )
    return by_fire + sum(isinstance(event, GarrisonLost) for event in played.events)


def _built(kind: str) -> Callable[[Played], int]:
    return lambda played: sum(e.points.get(kind, 0) for e in played.events if isinstance(e, PointsBuilt))


def _culled(played: Played) -> int:
    return sum(sum(event.lost.values()) for event in played.events if isinstance(event, StackCulled))


def _is_legal(played: Played) -> bool:
    return not played.faults and not any(isinstance(event, OrderRefused) for event in played.events)


def _fires(of: type, field: str) -> Callable[[Played], Mapping[str, int]]:
    """How often each army or hex was fired at."""
    return lambda played: Counter(getattr(event, field) for event in played.events if isinstance(event, of))


def _counted(played: Played) -> Mapping[str, int]:
    """The budget of each side in its last Production Phase."""
    return {event.side: event.budget for event in played.events if isinstance(event, ProductionCounted)}


COMPARE: dict[str, Compare] = {
    "armies": _armies,
    "hexes": _hexes,
    "off_map": _off_map,
    "totals": _totals,
    "eliminated": _exactly("eliminated", _eliminated),
    "order_refused": _exactly("refused", _refused),
    "exploitation_modifier": _exploitation_modifier,
    "advance_against": _advance_against,
    "combinations": _combinations,
    "forts": _forts,
    "joined": _all_of("joined", _joined),
    "surrendered": _all_of("surrendered", _surrendered),
    "naval_fires": _all_of("naval fires", _fires(NavalFired, "army")),
    "coastal_air_fires": _all_of("coastal air fires", _fires(CoastalAirFired, "army")),
    "support_fires": _all_of("support fires", _fires(SupportFired, "target")),
    "accepted": _exactly("accepted", _accepted),
    "levels": _levels,
}

NUMBERS: dict[str, Callable[[Played], Any]] = {
    "hits": _sum(Fired, "hits"),
    "hits_ignored": _sum(HitsIgnored, "hits"),
    "losses_applied": _losses_applied,
    "absorbed": _sum(FortAbsorbed, "count"),
    "counted": _counted,
    "turn": lambda played: played.war.state.turn,
    "next": lambda played: played.war.phasing,
    "terms": lambda played: played.war.state.terms,
    "mobilized": lambda played: played.war.state.mobilized,
    "limited_war": lambda played: played.war.state.limited_war,
    "lend_lease": lambda played: played.war.state.lend_lease,
    "rolls": lambda played: played.dice.used,
    "legal": _is_legal,
    "culled": _culled,
    "stack_count": lambda played: max(played.start_stacks.values()),
    "spent_on_repair": _sum(PointsRepaired, "cost"),
    "infantry_built": _built("inf"),
    "mechanized_built": _built("mech"),
    "lost": _sum(ProductionEnded, "unspent"),
    "over": lambda played: played.war.over,
    "winner": lambda played: ", ".join(played.war.state.outcome.winners) if played.war.state.outcome else None,
    "winners": lambda played: list(played.war.state.outcome.winners) if played.war.state.outcome else [],
}
