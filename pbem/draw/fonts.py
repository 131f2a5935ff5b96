"""The typefaces that ship with the program, and text cut to the room there is for it."""

from functools import lru_cache

from PIL import ImageFont

from engine.load import data_path

FACES = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "narrow": "DejaVuSansCondensed.ttf",
    "narrow bold": "DejaVuSansCondensed-Bold.ttf",
    "water": "DejaVuSerifCondensed-Italic.ttf",
}
SMALLEST, STEP = 0.7, 0.25
ELLIPSIS = "…"

Font = ImageFont.FreeTypeFont


@lru_cache(maxsize=32)
def font(face: str, size: float) -> Font:
    """Always laid out by the same simple engine, whatever else the machine has. An open one takes 250 KB."""
    path = str(data_path("fonts", FACES[face]))
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width_of(text: str, face: str, size: float) -> float:
    return font(face, size).getlength(text)


@lru_cache(maxsize=4096)
def fitted(text: str, face: str, size: float, room: float) -> tuple[str, float]:
    """The text and the size it fits in: first set smaller, down to a limit, then shortened."""
    smallest = size * SMALLEST
    while width_of(text, face, size) > room and size > smallest:
        size = max(smallest, size - STEP)
    while len(text) > 2 and width_of(text, face, size) > room:
        text = text.rstrip(ELLIPSIS)[:-1].rstrip() + ELLIPSIS
    return text, size


@lru_cache(maxsize=256)
def cap_height(face: str, size: float) -> float:
    box = font(face, size).getbbox("H", anchor="ls")
    return box[3] - box[1]


def folded(text: str, face: str, size: float, room: float) -> list[str]:
    """The text in lines no wider than the room, broken at plain blanks."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, face, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
