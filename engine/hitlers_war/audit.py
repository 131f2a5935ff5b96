"""Watching a war for what can never happen. Attached to a run, it looks at the position after every event."""

from collections import Counter

from engine.events import Event
from engine.grand_strategy.events import (
    ArmyEliminated,
    ArmyJoined,
    AttackAnnounced,
    CountryJoined,
    CountrySurrendered,
    FortLost,
    FortPointsLost,
    FortStarted,
    GiftReceived,
    InvasionAnnounced,
    LendLeaseGiven,
    PlaceCaptured,
    PlayerTurnBegan,
    PointsBuilt,
    PointsConverted,
    PointsLost,
    PointsRepaired,
    ProductionCounted,
    ProductionEnded,
    SeaTransportUsed,
    StackCulled,
)
from engine.grand_strategy.rules.combat import why_closed
from engine.grand_strategy.rules.deployment import is_deployment, pool_of
from engine.grand_strategy.rules.production import count_points, deductions
from engine.grand_strategy.sea.routes import supply_seas
from engine.grand_strategy.state import NEUTRAL, TYPES, UNALIGNED, State
from engine.grand_strategy.war import War
from engine.hitlers_war.sides import AXIS


class TheImpossibleHappened(AssertionError):
    pass


class Auditor:
    """Keeps its own books and compares them with the position. Call it as the observer of a run."""

    def __init__(self, state: State) -> None:
        self._points = points_by_side(state)
        self._neutral = {place for place, ground in state.ground.items() if ground.owner == NEUTRAL}
        self._forts = fort_points(state)
        self._budget = self._spent = 0
        self._surrendered: dict[str, int] = {}
        # Places may have changed hands since this player-turn's supply was judged.
        self._treaties = bool(state.countries) and state.step in ("terms", "production")

    def __call__(self, war: War, event: Event) -> None:
        self._book(event)
        self._armies_are_sound(war)
        if is_deployment(war.step):
            self._points_come_from_the_pool(war)
        else:
            self._points_are_conserved(war, event)
        self._neutrals_stay_neutral(war)
        self._surrender_is_for_good(war)
        self._forts_are_sound(war)
        match event:
            case AttackAnnounced():
                self._stacks_are_legal(war)
                require(not why_closed(war, event.target)[0], f"{event.side} attacks {event.target}")
            case InvasionAnnounced():
                self._stacks_are_legal(war)
                require(not why_closed(war, event.target)[0], f"{event.side} invades {event.target}")
                army = war.state.armies[event.army]
                require(2 * army.amph >= war.ground_strength(army), f"{army.id} invades without half amphibious points")
            case SeaTransportUsed():
                require(min(event.left.values()) >= 0, f"more was carried than the seas allow: {event.left}")
            case PlayerTurnBegan(turn=war.scenario.first_turn):
                self._all_that_was_printed_is_there(war)
            case PointsBuilt():
                require(not war.excess(event.place), f"{event.place} is overstacked by building")
            case PlaceCaptured(how="advance"):
                require(not war.working_points(event.place), f"{event.place} still works after its capture")
            case ProductionCounted():
                self._production_adds_up(war, event)
            case ProductionEnded():
                require(event.spent + event.unspent == self._budget, "money was made or lost")
                require(event.spent == self._spent, "what was bought does not cost what was spent")

    def _book(self, event: Event) -> None:
        match event:
            case PointsLost() | ArmyEliminated() | StackCulled():
                for kind, count in (event.lost or {}).items():
                    self._points[event.side][kind] -= count
            case PointsBuilt():
                self._spent += event.cost
                for kind, count in event.points.items():
                    self._points[event.side][kind] += count
            case PlayerTurnBegan():
                self._treaties = False
            case CountryJoined() | CountrySurrendered():
                self._treaties = True
            case PointsRepaired():
                self._spent += event.cost
            case PointsConverted():
                for count in event.armies.values():
                    self._points[event.side]["amph"] -= count
                    self._points[event.side]["inf"] += count
            case FortStarted():
                self._spent += event.cost
                self._forts[event.side] += event.points
            case FortPointsLost() | FortLost():
                self._forts[event.side] -= event.count
            case LendLeaseGiven():
                self._spent += event.points
            case GiftReceived():
                for kind, count in event.points.items():
                    self._points[AXIS][kind] += count
            case ArmyJoined():
                for kind, count in (event.points or {}).items():
                    self._points[UNALIGNED][kind] -= count
                    self._points[event.side][kind] += count
            case ProductionCounted():
                self._budget, self._spent = event.budget, 0

    def _armies_are_sound(self, war: War) -> None:
        for army in war.state.armies.values():
            require(min(getattr(army, kind) for kind in TYPES) >= 0, f"{army.id} has negative points")
        for counter in war.state.named():
            kind, name, place = war.kind_of(counter), counter.id, war.place(counter.place)
            require(counter.strength > 0, f"{name} has no points")
            require(min(counter.points.values()) > 0, f"{name} has negative points")
            require(kind.may_stand(place), f"a counter like {name} does not stand in {place.id}")
            require(not place.has_land or war.owner(place.id) == counter.side, f"{name} stands in {place.id} of others")
            absent = [points for points in counter.points if points not in kind.holds]
            require(not absent, f"{name} has points that it may not hold: {absent}")
        for side in war.scenario.sides:
            self._counters_are_enough(war, side)

    def _counters_are_enough(self, war: War, side: str) -> None:
        """HW-1.2, HW-14.1: a side has so many counters of each kind."""
        for kind in war.rules.containers.values():
            used = [each.id for each in war.state.containers() if each.kind == kind.id and each.side == side]
            require(set(used) <= set(kind.counters(war.tables, side)), f"{side} has no such counters: {used}")
            require(len(used) == len(set(used)), f"{side} has one counter twice: {used}")

    def _forts_are_sound(self, war: War) -> None:
        """HW-14: at most seven a side, in places of their own, and no point from nowhere."""
        for place, fort in war.state.forts.items():
            require(war.owner(place) == fort.side, f"the fort in {place} is not its owner's")
            require(fort.strength >= 0 and fort.building >= 0, f"the fort in {place} has negative points")
            require(fort.absorbed <= (fort.can_absorb or 0), f"the fort in {place} absorbed too much")
        found = fort_points(war.state)
        require(found == self._forts, f"fort points do not add up: {found} {self._forts}")

    def _points_come_from_the_pool(self, war: War) -> None:
        """Points that are not on the map yet appear as long as the pool has them (HW-16.1)."""
        self._points = points_by_side(war.state)
        for side in war.scenario.sides:
            pool = pool_of(war, side)
            deployed = self._points[side]
            require(all(count <= pool.get(kind, 0) for kind, count in deployed.items()), f"{side} deploys too much")

    def _all_that_was_printed_is_there(self, war: War) -> None:
        if war.phasing != war.scenario.sides[0]:
            return
        for side in war.scenario.pools:
            require(
                {kind: count for kind, count in self._points[side].items() if count} == pool_of(war, side),
                f"{side} has not deployed its pool",
            )
        for side, printed in war.scenario.production_at_start.items():
            working = count_points(war, side)
            # What the scenario itself takes off, for no reason it gives, is not in the printed total.
            taken = sum(each.points for each in deductions(war, side, working) if each.why)
            require(working - taken == printed, f"{side} begins with {working - taken} points, not {printed}")

    def _surrender_is_for_good(self, war: War) -> None:
        """HW-21.7: no country surrenders twice, or takes it back."""
        for nation, turn in self._surrendered.items():
            require(war.state.countries[nation].surrendered == turn, f"{nation} surrendered twice")
        self._surrendered = {
            nation: fate.surrendered for nation, fate in war.state.countries.items() if fate.surrendered
        }

    def _points_are_conserved(self, war: War, event: Event) -> None:
        found = points_by_side(war.state)
        require(found == self._points, f"points do not add up after {type(event).__name__}: {found} {self._points}")

    def _neutrals_stay_neutral(self, war: War) -> None:
        now = {place for place, ground in war.state.ground.items() if ground.owner == NEUTRAL}
        require(now == self._neutral, f"neutral places changed: {now ^ self._neutral}")

    def _stacks_are_legal(self, war: War) -> None:
        for army in war.armies_of(war.phasing):
            require(not war.excess(army.place), f"{army.place} is overstacked after movement")

    def _production_adds_up(self, war: War, event: ProductionCounted) -> None:
        working = 0
        for place, ground in war.state.ground.items():
            if ground.owner == event.side:
                working += max(0, war.capacity(place) - ground.devastated)
        require(event.working == working, f"{event.side} counted {event.working}, there are {working}")
        require(event.budget == max(0, working - event.reduction) + event.lend_lease, "the budget is wrong")
        if self._treaties or not war.enemies_of(event.side):
            return  # HW-3.6: supply is judged before treaties; A-59: nobody inherits
        cut_off = unsupplied_places(war, event.side) - set(war.state.inert)
        if len(war.scenario.sides) > 2:  # what nobody could supply stays
            cut_off &= set().union(*(war.supplied(enemy, besides=cut_off) for enemy in war.enemies_of(event.side)))
        require(not cut_off, f"{event.side} still holds isolated places after combat: {sorted(cut_off)}")


def require(holds: object, otherwise: str) -> None:
    if not holds:
        raise TheImpossibleHappened(otherwise)


def points_by_side(state: State) -> dict[str, Counter[str]]:
    points: dict[str, Counter[str]] = {side: Counter() for side in (*state.kept, UNALIGNED)}
    for counter in state.named():
        points[counter.side].update(counter.points)
    return points


def fort_points(state: State) -> dict[str, int]:
    points = dict.fromkeys(state.kept, 0)
    for fort in state.forts.values():
        points[fort.side] += fort.strength + fort.building
    return points


def unsupplied_places(war: War, side: str) -> set[str]:
    """Worked out without the search the rules use: supplied places spread until nothing changes."""
    own = {place for place, ground in war.state.ground.items() if ground.owner == side}
    supplied = {place for place in own if war.feeds_supply(place)}
    spreading = True
    while spreading:
        more = {p for p in own - supplied if not supplied.isdisjoint(war.board.by_land[p])}
        more |= own & _over_the_sea(war, side, supplied) - supplied
        supplied |= more
        spreading = bool(more)
    return own - supplied


def _over_the_sea(war: War, side: str, places: set[str]) -> set[str]:
    """Places on the water that supply from these places flows over (HW-12.6), walked hexside by hexside."""
    lanes, seas = war.board.chart.lanes, supply_seas(war, side)
    wet = {(place, lane.water) for place in places for lane in lanes[place] if lane.water in seas}
    spreading = bool(wet)
    while spreading:
        more = {
            (lane.to, sea)
            for place, sea in wet
            for lane in lanes[place]
            if lane.water == sea
            and (lane.kind in ("sea", "arrow") or (war.holds(side, place) and war.holds(side, lane.to)))
        } - wet
        wet |= more
        spreading = bool(more)
    return {place for place, _ in wet}
