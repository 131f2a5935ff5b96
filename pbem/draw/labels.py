"""What is printed in the hexes: their ids with the emblem of the owner, cities, capitals, ports and production.

Everything stays inside the brick around a hex, one hex wide and one row high, so that no label meets another.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pbem.draw.atlas import Atlas, Name, Printed
from pbem.draw.canvas import Canvas
from pbem.draw.control import is_ashore
from pbem.draw.fonts import fitted
from pbem.draw.geometry import Frame
from pbem.draw.kept import kept
from pbem.draw.scene import Holding, Scene
from pbem.draw.signs import capital, emblem, port, production
from pbem.draw.sprites import Sprite, in_line, letters, stamp, trimmed
from pbem.draw.stacks import is_crowded
from pbem.draw.style import Style, mix

# Distances from the middle of a hex and sizes, in hex widths.
ID_AT, ID_SIZE = -0.355, 0.1
NAME_AT, NAME_SIZE, NAME_ROOM = 0.355, 0.132, 0.97
FLANK_AT, FLANK_LOW, PORT_SIZE, COG_SIZE = 0.39, 0.115, 0.17, 0.215
#: Production is lower where a strait on the same side of the hex is in its way.
BELOW_STRAIT, EAST_SIDE = 0.187, 1
GREAT = 0.25
EMBLEM_SIZE, CAPITAL_SIZE, INLINE_SIZE = 0.08, 0.15, 0.16


def draw_great_names(canvas: Canvas, scene: Scene) -> None:
    """Countries and waters, faint, under everything that moves; small ones not where an army would hide a part."""
    atlas, style = canvas.frame.atlas, canvas.style
    occupied = [place for place in scene.stacks if atlas.is_hex(place)]
    for name in atlas.waters:
        _draw_great_name(canvas, name, "water", mix(style.shore, style.sea[3], 0.35))
    for name in atlas.countries:
        if name.size < GREAT and any(_hides(atlas, name, place) for place in occupied):
            continue
        _draw_great_name(canvas, name, "narrow", mix(style.ink, style.closed.land, 0.5))


@lru_cache(maxsize=8192)
def _hides(atlas: Atlas, name: Name, place: str) -> bool:
    x, y = atlas.middle(place)
    return any(name.covers(x + dx, y) for dx in (-0.29, 0.0, 0.29))


def _draw_great_name(canvas: Canvas, name: Name, face: str, colour: str) -> None:
    size = round(name.size * canvas.scale * 4) / 4
    sprite = letters(name.name, face, size, colour, tracking=round(name.wide * size), turn=name.turn)
    at = canvas.frame.pixel(*name.middle)
    if canvas.frame.shows(*at, *sprite.image.size):
        canvas.stamp(sprite, at)


def draw_hex_labels(canvas: Canvas, scene: Scene) -> None:
    for place, x, y in _shown(canvas.frame):
        for sprite, dx, dy in _label(canvas.style, canvas.scale, _print_of(canvas.frame.atlas, scene, place)):
            stamp(canvas.picture, sprite, x + dx, y + dy)


@lru_cache(maxsize=8)
def _shown(frame: Frame) -> list[tuple[str, int, int]]:
    near = ((place, frame.pixel(*at)) for place, at in frame.atlas.hexes_in(frame.part))
    return [(place, round(x), round(y)) for place, (x, y) in near if frame.shows_brick(x, y)]


class Print(NamedTuple):
    """All that decides how a hex is labelled. Nobody holds what no holding is known of."""

    atlas: Atlas
    place: str
    owner: str
    in_sight: bool
    devastated: int
    ruined: int
    cut_off: bool
    crowded: bool
    numbered: bool

    @property
    def printed(self) -> Printed:
        return self.atlas.print_in(self.place)


NOBODY = Holding("")


def _print_of(atlas: Atlas, scene: Scene, place: str) -> Print:
    known, numbered = scene.holdings.get(place, NOBODY), scene.sea_is_numbered or atlas.has_land(place)
    return Print(
        atlas,
        place,
        known.owner,
        known.in_sight,
        known.devastated,
        known.ruined,
        known.cut_off,
        is_crowded(scene, place),
        numbered,
    )


#: A sprite and where its middle is, from the middle of the hex.
Piece = tuple[Sprite, float, float]


@kept
def _label(style: Style, scale: int, known: Print) -> tuple[Piece, ...]:
    return tuple((trimmed(sprite), dx, dy) for sprite, dx, dy in _pieces(style, scale, known))


def _pieces(style: Style, scale: int, known: Print) -> Iterator[Piece]:
    if known.atlas.has_land(known.place):
        yield from _id(style, scale, known)
        yield from _flanks(style, scale, known)
        yield from _line(style, scale, known)
    elif known.numbered:
        yield from _sea_id(style, scale, known.place)


# ------------------------------------------------------------------ ids


def _id(style: Style, scale: int, known: Print) -> Iterator[Piece]:
    top, size = ID_AT * scale, ID_SIZE * scale
    text = f"{known.place} ⊘" if known.cut_off else known.place
    face, colour = ("narrow bold", style.red) if known.cut_off else ("narrow", style.soft_ink)
    sign = emblem(style, known.owner, round(EMBLEM_SIZE * scale), style.side(known.owner).counter)
    yield in_line([sign, letters(text, face, size, colour, _halo(style, scale, known, ID_AT))]), 0, top


def _sea_id(style: Style, scale: int, place: str) -> Iterator[Piece]:
    colour = mix(style.shore, style.sea[3], 0.3)
    yield letters(place, "narrow", ID_SIZE * scale, colour), 0, ID_AT * scale


# ------------------------------------------------------------------ cities


def _flanks(style: Style, scale: int, known: Print) -> Iterator[Piece]:
    """A port to the left and production to the right of where an army would stand, if there is room."""
    if known.crowded:
        return
    printed = known.printed
    if printed.port:
        yield port(style, round(PORT_SIZE * scale)), -FLANK_AT * scale, FLANK_LOW * scale
    if printed.production:
        low = BELOW_STRAIT if (known.place, EAST_SIDE) in known.atlas.straits else FLANK_LOW
        yield _production(style, known, round(COG_SIZE * scale)), FLANK_AT * scale, low * scale


def _production(style: Style, known: Print, size: int) -> Sprite:
    points = known.printed.production
    return production(style, points, min(known.devastated, points), known.ruined, size)


def _line(style: Style, scale: int, known: Print) -> Iterator[Piece]:
    """The name of the city below, no wider than the hex, with the marks that found no room beside the counters."""
    printed, size = known.printed, round(INLINE_SIZE * scale)
    before, after = [], []
    if known.crowded and printed.port:
        before.append(port(style, size))
    if printed.capital:
        before.append(capital(style, round(CAPITAL_SIZE * scale)))
    if known.crowded and printed.production:
        after.append(_production(style, known, size))
    room = NAME_ROOM * scale - sum(sprite.image.width for sprite in (*before, *after))
    if line := [*before, *_name(style, scale, known, room), *after]:
        yield in_line(line), 0, NAME_AT * scale


def _name(style: Style, scale: int, known: Print, room: float) -> list[Sprite]:
    printed = known.printed
    if not printed.name:
        return []
    face = "narrow bold" if printed.capital else "narrow"
    text, size = fitted(printed.name, face, NAME_SIZE * scale, room)
    return [letters(text, face, size, style.ink, _halo(style, scale, known, NAME_AT))]


def _halo(style: Style, scale: int, known: Print, down: float) -> str:
    """Letters stand out against lines by a rim in the colour of their ground, so far from the middle of the hex."""
    ashore = is_ashore(known.atlas, style, scale, known.place, down)
    return style.veiled_tint(known.owner, known.in_sight) if ashore else style.sea[0]
