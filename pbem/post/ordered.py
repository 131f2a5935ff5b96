"""What a side had ordered and what came of each line, from its own sheet and the events it was told."""

from collections.abc import Iterable, Sequence

import msgspec

from engine.events import Event
from engine.orders import Finding, Line, Sheet, lines_of
from pbem.games.box import GameBox
from pbem.words.wording import shortened, visible

LONGEST_LINE = 120
LONGEST_REASON = 300


class Ordered(msgspec.Struct, frozen=True):
    """A line of a sheet. `verdict` is ok, in part, refused or not met; `result` says more where there is more."""

    line: int
    text: str
    verdict: str
    result: str = ""


def what_came_of(
    box: GameBox, text: str, sheet: Sheet, findings: Iterable[Finding], told: Sequence[Event]
) -> tuple[Ordered, ...]:
    """Every line that ordered something or meant to. Blank lines, comments and the heading are left out."""
    read = {line.number: line for line in sheet.lines}
    refused = {finding.line: finding.why for finding in findings if finding.refuses}
    every = enumerate(lines_of(text.removesuffix("\n")), 1)
    return tuple(
        _judged(box, number, words, read.get(number), refused.get(number, ""), told)
        for number, words in every
        if number in read or number in refused
    )


def _judged(box: GameBox, number: int, text: str, line: Line | None, refused: str, told: Sequence[Event]) -> Ordered:
    verdict, result = ("refused", refused) if refused else box.came_of(number, line, told)
    echo, why = shortened(visible(text.strip()), LONGEST_LINE), shortened(box.named(result), LONGEST_REASON)
    return Ordered(number, echo, verdict, why)
