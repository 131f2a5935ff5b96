"""Following a theatre through all its dice: how many of them lead where."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from engine.grand_strategy.odds.rehearsal import (
    FACES,
    NOTHING,
    Horizon,
    Operation,
    Position,
    Rehearsal,
    Result,
    place_and_name,
)
from engine.grand_strategy.state import Army

#: No theatre is followed further than through so many results.
MOST_RESULTS = 600

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
    """One theatre's operations, with the results that were found so far: what has been played is not played again."""

    def __init__(self, rehearsal: Rehearsal, pieces: Sequence[Operation], horizons: Sequence[Horizon]) -> None:
        self.rehearsal, self.pieces, self.horizons = rehearsal, pieces, horizons
        self._found: list[dict[int, list[Result]]] = [{} for _ in pieces]  # by the position's identity
        self._played: list[dict[int, list[Result]]] = [{} for _ in pieces]
        self._count = 0

    def follow(self, start: Position) -> list[Tally]:
        """What each operation comes to when the theatre is played from this position."""
        positions, dice = [start], {id(start): 1}
        tallies, of_all = [], 1
        for number, piece in enumerate(self.pieces):
            of_all *= len(FACES)
            tally, reached, weight = Tally(piece, of_all), list[Position](), dict[int, int]()
            for position in positions:
                for result in self._results(number, position):
                    count = dice[id(position)] * result.dice
                    tally.count(result, count)
                    after = id(result.position)
                    if after not in weight:
                        reached.append(result.position)
                    weight[after] = weight.get(after, 0) + count
            positions, dice = reached, weight
            tallies.append(tally)
        return tallies

    def _results(self, number: int, position: Position) -> list[Result]:
        found = self._found[number]
        if id(position) not in found:
            found[id(position)] = results = self._find(number, position)
            self._count += len(results)
            if self._count > MOST_RESULTS:
                raise TooManyResults
        return found[id(position)]

    def _find(self, number: int, position: Position) -> list[Result]:
        piece, horizon = self.pieces[number], self.horizons[number]
        if piece.is_idle(position):
            return [Result(len(FACES), self.rehearsal.forget(position, horizon))]
        if not piece.is_local(horizon):
            return self.rehearsal.results(piece, position, horizon)
        near, far = _apart(piece, position, horizon)
        near, played = near if far == NOTHING else self.rehearsal.one(near), self._played[number]
        if id(near) not in played:
            played[id(near)] = self.rehearsal.results(piece, near, horizon)
        if far == NOTHING:
            return played[id(near)]
        rest = self.rehearsal.forget(far, horizon)
        return [
            msgspec.structs.replace(result, position=self._joined(result.position, rest)) for result in played[id(near)]
        ]

    def _joined(self, near: Position, far: Position) -> Position:
        rank = self.rehearsal.rank
        joined = msgspec.structs.replace(
            near,
            armies=tuple(sorted(near.armies + far.armies, key=lambda army: rank[army.id])),
            captured=tuple(sorted(near.captured + far.captured)),
            ungarrisoned=tuple(sorted(near.ungarrisoned + far.ungarrisoned)),
            others=tuple(sorted(near.others + far.others, key=place_and_name)),
        )
        return self.rehearsal.one(joined)


def _apart(piece: Operation, position: Position, horizon: Horizon) -> tuple[Position, Position]:
    """What an operation touches, and the rest. Where a retreat goes depends on everything captured."""
    near: list[Army] = []
    far: list[Army] = []
    places = horizon.refuges.union(piece.places)
    for army in position.armies:
        touched = army.id in piece.armies or army.place in places or army.id == position.exploiting
        (near if touched else far).append(army)
    captured, ungarrisoned = position.captured, position.ungarrisoned
    if not horizon.refuges:
        captured = tuple([place for place in captured if place in piece.places])
    ungarrisoned = tuple([place for place in ungarrisoned if place in piece.places])
    others = tuple([facts for facts in position.others if facts[0] in places])
    rest = Position(
        tuple(far),
        tuple([place for place in position.captured if place not in captured]),
        tuple([place for place in position.ungarrisoned if place not in ungarrisoned]),
        others=tuple([facts for facts in position.others if facts not in others]),
    )
    if rest == NOTHING:
        return position, rest
    here = msgspec.structs.replace(
        position, armies=tuple(near), captured=captured, ungarrisoned=ungarrisoned, others=others
    )
    return here, rest
