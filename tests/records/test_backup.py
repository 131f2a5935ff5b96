"""`pbem backup`: a copy while the referee writes, private from the first byte, checked, and good for a restore."""

import os
import re
import shlex
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pbem.cli.keeping
import pbem.cli.main
from pbem.records import backup
from pbem.records.backup import TheCopyIsNotSound, back_up_to
from pbem.records.database import database_in
from pbem.records.store import Store
from tests.the_project import ROOT
from tests.toy.table import new_match, new_store, play_by_bots, toy_games

HANDBOOK = (ROOT / "docs" / "gm-handbook.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """Whatever the umask lets others read."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = new_store(tmp_path / "wars")
    play_by_bots(store, new_match(store), runs=1)
    return store


def run(store: Store, *words: object, ok: int = 0):
    result = CliRunner().invoke(pbem.cli.main.app, ["-C", str(store.directory), *map(str, words)])
    assert result.exit_code == ok, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def test_the_copy_holds_everything_in_one_file_that_nobody_else_can_read(store: Store, tmp_path: Path) -> None:
    said = run(store, "backup", tmp_path / "copy.sqlite").stdout
    assert re.search(r"copy.sqlite: a copy of the database with 1 match and 0 letters, .* (K|M)B, checked", said)
    assert "settings.yaml" in said
    assert "password" in said
    assert stat.S_IMODE((tmp_path / "copy.sqlite").stat().st_mode) == 0o600
    assert rows_of(tmp_path / "copy.sqlite") == rows_of(database_in(store.directory))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "wars"]


def test_it_is_private_from_its_first_byte(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: set[int] = set()
    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)

    def look(*_: int) -> None:
        modes.update(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("copy.sqlite*"))

    back_up_to(store.directory, tmp_path / "copy.sqlite", progress=look)
    assert modes == {0o600}


def test_a_copy_is_of_one_moment_although_the_referee_writes(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy page by page would begin again with each write, or mix what belongs to two moments."""
    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)
    before, steps = rows_of(database_in(store.directory)), 0

    def write_meanwhile(*_: int) -> None:
        nonlocal steps
        steps += 1
        if steps % 8 == 1:
            new_match(store)

    back_up_to(store.directory, tmp_path / "copy.sqlite", progress=write_meanwhile)
    assert steps < 500, "it did not begin again"
    assert rows_of(tmp_path / "copy.sqlite") == before
    assert len(store.matches()) > 2


def test_a_file_that_is_there_is_replaced_only_if_one_says_so(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    target.write_text("the only photograph of my grandmother")
    target.chmod(0o644)
    refused = run(store, "backup", target, ok=1).stderr
    assert "is there already" in refused
    assert "--replace" in refused
    assert "grandmother" in target.read_text()
    run(store, "backup", "--replace", target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert len(rows_of(target)["matches"]) == 1


def test_what_cannot_be_a_copy_is_refused(store: Store, tmp_path: Path) -> None:
    assert "is the database itself" in run(store, "backup", "--replace", database_in(store.directory), ok=1).stderr
    assert f"Name a file in it: {tmp_path / 'pbem.sqlite'}" in run(store, "backup", tmp_path, ok=1).stderr
    refused = run(store, "backup", tmp_path / "nowhere" / "copy.sqlite", ok=1).stderr
    assert "cannot be written (No such file or directory)" in refused
    assert not (tmp_path / "nowhere").exists()


def test_the_remains_of_one_that_was_killed_are_in_nobodys_way(store: Store, tmp_path: Path) -> None:
    for name in ("copy.sqlite.part", "copy.sqlite.part-journal"):
        (tmp_path / name).write_bytes(b"half a copy")
        (tmp_path / name).chmod(0o666)
    run(store, "backup", tmp_path / "copy.sqlite")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "wars"]


def test_a_copy_that_is_not_sound_is_not_kept(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = backup._copy

    def scratched(database: Path, draft: Path, progress: backup.Progress) -> None:
        copy(database, draft, progress)
        with draft.open("r+b") as file:
            file.seek(2 * 4096)
            file.write(b"\xff" * 4096)

    (tmp_path / "copy.sqlite").write_text("yesterday's")
    monkeypatch.setattr(backup, "_copy", scratched)
    with pytest.raises(TheCopyIsNotSound, match="was not kept"):
        back_up_to(store.directory, tmp_path / "copy.sqlite", replace=True)
    assert (tmp_path / "copy.sqlite").read_text() == "yesterday's"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "wars"]


def test_one_sees_how_far_a_large_copy_has_come(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbem.cli.keeping, "LARGE", 1000)
    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 5)
    assert run(store, "backup", tmp_path / "copy.sqlite").stderr == "", "nobody looks at the screen of cron"
    monkeypatch.setenv("FORCE_COLOR", "1")
    second = run(store, "backup", "--json", tmp_path / "second.sqlite")
    assert "copying" in second.stderr
    assert second.stdout.startswith("{")


def test_copies_at_the_same_time_as_turns(store: Store, tmp_path: Path) -> None:
    """With real writers: every copy can be opened, and no writer is held up."""
    new_match(store)

    def play() -> None:
        play_by_bots(store, 2, runs=6)

    playing = threading.Thread(target=play)
    playing.start()
    for number in range(4):
        back_up_to(store.directory, tmp_path / f"{number}.sqlite")
    playing.join()
    turns = [len(rows_of(tmp_path / f"{number}.sqlite")["turns"]) for number in range(4)]
    assert turns == sorted(turns)


# ------------------------------------------------------------------ as it stands in the guide


def commands_below(heading: str, which: int) -> str:
    """A block of commands of a chapter of the handbook."""
    chapter = HANDBOOK.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^```\n(.*?)^```$", chapter, re.DOTALL | re.MULTILINE)[which]


def typed(text: str, home: Path, stdin: str = "") -> str:
    """What the GM types, line by line, on this machine: his home is elsewhere, and there is no service to stop."""
    said = []
    for line in text.replace("/home/gm", str(home)).splitlines():
        program, *words = shlex.split(line, comments=True)
        if program == "pbem":
            result = CliRunner().invoke(pbem.cli.main.app, words, input=stdin)
            assert result.exit_code == 0, f"{line}\n{result.output}"
            said.append(result.output)
        elif program in ("systemctl", "git", "/opt/pbem/bin/pip"):
            said.append(" ".join([Path(program).name, *words]) + "\n")
        else:
            subprocess.run(["sh", "-ec", line], check=True, cwd=home)
    return "".join(said)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """/home/gm with his wars, one of which has begun."""
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    wars = tmp_path / "wars"
    assert CliRunner().invoke(pbem.cli.main.app, ["init", str(wars)]).exit_code == 0
    seats = ["--seat", "red=red@example.org", "--seat", "blue=blue@example.org"]
    begun = CliRunner().invoke(pbem.cli.main.app, ["-C", str(wars), "new", "two-hills", "at-once", *seats])
    assert begun.exit_code == 0, begun.output
    (tmp_path / "backup").mkdir()
    return tmp_path


def test_backup_and_restore_work_as_the_handbook_says(home: Path) -> None:
    typed(commands_below("Backup", 0), home)
    copies = list((home / "backup").iterdir())
    assert [stat.S_IMODE(copy.stat().st_mode) for copy in copies] == [0o600]
    database_in(home / "wars").write_bytes(b"a disk that died " * 1000)
    database_in(home / "wars").with_name("pbem.sqlite-wal").write_bytes(b"what belonged to it")
    said = typed(commands_below("Backup", 1), home)
    assert re.match(r"systemctl stop pbem\n(.|\n)*Two Hills(.|\n)*systemctl start pbem\n$", said)
    assert stat.S_IMODE(database_in(home / "wars").stat().st_mode) == 0o600
    typed("pbem -C /home/gm/wars tick", home)


def test_a_restore_elsewhere_works_as_the_handbook_says(home: Path) -> None:
    typed(commands_below("Backup", 0), home)
    assert "Two Hills" in typed(commands_below("Backup", 2), home, stdin="y\n")
    typed("pbem -C /home/gm/new tick", home)


def test_an_upgrade_and_the_way_back_work_as_the_handbook_says(home: Path) -> None:
    """As far as that can be tried: of the new version and of the old there is only this one."""
    said = typed(commands_below("Upgrading", 0), home)
    assert re.match(r"systemctl stop pbem\n(.|\n)*pip install .(.|\n)*Two Hills(.|\n)*systemctl start pbem\n$", said)
    said = typed(commands_below("Upgrading", 1), home)
    assert said.splitlines() == ["systemctl stop pbem", "git checkout OLD", "pip install .", "systemctl start pbem"]
    typed("pbem -C /home/gm/wars tick", home)
