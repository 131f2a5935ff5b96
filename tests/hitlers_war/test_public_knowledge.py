"""What everybody hears when a country joins a side, gives up or is conquered, and what nobody is told with it.

At every fog level who holds the places of that country is public at that moment. Who stands there, and what was repaired
there, is not; nor is what happens to the places afterwards.
"""

from collections.abc import Callable

import pytest

from engine.events import Event, canonical
from engine.game import FOGS, Options
from engine.grand_strategy.events import (
    CountryConquered,
    CountryJoined,
    CountrySurrendered,
    FullyMobilized,
    TermsOffered,
)
from engine.grand_strategy.politics.neutrals import join_attacked_countries
from engine.grand_strategy.rules.combat import note_attack
from engine.grand_strategy.sight import Watch
from engine.grand_strategy.state import UNALIGNED, Army, Country, State
from engine.grand_strategy.view import View
from engine.hitlers_war.politics.mobilization import check_mobilization
from engine.hitlers_war.politics.surrender import FALLS_WITH_BRITAIN, surrenders_after_combat
from tests.overseas import GAME, of, run, war_of

SIDES = ("axis", "soviet", "allies")
every_fog = pytest.mark.parametrize("fog", FOGS)


def campaign(fog: str, phasing: str = "axis", turn: int = 1) -> State:
    """The set-up of Campaign I, on any turn; everybody knows it."""
    state = GAME.setup("campaign-1", Options(fog=fog))
    state.phasing, state.turn = phasing, turn
    return state


def unseen(state: State, *changes: Callable[[State], None]) -> State:
    """The position after changes that only those hear of who see them."""
    before = {place: ground.owner for place, ground in state.ground.items()}
    for change in changes:
        change(state)
    after = {place: ground.owner for place, ground in state.ground.items()}
    for place, owner in before.items():
        state.ground[place].owner = owner
    watch = Watch(war_of(state).setting, state) if state.options.fog == "fog" else None
    for place, owner in after.items():
        state.ground[place].owner = owner
        if watch is not None and owner != before[place]:
            watch.changed_hands(place, before[place], owner)
    if watch is not None:
        watch.note_everything_in_sight()
    return state


def gives(side: str, *places: str) -> Callable[[State], None]:
    def change(state: State) -> None:
        for place in places:
            state.ground[place].owner = side
            state.ground[place].devastated = war_of(state).capacity(place)

    return change


def sends(army: str, place: str, **points: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        side = next(side for side, names in war_of(state).tables.army_names.items() if army in names)
        state.armies[army] = Army(army, side, place, **points)

    return change


def look(state: State, side: str) -> View:
    return GAME.view(state, side, state.options.fog)


def believed(state: State, side: str, *countries: str) -> dict[str, str]:
    places = look(state, side).places
    return {place: places[place].owner for place in war_of(state).board.of_country(*countries)}


def held(state: State, *countries: str) -> dict[str, str]:
    return {place: state.ground[place].owner for place in war_of(state).board.of_country(*countries)}


def all_know(state: State, *countries: str) -> bool:
    return all(believed(state, side, *countries) == held(state, *countries) for side in SIDES)


# ------------------------------------------------------------------ with the capital


def poland_half_taken(fog: str) -> State:
    """The Axis has N13 and O13, the Soviets have P13, and the Allies have seen nothing of it."""
    taken = (gives("axis", "N13", "O13"), gives("soviet", "P13"))
    state = unseen(campaign(fog, turn=2), *taken, sends("SOUTH", "O13", inf=3, mech=7))
    state.countries["Poland"] = Country(attackers=("axis", "soviet"))
    return state


WARSAW = {"axis": ["ATTACK Fourth P12 ADVANCE"]}


@every_fog
def test_who_holds_poland_is_known_when_it_surrenders(fog: str) -> None:
    """HW-21.7: also what the captor and others had taken before, and Warsaw itself."""
    state = poland_half_taken(fog)
    assert (believed(state, "allies", "Poland")["N13"] == UNALIGNED) == (fog == "fog")
    state, events = run(state, WARSAW, [1])
    (fallen,) = of(CountrySurrendered, events)
    assert set(fallen.places) == {"O14", "Q12"}
    assert set(held(state, "Poland").values()) == {"axis", "soviet"}
    assert all_know(state, "Poland")


def test_what_was_heard_is_greyed_and_has_its_season() -> None:
    state, _ = run(poland_half_taken("fog"), WARSAW, [1])
    known = look(state, "allies").places["N13"]
    assert (known.in_sight, known.seen) == (False, 2)


def test_nobody_is_told_who_stands_there() -> None:
    """The Southern Army Group was last seen at home, when the war began."""
    state, _ = run(poland_half_taken("fog"), WARSAW, [1])
    south = look(state, "allies").armies["SOUTH"]
    assert (south.place, south.seen) == ("N12", 1)


@pytest.mark.parametrize("repaired", [True, False])
def test_nobody_is_told_what_was_repaired(repaired: bool) -> None:
    """HW-4.3: capture devastates, and more is not known."""
    state = poland_half_taken("fog")
    state.ground["O13"].devastated = 0 if repaired else 1
    state, _ = run(state, WARSAW, [1])
    assert look(state, "allies").places["O13"].devastated == 1
    assert look(state, "soviet").places["O13"].devastated == (0 if repaired else 1)  # seen from P13


def test_what_happens_afterwards_is_not_told() -> None:
    """The Soviets take a hex of Poland in the same season, unseen by the Allies."""
    state, _ = run(poland_half_taken("fog"), WARSAW, [1])
    state, _ = run(state, {"soviet": ["ATTACK 1Ukr O14 ADVANCE"], "axis": ["STANDING DEFEND ALL NEVER"]}, [1])
    assert state.ground["O14"].owner == "soviet"
    assert believed(state, "allies", "Poland")["O14"] == "axis"


def test_two_conquests_that_differ_in_secret_are_told_alike() -> None:
    """Who stands in Poland, how strong, and what works there: the Allies read and see the same."""
    told = []
    for place, mech, devastated in (("O13", 7, 1), ("N13", 2, 0)):
        state = poland_half_taken("fog")
        state.ground["O13"].devastated = devastated
        sends("SOUTH", place, inf=1, mech=mech)(state)
        state, events = run(state, WARSAW, [1])
        told.append(told_to("allies", state, events))
    assert told[0] == told[1]


def told_to(side: str, state: State, events: list[Event]) -> bytes:
    """Everything a side sees and reads in fog."""
    return canonical([look(state, side), GAME.told(events, side, "fog")])


def test_how_much_worked_in_what_is_handed_over_is_not_told() -> None:
    """Whether the Allies had repaired Nantes before France fell is not for the Soviets to know."""
    told = []
    for devastated in (0, 1):
        state = paris_taken("fog")
        state.ground["N6"].devastated = devastated
        told.append(told_to("soviet", *give_up(state)))
    assert told[0] == told[1]


@pytest.mark.parametrize("axis", [("P14", "Q14", "N14", "O15", "M15"), ("P14", "Q14", "R14", "S15", "T15", "N14")])
def test_why_the_soviet_union_is_mobilized_tells_no_more_than_the_rule(axis: tuple[str, ...]) -> None:
    """HW-23.3: five hexes or more, wherever they are. HW-23.1: an attack, wherever it was."""
    state = unseen(campaign("fog", turn=6), gives("axis", *axis))
    state.limited_war = True
    war = war_of(state)
    check_mobilization(war)
    assert of(FullyMobilized, war.events) == [FullyMobilized("5 of its hexes are in Axis hands")]
    state.limited_war, state.mobilized = False, 0
    note_attack(war, "R15")
    assert of(FullyMobilized, war.events)[1] == FullyMobilized("the Axis has attacked")


# ------------------------------------------------------------------ France and Britain


def paris_taken(fog: str) -> State:
    """The Axis has come through Belgium to Paris, and has a foothold at Oran; the Soviets have seen nothing of it."""
    taken = (gives("axis", "O8", "N8", "N7", "G6", "O9", "P8"), sends("WEST", "N7", mech=8), sends("2BR", "F5", inf=2))
    state = unseen(campaign(fog, turn=3), *taken, sends("1FR", "M8", inf=5))
    del state.forts["N8"]
    state.taken = {"N7": True}
    return state


def give_up(state: State) -> tuple[State, list[Event]]:
    """What is judged at the end of the Combat Phase; pockets are left alone."""
    war = war_of(state)
    surrenders_after_combat(war)
    return state, war.events


@every_fog
def test_who_holds_france_and_her_africa_is_known_when_she_surrenders(fog: str) -> None:
    """HW-21.4."""
    state = paris_taken(fog)
    assert (believed(state, "soviet", "France")["O8"] == "allies") == (fog == "fog")
    state, events = give_up(state)
    assert of(CountrySurrendered, events)[0].country == "France"
    assert held(state, "Algeria")["G6"] == "axis"
    assert all_know(state, "France", "Corsica", "Morocco", "Algeria", "Tunisia")


@pytest.mark.parametrize("side", SIDES)
def test_nobody_goes_on_believing_in_the_armies_and_forts_of_a_fallen_france(side: str) -> None:
    """The French First Army was in O8 when the war began: wherever it is, it is not in an Axis hex."""
    state = paris_taken("fog")
    assert look(state, "soviet").armies["1FR"].place == "O8"
    assert look(state, "soviet").forts["M9"].side == "allies"
    state, _ = give_up(state)
    view = look(state, side)
    assert "1FR" not in view.armies
    assert {"N8", "M9"}.isdisjoint(view.forts)
    strangers = [army.id for army in view.armies.values() if view.places[army.place].owner != army.side]
    assert not strangers


@pytest.mark.parametrize("place", ["M8", "P7"])
def test_an_army_that_got_away_is_forgotten_like_one_that_did_not(place: str) -> None:
    """Whether the French First Army is lost or in England is no business of the Soviets."""
    seen = []
    for refuge in ("M8", place):
        state = paris_taken("fog")
        sends("1FR", refuge, inf=5)(state)
        state, _ = give_up(state)
        seen.append(canonical(look(state, "soviet")))
    assert seen[0] == seen[1]


@every_fog
def test_who_holds_british_territory_is_known_when_britain_surrenders(fog: str) -> None:
    """HW-21.6: London was taken before, and so was Malta, unseen by the Soviets."""
    taken = (gives("axis", "P7", "Q7", "G11"), sends("WEST", "Q7", mech=8), sends("BRITAIN", "S7", inf=2))
    state = unseen(campaign(fog, turn=5), *taken)
    del state.forts["G11"]
    state, events = give_up(state)
    assert of(CountrySurrendered, events)[0].country == "Great Britain"
    assert all_know(state, *FALLS_WITH_BRITAIN)
    assert "BRITAIN" not in look(state, "soviet").armies
    assert {"H4", "G11"}.isdisjoint(look(state, "soviet").forts)


# ------------------------------------------------------------------ Italy and the Soviet Union


@every_fog
def test_who_holds_italy_is_known_when_it_surrenders(fog: str) -> None:
    """HW-21.2: nothing changes hands by it, but three hexes are known to be lost."""
    italy = gives("axis", *war_of(campaign("open")).board.of_country("Italy", "Libya", "Sicily", "Sardinia", "Albania"))
    taken = (italy, gives("allies", "H10", "H11", "I11"), sends("8BR", "I11", mech=8))
    state = unseen(campaign(fog, "allies", 12), *taken)
    state.countries["Italy"] = Country(side="axis", joined=2)
    state.armies["ITALY"].side = "axis"
    state, events = run(state, {"allies": ["ATTACK 8Br J10 ADVANCE"], "axis": ["STANDING DEFEND ALL NEVER"]}, [1])
    assert of(CountrySurrendered, events)[0].country == "Italy"
    assert set(held(state, "Italy").values()) == {"axis", "allies"}
    assert all_know(state, "Italy")


@every_fog
def test_everybody_knows_that_the_soviet_capitals_are_lost_when_terms_are_offered(fog: str) -> None:
    """HW-21.3: of the rest of the Soviet Union the Allies know no more than before."""
    state = unseen(campaign(fog, turn=9), gives("axis", "T15", "Q17", "M19", "P14", "Q16"))
    state.mobilized = 6
    assert (believed(state, "allies", "Soviet Union")["Q17"] == "soviet") == (fog == "fog")
    state, events = give_up(state)
    assert of(TermsOffered, events)
    assert {believed(state, "allies", "Soviet Union")[place] for place in ("T15", "Q17", "M19")} == {"axis"}
    assert (believed(state, "allies", "Soviet Union")["P14"] == "soviet") == (fog == "fog")


# ------------------------------------------------------------------ countries that join


@every_fog
def test_who_holds_a_country_is_known_when_it_joins(fog: str) -> None:
    """HW-19.3: the Axis takes the south of Denmark, the rest joins the Allies; the Soviets see none of it."""
    state = unseen(campaign(fog, turn=2), sends("B", "Q10", mech=8))
    state, events = run(state, {"axis": ["VIOLATE Denmark", "ATTACK B R9 ADVANCE"]}, [1])
    assert of(CountryJoined, events)[0].country == "Denmark"
    assert set(held(state, "Denmark").values()) == {"axis", "allies"}
    assert all_know(state, "Denmark")
    assert look(state, "soviet").armies["ITALY"].place == "L9"  # which has nothing to do with it


@pytest.mark.parametrize("alive", [True, False])
@every_fog
def test_the_italian_army_is_where_it_was_when_italy_joins(fog: str, alive: bool) -> None:
    """HW-20.1: whether it still lives is not told to those who cannot see it."""
    state = unseen(campaign(fog, turn=2))
    if not alive:
        del state.armies["ITALY"]
    state, _ = run(state, {"axis": []})
    assert all_know(state, "Italy", "Libya", "Sicily", "Sardinia", "Albania")
    if fog == "fog":
        italy = look(state, "soviet").armies["ITALY"]
        assert (italy.side, italy.place, italy.seen) == ("axis", "L9", 1)


@pytest.mark.parametrize("alive", [True, False])
def test_the_italian_counter_is_gone_when_italy_joins_the_allies(alive: bool) -> None:
    """HW-19.7: everybody knows that; what became of its army only those who see it."""
    state = unseen(campaign("fog", turn=1), sends("A", "M11", mech=8))
    if not alive:
        del state.armies["ITALY"]
    sheets = {"axis": ["VIOLATE Italy", "ATTACK A L10 ADVANCE"]}
    state, _ = run(state, sheets, [1])
    assert all_know(state, "Italy", "Libya")
    assert all("ITALY" not in look(state, side).armies for side in SIDES)
    assert ("2BR" in look(state, "axis").armies) == alive
    assert "2BR" not in look(state, "soviet").armies


# ------------------------------------------------------------------ countries that are taken whole


@every_fog
def test_who_holds_a_conquered_country_is_known(fog: str) -> None:
    """HW-19.6: Crete, in one landing."""
    state = unseen(campaign(fog, "allies", 2), sends("8BR", "D14", inf=4, amph=4))
    state, events = run(state, {"allies": ["VIOLATE Crete", "INVADE 8Br G14 SAVE"]}, [1])
    assert of(CountryConquered, events) == [CountryConquered("Crete", "allies")]
    assert all_know(state, "Crete")
    row = next(row for row in look(state, "soviet").politics if row.country == "Crete")
    assert (row.status, row.note) == ("conquered", "by the Allies, Spring 1940")


def test_a_conquered_country_is_told_of_once() -> None:
    state = unseen(campaign("fog", "allies", 2), sends("8BR", "D14", inf=4, amph=4))
    state, _ = run(state, {"allies": ["VIOLATE Crete", "INVADE 8Br G14 SAVE"]}, [1])
    state = unseen(state, gives("axis", "G14"), lambda state: state.armies.__delitem__("8BR"))
    war = war_of(state)
    join_attacked_countries(war)
    assert not war.events
    assert believed(state, "soviet", "Crete") == {"G14": "allies"}


def test_the_american_counter_serves_the_allies_when_they_have_conquered_the_united_states() -> None:
    """HW-22.1: there is no country left to wait for, and everybody knows that its army is gone."""
    state = unseen(campaign("fog", "allies", 3), sends("BRITAIN", "P6", mech=5, amph=5))
    state.armies["US"].inf, state.armies["US"].mech = 1, 0
    assert look(state, "axis").armies["US"].side == UNALIGNED
    state, events = run(state, {"allies": ["VIOLATE United States", "INVADE Britain US SAVE", "SUPPORT NONE"]}, [6, 1])
    assert of(CountryConquered, events) == [CountryConquered("United States", "allies")]
    assert all("US" not in look(state, side).armies for side in SIDES)
    assert all(look(state, side).places["US"].owner == "allies" for side in SIDES)
    assert "US" in look(state, "allies").free_armies
