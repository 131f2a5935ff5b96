"""The Movement Phase: any rearrangement of strength points behind friendly lines (HW-6, HW-7).

All lines are laid on the table first, with points in hand where a line took them up and no line has put them down
yet. Only the final picture is judged; if it is not legal, the last line to blame is refused and the rest are laid
out again.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain

import msgspec

from engine.grid import search
from engine.hitlers_war.events import ArmyRearranged, PointsRuined, StackCulled
from engine.hitlers_war.losses import cull
from engine.hitlers_war.orders import ALL, DevastateFrance, Disband, Form, GoTo, Set, Transfer
from engine.hitlers_war.state import TYPES, Army, State
from engine.hitlers_war.war import War
from engine.orders import Line

Points = dict[str, int]
WORDS = {"inf": "infantry", "mech": "mechanized", "tac": "tac air", "para": "paratroop", "amph": "amphibious"}


class Stand(msgspec.Struct):
    """An army in the draft: where it is to stand and what it is to hold, which may be too little on the way."""

    place: str
    points: Points


class LineIsRefused(Exception):
    def __init__(self, why: str, remedy: str = "", army: str = "") -> None:
        super().__init__(why)
        self.why, self.remedy, self.army = why, remedy, army


class Blame(msgspec.Struct):
    """What is wrong with a final picture, and which line should be dropped for it."""

    line: Line
    why: str
    remedy: str


# ------------------------------------------------------------------ set-up choice


def put_french_points_out_of_use(war: War) -> None:
    """HW-15.2, D-02: before anything else the Axis may say which French points never work."""
    choice = war.scenario.ruined_choice
    lines = war.lines_of(DevastateFrance)
    if choice is None or war.state.turn != war.scenario.first_turn or war.phasing != war.scenario.sides[0]:
        for line in lines:
            war.refuse(line, "the French points are chosen on the first turn of the war only")
        return
    if not lines:
        war.default_used(war.phasing, "D-02", f"the French points out of use are in {', '.join(choice.default)}")
    hexes = choice.default
    for line in lines:
        why = _why_choice_is_wrong(war, line.order.hexes, choice.country, choice.points)
        if why:
            war.refuse(line, why, f"name {choice.points} points, such as DEVASTATE-FRANCE {' '.join(choice.default)}")
        else:
            hexes = line.order.hexes
    ruin(war.state, choice.default, -1)
    ruin(war.state, hexes, 1)
    for place in dict.fromkeys(hexes):
        war.emit(PointsRuined(war.phasing, place, hexes.count(place), seen_by=war.seeing(place)))


def ruin(state: State, hexes: Iterable[str], points: int) -> None:
    """Put a point in each of these hexes out of use for good, or take that back."""
    for place in hexes:
        state.ground[place].devastated += points
        state.ground[place].ruined += points


def _why_choice_is_wrong(war: War, hexes: tuple[str, ...], country: str, points: int) -> str:
    if len(hexes) != points:
        return f"{points} points must be named, not {len(hexes)}"
    for place in hexes:
        if war.place(place).country != country:
            return f"{place} is not in {country}"
        if hexes.count(place) > war.place(place).production:
            return f"{place} has only {war.place(place).production} production"
    return ""


# ------------------------------------------------------------------ the draft


class Draft:
    """The side's armies as the lines would leave them."""

    def __init__(self, war: War) -> None:
        self.war = war
        self.stands = {
            army.id: Stand(army.place, army.points)
            for army in war.armies_of(war.phasing)
            if not (army.unsupplied or army.locked)
        }
        self.fixed = {army.id: army for army in war.armies_of(war.phasing) if army.unsupplied or army.locked}
        self.region = connected_regions(war, war.phasing)
        self.in_hand: dict[tuple[str, str], int] = defaultdict(int)
        self.takers: dict[tuple[str, str], list[Line]] = defaultdict(list)
        self.givers: dict[tuple[str, str], list[Line]] = defaultdict(list)
        self.fillers: dict[str, list[Line]] = defaultdict(list)
        self.touched: dict[str, list[Line]] = defaultdict(list)

    def lay(self, line: Line) -> None:
        order = line.order
        match order:
            case Set():
                self._set(line, order)
            case GoTo():
                self._go_to(line, order)
            case Transfer():
                self._transfer(line, order.giver, order.taker, order.points)
            case Form():
                self._form(line, order)
            case Disband():
                self._disband(line, order)

    # ---- the five kinds of line

    def _set(self, line: Line, order: Set) -> None:
        self._must_be_free_to_move(order.army)
        self._must_be_ours(order.hex)
        if ALL in order.points.values():
            raise LineIsRefused(
                "SET says what the army ends with, so ALL has no meaning", f"SET {order.army} {order.hex} 3I 2M"
            )
        if order.army in self.stands:
            self._take_up(line, order.army, self.stands[order.army].points)
        self.stands[order.army] = Stand(order.hex, dict(order.points))
        for kind, count in order.points.items():
            self._hand(line, order.hex, kind, -count)
        self._fill(line, order.army)

    def _go_to(self, line: Line, order: GoTo) -> None:
        stand = self._army(order.army)
        self._must_be_connected(stand.place, order.hex)
        stand.place = order.hex
        self._fill(line, order.army)

    def _transfer(self, line: Line, giver: str, taker: str, points: Points) -> None:
        source, goal = self._army(giver), self._army(taker)
        self._must_be_connected(source.place, goal.place)
        for kind, count in self._counted(giver, points).items():
            source.points[kind] = source.points.get(kind, 0) - count
            goal.points[kind] = goal.points.get(kind, 0) + count
        self.touched[giver].append(line)
        self._fill(line, taker)

    def _form(self, line: Line, order: Form) -> None:
        if order.army in self.stands and self._alive(order.army):
            raise LineIsRefused(
                f"{order.army} is on the map already", f"XFER its points, or FORM one of: {self._free()}", order.army
            )
        self._must_be_free_to_move(order.army)
        self._must_be_connected(self._army(order.giver).place, order.hex)
        self.stands[order.army] = Stand(order.hex, {})
        self._transfer(line, order.giver, order.army, order.points)

    def _disband(self, line: Line, order: Disband) -> None:
        stand = self._army(order.army)
        if order.taker:
            self._transfer(line, order.army, order.taker, dict(stand.points))
            return
        self._take_up(line, order.army, stand.points)
        stand.points = {}

    # ---- what lines ask of the position

    def _army(self, army: str) -> Stand:
        self._must_be_free_to_move(army)
        if army not in self.stands:
            raise LineIsRefused(
                f"{army} is not on the map",
                f"your armies that can move are: {', '.join(self.stands) or 'none'}",
                army,
            )
        return self.stands[army]

    def _must_be_free_to_move(self, army: str) -> None:
        fixed = self.fixed.get(army)
        if fixed is not None:
            why = "is out of supply" if fixed.unsupplied else "may not move before the next turn"
            raise LineIsRefused(f"{army} {why} (HW-6.6)", "leave it where it stands", army)

    def _must_be_ours(self, place: str) -> None:
        if place not in self.region:
            raise LineIsRefused(f"{place} is not friendly to you", "points move through and into friendly hexes only")

    def _must_be_connected(self, origin: str, place: str) -> None:
        self._must_be_ours(place)
        if self.region[origin] != self.region[place]:
            raise LineIsRefused(
                f"no connected line of friendly hexes joins {origin} and {place} (HW-6.2)",
                "choose a hex behind the same lines",
            )

    def _counted(self, giver: str, points: Points) -> Points:
        held = self.stands[giver].points
        return {kind: held.get(kind, 0) if count == ALL else count for kind, count in points.items()}

    def _alive(self, army: str) -> bool:
        return any(self.stands[army].points.values())

    def _free(self) -> str:
        on_map = {army for army in self.stands if self._alive(army)} | set(self.fixed)
        return ", ".join(name for name in self.war.tables.army_names[self.war.phasing] if name not in on_map)

    # ---- points in hand

    def _take_up(self, line: Line, army: str, points: Points) -> None:
        for kind, count in points.items():
            self._hand(line, self.stands[army].place, kind, count)

    def _hand(self, line: Line, place: str, kind: str, count: int) -> None:
        key = (self.region[place], kind)
        self.in_hand[key] += count
        (self.givers if count > 0 else self.takers)[key].append(line)

    def _fill(self, line: Line, army: str) -> None:
        self.touched[army].append(line)
        self.fillers[self.stands[army].place].append(line)

    # ---- judging the picture

    def blame(self) -> Blame | None:
        """The first thing wrong with the picture: points that are not there, points in hand, too many in a hex."""
        return next(chain(self._short_armies(), self._unbalanced_hands(), self._overfull_places()), None)

    def _short_armies(self) -> Iterable[Blame]:
        for army, stand in self.stands.items():
            for kind, count in stand.points.items():
                if count < 0:
                    yield Blame(
                        self.touched[army][-1],
                        f"{army} would be {-count} {WORDS[kind]} short",
                        "take no more than the army has, or give it points first",
                    )

    def _unbalanced_hands(self) -> Iterable[Blame]:
        for (region, kind), count in self.in_hand.items():
            if count < 0:
                yield Blame(
                    self.takers[region, kind][-1],
                    f"{-count} {WORDS[kind]} more would be needed than your armies there have to give",
                    "lower the number, or DISBAND or SET another army to less",
                )
            elif count > 0:
                yield Blame(
                    self.givers[region, kind][-1],
                    f"{count} {WORDS[kind]} would be left without an army (HW-1.3)",
                    "SET, FORM or XFER them into an army",
                )

    def _overfull_places(self) -> Iterable[Blame]:
        for place, lines in self.fillers.items():
            count, limit = self.stack(place), self.war.tables.stacking_limit
            stood = self.war.stack(place)  # an old overstack is culled, not blamed on a line (D-05)
            if count > max(limit, stood) and not self.war.place(place).is_box:
                yield Blame(
                    lines[-1],
                    f"{count} points would stand in {place}; the limit is {limit} (HW-7.1)",
                    f"leave {count - limit} elsewhere",
                )

    def stack(self, place: str) -> int:
        standing = [stand.points for stand in self.stands.values() if stand.place == place]
        standing += [army.points for army in self.fixed.values() if army.place == place]
        return sum(count for points in standing for kind, count in points.items() if kind != "tac")


def connected_regions(war: War, side: str) -> dict[str, str]:
    """For each friendly place the name of its connected piece of friendly territory."""
    region: dict[str, str] = {}
    steps = friendly_steps(war, side)
    for place in war.places_of(side):
        if place not in region:
            region.update(dict.fromkeys(search([place], steps), place))
    return region


def friendly_steps(war: War, side: str) -> Callable[[str], list[str]]:
    ground, links = war.state.ground, war.board.by_land
    return lambda place: [near for near in links[place] if ground[near].owner == side]


# ------------------------------------------------------------------ the phase


def move(war: War) -> None:
    """HW-6: rearrange, then cull what still stands too thick."""
    lines = war.lines_of(Set, GoTo, Transfer, Form, Disband)
    if lines:
        _carry_out(war, _legal_picture(war, lines))
    for place in dict.fromkeys(army.place for army in war.armies_of(war.phasing)):
        _cull_overstack(war, place)
    for army in war.armies_of(war.phasing):
        war.note_winter(army)


def _legal_picture(war: War, lines: list[Line]) -> Draft:
    refused: set[int] = set()
    while True:
        draft = Draft(war)
        for line in lines:
            if line.number not in refused:
                _lay_or_refuse(war, draft, line, refused)
        fault = draft.blame()
        if fault is None:
            return draft
        refused.add(fault.line.number)
        war.refuse(fault.line, fault.why, fault.remedy)


def _lay_or_refuse(war: War, draft: Draft, line: Line, refused: set[int]) -> None:
    try:
        draft.lay(line)
    except LineIsRefused as refusal:
        refused.add(line.number)
        war.refuse(line, refusal.why, refusal.remedy, refusal.army)


def _carry_out(war: War, draft: Draft) -> None:
    """Change all armies together, so that points in transit are never missing, then tell what changed."""
    before = {army.id: (army.place, army.points) for army in war.armies_of(war.phasing)}
    origins_seen = {army: war.seeing(place) for army, (place, _) in before.items()}
    for army_id, stand in draft.stands.items():
        _take_up_stand(war, army_id, stand)
    for army_id, stand in draft.stands.items():
        origin, held = before.get(army_id, ("", {}))
        place, points = (stand.place, _present(stand.points)) if _present(stand.points) else ("", {})
        if (origin, held) != (place, points):
            war.emit(
                ArmyRearranged(
                    war.phasing,
                    army_id,
                    origin,
                    place,
                    held,
                    points,
                    origins_seen.get(army_id, ()),
                    seen_by=war.seeing(place) if place else (),
                )
            )


def _take_up_stand(war: War, army_id: str, stand: Stand) -> None:
    army, points = war.state.armies.get(army_id), _present(stand.points)
    if not points:
        if army is not None:
            war.remove_army(army)
        return
    if army is None:
        army = war.state.armies[army_id] = Army(army_id, war.phasing, stand.place)
    for kind in TYPES:
        setattr(army, kind, points.get(kind, 0))
    if army.place != stand.place:
        war.move_army(army, stand.place)


def _present(points: Points) -> Points:
    return {kind: points[kind] for kind in TYPES if points.get(kind)}


def _cull_overstack(war: War, place: str) -> None:
    for army, lost in cull(war, place, war.excess(place)):
        if not army.strength:
            war.remove_army(army)
        war.emit(StackCulled(army.side, place, army.id, lost))
