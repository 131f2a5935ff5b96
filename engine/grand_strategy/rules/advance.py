"""One advance: the roll, the armies it displaces, the hex it takes (HW-9)."""

from engine.grand_strategy.conditions import (
    advance_cell,
    advance_column,
    advance_modifiers,
    advance_row,
    lands_unopposed,
)
from engine.grand_strategy.events import AdvanceTried, ArmyAdvanced, ArmyLanded, LandingTried, PlaceCaptured
from engine.grand_strategy.rolls import ADVANCE, LANDING, about
from engine.grand_strategy.rules.retreat import retreat
from engine.grand_strategy.sight import note_fought
from engine.grand_strategy.state import Army
from engine.grand_strategy.victory import check_victory_at_once
from engine.grand_strategy.war import War


def try_advance(war: War, army: Army, target: str) -> bool:
    """HW-9.1 to HW-9.7: an army advances alone; failure ends its player-turn. From the sea it is a landing."""
    success = _roll_advance(war, army, target)
    if not success:
        army.finished = True
        army.route = ()  # HW-13.7: it never left its coast
        return False
    if war.owner(target) != army.side:
        for defender in war.displaced_from(target):
            retreat(war, defender, target)
    _move_in(war, army, target)
    army.route = ()  # HW-13.16: from here on it attacks like any other
    return True


def _roll_advance(war: War, army: Army, target: str) -> bool:
    column, cell = advance_column(war, army, target), advance_cell(war, army, target)
    note_fought(war.state, army)
    for defender in war.armies_in(target):
        if defender.side != army.side:
            note_fought(war.state, defender)
    roll, success = None, lands_unopposed(war, army, target)
    if not success and cell is not None:  # HW-38.2: a blank cell rolls no die
        purpose = about(LANDING if army.invading else ADVANCE, army.id)
        roll = war.roll(target, purpose, advance_modifiers(war, army, target))
        success = roll.total <= cell
    result = (advance_row(war, army), str(column), cell, roll, success)
    if army.invading:
        seen_by = war.witnesses(target, army.side, war.owner(target))
        war.emit(LandingTried(army.side, army.id, target, *result, seen_by=seen_by))
    else:
        seen_by = war.seeing(army.place, target)
        war.emit(AdvanceTried(army.side, army.id, army.place, target, *result, war.is_exploitation, seen_by=seen_by))
    return success


def _move_in(war: War, army: Army, target: str) -> None:
    origin, was_friendly = army.place, war.owner(target) == army.side
    army.came_from = origin
    army.advanced += 1
    if not war.armies_in(origin, army.side)[1:]:
        war.state.ungarrisoned[origin] = True  # HW-5.4: the garrison stays away until the phase ends
    previous, devastated = "", 0
    if not was_friendly:
        war.state.ungarrisoned[target] = True
        war.state.taken[target] = True
        devastated = war.devastate(target)  # HW-4.3
        previous = war.give_to(target, army.side)
    fighting = (army.side, previous or army.side)
    seen_leaving = war.seeing(origin)
    war.move(army, target)
    if army.invading:
        seen_by = war.witnesses(target, *fighting)
        war.emit(ArmyLanded(army.side, army.id, origin, target, seen_leaving, seen_by=seen_by))
    else:
        war.emit(ArmyAdvanced(army.side, army.id, origin, target, seen_by=war.seeing(origin, target)))
    if not was_friendly:
        seen_by = tuple(dict.fromkeys((*war.seeing(target), previous)))
        war.emit(PlaceCaptured(army.side, target, previous, "advance", devastated, seen_by=seen_by))
        war.was_captured(target, previous)
        check_victory_at_once(war)
