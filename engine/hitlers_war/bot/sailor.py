"""What the random player writes about the sea and forts: voyages, landings, fire at landings, and building.

It asks the rules themselves, over the position as its view knows it, so that all it writes is legal by that view.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Protocol

from engine.dice import ForcedDice
from engine.grand_strategy.known import position_as_known
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.forts import room_for_fort, why_not_fortify
from engine.grand_strategy.rules.movement import connected_regions
from engine.grand_strategy.sea.routes import Pilot, Voyage
from engine.grand_strategy.sea.transport import Bookings, Transport
from engine.grand_strategy.units import UNITS
from engine.grand_strategy.view import View
from engine.grand_strategy.war import War
from engine.hitlers_war.bot.chance import Chance
from engine.hitlers_war.politics.countries import FRANCE
from engine.hitlers_war.sides import ALLIES, AXIS
from engine.hitlers_war.tables import tables

#: How many coasts an army looks at before it gives up the thought of a landing.
TRIES = 4


class Sailing(Protocol):
    """An own army as the sheet so far would leave it."""

    id: str
    place: str
    points: dict[str, int]

    @property
    def strength(self) -> int: ...


class Sailor:
    """Writes the lines of one sheet that are about the sea and forts, with `say`."""

    def __init__(self, view: View, setting: Setting, chance: Chance, say: Callable[[str], None]) -> None:
        self.view, self.setting, self.board, self.chance, self.say = view, setting, setting.board, chance, say
        self.side = view.side or ""
        self.landings: dict[str, str] = {}  # targets by army
        self.routed: set[str] = set()

    @property
    def is_at_sea(self) -> bool:
        return bool(self.setting.scenario.sea_transport)

    @cached_property
    def war(self) -> War:
        return War(self.setting, position_as_known(self.view, self.setting), ForcedDice([]))

    @cached_property
    def bookings(self) -> Bookings:
        return Bookings(Transport(self.war, self.side, connected_regions(self.war, self.side)))

    # -------------------------------------------------------------- movement

    def convert(self, forces: Mapping[str, Sailing]) -> None:
        for force in forces.values():
            held = force.points.get("amph", 0)
            if held and self.chance.percent(4):
                count = 1 + self.chance.below(held)
                self.say(f"CONVERT {count}A {force.id}")
                force.points["inf"] = force.points.get("inf", 0) + count
                force.points["amph"] = held - count
                force.points = {kind: points for kind, points in force.points.items() if points}

    def crossing(self, force: Sailing, others: list[Sailing], held_in_france: bool) -> tuple[Sailing, str, int] | None:
        """An army over the sea that could take points of this one: which, of what kind, and how many at most."""
        for _ in range(TRIES if others and force.id not in self.routed else 0):
            taker, kind = self.chance.pick(others), self.chance.pick(list(force.points))
            if held_in_france and self._leaves_france(force.place, taker.place):
                continue
            count = self._room_aboard(force.place, taker.place, force.points[kind])
            if count:
                return taker, kind, count
        return None

    def ship(self, force: Sailing, taker: Sailing, kind: str, count: int) -> None:
        via = ""
        for number in range(count):
            seas = self._book(force.place, taker.place)
            via = f" VIA {','.join(sea.upper() for sea in seas)}" if not number and self.chance.percent(40) else via
        via = via if count == 1 else ""  # the points after the first may have to go another way
        self.say(f"SHIP {count}{UNITS[kind].letter} {force.id} -> {taker.id}{via}")

    def sail(self, force: Sailing, place: str, held_in_france: bool) -> bool:
        """Take a whole army to a place over the sea, if there is room aboard for all of it."""
        if held_in_france and self._leaves_france(force.place, place):
            return False
        if self._room_aboard(force.place, place, force.strength) < force.strength:
            return False
        route = self._route_to(force.place, place) if force.strength == 1 else None
        for _ in range(force.strength):
            self._book(force.place, place)
        self.say(f"GOTO {force.id} {place}")
        if route is not None:
            self._say_route(force.id, route)
        return True

    def _leaves_france(self, origin: str, place: str) -> bool:
        return self.board[origin].country == FRANCE != self.board[place].country

    def _room_aboard(self, origin: str, place: str, wanted: int) -> int:
        """How many points could go there by sea within what is left of the limits."""
        transport, used = self.bookings.transport, self.bookings.used.copy()
        start, goal = transport.regions[origin], transport.regions[place]
        for count in range(wanted if start != goal else 0):
            passage = transport.passage(start, goal, used)
            if passage is None or any(transport.left(name, used) <= 0 for name in passage.draws_on):
                return count
            used.update(passage.draws_on)
        return wanted if start != goal else 0

    def _book(self, origin: str, place: str) -> tuple[str, ...]:
        transport = self.bookings.transport
        passage = transport.passage(transport.regions[origin], transport.regions[place], self.bookings.used)
        assert passage is not None
        self.bookings.book(origin, place, passage)
        return passage.seas

    def _route_to(self, origin: str, place: str) -> Voyage | None:
        """An exact way for one point, if it draws on the very seas its passage would."""
        voyage = Pilot(self.war, self.side).voyage(origin, place)
        if voyage is None:
            return None
        transport = self.bookings.transport
        passage = transport.passage(transport.regions[origin], transport.regions[place], self.bookings.used)
        same = passage is not None and passage.seas == tuple(sea for sea, _ in groupby(voyage.seas))
        return voyage if same else None

    def _say_route(self, army: str, voyage: Voyage) -> None:
        self.routed.add(army)
        self.say(f"ROUTE {army} {' '.join(voyage.places)}")

    # -------------------------------------------------------------- landings

    def coasts(self) -> list[str]:
        """Hexes and boxes with a coast, of others."""
        chart = self.board.chart
        return [place for place, seen in self.view.places.items() if chart.seas_at[place] and seen.owner != self.side]

    def invade(self, force: Sailing, may_attack: Callable[[str], bool]) -> bool:
        """A landing of an army that is half amphibious, on a coast its ships can reach."""
        amphibious = force.points.get("amph", 0)
        targets = [place for place in self.coasts() if may_attack(place)]
        if not targets or 2 * amphibious < force.strength or force.id in self.routed:
            return False
        targets += [force.place] if self.chance.percent(3) else []
        for _ in range(TRIES):
            target = self.chance.pick(targets)
            voyage = Pilot(self.war, self.side, landing=target).voyage(force.place, target)
            if voyage is not None and len(voyage.places) > 1:
                self._say_invasion(force, target, voyage)
                return True
        return False

    def _say_invasion(self, force: Sailing, target: str, voyage: Voyage) -> None:
        chance, between = self.chance, voyage.places[1:-1]
        text = f"INVADE {force.id} {target}"
        text += f" FROM {force.place}" if chance.percent(30) else ""
        text += f" VIA {chance.pick(between)}" if between and chance.percent(20) else ""
        text += chance.pick(("", " ASSAULT", " ASSAULT", " SAVE", " ASSAULT-IF DEF>=2"))
        if self.landings and chance.percent(15):
            text += f" AFTER {chance.pick(list(self.landings))}"
        self.landings[force.id] = target
        self.say(text)
        if " VIA " not in text and chance.percent(10):
            self._say_route(force.id, voyage)

    def support(self) -> None:
        """Which landings the navy helps: mostly all of them, which needs no line."""
        rule = tables().raw["landing_fire"]["support"]
        helped = [place for place in self.landings.values() if set(self.board[place].seas) & set(rule["coasts"])]
        if self.side == rule["by"] and self.landings and self.chance.percent(25):
            one = self.chance.pick(helped) if helped and self.chance.percent(60) else "NONE"
            self.say(f"SUPPORT {one}")

    # -------------------------------------------------------------- standing orders

    def standing(self) -> None:
        chance = self.chance
        if not self.is_at_sea or not chance.percent(20):
            return
        enemy = chance.pick(list(tables().army_names[AXIS if self.side != AXIS else ALLIES]))
        aim = chance.pick(("BIGGEST", "MOSTAMPH", enemy))
        lines = [f"COASTAL ALL AT {aim}", f"COASTAL {chance.pick(sorted(self.view.places))} AT {aim}"]
        lines.append(f"DEFEND ALL {chance.pick(('INVADERS', 'LAND'))}")
        if self.side == ALLIES:
            until = chance.pick(("", " UNTIL AMPH=0"))
            fire = chance.pick((f"AT {aim}", "SPREAD", "NEVER"))
            lines += [f"NAVALFIRE INVASIONS {fire}{until}", f"NAVALFIRE RESERVE {1 + chance.below(4)} FOR {enemy}"]
        self.say(f"STANDING {chance.pick(lines)}")

    # -------------------------------------------------------------- forts

    def build_forts(self) -> None:
        if not self.is_at_sea:
            return
        chance = self.chance
        mine = [fort for fort in self.view.forts.values() if fort.side == self.side]
        if mine and chance.percent(4):
            self.say(f"DISMANTLE FORT {chance.pick(mine).number}")
            return
        own = [place for place, seen in self.view.places.items() if seen.owner == self.side]
        if not own or not chance.percent(25):
            return
        place = chance.pick(own)
        if not why_not_fortify(self.war, place)[0]:
            count = 1 + chance.below(min(3, room_for_fort(self.war, place)))
            self.say(f"FORT {place} {count}{chance.pick(('', '', ' IF PP>=10'))}")
