"""Letters of strangers are forgotten after some time: their bytes go, and what became of them stays on record.

A stranger's letter is one whose writer has proved nothing. What waits for the GM because it may be a player's is kept
as long as his match goes on.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, update
from sqlmodel import Session, and_, col, not_, select

from pbem.clock.guards import beat
from pbem.clock.jumps import is_in_doubt
from pbem.clock.pulses import STRANGERS_FORGOTTEN
from pbem.records import models
from pbem.refusal import Refusal

if TYPE_CHECKING:
    from pbem.post.office import Office

#: In one transaction, so that nobody has to wait for it.
AT_ONCE = 200
_NOTHING = hashlib.sha256(b"").hexdigest()


class TheLetterIsForgotten(Refusal):
    pass


def is_forgotten(letter: models.Letter) -> bool:
    """A letter may have been empty from the beginning."""
    return not letter.raw and letter.raw_digest != _NOTHING


def must_be_there(letter: models.Letter) -> models.Letter:
    if is_forgotten(letter):
        raise TheLetterIsForgotten(
            f"letter {letter.id} was a stranger's, and its bytes have been deleted after so many days "
            "(limits.keep_strangers_days)",
            "The mailbox itself may still have it, in its folder of letters that are done with or held.",
        )
    return letter


def forget_strangers(office: "Office", now: datetime) -> int:
    """Once a day, some at a time until none is left. By a clock that is in doubt nothing is too old."""
    days = office.settings.limits.keep_strangers_days
    with office.store.reading() as session:
        if not days or _was_done_today(session, now) or is_in_doubt(session, now):
            return 0
    with office.store.writing() as session:
        numbers = _too_old(session, now - timedelta(days=days))
        session.execute(update(models.Letter).where(col(models.Letter.id).in_(numbers)).values(raw=b""))
        if len(numbers) < AT_ONCE:
            beat(session, STRANGERS_FORGOTTEN, now)
        return len(numbers)


def _was_done_today(session: Session, now: datetime) -> bool:
    pulse = session.get(models.Pulse, STRANGERS_FORGOTTEN)
    return pulse is not None and pulse.at.astimezone(UTC).date() == now.astimezone(UTC).date()


def _too_old(session: Session, before: datetime) -> list[int]:
    letter = models.Letter
    running = select(models.Match.id).where(models.Match.status == models.RUNNING)
    waits = and_(letter.fate == models.HELD, letter.meant_for != "", col(letter.match_id).in_(running))
    found = select(letter.id).where(
        letter.fate != models.ARRIVED,
        col(letter.settled) < before,
        col(letter.proved).is_(False),
        letter.side == "",
        func.length(letter.raw) > 0,
        not_(waits),
    )
    return [number or 0 for number in session.exec(found.order_by(col(letter.id)).limit(AT_ONCE))]
