"""Deadlines as dates: hours are hours, Sunday evening is Sunday evening, and clocks are changed twice a year."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.schedule import (
    TheClockIsNotUnderstood,
    clock_of,
    hours_in_words,
    moment_in_words,
    time_of_the_week,
    zone_or_utc,
)

BERLIN = {"weekly": ["Sun 20:00"], "zone": "Europe/Berlin", "least": 0}


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def deadline(clock: dict, began: str) -> datetime | None:
    return clock_of(clock).deadline_after(utc(began))


def test_no_clock_no_deadline():
    assert deadline({}, "2026-11-16T12:00") is None
    assert deadline({"grace": 12}, "2026-11-16T12:00") is None


def test_hours_are_hours_also_when_clocks_are_changed():
    assert deadline({"hours": 168}, "2026-10-20T12:00") == utc("2026-10-27T12:00")
    assert deadline({"hours": 0.5}, "2026-10-25T00:45") == utc("2026-10-25T01:15")


def test_a_zone_of_the_beginning_does_not_matter():
    began = datetime(2026, 11, 16, 12, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert clock_of({"hours": 24}).deadline_after(began) == began + timedelta(days=1)


@pytest.mark.parametrize(
    ("began", "expected"),
    [
        ("2026-11-16T12:00", "2026-11-22T19:00"),  # winter: one hour ahead of UTC
        ("2026-07-06T12:00", "2026-07-12T18:00"),  # summer: two
        ("2026-10-19T12:00", "2026-10-25T19:00"),  # the Sunday on which summer time ends
        ("2026-03-23T12:00", "2026-03-29T18:00"),  # the Sunday on which it begins
        ("2026-11-22T18:59", "2026-11-22T19:00"),
        ("2026-11-22T19:00", "2026-11-22T19:00"),
        ("2026-11-22T19:01", "2026-11-29T19:00"),
    ],
)
def test_sunday_evening_in_berlin(began, expected):
    assert deadline(BERLIN, began) == utc(expected)


def test_the_nearest_of_several_times_counts():
    clock = {"weekly": ["Wed 20:00", "Sunday 20:00"], "least": 0}
    assert deadline(clock, "2026-11-16T12:00") == utc("2026-11-18T20:00")
    assert deadline(clock, "2026-11-18T20:01") == utc("2026-11-22T20:00")
    assert clock_of(clock).in_words() == "Wed 20:00 and Sun 20:00 (UTC)"


def test_an_hour_that_does_not_exist_comes_after_the_gap():
    """On 29 March 2026 clocks in Berlin go from 2:00 to 3:00."""
    clock = {"weekly": ["Sun 02:30"], "zone": "Europe/Berlin", "least": 0}
    assert deadline(clock, "2026-03-28T12:00") == utc("2026-03-29T01:30")


def test_an_hour_that_comes_twice_counts_the_first_time():
    """On 25 October 2026 clocks in Berlin go from 3:00 back to 2:00."""
    clock = {"weekly": ["Sun 02:30"], "zone": "Europe/Berlin", "least": 0}
    assert deadline(clock, "2026-10-24T12:00") == utc("2026-10-25T00:30")
    assert deadline(clock, "2026-10-25T00:45") == utc("2026-11-01T01:30")


def test_across_the_date_line():
    clock = {"weekly": ["Mon 08:00"], "zone": "Pacific/Auckland", "least": 0}
    assert deadline(clock, "2026-11-15T12:00") == utc("2026-11-15T19:00")  # it is Monday there already


def test_a_turn_that_was_run_early_leaves_the_next_player_some_time():
    clock = {"weekly": ["Sun 20:00"]}
    assert deadline(clock, "2026-11-22T07:59") == utc("2026-11-22T20:00")
    assert deadline(clock, "2026-11-22T19:00") == utc("2026-11-29T20:00")
    assert deadline({**clock, "least": 24}, "2026-11-21T21:00") == utc("2026-11-29T20:00")


def test_every_day_of_the_week_is_a_deadline_a_day():
    clock = {"weekly": [f"{day} 20:00" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")]}
    assert deadline(clock, "2026-11-16T20:05") == utc("2026-11-17T20:00")


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]),
    st.integers(0, 6),
    st.integers(0, 23),
    st.integers(0, 59),
)
def test_the_deadline_is_ahead_within_a_week_and_reads_right_on_the_wall(began, zone, day, hour, minute):
    began = began.replace(tzinfo=UTC)
    text = f"{('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')[day]} {hour:02}:{minute:02}"
    found = clock_of({"weekly": text, "zone": zone, "least": 0}).deadline_after(began)
    assert began <= found <= began + timedelta(days=8)
    wall = found.astimezone(ZoneInfo(zone))
    assert wall.weekday() == day
    if wall.utcoffset() == (wall - timedelta(hours=2)).utcoffset():  # else the hour may not have existed
        assert (wall.hour, wall.minute) == (hour, minute)


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ({"days": 7}, "a clock has no days"),
        ({"hours": 0}, "hours of a clock cannot be 0"),
        ({"hours": -1}, "hours of a clock cannot be -1"),
        ({"hours": "168"}, "hours of a clock cannot be '168'"),
        ({"hours": True}, "hours of a clock cannot be True"),
        ({"hours": 10**9}, "hours of a clock cannot be"),
        ({"hours": float("nan")}, "hours of a clock cannot be nan"),
        ({"grace": -2}, "grace of a clock cannot be -2"),
        ({"hours": 24, "weekly": ["Sun 20:00"]}, "not both"),
        ({"weekly": ["Sun 24:00"]}, "'Sun 24:00' is not a time of the week"),
        ({"weekly": ["Sun 20:60"]}, "'Sun 20:60' is not a time of the week"),
        ({"weekly": ["Son 20:00"]}, "'Son 20:00' is not a time of the week"),
        ({"weekly": ["20:00"]}, "'20:00' is not a time of the week"),
        ({"weekly": ["Sun 20:00"], "zone": "Europe/Atlantis"}, "'Europe/Atlantis' is not a time zone"),
        ({"weekly": ["Sun 20:00"], "zone": "../../etc/passwd"}, "is not a time zone"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_with_an_example(clock, said):
    with pytest.raises(TheClockIsNotUnderstood) as refusal:
        clock_of(clock)
    assert said in refusal.value.why
    assert refusal.value.remedy


def test_words():
    assert str(time_of_the_week("sunday 8:05")) == "Sun 08:05"
    assert hours_in_words(168) == "7 days"
    assert hours_in_words(24) == "24 hours"
    assert hours_in_words(1) == "1 hour"
    assert hours_in_words(0.5) == "0.5 hours"
    assert clock_of({"hours": 168}).in_words() == "7 days after each turn"
    assert clock_of({}).in_words() == "no deadlines"
    assert moment_in_words(utc("2026-11-22T19:00"), "Europe/Berlin") == "Sunday 22 November 2026, 20:00 CET"
    assert moment_in_words(utc("2026-11-22T19:00")) == "Sunday 22 November 2026, 19:00 UTC"
    assert zone_or_utc("nowhere").key == "UTC"
