"""The position at the start of a scenario, with its rules of set-up (HW-4.1, HW-15)."""

from collections.abc import Iterable

import msgspec

from engine.dice import ForcedDice
from engine.game import Options
from engine.hitlers_war.board import Board
from engine.hitlers_war.deployment import step_of
from engine.hitlers_war.events import PointsRuined
from engine.hitlers_war.orders import DevastateFrance
from engine.hitlers_war.scenario import ScenarioData, Start
from engine.hitlers_war.sight import Watch
from engine.hitlers_war.state import TYPES, UNALIGNED, Army, Fort, Ground, Kept, Memory, State
from engine.hitlers_war.supply import find_inert_places
from engine.hitlers_war.tables import Tables, ThereIsNoSuchEdition
from engine.hitlers_war.war import War


def first_state(board: Board, tables: Tables, scenario: ScenarioData, options: Options) -> State:
    state = State(
        scenario=scenario.id,
        options=with_edition(options, tables),
        turn=scenario.first_turn,
        phasing=scenario.sides[0],
        step=step_of(scenario.sides[0]) if scenario.pools else "player-turn",
        ground=ground_at_start(board, scenario),
        armies={
            army: Army(army, _side_at_start(start), start.place, *(getattr(start, kind) for kind in TYPES))
            for army, start in scenario.armies.items()
        },
        kept={side: Kept() for side in scenario.sides},
        memory={side: Memory() for side in scenario.sides},
        forts={fort.place: Fort(fort.side, fort.number, fort.place, fort.strength) for fort in scenario.forts},
    )
    if options.fog == "fog":
        Watch(board, state, scenario.sides).remember_what_cannot_be_seen()
    state.inert = find_inert_places(War(board, tables, scenario, state, ForcedDice([])))
    return state


def ground_at_start(board: Board, scenario: ScenarioData) -> dict[str, Ground]:
    """Who holds each place when the war begins, and what does not work there, as everybody knows."""
    owners = scenario.owners(board)
    ground = {place: Ground(owner, scenario.devastated.get(place, 0)) for place, owner in owners.items()}
    if scenario.ruined_choice is not None:
        ruin(ground, scenario.ruined_choice.default, 1)
    return ground


def _side_at_start(start: Start) -> str:
    """HW-22.1: an army that waits for its country is nobody's until then."""
    return UNALIGNED if start.waits_for else start.side


def with_edition(options: Options, tables: Tables) -> Options:
    edition = options.edition or tables.default_edition
    if edition not in tables.editions:
        raise ThereIsNoSuchEdition(f"there is no edition {edition!r}; there are: {', '.join(tables.editions)}")
    return msgspec.structs.replace(options, edition=edition)


# ------------------------------------------------------------------ set-up choice


def put_french_points_out_of_use(war: War) -> None:
    """HW-15.2, D-02: before anything else the Axis may say which French points never work."""
    choice = war.scenario.ruined_choice
    lines = war.lines_of(DevastateFrance)
    if choice is None or war.state.turn != war.scenario.first_turn or war.phasing != war.scenario.sides[0]:
        why = "the Axis chooses the French points on the first turn of the war only (HW-15.2)"
        for line in lines:
            war.refuse(line, why if choice else "only Barbarossa has French points to choose", "leave the line away")
        return
    if not lines:
        war.default_used(war.phasing, "D-02", f"the French points out of use are in {', '.join(choice.default)}")
    hexes = choice.default
    for line in lines:
        why = _why_choice_is_wrong(war, line.order.hexes, choice.country, choice.points)
        if why:
            war.refuse(line, why, f"name {choice.points} points, such as DEVASTATE-FRANCE {' '.join(choice.default)}")
        else:
            hexes = line.order.hexes
    ruin(war.state.ground, choice.default, -1)
    ruin(war.state.ground, hexes, 1)
    for place in dict.fromkeys(hexes):
        war.emit(PointsRuined(war.phasing, place, hexes.count(place), seen_by=war.seeing(place)))


def ruin(ground: dict[str, Ground], hexes: Iterable[str], points: int) -> None:
    """Put a point in each of these hexes out of use for good, or take that back."""
    for place in hexes:
        ground[place].devastated += points
        ground[place].ruined += points


def _why_choice_is_wrong(war: War, hexes: tuple[str, ...], country: str, points: int) -> str:
    if len(hexes) != points:
        return f"{points} points must be named, not {len(hexes)}"
    for place in hexes:
        if war.place(place).country != country:
            return f"{place} is not in {country}"
        if hexes.count(place) > war.place(place).production:
            return f"{place} has only {war.place(place).production} production"
    return ""
