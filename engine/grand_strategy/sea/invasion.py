"""Amphibious invasions: announcement with routes, then their steps, all armies together (HW-13, HW-40.2)."""

from collections.abc import Sequence

from engine.grand_strategy.events import InvasionAnnounced
from engine.grand_strategy.orders import Invade, Route, Support
from engine.grand_strategy.rules.advance import try_advance
from engine.grand_strategy.rules.combat import assaults_of, defend, in_sequence, note_attack, why_closed, why_not_ready
from engine.grand_strategy.sea.chart import ALL_SEA
from engine.grand_strategy.sea.routes import Dreamer, Pilot, Voyage, navigable_seas
from engine.grand_strategy.state import Army
from engine.grand_strategy.war import War
from engine.orders import Line


class LandingIsRefused(Exception):
    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.why, self.remedy = why, remedy


# ------------------------------------------------------------------ announcement and routes


def announce_invasions(war: War) -> None:
    """HW-13.3: every invading army, its target and its route, which is fixed before anybody fires (HW-13.6)."""
    for line in war.lines_of(Invade):
        try:
            with war.carrying_out(line):
                _announce(war, line.order)
        except LandingIsRefused as refusal:
            war.refuse(line, refusal.why, refusal.remedy, line.order.army)
    _judge_support(war)


def _announce(war: War, order: Invade) -> None:
    _refuse_if(*why_not_ready(war, order.army))
    army = war.state.armies[order.army]
    _must_be_able_to_land(war, army, order)
    voyage = _voyage(war, army, order)
    army.target, army.may_advance, army.route = order.hex, True, voyage.places
    note_attack(war, army.target)
    war.emit(
        InvasionAnnounced(
            army.side,
            army.id,
            army.place,
            army.target,
            army.route,
            war.seeing(army.place),
            seen_by=war.witnesses(army.target, army.side, war.owner(army.target)),
        )
    )


def _refuse_if(why: str, remedy: str) -> None:
    if why:
        raise LandingIsRefused(why, remedy)


def _must_be_able_to_land(war: War, army: Army, order: Invade) -> None:
    if order.start and order.start != army.place:
        raise LandingIsRefused(f"{army.id} is in {army.place}, not in {order.start}", f"write FROM {army.place}")
    if not navigable_seas(war, army.place):
        why = f"{army.id} is in {army.place}, {_why_no_coast(war, army.place, 'HW-13.2')}"
        raise LandingIsRefused(why, f"bring it to a port first: GOTO {army.id} <hex>")
    _refuse_if(*why_closed(war, order.hex))
    if not navigable_seas(war, order.hex):
        why = f"nobody lands in {order.hex}, {_why_no_coast(war, order.hex, 'HW-13.5')}"
        raise LandingIsRefused(why, "invade another hex and go on with EXPLOIT, or ATTACK by land")
    if order.hex == army.place:
        raise LandingIsRefused(f"{army.id} stands in {army.place} already", "leave the line away")
    _refuse_if(*_why_not_amphibious(war, army))


def _why_not_amphibious(war: War, army: Army) -> tuple[str, str]:
    """HW-13.2: at least half of an invader is amphibious, tac air aside (A-42)."""
    others = war.ground_strength(army) - army.amph
    beside = [other.amph for other in war.armies_in(army.place, army.side) if other is not army]
    room = war.room(army.place) + sum(beside)  # what changes hands inside the hex needs none
    if not army.amph:
        why = f"{army.id} has no amphibious points, and half must be (HW-13.2)"
        return why, f"with XFER, {_half_of_it_exchanged(others, room)}; BUILD makes them"
    if army.amph < others:
        why = f"{army.amph} of the {others + army.amph} points of {army.id} are amphibious; half must be (HW-13.2)"
        lacking = others - army.amph
        bring = f"bring {lacking} more amphibious (A) into it, or take as many others out"
        return why, f"with XFER, {bring if lacking <= room else f'take {lacking} others out of it'}"
    return "", ""


def _half_of_it_exchanged(others: int, room: int) -> str:
    """How an army without amphibious points comes to consist of them by half, where there is room for so many more."""
    most = (others + room) // 2
    if others <= room:
        return f"bring {max(1, others)} amphibious (A) into it"
    if not most:
        return "take it to a hex with room and bring amphibious (A) into it"
    return f"take {others - most} others out of it and bring {most} amphibious (A) in"


def _voyage(war: War, army: Army, order: Invade) -> Voyage:
    pilot = Pilot(war, army.side, landing=order.hex)
    laid_down = [line.order.places for line in war.lines_of(Route) if line.order.army == army.id]
    if laid_down:
        return _as_laid_down(pilot, army, order, laid_down[-1])
    voyage = pilot.voyage(army.place, order.hex, order.via)
    if voyage is None:
        raise LandingIsRefused(*_why_no_route(pilot, army.place, order))
    return voyage


def _as_laid_down(pilot: Pilot, army: Army, order: Invade, places: tuple[str, ...]) -> Voyage:
    route = places if places[0] == army.place else (army.place, *places)
    if route[-1] != order.hex:
        raise LandingIsRefused(f"the ROUTE of {army.id} ends in {route[-1]}", f"let it end in {order.hex}")
    _refuse_if(pilot.why_not(route), f"leave the ROUTE of {army.id} away, and the shortest way is taken")
    return pilot.exactly(route)


def _why_no_coast(war: War, place: str, case: str) -> str:
    seas = war.place(place).seas
    return f"on the {' and the '.join(seas)}, where nobody sails (HW-12.4)" if seas else f"which has no coast ({case})"


def _why_no_route(pilot: Pilot, start: str, order: Invade) -> tuple[str, str]:
    war, target = pilot.war, order.hex
    if order.via and pilot.voyage(start, target) is not None:
        return f"no sea route from {start} to {target} touches {', '.join(order.via)} in that order", "leave VIA away"
    if target in war.board.for_retreat[start]:
        return f"{target} touches {start} over land (HW-13.5)", f"ATTACK {order.army} {target} ASSAULT ADVANCE"
    if not any(lane.kind in ALL_SEA for lane in pilot.chart.lanes[target]):
        why = f"no open hexside leads from the sea into {target}; over a strip of land the attack is an ordinary one"
        beside = [place for place in war.board.for_retreat[target] if war.is_open_to_attack(place)]
        return f"{why} (HW-13.5)", f"ATTACK it by land, from {_any_of(beside)}" if beside else "attack another hex"
    closed = Dreamer(war, pilot.side, target).closed_on_the_way(start)
    if not closed:
        return f"no sea route leads from {start} to {target} (HW-13.5)", _another_way(pilot, start, closed)
    names, are = " and ".join(_called(war, place) for place in closed), "is" if len(closed) == 1 else "are"
    why = f"the way from {start} to {target} is closed at {names}, which {are} not yours (HW-12.2, HW-12.3)"
    return why, _another_way(pilot, start, closed)


def _another_way(pilot: Pilot, start: str, closed: Sequence[str]) -> str:
    """What would open the way to a landing, and the ports next to the army that have one."""
    war, board = pilot.war, pilot.war.board
    ports = sorted(pilot.ports(), key=lambda place: (board.distance(start, place), board.rank[place]))
    ways = [f"take {' and '.join(closed)} first"] if closed and all(map(war.is_open_to_attack, closed)) else []
    ways += [f"sail from {_any_of(ports[:3])}"] if ports else []
    return ", or ".join(ways) or "none of your coasts has a way there; go by land"


def _called(war: War, place: str) -> str:
    name = war.place(place).name
    return f"{name} ({place})" if name else place


def _any_of(places: Sequence[str]) -> str:
    *others, last = places
    return f"{', '.join(others)} or {last}" if others else last


# ------------------------------------------------------------------ the steps


def landing_lines(war: War) -> list[Line]:
    """The invasions that were announced and whose army is still afloat, in the attacker's order (HW-13.6)."""
    lines = in_sequence(war.lines_of(Invade))
    return [line for line in lines if (army := war.state.armies.get(line.order.army)) is not None and army.invading]


def invaders(war: War, target: str = "") -> list[Army]:
    armies = [war.state.armies[line.order.army] for line in landing_lines(war)]
    return [army for army in armies if target in ("", army.target)]


def lines_that_land(war: War, *armies: Army) -> list[Line]:
    return [line for line in landing_lines(war) if line.order.army in {army.id for army in armies}]


def landing_targets(war: War) -> list[str]:
    """HW-38.3: by target in the order given."""
    return list(dict.fromkeys(army.target for army in invaders(war)))


def landing_defence(war: War) -> None:
    """HW-13.13: armies and forts in the invaded hexes may use their one defensive assault."""
    for target in landing_targets(war):
        with war.carrying_out(*lines_that_land(war, *invaders(war, target))):
            defend_shore(war, target)


def defend_shore(war: War, target: str) -> None:
    """What stands in an invaded hex fires at all who land there; nobody fires on friends (HW-13.17)."""
    exposed = invaders(war, target)
    if exposed and war.owner(target) != war.phasing:
        defend(war, target, exposed, initial=True)


def landing_assaults(war: War) -> None:
    """HW-13.14: only amphibious points fire, and it is the army's one assault."""
    lines = landing_lines(war)
    for line in lines:
        order: Invade = line.order
        if order.assault is None and not order.save and war.owner(order.hex) != war.phasing:
            war.default_used(war.phasing, "D-30", f"{order.army} fires as it lands in {order.hex}", f"{order} ASSAULT")
    assaults_of(war, lines)


def landing_advances(war: War) -> None:
    """HW-13.6: each invader must try to come ashore; a hex that has become friendly takes it in (HW-13.17)."""
    for line in landing_lines(war):
        with war.carrying_out(line):
            land(war, line)


def landings(war: War) -> None:
    landing_advances(war)
    if war.watch is not None:
        war.watch.note_everything_in_sight()


def land(war: War, line: Line) -> None:
    army = war.state.armies.get(line.order.army)
    if army is not None and army.invading and not war.over:
        try_advance(war, army, army.target)


# ------------------------------------------------------------------ support


def _judge_support(war: War) -> None:
    """D-29: SUPPORT lines are for landings where the navy can help. One that is refused silences no gun."""
    for line in war.lines_of(Support):
        why, remedy = _why_not_support(war, line.order)
        if why:
            war.refuse(line, why, remedy)
            war.lines = [other for other in war.lines if other is not line]


def _why_not_support(war: War, order: Support) -> tuple[str, str]:
    rule = war.tables.raw["landing_fire"]["support"]
    if war.phasing != rule["by"]:
        return f"only the {rule['by'].title()} have a navy that supports landings (HW-13.11)", "leave the line away"
    coasts = " or the ".join(rule["coasts"])
    others = [place for line in war.lines_of(Support) for place in line.order.hexes]
    if not order.hexes and others:
        return f"other lines call for support of {_any_of(others)}", "keep those lines or this one"
    for place in order.hexes:
        if not any(army.target == place for army in invaders(war)):
            why, remedy = f"{place} is not invaded", f"INVADE {place} too, or leave it away"
        elif not set(war.place(place).seas) & set(rule["coasts"]):
            why, remedy = f"{place} is not on the {coasts}, where the navy can help (HW-13.11)", "leave it away"
        else:
            continue
        return why, f"{remedy}; without a SUPPORT line every landing on the {coasts} is supported"
    return "", ""
