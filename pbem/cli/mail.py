"""The GM's commands around the mail: looking at letters and mails, deadlines and seats."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email.utils import parseaddr
from typing import Annotated, Any

import typer
from sqlmodel import Session

from pbem import referee
from pbem.cli.at_hand import Now, moment_from, office_for
from pbem.cli.offered import example
from pbem.letters.addresses import PLAUSIBLE_ADDRESS
from pbem.post.office import Office
from pbem.records import models
from pbem.records.seats import bot_in_words, bot_named, level_of
from pbem.refusal import Refusal
from pbem.schedule import clock_of
from pbem.screens import mailroom
from pbem.screens.console import as_json, moment

mail_app = typer.Typer()

MatchNumber = Annotated[int, typer.Argument(metavar="MATCH", help="The number of the match.", min=1)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for a script.")]


@contextmanager
def changing(context: typer.Context, number: int) -> Iterator[tuple[Session, Office, models.Match]]:
    """A match about to be changed, in one transaction."""
    office = office_for(context)
    with office.store.writing() as session:
        yield session, office, office.store.match_in(session, number)


def say_that_mail_waits() -> None:
    typer.echo("The players are told with the next mail that goes out: pbem tick, or pbem run if it is running.")


# ------------------------------------------------------------------ what came, what goes


@mail_app.command(epilog="Example: pbem letters --held")
def letters(
    context: typer.Context,
    held: Annotated[bool, typer.Option("--held", help="Only those that wait for the GM.")] = False,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, help="How many of the newest.")] = 50,
    show: Annotated[int | None, typer.Option("--show", metavar="LETTER", help="Print this letter as it came.")] = None,
    again: Annotated[
        int | None, typer.Option("--again", metavar="LETTER", help="Let the referee read a held letter once more.")
    ] = None,
    as_json_: AsJson = False,
) -> None:
    """List the letters that came, each with what became of it."""
    store = office_for(context).store
    if show is not None:
        typer.echo(mailroom.letter_text(store, show))
    elif again is not None:
        mailroom.read_again(store, again)
        typer.echo(f"Letter {again} is read again with the next pass: pbem tick, or pbem run if it is running.")
    else:
        facts = mailroom.letters(store, held=held, most=most)
        typer.echo(as_json(facts) if as_json_ else mailroom.letters_text(facts, held=held))


@mail_app.command(epilog="Example: pbem outbox --failed")
def outbox(
    context: typer.Context,
    failed: Annotated[bool, typer.Option("--failed", help="Only what could not be delivered.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also what was sent, overtaken or has expired.")] = False,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, help="How many of the newest.")] = 50,
    retry: Annotated[
        int | None,
        typer.Option("--retry", metavar="MAIL", help="Try this one again now; 0 for all that wait or failed."),
    ] = None,
    as_json_: AsJson = False,
) -> None:
    """List the mail that waits to be sent or has failed, and why."""
    store = office_for(context).store
    if retry is not None:
        count = mailroom.try_again(store, retry)
        typer.echo(f"{count} mail{'' if count == 1 else 's'} will be tried again with the next pass.")
        return
    states = {models.FAILED} if failed else {models.FAILED, models.TO_SEND}
    facts = mailroom.outgoing(store, states=None if everything else states, most=most)
    typer.echo(as_json(facts) if as_json_ else mailroom.outgoing_text(facts))


# ------------------------------------------------------------------ deadlines


@mail_app.command(epilog='Example: pbem deadline 1 --weekly "Sun 20:00" --zone Europe/Berlin --grace 12')
def deadline(
    context: typer.Context,
    match: Annotated[int | None, typer.Argument(metavar="MATCH", help="One match; left out: list all.")] = None,
    when: Annotated[
        datetime | None, typer.Argument(metavar="TIME", parser=moment_from, help="The new deadline of the open gate.")
    ] = None,
    hours: Annotated[float | None, typer.Option("--hours", help="From now on: so many hours after each turn.")] = None,
    weekly: Annotated[list[str] | None, typer.Option("--weekly", metavar="DAY TIME", help="From now on: then.")] = None,
    zone: Annotated[str, typer.Option("--zone", help="The time zone of --weekly.")] = "UTC",
    grace: Annotated[
        float | None, typer.Option("--grace", help="Hours after the deadline before a turn is run; left out: as it is.")
    ] = None,
    never: Annotated[bool, typer.Option("--none", help="From now on: no deadlines.")] = False,
    as_json_: AsJson = False,
) -> None:
    """Show the deadlines, move one, or give a match another clock."""
    if match is None:
        facts = mailroom.deadlines(office_for(context).store)
        typer.echo(as_json(facts) if as_json_ else mailroom.deadlines_text(facts))
        return
    clock = _clock(hours, weekly or [], zone, never)
    if when is None and clock is None and grace is None:
        store = office_for(context).store
        store.position(match)  # a match there is not is refused
        facts = [one for one in mailroom.deadlines(store) if one["match"] == match]
        typer.echo(as_json(facts) if as_json_ else mailroom.deadlines_text(facts))
        return
    with changing(context, match) as (session, office, found):
        _must_lie_ahead(office, match, when)
        _set_clock(session, office, found, clock, grace)
        if when is not None or clock is not None:
            _set_deadline(session, office, found, when)
        said = "has no deadline now" if found.deadline is None else f"has the deadline {moment(found.deadline)} now"
    typer.echo(f"Match {match} {said} ({clock_of(found.clock).in_full()}).")
    say_that_mail_waits()


def _clock(hours: float | None, weekly: list[str], zone: str, never: bool) -> dict[str, Any] | None:
    """The clock that was named; None if none was."""
    if (hours is not None) + bool(weekly) + never > 1:
        raise typer.BadParameter("a match has one clock: --hours, --weekly or --none", param_hint="--hours")
    if hours is not None:
        return {"hours": hours}
    if weekly:
        return {"weekly": weekly, "zone": zone}
    return {} if never else None


def _must_lie_ahead(office: Office, match: int, when: datetime | None) -> None:
    if when is not None and when <= office.clock():
        raise Refusal(f"{moment(when)} has passed", f"To run the turn now: pbem process {match} --without-missing")


def _set_clock(
    session: Session, office: Office, match: models.Match, clock: dict[str, Any] | None, grace: float | None
) -> None:
    """What is not said about it stays as it is."""
    if clock is None and grace is None:
        return
    before = match.clock
    kept = before if clock is None else {name: before[name] for name in ("grace", "least") if name in before} | clock
    match.clock = kept | ({} if grace is None else {"grace": grace})
    office.store.note(session, match.id or 0, "set the clock", clock_of(match.clock).in_full())


def _set_deadline(session: Session, office: Office, match: models.Match, when: datetime | None) -> None:
    at = when or referee.set_deadline(session, office, match, office.clock())
    if at is not None:
        referee.move_deadline(session, office, match, at, "the GM has set it")


@mail_app.command(epilog="Example: pbem clock --trust   (after the machine was off for some days)")
def clock(
    context: typer.Context,
    trust: Annotated[bool, typer.Option("--trust", help="The clock is right: let deadlines count again.")] = False,
    now: Now = None,
    as_json_: AsJson = False,
) -> None:
    """Show whether the referee trusts the clock of this machine, or say that it is right."""
    from pbem.service.mending import trust_the_clock

    office = office_for(context, now)
    if trust:
        for line in trust_the_clock(office, office.clock()) or ["the clock was not in doubt"]:
            typer.echo(f"{line[0].upper()}{line[1:]}.")
        return
    facts = mailroom.clock_facts(office.store)
    typer.echo(as_json(facts) if as_json_ else mailroom.clock_text(facts))


@mail_app.command(epilog="Example: pbem extend 1 48")
def extend(
    context: typer.Context,
    match: MatchNumber,
    hours: Annotated[float, typer.Argument(metavar="HOURS", min=0.1, max=24 * 366, help="How much later.")],
) -> None:
    """Give the players of a match more time."""
    with changing(context, match) as (session, office, found):
        later = referee.extend(session, office, found, hours)
    typer.echo(f"The deadline of match {match} is {moment(later)} now.")
    say_that_mail_waits()


@mail_app.command(epilog="Example: pbem pause 1")
def pause(context: typer.Context, match: MatchNumber) -> None:
    """Let no deadline pass and run no turn until it is resumed. Sheets are taken all the same."""
    with changing(context, match) as (session, office, found):
        changed = referee.pause(session, office, found)
    typer.echo(f"Match {match} is paused{'' if changed else ' already'}. It goes on with: pbem resume {match}")


@mail_app.command(epilog="Example: pbem resume 1")
def resume(context: typer.Context, match: MatchNumber) -> None:
    """Let a paused match go on. The open turn gets its whole time again."""
    with changing(context, match) as (session, office, found):
        changed = referee.resume(session, office, found)
        at = found.deadline
    until = f" Deadline: {moment(at)}." if at else ""
    typer.echo(f"Match {match} {'goes on' if changed else 'was not paused'}.{until}")


@mail_app.command(epilog="Example: pbem thaw 1")
def thaw(context: typer.Context, match: MatchNumber) -> None:
    """Run the turn again that failed and froze a match. Sheets and dice are the same."""
    from pbem.service.deadlines import thaw_and_repeat

    office = office_for(context)
    ran = thaw_and_repeat(office, match, office.clock())
    frozen = office.store.position(match).match.frozen
    if frozen:
        raise Refusal(
            f"match {match} failed again and is frozen again",
            "The GM's mail says what went wrong, and so does: pbem outbox --all",
        )
    typer.echo(f"Match {match} is thawed. " + (f"Ran: {ran.turn.title}." if ran else "Its turn is not due yet."))


# ------------------------------------------------------------------ seats


@mail_app.command(epilog=f"{example('replace')}   (or bot in place of the address)")
def replace(
    context: typer.Context,
    match: MatchNumber,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="Whose seat it is.")],
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who takes it; bot or bot:LEVEL is the program.")],
) -> None:
    """Seat somebody else. The key of whoever sat there fits no more."""
    name, bare = parseaddr(address)
    level = bot_named(address)
    if level is None and not PLAUSIBLE_ADDRESS.fullmatch(bare):
        raise typer.BadParameter(f"{address!r} does not look like a mail address", param_hint="ADDRESS")
    with changing(context, match) as (session, office, found):
        seat = referee.seat_in(session, found, side)
        if level is not None:
            referee.seat_bot(session, office, found, seat, level)
            bare = bot_in_words(level_of(office.store.game(found.game), seat))
        else:
            referee.seat_player(session, office, found, seat, bare, name)
    typer.echo(f"{side} in match {match} is played by {bare} now.")
    say_that_mail_waits()
