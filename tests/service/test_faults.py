"""What goes wrong around the referee, and what he makes of it: each fault has one outcome, and nothing is lost by it."""

import errno
import sqlite3
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from pbem.clock.guards import MAILBOX_READ
from pbem.mail.correspondents import drop_into
from pbem.mail.finished import parsed
from pbem.mail.inbox import MaildirInbox, TheMailboxCannotBeReached
from pbem.mail.maildir import entries
from pbem.records import database, models
from pbem.records.replay import replay
from pbem.service.mending import trust_the_clock
from pbem.settings import ImapIn, MaildirOut, Referee, Settings, SmtpOut
from tests.crashing import letter
from tests.postal import (
    GM,
    change,
    duty_of,
    key_for,
    mails,
    match_of,
    new_match,
    new_office,
    seat_of,
    send,
    take,
)
from tests.service.test_daemon import letters_of, pulse
from tests.smtp_server import drop


def orders(match: int, side: str, number: int = 1, text: str = "HOLD") -> bytes:
    return letter(number, side, f"{match}-{side}-{key_for(match, side)}", text)


def put(office, raw: bytes, name: str) -> None:
    drop_into(office.settings.inbox.path, raw, name)


def turns(office, match: int = 1) -> int:
    return match_of(office, match).gate_number


def sound(office, match: int = 1) -> bool:
    """Whatever has happened, what is written down is whole."""
    return replay(office.store, match)[-1].difference is None


# ------------------------------------------------------------------ SMTP


@pytest.fixture
def by_smtp(tmp_path, watch, smtp_hosts):
    """An office that sends to a server, and the server."""
    host = smtp_hosts()
    outbox = SmtpOut(host="127.0.0.1", port=host.port, tls="none", timeout=0.5)
    settings = Settings(referee=Referee(address="referee@example.org", gm=(GM,)), outbox=outbox)
    office = new_office(tmp_path / "war", watch, settings=settings)
    match = new_match(office)
    take(office, match, "red")
    take(office, match, "blue")
    return office, host


class NoMailbox:
    def fetch(self, most):
        return []

    def file_away(self, places, where): ...

    def close(self): ...


def send_by_smtp(office):
    with duty_of(office, _inbox=NoMailbox()) as duty:
        duty.one_pass()
    return duty.said.getvalue()


def test_a_recipient_the_server_refuses_bounces_and_the_gm_is_told(by_smtp):
    office, host = by_smtp
    host.desk.answers["blue@example.org"] = "550 5.1.1 no such user"
    said = send_by_smtp(office)
    assert {mail.recipient: mail.state for mail in mails(office)} == {
        "red@example.org": models.SENT,
        "blue@example.org": models.FAILED,
        GM: models.SENT,
    }
    assert seat_of(office, 1, "blue").bounces
    assert "failed=1" in said


def test_a_recipient_who_is_put_off_is_tried_again(by_smtp, watch):
    office, host = by_smtp
    host.desk.answers["blue@example.org"] = "451 4.7.1 greylisted"
    send_by_smtp(office)
    del host.desk.answers["blue@example.org"]
    watch.forward(minutes=1)
    send_by_smtp(office)
    assert [mail.state for mail in mails(office)] == [models.SENT, models.SENT]
    assert not seat_of(office, 1, "blue").bounces


def test_a_server_that_takes_too_long_gets_the_mail_later(by_smtp, watch):
    office, host = by_smtp
    host.desk.seconds_over_data = 3
    began = time.monotonic()
    assert "later=2" in send_by_smtp(office)
    assert time.monotonic() - began < 5
    host.desk.seconds_over_data = 0
    watch.forward(minutes=1)
    send_by_smtp(office)
    assert [mail.state for mail in mails(office)] == [models.SENT, models.SENT]


def test_a_server_that_takes_the_mail_and_dies_gets_the_same_mail_again(by_smtp, watch):
    """It cannot be known whether it was delivered, so it goes again, and can be recognised."""
    office, host = by_smtp
    host.desk.on_data = drop
    assert "later=2" in send_by_smtp(office)
    host.desk.on_data = lambda _: None
    watch.forward(minutes=1)
    send_by_smtp(office)
    assert [mail.state for mail in mails(office)] == [models.SENT, models.SENT]
    ids = [str(parsed(envelope.content)["Message-ID"]) for envelope in host.desk.letters]
    assert len(ids) > 2
    assert set(ids) == {mail.message_id for mail in mails(office)}


def test_a_server_that_is_gone_keeps_nobody_from_playing(by_smtp, watch, smtp_hosts):
    office, host = by_smtp
    port = host.port
    host.stop()
    assert "later=2" in send_by_smtp(office)
    take(office, 1, "red")
    take(office, 1, "blue")
    assert turns(office) == 2
    smtp_hosts(port=port)
    watch.forward(minutes=1)
    send_by_smtp(office)
    assert {mail.state for mail in mails(office)} == {models.SENT}


def test_a_deadline_does_not_pass_for_players_whose_reports_never_left(by_smtp, watch):
    office, host = by_smtp
    host.stop()
    for _ in range(16):
        watch.forward(hours=12)
        said = send_by_smtp(office)
    assert turns(office) == 1
    assert [seat_of(office, 1, side).misses for side in ("red", "blue")] == [0, 0]
    assert said


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_wrong_password_is_waited_for_not_given_up(tmp_path, watch, smtp_hosts, monkeypatch):
    host = smtp_hosts(auth=True, auth_require_tls=False)
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "wrong")
    outbox = SmtpOut(host="127.0.0.1", port=host.port, tls="none", user="referee", timeout=2)
    office = new_office(tmp_path / "war", watch, settings=Settings(outbox=outbox))
    new_match(office)
    take(office, 1, "red")
    take(office, 1, "blue")
    for _ in range(7):
        send_by_smtp(office)
        watch.forward(days=1)
    assert {mail.state for mail in mails(office, "report")} == {models.TO_SEND}
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "secret")
    send_by_smtp(office)
    assert {mail.state for mail in mails(office, "report")} == {models.SENT}


# ------------------------------------------------------------------ IMAP


def test_an_imap_server_that_goes_and_comes_back(tmp_path, watch, imap_host_to_stop, monkeypatch):
    """The letter that came before is read afterwards; meanwhile mail goes out and no deadline passes."""
    host = imap_host_to_stop
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "secret")
    monkeypatch.setattr("pbem.mail.imap.Backoff.delay", lambda *_: 0.01)
    account = host.new_account()
    inbox = ImapIn(host="127.0.0.1", port=host.imap, user=account, tls="none", timeout=2)
    outbox = MaildirOut(path=tmp_path / "out")
    settings = Settings(referee=Referee(gm=(GM,)), inbox=inbox, outbox=outbox)
    office = new_office(tmp_path / "war", watch, settings=settings)
    new_match(office, clock={"hours": 12})
    host.put(account, orders(1, "red"))
    with duty_of(office, _postman=None) as duty:
        assert duty.one_pass()
        host.stop()
        watch.now = match_of(office, 1).deadline
        assert not duty.one_pass()
        assert "cannot be reached" in duty.said.getvalue()
        assert "the mailbox was not read since" in duty.said.getvalue()
        assert turns(office) == 0
        host.start()
        host.put(account, orders(1, "blue", 2))
        watch.forward(minutes=5)
        assert duty.one_pass()
    assert turns(office) == 1
    assert [seat_of(office, 1, side).misses for side in ("red", "blue")] == [0, 0]
    assert [letter.fate for letter in letters_of(office)] == [models.ACCEPTED, models.ACCEPTED]


def test_a_connection_lost_before_filing_answers_nothing_twice(office, monkeypatch):
    new_match(office)
    put(office, orders(1, "red"), "1")
    file_away = MaildirInbox.file_away

    def fail(*_):
        raise TheMailboxCannotBeReached("the line is dead", "It is tried again later.")

    monkeypatch.setattr(MaildirInbox, "file_away", fail)
    with duty_of(office) as duty:
        assert not duty.one_pass()
        assert [(letter.fate, letter.filed) for letter in letters_of(office)] == [(models.ACCEPTED, False)]
        assert pulse(office, MAILBOX_READ) is None
        monkeypatch.setattr(MaildirInbox, "file_away", file_away)
        assert duty.one_pass()
    assert [(letter.fate, letter.filed) for letter in letters_of(office)] == [(models.ACCEPTED, True)]
    assert len(mails(office, "receipt")) == 1
    assert list(entries(office.settings.inbox.path)) == []


# ------------------------------------------------------------------ the disk


@contextmanager
def pages_at_most(office, count: int):
    """SQLite's own error for a full disk, when the database would grow beyond so many pages."""

    def limit(driver, _record):
        driver.execute(f"PRAGMA max_page_count={count}")

    office.store.engine.dispose()
    event.listen(office.store.engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(office.store.engine, "connect", limit)
        office.store.engine.dispose()


def pages(office) -> int:
    """How many pages the database takes when none of them is free."""
    office.store.engine.dispose()
    with sqlite3.connect(database.database_in(office.store.directory)) as connection:
        connection.execute("VACUUM")
        return connection.execute("PRAGMA page_count").fetchone()[0]


def test_a_full_disk_loses_no_letter_and_halves_no_turn(office):
    """The disk is given a little more space each time: wherever it ends, what is written down is whole."""
    new_match(office)
    put(office, orders(1, "red"), "1")
    put(office, orders(1, "blue", 2), "2")
    refused, first = 0, pages(office)
    for more in range(60):
        with pages_at_most(office, first + more), duty_of(office) as duty:
            went_well = duty.one_pass()
        refused += "database or disk is full" in duty.said.getvalue()
        assert "Traceback" not in duty.said.getvalue()
        assert sound(office)
        assert len(list(entries(office.settings.inbox.path))) + sum(one.filed for one in letters_of(office)) == 2
        if went_well and turns(office) == 1 and not mails(office, state=models.TO_SEND):
            break
    assert refused > 2
    assert turns(office) == 1
    assert [letter.fate for letter in letters_of(office)] == [models.ACCEPTED, models.ACCEPTED]
    assert {mail.state for mail in mails(office)} == {models.SENT}


def test_a_full_disk_is_no_reason_to_freeze_a_match(office, watch):
    new_match(office)
    send(office)
    watch.now = match_of(office, 1).deadline
    with pages_at_most(office, pages(office)), duty_of(office) as duty:
        duty.one_pass()
    assert match_of(office, 1).frozen == ""
    with duty_of(office) as duty:
        assert duty.one_pass()
    assert turns(office) == 1


def test_a_mailbox_that_cannot_be_written_gets_its_mail_later(office, watch, monkeypatch):
    new_match(office)
    take(office, 1, "red")
    take(office, 1, "blue")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.postman.deliver", full)
        assert send(office).later == 2
    watch.forward(days=10)
    assert send(office).sent == 2
    assert not seat_of(office, 1, "red").bounces


# ------------------------------------------------------------------ the database


@contextmanager
def somebody_else_writes(office):
    """Another program holds the database for longer than anybody waits."""
    with sqlite3.connect(database.database_in(office.store.directory), isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
    other.close()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(database, "PRAGMAS", ("busy_timeout=50", *database.PRAGMAS[1:]))


def test_a_locked_database_is_one_line_and_then_everything_goes_on(impatient, office, watch):
    new_match(office)
    put(office, orders(1, "red"), "1")
    with duty_of(office) as duty:
        with somebody_else_writes(office):
            assert not duty.one_pass()
        lines = duty.said.getvalue().splitlines()
        assert len(lines) == 2  # reading and looking; there was nothing to send
        assert all("another program has been writing" in line for line in lines)
        assert letters_of(office) == []
        watch.forward(minutes=1)
        assert duty.one_pass()
    assert [letter.fate for letter in letters_of(office)] == [models.ACCEPTED]


def test_a_lock_after_sending_means_sending_again_not_forgetting(impatient, office):
    new_match(office)
    take(office, 1, "red")
    take(office, 1, "blue")

    from tests.postal import PatientPostman

    class Locking(PatientPostman):
        async def send(self, sender, recipient, raw):
            if not self.carried:
                self.lock = somebody_else_writes(office)
                self.lock.__enter__()
            return await super().send(sender, recipient, raw)

    postman = Locking()
    with pytest.raises(database.TheDatabaseIsBusy):
        send(office, postman)
    postman.lock.__exit__(None, None, None)
    again = PatientPostman()
    send(office, again)
    assert {mail.state for mail in mails(office)} == {models.SENT}
    assert set(postman.carried) <= set(again.carried)


# ------------------------------------------------------------------ the clock


@pytest.mark.parametrize("jump", [timedelta(days=30), timedelta(days=-3)])
def test_a_clock_that_jumps_answers_letters_but_lets_no_deadline_pass(office, watch, jump):
    new_match(office)
    change(office, 1, deadline=watch.now + timedelta(hours=1))
    with duty_of(office) as duty:
        assert duty.one_pass()
        watch.now += jump
        change(office, 1, deadline=watch.now - timedelta(hours=1))
        put(office, orders(1, "red"), "1")
        assert duty.one_pass()
        assert "the clock has jumped" in duty.said.getvalue()
        assert turns(office) == 0
        assert len(mails(office, "receipt")) == 1
        assert mails(office, to=GM)[0].state == models.SENT
        watch.forward(minutes=5)
        assert duty.one_pass()
        assert turns(office) == 0
        trust_the_clock(office, watch.now)
        assert duty.one_pass()
    assert turns(office) == 1


def test_a_letter_dated_wrongly_counts_by_when_it_came(office, watch):
    """What a sender's clock says is his own affair."""
    new_match(office)
    raw = orders(1, "red").replace(b"To: referee", b"Date: Thu, 01 Jan 1970 00:00:00 +0000\r\nTo: referee")
    put(office, raw, "1")
    with duty_of(office) as duty:
        duty.one_pass()
    assert letters_of(office)[0].arrived == watch.now
    assert letters_of(office)[0].fate == models.ACCEPTED
