"""The GM's commands for the data directory itself: a copy to keep, and what has changed hands."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import kept as keeping
from pbem.cli.at_hand import remark
from pbem.cli.directory import data_directory, must_not_be_root_in
from pbem.cli.mail import AsJson
from pbem.cli.mending import Yes, ask
from pbem.intake import adopting
from pbem.post.office import Office
from pbem.records.backup import Progress, back_up_to
from pbem.records.database import open_whatever_is_there
from pbem.records.place import database_in
from pbem.records.store import Store
from pbem.screens.console import as_json
from pbem.settings import load_settings

keeping_app = typer.Typer()

#: Of a database above it, in bytes, one sees how far the copy has come.
LARGE = 200_000_000


@keeping_app.command(epilog="Example: pbem backup ~/backup/pbem.sqlite")
def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to keep the copy, best on another disk.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a file that is there, once the copy has been checked.")
    ] = False,
    as_json_: AsJson = False,
) -> None:
    """Copy the database, also while the referee is at work.

    The copy is checked, and readable for you alone: it holds the secrets of the dice and the keys of the players.
    """
    from pbem.cli.main import store_of

    directory = store_of(context).directory
    with _progress(database_in(directory)) as progress:
        made = back_up_to(directory, file.expanduser(), replace=replace, progress=progress)
    typer.echo(as_json(keeping.copy_facts(made)) if as_json_ else keeping.copy_text(made))


@contextmanager
def _progress(database: Path) -> Iterator[Progress]:
    """A bar on the screen, if there is one and it takes long enough to be looked at."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    screen = Console(stderr=True)
    if database.stat().st_size < LARGE or not screen.is_terminal:
        yield lambda *_: None
        return
    with Bar(console=screen, transient=True) as bar:
        task = bar.add_task("copying", total=None)
        yield lambda done, pages: bar.update(task, completed=done, total=pages)


@keeping_app.command(epilog="Example: pbem adopt   (it asks before it does anything)")
def adopt(context: typer.Context, yes: Yes = False, as_json_: AsJson = False) -> None:
    """Take a directory, a restored database or another mailbox as it is, after showing what was found.

    Nothing is read, sent or passed by it; the next pass does so.
    """
    office = _office_as_it_is(context)
    found = adopting.survey(office)
    if not as_json_:
        typer.echo(keeping.survey_text(found))
    if not found.has_nothing_to_adopt:
        if not yes:
            ask("Take all this as it is?")
        adopting.adopt(office, found)
    if as_json_:
        typer.echo(as_json(keeping.survey_facts(found, adopted=not found.has_nothing_to_adopt)))
    elif found.has_nothing_to_adopt:
        typer.echo("All of this belongs together; there is nothing to adopt.")
    else:
        _say_what_comes_next(found)


def _office_as_it_is(context: typer.Context) -> Office:
    """Opened although the database and the directory may not know each other."""
    from pbem.cli.main import known_games

    directory = data_directory(context.find_root().params["directory"])
    must_not_be_root_in(directory, context)
    settings = load_settings(directory, remark)
    store = Store(directory, open_whatever_is_there(directory), known_games())
    context.call_on_close(store.engine.dispose)
    return Office(store, settings, store.clock)


def _say_what_comes_next(found: adopting.Survey) -> None:
    if found.mailbox.trouble:
        typer.echo("The directory is adopted. The mailbox is as it was; adopt it when it can be asked.")
        return
    typer.echo("Adopted. Deadlines count again with the next pass: pbem tick, or pbem run.")
    typer.echo("If sheets may have been lost, give their players more time first: pbem extend MATCH HOURS")
