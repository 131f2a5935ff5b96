"""Who dies: removing strength points by the owner's orders, point by point (HW-8.12, D-11, D-12)."""

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from engine.grand_strategy.containers import Loss
from engine.grand_strategy.events import GarrisonLost, HitsIgnored
from engine.grand_strategy.policy import in_precision, keys_of_army, keys_of_place
from engine.grand_strategy.state import Army, Container
from engine.grand_strategy.war import War

Left = dict[str, dict[str, int]]  # points by counter and type


class Exposed(msgspec.Struct, frozen=True):
    """Counters of one side that may lose points over a hex, and how the choice falls where no order decides.

    The `kinds` of points stand in the order they are lost. Of invaders, at least `amphibious` of the points must be
    such while any are left (HW-13.10).
    """

    armies: Sequence[Container]
    target: str
    kinds: tuple[str, ...]
    decision: str
    without_order: Callable[[Sequence[Container], Left], Container]
    amphibious: int = 0
    shot_by: str = ""


def attackers_lose(war: War, exposed: Sequence[Army], target: str, hits: int) -> None:
    """Losses from a defensive assault fall on the armies named against the hex."""

    def without_order(alive: Sequence[Container], left: Left) -> Container:
        # D-11: first an army that is not to advance, then the one with the most points.
        return min(alive, key=lambda army: (army.may_advance, -sum(left[army.id].values())))

    _lose(war, Exposed(exposed, target, war.units.lost_attacking, "D-11", without_order), hits)


def invaders_lose(war: War, exposed: Sequence[Army], target: str, hits: int, shot_by: str) -> None:
    """Losses of armies at sea: at least half of each fire's, rounded up, are amphibious (HW-13.10, HW-13.13, D-28)."""

    def without_order(alive: Sequence[Container], left: Left) -> Container:
        return max(alive, key=lambda army: sum(left[army.id].values()))

    half = (hits + 1) // 2
    _lose(war, Exposed(exposed, target, war.units.lost_attacking, "D-28", without_order, half, shot_by), hits)


def defenders_lose(war: War, target: str, hits: int) -> None:
    """Losses from an attacker's assault fall on what is in the hex and does not absorb them (HW-14.6), and where nobody
    stands in its place, on the garrison first (A-19)."""
    here = war.state.containers_in(target)
    for container in here:
        hits -= war.kind_of(container).absorb(war, container, hits)
    if not war.is_occupied(target):
        hits -= _garrison_loses(war, target, hits)
    exposed = [container for container in here if container.strength]

    def without_order(alive: Sequence[Container], left: Left) -> Container:
        # D-12: the smallest army, but none is emptied while another can take the loss.
        size = {army.id: sum(left[army.id].values()) for army in alive}
        return min(alive, key=lambda army: (size[army.id] == 1, size[army.id]))

    _lose(war, Exposed(exposed, target, war.units.lost_defending, "D-12", without_order), hits)


def cull(war: War, place: str, excess: int) -> Iterator[tuple[Container, dict[str, int]]]:
    """HW-7.3: points above the limit at the end of movement, by the owner's LOSSES order."""

    def without_order(alive: Sequence[Container], left: Left) -> Container:
        return max(alive, key=lambda army: sum(left[army.id].values()))

    armies = [container for container in war.state.containers_in(place) if war.kind_of(container).moves]
    if excess:
        plan = _plan(war, Exposed(armies, place, war.units.culled, "D-05", without_order), excess)
        for army in armies:
            if army.id in plan:
                yield army, _remove(army, plan[army.id])


def _garrison_loses(war: War, target: str, hits: int) -> int:
    lost = min(hits, war.garrison(target))
    if lost:
        war.state.ungarrisoned[target] = True
        war.emit(GarrisonLost(war.owner(target), target, seen_by=war.witnesses(target, war.owner(target), war.phasing)))
    return lost


def _lose(war: War, exposed: Exposed, hits: int) -> None:
    plan, ignored = _plan(war, exposed, hits), hits
    for unit in exposed.armies:
        if unit.id not in plan:
            continue
        lost = _remove(unit, plan[unit.id])
        count = sum(lost.values())
        unit.lost += count
        ignored -= count
        # An army at sea loses its points before the coast it makes for.
        place = exposed.target if unit.invading else unit.place
        seen_by = war.witnesses(place, exposed.shot_by or war.phasing)
        war.kind_of(unit).lose(war, unit, Loss(place, count, lost, seen_by))
    _ignore(war, exposed.target, ignored)


def _ignore(war: War, target: str, hits: int) -> None:
    if hits:
        war.emit(HitsIgnored(war.owner(target), target, hits, seen_by=war.witnesses(target, war.phasing)))


# ------------------------------------------------------------------ choosing


def _plan(war: War, exposed: Exposed, hits: int) -> Left:
    """What each army loses. Points go one at a time; an army named first is emptied before the next is touched."""
    if not (exposed.armies and hits):
        return {}
    choice = _Choice(war, exposed)
    for number in range(hits):
        if not (number < exposed.amphibious and choice.take_one(only=war.units.landing)) and not choice.take_one():
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
        self.left: Left = {army.id: {kind: army.count(kind) for kind in exposed.kinds} for army in exposed.armies}
        self.lost: Left = {}
        self.by_default = False

    def _types_ordered(self, army: Container) -> list[str]:
        keys = keys_of_army(self.war.board, army, self.exposed.target)
        ordered = next((order.types for order in in_precision(self.orders, keys) if order.types), ())
        return [kind for kind in ordered if kind in self.exposed.kinds]

    def take_one(self, only: Collection[str] = ()) -> bool:
        """Choose one point more; with `only`, one of these types."""
        alive = [army for army in self.exposed.armies if self._present(army, only)]
        if not alive:
            return False
        army = self._army(alive)
        kind = self._type(army, only)
        self.left[army.id][kind] -= 1
        mine = self.lost.setdefault(army.id, {})
        mine[kind] = mine.get(kind, 0) + 1
        return True

    def _present(self, army: Container, only: Collection[str] = ()) -> list[str]:
        left = self.left[army.id]
        return [kind for kind in self.exposed.kinds if left[kind] and (not only or kind in only)]

    def _army(self, alive: Sequence[Container]) -> Container:
        for name in self.named:
            for army in alive:
                if army.id == name:
                    return army
        alive = self._by_type(alive)
        self.by_default = self.by_default or len(alive) > 1
        return self.exposed.without_order(alive, self.left)

    def _by_type(self, alive: Sequence[Container]) -> Sequence[Container]:
        """Where a fort stands beside armies, the types decide between them (HW-14.5, D-12)."""
        of_the_place = [unit for unit in alive if self.war.kind_of(unit).is_of_its_place]
        if len(of_the_place) in (0, len(alive)):
            return alive
        ordered = self.ordered_types[of_the_place[0].id]
        self.by_default = self.by_default or not ordered
        ranks = [*ordered, *(kind for kind in self.exposed.kinds if kind not in ordered)]
        willing = alive if ordered else self._not_emptied(alive)
        first = min((kind for unit in willing for kind in self._present(unit)), key=ranks.index)
        return [unit for unit in willing if first in self._present(unit)]

    def _not_emptied(self, alive: Sequence[Container]) -> Sequence[Container]:
        """D-12: no army is emptied while another or the fort can take the loss and live on."""
        size = {unit.id: sum(self.left[unit.id].values()) for unit in alive}
        if max(size.values()) == 1:
            return alive
        return [unit for unit in alive if self.war.kind_of(unit).is_of_its_place or size[unit.id] > 1]

    def _type(self, army: Container, only: Collection[str]) -> str:
        present = self._present(army, only)
        for kind in self.ordered_types[army.id]:
            if kind in present:
                return kind
        self.by_default = self.by_default or len(present) > 1
        return present[0]

    def report_default(self) -> None:
        if self.by_default:
            side, target = self.exposed.armies[0].side, self.exposed.target
            what = f"which points are lost at {target}"
            types = "I,M,A" if self.exposed.amphibious else "I,M"
            self.war.default_used(side, self.exposed.decision, what, f"LOSSES {target} FROM ... TYPES {types}")


def _remove(unit: Container, lost: dict[str, int]) -> dict[str, int]:
    """Carry out what was planned for one unit, so that it can be reported before the next."""
    for kind, count in lost.items():
        unit.add(kind, -count)
    return lost
