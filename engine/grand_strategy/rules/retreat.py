"""Where an army goes that has to leave: displaced by an advance, or by the surrender of the country it stands in."""

from collections.abc import Collection, Sequence

from engine.grand_strategy.events import ArmyRetreated
from engine.grand_strategy.orders import Retreat
from engine.grand_strategy.policy import in_precision, keys_of_army
from engine.grand_strategy.state import UNALIGNED, Named
from engine.grand_strategy.war import War


def retreat(war: War, army: Named, origin: str) -> None:
    """HW-9.9: the displaced army goes whole to an adjacent friendly hex of its owner's choice, or dies."""
    refuges = legal_retreats(war, army)
    if refuges:
        _retreat_to_one_of(war, army, origin, refuges)
    else:
        war.lose(army, "no retreat")


def _retreat_to_one_of(war: War, army: Named, origin: str, refuges: Sequence[str], lost: Collection[str] = ()) -> None:
    """`lost` are places that are the side's no longer when the army has gone."""
    place = _ordered_retreat(war, army, refuges, lost)
    if place is None:
        place = _best_refuge(war, army, refuges, lost)
        if len(refuges) > 1:
            war.default_used(
                army.side,
                "D-18",
                f"{army.id} retreats from {origin} to {place}",
                f"STANDING RETREAT {army.id} TO {place}",
            )
    war.move(army, place)
    war.emit(ArmyRetreated(army.side, army.id, origin, place, seen_by=war.seeing(origin, place)))


def legal_retreats(war: War, army: Named) -> list[str]:
    """HW-9.9, HW-9.10: over land only; out of a box only if it touches the map."""
    may_stand = war.kind_of(army).may_stand
    near = [place for place in war.board.for_retreat[army.place] if war.owner(place) == army.side]
    refuges = [place for place in near if may_stand(war.place(place))]
    if army.side == UNALIGNED:  # HW-19.11: one unaligned country is no refuge for another's army
        nation = war.place(army.place).nation
        return [place for place in refuges if war.place(place).nation == nation]
    return refuges


def _ordered_retreat(war: War, army: Named, refuges: Sequence[str], lost: Collection[str]) -> str | None:
    for order in in_precision(war.standing(army.side, Retreat), keys_of_army(war.board, army)):
        match order.manner:
            case "TO":
                chosen = next((place for place in order.hexes if place in refuges), None)
                if chosen is not None:
                    return chosen
            case "TOWARD":
                nearest = min(war.board.distance(place, order.hexes[0]) for place in refuges)
                near = [place for place in refuges if war.board.distance(place, order.hexes[0]) == nearest]
                return _best_refuge(war, army, near, lost)
            case "AVOID":
                kept = [place for place in refuges if place not in order.hexes]
                return _best_refuge(war, army, kept or refuges, lost)
    return None


def _best_refuge(war: War, army: Named, refuges: Sequence[str], lost: Collection[str]) -> str:
    """D-18: in supply, not overstacked, a capital or a fort, many friendly neighbours, near a capital, lowest name."""
    if len(refuges) == 1:
        return refuges[0]
    supplied = war.supplied(army.side, without=(army.place, *lost))
    capitals = [place for place in war.board.capitals if _is_held(war, place, army.side) and place not in lost]

    def rank(place: str) -> tuple[bool, bool, bool, int, int, tuple[int, int, str]]:
        friends = sum(war.owner(near) == army.side for near in war.board.by_land[place])
        return (
            place not in supplied,
            war.room(place) < war.ground_strength(army),
            not (war.place(place).capital or war.fort_strength(place)),
            -friends,
            min((war.board.distance(place, capital) for capital in capitals), default=0),
            war.board.rank[place],
        )

    return min(refuges, key=rank)


def _is_held(war: War, place: str, side: str) -> bool:
    return place in war.state.ground and war.owner(place) == side


# ------------------------------------------------------------------ a country that surrenders


def leave_or_die(war: War, places: Sequence[str], *, all_die: bool) -> None:
    """HW-21.9, A-88: the armies in places that change hands by surrender are lost with some countries; out of
    any other country they retreat through its hexes to the nearest of their side, if one can be reached."""
    for place in places:
        for army in war.displaced_from(place):
            refuges = [] if all_die or army.side == UNALIGNED else _nearest_beyond(war, army, places)
            if refuges:
                _retreat_to_one_of(war, army, place, refuges, places)
            else:
                war.lose(army, "surrender")


def _nearest_beyond(war: War, army: Named, places: Collection[str]) -> list[str]:
    """The friendly places next to those that are being lost, in as few steps as there is one."""
    links, frontier, met = war.board.for_retreat, [army.place], {army.place}
    while frontier:
        around = [near for place in frontier for near in links[place] if near not in met]
        met.update(around)
        frontier = [place for place in dict.fromkeys(around) if _is_held(war, place, army.side)]
        if beyond := [place for place in frontier if place not in places]:
            return beyond
    return []
