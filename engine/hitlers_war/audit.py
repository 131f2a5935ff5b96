"""Watching a war for what can never happen. Attached to a run, it looks at the position after every event."""

from collections.abc import Iterable

from engine.events import Event
from engine.game import Fog
from engine.hitlers_war.events import (
    ArmyEliminated,
    AttackAnnounced,
    FortLost,
    FortPointsLost,
    FortStarted,
    InvasionAnnounced,
    PlaceCaptured,
    PointsBuilt,
    PointsConverted,
    PointsLost,
    PointsRepaired,
    ProductionCounted,
    ProductionEnded,
    SeaTransportUsed,
    StackCulled,
)
from engine.hitlers_war.sea import supply_seas
from engine.hitlers_war.state import NEUTRAL, TYPES, Army, Fort, Memory, State
from engine.hitlers_war.war import War


class TheImpossibleHappened(AssertionError):
    pass


class Auditor:
    """Keeps its own books and compares them with the position. Call it as the observer of a run."""

    def __init__(self, state: State) -> None:
        self._points = points_by_side(state)
        self._neutral = {place for place, ground in state.ground.items() if ground.owner == NEUTRAL}
        self._forts = fort_points(state)
        self._budget = self._spent = 0

    def __call__(self, war: War, event: Event) -> None:
        self._book(event)
        self._armies_are_sound(war)
        self._points_are_conserved(war, event)
        self._neutrals_stay_neutral(war)
        self._forts_are_sound(war)
        match event:
            case AttackAnnounced():
                self._stacks_are_legal(war)
            case InvasionAnnounced():
                self._stacks_are_legal(war)
                army = war.state.armies[event.army]
                require(2 * army.amph >= army.ground_strength, f"{army.id} invades without half amphibious points")
            case SeaTransportUsed():
                require(min(event.left.values()) >= 0, f"more was carried than the seas allow: {event.left}")
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
            case ProductionCounted():
                self._budget, self._spent = event.budget, 0

    def _armies_are_sound(self, war: War) -> None:
        for army in war.state.armies.values():
            require(army.strength > 0, f"{army.id} has no points")
            require(min(getattr(army, kind) for kind in TYPES) >= 0, f"{army.id} has negative points")
            require(war.owner(army.place) == army.side, f"{army.id} stands in {army.place}, which is not its side's")
            absent = [kind for kind in army.points if kind not in war.scenario.unit_types]
            require(not absent, f"{army.id} has points that are not in this scenario: {absent}")
        for side in war.scenario.sides:
            require(len(war.armies_of(side)) <= 12, f"{side} has more than twelve armies")

    def _forts_are_sound(self, war: War) -> None:
        """HW-14: at most seven a side, in places of their own, and no point from nowhere."""
        for place, fort in war.state.forts.items():
            require(war.owner(place) == fort.side, f"the fort in {place} is not its owner's")
            require(fort.strength >= 0 and fort.building >= 0, f"the fort in {place} has negative points")
            require(fort.absorbed <= (fort.can_absorb or 0), f"the fort in {place} absorbed too much")
        for side in war.scenario.sides:
            numbers = [fort.number for fort in war.state.forts.values() if fort.side == side]
            require(len(numbers) == len(set(numbers)), f"{side} has one fort twice: {numbers}")
            require(set(numbers) <= set(range(1, 8)), f"{side} has more than seven forts: {numbers}")
        found = fort_points(war.state)
        require(found == self._forts, f"fort points do not add up: {found} {self._forts}")

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
        require(event.budget == max(0, working - event.reduction), "the budget is wrong")
        cut_off = unsupplied_places(war, event.side) - set(war.state.inert)
        require(not cut_off, f"{event.side} still holds isolated places after combat: {sorted(cut_off)}")


def require(holds: object, otherwise: str) -> None:
    if not holds:
        raise TheImpossibleHappened(otherwise)


def points_by_side(state: State) -> dict[str, dict[str, int]]:
    points = {side: dict.fromkeys(TYPES, 0) for side in state.kept}
    for army in state.armies.values():
        for kind in TYPES:
            points[army.side][kind] += getattr(army, kind)
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


def change_what_is_hidden(state: State, side: str, fog: Fog, in_sight: Iterable[str]) -> None:
    """Change everything in a position that a side cannot know at this fog level. Its view must stay the same."""
    seen = set(in_sight)
    for army in state.armies.values():
        if army.side == side:
            continue
        if fog == "fog" and army.place in seen:
            _swap_composition(army)
        else:
            army.inf += 1 if army.inf < 5 else -1
    for fort in state.forts.values():
        if fort.side != side:
            _change_fort(fort, within_band=fog == "fog" and fort.place in seen)
    if fog == "fog":
        _change_unseen_places(state, side, seen)
    for other, kept in state.kept.items():
        if other != side:
            kept.standing, kept.production, kept.later = [], [], []
            state.memory[other] = Memory()


def _change_fort(fort: Fort, *, within_band: bool) -> None:
    """What is under construction never shows; what is complete shows as a band to those who see it."""
    fort.building += 1
    if not within_band:
        fort.strength += 1


def _swap_composition(army: Army) -> None:
    """A band shows how strong an army is, not what it is made of."""
    army.inf, army.mech = army.mech, army.inf


def _change_unseen_places(state: State, side: str, seen: set[str]) -> None:
    for place, ground in state.ground.items():
        if place not in seen and ground.owner not in (side, NEUTRAL):
            ground.devastated += 1
    for army in state.armies.values():
        if army.side != side and army.place not in seen:
            elsewhere = [p for p, g in state.ground.items() if g.owner == army.side and p not in seen]
            army.place = elsewhere[(elsewhere.index(army.place) + 7) % len(elsewhere)]
