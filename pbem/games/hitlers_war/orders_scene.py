"""A player's own orders on his map, for the receipt: his armies as he wants them, and where they are to go."""

from collections.abc import Collection, Iterator

import msgspec

from engine.grand_strategy import drafted as planned
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.state import UNALIGNED
from engine.grand_strategy.view import ArmyView, View
from engine.grid import search
from engine.hitlers_war.europe import LAYOUT
from pbem.draw.scene import Attack, Banner, CutOut, Face, Mark, Orders, Retreat, Scene, Step, Titles, Voyage, Way
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.board_scene import board_scene, titles_of
from pbem.games.hitlers_war.brief import composition, works_by_place
from pbem.games.hitlers_war.faces import face_of
from pbem.games.hitlers_war.happenings import Happenings
from pbem.games.hitlers_war.key_to_orders import key_to_orders
from pbem.games.hitlers_war.legend import key_to_front
from pbem.games.hitlers_war.map_scenes import boxes_beside
from pbem.games.hitlers_war.names import army_abbreviation, in_card_order, side_title
from pbem.games.hitlers_war.theatre import active_part, part_around

#: Pieces of a country of so many hexes are not named.
ISLAND = 2


def orders_scene(view: View, drafted: Drafted) -> Scene:
    """The board as the movement would leave it, and on it what is meant to follow."""
    ordered = msgspec.structs.replace(view, armies=drafted.armies)
    newcomers = _newcomers(ordered, drafted)
    marked = {*newcomers, *(work.place for work in drafted.works)}
    marked |= {place for violation in drafted.violations for place in violation.places}
    around = CutOut(
        _titles(view, drafted),
        part_around(_places(drafted)) or active_part(ordered, Happenings()),
        boxes_beside(ordered, marked),
        (*key_to_orders(drafted), *key_to_front(view, happened=False)),
    )
    scene = board_scene(ordered, around, _under_the_counters(drafted), newcomers)
    given_up = {each.place for each in drafted.given_up}
    return msgspec.structs.replace(
        scene,
        reaches_out=True,
        outlined=tuple(violation.places for violation in drafted.violations),
        forts={place: msgspec.structs.replace(fort, given_up=place in given_up) for place, fort in scene.forts.items()},
        orders=_orders(drafted, scene.stacks),
    )


def _titles(view: View, drafted: Drafted) -> Titles:
    titles, left = titles_of(view), drafted.pool
    remark = f"Left in your pool: {composition(left)}" if left else "As ordered, not as it will happen"
    return Titles(titles.war, f"Orders of the {side_title(drafted.side)}, {titles.date}", remark)


def _places(drafted: Drafted) -> set[str]:
    """Where something is drawn. What is only marked in a box off the map is drawn beside it."""
    marked = {*drafted.deployed, *(place for violation in drafted.violations for place in violation.places)}
    marked |= {each.place for each in drafted.supports} | {each.place for each in drafted.given_up}
    marked |= {each.place for each in drafted.works} | {each.place for each in drafted.newcomers}
    marked |= {retreat.origin for retreat in drafted.retreats}
    return {place for way in _ways(drafted) for place in way} | set(filter(europe_atlas().is_hex, marked))


def _ways(drafted: Drafted) -> list[tuple[str, ...]]:
    """All of which an arrow is drawn."""
    return [
        *((move.origin, move.place) for move in drafted.moves),
        *((attack.origin, attack.target) for attack in drafted.attacks),
        *((step.origin, step.place) for step in drafted.steps),
        *(voyage.places for voyage in drafted.voyages),
        *(landing.places for landing in drafted.landings),
    ]


def _under_the_counters(drafted: Drafted) -> Happenings:
    """Moves, voyages and where armies begin are drawn as what happened is."""
    side = drafted.side
    return Happenings(
        ways=[Way(side, move.origin, move.place, "moved") for move in drafted.moves],
        voyages=[
            *(Voyage(side, each.places, "sails") for each in drafted.voyages),
            *(Voyage(side, each.places, "lands", each.fires) for each in drafted.landings),
        ],
        captured=dict.fromkeys(drafted.deployed, side),
    )


# ------------------------------------------------------------------ over the counters


def _orders(drafted: Drafted, occupied: Collection[str]) -> Orders:
    return Orders(
        drafted.side,
        retreats=tuple(Retreat(each.origin, each.place, each.number, each.avoided) for each in drafted.retreats),
        attacks=tuple(_attack(drafted, each) for each in drafted.attacks),
        steps=tuple(map(_step, drafted.steps)),
        marks=tuple(Mark("bombarded", each.place) for each in drafted.supports),
        banners=tuple(_banners(drafted, occupied)),
        works={place: tuple(works) for place, works in works_by_place(drafted.works).items()},
    )


def _attack(drafted: Drafted, each: planned.Attack) -> Attack:
    beside = sorted((army.id for army in drafted.armies.values() if army.place == each.origin), key=in_card_order)
    name = army_abbreviation(each.army)
    return Attack(each.origin, each.target, name, beside.index(each.army), each.fires, each.advances)


def _step(step: planned.Step) -> Step:
    return Step(step.origin, step.place, f"{army_abbreviation(step.army)} {step.number}", step.open)


def _banners(drafted: Drafted, occupied: Collection[str]) -> Iterator[Banner]:
    busy = {way[-1] for way in _ways(drafted)} | {work.place for work in drafted.works}
    for violation in drafted.violations:
        yield from (Banner(place, violation.country) for place in places_for_name(violation, occupied, busy))


# ------------------------------------------------------------------ newcomers


def _newcomers(view: View, drafted: Drafted) -> dict[str, tuple[Face, ...]]:
    counters: dict[str, tuple[Face, ...]] = {}
    for newcomer in drafted.newcomers:
        counters[newcomer.place] = (*counters.get(newcomer.place, ()), newcomer_face(view, drafted.side, newcomer))
    return counters


def newcomer_face(view: View, side: str, newcomer: planned.Newcomer) -> Face:
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


def places_for_name(violation: planned.Violation, full: Collection[str], busy: Collection[str]) -> list[str]:
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
