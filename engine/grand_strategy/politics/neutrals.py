"""Unaligned countries: declared attacks, and the side a country takes that was attacked (HW-19)."""

from engine.grand_strategy.events import ArmyJoined, CountryConquered, CountryJoined, CountryViolated
from engine.grand_strategy.orders import Adopt, Violate
from engine.grand_strategy.politics.nations import (
    called,
    fate_of,
    nation_at,
    nation_of_country,
    nations_of,
    nearest_army,
    places_of_nation,
)
from engine.grand_strategy.state import NEUTRAL, TYPES, UNALIGNED, Army, Country
from engine.grand_strategy.war import War

#: The case under which an attacked country takes a side; all others join of their own accord (HW-20).
ATTACKED = "HW-19.3"

# ------------------------------------------------------------------ declaring and attacking


def declare_violations(war: War) -> None:
    """D-40: take up the VIOLATE lines before anything is announced."""
    for line in war.lines_of(Violate):
        nation = nation_of_country(war.board, line.order.country)
        why, remedy = _why_not_violate(war, line.order.country, nation)
        if why:
            war.refuse(line, why, remedy)
        elif nation not in war.state.violated:
            war.state.violated = (*war.state.violated, nation)


def _why_not_violate(war: War, country: str, nation: str) -> tuple[str, str]:
    owners = {war.owner(place) for place in war.board.of_country(country)}
    if UNALIGNED in owners or nation in war.state.violated:
        return "", ""
    if NEUTRAL in owners:
        return f"{country} is closed to everybody for the whole war (HW-19.1)", "leave the line away"
    how, side = _how_it_stands(war, nation)
    remedy = "ATTACK needs no VIOLATE there" if side in war.enemies_of(war.phasing) else "leave the line away"
    return f"{country} is not unaligned: it {how} {war.tables.side_names[side]}", remedy


def _how_it_stands(war: War, nation: str) -> tuple[str, str]:
    """What everybody knows of a country that has taken a side; who holds it by now may be hidden."""
    fate = war.state.countries.get(nation, Country())
    if fate.surrendered:
        return "has surrendered to", fate.captor
    if fate.conquered:
        return "was conquered by", fate.captor
    if fate.side:
        return "has joined", fate.side
    return "is on the side of", war.scenario.owners(war.board)[nations_of(war.board)[nation][0]]


def note_violation(war: War, target: str) -> None:
    """HW-19.10: the first attack of a side on an unaligned country."""
    if war.owner(target) == UNALIGNED:
        _note_violation(war, nation_at(war.board, target))


def _note_violation(war: War, nation: str) -> None:
    fate = fate_of(war, nation)
    if war.phasing not in fate.attackers:
        fate.attackers = (*fate.attackers, war.phasing)
        war.emit(CountryViolated(nation, war.phasing))


# ------------------------------------------------------------------ taking sides


def join_attacked_countries(war: War) -> list[str]:
    """HW-19.3, HW-3.6 (c): what was attacked and not conquered in this Combat Phase takes a side, and is returned."""
    joined: list[str] = []
    for nation, fate in sorted(war.state.countries.items()):
        if not _has_to_choose(war, nation, fate):
            continue
        if places_of_nation(war, nation, UNALIGNED):
            join(war, nation, _side_taken(war, nation, fate.attackers[0]), ATTACKED)
            joined.append(nation)
        else:
            _count_as_conquered(war, nation, fate)
    return joined


def _has_to_choose(war: War, nation: str, fate: Country) -> bool:
    stays = nation in war.tables.raw["alignment"]["stays_unaligned"]  # HW-19.5
    return bool(fate.attackers) and not (stays or fate.side or fate.surrendered or fate.conquered)


def _count_as_conquered(war: War, nation: str, fate: Country) -> None:
    """HW-19.6: all of it was captured in this Combat Phase, so nothing is left that could join anybody."""
    fate.captor, fate.conquered = war.phasing, war.state.turn
    _forget_counters(war, nation, "")
    war.tell_who_holds(nations_of(war.board)[nation])
    war.emit(CountryConquered(nation, war.phasing))


def _side_taken(war: War, nation: str, attacker: str) -> str:
    """HW-19.4."""
    alignment = war.tables.raw["alignment"]
    side: str = alignment[f"attacked_by_{attacker}"]
    other: str = alignment.get(f"attacked_by_{attacker}_except", {}).get(nation, side)
    return other


def join(war: War, nation: str, side: str, case: str) -> None:
    """A nation takes a side with all that is still its own; nothing is damaged."""
    places = places_of_nation(war, nation, UNALIGNED)
    armies = [army for army in war.armies_of(UNALIGNED) if army.place in places]
    counters = [_counter_for(war, nation, army, side) for army in armies]
    fate = fate_of(war, nation)
    fate.side, fate.joined = side, war.state.turn
    war.emit(CountryJoined(nation, side, case, tuple(places)))
    for place in places:
        war.give_by_treaty(place, side)
    for army, counter in zip(armies, counters, strict=True):
        _change_over(war, nation, army, side, counter)
    _forget_counters(war, nation, side)
    war.tell_who_holds(nations_of(war.board)[nation])
    for rule in war.rules.joined:
        rule(war, nation, side, case)


# ------------------------------------------------------------------ armies that change over


def _change_over(war: War, nation: str, army: Army, side: str, counter: str) -> None:
    """HW-19.7: the same strength under a counter of the new side, or in the army that has it already."""
    previously, points = army.id, army.points
    del war.state.armies[previously]
    joined = war.state.armies.setdefault(counter, Army(counter, side, army.place))
    for kind in TYPES:
        joined.add(kind, getattr(army, kind))
    seen_by = war.seeing(joined.place)
    war.emit(ArmyJoined(side, nation, counter, joined.place, previously, points, seen_by=seen_by))


def _forget_counters(war: War, nation: str, side: str) -> None:
    """Everybody knows that the counters a nation had are off the map unless they are of the side it joined.

    Whether their armies lived to see it makes no difference, for not everybody would know that.
    """
    for counter, start in war.scenario.armies.items():
        if start.waits_for == nation and start.side != side:
            for memory in war.state.memory.values():
                memory.armies.pop(counter, None)
                memory.fought.pop(counter, None)


def _counter_for(war: War, nation: str, army: Army, side: str) -> str:
    """D-45: its own counter if it is of that side, the one that was named, a free one, or the nearest army."""
    if army.id in war.tables.army_names[side]:
        return army.id
    named = [order.army for order in war.standing(side, Adopt) if _is_of(war, order.country, nation)]
    free = war.free_counters(side)
    chosen = next((army for army in named if army in free), None)
    if chosen is not None:
        return chosen
    counter = free[0] if free else nearest_army(war, nation, war.armies_of(side), war.ground_strength(army))
    remedy = f"STANDING ADOPT {nation} AS {counter}" if free else ""
    reasons = "; ".join(why_not_adopt(war, army)[0] for army in named)
    what = f"the army of {called(war, nation)} becomes {counter}{f', since {reasons}' if reasons else ''}"
    war.default_used(side, "D-45", what, remedy)
    return counter


def sides_that_may_adopt(war: War, nation: str) -> list[str]:
    """The sides that would have to find another counter for the army of a nation that was attacked (HW-19.7)."""
    own = {start.side for start in war.scenario.armies.values() if start.waits_for == nation}
    joined = {_side_taken(war, nation, attacker) for attacker in war.scenario.sides}
    return sorted(joined - own) if own else []


def why_not_adopt(war: War, counter: str) -> tuple[str, str]:
    """Why an army that changes over may not take a counter; empty if it may."""
    side = next(side for side, names in war.tables.army_names.items() if counter in names)
    waits = war.why_it_waits(counter)
    if waits or counter in war.state.armies:
        return waits or f"{counter} is on the map", war.name_free_counters(side)
    return "", ""


def _is_of(war: War, country: str, nation: str) -> bool:
    return nation_of_country(war.board, country) == nation
