"""Nations as politics knows them: which places belong together, and what may be attacked (HW-17, HW-19, HW-21.3)."""

from collections.abc import Sequence
from functools import lru_cache

from engine.grand_strategy.board import Board
from engine.grand_strategy.rulebook import Refusal
from engine.grand_strategy.state import Army, Country
from engine.grand_strategy.war import War


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
    return board.places[place].nation


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
    """The army nearest to a nation that has room. All counters are on the map, so there is one."""
    places = nations_of(war.board)[nation]

    def rank(army: Army) -> tuple[bool, int, int]:
        distance = min(war.board.distance(army.place, place) for place in places)
        return war.room(army.place) < points, distance, -army.strength

    return min(armies, key=rank).id


# ------------------------------------------------------------------ what may be attacked


def called(war: War, country: str) -> str:
    """A country in the middle of a sentence."""
    return f"the {country}" if country in war.tables.with_article else country


def closed_for_the_war(_war: War, target: str) -> Refusal:
    """HW-15.5: where no country can be drawn in, all that no side holds is neutral."""
    return f"{target} is neutral for the whole war (HW-15.5)", "attack a hex of the enemy or a friendly one"


def closed_to_everybody(war: War, target: str) -> Refusal:
    return _closed(war, target, "HW-16.6")


def closed_in_politics(war: War, target: str) -> Refusal:
    return _closed(war, target, "HW-19.1")


def _closed(war: War, target: str, case: str) -> Refusal:
    country = called(war, war.place(target).country)
    return f"{target} is in {country}, which is closed to everybody ({case})", "attack a hex of the enemy"


def open_to_everybody(_war: War, _target: str) -> Refusal:
    """HW-16.6: unaligned hexes are taken without a word."""
    return "", ""


def open_when_declared(war: War, target: str) -> Refusal:
    """D-40: a first attack on a country is to be confirmed, so that a typing error starts no war."""
    nation = nation_at(war.board, target)
    if nation in war.state.violated or has_attacked(war, war.phasing, nation):
        return "", ""
    country = war.place(target).country
    return (
        f"{target} is in {called(war, country)}, which is unaligned (HW-19.2)",
        f"to attack it all the same, add the line VIOLATE {country}",
    )
