"""A referee who is killed again and again while mail flows: `python -m tests.crashing DIR SEED KILLS`.

A process of its own, because it forks: every child opens the office, makes passes until it is killed, and knows nothing
of those before it. Time runs 3600 times as fast, so that deadlines pass too. At the end one child is left in peace.
"""

import hashlib
import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from pbem.mail.correspondents import drop_into
from pbem.mail.finished import parsed
from pbem.mail.postman import Sent
from pbem.post.office import Office
from pbem.records import models
from pbem.records.database import _engine_for, database_in
from pbem.records.keys import key_tag
from pbem.records.matches import SeatTaken
from pbem.records.store import Store, create_store
from pbem.referee import begins_by_mail
from pbem.service.daemon import Duty
from pbem.service.logs import log_to
from tests.postal import START, settings_in
from tests.toy.table import toy_games

MATCHES_BY_MAIL = 10
MATCHES_BY_CLOCK = 3
TURNS = 4
SPEED = 3600
SIDES = ("red", "blue")


class RecordingPostman:
    """Writes down what he has carried, so that it can be compared with what the books say."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def send(self, sender: str, recipient: str, raw: bytes) -> Sent:
        record = {"id": str(parsed(raw)["Message-ID"]), "bytes": hashlib.sha256(raw).hexdigest()}
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, (json.dumps(record) + "\n").encode())
        os.close(descriptor)
        return Sent()


class FastClock:
    def __init__(self) -> None:
        self.began = time.monotonic()

    def __call__(self) -> datetime:
        return START + timedelta(seconds=(time.monotonic() - self.began) * SPEED)


def open_office(directory: Path, clock: FastClock) -> Office:
    """Without looking for migrations, which would take most of the time."""
    store = Store(directory, _engine_for(database_in(directory)), toy_games(), clock)
    return Office(store, settings_in(directory), clock)


def new_matches(office: Office) -> None:
    seats = [SeatTaken(side, f"{side}@example.org") for side in SIDES]
    for number in range(MATCHES_BY_MAIL + MATCHES_BY_CLOCK):
        clock = {} if number < MATCHES_BY_MAIL else {"hours": 2}
        office.store.new_match("two-hills", "at-once", seats, clock=clock, begin=begins_by_mail(office))


# ------------------------------------------------------------------ letters


def letters_for(store: Store, chance: random.Random) -> Iterator[bytes]:
    """All sheets of all turns, turn by turn, and between them questions and letters that come twice."""
    tags = {(seat.match_id, seat.side): key_tag(seat) for match in store.matches() for seat in store.seats_of(match.id)}
    number = 0
    for turn in range(TURNS):
        for match in range(1, MATCHES_BY_MAIL + 1):
            for side in chance.sample(SIDES, 2):
                number += 1
                text = f"FOR {side} {turn + 1}\nHOLD\n# sheet {number} turn {turn}"
                sheet = letter(number, side, tags[match, side], text)
                yield sheet
                if chance.random() < 0.2:
                    yield sheet
                if chance.random() < 0.2:
                    number += 1
                    yield letter(number, side, tags[match, side], chance.choice(["STATUS", "HELP", "SHOW"]))


def letter(number: int, side: str, tag: str, text: str) -> bytes:
    head = [
        f"From: {side}@example.org",
        "To: referee@example.org",
        f"Subject: orders {{{tag}}}",
        f"Message-ID: <letter-{number}@example.org>",
        "Content-Type: text/plain; charset=utf-8",
    ]
    return "\r\n".join([*head, "", *text.split("\n"), ""]).encode()


# ------------------------------------------------------------------ killing


def work(office: Office, passes: int) -> None:
    """Pass after pass, for ever or so often."""
    directory = office.store.directory
    with (directory / "log").open("a") as log:
        duty = Duty(office, log_to(log, office.clock), anyway=True, _postman=RecordingPostman(directory / "carried"))
        while passes:
            passes -= 1
            assert duty.one_pass(), "nothing gives trouble here but the killing"


def in_a_child(office: Office, passes: int) -> int:
    """No connection to the database is open here, so the child opens its own."""
    child = os.fork()
    if child == 0:
        try:
            work(office, passes)
            os._exit(0)
        except BaseException:
            (office.store.directory / "crash").write_text(traceback.format_exc())
            os._exit(1)
    return child


class Postbox:
    """Delivers the letters one by one."""

    def __init__(self, office: Office, letters: list[bytes]) -> None:
        self.maildir = office.store.directory / "mail" / "in"
        self.letters = letters
        self.dropped = 0

    def drop(self, until: int) -> None:
        for raw in self.letters[self.dropped : until]:
            self.dropped += 1
            drop_into(self.maildir, raw, f"{self.dropped:05}.test")


def warm_up(office: Office, postbox: Postbox) -> float:
    """Import and compile here what every child would have to for itself. How long a child's pass takes."""
    postbox.drop(4)
    work(office, 1)
    office.store.engine.dispose()
    times = []
    for number in (5, 6, 7):
        postbox.drop(number)
        began = time.monotonic()
        os.waitpid(in_a_child(office, 1), 0)
        times.append(time.monotonic() - began)
    return min(0.25, *times)


def is_over(office: Office) -> bool:
    over = all(match.status == models.OVER for match in office.store.matches())
    office.store.engine.dispose()
    return over


def run(directory: Path, seed: int, kills: int) -> None:
    chance, clock = random.Random(seed), FastClock()
    create_store(directory)
    office = open_office(directory, clock)
    new_matches(office)
    postbox = Postbox(office, list(letters_for(office.store, chance)))
    pass_time = warm_up(office, postbox)
    for kill in range(kills):
        child = in_a_child(office, -1)
        postbox.drop(len(postbox.letters) * (kill + 1) // kills)
        time.sleep(chance.uniform(0, 1.6 * pass_time))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), (directory / "crash").read_text()
    for _ in range(50):  # in peace, until every deadline that is left has passed
        _, status = os.waitpid(in_a_child(office, 2), 0)
        assert status == 0, (directory / "crash").read_text()
        clock.began -= 6 * 3600 / SPEED  # a deadline that was held is put off by a day
        if is_over(office):
            break
    print(json.dumps({"letters": len(postbox.letters), "kills": kills, "pass": round(pass_time, 3)}))


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
