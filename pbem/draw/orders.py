"""A player's own orders drawn on his map, for the receipt: his armies as he wants them, and where they are to go."""

import msgspec
from PIL import Image

from engine.hitlers_war.drafted import Drafted
from engine.hitlers_war.view import View
from pbem.draw.board import paint_board
from pbem.draw.cutout import cut_out, frame_for
from pbem.draw.encode import as_png
from pbem.draw.furniture import side_name, title_lines
from pbem.draw.geometry import Frame
from pbem.draw.happenings import Happenings, Sailing, Way
from pbem.draw.intended import Intended
from pbem.draw.key_to_orders import key_to_orders
from pbem.draw.legend import key_to_front
from pbem.draw.newcomers import intended_by
from pbem.draw.ordered import Easel, draw_plan
from pbem.draw.places import PlacesAndEdges
from pbem.draw.plan import Plan
from pbem.draw.planning import plan_of
from pbem.draw.theatre import active_part, part_around
from pbem.games.hitlers_war.brief import composition


def orders_png(view: View, drafted: Drafted) -> bytes:
    """What a sheet would come to as arrows, on the map as its side knows it."""
    plan = plan_of(drafted)
    ordered = msgspec.structs.replace(view, armies=plan.armies)
    part = part_around(plan.places()) or active_part(ordered, Happenings())
    frame, intended = frame_for(part), intended_by(plan, ordered)
    board = paint_orders(ordered, plan, frame, intended)
    key = [*key_to_orders(plan), *key_to_front(view, happened=False)]
    return as_png(cut_out(ordered, board, frame, _titles(view, plan), key, intended))


def paint_orders(view: View, plan: Plan, frame: Frame, intended: Intended) -> Image.Image:
    """The part of the board a frame shows, with the plan on it."""
    where = PlacesAndEdges(view, frame)
    picture = paint_board(view, _under_the_counters(plan), frame, where, intended)
    draw_plan(Easel(picture, frame.scale, plan.side, where), plan)
    return picture


def _under_the_counters(plan: Plan) -> Happenings:
    """Moves, voyages and where armies begin are drawn as what happened is."""
    return Happenings(
        ways=[Way(plan.side, move.origin, move.place, "moved") for move in plan.moves],
        sailings=[Sailing(plan.side, each.places, "lands" if each.lands else "sails") for each in plan.voyages],
        captured=dict.fromkeys(plan.deployed, plan.side),
    )


def _titles(view: View, plan: Plan) -> tuple[str, str, str]:
    war, date, _ = title_lines(view)
    remark = f"Left in your pool: {composition(plan.pool)}" if plan.pool else "As ordered, not as it will happen"
    return war, f"Orders of the {side_name(plan.side)}, {date}", remark
