"""Pictures are written as PNGs by the program itself: what is read from them is what was drawn."""

import io
import zlib
from collections.abc import Iterator

import pytest
from PIL import Image

from engine.hitlers_war.game import HitlersWar
from pbem.draw import encode
from pbem.draw.card import paint_card
from pbem.draw.encode import as_png, as_printed_png
from pbem.draw.geometry import whole_sheet
from pbem.draw.paint import paint
from pbem.draw.palette import fixed_palette
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.card import card_of
from pbem.games.hitlers_war.map_scenes import map_scene
from pbem.games.hitlers_war.style import style
from tests.gallery import position, told

DOTS_PER_INCH = 300


def drawn() -> Iterator[Image.Image]:
    view, events = HitlersWar().view(position(7), "axis", "fog"), tuple(told(7, "axis"))
    yield paint(map_scene(view, events), whole_sheet(europe_atlas(), 64), style())
    yield paint_card(card_of(view, "axis", events), style())
    yield Image.new("RGB", (1, 1), "#a83a26")
    yield Image.effect_noise((301, 97), 90).convert("RGB")


PICTURES = list(drawn())


def as_pillow_writes_it(picture: Image.Image) -> Image.Image:
    flat, target = picture.quantize(palette=fixed_palette(style()), dither=Image.Dither.NONE), io.BytesIO()
    flat.save(target, "PNG", dpi=(DOTS_PER_INCH, DOTS_PER_INCH))
    return Image.open(target)


def assert_alike(one: Image.Image, other: Image.Image) -> None:
    assert (one.mode, one.size) == ("P", other.size)
    assert one.getpalette() == other.getpalette()
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("picture", PICTURES)
def test_pixels_and_colours_are_those_that_were_drawn(picture: Image.Image) -> None:
    read = Image.open(io.BytesIO(as_png(picture, style())))
    assert_alike(read, as_pillow_writes_it(picture))
    assert "dpi" not in read.info


@pytest.mark.parametrize("picture", PICTURES)
def test_a_page_for_the_printer_knows_how_large_it_is(picture: Image.Image) -> None:
    read, by_pillow = (
        Image.open(io.BytesIO(as_printed_png(picture, style(), DOTS_PER_INCH))),
        as_pillow_writes_it(picture),
    )
    assert_alike(read, by_pillow)
    assert read.info["dpi"] == by_pillow.info["dpi"]


def test_every_checksum_is_right() -> None:
    """Pillow passes over the checksums of what it need not read."""
    for picture in PICTURES:
        image = Image.open(io.BytesIO(as_printed_png(picture, style(), DOTS_PER_INCH)))
        image.verify()


def test_a_machine_without_the_fast_library_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = as_png(PICTURES[0], style())
    monkeypatch.setattr(encode, "compress", zlib.compress)
    slow = as_png(PICTURES[0], style())
    assert_alike(Image.open(io.BytesIO(slow)), Image.open(io.BytesIO(fast)))


def test_a_picture_too_large_for_a_mail_is_compressed_with_more_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = as_png(PICTURES[0], style())
    monkeypatch.setattr(encode, "MOST_BYTES", len(usual) - 1)
    assert len(as_png(PICTURES[0], style())) < len(usual)
