"""The position at the start of a scenario, with its rules of set-up (HW-4.1, HW-15)."""

import msgspec

from engine.dice import ForcedDice
from engine.game import Options
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.deployment import step_of
from engine.grand_strategy.scenario import Start
from engine.grand_strategy.sight import Watch
from engine.grand_strategy.state import TYPES, UNALIGNED, Army, Fort, Ground, Kept, Memory, State
from engine.grand_strategy.tables import Tables, ThereIsNoSuchEdition
from engine.grand_strategy.war import War


def first_state(setting: Setting, options: Options) -> State:
    scenario = setting.scenario
    state = State(
        scenario=scenario.id,
        options=with_edition(options, setting.tables),
        turn=scenario.first_turn,
        phasing=scenario.sides[0],
        step=step_of(scenario.sides[0]) if scenario.pools else "player-turn",
        ground=ground_at_start(setting),
        armies={
            army: Army(army, _side_at_start(start), start.place, *(getattr(start, kind) for kind in TYPES))
            for army, start in scenario.armies.items()
        },
        kept={side: Kept() for side in scenario.sides},
        memory={side: Memory() for side in scenario.sides},
        forts={fort.place: Fort(fort.side, fort.number, fort.place, fort.strength) for fort in scenario.forts},
    )
    if options.fog == "fog":
        Watch(setting, state).remember_what_cannot_be_seen()
    state.inert = setting.rules.cut_off_from_the_start(War(setting, state, ForcedDice([])))
    return state


def ground_at_start(setting: Setting) -> dict[str, Ground]:
    """Who holds each place when the war begins, and what does not work there, as everybody knows."""
    devastated = setting.scenario.devastated
    owners = setting.scenario.owners(setting.board)
    ground = {place: Ground(owner, devastated.get(place, 0)) for place, owner in owners.items()}
    for rule in setting.rules.set_up:
        rule(setting.scenario, ground)
    return ground


def _side_at_start(start: Start) -> str:
    """HW-22.1: an army that waits for its country is nobody's until then."""
    return UNALIGNED if start.waits_for else start.side


def with_edition(options: Options, tables: Tables) -> Options:
    edition = options.edition or tables.default_edition
    if edition not in tables.editions:
        raise ThereIsNoSuchEdition(f"there is no edition {edition!r}; there are: {', '.join(tables.editions)}")
    return msgspec.structs.replace(options, edition=edition)
