"""A whole war by mail: once in Maildirs with the clock moved by hand, once with real servers that are restarted."""

import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import pbem.cli.main
from engine.game import Options
from pbem.cli.demo import play_demo, players_of
from pbem.mail.correspondents import Correspondent, mailbox_contents
from pbem.mail.finished import parsed, text_in
from pbem.mail.maildir import entries
from pbem.post.office import Office
from pbem.records import models
from pbem.records.database import create_database
from pbem.records.matches import SeatTaken, TheGameIsNotKnown, scenario_of
from pbem.records.replay import replay
from pbem.records.store import Store, open_store
from pbem.referee import begins_by_mail
from pbem.settings import load_settings
from tests.the_project import ROOT
from tests.toy.table import SECRET


def letters_of(store: Store) -> list[models.Letter]:
    with store.reading() as session:
        return list(session.exec(select(models.Letter)))


def outgoing_of(store: Store) -> list[models.Outgoing]:
    with store.reading() as session:
        return list(session.exec(select(models.Outgoing)))


def keys_of(store: Store) -> dict[str, str]:
    return {seat.side: seat.key for seat in store.seats_of(1)}


# ------------------------------------------------------------------ Maildirs


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    """Played once for all the processes among which the tests are divided."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "demo.played").exists():
            play_demo(shared / "demo-war")
            (shared / "demo.played").touch()
    return shared / "demo-war"


@pytest.fixture(scope="module")
def war(demo) -> Store:
    return open_store(demo)


def test_the_whole_war_was_fought_and_replays(war):
    assert war.position(1).match.status == models.OVER
    assert [step.difference for step in replay(war, 1)] == [None] * (len(war.turns_of(1)) + 1)


def test_every_letter_has_one_fate_and_lies_where_it_belongs(war, demo):
    letters = letters_of(war)
    assert Counter(letter.fate for letter in letters)[models.ARRIVED] == 0
    assert all(letter.filed for letter in letters)
    inbox = demo / "mail" / "in"
    held = [letter for letter in letters if letter.fate == models.HELD]
    assert len(list(entries(inbox))) == 0
    assert len(list(entries(inbox / ".Held"))) == len(held) == 1
    assert len(list(entries(inbox / ".Processed"))) == len(letters) - 1


def test_every_mail_was_sent_once(war, demo):
    sent = outgoing_of(war)
    assert {mail.state for mail in sent} == {models.SENT}
    delivered = [mail for box in (demo / "mail" / "out").iterdir() for mail in mailbox_contents(box)]
    assert sorted(str(mail["Message-ID"]) for mail in delivered) == sorted(mail.message_id for mail in sent)


def test_each_side_got_a_report_of_every_turn(war):
    reports = Counter(mail.side for mail in outgoing_of(war) if mail.kind == "report")
    assert reports == {"axis": len(war.turns_of(1)), "soviet": len(war.turns_of(1))}


def test_the_mistyped_line_was_shown_and_the_turn_waited(demo):
    receipts = sorted((demo / "mail" / "anna").glob("*-receipt.txt"))
    first, second = (path.read_text() for path in receipts[:2])
    assert "I know no order 'ATACK'" in first
    assert "They replace the sheet you sent before." in second
    names = [path.name for path in sorted((demo / "mail" / "anna").glob("*.txt"))]
    assert names[:4] == ["001-welcome.txt", "002-receipt.txt", "003-receipt.txt", "004-report.txt"]


def test_the_missed_deadline_brought_a_reminder_and_standing_orders(war, demo):
    assert len(list((demo / "mail" / "boris").glob("*-reminder.txt"))) == 1
    missed = [turn for turn in war.turns_of(1) if turn.sheets[1]["text"] is None and "soviet" in turn.gate_id]
    assert len(missed) == 1
    assert "missed a deadline" in acts(war)


def acts(store: Store) -> list[str]:
    with store.reading() as session:
        return [entry.act for entry in session.exec(select(models.Ledger))]


def test_the_right_key_from_a_wrong_address_changed_nothing(war, demo):
    (held,) = [letter for letter in letters_of(war) if letter.fate == models.HELD]
    assert held.sender == "eve@example.com"
    assert not list((demo / "mail" / "out").glob("eve*"))
    notice, closed = sorted((demo / "mail" / "boris").glob("*-notice.txt"))
    assert "could not be taken as yours" in notice.read_text()
    assert "The war is closed" in closed.read_text()


def test_the_war_was_closed_and_holds_as_do_all_reports_beside_it(demo):
    """As the demo says at its end that one can check it; the mail that brought the bundle will do as well."""
    reports = [str(path) for reader in ("anna", "boris") for path in (demo / "mail" / reader).glob("*-report.eml")]
    *_, closed = sorted((demo / "mail" / "boris").glob("*-notice.eml"))
    for bundle in (demo / "war-1.zip", closed):
        said = CliRunner().invoke(pbem.cli.main.app, ["verify", str(bundle), *reports])
        assert said.exit_code == 0, said.output
        assert "The war holds.\n" in said.output
        assert said.output.count("holds and agrees with the bundle") == len(reports) > 20


def test_no_key_stands_where_it_does_not_belong(war, demo):
    keys = keys_of(war)
    for reader, side in (("anna", "axis"), ("boris", "soviet"), ("gm", "")):
        other = [key for owner, key in keys.items() if owner != side]
        for path in (demo / "mail" / reader).iterdir():
            assert not any(key in path.read_text() for key in other)
    for name in ("referee.log", "end-gm.txt"):
        assert not any(key in (demo / name).read_text() for key in keys.values())


def test_each_player_has_one_thread(demo):
    for player in ("anna", "boris"):
        mails = [parsed(path.read_bytes()) for path in sorted((demo / "mail" / player).glob("*.eml"))]
        root = mails[0]["Message-ID"]
        assert all(str(mail["References"]).split()[0] == root for mail in mails[1:])


def test_the_demo_does_not_overwrite_what_is_not_its_own(tmp_path):
    from pbem.cli.demo import ThatFolderIsNotADemo

    (tmp_path / "letters-from-grandmother").touch()
    with pytest.raises(ThatFolderIsNotADemo):
        play_demo(tmp_path)


def test_an_earlier_demo_stays_if_the_scenario_is_not_known(tmp_path):
    from pbem.cli.demo import MARK

    (tmp_path / MARK).touch()
    with pytest.raises(TheGameIsNotKnown, match="no scenario 'waterloo'"):
        play_demo(tmp_path, "waterloo")
    assert (tmp_path / MARK).exists()


# ------------------------------------------------------------------ real servers


SETTINGS = """
referee:
  address: referee@example.org
  gm: [gm@example.org]
inbox:
  kind: imap
  host: 127.0.0.1
  port: {imap}
  user: {user}
  tls: none
  timeout: 10
outbox:
  kind: smtp
  host: 127.0.0.1
  port: {smtp}
  tls: none
  timeout: 10
  most_per_minute: 6000
"""


class SmtpReader(Correspondent):
    """Reads what a server has taken for him."""

    letters: Callable[[], list[tuple[str, bytes]]]

    def mails(self, about: str = "") -> list[EmailMessage]:
        found = [parsed(raw) for recipient, raw in self.letters() if recipient == self.address]
        return [mail for mail in found if about in str(mail["Subject"])]


class Servers:
    """An IMAP and an SMTP server, both of which can be restarted, and the daemon between them."""

    def __init__(self, imap_host, smtp_hosts, directory: Path) -> None:
        self.imap, self.smtp_hosts, self.directory = imap_host, smtp_hosts, directory
        self.account = imap_host.new_account()
        self.smtp = [smtp_hosts()]
        create_database(directory)
        text = SETTINGS.format(imap=imap_host.imap, user=self.account, smtp=self.smtp[0].port)
        (directory / "settings.yaml").write_text(text)
        self.store = open_store(directory)
        self.daemon: subprocess.Popen[bytes] | None = None
        self.log = directory / "log"

    def letters(self) -> list[tuple[str, bytes]]:
        return [(envelope.rcpt_tos[0], envelope.content) for host in self.smtp for envelope in host.desk.letters]

    def start_daemon(self) -> None:
        with self.log.open("ab") as log:
            self.daemon = subprocess.Popen(
                [sys.executable, "-m", "pbem", "-C", str(self.directory), "run"],
                env={**os.environ, "PBEM_IMAP_PASSWORD": "secret"},
                stderr=log,
                cwd=ROOT,
            )

    def stop_daemon(self, sign: int = signal.SIGTERM) -> int:
        assert self.daemon is not None
        self.daemon.send_signal(sign)
        code, self.daemon = self.daemon.wait(30), None
        return code

    def restart_smtp(self) -> None:
        port = self.smtp[-1].port
        self.smtp[-1].stop()
        self.smtp.append(self.smtp_hosts(port=port))

    def restart_imap(self) -> None:
        self.imap.stop()
        self.imap.start()

    def wait_for(self, what: Callable[[], object], seconds: float = 90) -> None:
        """Longer than a minute: so long a mail is put off that was on its way while the server was away."""
        until = time.monotonic() + seconds
        while not what():
            assert self.daemon is not None
            assert self.daemon.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)


@pytest.fixture
def servers(imap_host_to_stop, smtp_hosts, tmp_path):
    servers = Servers(imap_host_to_stop, smtp_hosts, tmp_path / "war")
    yield servers
    if servers.daemon is not None:
        servers.stop_daemon(signal.SIGKILL)
    servers.store.engine.dispose()


def test_a_war_over_imap_and_smtp_with_servers_that_come_and_go(servers):
    store = servers.store
    office = Office(store, load_settings(servers.directory), store.clock)
    seats = players_of(scenario_of(store.game("hitlers-war"), "barbarossa"))
    fog, week = Options(fog="fog"), {"hours": 168}
    store.new_match("hitlers-war", "barbarossa", seats, fog, secret=SECRET, clock=week, begin=begins_by_mail(office))
    players = {seat.side: player_at(servers, seat) for seat in seats}
    between = {3: servers.restart_imap, 6: servers.restart_smtp, 9: lambda: restart_daemon(servers)}
    servers.start_daemon()
    number = 0
    while (gate := store.position(1).gate) is not None:
        number += 1
        play_gate(servers, players, gate, f"{number}".encode())
        between.get(number, lambda: None)()
    servers.wait_for(lambda: all("the war is over" in str(player.newest()["Subject"]) for player in players.values()))
    servers.wait_for(lambda: not waiting_for_the_books(store))
    assert servers.stop_daemon() == 0
    check_the_end(servers, number)


def player_at(servers: Servers, seat: SeatTaken) -> SmtpReader:
    player = SmtpReader(seat.name, seat.address, Path())
    player.letters = servers.letters
    return player


def restart_daemon(servers: Servers) -> None:
    assert servers.stop_daemon() == 0
    servers.start_daemon()


def play_gate(servers: Servers, players: dict[str, SmtpReader], gate, key: bytes) -> None:
    """Wait for the report, answer it, wait for the turn."""
    side = gate.awaits[0]
    player, store = players[side], servers.store
    servers.wait_for(lambda: (mails := player.mails()) and is_called(mails[-1], gate.title))
    position = store.position(1)
    letter = player.reply(position.game.bot(position.view(side), key), datetime.now(UTC))
    servers.imap.deliver(servers.account, letter)
    servers.wait_for(lambda: store.position(1).match.gate_number > position.match.gate_number)


def is_called(mail: EmailMessage, title: str) -> bool:
    text = re.sub(r"\s+", " ", text_in(mail))
    return f"It is your turn: {title}." in text


def waiting_for_the_books(store: Store) -> list[object]:
    unsent = [mail for mail in outgoing_of(store) if mail.state == models.TO_SEND]
    return unsent + [letter for letter in letters_of(store) if not letter.filed]


def check_the_end(servers: Servers, gates: int) -> None:
    store = servers.store
    assert store.position(1).match.status == models.OVER
    assert replay(store, 1)[-1].difference is None
    assert [letter.fate for letter in letters_of(store)] == [models.ACCEPTED] * gates
    ids = [parsed(raw)["Message-ID"] for _, raw in servers.letters()]
    assert sorted(ids) == sorted(mail.message_id for mail in outgoing_of(store))
    maildir = servers.imap.maildir(servers.account)
    assert list(entries(maildir)) == []
    assert not any(key in servers.log.read_text() for key in keys_of(store).values())
