"""Which part of the board the war is fought in: the front, the armies near it and on both shores of a strait, and
where something happened."""

from collections.abc import Iterable

from engine.grand_strategy.board import BY_LAND, TOUCHING
from engine.grand_strategy.scenario import Theatre
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import LAYOUT, europe
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import at_war
from engine.layout import ROW
from pbem.draw.scene import Part
from pbem.games.hitlers_war.atlas import BOXES, MAP, europe_atlas
from pbem.games.hitlers_war.happenings import Happenings

#: Armies this many hexes from the front, or from a coast that faces the enemy's, belong to it.
NEAR, NEAR_A_COAST = 2, 1
#: Room around what must be seen, and the least the picture shows, in hex widths.
AROUND, LEAST = 1.3, 8.0
#: Room beside the panel of a box.
BESIDE = 0.14


def active_part(view: View, found: Happenings) -> Part:
    """The part of the theatre where the war is; all of the theatre where there is none."""
    theatre = load_scenario(view.scenario).theatre
    hexes = [place for place in _of_interest(view, found) if _is_in(theatre, place)]
    return part_around(hexes) or _whole(theatre)


def part_around(places: Iterable[str]) -> Part | None:
    """What shows all of these hexes and a little more, and the boxes among them on the map; None without a hex."""
    shown = list(places)
    hexes = [place for place in shown if europe_atlas().is_hex(place)]
    if not hexes:
        return None
    west, south, east, north = _around(hexes)
    for box in (BOXES[place] for place in shown if place in BOXES and BOXES[place].west < MAP.east):
        west, east = min(west, box.west - BESIDE), max(east, box.west + box.width + BESIDE)
        south, north = min(south, box.north - box.height - BESIDE), max(north, box.north + BESIDE)
    return _widened(west, south, east, north)


def _of_interest(view: View, found: Happenings) -> set[str]:
    front = set(_front(view, BY_LAND))
    near = _within(front, NEAR) | _within(_coasts_that_face_the_enemy(view), NEAR_A_COAST)
    armies = {army.place for army in view.armies.values()}
    landings = {voyage.places[-1] for voyage in found.voyages if voyage.manner != "sailed"}
    battles = {mark.place for mark in found.marks if mark.sign == "battle"}
    events = {*found.captured, *battles, *landings, *(place for place, _ in found.lost)}
    return front | (armies & near) | events if front else armies | events


def _coasts_that_face_the_enemy(view: View) -> set[str]:
    """Where armies can land, only those watch each other over the sea."""
    rules = setting_of(view.scenario, view.options).rules
    return set(_front(view, TOUCHING)) if rules.language.has("INVADE") else set()


def _front(view: View, over: frozenset[str]) -> list[str]:
    """Hexes of a side in sight with an enemy next door, over hexsides of these kinds.

    A front that is only remembered is not the reader's war.
    """
    links = europe().grid.links(over)
    enemies = {side: at_war(side, view.sides, view.terms) for side in view.sides}
    return [
        place
        for place, known in view.places.items()
        if known.owner in view.sides and known.in_sight and europe_atlas().is_hex(place)
        if any(_owner(view, near) in enemies[known.owner] for near in links[place])
    ]


def _owner(view: View, place: str) -> str:
    return view.places[place].owner if place in view.places else ""


def _within(places: set[str], distance: int) -> set[str]:
    """Places at most so many hexes away by land."""
    links, reached = europe().grid.links(BY_LAND), set(places)
    for _ in range(distance):
        reached |= {near for place in reached for near in links[place]}
    return reached


def _is_in(theatre: Theatre, place: str) -> bool:
    return (
        europe_atlas().is_hex(place)
        and place[0] in theatre.letters
        and theatre.columns[0] <= int(place[1:]) <= theatre.columns[1]
    )


def _around(hexes: list[str]) -> Part:
    points = [europe_atlas().middle(place) for place in hexes]
    west, east = min(x for x, _ in points), max(x for x, _ in points)
    south, north = min(y for _, y in points), max(y for _, y in points)
    return west - AROUND, south - AROUND, east + AROUND, north + AROUND


def _whole(theatre: Theatre) -> Part:
    rows = [LAYOUT.spot(f"{letter}1").row for letter in theatre.letters]
    west, east = theatre.columns
    return _inside((west - 0.6, (rows[0] - 0.7) * ROW, east + 1.1, (rows[-1] + 0.7) * ROW))


def _widened(west: float, south: float, east: float, north: float) -> Part:
    across, up = max(0.0, LEAST - (east - west)) / 2, max(0.0, LEAST - (north - south)) / 2
    return _inside((west - across, south - up, east + across, north + up))


def _inside(part: Part) -> Part:
    west, south, east, north = part
    return max(MAP.west, west), max(MAP.south, south), min(MAP.east, east), min(MAP.north, north)
