"""The clock passes over matches in which nothing can have happened, and over no other."""

import random
from datetime import timedelta

import pytest

from pbem import referee
from pbem.clock.guards import MAILBOX_READ, TICK, beat
from pbem.clock.vigil import Vigil
from pbem.service import deadlines
from tests.postal import Watch, change, match_of, new_match, new_office, take


class Clockwork:
    """An office whose clock is looked at again and again, and which matches were looked at closely."""

    def __init__(self, directory, *, vigil: Vigil | None = None) -> None:
        self.watch, self.vigil = Watch(), vigil
        self.office = new_office(directory, self.watch)
        self.match = new_match(self.office)
        self.looked_at: list[int] = []

    def look(self, **later: float) -> list[str]:
        now = self.watch.forward(**later)
        with self.office.store.writing() as session:
            beat(session, TICK, now - timedelta(minutes=1))
            beat(session, MAILBOX_READ, now)
        return deadlines.look_at_every_match(self.office, now, anyway=True, vigil=self.vigil)


@pytest.fixture
def clock(tmp_path, monkeypatch):
    made = Clockwork(tmp_path / "war", vigil=Vigil())
    look_at_match = deadlines._look_at_match

    def noted(office, number, now, **more):
        made.looked_at.append(number)
        return look_at_match(office, number, now, **more)

    monkeypatch.setattr(deadlines, "_look_at_match", noted)
    return made


def test_between_its_reminder_and_its_deadline_a_match_rests(clock):
    assert [clock.look(days=6), clock.look(minutes=1), clock.look(hours=1), clock.look(hours=22)] == [
        ["match 1: reminded red", "match 1: reminded blue"],
        [],
        [],
        [],
    ]
    assert clock.looked_at == [1, 1]
    assert clock.look(minutes=59) == ["match 1: ran 1-red-blue"]
    assert clock.looked_at == [1, 1, 1]


@pytest.mark.parametrize(
    "touch",
    [
        lambda office: change(office, 1, "red", lead_hours=30),
        lambda office: change(office, 1, "red", wait_gate="1-red-blue"),
        lambda office: change(office, 1, clock={"hours": 168, "grace": 5}),
        lambda office: take(office, 1, "red"),
    ],
)
def test_whatever_happens_to_a_match_wakes_it(clock, touch):
    clock.look(days=6, minutes=1)
    clock.look(minutes=1)
    clock.look(minutes=1)
    assert clock.looked_at == [1, 1]
    touch(clock.office)
    clock.look(minutes=1)
    assert clock.looked_at == [1, 1, 1]


def test_another_match_does_not_wake_it(clock):
    new_match(clock.office)
    clock.look(days=6, minutes=1)
    clock.look(minutes=1)
    change(clock.office, 2, "red", lead_hours=30)
    clock.look(minutes=1)
    assert clock.looked_at == [1, 2, 1, 2, 2]


def something_happens(clockwork: Clockwork, chance: random.Random) -> None:
    """What players and GMs do to a match, by the dice."""
    office, now = clockwork.office, clockwork.watch.now
    side, hours = chance.choice(["red", "blue"]), chance.randrange(1, 200)
    absence = {"absent_from": now, "absent_to": now + timedelta(hours=hours)}
    what = chance.randrange(12)
    if match_of(office, 1).status != "running":
        return
    if what == 0:
        change(office, 1, side, lead_hours=hours)
    elif what == 1:
        change(office, 1, side, **absence)
    elif what == 2:
        change(office, 1, side, bounces=chance.random() < 0.5)
    elif what == 3:
        take(office, 1, side)
    elif what == 4:
        with office.store.writing() as session:
            referee.extend(session, office, office.store.match_in(session, 1), hours // 10 + 1)
    elif what == 5:
        change(office, 1, side, wait_gate="1-red-blue")


@pytest.mark.parametrize("seed", range(3))
def test_with_and_without_a_vigil_the_same_is_done_at_the_same_time(seed, tmp_path):
    offices = [
        Clockwork(tmp_path / "watched", vigil=Vigil()),
        Clockwork(tmp_path / "looked at"),
    ]
    dice, said = random.Random(seed), []
    for _ in range(30):
        happens, hours = dice.random(), dice.choice([0.2, 1, 5, 11, 24])
        for clockwork in offices:
            something_happens(clockwork, random.Random(happens))
        watched, looked_at = (clockwork.look(hours=hours) for clockwork in offices)
        assert watched == looked_at
        said += watched
    assert said, "something was done at all"
