"""Which lines of a sheet can get into each other's way.

A theatre is a set of lines that are followed together. Two armies share one if they attack or pass the same hex of the
enemy, if they sail past the same guns, or if a condition of one asks about the other or about a hex that it leaves or
comes to. What happens in one theatre is taken not to touch another.
"""

from collections.abc import Iterator, Sequence

import msgspec

from engine.grand_strategy.orders import (
    Attack,
    Branch,
    Compare,
    CompareDefence,
    Exploit,
    Invade,
    Rolled,
    Step,
    Taken,
    Test,
    Tests,
)
from engine.grand_strategy.rules.combat import after_their_leaders, announced_lines
from engine.grand_strategy.rules.exploitation import steps_of
from engine.grand_strategy.sea.invasion import landing_lines
from engine.grand_strategy.sea.naval_fire import passages
from engine.grand_strategy.war import War
from engine.orders import Line

RETURN = "RETURN"


class Theatre(msgspec.Struct, frozen=True):
    """Lines that are followed together, in the order they are carried out."""

    attacks: tuple[Line, ...]
    exploits: tuple[Line, ...]
    landings: tuple[Line, ...] = ()

    @property
    def initial(self) -> tuple[Line, ...]:
        """All landings are over before any other attack begins (HW-13.4)."""
        return self.landings + self.attacks

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.initial + self.exploits

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.order.hex for line in self.initial))


# ------------------------------------------------------------------ from a sheet to theatres


def whole_front(war: War) -> Theatre:
    """Every attack and landing that was announced, and every exploitation by an army that may come to it."""
    attacks, landings = announced_lines(war), landing_lines(war)
    may_go_on = {line.order.army for line in (*landings, *attacks) if tries_to_enter(line)}
    may_go_on |= {army.id for army in war.armies_of(war.phasing) if army.advanced and not army.finished}
    exploits = [line for line in after_their_leaders(war.lines_of(Exploit)) if line.order.army in may_go_on]
    return Theatre(tuple(attacks), tuple(exploits), tuple(landings))


def tries_to_enter(line: Line) -> bool:
    """An invader must try to come ashore (HW-13.6)."""
    order: Attack | Invade = line.order
    return isinstance(order, Invade) or order.advance is not None


def theatres(war: War, front: Theatre) -> list[Theatre]:
    """The front cut into theatres, in the order of their first lines."""
    group = {line.order.army: line.order.army for line in front.lines}
    asked = {place for line in front.lines for test in _tests_of(line) for place in places_asked_about(test)}
    touched: dict[str, str] = {}
    for line in front.lines:
        start = war.state.armies[line.order.army].place
        for place in (start, *places_of(war, line)):
            if place in asked or war.owner(place) != war.phasing:
                _join(group, line.order.army, touched.setdefault(place, line.order.army))
    for line in front.lines:
        for other in _armies_asked_about(line, touched):
            _join(group, line.order.army, other)
    for passage in passages(war) if front.landings else ():
        for army in passage.armies:
            _join(group, passage.armies[0], army)
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
        yield from (touched[place] for place in places_asked_about(test) if place in touched)


def _part(front: Theatre, armies: Sequence[str]) -> Theatre:
    return Theatre(
        tuple(line for line in front.attacks if line.order.army in armies),
        tuple(line for line in front.exploits if line.order.army in armies),
        tuple(line for line in front.landings if line.order.army in armies),
    )


def hex_by_hex(theatre: Theatre) -> list[Theatre]:
    """The same lines, those of the attackers of each hex by themselves."""
    attackers = {line.order.army: line.order.hex for line in theatre.initial}
    parts = [_part(theatre, [army for army in attackers if attackers[army] == place]) for place in theatre.targets]
    return parts + [Theatre((), (line,)) for line in theatre.exploits if line.order.army not in attackers]


def army_by_army(theatre: Theatre) -> list[Theatre]:
    """The same lines, with one exploitation at a time."""
    return [msgspec.structs.replace(theatre, exploits=(line,)) for line in theatre.exploits] or [theatre]


# ------------------------------------------------------------------ what lines touch and ask


def places_of(war: War, line: Line) -> tuple[str, ...]:
    order: Attack | Invade | Exploit = line.order
    if not isinstance(order, Exploit):
        return (order.hex,)
    hexes = [step.hex for entry in order.path for step in steps_of(entry) if step.hex != RETURN]
    return tuple(place for place in dict.fromkeys(hexes) if place in war.state.ground)


def _tests_of(line: Line) -> Tests:
    order: Attack | Invade | Exploit = line.order
    if isinstance(order, Exploit):
        on_the_way = [test for entry in order.path for test in (*tests_before(entry), *tests_of_fire(entry))]
        return (*stops(order), *on_the_way)
    return (*(order.assault or ()), *((order.advance or ()) if isinstance(order, Attack) else ()))


def stops(order: Exploit) -> Tests:
    return tuple(test for tests in order.stop_if for test in tests)


def tests_before(entry: Step | Branch) -> Tests:
    return entry.tests if isinstance(entry, Branch) else ()


def tests_of_fire(entry: Step | Branch) -> Tests:
    return tuple(test for step in steps_of(entry) for test in step.assault or ())


def places_asked_about(test: Test) -> tuple[str, ...]:
    match test:
        case Compare(hex=place) | Taken(hex=place) if place:
            return (place,)
        case CompareDefence():
            return (test.left, test.right)
        case _:
            return ()


def prefers_the_weak(theatre: Theatre) -> bool:
    """Whether no condition could make a stronger enemy the easier one: then the ends of a span are at its ends."""
    fire = [test for line in theatre.initial for test in line.order.assault or ()]
    forward = [test for line in theatre.attacks for test in line.order.advance or ()]
    halts = [test for line in theatre.exploits for test in stops(line.order)]
    on_the_way = [entry for line in theatre.exploits for entry in line.order.path]
    straight = all(isinstance(entry, Step) and not entry.assault for entry in on_the_way)
    return not fire and straight and all(map(_wants_weakness, forward)) and all(map(_fears_strength, halts))


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
