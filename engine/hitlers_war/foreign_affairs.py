"""The table of politics: how every country stands and what is known to come. All of it is public."""

from collections.abc import Iterator

from engine.hitlers_war.board import SOVIET_UNION
from engine.hitlers_war.mobilization import is_capped
from engine.hitlers_war.nations import (
    ITALY,
    POLAND,
    UNITED_STATES,
    has_politics,
    nation_at,
)
from engine.hitlers_war.state import NEUTRAL, SIDE_NAMES, UNALIGNED
from engine.hitlers_war.view import CountryView
from engine.hitlers_war.war import War


def politics_table(war: War) -> Iterator[CountryView]:
    """Nations that were unaligned or closed when the war began, and those that have surrendered."""
    if war.scenario.level == 1:
        return
    for nation in _nations(war):
        status = _status(war, nation)
        yield CountryView(nation, status, _note(war, nation), _prospect(war, nation, status))


def _nations(war: War) -> list[str]:
    owners = war.scenario.owners(war.board)
    open_to_politics = {nation_at(war.board, place) for place, owner in owners.items() if owner in (UNALIGNED, NEUTRAL)}
    return sorted(open_to_politics | war.state.countries.keys() | ({SOVIET_UNION} if is_capped(war) else set()))


def _status(war: War, nation: str) -> str:
    fate = war.state.countries.get(nation)
    if fate is not None and fate.surrendered:
        return "surrendered"
    if fate is not None and fate.side:
        return fate.side
    owners = {ground.owner for place, ground in war.state.ground.items() if nation_at(war.board, place) == nation}
    if UNALIGNED in owners:
        return UNALIGNED
    return NEUTRAL if NEUTRAL in owners else sorted(owners)[0]


def _note(war: War, nation: str) -> str:
    fate = war.state.countries.get(nation)
    if fate is None:
        return ""
    if fate.surrendered:
        return f"to {SIDE_NAMES[fate.captor]}, {_date(war, fate.surrendered)}"
    if fate.side:
        return f"joined {SIDE_NAMES[fate.side]} in {_date(war, fate.joined)}"
    return f"attacked by {' and '.join(SIDE_NAMES[side] for side in fate.attackers)}" if fate.attackers else ""


def _date(war: War, turn: int) -> str:
    season, year = war.tables.season_of(turn)
    return f"{season.title()} {year}"


# ------------------------------------------------------------------ what will happen


def _prospect(war: War, nation: str, status: str) -> str:
    if not has_politics(war):
        return ""
    if nation == SOVIET_UNION:
        return _soviet_prospect(war)
    if status != UNALIGNED:
        return ""
    if nation == POLAND:
        return "stays unaligned until its capital falls"
    entry = war.tables.raw["entry"]
    dates = dict.fromkeys(entry["axis_minors"]["countries"], (entry["axis_minors"]["turn"], "axis"))
    dates |= {country: (entry[country]["turn"], entry[country]["side"]) for country in (ITALY, UNITED_STATES)}
    if nation not in dates or dates[nation][0] < war.state.turn:
        return ""
    turn, side = dates[nation]
    return f"joins {SIDE_NAMES[side]} {_when(war, turn)}"


def _soviet_prospect(war: War) -> str:
    if not is_capped(war):
        return ""
    limits = war.tables.raw["production_limits"]["soviet_mobilization"]
    if war.state.limited_war:
        return f"limited war: fully mobilized {_when(war, limits['limited_war']['lifted_on_turn'])} at the latest"
    return f"fully mobilized {_when(war, limits['lifted_on_turn'])}, or when the Axis attacks it"


def _when(war: War, turn: int) -> str:
    if turn == war.state.turn:
        return "this season"
    return f"next season ({_date(war, turn)})" if turn == war.state.turn + 1 else f"in {_date(war, turn)}"
