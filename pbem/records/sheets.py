"""Judging a sheet: everything that was found about it, and whether it can be used at all."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec

from engine.forecast import Forecast
from engine.game import Game, Gate, Side, View
from engine.orders import LONGEST_LINE, MOST_LINES, Finding, Kind, Sheet, lines_of
from pbem.records import models
from pbem.records.seals import without_remarks
from pbem.refusal import Refusal


class ItIsNotThisSidesTurn(Refusal):
    pass


@dataclass(frozen=True)
class Judged:
    """A sheet as it was read, everything found about it, why it cannot be used if it cannot, or else its odds."""

    sheet: Sheet
    findings: tuple[Finding, ...]
    why_not: str
    odds: Forecast

    @property
    def can_be_used(self) -> bool:
        return not self.why_not


@dataclass(frozen=True, eq=False)
class Reading:
    """A sheet read from its side's own view, so that no answer tells more than the side may know.

    Each question is put to the game when it is first asked, and never again.
    """

    game: Game
    view: View = field(repr=False)
    text: str
    match: str

    @cached_property
    def sheet(self) -> Sheet:
        return self.game.parse(self.text, self.view, self.match)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return in_line_order([*self.sheet.findings, *self.game.check(self.view, self.sheet)])

    @cached_property
    def odds(self) -> Forecast:
        return self.game.forecast(self.view, self.sheet)


def text_to_read(text: str) -> str:
    """What of a sheet is read: what will be sealed of it, so that receipt, run and report share one reading.

    A sheet with more or longer lines than are read is read as it was sent, so that its receipt can say so.
    """
    sent = lines_of(text)
    if len(sent) > MOST_LINES or any(len(line) > LONGEST_LINE for line in sent):
        return text
    return without_remarks(text)


def judge(reading: Reading, gate: Gate, side: Side, text: str) -> Judged:
    """`text` is all that was sent, also what of it orders nothing."""
    if side not in gate.awaits + gate.also_heard:
        raise ItIsNotThisSidesTurn(f"{gate.title}: {side} has no orders to give", f"Awaited: {', '.join(gate.awaits)}.")
    sheet, findings = reading.sheet, reading.findings
    if reading.text != text:
        sheet = msgspec.structs.replace(sheet, findings=pointing_into(text, sheet.findings))
        findings = pointing_into(text, findings)
    why_not = why_it_cannot_be_used(sheet, findings, text)
    return Judged(sheet, findings, why_not, Forecast() if why_not else reading.odds)


def pointing_into(text: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings about what is sealed of a sheet, with the columns they have in the sheet as it was sent."""
    lines = lines_of(text)
    return tuple(
        msgspec.structs.replace(finding, column=column_as_sent(lines[finding.line - 1], finding.column))
        if finding.column and 1 <= finding.line <= len(lines)
        else finding
        for finding in findings
    )


def column_as_sent(line: str, column: int) -> int:
    """Where a column of what is sealed of a line stands in the line as it was sent, with all its blanks."""
    at = len(line) - len(line.lstrip(" "))
    for _ in range(column - 1):
        blank = line[at : at + 1] == " "
        at += 1
        while blank and line[at : at + 1] == " ":
            at += 1
    return at + 1


def remarked(judged: Judged, remarks: Iterable[Finding]) -> Judged:
    """With what was found when the letter was read: of a line that is no order it is told in place of all else."""
    understood = {line.number for line in judged.sheet.lines}
    told = [remark for remark in remarks if not (remark.refuses and remark.line in understood)]
    if not told:
        return judged
    instead = {remark.line for remark in told if remark.refuses}
    first, every = (
        in_line_order([*(one for one in found if one.line not in instead), *told])
        for found in (judged.sheet.findings, judged.findings)
    )
    return replace(judged, sheet=msgspec.structs.replace(judged.sheet, findings=first), findings=every)


def replacing(judged: Judged, before: int) -> Judged:
    """A sheet in place of one with more lines that could be used may be meant as a part of it; its sender is asked.

    A sheet without any order says so on purpose.
    """
    now = usable_lines(judged.sheet, judged.findings)
    if not 0 < now < before:
        return judged
    why = f"{before} lines of the sheet before this one could be used, {now} of this one, and only the newest counts"
    doubt = Finding(Kind.UNFINISHED, 0, why, "send all your lines in one sheet, or READY if this is all")
    return replace(judged, findings=in_line_order([doubt, *judged.findings]))


def usable_lines(sheet: Sheet, findings: Iterable[Finding]) -> int:
    refused = {finding.line for finding in findings if finding.refuses}
    return len({line.number for line in sheet.lines} - refused)


def in_line_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorted by line, each finding once."""
    once = dict.fromkeys(findings)
    return tuple(sorted(once, key=lambda finding: finding.line))


def why_it_cannot_be_used(sheet: Sheet, findings: Iterable[Finding], text: str) -> str:
    """Empty if it can be used. A sheet of comments alone is used: it says that nothing shall be done."""
    whole = [finding for finding in findings if finding.line == 0 and finding.refuses]
    if whole:
        return whole[0].why
    if usable_lines(sheet, findings):
        return ""
    if any(finding.refuses for finding in findings):
        return "no line of this sheet could be used"
    return "" if text.strip() else "the sheet is empty; to order nothing on purpose, send: # no orders"


def is_final(sheet: models.Sheet, seat: models.Seat, gate: Gate) -> bool:
    """A sheet that leaves a doubt may be meant otherwise; its sender has to say that he is ready. So has who wants to
    be asked each time. A bot always is."""
    if seat.ready_gate == gate.id or seat.state == models.BOT:
        return True
    return not seat.settle_ready and not leaves_doubt(sheet)


def leaves_doubt(sheet: models.Sheet) -> bool:
    """Lines of it were refused, or it looks unfinished."""
    return any(finding.leaves_doubt for finding in msgspec.convert(sheet.findings, list[Finding]))
