"""The command line of the GM. Each command does one thing and says what comes next."""

import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from engine.game import Fog, Game, Mode, Options
from pbem import referee
from pbem.cli import printing
from pbem.cli.directory import data_directory, make_directory, must_not_be_root_in
from pbem.cli.gm_key import gm_key_app
from pbem.cli.keeping import keeping_app
from pbem.cli.mail import mail_app, office_for
from pbem.cli.maps import map_app
from pbem.cli.mending import mending_app
from pbem.cli.proving import bytes_of, proving_app
from pbem.intake.mailbox import why_no_deadline_passes
from pbem.post.office import Office
from pbem.records.matches import SeatTaken, Standing
from pbem.records.store import Store, open_store
from pbem.referee import begins_by_mail
from pbem.refusal import Refusal
from pbem.schedule import clock_of
from pbem.screens import console
from pbem.settings import SETTINGS


class PlainSpeaking(TyperGroup):
    """Commands that say in words on stderr what they cannot do, with exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            _say(refusal)
            raise typer.Exit(1) from None


def _say(refusal: Refusal) -> None:
    typer.echo(f"pbem: {refusal.why}.", err=True)
    if refusal.remedy:
        typer.echo(refusal.remedy, err=True)


app = typer.Typer(
    cls=PlainSpeaking,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # its listing of variables would show the secrets of the dice
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: In bytes; a sheet of a thousand lines is far below it.
LONGEST_SHEET = 1_000_000

MatchNumber = Annotated[int, typer.Argument(metavar="MATCH", help="The number of the match.", min=1)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for a script.")]
Press = Literal["named", "anonymous", "off"]
AsSide = Annotated[str | None, typer.Option("--as", metavar="SIDE", help="What this side may know.")]


def known_games() -> Mapping[str, Game]:
    from engine.game import games

    return games()


def _store(context: typer.Context) -> Store:
    directory = data_directory(context.find_root().params["directory"])
    must_not_be_root_in(directory, context)
    store = open_store(directory, known_games())
    context.call_on_close(store.engine.dispose)  # the last one to close leaves one file that can be copied
    return store


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pbem {version('pbem')}")
        raise typer.Exit


@app.callback(epilog="Example: pbem -C ~/wars status")
def pbem(
    directory: Annotated[
        Path | None,
        typer.Option(
            "-C",
            "--directory",
            metavar="DIR",
            envvar="PBEM_DIR",
            help="The data directory. Left out: the current directory if it is one, else the user's.",
        ),
    ] = None,
    show_version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_say_version, help="Print the version and stop."),
    ] = False,
) -> None:
    """A referee for wargames: takes sheets of orders, runs turns, shows each side what it may know."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # Königsberg on a terminal without umlauts


# ------------------------------------------------------------------ a directory, the games, a match


@app.command(epilog="Example: pbem init ~/wars")
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
    seats = "--seat axis=a@example.org --seat soviet=b@example.net"
    typer.echo(f"  pbem -C {directory} new hitlers-war barbarossa {seats}")


@app.command(epilog="Example: pbem games --json")
def games(as_json: AsJson = False) -> None:
    """List the games and their scenarios."""
    listed = known_games()
    if as_json:
        typer.echo(console.as_json([console.game_facts(game) for game in listed.values()]))
    else:
        typer.echo(console.games_text(listed.values()))


@app.command(epilog="Example: pbem new hitlers-war barbarossa --seat axis=a@example.org --seat soviet=b@example.net")
def new(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as pbem games lists it.")],
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="One of its scenarios.")],
    seats: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SIDE=ADDRESS", help="Who plays a side; once for every side."),
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
    press: Annotated[
        Press, typer.Option(help="Messages between players: signed, unsigned if they like, or not passed on.")
    ] = "named",
    fog: Annotated[Fog, typer.Option(help="What the sides hide from each other.")] = "fog",
    mode: Annotated[Mode, typer.Option(help="One sheet a player-turn, or stops in between.")] = "one-run",
    edition: Annotated[str, typer.Option(help="The edition of the rules; left out: the first one listed.")] = "",
    switches: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="OPTION", help="An option of the scenario, such as two-players."),
    ] = None,
    title: Annotated[str, typer.Option(help="A name for the match; left out: the scenario's.")] = "",
    as_json: AsJson = False,
) -> None:
    """Start a match: seat the players and write the welcomes.

    These bring the keys and the commitment to the dice. A match with an open seat is paused until somebody has joined.
    """
    office = office_for(context)
    store = office.store
    options = Options(fog=fog, mode=mode, edition=edition, switches=_switches(game, scenario, switches or ()))
    taken = [*(_seat(text) for text in seats or ()), *(SeatTaken(side, "") for side in open_seats or ())]
    if not taken:
        raise typer.BadParameter("say who plays each side, for example axis=a@example.org", param_hint="--seat")
    clock = _clock(office, hours, weekly, zone)
    if not title.isprintable():
        raise typer.BadParameter("the title must be one line of plain characters", param_hint="--title")
    match = store.new_match(
        game, scenario, taken, options, title.strip(), clock=clock, press=press, begin=begins_by_mail(office)
    )
    standing = store.standing(match.id or 0)
    if as_json:
        typer.echo(console.as_json(console.match_facts(standing)))
    else:
        typer.echo(console.new_match_text(standing, taken))


def _switches(game: str, scenario: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """Options a scenario does not have are refused; a scenario there is not is refused by others."""
    played = known_games().get(game)
    known = next((each.switches for each in (played.scenarios() if played else ()) if each.id == scenario), ())
    unknown = [switch for switch in wanted if switch not in known]
    if unknown:
        there_are = f"it has {', '.join(known)}" if known else "it has none"
        raise typer.BadParameter(f"{scenario} has no option {unknown[0]}; {there_are}", param_hint="--option")
    return tuple(dict.fromkeys(wanted))


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


@app.command(epilog="Example: pbem orders 1 axis axis-1941-summer.txt   (- reads what is typed in)")
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
    store = _store(context)
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


@app.command(epilog="Example: pbem process 1 --without-missing")
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


# ------------------------------------------------------------------ looking


@app.command(epilog="Example: pbem show 1 --as axis")
def show(context: typer.Context, match: MatchNumber, side: AsSide = None, as_json: AsJson = False) -> None:
    """Show the map and the record sheet. Without --as it is the GM's view, which shows everything."""
    position = _store(context).position(match)
    console.check_reader(position, side)
    if as_json:
        typer.echo(console.as_json(console.view_facts(position, side)))
    else:
        typer.echo(console.show_text(position, side))


@app.command(epilog="Example: pbem log 1 --as soviet --turn 3")
def log(
    context: typer.Context,
    match: MatchNumber,
    side: AsSide = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="This turn alone.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what happened, turn by turn. Without --as it is the GM's diary, which tells everything."""
    store = _store(context)
    position = store.position(match)
    console.check_reader(position, side)
    turns = store.runs_of(match, turn)
    told = [console.Told(one, store.events_of(one)) for one in turns]
    if as_json:
        typer.echo(console.as_json([console.turn_facts(position, one, side) for one in told]))
    else:
        typer.echo(console.log_text(position, told, side))


@app.command(epilog="Example: pbem status 1")
def status(
    context: typer.Context,
    match: Annotated[int | None, typer.Argument(metavar="MATCH", help="One match; left out: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how the matches stand: who is awaited, and until when."""
    store = _store(context)
    standings, refusals = _standings(store, match)
    if as_json:
        typer.echo(console.as_json([console.match_facts(standing) for standing in standings]))
    elif standings or not refusals:
        typer.echo(console.status_text(standings))
    for refusal in refusals:
        _say(refusal)
    if held := why_no_deadline_passes(store):
        _say(held)
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


@app.command(epilog="Example: pbem replay 1")
def replay(context: typer.Context, match: MatchNumber, as_json: AsJson = False) -> None:
    """Play a match again and compare every turn with the record.

    Exit code 1 says that they differ; the first difference is named.
    """
    from pbem.records.replay import replay as play_again

    steps = play_again(_store(context), match)
    if as_json:
        typer.echo(console.as_json([console.step_facts(step) for step in steps]))
    else:
        typer.echo(console.replay_text(match, steps))
    if any(step.difference is not None for step in steps):
        raise typer.Exit(1)


# ------------------------------------------------------------------ beside the matches


@app.command(epilog="Example: pbem case tests/cases/hitlers-war/*.yaml")
def case(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Case files, in YAML.")],
    as_json: AsJson = False,
) -> None:
    """Run case files: a position, orders, dice, and their outcome."""
    from pbem.cli.cases import run_case_files

    raise typer.Exit(run_case_files(files, json=as_json))


@app.command(epilog="Example: pbem demo --scenario campaign-1")
def demo(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where to play it; left out: demo-war here.")] = Path(
        "demo-war"
    ),
    scenario: Annotated[str, typer.Option(metavar="SCENARIO", help="Which scenario of Hitler's War.")] = "barbarossa",
) -> None:
    """Play a whole war by mail on this machine, to see how it goes."""
    from pbem.cli.demo import play_demo

    play_demo(directory, scenario)


app.add_typer(mail_app)
app.add_typer(mending_app)
app.add_typer(gm_key_app)
app.add_typer(keeping_app)
app.add_typer(proving_app)
map_app.command("print", epilog=printing.EXAMPLE)(printing.print_map)
app.add_typer(map_app, name="map")
