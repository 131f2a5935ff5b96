"""The part of the board where the war is, cut out at reading size."""

from collections.abc import Iterable

from engine.events import Event
from engine.hitlers_war.view import View
from pbem.draw.board import paint_board
from pbem.draw.cutout import cut_out, frame_for
from pbem.draw.encode import as_png
from pbem.draw.furniture import title_lines
from pbem.draw.happenings import happenings
from pbem.draw.legend import key_to_front
from pbem.draw.theatre import active_part
from pbem.games.hitlers_war.style import style


def front_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """A cut-out around the front and the armies near it."""
    found = happenings(view, told)
    frame = frame_for(active_part(view, found))
    board, key = paint_board(view, found, frame), key_to_front(view, bool(found))
    return as_png(cut_out(view, board, frame, title_lines(view), key), style())
