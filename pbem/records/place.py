"""Where the database of a data directory lies, and how a connection to it begins. No library is needed to know that."""

from pathlib import Path

from pbem.refusal import Refusal

DATABASE = "pbem.sqlite"
#: How long a command waits for another one that is writing.
PATIENCE_IN_SECONDS = 10

#: Stays with the file, once it was said.
WRITE_AHEAD = "journal_mode=WAL"
PRAGMAS = (
    f"busy_timeout={PATIENCE_IN_SECONDS * 1000}",  # first: the others may have to wait too
    WRITE_AHEAD,
    "synchronous=FULL",
    "foreign_keys=ON",
)


class ThereIsNoDatabaseHere(Refusal):
    pass


def database_in(directory: Path) -> Path:
    return directory / DATABASE
