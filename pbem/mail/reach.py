"""Whether a player can be reached: what our own server said about his address, and the reports that mail came back.

What our server says nobody can forge. A report of another server proves that its writer knows the mail it speaks of, as
the player does who got it: so it is worth something, but not without measure.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Exists, and_, func
from sqlmodel import Session, col, select

from pbem.letters.addresses import folded, same_address
from pbem.records import models

#: Mail without which a player does not know that it is his turn.
CALLS = ("welcome", "report", "reminder")
#: On so many days within so long mail must have come back before a seat is marked.
DAYS_THAT_MARK = 3
REMEMBERED = timedelta(days=30)


def seat_of(session: Session, mail: models.Outgoing) -> models.Seat | None:
    """Whose own mail it was, if he still has the address it went to."""
    if mail.match_id is None or not mail.side:
        return None
    seat = session.exec(
        select(models.Seat).where(models.Seat.match_id == mail.match_id, models.Seat.side == mail.side)
    ).first()
    return seat if seat is not None and same_address(seat.address, mail.recipient) else None


# ------------------------------------------------------------------ what came back


def keeps_coming_back(session: Session, address: str, now: datetime) -> bool:
    """Mail to this address has come back on so many days, and its player has not written since."""
    days = {at.astimezone(UTC).date() for at in _came_back(session, address, now)}
    return len(days) >= DAYS_THAT_MARK


def _came_back(session: Session, address: str, now: datetime) -> list[datetime]:
    """When mail came back lately, since the player last wrote."""
    forgotten = now - REMEMBERED
    since = max(_last_wrote(session, address) or forgotten, forgotten)
    reports = select(models.Bounce.at).where(
        func.lower(models.Bounce.recipient) == folded(address), col(models.Bounce.at) > since
    )
    return list(session.exec(reports))


def _last_wrote(session: Session, address: str) -> datetime | None:
    """The last letter that was taken as that of a seat played from there: key and address were right."""
    of_the_seat = and_(
        col(models.Letter.match_id) == col(models.Seat.match_id), col(models.Letter.side) == col(models.Seat.side)
    )
    wrote = (
        select(models.Letter.settled)
        .join(models.Seat, of_the_seat)
        .where(func.lower(models.Seat.address) == folded(address), col(models.Letter.settled).is_not(None))
    )
    return session.exec(wrote.order_by(col(models.Letter.settled).desc()).limit(1)).first()


def _is_reported() -> Exists:
    return select(models.Bounce.id).where(models.Bounce.outgoing_id == models.Outgoing.id).exists()


# ------------------------------------------------------------------ one seat


def _mail_of(seat: models.Seat) -> tuple[ColumnElement[bool], ...]:
    return col(models.Outgoing.match_id) == seat.match_id, col(models.Outgoing.side) == seat.side


def _mail_to(seat: models.Seat) -> tuple[ColumnElement[bool], ...]:
    """What went to the address he has now."""
    return *_mail_of(seat), func.lower(models.Outgoing.recipient) == folded(seat.address)


def is_refused(session: Session, seat: models.Seat) -> bool:
    """The last mail of this seat that our own server has decided on, it refused for good."""
    decided = select(models.Outgoing.state, _is_reported()).where(
        *_mail_to(seat), col(models.Outgoing.state).in_((models.SENT, models.FAILED))
    )
    last = session.exec(decided.order_by(col(models.Outgoing.id).desc()).limit(1)).first()
    return last is not None and last[0] == models.FAILED and not last[1]


def was_not_called(session: Session, seat: models.Seat, opened: datetime) -> bool:
    """What would have called him to his turn has not left the house, or our own server would not take it."""
    waits = and_(col(models.Outgoing.kind).in_(("welcome", "report")), col(models.Outgoing.state) == models.TO_SEND)
    refused = and_(
        *_mail_to(seat),
        col(models.Outgoing.kind).in_(CALLS),
        col(models.Outgoing.state) == models.FAILED,
        col(models.Outgoing.created) >= opened,
        ~_is_reported(),
    )
    return session.exec(select(models.Outgoing.id).where(*_mail_of(seat), waits | refused).limit(1)).first() is not None


def call_came_back(session: Session, seat: models.Seat, opened: datetime) -> bool:
    """A call to this turn left the house, and a report says that it did not arrive."""
    reported = select(models.Outgoing.id).where(
        *_mail_to(seat),
        col(models.Outgoing.kind).in_(CALLS),
        col(models.Outgoing.state) == models.FAILED,
        col(models.Outgoing.created) >= opened,
        _is_reported(),
    )
    return session.exec(reported.limit(1)).first() is not None


def mark_has_faded(session: Session, seat: models.Seat, now: datetime) -> bool:
    """Nothing that would mark a seat is known of this one any more."""
    return seat.bounces and not is_refused(session, seat) and not _came_back(session, seat.address, now)


def unmark_if_delivered(session: Session, seat: models.Seat | None, now: datetime) -> None:
    """Our server has taken a mail to him, so what it said before is over. What others report it cannot know."""
    if seat is not None and seat.bounces and not keeps_coming_back(session, seat.address, now):
        seat.bounces = False
        session.add(seat)
