"""Supply at its two moments: at the start of the player-turn for armies, at the end of combat for hexes (HW-10)."""

from engine.hitlers_war.events import ArmyEliminated, CutOff, PlaceCaptured
from engine.hitlers_war.victory import check_victory_at_once
from engine.hitlers_war.war import War


def judge_armies(war: War) -> None:
    """HW-10.6, HW-15.6: armies that cannot trace, or are held in their box, neither move nor attack this turn."""
    supplied = war.supplied(war.phasing)
    for army in war.armies_of(war.phasing):
        army.unsupplied = army.place not in supplied
        army.locked = war.state.turn <= war.scenario.locked.get(army.place, 0)
        if army.unsupplied:
            war.emit(CutOff(army.side, army.id, army.place))


def lose_isolated_places(war: War) -> None:
    """HW-10.7: all places of the phasing side without supply are found first, then they change hands together."""
    supplied = war.supplied(war.phasing)
    isolated = [place for place in war.places_of(war.phasing) if place not in supplied and place not in war.state.inert]
    for place in sorted(isolated, key=war.board.rank.__getitem__):
        _lose_place(war, place)
    if isolated:
        check_victory_at_once(war)


def _lose_place(war: War, place: str) -> None:
    """HW-10.7, HW-4.5: its armies are eliminated, its production is not damaged."""
    for army in war.armies_in(place, war.phasing):
        seen_by = war.seeing(place)
        war.remove_army(army)
        war.emit(ArmyEliminated(army.side, army.id, place, "isolated", army.strength, army.points, seen_by=seen_by))
    captor = the_opponent(war)
    previous = war.give_to(place, captor)
    seen_by = tuple(dict.fromkeys((*war.seeing(place), previous)))
    war.emit(PlaceCaptured(captor, place, previous, "isolation", seen_by=seen_by))


def the_opponent(war: War) -> str:
    """With two sides an isolated hex goes to the other one."""
    return next(side for side in war.scenario.sides if side != war.phasing)


def find_inert_places(war: War) -> tuple[str, ...]:
    """HW-10.9, A-16: without sea supply, Axis places that no chain reaches at set-up stay out of the rules all game."""
    if war.scenario.sea_transport:
        return ()
    supplied = war.supplied("axis")
    return tuple(
        place for place in sorted(war.places_of("axis"), key=war.board.rank.__getitem__) if place not in supplied
    )
