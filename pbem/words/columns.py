"""Plain text that stands in two columns: words on the left, what is said about each on the right."""

import re
from collections.abc import Sequence

Row = tuple[str, str]

_BESIDE = re.compile(r"(?P<word>\s*\S+(?: \S+)*) {2,}(?P<said>\S+(?: \S+)*)")
_BELOW = re.compile(r" {8,}(?P<said>\S+(?: \S+)*)")
_ALONE = re.compile(r"\s*\S+(?: \S+)*")
#: How far lines that go on may be set in.
SET_IN = 2


def two_columns(lines: Sequence[str]) -> list[Row] | None:
    """The rows, or None for anything else. A word too long for its column stands above what is said about it."""
    if not _stand_below_each_other(lines):
        return None
    rows: list[Row] = []
    for line in lines:
        if (below := _BELOW.fullmatch(line)) and rows:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {below['said']}".strip())
        elif beside := _BESIDE.fullmatch(line):
            rows.append((beside["word"].strip(), beside["said"]))
        elif _ALONE.fullmatch(line):
            rows.append((line.strip(), ""))
        else:
            return None
    return rows if all(said for _, said in rows) else None


def _stand_below_each_other(lines: Sequence[str]) -> bool:
    """Whatever is said begins in one column; lines that go on may be set in."""
    first = {found.start("said") for line in lines if (found := _BESIDE.fullmatch(line))}
    later = {found.start("said") for line in lines if (found := _BELOW.fullmatch(line))}
    begin = min(first | later, default=0)
    return begin > 0 and first <= {begin} and len(later) < 2 and later <= {begin, begin + SET_IN}
