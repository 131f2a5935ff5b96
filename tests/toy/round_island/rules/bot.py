"""Players that the program can be: one who draws lots, and one who goes for the next village.

The first uses every order of the language now and then; neither sends one that is refused.
"""

from collections.abc import Callable

from engine.dice import number_below
from tests.toy.round_island.rules.board import LAYOUT, hexes, neighbours, step_towards, villages
from tests.toy.round_island.rules.orders import Hold, March, Rally
from tests.toy.round_island.rules.view import View


class Lots:
    """Numbers that are fixed by a key and what they are drawn for."""

    def __init__(self, key: bytes, about: str) -> None:
        self._key, self._about, self._drawn = key, about, 0

    def below(self, most: int) -> int:
        self._drawn += 1
        return number_below(self._key, f"bot/{self._about}/{self._drawn}", most)


def random_sheet(view: View, key: bytes) -> str:
    """The same view and key give the same sheet."""
    lots = Lots(key, f"{view.moon}/{view.side}")
    lines = [line for origin in sorted(_own(view)) if (line := _march_from(origin, _own(view)[origin], lots))]
    if not lots.below(4):
        lines.append(str(Rally(sorted(hexes())[lots.below(len(hexes()))])))
    if not lots.below(4):
        lines.append(("STANDING RALLY 0103", "STANDING CLEAR")[lots.below(2)])
    return "\n".join(lines or [str(Hold())]) + "\n"


def _own(view: View) -> dict[str, int]:
    return view.spears_of(view.side or "")


def _march_from(origin: str, spears: int, lots: Lots) -> str:
    """Two bands of three march somewhere."""
    if not lots.below(3):
        return ""
    beside = neighbours(origin)
    return str(March(1 + lots.below(spears), origin, beside[lots.below(len(beside))]))


def raiders_sheet(view: View, key: bytes) -> str:
    """Every band goes with all it has for the nearest village that is not its own; nothing is left to chance."""
    wanted = [hex_id for hex_id in villages() if view.owner.get(hex_id) != view.side]
    lines = [
        str(March(spears, origin, _next(origin, wanted))) for origin, spears in sorted(_own(view).items()) if wanted
    ]
    return "\n".join(lines or [str(Hold())]) + "\n"


def _next(origin: str, wanted: list[str]) -> str:
    return step_towards(origin, min(wanted, key=lambda hex_id: (LAYOUT.distance(origin, hex_id), hex_id)))


#: How well the program can play.
BOTS: dict[str, Callable[[View, bytes], str]] = {"random": random_sheet, "raider": raiders_sheet}
