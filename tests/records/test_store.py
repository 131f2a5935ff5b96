"""The store: sheets wait, are superseded and sealed; a turn is one transaction; a replay finds every change."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from sqlmodel import Session, select

from engine.dice import CHAIN_LENGTH, chain_link, link_follows
from engine.game import Options, state_hash
from engine.orders import Kind
from pbem.records import models
from pbem.records.database import PRAGMAS, ThereIsADatabaseAlready, ThereIsNoDatabaseHere, database_in
from pbem.records.matches import (
    SeatTaken,
    SheetsAreMissing,
    TheDiceChainIsUsedUp,
    TheEditionIsNotKnown,
    TheGameIsNotKnown,
    TheGateHasBeenRunAlready,
    ThereIsNoSuchMatch,
    ThereIsNoSuchSide,
    ThereIsNoSuchTurn,
    TheSeatsDoNotFit,
    TheWarIsOver,
)
from pbem.records.mending import ThePositionOnFileIsDamaged
from pbem.records.models import TheTimeHasNoZone
from pbem.records.replay import replay
from pbem.records.sheets import ItIsNotThisSidesTurn
from pbem.records.store import Store, create_store, open_store
from pbem.refusal import Refusal
from tests.positions import damage, state_after, unpack_all
from tests.the_project import ROOT
from tests.toy.newer import ByRules2
from tests.toy.table import SEATS, SECRET, new_match, new_store, play_by_bots, send_bots, toy_games


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return new_store(tmp_path / "war")


def sheets_of(store: Store, match_id: int) -> list[models.Sheet]:
    with store.reading() as session:
        return list(session.exec(select(models.Sheet).where(models.Sheet.match_id == match_id)))


def sql(store: Store, statement: str, *values: object) -> None:
    """Tampering from outside, behind the program's back."""
    with sqlite3.connect(database_in(store.directory)) as connection:
        assert connection.execute(statement, values).rowcount > 0


# ------------------------------------------------------------------ opening


def test_a_directory_without_database_is_refused_with_a_remedy(tmp_path):
    with pytest.raises(ThereIsNoDatabaseHere) as refusal:
        open_store(tmp_path, toy_games())
    assert f"pbem init {tmp_path}" in refusal.value.remedy


def test_init_does_not_overwrite(store):
    with pytest.raises(ThereIsADatabaseAlready):
        create_store(store.directory)


def test_the_database_is_for_the_gm_alone(store):
    assert database_in(store.directory).stat().st_mode & 0o077 == 0


def test_every_connection_has_the_pragmas(store):
    with store.engine.connect() as connection:
        values = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name, _ in (p.split("=") for p in PRAGMAS)
        }
    assert values == {"busy_timeout": 10000, "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_writer_begins_as_a_writer_and_a_reader_does_not_wait(store):
    new_match(store)
    with store.writing() as session:
        session.add(models.Ledger(match_id=1, at=store.clock(), who="gm", act="waits"))
        session.flush()
        assert store.position(1).match_id == 1  # a second connection reads meanwhile


def test_times_come_back_aware_and_in_utc(store):
    new_match(store)
    assert store.position(1).match.created.tzinfo is UTC


def test_times_without_a_zone_are_refused(store):
    store = with_clock(store, lambda: datetime(2026, 1, 1))
    with pytest.raises(Exception, match="no time zone") as error:
        new_match(store)
    assert isinstance(error.value.__cause__ or error.value.orig, TheTimeHasNoZone)


def with_clock(store: Store, clock) -> Store:
    return Store(store.directory, store.engine, store.games, clock)


# ------------------------------------------------------------------ matches


def test_a_new_match_is_committed_to_its_dice(store):
    match = store.new_match("two-hills", "at-once", SEATS)
    assert len(match.secret) == 32
    assert match.commitment == chain_link(match.secret, 0, CHAIN_LENGTH).hex()
    assert match.title == "Two Hills, both at once"
    other = store.new_match("two-hills", "at-once", SEATS, title="Another")
    assert (other.id, other.title) == (2, "Another")
    assert other.secret != match.secret
    assert [seat.side for seat in store.seats_of(1)] == ["red", "blue"]
    assert [seat.name for seat in store.seats_of(1)] == ["Rosa", ""]


@pytest.mark.parametrize(
    ("seats", "refusal"),
    [
        ((SEATS[0],), TheSeatsDoNotFit),
        ((*SEATS, SEATS[0]), TheSeatsDoNotFit),
        ((*SEATS, SeatTaken("green", "g@example.org")), ThereIsNoSuchSide),
    ],
)
def test_every_side_has_exactly_one_seat(store, seats, refusal):
    with pytest.raises(refusal):
        store.new_match("two-hills", "at-once", seats)
    assert store.matches() == []


def test_unknown_games_scenarios_editions_and_matches_are_refused(store):
    with pytest.raises(TheGameIsNotKnown):
        store.new_match("three-hills", "at-once", SEATS)
    with pytest.raises(TheGameIsNotKnown):
        store.new_match("two-hills", "by-night", SEATS)
    with pytest.raises(TheEditionIsNotKnown):
        store.new_match("two-hills", "at-once", SEATS, Options(edition="1984"))
    with pytest.raises(ThereIsNoSuchMatch):
        store.position(17)
    with pytest.raises(ThereIsNoSuchTurn):
        store.turn(new_match(store), 1)


# ------------------------------------------------------------------ sheets


def test_the_newest_sheet_counts(store):
    match_id = new_match(store)
    first = store.take_sheet(match_id, "red", "TAKE north\n")
    second = store.take_sheet(match_id, "red", "TAKE south\n")
    assert (first.kept, first.superseded) == (True, False)
    assert (second.kept, second.superseded) == (True, True)
    assert second.missing == ("blue",)
    assert first.digest != second.digest
    assert [sheet.state for sheet in sheets_of(store, match_id)] == ["superseded", "waiting"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("FOR blue 1\nTAKE north", "another side or turn"),
        ("FOR red 2\nTAKE north", "another side or turn"),
        ("DANCE\nSING", "no line of this sheet"),
        ("", "empty"),
        ("  \n\n", "empty"),
    ],
)
def test_a_sheet_that_cannot_be_used_leaves_the_earlier_one_in_force(store, text, why):
    match_id = new_match(store)
    store.take_sheet(match_id, "red", "TAKE north")
    receipt = store.take_sheet(match_id, "red", text)
    assert not receipt.kept
    assert not receipt.superseded
    assert why in receipt.why_not
    assert [sheet.text for sheet in sheets_of(store, match_id)] == ["TAKE north"]


def test_a_sheet_with_some_bad_lines_is_taken_with_findings(store):
    match_id = new_match(store)
    receipt = store.take_sheet(match_id, "red", "DANCE\nTAKE north\nTAKE south\n")
    assert receipt.kept
    assert [(f.line, f.kind) for f in receipt.judged.findings] == [(1, Kind.UNREADABLE), (3, Kind.ILLEGAL)]
    assert [found["line"] for found in sheets_of(store, match_id)[0].findings] == [1, 3]


def test_a_sheet_of_comments_orders_nothing_on_purpose(store):
    match_id = new_match(store)
    receipt = store.take_sheet(match_id, "red", "# no orders\n")
    assert receipt.kept
    assert receipt.missing == ("blue",)


def test_checking_keeps_nothing(store):
    match_id = new_match(store)
    receipt = store.check_sheet(match_id, "red", "TAKE north")
    assert (receipt.kept, receipt.why_not, receipt.missing) == (False, "", ("red", "blue"))
    assert sheets_of(store, match_id) == []


def test_a_side_that_waits_is_heard_in_standing_orders_alone(store):
    match_id = new_match(store, "by-turns")
    receipt = store.take_sheet(match_id, "blue", "STANDING TAKE south\nTAKE north\n")
    assert receipt.kept
    assert [line.number for line in receipt.judged.sheet.lines] == [1]
    assert [(f.line, "not your turn" in f.why) for f in receipt.judged.findings] == [(2, True)]
    refused = store.take_sheet(match_id, "blue", "TAKE north")
    assert not refused.kept
    store.take_sheet(match_id, "red", "HOLD")
    store.process(match_id)
    state = store.state_of(match_id)
    assert str(state.standing["blue"]) == "TAKE south"
    assert state.owner == {}
    assert [sheet.state for sheet in sheets_of(store, match_id)] == ["sealed", "sealed"]


def test_who_is_no_side_is_refused(store):
    with pytest.raises(ThereIsNoSuchSide):
        store.take_sheet(new_match(store), "green", "HOLD")


def test_a_side_the_gate_does_not_hear_is_refused(store, monkeypatch):
    match_id = new_match(store, "by-turns")
    game = store.games["two-hills"]
    real = game.gate
    monkeypatch.setattr(game, "gate", lambda state: msgspec.structs.replace(real(state), also_heard=()))
    with pytest.raises(ItIsNotThisSidesTurn):
        store.take_sheet(match_id, "blue", "STANDING HOLD")


def test_bytes_no_database_keeps_are_replaced(store):
    match_id = new_match(store)
    assert store.take_sheet(match_id, "red", "TAKE north # \0 \ud83d\n").kept
    assert sheets_of(store, match_id)[0].text == "TAKE north # � ?\n"


def test_a_digest_cannot_be_guessed_from_the_text(store):
    """Equal sheets of two sides, gates or matches have different digests."""
    one, two = new_match(store), store.new_match("two-hills", "at-once", SEATS).id
    digests = [store.take_sheet(match, side, "HOLD").digest for match in (one, two) for side in ("red", "blue")]
    store.process(one)
    digests.append(store.take_sheet(one, "red", "HOLD").digest)
    assert len(set(digests)) == 5


# ------------------------------------------------------------------ turns


def test_a_turn_waits_for_every_sheet(store):
    match_id = new_match(store)
    store.take_sheet(match_id, "red", "TAKE north")
    with pytest.raises(SheetsAreMissing) as refusal:
        store.process(match_id)
    assert refusal.value.missing == ("blue",)
    assert store.position(match_id).match.gate_number == 0
    assert sheets_of(store, match_id)[0].state == "waiting"


def test_without_missing_the_default_decides(store):
    match_id = new_match(store)
    store.take_sheet(match_id, "red", "TAKE north")
    run = store.process(match_id, without_missing=True)
    assert run.defaulted == ("blue",)
    assert [one["text"] for one in run.turn.sheets] == ["TAKE north", None]
    assert any(type(event).__name__ == "DefaultUsed" for event in store.events_of(run.turn))


def test_turns_chain_their_hashes_and_links(store):
    match_id = new_match(store)
    play_by_bots(store, match_id)
    match = store.position(match_id).match
    assert match.status == "over"
    previous_hash, previous_link = "", bytes.fromhex(match.commitment)
    with store.reading() as session:
        snapshots = [session.get(models.Snapshot, (match_id, number)) for number in range(match.gate_number + 1)]
    for snapshot in snapshots:
        assert snapshot.hash == state_hash(state_after(store, snapshot.run), previous_hash)
        previous_hash = snapshot.hash
    for turn, snapshot in zip(store.turns_of(match_id), snapshots[1:], strict=True):
        assert turn.hash_after == snapshot.hash
        assert link_follows(bytes.fromhex(turn.link), previous_link)
        previous_link = bytes.fromhex(turn.link)
    with pytest.raises(TheWarIsOver):
        store.process(match_id)
    with pytest.raises(TheWarIsOver):
        store.take_sheet(match_id, "red", "HOLD")


def test_the_dice_depend_on_the_sheets_that_were_sealed(store):
    """The same secret and the same orders, but another comment: other dice labels or values."""
    rolls = []
    for comment in ("", "# a", "# b", "# c"):
        match_id = new_match(store)
        store.take_sheet(match_id, "red", f"TAKE north {comment}")
        store.take_sheet(match_id, "blue", "TAKE north")
        fought = next(e for e in store.events_of(store.process(match_id).turn) if type(e).__name__ == "Fought")
        assert fought.attack.label == f"two-hills/{match_id}/1-red-blue/north/red/1"
        rolls.append((fought.attack.die, fought.defence.die))
    assert len(set(rolls)) > 1


def test_the_ledger_tells_what_was_done(store):
    match_id = new_match(store)
    store.process(match_id, without_missing=True)
    with store.reading() as session:
        acts = [(entry.who, entry.act, entry.detail) for entry in session.exec(select(models.Ledger))]
    assert [act for _, act, _ in acts] == ["made the match", "ran a gate"]
    assert acts[1][2] == "turn 1, Turn 1, Red and Blue, without red, blue"


def test_standing_says_who_is_awaited_and_since_when(store):
    moments = iter(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour) for hour in range(100))
    store = with_clock(store, lambda: next(moments))
    match_id = new_match(store, "by-turns")
    standing = store.standing(match_id)
    created = standing.match.created
    assert [(one.side, one.must_send, one.since, one.arrived) for one in standing.awaited] == [
        ("red", True, created, None),
        ("blue", False, created, None),
    ]
    arrived = store.take_sheet(match_id, "red", "HOLD").arrived
    assert store.standing(match_id).awaited[0].arrived == arrived
    ran_at = store.process(match_id).turn.ran_at
    assert store.standing(match_id).missing == ("blue",)
    assert store.standing(match_id).awaited[0].since == ran_at > arrived > created


def test_the_dice_chain_ends(store):
    match_id = new_match(store)
    unpack_all(store)
    reached = store.position(match_id).entry.hash
    sql(store, "UPDATE matches SET gate_number = ?", CHAIN_LENGTH)
    sql(store, "UPDATE snapshots SET run = ?", CHAIN_LENGTH)
    with store.writing() as session:
        session.add(models.Turn(match_id=1, run=CHAIN_LENGTH, number=CHAIN_LENGTH, gate_id="x", title="x", sheets=[], link="", hash_before="", hash_after=reached, events=b"[]", ran_at=store.clock(), program="0"))  # fmt: skip
    with pytest.raises(TheDiceChainIsUsedUp):
        store.process(match_id, without_missing=True)


@pytest.mark.parametrize("change", [lambda state: state.replace(b'"red":3', b'"red":9'), lambda _: b"{"])
def test_no_turn_is_run_from_a_damaged_position(store, monkeypatch, change):
    """Nor from one that is made again and comes out otherwise."""
    match_id = new_match(store)
    unpack_all(store)
    damage(store, 0, change)
    monkeypatch.setattr(store.games["two-hills"], "setup", ByRules2().setup, raising=False)
    with pytest.raises(ThePositionOnFileIsDamaged):
        store.process(match_id, without_missing=True)
    assert store.turns_of(match_id) == []


# ------------------------------------------------------------------ crashes and races

KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from pbem.records.store import open_store
from tests.toy.table import toy_games
from tests.toy.two_hills import TwoHills

def die(*_): os.kill(os.getpid(), signal.SIGKILL)

store = open_store(Path(sys.argv[1]), toy_games())
if sys.argv[2] == "in the engine":
    TwoHills.run = die
if sys.argv[2] == "before the commit":
    event.listen(store.engine, "commit", die)
store.process(1)
if sys.argv[2] == "after the commit":
    die()
"""


@pytest.mark.parametrize("moment", ["in the engine", "before the commit", "after the commit"])
def test_kill_9_leaves_the_war_before_or_after_the_turn(store, moment):
    match_id = new_match(store)
    play_by_bots(store, match_id, 1)
    send_bots(store, match_id)
    before = store.position(match_id)
    store.engine.dispose()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(store.directory), moment], timeout=60, cwd=root())
    assert killed.returncode == -signal.SIGKILL
    again = open_store(store.directory, toy_games())
    after = again.position(match_id)
    done = moment == "after the commit"
    assert after.match.gate_number == (2 if done else 1)
    assert (after.entry.hash == before.entry.hash) is not done
    waiting = [sheet for sheet in sheets_of(again, match_id) if sheet.state == "waiting"]
    assert len(waiting) == (0 if done else 2)
    play_by_bots(again, match_id)
    assert [step.difference for step in replay(again, match_id)] == [None] * 5


def root() -> Path:
    return ROOT


def test_of_concurrent_processes_exactly_one_runs_the_turn(store):
    match_id = new_match(store)
    outcomes = run_together(8, lambda: store.process(match_id, without_missing=True, gate_number=0))
    assert sorted(outcomes) == ["Run"] + ["TheGateHasBeenRunAlready"] * 7
    assert [turn.number for turn in store.turns_of(match_id)] == [1]
    assert replay(store, match_id)[-1].difference is None


def test_concurrent_sheets_leave_one_waiting(store):
    match_id = new_match(store)
    outcomes = run_together(8, lambda: store.take_sheet(match_id, "red", "TAKE north"))
    assert outcomes == ["Receipt"] * 8
    states = sorted(sheet.state for sheet in sheets_of(store, match_id))
    assert states == ["superseded"] * 7 + ["waiting"]


def run_together(count, act) -> list[str]:
    barrier, outcomes = threading.Barrier(count), []

    def one() -> None:
        barrier.wait()
        try:
            outcomes.append(type(act()).__name__)
        except Refusal as refusal:
            outcomes.append(type(refusal).__name__)

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_processes_of_the_operating_system_race_too(store):
    match_id = new_match(store)
    send_bots(store, match_id)
    script = "import sys; from pathlib import Path; from pbem.records.store import open_store; from tests.toy.table import toy_games\nopen_store(Path(sys.argv[1]), toy_games()).process(1)"
    command = [sys.executable, "-c", script, str(store.directory)]
    racing = [subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=root()) for _ in range(4)]
    assert sorted(process.wait(60) for process in racing) == [0, 1, 1, 1]
    assert [turn.number for turn in store.turns_of(match_id)] == [1]


def test_a_gate_that_was_run_meanwhile_is_not_run_again(store):
    match_id = new_match(store)
    store.process(match_id, without_missing=True, gate_number=0)
    with pytest.raises(TheGateHasBeenRunAlready):
        store.process(match_id, without_missing=True, gate_number=0)


# ------------------------------------------------------------------ replay


@pytest.mark.parametrize("scenario", ["at-once", "by-turns"])
def test_a_whole_game_replays(store, scenario):
    match_id = new_match(store, scenario)
    play_by_bots(store, match_id)
    steps = replay(store, match_id)
    assert len(steps) == store.position(match_id).match.gate_number + 1
    assert {step.difference for step in steps} == {None}


@pytest.fixture
def played(store: Store) -> Store:
    """A war of three turns in which there was fighting, its positions as they were before they were packed."""
    new_match(store)
    for red, blue in (("TAKE north", "TAKE north"), ("TAKE south", "TAKE south"), ("HOLD", "HOLD")):
        store.take_sheet(1, "red", red)
        store.take_sheet(1, "blue", blue)
        store.process(1)
    unpack_all(store)
    return store


def edit_sealed_text(sheets: str) -> str:
    records = json.loads(sheets)
    records[0]["text"] = "HOLD"
    return json.dumps(records)


TAMPERED = {
    "the text in the turn": ("turns", "sheets", edit_sealed_text, "digest of red's sheet"),
    "the text of the sheet": ("sheets", "text", lambda _: "HOLD", "text of sheet 3 of red"),
    "an event": (
        "turns",
        "events",
        lambda blob: blob.replace(b'"die":', b'"die":1', 1),
        "the events, at [2].attack.die",
    ),
    "the link": (
        "turns",
        "link",
        lambda link: link[:-1] + ("0" if link[-1] != "0" else "1"),
        "the dice link, which does not",
    ),
    "no link at all": ("turns", "link", lambda _: "none", "the dice link"),
    "the state": ("snapshots", "state", lambda blob: blob.replace(b'"turn":3', b'"turn":1'), "the position, at turn"),
    "not even JSON": ("snapshots", "state", lambda _: b"\xff", "the position, at byte 0"),
    "the hash before": ("turns", "hash_before", lambda _: "0" * 64, "the hash before"),
    "the hash after": ("turns", "hash_after", lambda _: "0" * 64, "the hash after"),
    "the hash of the snapshot": ("snapshots", "hash", lambda _: "0" * 64, "the hash beside the position"),
    "the gate": ("turns", "gate_id", lambda _: "9-red", "the gate"),
    "the sheets": ("turns", "sheets", lambda _: "[]", "the sides with sealed sheets"),
    "the shape of the sheets": ("turns", "sheets", lambda _: '[{"side": "red"}]', "the sealed sheets"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_replay_names_the_first_difference(played, what):
    """Whatever of turn 2 is changed in the database, turn 1 still agrees and turn 2 does not."""
    table, column, change, expected = TAMPERED[what]
    key = "id = 3" if table == "sheets" else "run = 2"
    with sqlite3.connect(database_in(played.directory)) as connection:
        (old,) = connection.execute(f"SELECT {column} FROM {table} WHERE {key}").fetchone()
        assert change(old) != old
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key}", (change(old),))
    steps = replay(played, 1)
    assert [step.number for step in steps if step.difference is None] == [0, 1]
    assert steps[-1].number == 2
    assert steps[-1].difference.what.startswith(("the " + expected).replace("the the", "the"))


@pytest.mark.parametrize(
    ("statement", "step", "expected"),
    [
        ("UPDATE matches SET commitment = 'ff'", 0, "the dice commitment"),
        ("UPDATE matches SET secret = x'00'", 0, "the dice commitment"),
        ("UPDATE matches SET gate_number = 2", 3, "how many turns were run"),
        ("UPDATE matches SET status = 'over'", 3, "the status of the match"),
        ("UPDATE snapshots SET state = x'7b7d' WHERE run = 0", 0, "the position, at men"),
        ("DELETE FROM snapshots WHERE run = 1", 1, "the position"),
        ("DELETE FROM turns WHERE number = 1", 2, "the number of the run"),
        ("DELETE FROM turns WHERE number = 3", 2, "how many turns were run"),
        ("DELETE FROM sheets WHERE id = 1", 1, "sheet 1 of red"),
        ("UPDATE sheets SET state = 'superseded' WHERE id = 1", 1, "the state of sheet 1"),
        (
            "INSERT INTO sheets SELECT 99, 1, 'red', 'x', 'x', '[]', arrived, 'sealed', 'x', NULL FROM sheets LIMIT 1",
            3,
            "sheet 99",
        ),
    ],
)
def test_a_replay_finds_what_else_was_changed(played, statement, step, expected):
    sql(played, statement)
    steps = replay(played, 1)
    assert steps[-1].difference is not None
    assert steps[-1].number == step
    assert steps[-1].difference.what.startswith(expected)


def test_a_replay_reports_an_engine_that_fails(played, monkeypatch):
    monkeypatch.setattr(type(played.games["two-hills"]), "run", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in replay(played, 1)[-1].difference.replayed


def test_a_match_that_has_not_begun_replays(store):
    new_match(store)
    assert [step.difference for step in replay(store, 1)] == [None]


def test_replays_need_no_bots_and_no_clock(played):
    """The same secret and sheets give the same war on any day."""
    other = new_store(played.directory.parent / "again")
    new_match(other)
    for turn in played.turns_of(1):
        for sealed in turn.sheets:
            other.take_sheet(1, sealed["side"], sealed["text"])
        other.process(1)
    assert other.position(1).entry.hash == played.position(1).entry.hash


def test_the_secret_is_in_no_representation(store):
    match_id = new_match(store)
    match = store.position(match_id).match
    assert "secret" not in repr(match)
    assert repr(SECRET) not in repr(store.position(match_id))


def test_json_columns_survive_a_session(store):
    match_id = new_match(store, options=Options(fog="open", switches=("leaders",)))
    with Session(store.engine) as session:
        match = session.get(models.Match, match_id)
        assert match.options == {"fog": "open", "mode": "one-run", "edition": "", "switches": ["leaders"]}
    assert store.position(match_id).options == Options(fog="open", switches=("leaders",))
    assert os.path.exists(database_in(store.directory))
