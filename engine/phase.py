"""The one loop: run the phases of a turn in their order, and stop where a gate opens.

A game's turn is a list of phases; nothing else decides order. The loop keeps its place in the state, so a run
that stopped at a gate goes on from there when the sheets are in.
"""

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec


class InPlay(Protocol):
    """A game in the middle of a run. `step` names the phase that comes next and is kept in the state."""

    step: str

    @property
    def over(self) -> bool: ...


War = TypeVar("War", bound=InPlay)


class Phase(msgspec.Struct, Generic[War], frozen=True):
    """A step of the turn. It opens a gate if `gate` says so for the game at hand.

    A phase that is not `played` in the game at hand is passed over: it neither runs nor opens its gate.
    """

    id: str
    title: str
    run: Callable[[War], None]
    gate: Callable[[War], bool] = lambda _war: False
    played: Callable[[War], bool] = lambda _war: True


class NoPhaseIsPlayed(Exception):
    """A whole turn was passed over, so that the war would never come to a gate."""


def play_to_next_gate(war: War, turn: Sequence[Phase[War]], end_of_turn: Callable[[War], None]) -> None:
    """Run phases from the current step until a gate opens or the war is over.

    The phase at the current step has had its gate answered by the sheets at hand, so it runs at once. If that phase is
    not played, the sheets were for none after it.
    """
    answered = not pass_over(war, turn, end_of_turn)
    while not war.over:
        phase = phase_at(war, turn)
        if not answered and phase.gate(war):
            return
        phase.run(war)
        if war.over:
            return
        step_on(war, turn, end_of_turn)
        pass_over(war, turn, end_of_turn)
        answered = False


def pass_over(war: War, turn: Sequence[Phase[War]], end_of_turn: Callable[[War], None]) -> int:
    """Let the war stand at the next phase that is played, and say how many were not."""
    passed = 0
    while not war.over and not phase_at(war, turn).played(war):
        if passed == len(turn):
            raise NoPhaseIsPlayed(f"no phase of the turn is played, not even {war.step}")
        step_on(war, turn, end_of_turn)
        passed += 1
    return passed


def phase_at(war: War, turn: Sequence[Phase[War]]) -> Phase[War]:
    return turn[_place_of(war, turn)]


def step_on(war: War, turn: Sequence[Phase[War]], end_of_turn: Callable[[War], None]) -> None:
    """Behind the last phase the turn ends, and the first one follows."""
    following = _place_of(war, turn) + 1
    if following == len(turn):
        end_of_turn(war)
    war.step = turn[following % len(turn)].id


def _place_of(war: War, turn: Sequence[Phase[War]]) -> int:
    return [phase.id for phase in turn].index(war.step)
