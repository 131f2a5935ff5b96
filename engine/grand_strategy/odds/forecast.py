"""The odds of a sheet, worked out exactly from what its side knows.

The attacks and landings are rehearsed on the position as known, with the rules that will carry them out and every
result of every die. What is not known is spanned: an army or a fort of which only a band is seen may have any strength
of that band.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from engine.forecast import Assumption, mean, spanning
from engine.grand_strategy.conditions import assault_strength
from engine.grand_strategy.hearing import hear_sheets
from engine.grand_strategy.known import open_player_turn, war_as_known
from engine.grand_strategy.odds.chances import Followed, Spread, Tally, TooManyResults
from engine.grand_strategy.odds.enemies import Strengths, assumed_about, cases, fort_at, unknowns
from engine.grand_strategy.odds.odds import Odds, Part
from engine.grand_strategy.odds.operations import before_everything, horizons, operations
from engine.grand_strategy.odds.outlook import Outlook
from engine.grand_strategy.odds.rehearsal import Facts, Operation, Position, Rehearsal, facts_of
from engine.grand_strategy.odds.theatre import (
    RETURN,
    Theatre,
    army_by_army,
    hex_by_hex,
    places_of,
    prefers_the_weak,
    theatres,
    tries_to_enter,
    whole_front,
)
from engine.grand_strategy.orders import Attack, Exploit, Invade
from engine.grand_strategy.politics.nations import nation_at
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.combat import tests_to_fire
from engine.grand_strategy.rules.exploitation import steps_of
from engine.grand_strategy.sea.naval_fire import has_coastal_air, is_supported, passages, support_strength
from engine.grand_strategy.state import Army
from engine.grand_strategy.view import View
from engine.grand_strategy.war import MOST_FIREPOWER, War
from engine.orders import Line, Sheet

#: More attacks than this on several hexes are not even tried to be followed together.
MOST_TOGETHER = 3

#: What fires at an army before it is ashore, in its order (HW-13.6).
FIRES_AT_SEA = {"naval": "naval fire", "air": "coastal air", "shore": "defence of the hex"}

NOT_COUNTED = Assumption("what other attacks drive back into a hex is not counted there")
NAVY = Assumption(
    "the enemy's navy fires at every hexside of open sea where it may, at the army with the most amphibious points"
)
AIR = Assumption("coastal air strikes the invader with the most amphibious points")
THE_ENDS = Assumption("what enemies lose is not told where they may have too many strengths to try")
FIGHTS_ON = Assumption("a country that loses its capital is taken to fight on until the combat is over")
HEX_BY_HEX = Assumption("lines that meet in too many ways are reckoned hex by hex, as if the others did nothing")
TOO_MUCH = Assumption("what can come in too many ways is left blank, in line")
ARMY_BY_ARMY = Assumption("of the attackers of one hex only one is taken to go on")


def forecast_sheet(view: View, sheet: Sheet, setting: Setting) -> list[Odds]:
    """For each attack, each landing and each step of an exploitation what it may come to, in the order of the lines."""
    if view.side != view.phasing or view.gate is None or view.step == "production" or sheet.refused:
        return []
    war = war_as_known(view, sheet, setting)
    hear_sheets(war, {war.phasing: sheet})
    if view.step == "player-turn":
        open_player_turn(war)
    front = whole_front(war)
    forecaster = _Forecaster(view, war, front)
    odds = [each for theatre in theatres(war, front) for each in forecaster.odds_of(theatre)]
    return sorted(odds, key=lambda each: (each.line, each.step))


class _Forecaster:
    """One sheet being reckoned."""

    def __init__(self, view: View, war: War, front: Theatre) -> None:
        self.view, self.war, self.front = view, war, front
        self.armies = dict(war.state.armies)
        self.start = Position((), tuple(sorted(war.state.taken)), tuple(sorted(war.state.ungarrisoned)))
        self.rehearsal = Rehearsal(war)
        self.may_have_fallen = _places_that_may_have_fallen(war, front)
        late = (line for line in front.lines if self.may_have_fallen.intersection(places_of(war, line)))
        self.come_late = {line.order.army for line in late}  # what they do after that hangs on it, too

    def odds_of(self, theatre: Theatre) -> list[Odds]:
        """All lines of a theatre together; if that is too much, hex by hex."""
        if len(theatre.targets) == 1 or len(theatre.initial) <= MOST_TOGETHER:
            try:
                return self._odds_of(theatre)
            except TooManyResults:
                pass
        parts = hex_by_hex(theatre)
        if len(parts) == 1:
            return self._odds_by_army(theatre)
        return [each for part in parts for each in self._odds_of_hex(part)]

    def _odds_of_hex(self, part: Theatre) -> list[Odds]:
        try:
            return self._odds_of(part, HEX_BY_HEX)
        except TooManyResults:
            return self._odds_by_army(part, HEX_BY_HEX)

    def _odds_by_army(self, part: Theatre, *assumptions: Assumption) -> list[Odds]:
        """The attacks without what follows them, and the exploitations one by one; what is too much is left blank."""
        found: list[Odds] = []
        alone = len(part.exploits) == 1
        for each in (replace(part, exploits=()), *army_by_army(part)):
            said = assumptions if alone or not each.exploits else (*assumptions, ARMY_BY_ARMY)
            try:
                found += self._odds_of_steps(each, *said) if each.exploits else self._odds_of(each, *said)
            except TooManyResults:
                found += _blank_rows(each)
        return found

    def _odds_of(self, theatre: Theatre, *assumptions: Assumption) -> list[Odds]:
        at_risk = {target: self._most_hits(theatre, target) for target in theatre.targets}
        outlook, is_complete = self._look(theatre, at_risk)
        steps = [row for line in theatre.exploits for row in self._steps(outlook, line)]
        if not is_complete and steps:  # the attacks by themselves are sooner done
            attacks = self._odds_of(replace(theatre, exploits=()), *assumptions)
            return attacks + self._told(theatre, steps, assumptions)
        rows = [self._landing(theatre, outlook, line) for line in theatre.landings]
        rows += [self._attack(theatre, outlook, line) for line in theatre.attacks]
        if not is_complete:
            rows = [_without_inflicted(row) for row in rows]
            assumptions = (*assumptions, THE_ENDS)
        return self._told(theatre, rows + steps, assumptions)

    def _odds_of_steps(self, theatre: Theatre, *assumptions: Assumption) -> list[Odds]:
        """The exploitations only."""
        outlook, _ = self._look(theatre, {})
        return self._told(
            theatre, [row for line in theatre.exploits for row in self._steps(outlook, line)], assumptions
        )

    def _look(self, theatre: Theatre, at_risk: Mapping[str, int]) -> tuple[Outlook, bool]:
        """What comes of every strength the enemy may have.

        If that is too much, of the least and the most, between which all lies but the enemy's losses; and whether.
        """
        pieces = operations(self.war, theatre)
        followed = Followed(self.rehearsal, pieces, horizons(self.war, pieces))
        outcomes: list[list[Tally]] = []
        for start in self._starts(theatre, pieces, at_risk):
            try:
                outcomes.append(followed.follow(start))
            except TooManyResults:
                if len(outcomes) < 2 or not prefers_the_weak(theatre):
                    raise
                return Outlook(outcomes), False
        return Outlook(outcomes), True

    # -------------------------------------------------------------- where it starts

    def _starts(self, theatre: Theatre, pieces: Sequence[Operation], at_risk: Mapping[str, int]) -> list[Position]:
        """The position as known, once for each strength that the enemies in it may have."""
        horizon = before_everything(self.war, pieces)
        hidden = unknowns(self.view, self.war.tables, horizon.places)
        return [
            self.rehearsal.one(
                replace(
                    self.start,
                    armies=self._armies(horizon.armies, horizon.places, strengths),
                    others=self._others(horizon.places, strengths),
                )
            )
            for strengths in cases(hidden, at_risk, by_the_ends=prefers_the_weak(theatre))
        ]

    def _armies(self, own: frozenset[str], places: frozenset[str], strengths: Strengths) -> tuple[Army, ...]:
        return tuple(
            self.rehearsal.known(replace(army, inf=strengths.get(army.id, army.inf)))
            for army in self.armies.values()
            if army.id in own or army.place in places
        )

    def _others(self, places: frozenset[str], strengths: Strengths) -> tuple[Facts, ...]:
        """Forts as strong as they may be, and what else stands there as it is known."""
        state = self.war.state
        forts = [
            replace(fort, strength=strengths.get(fort_at(place), fort.strength))
            for place, fort in state.forts.items()
            if place in places
        ]
        return facts_of([*forts, *(group for group in state.groups.values() if group.place in places)])

    def _most_hits(self, theatre: Theatre, target: str) -> int:
        """The most points that can be shot away in the attack on a hex."""
        fires = [self._strength(group) for group in _groups(self.armies, theatre, target)]
        if self._is_supported(theatre, target):
            fires.append(support_strength(self.war))
        return sum(self.war.tables.firepower(strength, 1) for strength in fires)

    def _is_supported(self, theatre: Theatre, target: str) -> bool:
        return any(line.order.hex == target for line in theatre.landings) and is_supported(self.war, target)

    def _strength(self, group: Sequence[Line]) -> int:
        """What armies that fire together fire with (HW-8.11)."""
        points = [assault_strength(self.war, self.armies[line.order.army], line.order.hex) for line in group]
        return min(MOST_FIREPOWER, sum(points))

    # -------------------------------------------------------------- rows

    def _landing(self, theatre: Theatre, outlook: Outlook, line: Line) -> Odds:
        order: Invade = line.order
        odds = Odds(line.number, order.army, order.hex, success=outlook.entered(line, order.hex))
        odds = self._passage(outlook, odds)
        if self.war.owner(order.hex) != self.war.phasing:
            odds = self._battle(theatre, outlook, line, odds)
        if self._is_supported(theatre, order.hex) and line is _first_against(theatre.landings, order.hex):
            inflicted = spanning(outlook.lost_to_support(order.hex))
            support = Part("support fire", support_strength(self.war), inflicted=inflicted)
            odds = replace(odds, parts=(support, *odds.parts))
        return odds

    def _passage(self, outlook: Outlook, odds: Odds) -> Odds:
        """What an army suffers at sea and before the shore: from each kind of fire, and from all together."""
        parts, total = [], [Fraction(0)] * len(outlook.outcomes)
        for kind, name in FIRES_AT_SEA.items():
            shots, lost = outlook.lost_at_sea(odds.who, kind)
            if any(lost):
                parts.append(Part(name if shots == 1 else f"{name}, {shots} shots", suffered=spanning(lost)))
                total = [so_far + more for so_far, more in zip(total, lost, strict=True)]
        return replace(odds, suffered=spanning(total), parts=tuple(parts))

    def _attack(self, theatre: Theatre, outlook: Outlook, line: Line) -> Odds:
        order: Attack = line.order
        odds = Odds(line.number, order.army, order.hex)
        if self.war.owner(order.hex) != self.war.phasing:
            suffered = outlook.own_losses(order.hex, order.army)
            odds = replace(
                odds,
                suffered=spanning([mean(spread) for spread in suffered]),
                suffered_spread=_if_known(suffered),
            )
            odds = self._battle(theatre, outlook, line, odds)
        if order.advance is not None:
            odds = replace(odds, success=outlook.entered(line, order.hex))
        return odds

    def _battle(self, theatre: Theatre, outlook: Outlook, line: Line, odds: Odds) -> Odds:
        """What a line inflicts with its assault, and what comes of the hex."""
        order: Attack | Invade = line.order
        odds = replace(odds, taken=outlook.taken(order.hex))
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

    def _steps(self, outlook: Outlook, line: Line) -> Iterator[Odds]:
        order: Exploit = line.order
        for number, named in enumerate(_named_in(order)):
            for where in named:
                success = (
                    outlook.returned(line, number, named) if where == RETURN else outlook.entered(line, where, number)
                )
                yield Odds(line.number, order.army, where, number + 1, success=success)

    # -------------------------------------------------------------- assumptions

    def _told(self, theatre: Theatre, rows: Sequence[Odds], assumptions: Sequence[Assumption]) -> list[Odds]:
        return [self._with_assumptions(theatre, row, assumptions) for row in rows]

    def _with_assumptions(self, theatre: Theatre, odds: Odds, assumptions: Sequence[Assumption]) -> Odds:
        said = [*assumed_about(self.view, self.war.tables, odds.where), *self._not_counted(theatre, odds.where)]
        if odds.where in self.may_have_fallen or (odds.step and odds.who in self.come_late):
            said.append(FIGHTS_ON)
        return replace(odds, assumes=(*said, *self._about_the_sea(theatre, odds), *assumptions))

    def _about_the_sea(self, theatre: Theatre, odds: Odds) -> Iterator[Assumption]:
        """What decides whom the enemy fires at on the way; his orders about it are his secret (D-26, D-27)."""
        landings = [line for line in theatre.landings if line.order.hex == odds.where]
        if not any(line.number == odds.line for line in landings):
            return
        if any(odds.who in passage.armies for passage in passages(self.war)):
            yield NAVY
        if len(landings) > 1 and has_coastal_air(self.war, odds.where):
            yield AIR

    def _not_counted(self, theatre: Theatre, place: str) -> Iterator[Assumption]:
        """Armies that another attack may drive into this hex before its turn comes."""
        if place not in self.war.board or self.war.owner(place) == self.war.phasing:
            return
        for line in self.front.initial:
            target = line.order.hex
            near = place in self.war.board.for_retreat[target]
            if target not in theatre.targets and near and tries_to_enter(line) and self._held(target):
                yield NOT_COUNTED
                return

    def _held(self, place: str) -> bool:
        return any(army.place == place and army.side != self.war.phasing for army in self.armies.values())


def _places_that_may_have_fallen(war: War, front: Theatre) -> set[str]:
    """Where somebody may come when the country has given up with its capital (HW-21.7), or when the war is over."""
    entered = {place for line in front.lines for place in places_of(war, line) if war.owner(place) != war.phasing}
    if war.rules.would_end(war, entered):
        return {*entered, RETURN} if len(front.lines) > 1 else set()
    falling = {nation_at(war.board, place) for place in entered if war.rules.falls_with(war, place)}
    by_nation = Counter(nation_at(war.board, place) for place in entered)
    return {place for place in entered if (nation := nation_at(war.board, place)) in falling and by_nation[nation] > 1}


def _named_in(order: Exploit) -> list[tuple[str, ...]]:
    """The places of a path, step by step; a branch names several."""
    return [tuple(dict.fromkeys(step.hex for step in steps_of(entry))) for entry in order.path]


def _blank_rows(theatre: Theatre) -> Iterator[Odds]:
    """The rows of what nobody can follow: of the exploitations if there are any, else of the attacks."""
    for line in theatre.exploits or theatre.initial:
        order, blank = (
            line.order,
            Odds(line.number, line.order.army, "", assumes=(replace(TOO_MUCH, of=f"{line.number}"),)),
        )
        if isinstance(order, Exploit):
            steps = [(number, where) for number, named in enumerate(_named_in(order), 1) for where in named]
            yield from [replace(blank, where=where, step=number) for number, where in steps]
        else:
            yield replace(blank, where=order.hex)


def _groups(armies: Mapping[str, Army], theatre: Theatre, target: str) -> list[list[Line]]:
    """The lines that fire at a hex, those from one hex together, but from the sea apart (HW-8.11, HW-13.4)."""
    groups: dict[tuple[str, bool], list[Line]] = {}
    for line in theatre.initial:
        if line.order.hex == target and tests_to_fire(line.order) is not None:
            army = armies[line.order.army]
            groups.setdefault((army.place, army.invading), []).append(line)
    return list(groups.values())


def _first_against(lines: Sequence[Line], target: str) -> Line:
    return next(line for line in lines if line.order.hex == target)


def _without_inflicted(row: Odds) -> Odds:
    parts = tuple(replace(part, inflicted=None) for part in row.parts)
    return replace(row, inflicted=None, inflicted_spread=(), parts=parts)


def _if_known(spreads: Sequence[Spread]) -> Spread:
    return spreads[0] if len(spreads) == 1 else ()
