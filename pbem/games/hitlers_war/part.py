"""A part of the board that a player asks for: what is around a hex, a city, a country or a box, and nothing else."""

from collections.abc import Collection

import msgspec

from engine.grand_strategy.view import View
from engine.hitlers_war.europe import LAYOUT, europe
from pbem.draw.atlas import Extent
from pbem.games.box import PartOfBoard, Picture
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.gazetteer import find_places
from pbem.games.hitlers_war.names import place_name
from pbem.games.hitlers_war.record import part_in_words
from pbem.games.hitlers_war.textmap import text_map_of
from pbem.games.hitlers_war.theatre import part_around

#: Before the places around which a picture is drawn.
PART = "part "


def part_of_board(view: View, named: str) -> PartOfBoard:
    label, places = find_places(named)
    title = place_name(places[0]) if len(places) == 1 else label
    near, name = known_around(view, places), f"map-{places[0].lower()}.png"
    picture = Picture(name, PART + " ".join(places), part_in_words(near, title))
    return PartOfBoard(title, text_map_of(near, hexes_around(places)), (picture,))


def hexes_around(places: Collection[str]) -> list[str]:
    """All in the rows and columns that the picture shows."""
    part = part_around(with_what_touches(places))
    assert part is not None  # every place is a hex, or has a way to one
    shown = [LAYOUT.spot(place) for place, _ in europe_atlas().hexes_in(Extent(*part))]
    rows, columns = {spot.row for spot in shown}, {spot.column for spot in shown}
    spots = ((place, LAYOUT.spot(place)) for place in europe_atlas().hexes)
    return [place for place, spot in spots if spot.row in rows and spot.column in columns]


def with_what_touches(places: Collection[str]) -> list[str]:
    """A box lies where the ways to it end."""
    boxes = [place for place in places if europe()[place].is_box]
    return [*places, *(edge.to for box in boxes for edge in europe().grid.edges(box))]


def known_around(view: View, places: Collection[str]) -> View:
    """The same view without what is elsewhere."""
    near = {*hexes_around(places), *(place for place in with_what_touches(places) if europe()[place].is_box)}
    return msgspec.structs.replace(
        view,
        places={place: known for place, known in view.places.items() if place in near},
        armies={army: known for army, known in view.armies.items() if known.place in near},
        forts={place: fort for place, fort in view.forts.items() if place in near},
    )
