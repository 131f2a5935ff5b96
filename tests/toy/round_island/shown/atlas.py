"""The island as the kit draws it: flat hexes that go round, lava between them, and the villages."""

from functools import cache

from engine.layout import ROW, Spot
from pbem.draw.atlas import CORNERS, Atlas, Extent, Land, Printed, Terrain
from tests.toy.round_island.rules.board import FOREST, LAYOUT, Hex, hexes

COLUMNS, ROWS = 8, 3
#: The middle of the first column, and how far the island reaches to the north and the south of it.
FIRST, NORTH, SOUTH = ROW, -0.5, -(ROWS + 1)
#: As far east as the last column, and half a hex on each side.
MAP = Extent(FIRST - ROW / 2, SOUTH - 0.1, FIRST + (COLUMNS - 0.5) * ROW, NORTH + 0.1)


@cache
def island_atlas() -> Atlas:
    """Lava is a sea without numbers. Each hex is land of its own, with a shore around it."""
    every = [LAYOUT.hex_at(Spot(column, row)) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
    bare = Atlas(LAYOUT, MAP, MAP.grown(0.1), dict.fromkeys(every, "land"))
    return Atlas(
        LAYOUT,
        bare.map,
        bare.sheet,
        {hex_id: _terrain(hexes().get(hex_id)) for hex_id in every},
        coast=tuple(_outline(*bare.middle(hex_id)) for hex_id in hexes()),
        printed={hex_id: Printed(known.name) for hex_id, known in hexes().items()},
    )


def _terrain(known: Hex | None) -> Terrain:
    if known is None:
        return "sea"
    return "forest" if known.terrain == FOREST else "land"


def _outline(x: float, y: float) -> Land:
    return Land(tuple((x + east, y - south) for east, south in CORNERS[LAYOUT.top]))
