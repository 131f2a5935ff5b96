"""Playing a case: the parts of a player-turn its kind asks for, or whole player-turns."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from engine.grand_strategy.orders import Unstack
from engine.grand_strategy.rules.combat import advances, announce, assaults, defensive_assaults
from engine.grand_strategy.rules.deployment import deploy, step_of
from engine.grand_strategy.rules.exploitation import cure_overstacks, exploit
from engine.grand_strategy.rules.movement import move
from engine.grand_strategy.rules.production import budget_of, count_points
from engine.grand_strategy.rules.supply import judge_armies, lose_isolated_places
from engine.grand_strategy.sea.routes import Pilot, supply_seas
from engine.grand_strategy.turn import end_player_turn
from engine.grand_strategy.war import War
from engine.hitlers_war.berlin import level_of
from engine.hitlers_war.cases.board import Case, Played, hear_orders, on_the_map, set_up
from engine.hitlers_war.sides import AXIS
from engine.phase import Phase


def _begin(case: Case, edition: str) -> Played:
    played = set_up(case, edition)
    hear_orders(played, case.get("orders", {}))
    return played


def _plays_phases(case: Case) -> bool:
    """A case of a scenario plays the phases of its rulebook; one of none a part of a phase with nothing around it."""
    return "scenario" in case.get("setup", {})


def _play_phases(played: Played, first: str, last: str) -> None:
    """The phases of the player-turn from one to another, as far as they are played.

    Where a war does not have such a phase, those are named that it has in its place: "terms|end-of-combat".
    """
    turn = played.war.rules.turn
    for phase in turn[_place_of(turn, first) : _place_of(turn, last) + 1]:
        if played.war.over:
            return
        if phase.played(played.war):
            played.war.step = phase.id
            phase.run(played.war)


def _place_of(turn: Sequence[Phase[War]], named: str) -> int:
    ids = [phase.id for phase in turn]
    return next(ids.index(name) for name in named.split("|") if name in ids)


# ------------------------------------------------------------------ parts of a player-turn


def _play_nothing(case: Case, edition: str) -> Played:
    return _begin(case, edition)


def _play_movement(case: Case, edition: str) -> Played:
    played = _begin(case, edition)
    if _plays_phases(case):
        _play_phases(played, "player-turn", "movement")
        return played
    if "scenario" in case.get("setup", {}):
        judge_armies(played.war)
    move(played.war)
    return played


def _play_combat(case: Case, edition: str) -> Played:
    played = _begin(case, edition)
    if _plays_phases(case):
        _play_phases(played, "player-turn", "terms|end-of-combat")
        return played
    _fight(played)
    if "check" in case.get("setup", {}) or "check" in case:
        lose_isolated_places(played.war)
    return played


def _play_battle(case: Case, edition: str) -> Played:
    """Combat without what is judged at its end."""
    played = _begin(case, edition)
    _play_phases(played, "player-turn", "exploitation")
    return played


def _play_supply(case: Case, edition: str) -> Played:
    played = _begin(case, edition)
    judge_armies(played.war)
    _fight(played)
    if not played.war.over:
        lose_isolated_places(played.war)
    return played


def _fight(played: Played) -> None:
    """The Combat Phase. The duty to thin a stack is run only if the case orders it or has dice for it."""
    war = played.war
    for step in (announce, defensive_assaults, assaults, advances, exploit):
        if not war.over:
            step(war)
    if not war.over and (war.lines_of(Unstack) or played.dice.left):
        cure_overstacks(war)


# ------------------------------------------------------------------ production


def _play_production(case: Case, edition: str) -> Played:
    played = _begin(case, edition)
    if on_the_map(case.get("setup", {})) or case.get("setup", {}).get("hexes"):
        _produce_on_board(played)
    else:
        _produce_by_numbers(played, case)
    return played


def _produce_on_board(played: Played) -> None:
    war = played.war
    budget = budget_of(war, war.phasing)
    _play_phases(played, "entry|production", "production")
    played.plain |= {
        "production_this_turn": budget.working,
        "budget": budget.to_spend,
        "production_next_turn": count_points(war, war.phasing),
    }


def _produce_by_numbers(played: Played, case: Case) -> None:
    war, setup = played.war, case.get("setup", {})
    played.plain["turn_sequence"] = [
        "{} {}".format(*war.tables.season_of(turn))
        for turn in range(war.scenario.first_turn, war.scenario.last_turn + 1)
    ]
    growth = war.scenario.growing.get("SIBERIA", {})
    turns = range(war.scenario.first_turn, war.scenario.last_turn + 1)
    played.plain["siberia_production"] = {t: growth[max(step for step in growth if step <= t)] for t in turns if growth}
    played.plain["siberia_may_move"] = {t: t > war.scenario.locked.get("SIBERIA", 0) for t in turns}
    if "undevastated" in setup:
        working = setup["undevastated"]
        played.plain["budget"] = working - min(working, war.scenario.reduction.get(setup["side"], 0))
    if "budget" in setup:
        played.plain["combinations"] = setup["budget"]


# ------------------------------------------------------------------ more than a player-turn


def _play_player_turns(case: Case, edition: str) -> Played:
    """Whole player-turns, one side after the other. Each side's lines are for its first one."""
    played, orders = set_up(case, edition), dict(case.get("orders", {}))
    for _ in range(case["setup"].get("player_turns", 1)):
        if played.war.over:
            break
        played.war.step = "player-turn"
        hear_orders(played, {who: orders.pop(who) for who in ("standing", played.war.phasing) if who in orders})
        _play_phases(played, "player-turn", "production")
        if not played.war.over:
            end_player_turn(played.war)
    return played


def _play_deployment(case: Case, edition: str) -> Played:
    played = set_up(case, edition)
    played.war.step = step_of(played.war.phasing)
    hear_orders(played, case.get("orders", {}))
    deploy(played.war)
    return played


# ------------------------------------------------------------------ what can be asked without playing


def _ask_the_pilot(case: Case, edition: str) -> Played:
    """How many hexsides fire at an invader on its way, and which seas carry supply."""
    played = _begin(case, edition)
    war = played.war
    ways = {way: way.split("-") for way in case["expect"].get("hexsides_under_fire", {})}
    played.plain["hexsides_under_fire"] = {way: _hexsides_under_fire(played, *ends) for way, ends in ways.items()}
    played.plain["supply_seas"] = {side: sorted(supply_seas(war, side)) for side in war.scenario.sides}
    return played


def _hexsides_under_fire(played: Played, start: str, goal: str) -> int | None:
    pilot = Pilot(played.war, played.war.phasing, goal)
    voyage = pilot.voyage(start, goal)
    if voyage is None:
        return None
    lanes = map(pilot.lane, voyage.places, voyage.places[1:])
    return sum(lane.length for lane in lanes if pilot.is_dangerous(lane))


def _compare_points(case: Case, edition: str) -> Played:
    """HW-18.6, HW-18.7 for given production totals."""
    played = _begin(case, edition)
    fell = case["setup"]["berlin"] != "axis"
    points = dict(case["setup"]["points"]) | ({AXIS: 0} if fell else {})
    ratios = {side: Fraction(own, sum(points.values()) - own) for side, own in points.items()}
    played.plain["ratios"] = {side: str(ratio) for side, ratio in ratios.items()}
    played.plain["levels"] = {side: level_of(played.war, side, ratios[side], berlin_fell=fell) for side in ratios}
    return played


KINDS: dict[str, Callable[[Case, str], Played]] = {
    "state": _play_nothing,
    "lookup": _play_nothing,
    "movement": _play_movement,
    "combat": _play_combat,
    "battle": _play_battle,
    "supply": _play_supply,
    "victory": _play_supply,
    "production": _play_production,
    "player-turns": _play_player_turns,
    "deployment": _play_deployment,
    "pilot": _ask_the_pilot,
    "points": _compare_points,
}
