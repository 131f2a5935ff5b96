"""What one side may know of a position (RI-8): the only door out of it."""

import msgspec

from engine.game import Fog, Gate, Options, Outcome, Side
from tests.toy.round_island.rules.board import SIDES, neighbours, scenarios
from tests.toy.round_island.rules.state import State, spears_of


class BandSeen(msgspec.Struct, frozen=True):
    """`spears` is None where they cannot be counted."""

    side: Side
    spears: int | None


class View(msgspec.Struct, frozen=True):
    """Who owns a hex is known to everybody (RI-8.1). Of standing orders a side knows its own."""

    scenario: str
    title: str
    options: Options
    side: Side | None
    fog: Fog
    moon: int
    last_moon: int
    gate: Gate | None
    owner: dict[str, Side]
    bands: dict[str, BandSeen]
    standing: dict[Side, str]
    outcome: Outcome | None = None

    def spears_of(self, side: Side) -> dict[str, int]:
        """As far as they are counted."""
        return {hex_id: band.spears for hex_id, band in self.bands.items() if band.side == side and band.spears}


def gate_at(moon: int) -> Gate:
    """Both sides are awaited, and nobody else is there to be heard."""
    return Gate(f"moon-{moon}", f"Moon {moon}", "orders", SIDES)


def view_of(state: State, side: Side | None, fog: Fog) -> View:
    data = scenarios()[state.scenario]
    return View(
        state.scenario,
        data.title,
        state.options,
        side,
        fog,
        state.moon,
        data.moons,
        None if state.outcome is not None else gate_at(state.moon),
        dict(state.owner),
        bands_seen(state, side, fog),
        {one: rally for one, rally in state.standing.items() if side in (None, one) or fog == "open"},
        state.outcome,
    )


def bands_seen(state: State, side: Side | None, fog: Fog) -> dict[str, BandSeen]:
    """RI-8.2: what is beside one's own can be counted. The veil shows where others stand, the fog does not.

    The public has no spears, so beside them it sees nothing.
    """
    counted = in_sight(state, side) if side is not None and fog != "open" else set(state.bands)
    return {
        hex_id: BandSeen(band.side, band.spears if hex_id in counted else None)
        for hex_id, band in state.bands.items()
        if hex_id in counted or fog == "veiled"
    }


def in_sight(state: State, side: Side) -> set[str]:
    """Hexes with spears of a side, and all that touch them."""
    own = spears_of(state, side)
    return {*own, *(beside for hex_id in own for beside in neighbours(hex_id))}
