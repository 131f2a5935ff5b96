"""Whether the mailbox is the one we know. One that has vanished looks like one without letters, and a deadline would
pass for players whose sheets lie in the real one.

A Maildir bears our mark; nothing is read from one that does not. An IMAP account is known by its name and by the
number of its folder. If the number is another one and the folder for letters that are done with is gone, it is another
mailbox: its letters are read, but no deadline passes until the GM has said `pbem adopt`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Struct
from sqlmodel import Session

from pbem.clock.guards import MAILBOX_READ
from pbem.mail.inbox import Inbox, TheMailboxRefusedUs, lies_in, name_of_mailbox, unusable
from pbem.mail.maildir import is_maildir, make_maildir
from pbem.post.notices import tell_gm
from pbem.records import models
from pbem.records.database import must_be_marked, must_be_there
from pbem.records.marks import MARK, lay_mark, read_mark
from pbem.records.papers import IDENTITY, MAILBOX, paper, write_paper
from pbem.records.store import Store
from pbem.settings import MaildirIn

if TYPE_CHECKING:
    from pbem.mail.imap import ImapInbox
    from pbem.post.office import Office


class TheMaildirIsGone(TheMailboxRefusedUs):
    pass


class TheMaildirIsNotOurs(TheMailboxRefusedUs):
    pass


class TheMailboxIsAnother(TheMailboxRefusedUs):
    pass


class Known(Struct, frozen=True):
    """The mailbox on record. `stranger` is another one that answers in its place."""

    name: str
    number: str
    stranger: str = ""

    @property
    def in_words(self) -> str:
        """The number of a Maildir is our own mark, which says nothing to anybody."""
        return f"{self.name}, number {self.number}" if self.number.isdecimal() else self.name


class OnFile(Struct, frozen=True):
    """What the database says about mailboxes."""

    identity: str
    known: Known | None
    was_read: bool


def on_file(session: Session) -> OnFile:
    text = paper(session, MAILBOX)
    known = msgspec.json.decode(text, type=Known) if text else None
    return OnFile(paper(session, IDENTITY), known, session.get(models.Pulse, MAILBOX_READ) is not None)


def remember(session: Session, known: Known) -> None:
    write_paper(session, MAILBOX, msgspec.json.encode(known).decode())


def name_of(office: "Office") -> str:
    return name_of_mailbox(office.settings, office.store.directory)


# ------------------------------------------------------------------ before a pass, and with every fetch


def must_be_whole(office: "Office") -> None:
    """Database, mark and Maildir are where they were: asked before every pass, because a disk may go at any time."""
    must_have_its_records(office)
    must_have_its_maildir(office)


def must_have_its_records(office: "Office") -> None:
    directory = office.store.directory
    must_be_there(directory)
    with office.store.reading() as session:
        identity = paper(session, IDENTITY)
    must_be_marked(directory, identity)


def must_have_its_maildir(office: "Office") -> None:
    if isinstance(office.settings.inbox, MaildirIn):
        _must_be_our_maildir(office, office.settings.inbox.path)


def recognise(office: "Office", inbox: Inbox) -> None:
    """Asked of every mailbox that has answered, before anything is done with its letters."""
    if isinstance(office.settings.inbox, MaildirIn):
        must_have_its_maildir(office)
    else:
        _recognise_account(office, cast("ImapInbox", inbox))


def deadlines_are_held(session: Session) -> bool:
    known = on_file(session).known
    return known is not None and bool(known.stranger)


def must_be_ours(office: "Office") -> None:
    """Raises if another mailbox answers in place of the one on record."""
    held = why_no_deadline_passes(office.store)
    if held is not None:
        raise held


def why_no_deadline_passes(store: Store) -> TheMailboxIsAnother | None:
    with store.reading() as session:
        known = on_file(session).known
    if known is None or not known.stranger:
        return None
    return TheMailboxIsAnother(
        f"no deadline passes, for another mailbox answers ({known.stranger}) than the one we know ({known.in_words})",
        f"Its letters are read. Is it the right account? If so, take it as it is with: {_adopt(store)}",
    )


# ------------------------------------------------------------------ a Maildir


def _must_be_our_maildir(office: "Office", path: Path) -> None:
    with office.store.reading() as session:
        said = on_file(session)
    if not is_maildir(path) and not _is_the_first(office, path, said):
        raise _gone(office, path)
    mark = read_mark(path)
    if mark != said.identity and (mark or not _may_be_taken(office, said)):
        raise _not_ours(office, path, mark)
    if mark != said.identity or said.known != Known(name_of(office), said.identity):
        take_maildir(office, path)


def _is_the_first(office: "Office", path: Path, said: OnFile) -> bool:
    """Nobody has read a letter yet, and it would lie in our own directory: then it has not vanished."""
    return said.known is None and not said.was_read and lies_in(office.store.directory, path)


def _may_be_taken(office: "Office", said: OnFile) -> bool:
    """The first mailbox is taken as it is, and so is another one that the settings name before any letter was read."""
    return said.known is None or (not said.was_read and said.known.name != name_of(office))


def take_maildir(office: "Office", path: Path) -> None:
    """Make it if it is not there, lay our mark down in it, and put it on record."""
    try:
        make_maildir(path)
    except OSError as error:
        raise unusable(path, error) from error
    with office.store.writing() as session:
        identity = paper(session, IDENTITY)
        lay_mark(path, identity)
        remember(session, Known(name_of(office), identity))


def _gone(office: "Office", path: Path) -> TheMaildirIsGone:
    return TheMaildirIsGone(
        f"the Maildir {path} is gone, or cannot be looked into; nothing is read, sent or passed",
        f"Is its disk mounted, and inbox.path right? If a new one shall take its place: {_adopt(office.store)}",
    )


def _not_ours(office: "Office", path: Path, mark: str) -> TheMaildirIsNotOurs:
    how = f"bears the mark of another referee ({MARK})" if mark else f"does not bear our mark ({MARK})"
    return TheMaildirIsNotOurs(
        f"the Maildir {path} {how}; nothing is read, sent or passed",
        f"Is its disk mounted, and inbox.path right? If so, take it as it is with: {_adopt(office.store)}",
    )


def _adopt(store: Store) -> str:
    return f"pbem -C {store.directory} adopt"


# ------------------------------------------------------------------ an account


def _recognise_account(office: "Office", inbox: "ImapInbox") -> None:
    """Once a stranger has answered, the folder proves nothing any more: we may have made it ourselves meanwhile."""
    with office.store.reading() as session:
        said = on_file(session)
    known, name, number = said.known, name_of(office), inbox.number()
    stranger = Known(name, number).in_words
    if known is None or (known.name != name and not said.was_read):
        take_account(office, inbox, number)
    elif (known.name, known.number) == (name, number):
        _put_on_record(office, Known(name, number))
    elif not known.stranger and known.name == name and inbox.has_been_read():
        _put_on_record(office, Known(name, number), "gm-mailbox-renumbered")
    else:
        _put_on_record(office, msgspec.structs.replace(known, stranger=stranger), "gm-mailbox-another")


def take_account(office: "Office", inbox: "ImapInbox", number: str) -> None:
    """Leave a sign in it, and put it on record."""
    inbox.leave_a_sign()
    _put_on_record(office, Known(name_of(office), number))


def _put_on_record(office: "Office", known: Known, notice: str = "") -> None:
    """In one commit with what the GM is told of it; nothing is written that is on record already."""
    with office.store.reading() as session:
        if on_file(session).known == known:
            return
    with office.store.writing() as session:
        before = on_file(session).known
        remember(session, known)
        if notice:
            at = office.clock().isoformat()
            tell_gm(session, office, f"{notice}/{at}", notice, before=before, known=known, adopt=_adopt(office.store))
