"""Where letters come from: a Maildir on this machine, or an IMAP account (`pbem/mail/imap.py`).

`fetch` changes nothing. Only after the letters are in the database with their fates does `file_away` move them;
killed between the two, the next `fetch` brings the same letters under the same places again.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from pbem.durable import sync_directory
from pbem.mail.maildir import Entry, entries, make_maildir
from pbem.refusal import Refusal
from pbem.settings import ImapIn, Settings

Where = Literal["processed", "held"]

#: Of a letter above the limit, this much of its head is kept.
LONGEST_HEAD = 64 * 1024
#: What one fetch may bring in at most; beyond it the rest waits for the next one.
MOST_BYTES_AT_ONCE = 64 * 1024 * 1024
#: How often a Maildir is looked at while waiting.
GLANCE_IN_SECONDS = 0.25


class TheMailboxGivesTrouble(Refusal):
    """`temporary` says whether it may pass by itself, or somebody has to do something."""

    temporary = False


class TheMailboxRefusedUs(TheMailboxGivesTrouble):
    pass


class TheMailboxCannotBeReached(TheMailboxGivesTrouble):
    temporary = True


@dataclass(frozen=True)
class Arrived:
    """A letter as it came. Of one that is too large, `raw` is its head and a note of ours in place of the body."""

    place: str
    raw: bytes = field(repr=False)
    too_large: bool = False


class Inbox(Protocol):
    """Used from one thread at a time; every method may raise `TheMailboxGivesTrouble`."""

    def fetch(self, most: int) -> list[Arrived]:
        """The oldest letters, nothing marked and nothing moved."""

    def file_away(self, places: Sequence[str], where: Where) -> None:
        """Move letters out of the way. What is gone already, or was never here, is passed over."""

    def wait(self, seconds: float) -> bool:
        """True as soon as there is a letter the last fetch did not bring; False when the time is up."""

    def close(self) -> None: ...


def name_of_mailbox(settings: Settings, directory: Path) -> str:
    """In words that stay the same when the whole data directory is moved."""
    inbox = settings.inbox
    if isinstance(inbox, ImapIn):
        return f"{inbox.user} at {inbox.host.lower()}, folder {inbox.folder}"
    path = inbox.path.relative_to(os.path.abspath(directory)) if lies_in(directory, inbox.path) else inbox.path
    return f"the Maildir {path}"


def lies_in(directory: Path, path: Path) -> bool:
    return path.is_relative_to(os.path.abspath(directory))


def open_inbox(settings: Settings) -> Inbox:
    if isinstance(settings.inbox, ImapIn):
        from pbem.mail.imap import ImapInbox

        return ImapInbox(settings.inbox, settings.limits.letter_bytes)
    inbox = settings.inbox
    return MaildirInbox(inbox.path, settings.limits.letter_bytes, {"processed": inbox.processed, "held": inbox.held})


def head_alone(start: bytes, size: int, largest: int) -> bytes:
    """The head of a letter, cut after its last whole line, and why there is nothing below it."""
    head = start[:LONGEST_HEAD].replace(b"\r\n", b"\n")
    head, end, _ = head.partition(b"\n\n")
    if not end:
        head = head.rpartition(b"\n")[0]
    note = f"[This letter has {size} bytes, more than the {largest} the referee reads. Only its head was fetched.]"
    return (head + b"\n\n" + note.encode() + b"\n").replace(b"\n", b"\r\n")


def as_many_as_fit(sizes: Sequence[int], largest: int) -> int:
    """How many letters to take at once: at least one, and no more than memory should hold."""
    total = 0
    for count, size in enumerate(sizes):
        total += size if size <= largest else LONGEST_HEAD
        if total > MOST_BYTES_AT_ONCE and count > 0:
            return count
    return len(sizes)


def unusable(path: Path, error: OSError) -> TheMailboxRefusedUs:
    return TheMailboxRefusedUs(
        f"the Maildir {path} cannot be used ({error})",
        "Is its disk mounted? Look at the owner of its directories and the space on the disk.",
    )


@dataclass
class MaildirInbox:
    """A Maildir that a mail server on this machine delivers into. It is never made here: a missing one is trouble."""

    path: Path
    largest: int
    folders: dict[Where, str] = field(default_factory=lambda: {"processed": "Processed", "held": "Held"})
    sleep: Callable[[float], None] = time.sleep
    _fetched: frozenset[str] = field(default=frozenset(), init=False)

    def fetch(self, most: int) -> list[Arrived]:
        aged = sorted(self._sized())[:most]
        aged = aged[: as_many_as_fit([size for _, _, size, _ in aged], self.largest)]
        letters = [letter for _, _, _, entry in aged if (letter := self._read(entry)) is not None]
        self._fetched = frozenset(letter.place for letter in letters)
        return letters

    def file_away(self, places: Sequence[str], where: Where) -> None:
        wanted, folder = set(places), self.path / f".{self.folders[where]}"
        shelf = folder / "cur"
        try:
            found = [entry for entry in self._entries() if entry.name in wanted]
            if found:
                make_maildir(folder, subfolder=True)
            moved = [self._move(entry, shelf) for entry in found]
            if any(moved):  # first where they are now: a power cut may double a letter, never lose it
                sync_directory(shelf)
                sync_directory(self.path / "new")
                sync_directory(self.path / "cur")
        except OSError as error:
            raise unusable(self.path, error) from error

    def wait(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        looked_at: tuple[int, int] | None = None
        while True:
            changed = self._changed()
            if changed != looked_at or self._is_fresh(changed):
                looked_at = changed
                if any(entry.name not in self._fetched for entry in self._entries()):
                    return True
            left = until - time.monotonic()
            if left <= 0:
                return False
            self.sleep(min(left, GLANCE_IN_SECONDS))

    def close(self) -> None:
        """Nothing is held open."""

    # -------------------------------------------------------------- the files

    def _entries(self) -> list[Entry]:
        try:
            return [entry for entry in entries(self.path) if entry.counts]
        except OSError as error:
            raise unusable(self.path, error) from error

    def _sized(self) -> list[tuple[int, str, int, Entry]]:
        """When each letter came, its name and its size; one that has just been taken away is left out."""
        found = []
        for entry in self._entries():
            try:
                about = entry.path.stat()
            except FileNotFoundError:
                continue
            found.append((about.st_mtime_ns, entry.name, about.st_size, entry))
        return found

    def _read(self, entry: Entry) -> Arrived | None:
        try:
            with entry.path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size > self.largest:
                    return Arrived(entry.name, head_alone(file.read(LONGEST_HEAD), size, self.largest), too_large=True)
                return Arrived(entry.name, file.read(self.largest))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unusable(self.path, error) from error

    def _move(self, entry: Entry, shelf: Path) -> bool:
        flags = "".join(sorted({*entry.flags, "S"}))
        try:
            os.rename(entry.path, shelf / f"{entry.name}:2,{flags}")
        except FileNotFoundError:
            return False
        return True

    def _changed(self) -> tuple[int, int]:
        try:
            return (self.path / "new").stat().st_mtime_ns, (self.path / "cur").stat().st_mtime_ns
        except OSError as error:
            raise unusable(self.path, error) from error

    def _is_fresh(self, changed: tuple[int, int]) -> bool:
        """Two deliveries within one tick of the file system's clock leave the same time behind."""
        return time.time_ns() - max(changed) < 2_000_000_000
