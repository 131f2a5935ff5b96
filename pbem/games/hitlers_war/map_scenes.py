"""The whole board and the front as scenes: the board as a view knows it, and what stands around it."""

from collections.abc import Collection, Iterable, Iterator

from engine.events import Event
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from pbem.draw.scene import CutOut, KeyPanel, ScaleBar, Scene, Track, WallMap
from pbem.games.hitlers_war.atlas import COLUMN, MAP, MARGIN, SIBERIA
from pbem.games.hitlers_war.board_scene import board_scene, titles_of
from pbem.games.hitlers_war.happenings import Happenings
from pbem.games.hitlers_war.legend import key_to_front, key_to_happenings, legend
from pbem.games.hitlers_war.names import season_name
from pbem.games.hitlers_war.part import with_what_touches
from pbem.games.hitlers_war.telling import happenings
from pbem.games.hitlers_war.theatre import active_part, part_around

#: The western edge of what stands in the corners there, and from where to where.
WEST = MAP.west + 0.16
TITLES_NORTH, HAPPENED_NORTH, LEGEND_NORTH = MAP.north - 0.16, 19.5, 3.58
LEGEND_WIDTHS, LEGEND_HEIGHT, LEGEND_ROWS = (2.55, 2.3, 2.5), 3.34, 9
HAPPENED_WIDTH, HAPPENED_HEIGHT = 2.85, 3.45
#: How many kilometres a hex is wide in the middle of the map.
SCALE_BAR = ScaleBar((9.35, 0.32), 280)
#: The turn track begins below Siberia, and ends above the box of India if there is one.
TRACK_AT, TRACK_ABOVE_INDIA = (MAP.east + MARGIN * 0.5, 10.45), 1.66
COMPASS_AT = (MAP.east + COLUMN / 2 + 0.1, MAP.north - 1.0)
#: The order of boxes beside a cut-out.
BESIDE = (SIBERIA, "CANADA", "US", "BRAFRICA", "FRAFRICA", "INDIA")


def map_scene(view: View, told: Iterable[Event]) -> Scene:
    events = tuple(told)
    around = WallMap(
        titles_of(view),
        (WEST, TITLES_NORTH),
        keys=tuple(_keys(view, happened=bool(events))),
        scale_bar=SCALE_BAR,
        ways_in=_ways_in(view),
        tracks=(_turn_track(view),),
        compass_at=COMPASS_AT,
    )
    return board_scene(view, around, happenings(view, events))


def front_scene(view: View, told: Iterable[Event]) -> Scene:
    found = happenings(view, told)
    key = key_to_front(view, happened=bool(found))
    around = CutOut(titles_of(view), active_part(view, found), boxes_beside(view), key)
    return board_scene(view, around, found)


def part_scene(view: View, places: Collection[str]) -> Scene:
    """What is around some places, as the view knows it now."""
    part = part_around(with_what_touches(places))
    assert part is not None  # every place is a hex, or has a way to one
    boxes = tuple(box for box in BESIDE if box in places and box in view.places)
    around = CutOut(titles_of(view), part, boxes, key_to_front(view, happened=False))
    return board_scene(view, around, Happenings())


def boxes_beside(view: View, marked: Collection[str] = ()) -> tuple[str, ...]:
    """Boxes with armies, a fort or a mark of their own."""
    shown = {army.place for army in view.armies.values()} | view.forts.keys() | set(marked)
    return tuple(box for box in BESIDE if box in view.places and box in shown)


def _keys(view: View, *, happened: bool) -> Iterator[KeyPanel]:
    yield KeyPanel((WEST, LEGEND_NORTH), legend(view), LEGEND_WIDTHS, LEGEND_HEIGHT, LEGEND_ROWS)
    if happened:
        yield KeyPanel((WEST, HAPPENED_NORTH), (key_to_happenings(view),), (HAPPENED_WIDTH,), most=HAPPENED_HEIGHT)


def _ways_in(view: View) -> tuple[str, ...]:
    """Hexes that touch Siberia."""
    touching = (edge.to for edge in europe().grid.edges(SIBERIA) if edge.kind == "touch")
    return tuple(touching) if SIBERIA in view.places else ()


def _turn_track(view: View) -> Track:
    """The seasons of the war one below the other."""
    first, ends = load_scenario(view.scenario).first_turn, TRACK_ABOVE_INDIA if "INDIA" in view.places else MAP.south
    names = tuple(season_name(turn) for turn in range(first, view.last_turn + 1))
    return Track(TRACK_AT, ends, "TURNS", names, view.turn - first, view.phasing)
