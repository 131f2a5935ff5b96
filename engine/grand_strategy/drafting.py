"""Noting down what a sheet would come to, while the rules judge it on the position as known.

Nothing is worked out here that the rules have not: armies stand where the movement has put them, points sail where they
were booked, attacks and landings are those that were announced, and lines that were refused mean nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, get_args

from msgspec.structs import replace

from engine.grand_strategy import orders
from engine.grand_strategy.board import Board
from engine.grand_strategy.draft import Draft
from engine.grand_strategy.drafted import (
    Attack,
    Bill,
    Drafted,
    GivenUp,
    InWords,
    Landing,
    Move,
    Newcomer,
    Piece,
    Retreat,
    Step,
    Support,
    Violation,
    Voyage,
    Will,
    Work,
)
from engine.grand_strategy.events import ArmyJoined
from engine.grand_strategy.hearing import PRODUCTION
from engine.grand_strategy.politics.nations import nation_of_country, places_of_nation
from engine.grand_strategy.rules.combat import tests_of_assault
from engine.grand_strategy.rules.exploitation import Onward, steps_of
from engine.grand_strategy.sea.courses import Courses
from engine.grand_strategy.sea.transport import Cargo
from engine.grand_strategy.state import UNALIGNED, Army
from engine.grand_strategy.view import ArmyView, View
from engine.grand_strategy.war import War
from engine.orders import Line, Sheet

#: What is seen of these are armies in their places, ways between them, and points in their counters.
OF_MOVEMENT = (
    orders.Deploy,
    orders.Set,
    orders.GoTo,
    orders.Transfer,
    orders.Form,
    orders.Disband,
    orders.Ship,
    orders.Route,
)
#: Paths, and what does not stand of the production list, are noted when they are judged.
NOTED_ELSEWHERE: tuple[type[orders.Order], ...] = (*OF_MOVEMENT, orders.Exploit, *PRODUCTION)


class Drafting:
    """A sheet while it is judged. Before anything is noted it leaves everything as the view has it.

    Only what the rules would change is put down at once; a sheet is judged more often than it is drawn.
    """

    def __init__(self, view: View, sheet: Sheet) -> None:
        self._view, self._sheet = view, sheet
        self._own: list[Army] | None = None
        self._gone: Collection[str] = ()
        self._joined: list[ArmyJoined] = []
        self._movement: tuple[Board, Draft] | None = None
        self._deployed: dict[int, str] = {}
        self._pool: Mapping[str, int] = view.pool
        self._paths: dict[int, Sequence[Onward]] = {}
        self._pieces: dict[int, list[Piece]] = {}
        self._bill: Bill | None = None

    # ---- while it is judged

    def note_deployment(self, war: War, left: Mapping[str, int]) -> None:
        self._note_armies(war)
        self._deployed = {line.number: line.order.hex for line in war.lines_of(orders.Deploy)}
        self._pool = dict(left)

    def note_movement(self, war: War, draft: Draft | None) -> None:
        self._note_armies(war)
        self._movement = (war.board, draft) if draft is not None else None

    def _note_armies(self, war: War) -> None:
        """As they stand before production, whatever that may bring."""
        self._own = [copy(army) for army in war.armies_of(self._sheet.side)]
        self._gone = self._view.armies.keys() - war.state.armies.keys()
        self._joined = [event for event in war.events if isinstance(event, ArmyJoined)]

    def note_path(self, line: Line, path: Sequence[Onward]) -> None:
        """From where the army stands after its attack."""
        self._paths[line.number] = path

    def note_lines(self, war: War, refused: Collection[int]) -> None:
        """What the lines mean that move nobody, but for paths, and the production list."""
        for line in self._sheet.lines:
            elsewhere = isinstance(line.order, NOTED_ELSEWHERE) and not line.standing
            if not elsewhere and line.number not in refused:
                self._pieces[line.number] = list(_meant_by(war, line.order))

    def note_production(self, war: War, places: Mapping[int, str]) -> None:
        """`places` say by line where it is carried out; nothing for what may be done anywhere."""
        for line in self._sheet.lines:
            if line.number in places:
                self._pieces[line.number] = [_work(war, line.order, places[line.number])]

    def note_bill(self, bill: Bill) -> None:
        self._bill = bill

    # ---- when it has been judged

    def without(self, refused: Collection[int]) -> Drafted:
        """What the sheet would come to without the lines that were refused."""
        found: dict[type[Piece], list[Any]] = {kind: [] for kind in get_args(Piece)}
        for line in self._sheet.lines:
            for piece in self._meant_by(line) if line.number not in refused else ():
                found[type(piece)].append(piece)
        armies = self._armies()
        deployed = (place for number, place in self._deployed.items() if number not in refused)
        return Drafted(
            self._sheet.side,
            self._view.turn,
            armies,
            moves=tuple(dict.fromkeys(self._moves(armies))),
            voyages=tuple(dict.fromkeys(self._voyages())),
            deployed=tuple(dict.fromkeys(deployed)),
            pool={kind: count for kind, count in self._pool.items() if count},
            attacks=tuple(found[Attack]),
            landings=tuple(found[Landing]),
            steps=tuple(found[Step]),
            retreats=tuple(found[Retreat]),
            supports=tuple(found[Support]),
            violations=tuple(dict.fromkeys(found[Violation])),
            newcomers=tuple(found[Newcomer]),
            works=tuple(found[Work]),
            given_up=tuple(found[GivenUp]),
            in_words=tuple(found[InWords]),
            bill=self._bill_without(refused),
        )

    def _bill_without(self, refused: Collection[int]) -> Bill | None:
        if self._bill is None:
            return None
        return replace(self._bill, prices=tuple(each for each in self._bill.prices if each.line not in refused))

    def _meant_by(self, line: Line) -> list[Piece]:
        path = self._paths.get(line.number)
        return self._pieces.get(line.number, []) if path is None else list(_steps(line.order.army, path))

    def _armies(self) -> dict[str, ArmyView]:
        """The side's own as they stand, of the others those that are still there."""
        there = {army: known for army, known in self._view.armies.items() if army not in self._gone}
        there |= {army.id: self._as_it_stands(army) for army in self._own or ()}
        joined = [event for event in self._joined if event.army in there]
        return there | {event.army: self._as_it_joined(event, there[event.army]) for event in joined}

    def _as_it_stands(self, army: Army) -> ArmyView:
        known = self._view.armies.get(army.id) or ArmyView(army.id, army.side, army.place, self._view.turn)
        return replace(known, place=army.place, points=army.points, strength=army.strength)

    def _as_it_joined(self, event: ArmyJoined, here: ArmyView) -> ArmyView:
        """Of an army that has just changed over no more is known than before."""
        known = self._view.armies[event.previously]
        if known.points is None:
            return replace(known, id=here.id, side=event.side, place=here.place)
        return replace(here, side=event.side)

    def _moves(self, armies: Mapping[str, ArmyView]) -> Iterator[Move]:
        """Of points that go to another army, then of armies that go as a whole; all of them over land."""
        if self._movement is None:
            return
        _, draft = self._movement
        yield from (Move(*ends) for ends in draft.handed)
        for army in armies.values():
            before = self._view.armies.get(army.id)
            if before is not None and army.id in draft.stands and army.id not in draft.at_sea:
                if before.place != army.place and draft.region[before.place] == draft.region[army.place]:
                    yield Move(before.place, army.place)

    def _voyages(self) -> Iterator[Voyage]:
        """By the route that was laid down, or else on a course over the seas that were booked."""
        if self._movement is None:
            return
        board, draft = self._movement
        courses = Courses(board, draft.region, ())
        for cargo in draft.bookings.cargoes:
            course = _laid_down(draft, cargo) or courses.by_sea(cargo.origin, cargo.place, cargo.seas)
            yield Voyage(course or (cargo.origin, cargo.place))


def _laid_down(draft: Draft, cargo: Cargo) -> tuple[str, ...]:
    """From where the points are, though the route may begin in a port nearby."""
    places = draft.courses.get(cargo, ())
    return places if places[:1] in ((), (cargo.origin,)) else (cargo.origin, *places)


def _steps(army: str, path: Iterable[Onward]) -> Iterator[Step]:
    """A branch goes on from both of its hexes."""
    for number, onward in enumerate(path, 1):
        is_open = len(steps_of(onward.entry)) > 1 or len(onward.here) > 1
        for origin, place in onward.ways:
            yield Step(army, number, origin, place, is_open)


# ------------------------------------------------------------------ what a line means


def _meant_by(war: War, order: orders.AnyOrder) -> Iterator[Piece]:
    match order:
        case orders.Attack():
            army = war.state.armies[order.army]
            fires = _will(tests_of_assault(war, army, order))
            yield Attack(order.army, army.place, order.hex, fires, _will(order.advance))
        case orders.Invade():
            army = war.state.armies[order.army]
            yield Landing(order.army, army.route, _will(tests_of_assault(war, army, order)))
        case orders.Retreat():
            yield from _retreats(war, order)
        case orders.Support() if order.hexes:
            yield from map(Support, order.hexes)
        case orders.Violate():
            yield _violation(war, order)
        case orders.Adopt():
            yield _adopted(war, order)
        case _:
            yield _of_the_game(war, order)


def _will(tests: orders.Tests | None) -> Will:
    if tests is None:
        return "no"
    return "perhaps" if tests else "yes"


def _retreats(war: War, order: orders.Retreat) -> Iterator[Piece]:
    """Only of one army or one hex; what holds for many would hide everything else and is told in words."""
    army = war.state.armies.get(order.where)
    origin = army.place if army is not None else order.where
    if origin not in war.board or order.manner == "DIE":
        yield InWords(str(order))
        return
    for number, place in enumerate(order.hexes, 1):
        if place in war.board and place != origin:
            directed = order.manner == "TOWARD"
            yield Retreat(origin, place, 0 if directed else number, avoided=order.manner == "AVOID")


def _violation(war: War, order: orders.Violate) -> Piece:
    """All of a nation that is still unaligned: to violate a part is to violate all (D-40)."""
    nation = nation_of_country(war.board, order.country)
    places = tuple(places_of_nation(war, nation, UNALIGNED))
    return Violation(nation, places) if places else InWords(str(order))


def _adopted(war: War, order: orders.Adopt) -> Piece:
    """Where the army of the country stands, or else where it produces most (D-45)."""
    places = places_of_nation(war, nation_of_country(war.board, order.country), UNALIGNED)
    if not places:
        return InWords(str(order))
    stands = [army.place for army in war.armies_of(UNALIGNED) if army.place in places]
    home = max(places, key=lambda place: war.board[place].production)
    return Newcomer(order.army, (stands or [home])[0], order.country)


def _of_the_game(war: War, order: orders.AnyOrder) -> Piece:
    """What the game itself says of an order, else in words."""
    pieces = (drafted(war, order) for drafted in war.rules.drafted)
    return next((piece for piece in pieces if piece is not None), InWords(str(order)))


def _work(war: War, order: orders.ProductionOrder, place: str) -> Piece:
    """In words if nobody can say where yet."""
    if not place:
        return InWords(str(order))
    match order:
        case orders.Build():
            return Work(place, "build", order.points, most=order.most)
        case orders.Repair():
            return Work(place, "repair", number=order.points)
        case orders.Fortify():
            return Work(place, "fort", number=order.points)
        case orders.Dismantle():
            return GivenUp(place)
    return _of_the_game(war, order)
