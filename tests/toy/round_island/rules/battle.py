"""One battle (RI-4): a die of a hundred sides, what is added to it, and what it costs. The odds ask the same functions."""

from fractions import Fraction

import msgspec

from engine.events import Modifier
from tests.toy.round_island.rules.board import FOREST, OPEN, VILLAGE, hexes

BATTLE, SIDES_OF_DIE = "battle", 100
WINS_FROM = 51
NEVER, ALWAYS = 5, 96
COVER = {OPEN: 0, FOREST: -15, VILLAGE: -10}


class Costs(msgspec.Struct, frozen=True):
    """What both lose."""

    attacker: int
    defender: int


def modifiers(attacking: int, defending: int, hex_id: str) -> tuple[Modifier, ...]:
    """RI-4.3: ten for each spear that one has more than the other, and the cover of the place."""
    more, terrain = attacking - defending, hexes()[hex_id].terrain
    words = f"for {abs(more)} spear{'s' if abs(more) > 1 else ''} {'more' if more > 0 else 'fewer'}"
    numbers = (Modifier(10 * more, words), Modifier(COVER[terrain], f"for the {terrain}"))
    return tuple(each for each in numbers if each.value)


def attacker_wins(die: int, added: int) -> bool:
    """RI-4.4: with 51 or more; 1 to 5 never win, 96 to 100 always do."""
    return die >= ALWAYS or (die > NEVER and die + added >= WINS_FROM)


def costs(attacking: int, defending: int, *, won: bool) -> Costs:
    """RI-4.5: the beaten lose everybody, the winner half as many and never his last spear."""
    if won:
        return Costs(min(attacking - 1, defending // 2), defending)
    return Costs(attacking, min(defending - 1, attacking // 2))


def chance_to_win(attacking: int, defending: int, hex_id: str) -> Fraction:
    """Counted over all hundred dice."""
    added = sum(each.value for each in modifiers(attacking, defending, hex_id))
    return Fraction(sum(attacker_wins(die, added) for die in range(1, SIDES_OF_DIE + 1)), SIDES_OF_DIE)
