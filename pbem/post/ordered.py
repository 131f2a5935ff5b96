"""What a side had ordered and what came of each line, from its own sheet and the events it was told."""

from collections.abc import Iterable

import msgspec

from engine.orders import Finding, Sheet, lines_of
from engine.results import LineResult
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
    box: GameBox, text: str, sheet: Sheet, findings: Iterable[Finding], results: Iterable[LineResult]
) -> tuple[Ordered, ...]:
    """Every line that ordered something or meant to. Blank lines, comments and the heading are left out."""
    read = {line.number: line for line in sheet.lines}
    found = {result.number: result for result in results}
    refused = {finding.line: finding.why for finding in findings if finding.refuses}
    told: list[Ordered] = []
    for number, words in enumerate(lines_of(text.removesuffix("\n")), 1):
        if number in refused:
            told.append(_told(box, number, words, "refused", refused[number]))
        elif number in found:
            result = found[number]
            told.append(_told(box, number, words, result.verdict, box.result_words(read.get(number), result)))
    return tuple(told)


def _told(box: GameBox, number: int, text: str, verdict: str, said: str) -> Ordered:
    echo, why = shortened(visible(text.strip()), LONGEST_LINE), shortened(box.named(said), LONGEST_REASON)
    return Ordered(number, echo, verdict, why)
