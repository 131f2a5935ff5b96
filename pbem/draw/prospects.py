"""What is known to come of countries that stand aside: tags with the side they will join, and when."""

from collections.abc import Collection

from PIL import Image

from engine.hitlers_war.europe import europe
from engine.hitlers_war.view import CountryView, View
from pbem.draw.arrows import tag
from pbem.draw.geometry import Frame
from pbem.draw.palette import side_colours
from pbem.draw.sprites import Sprite, stamp
from pbem.games.hitlers_war.brief import season_short

# Size and distance from the middle of the hex, in hex widths: above the port and the production.
SIZE, AT = 0.1, -0.16
SIDES = {"axis": "Axis", "soviet": "Soviet", "allies": "Allies"}


def draw_prospects(picture: Image.Image, frame: Frame, view: View, occupied: Collection[str]) -> None:
    """In the capital, or else where most is produced, if no army stands there."""
    for row in view.politics:
        place = next((place for place in _hexes_of(row.country) if place not in occupied), "")
        if row.joins and place and frame.shows_hex(place):
            x, y = frame.pixel_of(place)
            stamp(picture, prospect(row, frame.scale), x, y + AT * frame.scale)


def prospect(row: CountryView, scale: int, size: float = SIZE) -> Sprite:
    text = f"→ {SIDES.get(row.joins, row.joins)} {season_short(row.joins_on)}"
    return tag(text, row.joins, scale, side_colours(row.joins).dark, size)


def _hexes_of(country: str) -> list[str]:
    places = [europe()[place] for place in europe().of_country(country) if not europe()[place].is_box]
    return [place.id for place in sorted(places, key=lambda place: (not place.capital, -place.production))]
