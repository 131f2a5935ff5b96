"""What the pictures of the island show: the scenes that the kit paints."""

from collections.abc import Iterable

from pbem.draw.atlas import Extent
from pbem.draw.scene import (
    CounterSample,
    CutOut,
    Face,
    Holding,
    KeyEntry,
    KeyPart,
    Orders,
    Scene,
    Step,
    TagSample,
    Titles,
)
from tests.toy.round_island.rules.board import SIDES, hexes
from tests.toy.round_island.rules.plan import Marching
from tests.toy.round_island.rules.view import BandSeen, View
from tests.toy.round_island.shown.atlas import MAP, island_atlas
from tests.toy.round_island.shown.names import side_name

#: How far a part of the map reaches from the middle of a hex, and how much of the other edge the whole one shows.
NEAR, BEYOND = 1.6, 0.9


def map_scene(view: View) -> Scene:
    titles = Titles(view.title, f"Moon {view.moon} of {view.last_moon}", f"as {_reader(view)} knows it")
    return _board(view, CutOut(titles, _all_of_it(), key=(_key(whole=True),)))


def part_scene(view: View, hex_id: str) -> Scene:
    """The island as far as the neighbours of a hex."""
    x, y = island_atlas().middle(hex_id)
    near = Extent(x - NEAR, max(MAP.south, y - NEAR), x + NEAR, min(MAP.north, y + NEAR))
    titles = Titles(view.title, f"Moon {view.moon}", f"as {_reader(view)} knows it")
    return _board(view, CutOut(titles, near, key=(_key(),)))


def orders_scene(view: View, marches: Iterable[Marching]) -> Scene:
    """Bands stand where they are now, arrows go where they are sent."""
    side = view.side or ""
    steps = tuple(Step(each.origin, each.target, str(each.spears)) for each in marches)
    titles = Titles(view.title, f"Moon {view.moon}", f"what {side_name(side)} orders")
    sent = KeyPart("ORDERS", (KeyEntry("spears sent", TagSample("step", side, "3")),))
    return _board(view, CutOut(titles, _all_of_it(), key=(sent, _key(whole=True))), Orders(side, steps=steps))


def _board(view: View, around: CutOut, orders: Orders | None = None) -> Scene:
    """What nobody holds is held by what grows there."""
    return Scene(
        {hex_id: Holding(view.owner.get(hex_id, known.terrain)) for hex_id, known in hexes().items()},
        around,
        stacks={hex_id: (_face(band),) for hex_id, band in view.bands.items()},
        orders=orders,
    )


def _face(band: BandSeen) -> Face:
    return Face(band.side, side_name(band.side), "number", str(band.spears or "?"))


def _all_of_it() -> Extent:
    return Extent(MAP.west - BEYOND, MAP.south, MAP.east + BEYOND, MAP.north)


def _key(*, whole: bool = False) -> KeyPart:
    """Around a hex nothing is shown twice."""
    clans = [KeyEntry(f"{side_name(side)}, 4 spears", CounterSample(_face(BandSeen(side, 4)))) for side in SIDES]
    lines = ("Red-brown: lava.", "Pale: the other edge.") if whole else ("Red-brown: lava.",)
    return KeyPart("THE ISLAND", (*clans, *map(KeyEntry, lines)))


def _reader(view: View) -> str:
    return side_name(view.side) if view.side in SIDES else "the referee" if view.side is None else "everybody"
