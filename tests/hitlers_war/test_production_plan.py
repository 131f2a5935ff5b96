"""The production list in a receipt: what each line costs, and what that comes to against what there is (HW-11)."""

import pytest

from engine.game import Options, games
from pbem.games import own_box
from pbem.games.box import Plan
from pbem.mail.finished import page_of
from tests.letterbox import body_of, message_of, new_letterbox
from tools.samples import GAME

#: In Barbarossa the Axis has 17 to spend (HW-15.4); infantry costs 2 (HW-11.2).
OF = 17


def plan(*lines: str, side: str = "axis") -> Plan | None:
    view = GAME.view(GAME.setup("barbarossa", Options(fog="fog")), side, "fog")
    return own_box(GAME).plan(view, GAME.parse("\n".join(lines), view))


@pytest.mark.parametrize(
    ("lines", "prices", "together"),
    [
        (["BUILD 3I P10"], ["6"], f"6 of {OF}: 11 would be lost."),
        (["BUILD 3I P10", "BUILD MAX I ANY"], ["6", "the rest"], f"6 of {OF}; the rest is 11."),
        (["BUILD 10I P10"], ["20"], f"20 of {OF}: 3 too many, so the end of the list will wait."),
    ],
)
def test_each_line_has_its_price_and_together_they_have_a_sum(lines, prices, together):
    found = plan(*lines)
    assert [price for _, _, price in found.rows] == prices
    assert found.together == together


def test_a_line_that_is_refused_costs_nothing():
    found = plan("FORT P10 1", "BUILD 3I P10")
    assert found.rows == ((2, "BUILD 3I P10", "6"),)


def test_a_sheet_that_buys_nothing_has_no_plan():
    assert plan("ATTACK Center P14 ASSAULT ADVANCE") is None
    assert plan("STANDING DEFEND ALL HOLD", side="soviet") is None


def test_the_plan_stands_in_the_receipt_and_what_was_refused_in_its_subject(tmp_path):
    box = new_letterbox(tmp_path, games(), "hitlers-war", "barbarossa")
    box.play("axis", "WAIT\nATTACK Fourth Z9\nFORT P10 1\nBUILD 3I P10\nBUILD MAX I ANY")
    (receipt,) = (mail for mail in box.new_mail("axis@") if mail.kind == "receipt")
    assert "Axis: 2 lines REFUSED, orders for Summer 1941, Axis player-turn received" in receipt.subject
    assert "Together: 6 of 17; the rest is 11." in body_of(receipt)
    assert "6 of 17; the rest is 11." in page_of(message_of(receipt))
    box.play("axis", "WAIT\nBUILD 3I P10")
    (receipt,) = (mail for mail in box.new_mail("axis@") if mail.kind == "receipt")
    assert "REFUSED" not in receipt.subject
