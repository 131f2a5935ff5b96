"""The GM's commands for a directory, the games and their matches: begin one, take its sheets, run its turns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from engine.game import Fog, Mode, Options, Scenario
from pbem import referee
from pbem.cli import main
from pbem.cli.at_hand import office_for
from pbem.cli.directory import make_directory, must_not_be_root_in
from pbem.cli.mail import AsJson, MatchNumber
from pbem.cli.main import store_of
from pbem.cli.offered import example
from pbem.cli.proving import bytes_of
from pbem.post.office import Office
from pbem.records.matches import SeatTaken, what_can_be_chosen
from pbem.referee import begins_by_mail
from pbem.schedule import clock_of
from pbem.screens import console
from pbem.settings import MOST_MINUTES, SETTINGS

matches_app = typer.Typer()

#: In bytes; a sheet of a thousand lines is far below it.
LONGEST_SHEET = 1_000_000

Press = Literal["named", "anonymous", "off"]


@matches_app.command(epilog="Example: pbem init ~/wars")
def init(
    context: typer.Context,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where to keep the matches.")],
) -> None:
    """Make a data directory: database, settings and a Maildir for letters. One that was cut off is finished."""
    must_not_be_root_in(directory, context)
    make_directory(directory)
    typer.echo(f"Made {directory}; all that pbem remembers is kept there. It holds the secrets of the dice:")
    typer.echo("keep it readable for the GM alone, and back it up.")
    typer.echo(f"Next: say in {directory / SETTINGS} who the referee and the GM are and where mail comes from;")
    typer.echo("pbem games lists what can be played, and for example")
    typer.echo(f"  pbem -C {directory} {example('new').partition('pbem ')[2]}")


@matches_app.command(epilog="Example: pbem games --json")
def games(as_json: AsJson = False) -> None:
    """List the games and their scenarios."""
    listed = main.known_games()
    if as_json:
        typer.echo(console.as_json([console.game_facts(game) for game in listed.values()]))
    else:
        typer.echo(console.games_text(listed.values()))


@matches_app.command(epilog=example("new"))
def new(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as pbem games lists it.")],
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="One of its scenarios.")],
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="SIDE=ADDRESS", help="Who plays a side; once for every side. SIDE=bot seats a program."
        ),
    ] = None,
    open_seats: Annotated[
        list[str] | None,
        typer.Option("--open", metavar="SIDE", help="A side that anybody may take by mail: JOIN 1 AS SIDE."),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option(help="Hours for a turn, 0 for no deadlines; left out: as in the settings.", min=0),
    ] = None,
    weekly: Annotated[
        str, typer.Option(metavar="TIME", help='Deadlines at this time of the week instead: "Sun 20:00".')
    ] = "",
    zone: Annotated[str, typer.Option(help="The time zone of --weekly; left out: as in the settings.")] = "",
    settle: Annotated[
        int | None,
        typer.Option(
            metavar="MINUTES",
            help="Run a turn so long after its last sheet has come, 0 for at once; left out: as in the settings.",
            min=0,
            max=MOST_MINUTES,
        ),
    ] = None,
    press: Annotated[
        Press, typer.Option(help="Messages between players: signed, unsigned if they like, or not passed on.")
    ] = "named",
    fog: Annotated[
        Fog | None, typer.Option(help="What the sides hide from each other; left out: what is usual in the game.")
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="One sheet a player-turn, or stops in between; left out: what is usual in the game."),
    ] = None,
    edition: Annotated[str, typer.Option(help="The edition of the rules; left out: the first one listed.")] = "",
    chosen: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="OPTION",
            help="An option of the scenario, such as two-players, or with its value: level=3. As often as needed.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="A name for the match; left out: the scenario's.")] = "",
    as_json: AsJson = False,
) -> None:
    """Start a match: seat the players and write the welcomes.

    These bring the keys and the commitment to the dice. A match with an open seat is paused until somebody has joined.
    """
    office = office_for(context)
    store = office.store
    options = _options(game, scenario, chosen or (), fog=fog, mode=mode, edition=edition)
    taken = [*(_seat(text) for text in seats or ()), *(SeatTaken(side, "") for side in open_seats or ())]
    if not taken:
        raise typer.BadParameter("say who plays each side, for example red=a@example.org", param_hint="--seat")
    clock = _clock(office, hours, weekly, zone)
    if not title.isprintable():
        raise typer.BadParameter("the title must be one line of plain characters", param_hint="--title")
    match = store.new_match(
        game,
        scenario,
        taken,
        options,
        title.strip(),
        clock=clock,
        press=press,
        settle_minutes=office.settings.clock.settle_minutes if settle is None else settle,
        begin=begins_by_mail(office),
    )
    standing = store.standing(match.id or 0)
    if as_json:
        typer.echo(console.as_json(console.match_facts(standing)))
    else:
        typer.echo(console.new_match_text(standing, taken))


def _options(game: str, scenario: str, chosen: Sequence[str], **asked: str | None) -> Options:
    """What was asked for, and what is usual in the game for the rest. A game there is not is refused by others."""
    played = main.known_games().get(game)
    known = next((each for each in (played.scenarios() if played else ()) if each.id == scenario), None)
    usual = played.traits.usual if played else Options()
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    if known is not None and chosen:
        values = _values(known, [text for text in chosen if "=" in text])
        given |= {"switches": _switches(known, [text for text in chosen if "=" not in text])}
        given |= {"values": values} if values else {}
    return msgspec.convert(msgspec.to_builtins(usual) | given, Options)


def _switches(scenario: Scenario, wanted: Sequence[str]) -> tuple[str, ...]:
    """Options a scenario does not have are refused, and those that want a value."""
    for switch in wanted:
        if switch not in scenario.switches:
            choice = next((one for one in scenario.choices if one.name == switch), None)
            raise _refused(f"{switch} wants a value: {choice.what_works}" if choice else _no_option(scenario, switch))
    return tuple(dict.fromkeys(wanted))


def _values(scenario: Scenario, wanted: Sequence[str]) -> dict[str, str]:
    """What is chosen with a value. Whether it can be that is for the store to say."""
    given: dict[str, str] = {}
    for name, _, value in (text.partition("=") for text in wanted):
        if name in scenario.switches:
            raise _refused(f"{name} takes no value; write --option {name}")
        if name not in {choice.name for choice in scenario.choices}:
            raise _refused(_no_option(scenario, name))
        if name in given:
            raise _refused(f"{name} is given twice; write it once")
        given[name] = value
    return given


def _no_option(scenario: Scenario, name: str) -> str:
    return f"{scenario.id} has no option {name}; {what_can_be_chosen(scenario)}"


def _refused(why: str) -> typer.BadParameter:
    return typer.BadParameter(why, param_hint="--option")


def _clock(office: Office, hours: float | None, weekly: str, zone: str) -> dict[str, Any]:
    """How the deadlines of a new match are set: as was said, else as the settings say."""
    if weekly and hours is not None:
        raise typer.BadParameter("a match has deadlines by hours or by the week, not both", param_hint="--weekly")
    settings = office.settings.clock
    clock: dict[str, Any] = {"grace": settings.grace_hours}
    if weekly:
        clock |= {"weekly": [weekly], "zone": zone or settings.time_zone}
    elif hours != 0:
        clock |= {"hours": hours or settings.hours_per_turn}
    clock_of(clock)  # a clock that is not understood is refused here
    return clock


def _seat(text: str) -> SeatTaken:
    try:
        return console.seat_from(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--seat") from None


# ------------------------------------------------------------------ orders and turns


@matches_app.command(epilog=f"{example('orders')}   (- reads what is typed in)")
def orders(
    context: typer.Context,
    match: MatchNumber,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="Whose orders these are.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The sheet; - is standard input.")],
    check: Annotated[bool, typer.Option("--check", help="Judge the sheet, but do not keep it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take a side's sheet of orders and print the receipt.

    The newest sheet of a side counts. Exit code 1 says that nothing in the sheet could be used.
    """
    store = store_of(context)
    text = _sheet_text(file)
    receipt = store.check_sheet(match, side, text) if check else store.take_sheet(match, side, text)
    if as_json:
        typer.echo(console.as_json(console.receipt_facts(receipt)))
    else:
        typer.echo(console.receipt_text(store.game(receipt.match.game), receipt, text))
    if not receipt.judged.can_be_used:
        raise typer.Exit(1)


def _sheet_text(file: Path) -> str:
    return bytes_of(file, "sheet of orders", LONGEST_SHEET).decode("utf-8-sig", "replace")


@matches_app.command(epilog="Example: pbem process 1 --without-missing")
def process(
    context: typer.Context,
    match: MatchNumber,
    without_missing: Annotated[
        bool,
        typer.Option("--without-missing", help="Do not wait: standing orders and defaults decide for who is missing."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Seal the sheets that are in and run the open turn. The reports go out with the next tick."""
    office = office_for(context)
    store = office.store
    seen = store.position(match).match.gate_number
    with store.writing() as session:
        found = store.match_in(session, match)
        run = referee.run_gate(session, office, found, without_missing=without_missing, gate_number=seen)
    standing = store.standing(match)
    if as_json:
        typer.echo(console.as_json(console.run_facts(run, standing)))
    else:
        typer.echo(console.run_text(run, standing))
