"""A player's own orders drawn on his map, for the receipt: his armies as he wants them, and where they are to go."""

from collections.abc import Iterable

import msgspec
from PIL import Image

from engine.hitlers_war.view import View
from engine.orders import Finding, Sheet
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
from pbem.draw.sailing import left_in_pool
from pbem.draw.theatre import active_part, part_around
from pbem.games.hitlers_war.brief import composition
from pbem.games.hitlers_war.style import style


def orders_png(view: View, sheet: Sheet, findings: Iterable[Finding] = ()) -> bytes:
    """The lines of a sheet as arrows, without those that were refused in reading it or by further findings."""
    return plan_png(view, plan_of(view, sheet, findings))


def plan_png(view: View, plan: Plan) -> bytes:
    """What a side wants, as it was laid out before."""
    ordered = msgspec.structs.replace(view, armies=plan.armies)
    part = part_around(plan.places()) or active_part(ordered, Happenings())
    frame, intended = frame_for(part), intended_by(plan, ordered)
    board = paint_orders(ordered, plan, frame, intended)
    key = [*key_to_orders(plan), *key_to_front(view, happened=False)]
    return as_png(cut_out(ordered, board, frame, _titles(view, plan), key, intended), style())


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
    left = left_in_pool(plan)
    remark = f"Left in your pool: {composition(left)}" if left else "As ordered, not as it will happen"
    return war, f"Orders of the {side_name(plan.side)}, {date}", remark
