"""The one fixed palette that every picture of a style is reduced to.

Ground is drawn as darkness and then looked up in a ramp: from the tint of its owner, or the sea, to ink.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from pbem.draw.style import Colour, Style, mix, rgb

#: How much ink there is in each step from a ground colour to ink; most lines on the ground are faint.
INKS = (0.0, 0.11, 0.22, 0.42, 0.68, 1.0)
#: How far what lies beyond the board fades into paper.
BEYOND = 0.62
SHADES = 256
#: How many styles there may be at once.
STYLES = 8


# ------------------------------------------------------------------ ground


def ground_family(style: Style, owner: str, in_sight: bool) -> str:
    """The ramp that land of an owner is looked up in. Owners nobody has heard of are as good as closed."""
    known = owner if style.is_side(owner) or any(land.owner == owner for land in style.nobody) else style.closed.owner
    return known if in_sight or known == style.closed.owner else f"{known} veiled"


def veil_line(style: Style, owner: str) -> str:
    """Hatching in a panel looks as it does on the map."""
    return mix(style.veiled_tint(owner, False), style.ink, INKS[1])


@lru_cache(maxsize=STYLES)
def _ground_colours(style: Style) -> dict[str, str]:
    owners = [*(side.side for side in style.sides), *(land.owner for land in style.nobody)]
    clear = {owner: style.land_tint(owner) for owner in (*owners, style.closed.owner)}
    veiled = {f"{owner} veiled": style.veiled_tint(owner, False) for owner in owners}
    seas = {f"sea {depth}": colour for depth, colour in enumerate(style.sea)}
    beyond = {
        "beyond land": mix(mix(style.closed.land, style.soft_ink, 0.12), style.paper, BEYOND),
        "beyond sea": mix(style.sea[2], style.paper, BEYOND),
    }
    return clear | veiled | seas | beyond


@lru_cache(maxsize=1024)
def ramp(style: Style, family: str) -> tuple[int, ...]:
    """For each step of ink the entry of the fixed palette that a ground has there."""
    return tuple(_entries(style).standing_for[rgb(colour)] for colour in shades(style, family))


def shades(style: Style, family: str) -> list[str]:
    """A ground at each step of ink."""
    return [mix(_ground_colours(style)[family], style.ink, share) for share in INKS]


@lru_cache(maxsize=1)
def steps_of_ink() -> list[int]:
    """For each darkness from 0 to 255 the step of INKS that is nearest to it."""
    return [_nearest_ink(darkness / (SHADES - 1)) for darkness in range(SHADES)]


def _nearest_ink(share: float) -> int:
    return min(range(len(INKS)), key=lambda step: abs(INKS[step] - share))


# ------------------------------------------------------------------ the fixed palette


def _colours(style: Style) -> Iterator[str]:
    """All that is drawn in, the colours of the ground first."""
    for family in _ground_colours(style):
        yield from shades(style, family)
    for side in style.sides:
        yield from _steps(side.counter, style.white, 6)
        yield from _steps(side.counter, side.dark, 3)
        yield side.dark
    yield from _steps(style.white, style.ink, 7)
    yield from _steps(style.paper, style.ink, 8)
    yield from _steps(style.gold, style.ink, 4)
    yield from _steps(style.red, style.white, 5)
    yield from _steps(style.sea[3], style.shore, 5)
    yield mix(style.red, style.ink, 0.5)


def _steps(start: str, end: str, steps: int) -> Iterator[str]:
    """Colours from the first to the second, both included."""
    return (mix(start, end, step / (steps - 1)) for step in range(steps))


def _plain_colours(style: Style) -> Iterator[str]:
    """Those that fill areas or are read by: whatever else must share an entry, these have their own."""
    yield from _ground_colours(style).values()
    for side in style.sides:
        yield from (side.counter, side.dark)
    yield from (style.paper, style.white, style.ink, style.soft_ink, style.shore, style.gold, style.red)


class Entries(NamedTuple):
    """The colours of the fixed palette, and which of them stands for each colour of the ground."""

    colours: tuple[Colour, ...]
    standing_for: dict[Colour, int]


@lru_cache(maxsize=STYLES)
def _entries(style: Style) -> Entries:
    """As many as a PNG can have. Of more, those that are most apart; the others share the entry of what is nearest."""
    wanted = [rgb(colour) for colour in _colours(style)]
    if len(wanted) <= SHADES:
        return Entries(tuple(wanted), {colour: entry for entry, colour in reversed(list(enumerate(wanted)))})
    return most_apart(wanted, [rgb(colour) for colour in _plain_colours(style)])


def most_apart(wanted: Iterable[Colour], kept: Iterable[Colour]) -> Entries:
    """With those that are kept, always the one next that is farthest from all of them."""
    chosen = list(dict.fromkeys(kept))
    own = {colour: entry for entry, colour in enumerate(chosen)}
    left = {
        colour: min((distance(colour, one), entry) for one, entry in own.items())
        for colour in wanted
        if colour not in own
    }
    while len(chosen) < SHADES and left:
        farthest = max(left, key=left.__getitem__)
        own[farthest] = entry = len(chosen)
        chosen.append(farthest)
        del left[farthest]
        for colour, (away, _) in left.items():
            if (nearer := distance(colour, farthest)) < away:
                left[colour] = nearer, entry
    return Entries(tuple(chosen), own | {colour: entry for colour, (_, entry) in left.items()})


def distance(one: Colour, other: Colour) -> int:
    """The square of how far two colours are apart, as Pillow reckons when it looks for the nearest."""
    red, green, blue = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return red * red + green * green + blue * blue


@lru_cache(maxsize=STYLES)
def fixed_palette(style: Style) -> Image.Image:
    """A picture that does nothing but carry the palette."""
    colours = list(_entries(style).colours)
    colours += [colours[-1]] * (SHADES - len(colours))
    carrier = Image.new("P", (1, 1))
    carrier.putpalette([part for colour in colours for part in colour])
    return carrier


def flattened(picture: Image.Image, style: Style) -> Image.Image:
    """Every pixel in the nearest colour of the fixed palette."""
    return picture.quantize(palette=fixed_palette(style), dither=Image.Dither.NONE)


@lru_cache(maxsize=64)
def entry_of(style: Style, colour: str) -> int:
    """The entry of the fixed palette that a colour is flattened to."""
    entry = flattened(Image.new("RGB", (1, 1), colour), style).getpixel((0, 0))
    assert isinstance(entry, int)
    return entry
