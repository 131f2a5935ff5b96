"""What an enemy army or fort may be, going by what a side sees of it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import msgspec

from engine.forecast import Assumption
from engine.grand_strategy.containers import BANDS
from engine.grand_strategy.tables import Tables
from engine.grand_strategy.view import ArmyView, FortView, View

#: The strongest army that need be thought of: twice the limit, since no theatre shoots ten points away.
MOST_MASSED = 20
#: Where conditions leave no other way, every combination of strengths is tried, if there are no more than these.
MOST_CASES = 24

DEFAULTS = Assumption("defenders fire at once, and lose and retreat by the default rules")

Strengths = Mapping[str, int]  # by army or fort, for those that are not known exactly


class Unknown(msgspec.Struct, frozen=True):
    """A hex with armies that are not known exactly. Only their sum decides: together they fire, lose and hold.

    A fort, which also absorbs, is an unknown by itself.
    """

    place: str
    armies: tuple[tuple[str, int, int], ...]  # id, least and most strength

    @property
    def least(self) -> int:
        return sum(least for _, least, _ in self.armies)

    @property
    def most(self) -> int:
        return sum(most for _, _, most in self.armies)

    def with_sum(self, total: int) -> dict[str, int]:
        """One way to share a sum among the armies."""
        shares, extra = {}, total - self.least
        for army, least, most in self.armies:
            more = min(extra, most - least)
            shares[army], extra = least + more, extra - more
        return shares


def strengths_of(army: ArmyView, limit: int) -> tuple[int, int]:
    """The least and the most an army of which the points are not known may have."""
    if army.strength is not None:
        return army.strength, army.strength
    if army.band == "massed":
        return BANDS[-1][0] + 1, MOST_MASSED
    return _strengths_in(army.band, limit)


def strengths_of_fort(fort: FortView, limit: int) -> tuple[int, int]:
    """The least and the most a fort may have; points under construction count for nothing (HW-14.3)."""
    if fort.strength is not None:
        return fort.strength, fort.strength
    return (0, 0) if fort.band == "unfinished" else _strengths_in(fort.band, limit)


def _strengths_in(band: str, limit: int) -> tuple[int, int]:
    least = 1
    for most, name in BANDS:
        if name == band:
            return least, most
        least = most + 1
    return 1, limit


def fort_at(place: str) -> str:
    """What the fort of a place is called among the strengths; numbers are given out by each side."""
    return f"FORT {place}"


def unknowns(view: View, tables: Tables, places: frozenset[str]) -> list[Unknown]:
    """The hexes among these with armies or forts that may be stronger or weaker than they seem."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    for army in view.armies.values():
        if army.place in places and army.points is None:
            found.setdefault(army.place, []).append((army.id, *strengths_of(army, tables.stacking_limit)))
    armies = [Unknown(place, tuple(found[place])) for place in sorted(found)]
    return armies + [
        Unknown(place, ((fort_at(place), *strengths_of_fort(fort, tables.stacking_limit)),))
        for place, fort in sorted(view.forts.items())
        if place in places and fort.strength is None
    ]


def cases(hidden: Sequence[Unknown], at_risk: Mapping[str, int], *, by_the_ends: bool) -> list[Strengths]:
    """The strengths to try, so that the lowest and the highest of all results are among theirs; the ends come first.

    `by_the_ends`: every chance falls as the enemy grows, and so do his losses once he has more points than can be
    shot away there at all (`at_risk`). Up to there each strength is tried, beyond it the ends are enough.
    """
    if not by_the_ends:
        every = [range(one.least, one.most + 1) for one in hidden]
        combinations = list(product(*every)) if _count(every) <= MOST_CASES else []
        if combinations:
            ends = [combinations[0], combinations[-1]]
            return [_together(hidden, sums) for sums in dict.fromkeys(ends + combinations)]
    least, most = [one.least for one in hidden], [one.most for one in hidden]
    between = [
        [*least[:number], total, *least[number + 1 :]]
        for number, one in enumerate(hidden)
        for total in range(one.least + 1, min(one.most, at_risk.get(one.place, 0) + 1))
    ]
    chosen = dict.fromkeys(map(tuple, (least, most, *between)))
    return [_together(hidden, sums) for sums in chosen]


def _count(ranges: Sequence[range]) -> int:
    count = 1
    for each in ranges:
        count *= len(each)
    return count


def _together(hidden: Sequence[Unknown], sums: Sequence[int]) -> Strengths:
    return {army: count for one, total in zip(hidden, sums, strict=True) for army, count in one.with_sum(total).items()}


# ------------------------------------------------------------------ what is assumed


def assumed_about(view: View, tables: Tables, place: str) -> Iterator[Assumption]:
    """What had to be assumed about a hex, in words."""
    known = view.places.get(place)
    armies = [army for army in view.armies.values() if army.place == place and army.side != view.side]
    if known is not None and not known.in_sight:
        yield Assumption("hexes out of sight are as last seen", f"{place} ({tables.date_of(known.seen)})")
    for army in armies:
        if army.points is None:
            yield _assumed_strength(army, tables)
    fort = view.forts.get(place)
    if fort is not None and fort.side != view.side and fort.strength is None:
        least, most = strengths_of_fort(fort, tables.stacking_limit)
        size = f"{least} to {most}" if least < most else str(least)
        yield Assumption("forts may be as strong as they look", f"{place} {size}")
    if armies or (fort is not None and fort.side != view.side):
        yield DEFAULTS


def _assumed_strength(army: ArmyView, tables: Tables) -> Assumption:
    least, most = strengths_of(army, tables.stacking_limit)
    if army.fought is not None:
        then = tables.date_of(army.fought)
        return Assumption("armies are as strong as in their last battle", f"{army.id} {least} ({then})")
    size = f"{least} or more" if army.band == "massed" else f"{least} to {most}"
    return Assumption("armies may be as strong as they look", f"{army.id} {size}")
