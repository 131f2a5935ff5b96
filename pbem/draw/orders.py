"""A player's orders over the counters: attacks with a star where they fire, exploitation by steps, retreats, works."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import hypot
from typing import NamedTuple

from pbem.draw.arrows import paste_arrow, path_between
from pbem.draw.atlas import Point
from pbem.draw.canvas import Canvas
from pbem.draw.fonts import fitted
from pbem.draw.scene import Attack, Banner, Orders, Retreat, Scene, Step, Voyage, Will
from pbem.draw.signs import MARKS, battle_star, cross, stamp_mark
from pbem.draw.sprites import Sprite, stamp
from pbem.draw.stacks import GAP, ONE_OF_TWO, size_of_stack
from pbem.draw.tags import SIZES, tag, work_tag
from pbem.draw.voyages import sea_path

# Distances and sizes in hex widths.
LANE = 0.17
ATTACK_TRIMS, FIRE_TRIMS = (0.29, 0.29), (0.29, 0.4)
LEG_TRIM, OCCUPIED_TRIM, FLANK_TRIM = 0.09, 0.31, 0.04
FIRE_AT, FIRE_ALONE_AT, STAR_SIZE = 0.12, 1.0, 0.21
NAME_AT, WORK_AT, WORK_ALONE_AT = 0.2, (0.16, -0.348), -0.232
TAG_SHARES, TAG_ASIDE = (0.3, 0.4, 0.2, 0.5, 0.1, 0.6, 0.0), 0.9
BANNER_AT, BANNER_SIZE = -0.13, 0.115
FALL_BACK_TRIMS, DIRECTION = (0.33, 0.24), 0.95
#: The arrow of an attack by whether it advances.
MANNERS: dict[Will, str] = {"no": "fires", "yes": "attacks", "perhaps": "may attack"}
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

    def draw(self, canvas: Canvas) -> None:
        taken: list[Box] = []
        for sprite, path in self._waiting:
            boxes = [_box(sprite, at) for at in _beside(path, sprite)]
            box = min(boxes, key=lambda each: (_hidden(each, taken), _hidden(each, self._counters)))
            taken.append(box)
            canvas.stamp(sprite, (box[0] + sprite.x, box[1] + sprite.y))


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
    """A canvas with the scene on it, and whose orders are drawn."""

    canvas: Canvas
    scene: Scene
    side: str

    def ends(self, origin: str, place: str) -> tuple[Point, Point] | None:
        """Those of the way between two different places, if both are in the picture."""
        return self.canvas.where.straight(origin, place)

    def arrow(self, path: list[Point], manner: str) -> None:
        paste_arrow(self.canvas, path, self.side, manner)

    def star(self, at: Point, fires: Will) -> None:
        size = round(STAR_SIZE * self.canvas.scale)
        self.canvas.stamp(battle_star(self.canvas.style, size, fires == "perhaps"), at)

    def tag(self, text: str, size: float = SIZES["step"]) -> Sprite:
        style = self.canvas.style
        return tag(style, text, self.side, self.canvas.scale, style.side(self.side).dark, size)

    def counters(self, place: str) -> int:
        return len(self.scene.stacks.get(place, ()))


def draw_orders(canvas: Canvas, scene: Scene) -> None:
    """What is to happen after the movement."""
    if scene.orders is not None:
        _draw(Easel(canvas, scene, scene.orders.side), scene.orders)


def _draw(easel: Easel, orders: Orders) -> None:
    lanes, tags = Lanes(), Tags([_counters_at(easel, place) for place in easel.scene.stacks])
    for retreat in orders.retreats:
        _draw_retreat(easel, retreat)
    for voyage in easel.scene.voyages:
        _draw_landing(easel, voyage)
    for attack in orders.attacks:
        _draw_attack(easel, attack, lanes)
    for step in orders.steps:
        tags.add(easel.tag(step.tag), _draw_step(easel, step, lanes))
    tags.draw(easel.canvas)
    for mark in orders.marks:
        stamp_mark(easel.canvas, mark, MARKS[mark.sign])
    for banner in orders.banners:
        _draw_banner(easel, banner)
    for place, works in orders.works.items():
        if easel.canvas.frame.atlas.is_hex(place):
            _draw_works(easel, place, works)


def _counters_at(easel: Easel, place: str) -> Box:
    """What the counters of a stack cover; nothing if they are not in the picture."""
    at, (width, height) = easel.canvas.where(place), size_of_stack(easel.counters(place))
    if at is None:
        return 0.0, 0.0, 0.0, 0.0
    across, up = width * easel.canvas.scale / 2, height * easel.canvas.scale / 2
    return at[0] - across, at[1] - up, at[0] + across, at[1] + up


def _draw_works(easel: Easel, place: str, works: Sequence[str]) -> None:
    """In the middle of an empty hex, else to the right of its id, where nothing else is printed."""
    canvas = easel.canvas
    if (at := canvas.where(place)) is None:
        return
    text = work_tag(canvas.style, works, easel.side, canvas.scale)
    if easel.counters(place):
        x, y = WORK_AT
        stamp(canvas.picture, text, at[0] + x * canvas.scale + text.x, at[1] + y * canvas.scale)
    else:
        canvas.stamp(text, at, (0.0, WORK_ALONE_AT))


# ------------------------------------------------------------------ attacks


def _draw_attack(easel: Easel, attack: Attack, lanes: Lanes) -> None:
    ends = easel.ends(attack.origin, attack.target)
    if ends is None:
        return
    scale, stack = easel.canvas.scale, easel.counters(attack.origin)
    aside = lanes.aside(attack.origin, attack.target)
    trims = FIRE_TRIMS if attack.advances == "no" else ATTACK_TRIMS
    if stack == 2:
        start = _flank(*ends, scale, attack.counter)
        path = path_between(start, ends[1], scale, (FLANK_TRIM, trims[1]))
    else:
        path = path_between(*ends, scale, trims, aside)
    easel.arrow(path, MANNERS[attack.advances])
    if attack.fires != "no":
        easel.star(_along(path, FIRE_ALONE_AT if attack.advances == "no" else FIRE_AT), attack.fires)
    if stack > 2:
        _draw_name(easel, attack.name, path, aside)


def _flank(start: Point, end: Point, scale: int, number: int) -> Point:
    """Where the upper or the lower of two counters ends towards a target."""
    across, up = ONE_OF_TWO
    left_or_right = across / 2 if end[0] > start[0] else -across / 2
    return start[0] + left_or_right * scale, start[1] + (number - 0.5) * (up + GAP) * scale


def _draw_name(easel: Easel, name: str, path: list[Point], aside: float) -> None:
    """Beside the arrow, away from the arrows of its neighbours."""
    (x1, y1), (x2, y2) = path[0], path[-1]
    away = NAME_AT * easel.canvas.scale * (-1 if aside < 0 else 1) / (hypot(x2 - x1, y2 - y1) or 1.0)
    x, y = _along(path, 0.4)
    easel.canvas.stamp(easel.tag(name), (x - (y2 - y1) * away, y + (x2 - x1) * away))


# ------------------------------------------------------------------ exploitation and retreat


def _draw_step(easel: Easel, step: Step, lanes: Lanes) -> list[Point]:
    """The path it took, for its tag."""
    ends = easel.ends(step.origin, step.place)
    if ends is None:
        return []
    first, last = (OCCUPIED_TRIM if easel.counters(place) else LEG_TRIM for place in (step.origin, step.place))
    path = path_between(*ends, easel.canvas.scale, (first, last), lanes.aside(step.origin, step.place))
    easel.arrow(path, "may exploit" if step.open else "exploits")
    return path


def _draw_retreat(easel: Easel, retreat: Retreat) -> None:
    """A thin arrow with the number of the choice; a direction is one hex long; a hex to avoid is crossed out."""
    ends, canvas = easel.ends(retreat.origin, retreat.place), easel.canvas
    if ends is None:
        return
    start, end = ends
    if retreat.avoided:
        crossed = cross(canvas.style, round(0.2 * canvas.scale), canvas.style.side(easel.side).dark)
        canvas.stamp(crossed, (start[0] * 0.4 + end[0] * 0.6, start[1] * 0.4 + end[1] * 0.6))
        return
    if not retreat.number:
        end = _towards(start, end, DIRECTION * canvas.scale)
    path = path_between(start, end, canvas.scale, FALL_BACK_TRIMS)
    easel.arrow(path, "falls back")
    if retreat.number:
        canvas.stamp(easel.tag(str(retreat.number), SIZES["step"] * 0.8), _along(path, 0.3))


# ------------------------------------------------------------------ the sea and countries


def _draw_landing(easel: Easel, voyage: Voyage) -> None:
    """A landing fires where it comes ashore."""
    path = sea_path(easel.canvas, voyage.places) if voyage.fires != "no" else []
    if path:
        easel.star(_along(path, 1.0), voyage.fires)


def _draw_banner(easel: Easel, banner: Banner) -> None:
    """The name of a country in red; its border is on the board."""
    canvas = easel.canvas
    if (at := canvas.where(banner.place)) is None:
        return
    text, size = fitted(f"⚔ {banner.text}", "narrow bold", BANNER_SIZE * canvas.scale, 0.8 * canvas.scale)
    name = tag(canvas.style, text, easel.side, canvas.scale, canvas.style.red, size / canvas.scale)
    canvas.stamp(name, at, (0.0, BANNER_AT))


def _along(path: list[Point], share: float) -> Point:
    return path[round((len(path) - 1) * share)]


def _towards(start: Point, end: Point, most: float) -> Point:
    """As far as the end, but no farther than so much."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = min(1.0, most / ((dx * dx + dy * dy) ** 0.5))
    return start[0] + dx * share, start[1] + dy * share
