"""The order form that every report carries: where it is in an answer, and which of its lines were changed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.letters.keys import is_key_line
from pbem.letters.orders import first_word, freed, is_a_whole_order, is_end
from pbem.letters.quoting import Line
from pbem.letters.words import Words

_BEGINS = re.compile(r"[-–—\s]*order form\s*: edit between these lines\b.{0,60}", re.I)
_ENDS = re.compile(r"[-–—\s]*end of the order form\b.{0,40}", re.I)
_BLANKS = re.compile(r"\s+")
#: Into how many lines a mail program may have broken one.
MOST_PIECES = 4
LONGEST_FORM = 1_000

_CANNOT_TELL = "the order form came back inside the quoted text, and nobody can tell which of its lines were changed"
_OTHER_FORM = "the order form that came back inside the quoted text is not the one that is awaited"


@dataclass(frozen=True)
class Edits:
    """The changed lines of a form. `doubt` says why they cannot be told from the others."""

    lines: tuple[str, ...] = ()
    doubt: str = ""
    ended: bool = False


def find_form(lines: Sequence[Line]) -> range:
    """The numbers of the lines of the newest form, its first and last line included; empty if there is none.

    Older ones are quoted deeper, or stand further down.
    """
    starts = [
        number
        for number, line in enumerate(lines)
        if _BEGINS.fullmatch(line.text.strip()[:200]) and not _is_passed_on(line)
    ]
    if not starts:
        return range(0)
    start = min(starts, key=lambda number: (lines[number].depth, number))
    return range(start, _end_of_form(lines, start))


def _is_passed_on(line: Line) -> bool:
    """Behind a bar within quoted text: the words of another player, who would like them to be read as orders."""
    return line.depth > 1 and line.marks.rstrip().endswith("|")


def _end_of_form(lines: Sequence[Line], start: int) -> int:
    """Behind the closing line, or if that is lost, before the key or the next form."""
    last = min(len(lines), start + LONGEST_FORM)
    before_the_key = 0
    for number in range(start + 1, last):
        text = lines[number].text.strip()[:200]
        if _ENDS.fullmatch(text):
            return number + 1
        if _BEGINS.fullmatch(text):
            return before_the_key or number
        if is_key_line(text):
            before_the_key = before_the_key or number
    return before_the_key or last


def read_form(region: Sequence[Line], form: Sequence[str], words: Words) -> Edits:
    """What was changed in a form: compared with the original if it is known, else judged by the marks of quoting."""
    depth, marks = region[0].depth, region[0].marks
    inside = [line for line in region[1:] if not _is_frame(line.text)]
    is_another = _has_another_heading(inside, form)
    if form and not is_another:
        return _up_to_end(_changed(inside, depth, form), words)
    if not depth:
        return _up_to_end([line.text for line in inside], words)
    added = [line.text for line in inside if line.depth < depth or _is_marked_otherwise(line, marks)]
    edits = _up_to_end(added, words)
    if edits.lines or not any(_may_be_an_order(line.text, words) for line in inside):
        return edits
    return Edits(doubt=_OTHER_FORM if is_another else _CANNOT_TELL)


def _is_frame(line: str) -> bool:
    """The first or last line of a form, or the one with the key: nothing a player writes."""
    text = line.strip()[:200]
    return bool(_BEGINS.fullmatch(text) or _ENDS.fullmatch(text)) or is_key_line(text)


def _may_be_an_order(line: str, words: Words) -> bool:
    """A form begins with a heading, such as GAME 17 TURN Summer 1941 SIDE Axis."""
    return is_a_whole_order(line, words) and first_word(line) not in words.headings


def _has_another_heading(inside: Sequence[Line], form: Sequence[str]) -> bool:
    """Whether this is the form of another turn, quoted from an old report: it has a heading, and not this one."""
    lines = [plainly(line) for line in form if not _is_frame(line)]
    orders = [line for line in lines if line and not line.startswith("#")]
    heading = orders[0] if orders else ""
    word = heading.split(" ", 1)[0]
    if not word or any(line.startswith(word) for line in orders[1:]):
        return False
    found = [plainly(line.text) for line in inside if plainly(line.text).startswith(f"{word} ")]
    return bool(found) and heading not in found


def _is_marked_otherwise(line: Line, marks: str) -> bool:
    """Whether somebody typed the mark himself: '>ATTACK' where the program writes '> ATTACK'."""
    return bool(line.text.strip()) and line.marks != marks and line.depth <= len(marks.strip())


def _up_to_end(lines: Iterable[str], words: Words) -> Edits:
    """The lines that are neither empty nor remarks, up to END."""
    kept: list[str] = []
    for raw in lines:
        line = freed(raw, words)
        if is_end(line):
            return Edits(tuple(kept), ended=True)
        if line and not line.startswith("#") and not is_key_line(line):
            kept.append(line)
    return Edits(tuple(kept))


# ------------------------------------------------------------------ with the original at hand


def _changed(inside: Sequence[Line], depth: int, form: Sequence[str]) -> list[str]:
    """Lines that are not in the original. Those a mail program broke in pieces are."""
    original = {plainly(line) for line in form} | {""}
    changed: list[str] = []
    at = 0
    while at < len(inside):
        pieces = _pieces_of_one(inside, at, original) if inside[at].depth >= depth else 0
        if pieces:
            at += pieces
            continue
        changed.append(inside[at].text)
        at += 1
    return changed


def _pieces_of_one(inside: Sequence[Line], at: int, original: set[str]) -> int:
    """How many lines from here on are one line of the original; 0 if this one was changed."""
    text = ""
    for pieces in range(1, MOST_PIECES + 1):
        if at + pieces > len(inside):
            return 0
        text = plainly(f"{text} {inside[at + pieces - 1].text}")
        if text in original:
            return pieces
    return 0


def plainly(line: str) -> str:
    """For comparison: what a mail program may change does not count."""
    text = line.replace("’", "'").replace("–", "-").replace("—", "--").replace("“", '"').replace("”", '"')
    return _BLANKS.sub(" ", text).strip(" \u200b").casefold()
