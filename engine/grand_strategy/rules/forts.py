"""Forts in war and peace: what they absorb, and how they are built, completed and given up (HW-14)."""

from typing import TYPE_CHECKING

from engine.events import Event
from engine.grand_strategy.containers import ContainerKind, Loss, band_of_walls
from engine.grand_strategy.events import DoneInPart, FortAbsorbed, FortCompleted, FortLost, FortPointsLost, FortStarted
from engine.grand_strategy.orders import Dismantle, Fortify
from engine.grand_strategy.state import Container, Fort
from engine.grand_strategy.tables import Tables
from engine.grand_strategy.war import War
from engine.orders import Line

if TYPE_CHECKING:
    from engine.grand_strategy.rules.production import Works


# ------------------------------------------------------------------ what a fort is


def absorb(war: War, fort: Container, hits: int) -> int:
    """HW-14.6: losses a fort takes without penalty, one for each point it had at the first loss of the player-turn."""
    assert isinstance(fort, Fort)
    if not hits:
        return 0
    if fort.can_absorb is None:
        fort.can_absorb = fort.strength
    count = min(hits, fort.can_absorb - fort.absorbed)
    fort.absorbed += count
    if count:
        war.emit(FortAbsorbed(fort.side, fort.place, count, seen_by=war.witnesses(fort.place, fort.side, war.phasing)))
    return count


def fort_is_shot(war: War, fort: Container, loss: Loss) -> None:
    """Its counter leaves the map only with the points that are under construction."""
    assert isinstance(fort, Fort)
    war.emit(FortPointsLost(fort.side, fort.number, fort.place, loss.count, seen_by=loss.seen_by))
    if not fort.strength and not fort.building:
        war.lose(fort, "losses")


def fort_is_gone(fort: Container, cause: str, seen_by: tuple[str, ...]) -> Event:
    assert isinstance(fort, Fort)
    points = fort.strength + fort.building
    return FortLost(fort.side, fort.number, fort.place, cause, points, fort.building, seen_by=seen_by)


def _numbered(tables: Tables, _side: str) -> tuple[str, ...]:
    """HW-14.1: as many as there are counters."""
    return tuple(f"FORT {number}" for number in range(1, tables.raw["limits"]["forts"] + 1))


def most_points(tables: Tables) -> int:
    """A fort alone never breaks the stacking limit (HW-7.1)."""
    return tables.stacking_limit


FORT = ContainerKind(
    id="fort",
    holds=("fort",),
    most=most_points,
    counters=_numbered,
    is_of_its_place=True,
    absorb=absorb,
    lose=fort_is_shot,
    gone=fort_is_gone,
    shows=band_of_walls,
)


def forts_of(war: War, side: str) -> list[Fort]:
    return [fort for fort in war.state.forts.values() if fort.side == side]


# ------------------------------------------------------------------ production


def complete_forts(war: War) -> None:
    """HW-14.3, HW-11.6: at the start of the owner's next Production Phase new points begin to count."""
    for fort in forts_of(war, war.phasing):
        if fort.building:
            points, fort.building = fort.building, 0
            fort.strength += points
            war.emit(FortCompleted(fort.side, fort.number, fort.place, points, fort.strength))


def fortify(works: "Works", line: Line, order: Fortify) -> None:
    """HW-14.1: any friendly hex will do, in supply or not. In part if the money is short (D-33)."""
    war, price = works.war, works.war.tables.basic_costs["fort"]
    why, remedy = why_not_fortify(war, order.hex)
    if why:
        war.refuse(line, why, remedy)
        return
    points = min(order.points, works.money // price, room_for_fort(war, order.hex))
    if points <= 0:
        war.refuse(line, f"a fort point costs {price} and {works.money} are left", "put it higher in the list")
        return
    fort = begin_fort(war, order.hex, points)
    works.pay(points * price)
    war.emit(FortStarted(works.side, fort.number, order.hex, points, points * price))
    if points < order.points:
        short = room_for_fort(war, order.hex) and f"a fort point costs {price} and {works.money} are left"
        why = short or f"a fort has {war.tables.stacking_limit} points at most (HW-7.1)"
        war.emit(DoneInPart(works.side, line.number, line.text, f"{points} of {order.points} were begun; {why}"))


def begin_fort(war: War, place: str, points: int) -> Fort:
    """New points of the phasing side, in the fort that is there or under a free counter."""
    fort = war.state.forts.get(place)
    if fort is None:
        fort = war.state.forts[place] = Fort(war.phasing, free_numbers(war, war.phasing)[0], place)
    fort.building += points
    return fort


def why_not_fortify(war: War, place: str) -> tuple[str, str]:
    side = war.phasing
    if not war.holds(side, place):
        return f"{place} is not friendly to you", "forts are built in friendly hexes (HW-14.1)"
    for banned in war.rules.fort_bans:
        if (refused := banned(war, place))[0]:
            return refused
    if place not in war.state.forts and not free_numbers(war, side):
        held = ", ".join(f"{fort.number} in {fort.place}" for fort in forts_of(war, side))
        most = war.tables.raw["limits"]["forts"]
        return f"all {most} fort counters are on the map (HW-14.1)", f"add to one or DISMANTLE one: {held}"
    if not room_for_fort(war, place):
        limit = war.tables.stacking_limit
        return f"the fort in {place} has {limit} points, which is all a hex can hold (HW-7.1)", "fortify another hex"
    return "", ""


def room_for_fort(war: War, place: str) -> int:
    """A fort alone never breaks the stacking limit; armies may go elsewhere before its new points count (HW-14.3)."""
    fort = war.state.forts.get(place)
    return war.rules.containers["fort"].most(war.tables) - (fort.strength + fort.building if fort is not None else 0)


def free_numbers(war: War, side: str) -> list[int]:
    used = {fort.number for fort in forts_of(war, side)}
    counters = war.rules.containers["fort"].counters(war.tables, side)
    return [number for number in range(1, len(counters) + 1) if number not in used]


def dismantle(works: "Works", line: Line, order: Dismantle) -> None:
    """HW-14.2: all its points are lost, and the counter is free."""
    war = works.war
    fort = fort_named(war, works.side, order.fort)
    if fort is None:
        war.refuse(line, f"you have no fort {order.fort}", name_forts(war, works.side))
    else:
        war.lose(fort, "dismantled")


def name_forts(war: War, side: str) -> str:
    held = ", ".join(f"{fort.number} in {fort.place}" for fort in forts_of(war, side))
    return f"your forts are: {held or 'none'}"


def fort_named(war: War, side: str, name: str) -> Fort | None:
    """By its number or its hex."""
    return next((fort for fort in forts_of(war, side) if name in (str(fort.number), fort.place)), None)
