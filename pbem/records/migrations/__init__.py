"""Bringing a database up to date.

A migration is a file in `versions/`, written by hand and never changed once released; `tests/records/test_migrations.py`
fails when the migrations and `pbem/records/models.py` disagree, and says in what. On SQLite a changed table is built anew:
to rebuild `matches`, give `batch_alter_table` the `table_kwargs={"sqlite_autoincrement": True}` it would lose.

Most databases are up to date, and to see that takes no library: alembic is imported when there is something to do.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.refusal import Refusal

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine


class TheDatabaseIsNewerThanThisProgram(Refusal):
    pass


class ThisIsNoPbemDatabase(Refusal):
    pass


class TheMigrationLeftLooseEnds(Refusal):
    pass


def scripts() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def newest_revision() -> str:
    """A file in `versions/` begins with the number of its revision."""
    return max(path.name.partition("_")[0] for path in (Path(__file__).parent / "versions").glob("[0-9]*.py"))


def revision_of(connection: "Connection") -> str | None:
    from sqlalchemy import inspect

    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return revision


def needs_upgrade(connection: "Connection") -> bool:
    """Whether the tables are older than this program. Refuses what this program cannot bring up to date."""
    found = revision_of(connection)
    if found == newest_revision():
        return False
    from alembic.script import ScriptDirectory
    from sqlalchemy import inspect

    known = {script.revision for script in ScriptDirectory.from_config(scripts()).walk_revisions()}
    if found is not None and found not in known:
        raise TheDatabaseIsNewerThanThisProgram(
            f"the database has schema {found}, which this version of pbem does not know",
            "Install the newer pbem that wrote it, or restore a backup made before.",
        )
    if found is None and inspect(connection).get_table_names():
        raise ThisIsNoPbemDatabase(
            "the file is an SQLite database, but not one that pbem made", "Name the right directory with -C."
        )
    return True


def upgrade(engine: "Engine", before: Callable[[str], object] = lambda _revision: None) -> bool:
    """Bring the tables up to date, all or nothing; whether anything had to be done.

    `before` is called with the old revision when tables with data are about to be changed, nobody else writing.
    """
    with engine.connect().execution_options(reading=True) as connection:
        if not needs_upgrade(connection):
            return False
    from alembic import command

    with _without_foreign_keys(engine) as connection, connection.begin():
        if not needs_upgrade(connection):  # another process was faster
            return False
        found = revision_of(connection)
        if found is not None:
            before(found)
        config = scripts()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        _find_loose_ends(connection)
    return True


@contextmanager
def _without_foreign_keys(engine: "Engine") -> Iterator["Connection"]:
    """SQLite changes a table by dropping the old one, which would take the rows that refer to it along."""
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            yield connection
            return
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA foreign_keys=OFF")  # has no effect inside a transaction, so it comes first
        try:
            yield connection
        finally:
            driver.execute("PRAGMA foreign_keys=ON")


def _find_loose_ends(connection: "Connection") -> None:
    if connection.dialect.name != "sqlite":
        return
    loose = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if loose:
        raise TheMigrationLeftLooseEnds(
            f"after the migration {len(loose)} rows refer to rows that are gone (first in table {loose[0][0]})",
            "Nothing was changed. Please report this with the message.",
        )
