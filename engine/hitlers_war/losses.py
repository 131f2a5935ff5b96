"""Who dies: removing strength points by the owner's orders, point by point (HW-8.12, D-11, D-12)."""

from collections.abc import Callable, Iterator, Sequence

from engine.hitlers_war.events import ArmyEliminated, GarrisonLost, HitsIgnored, PointsLost
from engine.hitlers_war.orders import Losses
from engine.hitlers_war.policy import in_precision, keys_of_army, keys_of_place
from engine.hitlers_war.state import Army
from engine.hitlers_war.war import War

#: Types lost first where no order says otherwise; tac air only when nothing else is left (HW-25.11).
ATTACKER_TYPES = ("inf", "para", "mech", "amph", "tac")
DEFENDER_TYPES = ("inf", "para", "amph", "mech", "tac")

Left = dict[str, dict[str, int]]  # points by army and type
Chooser = Callable[[Sequence[Army], Left], Army]


def attackers_lose(war: War, exposed: Sequence[Army], target: str, hits: int) -> int:
    """Losses from a defensive assault fall on the armies named against the hex. Returns what was lost."""

    def without_order(alive: Sequence[Army], left: Left) -> Army:
        # D-11: first an army that is not to advance, then the one with the most points.
        return min(alive, key=lambda army: (army.may_advance, -sum(left[army.id].values())))

    return _lose(war, exposed, target, hits, without_order, ATTACKER_TYPES)


def defenders_lose(war: War, target: str, hits: int) -> int:
    """Losses from an attacker's assault fall on the armies in the hex, or on its garrison. Returns what was lost."""
    armies = war.armies_in(target)
    if not armies:
        return _garrison_loses(war, target, hits)

    def without_order(alive: Sequence[Army], left: Left) -> Army:
        # D-12: the smallest army, but none is emptied while another can take the loss.
        size = {army.id: sum(left[army.id].values()) for army in alive}
        return min(alive, key=lambda army: (size[army.id] == 1, size[army.id]))

    lost = _lose(war, armies, target, hits, without_order, DEFENDER_TYPES)
    if not war.armies_in(target):
        war.state.ungarrisoned[target] = True  # HW-8.14
    return lost


def cull(war: War, place: str, excess: int) -> Iterator[tuple[Army, dict[str, int]]]:
    """HW-7.3: points above the limit at the end of movement, by the owner's LOSSES order; tac air does not count."""

    def without_order(alive: Sequence[Army], left: Left) -> Army:
        return max(alive, key=lambda army: sum(left[army.id].values()))

    kinds = tuple(kind for kind in ATTACKER_TYPES if kind != "tac")
    yield from _remove(war.armies_in(place), _plan(war, war.armies_in(place), place, excess, without_order, kinds))


def _garrison_loses(war: War, target: str, hits: int) -> int:
    lost = min(hits, war.garrison(target))
    if lost:
        war.state.ungarrisoned[target] = True
        war.emit(GarrisonLost(war.owner(target), target, seen_by=war.seeing(target)))
    _ignore(war, target, hits - lost)
    return lost


def _lose(
    war: War, armies: Sequence[Army], target: str, hits: int, without_order: Chooser, kinds: tuple[str, ...]
) -> int:
    total = 0
    for army, lost in _remove(armies, _plan(war, armies, target, hits, without_order, kinds)):
        count = sum(lost.values())
        army.lost += count
        total += count
        _report_loss(war, army, count, lost)
    _ignore(war, target, hits - total)
    return total


def _report_loss(war: War, army: Army, count: int, lost: dict[str, int]) -> None:
    seen_by = war.seeing(army.place)
    if army.strength:
        war.emit(PointsLost(army.side, army.id, army.place, count, lost, seen_by=seen_by))
        return
    war.remove_army(army)  # HW-8.13
    if not war.armies_in(army.place):
        war.state.ungarrisoned[army.place] = True
    war.emit(ArmyEliminated(army.side, army.id, army.place, "losses", count, lost, seen_by=seen_by))


def _ignore(war: War, target: str, hits: int) -> None:
    if hits:
        war.emit(HitsIgnored(war.owner(target), target, hits, seen_by=war.seeing(target)))


def _plan(
    war: War, armies: Sequence[Army], target: str, hits: int, without_order: Chooser, kinds: tuple[str, ...]
) -> Left:
    """What each army loses. Points go one at a time; an army named first is emptied before the next is touched."""
    if not armies:
        return {}
    orders = war.losses_orders(armies[0].side)
    named = next((o.armies for o in in_precision(orders, keys_of_place(war.board, target)) if o.armies), ())
    kinds_of = {army.id: _types_in_order(war, orders, army, target, kinds) for army in armies}
    left = {army.id: {kind: getattr(army, kind) for kind in kinds} for army in armies}
    lost: Left = {}
    for _ in range(hits):
        alive = [army for army in armies if any(left[army.id].values())]
        if not alive:
            break
        army = next((a for name in named for a in alive if a.id == name), None) or without_order(alive, left)
        kind = next(kind for kind in kinds_of[army.id] if left[army.id][kind])
        left[army.id][kind] -= 1
        mine = lost.setdefault(army.id, {})
        mine[kind] = mine.get(kind, 0) + 1
    return lost


def _remove(armies: Sequence[Army], lost: Left) -> Iterator[tuple[Army, dict[str, int]]]:
    """Carry a plan out army by army, so that each can be reported before the next."""
    for army in armies:
        if army.id in lost:
            for kind, count in lost[army.id].items():
                army.add(kind, -count)
            yield army, lost[army.id]


def _types_in_order(
    war: War, orders: Sequence[Losses], army: Army, target: str, kinds: tuple[str, ...]
) -> tuple[str, ...]:
    """The types the owner ordered first, then the rest in the usual order."""
    keys = keys_of_army(war.board, army, target)
    ordered = next((o.types for o in in_precision(orders, keys) if o.types), ())
    chosen = [kind for kind in ordered if kind in kinds]
    return (*chosen, *(kind for kind in kinds if kind not in chosen))
