"""The Production Phase: count, build, repair; what is not spent is lost (HW-11)."""

from collections.abc import Iterator

import msgspec

from engine.grand_strategy.conditions import Circumstance, all_hold
from engine.grand_strategy.events import (
    ConditionFailed,
    DoneInPart,
    PointsBuilt,
    PointsRepaired,
    ProductionCounted,
    ProductionEnded,
)
from engine.grand_strategy.orders import ALL, Build, Dismantle, Fortify, Repair
from engine.grand_strategy.rulebook import Cap, Deduction
from engine.grand_strategy.rules.forts import complete_forts, dismantle, fort_named, fortify
from engine.grand_strategy.war import War
from engine.orders import Line

NO_COUNTER_FREE = "all twelve army counters are on the map (HW-1.2)"


class Budget(msgspec.Struct, frozen=True):
    """What a side counts: its working points place by place, what is taken off them, and what was lent to it."""

    by_place: dict[str, int]
    working: int
    deductions: tuple[Deduction, ...]
    lent: int

    @property
    def reduction(self) -> int:
        return sum(deduction.points for deduction in self.deductions)

    @property
    def why(self) -> tuple[str, ...]:
        return tuple(deduction.why for deduction in self.deductions if deduction.why)

    @property
    def to_spend(self) -> int:
        return self.working - self.reduction + self.lent


def budget_of(war: War, side: str) -> Budget:
    """What a side would have to spend if it counted now."""
    by_place = points_by_place(war, side)
    working = sum(by_place.values())
    return Budget(by_place, working, tuple(deductions(war, side, working)), war.rules.lent(war, side))


def points_by_place(war: War, side: str) -> dict[str, int]:
    """HW-11.1: all undevastated points the side controls anywhere, even in surrounded hexes."""
    return {place: war.working_points(place) for place in war.producing_places_of(side)}


def count_points(war: War, side: str) -> int:
    return sum(points_by_place(war, side).values())


def deductions(war: War, side: str, working: int) -> list[Deduction]:
    """All that is taken off a side's working points, never more than there is."""
    taken = []
    for deduction in (claim(war, side) for claim in war.rules.deductions):
        points = min(deduction.points, working)
        working -= points
        if points > 0:
            taken.append(msgspec.structs.replace(deduction, points=points))
    return taken


def for_other_fronts(war: War, side: str) -> Deduction:
    """HW-15.4: what the scenario itself takes off."""
    return Deduction(war.scenario.reduction.get(side, 0))


def may_build_in(war: War, side: str, place: str) -> bool:
    """HW-11.4: production hexes of the home country with a working point."""
    return (
        place in war.state.ground
        and war.owner(place) == side
        and war.place(place).country in war.scenario.build_countries.get(side, ())
        and war.working_points(place) > 0
    )


class Works:
    """One Production Phase under way: what is left to spend, and where it may be spent.

    Sites and supply are judged when the phase begins, so a point repaired in it serves only afterwards (HW-11.5).
    """

    def __init__(self, war: War, budget: Budget) -> None:
        self.war = war
        self.side = war.phasing
        self.money = budget.to_spend
        self.spent = 0
        self.supplied = war.supplied(self.side)
        self.sites = [place for place in war.producing_places_of(self.side) if may_build_in(war, self.side, place)]

    def pay(self, cost: int) -> None:
        self.money -= cost
        self.spent += cost


def produce(war: War) -> None:
    spend(war, open_production(war))


def open_production(war: War) -> Budget:
    """HW-11.6: forts are completed and points are counted; what was lent is there this once."""
    complete_forts(war)
    side, budget = war.phasing, budget_of(war, war.phasing)
    war.emit(ProductionCounted(side, budget.working, budget.reduction, budget.to_spend, budget.lent, budget.why))
    war.rules.take_what_was_lent(war)
    return budget


def spend(war: War, budget: Budget) -> None:
    works = Works(war, budget)
    for pay in war.rules.paid_first:  # HW-11.6
        works.pay(pay(war, works.money))
    lines = war.lines_of(Build, Repair, Fortify, Dismantle)
    if not lines:
        war.default_used(
            works.side, "D-33", f"{works.money} production points are not spent", "BUILD MAX I ANY spends what is left"
        )
    for line in lines:
        with war.carrying_out(line):
            _carry_out(works, line)
    war.emit(ProductionEnded(works.side, works.spent, works.money))


def _carry_out(works: Works, line: Line) -> None:
    order: Build | Repair | Fortify | Dismantle = line.order
    if not all_hold(order.tests, Circumstance(works.war, target=_first_hex(works, order), money=works.money)):
        works.war.emit(ConditionFailed(works.side, line.text))
        return
    match order:
        case Repair():
            _repair(works, line, order)
        case Fortify():
            fortify(works, line, order)
        case Dismantle():
            dismantle(works, line, order)
        case Build():
            _build(works, line, order)


def _first_hex(works: Works, order: Build | Repair | Fortify | Dismantle) -> str:
    match order:
        case Build():
            return "" if order.hexes[0] == "ANY" else order.hexes[0]
        case Dismantle():
            fort = fort_named(works.war, works.side, order.fort)
            return fort.place if fort is not None else ""
    return order.hex


# ------------------------------------------------------------------ repair


def _repair(works: Works, line: Line, order: Repair) -> None:
    war = works.war
    why = why_not_repair(works, order.hex)
    if why:
        war.refuse(line, *why)
        return
    price = war.tables.repair_cost
    mendable = most_to_repair(war, works.side, order.hex)
    points = min(order.points or mendable, mendable, works.money // price)
    if points <= 0:
        war.refuse(line, f"a point costs {price} and {works.money} are left", "put it higher in the list")
        return
    war.ground(order.hex).devastated -= points
    works.pay(points * price)
    war.emit(PointsRepaired(works.side, order.hex, points, points * price))
    if points < min(order.points or mendable, mendable):
        said = f"{points} were repaired; a point costs {price} and {works.money} are left"
        war.emit(DoneInPart(works.side, line.number, line.text, said))


def most_to_repair(war: War, side: str, place: str) -> int:
    """How many points of a place a side may restore now, money aside."""
    ground = war.ground(place)
    mendable = ground.devastated - ground.ruined
    if place in war.scenario.not_repairable.get(side, ()):
        return 0
    return min((mendable, *(cap.most for cap in _caps(war, side, place))))


def _caps(war: War, side: str, place: str) -> list[Cap]:
    return [cap for caps in war.rules.repair_caps if (cap := caps(war, side, place)) is not None]


def why_not_repair_more(war: War, side: str, place: str) -> str:
    """Why devastated points of a place can never or no longer be restored by this side; empty if they can."""
    ground = war.ground(place)
    if ground.devastated <= ground.ruined or most_to_repair(war, side, place):
        return ""
    if place in war.scenario.not_repairable.get(side, ()):
        return f"nobody may repair {place} (HW-16.2)"
    return next(cap.why for cap in _caps(war, side, place) if not cap.most)


def why_not_repair(works: Works, place: str) -> tuple[str, str] | None:
    """HW-11.5: a friendly hex in supply with devastated points that are not lost for good."""
    war = works.war
    if place not in war.state.ground or war.owner(place) != works.side:
        return f"{place} is not friendly to you", "repair needs a friendly hex"
    ground = war.ground(place)
    if ground.devastated <= ground.ruined:
        why = "are out of use for the whole game (HW-15.2)" if ground.ruined else "are not devastated"
        return f"the production points of {place} {why}", _repairable(works)
    forbidden = why_not_repair_more(war, works.side, place)
    if forbidden:
        return forbidden, _repairable(works)
    if place not in works.supplied:
        return f"{place} is not in supply (HW-11.5)", "join it to a working production point first"
    return None


def _repairable(works: Works) -> str:
    war = works.war
    places = [
        place
        for place in war.producing_places_of(works.side)
        if most_to_repair(war, works.side, place) and place in works.supplied
    ]
    return f"you can repair in: {', '.join(places) or 'no hex'}"


# ------------------------------------------------------------------ building


def _build(works: Works, line: Line, order: Build) -> None:
    """D-33: done in part if the money is short; a hex that cannot take the points passes them to the next one."""
    wanted = {order.most: ALL} if order.most else dict(order.points)
    built, reasons = 0, []
    for place in _sites(works, order):
        if not any(wanted.values()) or works.money < _cheapest(works, order):
            break
        army_id, why = _army_for(works, order, place)
        if why:
            reasons.append(why)
            continue
        for kind, count in list(wanted.items()):
            done = _place_points(works, army_id, place, kind, count)
            built += done
            wanted[kind] = count if count == ALL else count - done
    if not built:
        reasons = reasons or [_why_no_more(works, order)]
        works.war.refuse(line, "; ".join(dict.fromkeys(reasons)), where_you_can_build(works), order.army)
    elif order.most:
        _tell_if_room_was_short(works, line, order)
    elif any(wanted.values()):
        rest = f"{built} of {sum(order.points.values())} were built"
        works.war.emit(DoneInPart(works.side, line.number, line.text, f"{rest}; {_why_no_more(works, order)}"))


def _tell_if_room_was_short(works: Works, line: Line, order: Build) -> None:
    """MAX means all that the money buys."""
    if works.money >= _cheapest(works, order):
        works.war.emit(DoneInPart(works.side, line.number, line.text, _why_no_more(works, order)))


def _sites(works: Works, order: Build) -> Iterator[str]:
    for place in order.hexes:
        if place != "ANY":
            yield place
            continue
        fullest = sorted(works.sites, key=lambda site: (-works.war.stack(site), works.war.board.rank[site]))
        yield from (site for site in fullest if works.war.room(site))


def _army_for(works: Works, order: Build, place: str) -> tuple[str, str]:
    """The army that takes the points, or why none can."""
    war = works.war
    if place not in works.sites:
        return "", f"{place} is no place to build: {why_no_site(war, works.side, place)}"
    if not order.army:
        return _army_by_default(works, place)
    army = war.state.armies.get(order.army)
    waits = war.why_it_waits(order.army)
    if waits:
        return "", waits
    if army is None:
        return order.army, ""
    if army.place != place:
        return "", f"{order.army} stands in {army.place}, not in {place}"
    return order.army, ""  # also with NEW: a list that is used again finds its army made


def _army_by_default(works: Works, place: str) -> tuple[str, str]:
    """D-45: the largest army there, else the first free counter."""
    war = works.war
    present = war.armies_in(place, works.side)
    if present:
        return max(present, key=lambda army: army.strength).id, ""
    free = war.free_counters(works.side)
    if not free:
        return "", NO_COUNTER_FREE
    war.default_used(works.side, "D-45", f"new points in {place} form {free[0]}", f"BUILD ... {place} NEW {free[0]}")
    return free[0], ""


def why_no_site(war: War, side: str, place: str) -> str:
    """Why new points may not appear in a place; empty if they may."""
    if may_build_in(war, side, place):
        return ""
    if not war.holds(side, place):
        return "it is not friendly to you"
    if war.place(place).country not in war.scenario.build_countries.get(side, ()):
        return f"it is not in {' or '.join(war.scenario.build_countries.get(side, ()))} (HW-11.4)"
    return "it has no working production point (HW-11.4)"


def _place_points(works: Works, army_id: str, place: str, kind: str, count: int) -> int:
    """As many as the order, the money and the room allow (HW-7.5)."""
    war = works.war
    price = war.tables.basic_costs.get(kind)
    if price is None or kind not in war.units:
        return 0
    afford = works.money // price
    done = min(afford if count == ALL else count, afford, war.room(place))
    if done <= 0:
        return 0
    new = army_id not in war.state.armies
    war.form(works.side, army_id, place).add(kind, done)
    works.pay(done * price)
    war.emit(PointsBuilt(works.side, army_id, place, {kind: done}, done * price, new))
    return done


def _cheapest(works: Works, order: Build) -> int:
    kinds = [order.most] if order.most else list(order.points)
    return min(works.war.tables.basic_costs[kind] for kind in kinds)


def _why_no_more(works: Works, order: Build) -> str:
    price = _cheapest(works, order)
    if works.money < price:
        return f"a point costs {price} and {works.money} are left"
    where = "any production hex" if "ANY" in order.hexes else " or ".join(order.hexes)
    return f"no room is left in {where} (HW-7.5)"


def where_you_can_build(works: Works) -> str:
    free = works.war.free_counters(works.side)
    manned = [site for site in works.sites if free or works.war.armies_in(site, works.side)]  # HW-1.2
    places = [_with_its_room(works, site) for site in manned if works.war.room(site)]
    return f"you can build in (room): {', '.join(places) or 'no hex'}; free armies: {', '.join(free) or 'none'}"


def _with_its_room(works: Works, site: str) -> str:
    """HW-7.2: a box has no limit."""
    return f"{site} (any number)" if works.war.place(site).is_box else f"{site} ({works.war.room(site)})"
