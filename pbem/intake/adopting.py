"""`pbem adopt`: what lies in a data directory and in its mailbox, and taking it as it is.

After it the database, the mark beside it and the mailbox know each other, whatever they were before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sqlalchemy import func
from sqlmodel import Session, select

from pbem.intake.mailbox import Known, name_of, on_file, take_account, take_maildir
from pbem.mail.inbox import open_inbox
from pbem.mail.maildir import entries, is_maildir
from pbem.post.office import Office
from pbem.records import models
from pbem.records.database import introduce
from pbem.records.marks import read_mark
from pbem.records.papers import LAID_DOWN, paper
from pbem.refusal import Refusal
from pbem.settings import MaildirIn

if TYPE_CHECKING:
    from pbem.mail.imap import ImapInbox


class TheMailboxHasChangedMeanwhile(Refusal):
    pass


@dataclass(frozen=True)
class Mailbox:
    """The mailbox of the settings as it is now. `trouble` says why nothing is known about it."""

    name: str
    is_there: bool = True
    is_ours: bool = False
    number: str = ""
    letters: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class Survey:
    """What was found."""

    directory: Path
    matches: int
    letters: int
    newest: datetime | None
    identity: str
    beside: str
    was_laid_down: bool
    known: Known | None
    mailbox: Mailbox

    @property
    def knows_its_directory(self) -> bool:
        return self.was_laid_down and self.beside == self.identity

    @property
    def has_nothing_to_adopt(self) -> bool:
        return self.knows_its_directory and self.mailbox.is_ours


def survey(office: Office) -> Survey:
    with office.store.reading() as session:
        said = on_file(session)
        return Survey(
            directory=office.store.directory,
            matches=_count(session, models.Match),
            letters=_count(session, models.Letter),
            newest=session.exec(select(func.max(models.Letter.arrived))).one(),
            identity=said.identity,
            beside=read_mark(office.store.directory),
            was_laid_down=bool(paper(session, LAID_DOWN)),
            known=said.known,
            mailbox=_mailbox(office, said.identity, said.known),
        )


def _count(session: Session, table: type[models.Table]) -> int:
    return session.exec(select(func.count()).select_from(table)).one()


def _mailbox(office: Office, identity: str, known: Known | None) -> Mailbox:
    inbox, name = office.settings.inbox, name_of(office)
    if isinstance(inbox, MaildirIn):
        return _maildir(inbox.path, name, identity)
    try:
        with _account(office) as account:
            number = account.number()
            return Mailbox(name, True, known == Known(name, number), number, account.count_letters())
    except Refusal as refusal:
        return Mailbox(name, trouble=refusal.why)


def _maildir(path: Path, name: str, identity: str) -> Mailbox:
    mark = read_mark(path)
    if not is_maildir(path):
        return Mailbox(name, is_there=False)
    return Mailbox(name, True, mark == identity, mark, sum(entry.counts for entry in entries(path)))


@contextmanager
def _account(office: Office) -> Iterator["ImapInbox"]:
    inbox = cast("ImapInbox", open_inbox(office.settings))
    try:
        yield inbox
    finally:
        inbox.close()


def adopt(office: Office, found: Survey) -> None:
    """Take what was found as it is. A mailbox that cannot be asked now stays as it is on record."""
    with office.store.writing() as session:
        introduce(office.store.directory, session)
    inbox = office.settings.inbox
    if isinstance(inbox, MaildirIn):
        take_maildir(office, inbox.path)
    elif not found.mailbox.trouble:
        _adopt_account(office, found.mailbox)


def _adopt_account(office: Office, found: Mailbox) -> None:
    with _account(office) as account:
        if account.number() != found.number:
            raise TheMailboxHasChangedMeanwhile(
                f"{found.name} has another number now than it had when it was shown", "Look at it again: pbem adopt"
            )
        take_account(office, account, found.number)
