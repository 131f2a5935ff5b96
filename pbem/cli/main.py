"""The command line of the GM. Each command does one thing and says what comes next.

What a command needs is imported when it is called: to say the version, or that there is nothing to do, takes no game.
"""

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from pbem.refusal import Refusal

if TYPE_CHECKING:
    from engine.game import Game
    from pbem.records.store import Store

#: Every command, in the order of the help: the module of this package that has it, and what the help says of it.
COMMANDS = {
    "init": ("matches", "Make a data directory: database, settings and a Maildir for letters."),
    "games": ("matches", "List the games and their scenarios."),
    "new": ("matches", "Start a match: seat the players and write the welcomes."),
    "orders": ("matches", "Take a side's sheet of orders and print the receipt."),
    "process": ("matches", "Seal the sheets that are in and run the open turn."),
    "show": ("looking", "Show the map and the record sheet."),
    "log": ("looking", "Tell what happened, turn by turn."),
    "status": ("looking", "Say how the matches stand: who is awaited, and until when."),
    "replay": ("looking", "Play a match again and compare every turn with the record."),
    "case": ("beside", "Run case files: a position, orders, dice, and their outcome."),
    "demo": ("beside", "Play a whole war by mail on this machine, to see how it goes."),
    "tick": ("at_work", "Read the letters, look at the clock, send the mail, once."),
    "run": ("at_work", "Be the referee until told to stop."),
    "letters": ("mail", "List the letters that came, each with what became of it."),
    "outbox": ("mail", "List the mail that waits to be sent or has failed, and why."),
    "deadline": ("mail", "Show the deadlines, move one, or give a match another clock."),
    "clock": ("mail", "Show whether the referee trusts the clock of this machine, or say that it is right."),
    "extend": ("mail", "Give the players of a match more time."),
    "pause": ("mail", "Let no deadline pass and run no turn until it is resumed."),
    "resume": ("mail", "Let a paused match go on."),
    "thaw": ("mail", "Run the turn again that failed and froze a match."),
    "replace": ("mail", "Seat somebody else."),
    "rollback": ("mending", "Take turns back."),
    "mend": ("mending", "Look at the positions on file, and make those again that are damaged."),
    "release": ("mending", "Read a held letter as one of a seat."),
    "gm-key": ("gm_key", "Show the key with which you command by mail, or get a new one."),
    "backup": ("keeping", "Copy the database, also while the referee is at work."),
    "adopt": (
        "keeping",
        "Take a directory, a restored database or another mailbox as it is, after showing what was found.",
    ),
    "verify": ("proving", "Check the dice of reports, or play a closed war again."),
    "close": (
        "proving",
        "Close a war that is over: publish its secret and all sheets, so that every player can check it.",
    ),
    "bundle": ("proving", "Write the bundle of a closed war to a file, as the players got it."),
    "map": ("maps", "Look at the board: hexes, boxes, crossings, and ways by land."),
}


class OnDemand(Mapping[str, Any]):
    """The commands by name. Each is imported when it is asked for, with those beside it."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            self._found |= _commands_in(COMMANDS[name][0])
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _commands_in(module: str) -> dict[str, Any]:
    part = typer.Typer(rich_markup_mode=None)
    found = import_module(f"pbem.cli.{module}")
    part.add_typer(getattr(found, f"{module}_app"))
    return dict(get_group(part).commands)


class PlainSpeaking(TyperGroup):
    """Commands that say in words on stderr what they cannot do, with exit code 1."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**{**attributes, "commands": OnDemand()})

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            say_why(refusal)
            raise typer.Exit(1) from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """As ever, but from the table, so that the help imports nothing."""
        listed = typer.Typer(rich_markup_mode=None)
        for name, (_, says) in COMMANDS.items():
            listed.command(name, help=says)(_nothing)
        TyperGroup(commands=dict(get_group(listed).commands)).format_commands(ctx, formatter)


def _nothing() -> None:
    pass


def say_why(refusal: Refusal) -> None:
    typer.echo(f"pbem: {refusal.why}.", err=True)
    if refusal.remedy:
        typer.echo(refusal.remedy, err=True)


app = typer.Typer(
    cls=PlainSpeaking,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # its listing of variables would show the secrets of the dice
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def known_games() -> "Mapping[str, Game]":
    from engine.game import games

    return games()


def directory_of(context: typer.Context) -> Path:
    from pbem.cli.directory import data_directory

    return data_directory(context.find_root().params["directory"])


def store_of(context: typer.Context) -> "Store":
    """The records in the data directory at hand."""
    from pbem.cli.directory import must_not_be_root_in
    from pbem.records.store import open_store

    directory = directory_of(context)
    must_not_be_root_in(directory, context)
    store = open_store(directory, known_games())
    context.call_on_close(store.engine.dispose)  # the last one to close leaves one file that can be copied
    return store


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pbem {version('pbem')}")
        raise typer.Exit


@app.callback(epilog="Example: pbem -C ~/wars status")
def pbem(
    directory: Annotated[
        Path | None,
        typer.Option(
            "-C",
            "--directory",
            metavar="DIR",
            envvar="PBEM_DIR",
            help="The data directory. Left out: the current directory if it is one, else the user's.",
        ),
    ] = None,
    show_version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_say_version, help="Print the version and stop."),
    ] = False,
) -> None:
    """A referee for wargames: takes sheets of orders, runs turns, shows each side what it may know."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # Königsberg on a terminal without umlauts
