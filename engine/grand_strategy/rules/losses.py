"""Who dies: removing strength points by the owner's orders, point by point (HW-8.12, D-11, D-12)."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.grand_strategy.events import ArmyEliminated, FortPointsLost, GarrisonLost, HitsIgnored, PointsLost
from engine.grand_strategy.policy import in_precision, keys_of_army, keys_of_place
from engine.grand_strategy.rules.forts import absorb
from engine.grand_strategy.state import Army, Fort
from engine.grand_strategy.war import War

#: Types lost first where no order says otherwise; tac air only when nothing else is left (HW-25.11).
ATTACKER_TYPES = ("inf", "para", "mech", "amph", "tac")
DEFENDER_TYPES = ("inf", "para", "amph", "fort", "mech", "tac")
CULLED_TYPES = ("inf", "para", "mech", "amph")  # tac air does not count for stacking

Unit = Army | Fort
Left = dict[str, dict[str, int]]  # points by unit and type


class Exposed(msgspec.Struct, frozen=True):
    """Armies of one side that may lose points over a hex, and how the choice falls where no order decides.

    Of invaders, at least `amphibious` of the points must be such while any are left (HW-13.10).
    """

    armies: Sequence[Unit]
    target: str
    kinds: tuple[str, ...]
    decision: str
    without_order: Callable[[Sequence[Unit], Left], Unit]
    amphibious: int = 0
    shot_by: str = ""


def attackers_lose(war: War, exposed: Sequence[Army], target: str, hits: int) -> None:
    """Losses from a defensive assault fall on the armies named against the hex."""

    def without_order(alive: Sequence[Unit], left: Left) -> Unit:
        # D-11: first an army that is not to advance, then the one with the most points.
        return min(alive, key=lambda army: (_is_to_advance(army), -sum(left[army.id].values())))

    _lose(war, Exposed(exposed, target, ATTACKER_TYPES, "D-11", without_order), hits)


def _is_to_advance(unit: Unit) -> bool:
    return isinstance(unit, Army) and unit.may_advance


def invaders_lose(war: War, exposed: Sequence[Army], target: str, hits: int, shot_by: str) -> None:
    """Losses of armies at sea: at least half of each fire's, rounded up, are amphibious (HW-13.10, HW-13.13, D-28)."""

    def without_order(alive: Sequence[Unit], left: Left) -> Unit:
        return max(alive, key=lambda army: sum(left[army.id].values()))

    half = (hits + 1) // 2
    _lose(war, Exposed(exposed, target, ATTACKER_TYPES, "D-28", without_order, half, shot_by), hits)


def defenders_lose(war: War, target: str, hits: int) -> None:
    """Losses from an attacker's assault fall on what its fort does not absorb (HW-14.6): on the armies in the hex
    and the fort itself, and where no army is, on the garrison first (A-19)."""
    hits -= absorb(war, target, hits)
    units: list[Unit] = [*war.armies_in(target)]
    if not units:
        hits -= _garrison_loses(war, target, hits)
    fort = war.state.forts.get(target)
    if fort is not None and fort.strength:
        units.append(fort)

    def without_order(alive: Sequence[Unit], left: Left) -> Unit:
        # D-12: the smallest army, but none is emptied while another can take the loss.
        size = {army.id: sum(left[army.id].values()) for army in alive}
        return min(alive, key=lambda army: (size[army.id] == 1, size[army.id]))

    _lose(war, Exposed(units, target, DEFENDER_TYPES, "D-12", without_order), hits)


def cull(war: War, place: str, excess: int) -> Iterator[tuple[Army, dict[str, int]]]:
    """HW-7.3: points above the limit at the end of movement, by the owner's LOSSES order."""

    def without_order(alive: Sequence[Unit], left: Left) -> Unit:
        return max(alive, key=lambda army: sum(left[army.id].values()))

    armies = war.armies_in(place)
    if excess:
        plan = _plan(war, Exposed(armies, place, CULLED_TYPES, "D-05", without_order), excess)
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
        if isinstance(unit, Fort):
            _report_fort_loss(war, unit, count)
        else:
            _report_loss(war, exposed, unit, count, lost)
    _ignore(war, exposed.target, ignored)


def _report_loss(war: War, exposed: Exposed, army: Army, count: int, lost: dict[str, int]) -> None:
    """What an army lost, and where: an army at sea loses its points before the coast it makes for."""
    place = exposed.target if army.invading else army.place
    seen_by = war.witnesses(place, exposed.shot_by or war.phasing)
    if army.strength:
        war.emit(PointsLost(army.side, army.id, place, count, lost, seen_by=seen_by))
        return
    war.remove_army(army)  # HW-8.13
    if not war.armies_in(army.place):
        war.state.ungarrisoned[army.place] = True  # HW-8.14
    war.emit(ArmyEliminated(army.side, army.id, place, "losses", count, lost, seen_by=seen_by))


def _report_fort_loss(war: War, fort: Fort, count: int) -> None:
    seen_by = war.witnesses(fort.place, war.phasing)
    war.emit(FortPointsLost(fort.side, fort.number, fort.place, count, seen_by=seen_by))
    if not fort.strength and not fort.building:
        war.remove_fort(fort, "losses")


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
        if not (number < exposed.amphibious and choice.take_one(only="amph")) and not choice.take_one():
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

    def _types_ordered(self, army: Unit) -> list[str]:
        keys = keys_of_army(self.war.board, army, self.exposed.target)
        ordered = next((order.types for order in in_precision(self.orders, keys) if order.types), ())
        return [kind for kind in ordered if kind in self.exposed.kinds]

    def take_one(self, only: str = "") -> bool:
        """Choose one point more; with `only`, one of that type."""
        alive = [army for army in self.exposed.armies if self._present(army, only)]
        if not alive:
            return False
        army = self._army(alive)
        kind = self._type(army, only)
        self.left[army.id][kind] -= 1
        mine = self.lost.setdefault(army.id, {})
        mine[kind] = mine.get(kind, 0) + 1
        return True

    def _present(self, army: Unit, only: str = "") -> list[str]:
        left = self.left[army.id]
        return [kind for kind in self.exposed.kinds if left[kind] and only in ("", kind)]

    def _army(self, alive: Sequence[Unit]) -> Unit:
        for name in self.named:
            for army in alive:
                if army.id == name:
                    return army
        alive = self._beside_the_fort(alive)
        self.by_default = self.by_default or len(alive) > 1
        return self.exposed.without_order(alive, self.left)

    def _beside_the_fort(self, alive: Sequence[Unit]) -> Sequence[Unit]:
        """Where a fort stands beside armies, the types decide between them (HW-14.5, D-12)."""
        forts = [unit for unit in alive if isinstance(unit, Fort)]
        armies = [unit for unit in alive if isinstance(unit, Army)]
        if not (forts and armies):
            return alive
        ordered = self.ordered_types[forts[0].id]
        self.by_default = self.by_default or not ordered
        ranks = [*ordered, *(kind for kind in self.exposed.kinds if kind not in ordered)]
        willing = alive if ordered else self._not_emptied(alive)
        first = min((kind for unit in willing for kind in self._present(unit)), key=ranks.index)
        return [unit for unit in willing if first in self._present(unit)]

    def _not_emptied(self, alive: Sequence[Unit]) -> Sequence[Unit]:
        """D-12: no army is emptied while another or the fort can take the loss and live on."""
        size = {unit.id: sum(self.left[unit.id].values()) for unit in alive}
        if max(size.values()) == 1:
            return alive
        return [unit for unit in alive if isinstance(unit, Fort) or size[unit.id] > 1]

    def _type(self, army: Unit, only: str) -> str:
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


def _remove(unit: Unit, lost: dict[str, int]) -> dict[str, int]:
    """Carry out what was planned for one unit, so that it can be reported before the next."""
    for kind, count in lost.items():
        unit.add(kind, -count)
    return lost
