"""The postman who hands mail to an SMTP server: one connection for many mails, made anew when the server closes it."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from aiosmtplib import SMTP, SMTPException, SMTPNotSupported, SMTPResponseException

from pbem.mail.answers import closes_the_door, door_judged, has_hung_up, is_about_the_sender, judged, one_line
from pbem.mail.postman import Delivery, Fault, Later, NotYet, Sent, for_envelope
from pbem.mail.returns import without_tag
from pbem.refusal import Refusal
from pbem.settings import SmtpOut, password_of, tls_context

MINUTE = 60.0


class TheDoorIsClosed(Exception):
    """The server cannot be reached or does not take us, or our account may not send, whatever the mail."""

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
    pause_of_account: float = 3000.0  # less than the outbox puts a mail off for it
    clock: Callable[[], float] = time.monotonic
    _smtp: SMTP | None = field(default=None, init=False, repr=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, repr=False)
    _closed: tuple[float, Later] | None = field(default=None, init=False, repr=False)
    _handed_over: deque[float] = field(default_factory=deque, init=False, repr=False)
    _plain_sender: bool = field(default=False, init=False, repr=False)

    async def send(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        async with self._turn:
            if self._closed and self.clock() < self._closed[0]:
                return self._closed[1]
            if (seconds := self._seconds_to_wait()) > 0:
                return NotYet(seconds)
            try:
                return await self._send(sender, recipient, raw)
            except TheDoorIsClosed as closed:
                return self._leave_alone(closed.answer)
            except (SMTPException, OSError, ValueError) as error:
                return await self._refused(error)
            except BaseException:
                self._hang_up()  # in the middle of a mail the connection is of no use any more
                raise

    async def _send(self, sender: str, recipient: str, raw: bytes) -> Sent:
        """From its own return address; from the plain one if the server lets us send from no other."""
        sender = without_tag(sender) if self._plain_sender else sender
        envelope = Envelope(sender and for_envelope(sender), for_envelope(recipient), raw)
        plain = replace(envelope, sender=without_tag(envelope.sender))
        try:
            return await self._hand_over(envelope)
        except SMTPResponseException as error:
            if plain == envelope or not is_about_the_sender(error):
                raise
            await self._reset(error)
        sent = await self._hand_over(plain)
        self._plain_sender = True
        return sent

    async def _refused(self, error: Exception) -> Delivery:
        await self._reset(error)
        answer = judged(error)
        if isinstance(answer, Later) and answer.fault is Fault.ACCOUNT and closes_the_door(error):
            return self._leave_alone(answer)
        return answer

    async def close(self) -> None:
        if self._smtp is not None and self._smtp.is_connected:
            with suppress(SMTPException, OSError):
                await self._smtp.quit(timeout=min(5.0, self.account.timeout))
        self._hang_up()

    # -------------------------------------------------------------- one mail

    async def _hand_over(self, envelope: Envelope) -> Sent:
        smtp, is_new = await self._connected()
        self._handed_over.append(self.clock())
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

    def _seconds_to_wait(self) -> float:
        """No more than so many in any minute: providers close accounts that seem to send advertising."""
        recent, now = self._handed_over, self.clock()
        while recent and recent[0] + MINUTE <= now:
            recent.popleft()
        return recent[0] + MINUTE - now if len(recent) >= self.account.most_per_minute else 0.0

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
        pauses = {Fault.SETTINGS: self.pause_after_refusal, Fault.ACCOUNT: self.pause_of_account}
        self._closed = (self.clock() + pauses.get(answer.fault, self.pause_after_trouble), answer)
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
