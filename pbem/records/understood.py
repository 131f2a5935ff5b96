"""How each line of a sheet was understood when it came, so that no later program reads it as anything else.

A sheet waits as it was sent. If the program that seals it reads every line as its receipt did, it is sealed so. If not,
the lines that it reads otherwise are sealed in the exact form of what they were taken for; those that were no orders
then are left out.
"""

from collections.abc import Callable, Mapping
from itertools import zip_longest

from engine.orders import Line, Sheet
from pbem.records.seals import NO_ORDERS, without_remarks

#: Exact orders by the number of their line, as text: JSON has no other keys.
Understood = Mapping[str, str]
STANDING = "STANDING"


class TheSheetIsReadOtherwise(Exception):
    """No text says to this program what the sheet said to the one that took it."""


def understood_in(sheet: Sheet) -> dict[str, str]:
    """Every order of a sheet in the form that reads as the same order wherever it stands."""
    return {str(line.number): exact(line) for line in sheet.lines}


def exact(line: Line) -> str:
    order = str(line.order)
    return f"{STANDING} {order}" if line.standing and not order.startswith(f"{STANDING} ") else order


def as_understood(text: str, understood: Understood | None, read: Callable[[str], Sheet]) -> str:
    """What is to be sealed of a text: itself, if it is read as it was understood. Nobody noted that of older sheets."""
    if understood is None or _says(read(text), understood):
        return text
    now = understood_in(read(text))
    for kept in (lambda number: now.get(number) == understood.get(number), lambda number: False):
        exactly = _in_exact_lines(text, understood, kept)
        if _says(read(exactly), understood):
            return exactly
    raise TheSheetIsReadOtherwise(f"these orders cannot be written so that they are read as such: {dict(understood)}")


def _says(sheet: Sheet, understood: Understood) -> bool:
    return not sheet.refused and understood_in(sheet) == understood


def _in_exact_lines(text: str, understood: Understood, kept: Callable[[str], bool]) -> str:
    """Every line stays where it was, so that it keeps its number."""
    every = enumerate(text.split("\n"), 1)
    lines = [line if kept(str(number)) else understood.get(str(number), "") for number, line in every]
    return without_remarks("\n".join(lines))


def could_be_sealed(sealed: str, sent: str, understood: Understood) -> bool:
    """Whether each line of a sealed text is the one that was sent, or what it was understood as."""
    lines = [text.split("\n") if text != NO_ORDERS else [] for text in (sealed, sent)]
    pairs = enumerate(zip_longest(*lines, fillvalue=""), 1)
    return all(line in (own, understood.get(str(number), "")) for number, (line, own) in pairs)
