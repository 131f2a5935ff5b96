"""What a theatre may come to, as rows of odds ask for it."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest

from engine.forecast import Span, mean, spanning
from engine.grand_strategy.odds.chances import Spread, Tally
from engine.grand_strategy.odds.rehearsal import Operation
from engine.orders import Line


class Outlook:
    """What a theatre may come to, once for each strength its enemies may have."""

    def __init__(self, outcomes: Sequence[Sequence[Tally]]) -> None:
        self.outcomes = outcomes

    def own_losses(self, target: str, army: str) -> list[Spread]:
        """An army's losses to the defensive assault from its target."""
        fires = self._each(lambda piece: piece.kind == "defence" and target in piece.places)
        return [tally.spread(tally.lost[army]) for (tally,) in fires]

    def lost_at_sea(self, army: str, kind: str) -> tuple[int, list[Fraction]]:
        """How many fires of a kind may meet an army before it is ashore, and what it loses to all on average."""
        fires = self._each(lambda piece: piece.kind == kind and army in piece.armies)
        return len(fires[0]), [_average(tally.spread(tally.lost[army]) for tally in each) for each in fires]

    def lost_to_support(self, target: str) -> list[Fraction]:
        """What the navy's support costs the defenders of an invaded hex on average."""
        fires = self._each(lambda piece: piece.kind == "support" and target in piece.places)
        return [_average(tally.spread(tally.enemy_lost) for tally in each) for each in fires]

    def enemy_losses(self, group: Sequence[Line]) -> list[Spread]:
        """What the one roll of armies that fire together costs the enemy; it is made in the turn of one of them."""
        return list(map(_one_of, self._each(lambda piece: piece.kind == "assault" and piece.line in group)))

    def taken(self, target: str) -> Span:
        advances = self._each(lambda piece: piece.kind == "advance" and target in piece.places)
        return spanning([sum((each.chance(each.captured) for each in tried), Fraction(0)) for tried in advances])

    def entered(self, line: Line, place: str, entry: int = 0) -> Span:
        return spanning([tally.chance(tally.entered[place]) for tally in self._advances(line, entry)])

    def returned(self, line: Line, entry: int, named: Sequence[str]) -> Span:
        """The chance to get back, wherever that is."""
        found = self._advances(line, entry)
        back = [sum(dice for place, dice in tally.entered.items() if place not in named) for tally in found]
        return spanning([tally.chance(dice) for tally, dice in zip(found, back, strict=True)])

    def _advances(self, line: Line, entry: int) -> list[Tally]:
        found = self._each(lambda piece: piece.displaces and piece.line is line and piece.entry == entry)
        return [tally for (tally,) in found]

    def _each(self, wanted: Callable[[Operation], bool]) -> list[list[Tally]]:
        return [[tally for tally in tallies if wanted(tally.operation)] for tallies in self.outcomes]


def _average(spreads: Iterable[Spread]) -> Fraction:
    """The average of a sum is the sum of the averages, whatever the parts have to do with each other."""
    return sum(map(mean, spreads), Fraction(0))


def _one_of(tallies: Sequence[Tally]) -> Spread:
    """The losses from several rolls of which only one can be made."""
    spreads = [tally.spread(tally.enemy_lost)[1:] for tally in tallies]
    some = [sum(chances, Fraction(0)) for chances in zip_longest(*spreads, fillvalue=Fraction(0))]
    return (1 - sum(some, Fraction(0)), *some)
