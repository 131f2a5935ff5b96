"""The family stands without any of its games: a war of two turns, by a rulebook of a dozen lines and with fixed dice."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from engine.events import canonical
from engine.grand_strategy.events import ArmyEliminated, PlaceCaptured, PointsBuilt, PointsLost
from engine.grand_strategy.odds.forecast import forecast_sheet
from engine.grand_strategy.viewing import view_of
from tests.grand_strategy.two_kingdoms import LOWLAND, SETTING, UPLAND, judge, look, new_war, play, read

ROOT = Path(__file__).parents[2]


def test_a_war_is_played_to_its_end() -> None:
    defended = {
        UPLAND: "ATTACK Red 0302 ASSAULT ADVANCE\nBUILD 2I 0101 NEW Rose",
        LOWLAND: "STANDING DEFEND ALL NOW",
    }
    # Two points take 2*2//4 = 1 with a five; the six that are left take 6*2//4 = 3 of two; nothing defends, so 5 or less.
    state, events = play(new_war(), defended, [5, 5, 5])
    assert [event.count for event in events if isinstance(event, PointsLost)] == [1]
    assert [event.army for event in events if isinstance(event, ArmyEliminated)] == ["BLUE"]
    assert [(event.place, event.previous) for event in events if isinstance(event, PlaceCaptured)] == [
        ("0302", LOWLAND)
    ]
    assert (state.armies["RED"].inf, state.armies["ROSE"].inf) == (6, 2)

    # Three points of production buy one of infantry for two.
    state, events = play(state, {LOWLAND: "BUILD MAX I 0402 NEW Blue"}, [])
    assert [event.points for event in events if isinstance(event, PointsBuilt)] == [{"inf": 1}]
    assert (state.turn, state.phasing) == (2, UPLAND)

    # One point takes 1*3//4 = 0 with a six; with the Ford the war is won.
    state, _ = play(state, {UPLAND: "ATTACK Red 0402 ASSAULT ADVANCE"}, [6, 5, 1])
    assert state.outcome is not None
    assert state.outcome.winners == (UPLAND,)
    assert state.outcome.how == "Upland holds Ford 0402"


def test_who_sends_nothing_does_nothing_and_the_other_holds_out() -> None:
    state = new_war()
    for _ in range(4):
        state, _ = play(state, {}, [])
    assert state.outcome is not None
    assert state.outcome.winners == (LOWLAND,)


def test_a_sheet_is_judged_by_the_words_and_the_board_of_the_game() -> None:
    sheet = read(new_war(), UPLAND, "SHIP 1I Red -> Rose\nATTACK Red 0399 ADVANCE\nGOTO Red fird\nGOTO Blue 0201")
    assert [finding.why for finding in sheet.findings] == [
        "I know no order 'SHIP'.",
        "There is no hex 0399 on the map.",
        "There is no hex, city or box 'fird'.",
        "'Blue' is an army of the Lowland side.",
    ]
    assert sheet.findings[2].remedy == "Did you mean 0402 (Ford)? Write a hex such as 0201."
    (refused,) = [finding for finding in judge(new_war(), UPLAND, "GOTO Red Mill\nBUILD 2I 0101") if finding.refuses]
    assert refused.why == "0403 is not friendly to you"


def test_the_odds_are_those_of_the_games_own_table() -> None:
    """A garrison is one point, and five less one is four dice of six."""
    (odds,) = forecast_sheet(look(new_war(), UPLAND), read(new_war(), UPLAND, "ATTACK Red 0301 ADVANCE"), SETTING)
    assert odds.success is not None
    assert odds.success.least == odds.success.most == Fraction(4, 6)


def test_in_fog_the_other_is_seen_next_door_and_no_farther() -> None:
    state = new_war()
    seen = view_of(state, UPLAND, "fog", SETTING).armies["BLUE"]
    assert (seen.strength, seen.band) == (None, "light")
    state.armies["BLUE"].place = "0402"
    hidden = canonical(view_of(state, UPLAND, "fog", SETTING))
    state.armies["BLUE"].inf = 9
    assert canonical(view_of(state, UPLAND, "fog", SETTING)) == hidden


def test_no_game_of_the_list_is_needed() -> None:
    play_it = (
        "import sys; from tests.grand_strategy.two_kingdoms import *; play(new_war(), {}, []);"
        "print([name for name in sys.modules if name.startswith('engine.hitlers_war')])"
    )
    done = subprocess.run([sys.executable, "-c", play_it], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
