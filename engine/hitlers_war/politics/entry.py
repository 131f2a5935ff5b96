"""Countries that enter the war on their day (HW-20, HW-41)."""

from engine.grand_strategy.politics.nations import places_of_nation
from engine.grand_strategy.politics.neutrals import join
from engine.grand_strategy.state import UNALIGNED
from engine.grand_strategy.war import War
from engine.hitlers_war.europe import ITALY
from engine.hitlers_war.politics.countries import UNITED_STATES
from engine.hitlers_war.politics.gifts import refuse_gifts_in_vain
from engine.hitlers_war.politics.mobilization import check_mobilization
from engine.hitlers_war.sides import ALLIES, AXIS


def enter_at_the_start(war: War) -> None:
    """What the calendar brings at the start of a player-turn."""
    check_mobilization(war)
    entry = war.tables.raw["entry"]
    minors = entry["axis_minors"]
    if (war.phasing, war.state.turn) == (AXIS, minors["turn"]):
        for nation in minors["countries"]:
            _enter(war, nation, AXIS, "HW-20.3")
    if (war.phasing, war.state.turn) == (ALLIES, entry[UNITED_STATES]["turn"]):
        _enter(war, UNITED_STATES, ALLIES, "HW-20.5")
    refuse_gifts_in_vain(war)


def enter_before_production(war: War) -> None:
    """HW-20.1: Italy joins as the Axis Production Phase begins, so that its points count at once."""
    if (war.phasing, war.state.turn) == (AXIS, war.tables.raw["entry"][ITALY]["turn"]):
        _enter(war, ITALY, AXIS, "HW-20.1")


def _enter(war: War, nation: str, side: str, case: str) -> None:
    """Not after an attack: then it has taken a side or been conquered, whatever somebody believes of its hexes."""
    if nation not in war.state.countries and places_of_nation(war, nation, UNALIGNED):
        join(war, nation, side, case)
