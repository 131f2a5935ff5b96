"""The whole board on one sheet."""

from collections.abc import Iterable

from PIL import Image

from engine.events import Event
from engine.hitlers_war.view import View
from pbem.draw.board import paint_board
from pbem.draw.boxes import draw_ways_in
from pbem.draw.encode import as_png
from pbem.draw.furniture import draw_compass, draw_scale, draw_title, draw_turn_track
from pbem.draw.geometry import Frame, whole_sheet
from pbem.draw.happenings import happenings
from pbem.draw.legend import draw_key_to_events, draw_legend
from pbem.games.hitlers_war.atlas import COLUMN, MAP, SIBERIA, europe_atlas
from pbem.games.hitlers_war.style import style

#: Pixels a hex is wide.
SCALE = 88


def map_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """The board as a side knows it, with what it was told of the last turn."""
    return as_png(paint_map(view, tuple(told), SCALE), style())


def paint_map(view: View, told: tuple[Event, ...], scale: int) -> Image.Image:
    frame = whole_sheet(europe_atlas(), scale)
    picture = paint_board(view, happenings(view, told), frame)
    _furnish(picture, frame, view, told)
    return picture


def _furnish(picture: Image.Image, frame: Frame, view: View, told: tuple[Event, ...]) -> None:
    draw_title(picture, frame, view)
    draw_legend(picture, frame, view)
    if told:
        draw_key_to_events(picture, frame, view)
    draw_scale(picture, frame)
    if SIBERIA in view.places:
        draw_ways_in(picture, frame, SIBERIA)
    draw_turn_track(picture, frame, view)
    x, y = frame.pixel(MAP.east + COLUMN / 2 + 0.1, MAP.north - 1.0)
    draw_compass(picture, frame.scale, x, y)
