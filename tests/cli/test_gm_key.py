"""The GM by mail: he is known by his key, forged letters cost him little, and `pbem gm-key` shows it or makes another."""

import json
from email import message_from_bytes
from email.policy import default

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import pbem.cli.main
from pbem.mail.correspondents import drop_into, mailbox_contents
from pbem.records import models
from pbem.records.secrecy import secrets_of
from pbem.settings import Limits, Referee
from tests.crashing import letter
from tests.letterbox import REFEREE, Letterbox, body_of, message_of, new_letterbox, settings_for
from tests.postal import GM
from tests.toy.table import toy_games


def with_limits(tmp_path, **limits: int) -> Letterbox:
    return new_letterbox(tmp_path / "war", settings=settings_for(tmp_path, limits=Limits(**limits)))


# ------------------------------------------------------------------ letters


def test_a_gm_confirms_what_he_wants(box):
    assert box.gm("PAUSE 1").fate == models.ACCEPTED
    assert not box.office.store.position(1).match.paused
    mail = box.only_mail()
    assert mail.recipient == GM
    assert "CONFIRM" in body_of(mail)


@pytest.mark.parametrize("key", ["", "gm-aaaaaaaaaaaaaaaaaaaa", "gm-"])
@pytest.mark.parametrize("text", ["PAUSE 1", "HELP"])
def test_a_gm_is_not_believed_for_his_address(box, key, text):
    letter = box.gm(text, key=key)
    assert (letter.fate, letter.proved, "without his key" in letter.reason) == (models.ANSWERED, False, True)
    mail = box.only_mail()
    assert mail.recipient == GM
    assert "nothing in it was done" in body_of(mail).replace("\n", " ")
    assert "Two Hills" not in body_of(mail)
    assert f"{{{box.gm_key()}}}" in message_of(mail)["Subject"], "so that a reply brings the key"
    with box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_a_forged_gm_costs_three_mails_a_day_and_locks_nobody_out(tmp_path):
    box = with_limits(tmp_path, letters_a_day=3)
    fates = [box.gm("STATUS", key="").fate for _ in range(120)]
    assert fates == [models.ANSWERED] * 3 + [models.HELD] * 117
    assert len(box.new_mail()) == 3
    assert box.gm("PAUSE 1").fate == models.ACCEPTED
    assert box.gm(f"CONFIRM {box.word('PAUSE')}").fate == models.ACCEPTED
    assert box.office.store.position(1).match.paused
    box.watch.forward(days=1)
    assert box.gm("STATUS", key="").fate == models.ANSWERED


def test_every_mail_to_a_gm_brings_his_own_key_and_no_other_mail_does(tmp_path):
    gms = ("gm@example.org", "Second@Example.org")
    box = new_letterbox(
        tmp_path / "war",
        settings=settings_for(tmp_path, referee=Referee(address=REFEREE, gm=gms, plus_addressing=True)),
    )
    box.play("red", "EXTEND 24")
    box.gm("BROADCAST 1\nWrite to me.\nEND")
    box.gm(f"CONFIRM {box.word('BROADCAST')}")
    keys = {gm: box.gm_key(gm) for gm in gms}
    assert len(set(keys.values())) == 2
    for mail in box.outgoing():
        shown = {gm for gm, key in keys.items() if key[3:] in mail.raw.decode()}
        assert shown == {mail.recipient} & set(gms)
        assert not any(key[3:] in mail.subject for key in keys.values())
        if mail.recipient in gms:
            assert f"{{{keys[mail.recipient]}}}" in message_of(mail)["Subject"]
            assert message_of(mail)["Reply-To"] == f"referee+{keys[mail.recipient].replace('-', '.')}@example.org"
    assert box.send("second@example.org", "STATUS", key=keys[gms[1]]).proved
    assert "without his key" in box.send("second@example.org", "STATUS", key=keys[gms[0]]).reason


def test_the_key_of_a_gm_may_stand_in_the_body_or_the_address(box):
    key = box.gm_key()
    assert box.gm(f"PAUSE 1\nKEY {key}", key="").fate == models.ACCEPTED
    plus = f"referee+{key.replace('-', '.')}@example.org"
    raw = box.compose(GM, "PAUSE 1").replace(REFEREE.encode(), plus.encode())
    assert box.bring(raw).fate == models.ACCEPTED
    assert box.send("thief@example.com", "PAUSE 1", key=key).fate == models.ANSWERED, "as anybody without a seat"
    assert "do not know you" in body_of(box.new_mail("thief@")[0])


def test_the_key_of_a_gm_gets_into_nothing_that_others_read(box):
    key = box.gm_key()
    letter = box.gm(f"BROADCAST 1\nMy key is {key} or {key[3:]}.\nEND", subject=f"Re: {key}")
    box.gm(f"CONFIRM {box.word('BROADCAST')}")
    box.play("red", f"PRESS TO blue\nI have seen {key}.\nEND")
    box.play("red", f"# {key}\nTAKE north")
    assert key[3:] not in letter.subject
    assert not any(key[3:] in mail.raw.decode() for side in ("red", "blue") for mail in box.new_mail(f"{side}@"))
    assert key[3:] not in str([sheet.text for sheet in box.sheets()])
    with box.office.store.reading() as session:
        assert key[3:] in secrets_of(session)


def test_a_word_sent_to_the_gm_is_as_good_as_his_key(box):
    box.gm("PAUSE 1")
    assert box.gm(f"CONFIRM {box.word('PAUSE')}", key="").fate == models.ACCEPTED
    assert box.office.store.position(1).match.paused


def test_a_gms_word_counts_from_his_address_alone(box):
    box.gm("PAUSE 1")
    word = box.word("PAUSE")
    box.send("thief@example.com", f"CONFIRM {word}")
    box.play("red", f"CONFIRM {word}")
    assert not box.office.store.position(1).match.paused
    box.gm(f"CONFIRM {word}")
    assert box.office.store.position(1).match.paused


def test_a_gm_with_a_seat_is_a_player_by_his_key(tmp_path):
    settings = settings_for(tmp_path, referee=Referee(address=REFEREE, gm=("red@example.net",)))
    box = new_letterbox(tmp_path / "war", settings=settings)
    assert box.play("red", "TAKE north").fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE north\n"
    assert box.play("red", "PAUSE 1").fate == models.ACCEPTED
    assert box.send("red@example.net", "PAUSE 1", key=box.gm_key("red@example.net")).fate == models.ACCEPTED
    assert not box.office.store.position(1).match.paused
    assert "without his key" in box.send("red@example.net", "TAKE north").reason


# ------------------------------------------------------------------ the console


class Console:
    def __init__(self, directory) -> None:
        self.directory = directory

    def __call__(self, *words: object, ok: int = 0) -> str:
        result = CliRunner().invoke(pbem.cli.main.app, ["-C", str(self.directory), *map(str, words)])
        assert result.exit_code == ok, result.output
        return result.output

    def key(self, *words: str) -> str:
        (found,) = json.loads(self("gm-key", *words, "--json"))
        assert found["address"] == GM
        return found["key"]

    def writes(self, number: int, key: str, text: str) -> None:
        raw = letter(number, "gm", key, text)
        assert message_from_bytes(raw, policy=default)["From"] == GM
        drop_into(self.directory / "mail" / "in", raw, f"{number}.test")
        self("tick")

    def mails(self) -> list[str]:
        return [str(mail["Subject"]) for mail in mailbox_contents(self.directory / "mail" / "out" / GM)]


@pytest.fixture
def console(tmp_path, monkeypatch) -> Console:
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    made = Console(tmp_path / "wars")
    made("init", made.directory)
    return made


def name_the_gm(console: Console) -> None:
    settings = console.directory / "settings.yaml"
    settings.write_text(settings.read_text().replace("gm: [] ", f"gm: [{GM}] "))


def test_the_gm_commands_with_the_key_that_the_console_shows(console):
    name_the_gm(console)
    key = console.key()
    assert f"{GM}  {{{key}}}  since" in console("gm-key")
    console.writes(1, key, "STATUS")
    assert [subject.partition(" {")[0] for subject in console.mails()] == ["How the matches stand"]
    assert console.mails()[0].endswith(f" {{{key}}}")
    assert key[3:] not in console("outbox", "--all") + console("letters") + console("letters", "--show", 1)


def test_a_new_key_is_mailed_and_the_old_one_counts_no_more(console):
    name_the_gm(console)
    old, new = console.key(), console.key(GM.upper(), "--renew")
    assert old != new == console.key()
    console.writes(1, old, "STATUS")
    assert console.mails() == [f"Your new key {{{new}}}", f"Your key was not in your mail {{{new}}}"]
    console.writes(2, new, "STATUS")
    assert console.mails()[-1] == f"How the matches stand {{{new}}}"


def test_only_a_gm_has_a_key(console):
    assert "gm: [gm@example.org]" in console("gm-key", ok=1)
    name_the_gm(console)
    assert "eve@example.com is no GM's address" in console("gm-key", "eve@example.com", ok=1)
