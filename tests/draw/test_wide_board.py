"""A board of ten thousand hexes with five sides and eighteen countries: everything on it can be told apart."""

from itertools import combinations

import pytest
from PIL import Image

from engine.layout import Top
from pbem.draw.atlas import Extent
from pbem.draw.control import tinted_ground
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.palette import SHADES, distance, fixed_palette, flattened, ground_family, ramp, shades
from pbem.draw.style import rgb
from tools.wide_board import COLUMNS, FRONT, ROWS, SIDES, front_of, wide_atlas, wide_scene, wide_style

STYLE = wide_style()
OWNERS = [*SIDES, *(land.owner for land in STYLE.nobody), STYLE.closed.owner]
#: How far two tints of land must be apart in the picture, and a shade at most from what it was meant to be.
APART, MEANT = 9.0, 8.0


def entries() -> list[tuple[int, int, int]]:
    flat = fixed_palette(STYLE).getpalette() or []
    return [(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, len(flat), 3)]


def families() -> list[str]:
    return list(dict.fromkeys(ground_family(STYLE, owner, sight) for owner in OWNERS for sight in (True, False)))


def test_it_has_as_many_hexes_and_countries_as_a_world_war() -> None:
    assert len(wide_atlas().terrain) == COLUMNS * ROWS == 10_000
    assert (len(SIDES), len(STYLE.nobody)) == (5, 18)
    assert len(families()) == 2 * (5 + 18) + 1


def test_more_colours_than_a_png_can_have_share_entries() -> None:
    assert len(entries()) == SHADES
    grounds = [*families(), *(f"sea {depth}" for depth in range(4)), "beyond sea", "beyond land"]
    wanted = {rgb(shade) for family in grounds for shade in shades(STYLE, family)}
    assert len(wanted) > SHADES


def test_every_tint_of_land_has_an_entry_of_its_own() -> None:
    tints = {family: entries()[ramp(STYLE, family)[0]] for family in families()}
    assert tints == {family: rgb(shades(STYLE, family)[0]) for family in families()}


def test_tints_of_land_in_sight_are_apart() -> None:
    tints = [entries()[ramp(STYLE, owner)[0]] for owner in OWNERS]
    assert min(distance(one, other) for one, other in combinations(tints, 2)) ** 0.5 > APART


def test_no_shade_is_far_from_what_it_was_meant_to_be() -> None:
    for family in families():
        for shade, entry in zip(shades(STYLE, family), ramp(STYLE, family), strict=True):
            assert distance(rgb(shade), entries()[entry]) ** 0.5 <= MEANT


def test_land_keeps_its_tint_in_the_finished_picture() -> None:
    for owner in OWNERS:
        tint = Image.new("RGB", (4, 4), STYLE.land_tint(owner))
        assert distance(flattened(tint, STYLE).convert("RGB").getpixel((0, 0)), rgb(STYLE.land_tint(owner))) ** 0.5 < 4


def test_the_front_of_a_report_shows_thirty_by_twenty_five_hexes() -> None:
    part = front_of(wide_atlas())
    shown = wide_atlas().hexes_in(Extent(*part))
    assert abs(len(shown) - FRONT[0] * FRONT[1]) < 60


@pytest.mark.parametrize("top", ["pointed", "flat"])
def test_on_a_board_that_goes_round_its_edges_meet(top: Top) -> None:
    """A window across the last column shows on each side of it what a window there shows."""
    atlas, scale = wide_atlas(top, wrap=True), 24
    holdings = wide_scene(top, wrap=True).holdings
    sheet, north = whole_sheet(atlas, scale), atlas.map.north - 20
    period = round(atlas.period * scale)
    across = Frame(atlas, scale, sheet.west + atlas.period - 8, north, 16 * scale, 10 * scale)
    picture = tinted_ground(across, STYLE, holdings).convert("RGB")
    assert period
    east = Frame(atlas, scale, sheet.west + atlas.period - 8, north, 6 * scale, 10 * scale)
    assert (
        picture.crop((0, 0, 6 * scale, 10 * scale)).tobytes()
        == tinted_ground(east, STYLE, holdings).convert("RGB").tobytes()
    )
    for place in wide_scene(top, wrap=True).holdings:
        x, y = across.pixel_of(place)
        if 0 < x < across.width and 0 < y < across.height:
            assert atlas.hex_at(*across.at(x, y)) == place
