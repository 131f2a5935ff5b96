"""Positions that are damaged on file: their turns are played again from the last position that can be read.

What comes out has to have the hash that the record names, so nothing false can come of it. A turn that was run by other
rules than this program has is not played again.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.game import Game, Options, state_hash
from pbem.records import models
from pbem.records.matches import begun_after, number_of, run_gate, set_up_by
from pbem.records.seals import sealed_from
from pbem.records.snapshots import Entry, Shelf, ThePositionIsDamaged, entry_of, filed
from pbem.refusal import Refusal

_ENTRY = select(models.Turn.run, models.Turn.hash_before, models.Turn.hash_after, models.Turn.rules).where(
    models.Turn.match_id == bindparam("match_id"),
    models.Turn.number == bindparam("number"),
    col(models.Turn.taken_back).is_(None),
)
_BEGAN = select(models.Turn.hash_before).where(models.Turn.match_id == bindparam("match_id"), models.Turn.run == 1)
_SET_UP = select(models.Snapshot.hash).where(
    models.Snapshot.match_id == bindparam("match_id"), models.Snapshot.run == 0
)

#: In the ledger.
MENDED = "mended a position"

_log = logging.getLogger("pbem.records")


class ThePositionOnFileIsDamaged(Refusal):
    pass


class ItCannotBeMadeAgain(Exception):
    """Why. `last` is the turn after which the position can still be read; none if not even the set-up can."""

    def __init__(self, why: str, last: int | None = None) -> None:
        super().__init__(why)
        self.last = last


# ------------------------------------------------------------------ reading, whatever lies on file


def entry_after(session: Session, match: models.Match, number: int) -> Entry | None:
    """What the record says of the position after a turn; none if there is no such turn."""
    if number == 0:
        return first_entry(session, match)
    found = session.exec(_ENTRY, params={"match_id": match.id, "number": number}).first()
    if found is None:
        return None
    run, previous, reached, rules = found
    return Entry(run, number, previous, reached, rules)


def first_entry(session: Session, match: models.Match) -> Entry:
    """Of the set-up, which no turn has led to: its hash stands in the first that was run, or else beside it alone."""
    about = {"match_id": match.id}
    known = session.exec(_BEGAN, params=about).first() or session.exec(_SET_UP, params=about).first()
    return Entry(0, 0, "", known or "", set_up_by(match))


def state_on_file(session: Session, game: Game, match: models.Match, entry: Entry) -> bytes:
    """The position of an entry, checked. One that is damaged is made again, of which the log tells in one line."""
    try:
        return Shelf.for_run(session, number_of(match), entry.run).checked(entry)
    except ThePositionIsDamaged as damage:
        found = f"match {match.id}: {entry} is damaged on file ({damage})"
        try:
            again = Course.of(session, game, match).made_again(entry.run)
        except ItCannotBeMadeAgain as trouble:
            raise _lost(match, found, trouble) from trouble
        _log.warning("%s; it was made again: %s. To put it right on file: pbem mend %s", found, again, match.id)
        return again.state


def _lost(match: models.Match, found: str, trouble: ItCannotBeMadeAgain) -> ThePositionOnFileIsDamaged:
    back = f", or go back to where it can be read: pbem rollback {match.id} --to {trouble.last}"
    return ThePositionOnFileIsDamaged(
        f"{found} and cannot be made again, because {trouble}",
        f"Put a backup copy in its place{'' if trouble.last is None else back}. See: pbem mend {match.id}",
    )


def put_right(session: Session, match: models.Match, entry: Entry, state: bytes) -> str:
    """See to it that a position that is known can be read on file. What was wrong; empty if nothing was."""
    try:
        Shelf.for_run(session, number_of(match), entry.run).checked(entry)
    except ThePositionIsDamaged as damage:
        session.merge(filed(number_of(match), entry, state))
        return f"{entry} was damaged on file ({damage})"
    return ""


# ------------------------------------------------------------------ putting all of a match right


@dataclass(frozen=True)
class Found:
    """A damaged position, what was wrong with it, and how it was made again; or else why it cannot be."""

    entry: Entry
    damage: str
    again: "MadeAgain | None"
    why_not: str = ""

    def __str__(self) -> str:
        what = f"{self.entry} (run {self.entry.run}) was damaged on file ({self.damage})"
        if self.again is None:
            return f"{what} and cannot be made again, because {self.why_not}"
        return f"{what} and is written anew: {self.again}"


def mend(session: Session, game: Game, match: models.Match) -> list[Found]:
    """Look at every position of a match, and write those anew that are damaged. What is found wrong."""
    try:
        course = Course.of(session, game, match)
    except ItCannotBeMadeAgain as trouble:
        raise _lost(match, f"match {match.id} is damaged", trouble) from trouble
    return [found for run in range(len(course.turns) + 1) if (found := _mended(session, course, run)) is not None]


def _mended(session: Session, course: "Course", run: int) -> Found | None:
    entry = course.entry(run)
    try:
        course.shelf.checked(entry)
    except ThePositionIsDamaged as damage:
        try:
            again = course.made_again(run)
        except ItCannotBeMadeAgain as trouble:
            return Found(entry, str(damage), None, str(trouble))
        course.shelf.put(session.merge(filed(number_of(course.match), entry, again.state)))
        return Found(entry, str(damage), again)
    return None


# ------------------------------------------------------------------ making it again


@dataclass(frozen=True)
class MadeAgain:
    """A position, the turn after which the newest before it can be read, and how many were played again from there.

    `last` is none if the war had to be set up anew.
    """

    state: bytes
    last: int | None
    played: int

    def __str__(self) -> str:
        began = "the set-up, made anew" if self.last is None else f"turn {self.last}" if self.last else "the set-up"
        turns = "1 turn" if self.played == 1 else f"{self.played} turns"
        return f"{turns} played again from {began}" if self.played else began


@dataclass(frozen=True)
class Course:
    """All runs of a match, and the positions they came to."""

    game: Game
    match: models.Match
    turns: Sequence[models.Turn]
    shelf: Shelf

    @classmethod
    def of(cls, session: Session, game: Game, match: models.Match) -> "Course":
        every = select(models.Turn).where(models.Turn.match_id == match.id).order_by(col(models.Turn.run))
        turns = session.exec(every).all()
        if any(turn.run != run for run, turn in enumerate(turns, 1)):
            raise ItCannotBeMadeAgain("not every turn of it is on file")
        return cls(game, match, turns, Shelf.whole(session, number_of(match)))

    def made_again(self, run: int) -> MadeAgain:
        """The position after a run. Raises ItCannotBeMadeAgain."""
        line = [run]
        while (state := self._on_file(line[-1])) is None and line[-1]:
            line.append(self._began[line[-1] - 1])
        first = line.pop()
        last = None if state is None else self._turn_of(first)
        state = self._set_up() if state is None else state
        for at in reversed(line):
            state = self._played(at, state)
        return MadeAgain(state, last, len(line))

    def entry(self, run: int) -> Entry:
        if run:
            return entry_of(self.turns[run - 1])
        row = self.shelf.get(0)
        known = self.turns[0].hash_before if self.turns else row.hash if row else ""
        return Entry(0, 0, "", known, set_up_by(self.match))

    @cached_property
    def _began(self) -> list[int]:
        return begun_after(turn.number for turn in self.turns)

    def _turn_of(self, run: int) -> int:
        return self.turns[run - 1].number if run else 0

    def _on_file(self, run: int) -> bytes | None:
        try:
            return self.shelf.checked(self.entry(run))
        except ThePositionIsDamaged:
            return None

    def _set_up(self) -> bytes:
        rules = set_up_by(self.match)
        if rules != self.game.rules:
            why = f"the war was set up by rules {rules} and this program has rules {self.game.rules}"
            raise ItCannotBeMadeAgain(why)
        state = self.game.encode(self.game.setup(self.match.scenario, self._options))
        if state_hash(state) != self.entry(0).hash:
            raise ItCannotBeMadeAgain("the set-up, made anew, has another hash")
        return state

    def _played(self, run: int, before: bytes) -> bytes:
        turn, last = self.turns[run - 1], self._turn_of(self._began[run - 1])
        if turn.rules != self.game.rules:
            why = f"turn {turn.number} was run by rules {turn.rules} and this program has rules {self.game.rules}"
            raise ItCannotBeMadeAgain(why, last)
        try:
            state = self._run(turn, before)
        except Exception as error:  # whatever the engine stumbles over, or sheets that are damaged as well
            raise ItCannotBeMadeAgain(f"turn {turn.number} cannot be played again ({error!r})", last) from error
        if state_hash(state, turn.hash_before) != turn.hash_after:
            raise ItCannotBeMadeAgain(f"turn {turn.number}, played again, comes to another hash", last)
        return state

    def _run(self, turn: models.Turn, before: bytes) -> bytes:
        sealed = [sealed_from(sheet) for sheet in turn.sheets]
        match_id, link = number_of(self.match), bytes.fromhex(turn.link)
        after, _ = run_gate(self.game, match_id, self.game.decode(before), self._options, sealed, link)
        return self.game.encode(after)

    @cached_property
    def _options(self) -> Options:
        return msgspec.convert(self.match.options, Options)
