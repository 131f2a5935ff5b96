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
    """A step of the turn. It opens a gate if `gate` says so for the game at hand."""

    id: str
    title: str
    run: Callable[[War], None]
    gate: Callable[[War], bool] = lambda _war: False


def play_to_next_gate(war: War, turn: Sequence[Phase[War]], end_of_turn: Callable[[War], None]) -> None:
    """Run phases from the current step until a gate opens or the war is over.

    The phase at the current step has had its gate answered by the sheets at hand, so it runs at once.
    """
    order = [phase.id for phase in turn]
    answered = True
    while not war.over:
        phase = turn[order.index(war.step)]
        if not answered and phase.gate(war):
            return
        phase.run(war)
        answered = False
        if war.over:
            return
        following = order.index(phase.id) + 1
        if following == len(order):
            end_of_turn(war)
        war.step = order[following % len(order)]
