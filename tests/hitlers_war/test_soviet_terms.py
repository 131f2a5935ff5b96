"""The Soviet offer of surrender: who answers it and how, and what is allowed afterwards (HW-21.3, D-41, A-59)."""

import pytest

from engine.grand_strategy.events import DefaultUsed, OrderRefused, TermsAnswered, TermsOffered
from engine.grand_strategy.rules.combat import why_closed
from engine.grand_strategy.rules.supply import lose_isolated_places
from engine.grand_strategy.state import Country, State, Terms
from engine.hitlers_war.politics.surrender import surrenders_after_combat
from pbem.games.hitlers_war.record import position_html, record_sheet
from tests.hitlers_war.test_surrender import give
from tests.overseas import GAME, of, position, put, run, war_of

SOVIET_CAPITALS = ("T15", "Q17", "M19")


def soviets_beaten(**options: str) -> State:
    state = position("campaign-1", "axis", 9, **options)
    give(state, "axis", *SOVIET_CAPITALS)
    put(state, "NORTH", "Q13", inf=5)
    put(state, "BALTIC", "Q14", inf=5)
    war = war_of(state)
    give(state, "axis", *[place for place in war.board.of_country("Soviet Union") if place not in ("Q14", "SIBERIA")])
    return state


def test_the_engine_asks_the_axis() -> None:
    """D-41: without an answer on file the run stops and waits for the Axis."""
    state, events = run(soviets_beaten(), {"axis": []})
    assert of(TermsOffered, events)
    gate = GAME.gate(state)
    assert gate is not None
    assert (gate.id, gate.stage, gate.awaits) == ("9-axis-terms", "terms", ("axis",))


@pytest.mark.parametrize(("answer", "accepted"), [("ACCEPT", True), ("REFUSE", False)])
def test_the_axis_answers(answer: str, accepted: bool) -> None:
    state, _ = run(soviets_beaten(), {"axis": ["BUILD MAX I ANY"]})
    state, events = run(state, {"axis": [f"SURRENDER-TERMS {answer}"]})
    assert [event.accepted for event in of(TermsAnswered, events)] == [accepted]
    assert state.terms == ("accepted" if accepted else "refused")
    assert state.countries.get("Soviet Union") == (Country(captor="axis", surrendered=9) if accepted else None)
    assert not [event for event in of(DefaultUsed, events) if event.decision == "D-41"]
    gate = GAME.gate(state)
    assert gate is not None
    assert gate.id == "9-soviet"


@pytest.mark.parametrize(
    ("lines", "doubts"),
    [(["BUILD 2I P10"], 1), (["SURRENDER-TERMS REFUSE"], 0), (["STANDING SURRENDER-TERMS ACCEPT"], 0)],
)
def test_the_receipt_asks_for_the_answer(lines: list[str], doubts: int) -> None:
    """D-41: a sheet without an answer would accept."""
    state, _ = run(soviets_beaten(), {"axis": []})
    view = GAME.view(state, "axis", "open")
    found = [each for each in GAME.check(view, GAME.parse("\n".join(lines), view)) if each.leaves_doubt]
    assert [each.remedy for each in found] == ["SURRENDER-TERMS ACCEPT or SURRENDER-TERMS REFUSE"] * doubts


@pytest.mark.parametrize(
    ("terms", "told"), [("accepted", "nobody takes these places"), ("refused", "when the side's combat ends is lost")]
)
def test_the_record_sheet_says_what_becomes_of_a_pocket(terms: Terms, told: str) -> None:
    """A-59: after the surrender a Soviet pocket stays Soviet."""
    state = position("campaign-1", "soviet", 9)
    state.terms = terms
    for place in war_of(state).board.around["V18"]:
        if place in state.ground and place != "V18":
            state.ground[place].owner = "axis"
    view = GAME.view(state, "soviet", "open")
    assert told in " ".join(record_sheet(view, "soviet").split())
    assert told.replace("'", "&#39;") in position_html(view).replace("&#x27;", "&#39;")


def test_a_missed_deadline_accepts() -> None:
    """D-41."""
    state, _ = run(soviets_beaten(), {"axis": []})
    state, events = run(state, {})
    assert state.terms == "accepted"
    (default,) = [event for event in of(DefaultUsed, events) if event.decision == "D-41"]
    assert default.remedy == "STANDING SURRENDER-TERMS REFUSE"


@pytest.mark.parametrize("line", ["SURRENDER-TERMS REFUSE", "STANDING SURRENDER-TERMS REFUSE"])
def test_an_answer_on_file_is_used_without_asking(line: str) -> None:
    state, events = run(soviets_beaten(), {"axis": [line]})
    assert [event.accepted for event in of(TermsAnswered, events)] == [False]
    assert state.phasing == "soviet"


def test_an_answer_sent_early_is_kept_at_a_checkpoint() -> None:
    state, _ = run(soviets_beaten(mode="checkpoint"), {"axis": ["SURRENDER-TERMS REFUSE"]})
    gate = GAME.gate(state)
    assert gate is not None
    assert (state.terms, gate.stage) == ("refused", "production")


def test_refused_terms_are_never_offered_again() -> None:
    """HW-21.3."""
    state = soviets_beaten()
    state.terms = "refused"
    war = war_of(state)
    surrenders_after_combat(war)
    assert not of(TermsOffered, war.events)


def test_after_a_surrender_there_are_no_attacks_either_way() -> None:
    """HW-21.3."""
    state = soviets_beaten()
    state.terms = "accepted"
    _, events = run(state, {"axis": ["ATTACK North Q14 ASSAULT"]})
    (refusal,) = of(OrderRefused, events)
    assert (refusal.why, refusal.remedy) == (
        "Q14 is held by the Soviet Union, and since the surrender there is peace (HW-21.3)",
        "attack the Allies",
    )
    state.phasing = "soviet"
    assert why_closed(war_of(state), "Q15")[1] == "attack an unaligned country, with VIOLATE"
    assert war_of(state).enemies_of("soviet") == ()
    assert war_of(state).enemies_of("axis") == ("allies",)


def test_after_a_surrender_pockets_do_not_pass_between_the_two() -> None:
    """A-59: a Soviet pocket stays Soviet, an Axis pocket goes to the Allies."""
    state = soviets_beaten()
    state.terms = "accepted"
    state.phasing = "soviet"
    give(state, "axis", "SIBERIA")
    lose_isolated_places(war_of(state))
    assert state.ground["Q14"].owner == "soviet"
    state.phasing = "axis"
    give(state, "axis", "I4")  # Lisbon, alone in Portugal
    lose_isolated_places(war_of(state))
    assert state.ground["I4"].owner == "allies"
