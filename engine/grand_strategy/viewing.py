"""Building a side's view from the position: the one door out of the state."""

from collections.abc import Iterable
from itertools import product

import msgspec

from engine.dice import ForcedDice
from engine.game import FOGS, PUBLIC, Fog, Gate
from engine.grand_strategy.known import position_as_known
from engine.grand_strategy.orders import ProductionOrder
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.deployment import STAGE, is_deployment, pool_of
from engine.grand_strategy.rules.production import budget_of
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.sea.routes import UNLIMITED, overseas, transport_limits
from engine.grand_strategy.seasons_ahead import production_view, seasons_ahead
from engine.grand_strategy.setup import ground_at_start
from engine.grand_strategy.state import NEUTRAL, Army, Container, Fort, Ground, GroundSeen, Group, Kept, Memory, State
from engine.grand_strategy.tables import Tables
from engine.grand_strategy.victory import last_turn
from engine.grand_strategy.view import ArmyView, FortView, GroupView, PlaceView, View, shared_facts
from engine.grand_strategy.war import War
from engine.orders import Line

STAGES = {"player-turn": "player-turn", "exploitation": "exploitation", "terms": "terms", "production": "production"}


def gate_of(state: State, scenario: ScenarioData, tables: Tables) -> Gate | None:
    """The side whose player-turn it is must send a sheet; the others may change their standing orders."""
    if state.outcome is not None:
        return None
    stage = STAGE if is_deployment(state.step) else STAGES[state.step]
    return _gate(tables, state.turn, state.phasing, stage, scenario.sides)


def _gate(tables: Tables, turn: int, side: str, stage: str, sides: Iterable[str]) -> Gate:
    gate_id = f"{turn}-{side}" if stage == "player-turn" else f"{turn}-{side}-{stage}"
    title = f"{tables.date_of(turn)}, {tables.adjective(side)} {tables.stage_names.get(stage, stage)}"
    return Gate(gate_id, title, stage, (side,), tuple(other for other in sides if other != side))


def gates_by_title(tables: Tables) -> dict[str, Gate]:
    """Every gate there can be, in a war of all sides."""
    stages = (STAGE, *STAGES.values())
    gates = (_gate(tables, *when, tables.side_names) for when in product(tables.seasons, tables.side_names, stages))
    return {gate.title: gate for gate in gates}


def view_of(state: State, side: str | None, fog: Fog, setting: Setting) -> View:
    looker = _Looker(War(setting, state, ForcedDice([])), side, fog)
    return looker.with_production(looker.view())


class _Looker:
    """One side looking at the position at one fog level; or the public, with no sheet and in fog with no eyes."""

    def __init__(self, war: War, side: str | None, fog: Fog) -> None:
        self.war, self.state, self.side = war, war.state, side
        self.own = side if side in war.scenario.sides and side is not None else ""
        # What dropped out of sight is remembered only in matches played in fog, so no view can be foggier.
        self.fog: Fog = "open" if side is None else min(fog, war.state.options.fog, key=FOGS.index)
        self._memory = self._remembers()
        self._changing = war.rules.yields_told(war)
        self._supplied = {s: war.supplied(s) for s in war.scenario.sides if self.may_read_sheet_of(s)}

    def _remembers(self) -> Memory:
        """What was seen by this side before. All that everybody saw for certain is the set-up."""
        if self.fog == "fog" and self.side == PUBLIC:
            return Memory(ground=_seen_at_start(self.war))
        return self.state.memory.get(self.own, Memory())

    def sees(self, place: str) -> bool:
        """In fog nobody knows what the others see, so there is no place of which everybody knows that all see it."""
        if self.fog != "fog" or self.war.watch is None:
            return True
        return self.side != PUBLIC and self.war.watch.sees(self.own, place)

    def may_read_sheet_of(self, side: str) -> bool:
        """HW-1.1: record sheets are open, unless the GM chose otherwise."""
        return self.fog == "open" or side == self.side

    def view(self) -> View:
        war, state = self.war, self.state
        mine = self.side in (state.phasing, None)
        kept = state.kept.get(self.own)
        return View(
            **shared_facts(state),
            title=war.scenario.title,
            side=self.side,
            fog=self.fog,
            last_turn=last_turn(war.scenario, state.options),
            season=war.season,
            year=war.year,
            sides=war.scenario.sides,
            gate=gate_of(state, war.scenario, war.tables),
            places=self._places(),
            armies=self._armies(),
            free_armies=tuple(war.free_counters(self.own)) if self.own else (),
            production={},
            standing={s: tuple(map(str, state.kept[s].standing)) for s in war.scenario.sides if self.side in (s, None)},
            kept_for_later=tuple(map(str, kept.later)) if kept and mine else (),
            production_on_file=tuple(map(str, kept.production)) if kept else (),
            taken=tuple(sorted(place for place in state.taken if self.sees(place))),
            ungarrisoned=tuple(sorted(place for place in state.ungarrisoned if self.sees(place))),
            growth_lost=tuple(place for place in state.growth_lost if self.sees(place)),
            forts=self._forts(),
            groups=self._groups(),
            sea_transport={s: self._sea_transport(s) for s in war.scenario.sides if self.may_read_sheet_of(s)}
            if war.scenario.sea_transport
            else {},
            pool=self._pool(),
            politics=tuple(war.rules.politics(war)),
            violated=state.violated if mine else (),
        )

    # -------------------------------------------------------------- places

    def _places(self) -> dict[str, PlaceView]:
        """Every place that is in the war. One that is missing is neutral."""
        ground = self.state.ground
        return {place: self._place(place, ground[place]) for place in sorted(ground) if ground[place].owner != NEUTRAL}

    def _place(self, place: str, ground: Ground) -> PlaceView:
        if not self.sees(place):
            seen = self._memory.ground[place]
            capacity = self.war.capacity_by_calendar(place) if place in self._changing else None
            return PlaceView(seen.owner, seen.turn, seen.devastated, in_sight=False, capacity=capacity)
        supplied = self._supplied.get(ground.owner)
        in_supply = None if supplied is None else place in supplied
        capacity = self.war.capacity(place) if place in self._changing else None
        return PlaceView(ground.owner, self.state.turn, ground.devastated, ground.ruined, True, in_supply, capacity)

    # -------------------------------------------------------------- armies

    def _armies(self) -> dict[str, ArmyView]:
        present = {
            army.id: self._army(army)
            for army in self.state.armies.values()
            if army.side == self.side or self.sees(army.place)
        }
        known = present | self._remembered()
        return {army: known[army] for army in sorted(known)}  # the order of a state tells nothing either

    def _army(self, army: Army) -> ArmyView:
        if self.may_read_sheet_of(army.side):
            own = ArmyView(army.id, army.side, army.place, self.state.turn, points=army.points, strength=army.strength)
            return self._before_its_turn(own) if self.state.step == "player-turn" else _within_its_turn(own, army)
        # Who has fired in defence fired at the armies of the side on turn, in sight of all who look on.
        fired = army.fired_in_defence and self.state.step != "player-turn"
        seen = ArmyView(army.id, army.side, army.place, self.state.turn, fired_in_defence=fired)
        if self.fog == "fog":
            return msgspec.structs.replace(seen, band=self._looks(army))
        fought = self._memory.fought.get(army.id)
        return msgspec.structs.replace(seen, strength=fought.strength, fought=fought.turn) if fought else seen

    def _before_its_turn(self, army: ArmyView) -> ArmyView:
        """Before a player-turn begins its armies already know whether they will be able to act (HW-6.6)."""
        if army.side != self.state.phasing:
            return army
        return msgspec.structs.replace(
            army,
            unsupplied=army.place not in self._supplied[army.side],
            locked=self.state.turn <= self.war.scenario.locked.get(army.place, 0),
            excess=self.war.excess(army.place),
        )

    def _remembered(self) -> dict[str, ArmyView]:
        """Enemy armies that dropped out of sight, where and when they were last seen."""
        return {
            army: ArmyView(army, self.war.side_of_counter(army), seen.place, seen.turn, band=seen.band)
            for army, seen in self._memory.armies.items()
            if not self.sees(seen.place) and not self._is_in_sight(army)
        }

    def _is_in_sight(self, army_id: str) -> bool:
        army = self.state.armies.get(army_id)
        return army is not None and self.sees(army.place)

    # -------------------------------------------------------------- forts and the sea

    def _forts(self) -> dict[str, FortView]:
        """Forts in sight, and those remembered from places that are not."""
        forts = self.state.forts
        present = {place: self._fort(fort) for place, fort in forts.items() if self.sees(place)}
        remembered = {
            place: FortView(seen.side, seen.number, seen.turn, band=seen.band)
            for place, seen in self._memory.forts.items()
            if not self.sees(place)
        }
        return dict(sorted((present | remembered).items()))

    def _fort(self, fort: Fort) -> FortView:
        seen = FortView(fort.side, fort.number, self.state.turn)
        if self.may_read_sheet_of(fort.side):
            known = msgspec.structs.replace(seen, strength=fort.strength, building=fort.building)
            return msgspec.structs.replace(known, absorbed=fort.absorbed, can_absorb=fort.can_absorb)
        return msgspec.structs.replace(seen, band=self._looks(fort)) if self.fog == "fog" else seen

    def _groups(self) -> dict[str, GroupView]:
        """What is neither army nor fort: in sight, and remembered from places that are not."""
        groups = self.state.groups
        present = {
            key: self._group(group)
            for key, group in groups.items()
            if group.side == self.side or self.sees(group.place)
        }
        remembered = {
            key: GroupView(seen.kind, seen.id, seen.side, seen.place, seen.turn, band=seen.band)
            for key, seen in self._memory.groups.items()
            if not self.sees(seen.place) and not (key in groups and self.sees(groups[key].place))
        }
        return dict(sorted((remembered | present).items()))

    def _group(self, group: Group) -> GroupView:
        seen = GroupView(group.kind, group.id, group.side, group.place, self.state.turn)
        if not self.may_read_sheet_of(group.side):
            return msgspec.structs.replace(seen, band=self._looks(group)) if self.fog == "fog" else seen
        return msgspec.structs.replace(
            seen,
            points=group.points,
            unsupplied=group.unsupplied,
            locked=group.locked,
            fired_in_defence=group.fired_in_defence,
            lost=group.lost,
        )

    def _looks(self, container: Container) -> str:
        """How strong it seems from next door."""
        return self.war.kind_of(container).shows(container.strength)

    def _sea_transport(self, side: str) -> dict[str, int | None]:
        limits = transport_limits(self.war, side)
        known: dict[str, int | None] = {sea: None if limit >= UNLIMITED else limit for sea, limit in limits.items()}
        shared = overseas(self.war, limits)
        if shared is not None:
            known[shared.name] = shared.limit
        return known

    # -------------------------------------------------------------- production

    def with_production(self, view: View) -> View:
        """What is counted now and in the seasons to come, as far as the side knows: reckoned from its view alone."""
        sides = [side for side in view.sides if self.may_read_sheet_of(side)]
        war = self._as_known(view)
        counted = {side: budget_of(war, side) for side in sides}
        return msgspec.structs.replace(
            view,
            production={side: production_view(budget) for side, budget in counted.items()},
            seasons_ahead=seasons_ahead(war, counted, self._production_lines()),
        )

    def _as_known(self, view: View) -> War:
        """The war that the view shows, with what stands on the record sheets besides."""
        state = position_as_known(view, self.war.setting)
        state.lend_lease = sum(
            self.war.rules.lent(self.war, side) for side in view.sides if self.may_read_sheet_of(side)
        )
        if self.own:
            state.kept[self.own] = self.state.kept[self.own]
        return War(self.war.setting, state, ForcedDice([]))

    def _production_lines(self) -> list[Line]:
        """What the side on turn has on file for its own Production Phase."""
        kept = self.state.kept[self.state.phasing] if self.side == self.state.phasing else Kept()
        return [Line(0, str(order), order) for order in kept.later if isinstance(order, ProductionOrder)]

    def _pool(self) -> dict[str, int]:
        """Sides deploy in their order; those who come later still have all of theirs."""
        sides = self.war.scenario.sides
        if not self.own or not is_deployment(self.state.step):
            return {}
        return pool_of(self.war, self.own) if sides.index(self.own) >= sides.index(self.state.phasing) else {}


def _seen_at_start(war: War) -> dict[str, GroundSeen]:
    return {
        place: GroundSeen(ground.owner, ground.devastated, war.scenario.first_turn)
        for place, ground in ground_at_start(war.setting).items()
    }


def _within_its_turn(view: ArmyView, army: Army) -> ArmyView:
    return msgspec.structs.replace(
        view,
        unsupplied=army.unsupplied,
        locked=army.locked,
        advanced=army.advanced,
        came_from=army.came_from,
        assaulted=army.assaulted,
        fired_in_defence=army.fired_in_defence,
        finished=army.finished,
        lost=army.lost,
        target=army.target,
    )
