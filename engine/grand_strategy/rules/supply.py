"""Supply at its two moments: at the start of the player-turn for armies, at the end of combat for hexes (HW-10)."""

from collections.abc import Collection, Mapping

from engine.grand_strategy.containers import NO_LIMIT
from engine.grand_strategy.events import CutOff, HeirRolled, PlaceCaptured
from engine.grand_strategy.rolls import HEIR
from engine.grand_strategy.victory import check_victory_at_once
from engine.grand_strategy.war import War


def judge_armies(war: War) -> None:
    """HW-10.6, HW-15.6: armies that cannot trace, or are held in their box, neither move nor attack this turn."""
    supplied = war.supplied(war.phasing)
    for army in war.movable_of(war.phasing):
        army.unsupplied = army.place not in supplied
        army.locked = war.state.turn <= war.scenario.locked.get(army.place, 0)
        if army.unsupplied:
            war.emit(CutOff(army.side, army.id, army.place))


def lose_isolated_places(war: War) -> None:
    """HW-10.7: all places of the phasing side without supply are found first, then they change hands together; one that
    no enemy could supply stays."""
    supplied = war.supplied(war.phasing)
    isolated = [place for place in war.places_of(war.phasing) if place not in supplied and place not in war.state.inert]
    isolated.sort(key=war.board.rank.__getitem__)
    heritable = _what_each_may_inherit(war, isolated)
    heirs = {place: heir for place in isolated if (heir := _heir(war, place, heritable))}
    for place, heir in heirs.items():
        _lose_place(war, place, heir)
    for place in heirs:
        war.was_captured(place, war.phasing)
    if heirs:
        check_victory_at_once(war)


def _heir(war: War, place: str, heritable: Mapping[str, Collection[str]]) -> str:
    """HW-10.8: the opponent with the nearest undevastated point, a die deciding ties; empty if nobody inherits."""
    candidates = [side for side, places in heritable.items() if place in places]
    if len(candidates) < 2:
        return candidates[0] if candidates else ""
    distances = {side: _distance_to_production(war, place, side) for side in candidates}
    nearest = [side for side in candidates if distances[side] == min(distances.values())]
    if len(nearest) == 1:
        return nearest[0]
    roll = war.roll(place, HEIR, ())
    heir = war.rules.tied_heir(war, nearest, roll.die)
    war.emit(HeirRolled(heir, place, roll, seen_by=war.seeing(place)))
    return heir


def _what_each_may_inherit(war: War, isolated: Collection[str]) -> dict[str, Collection[str]]:
    """HW-10.7: the opponent all of it. Where there are three sides each only what he could supply at that moment, if
    need be through others of these places (A-87)."""
    enemies = war.enemies_of(war.phasing)
    if len(war.scenario.sides) == 2 or not isolated:
        return dict.fromkeys(enemies, isolated)
    return {side: war.supplied(side, besides=isolated) for side in enemies}


def _distance_to_production(war: War, place: str, side: str) -> int:
    """A-17: in hexes over the grid; boxes count as farthest."""
    working = [site for site in war.producing_places_of(side) if war.feeds_supply(site)]
    return min((war.board.distance(place, site) for site in working), default=NO_LIMIT)


def _lose_place(war: War, place: str, captor: str) -> None:
    """HW-10.7, HW-4.5: its armies are eliminated, its production is not damaged."""
    for army in war.displaced_from(place, war.phasing):
        war.lose(army, "isolated")
    previous = war.give_to(place, captor, cause="isolated")
    seen_by = tuple(dict.fromkeys((*war.seeing(place), previous)))
    war.emit(PlaceCaptured(captor, place, previous, "isolation", seen_by=seen_by))
