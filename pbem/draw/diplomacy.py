"""Orders about countries in a plan: the forces of new allies, counters for armies that change over, violations."""

from engine.grand_strategy import orders
from engine.grand_strategy.state import UNALIGNED
from engine.grand_strategy.war import War
from engine.hitlers_war.politics.gifts import gift_as_ordered, gift_of
from engine.hitlers_war.politics.nations import nation_of_country, places_of_nation
from pbem.draw.plan import Newcomer, Plan, Violation
from pbem.games.hitlers_war.brief import composition


def add(plan: Plan, order: orders.AnyOrder, war: War) -> bool:
    """Whether an order was drawn. `war` is the war as the side knows it."""
    match order:
        case orders.Gift():
            return _add_gift(plan, order, war)
        case orders.Adopt():
            return _add_adopted(plan, order, war)
        case orders.Violate():
            return _add_violation(plan, order, war)
        case _:
            return False


def _add_violation(plan: Plan, order: orders.Violate, war: War) -> bool:
    """All of a nation that is still unaligned: to violate Libya is to violate Italy (D-40)."""
    nation = nation_of_country(war.board, order.country)
    places = tuple(places_of_nation(war, nation, UNALIGNED))
    if places and nation not in [each.country for each in plan.violations]:
        plan.violations.append(Violation(nation, places))
    return bool(places)


def _add_gift(plan: Plan, order: orders.Gift, war: War) -> bool:
    """A new counter, or new points for an army that stands there (D-43)."""
    nation = nation_of_country(war.board, order.country)
    points = gift_of(war, nation)
    if not points or order.hex not in war.board.places or not places_of_nation(war, nation, UNALIGNED):
        return False
    place, army = gift_as_ordered(war, order)
    if army in plan.armies and plan.armies[army].place == place:
        plan.works.setdefault(place, []).append(f"+{composition(points)} {order.country}")
    else:
        plan.newcomers.append(Newcomer(army, place, order.country, points))
    return True


def _add_adopted(plan: Plan, order: orders.Adopt, war: War) -> bool:
    """Where the army of the country stands, or else where it produces most (D-45)."""
    places = places_of_nation(war, nation_of_country(war.board, order.country), UNALIGNED)
    if not places:
        return False
    stands = [army.place for army in plan.armies.values() if army.side == UNALIGNED and army.place in places]
    home = max(places, key=lambda place: war.board[place].production)
    plan.newcomers.append(Newcomer(order.army, (stands or [home])[0], order.country))
    return True
