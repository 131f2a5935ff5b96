"""The random player at sea: it tries every order, all of them legal by its view, and nothing impossible happens."""

from collections import Counter

import pytest

from engine.dice import KeyedDice
from engine.game import Options
from engine.grand_strategy.events import ArmyLanded, FortCompleted, InvasionAnnounced, PointsShipped
from engine.grand_strategy.state import State
from engine.hitlers_war.audit import Auditor
from engine.hitlers_war.hidden import change_what_is_hidden
from tests.overseas import GAME, position, put, put_fort

VERBS = {"CONVERT", "SHIP", "ROUTE", "INVADE", "SUPPORT", "NAVALFIRE", "COASTAL", "FORT", "DISMANTLE"}


def world_at_war(fog: str = "fog") -> State:
    """Allied armies on many coasts, the Axis behind its forts, and landing craft on both sides."""
    state = position("fall-of-germany", "allies", fog=fog)
    put(state, "2BR", "P7", inf=2, mech=1, amph=5)
    put(state, "1US", "P6", amph=3)
    put(state, "5US", "H10", inf=2, amph=2)
    put(state, "8BR", "D15", inf=1, mech=1)
    put(state, "US", "US", inf=5, amph=2)
    put(state, "WEST", "N6", inf=4)
    put(state, "C", "K10", inf=4, mech=2)
    put(state, "NORTH", "Q10", amph=4, mech=1)
    put(state, "MOSCOW", "Q17", inf=8, mech=2)
    put_fort(state, "N6", 3)
    put_fort(state, "P7", 2)
    return state


def sheets(state: State, side: str, count: int):
    view = GAME.view(state, side, state.options.fog)
    for number in range(count):
        sheet = GAME.parse(GAME.bot(view, f"sea/{number}".encode()), view)
        yield sheet, [finding for finding in (*sheet.findings, *GAME.check(view, sheet)) if finding.refuses]


def test_the_random_player_writes_every_order_of_the_sea_and_all_are_legal() -> None:
    written: Counter[str] = Counter()
    for sheet, refused in sheets(world_at_war(), "allies", 50):
        assert refused == []
        written.update(str(line.order).split()[0] for line in sheet.lines)
    assert set(written) >= VERBS


@pytest.mark.parametrize(("fog", "mode"), [("fog", "one-run"), ("open", "checkpoint")])
def test_whole_wars_at_sea_break_no_rule(fog, mode) -> None:
    state = GAME.setup("fall-of-germany", Options(fog=fog, mode=mode))
    auditor, seen = Auditor(state), Counter()
    while (gate := GAME.gate(state)) is not None:
        parsed = {}
        for side in (*gate.awaits, *gate.also_heard):
            view = GAME.view(state, side, fog)
            parsed[side] = GAME.parse(GAME.bot(view, f"{fog}/{gate.id}/{side}".encode()), view)
        state, events = GAME.run(state, parsed, KeyedDice(b"sea", gate.id), auditor)
        seen.update(map(type, events))
    assert min(seen[kind] for kind in (InvasionAnnounced, PointsShipped, FortCompleted)) > 0
    assert seen[ArmyLanded] <= seen[InvasionAnnounced]


@pytest.mark.parametrize("which", ["forts", "new forts", "strengths", "moves"])
@pytest.mark.parametrize("fog", ["fog", "veiled"])
def test_what_is_hidden_changes_nothing_that_is_seen(fog: str, which: str) -> None:
    state = world_at_war(fog)
    view = GAME.view(state, "allies", fog)
    in_sight = [place for place, seen in view.places.items() if seen.in_sight]
    numbers = iter(range(10_000))
    change_what_is_hidden(state, "allies", fog, in_sight, lambda limit: next(numbers) % limit, (which,))
    assert GAME.view(state, "allies", fog) == view
