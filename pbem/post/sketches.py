"""The pictures of a mail. What they show is written down with the mail; they are drawn when the commit is over.

A sketch holds a view and the events told with it, so whoever draws it, and however often, gets the same bytes.
"""

import io
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from PIL import Image

from engine.events import Event, canonical
from pbem.games.box import GameBox, Picture, easel

#: The GIL is released while a picture is encoded.
ENCODERS = 2


class Sketch(msgspec.Struct, frozen=True):
    """What the pictures of one mail show: a view, what was told with it, and the side's own orders."""

    pictures: tuple[Picture, ...]
    view: msgspec.Raw
    events: msgspec.Raw
    orders: str = ""

    def encoded(self) -> bytes:
        return msgspec.json.encode(self)


def sketch_of(view: Any, pictures: Sequence[Picture], told: Iterable[Event] = (), orders: str = "") -> Sketch | None:
    """None if there is nothing to draw. What the pictures show in words stands in the mail itself."""
    if not pictures:
        return None
    bare = tuple(Picture(picture.name, picture.what) for picture in pictures)
    return Sketch(bare, msgspec.Raw(canonical(view)), msgspec.Raw(canonical(list(told))), orders)


def together(sketches: Sequence[Sketch]) -> Sketch | None:
    """One sketch with the pictures of several, if they show the same; else the first."""
    if not sketches:
        return None
    first = sketches[0]
    same = [each for each in sketches if msgspec.structs.replace(each, pictures=first.pictures) == first]
    pictures = tuple(dict.fromkeys(picture for each in same for picture in each.pictures))
    return msgspec.structs.replace(first, pictures=pictures)


def decoded(data: bytes) -> Sketch:
    return msgspec.json.decode(data, type=Sketch)


def drawn(box: GameBox, sketch: Sketch, pool: ThreadPoolExecutor) -> dict[str, bytes]:
    """Every picture of a sketch by its name, several at a time."""
    draw = easel(box, bytes(sketch.view), bytes(sketch.events), sketch.orders)
    made = pool.map(lambda picture: draw(picture.what), sketch.pictures)
    return {picture.name: png for picture, png in zip(sketch.pictures, made, strict=True)}


def without_drawing(sketch: Sketch) -> dict[str, bytes]:
    """In place of pictures that could not be drawn: a mail goes out all the same, and its text is complete."""
    target = io.BytesIO()
    Image.new("1", (1, 1), 1).save(target, "PNG")
    return dict.fromkeys((picture.name for picture in sketch.pictures), target.getvalue())
