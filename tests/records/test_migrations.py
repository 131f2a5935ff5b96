"""The tables: migrations and models agree, an old file is backed up before it is changed, a newer one is refused."""

import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from pbem.records import migrations
from pbem.records.database import (
    TheDatabaseIsDamaged,
    TheDatabaseIsEmpty,
    TheDirectoryIsNotTheOneWeKnow,
    create_database,
    database_in,
    open_database,
)
from pbem.records.marks import mark_in, read_mark
from pbem.records.migrations import (
    TheDatabaseIsNewerThanThisProgram,
    TheMigrationLeftLooseEnds,
    ThisIsNoPbemDatabase,
    newest_revision,
    revision_of,
    upgrade,
)
from pbem.records.models import Table
from pbem.records.papers import IDENTITY, paper
from tests.toy.table import new_match, new_store, play_by_bots

SECOND = '''
"""A column more, which on SQLite rebuilds the table that all others refer to."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("matches", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.add_column(sa.Column("note", sa.String(), nullable=False, server_default=""))
        batch.alter_column("title", nullable=True)
'''

FAILING = SECOND + "    op.execute('DELETE FROM matches')\n"


@pytest.fixture
def next_release(tmp_path, monkeypatch):
    """A program that has one more migration than this one; call it with the text of the migration."""
    original = Path(migrations.__file__).parent

    def release(text: str) -> None:
        copy = tmp_path / "migrations"
        shutil.copytree(original, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "versions" / "9999_next.py").write_text(text)
        monkeypatch.setattr(migrations, "__file__", str(copy / "__init__.py"))

    return release


def backups_in(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.before-migration-*"))


def rows_of(path: Path) -> dict[str, int]:
    with sqlite3.connect(path) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def test_models_and_migrations_agree(tmp_path):
    create_database(tmp_path)
    with open_database(tmp_path).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Table.metadata) == []


def test_the_tables_are_the_same_from_models_as_from_migrations(tmp_path):
    """Down to the names of constraints and the conditions of indexes, which the comparison above leaves out."""
    create_database(tmp_path / "migrated")
    (tmp_path / "modelled").mkdir()
    from sqlalchemy import create_engine

    modelled = create_engine(f"sqlite:///{tmp_path}/modelled/pbem.sqlite")
    Table.metadata.create_all(modelled)
    assert schema_of(database_in(tmp_path / "migrated")) == schema_of(database_in(tmp_path / "modelled"))


def schema_of(path: Path) -> dict[str, str]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {name: as_set_of_parts(sql) for name, sql in rows if not name.startswith(("sqlite_", "alembic_"))}


def as_set_of_parts(sql: str) -> list[str]:
    """A table that was built anew has its name in quotes, which means nothing; an added column shares a line."""
    plain = re.sub(r'^CREATE TABLE "(\w+)"', r"CREATE TABLE \1", sql)
    plain = re.sub(r", (?=\w+ [A-Z])", ",\n\t", plain)
    return sorted(line.strip().rstrip(",") for line in plain.splitlines())


def test_migrations_are_one_line_from_first_to_newest():
    revisions = [script.revision for script in ScriptDirectory.from_config(migrations.scripts()).walk_revisions()]
    assert revisions == sorted(revisions, reverse=True)
    assert revisions[0] == newest_revision()


def test_an_up_to_date_database_is_left_alone(tmp_path):
    create_database(tmp_path)
    engine = open_database(tmp_path)
    assert not upgrade(engine)
    assert backups_in(tmp_path) == []


def test_an_init_that_was_cut_off_is_finished_by_init_and_by_nothing_else(tmp_path):
    """What is empty may have been a database once, so only he makes it new who says so."""
    database_in(tmp_path).touch()
    with pytest.raises(TheDatabaseIsEmpty) as refusal:
        open_database(tmp_path)
    assert f"pbem init {tmp_path}" in refusal.value.remedy
    assert database_in(tmp_path).stat().st_size == 0
    create_database(tmp_path)
    with open_database(tmp_path).connect() as connection:
        assert revision_of(connection) == newest_revision()
    assert backups_in(tmp_path) == []


def test_an_older_file_is_backed_up_and_migrated_without_losing_a_row(tmp_path, next_release):
    store = new_store(tmp_path / "war")
    new_match(store)
    play_by_bots(store, 1)
    store.engine.dispose()
    path = database_in(store.directory)
    before = rows_of(path)
    next_release(SECOND)
    engine = open_database(store.directory)
    assert rows_of(path) == before
    assert "note" in {column["name"] for column in inspect(engine).get_columns("matches")}
    with engine.connect() as connection:
        assert revision_of(connection) == "9999"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    (backup,) = backups_in(store.directory)
    assert "from-0009" in backup.name
    assert rows_of(backup) == before
    assert backup.stat().st_mode & 0o077 == 0


def test_a_migration_that_leaves_loose_ends_changes_nothing(tmp_path, next_release):
    store = new_store(tmp_path / "war")
    new_match(store)
    store.engine.dispose()
    before = rows_of(database_in(store.directory))
    next_release(FAILING)
    with pytest.raises(TheMigrationLeftLooseEnds):
        open_database(store.directory)
    assert rows_of(database_in(store.directory)) == before


def test_a_newer_database_is_refused(tmp_path):
    create_database(tmp_path)
    with sqlite3.connect(database_in(tmp_path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(TheDatabaseIsNewerThanThisProgram, match="9999"):
        open_database(tmp_path)


def test_somebody_elses_database_is_refused(tmp_path):
    with sqlite3.connect(database_in(tmp_path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    with pytest.raises(ThisIsNoPbemDatabase):
        open_database(tmp_path)
    assert set(rows_of(database_in(tmp_path))) == {"songs"}


def test_a_file_that_is_no_database_is_called_damaged(tmp_path):
    database_in(tmp_path).write_bytes(b"this was a database once, " * 1000)
    with pytest.raises(TheDatabaseIsDamaged, match="not a database"):
        open_database(tmp_path)


def test_downgrade_takes_everything_away(tmp_path):
    from alembic import command

    create_database(tmp_path)
    config = migrations.scripts()
    with open_database(tmp_path).connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert set(rows_of(database_in(tmp_path))) <= {"alembic_version", "sqlite_sequence"}


def test_a_war_from_before_rollbacks_is_played_on_and_replays(tmp_path):
    from alembic import command

    from pbem.records.replay import replay
    from pbem.records.store import open_store
    from tests.toy.table import toy_games

    store = new_store(tmp_path / "war")
    new_match(store)
    play_by_bots(store, 1, runs=2)
    config = migrations.scripts()
    with store.engine.connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        command.downgrade(config, "0002")
    store.engine.dispose()
    mark_in(store.directory).unlink()  # there was none then
    with sqlite3.connect(database_in(store.directory)) as connection:
        assert connection.execute("SELECT number FROM snapshots").fetchall() == [(0,), (1,), (2,)]
    later = open_store(store.directory, toy_games())
    play_by_bots(later, 1, runs=1)
    assert [(turn.number, turn.run) for turn in later.runs_of(1)] == [(1, 1), (2, 2), (3, 3)]
    assert [step.difference for step in replay(later, 1)] == [None] * 4
    with later.reading() as session:
        assert read_mark(store.directory) == paper(session, IDENTITY) != "", "the migration has adopted the directory"


def test_a_copy_from_before_the_identity_is_not_taken_for_the_database_of_the_directory(tmp_path):
    """It gets an identity of its own, and the mark beside it is that of the database it replaces."""
    from alembic import command

    create_database(tmp_path)
    config = migrations.scripts()
    engine = open_database(tmp_path)
    with engine.connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        command.downgrade(config, "0005")
    engine.dispose()
    for _ in range(2):  # the migration is done with the first, and changes nothing about it
        with pytest.raises(TheDirectoryIsNotTheOneWeKnow, match="is not the database that") as refusal:
            open_database(tmp_path)
        assert f"pbem -C {tmp_path} adopt" in refusal.value.remedy
