"""Taking up the sheets at a gate: standing orders of every side, then the lines of the side whose turn it is."""

from collections.abc import Mapping, Sequence
from typing import get_args

from engine.grand_strategy.events import SheetMissing, StandingChanged
from engine.grand_strategy.orders import (
    Adopt,
    Cancel,
    Deploy,
    Exploit,
    Gift,
    Losses,
    Order,
    ProductionOrder,
    Retreat,
    StandingOrder,
    SurrenderTerms,
    Unstack,
    Violate,
)
from engine.grand_strategy.rules.deployment import is_deployment
from engine.grand_strategy.war import War
from engine.orders import Line, Sheet

#: Lines that a later gate of the same player-turn can still use, in groups that replace one another.
PRODUCTION: tuple[type[Order], ...] = get_args(ProductionOrder)
LATER_GROUPS: tuple[tuple[type[Order], ...], ...] = ((Exploit, Unstack), (Losses,), (SurrenderTerms,), PRODUCTION)

TOO_LATE = ("its phase of this player-turn is over", "it could stand in the first sheet of your next player-turn")


def hear_sheets(war: War, sheets: Mapping[str, Sheet]) -> None:
    for side in war.scenario.sides:
        sheet = sheets.get(side)
        if sheet is not None and not sheet.refused:
            _change_standing_orders(war, side, sheet.lines)
    own = sheets.get(war.phasing)
    if own is not None and own.refused:
        own = None
    if own is None:
        _miss_sheet(war)
    else:
        _take_sheet(war, own)


def _change_standing_orders(war: War, side: str, lines: Sequence[Line]) -> None:
    kept, added, removed = war.state.kept[side], [], []
    for line in lines:
        if isinstance(line.order, Cancel):
            going = [order for order in kept.standing if line.order.standing in (None, order)]
            removed += [str(order) for order in going]
            kept.standing = [order for order in kept.standing if order not in going]
        elif line.standing:
            replaced = _same_matter(kept.standing, line.order)
            kept.standing = [order for order in kept.standing if order not in replaced] + [line.order]
            removed += [str(order) for order in replaced if order != line.order]
            added.append(str(line.order))
    if added or removed:
        war.emit(StandingChanged(side, tuple(added), tuple(removed)))


def _same_matter(standing: Sequence[StandingOrder], order: StandingOrder) -> list[StandingOrder]:
    """A new standing order replaces the one of its kind for the same army, hex, country or ALL.

    RETREAT is kept beside a different manner, since TO may fail where TOWARD helps.
    """
    return [old for old in standing if type(old) is type(order) and _matter_of(old) == _matter_of(order)]


def _matter_of(order: StandingOrder) -> tuple[str, ...]:
    match order:
        case Retreat():
            return order.where, order.manner
        case Gift() | Adopt():
            return (order.country,)
        case _:
            where: str = getattr(order, "where", "")
            return (where,) if where else ()


def _miss_sheet(war: War) -> None:
    """D-68: what was kept for later gates is used, else the last production list; nobody moves or attacks."""
    kept = war.state.kept[war.phasing]
    war.emit(SheetMissing(war.phasing))
    production: Sequence[Order] = [] if _has(kept.later, PRODUCTION) else kept.production
    war.lines = _as_lines([*kept.later, *production])


def _take_sheet(war: War, sheet: Sheet) -> None:
    kept = war.state.kept[war.phasing]
    fresh = [line for line in sheet.lines if not line.standing and not isinstance(line.order, Cancel)]
    earlier = [
        order
        for group in LATER_GROUPS
        if not _has([line.order for line in fresh], group)
        for order in kept.later
        if isinstance(order, group)
    ]
    war.lines = [*fresh, *_as_lines(earlier)]
    if war.step == "exploitation":
        for rule in war.rules.heard_midway:
            rule(war)
    for line in lines_too_late(war.step, fresh):
        war.refuse(line, *(_before_the_war(war) if is_deployment(war.step) else TOO_LATE))
    production = [line.order for line in fresh if isinstance(line.order, ProductionOrder)]
    if production:
        kept.production = production


def _before_the_war(war: War) -> tuple[str, str]:
    example = war.rules.language.by_word["DEPLOY"].usage
    return "the war has not begun; now the forces are deployed", f"{example}, for one"


def lines_too_late(stage: str, lines: Sequence[Line]) -> list[Line]:
    """Lines for phases that are over when a sheet comes to a gate inside the player-turn."""
    if stage == "player-turn":
        return []
    if is_deployment(stage):
        in_time: tuple[type[Order], ...] = (Deploy,)
    elif stage == "terms":
        in_time = (SurrenderTerms, *PRODUCTION)
    else:
        in_time = PRODUCTION if stage == "production" else (Violate, *sum(LATER_GROUPS, ()))
    return [line for line in lines if not line.standing and not isinstance(line.order, (*in_time, Cancel))]


def keep_for_later(war: War) -> None:
    """At a gate inside a player-turn the lines that can still be used are kept; they count unless replaced."""
    for kept in war.state.kept.values():
        kept.later = []
    if war.over or war.step == "player-turn" or is_deployment(war.step):
        return
    over = {"exploitation": (), "terms": (Exploit, Unstack, Losses)}
    spent: tuple[type[Order], ...] = over.get(war.step, (Exploit, Unstack, Losses, SurrenderTerms))
    groups = tuple(kind for group in LATER_GROUPS for kind in group if kind not in spent)
    war.state.kept[war.phasing].later = [line.order for line in war.lines_of(*groups)]


def _has(orders: Sequence[Order], kinds: tuple[type[Order], ...]) -> bool:
    return any(isinstance(order, kinds) for order in orders)


def _as_lines(orders: Sequence[Order]) -> list[Line]:
    return [Line(0, str(order), order) for order in orders]
