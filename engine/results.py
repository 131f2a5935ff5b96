"""What came of the lines of a sheet, for any game whose events carry their lines."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from engine.events import Event
from engine.orders import Sheet

Verdict = Literal["ok", "in part", "refused", "not met"]
#: What an event may say of its line, the gravest first.
VERDICTS: tuple[Verdict, ...] = ("refused", "in part", "not met")


class LineResult(msgspec.Struct, frozen=True):
    """What came of one line, and the events that came of it as far as its side was told of them."""

    number: int
    verdict: Verdict
    why: str = ""
    events: tuple[Event, ...] = ()


def results_of(sheet: Sheet, told: Iterable[Event]) -> list[LineResult]:
    """Of every line that was understood or refused in reading, in the order of their numbers."""
    refused = {finding.line: finding.why for finding in sheet.findings if finding.refuses and finding.line}
    of_line: dict[int, list[Event]] = {line.number: [] for line in sheet.lines}
    for event in told:
        for number in event.lines_of(sheet.side):
            of_line.setdefault(number, []).append(event)
    return [
        LineResult(number, "refused", refused[number]) if number in refused else _result(number, of_line[number])
        for number in sorted({*of_line, *refused})
    ]


def _result(number: int, events: Sequence[Event]) -> LineResult:
    for verdict in VERDICTS:
        for event in events:
            if event.verdict == verdict:
                return LineResult(number, verdict, str(getattr(event, "why", "")), tuple(events))
    return LineResult(number, "ok", "", tuple(events))
