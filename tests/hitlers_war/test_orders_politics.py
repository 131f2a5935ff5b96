"""Reading lines about countries: what they may be called, and what is answered to half a line (D-38 to D-45)."""

from typing import get_args

import pytest

from engine.grand_strategy.language.line import read_order
from engine.grand_strategy.orders import Gift, StandingOrder, Violate
from engine.grand_strategy.state import Country
from engine.hitlers_war.language.words import VERBS
from engine.hitlers_war.rulebook import vocabulary_for
from engine.hitlers_war.tables import tables
from engine.language import LineCannotBeUsed
from tests.overseas import GAME, campaign, position, put, refusals, run

SIDES = ("axis", "soviet", "allies")
AXIS, ALLIES = (vocabulary_for(side, SIDES, "campaign-1") for side in ("axis", "allies"))


@pytest.mark.parametrize(
    ("name", "country"),
    [
        ("Belgium", "Low Countries"),  # HW-19.8: one nation
        ("the Netherlands", "Low Countries"),
        ("Estonia", "Baltic States"),
        ("USA", "United States"),
        ("the United States", "United States"),
        ("russia", "Soviet Union"),
        ("Romania", "Rumania"),
        ("Persia", "Iran"),
        ("Syria", "Lebanon-Syria"),
        ("England", "Great Britain"),
        ("Britain", "Great Britain"),
        ("Ireland", "Eire"),
        ("Warsaw", "Poland"),
        ("US", "United States"),
    ],
)
def test_a_country_may_be_called_as_people_call_it(name: str, country: str) -> None:
    assert read_order(f"VIOLATE {name}", AXIS) == Violate(country)


def test_a_name_that_comes_near_another_name_of_a_country() -> None:
    with pytest.raises(LineCannotBeUsed) as caught:
        read_order("VIOLATE Beligum", AXIS)
    assert caught.value.remedy == "Did you mean Low Countries?"


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("GIFT Finland Helsinki", Gift("Finland", "T14")),
        ("GIFT Finland Helsinki B", Gift("Finland", "T14", "B")),
        ("GIFT Rumania Bucharest Rumania", Gift("Rumania", "L14", "RUMANIA")),
        ("GIFT Romania L14 Army Group C", Gift("Rumania", "L14", "C")),
    ],
)
def test_a_city_stands_for_its_hex_in_a_gift(line: str, order: Gift) -> None:
    assert read_order(line, AXIS) == order


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("GIFT Rumania", "The hex is missing after 'Rumania'"),
        ("GIFT Rumania South", "The hex is missing before 'South'"),
        ("GIFT Ruritania Bucharest", "There is no country 'Ruritania'"),
    ],
)
def test_a_gift_without_a_place_or_a_country_is_told_so(line: str, why: str) -> None:
    with pytest.raises(LineCannotBeUsed, match=why):
        read_order(line, AXIS)


@pytest.mark.parametrize(
    ("line", "why", "remedy"),
    [
        ("VIOLATE", "The line ends too early.", "Possible here: a country such as Spain."),
        ("VIOLATE Poland, Denmark", "I do not understand ',' here.", "one country on each line"),
        ("VIOLATE P12", "There is no country 'P12'.", "Did you mean Poland?"),
        ("VIOLATE N5", "There is no country 'N5'.", "Example: VIOLATE Spain"),
        ("GIFT", "The line ends too early.", "Possible here: a country such as Rumania."),
        ("GIFT Finland", "The hex is missing after 'Finland'.", "GIFT RUMANIA L14 Rumania"),
        ("GIFT Rumania Rumania", "The hex is missing before 'Rumania'.", "GIFT RUMANIA L14 Rumania"),
        ("GIFT Atlantis T14", "There is no country 'Atlantis'.", ""),
        ("GIFT Atlantis", "There is no country 'Atlantis'.", ""),
        ("ADOPT", "The line ends too early.", "Possible here: Italy or United States."),
        ("ADOPT US C", "The line ends too early.", "Possible here: AS and one of your counters."),
        ("DECLARE WAR ON Poland", "I know no order 'DECLARE'.", "Did you mean VIOLATE?"),
        ("REFUSE", "I know no order 'REFUSE'.", "Did you mean SURRENDER-TERMS REFUSE?"),
        ("ACCEPT TERMS", "I know no order 'ACCEPT'.", "Did you mean SURRENDER-TERMS ACCEPT?"),
    ],
)
def test_half_a_line_is_told_what_would_work(line: str, why: str, remedy: str) -> None:
    with pytest.raises(LineCannotBeUsed) as problem:
        read_order(line, AXIS)
    assert problem.value.why == why
    assert remedy in problem.value.remedy


@pytest.mark.parametrize(("line", "remedy"), [("LENDLEASE ANY 4", "U18 or M20"), ("LENDLEASE", "U18, or ALWAYS")])
def test_lend_lease_without_a_depot_is_told_the_depots(line: str, remedy: str) -> None:
    with pytest.raises(LineCannotBeUsed) as problem:
        read_order(line, ALLIES)
    assert remedy in problem.value.remedy


def test_in_barbarossa_nobody_is_pointed_to_politics() -> None:
    barbarossa = vocabulary_for("axis", ("axis", "soviet"), "barbarossa")
    with pytest.raises(LineCannotBeUsed) as problem:
        read_order("DECLARE WAR ON Poland", barbarossa)
    assert "VIOLATE" not in problem.value.remedy


# ------------------------------------------------------------------ what may stand


def test_the_words_that_may_stand_are_those_of_the_orders_that_may() -> None:
    verbs = {str(kind.__struct_config__.tag).removesuffix("-RESERVE") for kind in get_args(StandingOrder)}
    assert {verb.word for verb in VERBS.values() if verb.may_stand} == verbs


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        ("barbarossa", "DEFEND, LOSSES and RETREAT can stand"),
        ("campaign-1", "LENDLEASE, SURRENDER-TERMS, GIFT and ADOPT can stand"),
    ],
)
def test_what_cannot_stand_is_told_what_can(scenario: str, told: str) -> None:
    state = position(scenario, "axis")
    (finding,) = GAME.parse("STANDING GOTO West P10", GAME.view(state, "axis", "open")).findings
    assert told in finding.why


# ------------------------------------------------------------------ VIOLATE in vain


@pytest.mark.parametrize(
    ("side", "country", "remedy"),
    [
        ("axis", "France", "ATTACK needs no VIOLATE there"),
        ("axis", "Germany", "leave the line away"),
        ("soviet", "France", "leave the line away"),  # HW-17.1: Soviets and Allies never fight
        ("allies", "Soviet Union", "leave the line away"),
    ],
)
def test_a_declaration_in_vain_is_told_whether_to_attack(side: str, country: str, remedy: str) -> None:
    _, events = run(campaign(side), {side: [f"VIOLATE {country}"]})
    assert [each.remedy for each in refusals(events)] == [remedy]


@pytest.mark.parametrize("holder", ["allies", "axis"])
def test_the_remedy_goes_by_what_everybody_knows(holder: str) -> None:
    """Who holds the country by now may be out of sight."""
    state = campaign("soviet")
    state.countries["Crete"], state.ground["G14"].owner = Country(side="axis", joined=2), holder
    _, events = run(state, {"soviet": ["VIOLATE Crete"]})
    assert [each.remedy for each in refusals(events)] == ["ATTACK needs no VIOLATE there"]


def test_a_refused_declaration_is_remarked_on_once() -> None:
    state = campaign()
    view = GAME.view(state, "axis", "open")
    found = [each for each in GAME.check(view, GAME.parse("VIOLATE Switzerland", view)) if each.line]
    assert [each.why for each in found] == ["Switzerland is closed to everybody for the whole war (HW-19.1)"]


# ------------------------------------------------------------------ where new points may not appear


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("BUILD 2I US", "US is no place to build: it is not friendly to you"),
        ("BUILD 2I S6", "S6 is no place to build: it has no working production point (HW-11.4)"),
        ("BUILD 2I N7 OR US", "N7 is no place to build: it has no working production point (HW-11.4); US is no place"),
        ("BUILD 2I N7 OR P7", ""),
        ("BUILD 2I ANY", ""),
    ],
)
def test_the_receipt_refuses_what_the_production_phase_will_refuse(line: str, why: str) -> None:
    """HW-11.4: nothing that is taken in combat works in the same turn (HW-4.3)."""
    state = campaign("allies", 5)
    put(state, "1FR", "O8", inf=1)
    state.ground["N7"].devastated = 2
    view = GAME.view(state, "allies", "open")
    refused = [each.why for each in GAME.check(view, GAME.parse(line, view)) if each.refuses]
    _, events = run(state, {"allies": [line]})
    assert len(refused) == len(refusals(events)) == bool(why)
    assert not why or (refused[0].startswith(why) and refusals(events)[0].why == refused[0])


@pytest.mark.parametrize(("line", "told"), [("BUILD 1I N11", True), ("BUILD 1I P10", False), ("BUILD 1I ANY", False)])
def test_a_receipt_says_that_no_counter_is_left(line: str, told: bool) -> None:
    """HW-1.2: they stand in Berlin and Königsberg, and that of Italy waits."""
    state = position("campaign-1", "axis", 1)
    for army in tables().army_names["axis"]:
        if army != "ITALY":
            put(state, army, "P10" if army == "OKW" else "Q13", inf=1)
    view = GAME.view(state, "axis", "open")
    notes = [each.why for each in GAME.check(view, GAME.parse(line, view)) if "all twelve army counters" in each.why]
    _, events = run(state, {"axis": [line]})
    assert bool(notes) == bool(refusals(events)) == told


@pytest.mark.parametrize(
    ("scenario", "side", "turn", "why"),
    [
        ("campaign-1", "axis", 1, "only Barbarossa has French points to choose"),
        ("barbarossa", "axis", 7, "the Axis chooses the French points on the first turn of the war only (HW-15.2)"),
        ("barbarossa", "soviet", 6, "the Axis chooses the French points on the first turn of the war only (HW-15.2)"),
    ],
)
def test_french_points_chosen_at_the_wrong_time(scenario: str, side: str, turn: int, why: str) -> None:
    """D-02."""
    _, events = run(position(scenario, side, turn), {side: ["DEVASTATE-FRANCE M8 L8 N8"]})
    assert [(each.why, each.remedy) for each in refusals(events)] == [(why, "leave the line away")]


def test_the_united_states_build_on_the_day_they_join() -> None:
    """HW-20.5: at the start of the Allied player-turn of Spring 1942."""
    state = campaign("allies", 8)
    view = GAME.view(state, "allies", "open")
    assert not [each for each in GAME.check(view, GAME.parse("BUILD 8I US", view)) if each.refuses]
