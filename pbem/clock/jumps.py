"""What is remembered while the clock is in doubt. Whether it is, `mending.py` finds out.

A turn for which all sheets are in is run all the same, and its next deadline comes from a clock that may be wrong. Such
deadlines are remembered, to be set again when the clock is mended. So are sheets that came in the meantime: what has to
settle is reckoned from when they came.
"""

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, col, select

from pbem.clock.guards import beat
from pbem.clock.pulses import TICK, is_plausible
from pbem.records import models
from pbem.records.matches import number_of

#: So long the clock has to go on as it should before it is believed again. Of the time between two looks at most an
#: hour counts: nobody has seen what happened in a longer one.
STEADY_FOR = timedelta(hours=6)
LONGEST_SEEN = timedelta(hours=1)

JUMP = "clock jumped"
#: Before the number of a match whose deadline was set by a clock in doubt.
IN_DOUBT = "deadline in doubt/"
#: Before the number of a sheet that has to settle and came by a clock in doubt.
SHEET_IN_DOUBT = "sheet in doubt/"


@dataclass(frozen=True)
class Doubt:
    """What is known about a clock that has jumped, by its own looks."""

    since: datetime  # the first look after the last jump
    before: datetime  # the last look that was believed
    passed: timedelta = timedelta()  # since the first jump, as far as looks agree with each other
    steady: timedelta = timedelta()  # since the last jump

    def after(self, step: timedelta) -> "Doubt":
        seen = max(timedelta(), min(step, LONGEST_SEEN))
        return replace(self, passed=self.passed + step, steady=self.steady + seen)

    def is_undone(self, now: datetime) -> bool:
        """The clock is where it should be if it had never jumped."""
        return is_plausible(now - (self.before + self.passed))

    @property
    def left(self) -> timedelta:
        return max(timedelta(), STEADY_FOR - self.steady)


def doubt_in(session: Session) -> Doubt | None:
    pulse = session.get(models.Pulse, JUMP)
    if pulse is None:
        return None
    kept = json.loads(pulse.detail)
    passed, steady = (timedelta(seconds=kept[name]) for name in ("passed", "steady"))
    return Doubt(pulse.at, datetime.fromisoformat(kept["before"]), passed, steady)


def keep_doubt(session: Session, doubt: Doubt) -> None:
    kept = {
        "before": doubt.before.astimezone(UTC).isoformat(),
        "passed": doubt.passed.total_seconds(),
        "steady": doubt.steady.total_seconds(),
    }
    beat(session, JUMP, doubt.since, json.dumps(kept))


def drop_doubt(session: Session) -> None:
    pulse = session.get(models.Pulse, JUMP)
    if pulse is not None:
        session.delete(pulse)


# ------------------------------------------------------------------ deadlines of a clock in doubt


def is_in_doubt(session: Session, now: datetime) -> bool:
    """Also if the clock has jumped since the last look, and nobody has noticed it yet."""
    last = session.get(models.Pulse, TICK)
    return doubt_in(session) is not None or (last is not None and not is_plausible(now - last.at))


def remember_if_in_doubt(session: Session, match: models.Match, at: datetime) -> None:
    """The deadline of this match was reckoned from that time of the clock."""
    if match.deadline is not None and is_in_doubt(session, at):
        beat(session, f"{IN_DOUBT}{number_of(match)}", at, match.deadline.isoformat())


def take_remembered(session: Session) -> list[tuple[int, datetime, datetime]]:
    """Match, time it was reckoned from, and deadline; they are not remembered any more."""
    return [(number, at, datetime.fromisoformat(detail)) for number, at, detail in _taken(session, IN_DOUBT)]


def _taken(session: Session, named: str) -> list[tuple[int, datetime, str]]:
    pulses = session.exec(select(models.Pulse).where(col(models.Pulse.name).startswith(named))).all()
    for pulse in pulses:
        session.delete(pulse)
    return [(int(pulse.name.removeprefix(named)), pulse.at, pulse.detail) for pulse in pulses]


# ------------------------------------------------------------------ sheets of a clock in doubt


def remember_sheet_if_in_doubt(session: Session, match: models.Match, sheet: models.Sheet) -> None:
    """It came at that time of the clock, and has to settle."""
    if match.settle_minutes and is_in_doubt(session, sheet.arrived):
        beat(session, f"{SHEET_IN_DOUBT}{sheet.id}", sheet.arrived)


def take_remembered_sheets(session: Session) -> list[tuple[int, datetime]]:
    """Sheet, and when it came by that clock; they are not remembered any more."""
    return [(number, at) for number, at, _ in _taken(session, SHEET_IN_DOUBT)]
