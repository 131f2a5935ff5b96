"""How what a player wrote is compared with what there is: plain capitals, names without their dots, near misses."""

import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz, process

_IGNORED = str.maketrans("", "", " .-'_/")
_NEAR_ENOUGH = 70

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
