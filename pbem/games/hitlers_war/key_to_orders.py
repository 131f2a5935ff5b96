"""The key beside a player's own orders: what they use, and in words what could not be drawn."""

from collections.abc import Iterable, Iterator, Sequence

from pbem.draw.cutout import COLUMN, KEY_SCALE
from pbem.draw.fonts import folded
from pbem.draw.key import TEXT_SIZE
from pbem.draw.plan import LEND_LEASE, Plan
from pbem.draw.scene import (
    ArrowSample,
    CounterSample,
    Face,
    Fort,
    FortSample,
    KeyEntry,
    KeyPart,
    RingSample,
    SignSample,
    TagSample,
)

MOST_UNTOLD = 12
#: How wide the key is, and how high its letters are, in hundredths of a hex.
WIDTH, LETTERS = 100 * COLUMN / KEY_SCALE, 100 * TEXT_SIZE


def key_to_orders(plan: Plan) -> Iterator[KeyPart]:
    """What the orders use, and nothing they do not; then what could not be drawn."""
    if entries := tuple(_entries(plan)):
        yield KeyPart("ORDERS", entries)
    if plan.untold:
        yield KeyPart("ALSO ORDERED", tuple(map(KeyEntry, _folded(_shortened(plan.untold)))))


def _entries(plan: Plan) -> Iterator[KeyEntry]:
    side = plan.side
    if plan.deployed:
        yield KeyEntry("deployed", RingSample(side))
    if plan.moves:
        yield KeyEntry("move", ArrowSample(side, "moved"))
    advances = [each for each in plan.assaults if each.advances]
    if any(not each.advances_if for each in advances):
        yield KeyEntry("attack and advance", ArrowSample(side, "attacks"))
    if any(each.advances_if for each in advances):
        yield KeyEntry("advance on a condition", ArrowSample(side, "may attack"))
    if any(not voyage.lands for voyage in plan.voyages):
        yield KeyEntry("by sea", ArrowSample(side, "sails"))
    if any(voyage.lands for voyage in plan.voyages):
        yield KeyEntry("landing from the sea", ArrowSample(side, "lands"))
    if plan.bombarded:
        yield KeyEntry("ships support", SignSample("salvo"))
    conditional = {each.fires_if for each in plan.assaults if each.fires}
    conditional |= {each.fires_if for each in plan.voyages if each.fires}
    if False in conditional:
        yield KeyEntry("assault", SignSample("fires"))
    if True in conditional:
        yield KeyEntry("assault on a condition", SignSample("may fire"))
    yield from _later_entries(plan)


def _later_entries(plan: Plan) -> Iterator[KeyEntry]:
    side = plan.side
    if any(not leg.open for leg in plan.legs):
        yield KeyEntry("exploitation", ArrowSample(side, "exploits"))
    if any(leg.open for leg in plan.legs):
        yield KeyEntry("one or the other", ArrowSample(side, "may exploit"))
    if plan.legs:
        yield KeyEntry("army and step", TagSample("step", side, "A 2"))
    if any(not retreat.avoided for retreat in plan.retreats):
        yield KeyEntry("retreat, if it must", ArrowSample(side, "falls back"))
    if any(retreat.avoided for retreat in plan.retreats):
        yield KeyEntry("never there", SignSample("never", side))
    works = [work for each in plan.works.values() for work in each]
    if any(work.startswith("+") for work in works):
        yield KeyEntry("new points", TagSample("work", side, "+2I"))
    if any(work.startswith("⚒") for work in works):
        yield KeyEntry("repair", TagSample("work", side, "⚒1"))
    if any(work.startswith(LEND_LEASE) for work in works):
        yield KeyEntry("lend-lease", TagSample("work", side, f"{LEND_LEASE} 2"))
    yield from _entries_of_forts_and_countries(plan)


def _entries_of_forts_and_countries(plan: Plan) -> Iterator[KeyEntry]:
    if plan.given_up:
        yield KeyEntry("fort given up", FortSample(Fort(plan.side, "2", given_up=True)))
    if any(each.points for each in plan.newcomers):
        yield KeyEntry("forces of a new ally", _hollow_army(plan.side, "2I"))
    if any(not each.points for each in plan.newcomers):
        yield KeyEntry("army that joins you", _hollow_army(plan.side, "Italy"))
    if plan.violations:
        yield KeyEntry("country violated", SignSample("outline"))


def _hollow_army(side: str, strength: str) -> CounterSample:
    return CounterSample(Face(side, "Army", "foot", strength, hollow=True))


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
