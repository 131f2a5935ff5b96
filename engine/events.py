"""What every game's events have in common. An event says what happened, never how to word it."""

from typing import Any, ClassVar, TypeVar

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
    """Something that happened. `seen_by` names the sides that could see it happen.

    `lines` says of which lines it came: their numbers, by the side that wrote the sheet. What came of a standing order,
    of a line that was kept from an earlier gate or of no order at all has none. A kind of event can say that a line was
    not carried out as it stands: `verdict` is refused, in part or not met, and a field `why` may give the reason.
    """

    verdict: ClassVar[str] = ""

    seen_by: tuple[str, ...] = ()
    lines: dict[str, tuple[int, ...]] = {}

    def lines_of(self, side: str) -> tuple[int, ...]:
        """The lines in the sheet of a side that it came of."""
        return self.lines.get(side, ())


AnEvent = TypeVar("AnEvent", bound=Event)


def without_lines(event: AnEvent) -> AnEvent:
    return msgspec.structs.replace(event, lines={}) if event.lines else event


def with_own_lines(event: AnEvent, side: str) -> AnEvent:
    """As a side is told it: of which lines of others something came is nobody's business but theirs."""
    if event.lines.keys() <= {side}:
        return event
    return msgspec.structs.replace(event, lines={side: event.lines[side]} if side in event.lines else {})


def canonical(value: Any) -> bytes:
    """Plain data as bytes that are the same on every machine: sorted keys, no spaces."""
    return msgspec.json.encode(value, order="deterministic")
