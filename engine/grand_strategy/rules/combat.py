"""The initial attack sub-phase: announcement, defensive assaults, assaults, advances (HW-8)."""

from collections.abc import Sequence

from engine.grand_strategy.conditions import (
    Circumstance,
    advance_range,
    all_hold,
    assault_strength,
    defensive_strength,
    fire_modifiers,
)
from engine.grand_strategy.events import AttackAnnounced, ConditionFailed, Fired, StackCulled
from engine.grand_strategy.orders import Attack, Defend, Invade, Tests
from engine.grand_strategy.policy import keys_of_army, most_precise
from engine.grand_strategy.rolls import ASSAULT, DEFENCE, about
from engine.grand_strategy.rulebook import Refusal
from engine.grand_strategy.rules.advance import try_advance
from engine.grand_strategy.rules.losses import attackers_lose, defenders_lose, invaders_lose
from engine.grand_strategy.sight import note_fought
from engine.grand_strategy.state import NEUTRAL, UNALIGNED, Army, Container
from engine.grand_strategy.war import MOST_FIREPOWER, War
from engine.orders import Line

#: HOLD keeps the shot until the hex would otherwise be entered this easily (D-13).
HOLD_FIRES_AT_RANGE = 5


# ------------------------------------------------------------------ announcement


def announce(war: War) -> None:
    """HW-8.4: every army that will attack and its single target; armies not named cannot attack this player-turn."""
    for line in war.lines_of(Attack):
        order: Attack = line.order
        why, remedy = why_not_attack(war, order.army, order.hex)
        if why:
            war.refuse(line, why, remedy, order.army)
            continue
        with war.carrying_out(line):
            _announce(war, order)


def _announce(war: War, order: Attack) -> None:
    army = war.state.armies[order.army]
    army.target = order.hex
    army.may_advance = order.advance is not None
    note_attack(war, army.target)
    war.emit(AttackAnnounced(army.side, army.id, army.place, army.target, seen_by=war.seeing(army.place, army.target)))


def why_not_attack(war: War, army_id: str, target: str) -> tuple[str, str]:
    """Why an army may not be named against a hex, and what would work; empty if it may."""
    why = why_not_ready(war, army_id)
    return why if why[0] else why_not_target(war, war.state.armies[army_id], target)


def why_not_ready(war: War, army_id: str) -> tuple[str, str]:
    """Why an army may not attack anything at all."""
    army = war.state.armies.get(army_id)
    if army is None or army.side != war.phasing:
        return why_not_on_the_map(war, army_id)
    if army.target:
        return f"{army_id} is already named against {army.target} (HW-8.4)", "name each army once"
    if army.unsupplied:
        return f"{army_id} is out of supply and may not attack (HW-10.6)", "reopen its supply with other armies"
    if army.locked:
        when = war.lock_ends(army)
        return f"{army_id} may not attack before {when} (HW-15.6, HW-22.3)", f"leave the line for {when}"
    return "", ""


def why_not_on_the_map(war: War, army_id: str) -> tuple[str, str]:
    culled = [event.place for event in war.events if isinstance(event, StackCulled) and event.army == army_id]
    if culled:
        why = f"{army_id} is lost before: more than ten points stand in {culled[0]} (HW-7.3)"
        return why, f"GOTO {army_id} <hex>, so that ten are left"
    yours = ", ".join(other.id for other in war.armies_of(war.phasing)) or "none"
    return war.why_it_waits(army_id) or f"{army_id} is not on the map", f"your armies are: {yours}"


def why_not_target(war: War, army: Army, target: str) -> tuple[str, str]:
    """HW-8.3, HW-9.15, HW-15.5: the target must touch the army's hex where attacks may go, and be in the war."""
    near = war.attack_links[army.place]
    if target not in near:
        edge = war.board.grid.edge(army.place, target)
        reachable = [place for place in near if war.is_open_to_attack(place)]
        remedy = f"from {army.place} it can attack {', '.join(reachable) or 'nothing'}"
        if edge is not None:
            between = "a strait parts" if edge.kind == "crossing" else "only open sea joins"
            return f"{between} {army.place} and {target} (HW-9.15)", remedy + war.rules.by_water(army.id, target)
        return f"{target} is not next to {army.place} (HW-8.3)", remedy
    return why_closed(war, target)


def note_attack(war: War, target: str) -> None:
    """HW-19.10: an announced attack, invasion or exploitation attack counts, whatever comes of it."""
    if war.owner(target) != war.phasing:
        for attacked in war.rules.attacked:
            attacked(war, target)


def why_closed(war: War, target: str) -> Refusal:
    """Why the phasing side may not attack a place at all, and what would work; empty if it may."""
    side, owner = war.phasing, war.owner(target)
    if owner == side or owner in war.enemies_of(side):
        return "", ""
    if owner == UNALIGNED:
        return war.rules.unaligned(war, target)
    if owner == NEUTRAL:
        return war.rules.closed(war, target)
    return war.rules.at_peace(war, target, owner)


def in_sequence(lines: Sequence[Line]) -> list[Line]:
    """Line order, unless SEQ numbers or AFTER say otherwise."""
    waiting = sorted(lines, key=lambda line: (line.order.seq is None, line.order.seq or 0))
    return after_their_leaders(waiting)


def after_their_leaders(lines: Sequence[Line]) -> list[Line]:
    """Move each line with AFTER behind the line of the army it waits for; a circle is cut at its first line."""
    waiting, ordered = list(lines), []
    named = {line.order.army for line in waiting}
    done: set[str] = set()
    while waiting:
        ready = next((line for line in waiting if line.order.after not in named - done), waiting[0])
        waiting.remove(ready)
        ordered.append(ready)
        done.add(ready.order.army)
    return ordered


def announced_lines(war: War) -> list[Line]:
    """The attack lines that were taken, in the order they are carried out, for armies that still live."""
    first: dict[str, Line] = {}
    for line in war.lines_of(Attack):
        army = war.state.armies.get(line.order.army)
        if army is not None and army.target == line.order.hex and not (army.invading or came_by_sea(army)):
            first.setdefault(army.id, line)
    return in_sequence(list(first.values()))


# ------------------------------------------------------------------ defensive assaults


def defensive_assaults(war: War) -> None:
    """HW-8.5: every target hex in row-letter then number order, before any of the attacker's assaults."""
    attackers = [army for army in war.armies_of(war.phasing) if army.target and not came_by_sea(army)]
    lines = announced_lines(war)
    for target in sorted({army.target for army in attackers}, key=war.board.rank.__getitem__):
        with war.carrying_out(*(line for line in lines if line.order.hex == target)):
            defensive_assault(war, target)


def defensive_assault(war: War, target: str) -> None:
    """What stands in a target hex fires at all the armies named against it, unless a landing has just taken it."""
    attackers = [army for army in war.armies_of(war.phasing) if army.target == target and not came_by_sea(army)]
    exposed = [army for army in attackers if army.strength]
    if exposed and war.owner(target) != war.phasing:
        defend(war, target, exposed, initial=True)


def came_by_sea(army: Army) -> bool:
    """All landings are over before the other attacks begin (HW-13.4): they succeeded or ended the army's turn."""
    return army.advanced > 0 or army.finished


def defend(war: War, target: str, exposed: Sequence[Army], *, initial: bool) -> None:
    """All armies in the hex, and its fort, that have not fired and want to fire make one roll (HW-8.11, HW-14.4)."""
    here = war.state.containers_in(target)
    able = [army for army in here if not army.fired_in_defence and defensive_strength(war, army)]
    firing = [army for army in able if _wants_to_fire(war, army, exposed, initial=initial)]
    if not firing:
        return
    for army in firing:
        army.fired_in_defence = True
    strength = min(MOST_FIREPOWER, sum(defensive_strength(war, army) for army in firing))
    if exposed[0].invading:
        hits = fire(war, firing, target, target, strength, defensive=True)
        invaders_lose(war, exposed, target, hits, war.owner(target))
    else:
        hits = fire(war, firing, target, exposed[0].place, strength, defensive=True)
        attackers_lose(war, exposed, target, hits)


def _wants_to_fire(war: War, army: Container, exposed: Sequence[Army], *, initial: bool) -> bool:
    """D-13: the owner's DEFEND order, else the first chance is used, since an unused shot dies with its army."""
    order = most_precise(war.standing(army.side, Defend), keys_of_army(war.board, army))
    if order is None:
        kind = war.kind_of(army)
        who, where = (f"the {kind.id}", army.place) if kind.is_of_its_place else (army.id, army.id)
        what = f"{who} fires in defence of {army.place} at once"
        war.default_used(army.side, "D-13", what, f"STANDING DEFEND {where} HOLD")
        return True
    match order.policy:
        case "NOW" | "INVADERS":
            return True
        case "LAND":  # D-32: only where land attackers are to come as well
            return not (exposed[0].invading and _is_attacked_by_land(war, army.place))
        case "NEVER":
            return False
        case "EXPLOIT-ONLY":
            return not initial
        case "HOLD":
            return any(
                (attacker.may_advance or not initial)
                and advance_range(war, attacker, army.place) >= HOLD_FIRES_AT_RANGE
                for attacker in exposed
            )
        case _:
            return all_hold(order.tests, Circumstance(war, army, army.place, attackers=len(exposed)))


def _is_attacked_by_land(war: War, place: str) -> bool:
    return any(army.target == place and not army.invading for army in war.armies_of(war.phasing))


def fire(war: War, firing: Sequence[Container], place: str, target: str, strength: int, *, defensive: bool) -> int:
    """One roll on the Firepower Table (HW-8.9). `place` is the hex the firing armies stand in.

    Between an army at sea and the hex it lands on, both are that hex: where the army sailed from is its secret.
    """
    purpose = DEFENCE if defensive else about(ASSAULT, target)
    named = [unit for unit in firing if not war.kind_of(unit).is_of_its_place]
    armies = [unit for unit in named if isinstance(unit, Army)]
    roll = war.roll(place, purpose, fire_modifiers(war, armies[0]) if armies else [])
    hits = war.tables.firepower(strength, roll.total)
    seen_by = war.witnesses(target, war.phasing, war.owner(target)) if place == target else war.seeing(place, target)
    for army in armies:
        note_fought(war.state, army)
    war.emit(
        Fired(
            firing[0].side,
            defensive,
            tuple(unit.id for unit in named),
            place,
            target,
            strength,
            roll,
            hits,
            fort=len(named) < len(firing),
            exploitation=war.is_exploitation,
            seen_by=seen_by,
        )
    )
    return hits


# ------------------------------------------------------------------ assaults


def assaults(war: War) -> None:
    """HW-8.6: line by line."""
    assaults_of(war, announced_lines(war))


def assaults_of(war: War, lines: Sequence[Line]) -> None:
    for number in range(len(lines)):
        assault_of_line(war, lines, number)


def assault_of_line(war: War, lines: Sequence[Line], number: int) -> None:
    """HW-8.11, A-21: the assault of one line's army, together with those of later lines that fire from its hex at its
    target."""
    army = war.state.armies.get(lines[number].order.army)
    if army is None or _has_rolled_from(war, army) or not _wants_to_assault(war, lines[number]):
        return
    together = [
        other for other in lines[number + 1 :] if _fires_with(war, other, army) and _wants_to_assault(war, other)
    ]
    with war.carrying_out(lines[number], *together):
        assault(war, [army, *(war.state.armies[line.order.army] for line in together)], army.target)


def _has_rolled_from(war: War, army: Army) -> bool:
    """Whether armies of this one's hex have made their roll against its target, by land or by sea like itself."""
    together = (army.place, army.target, came_by_sea(army))
    return any(
        other.assaulted and (other.place, other.target, came_by_sea(other)) == together
        for other in war.armies_of(army.side)
    )


def _fires_with(war: War, line: Line, army: Army) -> bool:
    other = war.state.armies.get(line.order.army)
    return other is not None and (other.place, other.target) == (army.place, army.target)


def _wants_to_assault(war: War, line: Line) -> bool:
    army = war.state.armies[line.order.army]
    tests = tests_of_assault(war, army, line.order)
    return tests is not None and all_hold(tests, Circumstance(war, army, army.target))


def tests_of_assault(war: War, army: Army, order: Attack | Invade) -> Tests | None:
    """What the assault of an announced attack hangs on; None if the army is not to fire, or cannot."""
    if army.assaulted or not assault_strength(war, army, army.target):
        return None
    if war.owner(army.target) == army.side:
        return None  # HW-8.17
    return tests_to_fire(order)


def tests_to_fire(order: Attack | Invade) -> Tests | None:
    """None if it is not to fire. An army that lands fires unless it is told to save its shot (D-30)."""
    if isinstance(order, Invade) and not order.save:
        return order.assault or ()
    return order.assault


def assault(war: War, armies: Sequence[Army], target: str) -> None:
    """The attacker's one assault of the player-turn for each of these armies."""
    for army in armies:
        army.assaulted = True
    strength = min(MOST_FIREPOWER, sum(assault_strength(war, army, target) for army in armies))
    for defender in war.armies_in(target):
        note_fought(war.state, defender)
    place = target if armies[0].invading else armies[0].place
    hits = fire(war, armies, place, target, strength, defensive=False)
    defenders_lose(war, target, hits)


# ------------------------------------------------------------------ advances


def advances(war: War) -> None:
    """HW-8.6: all assaults come before any advance; then line by line."""
    for line in announced_lines(war):
        with war.carrying_out(line):
            advance_of_line(war, line)
    for army in war.armies_of(war.phasing):
        finish_unless_advanced(army)


def advance_of_line(war: War, line: Line) -> None:
    army = war.state.armies.get(line.order.army)
    if war.over or army is None or line.order.advance is None:
        return
    if all_hold(line.order.advance, Circumstance(war, army, army.target)):
        try_advance(war, army, army.target)
    else:
        war.emit(ConditionFailed(army.side, line.text, army.id))


def finish_unless_advanced(army: Army) -> None:
    """HW-8.7: only armies that advanced go on."""
    army.finished = army.finished or not army.advanced
