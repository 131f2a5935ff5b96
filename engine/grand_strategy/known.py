"""The position as a side knows it, laid out so that the rules themselves can be asked about it.

Unknown enemies stand there with their likely strength. What is asked of this position and of nothing else cannot
leak.
"""

import msgspec

from engine.dice import ForcedDice
from engine.grand_strategy.board import Board
from engine.grand_strategy.containers import LIKELY, ContainerKind
from engine.grand_strategy.draft import Draft
from engine.grand_strategy.language.line import read_line
from engine.grand_strategy.language.reading import vocabulary_of
from engine.grand_strategy.orders import LaterOrder, StandingOrder
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.movement import move
from engine.grand_strategy.state import NEUTRAL, Army, Fort, Ground, Group, Kept, Memory, State
from engine.grand_strategy.turn import announcement, begin_player_turn
from engine.grand_strategy.view import ArmyView, FortView, GroupView, View, shared_facts
from engine.grand_strategy.war import War
from engine.orders import Sheet


def war_as_known(view: View, sheet: Sheet, setting: Setting) -> War:
    """The war as the side knows it, with the lines of its sheet at hand and its orders on file. It has no dice."""
    war = War(setting, position_as_known(view, setting), ForcedDice([]))
    war.lines = [line for line in sheet.lines if not line.standing]
    if view.side is not None:
        war.state.kept[view.side] = _orders_on_file(view, view.side, setting)
    return war


def _orders_on_file(view: View, side: str, setting: Setting) -> Kept:
    """The side's standing orders, and what it sent to an earlier gate of this player-turn."""
    vocabulary = vocabulary_of(view, setting)
    standing = [read_line(text, vocabulary).order for text in view.standing.get(side, ())]
    later = [read_line(text, vocabulary).order for text in view.kept_for_later]
    return Kept(
        standing=[order for order in standing if isinstance(order, StandingOrder)],
        later=[order for order in later if isinstance(order, LaterOrder)],
    )


def open_player_turn(war: War) -> Draft | None:
    """What needs no dice: supply is judged, armies are moved, attacks and landings are announced. Returns the
    movement that was carried out."""
    begin_player_turn(war)
    draft = move(war)
    announcement(war)
    return draft


def position_as_known(view: View, setting: Setting) -> State:
    facts = shared_facts(view) | {"options": msgspec.structs.replace(view.options, fog="open")}
    return State(
        **facts,
        ground=_ground_as_known(view, setting.board),
        armies={army.id: _as_known(army) for army in view.armies.values()},
        kept={side: Kept() for side in setting.scenario.sides},
        memory={side: Memory() for side in setting.scenario.sides},
        ungarrisoned=dict.fromkeys(view.ungarrisoned, True),
        taken=dict.fromkeys(view.taken, True),
        growth_lost=view.growth_lost,
        forts={place: _fort_as_known(fort, place) for place, fort in view.forts.items()},
        groups={
            key: _group_as_known(group, setting.rules.containers[group.kind]) for key, group in view.groups.items()
        },
        violated=view.violated,
        lend_lease=sum(each.lend_lease for each in view.production.values()),
    )


def _ground_as_known(view: View, board: Board) -> dict[str, Ground]:
    """Every place with land; one that the view leaves out is neutral."""
    ground = {place: Ground(seen.owner, seen.devastated, seen.ruined) for place, seen in view.places.items()}
    return ground | {place: Ground(NEUTRAL) for place in board.land if place not in ground}


def _as_known(army: ArmyView) -> Army:
    if army.points is None:
        likely = army.strength or LIKELY[army.band]
        return Army(army.id, army.side, army.place, inf=likely, fired_in_defence=army.fired_in_defence)
    known = Army(
        army.id,
        army.side,
        army.place,
        unsupplied=army.unsupplied,
        locked=army.locked,
        target=army.target,
        assaulted=army.assaulted,
        fired_in_defence=army.fired_in_defence,
        advanced=army.advanced,
        came_from=army.came_from,
        finished=army.finished,
        lost=army.lost,
    )
    for kind, count in army.points.items():
        known.add(kind, count)
    return known


def _fort_as_known(fort: FortView, place: str) -> Fort:
    strength = LIKELY[fort.band] if fort.strength is None else fort.strength
    known = Fort(fort.side, fort.number, place, strength, fort.building or 0)
    known.absorbed, known.can_absorb = fort.absorbed, fort.can_absorb
    return known


def _group_as_known(group: GroupView, kind: ContainerKind) -> Group:
    """One of which only the band is known is taken to hold what comes first of all it may hold."""
    points = {kind.holds[0]: LIKELY[group.band]} if group.points is None else dict(group.points)
    known = Group(group.kind, group.id, group.side, group.place, points, group.unsupplied, group.locked)
    known.fired_in_defence, known.lost = group.fired_in_defence, group.lost
    return known
