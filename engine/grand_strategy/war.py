"""A war in the middle of a run: the board, the position, the dice, the orders at hand and what has happened so far.

The rules modules are functions over this. It answers the questions every rule asks (who holds a hex, what defends
it) and is the only way to change the position and to report an event.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from typing import TypeVar

from msgspec.structs import replace

from engine.dice import Dice
from engine.events import Event, Modifier, Roll
from engine.grand_strategy.board import Place
from engine.grand_strategy.containers import NO_LIMIT, ContainerKind
from engine.grand_strategy.events import DefaultUsed, DoneInPart, OrderRefused
from engine.grand_strategy.orders import Losses, Order
from engine.grand_strategy.rulebook import Growth, Setting
from engine.grand_strategy.sea.routes import Waters, supply_seas
from engine.grand_strategy.sight import Watch
from engine.grand_strategy.state import NEUTRAL, UNALIGNED, Army, Container, Ground, Group, Named, State
from engine.grid import search
from engine.orders import Line

MOST_FIREPOWER = 10  # HW-8.9

Observer = Callable[["War", Event], None]
Kind = TypeVar("Kind", bound=Order)


class War:
    def __init__(self, setting: Setting, state: State, dice: Dice, observer: Observer | None = None) -> None:
        self.setting = setting
        self.board = setting.board
        self.tables = setting.tables
        self.scenario = setting.scenario
        self.rules = setting.rules
        self.units = setting.rules.units
        self.state = state
        self.dice = dice
        self.observer = observer
        self.events: list[Event] = []
        self.lines: list[Line] = []  # the phasing side's lines at hand
        self.under_hand: tuple[int, ...] = ()  # the numbers of those that are being carried out
        self.watch = Watch(setting, state) if state.options.fog == "fog" else None
        self.season, self.year = self.tables.season_of(state.turn)

    # -------------------------------------------------------------- the loop's questions

    @property
    def step(self) -> str:
        return self.state.step

    @step.setter
    def step(self, phase: str) -> None:
        self.state.step = phase

    @property
    def is_exploitation(self) -> bool:
        """HW-8.7: the sub-phase after all initial attacks."""
        return self.step == "exploitation"

    @property
    def over(self) -> bool:
        return self.state.outcome is not None

    @property
    def phasing(self) -> str:
        return self.state.phasing

    # -------------------------------------------------------------- orders at hand

    def lines_of(self, *kinds: type[Order]) -> list[Line]:
        return [line for line in self.lines if isinstance(line.order, kinds) and not line.standing]

    def losses_orders(self, side: str) -> list[Losses]:
        """Standing LOSSES first, this sheet's after them: later lines beat earlier ones of equal precision."""
        standing = self.standing(side, Losses)
        if side != self.phasing:
            return standing
        return standing + [line.order for line in self.lines_of(Losses)]

    def standing(self, side: str, kind: type[Kind]) -> list[Kind]:
        """The standing orders of one kind; those who are no side have none."""
        kept = self.state.kept.get(side)
        return [order for order in kept.standing if isinstance(order, kind)] if kept is not None else []

    # -------------------------------------------------------------- friend and foe

    def enemies_of(self, side: str) -> tuple[str, ...]:
        return self.rules.enemies(self, side)

    def is_enemy(self, side: str, place: str) -> bool:
        """Whether a place is held by a side this one is at war with."""
        return self.owner(place) in self.enemies_of(side)

    # -------------------------------------------------------------- places

    def place(self, place: str) -> Place:
        return self.board.places[place]

    def ground(self, place: str) -> Ground:
        return self.state.ground[place]

    def owner(self, place: str) -> str:
        return self.state.ground[place].owner

    def places_of(self, side: str) -> list[str]:
        return [place for place, ground in self.state.ground.items() if ground.owner == side]

    def producing_places_of(self, side: str) -> list[str]:
        """The side's places that have production points now or will have, devastated or not."""
        ground = self.state.ground
        return [place for place in self._producing if place in ground and ground[place].owner == side]

    @cached_property
    def _producing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.board.producing, *self.growing)))

    def is_open_to_attack(self, place: str) -> bool:
        """Whether the phasing side could attack a place, if need be after declaring it (HW-15.5, HW-17.1, HW-19.2)."""
        if place not in self.state.ground or self.owner(place) == NEUTRAL:
            return False
        return self.owner(place) in (self.phasing, UNALIGNED, *self.enemies_of(self.phasing))

    def holds(self, side: str, place: str) -> bool:
        return place in self.state.ground and self.owner(place) == side

    @cached_property
    def attack_links(self) -> dict[str, tuple[str, ...]]:
        """Where a land attack may go (HW-9.15)."""
        return self.board.grid.links(self.rules.attack_over)

    @cached_property
    def growing(self) -> Mapping[str, Growth]:
        """The places whose production changes in the course of the war."""
        return self.rules.growing(self.board, self.scenario)

    def capacity(self, place: str) -> int:
        """Production points the place would have if none were devastated, on this date (HW-15.7)."""
        growth = self.growing.get(place)
        if growth is None:
            return self.board.places[place].production
        return growth.once_captured if place in self.state.growth_lost else growth.now(self)

    def capacity_by_calendar(self, place: str) -> int:
        """What a place yields on this date if it was never captured; everybody can reckon it."""
        growth = self.growing.get(place)
        return self.board.places[place].production if growth is None else growth.now(self)

    def working_points(self, place: str) -> int:
        return max(0, self.capacity(place) - self.state.ground[place].devastated)

    def feeds_supply(self, place: str) -> bool:
        """HW-10.1: an undevastated point is a source, also in a box whose points do not count for money yet."""
        growth = self.growing.get(place)
        to_come = growth.in_time if growth is not None and place not in self.state.growth_lost else 0
        return max(self.capacity(place), to_come) > self.ground(place).devastated

    # -------------------------------------------------------------- armies

    def armies_in(self, place: str, side: str | None = None) -> list[Army]:
        return [
            army for army in self.state.armies.values() if army.place == place and (side is None or army.side == side)
        ]

    def armies_of(self, side: str) -> list[Army]:
        return [army for army in self.state.armies.values() if army.side == side]

    def free_counters(self, side: str) -> list[str]:
        """Counters that may be formed; one that waits for its country is kept for it, even if its army is gone."""
        on_the_map = self.state.armies
        return [army for army in self.counters_to_form(side) if army not in on_the_map]

    def counters_to_form(self, side: str, kind: str = "army") -> list[str]:
        """The counters of one kind that a side may use, on the map or not."""
        names = self.rules.containers[kind].counters(self.tables, side)
        return [name for name in names if not self.waits_for_its_country(name)]

    def waits_for_its_country(self, army: str) -> bool:
        """HW-22.1: the counter of an army that is nobody's until its country takes a side, or is no more."""
        return self.scenario.waits(army, self.state.countries)

    def side_of_counter(self, army: str) -> str:
        """Whose army it would be if it were on the map; a counter that waits for its country is nobody's."""
        if self.waits_for_its_country(army):
            return UNALIGNED
        return next(side for side, names in self.tables.army_names.items() if army in names)

    def why_it_waits(self, army: str) -> str:
        """Why nobody may use this counter yet; empty if it waits for no country."""
        return f"{army} waits for its country (HW-22.1)" if self.waits_for_its_country(army) else ""

    def name_free_counters(self, side: str) -> str:
        """What would work in place of a counter that may not be used."""
        return f"free counters are: {', '.join(self.free_counters(side)) or 'none'}"

    def fort_strength(self, place: str) -> int:
        """Completed fort points (HW-14.3)."""
        fort = self.state.forts.get(place)
        return fort.strength if fort is not None else 0

    # -------------------------------------------------------------- whatever holds strength points

    def kind_of(self, container: Container) -> ContainerKind:
        return self.rules.containers[container.kind]

    def kind_of_counter(self, side: str, name: str) -> ContainerKind:
        """What a counter is by its name; one that nobody has is taken for an army."""
        kinds = self.rules.containers.values()
        return next((kind for kind in kinds if name in kind.counters(self.tables, side)), self.rules.containers["army"])

    def movable_of(self, side: str) -> list[Named]:
        """What a side can rearrange in its Movement Phase (HW-6)."""
        groups = [group for group in self.state.groups.values() if group.side == side and self.kind_of(group).moves]
        return [*self.armies_of(side), *groups]

    def displaced_from(self, place: str, side: str | None = None) -> list[Named]:
        """What leaves a place that is lost, if it can; the rest is lost with it (HW-9.9)."""
        groups = [group for group in self.state.groups.values() if group.place == place and side in (None, group.side)]
        return [*self.armies_in(place, side), *(group for group in groups if self.kind_of(group).retreats)]

    def form(self, side: str, name: str, place: str) -> Named:
        """The counter of this name, which is put on the map if it is not there."""
        kind = self.kind_of_counter(side, name).id
        new = Army(name, side, place) if kind == "army" else Group(kind, name, side, place)
        return self.state.find_or_put(new)

    def ground_strength(self, container: Container) -> int:
        """What counts for stacking and against an advance: everything but tac air (HW-7.1, HW-9.3)."""
        return container.total(self.units.on_the_ground)

    def is_occupied(self, place: str) -> bool:
        """HW-5.1: whether somebody stands there in place of a garrison."""
        return any(self.kind_of(container).occupies for container in self.state.containers_in(place))

    def stack(self, place: str) -> int:
        """Points that count for stacking (HW-7.1)."""
        return sum(map(self.ground_strength, self.state.containers_in(place)))

    def room(self, place: str) -> int:
        """How many points more may stand there; boxes have no limit (HW-7.2)."""
        return NO_LIMIT if self.place(place).is_box else max(0, self.tables.stacking_limit - self.stack(place))

    def excess(self, place: str) -> int:
        """How many points stand there beyond the limit."""
        return 0 if self.place(place).is_box else max(0, self.stack(place) - self.tables.stacking_limit)

    def garrison(self, place: str) -> int:
        """HW-5.1: one point in every hex with land that no army occupies, until it is shot away or walked out of."""
        return 0 if place in self.state.ungarrisoned or self.is_occupied(place) else 1

    def defence(self, place: str) -> int:
        """What an advance meets: all points but tac air, and the garrison if there is one (HW-9.3, A-19, A-38)."""
        points, garrison = 0, int(place not in self.state.ungarrisoned)
        for container in self.state.containers_in(place):
            if on_the_ground := self.ground_strength(container):
                points += on_the_ground
                garrison = 0 if self.kind_of(container).occupies else garrison
        return points + garrison

    def lock_ends(self, army: Named) -> str:
        """The date on which an army that is held in its box may act (HW-15.6, HW-22.3)."""
        return self.tables.date_of(self.scenario.locked[army.place] + 1)

    # -------------------------------------------------------------- countries

    def has_surrendered(self, country: str) -> bool:
        known = self.state.countries.get(country)
        return known is not None and known.surrendered > 0

    # -------------------------------------------------------------- supply (HW-10)

    def supplied(self, side: str, without: Collection[str] = (), besides: Collection[str] = ()) -> set[str]:
        """Every place of a side joined by friendly places, and from level 2 on by open seas (HW-10.3), to a working
        production point; those `without` count as lost and those `besides` as taken."""
        friendly, links = frozenset((*self.places_of(side), *besides)).difference(without), self.board.by_land
        producing, seas = self.producing_places_of(side), supply_seas(self, side)
        sources = [place for place in producing if place not in without and self.feeds_supply(place)]
        if not seas:
            return set(search(sources, lambda place: friendly.intersection(links[place])))
        waters = Waters(self.board.chart, seas, friendly)

        def steps(node: str | int) -> Iterable[str | int]:
            if isinstance(node, int):
                return waters.from_basin(node)
            return chain(friendly.intersection(links[node]), waters.from_place(node))

        reached: Iterable[str | int] = search(list[str | int](sources), steps)
        return {node for node in reached if isinstance(node, str)}

    # -------------------------------------------------------------- dice

    def roll(self, place: str, purpose: str, modifiers: Iterable[Modifier]) -> Roll:
        die, label = self.dice.die(place, purpose)
        return Roll(die, label, tuple(modifiers))

    # -------------------------------------------------------------- telling

    @contextmanager
    def carrying_out(self, *lines: Line) -> Iterator[None]:
        """What happens meanwhile comes of these lines. Those that were kept for this gate have no number."""
        before, self.under_hand = self.under_hand, tuple(dict.fromkeys(line.number for line in lines if line.number))
        try:
            yield
        finally:
            self.under_hand = before

    def emit(self, event: Event) -> None:
        if self.under_hand and not isinstance(event, OrderRefused | DoneInPart):  # those name their line themselves
            event = replace(event, lines={self.phasing: self.under_hand})
        self.events.append(event)
        if self.observer is not None:
            self.observer(self, event)

    def seeing(self, *places: str) -> tuple[str, ...]:
        """The sides that can see one of these places now."""
        if self.watch is None:
            return self.scenario.sides
        return self.watch.sides_seeing(*places)

    def witnesses(self, place: str, *fighting: str) -> tuple[str, ...]:
        """The sides that can see a place, and those that fight over it from afar."""
        seen_by = (*self.seeing(place), *(side for side in fighting if side in self.scenario.sides))
        return tuple(dict.fromkeys(seen_by))

    def refuse(self, line: Line, why: str, remedy: str = "", army: str = "") -> None:
        self.emit(OrderRefused(self.phasing, line.number, line.text, why, remedy, army))

    def default_used(self, side: str, decision: str, what: str, remedy: str = "") -> None:
        if side in self.scenario.sides:  # an unaligned army has nobody to tell
            self.emit(DefaultUsed(side, decision, what, remedy))

    # -------------------------------------------------------------- changing the position

    def was_captured(self, place: str, previous: str) -> None:
        """What follows when a place has been taken from a side."""
        for captured in self.rules.captured:
            captured(self, place, previous)

    def give_to(self, place: str, side: str, cause: str = "captured") -> str:
        """A place changes hands, and what cannot leave it is lost; returns whose it was."""
        for container in self.state.containers_in(place):
            if container.side != side and not self.kind_of(container).retreats:
                self.lose(container, cause)  # HW-14.8, HW-14.9
        ground = self.ground(place)
        previous, ground.owner = ground.owner, side
        if self.watch is not None:
            self.watch.changed_hands(place, previous, side)
        return previous

    def give_by_treaty(self, place: str, side: str, damage: int = 0) -> None:
        """A place changes hands by alignment or surrender, which everybody hears of."""
        self.give_to(place, side, cause="surrendered")
        self._tell_everybody(place, damage, changed=True)

    def tell_who_holds(self, places: Iterable[str]) -> None:
        """Everybody hears who holds these places. Who had not known of a capture knows what it does (HW-4.3)."""
        for place in places:
            self._tell_everybody(place, self.capacity(place), changed=False)

    def _tell_everybody(self, place: str, damage: int, *, changed: bool) -> None:
        """Armies stand in places of their own side, so some that were seen there before have to be forgotten."""
        if self.watch is None:
            return
        self.watch.tell_everybody(place, damage, changed=changed)
        for side, memory in self.state.memory.items():
            if not self.watch.sees(side, place):
                there = [army for army, seen in memory.armies.items() if seen.place == place]
                for army in there:
                    if self.side_of_counter(army) != self.owner(place):
                        del memory.armies[army]
                for key, group in list(memory.groups.items()):
                    if group.place == place and group.side != self.owner(place):
                        del memory.groups[key]

    def devastate(self, place: str) -> int:
        """All production of a place stops working, and its growth ends. Returns the points that stopped."""
        stopped = self.working_points(place)
        if place in self.growing and place not in self.state.growth_lost:
            self.state.growth_lost = (*self.state.growth_lost, place)
        self.ground(place).devastated = self.capacity(place)
        return stopped

    def lose(self, container: Container, cause: str) -> None:
        """A counter leaves the map with all its points."""
        seen_by = self.seeing(container.place)
        self.remove(container)
        self.emit(self.kind_of(container).gone(container, cause, seen_by))

    def move(self, container: Named, place: str) -> None:
        """A counter goes from one place to another, watched by those who can see it."""
        if self.watch is not None:
            self.watch.note(container)
        container.place = place
        if self.watch is not None:
            self.watch.note(container)
        if isinstance(container, Army):
            self.note(container)

    def note(self, army: Army) -> None:
        """What the rules want to know of an army that stands here at this moment."""
        for noted in self.rules.noted_of_armies:
            noted(self, army)

    def remove(self, container: Container) -> None:
        """A counter leaves the map. Who sees it go forgets it; the others go on believing in it."""
        self.state.remove(container)
        for side in self.seeing(container.place):
            self.state.memory[side].forget(container)
