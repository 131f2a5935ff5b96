"""Every fact the rules state about the board, one by one."""

from collections.abc import Callable, Iterable, Iterator
from statistics import median
from typing import Any

import pytest
import yaml

from engine.hitlers_war.europe import LAYOUT, atlas, countries, gateways, seas, western_libya
from engine.hitlers_war.scenario import load_scenario
from tests.the_board import BOARD, BOXES, HEXES, hexes_of, kilometres, open_sea_hexsides, production_of
from tests.the_project import TESTS

FACTS = yaml.safe_load((TESTS / "facts" / "map.yaml").read_text(encoding="utf-8"))
EVERY_FACT = {fact["id"]: fact for facts in FACTS.values() for fact in facts}


# ------------------------------------------------------------------ how a fact is checked

Complaints = Iterator[str]


def each(holds: Callable[..., bool]) -> Callable[[Any], Complaints]:
    """A check for a list of hexes, or for a table of hexes (or countries) and what they should be."""

    def complaints(wanted: Any) -> Complaints:
        for item in wanted.items() if isinstance(wanted, dict) else wanted:
            arguments = item if isinstance(item, tuple | list) else (item,)
            if not holds(*arguments):
                yield f"{holds.__name__} does not hold for {item}"

    return complaints


def exists(place: str) -> bool:
    return place in HEXES


def country(place: str, name: str) -> bool:
    return HEXES[place].country == name


def named(place: str, name: str) -> bool:
    return HEXES[place].name == name


def land(place: str) -> bool:
    return HEXES[place].kind in ("land", "coast")


def coast(place: str) -> bool:
    return HEXES[place].kind == "coast"


def adjacent(one: str, other: str) -> bool:
    return BOARD.grid.edge(one, other) is not None


def open_sea(one: str, other: str) -> bool:
    edge = BOARD.grid.edge(one, other)
    return edge is not None and edge.kind == "sea"


def prod(place: str, points: int) -> bool:
    return HEXES[place].production == points


def prod_min(place: str, points: int) -> bool:
    return HEXES[place].production >= points


def no_prod(place: str) -> bool:
    return HEXES[place].production == 0


def capital(place: str) -> bool:
    return HEXES[place].capital


def port(place: str) -> bool:
    return HEXES[place].port


def lendlease(place: str) -> bool:
    return HEXES[place].lendlease == 2


def sea(place: str, names: str) -> bool:
    return set(names.split("/")) <= set(HEXES[place].seas)


def gateway(place: str, joined: list[str]) -> bool:
    return place in gateways() and set(gateways()[place].joins) == set(joined) == set(BOARD[place].seas)


def canal(place: str, joined: list[str]) -> bool:
    canals = atlas().canals
    return place in canals and set(canals[place].joins) == set(joined)


def friendly(who: str, places: list[str]) -> bool:
    scenario, side = who.split()
    owners = load_scenario(scenario).owners(BOARD)
    return all(owners[place] == side for place in places)


def in_western_libya(place: str) -> bool:
    return place in western_libya()


def country_prod(name: str, points: int) -> bool:
    return production_of(name) == points


def min_country_prod(name: str, points: int) -> bool:
    return production_of(name) >= points


def country_is_exactly(name: str, places: list[str]) -> bool:
    return sorted(hexes_of(name)) == sorted(places)


def has_capital(name: str) -> bool:
    return any(HEXES[place].capital for place in hexes_of(name))


def no_capital(name: str) -> bool:
    return bool(hexes_of(name)) and not has_capital(name)


def colour(name: str, wanted: str) -> bool:
    places = BOARD.of_country(name)
    return bool(places) and all(BOARD[place].colour == wanted for place in places)


def home_forces(name: str, points: int) -> bool:
    return countries()[name].home_forces == points


def no_sea(name: str, water: str) -> bool:
    return bool(hexes_of(name)) and not any(water in HEXES[place].seas for place in hexes_of(name))


def box_prod(box: str, points: int) -> bool:
    return BOXES[box].production == points


def box_prod_later(box: str, points: int) -> bool:
    return atlas().boxes[box].production_later == points


def is_a_sea(name: str) -> bool:
    return name in seas() and any(name in place.seas for place in HEXES.values())


def every_box_produces(bounds: list[int]) -> Complaints:
    for box in BOXES.values():
        if not bounds[0] <= box.production <= bounds[1]:
            yield f"{box.id} produces {box.production}"


def arrow(wanted: list[Any]) -> Complaints:
    box, to, length = wanted
    edge = BOARD.grid.edge(box, to)
    if edge is None or (edge.kind, edge.length) != ("arrow", length):
        yield f"no arrow of {length} from {box} to {to}"


def reach_open_sea(wanted: dict[str, Any]) -> Complaints:
    if open_sea_hexsides(wanted["from"], wanted["to"], along_coasts=False) != wanted["sides"]:
        yield f"not {wanted['sides']} hexsides"


def route_min(wanted: dict[str, Any]) -> Complaints:
    on_board = open_sea_hexsides(wanted["from"], wanted["to"], along_coasts=True)
    if on_board is None or on_board + sum(wanted["plus"]) < wanted["min"]:
        yield f"only {on_board} and {wanted['plus']}"


def kilometres_a_column(bounds: list[int]) -> Complaints:
    """From hex to hex of a row, by and large: the drawing is bent to put every named place into its hex."""
    pairs = [(one, HEXES.get(LAYOUT.neighbours(one.id)[1])) for one in HEXES.values()]
    width = median(kilometres(one.lat, one.lon, other.lat, other.lon) for one, other in pairs if other)
    if not bounds[0] <= width <= bounds[1]:
        yield f"a column is {width:.0f} km wide"


ABOUT_HEXES = [exists, country, named, land, coast, prod, prod_min, no_prod, capital, port, lendlease, sea]
ABOUT_WAYS = [adjacent, open_sea, gateway, canal]
ABOUT_COUNTRIES = [
    country_prod,
    min_country_prod,
    country_is_exactly,
    has_capital,
    no_capital,
    colour,
    home_forces,
    no_sea,
]
ABOUT_THE_REST = [friendly, box_prod, box_prod_later]
ONE_BY_ONE: list[Any] = [*ABOUT_HEXES, *ABOUT_WAYS, *ABOUT_COUNTRIES, *ABOUT_THE_REST]
AT_ONCE: list[Any] = [every_box_produces, arrow, reach_open_sea, route_min, kilometres_a_column]
CHECKS: dict[str, Callable[[Any], Iterable[str]]] = {
    **{check.__name__: each(check) for check in ONE_BY_ONE},
    **{check.__name__: check for check in AT_ONCE},
    "seas": each(is_a_sea),
    "western_libya": each(in_western_libya),
}

#: For each check something that is not so. A check that accepts it proves nothing.
FALSEHOODS: dict[str, Any] = {
    "exists": ["B13"],
    "country": {"Q13": "Poland"},
    "named": {"P10": "Bonn"},
    "land": ["E14"],
    "coast": ["P10"],
    "adjacent": [["A18", "B18"], ["A18", "B16"]],
    "open_sea": [["P10", "P11"]],
    "prod": {"Q15": 2},
    "prod_min": {"O10": 5},
    "no_prod": ["N15"],
    "capital": ["Q16"],
    "port": ["P10"],
    "lendlease": ["T15"],
    "sea": {"Q13": "Atlantic"},
    "gateway": {"R9": ["Atlantic", "Baltic"]},
    "canal": {"D15": ["Mediterranean", "Red Sea-Persian Gulf"]},
    "friendly": {"barbarossa axis": ["Q14"]},
    "western_libya": ["D13"],
    "country_prod": {"Italy": 6},
    "min_country_prod": {"Portugal": 1},
    "country_is_exactly": {"Baltic States": ["S14"]},
    "has_capital": ["Italy"],
    "no_capital": ["Germany"],
    "colour": {"Spain": "gray"},
    "home_forces": {"Spain": 2},
    "no_sea": {"Germany": "Baltic"},
    "box_prod": {"US": 22},
    "box_prod_later": {"SIBERIA": 8},
    "seas": ["Aral Sea"],
    "every_box_produces": [2, 16],
    "arrow": ["BRAFRICA", "INDIA", 64],
    "reach_open_sea": {"from": "S10", "to": "S7", "sides": 2},
    "route_min": {"from": "Q10", "to": "F2", "plus": [35], "min": 101},
    "kilometres_a_column": [310, 330],
}


@pytest.mark.parametrize("fact", EVERY_FACT.values(), ids=EVERY_FACT)
def test_the_board_agrees_with_the_rules(fact: dict[str, Any]) -> None:
    complaints = [text for key, wanted in fact["check"].items() for text in CHECKS[key](wanted)]
    assert not complaints, f"{fact['says']} {complaints}"


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_can_fail(check: str) -> None:
    assert list(CHECKS[check](FALSEHOODS[check]))


def test_the_facts_are_all_there() -> None:
    assert {section: len(facts) for section, facts in FACTS.items()} == {
        "geometry": 9,
        "places": 29,
        "setup": 20,
        "production": 15,
        "sea_distances": 4,
        "western_edge": 7,
    }
    assert len(EVERY_FACT) == 84
    assert all(fact["says"] and fact["trust"] in ("stated", "implied", "residue") for fact in EVERY_FACT.values())
