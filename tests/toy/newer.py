"""Two Hills as other programs play it: by other rules, or with other words for its orders."""

from collections.abc import Mapping

from engine.dice import Dice
from engine.events import Event
from engine.game import Options, Side
from engine.orders import Finding, Line, Sheet
from tests.toy.two_hills import State, TwoHills, View


class ByRules2(TwoHills):
    """Everybody rolls twice in a fight, and the second die counts; a war begins with four men."""

    rules = 2

    def setup(self, scenario: str, options: Options) -> State:
        state = super().setup(scenario, options)
        state.men = dict.fromkeys(state.men, 4)
        return state

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        return super().run(state, sheets, SecondRoll(dice))


class ByRules3(TwoHills):
    """The first die counts again."""

    rules = 3


class SecondRoll:
    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def die(self, place: str, purpose: str, sides: int = 6) -> tuple[int, str]:
        self._dice.die(place, purpose, sides)
        return self._dice.die(place, purpose, sides)


class WithWords(TwoHills):
    """Takes some lines for others. The same lines end otherwise, so its rules are others."""

    def __init__(self, words: Mapping[str, str], rules: int = 2) -> None:
        self.words, self.rules = words, rules

    def _read(self, number: int, text: str, view: View) -> Line | Finding:
        return super()._read(number, self.words.get(text, text), view)


class WithoutHeadings(TwoHills):
    """Turns every sheet with a heading away."""

    rules = 2

    def _misdirected(self, line: str, view: View) -> list[Finding]:
        return super()._misdirected("for nobody", view)
