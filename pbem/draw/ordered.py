"""Drawing a plan: moves as broken arrows, attacks as firm ones with a star where they fire, exploitation by steps."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import hypot
from typing import NamedTuple

from PIL import Image

from pbem.draw.arrows import (
    SALVO_AT,
    SALVO_SIZE,
    battle_star,
    paste_arrow,
    path_between,
    salvo,
    tag,
    work_tag,
)
from pbem.draw.atlas import Point
from pbem.draw.counters import GAP, ONE_OF_TWO, size_of_stack
from pbem.draw.fonts import fitted
from pbem.draw.marks import cross
from pbem.draw.newcomers import places_for_name
from pbem.draw.palette import palette, side_colours
from pbem.draw.places import Places, is_hex
from pbem.draw.plan import Assault, Leg, Plan, Retreat, Violation, Voyage
from pbem.draw.sprites import Sprite, stamp
from pbem.draw.voyages import sea_path
from pbem.games.hitlers_war.names import army_abbreviation, in_card_order

# Distances and sizes in hex widths.
LANE = 0.17
ATTACK_TRIMS, FIRE_TRIMS = (0.29, 0.29), (0.29, 0.4)
LEG_TRIM, OCCUPIED_TRIM, FLANK_TRIM = 0.09, 0.31, 0.04
FIRE_AT, FIRE_ALONE_AT, STAR_SIZE = 0.12, 1.0, 0.21
NAME_AT, NAME_SIZE, WORK_AT, WORK_ALONE_AT = 0.2, 0.105, (0.16, -0.348), -0.232
TAG_SHARES, TAG_ASIDE = (0.3, 0.4, 0.2, 0.5, 0.1, 0.6, 0.0), 0.9
VIOLATE_AT, VIOLATE_SIZE = -0.13, 0.115
FALL_BACK_TRIMS, DIRECTION = (0.33, 0.24), 0.95


#: Left, top, right and bottom in pixels.
Box = tuple[float, float, float, float]


class Lanes:
    """Arrows between the same two places run side by side."""

    def __init__(self) -> None:
        self._taken: Counter[tuple[str, str]] = Counter()

    def aside(self, origin: str, place: str) -> float:
        """0, then to the right, then to the left, and so on, as seen along the way."""
        key = (origin, place) if origin < place else (place, origin)
        number = self._taken[key]
        self._taken[key] += 1
        return (number + 1) // 2 * LANE * (1 if number % 2 else -1) * (1 if key[0] == origin else -1)


class Tags:
    """Names beside arrows, each at the first place along its arrow where it hides no other, and no counter either."""

    def __init__(self, counters: Sequence[Box]) -> None:
        self._waiting: list[tuple[Sprite, list[Point]]] = []
        self._counters = counters

    def add(self, sprite: Sprite, path: list[Point]) -> None:
        if path:
            self._waiting.append((sprite, path))

    def draw(self, picture: Image.Image) -> None:
        taken: list[Box] = []
        for sprite, path in self._waiting:
            boxes = [_box(sprite, at) for at in _beside(path, sprite)]
            box = min(boxes, key=lambda each: (_hidden(each, taken), _hidden(each, self._counters)))
            taken.append(box)
            stamp(picture, sprite, box[0] + sprite.x, box[1] + sprite.y)


def _beside(path: list[Point], sprite: Sprite) -> Iterator[Point]:
    """Where a name may stand: on its arrow, or else to one or the other side of it."""
    (x1, y1), (x2, y2) = path[0], path[-1]
    away = sprite.image.height * TAG_ASIDE / (hypot(x2 - x1, y2 - y1) or 1.0)
    for aside in (0.0, away, -away):
        for x, y in (_along(path, share) for share in TAG_SHARES):
            yield x - (y2 - y1) * aside, y + (x2 - x1) * aside


def _box(sprite: Sprite, at: Point) -> Box:
    left, top = at[0] - sprite.x, at[1] - sprite.y
    return left, top, left + sprite.image.width, top + sprite.image.height


def _hidden(box: Box, others: Sequence[Box]) -> int:
    return sum(_overlap(box, other) for other in others)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class Easel(NamedTuple):
    """A picture, how many pixels a hex is wide in it, whose orders are drawn, and where places are."""

    picture: Image.Image
    scale: int
    side: str
    where: Places

    def ends(self, origin: str, place: str) -> tuple[Point, Point] | None:
        """Those of the way between two different places, if both are in the picture."""
        return self.where.straight(origin, place)

    def arrow(self, path: list[Point], manner: str) -> None:
        paste_arrow(self.picture, self.scale, path, self.side, manner)

    def stamp(self, sprite: Sprite, at: Point) -> None:
        stamp(self.picture, sprite, *at)

    def tag(self, text: str, size: float) -> Sprite:
        return tag(text, self.side, self.scale, side_colours(self.side).dark, size)


def draw_plan(easel: Easel, plan: Plan) -> None:
    """Over the counters: what is to happen after the movement."""
    stacks = _stacks(plan)
    lanes, tags = Lanes(), Tags([_counters_at(easel, place, len(stack)) for place, stack in stacks.items()])
    for retreat in plan.retreats:
        _draw_retreat(easel, retreat)
    for voyage in plan.voyages:
        _draw_landing(easel, voyage)
    for assault in plan.assaults:
        _draw_assault(easel, assault, lanes, stacks[assault.origin])
    for leg in plan.legs:
        path = _draw_leg(easel, leg, lanes, stacks)
        tags.add(easel.tag(f"{army_abbreviation(leg.army)} {leg.number}", NAME_SIZE), path)
    tags.draw(easel.picture)
    for place in plan.bombarded:
        if (at := easel.where(place)) is not None:
            offset = SALVO_AT[0] * easel.scale, SALVO_AT[1] * easel.scale
            easel.stamp(salvo(round(SALVO_SIZE * easel.scale)), (at[0] + offset[0], at[1] + offset[1]))
    busy = plan.goals() | set(plan.works)
    for violation in plan.violations:
        _draw_violation(easel, violation, stacks, busy)
    for place, works in plan.works.items():
        if is_hex(place):
            _draw_works(easel, place, works, occupied=place in stacks)


def _stacks(plan: Plan) -> dict[str, list[str]]:
    """The armies of each place from the top of their stack to its bottom."""
    stacks: dict[str, list[str]] = {}
    for army in sorted(plan.armies.values(), key=lambda army: in_card_order(army.id)):
        stacks.setdefault(army.place, []).append(army.id)
    for newcomer in plan.newcomers:
        stacks.setdefault(newcomer.place, []).append(newcomer.army)
    return stacks


def _counters_at(easel: Easel, place: str, count: int) -> Box:
    """What the counters of a stack cover; nothing if they are not in the picture."""
    at, (width, height) = easel.where(place), size_of_stack(count)
    if at is None:
        return 0.0, 0.0, 0.0, 0.0
    across, up = width * easel.scale / 2, height * easel.scale / 2
    return at[0] - across, at[1] - up, at[0] + across, at[1] + up


def _draw_works(easel: Easel, place: str, works: list[str], occupied: bool) -> None:
    """In the middle of an empty hex, else to the right of its id, where nothing else is printed."""
    if (at := easel.where(place)) is None:
        return
    text = work_tag(works, easel.side, easel.scale)
    if occupied:
        easel.stamp(text, (at[0] + WORK_AT[0] * easel.scale + text.x, at[1] + WORK_AT[1] * easel.scale))
    else:
        easel.stamp(text, (at[0], at[1] + WORK_ALONE_AT * easel.scale))


# ------------------------------------------------------------------ attacks


def _draw_assault(easel: Easel, assault: Assault, lanes: Lanes, stack: list[str]) -> None:
    ends = easel.ends(assault.origin, assault.target)
    if ends is None:
        return
    aside = lanes.aside(assault.origin, assault.target)
    trims = ATTACK_TRIMS if assault.advances else FIRE_TRIMS
    if len(stack) == 2:
        start = _flank(*ends, easel.scale, stack.index(assault.army))
        path = path_between(start, ends[1], easel.scale, (FLANK_TRIM, trims[1]))
    else:
        path = path_between(*ends, easel.scale, trims, aside)
    easel.arrow(path, _manner(assault))
    if assault.fires:
        _draw_star(easel, _along(path, FIRE_AT if assault.advances else FIRE_ALONE_AT), assault.fires_if)
    if len(stack) > 2:
        _draw_name(easel, assault.army, path, aside)


def _draw_star(easel: Easel, at: Point, hollow: bool) -> None:
    easel.stamp(battle_star(round(STAR_SIZE * easel.scale), hollow), at)


def _flank(start: Point, end: Point, scale: int, number: int) -> Point:
    """Where the upper or the lower of two counters ends towards a target."""
    across, up = ONE_OF_TWO
    left_or_right = across / 2 if end[0] > start[0] else -across / 2
    return start[0] + left_or_right * scale, start[1] + (number - 0.5) * (up + GAP) * scale


def _manner(assault: Assault) -> str:
    if not assault.advances:
        return "fires"
    return "may attack" if assault.advances_if else "attacks"


def _draw_name(easel: Easel, army: str, path: list[Point], aside: float) -> None:
    """Beside the arrow, away from the arrows of its neighbours."""
    (x1, y1), (x2, y2) = path[0], path[-1]
    away = NAME_AT * easel.scale * (-1 if aside < 0 else 1) / (hypot(x2 - x1, y2 - y1) or 1.0)
    x, y = _along(path, 0.4)
    easel.stamp(easel.tag(army_abbreviation(army), NAME_SIZE), (x - (y2 - y1) * away, y + (x2 - x1) * away))


# ------------------------------------------------------------------ exploitation and retreat


def _draw_leg(easel: Easel, leg: Leg, lanes: Lanes, occupied: Collection[str]) -> list[Point]:
    """The path it took, for its tag."""
    ends = easel.ends(leg.origin, leg.place)
    if ends is None:
        return []
    first, last = (OCCUPIED_TRIM if place in occupied else LEG_TRIM for place in (leg.origin, leg.place))
    path = path_between(*ends, easel.scale, (first, last), lanes.aside(leg.origin, leg.place))
    easel.arrow(path, "may exploit" if leg.open else "exploits")
    return path


def _draw_retreat(easel: Easel, retreat: Retreat) -> None:
    """A thin arrow with the number of the choice; a direction is one hex long; a hex to avoid is crossed out."""
    ends = easel.ends(retreat.origin, retreat.place)
    if ends is None:
        return
    start, end = ends
    if retreat.avoided:
        crossed = cross(round(0.2 * easel.scale), side_colours(easel.side).dark)
        easel.stamp(crossed, (start[0] * 0.4 + end[0] * 0.6, start[1] * 0.4 + end[1] * 0.6))
        return
    if not retreat.number:
        end = _towards(start, end, DIRECTION * easel.scale)
    path = path_between(start, end, easel.scale, FALL_BACK_TRIMS)
    easel.arrow(path, "falls back")
    if retreat.number:
        easel.stamp(easel.tag(str(retreat.number), NAME_SIZE * 0.8), _along(path, 0.3))


# ------------------------------------------------------------------ the sea


def _draw_landing(easel: Easel, voyage: Voyage) -> None:
    """A landing fires where it comes ashore."""
    path = sea_path(easel.scale, easel.where, voyage.places) if voyage.fires else []
    if path:
        _draw_star(easel, _along(path, 1.0), voyage.fires_if)


# ------------------------------------------------------------------ countries


def _draw_violation(easel: Easel, violation: Violation, full: Collection[str], busy: Collection[str]) -> None:
    """Its border is on the board; its name stands in it."""
    text, size = fitted(f"⚔ {violation.country}", "narrow bold", VIOLATE_SIZE * easel.scale, 0.8 * easel.scale)
    name = tag(text, easel.side, easel.scale, palette().red, size / easel.scale)
    for place in places_for_name(violation, full, busy):
        if (at := easel.where(place)) is not None:
            easel.stamp(name, (at[0], at[1] + VIOLATE_AT * easel.scale))


def _along(path: list[Point], share: float) -> Point:
    return path[round((len(path) - 1) * share)]


def _towards(start: Point, end: Point, most: float) -> Point:
    """As far as the end, but no farther than so much."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = min(1.0, most / ((dx * dx + dy * dy) ** 0.5))
    return start[0] + dx * share, start[1] + dy * share
