"""The odds of a sheet: exactly what the engine's own dice would come to, as far as the side can know."""

from collections.abc import Mapping

import pytest
from barbarossa import GAME, barbarossa
from every_die import compare, fight

from engine.hitlers_war.state import Army, State
from engine.odds import Odds

SUMMER_41, WINTER_41, SUMMER_42, WINTER_42 = 6, 7, 9, 10


def position(
    armies: Mapping[str, tuple[str, int, int]], turn: int = SUMMER_42, axis: str = "", **options: str
) -> State:
    """Armies given as place, infantry, mechanized; Axis counters have a plus before their name."""
    state = barbarossa(**options)
    state.turn = turn
    for place in axis.split():
        state.ground[place].owner = "axis"
    state.armies = {
        name.lstrip("+"): Army(name.lstrip("+"), "axis" if name.startswith("+") else "soviet", place, inf, mech)
        for name, (place, inf, mech) in armies.items()
    }
    return state


def forecast(state: State, text: str) -> list[Odds]:
    view = GAME.view(state, state.phasing, state.options.fog)
    sheet = GAME.parse(text, view)
    assert not sheet.findings, sheet.findings
    return GAME.forecast(view, sheet)


def agrees_with_every_die(state: State, text: str, least_battles: int = 6) -> list[Odds]:
    """The forecast from an open view is what comes of fighting with all dice there are."""
    odds = forecast(state, text)
    sheet = GAME.parse(text, GAME.view(state, state.phasing, "open"))
    tried = fight(state, sheet)
    assert tried.battles >= least_battles
    compare(odds, tried)
    return odds


ONE_ARMY = {"+CENTER": ("O14", 2, 6), "SWEST": ("P14", 3, 1)}
SITUATIONS = {
    "one army against one": (ONE_ARMY, {}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "the later edition": (ONE_ARMY, {"edition": "later"}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "a garrison does not fire": ({"+CENTER": ("O14", 2, 6)}, {}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "an advance without a shot": (ONE_ARMY, {}, "ATTACK Center P14 ADVANCE"),
    "a shot without an advance": (ONE_ARMY, {}, "ATTACK Center P14 ASSAULT"),
    "the first Russian winter": (
        {"+CENTER": ("P14", 2, 8), "SWEST": ("P15", 2, 0)},
        {"turn": WINTER_41, "axis": "P14"},
        "ATTACK Center P15 ASSAULT ADVANCE",
    ),
    "winter on home ground": (ONE_ARMY, {"turn": WINTER_41}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "over a crossing": (
        {"+SOUTH": ("L16", 3, 7), "SWEST": ("L17", 3, 0)},
        {"axis": "L15 L16"},
        "ATTACK South L17 ASSAULT ADVANCE",
    ),
    "into the mountains": (
        {"+SOUTH": ("K18", 3, 7), "SWEST": ("J18", 2, 0)},
        {"axis": "L15 L16 L17 K18 M15 M16 M17"},
        "ATTACK South J18 ASSAULT ADVANCE",
    ),
    "two armies of one hex fire together": (
        {"+CENTER": ("O14", 2, 4), "+B": ("O14", 3, 1), "SWEST": ("P14", 4, 1)},
        {},
        "ATTACK Center P14 ASSAULT ADVANCE\nATTACK B P14 ASSAULT ADVANCE",
    ),
    "two armies of two hexes fire one after the other": (
        {"+CENTER": ("O14", 1, 5), "+FOURTH": ("P13", 4, 0), "SWEST": ("P14", 3, 0), "WHITE": ("P14", 1, 0)},
        {},
        "ATTACK Fourth P14 ASSAULT\nATTACK Center P14 ASSAULT ADVANCE",
    ),
    "losses by order": (
        {"+CENTER": ("O14", 1, 5), "+FOURTH": ("P13", 3, 0), "SWEST": ("P14", 5, 1)},
        {},
        "LOSSES P14 FROM Center TYPES M,I\nATTACK Fourth P14 ASSAULT\nATTACK Center P14 ADVANCE",
    ),
    "losses by a standing order of the same sheet": (
        {"+CENTER": ("O14", 2, 5), "SWEST": ("P14", 5, 1)},
        {},
        "STANDING LOSSES ALL TYPES M,I\nATTACK Center P14 ASSAULT ADVANCE",
    ),
    "an advance on a condition": (
        {"+CENTER": ("O14", 2, 6), "SWEST": ("P14", 4, 0)},
        {},
        "ATTACK Center P14 ASSAULT ADVANCE IF RANGE>=4",
    ),
    "an assault on a condition": (
        {"+CENTER": ("O14", 1, 3), "+FOURTH": ("P13", 3, 0), "SWEST": ("P14", 2, 1)},
        {},
        "ATTACK Fourth P14 ASSAULT\nATTACK Center P14 ASSAULT-IF DEF>=2 ADVANCE IF LOSS<2",
    ),
    "the second follows if the first got in": (
        {"+CENTER": ("O14", 0, 5), "+FOURTH": ("P13", 1, 2), "SWEST": ("P14", 2, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nATTACK Fourth P14 ADVANCE IF TAKEN P14",
    ),
    "another hex decides": (
        {"+CENTER": ("O14", 0, 6), "+NORTH": ("Q13", 1, 5), "SWEST": ("P14", 2, 0), "NW": ("Q14", 1, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nATTACK North Q14 ADVANCE IF ROLLED Center",
    ),
    "two steps on": (
        {"+CENTER": ("O14", 1, 7), "SWEST": ("P15", 1, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15:SAVE Q16 STOP-IF RANGE<1",
    ),
    "two steps on by default": (
        {"+CENTER": ("O14", 0, 6)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15 Q16 R16",
    ),
    "what is driven out stands in the way": (
        {"+CENTER": ("O14", 2, 9), "SWEST": ("P14", 2, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center (P15|Q15 IF OCCUPIED) STOP-IF RANGE<1",
    ),
    "a shot saved for later": (
        {"+CENTER": ("O14", 2, 8), "WHITE": ("P15", 2, 0)},
        {},
        "ATTACK Center P14 ADVANCE SAVE\nEXPLOIT Center P15:ASSAULT STOP-IF LOSS>=2",
    ),
    "a shot by default at the first enemy": (
        {"+CENTER": ("O14", 2, 8), "WHITE": ("P15", 1, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15",
    ),
    "two exploitations through one hex": (
        {"+CENTER": ("O14", 0, 6), "+SOUTH": ("N13", 0, 6)},
        {},
        """ATTACK Center O15 ADVANCE
        ATTACK South N14 ADVANCE
        EXPLOIT Center N15 STOP-IF RANGE<1
        EXPLOIT South N15 STOP-IF RANGE<1""",
    ),
    "there and back": (
        {"+CENTER": ("O14", 0, 7)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15 P14 P15 STOP-IF RANGE<1",
    ),
    "an army of the enemy moves first": (
        {"+CENTER": ("O13", 2, 6), "SWEST": ("P14", 2, 1)},
        {},
        "GOTO Center O14\nATTACK Center P14 ASSAULT ADVANCE",
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_forecast_is_what_all_dice_together_say(name: str) -> None:
    armies, extra, text = SITUATIONS[name]
    odds = agrees_with_every_die(position(armies, **extra), text)
    assert odds
