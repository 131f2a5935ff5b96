"""Positions on file: packed against the one before, checked when read, and made again when they are damaged."""

import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import zstandard
from sqlmodel import select

from engine.dice import KeyedDice
from engine.game import Game, Options, game_named, state_hash
from pbem.closing import Package, close
from pbem.records import mending, models, snapshots
from pbem.records.bundle import BundledRecord, read_bundle
from pbem.records.database import create_database, database_in
from pbem.records.marks import mark_in
from pbem.records.mending import ThePositionOnFileIsDamaged
from pbem.records.replay import replay
from pbem.records.snapshots import BLOCK, Entry, Shelf, ThePositionIsDamaged, filed
from pbem.records.store import Store, open_store
from tests.letterbox import body_of, new_letterbox
from tests.positions import bases_in, damage, remove, state_after, unpack_all, with_a_byte_flipped
from tests.postal import open_office
from tests.reading import flat
from tests.records.test_rollback import play_turn, take_back
from tests.records.test_store import sql
from tests.toy.newer import ByRules2
from tests.toy.table import new_match, new_store, play_by_bots
from tests.toy.variants import LongWar, LongWarByRules2

#: Two blocks and the beginning of a third.
RUNS = 2 * BLOCK + 3


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """For all who only look."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.toy.two_hills.LAST_TURN", RUNS + 10)
        store = opened(new_store(tmp_path_factory.mktemp("long") / "war").directory, LongWar())
        new_match(store)
        play_by_bots(store, 1, RUNS)
    return store


def opened(directory: Path, game: Game) -> Store:
    """By a program that has nothing in mind yet."""
    return open_store(directory, {game.id: game})


@pytest.fixture
def played(war, tmp_path, monkeypatch) -> Store:
    """A copy of it, to be damaged."""
    monkeypatch.setattr("tests.toy.two_hills.LAST_TURN", RUNS + 10)
    shutil.copy(mark_in(war.directory), tmp_path)
    with closing(sqlite3.connect(database_in(war.directory))) as source:
        with closing(sqlite3.connect(database_in(tmp_path))) as target:
            source.backup(target)
    return opened(tmp_path, LongWar())


def hash_after(store: Store, number: int) -> str:
    """Of the position as it is read, whatever lies on file."""
    with store.reading() as session:
        position = store.position_after(session, 1, number)
    assert state_hash(position.scene.encoded, position.entry.previous) == position.entry.hash
    return position.entry.hash


def hashes(store: Store) -> list[str]:
    turns = store.turns_of(1)
    return [turns[0].hash_before, *(turn.hash_after for turn in turns)]


def replays(store: Store) -> bool:
    return all(step.difference is None for step in replay(store, 1))


# ------------------------------------------------------------------ how they are packed


def test_the_first_of_sixteen_is_whole_and_each_other_is_packed_against_the_one_before(war):
    whole = [run for run, base in enumerate(bases_in(war)) if base == run]
    assert whole == [0, 16, 32]
    assert all(base == run - 1 for run, base in enumerate(bases_in(war)) if run not in whole)


def test_each_is_read_with_its_hash_by_a_program_that_has_seen_none(war, played):
    assert [hash_after(played, number) for number in range(RUNS + 1)] == hashes(war)
    assert replays(played)


@pytest.mark.parametrize("seed", range(5))
def test_none_needs_more_than_fifteen_others_whatever_is_taken_back(seed):
    """Runs begin anywhere, as after rollbacks; each is packed against where it began."""
    random, game = Random(seed), TwoHillsLike()
    reached = [game.entry(0, 0)]
    shelf = Shelf([filed(1, reached[0], game.state(0))])
    for run in range(1, 120):
        began = random.choice(reached[-20:]) if random.random() < 0.3 else reached[-1]
        entry = game.entry(run, began.turn + 1)
        shelf.put(filed(1, entry, game.state(run), (began, game.state(began.run))))
        reached.append(entry)
    for entry in reached:
        needed = shelf._needed_for(entry.run)
        assert len(needed) <= BLOCK
        assert needed[0].base == needed[0].run
        assert shelf.checked(entry) == game.state(entry.run)


class TwoHillsLike:
    """Entries and positions, made up."""

    def state(self, run: int) -> bytes:
        return b"a position that is much like the others, %d" % run

    def entry(self, run: int, turn: int) -> Entry:
        return Entry(run, turn, "previous", state_hash(self.state(run), "previous"), 1)


def test_the_first_by_other_rules_is_whole(played):
    """What lies before it cannot be played again by the program that writes it."""
    later = opened(played.directory, LongWarByRules2())
    play_by_bots(later, 1, 3)
    assert bases_in(later)[RUNS:] == [RUNS - 1, RUNS + 1, RUNS + 1, RUNS + 2]


def test_a_turn_that_is_played_again_is_packed_against_the_one_it_began_from(tmp_path):
    box = new_letterbox(tmp_path / "war")
    for _ in range(3):
        play_turn(box)
    take_back(box, to=1)
    play_turn(box)
    assert bases_in(box.office.store) == [0, 0, 1, 2, 1]
    assert replays(box.office.store)


def test_a_position_that_is_larger_than_any_is_not_packed(monkeypatch):
    monkeypatch.setattr(snapshots, "LARGEST", 10)
    row = filed(1, Entry(0, 0, "", state_hash(b"x" * 11), 1), b"x" * 11)
    assert (row.state, row.base) == (b"x" * 11, None)


def test_fifty_four_player_turns_of_campaign_1_take_60_kilobytes_at_most(tmp_path):
    states = campaign()
    assert len(states) == 55
    create_database(tmp_path)
    with closing(sqlite3.connect(database_in(tmp_path))) as connection, connection:
        before = size_of(connection)
        connection.executemany("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)", rows_of(states))
        took = size_of(connection) - before
    assert 20_000 < took <= 60_000
    assert sum(map(len, states)) > 20 * took


def campaign() -> list[bytes]:
    game = game_named("hitlers-war")
    state = game.setup("campaign-1", Options())
    states = [game.encode(state)]
    while (gate := game.gate(state)) is not None:
        sheets = {}
        for side in gate.awaits:
            view = game.view(state, side, "fog")
            sheets[side] = game.parse(game.bot(view, f"{len(states)} {side}".encode()), view)
        state, _ = game.run(state, sheets, KeyedDice(bytes(32), str(len(states))))
        states.append(game.encode(state))
    return states


def rows_of(states: list[bytes]) -> list[tuple]:
    rows, before = [], None
    for run, state in enumerate(states):
        entry = Entry(run, run, before[0].hash if before else "", "", 2)
        entry = Entry(run, run, entry.previous, state_hash(state, entry.previous), 2)
        row = filed(1, entry, state, before)
        rows.append((1, run, row.state, row.hash, row.base))
        before = entry, state
    return rows


def size_of(connection: sqlite3.Connection) -> int:
    pages, size = (connection.execute(f"PRAGMA {of}").fetchone()[0] for of in ("page_count", "page_size"))
    return pages * size


# ------------------------------------------------------------------ what is read


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (zstandard.compress(bytes(snapshots.LARGEST + 1)), "longer than any position"),
        (zstandard.ZstdCompressor(write_content_size=False).compress(b"{}"), "longer than any position"),
        (zstandard.compress(b"{}") + b"more", "cannot be unpacked"),
        (zstandard.compress(b"{}" * 50)[:-3], "cannot be unpacked"),
        (b"", "cannot be unpacked"),
        (b"{}", "cannot be unpacked"),
    ],
    ids=["a bomb", "of no length", "more behind it", "cut off", "nothing", "not packed"],
)
def test_what_is_no_packed_position_is_not_unpacked(packed, why):
    shelf = Shelf([models.Snapshot(match_id=1, run=0, state=packed, hash="", base=0)])
    with pytest.raises(ThePositionIsDamaged, match=why):
        shelf.unpacked(0)


@pytest.mark.parametrize("base", [5, 6, 20, -1])
def test_a_base_that_cannot_be_is_not_followed(base):
    """Neither in a circle nor out of the block."""
    rows = [models.Snapshot(match_id=1, run=run, state=b"", hash="", base=base) for run in (5, 6, 20)]
    with pytest.raises(ThePositionIsDamaged):
        Shelf(rows).unpacked(5)


def test_positions_of_earlier_programs_are_read_and_packed_against(played):
    unpack_all(played)
    assert replays(played)
    rows = played.runs_of(1)
    play_by_bots(played, 1, 2)
    assert bases_in(played)[RUNS - 1 :] == [None, None, RUNS, RUNS + 1]
    assert played.runs_of(1)[:RUNS] == rows
    assert replays(played)


# ------------------------------------------------------------------ damage

DAMAGES = {
    "a byte flipped": lambda store, run: damage(store, run, with_a_byte_flipped),
    "the first byte": lambda store, run: damage(store, run, lambda state: with_a_byte_flipped(state, 0)),
    "cut off": lambda store, run: damage(store, run, lambda state: state[:-5]),
    "of another war": lambda store, run: damage(store, run, lambda _: zstandard.compress(b"{}")),
    "gone": remove,
    "the hash beside it": lambda store, run: sql(store, f"UPDATE snapshots SET hash = 'x' WHERE run = {run}"),
    "its base": lambda store, run: sql(store, f"UPDATE snapshots SET base = {run ^ 1} WHERE run = {run}"),
}


@pytest.mark.parametrize("run", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, RUNS])
@pytest.mark.parametrize("how", DAMAGES)
def test_whatever_is_damaged_every_position_is_read_as_it_was(war, played, run, how):
    DAMAGES[how](played, run)
    near = [number for number in range(RUNS + 1) if number // BLOCK == run // BLOCK]
    assert [hash_after(played, number) for number in near] == [hashes(war)[number] for number in near]


@pytest.mark.parametrize("run", [*range(BLOCK + 1), RUNS])
def test_a_byte_costs_no_more_than_the_turns_to_the_next_whole_one(war, played, run, caplog):
    """Those that are packed against it are played again with it, and no others."""
    damage(played, run, with_a_byte_flipped)
    spoilt = [number for number in range(RUNS + 1) if number >= run and number // BLOCK == run // BLOCK]
    for number in range(RUNS + 1):
        caplog.clear()
        hash_after(played, number)
        assert bool(caplog.records) == (number in spoilt)
        if number in spoilt and run:
            assert f"{number - run + 1} turn" in caplog.text
            assert f"played again from turn {run - 1}" in caplog.text or run == 1


def test_the_gm_is_told_in_one_line_which_was_damaged_and_how_it_was_made_again(played, caplog):
    remove(played, 18)
    with caplog.at_level(logging.WARNING):
        hash_after(played, 20)
    (record,) = caplog.records
    assert record.getMessage() == (
        "match 1: the position after turn 20 is damaged on file (that of run 18 is not there); it was made again:"
        " 3 turns played again from turn 17. To put it right on file: pbem mend 1"
    )


def test_a_war_goes_on_from_a_position_that_is_damaged_and_leaves_it_sound(war, played):
    remove(played, RUNS)
    play_by_bots(played, 1, 2)
    assert bases_in(played)[RUNS:] == [RUNS, RUNS, RUNS + 1]
    assert replays(opened(played.directory, LongWar()))
    with played.reading() as session:
        entry = session.exec(select(models.Ledger).where(models.Ledger.act == mending.MENDED)).one()
    assert (entry.who, entry.detail) == (
        "referee",
        f"the position after turn {RUNS} was damaged on file (that of run {RUNS} is not there)",
    )


def test_a_position_that_is_in_mind_is_looked_at_on_file_before_the_next_is_packed_against_it(played):
    hash_after(played, RUNS)
    remove(played, RUNS)
    play_by_bots(played, 1, 1)
    assert replays(opened(played.directory, LongWar()))


def test_a_war_goes_back_to_a_position_that_is_damaged(tmp_path):
    box = new_letterbox(tmp_path / "war")
    for _ in range(3):
        play_turn(box)
    before = hash_after(box.office.store, 1)
    damage(box.office.store, 1, with_a_byte_flipped)
    box = with_nothing_in_mind(box)
    take_back(box, to=1)
    assert box.office.store.position(1).entry.hash == before
    play_turn(box)
    assert replays(box.office.store)


def with_nothing_in_mind(box):
    office = open_office(box.office.store.directory, box.watch, box.office.store.games, box.office.settings)
    return type(box)(office, box.watch, written=box.written, seen=box.seen, places=box.places)


def test_the_gm_gets_a_mail_when_a_turn_was_run_from_a_damaged_position(tmp_path):
    box = new_letterbox(tmp_path / "war")
    play_turn(box)
    remove(box.office.store, 1)
    box = with_nothing_in_mind(box)
    play_turn(box)
    play_turn(box)
    (mail,) = [mail for mail in box.outgoing() if mail.key.startswith("gm/mended/")]
    assert mail.subject.endswith("Match 1: a position on file was damaged, and is written anew")
    said = flat(body_of(mail))
    assert "the position after turn 1 was damaged on file (that of run 1 is not there)" in said
    assert "pbem mend 1" in said


def test_a_replay_names_a_position_that_cannot_be_unpacked(played):
    damage(played, 5, lambda state: state[:-5])
    last = replay(played, 1)[-1]
    assert last.number == 5
    assert (last.difference.what, last.difference.replayed) == ("the position on file", "a position")
    assert "cannot be unpacked" in last.difference.recorded


@pytest.mark.parametrize("how", ["a byte flipped", "gone", "the hash beside it"])
def test_mend_puts_right_what_is_damaged_and_nothing_else(war, played, how):
    for run in (0, 3, 4, 20, RUNS):
        DAMAGES[how](played, run)
    found = played.mend(1)
    assert [one.entry.run for one in found] == [0, 3, 4, 20, RUNS]
    assert [one.again.played for one in found] == [0, 1, 1, 1, 1], "each from the one before it, put right already"
    assert played.mend(1) == []
    assert replays(opened(played.directory, LongWar()))
    assert [state_after(played, run) for run in range(RUNS + 1)] == [state_after(war, run) for run in range(RUNS + 1)]


def test_all_can_be_gone_and_are_played_again(war, played):
    sql(played, "DELETE FROM snapshots")
    assert hash_after(played, RUNS) == hashes(war)[-1]
    assert len(played.mend(1)) == RUNS + 1
    assert replays(opened(played.directory, LongWar()))


# ------------------------------------------------------------------ what cannot be made again


@pytest.fixture
def by_newer_rules(played) -> Store:
    """Three turns more by other rules; those before can be played again by nobody."""
    play_by_bots(opened(played.directory, LongWarByRules2()), 1, 3)
    return opened(played.directory, LongWarByRules2())


def test_of_turns_run_by_other_rules_those_to_the_next_whole_one_are_lost_and_no_more(war, by_newer_rules):
    remove(by_newer_rules, 20)
    refusals = {number: refusal for number in range(RUNS + 4) if (refusal := refusal_of(by_newer_rules, number))}
    assert list(refusals) == list(range(20, 2 * BLOCK))
    for number, refusal in refusals.items():
        assert str(refusal) == (
            f"match 1: the position after turn {number} is damaged on file (that of run 20 is not there) and"
            " cannot be made again, because turn 20 was run by rules 1 and this program has rules 2"
        )
        assert refusal.remedy == (
            "Put a backup copy in its place, or go back to where it can be read: pbem rollback 1 --to 19."
            " See: pbem mend 1"
        )
    play_by_bots(by_newer_rules, 1, 1)
    assert len(by_newer_rules.turns_of(1)) == RUNS + 4, "the war goes on"


def refusal_of(store: Store, number: int) -> ThePositionOnFileIsDamaged | None:
    try:
        hash_after(store, number)
    except ThePositionOnFileIsDamaged as refusal:
        return refusal
    return None


def test_the_last_one_by_older_rules_spoils_none_by_newer_ones(by_newer_rules):
    damage(by_newer_rules, RUNS, with_a_byte_flipped)
    assert hash_after(by_newer_rules, RUNS + 3)
    with pytest.raises(ThePositionOnFileIsDamaged):
        hash_after(by_newer_rules, RUNS)


def test_a_position_in_mind_is_written_anew_though_nobody_could_play_it_again(played):
    later = opened(played.directory, LongWarByRules2())
    hash_after(later, RUNS)
    damage(later, RUNS, with_a_byte_flipped)
    play_by_bots(later, 1, 1)
    assert hash_after(opened(played.directory, LongWarByRules2()), RUNS)


def test_mend_says_what_cannot_be_made_again_and_goes_on(by_newer_rules):
    for run in (0, 20, RUNS + 1, RUNS + 2):
        damage(by_newer_rules, run, with_a_byte_flipped)
    found = by_newer_rules.mend(1)
    left = [one for one in found if one.again is None]
    assert [one.entry.run for one in left] == [*range(BLOCK), *range(20, 2 * BLOCK)]
    assert left[0].why_not == "the war was set up by rules 1 and this program has rules 2"
    assert [(one.entry.run, str(one.again)) for one in found if one.again] == [
        (RUNS + 1, f"1 turn played again from turn {RUNS}"),
        (RUNS + 2, f"1 turn played again from turn {RUNS + 1}"),
    ]


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE turns SET sheets = replace(sheets, 'TAKE', '# TAKE') WHERE run = ?", "comes to another hash"),
        ("UPDATE turns SET link = 'none' WHERE run = ?", "cannot be played again (ValueError"),
        ("UPDATE turns SET hash_after = 'x' WHERE run = ?", "comes to another hash"),
        ("DELETE FROM turns WHERE run = ? - 1", "not every turn of it is on file"),
    ],
)
def test_what_does_not_come_out_as_it_did_is_not_believed(played, statement, why):
    taken = next(turn.run for turn in played.runs_of(1)[2:] if b"hill-taken" in turn.events)
    sql(played, statement, taken)
    remove(played, taken)
    with pytest.raises(ThePositionOnFileIsDamaged) as refusal:
        hash_after(played, taken)
    assert why in str(refusal.value)


def test_a_set_up_that_comes_out_otherwise_is_not_believed(tmp_path):
    store = new_store(tmp_path / "war")
    new_match(store)
    damage(store, 0, with_a_byte_flipped)
    other = ByRules2()
    other.rules = 1
    with pytest.raises(ThePositionOnFileIsDamaged, match="the set-up, made anew, has another hash"):
        hash_after(opened(store.directory, other), 0)


# ------------------------------------------------------------------ bundles


def test_a_bundle_has_its_positions_unpacked_and_made_again_where_they_are_damaged(tmp_path):
    box = new_letterbox(tmp_path / "war")
    play_turn(box)
    office = open_office(box.office.store.directory, box.watch, {"two-hills": ByRules2()}, box.office.settings)
    later = type(box)(office, box.watch, written=box.written, seen=box.seen, places=box.places)
    while later.office.store.position(1).gate is not None:
        play_turn(later)
    with office.store.writing() as session:
        match = office.store.match_in(session, 1)
        close(session, office, match, "gm")
        bundle = read_bundle(Package.of(session, office, match).data)
    (taken_up,) = [run.position for run in bundle.runs if run.position is not None]
    assert taken_up == state_after(office.store, 1)
    steps = list(BundledRecord.of(bundle, office.store.games).steps())
    assert [step.difference for step in steps] == [None] * len(steps)
