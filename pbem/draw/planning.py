"""From the lines of a sheet to a plan, by the view and the sheet alone.

Nothing is judged here. Lines that were refused are left out, and what has no place on the map is told in words.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.grand_strategy import orders
from engine.grand_strategy.orders import ALL, LETTERS
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.orders import Finding, Line, Sheet
from pbem.draw import diplomacy, sailing
from pbem.draw.plan import Assault, Leg, Plan, Retreat
from pbem.draw.sailing import Harbour
from pbem.games.hitlers_war.names import as_in_orders


def plan_of(view: View, sheet: Sheet, findings: Iterable[Finding] = ()) -> Plan:
    """The lines of a sheet in their order, without those that the sheet's own findings or others refuse."""
    refused = {finding.line for finding in (*sheet.findings, *findings) if finding.refuses}
    plan, harbour = Plan(sheet.side, view.turn, dict(view.armies), pool=dict(view.pool)), Harbour(view, sheet.side)
    lines = [] if sheet.refused else [line for line in sheet.lines if line.number not in refused]
    for line in lines:
        _move(plan, line.order, harbour)
    for army in plan.armies.values():
        before = view.armies.get(army.id)
        if before is not None and before.place != army.place:
            plan.go(before.place, army.place)
    sailing.embark(plan, view, harbour)
    for line in lines:
        _add(plan, line, harbour)
    return plan


# ------------------------------------------------------------------ movement


def _move(plan: Plan, order: Any, harbour: Harbour) -> None:
    """Armies as the lines would leave them, in the order of the lines."""
    match order:
        case orders.Set():
            plan.put(order.army, order.hex, order.points)
        case orders.GoTo() if order.army in plan.armies:
            plan.put(order.army, order.hex, plan.armies[order.army].points)
        case orders.Transfer():
            _transfer(plan, order.giver, order.taker, order.points)
        case orders.Form():
            plan.put(order.army, order.hex, {})
            _transfer(plan, order.giver, order.army, order.points)
        case orders.Disband() if order.army in plan.armies:
            if order.taker:
                _transfer(plan, order.army, order.taker, dict.fromkeys(plan.armies[order.army].points or {}, ALL))
            plan.armies.pop(order.army, None)
        case _:
            sailing.move(plan, order, harbour)


def _transfer(plan: Plan, giver: str, taker: str, points: dict[str, int]) -> None:
    ends = [plan.armies[army].place for army in (giver, taker) if army in plan.armies]
    if plan.hand_over(giver, taker, points):
        plan.go(*ends)


# ------------------------------------------------------------------ everything else


def _add(plan: Plan, line: Line, harbour: Harbour) -> None:
    order = line.order
    match order:
        case orders.Attack():
            _add_assault(plan, order)
        case orders.Exploit():
            plan.legs.extend(_legs(plan, order))
        case orders.Retreat():
            _add_retreat(plan, order)
        case orders.Build():
            _add_work(plan, order.hexes, f"+{_what(order)}", order)
        case orders.Repair():
            _add_work(plan, (order.hex,), f"⚒{order.points or ''}", order)
        case orders.Set() | orders.GoTo() | orders.Transfer() | orders.Form() | orders.Disband():
            pass
        case _ if not (sailing.add(plan, order, harbour) or diplomacy.add(plan, order, harbour.war)):
            plan.untold.append(as_in_orders(str(order)))


def _add_assault(plan: Plan, order: orders.Attack) -> None:
    if order.army in plan.armies:
        plan.assaults.append(
            Assault(
                order.army,
                plan.armies[order.army].place,
                order.hex,
                fires=order.assault is not None,
                advances=order.advance is not None,
                fires_if=bool(order.assault),
                advances_if=bool(order.advance),
            )
        )


def _add_work(plan: Plan, hexes: tuple[str, ...], what: str, order: orders.Build | orders.Repair) -> None:
    """New or repaired points at the first hex that is named; where none is, in words."""
    if hexes and hexes[0] in europe():
        plan.works.setdefault(hexes[0], []).append(what)
    else:
        plan.untold.append(as_in_orders(str(order)))


def _what(order: orders.Build) -> str:
    if order.most:
        return f"max {LETTERS[order.most]}"
    return " ".join(f"{count}{LETTERS[kind]}" for kind, count in order.points.items() if count > 0)


# ------------------------------------------------------------------ exploitation


def _legs(plan: Plan, order: orders.Exploit) -> Iterator[Leg]:
    """From where the army stands after its attack, step by step. A branch goes on from both of its hexes."""
    if order.army not in plan.armies:
        return
    before, here = _start(plan, order.army)
    for number, step in enumerate(order.path, 1):
        there = [each for part in _parts(step) if (each := before if part == "RETURN" else part)]
        for origin, place in _joined(here, there):
            yield Leg(order.army, number, origin, place, open=len(there) > 1 or len(here) > 1)
        before, here = (here[0] if here else ""), there or here


def _start(plan: Plan, army: str) -> tuple[str, list[str]]:
    """Where an army last advanced from, and where it is when the exploitation begins."""
    place = plan.armies[army].place
    for attack in plan.assaults:
        if attack.army == army and attack.advances:
            return place, [attack.target]
    for voyage in plan.voyages:
        if voyage.army == army:
            return place, [voyage.places[-1]]
    return "", [place]


def _parts(step: orders.Step | orders.Branch) -> list[str]:
    return [step.hex] if isinstance(step, orders.Step) else [step.first.hex, step.second.hex]


def _joined(here: list[str], there: list[str]) -> list[tuple[str, str]]:
    """Each hex of a step from the neighbours it can be reached from."""
    pairs = []
    for place in there:
        near = [origin for origin in here if place in europe().grid and europe().grid.edge(origin, place) is not None]
        pairs += [(origin, place) for origin in near or here[:1]]
    return pairs


# ------------------------------------------------------------------ retreats


def _add_retreat(plan: Plan, order: orders.Retreat) -> None:
    """Only of one army or one hex; what holds for many would hide everything else and is told in words."""
    origin = plan.armies[order.where].place if order.where in plan.armies else order.where
    if origin not in europe() or order.manner == "DIE":
        plan.untold.append(as_in_orders(str(order)))
        return
    for number, place in enumerate(order.hexes, 1):
        if place in europe() and place != origin:
            directed = order.manner == "TOWARD"
            plan.retreats.append(Retreat(origin, place, 0 if directed else number, avoided=order.manner == "AVOID"))
