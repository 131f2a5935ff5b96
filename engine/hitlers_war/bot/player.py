"""A player that writes random legal sheets, in the same language as everybody else and from the same view.

It is no strategist: it is there to try every order in every mix. It leans towards the front and towards attacks
that can succeed, so that wars move.
"""

from collections.abc import Collection, Sequence

import msgspec

from engine.grand_strategy.containers import LIKELY
from engine.grand_strategy.rules.deployment import is_deployment
from engine.grand_strategy.rules.production import may_build_in, most_to_repair
from engine.grand_strategy.units import UNITS
from engine.grand_strategy.view import View
from engine.grid import search
from engine.hitlers_war.bot.chance import Chance
from engine.hitlers_war.bot.politician import Politician
from engine.hitlers_war.bot.sailor import Sailor
from engine.hitlers_war.politics.countries import FRANCE
from engine.hitlers_war.rulebook import setting_of

Points = dict[str, int]
STACK = 10


class Force(msgspec.Struct):
    """An own army as the sheet so far would leave it."""

    id: str
    place: str
    points: Points

    @property
    def strength(self) -> int:
        return sum(self.points.values())

    @property
    def mech(self) -> int:
        return self.points.get("mech", 0)


def random_sheet(view: View, key: bytes) -> str:
    if view.side not in view.sides or view.gate is None:
        return ""
    return _Writer(view, Chance(key)).sheet()


class _Writer:
    def __init__(self, view: View, chance: Chance) -> None:
        self.view, self.chance = view, chance
        self.side = view.side or ""
        setting = setting_of(view.scenario, view.options)
        self.board, self.scenario = setting.board, setting.scenario
        self.lines: list[str] = []
        self.own = {place for place, seen in view.places.items() if seen.owner == self.side}
        self.forces = {
            army.id: Force(army.id, army.place, dict(army.points or {}))
            for army in view.armies.values()
            if army.side == self.side
        }
        self.free = list(view.free_armies)
        self.idle = {army.id for army in view.armies.values() if army.unsupplied or army.locked}
        self.attacks: dict[str, str] = {}
        self._advancing: set[str] = set()
        self._regions: dict[str, Collection[str]] = {}
        self._fronts: dict[str, list[str]] = {}
        self.attack_links = self.board.grid.links(setting.rules.attack_over)
        self.politician = Politician(view, setting, chance, self.say)
        self.sailor = Sailor(view, setting, chance, self.say)

    def say(self, line: str) -> None:
        self.lines.append(line.lower() if self.chance.percent(5) else line)

    def _header(self, section: str) -> None:
        if self.chance.percent(50):
            self.say(section)

    def sheet(self) -> str:
        view = self.view
        self.say(f"TURN {view.season.upper()} {view.year} SIDE {self.side.upper()}")
        self._standing()
        self.politician.standing()
        self.sailor.standing()
        if self.side == view.phasing and is_deployment(view.step):
            self.politician.deploy({place: self._room(place) for place in sorted(self.own)}, self.free)
        elif self.side == view.phasing:
            if view.step == "player-turn":
                self._opening()
            if view.step == "exploitation":
                self._exploit_what_advanced()
            if view.step == "terms":
                self.politician.answer_terms()
            self._production()
        return "\n".join([*self.lines, "END", ""])

    def _opening(self) -> None:
        if self.view.turn == self.scenario.first_turn and self.scenario.ruined_choice and self.chance.percent(50):
            self._devastate_france()
        if self.politician.gifts(self.free) and not self.free:
            self.idle = set(self.forces)  # the gifts may go into any army, so none has room that can be counted on
        near = [other for force in self.forces.values() for other in self.attack_links[force.place]]
        self.politician.violate([*near, *self._coasts_to_covet()])
        self._moves()
        if self.sailor.is_at_sea:
            self._voyages()
        self._attacks()

    def _coasts_to_covet(self) -> list[str]:
        """A coast or two that an amphibious army might land on."""
        able = self.sailor.is_at_sea and any(force.points.get("amph") for force in self.forces.values())
        coasts = self.sailor.coasts() if able else []
        return [self.chance.pick(coasts) for _ in range(2)] if coasts else []

    # -------------------------------------------------------------- set-up and movement

    def _devastate_france(self) -> None:
        choice = self.scenario.ruined_choice
        if choice is None or choice.side != self.side:
            return
        points = [p for p in self.board.of_country(choice.country) for _ in range(self.board[p].production)]
        while len(points) > choice.points:
            points.pop(self.chance.below(len(points)))
        self.say(f"DEVASTATE-FRANCE {' '.join(points)}")

    def _moves(self) -> None:
        self._header("MOVE")
        movers = [force for force in self.forces.values() if force.id not in self.idle]
        self._go(movers)
        for _ in range(self.chance.below(4)):
            movers = [force for force in self.forces.values() if force.id not in self.idle]
            if movers:
                self.chance.pick((self._transfer, self._form, self._disband, self._swap))(self.chance.pick(movers))

    def _voyages(self) -> None:
        """Over the sea: a point or two to another army, or now and then a whole army."""
        held = self.politician.is_held_in_france()
        self.sailor.convert({army: force for army, force in self.forces.items() if army not in self.idle})
        for force in [force for force in self.forces.values() if force.id not in self.idle]:
            if force.id not in self.forces or not self.chance.percent(20):
                continue
            if self.chance.percent(40):
                self._sail(force, held)
            else:
                self._ship(force, held)

    def _sail(self, force: Force, held: bool) -> None:
        ports = [place for place in sorted(self.own) if self.board.chart.seas_at[place]]
        place = self.chance.pick(ports) if ports else force.place
        if self._room(place) >= force.strength and self.sailor.sail(force, place, held):
            force.place = place

    def _ship(self, force: Force, held: bool) -> None:
        others = [other for other in self.forces.values() if other is not force and other.id not in self.idle]
        found = self.sailor.crossing(force, [other for other in others if self._room(other.place) > 0], held)
        if found is not None:
            taker, kind, most = found
            count = 1 + self.chance.below(min(most, self._room(taker.place), 3))
            self.sailor.ship(force, taker, kind, count)
            self._hand_over(force, self.forces[taker.id], {kind: count})

    def _go(self, movers: Sequence[Force]) -> None:
        for force in movers:
            crowded = self._room(force.place) < 0  # a fort was completed, or somebody retreated (HW-7.3)
            places = sorted(self._region(force.place)) if crowded else self._front(force.place)
            near_enemy = bool(self._enemies_near(force.place))
            if places and (crowded or self.chance.percent(25 if near_enemy else 80)):
                place = self.chance.pick(places)
                if self._room(place) >= force.strength and place != force.place:
                    self.say(f"GOTO {force.id} {place}")
                    force.place = place

    def _front(self, start: str) -> list[str]:
        """Own hexes of the same region that touch an enemy, or any of the region now and then."""
        region = sorted(self._region(start))
        if region[0] not in self._fronts:  # nothing written after the neutrals to attack changes it
            self._fronts[region[0]] = [place for place in region if self._enemies_near(place)]
        front = self._fronts[region[0]]
        return front if front and self.chance.percent(80) else region

    def _region(self, start: str) -> Collection[str]:
        """The connected own territory around a place. Nothing on a sheet changes it, so it is worked out once.

        While points are held in France it is a territory of its own (HW-22.2).
        """
        if start not in self._regions:
            held, french = self.politician.is_held_in_france(), self._is_french(start)
            own = {place for place in self.own if not held or self._is_french(place) == french}
            found = search([start], lambda place: [near for near in self.board.by_land[place] if near in own])
            self._regions.update(dict.fromkeys(found, found.keys()))
        return self._regions[start]

    def _is_french(self, place: str) -> bool:
        return self.board[place].country == FRANCE

    def _room(self, place: str) -> int:
        if self.board[place].is_box:
            return 99
        fort = self.view.forts.get(place)
        built = (fort.strength or 0) if fort is not None and fort.side == self.side else 0
        return STACK - built - sum(force.strength for force in self.forces.values() if force.place == place)

    def _partners(self, force: Force) -> list[Force]:
        region = self._region(force.place)
        return [
            other
            for other in self.forces.values()
            if other is not force and other.id not in self.idle and other.place in region
        ]

    def _transfer(self, force: Force) -> None:
        partners = [other for other in self._partners(force) if self._room(other.place) > 0]
        if not partners:
            return
        taker = self.chance.pick(partners)
        kind = self.chance.pick(list(force.points))
        most = min(force.points[kind], max(1, self._room(taker.place)))
        count = 1 + self.chance.below(most)
        word = "ALL " if count == force.points[kind] and self.chance.percent(30) else str(count)
        self.say(f"XFER {word}{UNITS[kind].letter} {force.id} -> {taker.id}")
        self._hand_over(force, taker, {kind: count})

    def _form(self, force: Force) -> None:
        if not self.free or force.strength < 2:
            return
        kind = self.chance.pick(list(force.points))
        count = 1 + self.chance.below(force.points[kind])
        place = self.chance.pick([p for p in self._front(force.place) if self._room(p) >= count] or [""])
        if not place:
            return
        new = Force(self.free.pop(self.chance.below(len(self.free))), place, {})
        self.say(f"FORM {new.id} {place} {count}{UNITS[kind].letter} FROM {force.id}")
        self.forces[new.id] = new
        self._hand_over(force, new, {kind: count})

    def _disband(self, force: Force) -> None:
        partners = [other for other in self._partners(force) if self._room(other.place) >= force.strength]
        if partners and self.chance.percent(30):
            taker = self.chance.pick(partners)
            self.say(f"DISBAND {force.id} INTO {taker.id}")
            self._hand_over(force, taker, dict(force.points))

    def _swap(self, force: Force) -> None:
        """Two armies exchange all they have, each written as a final picture; or one hands its points to a counter."""
        partners = [p for p in self._partners(force) if self._fits_after_swap(force, p)]
        if partners and self.chance.percent(60):
            other = self.chance.pick(partners)
            force.points, other.points = other.points, force.points
            self.say(f"SET {force.id} {force.place} {_strength(force.points)}")
            self.say(f"SET {other.id} {other.place} {_strength(other.points)}")
        elif self.free:
            new = Force(self.free.pop(0), force.place, dict(force.points))
            self.say(f"DISBAND {force.id}")
            self.say(f"SET {new.id} {new.place} {_strength(new.points)}")
            del self.forces[force.id]
            self.forces[new.id] = new
            self.free.append(force.id)

    def _fits_after_swap(self, one: Force, other: Force) -> bool:
        gain = other.strength - one.strength
        return one.place == other.place or (self._room(one.place) >= gain and self._room(other.place) >= -gain)

    def _hand_over(self, giver: Force, taker: Force, points: Points) -> None:
        for kind, count in points.items():
            taker.points[kind] = taker.points.get(kind, 0) + count
            giver.points[kind] -= count
            if not giver.points[kind]:
                del giver.points[kind]
        if not giver.points:
            del self.forces[giver.id]
            self.free.append(giver.id)

    # -------------------------------------------------------------- attacks

    def _enemies_near(self, place: str) -> list[str]:
        return [near for near in self.attack_links[place] if self.politician.is_target(near)]

    def _attacks(self) -> None:
        self._header("COMBAT")
        self.idle |= {force.id for force in self.forces.values() if self._room(force.place) < 0}  # some will be lost
        if self.sailor.is_at_sea:
            self._landings()
        for force in self.forces.values():
            enemies = self._enemies_near(force.place)
            landing = force.id in self.sailor.landings
            if force.id in self.idle or landing or not enemies or not self.chance.percent(85):
                continue
            friends = [near for near in self.attack_links[force.place] if near in self.own]
            target = self.chance.pick(friends) if friends and self.chance.percent(4) else self._weakest(enemies)
            self.attacks[force.id] = target
            self.say(f"ATTACK {force.id} {target}{self._manner(force)}")
        for force in self.forces.values():
            if force.id in self._advancing and self.chance.percent(70):
                self._exploit(force.id, self.attacks[force.id], force.place)
        self._unstack()
        if self.chance.percent(60):
            self.say(f"LOSSES ALL TYPES {self.chance.pick(('I,M', 'M,I', 'I'))}")
        if self.attacks and self.chance.percent(30):
            army, target = self.chance.pick(list(self.attacks.items()))
            self.say(f"LOSSES {target} FROM {army} TYPES I,M")

    def _landings(self) -> None:
        for force in self.forces.values():
            able = force.points.get("amph") and force.id not in self.idle
            if able and self.chance.percent(70) and self.sailor.invade(force, self.politician.is_target):
                if self.chance.percent(70):
                    self._exploit(force.id, self.sailor.landings[force.id], "")
        self.sailor.support()

    def _weakest(self, places: Sequence[str]) -> str:
        """Mostly the place that seems least defended, so that wars move; sometimes any."""
        if self.chance.percent(25):
            return self.chance.pick(places)
        return min(places, key=lambda place: (self._defence(place), self.chance.below(100)))

    def _defence(self, place: str) -> int:
        armies = [army for army in self.view.armies.values() if army.place == place]
        return sum(army.strength or LIKELY[army.band] for army in armies) or 1

    def _manner(self, force: Force) -> str:
        chance = self.chance
        assault = chance.pick(
            (" ASSAULT", " ASSAULT", " ASSAULT", "", " SAVE", " ASSAULT-IF DEF>=2", " ASSAULT-IF RANGE<6")
        )
        advance = chance.pick((" ADVANCE", " ADVANCE", f" ADVANCE IF RANGE>={1 + chance.below(5)}", "", " NOADVANCE"))
        if not (assault or advance.startswith(" ADVANCE")):
            advance = " ADVANCE"
        text = assault + advance
        if chance.percent(8):
            text += f" SEQ {1 + chance.below(5)}"
        elif chance.percent(8) and len(self.attacks) > 1:
            text += f" AFTER {chance.pick([army for army in self.attacks if army != force.id])}"
        if advance.startswith(" ADVANCE"):
            self._advancing.add(force.id)
        return text

    def _unstack(self) -> None:
        for army, target in self.attacks.items():
            if army in self._advancing and self.chance.percent(15):
                self.say(f"UNSTACK {target} BY {army} TO {self.forces[army].place}")

    # -------------------------------------------------------------- exploitation

    def _exploit_what_advanced(self) -> None:
        for army in self.view.armies.values():
            if army.side == self.side and army.advanced and not army.finished and self.chance.percent(80):
                self._exploit(army.id, army.place, "")

    def _exploit(self, army: str, start: str, origin: str) -> None:
        path, here, before = [], start, origin
        for _ in range(1 + self.chance.below(3)):
            if before and self.chance.percent(8):
                path.append("RETURN")
                here, before = before, here
                continue
            onward = [near for near in self.attack_links[here] if self.politician.is_passable(near) and near != start]
            hostile = [near for near in onward if near not in self.own]
            choices = hostile if hostile and self.chance.percent(85) else onward
            if not choices:
                break
            target = self.chance.pick(choices)
            path.append(self._step(target, choices))
            if path[-1].startswith("("):
                break
            here, before = target, here
        if path:
            self.say(f"EXPLOIT {army} {' '.join(path)}{self._stop()}")

    def _step(self, target: str, choices: Sequence[str]) -> str:
        others = [place for place in choices if place != target]
        if others and self.chance.percent(10):
            other = self.chance.pick(others)
            return f"({target}|{other} IF DEF {other}<DEF {target})"
        return target + self.chance.pick(("", "", "", ":ASSAULT", ":ASSAULT-IF RANGE<4", ":SAVE"))

    def _stop(self) -> str:
        return self.chance.pick(
            ("", "", " STOP-IF RANGE<3", " STOP-IF LOSS>=3", " STOP-IF RANGE<2 STOP-IF LOSS>=4 AND WINTER")
        )

    # -------------------------------------------------------------- production

    def _production(self) -> None:
        chance, war = self.chance, self.sailor.war
        sites = [place for place in self.view.places if may_build_in(war, self.side, place)]
        broken = [place for place in self.own if self.view.places[place].in_supply and self._can_be_repaired(place)]
        self._header("PRODUCTION")
        self.politician.lend()
        self.sailor.build_forts()
        for place in chance.some(sorted(broken), 20):
            self._repair(place)
        for _ in range(chance.below(4)):
            if sites:
                self._build(sites)
        if chance.percent(90) and sites:
            self.say(f"BUILD MAX {chance.pick('IMMA' if self.sailor.is_at_sea else 'IMM')} ANY")

    def _can_be_repaired(self, place: str) -> bool:
        return most_to_repair(self.sailor.war, self.side, place) > 0

    def _repair(self, place: str) -> None:
        """Lines above may have used up the points of France (HW-21.5)."""
        if self._can_be_repaired(place):
            how_many = self.chance.pick(("", " 1", " 1 IF PP>=6"))
            points = 1 if how_many else most_to_repair(self.sailor.war, self.side, place)
            self.sailor.war.ground(place).devastated -= points
            self.say(f"REPAIR {place}{how_many}")

    def _build(self, sites: Sequence[str]) -> None:
        chance = self.chance
        place = chance.pick(sites)
        what = f"{1 + chance.below(3)}{chance.pick('IMA' if self.sailor.is_at_sea else 'IM')}"
        present = [force.id for force in self.forces.values() if force.place == place and force.id not in self.attacks]
        if present and chance.percent(50):
            self.say(f"BUILD {what} {place} {chance.pick(present)}")
        elif self.free and chance.percent(50):
            new = self.free.pop(chance.below(len(self.free)))
            self.say(f"BUILD {what} {place} OR {chance.pick(sites)} NEW {new}{chance.pick(('', ' IF PP>=4'))}")
        elif present or self.free:
            self.say(f"BUILD {what} {place}")

    # -------------------------------------------------------------- standing orders

    def _standing(self) -> None:
        chance = self.chance
        if chance.percent(15):
            self.say("STANDING CLEAR")
        elif self.view.standing.get(self.side) and chance.percent(20):
            self.say(f"CANCEL {chance.pick(self.view.standing[self.side])}")
        for _ in range(chance.below(3) if self.own else 0):
            self.say(f"STANDING {self._policy()}")

    def _policy(self) -> str:
        chance = self.chance
        where = chance.pick(["ALL", *self.forces, *sorted(self.own)])
        place = chance.pick(sorted(self.own))
        defence = chance.pick(("NOW", "HOLD", "NEVER", "EXPLOIT-ONLY", "IF STR>=3", "IF ATTACKERS>=2"))
        retreat = chance.pick((f"TO {place}", f"TOWARD {place}", f"AVOID {place}", "DIE"))
        return chance.pick(
            (
                f"DEFEND {where} {defence}",
                f"LOSSES {where} TYPES {chance.pick(('I,M', 'M,I'))}",
                f"RETREAT {where} {retreat}",
            )
        )


def _strength(points: Points) -> str:
    return " ".join(f"{count}{UNITS[kind].letter}" for kind, count in points.items())
