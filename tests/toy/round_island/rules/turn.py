"""The moon as a list: every phase in the order of the rules. Nothing else decides order."""

from collections.abc import Mapping

from engine.dice import Dice
from engine.events import Event, Roll
from engine.game import Choice, Outcome, Side
from engine.orders import Sheet
from engine.phase import Phase
from tests.toy.round_island.rules.battle import BATTLE, SIDES_OF_DIE, attacker_wins, costs, modifiers
from tests.toy.round_island.rules.board import CRATER, SIDES, hexes, other, rim, scenarios, villages
from tests.toy.round_island.rules.events import (
    BattleFought,
    CraterRumbled,
    DefaultUsed,
    HexTaken,
    Marched,
    MoonBegan,
    Mustered,
    OrderRefused,
    SpearsBurned,
    StandingChanged,
    WarEnded,
)
from tests.toy.round_island.rules.orders import Rally
from tests.toy.round_island.rules.plan import Plan, plan_of, rallied
from tests.toy.round_island.rules.state import Band, State, spears_of
from tests.toy.round_island.rules.view import in_sight

ERUPTION = "eruption"
#: RI-6.2: how many of a hundred dice make the crater erupt.
CRATER_CHOICE = Choice(
    "crater",
    "30",
    "In how many of a hundred cases the crater erupts when it may; 0 lets it sleep.",
    ("0", "15", "30", "60"),
)


class War:
    """A war in the middle of a run: the position, and what is at hand for this run alone."""

    def __init__(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> None:
        self.state, self.sheets, self.dice = state, sheets, dice
        self.events: list[Event] = []
        self.plans: dict[Side, Plan] = {}
        self.standing_in: dict[str, dict[Side, int]] = {}

    @property
    def step(self) -> str:
        return self.state.step

    @step.setter
    def step(self, step: str) -> None:
        self.state.step = step

    @property
    def over(self) -> bool:
        return self.state.outcome is not None

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def roll(self, place: str, purpose: str, *modifiers: object) -> Roll:
        die, label = self.dice.die(place, purpose, SIDES_OF_DIE)
        return Roll(die, label, modifiers)


# ------------------------------------------------------------------ orders


def hear(war: War) -> None:
    """RI-9: sheets are read; who sent none follows his standing order, else everybody stands."""
    war.emit(MoonBegan(moon=war.state.moon))
    for side in SIDES:
        sheet = war.sheets.get(side, Sheet(side))
        change_standing(war, side, sheet)
        spears = spears_of(war.state, side)
        if any(not line.standing for line in sheet.lines):
            war.plans[side] = plan_of(spears, sheet.lines)
            refuse(war, side)
        else:
            war.plans[side] = default_of(war, side, spears)


def change_standing(war: War, side: Side, sheet: Sheet) -> None:
    """RI-9.2: the last one counts."""
    for line in [line for line in sheet.lines if line.standing][-1:]:
        rally = line.order.hex if isinstance(line.order, Rally) else ""
        war.state.standing[side] = rally
        war.emit(StandingChanged(side=side, rally=rally, seen_by=(side,)))


def refuse(war: War, side: Side) -> None:
    for each in war.plans[side].refused:
        lines = {side: (each.line.number,)}
        war.emit(OrderRefused(side=side, text=each.line.text, why=each.why, seen_by=(side,), lines=lines))


def default_of(war: War, side: Side, spears: Mapping[str, int]) -> Plan:
    goal = war.state.standing[side]
    war.emit(DefaultUsed(side=side, rallied_to=goal, seen_by=(side,)))
    return Plan(tuple(rallied(spears, goal))) if goal else Plan()


# ------------------------------------------------------------------ march and battle


def march(war: War) -> None:
    """RI-3.3: all leave before anybody arrives, so those who go against each other pass."""
    state = war.state
    war.standing_in = {hex_id: {band.side: band.spears} for hex_id, band in state.bands.items()}
    for side, plan in war.plans.items():
        for each in plan.marches:
            war.standing_in[each.origin][side] -= each.spears
    for side, plan in war.plans.items():
        for each in plan.marches:
            there = war.standing_in.setdefault(each.target, {})
            there[side] = there.get(side, 0) + each.spears
            war.emit(
                Marched(
                    side=side,
                    origin=each.origin,
                    target=each.target,
                    spears=each.spears,
                    seen_by=(side,),
                    lines={side: (each.line,)} if each.line else {},
                )
            )


def battle(war: War) -> None:
    """RI-4: hex by hex; who is left stands there and owns it (RI-2.1)."""
    state = war.state
    state.bands = {}
    for hex_id in hexes():
        there = {side: spears for side, spears in war.standing_in.get(hex_id, {}).items() if spears}
        if len(there) > 1:
            there = fight(war, hex_id, there)
        for side, spears in there.items():
            state.bands[hex_id] = Band(side, spears)
            take(war, hex_id, side)


def fight(war: War, hex_id: str, there: Mapping[Side, int]) -> dict[Side, int]:
    """Who is left."""
    defender = defender_of(war.state, hex_id, there)
    attacker = other(defender)
    attacking, defending = there[attacker], there[defender]
    roll = war.roll(hex_id, BATTLE, *modifiers(attacking, defending, hex_id))
    won = attacker_wins(roll.die, roll.total - roll.die)
    lost = costs(attacking, defending, won=won)
    war.emit(
        BattleFought(
            hex=hex_id,
            attacker=attacker,
            attacking=attacking,
            defending=defending,
            roll=roll,
            winner=attacker if won else defender,
            attacker_lost=lost.attacker,
            defender_lost=lost.defender,
            lines=lines_into(war, hex_id),
        )
    )
    return {attacker: attacking - lost.attacker} if won else {defender: defending - lost.defender}


def lines_into(war: War, hex_id: str) -> dict[Side, tuple[int, ...]]:
    """The lines by which either side has come to a hex."""
    found = {
        side: tuple(dict.fromkeys(each.line for each in plan.marches if each.target == hex_id and each.line))
        for side, plan in war.plans.items()
    }
    return {side: lines for side, lines in found.items() if lines}


def defender_of(state: State, hex_id: str, there: Mapping[Side, int]) -> Side:
    """RI-4.2: the owner; in a hex of nobody who has fewer spears there, and of equals Tide."""
    return state.owner.get(hex_id) or min(reversed(SIDES), key=lambda side: there[side])


def take(war: War, hex_id: str, side: Side) -> None:
    if war.state.owner.get(hex_id) != side:
        war.state.owner[hex_id] = side
        war.emit(HexTaken(hex=hex_id, side=side))


# ------------------------------------------------------------------ the volcano, and new spears


def crater_may_erupt(war: War) -> bool:
    """RI-6.1: after every second moon, if it does not sleep (RI-6.2)."""
    return war.state.moon % 2 == 0 and _heat(war.state) > 0


def _heat(state: State) -> int:
    return int(state.options.value(CRATER_CHOICE.name, CRATER_CHOICE.default))


def eruption(war: War) -> None:
    """RI-6.1: on the rim each band loses a spear."""
    roll = war.roll(CRATER, ERUPTION)
    erupts = roll.die <= _heat(war.state)
    war.emit(CraterRumbled(roll=roll, erupts=erupts))
    for hex_id in [each for each in rim() if erupts and each in war.state.bands]:
        burn(war, hex_id)


def burn(war: War, hex_id: str) -> None:
    band = war.state.bands[hex_id]
    watching = tuple(side for side in SIDES if hex_id in in_sight(war.state, side))
    war.emit(SpearsBurned(hex=hex_id, side=band.side, spears=1, seen_by=watching))
    if band.spears > 1:
        war.state.bands[hex_id] = Band(band.side, band.spears - 1)
    else:
        del war.state.bands[hex_id]


def muster(war: War) -> None:
    """RI-5: every village gives its owner a spear."""
    for hex_id in [each for each in villages() if each in war.state.owner]:
        side, band = war.state.owner[hex_id], war.state.bands.get(hex_id)
        war.state.bands[hex_id] = Band(side, 1 + (band.spears if band else 0))
        war.emit(Mustered(hex=hex_id, side=side, spears=1, seen_by=(side,)))


def end_of_moon(war: War) -> None:
    """RI-7: a clan without spears has lost; after the last moon the villages are counted."""
    state = war.state
    left = [side for side in SIDES if spears_of(state, side)]
    if len(left) < len(SIDES):
        state.outcome = Outcome(tuple(left) or SIDES, "the other clan has no spears left", "RI-7.1")
    elif state.moon == scenarios()[state.scenario].moons:
        state.outcome = counted(state)
    if state.outcome is not None:
        war.emit(WarEnded(outcome=state.outcome))
    else:
        state.moon += 1


def counted(state: State) -> Outcome:
    """RI-7.2: more villages, else more spears; RI-7.3: else nobody has won."""
    held = {side: sum(state.owner.get(hex_id) == side for hex_id in villages()) for side in SIDES}
    spears = {side: sum(spears_of(state, side).values()) for side in SIDES}
    for count, how in ((held, "more villages"), (spears, "as many villages and more spears")):
        best = [side for side in SIDES if count[side] == max(count.values())]
        if len(best) == 1:
            return Outcome(tuple(best), how, "RI-7.2")
    return Outcome(SIDES, "neither clan has more than the other", "RI-7.3")


MOON: tuple[Phase[War], ...] = (
    Phase("orders", "Orders", hear, lambda _war: True),
    Phase("march", "March", march),
    Phase("battle", "Battle", battle),
    Phase("eruption", "Eruption", eruption, played=crater_may_erupt),
    Phase("muster", "Muster", muster),
)
