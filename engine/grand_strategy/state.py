"""The position of a war as plain data. Everything here goes into the state hash; nothing else does."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal

import msgspec

from engine.game import Options, Outcome
from engine.grand_strategy.orders import LaterOrder, ProductionOrder, StandingOrder

#: Strength point types of an army, in the order of the record sheet (HW-1.2).
TYPES = ("inf", "mech", "tac", "para", "amph")

#: Strength points by their kind.
Points = dict[str, int]

Terms = Literal["", "offered", "accepted", "refused"]

#: Owners that are no side: countries that may be drawn in, and places closed to everybody.
UNALIGNED = "unaligned"
NEUTRAL = "neutral"


class Army(msgspec.Struct, omit_defaults=True):
    """An army on the map with its strength points, and what it has done in this player-turn (HW-40.1)."""

    kind: ClassVar[str] = "army"
    shelf: ClassVar[str] = "armies"

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
    def points(self) -> Points:
        return {kind: count for kind in TYPES if (count := getattr(self, kind))}

    @property
    def strength(self) -> int:
        """All strength points, as on the record sheet."""
        return self.inf + self.mech + self.tac + self.para + self.amph

    @property
    def key(self) -> str:
        return self.id

    @property
    def invading(self) -> bool:
        return bool(self.route)

    def count(self, kind: str) -> int:
        return getattr(self, kind) if kind in TYPES else 0

    def total(self, kinds: Iterable[str]) -> int:
        """Its points of several kinds together."""
        return sum([getattr(self, kind, 0) for kind in kinds])

    def add(self, kind: str, count: int) -> None:
        setattr(self, kind, getattr(self, kind) + count)

    def hold(self, points: Points) -> None:
        """From now on it holds these points and no others."""
        for kind in TYPES:
            setattr(self, kind, points.get(kind, 0))

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

    kind: ClassVar[str] = "fort"
    shelf: ClassVar[str] = "forts"
    invading: ClassVar[bool] = False
    may_advance: ClassVar[bool] = False

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

    @property
    def key(self) -> str:
        return self.place

    @property
    def points(self) -> Points:
        return {"fort": self.strength} if self.strength else {}

    def count(self, kind: str) -> int:
        return self.strength if kind == "fort" else 0

    def total(self, kinds: Iterable[str]) -> int:
        return self.strength if "fort" in kinds else 0

    def add(self, _kind: str, count: int) -> None:
        self.strength += count

    def forget_player_turn(self) -> None:
        self.fired_in_defence, self.absorbed, self.can_absorb, self.lost = False, 0, None, 0


class Group(msgspec.Struct, omit_defaults=True):
    """Strength points under a counter that is neither army nor fort, such as a fleet, and what they have done in this
    player-turn. What such a counter may hold and do is said by its kind."""

    shelf: ClassVar[str] = "groups"
    invading: ClassVar[bool] = False
    may_advance: ClassVar[bool] = False

    kind: str
    id: str
    side: str
    place: str
    points: Points = {}

    unsupplied: bool = False
    locked: bool = False
    fired_in_defence: bool = False
    lost: int = 0

    @property
    def key(self) -> str:
        """Each side has counters of the same name."""
        return f"{self.side} {self.id}"

    @property
    def strength(self) -> int:
        return sum(self.points.values())

    def count(self, kind: str) -> int:
        return self.points.get(kind, 0)

    def total(self, kinds: Iterable[str]) -> int:
        return sum(map(self.count, kinds))

    def add(self, kind: str, count: int) -> None:
        self.hold({**self.points, kind: self.count(kind) + count})

    def hold(self, points: Points) -> None:
        self.points = {kind: count for kind, count in points.items() if count}

    def forget_player_turn(self) -> None:
        self.unsupplied = self.locked = self.fired_in_defence = False
        self.lost = 0


#: Whatever holds strength points on the board, and those with a name of their own: all but the forts.
Container = Army | Fort | Group
Named = Army | Group


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


class GroupSeen(msgspec.Struct, frozen=True, array_like=True):
    """A counter that is neither army nor fort as another side last saw it on the map."""

    kind: str
    id: str
    side: str
    place: str
    turn: int
    band: str


class Memory(msgspec.Struct, omit_defaults=True):
    """What a side remembers of places and counters it cannot see now."""

    ground: dict[str, GroundSeen] = {}
    armies: dict[str, ArmySeen] = {}
    fought: dict[str, ArmyFought] = {}
    forts: dict[str, FortSeen] = {}
    groups: dict[str, GroupSeen] = {}

    def forget(self, container: Container) -> None:
        """It was seen to leave the map. Forts that are in sight are not remembered anyway."""
        match container:
            case Army():
                self.armies.pop(container.id, None)
                self.fought.pop(container.id, None)
            case Group():
                self.groups.pop(container.key, None)


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
    winters_before: int = 0  # HW-9.16
    winter_in_russia: bool = False
    countries: dict[str, Country] = {}  # those to which something has happened
    violated: tuple[str, ...] = ()  # countries the phasing side has declared it will attack this player-turn (D-40)
    terms: Terms = ""  # an offered surrender (HW-21.3)
    mobilized: int = 0  # the turn on which a production cap was lifted (HW-23.1)
    limited_war: bool = False  # an attack put that off (HW-23.3)
    lend_lease: int = 0  # for the next Production Phase of who is lent to (HW-17.2)
    forts: dict[str, Fort] = {}  # by place; at most seven a side (HW-14.1)
    groups: dict[str, Group] = {}  # by side and name; what is neither army nor fort

    def containers(self) -> Iterator[Container]:
        """Everything that holds strength points: armies, then forts, then the rest."""
        yield from self.armies.values()
        yield from self.forts.values()
        yield from self.groups.values()

    def containers_in(self, place: str) -> list[Container]:
        found: list[Container] = [army for army in self.armies.values() if army.place == place]
        if place in self.forts:
            found.append(self.forts[place])
        if self.groups:
            found += [group for group in self.groups.values() if group.place == place]
        return found

    def named(self) -> Iterator[Named]:
        yield from self.armies.values()
        yield from self.groups.values()

    def besides_armies(self) -> Iterator[Fort | Group]:
        yield from self.forts.values()
        yield from self.groups.values()

    def put(self, container: Container) -> None:
        getattr(self, container.shelf)[container.key] = container

    def find_or_put(self, new: Named) -> Named:
        """The counter that is on the map under this name, or else the new one."""
        found: Named = getattr(self, new.shelf).setdefault(new.key, new)
        return found

    def remove(self, container: Container) -> None:
        del getattr(self, container.shelf)[container.key]
