"""A battle fought with every die there is: the engine itself, each phase run once for all the ways its dice may fall."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from fractions import Fraction

import msgspec

from engine.dice import DiceRanOut, ForcedDice
from engine.events import Event
from engine.grand_strategy.events import (
    ArmyAdvanced,
    ArmyEliminated,
    ArmyLanded,
    Fired,
    FortPointsLost,
    GarrisonLost,
    PlaceCaptured,
    PointsLost,
)
from engine.grand_strategy.hearing import hear_sheets
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.rules.combat import advances, announce, assaults, defensive_assaults
from engine.grand_strategy.rules.exploitation import exploit
from engine.grand_strategy.rules.movement import move
from engine.grand_strategy.sea.invasion import announce_invasions, landing_advances, landing_assaults, landing_defence
from engine.grand_strategy.sea.naval_fire import coastal_air, fire_at_passing_armies, support_landings
from engine.grand_strategy.state import Memory, State
from engine.grand_strategy.turn import begin_player_turn
from engine.grand_strategy.war import War
from engine.hitlers_war.rulebook import setting_of
from engine.orders import Line, Sheet

#: The fires that meet a landing, by the words of the forecast.
FIRES_AT_SEA = {
    "naval fire": fire_at_passing_armies,
    "support fire": support_landings,
    "coastal air": coastal_air,
    "defence of the hex": landing_defence,
}
LANDINGS = (*FIRES_AT_SEA.values(), landing_assaults, landing_advances)
PHASES = (defensive_assaults, assaults, advances, exploit)
OVERSEAS = LANDINGS + PHASES


Phase = Callable[[War], None]
Weighed = tuple[State, Fraction]  # a position, and how often it is reached


class EveryDie:
    """How often each thing happens, out of one."""

    def __init__(self) -> None:
        self.battles = 0
        self.invaders: set[str] = set()
        self.own_losses: dict[str, Counter[int]] = defaultdict(Counter)  # by army
        self.enemy_losses: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)  # by armies that fired
        self.advances: Counter[tuple[str, str, int]] = Counter()  # by army, hex and number of the advance
        self.taken: Counter[str] = Counter()
        self.lost_at_sea: Counter[tuple[str, str]] = Counter()  # on average, by fire and army or hex


def fight(state: State, sheet: Sheet, phases: Sequence = PHASES) -> EveryDie:
    war = _war(_as_run(state), ForcedDice([]))
    hear_sheets(war, {war.phasing: sheet})
    if defensive_assaults in phases:
        for phase in (begin_player_turn, move, announce, announce_invasions):
            phase(war)
    attacked = {word for line in war.lines for word in re.findall(r"[A-Z]\d+", str(line.order))}
    tried, reached = EveryDie(), {b"": (war.state, Fraction(1))}
    tried.invaders = {army.id for army in war.state.armies.values() if army.invading}
    for phase in phases:
        reached = _every_end(tried, phase, reached.values(), war.lines, attacked)
    assert sum(chance for _, chance in reached.values()) == 1
    return tried


def _as_run(state: State) -> State:
    return msgspec.json.decode(msgspec.json.encode(state, order="deterministic"), type=State)


def _war(state: State, dice: ForcedDice) -> War:
    return War(setting_of(state.scenario, state.options), state, dice)


def _every_end(
    tried: EveryDie, phase: Phase, starts: Iterable[Weighed], lines: list[Line], attacked: set[str]
) -> dict[bytes, Weighed]:
    """Where a phase can lead with all its dice, and how often. Starts that are equal in everything are played once."""
    ends: dict[bytes, Weighed] = {}
    for state, chance in starts:
        for dice, war in _every_run(state, phase, lines, attacked):
            share = chance / 6**dice
            tried.battles += 1
            _count(tried, phase, war.events, share)
            key = _everything(war.state, attacked)
            ends[key] = war.state, share + (ends[key][1] if key in ends else 0)
    return ends


def _every_run(state: State, phase: Phase, lines: list[Line], attacked: set[str]) -> Iterator[tuple[int, War]]:
    """Each way the dice of a phase may fall: how many fell, and the war after it."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        rolls = waiting.pop()
        war = _war(_copied(state, attacked), ForcedDice(rolls))
        war.lines = lines
        try:
            phase(war)
        except DiceRanOut:  # one die more is wanted: again with each of the six
            waiting += [(*rolls, die) for die in range(1, 7)]
            continue
        yield len(rolls), war


def _everything(state: State, attacked: set[str]) -> bytes:
    """All that a battle can change."""
    ground = {place: state.ground[place] for place in attacked}
    facts = (state.armies, state.forts, state.taken, state.ungarrisoned, state.exploiting, state.outcome, ground)
    return msgspec.json.encode(facts, order="deterministic")


def _copied(state: State, attacked: set[str]) -> State:
    """Only hexes that are attacked can change hands."""
    return msgspec.structs.replace(
        state,
        ground=state.ground | {place: copy(state.ground[place]) for place in attacked},
        armies={army.id: copy(army) for army in state.armies.values()},
        memory={side: Memory() for side in state.memory},
        taken=dict(state.taken),
        ungarrisoned=dict(state.ungarrisoned),
        forts={place: copy(fort) for place, fort in state.forts.items()},
    )


def _count(tried: EveryDie, phase: Phase, events: Sequence[Event], chance: Fraction) -> None:
    for name in [name for name, fires in FIRES_AT_SEA.items() if fires is phase]:
        for who, points in _losses(events).items():
            tried.lost_at_sea[name, who] += chance * points
    if phase is defensive_assaults:
        for army, points in _losses(events).items():
            tried.own_losses[army][points] += chance
    if phase in (landing_assaults, assaults):
        for armies, points in _losses_by_fire(events).items():
            tried.enemy_losses[armies][points] += chance
    if phase in (landing_advances, advances):
        for place in [event.place for event in events if isinstance(event, PlaceCaptured)]:
            tried.taken[place] += chance
    if phase in (landing_advances, advances, exploit):
        _count_advances(tried, events, chance, first=int(phase is exploit))


def _losses(events: Sequence[Event]) -> Counter[str]:
    losses: Counter[str] = Counter()
    for event in events:
        if isinstance(event, PointsLost | ArmyEliminated):
            losses[event.army] += event.count
        elif isinstance(event, GarrisonLost):
            losses["garrison"] += 1
        elif isinstance(event, FortPointsLost):
            losses["fort"] += event.count
    return losses


def _losses_by_fire(events: Sequence[Event]) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    starts = [number for number, event in enumerate(events) if isinstance(event, Fired)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=False):
        fired = events[start]
        assert isinstance(fired, Fired)
        found[fired.armies] = sum(_losses(events[start:end]).values())
    return found


def _count_advances(tried: EveryDie, events: Sequence[Event], chance: Fraction, first: int) -> None:
    number: Counter[str] = Counter()
    for event in events:
        if isinstance(event, ArmyAdvanced | ArmyLanded):
            tried.advances[event.army, event.place, first + number[event.army]] += chance
            number[event.army] += 1


# ------------------------------------------------------------------ comparing


def compare(odds: Sequence[Odds], tried: EveryDie) -> None:
    """Every number of a forecast is what the dice say, to the last fraction."""
    for row in odds:
        where = f"{row.who} at {row.where}, step {row.step}"
        if row.success is not None and row.where != "RETURN":
            assert row.success.is_exact, where
            assert row.success.least == tried.advances[row.who, row.where, row.step], where
        if row.taken is not None:
            assert row.taken.least == row.taken.most == tried.taken[row.where], where
        if row.who in tried.invaders and not row.step:
            _compare_parts(row, tried, where)
        elif row.suffered is not None:
            assert row.suffered_spread == _spread(tried.own_losses[row.who]), where
        if row.inflicted is not None:
            together = {row.who, *row.fires_with}
            fires = [losses for armies, losses in tried.enemy_losses.items() if set(armies) <= together]
            assert row.inflicted_spread == _spread(sum(fires, Counter())), where


def _compare_parts(row: Odds, tried: EveryDie, where: str) -> None:
    """What each fire costs, and that no fire at the army is left out."""
    told = {part.what.partition(",")[0]: part for part in row.parts}
    for name in FIRES_AT_SEA:
        mine = tried.lost_at_sea[name, row.who]
        assert mine == (told[name].suffered.least if name in told and told[name].suffered else 0), (where, name)
    if "support fire" in told:
        others = [lost for (name, _), lost in tried.lost_at_sea.items() if name == "support fire"]
        assert told["support fire"].inflicted.least == sum(others), where
    at_sea = [lost for (_, army), lost in tried.lost_at_sea.items() if army == row.who]
    assert row.suffered.least == row.suffered.most == sum(at_sea), where


def _spread(losses: Counter[int]) -> tuple[Fraction, ...]:
    some = [Fraction(losses[points]) for points in range(1, max((p for p in losses if p), default=0) + 1)]
    return (1 - sum(some, Fraction(0)), *some)
