"""Kinds of counters that hold strength points, as data: what a rule asks of a counter it asks of its kind.

What a counter can do in combat depends on the points in it (`units.py`). A kind that the game has not had before is an
entry in the `containers` of a Rulebook; what is told and absorbed in a way of its own it names as a function.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from engine.events import Event
from engine.grand_strategy.events import ArmyEliminated, PointsLost
from engine.grand_strategy.tables import Tables

if TYPE_CHECKING:
    from engine.grand_strategy.board import Place
    from engine.grand_strategy.state import Container
    from engine.grand_strategy.war import War

#: Where a counter may stand. A port is a hex or a box as well.
Site = Literal["hex", "box", "port", "sea"]

NO_LIMIT = 9_999

# ------------------------------------------------------------------ how strong it looks

#: Strength as seen from next door: the highest strength of each band.
BANDS = ((3, "light"), (6, "medium"), (10, "strong"))
#: What a counter is taken for of which no more than the band is known.
LIKELY = {"unfinished": 0, "light": 2, "medium": 5, "strong": 8, "massed": 11, "": 4}


def band(strength: int) -> str:
    return next((name for most, name in BANDS if strength <= most), "massed")


def band_of_walls(complete: int) -> str:
    """Points under construction never show."""
    return band(complete) if complete else "unfinished"


# ------------------------------------------------------------------ how its losses are told


class Loss(msgspec.Struct, frozen=True):
    """What combat cost a counter, and who saw it."""

    place: str
    count: int
    points: dict[str, int]
    seen_by: tuple[str, ...]


def points_are_lost(war: "War", container: "Container", loss: Loss) -> None:
    """HW-8.13, HW-8.14: a counter without points leaves the map, and no garrison comes in its place in this phase."""
    told = (container.side, container.id, loss.place)
    if container.strength:
        war.emit(PointsLost(*told, loss.count, loss.points, seen_by=loss.seen_by))
        return
    war.remove(container)
    if war.kind_of(container).occupies and not war.is_occupied(container.place):
        war.state.ungarrisoned[container.place] = True
    war.emit(ArmyEliminated(*told, "losses", loss.count, loss.points, seen_by=loss.seen_by))


def counter_is_gone(container: "Container", cause: str, seen_by: tuple[str, ...]) -> Event:
    """It left the map with all the points it had."""
    strength, points = container.strength, container.points
    return ArmyEliminated(container.side, container.id, container.place, cause, strength, points, seen_by=seen_by)


def nothing_is_absorbed(_war: "War", _container: "Container", _hits: int) -> int:
    return 0


# ------------------------------------------------------------------ the kinds


def no_limit(_tables: Tables) -> int:
    return NO_LIMIT


class ContainerKind(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules ask about one kind of counters."""

    id: str
    #: The kinds of points it may hold, and how many of them at most.
    holds: tuple[str, ...]
    most: Callable[[Tables], int] = no_limit
    #: The counters of a side, by the names that orders and reports use.
    counters: Callable[[Tables, str], Sequence[str]]
    stands_in: tuple[Site, ...] = ("hex", "box")
    #: Where it stands there is no garrison (HW-5.1).
    occupies: bool = False
    #: It is rearranged in the Movement Phase (HW-6).
    moves: bool = False
    #: An advance displaces it (HW-9.9). What does not retreat is lost with its place (HW-14.8).
    retreats: bool = False
    #: It has no name of its own: orders and reports speak of its place. Beside others the types of points decide which
    #: of them loses, and it may be emptied before them (HW-14.5, D-12).
    is_of_its_place: bool = False
    #: Losses that it takes without penalty.
    absorb: Callable[["War", "Container", int], int] = nothing_is_absorbed
    #: Points of it were lost in combat, which may be its last.
    lose: Callable[["War", "Container", Loss], None] = points_are_lost
    gone: Callable[["Container", str, tuple[str, ...]], Event] = counter_is_gone
    #: As what its complete points are seen from next door.
    shows: Callable[[int], str] = band

    def may_stand(self, place: "Place") -> bool:
        return any(site in self.stands_in for site in _sites(place))


def _sites(place: "Place") -> tuple[Site, ...]:
    where: Site = "box" if place.is_box else "hex" if place.has_land else "sea"
    return (where, "port") if place.port else (where,)


def _armies_of_the_tables(tables: Tables, side: str) -> Sequence[str]:
    return tuple(tables.army_names.get(side, ()))


def army_of(*points: str) -> ContainerKind:
    """HW-1.2: the counters that fight over land."""
    return ContainerKind(
        id="army",
        holds=points,
        counters=_armies_of_the_tables,
        occupies=True,
        moves=True,
        retreats=True,
    )
