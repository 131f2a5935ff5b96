"""The table of politics: how every country stands and what is known to come. All of it is public."""

from functools import lru_cache

from engine.grand_strategy.board import Board
from engine.grand_strategy.politics.nations import nation_at
from engine.grand_strategy.state import NEUTRAL, UNALIGNED
from engine.grand_strategy.view import CountryView
from engine.grand_strategy.war import War
from engine.hitlers_war.europe import ITALY
from engine.hitlers_war.politics.countries import POLAND, SOVIET_UNION, UNITED_STATES
from engine.hitlers_war.politics.mobilization import is_capped
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import AXIS, SIDE_NAMES, SOVIET


def politics_table(war: War) -> list[CountryView]:
    """Nations that were unaligned or closed when the war began, and those that something has happened to."""
    return [_row(war, nation) for nation in _nations(war)]


def countries_outside(war: War) -> list[CountryView]:
    """Without politics, but it is good to know which countries are closed."""
    countries = sorted({war.place(place).country for place in _places_outside(war.scenario.id, war.board)})
    return [CountryView(country, _status(war, country), _note(war, country)) for country in countries]


def _row(war: War, nation: str) -> CountryView:
    status = _status(war, nation)
    joins, joins_on = _entry(war, nation) if status == UNALIGNED else ("", 0)
    prospect = f"joins {SIDE_NAMES[joins]} {_when(war, joins_on)}" if joins else _prospect(war, nation, status)
    return CountryView(nation, status, _note(war, nation), prospect, joins, joins_on)


def _nations(war: War) -> list[str]:
    listed = _nations_outside(war.scenario.id, war.board)
    return sorted(listed | war.state.countries.keys() | ({SOVIET_UNION} if is_capped(war) else set()))


@lru_cache(maxsize=4)
def _places_outside(scenario_id: str, board: Board) -> dict[str, str]:
    """The places that no side holds when the war begins, and whether they are unaligned or neutral."""
    owners = load_scenario(scenario_id).owners(board)
    return {place: owner for place, owner in owners.items() if owner in (UNALIGNED, NEUTRAL)}


@lru_cache(maxsize=4)
def _closed_countries(scenario_id: str, board: Board) -> frozenset[str]:
    outside = _places_outside(scenario_id, board)
    return frozenset(board[place].country for place, owner in outside.items() if owner == NEUTRAL)


@lru_cache(maxsize=4)
def _nations_outside(scenario_id: str, board: Board) -> frozenset[str]:
    return frozenset(nation_at(board, place) for place in _places_outside(scenario_id, board))


def _status(war: War, nation: str) -> str:
    """From what everybody has heard; who holds which hex is not told here."""
    fate = war.state.countries.get(nation)
    if fate is not None and fate.surrendered:
        return "surrendered"
    if fate is not None and fate.side:
        return fate.side
    if nation == SOVIET_UNION:
        return SOVIET
    if fate is not None and fate.conquered:
        return "conquered"
    return NEUTRAL if nation in _closed_countries(war.scenario.id, war.board) else UNALIGNED


def _note(war: War, nation: str) -> str:
    fate = war.state.countries.get(nation)
    if fate is None:
        return ""
    if fate.surrendered:
        return f"to {SIDE_NAMES[fate.captor]}, {war.tables.date_of(fate.surrendered)}"
    if fate.conquered:
        return f"by {SIDE_NAMES[fate.captor]}, {war.tables.date_of(fate.conquered)}"
    if fate.side:
        return f"joined {SIDE_NAMES[fate.side]} in {war.tables.date_of(fate.joined)}"
    return f"attacked by {' and '.join(SIDE_NAMES[side] for side in fate.attackers)}" if fate.attackers else ""


# ------------------------------------------------------------------ what will happen


def _entry(war: War, nation: str) -> tuple[str, int]:
    """The side an unaligned nation joins of its own accord, and on which turn; no side if it does not (HW-20)."""
    entry, minors = war.tables.raw["entry"], war.tables.raw["entry"]["axis_minors"]
    side, turn = "", 0
    if nation in minors["countries"]:
        side, turn = AXIS, minors["turn"]
    elif nation in (ITALY, UNITED_STATES):
        side, turn = entry[nation]["side"], entry[nation]["turn"]
    return (side, turn) if turn >= war.state.turn else ("", 0)


def _prospect(war: War, nation: str, status: str) -> str:
    if nation == SOVIET_UNION:
        return _soviet_prospect(war)
    return "stays unaligned until its capital falls" if nation == POLAND and status == UNALIGNED else ""


def _soviet_prospect(war: War) -> str:
    if not is_capped(war):
        return ""
    limits = war.tables.raw["production_limits"]["soviet_mobilization"]
    if war.state.limited_war:
        hexes = limits["limited_war"]["or_axis_hexes_in_the_soviet_union"]
        when = _when(war, limits["limited_war"]["lifted_on_turn"])
        return f"limited war: fully mobilized {when}, or when {hexes} of its hexes are Axis"
    return f"fully mobilized {_when(war, limits['lifted_on_turn'])}, or when the Axis attacks it or the Baltic States"


def _when(war: War, turn: int) -> str:
    if turn == war.state.turn:
        return "this season"
    return (
        f"next season ({war.tables.date_of(turn)})" if turn == war.state.turn + 1 else f"in {war.tables.date_of(turn)}"
    )
