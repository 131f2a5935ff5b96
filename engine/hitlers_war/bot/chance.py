"""A stream of choices fixed by a key, for players that play at random."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Chance:
    """A stream of choices fixed by a key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._count = 0
        self._pool = b""

    def below(self, limit: int) -> int:
        if len(self._pool) < 4:
            self._count += 1
            self._pool = hashlib.sha256(self._key + self._count.to_bytes(4, "big")).digest()
        number, self._pool = int.from_bytes(self._pool[:4], "big"), self._pool[4:]
        return number % limit

    def percent(self, chance: int) -> bool:
        return self.below(100) < chance

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def some(self, items: Sequence[Item], chance: int) -> list[Item]:
        return [item for item in items if self.percent(chance)]
