"""Which data directory a command works in."""

from pathlib import Path

from platformdirs import user_data_path

from pbem.records.database import DATABASE, ThereIsNoDatabaseHere, database_in


def data_directory(named: Path | None) -> Path:
    """The directory that was named, else the current one if it holds a database, else the user's."""
    if named is not None:
        return named.expanduser()
    tried = [Path.cwd(), user_data_path("pbem")]
    for directory in tried:
        if database_in(directory).is_file():
            return directory
    raise ThereIsNoDatabaseHere(
        f"there is no {DATABASE} in {' nor in '.join(map(str, tried))}, and no directory was named",
        "Make one with: pbem init DIR; then name it with -C DIR or in the variable PBEM_DIR.",
    )
