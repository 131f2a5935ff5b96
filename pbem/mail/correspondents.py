"""Players who write mail by themselves: what the demo, the bench and the tests use in place of people.

They know what a player knows: the mail in their own mailbox. The key of their seat they find in it, as he would.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parsedate_to_datetime
from itertools import count
from pathlib import Path

from pbem.mail.finished import parsed, text_in
from pbem.mail.maildir import deliver, entries, make_maildir

_KEY = re.compile(r"\{([^\s{}]++)\}")


def mailbox_contents(maildir: Path) -> list[EmailMessage]:
    """The mails of a Maildir in the order of their dates."""
    if not maildir.is_dir():
        return []
    found = sorted((entry.path.stat().st_mtime_ns, entry.path) for entry in entries(maildir))
    return sorted((parsed(path.read_bytes()) for _, path in found), key=date_of)


def date_of(message: EmailMessage) -> datetime:
    return parsedate_to_datetime(str(message["Date"]))


@dataclass
class Correspondent:
    """Somebody with a mailbox who answers the referee."""

    name: str
    address: str
    mailbox: Path
    written: "count[int]" = field(default_factory=lambda: count(1), repr=False)

    def mails(self, about: str = "") -> list[EmailMessage]:
        return [mail for mail in mailbox_contents(self.mailbox) if about in str(mail["Subject"])]

    def newest(self) -> EmailMessage:
        return self.mails()[-1]

    @property
    def key(self) -> str:
        """The tag that proves who he is, from the subject of the newest mail of his seat."""
        tags = [found[1] for mail in self.mails() if (found := _KEY.search(str(mail["Subject"])))]
        return tags[-1]

    def reply(self, text: str, now: datetime, *, to: EmailMessage | None = None, sender: str = "") -> bytes:
        """Orders above the quoted text, as mail programs do it. `sender` writes from another address."""
        answered = to or self.newest()
        letter = EmailMessage(policy=SMTP)
        letter["From"] = f"{self.name} <{sender or self.address}>"
        letter["To"] = str(answered["Reply-To"])
        letter["Subject"] = f"Re: {answered['Subject']}"
        letter["Date"] = format_datetime(now)
        letter["Message-ID"] = f"<{next(self.written)}.{now.timestamp():.0f}.{self.address}>"
        letter["In-Reply-To"] = str(answered["Message-ID"])
        letter["References"] = f"{answered.get('References', '')} {answered['Message-ID']}".strip()
        letter.set_content(f"{text.rstrip()}\n\n{quoted(answered)}")
        return letter.as_bytes()


def quoted(message: EmailMessage) -> str:
    lines = text_in(message).splitlines()
    return "\n".join([f"On {message['Date']}, {message['From']} wrote:", *(f"> {line}".rstrip() for line in lines), ""])


def drop_into(maildir: Path, raw: bytes, name: str) -> None:
    """Deliver a letter, as the mail server of the referee would."""
    make_maildir(maildir)
    deliver(maildir, raw, name)
