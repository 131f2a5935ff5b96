"""The pictures of Hitler's War: the map, a cut-out of the front, a player's orders, record sheets, a page to print.

Each is a function of a view and of what was told with it, never of a state. The same view makes the same bytes.
"""

from collections.abc import Iterable

from PIL import Image

from engine.events import Event
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.view import View
from engine.hitlers_war.scenario import load_scenario
from pbem.draw.card import Card, paint_card
from pbem.draw.encode import as_png, as_printed_png
from pbem.draw.page import DOTS_PER_INCH, paint_page
from pbem.draw.paint import frame_of, paint
from pbem.draw.scene import Scene
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.board_scene import titles_of
from pbem.games.hitlers_war.card import card_of
from pbem.games.hitlers_war.map_scenes import front_scene, map_scene
from pbem.games.hitlers_war.orders_scene import orders_scene
from pbem.games.hitlers_war.style import style

#: Pixels a hex is wide on the map.
SCALE = 88


def png(shown: Scene | Card) -> bytes:
    """A board, or a record sheet."""
    return as_png(paint_card(shown, style()) if isinstance(shown, Card) else _painted(shown), style())


def map_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """The board as a side knows it, with what it was told of the last turn."""
    return png(map_scene(view, told))


def front_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """A cut-out around the front and the armies near it."""
    return png(front_scene(view, told))


def orders_png(view: View, drafted: Drafted) -> bytes:
    """What a sheet would come to, on the map as its side knows it."""
    return png(orders_scene(view, drafted))


def sheet_png(view: View, side: str, told: Iterable[Event] = ()) -> bytes:
    """A side's record sheet, all of it or as far as the view knows it."""
    return png(card_of(view, side, told))


def _painted(scene: Scene, scale: int = SCALE) -> Image.Image:
    return paint(scene, frame_of(scene, europe_atlas(), scale), style())


# ------------------------------------------------------------------ on paper


#: Pixels a hex is wide, so that the map fills the height of the page.
PRINTED_SCALE = 154


def print_png(view: View, told: Iterable[Event] = ()) -> bytes:
    """A page of A3 with the map, what happened last, and every record sheet as far as it is known, one's own first."""
    events = tuple(told)
    board = _painted(map_scene(view, events), PRINTED_SCALE)
    sides = sorted(view.sides, key=lambda side: (side != view.side, view.sides.index(side)))
    cards = [card_of(view, side, events) for side in sides]
    page = paint_page(board, cards, titles_of(view), load_scenario(view.scenario).summary, style())
    return as_printed_png(page, style(), DOTS_PER_INCH)
