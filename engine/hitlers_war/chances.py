"""Following a theatre through all its dice: how many of them lead where."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

from engine.hitlers_war.rehearsal import FACES, Horizon, Key, Operation, Position, Rehearsal, Result

#: No theatre is followed further than through so many results.
MOST_RESULTS = 1_500

Spread = tuple[Fraction, ...]


class TooManyResults(Exception):
    """The lines of a theatre meet in too many ways."""


class Tally:
    """What one operation comes to, counted in dice out of `all`."""

    def __init__(self, operation: Operation, of_all: int) -> None:
        self.operation, self.all = operation, of_all
        self.lost: dict[str, Counter[int]] = defaultdict(Counter)  # dice by points, for each army
        self.enemy_lost: Counter[int] = Counter()
        self.entered: Counter[str] = Counter()
        self.captured = 0

    def count(self, result: Result, dice: int) -> None:
        enemy = 0
        for army, points in result.lost.items():
            if army in self.operation.armies:
                self.lost[army][points] += dice
            else:
                enemy += points
        if enemy:
            self.enemy_lost[enemy] += dice
        if result.place:
            self.entered[result.place] += dice
            self.captured += dice if result.captured else 0

    def chance(self, dice: int) -> Fraction:
        return Fraction(dice, self.all)

    def spread(self, losses: Counter[int]) -> Spread:
        """The chances to lose 0, 1, 2 points and so on."""
        some = [losses[points] for points in range(1, max(losses, default=0) + 1)]
        return tuple(self.chance(dice) for dice in (self.all - sum(some), *some))


class Followed:
    """One theatre's operations, with the results that were found so far; positions that recur are played once."""

    def __init__(self, rehearsal: Rehearsal, pieces: Sequence[Operation], horizons: Sequence[Horizon]) -> None:
        self.rehearsal, self.pieces, self.horizons = rehearsal, pieces, horizons
        self._found: list[dict[Key, list[Result]]] = [{} for _ in pieces]
        self._count = 0

    def follow(self, start: Position) -> list[Tally]:
        """What each operation comes to when the theatre is played from this position."""
        positions, dice = {start.key: start}, {start.key: 1}
        tallies, of_all = [], 1
        for number, piece in enumerate(self.pieces):
            of_all *= len(FACES)
            tally = Tally(piece, of_all)
            reached: dict[Key, Position] = {}
            weight: dict[Key, int] = defaultdict(int)
            for key, position in positions.items():
                for result in self._results(number, key, position):
                    reached[result.key] = result.position
                    weight[result.key] += dice[key] * result.dice
                    tally.count(result, dice[key] * result.dice)
            positions, dice = reached, weight
            tallies.append(tally)
        return tallies

    def _results(self, number: int, key: Key, position: Position) -> list[Result]:
        found = self._found[number]
        if key not in found:
            found[key] = self.rehearsal.results(self.pieces[number], position, self.horizons[number])
            self._count += len(found[key])
            if self._count > MOST_RESULTS:
                raise TooManyResults
        return found[key]
