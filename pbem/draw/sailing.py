"""Orders of the sea, of forts and of set-up in a plan: shipments, landings, routes, deployment, lend-lease."""

from engine.grand_strategy import orders
from engine.grand_strategy.rules.forts import fort_named
from engine.grand_strategy.sea.routes import Pilot
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.known import war_as_known
from engine.hitlers_war.rulebook import setting_of
from engine.orders import Sheet
from pbem.draw.passages import Passages
from pbem.draw.plan import LEND_LEASE, Plan, Voyage

FORT = "F"


class Harbour:
    """What a view knows of the ways over the sea, for the plan of one side; `war` is the war as it knows it."""

    def __init__(self, view: View, side: str) -> None:
        self._passages, self._side = Passages(view, side), side
        self.war = war_as_known(view, Sheet(side), setting_of(view.scenario, view.options))

    def shipment(self, origin: str, place: str, seas: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Empty where no sea is crossed."""
        return self._passages.by_sea(origin, place, seas)

    def landing(self, start: str, order: orders.Invade) -> tuple[str, ...]:
        """The way the rules would choose (D-06); straight on if they know none."""
        voyage = Pilot(self.war, self._side, landing=order.hex).voyage(start, order.hex, order.via)
        return voyage.places if voyage is not None else (start, *order.via, order.hex)


def move(plan: Plan, order: orders.AnyOrder, harbour: Harbour) -> None:
    """What changes where points are before anything else happens."""
    match order:
        case orders.Route():
            plan.routes[order.army] = order.places
        case orders.Ship():
            places = [plan.armies[army].place for army in (order.giver, order.taker) if army in plan.armies]
            if plan.hand_over(order.giver, order.taker, order.points):
                _sail(plan, harbour.shipment(places[0], places[1], order.seas) or tuple(places))
        case orders.Deploy():
            _deploy(plan, order)
        case _:
            pass


def _sail(plan: Plan, places: tuple[str, ...]) -> None:
    voyage = Voyage(places)
    if voyage not in plan.voyages:
        plan.voyages.append(voyage)


def _deploy(plan: Plan, order: orders.Deploy) -> None:
    """Several lines may add to one army."""
    held = dict((plan.armies[order.army].points or {}) if order.army in plan.armies else {})
    for kind, count in order.points.items():
        held[kind] = held.get(kind, 0) + count
        plan.pool[kind] = plan.pool.get(kind, 0) - count
    plan.put(order.army, order.hex, held)
    if order.hex not in plan.deployed:
        plan.deployed.append(order.hex)


def embark(plan: Plan, view: View, harbour: Harbour) -> None:
    """Moves that no land joins become voyages, by the route that was laid down for the army if there is one."""
    laid_down = {
        (view.armies[army].place, plan.armies[army].place): places
        for army, places in plan.routes.items()
        if army in view.armies and army in plan.armies
    }
    for move in list(plan.moves):
        if way := harbour.shipment(move.origin, move.place):
            plan.moves.remove(move)
            _sail(plan, _whole(move.origin, laid_down.get((move.origin, move.place), way)))


def _whole(start: str, places: tuple[str, ...]) -> tuple[str, ...]:
    return places if places[:1] == (start,) else (start, *places)


def add(plan: Plan, order: orders.AnyOrder, harbour: Harbour) -> bool:
    """Whether an order was drawn, or was drawn before."""
    match order:
        case orders.Route() | orders.Ship() | orders.Deploy():
            return True
        case orders.Invade() if order.army in plan.armies:
            _add_landing(plan, order, harbour)
        case orders.Support() if order.hexes:
            plan.bombarded.extend(order.hexes)
        case orders.Fortify():
            plan.works.setdefault(order.hex, []).append(f"+{order.points}{FORT}")
        case orders.Dismantle() if fort := fort_named(harbour.war, plan.side, order.fort):
            plan.given_up.append(fort.place)
        case orders.LendLease() if order.hex in europe():
            plan.works.setdefault(order.hex, []).append(f"{LEND_LEASE} {order.points}")
        case _:
            return False
    return True


def _add_landing(plan: Plan, order: orders.Invade, harbour: Harbour) -> None:
    start = plan.armies[order.army].place
    laid_down = plan.routes.get(order.army)
    places = _whole(start, laid_down) if laid_down else harbour.landing(start, order)
    fires = not order.save
    plan.voyages.append(Voyage(places, order.army, fires, fires and bool(order.assault)))


def left_in_pool(plan: Plan) -> dict[str, int]:
    return {kind: count for kind, count in plan.pool.items() if count > 0}
