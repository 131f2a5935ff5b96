"""The map in letters: two lines for a hex, and every second column one line lower."""

from engine.layout import Spot
from tests.toy.round_island.rules.board import LAYOUT, SIDES, hexes
from tests.toy.round_island.rules.view import View

MARKS = {"forest": "f", "village": "v"}
COLUMNS, ROWS, WIDTH = 8, 3, 9
KEY = (
    "v village, f forest, empty lava. E 4: four spears of Ember, E ?: spears that you cannot count, (E): a hex of"
    " Ember where you see nobody. T is Tide. Beyond the right edge the map begins again at the left."
)


def text_map(view: View) -> str:
    lines = [[" " * WIDTH] * COLUMNS for _ in range(2 * ROWS + 1)]
    for hex_id in hexes():
        column, top = _where(hex_id)
        for number, text in enumerate(_cell(view, hex_id)):
            lines[top + number][column] = text.ljust(WIDTH)
    return "\n".join("".join(line).rstrip() for line in lines) + "\n"


def _where(hex_id: str) -> tuple[int, int]:
    spot: Spot = LAYOUT.spot(hex_id)
    return spot.column - 1, 2 * (spot.row - 1) + (spot.column % 2 == 0)


def _cell(view: View, hex_id: str) -> tuple[str, str]:
    mark = MARKS.get(hexes()[hex_id].terrain, "")
    band, owner = view.bands.get(hex_id), view.owner.get(hex_id, "")
    letters = {side: side[0].upper() for side in SIDES}
    if band is not None:
        return f"{hex_id} {mark}", f"{letters[band.side]} {band.spears or '?'}"
    return f"{hex_id} {mark}", f"({letters[owner]})" if owner else "."
