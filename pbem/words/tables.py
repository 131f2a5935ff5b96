"""A record sheet as plain data: said once by a game, printed here as lines of text and as HTML, and drawn as a picture.

A sheet has tables and entries. What all three show is said once; where they differ, `Words` hold what each says, and
what a medium leaves empty it does not show. `pbem.draw.entries` draws the entries of any game's sheet.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from markupsafe import Markup, escape

from pbem.words.looks import look, shape
from pbem.words.wording import fold, labelled, laid_out, left, right, underlined

Medium = Literal["text", "page", "picture"]
ON_ALL: tuple[Medium, ...] = ("text", "page", "picture")


class Words(msgspec.Struct, frozen=True):
    """The same in a mail's text, on its page of HTML and in a picture; None is said as in the text."""

    text: str = ""
    page: str | None = None
    picture: str | None = None

    def on(self, medium: Medium) -> str:
        said = {"page": self.page, "picture": self.picture}.get(medium)
        return self.text if said is None else said


def only(medium: Medium, said: str) -> Words:
    return msgspec.structs.replace(Words("", "", ""), **{medium: said})


class Mark(msgspec.Struct, frozen=True):
    """What is the matter with a row. With a role of the looks a page shows it as a chip."""

    words: Words
    role: str = ""


class Cell(msgspec.Struct, frozen=True):
    """`code` is how players write it in orders; `more` are lines below it, where there is room for them."""

    words: Words = Words()
    code: str = ""
    more: tuple[Words, ...] = ()
    strong: bool = False


NO_CELL = Cell()


class Column(msgspec.Struct, frozen=True):
    """`width` is that of the text; the marks of a row stand in the column that is `marked`."""

    title: Words = Words()
    width: int = 0
    is_number: bool = False
    marked: bool = False
    on: tuple[Medium, ...] = ON_ALL


class Row(msgspec.Struct, frozen=True):
    """A cell for each column that is named; `key` says what it is about."""

    cells: Mapping[str, Cell]
    key: str = ""
    marks: tuple[Mark, ...] = ()
    on: tuple[Medium, ...] = ON_ALL

    def said(self, column: str, medium: Medium) -> str:
        return self.cells[column].words.on(medium) if column in self.cells else ""


class Entry(msgspec.Struct, frozen=True):
    """A few words with a label, or lines that belong together.

    In a picture the entries stand three abreast: `at` is the row and the place of one in it, `span` how many places it
    takes. Those that are not placed come after the others.
    """

    label: Words = Words()
    words: Words = Words()
    lines: tuple[str, ...] = ()
    hanging: int = 14
    name: str = ""
    at: tuple[int, int] | None = None
    span: int = 1


class Table(msgspec.Struct, frozen=True):
    """Rows below a heading. `hanging` folds the last column of the text beside the others, without a heading.

    `rest` are the rows of which a label is enough.
    """

    columns: Mapping[str, Column]
    rows: tuple[Row, ...]
    empty: str = ""
    total: Row | None = None
    hanging: int = 0
    rest: tuple[Entry, ...] = ()
    name: str = ""

    def shown(self, medium: Medium) -> dict[str, Column]:
        return {name: column for name, column in self.columns.items() if medium in column.on}

    def rows_on(self, medium: Medium) -> list[Row]:
        return [row for row in self.rows if medium in row.on]


class RecordSheet(msgspec.Struct, frozen=True):
    """`date` stands beside the title of the text; the parts come in the order of the text."""

    title: Words
    parts: tuple[Table | Entry, ...]
    date: str = ""

    @property
    def entries(self) -> list[Entry]:
        return [part for part in self.parts if isinstance(part, Entry)]

    @property
    def tables(self) -> list[Table]:
        return [part for part in self.parts if isinstance(part, Table)]


# ------------------------------------------------------------------ text


def sheet_text(sheet: RecordSheet) -> str:
    return laid_out("\n".join([*_heading(sheet), *(line for part in sheet.parts for line in _part(part))]))


def _heading(sheet: RecordSheet) -> list[str]:
    """As wide as the first table, with the date at its end."""
    if not sheet.date:
        return [underlined(sheet.title.text)]
    width = max((_width(table) for table in sheet.tables[:1]), default=0) or len(sheet.title.text) + len(sheet.date) + 2
    return [left(sheet.title.text, width - len(sheet.date)) + sheet.date, "=" * width]


def _width(table: Table) -> int:
    return sum(column.width for column in table.shown("text").values())


def _part(part: Table | Entry) -> Iterator[str]:
    if isinstance(part, Entry):
        yield from _entry(part)
    else:
        yield from _folded(part) if part.hanging else _ruled(part)
        for entry in part.rest:
            yield from _entry(entry)


def _entry(entry: Entry) -> Iterator[str]:
    for number, line in enumerate(entry.lines or (entry.words.text,)):
        if line and entry.label.text:
            yield labelled(line, "" if number else entry.label.text, 0, entry.hanging)
        elif line:
            yield fold(line)


def _folded(table: Table) -> Iterator[str]:
    *first, last = table.shown("text")
    for row in table.rows_on("text"):
        label = "".join(row.said(name, "text").ljust(table.columns[name].width) for name in first)
        yield labelled(row.said(last, "text"), label.rstrip(), 0, table.hanging)


def _ruled(table: Table) -> Iterator[str]:
    """Between rules, and a total after them that is set off from what follows."""
    rule, rows = "-" * _width(table), table.rows_on("text")
    yield _line(table, {name: column.title.text for name, column in table.columns.items()})
    yield rule
    for row in rows:
        yield _line(table, {name: row.said(name, "text") for name in table.columns})
        yield from _marks(table, row)
    if not rows:
        yield table.empty
    yield rule
    if table.total is not None and "text" in table.total.on:
        total = table.total
        yield _line(table, {name: total.said(name, "text") for name in table.columns})
        yield ""


def _marks(table: Table, row: Row) -> Iterator[str]:
    """Below their row, if a column has room for them."""
    if any(column.marked for column in table.shown("text").values()):
        yield from (fold(mark.words.text, 2) for mark in row.marks if mark.words.text)


def _line(table: Table, said: Mapping[str, str]) -> str:
    """A word may touch the number after it, but a blank stays before another word."""
    columns = list(table.shown("text").items())
    line = ""
    for (name, column), following in zip(columns, [*columns[1:], None], strict=True):
        close = following is None or following[1].is_number
        wide = right(said[name], column.width) if column.is_number else _word(said[name], column.width, close)
        line += wide
    return line


def _word(said: str, width: int, close: bool) -> str:
    return left(said, width) if close else left(said, width - 1) + " "


# ------------------------------------------------------------------ HTML


def sheet_html(sheet: RecordSheet) -> Markup:
    parts = [f"<h3 {look('soft', 'h3')}>{escape(sheet.title.on('page'))}</h3>\n"]
    for part in sheet.parts:
        said = _entry_html(part) if isinstance(part, Entry) else _table_html(part)
        parts += [said, "\n"] if said and isinstance(part, Entry) else [said]
    return Markup("".join(parts))


def _entry_html(entry: Entry) -> str:
    said = "; ".join(entry.lines) or entry.words.on("page")
    label = f"<strong>{escape(entry.label.on('page'))}:</strong> " if entry.label.on("page") else ""
    return f"<p {shape('small')}>{label}{escape(said)}</p>\n" if said else ""


def _table_html(table: Table) -> str:
    columns, rows = table.shown("page"), table.rows_on("page")
    lines = [_row_html(row, columns) for row in rows]
    if not rows and table.empty:
        lines = [f'<tr><td colspan="{len(columns)}" {shape("cell")}>{escape(table.empty)}</td></tr>\n']
    if table.total is not None and "page" in table.total.on:
        lines.append(_row_html(table.total, columns))
    if lines:
        lines = [f"<table {shape('table')}>\n", _head_html(columns), *lines, f"</table>\n<div {shape('gap')}></div>\n"]
    return "".join([*lines, *map(_entry_html, table.rest)])


def _head_html(columns: Mapping[str, Column]) -> str:
    looks = [("head", "column", *(("number",) if column.is_number else ())) for column in columns.values()]
    titles = [escape(column.title.on("page")) for column in columns.values()]
    cells = (f'<th scope="col" {look(*roles)}>{title}</th>' for roles, title in zip(looks, titles, strict=True))
    return f"<tr>{''.join(cells)}</tr>\n"


def _row_html(row: Row, columns: Mapping[str, Column]) -> str:
    (first, head), *others = columns.items()
    cell = row.cells[first]
    said = f'<tr><th scope="row" {shape("cell")}>{_cell_html(row, first, head)}</th>' + ("\n" if cell.code else "")
    for name, column in others:
        shapes = shape("cell", "number") if column.is_number else shape("cell")
        said += f"<td {shapes}>{_cell_html(row, name, column)}</td>" + ("\n" if column.marked and row.key else "")
    return f"{said}</tr>\n"


def _cell_html(row: Row, name: str, column: Column) -> str:
    cell = row.cells.get(name, NO_CELL)
    word = cell.words.on("page")
    said = [str(escape(word))]
    if cell.code and cell.code != word:
        said += [f" <span {look('soft', 'code')}>{escape(cell.code)}</span>"]
    said += [f"<br>{escape(line)}" for words in cell.more if (line := words.on("page"))]
    whole = f"<strong>{''.join(said)}</strong>" if cell.strong else "".join(said)
    return whole + ("".join(map(_mark_html, row.marks)) if column.marked else "")


def _mark_html(mark: Mark) -> str:
    said = escape(mark.words.on("page"))
    chip = f"<span {look(mark.role, 'chip')}>{said}</span>" if mark.role else str(said)
    return f"<br>{chip}" if said else ""


# ------------------------------------------------------------------ pictures


def abreast(entries: Sequence[Entry], places: int = 3) -> list[list[tuple[int, Entry]]]:
    """The entries of a picture by rows, each with its place in the row."""
    shown = [entry for entry in entries if entry.words.on("picture")]
    rows: dict[int, list[tuple[int, Entry]]] = {}
    for entry in sorted((each for each in shown if each.at), key=lambda each: each.at or (0, 0)):
        row, place = entry.at or (0, 0)
        rows.setdefault(row, []).append((place, entry))
    found = [rows[number] for number in sorted(rows)]
    for entry in shown:
        if not entry.at:
            _append(found, entry, places)
    return found


def _append(rows: list[list[tuple[int, Entry]]], entry: Entry, places: int) -> None:
    """After the others in the last row, or in a row of its own."""
    free = max((place + other.span for place, other in rows[-1]), default=0) if rows else places
    if free + entry.span > places:
        rows.append([(0, entry)])
    else:
        rows[-1].append((free, entry))
