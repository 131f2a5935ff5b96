"""What one side may know. Reports, receipts, drawings and bots are made from this and nothing else."""

from copy import copy
from typing import Any

import msgspec

from engine.game import Fog, Gate, Options
from engine.grand_strategy.state import Country, PublicFacts, State, Terms


class ArmyView(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army as a side knows it: its points if it may, else a band or its strength when they last fought.

    `seen` is the turn of the sighting; it is the current turn for what is in sight.
    """

    id: str
    side: str
    place: str
    seen: int
    points: dict[str, int] | None = None
    strength: int | None = None
    band: str = ""
    fought: int | None = None
    unsupplied: bool = False
    locked: bool = False
    excess: int = 0  # points too many in its hex, to leave in the Movement Phase at hand (HW-7.3)
    advanced: int = 0
    came_from: str = ""
    assaulted: bool = False
    fired_in_defence: bool = False
    finished: bool = False
    lost: int = 0
    target: str = ""


class PlaceView(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A hex or box as a side knows it. `devastated` is what it last knew; `in_sight` whether that is now."""

    owner: str
    seen: int
    devastated: int = 0
    ruined: int = 0
    in_sight: bool = True
    in_supply: bool | None = None  # for own places
    capacity: int | None = None  # where politics settles how much a place produces


class FortView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fort as a side knows it: its points if it may, else a band. `seen` is the turn of the sighting."""

    side: str
    number: int
    seen: int
    strength: int | None = None
    building: int | None = None
    band: str = ""
    absorbed: int = 0
    can_absorb: int | None = None


class GroupView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A counter that is neither army nor fort as a side knows it: its points if it may, else a band."""

    kind: str
    id: str
    side: str
    place: str
    seen: int
    points: dict[str, int] | None = None
    band: str = ""
    unsupplied: bool = False
    locked: bool = False
    fired_in_defence: bool = False
    lost: int = 0


class ProductionView(msgspec.Struct, frozen=True):
    """A side's economy on a date: points that work, what is taken off them and why, and what is left to spend."""

    working: int
    reduction: int
    budget: int
    lend_lease: int = 0
    why: tuple[str, ...] = ()


class ChangeView(msgspec.Struct, frozen=True):
    """Points more or less to spend than before, and why."""

    points: int
    why: str


class SeasonAhead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Production Phase to come, as it will be if nothing on the board changes.

    `changes` say how it differs from the one before it, the first from now; `forts` are the points completed in it.
    """

    turn: int
    production: ProductionView
    changes: tuple[ChangeView, ...] = ()
    forts: dict[str, int] = {}  # by place


class CountryView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A country in politics, which is public: how it stands, and what is known to come.

    `joins` and `joins_on` are the side it will join of its own accord and the turn of that.
    """

    country: str
    status: str  # a side, unaligned, neutral, surrendered or conquered
    note: str = ""
    prospect: str = ""
    joins: str = ""
    joins_on: int = 0


class View(PublicFacts, frozen=True, omit_defaults=True):  # type: ignore[misc]  # a position changes, a view does not
    scenario: str
    title: str
    options: Options
    side: str | None
    fog: Fog
    turn: int
    last_turn: int
    season: str
    year: int
    phasing: str
    step: str
    sides: tuple[str, ...]
    gate: Gate | None
    places: dict[str, PlaceView]
    armies: dict[str, ArmyView]
    free_armies: tuple[str, ...]
    production: dict[str, ProductionView]  # as it would be counted now
    standing: dict[str, tuple[str, ...]]
    kept_for_later: tuple[str, ...] = ()
    production_on_file: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    ungarrisoned: tuple[str, ...] = ()
    inert: tuple[str, ...] = ()
    growth_lost: tuple[str, ...] = ()
    winters_before: int = 0
    forts: dict[str, FortView] = {}  # by place
    sea_transport: dict[str, dict[str, int | None]] = {}  # by side and sea, points a turn; None is without limit
    pool: dict[str, int] = {}  # what the side still has to deploy
    politics: tuple[CountryView, ...] = ()
    countries: dict[str, Country] = {}
    violated: tuple[str, ...] = ()
    terms: Terms = ""
    mobilized: int = 0
    limited_war: bool = False
    seasons_ahead: dict[str, tuple[SeasonAhead, ...]] = {}  # by side: its next Production Phases
    groups: dict[str, GroupView] = {}  # by side and name


#: What every side knows. Those that are named were there before PublicFacts, and stay where they are written.
SHARED = (
    *PublicFacts.__struct_fields__,
    *("scenario", "options", "turn", "phasing", "step", "inert", "winters_before"),
    *("countries", "terms", "mobilized", "limited_war"),
)


def shared_facts(known: State | View) -> dict[str, Any]:
    """What goes into a view as it stands in the position, and back. Neither can be changed through the other."""
    return {name: _of_its_own(getattr(known, name)) for name in SHARED}


def _of_its_own(fact: Any) -> Any:
    return {key: copy(each) for key, each in fact.items()} if isinstance(fact, dict) else fact
