"""The forces that Rumania, Hungary and Finland bring to the Axis (HW-20.4, D-43)."""

from typing import Any

from engine.grand_strategy.drafted import InWords, Newcomer, Piece, Work
from engine.grand_strategy.events import GiftReceived, OrderRefused
from engine.grand_strategy.orders import Gift, Order
from engine.grand_strategy.politics.nations import has_had_its_day, nation_of_country, nearest_army, places_of_nation
from engine.grand_strategy.politics.neutrals import ATTACKED
from engine.grand_strategy.state import UNALIGNED, Army
from engine.grand_strategy.war import War
from engine.hitlers_war.sides import AXIS

#: Counters that belong to a country and are taken first.
OWN_COUNTERS = {"Rumania": "RUMANIA"}


def gift_of(war: War, nation: str) -> dict[str, int]:
    """The forces a nation brings, by edition (A-43)."""
    minors: dict[str, Any] = war.tables.raw["entry"]["axis_minors"]
    later = minors["gifts_later_edition"] if war.state.options.edition == "later" else {}
    points: dict[str, int] = {**minors["gifts"], **later}.get(nation, {})
    return points


def receive_gift(war: War, nation: str, side: str, case: str) -> None:
    """Finland brings its forces however it comes to the Axis, the others only of their own accord."""
    of_its_own_accord = case != ATTACKED
    however = nation in war.tables.raw["entry"]["axis_minors"]["gift_however_it_joins"]
    points = gift_of(war, nation) if side == AXIS and (however or of_its_own_accord) else {}
    if not points:
        return
    place, army_id = _as_ordered(war, nation, points)
    army = war.state.armies.get(army_id)
    if army is None:
        army = war.state.armies[army_id] = Army(army_id, AXIS, place)
    for kind, count in points.items():
        army.add(kind, count)
    war.emit(GiftReceived(AXIS, nation, army_id, army.place, points))


def _as_ordered(war: War, nation: str, points: dict[str, int]) -> tuple[str, str]:
    """By the first line of the sheet that can be carried out, else as it stands, else by default."""
    for line in war.lines_of(Gift) if war.phasing == AXIS else ():
        if nation_of_country(war.board, line.order.country) == nation:
            why, remedy = _why_not(war, nation, points, line.order)
            if not why:
                return gift_as_ordered(war, line.order)
            war.refuse(line, why, remedy)
    reasons = []
    for order in war.standing(AXIS, Gift):
        if order.country == nation:
            why, _ = _why_not(war, nation, points, order)
            if not why:
                return gift_as_ordered(war, order)
            reasons.append(why)
    return _by_default(war, nation, points, "; ".join(reasons))


def gift_as_ordered(war: War, order: Gift) -> tuple[str, str]:
    """Where an order puts the forces of a country, and in which army."""
    points = gift_of(war, nation_of_country(war.board, order.country))
    return order.hex, order.army or _army_in(war, order.country, order.hex, points)


def _why_not(war: War, nation: str, points: dict[str, int], order: Gift) -> tuple[str, str]:
    country = [place for place in war.board.of_country(nation) if war.owner(place) == AXIS]
    if order.hex not in country:
        lost = order.hex in war.board.of_country(nation)
        why = f"{order.hex} is not yours" if lost else f"the forces of {nation} appear in {nation}"
        return why, f"name one of {', '.join(country)}"
    if war.room(order.hex) < sum(points.values()):
        with_room = [place for place in country if war.room(place) >= sum(points.values())]
        return f"{order.hex} has no room for them (HW-7.5)", f"name one of {', '.join(with_room)}"
    return why_not_army(war, order)


def why_not_army(war: War, order: Gift) -> tuple[str, str]:
    """Why a gift may not come under the counter that was named for it; empty if it may, or none was named."""
    waits, army = war.why_it_waits(order.army), war.state.armies.get(order.army)
    if waits:
        return waits, war.name_free_counters(AXIS)
    if army is not None and army.place != order.hex:
        return f"{order.army} stands in {army.place}", war.name_free_counters(AXIS)
    return "", ""


def _by_default(war: War, nation: str, points: dict[str, int], why: str) -> tuple[str, str]:
    """D-43: in the capital, else in the first hex with room. `why` says what is wrong with the standing order."""
    held = [place for place in war.board.of_country(nation) if war.owner(place) == AXIS]
    held.sort(key=lambda place: (war.room(place) < sum(points.values()), not war.place(place).capital))
    place = held[0]
    army = _army_in(war, nation, place, points)
    what = f"the forces of {nation} appear in {place} as {army}{f', since {why}' if why else ''}"
    standing = "" if war.phasing == AXIS else "STANDING "
    war.default_used(AXIS, "D-43", what, f"{standing}GIFT {nation} {place} {army}")
    return place, army


def _army_in(war: War, nation: str, place: str, points: dict[str, int]) -> str:
    """The country's own counter, else a free one, else the army there or the nearest one."""
    free = war.free_counters(AXIS)
    own = OWN_COUNTERS.get(nation, "")
    if own in free:
        return own
    if free:
        return free[0]
    there = war.armies_in(place, AXIS)
    return there[0].id if there else nearest_army(war, nation, war.armies_of(AXIS), sum(points.values()))


def refuse_gifts_in_vain(war: War) -> None:
    """GIFT lines for countries that bring nothing on this turn, or whose forces are placed by now."""
    brought = {event.country for event in war.events if isinstance(event, GiftReceived)}
    refused = {event.line for event in war.events if isinstance(event, OrderRefused)}
    for line in war.lines_of(Gift):
        nation = nation_of_country(war.board, line.order.country)
        if nation in brought and line.number not in refused:
            brought.remove(nation)  # by this line
        elif line.number not in refused:
            war.refuse(line, *_why_in_vain(war, nation, line.order))


def _why_in_vain(war: War, nation: str, order: Gift) -> tuple[str, str]:
    why, remedy = why_no_gift(war, nation, war.phasing)
    if why:
        return why, remedy
    if any(isinstance(event, GiftReceived) and event.country == nation for event in war.events):
        return f"an earlier line places the forces of {nation}", "keep one of the lines"
    if has_had_its_day(war, nation):
        return f"{nation} joins nobody any more", "leave the line away"
    return f"{nation} joins nobody now", f"STANDING {order} waits for the day"


def why_no_gift(war: War, nation: str, side: str) -> tuple[str, str]:
    """Why a nation never brings a side any forces; empty if it may."""
    if side != AXIS:
        return "only the Axis is brought forces by new allies (HW-20.4)", "leave the line away"
    if not gift_of(war, nation):
        nations = war.tables.raw["entry"]["axis_minors"]["countries"]
        givers = ", ".join(nation for nation in nations if gift_of(war, nation))
        return f"{nation} brings no forces (HW-20.4)", f"those who do are {givers}"
    return "", ""


def drafted(war: War, order: Order) -> Piece | None:
    """A new counter, or new points for an army that stands there (D-43)."""
    if not isinstance(order, Gift):
        return None
    nation = nation_of_country(war.board, order.country)
    points = gift_of(war, nation)
    if not points or order.hex not in war.board or not places_of_nation(war, nation, UNALIGNED):
        return InWords(str(order))
    place, army = gift_as_ordered(war, order)
    if army in war.state.armies and war.state.armies[army].place == place:
        return Work(place, "gift", points, country=order.country)
    return Newcomer(army, place, order.country, points)
