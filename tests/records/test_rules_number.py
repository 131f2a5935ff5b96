"""A war whose rules change while it goes on: its players are told, and what was run by others is checked all the same."""

import base64
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pbem.cli.main
from engine.events import canonical
from engine.game import Game, games
from pbem import closing
from pbem.post import letterhead
from pbem.records import models
from pbem.records.bundle import NAME, Bundle, BundledRecord, read_bundle
from pbem.records.database import database_in
from pbem.records.marks import mark_in
from pbem.records.matches import begun_after
from pbem.records.replay import Replayed, replay
from pbem.records.store import Store, open_store
from pbem.records.verify import Verified, verified
from pbem.records.witness import differences
from pbem.screens.unplayed import not_played_again
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox
from tests.positions import state_after, unpack_all
from tests.postal import open_office
from tests.reading import flat
from tests.records.test_bundle import set_dice, set_in
from tests.records.test_rollback import play_turn, take_back
from tests.records.test_store import sql
from tests.toy.newer import ByRules2, ByRules3
from tests.toy.two_hills import TwoHills

FIRST = "Rules 2 in place of rules 1: the program was changed"


def with_program(box: Letterbox, game: Game) -> Letterbox:
    office = open_office(box.office.store.directory, box.watch, {game.id: game}, box.office.settings)
    return Letterbox(office, box.watch, written=box.written, seen=box.seen, places=box.places)


def to_the_end(box: Letterbox) -> Letterbox:
    while box.office.store.position(1).gate is not None:
        play_turn(box)
    return box


def a_war(directory: Path) -> Letterbox:
    """Two turns by the first rules, of which the second was taken back, then two more by the second rules."""
    box = new_letterbox(directory)
    play_turn(box)
    play_turn(box)
    take_back(box)
    return to_the_end(with_program(box, ByRules2()))


@pytest.fixture(scope="module")
def war(tmp_path_factory) -> Letterbox:
    """For all who only look."""
    return a_war(tmp_path_factory.mktemp("rules") / "war")


@pytest.fixture
def played(war, tmp_path) -> Store:
    """A copy of it, to be tampered with."""
    whole = war.office.store.directory
    shutil.copy(mark_in(whole), tmp_path)
    with sqlite3.connect(database_in(whole)) as source:
        with sqlite3.connect(database_in(tmp_path)) as target:
            source.backup(target)
    copy = open_store(tmp_path, {"two-hills": ByRules2()})
    unpack_all(copy)
    return copy


def bundle_of(box: Letterbox) -> Bundle:
    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, 1)
        if match.closed is None:
            closing.close(session, box.office, match, "gm")
        return read_bundle(closing.Package.of(session, box.office, match).data)


@pytest.fixture(scope="module")
def bundle(war) -> Bundle:
    return bundle_of(war)


def steps_of(bundle: Bundle, game: Game) -> list[Replayed]:
    return list(BundledRecord.of(bundle, {game.id: game}).steps())


def shape(steps: list[Replayed]) -> list[tuple[int, int, bool]]:
    return [(step.number, step.rules, step.played) for step in steps]


# ------------------------------------------------------------------ what is written down and told


def test_every_turn_has_the_number_of_the_rules_it_was_run_by(war):
    runs = [(turn.number, turn.rules) for turn in war.office.store.runs_of(1)]
    assert runs[:4] == [(1, 1), (2, 1), (2, 2), (3, 2)]


def test_every_game_has_a_number():
    assert {game.id: game.rules for game in games().values()} == {"hitlers-war": 2}


def reports(box: Letterbox, run: int) -> list[models.Outgoing]:
    return [mail for mail in box.outgoing() if mail.key.startswith(f"report/1/{run}/")]


def says_so(mail: models.Outgoing) -> tuple[bool, bool]:
    html = message_of(mail).get_body(("html",)).get_content()
    return FIRST in flat(body_of(mail)), "Rules 2 in place of rules 1" in html


def test_the_report_of_the_first_turn_by_other_rules_says_so_in_words_and_in_html(war):
    """Run 2 was taken back, and run 3 is the same turn by the new rules."""
    told = {run: {says_so(mail) for mail in reports(war, run)} for run in (1, 2, 3, 4)}
    assert told == {1: {(False, False)}, 2: {(False, False)}, 3: {(True, True)}, 4: {(False, False)}}
    assert [mail.side for mail in reports(war, 3)] == ["red", "blue"]


def test_a_turn_that_was_taken_back_and_played_again_by_newer_rules_says_so(tmp_path):
    """What led to it was run by the first rules, also if it was run by the second before."""
    box = new_letterbox(tmp_path / "war")
    play_turn(box)
    box = with_program(box, ByRules2())
    play_turn(box)
    take_back(box)
    play_turn(box)
    assert [says_so(mail)[0] for run in (2, 3) for mail in reports(box, run)] == [True] * 4


def test_a_war_that_was_set_up_by_other_rules_says_so_with_its_first_turn(tmp_path):
    box = new_letterbox(tmp_path / "war")
    box = with_program(box, ByRules2())
    play_turn(box)
    assert all(says_so(mail)[0] for mail in reports(box, 1))


def test_a_war_that_began_by_later_rules_says_nothing_of_them(tmp_path):
    box = new_letterbox(tmp_path / "war", {"two-hills": ByRules2()})
    play_turn(box)
    assert not any("in place of rules" in flat(body_of(mail)) for mail in reports(box, 1))
    assert shape(replay(box.office.store, 1)) == [(0, 2, True), (1, 2, True)]


def test_a_report_that_is_asked_for_again_says_the_same(war):
    store = war.office.store
    with store.reading() as session:
        texts = {
            number: letterhead.report_again(
                session,
                war.office,
                store.position_after(session, 1, number),
                store.turn_in(session, 1, number),
                war.seat("red"),
            ).text
            for number in (1, 2, 3)
        }
    assert [FIRST in flat(text) for text in texts.values()] == [False, True, False]


# ------------------------------------------------------------------ played again as far as the rules are there


def test_turns_of_the_present_number_are_played_and_the_others_checked(war):
    steps = replay(war.office.store, 1)
    assert {step.difference for step in steps} == {None}
    assert shape(steps)[:5] == [(0, 1, False), (1, 1, False), (2, 1, False), (2, 2, True), (3, 2, True)]


@pytest.mark.parametrize("game", [TwoHills(), ByRules2(), ByRules3()], ids=["first", "second", "neither"])
def test_a_program_of_either_number_and_of_none_can_check_the_war(war, bundle, game):
    for steps in (replay(with_program(war, game).office.store, 1), steps_of(bundle, game)):
        assert {step.difference for step in steps} == {None}
        assert [step.played for step in steps] == [step.rules == game.rules for step in steps]


def test_by_the_wrong_rules_it_would_not_have_ended_so(bundle):
    """So the number is what makes the difference."""
    wrong = TwoHills()
    wrong.rules = 2
    assert any(step.difference for step in steps_of(bundle, wrong))


def test_the_position_is_in_the_bundle_where_the_number_changes_and_nowhere_else(bundle, war):
    taken_up = {run.run: run.position for run in bundle.runs if run.position is not None}
    assert taken_up == {3: state_after(war.office.store, 1)}
    before = bundle.runs[0].hash_before
    assert hashlib.sha256(before.encode() + taken_up[3]).hexdigest() == bundle.runs[2].hash_before


def test_a_bundle_of_one_number_is_what_it_was(tmp_path):
    """Nothing is in it that an older program would not know."""
    document = json.loads(canonical(bundle_of(to_the_end(new_letterbox(tmp_path / "war")))))
    assert "rules" not in document
    assert not any({"rules", "position"} & set(run) for run in document["runs"])
    old = read_bundle(json.dumps(document).encode())
    steps = steps_of(old, ByRules2())
    assert {step.difference for step in steps} == {None}
    assert not any(step.played for step in steps)


def test_after_which_run_each_began():
    assert begun_after([1, 2, 3]) == [0, 1, 2]
    assert begun_after([1, 2, 2, 3, 1, 2]) == [0, 1, 1, 3, 0, 5]


# ------------------------------------------------------------------ what is said of it


def step(number: int, rules: int, taken_back: bool = False, played: bool = False) -> Replayed:
    return Replayed(number, "", "", "", rules=rules, taken_back=taken_back, played=played)


def test_one_line_names_every_turn_that_was_not_played_again():
    steps = [step(0, 1), step(1, 1), step(2, 1), step(3, 1, taken_back=True), step(3, 2), step(4, 3, played=True)]
    assert not_played_again(steps, 3) == (
        "The set-up, turns 1 to 2 and turn 3 (taken back) were played by rules 1, turn 3 was played by rules 2;"
        " this program has rules 3: their seals, links, dice and hashes are checked, they are not played again."
    )
    assert not_played_again(steps, 3).count("\n") == 0
    assert not_played_again(steps[-1:], 3) == ""


def test_a_newer_program_is_named_as_what_is_missing():
    assert not_played_again([step(1, 4)], 3).endswith("not played again. A newer program plays rules 4.")


def command(monkeypatch, game: Game, *words: object):
    monkeypatch.setattr(pbem.cli.main, "known_games", lambda: {game.id: game})
    return CliRunner().invoke(pbem.cli.main.app, list(map(str, words)))


def test_replay_says_what_it_did_not_play(war, monkeypatch):
    said = command(monkeypatch, ByRules2(), "-C", war.office.store.directory, "replay", 1)
    assert said.exit_code == 0, said.output
    assert "The set-up, turn 1 and turn 2 (taken back) were played by rules 1; this program has rules 2" in said.output
    assert "replays exactly" not in said.output
    facts = json.loads(command(monkeypatch, ByRules2(), "-C", war.office.store.directory, "replay", 1, "--json").output)
    assert [(one["rules"], one["played_again"]) for one in facts[:4]] == [(1, False)] * 3 + [(2, True)]


def test_verify_says_what_it_did_not_play(bundle, tmp_path, monkeypatch):
    (tmp_path / NAME).write_bytes(canonical(bundle))
    said = command(monkeypatch, ByRules2(), "verify", tmp_path)
    assert said.exit_code == 0, said.output
    assert "The set-up, turn 1 and turn 2 (taken back) were played by rules 1" in flat(said.output)
    assert "every die and what each side was told, as far as they were." in flat(said.output)
    assert said.output.endswith("The war holds, as far as this program can play it.\n")


def test_an_older_program_asks_for_a_newer_one_and_takes_the_outcome_as_told(bundle, tmp_path, monkeypatch):
    (tmp_path / NAME).write_bytes(canonical(bundle))
    said = flat(command(monkeypatch, TwoHills(), "verify", tmp_path).output)
    assert "A newer program plays rules 2." in said
    assert "How it ended by those rules is told, not proved." in said


# ------------------------------------------------------------------ whatever is changed in turns that are not played


def other(text: str) -> str:
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def with_other_orders(sheets: str) -> str:
    records = json.loads(sheets)
    records[0]["text"] = "HOLD"
    return json.dumps(records)


IN_THE_DATABASE: dict[str, tuple[str, str, Callable[[Any], Any], str]] = {
    "the link": ("turns", "link", other, "the dice link"),
    "a seal": ("turns", "sheets", with_other_orders, "the digest of red's sheet"),
    "the sheets": ("turns", "sheets", lambda _: "[]", "the sides with sealed sheets"),
    "the hash before": ("turns", "hash_before", other, "the hash before"),
    "the hash after": ("turns", "hash_after", other, "the hash after"),
    "a die": ("turns", "events", lambda blob: blob.replace(b'"die":', b'"die":1', 1), "the die two-hills/1/1-red-blue"),
    "a label": ("turns", "events", lambda blob: blob.replace(b"1-red-blue", b"2-red-blue", 1), "the label of a die"),
    "no events": ("turns", "events", lambda _: b"?", "the events"),
    "the gate": ("turns", "gate_id", lambda _: "3-red-blue", "the salt of red's sheet"),
    "the position": ("snapshots", "state", lambda blob: blob.replace(b'"turn":2', b'"turn":1'), "the position"),
    "the hash beside it": ("snapshots", "hash", other, "the hash beside the position"),
    "the number": ("turns", "rules", lambda _: 2, "the events"),
    "the sheet that was sent": ("sheets", "text", lambda _: "HOLD", "the text of sheet 1 of red"),
}


@pytest.mark.parametrize(("table", "column", "change", "found"), IN_THE_DATABASE.values(), ids=IN_THE_DATABASE.keys())
def test_what_is_changed_in_the_database_is_found(played, table, column, change, found):
    key = "id = 1" if table == "sheets" else "run = 1"
    with sqlite3.connect(database_in(played.directory)) as connection:
        (old,) = connection.execute(f"SELECT {column} FROM {table} WHERE {key}").fetchone()
        assert change(old) != old
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key}", (change(old),))
    last = replay(played, 1)[-1]
    assert last.number == 1
    assert last.difference is not None
    assert last.difference.what.startswith(found)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("DELETE FROM snapshots WHERE run = 1", "the position"),
        ("UPDATE snapshots SET state = x'7b7d' WHERE run = 0", "the position"),
        ("UPDATE turns SET taken_back = ran_at WHERE run = 1", "the state of sheet 1 of red"),
        ("UPDATE turns SET number = 3 WHERE run = 2", "the number of the turn"),
        ("UPDATE matches SET secret = x'00'", "the dice commitment"),
    ],
)
def test_what_else_is_changed_is_found(played, statement, found):
    sql(played, statement)
    last = replay(played, 1)[-1]
    assert last.difference is not None
    assert last.difference.what.startswith(found)


def forged(position: str) -> str:
    """Red has more men where the new rules begin."""
    return position[:-8] + ("A" if position[-8] != "A" else "B") + position[-7:]


LIES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "the link": (set_in("runs", 0, "link"), "the dice link"),
    "a salt": (set_in("runs", 0, "sheets", 1, "salt"), "the salt of blue's sheet"),
    "orders": (set_in("runs", 0, "sheets", 0, "text", to="HOLD"), "the digest of red's sheet"),
    "the hash after": (set_in("runs", 0, "hash_after"), ""),
    "the hash before": (set_in("runs", 1, "hash_before"), "the hash before"),
    "a die that was told": (lambda war: set_dice(war, 6), "the die two-hills/1/1-red-blue"),
    "what blue was not told": (lambda war: war["runs"][0]["told"].pop("blue"), "the sides that were told"),
    "the position": (
        lambda war: war["runs"][2].update(position=forged(war["runs"][2]["position"])),
        "the position that it began from, by its hash",
    ),
    "no position": (lambda war: war["runs"][2].pop("position"), "the position that it began from, by other rules"),
    "a position more": (
        lambda war: war["runs"][3].update(position=war["runs"][2]["position"]),
        "the position that it began from, by the same rules",
    ),
    "the number of an old turn": (set_in("runs", 0, "rules", to=2), "the position that it began from, by other rules"),
    "the number of a new turn": (
        lambda war: war["runs"][3].pop("rules"),
        "the position that it began from, by other rules",
    ),
    "the number of the set-up": (set_in("rules", to=2), "the position that it began from, by other rules"),
    "a turn that counts": (set_in("runs", 0, "taken_back", to=True), "the turns that count"),
    "a turn left out": (lambda war: war["runs"].pop(0), "the number of the run"),
}


def changed(bundle: Bundle, change: Callable[[dict[str, Any]], object]) -> Bundle:
    document = json.loads(canonical(bundle))
    change(document)
    return read_bundle(json.dumps(document).encode())


@pytest.mark.parametrize(("lie", "found"), LIES.values(), ids=LIES.keys())
def test_what_is_changed_in_the_bundle_is_found(bundle, lie, found):
    difference = steps_of(changed(bundle, lie), ByRules2())[-1].difference
    assert difference is not None
    assert difference.what.startswith(found)


def about_rules(report: Verified, bundle: Bundle) -> list[str]:
    """A listing tells of dice in another way than a diary, so those are left out."""
    return [found for found in differences(report, bundle) if "rules" in found]


def test_turns_that_are_passed_off_as_run_by_rules_nobody_has_are_named_and_contradict_the_reports(war, bundle):
    """Whoever makes up a turn cannot have it skipped in silence."""
    after = state_after(war.office.store, 3)

    def skip(document: dict[str, Any]) -> None:
        document["runs"][3].update(rules=9, position=base64.b64encode(after).decode())
        for run in document["runs"][4:]:
            run["rules"] = 9

    lie = changed(bundle, skip)
    steps = steps_of(lie, ByRules2())
    assert steps[-1].difference is None
    assert "by rules 9" in not_played_again(steps, 2)
    report = verified(body_of(reports(war, 4)[0]).encode(), "", {"two-hills": ByRules2()})
    assert about_rules(report, bundle) == []
    (found,) = about_rules(report, lie)
    assert found == (
        "the report says that it was run by the rules of the turn before it,"
        " the bundle that it was run by rules 9 in place of rules 2"
    )


def test_the_report_of_the_change_agrees_with_the_bundle_and_contradicts_one_without_it(war, bundle):
    report = verified(body_of(reports(war, 3)[0]).encode(), "", {"two-hills": ByRules2()})
    assert report.report.new_rules == (2, 1)
    assert about_rules(report, bundle) == []
    lie = changed(bundle, set_in("runs", 0, "rules", to=2))
    assert len(about_rules(report, lie)) == 1
