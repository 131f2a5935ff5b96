"""How each kind of event is told, drawn and booked: its chapter of the diary, its mark on the map, what it changes.

The words stand in `events.txt.j2`, a macro a kind, named after its tag.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from engine.events import Event
from engine.hitlers_war import events as happened
from engine.hitlers_war import rolls
from pbem.games.hitlers_war.names import place_name

#: What belongs to a battle: by an attack it is found, and what comes of that follows.
ATTACK, BATTLE = "attack", "battle"
#: What is painted on a map for an event; `pbem.draw.happenings` has the painters.
Mark = Literal[
    "", "moved", "advanced", "retreated", "battle", "losses", "elimination", "fort lost", "captured", "sailed",
    "landing", "salvo", "bombarded",
]  # fmt: skip


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
    mark: Mark = ""
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
    happened.ArmyRearranged: Telling("movement", "moved"),
    happened.StackCulled: Telling("movement", books=_culled),
    happened.PointsConverted: Telling("movement"),
    happened.PointsShipped: Telling("movement", "sailed"),
    happened.SeaTransportUsed: Telling("movement", books=_shipped),
    # combat
    happened.AttackAnnounced: Telling(ATTACK, in_battle="announcement"),
    happened.InvasionAnnounced: Telling(ATTACK, "landing", in_battle="announcement"),
    happened.NavalFired: Telling(ATTACK, "salvo", blow=Blow("Navy", rolls.NAVAL_FIRE)),
    happened.SupportFired: Telling(ATTACK, "bombarded", blow=Blow("Support", rolls.SUPPORT)),
    happened.CoastalAirFired: Telling(ATTACK, blow=Blow("Air", rolls.COASTAL_AIR)),
    happened.Fired: Telling(
        ATTACK, "battle", blow=Blow("Assault", rolls.ASSAULT), defence=Blow("Defence", rolls.DEFENCE)
    ),
    happened.AdvanceTried: Telling(ATTACK, blow=Blow("Advance", rolls.ADVANCE)),
    happened.LandingTried: Telling(ATTACK, blow=Blow("Landing", rolls.LANDING)),
    happened.PointsLost: Telling(BATTLE, "losses", SURRENDER, books=_lost),
    happened.GarrisonLost: Telling(BATTLE),
    happened.HitsIgnored: Telling(BATTLE),
    happened.ArmyRetreated: Telling(BATTLE, "retreated"),
    happened.ArmyEliminated: Telling(BATTLE, "elimination", SURRENDER | ISOLATED, books=_lost),
    happened.ArmyAdvanced: Telling(BATTLE, "advanced"),
    happened.ArmyLanded: Telling(BATTLE),
    happened.PlaceCaptured: Telling(
        BATTLE, "captured", {"isolation": "isolation"}, books=_taken, books_before=_given_up
    ),
    happened.FortAbsorbed: Telling(BATTLE),
    happened.FortPointsLost: Telling(BATTLE, "losses"),
    happened.FortLost: Telling(BATTLE, "fort lost", ISOLATED | {"dismantled": "production"}),
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


def came_ashore(landing: happened.InvasionAnnounced, told: Iterable[Event]) -> bool:
    return any(
        isinstance(event, happened.ArmyLanded) and (event.army, event.place) == (landing.army, landing.target)
        for event in told
    )
