"""Fire at landings: the navy on the way and in support, the air force over the coast (HW-13.8 to HW-13.12)."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from engine.grand_strategy.events import CoastalAirFired, NavalFired, SupportFired
from engine.grand_strategy.orders import Coastal, Invade, NavalFire, NavalReserve, Support
from engine.grand_strategy.policy import keys_of_place, most_precise
from engine.grand_strategy.rolls import COASTAL_AIR, NAVAL_FIRE, SUPPORT, about
from engine.grand_strategy.rules.losses import defenders_lose, invaders_lose
from engine.grand_strategy.sea.invasion import invaders, landing_targets, lines_that_land
from engine.grand_strategy.sea.routes import Pilot
from engine.grand_strategy.sight import note_fought
from engine.grand_strategy.state import Army
from engine.grand_strategy.war import War

Hexside = tuple[str, str]


def naval_fire(war: War) -> None:
    """HW-13.6, step 2: fire at invaders on their way, and in support of invaders."""
    fire_at_passing_armies(war)
    support_landings(war)


# ------------------------------------------------------------------ on the way


class Passage(msgspec.Struct, frozen=True):
    """A hexside in the navy's reach, how often it may fire there, and the invaders that pass it."""

    hexside: Hexside
    fires: int
    armies: tuple[str, ...]


def passages(war: War) -> list[Passage]:
    """HW-13.8, HW-13.9: every all-sea hexside of the routes, whoever passes it; an arrow counts its length."""
    rule = _naval_rule(war)
    if war.phasing != rule["at"] or rule["by"] not in war.scenario.sides:
        return []
    fires: dict[Hexside, int] = {}
    passing: dict[Hexside, list[str]] = {}
    for army in invaders(war):
        pilot = Pilot(war, army.side, army.target)
        for place, to in pairwise(army.route):
            lane = pilot.lane(place, to)
            if pilot.is_dangerous(lane):
                hexside = (place, to) if (to, place) not in fires else (to, place)
                fires[hexside] = lane.length
                passing.setdefault(hexside, []).append(army.id)
    return [Passage(hexside, fires[hexside], tuple(armies)) for hexside, armies in passing.items()]


def _naval_rule(war: War) -> dict[str, Any]:
    rule: dict[str, Any] = war.tables.raw["landing_fire"]["naval"]
    return rule


def fire_at_passing_armies(war: War) -> None:
    """Every fire that the passages allow."""
    found = passages(war)
    guns = Guns(war, found)
    for passage in found:
        lines = [line for line in war.lines_of(Invade) if line.order.army in passage.armies]
        for _ in range(passage.fires):
            with war.carrying_out(*lines):
                guns.fire(passage)


class Guns:
    """The fires of a navy at the invasions of one player-turn, allotted by its standing orders (D-26)."""

    def __init__(self, war: War, found: Sequence[Passage]) -> None:
        rule = _naval_rule(war)
        self.war, self.side, self.strength = war, str(rule["by"]), int(rule["strength"])
        self.fires_left: Counter[str] = Counter()
        self.fired_at: Counter[str] = Counter()
        for passage in found:
            for army in passage.armies:
                self.fires_left[army] += passage.fires
        orders = war.standing(self.side, NavalFire)
        self.policy = orders[-1] if orders else None
        self.reserves = war.standing(self.side, NavalReserve)
        self._told_default = False

    def fire(self, passage: Passage) -> None:
        """One fire at one of the armies that pass."""
        army = self._choose(passage)
        if army is not None:
            self._fire_at(army, passage.hexside)

    def _choose(self, passage: Passage) -> Army | None:
        """The army to fire at next; nobody if all are lost or the navy holds its fire."""
        passing = [self.war.state.armies[army] for army in passage.armies if army in self.war.state.armies]
        chosen = self._reserved(passing) or self._by_policy(passing)
        for army in passing:
            self.fires_left[army.id] -= 1
        return chosen

    def _reserved(self, passing: Sequence[Army]) -> Army | None:
        kept = {order.army: order.fires for order in self.reserves}
        return next((army for army in passing if self.fires_left[army.id] <= kept.get(army.id, 0)), None)

    def _by_policy(self, passing: Sequence[Army]) -> Army | None:
        policy = self.policy
        if not passing or (policy is not None and policy.aim == "NEVER"):
            return None
        if policy is None:
            self._tell_default(passing)
            return aimed_at(passing, "MOSTAMPH")
        if policy.until_no_amph:
            passing = [army for army in passing if army.amph] or passing
        if policy.aim == "SPREAD":
            return min(passing, key=lambda army: self.fired_at[army.id])
        return aimed_at(passing, policy.aim, policy.army)

    def _tell_default(self, passing: Sequence[Army]) -> None:
        if len(passing) > 1 and not self._told_default:
            self._told_default = True
            what = "the navy fires at the army with the most amphibious points"
            self.war.default_used(self.side, "D-26", what, "STANDING NAVALFIRE INVASIONS AT BIGGEST, for one")

    def _fire_at(self, army: Army, hexside: Hexside) -> None:
        war = self.war
        self.fired_at[army.id] += 1
        note_fought(war.state, army)
        roll = war.roll(hexside[1], about(NAVAL_FIRE, army.id), ())
        hits = war.tables.firepower(self.strength, roll.total)
        seen_by = tuple(dict.fromkeys((*war.seeing(*hexside), army.side, self.side)))
        war.emit(
            NavalFired(self.side, army.id, army.side, hexside, army.target, self.strength, roll, hits, seen_by=seen_by)
        )
        invaders_lose(war, [army], army.target, hits, self.side)


def aimed_at(armies: Sequence[Army], aim: str, named: str = "") -> Army:
    """The army an order aims at; if it names one that is not there, the one with the most amphibious points."""
    for army in armies:
        if aim == "ARMY" and army.id == named:
            return army
    if aim == "BIGGEST":
        return max(armies, key=lambda army: army.strength)
    return max(armies, key=lambda army: (army.amph, army.strength))


# ------------------------------------------------------------------ in support


def support_landings(war: War) -> None:
    """HW-13.11: one fire at the defenders of each invaded hex on the right coast; at all of them by default (D-29)."""
    for target in landing_targets(war):
        if is_supported(war, target):
            called = [line for line in war.lines_of(Support) if target in line.order.hexes]
            with war.carrying_out(*lines_that_land(war, *invaders(war, target)), *called):
                support(war, target)


def is_supported(war: War, target: str) -> bool:
    rule = war.tables.raw["landing_fire"]["support"]
    if war.phasing != rule["by"] or war.owner(target) == war.phasing:
        return False
    lines = war.lines_of(Support)
    wanted = not lines or any(target in line.order.hexes for line in lines)
    return wanted and bool(set(war.place(target).seas) & set(rule["coasts"]))


def support(war: War, target: str) -> None:
    strength = support_strength(war)
    for defender in war.armies_in(target):
        note_fought(war.state, defender)
    roll = war.roll(target, SUPPORT, ())
    hits = war.tables.firepower(strength, roll.total)
    seen_by = war.witnesses(target, war.phasing, war.owner(target))
    war.emit(SupportFired(war.phasing, target, strength, roll, hits, seen_by=seen_by))
    defenders_lose(war, target, hits)


def support_strength(war: War) -> int:
    return int(war.tables.raw["landing_fire"]["support"]["strength"])


# ------------------------------------------------------------------ over the coast


def coastal_air(war: War) -> None:
    """HW-13.12: once for each invaded hex that has it."""
    for target in landing_targets(war):
        if has_coastal_air(war, target):
            with war.carrying_out(*lines_that_land(war, *invaders(war, target))):
                strike(war, target)


def has_coastal_air(war: War, target: str) -> bool:
    """Whether a side defends it and the attacker held no hex next to it when combat began.

    Nothing changes hands before this step, so what is held now was held then.
    """
    owner = war.owner(target)
    if owner not in war.scenario.sides or owner == war.phasing:
        return False
    return not any(war.holds(war.phasing, near) for near in war.board.touching[target])


def strike(war: War, target: str) -> None:
    side, rule = war.owner(target), war.tables.raw["landing_fire"]["coastal_air"]
    against_box = war.place(target).is_box and war.phasing == rule["stronger_boxes_against"]
    strength = rule["strength_of_boxes"] if against_box else rule["strength"]
    army = _struck(war, side, target)
    note_fought(war.state, army)
    roll = war.roll(target, about(COASTAL_AIR, army.id), ())
    hits = war.tables.firepower(strength, roll.total)
    seen_by = war.witnesses(target, side, army.side)
    war.emit(CoastalAirFired(side, army.id, army.side, target, strength, roll, hits, seen_by=seen_by))
    invaders_lose(war, [army], target, hits, side)


def _struck(war: War, side: str, target: str) -> Army:
    armies = invaders(war, target)
    order = most_precise(war.standing(side, Coastal), keys_of_place(war.board, target))
    if order is not None:
        return aimed_at(armies, order.aim, order.army)
    army = aimed_at(armies, "MOSTAMPH")
    if len(armies) > 1:
        remedy = f"STANDING COASTAL {target} AT BIGGEST, for one"
        war.default_used(side, "D-27", f"coastal air over {target} fires at {army.id}", remedy)
    return army
