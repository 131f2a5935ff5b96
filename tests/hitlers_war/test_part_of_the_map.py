"""`MAP Q16`: what is around a hex, a city, a country or a box, in words and as a picture, from the view alone."""

import io

import msgspec
import pytest
from PIL import Image

from engine.events import canonical
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import atlas, europe
from pbem.games import box_of, own_box
from pbem.games.box import easel
from pbem.games.tools import NoSuchPlace
from tests.barbarossa import GAME
from tests.gallery import position

BOX = own_box(GAME)


def view(fog: str = "fog", side: str = "axis") -> View:
    return GAME.view(position(20, fog, "campaign-1"), side, fog)


@pytest.mark.parametrize(
    ("named", "title", "row"),
    [
        ("q16", "Q16 Smolensk", "Q"),
        ("smolensk", "Q16 Smolensk", "Q"),
        ("Poland", "Poland", "P"),
        ("Siberia", "Siberia", "R"),
    ],
)
def test_whatever_has_a_name_can_be_asked_for(named: str, title: str, row: str) -> None:
    part = BOX.part(view(), named)
    assert part.title == title
    assert part.pictures[0].alt.startswith(f"Map around {title}")
    assert any(line.startswith(f"{row} ") and line.endswith(f" {row}") for line in part.text.splitlines())


def test_every_place_and_country_has_a_part() -> None:
    for named in (*europe().places, *atlas().countries):
        part = BOX.part(view(), named)
        assert part.text.strip()
        assert part.pictures


def cells(text: str) -> dict[str, tuple[str, str]]:
    """The two lines of each hex of a map of letters, by its id; the numbers of the columns stand above it."""
    found, columns, lines = {}, [], text.splitlines()
    for number, line in enumerate(lines):
        if line[:4].isspace() and line.split() and all(word.isdigit() for word in line.split()):
            columns = [int(word) for word in line.split()]
        elif line[:1].isalpha() and line[1:3] == "  " and line.rstrip()[-2:] == f" {line[0]}" and columns:
            start = 3 + (2 if ord(line[0]) % 2 == 0 else 0)
            for place, column in enumerate(columns):
                left = start + 5 * place
                found[f"{line[0]}{column}"] = line[left : left + 4], lines[number + 1][left : left + 4].ljust(4)
    return found


@pytest.mark.parametrize("named", ["Q16", "Poland", "US"])
def test_a_part_says_of_each_hex_what_the_whole_map_says(named: str) -> None:
    known = view("open")
    whole, part = cells(BOX.board(known)), cells(BOX.part(known, named).text)
    assert len(part) > 40
    assert part == {place: whole[place] for place in part}


def test_what_is_elsewhere_does_not_matter() -> None:
    """No byte of the words or the picture depends on what is far away."""
    known = view("open")
    far = {army: each for army, each in known.armies.items() if each.place not in ("Q15", "Q16", "Q17")}
    near = {army: each for army, each in known.armies.items() if army not in far}
    moved = {army: msgspec.structs.replace(each, place="D9") for army, each in far.items()}
    one, other = (msgspec.structs.replace(known, armies=armies) for armies in (near, near | moved))
    assert BOX.part(one, "Q16") == BOX.part(other, "Q16")
    what = BOX.part(one, "Q16").pictures[0].what
    assert easel(BOX, canonical(one), b"[]", "")(what) == easel(BOX, canonical(other), b"[]", "")(what)


def test_a_picture_of_a_part_is_large_enough_to_read() -> None:
    known = view()
    small, large = (BOX.part(known, named).pictures[0].what for named in ("Q16", "Soviet Union"))
    draw = easel(BOX, canonical(known), b"[]", "")
    sizes = [Image.open(io.BytesIO(draw(what))).size for what in (small, large)]
    assert sizes[0][0] > 1000
    assert sizes[1][0] < 2600


def test_a_place_that_there_is_not_is_no_fault_of_the_box() -> None:
    with pytest.raises(NoSuchPlace, match="did you mean Smolensk"):
        box_of(GAME).part(view(), "Smolnesk")
