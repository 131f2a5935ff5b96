"""Who dies: removing strength points by the owner's orders, point by point (HW-8.12, D-11, D-12)."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.hitlers_war.events import ArmyEliminated, GarrisonLost, HitsIgnored, PointsLost
from engine.hitlers_war.policy import in_precision, keys_of_army, keys_of_place
from engine.hitlers_war.state import Army
from engine.hitlers_war.war import War

#: Types lost first where no order says otherwise; tac air only when nothing else is left (HW-25.11).
ATTACKER_TYPES = ("inf", "para", "mech", "amph", "tac")
DEFENDER_TYPES = ("inf", "para", "amph", "mech", "tac")
CULLED_TYPES = ("inf", "para", "mech", "amph")  # tac air does not count for stacking

Left = dict[str, dict[str, int]]  # points by army and type


class Exposed(msgspec.Struct, frozen=True):
    """Armies of one side that may lose points over a hex, and how the choice falls where no order decides."""

    armies: Sequence[Army]
    target: str
    kinds: tuple[str, ...]
    decision: str
    without_order: Callable[[Sequence[Army], Left], Army]


def attackers_lose(war: War, exposed: Sequence[Army], target: str, hits: int) -> None:
    """Losses from a defensive assault fall on the armies named against the hex."""

    def without_order(alive: Sequence[Army], left: Left) -> Army:
        # D-11: first an army that is not to advance, then the one with the most points.
        return min(alive, key=lambda army: (army.may_advance, -sum(left[army.id].values())))

    _lose(war, Exposed(exposed, target, ATTACKER_TYPES, "D-11", without_order), hits)


def defenders_lose(war: War, target: str, hits: int) -> None:
    """Losses from an attacker's assault fall on the armies in the hex, or on its garrison."""
    armies = war.armies_in(target)
    if not armies:
        _garrison_loses(war, target, hits)
        return

    def without_order(alive: Sequence[Army], left: Left) -> Army:
        # D-12: the smallest army, but none is emptied while another can take the loss.
        size = {army.id: sum(left[army.id].values()) for army in alive}
        return min(alive, key=lambda army: (size[army.id] == 1, size[army.id]))

    _lose(war, Exposed(armies, target, DEFENDER_TYPES, "D-12", without_order), hits)


def cull(war: War, place: str, excess: int) -> Iterator[tuple[Army, dict[str, int]]]:
    """HW-7.3: points above the limit at the end of movement, by the owner's LOSSES order."""

    def without_order(alive: Sequence[Army], left: Left) -> Army:
        return max(alive, key=lambda army: sum(left[army.id].values()))

    armies = war.armies_in(place)
    if excess:
        yield from _remove(armies, _plan(war, Exposed(armies, place, CULLED_TYPES, "D-05", without_order), excess))


def _garrison_loses(war: War, target: str, hits: int) -> None:
    lost = min(hits, war.garrison(target))
    if lost:
        war.state.ungarrisoned[target] = True
        war.emit(GarrisonLost(war.owner(target), target, seen_by=war.seeing(target)))
    _ignore(war, target, hits - lost)


def _lose(war: War, exposed: Exposed, hits: int) -> None:
    ignored = hits
    for army, lost in _remove(exposed.armies, _plan(war, exposed, hits)):
        count = sum(lost.values())
        army.lost += count
        ignored -= count
        _report_loss(war, army, count, lost)
    _ignore(war, exposed.target, ignored)


def _report_loss(war: War, army: Army, count: int, lost: dict[str, int]) -> None:
    seen_by = war.seeing(army.place)
    if army.strength:
        war.emit(PointsLost(army.side, army.id, army.place, count, lost, seen_by=seen_by))
        return
    war.remove_army(army)  # HW-8.13
    if not war.armies_in(army.place):
        war.state.ungarrisoned[army.place] = True  # HW-8.14
    war.emit(ArmyEliminated(army.side, army.id, army.place, "losses", count, lost, seen_by=seen_by))


def _ignore(war: War, target: str, hits: int) -> None:
    if hits:
        war.emit(HitsIgnored(war.owner(target), target, hits, seen_by=war.seeing(target)))


# ------------------------------------------------------------------ choosing


def _plan(war: War, exposed: Exposed, hits: int) -> Left:
    """What each army loses. Points go one at a time; an army named first is emptied before the next is touched."""
    if not (exposed.armies and hits):
        return {}
    choice = _Choice(war, exposed)
    for _ in range(hits):
        if not choice.take_one():
            break
    choice.report_default()
    return choice.lost


class _Choice:
    """The owner's choice under way: what is left, what is lost, and whether a default had to decide."""

    def __init__(self, war: War, exposed: Exposed) -> None:
        self.war, self.exposed = war, exposed
        self.orders = war.losses_orders(exposed.armies[0].side)
        places = in_precision(self.orders, keys_of_place(war.board, exposed.target))
        self.named = next((order.armies for order in places if order.armies), ())
        self.ordered_types = {army.id: self._types_ordered(army) for army in exposed.armies}
        self.left: Left = {army.id: {kind: getattr(army, kind) for kind in exposed.kinds} for army in exposed.armies}
        self.lost: Left = {}
        self.by_default = False

    def _types_ordered(self, army: Army) -> list[str]:
        keys = keys_of_army(self.war.board, army, self.exposed.target)
        ordered = next((order.types for order in in_precision(self.orders, keys) if order.types), ())
        return [kind for kind in ordered if kind in self.exposed.kinds]

    def take_one(self) -> bool:
        alive = [army for army in self.exposed.armies if any(self.left[army.id].values())]
        if not alive:
            return False
        army = self._army(alive)
        kind = self._type(army)
        self.left[army.id][kind] -= 1
        mine = self.lost.setdefault(army.id, {})
        mine[kind] = mine.get(kind, 0) + 1
        return True

    def _army(self, alive: Sequence[Army]) -> Army:
        for name in self.named:
            for army in alive:
                if army.id == name:
                    return army
        self.by_default = self.by_default or len(alive) > 1
        return self.exposed.without_order(alive, self.left)

    def _type(self, army: Army) -> str:
        present = [kind for kind in self.exposed.kinds if self.left[army.id][kind]]
        for kind in self.ordered_types[army.id]:
            if kind in present:
                return kind
        self.by_default = self.by_default or len(present) > 1
        return present[0]

    def report_default(self) -> None:
        if self.by_default:
            side, target = self.exposed.armies[0].side, self.exposed.target
            what = f"which points are lost at {target}"
            self.war.default_used(side, self.exposed.decision, what, f"LOSSES {target} FROM ... TYPES I,M")


def _remove(armies: Sequence[Army], lost: Left) -> Iterator[tuple[Army, dict[str, int]]]:
    """Carry a plan out army by army, so that each can be reported before the next."""
    for army in armies:
        if army.id in lost:
            for kind, count in lost[army.id].items():
                army.add(kind, -count)
            yield army, lost[army.id]
