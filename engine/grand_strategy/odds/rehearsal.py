"""Playing a battle ahead: the rules of combat themselves, asked for every result of every die.

A rehearsal is a war whose dice lie as they are told. One operation, say the assault of one line, rolls at most one
die; it is played once for each different result of that die, and each time the position it leads to is written down.
Equal positions are one position, and what can make no difference any more is left out of them, so that few remain.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from typing import Any, Literal

import msgspec

from engine.dice import ForcedDice
from engine.events import Event, Modifier, Roll
from engine.grand_strategy.events import (
    AdvanceTried,
    ArmyAdvanced,
    ArmyEliminated,
    ArmyLanded,
    CoastalAirFired,
    Fired,
    FortPointsLost,
    GarrisonLost,
    LandingTried,
    NavalFired,
    PlaceCaptured,
    PointsLost,
    SupportFired,
)
from engine.grand_strategy.orders import Compare, Losses, Step, TargetIs, Test, Tests
from engine.grand_strategy.state import Army, Container, Fort, Ground, Group
from engine.grand_strategy.war import War
from engine.orders import Line

Shot = Fired | NavalFired | SupportFired | CoastalAirFired
Trial = AdvanceTried | LandingTried

FACES = range(1, 7)
GARRISON = ""


class Horizon(msgspec.Struct, frozen=True):
    """What the operations still to come can depend on; everything else may be forgotten.

    `armies` still have something to do after the line at hand, `at_hand` is the army of that line, `rolled` those
    whose success is asked for. Enemies matter in `places`, everybody in the places `asked_about`.
    """

    armies: frozenset[str] = frozenset()
    at_hand: str = ""
    rolled: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    asked_about: frozenset[str] = frozenset()
    losses: bool = False  # how much an army has lost is asked for
    refuges: frozenset[str] = frozenset()  # where armies may go that are displaced now, if that matters
    retreats: bool = False  # whether it matters later


class Operation(msgspec.Struct, frozen=True):
    """A piece of the combat phase with at most one die, and what it touches.

    `line` is the line of orders it belongs to, `entry` the step of an exploitation. `armies` must be there for it.
    A landing goes through naval fire, support, coastal air and the defence of the shore to its assault and advance.
    """

    kind: Literal["naval", "support", "air", "shore", "defence", "assault", "advance", "meet", "fire", "enter"]
    line: Line | None
    places: tuple[str, ...]
    armies: frozenset[str]
    run: Callable[["Rehearsal"], None]
    entry: int = 0
    tests: Tests = ()

    def is_idle(self, position: "Position") -> bool:
        """Whether it is plain that nothing will happen: the exploitation is over, or the army will not fire."""
        if not self.exploits or (self.kind == "meet" and self.entry == 0):
            return False
        if self.kind == "fire":
            return position.onward is None or position.onward.assault is None
        return not position.under_way

    def is_local(self, horizon: Horizon) -> bool:
        """Whether it depends on and changes nothing but what is near."""
        return not horizon.asked_about and not any(map(_asks_elsewhere, self.tests))

    @property
    def exploits(self) -> bool:
        return self.kind in ("meet", "fire", "enter")

    @property
    def displaces(self) -> bool:
        return self.kind in ("advance", "enter")


def _asks_elsewhere(test: Test) -> bool:
    return not isinstance(test, TargetIs) and not (isinstance(test, Compare) and not test.hex)


Facts = tuple[Any, ...]  # all that is known of what is no army: its place and name first


class Position(msgspec.Struct, frozen=True):
    """What matters between two operations. The armies are never changed: an operation is played on copies.

    `under_way`, `onward` and `exploiting` belong to the exploitation at hand. Equal positions of one rehearsal are one
    object, and so are equal armies.
    """

    armies: tuple[Army, ...]
    captured: tuple[str, ...] = ()
    ungarrisoned: tuple[str, ...] = ()
    under_way: bool = False
    onward: Step | None = None
    exploiting: str = ""
    others: tuple[Facts, ...] = ()


NOTHING = Position(())


def facts_of(others: Iterable[Fort | Group]) -> tuple[Facts, ...]:
    """What is no army as values that can be compared and kept, in the order of places and names."""
    return tuple(sorted(((each.place, each.key, type(each), *_fields(each)) for each in others), key=place_and_name))


def _fields(other: Fort | Group) -> tuple[Any, ...]:
    fields = msgspec.structs.astuple(other)
    if isinstance(other, Fort):
        return fields
    return tuple(tuple(sorted(field.items())) if isinstance(field, dict) else field for field in fields)


def place_and_name(facts: Facts) -> tuple[str, str]:
    return facts[0], facts[1]


def _from_facts(facts: Facts) -> Fort | Group:
    _, _, kind, *fields = facts
    if kind is Group:
        fields = [dict(field) if isinstance(field, tuple) else field for field in fields]
    other: Fort | Group = kind(*fields)
    return other


class Result(msgspec.Struct, frozen=True):
    """One of the things an operation may come to, in how many of six dice, and what it tells."""

    dice: int
    position: Position
    lost: Mapping[str, int] = {}  # points by army; the garrison has no name
    place: str = ""  # where an army got in
    captured: bool = False


class MoreThanOneDie(Exception):
    """An operation must be cut into pieces that roll one die each."""


class Rehearsal(War):
    """A war on the position a side knows. Battles are rehearsed in it, not what becomes of whole countries."""

    def __init__(self, war: War) -> None:
        ground = {place: copy(ground) for place, ground in war.state.ground.items()}
        state = msgspec.structs.replace(war.state, ground=ground, taken={}, memory={})
        rules = msgspec.structs.replace(war.rules, captured=(), ended=())
        super().__init__(msgspec.structs.replace(war.setting, rules=rules), state, ForcedDice([]))
        self.lines = war.lines
        self.under_way = False
        self.onward: Step | None = None
        self.rank = {army: number for number, army in enumerate(war.state.armies)}
        self._before = war.state.ground
        self._armies: dict[tuple[object, ...], Army] = {}
        self._positions: dict[tuple[object, ...], Position] = {}
        self._losses_orders = {side: war.losses_orders(side) for side in war.scenario.sides}
        self._supplied: dict[tuple[str, ...], set[str]] = {}
        self._retreat_matters = False
        self._die = 1
        self._rolled: Shot | Trial | None = None

    def known(self, army: Army) -> Army:
        """The one object that stands for all armies equal to this one."""
        return self._armies.setdefault(msgspec.structs.astuple(army), army)

    def one(self, position: Position) -> Position:
        """The one object that stands for all positions equal to this one."""
        _, *rest = msgspec.structs.astuple(position)
        return self._positions.setdefault((*map(id, position.armies), *rest), position)

    # -------------------------------------------------------------- a war that keeps no record

    def emit(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, Shot | Trial) and event.roll is not None:
            if self._rolled is not None:
                raise MoreThanOneDie
            self._rolled = event

    def default_used(self, side: str, decision: str, what: str, remedy: str = "") -> None:
        """Nobody is told of defaults that were not used."""

    def roll(self, place: str, purpose: str, modifiers: Iterable[Modifier]) -> Roll:
        return Roll(self._die, "", tuple(modifiers))

    def remove(self, container: Container) -> None:
        """Nobody remembers it either."""
        self.state.remove(container)

    def losses_orders(self, side: str) -> list[Losses]:
        return self._losses_orders.get(side, [])  # an army of an unaligned country has none

    def supplied(self, side: str, without: Collection[str] = (), besides: Collection[str] = ()) -> set[str]:
        """The map is searched only where somebody may meet the army that asks, and once for each front line."""
        if not self._retreat_matters:
            return set()
        key = (side, *sorted(without), "without", *sorted(besides), "besides", *sorted(self.state.taken))
        if key not in self._supplied:
            self._supplied[key] = super().supplied(side, without, besides)
        return self._supplied[key]

    # -------------------------------------------------------------- positions

    def lay_out(self, position: Position) -> None:
        state = self.state
        for place in state.taken:
            state.ground[place] = copy(self._before[place])
        for place in position.captured:
            state.ground[place] = Ground(state.phasing, self._before[place].devastated)
        state.armies = {army.id: msgspec.structs.replace(army) for army in position.armies}
        state.forts, state.groups = {}, {}
        for facts in position.others:
            state.put(_from_facts(facts))
        state.taken = dict.fromkeys(position.captured, True)
        state.ungarrisoned = dict.fromkeys(position.ungarrisoned, True)
        state.exploiting = position.exploiting
        state.outcome = None
        self.under_way, self.onward = position.under_way, position.onward
        self.events, self._rolled = [], None

    def write_down(self, horizon: Horizon) -> Position:
        state = self.state
        armies = list(state.armies.values())
        if not horizon.losses:
            for army in armies:
                army.lost = 0
            for other in state.besides_armies():
                other.lost = 0
        position = Position(
            tuple(map(self.known, armies)),
            tuple(sorted(state.taken)),
            tuple(sorted(state.ungarrisoned)),
            self.under_way,
            self.onward,
            state.exploiting,
            facts_of(state.besides_armies()),
        )
        return self.forget(position, horizon)

    def forget(self, position: Position, horizon: Horizon) -> Position:
        """The position without what can make no difference any more."""
        places, everywhere = horizon.places, horizon.retreats
        left = Position(
            tuple([army for army in position.armies if self._matters(army, position, horizon)]),
            position.captured if everywhere else tuple([place for place in position.captured if place in places]),
            tuple([place for place in position.ungarrisoned if place in places]),
            position.under_way,
            position.onward,
            position.exploiting if position.exploiting in horizon.armies else "",
            tuple([facts for facts in position.others if facts[0] in places]),
        )
        return self.one(left)

    def _matters(self, army: Army, position: Position, horizon: Horizon) -> bool:
        if army.place in horizon.asked_about:
            return True
        if army.side != self.state.phasing:
            return army.place in horizon.places
        goes_on = army.id in horizon.armies or (army.id == horizon.at_hand and position.under_way)
        return (goes_on and not army.finished) or army.id in horizon.rolled

    # -------------------------------------------------------------- results

    def results(self, operation: Operation, position: Position, horizon: Horizon) -> list[Result]:
        """Everything an operation may come to. The first die shows which others would do the same."""
        self._retreat_matters = bool(horizon.refuges)
        first = self._play(operation, position, horizon, 1)
        if self._rolled is None:
            return [msgspec.structs.replace(first, dice=len(FACES))]
        alike = self._alike(self._rolled)
        others = {die: self._play(operation, position, horizon, die) for die in alike if die > 1}
        return [msgspec.structs.replace(others.get(die, first), dice=count) for die, count in alike.items()]

    def _alike(self, rolled: Shot | Trial) -> dict[int, int]:
        """One die of each different result, and how many dice have that result."""
        assert rolled.roll is not None
        added = rolled.roll.total - rolled.roll.die
        decided: list[int] = []
        if isinstance(rolled, Shot):
            decided = [self.tables.firepower(rolled.strength, die + added) for die in FACES]
        elif rolled.cell is not None:
            decided = [int(die + added <= rolled.cell) for die in FACES]
        return {decided.index(result) + 1: decided.count(result) for result in dict.fromkeys(decided)}

    def _play(self, operation: Operation, position: Position, horizon: Horizon, die: int) -> Result:
        self._die = die
        self.lay_out(position)
        operation.run(self)
        lost: dict[str, int] = {}
        place, captured = "", False
        for event in self.events:
            match event:
                case PointsLost() | ArmyEliminated(cause="losses"):
                    lost[event.army] = event.count
                case GarrisonLost():
                    lost[GARRISON] = 1
                case FortPointsLost():
                    lost[f"FORT {event.number}"] = event.count
                case ArmyAdvanced() | ArmyLanded():
                    place = event.place
                case PlaceCaptured():
                    captured = True
        return Result(0, self.write_down(horizon), lost, place, captured)
