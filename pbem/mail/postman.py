"""Carries one finished mail to one recipient: over SMTP, or into a Maildir on this machine.

A postman never gives up by himself and never raises for what a server says: he reports `Sent`, `Later` or `Never`,
or that it is `NotYet` time, and whoever sent him keeps the books. A mail that is sent twice has the same Message-ID, so
it can be recognised.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from enum import Enum, auto
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from pbem.letters.addresses import folded
from pbem.mail.maildir import deliver, entries, make_maildir
from pbem.settings import Settings, SmtpOut, password_of

#: File names may have 255 bytes.
LONGEST_NAME = 200
PLAIN_ADDRESS = re.compile(r"[^\x00-\x20\x7f\s@<>()\[\],;:\\\"]+@[^\x00-\x20\x7f\s@<>()\[\],;:\\\"]+")


class Fault(Enum):
    """Whose trouble it is that a mail was not taken."""

    RECIPIENT = auto()  # his address, his mailbox, his provider
    MAIL = auto()  # what stands in it, or how it went: another mail may reach him
    ACCOUNT = auto()  # ours has reached a limit, or is blocked
    SETTINGS = auto()  # ours: nothing works before the GM has done something
    SERVER = auto()  # ours cannot be reached

    @property
    def is_ours(self) -> bool:
        return self in (Fault.ACCOUNT, Fault.SETTINGS, Fault.SERVER)


@dataclass(frozen=True)
class Sent:
    answer: str = ""


@dataclass(frozen=True)
class Later:
    """Not now."""

    reason: str
    fault: Fault = Fault.RECIPIENT

    @property
    def configuration(self) -> bool:
        return self.fault is Fault.SETTINGS


@dataclass(frozen=True)
class Never:
    """This mail cannot reach this recipient."""

    reason: str
    fault: Fault = Fault.RECIPIENT


@dataclass(frozen=True)
class NotYet:
    """Nothing was tried: as many have left as may leave in a minute. There is room again in so many seconds."""

    seconds: float


Delivery = Sent | Later | Never | NotYet


class Postman(Protocol):
    async def send(self, sender: str, recipient: str, raw: bytes) -> Delivery: ...


@asynccontextmanager
async def open_postman(settings: Settings) -> AsyncIterator[Postman]:
    """Refuses at once what cannot work, such as a missing password."""
    if isinstance(settings.outbox, SmtpOut):
        from pbem.mail.smtp import SmtpPostman

        if settings.outbox.user:
            password_of(settings.outbox)
        postman = SmtpPostman(settings.outbox, settings.referee.domain)
        try:
            yield postman
        finally:
            await postman.close()
    else:
        yield MaildirPostman(settings.outbox.path)


@dataclass(frozen=True)
class MaildirPostman:
    """Lays mail down in one Maildir a recipient. A mail that lies there already is not laid down again."""

    path: Path

    async def send(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        try:
            return await asyncio.to_thread(self._lay_down, recipient, raw)
        except OSError as error:
            return Later(f"{self.path} cannot be written ({error})", Fault.SETTINGS)

    def _lay_down(self, recipient: str, raw: bytes) -> Sent:
        maildir, name = self.path / folder_for(recipient), name_for(raw)
        make_maildir(maildir)
        if all(entry.name != name for entry in entries(maildir)):
            deliver(maildir, raw.replace(b"\r\n", b"\n"), name)
        return Sent(f"{maildir / 'new' / name}")


def for_envelope(address: str) -> str:
    """Domains with umlauts have a spelling without; the part before the @ has none.

    Nothing is read into an address that is not plain: mail could reach somebody else.
    """
    if not PLAIN_ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} is not a mail address")
    local, _, domain = address.rpartition("@")
    return address if domain.isascii() else f"{local}@{domain.encode('idna').decode('ascii')}"


def folder_for(recipient: str) -> str:
    """An address as the name of a directory, whatever characters somebody has put into it."""
    name = quote(folded(recipient), safe="@+")
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    if len(name) > LONGEST_NAME:
        name = f"{name[:100]}%{hashlib.sha256(name.encode()).hexdigest()}"
    return name or "%"


def name_for(raw: bytes) -> str:
    """The same for the same Message-ID. A mail without one is known by its bytes."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    message_id = BytesHeaderParser().parsebytes(head).get("Message-ID", "")
    known_by = str(message_id).strip().encode("utf-8", "replace") or raw
    return f"{hashlib.sha256(known_by).hexdigest()[:40]}.pbem"
