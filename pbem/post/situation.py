"""What one seat may know at one moment: all that its mail is made from, and nothing else.

A situation holds a view, never a state, and of the match only what every player may read. Whatever is written from it
is therefore a function of what the seat may know.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from engine.events import Event
from engine.game import Gate, Options, Outcome, Side, View
from pbem.games.box import GameBox
from pbem.post.ordered import Ordered
from pbem.post.post import FORM_BEGINS, FORM_ENDS, Sender
from pbem.records.keys import KeyedSeat, key_tag
from pbem.records.matches import how_it_ended
from pbem.schedule import minutes_in_words, moment_in_words
from pbem.words.wording import sides_named

#: In the subject of every mail that begins a turn of its reader.
YOUR_TURN = "YOUR TURN"


@dataclass(frozen=True)
class MatchTold:
    """The match as its players know it. `commitment` fixes its dice; `box` shows the game."""

    id: int
    title: str
    box: GameBox
    commitment: str
    options: Options = Options()  # noqa: RUF009, it is frozen

    @property
    def game(self) -> str:
        return self.box.game.id

    @property
    def game_title(self) -> str:
        return self.box.game.title

    def sides_named(self, sides: Iterable[Side]) -> str:
        return sides_named(map(self.box.side_name, sides))


@dataclass(frozen=True)
class Addressee:
    """A seat as its own mail knows it."""

    match_id: int
    side: str
    address: str
    key: str = field(repr=False)
    name: str = ""
    lead_hours: int = 24


@dataclass(frozen=True)
class Settling:
    """How long the last sheet lies before the turn is run, and until when, once all are in. All of it is public."""

    minutes: int
    at: datetime | None = None
    has_passed: bool = False
    trusted: bool = True  # the referee believes the clock
    alone: bool = False  # nobody else is awaited


@dataclass(frozen=True)
class Situation:
    """`changes` counts what has happened to the match so far: a later deadline has a higher number."""

    war: MatchTold
    seat: Addressee
    sender: Sender
    view: View
    gate: Gate | None
    outcome: Outcome | None
    zone: str
    deadline: datetime | None = None
    has_deadlines: bool = False
    paused: bool = False
    frozen: bool = False
    waits: bool = False  # he has asked not to be run before the deadline
    unready: bool = False  # the turn waits for his READY
    settling: Settling | None = None
    changes: int = 0
    footer: str = ""

    @property
    def side(self) -> str:
        return self.seat.side

    @property
    def side_name(self) -> str:
        return self.war.box.side_name(self.side)

    @property
    def is_on_turn(self) -> bool:
        return self.gate is not None and self.side in self.gate.awaits

    def clock_time(self, at: datetime) -> str:
        """A point in time by the player's clock."""
        return moment_in_words(at, self.zone)


@dataclass(frozen=True)
class Press:
    """A message of another player, as it was passed on."""

    sender: str
    at: datetime
    lines: tuple[str, ...]


@dataclass(frozen=True)
class NewRules:
    """The rules by which a turn was run, and those that had led to it."""

    number: int
    before: int


@dataclass(frozen=True)
class TurnTold:
    """A turn that was run, as far as the seat may know. `link` is the key of its dice, revealed now.

    `before` are the turns since the seat's last whole report, which its next one tells as well; `known` is what the
    side knew when this one began.
    """

    number: int
    title: str
    ran_at: datetime
    link: str
    digests: tuple[tuple[str, str], ...]
    events: tuple[Event, ...]
    orders: tuple[Ordered, ...] = ()
    press: tuple[Press, ...] = ()
    name: str = ""  # names it in the key of its report; the number if empty
    new_rules: NewRules | None = None  # if it was the first turn by them
    resealed: bool = False  # his sheet was sealed in other words than it was sent in
    before: "tuple[TurnTold, ...]" = ()
    known: View | None = None

    @property
    def known_at_last(self) -> View | None:
        """What the side knew at its last whole report."""
        return (*self.before, self)[0].known

    @property
    def events_since(self) -> tuple[Event, ...]:
        """All that the seat was told of since its last whole report."""
        return tuple(event for turn in (*self.before, self) for event in turn.events)


# ------------------------------------------------------------------ in words

RUN_NOW = "All orders that were awaited are in, so the turn is run now. Its report follows."


def when_it_runs(now: Situation) -> str:
    """When the open gate will be run, as far as anybody can know."""
    if now.frozen:
        return "The turn could not be run. The GM is looking into it; the orders on file stay as they are."
    if now.paused:
        return "The game is paused: nothing is run and no deadline passes. You will be told when it goes on."
    if now.settling is not None and now.settling.at is not None and not now.waits and not now.unready:
        return _when_it_has_settled(now, now.settling, now.settling.at)
    if now.deadline is None:
        return f"There is no deadline. The turn is run {_without_deadline(now)}."
    return f"The turn is run at the deadline, {now.clock_time(now.deadline)}, {_before_the_deadline(now)}."


def _without_deadline(now: Situation) -> str:
    if now.unready or (now.settling is not None and now.waits):
        return "when all sheets are in and you have said READY"
    return "when all sheets are in" if now.settling is None else _after_the_last_sheet(now.settling)


def _before_the_deadline(now: Situation) -> str:
    if now.waits:
        return "and not earlier, as you asked (WAIT)"
    if now.unready:
        return "or earlier, if all sheets are in and you have said READY"
    return "or earlier, if all sheets are in" if now.settling is None else f"or {_after_the_last_sheet(now.settling)}"


def _after_the_last_sheet(settling: Settling) -> str:
    return f"{minutes_in_words(settling.minutes)} after the last sheet that is awaited has come"


def _when_it_has_settled(now: Situation, settling: Settling, at: datetime) -> str:
    """The same whether or not somebody has said READY or WAIT, or has lines that were refused: that is not public."""
    ready = "READY" if settling.alone else "READY of everybody who is awaited"
    all_in = "All orders that were awaited are in"
    if not settling.trusted:
        return f"{all_in}. The turn is run when the referee can trust his clock again. {ready} runs it at once."
    if at == now.deadline:
        return RUN_NOW if settling.has_passed else f"{all_in}. {_run_at_its_deadline(now, at, ready)}"
    minutes = minutes_in_words(settling.minutes)
    until = "READY" if now.deadline is None else f"the deadline, {now.clock_time(now.deadline)}"
    when = (
        f", and {minutes} have passed. The turn is run at the next look at the clock"
        if settling.has_passed
        else f". The turn is run on {now.clock_time(at)}, {minutes} after the last of them came"
    )
    return (
        f"{all_in}{when}, unless somebody holds it: WAIT does, until {until}, and so does a line that was refused."
        f" A new sheet starts the {minutes} again. If nobody holds the turn, {ready} runs it at once."
    )


def _run_at_its_deadline(now: Situation, at: datetime, ready: str) -> str:
    """It comes before the sheets would have settled."""
    when = now.clock_time(at)
    return f"The turn is run at the deadline, {when}, with the newest sheet of each. {ready} runs it at once."


def whose_turn(now: Situation) -> str:
    """What is expected of this seat now."""
    gate = now.gate
    if gate is None:
        return f"The war is over: {how_it_ended(now.outcome)}."
    if now.is_on_turn:
        others = tuple(side for side in gate.awaits if side != now.side)
        also = f" Orders are awaited from {now.war.sides_named(others)} too." if others else ""
        return f"It is your turn: {gate.title}. Your orders are awaited.{also}"
    may = " You may send standing orders meanwhile." if now.side in gate.also_heard else ""
    return f"It is not your turn: {gate.title}. Orders are awaited from {now.war.sides_named(gate.awaits)}.{may}"


def what_is_next(now: Situation) -> str:
    """For subjects."""
    if now.gate is None:
        return "the war is over"
    return YOUR_TURN if now.is_on_turn else f"{now.war.sides_named(now.gate.awaits)} to move"


def order_form(now: Situation) -> str:
    """What a player can edit and send back. His armies stand in it as comments; empty when the war is over."""
    gate = now.gate
    if gate is None or now.side not in gate.awaits + gate.also_heard:
        return ""
    return with_key(now.war.box.form(now.war.id, now.view, gate, now.side), now.seat)


def with_key(lines: str, seat: KeyedSeat) -> str:
    return f"{FORM_BEGINS}\n{lines}\n\nKEY {key_tag(seat)}\n{FORM_ENDS}\n"
