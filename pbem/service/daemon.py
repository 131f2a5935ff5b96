"""The referee at work: a pass reads the letters, looks at the clock and sends the mail; the daemon makes many.

Every step can fail alone. What fails is said in one line, the other steps are done, and it is tried again later.
"""

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import func, update
from sqlmodel import col, select

from pbem.clock.guards import MAILBOX_READ, beat, letters_lie_unread
from pbem.clock.vigil import Vigil
from pbem.desk.forgetting import forget_strangers
from pbem.desk.held import tell_of_held_letters
from pbem.intake import settling
from pbem.intake.mailbox import (
    deadlines_are_held,
    must_be_ours,
    must_have_its_maildir,
    must_have_its_records,
    recognise,
)
from pbem.mail.inbox import Inbox, Where, open_inbox
from pbem.mail.postman import Postman, open_postman
from pbem.post.office import Office
from pbem.post.outbox import Round, send_waiting
from pbem.records import models
from pbem.refusal import Refusal
from pbem.service.deadlines import look_at_every_match, next_to_settle
from pbem.service.logs import Log, in_one_line
from pbem.service.mending import look_at_the_clock
from pbem.service.systemd import ServiceManager

#: Letters fetched, and letters settled, at once.
LETTERS_AT_ONCE = 200
#: The clock is looked at this often even if no letter comes, and not more often while many come.
LONGEST_WAIT = 60.0
LOOK_EVERY = 50.0
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 300.0
#: Letters are read for so long at a time; then mail is sent. Whoever writes without end holds up no report.
LONGEST_READING = 60.0
#: Mail is sent for so long at a time; then letters are read and the clock is looked at.
LONGEST_SLICE = 20.0
#: A sheet has settled for certain so many seconds after the time that was told; the mailbox is read after it.
SETTLED_AFTER = 1.0
#: A single tick sends on for so long. The next one comes after five minutes, and goes on where it stopped.
LONGEST_TICK = 240.0

Result = TypeVar("Result")


class WeAreAskedToStop(BaseException):
    """Raised by a signal where nothing is in hand that would have to be finished."""


@dataclass
class Signals:
    """SIGTERM and SIGINT: at once while waiting, else when the letter or mail in hand is done."""

    _asked: bool = False
    _waiting: bool = False

    def asked_to_stop(self) -> bool:
        return self._asked

    @contextmanager
    def obeyed(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: object) -> None:
        self._asked = True
        if self._waiting:
            raise WeAreAskedToStop

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Around what may be left off in the middle, such as waiting for a letter."""
        self._waiting = True
        try:
            if self._asked:
                raise WeAreAskedToStop
            yield
        finally:
            self._waiting = False


# ------------------------------------------------------------------ one pass


@dataclass
class Duty:
    """What a referee needs for a pass. The mailbox and the postman are opened when they are first needed."""

    office: Office
    log: Log
    signals: Signals = field(default_factory=Signals)
    manager: ServiceManager = field(default_factory=ServiceManager)
    anyway: bool = False
    look_every: float = 0.0  # seconds: letters may come faster than it is worth looking at the clock
    mail_in_trouble: bool = False  # some was put off or has failed, or may not leave today
    _resume_at: float | None = None  # when the next slice of mail may leave, if there is more to send
    _limit_told: int = 0
    _looked: float | None = None
    _settles: datetime | None = None  # when a sheet will have settled next
    _vigil: Vigil = field(default_factory=Vigil)
    _inbox: Inbox | None = None
    _postman: Postman | None = None
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)
    _opened: AsyncExitStack = field(default_factory=AsyncExitStack)

    def one_pass(self) -> bool:
        """Read, look at the clock, send; each is tried whatever became of the one before. True if all went well.

        If something has vanished, nothing is done: what is left of it would be taken for all there is.
        """
        if not self._try(lambda: must_have_its_records(self.office)):
            return False
        if not self._try(lambda: must_have_its_maildir(self.office)):
            self._try(self._keep_track_of_time)
            return False
        went_well = True
        for step in (self._read, self._look, self._send):
            went_well = (self.signals.asked_to_stop() or self._try(step)) and went_well
        return went_well

    def _keep_track_of_time(self) -> None:
        """While the mailbox is gone no deadline passes, but that time goes on is no jump of the clock."""
        _, said = look_at_the_clock(self.office, self.office.clock())
        for what in said:
            self.log(what)

    def one_tick(self) -> bool:
        """Pass after pass until nothing is left that could be sent, but not for longer than a tick may take."""
        began = time.monotonic()
        went_well = self.one_pass()
        while (pause := self.send_again_in) is not None and time.monotonic() + pause < began + LONGEST_TICK:
            time.sleep(pause)
            went_well = self.one_pass() and went_well
        return went_well

    @property
    def send_again_in(self) -> float | None:
        """So many seconds until more of the mail can leave; None if none is left."""
        return None if self._resume_at is None else max(0.0, self._resume_at - time.monotonic())

    def soon_enough(self, seconds: float) -> float:
        """Not so long that mail would wait for it."""
        return seconds if self.send_again_in is None else min(seconds, self.send_again_in)

    def wait(self) -> bool:
        """Until a letter comes or there is mail to send again, but not much longer than a minute.

        False if the mailbox gives trouble.
        """
        if self.send_again_in == 0 or self._letters_are_left():
            return True
        self.manager.status(f"waiting for letters since {self.office.clock():%Y-%m-%d %H:%M:%S %Z}")
        return self._try(self._wait)

    def _wait(self) -> None:
        longest = min(LONGEST_WAIT, self.manager.longest_silence, self._settles_in())
        with self.signals.interruptible():
            self.inbox().wait(self.soon_enough(longest))

    def _settles_in(self) -> float:
        """So many seconds until a sheet has settled, by whose time the clock is looked at."""
        now = self.office.clock()
        self._settles = next_to_settle(self.office, now)
        return LONGEST_WAIT if self._settles is None else (self._settles - now).total_seconds() + SETTLED_AFTER

    def _try(self, step: Callable[[], None]) -> bool:
        self.manager.is_alive()
        try:
            step()
        except Refusal as refusal:
            self.log(refusal.why, level="warning", remedy=refusal.remedy)
            return False
        except Exception as error:
            self.log("something failed and is tried again", level="error", what=in_one_line(error))
            return False
        return True

    def _read(self) -> None:
        before = self._turns()
        count = read_letters(self.office, self.inbox(), self.signals, self.manager.is_alive)
        if count:
            self.log("letters were read", count=count, turns_run=self._turns() - before)
        must_be_ours(self.office)

    def _letters_are_left(self) -> bool:
        with self.office.store.reading() as session:
            return letters_lie_unread(session)

    def _turns(self) -> int:
        with self.office.store.reading() as session:
            return session.exec(select(func.count()).select_from(models.Turn)).one()

    def _look(self) -> None:
        settled = self._settles is not None and self.office.clock() >= self._settles
        if not settled and self._looked is not None and time.monotonic() - self._looked < self.look_every:
            return
        self._looked, self._settles = time.monotonic(), None
        for what in look_at_every_match(self.office, self.office.clock(), anyway=self.anyway, vigil=self._vigil):
            self.log(what)
        forgotten = forget_strangers(self.office, self.office.clock())
        if forgotten:
            self.log("old letters of strangers were deleted", count=forgotten)
        told = tell_of_held_letters(self.office, self.office.clock())
        if told:
            self.log("the GM is told of held letters", count=told)

    def _send(self) -> None:
        """One slice: it ends when nothing is due, when the pace is used up, or after some seconds."""
        if self.send_again_in:
            return
        self._resume_at, until = None, time.monotonic() + LONGEST_SLICE
        done = self._run(self._send_slice(until))
        if done.again_in is not None:
            self._resume_at = time.monotonic() + done.again_in
        elif done.left and time.monotonic() >= until:
            self._resume_at = until
        self.mail_in_trouble |= bool(done.later or done.failed or done.most_today)
        self._log_sending(done)

    def _log_sending(self, done: Round) -> None:
        if done.most_today != self._limit_told:
            self._limit_told = done.most_today
            if done.most_today:
                self.log("no more mail may leave today", level="warning", most=done.most_today, left=done.left)
        if not done.is_quiet:
            level = "warning" if done.later or done.failed else "info"
            fields = {name: value for name in ("left", "trouble") if (value := getattr(done, name))}
            self.log("mail went out", level=level, sent=done.sent, later=done.later, failed=done.failed, **fields)

    async def _send_slice(self, until: float) -> Round:
        if self._postman is None:
            self._postman = await self._opened.enter_async_context(open_postman(self.office.settings))
        return await send_waiting(self.office, self._postman, self.office.clock(), lambda: self._must_stop(until))

    def _must_stop(self, until: float) -> bool:
        self.manager.is_alive()
        return self.signals.asked_to_stop() or time.monotonic() >= until

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._runner.run(work)

    def inbox(self) -> Inbox:
        if self._inbox is None:
            self._inbox = open_inbox(self.office.settings)
        return self._inbox

    def close(self) -> None:
        if self._inbox is not None:
            self._inbox.close()
        self._runner.run(self._opened.aclose())
        self._runner.close()


# ------------------------------------------------------------------ letters


def read_letters(office: Office, inbox: Inbox, signals: Signals, alive: Callable[[], None] = lambda: None) -> int:
    """Fetch, keep, settle and file away, until the mailbox is empty. That it was read is noted only then.

    After a while the rest is left to the next pass; until then no deadline passes.
    """
    until = time.monotonic() + LONGEST_READING
    settle_all(office, signals, alive, until)  # what a killed process has left
    seen: set[str] = set()
    while not signals.asked_to_stop() and (not seen or time.monotonic() < until):
        began = office.clock()
        with signals.interruptible():
            arrived = inbox.fetch(LETTERS_AT_ONCE)
            recognise(office, inbox)
        fresh = {letter.place for letter in arrived} - seen
        if not fresh:
            file_away(office, inbox, ())
            _note_that_all_was_read(office, began)
            break
        seen |= fresh
        numbers = settling.take_in_many(office, arrived)
        settle_all(office, signals, alive, until)
        file_away(office, inbox, numbers)
    return len(seen)


def _note_that_all_was_read(office: Office, began: datetime) -> None:
    """Not of a mailbox that we do not know: then no deadline passes."""
    with office.store.writing() as session:
        if not deadlines_are_held(session):
            beat(session, MAILBOX_READ, began)


def settle_all(office: Office, signals: Signals, alive: Callable[[], None], until: float) -> None:
    """One letter after the other, one at least; asked to stop, the one in hand is finished."""
    with office.store.reading() as session:
        arrived = select(models.Letter.id).where(models.Letter.fate == models.ARRIVED).order_by(col(models.Letter.id))
        numbers = session.exec(arrived).all()
    for number in numbers:
        if signals.asked_to_stop():
            return
        settling.settle(office, number or 0)
        alive()
        if time.monotonic() >= until:
            return


def file_away(office: Office, inbox: Inbox, numbers: Sequence[int]) -> None:
    """Move what has its fate out of the mailbox: what was just fetched, and what a killed process left."""
    shelves: dict[Where, list[str]] = {"processed": [], "held": []}
    fresh: list[int] = []
    for number, place, fate, filed in _settled(office, numbers):
        shelves["held" if fate == models.HELD else "processed"].append(place)
        fresh += [] if filed else [number]
    for where, places in shelves.items():
        if places:
            inbox.file_away(places, where)
    if fresh:
        with office.store.writing() as session:
            session.execute(update(models.Letter).where(col(models.Letter.id).in_(fresh)).values(filed=True))


def _settled(office: Office, numbers: Sequence[int]) -> list[tuple[int, str, str, bool]]:
    letter = models.Letter
    settled = select(letter.id, letter.place, letter.fate, letter.filed).where(
        letter.fate != models.ARRIVED, col(letter.filed).is_(False) | col(letter.id).in_(numbers)
    )
    with office.store.reading() as session:
        return [(number or 0, place, fate, filed) for number, place, fate, filed in session.exec(settled)]


# ------------------------------------------------------------------ the daemon


def run_daemon(duty: Duty) -> None:
    """Pass after pass until a signal comes. Between them it waits for a letter, but never longer than a minute."""
    with suppress(WeAreAskedToStop), duty.signals.obeyed():
        duty.log("the referee is at work", directory=duty.office.store.directory)
        duty.manager.is_ready("reading letters")
        _go_on(duty)
    duty.manager.is_stopping()
    duty.log("the referee stops")


def _go_on(duty: Duty) -> None:
    pause = 0.0
    while not duty.signals.asked_to_stop():
        if duty.one_pass() and (duty.signals.asked_to_stop() or duty.wait()):
            pause = 0.0
        else:
            pause = min(LONGEST_PAUSE, pause * 2 or FIRST_PAUSE)
            duty.manager.status(f"there is trouble, see the log; trying again in {pause:.0f} seconds")
            _rest(duty, duty.soon_enough(pause))


def _rest(duty: Duty, seconds: float) -> None:
    until = time.monotonic() + seconds
    with duty.signals.interruptible():
        while (left := until - time.monotonic()) > 0:
            duty.manager.is_alive()
            time.sleep(min(left, duty.manager.longest_silence))
