"""The combat phase of a theatre, cut into pieces that roll one die, and what matters after each (HW-8, HW-13)."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from engine.grand_strategy.odds.rehearsal import Horizon, Operation, Rehearsal
from engine.grand_strategy.odds.theatre import RETURN, Theatre, places_asked_about, stops, tests_before, tests_of_fire
from engine.grand_strategy.orders import Attack, Branch, Compare, Exploit, Invade, Rolled, Step, TargetIs
from engine.grand_strategy.rules.advance import try_advance
from engine.grand_strategy.rules.combat import (
    advance_of_line,
    assault_of_line,
    defensive_assault,
    finish_unless_advanced,
    tests_to_fire,
)
from engine.grand_strategy.rules.exploitation import fire_onward, meet_defence, next_step, start, steps_of
from engine.grand_strategy.sea.invasion import defend_shore, invaders, land
from engine.grand_strategy.sea.naval_fire import Guns, Passage, has_coastal_air, is_supported, passages, strike, support
from engine.grand_strategy.war import War
from engine.orders import Line


def operations(war: War, theatre: Theatre) -> list[Operation]:
    """Everything the lines of a theatre do, one after the other."""
    return [
        *_landings(war, theatre),
        *_defences(war, theatre),
        *_assaults(theatre.attacks),
        *_advances(theatre),
        *_exploitations(war, theatre),
    ]


def _armies_against(lines: Sequence[Line], target: str) -> frozenset[str]:
    return frozenset(line.order.army for line in lines if line.order.hex == target)


# ------------------------------------------------------------------ landings


def _landings(war: War, theatre: Theatre) -> Iterator[Operation]:
    """HW-13.6: the steps in the order of the rules, all invaders together."""
    lines = theatre.landings
    targets = tuple(dict.fromkeys(line.order.hex for line in lines))
    yield from _passages(war, lines)
    for target in targets:
        if is_supported(war, target):
            yield Operation("support", None, (target,), _armies_against(lines, target), partial(support, target=target))
    for target in targets:
        if has_coastal_air(war, target):
            yield Operation("air", None, (target,), _armies_against(lines, target), partial(_strike, target=target))
    for target in targets:
        if war.owner(target) != war.phasing:
            run = partial(defend_shore, target=target)
            yield Operation("shore", None, (target,), _armies_against(lines, target), run)
    yield from _assaults(lines)
    for line in lines:
        order: Invade = line.order
        yield Operation("advance", line, (order.hex,), frozenset({order.army}), partial(land, line=line))


def _passages(war: War, lines: Sequence[Line]) -> Iterator[Operation]:
    """One operation for each fire of the enemy's navy at the armies of these lines."""
    sailing = [line.order.army for line in lines]
    for passage in passages(war) if lines else ():
        passing = tuple(army for army in passage.armies if army in sailing)
        if passing:
            run = partial(_fire_at_passage, passage=msgspec.structs.replace(passage, armies=passing))
            yield from [Operation("naval", None, (), frozenset(passing), run)] * passage.fires


def _fire_at_passage(war: Rehearsal, passage: Passage) -> None:
    """The enemy is known to have no orders here, so that each fire is chosen without regard to the others (D-26)."""
    Guns(war, [passage]).fire(passage)


def _strike(war: Rehearsal, target: str) -> None:
    if invaders(war, target):
        strike(war, target)


# ------------------------------------------------------------------ attacks by land


def _defences(war: War, theatre: Theatre) -> Iterator[Operation]:
    targets = {line.order.hex for line in theatre.attacks}
    for target in sorted(targets, key=war.board.rank.__getitem__):
        if war.owner(target) != war.phasing:
            run = partial(defensive_assault, target=target)
            yield Operation("defence", None, (target,), _armies_against(theatre.attacks, target), run)


def _assaults(lines: Sequence[Line]) -> Iterator[Operation]:
    for number, line in enumerate(lines):
        order: Attack | Invade = line.order
        if tests_to_fire(order) is not None:
            run = partial(assault_of_line, lines=lines, number=number)
            armies = _armies_against(lines, order.hex)
            tests = tuple(test for other in lines[number:] for test in other.order.assault or ())
            yield Operation("assault", line, (order.hex,), armies, run, tests=tests)


def _advances(theatre: Theatre) -> Iterator[Operation]:
    for line in theatre.attacks:
        order: Attack = line.order
        if order.advance is not None:
            run = partial(advance_of_line, line=line)
            yield Operation("advance", line, (order.hex,), frozenset({order.army}), run, tests=order.advance)


# ------------------------------------------------------------------ exploitation


def _exploitations(war: War, theatre: Theatre) -> Iterator[Operation]:
    for line in theatre.exploits:
        order: Exploit = line.order
        behind = _places_behind(war, theatre, order.army)
        for number, entry in enumerate(order.path):
            places = _places_of_entry(war, entry, behind)
            piece = partial(Operation, line=line, places=places, armies=frozenset({order.army}), entry=number)
            before = (*stops(order), *tests_before(entry))
            yield piece("meet", run=partial(_meet, order=order, number=number), tests=before)
            yield piece("fire", run=partial(_fire, order=order), tests=tests_of_fire(entry))
            yield piece("enter", run=partial(_enter, order=order))
            behind = (*behind, *places)


def _places_behind(war: War, theatre: Theatre, army: str) -> tuple[str, ...]:
    """Where an army may have been when its exploitation starts."""
    target = next((line.order.hex for line in theatre.initial if line.order.army == army), "")
    known = war.state.armies[army]
    return tuple(place for place in (known.came_from, known.place, target) if place)


def _places_of_entry(war: War, entry: Step | Branch, behind: tuple[str, ...]) -> tuple[str, ...]:
    hexes = [step.hex for step in steps_of(entry)]
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
    asked = frozenset(place for test in piece.tests for place in places_asked_about(test))
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
