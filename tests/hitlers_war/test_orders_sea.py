"""The orders of the sea and forts in the language: each reads back as itself, and a bad one is told what would work."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grand_strategy.language.line import read_line, read_order
from engine.grand_strategy.language.reading import GateFacts, read_sheet
from engine.grand_strategy.orders import (
    ALL,
    Coastal,
    Compare,
    Convert,
    Defend,
    Dismantle,
    Fortify,
    Invade,
    Losses,
    NavalFire,
    NavalReserve,
    Route,
    Ship,
    Support,
)
from engine.hitlers_war.language.words import VERBS
from engine.hitlers_war.rulebook import vocabulary_for
from engine.language import LineCannotBeUsed

SIDES = ("axis", "soviet", "allies")
ALLIES = vocabulary_for("allies", SIDES, "fall-of-germany")
BARBAROSSA = vocabulary_for("axis", ("axis", "soviet"))
MINE = GateFacts("allies", "allies", "spring", 1944, 14)
THEIRS = GateFacts("allies", "axis", "spring", 1944, 14)

armies = st.sampled_from(list(ALLIES.own_ids))
enemies = st.sampled_from(list(ALLIES.armies["axis"]))
hexes = st.sampled_from([place.id for place in ALLIES.places.values() if place.has_land and not place.is_box])
boxes = st.sampled_from([place.id for place in ALLIES.places.values() if place.is_box])
waypoints = st.sampled_from([place.id for place in ALLIES.places.values()])
counts = st.integers(1, 999)
points = st.dictionaries(st.sampled_from(["inf", "mech", "amph"]), counts | st.just(ALL), min_size=1)
seas = st.lists(st.sampled_from(ALLIES.seas), max_size=3).map(tuple)
tests = st.lists(st.builds(Compare, st.just("DEF"), st.just(">="), counts), max_size=2).map(tuple)
money = st.lists(st.builds(Compare, st.just("PP"), st.just(">="), counts), max_size=1).map(tuple)
manners = st.fixed_dictionaries({"assault": st.none() | tests}) | st.just({"save": True})
aims = st.sampled_from([("BIGGEST", ""), ("MOSTAMPH", "")]) | enemies.map(lambda army: ("ARMY", army))
fires = aims | st.sampled_from([("SPREAD", ""), ("NEVER", "")])

orders = st.one_of(
    st.builds(Convert, counts | st.just(ALL), armies),
    st.lists(armies, min_size=2, max_size=2, unique=True).flatmap(
        lambda pair: st.builds(Ship, points, st.just(pair[0]), st.just(pair[1]), seas)
    ),
    st.builds(Route, armies, st.lists(waypoints, min_size=2, max_size=5).map(tuple)),
    manners.flatmap(
        lambda manner: st.builds(
            Invade,
            armies,
            hexes,
            st.just("") | hexes,
            st.lists(waypoints, max_size=3).map(tuple),
            seq=st.none() | counts,
            after=st.just("") | armies,
            **{word: st.just(value) for word, value in manner.items()},
        )
    ),
    st.builds(Support, st.lists(hexes, max_size=3).map(tuple)),
    st.tuples(fires, st.booleans()).map(lambda each: NavalFire(*each[0], until_no_amph=each[1])),
    st.builds(NavalReserve, counts, enemies),
    st.tuples(st.just("ALL") | hexes | boxes, aims).map(lambda each: Coastal(each[0], *each[1])),
    st.builds(Defend, hexes, st.sampled_from(["INVADERS", "LAND"])),
    st.builds(Losses, hexes, types=st.permutations(["inf", "mech", "amph", "fort"]).map(tuple)),
    st.builds(Fortify, hexes, counts, money),
    st.builds(Dismantle, st.integers(1, 7).map(str) | hexes, money),
)


@settings(max_examples=300, deadline=None)
@given(orders)
def test_every_order_of_the_sea_reads_back_as_itself(order) -> None:
    assert read_order(str(order), ALLIES) == order


@pytest.mark.parametrize("word", ["CONVERT", "SHIP", "ROUTE", "INVADE", "SUPPORT", "FORT", "DISMANTLE"])
def test_the_example_of_every_verb_of_the_sea_can_be_sent(word: str) -> None:
    assert read_sheet(VERBS[word].usage, ALLIES, MINE).findings == ()


@pytest.mark.parametrize("word", ["NAVALFIRE", "COASTAL"])
def test_fire_at_landings_is_ordered_beforehand(word: str) -> None:
    assert read_sheet(VERBS[word].usage, ALLIES, THEIRS).findings == ()
    (finding,) = read_sheet(VERBS[word].usage.removeprefix("STANDING "), ALLIES, MINE).findings
    assert "must be a standing order" in finding.why


@pytest.mark.parametrize(
    ("line", "why", "remedy"),
    [
        ("CONVERT 2I Britain", "Only amphibious points", "CONVERT 2A Britain"),
        ("SHIP 2I Britain -> 5th VIA PACIFIC", "There is no sea 'PACIFIC'", "Atlantic"),
        ("SHIP 2F Britain -> 5th", "belong to forts", "FORT N9 2"),
        ("BUILD MAX F P7", "belong to forts", "FORT N9 2"),
        ("ROUTE Britain P7", "at least two places", "ROUTE Britain P7 P6 O5"),
        ("INVADE 5th N5", "N5 is a sea hex", "N6"),
        ("INVADE 5th Switzerland", "Switzerland is closed to everybody for the whole war", "a hex of another country"),
        ("GOTO 5th Saudi Arabia", "Saudi Arabia is closed to everybody for the whole war", "a hex of another country"),
        ("FORT Libya 2", "'Libya' is a country; a hex belongs here", "Name one of its hexes: C10"),
        ("INVADE 5th I11 ASSAULT SAVE", "contradict each other", "Write one of them"),
        ("INVADE 5th I11 NOADVANCE", "must try to come ashore (HW-13.6)", "do not invade"),
        ("INVADE 5th I11 ADVANCE IF RANGE>=3", "must try to come ashore (HW-13.6)", "Leave it away"),
        ("INVADE 5th I11 ADVANCE NOADVANCE", "contradict each other", "Write one of them"),
        ("NAVALFIRE INVASIONS AT Britain", "No enemy has an army 'Britain'", "Name an army of one"),
        ("NAVALFIRE INVASIONS AT Moscow", "No enemy has an army 'Moscow'", "Name an army of one"),
        ("COASTAL Britain AT BIGGEST", "'Britain' is an army; this belongs to a hex", "a country or ALL"),
        ("COASTAL Atlantis AT BIGGEST", "no army of yours, hex or country 'Atlantis'", "a country"),
        ("NAVALFIRE INVASIONS AT C UNTIL AMPH=2", "Fire ends with the amphibious points", "UNTIL AMPH=0"),
        ("NAVALFIRE MOVES ALWAYS", "MOVES belongs to a later scenario", "The Fall of Germany has"),
        ("LENDLEASE U18", "ends too early", "Possible here: a number. Example: LENDLEASE U18 2"),
        (
            "LENDLEASE 4",
            "ends too early",
            "Possible here: U18, M20 or ALWAYS before the number. Example: LENDLEASE U18 2",
        ),
        ("INVADE 5th I11 SEQ", "ends too early", "Possible here: a number."),
        ("NAVALFIRE RESERVE", "ends too early", "Possible here: a number."),
        ("SHIP 2I Britain -> 5th VIA", "ends too early", "Possible here: a sea such as ATL."),
        ("FORT N9 0", "0 points are no fort", "at least one"),
        ("DISMANTLE FORT 9", "There is no fort 9", "its hex"),
    ],
)
def test_a_bad_line_is_told_what_would_work(line: str, why: str, remedy: str) -> None:
    with pytest.raises(LineCannotBeUsed) as problem:
        read_line(line, ALLIES)
    assert why in problem.value.why
    assert remedy in problem.value.remedy


@pytest.mark.parametrize("line", ["INVADE West N9", "FORT N9 2", "DEFEND N9 LAND", "BUILD 2A P10", "SHIP 1I West -> A"])
def test_barbarossa_knows_no_sea(line: str) -> None:
    with pytest.raises(LineCannotBeUsed) as problem:
        read_line(line, BARBAROSSA)
    assert "belongs to a later scenario" in problem.value.why


@pytest.mark.parametrize("side", ["axis", "soviet"])
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("NAVALFIRE INVASIONS NEVER", "Only the Allies have a navy"),
        ("NAVALFIRE RESERVE 2 FOR B", "Only the Allies have a navy"),
        ("LENDLEASE ALWAYS 4", "Only the Allies give lend-lease"),
    ],
)
def test_orders_that_are_the_allies_alone(side: str, line: str, why: str) -> None:
    """HW-13.8, HW-17.2: nobody else keeps a standing order that could never do anything."""
    with pytest.raises(LineCannotBeUsed, match=why):
        read_line(line, vocabulary_for(side, SIDES, "fall-of-germany"))
    read_line(line, ALLIES)


@pytest.mark.parametrize(
    ("side", "name", "where"),
    [
        ("allies", "US", "US"),
        ("soviet", "Siberia", "SIBERIA"),
        ("axis", "Italy", "Italy"),
        ("axis", "Rumania", "Rumania"),
    ],
)
def test_aircraft_are_never_those_of_an_army_of_the_same_name(side: str, name: str, where: str) -> None:
    """D-27: elsewhere such a name means the army; here it is the box or the country."""
    vocabulary = vocabulary_for(side, SIDES, "fall-of-germany")
    aim = "A" if side != "axis" else "Moscow"
    assert read_order(f"COASTAL {name} AT {aim}", vocabulary) == Coastal(where, "ARMY", aim.upper())


def test_advance_goes_without_saying_in_a_landing() -> None:
    """HW-13.6: whoever is used to ATTACK may write it."""
    assert read_order("INVADE 5th I11 ASSAULT ADVANCE SEQ 2", ALLIES) == read_order(
        "INVADE 5th I11 ASSAULT SEQ 2", ALLIES
    )


def test_all_points_may_be_shipped_and_converted() -> None:
    everything = {"inf": ALL, "mech": ALL, "amph": ALL}
    assert read_order("SHIP ALL Britain -> 8Br", ALLIES) == Ship(everything, "BRITAIN", "8BR")
    assert read_order("ship all britain to 8br via atl", ALLIES) == Ship(everything, "BRITAIN", "8BR", ("Atlantic",))
    assert read_order("CONVERT ALL Britain", ALLIES) == read_order("CONVERT ALL A Britain", ALLIES)


def test_a_sea_may_be_called_by_its_first_letters_or_its_second_half() -> None:
    order = read_order("SHIP 1I Britain -> 8Br via atl, persian", ALLIES)
    assert order.seas == ("Atlantic", "Red Sea-Persian Gulf")
