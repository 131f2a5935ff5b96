"""Judging a sheet before its time, from what its side can know.

The view is laid out as a position, unknown enemies by their likely strength, and the rules themselves are asked:
what they refuse there is refused here. So the receipt and the run cannot drift apart, and nothing leaks.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.grand_strategy.check_production import finding_on, judge_production
from engine.grand_strategy.conditions import advance_range
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.drafting import Drafting
from engine.grand_strategy.events import OrderRefused, StackCulled
from engine.grand_strategy.hearing import hear_sheets
from engine.grand_strategy.known import open_player_turn, war_as_known
from engine.grand_strategy.orders import Attack, Cancel, Deploy, Exploit, Invade
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.combat import tests_to_fire, why_not_on_the_map
from engine.grand_strategy.rules.deployment import deploy_by_lines, is_deployment
from engine.grand_strategy.rules.exploitation import Onward, begins_at, path_ahead, steps_of
from engine.grand_strategy.sea.invasion import landing_lines
from engine.grand_strategy.sea.routes import supply_seas
from engine.grand_strategy.view import View
from engine.grand_strategy.war import War
from engine.orders import Finding, Kind, Line, Sheet


class Judgement(NamedTuple):
    """What is found about a sheet, and what was noted of it meanwhile."""

    findings: tuple[Finding, ...]
    refused: frozenset[int]
    drafting: Drafting

    @property
    def drafted(self) -> Drafted:
        """What the sheet would come to before any die is rolled."""
        return self.drafting.without(self.refused)


def judge_sheet(view: View, sheet: Sheet, setting: Setting) -> Judgement:
    """The sheet is laid out once for both, so that what is drawn of it is what was judged."""
    findings, drafting = list(_cancelled_in_vain(view, sheet.lines)), Drafting(view, sheet)
    if view.side is not None and not sheet.refused:
        war = war_as_known(view, sheet, setting)
        findings += war.rules.notes_on_standing_orders(war, view.side, sheet.lines)
        if view.gate is not None and view.side == view.phasing:
            hear_sheets(war, {war.phasing: sheet})
            findings += _own_player_turn(war, drafting)
        elif view.gate is not None:
            drafting.note_lines(war, _refused(findings))
    in_order = tuple(sorted(findings, key=lambda finding: finding.line))
    return Judgement(in_order, _refused([*sheet.findings, *findings]), drafting)


def _refused(findings: Iterable[Finding]) -> frozenset[int]:
    return frozenset(finding.line for finding in findings if finding.refuses)


def _own_player_turn(war: War, drafting: Drafting) -> list[Finding]:
    """What the side on turn has at hand: its sheet, its standing orders, and lines it sent to an earlier gate."""
    if is_deployment(war.step):
        findings = [*_deployment(war, drafting), *_refusals(war)]
        drafting.note_lines(war, _refused(findings))
        return findings
    findings = list(_opening(war, drafting)) if war.step == "player-turn" else []
    findings += _exploitation(war, drafting) if war.step in ("player-turn", "exploitation") else ()
    findings += war.rules.notes_on_terms(war)
    drafting.note_lines(war, _refused([*findings, *_refusals(war)]))
    production = judge_production(war)
    drafting.note_production(war, production.places)
    drafting.note_bill(production.bill)
    return [*findings, *production.findings, *_refusals(war)]


def _refusals(war: War) -> Iterator[Finding]:
    """What the rules themselves have refused."""
    for event in war.events:
        if isinstance(event, OrderRefused):
            yield finding_on(Line(event.line, event.text, None), Kind.ILLEGAL, event.why, event.remedy)


# ------------------------------------------------------------------ deployment


def _deployment(war: War, drafting: Drafting) -> Iterator[Finding]:
    left = {kind: count for kind, count in deploy_by_lines(war).items() if count}
    drafting.note_deployment(war, left)
    yield from _deployed_without_supply(war)
    if left:
        rest = ", ".join(f"{count} {war.units.word_of(kind)}" for kind, count in left.items())
        why = f"{rest} of your pool would be left for the referee to place (D-01)"
        yield Finding(Kind.UNFINISHED, 0, why, "DEPLOY them")


def _deployed_without_supply(war: War) -> Iterator[Finding]:
    supplied = war.supplied(war.phasing)
    for line in war.lines_of(Deploy):
        army = war.state.armies.get(line.order.army)
        if army is not None and army.place == line.order.hex and army.place not in supplied:
            why = f"no supply reaches {army.place}: {army.id} may not move or attack there (HW-10.6)"
            lost = "lost when your first combat is over if an enemy's supply can reach it"
            yield finding_on(line, Kind.NOTE, f"{why}, and is {lost} (HW-10.7)")


# ------------------------------------------------------------------ movement and announcement


def _opening(war: War, drafting: Drafting) -> Iterator[Finding]:
    drafting.note_movement(war, open_player_turn(war))
    for event in war.events:
        if isinstance(event, StackCulled):
            count = sum(event.lost.values())
            why = f"{count} of {event.army} above ten in {event.place} will be lost (HW-7.3)"
            yield Finding(Kind.NOTE, 0, why, f"GOTO {event.army} <hex>, or XFER points to armies elsewhere")
    yield from _hopeless_advances(war)
    yield from _landings_without_supply(war)
    for notes in war.rules.notes_on_the_opening:
        yield from notes(war)


def attacked_places(war: War) -> list[str]:
    """Every place that the sheet would attack or enter."""
    places = [line.order.hex for line in war.lines_of(Attack, Invade)]
    places += [step.hex for line in war.lines_of(Exploit) for entry in line.order.path for step in steps_of(entry)]
    return [place for place in dict.fromkeys(places) if place in war.board]


def _landings_without_supply(war: War) -> Iterator[Finding]:
    """HW-10.7: a coast that no supply can reach, whatever else the sheet takes, is lost again when combat is over."""
    lines = landing_lines(war)
    supplied = war.supplied(war.phasing, besides=attacked_places(war)) if lines else set()
    for line in lines if war.enemies_of(war.phasing) else ():
        if line.order.hex not in supplied:
            lost = f"it is lost again when combat is over, and {line.order.army} with it (HW-10.7)"
            why = f"no supply of yours would reach {line.order.hex}; if an enemy's does, {lost}"
            seas = ", ".join(supply_seas(war, war.phasing)) or "no sea"
            yield finding_on(line, Kind.NOTE, why, f"your supply crosses: {seas}")


def _hopeless_advances(war: War) -> Iterator[Finding]:
    for line in war.lines_of(Attack, Invade):
        army, order = war.state.armies.get(line.order.army), line.order
        named = army is not None and army.target == order.hex and army.may_advance
        if army is not None and named and tests_to_fire(order) is None and not advance_range(war, army, order.hex):
            yield finding_on(
                line, Kind.NOTE, f"as far as you know, no die takes {order.hex} for {army.id} unless others weaken it"
            )


# ------------------------------------------------------------------ exploitation


def _exploitation(war: War, drafting: Drafting) -> Iterator[Finding]:
    for line in war.lines_of(Exploit):
        order: Exploit = line.order
        army = war.state.armies.get(order.army)
        if army is None or army.side != war.phasing:
            yield finding_on(line, Kind.ILLEGAL, *why_not_on_the_map(war, order.army))
            continue
        begins = begins_at(war, army)
        if begins is None:
            yield finding_on(
                line,
                Kind.ILLEGAL,
                f"{army.id} cannot exploit without an advance in the initial attack (HW-8.7)",
                f"ATTACK {army.id} <hex> ADVANCE",
            )
        else:
            path = list(path_ahead(war, order, *begins))
            drafting.note_path(line, path)
            yield from _broken_path(line, path)


def _broken_path(line: Line, path: Sequence[Onward]) -> Iterator[Finding]:
    """A path need not be gone to its end, so this is a note."""
    for onward in path:
        if not onward.ways:
            why, remedy = onward.closed
            why = why or f"from there {onward.entry} cannot be attacked (HW-8.3)"
            yield finding_on(line, Kind.NOTE, f"the path ends in {' or '.join(onward.here)}: {why}", remedy)


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
