"""Whose some orders are, and what they may be about: what no turn of the war can ever change."""

from engine.hitlers_war.board import Board
from engine.hitlers_war.nations import ITALY, UNITED_STATES, nation_of_country
from engine.hitlers_war.orders import (
    ITALY_SURRENDER,
    Adopt,
    Gift,
    LendLease,
    Losses,
    NavalFire,
    NavalReserve,
    Order,
    SurrenderTerms,
)
from engine.hitlers_war.state import ALLIES, AXIS
from engine.hitlers_war.tables import tables

LEAVE_IT = "leave the line away"


def why_never(board: Board, side: str, order: Order) -> tuple[str, str]:
    """Why an order of this side can never count, and what would work; empty if it can."""
    match order:
        case NavalFire() | NavalReserve() if side != ALLIES:
            return "only the Allies have a navy that fires at landings (HW-13.8)", LEAVE_IT
        case LendLease() if side != ALLIES:
            return "only the Allies give lend-lease (HW-17.2)", LEAVE_IT
        case SurrenderTerms() if side != AXIS:
            return "the Soviet surrender is for the Axis to accept or to refuse (HW-21.3)", LEAVE_IT
        case Losses(where=where) if where == ITALY_SURRENDER and side != AXIS:
            return "only the Axis loses points when Italy surrenders (HW-21.2)", LEAVE_IT
        case Gift():
            return _why_no_gift(board, side, order)
        case Adopt() if nation_of_country(board, order.country) not in (ITALY, UNITED_STATES):
            return f"{order.country} has no army that could change over (HW-19.7)", "ADOPT is for Italy and the US"
    return "", ""


def _why_no_gift(board: Board, side: str, order: Gift) -> tuple[str, str]:
    """HW-20.4. In the later edition Bulgaria brings forces too."""
    minors = tables().raw["entry"]["axis_minors"]
    givers = [
        nation for nation in {**minors["gifts"], **minors["gifts_later_edition"]} if nation in minors["countries"]
    ]
    if side != AXIS:
        return "new allies bring their forces to the Axis alone (HW-20.4)", LEAVE_IT
    if order.country not in givers:
        return f"{order.country} brings no forces (HW-20.4)", f"there may be some of {', '.join(givers)}"
    if board[order.hex].country != order.country:
        hexes = ", ".join(board.of_country(order.country))
        return f"the forces of {order.country} appear in {order.country} (HW-20.4)", f"name one of {hexes}"
    return "", ""
