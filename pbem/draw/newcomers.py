"""What a plan changes on the board itself: hollow counters that come if a country joins, and marked places."""

from collections.abc import Collection

import msgspec

from engine.grid import search
from engine.hitlers_war.board import LAYOUT
from engine.hitlers_war.state import UNALIGNED
from engine.hitlers_war.view import ArmyView, View
from pbem.draw.counter import Face
from pbem.draw.counters import face_of
from pbem.draw.intended import Intended
from pbem.draw.places import is_hex
from pbem.draw.plan import Newcomer, Plan, Violation
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.brief import composition
from pbem.games.hitlers_war.names import army_abbreviation

#: Pieces of a country of so many hexes are not named.
ISLAND = 2


def intended_by(plan: Plan, view: View) -> Intended:
    counters: dict[str, tuple[Face, ...]] = {}
    for newcomer in plan.newcomers:
        counters[newcomer.place] = (*counters.get(newcomer.place, ()), newcomer_face(view, plan.side, newcomer))
    violated = tuple(violation.places for violation in plan.violations)
    return Intended(plan.side, counters, tuple(plan.given_up), violated, plan.works)


def newcomer_face(view: View, side: str, newcomer: Newcomer) -> Face:
    """With its points, or with the name of the army whose place it takes."""
    if newcomer.points:
        army = ArmyView(newcomer.army, side, newcomer.place, view.turn, points=newcomer.points)
        return _hollow(face_of(view, army), side, newcomer.army, composition(newcomer.points))
    own = (army for army in view.armies.values() if army.side == UNALIGNED and army.place == newcomer.place)
    army = next(own, ArmyView("", UNALIGNED, newcomer.place, view.turn))
    return _hollow(face_of(view, army), side, newcomer.army, army_abbreviation(army.id) or newcomer.country)


def _hollow(face: Face, side: str, army: str, strength: str) -> Face:
    return msgspec.structs.replace(
        face,
        side=side,
        name=army_abbreviation(army),
        strength=strength,
        ghost=False,
        brief="",
        badge="",
        hollow=True,
    )


def places_for_name(violation: Violation, full: Collection[str], busy: Collection[str]) -> list[str]:
    """The hexes to write the name of a country in: one in each piece of it that is not just an island."""
    pieces = _pieces([place for place in violation.places if is_hex(place)])
    large = [piece for piece in pieces if len(piece) > ISLAND] or pieces[:1]
    return [_best_hex(piece, full, busy) for piece in large]


def _pieces(hexes: list[str]) -> list[list[str]]:
    """Hexes that hang together, in the order of the board."""
    pieces, left = [], list(hexes)
    while left:
        reached = search(left[:1], lambda place: (near for near in LAYOUT.neighbours(place) if near in hexes))
        pieces.append([place for place in left if place in reached])
        left = [place for place in left if place not in reached]
    return pieces


def _best_hex(piece: list[str], full: Collection[str], busy: Collection[str]) -> str:
    """One without armies, better one nothing else is ordered for, in the middle."""
    points = [europe_atlas().middle(place) for place in piece]
    x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))

    def rank(place: str) -> tuple[bool, bool, float]:
        here = europe_atlas().middle(place)
        return place in full, place in busy, (here[0] - x) ** 2 + (here[1] - y) ** 2

    return min(piece, key=rank)
