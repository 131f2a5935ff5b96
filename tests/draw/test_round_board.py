"""A board that goes round, with flat hexes, drawn by the kit for a game that it does not know: Round Island."""

from math import hypot

import pytest

from engine.game import Options
from pbem.draw.canvas import Places
from pbem.draw.control import tinted_ground
from pbem.draw.copies import PALE
from pbem.draw.geometry import Frame
from pbem.draw.paint import frame_of, paint
from pbem.draw.palette import entry_of
from pbem.draw.style import mix, rgb
from tests.toy.round_island.rules.game import RoundIsland
from tests.toy.round_island.rules.plan import Marching
from tests.toy.round_island.rules.view import View
from tests.toy.round_island.shown.atlas import MAP, island_atlas
from tests.toy.round_island.shown.scene import map_scene, orders_scene, part_scene
from tests.toy.round_island.shown.style import SIDES, STYLE

GAME = RoundIsland()
#: Where on its counter nothing is printed, in hex widths from the middle.
BARE = (-0.2, 0.2)


@pytest.fixture(scope="module")
def view() -> View:
    """Ember stands in the first column: 2 spears in 0101, 4 in 0102."""
    return GAME.view(GAME.setup("six-moons", Options(fog="fog")), "ember", "fog")


def test_a_way_over_the_edge_is_short(view: View) -> None:
    frame = frame_of(map_scene(view), island_atlas(), 96)
    where = Places(frame, ())
    for origin, place in (("0102", "0801"), ("0801", "0102"), ("0102", "0202")):
        ends = where.straight(origin, place)
        assert ends is not None
        (x1, y1), (x2, y2) = ends
        assert hypot(x2 - x1, y2 - y1) == pytest.approx(frame.scale)
        assert ends[0] == frame.pixel_of(origin)


def test_what_is_shown_once_more_is_paler(view: View) -> None:
    scene = map_scene(view)
    frame = frame_of(scene, island_atlas(), 96)
    board = _board(paint(scene, frame, STYLE), frame)
    ember = SIDES["ember"]
    own, *others = _copies(frame, "0102")
    assert board(own) == rgb(ember)
    assert [board(each) for each in others] == [rgb(mix(ember, STYLE.paper, PALE))]


def test_around_a_hex_at_the_edge_the_map_goes_on(view: View) -> None:
    """Nothing is shown twice there, so nothing is pale."""
    scene = part_scene(view, "0801")
    frame = frame_of(scene, island_atlas(), 96)
    assert [_board(paint(scene, frame, STYLE), frame)(each) for each in _copies(frame, "0102")] == [rgb(SIDES["ember"])]


def test_no_paper_lies_between_the_last_column_and_the_first(view: View) -> None:
    frame = Frame(island_atlas(), 64, MAP.west - 2, -1.5, 4 * 64, 2 * 64)
    ground = tinted_ground(frame, STYLE, map_scene(view).holdings)
    assert entry_of(STYLE, STYLE.paper) not in {entry for _, entry in ground.getcolors() or ()}


def test_orders_are_drawn_where_the_spears_go(view: View) -> None:
    """Over the edge in the west, beside the counter that they leave."""
    plain, sent = map_scene(view), orders_scene(view, [Marching(1, 3, "0102", "0801")])
    frame = frame_of(plain, island_atlas(), 96)
    before, after = (paint(scene, frame, STYLE) for scene in (plain, sent))
    shift = _origin(frame)
    (x1, y1), (x2, y2) = frame.pixel_of("0102"), frame.pixel(*island_atlas().middle_near("0801", 0))
    at = (round((x1 + x2) / 2) + shift[0], round((y1 + y2) / 2) + shift[1])
    assert before.getpixel(at) != after.getpixel(at)


def _origin(frame: Frame) -> tuple[int, int]:
    """Where in the picture of a cut-out the board begins."""
    from pbem.draw.cutout import HEADER, MARGIN

    return round(MARGIN * frame.scale), round(HEADER * frame.scale)


def _board(picture, frame: Frame):
    """The colour at a pixel of the board."""
    left, top = _origin(frame)
    return lambda at: picture.getpixel((round(at[0]) + left, round(at[1]) + top))


def _copies(frame: Frame, place: str) -> list[tuple[float, float]]:
    """A bare spot of the counter in a hex, wherever that is shown."""
    return [(x + BARE[0] * frame.scale, y + BARE[1] * frame.scale) for x, y in frame.copies_of(place)]
