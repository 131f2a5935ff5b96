"""The outbox: sends what was written, outside any transaction, and keeps the books in one commit a mail.

Killed between the sending and the commit, the next process sends the same bytes with the same Message-ID again. Mail
leaves in slices: when the pace is used up, or somebody asks it to stop, the rest waits for the next slice, and letters
are read meanwhile. Players' mail leaves first, then the GM's, then that of people we do not know.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, func
from sqlmodel import Session, col, select

from pbem.letters.addresses import folded, same_address
from pbem.mail.postman import Delivery, Fault, Later, Never, NotYet, Postman, Sent
from pbem.mail.reach import seat_of, unmark_if_delivered
from pbem.post.notices import tell_gm
from pbem.post.studio import Studio
from pbem.records import models
from pbem.settings import SmtpOut

if TYPE_CHECKING:
    from pbem.post.office import Office

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
#: When our account may not send, it is left in peace for as long.
PAUSE_OF_ACCOUNT = timedelta(hours=1)
GIVE_UP_AFTER = timedelta(days=5)
DAY = timedelta(days=1)
#: Mails picked up at once, and recipients served at the same time.
BATCH = 100
AT_ONCE = 4


@dataclass
class Round:
    """What one slice of sending brought. `again_in` are the seconds until the pace leaves room for the next one."""

    sent: int = 0
    later: int = 0
    failed: int = 0
    expired: int = 0
    trouble: str = ""
    again_in: float | None = None
    most_today: int = 0  # the limit of a day, if it was reached
    left: int = 0  # how many could leave but for the pace, the limit or the end of the slice

    @property
    def is_quiet(self) -> bool:
        return not (self.sent or self.later or self.failed or self.expired)


@dataclass(frozen=True)
class Envelope:
    """What a postman needs to know of a mail."""

    id: int
    key: str
    message_id: str
    recipient: str
    raw: bytes


@dataclass
class Shift:
    """Somebody who sends mail, until nothing is due, the pace or the limit of the day is used up, or he shall stop."""

    office: "Office"
    postman: Postman
    studio: Studio
    now: datetime
    stop: Callable[[], bool]
    done: Round
    left_today: int | None  # so many mails may still leave; None for any number
    limit: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    def is_over(self) -> bool:
        return self.done.again_in is not None or self.done.most_today > 0 or self.stop()

    def takes_one(self) -> bool:
        """Whether one more may leave today; then it is counted, whoever else is sending at the same time."""
        if self.left_today is None:
            return True
        if self.left_today <= 0:
            self.done.most_today = most_a_day(self.office)
            return False
        self.left_today -= 1
        return True

    def gives_it_back(self) -> None:
        if self.left_today is not None:
            self.left_today += 1


def pause_after(attempts: int) -> timedelta:
    """1, 2, 4 ... minutes, at most 6 hours."""
    doublings: int = min(attempts - 1, 20)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))


async def send_waiting(
    office: "Office", postman: Postman, now: datetime, stop: Callable[[], bool] = lambda: False
) -> Round:
    """Send what is due, one slice of it. `stop` is asked before each mail."""
    done, tried = Round(expired=_expire(office, now)), set[int]()
    with Studio(office) as studio:
        shift = Shift(office, postman, studio, now, stop, done, _left_today(office, now))
        while not shift.is_over() and (due := _due(office, now, tried)):
            tried.update(envelope.id for envelope in due)
            serving = (_serve(shift, row) for row in _by_recipient(due))
            for trouble in await asyncio.gather(*serving, return_exceptions=True):
                if trouble is not None:  # only now: the others have finished what they had in hand
                    raise trouble
        studio.tidy_up()
    if done.sent:
        _try_again_what_the_server_kept_back(office, now)
    if shift.is_over():
        done.left = _count_due(office, now)
    if done.most_today:
        _tell_of_the_limit(office, done, now)
    return done


def most_a_day(office: "Office") -> int:
    """0 for any number."""
    outbox = office.settings.outbox
    return outbox.most_per_day if isinstance(outbox, SmtpOut) else 0


def _left_today(office: "Office", now: datetime) -> int | None:
    """Counted from what is on record, so it is the same after a restart."""
    most = most_a_day(office)
    if not most:
        return None
    with office.store.reading() as session:
        left = select(func.count()).select_from(models.Outgoing).where(col(models.Outgoing.sent) > now - DAY)
        return most - session.exec(left).one()


def _tell_of_the_limit(office: "Office", done: Round, now: datetime) -> None:
    with office.store.writing() as session:
        key = f"daily-limit/{now.astimezone(UTC).date()}"
        tell_gm(session, office, key, "gm-daily-limit", most=done.most_today, left=done.left)


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


def _is_due(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return col(models.Outgoing.state) == models.TO_SEND, col(models.Outgoing.next_try) <= now


def _due(office: "Office", now: datetime, tried: set[int]) -> list[Envelope]:
    """The oldest mails whose time has come, all of one rank, without those that were tried in this round."""
    waiting = select(models.Outgoing).where(*_is_due(now))
    in_order = waiting.order_by(col(models.Outgoing.rank), col(models.Outgoing.id))
    with office.store.reading() as session:
        found = session.exec(in_order.limit(BATCH)).all()
    return [
        Envelope(mail.id or 0, mail.key, mail.message_id, mail.recipient, mail.raw)
        for mail in found
        if mail.rank == found[0].rank and mail.id not in tried
    ]


def _count_due(office: "Office", now: datetime) -> int:
    with office.store.reading() as session:
        return session.exec(select(func.count()).select_from(models.Outgoing).where(*_is_due(now))).one()


def _by_recipient(envelopes: Iterable[Envelope]) -> list[list[Envelope]]:
    """One row for each recipient, so that his mails reach him in the order they were written."""
    rows: dict[str, list[Envelope]] = {}
    for envelope in envelopes:
        rows.setdefault(folded(envelope.recipient), []).append(envelope)
    return list(rows.values())


async def _serve(shift: Shift, row: list[Envelope]) -> None:
    for envelope in row:
        async with shift.limit:
            if shift.is_over() or not _is_still_to_send(shift.office, envelope) or not shift.takes_one():
                continue
            await _send(shift, envelope)


async def _send(shift: Shift, envelope: Envelope) -> None:
    raw = await shift.studio.finished(envelope.id, (envelope.message_id, envelope.key), envelope.raw)
    sender = shift.office.sender.return_address(envelope.id)
    delivery = await shift.postman.send(sender, envelope.recipient, raw)
    if not isinstance(delivery, Sent):
        shift.gives_it_back()
    if isinstance(delivery, NotYet):
        shift.done.again_in = delivery.seconds
    else:
        _count(shift.done, _keep_the_books(shift.office, envelope.id, delivery, shift.now), delivery)


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


def _keep_the_books(office: "Office", number: int, delivery: Sent | Later | Never, now: datetime) -> str:
    """What became of a mail, in one commit."""
    with office.store.writing() as session:
        mail = session.get_one(models.Outgoing, number)
        mail.attempts += 1
        session.add(mail)
        match delivery:
            case Sent():
                mail.state, mail.sent, mail.trouble = models.SENT, now, ""
                unmark_if_delivered(session, seat_of(session, mail), now)
            case Later():
                _put_off(session, office, mail, delivery, now)
            case Never():
                _give_up(session, office, mail, delivery)
        return mail.state


def _put_off(session: Session, office: "Office", mail: models.Outgoing, later: Later, now: datetime) -> None:
    """Trouble of our own is no reason to give up: it lasts until it is mended, and is nobody else's fault."""
    if not later.fault.is_ours and now - mail.created >= GIVE_UP_AFTER:
        _give_up(session, office, mail, Never(later.reason, later.fault))
        return
    if mail.state == models.TO_SEND:
        pause = PAUSE_OF_ACCOUNT if later.fault is Fault.ACCOUNT else pause_after(mail.attempts)
        mail.next_try, mail.trouble = now + pause, later.reason
    if _is_worth_a_notice(office, later):
        key = f"our-account/{now.astimezone(UTC).date()}"
        tell_gm(session, office, key, "gm-our-account", reason=later.reason, of_account=later.fault is Fault.ACCOUNT)


def _is_worth_a_notice(office: "Office", later: Later) -> bool:
    """Our server takes no mail of this account, or not this one. That we do not get in at its door the log says."""
    outbox = office.settings.outbox
    if not isinstance(outbox, SmtpOut) or later.reason.startswith(f"{outbox.door}: "):
        return False
    return later.fault in (Fault.ACCOUNT, Fault.SETTINGS)


def _give_up(session: Session, office: "Office", mail: models.Outgoing, never: Never) -> None:
    mail.state, mail.trouble = models.FAILED, never.reason
    if _is_for_a_gm(office, mail):  # never a notice about a notice that failed
        return
    seat = seat_of(session, mail)
    if seat is not None and never.fault is Fault.RECIPIENT:
        seat.bounces = True
        session.add(seat)
    match = session.get(models.Match, mail.match_id) if mail.match_id else None
    day = office.clock().astimezone(UTC).date()
    key = f"undelivered/{folded(mail.recipient)}/{day}"
    tell_gm(session, office, key, "gm-undelivered", match, mail=mail, seat=seat, reason=never.reason)


def _is_for_a_gm(office: "Office", mail: models.Outgoing) -> bool:
    return any(same_address(mail.recipient, address) for address in office.gm_addresses)


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
