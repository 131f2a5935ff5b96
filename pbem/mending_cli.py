"""The GM's commands that put something right: a turn that should not have been run, a letter that was held."""

from typing import Annotated

import typer

from pbem import rollback as rolling_back
from pbem.console import Facts, as_json, moment
from pbem.mail_cli import AsJson, MatchNumber, changing, office_for, say_that_mail_waits

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
