"""What every game's events have in common. An event says what happened, never how to word it."""

from typing import Any

import msgspec


class Modifier(msgspec.Struct, frozen=True):
    """A number added to a die, and the reason the report gives for it."""

    value: int
    why: str


class Roll(msgspec.Struct, frozen=True, omit_defaults=True):
    """One die with its label, so that a reader who holds the revealed key can compute it again."""

    die: int
    label: str
    modifiers: tuple[Modifier, ...] = ()

    @property
    def total(self) -> int:
        return self.die + sum(modifier.value for modifier in self.modifiers)


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """Something that happened. `seen_by` names the sides that could see it happen."""

    seen_by: tuple[str, ...] = ()


def canonical(value: Any) -> bytes:
    """Plain data as bytes that are the same on every machine: sorted keys, no spaces."""
    return msgspec.json.encode(value, order="deterministic")
