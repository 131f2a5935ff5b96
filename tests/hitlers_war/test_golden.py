"""Pictures look as they did when they were last looked at; and the comparison would notice if they did not."""

import io

import msgspec
import pytest
from PIL import Image, ImageDraw

from engine.grand_strategy.view import View
from pbem.draw.geometry import whole_sheet
from pbem.draw.labels import NAME_AT, NAME_SIZE
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.pictures import SCALE, map_png
from pbem.games.hitlers_war.style import style
from tests.gallery import PICTURES, WALL, distance, hung, scene, small

#: Beyond these a picture is another one, on the whole or in one place. Drawn again it differs by nothing.
ON_THE_WHOLE, IN_ONE_PLACE = 0.5, 3
LARGEST = 100_000


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_as_it_did(name: str) -> None:
    whole, worst = distance(small(PICTURES[name]()), hung(name))
    assert (whole <= ON_THE_WHOLE, worst <= IN_ONE_PLACE) == (True, True), f"{name} differs by {whole:.2f}, {worst}"


def test_the_golden_pictures_are_small() -> None:
    assert {path.stem for path in WALL.glob("*.png")} == set(PICTURES)
    assert max(path.stat().st_size for path in WALL.iterdir()) < LARGEST


def start_changed(change) -> tuple[float, float]:
    view = scene("start").view
    return distance(small(map_png(change(view))), hung("map-start-fog"))


def with_an_army_next_door(view: View) -> View:
    moved = msgspec.structs.replace(view.armies["NORTH"], place="Q12")
    return msgspec.structs.replace(view, armies={**view.armies, "NORTH": moved})


def with_a_place_of_the_enemy(view: View) -> View:
    lost = msgspec.structs.replace(view.places["N7"], owner="soviet")
    return msgspec.structs.replace(view, places={**view.places, "N7": lost})


def with_a_weaker_army(view: View) -> View:
    weaker = msgspec.structs.replace(view.armies["NORTH"], points={"inf": 9})
    return msgspec.structs.replace(view, armies={**view.armies, "NORTH": weaker})


@pytest.mark.parametrize("change", [with_an_army_next_door, with_a_place_of_the_enemy, with_a_weaker_army])
def test_a_change_of_the_position_is_noticed(change) -> None:
    assert start_changed(lambda view: view) == (0, 0)
    assert start_changed(change)[1] > IN_ONE_PLACE


@pytest.mark.parametrize(("place", "owner"), [("Q14", "soviet"), ("O11", "axis"), ("I5", "neutral")])
def test_a_missing_name_is_noticed(place: str, owner: str) -> None:
    picture = Image.open(io.BytesIO(map_png(scene("start").view))).convert("RGB")
    x, y = whole_sheet(europe_atlas(), SCALE).centre(place)
    up, across = NAME_SIZE * SCALE, SCALE * 0.4
    box = (x - across, y + NAME_AT * SCALE - up, x + across, y + NAME_AT * SCALE + up)
    ImageDraw.Draw(picture).rectangle(box, fill=style().land_tint(owner))
    target = io.BytesIO()
    picture.save(target, "PNG")
    assert distance(small(target.getvalue()), hung("map-start-fog"))[1] > IN_ONE_PLACE


def test_another_size_is_noticed() -> None:
    golden = hung("map-start-fog")
    assert distance(golden.convert("RGB").crop((0, 0, 400, 400)), golden) == (255, 255)
