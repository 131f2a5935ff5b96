"""The GM's commands that look and change nothing: a position, what happened, how the matches stand."""

from typing import Annotated

import typer

from pbem.cli.mail import AsJson, MatchNumber
from pbem.cli.main import say_why, store_of
from pbem.cli.offered import example
from pbem.intake.mailbox import why_no_deadline_passes
from pbem.records.matches import Standing
from pbem.records.store import Store
from pbem.refusal import Refusal
from pbem.screens import console

looking_app = typer.Typer()

AsSide = Annotated[
    str | None,
    typer.Option("--as", metavar="SIDE", help="What this side may know; `public`: what every side may know."),
]


@looking_app.command(epilog=example("show"))
def show(context: typer.Context, match: MatchNumber, side: AsSide = None, as_json: AsJson = False) -> None:
    """Show the map and the record sheet. Without --as it is the GM's view, which shows everything."""
    position = store_of(context).position(match)
    console.check_reader(position, side)
    if as_json:
        typer.echo(console.as_json(console.view_facts(position, side)))
    else:
        typer.echo(console.show_text(position, side))


@looking_app.command(epilog=example("log"))
def log(
    context: typer.Context,
    match: MatchNumber,
    side: AsSide = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="This turn alone.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what happened, turn by turn. Without --as it is the GM's diary, which tells everything."""
    store = store_of(context)
    position = store.position(match)
    console.check_reader(position, side)
    turns = store.runs_of(match, turn)
    told = [console.Told(one, store.events_of(one)) for one in turns]
    if as_json:
        typer.echo(console.as_json([console.turn_facts(position, one, side) for one in told]))
    else:
        typer.echo(console.log_text(position, told, side))


@looking_app.command(epilog="Example: pbem status 1")
def status(
    context: typer.Context,
    match: Annotated[int | None, typer.Argument(metavar="MATCH", help="One match; left out: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how the matches stand: who is awaited, and until when."""
    store = store_of(context)
    standings, refusals = _standings(store, match)
    if as_json:
        typer.echo(console.as_json([console.match_facts(standing) for standing in standings]))
    elif standings or not refusals:
        typer.echo(console.status_text(standings))
    for refusal in refusals:
        say_why(refusal)
    if held := why_no_deadline_passes(store):
        say_why(held)
    if refusals:
        raise typer.Exit(1)


def _standings(store: Store, match: int | None) -> tuple[list[Standing], list[Refusal]]:
    """How one or all matches stand. One that cannot be read does not hide the others."""
    if match is not None:
        return [store.standing(match)], []
    standings: list[Standing] = []
    refusals: list[Refusal] = []
    for one in store.matches():
        try:
            standings.append(store.standing(one.id or 0))
        except Refusal as refusal:
            refusals.append(refusal)
    return standings, refusals


def _rules_of(store: Store, match_id: int) -> int:
    with store.reading() as session:
        return store.game(store.match_in(session, match_id).game).rules


@looking_app.command(epilog="Example: pbem replay 1")
def replay(context: typer.Context, match: MatchNumber, as_json: AsJson = False) -> None:
    """Play a match again and compare every turn with the record.

    Exit code 1 says that they differ; the first difference is named.
    """
    from pbem.records.replay import replay as play_again

    store = store_of(context)
    steps = play_again(store, match)
    if as_json:
        typer.echo(console.as_json([console.step_facts(step) for step in steps]))
    else:
        typer.echo(console.replay_text(match, steps, _rules_of(store, match)))
    if any(step.difference is not None for step in steps):
        raise typer.Exit(1)
