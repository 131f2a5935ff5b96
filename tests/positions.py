"""Positions as they lie on file: looked at, unpacked as an earlier program left them, and damaged."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

from pbem.records.database import database_in
from pbem.records.snapshots import Shelf
from pbem.records.store import Store


def state_after(store: Store, run: int, match_id: int = 1) -> bytes:
    with store.reading() as session:
        return Shelf.whole(session, match_id).unpacked(run)


def unpack_all(store: Store, match_id: int = 1) -> None:
    """As programs before wrote positions."""
    with store.reading() as session:
        shelf = Shelf.whole(session, match_id)
        states = [(shelf.unpacked(run), match_id, run) for run in range(shelf.newest + 1)]
    with closing(sqlite3.connect(database_in(store.directory))) as connection, connection:
        query = "UPDATE snapshots SET state = ?, base = NULL WHERE match_id = ? AND run = ?"
        connection.executemany(query, states)


def bases_in(store: Store, match_id: int = 1) -> list[int | None]:
    """Of each run, against which its position is packed."""
    query = "SELECT base FROM snapshots WHERE match_id = ? ORDER BY run"
    with closing(sqlite3.connect(database_in(store.directory))) as connection:
        return [base for (base,) in connection.execute(query, (match_id,))]


def damage(store: Store, run: int, change: Callable[[bytes], bytes], match_id: int = 1) -> None:
    with closing(sqlite3.connect(database_in(store.directory))) as connection, connection:
        key = (match_id, run)
        (state,) = connection.execute("SELECT state FROM snapshots WHERE match_id = ? AND run = ?", key).fetchone()
        assert change(state) != state
        connection.execute("UPDATE snapshots SET state = ? WHERE match_id = ? AND run = ?", (change(state), *key))


def remove(store: Store, run: int, match_id: int = 1) -> None:
    with closing(sqlite3.connect(database_in(store.directory))) as connection, connection:
        connection.execute("DELETE FROM snapshots WHERE match_id = ? AND run = ?", (match_id, run))


def with_a_byte_flipped(state: bytes, at: int = -1) -> bytes:
    flipped = bytearray(state)
    flipped[at] ^= 0x10
    return bytes(flipped)
