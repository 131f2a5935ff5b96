"""Letters in Maildirs, from the first byte to the mail that leaves: forged ones, programs, and a process that is killed."""

import email
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.policy import SMTP
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlmodel import Session, select

from pbem.mail.maildir import deliver, entries
from pbem.post.office import Office
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.records.seats import seats_of
from pbem.referee import begins_by_mail
from pbem.settings import MaildirIn, MaildirOut, Referee, Settings
from tests.crashing import letter
from tests.postal import GM, Watch, duty_of, key_for, mails, new_match, new_office, open_office

RED, THIEF = "red@example.org", "thief@example.com"


def put(office: Office, raw: bytes, name: str) -> None:
    deliver(office.settings.inbox.path, raw, f"{name}.test")


def carried(office: Office) -> Iterator[tuple[str, bytes]]:
    """What has left, in the Maildir of each recipient."""
    for maildir in sorted(office.settings.outbox.path.glob("*")):
        for entry in sorted(entries(maildir), key=lambda one: one.name):
            yield entry.name, entry.path.read_bytes()


def recipients(office: Office) -> Counter[str]:
    return Counter(str(email.message_from_bytes(raw)["To"]) for _, raw in carried(office))


def one_pass(office: Office) -> None:
    with duty_of(office) as duty:
        assert duty.one_pass(), duty.said.getvalue()


# ------------------------------------------------------------------ killed between any two commits

TAG = f"1-red-{key_for(1, 'red')}"


def mixed_letters() -> list[bytes]:
    """Forged ones, one with the key from elsewhere, spam, talk, and a program that says the same again and again."""
    forged = [letter(number, "red", "1-red-" + "a" * 20, f"HOLD\n# {number}") for number in range(3)]
    elsewhere = letter(10, "red", TAG, "HOLD").replace(RED.encode(), THIEF.encode())
    spam = letter(11, "red", "", "Buy now.").replace(RED.encode(), b"seller@example.com")
    talk = [letter(20 + number, "red", TAG, f"Nice move number {number}.") for number in range(4)]
    again = [letter(30 + number, "red", TAG, "STATUS") for number in range(6)]
    return [*forged, elsewhere, spam, *talk, *again, letter(40, "red", TAG, "GM Are you there?")]


class IsKilled(BaseException):
    """Nothing in the program catches it."""


@contextmanager
def killed_at(moment: str, number: int) -> Iterator[list[int]]:
    """Dies before or after a commit, counted from the beginning."""
    seen: list[int] = []

    def look(_: Session) -> None:
        seen.append(1)
        if len(seen) == number:
            raise IsKilled

    event.listen(Session, moment, look)
    try:
        yield seen
    finally:
        event.remove(Session, moment, look)


def told_by(office: Office) -> tuple[list[tuple[str, str]], Counter[tuple[str, str, str]]]:
    """Every letter with its fate, and what was written to whom because of them."""
    with office.store.reading() as session:
        letters = session.exec(select(models.Letter)).all()
    fates = sorted((one.message_id, f"{one.fate}: {one.reason}") for one in letters)
    return fates, Counter((mail.key, mail.recipient, mail.state) for mail in mails(office) if "gm/held" not in mail.key)


def house(directory: Path) -> Office:
    office = new_office(directory, Watch())
    new_match(office)
    one_pass(office)
    for number, raw in enumerate(mixed_letters()):
        put(office, raw, f"{number:03}")
    return office


def test_killed_at_any_commit_everybody_is_told_once(tmp_path: Path) -> None:
    """Some commits are left out, for the sake of time; which ones differs from the first to the second moment."""
    whole = house(tmp_path / "whole")
    with killed_at("before_commit", 0) as seen:
        one_pass(whole)
    expected, count = told_by(whole), len(seen)
    assert Counter(fate.partition(":")[0] for _, fate in expected[0]) == {
        "held": 5,
        "answered": 8,
        "dropped": 2,
        "accepted": 1,
    }
    assert count > 20
    for moment, numbers in (("before_commit", range(2, count, 7)), ("after_commit", range(5, count, 7))):
        for number in numbers:
            directory = tmp_path / f"{moment}-{number}"
            office = house(directory)
            with killed_at(moment, number), pytest.raises(IsKilled), duty_of(office) as duty:
                duty.one_pass()
            office = open_office(directory, office.clock)
            one_pass(office)
            assert told_by(office) == expected, (moment, number)
            held = [mail for mail in mails(office, to=GM) if "gm/held" in mail.key]
            assert [mail.state for mail in held] in ([models.SENT], [models.SENT] * 2)
            listed = "".join(mail.raw.decode() for mail in held)
            assert [listed.count(f"\nLetter {one},") for one in (1, 2, 3, 4, 5)] in ([1] * 5, [0, 1, 1, 1, 1]), listed


# ------------------------------------------------------------------ whoever forges, and whoever floods


def test_a_flood_of_forged_letters_makes_few_mails_and_none_to_a_stranger(tmp_path: Path) -> None:
    """A hundred with a wrong key in Red's name, a hundred from elsewhere with his key, and a hundred of a stranger."""
    watch = Watch()
    office = new_office(tmp_path / "war", watch)
    new_match(office)
    one_pass(office)
    before = recipients(office)
    for number in range(100):
        put(office, letter(number, "red", "1-red-" + "b" * 20, f"HOLD\n# {number}"), f"a{number}")
        put(office, letter(200 + number, "red", TAG, "HOLD").replace(RED.encode(), THIEF.encode()), f"b{number}")
        put(office, letter(400 + number, "red", "", "Hello").replace(RED.encode(), b"victim@example.com"), f"c{number}")
        if number % 10 == 9:
            one_pass(office)
            watch.forward(minutes=3)
    watch.forward(hours=1)
    one_pass(office)
    assert recipients(office) - before == {RED: 4, GM: 2}
    with office.store.reading() as session:
        assert {one.fate for one in session.exec(select(models.Letter))} == {models.HELD}
        assert session.exec(select(models.Sheet)).all() == []
    put(office, letter(999, "red", TAG, "HOLD"), "own")
    one_pass(office)
    assert (recipients(office) - before)[RED] == 5, "the player himself is heard as ever"


# ------------------------------------------------------------------ two referees, each in the game of the other

ONE, TWO = "referee@one.example", "referee@two.example"


def referee_at(directory: Path, address: str, other: str, watch: Watch) -> Office:
    settings = Settings(
        referee=Referee(address=address, gm=(other,)),
        inbox=MaildirIn(path=directory / "in"),
        outbox=MaildirOut(path=directory / "out"),
    )
    office = new_office(directory, watch, settings=settings)
    seats = [SeatTaken("red", other), SeatTaken("blue", "blue@example.org")]
    office.store.new_match("two-hills", "at-once", seats, clock={"hours": 168}, begin=begins_by_mail(office))
    return office


def without_marks(raw: bytes) -> bytes:
    message = email.message_from_bytes(raw, policy=SMTP)
    for mark in ("Auto-Submitted", "X-Auto-Response-Suppress"):
        del message[mark]
    return message.as_bytes()


@pytest.mark.parametrize("way", [bytes, without_marks], ids=["as it is", "unmarked"])
def test_two_referees_fall_silent(tmp_path: Path, way: Callable[[bytes], bytes]) -> None:
    """For a day and more, whatever one of them mails to the other is delivered there, and somebody who knows all keys begins."""
    watch = Watch()
    offices = {ONE: referee_at(tmp_path / "one", ONE, TWO, watch), TWO: referee_at(tmp_path / "two", TWO, ONE, watch)}
    for address, office in offices.items():
        with office.store.reading() as session:
            key = next(seat.key for seat in seats_of(session, office.store.match_in(session, 1)) if seat.side == "red")
        started = letter(1, "red", f"1-red-{key}", "STATUS\nNice game!").replace(
            RED.encode(), (TWO if address == ONE else ONE).encode()
        )
        put(office, started, "first")
    seen: set[tuple[str, str]] = set()
    each_hour: list[int] = []
    for _ in range(30):
        each_hour.append(sum(_carry(offices, way, seen) for _ in range(4)))
        watch.forward(hours=1)
    assert sum(each_hour) <= (20 if way is bytes else 60)
    quiet = list(itertools.takewhile(lambda count: count == 0, reversed(each_hour)))
    assert len(quiet) >= 20, each_hour


def _carry(offices: dict[str, Office], way: Callable[[bytes], bytes], seen: set[tuple[str, str]]) -> int:
    """One pass of each, and what is new for the other."""
    count = 0
    for address, office in offices.items():
        one_pass(office)
        other = next(one for one in offices if one != address)
        for name, raw in carried(office):
            if (address, name) not in seen and str(email.message_from_bytes(raw)["To"]) == other:
                seen.add((address, name))
                put(offices[other], way(raw), f"{address}-{name}".replace("@", "."))
                count += 1
    return count
