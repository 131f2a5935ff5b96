"""What the player meant: his own orders, his changes to the order form, his attached files. Or why nobody can tell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.letters.forms import Edits, find_form, plainly, read_form
from pbem.letters.keys import is_key_line
from pbem.letters.letter import MOST_LINES, NobodyCanTell
from pbem.letters.orders import (
    first_word,
    freed,
    is_a_whole_order,
    looks_like_an_order,
    orders_of,
    rejoined,
    without_needless_blanks,
)
from pbem.letters.quoting import ENCRYPTED, Line, quoted_lines
from pbem.letters.texts import Text, Texts

_ABOVE_AND_INSIDE = "there are orders above the quoted text and different ones inside the order form"
_BODY_AND_FILE = "there are orders in the mail and different ones in an attached file"
_TWO_FILES = "there are different orders in two attached files"
_FORWARDED = "the only orders are inside a forwarded mail, and nobody can tell whose they are"
_BROKEN = "this line may be an order, or the rest of a quoted line that a mail program broke in two: "
_ENCRYPTED = "the text is encrypted"
_BROKEN_AT = 72
_PREFIXES = ("STANDING", "CANCEL")


@dataclass(frozen=True)
class Meaning:
    lines: tuple[str, ...] = ()
    doubt: str = ""


def meaning_of(texts: Texts, words: frozenset[str], form: Sequence[str]) -> Meaning:
    reader = _Reader(words, form)
    try:
        lines = reader.orders(texts)
        if not any(lines):
            reader.explain_nothing(texts)
    except NobodyCanTell as problem:
        return Meaning((), str(problem))
    return Meaning(tuple(lines[:MOST_LINES]))


class _Reader:
    def __init__(self, words: frozenset[str], form: Sequence[str]) -> None:
        self.words = words
        self.form = form
        self.doubt = ""

    def orders(self, texts: Texts) -> list[str]:
        """From the letter and from its files. What is only in doubt does not matter if there are orders elsewhere."""
        body = self._of_text(texts.body)
        files = [lines for lines in map(self._of_text, texts.attached) if any(lines)]
        if any(not _same(file, files[0]) for file in files[1:]):
            raise NobodyCanTell(_TWO_FILES)
        return _together(body, files[0] if files else [], _BODY_AND_FILE)

    def explain_nothing(self, texts: Texts) -> None:
        """There are no orders: say why, if there is a reason other than that the player wrote none."""
        if self.doubt or texts.unread:
            raise NobodyCanTell(self.doubt or texts.unread)
        lines = [line for text in texts.enclosed for line in text.lines]
        if any(is_a_whole_order(line, self.words) for line in lines):
            raise NobodyCanTell(_FORWARDED)

    def _of_text(self, text: Text) -> list[str]:
        lines = quoted_lines(text.lines, self.words)
        if any(line.text.strip() == ENCRYPTED and not line.depth for line in lines):
            self.doubt = self.doubt or _ENCRYPTED
        region = find_form(lines)
        own, ended = self._own_orders(lines, region)
        edits = Edits() if ended or not region else self._edits([lines[number] for number in region])
        self.doubt = self.doubt or edits.doubt or self._forwarded(lines)
        if text.may_be_broken:
            return _together(rejoined(own, self.words), rejoined(edits.lines, self.words), _ABOVE_AND_INSIDE)
        return _together(own, list(edits.lines), _ABOVE_AND_INSIDE)

    def _edits(self, region: Sequence[Line]) -> Edits:
        return read_form(region, self.form, self.words)

    def _forwarded(self, lines: Iterable[Line]) -> str:
        found = any(line.forwarded and is_a_whole_order(line.text, self.words) for line in lines)
        return _FORWARDED if found else ""

    # -------------------------------------------------------------- the writer's own lines

    def _own_orders(self, lines: Sequence[Line], region: range) -> tuple[list[str], bool]:
        taken: list[str] = []
        for run in self._runs(lines, region):
            found, ended = orders_of(run, self.words)
            taken += without_needless_blanks(found)
            if ended:
                return taken, True
        return taken, False

    def _runs(self, lines: Sequence[Line], region: range) -> list[list[str]]:
        """The writer's own lines, in runs between quoted ones."""
        runs: list[list[str]] = [[]]
        for number, line in enumerate(lines):
            if line.depth or number in region:
                runs.append([])
            elif not is_key_line(line.text):
                self._must_not_be_the_rest_of_a_quoted_line(lines, number)
                runs[-1].append(line.text)
        return [run for run in runs if run]

    def _must_not_be_the_rest_of_a_quoted_line(self, lines: Sequence[Line], number: int) -> None:
        before, line = lines[number - 1] if number else Line(""), lines[number]
        after = lines[number + 1] if number + 1 < len(lines) else Line("")
        if not before.depth or before.program or after.depth != before.depth or not line.text.strip():
            return
        width = len(before.marks) + len(before.text) + 1 + len(line.text.split()[0])
        if width > _BROKEN_AT and looks_like_an_order(freed(line.text, self.words), self.words):
            raise NobodyCanTell(_BROKEN + line.text.strip()[:100])


# ------------------------------------------------------------------ orders in two places


def _together(first: list[str], second: list[str], doubt: str) -> list[str]:
    """Orders from two places. Where both have an order of one kind, they must be the same."""
    one, two = _plain_set(first), _plain_set(second)
    if two <= one:
        return first
    if one <= two:
        return second
    if {_verb(line) for line in one - two} & {_verb(line) for line in two - one}:
        raise NobodyCanTell(doubt)
    return [*first, *second]


def _same(first: list[str], second: list[str]) -> bool:
    return _plain_set(first) == _plain_set(second)


def _plain_set(lines: list[str]) -> set[str]:
    return {plainly(line) for line in lines} - {""}


def _verb(line: str) -> str:
    """What an order is about; a standing one is about what stands."""
    first = first_word(line)
    return first_word(line.split(maxsplit=1)[-1]) if first in _PREFIXES else first
