"""One advance: the roll, the armies it displaces, the hex it takes (HW-9)."""

from engine.hitlers_war.conditions import (
    advance_cell,
    advance_column,
    advance_modifiers,
    advance_row,
    lands_unopposed,
)
from engine.hitlers_war.events import (
    AdvanceTried,
    ArmyAdvanced,
    ArmyEliminated,
    ArmyLanded,
    ArmyRetreated,
    LandingTried,
    PlaceCaptured,
)
from engine.hitlers_war.orders import Retreat
from engine.hitlers_war.policy import in_precision, keys_of_army
from engine.hitlers_war.politics.nations import nation_at
from engine.hitlers_war.politics.surrender import surrender_with_capital
from engine.hitlers_war.rolls import ADVANCE, LANDING, about
from engine.hitlers_war.sight import note_fought
from engine.hitlers_war.state import UNALIGNED, Army
from engine.hitlers_war.victory import check_victory_at_once
from engine.hitlers_war.war import War


def try_advance(war: War, army: Army, target: str) -> bool:
    """HW-9.1 to HW-9.7: an army advances alone; failure ends its player-turn. From the sea it is a landing."""
    success = _roll_advance(war, army, target)
    if not success:
        army.finished = True
        army.route = ()  # HW-13.7: it never left its coast
        return False
    if war.owner(target) != army.side:
        for defender in war.armies_in(target):
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
    result = (advance_row(army), str(column), cell, roll, success)
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
    war.move_army(army, target)
    if army.invading:
        seen_by = war.witnesses(target, *fighting)
        war.emit(ArmyLanded(army.side, army.id, origin, target, seen_leaving, seen_by=seen_by))
    else:
        war.emit(ArmyAdvanced(army.side, army.id, origin, target, seen_by=war.seeing(origin, target)))
    if not was_friendly:
        seen_by = tuple(dict.fromkeys((*war.seeing(target), previous)))
        war.emit(PlaceCaptured(army.side, target, previous, "advance", devastated, seen_by=seen_by))
        surrender_with_capital(war, target, previous)
        check_victory_at_once(war)


# ------------------------------------------------------------------ retreat


def retreat(war: War, army: Army, origin: str) -> None:
    """HW-9.9: the displaced army goes whole to an adjacent friendly hex of its owner's choice, or dies."""
    refuges = legal_retreats(war, army)
    if not refuges:
        _eliminate_for_want_of_retreat(war, army)
        return
    place = _ordered_retreat(war, army, refuges)
    if place is None:
        place = best_refuge(war, army, refuges)
        if len(refuges) > 1:
            war.default_used(
                army.side,
                "D-18",
                f"{army.id} retreats from {origin} to {place}",
                f"STANDING RETREAT {army.id} TO {place}",
            )
    war.move_army(army, place)
    war.emit(ArmyRetreated(army.side, army.id, origin, place, seen_by=war.seeing(origin, place)))


def legal_retreats(war: War, army: Army) -> list[str]:
    """HW-9.9, HW-9.10: over land only; out of a box only from Siberia, which touches the map."""
    refuges = [place for place in war.board.for_retreat[army.place] if war.owner(place) == army.side]
    if army.side == UNALIGNED:  # HW-19.11: one unaligned country is no refuge for another's army
        nation = nation_at(war.board, army.place)
        return [place for place in refuges if nation_at(war.board, place) == nation]
    return refuges


def _eliminate_for_want_of_retreat(war: War, army: Army) -> None:
    seen_by = war.seeing(army.place)
    war.remove_army(army)
    war.emit(ArmyEliminated(army.side, army.id, army.place, "no retreat", army.strength, army.points, seen_by=seen_by))


def _ordered_retreat(war: War, army: Army, refuges: list[str]) -> str | None:
    for order in in_precision(war.standing(army.side, Retreat), keys_of_army(war.board, army)):
        match order.manner:
            case "TO":
                chosen = next((place for place in order.hexes if place in refuges), None)
                if chosen is not None:
                    return chosen
            case "TOWARD":
                nearest = min(war.board.distance(place, order.hexes[0]) for place in refuges)
                return best_refuge(war, army, [p for p in refuges if war.board.distance(p, order.hexes[0]) == nearest])
            case "AVOID":
                kept = [place for place in refuges if place not in order.hexes]
                return best_refuge(war, army, kept or refuges)
    return None


def best_refuge(war: War, army: Army, refuges: list[str]) -> str:
    """D-18: in supply, not overstacked, a capital or a fort, many friendly neighbours, near a capital, lowest name."""
    if len(refuges) == 1:
        return refuges[0]
    supplied = war.supplied(army.side, without=army.place)
    capitals = [place for place in war.board.capitals if _is_held(war, place, army.side)]

    def rank(place: str) -> tuple[bool, bool, bool, int, int, tuple[int, int, str]]:
        friends = sum(war.owner(near) == army.side for near in war.board.by_land[place])
        return (
            place not in supplied,
            war.room(place) < army.ground_strength,
            not (war.place(place).capital or war.fort_strength(place)),
            -friends,
            min((war.board.distance(place, capital) for capital in capitals), default=0),
            war.board.rank[place],
        )

    return min(refuges, key=rank)


def _is_held(war: War, place: str, side: str) -> bool:
    return place in war.state.ground and war.owner(place) == side
