"""Two Hills as it is not, for what only some games have: other dice, many turns."""

from collections.abc import Mapping

import msgspec

from engine.dice import Dice
from engine.events import Event
from engine.game import Options, Side
from engine.orders import Sheet
from tests.toy.two_hills import HILLS, SIDES, State, TwoHills


class HundredSides:
    """The dice at hand, each with a hundred sides."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def die(self, place: str, purpose: str, sides: int = 6) -> tuple[int, str]:
        return self._dice.die(place, purpose, 100)


class ByHundreds(TwoHills):
    """Fights for a hill are settled with two dice of a hundred sides."""

    traits = msgspec.structs.replace(TwoHills.traits, dice=(100,))

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        return super().run(state, sheets, HundredSides(dice))

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        return sides == 100 and place in HILLS and purpose in SIDES


class LongWar(TwoHills):
    """With so many men that nobody runs out of them. It ends when the module's `LAST_TURN` says so."""

    def setup(self, scenario: str, options: Options) -> State:
        return msgspec.structs.replace(super().setup(scenario, options), men=dict.fromkeys(SIDES, 1_000))


class LongWarByRules2(LongWar):
    """By the same rules, under another number."""

    rules = 2
