"""The odds of a sheet, worked out exactly from what its side knows.

The attacks are rehearsed on the position as known, with the rules that will carry them out and every result of every
die. What is not known is spanned: an army of which only a band is seen may have any strength of that band.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest

from msgspec.structs import replace

from engine.hitlers_war.board import Board
from engine.hitlers_war.chances import Followed, Spread, Tally, TooManyResults
from engine.hitlers_war.conditions import assault_strength
from engine.hitlers_war.enemies import Strengths, assumed_about, cases, unknowns
from engine.hitlers_war.hearing import hear_sheets
from engine.hitlers_war.known import open_player_turn, war_as_known
from engine.hitlers_war.language import read_line
from engine.hitlers_war.orders import Attack, CombatOrder, Exploit, Losses, ProductionOrder, StandingOrder
from engine.hitlers_war.reading import vocabulary_of
from engine.hitlers_war.rehearsal import Operation, Position, Rehearsal, facts_of_forts
from engine.hitlers_war.scenario import ScenarioData
from engine.hitlers_war.state import Army, Kept
from engine.hitlers_war.tables import Tables
from engine.hitlers_war.theatre import (
    RETURN,
    Theatre,
    army_by_army,
    before_everything,
    hex_by_hex,
    horizons,
    operations,
    prefers_the_weak,
    theatres,
    ways,
    whole_front,
)
from engine.hitlers_war.view import View
from engine.hitlers_war.war import MOST_FIREPOWER, War
from engine.odds import Assumption, Odds, Span, mean, spanning
from engine.orders import Line, Sheet

#: More attacks than this on several hexes are not even tried to be followed together.
MOST_TOGETHER = 3

NOT_COUNTED = Assumption("what other attacks drive back into a hex is not counted there")
NO_LANDINGS = Assumption("landings on the hex are not reckoned: it is taken to be as it is now")
HEX_BY_HEX = Assumption("lines that meet in too many ways are reckoned hex by hex, as if the others did nothing")
ARMY_BY_ARMY = Assumption("of the attackers of one hex only one is taken to go on")


def forecast_sheet(view: View, sheet: Sheet, board: Board, tables: Tables, scenario: ScenarioData) -> list[Odds]:
    """For each attack and each step of an exploitation what it may come to, in the order of the lines."""
    if view.side != view.phasing or view.gate is None or view.step == "production" or sheet.refused:
        return []
    war = war_as_known(view, sheet, board, tables, scenario)
    _hear(war, view, sheet)
    if view.step == "player-turn":
        open_player_turn(war)
    front = whole_front(war)
    forecaster = _Forecaster(view, war, front)
    odds = [each for theatre in theatres(war, front) for each in forecaster.odds_of(theatre)]
    return sorted(odds, key=lambda each: (each.line, each.step))


def _hear(war: War, view: View, sheet: Sheet) -> None:
    """Take the sheet up as the run will, with the side's standing orders and what it sent to an earlier gate."""
    side, kept = war.phasing, Kept()
    for text in view.standing.get(side, ()):
        order = read_line(text, vocabulary_of(view)).order
        kept.standing += [order] if isinstance(order, StandingOrder) else []
    for text in view.kept_for_later:
        order = read_line(text, vocabulary_of(view)).order
        kept.later += [order] if isinstance(order, CombatOrder | Losses | ProductionOrder) else []
    war.state.kept[side] = kept
    hear_sheets(war, {side: sheet})


class _Forecaster:
    """One sheet being reckoned."""

    def __init__(self, view: View, war: War, front: Theatre) -> None:
        self.view, self.war, self.front = view, war, front
        self.armies = dict(war.state.armies)
        self.start = Position((), tuple(sorted(war.state.taken)), tuple(sorted(war.state.ungarrisoned)))
        self.rehearsal = Rehearsal(war)

    def odds_of(self, theatre: Theatre) -> list[Odds]:
        """All lines of a theatre together; if that is too much, hex by hex, and then army by army."""
        try:
            if len(theatre.targets) > 1 and len(theatre.attacks) > MOST_TOGETHER:
                raise TooManyResults
            return self._odds_of(theatre)
        except TooManyResults:
            return [each for part in hex_by_hex(theatre) for each in self._odds_of_hex(part)]

    def _odds_of_hex(self, part: Theatre) -> list[Odds]:
        try:
            return self._odds_of(part, HEX_BY_HEX)
        except TooManyResults:
            told: dict[tuple[int, int, str], Odds] = {}
            for alone in army_by_army(part):
                for each in self._odds_of_army(alone):
                    told.setdefault((each.line, each.step, each.where), each)
            return list(told.values())

    def _odds_of_army(self, alone: Theatre) -> list[Odds]:
        """Where even this comes out in too many ways, the attacks without what follows them."""
        for each in (alone, replace(alone, exploits=())):
            try:
                return self._odds_of(each, HEX_BY_HEX, ARMY_BY_ARMY)
            except TooManyResults:
                continue
        return []

    def _odds_of(self, theatre: Theatre, *assumptions: Assumption) -> list[Odds]:
        pieces = operations(self.war, theatre)
        followed = Followed(self.rehearsal, pieces, horizons(self.war, pieces))
        outlook = _Outlook([followed.follow(start) for start in self._starts(theatre, pieces)])
        rows = [self._attack(theatre, outlook, line) for line in theatre.attacks]
        rows += [row for line in theatre.exploits for row in self._steps(outlook, line)]
        return [self._with_assumptions(theatre, row, assumptions) for row in rows]

    # -------------------------------------------------------------- where it starts

    def _starts(self, theatre: Theatre, pieces: Sequence[Operation]) -> list[Position]:
        """The position as known, once for each strength that the enemies in it may have."""
        horizon = before_everything(self.war, pieces)
        hidden = unknowns(self.view, self.war.tables, horizon.places)
        at_risk = {target: self._most_hits(theatre, target) for target in theatre.targets}
        forts = facts_of_forts(fort for fort in self.war.state.forts.values() if fort.place in horizon.places)
        start = replace(self.start, forts=forts)
        return [
            self.rehearsal.one(replace(start, armies=self._armies(horizon.armies, horizon.places, strengths)))
            for strengths in cases(hidden, at_risk, by_the_ends=prefers_the_weak(theatre))
        ]

    def _armies(self, own: frozenset[str], places: frozenset[str], strengths: Strengths) -> tuple[Army, ...]:
        return tuple(
            self.rehearsal.known(replace(army, inf=strengths.get(army.id, army.inf)))
            for army in self.armies.values()
            if army.id in own or army.place in places
        )

    def _most_hits(self, theatre: Theatre, target: str) -> int:
        """The most points that can be shot away in the attack on a hex."""
        return sum(
            self.war.tables.firepower(self._strength(group), 1) for group in _groups(self.armies, theatre, target)
        )

    def _strength(self, group: Sequence[Line]) -> int:
        """What armies that fire together fire with (HW-8.11)."""
        points = [assault_strength(self.war, self.armies[line.order.army], line.order.hex) for line in group]
        return min(MOST_FIREPOWER, sum(points))

    # -------------------------------------------------------------- rows

    def _attack(self, theatre: Theatre, outlook: "_Outlook", line: Line) -> Odds:
        order: Attack = line.order
        odds = Odds(line.number, order.army, order.hex)
        if self.war.owner(order.hex) != self.war.phasing:
            odds = self._battle(theatre, outlook, line, odds)
        if order.advance is not None:
            odds = replace(odds, success=outlook.entered(line, order.hex))
        return odds

    def _battle(self, theatre: Theatre, outlook: "_Outlook", line: Line, odds: Odds) -> Odds:
        order: Attack = line.order
        suffered = outlook.own_losses(order.hex, order.army)
        odds = replace(
            odds,
            suffered=spanning([mean(spread) for spread in suffered]),
            suffered_spread=_if_known(suffered),
            taken=outlook.taken(order.hex),
        )
        group = next((group for group in _groups(self.armies, theatre, order.hex) if line in group), None)
        if group is None or not self._strength(group):
            return odds
        inflicted = outlook.enemy_losses(group)
        return replace(
            odds,
            strength=self._strength(group),
            fires_with=tuple(other.order.army for other in group if other is not line),
            inflicted=spanning([mean(spread) for spread in inflicted]),
            inflicted_spread=_if_known(inflicted),
        )

    def _steps(self, outlook: "_Outlook", line: Line) -> Iterator[Odds]:
        order: Exploit = line.order
        for number, entry in enumerate(order.path):
            named = tuple(dict.fromkeys(step.hex for step in ways(entry)))
            for where in named:
                success = (
                    outlook.returned(line, number, named) if where == RETURN else outlook.entered(line, where, number)
                )
                yield Odds(line.number, order.army, where, number + 1, success=success)

    # -------------------------------------------------------------- assumptions

    def _with_assumptions(self, theatre: Theatre, odds: Odds, assumptions: Sequence[Assumption]) -> Odds:
        said = [*assumed_about(self.view, self.war.tables, odds.where), *self._not_counted(theatre, odds.where)]
        if any(army.invading and army.target == odds.where for army in self.armies.values()):
            said.append(NO_LANDINGS)
        return replace(odds, assumes=(*said, *assumptions))

    def _not_counted(self, theatre: Theatre, place: str) -> Iterator[Assumption]:
        """Armies that another attack may drive into this hex before its turn comes."""
        if place not in self.war.board or self.war.owner(place) == self.war.phasing:
            return
        for line in self.front.attacks:
            target = line.order.hex
            near = place in self.war.board.for_retreat[target]
            if target not in theatre.targets and near and line.order.advance is not None and self._held(target):
                yield NOT_COUNTED
                return

    def _held(self, place: str) -> bool:
        return any(army.place == place and army.side != self.war.phasing for army in self.armies.values())


def _groups(armies: Mapping[str, Army], theatre: Theatre, target: str) -> list[list[Line]]:
    """The lines that fire at a hex, those from one hex together (HW-8.11)."""
    groups: dict[str, list[Line]] = {}
    for line in theatre.attacks:
        if line.order.hex == target and line.order.assault is not None:
            groups.setdefault(armies[line.order.army].place, []).append(line)
    return list(groups.values())


def _if_known(spreads: Sequence[Spread]) -> Spread:
    return spreads[0] if len(spreads) == 1 else ()


class _Outlook:
    """What a theatre may come to, once for each strength its enemies may have."""

    def __init__(self, outcomes: Sequence[Sequence[Tally]]) -> None:
        self.outcomes = outcomes

    def own_losses(self, target: str, army: str) -> list[Spread]:
        """An army's losses to the defensive assault from its target."""
        fires = self._each(lambda piece: piece.kind == "defence" and target in piece.places)
        return [tally.spread(tally.lost[army]) for (tally,) in fires]

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


def _one_of(tallies: Sequence[Tally]) -> Spread:
    """The losses from several rolls of which only one can be made."""
    spreads = [tally.spread(tally.enemy_lost)[1:] for tally in tallies]
    some = [sum(chances, Fraction(0)) for chances in zip_longest(*spreads, fillvalue=Fraction(0))]
    return (1 - sum(some, Fraction(0)), *some)
