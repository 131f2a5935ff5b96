"""The receipt knows what the run will know: standing orders, and lines that were sent to an earlier gate."""

from random import Random

import pytest

from engine.dice import KeyedDice
from engine.game import Options
from engine.grand_strategy.events import ArmyAdvanced, LendLeaseGiven, OrderRefused, PointsBuilt
from engine.grand_strategy.hearing import PRODUCTION
from engine.grand_strategy.orders import Cancel, Exploit, Unstack
from engine.grand_strategy.state import State
from engine.grand_strategy.view import View
from engine.hitlers_war.tables import tables
from engine.orders import Finding
from tests.overseas import GAME, campaign, of, position, put, run


def findings(state: State, *lines: str) -> list[Finding]:
    view = GAME.view(state, state.phasing, "open")
    return GAME.check(view, GAME.parse("\n".join(lines), view))


def refused(state: State, *lines: str) -> list[str]:
    return [finding.why for finding in findings(state, *lines) if finding.refuses]


def about_all(state: State, *lines: str) -> list[str]:
    return [finding.why for finding in findings(state, *lines) if not finding.line]


# ------------------------------------------------------------------ standing orders


@pytest.mark.parametrize("on_file", [True, False])
def test_an_army_that_a_standing_gift_forms_may_be_ordered(on_file: bool) -> None:
    """D-43, HW-20.4: on the day the forces come under the counter that was named, in time to attack."""
    standing, attack = "STANDING GIFT Rumania M14 B", "ATTACK B M15 ADVANCE"
    state = campaign("axis", 5 if on_file else 6)
    if on_file:
        state, _ = run(state, {"axis": [standing]})
        state.phasing, state.turn = "axis", 6
    lines = [attack] if on_file else [standing, attack]
    assert not refused(state, *lines)
    state, events = run(state, {"axis": lines}, [1])
    assert [event.army for event in of(ArmyAdvanced, events)] == ["B"]


def test_a_standing_gift_that_is_cancelled_forms_nothing() -> None:
    """The newest sheet decides: without the order the forces of Rumania come as RUMANIA in the capital."""
    state, _ = run(campaign("axis", 5), {"axis": ["STANDING GIFT Rumania M14 B"]})
    state.phasing, state.turn = "axis", 6
    assert refused(state, "CANCEL GIFT Rumania M14 B", "ATTACK B M15 ADVANCE")


def test_standing_lend_lease_is_paid_before_the_list() -> None:
    """HW-11.6, HW-17.2: of 23 points four go to the Soviets, and 19 pay for nine infantry at 2."""
    state, stands = campaign("allies", 5), "STANDING LENDLEASE ALWAYS 4"
    assert "the production list costs 22; you have about 19, so its end will wait" in about_all(
        state, stands, "BUILD 11I ANY"
    )
    assert not about_all(state, stands, "BUILD 9I ANY")
    _, events = run(state, {"allies": [stands, "BUILD 11I ANY"]})
    assert sum(event.points for event in of(LendLeaseGiven, events)) == 4
    assert sum(sum(event.points.values()) for event in of(PointsBuilt, events)) == 9


@pytest.mark.parametrize(("line", "left"), [("LENDLEASE U18 2", 21), ("STANDING LENDLEASE ALWAYS 3", 20)])
def test_lend_lease_alone_is_no_production_list(line: str, left: int) -> None:
    """D-33: what is neither given nor spent is lost."""
    assert f"no production list: about {left} points would be lost (D-33)" in about_all(campaign("allies", 5), line)


def test_what_a_depot_does_not_take_is_not_paid() -> None:
    """HW-17.2: of three points through one depot two are taken, so 21 pay for ten infantry."""
    assert not about_all(campaign("allies", 5), "LENDLEASE U18 3", "BUILD 10I ANY")
    told = about_all(campaign("allies", 5), "LENDLEASE U18 3", "BUILD 11I ANY")
    assert told == ["the production list costs 22; you have about 21, so its end will wait"]


# ------------------------------------------------------------------ lines of an earlier gate


def before_exploitation() -> State:
    """Poland is attacked by two armies, of which one may go on; the production list is on file."""
    state = position("campaign-1", "axis", mode="checkpoint")
    put(state, "SOUTH", "N12", mech=10)
    put(state, "FOURTH", "P11", mech=5)
    lines = ["VIOLATE Poland", "ATTACK South N13 ADVANCE", "ATTACK 4th P12 ADVANCE", "BUILD 3I P10 4th"]
    state, _ = run(state, {"axis": lines}, [1, 1])
    assert state.step == "exploitation"
    return state


def test_a_production_list_on_file_is_not_missed() -> None:
    """Lines sent early count unless a later sheet replaces them, and what is wrong with them by now is told."""
    why = "FOURTH would stand in P12, so nothing would be built"
    assert about_all(before_exploitation(), "EXPLOIT South O13") == [
        f"BUILD 3I P10 FOURTH, which you sent before: {why}"
    ]


def test_without_a_list_on_file_one_is_missed() -> None:
    state = before_exploitation()
    state.kept["axis"].later = []
    assert about_all(state, "EXPLOIT South O13") == ["no production list: about 16 points would be lost (D-33)"]


def test_a_line_on_file_never_turns_the_sheet_away() -> None:
    """Whatever is wrong with it is a note on the sheet as a whole."""
    assert not [each for each in findings(before_exploitation(), "EXPLOIT South O13") if each.refuses]


def test_a_list_on_file_is_forgotten_for_a_new_one() -> None:
    assert not about_all(before_exploitation(), "BUILD 8I P10")


# ------------------------------------------------------------------ whole wars

#: Lines that dice come before.
LATER = (Exploit, Unstack, *PRODUCTION)
NATIONS = ("Poland", "Finland", "Rumania", "Hungary", "Italy", "United States", "France", "Algeria", "Switzerland")


def muddled(rng: Random, view: View, text: str) -> str:
    """A random sheet in which some names are others, with lines of politics that may make no sense."""
    armies, hexes = list(tables().army_names[view.side]), list(view.places)
    lines = [[_other(rng, word, armies, hexes) for word in line.split()] for line in text.splitlines()]
    for _ in range(rng.randrange(4)):
        nation, place, army = rng.choice(NATIONS), rng.choice(hexes), rng.choice(armies)
        verb = rng.choice(("VIOLATE {0}", "GIFT {0} {1} {2}", "STANDING GIFT {0} {1} {2}", "GOTO {2} {1}"))
        lines.insert(rng.randrange(len(lines) + 1), [verb.format(nation, place, army)])
    return "\n".join(map(" ".join, lines))


def _other(rng: Random, word: str, armies: list[str], hexes: list[str]) -> str:
    if rng.random() > 0.08:
        return word
    return rng.choice(hexes) if word in hexes else rng.choice(armies) if word.upper() in armies else word


@pytest.mark.parametrize(("scenario", "mode"), [("campaign-1", "one-run"), ("fall-of-germany", "checkpoint")])
def test_what_the_run_refuses_before_any_die_the_receipt_refuses_for_the_same_reason(scenario: str, mode: str) -> None:
    """Where all is open the receipt is the run, as far as no dice are needed."""
    rng, state, count = Random(6), GAME.setup(scenario, Options("open", mode)), 0
    while (gate := GAME.gate(state)) is not None:
        view = GAME.view(state, state.phasing, "open")
        sheet = GAME.parse(muddled(rng, view, GAME.bot(view, gate.id.encode())), view)
        orders = {line.number: line.order for line in sheet.lines if not isinstance(line.order, (*LATER, Cancel))}
        foretold = {(each.line, each.why) for each in GAME.check(view, sheet) if each.refuses and each.line in orders}
        state, events = GAME.run(state, {state.phasing: sheet}, KeyedDice(b"muddled", gate.id))
        assert {(each.line, each.why) for each in of(OrderRefused, events) if each.line in orders} == foretold, gate.id
        count += len(foretold)
    assert count > 20
