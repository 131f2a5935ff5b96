"""Plays three wars by mail to their middle, with fixed dice and a clock that is moved by hand.

It is run by `python -m tools.old_wars` against the program of a commit of before, whose modules it imports, and by
nothing else: it stays as it is while the program changes.
"""

import dataclasses
import sys
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from sqlmodel import col, delete, select, update

from engine.game import Options
from pbem import rollback
from pbem.cli.directory import make_directory
from pbem.intake.office import Office
from pbem.mail.correspondents import drop_into
from pbem.mail.inbox import open_inbox
from pbem.mail.post import key_tag
from pbem.records import models
from pbem.records.matches import SeatTaken, number_of
from pbem.records.store import open_store
from pbem.service.daemon import Signals, read_letters
from pbem.settings import load_settings

BEGINNING = datetime(2026, 6, 1, 18, tzinfo=UTC)
ADDRESSES = {"axis": "anna@example.org", "soviet": "boris@example.net", "allies": "clara@example.com"}
NAMES = {"axis": "Anna", "soviet": "Boris", "allies": "Clara"}
#: Each scenario with its options, and how many turns of it are run.
WARS = (
    ("barbarossa", Options(fog="fog", mode="checkpoint"), 12),
    ("fall-of-germany", Options(fog="veiled"), 11),
    ("campaign-1", Options(fog="fog"), 27),
)
#: In the first war the turn before is taken back after so many.
TAKEN_BACK_AFTER = 5


class Clock:
    now = BEGINNING

    def __call__(self) -> datetime:
        return self.now


class War:
    def __init__(self, office: Office, clock: Clock, scenario: str, options: Options) -> None:
        self.office, self.store, self.clock, self.letters = office, office.store, clock, 0
        sides = {one.id: one.sides for one in self.store.game("hitlers-war").scenarios()}[scenario]
        seats = [SeatTaken(side, ADDRESSES[side], NAMES[side]) for side in sides]
        secret = f"the dice of {scenario}".ljust(32, ".").encode()
        hours = {"hours": 720, "grace": 12}
        made = self.store.new_match("hitlers-war", scenario, seats, options, secret=secret, clock=hours, office=office)
        self.number = number_of(made)

    @property
    def position(self):
        return self.store.position(self.number)

    def write(self, side: str, text: str, sender: str = "") -> None:
        seat = next(one for one in self.store.seats_of(self.number) if one.side == side)
        self.letters += 1
        letter = EmailMessage(policy=SMTP)
        letter["From"] = f"{seat.name} <{sender or seat.address}>"
        letter["To"] = self.office.settings.referee.address
        letter["Subject"] = f"Re: [{self.number}] orders {{{key_tag(seat)}}}"
        letter["Date"] = format_datetime(self.clock.now)
        letter["Message-ID"] = f"<{self.letters}.{self.number}.{seat.address}>"
        letter.set_content(text)
        drop_into(self.office.settings.inbox.path, letter.as_bytes(), f"{self.number}.{self.letters:04}.old")

    def read(self) -> None:
        self.clock.now += timedelta(hours=2)
        inbox = open_inbox(self.office.settings)
        try:
            read_letters(self.office, inbox, Signals())
        finally:
            inbox.close()

    def orders(self, side: str) -> str:
        position = self.position
        return position.game.bot(position.view(side), f"old {self.number} {position.runs} {side}".encode())

    def play_gate(self) -> None:
        gate, number = self.position.open_gate, self.position.number
        for side in (*gate.also_heard[:1], *gate.awaits):
            self.write(side, self.orders(side))
        self.read()
        if self.position.number == number:
            for side in gate.awaits:
                self.write(side, "READY")
            self.read()
        assert self.position.number == number + 1, f"{gate.id} of war {self.number} was not run"

    def take_back(self) -> None:
        with self.store.writing() as session:
            plan = rollback.plan(session, self.office, self.store.match_in(session, self.number), None)
            rollback.roll_back(session, self.office, plan, "A line was misread.")

    def play(self, turns: int) -> None:
        while self.position.number < turns:
            self.play_gate()
            if self.number == 1 and self.position.runs == TAKEN_BACK_AFTER:
                self.take_back()

    def leave_sheets(self) -> None:
        """Somebody who is only heard has sent a sheet already; where several are awaited, so has one of them."""
        gate = self.position.open_gate
        for side in (*gate.also_heard[:1], *gate.awaits[1:]):
            self.write(side, self.orders(side))
        self.read()


def main(directory: Path) -> None:
    make_directory(directory)
    settings = directory / "settings.yaml"
    settings.write_text(settings.read_text().replace("gm: []  ", "gm: [gm@example.org]  "))
    clock = Clock()
    store = dataclasses.replace(open_store(directory), clock=clock)
    office = Office(store, load_settings(directory), clock)
    wars = []
    for scenario, options, turns in WARS:
        wars.append(war := War(office, clock, scenario, options))
        war.play(turns)
        war.leave_sheets()
    wars[0].write("axis", "READY", sender="eve@example.com")
    wars[0].read()
    side = wars[2].position.open_gate.awaits[0]
    wars[2].write(side, wars[2].orders(side))  # this letter lies in the mailbox and has not been read
    leave_some_mail(office)
    store.engine.dispose()
    print(f"{clock.now.isoformat()}")


def leave_some_mail(office: Office) -> None:
    """One report, one receipt and one mail without pictures wait to be sent; the rest has left."""
    with office.store.writing() as session:
        mails = list(session.exec(select(models.Outgoing).order_by(col(models.Outgoing.id).desc())))
        drawn = set(session.exec(select(models.Sketch.outgoing_id)))
        waiting = {
            next(mail.id for mail in mails if mail.kind == "report" and mail.match_id == 1),
            next(mail.id for mail in mails if mail.kind == "receipt" and mail.match_id == 2 and mail.id in drawn),
            next(mail.id for mail in mails if mail.id not in drawn),
        }
        gone = col(models.Outgoing.id).not_in(waiting)
        session.exec(update(models.Outgoing).where(gone).values(state=models.SENT, sent=office.clock()))
        session.exec(delete(models.Sketch).where(col(models.Sketch.outgoing_id).not_in(waiting)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
