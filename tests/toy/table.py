"""A table to play Two Hills at: a store in a directory, seats, and bots that fill in the sheets."""

from pathlib import Path

from engine.game import Game, Options
from pbem.records.matches import SeatTaken
from pbem.records.store import Store, create_store, open_store
from tests.toy.two_hills import TwoHills

SEATS = (SeatTaken("red", "red@example.org", "Rosa"), SeatTaken("blue", "blue@example.net"))
SECRET = bytes(range(32))


def toy_games() -> dict[str, Game]:
    return {"two-hills": TwoHills()}


def new_store(directory: Path) -> Store:
    create_store(directory)
    return open_store(directory, toy_games())


def new_match(store: Store, scenario: str = "at-once", options: Options = Options()) -> int:  # noqa: B008
    match = store.new_match("two-hills", scenario, SEATS, options, secret=SECRET)
    assert match.id is not None
    return match.id


def send_bots(store: Store, match_id: int) -> None:
    """A bot's sheet from every side that is awaited."""
    position = store.position(match_id)
    for side in position.open_gate.awaits:
        text = position.game.bot(position.view(side), f"bot {match_id} {side}".encode())
        assert store.take_sheet(match_id, side, text).kept


def play_by_bots(store: Store, match_id: int, runs: int = 1000) -> None:
    """Plays until the war is over, or for a number of runs."""
    for _ in range(runs):
        if store.position(match_id).gate is None:
            return
        send_bots(store, match_id)
        store.process(match_id)
