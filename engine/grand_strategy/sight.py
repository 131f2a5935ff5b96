"""Who can see what, what is remembered, and in which detail an event is told.

In fog a side sees the places next to its own places; armies always stand in places of their own side. What drops
out of sight is remembered as it was, with the turn.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from engine.events import AnEvent, Event, with_own_lines
from engine.game import Fog
from engine.grand_strategy.containers import band, band_of_walls
from engine.grand_strategy.events import (
    ArmyDeployed,
    ArmyEliminated,
    ArmyJoined,
    ArmyLanded,
    ArmyRearranged,
    FortLost,
    InBattle,
    InvasionAnnounced,
    OnTheMap,
    PointsLost,
    Private,
    Public,
)
from engine.grand_strategy.state import (
    NEUTRAL,
    Army,
    ArmyFought,
    ArmySeen,
    Container,
    Fort,
    FortSeen,
    GroundSeen,
    Group,
    GroupSeen,
    Named,
    State,
)

if TYPE_CHECKING:
    from engine.grand_strategy.rulebook import Setting


OUT_OF_SIGHT = "?"


class Watch:
    """For each side, how many of its places look at each place; kept up to date as places change hands."""

    def __init__(self, setting: "Setting", state: State) -> None:
        self._around = setting.board.around
        self._kinds = setting.rules.containers
        self._state = state
        places: dict[str, list[str]] = {side: [] for side in setting.scenario.sides}
        for place, ground in state.ground.items():
            if ground.owner in places:
                places[ground.owner].append(place)
        self._eyes = {
            side: Counter(chain.from_iterable(map(self._around.__getitem__, own))) for side, own in places.items()
        }

    def sees(self, side: str, place: str) -> bool:
        return self._eyes[side][place] > 0

    def sides_seeing(self, *places: str) -> tuple[str, ...]:
        return tuple(side for side in self._eyes if any(self.sees(side, place) for place in places))

    def changed_hands(self, place: str, previous: str, side: str) -> None:
        if side in self._eyes:
            self._eyes[side].update(self._around[place])
            for near in self._around[place]:
                self._state.memory[side].ground.pop(near, None)
                self._state.memory[side].forts.pop(near, None)
        if previous in self._eyes:
            self._close_eyes(place, previous)

    def _close_eyes(self, place: str, side: str) -> None:
        eyes = self._eyes[side]
        for near in self._around[place]:
            eyes[near] -= 1
            if not eyes[near] and near in self._state.ground:
                self._remember_ground(side, near)

    def _remember_ground(self, side: str, place: str) -> None:
        ground, turn = self._state.ground[place], self._state.turn
        if ground.owner != NEUTRAL:
            self._state.memory[side].ground[place] = GroundSeen(ground.owner, ground.devastated, turn)
        self._state.memory[side].forts.pop(place, None)
        for container in self._state.containers_in(place):
            if container.side != side:
                self._remember(side, container)

    def _remember(self, side: str, seen: Container) -> None:
        memory, turn = self._state.memory[side], self._state.turn
        looks = self._kinds[seen.kind].shows(seen.strength)
        match seen:
            case Army():
                memory.armies[seen.id] = ArmySeen(seen.place, turn, looks)
            case Fort():
                memory.forts[seen.place] = FortSeen(seen.side, seen.number, turn, looks)
            case Group():
                memory.groups[seen.key] = GroupSeen(seen.kind, seen.id, seen.side, seen.place, turn, looks)

    def tell_everybody(self, place: str, damage: int, *, changed: bool) -> None:
        """Those who cannot see a place hear whose it is, but not who stands there or what was repaired in it.

        `damage` are the points that stopped when it changed hands: now, or before for those who had not heard of it.
        """
        for side in self._eyes:
            if not self.sees(side, place):
                self._hear_of(side, place, damage, changed=changed)

    def _hear_of(self, side: str, place: str, damage: int, *, changed: bool) -> None:
        memory, owner = self._state.memory[side], self._state.ground[place].owner
        known = memory.ground[place]
        devastated = max(known.devastated, damage) if changed or known.owner != owner else known.devastated
        memory.ground[place] = GroundSeen(owner, devastated, self._state.turn)
        fort = memory.forts.get(place)
        if fort is not None and fort.side != owner:
            del memory.forts[place]

    def note(self, moved: Named) -> None:
        """Whoever sees this counter now will remember it here."""
        for side in self._eyes:
            if side != moved.side and self.sees(side, moved.place):
                self._remember(side, moved)

    def note_everything_in_sight(self) -> None:
        for counter in self._state.named():
            self.note(counter)
        for side in self._eyes:
            self._forget_who_is_gone(side)

    def _forget_who_is_gone(self, side: str) -> None:
        """What was seen in a place is forgotten when the place is in sight without it."""
        memory, state = self._state.memory[side], self._state
        for army, seen in list(memory.armies.items()):
            if self._is_plainly_gone(side, seen.place, state.armies.get(army)):
                del memory.armies[army]
        for key, group in list(memory.groups.items()):
            if self._is_plainly_gone(side, group.place, state.groups.get(key)):
                del memory.groups[key]

    def _is_plainly_gone(self, side: str, place: str, counter: Named | None) -> bool:
        return self.sees(side, place) and (counter is None or counter.place != place)

    def remember_what_cannot_be_seen(self) -> None:
        """At the start of a war everybody knows the set-up, wherever it is."""
        for side in self._eyes:
            for place in self._state.ground:
                if not self.sees(side, place):
                    self._remember_ground(side, place)


def note_fought(state: State, army: Army) -> None:
    """A battle shows both sides how strong the other is."""
    for side, memory in state.memory.items():
        if side != army.side:
            memory.fought[army.id] = ArmyFought(army.strength, state.turn)


# ------------------------------------------------------------------ telling events


def told(events: Iterable[Event], side: str | None, fog: Fog) -> list[Event]:
    """The events a side may read, each in the detail it may read."""
    if side is None:
        return list(events)
    mine = [with_own_lines(event, side) for event in events]
    if fog == "open":
        return [event for event in mine if not _is_anothers(event, side)]
    return [seen for event in mine if (seen := _as_told(event, side, fog)) is not None]


def _is_anothers(event: Event, side: str) -> bool:
    """Private matters of another side: its refused orders and defaults are no part of the open record sheet."""
    return isinstance(event, Private) and event.side != side and not event.on_the_record_sheet


def _as_told(event: Event, side: str, fog: Fog) -> Event | None:
    if isinstance(event, Public):
        return event
    if isinstance(event, Private | OnTheMap | InBattle) and event.side == side:
        return _without_witnesses(event)
    if isinstance(event, Private):
        return None
    if isinstance(event, ArmyRearranged):
        return _movement_as_seen(event, side, fog)
    if fog == "fog" and side not in event.seen_by:
        return None
    if isinstance(event, PointsLost):
        event = msgspec.structs.replace(event, lost=None)
    if isinstance(event, ArmyEliminated | FortLost):
        event = _leaving_the_map(event, fog)
    if fog == "fog" and isinstance(event, InvasionAnnounced | ArmyLanded) and side not in event.seen_leaving:
        event = _from_out_of_sight(event)
    if isinstance(event, ArmyDeployed | ArmyJoined):
        event = msgspec.structs.replace(event, points=None)
    return _without_witnesses(event)


def _leaving_the_map(event: ArmyEliminated | FortLost, fog: Fog) -> ArmyEliminated | FortLost:
    """That a counter is gone shows; how many points went with it does not, but for what could be seen before.

    In fog that is the band of whoever is in sight, where counters are public the strength of who has just fought.
    Points shot away in battle are counted there as all others are.
    """
    if isinstance(event, FortLost):
        seen = band_of_walls(event.count - event.building) if fog == "fog" and event.count else ""
        return msgspec.structs.replace(event, count=0, building=0, band=seen)
    if event.cause == "losses":
        return msgspec.structs.replace(event, lost=None)
    seen = band(event.count) if fog == "fog" or event.cause == "no retreat" else ""
    return msgspec.structs.replace(event, count=0, lost=None, band=seen)


def _from_out_of_sight(event: InvasionAnnounced | ArmyLanded) -> InvasionAnnounced | ArmyLanded:
    """An army that comes over the sea: where it sailed from shows nobody who does not see that coast."""
    if isinstance(event, ArmyLanded):
        return msgspec.structs.replace(event, origin=OUT_OF_SIGHT)
    return msgspec.structs.replace(event, place=OUT_OF_SIGHT, route=())


def _without_witnesses(event: AnEvent) -> AnEvent:
    """Who else saw it is nobody's business."""
    if isinstance(event, ArmyRearranged | InvasionAnnounced | ArmyLanded):
        return msgspec.structs.replace(event, seen_by=(), seen_leaving=())
    return msgspec.structs.replace(event, seen_by=())


def _movement_as_seen(event: ArmyRearranged, side: str, fog: Fog) -> Event | None:
    """Counters that leave and arrive; a change of strength in place shows nothing."""
    origin, place = event.origin, event.place
    if fog == "fog":
        origin = origin if side in event.seen_leaving or not origin else OUT_OF_SIGHT
        place = place if side in event.seen_by or not place else OUT_OF_SIGHT
    if origin == place or {origin, place} <= {"", OUT_OF_SIGHT}:
        return None
    return ArmyRearranged(event.side, event.army, origin, place)
