"""The database file of a data directory: opening it, keeping it safe, and saying what is wrong with it."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from pbem.records.migrations import upgrade
from pbem.refusal import Refusal

DATABASE = "pbem.sqlite"
#: How long a command waits for another one that is writing.
PATIENCE_IN_SECONDS = 10

PRAGMAS = (
    f"busy_timeout={PATIENCE_IN_SECONDS * 1000}",  # first: the others may have to wait too
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
)


class ThereIsNoDatabaseHere(Refusal):
    pass


class ThereIsADatabaseAlready(Refusal):
    pass


class TheDatabaseIsBusy(Refusal):
    pass


class TheDatabaseIsDamaged(Refusal):
    pass


class TheDatabaseCannotBeWritten(Refusal):
    pass


def database_in(directory: Path) -> Path:
    return directory / DATABASE


def create_database(directory: Path) -> None:
    """A new, empty database that nobody but its owner can read: it holds the secrets of the dice."""
    path = database_in(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        if path.exists():
            raise ThereIsADatabaseAlready(
                f"{path} is there already; nothing was changed", "Use it as it is, or name another directory."
            ) from error
        raise TheDatabaseCannotBeWritten(f"{directory} is not a directory", "Name another one.") from error
    except OSError as error:
        raise _cannot_be_written(path, error.strerror or str(error)) from error
    open_database(directory).dispose()


def open_database(directory: Path) -> Engine:
    """The engine of a data directory, its tables brought up to date."""
    path = database_in(directory)
    if not path.is_file():
        raise ThereIsNoDatabaseHere(
            f"{directory} holds no {DATABASE}",
            f"Make one with: pbem init {directory}; or name another with -C.",
        )
    engine = _engine_for(path)
    with trouble_explained(path):
        upgrade(engine, before=lambda revision: back_up(path, revision))
    return engine


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
        return _cannot_be_written(path, said)
    return TheDatabaseIsDamaged(f"{path} answered: {said}", "Please report this with the command you gave.")


def _damaged(path: Path, said: str) -> TheDatabaseIsDamaged:
    return TheDatabaseIsDamaged(
        f"{path} is damaged ({said})", "Put a backup copy in its place; pbem replay then checks every match."
    )


def _cannot_be_written(path: Path, said: str) -> TheDatabaseCannotBeWritten:
    return TheDatabaseCannotBeWritten(
        f"{path} cannot be read and written ({said})",
        "Look at the owner of the directory and the space on the disk.",
    )
