"""Dice that can be checked afterwards.

When a match starts, a chain of keys is made by hashing a secret again and again, and its last link is published.
Each run uses the next link back, mixed with the digest of the sealed orders; the link is revealed with the
result. Hashing a revealed link must give the link before it, so nobody can choose keys to suit the orders, and
nobody can foresee a die. A die is the keyed hash of a label that names what it was rolled for.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple, Protocol

CHAIN_LENGTH = 2000
#: The slash parts the words of a label, and `#` counts the hashes of one die: neither may stand in a word.
_WORD = r"[^/#\s](?:[^/#]*[^/#\s])?"
#: Other digits than these would count as the same number and give another die.
_COUNT = r"[1-9][0-9]{0,17}"
#: A label says nothing of a die of six sides, and ends in the size of any other. One side is no die.
_SIZE = r"(?:[2-57-9]|[1-9][0-9]{1,8})"
_LABEL = re.compile(rf"({_WORD})/({_COUNT})/({_WORD})/({_WORD})/({_WORD})/({_COUNT})(?::d({_SIZE}))?")
_ENDING = re.compile(rf"/{_COUNT}:d({_SIZE})\Z")
_PLAIN = re.compile(_WORD)
_SIZED = re.compile(_SIZE)


class DiceRanOut(Exception):
    """A case forced fewer dice than its battle used."""


class ThisNamesNoDie(ValueError):
    """A place or purpose that could be read as a part of another label, or a size that no label can name."""


class Label(NamedTuple):
    """What a die was rolled for: the match and gate, the place, the purpose, and the how many-th roll it was there.

    It also says how many sides the die has, so that no other die can be passed off as this one.
    """

    game: str
    match: int
    gate: str
    place: str
    purpose: str
    nth: int
    sides: int = 6

    @classmethod
    def of(cls, text: str) -> "Label | None":
        """A label as it is printed; None if it is not in the form that `KeyedDice` gives in a match."""
        found = _LABEL.fullmatch(text)
        if found is None:
            return None
        game, match, gate, place, purpose, nth, sides = found.groups()
        return cls(game, int(match), gate, place, purpose, int(nth), int(sides or 6))

    def __str__(self) -> str:
        return f"{self.game}/{self.match}/{self.gate}/{self.place}/{self.purpose}/{self.nth}{ending_for(self.sides)}"


def ending_for(sides: int) -> str:
    """How the label of a die with so many sides ends."""
    return "" if sides == 6 else f":d{sides}"


def sides_of(label: str) -> int:
    """How many sides the die has that a label names."""
    found = _ENDING.search(label)
    return int(found[1]) if found else 6


class Dice(Protocol):
    def die(self, place: str, purpose: str, sides: int = 6) -> tuple[int, str]:
        """A die of 1 to `sides` and the label that identifies it."""


def number_below(key: bytes, label: str, sides: int) -> int:
    """A number from 0 to sides - 1 fixed by key and label, without bias."""
    return even_number(_bytes_from(key, label), sides)


def even_number(source: Iterator[int], sides: int) -> int:
    """Every number below `sides` by as many bytes as any other: those that would skew it are passed over.

    So many bytes are read at a time as make at least that many numbers: one up to 256 sides.
    """
    if sides < 1:
        raise ValueError(f"there is no number below {sides}")
    width = ((sides - 1).bit_length() + 7) // 8
    limit = 256**width // sides * sides
    while (number := int.from_bytes(islice(source, width), "big")) >= limit:
        pass
    return number % sides


def _bytes_from(key: bytes, label: str) -> Iterator[int]:
    """As many as are wanted: the keyed hash of the label, then of the label with `#1` behind it, `#2` and so on."""
    yield from hmac.digest(key, label.encode(), "sha256")
    for attempt in count(1):
        yield from hmac.digest(key, f"{label}#{attempt}".encode(), "sha256")


def die_of(key: bytes, label: str) -> int:
    """The die that a key and a label give, from 1 to the number of sides that the label names."""
    return number_below(key, label, sides_of(label)) + 1


class KeyedDice:
    """The dice of one run. Labels count the rolls of each purpose, so one battle never shifts another's dice."""

    def __init__(self, key: bytes, prefix: str) -> None:
        self._key = key
        self._prefix = prefix
        self._rolled: dict[tuple[str, str], int] = {}

    def die(self, place: str, purpose: str, sides: int = 6) -> tuple[int, str]:
        if (place, purpose) not in self._rolled and not (_PLAIN.fullmatch(place) and _PLAIN.fullmatch(purpose)):
            raise ThisNamesNoDie(f"no die can be labelled {purpose!r} at {place!r}")
        if sides != 6 and not _SIZED.fullmatch(str(sides)):
            raise ThisNamesNoDie(f"no label can name a die of {sides} sides")
        nth = self._rolled[place, purpose] = self._rolled.get((place, purpose), 0) + 1
        label = f"{self._prefix}/{place}/{purpose}/{nth}{ending_for(sides)}"
        return number_below(self._key, label, sides) + 1, label


class ForcedDice:
    """Dice written down beforehand, used in order: for cases and argued battles."""

    def __init__(self, rolls: Iterable[int]) -> None:
        self.left = list(rolls)
        self.used = 0

    def die(self, place: str, purpose: str, sides: int = 6) -> tuple[int, str]:
        if not self.left:
            raise DiceRanOut(f"no die is left for {purpose} at {place}; {self.used} were used")
        self.used += 1
        return self.left.pop(0), f"forced/{place}/{purpose}/{self.used}{ending_for(sides)}"


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
