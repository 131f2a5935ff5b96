"""The bundle of a war: all that is needed to play it again and to compare every step, in one file, `war.json`.

It is published when the war is closed: the secret, the sealed sheets, the links, the hashes of the positions and what
every side was told. There are no names and addresses in it, no keys, no letters, no remarks of players and none of the
GM. `docs/fairness.md` describes it, so that it can be checked without this program.
"""

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.events import Event, canonical
from engine.game import Game, Options, Outcome, Side, ThereIsNoSuchScenario
from pbem.records import models
from pbem.records.matches import (
    ENDED,
    FIRST_RULES,
    RULES,
    Position,
    begun_after,
    ended_early,
    number_of,
    scenario_of,
    set_up_by,
)
from pbem.records.replay import NOTHING, Reached, Record, TheyDiffer, first_difference, must_agree
from pbem.records.seals import AS_SENT, SealedSheet, without_remarks
from pbem.refusal import Refusal

NAME = "war.json"
FORMAT = "pbem war 1"
#: In bytes, unpacked; the longest war there is takes a tenth of it.
LONGEST = 200_000_000
#: The same of one that was written anew by another program, and of what a side was told of one run.
LONGEST_REWRITTEN, LONGEST_TOLD = 10_000_000, 2_000_000
#: The same war makes the same file, whenever it is packed.
PACKED_AT = (1980, 1, 1, 0, 0, 0)
_LONG_AGO = datetime(1980, 1, 1, tzinfo=UTC)

Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Number = Annotated[int, Meta(ge=1, le=2**53)]


class ThisIsNoBundle(Refusal):
    pass


class BundledSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed sheet. `text` is null if the side sent none; by the first rule it was hashed with its remarks."""

    side: Side
    rule: int
    text: str | None
    salt: Hash
    digest: Hash


class BundledRun(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One run of the engine, and what each side was told of it. `turn` is the turn of the game it was.

    If the position it began from was reached by rules of another number, it is there: whoever does not have those
    rules can play on from it.
    """

    run: Number
    turn: Number
    gate: str
    title: str
    taken_back: bool
    program: str
    sheets: tuple[BundledSheet, ...]
    link: Hash
    hash_before: Hash
    hash_after: Hash
    told: dict[Side, msgspec.Raw]
    rules: Number = FIRST_RULES
    position: bytes | None = None


class Bundle(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="format", tag=FORMAT):
    """A whole war. `ended` says how the players ended it, if they did; else the rules did.

    `rules` is the number of those by which it was set up.
    """

    game: str
    scenario: str
    match: Number
    title: str
    options: Options
    ended: Outcome | None
    outcome: Outcome | None
    program: str
    secret: Hash
    commitment: Hash
    runs: tuple[BundledRun, ...]
    rules: Number = FIRST_RULES

    @property
    def name(self) -> str:
        """Of the file that is mailed."""
        return f"war-{self.match}.zip"

    def rules_before(self) -> list[int]:
        """Of each run, by which rules the position was reached from which it began."""
        numbers = [self.rules, *(run.rules for run in self.runs)]
        return [numbers[run] for run in begun_after(run.turn for run in self.runs)]


# ------------------------------------------------------------------ writing


def bundle_of(position: Position, runs: Sequence[models.Turn], encoded_after: Callable[[int], bytes]) -> Bundle:
    """`position` is the last one, `runs` are all that there were, and `encoded_after` gives the position after each."""
    match = position.match
    began = begun_after(turn.number for turn in runs)
    numbers = [set_up_by(match), *(turn.rules for turn in runs)]
    taken_up = [
        encoded_after(run) if numbers[run] != turn.rules else None for run, turn in zip(began, runs, strict=True)
    ]
    return Bundle(
        match.game,
        match.scenario,
        number_of(match),
        match.title,
        position.options,
        ended_early(match),
        position.outcome,
        version("pbem"),
        match.secret.hex(),
        match.commitment,
        tuple(_run_of(position, turn, encoded) for turn, encoded in zip(runs, taken_up, strict=True)),
        numbers[0],
    )


def _run_of(position: Position, turn: models.Turn, taken_up: bytes | None) -> BundledRun:
    events = position.game.decode_events(turn.events)
    return BundledRun(
        turn.run,
        turn.number,
        turn.gate_id,
        turn.title,
        turn.taken_back is not None,
        turn.program,
        tuple(map(_sheet_of, turn.sheets)),
        turn.link,
        turn.hash_before,
        turn.hash_after,
        {side: msgspec.Raw(_told(position.game, events, side, position.options)) for side in position.scenario.sides},
        turn.rules,
        taken_up,
    )


def _told(game: Game, events: Sequence[Event], side: Side, options: Options) -> bytes:
    return game.encode_events(game.told(events, side, options.fog))


def _sheet_of(record: Mapping[str, Any]) -> BundledSheet:
    """Remarks that were sealed with an older sheet are not published; its orders are the same without them."""
    text = record["text"]
    return BundledSheet(
        record["side"],
        record.get("rule", AS_SENT),
        None if text is None else without_remarks(text),
        record["salt"],
        record["digest"],
    )


def packed(bundle: Bundle) -> bytes:
    """The zip that is mailed: the same bytes whenever it is asked for."""
    entry = zipfile.ZipInfo(NAME, PACKED_AT)
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(entry, canonical(bundle) + b"\n", compresslevel=9)
    return file.getvalue()


def parts_of(data: bytes, most: int) -> list[bytes]:
    """Pieces that a mail can carry; joined they are the zip again."""
    return [data[at : at + most] for at in range(0, len(data), most)]


# ------------------------------------------------------------------ reading


def read_bundle(raw: bytes) -> Bundle:
    """A `war.json` or the zip with it."""
    text = _unpacked(raw) if raw.startswith(b"PK") else raw
    try:
        bundle = msgspec.json.decode(text, type=Bundle)
        _must_say_nothing_else(text, bundle)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        raise ThisIsNoBundle(
            f"this is not the bundle of a war ({str(error)[:200]})",
            f"It is the file {NAME} from the zip that the referee has mailed; a newer program may be needed for it.",
        ) from None
    return bundle


def _must_say_nothing_else(text: bytes, bundle: Bundle) -> None:
    """What is not compared could be a lie that somebody reads: no field may be there twice, unknown or missing."""
    written = canonical(bundle)
    if text.strip() == written:
        return
    if len(text) > LONGEST_REWRITTEN:
        raise ValueError("it is not as the referee writes it")
    if _sorted(plain(text, LONGEST_REWRITTEN)) != _sorted(plain(written, LONGEST_REWRITTEN)):
        raise ValueError("a field is missing, unknown, or there twice")


def _sorted(document: Any) -> str:
    return json.dumps(document, sort_keys=True, default=str)


def plain(document: bytes, most: int = LONGEST_TOLD) -> Any:
    """A JSON document as it is read, or nothing: if it is none, or is too long for what it should be."""
    try:
        return json.loads(document, object_pairs_hook=_each_once) if len(document) <= most else NOTHING
    except (ValueError, RecursionError):
        return NOTHING


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a field that is there twice every program reads the one it likes."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is there twice")
    return found


def _unpacked(raw: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive, archive.open(_only_war_in(archive)) as file:
            text = file.read(LONGEST + 1)
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        raise ThisIsNoBundle(
            f"there is not one {NAME} in this zip, or it is damaged ({type(error).__name__})",
            "Save it again from the mail; if it came in parts, name all of them: pbem verify war-17.zip.*",
        ) from None
    if len(text) > LONGEST:
        raise ThisIsNoBundle(f"the {NAME} in this zip is larger than any war", "Is it the right file?")
    return text


def _only_war_in(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Of two of the same name every program unpacks the one it likes."""
    wars = [entry for entry in archive.infolist() if entry.filename == NAME]
    if len(wars) != 1:
        raise KeyError(NAME)
    return wars[0]


# ------------------------------------------------------------------ checking


@dataclass(frozen=True)
class BundledRecord(Record):
    """A war as its bundle tells it."""

    bundle: Bundle
    #: Sheets whose digest cannot be computed again: (turn, side). Filled in while the war is played again.
    as_told: list[tuple[int, Side]] = field(default_factory=list)

    @classmethod
    def of(cls, bundle: Bundle, games: Mapping[str, Game]) -> "BundledRecord":
        game = games.get(bundle.game)
        try:
            if game is None:
                raise ThereIsNoSuchScenario(f"there is no game {bundle.game!r}")
            game.setup(bundle.scenario, bundle.options)
        except Exception as error:  # whatever the engine says to a scenario or an edition that it does not have
            raise ThisIsNoBundle(
                f"this program does not play such a war ({str(error)[:200]})", "Take the newest version of pbem."
            ) from None
        return cls(_match_of(bundle), game, [_turn_of(bundle, run) for run in bundle.runs], bundle)

    def check_digest(self, turn: models.Turn, sealed: SealedSheet, digest: str) -> None:
        """A sheet that was sealed with its remarks has a digest that only its writer could compute again."""
        if sealed.rule == AS_SENT and sealed.text is not None and sealed.digest != digest:
            must_agree(f"the text of {sealed.side}'s sheet", sealed.text, without_remarks(sealed.text))
            self.as_told.append((turn.number, sealed.side))
        else:
            super().check_digest(turn, sealed, digest)

    def check_events(self, turn: models.Turn, events: list[Event]) -> None:
        for side, told in self._told(turn).items():
            self._check_told(side, told, _told(self.game, self.as_recorded(turn, events), side, self.options))

    def _told(self, turn: models.Turn) -> dict[Side, bytes]:
        told = self.bundle.runs[turn.run - 1].told
        sides = [sheet.side for sheet in self.bundle.runs[turn.run - 1].sheets]
        must_agree("the sides that were told of it", sorted(told), sorted(sides))
        return {side: bytes(told[side]) for side in sides}

    def told_of(self, turn: models.Turn) -> list[Any]:
        documents = {side: plain(told) for side, told in self._told(turn).items()}
        for side, document in documents.items():
            if document is NOTHING:
                raise TheyDiffer(f"what {side} was told", "unreadable", "events")
        return list(documents.values())

    def position_before(self, turn: models.Turn, before: Reached) -> bytes | None:
        return self.bundle.runs[turn.run - 1].position

    def check_nothing_taken_up(self, turn: models.Turn) -> None:
        """What nobody compares could be a lie that somebody reads."""
        if self.bundle.runs[turn.run - 1].position is not None:
            raise TheyDiffer("the position that it began from, by the same rules", "a position", "nothing")

    def first_hash(self) -> str:
        return self.bundle.runs[0].hash_before if self.bundle.runs else ""

    def _check_told(self, side: Side, recorded: bytes, replayed: bytes) -> None:
        found = None if recorded == replayed else first_difference(plain(recorded), plain(replayed))
        if found is not None:
            path, left, right = found
            raise TheyDiffer(f"what {side} was told, at {path or 'the top'}", left, right)

    def check_end(self, last: Reached, turns: int) -> None:
        """Players can only end a war that the rules have not ended, and nobody wins it but one of them.

        How other rules ended it is taken as told.
        """
        ended, sides = self.bundle.ended, scenario_of(self.game, self.bundle.scenario).sides
        if ended is not None and last.is_known and self.game.gate(self.state_in(last)) is None:
            raise TheyDiffer("the outcome, which is by the rules", ended.how, "not ended by the players")
        told = self.bundle.outcome if ended is None and not last.is_known else ended
        if told is not None and not set(told.winners) <= set(sides):
            raise TheyDiffer("the outcome and who won", list(told.winners), f"nobody but {' or '.join(sides)}")
        outcome = told or (self.game.outcome(self.state_in(last)) if last.is_known else None)
        must_agree("the outcome", msgspec.to_builtins(self.bundle.outcome), msgspec.to_builtins(outcome))


def _match_of(bundle: Bundle) -> models.Match:
    beside = {} if bundle.ended is None else {ENDED: msgspec.to_builtins(bundle.ended)}
    return models.Match(
        id=bundle.match,
        game=bundle.game,
        scenario=bundle.scenario,
        title=bundle.title,
        options=msgspec.to_builtins(bundle.options) | beside | {RULES: bundle.rules},
        status=models.OVER,
        secret=bytes.fromhex(bundle.secret),
        commitment=bundle.commitment,
        created=_LONG_AGO,
    )


def _turn_of(bundle: Bundle, run: BundledRun) -> models.Turn:
    return models.Turn(
        match_id=bundle.match,
        run=run.run,
        number=run.turn,
        gate_id=run.gate,
        title=run.title,
        sheets=[{**msgspec.to_builtins(sheet), "sheet": None} for sheet in run.sheets],
        link=run.link,
        hash_before=run.hash_before,
        hash_after=run.hash_after,
        events=b"",
        ran_at=_LONG_AGO,
        program=run.program,
        rules=run.rules,
        taken_back=_LONG_AGO if run.taken_back else None,
    )
