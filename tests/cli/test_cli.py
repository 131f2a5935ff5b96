"""The command line, with the toy and with Barbarossa: what is printed, what is refused, and what is never shown."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import pbem.cli.main
from pbem.cli.main import app
from pbem.records.database import DATABASE, PRAGMAS, database_in
from pbem.records.seals import salt_for
from pbem.records.store import open_store
from tests.positions import damage, remove, unpack_all
from tests.toy.table import toy_games

TOY_SEATS = ("--seat", "red=Rosa <red@example.org>", "--seat", "blue=blue@example.net")


class Table:
    """A GM at a keyboard, with a data directory of his own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def __call__(self, *words: object, stdin: str = "", ok: int = 0):
        arguments = ["-C", str(self.directory), *map(str, words)]
        result = CliRunner().invoke(app, arguments, input=stdin)
        assert result.exit_code == ok, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    def json(self, *words: object, stdin: str = "", ok: int = 0):
        return json.loads(self(*words, "--json", stdin=stdin, ok=ok).stdout)


@pytest.fixture
def empty(tmp_path, monkeypatch) -> Table:
    monkeypatch.delenv("PBEM_DIR", raising=False)
    return Table(tmp_path / "wars")


@pytest.fixture
def table(empty, monkeypatch) -> Table:
    """Two Hills, at its first gate."""
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    empty("init", empty.directory)
    empty("new", "two-hills", "at-once", *TOY_SEATS, "--settle", 0)
    return empty


@pytest.fixture
def played(table) -> Table:
    """One turn of Two Hills, with fighting."""
    for side in ("red", "blue"):
        table("orders", 1, side, "-", stdin="TAKE north\n")
    table("process", 1)
    return table


# ------------------------------------------------------------------ help and directories


def commands():
    group = get_command(app)
    return [name for name in group.commands if name != "map"]


@pytest.mark.parametrize("command", commands())
def test_every_command_has_help_with_an_example(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"Example: pbem {command}" in result.stdout


def test_the_version_is_told(empty):
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith("pbem 0.")


def test_init_says_what_to_do_next_and_does_not_overwrite(empty):
    said = empty("init", empty.directory).stdout
    assert f"pbem -C {empty.directory} new hitlers-war barbarossa --seat axis=" in said
    again = empty("init", empty.directory, ok=1)
    assert "is there already; nothing was changed" in again.stderr


def test_init_into_a_file_is_refused(empty):
    empty.directory.write_text("a file")
    assert "is not a directory" in empty("init", empty.directory, ok=1).stderr


def test_a_directory_that_was_not_initialised_is_named_with_a_remedy(empty):
    said = empty("status", ok=1).stderr
    assert f"{empty.directory} holds no {DATABASE}" in said
    assert f"pbem init {empty.directory}" in said


def test_without_a_directory_the_message_names_what_was_tried(tmp_path, monkeypatch):
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["status"])
    assert result.exit_code == 1
    assert str(tmp_path) in result.stderr
    assert str(tmp_path / "data") in result.stderr
    assert "PBEM_DIR" in result.stderr


def test_the_current_directory_and_the_variable_are_found(table, monkeypatch):
    monkeypatch.chdir(table.directory)
    assert "Two Hills" in CliRunner().invoke(app, ["status"]).stdout
    monkeypatch.chdir("/")
    assert "Two Hills" in CliRunner().invoke(app, ["status"], env={"PBEM_DIR": str(table.directory)}).stdout


def test_games_are_listed(table):
    assert "two-hills: Two Hills" in table("games").stdout
    assert table.json("games")[0]["scenarios"][0]["sides"] == ["red", "blue"]


# ------------------------------------------------------------------ a match


def test_a_new_match_prints_its_number_commitment_and_next_step(table):
    made = table("new", "two-hills", "by-turns", *TOY_SEATS, "--title", "Second war", "--fog", "open")
    assert "Match 2: Second war" in made.stdout
    assert "fog: open, mode: one-run" in made.stdout
    assert "Dice commitment: " in made.stdout
    assert "pbem orders 2 red FILE" in made.stdout
    facts = table.json("new", "two-hills", "by-turns", *TOY_SEATS)
    assert facts["match"] == 3
    assert facts["missing"] == ["red"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("three-hills", "at-once", *TOY_SEATS), 1, "there is no game 'three-hills'"),
        (("two-hills", "by-night", *TOY_SEATS), 1, "has no scenario 'by-night'"),
        (("two-hills", "at-once", *TOY_SEATS[:2]), 1, "nobody plays blue"),
        (("two-hills", "at-once", *TOY_SEATS, *TOY_SEATS[:2]), 1, "more than one seat"),
        (("two-hills", "at-once", *TOY_SEATS, "--seat", "green=g@example.org"), 1, "there is no side 'green'"),
        (("two-hills", "at-once", *TOY_SEATS, "--edition", "1984"), 1, "has no edition '1984'"),
        (("two-hills", "at-once"), 2, "--seat"),
        (("two-hills", "at-once", "--seat", "red"), 2, "is not SIDE=ADDRESS"),
        (("two-hills", "at-once", "--seat", "red=nobody"), 2, "does not look like a mail address"),
        (("two-hills", "at-once", "--seat", "red=a@b c@d"), 2, "does not look like a mail address"),
        (("two-hills", "at-once", "--seat", "red=a@example.org\nBcc: x@y"), 2, "does not look like"),
        (("two-hills", "at-once", *TOY_SEATS, "--title", "War\nBcc: x@y"), 2, "one line"),
        (("two-hills", "at-once", *TOY_SEATS, "--fog", "thick"), 2, "thick"),
        (("two-hills", "at-once", *TOY_SEATS, "--mode", "slow"), 2, "slow"),
    ],
)
def test_a_match_that_cannot_be_is_refused(table, words, code, said):
    result = table("new", *words, ok=code)
    assert said in result.stderr
    assert result.stdout == ""
    assert len(table.json("status")) == 1


def test_a_sheet_gets_a_receipt(table):
    first = table("orders", 1, "red", "-", stdin="TAKE north\nDANCE\n")
    assert "TAKE north" in first.stdout
    assert "the orders are TAKE and HOLD" in first.stdout
    assert "Still awaited: blue" in first.stdout
    second = table.json("orders", 1, "red", "-", stdin="TAKE south\n")
    assert second["superseded"] is True
    assert second["missing"] == ["blue"]
    assert len(second["digest"]) == 64
    assert second["orders"] == [{"line": 1, "text": "TAKE south", "read_as": "TAKE south", "standing": False}]
    last = table("orders", 1, "blue", "-", stdin="HOLD")
    assert "Next: pbem process 1" in last.stdout


def test_a_receipt_tells_the_odds_in_words_and_as_fractions(table):
    """Red wins a hill to which both come in 15 of 36 cases, and has it for certain if blue stays away."""
    for check in ((), ("--check",)):
        told = table("orders", 1, "red", "-", *check, stdin="TAKE north").stdout
        assert "red north" in told
        assert "42-100%" in told
        assert "Taken for granted: blue may come too." in told
    (odds,) = table.json("orders", 1, "red", "-", "--check", stdin="TAKE north")["odds"]
    assert odds["success"] == {"least": "5/12", "most": "1"}


def test_a_sheet_comes_from_a_file_in_any_encoding(table, tmp_path):
    file = tmp_path / "sheet.txt"
    file.write_bytes("\ufeffTAKE north # über\r\n".encode())
    assert table.json("orders", 1, "red", file)["kept"]
    file.write_bytes("TAKE south # über\n".encode("latin-1"))
    assert table.json("orders", 1, "red", file)["kept"]


@pytest.mark.parametrize("text", ["", "DANCE", "FOR blue 1\nHOLD"])
def test_a_sheet_that_cannot_be_used_ends_with_1(table, text):
    assert "Not kept:" in table("orders", 1, "red", "-", stdin=text, ok=1).stdout
    facts = table.json("orders", 1, "red", "-", stdin=text, ok=1)
    assert facts["kept"] is False
    assert facts["why_not"]


def test_a_check_keeps_nothing(table):
    assert "This was a check only" in table("orders", 1, "red", "-", "--check", stdin="HOLD").stdout
    assert table.json("status", 1)[0]["missing"] == ["red", "blue"]
    table("orders", 1, "red", "-", "--check", stdin="DANCE", ok=1)


def test_a_turn_waits_for_who_is_missing(table):
    table("orders", 1, "red", "-", stdin="TAKE north")
    refused = table("process", 1, ok=1)
    assert "no sheet has come from blue" in refused.stderr
    assert "--without-missing" in refused.stderr
    run = table("process", 1, "--without-missing")
    assert "Turn 1 of match 1 was run" in run.stdout
    assert "No sheet came from blue" in run.stdout


def test_a_whole_war_from_the_command_line(table):
    for turn in range(1, 5):
        for side in ("red", "blue"):
            table("orders", 1, side, "-", stdin="HOLD")
        run = table.json("process", 1)
        assert run["turn"] == turn
    assert run["next_gate"] is None
    assert run["outcome"]["winners"] == ["red", "blue"]
    assert "Over: Red and Blue won. The hills were counted." in table("status", 1).stdout
    assert "is over" in table("process", 1, ok=1).stderr
    assert "is over" in table("orders", 1, "red", "-", stdin="HOLD", ok=1).stderr
    assert "4 turns, every die and position" in table("replay", 1).stdout


def test_status_tells_why_a_turn_is_not_run_though_a_sheet_came(table):
    table("orders", 1, "red", "-", stdin="HOLD\nDANCE")
    assert "it waits for READY or the deadline" in table("status").stdout
    assert [one["in_doubt"] for one in table.json("status")[0]["awaited"]] == [True, False]
    table("orders", 1, "red", "-", stdin="HOLD")
    assert "READY" not in table("status").stdout


def test_status_tells_who_is_awaited_and_since_when(table):
    table("orders", 1, "red", "-", stdin="HOLD")
    said = table("status").stdout
    assert "red: a sheet came 20" in said
    assert "blue: awaited since 20" in said
    facts = table.json("status")[0]
    assert [one["side"] for one in facts["awaited"]] == ["red", "blue"]
    assert facts["awaited"][1]["since"].endswith("Z")


def test_status_of_an_empty_directory_says_how_to_begin(empty):
    empty("init", empty.directory)
    assert "pbem new" in empty("status").stdout
    assert empty.json("status") == []


def test_show_says_whose_view_it_is(played):
    assert "the GM's view" in played("show", 1).stdout
    assert "as red may know it" in played("show", 1, "--as", "red").stdout
    assert set(played.json("show", 1)["view"]["men"]) == {"red", "blue"}
    assert set(played.json("show", 1, "--as", "red")["view"]["men"]) == {"red"}
    assert set(played.json("show", 1, "--as", "public")["view"]["men"]) == set()


def test_the_log_tells_a_side_its_own_sheet_and_of_others_the_digest(played):
    assert "No turn" not in played("log", 1).stdout
    assert "as blue may know it" in played("log", 1, "--as", "blue").stdout
    (turn,) = played.json("log", 1, "--as", "red", "--turn", 1)
    assert [set(sheet) for sheet in turn["sheets"]] == [{"side", "digest", "salt", "text"}, {"side", "digest"}]
    told = {event["event"] for event in turn["events"]}
    assert "fought" in told
    assert all(event.get("side", "red") == "red" for event in turn["events"] if event["event"] == "ordered")
    (everything,) = played.json("log", 1)
    assert len(everything["events"]) > len(turn["events"])


def test_the_log_before_the_first_turn(table):
    assert "No turn has been run yet" in table("log", 1).stdout
    assert table.json("log", 1) == []


@pytest.mark.parametrize(
    "words",
    [
        ("show", 99),
        ("log", 99),
        ("process", 99),
        ("replay", 99),
        ("status", 99),
        ("orders", 99, "red", "-"),
        ("show", 1, "--as", "green"),
        ("log", 1, "--as", "green"),
        ("log", 1, "--turn", 17),
        ("orders", 1, "green", "-"),
        ("orders", 1, "red", "no-such-file.txt"),
        ("orders", 1, "red", "."),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence_with_a_remedy(table, words):
    result = table(*words, stdin="HOLD", ok=1)
    assert result.stdout == ""
    why, remedy = result.stderr.splitlines()
    assert why.startswith("pbem: ")
    assert remedy


@pytest.mark.parametrize("words", [("show",), ("show", "one"), ("show", 0), ("march", 1), ("orders", 1, "red")])
def test_wrong_usage_ends_with_2(table, words):
    assert table(*words, ok=2).stderr


# ------------------------------------------------------------------ trouble with the database


def test_a_damaged_database_is_named(table):
    for extra in ("-wal", "-shm"):
        Path(f"{database_in(table.directory)}{extra}").unlink(missing_ok=True)
    database_in(table.directory).write_bytes(b"not any more " * 500)
    said = table("status", ok=1).stderr
    assert f"{database_in(table.directory)} is damaged" in said
    assert "backup" in said


def test_pages_that_were_overwritten_are_damage_too(played):
    path = database_in(played.directory)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = bytearray(path.read_bytes())
    raw[4096:] = b"\xde\xad\xbe\xef" * ((len(raw) - 4096) // 4)
    path.write_bytes(raw)
    assert "is damaged" in played("status", ok=1).stderr


def test_a_newer_database_is_refused(table):
    with sqlite3.connect(database_in(table.directory)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "does not know" in table("status", ok=1).stderr


def test_a_locked_database_is_waited_for_and_then_named(table, monkeypatch):
    monkeypatch.setattr(pbem.records.database, "PRAGMAS", ("busy_timeout=50", *PRAGMAS[1:]))
    with sqlite3.connect(database_in(table.directory), isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        refused = table("process", 1, "--without-missing", ok=1)
        assert "another program has been writing" in refused.stderr
        assert "Two Hills" in table("status").stdout  # who only looks does not wait
        connection.execute("ROLLBACK")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_is_named(tmp_path):
    tmp_path.chmod(0o500)
    result = CliRunner().invoke(app, ["init", str(tmp_path / "wars")])
    assert result.exit_code == 1
    assert "cannot be read and written" in result.stderr


def test_a_damaged_position_is_named_and_found_by_replay(played):
    store = open_store(played.directory, toy_games())
    unpack_all(store)
    damage(store, 1, lambda state: state.replace(b'"turn":2', b'"turn":3'))
    found = played("replay", 1, ok=1).stdout
    assert "First difference: turn 1, the position, at turn" in found
    steps = played.json("replay", 1, ok=1)
    assert steps[1]["difference"] == {"what": "the position, at turn", "recorded": "3", "replayed": "2"}


def test_a_damaged_position_is_made_again_and_mend_puts_it_right(played):
    shown = played("show", 1).stdout
    assert played("mend", 1).stdout == "Match 1: every position on file is sound.\n"
    remove(open_store(played.directory, toy_games()), 1)
    assert played("show", 1).stdout == shown
    assert played("mend", 1).stdout == (
        "Match 1: the position after turn 1 (run 1) was damaged on file (that of run 1 is not there)"
        " and is written anew: 1 turn played again from the set-up.\n"
    )
    assert "replays exactly" in played("replay", 1).stdout


def test_mend_names_what_cannot_be_made_again(played):
    remove(open_store(played.directory, toy_games()), 1)
    with sqlite3.connect(database_in(played.directory)) as connection:
        connection.execute("UPDATE turns SET rules = 9")
    said = played("mend", 1, ok=1).stdout
    assert "cannot be made again, because turn 1 was run by rules 9 and this program has rules 1" in said
    assert "backup" in said
    assert played.json("mend", 1, ok=1) == [
        {
            "turn": 1,
            "run": 1,
            "damage": "that of run 1 is not there",
            "made_again": False,
            "played_again": 0,
            "why_not": "turn 1 was run by rules 9 and this program has rules 1",
        }
    ]
    assert "pbem rollback 1 --to 0" in played("show", 1, ok=1).stderr


def test_a_damaged_match_does_not_hide_the_others(table):
    table("new", "two-hills", "at-once", *TOY_SEATS, "--title", "The sound one")
    with sqlite3.connect(database_in(table.directory)) as connection:
        connection.execute("UPDATE snapshots SET state = '{', hash = 'x' WHERE match_id = 1")
    result = table("status", ok=1)
    assert "The sound one" in result.stdout
    assert "match 1: the set-up is damaged on file" in result.stderr
    assert "cannot be made again" in result.stderr
    assert [one["match"] for one in json.loads(table("status", "--json", ok=1).stdout)] == [2]


def test_a_command_leaves_one_file(played):
    left = sorted(path.name for path in played.directory.iterdir())
    assert left == ["mail", "pbem.identity", DATABASE, "settings.yaml"]


def test_a_file_too_long_for_a_sheet_is_refused(table, tmp_path):
    (tmp_path / "film.mkv").write_bytes(b"HOLD\n" * 300_000)
    assert "longer than any sheet" in table("orders", 1, "red", tmp_path / "film.mkv", ok=1).stderr


# ------------------------------------------------------------------ secrets


def test_no_command_prints_a_secret_of_the_dice(played):
    """Neither the secret, nor a link that was not revealed, nor a salt that was not used."""
    store = open_store(played.directory, toy_games())
    secret = store.position(1).match.secret
    hidden = [secret.hex(), repr(secret)[2:-1], salt_for(secret, "2-red-blue", "red").hex()]
    for side in ((), ("--as", "red")):
        for command in ("show", "log"):
            for form in ((), ("--json",)):
                said = played(command, 1, *side, *form).output
                assert not [word for word in hidden if word in said]
    for words in (("status",), ("status", "--json"), ("replay", 1), ("replay", 1, "--json"), ("games", "--json")):
        said = played(*words).output
        assert not [word for word in hidden if word in said]
    red = played("log", 1, "--as", "red", "--json").output
    assert salt_for(secret, "1-red-blue", "red").hex() in red
    assert salt_for(secret, "1-red-blue", "blue").hex() not in red


# ------------------------------------------------------------------ Barbarossa


def test_barbarossa_is_played_from_the_command_line(empty):
    pytest.importorskip("engine.hitlers_war.game")
    empty("init", empty.directory)
    made = empty("new", "hitlers-war", "barbarossa", "--seat", "axis=a@example.org", "--seat", "soviet=b@example.net")
    assert "Summer 1941" in made.stdout
    store = open_store(empty.directory)
    for side in ("axis", "soviet", "axis"):
        position = store.position(1)
        assert position.open_gate.awaits == (side,)
        sheet = position.game.bot(position.view(side), b"a bot of the test")
        assert empty.json("orders", 1, side, "-", stdin=sheet)["kept"]
        empty("process", 1)
    assert "Q17" in empty("show", 1, "--as", "axis").stdout or "Moscow" in empty("show", 1, "--as", "axis").stdout
    assert "DIARY" in empty("log", 1, "--as", "soviet", "--turn", 1).stdout
    fogged = empty.json("show", 1, "--as", "axis")["view"]
    assert all("points" not in army for army in fogged["armies"].values() if army["side"] == "soviet")
    assert "replays exactly: 3 turns" in empty("replay", 1).stdout


def test_the_edition_is_settled_when_the_match_is_made(empty):
    pytest.importorskip("engine.hitlers_war.game")
    empty("init", empty.directory)
    seats = ("--seat", "axis=a@example.org", "--seat", "soviet=b@example.net")
    assert empty.json("new", "hitlers-war", "barbarossa", *seats)["options"]["edition"] == "1984"
    later = empty.json("new", "hitlers-war", "barbarossa", *seats, "--edition", "later", "--mode", "checkpoint")
    assert later["options"]["edition"] == "later"
    assert later["options"]["mode"] == "checkpoint"


def test_the_installed_command_shows_no_traceback(tmp_path):
    script = Path(sys.executable).parent / "pbem"
    done = subprocess.run([script, "-C", tmp_path, "show", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 2
