"""The position of a war as plain data: everything that matters later is in it, and nothing else is."""

import msgspec

from engine.game import Options, Outcome, Side


class Band(msgspec.Struct, frozen=True):
    """The spears of one side in one hex."""

    side: Side
    spears: int


class State(msgspec.Struct):
    """`standing` names the hex a side rallies to when it sends no orders; empty if it has said nothing."""

    scenario: str
    options: Options
    owner: dict[str, Side]
    bands: dict[str, Band]
    standing: dict[Side, str]
    moon: int = 1
    step: str = "orders"
    outcome: Outcome | None = None


def spears_of(state: State, side: Side) -> dict[str, int]:
    return {hex_id: band.spears for hex_id, band in state.bands.items() if band.side == side}
