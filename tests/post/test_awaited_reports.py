"""Gates that send the whole report only to who may send something: the others get a note, and all of it later."""

import re
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import pbem.cli.main
from engine.game import Gate
from engine.grand_strategy.state import State
from engine.hitlers_war.game import HitlersWar
from pbem.post import letterhead
from pbem.records import models
from pbem.records.verify import each_verified
from tests.letterbox import Letterbox, body_of, new_letterbox
from tests.reading import flat
from tests.records.test_rollback import take_back
from tests.toy.offers import HushedHills

ORDERS = {"axis": "ATTACK Center P14 ASSAULT ADVANCE\n", "soviet": "STANDING DEFEND ALL NOW\n"}


class HushedWar(HitlersWar):
    """Whoever is not on turn sends nothing and is told of it later."""

    def gate(self, state: State) -> Gate | None:
        gate = super().gate(state)
        return gate and msgspec.structs.replace(gate, also_heard=(), reports="awaited")


@pytest.fixture
def hills(tmp_path) -> Letterbox:
    """Red plays turns 1 to 4, blue turns 2 and 4 only."""
    return new_letterbox(tmp_path, {"two-hills": HushedHills()}, scenario="by-turns")


def play(box: Letterbox, *sides: str) -> None:
    """A side's first order takes a hill of its own, and then it stays there."""
    for side in sides:
        position = box.office.store.position(1)
        hill = "north" if side == "red" else "south"
        assert position.gate.awaits == (side,)
        box.play(side, "HOLD" if position.state.owner.get(hill) == side else f"TAKE {hill}")


def to(box: Letterbox, side: str, kinds: tuple[str, ...] = ("report", "notice")) -> list[models.Outgoing]:
    return [mail for mail in box.outgoing() if mail.side == side and mail.kind in kinds]


def turns_in(mail: models.Outgoing) -> list[int]:
    return [int(number) for number in re.findall(r"^REPORT OF \[.*\nTurn (\d+):", body_of(mail), re.MULTILINE)]


def test_only_who_is_awaited_gets_the_whole_report(hills):
    play(hills, "red")  # its next gate awaits red again
    assert [mail.kind for mail in to(hills, "red")] == ["report"]
    (note,) = to(hills, "blue")
    assert (note.kind, note.key) == ("notice", "report/1/1/blue")
    text = flat(body_of(note))
    assert "Turn 1 was run: Turn 1, Red." in text
    assert "It is not your turn: Turn 2, Red. Orders are awaited from Red." in text
    assert "reply REPORT" in text
    assert "north" not in text


def test_a_note_hangs_in_the_thread_of_its_seat_and_brings_the_deadline(hills):
    play(hills, "red")
    (note,) = to(hills, "blue")
    assert hills.office.sender.thread_of(1, "blue").encode() in note.raw
    assert b"deadline.ics" in note.raw


def test_the_next_whole_report_tells_of_every_turn_since_the_last(hills):
    play(hills, "red", "red")
    (report,) = to(hills, "blue", ("report",))
    assert turns_in(report) == [1, 2]
    text = body_of(report)
    assert "2 turns have been run since your last report" in flat(text)
    assert text.count("hill-taken: hill=north side=red") == 1
    play(hills, "blue")
    (first, second) = to(hills, "red", ("report",))
    assert turns_in(first) == [1]
    assert turns_in(second) == [2, 3]
    play(hills, "red", "red")
    assert turns_in(to(hills, "blue", ("report",))[-1]) == [3, 4, 5]


def test_no_turn_is_told_of_twice_and_none_never(hills):
    play(hills, "red", "red", "blue", "red", "red", "blue")
    assert hills.office.store.position(1).gate is None
    for side in ("red", "blue"):
        told = [number for mail in to(hills, side, ("report",)) for number in turns_in(mail)]
        assert told == [1, 2, 3, 4, 5, 6]


def test_the_events_of_all_these_turns_are_in_the_view_for_programs(hills):
    play(hills, "red", "red")
    with hills.office.store.reading() as session:
        position = hills.office.store.position_in(session, 1)
        turn = hills.office.store.turn_in(session, 1, 2)
        told = letterhead.told_turn(session, hills.office, position, turn, "blue")
        first = hills.office.store.turn_in(session, 1, 1)
        alone = [letterhead.turn_alone(session, hills.office, position, one, "blue") for one in (first, turn)]
    assert told.events_since == (*alone[0].events, *alone[1].events)


def test_a_war_that_the_players_end_leaves_nothing_untold(hills):
    play(hills, "red")
    hills.play("red", "CONCEDE")
    hills.play("red", f"CONFIRM {hills.word('CONCEDE')}")
    (report,) = to(hills, "blue", ("report",))
    assert turns_in(report) == [1]
    assert "The war is over" in flat(body_of(report))
    assert [turns_in(mail) for mail in to(hills, "red", ("report",))] == [[1]]


def test_report_by_mail_gives_the_whole_to_who_got_a_note(hills):
    play(hills, "red")
    hills.play("blue", "REPORT")
    answer = body_of(hills.outgoing()[-1])
    assert "hill-taken: hill=north side=red" in answer


def test_a_turn_that_was_taken_back_is_not_told_of(hills):
    """Its note does not leave if it has not left yet, and the next whole report tells what counts."""
    play(hills, "red")
    take_back(hills)
    assert [mail.state for mail in hills.outgoing() if mail.key == "report/1/1/blue"] == [models.OVERTAKEN]
    hills.play("red", "HOLD")
    play(hills, "red")
    report = to(hills, "blue", ("report",))[-1]
    assert turns_in(report) == [1, 2]
    assert body_of(report).count("hill-taken") == 1


# ------------------------------------------------------------------ the proof


@pytest.fixture
def war(tmp_path) -> Letterbox:
    box = new_letterbox(tmp_path, {"hitlers-war": HushedWar()}, "hitlers-war", "barbarossa")
    for side in ("axis", "soviet", "axis"):
        box.play(side, ORDERS[side])
        if box.office.store.position(1).gate.awaits == (side,):
            box.play(side, "READY")
    return box


def test_a_report_of_several_turns_is_verified_turn_by_turn(war, tmp_path, monkeypatch):
    commitment = war.office.store.position(1).match.commitment
    report = to(war, "axis", ("report",))[-1]
    assert turns_in(report) == [1, 2]
    found = each_verified(report.raw, commitment)
    assert [(one.turn, one.holds) for one in found] == [(1, True), (2, True)]
    assert found[0].dice
    monkeypatch.chdir(tmp_path)
    Path("report.eml").write_bytes(report.raw)
    result = CliRunner().invoke(pbem.cli.main.app, ["verify", "report.eml", "--commitment", commitment])
    assert result.exit_code == 0
    assert result.output.count("The report holds.") == 2


def test_what_matters_of_all_its_turns_stands_first(war):
    text = body_of(to(war, "axis", ("report",))[-1])
    assert text.count("\nWinning  ") == 1
    assert text.index("\nWinning  ") < text.index("REPORT OF")


def test_a_die_that_was_changed_in_any_of_its_turns_is_found(war):
    text = body_of(to(war, "axis", ("report",))[-1])
    label = next(one.label for one in each_verified(text.encode())[0].dice)
    die = re.search(rf"^( *#1 +)(\d)( +{re.escape(label[:40])})", text, re.MULTILINE)
    forged = text.replace(die[0], f"{die[1]}{7 - int(die[2])}{die[3]}", 1)
    assert [one.holds for one in each_verified(forged.encode())] == [False, True]
