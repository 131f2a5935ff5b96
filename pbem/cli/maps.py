"""`pbem map`: the board in words. A summary, single hexes and boxes, and the way by land between two."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, NoReturn

import msgspec
import typer
from rapidfuzz import fuzz, process
from rich.console import Console
from rich.table import Table

from engine.game import ThereIsNoSuchScenario
from engine.grid import DIRECTIONS, hex_neighbours, route, search
from engine.hitlers_war.board import Board, Place
from engine.hitlers_war.europe import Atlas, Gateway, atlas, crossing_name, europe
from engine.hitlers_war.scenario import ScenarioData, load_scenario, scenario_ids
from engine.hitlers_war.tables import tables

map_app = typer.Typer(help="Look at the board: hexes, boxes, crossings, and ways by land.")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Facts = dict[str, Any]

KINDS = {"land": "inland", "coast": "coast", "sea": "open sea", "box": "off-map box"}
HEXSIDES = {
    "land": "land",
    "coast": "part land, part sea",
    "sea": "open sea",
    "touch": "touches",
    "arrow": "arrow",
}
SIDES = {"axis": "Axis", "soviet": "Soviet", "allies": "Allies"}


class NoSuchPlace(LookupError):
    """What was typed is no hex, box or city; the message says what may have been meant."""


# ------------------------------------------------------------------ commands


@map_app.callback(invoke_without_command=True)
def overview(context: typer.Context, as_json: AsJson = False) -> None:
    """Look at the board: hexes, boxes, crossings, ways by land. Without a command: a summary of it all."""
    if context.invoked_subcommand is not None:
        return
    facts = board_facts()
    if as_json:
        _print_json(facts)
    else:
        _print_board(facts)


@map_app.command("hex")
def show_places(
    places: Annotated[list[str], typer.Argument(help="Hexes, boxes or cities: Q16 SIBERIA Smolensk.")],
    as_json: AsJson = False,
) -> None:
    """Everything the map says about hexes or boxes, and who holds them at the start of each scenario."""
    facts = [place_facts(_place_or_exit(place)) for place in places]
    if as_json:
        _print_json(facts)
    else:
        for one in facts:
            _print_place(one)


@map_app.command("route")
def show_route(
    start: Annotated[str, typer.Argument(metavar="FROM", help="Hex, box or city to start from.")],
    goal: Annotated[str, typer.Argument(metavar="TO", help="Hex, box or city to reach.")],
    side: Annotated[str, typer.Option(help="Whose hexes to go through: axis, soviet or allies.")],
    scenario: Annotated[str, typer.Option(help="The scenario whose start to look at.")] = "barbarossa",
    as_json: AsJson = False,
) -> None:
    """The shortest way by land through a side's friendly hexes at the start of a scenario (HW-6.2)."""
    played = _scenario_or_exit(scenario)
    if side.lower() not in played.sides:
        _refuse(f"There is no side {side!r} in {played.title}; there are: {', '.join(played.sides)}.")
    facts = route_facts(_place_or_exit(start), _place_or_exit(goal), side.lower(), played)
    if as_json:
        _print_json(facts)
    else:
        _print_route(facts, played)
    if not facts["route"]:
        raise typer.Exit(1)


def _refuse(complaint: str) -> NoReturn:
    typer.echo(complaint, err=True)
    raise typer.Exit(2)


def _place_or_exit(text: str) -> str:
    try:
        return find_place(text)
    except NoSuchPlace as error:
        _refuse(str(error))


def _scenario_or_exit(scenario: str) -> ScenarioData:
    try:
        return load_scenario(scenario.lower())
    except ThereIsNoSuchScenario as error:
        _refuse(str(error))


# ------------------------------------------------------------------ what was meant


class Named(NamedTuple):
    label: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.label} ({self.places[0]})" if len(self.places) == 1 else self.label


def find_place(text: str) -> str:
    """The hex or box that was meant: by its id, or by the name of a city, box, gateway or one-hex country."""
    board, written = europe(), text.strip().upper()
    if written in board:
        return written
    if (named := _names().get(_plain(text))) is None:
        raise NoSuchPlace(_slip(board, written) or _nearest_names(text))
    if len(named.places) > 1:
        some = " ".join(named.places[:12]) + (" ..." if len(named.places) > 12 else "")
        raise NoSuchPlace(f"{named.label} has {len(named.places)} hexes, name one: {some}")
    return named.places[0]


def _plain(name: str) -> str:
    """A name as people type it: without accents, capitals, blanks and points."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().replace("ł", "l"))
    return "".join(letter for letter in decomposed if letter.isalnum())


@lru_cache(maxsize=1)
def _names() -> dict[str, Named]:
    """Every name and what it stands for. A city comes before the gateway or country of the same name."""
    return {_plain(named.label): named for named in (*_country_names(), *_gateway_names(), *_city_names())}


def _country_names() -> Iterator[Named]:
    board = europe()
    for country in atlas().countries:
        yield Named(country, tuple(place for place in board.of_country(country) if not board[place].is_box))


def _gateway_names() -> Iterator[Named]:
    for place, gateway in (*atlas().canals.items(), *atlas().gateways.items()):
        yield Named(gateway.name, (place,))


def _city_names() -> Iterator[Named]:
    for place in europe().places.values():
        if place.name:
            yield Named(place.name, (place.id,))


def _slip(board: Board, written: str) -> str:
    """A hex id with letter and digit mixed up, or beyond the edge of the board. Empty if it is neither."""
    for digit, letter in (("0", "O"), ("1", "I")):
        meant = letter + written[1:]
        if written.startswith(digit) and meant in board:
            return f"{written}: letter {letter} and digit {digit} are different: did you mean {meant}?"
    meant = written[:1] + written[1:].replace("O", "0").lstrip("0")
    if meant in board:
        return f"{written} is no hex; did you mean {meant}?"
    return _beyond_the_edge(board, written) if re.fullmatch(r"[A-Z]\d+", written) else ""


def _beyond_the_edge(board: Board, written: str) -> str:
    row = [place.id for place in board.places.values() if not place.is_box and place.id[0] == written[0]]
    if not row:
        return f"{written} is not on the board: its rows are A in the south to X in the north."
    return f"{written} is not on the board: row {written[0]} goes from {row[0]} (west) to {row[-1]} (east)."


def _nearest_names(text: str) -> str:
    close = process.extract(_plain(text), list(_names()), scorer=fuzz.ratio, limit=3, score_cutoff=60)
    guesses = [_names()[name] for name, _, _ in close]
    if not guesses:
        return f"There is no place called {text}. Hexes are a letter and a number, such as Q16."
    return f"There is no place called {text}: did you mean {' or '.join(map(str, guesses))}?"


# ------------------------------------------------------------------ facts, as plain values


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
        for direction, neighbour in zip(DIRECTIONS, hex_neighbours(place.id), strict=True):
            yield _side(board, place.id, direction, neighbour)
    for edge in board.grid.edges(place.id):
        if edge.kind in ("touch", "arrow"):
            yield _side(board, place.id, "", edge.to)


def _side(board: Board, id_: str, direction: str, to: str) -> Facts:
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
    return f"{_label(board[place])} is not friendly to the {_side_word(side)} at the start: it is {holder}."


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
        f"{_label(board[start])} is in a piece of {here}, {_label(board[goal])} in one of {there}."
    )


def _hexes(count: int) -> str:
    return f"{count} hex" if count == 1 else f"{count} hexes"


def _side_word(side: str) -> str:
    return {"soviet": "Soviet side"}.get(side, SIDES[side])


def _label(place: Place) -> str:
    return place.name if place.is_box else f"{place.id} {place.name}".strip()


# ------------------------------------------------------------------ on the screen


def _print_json(facts: Any) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(facts), indent=2).decode())


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right" if heading == "points" else "left")
    return table


def _show(*shown: Table | str) -> None:
    console = Console(highlight=False)
    for one in shown:
        console.print(one)


def _print_board(facts: Facts) -> None:
    kinds = ", ".join(f"{count} {kind}" for kind, count in facts["kinds"].items())
    boxes = len(facts["boxes"])
    _show(f"[bold]Europe[/bold]: {facts['hexes']} hexes ({kinds}) and {boxes} off-map boxes", "")
    _show(_country_columns(header=True))
    for colour, meaning in atlas().colours.items():
        if group := [country for country in facts["countries"] if country["colour"] == colour]:
            _show(f"[italic]{colour}: {meaning}[/italic]", _countries_table(group))
    _show("", _boxes_table(facts["boxes"]), "", _straits_table(facts))


def _country_columns(*, header: bool) -> Table:
    """Columns of fixed width, so that the groups of countries stand under one heading."""
    table = Table(box=None, pad_edge=False, show_header=header)
    for heading, width in (("country", 16), ("hexes", 5), ("points", 6), ("capital", 41), ("home", 4)):
        table.add_column(heading, width=width, justify="right" if width < 10 else "left")
    return table


def _countries_table(countries: list[Facts]) -> Table:
    table = _country_columns(header=False)
    for country in countries:
        table.add_row(
            "  " + country["name"],
            str(country["hexes"]),
            str(country["production"] or ""),
            ", ".join(_label(europe()[capital]) for capital in country["capitals"]),
            str(country["home_forces"] or ""),
        )
    return table


def _boxes_table(boxes: list[Facts]) -> Table:
    table = _table("box", "name", "points", "leads to (open-sea hexsides)")
    for box in boxes:
        arrows = ", ".join(f"{arrow['to']} ({arrow['length']})" for arrow in box["arrows"])
        touches = f"touches {box['touches'][0]} to {box['touches'][-1]}" if box["touches"] else ""
        table.add_row(box["id"], box["name"], _box_points(box), arrows or touches)
    return table


def _box_points(facts: Facts) -> str:
    later = facts["production_later"]
    return f"{facts['production']}, later {later}" if later else str(facts["production"])


def _straits_table(facts: Facts) -> Table:
    table = _table("where", "name", "what")
    for crossing in facts["crossings"]:
        table.add_row("-".join(crossing["between"]), crossing["name"], "crossing: armies may pass")
    for gateway in facts["gateways"]:
        table.add_row(gateway["place"], gateway["name"], f"gateway: {' / '.join(gateway['joins'])}")
    for canal in facts["canals"]:
        what = f"canal: {' / '.join(canal['joins'])}, friendly ships only"
        table.add_row(canal["place"], canal["name"], what)
    return table


def _print_place(facts: Facts) -> None:
    grid = Table.grid(padding=(0, 2))
    for what, value in _lines(facts):
        grid.add_row(what, value)
    _show(f"[bold]{facts['id']}[/bold] {facts['name']}".rstrip(), grid, "", _sides_table(facts["sides"]))
    if any(facts["at_start"].values()):
        _show("", _starts_table(facts))
    _show("")


def _lines(facts: Facts) -> Iterator[tuple[str, str]]:
    trust = {what: f" ({how})" for what, how in facts["trust"].items()}
    terrain = "" if facts["terrain"] in ("sea", "clear") else f", {facts['terrain']}"
    yield "kind", facts["kind"] + terrain
    if facts["country"]:
        yield "country", f"{facts['country']}{trust.get('country', '')}, {facts['colour']}: {facts['group']}"
    if facts["production"]:
        yield "production", _box_points(facts) + trust.get("production", "")
    if facts["capital"]:
        yield "capital", "yes" + trust.get("capital", "")
    if facts["port"]:
        note = f"; {facts['port_note']}" if facts["port_note"] else ""
        yield "port", "yes" + trust.get("port", "") + note
    if facts["lendlease"]:
        yield "lend-lease", f"depot, {facts['lendlease']} points a turn"
    if facts["seas"]:
        yield "seas", ", ".join(facts["seas"])
    if facts["gateway"]:
        yield "gateway", " / ".join(facts["gateway"])
    if facts["canal"]:
        yield "canal", " / ".join(facts["canal"]) + ", friendly ships only"


def _sides_table(sides: list[Facts]) -> Table:
    table = _table("side", "to", "name", "hexside")
    for side in sides:
        table.add_row(side["direction"], side["to"] or "", side["name"], _hexside(side))
    return table


def _hexside(side: Facts) -> str:
    if side["to"] is None:
        return str(side["kind"])
    if "crossing" in side:
        return f"crossing, {side['crossing']} ({side['water']})"
    length = f" of {side['length']} hexsides" if "length" in side else ""
    water = f" ({side['water']})" if side["water"] else ""
    return HEXSIDES[side["kind"]] + length + water


def _starts_table(facts: Facts) -> Table:
    table = _table("scenario", "at the start", "holds")
    for scenario, start in facts["at_start"].items():
        holder = SIDES.get(start["holder"], start["holder"])
        table.add_row(load_scenario(scenario).title, holder, _holds(facts, start))
    return table


def _holds(facts: Facts, start: Facts) -> str:
    names = {id_: army.name for counters in tables().army_names.values() for id_, army in counters.items()}
    parts = [names[army] for army in start["armies"]]
    if start["fort"]:
        parts.append(f"fort {start['fort']}")
    if start["devastated"]:
        parts.append(f"{start['devastated']} of {facts['production']} points devastated")
    return ", ".join(parts)


def _print_route(facts: Facts, scenario: ScenarioData) -> None:
    board = europe()
    start, goal = _label(board[facts["from"]]), _label(board[facts["to"]])
    where = f"{start} to {goal}, {SIDES[facts['side']]}, {scenario.title}"
    if not facts["route"]:
        _show(f"[bold]No way by land[/bold]: {where}", facts["why_not"])
        return
    table = _table("", "hex", "name", "country", "entered over")
    for step, place in enumerate(facts["route"]):
        over = _hexside(_side(board, facts["route"][step - 1], "", place)) if step else ""
        table.add_row(str(step), place, board[place].name, board[place].country, over)
    _show(f"[bold]{where}[/bold]: {facts['steps']} hexsides", table)
