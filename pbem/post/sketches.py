"""The pictures of a mail. What they show is written down with the mail; they are drawn when the commit is over.

A sketch holds a view and the events told with it, so whoever draws it, and however often, gets the same bytes.
"""

import io
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import msgspec
from PIL import Image

from engine.events import Event, canonical
from engine.hitlers_war.events import AnyEvent
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.view import View
from pbem.draw import front_png, map_png, orders_png, sheet_png

#: The GIL is released while a picture is encoded.
ENCODERS = 2
#: The games that can be drawn.
DRAWN = ("hitlers-war",)
MAP, SHEET, ORDERS = "map.png", "sheet.png", "orders.png"


class Picture(msgspec.Struct, frozen=True):
    """One picture of a mail: its file, and what is drawn in it."""

    name: str
    what: Literal["front", "map", "sheet", "orders"]


class Sketch(msgspec.Struct, frozen=True):
    """What the pictures of one mail show: a view, what was told with it, and the side's own orders."""

    pictures: tuple[Picture, ...]
    view: msgspec.Raw
    events: msgspec.Raw
    orders: str = ""

    def encoded(self) -> bytes:
        return msgspec.json.encode(self)


def sketch_of(
    game_id: str, view: Any, pictures: tuple[Picture, ...], told: Iterable[Event] = (), orders: str = ""
) -> Sketch | None:
    """None for a game that nobody has drawn yet."""
    if game_id not in DRAWN:
        return None
    return Sketch(pictures, msgspec.Raw(canonical(view)), msgspec.Raw(canonical(list(told))), orders)


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


def drawn(sketch: Sketch, pool: ThreadPoolExecutor) -> dict[str, bytes]:
    """Every picture of a sketch by its name, several at a time."""
    view = msgspec.json.decode(sketch.view, type=View)
    told = tuple(msgspec.json.decode(sketch.events, type=list[AnyEvent]))
    made = pool.map(lambda picture: _png(picture, view, told, sketch.orders), sketch.pictures)
    return {picture.name: png for picture, png in zip(sketch.pictures, made, strict=True)}


def _png(picture: Picture, view: View, told: tuple[Event, ...], orders: str) -> bytes:
    match picture.what:
        case "front":
            return front_png(view, told)
        case "map":
            return map_png(view, told)
        case "sheet":
            return sheet_png(view, view.side or view.sides[0], told)
        case "orders":
            game = HitlersWar()
            sheet = game.parse(orders, view)
            return orders_png(view, sheet, game.check(view, sheet))


def without_drawing(sketch: Sketch) -> dict[str, bytes]:
    """In place of pictures that could not be drawn: a mail goes out all the same, and its text is complete."""
    target = io.BytesIO()
    Image.new("1", (1, 1), 1).save(target, "PNG")
    return dict.fromkeys((picture.name for picture in sketch.pictures), target.getvalue())
