"""The key of a picture: samples of what it shows, each with what it means."""

from collections.abc import Callable, Sequence
from typing import Any

from PIL import Image, ImageDraw

from pbem.draw.arrows import FINER, draw_arrow
from pbem.draw.control import hatching
from pbem.draw.counter import counter
from pbem.draw.fonts import fitted
from pbem.draw.forts import fort_sign
from pbem.draw.hexsides import draw_broken, front, strait, water_side
from pbem.draw.kept import kept
from pbem.draw.palette import veil_line
from pbem.draw.scene import (
    ArrowSample,
    CounterSample,
    CutOffSample,
    FortSample,
    FrontSample,
    KeyEntry,
    KeyPanel,
    KeyPart,
    LandSample,
    ProductionSample,
    RingSample,
    Sample,
    SignSample,
    TagSample,
)
from pbem.draw.signs import (
    MARKS,
    battle_star,
    capital,
    capture_ring,
    cross,
    emblem,
    peaks,
    port,
    production,
)
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp, stamp_from
from pbem.draw.stacks import ONE_OF_TWO
from pbem.draw.style import Style
from pbem.draw.tags import tag_of_kind

# Sizes in hex widths.
ROW_HEIGHT, TEXT_SIZE, SAMPLE, INDENT = 0.312, 0.145, 0.6, 0.16
#: Of the heading of a panel and its rims, and of a part in a column: in rows.
HEAD, HEAD_IN_COLUMN = 1.75, 1.6
#: Lines along hexsides are shown as they are on an eastern one.
EASTERN = 1


# ------------------------------------------------------------------ on the map


@kept
def key_panel(style: Style, scale: int, key: KeyPanel) -> Image.Image:
    """Columns side by side, their rows as far apart as there is room for."""
    most = max(len(part.entries) for part in key.parts)
    pitch = min(ROW_HEIGHT, key.rows * ROW_HEIGHT / most if key.height else key.most / (most + HEAD))
    height = key.height or (most + HEAD) * pitch
    sheet, left = panel(style, sum(key.widths) * scale, height * scale, scale), 0.0
    for part, width in zip(key.parts, key.widths, strict=True):
        _draw_part(sheet, style, scale, left * scale, part, width, pitch)
        left += width
    return sheet


def panel(style: Style, width: float, height: float, scale: int) -> Image.Image:
    """Paper with a firm and a fine line around it."""
    gap = round(scale * 0.05)
    sheet = Image.new("RGB", (round(width), round(height)), style.paper)
    right, bottom = sheet.width - 1, sheet.height - 1
    draw = ImageDraw.Draw(sheet)
    draw.rectangle((0, 0, right, bottom), outline=style.ink, width=max(2, round(scale * 0.024)))
    draw.rectangle((gap, gap, right - gap, bottom - gap), outline=style.soft_ink)
    return sheet


def _draw_part(
    picture: Image.Image, style: Style, scale: int, left: float, part: KeyPart, width: float, pitch: float
) -> None:
    left, top = left + INDENT * scale, 0.29 * scale
    title = letters(part.heading, "narrow bold", 0.125 * scale, style.soft_ink, tracking=round(0.03 * scale))
    stamp_from(picture, title, left, top)
    for number, entry in enumerate(part.entries, 1):
        _draw_entry(picture, style, scale, entry, left, top + number * pitch * scale, width)


def _draw_entry(
    picture: Image.Image, style: Style, scale: int, entry: KeyEntry, left: float, y: float, width: float
) -> None:
    away = SAMPLE + 0.1 if entry.sample else 0.0
    if entry.sample is not None:
        stamp(picture, sample_sprite(style, entry.sample, scale), left + SAMPLE * scale / 2, y)
    text, size = fitted(entry.text, "narrow", TEXT_SIZE * scale, (width - away - INDENT - 0.04) * scale)
    stamp_from(picture, letters(text, "narrow", size, style.ink), left + away * scale, y)


# ------------------------------------------------------------------ beside a cut-out


def key_column(style: Style, parts: Sequence[KeyPart], scale: int, width: int, room: int) -> Image.Image:
    """As many parts of a key as there is room for, one entry below the other; at least the first."""
    shown = list(parts)
    heights = [_height(part, scale) for part in shown]
    while len(heights) > 1 and sum(heights) > room:
        del shown[-1], heights[-1]
    sheet, top = Image.new("RGB", (width, sum(heights)), style.paper), 0
    for part, height in zip(shown, heights, strict=True):
        sheet.paste(_part_in_column(style, part, scale, width), (0, top))
        top += height
    return sheet


def _height(part: KeyPart, scale: int) -> int:
    return round((len(part.entries) + HEAD_IN_COLUMN) * ROW_HEIGHT * scale)


@kept
def _part_in_column(style: Style, part: KeyPart, scale: int, width: int) -> Image.Image:
    """Drawn once for all pictures that have the same key."""
    sheet = Image.new("RGB", (width, _height(part, scale)), style.paper)
    _draw_part(sheet, style, scale, -INDENT * scale, part, width / scale + INDENT, ROW_HEIGHT)
    return sheet


# ------------------------------------------------------------------ samples


def sample_sprite(style: Style, sample: Sample, scale: int) -> Sprite:
    return SAMPLES[type(sample)](style, sample, scale)


def _arrow(style: Style, sample: ArrowSample, scale: int) -> Sprite:
    width, height = round(SAMPLE * scale), round(0.28 * scale)
    sheet = Image.new("RGBA", (width * FINER, height * FINER), CLEAR)
    path = [(width * FINER * (0.06 + 0.088 * step), height * FINER / 2) for step in range(11)]
    draw_arrow(style, ImageDraw.Draw(sheet), path, scale * FINER, sample.side, sample.manner)
    return Sprite(sheet.reduce(FINER), width // 2, height // 2)


def _ring(style: Style, sample: RingSample, scale: int) -> Sprite:
    return capture_ring(style, "pointed", scale, sample.side, 0.21)


def _land(style: Style, sample: LandSample, scale: int) -> Sprite:
    width, height = round(SAMPLE * scale * 0.9), round(0.22 * scale)
    image = Image.new("RGBA", (width, height), style.veiled_tint(sample.owner, sample.in_sight))
    if not sample.in_sight:
        lines = hatching(scale, 0, 0, width, height).point([0] + [255] * 255)
        image.paste(veil_line(style, sample.owner), (0, 0), lines)
    ImageDraw.Draw(image).rectangle((0, 0, width - 1, height - 1), outline=style.soft_ink)
    sign = emblem(style, sample.owner, round(0.11 * scale), style.side(sample.owner).counter)
    stamp(image, sign, width / 2, height / 2)
    return Sprite(image, width // 2, height // 2)


def _front(style: Style, sample: FrontSample, scale: int) -> Sprite:
    return _laid_on_its_side(
        front(style, "pointed", scale, EASTERN, sample.here, sample.there, sample.firm).image, scale
    )


def _laid_on_its_side(image: Image.Image, scale: int) -> Sprite:
    """A piece of a line that runs along hexsides."""
    image = image.rotate(90)
    width, height = round(SAMPLE * 0.9 * scale), round(0.3 * scale)
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return Sprite(image.crop((left, top, left + width, top + height)), width // 2, height // 2)


def _counter(style: Style, sample: CounterSample, scale: int) -> Sprite:
    width, height = ONE_OF_TWO
    return counter(style, sample.face, round(width * scale), round(height * scale))


def _fort(style: Style, sample: FortSample, scale: int) -> Sprite:
    return fort_sign(style, sample.fort, scale)


def _production(style: Style, sample: ProductionSample, scale: int) -> Sprite:
    return production(style, sample.points, sample.devastated, sample.ruined, round(0.24 * scale))


def _tag(style: Style, sample: TagSample, scale: int) -> Sprite:
    return tag_of_kind(style, sample.kind, sample.side, sample.text, scale)


def _cut_off(style: Style, sample: CutOffSample, scale: int) -> Sprite:
    return letters(f"{sample.place} ⊘", "narrow bold", 0.12 * scale, style.red)


def _sign(style: Style, sample: SignSample, scale: int) -> Sprite:
    """A mark as it is on the map; what is no mark has a sample of its own."""
    if mark := MARKS.get(sample.sign):
        return mark.drawn(style, round(mark.size * scale))
    return SIGNS[sample.sign](style, scale, sample.side)


SAMPLES: dict[type, Callable[[Style, Any, int], Sprite]] = {
    ArrowSample: _arrow,
    RingSample: _ring,
    LandSample: _land,
    FrontSample: _front,
    CounterSample: _counter,
    FortSample: _fort,
    ProductionSample: _production,
    TagSample: _tag,
    CutOffSample: _cut_off,
    SignSample: _sign,
}


# ------------------------------------------------------------------ signs


def _border(style: Style, scale: int, _side: str) -> Sprite:
    width, height = round(SAMPLE * 0.8 * scale), round(0.1 * scale)
    line = (0, height * 0.35, width, height * 0.65)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        draw.rectangle([part * finer for part in line], fill=style.ink)

    return shape(width, height, paint)


def _outline(style: Style, scale: int, _side: str) -> Sprite:
    width, height = round(SAMPLE * 0.9 * scale), round(0.1 * scale)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        y = height * finer / 2
        draw_broken(style, draw, (y, y), (width * finer - y, y), scale * finer)

    return shape(width, height, paint)


def _water(style: Style, scale: int, _side: str) -> Sprite:
    return _laid_on_its_side(water_side(style, "pointed", scale, EASTERN).image, scale)


SIGNS: dict[str, Callable[[Style, int, str], Sprite]] = {
    "border": _border,
    "outline": _outline,
    "water": _water,
    "strait": lambda style, scale, _: strait(style, "pointed", scale, EASTERN),
    "mountain": lambda style, scale, _: peaks(style, round(0.4 * scale), round(0.22 * scale)),
    "capital": lambda style, scale, _: capital(style, round(0.2 * scale)),
    "port": lambda style, scale, _: port(style, round(0.2 * scale)),
    "fires": lambda style, scale, _: battle_star(style, round(0.24 * scale)),
    "may fire": lambda style, scale, _: battle_star(style, round(0.24 * scale), hollow=True),
    "never": lambda style, scale, side: cross(style, round(0.2 * scale), style.side(side).dark),
}
