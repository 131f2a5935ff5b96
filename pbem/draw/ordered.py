"""Drawing a plan: moves as broken arrows, attacks as firm ones with a star where they fire, exploitation by steps."""

from collections import Counter
from collections.abc import Collection
from math import hypot

from PIL import Image

from pbem.draw.arrows import Where, battle_star, paste_arrow, path_between, tag
from pbem.draw.counters import GAP, ONE_OF_TWO
from pbem.draw.geometry import Point
from pbem.draw.marks import cross
from pbem.draw.palette import palette, side_colours
from pbem.draw.plan import Assault, Leg, Plan, Retreat
from pbem.draw.sprites import Sprite, stamp
from pbem.naming import army_abbreviation, in_card_order

# Distances and sizes in hex widths.
LANE = 0.17
ATTACK_TRIMS, FIRE_TRIMS = (0.29, 0.29), (0.29, 0.4)
LEG_TRIM, OCCUPIED_TRIM, FLANK_TRIM = 0.09, 0.31, 0.04
FIRE_AT, FIRE_ALONE_AT, STAR_SIZE = 0.12, 1.0, 0.21
NAME_AT, NAME_SIZE, WORK_AT, WORK_SIZE = 0.2, 0.105, (0.13, -0.32), 0.125
TAG_SHARES = (0.3, 0.12, 0.45, 0.0, 0.6)
FALL_BACK_TRIMS, DIRECTION = (0.33, 0.24), 0.95


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
    """Names beside arrows, each at the first place along its arrow where it hides no other."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Sprite, list[Point]]] = []

    def add(self, sprite: Sprite, path: list[Point]) -> None:
        self._waiting.append((sprite, path))

    def draw(self, picture: Image.Image) -> None:
        taken: list[tuple[float, float, float, float]] = []
        for sprite, path in self._waiting:
            boxes = [_box(sprite, _along(path, share)) for share in TAG_SHARES]
            box = next((each for each in boxes if not any(_overlap(each, other) for other in taken)), boxes[0])
            taken.append(box)
            stamp(picture, sprite, box[0] + sprite.x, box[1] + sprite.y)


def _box(sprite: Sprite, at: Point) -> tuple[float, float, float, float]:
    left, top = at[0] - sprite.x, at[1] - sprite.y
    return left, top, left + sprite.image.width, top + sprite.image.height


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def draw_plan(picture: Image.Image, scale: int, plan: Plan, where: Where) -> None:
    """Over the counters: what is to happen after the movement."""
    lanes, tags, stacks = Lanes(), Tags(), _stacks(plan)
    for retreat in plan.retreats:
        _draw_retreat(picture, scale, plan, retreat, where)
    for assault in plan.assaults:
        _draw_assault(picture, scale, plan, assault, where, lanes, stacks[assault.origin])
    for leg in plan.legs:
        _draw_leg(picture, scale, plan, leg, where, lanes, tags, stacks)
    tags.draw(picture)
    for place, works in plan.works.items():
        if (at := where(place)) is not None:
            text = tag("  ".join(works), plan.side, scale, palette().ink, WORK_SIZE)
            left = at[0] + WORK_AT[0] * scale
            stamp(picture, text, left + text.x, at[1] + WORK_AT[1] * scale)


def _stacks(plan: Plan) -> dict[str, list[str]]:
    """The armies of each place from the top of their stack to its bottom."""
    stacks: dict[str, list[str]] = {}
    for army in sorted(plan.armies.values(), key=lambda army: in_card_order(army.id)):
        stacks.setdefault(army.place, []).append(army.id)
    return stacks


# ------------------------------------------------------------------ attacks


def _draw_assault(
    picture: Image.Image, scale: int, plan: Plan, assault: Assault, where: Where, lanes: Lanes, stack: list[str]
) -> None:
    start, end = where(assault.origin), where(assault.target)
    if start is None or end is None or start == end:
        return
    aside = lanes.aside(assault.origin, assault.target)
    trims = ATTACK_TRIMS if assault.advances else FIRE_TRIMS
    if len(stack) == 2:
        start, aside, trims = _flank(start, end, scale, stack.index(assault.army)), 0, (FLANK_TRIM, trims[1])
    path = path_between(start, end, scale, trims, aside)
    paste_arrow(picture, scale, path, plan.side, _manner(assault))
    if assault.fires:
        star = battle_star(round(STAR_SIZE * scale), assault.fires_if)
        stamp(picture, star, *_along(path, FIRE_AT if assault.advances else FIRE_ALONE_AT))
    if len(stack) > 2:
        _draw_name(picture, scale, plan, assault.army, path, aside)


def _flank(start: Point, end: Point, scale: int, number: int) -> Point:
    """Where the upper or the lower of two counters ends towards a target."""
    across, up = ONE_OF_TWO
    left_or_right = across / 2 if end[0] > start[0] else -across / 2
    return start[0] + left_or_right * scale, start[1] + (number - 0.5) * (up + GAP) * scale


def _manner(assault: Assault) -> str:
    if not assault.advances:
        return "fires"
    return "may attack" if assault.advances_if else "attacks"


def _draw_name(picture: Image.Image, scale: int, plan: Plan, army: str, path: list[Point], aside: float) -> None:
    """Beside the arrow, away from the arrows of its neighbours."""
    (x1, y1), (x2, y2) = path[0], path[-1]
    away = NAME_AT * scale * (-1 if aside < 0 else 1) / (hypot(x2 - x1, y2 - y1) or 1.0)
    x, y = _along(path, 0.4)
    name = name_tag(army_abbreviation(army), plan.side, scale)
    stamp(picture, name, x - (y2 - y1) * away, y + (x2 - x1) * away)


# ------------------------------------------------------------------ exploitation and retreat


def _draw_leg(
    picture: Image.Image,
    scale: int,
    plan: Plan,
    leg: Leg,
    where: Where,
    lanes: Lanes,
    tags: Tags,
    occupied: Collection[str],
) -> None:
    start, end = where(leg.origin), where(leg.place)
    if start is None or end is None or start == end:
        return
    first, last = (OCCUPIED_TRIM if place in occupied else LEG_TRIM for place in (leg.origin, leg.place))
    path = path_between(start, end, scale, (first, last), lanes.aside(leg.origin, leg.place))
    paste_arrow(picture, scale, path, plan.side, "may exploit" if leg.open else "exploits")
    tags.add(name_tag(f"{army_abbreviation(leg.army)} {leg.number}", plan.side, scale), path)


def _draw_retreat(picture: Image.Image, scale: int, plan: Plan, retreat: Retreat, where: Where) -> None:
    """A thin arrow with the number of the choice; a direction is one hex long; a hex to avoid is crossed out."""
    start, end = where(retreat.origin), where(retreat.place)
    if start is None or end is None:
        return
    if retreat.avoided:
        colour = side_colours(plan.side).dark
        stamp(picture, cross(round(0.2 * scale), colour), start[0] * 0.4 + end[0] * 0.6, start[1] * 0.4 + end[1] * 0.6)
        return
    if not retreat.number:
        end = _towards(start, end, DIRECTION * scale)
    path = path_between(start, end, scale, FALL_BACK_TRIMS)
    paste_arrow(picture, scale, path, plan.side, "falls back")
    if retreat.number:
        number = tag(str(retreat.number), plan.side, scale, side_colours(plan.side).dark, NAME_SIZE * 0.8)
        stamp(picture, number, *_along(path, 0.3))


def name_tag(text: str, side: str, scale: int) -> Sprite:
    return tag(text, side, scale, side_colours(side).dark, NAME_SIZE)


def _along(path: list[Point], share: float) -> Point:
    return path[round((len(path) - 1) * share)]


def _towards(start: Point, end: Point, most: float) -> Point:
    """As far as the end, but no farther than so much."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = min(1.0, most / ((dx * dx + dy * dy) ** 0.5))
    return start[0] + dx * share, start[1] + dy * share
