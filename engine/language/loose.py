"""A line that is an order in other words: which order it can be, and whether it can be only one.

The words of the line are put into the order in which the language has them, and the game's own reader is asked what
each arrangement says. Nothing is guessed: a word that is neither of the language nor a small word of English, such as
NOT, is in no arrangement that can be read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from engine.language.names import Names, plain
from engine.language.words import Language
from engine.orders import Finding, Kind, Line, Sheet

#: What reads a sheet of this game, for the side and at the gate at hand.
Read = Callable[[str], Sheet]

#: Words before an order that say how long it holds.
PREFIXES = ("STANDING", "CANCEL")
#: Words before a name that tell what it is there for. What comes from somewhere is named before where it goes.
_ROLES = {
    **dict.fromkeys(("WITH", "BY", "USING"), "with"),
    **dict.fromkeys(("FROM",), "from"),
    **dict.fromkeys(("TO", "ON", "ONTO", "INTO", "IN", "AT", "AGAINST", "FOR", "->", "=>", ">", "→"), "to"),
}
_ORDER_OF_ROLES = ("with", "army", "from", "place", "to")
#: Words that change nothing about an order.
_SMALL = frozenset({
    "PLEASE", "PLS", "THE", "MY", "OUR", "ARMY", "ARMIES", "TROOPS", "UNITS", "FORCES", "HEX", "CITY", "TOWN", "AND",
    "THEN", "ALSO", "WILL", "SHALL", "LET", "HAVE", "ORDER", "TELL", "WE", "I'LL", "WE'LL", "LET'S", "LETS", "US", "GO",
})  # fmt: skip
#: The same, but only as the first word of a line.
_FIRST = frozenset({"I", "SO", "NOW", "OK", "OKAY", "NEXT", "FINALLY", "FIRST", "SECOND", "THIRD"})
_EDGES = ",;:!."
_MOST_HEADS = 3
_MOST_TOLD = 3


class Loosely(msgspec.Struct, frozen=True):
    """What a line can be. `lines` are the orders that it can be read as, each once.

    If there are none, `refused` is an arrangement that is an order but against the rules, and `nearest` one that says
    as much of the line as can be understood.
    """

    lines: tuple[Line, ...] = ()
    refused: str = ""
    nearest: str = ""


class _Word(msgspec.Struct, frozen=True):
    """A word of a line, or the words of one name. `role` is what it is there for, where that can be told."""

    text: str
    role: str = ""

    @property
    def is_name(self) -> bool:
        return bool(self.role)


class LooseReader(msgspec.Struct, frozen=True):
    """Reads lines of one language, for one side and gate: `read` is the game's own reader of sheets."""

    language: Language
    read: Read

    @property
    def names(self) -> Names:
        return self.language.names

    # -------------------------------------------------------------- what a line is about

    def is_about_an_order(self, line: str) -> bool:
        """Whether a line has a word of an order, and an army or a place."""
        words = _bare_words(line)
        return any(self._verb(plain(word)) for word in words) and self.names.is_named_in(words)

    def names_something(self, line: str) -> bool:
        return self.names.is_named_in(_bare_words(line))

    def parts(self, line: str) -> list[str]:
        """The orders of a line that has several with semicolons between them; else the line as one."""
        parts = [part.strip() for part in line.split(";") if part.strip()]
        with_verbs = [part for part in parts if any(map(self._verb, map(plain, _bare_words(part))))]
        return parts if len(parts) > 1 and with_verbs == parts else [line]

    def _verb(self, word: str) -> str:
        """The verb that a word is, or is meant as, or is a form of; empty if it is none."""
        return self._own_verb(word) or self._meant(word)

    def _own_verb(self, word: str) -> str:
        return next((form for form in _forms(word) if self.language.has(form) and form not in PREFIXES), "")

    def _meant(self, word: str) -> str:
        meant = (self.language.meant.get(form, "") for form in _forms(word))
        return next((verb for each in meant if self.language.has(verb := each.partition(" ")[0])), "")

    # -------------------------------------------------------------- what it can be read as

    def reading(self, line: str, section: str = "") -> Loosely:
        """What a line under a section can be read as. The less it has to be changed for it, the sooner it is that."""
        refused = ""
        for stage in self._stages(line):
            found: dict[str, Line] = {}
            for text in dict.fromkeys(stage):
                sheet = self.read(f"{section}\n{text}" if section else text)
                if understood := _only_line(sheet):
                    found.setdefault(str((understood.standing, str(understood.order))), understood)
                elif not refused and _is_illegal(sheet):
                    refused = text
            if found:
                return Loosely(tuple(found.values()))
        return Loosely((), refused, "" if refused else self._nearest(line, section))

    def _stages(self, line: str) -> Iterator[list[str]]:
        """Arrangements of the words, those first that change least."""
        text = plain(line)
        if "?" in text:
            return
        words = text.rstrip(f" {_EDGES}").split()
        heads = self._heads(words)
        yield [_joined(prefix, verb, words_left) for prefix, verb, words_left in heads]
        stripped = [(prefix, verb, _stripped(left)) for prefix, verb, left in heads]
        yield [_joined(prefix, verb, left) for prefix, verb, left in stripped]
        parsed = [(prefix, verb, self._words(left)) for prefix, verb, left in stripped]
        yield [text for prefix, verb, left in parsed for text in _arranged(prefix, verb, left)]
        yield [
            text
            for prefix, verb, left in parsed
            for text in _arranged(prefix, verb, [word for word in left if word.role != "from"])
            if any(word.role == "from" and self._is_place(word.text) for word in left)
        ]

    def _is_place(self, name: str) -> bool:
        return self.names.in_front(name.split())[1] == "place"

    def _heads(self, words: list[str]) -> list[tuple[str, str, list[str]]]:
        """Which word may be the verb: the prefix before it, the verb, and all other words."""
        bare = [word.strip(_EDGES + "()") for word in words]
        prefix = next((word for word in bare if word in PREFIXES and self._knows(word)), "")
        at = bare.index(prefix) if prefix else -1
        for find in (self._own_verb, self._meant):
            found = [(number, find(word)) for number, word in enumerate(bare) if number != at and find(word)]
            if found:
                return [
                    (prefix, verb, [word for other, word in enumerate(words) if other not in (number, at)])
                    for number, verb in found[:_MOST_HEADS]
                ]
        return []

    def _knows(self, word: str) -> bool:
        return word in self.language.by_word or word in self.language.sections

    def _words(self, words: Sequence[str]) -> list[_Word]:
        """With each name as one word, in its role, and without the small words."""
        found: list[_Word] = []
        role, at = "", 0
        while at < len(words):
            count, kind = self.names.in_front(words[at:])
            word = words[at]
            if count:
                found.append(_Word(" ".join(words[at : at + count]), role or kind))
                role = ""
            elif word in _ROLES:
                role = _ROLES[word]
            elif word not in _SMALL and not (at == 0 and word in _FIRST):
                found.append(_Word(word))
                role = ""
            at += count or 1
        return found

    # -------------------------------------------------------------- what to send in its place

    def _nearest(self, line: str, section: str) -> str:
        """Verb and names of the line, if that alone can be read; else an example of the verb."""
        heads = self._heads(plain(line).replace("?", " ").rstrip(f" {_EDGES}").split())
        for prefix, verb, left in heads:
            words = [word for word in self._words(_stripped(left)) if word.is_name or _is_amount(word, self.language)]
            for text in _arranged(prefix, verb, words):
                if understood := _only_line(self.read(f"{section}\n{text}" if section else text)):
                    return str(understood.order)
        return self.language.by_word[heads[0][1]].usage if heads else ""


# ------------------------------------------------------------------ words


def _bare_words(line: str) -> list[str]:
    return [bare for word in line.split() if (bare := word.strip(_EDGES + "()?\"'"))]


def _stripped(words: Iterable[str]) -> list[str]:
    return [bare for word in words if (bare := word.strip(_EDGES))]


def _forms(word: str) -> tuple[str, ...]:
    """A word and what it may be a form of: ATTACKS and ATTACKING of ATTACK, MOVING of MOVE."""
    if word.endswith("ING"):
        return word, word[:-3], f"{word[:-3]}E"
    return (word, word[:-1], word[:-2]) if word.endswith("ES") else (word, word.removesuffix("S"))


def _is_amount(word: _Word, language: Language) -> bool:
    return bool(language.amount) and re.fullmatch(language.amount, word.text) is not None


def _joined(prefix: str, verb: str, words: Iterable[str]) -> str:
    return " ".join(chain([prefix] if prefix else [], [verb], words))


def _arranged(prefix: str, verb: str, words: Sequence[_Word]) -> list[str]:
    """The names in the places where names stand, before all other words, and behind them; with and without TO."""
    names = sorted((word for word in words if word.is_name), key=lambda word: _ORDER_OF_ROLES.index(word.role))
    others = [word.text for word in words if not word.is_name]
    in_place = iter(names)
    arranged = [[next(in_place).text if word.is_name else word.text for word in words]]
    if _is_in_order(words):
        arranged.append([word.text for word in words])
    every = [name.text for name in names]
    first = [name.text for name in names if name.role != "to"]
    goals = [name.text for name in names if name.role == "to"]
    rest = [name.text for name in names if name.role != "from"]
    origins = [name.text for name in names if name.role == "from"]
    arranged += [[*every, *others], [*others, *every]]
    if goals:
        arranged += [[*others, *first, "TO", *goals], [*first, *others, "TO", *goals], [*first, "TO", *goals, *others]]
    if origins:
        arranged += [[*rest, *others, "FROM", *origins], [*rest, "FROM", *origins, *others]]
    return [_joined(prefix, verb, text) for text in arranged]


def _is_in_order(words: Sequence[_Word]) -> bool:
    """Whether nothing is named before where it comes from."""
    roles = [word.role for word in words if word.role in ("from", "to")]
    return roles == sorted(roles)


# ------------------------------------------------------------------ what was read


def _only_line(sheet: Sheet) -> Line | None:
    """The order of a sheet that is nothing else."""
    if len(sheet.lines) != 1 or any(finding.refuses for finding in sheet.findings):
        return None
    return sheet.lines[0]


def _is_illegal(sheet: Sheet) -> bool:
    """Whether a line was understood, and only the rules are against it."""
    return bool(sheet.findings) and all(finding.kind is Kind.ILLEGAL and finding.line for finding in sheet.findings)


def doubtful(number: int, line: str, readings: Sequence[str], nearest: str) -> Finding:
    """What is said of a line that may be an order, when nobody can tell which."""
    if readings:
        told = ", or: ".join(readings[:_MOST_TOLD])
        return Finding(Kind.AMBIGUOUS, number, "This can be read in several ways.", f"Send one of them: {told}", line)
    why = "This may be an order, and I cannot tell which."
    remedy = f"Send it like this: {nearest}" if nearest else ""
    return Finding(Kind.AMBIGUOUS, number, why, remedy, line)
