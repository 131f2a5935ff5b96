"""What one war is played by: its functions and tables, chosen once from scenario, edition and options.

No rule asks which scenario is played. Where wars differ the rulebook names a function, and a war with more rules is
made of one with fewer by putting functions in (`msgspec.structs.replace`). A rule that is one of several of its kind,
such as a modifier or a deduction, is a function in a tuple.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from engine.events import Event, Modifier
from engine.grand_strategy.board import Board, Place
from engine.grand_strategy.containers import ContainerKind
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.tables import Tables
from engine.grand_strategy.units import Units
from engine.orders import Finding, Line
from engine.phase import Phase

if TYPE_CHECKING:
    from engine.grand_strategy.drafted import Piece
    from engine.grand_strategy.language.words import OrderLanguage
    from engine.grand_strategy.orders import Order
    from engine.grand_strategy.state import Army, Ground
    from engine.grand_strategy.view import CountryView
    from engine.grand_strategy.war import War

#: Why something may not be done and what would work; both are empty if it may.
Refusal = tuple[str, str]


class Growth(msgspec.Struct, frozen=True):
    """A place whose production changes in the course of the war, until it is captured for the first time (HW-15.7).

    `in_time` is the most that it will come to: such points are a source of supply before they count (HW-10.1).
    """

    now: Callable[["War"], int]
    once_captured: int
    in_time: int = 0


class Deduction(msgspec.Struct, frozen=True):
    """Working points that may not be spent, and why; no reason is given for what the scenario itself takes off."""

    points: int
    why: str = ""


class Cap(msgspec.Struct, frozen=True):
    """The most points of a place that may be repaired now, and why no more."""

    most: int
    why: str


class Confined(msgspec.Struct, frozen=True):
    """A country that points of the side on turn may leave only by advance."""

    name: str
    places: frozenset[str]
    why: str
    remedy: str


class Told(msgspec.Struct, frozen=True):
    """Why there will be more or less to spend, in words: of a country that joins, of a place that grows, and of a
    deduction that ends or changes with what has happened."""

    joins: Callable[[str], str] = lambda nation: f"{nation} joins"
    grows: Callable[[Place], str] = lambda place: f"more from {place.name}"
    deduction: Callable[[str, Sequence[Event]], str] = lambda why, _events: why
    lent: str = "lent by others"


class Giving(Protocol):
    """Production points that lines give away, while a production list is judged before its time."""

    def judge(self, line: Line) -> Iterator[Finding]: ...

    def given_of(self, money: int) -> int:
        """All that is given, of so much money, once the lines are judged."""


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    #: The kinds of strength points, and of the counters that hold them.
    units: Units
    containers: Mapping[str, ContainerKind]
    #: The player-turn, phase by phase, and how it ends.
    turn: tuple[Phase["War"], ...]
    end_of_turn: Callable[["War"], None]
    #: What the calendar brings as a player-turn begins, whatever anybody ordered.
    calendar: tuple[Callable[["War"], None], ...] = ()
    #: What else happens then, before supply is judged.
    beginning: tuple[Callable[["War"], None], ...] = ()
    #: What needs no dice before the first fire: declarations of war, attacks, landings.
    announcements: tuple[Callable[["War"], None], ...] = ()
    #: What is settled when a Combat Phase ends, after isolated places have changed hands.
    end_of_combat: tuple[Callable[["War"], None], ...] = ()
    #: What is settled when all sides have played, before the next season.
    season_passes: tuple[Callable[["War"], None], ...] = ()
    #: What the calendar brings as the points are about to be counted.
    before_production: tuple[Callable[["War"], None], ...] = ()
    #: Something that is noted of every army, where it stands and wherever it comes.
    noted_of_armies: tuple[Callable[["War", "Army"], None], ...] = ()
    #: What becomes of the ground before the first turn.
    set_up: tuple[Callable[[ScenarioData, dict[str, "Ground"]], None], ...] = ()

    # friend and foe
    enemies: Callable[["War", str], tuple[str, ...]]
    #: Of these sides, those that a side fights as long as nothing has ended their war.
    foes: Callable[[str, Sequence[str]], tuple[str, ...]]
    at_peace: Callable[["War", str, str], Refusal]  # about a place and the side that holds it, who is no enemy
    unaligned: Callable[["War", str], Refusal]  # about a place that is nobody's
    closed: Callable[["War", str], Refusal]  # about a place that is closed to everybody
    closed_for_good: Callable[[Place], bool] = lambda _place: False
    attacked: tuple[Callable[["War", str], None], ...] = ()  # what an announced attack on a place sets going

    # combat
    attack_over: frozenset[str]
    fire_modifiers: tuple[Callable[["War", "Army"], Modifier | None], ...] = ()
    advance_modifiers: tuple[Callable[["War", "Army", str], Modifier | None], ...] = ()
    by_water: Callable[[str, str], str] = lambda _army, _target: ""  # how an army gets where only water leads
    captured: tuple[Callable[["War", str, str], None], ...] = ()  # a place was taken, and from whom

    # supply
    tied_heir: Callable[["War", Sequence[str], int], str]  # to whom a die gives what two could supply
    cut_off_from_the_start: Callable[["War"], tuple[str, ...]] = lambda _war: ()

    # movement and the sea
    confined: Callable[["War"], Confined | None] = lambda _war: None
    limits_at_sea: Mapping[str, Callable[["War", str], int | str]] = {}  # printed words that stand for a limit

    # production
    growing: Callable[[Board, ScenarioData], Mapping[str, Growth]] = lambda _board, _scenario: {}
    deductions: tuple[Callable[["War", str], Deduction], ...] = ()
    repair_caps: tuple[Callable[["War", str, str], Cap | None], ...] = ()
    fort_bans: tuple[Callable[["War", str], Refusal], ...] = ()
    lent: Callable[["War", str], int] = lambda _war, _side: 0  # what others have given a side to spend
    take_what_was_lent: Callable[["War"], None] = lambda _war: None
    paid_first: tuple[Callable[["War", int], int], ...] = ()  # what costs money before everything else

    # victory
    won_at_once: Callable[["War"], None]
    won_at_the_end: Callable[["War"], None]
    ended: tuple[Callable[["War", str], None], ...] = ()  # what becomes of countries when a side takes the last place
    would_end: Callable[["War", Collection[str]], bool]  # if the side on turn took all these places
    #: Whether a country gives up at once when this place is taken.
    falls_with: Callable[["War", str], bool] = lambda _war, _place: False

    # countries
    joined: tuple[Callable[["War", str, str, str], None], ...] = ()  # a nation took a side, under which case

    # what can be ordered
    language: "OrderLanguage"
    #: What is taken up of a sheet that comes between combat and exploitation.
    heard_midway: tuple[Callable[["War"], None], ...] = ()

    # what is said of a sheet before its time
    notes_on_standing_orders: Callable[["War", str, Sequence[Line]], Iterable[Finding]] = lambda _war, _side, _lines: ()
    notes_on_the_opening: tuple[Callable[["War"], Iterable[Finding]], ...] = ()
    notes_on_terms: Callable[["War"], Iterable[Finding]] = lambda _war: ()
    giving: Callable[["War"], Giving | None] = lambda _war: None
    drafted: tuple[Callable[["War", "Order"], "Piece | None"], ...] = ()  # what an order of the game comes to
    told: Told = Told()

    # what can be known
    yields_told: Callable[["War"], Collection[str]] = lambda _war: ()  # places of which a view says what they yield
    politics: Callable[["War"], list["CountryView"]] = lambda _war: []


class Setting(msgspec.Struct, frozen=True, eq=False):
    """All that a war is played on and by. It stays the same from the first turn to the last."""

    board: Board
    tables: Tables
    scenario: ScenarioData
    rules: Rulebook
