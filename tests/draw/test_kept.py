"""What a referee that draws keeps in memory: a thousand games share one small machine, and boards may be large."""

from typing import Any
from weakref import finalize

import pytest
from PIL import Image

from pbem.draw import control, fonts, kept
from pbem.draw.control import CHUNK, tinted_ground
from pbem.draw.cutout import SCALES as OF_CUT_OUTS
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.ground import Ground, paint_ground
from pbem.draw.kept import MOST_BYTES, OVERHEAD, PICTURES, weight
from pbem.draw.paint import frame_of, paint
from pbem.draw.patch import Patch
from pbem.draw.sprites import Sprite
from pbem.draw.style import Style
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.pictures import SCALE as OF_THE_MAP
from pbem.games.hitlers_war.style import style
from pbem.memory import Lasting
from tools.bench_wide import of_a_new_process
from tools.wide_board import wide_atlas, wide_scene, wide_style

#: Megabytes more than a fresh process had before, for the first picture of a front on a board of ten thousand hexes.
MOST_FOR_A_FRONT = 150
#: The front has 4.6 megapixels; the whole board would have 61 at that scale.
MOST_PIXELS = 9_000_000
#: Of all pictures there are at any moment while it is painted, those of the kit's own work among them.
MOST_AT_ONCE = 42_000_000


def test_a_front_of_a_wide_board_takes_little_memory() -> None:
    """Of a process of its own, since what it had at most before is all that can be measured."""
    figures = of_a_new_process(again=1)
    assert figures["width"] > 2500
    assert figures["height"] > 1800
    assert figures["width"] * figures["height"] * 4 / 1e6 < figures["more"] < MOST_FOR_A_FRONT
    assert figures["kept"] < 4 * MOST_PIXELS / 1e6


class Watched:
    """How many pixels there are at once, and in the largest picture."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.there = self.most = self.largest = 0
        make = Image.Image._new

        def watched(like: Image.Image, core: Any) -> Image.Image:
            made = make(like, core)
            pixels = made.width * made.height
            self.there += pixels
            self.most, self.largest = max(self.most, self.there), max(self.largest, pixels)
            finalize(made, self.gone, pixels)
            return made

        monkeypatch.setattr(Image.Image, "_new", watched)

    def gone(self, pixels: int) -> None:
        self.there -= pixels


def test_the_whole_of_a_wide_board_is_never_held(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, atlas = wide_scene(), wide_atlas()
    frame, painted = frame_of(scene, atlas, OF_CUT_OUTS[-1]), []

    def noted(sheet: Frame, look: Style, patch: Patch) -> Ground:
        painted.append(patch)
        return paint_ground(sheet, look, patch)

    monkeypatch.setattr(control, "paint_ground", noted)
    watched = Watched(monkeypatch)
    PICTURES.clear()
    paint(scene, frame, wide_style())
    assert frame.width * frame.height < watched.largest < MOST_PIXELS
    assert watched.largest < watched.most < MOST_AT_ONCE
    assert sum(patch.size[0] * patch.size[1] for patch in painted) < MOST_PIXELS
    part = frame.part.grown(CHUNK / frame.scale)
    sheet = whole_sheet(atlas, frame.scale)
    for patch in painted:
        assert part.has(*sheet.at(patch.left, patch.top))
        assert part.has(*sheet.at(patch.right, patch.bottom))


def test_the_ground_of_all_sizes_of_mails_is_kept() -> None:
    """Their sheets have 21 million pixels."""
    scales = sorted({OF_THE_MAP, *OF_CUT_OUTS})
    for scale in scales:
        tinted_ground(whole_sheet(europe_atlas(), scale), style(), {})
    before = PICTURES.weight
    assert before < MOST_BYTES
    for scale in scales:
        tinted_ground(whole_sheet(europe_atlas(), scale), style(), {})
    assert PICTURES.weight == before


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "OVERHEAD", 0)
    few: Lasting[Any] = Lasting(250, weight)
    drawn: list[str] = []

    @few.results
    def square(name: str) -> Image.Image:
        drawn.append(name)
        return Image.new("L", (10, 10))

    for name in ("one", "two", "one", "three", "one", "two"):
        square(name)
    assert drawn == ["one", "two", "three", "two"]
    assert few.weight == 200


def test_every_pixel_is_weighed() -> None:
    grey, coloured = Image.new("L", (30, 20)), Image.new("RGBA", (10, 10))
    assert weight(grey) == 600 + OVERHEAD
    assert weight(Sprite(coloured, 5, 5)) == 400 + 2 * OVERHEAD
    assert weight({"a tile": (grey, coloured, (1, 2))}) == 1000 + 5 * OVERHEAD


def test_texts_that_were_measured_are_bounded_too() -> None:
    """Players write them: names, and orders that are told in words."""
    long = "GOTO ROSTOV " * 2000
    for number in range(200):
        shown, size = fonts.fitted(f"{number} {long}"[: 10 + number], "narrow", 12, 60)
        assert fonts.width_of(shown, "narrow", size) <= 60
        fonts.width_of(f"{number} {long}", "narrow", 12)
    assert len(fonts._TEXTS) > 10
    assert fonts._TEXTS.weight <= fonts.TEXTS_WEIGH < 200 * len(long)
