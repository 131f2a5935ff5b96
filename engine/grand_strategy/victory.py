"""When the war is over, and who has won it (HW-15.8)."""

from collections.abc import Collection

from engine.game import Options, Outcome
from engine.grand_strategy.events import WarEnded
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.war import War

#: The option of a match in which one player runs two of three sides (HW-16.5, HW-18.5).
TWO_PLAYERS = "two-players"


def last_turn(scenario: ScenarioData, options: Options) -> int:
    """HW-18.4: with two players a war may be shorter."""
    if TWO_PLAYERS in options.switches and scenario.last_turn_two_players is not None:
        return scenario.last_turn_two_players
    return scenario.last_turn


def end_war(war: War, winners: tuple[str, ...], how: str, case: str) -> None:
    war.state.outcome = Outcome(winners, how, case)
    war.emit(WarEnded(winners, how, case))


def check_victory_at_once(war: War) -> None:
    """What ends the war the moment it happens."""
    if not war.over:
        war.rules.won_at_once(war)


def check_victory_at_the_end(war: War) -> None:
    """After the last turn, if nobody has won before."""
    if not war.over:
        war.rules.won_at_the_end(war)


# ------------------------------------------------------------------ places that decide


def all_taken(war: War) -> None:
    """HW-15.8: a side wins the moment it holds every hex it has to take."""
    for side, goal in war.scenario.victory.get("take_all", {}).items():
        if all(place in war.state.ground and war.owner(place) == side for place in goal):
            names = ", ".join(f"{war.place(place).name} {place}" for place in goal)
            end_war(war, (side,), f"{war.tables.side_names[side]} holds {names}", war.scenario.victory["case"])
            return


def would_take_all(war: War, places: Collection[str]) -> bool:
    """Whether the war would be over at once if the phasing side took all of these."""
    goal = war.scenario.victory.get("take_all", {}).get(war.phasing, ())
    missing = [place for place in goal if war.owner(place) != war.phasing]
    return bool(missing) and set(missing) <= set(places)


def held_out(war: War) -> None:
    """HW-15.8: after the last turn the side named by the scenario wins if nobody has won before."""
    side = war.scenario.victory.get("otherwise")
    if side:
        end_war(war, (side,), f"{war.tables.side_names[side]} held out to the end", war.scenario.victory["case"])


def points_held(war: War, side: str) -> int:
    """All points a side controls, devastated or not."""
    return sum(war.capacity(place) for place in war.producing_places_of(side))
