"""What happened, taken from the events a side was told: ways of armies and fleets, battles, losses and captures."""

from collections.abc import Iterable

import msgspec

from engine.events import Event
from engine.hitlers_war import events as happened
from engine.hitlers_war.europe import europe
from engine.hitlers_war.sea.chart import OPEN_SEA
from engine.hitlers_war.view import View
from pbem.draw.passages import Passages


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


#: How an army went, by the event that tells it.
MANNERS = {
    happened.ArmyRearranged: "moved",
    happened.ArmyAdvanced: "advanced",
    happened.ArmyRetreated: "retreated",
}


def happenings(view: View, told: Iterable[Event]) -> Happenings:
    """Sorted for drawing. An event that names a place out of sight or off the map draws nothing there."""
    found, events = Happenings(), list(told)
    for event in events:
        match event:
            case happened.ArmyRearranged() | happened.ArmyAdvanced() | happened.ArmyRetreated():
                _add_way(found, Way(event.side, event.origin, event.place, MANNERS[type(event)]), view)
            case happened.Fired():
                _add(found.battles, event.place if event.defensive else event.target)
            case happened.PointsLost() | happened.ArmyEliminated() | happened.FortPointsLost():
                _add_losses(found, event)
            case happened.FortLost() if event.cause in ("losses", "captured", "isolated"):
                _add_losses(found, event)
            case happened.PlaceCaptured() if event.place in europe():
                found.captured[event.place] = event.side
            case _:
                _add_at_sea(found, event, view, events)
    return found


def _add_way(found: Happenings, way: Way, view: View) -> None:
    """Over the sea if the view knows no way by land."""
    if way.origin == way.place or not {way.origin, way.place} <= set(europe().places):
        return
    route = Passages(view, way.side).by_sea(way.origin, way.place) if way.manner == "moved" else ()
    if route:
        _add_sailing(found, Sailing(way.side, route, "sailed"))
    elif way not in found.ways:
        found.ways.append(way)


def _add(places: list[str], place: str) -> None:
    if place in europe() and place not in places:
        places.append(place)


def _add_losses(
    found: Happenings,
    event: happened.PointsLost | happened.ArmyEliminated | happened.FortPointsLost | happened.FortLost,
) -> None:
    if event.place not in europe():
        return
    losses = found.losses.setdefault((event.place, event.side), Losses(event.side, event.place))
    losses.count += event.count
    losses.eliminated = losses.eliminated or isinstance(event, happened.ArmyEliminated | happened.FortLost)


# ------------------------------------------------------------------ the sea


def _add_at_sea(found: Happenings, event: Event, view: View, told: list[Event]) -> None:
    match event:
        case happened.PointsShipped():
            route = Passages(view, event.side).by_sea(event.origin, event.place, event.seas)
            _add_sailing(found, Sailing(event.side, route or (event.origin, event.place), "sailed"))
        case happened.InvasionAnnounced():
            manner = "landed" if came_ashore(event, told) else "turned back"
            _add_sailing(found, Sailing(event.side, event.route or _from_the_sea(event.target), manner))
            _add(found.battles, event.target)
        case happened.NavalFired() if event.hexside not in found.salvoes:
            found.salvoes.append(event.hexside)
        case happened.SupportFired():
            _add(found.bombarded, event.target)
        case _:
            pass


def _add_sailing(found: Happenings, sailing: Sailing) -> None:
    """One way for all that goes between two places in the same manner."""
    ends = (sailing.places[:1], sailing.places[-1:], sailing.manner)
    if len(sailing.places) > 1 and ends not in [(s.places[:1], s.places[-1:], s.manner) for s in found.sailings]:
        found.sailings.append(sailing)


def came_ashore(landing: happened.InvasionAnnounced, told: list[Event]) -> bool:
    return any(
        isinstance(event, happened.ArmyLanded) and (event.army, event.place) == (landing.army, landing.target)
        for event in told
    )


def _from_the_sea(target: str) -> tuple[str, ...]:
    """Where nobody saw the fleet leave: from the water before the coast, whichever it really came over."""
    for lane in europe().chart.lanes.get(target, ()):
        if lane.kind in OPEN_SEA and not europe()[lane.to].is_box and not europe()[lane.to].has_land:
            return lane.to, target
    return ()
