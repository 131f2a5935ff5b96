"""The key beside a player's own orders: what they use, and in words what could not be drawn."""

from collections.abc import Iterable, Iterator, Sequence

from engine.grand_strategy.drafted import Drafted
from pbem.draw.cutout import COLUMN, KEY_SCALE
from pbem.draw.fonts import folded
from pbem.draw.key import TEXT_SIZE
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
from pbem.games.hitlers_war.brief import LEND_LEASE, REPAIR
from pbem.games.hitlers_war.names import as_in_orders

MOST_IN_WORDS = 12
#: How wide the key is, and how high its letters are, in hundredths of a hex.
WIDTH, LETTERS = 100 * COLUMN / KEY_SCALE, 100 * TEXT_SIZE


def key_to_orders(drafted: Drafted) -> Iterator[KeyPart]:
    """What the orders use, and nothing they do not; then what could not be drawn."""
    if entries := tuple(_entries(drafted)):
        yield KeyPart("ORDERS", entries)
    if drafted.in_words:
        lines = [as_in_orders(each.order) for each in drafted.in_words]
        yield KeyPart("ALSO ORDERED", tuple(map(KeyEntry, _folded(_shortened(lines)))))


def _entries(drafted: Drafted) -> Iterator[KeyEntry]:
    side = drafted.side
    if drafted.deployed:
        yield KeyEntry("deployed", RingSample(side))
    if drafted.moves:
        yield KeyEntry("move", ArrowSample(side, "moved"))
    advance = {each.advances for each in drafted.attacks}
    if "yes" in advance:
        yield KeyEntry("attack and advance", ArrowSample(side, "attacks"))
    if "perhaps" in advance:
        yield KeyEntry("advance on a condition", ArrowSample(side, "may attack"))
    if drafted.voyages:
        yield KeyEntry("by sea", ArrowSample(side, "sails"))
    if drafted.landings:
        yield KeyEntry("landing from the sea", ArrowSample(side, "lands"))
    if drafted.supports:
        yield KeyEntry("ships support", SignSample("salvo"))
    fire = {attack.fires for attack in drafted.attacks} | {landing.fires for landing in drafted.landings}
    if "yes" in fire:
        yield KeyEntry("assault", SignSample("fires"))
    if "perhaps" in fire:
        yield KeyEntry("assault on a condition", SignSample("may fire"))
    yield from _later_entries(drafted)


def _later_entries(drafted: Drafted) -> Iterator[KeyEntry]:
    side = drafted.side
    if any(not step.open for step in drafted.steps):
        yield KeyEntry("exploitation", ArrowSample(side, "exploits"))
    if any(step.open for step in drafted.steps):
        yield KeyEntry("one or the other", ArrowSample(side, "may exploit"))
    if drafted.steps:
        yield KeyEntry("army and step", TagSample("step", side, "A 2"))
    if any(not retreat.avoided for retreat in drafted.retreats):
        yield KeyEntry("retreat, if it must", ArrowSample(side, "falls back"))
    if any(retreat.avoided for retreat in drafted.retreats):
        yield KeyEntry("never there", SignSample("never", side))
    works = {work.kind for work in drafted.works}
    if works & {"build", "fort", "gift"}:
        yield KeyEntry("new points", TagSample("work", side, "+2I"))
    if "repair" in works:
        yield KeyEntry("repair", TagSample("work", side, f"{REPAIR}1"))
    if "lend-lease" in works:
        yield KeyEntry("lend-lease", TagSample("work", side, f"{LEND_LEASE} 2"))
    yield from _entries_of_forts_and_countries(drafted)


def _entries_of_forts_and_countries(drafted: Drafted) -> Iterator[KeyEntry]:
    if drafted.given_up:
        yield KeyEntry("fort given up", FortSample(Fort(drafted.side, "2", given_up=True)))
    if any(each.points for each in drafted.newcomers):
        yield KeyEntry("forces of a new ally", _hollow_army(drafted.side, "2I"))
    if any(not each.points for each in drafted.newcomers):
        yield KeyEntry("army that joins you", _hollow_army(drafted.side, "Italy"))
    if drafted.violations:
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
    if len(lines) <= MOST_IN_WORDS:
        return list(lines)
    return [*lines[: MOST_IN_WORDS - 1], f"… and {len(lines) - MOST_IN_WORDS + 1} more"]
