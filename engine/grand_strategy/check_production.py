"""Judging a production list before its time: what can never be done is refused, what may still change is remarked on.

At the gate before production nothing can change any more, so what would be refused there is refused here.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.grand_strategy.drafted import Bill, Price
from engine.grand_strategy.hearing import PRODUCTION
from engine.grand_strategy.orders import Build, Dismantle, Fortify, ProductionOrder, Repair
from engine.grand_strategy.rules.forts import begin_fort, fort_named, name_forts, room_for_fort, why_not_fortify
from engine.grand_strategy.rules.production import (
    NO_COUNTER_FREE,
    Works,
    budget_of,
    most_to_repair,
    where_you_can_build,
    why_no_site,
    why_not_repair,
    why_not_repair_more,
)
from engine.grand_strategy.turn import before_production
from engine.grand_strategy.war import War
from engine.orders import Finding, Kind, Line


class ProductionJudged(NamedTuple):
    """What is said of a production list, by line in which place it is carried out (none if in any), and its prices."""

    findings: list[Finding]
    places: dict[int, str]
    bill: Bill


def judge_production(war: War) -> ProductionJudged:
    before_production(war)
    lines = war.lines_of(*PRODUCTION)
    budget, giving, room = budget_of(war, war.phasing), war.rules.giving(war), _Room(war)
    works, prices = Works(war, budget), tuple(_price(war, line) for line in lines)
    findings, places = list[Finding](), dict[int, str]()
    for line in lines:
        places[line.number] = _where(works, line.order)
        match line.order:
            case Build():
                findings += _build(works, room, line)
            case Repair():
                findings += _repair(works, line)
            case Fortify():
                findings += _fortify(war, line)
            case Dismantle():
                findings += _dismantle(war, line)
            case _ if giving is not None:
                findings += giving.judge(line)
    given = giving.given_of(budget.to_spend) if giving is not None else 0
    bill = Bill(budget.to_spend - given, tuple(price for price in prices if price is not None))
    findings += _balance(bill.together, bill.to_spend, [line.order for line in lines])
    return ProductionJudged(findings, places, bill)


def _where(works: Works, order: ProductionOrder) -> str:
    match order:
        case Build():
            site = next((place for place in order.hexes if place in works.sites or place == "ANY"), "ANY")
            return "" if site == "ANY" else site
        case Dismantle():
            fort = fort_named(works.war, works.side, order.fort)
            return fort.place if fort is not None else ""
    return order.hex if order.hex in works.war.board else ""


def finding_on(line: Line, kind: Kind, why: str, remedy: str = "") -> Finding:
    """What was sent to an earlier gate has no number on this sheet, and cannot be refused any more."""
    if not line.number:
        return Finding(Kind.NOTE, 0, f"{line.text}, which you sent before: {why}", remedy)
    return Finding(kind, line.number, why, remedy, line.text)


def _if_it_stays(war: War) -> Kind:
    """How grave it is that a line could not be done as things stand."""
    return Kind.ILLEGAL if war.step == "production" else Kind.NOTE


def _balance(cost: int, money: int, orders: Sequence[ProductionOrder]) -> Iterator[Finding]:
    """What the list costs against what is left after gifts, which go before everything (HW-11.6)."""
    buying = any(isinstance(order, Build | Repair | Fortify) for order in orders)
    if not buying and money > 0:
        why = f"no production list: about {money} points would be lost (D-33)"
        yield Finding(Kind.NOTE, 0, why, "BUILD MAX I ANY, for one")
    elif cost > money:
        yield Finding(Kind.NOTE, 0, f"the production list costs {cost}; you have about {money}, so its end will wait")


def _price(war: War, line: Line) -> Price | None:
    """None for what costs nothing."""
    if isinstance(line.order, Build) and line.order.most:
        return Price(line.number, line.text, None)
    return Price(line.number, line.text, cost) if (cost := _cost(war, line.order)) else None


def _cost(war: War, order: ProductionOrder) -> int:
    match order:
        case Build():
            return sum(max(count, 0) * war.tables.basic_costs.get(kind, 0) for kind, count in order.points.items())
        case Repair():
            return (order.points or _mendable(war, order.hex)) * war.tables.repair_cost
        case Fortify():
            return order.points * war.tables.basic_costs["fort"]
    return 0


# ------------------------------------------------------------------ building


def _build(works: Works, room: "_Room", line: Line) -> Iterator[Finding]:
    """What is no site now becomes none in this player-turn: a hex that is taken is devastated (HW-4.3, HW-11.4)."""
    war, order = works.war, line.order
    sites = [place for place in order.hexes if place == "ANY" or place in works.sites]
    if not sites:
        whys = [f"{place} is no place to build: {why_no_site(war, war.phasing, place)}" for place in order.hexes]
        yield finding_on(line, Kind.ILLEGAL, "; ".join(dict.fromkeys(whys)), where_you_can_build(works))
        return
    waits = war.why_it_waits(order.army)
    if waits:
        yield finding_on(line, Kind.ILLEGAL, waits, war.name_free_counters(war.phasing))
        return
    army = war.state.armies.get(order.army)
    if not order.army and not _somebody_takes_them(works, sites):
        yield finding_on(line, Kind.NOTE, f"{NO_COUNTER_FREE}, and none is there", where_you_can_build(works))
    elif army is not None and army.place not in sites and "ANY" not in sites:
        why = f"{order.army} would stand in {army.place}, so nothing would be built"
        free = ", ".join(war.free_counters(war.phasing))
        yield finding_on(line, _if_it_stays(war), why, f"NEW {free or '(no counter is free)'}")
    yield from room.taken_by(line)


def _somebody_takes_them(works: Works, sites: Sequence[str]) -> bool:
    """Whether an army of the side stands in one of the places, or a counter is free for one (HW-1.2)."""
    places = works.sites if "ANY" in sites else sites
    free = works.war.free_counters(works.side)
    return bool(free) or any(works.war.armies_in(place, works.side) for place in places)


class _Room:
    """What the lines of a list find in their hexes, where no army comes or goes before."""

    def __init__(self, war: War) -> None:
        self.war, self.left = war, dict[str, int]()

    def taken_by(self, line: Line) -> Iterator[Finding]:
        """A note if points find no room (HW-7.5). Where ANY may be chosen nothing can be said beforehand."""
        order: Build = line.order
        if "ANY" in order.hexes or any(map(self._may_change, order.hexes)):
            return
        for place in order.hexes:
            self.left.setdefault(place, self.war.room(place))
        room, wanted = sum(self.left[place] for place in order.hexes), sum(order.points.values())
        if not room or (room < wanted and not order.most):
            where = " or ".join(order.hexes)
            said = f"as things stand {where} will have room for {room or 'none'} of these points (HW-7.5)"
            yield finding_on(line, Kind.NOTE, said, "another hex after OR, or fewer points")
        for place in order.hexes:
            here = min(self.left[place], wanted)
            self.left[place], wanted = (0 if order.most else self.left[place] - here), wanted - here

    def _may_change(self, place: str) -> bool:
        side = self.war.phasing
        return not self.war.holds(side, place) or any(army.target for army in self.war.armies_in(place, side))


# ------------------------------------------------------------------ repairs and forts


def _repair(works: Works, line: Line) -> Iterator[Finding]:
    war, place = works.war, line.order.hex
    refused = why_not_repair(works, place) if war.step == "production" else None
    if place not in war.state.ground or (not war.place(place).production and place not in war.scenario.growing):
        yield finding_on(line, Kind.ILLEGAL, f"{place} has no production", "name a hex with devastated points")
    elif refused:
        yield finding_on(line, Kind.ILLEGAL, *refused)
    elif war.owner(place) == war.phasing and not most_to_repair(war, war.phasing, place):
        why = why_not_repair_more(war, war.phasing, place)
        yield finding_on(line, Kind.NOTE, why or f"nothing in {place} can be repaired as things stand (HW-11.5)")
    elif not line.order.tests:  # what lines above restore counts against what may work there (HW-21.5)
        mendable = _mendable(war, place)
        war.ground(place).devastated -= min(line.order.points or mendable, mendable)


def _mendable(war: War, place: str) -> int:
    return most_to_repair(war, war.phasing, place) if war.holds(war.phasing, place) else 0


def _fortify(war: War, line: Line) -> Iterator[Finding]:
    """A hex may be taken and a counter may become free before the money is spent; a date or a neutral stays."""
    order: Fortify = line.order
    why, remedy = why_not_fortify(war, order.hex)
    may_change = war.is_open_to_attack(order.hex) and not war.holds(war.phasing, order.hex)
    if why:
        kind = _if_it_stays(war) if may_change or "counters" in why else Kind.ILLEGAL
        yield finding_on(line, kind, why, remedy)
        return
    room = room_for_fort(war, order.hex)
    if order.points > room:
        yield finding_on(line, Kind.NOTE, f"a fort in {order.hex} has room for {room} more points only (HW-7.1)")
    begin_fort(war, order.hex, min(order.points, room))


def _dismantle(war: War, line: Line) -> Iterator[Finding]:
    """Its counter is free for the lines that follow."""
    fort = fort_named(war, war.phasing, line.order.fort)
    if fort is None:
        why = f"you have no fort {line.order.fort} as things stand"
        yield finding_on(line, _if_it_stays(war), why, name_forts(war, war.phasing))
    else:
        war.lose(fort, "dismantled")
