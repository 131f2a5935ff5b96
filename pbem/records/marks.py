"""The mark of an installation: its identity in a small file, beside its database and in the Maildir it reads.

A disk that is not mounted or a database put in the place of another look like a new beginning. The mark tells them
apart. It is copied and moved along with the directory it lies in, so that to carry the whole elsewhere changes nothing.
"""

import os
from pathlib import Path

from pbem.durable import sync_directory
from pbem.refusal import Refusal

MARK = "pbem.identity"
_WORDS = "# By this pbem knows that nothing has taken the place of this directory. Keep it here. See: pbem adopt"
#: No mark is longer, in characters.
_LONGEST = 1000


class TheMarkGivesTrouble(Refusal):
    pass


def mark_in(folder: Path) -> Path:
    return folder / MARK


def read_mark(folder: Path) -> str:
    """The identity that is written there; empty if there is none."""
    try:
        with mark_in(folder).open(encoding="ascii", errors="replace") as file:
            lines = file.read(_LONGEST).splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise _trouble(folder, "read", error) from error
    return next((line.strip() for line in lines if line.strip() and not line.startswith("#")), "")


def lay_mark(folder: Path, identity: str) -> None:
    """As a whole or not at all, and for its owner alone; another mark that lies there is replaced."""
    try:
        write_in_private(mark_in(folder), f"{_WORDS}\n{identity}\n")
    except OSError as error:
        raise _trouble(folder, "written", error) from error


def write_in_private(path: Path, text: str) -> None:
    """Under its name there is never half a file, and never one that others may read."""
    draft = path.with_name(f"{path.name}.part")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(draft, path)
    sync_directory(path.parent)


def _trouble(folder: Path, what: str, error: OSError) -> TheMarkGivesTrouble:
    return TheMarkGivesTrouble(
        f"{mark_in(folder)} cannot be {what} ({error.strerror})",
        "Look at the owner of the directory and the space on the disk.",
    )
