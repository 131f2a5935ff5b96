"""A sheet is parsed, checked and forecast once for a position: by its receipt, and not again by its run and reports."""

from collections import Counter
from pathlib import Path

import pytest

from engine.game import game_named
from pbem.post import letterhead
from pbem.records.matches import READINGS_REMEMBERED
from pbem.records.replay import replay
from pbem.records.seals import without_remarks
from pbem.records.sheets import text_to_read
from tests.postal import new_match, new_office, open_office, take
from tests.toy.two_hills import TwoHills

QUESTIONS = ("parse", "check", "forecast")
WITH_REMARKS = "# red\n\nTAKE north\n# that is all\nEND\nYours, Rosa"


def counting(game):
    """The game, and how often each of the questions was put to it."""
    asked: Counter[str] = Counter()

    class Counting(type(game)):
        def __getattribute__(self, name):
            if name in QUESTIONS:
                asked[name] += 1
            return super().__getattribute__(name)

    return Counting(), asked


@pytest.mark.parametrize("text", ["TAKE north", WITH_REMARKS, "TAKE north\nNONSENSE"])
def test_receipt_run_and_every_report_share_one_reading_of_each_sheet(tmp_path: Path, text: str) -> None:
    game, asked = counting(TwoHills())
    office = new_office(tmp_path, games={game.id: game})
    match = new_match(office)
    for side in ("red", "blue"):
        take(office, match, side, text)
    if office.store.position(match).number == 0:
        office.store.process(match)
    reports(office, match)
    assert asked == {"parse": 2, "check": 2, "forecast": 2}


def test_a_sheet_of_a_war_with_bots_is_read_once(tmp_path: Path) -> None:
    game, asked = counting(game_named("hitlers-war"))
    office = new_office(tmp_path, games={game.id: game})
    match = new_match(office, "barbarossa", game=game.id)
    position = office.store.position(match)
    (side,) = position.open_gate.awaits
    take(office, match, side, "# my plan\n" + game.bot(position.view(side), b"once"))
    reports(office, match)
    assert asked == {"parse": 1, "check": 1, "forecast": 1}


def reports(office, match: int) -> dict[str, tuple]:
    """What the report of the first turn tells each side of its own orders."""
    with office.store.reading() as session:
        position, turn = office.store.position_in(session, match), office.store.turn_in(session, match, 1)
        return {
            side: letterhead.told_turn(session, office, position, turn, side).orders for side in position.scenario.sides
        }


def test_a_sheet_that_replaces_another_lets_that_one_be_read_no_more(tmp_path: Path) -> None:
    game, asked = counting(TwoHills())
    office = new_office(tmp_path, games={game.id: game})
    match = new_match(office)
    take(office, match, "red", "TAKE north")
    take(office, match, "red", "HOLD")
    assert asked["parse"] == 2


def test_after_a_restart_the_reports_say_the_same_and_the_replay_agrees(tmp_path: Path) -> None:
    office = new_office(tmp_path)
    match = new_match(office)
    take(office, match, "red", WITH_REMARKS)
    take(office, match, "blue", "TAKE  south   # as agreed")
    game, asked = counting(TwoHills())
    again = open_office(tmp_path, games={game.id: game})
    assert reports(again, match) == reports(office, match)
    assert asked["forecast"] == 0, "a report has no odds"
    assert [step.difference for step in replay(office.store, match)] == [None, None]


def test_a_sheet_is_read_as_it_is_sealed_unless_a_line_of_it_is_sealed_otherwise() -> None:
    assert text_to_read(WITH_REMARKS) == without_remarks(WITH_REMARKS) == "\n\nTAKE north\n\nEND"
    for text in ("TAKE  north", " TAKE north", "TAKE north # now", "", "# no orders", "#" * 500 + "\nHOLD"):
        assert text_to_read(text) == text


def test_a_position_keeps_few_sheets_in_mind(tmp_path: Path) -> None:
    game, asked = counting(TwoHills())
    office = new_office(tmp_path, games={game.id: game})
    position = office.store.position(new_match(office))
    for number in range(READINGS_REMEMBERED + 1):
        assert position.reading("red", "\n" * number + "HOLD").sheet.lines[0].number == number + 1
    position.reading("red", "HOLD").sheet  # noqa: B018 - it was forgotten, so it is read again
    assert asked["parse"] == READINGS_REMEMBERED + 2
