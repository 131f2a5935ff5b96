"""Playing a match again from its set-up, sealed sheets and dice links, and comparing it with the record."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.dice import chain_link, link_follows
from engine.game import Game, Options, State, state_hash
from pbem import models
from pbem.matches import run_gate, scenario_of
from pbem.seals import SealedSheet, digest_of, salt_for, sealed_from
from pbem.store import Store


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
    """One step of a replay; number 0 is the set-up."""

    number: int
    title: str
    hash: str
    program: str
    difference: Difference | None = None


class TheyDiffer(Exception):
    def __init__(self, what: str, recorded: object, replayed: object) -> None:
        super().__init__(what)
        self.difference = Difference(what, shown(recorded), shown(replayed))


def shown(value: object) -> str:
    """A value short enough for one line of a report."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 200 else text[:197] + "..."


def must_agree(what: str, recorded: object, replayed: object) -> None:
    if recorded != replayed:
        raise TheyDiffer(what, recorded, replayed)


def replay(store: Store, match_id: int) -> list[Replayed]:
    """Every step compared, up to the first difference."""
    with store.reading() as session:
        record = Record.of(session, store, match_id)
    return list(record.steps())


@dataclass(frozen=True)
class Record:
    """All that is written down about a match."""

    match: models.Match
    game: Game
    turns: list[models.Turn]
    snapshots: dict[int, models.Snapshot]
    sheets: dict[int, models.Sheet]

    @classmethod
    def of(cls, session: Session, store: Store, match_id: int) -> "Record":
        match = store.match_in(session, match_id)
        turns = select(models.Turn).where(models.Turn.match_id == match_id).order_by(col(models.Turn.number))
        snapshots = session.exec(select(models.Snapshot).where(models.Snapshot.match_id == match_id))
        sheets = session.exec(select(models.Sheet).where(models.Sheet.match_id == match_id))
        return cls(
            match,
            store.game(match.game),
            list(session.exec(turns)),
            {snapshot.number: snapshot for snapshot in snapshots},
            {sheet.id: sheet for sheet in sheets if sheet.id is not None},
        )

    @property
    def options(self) -> Options:
        return msgspec.convert(self.match.options, Options)

    def steps(self) -> Iterator[Replayed]:
        """The set-up, each turn, and whether the record ends where the match stands, up to a difference."""
        state = self.game.setup(self.match.scenario, self.options)
        encoded = self.game.encode(state)
        reached = state_hash(encoded)
        yield (step := self._step(0, "Set-up", reached, "", lambda: self._check_set_up(encoded, reached)))
        previous = bytes.fromhex(self.match.commitment) if step.difference is None else b""
        for number, turn in enumerate(self.turns, 1):
            if step.difference is not None:
                return
            replayed = TurnReplayed(self, state, reached, previous, turn, number)
            step = self._step(turn.number, turn.title, turn.hash_after, turn.program, replayed.compare)
            yield step
            state, reached, previous = replayed.after, replayed.reached, replayed.link
        if step.difference is None:
            end = self._step(len(self.turns), "End of the record", reached, "", lambda: self._check_end(state))
            if end.difference is not None:
                yield end

    def _step(self, number: int, title: str, reached: str, program: str, compare: Any) -> Replayed:
        try:
            compare()
        except TheyDiffer as error:
            return Replayed(number, title, reached, program, error.difference)
        return Replayed(number, title, reached, program)

    def _check_set_up(self, encoded: bytes, reached: str) -> None:
        must_agree("the dice commitment", self.match.commitment, chain_link(self.match.secret, 0).hex())
        self.check_snapshot(0, encoded, reached)

    def check_snapshot(self, number: int, encoded: bytes, reached: str) -> None:
        snapshot = self.snapshots.get(number)
        if snapshot is None:
            raise TheyDiffer("the position", "nothing", "a position")
        same_document("the position", snapshot.state, encoded)
        must_agree("the hash beside the position", snapshot.hash, reached)

    def _check_end(self, state: State) -> None:
        must_agree("how many turns were run", self.match.gate_number, len(self.turns))
        must_agree("the newest position", max(self.snapshots), len(self.turns))
        over = self.game.gate(state) is None
        must_agree("the status of the match", self.match.status, models.OVER if over else models.RUNNING)
        loose = [sheet for sheet in self.sheets.values() if sheet.state == models.SEALED]
        named = {one["sheet"] for turn in self.turns for one in turn.sheets}
        for sheet in loose:
            if sheet.id not in named:
                raise TheyDiffer(f"sheet {sheet.id} of {sheet.side}", "sealed", "in no turn")


class TurnReplayed:
    """One turn run again. After `compare` it knows the position it reached."""

    def __init__(
        self, record: Record, state: State, reached: str, previous: bytes, turn: models.Turn, number: int
    ) -> None:
        self.record, self.before, self.reached, self.previous = record, state, reached, previous
        self.turn, self.number = turn, number
        self.after = state
        self.link = b""

    def compare(self) -> None:
        must_agree("the number of the turn", self.turn.number, self.number)
        self._check_gate()
        self._check_link()
        sealed = self._sealed_sheets()
        must_agree("the hash before", self.turn.hash_before, self.reached)
        self._run(sealed)

    def _check_gate(self) -> None:
        gate = self.record.game.gate(self.before)
        if gate is None:
            raise TheyDiffer("the gate", self.turn.gate_id, "none, since the war is over")
        must_agree("the gate", self.turn.gate_id, gate.id)
        must_agree("the title of the gate", self.turn.title, gate.title)

    def _check_link(self) -> None:
        """The link must lead to the one revealed before it, and must be the one the secret gives."""
        self.link = from_hex("the dice link", self.turn.link)
        own = chain_link(self.record.match.secret, self.number)
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
        must_agree(f"the salt of {side}'s sheet", sealed.salt.hex(), salt_for(secret, self.turn.gate_id, side).hex())
        digest = digest_of(secret, self.turn.gate_id, side, sealed.text)
        must_agree(f"the digest of {side}'s sheet", sealed.digest, digest)
        if sealed.sheet is None:
            must_agree(f"the sheet of {side}, who sent none", sealed.text, None)
            return
        kept = self.record.sheets.get(sealed.sheet)
        if kept is None:
            raise TheyDiffer(f"sheet {sealed.sheet} of {side}", "nothing", "a sheet")
        must_agree(f"the text of sheet {kept.id} of {side}", kept.text, sealed.text)
        must_agree(f"the digest of sheet {kept.id} of {side}", kept.digest, sealed.digest)
        must_agree(f"the state of sheet {kept.id} of {side}", kept.state, models.SEALED)

    def _run(self, sealed: list[SealedSheet]) -> None:
        record, game = self.record, self.record.game
        assert record.match.id is not None
        try:
            self.after, events = run_gate(game, record.match.id, self.before, record.options, sealed, self.link)
        except Exception as error:  # whatever the engine stumbles over is what the replay found
            raise TheyDiffer("the run", "a result", f"the engine failed with {error!r}") from error
        encoded = game.encode(self.after)
        self.reached = state_hash(encoded, self.reached)
        same_document("the events", self.turn.events, game.encode_events(events))
        record.check_snapshot(self.turn.number, encoded, self.reached)
        must_agree("the hash after", self.turn.hash_after, self.reached)


def from_hex(what: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise TheyDiffer(what, text, "a number in hexadecimal") from error


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


NOTHING = "nothing"


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
