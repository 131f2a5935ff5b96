"""The board as a side knows it, in painter's order.

Ground, control, lines along hexsides, boxes, ways, names, counters, battles, forts.
"""

from PIL import Image

from engine.hitlers_war.view import View
from pbem.draw.arrows import draw_battles, draw_captures
from pbem.draw.boxes import draw_box
from pbem.draw.control import tinted_ground
from pbem.draw.counters import draw_stack, faces_by_place
from pbem.draw.forts import draw_forts
from pbem.draw.geometry import Frame
from pbem.draw.happenings import Happenings
from pbem.draw.hexsides import draw_front, draw_straits, draw_violations
from pbem.draw.intended import NOTHING, Intended
from pbem.draw.labels import draw_great_names, draw_hex_labels
from pbem.draw.places import Places, is_hex, panels_inside
from pbem.draw.prospects import draw_prospects
from pbem.draw.scene import Holding
from pbem.draw.voyages import draw_voyage
from pbem.draw.ways import Ways
from pbem.games.hitlers_war.style import style

#: A hex with more armies than this has no room left beside them.
ROOM_BESIDE = 2


def paint_board(
    view: View, found: Happenings, frame: Frame, where: Places | None = None, intended: Intended = NOTHING
) -> Image.Image:
    """The part of the board a frame shows, with the boxes that have room in it.

    `where` says where places are, if some are elsewhere.
    """
    at, boxes = where or Places(view, frame), panels_inside(view, frame)
    stacks = faces_by_place(view, intended)
    holdings = {place: Holding(known.owner, known.in_sight) for place, known in view.places.items()}
    picture = tinted_ground(frame, style(), holdings).convert("RGB")  # for colours between those of the palette
    draw_straits(picture, frame)
    draw_great_names(picture, frame, list(filter(is_hex, stacks)))
    draw_captures(picture, frame, found)
    draw_violations(picture, frame, intended)
    draw_front(picture, frame, view)
    for panel in boxes:
        draw_box(picture, frame.scale, panel, view, stacks.get(panel.place, []), intended)
    ways = Ways(view, frame, at, stacks)
    for way in found.ways:
        ways.draw(picture, way)
    for sailing in found.sailings:
        draw_voyage(picture, frame.scale, at, sailing.side, sailing.places, sailing.manner)
    crowded = [place for place in stacks if len(stacks[place]) > ROOM_BESIDE]
    draw_hex_labels(picture, frame, view, crowded)
    draw_prospects(picture, frame, view, stacks)
    for place, faces in stacks.items():
        if is_hex(place) and frame.shows_hex(place):
            draw_stack(picture, frame.scale, faces, *frame.pixel_of(place))
    draw_battles(picture, frame.scale, found, at)
    draw_forts(picture, frame, view, crowded, intended.given_up)
    return picture
