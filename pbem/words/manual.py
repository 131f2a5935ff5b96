"""The manual by mail: chapters of the order language and rulings, taken from `docs/` and set as plain text.

What the rules themselves say is in `rulebook.py`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem import shipped
from pbem.words.wording import WIDTH, fold, labelled, listed

#: The handbook is for all games. These chapters of it are not what HELP is asked for.
HANDBOOK = "players-handbook.md"
NOT_BY_MAIL = ("Everything you can mail", "For the GM")
LIST_OF_WORDS = "Words and their scenarios"
MOST_PASSAGES = 6
#: Read once and kept: the handbook, and the pages of a few games.
MOST_PAGES = 32
NOTHING = "(?!)"
#: The first column of a table is as wide as its longest label, up to this; a longer label has a line of its own.
WIDEST_LABEL = 22
#: A table is set in columns if none behind the first is wider than this. Else its first column labels the others.
WIDEST_COLUMN = 20
#: What is no longer than this in all rows, such as a number, stands to the right.
SHORT = 3
#: An item of a list, which begins a line of its own.
_ITEM = re.compile(r"- |\d{1,2}\. ")


class Docs(NamedTuple):
    """The pages of `docs/` that belong to a game, and what the number of a case looks like there.

    `orders` is about its order language, `rulings` about how its rulebook is read, `playing` about whatever else
    players may ask. `rules` tells the rules themselves, with an entry for each case, and `tables` has its charts.
    `example` is the number of a case that HELP may name.
    """

    orders: str = ""
    rulings: str = ""
    case: str = ""
    example: str = "case"
    playing: str = ""
    rules: str = ""
    tables: str = ""


@lru_cache(maxsize=MOST_PAGES)
def _lines(name: str) -> tuple[str, ...]:
    path = shipped.folder("docs") / name
    return tuple(path.read_text(encoding="utf-8").splitlines()) if name and path.is_file() else ()


# ------------------------------------------------------------------ chapters


class Chapter(NamedTuple):
    """What stands below a heading, up to the next one. `parts` are the titles of the chapters inside it."""

    title: str
    level: int
    body: tuple[str, ...]
    parts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The title without the cases behind it."""
        return self.title.partition("(")[0].strip()

    @property
    def said(self) -> str:
        return plain(list(self.body)).strip("\n")

    @property
    def text(self) -> str:
        inside = f"More: {listed(f'HELP {part}' for part in self.parts)}." if self.parts else ""
        pieces = (self.title if self.said else "", self.said, fold(inside))
        return "\n\n".join(piece for piece in pieces if piece) + "\n"


def chapter(docs: Docs, name: str) -> str:
    """The chapter of an order word or topic, or an empty text."""
    found = [one for one in _manual(docs) if one.name.casefold() == name.casefold()]
    return found[0].text if found else ""


def about(docs: Docs, topic: str) -> str:
    """Chapters with the topic in their title, or of such a chapter only what begins with it in bold; or nothing."""
    wanted = stems(topic)
    found = [_part_about(one, wanted) for one in _manual(docs)] if wanted else []
    return "\n".join([text for text in found if text][:MOST_PASSAGES])


def _part_about(one: Chapter, wanted: set[str]) -> str:
    lead_ins = [plain([paragraph]) for paragraph in _lead_ins(one.body, wanted)]
    if lead_ins:
        return "\n".join([*lead_ins, f"More: HELP {one.name}.\n"])
    return one.text if wanted <= stems(one.name) else ""


def where_ordered(docs: Docs, case: str) -> list[str]:
    """The chapters of the order language that name a case."""
    named = _naming(case)
    return [one.name for one in chapters_of(docs.orders)[1:] if named.search("\n".join([one.title, *one.body]))]


def speaking_of(docs: Docs, word: str) -> list[str]:
    """The chapters that name a word of the language."""
    wanted = re.compile(rf"(?<![\w-]){re.escape(word.upper())}(?![\w-])")
    chapters = [one for one in _manual(docs) if one.level > 1 and one.name != LIST_OF_WORDS]
    coded = [(one.name, " ".join(re.findall(r"`([^`]+)`", "\n".join(one.body)))) for one in chapters]
    return [name for name, code in coded if wanted.search(code)][:MOST_PASSAGES]


def topics(docs: Docs) -> list[str]:
    """The titles of the chapters that are not about one word of the language."""
    return [one.name for one in _manual(docs) if not one.name.split(" ")[0].isupper()]


def _manual(docs: Docs) -> tuple[Chapter, ...]:
    """The pages of the game, and the handbook without its list of commands, which HELP knows better."""
    handbook = [one for one in chapters_of(HANDBOOK)[1:] if not one.name.isupper() and one.name not in NOT_BY_MAIL]
    return (*chapters_of(docs.orders), *chapters_of(docs.playing)[1:], *handbook)


def stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[\w-]+", text.casefold())} - {"the", "and", "of", "a"}


def _lead_ins(body: Sequence[str], wanted: set[str]) -> Iterator[str]:
    """Paragraphs whose first words are in bold, if these are about what is wanted."""
    for paragraph in _paragraphs(list(body)):
        bold = re.match(r"\*\*([^*]+)\*\*", paragraph)
        if bold and wanted <= stems(bold[1]):
            yield " ".join(paragraph.split("\n"))


@lru_cache(maxsize=MOST_PAGES)
def chapters_of(name: str) -> tuple[Chapter, ...]:
    flat = list(_headed(name))
    return tuple(one._replace(parts=_parts(flat, number)) for number, one in enumerate(flat))


def _headed(name: str) -> Iterator[Chapter]:
    """Every heading with what stands below it, up to the next heading."""
    title, body, quoting = "", list[str](), False
    for line in (*_lines(name), "#"):
        quoting ^= line.startswith("```")
        if line.startswith("#") and not quoting:
            if title.strip("# "):
                yield Chapter(title.lstrip("#").strip(), len(title) - len(title.lstrip("#")), tuple(body))
            title, body = line, []
        else:
            body.append(line)


def _parts(flat: Sequence[Chapter], number: int) -> tuple[str, ...]:
    level, parts = flat[number].level, list[str]()
    for one in flat[number + 1 :]:
        if one.level <= level:
            break
        parts += [one.name] if one.level == level + 1 and level > 1 else []
    return tuple(parts)


# ------------------------------------------------------------------ cases


def passages(docs: Docs, case: str) -> list[str]:
    """What the rulings and the manual say where they name a case; first what is about nothing else."""
    found = [text for text in _all_passages(docs) if _naming(case).search(text)]
    found.sort(key=lambda text: _naming(case).match(text.lstrip("| ")) is None)
    return [plain(text.split("\n")).strip() for text in dict.fromkeys(found)][:MOST_PASSAGES]


def known_cases(docs: Docs) -> list[str]:
    return sorted({case for text in _all_passages(docs) for case in cases_in(docs, text)}, key=in_order)


def is_case(docs: Docs, text: str) -> bool:
    return _number(docs).fullmatch(text.upper()) is not None


def cases_in(docs: Docs, text: str) -> list[str]:
    return [found[0] for found in _number(docs).finditer(text)]


def _naming(case: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(case)}(?![\d.]*\d)", re.IGNORECASE)


@lru_cache(maxsize=8)
def _number(docs: Docs) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{docs.case or NOTHING})\b")


def in_order(case: str) -> tuple[str, list[int]]:
    """By its letters, and then by its numbers, whatever stands between them."""
    return re.split(r"\d", case, maxsplit=1)[0], [int(number) for number in re.findall(r"\d+", case)]


def _all_passages(docs: Docs) -> Iterator[str]:
    """Without the introductions, which name cases only as examples."""
    for name in (docs.rulings, docs.orders):
        for one in chapters_of(name)[1:]:
            if _number(docs).search(one.title):
                yield "\n".join([one.title, "", *one.body])
            else:
                yield from _paragraphs(list(one.body))


def _paragraphs(body: list[str]) -> Iterator[str]:
    """Paragraphs, and the rows of tables one by one."""
    paragraph: list[str] = []
    for line in [*body, ""]:
        if line.startswith("|") or not line.strip():
            if paragraph:
                yield "\n".join(paragraph)
            paragraph = []
            if line.startswith("|") and not set(line) <= set("|- "):
                yield line
        else:
            paragraph.append(line)


# ------------------------------------------------------------------ Markdown as plain text


def plain(lines: list[str]) -> str:
    """Paragraphs folded, examples as they are, tables as a list, pictures left out."""
    out: list[str] = []
    paragraph: list[str] = []
    table: list[str] = []
    quoting = False
    for line in [*(line for line in lines if not line.startswith("![")), ""]:
        fence = line.startswith("```")
        if quoting or fence or line.startswith(("|", "![")) or _ITEM.match(line) or not line.strip():
            out += _folded(paragraph)
            paragraph = []
        if not line.startswith("|"):
            out += _listing(table)
            table = []
        if fence:
            quoting = not quoting
        elif quoting:
            out.append(f"  {line}" if len(line) < WIDTH - 1 else fold(line, 2, 6))
        elif line.startswith("|"):
            table.append(line)
        elif not line.strip():
            out.append("")
        elif not line.startswith("!["):
            paragraph.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip("\n") + "\n"


def _folded(paragraph: list[str]) -> list[str]:
    text = _unmarked(" ".join(paragraph))
    item = _ITEM.match(paragraph[0]) if paragraph else None
    return [fold(text, 0, item.end() if item else 0)] if text else []


def _listing(table: list[str]) -> list[str]:
    """A table: the first column as labels, the others behind it."""
    rows = [[_unmarked(cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in table]
    rows = [cells for cells in rows if not all(set(cell) <= set("-: ") for cell in cells)]
    if columns := _in_columns(rows):
        return columns
    widest = max((len(cells[0]) for cells in rows if len(cells[0]) <= WIDEST_LABEL), default=0)
    return [line for cells in rows for line in _row(cells, max(14, widest + 4))]


def _in_columns(rows: list[list[str]]) -> list[str]:
    """A table of numbers and short words; empty if it is none."""
    if len(rows) < 2 or len({len(cells) for cells in rows}) > 1 or len(rows[0]) < 2:
        return []
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    if max(widths[1:]) > WIDEST_COLUMN or sum(widths) + 2 * len(widths) > WIDTH:
        return []
    justified = [str.rjust if max(map(len, column[1:])) <= SHORT else str.ljust for column in columns]
    laid = ([put(cell, width) for put, cell, width in zip(justified, cells, widths, strict=True)] for cells in rows)
    return [("  " + "  ".join(cells)).rstrip() for cells in laid]


def _row(cells: list[str], column: int) -> list[str]:
    label, rest = cells[0], _joined(cells[1:])
    if len(label) + 4 > column:
        return [fold(label, 2, 4), fold(rest, column)] if rest else [fold(label, 2, 4)]
    return [labelled(rest, label, 2, column)]


def _joined(cells: list[str]) -> str:
    """What a row says: of two cells a question and its answer, or a text and where it belongs."""
    text, *more = [cell for cell in cells if cell] or [""]
    for cell in more:
        text += f" {cell}" if text.endswith("?") else f" ({cell})" if cell[:1].islower() else f": {cell}"
    return text


def _unmarked(text: str) -> str:
    text = re.sub(r"</?code>", "", text).replace("&#124;", "|").replace("`", "")
    text = re.sub(r"\[([^\[\]]++)\]\([^()]*+\)", r"\1", text)
    return re.sub(r"\*{1,2}([^*]+)\*{1,2}", r"\1", text)
