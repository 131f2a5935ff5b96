"""What is called how."""

from pbem.games.tools import NoSuchPlace
from tests.toy.round_island.rules.board import CRATER, hexes, villages


def place_name(hex_id: str) -> str:
    """`0102 Cinder` for a village, the number alone for any other hex."""
    known = hexes().get(hex_id)
    return f"{hex_id} {known.name}".rstrip() if known else f"the {hex_id}" if hex_id == CRATER else hex_id


def hex_named(text: str) -> str:
    """A hex by its number or by the name of its village."""
    written = text.strip().casefold()
    for hex_id, known in hexes().items():
        if written in (hex_id, known.name.casefold()):
            return hex_id
    some = ", ".join(place_name(village) for village in villages())
    raise NoSuchPlace(f"The villages are {some}; any other hex is named by its number.")


def side_name(side: str) -> str:
    return side.capitalize()


def spears(number: int | None) -> str:
    """`3 spears`; of an unknown number, spears."""
    if number is None:
        return "spears"
    return f"{number} spear{'s' if number != 1 else ''}"


#: RI-8.
SIGHT = {
    "open": "open: nothing is hidden.",
    "veiled": "veiled: you see where everybody stands and goes, and count only what is next to your own spears.",
    "fog": "fog: of the other clan you see only what is next to your own spears, its banners, and battles.",
}

WORDS = {"place": place_name, "side_name": side_name, "spears": spears}
