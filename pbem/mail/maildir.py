"""Maildirs: a letter is a file, written in `tmp` and renamed into `new`, so it is there as a whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pbem.durable import sync_directory

#: Behind it a mail program notes that a letter has been seen, flagged, trashed ...
INFO = ":2,"
#: A letter a mail program shows as deleted, or that was never sent.
NOT_FOR_US = frozenset("TD")


@dataclass(frozen=True)
class Entry:
    """A letter in a Maildir. Its name stays the same when a mail program moves it from `new` to `cur`."""

    name: str
    path: Path
    flags: str

    @property
    def counts(self) -> bool:
        return not NOT_FOR_US & set(self.flags)


def make_maildir(path: Path, *, subfolder: bool = False) -> None:
    """Private, because keys of seats lie in it. What is there already is left as it is."""
    if all((path / part).is_dir() for part in ("tmp", "new", "cur")):
        return
    path.mkdir(mode=0o700, parents=not subfolder, exist_ok=True)  # a folder never brings back the Maildir around it
    for part in ("tmp", "new", "cur"):
        (path / part).mkdir(mode=0o700, exist_ok=True)
    if subfolder:
        (path / "maildirfolder").touch(mode=0o600)
    sync_directory(path)
    sync_directory(path.parent)


def is_maildir(path: Path) -> bool:
    """Whether letters can lie there. An empty directory, such as one where a disk is not mounted, is none."""
    return all(os.path.isdir(path / part) for part in ("new", "cur"))


def entries(maildir: Path, parts: tuple[str, ...] = ("new", "cur")) -> Iterator[Entry]:
    """The letters that are delivered; what is still being written in `tmp` is none."""
    for part in parts:
        with os.scandir(maildir / part) as found:
            for file in found:
                if not file.name.startswith(".") and file.is_file(follow_symlinks=False):
                    name, _, flags = file.name.partition(INFO)
                    yield Entry(name, Path(file.path), flags)


def deliver(maildir: Path, raw: bytes, name: str) -> None:
    """Once this returns, the letter survives a power cut. The same name again does no harm."""
    draft = maildir / "tmp" / name
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, maildir / "new" / name)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_directory(maildir / "new")
