"""What a referee that draws keeps in memory: a thousand games share one small machine, and boards may be large."""

import subprocess
import sys

import pytest
from PIL import Image

from pbem.draw import kept
from pbem.draw.control import tinted_ground
from pbem.draw.cutout import SCALES as OF_CUT_OUTS
from pbem.draw.geometry import whole_sheet
from pbem.draw.kept import MOST_BYTES, OVERHEAD, PICTURES, Pictures, weight
from pbem.draw.sprites import Sprite
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.pictures import SCALE as OF_THE_MAP
from pbem.games.hitlers_war.style import style
from tests.the_project import ROOT

MEGABYTE = 1_000_000
#: More than a fresh process had before, for the first picture of a front on a board of ten thousand hexes.
MOST_FOR_A_FRONT = 150 * MEGABYTE
#: The front has 4.6 megapixels; the whole board would have 61 at that scale.
MOST_PIXELS = 9_000_000

FRONT = """
from resource import RUSAGE_SELF, getrusage
from pbem.draw.encode import as_png
from pbem.draw.paint import frame_of, paint
from pbem.draw.control import CHUNK
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
