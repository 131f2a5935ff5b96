"""The store: matches, the sheets that wait at their gates, and the turns that were run.

Every change is one transaction, so a crash leaves the war as it was before or as it is after, never between.
A turn is run from the texts of its sealed sheets, and can be run again from them (`pbem/records/replay.py`).
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Engine, bindparam, func
from sqlmodel import Session, col, select

import engine.game
from engine.dice import chain_link
from engine.events import Event
from engine.game import Game, Gate, Options, Side, State, state_hash
from engine.orders import Finding
from pbem.memory import Memory
from pbem.records import models
from pbem.records.database import create_database, open_database, trouble_explained
from pbem.records.keys import new_key
from pbem.records.matches import (
    FIRST_RULES,
    PRESS,
    RULES,
    Awaited,
    Position,
    Receipt,
    Run,
    Scene,
    SeatTaken,
    SheetsAreMissing,
    Standing,
    TheGameIsNotKnown,
    TheGateHasBeenRunAlready,
    ThereIsNoSuchMatch,
    ThereIsNoSuchTurn,
    check_not_frozen,
    check_seats,
    check_side,
    is_over_since,
    link_for,
    missing_at,
    must_fit_the_dice,
    must_have_bots,
    number_of,
    options_that_fit,
    run_sheets,
    scenario_of,
)
from pbem.records.mending import MENDED, Found, ThePositionOnFileIsDamaged, entry_after, mend, put_right, state_on_file
from pbem.records.papers import mail_secret
from pbem.records.place import database_in
from pbem.records.seals import SealedSheet, as_kept, digest_of, seal, sealed_as, without_remarks
from pbem.records.seats import seats_of
from pbem.records.settled import settles_at
from pbem.records.sheets import is_final, judge, leaves_doubt, remarked, replacing, usable_lines
from pbem.records.snapshots import Entry, entry_of, filed
from pbem.records.understood import as_understood, understood_in

_KEEP_SHEET = models.Sheet.__table__.insert()  # type: ignore[attr-defined]
_THE_TURN = (
    models.Turn.match_id == bindparam("match_id"),
    models.Turn.number == bindparam("number"),
    col(models.Turn.taken_back).is_(None),
)
_TURN = select(models.Turn).where(*_THE_TURN)
_RUNS = select(func.max(models.Turn.run)).where(models.Turn.match_id == bindparam("match_id"))
_WAITING = select(models.Sheet).where(
    models.Sheet.match_id == bindparam("match_id"),
    models.Sheet.gate_id == bindparam("gate_id"),
    models.Sheet.state == models.WAITING,
)

#: In bytes: positions that are kept in mind, with all that was asked of them.
SCENES_WEIGH = 64_000_000


def _remembering() -> Memory[Scene]:
    return Memory(SCENES_WEIGH, Scene.weight)


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Store:
    directory: Path
    engine: Engine = field(repr=False)
    games: Mapping[str, Game]
    clock: Callable[[], datetime] = now
    scenes: Memory[Scene] = field(default_factory=_remembering, repr=False, compare=False)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction; nobody else writes meanwhile."""
        with (
            trouble_explained(database_in(self.directory)),
            Session(self.engine, expire_on_commit=False) as session,
        ):
            with session.begin():
                yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """The state of affairs at one moment; never waits for a writer."""
        reader = self.engine.execution_options(reading=True)
        with (
            trouble_explained(database_in(self.directory)),
            Session(reader, expire_on_commit=False) as session,
        ):
            yield session

    @cached_property
    def mail_secret(self) -> str:
        """What our Message-IDs come from; it never changes."""
        with self.reading() as session:
            return mail_secret(session)

    def game(self, game_id: str) -> Game:
        if game_id not in self.games:
            raise TheGameIsNotKnown(
                f"there is no game {game_id!r}", f"There are: {', '.join(self.games)}. See: pbem games"
            )
        return self.games[game_id]

    # -------------------------------------------------------------- making a match

    def new_match(
        self,
        game_id: str,
        scenario_id: str,
        seats: Sequence[SeatTaken],
        options: Options = Options(),  # noqa: B008 - it is frozen
        title: str = "",
        secret: bytes | None = None,
        *,
        clock: Mapping[str, Any] | None = None,
        press: str = "named",
        settle_minutes: int = 0,
        begin: "Callable[[Session, models.Match], None] | None" = None,
    ) -> models.Match:
        """A new match at its first gate, its dice committed to. A secret is given only in tests.

        `begin` is done in the same transaction: what the referee does when a match is played by mail. A match with an
        open seat is paused until somebody has joined.
        """
        game = self.game(game_id)
        scenario = scenario_of(game, scenario_id)
        check_seats(scenario, seats)
        must_have_bots(game, seats)
        must_fit_the_dice(game)
        options = options_that_fit(game, scenario, options)
        encoded = game.encode(game.setup(scenario_id, options))
        secret = secret or secrets.token_bytes(32)
        match = models.Match(
            game=game_id,
            scenario=scenario_id,
            title=title or scenario.title,
            options=msgspec.to_builtins(options) | _beside_the_options(game, press),
            secret=secret,
            commitment=chain_link(secret, 0).hex(),
            created=self.clock(),
            clock=dict(clock or {}),
            settle_minutes=settle_minutes,
            paused=any(seat.is_open for seat in seats),
        )
        with self.writing() as session:
            session.add(match)
            session.flush()
            number = number_of(match)
            session.add_all(seat_for(number, seat) for seat in seats)
            session.add(filed(number, Entry(0, 0, "", state_hash(encoded), game.rules), encoded))
            self.note(session, number, "made the match", f"{game_id} {scenario_id}, dice {match.commitment}")
            session.flush()
            if begin is not None:
                begin(session, match)
        return match

    # -------------------------------------------------------------- sheets

    def check_sheet(self, match_id: int, side: Side, text: str) -> Receipt:
        """Judge a sheet without keeping it."""
        with self.reading() as session:
            return self.receive_in(session, match_id, side, text, keep=False)

    def take_sheet(self, match_id: int, side: Side, text: str) -> Receipt:
        """Judge a sheet and keep it for the open gate if it can be used; the newest counts."""
        with self.writing() as session:
            return self.receive_in(session, match_id, side, text, keep=True)

    def receive_in(
        self,
        session: Session,
        match_id: int,
        side: Side,
        text: str,
        *,
        keep: bool,
        remarks: Sequence[Finding] = (),
    ) -> Receipt:
        """`remarks` were made on its lines when the letter was read."""
        position = self.position_in(session, match_id)
        check_side(position.scenario, side)
        gate = position.open_gate
        if keep:
            check_not_frozen(position.match)
        text = as_kept(text)
        judged = remarked(judge(position.reading(side, text), gate, side, text), remarks)
        digest = digest_of(position.match.secret, position.occasion, side, without_remarks(text))
        arrived = self.clock()
        kept = keep and judged.can_be_used
        waiting = self.waiting_in(session, match_id, gate)
        superseded = kept and side in waiting
        if superseded:
            judged = replacing(judged, self._usable_lines(position, waiting[side]))
        if kept:
            self._lay_aside(session, waiting.get(side))
            sheet = {
                "match_id": match_id,
                "side": side,
                "gate_id": gate.id,
                "text": text,
                "findings": msgspec.to_builtins(judged.findings),
                "arrived": arrived,
                "state": models.WAITING,
                "digest": digest,
                "understood": understood_in(judged.sheet),
            }
            session.connection().execute(_KEEP_SHEET, sheet)
        missing = missing_at(gate, {*waiting, side} if kept else waiting)
        return Receipt(position.match, side, gate, judged, digest, arrived, kept, judged.why_not, superseded, missing)

    def _usable_lines(self, position: Position, sheet: models.Sheet) -> int:
        """How many lines of a sheet that waits can be used."""
        read = position.reading(sheet.side, sheet.text).sheet
        return usable_lines(read, msgspec.convert(sheet.findings, list[Finding]))

    def _lay_aside(self, session: Session, sheet: models.Sheet | None) -> None:
        """At once: two sheets of a side never wait at the same time."""
        if sheet is not None:
            sheet.state = models.SUPERSEDED
            session.add(sheet)
            session.flush()

    def withdraw_in(self, session: Session, match_id: int, side: Side) -> models.Sheet | None:
        """Take the sheet that waits at the open gate off the file; None if there is none."""
        gate = self.position_in(session, match_id).open_gate
        check_not_frozen(self.match_in(session, match_id))
        sheet = self.waiting_in(session, match_id, gate).get(side)
        self._lay_aside(session, sheet)
        return sheet

    def waiting_in(self, session: Session, match_id: int, gate: Gate) -> dict[Side, models.Sheet]:
        found = session.exec(_WAITING, params={"match_id": match_id, "gate_id": gate.id})
        return {sheet.side: sheet for sheet in found}

    # -------------------------------------------------------------- running a gate

    def process(self, match_id: int, *, without_missing: bool = False, gate_number: int | None = None) -> Run:
        """Seal the sheets that wait and run the open gate, in one transaction.

        `gate_number` is how many gates had been run when the caller looked; if it is more now, somebody else
        was faster and nothing is done.
        """
        with self.writing() as session:
            return self.process_in(session, match_id, without_missing=without_missing, gate_number=gate_number)

    def process_in(
        self, session: Session, match_id: int, *, without_missing: bool = False, gate_number: int | None = None
    ) -> Run:
        """The same in a transaction that holds more than the turn."""
        position = self.position_in(session, match_id)
        if gate_number is not None and position.match.gate_number != gate_number:
            raise TheGateHasBeenRunAlready(
                f"another process has run match {match_id} meanwhile", f"See: pbem status {match_id}"
            )
        gate = position.open_gate
        check_not_frozen(position.match)
        mended = self._mended_on_file(session, position)
        waiting = self.waiting_in(session, match_id, gate)
        missing = missing_at(gate, waiting)
        if missing and not without_missing:
            raise SheetsAreMissing(match_id, gate, missing)
        return replace(self._run(session, position, waiting, missing), mended=mended)

    def _run(
        self,
        session: Session,
        position: Position,
        waiting: Mapping[Side, models.Sheet],
        missing: tuple[Side, ...],
    ) -> Run:
        match, game, gate = position.match, position.game, position.open_gate
        run = position.runs + 1
        link = link_for(match, run)
        sealed = [_sealed(position, side, waiting.get(side)) for side in position.scenario.sides]
        sheets = {one.side: position.reading(one.side, one.text).sheet for one in sealed if one.text is not None}
        after, events = run_sheets(game, position.match_id, position.state, sheets, sealed, link)
        encoded = game.encode(after)
        turn = models.Turn(
            match_id=position.match_id,
            run=run,
            number=match.gate_number + 1,
            gate_id=gate.id,
            title=gate.title,
            sheets=[one.record() for one in sealed],
            link=link.hex(),
            hash_before=position.entry.hash,
            hash_after=state_hash(encoded, position.entry.hash),
            events=game.encode_events(events),
            ran_at=self.clock(),
            program=version("pbem"),
            rules=game.rules,
        )
        session.add(turn)
        session.add(filed(position.match_id, entry_of(turn), encoded, (position.entry, position.scene.encoded)))
        self._close_gate(session, match, waiting, game.gate(after))
        self.note(session, position.match_id, "ran a gate", run_note(turn, missing))
        return Run(match, turn, missing, game.gate(after), game.outcome(after))

    def _close_gate(
        self,
        session: Session,
        match: models.Match,
        waiting: Mapping[Side, models.Sheet],
        following: Gate | None,
    ) -> None:
        for sheet in waiting.values():
            sheet.state = models.SEALED
            session.add(sheet)
        match.gate_number += 1
        if following is None:
            is_over_since(match, self.clock())
        session.add(match)

    def _mended_on_file(self, session: Session, position: Position) -> str:
        """What the next position is packed against has to be readable on file, not in our memory alone."""
        mended = put_right(session, position.match, position.entry, position.scene.encoded)
        if mended:
            self.note(session, position.match_id, MENDED, mended, "referee")
        return mended

    def note(self, session: Session, match_id: int, act: str, detail: str, who: str = "gm") -> None:
        """What was done, for the record."""
        session.add(models.Ledger(match_id=match_id, at=self.clock(), who=who, act=act, detail=detail))

    def mend(self, match_id: int) -> list[Found]:
        """Look at every position of a match that is on file, and write those anew that are damaged."""
        with self.writing() as session:
            match = self.match_in(session, match_id)
            found = mend(session, self.game(match.game), match)
            for one in found:
                if one.again is not None:
                    self.note(session, match_id, MENDED, str(one))
        return found

    # -------------------------------------------------------------- looking

    def position(self, match_id: int) -> Position:
        with self.reading() as session:
            return self.position_in(session, match_id)

    def state_of(self, match_id: int) -> State:
        return self.position(match_id).state

    def turns_of(self, match_id: int) -> list[models.Turn]:
        """The turns that count, first to last."""
        return [turn for turn in self.runs_of(match_id) if turn.taken_back is None]

    def runs_of(self, match_id: int, number: int | None = None) -> list[models.Turn]:
        """All turns in the order they were run, also those that were taken back; or the runs of one turn."""
        with self.reading() as session:
            self.match_in(session, match_id)
            runs = select(models.Turn).where(models.Turn.match_id == match_id).order_by(col(models.Turn.run))
            found = session.exec(runs if number is None else runs.where(models.Turn.number == number)).all()
        if number is not None and not found:
            raise no_such_turn(match_id, number)
        return list(found)

    def turn(self, match_id: int, number: int) -> models.Turn:
        with self.reading() as session:
            self.match_in(session, match_id)
            return self.turn_in(session, match_id, number)

    def events_of(self, turn: models.Turn) -> list[Event]:
        """All that happened in a turn. `game.told` says what a side may read of it."""
        with self.reading() as session:
            game = self.game(self.match_in(session, turn.match_id).game)
        try:
            return game.decode_events(turn.events)
        except msgspec.DecodeError as error:
            raise ThePositionOnFileIsDamaged(
                f"the events of turn {turn.number} of match {turn.match_id} cannot be read ({error})",
                f"Find the first difference with: pbem replay {turn.match_id}",
            ) from error

    def seats_of(self, match_id: int) -> list[models.Seat]:
        with self.reading() as session:
            seats = select(models.Seat).where(models.Seat.match_id == match_id)
            return list(session.exec(seats.order_by(col(models.Seat.id))))

    def matches(self) -> list[models.Match]:
        with self.reading() as session:
            return list(session.exec(select(models.Match).order_by(col(models.Match.id))))

    def standing(self, match_id: int) -> Standing:
        """Whose sheets are awaited, and since when."""
        with self.reading() as session:
            position = self.position_in(session, match_id)
            gate = position.gate
            outcome = position.outcome
            if gate is None:
                return Standing(position.match, None, outcome, (), position.taken_back)
            since = self.opened_in(session, position.match)
            waiting = self.waiting_in(session, match_id, gate)
            seats = seats_of(session, position.match)
        awaited = [_awaited(gate, side, since, waiting.get(side), seats) for side in gate.awaits + gate.also_heard]
        settles = settles_at(position.match, gate, waiting, seats)
        waits = tuple(seat.side for seat in seats if seat.wait_gate == gate.id)
        return Standing(position.match, gate, outcome, tuple(awaited), position.taken_back, settles, waits)

    def opened_in(self, session: Session, match: models.Match) -> datetime:
        """When the open gate opened: after the turn before it, or when the game was taken back to it."""
        number = match.gate_number
        around = select(models.Turn.ran_at, models.Turn.taken_back).where(
            models.Turn.match_id == match.id, col(models.Turn.number).in_((number, number + 1))
        )
        return max([match.created, *(taken_back or ran_at for ran_at, taken_back in session.exec(around))])

    def match_in(self, session: Session, match_id: int) -> models.Match:
        match = session.get(models.Match, match_id)
        if match is None:
            raise ThereIsNoSuchMatch(f"there is no match {match_id}", "List the matches with: pbem status")
        return match

    def turn_in(self, session: Session, match_id: int, number: int) -> models.Turn:
        """The run of this turn that counts."""
        turn = session.exec(_TURN, params={"match_id": match_id, "number": number}).first()
        if turn is None:
            raise no_such_turn(match_id, number)
        return turn

    def position_in(self, session: Session, match_id: int) -> Position:
        return self.position_after(session, match_id, self.match_in(session, match_id).gate_number)

    def position_after(self, session: Session, match_id: int, number: int) -> Position:
        """The position that a turn left; number 0 is the set-up."""
        match = self.match_in(session, match_id)
        game = self.game(match.game)
        runs = session.exec(_RUNS, params={"match_id": match_id}).one() or 0
        entry = entry_after(session, match, number)
        if entry is None:
            raise no_such_turn(match_id, number)
        scene = self.scenes.recall((game.id, entry.hash), lambda: _scene(session, game, match, entry))
        return Position(match, game, entry, scene, number, runs, runs - match.gate_number)


def _scene(session: Session, game: Game, match: models.Match, entry: Entry) -> Scene:
    try:
        return Scene(game, state_on_file(session, game, match, entry))
    except ValueError as error:  # msgspec's errors are ValueErrors
        raise ThePositionOnFileIsDamaged(
            f"match {match.id}: {entry} cannot be read ({error})",
            f"It is as it was written. Has a newer program run the turn? See: pbem log {match.id}",
        ) from error


def _beside_the_options(game: Game, press: str) -> dict[str, Any]:
    """What is as it was from the beginning is not written down."""
    beside = {PRESS: press} if press != "named" else {}
    return beside | ({RULES: game.rules} if game.rules != FIRST_RULES else {})


def _awaited(
    gate: Gate, side: Side, since: datetime, sheet: models.Sheet | None, seats: Sequence[models.Seat]
) -> Awaited:
    must_send = side in gate.awaits
    if sheet is None:
        return Awaited(side, since, must_send, None)
    unready = must_send and any(seat.side == side and not is_final(sheet, seat, gate) for seat in seats)
    return Awaited(side, since, must_send, sheet.arrived, unready and leaves_doubt(sheet), unready)


def _sealed(position: Position, side: Side, sheet: models.Sheet | None) -> SealedSheet:
    """A sheet says to the run what it said to its receipt, whatever program took it."""
    secret, occasion = position.match.secret, position.occasion
    sealed = seal(secret, occasion, side, sheet)
    if sheet is None or sealed.text is None:
        return sealed
    text = as_understood(sealed.text, sheet.understood, lambda text: position.reading(side, text).sheet)
    return sealed if text == sealed.text else sealed_as(secret, occasion, sealed, text)


def seat_for(match_id: int, seat: SeatTaken) -> models.Seat:
    """With a key that nobody knows yet; an open one gets its key with its player, and a bot needs none."""
    if seat.bot is not None:
        return models.Seat(match_id=match_id, side=seat.side, address="", state=models.BOT, bot=seat.bot)
    state, key = (models.OPEN, "") if seat.is_open else (models.TAKEN, new_key())
    return models.Seat(match_id=match_id, side=seat.side, address=seat.address, name=seat.name, state=state, key=key)


def no_such_turn(match_id: int, number: int) -> ThereIsNoSuchTurn:
    return ThereIsNoSuchTurn(f"match {match_id} has no turn {number}", f"List its turns with: pbem log {match_id}")


def run_note(turn: models.Turn, missing: Sequence[Side]) -> str:
    without = f", without {', '.join(missing)}" if missing else ""
    return f"turn {turn.number}, {turn.title}{without}"


def create_store(directory: Path) -> None:
    create_database(directory)


def open_store(directory: Path, games: Mapping[str, Game] | None = None) -> Store:
    """The store of a data directory, its tables brought up to date."""
    return Store(directory, open_database(directory), engine.game.games() if games is None else games)
