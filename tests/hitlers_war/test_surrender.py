"""How countries give up, and what becomes of their hexes and of the armies there (HW-21)."""

import pytest

from engine.dice import ForcedDice
from engine.events import Event
from engine.grand_strategy.events import (
    ArmyEliminated,
    ArmyRetreated,
    CountryJoined,
    CountrySurrendered,
    DefaultUsed,
    HeirRolled,
    PlaceCaptured,
    PointsLost,
)
from engine.grand_strategy.orders import Retreat
from engine.grand_strategy.politics.neutrals import join_attacked_countries
from engine.grand_strategy.rules.combat import note_attack
from engine.grand_strategy.rules.supply import lose_isolated_places
from engine.grand_strategy.state import UNALIGNED, Army, Country, State
from engine.grand_strategy.turn import end_of_combat
from engine.grand_strategy.victory import check_victory_at_once
from engine.grand_strategy.war import War
from engine.hitlers_war.politics.surrender import surrender_with_capital, surrenders_after_combat
from engine.hitlers_war.sea.mediterranean import stance_of_italy
from tests.overseas import GAME, of, position, put, refusals, run, war_of


def holders(state: State, *countries: str) -> set[str]:
    war = war_of(state)
    return {war.owner(place) for place in war.board.of_country(*countries)}


def give(state: State, side: str, *places: str) -> None:
    for place in places:
        state.ground[place].owner = side


# ------------------------------------------------------------------ with the capital


def test_poland_falls_with_warsaw() -> None:
    """HW-21.7: at once, with all its hexes, its production devastated."""
    state = position("campaign-1", "axis")
    put(state, "SOUTH", "P11", mech=10)
    state, events = run(state, {"axis": ["VIOLATE Poland", "ATTACK South P12 ADVANCE"]}, [1])
    (fallen,) = of(CountrySurrendered, events)
    assert (fallen.country, fallen.to, fallen.case) == ("Poland", "axis", "HW-21.7")
    assert holders(state, "Poland") == {"axis"}
    war = war_of(state)
    assert all(not war.working_points(place) for place in war.board.of_country("Poland"))


def test_what_another_side_captured_before_stays_with_it() -> None:
    """A-48."""
    state = position("campaign-1", "axis")
    give(state, "soviet", "P13")
    give(state, "axis", "P12")
    surrender_with_capital(war_of(state), "P12", UNALIGNED)
    assert state.ground["P13"].owner == "soviet"
    assert state.ground["O13"].owner == "axis"


def test_hexes_are_friendly_for_the_rest_of_the_phase() -> None:
    """HW-21.10: an army that exploits finds them open."""
    state = position("campaign-1", "axis")
    put(state, "SOUTH", "P11", mech=10)
    lines = ["VIOLATE Poland", "ATTACK South P12 ADVANCE", "EXPLOIT South P13"]
    state, events = run(state, {"axis": lines}, [1, 1])
    assert state.armies["SOUTH"].place == "P13"
    assert [event.place for event in of(PlaceCaptured, events)] == ["P12"]


def test_a_country_surrenders_once() -> None:
    """HW-21.7."""
    state = position("campaign-1", "soviet")
    give(state, "axis", "M12", "M13")
    state.countries["Hungary"] = Country(side="axis", joined=6, captor="axis", surrendered=3)
    give(state, "soviet", "M12")
    war = war_of(state)
    surrender_with_capital(war, "M12", "axis")
    assert not of(CountrySurrendered, war.events)
    assert state.ground["M13"].owner == "axis"


def axis_army_in_rumania(*friends: str) -> War:
    """Bucharest is lost, and SOUTH stands in M14; `friends` are the hexes beyond that are still Axis."""
    state = position("campaign-1", "soviet")
    give(state, "soviet", *[place for place in war_of(state).places_of("axis") if place != "P10"])
    give(state, "axis", "L13", "M14", *friends)
    put(state, "SOUTH", "M14", inf=4)
    give(state, "soviet", "L14")
    return war_of(state)


@pytest.mark.parametrize(("friends", "refuge"), [(["N13"], "N13"), (["L12"], "L12"), (["L12", "N13"], "N13")])
def test_armies_in_a_country_that_surrenders_retreat_to_the_nearest_friendly_hex(friends, refuge) -> None:
    """A-88: through the hexes of that country, however many it takes; L12 is beyond L13."""
    war = axis_army_in_rumania(*friends)
    surrender_with_capital(war, "L14", "axis")
    retreats = [(event.army, event.origin, event.place) for event in of(ArmyRetreated, war.events)]
    assert retreats == [("SOUTH", "M14", refuge)]
    assert not of(ArmyEliminated, war.events)
    assert holders(war.state, "Rumania") == {"soviet"}


def test_the_owner_chooses_among_hexes_that_are_equally_near() -> None:
    """A-88: RETREAT lines choose, else D-18, which is told."""
    by_default = axis_army_in_rumania("N13", "M13")
    surrender_with_capital(by_default, "L14", "axis")
    (told,) = of(DefaultUsed, by_default.events)
    assert told.decision == "D-18"
    (other,) = {"N13", "M13"} - {by_default.state.armies["SOUTH"].place}
    ordered = axis_army_in_rumania("N13", "M13")
    ordered.state.kept["axis"].standing = [Retreat("SOUTH", "TO", (other,))]
    surrender_with_capital(ordered, "L14", "axis")
    assert ordered.state.armies["SOUTH"].place == other
    assert not of(DefaultUsed, ordered.events)


def test_armies_that_reach_no_friendly_hex_are_lost_with_the_country() -> None:
    """HW-21.9, A-88: a friendly hex that only others' hexes lead to is none that can be reached."""
    war = axis_army_in_rumania("O13")
    surrender_with_capital(war, "L14", "axis")
    (lost,) = of(ArmyEliminated, war.events)
    assert (lost.army, lost.cause) == ("SOUTH", "surrender")


def test_capitals_have_no_effect_before_the_campaigns() -> None:
    """HW-16.7."""
    state = position("fall-of-germany", "soviet")
    give(state, "soviet", "M12")
    war_of(state).was_captured("M12", "axis")
    assert state.ground["M13"].owner == "axis"


# ------------------------------------------------------------------ Germany


def test_with_berlin_everything_axis_becomes_unaligned() -> None:
    """HW-21.1: and the war is over."""
    state = position("campaign-1", "soviet", 15)
    put(state, "WEST", "N9", inf=4)
    give(state, "soviet", "P10")
    war = war_of(state)
    check_victory_at_once(war)
    assert not war.places_of("axis")
    assert not war.armies_of("axis")
    assert of(CountrySurrendered, war.events)[0].case == "HW-21.1"
    assert war.over


# ------------------------------------------------------------------ France


def fallen_france(*, taken: bool = True) -> State:
    state = position("campaign-1", "axis", 3)
    give(state, "axis", "N7")
    state.taken = {"N7": True} if taken else {}
    put(state, "1FR", "L8", inf=5, mech=2)
    put(state, "2BR", "F5", inf=1)
    return state


def test_france_falls_with_paris() -> None:
    """HW-21.4: France and Corsica become Axis, the Maghreb nobody's, Lebanon-Syria and French Africa stay."""
    state = fallen_france()
    war = war_of(state)
    surrenders_after_combat(war)
    assert holders(state, "France", "Corsica") == {"axis"}
    assert holders(state, "Morocco", "Algeria", "Tunisia") == {UNALIGNED}
    assert holders(state, "Lebanon-Syria", "French Africa") == {"allies"}
    assert {event.army for event in of(ArmyEliminated, war.events)} == {"1FR", "2BR"}
    devastated = [place for place in war.board.of_country("France") if place != "N7" and war.working_points(place)]
    assert not devastated


def test_france_falls_only_in_the_phase_in_which_paris_is_captured() -> None:
    state = fallen_france(taken=False)
    war = war_of(state)
    surrenders_after_combat(war)
    assert not of(CountrySurrendered, war.events)


def test_france_falls_once() -> None:
    state = fallen_france()
    state.countries["France"] = Country(captor="axis", surrendered=2)
    war = war_of(state)
    surrenders_after_combat(war)
    assert state.ground["L8"].owner == "allies"


def test_algeria_left_alone_may_be_drawn_in_again() -> None:
    """HW-21.4 makes it unaligned, HW-19.4 says what follows."""
    state = fallen_france()
    war = war_of(state)
    surrenders_after_combat(war)
    table = {row.country: row.status for row in GAME.view(state, "allies", "open").politics}
    assert (table["Algeria"], table["France"]) == (UNALIGNED, "surrendered")
    join_attacked_countries(war)
    assert holders(state, "Algeria") == {UNALIGNED}  # nobody has attacked it
    state.phasing = "allies"
    note_attack(war, "H7")
    join_attacked_countries(war)
    assert holders(state, "Algeria") == {"axis"}
    assert holders(state, "Tunisia") == {UNALIGNED}


def test_the_axis_may_repair_four_french_points() -> None:
    """HW-21.5: three of the seven always stay devastated to it; the Allies have no such limit."""
    state, events = repaired_french_points(fallen=True)
    assert working_in_france(state) == 4
    assert any("HW-21.5" in refusal.why for refusal in refusals(events))


def test_before_france_surrenders_nothing_limits_what_the_axis_repairs_there() -> None:
    """A-94."""
    state, events = repaired_french_points(fallen=False)
    assert working_in_france(state) == 7
    assert not refusals(events)


def working_in_france(state: State) -> int:
    war = war_of(state)
    return sum(war.working_points(place) for place in war.board.of_country("France"))


def repaired_french_points(*, fallen: bool) -> tuple[State, list[Event]]:
    """All are Axis; those outside Paris are devastated and ordered to be restored."""
    state = position("campaign-1", "axis", 5)
    war = war_of(state)
    if fallen:
        state.countries["France"] = Country(captor="axis", surrendered=3)
    french = [place for place in war.board.of_country("France") if war.place(place).production and place != "N7"]
    give(state, "axis", *french, "N7")
    state.ground["N7"].devastated = 0
    for place in french:
        state.ground[place].devastated = 1
    return run(state, {"axis": [f"REPAIR {place}" for place in french]})


# ------------------------------------------------------------------ Britain


def test_britain_falls_with_london_and_the_midlands() -> None:
    """HW-21.6."""
    state = position("campaign-1", "axis", 5)
    give(state, "axis", "P7", "Q7")
    put(state, "8BR", "D15", inf=3)
    war = war_of(state)
    surrenders_after_combat(war)
    listed = ("Great Britain", "North Ireland", "Gibraltar", "Malta", "Egypt", "Cyprus", "Palestine", "Transjordan")
    assert holders(state, *listed) == {"axis"}
    assert holders(state, "India", "Canada", "British Africa") == {"allies"}
    assert [event.army for event in of(ArmyEliminated, war.events)] == ["8BR"]


def test_britain_falls_though_the_landed_armies_are_isolated() -> None:
    """HW-21.6, HW-10.7: both hexes were friendly in this phase; no supply reaches them over the Atlantic."""
    state = position("campaign-1", "axis", 5)
    state.taken = {"P7": True, "Q7": True}
    war = war_of(state)
    surrenders_after_combat(war)
    assert holders(state, "Great Britain") == {"axis"}


def test_britain_falls_once() -> None:
    """HW-21.6: liberated and taken again, she does not give up another time."""
    state = position("campaign-1", "axis", 12)
    give(state, "axis", "P7", "Q7")
    state.countries["Great Britain"] = Country(captor="axis", surrendered=5)
    war = war_of(state)
    surrenders_after_combat(war)
    assert not war.events
    assert state.ground["S7"].owner == "allies"


def test_london_alone_is_not_enough() -> None:
    state = position("campaign-1", "axis", 5)
    give(state, "axis", "P7")
    war = war_of(state)
    surrenders_after_combat(war)
    assert not of(CountrySurrendered, war.events)


# ------------------------------------------------------------------ Italy


def italy_invaded(lost: int) -> State:
    state = position("campaign-1", "allies", 12)
    war = war_of(state)
    give(state, "axis", *war.board.of_country("Italy", "Libya", "Sicily", "Sardinia", "Albania"))
    state.countries["Italy"] = Country(side="axis", joined=2)
    give(state, "allies", *["H11", "I11", "I12"][:lost])
    put(state, "ITALY", "L9", inf=3)
    put(state, "C", "K10", inf=1, mech=2)
    put(state, "WEST", "N9", inf=6, mech=3)
    return state


def test_italy_surrenders_with_three_hexes_of_the_mainland() -> None:
    """HW-21.2: five infantry and one mechanized go, from Italy as far as possible; the hexes stay."""
    state = italy_invaded(3)
    war = war_of(state)
    surrenders_after_combat(war)
    assert of(CountrySurrendered, war.events)[0].case == "HW-21.2"
    assert "ITALY" not in state.armies
    assert state.armies["C"].points == {"mech": 1}
    assert state.armies["WEST"].points == {"inf": 5, "mech": 3}
    assert state.ground["L9"].owner == "axis"
    assert stance_of_italy(war) == "surrendered"


def test_italy_surrenders_once() -> None:
    """HW-21.2: however many hexes are lost afterwards."""
    state = italy_invaded(3)
    state.countries["Italy"] = Country(side="axis", joined=2, captor="allies", surrendered=11)
    war = war_of(state)
    surrenders_after_combat(war)
    assert not war.events
    assert state.armies["ITALY"].inf == 3


@pytest.mark.parametrize(("phasing", "captor"), [("allies", "allies"), ("soviet", "soviet"), ("axis", "allies")])
def test_italy_surrenders_to_whoever_took_the_third_hex(phasing: str, captor: str) -> None:
    """In an Axis Combat Phase hexes are lost by isolation only, to the side that has them now."""
    state = italy_invaded(3)
    state.phasing = phasing
    war = war_of(state)
    surrenders_after_combat(war)
    assert of(CountrySurrendered, war.events)[0].to == captor
    assert state.countries["Italy"].captor == captor


def test_the_italian_army_goes_first_then_the_largest_in_italy_then_the_nearest() -> None:
    """D-42: one infantry of the Italian Army, three of the larger army in Italy, and one of the nearest abroad."""
    state = italy_invaded(3)
    for army in ("ITALY", "C", "WEST"):
        del state.armies[army]
    put(state, "ITALY", "L9", inf=1)
    put(state, "A", "K10", inf=2, mech=1)
    put(state, "B", "D12", inf=1)
    put(state, "SOUTH", "Q10", inf=9)
    put(state, "WEST", "M11", inf=2)
    surrenders_after_combat(war_of(state))
    assert {army.id: army.points for army in state.armies.values()} == {"SOUTH": {"inf": 9}, "WEST": {"inf": 1}}


def test_the_smaller_army_in_italy_is_spared() -> None:
    """D-42."""
    state = italy_invaded(3)
    for army in ("ITALY", "C", "WEST"):
        del state.armies[army]
    put(state, "A", "K10", inf=2)
    put(state, "B", "D12", inf=4)
    put(state, "ITALY", "L9", inf=1)
    surrenders_after_combat(war_of(state))
    assert {army.id: army.points for army in state.armies.values()} == {"A": {"inf": 2}}


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("STANDING DEFEND ALL NOW", ["the points lost with Italy come from ITALY, C, WEST"]),
        ("STANDING LOSSES ALL FROM WEST TYPES I", ["the points lost with Italy come from ITALY, C, WEST"]),
        ("STANDING LOSSES ITALY-SURRENDER FROM C TYPES I", []),
    ],
)
def test_the_axis_is_told_who_was_lost_for_want_of_an_order(order: str, told: list[str]) -> None:
    """D-42: other LOSSES are about battles. What would have decided it can be sent as it is told."""
    state = italy_invaded(3)
    state.phasing = "axis"
    state, events = run(state, {"axis": [order]})
    defaults = [event for event in of(DefaultUsed, events) if event.decision == "D-42"]
    assert [event.what for event in defaults] == told
    assert all(event.cause == "surrender" for event in (*of(ArmyEliminated, events), *of(PointsLost, events)))
    if defaults:
        view = GAME.view(state, "axis", "open")
        assert not GAME.parse(defaults[0].remedy, view).findings


def test_an_axis_without_points_loses_none_with_italy() -> None:
    state = italy_invaded(3)
    state.armies.clear()
    war = war_of(state)
    surrenders_after_combat(war)
    assert [type(event) for event in war.events] == [CountrySurrendered]


def test_two_hexes_are_not_enough() -> None:
    state = italy_invaded(2)
    war = war_of(state)
    surrenders_after_combat(war)
    assert not of(CountrySurrendered, war.events)


def test_the_axis_says_whose_points_go() -> None:
    """D-42: among the armies in Italy, in the order of the list."""
    state = italy_invaded(3)
    put(state, "A", "J10", inf=5, mech=1)
    state.phasing = "axis"
    state, _ = run(state, {"axis": ["STANDING LOSSES ITALY-SURRENDER FROM A TYPES I"]})
    assert "A" not in state.armies
    assert state.armies["ITALY"].points == {"inf": 3}


def test_italy_does_not_surrender_to_the_axis() -> None:
    """HW-21.2: it never joined the Axis, so it has nothing to give up."""
    state = italy_invaded(3)
    state.countries["Italy"] = Country(side="allies", joined=1)
    war = war_of(state)
    surrenders_after_combat(war)
    assert not of(CountrySurrendered, war.events)


def test_removals_are_reported() -> None:
    state = italy_invaded(3)
    war = war_of(state)
    surrenders_after_combat(war)
    lost = [event.lost for event in (*of(ArmyEliminated, war.events), *of(PointsLost, war.events))]
    assert {kind: sum((points or {}).get(kind, 0) for points in lost) for kind in ("inf", "mech")} == {
        "inf": 5,
        "mech": 1,
    }


def test_italy_that_is_overrun_joins_the_axis_and_stays_in_the_war_for_a_phase() -> None:
    """HW-3.6 (c), (d), A-96: attacked by the Allies it joins the Axis, and three hexes are lost already; whether it
    surrenders is asked when the next Combat Phase ends."""
    state = position("campaign-1", "allies", 1)
    put(state, "1FR", "L8", mech=10)
    put(state, "SOUTH", "P10", inf=4, mech=6)
    state.armies["ITALY"] = Army("ITALY", UNALIGNED, "J10", inf=4, mech=1)
    lines = ["VIOLATE Italy", "ATTACK 1Fr L9 ADVANCE", "EXPLOIT 1Fr L10 K11"]
    state, events = run(state, {"allies": lines}, [1, 1, 1])
    order = [type(event) for event in events if isinstance(event, CountryJoined | CountrySurrendered)]
    assert order == [CountryJoined]
    state, events = run(state, {"axis": []})
    assert [event.country for event in of(CountrySurrendered, events)] == ["Italy"]
    assert {army.id: army.points for army in state.armies.values() if army.side == "axis"} == {
        "SOUTH": {"inf": 3, "mech": 6}
    }
    assert holders(state, "Libya") == {"axis"}


def test_pockets_are_lost_before_countries_take_sides() -> None:
    """HW-3.6 (b), (c), A-23, A-87: Lisbon stays with the Axis, since nobody could supply it yet; Spain joins the Allies, who
    could, when pockets have been judged."""
    state = position("campaign-1", "axis", 5)
    for ground in state.ground.values():
        ground.devastated = 99 if ground.owner in ("soviet", "allies") else 0
    state.ground["N15"].devastated = 0
    give(state, "axis", "I4")
    war = war_of(state)
    note_attack(war, "K7")
    end_of_combat(war)
    assert state.ground["K7"].owner == "allies"
    assert war.working_points("K7")
    assert state.ground["I4"].owner == "axis"
    assert "I4" in war.supplied("allies", besides=("I4",))


# ------------------------------------------------------------------ pockets


@pytest.mark.parametrize(("pocket", "heir"), [("R18", "soviet"), ("C15", "allies")])
def test_a_pocket_goes_to_the_side_with_the_nearest_production(pocket: str, heir: str) -> None:
    """HW-10.8: deep in the Soviet Union, and in the Egyptian desert."""
    state = position("fall-of-germany", "axis")
    give(state, "axis", pocket)
    lose_isolated_places(war_of(state))
    assert state.ground[pocket].owner == heir


@pytest.mark.parametrize(("links", "heir"), [(["M12"], "allies"), ([], "axis")])
def test_a_pocket_goes_to_nobody_who_could_not_supply_it(links: list[str], heir: str) -> None:
    """A-87: M13 is next to a Soviet hex without supply; it goes to the Allies only if theirs reaches it, else it stays."""
    state = position("fall-of-germany", "axis")
    give(state, UNALIGNED, *state.ground)
    for ground in state.ground.values():
        ground.devastated = 99
    give(state, "axis", "M13", "P10")
    give(state, "soviet", "M14", "T15")
    give(state, "allies", "N11", *links)
    state.ground["N11"].devastated = state.ground["T15"].devastated = state.ground["P10"].devastated = 0
    lose_isolated_places(war_of(state))
    assert state.ground["M13"].owner == heir


@pytest.mark.parametrize(("die", "heir"), [(1, "soviet"), (3, "soviet"), (4, "allies"), (6, "allies")])
def test_a_tie_is_settled_by_a_die(die: int, heir: str) -> None:
    """HW-10.8, D-70: 1-3 Soviet, 4-6 Allies. Kiev and Prague are the last places that work, N13 is half way, and a hex
    of each side joins it to them."""
    state = position("fall-of-germany", "axis")
    give(state, "soviet", *state.ground)
    for ground in state.ground.values():
        ground.devastated = 99
    give(state, "allies", "N11", "N12")
    give(state, "axis", "N13")
    state.ground["N15"].devastated = state.ground["N11"].devastated = 0
    war = war_of(state)
    assert war.board.distance("N13", "N15") == war.board.distance("N13", "N11") == 2
    war.dice = ForcedDice([die])
    lose_isolated_places(war)
    assert state.ground["N13"].owner == heir
    (rolled,) = of(HeirRolled, war.events)
    assert (rolled.side, rolled.place, rolled.roll.die) == (heir, "N13", die)
    assert [(event.side, event.place, event.how) for event in of(PlaceCaptured, war.events)] == [
        (heir, "N13", "isolation")
    ]


def test_ties_are_settled_in_the_order_of_the_map() -> None:
    """HW-38.3: L13 before N13, wherever they stand in the state. Each is as far from Prague as from Kiev."""
    state = position("fall-of-germany", "axis")
    give(state, "soviet", *state.ground)
    for ground in state.ground.values():
        ground.devastated = 99
    give(state, "allies", "N11", "N12", "M12", "L12")
    state.ground["N15"].devastated = state.ground["N11"].devastated = 0
    ground = state.ground
    state.ground = {place: ground[place] for place in reversed(ground)}
    give(state, "axis", "L13", "N13")
    war = war_of(state)
    assert war.board.distance("L13", "N11") == war.board.distance("L13", "N15")
    war.dice = ForcedDice([1, 6])
    lose_isolated_places(war)
    assert (state.ground["L13"].owner, state.ground["N13"].owner) == ("soviet", "allies")


def spain_without_madrid() -> State:
    """Spain has joined the Axis, and Madrid is cut off; Barcelona works and feeds the north."""
    state = position("campaign-1", "axis", 5)
    war = war_of(state)
    give(state, "axis", *war.board.of_country("Spain"))
    give(state, "allies", *war.board.by_land["J5"])
    state.countries["Spain"] = Country(attackers=("allies",), side="axis", joined=4)
    return state


def test_a_country_surrenders_with_a_capital_that_is_isolated() -> None:
    """HW-10.7, HW-21.7: to the heir, with all that its holder still has."""
    state = spain_without_madrid()
    put(state, "A", "J5", inf=2)
    put(state, "B", "K7", inf=3)
    war = war_of(state)
    assert state.ground["K7"].owner == "axis"
    lose_isolated_places(war)
    (fallen,) = of(CountrySurrendered, war.events)
    assert (fallen.country, fallen.to) == ("Spain", "allies")
    assert holders(state, "Spain") == {"allies"}
    assert not state.armies
    assert [(event.army, event.cause) for event in of(ArmyEliminated, war.events)] == [
        ("A", "isolated"),
        ("B", "surrender"),
    ]


def test_berlin_lost_by_isolation_ends_the_war() -> None:
    """HW-16.4, HW-18.6, HW-10.7."""
    state = position("campaign-1", "axis", 15)
    give(state, "soviet", *[place for place in state.ground if state.ground[place].owner == "axis"])
    give(state, "axis", "P10")
    state.ground["P10"].devastated = 3
    war = war_of(state)
    lose_isolated_places(war)
    assert state.ground["P10"].owner == "soviet"
    assert war.over
