"""What the answer of an SMTP server means: whether to try again, and whose trouble it is.

The enhanced code decides (RFC 3463, and what large providers have added to it), with the command that was refused: MAIL
is about us, RCPT about the recipient, DATA about the mail or our account. Only what speaks of the recipient is held
against him.
"""

import re
import ssl
from dataclasses import dataclass

from aiosmtplib import (
    SMTPConnectError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)

from pbem.mail.postman import Fault, Later, Never
from pbem.refusal import Refusal
from pbem.settings import SmtpOut

#: "I am closing": what a server says that has had enough of a connection.
CLOSING = 421
STORAGE = 552
#: The server wants a login, a better one, or TLS.
NOT_LOGGED_IN = frozenset({530, 534, 535, 538})

_ENHANCED = re.compile(r"\s*([245])\.(\d{1,3})\.(\d{1,3})\b")
_ADDRESS = re.compile(r"(?<!\S)[^\s@]*+@\S*+")
#: Refused not because of the recipient, but because the server does not know us.
_RELAYING = re.compile(r"\brelay", re.IGNORECASE)
_ABOUT_THE_SENDER = re.compile(r"\bsenders?\b|send ?as|\bmail from\b|\bfrom address\b|\bnot owned\b", re.IGNORECASE)
_LIMIT = re.compile(r"limit|quota|too (?:many|much)|\brate\b|throttl|exceed", re.IGNORECASE)
_BLOCK = re.compile(r"suspended|blocked|disabled|banned|blacklist|blocklist|abuse", re.IGNORECASE)
_ABOUT_US = re.compile(
    r"\b(?:send(?:er|ers|ing)?|sent|outgoing|outbound|account|daily|hourly|per (?:day|hour|minute))\b"
    r"|\byour (?:ip|server|domain|address)\b|submission|smtp relay",
    re.IGNORECASE,
)
#: What Microsoft calls a sender whom it has blocked, and one who is not who he says.
_OUTBOUND = re.compile(r"\boutbound\b", re.IGNORECASE)
_SEND_AS = re.compile(r"send ?as", re.IGNORECASE)
_SUBMISSION = re.compile(r"submission|smtp relay", re.IGNORECASE)
_FULL = re.compile(r"\bquota\b|\bfull\b|\bstorage\b", re.IGNORECASE)

#: Subject and detail of an enhanced code (RFC 3463 and its registry; Google and Microsoft for the larger numbers).
_TOO_LARGE = frozenset({(2, 3), (3, 4)})
_MAILBOX_FULL = frozenset({(2, 2), (3, 1), (2, 121), (2, 122)})
_BAD_SENDER = frozenset({(1, 7), (1, 8)})
_OVER_THE_LIMIT = frozenset({(1, 90), (4, 5)})
_NO_SUCH_HOST = frozenset({(4, 1), (4, 4), (4, 310)})
#: Of policy, subject 7: logins and encryption; signatures of our domain; sending as somebody else; an unknown tenant.
_OUR_SETTINGS = frozenset({*range(8, 15), *range(20, 31), 57, 60, 64})
#: What Microsoft says of senders and tenants that it has blocked; two of the numbers speak of recipients.
_BLOCKED_BY_MICROSOFT = frozenset(range(500, 800)) - {504, 505}


@dataclass(frozen=True)
class Answer:
    """A refusal, taken apart."""

    error: SMTPResponseException

    @property
    def code(self) -> tuple[int, int] | None:
        """Subject and detail of the enhanced code, if there is one."""
        found = _ENHANCED.match(self.error.message)
        return None if found is None else (int(found[2]), int(found[3]))

    @property
    def may_pass(self) -> bool:
        found = _ENHANCED.match(self.error.message)
        return not 500 <= self.error.code < 600 or (found is not None and found[1] == "4")

    @property
    def to_mail(self) -> bool:
        return isinstance(self.error, SMTPSenderRefused)

    @property
    def to_rcpt(self) -> bool:
        return isinstance(self.error, SMTPRecipientRefused)

    @property
    def words(self) -> str:
        """Without addresses: somebody may have one that reads like a reason."""
        return _ADDRESS.sub("", self.error.message)

    def says(self, *expressions: re.Pattern[str]) -> bool:
        return all(expression.search(self.words) for expression in expressions)


def judged(error: Exception) -> Later | Never:
    """What trouble with one mail means for it."""
    if isinstance(error, SMTPResponseException):
        return _judged_answer(Answer(error))
    if isinstance(error, ValueError | SMTPNotSupported):
        return Never(said(error))
    return Later(said(error), Fault.MAIL)


def _judged_answer(answer: Answer) -> Later | Never:
    reason, fault = said(answer.error), fault_of(answer)
    ours_or_passing = fault.is_ours or answer.may_pass or _will_pass(answer)
    return Later(reason, fault) if ours_or_passing else Never(reason, fault)


def _will_pass(answer: Answer) -> bool:
    """Refused for good, they say, but a full mailbox is emptied some day."""
    if answer.code is not None:
        return answer.code in _MAILBOX_FULL
    return answer.to_rcpt and answer.says(_FULL)


def fault_of(answer: Answer) -> Fault:
    if answer.error.code == CLOSING:
        return Fault.SERVER
    if answer.error.code in NOT_LOGGED_IN:
        return Fault.SETTINGS
    if _is_too_large(answer):
        return Fault.MAIL
    if answer.code is None:
        return _fault_by_command(answer)
    return _fault_by_code(answer, *answer.code)


def _fault_by_code(answer: Answer, subject: int, detail: int) -> Fault:
    code = subject, detail
    if code in _OVER_THE_LIMIT or (code == (4, 6) and not answer.to_rcpt) or answer.says(_LIMIT, _SUBMISSION):
        return Fault.ACCOUNT
    if code in _BAD_SENDER:
        return Fault.ACCOUNT if answer.says(_BLOCK) or answer.says(_OUTBOUND) else Fault.SETTINGS
    if subject == 2 and not answer.to_rcpt and answer.says(_SEND_AS):
        return Fault.SETTINGS
    if subject in (1, 2) or code in _NO_SUCH_HOST:
        return Fault.RECIPIENT
    return _fault_of_policy(answer, detail) if subject == 7 else _fault_by_command(answer)


def _is_too_large(answer: Answer) -> bool:
    bare = answer.code is None and answer.error.code == STORAGE and not answer.to_rcpt
    return bare or answer.code in _TOO_LARGE


def _fault_of_policy(answer: Answer, detail: int) -> Fault:
    """Policy is a word for many things; none of them makes an address a bad one."""
    if detail in _BLOCKED_BY_MICROSOFT or answer.says(_LIMIT, _ABOUT_US) or answer.says(_BLOCK, _ABOUT_US):
        return Fault.ACCOUNT
    if detail in _OUR_SETTINGS or answer.to_mail or answer.says(_RELAYING) or answer.says(_ABOUT_THE_SENDER):
        return Fault.SETTINGS
    return Fault.MAIL


def _fault_by_command(answer: Answer) -> Fault:
    """No code that says more: it matters what the server was asked."""
    if answer.says(_LIMIT, _ABOUT_US):
        return Fault.ACCOUNT
    if answer.to_mail:
        return Fault.MAIL if answer.may_pass else Fault.SETTINGS
    if answer.to_rcpt:
        return Fault.SETTINGS if answer.says(_RELAYING) else Fault.RECIPIENT
    return Fault.MAIL


def closes_the_door(error: Exception) -> bool:
    """Whether an answer about our account counts for every mail. One to RCPT may repeat what another server said."""
    return not isinstance(error, SMTPRecipientRefused)


def is_about_the_sender(error: Exception) -> bool:
    """The server does not want us to send from this address. Many say so only at RCPT, some after the mail."""
    if not isinstance(error, SMTPResponseException) or error.code < 500:
        return False
    answer = Answer(error)
    return fault_of(answer) is Fault.SETTINGS and (
        answer.to_mail or answer.code == (7, 60) or answer.says(_ABOUT_THE_SENDER)
    )


def has_hung_up(error: SMTPException) -> bool:
    return isinstance(error, SMTPServerDisconnected) or (
        isinstance(error, SMTPResponseException) and error.code == CLOSING
    )


def door_judged(account: SmtpOut, error: Exception) -> Later:
    """What trouble with the server itself means: it passes, or the GM has to look at the settings.

    The reason begins with the door, which tells it from trouble with a single mail.
    """
    return Later(f"{account.door}: {said(error)}", Fault.SERVER if _may_pass_at_the_door(error) else Fault.SETTINGS)


def _may_pass_at_the_door(error: Exception) -> bool:
    if isinstance(error, Refusal):
        return False
    if isinstance(error, SMTPResponseException):
        return not 500 <= error.code < 600
    trouble = error.__cause__ if isinstance(error, SMTPConnectError) else error
    if isinstance(trouble, ssl.SSLError):
        return isinstance(trouble, ssl.SSLEOFError | ssl.SSLZeroReturnError)
    return isinstance(error, OSError | SMTPConnectError | SMTPServerDisconnected | SMTPTimeoutError)


def said(error: Exception) -> str:
    if isinstance(error, SMTPResponseException):
        return one_line(f"{error.code} {error.message}")
    return one_line(str(error) or type(error).__name__)


def one_line(text: str) -> str:
    """Servers answer on several lines, and with bytes nobody can read."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
