"""What the random player writes about politics: deployment, neutrals, gifts, lend-lease and surrender terms."""

from collections.abc import Callable, Mapping, Sequence

from engine.grand_strategy.politics.nations import nation_at
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.state import UNALIGNED
from engine.grand_strategy.units import UNITS
from engine.grand_strategy.view import View
from engine.hitlers_war.bot.chance import Chance
from engine.hitlers_war.politics.countries import FRANCE
from engine.hitlers_war.sides import ALLIES, AXIS, SOVIET, at_war

STACK = 10
GIVERS = ("Rumania", "Hungary", "Finland")
DEPOTS = ("U18", "M20")
ENTRY_OF_MINORS = 6


class Politician:
    """Writes the lines of one sheet that are about politics, with `say`."""

    def __init__(self, view: View, setting: Setting, chance: Chance, say: Callable[[str], None]) -> None:
        self.view, self.board, self.rules, self.chance, self.say = view, setting.board, setting.rules, chance, say
        self.side = view.side or ""
        self.enemies = at_war(self.side, view.sides, view.terms)
        self.violating = set(view.violated)

    def may_order(self, verb: str) -> bool:
        """Whether the rules of this war know such an order."""
        return self.rules.language.has(verb)

    @property
    def countries_take_sides(self) -> bool:
        """Where they do, a first attack on one has to be declared."""
        return self.may_order("VIOLATE")

    # -------------------------------------------------------------- whom to attack

    def is_target(self, place: str) -> bool:
        """Whether a place may be attacked with what the sheet says so far."""
        seen = self.view.places.get(place)
        if seen is None:
            return False
        if seen.owner != UNALIGNED:
            return seen.owner in self.enemies
        if not self.countries_take_sides:
            return True
        nation = nation_at(self.board, place)
        return nation in self.violating or self._has_attacked(nation)

    def is_passable(self, place: str) -> bool:
        """Own places count too: an army may advance into them."""
        return self.is_target(place) or (place in self.view.places and self.view.places[place].owner == self.side)

    def _has_attacked(self, nation: str) -> bool:
        fate = self.view.countries.get(nation)
        return fate is not None and self.side in fate.attackers

    def violate(self, near: Sequence[str]) -> None:
        """Now and then a neutral next door is drawn in; the Axis always wants Poland."""
        if not self.countries_take_sides:
            return
        now = (self.side, self.view.turn)
        joining = {row.country for row in self.view.politics if (row.joins, row.joins_on) == now}
        neutral = {nation_at(self.board, place) for place in near if self._is_unaligned(place)}
        for nation in sorted(neutral - self.violating - joining):
            eager = 60 if (nation, self.side) == ("Poland", AXIS) else 6
            if not self._has_attacked(nation) and self.chance.percent(eager):
                self.violating.add(nation)
                self.say(f"VIOLATE {nation}")

    def _is_unaligned(self, place: str) -> bool:
        seen = self.view.places.get(place)
        return seen is not None and seen.owner == UNALIGNED

    # -------------------------------------------------------------- standing and single lines

    def standing(self) -> None:
        """Policies for what may come in somebody else's player-turn."""
        chance = self.chance
        if self.may_order("LENDLEASE") and self.side == ALLIES and chance.percent(10):
            self.say(f"STANDING LENDLEASE ALWAYS {1 + chance.below(4)}")
        if not self.countries_take_sides or not chance.percent(25):
            return
        if self.side == AXIS:
            self.say(chance.pick(self._axis_policies()))
        elif self.side == ALLIES:
            self.say(f"STANDING ADOPT Italy AS {chance.pick(('8BR', 'SHAEF', '1CAN'))}")

    def _axis_policies(self) -> list[str]:
        nation = self.chance.pick(GIVERS)
        hex_ = self.chance.pick(self.board.of_country(nation))
        return [
            f"STANDING SURRENDER-TERMS {self.chance.pick(('ACCEPT', 'REFUSE'))}",
            "STANDING LOSSES ITALY-SURRENDER FROM ITALY TYPES I",
            f"STANDING ADOPT US AS {self.chance.pick(('OKW', 'PZAA'))}",
            f"STANDING GIFT {nation} {hex_}",
        ]

    def gifts(self, free: list[str]) -> bool:
        """On the day the eastern countries join, their forces take counters that are then no longer free."""
        if not self.may_order("GIFT") or self.side != AXIS or self.view.turn != ENTRY_OF_MINORS:
            return False
        for nation in GIVERS:
            capital = next(place for place in self.board.of_country(nation) if self.board[place].capital)
            if self._is_unaligned(capital) and self.chance.percent(70):
                self.say(f"GIFT {nation} {capital}")
        del free[: len(GIVERS) + 1]  # the referee takes the first ones for gifts that no line places
        free[:] = [counter for counter in free if counter != "RUMANIA"]
        return True

    def answer_terms(self) -> None:
        if self.chance.percent(90):
            self.say(f"SURRENDER-TERMS {self.chance.pick(('ACCEPT', 'REFUSE'))}")

    def lend(self) -> None:
        if not self.may_order("LENDLEASE") or self.side != ALLIES:
            return
        for depot in DEPOTS:
            seen = self.view.places[depot]
            if seen.owner == SOVIET and self.chance.percent(30):
                self.say(f"LENDLEASE {depot} {1 + self.chance.below(2)}")

    def is_held_in_france(self) -> bool:
        """HW-22.2, as far as the side knows."""
        if not self.countries_take_sides or self.side != ALLIES:
            return False
        armies = [army.place for army in self.view.armies.values() if army.side == AXIS]
        forts = [place for place, fort in self.view.forts.items() if fort.side == AXIS]
        return any(self.board[place].country == FRANCE for place in (*armies, *forts))

    # -------------------------------------------------------------- deployment

    def deploy(self, room: Mapping[str, int], counters: Sequence[str]) -> None:
        """Most of the pool in random hexes, leaning to the front; sometimes a rest for the referee."""
        chance, pool, left = self.chance, dict(self.view.pool), dict(room)
        front = [place for place in left if any(self.is_target(near) for near in self.board.by_land[place])]
        for army in counters:
            kinds = [kind for kind, count in pool.items() if count]
            places = [place for place in (front if front and chance.percent(70) else left) if left[place] > 0]
            if not kinds or not places or chance.percent(4):
                break
            place, points = chance.pick(places), {}
            for kind in kinds:
                most = min(pool[kind], left[place])
                count = 1 + chance.below(most) if most else 0
                if count:
                    points[kind] = count
                    pool[kind] -= count
                    left[place] -= count
            if points:
                self.say(f"DEPLOY {army} {place} {' '.join(f'{n}{UNITS[kind].letter}' for kind, n in points.items())}")
