"""What dice are rolled for. The words are in the label of the die, so they stay as they are while a war goes on."""

from engine.grand_strategy.board import Board
from engine.grand_strategy.tables import Tables

DEFENCE = "defensive assault"
SUPPORT = "support fire"
HEIR = "heir of an isolated hex"
WITHOUT_A_NAME = (DEFENCE, SUPPORT, HEIR)

#: Before the id of a place or an army.
ASSAULT = "assault on"
ADVANCE = "advance of"
LANDING = "landing of"
NAVAL_FIRE = "naval fire at"
COASTAL_AIR = "coastal air at"
ABOUT_AN_ARMY = (ADVANCE, LANDING, NAVAL_FIRE, COASTAL_AIR)


def about(what: str, named: str) -> str:
    """A purpose that names a place or an army: 'advance of NORTH'."""
    return f"{what} {named}"


def parted(purpose: str) -> tuple[str, str]:
    """A purpose and the place or army it names; empty if it names none."""
    if purpose in WITHOUT_A_NAME:
        return purpose, ""
    what, _, named = purpose.rpartition(" ")
    return what, named


def is_rolled(board: Board, tables: Tables, place: str, purpose: str) -> bool:
    """Whether some rule rolls a die of this purpose at this place."""
    what, named = parted(purpose)
    if place not in board:
        return False
    if what == ASSAULT:
        return named in board and named in board.around[place]
    if what in ABOUT_AN_ARMY:
        return any(named in names for names in tables.army_names.values())
    return purpose in WITHOUT_A_NAME
