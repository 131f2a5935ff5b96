"""Carrying strength points over the sea in the Movement Phase, within the limits of each sea (HW-12.4, HW-12.5)."""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from engine.grand_strategy.sea.routes import UNLIMITED, Waters, overseas, transport_limits
from engine.grand_strategy.war import War


class Passage(msgspec.Struct, frozen=True):
    """A way from one piece of friendly territory to another: the seas it crosses, and the limits it draws on."""

    seas: tuple[str, ...]
    draws_on: tuple[str, ...]


class Transport:
    """What a side can carry where. Friendly territory is given as the name of its connected piece, by place."""

    def __init__(self, war: War, side: str, regions: Mapping[str, str]) -> None:
        self.regions = regions
        self.limits = transport_limits(war, side)
        self.overseas = overseas(war, self.limits)
        if self.overseas is not None:
            self.limits[self.overseas.name] = self.overseas.limit
        self.waters = Waters(war.board.chart, list(self.limits), regions)
        self._found: dict[str, dict[str, list[str]]] = {}
        self._passages: dict[tuple[str, str, tuple[str, ...], frozenset[str]], Passage | None] = {}
        self._ports: dict[str, list[int]] = {}
        for place, region in regions.items():
            for basin in self.waters.from_place(place) if self.limits else ():
                self._ports.setdefault(region, []).append(basin)

    def is_limited(self, sea: str) -> bool:
        return self.limits.get(sea, 0) < UNLIMITED

    def is_overseas(self, name: str) -> bool:
        """Whether a limit is that of trips overseas and not that of a sea."""
        return self.overseas is not None and name == self.overseas.name

    def left(self, name: str, used: Mapping[str, int]) -> int:
        return self.limits.get(name, 0) - used.get(name, 0)

    def passage(self, origin: str, goal: str, used: Mapping[str, int], via: Sequence[str] = ()) -> Passage | None:
        """The best way for one point between two regions: one that still has room, else the one that is overdrawn."""
        full = frozenset(name for name in self.limits if self.left(name, used) <= 0)
        asked = (origin, goal, tuple(via), full)
        if asked not in self._passages:
            self._passages[asked] = self._best(*asked) or self._best(*asked[:-1], frozenset())
        return self._passages[asked]

    def _best(self, origin: str, goal: str, via: tuple[str, ...], closed: frozenset[str]) -> Passage | None:
        """Few limited seas, then few seas, then their names. With `via`, exactly those seas in that order."""
        trip = self._overseas_trip(origin, goal)
        if closed.intersection(trip):
            return None
        heap: list[tuple[int, int, tuple[str, ...], str]] = [(0, 0, (), origin)]
        done: set[tuple[str, tuple[str, ...]]] = set()
        while heap:
            limited, legs, seas, region = heapq.heappop(heap)
            if region == goal and (not via or seas == via):
                draws = tuple(sea for sea in dict.fromkeys(seas) if self.is_limited(sea))
                return Passage(seas, (*draws, *trip))
            if (region, seas if via else ()) in done:
                continue
            done.add((region, seas if via else ()))
            for sea, shores in self._crossings(region).items():
                if sea in closed or (via and via[: legs + 1] != (*seas, sea)):
                    continue
                cost = limited + (self.is_limited(sea) and sea not in seas)
                for shore in (*shores, region) if via else shores:  # who asks for the sea may sail along his own coast
                    heapq.heappush(heap, (cost, legs + 1, (*seas, sea), shore))
        return None

    def _overseas_trip(self, origin: str, goal: str) -> tuple[str, ...]:
        """HW-12.5, A-53: the limit that a trip between these regions shares with all others overseas."""
        shared = self.overseas
        return (shared.name,) if shared is not None and len(shared.places & {origin, goal}) == 1 else ()

    def _crossings(self, region: str) -> dict[str, list[str]]:
        """For each sea the region lies on, the other regions on the same water. Looked for once."""
        if region not in self._found:
            self._found[region] = self._look_across(region)
        return self._found[region]

    def _look_across(self, region: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for basin in self._joined(self._ports.get(region, ())):
            shores = found.setdefault(self.waters.chart.sea_of[basin], [])
            for coast in self.waters.from_basin(basin):
                if isinstance(coast, str) and self.regions[coast] not in (region, *shores):
                    shores.append(self.regions[coast])
        return found

    def _joined(self, basins: Sequence[int]) -> list[int]:
        reached = list(dict.fromkeys(basins))
        for basin in reached:
            reached += [more for more in self.waters.from_basin(basin) if isinstance(more, int) and more not in reached]
        return reached

    def in_words(self) -> str:
        """What the side may carry, for refusals."""
        named = [
            f"{name} ({'no limit' if limit >= UNLIMITED else f'{limit} a turn'})" for name, limit in self.limits.items()
        ]
        return ", ".join(named)


class Cargo(msgspec.Struct, frozen=True):
    """Points that are to cross the sea together."""

    origin: str
    place: str
    seas: tuple[str, ...]


class Bookings:
    """The voyages of one Movement Phase: what they carry and which limits they use up."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.used: Counter[str] = Counter()
        self.cargoes: Counter[Cargo] = Counter()

    def book(self, origin: str, place: str, passage: Passage) -> None:
        self.cargoes[Cargo(origin, place, passage.seas)] += 1
        self.used.update(passage.draws_on)

    def price(self, passage: Passage) -> int:
        """How many limits one more point would draw on; one that is used up weighs more than all others."""
        return sum(1 if self.transport.left(name, self.used) > 0 else UNLIMITED for name in passage.draws_on)

    def overdrawn(self) -> list[str]:
        return [name for name in self.used if self.transport.left(name, self.used) < 0]
