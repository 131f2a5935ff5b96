"""The postman who hands mail to an SMTP server: one connection for many mails, made anew when the server closes it."""

import asyncio
import re
import ssl
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiosmtplib import (
    SMTP,
    SMTPConnectError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)

from pbem.mail.postman import Delivery, Later, Never, Sent
from pbem.refusal import Refusal
from pbem.settings import SmtpOut, password_of, tls_context

MINUTE = 60.0
#: "I am closing": what a server says that has had enough of a connection.
CLOSING = 421
TOO_LARGE = 552
#: The server wants a login, a better one, or TLS.
NOT_LOGGED_IN = frozenset({530, 534, 535, 538})
PLAIN_ADDRESS = re.compile(r"[^\x00-\x20\x7f\s@<>()\[\],;:\\\"]+@[^\x00-\x20\x7f\s@<>()\[\],;:\\\"]+")
#: Refused not because of the recipient, but because the server does not know us.
RELAYING = re.compile(r"\brelay", re.IGNORECASE)


class TheDoorIsClosed(Exception):
    """The server cannot be reached or does not take us, whatever the mail."""

    def __init__(self, answer: Later) -> None:
        super().__init__(answer.reason)
        self.answer = answer


@dataclass(frozen=True)
class Envelope:
    sender: str
    recipient: str
    raw: bytes = field(repr=False)

    @property
    def needs_utf8(self) -> bool:
        return not f"{self.sender}{self.recipient}".isascii()

    @property
    def size(self) -> int:
        return len(self.raw) + self.raw.count(b"\n") - self.raw.count(b"\r\n")


@dataclass
class SmtpPostman:
    """Used in one event loop. A server that gave trouble is left alone for a while, so no mail queues up before it."""

    account: SmtpOut
    domain: str
    pause_after_trouble: float = 10.0
    pause_after_refusal: float = 60.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _smtp: SMTP | None = field(default=None, init=False, repr=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, repr=False)
    _closed: tuple[float, Later] | None = field(default=None, init=False, repr=False)
    _handed_over: deque[float] = field(default_factory=deque, init=False, repr=False)

    async def send(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        async with self._turn:
            if self._closed and self.clock() < self._closed[0]:
                return self._closed[1]
            try:
                envelope = Envelope(sender and for_envelope(sender), for_envelope(recipient), raw)
                return await self._hand_over(envelope)
            except TheDoorIsClosed as closed:
                return self._leave_alone(closed.answer)
            except (SMTPException, OSError, ValueError) as error:
                await self._reset(error)
                return judged(error)
            except BaseException:
                self._hang_up()  # in the middle of a mail the connection is of no use any more
                raise

    async def close(self) -> None:
        if self._smtp is not None and self._smtp.is_connected:
            with suppress(SMTPException, OSError):
                await self._smtp.quit(timeout=min(5.0, self.account.timeout))
        self._hang_up()

    # -------------------------------------------------------------- one mail

    async def _hand_over(self, envelope: Envelope) -> Sent:
        smtp, is_new = await self._connected()
        await self._keep_the_pace()
        try:
            await self._announce(smtp, envelope)
        except SMTPException as error:
            if is_new or not has_hung_up(error):
                raise
            smtp = await self._connect()  # it was closed while it waited; nothing of this mail had been said
            await self._announce(smtp, envelope)
        answer = await smtp.data(envelope.raw)
        return Sent(one_line(f"{answer.code} {answer.message}"))

    async def _announce(self, smtp: SMTP, envelope: Envelope) -> None:
        encoding = "utf-8" if envelope.needs_utf8 else "ascii"
        await smtp.mail(envelope.sender, options=options_for(smtp, envelope), encoding=encoding)
        await smtp.rcpt(envelope.recipient, encoding=encoding)

    async def _keep_the_pace(self) -> None:
        """No more than so many in any minute: providers close accounts that seem to send advertising."""
        recent = self._handed_over
        if len(recent) >= self.account.most_per_minute:
            wait = recent.popleft() + MINUTE - self.clock()
            if wait > 0:
                await self.sleep(wait)
        recent.append(self.clock())

    # -------------------------------------------------------------- the connection

    async def _connected(self) -> tuple[SMTP, bool]:
        if self._smtp is not None and self._smtp.is_connected:
            return self._smtp, False
        return await self._connect(), True

    async def _connect(self) -> SMTP:
        self._hang_up()
        try:
            self._smtp = self._client()
            await self._smtp.connect()
            await self._smtp.noop()  # EHLO, if neither TLS nor a login has asked for it
        except (SMTPException, OSError, ValueError, Refusal) as error:
            self._hang_up()
            raise TheDoorIsClosed(door_judged(self.account, error)) from error
        return self._smtp

    def _client(self) -> SMTP:
        account = self.account
        return SMTP(
            hostname=account.host,
            port=account.port_number,
            username=account.user or None,
            password=password_of(account) if account.user else None,
            local_hostname=self.domain,
            timeout=account.timeout,
            use_tls=account.tls == "implicit",
            start_tls=account.tls == "starttls",
            tls_context=None if account.tls == "none" else tls_context(account),
        )

    def _leave_alone(self, answer: Later) -> Later:
        pause = self.pause_after_refusal if answer.configuration else self.pause_after_trouble
        self._closed = (self.clock() + pause, answer)
        return answer

    async def _reset(self, error: Exception) -> None:
        """Make the connection ready for the next mail, or give it up."""
        if isinstance(error, SMTPResponseException) and self._smtp is not None and self._smtp.is_connected:
            with suppress(SMTPException, OSError):
                await self._smtp.rset()
                return
        self._hang_up()

    def _hang_up(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


def for_envelope(address: str) -> str:
    """Domains with umlauts have a spelling without; the part before the @ has none.

    Nothing is read into an address that is not plain: mail could reach somebody else.
    """
    if not PLAIN_ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} is not a mail address")
    local, _, domain = address.rpartition("@")
    return address if domain.isascii() else f"{local}@{domain.encode('idna').decode('ascii')}"


def options_for(smtp: SMTP, envelope: Envelope) -> list[str]:
    options = []
    if smtp.supports_extension("size"):
        options.append(f"SIZE={envelope.size}")
    if smtp.supports_extension("8bitmime") and not envelope.raw.isascii():
        options.append("BODY=8BITMIME")
    if envelope.needs_utf8:
        if not smtp.supports_extension("smtputf8"):
            raise SMTPNotSupported(f"the server cannot send to {envelope.recipient}")
        options.append("SMTPUTF8")
    return options


# ------------------------------------------------------------------ what an answer means


def has_hung_up(error: SMTPException) -> bool:
    return isinstance(error, SMTPServerDisconnected) or (
        isinstance(error, SMTPResponseException) and error.code == CLOSING
    )


def judged(error: Exception) -> Delivery:
    """What trouble with one mail means for it."""
    reason = said(error)
    if isinstance(error, SMTPResponseException):
        if not 500 <= error.code < 600:
            return Later(reason)
        if is_our_own_fault(error):
            return Later(reason, configuration=True)
        return Never(reason)
    if isinstance(error, ValueError | SMTPNotSupported):
        return Never(reason)
    return Later(reason)


def is_our_own_fault(error: SMTPResponseException) -> bool:
    """A refusal for good that has nothing to do with this mail or its recipient."""
    if error.code in NOT_LOGGED_IN:
        return True
    if isinstance(error, SMTPSenderRefused):
        return error.code != TOO_LARGE
    return isinstance(error, SMTPRecipientRefused) and RELAYING.search(error.message) is not None


def door_judged(account: SmtpOut, error: Exception) -> Later:
    """What trouble with the server itself means: it passes, or the GM has to look at the settings.

    The reason begins with the door, which tells it from trouble with a single mail.
    """
    reason = f"{account.door}: {said(error)}"
    if isinstance(error, Refusal):
        return Later(reason, configuration=True)
    if isinstance(error, SMTPResponseException):
        return Later(reason, configuration=500 <= error.code < 600)
    trouble = error.__cause__ if isinstance(error, SMTPConnectError) else error
    if isinstance(trouble, ssl.SSLError):
        return Later(reason, configuration=not isinstance(trouble, ssl.SSLEOFError | ssl.SSLZeroReturnError))
    passing = isinstance(error, OSError | SMTPConnectError | SMTPServerDisconnected | SMTPTimeoutError)
    return Later(reason, configuration=not passing)


def said(error: Exception) -> str:
    if isinstance(error, SMTPResponseException):
        return one_line(f"{error.code} {error.message}")
    return one_line(str(error) or type(error).__name__)


def one_line(text: str) -> str:
    """Servers answer on several lines, and with bytes nobody can read."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
