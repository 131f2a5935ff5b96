"""`pbem gm-key`: the GM learns the key with which he commands by mail, and gets another when somebody has seen it."""

import json
from email import message_from_bytes
from email.policy import default

import pytest
from typer.testing import CliRunner

import pbem.cli.main
from pbem.mail.correspondents import drop_into, mailbox_contents
from tests.crashing import letter
from tests.toy.table import toy_games

GM = "gm@example.org"


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
