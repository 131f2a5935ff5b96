"""The pictures: the island, the island with one's orders, and the record sheet.

The first and the last column are shown twice, paler, beyond the other edge: there an arrow ends that goes round.
"""

import io
from collections.abc import Iterable
from math import hypot

from PIL import Image, ImageDraw

from engine.layout import ROW, Spot
from pbem.draw.fonts import font
from tests.toy.round_island.rules.board import LAYOUT, hexes
from tests.toy.round_island.rules.plan import Marching
from tests.toy.round_island.shown import style
from tests.toy.round_island.shown.names import side_name
from tests.toy.round_island.shown.record import Record
from tests.toy.round_island.shown.scene import Island

Point = tuple[float, float]
COLUMNS, ROWS = 8, 3
#: How far a part of the map reaches from a hex, in hexes.
NEAR = 1.6


def png(shown: Island | list[Record]) -> bytes:
    """The island, or record sheets."""
    return island_png(shown) if isinstance(shown, Island) else record_png(shown)


def island_png(shown: Island) -> bytes:
    easel = Easel()
    if shown.title:
        easel.title(shown.title, shown.remark)
    easel.island(shown)
    for each in shown.orders:
        easel.arrow(each, style.SIDES[shown.side])
    if not shown.near:
        return easel.png()
    x, y = middle_of(LAYOUT.spot(shown.near))
    return easel.png((x - NEAR * style.HEX, y - NEAR * style.HEX, x + NEAR * style.HEX, y + NEAR * style.HEX))


def record_png(records: Iterable[Record]) -> bytes:
    """One table beside the other."""
    easel = Easel(height=_height_of(list(records)))
    for number, record in enumerate(records):
        easel.record(record, style.MARGIN + number * easel.width / 2)
    return easel.png()


def _height_of(records: list[Record]) -> int:
    return 118 + 24 * max(len(record.rows) for record in records)


class Easel:
    """A sheet of paper. All positions are in pixels of the finished picture."""

    def __init__(self, height: int = 0) -> None:
        self.width = round((COLUMNS + 1) * ROW * style.HEX + _HALF * 2) + 2 * style.MARGIN
        self.height = height or round(style.TITLE + (ROWS + 0.5) * style.HEX + style.KEY) + style.MARGIN
        size = (self.width * style.FINER, self.height * style.FINER)
        self._image = Image.new("RGB", size, style.PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def png(self, part: tuple[float, float, float, float] | None = None) -> bytes:
        reduced = self._image.reduce(style.FINER)
        if part is not None:
            left, top, right, bottom = map(round, part)
            reduced = reduced.crop((max(0, left), max(0, top), min(self.width, right), min(self.height, bottom)))
        target = io.BytesIO()
        reduced.quantize(style.COLOURS_IN_PNG, dither=Image.Dither.NONE).save(target, "PNG")
        return target.getvalue()

    # -------------------------------------------------------------- what is on it

    def title(self, text: str, remark: str) -> None:
        self.write((style.MARGIN, style.TITLE / 2), text, style.TITLE_SIZE, face="bold", anchor="lm")
        self.write(
            (self.width - style.MARGIN, style.TITLE / 2), remark, style.TEXT_SIZE, colour=style.SOFT, anchor="rm"
        )

    def island(self, shown: Island) -> None:
        for column in range(COLUMNS + 2):
            for row in range(1, ROWS + 1):
                self._hex(shown, Spot(column, row))
        self._key()

    def _hex(self, shown: Island, spot: Spot) -> None:
        """Lava, where the island has no hex."""
        hex_id, ghost = LAYOUT.hex_at(spot), not 1 <= spot.column <= COLUMNS
        known, middle = hexes().get(hex_id), middle_of(spot)
        ground = _ground(shown, hex_id) if known else style.LAVA
        self.polygon(_corners(middle), _paler(ground) if ghost else ground)
        if known is None:
            return
        ink = _paler(style.SOFT) if ghost else style.SOFT
        self.write((middle[0], middle[1] - 0.36 * style.HEX), hex_id, style.NUMBER_SIZE, colour=ink)
        self.write((middle[0], middle[1] + 0.36 * style.HEX), known.name, style.NAME_SIZE, face="bold", colour=ink)
        if known.terrain == "forest":
            self._trees(middle, ghost=ghost)
        if hex_id in shown.bands:
            self._counter(shown, hex_id, middle, ghost=ghost)

    def _trees(self, middle: Point, *, ghost: bool) -> None:
        x, y = middle[0], middle[1] + 0.38 * style.HEX
        colour = _paler("#4f7a4a") if ghost else "#4f7a4a"
        for dx in (-16, 0, 16):
            self.polygon([(x + dx - 6, y + 5), (x + dx, y - 9), (x + dx + 6, y + 5)], colour, line="")

    def _counter(self, shown: Island, hex_id: str, middle: Point, *, ghost: bool) -> None:
        band, (width, height) = shown.bands[hex_id], style.COUNTER
        colour = style.SIDES[band.side]
        corners = [middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2]
        box = [part * style.FINER for part in corners]
        self._draw.rounded_rectangle(box, 6 * style.FINER, fill=_paler(colour) if ghost else colour)
        self.write(middle, str(band.spears or "?"), style.COUNTER_SIZE, face="bold", colour="#ffffff")

    def _key(self) -> None:
        x, y = style.MARGIN, self.height - style.KEY / 2 - 4
        for side, colour in style.SIDES.items():
            self._draw.rounded_rectangle(
                [part * style.FINER for part in (x, y - 8, x + 26, y + 8)], 4 * style.FINER, fill=colour
            )
            self.write((x + 34, y), f"{side_name(side)}, with its spears", style.TEXT_SIZE, anchor="lm")
            x += 200
        self.write((x, y), "dark: lava. Pale hexes are those of the other edge.", style.TEXT_SIZE, anchor="lm")

    def record(self, record: Record, left: float) -> None:
        right, colour = left + self.width / 2 - 3 * style.MARGIN, style.SIDES[record.side]
        title = side_name(record.side) + ("" if record.is_complete else ", as far as seen")
        self.write((left, 24), title, style.TITLE_SIZE, face="bold", colour=colour, anchor="lm")
        self.rule(left, right, 42, colour)
        y = 58.0
        for row in record.rows:
            self.write((left, y), row.place, style.TEXT_SIZE, anchor="lm")
            self.write((left + 170, y), row.terrain, style.TEXT_SIZE, colour=style.SOFT, anchor="lm")
            self.write((right, y), row.spears or "?", style.TEXT_SIZE, face="bold", anchor="rm")
            y += 24
        self.rule(left, right, y - 6, style.LINE)
        self.write((left, y + 10), f"Villages: {record.villages}", style.TEXT_SIZE, anchor="lm")
        self.write((right, y + 10), record.total, style.TEXT_SIZE, face="bold", anchor="rm")
        if record.standing:
            self.write((left, y + 32), f"Standing order: RALLY {record.standing}", style.TEXT_SIZE, anchor="lm")

    def arrow(self, march: Marching, colour: str) -> None:
        """The short way, over the edge if that is shorter."""
        origin, target = LAYOUT.spot(march.origin), LAYOUT.spot(march.target)
        for turns in (-COLUMNS, 0, COLUMNS):
            there = Spot(target.column + turns, target.row)
            if abs(there.column - origin.column) <= 1:
                self._arrow(middle_of(origin), middle_of(there), str(march.spears), colour)

    def _arrow(self, start: Point, end: Point, label: str, colour: str) -> None:
        """A little to the right of the way, so that it hides no name and none that goes against it."""
        far = hypot(end[0] - start[0], end[1] - start[1])
        along = ((end[0] - start[0]) / far, (end[1] - start[1]) / far)
        beside = style.ASIDE if abs(along[0]) > 0.1 else style.ASIDE_UPRIGHT

        def at(way: float, aside: float) -> Point:
            aside += beside
            return (start[0] + along[0] * way - along[1] * aside, start[1] + along[1] * way + along[0] * aside)

        tail, neck, tip = 0.27 * far, 0.62 * far, 0.82 * far
        shape = [at(tail, -5), at(neck, -5), at(neck, -13), at(tip, 0), at(neck, 13), at(neck, 5), at(tail, 5)]
        self.polygon(shape, colour, line=style.PAPER)
        self._disc(at(0.42 * far, 0), 10, colour)
        self.write(at(0.42 * far, 0), label, 13, face="bold", colour="#ffffff")

    def _disc(self, middle: Point, radius: float, colour: str) -> None:
        corners = (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius)
        scaled = [part * style.FINER for part in corners]
        self._draw.ellipse(scaled, fill=colour, outline=style.PAPER, width=style.FINER)

    # -------------------------------------------------------------- strokes

    def polygon(self, points: list[Point], fill: str, line: str = style.LINE) -> None:
        scaled = [(x * style.FINER, y * style.FINER) for x, y in points]
        self._draw.polygon(scaled, fill=fill, outline=line or None, width=style.FINER)

    def rule(self, left: float, right: float, y: float, colour: str) -> None:
        points = [part * style.FINER for part in (left, y, right, y)]
        self._draw.line(points, fill=colour, width=2 * style.FINER)

    def write(
        self, at: Point, text: str, size: float, *, face: str = "sans", colour: str = style.INK, anchor: str = "mm"
    ) -> None:
        where = (at[0] * style.FINER, at[1] * style.FINER)
        self._draw.text(where, text, fill=colour, font=font(face, size * style.FINER), anchor=anchor)


# ------------------------------------------------------------------ where things are

#: Half the width of a flat hex.
_HALF = style.HEX / (2 * ROW)


def middle_of(spot: Spot) -> Point:
    """Of any spot, also in the columns beyond the edges."""
    down = spot.row - 0.5 + (0.5 if spot.column % 2 == 0 else 0)
    return (style.MARGIN + _HALF + spot.column * ROW * style.HEX, style.TITLE + down * style.HEX)


def _corners(middle: Point) -> list[Point]:
    x, y = middle
    half, high = _HALF, style.HEX / 2
    return [
        (x - half, y),
        (x - half / 2, y - high),
        (x + half / 2, y - high),
        (x + half, y),
        (x + half / 2, y + high),
        (x - half / 2, y + high),
    ]


# ------------------------------------------------------------------ colours


def _ground(shown: Island, hex_id: str) -> str:
    ground, owner = style.GROUND[hexes()[hex_id].terrain], shown.owner.get(hex_id)
    return mixed(ground, style.TINTS[owner], style.TINT) if owner else ground


def _paler(colour: str) -> str:
    return mixed(colour, style.PAPER, style.GHOST)


def mixed(one: str, other: str, share: float) -> str:
    """The first colour with so much of the other."""
    parts = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)
