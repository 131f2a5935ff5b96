"""Whether the odds that players are told are the game's: some sheets of a soak are run many times with other dice."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import msgspec

from engine.dice import Dice
from engine.events import Event
from engine.grand_strategy.events import AdvanceTried, ArmyAdvanced, ArmyLanded, ExploitationEnded
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.theatre import RETURN
from engine.grand_strategy.state import Kept, State
from engine.hitlers_war.audit import require
from engine.hitlers_war.game import HitlersWar

GAME = HitlersWar()
#: So often a sheet is run.
RUNS = 12
#: Dice stray so far from what is expected about once in two million soaks.
MOST_SIGMAS = 5.0

#: Who came where, at which step of his line: 0 is the attack itself.
Advance = tuple[str, str, int]
End = set[Advance]


class Account(msgspec.Struct, frozen=True):
    """How many chances were told, how often they should have come true by that, and how often they did.

    `squares` adds up, run by run, how far that was from what was expected: a die may decide about several chances, so
    it is the runs that are independent of each other.
    """

    chances: int = 0
    expected: float = 0.0
    seen: int = 0
    squares: float = 0.0

    def __add__(self, other: "Account") -> "Account":
        return Account(
            self.chances + other.chances,
            self.expected + other.expected,
            self.seen + other.seen,
            self.squares + other.squares,
        )

    @property
    def sigmas(self) -> float:
        return (self.seen - self.expected) / math.sqrt(self.squares) if self.squares else 0.0

    @property
    def is_off(self) -> bool:
        return abs(self.sigmas) > MOST_SIGMAS

    def __str__(self) -> str:
        told = f"{self.chances} chances told, {self.expected:.1f} advances expected of them, {self.seen} seen"
        return f"{told} ({self.sigmas:+.1f} sigma)"


def try_odds(state: State, text: str, dice: Callable[[int], Dice]) -> Account:
    """Compare the odds of a sheet with what comes of it in many runs.

    The others are without orders, since a forecast takes them to do what they do by default.
    """
    state = _without_orders_of_others(state)
    view = GAME.view(state, state.phasing, "open")
    sheet = GAME.parse(text, view)
    told = [row for row in GAME.odds(view, sheet) if _can_be_held_against(row, state)]
    if not told:
        return Account()
    ends = [set(_advances(GAME.run(state, {state.phasing: sheet}, dice(number))[1])) for number in range(RUNS)]
    for row in told:
        _must_be_possible(row, ends)
    return _account(told, ends)


def _without_orders_of_others(state: State) -> State:
    copy = GAME.decode(GAME.encode(state))
    copy.kept = {side: kept if side == state.phasing else Kept() for side, kept in copy.kept.items()}
    return copy


def _can_be_held_against(row: Odds, state: State) -> bool:
    """The chance is exact, nothing had to be assumed, and the run comes to it before it stops for another sheet."""
    if row.success is None or not row.success.is_exact or row.assumes or row.where == RETURN:
        return False
    return not row.step or state.options.mode == "one-run" or state.step == "exploitation"


def _advances(events: Sequence[Event]) -> Iterator[Advance]:
    steps: dict[str, int] = {}
    exploiting, ended = "", set[str]()  # who makes room at last does so without a line (HW-9.13)
    for event in events:
        match event:
            case AdvanceTried():
                exploiting = event.army if event.exploitation else ""
            case ExploitationEnded():
                ended.add(event.army)
            case ArmyAdvanced() | ArmyLanded() if event.army not in ended:
                if event.army == exploiting:
                    steps[event.army] = steps.get(event.army, 0) + 1
                yield event.army, event.place, steps.get(event.army, 0)


def _came_true(row: Odds, end: End) -> bool:
    return (row.who, row.where, row.step) in end


def _must_be_possible(row: Odds, ends: Sequence[End]) -> None:
    chance, seen = _chance(row), sum(_came_true(row, end) for end in ends)
    possible = {0: chance < 1, len(ends): chance > 0}.get(seen, 0 < chance < 1)
    require(possible, f"line {row.line} is told to get to {row.where} with a chance of {chance}, but does {seen} times")


def _account(told: Sequence[Odds], ends: Sequence[End]) -> Account:
    expected = float(sum(map(_chance, told)))
    seen = [sum(_came_true(row, end) for row in told) for end in ends]
    squares = sum((number - expected) ** 2 for number in seen)
    return Account(len(told), expected * len(ends), sum(seen), squares)


def _chance(row: Odds) -> Fraction:
    assert row.success is not None
    return row.success.least
