"""The keys by which a seat or a GM is known: how they are made, compared, and shown in mail."""

import hmac
import secrets
from typing import Protocol

from pbem.records import models

KEY_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
KEY_LENGTH = 20


def new_key() -> str:
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH))


class KeyedSeat(Protocol):
    """What a mail says about the seat whose own mail it is."""

    @property
    def match_id(self) -> int: ...
    @property
    def side(self) -> str: ...
    @property
    def key(self) -> str: ...


def keys_agree(given: str, seat: models.Seat) -> bool:
    """Compared in constant time; a seat without a key has no key that fits."""
    return bool(seat.key) and hmac.compare_digest(given.encode(), seat.key.encode())


def key_tag(seat: KeyedSeat) -> str:
    """How the key stands in subjects and at the foot of the order form."""
    return f"{seat.match_id}-{seat.side}-{seat.key}"


def gm_tag(key: str) -> str:
    """How the key of a GM stands in subjects."""
    return f"gm-{key}"
