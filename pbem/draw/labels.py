"""What is printed in the hexes: their ids with the emblem of the owner, cities, capitals, ports and production.

Everything stays inside the brick around a hex, one hex wide and one row high, so that no label meets another.
"""

from collections.abc import Collection
from functools import lru_cache

from PIL import Image

from engine.hitlers_war.board import Place
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.view import PlaceView, View
from pbem.draw.fonts import fitted, width_of
from pbem.draw.geometry import Frame, middle
from pbem.draw.ground import ground, hexes
from pbem.draw.lettering import Name, lettering
from pbem.draw.marks import capital, emblem, port, production
from pbem.draw.palette import mix, palette, side_colours, veiled_tint
from pbem.draw.sprites import Sprite, letters, stamp

# Distances from the middle of a hex and sizes, in hex widths.
ID_AT, ID_SIZE = -0.355, 0.1
NAME_AT, NAME_SIZE, NAME_ROOM = 0.355, 0.132, 0.97
FLANK_AT, FLANK_LOW, PORT_SIZE, COG_SIZE = 0.39, 0.08, 0.17, 0.215
GREAT = 0.25
EMBLEM_SIZE, CAPITAL_SIZE, INLINE_SIZE = 0.08, 0.15, 0.16


def draw_great_names(picture: Image.Image, frame: Frame, occupied: Collection[str]) -> None:
    """Countries and waters, faint, under everything that moves; small ones not where an army would hide a part."""
    table = palette()
    for name in lettering().waters:
        _draw_great_name(picture, frame, name, "water", mix(table.shore, table.sea[3], 0.35))
    for name in lettering().countries:
        if name.size < GREAT and any(_hides(name, place) for place in occupied):
            continue
        _draw_great_name(picture, frame, name, "narrow", mix(table.ink, table.neutral, 0.5))


@lru_cache(maxsize=8192)
def _hides(name: Name, place: str) -> bool:
    x, y = middle(place)
    return any(name.covers(x + dx, y) for dx in (-0.29, 0.0, 0.29))


def _draw_great_name(picture: Image.Image, frame: Frame, name: Name, face: str, colour: str) -> None:
    size = round(name.size * frame.scale * 4) / 4
    sprite = letters(name.name, face, size, colour, tracking=round(name.wide * size), turn=name.turn)
    x, y = frame.pixel(*name.middle)
    if frame.shows(x, y, *sprite.image.size):
        stamp(picture, sprite, x, y)


def draw_hex_labels(picture: Image.Image, frame: Frame, view: View, crowded: Collection[str]) -> None:
    """`crowded` hexes are full of counters."""
    at_sea = bool(load_scenario(view.scenario).sea_transport)
    for place in hexes():
        printed, known = europe()[place], view.places.get(place)
        if not frame.shows_hex(place):
            continue
        if printed.has_land:
            _draw_id(picture, frame, printed, known, known is not None and _is_cut_off(view, place, known))
            _draw_place(picture, frame, printed, known, place in crowded)
        elif at_sea:
            _draw_sea_id(picture, frame, place)


# ------------------------------------------------------------------ ids


def _is_cut_off(view: View, place: str, known: PlaceView) -> bool:
    """Places that will be lost; those cut off from the start are exempt (HW-10.9)."""
    return known.in_supply is False and place not in view.inert


def _draw_id(picture: Image.Image, frame: Frame, printed: Place, known: PlaceView | None, cut_off: bool) -> None:
    table, owner = palette(), known.owner if known else ""
    x, y = frame.centre(printed.id)
    top, size = y + ID_AT * frame.scale, ID_SIZE * frame.scale
    sign_size = round(EMBLEM_SIZE * frame.scale)
    text = f"{printed.id} ⊘" if cut_off else printed.id
    face, colour = ("narrow bold", table.red) if cut_off else ("narrow", table.soft_ink)
    if owner in table.sides:
        sign = emblem(owner, sign_size, side_colours(owner).counter)
        stamp(picture, sign, x - (width_of(text, face, size) + 2) / 2, top)
        x += sign_size // 2 + 1
    stamp(picture, letters(text, face, size, colour), x, top)


def _draw_sea_id(picture: Image.Image, frame: Frame, place: str) -> None:
    x, y = frame.centre(place)
    colour = mix(palette().shore, palette().sea[3], 0.3)
    stamp(picture, letters(place, "narrow", ID_SIZE * frame.scale, colour), x, y + ID_AT * frame.scale)


# ------------------------------------------------------------------ cities


def _draw_place(picture: Image.Image, frame: Frame, printed: Place, known: PlaceView | None, crowded: bool) -> None:
    """A port to the left and production to the right of where an army would stand; the name below.

    Where the counters need all the room, the marks stand in line with the name.
    """
    scale = frame.scale
    x, y = frame.centre(printed.id)
    before, after = [], []
    if printed.port:
        before.append(port(round((INLINE_SIZE if crowded else PORT_SIZE) * scale)))
    if printed.production:
        after.append(_production(printed, known, round((INLINE_SIZE if crowded else COG_SIZE) * scale)))
    if not crowded:
        for side, marks in ((-1, before), (1, after)):
            for mark in marks:
                stamp(picture, mark, x + side * FLANK_AT * scale, y + FLANK_LOW * scale)
        before, after = [], []
    if printed.capital:
        before.append(capital(round(CAPITAL_SIZE * scale)))
    _draw_line(picture, frame, printed, known, before, after)


def _production(printed: Place, known: PlaceView | None, size: int) -> Sprite:
    devastated, ruined = (known.devastated, known.ruined) if known else (0, 0)
    return production(printed.production, min(devastated, printed.production), ruined, size)


def _draw_line(
    picture: Image.Image,
    frame: Frame,
    printed: Place,
    known: PlaceView | None,
    before: list[Sprite],
    after: list[Sprite],
) -> None:
    """Sprites and the name of the city in one line, no wider than the hex."""
    x, y = frame.centre(printed.id)
    room = NAME_ROOM * frame.scale - sum(sprite.image.width for sprite in (*before, *after))
    line = [*before, *_name(frame, printed, known, room), *after]
    left = x - sum(sprite.image.width for sprite in line) / 2
    for sprite in line:
        stamp(picture, sprite, left + sprite.x, y + NAME_AT * frame.scale)
        left += sprite.image.width


def _name(frame: Frame, printed: Place, known: PlaceView | None, room: float) -> list[Sprite]:
    if not printed.name:
        return []
    face = "narrow bold" if printed.capital else "narrow"
    text, size = fitted(printed.name, face, NAME_SIZE * frame.scale, room)
    return [letters(text, face, size, palette().ink, _halo(frame, printed, known))]


def _halo(frame: Frame, printed: Place, known: PlaceView | None) -> str:
    """Names stand out against lines by a rim in the colour of their ground."""
    if not _is_named_ashore(frame.scale, printed.id):
        return palette().sea[0]
    return veiled_tint(known.owner, known.in_sight) if known else palette().neutral


@lru_cache(maxsize=2048)
def _is_named_ashore(scale: int, place: str) -> bool:
    base = ground(scale)
    x, y = base.frame.centre(place)
    return base.land.getpixel((x, round(y + NAME_AT * scale))) == 255
