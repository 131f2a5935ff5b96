"""What the orders of a side would do, laid out line by line.

The run, the check, the forecast and the picture of the orders all ask here, so they cannot say different things.
"""

from collections.abc import Iterable, Mapping

import msgspec

from engine.orders import Line
from tests.toy.round_island.rules.board import neighbours, step_towards
from tests.toy.round_island.rules.orders import March, Rally


class Marching(msgspec.Struct, frozen=True):
    """Spears on their way. `line` is 0 where a standing order sends them."""

    line: int
    spears: int
    origin: str
    target: str


class Refusal(msgspec.Struct, frozen=True):
    line: Line
    why: str
    remedy: str


class Plan(msgspec.Struct, frozen=True):
    marches: tuple[Marching, ...] = ()
    refused: tuple[Refusal, ...] = ()


def plan_of(spears: Mapping[str, int], lines: Iterable[Line]) -> Plan:
    """`spears` are those of the side, by hex. Each marches once (RI-3.2); the lines count in their order."""
    left = dict(spears)
    orders = [line for line in lines if not line.standing]
    marches, refused = list[Marching](), list[Refusal]()
    for line in orders:
        if not isinstance(line.order, March):
            continue
        problem = _problem(line.order, left)
        if problem:
            refused.append(Refusal(line, *problem))
        else:
            left[line.order.origin] -= line.order.spears
            marches.append(Marching(line.number, line.order.spears, line.order.origin, line.order.target))
    rallies = [line for line in orders if isinstance(line.order, Rally)]
    refused += [Refusal(line, "Only the first RALLY counts (RI-3.5).", "Send one of them.") for line in rallies[1:]]
    for line in rallies[:1]:
        marches += rallied(left, line.order.hex, line.number)
    return Plan(tuple(marches), tuple(refused))


def rallied(spears: Mapping[str, int], goal: str, line: int = 0) -> list[Marching]:
    """RI-3.5: everybody goes one hex nearer; who is there stays."""
    return [
        Marching(line, number, origin, step_towards(origin, goal))
        for origin, number in sorted(spears.items())
        if number and origin != goal
    ]


def _problem(order: March, left: Mapping[str, int]) -> tuple[str, str] | None:
    """Why a march cannot begin and what would work; None if it can."""
    there = left.get(order.origin, 0)
    if not there:
        where = ", ".join(f"{number} in {hex_id}" for hex_id, number in sorted(left.items()) if number)
        return f"No spear of yours is left in {order.origin} (RI-3.2).", f"You have {where or 'none left'}."
    if order.target not in neighbours(order.origin):
        touching = ", ".join(sorted(neighbours(order.origin)))
        return f"{order.target} does not touch {order.origin} (RI-3.1).", f"Hexes beside it: {touching}."
    if order.spears > there:
        return (
            f"Only {there} can march from {order.origin} (RI-3.2).",
            f"Write {March(there, order.origin, order.target)}.",
        )
    return None
