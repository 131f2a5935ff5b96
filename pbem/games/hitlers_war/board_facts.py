"""What there is to know about the board, as plain values: of all of it, of a place, of a way by land."""

from collections import Counter
from collections.abc import Iterator

from engine.grand_strategy.board import Board, Place
from engine.grand_strategy.scenario import ScenarioData
from engine.grid import route, search
from engine.hitlers_war.europe import LAYOUT, Atlas, Gateway, atlas, crossing_name, europe
from engine.hitlers_war.scenario import load_scenario, scenario_ids
from pbem.games.tools import Facts

KINDS = {"land": "inland", "coast": "coast", "sea": "open sea", "box": "off-map box"}
HEXSIDES = {
    "land": "land",
    "coast": "part land, part sea",
    "sea": "open sea",
    "touch": "touches",
    "arrow": "arrow",
}
SIDES = {"axis": "Axis", "soviet": "Soviet", "allies": "Allies"}


def board_facts() -> Facts:
    board, map_ = europe(), atlas()
    kinds = Counter(place.kind for place in board.places.values())
    return {
        "hexes": len(map_.hexes),
        "kinds": {KINDS[kind]: kinds[kind] for kind in ("land", "coast", "sea")},
        "countries": [_country_facts(board, map_, country) for country in map_.countries],
        "boxes": [_box_facts(map_, box) for box in map_.boxes],
        "crossings": [{"name": crossing.name, "between": crossing.between} for crossing in map_.crossings],
        "gateways": _gateway_facts(map_.gateways),
        "canals": _gateway_facts(map_.canals),
    }


def _country_facts(board: Board, map_: Atlas, country: str) -> Facts:
    hexes = [place for place in board.of_country(country) if not board[place].is_box]
    return {
        "name": country,
        "colour": map_.countries[country].colour,
        "hexes": len(hexes),
        "production": sum(board[place].production for place in hexes),
        "capitals": map_.countries[country].capitals,
        "home_forces": map_.countries[country].home_forces,
    }


def _gateway_facts(gateways: dict[str, Gateway]) -> list[Facts]:
    return [{"place": place, "name": gate.name, "joins": gate.joins} for place, gate in gateways.items()]


def _box_facts(map_: Atlas, id_: str) -> Facts:
    box = map_.boxes[id_]
    return {
        "id": id_,
        "name": box.name,
        "production": box.production[0],
        "production_later": box.production_later,
        "arrows": [{"to": arrow.to, "length": arrow.length} for arrow in box.arrows],
        "touches": box.touches,
    }


def place_facts(id_: str) -> Facts:
    board, map_ = europe(), atlas()
    place = board[id_]
    return {
        "id": id_,
        "name": place.name,
        "kind": KINDS[place.kind],
        "terrain": place.terrain,
        "country": place.country,
        "colour": place.colour,
        "group": map_.colours.get(place.colour, ""),
        "production": place.production,
        "production_later": map_.boxes[id_].production_later if place.is_box else None,
        "capital": place.capital,
        "port": place.port,
        "port_note": map_.port_notes.get(id_, ""),
        "lendlease": place.lendlease,
        "seas": place.seas,
        "gateway": map_.gateways[id_].joins if id_ in map_.gateways else None,
        "canal": map_.canals[id_].joins if id_ in map_.canals else None,
        "trust": _trust(map_, id_),
        "sides": list(_side_facts(board, place)),
        "at_start": {war: _start_facts(board, place, load_scenario(war)) for war in scenario_ids()},
    }


def _trust(map_: Atlas, id_: str) -> dict[str, str]:
    """How we know the country, production, capital and port of a place."""
    if id_ in map_.boxes:
        return {"production": map_.boxes[id_].production[1]}
    hex_ = map_.hexes[id_]
    produces = hex_.further.production
    known = {
        "country": hex_.country_source,
        "production": produces[1] if produces else None,
        "capital": hex_.further.capital,
        "port": hex_.further.port,
    }
    return {what: how for what, how in known.items() if how}


def _side_facts(board: Board, place: Place) -> Iterator[Facts]:
    """The six hexsides clockwise from the north-east, then what leads off the map."""
    if not place.is_box:
        for direction, neighbour in zip(LAYOUT.directions, LAYOUT.neighbours(place.id), strict=True):
            yield hexside_facts(board, place.id, direction, neighbour)
    for edge in board.grid.edges(place.id):
        if edge.kind in ("touch", "arrow"):
            yield hexside_facts(board, place.id, "", edge.to)


def hexside_facts(board: Board, id_: str, direction: str, to: str) -> Facts:
    edge = board.grid.edge(id_, to)
    if edge is None:
        return {"direction": direction, "to": None, "name": "", "kind": "edge of the board"}
    facts: Facts = {"direction": direction, "to": to, "name": board[to].name}
    facts |= {"kind": edge.kind, "water": edge.water}
    if edge.kind == "crossing":
        facts["crossing"] = crossing_name(id_, to)
    if edge.kind == "arrow":
        facts["length"] = edge.length
    return facts


def _start_facts(board: Board, place: Place, scenario: ScenarioData) -> Facts | None:
    """Who and what is in a place at the start of a scenario; None in the open sea."""
    if not place.has_land:
        return None
    return {
        "holder": scenario.owners(board)[place.id],
        "devastated": scenario.devastated.get(place.id, 0),
        "armies": [army for army, start in scenario.armies.items() if start.place == place.id],
        "fort": sum(fort.strength for fort in scenario.forts if fort.place == place.id),
    }


def route_facts(start: str, goal: str, side: str, scenario: ScenarioData) -> Facts:
    board = europe()
    owners = scenario.owners(board)
    friendly = {place for place, owner in owners.items() if owner == side}
    why = [_why_not_friendly(board, owners, place, side) for place in dict.fromkeys((start, goal))]
    way: list[str] = []
    if not any(why):
        way, apart = _way(board, friendly, start, goal)
        why.append(apart)
    return {
        "from": start,
        "to": goal,
        "side": side,
        "scenario": scenario.id,
        "route": way or None,
        "steps": len(way) - 1 if way else None,
        "why_not": " ".join(filter(None, why)),
    }


def _why_not_friendly(board: Board, owners: dict[str, str], place: str, side: str) -> str:
    if not board[place].has_land:
        return f"{place} is open sea."
    if owners[place] == side:
        return ""
    holder = SIDES.get(owners[place], owners[place])
    return f"{label(board[place])} is not friendly to the {_side_word(side)} at the start: it is {holder}."


def _way(board: Board, friendly: set[str], start: str, goal: str) -> tuple[list[str], str]:
    """The shortest way, or else why there is none."""

    def steps(place: str) -> Iterator[str]:
        return (neighbour for neighbour in board.by_land[place] if neighbour in friendly)

    reached = search([start], steps)
    if way := route(reached, goal):
        return way, ""
    here, there = _hexes(len(reached)), _hexes(len(search([goal], steps)))
    return [], (
        "Both are friendly, but no land, coast or crossing joins them: "
        f"{label(board[start])} is in a piece of {here}, {label(board[goal])} in one of {there}."
    )


def _hexes(count: int) -> str:
    return f"{count} hex" if count == 1 else f"{count} hexes"


def _side_word(side: str) -> str:
    return {"soviet": "Soviet side"}.get(side, SIDES[side])


def label(place: Place) -> str:
    return place.name if place.is_box else f"{place.id} {place.name}".strip()
