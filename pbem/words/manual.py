"""The manual by mail: chapters of the order language and rulings, taken from `docs/` and set as plain text."""

import re
from collections.abc import Iterator
from functools import lru_cache

from pbem import shipped
from pbem.words.wording import WIDTH, fold, labelled

#: The chapters of a game: its order language, and how its rulebook is read.
ORDERS = {"hitlers-war": "orders.md"}
RULINGS = {"hitlers-war": "rulings.md"}
MOST_PASSAGES = 6

_CASE = re.compile(r"\b(?:HW-\d+(?:\.\d+)?|[AD]-\d+)\b")


@lru_cache(maxsize=8)
def _lines(name: str) -> tuple[str, ...]:
    path = shipped.folder("docs") / name
    return tuple(path.read_text(encoding="utf-8").splitlines()) if name and path.is_file() else ()


def chapter(game_id: str, word: str) -> str:
    """The chapter of an order word or topic, or an empty text."""
    for title, body in _chapters(ORDERS.get(game_id, "")):
        if title.partition("(")[0].strip().casefold() == word.casefold():
            return f"{title}\n\n{plain(body)}".rstrip() + "\n"
    return ""


def topics(game_id: str) -> list[str]:
    return [title.partition("(")[0].strip() for title, _ in _chapters(ORDERS.get(game_id, ""))]


def _chapters(name: str) -> Iterator[tuple[str, list[str]]]:
    """Every heading with what stands below it, up to the next heading."""
    title, body, quoting = "", list[str](), False
    for line in _lines(name):
        quoting ^= line.startswith("```")
        if line.startswith("#") and not quoting:
            if title:
                yield title, body
            title, body = line.lstrip("#").strip(), []
        else:
            body.append(line)
    if title:
        yield title, body


# ------------------------------------------------------------------ cases


def passages(game_id: str, case: str) -> list[str]:
    """What the rulings and the manual say where they name a case such as HW-8.4, A-03 or D-18."""
    wanted = re.compile(rf"\b{re.escape(case)}(?![\d.]*\d)", re.IGNORECASE)
    found = [text for text in _all_passages(game_id) if wanted.search(text)]
    return [plain(text.split("\n")).strip() for text in dict.fromkeys(found)][:MOST_PASSAGES]


def known_cases(game_id: str) -> list[str]:
    cases = {case for text in _all_passages(game_id) for case in _CASE.findall(text)}
    return sorted(cases, key=_in_order)


def _in_order(case: str) -> tuple[str, list[int]]:
    series, _, number = case.partition("-")
    return series, [int(part) for part in number.split(".")]


def _all_passages(game_id: str) -> Iterator[str]:
    """Without the introductions, which name cases only as examples."""
    for name in (RULINGS.get(game_id, ""), ORDERS.get(game_id, "")):
        for title, body in list(_chapters(name))[1:]:
            if _CASE.search(title):
                yield "\n".join([title, "", *body])
            else:
                yield from _paragraphs(body)


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
    """Paragraphs folded, examples as they are, tables as a list, no pictures."""
    out: list[str] = []
    paragraph: list[str] = []
    quoting = False
    for line in [*(line for line in lines if not line.startswith("![")), ""]:
        fence = line.startswith("```")
        if quoting or fence or line.startswith(("|", "- ")) or not line.strip():
            out += _folded(paragraph)
            paragraph = []
        if fence:
            quoting = not quoting
        elif quoting:
            out.append(f"  {line}" if len(line) < WIDTH - 1 else fold(line, 2, 6))
        elif line.startswith("|"):
            out += _row(line)
        elif not line.strip():
            out.append("")
        else:
            paragraph.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip("\n") + "\n"


def _folded(paragraph: list[str]) -> list[str]:
    text = _unmarked(" ".join(paragraph))
    return [fold(text, 0, 2 if text.startswith("- ") else 0)] if text else []


def _row(line: str) -> list[str]:
    """A row of a table: the first column as a label, the others behind it."""
    cells = [_unmarked(cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
    if all(set(cell) <= set("-: ") for cell in cells):
        return []
    first, rest = cells[0], "; ".join(cell for cell in cells[1:] if cell).replace("?;", "?")
    if len(first) > 20:
        return [fold(first, 2), fold(rest, 6)] if rest else [fold(first, 2)]
    return [labelled(rest, first, 2, max(14, len(first) + 4))]


def _unmarked(text: str) -> str:
    text = re.sub(r"</?code>", "", text).replace("&#124;", "|").replace("`", "")
    return re.sub(r"\*{1,2}([^*]+)\*{1,2}", r"\1", text)
