"""What a game offers beside the matches: judging cases, and a war to look at."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.offered import OfGame, example, offered

beside_app = typer.Typer()

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for a script.")]


@beside_app.command(epilog=example("case"))
def case(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Case files, in YAML.")],
    game: OfGame = "",
    as_json: AsJson = False,
) -> None:
    """Run case files: a position, orders, dice, and their outcome."""
    from pbem.cli.cases import run_case_files

    _, judge = offered("way to judge cases", lambda tools: tools.judge(), game)
    raise typer.Exit(run_case_files(judge, files, json=as_json))


@beside_app.command(epilog=example("demo"))
def demo(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where to play it; left out: demo-war here.")] = Path(
        "demo-war"
    ),
    scenario: Annotated[str, typer.Option(metavar="SCENARIO", help="Which scenario; left out: a short one.")] = "",
    game: OfGame = "",
) -> None:
    """Play a whole war by mail on this machine, to see how it goes."""
    from pbem.cli.demo import play_demo

    play_demo(directory, scenario, game)
