"""What a receipt says of a production list: nothing that the run would contradict (D-33, HW-11)."""

import pytest

from engine.grand_strategy.state import State
from engine.hitlers_war.tables import tables
from engine.orders import Finding, Kind
from tests.overseas import GAME, position, put, put_fort, refusals, run


def findings(state: State, *lines: str) -> list[Finding]:
    view = GAME.view(state, state.phasing, "open")
    return GAME.check(view, GAME.parse("\n".join(lines), view))


def whole_sheet(found: list[Finding]) -> list[str]:
    return [finding.why for finding in found if not finding.line]


def after_a_landing(*lines: str) -> State:
    """The Allies stand in Brest, N6, which they have just taken, at the checkpoint before production."""
    state = position("fall-of-germany", "allies", mode="checkpoint")
    put(state, "BRITAIN", "P7", inf=1, mech=3, amph=5)
    state, _ = run(state, {"allies": ["INVADE Britain N6", "SUPPORT NONE", *lines]}, [6, 1, 1])
    assert state.step == "exploitation"
    return state


def before_production(*lines: str) -> State:
    state, _ = run(after_a_landing(*lines), {})
    assert state.step == "production"
    return state


# ------------------------------------------------------------------ a list that was sent before


@pytest.mark.parametrize("at", [after_a_landing, before_production])
def test_a_list_sent_to_an_earlier_gate_is_not_said_to_be_missing(at) -> None:
    """It counts unless a later sheet replaces it (D-68)."""
    state = at("BUILD 5A P7", "FORT P6 1")
    assert whole_sheet(findings(state, "STANDING DEFEND ALL NOW")) == []
    assert "no production list: about 35 points would be lost (D-33)" in whole_sheet(
        findings(at(), "LOSSES ALL TYPES I")
    )


def test_lend_lease_alone_replaces_the_list_and_leaves_the_rest_unspent() -> None:
    state = before_production("BUILD 5A P7")
    assert whole_sheet(findings(state, "LENDLEASE U18 2")) == [
        "no production list: about 33 points would be lost (D-33)"
    ]


# ------------------------------------------------------------------ no place to build


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("BUILD 2A Q9 NEW OKW", "Q9 is no place to build: it has no working production point (HW-11.4)"),
        ("BUILD 2A S10", "S10 is no place to build: it is not in Germany (HW-11.4)"),
        ("BUILD 2A P7 OR S10", "P7 is no place to build: it is not friendly to you; S10 is no place"),
        ("BUILD 1I N12", "N12 is no place to build"),
    ],
)
def test_what_is_no_site_is_refused_in_the_receipt_as_in_the_run(line: str, why: str) -> None:
    """A hex that is taken in this player-turn is devastated, so no site is added before the money is spent (HW-4.3)."""
    state = position("fall-of-germany", "axis")
    put(state, "CENTER", "P10", inf=1)
    (found,) = [finding for finding in findings(state, line) if finding.line]
    (refusal,) = refusals(run(state, {"axis": [line]})[1])
    assert why in found.why
    assert (found.kind, found.why, found.remedy) == (Kind.ILLEGAL, refusal.why, refusal.remedy)


def test_one_site_after_or_is_enough() -> None:
    state = position("fall-of-germany", "axis")
    assert [finding for finding in findings(state, "BUILD 2I Q9 OR P10") if finding.line] == []


def test_without_a_free_counter_only_armies_on_the_map_take_new_points() -> None:
    """HW-1.2: and only where one stands is told to work."""
    state = position("fall-of-germany", "axis")
    for army, place in zip(tables().army_names["axis"], ("P10", *["N6"] * 6, *["N7"] * 5), strict=True):
        put(state, army, place, inf=1)
    (found,) = [finding for finding in findings(state, "BUILD 2I O11") if finding.line]
    (refusal,) = refusals(run(state, {"axis": ["BUILD 2I O11"]})[1])
    assert found.kind is Kind.NOTE  # it is short of something, like a list that is short of money or room
    assert "all twelve army counters are on the map (HW-1.2)" in found.why
    assert "all twelve army counters are on the map (HW-1.2)" in refusal.why
    assert refusal.remedy == "you can build in (room): P10 (9); free armies: none"
    assert [finding for finding in findings(state, "BUILD 2I O11 OR P10", "BUILD 1I ANY") if finding.line] == []


# ------------------------------------------------------------------ before production nothing changes any more


@pytest.mark.parametrize(
    "line",
    [
        "REPAIR O10 1",  # not friendly
        "REPAIR P7 1",  # not devastated
        "FORT N9 1",
        "FORT K4 1",
        "DISMANTLE FORT 3",
        "BUILD 1I N6 NEW SHAEF",  # just taken, so devastated
        "BUILD 1I P7 Britain",  # which has left
    ],
)
def test_before_production_the_receipt_refuses_what_the_run_refuses(line: str) -> None:
    state = before_production()
    (refusal,) = refusals(run(state, {"allies": [line]})[1])
    (found,) = [finding for finding in findings(state, line) if finding.line]
    assert refusal.line == found.line
    assert found.kind is Kind.ILLEGAL


@pytest.mark.parametrize("line", ["REPAIR N6 1", "FORT N6 1", "DISMANTLE FORT 1", "BUILD 2I P7", "LENDLEASE M20 2"])
def test_before_production_the_receipt_lets_pass_what_the_run_does(line: str) -> None:
    state = before_production()
    put_fort(state, "P6", 2)
    assert refusals(run(state, {"allies": [line]})[1]) == []
    assert [finding for finding in findings(state, line) if finding.refuses] == []


def test_earlier_much_may_still_change() -> None:
    state = after_a_landing()
    found = findings(state, "FORT N7 1", "REPAIR N7 1", "DISMANTLE FORT 3")
    assert [(finding.line, finding.kind) for finding in found if finding.line] == [(1, Kind.NOTE), (3, Kind.NOTE)]
    assert found[-1].remedy == "your forts are: none"
