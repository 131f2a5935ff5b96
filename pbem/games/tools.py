"""What a game may offer on the command line besides its wars by mail: a board to ask, cases, a demo, a page to print.

A game has them beside its box, in `pbem/games/<game>/tools.py`, as TOOLS. Whatever it leaves out is refused in words.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pbem.games import BOXES

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engine.events import Event
    from engine.game import OwnView

#: Plain values, as they are printed in JSON.
Facts = dict[str, Any]
Shown = Iterable["RenderableType"]


class NoSuchPlace(LookupError):
    """What was typed is no place of the board; the message says what may have been meant."""


class NoSuchStart(LookupError):
    """There is no such scenario, or no such side in it."""


class Board(Protocol):
    """The board in words: all of it, a place of it, and the way between two. Each as facts, and as it is shown."""

    def overview(self) -> Facts: ...

    def overview_shown(self, facts: Facts) -> Shown: ...

    def find(self, typed: str) -> str:
        """The id of the place that somebody meant. Raises NoSuchPlace."""

    def place(self, place: str) -> Facts: ...

    def place_shown(self, facts: Facts) -> Shown: ...

    def route(self, start: str, goal: str, side: str, scenario: str) -> Facts:
        """The way at the start of a scenario, as `route`, or None there and `why_not`. Raises NoSuchStart.

        Of an empty scenario the first one is meant.
        """

    def route_shown(self, facts: Facts) -> Shown: ...


class Verdict(Protocol):
    """One case in one edition, and what differs from what it expects. `status` is passed, failed or not yet."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def edition(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def differences(self) -> tuple[str, ...]: ...


Judge = Callable[[Mapping[str, Any]], Iterable[Verdict]]
#: Draws the board and the records of a view, and what its reader was told last, on a page for the wall.
Page = Callable[["OwnView", Iterable["Event"]], bytes]


class Demo(NamedTuple):
    """What `pbem demo` plays: the scenario if none is named, and a line that somebody mistypes."""

    scenario: str
    mistyped: str
    map_png: Callable[["OwnView"], bytes]


class Tools:
    """What a game offers. By itself nothing; a game replaces what it has."""

    #: The words behind a command in the examples of its help: of `new` the game, a scenario and who plays.
    examples: Mapping[str, str] = {}

    def board(self) -> Board | None:
        return None

    def judge(self) -> Judge | None:
        return None

    def demo(self) -> Demo | None:
        return None

    def page(self) -> Page | None:
        return None


def tools_of(game_id: str) -> Tools:
    """The tools of a game; nothing of the game is imported before one of them is asked for."""
    name = _folder_of(game_id)
    if find_spec(name) is None or find_spec(f"{name}.tools") is None:
        return Tools()
    tools: Tools = import_module(f"{name}.tools").TOOLS
    return tools


def _folder_of(game_id: str) -> str:
    """The package its box lies in; of a game without a box, where that would be."""
    module = BOXES.get(game_id, "").partition(":")[0].rpartition(".")[0]
    return module or f"pbem.games.{game_id.replace('-', '_')}"
