"""`pbem demo`: a whole war by mail between random players, with the accidents of real mail, kept to look at.

Nothing leaves the machine: everybody's mailbox is a Maildir in the folder, and the clock is moved by hand, so that
weeks pass in seconds. What reads, answers and runs is the same that does so in earnest.
"""

import dataclasses
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

import typer
from sqlmodel import select

from engine.game import Gate, Scenario, Side, game_named
from pbem.cli.offered import offered
from pbem.closing import Package
from pbem.games import box_of
from pbem.games.tools import Demo
from pbem.mail.correspondents import Correspondent, drop_into, mailbox_contents
from pbem.mail.finished import page_of, text_in
from pbem.mail.postman import folder_for
from pbem.post.office import Office
from pbem.records import models
from pbem.records.matches import SeatTaken, number_of, scenario_of
from pbem.records.replay import replay
from pbem.records.store import Store, create_store, open_store
from pbem.referee import begins_by_mail
from pbem.refusal import Refusal
from pbem.service.daemon import Duty
from pbem.service.logs import log_to
from pbem.settings import SETTINGS, MaildirIn, MaildirOut, default_settings_text, load_settings

MARK = "this-is-a-demo"
GM = "gm@example.org"
#: Who plays, in the order of the sides.
PLAYERS = (
    ("anna@example.org", "Anna"),
    ("boris@example.net", "Boris"),
    ("clara@example.com", "Clara"),
    ("david@example.org", "David"),
    ("emma@example.net", "Emma"),
)
CLOCK = {"hours": 72, "grace": 12}
BEGINNING = datetime(2026, 6, 1, 18, tzinfo=UTC)
#: No look at the clock is missed for a day, or the referee would think that it has jumped.
BETWEEN_TICKS = timedelta(hours=6)


class ThatFolderIsNotADemo(Refusal):
    pass


@dataclass
class HandClock:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


def play_demo(directory: Path, scenario_id: str = "", named: str = "") -> None:
    """A scenario in fog, from the welcome to the last report. An earlier demo in the folder is replaced."""
    game_id, demo = offered("demo", lambda tools: tools.demo(), named)
    scenario = scenario_of(game_named(game_id), scenario_id or demo.scenario)
    _clear(directory)
    _prepare(directory)
    clock = HandClock(BEGINNING)
    store = dataclasses.replace(open_store(directory), clock=clock)
    office = Office(store, load_settings(directory), clock)
    with (directory / "referee.log").open("w", encoding="utf-8") as log:
        war = MailedWar(office, clock, log, scenario, game_id, demo)
        try:
            war.play()
        finally:
            war.duty.close()
    _leave_mail(war, directory)
    _leave_bundle(office, war.match, directory)
    _leave_diaries(war, directory)
    _tell_the_end(war, directory)
    store.engine.dispose()


def _clear(directory: Path) -> None:
    if directory.exists() and any(directory.iterdir()):
        if not (directory / MARK).exists():
            raise ThatFolderIsNotADemo(
                f"{directory} holds something that is not an earlier demo", "Name another folder: pbem demo FOLDER"
            )
        shutil.rmtree(directory)


def _prepare(directory: Path) -> None:
    create_store(directory)
    (directory / MARK).touch()
    text = default_settings_text().replace("gm: []  ", f"gm: [{GM}]  ")
    with os.fdopen(os.open(directory / SETTINGS, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


# ------------------------------------------------------------------ the war


def players_of(scenario: Scenario) -> list[SeatTaken]:
    return [SeatTaken(side, *player) for side, player in zip(scenario.sides, PLAYERS, strict=False)]


class MailedWar:
    """The players, the referee, and the time that passes between them."""

    def __init__(
        self, office: Office, clock: HandClock, log: TextIO, scenario: Scenario, game: str, demo: Demo
    ) -> None:
        self.office, self.clock, self.scenario, self.demo = office, clock, scenario, demo
        self.duty = Duty(office, log_to(log, clock))
        seats, usual = players_of(scenario), office.store.game(game).traits.usual
        made = office.store.new_match(game, scenario.id, seats, usual, clock=CLOCK, begin=begins_by_mail(office))
        self.match = number_of(made)
        out = office.settings.outbox
        assert isinstance(out, MaildirOut)
        self.players = {
            seat.side: Correspondent(seat.name, seat.address, out.path / folder_for(seat.address)) for seat in seats
        }
        self.letters = 0

    @property
    def store(self) -> Store:
        return self.office.store

    def play(self) -> None:
        players = ", ".join(f"{player.name} ({side})" for side, player in self.players.items())
        typer.echo(f"{self.scenario.title} by mail, between {players} and the referee:")
        self.tick()
        for number, gate in enumerate(self._gates(), 1):
            incident = INCIDENTS.get(number, _a_sheet_comes)
            said = incident(self, gate.awaits[0], f"demo {number} {gate.id}".encode())
            typer.echo(f"  {self.clock.now:%d %b %H:%M}  {gate.title:<32} {said}".rstrip())
        self.let_time_pass(timedelta(hours=1 + self.office.settings.clock.close_hours))

    def _gates(self) -> Iterator[Gate]:
        while (gate := self.store.position(self.match).gate) is not None:
            yield gate

    def tick(self) -> None:
        self.duty.one_tick()

    def let_time_pass(self, how_long: timedelta) -> None:
        """The referee looks at his mailbox and the clock every few hours."""
        until = self.clock.now + how_long
        while self.clock.now < until:
            self.clock.now = min(until, self.clock.now + BETWEEN_TICKS)
            self.tick()

    def orders(self, side: Side, key: bytes) -> str:
        position = self.store.position(self.match)
        return position.game.bot(position.view(side), key, position.game.traits.bots[0])

    def mail(self, side: Side, text: str, sender: str = "") -> None:
        """A player replies to his newest mail; the letter is there at once, the referee a little later."""
        inbox = self.office.settings.inbox
        assert isinstance(inbox, MaildirIn)
        self.letters += 1
        letter = self.players[side].reply(text, self.clock.now, sender=sender)
        drop_into(inbox.path, letter, f"{self.letters:04}.demo")
        self.let_time_pass(timedelta(minutes=1))


Incident = Callable[[MailedWar, Side, bytes], str]


def _a_sheet_comes(war: MailedWar, side: Side, key: bytes) -> str:
    war.let_time_pass(timedelta(hours=5))
    return _send(war, side, war.orders(side, key))


def _send(war: MailedWar, side: Side, orders: str) -> str:
    """The turn is run, unless the sheet looks unfinished; then the player says that he means it so."""
    before = war.store.position(war.match).number
    war.mail(side, orders)
    if war.store.position(war.match).number != before:
        return ""
    war.let_time_pass(timedelta(hours=1))
    war.mail(side, "READY")
    return "(the sheet looked unfinished: READY)"


def _a_line_is_mistyped(war: MailedWar, side: Side, key: bytes) -> str:
    """The receipt shows what is wrong, the turn waits, and the sheet comes again."""
    orders = war.orders(side, key)
    war.let_time_pass(timedelta(hours=5))
    war.mail(side, f"{war.demo.mistyped}\n{orders}")
    war.let_time_pass(timedelta(hours=2))
    return f"(a typo; the receipt showed it, and the sheet came again) {_send(war, side, orders)}"


def _the_deadline_is_missed(war: MailedWar, side: Side, key: bytes) -> str:
    """A reminder, the deadline, the grace; then the turn is run by standing orders, and the sheet comes too late."""
    orders = war.orders(side, key)
    war.let_time_pass(timedelta(hours=85))
    war.mail(side, orders)
    return "(deadline missed: standing orders; the sheet came too late)"


def _a_stranger_writes(war: MailedWar, side: Side, key: bytes) -> str:
    """The right key from a wrong address is not enough."""
    war.let_time_pass(timedelta(hours=3))
    war.mail(side, war.orders(side, b"eve"), sender="eve@example.com")
    return f"(somebody else tried with the right key) {_a_sheet_comes(war, side, key)}"


#: What happens besides, by the number of the player-turn.
INCIDENTS: dict[int, Incident] = {
    1: _a_line_is_mistyped,
    4: _the_deadline_is_missed,
    6: _a_stranger_writes,
}


# ------------------------------------------------------------------ what is left to look at


def _leave_mail(war: MailedWar, directory: Path) -> None:
    """Every mailbox once more as files that can be read: a mail as it is, its text, and its page for a browser."""
    out = war.office.settings.outbox
    assert isinstance(out, MaildirOut)
    kinds = _kinds(war.store)
    readers = {player.name.lower(): player.mailbox for player in war.players.values()}
    for reader, maildir in {**readers, "gm": out.path / folder_for(GM)}.items():
        for number, mail in enumerate(mailbox_contents(maildir), 1):
            path = directory / "mail" / reader / f"{number:03}-{kinds[str(mail['Message-ID'])]}"
            head = "".join(f"{name}: {mail[name]}\n" for name in ("From", "To", "Date", "Subject"))
            _write(path.with_suffix(".txt"), f"{head}\n{text_in(mail)}")
            path.with_suffix(".eml").write_bytes(mail.as_bytes())
            _write(path.with_suffix(".html"), page_of(mail))


def _leave_bundle(office: Office, match: int, directory: Path) -> None:
    """What the players got when the war was closed."""
    with office.store.reading() as session:
        package = Package.of(session, office, office.store.match_in(session, match))
    (directory / package.name).write_bytes(package.data)


def _kinds(store: Store) -> dict[str, str]:
    """What kind of mail it is, by its Message-ID."""
    with store.reading() as session:
        return dict(session.exec(select(models.Outgoing.message_id, models.Outgoing.kind)).all())


def _leave_diaries(war: MailedWar, directory: Path) -> None:
    store, match = war.store, war.match
    position = store.position(match)
    game, fog = position.game, position.options.fog
    readers: tuple[Side | None, ...] = (*position.scenario.sides, None)
    for turn in store.turns_of(match):
        name = f"{turn.number:02}-{turn.gate_id}.txt"
        events = store.events_of(turn)
        for reader in readers:
            told = game.told(events, reader, fog)
            _write(directory / "diary" / (reader or "gm") / name, box_of(game).story(told, reader))
        for sheet in turn.sheets:
            if sheet["text"] is not None:
                _write(directory / "sheets" / f"{turn.number:02}-{sheet['side']}.txt", sheet["text"])
    for reader in readers:
        _write(directory / f"end-{reader or 'gm'}.txt", box_of(game).position(position.view(reader)))
        (directory / f"end-{reader or 'gm'}.png").write_bytes(war.demo.map_png(position.view(reader)))


def _tell_the_end(war: MailedWar, directory: Path) -> None:
    outcome = war.store.position(war.match).outcome
    agree = all(step.difference is None for step in replay(war.store, war.match))
    typer.echo(f"The war is over: {outcome.how if outcome else '?'}.")
    typer.echo(f"Played again from its sheets and dice: {'every hash agrees' if agree else 'IT DIFFERS'}.")
    _say_where_to_look(war, directory)


def _say_where_to_look(war: MailedWar, directory: Path) -> None:
    (side, player), (other, _), *_ = war.players.items()
    mailbox = directory / "mail" / player.name.lower()
    reports = sorted(mailbox.glob("*-report.html"))
    typer.echo(f"Open {reports[len(reports) // 2]} in a browser: a report as {player.name} saw it, with its pictures.")
    typer.echo(f"Read {mailbox}/ (every mail a player got; the same as a Maildir in mail/out/),")
    typer.echo(
        f"{directory}/mail/gm/ and {directory}/referee.log (what the GM sees), {directory}/diary/gm/ (everything)"
    )
    typer.echo(f"and {directory}/end-{side}.png and .txt (map and record sheet at the end).")
    typer.echo("The war was closed, and the players got its bundle. Check all of it, as they can:")
    typer.echo(f"  pbem verify {directory}/war-{war.match}.zip {mailbox}/*-report.eml")
    typer.echo(f"Ask for more: pbem -C {directory} letters; pbem -C {directory} outbox --all;")
    typer.echo(f"pbem -C {directory} log {war.match} --as {other}; pbem -C {directory} show {war.match}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
