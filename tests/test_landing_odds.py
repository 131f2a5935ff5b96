"""The odds of landings: exactly what the engine's own dice would come to, through every fire at sea (HW-13)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from every_die import OVERSEAS, compare, fight
from overseas import GAME, of, position, put, put_fort, run

from engine.hitlers_war.events import Fired
from engine.hitlers_war.orders import Coastal, Defend, NavalFire
from engine.hitlers_war.state import State
from engine.odds import Odds, exactly
from pbem.odds_table import table_of
from pbem.wording import render


def forecast(state: State, text: str) -> list[Odds]:
    view = GAME.view(state, state.phasing, state.options.fog)
    sheet = GAME.parse(text, view)
    assert not [finding for finding in sheet.findings if finding.refuses]
    return GAME.forecast(view, sheet)


def agrees_with_every_die(state: State, text: str) -> list[Odds]:
    """The forecast from an open view is what comes of fighting with all dice there are."""
    odds = forecast(state, text)
    tried = fight(state, GAME.parse(text, GAME.view(state, state.phasing, "open")), OVERSEAS)
    assert tried.battles >= 6
    compare(odds, tried)
    return odds


def channel(lander: Mapping[str, int], defender: Mapping[str, int], fort: int = 0, **options: str) -> State:
    """An Allied army in London; the Axis in Brest, N6, which the Allies hold nothing next to."""
    state = position("fall-of-germany", "allies", **options)
    put(state, "2BR", "P7", **lander)
    if defender:
        put(state, "WEST", "N6", **defender)
    if fort:
        put_fort(state, "N6", fort)
    return state


def north_sea(lander: Mapping[str, int], defender: Mapping[str, int]) -> State:
    """An Axis army in Wilhelmshaven for Edinburgh, three hexsides of open sea away (HW-13.8)."""
    state = position("fall-of-germany", "axis")
    put(state, "B", "Q9", **lander)
    if defender:
        put(state, "BRITAIN", "S7", **defender)
    return state


def also(state: State, army: str, place: str, **points: int) -> State:
    put(state, army, place, **points)
    return state


SITUATIONS: dict[str, tuple[Callable[[], State], str]] = {
    "support, coastal air, defence, assault and landing": (
        lambda: channel({"inf": 1, "mech": 2, "amph": 4}, {"inf": 3}),
        "INVADE 2BR N6",
    ),
    "a garrison": (lambda: channel({"mech": 3, "amph": 3}, {}), "INVADE 2BR N6"),
    "a fort alone": (lambda: channel({"inf": 2, "amph": 4}, {}, fort=2), "INVADE 2BR N6"),
    "an army in a fort that absorbs": (lambda: channel({"mech": 1, "amph": 4}, {"inf": 2}, fort=1), "INVADE 2BR N6"),
    "without support": (
        lambda: also(channel({"amph": 4}, {"inf": 2}), "3US", "P6", amph=2),
        "INVADE 2BR N6\nINVADE 3US M6\nSUPPORT M6",
    ),
    "losses by order": (
        lambda: channel({"inf": 2, "mech": 2, "amph": 4}, {"inf": 4}),
        "LOSSES N6 TYPES M,A,I\nINVADE 2BR N6",
    ),
    "the shot saved, and then the way inland": (
        lambda: channel({"mech": 5, "amph": 5}, {}),
        "INVADE 2BR N6 SAVE\nEXPLOIT 2BR N7:ASSAULT STOP-IF RANGE<1",
    ),
    "inland by default": (
        lambda: also(channel({"mech": 4, "amph": 4}, {}), "WEST", "N7", inf=1),
        "INVADE 2BR N6\nEXPLOIT 2BR N7 STOP-IF RANGE<1",
    ),
    "two armies on one shore": (
        lambda: also(channel({"amph": 3}, {"inf": 2}), "3US", "P7", mech=1, amph=2),
        "INVADE 2BR N6\nINVADE 3US N6",
    ),
    "a shot on a condition": (
        lambda: channel({"inf": 1, "amph": 3}, {"inf": 2}),
        "INVADE 2BR N6 ASSAULT-IF DEF>=2",
    ),
    "naval fire on the way": (lambda: north_sea({"inf": 4, "amph": 6}, {}), "INVADE B S7"),
    "naval fire may sink it all": (lambda: north_sea({"amph": 5}, {"inf": 1}), "INVADE B S7"),
    "the second follows the first ashore past the same guns": (
        lambda: also(north_sea({"amph": 3}, {}), "C", "Q9", inf=1, amph=2),
        "INVADE B S7 SAVE\nINVADE C S7 SAVE",
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_odds_of_a_landing_are_what_all_dice_together_say(name: str) -> None:
    made, text = SITUATIONS[name]
    odds = agrees_with_every_die(made(), text)
    assert odds[0].success is not None and 0 < odds[0].success.least
