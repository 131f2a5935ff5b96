"""The referee: runs a gate when its sheets are in, and keeps deadlines, pauses and seats in order.

A turn is one transaction with everything that follows from it: the sealed sheets, the new position, the report of
every seat and the next deadline. A run that fails is undone as a whole; the gate is frozen, so that it is repeated
with the same sheets once the GM has thawed it.
"""

import dataclasses
import hmac
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from sqlalchemy import ColumnElement
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from engine.game import Gate, Side
from pbem.clock.jumps import is_in_doubt, remember_if_in_doubt
from pbem.closing import when_it_is_closed
from pbem.letters.addresses import same_address
from pbem.post import letterhead
from pbem.post.notices import tell_gm, tell_others, tell_player, tell_players
from pbem.records import keys, models
from pbem.records.matches import Position, Run, missing_at, must_have, number_of
from pbem.records.seats import BOT, is_played, level_of, seats_of
from pbem.records.settled import all_are_ready
from pbem.records.sheets import is_final
from pbem.refusal import Refusal
from pbem.schedule import clock_of
from pbem.words.wording import render, sides_named

if TYPE_CHECKING:
    from pbem.post.office import Office

REFEREE = "referee"
GM = "gm"


class TheMatchIsNotFrozen(Refusal):
    pass


class ThereIsNoDeadline(Refusal):
    pass


class ThereIsNoSuchSeat(Refusal):
    pass


# ------------------------------------------------------------------ beginning a match


def begins_by_mail(office: "Office") -> Callable[[Session, models.Match], None]:
    """What is done with a new match, in its own transaction: its deadline is set, and every player is welcomed."""
    return lambda session, match: _begin(session, office, match)


def _begin(session: Session, office: "Office", match: models.Match) -> None:
    seats = seats_of(session, match)
    for seat in seats:
        seat.lead_hours = office.settings.clock.reminder_hours
        session.add(seat)
    if not match.paused:
        set_deadline(session, office, match, office.store.clock())
    position = office.store.position_in(session, number_of(match))
    for seat in filter(is_played, seats):
        office.write(session, letterhead.welcome_mail(session, office, position, seat))
    let_bots_write(session, office, position)


# ------------------------------------------------------------------ running a gate


def on_sheet(session: Session, office: "Office", match: models.Match) -> Run | None:
    """A sheet was taken, or somebody is ready: run the gate at once if nothing is left to wait for. Sheets that have to
    settle are left to the clock."""
    position = office.store.position_in(session, number_of(match))
    return run_or_freeze(session, office, match) if can_be_run(session, office, position) else None


def can_be_run(session: Session, office: "Office", position: Position) -> bool:
    gate = position.gate
    if gate is None or not is_under_way(position.match) or must_settle(session, office, position, gate):
        return False
    return nothing_is_left_to_wait_for(session, office, position, gate)


def is_under_way(match: models.Match) -> bool:
    return match.status == models.RUNNING and not match.paused and not match.frozen


def nothing_is_left_to_wait_for(session: Session, office: "Office", position: Position, gate: Gate) -> bool:
    """Every awaited seat has sent a sheet it is content with, and nobody wants to wait for the deadline."""
    waiting = office.store.waiting_in(session, position.match_id, gate)
    seats = {seat.side: seat for seat in seats_of(session, position.match)}
    if any(seat.wait_gate == gate.id for seat in seats.values()):
        return False
    return all(side in waiting and is_final(waiting[side], seats[side], gate) for side in gate.awaits)


def must_settle(session: Session, office: "Office", position: Position, gate: Gate) -> bool:
    """Whether the last sheet has to lie for a while: unless all players have said that they are ready, there is none,
    or the deadline has passed by a clock that can be trusted."""
    match, now = position.match, office.clock()
    if not match.settle_minutes or all_are_ready(gate, seats_of(session, match)):
        return False
    has_passed = match.deadline is not None and now >= match.deadline
    return not has_passed or is_in_doubt(session, now)


def run_or_freeze(
    session: Session, office: "Office", match: models.Match, *, without_missing: bool = False
) -> Run | None:
    """Run the gate; if that fails, undo all of it and nothing else of the transaction at hand."""
    try:
        with session.begin_nested():
            return run_gate(session, office, match, without_missing=without_missing)
    except DBAPIError as error:  # the database has trouble, not the turn: nothing is written, and it is tried again
        raise _first(error) from None
    except Exception:
        session.refresh(match)
        freeze(session, office, match, traceback.format_exc())
        return None


def _first(error: BaseException) -> BaseException:
    """Trouble while undoing hides the trouble that made it necessary."""
    while isinstance(error.__context__, DBAPIError):
        error = error.__context__
    return error


def run_gate(
    session: Session,
    office: "Office",
    match: models.Match,
    *,
    without_missing: bool = False,
    gate_number: int | None = None,
) -> Run:
    """Seal the sheets, run the engine, write every seat's report and set the next deadline, all in this transaction."""
    run = office.store.process_in(session, number_of(match), without_missing=without_missing, gate_number=gate_number)
    _turn_over_a_new_leaf(session, run)
    set_deadline(session, office, match, run.turn.ran_at)
    position = office.store.position_in(session, number_of(match))
    let_bots_write(session, office, position)
    _write_reports(session, office, position, run)
    if run.mended:
        tell_gm(session, office, f"mended/{match.id}/{run.turn.run}", "gm-mended", match, mended=run.mended)
    return run


def _turn_over_a_new_leaf(session: Session, run: Run) -> None:
    """What was said about the gate that has been run is done with."""
    sent = {sheet["side"] for sheet in run.turn.sheets if sheet["text"] is not None}
    for seat in seats_of(session, run.match):
        seat.ready_gate = seat.wait_gate = ""
        if seat.side in sent:
            seat.misses = 0
        session.add(seat)
    drop_reminders(session, run.match)


def drop_reminders(session: Session, match: models.Match) -> None:
    """Those that have not left yet speak of a deadline that is none any more."""
    drop_unsent(session, number_of(match), models.Outgoing.kind == "reminder")


def drop_unsent(session: Session, match_id: int, which: ColumnElement[bool] | bool) -> None:
    """Mail of a match that is not to leave any more."""
    unsent = select(models.Outgoing).where(
        which, models.Outgoing.match_id == match_id, models.Outgoing.state == models.TO_SEND
    )
    for mail in session.exec(unsent):
        mail.state = models.OVERTAKEN
        session.add(mail)


def _write_reports(session: Session, office: "Office", position: Position, run: Run) -> None:
    for seat in seats_of(session, position.match):
        if is_played(seat):
            _tell_of_the_turn(session, office, position, run, seat)
    if run.next_gate is None:
        key, when = f"over/{run.match.id}/{run.turn.run}", when_it_is_closed(office, run.match)
        tell_gm(session, office, key, "gm-over", run.match, outcome=run.outcome, when=when)


def _tell_of_the_turn(session: Session, office: "Office", position: Position, run: Run, seat: models.Seat) -> None:
    """The whole report, or a note to who gets it later, under the same key."""
    gate = run.next_gate
    if gate is None or gate.reports_to(seat.side):
        office.write(session, letterhead.report_mail(session, office, position, run.turn, seat))
        return
    key = f"report/{run.match.id}/{run.turn.run}"
    awaited = sides_named(office.side_name(run.match, side) for side in gate.awaits)
    tell_player(session, office, run.match, seat, key, "turn-run", turn=run.turn, gate=gate, awaited=awaited)


# ------------------------------------------------------------------ bots


def let_bots_write(session: Session, office: "Office", position: Position) -> list[Side]:
    """The sheets of the seats nobody plays. The same gate gets the same sheet, however often it is tried."""
    gate = position.gate
    if gate is None:
        return []
    bots = {seat.side: seat for seat in seats_of(session, position.match) if seat.state == models.BOT}
    missing = missing_at(gate, office.store.waiting_in(session, position.match_id, gate))
    return [side for side in missing if side in bots and _bot_writes(session, office, position, bots[side])]


def _bot_writes(session: Session, office: "Office", position: Position, seat: models.Seat) -> bool:
    key = hmac.digest(position.match.secret, f"bot/{position.occasion}/{seat.side}".encode(), "sha256")
    text = position.game.bot(position.view(seat.side), key, level_of(position.game, seat))
    return office.store.receive_in(session, position.match_id, seat.side, text, keep=True).kept


# ------------------------------------------------------------------ a run that failed


def freeze(session: Session, office: "Office", match: models.Match, trouble: str) -> None:
    """Nothing may change at the gate until it has been run. The players learn no more than that."""
    position = office.store.position_in(session, number_of(match))
    match.frozen = position.gate.id if position.gate else "?"
    session.add(match)
    office.store.note(session, number_of(match), "froze the match", trouble.strip().splitlines()[-1][:200], REFEREE)
    at = office.clock().astimezone(UTC).isoformat()
    tell_gm(session, office, f"frozen/{match.id}/{match.frozen}/{at}", "gm-frozen", match, trouble=trouble)
    tell_players(session, office, match, f"frozen/{match.id}/{match.frozen}", "frozen")


def thaw(session: Session, office: "Office", match: models.Match) -> None:
    """Let the gate be run again, with the sheets it had."""
    if not match.frozen:
        raise TheMatchIsNotFrozen(f"match {match.id} is not frozen", f"See: pbem status {match.id}")
    office.store.note(session, number_of(match), "thawed the match", match.frozen)
    match.frozen = ""
    session.add(match)


# ------------------------------------------------------------------ deadlines


def set_deadline(session: Session, office: "Office", match: models.Match, from_: datetime) -> datetime | None:
    """The deadline of the open gate, as the match's clock says for a gate that opened then."""
    running = match.status == models.RUNNING
    match.deadline = clock_of(match.clock).deadline_after(from_) if running else None
    session.add(match)
    remember_if_in_doubt(session, match, from_)
    return match.deadline


def move_deadline(
    session: Session, office: "Office", match: models.Match, deadline: datetime, why: str, who: str = GM
) -> None:
    """The deadline is another one now, and everybody is told."""
    match.deadline = deadline.astimezone(UTC)
    session.add(match)
    office.store.note(session, number_of(match), "moved the deadline", f"{match.deadline.isoformat()}, {why}", who)
    drop_reminders(session, match)
    key = f"deadline/{match.id}/{match.gate_number}/{match.deadline.isoformat()}"
    tell_players(session, office, match, key, "deadline", why=why)


def extend(session: Session, office: "Office", match: models.Match, hours: float, who: str = GM) -> datetime:
    """More time, from the deadline or from now, whichever is later."""
    if match.deadline is None:
        raise ThereIsNoDeadline(f"match {match.id} has no deadline that could be moved", "Set one with: pbem deadline")
    later = max(match.deadline, office.clock()) + timedelta(hours=hours)
    move_deadline(session, office, match, later, "it was extended", who)
    remember_if_in_doubt(session, match, office.clock())
    return later


def pause(session: Session, office: "Office", match: models.Match, who: str = GM) -> bool:
    """No turn is run and no deadline passes. False if it was paused already."""
    if match.paused:
        return False
    match.paused = True
    session.add(match)
    drop_reminders(session, match)
    office.store.note(session, number_of(match), "paused the match", "", who)
    tell_players(session, office, match, f"paused/{match.id}/{office.clock().isoformat()}", "paused")
    return True


def resume(session: Session, office: "Office", match: models.Match, who: str = GM) -> bool:
    """The open gate gets its whole time again, counted from now. False if it was not paused."""
    if not match.paused:
        return False
    match.paused = False
    set_deadline(session, office, match, office.clock())
    office.store.note(session, number_of(match), "resumed the match", "", who)
    tell_players(session, office, match, f"resumed/{match.id}/{office.clock().isoformat()}", "resumed")
    return True


# ------------------------------------------------------------------ seats


def seat_last_player(
    session: Session, office: "Office", match: models.Match, seat: models.Seat, address: str, name: str
) -> None:
    """A match that waited for players begins: his welcome and the news to the others name the first deadline."""
    match.paused = False
    office.store.note(session, number_of(match), "resumed the match", "all seats are taken", seat.side)
    seat_player(session, office, match, seat, address, name, "begun")


def seat_in(session: Session, match: models.Match, side: Side) -> models.Seat:
    seats = {seat.side: seat for seat in seats_of(session, match)}
    if side not in seats:
        raise ThereIsNoSuchSeat(f"match {match.id} has no side {side!r}", f"There are: {', '.join(seats)}")
    return seats[side]


def seat_left(session: Session, office: "Office", match: models.Match, seat: models.Seat) -> None:
    """Somebody gave up his seat. His key fits no more; standing orders and defaults play until the GM seats another."""
    _vacate(session, seat, models.OPEN)
    office.store.note(session, number_of(match), "gave up the seat", seat.side, seat.side)
    at = office.clock().astimezone(UTC).isoformat()
    tell_gm(session, office, f"left/{match.id}/{seat.side}/{at}", "gm-left", match, seat=seat)
    tell_others(session, office, match, seat, f"left/{match.id}/{seat.side}/{at}", "left")


def _vacate(session: Session, seat: models.Seat, state: str) -> None:
    """Whoever sat here gets no more mail of this seat, not even what was written for him already."""
    drop_unsent(session, seat.match_id, models.Outgoing.side == seat.side)
    seat.state, seat.key, seat.bot = state, "", ""
    seat.ready_gate = seat.wait_gate = ""
    seat.settle_ready = False
    seat.absent_from = seat.absent_to = None
    seat.misses, seat.bounces = 0, False
    session.add(seat)


def seat_player(
    session: Session,
    office: "Office",
    match: models.Match,
    seat: models.Seat,
    address: str,
    name: str = "",
    news: Literal["seated", "begun"] = "seated",
) -> None:
    """Who takes a seat gets a key of his own, the welcome, the last report, and the whole time for his first sheet. The
    others hear the news."""
    _thank(session, office, match, seat, successor=address)
    _vacate(session, seat, models.TAKEN)
    seat.address, seat.name, seat.key = address, name, keys.new_key()
    seat.zone, seat.lead_hours = "", office.settings.clock.reminder_hours
    office.store.note(session, number_of(match), "seated a player", f"{seat.side}: {address}")
    if match.status == models.RUNNING:
        set_deadline(session, office, match, office.clock())
    at = office.clock().astimezone(UTC).isoformat()
    _bring_up_to_date(session, office, match, seat, at)
    tell_others(session, office, match, seat, f"seated/{match.id}/{seat.side}/{at}", news)


def _thank(session: Session, office: "Office", match: models.Match, seat: models.Seat, successor: str) -> None:
    """Whoever played so far hears of it, without a key, and his calendar forgets the deadline."""
    if not is_played(seat) or same_address(seat.address, successor):
        return
    text = render("mail/replaced.txt.j2", side=office.side_name(match, seat.side), match=match)
    key = f"replaced/{match.id}/{seat.side}/{office.clock().astimezone(UTC).isoformat()}"
    subject = "Somebody else plays your side now"
    mail = letterhead.stranger_mail(office, key, "notice", seat.address, subject, text, match)
    entry = letterhead.cancelled_entry(session, office, match, seat)
    office.write(session, dataclasses.replace(mail, attachments=entry))


def _bring_up_to_date(session: Session, office: "Office", match: models.Match, seat: models.Seat, at: str) -> None:
    position = office.store.position_in(session, number_of(match))
    mails = [letterhead.welcome_mail(session, office, position, seat)]
    if match.gate_number > 0:
        turn = office.store.turn_in(session, number_of(match), match.gate_number)
        mails.append(letterhead.report_mail(session, office, position, turn, seat))
    for mail in mails:
        office.write(session, dataclasses.replace(mail, key=f"{mail.key}/{at}"))


def seat_bot(session: Session, office: "Office", match: models.Match, seat: models.Seat, level: str = "") -> None:
    """From now on a program writes this seat's sheets, one that plays as well as was said."""
    if level:
        must_have(office.store.game(match.game), BOT, level, office.store.game(match.game).traits.bots)
    _thank(session, office, match, seat, successor="")
    _vacate(session, seat, models.BOT)
    seat.bot = level
    office.store.note(session, number_of(match), "seated a bot", f"{seat.side}: {level}" if level else seat.side)
    at = office.clock().astimezone(UTC).isoformat()
    tell_others(session, office, match, seat, f"seated/{match.id}/{seat.side}/{at}", "seated")
    if is_under_way(match):
        let_bots_write(session, office, office.store.position_in(session, number_of(match)))
        on_sheet(session, office, match)


def missing_seats(
    session: Session, match: models.Match, gate: Gate, waiting: Mapping[Side, models.Sheet]
) -> list[models.Seat]:
    """The players whose sheets have not come."""
    missing = missing_at(gate, waiting)
    return [seat for seat in seats_of(session, match) if seat.side in missing and seat.state == models.TAKEN]
