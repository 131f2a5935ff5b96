"""What a receipt says of a sheet, line by line, and of its odds."""

from datetime import datetime
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.forecast import Assumption, Column, Forecast, Row, Span, exactly
from engine.grand_strategy.events import OrderRefused
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.table import table_of as as_table
from engine.hitlers_war.game import HitlersWar
from engine.orders import Finding, Kind, Line, Sheet
from pbem.games import box_of
from pbem.games.hitlers_war.story import diary
from pbem.post.odds_table import odds_facts, table_of
from pbem.post.receipt import TEXT_COLUMN, receipt
from pbem.words.wording import render, visible
from tests.reading import assert_fits, facts, flat

BOX = box_of(HitlersWar())
SHEET_TEXT = "MOVE\nSET Center O14 2I 8M\nATTACK Nroth Q14\n\nATTACK North Q18 ADVANCE\n# done\n"
SHEET = Sheet(
    "axis",
    (Line(2, "SET Center O14 2I 8M", None), Line(5, "ATTACK North Q18 ADVANCE", None)),
    (Finding(Kind.UNREADABLE, 3, "there is no army Nroth", "North", column=8),),
)
FINDINGS = [
    Finding(Kind.ILLEGAL, 5, "Q18 is not next to Q13 (HW-8.3)", "Q14", column=14),
    Finding(Kind.NOTE, 2, "Center has this already"),
]

RECEIPT_TEXT = """\
RECEIPT FOR [17 Barbarossa], AXIS
For: Summer 1941, Axis player-turn
Arrived: Sunday 1 March 2026, 12:05 UTC
Digest: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef

Your orders are kept. They replace the sheet you sent before.
Lines: 1 ok, 1 unreadable, 1 illegal, 1 note.
Still missing: production orders.

   1             MOVE
   2 ok          SET Center O14 2I 8M
                 note: Center has this already.
   3 unreadable  ATTACK Nroth Q14
                        ^
                 unreadable: there is no army Nroth. What would work: North.
   4
   5 illegal     ATTACK North Q18 ADVANCE
                              ^
                 illegal: Q18 is not next to Q13 (HW-8.3). What would work:
                 Q14.
   6             # done
"""


def test_a_receipt_echoes_every_line() -> None:
    told = facts(superseded=True, missing=("production orders",))
    assert receipt(BOX, SHEET_TEXT, SHEET, FINDINGS, told) == RECEIPT_TEXT


ODDS_TEXT = """\
   6             # done

ODDS, as far as you can know. Losses are averages in strength points; the last
column is the chance to get into the hex.

line  attack                      fires  he loses  you lose     gets in
   5  Center P14                      9       2.1   0.8-1.5      28-76%
   6  B P14, with Center                                0.0         <1%
      P14 is taken                                               28-76%
   8  Center, then P15                                             >99%
        then Q16                                                     0%

Taken for granted: it rains: here, there; nobody is surprised.
"""


def test_a_receipt_ends_with_the_odds() -> None:
    half, most = Fraction(5, 6), Fraction(3, 2)
    taken, said = (
        Span(Fraction(277, 1000), Fraction(55, 72)),
        (Assumption("it rains", "here"), Assumption("nobody is surprised")),
    )
    odds = [
        Odds(5, "Center", "P14", 0, 9, ("B",), exactly(Fraction(205, 100)), (), Span(half, most), (), taken, taken, said),
        Odds(6, "B", "P14", 0, 9, ("Center",), exactly(Fraction(205, 100)), (), exactly(Fraction(0)), (),
             exactly(Fraction(1, 300)), taken, (Assumption("it rains", "there"),)),
        Odds(8, "Center", "P15", 1, success=exactly(Fraction(999, 1000))),
        Odds(8, "Center", "Q16", 2, success=exactly(Fraction(0))),
    ]  # fmt: skip
    text = receipt(BOX, SHEET_TEXT, SHEET, FINDINGS, facts(odds=table_of(BOX, as_table(odds))))
    assert text.endswith(ODDS_TEXT)
    assert_fits(text)


def test_a_forecast_of_any_columns_is_a_table() -> None:
    columns = Column("sky", "sky", "text"), Column("days", "days", "number"), Column("lost", "you lose", "points")
    third, half = Fraction(1, 3), Fraction(1, 2)
    rows = (
        Row(3, "{} sails", ("fair", 4, Fraction(5, 4), Span(third, half)), ("LENIN",)),
        Row(0, "all arrive", (None, None, None, Fraction(1, 10))),
    )
    forecast = Forecast((*columns, Column("arrives", "arrives", "chance")), rows, of="voyage")
    table = table_of(BOX, forecast)
    assert [(row.what, *row.cells) for row in table.rows] == [
        ("Leningrad sails", "fair", "4", "1.3", "33-50%"),
        ("all arrive", "", "", "", "10%"),
    ]
    text = render("mail/odds.txt.j2", table=table)
    assert_fits(text)
    header, first, last = (line.split() for line in text.splitlines()[2:5])
    assert header == ["line", "voyage", "sky", "days", "you", "lose", "arrives"]
    assert (first[-1], last[-1]) == ("33-50%", "10%")
    assert odds_facts(forecast) == [
        {
            "line": 3, "step": 0, "what": "LENIN sails", "sky": "fair", "days": 4, "lost": "5/4",
            "arrives": {"least": "1/3", "most": "1/2"},
        }
    ]  # fmt: skip


def test_a_sheet_that_attacks_nobody_has_no_odds() -> None:
    assert table_of(BOX, as_table([])) is None
    assert "ODDS" not in receipt(BOX, SHEET_TEXT, SHEET, FINDINGS, facts(odds=None))


def test_a_finding_given_twice_is_told_once() -> None:
    text = receipt(BOX, SHEET_TEXT, SHEET, [*SHEET.findings, *FINDINGS], facts())
    assert text.count("there is no army Nroth") == 1


def test_what_is_said_of_many_lines_is_said_once() -> None:
    """A sheet that came too late; every line still has its verdict."""
    late = [Finding(Kind.ILLEGAL, line, "it is the Soviet player-turn", "wait") for line in (1, 2, 4)]
    other = Finding(Kind.ILLEGAL, 3, "it is the Soviet player-turn", "wait for Winter 1941")
    text = receipt(BOX, "GOTO A O14\nGOTO B O14\nMOVE\nGOTO C O14", Sheet("axis"), [*late, other], facts())
    verdicts = [line[5:12] for line in text.splitlines() if line[:4].strip().isdigit()]
    text = flat(text)
    assert text.count("What would work: wait.") == 1
    assert text.count("What would work: wait for Winter 1941.") == 1  # not the same
    assert text.count("illegal: as in line 1.") == 2
    assert verdicts == ["illegal"] * 4


def test_when_nothing_is_kept_the_receipt_says_so() -> None:
    wrong = Sheet("axis", (), (Finding(Kind.ILLEGAL, 0, "this sheet is for Winter 1941", "write for Summer 1941"),))
    text = receipt(BOX, "TURN WINTER 1941", wrong, [], facts(kept=False))
    assert "NOTHING WAS KEPT" in text
    assert "illegal: this sheet is for Winter 1941. What would work: write for Summer 1941." in flat(text)
    assert "Your orders are kept" not in text
    assert "no line of orders" in receipt(BOX, "", Sheet("axis"), [], facts(kept=False))


def test_times_are_told_in_utc_whatever_zone_they_came_in() -> None:
    arrived = datetime.fromisoformat("2026-03-01T23:30:00-05:00")
    assert "2 March 2026, 04:30 UTC" in receipt(BOX, "", Sheet("axis"), [], facts(arrived=arrived))


def test_a_remark_far_to_the_right_of_a_long_line_is_pointed_at() -> None:
    line = f"ATTACK North Q14 {'ADVANCE ' * 30}FOO BAR"
    finding = Finding(Kind.UNREADABLE, 1, "FOO is no word", column=line.index("FOO") + 1)
    lines = receipt(BOX, line, Sheet("axis", (), (finding,)), [], facts()).splitlines()
    echo, caret = next((one, two) for one, two in pairwise(lines) if two.strip() == "^")
    assert echo[caret.index("^") :].startswith("FOO")


@pytest.mark.parametrize("column_of", ["North", "FOO"])
def test_a_long_line_is_echoed_whole_on_several_rows(column_of: str) -> None:
    line = f"ATTACK North Q14 {'ADVANCE ' * 20}FOO {'x' * 130} BAR"
    finding = Finding(Kind.UNREADABLE, 1, "that is no word", column=line.index(column_of) + 1)
    text = receipt(BOX, line, Sheet("axis", (), (finding,)), [], facts())
    assert_fits(text)
    echoed = [row for row in text.split("\n\n")[-1].splitlines() if "that is no word" not in row]
    echo, caret = next((one, two) for one, two in pairwise(echoed) if two.strip() == "^")
    assert echo[caret.index("^") :].startswith(column_of)
    rows = [row[TEXT_COLUMN:] for row in echoed if row != caret]
    assert "".join(rows).replace(" ", "") == line.replace(" ", "")
    assert all(row[:TEXT_COLUMN].strip() == "" for row in echoed[1:])


def test_two_remarks_on_a_row_of_a_long_line_have_two_carets() -> None:
    line = f"ATTACK North Q14 {'ADVANCE ' * 20}"
    findings = tuple(Finding(Kind.UNREADABLE, 1, f"{word}?", column=line.index(word) + 1) for word in ("North", "Q14"))
    text = receipt(BOX, line, Sheet("axis", (), findings), [], facts())
    assert " " * (TEXT_COLUMN + 7) + "^     ^\n" in text


def test_hostile_text_is_shown_harmlessly() -> None:
    text = "\x1b[31mred\x07 \u202egnp.exe\u200b \x00 日本 {{ 7*7 }} e\u0301\u0302\u0303\r" + "A" * 5_000
    sheet = Sheet("axis", (), (Finding(Kind.UNREADABLE, 1, f"there is no {text}", text, column=4_000),))
    answer = receipt(BOX, text, sheet, [], facts())
    assert_fits(answer)
    assert "\\x1b[31mred\\x07 \\u202egnp.exe\\u200b \\x00" in flat(answer)
    assert "{{ 7*7 }}" in answer
    assert len(answer.splitlines()) < 50


def test_a_sheet_without_end_is_echoed_in_part_and_counted_in_full() -> None:
    text = "\n".join("x" for _ in range(5_000))
    findings = tuple(Finding(Kind.UNREADABLE, number, "no order") for number in range(1, 41))
    answer = receipt(BOX, text, Sheet("axis", (Line(300, "x", None),), findings), [], facts())
    assert "4800 more lines are not echoed: 1 ok." in answer
    assert "Lines: 1 ok, 40 unreadable." in answer
    assert len(answer.splitlines()) < 300


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.integers(0, 500), st.integers(0, 6))
def test_any_text_gives_a_receipt(text: str, column: int, line: int) -> None:
    finding = Finding(Kind.ILLEGAL, line, text, text, text, column)
    assert_fits(receipt(BOX, text, Sheet("axis", (), (finding,)), [], facts()))


@given(st.text())
def test_visible_text_is_printable(text: str) -> None:
    assert visible(text).isprintable()


def test_a_refused_order_in_the_diary_is_shown_harmlessly() -> None:
    text = diary([OrderRefused("axis", 1, "\x1b[2J" + "B" * 2_000, "C\x1b is no army", "D\x07")], "axis")
    assert_fits(text)
    assert len(text.splitlines()) < 20
