"""The database file of a data directory: opening it, keeping it safe, and saying what is wrong with it."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from pbem.durable import sync_directory
from pbem.records.marks import MARK, lay_mark, mark_in, read_mark
from pbem.records.migrations import upgrade
from pbem.records.papers import IDENTITY, LAID_DOWN, paper, write_paper
from pbem.records.place import DATABASE, PATIENCE_IN_SECONDS, PRAGMAS, ThereIsNoDatabaseHere, database_in
from pbem.refusal import Refusal


class ThereIsADatabaseAlready(Refusal):
    pass


class TheDatabaseIsEmpty(Refusal):
    pass


class TheDirectoryIsNotTheOneWeKnow(Refusal):
    pass


class TheDatabaseIsBusy(Refusal):
    pass


class TheDatabaseIsDamaged(Refusal):
    pass


class TheDatabaseCannotBeWritten(Refusal):
    pass


def create_database(directory: Path) -> None:
    """A new, empty database that nobody but its owner can read: it holds the secrets of the dice.

    It is made under another name: cut off at any moment, there is no database here, or a whole one.
    """
    must_hold_no_database(directory)
    path = database_in(directory)
    draft = path.with_name(f"{path.name}.part")
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        for remains in files_of(draft):
            remains.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _make_tables(draft)
        os.rename(draft, path)
        sync_directory(directory)
    except OSError as error:
        raise cannot_be_written(path, error.strerror) from error
    open_database(directory).dispose()


def _make_tables(path: Path) -> None:
    engine = _engine_for(path)
    with trouble_explained(path):
        upgrade(engine, before=lambda _revision: None)
    engine.dispose()  # now it is one file


def files_of(path: Path) -> list[Path]:
    """A database and what SQLite may have left beside it."""
    return [path.with_name(f"{path.name}{end}") for end in ("", "-wal", "-shm", "-journal")]


def must_hold_no_database(directory: Path) -> None:
    """Nor may one be missing that was there: to begin anew in its place is not what anybody wants who looks for it."""
    path = database_in(directory)
    if os.path.exists(directory) and not os.path.isdir(directory):
        raise TheDatabaseCannotBeWritten(f"{directory} is not a directory", "Name another one.")
    if os.path.exists(path) and os.path.getsize(path):
        raise ThereIsADatabaseAlready(
            f"{path} is there already; nothing was changed", "Use it as it is, or name another directory."
        )
    if os.path.exists(mark_in(directory)):
        raise _no_database(directory)


def open_database(directory: Path) -> Engine:
    """The engine of a data directory, its tables brought up to date. It is the directory that the database knows."""
    engine = open_whatever_is_there(directory)
    try:
        with trouble_explained(database_in(directory)):
            _must_know_each_other(directory, engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def open_whatever_is_there(directory: Path) -> Engine:
    """The same, whether or not the database and the directory know each other."""
    must_be_there(directory)
    path = database_in(directory)
    engine = _engine_for(path)
    with trouble_explained(path):
        if not _has_tables(engine):
            engine.dispose()
            raise _empty(directory)
        upgrade(engine, before=lambda revision: back_up(path, revision))
    return engine


def _has_tables(engine: Engine) -> bool:
    with engine.connect().execution_options(reading=True) as connection:
        return bool(inspect(connection).get_table_names())


def must_be_there(directory: Path) -> None:
    """A database that is missing or empty is never made anew here: it would know none of its players."""
    path = database_in(directory)
    try:
        size = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError) as error:
        raise _no_database(directory) from error
    except OSError as error:
        raise cannot_be_written(path, error.strerror) from error
    if not size:
        raise _empty(directory)


def _no_database(directory: Path) -> ThereIsNoDatabaseHere:
    if os.path.exists(mark_in(directory)):
        return ThereIsNoDatabaseHere(
            f"{directory} holds no {DATABASE}, and it did once",
            f"Put a backup copy in its place. To begin anew here all the same, remove {MARK} first.",
        )
    return ThereIsNoDatabaseHere(
        f"{directory} holds no {DATABASE}",
        f"Make one with: pbem init {directory}; or name another with -C.",
    )


def _empty(directory: Path) -> TheDatabaseIsEmpty:
    remedy = "Put a backup copy in its place."
    if not os.path.exists(mark_in(directory)):
        remedy += f" If no war was ever kept here, make it with: pbem init {directory}"
    return TheDatabaseIsEmpty(f"{database_in(directory)} is empty, which no database of pbem ever is", remedy)


def _must_know_each_other(directory: Path, engine: Engine) -> None:
    """The identity in the database lies beside it. One that was never laid down, in a new or an old one, is now."""
    with Session(engine.execution_options(reading=True)) as session:
        identity, was_laid_down = paper(session, IDENTITY), bool(paper(session, LAID_DOWN))
    if was_laid_down:
        must_be_marked(directory, identity)
    elif read_mark(directory) in ("", identity):
        with Session(engine) as session, session.begin():
            introduce(directory, session)
    else:
        raise _is_another(directory)


def introduce(directory: Path, session: Session) -> None:
    """Lay the identity of the database beside it."""
    lay_mark(directory, paper(session, IDENTITY))
    write_paper(session, LAID_DOWN, "yes")


def must_be_marked(directory: Path, identity: str) -> None:
    beside = read_mark(directory)
    if beside and beside != identity:
        raise _is_another(directory)
    if not beside:
        raise TheDirectoryIsNotTheOneWeKnow(
            f"{mark_in(directory)} is missing, which lies beside every {DATABASE}",
            f"Is this the right directory, and all of it? If so, take it as it is with: pbem -C {directory} adopt",
        )


def _is_another(directory: Path) -> TheDirectoryIsNotTheOneWeKnow:
    return TheDirectoryIsNotTheOneWeKnow(
        f"{database_in(directory)} is not the database that {MARK} beside it belongs to",
        f"If you have put a copy in its place, take it as it is with: pbem -C {directory} adopt",
    )


def back_up(path: Path, revision: str) -> Path:
    """A copy of the database as it was before a migration, beside it."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    copy = path.with_name(f"{path.name}.before-migration-from-{revision}-{stamp}")
    os.close(os.open(copy, os.O_CREAT | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def _engine_for(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": PATIENCE_IN_SECONDS})
    event.listen(engine, "connect", _set_up_connection)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up_connection(driver: Any, _record: Any) -> None:
    driver.isolation_level = None  # the driver would begin by itself, and too late
    for pragma in PRAGMAS:
        driver.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Writers queue from the start: one that began as a reader could not become a writer behind another."""
    reading = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


# ------------------------------------------------------------------ what is wrong with it


@contextmanager
def trouble_explained(path: Path) -> Iterator[None]:
    """Turns what the database reports into a sentence and a remedy."""
    try:
        yield
    except DBAPIError as error:
        raise _explained(path, str(error.orig)) from error
    except sqlite3.Error as error:
        raise _explained(path, str(error)) from error
    except json.JSONDecodeError as error:
        raise _damaged(path, str(error)) from error


def _explained(path: Path, said: str) -> Exception:
    words = said.lower()
    if "locked" in words or "busy" in words:
        return TheDatabaseIsBusy(
            f"another program has been writing to {path} for more than {PATIENCE_IN_SECONDS} seconds",
            "Nothing was changed. Try again when it is done.",
        )
    if any(sign in words for sign in ("malformed", "not a database", "no such table")):
        return _damaged(path, said)
    if any(sign in words for sign in ("readonly", "unable to open", "full", "disk i/o")):
        return cannot_be_written(path, said)
    return TheDatabaseIsDamaged(f"{path} answered: {said}", "Please report this with the command you gave.")


def _damaged(path: Path, said: str) -> TheDatabaseIsDamaged:
    return TheDatabaseIsDamaged(
        f"{path} is damaged ({said})", "Put a backup copy in its place; pbem replay then checks every match."
    )


def cannot_be_written(path: Path, said: str | None) -> TheDatabaseCannotBeWritten:
    return TheDatabaseCannotBeWritten(
        f"{path} cannot be read and written ({said})",
        "Look at the owner of the directory and the space on the disk.",
    )
