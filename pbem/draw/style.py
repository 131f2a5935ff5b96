"""How a game looks: its colours, and the emblems by which its sides are known without them.

A Style is a value, made by a game once, and part of the key of everything that is drawn and kept.
"""

import msgspec

Colour = tuple[int, int, int]

#: How far the veil over land out of sight takes its tint towards paper.
VEIL = 0.42


class SideColours(msgspec.Struct, frozen=True):
    """Of a side: its land, its counters, their rims and letters, and its emblem."""

    side: str
    land: str
    counter: str
    dark: str
    emblem: str


class LandColours(msgspec.Struct, frozen=True):
    """Of land that belongs to no side. It has an emblem in its own ink."""

    owner: str
    land: str
    emblem: str


class Style(msgspec.Struct, frozen=True, cache_hash=True):
    """`sides` have counters; `closed` is land that nobody can hold, and that of owners nobody has heard of."""

    paper: str
    white: str
    ink: str
    soft_ink: str
    shore: str
    sea: tuple[str, str, str, str]
    gold: str
    red: str
    sides: tuple[SideColours, ...]
    nobody: tuple[LandColours, ...]
    closed: LandColours

    def is_side(self, owner: str) -> bool:
        return any(colours.side == owner for colours in self.sides)

    def side(self, side: str) -> SideColours:
        """A side's colours and emblem; what belongs to no side is drawn in ink on its own ground."""
        for colours in self.sides:
            if colours.side == side:
                return colours
        land = self._land_of(side)
        return SideColours(side, land.land, self.soft_ink, self.ink, land.emblem)

    def land_tint(self, owner: str) -> str:
        return self.side(owner).land

    def veiled_tint(self, owner: str, in_sight: bool) -> str:
        """The tint of an owner's land, under a veil if it is out of sight."""
        tint = self.land_tint(owner)
        return tint if in_sight else mix(tint, self.paper, VEIL)

    def _land_of(self, owner: str) -> LandColours:
        return next((land for land in self.nobody if land.owner == owner), self.closed)


def rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, share: float) -> str:
    """So much of the other colour in the first."""
    parts = (round(a + (b - a) * share) for a, b in zip(rgb(one), rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)
