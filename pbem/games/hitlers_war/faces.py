"""What stands on the counters of armies and the walls of forts, as far as a view knows."""

from engine.grand_strategy.state import TYPES
from engine.grand_strategy.view import ArmyView, View
from engine.hitlers_war.tables import tables
from pbem.draw.scene import Face, Fort
from pbem.games.hitlers_war.brief import composition, fort_points, season_short
from pbem.games.hitlers_war.names import army_abbreviation, in_card_order
from pbem.games.hitlers_war.textmap import is_in_sight

BANDS = ("light", "medium", "strong", "massed")
#: Types that make an army mobile, for its symbol.
MOBILE = ("mech",)
ON_FOOT = ("inf", "para", "amph")
#: A longer list of points by type does not fit on a counter.
MOST_LETTERS = 10


def faces_by_place(view: View) -> dict[str, tuple[Face, ...]]:
    """The counters of each place from the top of their stack to its bottom."""
    places: dict[str, list[Face]] = {}
    for army in sorted(view.armies.values(), key=lambda army: in_card_order(army.id)):
        places.setdefault(army.place, []).append(face_of(view, army))
    return {place: tuple(faces) for place, faces in places.items()}


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


def fort_of(view: View, place: str) -> Fort:
    """One that was only seen earlier has the season on it."""
    known = view.forts[place]
    in_sight = place not in view.places or view.places[place].in_sight
    seen = "" if in_sight else season_short(known.seen)
    return Fort(known.side, fort_points(known), ghost=not in_sight, seen=seen)
