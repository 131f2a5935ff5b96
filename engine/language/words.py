"""The words of a game's orders as values: what each does, and what to answer to any other word."""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import chain

import msgspec

from engine.language.names import Names, nearest
from engine.language.sheet import LineCannotBeUsed
from engine.orders import Kind

_NOTHING = "(?!)"


class Verb(msgspec.Struct, frozen=True):
    """A word that begins an order. `usage` is an example that can be sent as it is.

    A verb that `may_stand` holds until it is cancelled.
    """

    word: str
    usage: str
    what: str
    case: str = ""
    may_stand: bool = False


class Language(msgspec.Struct, frozen=True, dict=True):
    """All that can be written on a sheet of one scenario, and what the referee has to know to find it in a letter.

    `place` is what a place looks like, as a regular expression: it tells a mistyped order from talk. `amount` does the
    same for other things that only orders name, such as 5I, and `case_number` for the rules. `armies` and `places` are
    what these are called besides, each with its id. Words stand `inside` an order, and some of them `before_names` that
    belong to them. `spoken` are expressions for what players say, in capitals, with what is written for it; `peoples`
    are words for the sides. `headings` are the words that say which sheet it is. The verbs of rules that this scenario
    lacks are known too, under what they belong to.
    """

    verbs: tuple[Verb, ...]
    verbs_elsewhere: Mapping[str, tuple[Verb, ...]] = {}
    what_there_is: str = ""  # what this scenario consists of, for replies to orders that need more
    sections: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    place: str = ""
    amount: str = ""
    case_number: str = ""
    armies: Mapping[str, str] = {}
    places: Mapping[str, str] = {}
    inside: frozenset[str] = frozenset()
    before_names: frozenset[str] = frozenset()
    spoken: tuple[tuple[re.Pattern[str], str], ...] = ()
    peoples: Mapping[str, str] = {}
    elsewhere: Mapping[str, str] = {}  # words that are no orders of a sheet, with what to do instead
    meant: Mapping[str, str] = {}  # what players write when they mean another word

    @cached_property
    def by_word(self) -> dict[str, Verb]:
        """Every verb there is, those of this scenario first."""
        return {verb.word: verb for verb in chain(self.verbs, *self.verbs_elsewhere.values())}

    @cached_property
    def _belongs_to(self) -> dict[str, str]:
        return {verb.word: rules for rules, verbs in self.verbs_elsewhere.items() for verb in verbs}

    def has(self, word: str) -> bool:
        """Whether an order of this scenario begins with the word."""
        return word in self.by_word and word not in self._belongs_to

    @property
    def may_stand(self) -> tuple[str, ...]:
        return tuple(verb.word for verb in self.verbs if verb.may_stand)

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """The words that can begin a line of a sheet, those of other scenarios too: whoever uses one means an order."""
        return tuple(dict.fromkeys((*self.by_word, *self.sections, *self.headings)))

    @property
    def named(self) -> str:
        """What only orders name, as a regular expression; empty if there is no such thing."""
        return "|".join(part for part in (self.place, self.amount) if part)

    def is_amount(self, word: str) -> bool:
        return self._amount.fullmatch(word) is not None

    @cached_property
    def _amount(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self.amount or _NOTHING})")

    @cached_property
    def names(self) -> Names:
        return Names(self.armies, self.places, self.place)

    # -------------------------------------------------------------- what to answer

    def usage(self, word: str) -> str:
        verb = self.by_word.get(word)
        return f"Example: {verb.usage}" if verb else ""

    def later(self, word: str) -> str:
        """Why a verb is refused that comes with rules which this scenario lacks; empty for any other word."""
        return needs(word, self._belongs_to[word]) if word in self._belongs_to else ""

    def must_have(self, word: str, column: int) -> None:
        """Raises LineCannotBeUsed if no order of this scenario begins with the word."""
        if later := self.later(word):
            raise LineCannotBeUsed(Kind.ILLEGAL, f"{later}.", f"{self.what_there_is}.", column)
        if word in self.by_word:
            return
        if word in self.elsewhere:
            why = f"{word} is no order of a sheet."
            raise LineCannotBeUsed(Kind.ILLEGAL, why, f"{self.elsewhere[word]}.", column)
        said = f"I know no order '{word[:30]}'." if word else "The line does not begin with an order."
        raise LineCannotBeUsed(Kind.UNREADABLE, said, self.would_work(word), column)

    def would_work(self, word: str) -> str:
        """What to write in place of a word that begins no order."""
        usable = [verb.word for verb in self.verbs]
        likely = self._other_word_for(word) or nearest(word, usable) or nearest(word, self.by_word)
        if likely:
            return f"Did you mean {likely}? {self.usage(likely)}"
        return f"An order begins with {', '.join(usable)}."

    def _other_word_for(self, word: str) -> str:
        """What players mean by a word that is none of ours, if there is such a thing in this scenario."""
        meant = self.meant.get(word, "")
        return "" if self.later(meant.partition(" ")[0]) else meant


def needs(word: str, rules: str) -> str:
    """Why a word is refused that comes with rules which a scenario lacks."""
    return f"{word} belongs to a later scenario of the rules ({rules})"
