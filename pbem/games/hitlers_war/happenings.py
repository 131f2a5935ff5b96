"""What happened, as it is marked on a map: ways of armies and fleets, battles, losses and captures.

`telling.py` says which of these an event leaves there. What names a place out of sight or off the map leaves nothing.
"""

from collections.abc import Iterable

import msgspec

from engine.events import Event
from engine.grand_strategy import events as happened
from engine.grand_strategy.sea.chart import OPEN_SEA
from engine.grand_strategy.sea.courses import Courses
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from pbem.draw.scene import Losses, Mark, Voyage, Way


class Happenings(msgspec.Struct):
    """What is to be marked. `lost` is by place and side: how many points, and whether an army or a fort is gone."""

    ways: list[Way] = []
    voyages: list[Voyage] = []
    marks: list[Mark] = []
    lost: dict[tuple[str, str], tuple[int, bool]] = {}
    captured: dict[str, str] = {}

    def __bool__(self) -> bool:
        return any(getattr(self, field) for field in self.__struct_fields__)

    @property
    def losses(self) -> tuple[Losses, ...]:
        """Points that went with an enemy counter are not always known."""
        return tuple(
            Losses(place, side, " ".join((*([f"−{count}"] if count else []), *(["✕"] if gone else []))))
            for (place, side), (count, gone) in self.lost.items()
        )

    def add_way(self, way: Way, view: View) -> None:
        """Over the sea if the view knows no way by land."""
        if way.origin == way.place or not {way.origin, way.place} <= set(europe().places):
            return
        route = courses_of(view, way.side).by_sea(way.origin, way.place) if way.manner == "moved" else ()
        if route:
            self.add_voyage(Voyage(way.side, route, "sailed"))
        elif way not in self.ways:
            self.ways.append(way)

    def add_voyage(self, voyage: Voyage) -> None:
        """One way for all that goes between two places in the same manner."""
        drawn = [(each.places[0], each.places[-1], each.manner) for each in self.voyages]
        if len(voyage.places) > 1 and (voyage.places[0], voyage.places[-1], voyage.manner) not in drawn:
            self.voyages.append(voyage)

    def add_mark(self, mark: Mark) -> None:
        if mark.place in europe() and mark not in self.marks:
            self.marks.append(mark)

    def add_capture(self, place: str, side: str) -> None:
        if place in europe():
            self.captured[place] = side

    def add_losses(self, place: str, side: str, count: int, *, gone: bool) -> None:
        if place in europe():
            before, already = self.lost.get((place, side), (0, False))
            self.lost[place, side] = before + count, already or gone


def course_of(view: View, event: happened.PointsShipped) -> tuple[str, ...]:
    """Place by place, as far as the view knows a way over these seas."""
    route = courses_of(view, event.side).by_sea(event.origin, event.place, event.seas)
    return route or (event.origin, event.place)


def courses_of(view: View, side: str) -> Courses:
    friendly = [place for place, known in view.places.items() if known.owner == side]
    return Courses(europe(), friendly, view.sea_transport.get(side, ()))


def came_ashore(landing: happened.InvasionAnnounced, told: Iterable[Event]) -> bool:
    return any(
        isinstance(event, happened.ArmyLanded) and (event.army, event.place) == (landing.army, landing.target)
        for event in told
    )


def from_the_sea(target: str) -> tuple[str, ...]:
    """Where nobody saw the fleet leave: from the water before the coast, whichever it really came over."""
    for lane in europe().chart.lanes.get(target, ()):
        if lane.kind in OPEN_SEA and not europe()[lane.to].is_box and not europe()[lane.to].has_land:
            return lane.to, target
    return ()
