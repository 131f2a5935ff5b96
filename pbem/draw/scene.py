"""What a picture of a board shows, as plain data: made by a game of what its reader knows, painted by the kit.

A Scene names the places of an Atlas and the sides of a Style, and nothing else of a game. What is not in it cannot be
in the picture, so two scenes that are alike make pictures that are alike: a test for what leaks may compare scenes.
"""

from typing import Literal

import msgspec

#: On the board, in hex widths to the east and to the north.
Point = tuple[float, float]
#: West, south, east and north on the board.
Part = tuple[float, float, float, float]
#: What a tag tells: points lost, what is built, a step of an exploitation, what is to come.
TagKind = Literal["losses", "work", "step", "prospect"]
#: Whether something will be done: surely, or if a condition holds.
Will = Literal["no", "yes", "perhaps"]


# ------------------------------------------------------------------ counters


class Face(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is printed on the counter of an army. `bars` is a band of strength from 1 to 4; `brief` is for low counters.

    The symbol is that of troops (foot, mobile, both), bars, a question mark (unknown), none, or a plain `number`: then
    the strength stands in its place.

    A ghost was only seen earlier; a hollow one only comes if something else does.
    """

    side: str
    name: str
    symbol: str
    strength: str
    bars: int = 0
    ghost: bool = False
    badge: str = ""
    brief: str = ""
    hollow: bool = False


class Fort(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands on the wall of a fort: what is known of its points. A ghost was only `seen` earlier."""

    side: str
    strength: str
    ghost: bool = False
    seen: str = ""
    given_up: bool = False


# ------------------------------------------------------------------ places


class Holding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a place, and how it is: in sight or veiled, so many points of it devastated, some of them for good."""

    owner: str
    in_sight: bool = True
    devastated: int = 0
    ruined: int = 0
    cut_off: bool = False


class Front(msgspec.Struct, frozen=True, omit_defaults=True):
    """The line between two hexes of enemies, named from the western one; broken where it is only remembered."""

    place: str
    neighbour: str
    firm: bool = True


class Panel(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands in a box beside the map besides its owner, its fort and its counters: what it produces, and tags."""

    production: int = 0
    tags: tuple["Tag", ...] = ()


class Tag(msgspec.Struct, frozen=True):
    """A few letters on a pale tag with a rim in the colour of a side."""

    side: str
    text: str


class Losses(msgspec.Struct, frozen=True):
    """What a side lost in a place, in red on a tag."""

    place: str
    side: str
    text: str


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sign in a place, or on the hexside towards a neighbour."""

    sign: str
    place: str
    towards: str = ""


# ------------------------------------------------------------------ ways


class Way(msgspec.Struct, frozen=True):
    """An arrow under the counters from place to place, bent so that it can be followed. The manner is its stroke."""

    side: str
    origin: str
    place: str
    manner: str


class Voyage(msgspec.Struct, frozen=True, omit_defaults=True):
    """An arrow over the sea, place by place, with an anchor; where it comes ashore there is a star if it `fires`."""

    side: str
    places: tuple[str, ...]
    manner: str
    fires: Will = "no"


# ------------------------------------------------------------------ orders


class Attack(msgspec.Struct, frozen=True, omit_defaults=True):
    """An arrow over the counters. `counter` is which of those in its place attacks, `name` what it is called."""

    origin: str
    target: str
    name: str
    counter: int = 0
    fires: Will = "no"
    advances: Will = "no"


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of an exploitation with its tag; an open one is one of several that may be taken."""

    origin: str
    place: str
    tag: str
    open: bool = False


class Retreat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to, if it must be: the `number` of a choice, or 0 for a mere direction; what is avoided is crossed out."""

    origin: str
    place: str
    number: int = 0
    avoided: bool = False


class Banner(msgspec.Struct, frozen=True):
    """A name in red in a hex, above all that is printed there."""

    place: str
    text: str


class Orders(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a side wants, over the counters. `works` are the tags of what is built, by place."""

    side: str
    retreats: tuple[Retreat, ...] = ()
    attacks: tuple[Attack, ...] = ()
    steps: tuple[Step, ...] = ()
    marks: tuple[Mark, ...] = ()
    banners: tuple[Banner, ...] = ()
    works: dict[str, tuple[str, ...]] = {}


# ------------------------------------------------------------------ keys


class ArrowSample(msgspec.Struct, frozen=True, tag="arrow"):
    side: str
    manner: str


class RingSample(msgspec.Struct, frozen=True, tag="ring"):
    side: str


class LandSample(msgspec.Struct, frozen=True, tag="land"):
    """A piece of somebody's land."""

    owner: str
    in_sight: bool = True


class FrontSample(msgspec.Struct, frozen=True, tag="front"):
    here: str
    there: str
    firm: bool = True


class CounterSample(msgspec.Struct, frozen=True, tag="counter"):
    face: Face


class FortSample(msgspec.Struct, frozen=True, tag="fort"):
    fort: Fort


class ProductionSample(msgspec.Struct, frozen=True, tag="production"):
    points: int
    devastated: int = 0
    ruined: int = 0


class TagSample(msgspec.Struct, frozen=True, tag="tag"):
    kind: TagKind
    side: str
    text: str


class CutOffSample(msgspec.Struct, frozen=True, tag="cut off"):
    """The number of a hex that is out of supply."""

    place: str


class SignSample(msgspec.Struct, frozen=True, tag="sign"):
    """One of the signs of the kit. Those of a side are in its colour."""

    sign: str
    side: str = ""


Sample = (
    ArrowSample
    | RingSample
    | LandSample
    | FrontSample
    | CounterSample
    | FortSample
    | ProductionSample
    | TagSample
    | CutOffSample
    | SignSample
)


class KeyEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What something looks like and what it means. Without a sample it is a line of text."""

    text: str
    sample: Sample | None = None


class KeyPart(msgspec.Struct, frozen=True):
    """A heading and what stands below it."""

    heading: str
    entries: tuple[KeyEntry, ...]


# ------------------------------------------------------------------ what stands around the board


class Titles(msgspec.Struct, frozen=True):
    """The war, the date, and who knows it so."""

    war: str
    date: str
    reader: str


class Track(msgspec.Struct, frozen=True):
    """Boxes one below the other, from a point of the board down to a height of it.

    The present one stands out in the colour of the `side` on turn.
    """

    at: Point
    ends: float
    heading: str
    names: tuple[str, ...]
    now: int
    side: str


class KeyPanel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Parts of a key side by side in a panel on the map, with their widths.

    Without a `height` it is as high as its entries, but no higher than `most`. So many `rows` fit into one that has a
    height; more of them stand closer. In hex widths.
    """

    at: Point
    parts: tuple[KeyPart, ...]
    widths: tuple[float, ...]
    height: float = 0
    rows: int = 0
    most: float = 0


class ScaleBar(msgspec.Struct, frozen=True):
    """A thousand kilometres, as far as a warped map has a scale: so many is a hex wide."""

    at: Point
    kilometres: float


class WallMap(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole board on one sheet, with what stands in its empty corners. `ways_in` are hexes that touch a box."""

    titles: Titles
    titles_at: Point
    keys: tuple[KeyPanel, ...] = ()
    scale_bar: ScaleBar | None = None
    ways_in: tuple[str, ...] = ()
    tracks: tuple[Track, ...] = ()
    compass_at: Point | None = None


class CutOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the board: its titles above, and beside it the boxes that have no room on the map, and a key."""

    titles: Titles
    part: Part
    boxes: tuple[str, ...] = ()
    key: tuple[KeyPart, ...] = ()


# ------------------------------------------------------------------ all of it


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a picture shows, in the order it is painted. Dicts are by place.

    `rings` are hexes that changed hands, by the side that has them now; `outlined` are countries with a border in red;
    `prospects` are hexes of countries that are known to join a side. `reaches_out` lets ways to boxes that have no room
    in the picture end at its edge.
    """

    holdings: dict[str, Holding]
    around: WallMap | CutOut
    sea_is_numbered: bool = False
    reaches_out: bool = False
    rings: dict[str, str] = {}
    outlined: tuple[tuple[str, ...], ...] = ()
    fronts: tuple[Front, ...] = ()
    panels: dict[str, Panel] = {}
    ways: tuple[Way, ...] = ()
    voyages: tuple[Voyage, ...] = ()
    prospects: dict[str, Tag] = {}
    stacks: dict[str, tuple[Face, ...]] = {}
    marks: tuple[Mark, ...] = ()
    losses: tuple[Losses, ...] = ()
    forts: dict[str, Fort] = {}
    orders: Orders | None = None
