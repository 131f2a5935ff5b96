"""Sheets that settle, as the service sees it: it wakes for the moment, may be killed in it, and the clock may jump in it."""

import os
import random
import signal
import time
from datetime import timedelta

import pytest

from pbem.clock.guards import MAILBOX_READ, beat
from pbem.mail.maildir import make_maildir
from pbem.records import models
from pbem.records.replay import replay
from pbem.records.store import create_store
from pbem.service.daemon import LONGEST_WAIT, SETTLED_AFTER
from pbem.service.deadlines import look_at_every_match
from pbem.service.mending import trust_the_clock
from tests.crashing import FastClock, Postbox, in_a_child, letter, open_office, warm_up
from tests.letterbox import Letterbox, new_letterbox
from tests.postal import START, change, duty_of, key_for, match_of, new_match, take
from tests.reading import flat

FIVE_MINUTES = timedelta(minutes=5)
YEAR = timedelta(days=365)


def turns(office, match: int = 1) -> int:
    return match_of(office, match).gate_number


# ------------------------------------------------------------------ the daemon wakes for it


class Mailbox:
    """An empty mailbox: whoever waits for a letter lets that time pass, and it is noted."""

    def __init__(self, watch) -> None:
        self.watch, self.waited = watch, []

    def fetch(self, most):
        return []

    def wait(self, seconds):
        self.waited.append(seconds)
        self.watch.forward(seconds=seconds)
        return False

    def file_away(self, places, where): ...

    def close(self): ...


def settling_match(office) -> int:
    number = new_match(office)
    change(office, number, settle_minutes=30)
    return number


def test_the_daemon_waits_no_longer_than_until_a_sheet_has_settled(office, watch):
    make_maildir(office.settings.inbox.path)
    settling_match(office)
    mailbox = Mailbox(watch)
    with duty_of(office, _inbox=mailbox, look_every=50.0) as duty:
        assert duty.one_pass()
        take(office, 1, "red")
        take(office, 1, "blue")
        watch.forward(minutes=29, seconds=20)
        assert duty.one_pass()
        assert duty.wait()
        assert mailbox.waited == [40 + SETTLED_AFTER]
        assert turns(office) == 0
        assert duty.one_pass(), "although it has looked at the clock just now"
        assert turns(office) == 1
        assert duty.wait()
        assert mailbox.waited[-1] == LONGEST_WAIT
    assert 'info "match 1: ran 1-red-blue"' in duty.said.getvalue()


def test_it_is_not_kept_awake_by_a_turn_that_is_held(office, watch):
    make_maildir(office.settings.inbox.path)
    settling_match(office)
    change(office, 1, "red", wait_gate="1-red-blue")
    take(office, 1, "red")
    take(office, 1, "blue")
    watch.forward(minutes=31)
    mailbox = Mailbox(watch)
    with duty_of(office, _inbox=mailbox) as duty:
        for _ in range(3):
            assert duty.one_pass()
            assert duty.wait()
    assert mailbox.waited == [LONGEST_WAIT] * 3
    assert turns(office) == 0


# ------------------------------------------------------------------ killed in it


KILLS = 10


def in_peace(office) -> None:
    """One pass of a child that is not killed."""
    office.store.engine.dispose()
    _, status = os.waitpid(in_a_child(office, 1), 0)
    assert status == 0, (office.store.directory / "crash").read_text()


@pytest.mark.parametrize("seed", [1941, 1942])
def test_killed_again_and_again_while_sheets_settle(seed, tmp_path):
    """Time runs 3600 times as fast: two hours are two seconds. Each child knows nothing of those before it."""
    chance, clock = random.Random(seed), FastClock()
    create_store(tmp_path / "war")
    office = open_office(tmp_path / "war", clock)
    new_match(office)
    change(office, 1, settle_minutes=120)
    words = [("red", "STATUS")] * 7 + [("red", "HOLD"), ("blue", "HOLD")]
    postbox = Postbox(
        office, [letter(n, who, f"1-{who}-{key_for(1, who)}", text) for n, (who, text) in enumerate(words)]
    )
    pass_time = warm_up(office, postbox)
    postbox.drop(len(words))
    in_peace(office)
    for _ in range(KILLS):
        child = in_a_child(office, -1)
        time.sleep(chance.uniform(0, 1.6 * pass_time))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), (tmp_path / "war" / "crash").read_text()
    until = time.monotonic() + 60
    while turns(office) == 0 and time.monotonic() < until:
        in_peace(office)
    (turn,) = office.store.turns_of(1)
    with office.store.reading() as session:
        arrived = [session.get(models.Sheet, sheet["sheet"]).arrived for sheet in turn.sheets]
    assert turn.ran_at >= max(arrived) + timedelta(hours=2)
    assert [step.difference for step in replay(office.store, 1)] == [None, None]


# ------------------------------------------------------------------ the clock jumps in it


@pytest.fixture
def box(tmp_path) -> Letterbox:
    box = new_letterbox(tmp_path / "war", settle_minutes=30)
    look(box)
    return box


def look(box: Letterbox) -> list[str]:
    """As a pass does it: the mailbox has just been read."""
    with box.office.store.writing() as session:
        beat(session, MAILBOX_READ, box.watch.now)
    return look_at_every_match(box.office, box.watch.now)


def later(box: Letterbox, by: timedelta) -> list[str]:
    box.watch.now += by
    return look(box)


def both_send(box: Letterbox) -> None:
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")


@pytest.mark.parametrize("by", [YEAR, -YEAR])
def test_by_a_clock_in_doubt_no_sheet_settles(box, by):
    both_send(box)
    assert "the clock has jumped" in later(box, FIVE_MINUTES + by)[0]
    for _ in range(12):
        assert later(box, FIVE_MINUTES) == []
    assert turns(box.office) == 0
    said = later(box, FIVE_MINUTES - by)
    assert said == ["the clock is trusted again: it is back where it should be", "match 1: ran 1-red-blue"]
    assert replay(box.office.store, 1)[-1].difference is None


@pytest.mark.parametrize("by", [YEAR, -YEAR, timedelta(days=10), -timedelta(days=2)])
@pytest.mark.parametrize("noticed", [True, False])
def test_sheets_that_a_wrong_clock_has_dated_settle_when_it_is_mended(box, by, noticed):
    """The deadline seems to have passed, or the sheets to have come next year, or long ago."""
    box.watch.now += by
    if noticed:
        look(box)
    both_send(box)
    assert turns(box.office) == 0
    box.watch.now += FIVE_MINUTES - by
    assert "ran" not in " ".join(look(box))
    mended = box.watch.now
    assert [sheet.arrived for sheet in box.sheets()] == [mended, mended]
    assert later(box, timedelta(minutes=29)) == []
    assert later(box, timedelta(minutes=1)) == ["match 1: ran 1-red-blue"]


def test_what_came_before_the_jump_keeps_its_time(box):
    both_send(box)
    later(box, FIVE_MINUTES + YEAR)
    later(box, FIVE_MINUTES - YEAR)
    assert [sheet.arrived for sheet in box.sheets()] == [START, START]
    assert later(box, timedelta(minutes=19)) == []
    assert later(box, timedelta(minutes=1)) == ["match 1: ran 1-red-blue"]


def test_a_clock_that_is_believed_although_it_went_back_finds_no_sheet_of_tomorrow(box):
    both_send(box)
    box.watch.now -= YEAR
    look(box)
    assert trust_the_clock(box.office, box.watch.now)[0] == "the clock is trusted again: the GM says so"
    assert later(box, timedelta(minutes=29)) == []
    assert "match 1: ran 1-red-blue" in later(box, timedelta(minutes=1))


def test_meanwhile_ready_of_all_runs_the_turn_and_the_receipt_says_so(box):
    box.play("red", "TAKE north")
    later(box, FIVE_MINUTES + YEAR)
    text = flat(box.answer("blue", "TAKE south"))
    assert (
        "The turn is run when the referee can trust his clock again. READY of everybody who is awaited runs it" in text
    )
    box.play("red", "READY")
    assert turns(box.office) == 0
    box.play("blue", "READY")
    assert turns(box.office) == 1
