"""Lines along hexsides: the front between enemies, water that armies cannot cross, and the straits they can."""

from math import hypot

from PIL import ImageDraw

from engine.layout import ROW, Top
from pbem.draw.atlas import CORNER, CORNERS, Point
from pbem.draw.canvas import Canvas
from pbem.draw.kept import kept
from pbem.draw.scene import Scene
from pbem.draw.sprites import Sprite, shape
from pbem.draw.style import Style, mix

# Widths and distances in hex widths.
FRONT_CORE, FRONT_STRIPE, STRIPE_AWAY = 0.036, 0.055, 0.042
WATER_WIDTH, STRAIT_REACH, STRAIT_LOWER = 0.036, 0.13, 0.09
DASHES = 5
#: The border around a country: how far inside, how wide, its casing and its dashes.
OUTLINE_AWAY, OUTLINE_WIDTH, OUTLINE_CASING, OUTLINE_DASH = 0.06, 0.045, 0.085, 0.19


def draw_fronts(canvas: Canvas, scene: Scene) -> None:
    """Firm where both sides of it are in sight, broken where it runs as last known."""
    frame, style = canvas.frame, canvas.style
    for line in scene.fronts:
        direction = frame.atlas.neighbours(line.place).index(line.neighbour)
        here, there = scene.holdings[line.place].owner, scene.holdings[line.neighbour].owner
        sprite = front(style, frame.atlas.layout.top, frame.scale, direction, here, there, line.firm)
        canvas.stamp(sprite, _middle(frame.hexside(line.place, direction)))


def draw_straits(canvas: Canvas, _scene: Scene) -> None:
    """Such hexsides that armies can cross. Below the name of a city the arrow moves a little to the south."""
    frame, top = canvas.frame, canvas.frame.atlas.layout.top
    for place, direction in frame.atlas.straits:
        dx, dy = _outward(top, direction)
        away = {0: -STRAIT_LOWER, 2: STRAIT_LOWER}.get(direction, 0.0)
        sprite = strait(canvas.style, top, frame.scale, direction)
        canvas.stamp(sprite, _middle(frame.hexside(place, direction)), (dx * away, dy * away))


def draw_outlines(canvas: Canvas, scene: Scene) -> None:
    """A broken border around each country that is to be attacked for the first time."""
    frame = canvas.frame
    for country in scene.outlined:
        for place in (each for each in country if frame.atlas.is_hex(each) and frame.shows_hex(each)):
            is_border = tuple(neighbour not in country for neighbour in frame.atlas.neighbours(place))
            sprite = outline(canvas.style, frame.atlas.layout.top, frame.scale, is_border)
            canvas.stamp(sprite, frame.pixel_of(place))


def _middle(side: tuple[Point, Point]) -> Point:
    (x1, y1), (x2, y2) = side
    return (x1 + x2) / 2, (y1 + y2) / 2


def _ends(top: Top, scale: float, direction: int, reach: float = 1.0) -> tuple[Point, Point]:
    """The ends of a hexside around its middle."""
    (x1, y1), (x2, y2) = CORNERS[top][direction : direction + 2]
    half_x, half_y = (x2 - x1) * scale * reach / 2, (y2 - y1) * scale * reach / 2
    return (-half_x, -half_y), (half_x, half_y)


def _outward(top: Top, direction: int) -> Point:
    """The way across a hexside, from its western hex to the eastern one, one long."""
    (x1, y1), (x2, y2) = CORNERS[top][direction : direction + 2]
    length = ((x1 + x2) ** 2 + (y1 + y2) ** 2) ** 0.5
    return (x1 + x2) / length, (y1 + y2) / length


# ------------------------------------------------------------------ sprites


@kept
def front(style: Style, top: Top, scale: int, direction: int, here: str, there: str, firm: bool) -> Sprite:
    """A dark core with the colour of each side along its own edge."""
    size = round(scale * 0.9)
    across = _outward(top, direction)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        fine, centre = scale * finer, size * finer / 2
        for owner, way in ((here, -1), (there, 1)):
            away = STRIPE_AWAY * fine * way
            at = (centre + across[0] * away, centre + across[1] * away)
            _line(draw, at, _ends(top, fine, direction), FRONT_STRIPE * fine, style.side(owner).counter)
        _core(style, draw, (centre, centre), _ends(top, fine, direction), FRONT_CORE * fine, firm)

    return shape(size, size, paint)


def _core(
    style: Style, draw: ImageDraw.ImageDraw, at: Point, ends: tuple[Point, Point], width: float, firm: bool
) -> None:
    _line(draw, at, ends, width, style.ink if firm else style.white)
    if firm:
        return
    (x1, y1), (x2, y2) = ends
    for dash in range(DASHES):
        start, end = (dash + 0.2) / DASHES, (dash + 0.7) / DASHES
        part = tuple((x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in (start, end))
        draw.line([(at[0] + x, at[1] + y) for x, y in part], fill=style.ink, width=round(width))


def _line(draw: ImageDraw.ImageDraw, at: Point, ends: tuple[Point, Point], width: float, colour: str) -> None:
    points = [(at[0] + x, at[1] + y) for x, y in ends]
    draw.line(points, fill=colour, width=round(width))
    for x, y in points:
        draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=colour)


@kept
def outline(style: Style, top: Top, scale: int, is_border: tuple[bool, ...]) -> Sprite:
    """Along those sides of a hex that are the border of a country, a little inside."""
    size = round(scale * 1.2)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        for direction in (side for side in range(6) if is_border[side]):
            start, end = (
                ((size / 2 + x * scale) * finer, (size / 2 + y * scale) * finer)
                for x, y in (_inner_end(top, is_border, direction, -1), _inner_end(top, is_border, direction, 1))
            )
            draw_broken(style, draw, start, end, scale * finer)

    return shape(size, size, paint)


def _inner_end(top: Top, is_border: tuple[bool, ...], direction: int, way: int) -> Point:
    """Where a line inside a hexside ends, at its first (-1) or last corner: where it meets the line that goes on there.

    That is inside the hex if its next side is border too, else on that next side, which both hexes share.
    """
    corner, beyond = (direction, direction - 1) if way < 0 else (direction + 1, direction + 2)
    (x, y), (x2, y2) = CORNERS[top][corner % 6], CORNERS[top][beyond % 6]
    if is_border[(direction + way) % 6]:
        return x * (1 - 2 * OUTLINE_AWAY), y * (1 - 2 * OUTLINE_AWAY)
    share = OUTLINE_AWAY / ROW / CORNER
    return x + (x2 - x) * share, y + (y2 - y) * share


def draw_broken(style: Style, draw: ImageDraw.ImageDraw, start: Point, end: Point, scale: float) -> None:
    """Red dashes on a pale line."""
    (x1, y1), (x2, y2) = start, end
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    half = ((x2 - x1) / 2, (y2 - y1) / 2)
    _line(draw, middle, ((-half[0], -half[1]), half), OUTLINE_CASING * scale, style.white)
    count = max(1, round(hypot(x2 - x1, y2 - y1) / (OUTLINE_DASH * scale)))
    for number in range(count):
        shares = ((number + 0.17) / count, (number + 0.83) / count)
        ends = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]
        draw.line(ends, fill=style.red, width=round(OUTLINE_WIDTH * scale))


@kept
def water_side(style: Style, top: Top, scale: int, direction: int) -> Sprite:
    size = round(scale * 0.8)
    colour = mix(style.shore, style.sea[3], 0.3)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        _line(
            draw,
            (size * finer / 2, size * finer / 2),
            _ends(top, scale * finer, direction, 0.8),
            WATER_WIDTH * scale * finer,
            colour,
        )

    return shape(size, size, paint)


@kept
def strait(style: Style, top: Top, scale: int, direction: int) -> Sprite:
    """A double arrow across the hexside, with a pale rim."""
    size = round(scale * 0.5)

    def paint(draw: ImageDraw.ImageDraw, finer: int) -> None:
        fine, at, across = scale * finer, (size * finer / 2, size * finer / 2), _outward(top, direction)
        _draw_double_arrow(draw, at, across, fine, 0.075, 0.03, style.white)
        _draw_double_arrow(draw, at, across, fine, 0.032, 0.0, style.ink)

    return shape(size, size, paint)


def _draw_double_arrow(
    draw: ImageDraw.ImageDraw, at: Point, across: Point, scale: float, width: float, grown: float, colour: str
) -> None:
    (dx, dy), reach = across, STRAIT_REACH * scale
    _line(draw, at, ((-dx * reach, -dy * reach), (dx * reach, dy * reach)), width * scale, colour)
    for way in (-1, 1):
        tip_reach = (reach + grown * scale) * 1.25 * way
        tip = (at[0] + dx * tip_reach, at[1] + dy * tip_reach)
        _head(draw, tip, (dx * way, dy * way), (0.085 + grown) * scale, colour)


def _head(draw: ImageDraw.ImageDraw, tip: Point, way: Point, length: float, colour: str) -> None:
    base = (tip[0] - way[0] * length, tip[1] - way[1] * length)
    side = (-way[1] * length * 0.62, way[0] * length * 0.62)
    draw.polygon([tip, (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])], fill=colour)
