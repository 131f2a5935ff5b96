"""A movement on the table: the side's armies as its lines would leave them, and what would be wrong with that.

Points may be in hand for a while, taken up by one line and put down by another. Only the final picture is judged.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from engine.grand_strategy.containers import ContainerKind
from engine.grand_strategy.orders import ALL, Convert, Disband, Form, GoTo, Invade, Order, Route, Set, Ship, Transfer
from engine.grand_strategy.sea.routes import Pilot
from engine.grand_strategy.sea.transport import Bookings, Cargo, Passage, Transport
from engine.grand_strategy.war import War
from engine.orders import Line

Points = dict[str, int]


class Stand(msgspec.Struct):
    """A counter in the draft: where it is to stand and what it is to hold, which may be too little on the way."""

    kind: ContainerKind
    place: str
    points: Points


class LineIsRefused(Exception):
    def __init__(self, why: str, remedy: str = "", army: str = "") -> None:
        super().__init__(why)
        self.why, self.remedy, self.army = why, remedy, army


class Fault(msgspec.Struct, frozen=True):
    """Something wrong with a picture. `key` tells one fault from another; one of the lines is to blame, or all of them
    if they are known to be `guilty`."""

    key: tuple[str, ...]
    lines: list[Line]
    why: str
    remedy: str
    guilty: bool = False


def _there_and_back(points: Points) -> tuple[int, int]:
    """How many points go with an army, and how many go the other way to make good what it lacks: a lack that is carried
    off is filled over there, so those points come from there."""
    return sum(max(0, count) for count in points.values()), sum(max(0, -count) for count in points.values())


def _the_seas(seas: Sequence[str]) -> str:
    return f"the {' and the '.join(seas)}"


def armies_named(order: Order) -> tuple[str, ...]:
    """The armies whose points or place an order of movement changes."""
    match order:
        case Set() | GoTo() | Convert() | Route():
            return (order.army,)
        case Form():
            return order.army, order.giver
        case Disband():
            return order.army, order.taker
        case Transfer() | Ship():
            return order.giver, order.taker
    return ()


class Draft:
    """The side's armies as the lines would leave them."""

    def __init__(self, war: War, transport: Transport) -> None:
        self.war, self.region = war, transport.regions
        self.confined = war.rules.confined(war)
        self.stands = {
            each.id: Stand(war.kind_of(each), each.place, dict(each.points))
            for each in war.movable_of(war.phasing)
            if not each.unsupplied
        }
        self.fixed = {each.id: each for each in war.movable_of(war.phasing) if each.unsupplied or each.locked}
        self.in_hand: dict[tuple[str, str], int] = defaultdict(int)
        self.takers: dict[tuple[str, str], list[Line]] = defaultdict(list)
        self.givers: dict[tuple[str, str], list[Line]] = defaultdict(list)
        self.taken_up_at: dict[tuple[str, str], str] = {}
        self.put_down_at: dict[tuple[str, str], str] = {}
        self.inflow: dict[str, list[Line]] = defaultdict(list)  # lines that bring points into a place
        self.put_down: dict[str, list[Line]] = defaultdict(list)  # SET lines that put points down there
        self.from_hand: dict[str, int] = defaultdict(int)  # put down there less taken up there
        self.touched: dict[str, list[Line]] = defaultdict(list)
        self.converted: Counter[str] = Counter()  # amphibious points that become infantry, by army
        self.bookings = Bookings(transport)
        self.sailing: dict[str, list[list[Line]]] = defaultdict(list)  # of each point at sea the lines that send it
        self.routes: dict[str, tuple[str, ...]] = {}  # ways over the sea that are laid down place by place
        self.routes_sailed: set[str] = set()
        self.courses: dict[Cargo, tuple[str, ...]] = {}  # of what sails by a route
        self.at_sea: set[str] = set()  # armies that sail as a whole
        self.handed: list[tuple[str, str]] = []  # from which place to which points go over land to another army
        self.laid: list[Line] = []
        self.senders: dict[tuple[str, str, tuple[str, ...]], list[Line]] = defaultdict(
            list
        )  # by origin, place and seas

    def lay(self, line: Line) -> None:
        self._lay(line)
        self.laid.append(line)

    def lines_about(self, army: str) -> list[Line]:
        """The lines that were laid and name an army."""
        return [line for line in self.laid if army in armies_named(line.order)]

    def _lay(self, line: Line) -> None:
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
            case Ship():
                self._transfer(line, order.giver, order.taker, order.points, order.seas)
            case Convert():
                self._convert(line, order)
            case Route():
                self._route(order)

    # ---- the kinds of line

    def _set(self, line: Line, order: Set) -> None:
        self._must_be_free_to_move(order.army)
        self._must_be_ours(order.hex)
        if ALL in order.points.values():
            raise LineIsRefused(
                "SET says what the army ends with, so ALL has no meaning", f"SET {order.army} {order.hex} 3I 2M"
            )
        stand = self._new_stand(order.army, order.hex, order.points)
        if order.army in self.stands:
            self._take_up(line, order.army, self.stands[order.army].points)
        self.stands[order.army] = stand
        for kind, count in order.points.items():
            self._hand(line, order.hex, kind, -count)
        self.touched[order.army].append(line)
        self.put_down[order.hex].append(line)

    def _go_to(self, line: Line, order: GoTo) -> None:
        stand = self._army(order.army)
        self._must_be_ours(order.hex)
        self._must_stand(order.army, stand.kind, order.hex)
        if self._travel(line, order.army, order.hex, stand.points):
            self.at_sea.add(order.army)
        stand.place = order.hex

    def _transfer(self, line: Line, giver: str, taker: str, points: Points, seas: Sequence[str] = ()) -> None:
        source, goal = self._army(giver), self._that_receives(taker)
        self._must_hold(taker, goal.kind, points)
        counted = self._counted(giver, points)
        by_sea = self._travel(line, giver, goal.place, counted, seas)
        if any(counted.values()) and source.place != goal.place and not by_sea:
            self.handed.append((source.place, goal.place))
        for kind, count in counted.items():
            source.points[kind] = source.points.get(kind, 0) - count
            goal.points[kind] = goal.points.get(kind, 0) + count
        self.touched[giver].append(line)
        self.touched[taker].append(line)

    def _form(self, line: Line, order: Form) -> None:
        if order.army in self.stands and self._alive(order.army):
            free = self._free(self.stands[order.army].kind.id)
            raise LineIsRefused(
                f"{order.army} is on the map already", f"XFER its points, or FORM one of: {free}", order.army
            )
        self._must_be_free_to_move(order.army)
        self._must_be_in_reach(order.giver, order.hex)
        self.stands[order.army] = self._new_stand(order.army, order.hex, {})
        self._transfer(line, order.giver, order.army, order.points)

    def _disband(self, line: Line, order: Disband) -> None:
        stand = self._army(order.army)
        if order.taker:
            self._transfer(line, order.army, order.taker, dict(stand.points))
            return
        self._take_up(line, order.army, stand.points)
        stand.points = {}

    def _convert(self, line: Line, order: Convert) -> None:
        """HW-6.7: not a move, so an army that may not move may still do it."""
        fixed = self.fixed.get(order.army)
        held = (
            fixed.count("amph") - self.converted[order.army] if fixed else self._army(order.army).points.get("amph", 0)
        )
        count = held if order.points == ALL else order.points
        if fixed and count > held:
            raise LineIsRefused(f"{order.army} has {held} amphibious points", "convert no more than that", order.army)
        if not fixed:
            points = self.stands[order.army].points
            points["amph"] = held - count
            points["inf"] = points.get("inf", 0) + count
            self.touched[order.army].append(line)
        self.converted[order.army] += count

    def _route(self, order: Route) -> None:
        """The way of an army that is to land is for its landing, not for its move."""
        if all(line.order.army != order.army for line in self.war.lines_of(Invade)):
            self.routes[order.army] = order.places

    # ---- over land and sea

    def _travel(self, line: Line, army: str, place: str, points: Points, seas: Sequence[str] = ()) -> bool:
        """Points of an army go to a place: behind the lines if they can, else by sea, point by point (HW-12.5). Says
        whether by sea."""
        self._must_be_ours(place)
        origin = self.stands[army].place
        forth, back = _there_and_back(points)
        self._must_be_free_to_leave(army, origin, place)
        if back:
            self._must_be_free_to_leave(army, place, origin)
        seas = seas or self._seas_of_route(army, origin, place)
        by_sea = self.region[origin] != self.region[place] or bool(seas)
        if by_sea:
            self._must_be_in_reach(army, place, seas)
            for _ in range(forth):
                self._sail([line], origin, place, seas)
            for _ in range(back):
                self._sail([line], place, origin, seas[::-1])
        self._enter(line, origin, place)
        if back:
            self._enter(line, place, origin)
        return by_sea

    def _sail(self, lines: list[Line], origin: str, place: str, seas: Sequence[str] = ()) -> None:
        """Book one point on the best passage there is."""
        passage = self._passage(origin, place, seas)
        if passage is not None and passage.seas:
            self.bookings.book(origin, place, passage)
            self.senders[origin, place, passage.seas] += lines
            for name in passage.draws_on:
                self.sailing[name].append(lines)

    def _passage(self, origin: str, place: str, seas: Sequence[str] = ()) -> Passage | None:
        bookings = self.bookings
        if self._leaves_where_it_is_confined(origin, place):
            return None
        return bookings.transport.passage(self.region[origin], self.region[place], bookings.used, seas)

    def _must_be_in_reach(self, army: str, place: str, seas: Sequence[str] = ()) -> None:
        self._must_be_ours(place)
        origin, transport = self._army(army).place, self.bookings.transport
        if transport.passage(self.region[origin], self.region[place], {}, seas) is not None:
            return
        if not transport.limits:
            why = f"no connected line of friendly hexes joins {origin} and {place} (HW-6.2)"
            raise LineIsRefused(why, "choose a hex behind the same lines")
        over = _the_seas(seas) if seas else "friendly hexes or seas that are open to you"
        raise LineIsRefused(
            f"no way leads from {origin} to {place} over {over} (HW-6.2, HW-12.3)", self._another_way(origin, place)
        )

    def _another_way(self, origin: str, place: str) -> str:
        """What would carry points that cannot go as their line says."""
        transport = self.bookings.transport
        passage = transport.passage(self.region[origin], self.region[place], {})
        if passage is None:
            return f"you may carry points over: {transport.in_words()}"
        way = f"over {_the_seas(passage.seas)}" if passage.seas else "behind your lines"
        return f"without VIA or ROUTE they would go {way}"

    def _seas_of_route(self, army: str, origin: str, place: str) -> tuple[str, ...]:
        """The seas of the way that was laid down for an army, if there is one."""
        places = self.routes.get(army, ())
        ends = [self.region.get(end) for end in (*places[:1], *places[-1:])]
        wanted = [self.region[origin], self.region[place]]
        if not places or (ends != wanted and wanted[0] == wanted[1]):
            return ()
        pilot = Pilot(self.war, self.war.phasing)
        why = pilot.why_not(places)
        if not why and ends != wanted:
            why = f"the ROUTE of {army} does not lead from {origin} to {place}"
        if why:
            raise LineIsRefused(why, f"leave the ROUTE of {army} away, or mend it", army)
        self.routes_sailed.add(army)
        seas = tuple(sea for sea, _ in groupby(pilot.exactly(places).seas))
        self.courses[Cargo(origin, place, seas)] = places
        return seas

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

    def _that_receives(self, army: str) -> Stand:
        """HW-15.6, HW-22.3 bind the points that are in the box already, not those that come."""
        bound = self.fixed.get(army)
        return self.stands[army] if bound is not None and army in self.stands else self._army(army)

    def _must_be_free_to_move(self, army: str) -> None:
        waits = self.war.why_it_waits(army)
        if waits:
            raise LineIsRefused(waits, f"free counters are: {self._free()}", army)
        fixed = self.fixed.get(army)
        if fixed is not None:
            why = "is out of supply" if fixed.unsupplied else f"may not move before {self.war.lock_ends(fixed)}"
            raise LineIsRefused(f"{army} {why} (HW-6.6)", "leave it where it stands", army)

    def _must_be_free_to_leave(self, army: str, origin: str, place: str) -> None:
        if self.confined is not None and self._leaves_where_it_is_confined(origin, place):
            raise LineIsRefused(self.confined.why, self.confined.remedy, army)

    def _leaves_where_it_is_confined(self, origin: str, place: str) -> bool:
        return self.confined is not None and origin in self.confined.places and place not in self.confined.places

    def _new_stand(self, counter: str, place: str, points: Points) -> Stand:
        kind = self.war.kind_of_counter(self.war.phasing, counter)
        self._must_stand(counter, kind, place)
        self._must_hold(counter, kind, points)
        return Stand(kind, place, dict(points))

    def _must_stand(self, counter: str, kind: ContainerKind, place: str) -> None:
        if not kind.may_stand(self.war.place(place)):
            sites = " or a ".join(kind.stands_in)
            raise LineIsRefused(f"{counter} cannot stand in {place}", f"choose a {sites}", counter)

    def _must_hold(self, counter: str, kind: ContainerKind, points: Points) -> None:
        words = self.war.units.word_of
        strange = next((name for name, count in points.items() if count and name not in kind.holds), "")
        if strange:
            why = f"{counter} cannot hold {words(strange)} points"
            raise LineIsRefused(why, f"it holds {' and '.join(map(words, kind.holds))}", counter)

    def _must_be_ours(self, place: str) -> None:
        if place not in self.region:
            raise LineIsRefused(f"{place} is not friendly to you", "points move through and into friendly hexes only")

    def _counted(self, giver: str, points: Points) -> Points:
        held = self.stands[giver].points
        return {kind: held.get(kind, 0) if count == ALL else count for kind, count in points.items()}

    def _alive(self, army: str) -> bool:
        return any(self.stands[army].points.values())

    def _free(self, kind: str = "army") -> str:
        war, on_map = self.war, {army for army in self.stands if self._alive(army)} | set(self.fixed)
        return ", ".join(name for name in war.counters_to_form(war.phasing, kind) if name not in on_map)

    # ---- points in hand

    def _take_up(self, line: Line, army: str, points: Points) -> None:
        for kind, count in points.items():
            self._hand(line, self.stands[army].place, kind, count)

    def _hand(self, line: Line, place: str, kind: str, count: int) -> None:
        key = (self._purse(place), kind)
        self.in_hand[key] += count
        self.from_hand[place] -= count if kind in self.war.units.on_the_ground else 0
        (self.taken_up_at if count > 0 else self.put_down_at)[key] = place
        (self.givers if count > 0 else self.takers)[key].append(line)

    def _purse(self, place: str) -> str:
        """Points taken up in one purse are put down from it; those that are confined have one of their own."""
        return self.confined.name if self.confined and place in self.confined.places else self.region[place]

    def _enter(self, line: Line, origin: str, place: str) -> None:
        if origin != place:
            self.inflow[place].append(line)

    # ---- judging the picture

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the picture: points that are not there, points in hand, too many in a hex or at sea."""
        yield from self._short_armies()
        self._ship_from_hand_to_hand()
        yield from self._unbalanced_hands()
        yield from self._overfull_counters()
        yield from self._overfull_places()
        yield from self._overdrawn_seas()

    def _ship_from_hand_to_hand(self) -> None:
        """Points taken up in one piece of friendly territory and put down in another go by sea, those first whose way
        uses up least."""
        while ways := self._ways_from_hand_to_hand():
            price, giver, taker, kind = min(ways)
            origin, place = self.taken_up_at[giver, kind], self.put_down_at[taker, kind]
            while self.in_hand[taker, kind] < 0 < self.in_hand[giver, kind] and self._price(origin, place) == price:
                self._sail(self.takers[taker, kind], origin, place)
                self.in_hand[taker, kind] += 1
                self.in_hand[giver, kind] -= 1

    def _ways_from_hand_to_hand(self) -> list[tuple[int, str, str, str]]:
        """Which purses could give a point to which now, and at what price."""
        ways = []
        for (taker, kind), lacking in self.in_hand.items():
            givers = [purse for (purse, other), count in self.in_hand.items() if other == kind and count > 0]
            for giver in givers if lacking < 0 else ():
                price = self._price(self.taken_up_at[giver, kind], self.put_down_at[taker, kind])
                if price is not None and not (self.confined and giver == self.confined.name):
                    ways.append((price, giver, taker, kind))
        return ways

    def _price(self, origin: str, place: str) -> int | None:
        """How many limits a point draws on between two places, those that are used up above all; None without a way."""
        passage = self._passage(origin, place)
        return None if passage is None else self.bookings.price(passage)

    def _short_armies(self) -> Iterator[Fault]:
        for army, stand in self.stands.items():
            for kind, count in stand.points.items():
                if count < 0:
                    yield Fault(
                        ("short", army, kind),
                        self.touched[army],
                        f"{army} would be {-count} {self.war.units.word_of(kind)} short",
                        "take no more than the army has, or give it points first",
                    )

    def _unbalanced_hands(self) -> Iterator[Fault]:
        for (region, kind), count in self.in_hand.items():
            if count < 0:
                yield Fault(
                    ("hand", region, kind),
                    self.takers[region, kind],
                    f"{-count} {self.war.units.word_of(kind)} more would be needed than your armies there have to give",
                    "lower the number, or DISBAND or SET another army to less",
                )
            elif count > 0:
                yield Fault(
                    ("hand", region, kind),
                    self.givers[region, kind],
                    f"{count} {self.war.units.word_of(kind)} would be left without an army (HW-1.3)",
                    "SET, FORM or XFER them into an army",
                )

    def _overfull_counters(self) -> Iterator[Fault]:
        for name, stand in self.stands.items():
            held, most = sum(stand.points.values()), stand.kind.most(self.war.tables)
            if held > most:
                yield Fault(
                    ("full", name),
                    self.touched[name],
                    f"{name} would hold {held} points; a {stand.kind.id} holds {most} at most",
                    f"leave {held - most} elsewhere",
                )

    def _overfull_places(self) -> Iterator[Fault]:
        limit = self.war.tables.stacking_limit
        for place in sorted({*self.inflow, *self.put_down}):
            count, lines = self.stack(place), self._lines_into(place)
            if lines and count > limit and not self.war.place(place).is_box:
                yield Fault(
                    ("overfull", place),
                    lines,
                    f"{count} points would stand in {place}; the limit is {limit} (HW-7.1)",
                    f"leave {count - limit} elsewhere",
                )

    def _overdrawn_seas(self) -> Iterator[Fault]:
        bookings = self.bookings
        for name in bookings.overdrawn():
            used, limit = bookings.used[name], bookings.transport.limits[name]
            way, case = ("travel", "HW-12.5") if bookings.transport.is_overseas(name) else ("cross the", "HW-12.4")
            yield Fault(
                ("sea", name),
                self._lines_over(name, limit),
                f"{used} points would {way} {name}; the limit is {limit} a turn ({case})",
                f"leave {used - limit} behind, to follow next turn",
                guilty=True,
            )

    def _lines_over(self, name: str, limit: int) -> list[Line]:
        """D-06: lines use a limit up from top to bottom, and those that would go over it are to blame."""
        senders = {lines[-1].number: lines[-1] for lines in self.sailing[name]}
        points = Counter(lines[-1].number for lines in self.sailing[name])
        over, left = [], limit
        for number in sorted(points):
            if points[number] > left:
                over.append(senders[number])
            else:
                left -= points[number]
        return over

    def _lines_into(self, place: str) -> list[Line]:
        """Lines that bring points into a hex. What is taken up and put down in it again brings nothing."""
        put_down = self.put_down[place] if self.from_hand[place] > 0 else []
        return sorted([*self.inflow[place], *put_down], key=lambda line: line.number)

    def stack(self, place: str) -> int:
        standing = [stand.points for stand in self.stands.values() if stand.place == place]
        standing += [army.points for army in self.fixed.values() if army.place == place and army.id not in self.stands]
        on_the_ground, here = self.war.units.on_the_ground, self.war.state.containers_in(place)
        ground = sum(count for points in standing for kind, count in points.items() if kind in on_the_ground)
        return ground + sum(self.war.ground_strength(each) for each in here if not self.war.kind_of(each).moves)
