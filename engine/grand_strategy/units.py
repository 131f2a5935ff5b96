"""Kinds of strength points, as data. Whatever a rule asks about points it asks of their kind."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

#: Where points fire: in an assault over land, in one into mountains, as they land, in defence of their place.
Fire = Literal["assault", "mountains", "landing", "defence"]
FIRES: tuple[Fire, ...] = ("assault", "mountains", "landing", "defence")


class UnitKind(msgspec.Struct, frozen=True):
    """What the rules ask about strength points of one kind.

    Those `on_the_ground` count for stacking and against an advance (HW-7.1, HW-9.3), those that advance for the row of
    the Advance Table (HW-9.2). Where no order says otherwise the points with the lowest number are lost first; those
    without a number are never lost so.
    """

    letter: str
    word: str
    fires_in: tuple[Fire, ...] = ()
    on_the_ground: bool = True
    advances: bool = False
    lands: bool = False  # makes a landing possible, and brings others ashore (HW-13.2, HW-13.15)
    lost_attacking: int | None = None
    lost_defending: int | None = None


#: In the order of the record sheet (HW-1.2). Losses fall on tac air only when nothing else is left (HW-25.11).
UNITS = {
    "inf": UnitKind("I", "infantry", ("assault", "mountains", "defence"), lost_attacking=1, lost_defending=1),
    "mech": UnitKind("M", "mechanized", ("assault", "defence"), advances=True, lost_attacking=3, lost_defending=5),
    "tac": UnitKind(
        "T", "tac air", ("assault", "mountains", "defence"), on_the_ground=False, lost_attacking=5, lost_defending=6
    ),
    "para": UnitKind("P", "paratroop", ("assault", "mountains", "defence"), lost_attacking=2, lost_defending=2),
    "amph": UnitKind("A", "amphibious", ("landing",), lands=True, lost_attacking=4, lost_defending=3),
    "fort": UnitKind("F", "fort", ("defence",), lost_defending=4),
}


class Units(Mapping[str, UnitKind]):
    """The kinds of points there are in one war, in the order of the record sheet, and which of them a rule is about."""

    def __init__(self, kinds: Mapping[str, UnitKind]) -> None:
        self._kinds = dict(kinds)
        self.on_the_ground = tuple(name for name, kind in kinds.items() if kind.on_the_ground)
        self.advancing = tuple(name for name, kind in kinds.items() if kind.advances)
        self.landing = tuple(name for name, kind in kinds.items() if kind.lands)
        self.firing = {fire: tuple(name for name, kind in kinds.items() if fire in kind.fires_in) for fire in FIRES}
        self.lost_attacking = _lost_first({name: kind.lost_attacking for name, kind in kinds.items()})
        self.lost_defending = _lost_first({name: kind.lost_defending for name, kind in kinds.items()})
        #: What leaves an overfull hex: tac air does not fill it.
        self.culled = tuple(name for name in self.lost_attacking if kinds[name].on_the_ground)

    def word_of(self, name: str) -> str:
        """What points are called in a reply, also those of another war."""
        return self._kinds[name].word if name in self._kinds else name

    def with_letter(self, letter: str) -> str:
        """The kind that orders write with this letter; empty if this war has none."""
        return next((name for name, kind in self._kinds.items() if kind.letter == letter), "")

    def __getitem__(self, name: str) -> UnitKind:
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


def units_of(*names: str) -> Units:
    """Of the kinds that the family of games has in common."""
    return Units({name: kind for name, kind in UNITS.items() if name in names})


def _lost_first(ranks: Mapping[str, int | None]) -> tuple[str, ...]:
    ranked = {name: rank for name, rank in ranks.items() if rank is not None}
    return tuple(sorted(ranked, key=ranked.__getitem__))
