"""Judging a sheet before its time, from what its side can know.

The view is laid out as a position, unknown enemies by their likely strength, and the rules themselves are asked:
what they refuse there is refused here. So the receipt and the run cannot drift apart, and nothing leaks.
"""

from collections.abc import Iterator, Sequence

from engine.hitlers_war.board import Board
from engine.hitlers_war.check_production import finding_on, judge_production
from engine.hitlers_war.combat import tests_to_fire, why_not_on_the_map
from engine.hitlers_war.conditions import advance_range
from engine.hitlers_war.deployment import deploy_by_lines, is_deployment
from engine.hitlers_war.draft import WORDS
from engine.hitlers_war.events import OrderRefused, StackCulled
from engine.hitlers_war.hearing import BEFORE_THE_WAR, TOO_LATE, lines_too_late
from engine.hitlers_war.known import open_player_turn, war_as_known
from engine.hitlers_war.orders import (
    Attack,
    Branch,
    Cancel,
    Deploy,
    Exploit,
    Invade,
    Step,
    Violate,
)
from engine.hitlers_war.politics.nations import nation_at, nation_of_country, why_closed
from engine.hitlers_war.politics.neutrals import declare_violations
from engine.hitlers_war.politics.standing import is_judged_ahead, notes_on_standing_orders
from engine.hitlers_war.scenario import ScenarioData
from engine.hitlers_war.sea.invasion import landing_lines
from engine.hitlers_war.sea.routes import supply_seas
from engine.hitlers_war.state import Army
from engine.hitlers_war.tables import Tables
from engine.hitlers_war.view import View
from engine.hitlers_war.war import War
from engine.orders import Finding, Kind, Line, Sheet


def check_sheet(view: View, sheet: Sheet, board: Board, tables: Tables, scenario: ScenarioData) -> list[Finding]:
    findings = list(_cancelled_in_vain(view, sheet.lines))
    if view.side is not None and any(map(is_judged_ahead, sheet.lines)) and not sheet.refused:
        known = war_as_known(view, sheet, board, tables, scenario)
        findings += notes_on_standing_orders(known, view.side, sheet.lines)
    if view.side != view.phasing or view.gate is None or sheet.refused:
        return sorted(findings, key=lambda finding: finding.line)
    war = war_as_known(view, sheet, board, tables, scenario)
    if is_deployment(view.step):
        findings += _deployment(war)
        return sorted(findings, key=lambda finding: finding.line)
    findings += [finding_on(line, Kind.ILLEGAL, *TOO_LATE) for line in lines_too_late(view.step, war.lines)]
    if view.step == "player-turn":
        findings += _opening(war)
    if view.step == "exploitation":
        declare_violations(war)
        findings += _refusals(war)
    if view.step in ("player-turn", "exploitation"):
        findings += _exploitation(war, view.step)
    findings += judge_production(war)
    return sorted(findings, key=lambda finding: finding.line)


# ------------------------------------------------------------------ deployment


def _deployment(war: War) -> Iterator[Finding]:
    for line in war.lines:
        if not isinstance(line.order, Deploy | Cancel):
            yield finding_on(line, Kind.ILLEGAL, *BEFORE_THE_WAR)
    left = {kind: count for kind, count in deploy_by_lines(war).items() if count}
    yield from _refusals(war)
    yield from _deployed_without_supply(war)
    if left:
        rest = ", ".join(f"{count} {WORDS[kind]}" for kind, count in left.items())
        why = f"{rest} of your pool would be left for the referee to place (D-01)"
        yield Finding(Kind.UNFINISHED, 0, why, "DEPLOY them")


def _deployed_without_supply(war: War) -> Iterator[Finding]:
    supplied = war.supplied(war.phasing)
    for line in war.lines_of(Deploy):
        army = war.state.armies.get(line.order.army)
        if army is not None and army.place == line.order.hex and army.place not in supplied:
            why = f"no supply reaches {army.place}: {army.id} may not move or attack there (HW-10.6)"
            yield finding_on(line, Kind.NOTE, f"{why}, and is lost when your first combat is over (HW-10.7)")


def _refusals(war: War) -> Iterator[Finding]:
    for event in war.events:
        if isinstance(event, OrderRefused):
            yield Finding(Kind.ILLEGAL, event.line, event.why, event.remedy, event.text)


# ------------------------------------------------------------------ movement and announcement


def _opening(war: War) -> Iterator[Finding]:
    open_player_turn(war)
    yield from _refusals(war)
    for event in war.events:
        if isinstance(event, StackCulled):
            count = sum(event.lost.values())
            why = f"{count} of {event.army} above ten in {event.place} will be lost (HW-7.3)"
            yield Finding(Kind.NOTE, 0, why, f"GOTO {event.army} <hex>, or XFER points to armies elsewhere")
    yield from _hopeless_advances(war)
    yield from _landings_without_supply(war)
    yield from _idle_declarations(war)


def _attacked(war: War) -> list[str]:
    """Every place that the sheet would attack or enter."""
    places = [line.order.hex for line in war.lines_of(Attack, Invade)]
    places += [step.hex for line in war.lines_of(Exploit) for entry in line.order.path for step in _ways(entry)]
    return [place for place in dict.fromkeys(places) if place in war.board]


def _landings_without_supply(war: War) -> Iterator[Finding]:
    """HW-10.7: a coast that no supply can reach, whatever else the sheet takes, is lost again when combat is over."""
    lines = landing_lines(war)
    supplied = war.supplied(war.phasing, besides=_attacked(war)) if lines else set()
    for line in lines if war.enemies_of(war.phasing) else ():
        if line.order.hex not in supplied:
            why = f"no supply of yours would reach {line.order.hex}; it is lost again, and {line.order.army} with it"
            seas = ", ".join(supply_seas(war, war.phasing)) or "no sea"
            yield finding_on(line, Kind.NOTE, f"{why}, when combat is over (HW-10.7)", f"your supply crosses: {seas}")


def _idle_declarations(war: War) -> Iterator[Finding]:
    """VIOLATE alone attacks nobody (HW-19.10)."""
    nations = {nation_at(war.board, place) for place in _attacked(war)}
    for line in war.lines_of(Violate):
        if nation_of_country(war.board, line.order.country) not in nations:
            why = f"no line of this sheet attacks {line.order.country}, so this one does nothing"
            yield finding_on(line, Kind.NOTE, why)


def _hopeless_advances(war: War) -> Iterator[Finding]:
    for line in war.lines_of(Attack, Invade):
        army, order = war.state.armies.get(line.order.army), line.order
        named = army is not None and army.target == order.hex and army.may_advance
        if army is not None and named and tests_to_fire(order) is None and not advance_range(war, army, order.hex):
            yield finding_on(
                line, Kind.NOTE, f"as far as you know, no die takes {order.hex} for {army.id} unless others weaken it"
            )


# ------------------------------------------------------------------ exploitation


def _exploitation(war: War, stage: str) -> Iterator[Finding]:
    for line in war.lines_of(Exploit):
        order: Exploit = line.order
        army = war.state.armies.get(order.army)
        if army is None or army.side != war.phasing:
            yield finding_on(line, Kind.ILLEGAL, *why_not_on_the_map(war, order.army))
            continue
        start = _where_it_would_start(army, stage)
        if not start:
            yield finding_on(
                line,
                Kind.ILLEGAL,
                f"{army.id} cannot exploit without an advance in the initial attack (HW-8.7)",
                f"ATTACK {army.id} <hex> ADVANCE",
            )
        else:
            yield from _broken_path(war, line, start, army.place if stage == "player-turn" else army.came_from)


def _where_it_would_start(army: Army, stage: str) -> str:
    if stage == "player-turn":
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
            yield finding_on(line, Kind.NOTE, f"the path ends in {' or '.join(here)}: {why}", remedy)
            return
        here = onward


def _ways(entry: Step | Branch) -> Sequence[Step]:
    return (entry.first, entry.second) if isinstance(entry, Branch) else (entry,)


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
                yield finding_on(
                    line, Kind.ILLEGAL, "you have no such standing order", f"your standing orders are: {yours}"
                )
