"""Who fights whom in Europe, and who inherits what is cut off (HW-10.8, HW-10.9, HW-17.1, HW-21.3)."""

from collections.abc import Sequence

from engine.grand_strategy.board import Place
from engine.grand_strategy.rulebook import Refusal
from engine.grand_strategy.war import War
from engine.hitlers_war.sides import ALLIES, AXIS, SIDE_NAMES, SOVIET, at_war

SOVIET_INHERITS = 3  # the highest die with which the Soviets win a tie


def at_peace(war: War, target: str, owner: str) -> Refusal:
    """HW-17.1, HW-21.3."""
    held = f"{target} is held by {SIDE_NAMES[owner]}"
    remedy = f"attack {_open_to(war, war.phasing)}"
    if AXIS in (war.phasing, owner):
        return f"{held}, and since the surrender there is peace (HW-21.3)", remedy
    return f"{held}; Soviets and Allies never attack or enter each other (HW-17.1)", remedy


def _open_to(war: War, side: str) -> str:
    enemies = [SIDE_NAMES[enemy] for enemy in war.enemies_of(side)]
    return " or ".join(enemies or ["an unaligned country, with VIOLATE"])


def foes_in_europe(side: str, sides: Sequence[str]) -> tuple[str, ...]:
    """HW-17.1: as long as nobody has surrendered."""
    return at_war(side, sides, terms="")


def is_gray(place: Place) -> bool:
    """HW-19.1: in a country that nobody ever enters."""
    return place.colour == "gray"


def enemies_in_europe(war: War, side: str) -> tuple[str, ...]:
    """HW-17.1, HW-21.3."""
    return at_war(side, war.scenario.sides, war.state.terms)


def soviets_or_allies(_war: War, _sides: Sequence[str], die: int) -> str:
    """A-17: of the two opponents of the Axis the Soviets inherit with a die up to three."""
    return SOVIET if die <= SOVIET_INHERITS else ALLIES


def axis_places_without_supply(war: War) -> tuple[str, ...]:
    """HW-10.9, A-16: without sea supply, Axis places that no chain reaches at set-up stay out of the rules all game."""
    supplied = war.supplied(AXIS)
    own = sorted(war.places_of(AXIS), key=war.board.rank.__getitem__)
    return tuple(place for place in own if place not in supplied)
