"""What stands around a map on its sheet: titles in a cartouche, keys, the scale, tracks and the compass."""

from math import cos, pi, sin

from PIL import Image, ImageDraw

from pbem.draw.canvas import Canvas
from pbem.draw.fonts import fitted, width_of
from pbem.draw.kept import kept
from pbem.draw.key import key_panel, panel
from pbem.draw.scene import KeyPanel, Point, ScaleBar, Titles, Track, WallMap
from pbem.draw.signs import draw_emblem
from pbem.draw.sprites import Sprite, letters, shape, stamp
from pbem.draw.style import Style, mix

#: The cartouche: width and height in hex widths.
TITLE_WIDTH, TITLE_HEIGHT = 5.9, 1.66
TRACK_WIDTH = 1.3
#: Double arrows to a box stand so far inside the eastern edge of the map.
WAYS_IN_AT = 0.14


def furnish(canvas: Canvas, around: WallMap) -> None:
    _draw_titles(canvas, around.titles, around.titles_at)
    for key in around.keys:
        _draw_key(canvas, key)
    if around.scale_bar is not None:
        _draw_scale(canvas, around.scale_bar)
    for place in around.ways_in:
        _draw_way_in(canvas, place)
    for track in around.tracks:
        _draw_track(canvas, track)
    if around.compass_at is not None:
        _draw_compass(canvas, around.compass_at)


def _draw_key(canvas: Canvas, key: KeyPanel) -> None:
    left, top = canvas.frame.pixel(*key.at)
    canvas.picture.paste(key_panel(canvas.style, canvas.scale, key), (round(left), round(top)))


def _draw_way_in(canvas: Canvas, place: str) -> None:
    """A small double arrow beside a hex that touches a box in the east."""
    atlas, style = canvas.frame.atlas, canvas.style
    sprite = letters("↔", "bold", 0.2 * canvas.scale, style.ink, style.paper)
    canvas.stamp(sprite, canvas.frame.pixel(atlas.map.east - WAYS_IN_AT, atlas.middle(place)[1]))


# ------------------------------------------------------------------ titles


def _draw_titles(canvas: Canvas, titles: Titles, at: Point) -> None:
    scale, style = canvas.scale, canvas.style
    left, top = (round(part) for part in canvas.frame.pixel(*at))
    sheet = panel(style, TITLE_WIDTH * scale, TITLE_HEIGHT * scale, scale)
    middle, room = sheet.width / 2, sheet.width * 0.92
    text, size = fitted(titles.war, "bold", 0.46 * scale, room * 0.82)
    stamp(sheet, letters(text, "bold", size, style.ink, tracking=round(size * 0.14)), middle, 0.46 * scale)
    _draw_rule(sheet, style, middle, 0.84 * scale, sheet.width * 0.8)
    for line, face, height, colour, y in (
        (titles.date, "sans", 0.25, style.ink, 1.07),
        (titles.reader, "narrow", 0.165, style.soft_ink, 1.38),
    ):
        text, size = fitted(line, face, height * scale, room)
        stamp(sheet, letters(text, face, size, colour), middle, y * scale)
    canvas.picture.paste(sheet, (left, top))


def _draw_rule(picture: Image.Image, style: Style, x: float, y: float, width: float) -> None:
    """A line with a diamond in its middle."""
    draw = ImageDraw.Draw(picture)
    draw.line((x - width / 2, round(y), x + width / 2, round(y)), fill=style.soft_ink)
    draw_emblem(draw, "diamond", x, round(y), width * 0.012, style.ink)


# ------------------------------------------------------------------ compass


def _draw_compass(canvas: Canvas, at: Point) -> None:
    middle = canvas.frame.pixel(*at)
    canvas.stamp(_rose(canvas.style, canvas.scale), middle, (0, 0.1))
    canvas.stamp(letters("N", "bold", 0.2 * canvas.scale, canvas.style.ink), middle, (0, -0.52))


@kept
def _rose(style: Style, size: int) -> Sprite:
    return shape(size, size, lambda draw, finer: _draw_rose(style, draw, size * finer))


def _draw_rose(style: Style, draw: ImageDraw.ImageDraw, size: float) -> None:
    """Eight rays, each half dark and half pale; the four great ones on top."""
    middle = size / 2
    ring = size * 0.3
    around = (middle - ring, middle - ring, middle + ring, middle + ring)
    draw.ellipse(around, outline=style.soft_ink, width=round(size * 0.012))
    for rays, length in (((1, 3, 5, 7), 0.32), ((0, 2, 4, 6), 0.48)):
        for ray in rays:
            angle = ray * pi / 4
            tip = (middle + sin(angle) * size * length, middle - cos(angle) * size * length)
            for way, colour in ((-1, style.white), (1, style.ink)):
                waist = angle + way * pi / 4
                base = (middle + sin(waist) * size * 0.08, middle - cos(waist) * size * 0.08)
                draw.polygon([(middle, middle), base, tip], fill=colour, outline=style.ink, width=round(size * 0.008))


# ------------------------------------------------------------------ scale


def _draw_scale(canvas: Canvas, bar: ScaleBar) -> None:
    scale, style, draw = canvas.scale, canvas.style, ImageDraw.Draw(canvas.picture)
    left, top = (round(part) for part in canvas.frame.pixel(*bar.at))
    part = 500 / bar.kilometres * scale
    for number, fill in enumerate((style.ink, style.white)):
        box = (left + number * part, top, left + (number + 1) * part, top + round(0.06 * scale))
        draw.rectangle(box, fill=fill, outline=style.ink)
    for number, text in enumerate(("0", "500", "about 1000 km")):
        sprite = letters(text, "narrow", 0.12 * scale, style.ink, style.paper)
        stamp(canvas.picture, sprite, left + number * part, top - 0.1 * scale)


# ------------------------------------------------------------------ tracks


def _draw_track(canvas: Canvas, track: Track) -> None:
    scale, style, width = canvas.scale, canvas.style, TRACK_WIDTH * canvas.scale
    left, top = canvas.frame.pixel(*track.at)
    bottom = canvas.frame.pixel(track.at[0], track.ends)[1]
    height = min(0.62 * scale, (bottom - top - 0.35 * scale) / len(track.names))
    heading = letters(track.heading, "narrow bold", 0.13 * scale, style.soft_ink, tracking=round(0.04 * scale))
    stamp(canvas.picture, heading, left + width / 2, top + 0.1 * scale)
    for number in range(len(track.names)):
        y = top + 0.26 * scale + number * height
        box = (round(left), round(y), round(left + width), round(y + height * 0.86))
        _draw_step(canvas, track, number, box)


def _draw_step(canvas: Canvas, track: Track, number: int, box: tuple[int, int, int, int]) -> None:
    style, scale, now, draw = canvas.style, canvas.scale, number == track.now, ImageDraw.Draw(canvas.picture)
    fill, rim, colour = _step_colours(style, track, number)
    draw.rounded_rectangle(box, 0.06 * scale, fill=fill, outline=rim)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    face = "narrow bold" if now else "narrow"
    text, size = fitted(track.names[number], face, 0.15 * scale, (box[2] - box[0]) * 0.8)
    stamp(canvas.picture, letters(text, face, size, colour), x + (0.08 * scale if now else 0), y)
    if now:
        left = x - width_of(text, face, size) / 2 - 0.04 * scale
        draw_emblem(draw, style.side(track.side).emblem, left, y, 0.05 * scale, style.white)


def _step_colours(style: Style, track: Track, number: int) -> tuple[str, str, str]:
    """Ground, rim and letters: the colour of the side on turn for the present, grey for the past."""
    if number == track.now:
        return style.side(track.side).counter, style.ink, style.white
    if number < track.now:
        return mix(style.paper, style.soft_ink, 0.16), style.soft_ink, style.soft_ink
    return style.white, style.soft_ink, style.ink
