"""The record sheet is data: what is added to it in one place shows in the text, on the page and in the picture."""

from collections.abc import Iterator

import msgspec
import pytest

from engine.game import Options
from engine.grand_strategy.view import View
from pbem.draw.entries import height_of
from pbem.draw.pen import Pen
from pbem.games.hitlers_war import record, sheet
from pbem.games.hitlers_war.pictures import sheet_png
from pbem.words.tables import (
    Cell,
    Column,
    Entry,
    Mark,
    RecordSheet,
    Row,
    Table,
    Words,
    abreast,
    only,
    sheet_html,
    sheet_text,
)
from tests.barbarossa import GAME

MORALE = Entry(Words("National morale"), Words("14"))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is written in pictures."""
    said: list[str] = []
    write = Pen.write

    def remembered(pen: Pen, x: float, y: float, text: str, *size: float, **manner) -> None:
        said.append(text)
        write(pen, x, y, text, *size, **manner)

    monkeypatch.setattr(Pen, "write", remembered)
    return said


def position(scenario: str, side: str) -> View:
    return GAME.view(GAME.setup(scenario, Options(fog="fog")), side, "fog")


@pytest.mark.parametrize("scenario", ["barbarossa", "campaign-1"])
@pytest.mark.parametrize("of", ["axis", "soviet"])
def test_a_row_added_to_the_sheet_shows_in_the_text_on_the_page_and_in_the_picture(scenario, of, monkeypatch, written):
    """Whether the whole sheet is known, or only what was seen."""
    view, entries = position(scenario, "axis"), sheet._entries

    def with_morale(*about) -> Iterator[Entry]:
        yield from entries(*about)
        yield MORALE

    before = sheet_png(view, of)
    assert "14" not in written
    monkeypatch.setattr(sheet, "_entries", with_morale)
    assert "National morale" in record.record_sheet(view, of)
    assert "<strong>National morale:</strong> 14</p>" in record.record_sheet_html(view, of)
    assert sheet_png(view, of) != before
    assert written[written.index("National morale") + 1] == "14"


def test_no_picture_is_taller_than_its_rows_need():
    """Three entries stand abreast: the fourth needs another row, so the picture grows by one."""
    entries = [Entry(Words(str(number)), Words("said")) for number in range(4)]
    assert [len(row) for row in abreast(entries[:3])] == [3]
    assert [len(row) for row in abreast(entries)] == [3, 1]
    assert height_of(entries, 100) - height_of(entries[:3], 100) == 100


def test_an_entry_without_a_place_comes_after_those_that_have_one():
    placed = [Entry(Words("wide"), Words("said"), at=(1, 0), span=2), Entry(Words("beside"), Words("said"), at=(1, 2))]
    rows = abreast([MORALE, *placed])
    assert [[entry.label.text for _, entry in row] for row in rows] == [["wide", "beside"], ["National morale"]]


def test_what_a_medium_leaves_empty_it_does_not_show():
    """Nothing is said in a picture of what it has no words for, and no place is kept for it."""
    text_only, drawn_only = Entry(Words("A"), only("text", "in words")), Entry(Words("B"), only("picture", "drawn"))
    both = RecordSheet(Words("SHEET"), (text_only, drawn_only))
    assert sheet_text(both) == "SHEET\n=====\nA             in words\n"
    assert "in words" not in sheet_html(both)
    assert "drawn" not in sheet_html(both)
    assert [[entry for _, entry in row] for row in abreast(both.entries)] == [[drawn_only]]


# ------------------------------------------------------------------ any game


def hills() -> RecordSheet:
    columns = {"hill": Column(Words("Hill"), 12, marked=True), "men": Column(Words("Men"), 6, is_number=True)}
    north = Row({"hill": Cell(Words("North <Hill>")), "men": Cell(Words("4"))}, marks=(Mark(Words("Cut off."), "bad"),))
    south = Row({"hill": Cell(Words("South")), "men": Cell(Words("11"))})
    total = Row({"hill": Cell(Words("Total")), "men": Cell(Words("15"))})
    return RecordSheet(
        Words("RED"), (Table(columns, (north, south), total=total), Entry(Words("Won"), Words("one hill")))
    )


def test_any_game_can_have_its_sheet_as_text():
    assert sheet_text(hills()) == (
        "RED\n"
        "===\n"
        "Hill           Men\n"
        "------------------\n"
        "North <Hill>     4\n"
        "  Cut off.\n"
        "South           11\n"
        "------------------\n"
        "Total           15\n"
        "\n"
        "Won           one hill\n"
    )


def test_any_game_can_have_its_sheet_as_html_and_nothing_in_it_is_taken_for_a_tag():
    page = sheet_html(hills())
    assert page.count("<tr>") == 4
    assert "North &lt;Hill&gt;" in page
    assert ">Cut off.</span>" in page
    assert "<strong>Won:</strong> one hill</p>" in page


def test_a_sheet_that_is_empty_says_so():
    table = hills().tables[0]
    nobody = RecordSheet(Words("RED"), (msgspec.structs.replace(table, rows=(), total=None, empty="Nobody."),))
    assert "Nobody." in sheet_text(nobody)
    assert ">Nobody.</td>" in sheet_html(nobody)
