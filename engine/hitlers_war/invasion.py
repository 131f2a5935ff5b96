"""Amphibious invasions: announcement with routes, then their steps, all armies together (HW-13, HW-40.2)."""

from engine.hitlers_war.advance import try_advance
from engine.hitlers_war.combat import assaults_of, defend, in_sequence, why_not_ready
from engine.hitlers_war.events import InvasionAnnounced
from engine.hitlers_war.nations import why_closed
from engine.hitlers_war.orders import Invade, Route, Support
from engine.hitlers_war.politics import note_attack
from engine.hitlers_war.sea import Pilot, Voyage, closed_gateways, navigable_seas
from engine.hitlers_war.state import Army
from engine.hitlers_war.war import War
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
        raise LandingIsRefused(
            f"{army.id} is in {army.place}, which has no coast (HW-13.2)", f"bring it to a port first: GOTO {army.id}"
        )
    _refuse_if(*why_closed(war, order.hex))
    if not navigable_seas(war, order.hex):
        raise LandingIsRefused(f"{order.hex} has no coast (HW-13.5)", "invade a coastal hex and go on with EXPLOIT")
    others = army.ground_strength - army.amph
    if army.amph < others or not army.amph:
        raise LandingIsRefused(
            f"{army.amph} of the {army.ground_strength} points of {army.id} are amphibious; half must be (HW-13.2)",
            f"with XFER, bring {max(1, others - army.amph)} more amphibious (A) into it, or take as many others out",
        )


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


def _why_no_route(pilot: Pilot, start: str, order: Invade) -> tuple[str, str]:
    war, target = pilot.war, order.hex
    if order.via and pilot.voyage(start, target) is not None:
        return f"no sea route from {start} to {target} touches {', '.join(order.via)} in that order", "leave VIA away"
    closed = closed_gateways(pilot, start, target)
    if closed:
        names = " and ".join(f"{war.place(place).name} ({place})" for place in closed)
        return (
            f"the way from {start} to {target} is closed at {names}, which is not yours (HW-12.3)",
            f"take {' and '.join(closed)} first, or sail from a coast of the {' or the '.join(war.place(target).seas)}",
        )
    if target in war.board.for_retreat[start]:
        return f"{target} touches {start} over land (HW-13.5)", f"ATTACK {order.army} {target} ASSAULT ADVANCE"
    seas = " or the ".join(navigable_seas(war, target))
    return f"no sea route leads from {start} to {target} (HW-13.5)", f"sail from a coast of the {seas}"


# ------------------------------------------------------------------ the steps


def landing_lines(war: War) -> list[Line]:
    """The invasions that were announced and whose army is still afloat, in the attacker's order (HW-13.6)."""
    lines = in_sequence(war.lines_of(Invade))
    return [line for line in lines if (army := war.state.armies.get(line.order.army)) is not None and army.invading]


def invaders(war: War, target: str = "") -> list[Army]:
    armies = [war.state.armies[line.order.army] for line in landing_lines(war)]
    return [army for army in armies if target in ("", army.target)]


def landing_targets(war: War) -> list[str]:
    """HW-38.3: by target in the order given."""
    return list(dict.fromkeys(army.target for army in invaders(war)))


def landing_defence(war: War) -> None:
    """HW-13.13: armies and forts in the invaded hexes may use their one defensive assault."""
    for target in landing_targets(war):
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
        land(war, line)


def land(war: War, line: Line) -> None:
    army = war.state.armies.get(line.order.army)
    if army is not None and army.invading and not war.over:
        try_advance(war, army, army.target)


# ------------------------------------------------------------------ support


def _judge_support(war: War) -> None:
    """D-29: SUPPORT lines are for landings on the coasts where the navy can help."""
    rule = war.tables.raw["landing_fire"]["support"]
    for line in war.lines_of(Support):
        if war.phasing != rule["by"]:
            why = f"only the {rule['by'].title()} have a navy that supports landings (HW-13.11)"
            war.refuse(line, why, "leave the line away")
            continue
        for place in line.order.hexes:
            if not any(army.target == place for army in invaders(war)):
                war.refuse(line, f"{place} is not invaded", f"INVADE an army to {place}, or leave it away")
            elif not set(war.place(place).seas) & set(rule["coasts"]):
                coasts = " or ".join(rule["coasts"])
                war.refuse(line, f"{place} is not on the {coasts}, where the navy can help (HW-13.11)")
