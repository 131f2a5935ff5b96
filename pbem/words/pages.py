"""HTML mail: one page for every mail, filled with parts from `templates/`, or with the plain text of the mail."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem.words.columns import Row, two_columns
from pbem.words.looks import PLAIN, Style, banner, look, shape, shape_sheet, style_sheet
from pbem.words.wording import FILTERS, TEMPLATES, WIDTH, environment, laid_out

#: A line of a folded paragraph that is not its last is longer than this.
FOLDED = WIDTH // 2
#: Words beside which a phone has room for what is said about them.
LONGEST_WORD = 16
EMPTY = Markup()
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_COLUMNS = re.compile(r"\S {2,}\S")


@lru_cache(maxsize=8)
def html_environment(folder: Path = TEMPLATES) -> Environment:
    """Templates of HTML: whatever is filled in is escaped."""
    made = Environment(
        loader=FileSystemLoader([folder, TEMPLATES]),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    made.filters["prose"] = prose
    made.globals.update(look=look, shape=shape)
    return made


def fragment(name: str, /, **values: Any) -> Markup:
    """A part of a page."""
    return Markup(html_environment().get_template(name).render(**values))


class Templates:
    """The words of a game whose templates lie in a folder of its own. It may use those of the house beside them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def text(self, name: str, /, **values: Any) -> str:
        return laid_out(environment(self._folder).get_template(name).render(**values))

    def html(self, name: str, /, **values: Any) -> Markup:
        return Markup(html_environment(self._folder).get_template(name).render(**values))

    def macros(self, name: str, /, **values: Any) -> Any:
        """The macros of a template of plain text, as functions that know the values."""
        return environment(self._folder).get_template(name).make_module(values)


def page(heading: str, body: Markup, war: str = "", side: str = "", style: Style = PLAIN) -> str:
    """The whole page. `war` stands above the heading, in the colour that the side has in the style of its game."""
    values = {"heading": heading, "body": body, "war": war}
    sheets = (shape_sheet(), style_sheet(style))
    whole = fragment("mail/page.html.j2", banner=banner(side, style), style_sheets=sheets, **values)
    return str(whole) + "\n"


# ------------------------------------------------------------------ plain text as HTML


def prose(text: str) -> Markup:
    """The text of a mail as HTML: paragraphs flow, headings are headings, and what is laid out stays so."""
    return Markup("\n").join(_block(lines) for lines in _blocks(text))


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines between empty lines."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            lines.append(line)
        elif lines:
            yield lines
            lines = []


def _block(lines: list[str]) -> Markup:
    if len(lines) == 2 and _UNDERLINE.fullmatch(lines[1]):
        return Markup("<h2 {}>{}</h2>").format(shape("h2"), lines[0])
    if len(lines) == 1 and lines[0].isupper() and lines[0][0].isalpha():
        return Markup("<h2 {}>{}</h2>").format(shape("h2"), _in_small_letters(lines[0]))
    if all(line.startswith("|") for line in lines):
        said = "\n".join(line.removeprefix("|").removeprefix(" ") for line in lines)
        return Markup("<blockquote {}>{}</blockquote>").format(shape("quote"), said)
    if _is_paragraph(lines):
        return Markup("<p {}>{}</p>").format(shape("text"), " ".join(lines))
    if lines[0].endswith(":") and not _COLUMNS.search(lines[0]) and (rows := two_columns(lines[1:])):
        return Markup("<p {}>{}</p>\n{}").format(shape("text"), lines[0], _table(rows))
    if rows := two_columns(lines):
        return _table(rows)
    kind = "wide" if any(len(line) > FOLDED and _COLUMNS.search(line) for line in lines) else "pre"
    return Markup("<div {}><pre {}>{}</pre></div>").format(look("mono", "scroll"), shape(kind), "\n".join(lines))


def _in_small_letters(heading: str) -> str:
    """Not the numbers of cases: ATTACK (D-10, HW-8.4)."""
    return heading if any(letter.isdigit() for letter in heading) else heading.capitalize()


def _table(rows: list[Row]) -> Markup:
    """Beside each other where the words are short; else above each other, since a phone has no room for both."""
    stacked = any(len(word) > LONGEST_WORD for word, _ in rows)
    return fragment("mail/columns.html.j2", rows=rows, stacked=stacked)


def _is_paragraph(lines: list[str]) -> bool:
    """Words that were folded to the width of a line, and nothing that stands in columns."""
    if any(line.startswith(" ") or _COLUMNS.search(line) for line in lines):
        return False
    return all(len(line) > FOLDED for line in lines[:-1])
