"""Unaligned countries: declared attacks, and the side a country takes that was attacked (HW-19)."""

from engine.hitlers_war.events import ArmyJoined, CountryJoined, CountryViolated
from engine.hitlers_war.gifts import receive_gift
from engine.hitlers_war.mobilization import note_attack_for_mobilization
from engine.hitlers_war.nations import (
    fate_of,
    has_politics,
    nation_at,
    nation_of_country,
    nearest_army,
    places_of_nation,
)
from engine.hitlers_war.orders import Adopt, Violate
from engine.hitlers_war.state import NEUTRAL, SIDE_NAMES, TYPES, UNALIGNED, Army
from engine.hitlers_war.war import War

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
    owners = {war.owner(place) for place in war.board.of_country(country) if place in war.state.ground}
    if UNALIGNED in owners or nation in war.state.violated:
        return "", ""
    if NEUTRAL in owners:
        return f"{country} is closed to everybody for the whole war (HW-19.1)", "leave the line away"
    holders = " and ".join(SIDE_NAMES[owner] for owner in sorted(owners))
    return f"{country} is not unaligned: it is held by {holders}", "ATTACK needs no VIOLATE there"


def note_attack(war: War, target: str) -> None:
    """HW-19.10: an announced attack, invasion or exploitation attack counts, whatever comes of it."""
    owner = war.owner(target)
    if not has_politics(war) or owner == war.phasing:
        return
    if owner == UNALIGNED:
        _note_violation(war, nation_at(war.board, target))
    note_attack_for_mobilization(war, target)


def _note_violation(war: War, nation: str) -> None:
    fate = fate_of(war, nation)
    if war.phasing not in fate.attackers:
        fate.attackers = (*fate.attackers, war.phasing)
        war.emit(CountryViolated(nation, war.phasing))


# ------------------------------------------------------------------ taking sides


def join_attacked_countries(war: War) -> None:
    """HW-19.3, HW-3.6 (c): what was attacked and not conquered in this Combat Phase takes a side."""
    if not has_politics(war):
        return
    for nation, fate in sorted(war.state.countries.items()):
        stays = nation in war.tables.raw["alignment"]["stays_unaligned"]  # HW-19.5
        if fate.attackers and not fate.side and not stays and places_of_nation(war, nation, UNALIGNED):
            join(war, nation, _side_taken(war, nation, fate.attackers[0]), ATTACKED)


def _side_taken(war: War, nation: str, attacker: str) -> str:
    """HW-19.4."""
    alignment = war.tables.raw["alignment"]
    side: str = alignment[f"attacked_by_{attacker}"]
    if attacker == "axis":
        side = alignment["attacked_by_axis_except"].get(nation, side)
    return side


def join(war: War, nation: str, side: str, case: str) -> None:
    """A nation takes a side with all that is still its own; nothing is damaged."""
    places = places_of_nation(war, nation, UNALIGNED)
    armies = [army for army in war.armies_of(UNALIGNED) if army.place in places]
    counters = [_counter_for(war, nation, army, side) for army in armies]
    fate = fate_of(war, nation)
    fate.side, fate.joined = side, war.state.turn
    for place in places:
        war.give_by_treaty(place, side)
    war.emit(CountryJoined(nation, side, case, tuple(places)))
    for army, counter in zip(armies, counters, strict=True):
        _change_over(war, nation, army, side, counter)
    receive_gift(war, nation, side, of_its_own_accord=case != ATTACKED)


# ------------------------------------------------------------------ armies that change over


def _change_over(war: War, nation: str, army: Army, side: str, counter: str) -> None:
    """HW-19.7: the same strength under a counter of the new side, or in the army that has it already."""
    previously, points = army.id, army.points
    del war.state.armies[previously]
    joined = war.state.armies.setdefault(counter, Army(counter, side, army.place))
    for kind in TYPES:
        joined.add(kind, getattr(army, kind))
    forget_army(war, previously)
    seen_by = war.seeing(joined.place)
    war.emit(ArmyJoined(side, nation, counter, joined.place, previously, points, seen_by=seen_by))


def forget_army(war: War, army: str) -> None:
    """A counter that everybody knows has left the map."""
    for memory in war.state.memory.values():
        memory.armies.pop(army, None)
        memory.fought.pop(army, None)


def _counter_for(war: War, nation: str, army: Army, side: str) -> str:
    """D-45: its own counter if it is of that side, the one that was named, a free one, or the nearest army."""
    if army.id in war.tables.army_names[side]:
        return army.id
    named = [order.army for order in war.standing(side, Adopt) if _is_of(war, order.country, nation)]
    free = war.free_counters(side)
    chosen = next((army for army in named if army in free), None)
    if chosen is not None:
        return chosen
    counter = free[0] if free else nearest_army(war, nation, war.armies_of(side), army.ground_strength)
    remedy = f"STANDING ADOPT {nation} AS {counter}" if free else ""
    war.default_used(side, "D-45", f"the army of {nation} becomes {counter}", remedy)
    return counter


def _is_of(war: War, country: str, nation: str) -> bool:
    return nation_of_country(war.board, country) == nation
