"""The contract every game fulfils, and the list of games.

The world outside knows games only through this: it asks which gate is open, parses and checks the sheets that
arrive, runs the gate with dice, and shows each side its view.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from engine.dice import Dice
from engine.events import Event
from engine.odds import Odds
from engine.orders import Finding, Sheet

if TYPE_CHECKING:
    from engine.language import Language

Side = str
Fog = Literal["open", "veiled", "fog"]
Mode = Literal["one-run", "checkpoint"]
State = Any  # a game's own plain data; only the game looks inside
View = Any

FOGS: tuple[Fog, ...] = ("open", "veiled", "fog")
MODES: tuple[Mode, ...] = ("one-run", "checkpoint")


class Options(msgspec.Struct, frozen=True):
    """What a GM settles when a match is made. `edition` is empty for a game with one edition."""

    fog: Fog = "fog"
    mode: Mode = "one-run"
    edition: str = ""
    switches: tuple[str, ...] = ()


class Scenario(msgspec.Struct, frozen=True):
    """What can be played. `shared` names the sides that one player may hold together, by the switch that allows it.

    `won_by` tells the players what they fight for; `won_by_with` does where a switch makes it something else.
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

    def may_share(self, sides: Collection[Side], switches: Iterable[str]) -> bool:
        """Whether one player may hold all these sides."""
        return len(sides) < 2 or any(set(sides) <= set(self.shared.get(switch, ())) for switch in switches)

    def how_it_is_won(self, switches: Iterable[str]) -> str:
        return next((self.won_by_with[switch] for switch in switches if switch in self.won_by_with), self.won_by)


class Gate(msgspec.Struct, frozen=True):
    """A point where the game waits. `awaits` must send sheets; `also_heard` may send standing orders."""

    id: str
    title: str
    stage: str
    awaits: tuple[Side, ...]
    also_heard: tuple[Side, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """How the war ended: who won, and the rule that says so."""

    winners: tuple[Side, ...]
    how: str
    case: str = ""


class ThereIsNoSuchScenario(LookupError):
    pass


class ThereIsNoSuchGame(LookupError):
    pass


class Game(Protocol):
    id: str
    title: str
    #: Raised by any change that lets the same sheets and dice end otherwise, so also by reading a line otherwise.
    rules: int

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

    def parse(self, text: str, view: View, match: str = "") -> Sheet:
        """Orders and findings, line by line. Never raises on a player's text, and knows only the player's view.

        `match` is what a sheet has to call this match if it names one; empty accepts any.
        """

    def check(self, view: View, sheet: Sheet) -> list[Finding]:
        """What is wrong with a sheet as far as its side can know. Judged from the view, so it cannot leak."""

    def forecast(self, view: View, sheet: Sheet) -> list[Odds]:
        """What the lines of a sheet may come to, exactly, as far as its side can know. In the order of the lines."""

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        """Carry the sheets out up to the next gate. The given state is left as it was."""

    def view(self, state: State, side: Side | None, fog: Fog) -> View:
        """What a side may know now; None sees everything. Every view has the `scenario`, the `gate` and the
        `outcome` of its state.
        """

    def told(self, events: Iterable[Event], side: Side | None, fog: Fog) -> list[Event]:
        """The events a side may read, each in the detail it may read."""

    def gate_titled(self, title: str) -> Gate | None:
        """The gate with this title and whom it awaits; None if no war of this game has one.

        Whom a gate awaits is told of every die that is rolled in its run.
        """

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        """Whether a rule of this game rolls a die of so many sides at this place for this purpose."""

    def bot(self, view: View, key: bytes) -> str:
        """A sheet of legal orders, chosen at random from what the side knows."""

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
