"""Barbarossa in the hands of a test: set it up, change it, write sheets, run them with the dice one likes."""

from collections.abc import Iterable, Mapping

from engine.dice import ForcedDice, KeyedDice
from engine.events import Event
from engine.game import Options
from engine.grand_strategy.state import State
from engine.hitlers_war.game import HitlersWar

GAME = HitlersWar()


def barbarossa(**options: str) -> State:
    return GAME.setup("barbarossa", Options(**{"fog": "open", **options}))


def run(
    state: State, sheets: Mapping[str, str | Iterable[str]], dice: Iterable[int] | None = None
) -> tuple[State, list[Event]]:
    """Run the open gate with these sheets, given as text or as lines. Every line must be readable."""
    parsed = {}
    for side, lines in sheets.items():
        text = lines if isinstance(lines, str) else "\n".join(lines)
        parsed[side] = GAME.parse(text, GAME.view(state, side, state.options.fog))
        assert not [finding for finding in parsed[side].findings if finding.refuses]
    rolls = KeyedDice(b"test", "test") if dice is None else ForcedDice(dice)
    return GAME.run(state, parsed, rolls)


def pass_turns(state: State, until: str) -> State:
    """Let everybody sit still until a gate is open."""
    while (gate := GAME.gate(state)) is not None and gate.id != until:
        state, _ = run(state, {state.phasing: ""})
    return state


def of(kind: type, events: Iterable[Event]) -> list:
    return [event for event in events if isinstance(event, kind)]
