"""How Hitler's War looks in pictures: the colours of `palette.yaml`."""

from functools import lru_cache

import msgspec

from engine.grand_strategy.state import NEUTRAL, UNALIGNED
from engine.load import load_yaml
from pbem.draw.style import LandColours, SideColours, Style


class _Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    land: str
    counter: str
    dark: str
    emblem: str


class _Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `palette.yaml`."""

    paper: str
    white: str
    ink: str
    soft_ink: str
    shore: str
    sea: tuple[str, str, str, str]
    gold: str
    red: str
    sides: dict[str, _Side]
    unaligned: str
    neutral: str


@lru_cache(maxsize=1)
def style() -> Style:
    table = msgspec.convert(load_yaml("hitlers-war", "palette.yaml"), _Palette)
    return Style(
        paper=table.paper,
        white=table.white,
        ink=table.ink,
        soft_ink=table.soft_ink,
        shore=table.shore,
        sea=table.sea,
        gold=table.gold,
        red=table.red,
        sides=tuple(SideColours(side, *msgspec.structs.astuple(colours)) for side, colours in table.sides.items()),
        nobody=(LandColours(UNALIGNED, table.unaligned, "triangle"),),
        closed=LandColours(NEUTRAL, table.neutral, "square"),
    )
