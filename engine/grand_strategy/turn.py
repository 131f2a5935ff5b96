"""The player-turn as a list (HW-3): every phase in the rulebook's words and order. Nothing else decides order."""

from collections.abc import Sequence

from engine.grand_strategy.events import PlayerTurnBegan
from engine.grand_strategy.rules.combat import advances, assaults, defensive_assaults
from engine.grand_strategy.rules.deployment import deploy, refuse_late_deployment, step_of
from engine.grand_strategy.rules.exploitation import cure_overstacks, exploit
from engine.grand_strategy.rules.movement import move
from engine.grand_strategy.rules.production import produce
from engine.grand_strategy.rules.supply import judge_armies, lose_isolated_places
from engine.grand_strategy.victory import check_victory_at_the_end, last_turn
from engine.grand_strategy.war import War
from engine.phase import Phase


def begin_player_turn(war: War) -> None:
    state = war.state
    war.emit(PlayerTurnBegan(turn=state.turn, season=war.season, year=war.year, side=state.phasing))
    state.taken, state.exploiting = {}, ""
    for container in state.containers():
        container.forget_player_turn()
    for army in state.armies.values():
        war.note(army)
    refuse_late_deployment(war)
    calendar(war)
    for rule in war.rules.beginning:
        rule(war)
    judge_armies(war)


def calendar(war: War) -> None:
    """What the time of the year brings, whatever anybody ordered."""
    for rule in war.rules.calendar:
        rule(war)


def movement(war: War) -> None:
    move(war)
    look_around(war)


def announcement(war: War) -> None:
    for rule in war.rules.announcements:
        rule(war)


def initial_advances(war: War) -> None:
    advances(war)
    look_around(war)


def exploitation(war: War) -> None:
    exploit(war)
    cure_overstacks(war)  # HW-3.6 (a)
    look_around(war)


def end_of_combat(war: War) -> None:
    """HW-3.6: isolated hexes change hands, attacked countries take sides, others surrender, garrisons return."""
    lose_isolated_places(war)
    if not war.over:
        for rule in war.rules.end_of_combat:
            rule(war)
    war.state.ungarrisoned = {}  # HW-5.4
    look_around(war)


def before_production(war: War) -> None:
    for rule in war.rules.before_production:
        rule(war)


def production(war: War) -> None:
    produce(war)
    look_around(war)


def end_player_turn(war: War) -> None:
    """HW-2.4: the next side plays; when all have played, the turn marker moves on."""
    state, sides = war.state, war.scenario.sides
    following = sides.index(state.phasing) + 1
    state.phasing = sides[following % len(sides)]
    state.violated = ()
    war.lines = []
    if following < len(sides):
        return
    for rule in war.rules.season_passes:
        rule(war)
    if state.turn >= last_turn(war.scenario, state.options):
        check_victory_at_the_end(war)
        return
    state.turn += 1
    war.season, war.year = war.tables.season_of(state.turn)


def look_around(war: War) -> None:
    """What is in sight at the end of a phase is what a side will remember."""
    if war.watch is not None:
        war.watch.note_everything_in_sight()


def somebody_may_exploit(war: War) -> bool:
    return any(army.advanced and not army.finished for army in war.armies_of(war.phasing))


def waits_for_orders(_war: War) -> bool:
    return True


def waits_before_exploitation(war: War) -> bool:
    return war.state.options.mode == "checkpoint" and somebody_may_exploit(war)


def waits_before_production(war: War) -> bool:
    return war.state.options.mode == "checkpoint"


def set_up_of(sides: Sequence[str]) -> tuple[Phase[War], ...]:
    """HW-16.1: before the first turn each side deploys, in the order they play."""
    return tuple(Phase(step_of(side), "Free deployment", deploy, waits_for_orders) for side in sides)


#: A player-turn of a war on land.
ON_LAND: tuple[Phase[War], ...] = (
    Phase("player-turn", "Start of the player-turn", begin_player_turn, waits_for_orders),
    Phase("movement", "Movement", movement),
    Phase("announcement", "Initial attack: announcement", announcement),
    Phase("defensive-assaults", "Initial attack: defensive assaults", defensive_assaults),
    Phase("assaults", "Initial attack: assaults", assaults),
    Phase("advances", "Initial attack: advances", initial_advances),
    Phase("exploitation", "Exploitation", exploitation, waits_before_exploitation),
    Phase("end-of-combat", "End of combat", end_of_combat),
    Phase("production", "Production", production, waits_before_production),
)


def with_phases(turn: Sequence[Phase[War]], after: str, *phases: Phase[War]) -> tuple[Phase[War], ...]:
    """The turn with phases put in behind one of them."""
    place = [phase.id for phase in turn].index(after) + 1
    return (*turn[:place], *phases, *turn[place:])
