"""Armies on the map: what the view knows of each, and how several share the room of a hex."""

from collections.abc import Sequence

from PIL import Image

from engine.hitlers_war.state import TYPES
from engine.hitlers_war.tables import tables
from engine.hitlers_war.view import ArmyView, View
from pbem.draw.counter import Face, counter
from pbem.draw.intended import NOTHING, Intended
from pbem.draw.sprites import stamp
from pbem.games.hitlers_war.brief import composition, season_short
from pbem.games.hitlers_war.names import army_abbreviation, in_card_order
from pbem.games.hitlers_war.textmap import is_in_sight

BANDS = ("light", "medium", "strong", "massed")
#: Types that make an army mobile, for its symbol.
MOBILE = ("mech",)
ON_FOOT = ("inf", "para", "amph")
MOST_IN_A_HEX = 4
#: A longer list of points by type does not fit on a counter.
MOST_LETTERS = 10

# Sizes in hex widths: one army alone, one of two above each other, one of four.
ALONE = (0.58, 0.55)
ONE_OF_TWO = (0.58, 0.265)
ONE_OF_FOUR = (0.47, 0.265)
GAP = 0.02
MIDDLE = -0.012


def face_of(view: View, army: ArmyView) -> Face:
    ghost = not is_in_sight(view, army)
    return Face(
        side=army.side,
        name=army_abbreviation(army.id),
        symbol=_symbol(army),
        strength=season(army.seen) if ghost else _strength(army),
        brief=season_short(army.seen) if ghost else "",
        bars=BANDS.index(army.band) + 1 if army.band in BANDS else 0,
        ghost=ghost,
        badge="⊘" if army.unsupplied else "",
    )


def _symbol(army: ArmyView) -> str:
    if army.points is None:
        return "bars" if army.band in BANDS else "unknown"
    foot, mobile = (any(army.points.get(kind) for kind in kinds) for kinds in (ON_FOOT, MOBILE))
    return "both" if foot and mobile else "mobile" if mobile else "foot"


def _strength(army: ArmyView) -> str:
    """Points by type if they are known, the strength it had in battle with the season, or the band."""
    if army.points is not None:
        one_by_one = composition(army.points)
        return one_by_one if len(one_by_one) <= MOST_LETTERS else _in_brief(army.points)
    if army.strength is not None:
        when = f" {season_short(army.fought)}" if army.fought is not None else ""
        return f"{army.strength}{when}"
    return army.band


def _in_brief(points: dict[str, int]) -> str:
    """'15 IMTPA': all points and their letters; the record sheet has the numbers."""
    unit_letters, kinds = tables().raw["unit_letters"], [kind for kind in TYPES if points.get(kind)]
    return f"{sum(points[kind] for kind in kinds)} {''.join(unit_letters[kind] for kind in kinds)}"


def season(turn: int) -> str:
    """'Summer 41'"""
    name, year = tables().season_of(turn)
    return f"{name.capitalize()} {year % 100:02}"


# ------------------------------------------------------------------ stacks


def armies_by_place(view: View) -> dict[str, list[ArmyView]]:
    places: dict[str, list[ArmyView]] = {}
    for army in sorted(view.armies.values(), key=lambda army: in_card_order(army.id)):
        places.setdefault(army.place, []).append(army)
    return places


def faces_by_place(view: View, intended: Intended = NOTHING) -> dict[str, list[Face]]:
    """The counters of each place, those that may still come last."""
    faces = {place: [face_of(view, army) for army in present] for place, present in armies_by_place(view).items()}
    for place, coming in intended.counters.items():
        faces.setdefault(place, []).extend(coming)
    return faces


def draw_stack(picture: Image.Image, scale: int, faces: Sequence[Face], x: float, y: float) -> None:
    """All armies of a place around a point; a fifth and further ones are counted."""
    shown = list(faces) if len(faces) <= MOST_IN_A_HEX else _with_the_rest_counted(faces)
    width, height = _size(len(shown), scale)
    columns = 2 if len(shown) > 2 else 1
    rows = -(-len(shown) // columns)
    step_x, step_y = width + round(GAP * scale), height + round(GAP * scale)
    for number, face in enumerate(shown):
        column, row = number % columns, number // columns
        in_row = min(columns, len(shown) - row * columns)
        left = x + (column - (in_row - 1) / 2) * step_x
        stamp(picture, counter(face, width, height), left, y + MIDDLE * scale + (row - (rows - 1) / 2) * step_y)


def size_of_stack(count: int) -> tuple[float, float]:
    """How wide and high it is, in hex widths."""
    if count == 1:
        return ALONE
    width, height = ONE_OF_TWO if count == 2 else ONE_OF_FOUR
    return width if count == 2 else 2 * width + GAP, 2 * height + GAP


def _with_the_rest_counted(faces: Sequence[Face]) -> list[Face]:
    kept = list(faces[: MOST_IN_A_HEX - 1])
    rest = len(faces) - len(kept)
    return [*kept, Face(faces[-1].side, f"+{rest}", "none", "more", ghost=faces[-1].ghost)]


def _size(count: int, scale: int) -> tuple[int, int]:
    width, height = ALONE if count == 1 else ONE_OF_TWO if count == 2 else ONE_OF_FOUR
    return round(width * scale), round(height * scale)
