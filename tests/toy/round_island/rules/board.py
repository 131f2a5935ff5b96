"""The island: its hexes, which touch, and how the wars begin on it."""

from functools import cache
from typing import Any

import msgspec

from engine.grid import Edge, Grid, route, search
from engine.layout import Layout, Numbers
from engine.load import load_yaml
from tests.toy.round_island import FOLDER

SIDES = ("ember", "tide")
CRATER = "crater"
OPEN, FOREST, VILLAGE = "open", "forest", "village"

#: RI-1.1: flat hexes in eight columns of three; the first column comes after the eighth.
LAYOUT = Layout("flat", "even", Numbers(columns=8, rows=3), wrap=8)


class Hex(msgspec.Struct, frozen=True):
    """One hex. Only villages have names."""

    terrain: str = OPEN
    name: str = ""


class ScenarioData(msgspec.Struct, frozen=True):
    title: str
    moons: int
    summary: str
    bands: dict[str, dict[str, int]]


def _data() -> Any:
    return load_yaml(str(FOLDER / "data"), "island.yaml")


@cache
def hexes() -> dict[str, Hex]:
    """Every hex of the island, in the order in which everything is done."""
    return msgspec.convert(dict(sorted(_data()["hexes"].items())), dict[str, Hex])


@cache
def scenarios() -> dict[str, ScenarioData]:
    return msgspec.convert(_data()["scenarios"], dict[str, ScenarioData])


@cache
def villages() -> tuple[str, ...]:
    return tuple(hex_id for hex_id, known in hexes().items() if known.terrain == VILLAGE)


@cache
def rim() -> tuple[str, ...]:
    """The hexes beside the crater (RI-6.1)."""
    return tuple(hex_id for hex_id in hexes() if LAYOUT.spot(hex_id).row == _data()["rim"])


@cache
def grid() -> Grid:
    """Which hexes touch; lava is no hex (RI-1.2)."""
    return Grid(
        {hex_id: [Edge(other, "land") for other in LAYOUT.neighbours(hex_id) if other in hexes()] for hex_id in hexes()}
    )


def neighbours(hex_id: str) -> tuple[str, ...]:
    return tuple(edge.to for edge in grid().edges(hex_id))


def step_towards(origin: str, goal: str) -> str:
    """The next hex on a shortest way; the goal itself when it is reached."""
    way = route(search([origin], neighbours), goal)
    return way[1] if len(way) > 1 else goal


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]
