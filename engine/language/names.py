"""How what a player wrote is compared with what there is: plain capitals, names without their dots, near misses."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz import fuzz, process

_IGNORED = str.maketrans("", "", " .-'_/")
_NEAR_ENOUGH = 70
_NOTHING = "(?!)"
#: In words.
_LONGEST_NAME = 6
#: A name of no more letters is one only in capitals: US and us, B and b.
_SHORT_NAME = 3

#: Characters that mail programs and keyboards put in place of plain ones.
_PLAIN = {
    "ł": "L", "Ł": "L", "ø": "O", "Ø": "O", "đ": "D", "Đ": "D", "ı": "I",
    "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
    '"': " ", "“": " ", "”": " ", "„": " ", "«": " ", "»": " ",
    "‘": "'", "’": "'", "′": "'", "⇒": "→", "➔": "→", "≤": "≤", "≥": "≥", "→": "→", "…": ".",
}  # fmt: skip


def plain(text: str) -> str:
    """Text in capitals and plain characters, one for one, so that columns stay what they were."""
    if text.isascii() and text.isprintable() and '"' not in text:
        return text.upper()
    return "".join(map(_plain_character, text))


def _plain_character(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if character.isascii() and character.isprintable():
        return character.upper()
    if character.isspace() or unicodedata.category(character) in ("Cc", "Cf"):
        return " "
    first = unicodedata.normalize("NFKD", character)[0]
    return first.upper() if first.isascii() and first.isalnum() else "?"


def key_of(name: str) -> str:
    """How a name is compared: spaces, dots, hyphens and case do not matter."""
    return plain(name).translate(_IGNORED)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that comes nearest to what was written; empty if none is near."""
    found = process.extractOne(word, sorted(known), scorer=fuzz.ratio, score_cutoff=_NEAR_ENOUGH)
    return found[0] if found else ""


class Names:
    """What armies and places are called. Each name has an id, which several may have; `place` is what places look like.

    An army goes before a place of the same name.
    """

    def __init__(self, armies: Mapping[str, str], places: Mapping[str, str], place: str) -> None:
        self._ids = {key_of(name): id_ for names in (places, armies) for name, id_ in names.items()}
        self._kinds = {key_of(name): "place" for name in places} | {key_of(name): "army" for name in armies}
        self._place = re.compile(rf"(?:{place or _NOTHING})", re.IGNORECASE)
        self._longest = max((len(key) for key in self._kinds), default=0)

    def id_of(self, name: str) -> str:
        """What a name is the name of; itself if nobody knows."""
        return self._ids.get(key_of(name), key_of(name))

    def in_front(self, words: Sequence[str]) -> tuple[int, str]:
        """How many of the first words are one name, and whether of an army or of a place; 0 if none is there."""
        key, found = "", (0, "")
        for count, word in enumerate(words[:_LONGEST_NAME], 1):
            key += key_of(word)
            if len(key) > self._longest:
                break
            if kind := self._kinds.get(key, ""):
                found = count, kind
        if not found[0] and words and self._place.fullmatch(words[0]):
            return 1, "place"
        return found

    def is_named_in(self, words: Sequence[str]) -> bool:
        """Whether an army or a place is named among words as they were written."""
        return any(self._begin(words[at:]) for at in range(len(words)))

    def _begin(self, words: Sequence[str]) -> bool:
        count, _ = self.in_front(words)
        name = "".join(words[:count])
        return count > 0 and (len(name) > _SHORT_NAME or name == name.upper() != name.lower())
