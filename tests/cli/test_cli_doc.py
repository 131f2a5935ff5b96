"""The handbook keeps up with the command line: every command and every option of it is in docs/."""

import re

import pytest
from typer.main import get_command

from pbem.cli.main import app
from tests.the_project import ROOT

DOCS = ROOT / "docs"
HANDBOOK = (DOCS / "gm-handbook.md").read_text(encoding="utf-8")
COMMANDS = get_command(app).commands
#: Said once for all commands.
COMMON = {"--help", "--json"}


def options_of(command) -> list[str]:
    named = [name for option in command.params for name in option.opts if name.startswith("--")]
    return [name for name in named if name not in COMMON]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_handbook(name):
    assert re.search(rf"`pbem {name}[ `]", HANDBOOK), f"docs/gm-handbook.md does not mention: pbem {name}"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "map"])
def test_every_option_is_in_the_row_of_its_command(name):
    row = next(line for line in HANDBOOK.splitlines() if re.match(rf"\| .*`pbem {name}[ `]", line))
    assert [option for option in options_of(COMMANDS[name]) if f"{option}" not in row] == []


def test_the_handbook_names_no_command_that_does_not_exist():
    used = set(re.findall(r"(?:^|`|bin/)pbem (?:-C \S+ )?([a-z][\w-]+)", HANDBOOK, re.MULTILINE))
    assert used <= set(COMMANDS), used - set(COMMANDS)


def headings_of(page: str) -> set[str]:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    titles = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", ["gm-handbook.md", "security.md"])
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)]+)\)", (DOCS / page).read_text(encoding="utf-8")):
        other, _, anchor = target.partition("#")
        assert not other or (DOCS / other).exists(), target
        assert not anchor or anchor in headings_of(other or page), target


def test_files_that_are_named_exist():
    for name in set(re.findall(r"`(deploy/[\w./-]+)`", HANDBOOK)):
        assert (DOCS.parent / name).exists(), name
