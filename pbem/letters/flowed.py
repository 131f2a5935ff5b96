"""format=flowed (RFC 3676) to plain lines, quoted ones with their marks."""

import re
from collections.abc import Iterable

from pbem.letters.words import Words

_MARKS = re.compile(r"(>*)( ?)(.*)", re.S)
#: A program that breaks a line does it because the next word did not fit. No program has narrower lines.
NARROWEST = 60
#: What is longer is prose, and nobody reads it to its end.
LONGEST = 4_000


def unflowed(lines: Iterable[str], words: Words, delete_space: bool) -> list[str]:
    """Paragraphs put together again. A short line before an order is not a broken line, whatever it ends with."""
    whole: list[tuple[int, str]] = []
    flows = False
    width = 0
    for line in lines:
        depth, text = _taken_apart(line)
        if (
            flows
            and whole[-1][0] == depth
            and len(whole[-1][1]) < LONGEST
            and text != "-- "
            and not _is_order_of_its_own(text, width, words)
        ):
            before = whole[-1][1]
            whole[-1] = (depth, (before[:-1] if delete_space else before) + text)
        else:
            whole.append((depth, text))
        flows, width = text.endswith(" ") and text != "-- ", len(line)
    return [f"{'>' * depth} {text}" if depth else text for depth, text in whole]


def _taken_apart(line: str) -> tuple[int, str]:
    """Depth of quoting, and the text without the space it was stuffed with."""
    found = _MARKS.match(line)
    return (len(found[1]), found[3]) if found else (0, line)


def _is_order_of_its_own(text: str, width_before: int, words: Words) -> bool:
    first = text.split(" ", 1)[0]
    return first.upper() in words and width_before + len(first) < NARROWEST
