"""Playing a match again from its set-up, sealed sheets and dice links, and comparing it with the record.

A record comes from the database, or from the bundle of a war that was closed (`pbem/records/bundle.py`). What both have
is compared here; each adds what else it has written down.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.dice import chain_link, link_follows
from engine.events import Event, without_lines
from engine.game import Game, Options, State, state_hash
from pbem.records import models
from pbem.records.matches import ended_early, occasion, run_gate, scenario_of
from pbem.records.seals import AS_SENT, RULES, SealedSheet, digest_of, salt_for, sealed_from, without_remarks
from pbem.records.store import Store


@dataclass(frozen=True)
class Difference:
    """Where the record and the replay part, and what each says there."""

    what: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.what}: recorded {self.recorded}, replayed {self.replayed}"


@dataclass(frozen=True)
class Replayed:
    """One step of a replay; number 0 is the set-up. A turn that was taken back is played again like the others."""

    number: int
    title: str
    hash: str
    program: str
    difference: Difference | None = None
    taken_back: bool = False


class TheyDiffer(Exception):
    def __init__(self, what: str, recorded: object, replayed: object) -> None:
        super().__init__(what)
        self.difference = Difference(what, shown(recorded), shown(replayed))


def shown(value: object) -> str:
    """A value short enough for one line of a report."""
    text = str(value) if isinstance(value, str | Nothing) else json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 200 else text[:197] + "..."


def must_agree(what: str, recorded: object, replayed: object) -> None:
    if recorded != replayed:
        raise TheyDiffer(what, recorded, replayed)


def replay(store: Store, match_id: int) -> list[Replayed]:
    """Every step compared, up to the first difference."""
    with store.reading() as session:
        record = FiledRecord.of(session, store, match_id)
    return list(record.steps())


@dataclass(frozen=True)
class Record:
    """What a war can be played again from, and what its turns came to."""

    match: models.Match
    game: Game
    turns: list[models.Turn]

    @property
    def options(self) -> Options:
        return msgspec.convert(self.match.options, Options)

    # -------------------------------------------------------------- what else is written down

    def check_position(self, run: int, encoded: bytes, reached: str) -> None:
        """A position that was reached; run 0 is the set-up."""

    def check_events(self, turn: models.Turn, events: list[Event]) -> None:
        """What happened in a turn."""

    def check_digest(self, turn: models.Turn, sealed: SealedSheet, digest: str) -> None:
        """A sealed sheet against the digest that its text has."""
        must_agree(f"the digest of {sealed.side}'s sheet", sealed.digest, digest)

    def check_sheet(self, turn: models.Turn, sealed: SealedSheet) -> None:
        """A sealed sheet against the one that was sent."""

    def check_end(self, last: "Reached", turns: int) -> None:
        """How the match stands after so many turns."""

    # -------------------------------------------------------------- playing it again

    def steps(self) -> Iterator[Replayed]:
        """The set-up, each turn, and whether the record ends where the match stands, up to a difference.

        A turn is run from the position that the turn before it left. Of a turn that was played again that is the
        newest run, so the positions are kept by the number of the turn, and a new run forgets those after it.
        """
        state = self.game.setup(self.match.scenario, self.options)
        encoded = self.game.encode(state)
        line = [Reached(state, state_hash(encoded))]
        step = Replayed(0, "Set-up", line[0].hash, "")
        yield (step := self._step(step, lambda: self._check_set_up(encoded, line[0].hash)))
        previous = bytes.fromhex(self.match.commitment) if step.difference is None else b""
        for run, turn in enumerate(self.turns, 1):
            if step.difference is not None:
                return
            replayed = TurnReplayed(self, line, previous, turn, run)
            taken_back = turn.taken_back is not None
            step = Replayed(turn.number, turn.title, turn.hash_after, turn.program, taken_back=taken_back)
            yield (step := self._step(step, replayed.compare))
            line, previous = [*line[: turn.number], replayed.reached], replayed.link
        if step.difference is None:
            end = Replayed(len(self._counting()), "End of the record", line[-1].hash, "")
            if (end := self._step(end, lambda: self._check_end(line))).difference is not None:
                yield end

    def _counting(self) -> list[int]:
        return [turn.number for turn in self.turns if turn.taken_back is None]

    def _step(self, step: Replayed, compare: Callable[[], None]) -> Replayed:
        try:
            compare()
        except TheyDiffer as error:
            return replace(step, difference=error.difference)
        return step

    def _check_set_up(self, encoded: bytes, reached: str) -> None:
        must_agree("the dice commitment", self.match.commitment, chain_link(self.match.secret, 0).hex())
        self.check_position(0, encoded, reached)

    def _check_end(self, line: "list[Reached]") -> None:
        counting = self._counting()
        must_agree("the turns that count", counting, list(range(1, len(counting) + 1)))
        last = line[len(counting)]
        over = self.game.gate(last.state) is None or ended_early(self.match) is not None
        must_agree("the status of the match", self.match.status, models.OVER if over else models.RUNNING)
        self.check_end(last, len(counting))


@dataclass(frozen=True)
class FiledRecord(Record):
    """All that the database has about a match."""

    snapshots: dict[int, models.Snapshot]
    sheets: dict[int, models.Sheet]

    @classmethod
    def of(cls, session: Session, store: Store, match_id: int) -> "FiledRecord":
        match = store.match_in(session, match_id)
        turns = select(models.Turn).where(models.Turn.match_id == match_id).order_by(col(models.Turn.run))
        snapshots = session.exec(select(models.Snapshot).where(models.Snapshot.match_id == match_id))
        sheets = session.exec(select(models.Sheet).where(models.Sheet.match_id == match_id))
        return cls(
            match,
            store.game(match.game),
            list(session.exec(turns)),
            {snapshot.run: snapshot for snapshot in snapshots},
            {sheet.id: sheet for sheet in sheets if sheet.id is not None},
        )

    def check_position(self, run: int, encoded: bytes, reached: str) -> None:
        snapshot = self.snapshots.get(run)
        if snapshot is None:
            raise TheyDiffer("the position", "nothing", "a position")
        same_document("the position", snapshot.state, encoded)
        must_agree("the hash beside the position", snapshot.hash, reached)

    def check_events(self, turn: models.Turn, events: list[Event]) -> None:
        comparable = as_recorded(turn.events, events)
        same_document("the events", turn.events, self.game.encode_events(comparable))

    def check_sheet(self, turn: models.Turn, sealed: SealedSheet) -> None:
        side = sealed.side
        if sealed.sheet is None:
            must_agree(f"the sheet of {side}, who sent none", sealed.text, None)
            return
        kept = self.sheets.get(sealed.sheet)
        if kept is None:
            raise TheyDiffer(f"sheet {sealed.sheet} of {side}", "nothing", "a sheet")
        must_agree(f"the text of sheet {kept.id} of {side}", as_sealed(kept.text, sealed.rule), sealed.text)
        must_agree(f"the digest of sheet {kept.id} of {side}", kept.digest, sealed.digest)
        state = models.SEALED if turn.taken_back is None else models.TAKEN_BACK
        must_agree(f"the state of sheet {kept.id} of {side}", kept.state, state)

    def check_end(self, last: "Reached", turns: int) -> None:
        must_agree("how many turns were run", self.match.gate_number, turns)
        must_agree("the newest position", max(self.snapshots), len(self.turns))
        loose = [sheet for sheet in self.sheets.values() if sheet.state == models.SEALED]
        named = {one["sheet"] for turn in self.turns for one in turn.sheets}
        for sheet in loose:
            if sheet.id not in named:
                raise TheyDiffer(f"sheet {sheet.id} of {sheet.side}", "sealed", "in no turn")


@dataclass(frozen=True)
class Reached:
    """A position of the replay."""

    state: State
    hash: str


class TurnReplayed:
    """One turn run again, from the line of positions before it. After `compare` it knows the position it reached."""

    def __init__(self, record: Record, line: list[Reached], previous: bytes, turn: models.Turn, run: int) -> None:
        self.record, self.line, self.previous = record, line, previous
        self.turn, self.run = turn, run
        self.reached = line[-1]
        self.link = b""

    @property
    def before(self) -> Reached:
        return self.line[self.turn.number - 1]

    def compare(self) -> None:
        must_agree("the number of the run", self.turn.run, self.run)
        self._check_number()
        self._check_gate()
        self._check_link()
        sealed = self._sealed_sheets()
        must_agree("the hash before", self.turn.hash_before, self.before.hash)
        self._run(sealed)

    def _check_number(self) -> None:
        """The next turn, or one of those before it again; then the earlier run of it does not count any more."""
        if not 1 <= self.turn.number <= len(self.line):
            raise TheyDiffer("the number of the turn", self.turn.number, len(self.line))
        later = self.record.turns[self.run :]
        if self.turn.taken_back is None and any(turn.number <= self.turn.number for turn in later):
            raise TheyDiffer("whether the turn counts", "it counts", "it was played again")

    def _check_gate(self) -> None:
        gate = self.record.game.gate(self.before.state)
        if gate is None:
            raise TheyDiffer("the gate", self.turn.gate_id, "none, since the war is over")
        must_agree("the gate", self.turn.gate_id, gate.id)
        must_agree("the title of the gate", self.turn.title, gate.title)

    def _check_link(self) -> None:
        """The link must lead to the one revealed before it, and must be the one the secret gives."""
        self.link = from_hex("the dice link", self.turn.link)
        own = chain_link(self.record.match.secret, self.run)
        if not link_follows(self.link, self.previous):
            raise TheyDiffer("the dice link, which does not lead to the link before it", self.turn.link, own.hex())
        must_agree("the dice link", self.turn.link, own.hex())

    def _sealed_sheets(self) -> list[SealedSheet]:
        try:
            sealed = [sealed_from(one) for one in self.turn.sheets]
        except (KeyError, TypeError, ValueError) as error:
            raise TheyDiffer("the sealed sheets", f"unreadable ({error!r})", "sheets") from error
        sides = scenario_of(self.record.game, self.record.match.scenario).sides
        must_agree("the sides with sealed sheets", [one.side for one in sealed], list(sides))
        for one in sealed:
            self._check_sheet(one)
        return sealed

    def _check_sheet(self, sealed: SealedSheet) -> None:
        secret, side = self.record.match.secret, sealed.side
        at = occasion(self.turn.gate_id, self.run - self.turn.number, self.run)
        must_agree(f"the salt of {side}'s sheet", sealed.salt.hex(), salt_for(secret, at, side).hex())
        if sealed.rule not in RULES:
            raise TheyDiffer(f"the rule by which {side}'s sheet was sealed", sealed.rule, "a rule that is known")
        self.record.check_digest(self.turn, sealed, digest_of(secret, at, side, sealed.text, sealed.rule))
        from_hex(f"the digest of {side}'s sheet", sealed.digest)
        must_agree(f"the sealed text of {side}'s sheet", sealed.text, as_sealed(sealed.text, sealed.rule))
        self.record.check_sheet(self.turn, sealed)

    def _run(self, sealed: list[SealedSheet]) -> None:
        record, game = self.record, self.record.game
        assert record.match.id is not None
        try:
            after, events = run_gate(game, record.match.id, self.before.state, record.options, sealed, self.link)
        except Exception as error:  # whatever the engine stumbles over is what the replay found
            raise TheyDiffer("the run", "a result", f"the engine failed with {error!r}") from error
        encoded = game.encode(after)
        self.reached = Reached(after, state_hash(encoded, self.before.hash))
        record.check_events(self.turn, events)
        record.check_position(self.turn.run, encoded, self.reached.hash)
        must_agree("the hash after", self.turn.hash_after, self.reached.hash)


def as_sealed(text: str | None, rule: int) -> str | None:
    return text if text is None or rule == AS_SENT else without_remarks(text)


def from_hex(what: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise TheyDiffer(what, text, "a number in hexadecimal") from error


# ------------------------------------------------------------------ events without lines


def as_recorded(recorded: bytes, events: Iterable[Event]) -> list[Event]:
    """Events as the program told them that ran the turn: on records from before they carried their lines, without."""
    return list(events) if _names_lines(recorded) else list(map(without_lines, events))


def _names_lines(recorded: bytes) -> bool:
    try:
        events = json.loads(recorded)
    except (ValueError, RecursionError):
        return True
    return not isinstance(events, list) or any(isinstance(event, dict) and "lines" in event for event in events)


# ------------------------------------------------------------------ the first difference of two documents


def same_document(what: str, recorded: bytes, replayed: bytes) -> None:
    """Compares bytes; if they are JSON, the difference is named by its path."""
    if recorded == replayed:
        return
    try:
        found = first_difference(json.loads(recorded), json.loads(replayed))
    except ValueError:
        found = None
    if found is None:
        at = next((at for at, pair in enumerate(zip(recorded, replayed, strict=False)) if pair[0] != pair[1]), -1)
        at = min(len(recorded), len(replayed)) if at < 0 else at
        raise TheyDiffer(f"{what}, at byte {at}", repr(recorded[at : at + 40]), repr(replayed[at : at + 40]))
    path, left, right = found
    raise TheyDiffer(f"{what}, at {path or 'the top'}", left, right)


class Nothing:
    """What is not there. It equals nothing that could be written into a document."""

    def __str__(self) -> str:
        return "nothing"


NOTHING = Nothing()


def first_difference(left: Any, right: Any, path: str = "") -> tuple[str, Any, Any] | None:
    if isinstance(left, dict) and isinstance(right, dict):
        pairs = [
            (f"{path}.{key}".lstrip("."), left.get(key, NOTHING), right.get(key, NOTHING))
            for key in sorted({**left, **right})
        ]
    elif isinstance(left, list) and isinstance(right, list):
        longest = range(max(len(left), len(right)))
        pairs = [(f"{path}[{at}]", nth(left, at), nth(right, at)) for at in longest]
    else:
        return None if left == right and type(left) is type(right) else (path, left, right)
    found = (first_difference(one, other, where) for where, one, other in pairs)
    return next((difference for difference in found if difference is not None), None)


def nth(items: list[Any], at: int) -> Any:
    return items[at] if at < len(items) else NOTHING
