"""When not to let a deadline pass. One that passes by mistake cannot be taken back, one that passes late can wait.

No turn is run for its deadline if the clock has jumped (see `jumps.py`), if the mailbox was not read since, if letters
lie there unread, or if so many players would miss at once that the fault is more likely ours than theirs.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlmodel import Session, select

from pbem.clock.pulses import MAILBOX_READ as MAILBOX_READ
from pbem.clock.pulses import TICK as TICK
from pbem.post.notices import tell_gm
from pbem.records import models

if TYPE_CHECKING:
    from pbem.post.office import Office

FEWEST_AWAITED = 4


@dataclass(frozen=True)
class Miss:
    """A seat that would miss the deadline of a gate."""

    match: int
    gate: str
    side: str


def beat(session: Session, name: str, at: datetime, detail: str = "") -> models.Pulse | None:
    """Remember when something last went well; what was remembered before."""
    pulse = session.get(models.Pulse, name)
    before = None if pulse is None else models.Pulse(name=name, at=pulse.at, detail=pulse.detail)
    session.add(models.Pulse(name=name, at=at, detail=detail) if pulse is None else _beaten(pulse, at, detail))
    return before


def _beaten(pulse: models.Pulse, at: datetime, detail: str) -> models.Pulse:
    pulse.at, pulse.detail = at, detail
    return pulse


def mailbox_was_read_since(session: Session, moment: datetime) -> bool:
    """Everything that had arrived by then has been fetched, and has been read."""
    pulse = session.get(models.Pulse, MAILBOX_READ)
    return pulse is not None and pulse.at >= moment and not letters_lie_unread(session)


def letters_lie_unread(session: Session) -> bool:
    """Fetched, but without a fate."""
    unread = select(models.Letter.id).where(models.Letter.fate == models.ARRIVED)
    return session.exec(unread.limit(1)).first() is not None


def too_many_would_miss(office: "Office", awaited: int, misses: Iterable[Miss]) -> bool:
    """More than half of all awaited players: perhaps their mail is lost on the way. The GM is told once."""
    listed = sorted(misses, key=lambda miss: (miss.match, miss.side))
    if awaited < FEWEST_AWAITED or 2 * len(listed) <= awaited:
        return False
    digest = hashlib.sha256(repr(listed).encode()).hexdigest()[:16]
    with office.store.writing() as session:
        tell_gm(session, office, f"many-missing/{digest}", "gm-many-missing", awaited=awaited, misses=listed)
    return True
