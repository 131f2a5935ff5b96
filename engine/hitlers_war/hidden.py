"""Changing what a side cannot know. Whatever is changed here, nothing that reaches that side may differ by a byte."""

from collections.abc import Callable, Iterable

from engine.game import Fog
from engine.hitlers_war.orders import Build, Defend
from engine.hitlers_war.sight import band
from engine.hitlers_war.state import NEUTRAL, Army, GroundSeen, Memory, State
from engine.hitlers_war.tables import tables

#: A number from 0 up to the given one, without it.
Choose = Callable[[int], int]


class Veil:
    """What one side cannot look behind: everything of the others that its fog level and its sight do not show."""

    def __init__(self, state: State, side: str, fog: Fog, in_sight: Iterable[str], choose: Choose) -> None:
        self.state, self.side, self.fog, self.choose = state, side, fog, choose
        self._in_sight = set(in_sight)

    def hides(self, place: str) -> bool:
        return self.fog == "fog" and place not in self._in_sight

    def others(self) -> list[str]:
        return [side for side in self.state.kept if side != self.side]

    def hidden_places_of(self, side: str) -> list[str]:
        return [place for place, ground in self.state.ground.items() if ground.owner == side and self.hides(place)]

    def hidden_armies(self) -> list[Army]:
        return [army for army in self.state.armies.values() if army.side != self.side and self.hides(army.place)]


def change_strengths(veil: Veil) -> None:
    """How strong others are, as far as a band or nothing at all is shown; what they are made of in any case."""
    for army in veil.state.armies.values():
        if veil.fog == "open" or army.side == veil.side:
            continue
        shown = band(army.strength) if veil.fog == "fog" and not veil.hides(army.place) else ""
        army.inf, army.mech = army.mech, army.inf
        more = veil.choose(5) + 1
        if not shown or band(army.strength + more) == shown:
            army.inf += more


def move_armies(veil: Veil) -> None:
    for army in veil.hidden_armies():
        elsewhere = veil.hidden_places_of(army.side)
        army.place = elsewhere[veil.choose(len(elsewhere))]


def disband_an_army(veil: Veil) -> None:
    if armies := veil.hidden_armies():
        del veil.state.armies[armies[veil.choose(len(armies))].id]


def raise_an_army(veil: Veil) -> None:
    for side in veil.others():
        free = [army for army in tables().army_names[side] if army not in veil.state.armies]
        places = veil.hidden_places_of(side)
        if free and places:
            army = free[veil.choose(len(free))]
            veil.state.armies[army] = Army(army, side, places[veil.choose(len(places))], inf=1 + veil.choose(9))


def devastate(veil: Veil) -> None:
    for place, ground in veil.state.ground.items():
        if veil.hides(place) and ground.owner not in (veil.side, NEUTRAL):
            ground.devastated += veil.choose(3)


def mark_places(veil: Veil) -> None:
    for side in veil.others():
        for place in veil.hidden_places_of(side)[: veil.choose(4)]:
            veil.state.taken[place] = veil.state.ungarrisoned[place] = True


def change_orders_on_file(veil: Veil) -> None:
    for side in veil.others():
        kept = veil.state.kept[side]
        kept.standing = [*kept.standing[1:], Defend("ALL", "HOLD" if veil.choose(2) else "NEVER")]
        kept.production = [Build({"inf": 1 + veil.choose(5)}, ("ANY",))]
        kept.later = []


def change_memories(veil: Veil) -> None:
    for side in veil.others():
        memory = veil.state.memory[side]
        ground = {
            place: GroundSeen(seen.owner, seen.devastated, seen.turn - 1) for place, seen in memory.ground.items()
        }
        veil.state.memory[side] = Memory(ground)


#: Every kind of change by its name.
CHANGES: dict[str, Callable[[Veil], None]] = {
    "strengths": change_strengths,
    "moves": move_armies,
    "disbanded": disband_an_army,
    "raised": raise_an_army,
    "devastation": devastate,
    "marks": mark_places,
    "orders on file": change_orders_on_file,
    "memories": change_memories,
}


def change_what_is_hidden(
    state: State, side: str, fog: Fog, in_sight: Iterable[str], choose: Choose, which: Iterable[str] = tuple(CHANGES)
) -> None:
    """Change a position in ways that a side cannot know at this fog level. Its view must stay the same."""
    veil = Veil(state, side, fog, in_sight, choose)
    for name in which:
        CHANGES[name](veil)
