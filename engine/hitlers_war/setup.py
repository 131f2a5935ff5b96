"""The position at the start of a scenario, with its rules of set-up (HW-4.1, HW-15)."""

import msgspec

from engine.dice import ForcedDice
from engine.game import Options
from engine.hitlers_war.board import Board
from engine.hitlers_war.movement import ruin
from engine.hitlers_war.scenario import ScenarioData
from engine.hitlers_war.sight import Watch
from engine.hitlers_war.state import Army, Ground, Kept, Memory, State
from engine.hitlers_war.supply import find_inert_places
from engine.hitlers_war.tables import Tables, ThereIsNoSuchEdition
from engine.hitlers_war.war import War


def first_state(board: Board, tables: Tables, scenario: ScenarioData, options: Options) -> State:
    state = State(
        scenario=scenario.id,
        options=with_edition(options, tables),
        turn=scenario.first_turn,
        phasing=scenario.sides[0],
        step="player-turn",
        ground={
            place: Ground(owner, scenario.devastated.get(place, 0)) for place, owner in scenario.owners(board).items()
        },
        armies={
            army: Army(army, start.side, start.place, start.inf, start.mech, start.tac, start.para, start.amph)
            for army, start in scenario.armies.items()
        },
        kept={side: Kept() for side in scenario.sides},
        memory={side: Memory() for side in scenario.sides},
    )
    if scenario.ruined_choice is not None:
        ruin(state, scenario.ruined_choice.default, 1)
    if options.fog == "fog":
        Watch(board, state, scenario.sides).remember_what_cannot_be_seen()
    state.inert = find_inert_places(War(board, tables, scenario, state, ForcedDice([])))
    return state


def with_edition(options: Options, tables: Tables) -> Options:
    edition = options.edition or tables.default_edition
    if edition not in tables.editions:
        raise ThereIsNoSuchEdition(f"there is no edition {edition!r}; there are: {', '.join(tables.editions)}")
    return msgspec.structs.replace(options, edition=edition)
