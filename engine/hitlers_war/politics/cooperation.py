"""Lend-lease: production points from the Allies to the Soviet Union (HW-17.2, D-38)."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.grand_strategy.check_production import finding_on
from engine.grand_strategy.drafted import Piece, Work
from engine.grand_strategy.events import LendLeaseGiven
from engine.grand_strategy.orders import ALWAYS, LendLease, Order
from engine.grand_strategy.war import War
from engine.hitlers_war.sides import ALLIES, SOVIET
from engine.orders import Finding, Kind, Line


class Convoys:
    """The gifts of one Allied Production Phase: what each depot has taken so far."""

    def __init__(self, war: War) -> None:
        self.war = war
        self.limits: dict[str, Any] = war.tables.raw["production_limits"]["lend_lease"]
        self.taken = dict.fromkeys(self.limits["depots"], 0)

    @property
    def given(self) -> int:
        return sum(self.taken.values())

    def room(self, depot: str) -> int:
        """What a depot can still take this turn: nothing if it is not Soviet."""
        if self.war.owner(depot) != SOVIET:
            return 0
        left: int = min(self.limits["each_depot"] - self.taken[depot], self.limits["most"] - self.given)
        return left

    def open_depots(self) -> list[str]:
        return [depot for depot in self.taken if self.room(depot) > 0]

    def send(self, depot: str, points: int) -> None:
        self.taken[depot] += points
        self.war.state.lend_lease += points
        self.war.emit(LendLeaseGiven(ALLIES, points, depot))


def lent(war: War, side: str) -> int:
    """HW-17.2: what the Allies sent is there for one Soviet Production Phase."""
    return war.state.lend_lease if side == SOVIET else 0


def take_lend_lease(war: War) -> None:
    if war.phasing == SOVIET:
        war.state.lend_lease = 0


def lend(war: War, money: int) -> int:
    """HW-11.6: before everything else that costs money carry out the lines, then what stands; returns what it cost."""
    if war.phasing != ALLIES:
        return 0
    convoys = Convoys(war)
    for line in war.lines_of(LendLease):
        with war.carrying_out(line):
            _by_line(convoys, line, money - convoys.given)
    send_what_stands(convoys, money)
    return convoys.given


def send_what_stands(convoys: Convoys, money: int) -> None:
    """Standing gifts, as far as the lines have not sent them; `money` is what there was before any of them."""
    for order in convoys.war.standing(ALLIES, LendLease):
        sent = convoys.given if order.hex == ALWAYS else convoys.taken.get(order.hex, 0)
        spread(convoys, order.hex, min(order.points - sent, money - convoys.given))


def _by_line(convoys: Convoys, line: Line, money: int) -> None:
    order: LendLease = line.order
    why, remedy = why_not_lend(convoys, order)
    if not why and money <= 0:
        why, remedy = "no production points are left", "put it higher in the list"
    if why:
        convoys.war.refuse(line, why, remedy)
    else:
        spread(convoys, order.hex, min(order.points, money))


def spread(convoys: Convoys, where: str, points: int) -> int:
    """Send so many points through a depot, or through whatever depots are open; returns those that found no room."""
    depots = convoys.open_depots() if where == ALWAYS else [where]
    for depot in depots:
        going = min(points, convoys.room(depot)) if depot in convoys.taken else 0
        if going > 0:
            convoys.send(depot, going)
            points -= going
    return points


def why_not_lend(convoys: Convoys, order: LendLease) -> tuple[str, str]:
    limits, still = convoys.limits, ", ".join(convoys.open_depots()) or "none"
    if order.hex != ALWAYS and order.hex not in convoys.taken:
        return f"{order.hex} is no lend-lease depot (HW-17.2)", f"depots open now: {still}"
    if order.hex != ALWAYS and convoys.war.owner(order.hex) != SOVIET:
        return f"the depot in {order.hex} is not Soviet (HW-17.2)", f"depots open now: {still}"
    if all(convoys.war.owner(depot) != SOVIET for depot in convoys.taken):
        return "no lend-lease depot is Soviet (HW-17.2)", f"give again when {' or '.join(convoys.taken)} is"
    if not convoys.open_depots() or (order.hex != ALWAYS and not convoys.room(order.hex)):
        return what_depots_take(limits), f"depots open now: {still}"
    return "", ""


def what_depots_take(limits: Mapping[str, Any]) -> str:
    return f"a depot takes {limits['each_depot']} points a turn, both together {limits['most']} (HW-17.2)"


class Promised:
    """The gifts of one production list while it is judged: its lines fill the depots one after the other."""

    def __init__(self, war: War) -> None:
        self._convoys = Convoys(war)

    def judge(self, line: Line) -> Iterator[Finding]:
        order: LendLease = line.order
        why, remedy = why_not_lend(self._convoys, order)
        if why:
            yield finding_on(line, Kind.ILLEGAL, why, remedy)
            return
        left = spread(self._convoys, order.hex, order.points)
        if left:
            why = f"{left} of {order.points} will stay: {what_depots_take(self._convoys.limits)}"
            yield finding_on(line, Kind.NOTE, why)

    def given_of(self, money: int) -> int:
        """With what stands, as far as the lines have not sent it."""
        if self._convoys.war.phasing == ALLIES:
            send_what_stands(self._convoys, money)
        return self._convoys.given


def drafted(war: War, order: Order) -> Piece | None:
    """What a line brings where."""
    if isinstance(order, LendLease) and order.hex in war.board:
        return Work(order.hex, "lend-lease", number=order.points)
    return None
