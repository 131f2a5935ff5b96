"""Another mailbox under the old name lets no deadline pass: an account that was made anew, or numbered anew."""

import dataclasses
import json
import shutil
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from sqlmodel import select

import pbem.cli.main
from pbem.clock.guards import MAILBOX_READ
from pbem.intake.mailbox import TheMaildirIsGone, TheMaildirIsNotOurs, must_be_whole
from pbem.post.office import Office
from pbem.records import models
from pbem.records.marks import mark_in
from pbem.records.store import open_store
from pbem.settings import ImapIn
from tests.intake.test_vanished import LETTER, Table
from tests.postal import Watch, duty_of, mails, new_match, new_office, settings_in
from tests.pymap_server import PASSWORD
from tests.servers import ImapHost
from tests.toy.table import toy_games


@dataclasses.dataclass
class Account:
    """An office that reads a mailbox at a provider, and what can happen to that mailbox."""

    host: ImapHost
    office: Office
    watch: Watch
    name: str

    def one_pass(self, *, ok: bool, hours: float = 1) -> str:
        self.watch.forward(hours=hours)
        with duty_of(self.office) as duty:
            assert duty.one_pass() is ok, duty.said.getvalue()
        return duty.said.getvalue()

    def is_numbered_anew(self) -> None:
        time.sleep(1.1)  # the server takes the time in seconds as the new number
        self.host.renumber(self.name)

    def loses_its_folders(self) -> None:
        for folder in self.host.maildir(self.name).glob(".[PH]*"):
            shutil.rmtree(folder)

    def gates(self) -> int:
        return self.office.store.position(1).match.gate_number

    def notices(self) -> list[str]:
        return [mail.subject for mail in mails(self.office, kind="notice", to="gm@") if "ailbox" in mail.subject]

    def was_read(self) -> datetime | None:
        with self.office.store.reading() as session:
            pulse = session.exec(select(models.Pulse).where(models.Pulse.name == MAILBOX_READ)).first()
        return pulse.at if pulse else None


@pytest.fixture
def account(imap_host: ImapHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    watch, name = Watch(), imap_host.new_account()
    inbox = ImapIn(host="127.0.0.1", port=imap_host.imap, user=name, tls="none", timeout=10)
    settings = msgspec.structs.replace(settings_in(tmp_path / "war"), inbox=inbox)
    office = new_office(tmp_path / "war", watch, settings=settings)
    new_match(office)
    yield Account(imap_host, office, watch, name)
    office.store.engine.dispose()


def test_the_first_mailbox_is_taken_as_it_is_and_known_again(account: Account) -> None:
    """Nothing was ever filed away in it, and yet it is known again after it was numbered anew."""
    account.one_pass(ok=True)
    account.is_numbered_anew()
    account.one_pass(ok=True)
    account.one_pass(ok=True)
    assert account.notices() == ["The mailbox has been numbered anew; play goes on"]
    for _ in range(10):
        account.one_pass(ok=True, hours=20)
    assert account.gates() == 1, "the deadline has passed"


def test_another_mailbox_in_its_place_lets_no_deadline_pass_until_it_is_adopted(account: Account) -> None:
    account.host.put(account.name, LETTER % 1)
    account.one_pass(ok=True)
    read = account.was_read()
    account.is_numbered_anew()
    account.loses_its_folders()
    account.host.put(account.name, LETTER % 2)
    said = account.one_pass(ok=False)
    assert "another mailbox answers" in said
    assert "adopt" in said
    assert "letters were read" in said
    for _ in range(12):  # now the folder is there again, because a letter was filed away in it
        account.one_pass(ok=False, hours=20)
    assert (account.gates(), account.was_read()) == (0, read)
    assert account.notices() == ["Another mailbox answers: no deadline passes until you say so"]
    with account.office.store.reading() as session:
        assert len(session.exec(select(models.Letter.id)).all()) == 2

    from pbem.intake.adopting import adopt, survey

    found = survey(account.office)
    assert not found.has_nothing_to_adopt
    adopt(account.office, found)
    assert survey(account.office).has_nothing_to_adopt
    account.one_pass(ok=True)
    assert account.gates() == 1


def test_when_the_mailbox_on_record_answers_again_all_is_well(account: Account) -> None:
    account.one_pass(ok=True)
    other = dataclasses.replace(
        account,
        office=dataclasses.replace(
            account.office,
            settings=msgspec.structs.replace(
                account.office.settings,
                inbox=msgspec.structs.replace(account.office.settings.inbox, user=account.host.new_account()),
            ),
        ),
    )
    assert "no deadline passes" in other.one_pass(ok=False)
    account.one_pass(ok=True)
    assert account.notices() == ["Another mailbox answers: no deadline passes until you say so"]


def test_status_says_why_no_deadline_passes_and_adopt_mends_it(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    gm = Table(account.office.store.directory)
    inbox = f"  kind: imap\n  host: 127.0.0.1\n  port: {account.host.imap}\n  user: {account.name}\n  tls: none\n"
    (gm.directory / "settings.yaml").write_text(f"inbox:\n{inbox}")
    gm("tick")
    account.is_numbered_anew()
    account.loses_its_folders()
    assert "no deadline passes" in gm("tick", ok=1).stderr
    assert "another mailbox answers" in gm("status").stderr
    assert json.loads(gm("status", "--json").stdout)[0]["match"] == 1
    shown = gm("adopt", stdin="y\n").stdout
    assert f"on record: {account.name} at 127.0.0.1, folder INBOX, number " in shown
    assert "0 letters in it" in shown
    assert gm("status").stderr == ""
    gm("tick")


def test_adopt_leaves_a_mailbox_alone_that_cannot_be_asked(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    account.one_pass(ok=True)
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "wrong")
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    gm = Table(account.office.store.directory)
    inbox = f"  kind: imap\n  host: 127.0.0.1\n  port: {account.host.imap}\n  user: {account.name}\n  tls: none\n"
    (gm.directory / "settings.yaml").write_text(f"inbox:\n{inbox}")
    mark_in(gm.directory).unlink()
    said = gm("adopt", "--yes").stdout
    assert "cannot be asked" in said
    assert "adopt it when it can be asked" in said
    gm("status")


def test_a_maildir_is_asked_for_before_anything_else(tmp_path: Path) -> None:
    office = new_office(tmp_path / "war", Watch())
    must_be_whole(office)
    mark_in(office.settings.inbox.path).unlink()
    with pytest.raises(TheMaildirIsNotOurs):
        must_be_whole(office)
    shutil.rmtree(office.settings.inbox.path)
    with pytest.raises(TheMaildirIsGone):
        must_be_whole(office)
    assert open_store(tmp_path / "war", toy_games()).matches() == []
