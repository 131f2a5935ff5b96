"""The showing half of each game, and the list of them.

A game without a box of its own is shown by `PlainBox`. Nothing here imports a game before it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.game import Game
    from pbem.games.box import GameBox

#: Where the box of each game is found, by the id of the game.
BOXES = {"hitlers-war": "pbem.games.hitlers_war.box:HitlersWarBox"}


def box_of(game: "Game") -> "GameBox":
    """The box of a game, guarded: what fails in it is answered by the plain listing."""
    from pbem.games.box import PlainBox
    from pbem.games.guarded import Guarded

    plain = PlainBox(game)
    return Guarded(lambda: own_box(game), plain) if game.id in BOXES else plain


def own_box(game: "Game") -> "GameBox":
    """The game's own box, with nothing around it."""
    module, _, name = BOXES[game.id].partition(":")
    made: GameBox = getattr(import_module(module), name)(game)
    return made
