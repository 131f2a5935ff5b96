"""Words and pictures cannot stop a war: what raises in a box is replaced by what the plain listing says.

What went wrong is remembered until the mail is written that it has spoilt; then the GM is told, in the same
transaction. Where nothing is written, a warning is all there is.
"""

import logging
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from markupsafe import Markup
from sqlalchemy.exc import DBAPIError

from engine.events import Event
from engine.game import Fog, Game, Gate, Side, View
from engine.orders import Finding, Line, Sheet
from engine.results import LineResult, results_of
from pbem.games.box import GameBox, Lead, Occasion, PartOfBoard, Picture, PlainBox, Plan
from pbem.games.tools import NoSuchPlace
from pbem.words.looks import Style
from pbem.words.manual import Docs
from pbem.words.told_dice import Mention

T = TypeVar("T")
_log = logging.getLogger("pbem.games")


class Trouble(msgspec.Struct, frozen=True):
    """What a box was asked when it failed, and how it failed."""

    game: str
    asked: str
    traceback: str


_TROUBLES: ContextVar[tuple[Trouble, ...]] = ContextVar("troubles", default=())


def troubles_until_now() -> tuple[Trouble, ...]:
    """What has failed since this was asked before, each thing that was asked once."""
    found = _TROUBLES.get()
    if found:
        _TROUBLES.set(())
    return found


def remember_trouble(game: Game, asked: str, error: Exception) -> None:
    said = "".join(traceback.format_exception(error))
    others = (one for one in _TROUBLES.get() if (one.game, one.asked) != (game.id, asked))
    _TROUBLES.set((*others, Trouble(game.id, asked, said)))
    what = "%s: %s failed (%s); what follows is the plain listing in its place"
    _log.warning(what, game.title, asked, type(error).__name__)


def came_of(game: Game, view: View, sheet: Sheet, told: Sequence[Event]) -> list[LineResult]:
    """What came of each line. It is only told, so no error in it stops a turn: then the lines of the events say it."""
    try:
        return game.came_of(view, sheet, told)
    except DBAPIError:
        raise
    except Exception as error:
        remember_trouble(game, "came_of", error)
        return results_of(sheet, told)


class Guarded:
    """A box that always answers. Only what is not its own fault is passed on: trouble with the database, and a place
    that there is not."""

    def __init__(self, make: Callable[[], GameBox], plain: PlainBox) -> None:
        self._make, self._plain = make, plain

    @cached_property
    def _own(self) -> GameBox:
        return self._make()

    @property
    def game(self) -> Game:
        return self._plain.game

    @property
    def docs(self) -> Docs:
        return self._answer("docs", lambda box: box.docs)

    @property
    def style(self) -> Style:
        return self._answer("style", lambda box: box.style)

    def side_name(self, side: Side) -> str:
        return self._answer("side_name", lambda box: box.side_name(side))

    def _answer(self, asked: str, ask: Callable[[GameBox], T]) -> T:
        try:
            return ask(self._own)
        except (DBAPIError, NoSuchPlace):
            raise
        except Exception as error:
            remember_trouble(self.game, asked, error)
            return ask(self._plain)

    def sight(self, fog: Fog) -> str:
        return self._answer("sight", lambda box: box.sight(fog))

    def named(self, text: str) -> str:
        return self._answer("named", lambda box: box.named(text))

    def lead(self, events: Iterable[Event], before: View | None, now: View) -> Lead:
        told = list(events)
        return self._answer("lead", lambda box: box.lead(told, before, now))

    def story(self, events: Iterable[Event], reader: Side | None) -> str:
        told = list(events)
        return self._answer("story", lambda box: box.story(told, reader))

    def story_html(self, events: Iterable[Event], reader: Side | None) -> Markup:
        told = list(events)
        return self._answer("story_html", lambda box: box.story_html(told, reader))

    def position(self, view: View) -> str:
        return self._answer("position", lambda box: box.position(view))

    def position_html(self, view: View) -> Markup:
        return self._answer("position_html", lambda box: box.position_html(view))

    def board(self, view: View) -> str:
        return self._answer("board", lambda box: box.board(view))

    def record(self, view: View, side: Side) -> str:
        return self._answer("record", lambda box: box.record(view, side))

    def record_html(self, view: View, side: Side) -> Markup:
        return self._answer("record_html", lambda box: box.record_html(view, side))

    def form(self, match_id: int, view: View, gate: Gate, side: Side) -> str:
        return self._answer("form", lambda box: box.form(match_id, view, gate, side))

    def stands(self, view: View) -> Mapping[str, str]:
        return self._answer("stands", lambda box: box.stands(view))

    def result_words(self, line: Line | None, result: LineResult) -> str:
        return self._answer("result_words", lambda box: box.result_words(line, result))

    def plan(self, view: View, sheet: Sheet) -> Plan | None:
        return self._answer("plan", lambda box: box.plan(view, sheet))

    def pictures(self, occasion: Occasion, view: View, told: Iterable[Event] = ()) -> tuple[Picture, ...]:
        events = list(told)
        return self._answer("pictures", lambda box: box.pictures(occasion, view, events))

    def part(self, view: View, named: str) -> PartOfBoard:
        return self._answer("part", lambda box: box.part(view, named))

    def orders_pictures(self, view: View, sheet: Sheet, findings: Iterable[Finding]) -> tuple[Picture, ...]:
        found = list(findings)
        return self._answer("orders_pictures", lambda box: box.orders_pictures(view, sheet, found))

    def stage(self, view: bytes, told: bytes, orders: str) -> Callable[[str], Any]:
        """Not guarded here: the studio sends a mail without what cannot be drawn, and tells the GM."""
        return self._own.stage(view, told, orders)

    def paint(self, shown: Any) -> bytes:
        """Nor here."""
        return self._own.paint(shown)

    def tells_of(self, mention: Mention, place: str, purpose: str) -> bool:
        """Not guarded: a proof that cannot be made is no proof."""
        return self._own.tells_of(mention, place, purpose)
