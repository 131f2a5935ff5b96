"""Nations as politics knows them: which places belong together, and what may be attacked (HW-17, HW-19, HW-21.3)."""

from collections.abc import Sequence
from functools import lru_cache

from engine.hitlers_war.board import SOVIET_UNION, Board
from engine.hitlers_war.state import AXIS, NEUTRAL, SIDE_NAMES, UNALIGNED, Army, Country
from engine.hitlers_war.war import War

ITALY = "Italy"
POLAND = "Poland"
FRANCE = "France"
UNITED_STATES = "United States"
BALTIC_STATES = "Baltic States"

WITH_ARTICLE = (UNITED_STATES, BALTIC_STATES, SOVIET_UNION, "Low Countries")

#: Italy and her allies are one nation in politics, in war and in peace (HW-19.1, HW-20.1).
ITALIAN = "yellow"
#: Rules level from which unaligned countries take sides and countries surrender.
POLITICS = 3


def has_politics(war: War) -> bool:
    return war.scenario.level >= POLITICS


@lru_cache(maxsize=4)
def nations_of(board: Board) -> dict[str, tuple[str, ...]]:
    """Every nation with its places."""
    found: dict[str, list[str]] = {}
    for place in board.places.values():
        if place.has_land:
            found.setdefault(nation_at(board, place.id), []).append(place.id)
    return {nation: tuple(places) for nation, places in found.items()}


def nation_of_country(board: Board, country: str) -> str:
    """The nation a country acts with."""
    places = board.of_country(country)
    return nation_at(board, places[0]) if places else country


def nation_at(board: Board, place: str) -> str:
    there = board.places[place]
    return ITALY if there.colour == ITALIAN else there.country


def places_of_nation(war: War, nation: str, owner: str) -> list[str]:
    """The places of a nation that are in the hands of an owner."""
    ground = war.state.ground
    return [
        place for place in nations_of(war.board).get(nation, ()) if place in ground and ground[place].owner == owner
    ]


def fate_of(war: War, nation: str) -> Country:
    """What has happened to a nation so far; the entry to write down what happens next."""
    return war.state.countries.setdefault(nation, Country())


def side_of(war: War, nation: str) -> str:
    """The side a nation joined; empty if it joined none."""
    fate = war.state.countries.get(nation)
    return fate.side if fate is not None else ""


def has_attacked(war: War, side: str, nation: str) -> bool:
    fate = war.state.countries.get(nation)
    return fate is not None and side in fate.attackers


def has_had_its_day(war: War, nation: str) -> bool:
    """Whether a nation took a side or is no more, so that it never joins anybody again."""
    fate = war.state.countries.get(nation)
    return fate is not None and bool(fate.side or fate.surrendered or fate.conquered)


def nearest_army(war: War, nation: str, armies: Sequence[Army], points: int) -> str:
    """The army nearest to a nation that has room. All twelve counters are on the map, so there is one."""
    places = nations_of(war.board)[nation]

    def rank(army: Army) -> tuple[bool, int, int]:
        distance = min(war.board.distance(army.place, place) for place in places)
        return war.room(army.place) < points, distance, -army.strength

    return min(armies, key=rank).id


# ------------------------------------------------------------------ what may be attacked


def why_closed(war: War, target: str) -> tuple[str, str]:
    """Why the phasing side may not attack a place at all, and what would work; empty if it may."""
    side, owner = war.phasing, war.owner(target)
    if owner == side or owner in war.enemies_of(side):
        return "", ""
    if owner == UNALIGNED:
        return _why_not_unaligned(war, target)
    if owner == NEUTRAL:
        return _closed_for_good(war, target)
    held = f"{target} is held by {SIDE_NAMES[owner]}"
    remedy = f"attack {_open_to(war, side)}"
    if AXIS in (side, owner):
        return f"{held}, and since the surrender there is peace (HW-21.3)", remedy
    return f"{held}; Soviets and Allies never attack or enter each other (HW-17.1)", remedy


def _open_to(war: War, side: str) -> str:
    enemies = [SIDE_NAMES[enemy] for enemy in war.enemies_of(side)]
    return " or ".join(enemies or ["an unaligned country, with VIOLATE"])


def called(country: str) -> str:
    """A country in the middle of a sentence."""
    return f"the {country}" if country in WITH_ARTICLE else country


def _closed_for_good(war: War, target: str) -> tuple[str, str]:
    if war.scenario.level == 1:
        return f"{target} is neutral for the whole war (HW-15.5)", "attack a hex of the enemy or a friendly one"
    case = "HW-19.1" if has_politics(war) else "HW-16.6"
    country = called(war.place(target).country)
    return f"{target} is in {country}, which is closed to everybody ({case})", "attack a hex of the enemy"


def _why_not_unaligned(war: War, target: str) -> tuple[str, str]:
    """D-40: a first attack on a country is to be confirmed, so that a typing error starts no war."""
    if war.scenario.level == 1:
        return _closed_for_good(war, target)
    nation = nation_at(war.board, target)
    if not has_politics(war) or nation in war.state.violated or has_attacked(war, war.phasing, nation):
        return "", ""
    country = war.place(target).country
    return (
        f"{target} is in {called(country)}, which is unaligned (HW-19.2)",
        f"to attack it all the same, add the line VIOLATE {country}",
    )
