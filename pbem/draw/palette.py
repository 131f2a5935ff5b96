"""The colours of `palette.yaml`, and the one fixed palette that every picture is reduced to.

Ground is drawn as darkness and then looked up in a ramp: from the tint of its owner, or the sea, to ink.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from PIL import Image

from engine.hitlers_war.state import NEUTRAL, UNALIGNED
from engine.load import load_yaml
from pbem.draw.style import Style

Colour = tuple[int, int, int]

#: How much ink there is in each step from a ground colour to ink; most lines on the ground are faint.
INKS = (0.0, 0.11, 0.22, 0.42, 0.68, 1.0)
#: How far the veil over land out of sight takes its tint towards paper.
VEIL = 0.42
#: How far what lies beyond the board fades into paper.
BEYOND = 0.62
SHADES = 256


class SideColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    land: str
    counter: str
    dark: str
    emblem: str


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `palette.yaml`."""

    paper: str
    white: str
    ink: str
    soft_ink: str
    shore: str
    sea: tuple[str, str, str, str]
    gold: str
    red: str
    sides: dict[str, SideColours]
    unaligned: str
    neutral: str


@lru_cache(maxsize=1)
def palette() -> Palette:
    return msgspec.convert(load_yaml("hitlers-war", "palette.yaml"), Palette)


def rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, share: float) -> str:
    """So much of the other colour in the first."""
    parts = (round(a + (b - a) * share) for a, b in zip(rgb(one), rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def side_colours(side: str) -> SideColours:
    """A side's colours and emblem; what belongs to no side is drawn in ink on its own ground."""
    table = palette()
    sign = "triangle" if side == UNALIGNED else "square"
    nobody = SideColours(land_tint(side), table.soft_ink, table.ink, sign)
    return table.sides.get(side, nobody)


def land_tint(owner: str) -> str:
    table = palette()
    if owner in table.sides:
        return table.sides[owner].land
    return table.unaligned if owner == UNALIGNED else table.neutral


def veiled_tint(owner: str, in_sight: bool) -> str:
    """The tint of an owner's land, under a veil if it is out of sight."""
    tint = land_tint(owner)
    return tint if in_sight else mix(tint, palette().paper, VEIL)


def veil_line(style: Style, owner: str) -> str:
    """Hatching in a panel looks as it does on the map."""
    return mix(style.veiled_tint(owner, False), style.ink, INKS[1])


# ------------------------------------------------------------------ ground


def ground_family(owner: str, in_sight: bool) -> str:
    """The ramp that land of an owner is looked up in. Owners nobody has heard of are neutral."""
    known = owner if owner in (*palette().sides, UNALIGNED) else NEUTRAL
    return known if in_sight or known == NEUTRAL else f"{known} veiled"


@lru_cache(maxsize=1)
def _ground_colours() -> dict[str, str]:
    table = palette()
    owners = (*table.sides, UNALIGNED, NEUTRAL)
    clear = {owner: land_tint(owner) for owner in owners}
    veiled = {f"{owner} veiled": veiled_tint(owner, False) for owner in owners if owner != NEUTRAL}
    seas = {f"sea {depth}": colour for depth, colour in enumerate(table.sea)}
    beyond = {
        "beyond land": mix(mix(table.neutral, table.soft_ink, 0.12), table.paper, BEYOND),
        "beyond sea": mix(table.sea[2], table.paper, BEYOND),
    }
    return clear | veiled | seas | beyond


@lru_cache(maxsize=64)
def darkness_table(family: str) -> list[int]:
    """For each darkness from 0 to 255 the entry of the fixed palette that a ground has there."""
    first = first_of_ramp(family)
    return [first + step for step in steps_of_ink()]


def first_of_ramp(family: str) -> int:
    """The entry of the fixed palette where the ramp of a ground begins."""
    return list(_ground_colours()).index(family) * len(INKS)


@lru_cache(maxsize=1)
def steps_of_ink() -> list[int]:
    """For each darkness from 0 to 255 the step of INKS that is nearest to it."""
    return [_nearest_ink(darkness / (SHADES - 1)) for darkness in range(SHADES)]


def _nearest_ink(share: float) -> int:
    return min(range(len(INKS)), key=lambda step: abs(INKS[step] - share))


# ------------------------------------------------------------------ the fixed palette


def _ramp(start: str, end: str, steps: int) -> Iterator[str]:
    """Colours from the first to the second, both included."""
    return (mix(start, end, step / (steps - 1)) for step in range(steps))


def _fixed_colours() -> Iterator[str]:
    table = palette()
    for colour in _ground_colours().values():
        yield from (mix(colour, table.ink, share) for share in INKS)
    for side in table.sides.values():
        yield from _ramp(side.counter, table.white, 6)
        yield from _ramp(side.counter, side.dark, 3)
        yield side.dark
    yield from _ramp(table.white, table.ink, 7)
    yield from _ramp(table.paper, table.ink, 8)
    yield from _ramp(table.gold, table.ink, 4)
    yield from _ramp(table.red, table.white, 5)
    yield from _ramp(table.sea[3], table.shore, 5)
    yield mix(table.red, table.ink, 0.5)


@lru_cache(maxsize=1)
def fixed_palette() -> Image.Image:
    """A picture that does nothing but carry the palette."""
    colours = [rgb(colour) for colour in _fixed_colours()]
    colours += [colours[-1]] * (SHADES - len(colours))
    carrier = Image.new("P", (1, 1))
    carrier.putpalette([part for colour in colours for part in colour])
    return carrier
