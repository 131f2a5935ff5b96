"""What has vanished is not taken for empty: no new beginning in the place of a war that goes on."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from typer.testing import CliRunner

import pbem.cli.main
from pbem.intake.mailbox import must_be_whole
from pbem.mail.maildir import deliver, entries, make_maildir
from pbem.post.office import Office
from pbem.records import migrations
from pbem.records.database import database_in, open_database
from pbem.records.marks import MARK, mark_in, read_mark
from pbem.records.store import open_store
from pbem.settings import load_settings
from tests.postal import Watch, duty_of, new_match, new_office
from tests.the_project import ROOT
from tests.toy.table import toy_games

LETTER = b"From: stranger@example.net\r\nTo: referee@example.org\r\nSubject: hello\r\nMessage-ID: <%d@example.net>\r\n\r\nHello.\r\n"
SEATS = ("--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
OTHER = "f" * 32


class Table:
    """A GM at his keyboard, with a data directory that is named after the command was."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.maildir = directory / "mail" / "in"

    def __call__(self, *words: object, ok: int = 0, stdin: str = "", directory: Path | None = None):
        arguments = ["-C", str(directory or self.directory), *map(str, words)]
        result = CliRunner().invoke(pbem.cli.main.app, arguments, input=stdin)
        assert result.exit_code == ok, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    def drop(self, number: int) -> None:
        deliver(self.maildir, LETTER % number, f"{number}.test")

    def settings(self, old: str, new: str) -> None:
        path = self.directory / "settings.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def set_deadline(self, ago: timedelta) -> None:
        with closing(sqlite3.connect(database_in(self.directory))) as connection, connection:
            connection.execute(
                "UPDATE matches SET deadline = ?", (str((datetime.now(UTC) - ago).replace(tzinfo=None)),)
            )

    def turns(self) -> int:
        with closing(sqlite3.connect(database_in(self.directory))) as connection:
            return connection.execute("SELECT count(*) FROM turns").fetchone()[0]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two Hills, whose welcomes have gone out."""
    gm = Table(tmp_path_factory.mktemp("begun") / "wars")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pbem.cli.main, "known_games", toy_games)
        gm("init", gm.directory)
        gm("new", "two-hills", "at-once", *SEATS)
        gm("tick")
    return gm.directory


@pytest.fixture
def gm(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A copy of it: that a whole directory may be copied is taken for granted all over this file."""
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    gm = Table(tmp_path / "disk" / "wars")
    shutil.copytree(begun, gm.directory)
    return gm


def everything_in(directory: Path) -> dict[str, str]:
    """Every file with its content; what SQLite keeps beside its database while it is open does not count."""
    files = (path for path in directory.rglob("*") if not path.name.endswith(("-wal", "-shm")))
    return {str(path): "" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


# ------------------------------------------------------------------ what can vanish


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def made_by_somebody_else(maildir: Path) -> None:
    """A mail server delivers into the place where the disk is not mounted."""
    shutil.rmtree(maildir)
    make_maildir(maildir)


def with_another_mark(folder: Path) -> None:
    mark_in(folder).write_text(f"# a mark\n{OTHER}\n")


VANISHED: dict[str, tuple[Callable[[Table], None], str]] = {
    "no settings": (lambda gm: (gm.directory / "settings.yaml").unlink(), "there is no"),
    "empty settings": (lambda gm: emptied(gm.directory / "settings.yaml"), "settings.yaml is empty"),
    "no database": (lambda gm: database_in(gm.directory).unlink(), "holds no pbem.sqlite, and it did once"),
    "empty database": (lambda gm: emptied(database_in(gm.directory)), "pbem.sqlite is empty"),
    "no mark": (lambda gm: mark_in(gm.directory).unlink(), "pbem.identity is missing"),
    "empty mark": (lambda gm: emptied(mark_in(gm.directory)), "pbem.identity is missing"),
    "another mark": (lambda gm: with_another_mark(gm.directory), "is not the database that"),
    "no Maildir": (lambda gm: shutil.rmtree(gm.maildir), "is gone"),
    "bare mount point": (lambda gm: [shutil.rmtree(one) for one in gm.maildir.iterdir() if one.is_dir()], "is gone"),
    "a new Maildir": (lambda gm: made_by_somebody_else(gm.maildir), "does not bear our mark"),
    "another's Maildir": (lambda gm: with_another_mark(gm.maildir), "bears the mark of another referee"),
}


@pytest.mark.parametrize("what", VANISHED)
def test_what_has_vanished_is_said_and_nothing_is_read_sent_or_passed(gm: Table, what: str, tmp_path: Path) -> None:
    """The sheets lie in the mailbox, the deadline has passed; put back in its place, all goes on."""
    gm.drop(1)
    gm("extend", 1, 1)  # a notice waits to be sent
    gm.set_deadline(ago=timedelta(days=2))
    shutil.copytree(gm.directory, tmp_path / "kept", symlinks=True)
    vanish, said = VANISHED[what]
    vanish(gm)
    before = everything_in(gm.directory)
    for words in (("tick",), ("tick", "--anyway"), ("run",)):
        refused = gm(*words, ok=1)
        why, remedy, *more = refused.stderr.splitlines()
        assert said in why
        assert len(remedy) > 20
        assert more == []
        assert refused.stdout == ""
    assert everything_in(gm.directory) == before

    shutil.rmtree(gm.directory)
    shutil.copytree(tmp_path / "kept", gm.directory, symlinks=True)
    gm("tick")
    assert gm.turns() == 1, "the whole directory was copied, and the deadline passes"
    assert list(entries(gm.maildir)) == []


COMMANDS = (
    ("new", "two-hills", "at-once", *SEATS), ("orders", 1, "red", "-"), ("process", 1), ("show", 1), ("log", 1),
    ("status",), ("replay", 1), ("tick",), ("run",), ("letters",), ("outbox",), ("deadline",), ("extend", 1, 2),
    ("pause", 1), ("resume", 1), ("thaw", 1), ("replace", 1, "red", "bot"), ("release", 1), ("rollback", 1),
    ("backup", "copy.sqlite"), ("map", "print", 1),
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_no_command_begins_anew_where_a_database_was(gm: Table, words: tuple[object, ...]) -> None:
    emptied(database_in(gm.directory))
    assert "is empty" in gm(*words, ok=1).stderr
    assert database_in(gm.directory).stat().st_size == 0
    database_in(gm.directory).unlink()
    assert "it did once" in gm(*words, ok=1).stderr
    assert not database_in(gm.directory).exists()


@pytest.mark.parametrize("words", [*COMMANDS, ("adopt", "--yes")], ids=lambda words: words[0])
def test_no_command_but_init_makes_a_directory(gm: Table, words: tuple[object, ...]) -> None:
    typo = gm.directory.with_name("wras")
    refused = gm(*words, ok=1, directory=typo)
    assert str(typo) in refused.stderr
    assert not typo.exists()


def test_a_database_without_tables_is_empty_too(gm: Table) -> None:
    """SQLite writes a first page before there is anything on it."""
    database_in(gm.directory).unlink()
    with closing(sqlite3.connect(database_in(gm.directory))) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    assert database_in(gm.directory).stat().st_size > 0
    assert "is empty" in gm("status", ok=1).stderr


def test_a_directory_one_stands_in_is_not_passed_over_because_its_database_is_gone(
    gm: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    gm("init", tmp_path / "pbem")
    monkeypatch.chdir(gm.directory)
    monkeypatch.delenv("PBEM_DIR", raising=False)
    database_in(gm.directory).unlink()
    result = CliRunner().invoke(pbem.cli.main.app, ["status"])
    assert result.exit_code == 1
    assert f"{gm.directory} holds no pbem.sqlite, and it did once" in result.stderr


def test_the_gm_can_look_in_and_give_more_time_while_the_mailbox_is_away(gm: Table) -> None:
    shutil.rmtree(gm.maildir)
    gm("status")
    gm("letters")
    gm("extend", 1, 48)
    assert not gm.maildir.exists()


def test_the_whole_directory_may_be_moved_and_copied(gm: Table, tmp_path: Path) -> None:
    gm.drop(1)
    moved = gm.directory.rename(tmp_path / "elsewhere")
    assert "letters were read" in gm("tick", directory=moved).stderr
    shutil.copytree(moved, tmp_path / "copy")
    deliver(tmp_path / "copy" / "mail" / "in", LETTER % 2, "2.test")
    assert "letters were read" in gm("tick", directory=tmp_path / "copy").stderr


def test_folders_and_the_mailboxes_of_recipients_are_still_made_when_needed(gm: Table) -> None:
    shutil.rmtree(gm.directory / "mail" / "out")
    gm.drop(1)
    gm("tick")
    gm.drop(2)
    (folder,) = gm.maildir.glob(".*")
    shutil.rmtree(folder)
    gm("extend", 1, 1)
    gm("tick")
    assert len(list(entries(folder))) == 1
    assert (gm.directory / "mail" / "out" / "red@example.org").is_dir()


# ------------------------------------------------------------------ a disk that goes while the referee is at work


@pytest.mark.parametrize("back_as", ["nothing", "bare mount point", "a new Maildir"])
def test_a_disk_that_goes_while_the_referee_runs_lets_no_deadline_pass(tmp_path: Path, back_as: str) -> None:
    watch = Watch()
    office = new_office(tmp_path / "war", watch)
    match = new_match(office)
    maildir = office.settings.inbox.path
    with duty_of(office) as duty:
        assert duty.one_pass()
        away = maildir.rename(tmp_path / "away")
        if back_as != "nothing":
            maildir.mkdir()
        if back_as == "a new Maildir":
            make_maildir(maildir)
        deliver(away, LETTER % 1, "1.test")
        found = sorted(path.name for path in maildir.rglob("*"))
        for _ in range(12):
            watch.forward(hours=20)
            assert not duty.one_pass()
        assert sorted(path.name for path in maildir.rglob("*")) == found, "nothing was made or laid down there"
        assert office.store.position(match).match.gate_number == 0
        shutil.rmtree(maildir, ignore_errors=True)
        away.rename(maildir)
        for _ in range(3):
            watch.forward(hours=1)
            duty.one_pass()
        assert office.store.position(match).match.gate_number == 1
    assert "is gone" in duty.said.getvalue() or "does not bear our mark" in duty.said.getvalue()


def test_a_database_that_is_deleted_while_the_referee_runs_is_noticed(tmp_path: Path) -> None:
    """SQLite would go on writing into a file that nobody can ever open again."""
    office = new_office(tmp_path / "war", Watch())
    with duty_of(office) as duty:
        assert duty.one_pass()
        deliver(office.settings.inbox.path, LETTER % 1, "1.test")
        database_in(office.store.directory).unlink()
        assert not duty.one_pass()
    assert "holds no pbem.sqlite" in duty.said.getvalue()
    assert len(list(entries(office.settings.inbox.path))) == 1


# ------------------------------------------------------------------ older directories, and another Maildir


def as_before_the_identity(directory: Path) -> None:
    """A directory of the version before: no papers, no marks."""
    engine, config = open_database(directory), migrations.scripts()
    with engine.connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        command.downgrade(config, "0005")
    engine.dispose()
    for folder in (directory, directory / "mail" / "in"):
        mark_in(folder).unlink(missing_ok=True)


def test_a_directory_of_the_version_before_is_adopted_by_the_migration(gm: Table) -> None:
    as_before_the_identity(gm.directory)
    gm.drop(1)
    gm("tick")
    assert list(entries(gm.maildir)) == []
    assert read_mark(gm.directory) == read_mark(gm.maildir) != ""
    shutil.rmtree(gm.maildir)
    assert "is gone" in gm("tick", ok=1).stderr


def test_a_directory_of_the_version_before_whose_maildir_is_away_waits_for_it(gm: Table) -> None:
    as_before_the_identity(gm.directory)
    shutil.rmtree(gm.maildir)
    assert "is gone" in gm("tick", ok=1).stderr
    assert not gm.maildir.exists()


def test_one_that_has_never_read_a_letter_gets_its_maildir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    gm = Table(tmp_path / "wars")
    gm("init", gm.directory)
    as_before_the_identity(gm.directory)
    shutil.rmtree(gm.maildir)  # init did not make it then
    gm("tick")
    assert read_mark(gm.maildir) == read_mark(gm.directory)


def test_the_maildir_of_a_mail_server_is_taken_as_it_is_before_anything_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    gm, server = Table(tmp_path / "wars"), tmp_path / "home" / "Maildir"
    gm("init", gm.directory)
    gm.settings("path: mail/in", f"path: {server}")
    assert "is gone" in gm("tick", ok=1).stderr, "it is not ours to make"
    make_maildir(server)
    deliver(server, LETTER % 1, "1.test")
    assert "letters were read" in gm("tick").stderr
    assert read_mark(server) == read_mark(gm.directory)


def test_another_maildir_later_needs_the_word_of_the_gm(gm: Table, tmp_path: Path) -> None:
    make_maildir(tmp_path / "another")
    deliver(tmp_path / "another", LETTER % 1, "1.test")
    gm.settings("path: mail/in", f"path: {tmp_path / 'another'}")
    assert "does not bear our mark" in gm("tick", ok=1).stderr
    gm("adopt", "--yes")
    assert "letters were read" in gm("tick").stderr


def test_our_maildir_at_another_place_is_still_ours(gm: Table, tmp_path: Path) -> None:
    gm.maildir.rename(tmp_path / "larger-disk")
    gm.settings("path: mail/in", f"path: {tmp_path / 'larger-disk'}")
    gm("tick")
    assert f"on record: the Maildir {tmp_path / 'larger-disk'}" in gm("adopt").stdout


def test_the_mark_is_small_private_and_says_what_it_is(gm: Table) -> None:
    for folder in (gm.directory, gm.maildir):
        text = mark_in(folder).read_text()
        assert mark_in(folder).stat().st_mode & 0o777 == 0o600
        assert text.startswith("# By this pbem knows")
        assert len(text.splitlines()) == 2


# ------------------------------------------------------------------ adopt


def test_adopt_shows_what_it_found_and_asks(gm: Table) -> None:
    gm.drop(1)
    gm("tick")
    assert "there is nothing to adopt" in gm("adopt").stdout
    with_another_mark(gm.directory)
    made_by_somebody_else(gm.maildir)
    declined = gm("adopt", ok=1, stdin="n\n")
    assert f"Directory  {gm.directory}" in declined.stdout
    assert "1 match, 1 letter, the newest of " in declined.stdout
    assert "ffffffff in pbem.identity" in declined.stdout
    assert "on record: the Maildir mail/in\n" in declined.stdout
    assert "now: the Maildir mail/in, with no mark, 0 letters in it" in declined.stdout
    assert "is not the database that" in gm("tick", ok=1).stderr, "declined, nothing was changed"
    assert "Deadlines count again with the next pass" in gm("adopt", stdin="y\n").stdout
    gm("tick")
    assert read_mark(gm.directory) == read_mark(gm.maildir) != OTHER


def test_adopt_makes_a_maildir_that_is_gone_and_tells_scripts(gm: Table) -> None:
    shutil.rmtree(gm.maildir)
    assert "is not there and would be made, empty" in gm("adopt", ok=1, stdin="n\n").stdout
    assert not gm.maildir.exists()
    facts = json.loads(gm("adopt", "--yes", "--json").stdout)
    assert facts["mailbox"]["is_there"] is False
    assert facts["adopted"] is True
    assert json.loads(gm("adopt", "--json").stdout)["adopted"] is False
    gm("tick")


def test_a_restored_database_is_adopted(gm: Table, tmp_path: Path) -> None:
    """One from before the identity gets a new one; a copy from the same directory is not noticed at all."""
    gm("backup", tmp_path / "copy.sqlite")
    gm("new", "two-hills", "at-once", *SEATS)
    for rest in ("", "-wal", "-shm"):
        Path(f"{database_in(gm.directory)}{rest}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.sqlite", database_in(gm.directory))
    gm("tick")
    marks = mark_in(gm.directory).read_text(), mark_in(gm.maildir).read_text()
    as_before_the_identity(gm.directory)
    for folder, text in zip((gm.directory, gm.maildir), marks, strict=True):
        mark_in(folder).write_text(text)
    assert "is not the database that" in gm("tick", ok=1).stderr
    gm("adopt", "--yes")
    gm("tick")
    gm("status", 1)


def test_a_database_that_was_carried_elsewhere_alone_is_adopted(gm: Table, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    gm("backup", new / "pbem.sqlite")
    shutil.copy(gm.directory / "settings.yaml", new)
    assert "pbem.identity is missing" in gm("status", ok=1, directory=new).stderr
    gm("adopt", "--yes", directory=new)
    gm("tick", directory=new)


# ------------------------------------------------------------------ init


def test_init_makes_all_that_is_needed(gm: Table) -> None:
    assert {path.name for path in gm.directory.iterdir()} >= {"pbem.sqlite", "settings.yaml", MARK, "mail"}
    assert {path.name for path in gm.maildir.iterdir()} >= {"new", "cur", "tmp", MARK}


def test_a_directory_may_be_named_from_wherever_one_stands(gm: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gm.maildir)
    gm("init", "../../../others/wars")
    others = Table(gm.directory.parent / "others" / "wars")
    assert read_mark(others.maildir) == read_mark(others.directory) != ""
    others("tick", directory=Path("../../../others/wars"))
    assert "on record: the Maildir mail/in\n" in others("adopt", directory=Path("../../../others/wars")).stdout


def test_init_does_not_begin_anew_where_a_database_was(gm: Table) -> None:
    database_in(gm.directory).unlink()
    refused = gm("init", gm.directory, ok=1)
    assert "it did once" in refused.stderr
    assert "remove pbem.identity first" in refused.stderr
    mark_in(gm.directory).unlink()
    gm("init", gm.directory)
    assert json.loads(gm("status", "--json").stdout) == []


CUT_OFF = """
import os, sys
from pathlib import Path
from pbem.cli.directory import make_directory
from pbem.records import database
from pbem.refusal import Refusal
from tests.conftest import copied_databases

WRITES = ("open", "os.mkdir", "os.rename", "os.remove", "sqlite3.connect")

def cut_off_at(directory, number):
    child = os.fork()
    if child:
        return os.WEXITSTATUS(os.waitpid(child, 0)[1])
    left = [number]
    def count(event, arguments):
        reads = event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        if event in WRITES and not reads and str(directory) in str(arguments):
            left[0] -= 1
            if left[0] == 0:
                os._exit(9)
    sys.addaudithook(count)
    make_directory(directory)
    os._exit(0)

folder, number = Path(sys.argv[1]), 0
database.upgrade = copied_databases(folder / "first.sqlite")
make_directory(folder / "whole")
while True:
    number += 1
    directory = folder / str(number)
    if cut_off_at(directory, number) == 0:
        break
    try:
        make_directory(directory)
    except Refusal as refusal:
        assert "is there already" in refusal.why, refusal.why
print(number - 1)
"""


def test_an_init_that_is_cut_off_anywhere_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    done = subprocess.run(
        [sys.executable, "-c", CUT_OFF, tmp_path], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    cuts = int(done.stdout)
    assert cuts > 15
    for number in range(1, cuts + 1):
        store = open_store(tmp_path / str(number), toy_games())
        office = Office(store, load_settings(store.directory), store.clock)
        must_be_whole(office)
        assert read_mark(store.directory) == read_mark(store.directory / "mail" / "in") != ""
        store.engine.dispose()


# ------------------------------------------------------------------ root in the directory of somebody else


def test_root_leaves_no_files_in_the_directory_of_the_service(gm: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        for path in (gm.directory, *gm.directory.rglob("*")):
            os.chown(path, 65534, 65534)
    else:
        monkeypatch.setattr("pbem.cli.directory.os.geteuid", lambda: 0)
    before = everything_in(gm.directory)
    for words in (("tick",), ("status",), ("backup", "x"), ("adopt", "--yes"), ("letters",), ("init", gm.directory)):
        refused = gm(*words, ok=1).stderr
        assert f"{gm.directory} belongs to " in refused
        assert "and you are root" in refused
    assert everything_in(gm.directory) == before
    owner = gm.directory.owner()
    switch = f"runuser -u {owner} --" if shutil.which("runuser") else f"sudo -u {owner}"
    assert f"{switch} pbem -C {gm.directory} tick\n" in gm("tick", ok=1).stderr
    monkeypatch.setattr(sys, "argv", ["/opt/pbem/bin/pbem", "-C", "x", "extend", "1", "48"])
    assert f"{switch} /opt/pbem/bin/pbem -C {gm.directory} extend 1 48\n" in gm("extend", 1, 48, ok=1).stderr


# ------------------------------------------------------------------ what was a setting once


def test_a_setting_that_is_out_of_use_is_remarked_on_by_every_command_that_reads_it(gm: Table) -> None:
    gm.settings("  letters_a_day:", "  letter_lines: 2000\n  letters_a_day:")
    for words in (("tick",), ("letters",), ("deadline",)):
        said = gm(*words).stderr
        assert "pbem: limits.letter_lines in " in said
        assert "is not used any more" in said
    assert gm("letters", "--json").stdout == "[]\n"
