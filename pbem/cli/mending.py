"""The GM's commands that put something right: a turn that should not have been run, a letter that was held."""

from typing import Annotated

import typer

from pbem import rollback as rolling_back
from pbem.cli.at_hand import office_for
from pbem.cli.mail import AsJson, MatchNumber, changing, say_that_mail_waits
from pbem.cli.main import store_of
from pbem.cli.offered import example
from pbem.desk import releasing
from pbem.intake import settling
from pbem.screens import console, mailroom
from pbem.screens.console import Facts, as_json, moment

mending_app = typer.Typer()

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def ask(question: str) -> None:
    """On the screen, not among what a script reads; anything but yes stops the command."""
    typer.confirm(question, abort=True, err=True)


# ------------------------------------------------------------------ turns


@mending_app.command(epilog='Example: pbem rollback 1 --to 3 --why "a battle was resolved wrongly"')
def rollback(
    context: typer.Context,
    match: MatchNumber,
    to: Annotated[
        int | None,
        typer.Option("--to", metavar="TURN", min=0, help="The last turn that shall count; left out: the one before."),
    ] = None,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; the players read it.")] = "",
    yes: Yes = False,
    as_json_: AsJson = False,
) -> None:
    """Take turns back. The gate is open again with a new deadline, and every player is told.

    The turns stay on file and in the log, but do not count. If the players ended the war, --to left out takes back
    only that.
    """
    office = office_for(context)
    with office.store.reading() as session:
        seen = rolling_back.plan(session, office, office.store.match_in(session, match), to)
    if not yes:
        ask(f"Match {match}, {seen.match.title}: {seen.in_words()}. Do it?")
    with changing(context, match) as (session, office, found):
        planned = rolling_back.plan(session, office, found, seen.to)
        rolling_back.must_be_as_seen(planned, seen.runs)
        done = rolling_back.roll_back(session, office, planned, why)
    if as_json_:
        typer.echo(as_json(_rollback_facts(done)))
        return
    until = f" Deadline: {moment(done.deadline)}." if done.deadline else ""
    typer.echo(f"Done: {planned.gate.title} is open again in match {match}.{until}")
    say_that_mail_waits()


def _rollback_facts(done: rolling_back.RolledBack) -> Facts:
    planned = done.plan
    return {
        "match": planned.match.id,
        "to": planned.to,
        "taken_back": [{"turn": turn.number, "run": turn.run, "title": turn.title} for turn in planned.turns],
        "ended": planned.ended,
        "gate": planned.gate,
        "deadline": done.deadline,
    }


# ------------------------------------------------------------------ positions


@mending_app.command(epilog="Example: pbem mend 1")
def mend(context: typer.Context, match: MatchNumber, as_json_: AsJson = False) -> None:
    """Look at the positions on file, and make those again that are damaged.

    Their turns are played again from the last position that can be read. Exit code 1 says that some cannot be made
    again; then a backup copy is needed.
    """
    found = store_of(context).mend(match)
    typer.echo(as_json([console.found_facts(one) for one in found]) if as_json_ else console.mended_text(match, found))
    if any(one.again is None for one in found):
        raise typer.Exit(1)


# ------------------------------------------------------------------ letters


@mending_app.command(epilog=f"{example('release')}   (pbem letters --held lists what is held)")
def release(
    context: typer.Context,
    letter: Annotated[int, typer.Argument(metavar="LETTER", min=1, help="The number of the held letter.")],
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Whose letter it is; left out: whose it seemed to be.")
    ] = "",
    match: Annotated[
        int | None, typer.Option("--match", metavar="MATCH", min=1, help="The match, if the letter does not say it.")
    ] = None,
    yes: Yes = False,
    as_json_: AsJson = False,
) -> None:
    """Read a held letter as one of a seat. Its key or its address may have been wrong.

    You vouch for it: what it asks for is done, once, and the answer goes to the seat's own address.
    """
    office = office_for(context)
    with office.store.reading() as session:
        found = releasing.held_letter(session, letter)
        seat = releasing.seat_to_release_to(session, found, match, side)
        what = releasing.in_words(session, office, found, seat)
        said = mailroom.letters_text([mailroom.letter_facts(found)], held=True)
    if not yes:
        ask(f"{said}\nShall {what}?")
    with office.store.writing() as session:
        found = releasing.held_letter(session, letter)
        seat = releasing.seat_to_release_to(session, found, seat.match_id, seat.side)
        releasing.release(session, office, found, seat)
    settling.settle(office, letter)
    with office.store.reading() as session:
        facts = mailroom.letter_facts(releasing.letter_named(session, letter))
    if as_json_:
        typer.echo(as_json(facts))
        return
    typer.echo(f"Letter {letter} was read as one of {seat.side} in match {seat.match_id}: {facts['fate']}.")
    typer.echo(f"The answer goes to {seat.address} with the next mail: pbem tick, or pbem run if it is running.")
