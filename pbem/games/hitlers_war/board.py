"""The board of Hitler's War in words: a summary, single hexes and boxes, and the way by land between two."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from engine.game import ThereIsNoSuchScenario
from engine.grand_strategy.scenario import ScenarioData
from engine.hitlers_war.europe import atlas, europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.tables import tables
from pbem.games.hitlers_war.board_facts import (
    HEXSIDES,
    SIDES,
    board_facts,
    hexside_facts,
    label,
    place_facts,
    route_facts,
)
from pbem.games.hitlers_war.gazetteer import find_place
from pbem.games.tools import Facts, NoSuchStart

FIRST_SCENARIO = "barbarossa"


class Europe:
    """The board as the contract of the command line asks it."""

    def overview(self) -> Facts:
        return board_facts()

    def overview_shown(self, facts: Facts) -> Iterator[RenderableType]:
        return _board_shown(facts)

    def find(self, typed: str) -> str:
        return find_place(typed)

    def place(self, place: str) -> Facts:
        return place_facts(place)

    def place_shown(self, facts: Facts) -> Iterator[RenderableType]:
        return _place_shown(facts)

    def route(self, start: str, goal: str, side: str, scenario: str) -> Facts:
        """Through friendly hexes of a side alone (HW-6.2)."""
        played = _scenario(scenario or FIRST_SCENARIO)
        if side.lower() not in played.sides:
            raise NoSuchStart(f"There is no side {side!r} in {played.title}; there are: {', '.join(played.sides)}.")
        return route_facts(find_place(start), find_place(goal), side.lower(), played)

    def route_shown(self, facts: Facts) -> Iterator[RenderableType]:
        return _route_shown(facts, load_scenario(facts["scenario"]))


def _scenario(named: str) -> ScenarioData:
    try:
        return load_scenario(named.lower())
    except ThereIsNoSuchScenario as error:
        raise NoSuchStart(str(error)) from None


# ------------------------------------------------------------------ on the screen


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right" if heading == "points" else "left")
    return table


def _board_shown(facts: Facts) -> Iterator[RenderableType]:
    kinds = ", ".join(f"{count} {kind}" for kind, count in facts["kinds"].items())
    boxes = len(facts["boxes"])
    yield from (f"[bold]Europe[/bold]: {facts['hexes']} hexes ({kinds}) and {boxes} off-map boxes", "")
    yield _country_columns(header=True)
    for colour, meaning in atlas().colours.items():
        if group := [country for country in facts["countries"] if country["colour"] == colour]:
            yield from (f"[italic]{colour}: {meaning}[/italic]", _countries_table(group))
    yield from ("", _boxes_table(facts["boxes"]), "", _straits_table(facts))


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
            ", ".join(label(europe()[capital]) for capital in country["capitals"]),
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


def _place_shown(facts: Facts) -> Iterator[RenderableType]:
    grid = Table.grid(padding=(0, 2))
    for what, value in _lines(facts):
        grid.add_row(what, value)
    yield from (f"[bold]{facts['id']}[/bold] {facts['name']}".rstrip(), grid, "", _sides_table(facts["sides"]))
    if any(facts["at_start"].values()):
        yield from ("", _starts_table(facts))
    yield ""


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


def _route_shown(facts: Facts, scenario: ScenarioData) -> Iterator[RenderableType]:
    board = europe()
    start, goal = label(board[facts["from"]]), label(board[facts["to"]])
    where = f"{start} to {goal}, {SIDES[facts['side']]}, {scenario.title}"
    if not facts["route"]:
        yield from (f"[bold]No way by land[/bold]: {where}", facts["why_not"])
        return
    table = _table("", "hex", "name", "country", "entered over")
    for step, place in enumerate(facts["route"]):
        over = _hexside(hexside_facts(board, facts["route"][step - 1], "", place)) if step else ""
        table.add_row(str(step), place, board[place].name, board[place].country, over)
    yield from (f"[bold]{where}[/bold]: {facts['steps']} hexsides", table)
