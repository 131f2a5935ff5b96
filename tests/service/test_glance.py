"""A tick sees at a glance that there is nothing to do, notes it as the whole tick would, and is never mistaken."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.mail.maildir import deliver
from pbem.records import models
from pbem.records.database import database_in
from pbem.records.marks import lay_mark, mark_in
from pbem.records.papers import HELD_LETTERS
from pbem.service import deadlines
from pbem.service.glance import HOLD, nothing_to_do
from pbem.service.lock import only_one
from pbem.settings import SmtpOut
from tests.postal import Watch, change, duty_of, new_match, new_office, open_office, take

LETTER = b"From: stranger@example.net\r\nTo: referee@example.org\r\nMessage-ID: <1@example.net>\r\n\r\nHello.\r\n"


class House:
    """A referee's office where nothing is left to do, and the clock is ten minutes on."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.watch = directory, Watch()
        self.office = new_office(directory, self.watch)
        self.match = new_match(self.office)
        self.tick()
        self.watch.forward(minutes=10)

    def tick(self) -> None:
        with duty_of(self.office) as duty:
            assert duty.one_tick()

    def glance(self) -> bool:
        return nothing_to_do(self.directory, self.watch(), lambda _: None)

    def says(self, statement: str, *values: object) -> None:
        with closing(sqlite3.connect(database_in(self.directory))) as database, database:
            assert database.execute(statement, values).rowcount > 0

    def write(self, state: str, **moments: timedelta) -> None:
        """A mail in the outbox."""
        now = self.watch()
        mail = models.Outgoing(
            key="key", kind="notice", recipient="red@example.org", message_id="<1@x>", subject="", raw=b"",
            created=now, next_try=now + moments.get("next_try", timedelta(days=1)), state=state,
            expires=now + moments["expires"] if "expires" in moments else None,
        )  # fmt: skip
        with self.office.store.writing() as session:
            session.add(mail)
            session.flush()
            session.add(models.Sketch(outgoing_id=mail.id, source=b""))


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "war")


def everything_in(directory: Path) -> list[str]:
    with closing(sqlite3.connect(database_in(directory))) as database:
        return list(database.iterdump())


def test_a_quiet_tick_leaves_the_same_as_a_whole_one(house: House, tmp_path: Path) -> None:
    before = everything_in(house.directory)
    copy = tmp_path / "copy"
    shutil.copytree(house.directory, copy)
    assert house.glance()
    with duty_of(open_office(copy, house.watch)) as duty:
        assert duty.one_tick()
    assert everything_in(house.directory) == everything_in(copy) != before


def test_what_the_whole_tick_looks_at_closely_a_glance_does_not_judge() -> None:
    assert HOLD == deadlines.HOLD


def put_into(part: str) -> Callable[[House], None]:
    def put(house: House) -> None:
        maildir = house.office.settings.inbox.path
        deliver(maildir, LETTER, "1.test")
        (maildir / "new" / "1.test").rename(maildir / part / "1.test")

    return put


def an_old_letter(fate: str, *, filed: bool) -> Callable[[House], None]:
    def lay(house: House) -> None:
        letter = models.Letter(
            place="1", raw=b"", raw_digest="", arrived=house.watch(), settled=house.watch(), fate=fate, filed=filed
        )
        with house.office.store.writing() as session:
            session.add(letter)

    return lay


def over(ago: timedelta) -> Callable[[House], None]:
    return lambda house: change(house.office, 1, status=models.OVER, over_since=house.watch() - ago, deadline=None)


def settings_end_in(text: str) -> Callable[[House], None]:
    def write(house: House) -> None:
        (house.directory / "settings.yaml").write_text(text)

    return write


BUSY: dict[str, Callable[[House], object]] = {
    "a new letter": put_into("new"),
    "a letter a mail program has seen": put_into("cur"),
    "a letter without a fate": an_old_letter(models.ARRIVED, filed=False),
    "a letter that is not filed": an_old_letter(models.ANSWERED, filed=False),
    "a held letter nobody was told of": lambda house: house.says("INSERT INTO papers VALUES (?, '{}')", HELD_LETTERS),
    "mail that is due": lambda house: house.write(models.TO_SEND, next_try=timedelta()),
    "mail that has expired": lambda house: house.write(models.TO_SEND, expires=timedelta()),
    "a sketch of a mail that has left": lambda house: house.write(models.SENT),
    "a deadline that is near": lambda house: change(house.office, 1, deadline=house.watch() + HOLD),
    "a deadline that has passed": lambda house: change(house.office, 1, deadline=house.watch() - HOLD),
    "a reminder long before": lambda house: change(house.office, 1, "red", lead_hours=24 * 7),
    "a sheet that waits": lambda house: take(house.office, 1, "red"),
    "a bot": lambda house: change(house.office, 1, "red", state=models.BOT),
    "a war to be closed": over(timedelta(hours=48)),
    "a clock that jumped ahead": lambda house: house.watch.forward(days=2),
    "a clock that went back": lambda house: house.watch.forward(hours=-1),
    "a clock in doubt": lambda house: house.says("INSERT INTO pulses VALUES ('clock jumped', '', '')"),
    "a deadline in doubt": lambda house: house.says("INSERT INTO pulses VALUES ('deadline in doubt/1', '', '')"),
    "a clock nobody has looked at": lambda house: house.says("DELETE FROM pulses WHERE name = 'tick'"),
    "a mailbox nobody has read": lambda house: house.says("DELETE FROM pulses WHERE name = 'mailbox read'"),
    "another day": lambda house: house.watch.forward(hours=13),  # letters of strangers are looked through
    "tables of before": lambda house: house.says("UPDATE alembic_version SET version_num = '0001'"),
    "tables of another program": lambda house: house.says("UPDATE alembic_version SET version_num = '9999'"),
    "a directory that was not introduced": lambda house: house.says("DELETE FROM papers WHERE name = 'laid down'"),
    "another mailbox": lambda house: house.says("UPDATE papers SET value = replace(value, '/in', '/on')"),
    "a mailbox not on record": lambda house: house.says("DELETE FROM papers WHERE name = 'mailbox'"),
    "no identity": lambda house: house.says("DELETE FROM papers WHERE name = 'identity'"),
    "no mark": lambda house: mark_in(house.directory).unlink(),
    "another mark": lambda house: lay_mark(house.directory, "f" * 32),
    "no mark in the Maildir": lambda house: mark_in(house.office.settings.inbox.path).unlink(),
    "another Maildir": lambda house: lay_mark(house.office.settings.inbox.path, "f" * 32),
    "no Maildir": lambda house: shutil.rmtree(house.office.settings.inbox.path),
    "no settings": lambda house: (house.directory / "settings.yaml").unlink(),
    "wrong settings": settings_end_in("inbox: 7\n"),
    "an account": settings_end_in("inbox: {kind: imap, host: mail.example.org, user: x}\n"),
    "no password": settings_end_in("outbox: {kind: smtp, host: mail.example.org, user: x}\n"),
}


@pytest.mark.parametrize("busy", BUSY.values(), ids=BUSY.keys())
def test_a_glance_leaves_to_the_whole_tick(busy: Callable[[House], object], house: House) -> None:
    busy(house)
    before = everything_in(house.directory)
    assert not house.glance()
    assert everything_in(house.directory) == before


QUIET: dict[str, Callable[[House], object]] = {
    "nothing new": lambda house: None,
    "mail that waits": lambda house: house.write(models.TO_SEND),
    "held letters that were told of": lambda house: house.says("INSERT INTO papers VALUES (?, '')", HELD_LETTERS),
    "mail that failed": lambda house: house.write(models.FAILED),
    "a letter that is filed": an_old_letter(models.ANSWERED, filed=True),
    "a deadline that is far": lambda house: change(house.office, 1, deadline=house.watch() + HOLD + timedelta(hours=1)),
    "no deadline": lambda house: change(house.office, 1, deadline=None),
    "a war that was closed": lambda house: change(
        house.office, 1, status=models.OVER, over_since=house.watch() - HOLD * 9, closed=house.watch()
    ),
    "a war to be closed tomorrow": over(timedelta(hours=47)),
}


@pytest.mark.parametrize("quiet", QUIET.values(), ids=QUIET.keys())
def test_a_glance_is_enough_for(quiet: Callable[[House], object], house: House) -> None:
    quiet(house)
    assert house.glance()


def test_beside_another_referee_nothing_is_noted(house: House) -> None:
    before = everything_in(house.directory)
    with only_one(house.directory, "run"):
        assert not house.glance()
    assert everything_in(house.directory) == before


def test_nothing_is_made_where_there_is_no_database(tmp_path: Path) -> None:
    assert not nothing_to_do(tmp_path, Watch()(), lambda _: None)
    assert list(tmp_path.iterdir()) == []


def test_a_password_that_is_there_is_enough(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    settings_end_in("outbox: {kind: smtp, host: mail.example.org, user: x}\n")(house)
    monkeypatch.setenv(SmtpOut(host="x").variable, "secret")
    assert house.glance()
