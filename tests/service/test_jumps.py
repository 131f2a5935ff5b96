"""After a jump of the clock no deadline passes before somebody can have looked, and none is left that a wrong clock set."""

from datetime import timedelta

import pytest

from pbem.clock.guards import MAILBOX_READ, TICK, beat
from pbem.records import models
from pbem.records.replay import replay
from pbem.service.deadlines import look_at_every_match, thaw_and_repeat
from pbem.service.mending import trust_the_clock
from tests.postal import GM, change, mails, match_of, new_match, open_office, subjects, take, text_of

YEAR = timedelta(days=365)
FIVE_MINUTES = timedelta(minutes=5)


@pytest.fixture
def match(office) -> int:
    return new_match(office)


def look(office) -> list[str]:
    """As a pass does it: the mailbox has just been read."""
    with office.store.writing() as session:
        beat(session, MAILBOX_READ, office.clock())
    return look_at_every_match(office, office.clock())


def turns(office, match: int) -> int:
    return match_of(office, match).gate_number


def deadline(office, match: int):
    return match_of(office, match).deadline


def jump(office, watch, by: timedelta) -> list[str]:
    watch.now += by
    return look(office)


def steady(office, watch, how_long: timedelta, every: timedelta = FIVE_MINUTES) -> list[str]:
    """The clock goes on as it should; what is said about it."""
    said: list[str] = []
    until = watch.now + how_long
    while watch.now < until:
        watch.now = min(until, watch.now + every)
        said += look(office)
    return said


def has_jumped(said: list[str]) -> bool:
    return said == ["the clock has jumped: no deadline passes before it is trusted again, see: pbem clock"]


# ------------------------------------------------------------------ deadlines are held


@pytest.mark.parametrize("by", [-timedelta(days=1), -timedelta(minutes=3), timedelta(days=1, minutes=1), YEAR])
def test_after_a_jump_no_deadline_passes_for_six_hours(office, match, watch, by):
    look(office)
    change(office, match, deadline=watch.now + by - timedelta(minutes=1))
    assert has_jumped(jump(office, watch, by))
    assert steady(office, watch, timedelta(hours=6) - FIVE_MINUTES) == []
    assert turns(office, match) == 0
    assert subjects(office, to=GM) == ["The clock has jumped, no deadline passes for now"]
    said = steady(office, watch, FIVE_MINUTES)
    assert said[0] == "the clock is trusted again: it has been steady for six hours"
    assert "ran" in said[1]
    assert len(mails(office, to=GM)) == 2


def test_nobody_is_reminded_of_a_deadline_that_is_held(office, match, watch):
    look(office)
    change(office, match, deadline=watch.now + YEAR + timedelta(hours=10))
    jump(office, watch, YEAR)
    steady(office, watch, timedelta(hours=5))
    assert mails(office, "reminder") == []
    steady(office, watch, timedelta(hours=1))
    assert len(mails(office, "reminder")) == 2


@pytest.mark.parametrize("noticed", [True, False])
def test_the_gm_can_say_that_the_clock_is_right(office, match, watch, noticed):
    """The machine was off for two weeks. He may say so before the referee has looked."""
    look(office)
    watch.now += timedelta(days=14)
    if noticed:
        assert has_jumped(look(office))
        assert "pbem clock --trust" in text_of(mails(office, to=GM)[0])
    assert trust_the_clock(office, watch.now) == ["the clock is trusted again: the GM says so"]
    assert "ran" in look(office)[0]
    assert trust_the_clock(office, watch.now) == []


def test_a_second_jump_begins_the_six_hours_anew(office, match, watch):
    look(office)
    change(office, match, deadline=watch.now)
    jump(office, watch, YEAR)
    steady(office, watch, timedelta(hours=5))
    assert has_jumped(jump(office, watch, YEAR))
    assert steady(office, watch, timedelta(hours=5)) == []
    assert "trusted again" in steady(office, watch, timedelta(hours=1))[0]
    assert subjects(office, to=GM).count("The clock has jumped, no deadline passes for now") == 2


def test_time_in_which_nobody_looked_is_not_steady(office, match, watch):
    """Six looks in three days are six hours at most."""
    look(office)
    change(office, match, deadline=watch.now)
    jump(office, watch, YEAR)
    assert steady(office, watch, timedelta(hours=60), every=timedelta(hours=12)) == []
    assert "trusted again" in steady(office, watch, timedelta(hours=12), every=timedelta(hours=12))[0]


def test_the_doubt_outlives_the_process(office, match, watch):
    look(office)
    change(office, match, deadline=watch.now)
    jump(office, watch, YEAR)
    again = open_office(office.store.directory, watch, settings=office.settings)
    assert steady(again, watch, timedelta(hours=5)) == []
    assert turns(again, match) == 0


def test_a_frozen_turn_is_not_run_for_a_deadline_of_a_clock_in_doubt(office, match, watch):
    look(office)
    change(office, match, frozen="1-red-blue", deadline=watch.now + timedelta(days=1))
    watch.now += YEAR
    assert thaw_and_repeat(office, match, watch.now) is None
    assert turns(office, match) == 0


# ------------------------------------------------------------------ deadlines are set again


def run_a_turn(office, match: int) -> None:
    for side in ("red", "blue"):
        take(office, match, side)
    assert turns(office, match) == 1


@pytest.mark.parametrize("by", [YEAR, -YEAR, timedelta(days=40), -timedelta(days=40)])
@pytest.mark.parametrize("noticed", [True, False])
def test_a_deadline_that_a_wrong_clock_has_set_is_set_again_when_it_is_mended(office, match, watch, by, noticed):
    """All sheets are in, so the turn is run; perhaps before the referee has looked at the clock."""
    look(office)
    watch.now += by
    if noticed:
        assert has_jumped(look(office))
    run_a_turn(office, match)
    assert deadline(office, match) == watch.now + timedelta(days=7)
    if not noticed:
        assert has_jumped(look(office))
    steady(office, watch, timedelta(hours=1))
    said = jump(office, watch, FIVE_MINUTES - by)
    assert said == [
        "the clock is trusted again: it is back where it should be",
        f"match {match}: the deadline is set again",
    ]
    assert deadline(office, match) == watch.now + timedelta(days=7)
    assert "clock was wrong" in text_of(mails(office, "notice", to="red@")[-1])
    assert "the deadline is set again" in text_of(mails(office, to=GM)[-1])
    assert steady(office, watch, timedelta(days=1)) == []
    assert replay(office.store, match)[-1].difference is None


@pytest.mark.parametrize("by", [YEAR, -YEAR])
def test_who_has_not_played_meanwhile_keeps_his_deadline(office, match, watch, by):
    look(office)
    before = deadline(office, match)
    jump(office, watch, by)
    assert jump(office, watch, FIVE_MINUTES - by) == ["the clock is trusted again: it is back where it should be"]
    assert deadline(office, match) == before
    assert mails(office, "notice", to="red@") == []


def test_a_wrong_clock_that_was_believed_at_last_is_mended_all_the_same(office, match, watch):
    """Nobody looked for six hours, a turn was run, and then the clock was set right."""
    look(office)
    jump(office, watch, YEAR)
    steady(office, watch, timedelta(hours=7))
    assert turns(office, match) == 1
    assert deadline(office, match) > watch.now
    assert has_jumped(jump(office, watch, -YEAR))
    said = trust_the_clock(office, watch.now)
    assert said == ["the clock is trusted again: the GM says so", f"match {match}: the deadline is set again"]
    assert deadline(office, match) == watch.now + timedelta(days=7)
    steady(office, watch, timedelta(days=6, hours=1), every=timedelta(hours=1))
    assert len(mails(office, "reminder")) == 2, "although its turn began next year"


def test_a_deadline_that_the_clock_rightly_set_after_a_long_time_off_stays(office, match, watch):
    """The machine was off for two weeks, and the sheets lay in the mailbox."""
    look(office)
    watch.now += timedelta(days=14)
    run_a_turn(office, match)
    jump(office, watch, FIVE_MINUTES)
    set_then = deadline(office, match)
    assert steady(office, watch, timedelta(hours=6)) == ["the clock is trusted again: it has been steady for six hours"]
    assert deadline(office, match) == set_then


def test_a_deadline_that_somebody_has_moved_since_is_his_will(office, match, watch):
    look(office)
    jump(office, watch, YEAR)
    run_a_turn(office, match)
    wanted = watch.now - YEAR + timedelta(days=3)
    change(office, match, deadline=wanted)
    jump(office, watch, FIVE_MINUTES - YEAR)
    assert deadline(office, match) == wanted


def test_a_jump_to_and_fro_between_two_looks_is_mended_too(office, match, watch):
    look(office)
    watch.now += YEAR
    run_a_turn(office, match)
    assert jump(office, watch, FIVE_MINUTES - YEAR) == [f"match {match}: the deadline is set again"]
    assert deadline(office, match) == watch.now + timedelta(days=7)


def test_that_the_mailbox_was_read_next_year_proves_nothing(office, match, watch):
    look(office)
    change(office, match, deadline=watch.now)
    jump(office, watch, YEAR)
    watch.now += FIVE_MINUTES - YEAR
    said = look_at_every_match(office, watch.now)
    assert said[-1] == f"match {match}: the deadline has passed, but the mailbox was not read since"


def test_mail_that_was_put_off_until_next_year_leaves_now(office, match, watch):
    look(office)
    jump(office, watch, YEAR)
    run_a_turn(office, match)
    with office.store.writing() as session:
        for mail in mails(office, "report"):
            mail.next_try = watch.now + timedelta(hours=6)
            session.add(mail)
    jump(office, watch, FIVE_MINUTES - YEAR)
    assert {mail.next_try for mail in mails(office, "report", state=models.TO_SEND)} == {watch.now}


def test_the_first_look_of_all_is_no_jump(office, match, watch):
    with office.store.reading() as session:
        assert session.get(models.Pulse, TICK) is None
    watch.now = deadline(office, match)
    assert "ran" in look(office)[0]
