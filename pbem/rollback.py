"""Taking turns back: the game stands again as it stood, and its gate is open again.

Nothing is deleted. A turn that was taken back stays on file with who did it, when and why, and so do its sheets; it
does not count any more. Its dice key has been revealed, so whoever plays the turn again gets another one: every run
has its own link of the chain (`pbem/records/matches.py`, `link_for`). Sheets that were sent for the gate or after it
are not used again, since they were written with another future in mind; standing orders are those of the position.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlmodel import Session, col, or_, select

from engine.game import Gate, Outcome
from pbem import referee
from pbem.closing import must_not_be_closed
from pbem.post import letterhead
from pbem.records import models
from pbem.records.matches import ENDED, ended_early, number_of
from pbem.records.seats import is_played, seats_of
from pbem.records.secrecy import blanked
from pbem.records.written import under
from pbem.refusal import Refusal

if TYPE_CHECKING:
    from pbem.post.office import Office

#: What was asked for at a gate that may be another one now.
WORDS_ABOUT_A_GATE = ("GM PROCESS", "GM ROLLBACK", "CONCEDE")
LONGEST_REASON = 1000


class ThereIsNothingToTakeBack(Refusal):
    pass


class TheGameHasMovedOn(Refusal):
    pass


@dataclass(frozen=True)
class Plan:
    """Which turns would be taken back, the first one first. `to` is the last turn that still counts."""

    match: models.Match
    to: int
    turns: tuple[models.Turn, ...]
    ended: Outcome | None
    gate: Gate
    runs: int

    def in_words(self) -> str:
        """What would happen, as a part of a sentence."""
        taken = " and ".join(f"turn {turn.number} ({turn.title})" for turn in self.turns)
        undone = f"that {self.ended.how}" if self.ended else ""
        what = " and ".join(part for part in (taken, undone) if part)
        where = f"after turn {self.to}" if self.to else "at the beginning"
        return f"take back {what}, so that the game stands as it stood {where} and {self.gate.title} is open again"


@dataclass(frozen=True)
class RolledBack:
    """What was done."""

    plan: Plan
    deadline: datetime | None


def plan(session: Session, office: "Office", match: models.Match, to: int | None = None) -> Plan:
    """Left out, the last turn is taken back; or if the players ended the war, only that."""
    must_not_be_closed(match)
    ended, last = ended_early(match), match.gate_number
    to = (last if ended else last - 1) if to is None else to
    if last == 0 and ended is None:
        raise ThereIsNothingToTakeBack(f"no turn of match {match.id} has been run yet", "")
    if not 0 <= to <= (last if ended else last - 1):
        raise ThereIsNothingToTakeBack(
            f"match {match.id} cannot go back to turn {to}",
            f"{last} turns count; 0 takes back all of them, and {last - 1} the last one alone.",
        )
    numbers = range(to + 1, last + 1)
    turns = tuple(office.store.turn_in(session, number_of(match), number) for number in numbers)
    before = office.store.position_after(session, number_of(match), to)
    gate = before.game.gate(before.state)
    assert gate is not None, "a turn was run from this position, or the players ended the war in it"
    return Plan(match, to, turns, ended, gate, before.runs)


def must_be_as_seen(planned: Plan, runs: int) -> None:
    """A turn that was run between the question and the answer is not taken back unseen."""
    if planned.runs != runs:
        raise TheGameHasMovedOn("a turn has been run meanwhile, and nothing was taken back", "Look and ask again.")


def roll_back(session: Session, office: "Office", planned: Plan, why: str, who: str = referee.GM) -> RolledBack:
    """All of it in the transaction at hand, with a mail to every player."""
    match, now = planned.match, office.clock()
    why = blanked(why.strip()[:LONGEST_REASON], [seat.key for seat in seats_of(session, match) if seat.key])
    for turn in planned.turns:
        turn.taken_back, turn.taken_back_by, turn.taken_back_for = now, who, why
        session.add(turn)
    _take_sheets_back(session, planned)
    _reopen(session, planned)
    _drop_what_was_said(session, planned, now)
    session.flush()
    deadline = referee.set_deadline(session, office, match, now)
    office.store.note(session, number_of(match), "rolled back", _on_the_record(planned, why), who)
    position = office.store.position_in(session, number_of(match))
    referee.let_bots_write(session, office, position)
    for seat in seats_of(session, match):
        if is_played(seat):
            key = f"rolled-back/{match.id}/{planned.runs}/{now.isoformat()}"
            mail = letterhead.rolled_back_mail(session, office, position, seat, key, planned.turns, planned.ended, why)
            office.write(session, mail)
    return RolledBack(planned, deadline)


def _on_the_record(planned: Plan, why: str) -> str:
    runs = ", ".join(f"turn {turn.number} (run {turn.run})" for turn in planned.turns)
    parts = [f"to turn {planned.to}", f"took back {runs}" if runs else "", planned.ended.how if planned.ended else ""]
    return "; ".join(part for part in (*parts, why) if part)


def _take_sheets_back(session: Session, planned: Plan) -> None:
    """Those of the turns that do not count any more, and those that wait at a gate."""
    sealed = [one["sheet"] for turn in planned.turns for one in turn.sheets if one["sheet"] is not None]
    sheets = select(models.Sheet).where(
        models.Sheet.match_id == planned.match.id,
        or_(col(models.Sheet.id).in_(sealed), models.Sheet.state == models.WAITING),
    )
    for sheet in session.exec(sheets):
        sheet.state = models.TAKEN_BACK
        session.add(sheet)


def _reopen(session: Session, planned: Plan) -> None:
    match = planned.match
    match.gate_number, match.status, match.frozen = planned.to, models.RUNNING, ""
    match.over_since = None
    match.options = {key: value for key, value in match.options.items() if key != ENDED}
    session.add(match)
    for seat in seats_of(session, match):
        seat.ready_gate = seat.wait_gate = ""
        session.add(seat)


def _drop_what_was_said(session: Session, planned: Plan, now: datetime) -> None:
    """Reports that have not left, and votes and words about a gate that is not the same any more."""
    match_id = number_of(planned.match)
    referee.drop_reminders(session, planned.match)
    for turn in planned.turns:
        for name in (f"report/{match_id}/{turn.run}/", f"gm/over/{match_id}/{turn.run}/"):
            referee.drop_unsent(session, match_id, under(name))
    words = select(models.Word).where(models.Word.match_id == match_id, col(models.Word.used).is_(None))
    for word in session.exec(words):
        if word.act.startswith(models.VOTE) or word.act in WORDS_ABOUT_A_GATE:
            word.used = now
            session.add(word)
