"""The mails the referee writes, each made from what its reader may know and put into words by `templates/mail/`.

Every function gives a finished `Mail`; writing it is up to the caller, in the transaction of what it announces. The
key of a seat stands in its own mail and in no other.
"""

import dataclasses
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from engine.game import Gate, Outcome, Side
from pbem.games import box_of
from pbem.games.guarded import came_of
from pbem.mail.finished import parsed, text_in
from pbem.post import bulletin, situation
from pbem.post.deadline_file import deadline_file
from pbem.post.ordered import Ordered, what_came_of
from pbem.post.post import Attachment, Mail
from pbem.post.situation import Addressee, MatchTold, NewRules, Press, Settling, Situation, TurnTold
from pbem.records import models
from pbem.records.matches import Position, number_of, set_up_by
from pbem.records.seats import seats_of
from pbem.records.settled import players_awaited, settles_in
from pbem.records.sheets import leaves_doubt
from pbem.records.written import under
from pbem.schedule import clock_of, moment_in_words
from pbem.words.wording import WIDTH, render, visible

if TYPE_CHECKING:
    from pbem.post.office import Office

PRESS_MODES = ("named", "anonymous", "off")
_FRAME_OF_A_FORM = re.compile(r"\b(order)\s+(form)(?=\s*:\s*edit\b)", re.IGNORECASE)
PRESS_FROM, UNSIGNED = "Press from ", "somebody"
#: What is noted in the ledger when the deadline becomes another one.
CHANGES_OF_THE_DEADLINE = (
    "ran a gate",
    "moved the deadline",
    "held the deadline",
    "paused the match",
    "resumed the match",
    "seated a player",
    "ended the war",
    "rolled back",
)


# ------------------------------------------------------------------ what a seat may know


def situation_of(
    office: "Office",
    position: Position,
    seat: models.Seat,
    changes: int = 0,
    settling: Settling | None = None,
    *,
    unready: bool = False,
) -> Situation:
    """All that the mail of a seat is made from."""
    match, gate = position.match, position.gate
    return Situation(
        MatchTold(position.match_id, match.title, box_of(position.game), match.commitment, position.options),
        Addressee(seat.match_id, seat.side, seat.address, seat.key, seat.name, seat.lead_hours),
        office.sender,
        position.view(seat.side),
        gate,
        position.outcome,
        zone_of(office, seat),
        deadline=match.deadline,
        has_deadlines=bool(match.clock) or match.deadline is not None,
        paused=match.paused,
        frozen=bool(match.frozen),
        waits=gate is not None and seat.wait_gate == gate.id,
        unready=unready,
        settling=settling,
        changes=changes,
        footer=office.settings.referee.footer,
    )


def situation_in(session: Session, office: "Office", position: Position, seat: models.Seat) -> Situation:
    """The same, with the number that orders the entries of a calendar."""
    changes = select(func.count()).where(
        models.Ledger.match_id == position.match_id, col(models.Ledger.act).in_(CHANGES_OF_THE_DEADLINE)
    )
    counted = session.exec(changes).one()
    settling, unready = _settling(session, office, position, seat), _is_waited_for(session, office, position, seat)
    return situation_of(office, position, seat, counted, settling, unready=unready)


def _settling(
    session: Session, office: "Office", position: Position, seat: models.Seat, *, trusted: bool = True
) -> Settling | None:
    """Only what everybody may know: which sheets have come, and when."""
    match, gate = position.match, position.gate
    if gate is None or not match.settle_minutes:
        return None
    at = settles_in(session, office.store, position)
    alone = [one.side for one in players_awaited(gate, seats_of(session, match))] == [seat.side]
    return Settling(match.settle_minutes, at, at is not None and at <= office.clock(), trusted, alone)


def _is_waited_for(session: Session, office: "Office", position: Position, seat: models.Seat) -> bool:
    """Whether the turn waits for his READY, so that it is nothing to him when the sheets have settled."""
    gate = position.gate
    if gate is None or seat.side not in gate.awaits or seat.ready_gate == gate.id:
        return False
    if seat.settle_ready or not position.match.settle_minutes:
        return seat.settle_ready
    sheet = office.store.waiting_in(session, position.match_id, gate).get(seat.side)
    return sheet is not None and leaves_doubt(sheet)


def told_turn(session: Session, office: "Office", position: Position, turn: models.Turn, side: str) -> TurnTold:
    """The newest turn as a side may read it, with those that it has read no report of. `position` is the one it left.

    Messages stand below the newest turn, from as long ago as the oldest of them.
    """
    untold = _not_reported_yet(session, office, turn, side)
    before = tuple(turn_alone(session, office, position, one, side) for one in untold)
    told = turn_alone(session, office, position, turn, side)
    press = tuple(message for one in (*before, told) for message in one.press)
    return dataclasses.replace(told, before=before, press=press)


def _not_reported_yet(session: Session, office: "Office", turn: models.Turn, side: str) -> list[models.Turn]:
    """The turns before this one after which a gate opened that gave the side no whole report."""
    untold: list[models.Turn] = []
    for number in range(turn.number - 1, 0, -1):
        gate = office.store.position_after(session, turn.match_id, number).scene.gate
        if gate is None or gate.reports_to(side):
            break
        untold.insert(0, office.store.turn_in(session, turn.match_id, number))
    return untold


def turn_alone(session: Session, office: "Office", position: Position, turn: models.Turn, side: str) -> TurnTold:
    """One turn as a side may read it."""
    events = tuple(position.game.told(position.game.decode_events(turn.events), side, position.options.fog))
    before = office.store.position_after(session, turn.match_id, turn.number - 1)
    return TurnTold(
        turn.number,
        turn.title,
        turn.ran_at,
        turn.link,
        tuple((sheet["side"], sheet["digest"]) for sheet in turn.sheets),
        events,
        _own_orders(before, turn, side, events),
        _press_before(session, office, turn, side),
        str(turn.run),
        _new_rules(session, office, position, turn),
        _was_resealed(session, turn, side),
        known=before.view(side),
    )


def _new_rules(session: Session, office: "Office", position: Position, turn: models.Turn) -> NewRules | None:
    """What the turn before it that counts was run by, or the set-up made, if that is something else."""
    before = set_up_by(position.match)
    if turn.number > 1:
        before = office.store.turn_in(session, turn.match_id, turn.number - 1).rules
    return NewRules(turn.rules, before) if turn.rules != before else None


def _was_resealed(session: Session, turn: models.Turn, side: str) -> bool:
    """Whether the digest of a side's sheet is not the one that its receipt named."""
    sealed = next((sheet for sheet in turn.sheets if sheet["side"] == side and sheet["sheet"] is not None), None)
    kept = session.get(models.Sheet, sealed["sheet"]) if sealed else None
    return sealed is not None and kept is not None and kept.digest != sealed["digest"]


def _own_orders(before: Position, turn: models.Turn, side: str, told: tuple[Any, ...]) -> tuple[Ordered, ...]:
    """The side's own sheet, judged as it was before the turn."""
    text = next((sheet["text"] for sheet in turn.sheets if sheet["side"] == side), None)
    if not text:
        return ()
    reading = before.reading(side, text)
    results = came_of(before.game, reading.view, reading.sheet, told)
    return what_came_of(box_of(before.game), text, reading.sheet, reading.findings, results)


def _press_before(session: Session, office: "Office", turn: models.Turn, side: str) -> tuple[Press, ...]:
    """The messages that were passed on to a side since the turn before."""
    account = f"press/{turn.match_id}/"
    mails = select(models.Outgoing).where(
        under(account),
        models.Outgoing.side == side,
        col(models.Outgoing.created) <= turn.ran_at,
    )
    if turn.number > 1:
        earlier = office.store.turn_in(session, turn.match_id, turn.number - 1)
        mails = mails.where(col(models.Outgoing.created) > earlier.ran_at)
    return tuple(map(_press_in, session.exec(mails.order_by(col(models.Outgoing.id)))))


def _press_in(mail: models.Outgoing) -> Press:
    lines = text_in(parsed(mail.raw)).splitlines()
    sender = mail.subject.rpartition(PRESS_FROM)[2]
    return Press("" if sender == UNSIGNED else sender, mail.created, tuple(line for line in lines if line[:1] == "|"))


# ------------------------------------------------------------------ words that all mails share


def zone_of(office: "Office", seat: models.Seat | None) -> str:
    return (seat.zone if seat else "") or office.settings.clock.time_zone


def clock_time(office: "Office", at: datetime, seat: models.Seat | None = None) -> str:
    """A point in time by the player's clock."""
    return moment_in_words(at, zone_of(office, seat))


def press_mode(match: models.Match) -> str:
    return str(match.options.get("press", "named"))


def when_it_runs(
    session: Session, office: "Office", position: Position, seat: models.Seat, *, trusted: bool = True
) -> str:
    settling = _settling(session, office, position, seat, trusted=trusted)
    unready = _is_waited_for(session, office, position, seat)
    return situation.when_it_runs(situation_of(office, position, seat, settling=settling, unready=unready))


def whose_turn(office: "Office", position: Position, seat: models.Seat) -> str:
    return situation.whose_turn(situation_of(office, position, seat))


def order_form(position: Position, seat: models.Seat) -> str:
    """What a player can edit and send back; empty when the war is over."""
    gate = position.gate
    if gate is None or seat.side not in gate.awaits + gate.also_heard:
        return ""
    return situation.with_key(_form_lines(position, gate, seat.side), seat)


def _form_lines(position: Position, gate: Gate, side: Side) -> str:
    """Kept with the position: every answer that quotes a form is compared with it."""
    scene, fog, match_id = position.scene, position.options.fog, position.match_id
    return scene.text(
        ("form", match_id, side, fog), lambda: box_of(scene.game).form(match_id, scene.view(side, fog), gate, side)
    )


def _words(office: "Office", name: str, **values: Any) -> str:
    return render(f"mail/{name}.txt.j2", footer=office.settings.referee.footer, **values)


def _for_seat(
    kind: str, key: str, match: models.Match, seat: models.Seat, subject: str, text: str, **more: Any
) -> Mail:
    return Mail(key, kind, seat.address, subject, text, match, seat, **more)


# ------------------------------------------------------------------ welcome, report, reminder


def welcome_mail(session: Session, office: "Office", position: Position, seat: models.Seat) -> Mail:
    """The first mail of a seat's thread: key `welcome/<match>/<side>`."""
    match = position.match
    introduction = bulletin.Introduction(
        position.scenario, position.options, clock_of(match.clock).in_words(), press_mode(match)
    )
    return bulletin.welcome_mail(situation_in(session, office, position, seat), introduction, office.clock())


def report_mail(session: Session, office: "Office", position: Position, turn: models.Turn, seat: models.Seat) -> Mail:
    """What a turn brought, and what comes next. `position` is the one the turn left, its deadline already set.

    Key `report/<match>/<run>/<side>`.
    """
    now = situation_in(session, office, position, seat)
    return bulletin.report_mail(now, told_turn(session, office, position, turn, seat.side))


def report_owed(session: Session, office: "Office", match: models.Match, seat: models.Seat) -> Mail | None:
    """The whole report for a seat that got only a note of the last turn: players end the war, and no other comes."""
    position = office.store.position_in(session, number_of(match))
    gate = position.scene.gate
    if gate is None or gate.reports_to(seat.side) or not match.gate_number:
        return None
    turn = office.store.turn_in(session, number_of(match), match.gate_number)
    mail = report_mail(session, office, position, turn, seat)
    return dataclasses.replace(mail, key=f"{mail.key}/ended")


def report_again(
    session: Session, office: "Office", position: Position, turn: models.Turn, seat: models.Seat
) -> bulletin.Letter:
    """A report as this seat may read it; also of an earlier turn, then from the position it left."""
    now = situation_in(session, office, position, seat)
    is_newest = turn.number == position.match.gate_number
    told = (told_turn if is_newest else turn_alone)(session, office, position, turn, seat.side)
    lead = now.war.box.lead(told.events_since, told.known_at_last, now.view)
    return bulletin.report_letter(now, told, lead, is_newest=is_newest)


def rolled_back_mail(
    session: Session,
    office: "Office",
    position: Position,
    seat: models.Seat,
    key: str,
    turns: Sequence[models.Turn],
    ended: Outcome | None,
    why: str,
) -> Mail:
    """Turns were taken back, and the game stands at `position` again. It calls to a turn, so it counts as a report."""
    titles = tuple(f"Turn {turn.number}: {turn.title}" for turn in turns)
    reason = tuple(barred(why.splitlines()))
    now = situation_in(session, office, position, seat)
    return bulletin.rolled_back_mail(now, f"{key}/{seat.side}", titles, ended, reason, office.clock())


def reminder_mail(office: "Office", position: Position, seat: models.Seat) -> Mail:
    """The open gate waits for this seat's sheet until `match.deadline`."""
    now = situation_of(office, position, seat)
    assert now.deadline is not None, "only of a deadline one is reminded"
    left = max(1, round((now.deadline - office.clock()).total_seconds() / 3600))
    return bulletin.reminder_mail(now, left, position.occasion)


def deadline_entry(
    session: Session, office: "Office", match: models.Match, seat: models.Seat
) -> tuple[Attachment, ...]:
    """What tells a seat's calendar how the deadline stands."""
    position = office.store.position_in(session, number_of(match))
    return deadline_file(situation_in(session, office, position, seat), office.clock())


def cancelled_entry(
    session: Session, office: "Office", match: models.Match, seat: models.Seat
) -> tuple[Attachment, ...]:
    """What takes the deadline out of the calendar of somebody who leaves; the game goes on without him."""
    position = office.store.position_in(session, number_of(match))
    now = situation_in(session, office, position, seat)
    return deadline_file(dataclasses.replace(now, deadline=None, changes=now.changes + 1), office.clock())


# ------------------------------------------------------------------ notices, questions, refusals, answers


def notice_mail(
    office: "Office",
    key: str,
    match: models.Match,
    seat: models.Seat,
    subject: str,
    text: str,
    topic: str = "",
    attachments: tuple[Attachment, ...] = (),
) -> Mail:
    """A plain notice to a seat: a pause, a new deadline, somebody who left."""
    words = _words(office, "notice", seat=seat, text=text, is_over=match.status == models.OVER)
    return _for_seat("notice", key, match, seat, subject, words, topic=topic, attachments=attachments)


def question_mail(office: "Office", key: str, match: models.Match, seat: models.Seat, subject: str, text: str) -> Mail:
    """Something a seat is asked: it can answer by replying."""
    words = _words(office, "question", seat=seat, text=text)
    return _for_seat("question", key, match, seat, subject, words)


def refusal_mail(
    office: "Office", key: str, match: models.Match, seat: models.Seat, subject: str, text: str, last: str = ""
) -> Mail:
    """Something a seat sent could not be used. `last` is what stands below it all."""
    words = _words(office, "refusal", seat=seat, text=text, last=last)
    return _for_seat("refusal", key, match, seat, subject, words)


def press_mail(
    office: "Office", key: str, match: models.Match, seat: models.Seat, sender: str, to: str, lines: tuple[str, ...]
) -> Mail:
    """A message of another player. Each of his lines stands behind a bar, so that none can pass for the referee's."""
    name = office.side_name(match, sender) if sender else ""
    whom = "all" if to == "ALL" else office.side_name(match, to)
    words = _words(office, "press", seat=seat, sender=name, to=whom, lines=list(barred(lines)))
    subject = f"{PRESS_FROM}{name or UNSIGNED}"
    return _for_seat("press", key, match, seat, subject, words)


def barred(lines: Iterable[str]) -> Iterator[str]:
    """The words of somebody else. Quoted in an answer, no line of theirs passes for the frame of an order form."""
    for line in lines:
        harmless = _FRAME_OF_A_FORM.sub(r"\1-\2", visible(line))
        for piece in textwrap.wrap(harmless, WIDTH - 4) or [""]:
            yield f"| {piece}".rstrip()


def stranger_mail(
    office: "Office", key: str, kind: str, address: str, subject: str, text: str, match: models.Match | None = None
) -> Mail:
    """To somebody who has no seat: no key of any seat can be in it."""
    return Mail(key, kind, address, subject, _words(office, "stranger", text=text), match)
