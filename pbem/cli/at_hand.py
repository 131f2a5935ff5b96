"""What the commands share: the office of the data directory at hand, and how a moment is named. It imports little."""

import dataclasses
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pbem.post.office import Office


def office_for(context: typer.Context, now: datetime | None = None) -> "Office":
    """The office of the data directory at hand. With `now`, its clock stands still."""
    from pbem.cli.main import store_of
    from pbem.post.office import Office
    from pbem.settings import load_settings

    store = store_of(context)
    if now is not None:
        store = dataclasses.replace(store, clock=lambda: now)
    return Office(store, load_settings(store.directory, remark), store.clock)


def remark(what: str) -> None:
    """On the screen or in the log of the service, beside whatever the command says."""
    typer.echo(f"pbem: {what}.", err=True)


def moment_from(text: str) -> datetime:
    """`2026-11-16T20:00+01:00`; without a zone it is UTC."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a time such as 2026-11-16T20:00+01:00") from None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


Now = Annotated[
    datetime | None,
    typer.Option(
        "--now",
        metavar="TIME",
        parser=moment_from,
        help="Act as if it were this time, for a rehearsal on a copy; such as 2026-11-16T20:00+01:00.",
    ),
]
