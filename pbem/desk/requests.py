"""Taking the lines of a letter apart: commands, the text that belongs to one, and the lines of a sheet of orders."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from pbem.desk.desk import Command, Request
from pbem.desk.lines import Sorted, trimmed
from pbem.letters.orders import Own
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
    sheet: list[Own] = field(default_factory=list)
    mode: str = ""


#: Sorts the lines that are no commands into orders and prose.
Sort = Callable[[Sequence[Own]], Sorted]


def requests_in(lines: Iterable[str], commands: Mapping[str, Command], orders: Collection[str]) -> list[Request]:
    """What a letter asks for, the sheet of orders among it. Empty if it is nothing but talk."""

    def all_are_orders(sheet: Sequence[Own]) -> Sorted:
        texts = [line.text for line in sheet]
        return Sorted(texts, has_orders=_have_orders(texts, orders))

    return requests_of_own(map(Own, lines), commands, orders, all_are_orders)


def requests_of_own(
    own: Iterable[Own],
    commands: Mapping[str, Command],
    orders: Collection[str],
    sort: Sort,
    is_talk: Callable[[str], bool] = lambda line: False,
) -> list[Request]:
    """The same of all lines that the writer wrote himself, where it is known what an order of his game is."""
    kept = [Own(line.text, line.taken and not is_talk(line.text)) for line in _without_keys(own)]
    found = _sorted_out(kept, commands, ())
    sheet = sort(found.sheet)
    if not (found.mode or sheet.has_orders or any(map(_NO_ORDERS.fullmatch, sheet.lines))):
        return found.requests
    if any(request.word in orders for request in found.requests):
        found = _sorted_out(kept, commands, orders)
        sheet = sort(found.sheet)
    trimmed = sheet.trimmed()
    about = tuple(trimmed.lines), tuple(trimmed.remarks), tuple(trimmed.prose)
    return [*found.requests, Request(found.mode or ORDERS, "", *about)]


def first_words(lines: Iterable[str]) -> list[str]:
    return [word for line in lines if (word := _first_word(line)[0])]


def resembled(word: str, known: Collection[str]) -> str:
    """The word that was meant, if one is alike enough; short words are alike too easily."""
    long = [each for each in known if len(each) > 3]
    found = process.extractOne(word, long, scorer=fuzz.ratio, score_cutoff=ALIKE) if len(word) > 3 else None
    return found[0] if found else ""


# ------------------------------------------------------------------ line by line


def _without_keys(own: Iterable[Own]) -> Iterable[Own]:
    """A key is no order and no text, wherever it stands."""
    for line in own:
        if _KEY_LINE.fullmatch(line.text) or line.text.strip() in (FORM_BEGINS, FORM_ENDS):
            continue
        blanked = without_tags(line.text)
        if blanked == line.text or blanked.replace(BLANK, "").strip():
            yield Own(blanked, line.taken)


def _sorted_out(own: Sequence[Own], commands: Mapping[str, Command], orders: Collection[str]) -> _Sorted:
    """`orders` are the words that belong to the sheet even where a command has the same name."""
    found = _Sorted()
    rest = list(own)
    while rest:
        line = rest.pop(0)
        word, after = _first_word(line.text) if line.taken else ("", "")
        if word == "END" and not after:
            break
        command = _command(word, after, commands, orders)
        if command is None:
            found.sheet.append(line)
        elif command.word in SHEET_WORDS:
            found.mode = command.word
            found.sheet += [Own("# no orders")] if after.upper().startswith("NONE") else []
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


def _text_below(rest: list[Own]) -> tuple[str, ...]:
    """The lines up to END, taken off what is left to read."""
    text: list[str] = []
    while rest:
        line = rest.pop(0).text
        if line.strip().upper() == "END":
            break
        text.append(line)
    return trimmed(text)


def _have_orders(sheet: Sequence[str], orders: Collection[str]) -> bool:
    """Orders, or what was meant as such. A sheet of comments has to say that it orders nothing on purpose."""
    return any(word in orders or resembled(word, orders) for word in first_words(sheet))
