"""The ground is painted in chunks: they meet as if the whole sheet had been painted at once, and few are kept."""

import pytest
from PIL import Image, ImageChops

from pbem.draw.control import CHUNK, is_ashore, tinted_ground
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.ground import Ground, paint_ground, whole_patch
from pbem.draw.palette import flattened
from pbem.draw.patch import Patch
from pbem.draw.scene import Holding
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.style import style

SCALE = 40
EUROPE = europe_atlas()
OWNERS = ("axis", "soviet", "allies", "unaligned", "somebody else")


def sheet() -> Frame:
    return whole_sheet(EUROPE, SCALE)


def held() -> dict[str, Holding]:
    """Neighbours of different owners, in and out of sight."""
    land = [place for place in EUROPE.hexes if EUROPE.has_land(place)]
    return {place: Holding(OWNERS[number % 5], number % 3 > 0) for number, place in enumerate(land)}


def alike(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox() is None


@pytest.fixture(scope="module")
def whole() -> Ground:
    return paint_ground(sheet(), style(), whole_patch(sheet()))


@pytest.mark.parametrize("size", [128, 200])
def test_patches_meet_without_a_seam(whole: Ground, size: int) -> None:
    for top in range(0, sheet().height, size):
        for left in range(0, sheet().width, size):
            patch = Patch(left, top, left + size, top + size).within(whole.patch)
            painted, cut = paint_ground(sheet(), style(), patch), whole.cut(patch)
            assert alike(painted.inks, cut.inks)
            assert alike(painted.land, cut.land)
            assert alike(
                flattened(painted.canvas.convert("RGB"), style()), flattened(cut.canvas.convert("RGB"), style())
            )


def test_a_cut_out_shows_what_the_whole_sheet_shows_there() -> None:
    whole = tinted_ground(sheet(), style(), held())
    part = Frame(EUROPE, SCALE, sheet().west + 4, sheet().north - 5, 300, 260)
    left, top = 4 * SCALE, 5 * SCALE
    assert alike(tinted_ground(part, style(), held()), whole.crop((left, top, left + 300, top + 260)))


def test_a_cut_out_paints_no_more_than_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Patch] = []

    def watched(sheet: Frame, look: object, patch: Patch) -> Ground:
        painted.append(patch)
        return paint_ground(sheet, style(), patch)

    monkeypatch.setattr("pbem.draw.control.paint_ground", watched)
    scale = 77  # of no other test
    tinted_ground(Frame(EUROPE, scale, EUROPE.sheet.west, EUROPE.sheet.north, CHUNK, CHUNK + 1), style(), held())
    assert painted == [Patch(0, 0, CHUNK, 2 * CHUNK)]


def test_what_is_kept_is_not_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Patch] = []

    def watched(sheet: Frame, look: object, patch: Patch) -> Ground:
        painted.append(patch)
        return paint_ground(sheet, style(), patch)

    scale = 78  # of no other test
    west, north = EUROPE.sheet.west, EUROPE.sheet.north
    tinted_ground(Frame(EUROPE, scale, west, north, CHUNK, CHUNK), style(), held())
    monkeypatch.setattr("pbem.draw.control.paint_ground", watched)
    tinted_ground(Frame(EUROPE, scale, west, north, CHUNK, 2 * CHUNK), style(), held())
    assert painted == [Patch(0, CHUNK, CHUNK, 2 * CHUNK)]


def test_land_is_where_it_is_drawn() -> None:
    assert is_ashore(EUROPE, style(), SCALE, "Q17", 0.3)
    at_sea = [place for place, terrain in EUROPE.terrain.items() if terrain == "sea"]
    assert at_sea
    assert not any(is_ashore(EUROPE, style(), SCALE, place, 0.0) for place in at_sea)


def test_whoever_holds_a_hex_its_land_is_in_his_tint() -> None:
    picture = tinted_ground(sheet(), style(), {"Q17": Holding("allies"), "Q18": Holding("soviet")}).convert("RGB")
    for place, owner in (("Q17", "allies"), ("Q18", "soviet"), ("Q16", "closed")):
        x, y = sheet().centre(place)
        near = [picture.getpixel((x + dx, y + dy)) for dx in range(-9, 10) for dy in range(-9, 10)]
        tint = Image.new("RGB", (1, 1), style().land_tint(owner)).getpixel((0, 0))
        assert near.count(tint) > len(near) / 2
