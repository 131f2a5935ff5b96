"""The typefaces that ship with the program, and text cut to the room there is for it."""

from functools import lru_cache
from typing import Any

from PIL import ImageFont

from engine.load import data_path
from pbem.memory import Lasting

FACES = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "narrow": "DejaVuSansCondensed.ttf",
    "narrow bold": "DejaVuSansCondensed-Bold.ttf",
    "water": "DejaVuSerifCondensed-Italic.ttf",
}
SMALLEST, STEP = 0.7, 0.25
ELLIPSIS = "…"

#: What texts that were measured may weigh together, in bytes; what one does by itself, and for each character.
TEXTS_WEIGH, TEXT_WEIGHS, CHARACTER_WEIGHS = 2_000_000, 400, 4

Font = ImageFont.FreeTypeFont


@lru_cache(maxsize=32)
def font(face: str, size: float) -> Font:
    """Always laid out by the same simple engine, whatever else the machine has. An open one takes 250 KB."""
    path = str(data_path("fonts", FACES[face]))
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _weight(measured: tuple[str, object]) -> int:
    return TEXT_WEIGHS + CHARACTER_WEIGHS * len(measured[0])


_TEXTS: Lasting[Any] = Lasting(TEXTS_WEIGH, _weight)


def width_of(text: str, face: str, size: float) -> float:
    return _measured(text, face, size)[1]


@_TEXTS.results
def _measured(text: str, face: str, size: float) -> tuple[str, float]:
    return text, font(face, size).getlength(text)


def fitted(text: str, face: str, size: float, room: float) -> tuple[str, float]:
    """The text and the size it fits in: first set smaller, down to a limit, then shortened."""
    return _fitted(text, face, size, room)[1]


@_TEXTS.results
def _fitted(text: str, face: str, size: float, room: float) -> tuple[str, tuple[str, float]]:
    whole, smallest = text, size * SMALLEST
    while width_of(text, face, size) > room and size > smallest:
        size = max(smallest, size - STEP)
    while len(text) > 2 and width_of(text, face, size) > room:
        text = text.rstrip(ELLIPSIS)[:-1].rstrip() + ELLIPSIS
    return whole, (text, size)


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
