"""`pbem map`: the board in words. A summary, single places, and the way between two."""

from collections.abc import Callable
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
import typer
from rich.console import Console

from pbem.cli import printing
from pbem.cli.offered import OfGame, example, offered
from pbem.games.tools import Board, NoSuchPlace, NoSuchStart, Shown

maps_app = typer.Typer()
map_app = typer.Typer(help="Look at the board: hexes, boxes, crossings, and ways by land.")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Answer = TypeVar("Answer")


@map_app.callback(invoke_without_command=True)
def overview(context: typer.Context, game: OfGame = "", as_json: AsJson = False) -> None:
    """Look at the board: hexes, boxes, crossings, ways by land. Without a command: a summary of it all."""
    if context.invoked_subcommand is not None:
        return
    board = _board(context)
    facts = board.overview()
    if as_json:
        _print_json(facts)
    else:
        _show(board.overview_shown(facts))


@map_app.command("hex", epilog=example("map hex"))
def show_places(
    context: typer.Context,
    places: Annotated[list[str], typer.Argument(help="Places of the board, by id or name.")],
    game: OfGame = "",
    as_json: AsJson = False,
) -> None:
    """What the map says about hexes or boxes, and who begins there."""
    board = _board(context)
    facts = [board.place(_or_exit(board.find, place)) for place in places]
    if as_json:
        _print_json(facts)
    else:
        for one in facts:
            _show(board.place_shown(one))


@map_app.command("route", epilog=example("map route"))
def show_route(
    context: typer.Context,
    start: Annotated[str, typer.Argument(metavar="FROM", help="The place to start from.")],
    goal: Annotated[str, typer.Argument(metavar="TO", help="The place to reach.")],
    side: Annotated[str, typer.Option(help="Whose hexes to go through.")],
    scenario: Annotated[str, typer.Option(help="The scenario whose start to look at; left out: the first.")] = "",
    game: OfGame = "",
    as_json: AsJson = False,
) -> None:
    """The shortest way by land at the start of a scenario. It leads through friendly hexes of a side alone."""
    board = _board(context)
    facts = _or_exit(board.route, start, goal, side, scenario)
    if as_json:
        _print_json(facts)
    else:
        _show(board.route_shown(facts))
    if not facts["route"]:
        raise typer.Exit(1)


map_app.command("print", epilog=printing.EXAMPLE)(printing.print_map)
maps_app.add_typer(map_app, name="map")


def _board(context: typer.Context) -> Board:
    """Of the game that was named with the command, or before it."""
    above = context.parent.params.get("game") if context.parent else ""
    return offered("board", lambda tools: tools.board(), context.params["game"] or above or "")[1]


def _or_exit(asked: Callable[..., Answer], *words: str) -> Answer:
    """What the board answers, or what it did not understand."""
    try:
        return asked(*words)
    except (NoSuchPlace, NoSuchStart) as error:
        _refuse(str(error))


def _refuse(complaint: str) -> NoReturn:
    typer.echo(complaint, err=True)
    raise typer.Exit(2)


def _print_json(facts: Any) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(facts), indent=2).decode())


def _show(shown: Shown) -> None:
    console = Console(highlight=False)
    for one in shown:
        console.print(one)
