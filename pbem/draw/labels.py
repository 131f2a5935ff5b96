"""What is printed in the hexes: their ids with the emblem of the owner, cities, capitals, ports and production.

Everything stays inside the brick around a hex, one hex wide and one row high, so that no label meets another.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.hitlers_war.board import Place
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import NEUTRAL
from engine.hitlers_war.view import View
from pbem.draw.atlas import Name
from pbem.draw.control import is_ashore
from pbem.draw.fonts import fitted
from pbem.draw.geometry import Frame
from pbem.draw.marks import capital, emblem, port, production
from pbem.draw.palette import palette, side_colours, veiled_tint
from pbem.draw.sprites import Sprite, in_line, letters, stamp, trimmed
from pbem.draw.style import mix
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.style import style

# Distances from the middle of a hex and sizes, in hex widths.
ID_AT, ID_SIZE = -0.355, 0.1
NAME_AT, NAME_SIZE, NAME_ROOM = 0.355, 0.132, 0.97
FLANK_AT, FLANK_LOW, PORT_SIZE, COG_SIZE = 0.39, 0.115, 0.17, 0.215
#: Production is lower where a strait on the same side of the hex is in its way.
BELOW_STRAIT, EAST_SIDE = 0.187, 1
GREAT = 0.25
EMBLEM_SIZE, CAPITAL_SIZE, INLINE_SIZE = 0.08, 0.15, 0.16


def draw_great_names(picture: Image.Image, frame: Frame, occupied: Collection[str]) -> None:
    """Countries and waters, faint, under everything that moves; small ones not where an army would hide a part."""
    table = palette()
    for name in frame.atlas.waters:
        _draw_great_name(picture, frame, name, "water", mix(table.shore, table.sea[3], 0.35))
    for name in frame.atlas.countries:
        if name.size < GREAT and any(_hides(name, place) for place in occupied):
            continue
        _draw_great_name(picture, frame, name, "narrow", mix(table.ink, table.neutral, 0.5))


@lru_cache(maxsize=8192)
def _hides(name: Name, place: str) -> bool:
    x, y = europe_atlas().middle(place)
    return any(name.covers(x + dx, y) for dx in (-0.29, 0.0, 0.29))


def _draw_great_name(picture: Image.Image, frame: Frame, name: Name, face: str, colour: str) -> None:
    size = round(name.size * frame.scale * 4) / 4
    sprite = letters(name.name, face, size, colour, tracking=round(name.wide * size), turn=name.turn)
    x, y = frame.pixel(*name.middle)
    if frame.shows(x, y, *sprite.image.size):
        stamp(picture, sprite, x, y)


def draw_hex_labels(picture: Image.Image, frame: Frame, view: View, crowded: Collection[str]) -> None:
    """`crowded` hexes are full of counters."""
    for place, x, y in _shown(frame):
        for sprite, dx, dy in _label(frame.scale, _print_of(view, place, place in crowded)):
            stamp(picture, sprite, x + dx, y + dy)


@lru_cache(maxsize=8)
def _shown(frame: Frame) -> list[tuple[str, int, int]]:
    return [(place, *frame.centre(place)) for place in frame.atlas.hexes if frame.shows_hex(place)]


class Print(NamedTuple):
    """All that decides how a hex is labelled."""

    place: str
    owner: str
    in_sight: bool
    devastated: int
    ruined: int
    cut_off: bool
    crowded: bool
    numbered: bool


def _print_of(view: View, place: str, crowded: bool) -> Print:
    """Places cut off from the start will not be lost and are not marked (HW-10.9)."""
    known = view.places.get(place)
    if known is None:
        numbered = europe()[place].has_land or bool(load_scenario(view.scenario).sea_transport)
        return Print(place, NEUTRAL, True, 0, 0, False, crowded, numbered)
    cut_off = known.in_supply is False and place not in view.inert
    return Print(place, known.owner, known.in_sight, known.devastated, known.ruined, cut_off, crowded, True)


#: A sprite and where its middle is, from the middle of the hex.
Piece = tuple[Sprite, float, float]


@lru_cache(maxsize=4096)
def _label(scale: int, known: Print) -> tuple[Piece, ...]:
    return tuple((trimmed(sprite), dx, dy) for sprite, dx, dy in _pieces(scale, known))


def _pieces(scale: int, known: Print) -> Iterator[Piece]:
    printed = europe()[known.place]
    if printed.has_land:
        yield from _id(scale, known)
        yield from _flanks(scale, printed, known)
        yield from _line(scale, printed, known)
    elif known.numbered:
        yield from _sea_id(scale, known.place)


# ------------------------------------------------------------------ ids


def _id(scale: int, known: Print) -> Iterator[Piece]:
    table, top, size = palette(), ID_AT * scale, ID_SIZE * scale
    text = f"{known.place} ⊘" if known.cut_off else known.place
    face, colour = ("narrow bold", table.red) if known.cut_off else ("narrow", table.soft_ink)
    sign = emblem(known.owner, round(EMBLEM_SIZE * scale), side_colours(known.owner).counter)
    yield in_line([sign, letters(text, face, size, colour, _halo(scale, known, ID_AT))]), 0, top


def _sea_id(scale: int, place: str) -> Iterator[Piece]:
    colour = mix(palette().shore, palette().sea[3], 0.3)
    yield letters(place, "narrow", ID_SIZE * scale, colour), 0, ID_AT * scale


# ------------------------------------------------------------------ cities


def _flanks(scale: int, printed: Place, known: Print) -> Iterator[Piece]:
    """A port to the left and production to the right of where an army would stand, if there is room."""
    if known.crowded:
        return
    if printed.port:
        yield port(round(PORT_SIZE * scale)), -FLANK_AT * scale, FLANK_LOW * scale
    if printed.production:
        low = BELOW_STRAIT if (known.place, EAST_SIDE) in europe_atlas().straits else FLANK_LOW
        yield _production(printed, known, round(COG_SIZE * scale)), FLANK_AT * scale, low * scale


def _production(printed: Place, known: Print, size: int) -> Sprite:
    return production(printed.production, min(known.devastated, printed.production), known.ruined, size)


def _line(scale: int, printed: Place, known: Print) -> Iterator[Piece]:
    """The name of the city below, no wider than the hex, with the marks that found no room beside the counters."""
    before, after, size = [], [], round(INLINE_SIZE * scale)
    if known.crowded and printed.port:
        before.append(port(size))
    if printed.capital:
        before.append(capital(round(CAPITAL_SIZE * scale)))
    if known.crowded and printed.production:
        after.append(_production(printed, known, size))
    room = NAME_ROOM * scale - sum(sprite.image.width for sprite in (*before, *after))
    if line := [*before, *_name(scale, printed, known, room), *after]:
        yield in_line(line), 0, NAME_AT * scale


def _name(scale: int, printed: Place, known: Print, room: float) -> list[Sprite]:
    if not printed.name:
        return []
    face = "narrow bold" if printed.capital else "narrow"
    text, size = fitted(printed.name, face, NAME_SIZE * scale, room)
    return [letters(text, face, size, palette().ink, _halo(scale, known, NAME_AT))]


def _halo(scale: int, known: Print, down: float) -> str:
    """Letters stand out against lines by a rim in the colour of their ground, so far from the middle of the hex."""
    ashore = is_ashore(europe_atlas(), style(), scale, known.place, down)
    return veiled_tint(known.owner, known.in_sight) if ashore else palette().sea[0]
