"""Changing what a side cannot know. Whatever is changed here, nothing that reaches that side may differ by a byte."""

from collections.abc import Callable, Iterable

import msgspec

from engine.events import Event
from engine.game import Fog
from engine.grand_strategy.containers import band, band_of_walls
from engine.grand_strategy.events import ArmyDeployed, ArmyEliminated, ArmyJoined, FortLost, PointsLost
from engine.grand_strategy.orders import Build, Defend
from engine.grand_strategy.state import NEUTRAL, UNALIGNED, Army, Container, Fort, GroundSeen, Memory, State
from engine.hitlers_war.growth import UNITED_STATES_BOX
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import SIDE_NAMES, SOVIET
from engine.hitlers_war.tables import tables

#: A number from 0 up to the given one, without it.
Choose = Callable[[int], int]


class Veil:
    """What one side cannot look behind: everything of the others that its fog level and its sight do not show."""

    def __init__(self, state: State, side: str, fog: Fog, in_sight: Iterable[str], choose: Choose) -> None:
        self.state, self.side, self.fog, self.choose = state, side, fog, choose
        self._in_sight = set(in_sight)
        self.kinds = setting_of(state.scenario, state.options).rules.containers

    def shown(self, container: Container, more: int = 0) -> str:
        """As how strong others see it, if it is that much stronger; empty where they do not see it at all."""
        if self.fog != "fog" or self.hides(container.place):
            return ""
        return self.kinds[container.kind].shows(container.strength + more)

    def hidden_increases(self, container: Container) -> list[int]:
        """By how much it may be stronger without anybody's seeing it."""
        return [more for more in range(1, 6) if self.shown(container, more) == self.shown(container)]

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
        army.inf, army.mech = army.mech, army.inf
        likely = veil.hidden_increases(army)
        army.inf += likely[veil.choose(len(likely))] if likely else 0


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


def change_control(veil: Veil) -> None:
    """Who holds what is out of sight, if anybody, and all that hangs on it, such as Suez and boxes that grow."""
    state, occupied = veil.state, {army.place for army in veil.state.armies.values()} | veil.state.forts.keys()
    holders, grows = [*veil.others(), UNALIGNED], {UNITED_STATES_BOX, *load_scenario(state.scenario).growing}
    for place in [place for holder in holders for place in veil.hidden_places_of(holder) if place not in occupied]:
        if veil.choose(2):
            state.ground[place].owner = holders[veil.choose(len(holders))]
            if place in grows and place not in state.growth_lost:
                state.growth_lost = (*state.growth_lost, place)


def devastate(veil: Veil) -> None:
    for place, ground in veil.state.ground.items():
        if veil.hides(place) and ground.owner not in (veil.side, NEUTRAL):
            ground.devastated += veil.choose(3)


def change_forts(veil: Veil) -> None:
    """What is under construction never shows; what is complete shows as a band to those who see it."""
    for fort in veil.state.forts.values():
        if veil.fog == "open" or fort.side == veil.side:
            continue
        fort.building += veil.choose(3)
        more = veil.choose(5) + 1
        if more in veil.hidden_increases(fort):
            fort.strength += more


def change_groups(veil: Veil) -> None:
    """Other counters that are out of sight may be gone, those in sight may hold more than shows."""
    for key, group in list(veil.state.groups.items()):
        if veil.fog == "open" or group.side == veil.side:
            continue
        likely = veil.hidden_increases(group)
        if veil.hides(group.place) and veil.choose(2):
            del veil.state.groups[key]
        elif likely:
            group.add(next(iter(group.points)), likely[veil.choose(len(likely))])


def raise_a_fort(veil: Veil) -> None:
    for side in veil.others() if "fort" in veil.kinds else ():
        used = {fort.number for fort in veil.state.forts.values() if fort.side == side}
        free = [number for number in range(1, 8) if number not in used]
        places = [place for place in veil.hidden_places_of(side) if place not in veil.state.forts]
        if free and places:
            place = places[veil.choose(len(places))]
            veil.state.forts[place] = Fort(side, free[0], place, 1 + veil.choose(5))


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


def change_lend_lease(veil: Veil) -> None:
    """What is on its way to the Soviets is written on their record sheet."""
    if veil.fog != "open" and veil.side != SOVIET:
        veil.state.lend_lease += 1 + veil.choose(3)


#: Every kind of change by its name.
CHANGES: dict[str, Callable[[Veil], None]] = {
    "strengths": change_strengths,
    "lend-lease": change_lend_lease,
    "moves": move_armies,
    "disbanded": disband_an_army,
    "raised": raise_an_army,
    "control": change_control,
    "devastation": devastate,
    "forts": change_forts,
    "new forts": raise_a_fort,
    "groups": change_groups,
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


# ------------------------------------------------------------------ what happened


def change_what_was_hidden(event: Event, side: str, fog: Fog, choose: Choose) -> Event:
    """An event as it may have been too, for all that a side was told of it: from other lines, and with other points."""
    if event.lines:
        lines = {who: numbers if who == side else tuple(n + 1 for n in numbers) for who, numbers in event.lines.items()}
        event = msgspec.structs.replace(event, lines=lines)
    return _with_other_points(event, side, fog, choose)


def _with_other_points(event: Event, side: str, fog: Fog, choose: Choose) -> Event:
    if fog == "open" or getattr(event, "side", side) == side:
        return event
    match event:
        case ArmyEliminated(cause="losses") | PointsLost():
            return msgspec.structs.replace(event, lost={"mech": event.count})
        case ArmyEliminated():
            shown = fog == "fog" or event.cause == "no retreat"
            count = _another(event.count, band if shown else None, choose)
            return msgspec.structs.replace(event, count=count, lost={"mech": count})
        case FortLost() if event.count:
            complete = _another(event.count - event.building, band_of_walls if fog == "fog" else None, choose)
            building = choose(3) + (not complete)
            return msgspec.structs.replace(event, count=complete + building, building=building)
        case ArmyDeployed() | ArmyJoined():
            return msgspec.structs.replace(event, points={"inf": 1 + choose(9)})
        case _:
            return event


def change_who_else_saw(event: Event, side: str, fog: Fog, choose: Choose) -> Event:
    """Other witnesses of what this side was told of; where all is open they are told too."""
    if fog == "open" or not event.seen_by:
        return event
    others = tuple(other for other in SIDE_NAMES if other != side and choose(2))
    return msgspec.structs.replace(event, seen_by=(*others, *(one for one in event.seen_by if one == side)))


def _another(number: int, shown: Callable[[int], str] | None, choose: Choose) -> int:
    """Another number of points that shows in the same way."""
    alike = [
        other
        for other in range(21)
        if (shown is None and other) or (shown is not None and shown(other) == shown(number))
    ]
    return alike[choose(len(alike))]
