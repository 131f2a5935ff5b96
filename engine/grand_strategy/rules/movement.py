"""The Movement Phase: any rearrangement of strength points behind friendly lines (HW-6, HW-7).

All lines are laid on the table first. If the picture is not legal, the line whose removal cures the fault is refused,
or as many of the last as it takes, and the rest are laid out again.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from engine.grand_strategy.draft import Draft, Fault, LineIsRefused, Points
from engine.grand_strategy.events import ArmyRearranged, PointsConverted, PointsShipped, SeaTransportUsed, StackCulled
from engine.grand_strategy.orders import Convert, Disband, Form, GoTo, Invade, Route, Set, Ship, Transfer
from engine.grand_strategy.rules.losses import cull
from engine.grand_strategy.sea.transport import Transport
from engine.grand_strategy.war import War
from engine.grid import search
from engine.orders import Line

#: Of many lines that have to do with a fault, how many of the last are tried one by one.
MOST_TRIED_ALONE = 12


def move(war: War) -> Draft | None:
    """HW-6: rearrange, then cull what still stands too thick. Returns what was carried out, if there was anything."""
    draft = _rearrange(war, war.lines_of(Set, GoTo, Transfer, Form, Disband, Ship, Convert, Route))
    for place in dict.fromkeys(counter.place for counter in war.movable_of(war.phasing)):
        _cull_overstack(war, place)
    for army in war.armies_of(war.phasing):
        war.note(army)
    return draft


def _rearrange(war: War, lines: Sequence[Line]) -> Draft | None:
    if not lines:
        return None
    draft = _legal_picture(war, _routes_first(lines))
    _carry_out(war, draft)
    _refuse_idle_routes(war, draft)
    return draft


def connected_regions(war: War, side: str) -> dict[str, str]:
    """For each friendly place the name of its connected piece of friendly territory."""
    region: dict[str, str] = {}
    steps = friendly_steps(war, side)
    for place in war.places_of(side):
        if place not in region:
            region.update(dict.fromkeys(search([place], steps), place))
    return region


def friendly_steps(war: War, side: str) -> Callable[[str], list[str]]:
    friendly, links = frozenset(war.places_of(side)), war.board.by_land
    return lambda place: [near for near in links[place] if near in friendly]


# ------------------------------------------------------------------ finding a legal picture


def _routes_first(lines: Sequence[Line]) -> list[Line]:
    """A ROUTE says how another line is carried out, wherever it stands in the sheet."""
    return sorted(lines, key=lambda line: not isinstance(line.order, Route))


def _refuse_idle_routes(war: War, draft: Draft) -> None:
    """Ways of armies that stay, and all but the last of an army that was given several."""
    sailing = draft.routes_sailed | {line.order.army for line in war.lines_of(Invade)}
    routes = war.lines_of(Route)
    last = {line.order.army: line for line in routes}
    for line in routes:
        army = line.order.army
        if line is not last[army]:
            war.refuse(line, f"{army} has another ROUTE in line {last[army].number}", "keep one of the two", army)
        elif army in draft.routes and army not in sailing and (waits := war.why_it_waits(army)):
            war.refuse(line, waits, war.name_free_counters(war.phasing), army)
        elif army in draft.routes and army not in sailing:
            war.refuse(line, f"{army} does not sail this turn", _how_to_sail(war, army), army)


def _how_to_sail(war: War, army: str) -> str:
    goes = [line for line in war.lines_of(GoTo) if line.order.army == army]
    gives = [line for line in war.lines_of(Ship, Transfer, Form) if line.order.giver == army]
    if goes or gives:
        return "mend the line that sends it, or leave the ROUTE away"
    return f"give {army} a GOTO, SHIP or INVADE line too"


def _legal_picture(war: War, lines: Sequence[Line]) -> Draft:
    transport = Transport(war, war.phasing, connected_regions(war, war.phasing))
    while True:
        draft, impossible = _lay_out(war, transport, lines)
        for line, refusal in impossible:
            war.refuse(line, refusal.why, refusal.remedy, refusal.army)
        lines = _without(lines, [line for line, _ in impossible])
        fault = next(draft.faults(), None)
        if fault is None:
            return draft
        guilty = _to_blame(war, transport, lines, fault)
        for line in guilty:
            war.refuse(line, fault.why, fault.remedy)
        lines = _without(lines, guilty)


def _lay_out(war: War, transport: Transport, lines: Iterable[Line]) -> tuple[Draft, list[tuple[Line, LineIsRefused]]]:
    """The draft that these lines make, and the lines that could not even be laid."""
    draft, impossible = Draft(war, transport), []
    for line in lines:
        try:
            draft.lay(line)
        except LineIsRefused as refusal:
            impossible.append((line, refusal))
    return draft, impossible


def _to_blame(war: War, transport: Transport, lines: Sequence[Line], fault: Fault) -> list[Line]:
    """The last line whose removal cures the fault; if no single one does, as many of the last as it takes, less those
    that can stay."""

    def is_cured_without(refused: Sequence[Line]) -> bool:
        draft, _ = _lay_out(war, transport, _without(lines, refused))
        return all(other.key != fault.key for other in draft.faults())

    suspects = list({line.number: line for line in fault.lines}.values())
    if fault.guilty:
        return suspects
    for line in reversed(suspects[-MOST_TRIED_ALONE:]):
        if is_cured_without([line]):
            return [line]
    fewest = bisect_left(range(len(suspects)), 1, lo=1, key=lambda count: int(is_cured_without(suspects[-count:])))
    refused = suspects[-fewest:]
    for line in refused[:MOST_TRIED_ALONE]:
        others = _without(refused, [line])
        if others and is_cured_without(others):
            refused = others
    return refused


def _without(lines: Iterable[Line], refused: Sequence[Line]) -> list[Line]:
    numbers = {line.number for line in refused}
    return [line for line in lines if line.number not in numbers]


# ------------------------------------------------------------------ carrying it out


def _carry_out(war: War, draft: Draft) -> None:
    """Change all armies together, so that points in transit are never missing, then tell what changed."""
    before = {counter.id: (counter.place, counter.points) for counter in war.movable_of(war.phasing)}
    origins_seen = {army: war.seeing(place) for army, (place, _) in before.items()}
    on_the_map = {counter.id: counter for counter in war.movable_of(war.phasing)}
    for army_id, stand in draft.stands.items():
        if points := _present(war, stand.points):
            _take_up_stand(war, army_id, stand.place, points)
        elif army_id in on_the_map:
            war.remove(on_the_map[army_id])
    _convert_where_it_stands(draft)
    if any(draft.converted.values()):
        with war.carrying_out(*(line for line in draft.laid if isinstance(line.order, Convert))):
            war.emit(PointsConverted(war.phasing, {army: count for army, count in draft.converted.items() if count}))
    for army_id, stand in draft.stands.items():
        origin, held = before.get(army_id, ("", {}))
        points = _present(war, stand.points)
        place = stand.place if points else ""
        if (origin, held) != (place, points):
            leaving, seen_by = origins_seen.get(army_id, ()), war.seeing(place) if place else ()
            with war.carrying_out(*draft.lines_about(army_id)):
                war.emit(ArmyRearranged(war.phasing, army_id, origin, place, held, points, leaving, seen_by=seen_by))
    _report_voyages(war, draft)


def _convert_where_it_stands(draft: Draft) -> None:
    """Armies that may not move keep their place in the draft, so their points are changed here (HW-6.7)."""
    for army in draft.fixed.values():
        army.add("amph", -draft.converted[army.id])
        army.add("inf", draft.converted[army.id])


def _report_voyages(war: War, draft: Draft) -> None:
    bookings = draft.bookings
    for cargo, count in bookings.cargoes.items():
        with war.carrying_out(*draft.senders[cargo.origin, cargo.place, cargo.seas]):
            war.emit(PointsShipped(war.phasing, count, cargo.origin, cargo.place, cargo.seas))
    if bookings.used:
        left = {name: bookings.transport.left(name, bookings.used) for name in bookings.used}
        war.emit(SeaTransportUsed(war.phasing, dict(bookings.used), left))


def _take_up_stand(war: War, name: str, place: str, points: Points) -> None:
    counter = war.form(war.phasing, name, place)
    counter.hold(points)
    if counter.place != place:
        war.move(counter, place)


def _present(war: War, points: Points) -> Points:
    return {kind: points[kind] for kind in war.units if points.get(kind)}


def _cull_overstack(war: War, place: str) -> None:
    for army, lost in cull(war, place, war.excess(place)):
        if not army.strength:
            war.remove(army)
        war.emit(StackCulled(army.side, place, army.id, lost))
