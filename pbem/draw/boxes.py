"""The boxes off the map as panels at its edge, with their owner, production and armies."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from PIL import Image, ImageDraw

from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.view import ArmyView, PlaceView, View
from pbem.draw.control import hatching
from pbem.draw.counters import armies_by_place, draw_stack, face_of
from pbem.draw.fonts import fitted
from pbem.draw.geometry import EAST, MARGIN, ROW, Frame, Point, middle
from pbem.draw.marks import emblem, production
from pbem.draw.palette import palette, side_colours, veil_line, veiled_tint
from pbem.draw.prospects import prospect
from pbem.draw.sprites import letters, stamp

#: West, north, width and height of each panel, in hex widths on the board.
PANELS = {
    "US": (1.5, 15.9, 1.75, 1.9),
    "CANADA": (1.5, 13.85, 1.75, 1.9),
    "FRAFRICA": (9.15, 1.92, 1.95, 1.42),
    "BRAFRICA": (11.25, 1.92, 1.95, 1.42),
    "INDIA": (EAST + MARGIN * 0.5, 1.6, 1.3, 1.5),
    "SIBERIA": (EAST + MARGIN * 0.5, 22.5 * ROW, 1.3, 10 * ROW),
}
NAME_SIZE, COG_SIZE, EMBLEM_SIZE = 0.15, 0.3, 0.15
TALL = 3.0


class Panel(msgspec.Struct, frozen=True):
    place: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def panels(view: View, frame: Frame) -> Iterator[Panel]:
    """Of the boxes that are in the war."""
    for place, (west, north, width, height) in PANELS.items():
        if place in view.places:
            left, top = (round(part) for part in frame.pixel(west, north))
            yield Panel(place, left, top, left + round(width * frame.scale), top + round(height * frame.scale))


def draw_boxes(picture: Image.Image, frame: Frame, view: View) -> None:
    armies = armies_by_place(view)
    for panel in panels(view, frame):
        draw_box(picture, frame.scale, panel, view, armies.get(panel.place, []))
    if "SIBERIA" in view.places:
        _draw_ways_in(picture, frame, "SIBERIA")


def draw_box(picture: Image.Image, scale: int, panel: Panel, view: View, present: list[ArmyView]) -> None:
    known = view.places[panel.place]
    _draw_ground(picture, scale, panel, known)
    x = (panel.left + panel.right) / 2
    name = europe()[panel.place].name
    text, size = fitted(name.upper(), "narrow bold", NAME_SIZE * scale, (panel.right - panel.left) * 0.92)
    top = panel.top + 0.22 * scale
    stamp(picture, letters(text, "narrow bold", size, palette().ink), x, top)
    _draw_worth(picture, scale, panel, view, known, top + 0.32 * scale)
    _draw_prospect(picture, scale, panel, view, top + 0.32 * scale)
    if present:
        _draw_armies(picture, scale, panel, view, present)


def _draw_ground(picture: Image.Image, scale: int, panel: Panel, known: PlaceView) -> None:
    table = palette()
    box = (panel.left, panel.top, panel.right, panel.bottom)
    draw = ImageDraw.Draw(picture)
    draw.rectangle(box, fill=veiled_tint(known.owner, known.in_sight))
    if not known.in_sight:
        picture.paste(veil_line(known.owner), (panel.left, panel.top), _veil(scale, panel))
    draw.rectangle(box, outline=table.ink, width=max(2, round(scale * 0.02)))


@lru_cache(maxsize=16)
def _veil(scale: int, panel: Panel) -> Image.Image:
    lines = hatching(scale, panel.left, panel.top, panel.right - panel.left, panel.bottom - panel.top)
    return lines.point([0] + [255] * 255)


def _draw_worth(picture: Image.Image, scale: int, panel: Panel, view: View, known: PlaceView, y: float) -> None:
    """The emblem of the owner and what the box gives on this turn."""
    by_calendar = load_scenario(view.scenario).box_production(europe(), panel.place, view.turn)
    points = by_calendar if known.capacity is None else known.capacity
    x, away = (panel.left + panel.right) / 2, 0.2 * scale
    if known.owner in palette().sides:
        sign = emblem(known.owner, round(EMBLEM_SIZE * scale), side_colours(known.owner).counter)
        stamp(picture, sign, x - away, y)
    if points:
        cog = production(points, min(known.devastated, points), known.ruined, round(COG_SIZE * scale))
        stamp(picture, cog, x + away, y)


def _draw_prospect(picture: Image.Image, scale: int, panel: Panel, view: View, y: float) -> None:
    """The side that the country of the box will join, where the emblem will be."""
    country = europe()[panel.place].country or europe()[panel.place].name
    for row in view.politics:
        if row.country == country and row.joins:
            stamp(picture, prospect(row, scale), (panel.left + panel.right) / 2 - 0.36 * scale, y)


def _draw_armies(picture: Image.Image, scale: int, panel: Panel, view: View, present: list[ArmyView]) -> None:
    """One below the other in a tall panel, else as in a hex."""
    x, top = (panel.left + panel.right) / 2, panel.top + 1.1 * scale
    faces = [face_of(view, army) for army in present]
    if panel.bottom - panel.top < TALL * scale:
        draw_stack(picture, scale, faces, x, panel.bottom - 0.42 * scale)
        return
    step = min(0.66 * scale, (panel.bottom - top - 0.4 * scale) / len(faces))
    for number, face in enumerate(faces):
        draw_stack(picture, scale, [face], x, top + number * step)


def _draw_ways_in(picture: Image.Image, frame: Frame, box: str) -> None:
    """A small double arrow beside each hex that touches the box."""
    sprite = letters("↔", "bold", 0.2 * frame.scale, palette().ink, palette().paper)
    for edge in europe().grid.edges(box):
        if edge.kind == "touch":
            stamp(picture, sprite, *frame.pixel(EAST - 0.14, middle(edge.to)[1]))
