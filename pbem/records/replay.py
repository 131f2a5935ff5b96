"""Playing a match again from its set-up, sealed sheets and dice links, and comparing it with the record.

A record comes from the database, or from the bundle of a war that was closed (`pbem/records/bundle.py`). What both have
is compared here; each adds what else it has written down.

Only turns that were run by the present rules of the game are played again. Of those that were run by others everything
is checked that needs no rules: seals, links, dice and the chain of hashes. Where the number of the rules changes, the
position is taken from the record, and checked by its hash.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.dice import chain_link, die_of, link_follows, run_key_from_digests
from engine.events import Event, without_lines
from engine.game import Game, Options, State, state_hash
from pbem.records import models
from pbem.records.matches import FIRST_RULES, ended_early, occasion, run_gate, scenario_of, set_up_by
from pbem.records.rolls import rolls_in
from pbem.records.seals import AS_SENT, RULES, SealedSheet, digest_of, salt_for, sealed_from, without_remarks
from pbem.records.snapshots import Shelf, ThePositionIsDamaged
from pbem.records.store import Store
from pbem.records.understood import could_be_sealed


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
    """One step of a replay; number 0 is the set-up. A turn that was taken back is played again like the others.

    `rules` is the number of those it was run by; if they are not the present ones it was checked and not `played`.
    """

    number: int
    title: str
    hash: str
    program: str
    difference: Difference | None = None
    taken_back: bool = False
    rules: int = FIRST_RULES
    played: bool = True


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

    def told_of(self, turn: models.Turn) -> list[Any]:
        """The same of a turn that is not played again, as plain data."""
        return []

    def as_recorded(self, turn: models.Turn, events: Iterable[Event]) -> list[Event]:
        """Events as the program told them that ran the turn: before they carried the lines they came of, without."""
        return list(events) if turn.run >= self._first_run_with_lines else list(map(without_lines, events))

    @cached_property
    def _first_run_with_lines(self) -> float:
        """A program that once told the lines went on with it; so they cannot be left out of one place alone."""
        return next((turn.run for turn in self.turns if self._tells_lines(turn)), math.inf)

    def _tells_lines(self, turn: models.Turn) -> bool:
        try:
            return any(map(names_lines, self.told_of(turn)))
        except TheyDiffer:
            return True

    def position_of(self, run: int, reached: str, previous: str) -> bytes | None:
        """The position after a run that is not played again, if it is on file; run 0 is the set-up."""

    def position_before(self, turn: models.Turn, before: "Reached") -> bytes | None:
        """The position from which a turn began that has another number than the one before it."""
        return before.encoded if before.state is None else self.game.encode(before.state)

    def check_nothing_taken_up(self, turn: models.Turn) -> None:
        """A turn with the number of the one before it goes on from where that one ended."""

    def first_hash(self) -> str:
        """Of a set-up that is not made again."""
        return ""

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
        rules = set_up_by(self.match)
        set_up = (SetUpReplayed if rules == self.game.rules else SetUpChecked)(self, rules)
        step = Replayed(0, "Set-up", set_up.reached.hash, "", rules=rules, played=rules == self.game.rules)
        yield (step := self._step(step, set_up.compare))
        line = [set_up.reached]
        previous = bytes.fromhex(self.match.commitment) if step.difference is None else b""
        for run, turn in enumerate(self.turns, 1):
            if step.difference is not None:
                return
            replayed = (TurnReplayed if turn.rules == self.game.rules else TurnChecked)(self, line, previous, turn, run)
            yield (step := self._step(self._step_of(turn), replayed.compare))
            line, previous = [*line[: turn.number], replayed.reached], replayed.link
        if step.difference is None:
            end = Replayed(len(self._counting()), "End of the record", line[-1].hash, "")
            if (end := self._step(end, lambda: self._check_end(line))).difference is not None:
                yield end

    def _step_of(self, turn: models.Turn) -> Replayed:
        return Replayed(
            turn.number,
            turn.title,
            turn.hash_after,
            turn.program,
            taken_back=turn.taken_back is not None,
            rules=turn.rules,
            played=turn.rules == self.game.rules,
        )

    def _counting(self) -> list[int]:
        return [turn.number for turn in self.turns if turn.taken_back is None]

    def _step(self, step: Replayed, compare: Callable[[], None]) -> Replayed:
        try:
            compare()
        except TheyDiffer as error:
            return replace(step, difference=error.difference)
        return step

    def _check_end(self, line: "list[Reached]") -> None:
        counting = self._counting()
        must_agree("the turns that count", counting, list(range(1, len(counting) + 1)))
        last = line[len(counting)]
        if last.is_known:
            over = self.game.gate(self.state_in(last)) is None or ended_early(self.match) is not None
            must_agree("the status of the match", self.match.status, models.OVER if over else models.RUNNING)
        self.check_end(last, len(counting))

    def state_in(self, reached: "Reached") -> State:
        """The state of a position that was played, or is on file."""
        if reached.state is not None or reached.encoded is None:
            return reached.state
        try:
            return self.game.decode(reached.encoded)
        except ValueError as error:  # msgspec's errors are ValueErrors
            raise TheyDiffer("the position", f"unreadable ({error!r})", "a position") from error


@dataclass(frozen=True)
class FiledRecord(Record):
    """All that the database has about a match."""

    snapshots: Shelf
    sheets: dict[int, models.Sheet]

    @classmethod
    def of(cls, session: Session, store: Store, match_id: int) -> "FiledRecord":
        match = store.match_in(session, match_id)
        turns = select(models.Turn).where(models.Turn.match_id == match_id).order_by(col(models.Turn.run))
        sheets = session.exec(select(models.Sheet).where(models.Sheet.match_id == match_id))
        return cls(
            match,
            store.game(match.game),
            list(session.exec(turns)),
            Shelf.whole(session, match_id),
            {sheet.id: sheet for sheet in sheets if sheet.id is not None},
        )

    def check_position(self, run: int, encoded: bytes, reached: str) -> None:
        snapshot, state = self._on_file(run)
        same_document("the position", state, encoded)
        must_agree("the hash beside the position", snapshot.hash, reached)

    def _on_file(self, run: int) -> tuple[models.Snapshot, bytes]:
        """With the position unpacked. Those it is packed against have been compared before it."""
        snapshot = self.snapshots.get(run)
        if snapshot is None:
            raise TheyDiffer("the position", "nothing", "a position")
        try:
            return snapshot, self.snapshots.unpacked(run)
        except ThePositionIsDamaged as damage:
            raise TheyDiffer("the position on file", f"damaged ({damage})", "a position") from None

    def check_events(self, turn: models.Turn, events: list[Event]) -> None:
        same_document("the events", turn.events, self.game.encode_events(self.as_recorded(turn, events)))

    def told_of(self, turn: models.Turn) -> list[Any]:
        try:
            return [json.loads(turn.events)]
        except ValueError as error:
            raise TheyDiffer("the events", f"unreadable ({error!r})", "events") from error

    def position_of(self, run: int, reached: str, previous: str) -> bytes | None:
        snapshot, state = self._on_file(run)
        found = state_hash(state, previous)
        if found not in (snapshot.hash, reached):
            raise TheyDiffer("the position, by its hash", found, reached)
        must_agree("the hash beside the position", snapshot.hash, found)
        must_agree("the hash after", reached, found)
        return state

    def first_hash(self) -> str:
        first = self.snapshots.get(0)
        return first.hash if first else ""

    def check_sheet(self, turn: models.Turn, sealed: SealedSheet) -> None:
        side = sealed.side
        if sealed.sheet is None:
            must_agree(f"the sheet of {side}, who sent none", sealed.text, None)
            return
        kept = self.sheets.get(sealed.sheet)
        if kept is None:
            raise TheyDiffer(f"sheet {sealed.sheet} of {side}", "nothing", "a sheet")
        if not self._was_sealed_in_exact_lines(turn, sealed, kept):
            must_agree(f"the text of sheet {kept.id} of {side}", as_sealed(kept.text, sealed.rule), sealed.text)
            must_agree(f"the digest of sheet {kept.id} of {side}", kept.digest, sealed.digest)
        state = models.SEALED if turn.taken_back is None else models.TAKEN_BACK
        must_agree(f"the state of sheet {kept.id} of {side}", kept.state, state)

    def _was_sealed_in_exact_lines(self, turn: models.Turn, sealed: SealedSheet, kept: models.Sheet) -> bool:
        """Because the program that sealed it would have read it otherwise than the one that took it in.

        Its receipt named the digest of what was sent.
        """
        if kept.understood is None or sealed.text is None or kept.digest == sealed.digest:
            return False
        sent, at = without_remarks(kept.text), occasion(turn.gate_id, turn.run - turn.number, turn.run)
        receipt = digest_of(self.match.secret, at, sealed.side, sent)
        return kept.digest == receipt and could_be_sealed(sealed.text, sent, kept.understood)

    def check_end(self, last: "Reached", turns: int) -> None:
        must_agree("how many turns were run", self.match.gate_number, turns)
        must_agree("the newest position", self.snapshots.newest, len(self.turns))
        loose = [sheet for sheet in self.sheets.values() if sheet.state == models.SEALED]
        named = {one["sheet"] for turn in self.turns for one in turn.sheets}
        for sheet in loose:
            if sheet.id not in named:
                raise TheyDiffer(f"sheet {sheet.id} of {sheet.side}", "sealed", "in no turn")


@dataclass(frozen=True)
class Reached:
    """A position of the replay, and its hash, which is chained to the one before it.

    Of one that was played the state is known, of one that was not its bytes, if they are on file.
    """

    hash: str
    previous: str
    rules: int
    state: State | None = None
    encoded: bytes | None = None

    @property
    def is_known(self) -> bool:
        return self.state is not None or self.encoded is not None


class SetUpChecked:
    """A set-up that was made by other rules. After `compare` it knows the position, if that is on file."""

    def __init__(self, record: Record, rules: int) -> None:
        self.record = record
        self.reached = Reached(record.first_hash(), "", rules)

    def compare(self) -> None:
        match = self.record.match
        must_agree("the dice commitment", match.commitment, chain_link(match.secret, 0).hex())
        self._check_position()

    def _check_position(self) -> None:
        found = self.record.position_of(0, self.reached.hash, "")
        self.reached = replace(self.reached, encoded=found)


class SetUpReplayed(SetUpChecked):
    """The set-up made again."""

    def __init__(self, record: Record, rules: int) -> None:
        self.record = record
        state = record.game.setup(record.match.scenario, record.options)
        self.encoded = record.game.encode(state)
        self.reached = Reached(state_hash(self.encoded), "", rules, state)

    def _check_position(self) -> None:
        self.record.check_position(0, self.encoded, self.reached.hash)


class TurnChecked:
    """One turn that was run by other rules, from the line of positions before it: all is checked that needs no rules.

    After `compare` it knows the hash it reached, and the position if that is on file.
    """

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
        self._check_beginning()
        self._check_link()
        sealed = self._sealed_sheets()
        must_agree("the hash before", self.turn.hash_before, self.before.hash)
        self._check_course(sealed)

    def _check_beginning(self) -> None:
        self._take_up_position()

    def _take_up_position(self) -> None:
        """Where the number of the rules changes, the record says from which position it went on."""
        if self.turn.rules == self.before.rules:
            self.record.check_nothing_taken_up(self.turn)
            return
        encoded = self.record.position_before(self.turn, self.before)
        if encoded is None:
            raise TheyDiffer("the position that it began from, by other rules", "nothing", "a position")
        found = state_hash(encoded, self.before.previous)
        must_agree("the position that it began from, by its hash", found, self.before.hash)
        self.line[self.turn.number - 1] = replace(self.before, encoded=encoded)

    def _check_course(self, sealed: list[SealedSheet]) -> None:
        """Every die that was told of follows from the link and the digests, and the position from the hash before."""
        link, prefix = self.link, f"{self.record.game.id}/{self.record.match.id}/{self.turn.gate_id}/"
        key = run_key_from_digests(link, [bytes.fromhex(one.digest) for one in sealed])
        for label, die in rolls_in(self.record.told_of(self.turn)):
            if not label.startswith(prefix):
                raise TheyDiffer("the label of a die", label, f"{prefix}...")
            must_agree(f"the die {label}", die, die_of(key, label))
        reached, previous = self.turn.hash_after, self.before.hash
        encoded = self.record.position_of(self.turn.run, reached, previous)
        self.reached = Reached(reached, previous, self.turn.rules, encoded=encoded)

    def _check_number(self) -> None:
        """The next turn, or one of those before it again; then the earlier run of it does not count any more."""
        if not 1 <= self.turn.number <= len(self.line):
            raise TheyDiffer("the number of the turn", self.turn.number, len(self.line))
        later = self.record.turns[self.run :]
        if self.turn.taken_back is None and any(turn.number <= self.turn.number for turn in later):
            raise TheyDiffer("whether the turn counts", "it counts", "it was played again")

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


class TurnReplayed(TurnChecked):
    """One turn run again. After `compare` it knows the position it reached."""

    def _check_beginning(self) -> None:
        self._take_up_position()
        gate = self.record.game.gate(self.record.state_in(self.before))
        if gate is None:
            raise TheyDiffer("the gate", self.turn.gate_id, "none, since the war is over")
        must_agree("the gate", self.turn.gate_id, gate.id)
        must_agree("the title of the gate", self.turn.title, gate.title)

    def _check_course(self, sealed: list[SealedSheet]) -> None:
        record, game = self.record, self.record.game
        assert record.match.id is not None
        before = record.state_in(self.before)
        try:
            after, events = run_gate(game, record.match.id, before, record.options, sealed, self.link)
        except Exception as error:  # whatever the engine stumbles over is what the replay found
            raise TheyDiffer("the run", "a result", f"the engine failed with {error!r}") from error
        encoded = game.encode(after)
        self.reached = Reached(state_hash(encoded, self.before.hash), self.before.hash, self.turn.rules, after)
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


# ------------------------------------------------------------------ events with lines


def names_lines(told: Any) -> bool:
    return isinstance(told, list) and any(isinstance(event, dict) and "lines" in event for event in told)


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
