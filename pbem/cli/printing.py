"""`pbem map print`: the map and the record sheets of a match on one page, for the wall."""

from pathlib import Path
from typing import Annotated

import typer

from engine.events import Event, canonical
from pbem.cli.offered import example
from pbem.games import box_of
from pbem.games.tools import NoSuchPlace, tools_of
from pbem.records.matches import Position
from pbem.records.store import Store
from pbem.refusal import Refusal
from pbem.screens.console import check_reader

SUFFIX = ".png"
EXAMPLE = example("map print")


class CannotBePrinted(Refusal):
    """The page cannot be drawn, or cannot be written where it should go."""


def print_map(
    context: typer.Context,
    match: Annotated[int, typer.Argument(metavar="MATCH", help="The number of the match.", min=1)],
    side: Annotated[
        str | None,
        typer.Option(
            "--as",
            "--side",
            metavar="SIDE",
            help="What this side may know; `public`: what every side may know. Left out: all, for the GM.",
        ),
    ] = None,
    around: Annotated[
        str | None,
        typer.Option("--around", metavar="PLACE", help="Only what is around a hex, a city, a country or a box."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE.png", help="Where to write it. Left out: map-MATCH-SIDE.png here."
        ),
    ] = None,
) -> None:
    """Print the map with the last turn and the record sheets. It is a PNG for a sheet of A3 at 300 dots an inch.

    With --around it is the part of the map that `MAP PLACE` brings by mail.
    """
    from pbem.cli.main import store_of

    store = store_of(context)
    position = store.position(match)
    check_reader(position, side)
    target = output or Path(f"map-{match}-{side or 'gm'}{SUFFIX}")
    _check(position, target)
    if around is not None:
        title, page = _part(position, side, around)
        _write(target, page)
        typer.echo(f"Wrote {target}: around {title}.")
        return
    _write(target, _page(store, position, side))
    typer.echo(f"Wrote {target}: A3, 300 dots an inch.")


def _check(position: Position, target: Path) -> None:
    if tools_of(position.match.game).page() is None:
        raise CannotBePrinted(f"the board of {position.game.title} cannot be drawn yet", "pbem show prints it as text.")
    if target.suffix.lower() != SUFFIX:
        raise CannotBePrinted(f"{target} does not end in {SUFFIX}, and the page is a PNG", f"-o {target.stem}{SUFFIX}")


def _page(store: Store, position: Position, side: str | None) -> bytes:
    page = tools_of(position.match.game).page()
    assert page is not None  # or it was refused
    return page(position.view(side), _last_told(store, position, side))


def _part(position: Position, side: str | None, around: str) -> tuple[str, bytes]:
    from pbem.games.box import easel

    view, box = position.view(side), box_of(position.game)
    try:
        part = box.part(view, around)
    except NoSuchPlace as error:
        raise CannotBePrinted(f"the map has no {around!r}", str(error)) from None
    draw = easel(box, canonical(view), canonical([]), "")
    return part.title, draw(part.pictures[0].what)


def _last_told(store: Store, position: Position, side: str | None) -> list[Event]:
    """What the reader was told of the turn that was run last."""
    turns = store.turns_of(position.match_id)
    events = store.events_of(turns[-1]) if turns else []
    return position.game.told(events, side, position.options.fog)


def _write(target: Path, page: bytes) -> None:
    try:
        target.write_bytes(page)
    except OSError as error:
        raise CannotBePrinted(
            f"{target} cannot be written ({error.strerror})", "Name another file with -o FILE.png."
        ) from None
