"""What the pictures show, as plain data: the island as a side knows it, and where its spears are sent."""

from collections.abc import Iterable

import msgspec

from tests.toy.round_island.rules.plan import Marching
from tests.toy.round_island.rules.view import BandSeen, View
from tests.toy.round_island.shown.names import side_name


class Island(msgspec.Struct, frozen=True):
    """All of it, or what is near a hex, which has no room for titles. `orders` are those of a side."""

    title: str
    remark: str
    owner: dict[str, str]
    bands: dict[str, BandSeen]
    near: str = ""
    side: str = ""
    orders: tuple[Marching, ...] = ()


def map_scene(view: View) -> Island:
    title = f"{view.title}, moon {view.moon} of {view.last_moon}"
    return Island(title, f"as {side_name(view.side or 'the referee')} knows it", view.owner, view.bands)


def part_scene(view: View, hex_id: str) -> Island:
    """The island as far as the neighbours of a hex."""
    return Island("", "", view.owner, view.bands, near=hex_id)


def orders_scene(view: View, marches: Iterable[Marching]) -> Island:
    """Bands are drawn where they stand now, arrows where they go."""
    side = view.side or ""
    title, remark = f"{view.title}, moon {view.moon}", f"what {side_name(side)} orders"
    return Island(title, remark, view.owner, view.bands, side=side, orders=tuple(marches))
