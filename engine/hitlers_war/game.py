"""Hitler's War behind the contract every game fulfils."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import msgspec

from engine.dice import Dice
from engine.events import Event, canonical
from engine.forecast import Forecast
from engine.game import Fog, Gate, Options, Outcome, Scenario, ThereIsNoSuchScenario, Traits
from engine.grand_strategy.check import Judgement, judge_sheet
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.events import AnyEvent
from engine.grand_strategy.hearing import hear_sheets, keep_for_later
from engine.grand_strategy.language.reading import gate_facts_of, language_with_names, read_sheet, vocabulary_of
from engine.grand_strategy.odds.forecast import forecast_sheet
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.table import table_of
from engine.grand_strategy.results import came_of
from engine.grand_strategy.rolls import is_rolled
from engine.grand_strategy.rules.deployment import is_deployment
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.setup import first_state
from engine.grand_strategy.sight import told
from engine.grand_strategy.state import State
from engine.grand_strategy.turn import set_up_of
from engine.grand_strategy.victory import TWO_PLAYERS
from engine.grand_strategy.view import View
from engine.grand_strategy.viewing import gate_of, gates_by_title, view_of
from engine.grand_strategy.war import Observer, War
from engine.hitlers_war.bot import player as random_player
from engine.hitlers_war.europe import europe
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import ALLIES, SIDE_NAMES, SOVIET
from engine.hitlers_war.tables import tables
from engine.language import Language
from engine.orders import Finding, Line, Sheet
from engine.phase import play_to_next_gate
from engine.results import LineResult

#: Scenarios whose rules are complete.
PLAYABLE = ("barbarossa", "fall-of-germany", "campaign-1")

_state_decoder = msgspec.json.Decoder(State)
_events_decoder = msgspec.json.Decoder(list[AnyEvent])


class _Judged(NamedTuple):
    """The sheet that was judged last, by its lines and the view they were written in."""

    view: View
    lines: tuple[Line, ...]
    refused: bool
    judgement: Judgement


class HitlersWar:
    id = "hitlers-war"
    title = "Hitler's War"
    #: 2: the rulings A-87 to A-96, and points may come to a Siberia that is held back.
    rules = 2
    #: Eighteen turns of three sides, each with three stops and one more for the Soviet terms, and three deployments.
    traits = Traits(18 * (3 * 3 + 1) + 3, modes=("one-run", "checkpoint"))

    def __init__(self) -> None:
        self._last: _Judged | None = None

    def scenarios(self) -> list[Scenario]:
        return [_summary(load_scenario(scenario)) for scenario in PLAYABLE]

    def language(self, scenario: str) -> Language:
        return language_with_names(setting_of(_playable(scenario).id, Options()), tuple(SIDE_NAMES))

    def setup(self, scenario: str, options: Options) -> State:
        return first_state(setting_of(_playable(scenario).id, options), options)

    def gate(self, state: State) -> Gate | None:
        return gate_of(state, load_scenario(state.scenario), tables())

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def parse(self, text: str, view: View, match: str = "") -> Sheet:
        vocabulary = vocabulary_of(view, setting_of(view.scenario, view.options))
        return read_sheet(text, vocabulary, gate_facts_of(view, match))

    def check(self, view: View, sheet: Sheet) -> list[Finding]:
        return list(self._judged(view, sheet).findings)

    def drafted(self, view: View, sheet: Sheet) -> Drafted:
        """What the sheet would come to before any die is rolled, for the picture of a side's own orders."""
        return self._judged(view, sheet).drafted

    def _judged(self, view: View, sheet: Sheet) -> Judgement:
        """Who asks both of a sheet has it laid out once. Remarks on it may have been added in between."""
        last = self._last
        if last is None or last.view is not view or last.lines is not sheet.lines or last.refused != sheet.refused:
            judgement = judge_sheet(view, sheet, setting_of(view.scenario, view.options))
            self._last = last = _Judged(view, sheet.lines, sheet.refused, judgement)
        return last.judgement

    def forecast(self, view: View, sheet: Sheet) -> Forecast:
        return table_of(self.odds(view, sheet))

    def odds(self, view: View, sheet: Sheet) -> list[Odds]:
        """What is in the forecast, attack by attack."""
        return forecast_sheet(view, sheet, setting_of(view.scenario, view.options))

    def came_of(self, view: View, sheet: Sheet, told: Iterable[Event]) -> list[LineResult]:
        return came_of(sheet, list(told))

    def run(
        self, state: State, sheets: Mapping[str, Sheet], dice: Dice, observer: Observer | None = None
    ) -> tuple[State, list[Event]]:
        war = War(setting_of(state.scenario, state.options), self.decode(self.encode(state)), dice, observer)
        hear_sheets(war, sheets)
        turn = war.rules.turn
        course = (*set_up_of(war.scenario.sides), *turn) if is_deployment(war.step) else turn
        play_to_next_gate(war, course, war.rules.end_of_turn)
        keep_for_later(war)
        return war.state, war.events

    def view(self, state: State, side: str | None, fog: Fog) -> View:
        return view_of(state, side, fog, setting_of(state.scenario, state.options))

    def told(self, events: Iterable[Event], side: str | None, fog: Fog) -> list[Event]:
        return told(events, side, fog)

    def gate_titled(self, title: str) -> Gate | None:
        return _gates().get(title)

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        return sides == 6 and is_rolled(europe(), tables(), place, purpose)

    def bot(self, view: View, key: bytes, level: str = "random") -> str:
        return random_player.random_sheet(view, key)

    def encode(self, state: State) -> bytes:
        return canonical(state)

    def decode(self, data: bytes) -> State:
        return _state_decoder.decode(data)

    def encode_events(self, events: Iterable[Event]) -> bytes:
        return canonical(list(events))

    def decode_events(self, data: bytes) -> list[Event]:
        return list(_events_decoder.decode(data))


def _playable(scenario: str) -> ScenarioData:
    if scenario not in PLAYABLE:
        raise ThereIsNoSuchScenario(f"there is no scenario {scenario!r}; there are: {', '.join(PLAYABLE)}")
    return load_scenario(scenario)


@cache
def _gates() -> dict[str, Gate]:
    return gates_by_title(tables())


def _summary(scenario: ScenarioData) -> Scenario:
    shared: dict[str, tuple[str, ...]] = (
        {TWO_PLAYERS: (SOVIET, ALLIES)} if len(scenario.sides) > 2 else {}
    )  # HW-16.5, HW-18.5
    return Scenario(
        scenario.id,
        scenario.title,
        scenario.sides,
        scenario.last_turn - scenario.first_turn + 1,
        scenario.summary,
        tables().editions,
        tuple(shared),
        shared,
        scenario.victory.get("told", ""),
        scenario.victory.get("told_with", {}),
    )
