"""Who sails the Mediterranean in the campaigns: it depends on Italy, Malta, Gibraltar and France (HW-12.7)."""

from typing import Literal

from engine.grand_strategy.war import War
from engine.hitlers_war.sides import ALLIES, AXIS

MALTA, GIBRALTAR, SUEZ = "G11", "H4", "D15"


def by_italy(war: War, side: str) -> int | str:
    """What a side may carry there."""
    rules = war.tables.raw["sea_transport"]
    stance = stance_of_italy(war)
    limits: dict[str, int | str] = rules["mediterranean_by_italy"][stance]
    if stance != "axis":
        return limits[side]
    if side == AXIS:
        return limits["axis_with_malta_G11" if war.holds(AXIS, MALTA) else "axis"]
    if war.holds(ALLIES, GIBRALTAR) or not war.has_surrendered("France"):
        return limits["allies"]
    if war.state.options.edition == "later" and war.holds(ALLIES, SUEZ):
        return int(rules["later_edition"]["allies_with_suez_D15"])
    return limits["allies_without_gibraltar_H4_and_france"]


def stance_of_italy(war: War) -> Literal["not_axis", "axis", "surrendered"]:
    """Whether Italy has joined the Axis, and whether it has given up since."""
    italy = war.state.countries.get("Italy")
    if italy is not None and italy.surrendered:
        return "surrendered"
    return "axis" if italy is not None and italy.side == AXIS else "not_axis"
