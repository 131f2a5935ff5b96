"""The Russian winter: what it adds to the dice of the Axis, and how its winters are counted (HW-9.16)."""

from engine.events import Modifier
from engine.grand_strategy.state import Army
from engine.grand_strategy.war import War
from engine.hitlers_war.sides import AXIS


def stands_in_russia(war: War, army: Army) -> bool:
    """HW-9.16, A-95: where the Russian winter is felt."""
    return war.place(army.place).country in war.scenario.russian_winter_in


def russian_winter(war: War, army: Army) -> Modifier | None:
    """HW-9.16: Axis armies in the Soviet Union in winter, +4, +2, then +1."""
    if war.season != "winter" or army.side != AXIS or not stands_in_russia(war, army):
        return None
    by_winter = war.tables.raw["modifiers"]["russian_winter"]["winters"]
    winters = war.scenario.winters_before + war.state.winters_before
    return Modifier(by_winter[min(winters, len(by_winter) - 1)], "Russian winter")


def russian_winter_ahead(war: War, army: Army, _target: str) -> Modifier | None:
    """It is felt where an army comes from, not where it goes."""
    return russian_winter(war, army)


def note_winter(war: War, army: Army) -> None:
    """HW-9.16, A-03: one Axis army in the Soviet Union at any moment makes the winter count."""
    if war.season == "winter" and army.side == AXIS and stands_in_russia(war, army):
        war.state.winter_in_russia = True


def winter_passes(war: War) -> None:
    """A-03."""
    if war.state.winter_in_russia:
        war.state.winters_before += 1
        war.state.winter_in_russia = False
