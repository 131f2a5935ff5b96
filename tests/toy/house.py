"""Games that lie in the tests, put into the list of games as any other, each with its box."""

import pytest

import engine.game
import pbem.games
from tests.toy.round_island.rules.game import RoundIsland
from tests.toy.two_hills import TwoHills

TOYS = (TwoHills, RoundIsland)
BOXES = {"round-island": "tests.toy.round_island.shown.box:RoundIslandBox"}


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two Hills as a listing, Round Island with its own box."""
    for made in TOYS:
        monkeypatch.setitem(engine.game.GAMES, made.id, made)
    for game_id, box in BOXES.items():
        monkeypatch.setitem(pbem.games.BOXES, game_id, box)
