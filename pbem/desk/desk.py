"""One letter on the table: who it is from, what it asks for, and what is answered, all in one transaction."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup
from sqlmodel import Session

from engine.game import Game, Side
from engine.language import Language
from engine.orders import Finding
from pbem.clock.jumps import is_in_doubt
from pbem.games import box_of
from pbem.letters import Letter
from pbem.letters.addresses import folded, same_address
from pbem.post.letterhead import when_it_runs
from pbem.post.post import Attachment
from pbem.post.sketches import Sketch
from pbem.records import models
from pbem.records.matches import Position, number_of
from pbem.records.seats import is_played, seats_of
from pbem.records.written import count_written, keys_under
from pbem.words.manual import Docs
from pbem.words.pages import EMPTY

if TYPE_CHECKING:
    from pbem.post.office import Office

Who = Literal["player", "anybody", "gm"]


@dataclass(frozen=True)
class Verdict:
    """What becomes of a letter."""

    fate: str
    reason: str


@dataclass(frozen=True)
class Request:
    """One thing a letter asks for: a word, what follows it on the line, and the lines below that belong to it."""

    word: str
    rest: str = ""
    lines: tuple[str, ...] = ()
    remarks: tuple[Finding, ...] = ()  # on the lines of a sheet, from reading the letter
    prose: tuple[str, ...] = ()  # what stood beside a sheet


@dataclass(frozen=True)
class Answer:
    """What a request came to. `changed` says that something is different now; `receipt` that it answers a sheet."""

    title: str
    text: str
    changed: bool = False
    refused: bool = False
    receipt: bool = False
    body: Markup = EMPTY  # the same as HTML; if empty, it is made from the text
    sketch: Sketch | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass
class Desk:
    """A letter being settled. `shown`, `seat` and `gm` are filled in by triage, when it has found out who wrote."""

    office: "Office"
    session: Session
    letter: models.Letter
    mail: Letter
    now: datetime
    match: models.Match | None = None
    shown: list[models.Seat] = field(default_factory=list)  # the seats whose keys are in it
    seat: models.Seat | None = None
    gm: str = ""
    trouble: str = ""  # why it cannot be read as a whole
    vouched_for: bool = False  # the sender's provider has signed it
    words: tuple[str, ...] = ()  # what it asks for
    may_run: bool = False  # a sheet came, or somebody is ready: the referee shall look
    fate: str = ""  # set where a request decides it
    released: list[int] = field(default_factory=list)  # held letters that are to be read after this one
    asked_before: dict[str, tuple[Request, ...]] = field(default_factory=dict)  # filled in by `commands/copies.py`
    _position: Position | None = field(default=None, repr=False)

    @property
    def sender(self) -> str:
        return folded(self.mail.sender)

    @property
    def is_of_a_stranger(self) -> bool:
        return self.seat is None and not self.gm

    @property
    def the_match(self) -> models.Match:
        assert self.match is not None, "triage has found the match"
        return self.match

    @property
    def the_seat(self) -> models.Seat:
        assert self.seat is not None, "triage has found the seat"
        return self.seat

    @property
    def match_id(self) -> int:
        return number_of(self.the_match)

    @property
    def game(self) -> Game | None:
        """The game of the match at hand; of a stranger, the only one there is."""
        games = self.office.store.games
        if self.match is not None:
            return games.get(self.match.game)
        return next(iter(games.values())) if len(games) == 1 else None

    @property
    def language(self) -> Language | None:
        """What orders are written in for the match at hand; without one, for the first war of the game."""
        if self.game is None:
            return None
        return self.game.language(self.match.scenario if self.match is not None else self.game.scenarios()[0].id)

    @property
    def order_words(self) -> tuple[str, ...]:
        """The words that can begin a line of a sheet."""
        return self.language.beginnings if self.language is not None else ()

    @property
    def position(self) -> Position:
        if self._position is None:
            self._position = self.office.store.position_in(self.session, self.match_id)
        return self._position

    @property
    def day(self) -> str:
        return self.now.astimezone(UTC).strftime("%Y-%m-%d")

    @property
    def mark(self) -> str:
        """Names this letter in the keys of what it causes, without telling how many letters there were.

        What it causes when it is read again is something else.
        """
        again = f"-{len(self.letter.history)}" if self.letter.history else ""
        return self.letter.raw_digest[:24] + again

    @property
    def docs(self) -> Docs:
        """The pages of the game at hand. What the number of a case looks like may also be said by its language."""
        docs = box_of(self.game).docs if self.game is not None else Docs()
        return docs if docs.case or self.language is None else docs._replace(case=self.language.case_number)

    def filled_in(self, example: str) -> str:
        """An example of a command with a side and the number of a case of the game at hand."""
        return example.format(side=self._a_side, case=self.docs.example)

    @property
    def _a_side(self) -> Side:
        """One that is not the first to write."""
        scenarios = self.game.scenarios() if self.game is not None else []
        played = [one for one in scenarios if self.match is None or one.id == self.match.scenario]
        return played[0].sides[-1 if len(played[0].sides) < 2 else 1] if played else "side"

    def side_name(self, side: Side) -> str:
        """What a side of the match at hand is called."""
        return self.office.side_name(self.the_match, side)

    def seats(self) -> list[models.Seat]:
        return seats_of(self.session, self.the_match)

    def seats_of_the_player(self) -> list[models.Seat]:
        """One player may run two sides; what he says of himself counts for both."""
        return [one for one in self.seats() if is_played(one) and same_address(one.address, self.the_seat.address)]

    def others(self) -> list[models.Seat]:
        """The other seats that somebody plays."""
        return [one for one in self.seats() if one.side != self.the_seat.side and is_played(one)]

    def when_it_runs(self) -> str:
        """When the open gate is run, as far as the player may know."""
        trusted = not self.the_match.settle_minutes or not is_in_doubt(self.session, self.now)
        return when_it_runs(self.session, self.office, self.position, self.the_seat, trusted=trusted)

    def note(self, act: str, detail: str = "") -> None:
        who = self.the_seat.side if self.seat is not None else "gm"
        self.office.store.note(self.session, self.match_id, act, detail, who)

    def written(self, prefix: str) -> list[str]:
        return keys_under(self.session, prefix)

    def count_written(self, prefix: str) -> int:
        return count_written(self.session, prefix)


Run = Callable[[Desk, Request], Answer]

NOTHING = re.compile(r"[.!]?")
ANYTHING = re.compile(r".*")


@dataclass(frozen=True)
class Command:
    """A word a mail may begin a line with.

    In `usage`, {side} and {case} stand for those of the game at hand.
    `shape` is what may follow it. Where `strict`, a line of another shape is no command: it may be an order that
    begins with the same word, or talk. `takes_text` goes on to END or the end of the letter.
    """

    word: str
    usage: str
    what: str
    run: Run
    more: str = ""
    who: Who = "player"
    shape: re.Pattern[str] = NOTHING
    strict: bool = True
    takes_text: bool = False
    confirm: bool = False
