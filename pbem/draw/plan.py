"""What a sheet of orders would do, as far as it can be drawn: ways, attacks, exploitations, retreats and new points."""

import msgspec

from engine.grand_strategy.orders import ALL
from engine.grand_strategy.view import ArmyView
from pbem.games.hitlers_war.atlas import europe_atlas

#: How production points for an ally begin among the works of a place.
LEND_LEASE = "lend"


class Move(msgspec.Struct, frozen=True):
    """An army, or points of one, go from one place to another."""

    origin: str
    place: str


class Assault(msgspec.Struct, frozen=True):
    """An army attacks: whether it fires and whether it advances, and whether either hangs on a condition."""

    army: str
    origin: str
    target: str
    fires: bool
    advances: bool
    fires_if: bool = False
    advances_if: bool = False


class Leg(msgspec.Struct, frozen=True):
    """One step of an exploitation; an open one is one of two the army may take."""

    army: str
    number: int
    origin: str
    place: str
    open: bool = False


class Retreat(msgspec.Struct, frozen=True):
    """Where armies of a place go if they are displaced: `number` is the choice, 0 only a direction."""

    origin: str
    place: str
    number: int = 0
    avoided: bool = False


class Voyage(msgspec.Struct, frozen=True):
    """Points cross the sea, from place to place; the `army` that lands, if any, fires first if it `fires`."""

    places: tuple[str, ...]
    army: str = ""
    fires: bool = False
    fires_if: bool = False

    @property
    def lands(self) -> bool:
        return bool(self.army)


class Newcomer(msgspec.Struct, frozen=True):
    """A counter that comes if a country joins: with these points, or in place of the country's own army."""

    army: str
    place: str
    country: str
    points: dict[str, int] = {}


class Violation(msgspec.Struct, frozen=True):
    """A country that is attacked for the first time, with its places that are unaligned."""

    country: str
    places: tuple[str, ...]


class Plan(msgspec.Struct):
    """Everything to be drawn. `armies` stand as the movement would leave them; `untold` has no place on the map.

    `pool` is what the deployment leaves of it, `bombarded` are coasts that ships are to fire at, `given_up` are places
    of forts that are to be dismantled.
    """

    side: str
    turn: int
    armies: dict[str, ArmyView]
    moves: list[Move] = []
    assaults: list[Assault] = []
    legs: list[Leg] = []
    retreats: list[Retreat] = []
    voyages: list[Voyage] = []
    routes: dict[str, tuple[str, ...]] = {}
    deployed: list[str] = []
    pool: dict[str, int] = {}
    bombarded: list[str] = []
    given_up: list[str] = []
    newcomers: list[Newcomer] = []
    violations: list[Violation] = []
    works: dict[str, list[str]] = {}
    untold: list[str] = []

    def places(self) -> set[str]:
        """Where something is drawn. What is only marked in a box off the map is drawn beside it."""
        ends = [(move.origin, move.place) for move in self.moves]
        ends += [(leg.origin, leg.place) for leg in self.legs]
        ends += [(assault.origin, assault.target) for assault in self.assaults]
        ways = [*ends, *(voyage.places for voyage in self.voyages)]
        marked = {*self.works, *self.deployed, *self.bombarded, *self.given_up}
        marked |= {each.origin for each in self.retreats} | {each.place for each in self.newcomers}
        marked |= {place for violation in self.violations for place in violation.places}
        return {place for way in ways for place in way} | set(filter(europe_atlas().is_hex, marked))

    def goals(self) -> set[str]:
        """Where an arrow points to."""
        ways = {assault.target for assault in self.assaults} | {leg.place for leg in self.legs}
        return ways | {move.place for move in self.moves} | {voyage.places[-1] for voyage in self.voyages}

    # ---- armies on their way

    def put(self, army: str, place: str, points: dict[str, int] | None) -> None:
        """An army stands in a place and holds these points."""
        held = {kind: count for kind, count in (points or {}).items() if count > 0}
        known = self.armies.get(army) or ArmyView(army, self.side, place, self.turn)
        self.armies[army] = msgspec.structs.replace(known, place=place, points=held, strength=sum(held.values()))

    def hand_over(self, giver: str, taker: str, points: dict[str, int]) -> bool:
        """Whether there were two armies to do it; the giver is gone when it has nothing left."""
        source, goal = self.armies.get(giver), self.armies.get(taker)
        if source is None or goal is None:
            return False
        held, had = dict(source.points or {}), dict(goal.points or {})
        for kind, wanted in points.items():
            count = held.get(kind, 0) if wanted == ALL else min(wanted, held.get(kind, 0))
            held[kind], had[kind] = held.get(kind, 0) - count, had.get(kind, 0) + count
        self.put(giver, source.place, held)
        self.put(taker, goal.place, had)
        if not self.armies[giver].strength:
            self.armies.pop(giver)
        return True

    def go(self, origin: str, place: str) -> None:
        move = Move(origin, place)
        if origin != place and move not in self.moves:
            self.moves.append(move)
