"""Dice that can be checked afterwards.

When a match starts, a chain of keys is made by hashing a secret again and again, and its last link is published.
Each run uses the next link back, mixed with the digest of the sealed orders; the link is revealed with the
result. Hashing a revealed link must give the link before it, so nobody can choose keys to suit the orders, and
nobody can foresee a die. A die is the keyed hash of a label that names what it was rolled for.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

CHAIN_LENGTH = 2000
#: The slash parts the words of a label, and `#` counts the hashes of one die: neither may stand in a word.
_WORD = r"[^/#\s](?:[^/#]*[^/#\s])?"
#: Other digits than these would count as the same number and give another die.
_COUNT = r"[1-9][0-9]{0,17}"
_LABEL = re.compile(rf"({_WORD})/({_COUNT})/({_WORD})/({_WORD})/({_WORD})/({_COUNT})")
_PLAIN = re.compile(_WORD)


class DiceRanOut(Exception):
    """A case forced fewer dice than its battle used."""


class ThisNamesNoDie(ValueError):
    """A place or purpose that could be read as a part of another label."""


class Label(NamedTuple):
    """What a die was rolled for: the match and gate, the place, the purpose, and the how many-th roll it was there."""

    game: str
    match: int
    gate: str
    place: str
    purpose: str
    nth: int

    @classmethod
    def of(cls, text: str) -> "Label | None":
        """A label as it is printed; None if it is not in the form that `KeyedDice` gives in a match."""
        found = _LABEL.fullmatch(text)
        if found is None:
            return None
        game, match, gate, place, purpose, count = found.groups()
        return cls(game, int(match), gate, place, purpose, int(count))


class Dice(Protocol):
    def die(self, place: str, purpose: str) -> tuple[int, str]:
        """A die of 1 to 6 and the label that identifies it."""


def number_below(key: bytes, label: str, sides: int) -> int:
    """A number from 0 to sides - 1 fixed by key and label, without bias: bytes that would skew it are passed over."""
    limit = 256 - 256 % sides
    attempt = 0
    while True:
        text = label if attempt == 0 else f"{label}#{attempt}"
        for byte in hmac.digest(key, text.encode(), "sha256"):
            if byte < limit:
                return byte % sides
        attempt += 1


def die_of(key: bytes, label: str) -> int:
    """The die of 1 to 6 that a key and a label give."""
    return number_below(key, label, 6) + 1


class KeyedDice:
    """The dice of one run. Labels count the rolls of each purpose, so one battle never shifts another's dice."""

    def __init__(self, key: bytes, prefix: str) -> None:
        self._key = key
        self._prefix = prefix
        self._rolled: dict[tuple[str, str], int] = {}

    def die(self, place: str, purpose: str) -> tuple[int, str]:
        if (place, purpose) not in self._rolled and not (_PLAIN.fullmatch(place) and _PLAIN.fullmatch(purpose)):
            raise ThisNamesNoDie(f"no die can be labelled {purpose!r} at {place!r}")
        count = self._rolled[place, purpose] = self._rolled.get((place, purpose), 0) + 1
        label = f"{self._prefix}/{place}/{purpose}/{count}"
        return die_of(self._key, label), label


class ForcedDice:
    """Dice written down beforehand, used in order: for cases and argued battles."""

    def __init__(self, rolls: Iterable[int]) -> None:
        self.left = list(rolls)
        self.used = 0

    def die(self, place: str, purpose: str) -> tuple[int, str]:
        if not self.left:
            raise DiceRanOut(f"no die is left for {purpose} at {place}; {self.used} were used")
        self.used += 1
        return self.left.pop(0), f"forced/{place}/{purpose}/{self.used}"


def chain_link(secret: bytes, index: int, length: int = CHAIN_LENGTH) -> bytes:
    """Link number `index` of the chain made from a secret; link 0 is the published commitment."""
    link = secret
    for _ in range(length - index):
        link = hashlib.sha256(link).digest()
    return link


def link_follows(link: bytes, previous: bytes) -> bool:
    """Whether a revealed link is the one that was committed to by the link before it."""
    return hashlib.sha256(link).digest() == previous


def links_between(link: bytes, commitment: bytes, most: int = CHAIN_LENGTH) -> int | None:
    """How often a link has to be hashed to give the commitment, which is its number; None if it never does."""
    for number in range(most + 1):
        if link == commitment:
            return number
        link = hashlib.sha256(link).digest()
    return None


def run_key(link: bytes, sealed_sheets: Sequence[bytes]) -> bytes:
    """The key of one run: its chain link mixed with the digests of the sheets that were sealed for it."""
    return run_key_from_digests(link, [hashlib.sha256(sheet).digest() for sheet in sealed_sheets])


def run_key_from_digests(link: bytes, digests: Sequence[bytes]) -> bytes:
    """The same for somebody who knows the digests of the sealed sheets, but not what was in them."""
    return hmac.digest(link, hashlib.sha256(b"".join(digests)).digest(), "sha256")
