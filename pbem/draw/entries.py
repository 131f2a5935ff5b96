"""The entries of a record sheet in a picture, of whatever game: three abreast, each with its heading above it."""

from collections.abc import Sequence
from typing import NamedTuple

from pbem.draw.fonts import folded
from pbem.draw.pen import Pen
from pbem.draw.style import mix
from pbem.words.tables import Entry, abreast

LINE, MOST_LINES = 24, 3
#: From the heading to the first line, from the rule above it to the heading, and between neighbours.
BELOW_HEADING, ABOVE_HEADING, GAP = 30, 16, 24


class Place(NamedTuple):
    """Where an entry stands, and how wide it may be."""

    left: float
    width: float


def draw_entries(pen: Pen, entries: Sequence[Entry], places: Sequence[Place], top: float, band: int) -> None:
    """Each row a band below the one before it, with a rule above all but the first."""
    for number, row in enumerate(abreast(entries, len(places))):
        y = top + number * band
        if number:
            draw_rule_above(pen, places, y)
        for first, entry in row:
            place = places[first] if entry.span == 1 else _together(places, first, entry.span)
            draw_entry(pen, entry, place, y)


def height_of(entries: Sequence[Entry], band: int) -> int:
    return len(abreast(entries)) * band


def draw_entry(pen: Pen, entry: Entry, place: Place, top: float) -> None:
    """No more than so many lines."""
    heading(pen, place.left, top, entry.label.on("picture"))
    lines = folded(entry.words.on("picture"), "narrow", 16 * pen.unit, place.width * pen.unit)
    for number, line in enumerate(at_most(MOST_LINES, lines)):
        pen.write(place.left, top + BELOW_HEADING + number * LINE, line, 16, room=place.width)


def draw_rule_above(pen: Pen, places: Sequence[Place], top: float) -> None:
    left, right = places[0].left, places[-1].left + places[-1].width
    pen.rule(left, top - ABOVE_HEADING, right - left, colour=mix(pen.style.paper, pen.style.soft_ink, 0.4))


def heading(pen: Pen, x: float, y: float, text: str, align: str = "left") -> None:
    pen.write(x, y, text, 13, face="narrow bold", colour=pen.style.soft_ink, align=align, tracking=2)


def at_most(most: int, lines: Sequence[str]) -> Sequence[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1].rstrip(',')} …"]


def _together(places: Sequence[Place], first: int, span: int) -> Place:
    """Several places as one, as far as the gap before their neighbour."""
    last = first + span
    end = places[last].left - GAP if last < len(places) else places[-1].left + places[-1].width
    return Place(places[first].left, end - places[first].left)
