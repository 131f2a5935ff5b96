"""What can happen in a war of the family. Each event carries what the rule needed to know and what came of it.

`side` is the side the event is about. Who may read an event, and in which detail, is settled in `sight.py` by the
group it belongs to: private, on the map, or in battle.
"""

from typing import ClassVar

from engine.events import Event, Roll


class Private(Event, frozen=True):
    """Known to its own side alone; where record sheets are open, what is written on them is known to all."""

    on_the_record_sheet: ClassVar[bool] = False
    side: str


class Recorded(Private, frozen=True):
    """Private, but written on the record sheet."""

    on_the_record_sheet: ClassVar[bool] = True


class OnTheMap(Event, frozen=True):
    """Counters and control: public where the map is, seen from next door in fog."""

    side: str


class InBattle(Event, frozen=True):
    """Known to the sides that fought; what an army is made of stays with its owner."""

    side: str


class Public(Event, frozen=True):
    """Known to everybody."""


# ------------------------------------------------------------------ the course of the war


class PlayerTurnBegan(Public, frozen=True, tag="player-turn-began"):
    turn: int
    season: str
    year: int
    side: str


class WarEnded(Public, frozen=True, tag="war-ended"):
    winners: tuple[str, ...]
    how: str
    case: str


class SheetMissing(Private, frozen=True, tag="sheet-missing"):
    """No sheet came; standing orders and the production list on file were used (D-68)."""


class OrderRefused(Private, frozen=True, tag="order-refused"):
    """An order that could not be carried out when its time came."""

    verdict: ClassVar[str] = "refused"

    line: int
    text: str
    why: str
    remedy: str = ""
    army: str = ""

    def lines_of(self, side: str) -> tuple[int, ...]:
        return (self.line,) if self.line and self.side == side else ()


class DefaultUsed(Private, frozen=True, tag="default-used"):
    """The referee decided because no order did; a standing order would decide next time."""

    decision: str
    what: str
    remedy: str = ""


class StandingChanged(Private, frozen=True, tag="standing-changed"):
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class DoneInPart(Private, frozen=True, tag="done-in-part"):
    """A production order of which a part found no money or no room (D-33)."""

    verdict: ClassVar[str] = "in part"

    line: int
    text: str
    why: str

    def lines_of(self, side: str) -> tuple[int, ...]:
        return (self.line,) if self.line and self.side == side else ()


class ConditionFailed(Private, frozen=True, tag="condition-failed"):
    """An order whose IF did not hold."""

    verdict: ClassVar[str] = "not met"

    text: str
    army: str = ""


# ------------------------------------------------------------------ supply and movement


class PointsRuined(OnTheMap, frozen=True, tag="points-ruined"):
    """Production out of use for the whole game (HW-15.2)."""

    place: str
    points: int


class CutOff(Recorded, frozen=True, tag="cut-off"):
    """An army without supply at the start of its player-turn may not move or attack (HW-10.6)."""

    army: str
    place: str


class ArmyRearranged(OnTheMap, frozen=True, tag="army-rearranged"):
    """An army before and after the Movement Phase; an empty place is off the map.

    `seen_leaving` names the sides that could see where it came from.
    """

    army: str
    origin: str
    place: str
    before: dict[str, int] | None = None
    after: dict[str, int] | None = None
    seen_leaving: tuple[str, ...] = ()


class StackCulled(Recorded, frozen=True, tag="stack-culled"):
    """Points above ten at the end of the Movement Phase were eliminated (HW-7.3)."""

    place: str
    army: str
    lost: dict[str, int]


# ------------------------------------------------------------------ combat


class AttackAnnounced(InBattle, frozen=True, tag="attack-announced"):
    army: str
    place: str
    target: str


class Fired(InBattle, frozen=True, tag="fired"):
    """One roll on the Firepower Table, in the initial attack or in exploitation."""

    defensive: bool
    armies: tuple[str, ...]
    place: str
    target: str
    strength: int
    roll: Roll
    hits: int
    fort: bool = False  # a fort fired, alone or with the armies
    exploitation: bool = False


class PointsLost(InBattle, frozen=True, tag="points-lost"):
    """`lost` by type is for the owner; `count` for everybody in the battle."""

    army: str
    place: str
    count: int
    lost: dict[str, int] | None = None
    cause: str = ""  # empty in battle


class GarrisonLost(InBattle, frozen=True, tag="garrison-lost"):
    place: str


class HitsIgnored(InBattle, frozen=True, tag="hits-ignored"):
    place: str
    hits: int


class AdvanceTried(InBattle, frozen=True, tag="advance-tried"):
    """One roll on the Advance Table, in the initial attack or in exploitation; no roll where the cell is blank."""

    army: str
    place: str
    target: str
    row: int
    column: str
    cell: int | None
    roll: Roll | None
    success: bool
    exploitation: bool = False


class ArmyRetreated(InBattle, frozen=True, tag="army-retreated"):
    army: str
    origin: str
    place: str


class ArmyEliminated(InBattle, frozen=True, tag="army-eliminated"):
    """An army left the map: by losses, for want of a retreat, cut off, or with a surrender.

    Its points are for the owner; others are told the `band` they saw last, and of losses in battle the `count`.
    """

    army: str
    place: str
    cause: str
    count: int = 0
    lost: dict[str, int] | None = None
    band: str = ""  # only as told


class ArmyAdvanced(InBattle, frozen=True, tag="army-advanced"):
    army: str
    origin: str
    place: str


class PlaceCaptured(OnTheMap, frozen=True, tag="place-captured"):
    """Control changed: by advance, which devastates, or by isolation, which does not (HW-4)."""

    place: str
    previous: str
    how: str
    devastated: int = 0


class HeirRolled(OnTheMap, frozen=True, tag="heir-rolled"):
    """Two opponents are equally near an isolated place; the die gives it to one (HW-10.8)."""

    place: str
    roll: Roll


class ExploitationEnded(Private, frozen=True, tag="exploitation-ended"):
    army: str
    place: str
    why: str


# ------------------------------------------------------------------ production


class ProductionCounted(Recorded, frozen=True, tag="production-counted"):
    """`budget` is what works less the reduction, with what others lent.

    `why` says what politics takes off; without it the scenario does.
    """

    working: int
    reduction: int
    budget: int
    lend_lease: int = 0
    why: tuple[str, ...] = ()


class PointsBuilt(Recorded, frozen=True, tag="points-built"):
    army: str
    place: str
    points: dict[str, int]
    cost: int
    new: bool = False


class PointsRepaired(Recorded, frozen=True, tag="points-repaired"):
    place: str
    points: int
    cost: int


class ProductionEnded(Recorded, frozen=True, tag="production-ended"):
    spent: int
    unspent: int


# ------------------------------------------------------------------ set-up by mail and politics


class ArmyDeployed(OnTheMap, frozen=True, tag="army-deployed"):
    """An army that begins the war somewhere (HW-16.1). Its points are for its owner."""

    army: str
    place: str
    points: dict[str, int] | None = None


class CountryViolated(Public, frozen=True, tag="country-violated"):
    """The first attack of a side on an unaligned country (HW-19.10)."""

    country: str
    by: str


class CountryJoined(Public, frozen=True, tag="country-joined"):
    """A country and its uncaptured places take a side: attacked (HW-19.3) or of its own accord (HW-20)."""

    country: str
    side: str
    case: str
    places: tuple[str, ...] = ()


class CountryConquered(Public, frozen=True, tag="country-conquered"):
    """All of an unaligned country was captured in one Combat Phase: it never gave up and joins nobody (HW-19.6)."""

    country: str
    by: str


class CountrySurrendered(Public, frozen=True, tag="country-surrendered"):
    """A country gives up (HW-21). `places` go to the captor, their points all `devastated`, `released` to nobody."""

    country: str
    to: str
    case: str
    places: tuple[str, ...] = ()
    devastated: int = 0
    released: tuple[str, ...] = ()


class ArmyJoined(OnTheMap, frozen=True, tag="army-joined"):
    """The army of a country that takes a side, under its new counter (HW-19.7). Its points are for its owner."""

    country: str
    army: str
    place: str
    previously: str
    points: dict[str, int] | None = None


class GiftReceived(Recorded, frozen=True, tag="gift-received"):
    """The forces of a new ally (HW-20.4)."""

    country: str
    army: str
    place: str
    points: dict[str, int]


class TermsOffered(Public, frozen=True, tag="terms-offered"):
    """A country offers to surrender (HW-21.3)."""


class TermsAnswered(Public, frozen=True, tag="terms-answered"):
    accepted: bool


class FullyMobilized(Public, frozen=True, tag="fully-mobilized"):
    """All production of a side counts from now on (HW-23.1)."""

    why: str


class LimitedWar(Public, frozen=True, tag="limited-war"):
    """A side attacked before all of its production counts, and waits longer for that (HW-23.3)."""


class LendLeaseGiven(Recorded, frozen=True, tag="lend-lease-given"):
    points: int
    place: str


# ------------------------------------------------------------------ the sea


class PointsConverted(Recorded, frozen=True, tag="points-converted"):
    """Amphibious points that became infantry, by army (HW-6.7)."""

    armies: dict[str, int]


class PointsShipped(Recorded, frozen=True, tag="points-shipped"):
    """Points that crossed the sea in the Movement Phase (HW-12.5)."""

    count: int
    origin: str
    place: str
    seas: tuple[str, ...]


class SeaTransportUsed(Recorded, frozen=True, tag="sea-transport-used"):
    """What the Movement Phase used of each limited sea, and what that left."""

    used: dict[str, int]
    left: dict[str, int]


class InvasionAnnounced(InBattle, frozen=True, tag="invasion-announced"):
    """An army puts to sea. Where it sails from is known to those who see that place (`seen_leaving`)."""

    army: str
    place: str
    target: str
    route: tuple[str, ...] = ()
    seen_leaving: tuple[str, ...] = ()


class NavalFired(InBattle, frozen=True, tag="naval-fired"):
    """The navy fires at an army that passes a hexside (HW-13.8)."""

    army: str
    owner: str
    hexside: tuple[str, str]
    target: str
    strength: int
    roll: Roll
    hits: int


class SupportFired(InBattle, frozen=True, tag="support-fired"):
    """The navy fires at the defenders of an invaded hex (HW-13.11)."""

    target: str
    strength: int
    roll: Roll
    hits: int


class CoastalAirFired(InBattle, frozen=True, tag="coastal-air-fired"):
    """The air force of the defenders fires at one of the invaders (HW-13.12)."""

    army: str
    owner: str
    target: str
    strength: int
    roll: Roll
    hits: int


class LandingTried(InBattle, frozen=True, tag="landing-tried"):
    """The advance of an invading army; a friendly hex needs no roll (HW-13.15, HW-13.17)."""

    army: str
    target: str
    row: int
    column: str
    cell: int | None
    roll: Roll | None
    success: bool


class ArmyLanded(InBattle, frozen=True, tag="army-landed"):
    """An army came ashore. Where it sailed from is known to those who see that place (`seen_leaving`)."""

    army: str
    origin: str
    place: str
    seen_leaving: tuple[str, ...] = ()


# ------------------------------------------------------------------ forts


class FortStarted(Recorded, frozen=True, tag="fort-started"):
    """Fort points bought; they count from the next Production Phase on (HW-14.3)."""

    number: int
    place: str
    points: int
    cost: int


class FortCompleted(Recorded, frozen=True, tag="fort-completed"):
    number: int
    place: str
    points: int
    strength: int


class FortAbsorbed(InBattle, frozen=True, tag="fort-absorbed"):
    """Losses that a fort took without penalty (HW-14.6)."""

    place: str
    count: int


class FortPointsLost(InBattle, frozen=True, tag="fort-points-lost"):
    number: int
    place: str
    count: int


class FortLost(OnTheMap, frozen=True, tag="fort-lost"):
    """A fort is gone: shot to pieces, overrun, cut off, given up or dismantled.

    Its points, those under construction among them, are for the owner; others are told the `band` they saw last.
    """

    number: int
    place: str
    cause: str
    count: int
    building: int = 0
    band: str = ""  # only as told


AnyEvent = (
    PlayerTurnBegan
    | WarEnded
    | SheetMissing
    | OrderRefused
    | DefaultUsed
    | StandingChanged
    | DoneInPart
    | ConditionFailed
    | PointsRuined
    | CutOff
    | ArmyRearranged
    | StackCulled
    | AttackAnnounced
    | Fired
    | PointsLost
    | GarrisonLost
    | HitsIgnored
    | AdvanceTried
    | ArmyRetreated
    | ArmyEliminated
    | ArmyAdvanced
    | PlaceCaptured
    | ExploitationEnded
    | ProductionCounted
    | PointsBuilt
    | PointsRepaired
    | ProductionEnded
    | HeirRolled
    | ArmyDeployed
    | CountryViolated
    | CountryJoined
    | CountryConquered
    | CountrySurrendered
    | ArmyJoined
    | GiftReceived
    | TermsOffered
    | TermsAnswered
    | FullyMobilized
    | LimitedWar
    | LendLeaseGiven
    | PointsConverted
    | PointsShipped
    | SeaTransportUsed
    | InvasionAnnounced
    | NavalFired
    | SupportFired
    | CoastalAirFired
    | LandingTried
    | ArmyLanded
    | FortStarted
    | FortCompleted
    | FortAbsorbed
    | FortPointsLost
    | FortLost
)
