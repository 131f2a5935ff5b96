"""The boxes off the map as panels at its edge, with their owner, production and armies."""

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.view import PlaceView, View
from pbem.draw.arrows import work_tag
from pbem.draw.control import hatching
from pbem.draw.counter import Face
from pbem.draw.counters import draw_stack
from pbem.draw.fonts import fitted
from pbem.draw.forts import fort_sign
from pbem.draw.geometry import Frame
from pbem.draw.hexsides import VIOLATED_AWAY, draw_broken
from pbem.draw.intended import NOTHING, Intended
from pbem.draw.marks import emblem, production
from pbem.draw.palette import palette, side_colours, veil_line, veiled_tint
from pbem.draw.places import Panel
from pbem.draw.prospects import prospect
from pbem.draw.sprites import Sprite, letters, stamp
from pbem.games.hitlers_war.style import style

NAME_SIZE, COG_SIZE, EMBLEM_SIZE, BOX_GAP = 0.15, 0.3, 0.15, 0.12
TALL = 3.0


def draw_box(
    picture: Image.Image, scale: int, panel: Panel, view: View, faces: list[Face], intended: Intended = NOTHING
) -> None:
    _draw_ground(picture, scale, panel, view.places[panel.place])
    if intended.is_violated(panel.place):
        _draw_violated(picture, scale, panel)
    x = (panel.left + panel.right) / 2
    name = europe()[panel.place].name
    text, size = fitted(name.upper(), "narrow bold", NAME_SIZE * scale, (panel.right - panel.left) * 0.92)
    top = panel.top + 0.22 * scale
    stamp(picture, letters(text, "narrow bold", size, palette().ink), x, top)
    _draw_worth(picture, scale, panel, view, top + 0.32 * scale, intended)
    if faces:
        _draw_armies(picture, scale, panel, faces)


def _draw_ground(picture: Image.Image, scale: int, panel: Panel, known: PlaceView) -> None:
    table = palette()
    box = (panel.left, panel.top, panel.right, panel.bottom)
    draw = ImageDraw.Draw(picture)
    draw.rectangle(box, fill=veiled_tint(known.owner, known.in_sight))
    if not known.in_sight:
        picture.paste(veil_line(style(), known.owner), (panel.left, panel.top), _veil(scale, panel))
    draw.rectangle(box, outline=table.ink, width=max(2, round(scale * 0.02)))


def _draw_violated(picture: Image.Image, scale: int, panel: Panel) -> None:
    """As the border of a country on the map that is to be attacked."""
    away, draw = round(VIOLATED_AWAY * scale), ImageDraw.Draw(picture)
    left, top, right, bottom = panel.left + away, panel.top + away, panel.right - away, panel.bottom - away
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        draw_broken(draw, start, end, scale)


@lru_cache(maxsize=16)
def _veil(scale: int, panel: Panel) -> Image.Image:
    lines = hatching(scale, panel.left, panel.top, panel.right, panel.bottom)
    return lines.point([0] + [255] * 255)


def _draw_worth(picture: Image.Image, scale: int, panel: Panel, view: View, y: float, intended: Intended) -> None:
    """In a row: the emblem of the owner or the side to come, what the box gives on this turn, its fort, new points."""
    place, gap = panel.place, BOX_GAP * scale
    signs = [*_standing(scale, place, view), *_yield(scale, place, view)]
    if place in view.forts:
        signs.append(fort_sign(view, place, scale, given_up=place in intended.given_up))
    if place in intended.works:
        signs.append(work_tag(intended.works[place], intended.side, scale))
    width = sum(sign.image.width for sign in signs) + gap * (len(signs) - 1)
    x = (panel.left + panel.right - width) / 2
    for sign in signs:
        stamp(picture, sign, x + sign.x, y)
        x += sign.image.width + gap


def _standing(scale: int, place: str, view: View) -> Iterator[Sprite]:
    """Whose the box is, or which side its country will join."""
    owner, country = view.places[place].owner, europe()[place].country or europe()[place].name
    if owner in palette().sides:
        yield emblem(owner, round(EMBLEM_SIZE * scale), side_colours(owner).counter)
    yield from (prospect(row, scale) for row in view.politics if row.country == country and row.joins)


def _yield(scale: int, place: str, view: View) -> Iterator[Sprite]:
    known = view.places[place]
    by_calendar = load_scenario(view.scenario).box_production(europe(), place, view.turn)
    points = by_calendar if known.capacity is None else known.capacity
    if points:
        yield production(points, min(known.devastated, points), known.ruined, round(COG_SIZE * scale))


def _draw_armies(picture: Image.Image, scale: int, panel: Panel, faces: list[Face]) -> None:
    """One below the other in a tall panel, else as in a hex."""
    x, top = (panel.left + panel.right) / 2, panel.top + 1.1 * scale
    if panel.bottom - panel.top < TALL * scale:
        draw_stack(picture, scale, faces, x, panel.bottom - 0.42 * scale)
        return
    step = min(0.66 * scale, (panel.bottom - top - 0.4 * scale) / len(faces))
    for number, face in enumerate(faces):
        draw_stack(picture, scale, [face], x, top + number * step)


def draw_ways_in(picture: Image.Image, frame: Frame, box: str) -> None:
    """A small double arrow beside each hex that touches the box."""
    sprite = letters("↔", "bold", 0.2 * frame.scale, palette().ink, palette().paper)
    for edge in europe().grid.edges(box):
        if edge.kind == "touch":
            stamp(picture, sprite, *frame.pixel(frame.atlas.map.east - 0.14, frame.atlas.middle(edge.to)[1]))
