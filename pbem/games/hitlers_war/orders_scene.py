"""A player's own orders on his map, for the receipt: his armies as he wants them, and where they are to go."""

from collections.abc import Collection

import msgspec

from engine.grand_strategy.state import UNALIGNED
from engine.grand_strategy.view import ArmyView, View
from engine.grid import search
from engine.hitlers_war.europe import LAYOUT
from pbem.draw.plan import Assault, Leg, Newcomer, Plan, Violation
from pbem.draw.sailing import left_in_pool
from pbem.draw.scene import Attack, Banner, CutOut, Face, Mark, Orders, Scene, Step, Titles, Voyage, Way, Will
from pbem.draw.scene import Retreat as RetreatDrawn
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.brief import composition
from pbem.games.hitlers_war.faces import face_of
from pbem.games.hitlers_war.happenings import Happenings
from pbem.games.hitlers_war.key_to_orders import key_to_orders
from pbem.games.hitlers_war.legend import key_to_front
from pbem.games.hitlers_war.names import army_abbreviation, in_card_order, side_title
from pbem.games.hitlers_war.scene import board_scene, titles_of
from pbem.games.hitlers_war.scenes import boxes_beside
from pbem.games.hitlers_war.theatre import active_part, part_around

#: Pieces of a country of so many hexes are not named.
ISLAND = 2


def orders_scene(view: View, plan: Plan) -> Scene:
    """The board as the orders would leave it, and on it what they want."""
    ordered = msgspec.structs.replace(view, armies=plan.armies)
    newcomers = _newcomers(ordered, plan)
    marked = {*newcomers, *plan.works, *(place for country in plan.violations for place in country.places)}
    around = CutOut(
        _titles(view, plan),
        part_around(plan.places()) or active_part(ordered, Happenings()),
        boxes_beside(ordered, marked),
        (*key_to_orders(plan), *key_to_front(view, happened=False)),
    )
    scene = board_scene(ordered, around, _under_the_counters(plan), newcomers)
    forts = {
        place: msgspec.structs.replace(fort, given_up=place in plan.given_up) for place, fort in scene.forts.items()
    }
    return msgspec.structs.replace(
        scene,
        reaches_out=True,
        outlined=tuple(violation.places for violation in plan.violations),
        forts=forts,
        orders=_orders(plan, scene.stacks),
    )


def _titles(view: View, plan: Plan) -> Titles:
    titles, left = titles_of(view), left_in_pool(plan)
    remark = f"Left in your pool: {composition(left)}" if left else "As ordered, not as it will happen"
    return Titles(titles.war, f"Orders of the {side_title(plan.side)}, {titles.date}", remark)


def _under_the_counters(plan: Plan) -> Happenings:
    """Moves, voyages and where armies begin are drawn as what happened is."""
    return Happenings(
        ways=[Way(plan.side, move.origin, move.place, "moved") for move in plan.moves],
        voyages=[
            Voyage(plan.side, each.places, "lands" if each.lands else "sails", _will(each.fires, each.fires_if))
            for each in plan.voyages
        ],
        captured=dict.fromkeys(plan.deployed, plan.side),
    )


def _will(does: bool, on_a_condition: bool) -> Will:
    return ("perhaps" if on_a_condition else "yes") if does else "no"


# ------------------------------------------------------------------ over the counters


def _orders(plan: Plan, occupied: Collection[str]) -> Orders:
    busy = plan.goals() | set(plan.works)
    return Orders(
        plan.side,
        retreats=tuple(RetreatDrawn(each.origin, each.place, each.number, each.avoided) for each in plan.retreats),
        attacks=tuple(_attack(plan, each) for each in plan.assaults),
        steps=tuple(_step(each) for each in plan.legs),
        marks=tuple(Mark("bombarded", place) for place in plan.bombarded),
        banners=tuple(
            Banner(place, violation.country)
            for violation in plan.violations
            for place in places_for_name(violation, occupied, busy)
        ),
        works={place: tuple(works) for place, works in plan.works.items()},
    )


def _attack(plan: Plan, each: Assault) -> Attack:
    beside = sorted((army.id for army in plan.armies.values() if army.place == each.origin), key=in_card_order)
    return Attack(
        each.origin,
        each.target,
        army_abbreviation(each.army),
        beside.index(each.army),
        _will(each.fires, each.fires_if),
        _will(each.advances, each.advances_if),
    )


def _step(leg: Leg) -> Step:
    return Step(leg.origin, leg.place, f"{army_abbreviation(leg.army)} {leg.number}", leg.open)


# ------------------------------------------------------------------ newcomers


def _newcomers(view: View, plan: Plan) -> dict[str, tuple[Face, ...]]:
    counters: dict[str, tuple[Face, ...]] = {}
    for newcomer in plan.newcomers:
        counters[newcomer.place] = (*counters.get(newcomer.place, ()), newcomer_face(view, plan.side, newcomer))
    return counters


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


# ------------------------------------------------------------------ countries violated


def places_for_name(violation: Violation, full: Collection[str], busy: Collection[str]) -> list[str]:
    """The hexes to write the name of a country in: one in each piece of it that is not just an island."""
    pieces = _pieces([place for place in violation.places if europe_atlas().is_hex(place)])
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
