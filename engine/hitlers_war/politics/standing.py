"""Standing orders about politics, looked at when they are sent: what could never come of them, and what not yet.

They are kept whatever is said here, for their day may be far off. So these are notes, not refusals.
"""

from collections.abc import Iterator, Sequence

from engine.grand_strategy.orders import ALWAYS, Adopt, Gift, LendLease, Losses, Order, SurrenderTerms
from engine.grand_strategy.politics.nations import called, has_had_its_day, nation_of_country, side_of
from engine.grand_strategy.politics.neutrals import sides_that_may_adopt, why_not_adopt
from engine.grand_strategy.war import War
from engine.hitlers_war.europe import ITALY
from engine.hitlers_war.orders import ITALY_SURRENDER
from engine.hitlers_war.politics.cooperation import Convoys
from engine.hitlers_war.politics.gifts import why_no_gift, why_not_army
from engine.hitlers_war.sides import AXIS, SIDE_NAMES
from engine.orders import Finding, Kind, Line

IN_VAIN = "leave the line away"


def notes_on_standing_orders(war: War, side: str, lines: Sequence[Line]) -> Iterator[Finding]:
    for line in lines:
        why, remedy = _why_in_vain(war, side, line.order) if line.standing else ("", "")
        if why:
            yield Finding(Kind.NOTE, line.number, why, remedy, line.text)


def _why_in_vain(war: War, side: str, order: Order) -> tuple[str, str]:
    match order:
        case Gift():
            return _about_gift(war, side, order)
        case Adopt():
            return _about_adoption(war, side, order)
        case SurrenderTerms():
            return _about_terms(war, side)
        case LendLease():
            return _about_lend_lease(war, order)
        case Losses() if order.where == ITALY_SURRENDER:
            return _about_italian_losses(war, side, order)
    return "", ""


def _about_gift(war: War, side: str, order: Gift) -> tuple[str, str]:
    nation = nation_of_country(war.board, order.country)
    why, remedy = why_no_gift(war, nation, side)
    if why:
        return why, remedy
    if has_had_its_day(war, nation):
        return f"{nation} joins nobody any more", IN_VAIN
    if order.hex not in war.board.of_country(nation):
        return f"the forces of {nation} appear in {nation}", f"name one of {', '.join(war.board.of_country(nation))}"
    return why_not_army(war, order)


def _about_adoption(war: War, side: str, order: Adopt) -> tuple[str, str]:
    nation = nation_of_country(war.board, order.country)
    sides = sides_that_may_adopt(war, nation)
    if not sides:
        return f"{nation} has no army that could change over (HW-19.7)", IN_VAIN
    if side not in sides:
        adopter = " or ".join(SIDE_NAMES[other] for other in sides)
        return f"the army of {called(war, nation)} may change its counter with {adopter} only (HW-19.7)", IN_VAIN
    return (
        (f"{nation} joins nobody any more", IN_VAIN) if has_had_its_day(war, nation) else why_not_adopt(war, order.army)
    )


def _about_terms(war: War, side: str) -> tuple[str, str]:
    if side != AXIS:
        return "only the Axis answers the Soviet Union (HW-21.3)", IN_VAIN
    if war.state.terms in ("accepted", "refused"):
        return f"the Soviet terms were {war.state.terms}, and they are offered once", IN_VAIN
    return "", ""


def _about_lend_lease(war: War, order: LendLease) -> tuple[str, str]:
    depots = Convoys(war).taken
    if order.hex not in (ALWAYS, *depots):
        return f"{order.hex} is no lend-lease depot (HW-17.2)", f"the depots are {' and '.join(depots)}"
    return "", ""


def _about_italian_losses(war: War, side: str, order: Losses) -> tuple[str, str]:
    """HW-21.2: five infantry and one mechanized of the Axis, once."""
    if side != AXIS:
        return "only the Axis loses points when Italy surrenders (HW-21.2)", IN_VAIN
    if war.has_surrendered(ITALY) or side_of(war, ITALY) not in ("", AXIS):
        return "Italy cannot surrender any more", IN_VAIN
    if order.types not in ((), ("inf",)):
        why = "Italy takes five infantry and one mechanized with it, whatever is said after TYPES (HW-21.2)"
        return why, "FROM says which armies give them"
    return "", ""
