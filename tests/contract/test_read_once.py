"""A sheet is parsed, checked and forecast once for a position: by its receipt, and not again by its run and reports."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.game import Options, game_named
from engine.grand_strategy.rules.movement import move
from pbem.games import box_of
from pbem.games.box import Picture
from pbem.post import letterhead
from pbem.post.sketches import decoded, drawn, sketch_of
from pbem.records import models
from pbem.records.matches import READINGS_REMEMBERED
from pbem.records.replay import replay
from pbem.records.seals import without_remarks
from pbem.records.sheets import column_as_sent, text_to_read
from tests.letterbox import Letterbox, new_letterbox
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


@pytest.mark.parametrize("text", ["TAKE north", WITH_REMARKS, "TAKE north\nNONSENSE", " TAKE   north  # mine"])
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


def test_a_sheet_is_read_as_it_is_sealed_unless_more_was_sent_than_is_read() -> None:
    assert text_to_read(WITH_REMARKS) == without_remarks(WITH_REMARKS) == "\n\nTAKE north\n\nEND"
    for text in ("TAKE  north", " TAKE north", "TAKE north # now"):
        assert text_to_read(text) == "TAKE north"
    for text in ("#" * 500 + "\nHOLD", "\n" * 1001 + "HOLD"):
        assert text_to_read(text) == text


@pytest.mark.parametrize("line", ["ATTACK  North   FOO # now", "   ATTACK North FOO", "ATTACK North FOO"])
def test_a_remark_points_into_the_line_as_it_was_sent(line: str) -> None:
    sealed = without_remarks(line)
    for word in ("ATTACK", "North", "FOO"):
        assert column_as_sent(line, sealed.index(word) + 1) == line.index(word) + 1


def test_the_receipt_points_into_a_line_with_needless_blanks(tmp_path: Path) -> None:
    office = new_office(tmp_path, games={"hitlers-war": game_named("hitlers-war")})
    match = new_match(office, "barbarossa", game="hitlers-war")
    line = "  GOTO   Center    Zz99   # where to?"
    judged = office.store.check_sheet(match, "axis", line).judged
    (finding,) = judged.sheet.findings
    assert [each for each in judged.findings if each.column] == [finding]
    assert finding.column == line.index("Zz99") + 1


def test_from_the_mailbox_to_the_last_picture_a_sheet_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letter, its receipt with the picture of the orders, the run, and all reports with their pictures.

    It is laid out on the position as known for its findings and its picture together, and for its odds.
    """
    laid_out = []
    monkeypatch.setattr("engine.grand_strategy.known.move", lambda war: laid_out.append(war) or move(war))
    game, asked = counting(game_named("hitlers-war"))
    box = new_letterbox(tmp_path / "war", {game.id: game}, scenario="barbarossa", game=game.id)
    position = box.office.store.position(1)
    (side,) = position.open_gate.awaits
    text = game.bot(position.view(side), b"once").replace(" ", "  ")
    assert box.play(side, text).fate == models.ACCEPTED
    pictures = [name for mail in box.new_mail() for name in pictures_of(box, mail)]
    assert sorted(pictures) == ["map.png", "map.png", "orders.png", "sheet.png", "sheet.png"]
    assert asked == {"parse": 1, "check": 1, "forecast": 1}
    assert len(laid_out) == 2


def pictures_of(box: Letterbox, mail: models.Outgoing) -> dict[str, bytes]:
    """Drawn as when the mail leaves."""
    store = box.office.store
    with store.reading() as session:
        found = session.get(models.Sketch, mail.id)
    if found is None:
        return {}
    with ThreadPoolExecutor(1) as pool:
        return drawn(box_of(store.game("hitlers-war")), decoded(found.source), pool)


@pytest.mark.parametrize("what", ["orders", 'plan {"side":"axis","turn":6,"armies":{}}'])
def test_orders_are_drawn_as_they_were_drafted_also_in_sketches_of_earlier_programs(what: str) -> None:
    """Those had no more than the sheet, or a plan of it in a form that nobody reads any more."""
    game = game_named("hitlers-war")
    view = game.view(game.setup("barbarossa", Options("fog")), "axis", "fog")
    text = "GOTO North O15\nATTACK Center P14 ASSAULT ADVANCE\nBUILD 9I Moscow\nSTANDING RETREAT ALL TOWARD P10"
    sheet = game.parse(text, view)
    (picture,) = box_of(game).orders_pictures(view, sheet, game.check(view, sheet))
    earlier = sketch_of(view, [Picture(picture.name, what)], orders=text)
    with ThreadPoolExecutor(1) as pool:
        assert drawn(box_of(game), sketch_of(view, [picture]), pool) == drawn(box_of(game), earlier, pool)


def test_a_position_keeps_few_sheets_in_mind(tmp_path: Path) -> None:
    game, asked = counting(TwoHills())
    office = new_office(tmp_path, games={game.id: game})
    position = office.store.position(new_match(office))
    for number in range(READINGS_REMEMBERED + 1):
        assert position.reading("red", "\n" * number + "HOLD").sheet.lines[0].number == number + 1
    position.reading("red", "HOLD").sheet  # noqa: B018 - it was forgotten, so it is read again
    assert asked["parse"] == READINGS_REMEMBERED + 2
