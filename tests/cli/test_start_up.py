"""Starting is quick: a command imports what it needs, and `--version`, `--help` and an idle tick need little."""

import subprocess
import sys

import pytest
import typer
from typer.main import get_command

from pbem.cli.main import COMMANDS, _commands_in, app
from tests.postal import START, Watch, duty_of, new_match, new_office

HEAVY = (
    "sqlalchemy",
    "sqlmodel",
    "pydantic",
    "PIL",
    "jinja2",
    "alembic",
    "lark",
    "rich",
    "msgspec",
    "engine",
    "pbem.draw",
)

#: By these the settings and the words of a command are read.
READERS = ("msgspec", "pydantic")


def imported_by(*words: str) -> set[str]:
    """The modules a command has imported when it is done."""
    program = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr))\n"
        "from pbem.cli.main import app\n"
        "app(sys.argv[1:], prog_name='pbem')"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def of_these(modules: set[str], heavy: tuple[str, ...]) -> list[str]:
    return sorted(name for name in modules if any(name == one or name.startswith(f"{one}.") for one in heavy))


@pytest.mark.parametrize("words", [("--version",), ("--help",)])
def test_to_say_the_version_or_what_there_is_takes_no_library(words):
    modules = imported_by(*words)
    assert "pbem.cli.main" in modules
    assert of_these(modules, HEAVY) == []


def test_an_idle_tick_takes_no_game_no_picture_and_no_tables(tmp_path):
    office = new_office(tmp_path / "war", Watch(START))
    new_match(office)
    with duty_of(office) as duty:
        assert duty.one_tick()
    modules = imported_by("-C", str(tmp_path / "war"), "tick", "--now", "2026-11-16T12:05+00:00")
    assert "pbem.service.glance" in modules
    assert "pbem.service.daemon" not in modules
    assert of_these(modules, tuple(name for name in HEAVY if name not in READERS)) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_of_every_command_what_it_says_itself(name):
    command = get_command(app).commands[name]
    _, says = COMMANDS[name]
    assert " ".join(command.help.split()).startswith(says)
    for width in (30, 45, 60, 200):
        assert get_command_of_table(name).get_short_help_str(width) == command.get_short_help_str(width)


def get_command_of_table(name):
    """What the list of commands shows, as if it were a command."""
    listed = typer.Typer(rich_markup_mode=None)
    listed.command(name, help=COMMANDS[name][1])(lambda: None)
    return get_command(listed)


def test_the_table_has_every_command_of_its_modules():
    for module in {module for module, _ in COMMANDS.values()}:
        assert set(_commands_in(module)) == {name for name, (where, _) in COMMANDS.items() if where == module}


def test_a_command_that_does_not_exist_is_refused_without_a_library():
    program = "from pbem.cli.main import app; app(['statsu'], prog_name='pbem')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Did you mean 'status'" in done.stderr
