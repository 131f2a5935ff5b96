"""Countries that enter the war on their day, and what they bring (HW-20, HW-41)."""

import pytest

from engine.events import Event
from engine.grand_strategy.events import CountryJoined, DefaultUsed, GiftReceived, ProductionCounted, ProductionEnded
from engine.grand_strategy.politics.neutrals import join_attacked_countries
from engine.grand_strategy.rules.combat import note_attack
from engine.grand_strategy.state import UNALIGNED, Army, Country, State
from tests.overseas import GAME, of, position, put, refusals, run, war_of

MINORS = ("Finland", "Hungary", "Rumania", "Bulgaria")


def owners(state: State, *countries: str) -> set[str]:
    war = war_of(state)
    return {war.owner(place) for place in war.board.of_country(*countries)}


# ------------------------------------------------------------------ Italy


def test_italy_joins_in_the_axis_production_phase_of_spring_1940() -> None:
    """HW-20.1: with all yellow countries; its seven points count in that very phase."""
    state = position("campaign-1", "axis", 2)
    state.armies["ITALY"] = Army("ITALY", UNALIGNED, "L9", inf=4, mech=1)
    state, events = run(state, {"axis": []})
    assert owners(state, "Italy", "Libya", "Sicily", "Sardinia", "Albania") == {"axis"}
    assert of(ProductionCounted, events)[0].working == 16 + 7
    assert state.armies["ITALY"].side == "axis"


@pytest.mark.parametrize("mode", ["one-run", "checkpoint"])
def test_the_axis_plans_its_production_with_what_italy_brings(mode: str) -> None:
    """HW-20.1: the receipt reckons with it, and at the checkpoint before production Italy has joined."""
    state = position("campaign-1", "axis", 2, mode=mode)
    view = GAME.view(state, "axis", "open")
    findings = GAME.check(view, GAME.parse("BUILD 11I P10", view))
    assert not [finding for finding in findings if "costs" in finding.why]
    (short,) = [each for each in GAME.check(view, GAME.parse("BUILD 12I P10", view)) if "costs" in each.why]
    assert short.why == "the production list costs 24; you have about 23, so its end will wait"
    if mode == "checkpoint":
        state, events = run(state, {"axis": []})
        assert of(CountryJoined, events)[0].case == "HW-20.1"
        view = GAME.view(state, "axis", "open")
        assert (view.step, view.production["axis"].budget, view.places["L9"].owner) == ("production", 23, "axis")
    _, events = run(state, {"axis": ["BUILD MAX I ANY"]})
    assert of(ProductionEnded, events)[0].spent == 22


def test_the_italian_army_may_not_act_before_the_summer() -> None:
    """HW-20.1: it joins after movement and combat of that turn."""
    state = position("campaign-1", "axis", 2)
    state.armies["ITALY"] = Army("ITALY", UNALIGNED, "L9", inf=4, mech=1)
    _, events = run(state, {"axis": ["GOTO Italy K10"]})
    assert refusals(events)


def test_italy_does_not_join_before_its_day() -> None:
    state, _ = run(position("campaign-1", "axis", 1), {"axis": []})
    assert owners(state, "Italy") == {UNALIGNED}


def test_italy_does_not_join_again() -> None:
    """A-47: attacked before, it belongs to the Allies."""
    state = position("campaign-1", "axis", 1)
    war = war_of(state)
    note_attack(war, "L9")
    join_attacked_countries(war)
    state.turn = 2
    state, events = run(state, {"axis": []})
    assert not of(CountryJoined, events)
    assert "axis" not in owners(state, "Italy")


# ------------------------------------------------------------------ the eastern countries


def test_the_eastern_countries_join_in_summer_1941() -> None:
    """HW-20.3, HW-20.4: in the capitals, the Rumanian Army for Rumania, free counters for the others."""
    state, events = run(position("campaign-1", "axis", 6), {"axis": []})
    assert owners(state, *MINORS) == {"axis"}
    gifts = {event.country: (event.army, event.place, event.points) for event in of(GiftReceived, events)}
    assert gifts["Rumania"] == ("RUMANIA", "L14", {"inf": 2, "mech": 1})
    assert gifts["Hungary"][1:] == ("M12", {"inf": 1, "mech": 1})
    assert gifts["Finland"][1:] == ("T14", {"inf": 3})
    assert "Bulgaria" not in gifts


def test_bulgaria_brings_an_infantry_in_the_later_edition() -> None:
    """A-43."""
    _, events = run(position("campaign-1", "axis", 6, edition="later"), {"axis": []})
    assert {event.country: event.points for event in of(GiftReceived, events)}["Bulgaria"] == {"inf": 1}


def test_gifts_are_placed_by_order() -> None:
    """D-43."""
    state = position("campaign-1", "axis", 6)
    state, events = run(state, {"axis": ["GIFT Rumania M14 South", "GIFT Finland U14"]})
    gifts = {event.country: (event.army, event.place) for event in of(GiftReceived, events)}
    assert gifts["Rumania"] == ("SOUTH", "M14")
    assert gifts["Finland"] == ("OKW", "U14")  # the first free counter, since none was named


def test_a_gift_outside_its_country_is_refused() -> None:
    state, events = run(position("campaign-1", "axis", 6), {"axis": ["GIFT Rumania P10"]})
    (refusal,) = refusals(events)
    assert "appear in Rumania" in refusal.why
    assert "L14" in refusal.remedy
    assert state.armies["RUMANIA"].place == "L14"


def finland_under_attack(*lines: str) -> tuple[State, list[Event]]:
    """The Soviets take U15 and no more; the Axis has left these orders."""
    state = position("campaign-1", "axis", 2)
    state, _ = run(state, {"axis": list(lines)})
    put(state, "LENIN", "T15", mech=6)
    return run(state, {"soviet": ["VIOLATE Finland", "ATTACK Lenin U15 ADVANCE"]}, [1])


def test_a_gift_does_not_appear_in_a_lost_hex() -> None:
    """HW-20.4, D-43: in Finland, as far as it is Axis; the report says why it is elsewhere."""
    state, events = finland_under_attack("STANDING GIFT Finland U15 B")
    assert state.ground["U15"].owner == "soviet"
    (gift,) = of(GiftReceived, events)
    assert gift.place == "T14"
    (default,) = [each for each in of(DefaultUsed, events) if each.decision == "D-43"]
    assert default.what == "the forces of Finland appear in T14 as OKW, since U15 is not yours"
    assert default.remedy == "STANDING GIFT Finland T14 OKW"  # no sheet of the Axis counts in the Soviet player-turn


def test_a_gift_that_can_be_placed_is_no_default() -> None:
    _, events = finland_under_attack("STANDING GIFT Finland U14 B", "STANDING GIFT Rumania M14")
    (gift,) = of(GiftReceived, events)
    assert (gift.army, gift.place) == ("B", "U14")
    assert not [each for each in of(DefaultUsed, events) if each.decision == "D-43"]


def test_without_a_free_counter_the_nearest_army_takes_the_gift() -> None:
    """D-43: the army in Königsberg is nearer to Finland than those in Berlin."""
    state = position("campaign-1", "soviet", 2)
    for number, counter in enumerate(war_of(state).tables.army_names["axis"]):
        state.armies[counter] = Army(counter, "axis", "P10" if number else "Q13", inf=1)
    put(state, "LENIN", "T15", mech=6)
    state, events = run(state, {"soviet": ["VIOLATE Finland", "ATTACK Lenin U15 ADVANCE"]}, [1])
    (gift,) = of(GiftReceived, events)
    assert (gift.army, gift.place) == ("OKW", "Q13")
    assert state.armies["OKW"].points == {"inf": 4}


@pytest.mark.parametrize(("there", "fits"), [(7, True), (8, False)])
def test_a_gift_needs_room(there: int, fits: bool) -> None:
    """HW-7.5: three points beside those who stand there, into the very army if it is named."""
    state = position("campaign-1", "axis", 6)
    put(state, "A", "M14", inf=there)
    state, events = run(state, {"axis": ["GIFT Rumania M14 A"]})
    gift = next(event for event in of(GiftReceived, events) if event.country == "Rumania")
    assert (gift.army, gift.place) == (("A", "M14") if fits else ("RUMANIA", "L14"))
    assert [refusal.why for refusal in refusals(events)] == ([] if fits else ["M14 has no room for them (HW-7.5)"])
    assert fits or refusals(events)[0].remedy == "name one of L13, L14"


@pytest.mark.parametrize(("country", "why"), [("Rumania", "joins nobody now"), ("Spain", "brings no forces")])
def test_a_gift_in_vain_is_refused(country: str, why: str) -> None:
    hex_ = {"Rumania": "L14", "Spain": "J5"}[country]
    _, events = run(position("campaign-1", "axis", 4), {"axis": [f"GIFT {country} {hex_}"]})
    assert why in refusals(events)[0].why


def test_a_gift_of_who_has_joined_is_not_put_off() -> None:
    """HW-20.4: Rumania came to the Axis when it was attacked, and brings nothing on the day either."""
    state = position("campaign-1", "axis", 6)
    state.countries["Rumania"] = Country(("soviet",), "axis", joined=4)
    for place in war_of(state).board.of_country("Rumania"):
        state.ground[place].owner = "axis"
    _, events = run(state, {"axis": ["GIFT Rumania L14"]})
    (refusal,) = refusals(events)
    assert (refusal.why, refusal.remedy) == ("Rumania joins nobody any more", "leave the line away")


def test_forces_are_placed_by_the_first_line_that_can() -> None:
    """A line that cannot be carried out leaves it to the next; a further one is refused."""
    lines = ["GIFT Rumania P10 B", "GIFT Rumania M14 B", "GIFT Rumania L14 C"]
    state, events = run(position("campaign-1", "axis", 6), {"axis": lines})
    assert state.armies["B"].place == "M14"
    assert [(each.line, each.why) for each in refusals(events)] == [
        (1, "the forces of Rumania appear in Rumania"),
        (3, "an earlier line places the forces of Rumania"),
    ]


@pytest.mark.parametrize(("edition", "givers"), [("1984", ""), ("later", ", Bulgaria")])
def test_a_refusal_names_those_who_bring_forces(edition: str, givers: str) -> None:
    """A-43."""
    _, events = run(position("campaign-1", "axis", 6, edition=edition), {"axis": ["GIFT Spain J5"]})
    assert refusals(events)[0].remedy == f"those who do are Finland, Hungary, Rumania{givers}"


def test_new_forces_move_at_once() -> None:
    """They join at the start of the player-turn, before movement."""
    state, _ = run(position("campaign-1", "axis", 6), {"axis": ["GOTO Rumania M14"]})
    assert state.armies["RUMANIA"].place == "M14"


def test_finland_brings_its_forces_however_it_joins() -> None:
    """HW-20.4: Rumania does not."""
    state = position("campaign-1", "soviet", 2)
    war = war_of(state)
    note_attack(war, "T14")
    note_attack(war, "L14")
    join_attacked_countries(war)
    assert [event.country for event in of(GiftReceived, war.events)] == ["Finland"]


def test_finland_brings_nothing_to_others() -> None:
    state = position("campaign-1", "axis", 2)
    war = war_of(state)
    note_attack(war, "T14")
    join_attacked_countries(war)
    assert not of(GiftReceived, war.events)


# ------------------------------------------------------------------ the United States


def test_the_united_states_join_in_spring_1942() -> None:
    """HW-20.5: sixteen points on that turn, and the army is Allied at once."""
    state = position("campaign-1", "allies", 8)
    state.armies["US"] = Army("US", UNALIGNED, "US", inf=8, mech=3, amph=1)
    before = GAME.view(state, "allies", "open").production["allies"].working
    state, events = run(state, {"allies": []})
    assert of(ProductionCounted, events)[0].working == before + 16
    assert state.armies["US"].side == "allies"


def test_american_production_grows_by_one_each_turn() -> None:
    """HW-20.5."""
    state = position("campaign-1", "allies", 8)
    state.ground["US"].owner = "allies"
    state.countries["United States"] = Country(side="allies", joined=8)
    grown = []
    for turn in (8, 9, 18):
        state.turn = turn
        grown.append(war_of(state).capacity("US"))
    assert grown == [16, 17, 26]


def test_american_production_does_not_grow_in_the_fall_of_germany() -> None:
    """A-57."""
    state = position("fall-of-germany", "allies", 19)
    assert war_of(state).capacity("US") == 16


def test_american_growth_ends_with_a_capture() -> None:
    state = position("campaign-1", "axis", 12)
    state.countries["United States"] = Country(side="allies", joined=8)
    war = war_of(state)
    assert war.devastate("US") == 20
    assert war.capacity("US") == state.ground["US"].devastated == 16


def test_the_others_stay_unaligned() -> None:
    """HW-20.7."""
    state = position("campaign-1", "axis", 1)
    put(state, "SOUTH", "P10", inf=1)
    while (gate := GAME.gate(state)) is not None and state.turn < 10:
        state, _ = run(state, {gate.awaits[0]: []})
    assert owners(state, "Spain", "Turkey", "Sweden", "Poland", "Greece") == {UNALIGNED}
