"""The key beside a player's own orders: what they use, and in words what could not be drawn."""

from collections.abc import Iterable, Iterator, Sequence

from pbem.draw import legend
from pbem.draw.arrows import SALVO_SIZE, battle_star, salvo, tag, work_tag
from pbem.draw.cutout import COLUMN, KEY_SCALE
from pbem.draw.fonts import folded
from pbem.draw.legend import Entry, Part, Sample, arrow, ring
from pbem.draw.marks import cross
from pbem.draw.ordered import NAME_SIZE
from pbem.draw.palette import side_colours
from pbem.draw.plan import LEND_LEASE, Plan

MOST_UNTOLD = 12
#: How wide the key is, and how high its letters are, in hundredths of a hex.
WIDTH, LETTERS = 100 * COLUMN / KEY_SCALE, 100 * legend.TEXT_SIZE


def key_to_orders(plan: Plan) -> Iterator[Part]:
    """What the orders use, and nothing they do not; then what could not be drawn."""
    if entries := tuple(_entries(plan)):
        yield "ORDERS", entries
    if plan.untold:
        yield "ALSO ORDERED", tuple((None, text) for text in _folded(_shortened(plan.untold)))


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
    yield from _entries_of_forts_and_countries(plan)


def _entries_of_forts_and_countries(plan: Plan) -> Iterator[Entry]:
    if plan.given_up:
        yield legend.given_up_fort(plan.side), "fort given up"
    if any(each.points for each in plan.newcomers):
        yield legend.hollow_army(plan.side, "2I"), "forces of a new ally"
    if any(not each.points for each in plan.newcomers):
        yield legend.hollow_army(plan.side, "Italy"), "army that joins you"
    if plan.violations:
        yield legend.violated_border, "country violated"


def _star(hollow: bool) -> Sample:
    return lambda scale: battle_star(round(0.24 * scale), hollow)


def _work(text: str, side: str) -> Sample:
    return lambda scale: work_tag([text], side, scale)


def _folded(lines: Iterable[str]) -> list[str]:
    """Each in as many rows of the key as it needs; what goes on is set in."""
    rows = []
    for line in lines:
        first, *rest = folded(line, "narrow", LETTERS, WIDTH)
        rows += [first, *(f"   {row}" for row in rest)]
    return rows


def _shortened(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_UNTOLD:
        return list(lines)
    return [*lines[: MOST_UNTOLD - 1], f"… and {len(lines) - MOST_UNTOLD + 1} more"]
