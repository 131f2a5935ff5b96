"""Date arithmetic of deadlines. A match keeps its clock as plain data; nothing here asks what time it is.

{"hours": 168}                                          so long after the last turn
{"weekly": ["Sun 20:00"], "zone": "Europe/Berlin"}      at these times of the week, by the clocks on the wall there
{"grace": 12}                                           besides: hours after the deadline before a turn is run anyway
{"least": 12}                                           besides: hours a player has at least
{}                                                      no deadline
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.refusal import Refusal

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
KNOWN = frozenset({"hours", "weekly", "zone", "grace", "least"})
LONGEST_IN_HOURS = 24 * 366
#: With weekly deadlines, a turn that was run early does not leave the next player with an hour.
LEAST_HOURS_OF_A_WEEKLY_TURN = 12
EXAMPLE = 'For example {"hours": 168} or {"weekly": ["Sun 20:00"], "zone": "Europe/Berlin"}.'

_TIME_OF_THE_WEEK = re.compile(r"(?P<day>[A-Za-z]{3})[a-z]* +(?P<hour>\d{1,2}):(?P<minute>\d{2})")


class TheClockIsNotUnderstood(Refusal):
    pass


@dataclass(frozen=True, order=True)
class TimeOfTheWeek:
    day: int  # Monday is 0
    hour: int
    minute: int

    def __str__(self) -> str:
        return f"{DAYS[self.day]} {self.hour:02}:{self.minute:02}"

    def first_not_before(self, earliest: datetime, zone: ZoneInfo) -> datetime:
        """By the clocks on the wall. An hour that is skipped in spring is taken after the gap, one that comes twice
        in autumn the first time."""
        local = earliest.astimezone(zone)
        for days in range(9):
            day = local.date() + timedelta(days=days)
            if day.weekday() == self.day:
                wall = datetime(day.year, day.month, day.day, self.hour, self.minute, tzinfo=zone)
                moment = wall.astimezone(UTC)
                if moment >= earliest:
                    return moment
        raise AssertionError("every time of the week comes within nine days")


@dataclass(frozen=True)
class Clock:
    """How the deadlines of a match are set. Neither hours nor weekly: there are none."""

    hours: float | None = None
    weekly: tuple[TimeOfTheWeek, ...] = ()
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    grace: timedelta = timedelta(0)
    least: timedelta = timedelta(0)

    def deadline_after(self, began: datetime) -> datetime | None:
        """The deadline of a gate that opened then."""
        if self.hours is not None:
            return began.astimezone(UTC) + timedelta(hours=self.hours)
        earliest = began.astimezone(UTC) + self.least
        return min((each.first_not_before(earliest, self.zone) for each in self.weekly), default=None)

    def in_words(self) -> str:
        """As the players know it: without the grace."""
        if self.hours is not None:
            return f"{hours_in_words(self.hours)} after each turn"
        if self.weekly:
            return f"{' and '.join(map(str, self.weekly))} ({self.zone.key})"
        return "no deadlines"

    def in_full(self) -> str:
        """As the GM knows it."""
        hours = self.grace.total_seconds() / 3600
        return f"{self.in_words()}, grace {hours_in_words(hours)}" if hours else self.in_words()


def clock_of(facts: Mapping[str, Any]) -> Clock:
    """A match's clock, checked."""
    unknown = sorted(set(facts) - KNOWN)
    if unknown:
        raise TheClockIsNotUnderstood(f"a clock has no {', '.join(unknown)}", EXAMPLE)
    weekly = tuple(sorted({time_of_the_week(text) for text in _listed(facts.get("weekly", ()))}))
    if weekly and "hours" in facts:
        raise TheClockIsNotUnderstood("a clock counts hours or names times of the week, not both", EXAMPLE)
    return Clock(
        hours=None if "hours" not in facts else _hours(facts, "hours", least=0.01),
        weekly=weekly,
        zone=zone_named(str(facts.get("zone", "UTC"))),
        grace=timedelta(hours=_hours(facts, "grace")),
        least=timedelta(hours=_hours(facts, "least", default=LEAST_HOURS_OF_A_WEEKLY_TURN)),
    )


def _listed(given: Any) -> Iterable[str]:
    return (given,) if isinstance(given, str) else tuple(map(str, given))


def _hours(facts: Mapping[str, Any], name: str, *, default: float = 0, least: float = 0) -> float:
    value = facts.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= LONGEST_IN_HOURS:
        raise TheClockIsNotUnderstood(f"{name} of a clock cannot be {value!r}", f"Give it hours. {EXAMPLE}")
    return float(value)


def time_of_the_week(text: str) -> TimeOfTheWeek:
    """`Sun 20:00` or `Sunday 20:00`."""
    found = _TIME_OF_THE_WEEK.fullmatch(text.strip())
    day = found["day"].capitalize() if found else ""
    if found is None or day not in DAYS or int(found["hour"]) > 23 or int(found["minute"]) > 59:
        raise TheClockIsNotUnderstood(f"{text!r} is not a time of the week", "Write it as: Sun 20:00")
    return TimeOfTheWeek(DAYS.index(day), int(found["hour"]), int(found["minute"]))


def zone_named(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError) as error:
        raise TheClockIsNotUnderstood(
            f"{name!r} is not a time zone", "Give a name such as Europe/Berlin, America/New_York or UTC."
        ) from error


def zone_or_utc(name: str) -> ZoneInfo:
    """The zone a player reads clocks in, if it is one."""
    try:
        return zone_named(name or "UTC")
    except TheClockIsNotUnderstood:
        return ZoneInfo("UTC")


# ------------------------------------------------------------------ in words


def hours_in_words(hours: float) -> str:
    if hours >= 48 and hours % 24 == 0:
        return f"{hours / 24:g} days"
    return f"{hours:g} hour{'' if hours == 1 else 's'}"


def minutes_in_words(minutes: int) -> str:
    if minutes >= 60 and minutes % 60 == 0:
        return hours_in_words(minutes / 60)
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def moment_in_words(at: datetime, zone: str = "") -> str:
    """`Sunday 22 November 2026, 20:00 CET`."""
    local = at.astimezone(zone_or_utc(zone))
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M %Z}"
