"""What a side will have to spend in the seasons to come if nothing on the board changes.

The war goes on without moves, attacks, surrenders or new orders: only the calendar does its work and points are
counted, by the very functions that the phases use. It is the war as a side knows it that goes on, so nothing can
leak; afterwards that copy is of no more use.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.events import Event
from engine.grand_strategy.events import CountryJoined, FortCompleted, PointsRepaired
from engine.grand_strategy.rules.deployment import is_deployment
from engine.grand_strategy.rules.production import Budget, open_production, spend
from engine.grand_strategy.turn import before_production, calendar
from engine.grand_strategy.victory import last_turn
from engine.grand_strategy.view import ChangeView, ProductionView, SeasonAhead
from engine.grand_strategy.war import War
from engine.orders import Line

#: The coming Production Phase, and the one after it.
SEASONS = 2


def seasons_ahead(
    war: War, counted: Mapping[str, Budget], ordered: Sequence[Line] = ()
) -> dict[str, tuple[SeasonAhead, ...]]:
    """The next Production Phases of the sides, of which each has counted what it would have now.

    `ordered` are production lines that the side on turn has on file for this player-turn.
    """
    if war.over:
        return {}
    on_turn = war.phasing
    ledgers = {side: _Ledger(war, side, budget) for side, budget in counted.items()}
    for turn, side in _player_turns(war):
        if all(ledger.is_full for ledger in ledgers.values()):
            break
        _begin(war, turn, side)
        if side in ledgers and not ledgers[side].is_full:
            ledgers[side].produce(ordered if side == on_turn and not ledgers[side].rows else ())
    return {side: tuple(ledger.rows) for side, ledger in ledgers.items()}


def _player_turns(war: War) -> Iterator[tuple[int, str]]:
    """The player-turns that are not over yet, the present one first."""
    state, sides = war.state, war.scenario.sides
    first, last = state.turn, last_turn(war.scenario, state.options)
    played = 0 if is_deployment(state.step) else sides.index(state.phasing)
    for turn in range(first, last + 1):
        for side in sides[played if turn == first else 0 :]:
            yield turn, side


def _begin(war: War, turn: int, side: str) -> None:
    """What the calendar brings until the points are counted (HW-20, HW-23.1, HW-41). Nothing comes twice."""
    war.state.turn, war.state.phasing = turn, side
    war.season, war.year = war.tables.season_of(turn)
    calendar(war)
    before_production(war)


class _Ledger:
    """The rows of one side, each compared with the one before; the first with what the side would count now."""

    def __init__(self, war: War, side: str, now: Budget) -> None:
        self.war, self.side = war, side
        self.rows: list[SeasonAhead] = []
        self._before, self._read = now, len(war.events)

    @property
    def is_full(self) -> bool:
        return len(self.rows) >= SEASONS

    def produce(self, lines: Sequence[Line]) -> None:
        counted = open_production(self.war)
        self._write(counted, self.war.events[self._read :])
        self._before, self._read = counted, len(self.war.events)
        if lines:
            self.war.lines = list(lines)
            spend(self.war, counted)
            self.war.lines = []

    def _write(self, counted: Budget, events: Sequence[Event]) -> None:
        completed = {
            event.place: event.points
            for event in events
            if isinstance(event, FortCompleted) and event.side == self.side
        }
        changes = () if counted == self._before else tuple(_changes(self.war, self._before, counted, events))
        self.rows.append(SeasonAhead(self.war.state.turn, production_view(counted), changes, completed))


def production_view(budget: Budget) -> ProductionView:
    return ProductionView(budget.working, budget.reduction, budget.to_spend, budget.lent, budget.why)


# ------------------------------------------------------------------ why it changes


def _changes(war: War, before: Budget, after: Budget, events: Sequence[Event]) -> Iterator[ChangeView]:
    """All that makes one budget differ from another; the points add up to the difference."""
    reasons = _more_points(war, before, after, events) | _changed_deductions(war, before, after, events)
    reasons[war.rules.told.lent] = after.lent - before.lent
    return (ChangeView(points, why) for why, points in reasons.items() if points)


def _more_points(war: War, before: Budget, after: Budget, events: Sequence[Event]) -> dict[str, int]:
    more = {place: points - before.by_place.get(place, 0) for place, points in after.by_place.items()}
    joined = [event for event in events if isinstance(event, CountryJoined)]
    reasons = {
        war.rules.told.joins(event.country): sum(more.pop(place, 0) for place in event.places) for event in joined
    }
    reasons["repairs"] = _repaired(more, events)
    return reasons | {war.rules.told.grows(war.place(place)): points for place, points in more.items() if points}


def _repaired(more: dict[str, int], events: Sequence[Event]) -> int:
    """Points that work again; they are taken out of what there is more in a place."""
    repaired = 0
    for event in events:
        if isinstance(event, PointsRepaired) and event.place in more:
            points = min(event.points, more[event.place])
            more[event.place] -= points
            repaired += points
    return repaired


def _changed_deductions(war: War, before: Budget, after: Budget, events: Sequence[Event]) -> dict[str, int]:
    less = {each.why: each.points for each in before.deductions}
    for each in after.deductions:
        less[each.why] = less.get(each.why, 0) - each.points
    return {war.rules.told.deduction(why, events): points for why, points in less.items()}
