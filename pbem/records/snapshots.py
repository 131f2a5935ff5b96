"""Positions on file: packed when they are written, unpacked and checked against their hash when they are read.

A position differs little from the one its run began from, so it is compressed with that as its dictionary. Runs are
counted in blocks of sixteen. Whole is what opens a block, what began in another block, and the first position by other
rules, since nobody can play again what lies before it. So at most fifteen others are needed to read one, and what is
damaged spoils nothing of the next block.

Positions that an earlier program wrote lie there as they are, and others are packed against them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import zstandard
from sqlmodel import Session, col, select

from engine.game import state_hash
from pbem.records import models

BLOCK = 16
#: In bytes, unpacked, so that nothing on file can fill the memory. Those of Campaign I have 30,000.
LARGEST = 64_000_000
#: How hard zstd tries, of 22. A step more takes twenty times as long and saves one percent.
EFFORT = 9


class ThePositionIsDamaged(Exception):
    """Why it cannot be read from file."""


@dataclass(frozen=True)
class Entry:
    """What the record says of the position after a run, the set-up being run 0.

    Which turn of the game it was, its hash, chained to the `previous` one, and by which rules it was reached.
    """

    run: int
    turn: int
    previous: str
    hash: str
    rules: int

    def __str__(self) -> str:
        return f"the position after turn {self.turn}" if self.turn else "the set-up"

    @property
    def block(self) -> int:
        return self.run // BLOCK


def entry_of(turn: models.Turn) -> Entry:
    return Entry(turn.run, turn.number, turn.hash_before, turn.hash_after, turn.rules)


# ------------------------------------------------------------------ writing


def filed(match_id: int, entry: Entry, state: bytes, before: tuple[Entry, bytes] | None = None) -> models.Snapshot:
    """A position as it is written down. `before` is the one that its run began from, with its entry."""
    row = models.Snapshot(match_id=match_id, run=entry.run, state=state, hash=entry.hash)
    if len(state) > LARGEST:
        return row
    against, dictionary = before if before is not None and _belong_together(entry, before[0]) else (entry, b"")
    row.state, row.base = _packed(state, dictionary), against.run
    return row


def _belong_together(entry: Entry, before: Entry) -> bool:
    return entry.block == before.block and entry.rules == before.rules


def _packed(state: bytes, dictionary: bytes) -> bytes:
    return zstandard.ZstdCompressor(EFFORT, dict_data=_dictionary(dictionary)).compress(state)


def _dictionary(state: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(state, zstandard.DICT_TYPE_RAWCONTENT) if state else None


# ------------------------------------------------------------------ reading


class Shelf:
    """Positions of a match as they lie on file, by their runs."""

    def __init__(self, rows: Iterable[models.Snapshot]) -> None:
        self._rows = {row.run: row for row in rows}

    @classmethod
    def whole(cls, session: Session, match_id: int) -> "Shelf":
        return cls(session.exec(select(models.Snapshot).where(models.Snapshot.match_id == match_id)))

    @classmethod
    def for_run(cls, session: Session, match_id: int, run: int) -> "Shelf":
        """What is needed to read the position after a run."""
        block = col(models.Snapshot.run).between(run - run % BLOCK, run)
        return cls(session.exec(select(models.Snapshot).where(models.Snapshot.match_id == match_id, block)))

    def get(self, run: int) -> models.Snapshot | None:
        return self._rows.get(run)

    def put(self, row: models.Snapshot) -> None:
        self._rows[row.run] = row

    @property
    def newest(self) -> int:
        return max(self._rows, default=0)

    def checked(self, entry: Entry) -> bytes:
        """The position of an entry, unpacked. Raises ThePositionIsDamaged if it is not the one that was reached."""
        state = self.unpacked(entry.run)
        if state_hash(state, entry.previous) != entry.hash:
            raise ThePositionIsDamaged("it does not agree with its hash")
        if self._row(entry.run).hash != entry.hash:
            raise ThePositionIsDamaged("the hash beside it is not that of its turn")
        return state

    def unpacked(self, run: int) -> bytes:
        """The same unchecked."""
        state = b""
        for row in self._needed_for(run):
            state = row.state if row.base is None else _unpacked(row.state, state)
        return state

    def _needed_for(self, run: int) -> list[models.Snapshot]:
        """A position behind those that it is packed against, each of a run before."""
        needed = [self._row(run)]
        while (base := needed[-1].base) not in (None, needed[-1].run):
            if not run - run % BLOCK <= base < needed[-1].run:
                raise ThePositionIsDamaged(f"it says that it is packed against that of run {base}")
            needed.append(self._row(base))
        return needed[::-1]

    def _row(self, run: int) -> models.Snapshot:
        if run not in self._rows:
            raise ThePositionIsDamaged(f"that of run {run} is not there")
        return self._rows[run]


def _unpacked(packed: bytes, dictionary: bytes) -> bytes:
    """What is not as long as it says, or says that it is longer than any position, is not unpacked."""
    try:
        if not 0 <= zstandard.frame_content_size(packed) <= LARGEST:
            raise ThePositionIsDamaged("it would be longer than any position when unpacked")
        return zstandard.ZstdDecompressor(_dictionary(dictionary)).decompress(packed, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ThePositionIsDamaged(f"it cannot be unpacked, {error}") from None
