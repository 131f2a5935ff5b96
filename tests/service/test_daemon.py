"""The referee as a service: what it tells systemd, how it stops, that it is alone, and that no trouble makes it crash."""

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlmodel import col
from typer.testing import CliRunner

import pbem.cli.main
from pbem.clock.guards import MAILBOX_READ
from pbem.intake import settling
from pbem.mail.inbox import Arrived, MaildirInbox, TheMailboxCannotBeReached
from pbem.mail.maildir import deliver, entries, make_maildir
from pbem.mail.postman import Sent
from pbem.mail.smtp import SmtpPostman
from pbem.post.post import Mail
from pbem.records import models
from pbem.service.daemon import (
    FIRST_PAUSE,
    LONGEST_SLICE,
    LONGEST_TICK,
    LONGEST_WAIT,
    Signals,
    WeAreAskedToStop,
    read_letters,
    run_daemon,
)
from pbem.service.lock import LOCK, AnotherRefereeIsAtWork, only_one
from pbem.service.logs import in_one_line, log_line
from pbem.service.systemd import ServiceManager
from pbem.settings import SmtpOut
from tests.postal import START, duty_of, key_for, mails, new_match, take
from tests.the_project import ROOT
from tests.toy.table import toy_games

LETTER = b"From: stranger@example.net\r\nTo: referee@example.org\r\nSubject: hello\r\nMessage-ID: <%d@example.net>\r\n\r\nHello.\r\n"


@pytest.fixture
def mailbox(office) -> Path:
    path = office.settings.inbox.path
    make_maildir(path)
    return path


def drop(mailbox: Path, *numbers: int) -> None:
    for number in numbers:
        deliver(mailbox, LETTER % number, f"{number:04}.test")


def letters_of(office) -> list[models.Letter]:
    from sqlmodel import col, select

    with office.store.reading() as session:
        return list(session.exec(select(models.Letter).order_by(col(models.Letter.id))))


def pulse(office, name: str) -> datetime | None:
    with office.store.reading() as session:
        found = session.get(models.Pulse, name)
        return found.at if found else None


# ------------------------------------------------------------------ a pass


def test_a_pass_reads_looks_and_sends(office, mailbox, watch):
    match = new_match(office)
    take(office, match, "red")
    take(office, match, "blue")
    drop(mailbox, 1, 2)
    with duty_of(office) as duty:
        assert duty.one_pass()
    assert [letter.fate != models.ARRIVED and letter.filed for letter in letters_of(office)] == [True, True]
    assert list(entries(mailbox)) == []
    assert pulse(office, MAILBOX_READ) == pulse(office, "tick") == watch.now
    assert {mail.state for mail in mails(office, "report")} == {models.SENT}
    assert 'info "letters were read" count=2 turns_run=0' in duty.said.getvalue()


def test_a_quiet_pass_says_nothing(office, mailbox):
    with duty_of(office) as duty:
        assert duty.one_pass()
    assert duty.said.getvalue() == ""


def test_a_letter_that_lies_there_again_is_filed_away_again(office, mailbox):
    """Somebody has moved it back, or the process was killed before it was filed."""
    drop(mailbox, 1)
    with duty_of(office) as duty:
        duty.one_pass()
        drop(mailbox, 1)
        assert duty.one_pass()
    assert list(entries(mailbox)) == []
    assert len(letters_of(office)) == 1


def test_a_letter_that_cannot_be_moved_does_not_keep_us_busy_for_ever(office, mailbox, monkeypatch):
    monkeypatch.setattr(MaildirInbox, "file_away", lambda *_: None)
    drop(mailbox, 1)
    with duty_of(office) as duty:
        assert duty.one_pass()
    assert len(letters_of(office)) == 1


class Unreachable:
    def fetch(self, most):
        raise TheMailboxCannotBeReached("the mailbox at nowhere cannot be reached", "It is tried again later.")

    def wait(self, seconds):
        raise TheMailboxCannotBeReached("the mailbox at nowhere cannot be reached", "It is tried again later.")

    def file_away(self, places, where): ...

    def close(self): ...


def test_trouble_with_the_mailbox_does_not_keep_mail_from_going_out(office, watch):
    match = new_match(office)
    take(office, match, "red")
    take(office, match, "blue")
    with duty_of(office, _inbox=Unreachable()) as duty:
        assert not duty.one_pass()
    assert {mail.state for mail in mails(office, "report")} == {models.SENT}
    assert pulse(office, MAILBOX_READ) is None
    assert duty.said.getvalue().count("\n") == 2
    assert (
        'warning "the mailbox at nowhere cannot be reached" remedy="It is tried again later."' in duty.said.getvalue()
    )


def test_a_fault_of_the_program_is_one_line_and_the_pass_goes_on(office, mailbox, monkeypatch):
    monkeypatch.setattr("pbem.service.daemon.look_at_every_match", lambda *_, **__: 1 / 0)
    with duty_of(office) as duty:
        assert not duty.one_pass()
    (line,) = duty.said.getvalue().splitlines()
    assert "ZeroDivisionError: division by zero at test_daemon.py" in line


# ------------------------------------------------------------------ slices of mail


class FakeTime:
    """A clock for the daemon and the postman: it moves when somebody waits, and a little with every mail."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class WatchedInbox:
    """An empty mailbox that knows when it was looked into."""

    def __init__(self, time: FakeTime) -> None:
        self.time, self.fetched = time, []

    def fetch(self, most):
        self.fetched.append(self.time.now)
        return []

    def wait(self, seconds):
        self.time.sleep(seconds)
        return False

    def file_away(self, places, where): ...

    def close(self): ...


STRANGERS, MOST_PER_MINUTE, SECONDS_A_MAIL = 200, 20, 1.5


@pytest.fixture
def flooded(office, monkeypatch):
    """200 answers to strangers wait, and the pace is 20 a minute: ten minutes of sending."""
    time, carried = FakeTime(), []
    with office.store.writing() as session:
        for number in range(STRANGERS):
            office.write(session, Mail(f"{number}", "notice", f"s{number}@example.net", "Who are you?", "Hello.\n"))

    async def hand_over(postman, envelope):
        postman._handed_over.append(time.now)
        time.sleep(SECONDS_A_MAIL)
        carried.append(envelope.recipient)
        return Sent()

    monkeypatch.setattr("pbem.service.daemon.time", time)
    monkeypatch.setattr(SmtpPostman, "_hand_over", hand_over)
    account = SmtpOut(host="localhost", tls="none", most_per_minute=MOST_PER_MINUTE)
    inbox, postman = WatchedInbox(time), SmtpPostman(account, "example.org", clock=time.monotonic)
    with duty_of(office, _inbox=inbox, _postman=postman) as duty:
        yield duty, time, inbox, carried


def test_while_the_pace_is_kept_letters_are_read_and_the_clock_is_looked_at(flooded, office):
    duty, time, inbox, carried = flooded
    looked, began = [], time.now
    duty._look = lambda: looked.append(time.now)
    while len(carried) < STRANGERS:
        assert duty.one_pass()
        assert duty.wait()
    assert time.now - began < 660, "as fast as the pace allows"
    for moments in (inbox.fetched, looked):
        assert max(after - before for before, after in itertools.pairwise(moments)) <= LONGEST_WAIT
    pauses = [after - before for before, after in itertools.pairwise(inbox.fetched)]
    assert min(pauses) <= LONGEST_SLICE + SECONDS_A_MAIL, "it looks between slices, not only when the minute is over"
    assert "sent=" in duty.said.getvalue()


def test_a_player_who_is_answered_meanwhile_does_not_stand_behind_strangers(flooded, office):
    duty, _, _, carried = flooded
    duty.one_pass()
    new_match(office)
    take(office, 1, "red")
    take(office, 1, "blue")
    before = len(carried)
    while len(carried) < before + 2:
        duty.one_pass()
        duty.wait()
    assert carried[before : before + 2] == ["red@example.org", "blue@example.org"]


def test_a_tick_reads_and_sends_in_turn_and_leaves_the_rest_to_the_next(flooded, office):
    duty, time, inbox, carried = flooded
    began = time.now
    assert duty.one_tick()
    assert 180 <= time.now - began <= LONGEST_TICK + LONGEST_SLICE
    assert len(inbox.fetched) > 4
    assert len(carried) in range(60, 101)
    assert not duty.mail_in_trouble
    assert {mail.attempts for mail in mails(office, state=models.TO_SEND)} == {0}


def test_a_tick_brings_out_everything_if_there_is_time(flooded, office):
    duty, _, _, carried = flooded
    with office.store.writing() as session:
        session.execute(update(models.Outgoing).where(col(models.Outgoing.id) > 50).values(state=models.EXPIRED))
    assert duty.one_tick()
    assert len(carried) == 50


def test_a_mailbox_in_trouble_does_not_slow_the_mail_down(flooded, office):
    """The pauses grow to five minutes, but mail goes on leaving at its pace."""
    duty, time, _, carried = flooded
    duty._inbox = Unreachable()

    def stop_when_sent(seconds):
        time.now += seconds
        if len(carried) == STRANGERS or time.now > 2500:
            duty.signals._stop(signal.SIGTERM, None)

    time.sleep, began = stop_when_sent, time.now
    run_daemon(duty)
    assert len(carried) == STRANGERS
    assert time.now - began < 1000


# ------------------------------------------------------------------ stopping


def test_asked_to_stop_the_letter_in_hand_is_finished_and_the_next_one_waits(office, mailbox, monkeypatch):
    drop(mailbox, 1, 2, 3)
    signals = Signals()
    settle = settling.settle

    def settle_and_be_asked(office, number):
        if number == 2:
            signals._stop(signal.SIGTERM, None)
        return settle(office, number)

    monkeypatch.setattr(settling, "settle", settle_and_be_asked)
    inbox = MaildirInbox(mailbox, 10**6)
    read_letters(office, inbox, signals)
    arrived = [letter.fate == models.ARRIVED for letter in letters_of(office)]
    assert arrived == [False, False, True]
    assert pulse(office, MAILBOX_READ) is None  # not all of it was read
    read_letters(office, inbox, Signals())
    assert all(letter.fate != models.ARRIVED and letter.filed for letter in letters_of(office))
    assert list(entries(mailbox)) == []


def test_waiting_is_broken_off_at_once(office):
    signals = Signals()
    with pytest.raises(WeAreAskedToStop), signals.interruptible():
        signals._stop(signal.SIGTERM, None)
    with pytest.raises(WeAreAskedToStop), signals.interruptible():
        pytest.fail("asked before, it does not begin to wait")


def test_trouble_is_followed_by_growing_pauses_and_signs_of_life(office, monkeypatch):
    slept: list[float] = []

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds
        if len(slept) == 12:
            duty.signals._stop(signal.SIGTERM, None)

    now = [0.0]
    monkeypatch.setattr("pbem.service.daemon.time", type("Time", (), {"monotonic": lambda: now[0], "sleep": sleep}))
    with duty_of(office, _inbox=Unreachable(), manager=ServiceManager("", 40.0)) as duty:
        run_daemon(duty)
    assert slept == [5, 10, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20]
    assert slept[0] == FIRST_PAUSE
    assert "the referee stops" in duty.said.getvalue()


# ------------------------------------------------------------------ systemd


def test_without_systemd_nothing_is_said():
    manager = ServiceManager.from_environment({})
    manager.is_ready("at work")
    manager.is_alive()
    assert manager.longest_silence == float("inf")


def test_half_of_the_watchdog_is_the_longest_silence():
    assert ServiceManager.from_environment({"WATCHDOG_USEC": "60000000"}).longest_silence == 30
    of_another = {"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": str(os.getpid() + 1)}
    assert ServiceManager.from_environment(of_another).watchdog == 0


def test_a_socket_nobody_listens_at_is_no_trouble(tmp_path):
    ServiceManager(str(tmp_path / "nobody"), 10).is_ready("at work")
    assert list(tmp_path.iterdir()) == []


def test_an_abstract_socket_is_found():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0pbem-test-notify-{os.getpid()}")
        listener.settimeout(5)
        ServiceManager(f"@pbem-test-notify-{os.getpid()}").is_ready("at work")
        assert listener.recv(1000) == b"READY=1\nSTATUS=at work"


@contextmanager
def service(directory: Path, **environ: str):
    """`pbem run` as systemd would start it, and the socket it talks to."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        address = directory.parent / "notify"
        listener.bind(str(address))
        listener.settimeout(20)
        process = subprocess.Popen(
            [sys.executable, "-m", "pbem", "-C", str(directory), "run"],
            env={**os.environ, "NOTIFY_SOCKET": str(address), **environ},
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        try:
            yield process, lambda: listener.recv(1000).decode()
        finally:
            process.kill()
            process.wait()
            process.stderr.close()


@pytest.fixture
def directory(tmp_path) -> Path:
    directory = tmp_path / "wars"
    assert CliRunner().invoke(pbem.cli.main.app, ["init", str(directory)]).exit_code == 0
    return directory


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_the_service_is_ready_alive_and_stops_cleanly(directory, sign):
    with service(directory, WATCHDOG_USEC="600000") as (process, hear):
        assert hear().startswith("READY=1")
        heard = [hear() for _ in range(8)]
        assert heard.count("WATCHDOG=1") >= 4
        assert any(line.startswith("STATUS=waiting for letters since") for line in heard)
        began = time.monotonic()
        process.send_signal(sign)
        assert process.wait(30) == 0
        assert time.monotonic() - began < 15
        rest = [hear()]
        while not rest[-1].startswith("STOPPING=1"):
            rest.append(hear())
        said = process.stderr.read().decode()
    assert "the referee is at work" in said
    assert said.rstrip().endswith('info "the referee stops"')


def test_a_letter_is_answered_while_the_service_waits(directory):
    with service(directory) as (process, hear):
        assert hear().startswith("READY=1")
        while not hear().startswith("STATUS=waiting"):
            pass
        drop(directory / "mail" / "in", 1)
        until = time.monotonic() + 30
        while list(entries(directory / "mail" / "in")) and time.monotonic() < until:
            time.sleep(0.02)
        assert list(entries(directory / "mail" / "in")) == []
        process.terminate()
        assert process.wait(30) == 0


def test_a_second_referee_is_told_who_is_at_work(directory):
    with service(directory) as (process, hear):
        assert hear().startswith("READY=1")
        for command in ("run", "tick"):
            result = CliRunner().invoke(pbem.cli.main.app, ["-C", str(directory), command])
            assert result.exit_code == 1
            assert f"is in the hands of another referee (pbem run, process {process.pid}, since" in result.stderr
        process.kill()
        process.wait()
        assert CliRunner().invoke(pbem.cli.main.app, ["-C", str(directory), "tick"]).exit_code == 0


# ------------------------------------------------------------------ the lock


def test_the_lock_is_for_one_and_is_given_back(tmp_path):
    with only_one(tmp_path, "tick"), pytest.raises(AnotherRefereeIsAtWork) as refusal, only_one(tmp_path, "run"):
        pytest.fail("there are two")
    assert f"pbem tick, process {os.getpid()}" in refusal.value.why
    with only_one(tmp_path, "run"):
        assert (tmp_path / LOCK).stat().st_mode & 0o077 == 0


# ------------------------------------------------------------------ the log


def test_a_line_of_the_log_is_one_line_without_keys():
    key = key_for(17, "axis").replace("x", "y")
    line = log_line("warning", "mail went out", {"sent": 3, "trouble": f"550 17-axis-{key}\nunknown"}, START)
    assert line == '2026-11-16T12:00:00Z warning "mail went out" sent=3 trouble="550 [key] unknown"'


def test_times_of_the_log_are_utc():
    from datetime import timedelta, timezone

    at = datetime(2026, 11, 16, 1, tzinfo=timezone(timedelta(hours=2)))
    assert log_line("info", "x", {}, at).startswith("2026-11-15T23:00:00Z")
    assert at.astimezone(UTC) == at


def test_an_error_in_one_line_says_where():
    with pytest.raises(KeyError) as error:
        {}["missing"]
    assert in_one_line(error.value).startswith("KeyError: 'missing' at test_daemon.py:")


# ------------------------------------------------------------------ the command


@pytest.fixture
def gm(directory, monkeypatch):
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)

    def gm(*words: object, ok: int = 0):
        result = CliRunner().invoke(pbem.cli.main.app, ["-C", str(directory), *map(str, words)])
        assert result.exit_code == ok, result.output
        return result

    return gm


def test_settings_are_written_for_the_gm_alone(directory):
    from pbem.settings import default_settings_text

    settings = directory / "settings.yaml"
    assert settings.read_text() == default_settings_text()
    assert settings.stat().st_mode & 0o777 == 0o600
    assert directory.stat().st_mode & 0o777 == 0o700


def test_a_rehearsal_at_another_time(gm, directory):
    gm("new", "two-hills", "at-once", "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    gm("deadline", 1, "--hours", 24)
    gm("tick")
    at = datetime.now(UTC).replace(microsecond=0)
    first = gm("tick", "--now", at.replace(year=at.year + 1).isoformat())
    assert "the clock has jumped" in first.stderr
    later = at.replace(year=at.year + 1).isoformat()
    assert gm("tick", "--now", later).stderr == ""
    assert "No deadline passes" in gm("clock").stdout
    assert json.loads(gm("clock", "--json").stdout)["trusted"] is False
    assert "the GM says so" in gm("clock", "--trust", "--now", later).stdout
    assert "match 1: ran" in gm("tick", "--now", later).stderr
    assert "deadlines count" in gm("clock").stdout
    assert "not in doubt" in gm("clock", "--trust", "--now", later).stdout
    assert "is not a time such as" in gm("tick", "--now", "tomorrow", ok=2).stderr


def test_a_tick_with_mail_that_is_put_off_or_fails_ends_with_one(gm, directory, smtp_hosts):
    """Cron and systemd take notice, as the handbook says."""
    host = smtp_hosts()
    settings = f"outbox:\n  kind: smtp\n  host: 127.0.0.1\n  port: {host.port}\n  tls: none\n"
    (directory / "settings.yaml").write_text(settings)
    new = ("new", "two-hills", "at-once", "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    host.desk.answers["red@example.org"] = "451 not now"
    gm(*new)
    assert "later=1" in gm("tick", ok=1).stderr
    gm("tick")  # nothing was tried
    host.desk.answers["red@example.org"] = "550 5.1.1 no such user"
    gm(*new)
    assert "failed=1" in gm("tick", ok=1).stderr
    del host.desk.answers["red@example.org"]
    gm("outbox", "--retry", 0)
    assert "sent=2" in gm("tick").stderr


def test_a_tick_that_may_send_no_more_today_ends_with_one(gm, directory, smtp_hosts):
    host = smtp_hosts()
    settings = f"outbox:\n  kind: smtp\n  host: 127.0.0.1\n  port: {host.port}\n  tls: none\n  most_per_day: 1\n"
    (directory / "settings.yaml").write_text(settings)
    gm("new", "two-hills", "at-once", "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    assert '"no more mail may leave today" most=1 left=1' in gm("tick", ok=1).stderr
    assert len(host.desk.letters) == 1


def test_broken_settings_are_a_sentence_not_a_crash(gm, directory):
    (directory / "settings.yaml").write_text("inbox:\n  kind: pigeon\n")
    assert "inbox.kind" in gm("tick", ok=1).stderr
    assert "inbox.kind" in gm("run", ok=1).stderr


def test_an_inbox_that_cannot_be_used_makes_the_tick_fail_but_not_crash(gm, directory):
    shutil.rmtree(directory / "mail")
    (directory / "mail").write_text("a file where a directory should be")
    result = gm("tick", ok=1)
    assert "cannot be looked into" in result.stderr
    assert "Traceback" not in result.stderr


def test_letters_are_arrived_only_as_wholes(tmp_path):
    """A letter that is still being delivered is none."""
    make_maildir(tmp_path / "in")
    (tmp_path / "in" / "tmp" / "half").write_bytes(b"From: ")
    assert MaildirInbox(tmp_path / "in", 1000).fetch(10) == []
    assert Arrived("x", b"").too_large is False
