"""The forecast of a sheet as a table that is ready to be printed, whatever game it is of."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

import engine.forecast
from engine.forecast import Assumption, Cell, Column, Forecast, Span, exactly
from pbem.games.box import GameBox

MOST_ROWS = 60
#: In text: what the columns of each kind take at least, the number of the line, and the blanks between columns.
WIDTHS = {"chance": 10, "points": 8, "number": 5, "text": 12}
LINE_WIDTH, BETWEEN, TABLE_WIDTH, LEAST_LABEL = 4, 2, 71, 20


class Head(msgspec.Struct, frozen=True):
    """A column with its width in text."""

    title: str
    kind: str
    width: int


class Row(msgspec.Struct, frozen=True):
    """One row; what is not tried is empty."""

    line: int
    step: int
    what: str
    cells: tuple[str, ...]
    part: bool = False  # of the row above it


class OddsTable(msgspec.Struct, frozen=True):
    of: str
    about: str
    columns: tuple[Head, ...]
    rows: tuple[Row, ...]
    left_out: int
    assumptions: tuple[str, ...]

    @property
    def label_width(self) -> int:
        """What the columns leave of a line."""
        taken = LINE_WIDTH + BETWEEN + sum(BETWEEN + column.width for column in self.columns)
        return max(LEAST_LABEL, TABLE_WIDTH - taken)


def table_of(box: GameBox, forecast: Forecast) -> OddsTable | None:
    """None if there is nothing to tell."""
    if not forecast.rows:
        return None
    heads = tuple(Head(one.title, one.kind, max(len(one.title), WIDTHS[one.kind])) for one in forecast.columns)
    rows = tuple(_row(box, forecast.columns, row) for row in forecast.rows[:MOST_ROWS])
    said = tuple(_assumptions(box, forecast.assumptions))
    return OddsTable(forecast.of, forecast.about, heads, rows, max(0, len(forecast.rows) - MOST_ROWS), said)


def _row(box: GameBox, columns: Sequence[Column], row: engine.forecast.Row) -> Row:
    label = row.label.format(*map(box.named, row.names))
    cells = tuple(_in_words(column, cell) for column, cell in zip(columns, row.cells, strict=True))
    return Row(row.line, row.step, label, cells, row.part)


def _assumptions(box: GameBox, assumptions: Sequence[Assumption]) -> Iterator[str]:
    """Each once; those in the same words together."""
    said: dict[str, dict[str, None]] = {}
    for assumption in assumptions:
        said.setdefault(assumption.what, {})[assumption.of] = None
    for what, of in said.items():
        named = box.named(", ".join(filter(None, of)))
        yield f"{what}: {named}" if named else what


# ------------------------------------------------------------------ numbers


def _in_words(column: Column, cell: Cell) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    span = cell if isinstance(cell, Span) else exactly(Fraction(cell))
    match column.kind:
        case "chance":
            return percent(span)
        case "points":
            return points(span)
    return _between(span, str, "")


def percent(chance: Span | None) -> str:
    return _between(chance, _percent, "%")


def points(losses: Span | None) -> str:
    return _between(losses, _tenths, "")


def _between(span: Span | None, worded: Callable[[Fraction], str], unit: str) -> str:
    if span is None:
        return ""
    least, most = worded(span.least), worded(span.most)
    return f"{least}{unit}" if least == most else f"{least}-{most}{unit}"


def _percent(chance: Fraction) -> str:
    """Whole hundredths; what is possible is never 0, what is not certain never 100."""
    if 0 < chance < Fraction(1, 100):
        return "<1"
    if Fraction(99, 100) < chance < 1:
        return ">99"
    return str(_rounded(chance * 100))


def _tenths(losses: Fraction) -> str:
    tenths = _rounded(losses * 10)
    return f"{tenths // 10}.{tenths % 10}"


def _rounded(number: Fraction) -> int:
    """Halves go up."""
    return int(number + Fraction(1, 2))


# ------------------------------------------------------------------ for machines


def odds_facts(forecast: Forecast) -> list[dict[str, Any]]:
    """What each line may come to, every number exactly, as a fraction in text. What sums them up is left out."""
    rows = [row for row in forecast.rows if row.line]
    facts = [row.facts if row.facts is not None else _facts(forecast.columns, row) for row in rows]
    return [msgspec.to_builtins(each, enc_hook=str) for each in facts]


def _facts(columns: Sequence[Column], row: engine.forecast.Row) -> dict[str, Any]:
    cells = {column.name: cell for column, cell in zip(columns, row.cells, strict=True) if cell is not None}
    return {"line": row.line, "step": row.step, "what": row.label.format(*row.names), **cells}
