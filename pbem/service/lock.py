"""One referee a data directory: two would answer the same letter twice."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pbem.refusal import Refusal

LOCK = "pbem.lock"


class AnotherRefereeIsAtWork(Refusal):
    pass


class TheLockCannotBeTaken(Refusal):
    pass


@contextmanager
def only_one(directory: Path, command: str) -> Iterator[None]:
    """Held until the end, and given back by the system itself if the process is killed."""
    path = directory / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise TheLockCannotBeTaken(
            f"{path} cannot be written ({error.strerror})", "Look at the owner of the directory and the disk."
        ) from error
    try:
        _take(descriptor, directory)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"pbem {command}, process {os.getpid()}, since {_now()}".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, directory: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 200, 0).decode("utf-8", "replace") or "another process"
        raise AnotherRefereeIsAtWork(
            f"{directory} is in the hands of another referee ({holder})",
            "One is enough: letters are read and deadlines are kept by that one.",
        ) from None


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
