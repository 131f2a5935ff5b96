"""Which lines of a sheet can get into each other's way, and what they do one after the other.

A theatre is a set of lines that are followed together. Two armies share one if they attack or pass the same hex of the
enemy, or if a condition of one asks about the other. What happens in one theatre is taken not to touch another.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from engine.hitlers_war.advance import try_advance
from engine.hitlers_war.combat import (
    advance_of_line,
    after_their_leaders,
    announced_lines,
    assault_of_line,
    defensive_assault,
    finish_unless_advanced,
)
from engine.hitlers_war.exploitation import fire_onward, meet_defence, next_step, start
from engine.hitlers_war.orders import (
    Attack,
    Branch,
    Compare,
    CompareDefence,
    Exploit,
    Rolled,
    Step,
    Taken,
    TargetIs,
    Test,
    Tests,
)
from engine.hitlers_war.rehearsal import Horizon, Operation, Rehearsal
from engine.hitlers_war.war import War
from engine.orders import Line

RETURN = "RETURN"


class Theatre(msgspec.Struct, frozen=True):
    """Lines that are followed together, in the order they are carried out."""

    attacks: tuple[Line, ...]
    exploits: tuple[Line, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.attacks + self.exploits

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.order.hex for line in self.attacks))


# ------------------------------------------------------------------ from a sheet to theatres


def whole_front(war: War) -> Theatre:
    """Every attack that was announced, and every exploitation by an army that may come to it."""
    attacks = announced_lines(war)
    may_go_on = {line.order.army for line in attacks if line.order.advance is not None}
    may_go_on |= {army.id for army in war.armies_of(war.phasing) if army.advanced and not army.finished}
    exploits = [line for line in after_their_leaders(war.lines_of(Exploit)) if line.order.army in may_go_on]
    return Theatre(tuple(attacks), tuple(exploits))


def theatres(war: War, front: Theatre) -> list[Theatre]:
    """The front cut into theatres, in the order of their first lines."""
    group = {line.order.army: line.order.army for line in front.lines}
    touched: dict[str, str] = {}
    for line in front.lines:
        for place in _places_of(war, line):
            if war.owner(place) != war.phasing:
                _join(group, line.order.army, touched.setdefault(place, line.order.army))
    for line in front.lines:
        for other in _armies_asked_about(line, touched):
            _join(group, line.order.army, other)
    for line in front.exploits if _somebody_starts_twice(front.exploits) else ():
        _join(group, front.exploits[0].order.army, line.order.army)
    names = dict.fromkeys(group[line.order.army] for line in front.lines)
    return [_part(front, [army for army in group if group[army] == name]) for name in names]


def _join(group: dict[str, str], one: str, other: str) -> None:
    if other in group and group[one] != group[other]:
        old, new = group[other], group[one]
        group.update({army: new for army, name in group.items() if name == old})


def _somebody_starts_twice(exploits: Sequence[Line]) -> bool:
    """HW-8.7: an army with two lines is finished by any other that is started between them."""
    return len({line.order.army for line in exploits}) < len(exploits)


def _armies_asked_about(line: Line, touched: dict[str, str]) -> Iterator[str]:
    for test in _tests_of(line):
        if isinstance(test, Rolled):
            yield test.army
        yield from (touched[place] for place in _places_asked_about(test) if place in touched)


def _part(front: Theatre, armies: Sequence[str]) -> Theatre:
    return Theatre(
        tuple(line for line in front.attacks if line.order.army in armies),
        tuple(line for line in front.exploits if line.order.army in armies),
    )


def hex_by_hex(theatre: Theatre) -> list[Theatre]:
    """The same lines, those of the attackers of each hex by themselves."""
    attackers = {line.order.army: line.order.hex for line in theatre.attacks}
    parts = [_part(theatre, [army for army in attackers if attackers[army] == place]) for place in theatre.targets]
    return parts + [Theatre((), (line,)) for line in theatre.exploits if line.order.army not in attackers]


def army_by_army(theatre: Theatre) -> list[Theatre]:
    """The same lines, with one exploitation at a time."""
    return [Theatre(theatre.attacks, (line,)) for line in theatre.exploits] or [theatre]


# ------------------------------------------------------------------ what lines touch and ask


def _places_of(war: War, line: Line) -> tuple[str, ...]:
    order: Attack | Exploit = line.order
    if isinstance(order, Attack):
        return (order.hex,)
    hexes = [step.hex for entry in order.path for step in ways(entry) if step.hex != RETURN]
    return tuple(place for place in dict.fromkeys(hexes) if place in war.state.ground)


def ways(entry: Step | Branch) -> tuple[Step, ...]:
    return (entry.first, entry.second) if isinstance(entry, Branch) else (entry,)


def _tests_of(line: Line) -> Tests:
    order: Attack | Exploit = line.order
    if isinstance(order, Attack):
        return (*(order.assault or ()), *(order.advance or ()))
    on_the_way = [test for entry in order.path for test in (*_tests_before(entry), *_tests_of_fire(entry))]
    return (*_stops(order), *on_the_way)


def _stops(order: Exploit) -> Tests:
    return tuple(test for tests in order.stop_if for test in tests)


def _tests_before(entry: Step | Branch) -> Tests:
    return entry.tests if isinstance(entry, Branch) else ()


def _tests_of_fire(entry: Step | Branch) -> Tests:
    return tuple(test for step in ways(entry) for test in step.assault or ())


def _places_asked_about(test: Test) -> tuple[str, ...]:
    match test:
        case Compare(hex=place) | Taken(hex=place) if place:
            return (place,)
        case CompareDefence():
            return (test.left, test.right)
        case _:
            return ()


def prefers_the_weak(theatre: Theatre) -> bool:
    """Whether no condition could make a stronger enemy the easier one: then the ends of a span are at its ends."""
    fire = [test for line in theatre.attacks for test in line.order.assault or ()]
    forward = [test for line in theatre.attacks for test in line.order.advance or ()]
    stops = [test for line in theatre.exploits for test in _stops(line.order)]
    on_the_way = [entry for line in theatre.exploits for entry in line.order.path]
    straight = all(isinstance(entry, Step) and not entry.assault for entry in on_the_way)
    return not fire and straight and all(map(_wants_weakness, forward)) and all(map(_fears_strength, stops))


def _wants_weakness(test: Test) -> bool:
    """RANGE>=4, DEF<=3: it holds the sooner, the weaker the enemy is."""
    if not isinstance(test, Compare) or test.hex:
        return False
    return test.op in {"RANGE": (">", ">="), "DEF": ("<", "<=")}.get(test.subject, ())


def _fears_strength(test: Test) -> bool:
    """RANGE<2, DEF>=4, LOSS>=3: it holds the sooner, the stronger the enemy is."""
    if not isinstance(test, Compare) or test.hex:
        return False
    return test.op in {"RANGE": ("<", "<="), "DEF": (">", ">="), "LOSS": (">", ">=")}.get(test.subject, ())


# ------------------------------------------------------------------ one thing after the other


def operations(war: War, theatre: Theatre) -> list[Operation]:
    """The combat phase of a theatre, cut into pieces that roll one die (HW-8)."""
    return [*_defences(war, theatre), *_assaults(theatre), *_advances(theatre), *_exploitations(war, theatre)]


def _attackers(theatre: Theatre, target: str) -> frozenset[str]:
    return frozenset(line.order.army for line in theatre.attacks if line.order.hex == target)


def _defences(war: War, theatre: Theatre) -> Iterator[Operation]:
    for target in sorted(theatre.targets, key=war.board.rank.__getitem__):
        if war.owner(target) != war.phasing:
            run = partial(defensive_assault, target=target)
            yield Operation("defence", None, (target,), _attackers(theatre, target), run)


def _assaults(theatre: Theatre) -> Iterator[Operation]:
    for number, line in enumerate(theatre.attacks):
        order: Attack = line.order
        if order.assault is not None:
            run = partial(assault_of_line, lines=theatre.attacks, number=number)
            armies = _attackers(theatre, order.hex)
            tests = tuple(test for other in theatre.attacks[number:] for test in other.order.assault or ())
            yield Operation("assault", line, (order.hex,), armies, run, tests=tests)


def _advances(theatre: Theatre) -> Iterator[Operation]:
    for line in theatre.attacks:
        order: Attack = line.order
        if order.advance is not None:
            run = partial(advance_of_line, line=line)
            yield Operation("advance", line, (order.hex,), frozenset({order.army}), run, tests=order.advance)


def _exploitations(war: War, theatre: Theatre) -> Iterator[Operation]:
    for line in theatre.exploits:
        order: Exploit = line.order
        behind = _places_behind(war, theatre, order.army)
        for number, entry in enumerate(order.path):
            places = _places_of_entry(war, entry, behind)
            piece = partial(Operation, line=line, places=places, armies=frozenset({order.army}), entry=number)
            before = (*_stops(order), *_tests_before(entry))
            yield piece("meet", run=partial(_meet, order=order, number=number), tests=before)
            yield piece("fire", run=partial(_fire, order=order), tests=_tests_of_fire(entry))
            yield piece("enter", run=partial(_enter, order=order))
            behind = (*behind, *places)


def _places_behind(war: War, theatre: Theatre, army: str) -> tuple[str, ...]:
    """Where an army may have been when its exploitation starts."""
    target = next((line.order.hex for line in theatre.attacks if line.order.army == army), "")
    known = war.state.armies[army]
    return tuple(place for place in (known.came_from, known.place, target) if place)


def _places_of_entry(war: War, entry: Step | Branch, behind: tuple[str, ...]) -> tuple[str, ...]:
    hexes = [step.hex for step in ways(entry)]
    places = [place for place in hexes if place in war.state.ground]
    return tuple(dict.fromkeys((*places, *behind) if RETURN in hexes else places))


def _meet(war: Rehearsal, order: Exploit, number: int) -> None:
    """Choose the next step and stand the defender's fire; before the first step the army must be free to start."""
    if number == 0:
        war.under_way = _is_started(war, order)
    if not war.under_way:
        return
    army = war.state.armies[order.army]
    war.onward = next_step(war, army, order, order.path[number])
    if war.onward is not None:
        meet_defence(war, army, war.onward)
    if war.onward is None or army.id not in war.state.armies:
        _end(war)


def _is_started(war: Rehearsal, order: Exploit) -> bool:
    army = war.state.armies.get(order.army)
    if army is not None:
        finish_unless_advanced(army)
    return start(war, order) is not None


def _fire(war: Rehearsal, order: Exploit) -> None:
    if war.onward is not None:
        fire_onward(war, war.state.armies[order.army], war.onward)


def _enter(war: Rehearsal, order: Exploit) -> None:
    if war.onward is None:
        return
    target, war.onward = war.onward.hex, None
    if not try_advance(war, war.state.armies[order.army], target):
        _end(war)


def _end(war: Rehearsal) -> None:
    war.under_way, war.onward = False, None


# ------------------------------------------------------------------ what matters later


def horizons(war: War, pieces: Sequence[Operation]) -> list[Horizon]:
    """For each operation what matters after it, found from the last one backwards."""
    horizon, found = Horizon(), []
    for number in reversed(range(len(pieces))):
        found.append(_seen_from(war, horizon, pieces, number))
        horizon = _with_operation(war, horizon, pieces[number])
    return found[::-1]


def before_everything(war: War, pieces: Sequence[Operation]) -> Horizon:
    horizon = Horizon()
    for piece in reversed(pieces):
        horizon = _with_operation(war, horizon, piece)
    return horizon


def _seen_from(war: War, later: Horizon, pieces: Sequence[Operation], number: int) -> Horizon:
    here = pieces[number]
    same_line = here.exploits and number + 1 < len(pieces) and pieces[number + 1].line is here.line
    other = frozenset().union(*(piece.armies for piece in pieces[number + 1 :] if piece.line is not here.line))
    return msgspec.structs.replace(
        later,
        armies=other if here.exploits else later.armies,
        at_hand=next(iter(here.armies)) if same_line else "",
        refuges=_refuges(war, here, later),
    )


def _refuges(war: War, piece: Operation, later: Horizon) -> frozenset[str]:
    """Where armies that an operation displaces may go, if anybody may meet them there."""
    left = [place for place in piece.places if piece.displaces and war.owner(place) != war.phasing]
    met = [place for place in left if not later.places.isdisjoint(war.board.for_retreat[place])]
    return frozenset(refuge for place in met for refuge in war.board.for_retreat[place])


def _with_operation(war: War, later: Horizon, piece: Operation) -> Horizon:
    """What matters before an operation: what it touches and asks, and what matters after it."""
    asked = frozenset(place for test in piece.tests for place in _places_asked_about(test))
    if any(isinstance(test, TargetIs) or (isinstance(test, Compare) and test.subject == "DEF") for test in piece.tests):
        asked |= frozenset(piece.places)
    refuges = _refuges(war, piece, later)
    return Horizon(
        armies=later.armies | piece.armies,
        rolled=later.rolled | {test.army for test in piece.tests if isinstance(test, Rolled)},
        places=later.places | refuges | asked | frozenset(piece.places),
        asked_about=later.asked_about | asked,
        losses=later.losses or any(isinstance(test, Compare) and test.subject == "LOSS" for test in piece.tests),
        retreats=later.retreats or bool(refuges),
    )
