"""What is worth a word in a receipt before it happens: a limited war, and terms without an answer."""

from collections.abc import Iterator

from engine.grand_strategy.events import LimitedWar
from engine.grand_strategy.war import War
from engine.hitlers_war.politics.surrender import terms_wait_for_an_answer
from engine.orders import Finding, Kind


def limited_war(war: War) -> Iterator[Finding]:
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


def unanswered_terms(war: War) -> Iterator[Finding]:
    """D-41: at its own gate a sheet without an answer accepts."""
    if war.step == "terms" and terms_wait_for_an_answer(war):
        why = "the Soviet terms are not answered, and no answer accepts them (D-41)"
        yield Finding(Kind.UNFINISHED, 0, why, "SURRENDER-TERMS ACCEPT or SURRENDER-TERMS REFUSE")
