"""A copy of the database for the GM to keep: taken while the referee is at work, private, and checked."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pbem.durable import sync_directory
from pbem.records.database import files_of, trouble_explained
from pbem.records.papers import IDENTITY
from pbem.records.place import database_in
from pbem.refusal import Refusal

#: Copied at once, in pages of SQLite; after each portion it is told how far it has come.
PAGES_AT_ONCE = 2000

#: Called with how many pages are copied, and how many there are.
Progress = Callable[[int, int], None]


class ThereIsAFileAlready(Refusal):
    pass


class TheCopyCannotBeWritten(Refusal):
    pass


class TheCopyIsNotSound(Refusal):
    pass


@dataclass(frozen=True)
class Copy:
    path: Path
    size: int
    matches: int
    letters: int


def back_up_to(directory: Path, target: Path, *, replace: bool = False, progress: Progress = lambda *_: None) -> Copy:
    """Under its name there is a whole, checked copy or what was there before, never anything between."""
    database = database_in(directory)
    _must_be_free(target, database, replace)
    draft = target.with_name(f"{target.name}.part")
    with _writing(target, draft):
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with trouble_explained(draft):
            _copy(database, draft, progress)
            copy = _checked(draft, database, target)
        _let_it_last(draft)
        os.rename(draft, target)
        sync_directory(target.parent)
    return copy


def _must_be_free(target: Path, database: Path, replace: bool) -> None:
    if os.path.exists(target) and os.path.samefile(target, database):
        raise ThereIsAFileAlready(f"{target} is the database itself", "Name another file, best on another disk.")
    if os.path.isdir(target):
        raise ThereIsAFileAlready(f"{target} is a directory", f"Name a file in it: {target / database.name}")
    if os.path.exists(target) and not replace:
        raise ThereIsAFileAlready(f"{target} is there already", "Name another file, or say --replace.")


@contextmanager
def _writing(target: Path, draft: Path) -> Iterator[None]:
    """Nothing of a copy is left that was not finished, by us or by one who was killed."""
    try:
        _remove(draft)
        yield
    except OSError as error:
        raise TheCopyCannotBeWritten(
            f"{target} cannot be written ({error.strerror})", "Look at the directory it lies in and the space there."
        ) from error
    finally:
        _remove(draft)


def _remove(draft: Path) -> None:
    for file in files_of(draft):
        file.unlink(missing_ok=True)


def _copy(database: Path, draft: Path, progress: Progress) -> None:
    """As the database was at one moment: the transaction that is begun here sees nothing of what is written later."""
    with closing(_opened(database)) as source, closing(_opened(draft)) as copy:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=PAGES_AT_ONCE, progress=lambda _, left, pages: progress(pages - left, pages))
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, whatever is done with it


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=10, isolation_level=None)


def _checked(draft: Path, database: Path, target: Path) -> Copy:
    with closing(_opened(draft)) as copy, closing(_opened(database)) as source:
        said = _faults_of(copy)
        if said or _identity(copy) != _identity(source):
            raise TheCopyIsNotSound(
                f"the copy is not sound ({said or 'it is of another database'}), and was not kept",
                "The disk or the database may be damaged: keep your older copies.",
            )
        matches, letters = (
            copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("matches", "letters")
        )
    return Copy(target, draft.stat().st_size, matches, letters)


def _faults_of(copy: sqlite3.Connection) -> str:
    try:
        said = [str(row[0]) for row in copy.execute("PRAGMA integrity_check(3)")]
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if said == ["ok"] else "; ".join(said)


def _identity(connection: sqlite3.Connection) -> str:
    found = connection.execute("SELECT value FROM papers WHERE name = ?", (IDENTITY,)).fetchone()
    return str(found[0]) if found else ""


def _let_it_last(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
