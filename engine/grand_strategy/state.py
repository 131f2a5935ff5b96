"""The position of a war as plain data. Everything here goes into the state hash; nothing else does."""

from typing import Literal

import msgspec

from engine.game import Options, Outcome
from engine.grand_strategy.orders import LaterOrder, ProductionOrder, StandingOrder

#: Strength point types of an army, in the order of the record sheet (HW-1.2).
TYPES = ("inf", "mech", "tac", "para", "amph")

Terms = Literal["", "offered", "accepted", "refused"]

#: Owners that are no side: countries that may be drawn in, and places closed to everybody.
UNALIGNED = "unaligned"
NEUTRAL = "neutral"


class Army(msgspec.Struct, omit_defaults=True):
    """An army on the map with its strength points, and what it has done in this player-turn (HW-40.1)."""

    id: str
    side: str
    place: str
    inf: int = 0
    mech: int = 0
    tac: int = 0
    para: int = 0
    amph: int = 0

    unsupplied: bool = False
    locked: bool = False
    target: str = ""
    may_advance: bool = False  # it was announced with an advance
    route: tuple[str, ...] = ()  # the way of an invading army, its own place first; empty once it has landed or failed
    assaulted: bool = False
    fired_in_defence: bool = False
    advanced: int = 0
    came_from: str = ""
    finished: bool = False
    lost: int = 0

    @property
    def points(self) -> dict[str, int]:
        return {kind: count for kind in TYPES if (count := getattr(self, kind))}

    @property
    def strength(self) -> int:
        """All strength points, as on the record sheet."""
        return self.inf + self.mech + self.tac + self.para + self.amph

    @property
    def ground_strength(self) -> int:
        """What counts for stacking and against an advance: everything but tac air (HW-7.1, HW-9.3)."""
        return self.inf + self.mech + self.para + self.amph

    @property
    def invading(self) -> bool:
        return bool(self.route)

    def count(self, kind: str) -> int:
        return getattr(self, kind) if kind in TYPES else 0

    def add(self, kind: str, count: int) -> None:
        setattr(self, kind, getattr(self, kind) + count)

    def forget_player_turn(self) -> None:
        self.unsupplied = self.locked = self.may_advance = self.assaulted = False
        self.fired_in_defence = self.finished = False
        self.target = self.came_from = ""
        self.route = ()
        self.advanced = self.lost = 0


class Ground(msgspec.Struct, omit_defaults=True, gc=False):
    """What a hex or box has become. `ruined` points are devastated for good; `devastated` counts them too."""

    owner: str
    devastated: int = 0
    ruined: int = 0


class Fort(msgspec.Struct, omit_defaults=True):
    """A fort counter in a place, and what it has done in this player-turn (HW-14)."""

    side: str
    number: int
    place: str
    strength: int = 0
    building: int = 0  # points under construction, which count for nothing yet (HW-14.3)

    fired_in_defence: bool = False
    absorbed: int = 0  # losses taken without penalty in this player-turn (HW-14.6)
    can_absorb: int | None = None  # fixed by the first loss of the player-turn

    lost: int = 0

    @property
    def id(self) -> str:
        return f"FORT {self.number}"

    def count(self, kind: str) -> int:
        return self.strength if kind == "fort" else 0

    def add(self, _kind: str, count: int) -> None:
        self.strength += count

    def forget_player_turn(self) -> None:
        self.fired_in_defence, self.absorbed, self.can_absorb, self.lost = False, 0, None, 0


class FortSeen(msgspec.Struct, frozen=True, array_like=True):
    """A fort as a side last saw it on the map."""

    side: str
    number: int
    turn: int
    band: str


class GroundSeen(msgspec.Struct, frozen=True, array_like=True):
    """A place as a side last saw it."""

    owner: str
    devastated: int
    turn: int


class ArmySeen(msgspec.Struct, frozen=True, array_like=True):
    """An enemy army as a side last saw it on the map."""

    place: str
    turn: int
    band: str


class ArmyFought(msgspec.Struct, frozen=True, array_like=True):
    """What a battle showed of an enemy army: its strength, and the turn."""

    strength: int
    turn: int


class Memory(msgspec.Struct, omit_defaults=True):
    """What a side remembers of places and armies it cannot see now."""

    ground: dict[str, GroundSeen] = {}
    armies: dict[str, ArmySeen] = {}
    fought: dict[str, ArmyFought] = {}
    forts: dict[str, FortSeen] = {}


class Kept(msgspec.Struct, omit_defaults=True):
    """Orders of a side that outlive the sheet they came in."""

    standing: list[StandingOrder] = []
    production: list[ProductionOrder] = []  # the last production list, used when a deadline is missed (D-68)
    later: list[LaterOrder] = []  # for later gates of this player-turn


class Country(msgspec.Struct, omit_defaults=True):
    """What has become of a country since the war began (HW-19 to HW-21)."""

    attackers: tuple[str, ...] = ()  # sides that have attacked it while it was unaligned, in order
    side: str = ""  # the side it joined
    joined: int = 0  # on which turn
    captor: str = ""  # the side it surrendered to, or that took all of it
    surrendered: int = 0  # on which turn
    conquered: int = 0  # on which turn the last of it was taken, without any surrender (HW-19.6)

    @property
    def is_settled(self) -> bool:
        """Whether its counter waits no longer: it took a side, or is no more (HW-22.1)."""
        return bool(self.side or self.conquered)


class PublicFacts(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What every side knows, so that it stands in the position and in every view: a fact that is new is added here.

    It is carried over both ways by `shared_facts`. What was there before stands in State and in View, for the order in
    which either is written may not change; for the same reason a new fact needs a default and comes last here.
    """

    outcome: Outcome | None = None


class State(PublicFacts, omit_defaults=True):
    scenario: str
    options: Options
    turn: int
    phasing: str
    step: str
    ground: dict[str, Ground]
    armies: dict[str, Army]
    kept: dict[str, Kept]
    memory: dict[str, Memory]
    ungarrisoned: dict[str, bool] = {}  # hexes without garrison until the combat phase ends (HW-5.4)
    taken: dict[str, bool] = {}  # captured by the phasing side this player-turn
    exploiting: str = ""  # the army whose exploitation was started last (HW-8.7)
    inert: tuple[str, ...] = ()  # cut off from the start, exempt from supply (HW-10.9)
    growth_lost: tuple[str, ...] = ()  # boxes that were captured once and will not grow any more
    winters_before: int = 0  # earlier winters with an Axis army in the Soviet Union (HW-9.16)
    winter_in_russia: bool = False  # such an army stood there this winter
    countries: dict[str, Country] = {}  # those to which something has happened
    violated: tuple[str, ...] = ()  # countries the phasing side has declared it will attack this player-turn (D-40)
    terms: Terms = ""  # the Soviet surrender (HW-21.3)
    mobilized: int = 0  # the turn on which the Soviet production cap was lifted (HW-23.1)
    limited_war: bool = False  # the Soviets attacked before that (HW-23.3)
    lend_lease: int = 0  # for the next Soviet Production Phase (HW-17.2)
    forts: dict[str, Fort] = {}  # by place; at most seven a side (HW-14.1)
