"""A second opinion on the sea: supply and transport worked out the long way, compared on boards dealt at random."""

import random
from collections import Counter, deque
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import pytest

from engine.dice import ForcedDice
from engine.grand_strategy.state import State
from engine.grand_strategy.war import War
from engine.hitlers_war.cases.board import set_up
from engine.hitlers_war.cases.playing import KINDS
from engine.hitlers_war.europe import europe
from tests.overseas import GAME, position, put

SIDES = ("axis", "soviet", "allies")
ARMIES = {"axis": "OKW", "soviet": "MOSCOW", "allies": "BRITAIN"}
NORTH_AMERICA = ("US", "CANADA")
MANY = 99
OCEAN = "the ocean"

#: HW-12.4: what each side may carry over its limited seas in The Fall of Germany, and the seas without a limit.
LIMITED = {"axis": {"Baltic": 1}, "soviet": {"Black Sea": 1, "Caspian": 1}, "allies": {"Red Sea-Persian Gulf": 1}}
OPEN = {"axis": (), "soviet": (), "allies": ("Atlantic", "Mediterranean")}
SUPPLY_ONLY = {"axis": (), "soviet": ("Soviet Lakes",), "allies": ()}

Node = tuple[str, str]  # a place, and the sea one is on there; no sea ashore


def reachable(starts: set[str], own: set[str], seas: set[str]) -> set[str]:
    """The own places one comes to from some of them over own land and these seas (HW-12.1 to HW-12.3)."""
    seen: set[Node] = {(place, "") for place in starts}
    queue = deque(seen)
    while queue:
        for node in steps(queue.popleft(), own, seas):
            if node not in seen:
                seen.add(node)
                queue.append(node)
    return {place for place, sea in seen if not sea}


def steps(node: Node, own: set[str], seas: set[str]) -> Iterator[Node]:
    place, sea = node
    if sea and place in own:
        yield place, ""
    for edge in europe().grid.edges(place):
        both = place in own and edge.to in own
        if sea and edge.water == sea and (edge.kind in ("sea", "arrow") or both):
            yield edge.to, sea
        elif not sea:
            if both and edge.kind in ("land", "coast", "crossing", "touch"):
                yield edge.to, ""
            if edge.water in seas:
                yield place, edge.water


def dealt(seed: int) -> dict[str, Any]:
    """The start of the scenario with some places given to somebody else, and some in ruins."""
    rng = random.Random(seed)
    share = rng.choice((0.05, 0.2, 0.5))
    changed = [place for place in europe().places.values() if place.has_land and rng.random() < share]
    hexes = {place.id: {"owner": rng.choice(SIDES), "devastated": rng.choice((0, 12))} for place in changed}
    return {"map": "europe", "scenario": "fall_of_germany", "turn": 16, "hexes": hexes | {"P10": {"owner": "axis"}}}


def own_places(war: War, side: str) -> set[str]:
    return set(war.places_of(side))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("side", SIDES)
def test_supply_over_the_sea(side: str, seed: int) -> None:
    """HW-10.1, HW-10.3, HW-12.6"""
    war = set_up({"setup": dealt(seed)}, "1984").war
    own, seas = own_places(war, side), {*LIMITED[side], *OPEN[side], *SUPPLY_ONLY[side]}
    sources = {place for place in war.producing_places_of(side) if war.feeds_supply(place)}
    assert own & set(map(str, war.supplied(side))) == reachable(sources, own, seas)


def most_that_can_go(war: War, side: str, start: str, goal: str) -> int:
    """Every point needs a way of its own within the limits (HW-12.5), which may be by other seas than the next."""
    own, limits = own_places(war, side), LIMITED[side]
    ways = [
        seas
        for count in range(len(limits) + 1)
        for seas in combinations(limits, count)
        if goal in reachable({start}, own, {*seas, *OPEN[side]})
    ]
    most_overseas = 3 if (start in NORTH_AMERICA) != (goal in NORTH_AMERICA) else MANY
    if not ways or not ways[0]:
        return most_overseas if ways else 0
    shares = [
        split
        for split in product(range(3), repeat=len(ways))
        if all(sum(n for n, way in zip(split, ways, strict=True) if sea in way) <= limits[sea] for sea in limits)
    ]
    return min(most_overseas, max(map(sum, shares)))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("side", SIDES)
def test_transport_over_the_sea(side: str, seed: int) -> None:
    """HW-12.1 to HW-12.5: an army goes as a whole if each of its points finds a way, and not at all otherwise."""
    setup = dealt(seed) | {"phasing": side}
    war = set_up({"setup": setup}, "1984").war
    rng = random.Random(seed)
    coasts = sorted(place for place in war.places_of(side) if europe()[place].seas)
    starts = [place for place in coasts if place in war.supplied(side)]
    start, goal = rng.choice(starts), rng.choice(coasts)
    most, count = most_that_can_go(war, side, start, goal), rng.randint(1, 4)
    army = {"side": side, "id": ARMIES[side], "hex": start, "inf": count}
    case = {"level": 2, "setup": setup | {"armies": [army]}, "orders": {side: [f"GOTO {ARMIES[side]} {goal}"]}}
    moved = KINDS["movement"](case, "1984").war.state.armies[ARMIES[side]]
    assert moved.place == (goal if count <= most or start == goal else start)


def ways_between(own: set[str], side: str, start: str, goal: str) -> list[tuple[str, ...]]:
    """The sets of limits one point may draw on between two places, the ocean among them (HW-12.5)."""
    limits = LIMITED[side]
    ocean = (OCEAN,) if (start in NORTH_AMERICA) != (goal in NORTH_AMERICA) else ()
    return [
        (*seas, *ocean)
        for count in range(len(limits) + 1)
        for seas in combinations(limits, count)
        if goal in reachable({start}, own, {*seas, *OPEN[side]})
    ]


def can_be_shipped(own: set[str], side: str, starts: list[str], goals: list[str]) -> bool:
    """Whether any pairing of the points with the places they are wanted in keeps within all limits."""
    limits = LIMITED[side] | {OCEAN: 3}
    for order in set(permutations(goals)):
        ways = [ways_between(own, side, start, goal) for start, goal in zip(starts, order, strict=True)]
        for chosen in product(*ways):
            if all(sum(name in way for way in chosen) <= limit for name, limit in limits.items()):
                return True
    return False


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("side", SIDES)
def test_points_in_hand_find_their_way(side: str, seed: int) -> None:
    """D-05, HW-12.5: a picture is carried out if its points can be shipped at all, whoever of them goes where."""
    setup = dealt(seed) | {"phasing": side}
    war = set_up({"setup": setup}, "1984").war
    rng = random.Random(seed)
    coasts = sorted(place for place in war.places_of(side) if europe()[place].seas and place in war.supplied(side))
    near, far = rng.choice(coasts), rng.choice(coasts)
    starts = [near, near, far, far, far]
    goals = rng.choices(rng.sample(coasts, min(3, len(coasts))), k=len(starts))
    names = list(war.tables.army_names[side])
    givers = [{"side": side, "id": name, "hex": place, "inf": 1} for name, place in zip(names, starts, strict=False)]
    wanted = dict(zip(names[len(starts) :], dict.fromkeys(goals), strict=False))
    lines = [f"DISBAND {army['id']}" for army in givers]
    lines += [f"SET {name} {place} {goals.count(place)}I" for name, place in wanted.items()]
    case = {"level": 2, "setup": setup | {"armies": givers}, "orders": {side: lines}}
    played = KINDS["movement"](case, "1984")
    stands = sorted(army.place for army in played.war.armies_of(side) for _ in range(army.inf))
    is_possible = can_be_shipped(own_places(war, side), side, starts, goals)
    assert (stands == sorted(goals)) == is_possible


# ------------------------------------------------------------------ whatever the lines say


HOMES = ("US", "P7", "INDIA", "H10")
MOVERS = ("BRITAIN", "2BR", "1FR", "5US")


def some_line(rng: random.Random) -> str:
    one, other, place = *rng.sample(MOVERS, 2), rng.choice(HOMES)
    points = f"{rng.randint(1, 3)}{rng.choice('IM')}"
    return rng.choice(
        (
            f"XFER {points} {one} -> {other}",
            f"XFER ALL {rng.choice('IM')} {one} -> {other}",
            f"DISBAND {one} INTO {other}",
            f"GOTO {one} {place}",
            f"FORM {one} {place} {points} FROM {other}",
            f"SET {one} {place} {points}",
        )
    )


def change_of(before: State, after: State, places: tuple[str, ...]) -> int:
    """How many points at least came to these places or left them."""
    there: Counter[str] = Counter()
    for state, sign in ((before, -1), (after, 1)):
        for army in state.armies.values():
            for kind, count in army.points.items():
                there[kind] += sign * count if army.place in places else 0
    return sum(map(abs, there.values()))


@pytest.mark.parametrize("seed", range(10))
def test_no_sheet_carries_more_than_the_sea_allows(seed: int) -> None:
    """HW-12.5: armies may be short of points on the way (D-05), and yet three cross the ocean and one comes to India."""
    rng, start = random.Random(seed), position("fall-of-germany", "allies")
    for army, place in zip(MOVERS, HOMES, strict=True):
        put(start, army, place, inf=rng.randint(1, 3), mech=rng.randint(0, 2))
    view = GAME.view(start, "allies", "open")
    for _ in range(60):
        lines = [some_line(rng) for _ in range(5)]
        after, _ = GAME.run(start, {"allies": GAME.parse("\n".join(lines), view)}, ForcedDice([]))
        assert change_of(start, after, NORTH_AMERICA) <= 3, lines
        assert change_of(start, after, ("INDIA",)) <= 1, lines
        assert change_of(start, after, HOMES + NORTH_AMERICA) == 0, lines
