"""Positions that random players hardly ever reach, and the sheet with which a side makes use of them.

Some wars begin with a country overrun but for its capitals, which are then attacked; others with an attack on a country
that stands aside. So every country surrenders and takes every side it can be driven to, in a soak of any length.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from engine.dice import ForcedDice
from engine.game import Options
from engine.grand_strategy.politics.nations import nation_at, places_of_nation
from engine.grand_strategy.sea.routes import Pilot
from engine.grand_strategy.setup import first_state
from engine.grand_strategy.state import UNALIGNED, Army, State
from engine.grand_strategy.war import War
from engine.hitlers_war.europe import countries
from engine.hitlers_war.politics.countries import FRANCE, POLAND, SOVIET_UNION
from engine.hitlers_war.politics.surrender import BRITAIN, GERMANY, SPECIAL
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.sides import ALLIES, AXIS, SOVIET

#: Of every five wars one has a country overrun, and in the campaigns one more an attack on a neutral.
EVERY, OVERRUN, ATTACKED = 5, 3, 1
SPEARHEAD = {"inf": 4, "mech": 6}
#: Hardly enough to conquer anything.
RAIDERS = {"amph": 1}


class Overrun(msgspec.Struct, frozen=True):
    """A side holds all of a country but its capitals, and attacks these with spearheads."""

    side: str
    country: str


class Incident(msgspec.Struct, frozen=True):
    """A side attacks a country that stands aside, from one of its places: over land, or over the sea."""

    side: str
    country: str
    base: str
    target: str
    by_land: bool


Upset = Overrun | Incident


def with_a_capital() -> list[str]:
    """The countries that surrender when theirs falls (HW-21.7)."""
    return [name for name, country in countries().items() if country.capitals and name not in SPECIAL]


OVERRUN_IN = {
    "barbarossa": (Overrun(AXIS, SOVIET_UNION), Overrun(SOVIET, GERMANY)),
    "fall-of-germany": (Overrun(SOVIET, GERMANY), Overrun(ALLIES, GERMANY)),
    "campaign-1": (
        Overrun(AXIS, FRANCE),
        Overrun(AXIS, BRITAIN),
        Overrun(AXIS, SOVIET_UNION),
        Overrun(SOVIET, GERMANY),
        Overrun(ALLIES, GERMANY),
        *(Overrun(side, country) for side in (AXIS, ALLIES) for country in with_a_capital()),
        *[Overrun(AXIS, SOVIET_UNION)] * 2,  # its terms are not always offered, and have two answers (HW-21.3)
    ),
}


def upset_of(number: int, scenario: str) -> Upset | None:
    """What happens in the war of this number, if anything."""
    turn, kind = divmod(number, EVERY)
    upsets: tuple[Upset, ...] = ()
    if kind == OVERRUN:
        upsets = OVERRUN_IN.get(scenario, ())
    elif kind == ATTACKED:
        upsets = incidents(scenario)
    return upsets[turn % len(upsets)] if upsets else None


def upset(state: State, what: Upset | None) -> str:
    """Change the position at the gate where its side begins, and say what the side orders; empty at all other gates."""
    if what is None or (state.phasing, state.step) != (what.side, "player-turn"):
        return ""
    war = _war(state)
    begun = state.turn - war.scenario.first_turn
    match what:
        case Incident() if begun == 0:
            return _attack_a_neutral(war, what)
        case Overrun() if begun == 1:
            return _storm_the_capitals(war, what)
    return ""


def _war(state: State) -> War:
    return War(setting_of(state.scenario, state.options), state, ForcedDice([]))


# ------------------------------------------------------------------ a country overrun


def _storm_the_capitals(war: War, what: Overrun) -> str:
    goals = _overrun(war, what)
    unaligned = any(war.owner(goal) == UNALIGNED for goal in goals)
    declared = [f"VIOLATE {what.country}"] if unaligned else []
    attacks = [f"ATTACK {army} {goal} ASSAULT ADVANCE" for army, goal in _bring_up_spearheads(war, what.side, goals)]
    return "\n".join([*declared, *attacks]) if attacks else ""


def _overrun(war: War, what: Overrun) -> list[str]:
    """Everything but the capitals is lost, and so are the armies there; returns the capitals."""
    places = [place for place in war.board.of_country(what.country) if not war.place(place).is_box]
    for place in places:
        for army in war.armies_in(place):
            if army.side != what.side:
                war.remove(army)
        if not war.place(place).capital:
            war.give_by_treaty(place, what.side)
    return [place for place in places if war.place(place).capital and war.owner(place) != what.side]


def _bring_up_spearheads(war: War, side: str, goals: list[str]) -> Iterator[tuple[str, str]]:
    """The strongest armies, each with the capital it stands before; out of supply they could not attack (HW-10.6)."""
    supplied = war.supplied(side)
    armies = iter(sorted(war.armies_of(side), key=lambda army: -army.strength))
    for goal in goals:
        near = [place for place in war.board.for_retreat[goal] if place in supplied]
        for place in near:
            if war.room(place) == war.tables.stacking_limit and (army := next(armies, None)):
                _send(war, army, place, SPEARHEAD)
                yield army.id, goal


def _send(war: War, army: Army, place: str, points: dict[str, int]) -> None:
    for kind in {*army.points, *points}:
        army.add(kind, points.get(kind, 0) - army.points.get(kind, 0))
    war.move(army, place)


# ------------------------------------------------------------------ an attack on a neutral


def _attack_a_neutral(war: War, what: Incident) -> str:
    """Whatever happened before in the first turn, the base is held and not full."""
    army = min(war.armies_of(what.side), key=lambda army: (army.place != what.base, army.id == "ITALY", -army.strength))
    if not war.holds(what.side, what.base) or war.owner(what.target) != UNALIGNED:
        return ""
    _send(war, army, what.base, RAIDERS)
    attack = "ATTACK {} {} SAVE ADVANCE" if what.by_land else "INVADE {} {} SAVE"
    return f"VIOLATE {what.country}\n" + attack.format(army.id, what.target)


@lru_cache
def incidents(scenario: str) -> tuple[Incident, ...]:
    """Every side with every neutral it can reach when the war begins."""
    setting = setting_of(scenario, Options())
    if not setting.rules.language.has("VIOLATE"):
        return ()
    war = _war(first_state(setting, Options()))
    neutrals = sorted({nation_at(war.board, place) for place in war.places_of(UNALIGNED)} - {POLAND})
    found = (_way_to(war, side, nation) for side in war.scenario.sides for nation in neutrals)
    return tuple(incident for incident in found if incident is not None)


def _way_to(war: War, side: str, nation: str) -> Incident | None:
    for by_land, bases_for in ((True, _bases_by_land), (False, _bases_by_sea)):
        for target in sorted(places_of_nation(war, nation, UNALIGNED), key=lambda place: war.place(place).capital):
            for base in bases_for(war, side, target):
                return Incident(side, nation, base, target, by_land)
    return None


def _bases_by_land(war: War, side: str, target: str) -> list[str]:
    return [place for place in war.attack_links[target] if war.holds(side, place)]


def _bases_by_sea(war: War, side: str, target: str) -> Iterator[str]:
    pilot = Pilot(war, side, landing=target)
    return (place for place in war.places_of(side) if war.board.chart.seas_at[place] and pilot.voyage(place, target))
