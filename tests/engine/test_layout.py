"""Hexes of any map: Europe as it always was, a world that goes round, columns that run south, nine sheets as one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hitlers_war.europe import LAYOUT as EUROPE
from engine.hitlers_war.europe import atlas
from engine.layout import Layout, LayoutDoesNotClose, MapSheet, Numbers, RowLetters, Sheets, Spot, ThereIsNoSuchHex

WORLD = Layout(top="pointed", shifted="odd", codec=Numbers(columns=112, rows=57, first="row"), wrap=112)
RUSSIA = Layout(top="flat", shifted="even", codec=Numbers(columns=31, rows=32))
NINE_SHEETS = Sheets(
    (
        MapSheet("A", -37, 1, 38, 51),
        *(MapSheet(letter, 1, row, 60, 33) for letter, row in zip("BCDE", (-32, 1, 34, 67), strict=True)),
        *(MapSheet(letter, 61, row, 60, 33) for letter, row in zip("FGHJ", (-32, 1, 34, 67), strict=True)),
    ),
    shared_rows=1,
)
WEST = Layout(top="flat", shifted="even", codec=NINE_SHEETS)
LITTLE_WORLD = Layout(top="flat", shifted="even", codec=Numbers(columns=6, rows=4), wrap=6)

SOME_HEXES = [
    (EUROPE, st.sampled_from(list(atlas().hexes))),
    (WORLD, st.builds(lambda column, row: WORLD.hex_at(Spot(column, row)), st.integers(1, 112), st.integers(1, 57))),
    (RUSSIA, st.builds(lambda column, row: RUSSIA.hex_at(Spot(column, row)), st.integers(1, 31), st.integers(1, 32))),
    (WEST, st.builds(lambda column, row: WEST.hex_at(Spot(column, row)), st.integers(1, 120), st.integers(-32, 99))),
]
LAYOUTS = [layout for layout, _ in SOME_HEXES] + [LITTLE_WORLD]


def test_the_six_neighbours_of_a_hex_of_europe() -> None:
    assert EUROPE.directions == ("NE", "E", "SE", "SW", "W", "NW")
    assert EUROPE.neighbours("Q16") == ("R16", "Q17", "P16", "P15", "Q15", "R15")
    assert EUROPE.neighbours("P15") == ("Q16", "P16", "O16", "O15", "P14", "Q15")
    assert EUROPE.neighbours("A14")[2:4] == ("", ""), "south of row A there is nothing"


def test_all_hexes_of_europe_lie_as_they_always_did() -> None:
    """Written out once more as it was before there were layouts."""
    for place in atlas().hexes:
        row, column = ord(place[0]) - 64, int(place[1:])
        east = column + 1 if row % 2 == 0 else column
        beside = [(row + 1, east), (row, column + 1), (row - 1, east)]
        beside += [(row - 1, east - 1), (row, column - 1), (row + 1, east - 1)]
        assert list(EUROPE.neighbours(place)) == [f"{chr(64 + r)}{c}" if r else "" for r, c in beside]
    assert len(atlas().hexes) == 406
    assert EUROPE.distance("Q16", "A20") == 16
    assert EUROPE.middle("P15") == (15.5, pytest.approx(16 * 0.8660254))


def test_the_world_goes_round() -> None:
    assert "1937" in WORLD.neighbours("1838")
    assert WORLD.neighbour("19112", "E") == "1901"
    assert WORLD.neighbour("1901", "W") == "19112"
    assert WORLD.distance("4580", "3679") == 9
    assert WORLD.distance("19107", "3679") == 37
    assert WORLD.distance("19112", "1901") == 1


def test_directions_from_one_to_six_clockwise_from_the_north() -> None:
    assert RUSSIA.directions == ("N", "NE", "SE", "S", "SW", "NW")
    assert [RUSSIA.neighbour("0419", str(number)) for number in range(1, 7)] == list(RUSSIA.neighbours("0419"))
    assert RUSSIA.neighbours("0419") == ("0418", "0519", "0520", "0420", "0320", "0319")
    assert RUSSIA.neighbours("0519") == ("0518", "0618", "0619", "0520", "0419", "0418")
    assert RUSSIA.direction("0419", "0418") == "N"
    assert RUSSIA.direction("0419", "0421") == ""
    assert RUSSIA.neighbours("0101")[0] == "", "row 01 is the northern edge"
    assert RUSSIA.middle("0419") == (pytest.approx(4 * 0.8660254), 19.5)


def test_nine_sheets_are_one_grid() -> None:
    assert WEST.neighbour("B0933", "S") == "C0901"
    assert WEST.neighbour("C0901", "N") == "B0933"
    assert WEST.spot("B0934") == WEST.spot("C0901")
    assert WEST.direction("B0933", "B0934") == "S"
    assert WEST.neighbour("C6010", "SE") == "G0111"
    assert WEST.neighbour("A3801", "NE") == "C0101"
    assert WEST.distance("B0933", "D0901") == 34
    assert WEST.neighbours("E0133")[3] == ""


def test_a_little_world_of_flat_hexes_goes_round() -> None:
    assert LITTLE_WORLD.neighbour("0602", "SE") == "0103"
    assert LITTLE_WORLD.neighbour("0103", "NW") == "0602"
    assert LITTLE_WORLD.distance("0602", "0102") == 1
    with pytest.raises(LayoutDoesNotClose):
        Layout(top="flat", shifted="even", codec=Numbers(columns=5, rows=4), wrap=5)


@pytest.mark.parametrize(
    ("layout", "wrong"),
    [
        *((EUROPE, wrong) for wrong in ("1237", "B0934", "q16", "Q", "16Q", "", "Q-1", "Q²")),
        *((RUSSIA, wrong) for wrong in ("Q16", "3201", "0133", "0001", "123", "12345", "B0934", "١٢٣٤", "")),
        *((WORLD, wrong) for wrong in ("19113", "5801", "1900", "19007", "190107", "Q16", "")),
        *((WEST, wrong) for wrong in ("I0101", "B6101", "B0935", "E0134", "0934", "B934", "")),
    ],
)
def test_an_unknown_id_is_an_error(layout: Layout, wrong: str) -> None:
    with pytest.raises(ThereIsNoSuchHex):
        layout.neighbours(wrong)
    with pytest.raises(ThereIsNoSuchHex):
        layout.distance(wrong, wrong)


@pytest.mark.parametrize(
    ("layout", "pattern"),
    [(EUROPE, r"[A-Z]\d{1,2}"), (RUSSIA, r"\d{4}"), (WORLD, r"\d{4,5}"), (WEST, r"[ABCDEFGHJ]\d{4}")],
)
def test_what_an_id_looks_like(layout: Layout, pattern: str) -> None:
    assert layout.codec.looks_like == pattern


def test_fewer_rows_have_fewer_letters() -> None:
    assert RowLetters(rows=24).looks_like == r"[A-X]\d{1,2}"
    with pytest.raises(ThereIsNoSuchHex):
        RowLetters(rows=24).read("Y1")


@pytest.mark.parametrize(("layout", "hexes"), SOME_HEXES)
@given(data=st.data())
def test_whoever_is_a_neighbour_is_one_from_the_other_side_too(layout: Layout, hexes, data: st.DataObject) -> None:
    here, there = data.draw(hexes), data.draw(hexes)
    assert layout.hex_at(layout.spot(here)) == here
    for number, near in enumerate(layout.neighbours(here)):
        if near:
            assert layout.neighbours(near)[(number + 3) % 6] == here
            assert layout.distance(here, near) == 1
            assert abs(layout.distance(near, there) - layout.distance(here, there)) <= 1
    assert layout.distance(here, there) == layout.distance(there, here)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_middles_of_neighbours_are_one_apart(layout: Layout) -> None:
    here = layout.hex_at(Spot(3, 2))
    x, y = layout.middle(here)
    for near in filter(None, layout.neighbours(here)):
        there_x, there_y = layout.middle(near)
        assert (there_x - x) ** 2 + (there_y - y) ** 2 == pytest.approx(1)
