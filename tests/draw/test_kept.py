"""What a referee that draws keeps in memory: a thousand games share one small machine, and boards may be large."""

import subprocess
import sys
from typing import Any
from weakref import finalize

import pytest
from PIL import Image

from pbem.draw import control, kept
from pbem.draw.control import CHUNK, tinted_ground
from pbem.draw.cutout import SCALES as OF_CUT_OUTS
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.ground import Ground, paint_ground
from pbem.draw.kept import MOST_BYTES, OVERHEAD, PICTURES, Pictures, weight
from pbem.draw.paint import frame_of, paint
from pbem.draw.patch import Patch
from pbem.draw.sprites import Sprite
from pbem.draw.style import Style
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.pictures import SCALE as OF_THE_MAP
from pbem.games.hitlers_war.style import style
from tests.the_project import ROOT
from tools.wide_board import wide_atlas, wide_scene, wide_style

MEGABYTE = 1_000_000
#: More than a fresh process had before, for the first picture of a front on a board of ten thousand hexes.
MOST_FOR_A_FRONT = 150 * MEGABYTE
#: The front has 4.6 megapixels; the whole board would have 61 at that scale.
MOST_PIXELS = 9_000_000
#: Of all pictures there are at any moment while it is painted, those of the kit's own work among them.
MOST_AT_ONCE = 42_000_000

FRONT = """
from resource import RUSAGE_SELF, getrusage
from pbem.draw.encode import as_png
from pbem.draw.paint import frame_of, paint
from pbem.draw.kept import PICTURES
from tools.wide_board import wide_atlas, wide_scene, wide_style

scene, atlas, style = wide_scene(), wide_atlas(), wide_style()
before = getrusage(RUSAGE_SELF).ru_maxrss
picture = paint(scene, frame_of(scene, atlas, 84), style)
as_png(picture, style)
print(getrusage(RUSAGE_SELF).ru_maxrss - before, PICTURES.weight, picture.width, picture.height)
"""


def test_a_front_of_a_wide_board_takes_little_memory() -> None:
    """Of a process of its own, since what it had at most before is all that can be measured."""
    ran = subprocess.run([sys.executable, "-c", FRONT], cwd=ROOT, capture_output=True, text=True, check=True)
    kilobytes, bytes_kept, width, height = map(int, ran.stdout.split())
    assert width > 2500
    assert height > 1800
    assert kilobytes * 1024 < MOST_FOR_A_FRONT
    assert bytes_kept < 4 * MOST_PIXELS


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
    few = Pictures(250, weight)
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
