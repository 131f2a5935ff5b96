"""Points, forts and seasons in the fewest letters, for pictures."""

from collections.abc import Iterable

from engine.grand_strategy.drafted import Work
from engine.grand_strategy.state import TYPES
from engine.grand_strategy.units import UNITS
from engine.grand_strategy.view import FortView
from engine.hitlers_war.tables import tables

#: What is known of the points of a fort by its band.
FORT_BANDS = {"unfinished": "+", "light": "1-3", "medium": "4-6", "strong": "7-10", "massed": "11+"}
#: Before points that are repaired, and before production points for an ally.
REPAIR, LEND_LEASE = "⚒", "lend"


def composition(points: dict[str, int]) -> str:
    """'5I 3M'"""
    unit_letters = tables().raw["unit_letters"]
    return " ".join(f"{points[kind]}{unit_letters[kind]}" for kind in TYPES if points.get(kind)) or "0"


def season_short(turn: int) -> str:
    """'Su 41'"""
    name, year = tables().season_of(turn)
    return f"{name[:2].capitalize()} {year % 100:02}"


def fort_points(known: FortView) -> str:
    """'2' finished points, '2+1' with one under construction, else the band or nothing known."""
    if known.strength is None:
        return FORT_BANDS.get(known.band, "?")
    building = f"+{known.building}" if known.building else ""
    return f"{known.strength or ''}{building}" or "0"


def works_by_place(works: Iterable[Work]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for work in works:
        places.setdefault(work.place, []).append(work_in_brief(work))
    return places


def work_in_brief(work: Work) -> str:
    """'+2I', '+max I', '⚒1', '+1F', 'lend 2'"""
    match work.kind:
        case "build" if work.most:
            return f"+max {UNITS[work.most].letter}"
        case "build":
            return "+" + " ".join(f"{count}{UNITS[kind].letter}" for kind, count in work.points.items() if count > 0)
        case "repair":
            return f"{REPAIR}{work.number or ''}"
        case "fort":
            return f"+{work.number}{UNITS['fort'].letter}"
        case "lend-lease":
            return f"{LEND_LEASE} {work.number}"
        case _:  # a gift
            return f"+{composition(work.points)} {work.country}"
