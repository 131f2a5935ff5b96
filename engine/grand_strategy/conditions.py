"""Asking the tests of an IF at the moment its order would be carried out."""

import operator
from collections.abc import Callable
from typing import Literal

import msgspec

from engine.events import Modifier
from engine.grand_strategy.orders import Compare, CompareDefence, Rolled, Taken, TargetIs, Test, Tests
from engine.grand_strategy.state import Army, Container
from engine.grand_strategy.units import Fire
from engine.grand_strategy.war import MOST_FIREPOWER, War

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}
HIGHEST_DIE = 6
MOST_ADVANCING = 10  # HW-9.2, A-24


class Circumstance(msgspec.Struct, frozen=True):
    """What a test is about: an army (or another counter) and its target in combat, the money left in production."""

    war: War
    army: Container | None = None
    target: str = ""
    money: int = 0
    attackers: int = 0


def all_hold(tests: Tests, circumstance: Circumstance) -> bool:
    return all(holds(test, circumstance) for test in tests)


def holds(test: Test, of: Circumstance) -> bool:
    war = of.war
    match test:
        case Compare():
            return _COMPARE[test.op](_quantity(test, of), test.number)
        case CompareDefence():
            return _COMPARE[test.op](war.defence(test.left), war.defence(test.right))
        case Taken():
            return (test.hex in war.state.taken) != test.negated
        case Rolled():
            army = war.state.armies.get(test.army)
            return army is not None and army.side == war.phasing and army.advanced > 0
        case TargetIs():
            return _target_is(test.word, of)


def _quantity(test: Compare, of: Circumstance) -> int:
    army, target = of.army, test.hex or of.target
    match test.subject:
        case "DEF":
            return of.war.defence(target)
        case "PP":
            return of.money
        case "ATTACKERS":
            return of.attackers
    if army is None:
        return 0
    match test.subject:
        case "MECH":
            return army.count("mech")
        case "LOSS":
            return army.lost
        case "STR":
            return _firing_strength(of.war, army, target)
        case "RANGE":
            return advance_range(of.war, army, target) if isinstance(army, Army) else 0
    raise AssertionError(test.subject)


def _firing_strength(war: War, army: Container, target: str) -> int:
    return defensive_strength(war, army) if army.place == target else assault_strength(war, army, target)


def _target_is(word: str, of: Circumstance) -> bool:
    war, target = of.war, of.target
    match word:
        case "WINTER":
            return war.season == "winter"
        case "FRIENDLY":
            return bool(target) and war.owner(target) == war.phasing
        case "OCCUPIED":
            return bool(war.armies_in(target))
        case "EMPTY":
            return not war.armies_in(target)
        case _:
            return target in war.state.forts


# ------------------------------------------------------------------ what the tables would say


def assault_strength(war: War, army: Container, target: str) -> int:
    """Points that fire at a target: no mechanized into mountains (HW-9.14), from the sea only amphibious (HW-13.14)."""
    where: Fire = "landing" if army.invading else "mountains" if war.place(target).is_mountain else "assault"
    return min(MOST_FIREPOWER, army.total(war.units.firing[where]))


def defensive_strength(war: War, army: Container) -> int:
    """Points that fire in defence: mechanized too, also from mountains (HW-8.10, HW-9.14); all of a fort."""
    return min(MOST_FIREPOWER, army.total(war.units.firing["defence"]))


def advance_modifiers(war: War, army: Army, target: str) -> list[Modifier]:
    """HW-9.5: added together, in the order they are reported."""
    modifiers = (modifier(war, army, target) for modifier in war.rules.advance_modifiers)
    return [modifier for modifier in modifiers if modifier is not None]


def fatigue(war: War, army: Army, _target: str) -> Modifier | None:
    """HW-9.6: the farther an army has come in this player-turn, the harder it goes on."""
    if not army.advanced:
        return None
    return Modifier(army.advanced * war.tables.exploitation_modifier, f"already advanced {army.advanced}")


def into_mountains(war: War, _army: Army, target: str) -> Modifier | None:
    """HW-9.14."""
    return Modifier(war.tables.mountain_modifier, "mountain") if war.place(target).is_mountain else None


def fire_modifiers(war: War, army: Army) -> list[Modifier]:
    """What is added when an army fires, in defence or in attack."""
    modifiers = (modifier(war, army) for modifier in war.rules.fire_modifiers)
    return [modifier for modifier in modifiers if modifier is not None]


def advance_column(war: War, army: Army, target: str) -> int | Literal["friendly"]:
    """HW-9.2: the friendly column for a friendly hex, else what defends it."""
    return "friendly" if war.owner(target) == army.side else min(10, war.defence(target))


def advance_row(war: War, army: Army) -> int:
    """HW-9.2, and HW-13.15 from the sea: amphibious points and as many others at most."""
    if not army.invading:
        return min(MOST_ADVANCING, army.total(war.units.advancing))
    landing = army.total(war.units.landing)
    return min(MOST_ADVANCING, landing + min(landing, war.ground_strength(army) - landing))


def advance_cell(war: War, army: Army, target: str) -> int | None:
    return war.tables.advance(war.state.options.edition, advance_row(war, army), advance_column(war, army, target))


def advance_range(war: War, army: Army, target: str) -> int:
    """RANGE: the highest natural die with which the advance would succeed, 0 if none would."""
    if lands_unopposed(war, army, target):
        return HIGHEST_DIE
    cell = advance_cell(war, army, target)
    if cell is None:
        return 0
    modifiers = sum(modifier.value for modifier in advance_modifiers(war, army, target))
    return max(0, min(HIGHEST_DIE, cell - modifiers))


def lands_unopposed(war: War, army: Army, target: str) -> bool:
    """HW-13.17: a landing on a friendly hex needs no roll."""
    return army.invading and war.owner(target) == army.side
