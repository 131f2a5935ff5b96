"""Two Hills with things to choose, and told to nobody but those who are on turn."""

from collections.abc import Mapping

import msgspec

from engine.dice import Dice
from engine.events import Event
from engine.game import Choice, Gate, Options, Scenario, Side, Traits
from engine.orders import Sheet
from tests.toy.two_hills import LAST_TURN, SIDES, State, TwoHills, View

MEN = Choice("men", "3", "How many men each side begins with.", ("1", "3", "5"))
LATE = Choice("late", "", "Who comes with fewer men.", pattern="|(?:red|blue):[1-9]", example="blue:1")


class ArmedHills(TwoHills):
    """The GM says how many men each side has, and whether one of them has fewer."""

    def scenarios(self) -> list[Scenario]:
        return [msgspec.structs.replace(one, choices=(MEN, LATE)) for one in super().scenarios()]

    def setup(self, scenario: str, options: Options) -> State:
        state = super().setup(scenario, options)
        state.men = dict.fromkeys(SIDES, int(options.value("men", "3")))
        late, _, fewer = options.value("late", "").partition(":")
        if late:
            state.men[late] -= int(fewer)
        return state


class BoldHills(TwoHills):
    """Its program plays at random, or always takes the first hill it can; it is hidden as little as can be."""

    traits = Traits(most_gates=2 * LAST_TURN, fogs=("open",), bots=("random", "bold"))

    def bot(self, view: View, key: bytes, level: str = "random") -> str:
        if level == "random":
            return super().bot(view, key)
        return next((f"TAKE {hill}\n" for hill in ("north", "south") if view.owner.get(hill) != view.side), "HOLD\n")


class EndlessHills(TwoHills):
    traits = Traits(most_gates=1801)


class HushedHills(TwoHills):
    """Turn about, but blue moves in even turns only; and whoever is not on turn is told of it later."""

    def _gate(self, turn: int, phasing: tuple[Side, ...]) -> Gate:
        return msgspec.structs.replace(super()._gate(turn, phasing), also_heard=(), reports="awaited")

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        after, events = super().run(state, sheets, dice)
        if after.phasing == SIDES[1:] and after.turn % 2 and after.outcome is None:
            after.phasing, after.turn = SIDES[:1], after.turn + 1
        return after, events
