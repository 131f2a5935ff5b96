"""Round Island behind the contract every game fulfils."""

from collections.abc import Iterable, Mapping

import msgspec

from engine.dice import Dice
from engine.events import Event, canonical, with_own_lines
from engine.forecast import Forecast
from engine.game import Fog, Gate, Options, Outcome, Scenario, Side, ThereIsNoSuchScenario, Traits
from engine.language import Language
from engine.orders import Finding, Kind, Sheet
from engine.phase import play_to_next_gate
from engine.results import LineResult, results_of
from tests.toy.round_island.rules.battle import BATTLE, SIDES_OF_DIE
from tests.toy.round_island.rules.board import CRATER, SIDES, hexes, scenarios
from tests.toy.round_island.rules.bot import BOTS
from tests.toy.round_island.rules.events import AnyEvent, Marched, Mustered
from tests.toy.round_island.rules.forecast import forecast_sheet
from tests.toy.round_island.rules.orders import LANGUAGE, read_sheet
from tests.toy.round_island.rules.plan import plan_of
from tests.toy.round_island.rules.state import Band, State
from tests.toy.round_island.rules.turn import CRATER_CHOICE, ERUPTION, MOON, War, end_of_moon
from tests.toy.round_island.rules.view import View, gate_at, view_of

WON_BY = "Whoever owns more villages after the last moon wins (RI-7.2). A clan without spears has lost at once."


class RoundIsland:
    id: str = "round-island"
    title: str = "Round Island"
    rules: int = 1
    traits: Traits = Traits(
        most_gates=max(data.moons for data in scenarios().values()), dice=(SIDES_OF_DIE,), bots=tuple(BOTS)
    )

    def scenarios(self) -> list[Scenario]:
        return [
            Scenario(id_, data.title, SIDES, data.moons, data.summary, won_by=WON_BY, choices=(CRATER_CHOICE,))
            for id_, data in scenarios().items()
        ]

    def language(self, scenario: str) -> Language:
        """The same in both scenarios."""
        _must_have(scenario)
        return LANGUAGE

    def setup(self, scenario: str, options: Options) -> State:
        _must_have(scenario)
        bands = {
            hex_id: Band(side, spears)
            for side, hexes_of in scenarios()[scenario].bands.items()
            for hex_id, spears in hexes_of.items()
        }
        owner = {hex_id: band.side for hex_id, band in bands.items()}
        return State(scenario, options, owner, bands, dict.fromkeys(SIDES, ""))

    def gate(self, state: State) -> Gate | None:
        return None if state.outcome is not None else gate_at(state.moon)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def parse(self, text: str, view: View, match: str = "") -> Sheet:
        return read_sheet(text, view, match)

    def check(self, view: View, sheet: Sheet) -> list[Finding]:
        """A side knows all its own spears, so it knows all that can be refused."""
        refused = plan_of(view.spears_of(view.side or ""), sheet.lines).refused
        return [Finding(Kind.ILLEGAL, each.line.number, each.why, each.remedy, each.line.text) for each in refused]

    def forecast(self, view: View, sheet: Sheet) -> Forecast:
        return forecast_sheet(view, sheet)

    def came_of(self, view: View, sheet: Sheet, told: Iterable[Event]) -> list[LineResult]:
        return results_of(sheet, told)

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        war = War(self.decode(self.encode(state)), sheets, dice)
        play_to_next_gate(war, MOON, end_of_moon)
        return war.state, war.events

    def view(self, state: State, side: Side | None, fog: Fog) -> View:
        return view_of(state, side, fog)

    def told(self, events: Iterable[Event], side: Side | None, fog: Fog) -> list[Event]:
        """RI-8.3: battles are heard all over the island; marches of others are seen through a veil, not counted.

        PUBLIC has no eyes: it is told what is told to everybody.
        """
        if side is None:
            return list(events)
        return [told for event in events if (told := told_to(event, side, fog)) is not None]

    def gate_titled(self, title: str) -> Gate | None:
        gates = (gate_at(moon) for moon in range(1, max(data.moons for data in scenarios().values()) + 1))
        return next((gate for gate in gates if gate.title == title), None)

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        fought = place in hexes() and purpose == BATTLE
        return sides == SIDES_OF_DIE and (fought or (place, purpose) == (CRATER, ERUPTION))

    def bot(self, view: View, key: bytes, level: str = "random") -> str:
        return BOTS[level](view, key)

    def encode(self, state: State) -> bytes:
        return canonical(state)

    def decode(self, data: bytes) -> State:
        return msgspec.json.decode(data, type=State)

    def encode_events(self, events: Iterable[Event]) -> bytes:
        return canonical(list(events))

    def decode_events(self, data: bytes) -> list[Event]:
        return list(msgspec.json.decode(data, type=list[AnyEvent]))


def _must_have(scenario: str) -> None:
    if scenario not in scenarios():
        raise ThereIsNoSuchScenario(f"Round Island has no scenario {scenario!r}")


def told_to(event: Event, side: Side, fog: Fog) -> Event | None:
    """The event as a side may read it, with its own lines alone; None if it may not."""
    if not event.seen_by or side in event.seen_by or fog == "open":
        return with_own_lines(event, side)
    if fog == "veiled" and isinstance(event, Marched | Mustered):
        return with_own_lines(msgspec.structs.replace(event, spears=None), side)
    return None
