"""What the player meant: his own orders, his changes to the order form, his attached files. Or why nobody can tell."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbem.letters.forms import Edits, find_form, plainly, read_form
from pbem.letters.keys import is_key_line
from pbem.letters.letter import MOST_LINES, NobodyCanTell
from pbem.letters.orders import (
    Own,
    first_word,
    freed,
    is_a_whole_order,
    is_end,
    looks_like_an_order,
    orders_of,
    rejoined,
    without_needless_blanks,
)
from pbem.letters.quoting import ENCRYPTED, Line, quoted_lines
from pbem.letters.texts import Text, Texts
from pbem.letters.words import Words

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
    """All that the writer wrote himself. If there is a doubt, there is nothing."""

    own: tuple[Own, ...] = ()
    doubt: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What of it is taken for orders and commands."""
        return texts_taken(self.own)


@dataclass(frozen=True)
class Sifted:
    """A text with the writer's own orders told from the rest of it, before anybody has looked into its form."""

    own: tuple[Own, ...] = ()
    form: tuple[Line, ...] = ()
    doubts: tuple[str, str] = ("", "")  # to be told before and after what is wrong with the form
    may_be_broken: bool = True


@dataclass(frozen=True)
class SiftedTexts:
    """The texts of a letter. What they mean depends on the order form they may answer, if one is among them."""

    body: Sifted = Sifted()
    attached: tuple[Sifted, ...] = ()
    unread: str = ""
    forwards_orders: bool = False
    doubt: str = ""  # nobody can tell, whatever the form was

    @property
    def form(self) -> list[Line]:
        """The lines of the form, or of each of them."""
        return [line for text in (self.body, *self.attached) for line in text.form]

    @property
    def hold_a_form(self) -> bool:
        return bool(self.form)


def sifted(texts: Texts, words: Words) -> SiftedTexts:
    """All that can be found out before it is known which form is answered."""
    sieve = _Sieve(words)
    try:
        body, *attached = map(sieve.sift, (texts.body, *texts.attached))
    except NobodyCanTell as problem:
        return SiftedTexts(doubt=str(problem))
    enclosed = [line for text in texts.enclosed for line in text.lines]
    forwards_orders = any(is_a_whole_order(line, words) for line in enclosed)
    return SiftedTexts(body, tuple(attached), texts.unread, forwards_orders)


def meaning_of(texts: SiftedTexts, words: Words, form: Sequence[str]) -> Meaning:
    if texts.doubt:
        return Meaning((), texts.doubt)
    reader = _Reader(words, form)
    try:
        own = reader.orders(texts)
        if not any(texts_taken(own)):
            reader.explain_nothing(texts)
    except NobodyCanTell as problem:
        return Meaning((), str(problem))
    return Meaning(tuple(_not_too_many(own)))


def texts_taken(own: Iterable[Own]) -> tuple[str, ...]:
    return tuple(line.text for line in own if line.taken)


def _not_too_many(own: Iterable[Own]) -> Iterator[Own]:
    """As many as anybody reads, of those that are taken and of the others."""
    left = {True: MOST_LINES, False: MOST_LINES}
    for line in own:
        left[line.taken] -= 1
        if left[line.taken] >= 0:
            yield line


class _Reader:
    def __init__(self, words: Words, form: Sequence[str]) -> None:
        self.words = words
        self.form = form
        self.doubt = ""

    def orders(self, texts: SiftedTexts) -> list[Own]:
        """From the letter and from its files. What is only in doubt does not matter if there are orders elsewhere."""
        body = self._of_text(texts.body)
        files = [lines for lines in map(self._of_text, texts.attached) if any(texts_taken(lines))]
        if any(not _same(file, files[0]) for file in files[1:]):
            raise NobodyCanTell(_TWO_FILES)
        return _together(body, files[0] if files else [], _BODY_AND_FILE)

    def explain_nothing(self, texts: SiftedTexts) -> None:
        """There are no orders: say why, if there is a reason other than that the player wrote none."""
        if self.doubt or texts.unread:
            raise NobodyCanTell(self.doubt or texts.unread)
        if texts.forwards_orders:
            raise NobodyCanTell(_FORWARDED)

    def _of_text(self, text: Sifted) -> list[Own]:
        edits = read_form(text.form, self.form, self.words) if text.form else Edits()
        first, last = text.doubts
        self.doubt = self.doubt or first or edits.doubt or last
        own, changed = list(text.own), [Own(line) for line in edits.lines]
        if text.may_be_broken:
            own, changed = rejoined(own, self.words), rejoined(changed, self.words)
        return _together(own, changed, _ABOVE_AND_INSIDE)


# ------------------------------------------------------------------ the writer's own lines


class _Sieve:
    def __init__(self, words: Words) -> None:
        self.words = words

    def sift(self, text: Text) -> Sifted:
        """Below END no form is looked into."""
        lines = quoted_lines(text.lines, self.words)
        encrypted = any(line.text.strip() == ENCRYPTED and not line.depth for line in lines)
        region = find_form(lines)
        own, ended = self._own_orders(lines, region)
        form = () if ended else tuple(lines[number] for number in region)
        doubts = _ENCRYPTED if encrypted else "", self._forwarded(lines)
        return Sifted(tuple(own), form, doubts, text.may_be_broken)

    def _forwarded(self, lines: Iterable[Line]) -> str:
        found = any(line.forwarded and is_a_whole_order(line.text, self.words) for line in lines)
        return _FORWARDED if found else ""

    def _own_orders(self, lines: Sequence[Line], region: range) -> tuple[list[Own], bool]:
        own: list[Own] = []
        for run in self._runs(lines, region):
            found, ended = orders_of(run, self.words)
            own += without_needless_blanks(found)
            if ended:
                return own, True
        return own, False

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
        """However deep what follows is quoted: below the last line of a message stands the referee's own text."""
        before, line = lines[number - 1] if number else Line(""), lines[number]
        after = lines[number + 1] if number + 1 < len(lines) else Line("")
        if not before.depth or before.program or not after.depth or not line.text.strip():
            return
        width = len(before.marks) + len(before.text) + 1 + len(line.text.split()[0])
        text = freed(line.text, self.words)
        if width > _BROKEN_AT and (is_end(text) or looks_like_an_order(text, self.words)):
            raise NobodyCanTell(_BROKEN + line.text.strip()[:100])


# ------------------------------------------------------------------ orders in two places


def _together(first: list[Own], second: list[Own], doubt: str) -> list[Own]:
    """Orders from two places. Where both have an order of one kind, they must be the same."""
    one, two = _plain_set(first), _plain_set(second)
    if two <= one:
        return [*first, *_aside(second, first)]
    if one <= two:
        return [*_aside(first, second), *second]
    if {_verb(line) for line in one - two} & {_verb(line) for line in two - one}:
        raise NobodyCanTell(doubt)
    return [*first, *_aside(second, first), *(line for line in second if line.taken)]


def _aside(lines: list[Own], others: list[Own]) -> list[Own]:
    """What was written beside the orders in one of the places only."""
    known = {plainly(line.text) for line in others}
    return [line for line in lines if not line.taken and plainly(line.text) not in known]


def _same(first: list[Own], second: list[Own]) -> bool:
    return _plain_set(first) == _plain_set(second)


def _plain_set(lines: list[Own]) -> set[str]:
    return {plainly(line) for line in texts_taken(lines)} - {""}


def _verb(line: str) -> str:
    """What an order is about; a standing one is about what stands."""
    first = first_word(line)
    return first_word(line.split(maxsplit=1)[-1]) if first in _PREFIXES else first
