"""How each kind of event is told, drawn and booked: its chapter of the diary, its mark on the map, what it changes.

The words stand in `events.txt.j2`, a macro a kind, named after its tag.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from engine.events import Event
from engine.grand_strategy import events as happened
from engine.grand_strategy import rolls
from engine.grand_strategy.view import View
from pbem.draw.scene import ArrowSample, KeyEntry, Mark, RingSample, SignSample, TagSample, Voyage, Way
from pbem.games.hitlers_war.happenings import Happenings, came_ashore, course_of, from_the_sea
from pbem.games.hitlers_war.names import place_name

#: What belongs to a battle: by an attack it is found, and what comes of that follows.
ATTACK, BATTLE = "attack", "battle"
#: Forts that are given up are not marked.
SHOT_OR_TAKEN = ("losses", "captured", "isolated")


# ------------------------------------------------------------------ what is booked


class Changes(msgspec.Struct):
    """What changed on a record sheet, as far as it was told: points by army and by type, places won and lost.

    `lent` went to an ally, `shipped` over each sea that has a limit.
    """

    gained: dict[str, int] = {}
    lost: dict[str, int] = {}
    built_types: dict[str, int] = {}
    lost_types: dict[str, int] = {}
    taken: list[str] = []
    given_up: list[str] = []
    lent: int = 0
    shipped: dict[str, int] = {}

    @property
    def all_types_known(self) -> bool:
        return sum(self.lost_types.values()) == sum(self.lost.values())


#: Books an event on the sheet of the side it is about.
Booking = Callable[[Changes, Any], None]


def _built(changes: Changes, event: happened.PointsBuilt) -> None:
    _add(changes.gained, {event.army: sum(event.points.values())})
    _add(changes.built_types, event.points)


def _lost(changes: Changes, event: happened.PointsLost | happened.ArmyEliminated) -> None:
    _add(changes.lost, {event.army: event.count})
    _add(changes.lost_types, event.lost or {})


def _culled(changes: Changes, event: happened.StackCulled) -> None:
    _add(changes.lost, {event.army: sum(event.lost.values())})
    _add(changes.lost_types, event.lost)


def _lent(changes: Changes, event: happened.LendLeaseGiven) -> None:
    changes.lent += event.points


def _shipped(changes: Changes, event: happened.SeaTransportUsed) -> None:
    _add(changes.shipped, event.used)


def _taken(changes: Changes, event: happened.PlaceCaptured) -> None:
    changes.taken.append(place_name(event.place))


def _given_up(changes: Changes, event: happened.PlaceCaptured) -> None:
    changes.given_up.append(place_name(event.place))


def _add(totals: dict[str, int], points: dict[str, int]) -> None:
    for key, count in points.items():
        totals[key] = totals.get(key, 0) + count


# ------------------------------------------------------------------ what is marked on the map


class Told(NamedTuple):
    """An event among all that were told with it, and what was known then."""

    event: Any
    events: Sequence[Event]
    view: View


#: Marks what happened.
Marking = Callable[[Happenings, Told], None]


def _went(manner: str) -> Marking:
    def mark(found: Happenings, told: Told) -> None:
        event = told.event
        found.add_way(Way(event.side, event.origin, event.place, manner), told.view)

    return mark


def _sailed(found: Happenings, told: Told) -> None:
    found.add_voyage(Voyage(told.event.side, course_of(told.view, told.event), "sailed"))


def _landed(found: Happenings, told: Told) -> None:
    landing: happened.InvasionAnnounced = told.event
    manner = "landed" if came_ashore(landing, told.events) else "turned back"
    found.add_voyage(Voyage(landing.side, landing.route or from_the_sea(landing.target), manner))
    found.add_mark(Mark("battle", landing.target))


def _fought(found: Happenings, told: Told) -> None:
    found.add_mark(Mark("battle", told.event.place if told.event.defensive else told.event.target))


def _ships_fought(found: Happenings, told: Told) -> None:
    found.add_mark(Mark("salvo", *told.event.hexside))


def _ships_fired(found: Happenings, told: Told) -> None:
    found.add_mark(Mark("bombarded", told.event.target))


def _lost_points(found: Happenings, told: Told) -> None:
    found.add_losses(told.event.place, told.event.side, told.event.count, gone=False)


def _lost_all(found: Happenings, told: Told) -> None:
    found.add_losses(told.event.place, told.event.side, told.event.count, gone=True)


def _lost_fort(found: Happenings, told: Told) -> None:
    if told.event.cause in SHOT_OR_TAKEN:
        _lost_all(found, told)


def _captured(found: Happenings, told: Told) -> None:
    found.add_capture(told.event.place, told.event.side)


def key_to_marks(side: str, *, at_sea: bool) -> tuple[KeyEntry, ...]:
    """What the key says of them, with examples of a side."""
    gone = "and an army or fort" if at_sea else "and an army with them"
    by_sea = (
        KeyEntry("went by sea", ArrowSample(side, "sailed")),
        KeyEntry("landed", ArrowSample(side, "landed")),
        KeyEntry("turned back", ArrowSample(side, "turned back")),
        KeyEntry("ships fired", SignSample("salvo")),
    )
    return (
        KeyEntry("moved", ArrowSample(side, "moved")),
        KeyEntry("advanced", ArrowSample(side, "advanced")),
        KeyEntry("retreated", ArrowSample(side, "retreated")),
        *(by_sea if at_sea else ()),
        KeyEntry("battle", SignSample("battle")),
        KeyEntry("points lost here", TagSample("losses", side, "−2")),
        KeyEntry(gone, TagSample("losses", side, "−3 ✕")),
        KeyEntry("captured", RingSample(side)),
    )


# ------------------------------------------------------------------ the table


class Blow(msgspec.Struct, frozen=True):
    """A roll in a battle: the word before it, and what its die is for."""

    word: str
    rolls: str


class Telling(msgspec.Struct, frozen=True):
    """Of one kind of event.

    `by_cause` are chapters for those of a certain cause. In a battle an event is a blow (in defence another), an
    announcement, a remark, or what comes of the blows.
    `books` goes on the sheet of its side, `books_before` on that of the side it was taken from.
    """

    chapter: str
    marks: Marking | None = None
    by_cause: dict[str, str] = {}
    blow: Blow | None = None
    defence: Blow | None = None
    in_battle: Literal["", "announcement", "remark"] = ""
    books: Booking | None = None
    books_before: Booking | None = None


SURRENDER, ISOLATED = {"surrender": "politics"}, {"isolated": "isolation"}

TELLING: dict[type[Event], Telling] = {
    # the course of the war
    happened.PlayerTurnBegan: Telling("beginning"),
    happened.SheetMissing: Telling("orders"),
    happened.StandingChanged: Telling("orders"),
    happened.WarEnded: Telling("ending"),
    happened.OrderRefused: Telling("refused"),
    happened.ConditionFailed: Telling("refused"),
    happened.DoneInPart: Telling("refused"),
    happened.DefaultUsed: Telling("defaults"),
    # supply and movement
    happened.PointsRuined: Telling("supply"),
    happened.CutOff: Telling("supply"),
    happened.ArmyRearranged: Telling("movement", _went("moved")),
    happened.StackCulled: Telling("movement", books=_culled),
    happened.PointsConverted: Telling("movement"),
    happened.PointsShipped: Telling("movement", _sailed),
    happened.SeaTransportUsed: Telling("movement", books=_shipped),
    # combat
    happened.AttackAnnounced: Telling(ATTACK, in_battle="announcement"),
    happened.InvasionAnnounced: Telling(ATTACK, _landed, in_battle="announcement"),
    happened.NavalFired: Telling(ATTACK, _ships_fought, blow=Blow("Navy", rolls.NAVAL_FIRE)),
    happened.SupportFired: Telling(ATTACK, _ships_fired, blow=Blow("Support", rolls.SUPPORT)),
    happened.CoastalAirFired: Telling(ATTACK, blow=Blow("Air", rolls.COASTAL_AIR)),
    happened.Fired: Telling(
        ATTACK, _fought, blow=Blow("Assault", rolls.ASSAULT), defence=Blow("Defence", rolls.DEFENCE)
    ),
    happened.AdvanceTried: Telling(ATTACK, blow=Blow("Advance", rolls.ADVANCE)),
    happened.LandingTried: Telling(ATTACK, blow=Blow("Landing", rolls.LANDING)),
    happened.PointsLost: Telling(BATTLE, _lost_points, SURRENDER, books=_lost),
    happened.GarrisonLost: Telling(BATTLE),
    happened.HitsIgnored: Telling(BATTLE),
    happened.ArmyRetreated: Telling(BATTLE, _went("retreated")),
    happened.ArmyEliminated: Telling(BATTLE, _lost_all, SURRENDER | ISOLATED, books=_lost),
    happened.ArmyAdvanced: Telling(BATTLE, _went("advanced")),
    happened.ArmyLanded: Telling(BATTLE),
    happened.PlaceCaptured: Telling(
        BATTLE, _captured, {"isolation": "isolation"}, books=_taken, books_before=_given_up
    ),
    happened.FortAbsorbed: Telling(BATTLE),
    happened.FortPointsLost: Telling(BATTLE, _lost_points),
    happened.FortLost: Telling(BATTLE, _lost_fort, ISOLATED | {"dismantled": "production"}),
    happened.ExploitationEnded: Telling(BATTLE, in_battle="remark"),
    happened.HeirRolled: Telling("isolation"),
    # production
    happened.LendLeaseGiven: Telling("production", books=_lent),
    happened.ProductionCounted: Telling("production"),
    happened.PointsBuilt: Telling("production", books=_built),
    happened.PointsRepaired: Telling("production"),
    happened.FortStarted: Telling("production"),
    happened.FortCompleted: Telling("production"),
    happened.ProductionEnded: Telling("production"),
    # set-up and politics
    happened.ArmyDeployed: Telling("deployment"),
    happened.CountryViolated: Telling("declared"),
    happened.CountryJoined: Telling("politics"),
    happened.CountryConquered: Telling("politics"),
    happened.CountrySurrendered: Telling("politics"),
    happened.ArmyJoined: Telling("politics"),
    happened.GiftReceived: Telling("politics"),
    happened.TermsOffered: Telling("politics"),
    happened.TermsAnswered: Telling("politics"),
    happened.FullyMobilized: Telling("politics"),
    happened.LimitedWar: Telling("politics"),
}


def telling_of(event: Event) -> Telling:
    return TELLING[type(event)]


def chapter_of(event: Event) -> str:
    """The section of the diary that tells an event; ATTACK or BATTLE for what belongs to a battle."""
    cause = getattr(event, "cause", "") or getattr(event, "how", "")
    return telling_of(event).by_cause.get(cause, telling_of(event).chapter)


def blow_of(event: Event) -> str:
    """The word before a roll in a battle; empty for what is none."""
    telling = telling_of(event)
    blow = telling.defence if getattr(event, "defensive", False) else telling.blow
    return blow.word if blow else ""


def happenings(view: View, told: Iterable[Event]) -> Happenings:
    """What is to be marked on the map of who was told."""
    found, events = Happenings(), list(told)
    for event in events:
        if marks := telling_of(event).marks:
            marks(found, Told(event, events, view))
    return found


def changes_of(told: Iterable[Event], side: str) -> Changes:
    """What the events that were told change on the record sheet of a side."""
    changes = Changes()
    for event in told:
        telling = telling_of(event)
        if telling.books and getattr(event, "side", "") == side:
            telling.books(changes, event)
        elif telling.books_before and getattr(event, "previous", "") == side:
            telling.books_before(changes, event)
    return changes
