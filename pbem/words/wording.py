"""Where the words of the mails come from: Jinja2 templates, and the few filters they share.

A game has a folder of templates named after its id. One without a box of its own is listed by `plain/`.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem import shipped

#: Mail is read in narrow windows, and a quoted line grows by two.
WIDTH = 78
#: A blank at which no line is broken; it becomes a plain one when all is laid out.
TIE = "\xa0"
UNBROKEN_HYPHEN = "\u2011"

TEMPLATES = shipped.folder("templates")


@lru_cache(maxsize=8)
def environment(folder: Path = TEMPLATES) -> Environment:
    """Templates of plain text: nothing is escaped, and a name that is not known is an error.

    A game may have a folder elsewhere; what is not found there is looked for among the templates of the house.
    """
    made = Environment(
        loader=FileSystemLoader([folder, TEMPLATES]),
        undefined=StrictUndefined,
        auto_reload=False,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(FILTERS)
    return made


def render(name: str, **values: Any) -> str:
    """A template filled in, without blanks at the ends of lines."""
    return laid_out(environment().get_template(name).render(**values))


def laid_out(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace(TIE, " ").strip("\n").split("\n")) + "\n"


# ------------------------------------------------------------------ filters


def ended(text: str) -> str:
    """A sentence with its full stop, if it does not end by itself."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def fold(text: str, first: int = 0, rest: int | None = None, width: int = WIDTH) -> str:
    """A paragraph broken into lines: the first indented by `first`, the others by `rest`."""
    return textwrap.fill(
        re.sub(r"[ \n]+", " ", text).strip(" "),
        width,
        initial_indent=" " * first,
        subsequent_indent=" " * (first if rest is None else rest),
        break_on_hyphens=False,
    )


def labelled(text: str, label: str, indent: int = 0, hanging: int = 14) -> str:
    """A paragraph with a word before it in a column of its own."""
    column = " " * indent + label
    return column.ljust(hanging) + fold(text, hanging)[hanging:]


def left(value: object, width: int) -> str:
    return shortened(str(value), width).ljust(width)


def right(value: object, width: int) -> str:
    return str(value).rjust(width)


def listed(words: Iterable[object], last: str = "and") -> str:
    """One, two and three."""
    *front, end = [str(word) for word in words] or [""]
    return f"{', '.join(front)} {last} {end}" if front else end


def tied(text: str) -> str:
    """Text that stays on one line."""
    return text.replace(" ", TIE)


def unbroken(text: str) -> str:
    """HTML alone: a number is not parted from its hyphen, as in '(7-10)'."""
    return text.replace("-", UNBROKEN_HYPHEN)


def sentence(text: str) -> str:
    """Text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def side_name(side: str) -> str:
    """What a side is called whose game says nothing else. So it stands beside its digest, where a report is checked."""
    return side[:1].upper() + side[1:]


def sides_named(names: Iterable[str]) -> str:
    return " and ".join(names) or "nobody"


def underlined(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}"


def side_by_side(columns: Sequence[Sequence[str]], widths: Sequence[int]) -> str:
    """Columns of text next to each other."""
    rows = zip_longest(*columns, fillvalue="")
    return "\n".join("".join(map(str.ljust, row, widths)).rstrip() for row in rows)


# ------------------------------------------------------------------ text of strangers


def visible(text: str) -> str:
    """Text with every character that does not show, or would disturb its neighbours, written out."""
    return "".join(map(_visible_character, text))


def _visible_character(character: str) -> str:
    if character == " " or " " < character <= "~":
        return character
    if character == "\t":
        return " "
    if character.isprintable() and not unicodedata.category(character).startswith("M"):
        return character if unicodedata.east_asian_width(character) not in "WF" else _code(character)
    return _code(character)


def _code(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(0, most - 3)] + "..."[:most]


FILTERS = {
    each.__name__: each
    for each in (
        ended, fold, labelled, left, right, listed, tied, unbroken, sentence, underlined, side_by_side, visible,
        shortened,
    )
}  # fmt: skip
