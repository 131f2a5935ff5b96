"""When the war is over (HW-15.8)."""

from engine.game import Outcome
from engine.hitlers_war.events import WarEnded
from engine.hitlers_war.war import War

SIDE_NAMES = {"axis": "the Axis", "soviet": "the Soviet Union", "allies": "the Allies"}


def end_war(war: War, winners: tuple[str, ...], how: str, case: str) -> None:
    war.state.outcome = Outcome(winners, how, case)
    war.emit(WarEnded(winners, how, case))


def check_victory_at_once(war: War) -> None:
    """A side wins the moment it holds every hex it has to take."""
    if war.over:
        return
    for side, goal in war.scenario.victory.get("take_all", {}).items():
        if all(place in war.state.ground and war.owner(place) == side for place in goal):
            names = ", ".join(f"{war.place(place).name} {place}" for place in goal)
            end_war(war, (side,), f"{SIDE_NAMES[side]} holds {names}", war.scenario.victory["case"])
            return


def check_victory_at_the_end(war: War) -> None:
    """After the last turn the side named by the scenario wins if nobody has won before."""
    side = war.scenario.victory.get("otherwise")
    if side and not war.over:
        end_war(war, (side,), f"{SIDE_NAMES[side]} held out to the end", war.scenario.victory["case"])
