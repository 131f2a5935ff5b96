"""What a side holds but may not count, repair or move (HW-15.4, HW-21.5, HW-23)."""

from collections.abc import Iterator

import msgspec

from engine.hitlers_war.board import SOVIET_UNION
from engine.hitlers_war.politics.mobilization import is_capped
from engine.hitlers_war.politics.nations import FRANCE, has_politics
from engine.hitlers_war.state import ALLIES, AXIS, SOVIET
from engine.hitlers_war.war import War

INDIA = "INDIA"
#: Why points are taken off.
NOT_MOBILIZED = "not mobilized"


class Deduction(msgspec.Struct, frozen=True):
    """Working points that may not be spent, and why; no reason is given for what the scenario itself takes off."""

    points: int
    why: str = ""


def deductions(war: War, side: str, working: int) -> list[Deduction]:
    """All that is taken off a side's working points, never more than there is."""
    taken = []
    for deduction in _claims(war, side):
        points = min(deduction.points, working)
        working -= points
        if points > 0:
            taken.append(msgspec.structs.replace(deduction, points=points))
    return taken


def _claims(war: War, side: str) -> Iterator[Deduction]:
    yield Deduction(war.scenario.reduction.get(side, 0))  # HW-15.4
    if not has_politics(war):
        return
    if side == SOVIET and is_capped(war):
        inside = sum(war.working_points(p) for p in war.producing_places_of(side) if _is_soviet(war, p))
        yield Deduction(inside - war.scenario.production_cap[SOVIET], NOT_MOBILIZED)  # HW-23.1, HW-23.2
    if side == ALLIES:
        yield Deduction(_india_cut_off(war), "from India, as long as Suez is lost")


def _is_soviet(war: War, place: str) -> bool:
    return war.place(place).country == SOVIET_UNION


def _india_cut_off(war: War) -> int:
    """HW-23.5."""
    suez = war.tables.raw["production_limits"]["india"]["lost_while_axis"]
    lost = war.owner(suez) == AXIS and war.owner(INDIA) == ALLIES
    return war.working_points(INDIA) if lost else 0


# ------------------------------------------------------------------ repair


def most_to_repair(war: War, side: str, place: str) -> int:
    """How many points of a place a side may restore now, money aside."""
    ground = war.ground(place)
    mendable = ground.devastated - ground.ruined
    if place in war.scenario.not_repairable.get(side, ()):
        return 0
    if side == AXIS and war.place(place).country == FRANCE and war.has_surrendered(FRANCE):
        working = sum(war.working_points(p) for p in war.board.of_country(FRANCE) if war.owner(p) == AXIS)
        most: int = war.tables.raw["production_limits"]["france"]["axis_repairs_at_most"]
        return min(mendable, max(0, most - working))  # HW-21.5
    return mendable


def why_not_repair_more(war: War, side: str, place: str) -> str:
    """Why devastated points of a place can never or no longer be restored by this side; empty if they can."""
    ground = war.ground(place)
    if ground.devastated <= ground.ruined or most_to_repair(war, side, place):
        return ""
    if place in war.scenario.not_repairable.get(side, ()):
        return f"nobody may repair {place} (HW-16.2)"
    most = war.tables.raw["production_limits"]["france"]["axis_repairs_at_most"]
    return f"at most {most} of the French points may work for the Axis (HW-21.5)"


# ------------------------------------------------------------------ movement


def may_not_leave(war: War, origin: str, place: str) -> str:
    """HW-22.2: Allied points leave mainland France only by advance while Axis points are there; empty if they may."""
    leaves = war.place(origin).country == FRANCE != war.place(place).country
    if not (leaves and are_held_in_france(war)):
        return ""
    return "Allied points may leave France only by advance while Axis points are there (HW-22.2)"


def are_held_in_france(war: War) -> bool:
    if not has_politics(war) or war.phasing != ALLIES:
        return False
    armies = [army.place for army in war.armies_of(AXIS)]
    forts = [fort.place for fort in war.state.forts.values() if fort.side == AXIS and fort.strength]
    return any(war.place(place).country == FRANCE for place in (*armies, *forts))
