"""What a view knows of the board, and what was told with it, as a scene to be painted."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from engine.game import PUBLIC
from engine.grand_strategy.board import BY_LAND
from engine.grand_strategy.view import CountryView, View
from engine.hitlers_war.europe import LAYOUT, europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import at_war
from pbem.draw.scene import CutOut, Face, Front, Holding, Panel, Scene, Tag, Titles, WallMap
from pbem.games.hitlers_war.brief import season_short
from pbem.games.hitlers_war.faces import faces_by_place, fort_of
from pbem.games.hitlers_war.happenings import Happenings
from pbem.games.hitlers_war.names import season_name, side_title, turn_number

#: On the tag of a country that will join.
SIDES = {"axis": "Axis", "soviet": "Soviet", "allies": "Allies"}
FOGS = {"open": "all open", "veiled": "strengths veiled", "fog": "in fog"}


def board_scene(
    view: View,
    around: WallMap | CutOut,
    found: Happenings | None = None,
    newcomers: Mapping[str, tuple[Face, ...]] | None = None,
) -> Scene:
    """The board with what happened on it. Newcomers are counters that may still come, the last ones of their place."""
    found = found or Happenings()
    stacks = _stacks(view, newcomers or {})
    return Scene(
        holdings=_holdings(view),
        around=around,
        sea_is_numbered=bool(load_scenario(view.scenario).sea_transport),
        rings=found.captured,
        fronts=tuple(_fronts(view)),
        panels={place: _panel(view, place) for place in view.places if europe()[place].is_box},
        ways=tuple(found.ways),
        voyages=tuple(found.voyages),
        prospects=dict(_prospects(view, stacks)),
        stacks=stacks,
        marks=tuple(found.marks),
        losses=found.losses,
        forts={place: fort_of(view, place) for place in view.forts},
    )


# ------------------------------------------------------------------ places


def _holdings(view: View) -> dict[str, Holding]:
    """Places cut off from the start will not be lost and are not marked (HW-10.9)."""
    return {
        place: Holding(
            known.owner,
            known.in_sight,
            known.devastated,
            known.ruined,
            cut_off=known.in_supply is False and place not in view.inert,
        )
        for place, known in view.places.items()
    }


def _fronts(view: View) -> Iterator[Front]:
    """Firm where both sides of it are in sight. Soviets and Allies have none between them."""
    enemies = {side: at_war(side, view.sides, view.terms) for side in view.sides}
    for place, neighbour in _sides_by_land():
        here, there = view.places.get(place), view.places.get(neighbour)
        if here is not None and there is not None and there.owner in enemies.get(here.owner, ()):
            yield Front(place, neighbour, here.in_sight and there.in_sight)


@lru_cache(maxsize=1)
def _sides_by_land() -> tuple[tuple[str, str], ...]:
    """Each hexside that armies cross once, from its western hex: the three sides of every hex clockwise from north."""
    links = europe().grid.links(BY_LAND)
    return tuple(
        (place.id, neighbour)
        for place in europe().places.values()
        if not place.is_box
        for neighbour in LAYOUT.neighbours(place.id)[:3]
        if neighbour in links[place.id]
    )


def _panel(view: View, box: str) -> Panel:
    """What it gives on this turn, and which side its country will join."""
    known, country = view.places[box], europe()[box].country or europe()[box].name
    by_calendar = load_scenario(view.scenario).box_production(europe(), box, view.turn)
    points = by_calendar if known.capacity is None else known.capacity
    return Panel(points, tuple(prospect(row) for row in view.politics if row.country == country and row.joins))


# ------------------------------------------------------------------ armies and countries


def _stacks(view: View, newcomers: Mapping[str, tuple[Face, ...]]) -> dict[str, tuple[Face, ...]]:
    stacks = faces_by_place(view)
    return stacks | {place: (*stacks.get(place, ()), *coming) for place, coming in newcomers.items()}


def _prospects(view: View, occupied: Collection[str]) -> Iterator[tuple[str, Tag]]:
    """What is known to come of countries that stand aside.

    In the capital, or else where most is produced, if no army stands there.
    """
    for row in view.politics:
        place = next((place for place in _hexes_of(row.country) if place not in occupied), "")
        if row.joins and place:
            yield place, prospect(row)


def prospect(row: CountryView) -> Tag:
    return Tag(row.joins, f"→ {SIDES.get(row.joins, row.joins)} {season_short(row.joins_on)}")


@lru_cache(maxsize=64)
def _hexes_of(country: str) -> tuple[str, ...]:
    places = [europe()[place] for place in europe().of_country(country) if not europe()[place].is_box]
    return tuple(place.id for place in sorted(places, key=lambda place: (not place.capital, -place.production)))


# ------------------------------------------------------------------ titles


def titles_of(view: View) -> Titles:
    """The war, the date, and who knows it so."""
    number, count = turn_number(view)
    date = f"{season_name(view.turn)}, turn {number} of {count}"
    return Titles(view.title.upper(), date, f"{_reader(view)} · {_whose_turn(view)}")


def _reader(view: View) -> str:
    if view.side is None:
        return "All sides, for the game master"
    who = "everybody" if view.side == PUBLIC else f"the {side_title(view.side)}"
    return f"As known to {who}, {FOGS[view.fog]}"


def _whose_turn(view: View) -> str:
    if view.outcome is not None:
        return "the war is over: " + (" and ".join(map(side_title, view.outcome.winners)) or "nobody") + " won"
    return f"{side_title(view.phasing)} to move"
