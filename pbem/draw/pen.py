"""Writing and ruling on a sheet of paper, in units that a finer printing makes larger."""

from PIL import Image, ImageDraw

from pbem.draw.fonts import fitted, width_of
from pbem.draw.sprites import Sprite, letters, stamp, stamp_from
from pbem.draw.style import Style


class Pen:
    """All positions and sizes are in units; `unit` is how many pixels one is."""

    def __init__(self, style: Style, width: float, height: float, unit: float) -> None:
        self.style, self.unit = style, unit
        self.image = Image.new("RGB", (round(width * unit), round(height * unit)), style.paper)
        self._draw = ImageDraw.Draw(self.image)

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        face: str = "narrow",
        colour: str = "",
        align: str = "left",
        room: float = 0,
        tracking: float = 0,
    ) -> float:
        """A line of text around a height; to the right, to the left or around a point. Says how wide it came out."""
        pixels = size * self.unit
        if room:
            text, pixels = fitted(text, face, pixels, room * self.unit)
        gap = round(tracking * self.unit)
        sprite = letters(text, face, pixels, colour or self.style.ink, tracking=gap)
        width = width_of(text, face, pixels) + gap * (len(text) - 1)
        start = x * self.unit - width * {"left": 0, "centre": 0.5, "right": 1}[align]
        stamp_from(self.image, sprite, start, y * self.unit)
        return width / self.unit

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = "", line: str = "", thick: float = 1
    ) -> None:
        corners = [round(part * self.unit) for part in (x, y, x + width, y + height)]
        self._draw.rectangle(corners, fill=fill or None, outline=line or None, width=max(1, round(thick * self.unit)))

    def rule(self, x: float, y: float, width: float, *, colour: str = "", thick: float = 1) -> None:
        half = thick / 2
        self.box(x, y - half, width, thick, fill=colour or self.style.ink)

    def stamp(self, sprite: Sprite, x: float, y: float) -> None:
        stamp(self.image, sprite, x * self.unit, y * self.unit)

    def pixels(self, size: float) -> int:
        return round(size * self.unit)
