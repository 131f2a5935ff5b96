"""The player's handbook keeps up: every command is in it with an example, and every example does what it says."""

import re

import pytest

from pbem.commands.gm import GM_COMMANDS
from pbem.commands.table import COMMANDS
from pbem.desk.requests import requests_in
from pbem.words.wording import WIDTH
from tests.the_project import ROOT

HANDBOOK = (ROOT / "docs" / "players-handbook.md").read_text(encoding="utf-8")
CHAPTERS = dict(re.findall(r"^### ([A-Z]+)\n(.*?)(?=^##|\Z)", HANDBOOK, re.MULTILINE | re.DOTALL))


def orders() -> tuple[str, ...]:
    from engine.game import game_named

    return game_named("hitlers-war").language("barbarossa").beginnings


@pytest.mark.parametrize("word", COMMANDS)
def test_every_command_has_a_chapter_with_an_example(word):
    assert word in CHAPTERS
    examples = re.findall(r"```\n(.*?)```", CHAPTERS[word], re.DOTALL)
    assert examples
    for example in examples:
        assert word in {one.word for one in requests_in(example.splitlines(), COMMANDS, orders())}


def test_the_handbook_has_no_command_that_is_not_there():
    assert set(CHAPTERS) == set(COMMANDS)


@pytest.mark.parametrize("word", GM_COMMANDS)
def test_every_word_of_the_gm_is_in_the_table(word):
    assert re.search(rf"^\| `{word}` \| `{word}", HANDBOOK, re.MULTILINE)


@pytest.mark.parametrize("command", [*COMMANDS.values(), *GM_COMMANDS.values()], ids=lambda one: one.word)
def test_every_command_explains_itself(command):
    assert command.usage.startswith(command.word)
    assert command.what
    assert not command.what.endswith(".")
    assert all(len(line) < WIDTH - 2 for line in command.usage.splitlines())


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda one: one.word)
def test_every_usage_is_understood(command):
    """What HELP shows can be sent as it is, once the brackets are gone."""
    usage = re.sub(r" \[.*?\]", "", command.usage).format(side="soviet", case="HW-8.4")
    body = "\nATTACK Center P14 ASSAULT" if command.word in ("ORDERS", "CHECK") else ""
    assert command.word in {one.word for one in requests_in((usage + body).splitlines(), COMMANDS, orders())}
