"""The contract every game fulfils, and the list of games.

The world outside knows games only through this: it asks which gate is open, parses and checks the sheets that
arrive, runs the gate with dice, and shows each side its view.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from engine.dice import Dice
from engine.events import Event
from engine.forecast import Forecast
from engine.orders import Finding, Sheet
from engine.results import LineResult

if TYPE_CHECKING:
    from engine.language import Language

Side = str
Fog = Literal["open", "veiled", "fog"]
Mode = Literal["one-run", "checkpoint"]
State = Any  # a game's own plain data; only the game looks inside
OwnView = Any  # what a game made with `view` and gets back; only the game and its box look further than at a `View`

#: In place of a side: the reader who knows what every side knows and nothing else. No side is called so.
PUBLIC: Final = "public"

#: Every fog and every mode there is; a game says in its traits which of them it has.
FOGS: tuple[Fog, ...] = ("open", "veiled", "fog")
MODES: tuple[Mode, ...] = ("one-run", "checkpoint")


class Traits(msgspec.Struct, frozen=True):
    """What the world may offer for a game. The first of several is taken where nobody says which.

    `dice` are the sizes of the dice that its rules roll, `bots` how well the program can play a seat, `most_gates` how
    many gates the longest of its wars can have.
    """

    most_gates: int
    fogs: tuple[Fog, ...] = ("fog", "veiled", "open")
    modes: tuple[Mode, ...] = ("one-run",)
    dice: tuple[int, ...] = (6,)
    bots: tuple[str, ...] = ("random",)

    @property
    def usual(self) -> "Options":
        """What is played if nothing is said."""
        return Options(self.fogs[0], self.modes[0])


class Options(msgspec.Struct, frozen=True):
    """What a GM settles when a match is made. `edition` is empty for a game with one edition.

    `values` are what he has set of a scenario's choices.
    """

    fog: Fog = "fog"
    mode: Mode = "one-run"
    edition: str = ""
    switches: tuple[str, ...] = ()
    values: dict[str, str] | UnsetType = UNSET  # what is unset is not written: older positions keep their bytes

    def value(self, name: str, default: str) -> str:
        """What was chosen; the default in a war that was begun before there was such a choice."""
        return (self.values or {}).get(name, default)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Switches and values as a GM writes them: two-players, level=3."""
        return (*self.switches, *(f"{name}={value}" for name, value in (self.values or {}).items()))


class Choice(msgspec.Struct, frozen=True):
    """An option with a value: one of `allowed`, or if there are none, whatever fits the `pattern`.

    `told` is a sentence that says what it is about; `example` a value for who has to be shown what one looks like.
    """

    name: str
    default: str
    told: str
    allowed: tuple[str, ...] = ()
    pattern: str = ""
    example: str = ""

    def takes(self, value: str) -> bool:
        return value in self.allowed if self.allowed else re.fullmatch(rf"(?:{self.pattern})", value) is not None

    @property
    def what_works(self) -> str:
        """Every value there is, or one that shows what they look like."""
        values = self.allowed or (self.example or self.default,)
        return " or ".join(f"{self.name}={value}" for value in values)


class Scenario(msgspec.Struct, frozen=True):
    """What can be played. `shared` names the sides that one player may hold together, by the switch that allows it.

    `won_by` tells the players what they fight for; `won_by_with` does where a switch makes it something else.
    A switch is an option that is there or not, a choice one with a value.
    """

    id: str
    title: str
    sides: tuple[Side, ...]
    turns: int
    summary: str = ""
    editions: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    shared: dict[str, tuple[Side, ...]] = {}
    won_by: str = ""
    won_by_with: dict[str, str] = {}
    choices: tuple[Choice, ...] = ()

    def may_share(self, sides: Collection[Side], switches: Iterable[str]) -> bool:
        """Whether one player may hold all these sides."""
        return len(sides) < 2 or any(set(sides) <= set(self.shared.get(switch, ())) for switch in switches)

    def how_it_is_won(self, switches: Iterable[str]) -> str:
        return next((self.won_by_with[switch] for switch in switches if switch in self.won_by_with), self.won_by)


class Gate(msgspec.Struct, frozen=True):
    """A point where the game waits. `awaits` must send sheets; `also_heard` may send standing orders.

    When it opens, every side gets the whole report of the turn before it. With `reports` "awaited" only the sides do
    that may send something; the others get a note, and the whole of it with their next report.
    """

    id: str
    title: str
    stage: str
    awaits: tuple[Side, ...]
    also_heard: tuple[Side, ...] = ()
    reports: Literal["all", "awaited"] | UnsetType = UNSET  # to all; and not written, as above

    def reports_to(self, side: Side) -> bool:
        """Whether a side gets a whole report when this gate opens."""
        return self.reports != "awaited" or side in self.awaits or side in self.also_heard


class Outcome(msgspec.Struct, frozen=True):
    """How the war ended: who won, and the rule that says so."""

    winners: tuple[Side, ...]
    how: str
    case: str = ""


class View(Protocol):
    """What a side may know now, whatever the game: whose it is, of which war, which gate is open, and how it ended."""

    @property
    def scenario(self) -> str: ...
    @property
    def side(self) -> Side | None: ...
    @property
    def gate(self) -> Gate | None: ...
    @property
    def outcome(self) -> Outcome | None: ...


class ThereIsNoSuchScenario(LookupError):
    pass


class ThereIsNoSuchGame(LookupError):
    pass


class Game(Protocol):
    id: str
    title: str
    #: Raised by any change that lets the same sheets and dice end otherwise, so also by reading a line otherwise.
    rules: int

    @property
    def traits(self) -> Traits: ...

    def scenarios(self) -> list[Scenario]: ...

    def language(self, scenario: str) -> "Language":
        """The words of a scenario's orders, and what a place looks like: by these a letter is searched for orders.

        Raises ThereIsNoSuchScenario.
        """

    def setup(self, scenario: str, options: Options) -> State:
        """The position before the first gate. Raises ThereIsNoSuchScenario."""

    def gate(self, state: State) -> Gate | None:
        """Whose sheets are awaited for which stage; None when the war is over."""

    def outcome(self, state: State) -> Outcome | None: ...

    def parse(self, text: str, view: OwnView, match: str = "") -> Sheet:
        """Orders and findings, line by line. Never raises on a player's text, and knows only the player's view.

        `match` is what a sheet has to call this match if it names one; empty accepts any.
        """

    def check(self, view: OwnView, sheet: Sheet) -> list[Finding]:
        """What is wrong with a sheet as far as its side can know. Judged from the view, so it cannot leak."""

    def forecast(self, view: OwnView, sheet: Sheet) -> Forecast:
        """What the lines of a sheet may come to, exactly, as far as its side can know. In the order of the lines."""

    def came_of(self, view: OwnView, sheet: Sheet, told: Iterable[Event]) -> list[LineResult]:
        """What came of each line of a sheet, from the view it was written in and the events its side was told.

        `engine.results.results_of` does it for a game whose events carry their lines.
        """

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        """Carry the sheets out up to the next gate. The given state is left as it was."""

    def view(self, state: State, side: Side | None, fog: Fog) -> View:
        """What a side may know now. Every view has the `scenario`, the `gate` and the `outcome` of its state.

        None sees everything. PUBLIC sees what every side may know: it is the same in any two positions that some side
        cannot tell apart. It gives no orders, so its view is never parsed, checked or forecast for.
        """

    def told(self, events: Iterable[Event], side: Side | None, fog: Fog) -> list[Event]:
        """The events a side may read, each in the detail it may read; for PUBLIC what every side is told."""

    def gate_titled(self, title: str) -> Gate | None:
        """The gate with this title and whom it awaits; None if no war of this game has one.

        Whom a gate awaits is told of every die that is rolled in its run.
        """

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        """Whether a rule of this game rolls a die of so many sides at this place for this purpose."""

    def bot(self, view: OwnView, key: bytes, level: str = "random") -> str:
        """A sheet of legal orders from what the side knows, by a program that plays as well as one of `traits.bots`.

        The key decides what is left to chance."""

    def encode(self, state: State) -> bytes:
        """The state as canonical bytes."""

    def decode(self, data: bytes) -> State: ...

    def encode_events(self, events: Iterable[Event]) -> bytes: ...

    def decode_events(self, data: bytes) -> list[Event]: ...


def state_hash(encoded: bytes, previous: str = "") -> str:
    """The hash of a position, chained to the hash of the position before it."""
    return hashlib.sha256(previous.encode() + encoded).hexdigest()


def _hitlers_war() -> Game:
    from engine.hitlers_war.game import HitlersWar

    return HitlersWar()


#: Every game this engine plays, by id. None is imported before it is asked for.
GAMES: dict[str, Callable[[], Game]] = {"hitlers-war": _hitlers_war}


def games() -> dict[str, Game]:
    """Every game this engine plays, by id."""
    return {game_id: made() for game_id, made in GAMES.items()}


def game_named(game_id: str) -> Game:
    if game_id not in GAMES:
        raise ThereIsNoSuchGame(f"there is no game {game_id!r}; there are: {', '.join(GAMES)}")
    return GAMES[game_id]()
