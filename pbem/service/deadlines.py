"""What the clock brings about: reminders, deadlines that move, and turns that are run without a sheet."""

import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import func
from sqlmodel import Session, col, or_, select

from engine.game import Gate
from pbem.clock.guards import Miss, mailbox_was_read_since, too_many_would_miss
from pbem.clock.jumps import is_in_doubt
from pbem.clock.vigil import Vigil, traces_of
from pbem.closing import close_what_is_due
from pbem.mail import reach
from pbem.post import letterhead
from pbem.post.notices import tell_gm
from pbem.records import models
from pbem.records.database import TheDatabaseCannotBeWritten, TheDatabaseIsBusy
from pbem.records.matches import Position, Run, number_of
from pbem.records.seats import seats_of
from pbem.records.settled import all_are_ready, settles_in
from pbem.referee import (
    REFEREE,
    is_under_way,
    let_bots_write,
    missing_seats,
    move_deadline,
    nothing_is_left_to_wait_for,
    run_or_freeze,
    thaw,
)
from pbem.refusal import Refusal
from pbem.schedule import clock_of
from pbem.service.mending import look_at_the_clock

if TYPE_CHECKING:
    from pbem.post.office import Office

#: How long a deadline is held at a time for a player who could not be reached.
HOLD = timedelta(hours=24)
#: No absence holds up the others for longer.
LONGEST_ABSENCE = timedelta(days=30)
MISSES_BEFORE_THE_GM_IS_TOLD = 2
WAITS_FOR_ABSENCE = "waits for an absence"
WAITS_FOR_RETURNED = "waits after a mail came back"


@dataclass(frozen=True)
class OpenGate:
    """A match at its open gate, as one look at the clock finds it."""

    session: Session
    office: "Office"
    position: Position
    gate: Gate
    now: datetime

    @property
    def match(self) -> models.Match:
        return self.position.match

    @property
    def due(self) -> datetime | None:
        """When the gate is run whether or not the sheets are in."""
        return None if self.match.deadline is None else self.match.deadline + clock_of(self.match.clock).grace

    @cached_property
    def missing(self) -> list[models.Seat]:
        waiting = self.office.store.waiting_in(self.session, self.position.match_id, self.gate)
        return missing_seats(self.session, self.match, self.gate, waiting)

    @property
    def settles(self) -> datetime | None:
        """When the sheets that were awaited have lain long enough, if all are in."""
        return settles_in(self.session, self.office.store, self.position)

    @cached_property
    def opened(self) -> datetime:
        return self.office.store.opened_in(self.session, self.match)

    def unreachable(self) -> list[models.Seat]:
        """Whom our own server cannot reach. Nobody can forge that, so the deadline is held as long as it lasts."""
        return [seat for seat in self.missing if self._is_out_of_reach(seat)]

    def _is_out_of_reach(self, seat: models.Seat) -> bool:
        refused = seat.bounces and reach.is_refused(self.session, seat)
        return refused or reach.was_not_called(self.session, seat, self.opened)

    def returned(self) -> list[models.Seat]:
        """Whose call to this turn came back, as a report says. He could write it himself, so it counts once a gate."""
        return [
            seat
            for seat in self.missing
            if reach.call_came_back(self.session, seat, self.opened) and not _was_noted(self, seat, WAITS_FOR_RETURNED)
        ]


def look_at_every_match(
    office: "Office", now: datetime, *, anyway: bool = False, vigil: Vigil | None = None
) -> list[str]:
    """What was done, in words for the log. `anyway`: the GM says that it is all right if many have missed.

    Who looks again and again brings a vigil, and what it knows to be quiet is left alone.
    """
    trusted, about_the_clock = look_at_the_clock(office, now)
    if not trusted:
        return about_the_clock
    vigil = vigil or Vigil()
    with office.store.reading() as session:
        numbers = _matches_to_look_at(session, now)
        traces = traces_of(session, numbers)
    numbers = [number for number in numbers if not vigil.rests(number, traces[number], now)]
    may_miss = anyway or not _stopped(office, numbers, now)
    done = about_the_clock + ([] if may_miss else ["too many would miss their deadline: none passes"])
    for number in numbers:
        said, quiet_until = _look_at_match(office, number, now, may_miss=may_miss)
        if not said and quiet_until is not None:
            vigil.let_rest(number, traces[number], quiet_until)
        done += said
    return [*done, *close_what_is_due(office, now)]


def _matches_to_look_at(session: Session, now: datetime) -> list[int]:
    """Those with a deadline in sight, a sheet that waits or a bot. The others can wait for a letter."""
    lead = session.exec(select(func.max(models.Seat.lead_hours))).one() or 0
    horizon = now + max(timedelta(hours=lead), HOLD)
    with_bots = select(models.Seat.match_id).where(models.Seat.state == models.BOT)
    with_sheets = select(models.Sheet.match_id).where(models.Sheet.state == models.WAITING)
    matches = select(models.Match).where(
        models.Match.status == models.RUNNING,
        or_(
            col(models.Match.deadline) <= horizon,
            col(models.Match.id).in_(with_bots),
            col(models.Match.id).in_(with_sheets),
        ),
    )
    return [number_of(match) for match in session.exec(matches.order_by(col(models.Match.id))) if is_under_way(match)]


def _look_at_match(
    office: "Office", number: int, now: datetime, *, may_miss: bool
) -> tuple[list[str], datetime | None]:
    """One match in one transaction: what was done, and until when there is nothing to do if nobody touches it.

    Its trouble is told to the GM, and the others have their turn.
    """
    try:
        with office.store.writing() as session:
            done = [f"match {number}: {what}" for what in _look(session, office, number, now, may_miss=may_miss)]
            return done, None if done else _quiet_until(session, office, number, now)
    except (TheDatabaseIsBusy, TheDatabaseCannotBeWritten):
        raise
    except Exception as error:
        _tell_of_trouble(office, number, traceback.format_exc(), now)
        return [f"match {number}: {type(error).__name__}, the GM is told"], None


def _tell_of_trouble(office: "Office", number: int, trouble: str, now: datetime) -> None:
    last = trouble.strip().splitlines()[-1]
    with office.store.writing() as session:
        match = office.store.match_in(session, number)
        key = f"clock-trouble/{number}/{match.gate_number}/{last}/{now.astimezone(UTC).date()}"
        tell_gm(session, office, key, "gm-trouble", match, trouble=trouble)


def _look(session: Session, office: "Office", number: int, now: datetime, *, may_miss: bool) -> Iterator[str]:
    position = office.store.position_in(session, number)
    if position.gate is None or not is_under_way(position.match):
        return
    yield from (f"the bot of {side} has written" for side in let_bots_write(session, office, position))
    at = OpenGate(session, office, position, position.gate, now)
    if nothing_is_left_to_wait_for(session, office, position, at.gate):
        yield from _run_what_is_final(at)
        return
    _forget_old_marks(at)
    yield from _wait_for_the_absent(at)
    yield from _remind(at)
    if may_miss or not at.missing:
        yield from _let_the_deadline_pass(at)


def _run_what_is_final(at: OpenGate) -> Iterator[str]:
    """All sheets are in, and nobody holds the turn: at once, or when they have settled. A letter that was sent before
    may say otherwise, so it has to have been read."""
    moment = None if all_are_ready(at.gate, seats_of(at.session, at.match)) else at.settles
    if moment is not None and at.now < moment:
        return
    if moment is not None and not mailbox_was_read_since(at.session, moment):
        yield "all sheets are in, but the mailbox was not read since they have settled"
    else:
        yield _outcome(run_or_freeze(at.session, at.office, at.match), at)


def _outcome(run: Run | None, at: OpenGate) -> str:
    return f"ran {at.gate.id}" if run is not None else f"{at.gate.id} could not be run and is frozen"


def _quiet_until(session: Session, office: "Office", number: int, now: datetime) -> datetime | None:
    """The next reminder, end of an absence, deadline, or time by which sheets have settled; None where the deadline has
    passed, and the match is waited for."""
    position = office.store.position_in(session, number)
    deadline = position.match.deadline or now + HOLD
    if position.gate is None or now >= deadline:
        return None
    at = OpenGate(session, office, position, position.gate, now)
    reminders = [_when_to_remind(seat, at.opened, deadline) for seat in at.missing if seat.lead_hours > 0]
    returns = [seat.absent_to for seat in at.missing if seat.absent_to is not None]
    settles = at.settles or deadline
    return min(moment for moment in (deadline, settles, *reminders, *returns) if moment > now)


def next_to_settle(office: "Office", after: datetime) -> datetime | None:
    """The earliest time after this at which a sheet that waits has lain long enough. It may be for nothing to look
    then: others may be missing, or hold the turn."""
    waiting = (
        select(models.Sheet.arrived, models.Match.settle_minutes)
        .join(models.Match, col(models.Match.id) == models.Sheet.match_id)
        .where(
            models.Sheet.state == models.WAITING, models.Match.status == models.RUNNING, models.Match.settle_minutes > 0
        )
    )
    with office.store.reading() as session:
        settled = [arrived + timedelta(minutes=minutes) for arrived, minutes in session.exec(waiting)]
    return min((moment for moment in settled if moment > after), default=None)


# ------------------------------------------------------------------ before the deadline


def _forget_old_marks(at: OpenGate) -> None:
    for seat in at.missing:
        if reach.mark_has_faded(at.session, seat, at.now):
            seat.bounces = False
            at.session.add(seat)


def _remind(at: OpenGate) -> Iterator[str]:
    deadline = at.match.deadline
    if deadline is None or at.now >= deadline:
        return
    reminded = _reminded(at)
    for seat in at.missing:
        if seat.side in reminded or seat.bounces or seat.lead_hours <= 0 or _is_away(seat, at.now):
            continue
        if at.now >= _when_to_remind(seat, at.opened, deadline):
            at.office.write(at.session, letterhead.reminder_mail(at.office, at.position, seat))
            yield f"reminded {seat.side}"


def _reminded(at: OpenGate) -> set[str]:
    """The sides that have been reminded of this deadline."""
    written = select(models.Outgoing.side).where(
        models.Outgoing.match_id == at.position.match_id,
        models.Outgoing.kind == "reminder",
        models.Outgoing.expires == at.match.deadline,
    )
    return set(at.session.exec(written))


def _when_to_remind(seat: models.Seat, opened: datetime, deadline: datetime) -> datetime:
    """At his lead, but not in the first half of a short turn. A turn that began by a clock that was ahead has none."""
    lead = deadline - timedelta(hours=seat.lead_hours)
    return max(lead, opened + (deadline - opened) / 2) if opened < deadline else lead


def _is_away(seat: models.Seat, at: datetime) -> bool:
    return seat.absent_from is not None and seat.absent_to is not None and seat.absent_from <= at < seat.absent_to


def _wait_for_the_absent(at: OpenGate) -> Iterator[str]:
    """A deadline in somebody's absence moves to its end, once a gate for each seat."""
    deadline = at.match.deadline
    if deadline is None:
        return
    for seat in at.missing:
        if _is_away(seat, deadline) and not _was_noted(at, seat, WAITS_FOR_ABSENCE):
            assert seat.absent_to is not None
            later = max(at.match.deadline or deadline, min(seat.absent_to, deadline + LONGEST_ABSENCE))
            at.office.store.note(at.session, at.position.match_id, WAITS_FOR_ABSENCE, _mark(at, seat), REFEREE)
            move_deadline(at.session, at.office, at.match, later, f"{seat.side} is away", REFEREE)
            yield f"the deadline waits for {seat.side}"


def _mark(at: OpenGate, seat: models.Seat) -> str:
    return f"{at.position.occasion} {seat.side}"


def _was_noted(at: OpenGate, seat: models.Seat, act: str) -> bool:
    """Whether this was done for the seat at this gate before."""
    noted = select(models.Ledger.id).where(
        models.Ledger.match_id == at.position.match_id,
        models.Ledger.act == act,
        models.Ledger.detail == _mark(at, seat),
    )
    return at.session.exec(noted).first() is not None


# ------------------------------------------------------------------ the deadline


def _let_the_deadline_pass(at: OpenGate) -> Iterator[str]:
    moment = at.due if at.missing else at.match.deadline
    if moment is None or at.now < moment:
        return
    if not mailbox_was_read_since(at.session, moment):
        yield "the deadline has passed, but the mailbox was not read since"
    elif unreachable := at.unreachable():
        yield _hold(at, unreachable, "cannot be reached", "gm-held")
    elif returned := at.returned():
        for seat in returned:
            at.office.store.note(at.session, at.position.match_id, WAITS_FOR_RETURNED, _mark(at, seat), REFEREE)
        yield _hold(at, returned, "was called to the turn by a mail that came back", "gm-held-once")
    else:
        yield _outcome(_run_for_the_deadline(at), at)


def _hold(at: OpenGate, seats: list[models.Seat], why: str, notice: str) -> str:
    """A bounce is not a missed turn: the deadline is put off by a day, and the GM reads of it, once a gate."""
    assert at.match.deadline is not None, "only a deadline that has passed is held"
    since = max(at.match.deadline, at.now - clock_of(at.match.clock).grace)
    at.match.deadline = (since + HOLD).astimezone(UTC)
    at.session.add(at.match)
    sides = ", ".join(seat.side for seat in seats)
    at.office.store.note(at.session, at.position.match_id, "held the deadline", f"{sides} {why}", REFEREE)
    for seat in seats:
        key = f"{notice.removeprefix('gm-')}/{at.match.id}/{at.position.occasion}/{seat.side}"
        tell_gm(at.session, at.office, key, notice, at.match, seat=seat)
    return f"the deadline is held, {sides} {why}"


def _run_for_the_deadline(at: OpenGate) -> Run | None:
    """Standing orders and defaults decide for who is missing, and it is counted as a miss."""
    missing = at.missing
    run = run_or_freeze(at.session, at.office, at.match, without_missing=True)
    if run is not None:
        for seat in missing:
            _count_miss(at, seat)
    return run


def _count_miss(at: OpenGate, seat: models.Seat) -> None:
    seat.misses += 1
    at.session.add(seat)
    at.office.store.note(at.session, at.position.match_id, "missed a deadline", _mark(at, seat), REFEREE)
    if seat.misses >= MISSES_BEFORE_THE_GM_IS_TOLD:
        key = f"missed/{at.match.id}/{at.position.occasion}/{seat.side}"
        tell_gm(at.session, at.office, key, "gm-missed", at.match, seat=seat)


def thaw_and_repeat(office: "Office", number: int, now: datetime) -> Run | None:
    """Run the gate that failed again, with the sheets it had. None if it is not due, or has failed once more."""
    with office.store.writing() as session:
        match = office.store.match_in(session, number)
        thaw(session, office, match)
        position = office.store.position_in(session, number)
        if position.gate is None or not is_under_way(match):
            return None
        at = OpenGate(session, office, position, position.gate, now)
        if nothing_is_left_to_wait_for(session, office, position, at.gate):
            return run_or_freeze(session, office, match)
        is_due = at.due is not None and now >= at.due and not is_in_doubt(session, now)
        return _run_for_the_deadline(at) if is_due else None


# ------------------------------------------------------------------ all matches together


def _stopped(office: "Office", numbers: list[int], now: datetime) -> bool:
    """Whether so many players would miss at once that somebody should look first."""
    with office.store.reading() as session:
        misses = [miss for number in numbers for miss in _misses(session, office, number, now)]
        awaited = _count_awaited(session, office) if misses else 0
    return too_many_would_miss(office, awaited, misses)


def _misses(session: Session, office: "Office", number: int, now: datetime) -> list[Miss]:
    """A match that cannot be read has none: the GM hears of it when it is looked at by itself."""
    with suppress(Refusal):
        return _misses_in(session, office, office.store.match_in(session, number), now)
    return []


def _misses_in(session: Session, office: "Office", match: models.Match, now: datetime) -> list[Miss]:
    if match.deadline is None or now < match.deadline:
        return []
    position = office.store.position_in(session, number_of(match))
    if position.gate is None:
        return []
    at = OpenGate(session, office, position, position.gate, now)
    if at.due is None or now < at.due or at.unreachable() or at.returned():
        return []
    return [
        Miss(at.position.match_id, at.gate.id, seat.side)
        for seat in at.missing
        if not (_is_away(seat, match.deadline) and not _was_noted(at, seat, WAITS_FOR_ABSENCE))
    ]


def _count_awaited(session: Session, office: "Office") -> int:
    """The players whose sheets are awaited in all matches that are under way, whether they have come or not."""
    count = 0
    for match in session.exec(select(models.Match).where(models.Match.status == models.RUNNING)):
        with suppress(Refusal):
            gate = office.store.position_in(session, number_of(match)).gate if is_under_way(match) else None
            count += len(missing_seats(session, match, gate, {})) if gate is not None else 0
    return count
