"""A referee's office in a test: Two Hills by mail, with a clock that is moved by hand and Maildirs for everybody."""

import asyncio
import dataclasses
import email
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from io import StringIO
from pathlib import Path

import msgspec
from sqlmodel import col, select

from engine.game import Game
from pbem import referee
from pbem.clock.guards import MAILBOX_READ, beat
from pbem.intake.mailbox import take_maildir
from pbem.mail.postman import MaildirPostman, Sent
from pbem.post.office import Office
from pbem.post.outbox import Round, send_waiting
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.records.store import Store, create_store, open_store
from pbem.service.daemon import Duty
from pbem.service.logs import log_to
from pbem.settings import MaildirIn, MaildirOut, Referee, Settings, default_settings_text
from tests.toy.table import SECRET, toy_games

GM = "gm@example.org"
START = datetime(2026, 11, 16, 12, tzinfo=UTC)  # a Monday
WEEK = {"hours": 168}


class Watch:
    """The time, moved by hand."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **how_far: float) -> datetime:
        self.now += timedelta(**how_far)
        return self.now


def settings_in(directory: Path, **more: object) -> Settings:
    return Settings(
        referee=Referee(address="referee@example.org", gm=(GM,)),
        inbox=MaildirIn(path=directory / "mail" / "in"),
        outbox=MaildirOut(path=directory / "mail" / "out"),
        **more,
    )


def new_office(
    directory: Path,
    watch: Watch | None = None,
    games: Mapping[str, Game] | None = None,
    settings: Settings | None = None,
) -> Office:
    """A new data directory with a Maildir that is ours, as `pbem init` makes it, and the office in it."""
    create_store(directory)
    (directory / "settings.yaml").write_text(default_settings_text())
    settings = settings or settings_in(directory)
    if not isinstance(settings.inbox, MaildirIn):
        return open_office(directory, watch, games, settings)
    inbox = msgspec.structs.replace(settings.inbox, path=directory / settings.inbox.path)
    office = open_office(directory, watch, games, msgspec.structs.replace(settings, inbox=inbox))
    take_maildir(office, inbox.path)
    return office


def open_office(
    directory: Path,
    watch: Watch | None = None,
    games: Mapping[str, Game] | None = None,
    settings: Settings | None = None,
) -> Office:
    watch = watch or Watch()
    store = dataclasses.replace(open_store(directory, games or toy_games()), clock=watch)
    return Office(store, settings or settings_in(directory), watch)


def key_for(match: int, side: str) -> str:
    """Keys that can be recognised in a test."""
    return f"{side}{match}".ljust(20, "k").replace("l", "m").replace("1", "2").replace("0", "3")


def new_match(office: Office, scenario: str = "at-once", clock: dict | None = None, game: str = "two-hills") -> int:
    """A match whose players are `red@example.org` and so on, its first deadline set."""
    sides = {one.id: one.sides for one in office.store.game(game).scenarios()}[scenario]
    seats = [SeatTaken(side, f"{side}@example.org", side.capitalize()) for side in sides]
    match = office.store.new_match(game, scenario, seats, secret=SECRET)
    with office.store.writing() as session:
        match = office.store.match_in(session, match.id)
        match.clock = WEEK if clock is None else clock
        for seat in session.exec(select(models.Seat).where(models.Seat.match_id == match.id)):
            seat.key = key_for(match.id, seat.side)
            session.add(seat)
        referee.set_deadline(session, office, match, office.clock())
    return match.id


def take(office: Office, match: int, side: str, text: str = "HOLD") -> None:
    """A sheet as a letter would bring it: taken, and the referee looks whether that was all."""
    with office.store.writing() as session:
        assert office.store.receive_in(session, match, side, text, keep=True).kept
        referee.on_sheet(session, office, office.store.match_in(session, match))


def change(office: Office, match: int, side: str = "", **values: object) -> None:
    """Set columns of a match, or of one of its seats."""
    with office.store.writing() as session:
        found = office.store.match_in(session, match)
        row = referee.seat_in(session, found, side) if side else found
        for name, value in values.items():
            setattr(row, name, value)
        session.add(row)


def match_of(office: Office, number: int) -> models.Match:
    return office.store.position(number).match


def seat_of(office: Office, match: int, side: str) -> models.Seat:
    return next(seat for seat in office.store.seats_of(match) if seat.side == side)


def look(office: Office, *, mailbox_read: bool = True, anyway: bool = False) -> list[str]:
    """One look at the clock. The look before was not long ago, and the mailbox has been read."""
    from pbem.service.deadlines import look_at_every_match

    now = office.clock()
    with office.store.writing() as session:
        beat(session, "tick", now - timedelta(minutes=1))
        if mailbox_read:
            beat(session, MAILBOX_READ, now)
    return look_at_every_match(office, now, anyway=anyway)


def mails(office: Office, kind: str = "", to: str = "", state: str = "") -> list[models.Outgoing]:
    with office.store.reading() as session:
        found = session.exec(select(models.Outgoing).order_by(col(models.Outgoing.id))).all()
    return [
        mail
        for mail in found
        if (not kind or mail.kind == kind) and to in mail.recipient and (not state or mail.state == state)
    ]


def subjects(office: Office, **which: str) -> list[str]:
    return [mail.subject for mail in mails(office, **which)]


def text_of(mail: models.Outgoing) -> str:
    message = email.message_from_bytes(mail.raw, policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


class PatientPostman:
    """Remembers what he was given and answers as he is told: by recipient, else that it was sent."""

    def __init__(self, **answers: object) -> None:
        self.carried: list[tuple[str, bytes]] = []
        self.answers: dict[str, object] = {f"{name}@example.org": answer for name, answer in answers.items()}

    async def send(self, sender: str, recipient: str, raw: bytes):
        self.carried.append((recipient, raw))
        answer = self.answers.get(recipient, Sent())
        await asyncio.sleep(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def send(office: Office, postman: object | None = None, **more: object) -> Round:
    postman = postman or MaildirPostman(office.settings.outbox.path)
    return asyncio.run(send_waiting(office, postman, office.clock(), **more))


@contextmanager
def duty_of(office: Office, **more: object) -> Iterator[Duty]:
    """The referee at work; what it logs is in `said`."""
    said = StringIO()
    duty = Duty(office, log_to(said, office.clock), **more)
    duty.said = said
    try:
        yield duty
    finally:
        duty.close()


def store_of(office: Office) -> Store:
    return office.store
