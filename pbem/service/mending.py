"""After the clock has jumped it is in doubt, and no deadline passes: until the GM says that it is right, until it is
back where it should be, or until it has been steady for six hours.

Then deadlines that a wrong clock has set are set again: the open gate gets its whole time, and the players are told.
Sheets that it has dated and that have not settled yet count as come now.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import update
from sqlmodel import Session, col, or_, select

from pbem.clock.guards import MAILBOX_READ, TICK, beat
from pbem.clock.jumps import (
    STEADY_FOR,
    Doubt,
    doubt_in,
    drop_doubt,
    keep_doubt,
    take_remembered,
    take_remembered_sheets,
)
from pbem.clock.pulses import BACKWARDS_AT_MOST, FORWARDS_AT_MOST, is_plausible
from pbem.post.notices import tell_gm
from pbem.records import models
from pbem.records.matches import number_of
from pbem.referee import REFEREE, move_deadline
from pbem.refusal import Refusal
from pbem.schedule import clock_of

if TYPE_CHECKING:
    from pbem.post.office import Office

#: Mail is never put off for longer; what waits longer waits for a time that a wrong clock has named.
LONGEST_PUT_OFF = timedelta(days=2)
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


# ------------------------------------------------------------------ looking at the clock


def look_at_the_clock(office: "Office", now: datetime) -> tuple[bool, list[str]]:
    """Whether deadlines count, compared with the look before; and what is new about it. All of it in one commit."""
    with office.store.writing() as session:
        last, doubt = beat(session, TICK, now), doubt_in(session)
        step = timedelta() if last is None else now - last.at
        if doubt is not None:
            return _look_again(session, office, doubt, step, now)
        if last is not None and not is_plausible(step):
            return False, _doubt_it(session, office, Doubt(since=now, before=last.at), now)
        _date_again(session, _EVER if last is None else last.at, now)
        return True, _set_again(session, office, _set_wrongly(session, _EVER, now), now)


def _look_again(
    session: Session, office: "Office", doubt: Doubt, step: timedelta, now: datetime
) -> tuple[bool, list[str]]:
    if not is_plausible(step):
        if doubt.is_undone(now):
            return True, _believe_it(session, office, doubt, now, "it is back where it should be", doubt.before)
        return False, _doubt_it(session, office, replace(doubt, since=now, steady=timedelta()), now)
    doubt = doubt.after(step)
    if doubt.steady >= STEADY_FOR:
        return True, _believe_it(session, office, doubt, now, "it has been steady for six hours")
    keep_doubt(session, doubt)
    return False, []


def trust_the_clock(office: "Office", now: datetime) -> list[str]:
    """The GM says that it is right, perhaps before the referee has seen the jump. What came of it, if anything."""
    with office.store.writing() as session:
        last, doubt = beat(session, TICK, now), doubt_in(session)
        if doubt is None and last is not None and not is_plausible(now - last.at):
            doubt = Doubt(since=now, before=last.at)
        return [] if doubt is None else _believe_it(session, office, doubt, now, "the GM says so")


def _doubt_it(session: Session, office: "Office", doubt: Doubt, now: datetime) -> list[str]:
    keep_doubt(session, doubt)
    key = f"clock/{doubt.before.astimezone(UTC).isoformat()}/{now.astimezone(UTC).isoformat()}"
    tell_gm(session, office, key, "gm-clock", before=doubt.before, now=now)
    return ["the clock has jumped: no deadline passes before it is trusted again, see: pbem clock"]


def _believe_it(
    session: Session, office: "Office", doubt: Doubt, now: datetime, why: str, earliest: datetime | None = None
) -> list[str]:
    """What this clock has said is right, and what an earlier one said need not be."""
    drop_doubt(session)
    _forget_the_future(session, now)
    earliest = earliest or min(doubt.before, doubt.since) - FORWARDS_AT_MOST
    _date_again(session, earliest, now)
    wrong = _set_wrongly(session, earliest, now)
    said = _set_again(session, office, wrong | _opened_in_the_future(session, office, now), now)
    key = f"clock-again/{doubt.since.astimezone(UTC).isoformat()}/{now.astimezone(UTC).isoformat()}"
    tell_gm(session, office, key, "gm-clock-again", now=now, why=why, said=said)
    return [f"the clock is trusted again: {why}", *said]


# ------------------------------------------------------------------ what a wrong clock has left


def _set_wrongly(session: Session, earliest: datetime, now: datetime) -> set[int]:
    """Matches whose deadline was set at a time that cannot have been. One that was moved since is somebody's will."""
    return {
        number
        for number, at, deadline in take_remembered(session)
        if not _can_have_been(at, earliest, now)
        and (match := session.get(models.Match, number)) is not None
        and match.deadline == deadline
    }


def _can_have_been(at: datetime, earliest: datetime, now: datetime) -> bool:
    return earliest - BACKWARDS_AT_MOST <= at <= now + BACKWARDS_AT_MOST


def _date_again(session: Session, earliest: datetime, now: datetime) -> None:
    """Sheets that wait and came at a time that cannot have been: nobody can say since when they have lain."""
    wrong = {number for number, at in take_remembered_sheets(session) if not _can_have_been(at, earliest, now)}
    ahead = col(models.Sheet.arrived) > now + BACKWARDS_AT_MOST
    waiting = select(models.Sheet).where(
        models.Sheet.state == models.WAITING, or_(col(models.Sheet.id).in_(wrong), ahead)
    )
    for sheet in session.exec(waiting):
        sheet.arrived = now
        session.add(sheet)


def _opened_in_the_future(session: Session, office: "Office", now: datetime) -> set[int]:
    """Matches whose open gate was opened by a clock that was ahead, before anybody doubted it, and has more than its
    whole time left."""
    late = select(models.Match).where(col(models.Match.deadline) > now)
    return {number_of(match) for match in session.exec(late) if _has_too_much_time(session, office, match, now)}


def _has_too_much_time(session: Session, office: "Office", match: models.Match, now: datetime) -> bool:
    with suppress(Refusal):
        whole = clock_of(match.clock).deadline_after(now)
        too_late = whole is not None and match.deadline is not None and match.deadline > whole
        return too_late and office.store.opened_in(session, match) > now + BACKWARDS_AT_MOST
    return False


def _set_again(session: Session, office: "Office", numbers: set[int], now: datetime) -> list[str]:
    """A match that cannot be read is left out: the GM hears of it when it is looked at by itself."""
    said: list[str] = []
    for number in sorted(numbers):
        with suppress(Refusal), session.begin_nested():
            said += _set_deadline_again(session, office, office.store.match_in(session, number), now)
    return said


def _set_deadline_again(session: Session, office: "Office", match: models.Match, now: datetime) -> Iterator[str]:
    deadline = clock_of(match.clock).deadline_after(now)
    if match.status == models.RUNNING and not match.paused and deadline is not None:
        move_deadline(session, office, match, deadline, "the referee's clock was wrong", REFEREE)
        yield f"match {match.id}: the deadline is set again"


def _forget_the_future(session: Session, now: datetime) -> None:
    """That the mailbox was read tomorrow proves nothing, and mail does not wait until next year."""
    read = session.get(models.Pulse, MAILBOX_READ)
    if read is not None and read.at > now:
        session.delete(read)
    waiting = update(models.Outgoing).where(
        col(models.Outgoing.state) == models.TO_SEND, col(models.Outgoing.next_try) > now + LONGEST_PUT_OFF
    )
    session.execute(waiting.values(next_try=now))
