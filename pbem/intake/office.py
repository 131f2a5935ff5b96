"""The office: takes letters in, settles each of them once, and writes what has to be answered.

Two commits a letter. The first keeps its bytes; the second holds what became of it together with everything it
caused. A letter that breaks the second is set aside for the GM, and the next one is read.
"""

import dataclasses
import hashlib
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from sqlalchemy import Table, bindparam, func
from sqlmodel import Session, col, select

from pbem.games.guarded import troubles_until_now
from pbem.intake.desk import Desk, count_written
from pbem.intake.secrecy import blanked_letter, blanked_traceback, secrets_of, without_tags
from pbem.intake.trust import LookUp, is_vouched_for, txt_record
from pbem.letters import Letter
from pbem.letters.addresses import folded, same_address
from pbem.mail import post
from pbem.mail.gm_keys import key_of_gm
from pbem.mail.inbox import Arrived
from pbem.records import models
from pbem.records.database import TheDatabaseCannotBeWritten, TheDatabaseIsBusy
from pbem.records.store import Store
from pbem.settings import Settings
from pbem.words.wording import render

_LETTERS: Table = models.Letter.__table__  # type: ignore[attr-defined]
_KNOWN = select(_LETTERS.c.id).where(
    _LETTERS.c.place == bindparam("place"), _LETTERS.c.raw_digest == bindparam("digest")
)
_KEEP = _LETTERS.insert().returning(_LETTERS.c.id)
_LETTER = _LETTERS.select().where(_LETTERS.c.id == bindparam("number"))
_TO_READ = select(_LETTERS.c.raw, _LETTERS.c.reason).where(_LETTERS.c.id == bindparam("number"))
_CLOSE = _LETTERS.update().where(_LETTERS.c.id == bindparam("number"), _LETTERS.c.fate == models.ARRIVED)
_PLAYED_FROM = select(models.Seat.id).where(
    func.lower(models.Seat.address) == bindparam("address"), models.Seat.state == models.TAKEN
)
#: What is written down when a letter has its fate.
_CLOSED_WITH = {
    "message_id", "sender", "subject", "digest", "match_id", "side", "meant_for", "proved", "fate", "reason", "settled"
}  # fmt: skip

#: A letter of which nothing is known yet but its bytes.
_UNREAD = {
    "message_id": "", "digest": "", "sender": "", "subject": "", "side": "", "meant_for": "",
    "fate": models.ARRIVED, "filed": False, "proved": False, "history": [],
}  # fmt: skip

#: Noted with a letter of which only the head was fetched.
TOO_LARGE = "only its head was fetched, it is too large"

#: Letters a day of which the GM is told that the program failed: whoever knows one can send it a thousand times.
MOST_FAILURES_TOLD = 10


@dataclass(frozen=True)
class Opened:
    """A letter as it was read, why not all of it could be, and whether its sender's provider vouches for it."""

    mail: Letter
    trouble: str
    vouched_for: bool


@dataclass(frozen=True)
class Office:
    """Everything that touches mail gets one of these."""

    store: Store
    settings: Settings
    clock: Callable[[], datetime]
    look_up: LookUp = txt_record

    @cached_property
    def sender(self) -> post.Sender:
        referee = self.settings.referee
        return post.Sender(referee.name, referee.address, referee.plus_addressing, self.store.mail_secret)

    @property
    def gm_addresses(self) -> tuple[str, ...]:
        return self.settings.referee.gm

    def gm_at(self, address: str) -> str:
        """The GM's address that this one is; empty if it is nobody's. It proves nothing."""
        return next((gm for gm in self.gm_addresses if same_address(gm, address)), "")

    # -------------------------------------------------------------- writing

    def write(self, session: Session, mail: post.Mail) -> bool:
        """Put a mail into the outbox, in the transaction at hand. False if it was written before."""
        known = self._with_key_of_gm(session, mail)
        written = post.write(session, self.sender, known, self.clock(), self._rank_of(session, mail))
        self._tell_of_words_that_failed(session, mail)
        return written

    def _tell_of_words_that_failed(self, session: Session, mail: post.Mail) -> None:
        """What failed while this mail was put into words; of the same the GM hears once a day for each match."""
        from pbem.words.notices import tell_gm

        today = self.clock().astimezone(UTC).date()
        for trouble in troubles_until_now():
            key = f"words/{mail.match.id if mail.match else 0}/{today}/{trouble.asked}"
            tell_gm(session, self, key, "gm-words", None, mail=mail, trouble=trouble)

    def _rank_of(self, session: Session, mail: post.Mail) -> int:
        """Whose mail it is: a player's leaves first, then the GM's, then that of people we do not know."""
        if mail.seat is not None:
            return models.FOR_PLAYERS
        if self.gm_at(mail.recipient):
            return models.FOR_GMS
        played = session.exec(_PLAYED_FROM, params={"address": folded(mail.recipient)}).first()
        return models.FOR_STRANGERS if played is None else models.FOR_PLAYERS

    def _with_key_of_gm(self, session: Session, mail: post.Mail) -> post.Mail:
        """Mail to a GM carries his key, so that he need only reply; mail to a seat that he plays carries the seat's."""
        gm = self.gm_at(mail.recipient)
        if mail.seat is not None or not gm:
            return mail
        return dataclasses.replace(mail, gm_key=key_of_gm(session, gm, self.clock()).key)

    def size_of(self, mail: post.Mail) -> int:
        """How many bytes a mail would have."""
        return len(post.compose(self.sender, mail, post.subject_of(mail), self.clock()))

    def tell_gm(
        self,
        session: Session,
        key: str,
        subject: str,
        text: str,
        match: models.Match | None = None,
        attachments: tuple[post.Attachment, ...] = (),
    ) -> None:
        """A notice to every GM address; said once for each key."""
        words = render("mail/gm-notice.txt.j2", text=text, footer=self.settings.referee.footer)
        for address in self.gm_addresses:
            self.write(
                session,
                post.Mail(f"gm/{key}/{address}", "notice", address, subject, words, match, attachments=attachments),
            )

    # -------------------------------------------------------------- the first commit: nothing is lost

    def take_in(self, arrived: Arrived) -> int:
        return self.take_in_many([arrived])[0]

    def take_in_many(self, arrived: Iterable[Arrived]) -> list[int]:
        """One commit for all of them. A letter that was fetched before is the letter it was."""
        with self.store.writing() as session:
            return [self._keep(session, one) for one in arrived]

    def _keep(self, session: Session, arrived: Arrived) -> int:
        connection = session.connection()
        digest = hashlib.sha256(arrived.raw).hexdigest()
        known: int | None = connection.execute(_KNOWN, {"place": arrived.place, "digest": digest}).scalar()
        if known is not None:
            return known
        letter = _UNREAD | {
            "place": arrived.place,
            "raw": arrived.raw,
            "raw_digest": digest,
            "arrived": self.clock(),
            "reason": TOO_LARGE if arrived.too_large else "",
        }
        number: int = connection.execute(_KEEP, letter).scalar_one()
        return number

    # -------------------------------------------------------------- the second commit: one fate

    def settle_waiting(self, limit: int = 1000) -> list[int]:
        """Settle the oldest letters that have arrived; their numbers."""
        with self.store.reading() as session:
            waiting = select(models.Letter.id).where(models.Letter.fate == models.ARRIVED)
            numbers = [one for one in session.exec(waiting.order_by(col(models.Letter.id)).limit(limit)) if one]
        for number in numbers:
            self.settle(number)
        return numbers

    def settle(self, letter_id: int) -> str:
        """What becomes of a letter, in one commit with all that it causes. A settled one stays as it is."""
        try:
            opened = self._open(letter_id)
            with self.store.writing() as session:
                fate, released = self._settle(session, letter_id, opened)
        except (TheDatabaseIsBusy, TheDatabaseCannotBeWritten):
            raise  # the letter is not to blame, and waits
        except Exception as trouble:
            return self._set_aside(letter_id, trouble)
        for number in released:
            self.settle(number)
        return fate

    def _open(self, letter_id: int) -> Opened:
        """Read before anything is locked: that may take its time, and so may the DNS."""
        from pbem.intake.triage import is_from_somebody_we_know, read

        with self.store.reading() as session:
            raw, reason = session.connection().execute(_TO_READ, {"number": letter_id}).one()
            mail, trouble = read(self, raw)
            ask = self.settings.trust.require == "dkim" and is_from_somebody_we_know(self, session, mail)
        vouched_for = ask and is_vouched_for(self.settings.trust, mail, raw, self.look_up)
        return Opened(mail, trouble or (TOO_LARGE if reason == TOO_LARGE else ""), vouched_for)

    def _settle(self, session: Session, letter_id: int, opened: Opened) -> tuple[str, list[int]]:
        """Its fate, and which letters are to be read now that waited for the GM."""
        from pbem.intake.triage import settled

        letter = letter_in(session, letter_id)
        if letter.fate != models.ARRIVED:
            return letter.fate, []
        desk = Desk(self, session, letter, opened.mail, self.clock())
        desk.trouble, desk.vouched_for = opened.trouble, opened.vouched_for
        verdict = settled(desk)
        self._close(session, letter, verdict.fate, verdict.reason)
        return letter.fate, desk.released

    def _close(self, session: Session, letter: models.Letter, fate: str, reason: str) -> None:
        letter.fate, letter.reason, letter.settled = fate, without_tags(reason), self.clock()
        session.connection().execute(_CLOSE, {"number": letter.id, **letter.model_dump(include=_CLOSED_WITH)})

    def _set_aside(self, letter_id: int, trouble: Exception) -> str:
        """The letter broke something. It waits for the GM, who gets it with what went wrong."""
        try:
            return self._hold(letter_id, trouble, tell=True)
        except (TheDatabaseIsBusy, TheDatabaseCannotBeWritten):
            raise
        except Exception:  # even telling of it fails: the letter is out of the way all the same
            return self._hold(letter_id, trouble, tell=False)

    def _hold(self, letter_id: int, trouble: Exception, *, tell: bool) -> str:
        with self.store.writing() as session:
            letter = letter_in(session, letter_id)
            if letter.fate != models.ARRIVED:
                return letter.fate
            secrets = secrets_of(session)
            said = blanked_traceback("".join(traceback.format_exception(trouble)), secrets)
            self._close(session, letter, models.HELD, f"the program failed: {said.strip().splitlines()[-1]}")
            if tell:
                self._tell_of_trouble(session, letter, said, secrets)
            return models.HELD

    def _tell_of_trouble(self, session: Session, letter: models.Letter, said: str, secrets: Iterable[str]) -> None:
        """Of so many a day; the last of them says so."""
        today = f"failed/{self.clock().astimezone(UTC).date()}/"
        told = count_written(session, f"gm/{today}") // max(1, len(self.gm_addresses)) + 1
        if told > MOST_FAILURES_TOLD:
            return
        copy = blanked_letter(letter.raw, secrets)
        attached = () if copy is None else (post.Attachment(f"letter-{letter.id}.eml", "message/rfc822", copy),)
        last = told == MOST_FAILURES_TOLD
        text = render("mail/letter-failed.txt.j2", letter=letter, traceback=said, attached=bool(attached), last=last)
        self.tell_gm(session, f"{today}{letter.id}", f"Letter {letter.id} could not be read", text, None, attached)


def letter_in(session: Session, letter_id: int) -> models.Letter:
    """A letter to be settled. What is noted on it is written in one go, when it is closed."""
    row = session.connection().execute(_LETTER, {"number": letter_id}).one()
    return models.Letter(**row._mapping)
