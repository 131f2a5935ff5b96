"""What can happen on the island. An event says what, never in which words."""

from typing import ClassVar

from engine.events import Event, Roll
from engine.game import Outcome, Side


class MoonBegan(Event, frozen=True, tag="moon-began"):
    moon: int


class OrderRefused(Event, frozen=True, tag="order-refused"):
    """A line that could not be carried out when its time came."""

    verdict: ClassVar[str] = "refused"

    side: Side
    text: str
    why: str


class DefaultUsed(Event, frozen=True, tag="default-used"):
    """No orders were at hand: the side rallied to a hex, or stood where it was (RI-9.1)."""

    side: Side
    rallied_to: str = ""


class StandingChanged(Event, frozen=True, tag="standing-changed"):
    side: Side
    rally: str = ""


class Marched(Event, frozen=True, tag="marched"):
    """`spears` is None for a reader who is not told how many."""

    side: Side
    origin: str
    target: str
    spears: int | None = None


class BattleFought(Event, frozen=True, tag="battle-fought"):
    """RI-4: the attacker wins with 51 or more. The losses are those of both sides."""

    hex: str
    attacker: Side
    attacking: int
    defending: int
    roll: Roll
    winner: Side
    attacker_lost: int
    defender_lost: int


class HexTaken(Event, frozen=True, tag="hex-taken"):
    hex: str
    side: Side


class Mustered(Event, frozen=True, tag="mustered"):
    hex: str
    side: Side
    spears: int | None = None


class CraterRumbled(Event, frozen=True, tag="crater-rumbled"):
    """RI-6: whether the volcano erupts."""

    roll: Roll
    erupts: bool


class SpearsBurned(Event, frozen=True, tag="spears-burned"):
    hex: str
    side: Side
    spears: int


class WarEnded(Event, frozen=True, tag="war-ended"):
    outcome: Outcome


AnyEvent = (
    MoonBegan
    | OrderRefused
    | DefaultUsed
    | StandingChanged
    | Marched
    | BattleFought
    | HexTaken
    | Mustered
    | CraterRumbled
    | SpearsBurned
    | WarEnded
)
