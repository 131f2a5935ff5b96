"""Sea routes: what a side may carry over each sea, where its supply goes, and the way of a fleet (HW-12)."""

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from engine.grand_strategy.sea.chart import ALL_SEA, NARROWS, OPEN_SEA, Chart, Node
from engine.grid import Edge, search

if TYPE_CHECKING:
    from engine.grand_strategy.war import War

UNLIMITED = 9_999


# ------------------------------------------------------------------ capacities


def transport_limits(war: "War", side: str) -> dict[str, int]:
    """How many points the side may carry over each sea in a turn; a sea that is missing is closed (HW-12.4)."""
    if not war.scenario.sea_transport:
        return {}
    rules = war.tables.raw["sea_transport"]
    printed = rules[war.scenario.sea_transport].get(side, {})
    limits = {sea: _limit(war, side, limit) for sea, limit in printed.items()}
    return {sea: limit for sea, limit in limits.items() if limit}


class Overseas(msgspec.Struct, frozen=True):
    """Trips that start or end in one of these places share a limit beside that of the sea (HW-12.5)."""

    name: str
    sea: str
    places: frozenset[str]
    limit: int


def overseas(war: "War", limits: Mapping[str, int]) -> Overseas | None:
    """None if the sea of these trips is closed to who has these limits."""
    printed = war.tables.raw["sea_transport"].get("overseas") if limits else None
    if printed is None or printed["sea"] not in limits:
        return None
    return Overseas(printed["name"], printed["sea"], frozenset(printed["places"]), printed["limit"])


def _limit(war: "War", side: str, printed: int | str) -> int:
    if printed == "unlimited":
        return UNLIMITED
    if isinstance(printed, str) and printed in war.rules.limits_at_sea:
        return _limit(war, side, war.rules.limits_at_sea[printed](war, side))
    return int(printed)


# ------------------------------------------------------------------ waters that are open to a side


class Waters:
    """The basins a side may use for a purpose, joined where it holds both shores of a strait."""

    def __init__(self, chart: Chart, seas: Sequence[str], friendly: Collection[str]) -> None:
        self.chart = chart
        self._friendly = friendly
        self._basins = chart.basins_of(seas)
        self._joined: dict[int, list[int]] = {}
        for strait in chart.straits:
            if chart.sea_of[strait.basins[0]] in seas and all(place in friendly for place in strait.places):
                one, other = strait.basins
                self._joined.setdefault(one, []).append(other)
                self._joined.setdefault(other, []).append(one)

    def from_place(self, place: str) -> tuple[int, ...]:
        return self._basins[place]

    def from_basin(self, basin: int) -> Iterator[int | str]:
        """The friendly coasts of a basin and the basins behind its straits."""
        yield from (place for place in self.chart.coasts[basin] if place in self._friendly)
        yield from self._joined.get(basin, ())


def supply_seas(war: "War", side: str) -> list[str]:
    """Seas that carry supply: those with capacity, and waters that carry nothing else (HW-12.6)."""
    if not war.scenario.sea_transport:
        return []
    besides = war.tables.raw["sea_transport"]["supply_only"].get(side, ())
    return [*transport_limits(war, side), *besides]


def navigable_seas(war: "War", place: str) -> tuple[str, ...]:
    """The seas of a place that strength points may sail at all (HW-12.4)."""
    closed = war.tables.raw["sea_transport"]["no_points"]
    return tuple(sea for sea in war.board.chart.seas_at[place] if sea not in closed)


# ------------------------------------------------------------------ the way of one army


_Cost = tuple[int, int, tuple[str, ...], tuple[str, ...]]  # dangerous hexsides, length, places and seas so far
_Leg = tuple[str, str, int]  # a place, the sea one is on there, and how many of the stops are made


class Voyage(msgspec.Struct, frozen=True):
    """A sea route found: its places, the first one included, and the sea of each leg."""

    places: tuple[str, ...]
    seas: tuple[str, ...]


class Pilot:
    """Finds sea routes for a side. `landing` is the target a route may enter though it is not friendly (HW-13.5)."""

    def __init__(self, war: "War", side: str, landing: str = "") -> None:
        self.war, self.side, self.landing = war, side, landing
        self.chart = war.board.chart
        fire = war.tables.raw["landing_fire"]["naval"]
        self.dangerous = frozenset(fire["seas"]) if side == fire["at"] else frozenset()

    def voyage(self, start: str, goal: str, via: Sequence[str] = ()) -> Voyage | None:
        """D-06: the fewest hexsides where a navy fires, then the shortest way, then the lowest names."""
        stops = [*via, goal]
        heap: list[tuple[_Cost, _Leg]] = [
            ((0, 0, (start,), (sea,)), (start, sea, 0)) for sea in sorted(navigable_seas(self.war, start))
        ]
        done: set[_Leg] = set()
        while heap:
            (danger, length, places, seas), node = heapq.heappop(heap)
            if node in done:
                continue
            done.add(node)
            place, sea, stage = node
            if stage == len(stops):
                return Voyage(places, seas[1:])
            for lane in self._ways_on(place, sea):
                reached = stage + (lane.to == stops[stage])
                for onward in self._seas_onward(lane.to, sea):
                    cost = (
                        danger + self._danger(place, lane, onward),
                        length + lane.length,
                        (*places, lane.to),
                        (*seas, sea),
                    )
                    heapq.heappush(heap, (cost, (lane.to, onward, reached)))
        return None

    def _danger(self, _place: str, lane: Edge, _onward: str) -> int:
        return lane.length if self.is_dangerous(lane) else 0

    def is_dangerous(self, lane: Edge) -> bool:
        return lane.kind in ALL_SEA and (lane.water or "") in self.dangerous

    def _ways_on(self, place: str, sea: str) -> Iterator[Edge]:
        """Lanes of one sea out of a place; nobody sails on from the coast he lands on."""
        for lane in self.chart.lanes[place] if place != self.landing else ():
            if (lane.water or "") == sea and self.may_cross(place, lane):
                yield lane

    def may_cross(self, place: str, lane: Edge) -> bool:
        """HW-12.2, and HW-13.5 for the last hexside of a landing."""
        if lane.kind in OPEN_SEA or (lane.kind == "crossing" and lane.to == self.landing):
            return True
        return lane.kind in NARROWS and self._is_friendly(place) and self._is_friendly(lane.to)

    def _seas_onward(self, place: str, sea: str) -> list[str]:
        """HW-12.3: another sea only past a gateway that is friendly."""
        joined = self.chart.gateways.get(place, ())
        if sea in joined and self._is_friendly(place):
            return list(joined)
        return [sea]

    def _is_friendly(self, place: str) -> bool:
        return self.war.holds(self.side, place)

    def why_not(self, places: Sequence[str]) -> str:
        """What is wrong with an exact route, first place included; empty if it can be sailed."""
        seas = set(navigable_seas(self.war, places[0]))
        for place, to in pairwise(places):
            lane = next((lane for lane in self.chart.lanes[place] if lane.to == to), None)
            if lane is None:
                return f"no sea way leads from {place} to {to} (HW-12.1, HW-12.2)"
            if (lane.water or "") not in seas:
                return f"the way changes seas at {place}, which is no friendly gateway (HW-12.3)"
            if not self.may_cross(place, lane):
                return f"{place} and {to} are joined by a strip of land or a strait and are not both yours (HW-12.2)"
            seas = set(self._seas_onward(to, lane.water or ""))
        return ""

    def exactly(self, places: Sequence[str]) -> Voyage:
        """The voyage over these places, which `why_not` has found nothing wrong with."""
        lanes = [self.lane(place, to) for place, to in pairwise(places)]
        return Voyage(tuple(places), tuple(lane.water or "" for lane in lanes))

    def lane(self, place: str, to: str) -> Edge:
        return next(lane for lane in self.chart.lanes[place] if lane.to == to)

    def ports(self) -> list[str]:
        """The side's places from which a way leads to the landing."""

        def back(node: Node) -> Iterator[Node]:
            place, sea = node
            for lane in self.chart.lanes[place]:
                if (lane.water or "") == sea and self.may_cross(lane.to, self.lane(lane.to, place)):
                    yield from ((lane.to, onward) for onward in self._seas_onward(lane.to, sea))

        found = search([(self.landing, sea) for sea in navigable_seas(self.war, self.landing)], back)
        reached = dict.fromkeys(place for place, _ in found if place != self.landing)
        return [place for place in reached if self._is_friendly(place)]


class Dreamer(Pilot):
    """A pilot who passes any strait and gateway, but as few as he can that are closed: for saying what closes a way."""

    def may_cross(self, place: str, lane: Edge) -> bool:
        return super().may_cross(place, lane) or (lane.kind in NARROWS and lane.to != self.landing)

    def _seas_onward(self, place: str, sea: str) -> list[str]:
        joined = self.chart.gateways.get(place, ())
        return list(joined) if sea in joined else [sea]

    def _danger(self, place: str, lane: Edge, onward: str) -> int:
        return len(self._closed_at(place, lane, onward))

    def _closed_at(self, place: str, lane: Edge, onward: str) -> list[str]:
        """The places that would have to be friendly for one hexside and the sea beyond it."""
        needed = [] if super().may_cross(place, lane) else [place, lane.to]
        needed += [lane.to] if onward != (lane.water or "") else []
        return [place for place in dict.fromkeys(needed) if not self._is_friendly(place)]

    def closed_on_the_way(self, start: str) -> list[str]:
        """The straits and gateways that keep an army from the landing; none if no friendly place would help."""
        voyage = self.voyage(start, self.landing)
        if voyage is None:
            return []
        onward = (*voyage.seas[1:], voyage.seas[-1])
        legs = zip(pairwise(voyage.places), onward, strict=True)
        return list(dict.fromkeys(p for (a, b), sea in legs for p in self._closed_at(a, self.lane(a, b), sea)))
