"""Wars with a sea in the hands of a test: positions of the later scenarios, made by hand and run with dice at will."""

from collections.abc import Iterable, Mapping

from engine.dice import ForcedDice, KeyedDice
from engine.events import Event
from engine.game import Options
from engine.grand_strategy.events import OrderRefused
from engine.grand_strategy.setup import first_state
from engine.grand_strategy.sight import Watch
from engine.grand_strategy.state import Army, Fort, State
from engine.grand_strategy.war import War
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.tables import tables
from engine.orders import Kind

GAME = HitlersWar()
Dice = Iterable[int] | None


def position(scenario: str, phasing: str, turn: int = 0, **options: str) -> State:
    """A scenario with its friendly hexes and without any army or fort, waiting for a side's orders."""
    state = first_state(setting_of(scenario, Options()), Options(**{"fog": "open", **options}))
    state.armies, state.forts, state.step, state.phasing = {}, {}, "player-turn", phasing
    state.turn = turn or state.turn
    return state


def put(state: State, army: str, place: str, **points: int) -> Army:
    """An army of the side that has this counter, in a place that becomes its own."""
    side = next(side for side, names in tables().army_names.items() if army in names)
    state.ground[place].owner = side
    state.armies[army] = Army(army, side, place, **points)
    if state.options.fog == "fog":
        Watch(setting_of(state.scenario, state.options), state).remember_what_cannot_be_seen()
    return state.armies[army]


def put_fort(state: State, place: str, strength: int = 0, building: int = 0, number: int = 1) -> Fort:
    state.forts[place] = Fort(state.ground[place].owner, number, place, strength, building)
    return state.forts[place]


def war_of(state: State) -> War:
    return War(setting_of(state.scenario, state.options), state, ForcedDice([]))


def run(state: State, sheets: Mapping[str, Iterable[str]], dice: Dice = None) -> tuple[State, list[Event]]:
    """Run the open gate with these lines. Every line must be readable; nobody need be in supply for it."""
    parsed = {}
    for side, lines in sheets.items():
        parsed[side] = GAME.parse("\n".join(lines), GAME.view(state, side, state.options.fog))
        assert not [finding for finding in parsed[side].findings if finding.refuses]
    rolls = KeyedDice(b"test", "test") if dice is None else ForcedDice(dice)
    return GAME.run(state, parsed, rolls)


def refusals(events: Iterable[Event]) -> list[OrderRefused]:
    return of(OrderRefused, events)


def of(kind: type, events: Iterable[Event]) -> list:
    return [event for event in events if isinstance(event, kind)]


def campaign(phasing: str = "axis", turn: int = 0) -> State:
    """All places as at the start, one army of each side, and nobody else on the map."""
    state = position("campaign-1", phasing, turn)
    put(state, "SOUTH", "P11", inf=3, mech=7)
    put(state, "MOSCOW", "Q17", inf=2, mech=2)
    put(state, "BRITAIN", "P7", inf=2, mech=2)
    return state


def notes(state: State, side: str, *lines: str) -> list[tuple[str, str]]:
    """What a receipt remarks on lines that are kept: why, and what would work."""
    view = GAME.view(state, side, "open")
    findings = GAME.check(view, GAME.parse("\n".join(lines), view))
    return [(each.why, each.remedy) for each in findings if each.line and each.kind is Kind.NOTE]
