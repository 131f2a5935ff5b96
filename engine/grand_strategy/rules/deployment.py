"""Free deployment before the first turn: each side in its order spreads its pool over its hexes (HW-16.1, D-01)."""

from collections.abc import Sequence

from engine.grand_strategy.events import ArmyDeployed, OrderRefused
from engine.grand_strategy.orders import Deploy
from engine.grand_strategy.state import Army
from engine.grand_strategy.war import War
from engine.orders import Line

STAGE = "deployment"
#: Armies that the default keeps back from the front, for what lies behind it.
KEPT_BACK = 3


def step_of(side: str) -> str:
    """The step at which a side deploys."""
    return f"{STAGE}-{side}"


def is_deployment(step: str) -> bool:
    return step.startswith(STAGE)


def pool_of(war: War, side: str) -> dict[str, int]:
    pool = war.scenario.pools[side]
    points = {"inf": pool.inf, "mech": pool.mech, "amph": pool.amph}
    return {kind: count for kind, count in points.items() if count}


def deploy(war: War) -> None:
    """The side's lines, then what they leave in the pool by default; then it is the next side's turn."""
    left = deploy_by_lines(war)
    if any(left.values()):
        _deploy_the_rest(war, left)
    for army in war.armies_of(war.phasing):
        with war.carrying_out(*_lines_that_placed(war, army)):
            war.emit(ArmyDeployed(army.side, army.id, army.place, army.points, seen_by=war.seeing(army.place)))
    sides = war.scenario.sides
    war.state.phasing = sides[(sides.index(war.phasing) + 1) % len(sides)]
    war.lines = []


def deploy_by_lines(war: War) -> dict[str, int]:
    """Place what the lines say; returns what is left in the pool."""
    left = pool_of(war, war.phasing)
    for line in war.lines_of(Deploy):
        why, remedy = _why_not(war, line.order, left)
        if why:
            war.refuse(line, why, remedy, line.order.army)
        else:
            _place(war, line.order.army, line.order.hex, line.order.points, left)
    return left


def _lines_that_placed(war: War, army: Army) -> list[Line]:
    refused = {event.line for event in war.events if isinstance(event, OrderRefused)}
    return [line for line in war.lines_of(Deploy) if line.order.army == army.id and line.number not in refused]


def refuse_late_deployment(war: War) -> None:
    for line in war.lines_of(Deploy):
        war.refuse(line, "the war has begun; nothing is deployed any more", "GOTO, FORM and XFER move points")


def _place(war: War, army_id: str, place: str, points: dict[str, int], left: dict[str, int]) -> None:
    army = war.form(war.phasing, army_id, place)
    for kind, count in points.items():
        army.add(kind, count)
        left[kind] -= count


# ------------------------------------------------------------------ what is wrong with a line


def _why_not(war: War, order: Deploy, left: dict[str, int]) -> tuple[str, str]:
    if order.hex not in war.state.ground or war.owner(order.hex) != war.phasing:
        return f"{order.hex} is not friendly to you", "deploy in your own hexes and boxes"
    army = war.state.armies.get(order.army)
    if army is not None and army.place != order.hex:
        free = ", ".join(war.free_counters(war.phasing))
        return f"{order.army} is deployed in {army.place} already", f"add to it there, or take one of: {free}"
    return _why_too_many(war, order, left)


def _why_too_many(war: War, order: Deploy, left: dict[str, int]) -> tuple[str, str]:
    pool = pool_of(war, war.phasing)
    for kind, count in order.points.items():
        if kind not in pool:
            return f"your pool has no {war.units.word_of(kind)} points", f"it has {_listed(war, pool)}"
        surplus, most = count - left[kind], min(left[kind], war.room(order.hex))
        if surplus > 0:
            word = war.units.word_of(kind)
            return (
                f"your pool has {pool[kind]} {word}, and with this line {surplus} too many would be deployed",
                f"deploy at most {most} {word} here" if most else "lower an earlier line first",
            )
    count, room = sum(order.points.values()), war.room(order.hex)
    if count > room:
        limit, fort = war.tables.stacking_limit, war.fort_strength(order.hex)
        counted = f", the {fort} of its fort included" if fort else ""
        return (
            f"{order.hex} would hold {count - room} too many; the limit is {limit}{counted} (HW-7.1)",
            f"room is left for {room}" if room else "deploy them in another hex",
        )
    return _why_no_room_for_the_rest(war, order, left)


def _why_no_room_for_the_rest(war: War, order: Deploy, left: dict[str, int]) -> tuple[str, str]:
    """All points of the pool must find a place: with the armies that are deployed, or with counters that are free."""
    deploying, rest = sum(order.points.values()), sum(left.values())
    held = {army.place for army in war.armies_of(war.phasing)} | {order.hex}
    counters = [army for army in war.free_counters(war.phasing) if army != order.army]
    room = sum(map(war.room, held)) + len(counters) * war.tables.stacking_limit
    if rest <= room:
        return "", ""
    lost = f"{rest - room} of the {rest - deploying} points still to be deployed would find no place"
    return (
        f"with this line {lost}: every army would stand in a hex without room (HW-1.2, HW-7.1)",
        "put fewer armies into one hex",
    )


def _listed(war: War, points: dict[str, int]) -> str:
    return ", ".join(f"{count} {war.units.word_of(kind)}" for kind, count in points.items())


# ------------------------------------------------------------------ what nobody placed


def _deploy_the_rest(war: War, left: dict[str, int]) -> None:
    """Point by point round the front and the home country, so that a war can begin without its player."""
    what = f"{_listed(war, _present(left))} of the pool are placed by the referee"
    war.default_used(war.phasing, "D-01", what, "DEPLOY lines for the whole pool")
    posts = _posts(war)
    for kind in left:
        while left[kind]:
            army_id, place = _weakest_post(war, posts)
            _place(war, army_id, place, {kind: 1}, left)


def _present(points: dict[str, int]) -> dict[str, int]:
    return {kind: count for kind, count in points.items() if count}


def _weakest_post(war: War, posts: Sequence[str]) -> tuple[str, str]:
    """A post without an army, else the smallest army that has room; boxes, which always have, come last."""
    free, armies = war.free_counters(war.phasing), war.armies_of(war.phasing)
    held = {army.place for army in armies}
    vacant = next((place for place in posts if place not in held and war.room(place)), "")
    if vacant and free and not war.place(vacant).is_box:
        return free[0], vacant
    able = [army for army in armies if war.room(army.place)]
    if not able:
        return free[0], vacant
    army = min(able, key=lambda army: (war.place(army.place).is_box, army.strength))
    return army.id, army.place


def _posts(war: War) -> list[str]:
    """Hexes spread evenly along the front, then the home country, capitals first and boxes last."""
    own = sorted(war.places_of(war.phasing), key=war.board.rank.__getitem__)
    front = [place for place in own if any(war.is_enemy(war.phasing, near) for near in war.board.by_land[place])]
    home = [place for place in own if war.place(place).country in war.scenario.build_countries[war.phasing]]
    home.sort(key=lambda place: (war.place(place).is_box, not war.place(place).capital))
    wanted = max(1, len(war.free_counters(war.phasing)) - KEPT_BACK)
    spread = [front[number * len(front) // wanted] for number in range(wanted)] if len(front) > wanted else front
    return list(dict.fromkeys((*spread, *(place for place in home if war.working_points(place)))))
