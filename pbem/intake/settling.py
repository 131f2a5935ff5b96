"""Taking letters in, and settling each of them once, with everything that has to be answered.

Two commits a letter. The first keeps its bytes; the second holds what became of it together with everything it
caused. A letter that breaks the second is set aside for the GM, and the next one is read.
"""

import hashlib
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC

from sqlalchemy import Table, bindparam
from sqlmodel import Session, col, select

from pbem.desk.desk import Desk
from pbem.desk.held import note_that_it_is_held
from pbem.intake.trust import is_vouched_for, txt_record
from pbem.letters import Letter
from pbem.mail.inbox import Arrived
from pbem.post import post
from pbem.post.office import Office
from pbem.records import models
from pbem.records.database import TheDatabaseCannotBeWritten, TheDatabaseIsBusy
from pbem.records.secrecy import blanked_letter, blanked_traceback, secrets_of, without_tags
from pbem.records.written import count_written
from pbem.words.wording import render

_LETTERS: Table = models.Letter.__table__  # type: ignore[attr-defined]
_KNOWN = select(_LETTERS.c.id).where(
    _LETTERS.c.place == bindparam("place"), _LETTERS.c.raw_digest == bindparam("digest")
)
_KEEP = _LETTERS.insert().returning(_LETTERS.c.id)
_LETTER = _LETTERS.select().where(_LETTERS.c.id == bindparam("number"))
_TO_READ = select(_LETTERS.c.raw, _LETTERS.c.reason).where(_LETTERS.c.id == bindparam("number"))
_CLOSE = _LETTERS.update().where(_LETTERS.c.id == bindparam("number"), _LETTERS.c.fate == models.ARRIVED)
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


# ------------------------------------------------------------------ the first commit: nothing is lost


def take_in(office: Office, arrived: Arrived) -> int:
    return take_in_many(office, [arrived])[0]


def take_in_many(office: Office, arrived: Iterable[Arrived]) -> list[int]:
    """One commit for all of them. A letter that was fetched before is the letter it was."""
    with office.store.writing() as session:
        return [_keep(office, session, one) for one in arrived]


def _keep(office: Office, session: Session, arrived: Arrived) -> int:
    connection = session.connection()
    digest = hashlib.sha256(arrived.raw).hexdigest()
    known: int | None = connection.execute(_KNOWN, {"place": arrived.place, "digest": digest}).scalar()
    if known is not None:
        return known
    letter = _UNREAD | {
        "place": arrived.place,
        "raw": arrived.raw,
        "raw_digest": digest,
        "arrived": office.clock(),
        "reason": TOO_LARGE if arrived.too_large else "",
    }
    number: int = connection.execute(_KEEP, letter).scalar_one()
    return number


# ------------------------------------------------------------------ the second commit: one fate


def settle_waiting(office: Office, limit: int = 1000) -> list[int]:
    """Settle the oldest letters that have arrived; their numbers."""
    with office.store.reading() as session:
        waiting = select(models.Letter.id).where(models.Letter.fate == models.ARRIVED)
        numbers = [one for one in session.exec(waiting.order_by(col(models.Letter.id)).limit(limit)) if one]
    for number in numbers:
        settle(office, number)
    return numbers


def settle(office: Office, letter_id: int) -> str:
    """What becomes of a letter, in one commit with all that it causes. A settled one stays as it is."""
    try:
        opened = _open(office, letter_id)
        with office.store.writing() as session:
            fate, released = _settle(office, session, letter_id, opened)
    except (TheDatabaseIsBusy, TheDatabaseCannotBeWritten):
        raise  # the letter is not to blame, and waits
    except Exception as trouble:
        return _set_aside(office, letter_id, trouble)
    for number in released:
        settle(office, number)
    return fate


def _open(office: Office, letter_id: int) -> Opened:
    """Read before anything is locked: that may take its time, and so may the DNS."""
    from pbem.intake.triage import is_from_somebody_we_know, read

    with office.store.reading() as session:
        raw, reason = session.connection().execute(_TO_READ, {"number": letter_id}).one()
        mail, trouble = read(office, raw)
        ask = office.settings.trust.require == "dkim" and is_from_somebody_we_know(office, session, mail)
    vouched_for = ask and is_vouched_for(office.settings.trust, mail, raw, office.look_up or txt_record)
    return Opened(mail, trouble or (TOO_LARGE if reason == TOO_LARGE else ""), vouched_for)


def _settle(office: Office, session: Session, letter_id: int, opened: Opened) -> tuple[str, list[int]]:
    """Its fate, and which letters are to be read now that waited for the GM."""
    from pbem.intake.triage import settled

    letter = letter_in(session, letter_id)
    if letter.fate != models.ARRIVED:
        return letter.fate, []
    desk = Desk(office, session, letter, opened.mail, office.clock())
    desk.trouble, desk.vouched_for = opened.trouble, opened.vouched_for
    verdict = settled(desk)
    _close(office, session, letter, verdict.fate, verdict.reason)
    return letter.fate, desk.released


def _close(office: Office, session: Session, letter: models.Letter, fate: str, reason: str) -> None:
    letter.fate, letter.reason, letter.settled = fate, without_tags(reason), office.clock()
    session.connection().execute(_CLOSE, {"number": letter.id, **letter.model_dump(include=_CLOSED_WITH)})
    if fate == models.HELD:
        note_that_it_is_held(session, office, letter)


def _set_aside(office: Office, letter_id: int, trouble: Exception) -> str:
    """The letter broke something. It waits for the GM, who gets it with what went wrong."""
    try:
        return _hold(office, letter_id, trouble, tell=True)
    except (TheDatabaseIsBusy, TheDatabaseCannotBeWritten):
        raise
    except Exception:  # even telling of it fails: the letter is out of the way all the same
        return _hold(office, letter_id, trouble, tell=False)


def _hold(office: Office, letter_id: int, trouble: Exception, *, tell: bool) -> str:
    with office.store.writing() as session:
        letter = letter_in(session, letter_id)
        if letter.fate != models.ARRIVED:
            return letter.fate
        secrets = secrets_of(session)
        said = blanked_traceback("".join(traceback.format_exception(trouble)), secrets)
        _close(office, session, letter, models.HELD, f"the program failed: {said.strip().splitlines()[-1]}")
        if tell:
            _tell_of_trouble(office, session, letter, said, secrets)
        return models.HELD


def _tell_of_trouble(
    office: Office, session: Session, letter: models.Letter, said: str, secrets: Iterable[str]
) -> None:
    """Of so many a day; the last of them says so."""
    today = f"failed/{office.clock().astimezone(UTC).date()}/"
    told = count_written(session, f"gm/{today}") // max(1, len(office.gm_addresses)) + 1
    if told > MOST_FAILURES_TOLD:
        return
    copy = blanked_letter(letter.raw, secrets)
    attached = () if copy is None else (post.Attachment(f"letter-{letter.id}.eml", "message/rfc822", copy),)
    last = told == MOST_FAILURES_TOLD
    text = render("mail/letter-failed.txt.j2", letter=letter, traceback=said, attached=bool(attached), last=last)
    office.tell_gm(session, f"{today}{letter.id}", f"Letter {letter.id} could not be read", text, None, attached)


def letter_in(session: Session, letter_id: int) -> models.Letter:
    """A letter to be settled. What is noted on it is written in one go, when it is closed."""
    row = session.connection().execute(_LETTER, {"number": letter_id}).one()
    return models.Letter(**row._mapping)
