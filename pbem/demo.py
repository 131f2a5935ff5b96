"""`pbem demo`: a whole war between two random players, kept in a folder to look at."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import typer

from engine.game import Gate, Options, Side
from pbem import report
from pbem.diary import diary
from pbem.matches import SeatTaken, number_of
from pbem.refusal import Refusal
from pbem.replay import replay
from pbem.store import Store, create_store, open_store

MARK = "this-is-a-demo"
SEATS = (SeatTaken("axis", "axis@example.org", "Anna"), SeatTaken("soviet", "soviet@example.net", "Boris"))


class ThatFolderIsNotADemo(Refusal):
    pass


def play_demo(directory: Path) -> None:
    """Barbarossa in fog, from the first sheet to the last diary. An earlier demo in the folder is replaced."""
    _clear(directory)
    create_store(directory)
    (directory / MARK).touch()
    store = open_store(directory)
    match = number_of(store.new_match("hitlers-war", "barbarossa", SEATS, Options(fog="fog")))
    typer.echo(f"Barbarossa between two random players, in {directory}/")
    for number, gate in enumerate(_gates(store, match), 1):
        _play_gate(store, match, number, gate, directory)
    _leave_positions(store, match, directory)
    _tell_the_end(store, match, directory)


def _clear(directory: Path) -> None:
    if directory.exists() and any(directory.iterdir()):
        if not (directory / MARK).exists():
            raise ThatFolderIsNotADemo(
                f"{directory} holds something that is not an earlier demo", "Name another folder: pbem demo FOLDER"
            )
        shutil.rmtree(directory)


def _gates(store: Store, match: int) -> Iterator[Gate]:
    while (gate := store.position(match).gate) is not None:
        yield gate


def _play_gate(store: Store, match: int, number: int, gate: Gate, directory: Path) -> None:
    name = f"{number:02}-{gate.id}"
    for side in gate.awaits:
        view = store.position(match).view(side)
        text = store.game("hitlers-war").bot(view, f"demo {name} {side}".encode())
        _write(directory / "sheets" / f"{name}.txt", text)
        store.take_sheet(match, side, text)
    run = store.process(match)
    events = store.events_of(run.turn)
    game, fog = store.game("hitlers-war"), store.position(match).options.fog
    readers: tuple[Side | None, ...] = ("axis", "soviet", None)
    for reader in readers:
        folder = directory / "diary" / (reader or "gm")
        _write(folder / f"{name}.txt", diary(game.id, game.told(events, reader, fog), reader))
    typer.echo(f"  {gate.title:<32} {len(events):4} events")


def _leave_positions(store: Store, match: int, directory: Path) -> None:
    position = store.position(match)
    for side in (*position.scenario.sides, None):
        _write(directory / f"end-{side or 'gm'}.txt", report.show_text(position.game.id, position.view(side)))


def _tell_the_end(store: Store, match: int, directory: Path) -> None:
    outcome = store.game("hitlers-war").outcome(store.state_of(match))
    steps = replay(store, match)
    agree = all(step.difference is None for step in steps)
    typer.echo(f"The war is over: {outcome.how if outcome else '?'}.")
    typer.echo(f"Played again from its sheets and dice: {'every hash agrees' if agree else 'IT DIFFERS'}.")
    typer.echo(f"Read {directory}/diary/axis/ (what one side saw), {directory}/diary/gm/ (everything),")
    typer.echo(f"{directory}/sheets/ (the orders) and {directory}/end-axis.txt (map and record sheet at the end).")
    typer.echo(f"Ask for more: pbem -C {directory} log {match} --as soviet; pbem -C {directory} show {match}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
