"""The receipt: every line of a player's sheet echoed with what became of it, and what is still missing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from engine.orders import Finding, Kind, Sheet, lines_of
from pbem.odds_table import OddsTable
from pbem.wording import WIDTH, own_or_shared, render, shortened, visible

MOST_LINES_ECHOED = 200
MOST_REMARKS_A_LINE = 5
LONGEST_REMARK = 400
#: Line number and verdict stand before the player's text.
TEXT_COLUMN = 17
TEXT_WIDTH = WIDTH - TEXT_COLUMN
#: How much of a long line is shown before the place a remark points at.
LEAD = 30
CUT = "..."


@dataclass(frozen=True)
class ReceiptFacts:
    """What the referee knows about a sheet besides its lines. `missing` says what the gate still waits for."""

    match: int | str
    title: str
    side: str
    gate_title: str
    digest: str
    arrived: datetime
    superseded: bool
    missing: tuple[str, ...]
    kept: bool
    odds: OddsTable | None = None


class Remark(msgspec.Struct, frozen=True):
    """One finding, made safe to print. `caret` is the column under the echoed text, or None."""

    kind: str
    why: str
    remedy: str
    caret: int | None = None


class Echo(msgspec.Struct, frozen=True):
    """One line of the player's text with its verdict; a line that orders nothing has none."""

    number: int
    verdict: str
    text: str
    remarks: tuple[Remark, ...]


def receipt(game_id: str, sheet_text: str, sheet: Sheet, findings: Sequence[Finding], facts: ReceiptFacts) -> str:
    """The transcript of a sheet. `findings` are those of the check; those of the reading are in the sheet."""
    every = list(dict.fromkeys((*sheet.findings, *findings)))
    lines = lines_of(sheet_text.removesuffix("\n")) if sheet_text else []
    return render(
        own_or_shared(game_id, "receipt.txt.j2", "mail"),
        facts=facts,
        arrived=facts.arrived.astimezone(UTC).strftime("%d %B %Y, %H:%M UTC").lstrip("0"),
        about_all=[_remark(finding) for finding in every if not 1 <= finding.line <= len(lines)],
        echoes=[_echo(number, text, sheet, every) for number, text in enumerate(lines[:MOST_LINES_ECHOED], 1)],
        left_out=max(0, len(lines) - MOST_LINES_ECHOED),
        left_out_counts=_counts(sheet, every, after=MOST_LINES_ECHOED),
        counts=_counts(sheet, every),
        text_column=TEXT_COLUMN,
    )


def _counts(sheet: Sheet, findings: Sequence[Finding], after: int = 0) -> dict[str, int]:
    """How many lines were understood and taken, and how many remarks of each kind there are."""
    refused = {finding.line for finding in findings if finding.refuses}
    taken = {line.number for line in sheet.lines if line.number > after} - refused
    kinds = Counter(finding.kind for finding in findings if finding.line > after or not after)
    return {"ok": len(taken), **{kind.value: kinds[kind] for kind in Kind if kinds[kind]}}


def _echo(number: int, text: str, sheet: Sheet, findings: Sequence[Finding]) -> Echo:
    about = [finding for finding in findings if finding.line == number]
    start = _window(text, next((finding.column for finding in about if finding.column), 0))
    remarks = tuple(_remark(finding, _caret(text, finding.column, start)) for finding in about[:MOST_REMARKS_A_LINE])
    return Echo(number, _verdict(number, sheet, about), _cut(visible(text), start), remarks)


def _verdict(number: int, sheet: Sheet, about: Sequence[Finding]) -> str:
    refusing = [finding.kind.value for finding in about if finding.refuses]
    if refusing:
        return refusing[0]
    return "ok" if any(line.number == number for line in sheet.lines) else ""


def _remark(finding: Finding, caret: int | None = None) -> Remark:
    why, remedy = (shortened(visible(text), LONGEST_REMARK).rstrip(". ") for text in (finding.why, finding.remedy))
    return Remark(finding.kind.value, why, remedy, caret)


# ------------------------------------------------------------------ long lines


def _shown_column(text: str, column: int) -> int:
    """Where a column of the player's text is once hidden characters are written out."""
    return len(visible(text[: column - 1]))


def _window(text: str, column: int) -> int:
    """From which column on a line is shown: the start, unless a remark points beyond what fits."""
    at = _shown_column(text, column) if column else 0
    return 0 if at < TEXT_WIDTH - len(CUT) else at - LEAD


def _cut(text: str, start: int) -> str:
    return shortened(text if start == 0 else CUT + text[start + len(CUT) :], TEXT_WIDTH)


def _caret(text: str, column: int, start: int) -> int | None:
    at = _shown_column(text, column) - start if column else -1
    return at if 0 <= at < TEXT_WIDTH else None
