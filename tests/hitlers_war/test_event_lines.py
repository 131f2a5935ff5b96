"""Events carry the lines they came of, for the side that wrote them and for nobody else."""

import json

import pytest
from sqlmodel import select

from engine.dice import ForcedDice, KeyedDice
from engine.events import canonical
from engine.game import FOGS, Options
from engine.grand_strategy import events as happened
from engine.hitlers_war.game import HitlersWar
from engine.orders import Finding, Kind, Line, Sheet
from engine.results import LineResult, results_of
from pbem.records import models
from pbem.records.replay import replay
from tests.barbarossa import of
from tests.hitlers_war.test_forecast import position
from tests.toy.table import SECRET, new_match, new_store, play_by_bots
from tests.toy.two_hills import Fought, HillTaken, Ordered, TwoHills

GAME = HitlersWar()
SHEET = """# two armies of one hex fire together
ATTACK Center P14 ASSAULT ADVANCE
ATTACK B P14 ASSAULT
EXPLOIT Center P15
GOTO 1R T9
BUILD 1I ANY IF PP>=99
BUILD 1I ANY IF PP>=99
"""
ARMIES = {"+CENTER": ("O14", 3, 6), "+B": ("O14", 1, 2), "WHITE": ("P14", 1, 0), "+1RUM": ("T9", 2, 0)}


def ran(text: str = SHEET, side: str | None = "axis", fog: str = "open"):
    """The sheet of the Axis with ones on every die, and what a side is told of it."""
    state = position(ARMIES, fog=fog)
    view = GAME.view(state, "axis", fog)
    sheet = GAME.parse(text, view)
    _, events = GAME.run(state, {"axis": sheet}, ForcedDice([1] * 60))
    return view, sheet, GAME.told(events, side, fog)


def test_what_happens_carries_the_lines_it_came_of() -> None:
    _, _, events = ran()
    assert [event.lines for event in of(happened.AttackAnnounced, events)] == [{"axis": (2,)}, {"axis": (3,)}]
    own = [event for event in of(happened.Fired, events) if not event.defensive and not event.exploitation]
    assert [event.lines for event in own] == [{"axis": (2, 3)}], "armies of one hex make one roll (HW-8.11)"
    onward = [event for event in of(happened.AdvanceTried, events) if event.exploitation]
    assert {event.lines["axis"] for event in onward} == {(4,)}
    assert [event.lines for event in of(happened.ConditionFailed, events)] == [{"axis": (6,)}, {"axis": (7,)}]
    (began,) = of(happened.PlayerTurnBegan, events)
    assert began.lines == {}


def test_an_event_without_a_line_is_written_as_before() -> None:
    assert canonical([happened.CountryViolated("Poland", "axis")]) == (
        b'[{"event":"country-violated","country":"Poland","by":"axis"}]'
    )


@pytest.mark.parametrize("fog", FOGS)
def test_nobody_else_is_told_of_which_line_it_came(fog: str) -> None:
    _, _, own = ran(fog=fog)
    assert any(event.lines for event in own)
    _, _, told = ran(side="soviet", fog=fog)
    assert of(happened.Fired, told)
    assert not any(event.lines for event in told)


def test_a_line_that_was_kept_for_a_later_gate_has_no_number() -> None:
    state = position(ARMIES, fog="open", mode="checkpoint")
    sheet = GAME.parse("ATTACK Center P14 ASSAULT ADVANCE\nEXPLOIT Center P15", GAME.view(state, "axis", "open"))
    after, first = GAME.run(state, {"axis": sheet}, ForcedDice([1] * 60))
    assert [event.lines for event in of(happened.AttackAnnounced, first)] == [{"axis": (1,)}]
    assert GAME.gate(after).stage == "exploitation"
    _, second = GAME.run(after, {"axis": Sheet("axis")}, ForcedDice([1] * 60))
    assert of(happened.AdvanceTried, second)
    assert not any(event.lines for event in second)


# ------------------------------------------------------------------ what came of a line


def test_every_line_has_a_result_with_its_events() -> None:
    view, sheet, events = ran()
    found = {result.number: result for result in GAME.came_of(view, sheet, events)}
    assert {number: result.verdict for number, result in found.items()} == {
        2: "ok", 3: "ok", 4: "ok", 5: "refused", 6: "not met", 7: "not met",
    }  # fmt: skip
    assert found[5].why
    shot = [event for event in found[3].events if isinstance(event, happened.Fired) and not event.defensive]
    assert shot[0].armies == ("CENTER", "B")


def test_what_a_turn_of_an_earlier_program_brought_is_told_all_the_same() -> None:
    """Its events have no lines, so armies and words have to do."""
    view, sheet, events = ran()
    before = [GAME.decode_events(canonical([event]))[0] for event in events]
    before = json.loads(canonical(before))
    for event in before:
        event.pop("lines", None)
    old = GAME.decode_events(json.dumps(before).encode())
    assert not any(event.lines for event in old)
    new, was = GAME.came_of(view, sheet, events), GAME.came_of(view, sheet, old)
    assert [(each.number, each.verdict, each.why) for each in was] == [
        (each.number, each.verdict, each.why) for each in new
    ]
    fired = [event.roll for event in was[0].events if isinstance(event, happened.Fired)]
    assert fired == [event.roll for event in new[0].events if isinstance(event, happened.Fired) and not event.defensive]


def test_the_gravest_that_an_event_says_of_its_line_is_its_verdict() -> None:
    sheet = Sheet("axis", (Line(1, "one", None), Line(2, "two", None)), (Finding(Kind.ILLEGAL, 3, "no"),))
    failed = happened.ConditionFailed("axis", "one", lines={"axis": (1,)})
    part = happened.DoneInPart("axis", 1, "one", "no money is left")
    others = happened.DoneInPart("soviet", 2, "two", "no room is left")
    assert results_of(sheet, [failed, part, others]) == [
        LineResult(1, "in part", "no money is left", (failed, part)),
        LineResult(2, "ok"),
        LineResult(3, "refused", "no"),
    ]


def test_a_fight_comes_of_the_lines_of_both_who_want_the_hill() -> None:
    game = TwoHills()
    state = game.setup("at-once", Options("open"))
    texts = {"red": "TAKE north", "blue": "# mine\nTAKE north"}
    sheets = {side: game.parse(text, game.view(state, side, "open")) for side, text in texts.items()}
    _, events = game.run(state, sheets, KeyedDice(SECRET, "both"))
    (fought,) = of(Fought, events)
    assert fought.lines == {"red": (1,), "blue": (2,)}
    told = game.told(events, "blue", "open")
    assert [event.lines for event in of(Fought, told)] == [{"blue": (2,)}]
    (result,) = game.came_of(game.view(state, "blue", "open"), sheets["blue"], told)
    assert {Ordered, Fought} <= {type(event) for event in result.events}
    assert of(HillTaken, result.events)


# ------------------------------------------------------------------ wars of before


def test_a_record_without_lines_replays_and_one_with_another_line_does_not(tmp_path) -> None:
    store = new_store(tmp_path)
    match = new_match(store)
    play_by_bots(store, match, 1)
    turn = as_it_is = recorded_events(store)
    assert any("lines" in event for event in turn)
    rewrite(store, [{key: value for key, value in event.items() if key != "lines"} for event in turn])
    assert [step.difference for step in replay(store, match)] == [None, None]
    for number, event in enumerate(as_it_is):
        if "lines" in event:
            changed = [dict(each) for each in as_it_is]
            changed[number]["lines"] = {side: [line + 1 for line in lines] for side, lines in event["lines"].items()}
            rewrite(store, changed)
            assert "lines" in replay(store, match)[-1].difference.what
            changed[number].pop("lines")
            rewrite(store, changed)
            assert "lines" in replay(store, match)[-1].difference.what, "all of them have lines, or none"


def recorded_events(store) -> list[dict]:
    with store.reading() as session:
        return json.loads(session.exec(select(models.Turn)).one().events)


def rewrite(store, events: list[dict]) -> None:
    with store.writing() as session:
        turn = session.exec(select(models.Turn)).one()
        turn.events = json.dumps(events, separators=(",", ":")).encode()
        session.add(turn)
