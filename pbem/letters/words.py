"""The words by which a request is told from talk. They belong to the games and commands; the mail knows none."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.language import Language

#: How much of a line is looked at for what only orders name.
MOST_LOOKED_AT = 400
_NOTHING = "(?!)"


@dataclass(frozen=True)
class Words:
    """The words that can begin a request, in capitals, each with what is named behind it, and those of headings.

    Of a word of several games any of them may be meant; of a command, any game there is. So a place of one game, such
    as 1941, makes no order of talk that begins with a word of another.
    """

    beginnings: Mapping[str, re.Pattern[str]]
    headings: frozenset[str] = frozenset()
    named: re.Pattern[str] = re.compile(_NOTHING)

    @staticmethod
    def of(commands: Iterable[str], languages: Iterable[Language]) -> "Words":
        """Of all that can be asked for, and of all languages that a letter may be written in."""
        languages = tuple(languages)
        named = dict.fromkeys(language.named for language in languages)
        by_word: dict[str, dict[str, None]] = dict.fromkeys(commands, named)
        for word in dict.fromkeys(word for language in languages for word in language.beginnings):
            by_word[word] = dict.fromkeys(each.named for each in languages if word in each.beginnings)
        return Words(
            {word: _pattern(tuple(names)) for word, names in by_word.items()},
            frozenset(word for language in languages for word in language.headings),
            _pattern(tuple(named)),
        )

    def __contains__(self, word: str) -> bool:
        return word in self.beginnings

    def are_named_in(self, line: str) -> bool:
        """Whether a line has what only orders of some game name."""
        return self.named.search(line[:MOST_LOOKED_AT]) is not None

    def are_named_behind(self, word: str, line: str) -> bool:
        """The same, for a line that begins with a word or with what is meant as such."""
        return self.beginnings[word].search(line[:MOST_LOOKED_AT]) is not None


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    whole = "|".join(name for name in names if name) or _NOTHING
    return re.compile(rf"\b(?:{whole})\b", re.IGNORECASE)
