"""The counters of countries that have not joined yet: who may name them, and when (HW-22.1)."""

from typing import Literal

import pytest

from engine.events import Event
from engine.grand_strategy.events import DefaultUsed, ExploitationEnded, GiftReceived, OrderRefused
from engine.grand_strategy.state import UNALIGNED, Army, Country, State
from pbem.games.hitlers_war.record import record_sheet
from tests.overseas import GAME, campaign, notes, of, position, put, refusals, run, war_of

# ------------------------------------------------------------------ counters that wait for their country


@pytest.mark.parametrize("line", ["FORM ITALY P10 1I FROM NORTH", "SET ITALY P10 1I", "GOTO ITALY P10"])
@pytest.mark.parametrize("alive", [True, False])
def test_nobody_uses_the_counter_of_a_country_that_has_not_joined(line: str, alive: bool) -> None:
    """HW-22.1: the Italian Army is Italy's, and whether it still lives is not told by what the Axis may form."""
    state = position("campaign-1", "axis")
    put(state, "NORTH", "P10", inf=5)
    if alive:
        put(state, "ITALY", "L9", inf=4, mech=1).side = "unaligned"
        state.ground["L9"].owner = "unaligned"
    after, events = run(state, {"axis": [line]})
    assert [event.why for event in events if isinstance(event, OrderRefused)] == [
        "ITALY waits for its country (HW-22.1)"
    ]
    assert "ITALY" not in GAME.view(state, "axis", "open").free_armies
    assert ("ITALY" in after.armies) == alive
    assert not alive or after.armies["ITALY"].points == {"inf": 4, "mech": 1}


WAITING = "ITALY waits for its country (HW-22.1)"


def before_italy_joins(*, alive: bool = True) -> State:
    """Spring 1940, the Axis to play. Italy joins at its end."""
    state = position("campaign-1", "axis", 1)
    put(state, "NORTH", "Q13", inf=5)
    put(state, "WEST", "P10", inf=5)
    if alive:
        state.armies["ITALY"] = Army("ITALY", UNALIGNED, "L9", inf=4, mech=1)
    return state


@pytest.mark.parametrize("alive", [True, False])
@pytest.mark.parametrize(
    "line",
    [
        "SET ITALY P10 1I",
        "GOTO ITALY K10",
        "FORM ITALY P10 1I FROM WEST",
        "XFER 1I WEST -> ITALY",
        "XFER 1I ITALY -> WEST",
        "DISBAND ITALY INTO WEST",
        "DISBAND WEST INTO ITALY",
        "SHIP 1I NORTH -> ITALY",
        "CONVERT 1A ITALY",
        "ROUTE ITALY Q13 R12 Q11",
        "ATTACK ITALY L8 ASSAULT",
        "INVADE ITALY K9",
        "BUILD 1I P10 ITALY",
        "BUILD 1I P10 NEW ITALY",
    ],
)
def test_every_order_that_names_a_waiting_counter_is_refused_for_that(line: str, alive: bool) -> None:
    """HW-22.1: in the receipt and in the run, whether its army lives or not, with the same words."""
    state = before_italy_joins(alive=alive)
    view = GAME.view(state, "axis", "open")
    refused = [each for each in GAME.check(view, GAME.parse(line, view)) if each.refuses]
    assert [each.why for each in refused] == [WAITING]
    assert refused[0].remedy
    after, events = run(state, {"axis": [line]})
    assert [each.why for each in refusals(events)] == [WAITING]
    assert ("ITALY" in after.armies) == alive
    assert not alive or after.armies["ITALY"] == state.armies["ITALY"]


@pytest.mark.parametrize("alive", [True, False])
def test_the_record_sheet_does_not_offer_a_waiting_counter(alive: bool) -> None:
    state = before_italy_joins(alive=alive)
    for side in ("axis", "allies"):  # in an open war the others read it too
        assert "Italy" not in record_sheet(GAME.view(state, side, "open"), "axis").partition("Free counters")[2]
    state.countries["Italy"] = Country(side="allies", joined=1)
    state.armies.pop("ITALY", None)
    assert "Italy" in record_sheet(GAME.view(state, "axis", "open"), "axis").partition("Free counters")[2]


def test_an_exploitation_by_a_waiting_army_is_refused_for_that() -> None:
    view = GAME.view(before_italy_joins(), "axis", "open")
    findings = GAME.check(view, GAME.parse("EXPLOIT ITALY L8", view))
    assert [each.why for each in findings if each.refuses] == [WAITING]
    _, events = run(before_italy_joins(), {"axis": ["EXPLOIT ITALY L8"]})
    assert of(ExploitationEnded, events)[0].why == WAITING


def finland_attacked(*lines: str, alive: bool) -> tuple[State, list[Event]]:
    """The Soviets draw Finland into the war in their first turn, long before Italy joins (HW-20.4)."""
    state = before_italy_joins(alive=alive)
    put(state, "LENIN", "T15", mech=6)
    state, _ = run(state, {"axis": list(lines)})
    return run(state, {"soviet": ["VIOLATE Finland", "ATTACK Lenin U15 ADVANCE"]}, [1])


@pytest.mark.parametrize("alive", [True, False])
def test_a_gift_does_not_come_under_a_waiting_counter(alive: bool) -> None:
    """D-43, HW-22.1: the default is used, and the Axis reads why."""
    state, events = finland_attacked("STANDING GIFT Finland T14 ITALY", alive=alive)
    (gift,) = of(GiftReceived, events)
    assert (gift.army, gift.place) == ("OKW", "T14")
    default = next(each for each in of(DefaultUsed, events) if each.decision == "D-43")
    assert default.what == f"the forces of Finland appear in T14 as OKW, since {WAITING}"
    assert not alive or state.armies["ITALY"].points == {"inf": 4, "mech": 1}


@pytest.mark.parametrize("alive", [True, False])
def test_a_gift_line_that_names_a_waiting_counter_is_refused(alive: bool) -> None:
    """Summer 1941 cannot come before Italy joins, but the day of the minor countries is only a number in a table."""
    state = before_italy_joins(alive=alive)
    state.turn = 6
    view = GAME.view(state, "axis", "open")
    refused = [each for each in GAME.check(view, GAME.parse("GIFT Rumania L14 ITALY", view)) if each.refuses]
    assert [each.why for each in refused] == [WAITING]
    assert "RUMANIA" in refused[0].remedy
    state, events = run(state, {"axis": ["GIFT Rumania L14 ITALY"]})
    assert [each.why for each in refusals(events)] == [WAITING]
    assert state.armies["RUMANIA"].place == "L14"


@pytest.mark.parametrize(
    ("side", "line", "why", "remedy"),
    [
        ("axis", "STANDING GIFT Finland T14 ITALY", WAITING, "free counters are: OKW"),
        ("axis", "STANDING GIFT Finland T14 WEST", "WEST stands in P10", "free counters are: OKW"),
        ("axis", "STANDING GIFT Finland P10", "the forces of Finland appear in Finland", "T14"),
        ("axis", "STANDING GIFT Spain J5", "Spain brings no forces (HW-20.4)", "Finland, Hungary, Rumania"),
        ("allies", "STANDING GIFT Finland T14", "only the Axis is brought forces by new allies (HW-20.4)", "leave"),
        ("allies", "STANDING ADOPT Italy AS US", "US waits for its country (HW-22.1)", "free counters are: BRITAIN"),
        ("axis", "STANDING ADOPT US AS ITALY", WAITING, "free counters are: OKW"),
        ("axis", "STANDING ADOPT US AS WEST", "WEST is on the map", "free counters are: OKW"),
        ("axis", "STANDING ADOPT Italy AS C", "the army of Italy may change its counter with the Allies only", "leave"),
        ("soviet", "STANDING ADOPT Italy AS NW", "the army of Italy may change its counter with the Allies", "leave"),
        ("allies", "STANDING ADOPT Spain AS 8BR", "Spain has no army that could change over (HW-19.7)", "leave"),
        ("soviet", "STANDING SURRENDER-TERMS ACCEPT", "only the Axis answers the Soviet Union (HW-21.3)", "leave"),
        (
            "soviet",
            "STANDING LOSSES ITALY-SURRENDER FROM NW",
            "only the Axis loses points when Italy surrenders",
            "leave",
        ),
        ("axis", "STANDING LOSSES ITALY-SURRENDER TYPES M,I", "Italy takes five infantry and one mechanized", "FROM"),
        ("allies", "STANDING LENDLEASE Q17 2", "Q17 is no lend-lease depot (HW-17.2)", "U18 and M20"),
    ],
)
def test_the_receipt_says_what_cannot_come_of_a_standing_order(side: str, line: str, why: str, remedy: str) -> None:
    ((said, instead),) = notes(before_italy_joins(), side, line)
    assert said.startswith(why)
    assert remedy in instead


@pytest.mark.parametrize(
    ("side", "line"),
    [
        ("axis", "STANDING GIFT Finland T14 CENTER"),
        ("axis", "STANDING GIFT Rumania L14"),
        ("axis", "STANDING ADOPT US AS C"),
        ("allies", "STANDING ADOPT Italy AS 8BR"),
        ("axis", "STANDING SURRENDER-TERMS REFUSE"),
        ("axis", "STANDING LOSSES ITALY-SURRENDER FROM WEST TYPES I"),
        ("axis", "STANDING LOSSES WEST TYPES M,I"),
        ("allies", "STANDING LENDLEASE ALWAYS 4"),
    ],
)
def test_a_standing_order_that_may_come_true_is_taken_without_a_word(side: str, line: str) -> None:
    assert notes(before_italy_joins(), side, line) == []


@pytest.mark.parametrize(
    ("nation", "line"), [("Italy", "STANDING ADOPT Italy AS 8BR"), ("Finland", "STANDING GIFT Finland T14")]
)
def test_after_its_day_a_standing_order_is_in_vain(nation: str, line: str) -> None:
    state = before_italy_joins()
    state.countries[nation] = Country(side="soviet", joined=1)
    assert notes(state, "allies" if nation == "Italy" else "axis", line) == [
        (f"{nation} joins nobody any more", "leave the line away")
    ]


@pytest.mark.parametrize(
    "fate", [Country(side="axis", captor="allies", surrendered=4), Country(side="allies", joined=1)]
)
def test_losses_with_italy_are_in_vain_when_it_cannot_surrender(fate: Country) -> None:
    """HW-21.2: once, and never to the Axis."""
    state = before_italy_joins()
    state.countries["Italy"] = fate
    line = "STANDING LOSSES ITALY-SURRENDER FROM WEST TYPES I"
    assert notes(state, "axis", line) == [("Italy cannot surrender any more", "leave the line away")]


@pytest.mark.parametrize("terms", ["accepted", "refused"])
def test_an_answer_that_stands_is_in_vain_once_it_was_given(terms: Literal["accepted", "refused"]) -> None:
    """HW-21.3: terms are offered once."""
    state = before_italy_joins()
    state.terms = terms
    why = f"the Soviet terms were {terms}, and they are offered once"
    assert notes(state, "axis", "STANDING SURRENDER-TERMS REFUSE") == [(why, "leave the line away")]


@pytest.mark.parametrize("named", ["US", "BRITAIN"])
def test_an_army_does_not_change_over_to_a_counter_that_is_not_free(named: str) -> None:
    """D-45, HW-22.1: the default is used, and the Allies read why."""
    state = before_italy_joins()
    put(state, "SOUTH", "M11", mech=8)
    put(state, "BRITAIN", "P7", inf=1)
    sheets = {"axis": ["VIOLATE Italy", "ATTACK South L10 ADVANCE"], "allies": [f"STANDING ADOPT Italy AS {named}"]}
    state, events = run(state, sheets, [1])
    (default,) = [each for each in of(DefaultUsed, events) if each.decision == "D-45"]
    why = {"US": "US waits for its country (HW-22.1)", "BRITAIN": "BRITAIN is on the map"}[named]
    assert default.what == f"the army of Italy becomes 2BR, since {why}"
    assert default.remedy == "STANDING ADOPT Italy AS 2BR"
    assert state.armies["2BR"].points == {"inf": 4, "mech": 1}
    assert "US" not in state.armies


@pytest.mark.parametrize(
    ("side", "terms", "why"),
    [
        ("soviet", "", "only the Axis answers the Soviet Union (HW-21.3)"),
        ("allies", "", "only the Axis answers the Soviet Union (HW-21.3)"),
        ("axis", "refused", "the Soviet terms were refused, and they are offered once"),
    ],
)
def test_an_answer_that_nobody_asked_for_is_refused(side: str, terms: Literal["", "refused"], why: str) -> None:
    state = campaign(side)
    state.terms = terms
    _, events = run(state, {side: ["SURRENDER-TERMS ACCEPT"]})
    assert [each.why for each in refusals(events)] == [why]


def test_the_counter_of_a_country_that_has_joined_is_free_when_its_army_is_gone() -> None:
    state = position("campaign-1", "axis", 5)
    put(state, "NORTH", "P10", inf=5)
    state.countries["Italy"] = Country(side="axis", joined=2)
    for place in war_of(state).board.of_country("Italy"):
        state.ground[place].owner = "axis"
    after, _ = run(state, {"axis": ["FORM ITALY P10 1I FROM NORTH"]})
    assert after.armies["ITALY"].points == {"inf": 1}


def test_a_standing_order_for_a_country_does_not_keep_it_from_joining_in_the_receipt() -> None:
    """HW-20.3: looking at what may come of STANDING GIFT changes nothing of what comes that very day."""
    state = position("campaign-1", "axis", 6)
    put(state, "NORTH", "Q13", inf=5)
    view = GAME.view(state, "axis", "open")
    sheet = GAME.parse("STANDING GIFT Finland T14 OKW\nGIFT Finland T14 OKW", view)
    assert [finding.why for finding in GAME.check(view, sheet) if finding.refuses] == []
