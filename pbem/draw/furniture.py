"""What stands around a map: the title in its cartouche, the turn track, and the compass."""

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw

from engine.game import PUBLIC
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.view import View
from pbem.draw.fonts import fitted, width_of
from pbem.draw.geometry import Frame
from pbem.draw.marks import draw_emblem
from pbem.draw.palette import palette, side_colours
from pbem.draw.sprites import Sprite, letters, shape, stamp
from pbem.draw.style import mix
from pbem.games.hitlers_war.atlas import MAP, MARGIN
from pbem.games.hitlers_war.names import season_name, turn_number

#: The cartouche in the empty north-western corner: width and height in hex widths.
TITLE_WIDTH, TITLE_HEIGHT = 5.9, 1.66
#: How many kilometres a hex is wide in the middle of the map, and where the scale begins.
KILOMETRES = 280
SCALE_AT = (9.35, 0.32)
#: The turn track ends here where the box of India is below it.
TRACK_ABOVE_INDIA = 1.66
SIDE_NAMES = {"axis": "Axis", "soviet": "Soviet Union", "allies": "Allies"}


def side_name(side: str | None) -> str:
    return "game master" if side is None else SIDE_NAMES.get(side, side.title())


def title_lines(view: View) -> tuple[str, str, str]:
    """The war, the date, and who knows it so."""
    number, count = turn_number(view)
    date = f"{season_name(view.turn)}, turn {number} of {count}"
    return view.title.upper(), date, f"{_reader(view)} · {_whose_turn(view)}"


def _reader(view: View) -> str:
    if view.side is None:
        return "All sides, for the game master"
    knows = {"open": "all open", "veiled": "strengths veiled", "fog": "in fog"}[view.fog]
    who = "everybody" if view.side == PUBLIC else f"the {side_name(view.side)}"
    return f"As known to {who}, {knows}"


def _whose_turn(view: View) -> str:
    if view.outcome is not None:
        return "the war is over: " + (" and ".join(map(side_name, view.outcome.winners)) or "nobody") + " won"
    return f"{side_name(view.phasing)} to move"


# ------------------------------------------------------------------ title


def draw_title(picture: Image.Image, frame: Frame, view: View) -> None:
    scale, table = frame.scale, palette()
    left, top = (round(part) for part in frame.pixel(MAP.west + 0.16, MAP.north - 0.16))
    sheet = panel(TITLE_WIDTH * scale, TITLE_HEIGHT * scale, scale)
    war, date, reader = title_lines(view)
    middle, room = sheet.width / 2, sheet.width * 0.92
    text, size = fitted(war, "bold", 0.46 * scale, room * 0.82)
    stamp(sheet, letters(text, "bold", size, table.ink, tracking=round(size * 0.14)), middle, 0.46 * scale)
    _draw_rule(sheet, middle, 0.84 * scale, sheet.width * 0.8)
    for line, face, height, colour, y in (
        (date, "sans", 0.25, table.ink, 1.07),
        (reader, "narrow", 0.165, table.soft_ink, 1.38),
    ):
        text, size = fitted(line, face, height * scale, room)
        stamp(sheet, letters(text, face, size, colour), middle, y * scale)
    picture.paste(sheet, (left, top))


def panel(width: float, height: float, scale: int) -> Image.Image:
    """Paper with a firm and a fine line around it."""
    table, gap = palette(), round(scale * 0.05)
    sheet = Image.new("RGB", (round(width), round(height)), table.paper)
    right, bottom = sheet.width - 1, sheet.height - 1
    draw = ImageDraw.Draw(sheet)
    draw.rectangle((0, 0, right, bottom), outline=table.ink, width=max(2, round(scale * 0.024)))
    draw.rectangle((gap, gap, right - gap, bottom - gap), outline=table.soft_ink)
    return sheet


def _draw_rule(picture: Image.Image, x: float, y: float, width: float) -> None:
    """A line with a diamond in its middle."""
    table, draw = palette(), ImageDraw.Draw(picture)
    draw.line((x - width / 2, round(y), x + width / 2, round(y)), fill=table.soft_ink)
    draw_emblem(draw, "diamond", x, round(y), width * 0.012, table.ink)


# ------------------------------------------------------------------ compass


def draw_compass(picture: Image.Image, scale: int, x: float, y: float) -> None:
    stamp(picture, _rose(scale), x, y + 0.1 * scale)
    stamp(picture, letters("N", "bold", 0.2 * scale, palette().ink), x, y - 0.52 * scale)


@lru_cache(maxsize=4)
def _rose(size: int) -> Sprite:
    return shape(size, size, lambda draw, finer: _draw_rose(draw, size * finer))


def _draw_rose(draw: ImageDraw.ImageDraw, size: float) -> None:
    """Eight rays, each half dark and half pale; the four great ones on top."""
    table, middle = palette(), size / 2
    ring = size * 0.3
    around = (middle - ring, middle - ring, middle + ring, middle + ring)
    draw.ellipse(around, outline=table.soft_ink, width=round(size * 0.012))
    for rays, length in (((1, 3, 5, 7), 0.32), ((0, 2, 4, 6), 0.48)):
        for ray in rays:
            angle = ray * pi / 4
            tip = (middle + sin(angle) * size * length, middle - cos(angle) * size * length)
            for way, colour in ((-1, table.white), (1, table.ink)):
                waist = angle + way * pi / 4
                base = (middle + sin(waist) * size * 0.08, middle - cos(waist) * size * 0.08)
                draw.polygon([(middle, middle), base, tip], fill=colour, outline=table.ink, width=round(size * 0.008))


# ------------------------------------------------------------------ scale


def draw_scale(picture: Image.Image, frame: Frame) -> None:
    """A thousand kilometres, as far as a warped map has a scale."""
    scale, table, draw = frame.scale, palette(), ImageDraw.Draw(picture)
    left, top = (round(part) for part in frame.pixel(*SCALE_AT))
    part = 500 / KILOMETRES * scale
    for number, fill in enumerate((table.ink, table.white)):
        box = (left + number * part, top, left + (number + 1) * part, top + round(0.06 * scale))
        draw.rectangle(box, fill=fill, outline=table.ink)
    for number, text in enumerate(("0", "500", "about 1000 km")):
        stamp(
            picture,
            letters(text, "narrow", 0.12 * scale, table.ink, table.paper),
            left + number * part,
            top - 0.1 * scale,
        )


# ------------------------------------------------------------------ turn track


def draw_turn_track(picture: Image.Image, frame: Frame, view: View) -> None:
    """The seasons of the war one below the other; the present one stands out."""
    scale, width = frame.scale, 1.3 * frame.scale
    left, top = frame.pixel(MAP.east + MARGIN * 0.5, 10.45)
    bottom = frame.pixel(MAP.east, TRACK_ABOVE_INDIA if "INDIA" in view.places else MAP.south)[1]
    turns = range(load_scenario(view.scenario).first_turn, view.last_turn + 1)
    height = min(0.62 * scale, (bottom - top - 0.35 * scale) / len(turns))
    heading = letters("TURNS", "narrow bold", 0.13 * scale, palette().soft_ink, tracking=round(0.04 * scale))
    stamp(picture, heading, left + width / 2, top + 0.1 * scale)
    for number, turn in enumerate(turns):
        y = top + 0.26 * scale + number * height
        box = (round(left), round(y), round(left + width), round(y + height * 0.86))
        _draw_turn(picture, scale, view, turn, box)


def _draw_turn(picture: Image.Image, scale: int, view: View, turn: int, box: tuple[int, int, int, int]) -> None:
    table, now, draw = palette(), turn == view.turn, ImageDraw.Draw(picture)
    fill, rim, colour = _turn_colours(view, turn)
    draw.rounded_rectangle(box, 0.06 * scale, fill=fill, outline=rim)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    face = "narrow bold" if now else "narrow"
    text, size = fitted(season_name(turn), face, 0.15 * scale, (box[2] - box[0]) * 0.8)
    stamp(picture, letters(text, face, size, colour), x + (0.08 * scale if now else 0), y)
    if now:
        left = x - width_of(text, face, size) / 2 - 0.04 * scale
        draw_emblem(draw, side_colours(view.phasing).emblem, left, y, 0.05 * scale, table.white)


def _turn_colours(view: View, turn: int) -> tuple[str, str, str]:
    """Ground, rim and letters: the colour of the side to move for the present, grey for the past."""
    table = palette()
    if turn == view.turn:
        return side_colours(view.phasing).counter, table.ink, table.white
    if turn < view.turn:
        return mix(table.paper, table.soft_ink, 0.16), table.soft_ink, table.soft_ink
    return table.white, table.soft_ink, table.ink
