"""Places whose production changes with time: Siberia, and the United States once at war (HW-20.5, HW-23.4)."""

from collections.abc import Mapping
from functools import partial

from engine.grand_strategy.board import Board
from engine.grand_strategy.rulebook import Growth
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.war import War
from engine.hitlers_war.politics.countries import UNITED_STATES
from engine.hitlers_war.sides import ALLIES

UNITED_STATES_BOX = "US"


def growing_places(board: Board, scenario: ScenarioData) -> dict[str, Growth]:
    grown = {
        place: Growth(
            partial(_by_steps, place, steps),
            min((points for points in steps.values() if points), default=board[place].production),
            max(steps.values()),
        )
        for place, steps in scenario.growing.items()
        if place in board
    }
    if UNITED_STATES_BOX in board:
        printed = board[UNITED_STATES_BOX].production
        grown[UNITED_STATES_BOX] = Growth(partial(_with_american_growth, printed), printed)
    return grown


def _by_steps(place: str, steps: Mapping[int, int], war: War) -> int:
    """HW-15.7: what it gives from the turn of its latest step on."""
    if place in war.scenario.needs_mobilization and not 0 < war.state.mobilized < war.state.turn:
        return 0  # HW-23.4: from the turn after the cap has ended
    return steps[max((turn for turn in steps if turn <= war.state.turn), default=min(steps))]


def _with_american_growth(printed: int, war: War) -> int:
    """HW-20.5, A-93: one point more each turn after the United States have joined the Allies."""
    fate = war.state.countries.get(UNITED_STATES)
    return printed + (war.state.turn - fate.joined if fate is not None and fate.side == ALLIES else 0)
