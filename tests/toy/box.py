"""The box of Two Hills: what a newcomer would write to show it better than a listing does."""

import io
from collections.abc import Callable, Iterable

from PIL import Image

from engine.events import Event
from engine.game import Side
from engine.orders import Finding, Line, Sheet
from engine.results import LineResult
from pbem.games.box import Occasion, Picture, PlainBox
from pbem.words.looks import Style
from tests.toy.two_hills import HILLS, HillTaken, View

COLOURS = {"red": (200, 40, 40), "blue": (40, 40, 200), "": (90, 140, 90)}


class TwoHillsBox(PlainBox):
    """What it does not say itself is listed."""

    style = Style((("red", "#a02020"), ("blue", "#2020a0")))

    def side_name(self, side: Side) -> str:
        return f"The {side.capitalize()}s"

    def named(self, text: str) -> str:
        return text.replace("red", "The Reds")

    def story(self, events: Iterable[Event], reader: Side | None) -> str:
        taken = [event for event in events if isinstance(event, HillTaken)]
        return "".join(f"{event.side.capitalize()} stands on the {event.hill} hill.\n" for event in taken)

    def result_words(self, line: Line | None, result: LineResult) -> str:
        return "the hill is yours" if any(isinstance(event, HillTaken) for event in result.events) else result.why

    def pictures(self, occasion: Occasion, view: View, told: Iterable[Event] = ()) -> tuple[Picture, ...]:
        return (
            Picture("hills.png", ",".join(view.owner.get(hill, "") for hill in HILLS), "Two hills, seen from above"),
        )

    def orders_pictures(self, view: View, sheet: Sheet, findings: Iterable[Finding]) -> tuple[Picture, ...]:
        return (Picture("orders.png", ",", "Two hills, and what you want with them"),)

    def stage(self, view: bytes, told: bytes, orders: str) -> Callable[[str], str]:
        """The name of a picture says whose the hills are."""
        return str

    def paint(self, shown: str) -> bytes:
        return hills_png(shown)


def hills_png(owners: str) -> bytes:
    """A square of its owner's colour for each hill."""
    picture = Image.new("RGB", (20, 10))
    for number, owner in enumerate(owners.split(",")):
        picture.paste(COLOURS[owner], (10 * number, 0, 10 * number + 10, 10))
    target = io.BytesIO()
    picture.save(target, "PNG")
    return target.getvalue()
