"""The order language of a scenario, made of the words of those parts of the rules that it is played by."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from engine.grand_strategy.orders import AnyOrder
from engine.language.words import Language, Verb, needs

if TYPE_CHECKING:
    from engine.grand_strategy.language.meaning import Meaning

Piece = Any  # a Tree or a Token of the grammar
Pieces = Sequence[Piece]
#: Makes an order of the parse tree of a line.
Composer = Callable[["Meaning", Pieces], AnyOrder]


class Part(msgspec.Struct, frozen=True):
    """What one part of the rules adds to the language.

    `words` stand inside an order, with what they are about; `points` are letters of strength points with their names;
    `wheres` are words that stand in place of an army or a place. `what_there_is` tells what a scenario consists of
    whose latest part this is, for replies to orders that need more.
    """

    belongs_to: str
    verbs: tuple[Verb, ...]
    what_there_is: str = ""
    words: Mapping[str, str] = {}
    points: Mapping[str, str] = {}
    wheres: tuple[str, ...] = ()


class Samples(msgspec.Struct, frozen=True):
    """Names on the board of a game, for replies that show what would work."""

    hex: str
    hex_is: str  # what it is made of
    two_hexes: tuple[str, str]  # that touch
    build_hex: str
    sea: str = "the first letters of one"
    country: str = "one that is unaligned"
    newcomer: str = "one that joins you"  # a country with forces of its own
    changes_over: str = "one that changes sides"  # a country whose army does


class Idiom(msgspec.Struct, frozen=True):
    """What a game writes alike in all its scenarios. The parts are in the order of the rulebook.

    `hex` is what a hex looks like where a sheet names one, be it on the board or not, and `place` how it is found in a
    letter. `grammar` is where the rules of the game's own orders lie, beside those of the family, and `composers` make
    orders of them by the names of these rules. `offered` is what the game offers where an order of its own goes on.
    """

    parts: tuple[Part, ...]
    sections: tuple[str, ...]
    headings: tuple[str, ...]
    place: str
    hex: re.Pattern[str]
    amount: str
    case_number: str
    samples: Samples
    grammar: tuple[str, ...] = ()
    composers: Mapping[str, Composer] = {}
    offered: tuple[tuple[re.Pattern[str], str], ...] = ()
    elsewhere: Mapping[str, str] = {}
    meant: Mapping[str, str] = {}
    inside: frozenset[str] = frozenset()
    before_names: frozenset[str] = frozenset()
    spoken: tuple[tuple[re.Pattern[str], str], ...] = ()
    peoples: Mapping[str, str] = {}


class OrderLanguage(Language, frozen=True, dict=True, kw_only=True):
    """The order language of one scenario, which is played by these parts of the rules.

    Words inside an order and letters of points that belong to rules which it lacks are known too: by the word these
    rules, and what the word is about.
    """

    idiom: Idiom
    parts: tuple[Part, ...] = ()
    words_elsewhere: Mapping[str, tuple[str, str]] = {}
    points_elsewhere: Mapping[str, tuple[str, str]] = {}

    def with_part(self, part: Part) -> "OrderLanguage":
        """The language of a scenario that has this part as well."""
        return language_of(self.idiom, *self.parts, part)

    @property
    def samples(self) -> Samples:
        return self.idiom.samples

    @cached_property
    def wheres(self) -> frozenset[str]:
        """The words that stand in place of an army or a place."""
        return frozenset(chain.from_iterable(part.wheres for part in self.parts))

    @cached_property
    def any_word_elsewhere(self) -> re.Pattern[str]:
        words = "|".join(map(re.escape, self.words_elsewhere)) or r"(?!)"
        return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")

    def needs_of_word(self, word: str) -> str:
        """Why a word inside an order is refused; empty if this scenario has it, or if it is none of ours."""
        rules, about = self.words_elsewhere.get(word, ("", ""))
        return f"{needs(word, rules)}: it is about {about}." if rules else ""

    def needs_of_points(self, letter: str) -> str:
        """The same of a letter of strength points."""
        rules, name = self.points_elsewhere.get(letter, ("", ""))
        return f"{needs(f'{letter} ({name})', rules)}." if rules else ""


def language_of(idiom: Idiom, *parts: Part) -> OrderLanguage:
    """The language of a scenario that is played by these parts of the rules, the latest of them last."""
    others = tuple(part for part in idiom.parts if part not in parts)
    return OrderLanguage(
        verbs=tuple(chain.from_iterable(part.verbs for part in parts)),
        verbs_elsewhere={part.belongs_to: part.verbs for part in others},
        what_there_is=parts[-1].what_there_is,
        sections=idiom.sections,
        headings=idiom.headings,
        place=idiom.place,
        amount=idiom.amount,
        case_number=idiom.case_number,
        elsewhere=idiom.elsewhere,
        meant=idiom.meant,
        inside=idiom.inside,
        before_names=idiom.before_names,
        spoken=idiom.spoken,
        peoples=idiom.peoples,
        idiom=idiom,
        parts=parts,
        words_elsewhere={word: (part.belongs_to, about) for part in others for word, about in part.words.items()},
        points_elsewhere={letter: (part.belongs_to, name) for part in others for letter, name in part.points.items()},
    )
