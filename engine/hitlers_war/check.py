"""Judging a sheet before its time, from what its side can know.

The view is laid out as a position, unknown enemies by their likely strength, and the rules themselves are asked:
what they refuse there is refused here. So the receipt and the run cannot drift apart, and nothing leaks.
"""

from collections.abc import Iterator, Sequence

from engine.hitlers_war.board import Board
from engine.hitlers_war.combat import tests_to_fire, why_not_on_the_map
from engine.hitlers_war.conditions import advance_range
from engine.hitlers_war.deployment import deploy_by_lines, is_deployment
from engine.hitlers_war.draft import WORDS
from engine.hitlers_war.events import LimitedWar, OrderRefused, StackCulled
from engine.hitlers_war.forts import begin_fort, fort_named, room_for_fort, why_not_fortify
from engine.hitlers_war.hearing import PRODUCTION
from engine.hitlers_war.known import hear_as_known, open_player_turn, war_as_known
from engine.hitlers_war.orders import (
    Attack,
    Branch,
    Build,
    Cancel,
    Dismantle,
    Exploit,
    Fortify,
    Invade,
    LendLease,
    ProductionOrder,
    Repair,
    Step,
    Violate,
)
from engine.hitlers_war.politics.cooperation import Convoys, send_what_stands, spread, what_depots_take, why_not_lend
from engine.hitlers_war.politics.entry import enter_before_production
from engine.hitlers_war.politics.limits import most_to_repair, why_not_repair_more
from engine.hitlers_war.politics.nations import nation_at, nation_of_country, why_closed
from engine.hitlers_war.politics.standing import is_judged_ahead, notes_on_standing_orders
from engine.hitlers_war.politics.surrender import terms_wait_for_an_answer
from engine.hitlers_war.production import budget_of, may_build_in, why_no_site
from engine.hitlers_war.scenario import ScenarioData
from engine.hitlers_war.state import ALLIES, Army
from engine.hitlers_war.tables import Tables
from engine.hitlers_war.view import View
from engine.hitlers_war.war import War
from engine.orders import Finding, Kind, Line, Sheet


def check_sheet(view: View, sheet: Sheet, board: Board, tables: Tables, scenario: ScenarioData) -> list[Finding]:
    findings = list(_cancelled_in_vain(view, sheet.lines))
    if view.side is not None and any(map(is_judged_ahead, sheet.lines)) and not sheet.refused:
        known = war_as_known(view, sheet, board, tables, scenario)
        findings += notes_on_standing_orders(known, view.side, sheet.lines)
    if view.side == view.phasing and view.gate is not None and not sheet.refused:
        war = war_as_known(view, sheet, board, tables, scenario)
        hear_as_known(war, view, sheet)
        findings += _own_player_turn(war)
    return sorted(findings, key=lambda finding: finding.line)


def _own_player_turn(war: War) -> Iterator[Finding]:
    """What the side on turn has at hand: its sheet, its standing orders, and lines it sent to an earlier gate."""
    if is_deployment(war.step):
        yield from _deployment(war)
    else:
        yield from _opening(war) if war.step == "player-turn" else ()
        yield from _exploitation(war) if war.step in ("player-turn", "exploitation") else ()
        yield from _terms(war)
        yield from _production(war)
    for event in war.events:
        if isinstance(event, OrderRefused):
            yield _finding(Line(event.line, event.text, None), Kind.ILLEGAL, event.why, event.remedy)


def _finding(line: Line, kind: Kind, why: str, remedy: str = "") -> Finding:
    if not line.number:
        return Finding(Kind.NOTE, 0, f"{line.text}, which you sent before: {why}", remedy)
    return Finding(kind, line.number, why, remedy, line.text)


# ------------------------------------------------------------------ deployment


def _deployment(war: War) -> Iterator[Finding]:
    left = {kind: count for kind, count in deploy_by_lines(war).items() if count}
    if left:
        rest = ", ".join(f"{count} {WORDS[kind]}" for kind, count in left.items())
        why = f"{rest} of your pool would be left for the referee to place (D-01)"
        yield Finding(Kind.UNFINISHED, 0, why, "DEPLOY them")


# ------------------------------------------------------------------ movement and announcement


def _opening(war: War) -> Iterator[Finding]:
    open_player_turn(war)
    for event in war.events:
        if isinstance(event, StackCulled):
            count = sum(event.lost.values())
            why = f"{count} of {event.army} above ten in {event.place} will be lost (HW-7.3)"
            yield Finding(Kind.NOTE, 0, why, f"GOTO {event.army} <hex>, or XFER points to armies elsewhere")
    yield from _hopeless_advances(war)
    yield from _idle_declarations(war)
    yield from _limited_war(war)


def _idle_declarations(war: War) -> Iterator[Finding]:
    """VIOLATE alone attacks nobody (HW-19.10)."""
    attacked = [line.order.hex for line in war.lines_of(Attack, Invade)]
    attacked += [step.hex for line in war.lines_of(Exploit) for entry in line.order.path for step in _ways(entry)]
    nations = {nation_at(war.board, place) for place in attacked if place in war.board}
    refused = {event.line for event in war.events if isinstance(event, OrderRefused)}
    for line in war.lines_of(Violate):
        if line.number not in refused and nation_of_country(war.board, line.order.country) not in nations:
            why = f"no line of this sheet attacks {line.order.country}, so this one does nothing"
            yield _finding(line, Kind.NOTE, why)


def _limited_war(war: War) -> Iterator[Finding]:
    """What a Soviet attack puts off is worth a word beforehand (HW-23.3)."""
    if any(isinstance(event, LimitedWar) for event in war.events):
        limits = war.tables.raw["production_limits"]["soviet_mobilization"]
        hexes, turn = (
            limits["limited_war"]["or_axis_hexes_in_the_soviet_union"],
            limits["limited_war"]["lifted_on_turn"],
        )
        why = (
            f"these attacks mean limited war: the Soviet Union is not fully mobilized before {war.tables.date_of(turn)}"
        )
        yield Finding(Kind.NOTE, 0, f"{why}, unless {hexes} of its hexes are Axis (HW-23.3)")


def _hopeless_advances(war: War) -> Iterator[Finding]:
    for line in war.lines_of(Attack, Invade):
        army, order = war.state.armies.get(line.order.army), line.order
        named = army is not None and army.target == order.hex and army.may_advance
        if army is not None and named and tests_to_fire(order) is None and not advance_range(war, army, order.hex):
            yield _finding(
                line, Kind.NOTE, f"as far as you know, no die takes {order.hex} for {army.id} unless others weaken it"
            )


# ------------------------------------------------------------------ exploitation


def _exploitation(war: War) -> Iterator[Finding]:
    for line in war.lines_of(Exploit):
        order: Exploit = line.order
        army = war.state.armies.get(order.army)
        if army is None or army.side != war.phasing:
            yield _finding(line, Kind.ILLEGAL, *why_not_on_the_map(war, order.army))
            continue
        begins = war.step == "player-turn"
        start = _where_it_would_start(army, begins=begins)
        if not start:
            yield _finding(
                line,
                Kind.ILLEGAL,
                f"{army.id} cannot exploit without an advance in the initial attack (HW-8.7)",
                f"ATTACK {army.id} <hex> ADVANCE",
            )
        else:
            yield from _broken_path(war, line, start, army.place if begins else army.came_from)


def _where_it_would_start(army: Army, *, begins: bool) -> str:
    if begins:
        return army.target if army.may_advance else ""
    return army.place if army.advanced and not army.finished else ""


def _broken_path(war: War, line: Line, start: str, origin: str) -> Iterator[Finding]:
    """Every way through the path must go from hex to touching hex, never into one that is closed to the side."""
    here = {start: origin}
    for entry in line.order.path:
        onward: dict[str, str] = {}
        closed = ("", "")
        for step in _ways(entry):
            for place, before in here.items():
                goal = before if step.hex == "RETURN" else step.hex
                if goal in war.attack_links.get(place, ()):
                    closed = why_closed(war, goal)
                    onward |= {goal: place} if not closed[0] else {}
        if not onward:
            why, remedy = closed
            why = why or f"from there {entry} cannot be attacked (HW-8.3)"
            yield _finding(line, Kind.NOTE, f"the path ends in {' or '.join(here)}: {why}", remedy)
            return
        here = onward


def _ways(entry: Step | Branch) -> Sequence[Step]:
    return (entry.first, entry.second) if isinstance(entry, Branch) else (entry,)


def _terms(war: War) -> Iterator[Finding]:
    """D-41: at its own gate a sheet without an answer accepts."""
    if war.step == "terms" and terms_wait_for_an_answer(war):
        why = "the Soviet terms are not answered, and no answer accepts them (D-41)"
        yield Finding(Kind.UNFINISHED, 0, why, "SURRENDER-TERMS ACCEPT or SURRENDER-TERMS REFUSE")


# ------------------------------------------------------------------ production


def _production(war: War) -> Iterator[Finding]:
    enter_before_production(war)
    lines = war.lines_of(*PRODUCTION)
    cost, room = sum(_cost(war, line.order) for line in lines), _Room(war)
    budget, convoys = budget_of(war, war.phasing).to_spend, Convoys(war)
    for line in war.lines_of(Build):  # before anything is repaired, which serves only afterwards (HW-11.5)
        yield from _build(war, line)
        yield from room.taken_by(line)
    for line in lines:
        match line.order:
            case Repair():
                yield from _repair(war, line)
            case Fortify():
                yield from _fortify(war, line)
            case Dismantle():
                yield from _dismantle(war, line)
            case LendLease():
                yield from _lend_lease(convoys, line)
    if war.phasing == ALLIES:
        send_what_stands(convoys, budget)
    yield from _balance(cost, budget - convoys.given, [line.order for line in lines])


def _balance(cost: int, money: int, orders: Sequence[ProductionOrder]) -> Iterator[Finding]:
    """What the list costs against what is left after lend-lease, which goes before everything (HW-11.6)."""
    if all(isinstance(order, LendLease) for order in orders):
        why = f"no production list: about {money} points would be lost (D-33)"
        yield Finding(Kind.NOTE, 0, why, "BUILD MAX I ANY, for one")
    elif cost > money:
        yield Finding(Kind.NOTE, 0, f"the production list costs {cost}; you have about {money}, so its end will wait")


def _cost(war: War, order: ProductionOrder) -> int:
    match order:
        case Build():
            return sum(max(count, 0) * war.tables.basic_costs.get(kind, 0) for kind, count in order.points.items())
        case Repair():
            return (order.points or _mendable(war, order.hex)) * war.tables.repair_cost
        case Fortify():
            return order.points * war.tables.basic_costs["fort"]
        case LendLease() | Dismantle():
            return 0


def _lend_lease(convoys: Convoys, line: Line) -> Iterator[Finding]:
    """The lines fill the depots one after the other, as they will in production."""
    order: LendLease = line.order
    why, remedy = why_not_lend(convoys, order)
    if why:
        yield _finding(line, Kind.ILLEGAL, why, remedy)
        return
    left = spread(convoys, order.hex, order.points)
    if left:
        yield _finding(line, Kind.NOTE, f"{left} of {order.points} will stay: {what_depots_take(convoys.limits)}")


def _build(war: War, line: Line) -> Iterator[Finding]:
    order: Build = line.order
    home = war.scenario.build_countries.get(war.phasing, ())
    possible = [place for place in order.hexes if place == "ANY" or war.place(place).country in home]
    if not possible:
        yield _finding(
            line, Kind.ILLEGAL, f"new points appear in {' or '.join(home)} only (HW-11.4)", _sites_in_words(war)
        )
        return
    closed = _no_sites(war, possible)
    if closed:
        yield _finding(line, Kind.ILLEGAL, closed, _sites_in_words(war))
        return
    waits = war.why_it_waits(order.army)
    if waits:
        yield _finding(line, Kind.ILLEGAL, waits, war.name_free_counters(war.phasing))
        return
    army = war.state.armies.get(order.army)
    if army is not None and army.place not in possible and "ANY" not in possible:
        yield _finding(
            line,
            Kind.NOTE,
            f"{order.army} would stand in {army.place}, so nothing would be built",
            f"NEW {', '.join(war.free_counters(war.phasing)) or '(no counter is free)'}",
        )
    if not order.army and not war.free_counters(war.phasing) and not _armies_at(war, possible):
        why = "as things stand all twelve army counters are on the map (HW-1.2), and none of them is there"
        yield _finding(line, Kind.NOTE, why, "name a hex in which an army of yours stands")


def _no_sites(war: War, places: Sequence[str]) -> str:
    """Why none of these places takes new points; empty if one does.

    None is opened before the turn ends: what is captured or handed over is devastated (HW-4.3, HW-21).
    """
    if "ANY" in places:
        return "" if _sites(war) else "none of your hexes at home has a working production point (HW-11.4)"
    reasons = {place: why_no_site(war, war.phasing, place) for place in places}
    told = [f"{place} is no place to build: {why}" for place, why in reasons.items()]
    return "; ".join(told) if all(reasons.values()) else ""


def _armies_at(war: War, places: Sequence[str]) -> list[Army]:
    at = _sites(war) if "ANY" in places else places
    return [army for place in at for army in war.armies_in(place, war.phasing)]


def _sites(war: War) -> list[str]:
    return [place for place in war.producing_places_of(war.phasing) if may_build_in(war, war.phasing, place)]


def _sites_in_words(war: War) -> str:
    return f"your sites are: {', '.join(_sites(war)) or 'none'}"


class _Room:
    """What the lines of a list find in their hexes, where no army comes or goes before."""

    def __init__(self, war: War) -> None:
        self.war, self.left = war, dict[str, int]()

    def taken_by(self, line: Line) -> Iterator[Finding]:
        """A note if points find no room (HW-7.5). Where ANY may be chosen nothing can be said beforehand."""
        order: Build = line.order
        if "ANY" in order.hexes or any(map(self._may_change, order.hexes)):
            return
        for place in order.hexes:
            self.left.setdefault(place, self.war.room(place))
        room, wanted = sum(self.left[place] for place in order.hexes), sum(order.points.values())
        if not room or (room < wanted and not order.most):
            where = " or ".join(order.hexes)
            said = f"as things stand {where} will have room for {room or 'none'} of these points (HW-7.5)"
            yield _finding(line, Kind.NOTE, said, "another hex after OR, or fewer points")
        for place in order.hexes:
            here = min(self.left[place], wanted)
            self.left[place], wanted = (0 if order.most else self.left[place] - here), wanted - here

    def _may_change(self, place: str) -> bool:
        side = self.war.phasing
        return not self.war.holds(side, place) or any(army.target for army in self.war.armies_in(place, side))


def _repair(war: War, line: Line) -> Iterator[Finding]:
    place = line.order.hex
    if place not in war.state.ground or (not war.place(place).production and place not in war.scenario.growing):
        yield _finding(line, Kind.ILLEGAL, f"{place} has no production", "name a hex with devastated points")
    elif war.owner(place) == war.phasing and not most_to_repair(war, war.phasing, place):
        why = why_not_repair_more(war, war.phasing, place)
        yield _finding(line, Kind.NOTE, why or f"nothing in {place} can be repaired as things stand (HW-11.5)")
    elif not line.order.tests:  # what lines above restore counts against the four points of France (HW-21.5)
        mendable = _mendable(war, place)
        war.ground(place).devastated -= min(line.order.points or mendable, mendable)


def _mendable(war: War, place: str) -> int:
    return most_to_repair(war, war.phasing, place) if war.holds(war.phasing, place) else 0


def _fortify(war: War, line: Line) -> Iterator[Finding]:
    """A hex may be taken and a counter may become free before the money is spent; a date or a neutral stays."""
    order: Fortify = line.order
    why, remedy = why_not_fortify(war, order.hex)
    may_change = war.is_open_to_attack(order.hex) and not war.holds(war.phasing, order.hex)
    if why:
        kind = Kind.NOTE if may_change or "counters" in why else Kind.ILLEGAL
        yield _finding(line, kind, why, remedy)
        return
    room = room_for_fort(war, order.hex)
    if order.points > room:
        yield _finding(line, Kind.NOTE, f"a fort in {order.hex} has room for {room} more points only (HW-7.1)")
    begin_fort(war, order.hex, min(order.points, room))


def _dismantle(war: War, line: Line) -> Iterator[Finding]:
    """Its counter is free for the lines that follow."""
    fort = fort_named(war, war.phasing, line.order.fort)
    if fort is None:
        yield _finding(line, Kind.NOTE, f"you have no fort {line.order.fort} as things stand")
    else:
        war.remove_fort(fort, "dismantled")


# ------------------------------------------------------------------ standing orders


def _cancelled_in_vain(view: View, lines: Sequence[Line]) -> Iterator[Finding]:
    """CANCEL must name a standing order word for word, from before or from this very sheet."""
    known = list(view.standing.get(view.side or "", ()))
    for line in lines:
        if line.standing:
            known.append(str(line.order))
        elif isinstance(line.order, Cancel) and line.order.standing is not None:
            if str(line.order.standing) not in known:
                yours = "; ".join(known) or "none"
                yield _finding(
                    line, Kind.ILLEGAL, "you have no such standing order", f"your standing orders are: {yours}"
                )
