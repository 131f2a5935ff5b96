"""A player's own orders drawn on his map, for the receipt: his armies as he wants them, and where they are to go."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from PIL import Image

from engine.hitlers_war.view import View
from engine.orders import Finding, Sheet
from pbem.draw.arrows import SALVO_SIZE, Where, battle_star, salvo, tag
from pbem.draw.board import is_hex, paint_board
from pbem.draw.boxes import PANELS
from pbem.draw.counters import composition
from pbem.draw.cutout import cut_out, frame_for
from pbem.draw.encode import as_png
from pbem.draw.furniture import side_name, title_lines
from pbem.draw.geometry import Frame, Point
from pbem.draw.happenings import Happenings, Way
from pbem.draw.legend import Entry, Part, Sample, arrow, key_to_front, ring
from pbem.draw.marks import cross
from pbem.draw.ordered import NAME_SIZE, WORK_SIZE, Easel, draw_plan
from pbem.draw.palette import palette, side_colours
from pbem.draw.plan import LEND_LEASE, Plan
from pbem.draw.planning import plan_of
from pbem.draw.sailing import left_in_pool
from pbem.draw.theatre import active_part, part_around

#: How near to the edge of the picture a way to a box off the map ends, in hex widths.
EDGE = 0.25
MOST_UNTOLD = 12


def orders_png(view: View, sheet: Sheet, findings: Iterable[Finding] = ()) -> bytes:
    """The lines of a sheet as arrows, without those that were refused in reading it or by further findings."""
    plan = plan_of(view, sheet, findings)
    ordered = msgspec.structs.replace(view, armies=plan.armies)
    part = part_around(plan.places()) or active_part(ordered, Happenings())
    frame = frame_for(part)
    key = [*_key(plan), *key_to_front(view, happened=False)]
    return as_png(cut_out(ordered, _board(ordered, plan, frame), frame.scale, _titles(view, plan), key))


def _board(view: View, plan: Plan, frame: Frame) -> Image.Image:
    where = _hexes_and_edges(frame)
    moves = Happenings(ways=[Way(plan.side, move.origin, move.place, "moved") for move in plan.moves])
    picture = paint_board(view, moves, frame, where)
    draw_plan(Easel(picture, frame.scale, plan.side, where), plan)
    return picture


def _hexes_and_edges(frame: Frame) -> Where:
    """A box off the map is at the edge of the picture that is nearest to it."""

    def where(place: str) -> Point | None:
        if is_hex(place):
            return frame.pixel_of(place)
        if place not in PANELS:
            return None
        west, north, width, height = PANELS[place]
        x, y = frame.pixel(west + width / 2, north - height / 2)
        edge = EDGE * frame.scale
        return min(max(x, edge), frame.width - edge), min(max(y, edge), frame.height - edge)

    return where


def _titles(view: View, plan: Plan) -> tuple[str, str, str]:
    war, date, _ = title_lines(view)
    left = left_in_pool(plan)
    remark = f"Left in your pool: {composition(left)}" if left else "As ordered, not as it will happen"
    return war, f"Orders of the {side_name(plan.side)}, {date}", remark


# ------------------------------------------------------------------ key


def _key(plan: Plan) -> Iterator[Part]:
    """What the orders use, and nothing they do not; then what could not be drawn."""
    if entries := list(_entries(plan)):
        yield "ORDERS", entries
    if plan.untold:
        yield "ALSO ORDERED", [(None, text) for text in _shortened(plan.untold)]


def _entries(plan: Plan) -> Iterator[Entry]:
    side = plan.side
    if plan.deployed:
        yield ring(side), "deployed"
    if plan.moves:
        yield arrow(side, "moved"), "move"
    advances = [each for each in plan.assaults if each.advances]
    if any(not each.advances_if for each in advances):
        yield arrow(side, "attacks"), "attack and advance"
    if any(each.advances_if for each in advances):
        yield arrow(side, "may attack"), "advance on a condition"
    if any(not voyage.lands for voyage in plan.voyages):
        yield arrow(side, "sails"), "by sea"
    if any(voyage.lands for voyage in plan.voyages):
        yield arrow(side, "lands"), "landing from the sea"
    if plan.bombarded:
        yield (lambda scale: salvo(round(SALVO_SIZE * scale))), "ships support"
    conditional = {each.fires_if for each in plan.assaults if each.fires}
    conditional |= {each.fires_if for each in plan.voyages if each.fires}
    if False in conditional:
        yield _star(False), "assault"
    if True in conditional:
        yield _star(True), "assault on a condition"
    yield from _later_entries(plan)


def _later_entries(plan: Plan) -> Iterator[Entry]:
    side = plan.side
    if any(not leg.open for leg in plan.legs):
        yield arrow(side, "exploits"), "exploitation"
    if any(leg.open for leg in plan.legs):
        yield arrow(side, "may exploit"), "one or the other"
    if plan.legs:
        yield (lambda scale: tag("A 2", side, scale, side_colours(side).dark, NAME_SIZE)), "army and step"
    if any(not retreat.avoided for retreat in plan.retreats):
        yield arrow(side, "falls back"), "retreat, if it must"
    if any(retreat.avoided for retreat in plan.retreats):
        yield (lambda scale: cross(round(0.2 * scale), side_colours(side).dark)), "never there"
    works = [work for each in plan.works.values() for work in each]
    if any(work.startswith("+") for work in works):
        yield _work("+2I", side), "new points"
    if any(work.startswith("⚒") for work in works):
        yield _work("⚒1", side), "repair"
    if any(work.startswith(LEND_LEASE) for work in works):
        yield _work(f"{LEND_LEASE} 2", side), "lend-lease"


def _star(hollow: bool) -> Sample:
    return lambda scale: battle_star(round(0.24 * scale), hollow)


def _work(text: str, side: str) -> Sample:
    return lambda scale: tag(text, side, scale, palette().ink, WORK_SIZE)


def _shortened(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_UNTOLD:
        return list(lines)
    return [*lines[: MOST_UNTOLD - 1], f"… and {len(lines) - MOST_UNTOLD + 1} more"]
