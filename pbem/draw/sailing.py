"""Orders of the sea and of forts, told apart by their verbs: shipments, landings, routes, and points for a fort."""

from typing import Any

from pbem.draw.plan import Plan, Voyage

FORT = "F"


def verb_of(order: Any) -> str:
    return str(type(order).__struct_config__.tag)


def move(plan: Plan, order: Any) -> None:
    """What changes where points are before anything else happens."""
    match verb_of(order):
        case "ROUTE":
            plan.routes[order.army] = order.places
        case "SHIP":
            places = [plan.armies[army].place for army in (order.giver, order.taker) if army in plan.armies]
            if plan.hand_over(order.giver, order.taker, order.points):
                plan.voyages.append(Voyage(tuple(places)))
        case "DEPLOY":
            plan.put(order.army, order.hex, order.points)


def add(plan: Plan, order: Any) -> bool:
    """Whether an order was drawn, or was drawn before."""
    match verb_of(order):
        case "ROUTE" | "SHIP" | "DEPLOY":
            return True
        case "INVADE" if order.army in plan.armies:
            _add_landing(plan, order)
            return True
        case "FORT":
            plan.works.setdefault(order.hex, []).append(f"+{order.points}{FORT}")
            return True
    return False


def _add_landing(plan: Plan, order: Any) -> None:
    """By the route that was laid down for the army, else by the places it must touch."""
    start = order.start or plan.armies[order.army].place
    between = order.via or tuple(place for place in plan.routes.get(order.army, ()) if place not in (start, order.hex))
    fires = not order.save
    plan.voyages.append(Voyage((start, *between, order.hex), True, fires, fires and bool(order.assault)))
