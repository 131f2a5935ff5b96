"""The outbox: sends what was written, outside any transaction, and keeps the books in one commit a mail.

Killed between the sending and the commit, the next process sends the same bytes with the same Message-ID again.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from pbem.letters.addresses import folded, same_address
from pbem.mail.postman import Delivery, Later, Never, Postman, Sent
from pbem.mail.studio import Studio
from pbem.records import models
from pbem.settings import SmtpOut
from pbem.words.notices import tell_gm

if TYPE_CHECKING:
    from pbem.intake.office import Office

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
GIVE_UP_AFTER = timedelta(days=5)
#: Mails picked up at once, and recipients served at the same time.
BATCH = 100
AT_ONCE = 4


@dataclass
class Round:
    """What one round of sending brought."""

    sent: int = 0
    later: int = 0
    failed: int = 0
    expired: int = 0
    trouble: str = ""

    @property
    def is_quiet(self) -> bool:
        return not (self.sent or self.later or self.failed or self.expired)


@dataclass(frozen=True)
class Envelope:
    """What a postman needs to know of a mail."""

    id: int
    key: str
    recipient: str
    raw: bytes


def pause_after(attempts: int) -> timedelta:
    """1, 2, 4 ... minutes, at most 6 hours."""
    doublings: int = min(attempts - 1, 20)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))


async def send_waiting(
    office: "Office", postman: Postman, now: datetime, stop: Callable[[], bool] = lambda: False
) -> Round:
    """Send everything that is due. `stop` is asked before each mail."""
    done = Round(expired=_expire(office, now))
    limit, tried = asyncio.Semaphore(AT_ONCE), set[int]()
    with Studio(office) as studio:
        while not stop() and (due := _due(office, now, tried)):
            tried.update(envelope.id for envelope in due)
            rows = _by_recipient(due)
            serving = (_serve(office, postman, studio, now, row, limit, done, stop) for row in rows)
            for trouble in await asyncio.gather(*serving, return_exceptions=True):
                if trouble is not None:  # only now: the others have finished what they had in hand
                    raise trouble
        studio.tidy_up()
    if done.sent:
        _try_again_what_the_server_kept_back(office, now)
    return done


def _expire(office: "Office", now: datetime) -> int:
    with office.store.reading() as session:
        if session.exec(select(models.Outgoing.id).where(*_has_expired(now)).limit(1)).first() is None:
            return 0
    with office.store.writing() as session:
        late = session.exec(select(models.Outgoing).where(*_has_expired(now))).all()
        for mail in late:
            mail.state = models.EXPIRED
            session.add(mail)
    return len(late)


def _has_expired(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return col(models.Outgoing.state) == models.TO_SEND, col(models.Outgoing.expires) <= now


def _due(office: "Office", now: datetime, tried: set[int]) -> list[Envelope]:
    """The oldest mails whose time has come and that were not tried in this round."""
    with office.store.reading() as session:
        waiting = select(models.Outgoing).where(
            models.Outgoing.state == models.TO_SEND,
            col(models.Outgoing.next_try) <= now,
            col(models.Outgoing.id) > max(tried, default=0),
        )
        found = session.exec(waiting.order_by(col(models.Outgoing.id)).limit(BATCH))
        return [Envelope(mail.id or 0, mail.key, mail.recipient, mail.raw) for mail in found]


def _by_recipient(envelopes: Iterable[Envelope]) -> list[list[Envelope]]:
    """One row for each recipient, so that his mails reach him in the order they were written."""
    rows: dict[str, list[Envelope]] = {}
    for envelope in envelopes:
        rows.setdefault(folded(envelope.recipient), []).append(envelope)
    return list(rows.values())


async def _serve(
    office: "Office",
    postman: Postman,
    studio: Studio,
    now: datetime,
    row: list[Envelope],
    limit: asyncio.Semaphore,
    done: Round,
    stop: Callable[[], bool],
) -> None:
    for envelope in row:
        async with limit:
            if stop() or not _is_still_to_send(office, envelope):
                continue
            raw = await studio.finished(envelope.id, envelope.key, envelope.raw)
            delivery = await postman.send(office.settings.referee.address, envelope.recipient, raw)
            _count(done, _keep_the_books(office, envelope.id, delivery, now), delivery)


def _is_still_to_send(office: "Office", envelope: Envelope) -> bool:
    """A newer mail may have overtaken it while it waited its turn."""
    with office.store.reading() as session:
        state = session.exec(select(models.Outgoing.state).where(models.Outgoing.id == envelope.id)).first()
    return state == models.TO_SEND


def _count(done: Round, state: str, delivery: Delivery) -> None:
    if state == models.SENT:
        done.sent += 1
    elif state == models.FAILED:
        done.failed += 1
    else:
        done.later += 1
    if isinstance(delivery, Later | Never):
        done.trouble = delivery.reason


# ------------------------------------------------------------------ the books


def _keep_the_books(office: "Office", number: int, delivery: Delivery, now: datetime) -> str:
    """What became of a mail, in one commit."""
    with office.store.writing() as session:
        mail = session.get_one(models.Outgoing, number)
        mail.attempts += 1
        session.add(mail)
        match delivery:
            case Sent():
                mail.state, mail.sent, mail.trouble = models.SENT, now, ""
            case Later(reason, configuration):
                _put_off(session, office, mail, reason, now, give_up=not configuration)
            case Never(reason):
                _give_up(session, office, mail, reason)
        return mail.state


def _put_off(
    session: Session, office: "Office", mail: models.Outgoing, reason: str, now: datetime, *, give_up: bool
) -> None:
    """Trouble with our own settings is no reason to give up: it lasts until the GM has mended it."""
    if give_up and now - mail.created >= GIVE_UP_AFTER:
        _give_up(session, office, mail, reason)
    elif mail.state == models.TO_SEND:
        mail.next_try, mail.trouble = now + pause_after(mail.attempts), reason


def _give_up(session: Session, office: "Office", mail: models.Outgoing, reason: str) -> None:
    mail.state, mail.trouble = models.FAILED, reason
    if _is_for_a_gm(office, mail):  # never a notice about a notice that failed
        return
    seat = _seat_of(session, mail)
    if seat is not None:
        seat.bounces = True
        session.add(seat)
    match = session.get(models.Match, mail.match_id) if mail.match_id else None
    day = office.clock().astimezone(UTC).date()
    key = f"undelivered/{folded(mail.recipient)}/{day}"
    tell_gm(session, office, key, "gm-undelivered", match, mail=mail, seat=seat, reason=reason)


def _is_for_a_gm(office: "Office", mail: models.Outgoing) -> bool:
    return any(same_address(mail.recipient, address) for address in office.gm_addresses)


def _seat_of(session: Session, mail: models.Outgoing) -> models.Seat | None:
    """Whose own mail it was, if he still has the address it went to."""
    seat = session.exec(
        select(models.Seat).where(models.Seat.match_id == mail.match_id, models.Seat.side == mail.side)
    ).first()
    return seat if seat is not None and same_address(seat.address, mail.recipient) else None


def _try_again_what_the_server_kept_back(office: "Office", now: datetime) -> None:
    """A mail has just gone out, so what waits only because the server could not be reached need not wait for hours."""
    if not isinstance(office.settings.outbox, SmtpOut):
        return
    kept_back = select(models.Outgoing).where(
        models.Outgoing.state == models.TO_SEND,
        col(models.Outgoing.next_try) > now,
        col(models.Outgoing.trouble).startswith(f"{office.settings.outbox.door}: ", autoescape=True),
    )
    with office.store.reading() as session:
        if session.exec(kept_back.limit(1)).first() is None:
            return
    with office.store.writing() as session:
        for mail in session.exec(kept_back):
            mail.next_try = now
            session.add(mail)
