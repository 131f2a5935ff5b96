"""What happened, taken from the events a side was told: ways of armies, battles, losses and captures."""

from collections.abc import Iterable

import msgspec

from engine.events import Event
from engine.hitlers_war import events as happened
from engine.hitlers_war.europe import europe


class Way(msgspec.Struct, frozen=True):
    """An army went from one place to another: moved, advanced or retreated."""

    side: str
    origin: str
    place: str
    manner: str


class Losses(msgspec.Struct):
    """Points a side lost in a place, and whether an army went with them."""

    side: str
    place: str
    count: int = 0
    eliminated: bool = False


class Happenings(msgspec.Struct):
    ways: list[Way] = []
    battles: list[str] = []
    losses: dict[tuple[str, str], Losses] = {}
    captured: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.ways or self.battles or self.losses or self.captured)


#: How an army went, by the event that tells it.
MANNERS = {
    happened.ArmyRearranged: "moved",
    happened.ArmyAdvanced: "advanced",
    happened.ArmyRetreated: "retreated",
}


def happenings(told: Iterable[Event]) -> Happenings:
    """Sorted for drawing. An event that names a place out of sight or off the map draws nothing there."""
    found = Happenings()
    for event in told:
        match event:
            case happened.ArmyRearranged() | happened.ArmyAdvanced() | happened.ArmyRetreated():
                _add_way(found, Way(event.side, event.origin, event.place, MANNERS[type(event)]))
            case happened.Fired():
                _add_battle(found, event.place if event.defensive else event.target)
            case happened.PointsLost() | happened.ArmyEliminated():
                _add_losses(found, event)
            case happened.PlaceCaptured() if event.place in europe():
                found.captured[event.place] = event.side
            case _:
                pass
    return found


def _add_way(found: Happenings, way: Way) -> None:
    if way.origin != way.place and {way.origin, way.place} <= set(europe().places) and way not in found.ways:
        found.ways.append(way)


def _add_battle(found: Happenings, place: str) -> None:
    if place in europe() and place not in found.battles:
        found.battles.append(place)


def _add_losses(found: Happenings, event: happened.PointsLost | happened.ArmyEliminated) -> None:
    if event.place not in europe():
        return
    losses = found.losses.setdefault((event.place, event.side), Losses(event.side, event.place))
    losses.count += event.count
    losses.eliminated = losses.eliminated or isinstance(event, happened.ArmyEliminated)
