"""What a side holds but may not count, repair or move (HW-15.4, HW-21.5, HW-22.2, HW-23)."""

from engine.grand_strategy.rulebook import Cap, Confined, Deduction, Refusal
from engine.grand_strategy.war import War
from engine.hitlers_war.politics.countries import FRANCE, SOVIET_UNION
from engine.hitlers_war.politics.mobilization import is_capped
from engine.hitlers_war.sides import ALLIES, AXIS, SOVIET

INDIA = "INDIA"
#: Why points are taken off.
NOT_MOBILIZED = "not mobilized"


def not_yet_mobilized(war: War, side: str) -> Deduction:
    """HW-23.1, HW-23.2."""
    if side != SOVIET or not is_capped(war):
        return Deduction(0)
    inside = sum(war.working_points(p) for p in war.producing_places_of(side) if _is_soviet(war, p))
    return Deduction(inside - war.scenario.production_cap[SOVIET], NOT_MOBILIZED)


def _is_soviet(war: War, place: str) -> bool:
    return war.place(place).country == SOVIET_UNION


def india_cut_off(war: War, side: str) -> Deduction:
    """HW-23.5."""
    suez = war.tables.raw["production_limits"]["india"]["lost_while_axis"]
    lost = side == ALLIES and war.owner(suez) == AXIS and war.owner(INDIA) == ALLIES
    return Deduction(war.working_points(INDIA) if lost else 0, "from India, as long as Suez is lost")


def french_points_for_the_axis(war: War, side: str, place: str) -> Cap | None:
    """HW-21.5."""
    if side != AXIS or war.place(place).country != FRANCE or not war.has_surrendered(FRANCE):
        return None
    working = sum(war.working_points(p) for p in war.board.of_country(FRANCE) if war.owner(p) == AXIS)
    most: int = war.tables.raw["production_limits"]["france"]["axis_repairs_at_most"]
    return Cap(max(0, most - working), f"at most {most} of the French points may work for the Axis (HW-21.5)")


def no_french_forts_yet(war: War, place: str) -> Refusal:
    """HW-23.6."""
    french = war.tables.raw["production_limits"]["french_forts"]
    if war.place(place).country != FRANCE or war.phasing != french["of"] or war.state.turn >= french["from_turn"]:
        return "", ""
    when = war.tables.date_of(french["from_turn"])
    return f"no forts may be built in France before {when} (HW-23.6)", f"leave the line for {when}"


def held_in_france(war: War) -> Confined | None:
    """HW-22.2: Allied points leave mainland France only by advance while Axis points are there."""
    if war.phasing != ALLIES:
        return None
    armies = [army.place for army in war.armies_of(AXIS)]
    forts = [fort.place for fort in war.state.forts.values() if fort.side == AXIS and fort.strength]
    if not any(war.place(place).country == FRANCE for place in (*armies, *forts)):
        return None
    why = "Allied points may leave France only by advance while Axis points are there (HW-22.2)"
    return Confined(FRANCE, frozenset(war.board.of_country(FRANCE)), why, "move inside France, or attack")
