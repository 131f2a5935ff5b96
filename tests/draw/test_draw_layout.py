"""Marks of a hex leave each other room, ways can be followed, and boxes show all that is in them."""

import io
import itertools
from collections.abc import Iterator

import msgspec
import pytest
from PIL import Image, ImageChops

from engine.grand_strategy.view import ArmyView, FortView, View
from engine.hitlers_war.europe import LAYOUT, europe
from pbem.draw import atlas
from pbem.draw.canvas import Canvas, Places, Plate
from pbem.draw.counter import counter
from pbem.draw.fonts import width_of
from pbem.draw.forts import FORT_AT, FORT_SIZE, fort_sign
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.hexsides import STRAIT_REACH, draw_fronts
from pbem.draw.labels import (
    BELOW_STRAIT,
    COG_SIZE,
    EAST_SIDE,
    FLANK_AT,
    FLANK_LOW,
    ID_AT,
    ID_SIZE,
    NAME_AT,
    NAME_SIZE,
    PORT_SIZE,
)
from pbem.draw.orders import WORK_ALONE_AT, WORK_AT
from pbem.draw.scene import Face, Fort, Scene, Way
from pbem.draw.signs import SALVO_AT, SALVO_SIZE, STAR_AT, STAR_SIZE, production
from pbem.draw.stacks import ALONE, MIDDLE, ONE_OF_TWO
from pbem.draw.style import rgb
from pbem.draw.tags import work_tag
from pbem.draw.voyages import sea_path
from pbem.draw.ways import COUNTER_REACH, Ways
from pbem.games.hitlers_war.atlas import BOXES, europe_atlas
from pbem.games.hitlers_war.faces import fort_of
from pbem.games.hitlers_war.happenings import Happenings, courses_of
from pbem.games.hitlers_war.map_scenes import map_scene
from pbem.games.hitlers_war.pictures import SCALE, front_png, map_png, sheet_png
from pbem.games.hitlers_war.style import style
from pbem.games.hitlers_war.theatre import active_part, part_around
from tests.barbarossa import GAME
from tests.gallery import position

ATLAS = europe_atlas()
#: Left, top, right and bottom around the middle of a hex, in hex widths.
Box = tuple[float, float, float, float]
#: So much of two marks may touch: their rims and shadows.
TOUCH = 0.03


def campaign(side: str = "allies", gates: int = 0, fog: str = "fog") -> View:
    return GAME.view(position(gates, fog, "campaign-1"), side, fog)


# ------------------------------------------------------------------ the room of a hex


def around(x: float, y: float, width: float, height: float) -> Box:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


MARKS: dict[str, Box] = {
    "counter": around(0, MIDDLE, *ALONE),
    "fort": around(*FORT_AT, FORT_SIZE, FORT_SIZE * 0.9),
    "port": around(-FLANK_AT, FLANK_LOW, PORT_SIZE, PORT_SIZE),
    "production": around(FLANK_AT, FLANK_LOW, COG_SIZE, COG_SIZE),
    "star": around(*STAR_AT, STAR_SIZE * 0.9, STAR_SIZE * 0.9),
    "salvo": around(*SALVO_AT, SALVO_SIZE, SALVO_SIZE),
    "id": around(0, ID_AT, 0.3, ID_SIZE),
    "name": around(0, NAME_AT, 0.97, NAME_SIZE),
}
#: A battle is told beside the counter and over its corner.
MAY_OVERLAP = {("counter", "star"), ("counter", "salvo")}


def overlap(one: Box, other: Box) -> float:
    """How far two boxes lie over each other, by the lesser of both ways."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, min(across, down))


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(MARKS, 2)))
def test_the_marks_of_a_hex_leave_each_other_room(one: str, other: str) -> None:
    if (one, other) not in MAY_OVERLAP:
        assert overlap(MARKS[one], MARKS[other]) <= TOUCH


@pytest.mark.parametrize("name", MARKS)
def test_no_mark_reaches_into_the_next_hex(name: str) -> None:
    left, _, right, _ = MARKS[name]
    assert left >= -0.505
    assert right <= 0.52  # ships that fire lie on the hexside


@pytest.mark.parametrize("works", [["+2I"], ["⚒1"], ["+2I", "+1M"], ["lend 2"]])
def test_new_points_hide_neither_id_nor_city_nor_fort(works: list[str]) -> None:
    sprite = work_tag(style(), works, "axis", SCALE)
    width, height = sprite.image.width / SCALE, sprite.image.height / SCALE
    alone = around(0, WORK_ALONE_AT, width, height)
    beside = around(WORK_AT[0] + width / 2, WORK_AT[1], width, height)
    city_to_the_north_east = around(0.5, NAME_AT - 0.866, 0.97, NAME_SIZE)
    assert max(overlap(alone, MARKS[mark]) for mark in ("id", "name", "fort", "port", "production")) <= TOUCH
    assert max(overlap(beside, MARKS[mark]) for mark in ("id", "counter")) <= TOUCH
    assert overlap(beside, city_to_the_north_east) <= TOUCH


def test_production_keeps_clear_of_a_strait_on_its_side() -> None:
    """Istanbul alone has both."""
    places = [place for place, side in ATLAS.straits if side == EAST_SIDE and europe()[place].production]
    assert [europe()[place].name for place in places] == ["Istanbul"]
    strait = around(0.5, 0, 2 * STRAIT_REACH, 0.15)
    assert overlap(around(FLANK_AT, BELOW_STRAIT, COG_SIZE, COG_SIZE), strait) == 0
    assert overlap(around(FLANK_AT, BELOW_STRAIT, COG_SIZE, COG_SIZE), MARKS["name"]) <= TOUCH


def test_lost_production_is_told_clear_of_the_cog() -> None:
    """The minus is a sign of its own: it stands beside the rim, not on it."""
    size = 40
    plain, hurt = production(style(), 1, 0, 0, size), production(style(), 4, 3, 0, size)
    assert (hurt.image.width - hurt.x, hurt.y) > (plain.image.width - plain.x, plain.y)
    over = hurt.image.crop((hurt.x - size // 2, hurt.y - size // 2, hurt.x + size // 4, hurt.y + size // 2))
    assert not [c for _, c in over.getcolors(99999) if c[3] > 128 and c[0] > 150 and c[1] < 90]


def test_points_of_three_types_are_not_set_small_for_the_sake_of_a_symbol() -> None:
    width, height = (round(part * SCALE) for part in ONE_OF_TWO)
    with_symbol, without = (
        counter(style(), Face("soviet", "NW", "both", points), width, height).image for points in ("3I 4M", "10I 4M 2A")
    )
    assert in_ink(with_symbol)
    assert not in_ink(without)
    assert width_of("10I 4M 2A", "narrow bold", height * 0.36) < width * 0.9


def in_ink(image: Image.Image) -> bool:
    """Whether there is a symbol: nothing else inside the rim of a counter is drawn in ink."""
    inside = image.crop((5, 5, image.width - 6, image.height - 6)).convert("RGB")
    return any(sum(colour) < sum(rgb(style().ink)) + 30 for _, colour in inside.getcolors(99999))


# ------------------------------------------------------------------ ways


def crossing(path: list[tuple[float, float]], at: tuple[float, float], reach: float) -> bool:
    return any((x - at[0]) ** 2 + (y - at[1]) ** 2 < reach**2 for x, y in densely(path))


def densely(path: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    for (x1, y1), (x2, y2) in itertools.pairwise(path):
        yield from ((x1 + (x2 - x1) * step / 20, y1 + (y2 - y1) * step / 20) for step in range(21))


def drawn_path(view: View, origin: str, place: str) -> list[tuple[float, float]]:
    scene = map_scene(view, ())
    return Ways(blank(scene), scene).path(Way("soviet", origin, place, "moved"))


def blank(scene: Scene) -> Canvas:
    """Paper of the size of the map."""
    frame = whole_sheet(ATLAS, SCALE)
    paper = Image.new("RGB", (frame.width, frame.height), style().white)
    return Canvas(paper, frame, style(), Places(frame, scene.panels))


def in_russia(*places: str) -> View:
    """Only these armies, all of them Soviet, behind the front of 1941."""
    view = GAME.view(position(0, "open"), "soviet", "open")
    armies = {f"A{number}": ArmyView(f"A{number}", "soviet", place, 1) for number, place in enumerate(places)}
    return msgspec.structs.replace(view, armies=armies)


def test_a_way_bends_so_that_it_runs_under_no_counter_of_another_army() -> None:
    """From Moscow to Tbilisi: wherever the usual way passes, an army put there is passed by."""
    usual = drawn_path(in_russia("Q17", "J19"), "Q17", "J19")
    frame = whole_sheet(ATLAS, SCALE)
    x, y = usual[len(usual) // 2]
    between = ATLAS.hex_at(*frame.at(x, y))
    path = drawn_path(in_russia("Q17", "J19", between), "Q17", "J19")
    assert crossing(usual, frame.pixel_of(between), COUNTER_REACH * SCALE)
    assert not crossing(path, frame.pixel_of(between), COUNTER_REACH * SCALE)


def test_a_way_keeps_to_the_land_of_its_side_if_it_can() -> None:
    """From Leningrad to Baku, not over the Axis."""
    view = in_russia("T15", "I20")
    frame = whole_sheet(ATLAS, SCALE)
    below = {ATLAS.hex_at(*frame.at(x, y)) for x, y in drawn_path(view, "T15", "I20")}
    assert not [place for place in below if place in view.places and view.places[place].owner == "axis"]


def test_every_point_of_a_hex_is_in_it() -> None:
    for place in ("A14", "H4", "P12", "Q17", "X10"):
        x, y = ATLAS.middle(place)
        assert {ATLAS.hex_at(x + dx, y + dy) for dx in (-0.4, 0, 0.4) for dy in (-0.25, 0, 0.25)} == {place}
    assert ATLAS.hex_at(5.0, -3.0) == ATLAS.hex_at(5.0, 99.0) == ""


def test_ships_go_round_spain_rather_than_unload_in_france_and_load_again() -> None:
    """HW-12.3: from one sea to the other past Gibraltar, which is Allied, although all of France is, too."""
    view = campaign()
    way = courses_of(view, "allies").by_sea("P6", "G9")
    assert "H4" in way
    assert not [place for place in way[1:-1] if europe()[place].country == "France"]


# ------------------------------------------------------------------ boxes


def test_a_fort_in_a_box_shows_on_every_picture() -> None:
    """HW-9.17: a box is one large hex, so a fort may stand there."""
    view = campaign()
    built = FortView("allies", 7, view.turn, strength=2, building=0)
    fortified = msgspec.structs.replace(view, forts={**view.forts, "INDIA": built, "CANADA": built})
    for picture in (map_png, front_png, lambda each: sheet_png(each, "allies")):
        assert picture(fortified) != picture(view)


def test_a_remembered_fort_has_its_season() -> None:
    signs = [fort_sign(style(), Fort("allies", "1-3", ghost=True, seen=seen), SCALE) for seen in ("", "Su 41")]
    assert signs[1].image.height > signs[0].image.height
    assert signs[1].image.height - signs[1].y == signs[0].image.height - signs[0].y  # around the same wall


def test_the_season_of_a_fort_in_a_box_is_when_it_was_seen() -> None:
    view = campaign("axis")
    hidden = msgspec.structs.replace(view.places["CANADA"], in_sight=False)
    remembered = {"places": {**view.places, "CANADA": hidden}, "forts": {"CANADA": FortView("allies", 7, view.turn)}}
    assert fort_of(msgspec.structs.replace(view, **remembered), "CANADA") == Fort("allies", "?", True, "Wi 39")
    seen = msgspec.structs.replace(view, forts=remembered["forts"])
    assert fort_of(seen, "CANADA").seen == ("" if view.places["CANADA"].in_sight else "Wi 39")


@pytest.mark.parametrize("box", BOXES)
def test_a_way_to_a_box_ends_at_its_panel(box: str) -> None:
    canvas = blank(map_scene(campaign(fog="open"), ()))
    lanes = europe().chart.lanes[box] or europe().grid.edges(box)
    for lane in lanes:
        path, panel = sea_path(canvas, (lane.to, box)), canvas.where.plates[box]
        x, y = path[-1]
        assert not (panel.left < x < panel.right and panel.top < y < panel.bottom)
        assert distance_to(panel, x, y) < 0.2 * SCALE


def distance_to(panel: Plate, x: float, y: float) -> float:
    across = max(panel.left - x, 0, x - panel.right)
    down = max(panel.top - y, 0, y - panel.bottom)
    return (across**2 + down**2) ** 0.5


def test_canada_is_north_of_the_united_states_and_no_panel_hides_another() -> None:
    assert BOXES["CANADA"].north > BOXES["US"].north
    assert not [pair for pair in itertools.combinations(map(corners, BOXES.values()), 2) if overlap(*pair)]


def corners(box: atlas.Box) -> tuple[float, float, float, float]:
    return box.west, -box.north, box.west + box.width, box.height - box.north


def test_no_panel_on_the_map_hides_a_hex() -> None:
    for place in europe().places.values():
        if not place.is_box:
            x, y = ATLAS.middle(place.id)
            for box in BOXES.values():
                assert not overlap((x - 0.5, -y - 0.5, x + 0.5, -y + 0.5), corners(box))


def test_a_picture_of_orders_grows_until_it_shows_the_boxes_its_ways_lead_to() -> None:
    near, far = part_around(["P7"]), part_around(["P7", "US"])
    assert near is not None
    assert far is not None
    assert far[0] <= BOXES["US"].west < near[0]
    assert part_around(["US"]) is None


# ------------------------------------------------------------------ what the front shows


def fronts(view: View) -> set[frozenset[str]]:
    """Pairs of owners with a line between them that is drawn in both their colours."""
    scene = map_scene(view, ())
    plain, lined = blank(scene).picture, blank(scene)
    draw_fronts(lined, scene)
    changed = ImageChops.difference(plain, lined.picture).convert("L")
    found = set()
    for place, direction, neighbour in hexsides_between_owners(view):
        (x1, y1), (x2, y2) = whole_sheet(ATLAS, SCALE).hexside(place, direction)
        if changed.getpixel((round((x1 + x2) / 2), round((y1 + y2) / 2))):
            found.add(frozenset((view.places[place].owner, view.places[neighbour].owner)))
    return found


def hexsides_between_owners(view: View) -> Iterator[tuple[str, int, str]]:
    for place, known in view.places.items():
        for direction, near in enumerate(LAYOUT.neighbours(place) if ATLAS.is_hex(place) else ()):
            if near in view.places and view.places[near].owner != known.owner:
                yield place, direction, near


def test_there_is_no_front_between_soviets_and_allies() -> None:
    """HW-17.1: they never fight each other, although they meet in the Caucasus in 1944."""
    view = GAME.view(position(3, "open", "fall-of-germany"), "soviet", "open")
    meeting = {
        frozenset((view.places[one].owner, view.places[other].owner)) for one, _, other in hexsides_between_owners(view)
    }
    assert frozenset(("soviet", "allies")) in meeting
    assert fronts(view) == {frozenset(("axis", "soviet")), frozenset(("axis", "allies"))}


def test_peace_ends_a_front() -> None:
    """HW-21.3"""
    view = GAME.view(position(3, "open", "fall-of-germany"), "soviet", "open")
    assert fronts(msgspec.structs.replace(view, terms="accepted")) == {frozenset(("axis", "allies"))}


def test_a_front_of_others_that_is_only_remembered_does_not_widen_the_picture() -> None:
    view = campaign("soviet", 48)
    west, south, east, north = active_part(view, Happenings())
    libya = ATLAS.middle("D12")
    assert not (west <= libya[0] <= east and south <= libya[1] <= north)
    places = {place: msgspec.structs.replace(known, in_sight=True) for place, known in view.places.items()}
    whole = active_part(msgspec.structs.replace(view, places=places), Happenings())
    assert whole[1] <= libya[1] <= whole[3]


def test_a_cut_out_draws_the_boxes_it_has_room_for_on_the_map() -> None:
    view = campaign()
    frame = Frame(ATLAS, 84, 1.3, 16.2, 84 * 8, 84 * 10)
    assert Places(frame, map_scene(view, ()).panels).plates.keys() == {"US", "CANADA"}
    assert Image.open(io.BytesIO(front_png(view))).mode == "P"
