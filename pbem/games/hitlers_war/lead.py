"""What a report begins with: won and lost, newly seen, how near each side is to winning, what is to be decided.

Everything is of the reader's own view: what he was told, what he knew at his last report, and what he knows now.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.events import Event
from engine.grand_strategy import events as happened
from engine.grand_strategy.known import war_as_known
from engine.grand_strategy.state import UNALIGNED
from engine.grand_strategy.victory import TWO_PLAYERS, points_held
from engine.grand_strategy.view import ArmyView, View
from engine.grand_strategy.war import War
from engine.hitlers_war.berlin import level_of
from engine.hitlers_war.europe import europe
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.sides import AXIS
from engine.orders import Sheet
from pbem.games.box import Lead
from pbem.games.hitlers_war.names import army_name, in_card_order, in_map_order, place_name, season_name, turn_number
from pbem.games.hitlers_war.telling import SHOT_OR_TAKEN, changes_of
from pbem.games.hitlers_war.textmap import is_in_sight, is_own
from pbem.words.wording import environment

#: So many names stand in a line; of more their number is told.
MOST_NAMED = 8
#: Every side gets a line in politics of these.
POLITICS = (
    happened.CountryViolated,
    happened.CountryJoined,
    happened.CountrySurrendered,
    happened.CountryConquered,
    happened.TermsOffered,
    happened.TermsAnswered,
    happened.FullyMobilized,
    happened.LimitedWar,
)


def lead_of(events: Iterable[Event], before: View | None, now: View) -> Lead:
    told = list(events)
    found = _Found(told, before, now)
    words = environment().get_template("hitlers-war/lead.txt.j2").make_module(found.values())
    lines = ((label, _in_one_line(words, name)) for label, name in _LABELS)
    decide = _in_one_line(words, "decide")
    return Lead(_in_one_line(words, "headline"), tuple((label, text) for label, text in lines if text), decide)


#: The lines in their order, each with the macro that words it; one that comes out empty is left out.
_LABELS = (
    ("Taken", "taken"),
    ("Lost", "lost"),
    ("Elsewhere", "elsewhere"),
    ("Destroyed", "destroyed"),
    ("Points lost", "points"),
    ("Newly seen", "newly_seen"),
    ("Politics", "politics"),
    ("Winning", "winning"),
)


def _in_one_line(words: Any, name: str) -> str:
    return " ".join(str(getattr(words, name)()).split())


class Exchange(NamedTuple):
    """A place that is another side's now than it was."""

    place: str
    before: str
    now: str


class _Found:
    def __init__(self, told: Sequence[Event], before: View | None, now: View) -> None:
        self._told, self._before, self._now = told, before, now
        self._reader = now.side or ""

    def values(self) -> dict[str, Any]:
        exchanges = list(self._exchanges())
        return {
            "reader": self._reader,
            "taken_places": [each.place for each in exchanges if each.now == self._reader],
            "lost_places": [each.place for each in exchanges if each.before == self._reader],
            "others": _by_sides(each for each in exchanges if self._reader not in (each.before, each.now)),
            "own_gone": self._gone(own=True),
            "others_gone": self._gone(own=False),
            "points_lost": self._points_lost(),
            "seen": self._newly_seen(),
            "turning_points": [event for event in self._told if isinstance(event, POLITICS)],
            "standing": standing_of(self._now),
            "now": self._now,
            "own_armies": [army for army in self._now.armies.values() if army.side == self._reader],
            "place_name": place_name,
            "army_name": army_name,
            "city": _city,
            "season_name": season_name,
            "most": MOST_NAMED,
        }

    def _exchanges(self) -> Iterator[Exchange]:
        """In the order of the map; a place that was taken back is none."""
        found: dict[str, Exchange] = {}
        for event in self._told:
            if isinstance(event, happened.PlaceCaptured):
                first = found.get(event.place)
                found[event.place] = Exchange(event.place, first.before if first else event.previous, event.side)
        for place in sorted(found, key=in_map_order):
            if found[place].before != found[place].now:
                yield found[place]

    def _gone(self, *, own: bool) -> list[str]:
        """Armies and forts that are no more, by the names that everybody reads."""
        armies = {
            event.army: army_name(event.army)
            for event in self._told
            if isinstance(event, happened.ArmyEliminated) and (event.side == self._reader) == own
        }
        forts = {
            f"fort {event.number} {event.place}": f"the fort in {place_name(event.place)}"
            for event in self._told
            if isinstance(event, happened.FortLost)
            and event.cause in SHOT_OR_TAKEN
            and (event.side == self._reader) == own
        }
        return [armies[army] for army in sorted(armies, key=in_card_order)] + list(forts.values())

    def _points_lost(self) -> dict[str, int]:
        """By side, the reader's own first."""
        sides = sorted(self._now.sides, key=lambda side: side != self._reader)
        lost = {side: sum(changes_of(self._told, side).lost.values()) for side in sides}
        return {side: points for side, points in lost.items() if points}

    def _newly_seen(self) -> list[ArmyView]:
        """Armies of the others that are in sight, and were not when the last report was written."""
        before = self._before
        if before is None:
            return []
        known = {id_: army for id_, army in before.armies.items() if is_in_sight(before, army)}
        fresh = [army for army in self._now.armies.values() if army.id not in known and self._is_seen(army)]
        return sorted(fresh, key=lambda army: in_card_order(army.id))

    def _is_seen(self, army: ArmyView) -> bool:
        return not is_own(self._now, army) and army.side != UNALIGNED and is_in_sight(self._now, army)


def _by_sides(exchanges: Iterable[Exchange]) -> dict[tuple[str, str], list[str]]:
    sides: dict[tuple[str, str], list[str]] = {}
    for each in exchanges:
        sides.setdefault((each.now, each.before), []).append(each.place)
    return sides


def _city(place: str) -> str:
    """As short as it can be called: the city, or the hex if it has none."""
    return (europe()[place].name if place in europe() else "") or place


# ------------------------------------------------------------------ how near they are to winning


class Goal(NamedTuple):
    """Hexes that win the war for a side when it holds all of them."""

    side: str
    held: list[str]
    missing: list[str]


class Standing(NamedTuple):
    """How the war would be judged, as far as the reader knows. `points` and `levels` are by side.

    `berlin` is the hex with which the war ends, `holder` who has it; `share` what the Soviets need of the Allied
    points.
    """

    goals: list[Goal]
    otherwise: str
    berlin: str
    holder: str
    points: Mapping[str, int]
    levels: Mapping[str, str]
    share: Fraction | None
    turn: int
    turns: int


def standing_of(view: View) -> Standing:
    """The rules are asked about the position as it is known."""
    setting = setting_of(view.scenario, view.options)
    victory, war = setting.scenario.victory, war_as_known(view, Sheet(view.side or ""), setting)
    berlin = str(victory.get("ends_when_taken", ""))
    by_points = bool(berlin) and TWO_PLAYERS not in view.options.switches
    points = {side: points_held(war, side) for side in view.sides} if by_points else {}
    share = victory.get("soviet_share_of_allied_points") if by_points else None
    turn, turns = turn_number(view)
    return Standing(
        [_goal(war, side, places) for side, places in victory.get("take_all", {}).items()],
        str(victory.get("otherwise", "")),
        berlin,
        war.owner(berlin) if berlin else "",
        points,
        _levels(war, points) if "ratios" in victory else {},
        Fraction(share) if share else None,
        turn,
        turns,
    )


def _goal(war: War, side: str, places: Sequence[str]) -> Goal:
    held = [place for place in places if war.owner(place) == side]
    return Goal(side, held, [place for place in places if place not in held])


def _levels(war: War, points: Mapping[str, int]) -> dict[str, str]:
    """HW-18.7, were the war over now with Berlin Axis."""
    rest = {side: max(1, sum(points.values()) - points[side]) for side in points}
    fell = war.owner(str(war.scenario.victory["ends_when_taken"])) != AXIS
    return {side: level_of(war, side, Fraction(points[side], rest[side]), berlin_fell=fell) for side in points}
