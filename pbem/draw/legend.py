"""The legend in the empty corners of the map: what the picture shows, and nothing it does not."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from engine.game import PUBLIC
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import NEUTRAL, UNALIGNED
from engine.hitlers_war.view import View
from pbem.draw.arrows import FINER, SALVO_SIZE, battle_star, capture_ring, draw_arrow, loss_tag, salvo, tag
from pbem.draw.control import hatching
from pbem.draw.counter import Face, counter
from pbem.draw.fonts import fitted
from pbem.draw.forts import FORT_SIZE, FortFace, crossed_out, fort
from pbem.draw.furniture import panel, side_name
from pbem.draw.geometry import Frame
from pbem.draw.hexsides import draw_broken, front, strait, water_side
from pbem.draw.marks import capital, emblem, peaks, port, production
from pbem.draw.palette import palette, side_colours, veil_line, veiled_tint
from pbem.draw.prospects import SIDES
from pbem.draw.sprites import CLEAR, Sprite, letters, shape, stamp, stamp_from
from pbem.games.hitlers_war.style import style

# Sizes in hex widths.
HEIGHT, NORTH_EDGE = 3.34, 3.58
COLUMNS = (2.55, 2.3, 2.5)
EVENTS_WIDTH, EVENTS_NORTH, EVENTS_HEIGHT = 2.85, 19.5, 3.45
ROW_HEIGHT, TEXT_SIZE, SAMPLE, INDENT = 0.312, 0.145, 0.6, 0.16
#: So many rows fit into the legend; more of them stand closer.
ROWS = 9

Sample = Callable[[int], Sprite]
Entry = tuple[Sample | None, str]
#: A heading and what stands below it. An entry without a sample is a line of text.
Part = tuple[str, tuple[Entry, ...]]


class Reader(NamedTuple):
    """What of a view the legend depends on."""

    side: str | None
    fog: str
    sides: tuple[str, ...]
    unaligned: bool
    unit_types: tuple[str, ...]
    at_sea: bool
    courted: str  # a side that a country is known to join

    @property
    def own(self) -> str:
        return self.side if self.side in self.sides else self.sides[0]

    @property
    def enemy(self) -> str:
        return next(side for side in self.sides if side != self.own)

    @property
    def has_eyes(self) -> bool:
        """In fog there is nothing that everybody sees."""
        return self.side != PUBLIC or self.fog != "fog"


def draw_legend(picture: Image.Image, frame: Frame, view: View) -> None:
    left, top = frame.pixel(frame.atlas.map.west + 0.16, NORTH_EDGE)
    picture.paste(_legend(frame.scale, reader_of(view)), (round(left), round(top)))


def draw_key_to_events(picture: Image.Image, frame: Frame, view: View) -> None:
    """The signs of what happened, in the west under the title."""
    left, top = frame.pixel(frame.atlas.map.west + 0.16, EVENTS_NORTH)
    picture.paste(_key_to_events(frame.scale, reader_of(view)), (round(left), round(top)))


def reader_of(view: View) -> Reader:
    unaligned = any(known.owner == UNALIGNED for known in view.places.values())
    courted = next((row.joins for row in view.politics if row.joins), "")
    scenario = load_scenario(view.scenario)
    types, at_sea = tuple(scenario.unit_types), bool(scenario.sea_transport)
    return Reader(view.side, view.fog, view.sides, unaligned, types, at_sea, courted)


@lru_cache(maxsize=4)
def _legend(scale: int, reader: Reader) -> Image.Image:
    columns = (("GROUND", _ground(reader)), ("PLACES", _places()), ("ARMIES", _armies(reader)))
    sheet = panel(sum(COLUMNS) * scale, HEIGHT * scale, scale)
    left, pitch = 0.0, min(ROW_HEIGHT, ROWS * ROW_HEIGHT / max(len(entries) for _, entries in columns))
    for (heading, entries), width in zip(columns, COLUMNS, strict=True):
        _draw_column(sheet, scale, left * scale, heading, entries, width, pitch)
        left += width
    return sheet


@lru_cache(maxsize=4)
def _key_to_events(scale: int, reader: Reader) -> Image.Image:
    entries = _events(reader)
    pitch = min(ROW_HEIGHT, EVENTS_HEIGHT / (len(entries) + 1.75))
    sheet = panel(EVENTS_WIDTH * scale, (len(entries) + 1.75) * pitch * scale, scale)
    _draw_column(sheet, scale, 0.0, "WHAT HAPPENED", entries, EVENTS_WIDTH, pitch)
    return sheet


def _draw_column(
    picture: Image.Image,
    scale: int,
    left: float,
    heading: str,
    entries: Sequence[Entry],
    width: float,
    pitch: float = ROW_HEIGHT,
) -> None:
    left, top = left + INDENT * scale, 0.29 * scale
    title = letters(heading, "narrow bold", 0.125 * scale, palette().soft_ink, tracking=round(0.03 * scale))
    stamp_from(picture, title, left, top)
    for number, (sample, text) in enumerate(entries, 1):
        y = top + number * pitch * scale
        away = SAMPLE + 0.1 if sample else 0.0
        if sample is not None:
            stamp(picture, sample(scale), left + SAMPLE * scale / 2, y)
        text, size = fitted(text, "narrow", TEXT_SIZE * scale, (width - away - INDENT - 0.04) * scale)
        stamp_from(picture, letters(text, "narrow", size, palette().ink), left + away * scale, y)


def key_to_front(view: View, happened: bool) -> list[Part]:
    """The legend in parts, the most important first."""
    return list(_key_to_front(reader_of(view), happened))


@lru_cache(maxsize=16)
def _key_to_front(reader: Reader, happened: bool) -> tuple[Part, ...]:
    events = [("WHAT HAPPENED", tuple(_events(reader)))] if happened else []
    ground, places = tuple(_ground(reader)), tuple(_places())
    return ("ARMIES", tuple(_armies(reader))), *events, ("GROUND", ground), ("PLACES", places)


def key_column(parts: Sequence[Part], scale: int, width: int, room: int) -> Image.Image:
    """As many parts of a key as there is room for, one entry below the other; at least the first."""
    shown = list(parts)
    heights = [_height(part, scale) for part in shown]
    while len(heights) > 1 and sum(heights) > room:
        del shown[-1], heights[-1]
    sheet, top = Image.new("RGB", (width, sum(heights)), palette().paper), 0
    for part, height in zip(shown, heights, strict=True):
        sheet.paste(_part(part, scale, width), (0, top))
        top += height
    return sheet


def _height(part: Part, scale: int) -> int:
    return round((len(part[1]) + 1.6) * ROW_HEIGHT * scale)


@lru_cache(maxsize=16)
def _part(part: Part, scale: int, width: int) -> Image.Image:
    """Drawn once for all pictures that have the same key."""
    sheet, (heading, entries) = Image.new("RGB", (width, _height(part, scale)), palette().paper), part
    _draw_column(sheet, scale, -INDENT * scale, heading, entries, width / scale + INDENT)
    return sheet


# ------------------------------------------------------------------ ground


def _ground(reader: Reader) -> list[Entry]:
    entries: list[Entry] = [(_swatch(side, reader.has_eyes), side_name(side)) for side in reader.sides]
    if reader.unaligned:
        entries.append((_swatch(UNALIGNED, reader.has_eyes), "unaligned"))
    if reader.courted:
        entries.append((_courted(reader.courted), "will join, and when"))
    entries.append((_swatch(NEUTRAL, True), "neutral, closed"))
    if reader.has_eyes:
        entries.append((_upright(front, reader.own, reader.enemy, True), "front"))
    if reader.fog == "fog" and reader.has_eyes:
        entries.append((_swatch(reader.enemy, False), "out of sight, last known"))
    if reader.fog == "fog":
        entries.append((_upright(front, reader.own, reader.enemy, False), "front, last known"))
    entries.append((_border, "border"))
    return entries


def _courted(side: str) -> Sample:
    """Without the season, which would be too small to read here."""
    return lambda scale: tag(f"→ {SIDES.get(side, side)}", side, scale, side_colours(side).dark, 0.1)


def _swatch(owner: str, in_sight: bool) -> Sample:
    def sample(scale: int) -> Sprite:
        width, height = round(SAMPLE * scale * 0.9), round(0.22 * scale)
        image = Image.new("RGBA", (width, height), veiled_tint(owner, in_sight))
        if not in_sight:
            image.paste(
                veil_line(style(), owner), (0, 0), hatching(scale, 0, 0, width, height).point([0] + [255] * 255)
            )
        ImageDraw.Draw(image).rectangle((0, 0, width - 1, height - 1), outline=palette().soft_ink)
        stamp(image, emblem(owner, round(0.11 * scale), side_colours(owner).counter), width / 2, height / 2)
        return Sprite(image, width // 2, height // 2)

    return sample


def _upright(sprite: Callable[..., Sprite], *how: object) -> Sample:
    """A piece of a line that runs along hexsides, laid on its side."""

    def sample(scale: int) -> Sprite:
        image = sprite(scale, 1, *how).image.rotate(90)
        width, height = round(SAMPLE * 0.9 * scale), round(0.3 * scale)
        left, top = (image.width - width) // 2, (image.height - height) // 2
        return Sprite(image.crop((left, top, left + width, top + height)), width // 2, height // 2)

    return sample


def _border(scale: int) -> Sprite:
    width, height = round(SAMPLE * 0.8 * scale), round(0.1 * scale)
    line = (0, height * 0.35, width, height * 0.65)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        draw.rectangle([part * finer for part in line], fill=palette().ink)

    return shape(width, height, paint)


# ------------------------------------------------------------------ places


def _places() -> list[Entry]:
    return [
        (lambda scale: capital(round(0.2 * scale)), "capital"),
        (lambda scale: port(round(0.2 * scale)), "port"),
        (_cog(2, 0, 0), "production, 2 points"),
        (_cog(3, 1, 0), "2 points, 1 devastated"),
        (_cog(2, 2, 0), "devastated"),
        (_cog(2, 2, 2), "devastated for good"),
        (lambda scale: strait(scale, 1), "strait to cross"),
        (_upright(water_side), "water, no crossing"),
        (lambda scale: letters("Q16 ⊘", "narrow bold", 0.12 * scale, palette().red), "out of supply"),
        (lambda scale: peaks(round(0.4 * scale), round(0.22 * scale)), "mountain"),
    ]


def _cog(points: int, devastated: int, ruined: int) -> Sample:
    return lambda scale: production(points, devastated, ruined, round(0.24 * scale))


# ------------------------------------------------------------------ armies


def _armies(reader: Reader) -> list[Entry]:
    if reader.side == PUBLIC and reader.fog != "open":
        return _armies_without_owner(reader)
    entries: list[Entry] = [
        (_army(reader.own, "foot", "4I"), "infantry points"),
        (_army(reader.own, "mobile", "3M"), "mechanized points"),
        (_army(reader.own, "both", "4I 3M"), "both"),
    ]
    entries += _further_types(reader)
    if reader.fog == "open" or reader.side is None:
        return entries
    return entries + (_veiled(reader.enemy) if reader.fog == "veiled" else _in_bands(reader.enemy))


#: Points that have no symbol of their own on a counter, only their letter.
LETTERED = {"tac": "1T", "para": "1P", "amph": "1A"}
LETTERED_NAMES = {"tac": "tac air", "para": "paratroop", "amph": "amphibious"}


def _further_types(reader: Reader) -> list[Entry]:
    """What only some wars have: other points in one line, and forts."""
    others = [kind for kind in LETTERED if kind in reader.unit_types]
    entries: list[Entry] = []
    if others:
        points = " ".join(LETTERED[kind] for kind in others)
        entries.append((_army(reader.own, "foot", points), ", ".join(LETTERED_NAMES[kind] for kind in others)))
    if "fort" in reader.unit_types:
        entries.append((_fort(reader.own, "2+1"), "fort of 2, 1 being built"))
    return entries


def _fort(side: str, points: str) -> Sample:
    return lambda scale: fort(FortFace(side, points), round(FORT_SIZE * scale))


def given_up_fort(side: str) -> Sample:
    return lambda scale: crossed_out(FortFace(side, "2"), round(FORT_SIZE * scale))


def hollow_army(side: str, strength: str) -> Sample:
    face = Face(side, "Army", "foot", strength, hollow=True)
    return lambda scale: counter(face, round(0.58 * scale), round(0.265 * scale))


def violated_border(scale: int) -> Sprite:
    width, height = round(SAMPLE * 0.9 * scale), round(0.1 * scale)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        y = height * finer / 2
        draw_broken(draw, (y, y), (width * finer - y, y), scale * finer)

    return shape(width, height, paint)


def _armies_without_owner(reader: Reader) -> list[Entry]:
    """What is public of armies: in fog nothing at all."""
    if not reader.has_eyes:
        return [(None, "not known to everybody")]
    return [(_army(side, "unknown", ""), "strength unknown") for side in reader.sides]


def _veiled(enemy: str) -> list[Entry]:
    return [
        (_army(enemy, "unknown", ""), "enemy, strength unknown"),
        (_army(enemy, "unknown", "4 Wi 41"), "its strength in battle"),
    ]


def _in_bands(enemy: str) -> list[Entry]:
    bands = (("light", "1 to 3"), ("medium", "4 to 6"), ("strong", "7 to 10"), ("massed", "11 and more"))
    entries: list[Entry] = [
        (_army(enemy, "bars", word, number), f"enemy of {points}") for number, (word, points) in enumerate(bands, 1)
    ]
    return [*entries, (_army(enemy, "bars", "Wi 41", 2, ghost=True), "where last seen, when")]


def _army(side: str, symbol: str, strength: str, bars: int = 0, ghost: bool = False) -> Sample:
    face = Face(side, "Army", symbol, strength, bars, ghost, brief=strength if ghost else "")
    return lambda scale: counter(face, round(0.58 * scale), round(0.265 * scale))


# ------------------------------------------------------------------ events


def _events(reader: Reader) -> list[Entry]:
    side = reader.own
    gone = "and an army or fort" if reader.at_sea else "and an army with them"
    at_sea: list[Entry] = [
        (arrow(side, "sailed"), "went by sea"),
        (arrow(side, "landed"), "landed"),
        (arrow(side, "turned back"), "turned back"),
        (lambda scale: salvo(round(SALVO_SIZE * scale)), "ships fired"),
    ]
    return [
        (arrow(side, "moved"), "moved"),
        (arrow(side, "advanced"), "advanced"),
        (arrow(side, "retreated"), "retreated"),
        *(at_sea if reader.at_sea else ()),
        (lambda scale: battle_star(round(0.27 * scale)), "battle"),
        (lambda scale: loss_tag("−2", side, scale), "points lost here"),
        (lambda scale: loss_tag("−3 ✕", side, scale), gone),
        (ring(side), "captured"),
    ]


def arrow(side: str, manner: str) -> Sample:
    def sample(scale: int) -> Sprite:
        width, height = round(SAMPLE * scale), round(0.28 * scale)
        sheet = Image.new("RGBA", (width * FINER, height * FINER), CLEAR)
        path = [(width * FINER * (0.06 + 0.088 * step), height * FINER / 2) for step in range(11)]
        draw_arrow(ImageDraw.Draw(sheet), path, scale * FINER, side, manner)
        return Sprite(sheet.reduce(FINER), width // 2, height // 2)

    return sample


def ring(side: str) -> Sample:
    return lambda scale: capture_ring(scale, side, 0.21)
