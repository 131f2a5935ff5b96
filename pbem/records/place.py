"""Where the database of a data directory lies, and how each connection to it begins. It takes no library to know that."""

from pathlib import Path

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


def database_in(directory: Path) -> Path:
    return directory / DATABASE
