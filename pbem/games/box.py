"""What lies in the box of a game besides its rules: everything by which it is shown.

The rules of a game fulfil `engine.game.Game`; its box fulfils `GameBox`. Whatever a box is asked is answered from a
view and from events that were already filtered for their reader, never from a state, and in plain data. `PlainBox`
shows any game as a listing, so that a game can be played by mail as soon as it has rules.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol

import msgspec
from markupsafe import Markup

from engine.events import Event
from engine.game import Fog, Game, Gate, Side, View
from engine.orders import Finding, Line, Sheet
from engine.results import LineResult
from pbem.words.looks import PLAIN, Style
from pbem.words.manual import Docs
from pbem.words.pages import prose
from pbem.words.teller import DiceList, plain_fields, tag_of
from pbem.words.told_dice import Mention, dice_apart
from pbem.words.wording import render, side_name

#: Names the format of `view.json`, the same for every game.
VIEW_FORMAT = "pbem view 1"
#: When pictures are shown: in a report, in the first mail of a seat, or because somebody asks for them.
Occasion = Literal["report", "welcome", "map", "sheet"]


#: What can be said of any fog of any game.
SIGHT: dict[Fog, str] = {
    "open": "open: nothing is hidden.",
    "veiled": "veiled: some of what the others have is hidden from you, as the rules say.",
    "fog": "fog: of the others you know only what the rules let you see.",
}


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """One picture of a mail: its file, what is drawn in it, and what it shows for who cannot see it."""

    name: str
    what: str
    alt: str = ""


class Lead(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a report begins with: lines with a word before each, and what the reader has to decide.

    The headline is as short as a subject.
    """

    headline: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    decide: str = ""


class Plan(msgspec.Struct, frozen=True):
    """What a sheet means to pay for: each line with what it costs, and what that comes to."""

    title: str
    rows: tuple[tuple[int, str, str], ...]  # the number of the line or 0, what it buys, its price
    together: str


class PartOfBoard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is around a place: what that is called, and what stands there in words and, if the game draws, pictures."""

    title: str
    text: str
    pictures: tuple[Picture, ...] = ()


class GameBox(Protocol):
    """What the referee asks of a game besides its rules. What fails here is answered by `PlainBox` instead."""

    @property
    def game(self) -> Game: ...
    @property
    def docs(self) -> Docs:
        """Its pages about orders and rules, which HELP and RULES read from."""

    @property
    def style(self) -> Style:
        """The colours of its mails."""

    def side_name(self, side: Side) -> str:
        """What a side is called."""

    def sight(self, fog: Fog) -> str:
        """What a fog hides, in a sentence for the welcome."""

    def named(self, text: str) -> str:
        """A remark of the rules, with what it speaks of called as players call it."""

    def lead(self, events: Iterable[Event], before: View | None, now: View) -> Lead:
        """What matters most of what a side was told, of what it knows now and did not know at its last report."""

    def story(self, events: Iterable[Event], reader: Side | None) -> str:
        """What happened, as told to a side; None is the game master, who is told everything. The list of its dice with
        their labels ends it."""

    def story_html(self, events: Iterable[Event], reader: Side | None) -> Markup:
        """The same without the list of its dice, which stands below the report as it is in the text."""

    def position(self, view: View) -> str:
        """Where everything stands: the map and the record sheets."""

    def position_html(self, view: View) -> Markup: ...

    def board(self, view: View) -> str:
        """The map alone."""

    def record(self, view: View, side: Side) -> str:
        """The record sheet of one side alone."""

    def record_html(self, view: View, side: Side) -> Markup: ...

    def form(self, match_id: int, view: View, gate: Gate, side: Side) -> str:
        """The order form, without the key."""

    def stands(self, view: View) -> Mapping[str, str]:
        """The place of every army of the side that a view is of, by what orders call it."""

    def result_words(self, line: Line | None, result: LineResult) -> str:
        """What came of a line, in a few words; its verdict is told beside them."""

    def plan(self, view: View, sheet: Sheet) -> Plan | None:
        """What a sheet means to pay for, with its sum; None where nothing is paid for."""

    def pictures(self, occasion: Occasion, view: View, told: Iterable[Event] = ()) -> tuple[Picture, ...]:
        """Which pictures a mail shows, the most important first."""

    def part(self, view: View, named: str) -> PartOfBoard:
        """What is around a place that a player names. Raises NoSuchPlace, with what would work."""

    def orders_pictures(self, view: View, sheet: Sheet, findings: Iterable[Finding]) -> tuple[Picture, ...]:
        """Which pictures show a side its own orders."""

    def stage(self, view: bytes, told: bytes, orders: str) -> Callable[[str], Any]:
        """Says of each picture all that it shows, in plain data, from what was written down with the mail.

        Two that are equal are painted alike, so a test for what leaks need not paint them.
        """

    def paint(self, shown: Any) -> bytes:
        """A PNG of what the stage said, and of nothing else. A failure of either is the studio's to bear."""

    def tells_of(self, mention: Mention, place: str, purpose: str) -> bool:
        """Whether a sentence of the diary tells of the roll that a label names."""


class PlainBox:
    """Any game as a listing of what is known and what happened, without pictures."""

    docs = Docs()
    style = PLAIN

    def __init__(self, game: Game) -> None:
        self.game = game

    def side_name(self, side: Side) -> str:
        return side_name(side)

    def sight(self, fog: Fog) -> str:
        return SIGHT[fog]

    def named(self, text: str) -> str:
        return text

    def lead(self, events: Iterable[Event], before: View | None, now: View) -> Lead:
        """What matters only a game can tell."""
        return Lead()

    def story(self, events: Iterable[Event], reader: Side | None) -> str:
        dice = DiceList()
        listed = [(tag_of(event), plain_fields(event, dice)) for event in events]
        return render("plain/diary.txt.j2", events=listed, dice=dice.rolls)

    def story_html(self, events: Iterable[Event], reader: Side | None) -> Markup:
        story, _ = dice_apart(self.story(events, reader))
        return prose(story)

    def position(self, view: View) -> str:
        return render("plain/show.txt.j2", fields=plain_fields(view))

    def position_html(self, view: View) -> Markup:
        return prose(self.position(view))

    def board(self, view: View) -> str:
        return self.position(view)

    def record(self, view: View, side: Side) -> str:
        return self.position(view)

    def record_html(self, view: View, side: Side) -> Markup:
        return self.position_html(view)

    def form(self, match_id: int, view: View, gate: Gate, side: Side) -> str:
        verbs = self.game.language(view.scenario).verbs
        return render("plain/form.txt.j2", gate=gate, verbs=verbs, on_turn=side in gate.awaits)

    def stands(self, view: View) -> Mapping[str, str]:
        return {}

    def result_words(self, line: Line | None, result: LineResult) -> str:
        return result.why or ", ".join(dict.fromkeys(tag_of(event) for event in result.events))

    def plan(self, view: View, sheet: Sheet) -> Plan | None:
        return None

    def pictures(self, occasion: Occasion, view: View, told: Iterable[Event] = ()) -> tuple[Picture, ...]:
        return ()

    def part(self, view: View, named: str) -> PartOfBoard:
        """The whole board: what is near a place only a game can tell."""
        return PartOfBoard("the whole board", self.board(view))

    def orders_pictures(self, view: View, sheet: Sheet, findings: Iterable[Finding]) -> tuple[Picture, ...]:
        return ()

    def stage(self, view: bytes, told: bytes, orders: str) -> Callable[[str], Any]:
        raise NotImplementedError(f"{self.game.title} has no pictures")

    def paint(self, shown: Any) -> bytes:
        raise NotImplementedError(f"{self.game.title} has no pictures")

    def tells_of(self, mention: Mention, place: str, purpose: str) -> bool:
        """Of a listing nobody can tell."""
        return True


def easel(box: GameBox, view: bytes, told: bytes, orders: str) -> Callable[[str], bytes]:
    """Draws each picture that is named. There is no other way to one."""
    stage = box.stage(view, told, orders)
    return lambda what: box.paint(stage(what))
