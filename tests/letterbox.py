"""Letters to the referee in a test: real MIME bytes, put into the office and settled."""

import email
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime
from pathlib import Path

from sqlmodel import col, select

from engine.game import Game
from pbem.intake import settling
from pbem.mail.inbox import Arrived
from pbem.post.gm_keys import key_of_gm
from pbem.post.office import Office
from pbem.records import models
from pbem.records.keys import gm_tag, key_tag
from pbem.records.matches import SeatTaken
from pbem.referee import begins_by_mail
from pbem.settings import MaildirIn, MaildirOut, Referee, Settings
from tests.postal import GM, Watch, new_office, seat_of
from tests.toy.table import SECRET

REFEREE = "referee@example.org"


def settings_for(directory: Path, **more: object) -> Settings:
    referee = more.pop("referee", None) or Referee(address=REFEREE, gm=(GM,))
    return Settings(
        referee=referee,
        inbox=MaildirIn(path=directory / "in"),
        outbox=MaildirOut(path=directory / "out"),
        **more,
    )


@dataclass
class Letterbox:
    """An office with one match of two players, and a postman who brings it letters."""

    office: Office
    watch: Watch
    match: int = 1
    written: int = 0
    seen: int = 0
    places: set[str] = field(default_factory=set)

    # -------------------------------------------------------------- writing

    def key(self, side: str, match: int | None = None) -> str:
        return key_tag(self.seat(side, match))

    def seat(self, side: str, match: int | None = None) -> models.Seat:
        return seat_of(self.office, match or self.match, side)

    def compose(
        self,
        sender: str,
        text: str,
        *,
        subject: str = "orders",
        key: str = "",
        message_id: str | None = None,
        **headers: str,
    ) -> bytes:
        self.written += 1
        message = EmailMessage(policy=SMTP)
        message["From"] = sender
        message["To"] = REFEREE
        message["Subject"] = f"{subject} {{{key}}}" if key else subject
        message["Date"] = format_datetime(self.office.clock())
        if message_id is None:
            message_id = f"<{self.written}.letter@client.example>"
        if message_id:
            message["Message-ID"] = message_id
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message.as_bytes()

    def bring(self, raw: bytes, place: str = "", *, too_large: bool = False) -> models.Letter:
        """Take a letter in and settle it."""
        place = place or f"place-{len(self.places)}"
        self.places.add(place)
        number = settling.take_in(self.office, Arrived(place, raw, too_large))
        settling.settle(self.office, number)
        return self.letter(number)

    def send(self, sender: str, text: str, **how: str) -> models.Letter:
        return self.bring(self.compose(sender, text, **how))

    def play(self, side: str, text: str, **how: str) -> models.Letter:
        """A letter from a player as it should be: from his address, with his key in the subject."""
        seat = self.seat(side)
        return self.send(seat.address, text, **{"key": key_tag(seat), **how})

    def gm(self, text: str, **how: str) -> models.Letter:
        """A letter from the GM as it should be: from his address, with his key in the subject."""
        return self.send(GM, text, **{"key": self.gm_key(), **how})

    def gm_key(self, address: str = GM) -> str:
        with self.office.store.writing() as session:
            return gm_tag(key_of_gm(session, address, self.office.clock()).key)

    # -------------------------------------------------------------- looking

    def letter(self, number: int) -> models.Letter:
        with self.office.store.reading() as session:
            return session.get_one(models.Letter, number)

    def letters(self) -> list[models.Letter]:
        with self.office.store.reading() as session:
            return list(session.exec(select(models.Letter).order_by(col(models.Letter.id))))

    def outgoing(self) -> list[models.Outgoing]:
        with self.office.store.reading() as session:
            return list(session.exec(select(models.Outgoing).order_by(col(models.Outgoing.id))))

    def new_mail(self, to: str = "") -> list[models.Outgoing]:
        """What was written since the last look."""
        every = self.outgoing()
        fresh, self.seen = every[self.seen :], len(every)
        return [mail for mail in fresh if to in mail.recipient]

    def only_mail(self) -> models.Outgoing:
        (mail,) = self.new_mail()
        return mail

    def answer(self, side: str, text: str, **how: str) -> str:
        """What a player is told when he writes this: the text of all mail to him."""
        self.new_mail()
        address = self.seat(side).address
        self.play(side, text, **how)
        return "\n".join(body_of(mail) for mail in self.new_mail(address))

    def word(self, act: str = "") -> str:
        """The newest one-time word that was sent to somebody."""
        with self.office.store.reading() as session:
            words = session.exec(select(models.Word).order_by(col(models.Word.id).desc())).all()
        return next(word.word for word in words if act in word.act and not word.act.startswith("vote"))

    def sheets(self) -> list[models.Sheet]:
        with self.office.store.reading() as session:
            return list(session.exec(select(models.Sheet).order_by(col(models.Sheet.id))))

    def waiting(self, side: str) -> str | None:
        texts = [one.text for one in self.sheets() if one.side == side and one.state == models.WAITING]
        return texts[0] if texts else None

    def ledger(self) -> list[models.Ledger]:
        with self.office.store.reading() as session:
            return list(session.exec(select(models.Ledger)))


def message_of(mail: models.Outgoing) -> EmailMessage:
    message = email.message_from_bytes(mail.raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def body_of(mail: models.Outgoing) -> str:
    body = message_of(mail).get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def confirmed(box: Letterbox, text: str) -> models.Letter:
    """The GM wants something that he has to confirm, and does."""
    assert box.gm(text).fate == models.ACCEPTED
    return box.gm(f"CONFIRM {box.word('GM ')}")


def new_letterbox(
    directory: Path,
    games: dict[str, Game] | None = None,
    game: str = "two-hills",
    scenario: str = "at-once",
    settings: Callable[..., Settings] | Settings | None = None,
    **more: object,
) -> Letterbox:
    """An office with one match, its welcomes written and looked at."""
    watch = Watch()
    office = new_office(directory, watch, games, settings or settings_for(directory))
    box = Letterbox(office, watch)
    new_match(box, game, scenario, **more)
    box.new_mail()
    return box


def new_match(box: Letterbox, game: str = "two-hills", scenario: str = "at-once", **more: object) -> int:
    """The dice are the same every time a test is run."""
    sides = {one.id: one.sides for one in box.office.store.game(game).scenarios()}[scenario]
    seats = [SeatTaken(side, f"{side}@example.net", side.capitalize()) for side in sides]
    arguments = {"clock": {"hours": 168}, "begin": begins_by_mail(box.office), "secret": SECRET, **more}
    match = box.office.store.new_match(game, scenario, arguments.pop("seats", seats), **arguments)
    assert match.id is not None
    return match.id
