"""The board as a side knows it, in painter's order: ground, control, lines, names, ways, counters, forts, battles."""

from PIL import Image

from engine.hitlers_war.europe import europe
from engine.hitlers_war.view import View
from pbem.draw.arrows import Where, draw_battles, draw_captures, draw_ways
from pbem.draw.control import controlled_board
from pbem.draw.counters import armies_by_place, draw_stack, face_of
from pbem.draw.forts import draw_forts
from pbem.draw.geometry import Frame, Point, whole_sheet
from pbem.draw.happenings import Happenings
from pbem.draw.hexsides import draw_front, draw_straits
from pbem.draw.labels import draw_great_names, draw_hex_labels
from pbem.draw.prospects import draw_prospects
from pbem.draw.voyages import draw_voyage

#: A hex with more armies than this has no room left beside them.
ROOM_BESIDE = 2


def paint_board(view: View, found: Happenings, frame: Frame, where: Where | None = None) -> Image.Image:
    """The part of the board a frame shows. `where` says where places are, if some are not hexes of the frame."""
    at = where or hexes_of(frame)
    armies = armies_by_place(view)
    picture = _ground(view, frame)
    draw_straits(picture, frame)
    draw_great_names(picture, frame, list(filter(is_hex, armies)))
    draw_captures(picture, frame, found)
    draw_front(picture, frame, view)
    draw_ways(picture, frame.scale, found, at, armies)
    for sailing in found.sailings:
        draw_voyage(picture, frame.scale, at, sailing.side, sailing.places, sailing.manner)
    crowded = [place for place in armies if len(armies[place]) > ROOM_BESIDE]
    draw_hex_labels(picture, frame, view, crowded)
    draw_prospects(picture, frame, view, armies)
    for place, present in armies.items():
        if is_hex(place) and frame.shows_hex(place):
            draw_stack(picture, frame.scale, [face_of(view, army) for army in present], *frame.pixel_of(place))
    draw_forts(picture, frame, view, crowded)
    draw_battles(picture, frame.scale, found, at)
    return picture


def _ground(view: View, frame: Frame) -> Image.Image:
    """Cut out of the whole sheet before it is made ready for colours between those of the palette."""
    sheet, whole = controlled_board(view, frame.scale), whole_sheet(frame.scale)
    if frame != whole:
        left, top = round((frame.west - whole.west) * frame.scale), round((whole.north - frame.north) * frame.scale)
        sheet = sheet.crop((left, top, left + frame.width, top + frame.height))
    return sheet.convert("RGB")


def is_hex(place: str) -> bool:
    return place in europe() and not europe()[place].is_box


def hexes_of(frame: Frame) -> Where:
    def where(place: str) -> Point | None:
        return frame.pixel_of(place) if is_hex(place) else None

    return where
