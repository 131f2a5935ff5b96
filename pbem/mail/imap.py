"""An inbox at a mail provider, over IMAP.

A place is `uidvalidity/uid`: when the server numbers a folder anew, old places become unknown instead of wrong.
A lost connection is made again a few times, ever later; fetching and filing away can both be repeated without harm.
"""

import imaplib
import random
import re
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, MailboxLoginError
from imap_tools.utils import encode_folder

from pbem.mail.inbox import (
    LONGEST_HEAD,
    Arrived,
    TheMailboxCannotBeReached,
    TheMailboxRefusedUs,
    Where,
    as_many_as_fit,
    head_alone,
)
from pbem.settings import ImapIn, password_of, tls_context

#: Letters named in one command: no server finds such a line too long.
LETTERS_A_COMMAND = 200
#: Routers forget a silent connection after some minutes.
LONGEST_IDLE_IN_SECONDS = 60.0
#: What servers say when it is not our fault and will pass.
PASSING = ("[unavailable]", "[inuse]", "[limit]", "[serverbug]", "[timeout]", "too many", "try again")
TLS_WAS_CUT = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)

Result = TypeVar("Result")


@dataclass(frozen=True)
class Backoff:
    """How often to try again, and how long to wait before: doubled, bounded, and never in step with others."""

    tries: int = 4
    first: float = 0.5
    longest: float = 10.0

    def delay(self, failures: int) -> float:
        return min(self.longest, self.first * 2.0 ** (failures - 1)) * random.uniform(0.5, 1.0)


class TheConnectionWasLost(Exception):
    """Something that may work on a new connection."""


@dataclass
class ImapInbox:
    account: ImapIn
    largest: int
    backoff: Backoff = Backoff()
    sleep: Callable[[float], None] = time.sleep
    _box: BaseMailBox | None = field(default=None, init=False, repr=False)
    _fetched: frozenset[str] = field(default=frozenset(), init=False, repr=False)

    def fetch(self, most: int) -> list[Arrived]:
        letters = self._persistently(lambda box: self._fetch(box, most))
        self._fetched = frozenset(letter.place for letter in letters)
        return letters

    def file_away(self, places: Sequence[str], where: Where) -> None:
        folder = self.account.processed if where == "processed" else self.account.held
        if places:
            self._persistently(lambda box: self._file_away(box, places, folder))

    def wait(self, seconds: float) -> bool:
        until, losses = time.monotonic() + seconds, 0
        while not self._persistently(self._has_news):
            left = until - time.monotonic()
            if left <= 0:
                return False
            if self._rested(left):
                losses = 0
            else:
                losses += 1
                self.sleep(min(left, self.backoff.delay(losses)))
        return True

    def close(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            with suppress(imaplib.IMAP4.error, ImapToolsError, OSError):
                box.logout()
            _hang_up(box)

    # -------------------------------------------------------------- which mailbox it is

    def number(self) -> str:
        """The UIDVALIDITY of the folder. It stays the same as long as the folder does."""
        return self._persistently(self._select)

    def has_been_read(self) -> bool:
        """Whether there is the folder for letters that are done with."""
        return self._persistently(lambda box: bool(box.folder.exists(self.account.processed)))

    def leave_a_sign(self) -> None:
        """Make that folder, so that this mailbox is known again should the server number it anew."""
        self._persistently(lambda box: self._make_folder(box, self.account.processed))

    def count_letters(self) -> int:
        return self._persistently(lambda box: len(_waiting(box)) if self._select(box) else 0)

    # -------------------------------------------------------------- letters

    def _fetch(self, box: BaseMailBox, most: int) -> list[Arrived]:
        validity = self._select(box)
        uids = _waiting(box)[:most]
        sizes = _sizes(box, uids)
        uids = [uid for uid in uids if uid in sizes]
        uids = uids[: as_many_as_fit([sizes[uid] for uid in uids], self.largest)]
        small = [uid for uid in uids if sizes[uid] <= self.largest]
        large = [uid for uid in uids if sizes[uid] > self.largest]
        found = _texts(box, small, "BODY.PEEK[]") | _texts(box, large, f"BODY.PEEK[HEADER]<0.{LONGEST_HEAD}>")
        return [self._arrived(f"{validity}/{uid}", found[uid], sizes[uid]) for uid in uids if uid in found]

    def _arrived(self, place: str, raw: bytes, size: int) -> Arrived:
        size = max(size, len(raw))  # some servers only guess it
        if size > self.largest:
            return Arrived(place, head_alone(raw, size, self.largest), too_large=True)
        return Arrived(place, raw)

    def _file_away(self, box: BaseMailBox, places: Iterable[str], folder: str) -> None:
        validity = self._select(box)
        split = (place.partition("/") for place in places)
        uids = sorted({int(uid) for numbered, _, uid in split if numbered == validity and uid.isdecimal()})
        if not uids:
            return
        self._make_folder(box, folder)
        for some in _batches(uids):
            _move(box, some, folder)

    def _make_folder(self, box: BaseMailBox, folder: str) -> None:
        if not box.folder.exists(folder):
            box.folder.create(folder)

    def _select(self, box: BaseMailBox) -> str:
        """Selected anew each time: only then does the server say whether it has renumbered the folder."""
        box.folder.set(self.account.folder)
        validity = box.client.response("UIDVALIDITY")[1][-1]
        if validity is None:
            raise TheMailboxRefusedUs(
                f"{self.account.host} does not number the letters in {self.account.folder}",
                "Use another mail provider.",
            )
        return bytes(validity).decode("ascii", "replace")

    # -------------------------------------------------------------- waiting

    def _has_news(self, box: BaseMailBox) -> bool:
        validity = self._select(box)
        return any(f"{validity}/{uid}" not in self._fetched for uid in _waiting(box))

    def _rested(self, seconds: float) -> bool:
        """Wait until the server says something or the time is up; False if the connection did not last."""
        box = self._box
        if box is None:
            return False
        if not (self.account.idle and "IDLE" in box.client.capabilities):
            self.sleep(min(seconds, self.account.poll_seconds))
            return True
        try:
            _idle(box, min(seconds, LONGEST_IDLE_IN_SECONDS))
        except (imaplib.IMAP4.error, ImapToolsError, OSError):
            self._drop()
            return False
        except BaseException:
            self._drop()
            raise
        return True

    # -------------------------------------------------------------- the connection

    def _persistently(self, act: Callable[[BaseMailBox], Result]) -> Result:
        """Do it, on a new connection if the old one is lost, until it works or there is no hope."""
        failures = 0
        while True:
            try:
                return self._once(act)
            except TheConnectionWasLost as lost:
                failures += 1
                if failures >= self.backoff.tries:
                    raise TheMailboxCannotBeReached(
                        f"the mailbox at {self.account.door} cannot be reached ({lost})",
                        "It is tried again later; nothing is lost meanwhile.",
                    ) from lost
            self.sleep(self.backoff.delay(failures))

    def _once(self, act: Callable[[BaseMailBox], Result]) -> Result:
        try:
            if self._box is None:
                self._box = self._connect()
            return act(self._box)
        except (imaplib.IMAP4.error, ImapToolsError, OSError) as error:
            self._drop()
            raise self._judged(error) from error
        except BaseException:
            self._drop()  # in the middle of an answer it is of no use any more
            raise

    def _connect(self) -> BaseMailBox:
        account, password = self.account, password_of(self.account)
        box = _open(account)
        try:
            if f"{account.user}{password}".isascii():
                box.login(account.user, password, initial_folder=None)
            else:
                box.login_utf8(account.user, password, initial_folder=None)
            _ask_for_capabilities(box)
        except BaseException:
            _hang_up(box)
            raise
        return box

    def _drop(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            _hang_up(box)

    def _judged(self, error: Exception) -> Exception:
        """Whether there is hope on a new connection, or else what has to be done."""
        said = _said(error)
        if isinstance(error, ssl.SSLError) and not isinstance(error, TLS_WAS_CUT):
            return TheMailboxRefusedUs(
                f"no safe connection to {self.account.door} could be made ({said})",
                "Look at inbox.host, port and tls; for a server with a certificate of its own, name it as ca_file.",
            )
        if isinstance(error, imaplib.IMAP4.abort) and "TLS not supported" in said:
            return TheMailboxRefusedUs(
                f"{self.account.door} does not offer STARTTLS", "Say tls: implicit (port 993), or ask the provider."
            )
        if self._may_pass(error, said):
            return TheConnectionWasLost(said)
        if isinstance(error, MailboxLoginError) or "auth" in said.lower():
            return TheMailboxRefusedUs(
                f"{self.account.door} does not let {self.account.user} in ({said})",
                "Look at inbox.user and the password; many providers want one made for programs (an app password).",
            )
        return TheMailboxRefusedUs(
            f"{self.account.door} refused a command ({said})",
            "Look at the names of the folders in inbox; some servers want INBOX.Processed and INBOX.Held.",
        )

    def _may_pass(self, error: Exception, said: str) -> bool:
        if isinstance(error, imaplib.IMAP4.readonly):
            return False
        return isinstance(error, imaplib.IMAP4.abort | OSError) or any(sign in said.lower() for sign in PASSING)


def _open(account: ImapIn) -> BaseMailBox:
    where = {"host": account.host, "port": account.port_number, "timeout": account.timeout}
    if account.tls == "none":
        return MailBoxUnencrypted(**where)
    secure = MailBox if account.tls == "implicit" else MailBoxStartTls
    return secure(**where, ssl_context=tls_context(account))


def _hang_up(box: BaseMailBox) -> None:
    with suppress(OSError, ValueError, AttributeError):
        box.client.shutdown()


def _ask_for_capabilities(box: BaseMailBox) -> None:
    """imaplib knows only those from before the login, where MOVE is often missing."""
    answer = box.client.capability()[1][-1]
    if answer:
        box.client.capabilities = tuple(bytes(answer).decode("ascii", "replace").upper().split())


def _idle(box: BaseMailBox, seconds: float) -> None:
    with box.idle:
        if not _has_unread(box.client):
            box.idle.poll(timeout=seconds)


def _has_unread(client: imaplib.IMAP4) -> bool:
    """News that came together with the answer to IDLE has left the socket already, so `poll` would not see it."""
    patience = client.sock.gettimeout()
    client.sock.settimeout(0)
    try:
        return bool(getattr(client.file, "peek", lambda _: b"")(1))
    except OSError:  # TLS says in this way that there is nothing
        return False
    finally:
        client.sock.settimeout(patience)


def _said(error: Exception) -> str:
    """What the server answered, on one line."""
    result = getattr(error, "command_result", None)
    words = result[1] if result else error.args or [type(error).__name__]
    parts = words if isinstance(words, list | tuple) else [words]
    text = " ".join(one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in parts)
    return " ".join(text.split()) or type(error).__name__


# ------------------------------------------------------------------ what IMAP says and wants to hear


def _waiting(box: BaseMailBox) -> list[int]:
    return sorted(int(uid) for uid in box.uids("UNDELETED", charset=None))


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(uids), LETTERS_A_COMMAND):
        yield uids[start : start + LETTERS_A_COMMAND]


def uid_set(uids: Sequence[int]) -> str:
    """Ascending numbers as IMAP writes them: 1, 2, 3, 7 -> 1:3,7"""
    gaps = [index + 1 for index, (one, following) in enumerate(pairwise(uids)) if following != one + 1]
    runs = [uids[start:end] for start, end in pairwise([0, *gaps, len(uids)])]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}:{run[-1]}" for run in runs)


def _command(box: BaseMailBox, command: str, *words: str) -> list[Any]:
    status, answer = box.client.uid(command, *words)
    if status != "OK":
        raise imaplib.IMAP4.error(f"{command}: {_said(imaplib.IMAP4.error(*answer))}")
    return list(answer)


def _sizes(box: BaseMailBox, uids: Sequence[int]) -> dict[int, int]:
    sizes = {}
    for some in _batches(uids):
        for line in _command(box, "FETCH", uid_set(some), "(UID RFC822.SIZE)"):
            found = re.search(rb"RFC822\.SIZE (\d+)", line or b"")
            if (uid := _uid_in(line or b"")) and found:
                sizes[uid] = int(found[1])
    return sizes


def _texts(box: BaseMailBox, uids: Sequence[int], what: str) -> dict[int, bytes]:
    texts: dict[int, bytes] = {}
    for some in _batches(uids):
        texts |= read_texts(_command(box, "FETCH", uid_set(some), f"(UID {what})"))
    return texts


def read_texts(answer: Sequence[Any]) -> dict[int, bytes]:
    """A text comes as a pair (what precedes it, itself), then what follows it. Other news may stand between."""
    texts: dict[int, bytes] = {}
    for item, after in pairwise([*answer, b""]):
        if isinstance(item, tuple):
            following = after if isinstance(after, bytes) else b""
            uid = _uid_in(item[0]) or _uid_in(following)
            if uid:
                texts[uid] = item[1]
        elif item and re.search(rb'BODY\[[^\[\]]*+\](<0>)? (""|NIL)', item) and (uid := _uid_in(item)):
            texts[uid] = b""
    return texts


def _uid_in(line: bytes) -> int | None:
    found = re.search(rb"\bUID (\d+)", line)
    return int(found[1]) if found else None


def _move(box: BaseMailBox, uids: Sequence[int], folder: str) -> None:
    """Never with a plain EXPUNGE: that would take along what others have marked as deleted."""
    numbers, target = uid_set(uids), encode_folder(folder).decode("ascii")
    if "MOVE" in box.client.capabilities:
        _command(box, "MOVE", numbers, target)
        return
    _command(box, "COPY", numbers, target)
    _command(box, "STORE", numbers, "+FLAGS.SILENT", r"(\Deleted)")
    if "UIDPLUS" in box.client.capabilities:
        _command(box, "EXPUNGE", numbers)
