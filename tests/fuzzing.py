"""Damaged letters through the whole intake, each of them looked at afterwards: `python -m tests.fuzzing SEED LETTERS`.

The match is a real one, and some of the letters are good sheets with good keys. Who may have written an accepted
letter is found out here from its bytes, without the reader that is put to the test.
"""

import base64
import binascii
import random
import re
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from quopri import decodestring
from typing import Any

from sqlalchemy import bindparam, event, select

from engine.game import Options, games
from pbem.intake import settling
from pbem.letters.reading import DAMAGED
from pbem.mail.correspondents import Correspondent
from pbem.mail.finished import parsed
from pbem.mail.inbox import Arrived
from pbem.post import letterhead, post
from pbem.post.office import Office
from pbem.records import models
from pbem.records.keys import KEY_LETTERS, key_tag
from pbem.records.matches import SeatTaken
from tests.damage import CORPUS, MUTATIONS, Mutation, damaged
from tests.postal import GM, Watch, change, new_office, seat_of, settings_in
from tests.toy.table import toy_games

#: The letters of the corpus are about this match, and hold this key.
MATCH = 17
CORPUS_KEY = b"k3y5ecretkey"
KEYS = {"axis": "k3y5ecretkey23456789", "soviet": "sgrad2nmnq7hx4wvbt9c"}
ADDRESSES = {"axis": "player@mail.example.net", "soviet": "zhukov@stavka.example.net"}
SIDE_BY_SIDE = 12
#: Far more than any letter takes: twelve requests, twenty keys, and what is done once for each letter.
MOST_STATEMENTS = 300
MOST_MAILS = 20
LARGEST_MAIL = 500_000
#: Nothing is measured by this. It tells a letter that is never done from one that takes its time.
HANGS_AFTER_SECONDS = 20

LETTER, SHEET, MAIL, SEAT = (table.__table__.c for table in (models.Letter, models.Sheet, models.Outgoing, models.Seat))
SETTLED = select(LETTER.fate, LETTER.settled, LETTER.reason, LETTER.side, LETTER.sender).where(
    LETTER.id == bindparam("letter")
)
NEW_SHEETS = select(SHEET.id, SHEET.match_id, SHEET.side).where(SHEET.id > bindparam("seen"))
NEW_MAILS = select(MAIL.id, MAIL.recipient, MAIL.raw).where(MAIL.id > bindparam("seen"))
SEATS = select(SEAT.side, SEAT.key).where(SEAT.match_id == MATCH)


# ------------------------------------------------------------------ damage that is aimed


def _key(raw: bytes, dice: random.Random) -> bytes:
    """Another key, everywhere; it may be that of the other side."""
    for key in KEYS.values():
        other = bytearray(key.encode())
        other[dice.randrange(len(key))] = ord(dice.choice(KEY_LETTERS))
        raw = raw.replace(key.encode(), bytes(other) if dice.random() < 0.8 else KEYS["soviet"].encode())
    return raw


def _side(raw: bytes, dice: random.Random) -> bytes:
    other = dice.choice([b"soviet", b"Axis", b"axis-", b"", b"finland"])
    return raw.replace(b"-axis-", b"-" + other + b"-").replace(b".axis.", b"." + other + b".")


def _sender(raw: bytes, dice: random.Random) -> bytes:
    senders = [*ADDRESSES.values(), "somebody@example.com", GM, "", "player@mail.example.net.", "<>", "a@b, c@d"]
    line = f"From: {dice.choice(senders)}".encode()
    return re.sub(rb"(?im)^From:[^\r\n]*", line.replace(b"\\", b""), raw, count=dice.choice([1, 1, 0]))


def _two_senders(raw: bytes, dice: random.Random) -> bytes:
    return f"From: {dice.choice(list(ADDRESSES.values()))}\r\n".encode() + raw


def _huge_line(raw: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(raw))
    filling = dice.choice([b"x", b"> ", b"ATTACK ", b"(", b"<b>", b"=?utf-8?q?", b"17-axis-", b"\xc3\xa9"])
    return raw[:at] + filling * dice.choice([100, 1_000, 10_000]) + raw[at:]


def _nest(raw: bytes, dice: random.Random) -> bytes:
    """In as many envelopes; the innermost is the letter."""
    head, _, body = raw.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-")]
    for depth in range(dice.choice([1, 3, 9, 12, 40])):
        mark = b"nest%d" % depth
        body = b"--%b\r\nContent-Type: text/plain\r\n\r\n%b\r\n--%b--\r\n" % (mark, body, mark)
        if depth:
            body = body.replace(b"text/plain", b"multipart/mixed; boundary=nest%d" % (depth - 1), 1)
    return b"\r\n".join([*kept, b"Content-Type: multipart/mixed; boundary=" + mark]) + b"\r\n\r\n" + body


def _armour(raw: bytes, dice: random.Random) -> bytes:
    """The body in base64, with some of it damaged."""
    head, _, body = raw.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-transfer")]
    encoded = base64.encodebytes(body).replace(b"\n", b"\r\n")
    return b"\r\n".join([*kept, b"Content-Transfer-Encoding: base64"]) + b"\r\n\r\n" + encoded


def _nothings(raw: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(raw))
    return raw[:at] + dice.choice([b"\0", b"\r", b"\n\n", b"\x1a", b"\xef\xbb\xbf", b"\xff\xfe"]) * 3 + raw[at:]


AIMED: list[Mutation] = [_key, _side, _sender, _two_senders, _huge_line, _nest, _armour, _nothings]


# ------------------------------------------------------------------ the office and its letters


def new_war(directory: Path) -> Office:
    """A match of Hitler's War under the number of the corpus. It is paused: every sheet is taken, and none is run."""
    office = new_office(directory, Watch(), {**toy_games(), **games()}, settings_in(directory))
    office.store.engine.dispose()
    event.listen(office.store.engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous=OFF"))
    seats = [SeatTaken("red", "red@example.org"), SeatTaken("blue", "blue@example.org")]
    for _ in range(MATCH - 1):
        office.store.new_match("two-hills", "at-once", seats)
    seats = [SeatTaken(side, address) for side, address in ADDRESSES.items()]
    match = office.store.new_match("hitlers-war", "barbarossa", seats, Options(fog="fog"))
    assert match.id == MATCH
    change(office, MATCH, paused=True)
    for side, key in KEYS.items():
        change(office, MATCH, side, key=key)
    return office


def good_letters(office: Office) -> list[bytes]:
    """The corpus, and sheets as players send them: alone, and above everything they quote."""
    letters = [raw.replace(CORPUS_KEY, KEYS["axis"].encode()) for raw in CORPUS]
    position = office.store.position(MATCH)
    for side, address in ADDRESSES.items():
        seat = seat_of(office, MATCH, side)
        with office.store.reading() as session:
            mail = letterhead.welcome_mail(session, office, position, seat)
        subject = f"[{MATCH} Barbarossa] welcome {{{key_tag(seat)}}}"
        welcome = parsed(post.compose(office.sender, mail, subject, office.clock()))
        player = Correspondent(side.title(), address, Path())
        for number in range(SIDE_BY_SIDE):
            text = position.game.bot(position.view(side), f"{side} {number}".encode())
            whole = player.reply(text, office.clock(), to=welcome)
            head, _, body = whole.partition(b"\r\n\r\n")
            own = body.partition(b"\r\nOn ")[0]
            letters += [whole, *[head + b"\r\n\r\n" + own] * 3]
    return letters


def letter(letters: list[bytes], seed: str, number: int) -> bytes:
    """The letter of this number: a good one, most often damaged, most often under a Message-ID of its own."""
    dice = random.Random(f"{seed}/{number}")
    raw = dice.choice(letters)
    if dice.random() < 0.9:
        raw = re.sub(rb"(?im)^Message-ID:[^\r\n]*", b"Message-ID: <%d@fuzz.example>" % number, raw, count=1)
    if dice.random() < 0.5:
        raw = re.sub(rb"(?im)^From:[^\r\n]*", b"From: " + ADDRESSES["axis"].encode(), raw, count=1)
    if dice.random() < 0.05:
        return raw
    return damaged(raw, dice, AIMED if dice.random() < 0.5 else MUTATIONS)


# ------------------------------------------------------------------ who may have written it


def may_be_from(raw: bytes, side: str) -> bool:
    """Whether the key of a side is anywhere in a letter, however armoured, and its address in a From line."""
    unfolded = re.sub(rb"\n[ \t]+", b" ", raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    senders = re.findall(rb"(?im)^from[ \t]*:[^\n]*", unfolded)
    named = any(ADDRESSES[side].encode() in re.sub(rb"[^ -~]", b"", sender.lower()) for sender in senders)
    key = KEYS[side].encode()
    return named and (key in raw or any(key in text for text in _readings(raw)))


def _readings(raw: bytes) -> Iterator[bytes]:
    for text in (raw, decodestring(raw), decodestring(raw, header=True), *_unarmoured(raw)):
        yield re.sub(rb"[^a-z0-9]", b"", text.lower())
        yield re.sub(rb"[^a-z0-9]", b"", re.sub(rb"<[^>]*>|\n *>|=\r?\n", b"", text.lower()))


def _unarmoured(raw: bytes) -> Iterator[bytes]:
    """Everything that may be base64, from each of the four places where it may begin."""
    for found in re.findall(rb"(?:[A-Za-z0-9+/=]\s?){20,}", re.sub(rb"[^\n A-Za-z0-9+/=]", b"", raw)):
        bare = re.sub(rb"[^A-Za-z0-9+/]", b"", found)
        for start in range(4):
            piece = bare[start:]
            try:
                yield binascii.a2b_base64(piece[: len(piece) // 4 * 4])
            except binascii.Error:
                continue


# ------------------------------------------------------------------ one letter after the other


class Fuzzing:
    """Settles letters and looks at what each of them has caused."""

    def __init__(self, directory: Path, seed: str) -> None:
        self.office, self.seed = new_war(directory), seed
        self.letters = good_letters(self.office)
        self.fates: Counter[str] = Counter()
        self.sheets_seen = self.mails_seen = self.statements = 0
        event.listen(self.office.store.engine, "before_cursor_execute", self._count)

    def _count(self, *_: Any) -> None:
        self.statements += 1

    def settle(self, number: int) -> None:
        raw = letter(self.letters, self.seed, number)
        self.office.clock.forward(minutes=20)
        kept = settling.take_in(self.office, Arrived(f"{number}", raw))
        self.statements = 0
        with not_for_ever():
            fate = settling.settle(self.office, kept)
        faults = [*self._faults(raw, kept, fate, self.statements), *self._faults_of_a_second_look(kept, fate, number)]
        if faults:
            raise AssertionError(f"letter {number} of {self.seed}: {'; '.join(faults)}; it is in {keep(raw, number)}")
        self.fates[fate] += 1

    def _faults(self, raw: bytes, kept: int, fate: str, steps: int) -> Iterator[str]:
        with self.office.store.reading() as session:
            database = session.connection()
            settled = database.execute(SETTLED, {"letter": kept}).one()
            sheets = database.execute(NEW_SHEETS, {"seen": self.sheets_seen}).all()
            mails = database.execute(NEW_MAILS, {"seen": self.mails_seen}).all()
            seats = {row.side: row.key for row in database.execute(SEATS)}
        self.sheets_seen = max([self.sheets_seen, *(sheet.id for sheet in sheets)])
        self.mails_seen = max([self.mails_seen, *(mail.id for mail in mails)])
        if fate not in models.FATES or settled.fate != fate or settled.settled is None:
            yield f"it has no fate but {fate!r}"
        if settled.reason.startswith("the program failed") or DAMAGED in settled.reason:
            yield settled.reason
        if fate == models.ACCEPTED and not (settled.side and may_be_from(raw, settled.side)):
            yield f"it was accepted from {settled.side or 'nobody'}, who did not write it"
        for sheet in sheets:
            if (sheet.match_id, sheet.side) != (MATCH, settled.side) or fate != models.ACCEPTED:
                yield f"it left a sheet of {sheet.side} behind, and was {fate}"
        if len(sheets) > 1 or len(mails) > MOST_MAILS or steps > MOST_STATEMENTS:
            yield f"it made {len(sheets)} sheets, {len(mails)} mails and {steps} statements"
        for mail in mails:
            yield from _faults_of_mail(mail.recipient, mail.raw, settled.sender)
        yield from self._faults_of_seats(seats, settled.side, fate)

    def _faults_of_seats(self, seats: dict[str, str], side: str, fate: str) -> Iterator[str]:
        """A player may ask for another key. He gets his old one back here, so that the other letters fit."""
        for changed in (one for one in KEYS if seats[one] != KEYS[one]):
            if (changed, models.ACCEPTED) != (side, fate):
                yield f"the key of {changed} was changed by {side or 'nobody'}"
            change(self.office, MATCH, changed, key=KEYS[changed])

    def _faults_of_a_second_look(self, kept: int, fate: str, number: int) -> Iterator[str]:
        """Now and then a letter is settled twice, as after a crash: nothing may come of it."""
        if number % 25:
            return
        again = settling.settle(self.office, kept)
        with self.office.store.reading() as session:
            newer = session.connection().execute(NEW_MAILS, {"seen": self.mails_seen}).all()
        if again != fate or newer:
            yield f"settled twice it was first {fate}, then {again}, and wrote {len(newer)} mails more"


def _faults_of_mail(recipient: str, raw: bytes, sender: str) -> Iterator[str]:
    """It goes to a player, a GM or whoever wrote, and holds no key but its reader's own."""
    if recipient not in (*ADDRESSES.values(), GM) and recipient.lower() != sender.lower():
        yield f"a mail goes to {recipient}"
    if len(raw) > LARGEST_MAIL:
        yield f"a mail of {len(raw)} bytes"
    for side, key in KEYS.items():
        if key.encode() in raw and recipient != ADDRESSES[side] and key not in recipient.lower():
            yield f"{recipient} gets the key of {side}"


class ItHangs(BaseException):
    """Not an Exception, which the office would set aside."""


@contextmanager
def not_for_ever() -> Iterator[None]:
    def hangs(*_: object) -> None:
        raise ItHangs

    before = signal.signal(signal.SIGALRM, hangs)
    signal.setitimer(signal.ITIMER_REAL, HANGS_AFTER_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def keep(raw: bytes, number: int) -> Path:
    with tempfile.NamedTemporaryFile(prefix=f"letter-{number}-", suffix=".eml", delete=False) as file:
        file.write(raw)
    return Path(file.name)


def run(directory: Path, seed: str, numbers: range) -> Counter[str]:
    """What became of so many letters."""
    fuzzing = Fuzzing(directory, seed)
    for number in numbers:
        fuzzing.settle(number)
    fuzzing.office.store.engine.dispose()
    return fuzzing.fates


def main(seed: str, count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="pbem-fuzz-") as folder:
        fates = run(Path(folder) / "war", seed, range(count))
    print(f"seed {seed}: {count} letters, {', '.join(f'{fates[fate]} {fate}' for fate in models.FATES)}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
