"""What a sheet would come to before any die is rolled: the position after its movement, and what it means to follow.

Plain data, for whoever shows a side its own orders. `drafting.py` notes it down while the sheet is judged.
"""

from typing import Literal

import msgspec

from engine.grand_strategy.view import ArmyView

#: Whether something will be done: surely, or if a condition holds.
Will = Literal["no", "yes", "perhaps"]


class Move(msgspec.Struct, frozen=True):
    """An army goes from one place to another, or points of it go to another army there."""

    origin: str
    place: str


class Voyage(msgspec.Struct, frozen=True):
    """Points are shipped, place by place."""

    places: tuple[str, ...]


class Landing(msgspec.Struct, frozen=True):
    """An army invades from the sea, by the route that is fixed before anybody fires."""

    army: str
    places: tuple[str, ...]
    fires: Will


class Attack(msgspec.Struct, frozen=True):
    """An army attacks over land."""

    army: str
    origin: str
    target: str
    fires: Will
    advances: Will


class Step(msgspec.Struct, frozen=True):
    """One way of an exploitation; an open one is one of several the army may take in this step."""

    army: str
    number: int
    origin: str
    place: str
    open: bool = False


class Retreat(msgspec.Struct, frozen=True):
    """Where armies of a place go if they are displaced: `number` is the choice, 0 only a direction."""

    origin: str
    place: str
    number: int = 0
    avoided: bool = False


class Support(msgspec.Struct, frozen=True):
    """Ships fire at a coast that is invaded."""

    place: str


class Violation(msgspec.Struct, frozen=True):
    """A country is attacked for the first time, with its places that are unaligned."""

    country: str
    places: tuple[str, ...]


class Newcomer(msgspec.Struct, frozen=True):
    """A counter that comes if a country joins: with these points, or in place of the country's own army."""

    army: str
    place: str
    country: str
    points: dict[str, int] = {}


class Work(msgspec.Struct, frozen=True):
    """What is to be paid for in a place, or is brought there by a country: points by type, or their number.

    `most` is the type of which as many are built as the money buys; number 0 repairs as many as can be.
    """

    place: str
    kind: str  # build, repair, fort, gift, or a word of the game
    points: dict[str, int] = {}
    number: int = 0
    most: str = ""
    country: str = ""


class Price(msgspec.Struct, frozen=True):
    """What a line of the production list costs; nobody can say of one that spends as much as there is."""

    line: int
    order: str
    cost: int | None


class Bill(msgspec.Struct, frozen=True, omit_defaults=True):
    """The production list with its prices, against what there will be to spend; lines sent before have number 0."""

    to_spend: int
    prices: tuple[Price, ...] = ()

    @property
    def together(self) -> int:
        return sum(price.cost or 0 for price in self.prices)


class GivenUp(msgspec.Struct, frozen=True):
    """A fort is dismantled."""

    place: str


class InWords(msgspec.Struct, frozen=True):
    """An order that has no place on a map, as it is written."""

    order: str


Piece = Attack | Landing | Step | Retreat | Support | Violation | Newcomer | Work | GivenUp | InWords


class Drafted(msgspec.Struct, frozen=True, omit_defaults=True):
    """`armies` stand as the movement leaves them, those of the others where they are known to be.

    `pool` is what the deployment leaves of it. Everything else comes in the order of the lines.
    """

    side: str
    turn: int
    armies: dict[str, ArmyView]
    moves: tuple[Move, ...] = ()
    voyages: tuple[Voyage, ...] = ()
    deployed: tuple[str, ...] = ()
    pool: dict[str, int] = {}
    attacks: tuple[Attack, ...] = ()
    landings: tuple[Landing, ...] = ()
    steps: tuple[Step, ...] = ()
    retreats: tuple[Retreat, ...] = ()
    supports: tuple[Support, ...] = ()
    violations: tuple[Violation, ...] = ()
    newcomers: tuple[Newcomer, ...] = ()
    works: tuple[Work, ...] = ()
    given_up: tuple[GivenUp, ...] = ()
    in_words: tuple[InWords, ...] = ()
    bill: Bill | None = None
