"""What happened, taken from the events a side was told: ways of armies and fleets, battles, losses and captures."""

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.events import Event
from engine.hitlers_war.europe import europe
from engine.hitlers_war.sea.chart import OPEN_SEA
from engine.hitlers_war.sea.courses import Courses
from engine.hitlers_war.view import View
from pbem.games.hitlers_war.telling import came_ashore, telling_of

#: Forts that are given up draw nothing.
SHOT_OR_TAKEN = ("losses", "captured", "isolated")


class Way(msgspec.Struct, frozen=True):
    """An army went from one place to another: moved, advanced or retreated."""

    side: str
    origin: str
    place: str
    manner: str


class Sailing(msgspec.Struct, frozen=True):
    """Points crossed the sea, place by place: they sailed, landed, or turned back before they landed."""

    side: str
    places: tuple[str, ...]
    manner: str


class Losses(msgspec.Struct):
    """Points a side lost in a place, and whether an army or a fort went with them."""

    side: str
    place: str
    count: int = 0
    eliminated: bool = False


class Happenings(msgspec.Struct):
    """`salvoes` are hexsides where ships fired at ships, `bombarded` coasts they fired at."""

    ways: list[Way] = []
    sailings: list[Sailing] = []
    battles: list[str] = []
    salvoes: list[tuple[str, str]] = []
    bombarded: list[str] = []
    losses: dict[tuple[str, str], Losses] = {}
    captured: dict[str, str] = {}

    def __bool__(self) -> bool:
        return any(getattr(self, field) for field in self.__struct_fields__)


def happenings(view: View, told: Iterable[Event]) -> Happenings:
    """Sorted for drawing. An event that names a place out of sight or off the map draws nothing there."""
    found, events = Happenings(), list(told)
    for event in events:
        _mark(found, event, view, events)
    return found


def _mark(found: Happenings, event: Any, view: View, told: list[Event]) -> None:
    """Which event has which mark is settled where it is settled how it is told."""
    match telling_of(event).mark:
        case "moved" | "advanced" | "retreated" as manner:
            _add_way(found, Way(event.side, event.origin, event.place, manner), view)
        case "battle":
            _add(found.battles, event.place if event.defensive else event.target)
        case "losses":
            _add_losses(found, event, eliminated=False)
        case "elimination":
            _add_losses(found, event, eliminated=True)
        case "fort lost" if event.cause in SHOT_OR_TAKEN:
            _add_losses(found, event, eliminated=True)
        case "captured" if event.place in europe():
            found.captured[event.place] = event.side
        case _:
            _mark_at_sea(found, event, view, told)


def _add_way(found: Happenings, way: Way, view: View) -> None:
    """Over the sea if the view knows no way by land."""
    if way.origin == way.place or not {way.origin, way.place} <= set(europe().places):
        return
    route = _courses(view, way.side).by_sea(way.origin, way.place) if way.manner == "moved" else ()
    if route:
        _add_sailing(found, Sailing(way.side, route, "sailed"))
    elif way not in found.ways:
        found.ways.append(way)


def _add(places: list[str], place: str) -> None:
    if place in europe() and place not in places:
        places.append(place)


def _add_losses(found: Happenings, event: Any, *, eliminated: bool) -> None:
    if event.place not in europe():
        return
    losses = found.losses.setdefault((event.place, event.side), Losses(event.side, event.place))
    losses.count += event.count
    losses.eliminated = losses.eliminated or eliminated


# ------------------------------------------------------------------ the sea


def _mark_at_sea(found: Happenings, event: Any, view: View, told: list[Event]) -> None:
    match telling_of(event).mark:
        case "sailed":
            route = _courses(view, event.side).by_sea(event.origin, event.place, event.seas)
            _add_sailing(found, Sailing(event.side, route or (event.origin, event.place), "sailed"))
        case "landing":
            manner = "landed" if came_ashore(event, told) else "turned back"
            _add_sailing(found, Sailing(event.side, event.route or _from_the_sea(event.target), manner))
            _add(found.battles, event.target)
        case "salvo" if event.hexside not in found.salvoes:
            found.salvoes.append(event.hexside)
        case "bombarded":
            _add(found.bombarded, event.target)
        case _:
            pass


def _courses(view: View, side: str) -> Courses:
    friendly = [place for place, known in view.places.items() if known.owner == side]
    return Courses(europe(), friendly, view.sea_transport.get(side, ()))


def _add_sailing(found: Happenings, sailing: Sailing) -> None:
    """One way for all that goes between two places in the same manner."""
    ends = (sailing.places[:1], sailing.places[-1:], sailing.manner)
    if len(sailing.places) > 1 and ends not in [(s.places[:1], s.places[-1:], s.manner) for s in found.sailings]:
        found.sailings.append(sailing)


def _from_the_sea(target: str) -> tuple[str, ...]:
    """Where nobody saw the fleet leave: from the water before the coast, whichever it really came over."""
    for lane in europe().chart.lanes.get(target, ()):
        if lane.kind in OPEN_SEA and not europe()[lane.to].is_box and not europe()[lane.to].has_land:
            return lane.to, target
    return ()
