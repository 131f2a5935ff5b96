"""What armies, places and seasons of Hitler's War are called in a report."""

import re
from functools import lru_cache

from engine.game import Fog
from engine.grand_strategy.tables import ArmyName
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.tables import tables

#: What a player is told of the fog of his war.
SIGHT: dict[Fog, str] = {
    "open": ("open: nothing is hidden, and all record sheets are open."),
    "veiled": (
        "veiled: you see where everybody stands and who holds what, but not how strong the others are, what "
        "they build or what they have to spend, except what you met in battle."
    ),
    "fog": (
        "fog: you see what the others have only next to a hex or an army of yours, or where it fights you, "
        "and then only about how strong it is. Land out of sight is shown as you last knew it."
    ),
}

#: As they are written on maps and record sheets.
SIDES = {"axis": "Axis", "soviet": "Soviet Union", "allies": "Allies"}

_HEX = re.compile(r"\b[A-X]\d{1,2}\b")


@lru_cache(maxsize=1)
def _counters() -> dict[str, tuple[str, ArmyName]]:
    """Every army counter with its side. Ids are unique across the sides."""
    return {id_: (side, name) for side, names in tables().army_names.items() for id_, name in names.items()}


def army_name(army: str) -> str:
    """The printed name in its short reading: 'Moscow Military District / Front' is the Moscow Front."""
    if army not in _counters():
        return army
    printed = _counters()[army][1].name
    return printed.replace(" Military District / Front", " Front").split(" / ")[0]


def army_abbreviation(army: str) -> str:
    """What its owner writes in orders."""
    return _counters()[army][1].abbr[0] if army in _counters() else army


@lru_cache(maxsize=1)
def _ids() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(_counters(), key=len, reverse=True))})(?![\w-])")


def as_in_orders(text: str) -> str:
    """A remark of the referee with armies called as on the record sheet: 'Leningrad', not 'LENIN'."""
    return _ids().sub(lambda found: army_abbreviation(found[0]), text)


def side_of(army: str) -> str:
    return _counters()[army][0] if army in _counters() else ""


def counters_of(side: str) -> tuple[str, ...]:
    return tuple(tables().army_names.get(side, {}))


def free_counters(view: View, side: str) -> list[str]:
    """Where a sheet is open, the counters that are not on the map are free, but for those that wait (HW-22.1)."""
    if side not in view.production:
        return []
    off_the_map = [army for army in counters_of(side) if army not in view.armies]
    free = [army for army in off_the_map if not load_scenario(view.scenario).waits(army, view.countries)]
    return list(map(army_abbreviation, free))


def in_card_order(army: str) -> int:
    """Armies as the record cards list them, whatever order they came in."""
    counters = list(_counters())
    return counters.index(army) if army in counters else len(counters)


def place_name(place: str) -> str:
    """'Q16 Smolensk' for a hex with a city, 'Siberia' for a box."""
    board = europe()
    if place not in board:
        return place
    known = board[place]
    return known.name if known.is_box else f"{place} {known.name}".rstrip()


def season_name(turn: int) -> str:
    season, year = tables().season_of(turn)
    return f"{season.capitalize()} {year}"


def turn_number(view: View) -> tuple[int, int]:
    """Which turn of the war this is, and how many it has: the calendar begins before most wars do."""
    first = load_scenario(view.scenario).first_turn
    return view.turn - first + 1, view.last_turn - first + 1


def side_shown(view: View) -> str:
    """Whose record sheet comes first: the reader's own, or that of the first side if he has none."""
    return view.side if view.side in view.sides else view.sides[0]


def side_title(side: str) -> str:
    return SIDES.get(side, side.title())


def in_map_order(place: str) -> tuple[int, int, str]:
    return europe().rank.get(place, (100, 0, place))


def with_names(text: str) -> str:
    """A remark of the referee with names for ids: in full for the army it begins with and for hexes it does not name
    itself, as in orders for other armies."""
    first, blank, rest = text.partition(" ")
    rest = as_in_orders(rest)
    return army_name(first) + blank + _HEX.sub(lambda found: _named_once(found[0], rest), rest)


def _named_once(place: str, text: str) -> str:
    named = place in europe() and europe()[place].name in text
    return place if named else place_name(place)


class Introductions:
    """Names an army in full with its abbreviation the first time, and plainly from then on."""

    def __init__(self) -> None:
        self._met: set[str] = set()

    def __call__(self, army: str) -> str:
        name = army_name(army)
        if army in self._met:
            return name
        self._met.add(army)
        short = army_abbreviation(army)
        return name if short == name else f"{name} ({short})"
