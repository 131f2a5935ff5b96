"""Positions that random players hardly ever reach: a country overrun but for its capitals, which then fall."""

import msgspec

from engine.dice import ForcedDice
from engine.hitlers_war.board import SOVIET_UNION
from engine.hitlers_war.europe import countries, europe
from engine.hitlers_war.nations import FRANCE
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import ALLIES, AXIS, SOVIET, State
from engine.hitlers_war.surrender import BRITAIN, GERMANY, SPECIAL
from engine.hitlers_war.tables import tables
from engine.hitlers_war.war import War

#: Every fifth war is upset.
EVERY, FIRST = 5, 3
SPEARHEAD = {"inf": 4, "mech": 6}


class Upset(msgspec.Struct, frozen=True):
    """Who has overrun which country when the second turn begins."""

    captor: str
    country: str


def with_a_capital() -> list[str]:
    """The countries that surrender when theirs falls (HW-21.7)."""
    return [name for name, country in countries().items() if country.capitals and name not in SPECIAL]


UPSETS = {
    "barbarossa": (Upset(AXIS, SOVIET_UNION), Upset(SOVIET, GERMANY)),
    "fall-of-germany": (Upset(SOVIET, GERMANY), Upset(ALLIES, GERMANY)),
    "campaign-1": (
        Upset(AXIS, FRANCE),
        Upset(AXIS, BRITAIN),
        Upset(AXIS, SOVIET_UNION),
        Upset(SOVIET, GERMANY),
        Upset(ALLIES, GERMANY),
        *(Upset(captor, country) for captor in (AXIS, ALLIES) for country in with_a_capital()),
    ),
}


def upset_of(number: int, scenario: str) -> Upset | None:
    """What happens in the war of this number, if anything."""
    upsets = UPSETS.get(scenario, ())
    return upsets[number // EVERY % len(upsets)] if upsets and number % EVERY == FIRST else None


def upset(state: State, what: Upset | None) -> None:
    """Change the position at the gate that opens the second turn; at all others nothing happens."""
    scenario = load_scenario(state.scenario)
    opens_turn = (state.phasing, state.step) == (scenario.sides[0], "player-turn")
    if what is None or not opens_turn or state.turn != scenario.first_turn + 1:
        return
    war = War(europe(), tables(), scenario, state, ForcedDice([]))
    goals = _overrun(war, what)
    _bring_up_spearheads(war, what.captor, goals)


def _overrun(war: War, what: Upset) -> list[str]:
    """Everything but the capitals is lost, and so are the armies there; returns the capitals."""
    places = [place for place in war.board.of_country(what.country) if not war.place(place).is_box]
    for place in places:
        for army in war.armies_in(place):
            if army.side != what.captor:
                war.remove_army(army)
        if not war.place(place).capital:
            war.give_by_treaty(place, what.captor)
    return [place for place in places if war.place(place).capital]


def _bring_up_spearheads(war: War, side: str, goals: list[str]) -> None:
    near = [place for goal in goals for place in war.board.for_retreat[goal] if war.holds(side, place)]
    vacant = [place for place in dict.fromkeys(near) if war.room(place) == war.tables.stacking_limit]
    for army, place in zip(sorted(war.armies_of(side), key=lambda army: -army.strength), vacant, strict=False):
        for kind, count in army.points.items():
            army.add(kind, SPEARHEAD.get(kind, 0) - count)
        for kind in SPEARHEAD.keys() - army.points.keys():
            army.add(kind, SPEARHEAD[kind])
        war.move_army(army, place)
