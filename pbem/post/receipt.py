"""The receipt: every line of a player's sheet echoed with what became of it, and what is still missing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import msgspec

from engine.orders import Finding, Kind, Sheet, lines_of
from pbem.games.box import GameBox, Plan
from pbem.post.odds_table import OddsTable
from pbem.schedule import moment_in_words
from pbem.words.wording import WIDTH, render, shortened, visible

MOST_LINES_ECHOED = 200
MOST_REMARKS_A_LINE = 5
LONGEST_REMARK = 400
#: Line number and verdict stand before the player's text.
TEXT_COLUMN = 17
TEXT_WIDTH = WIDTH - TEXT_COLUMN
#: Of what is no order, so many lines are quoted, each as far as it fits.
MOST_PROSE_QUOTED = 5
LONGEST_PROSE = WIDTH - 4
#: No line of a letter is longer; of what is typed in more is not echoed.
LONGEST_ECHO = 500


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
    only_checked: bool = False  # though it could be used
    awaited: bool = True  # it is the turn of the side
    odds: OddsTable | None = None
    plan: Plan | None = None
    zone: str = ""  # of the clock by which the player is told when it arrived
    prose: tuple[str, ...] = ()  # lines of his letter that order nothing


class Remark(msgspec.Struct, frozen=True):
    """One finding, made safe to print. `caret` is the column under the echoed text, or None."""

    kind: str
    why: str
    remedy: str
    caret: int | None = None


class Row(msgspec.Struct, frozen=True):
    """A part of the player's line that fits beside its number, and the carets below it."""

    text: str
    carets: str = ""


class Echo(msgspec.Struct, frozen=True):
    """One line of the player's text with its verdict; a line that orders nothing has none.

    A long line takes several rows. Remarks point at the last one; where they mean another, its carets do.
    """

    number: int
    verdict: str
    rows: tuple[Row, ...]
    remarks: tuple[Remark, ...]

    @property
    def text(self) -> str:
        """The whole line, for pages that fold it themselves."""
        return " ".join(row.text for row in self.rows)


@dataclass(frozen=True)
class Transcript:
    """A sheet with all that is said about it, to be put into words."""

    facts: ReceiptFacts
    arrived: str
    about_all: list[Remark]
    echoes: list[Echo]
    prose: list[str]
    left_out: int
    left_out_counts: dict[str, int]
    counts: dict[str, int]


def transcript_of(
    box: GameBox, sheet_text: str, sheet: Sheet, findings: Sequence[Finding], facts: ReceiptFacts
) -> Transcript:
    """`findings` are those of the check; those of the reading are in the sheet."""
    every = list(dict.fromkeys((*sheet.findings, *findings)))
    lines = lines_of(sheet_text.removesuffix("\n")) if sheet_text else []
    echoes = (_echo(box, number, text, sheet, every) for number, text in enumerate(lines[:MOST_LINES_ECHOED], 1))
    return Transcript(
        facts,
        arrived=moment_in_words(facts.arrived, facts.zone),
        about_all=[_remark(box, finding) for finding in every if not 1 <= finding.line <= len(lines)],
        echoes=list(_told_once(echoes)),
        prose=quoted_prose(facts.prose),
        left_out=max(0, len(lines) - MOST_LINES_ECHOED),
        left_out_counts=_counts(sheet, every, after=MOST_LINES_ECHOED),
        counts=_counts(sheet, every),
    )


def quoted_prose(lines: Sequence[str]) -> list[str]:
    """The first lines of what orders nothing, in any script: they stand in no column."""
    shown = ("".join(each if each.isprintable() else " " for each in line).strip() for line in lines)
    return [shortened(line, LONGEST_PROSE) for line in islice(shown, MOST_PROSE_QUOTED)]


def receipt(box: GameBox, sheet_text: str, sheet: Sheet, findings: Sequence[Finding], facts: ReceiptFacts) -> str:
    """The transcript of a sheet as text."""
    return receipt_text(transcript_of(box, sheet_text, sheet, findings, facts))


def receipt_text(transcript: Transcript) -> str:
    return render("mail/receipt.txt.j2", **vars(transcript), text_column=TEXT_COLUMN)


def refused_lines(sheet: Sheet, findings: Iterable[Finding]) -> int:
    """How many lines count no more; a sheet that was turned away as a whole has none that were refused."""
    return len({finding.line for finding in (*sheet.findings, *findings) if finding.refuses and finding.line})


def _counts(sheet: Sheet, findings: Sequence[Finding], after: int = 0) -> dict[str, int]:
    """How many lines were understood and taken, and how many remarks of each kind there are."""
    refused = {finding.line for finding in findings if finding.refuses}
    taken = {line.number for line in sheet.lines if line.number > after} - refused
    kinds = Counter(finding.kind for finding in findings if finding.line > after or not after)
    counted = [kind for kind in Kind if kinds[kind] and kind is not Kind.UNFINISHED]
    return {"ok": len(taken), **{kind.value: kinds[kind] for kind in counted}}


def _echo(box: GameBox, number: int, text: str, sheet: Sheet, findings: Sequence[Finding]) -> Echo:
    about = [finding for finding in findings if finding.line == number]
    rows = _rows(text)
    at = [_place(rows, _shown_column(text, finding.column)) for finding in about if finding.column]
    last = len(rows) - 1
    carets = ((finding, _caret(text, finding.column, rows)) for finding in about[:MOST_REMARKS_A_LINE])
    remarks = tuple(_remark(box, finding, caret) for finding, caret in carets)
    shown = tuple(Row(row.rstrip(), _carets(at, index) if index < last else "") for index, row in enumerate(rows))
    return Echo(number, _verdict(number, sheet, about), shown, remarks)


def _told_once(echoes: Iterable[Echo]) -> Iterator[Echo]:
    """What was said of one line is not said again of others: those of a sheet that came too late are refused alike."""
    told: dict[tuple[str, str, str], int] = {}
    for echo in echoes:
        firsts = [told.setdefault((each.kind, each.why, each.remedy), echo.number) for each in echo.remarks]
        remarks = (
            each if first == echo.number else Remark(each.kind, f"as in line {first}", "")
            for each, first in zip(echo.remarks, firsts, strict=True)
        )
        yield msgspec.structs.replace(echo, remarks=tuple(remarks))


def _verdict(number: int, sheet: Sheet, about: Sequence[Finding]) -> str:
    refusing = [finding.kind.value for finding in about if finding.refuses]
    if refusing:
        return refusing[0]
    return "ok" if any(line.number == number for line in sheet.lines) else ""


def _remark(box: GameBox, finding: Finding, caret: int | None = None) -> Remark:
    said = (box.named(visible(text)) for text in (finding.why, finding.remedy))
    why, remedy = (shortened(text, LONGEST_REMARK).rstrip(". ") for text in said)
    return Remark(finding.kind.value, why, remedy, caret)


# ------------------------------------------------------------------ long lines


def _shown_column(text: str, column: int) -> int:
    """Where a column of the player's text is once hidden characters are written out."""
    return len(visible(text[: column - 1]))


def _rows(text: str) -> list[str]:
    """The line in pieces that fit, broken after blanks where there are any; together they are the whole line."""
    rest, rows = visible(text[:LONGEST_ECHO]), []
    if len(text) > LONGEST_ECHO:
        rest += f" (and {len(text) - LONGEST_ECHO} characters more)"
    while len(rest) > TEXT_WIDTH:
        end = rest.rfind(" ", 0, TEXT_WIDTH) + 1 or TEXT_WIDTH
        rows.append(rest[:end])
        rest = rest[end:]
    return [*rows, rest]


def _place(rows: Sequence[str], column: int) -> tuple[int, int]:
    """The row and the column in it; what lies beyond is at the end."""
    for number, row in enumerate(rows):
        if column < len(row):
            return number, column
        column -= len(row)
    return len(rows) - 1, min(column + len(rows[-1]), TEXT_WIDTH - 1)


def _caret(text: str, column: int, rows: Sequence[str]) -> int | None:
    """Under the last row; a remark on another row is pointed at there."""
    row, at = _place(rows, _shown_column(text, column)) if column else (-1, 0)
    return at if row == len(rows) - 1 else None


def _carets(places: Sequence[tuple[int, int]], row: int) -> str:
    columns = {column for number, column in places if number == row}
    return "".join("^" if column in columns else " " for column in range(max(columns, default=-1) + 1))
