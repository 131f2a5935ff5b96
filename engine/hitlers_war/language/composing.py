"""From the parse tree of one line to an order that Hitler's War has for itself."""

from typing import Any, cast

from engine.grand_strategy.language.meaning import Meaning
from engine.grand_strategy.language.words import Composer, Pieces
from engine.grand_strategy.orders import ALWAYS, DevastateFrance, LendLease, SurrenderTerms
from engine.hitlers_war.sides import ALLIES
from engine.orders import Kind


def _devastate(meaning: Meaning, parts: Pieces) -> DevastateFrance:
    return DevastateFrance(meaning.places(parts[0].children))


def _lendlease(meaning: Meaning, parts: Pieces) -> LendLease:
    *where, number = parts
    if meaning.vocabulary.side != ALLIES:
        why = "Only the Allies give lend-lease (HW-17.2)."
        raise meaning.refuse(Kind.ILLEGAL, where, why, "Leave the line away.")
    hex_ = ALWAYS if where[0].type == "ALWAYS" else meaning.place(where, "Name a depot, U18 or M20, or ALWAYS.")
    points = meaning.number(number)
    if not points:
        raise meaning.refuse(Kind.ILLEGAL, (number,), "0 points are no gift.", "Leave the line away to give nothing.")
    return LendLease(hex_, points)


def _terms(_meaning: Meaning, parts: Pieces) -> SurrenderTerms:
    return SurrenderTerms(cast(Any, str(parts[-1])))  # the grammar has no other answers


COMPOSERS: dict[str, Composer] = {"devastate": _devastate, "lendlease": _lendlease, "terms": _terms}
