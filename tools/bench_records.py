"""What positions cost on file, and to read them from there. Part of `make bench`."""

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from engine.game import Options
from pbem.records.matches import Position, SeatTaken, number_of
from pbem.records.place import database_in
from pbem.records.store import Store, create_store, open_store
from tools.bench_times import best_of

SIDES = ("axis", "soviet", "allies")
SECRET = b"the dice of positions on a bench"
READ = 40


def campaign_in(directory: Path) -> Store:
    """A whole Campaign I, played by bots at one keyboard."""
    create_store(directory)
    store = open_store(directory)
    seats = [SeatTaken(side, f"{side}@example.org") for side in SIDES]
    match = number_of(store.new_match("hitlers-war", "campaign-1", seats, Options(), secret=SECRET))
    while (gate := (position := store.position(match)).gate) is not None:
        for side in gate.awaits:
            store.take_sheet(match, side, position.game.bot(position.view(side), f"{gate.id} {side}".encode()))
        store.process(match, without_missing=True)
    return store


def position_after(store: Store, number: int) -> Position:
    with store.reading() as session:
        return store.position_after(session, 1, number)


def with_nothing_in_mind(store: Store, number: int) -> Callable[[], Position]:
    """Reads a position as a program does that has just been started."""
    stores = iter([open_store(store.directory) for _ in range(READ + 1)])
    return lambda: position_after(next(stores), number)


def on_disk(store: Store) -> int:
    """Bytes that the database is smaller without positions."""
    with closing(sqlite3.connect(database_in(store.directory), isolation_level=None)) as connection:
        return _size(connection, "VACUUM") - _size(connection, "DELETE FROM snapshots", "VACUUM")


def _size(connection: sqlite3.Connection, *statements: str) -> int:
    for statement in statements:
        connection.execute(statement)
    pages, size = (int(connection.execute(f"PRAGMA {of}").fetchone()[0]) for of in ("page_count", "page_size"))
    return pages * size


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="pbem-records-", dir="/tmp") as folder:
        store = campaign_in(Path(folder) / "war")
        turns = store.position(1).number
        whole, packed = (best_of(with_nothing_in_mind(store, number), READ) for number in (48, 47))
        known = best_of(lambda: position_after(store, turns), READ)
        kilobytes = on_disk(store) / 1000
    print(f"positions of a Campaign I on disk          {kilobytes:8.1f} KB  ({turns} player-turns; at most 60 of 54)")
    print(f"position read from file, a whole one       {whole:8.2f} ms  (1.0)")
    print(f"position read from file, behind 15 others  {packed:8.2f} ms  ({packed / whole:.2f} times that)")
    print(f"position that is in mind                   {known:8.2f} ms  ({known / whole:.2f} times that)")


if __name__ == "__main__":
    main()
