"""Taking the lines of a letter apart: commands, the text that belongs to one, and the lines of a sheet of orders."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from pbem.desk.desk import Command, Request
from pbem.post.post import FORM_BEGINS, FORM_ENDS
from pbem.records.keys import KEY_LENGTH, KEY_LETTERS
from pbem.records.secrecy import BLANK, without_tags

#: More than an honest letter asks for at once.
MOST_REQUESTS = 12
ORDERS, CHECK = "ORDERS", "CHECK"
SHEET_WORDS = (ORDERS, CHECK)
READY = "READY"
#: How alike a mistyped word has to be, out of 100, to be answered as the order or command it resembles.
ALIKE = 75

_FIRST_WORD = re.compile(r"\s*+([A-Za-z]++(?:-++[A-Za-z]++(?!\w))*+(?:-++(?=\w))?+)\b\s*+:?\s*+(.*+)")
_KEY_LINE = re.compile(rf"\s*+KEY\s++(?=\S*[{KEY_LETTERS}]{{{KEY_LENGTH}}})\S++\s*+", re.IGNORECASE)
_NO_ORDERS = re.compile(r"\s*#\s*no orders\b.*", re.IGNORECASE)


@dataclass
class _Sorted:
    requests: list[Request] = field(default_factory=list)
    sheet: list[str] = field(default_factory=list)
    mode: str = ""


def requests_in(lines: Iterable[str], commands: Mapping[str, Command], orders: Collection[str]) -> list[Request]:
    """What a letter asks for, the sheet of orders among it. Empty if it is nothing but talk."""
    kept = list(_without_keys(lines))
    found = _sorted_out(kept, commands, ())
    if _has_orders(found, orders):
        found = _sorted_out(kept, commands, orders)
        return [*found.requests, Request(found.mode or ORDERS, lines=_trimmed(found.sheet))]
    return found.requests


def first_words(lines: Iterable[str]) -> list[str]:
    return [word for line in lines if (word := _first_word(line)[0])]


def resembled(word: str, known: Collection[str]) -> str:
    """The word that was meant, if one is alike enough; short words are alike too easily."""
    long = [each for each in known if len(each) > 3]
    found = process.extractOne(word, long, scorer=fuzz.ratio, score_cutoff=ALIKE) if len(word) > 3 else None
    return found[0] if found else ""


# ------------------------------------------------------------------ line by line


def _without_keys(lines: Iterable[str]) -> Iterable[str]:
    """A key is no order and no text, wherever it stands."""
    for line in lines:
        if _KEY_LINE.fullmatch(line) or line.strip() in (FORM_BEGINS, FORM_ENDS):
            continue
        blanked = without_tags(line)
        if blanked == line or blanked.replace(BLANK, "").strip():
            yield blanked


def _sorted_out(lines: Sequence[str], commands: Mapping[str, Command], orders: Collection[str]) -> _Sorted:
    """`orders` are the words that belong to the sheet even where a command has the same name."""
    found = _Sorted()
    rest = list(lines)
    while rest:
        line = rest.pop(0)
        word, after = _first_word(line)
        if word == "END" and not after:
            break
        command = _command(word, after, commands, orders)
        if command is None:
            found.sheet.append(line)
        elif command.word in SHEET_WORDS:
            found.mode = command.word
            found.sheet += ["# no orders"] if after.upper().startswith("NONE") else []
        else:
            text = _text_below(rest) if command.takes_text else ()
            found.requests.append(Request(command.word, after, text))
    return found


def _first_word(line: str) -> tuple[str, str]:
    found = _FIRST_WORD.fullmatch(line)
    return (found[1].upper(), found[2].rstrip()) if found else ("", "")


def _command(word: str, rest: str, commands: Mapping[str, Command], orders: Collection[str]) -> Command | None:
    command = commands.get(word)
    if command is None or (word in orders and word not in SHEET_WORDS):
        return None
    if command.strict and not command.shape.fullmatch(rest):
        return None
    return command


def _text_below(rest: list[str]) -> tuple[str, ...]:
    """The lines up to END, taken off what is left to read."""
    text: list[str] = []
    while rest:
        line = rest.pop(0)
        if line.strip().upper() == "END":
            break
        text.append(line)
    return _trimmed(text)


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Without empty lines at both ends."""
    full = [number for number, line in enumerate(lines) if line.strip()]
    return tuple(lines[full[0] : full[-1] + 1]) if full else ()


def _has_orders(found: _Sorted, orders: Collection[str]) -> bool:
    """Orders, or what was meant as such. A sheet of comments has to say that it orders nothing on purpose."""
    if found.mode or any(_NO_ORDERS.fullmatch(line) for line in found.sheet):
        return True
    return any(word in orders or resembled(word, orders) for word in first_words(found.sheet))
