"""The board as text: five characters and two lines a hex, rows north to south, even rows half a hex to the east.

A hex shows its owner as a tone, so that the front can be seen from a distance; an army in brackets on the first
line; forts, mountains, the capital's star and production on the second. Everything comes from the view.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from engine.grand_strategy.board import Place
from engine.grand_strategy.scenario import ScenarioData, Theatre
from engine.grand_strategy.view import ArmyView, PlaceView, View
from engine.hitlers_war.europe import LAYOUT, europe
from engine.hitlers_war.scenario import load_scenario
from engine.layout import Spot
from pbem.games.hitlers_war.names import army_name, in_card_order, in_map_order, place_name, season_name
from pbem.words.wording import render

#: The tone of each side, in sight and as last known.
TONES = {"axis": "....", "soviet": "::::", "allies": "''''"}
FAINT_TONES = {"axis": (". . ", " . ."), "soviet": (": : ", " : :"), "allies": ("' ' ", " ' '")}
SEA = (" ~  ", "   ~")
NEUTRAL = (" n  ", "    ")
UNALIGNED = (" u  ", "    ")
NOTHING = ("    ", "    ")
BAND_LETTERS = {"light": "L", "medium": "M", "strong": "S", "massed": "X"}

#: The armies of each place.
Present = Mapping[str, list[ArmyView]]

CELL = 4
PITCH = CELL + 1
HALF = 2
MOST_COLUMNS = 14


class Group(msgspec.Struct, frozen=True):
    """The armies of one place for the lists under the map."""

    place: str
    armies: tuple[ArmyView, ...]
    total: int | None
    last_seen: str


class Box(msgspec.Struct, frozen=True):
    """A box off the map, for the list under it."""

    place: str
    owner: str
    working: int
    devastated: int
    in_sight: bool


def text_map(view: View) -> str:
    """The theatre of the scenario as the view knows it, with a legend and a list of what does not fit into a hex."""
    return _text_map(view, load_scenario(view.scenario))


def text_map_of(view: View, hexes: Iterable[str]) -> str:
    """A view that knows nothing else, on the smallest map that has all these hexes."""
    spots = [LAYOUT.spot(place) for place in hexes]
    rows, columns = {spot.row for spot in spots}, {spot.column for spot in spots}
    south, north = (chr(ord("A") + row - 1) for row in (min(rows), max(rows)))
    theatre = Theatre(f"{south}-{north}", (min(columns), max(columns)))
    return _text_map(view, msgspec.structs.replace(load_scenario(view.scenario), theatre=theatre))


def _text_map(view: View, scenario: ScenarioData) -> str:
    return render(
        "hitlers-war/map.txt.j2",
        panels=list(_panels(view, scenario)),
        tones=TONES,
        faint=[FAINT_TONES[side][0] for side in view.sides if side != view.side],
        view=view,
        capitals=_capitals(view, scenario),
        stacks=[group for group in armies_by_place(view) if len(group.armies) > 1 and _is_drawn(group.place, scenario)],
        elsewhere=[group for group in armies_by_place(view) if not _is_drawn(group.place, scenario)],
        boxes=_boxes(view, scenario),
        stale=_stale_places(view, scenario),
        place_name=place_name,
        army_name=army_name,
        season_name=season_name,
    )


# ------------------------------------------------------------------ the drawing


def _panels(view: View, scenario: ScenarioData) -> Iterator[list[str]]:
    """The map in strips that are narrow enough for a mail, west to east."""
    first, last = scenario.theatre.columns
    count = -(-(last - first + 1) // MOST_COLUMNS)
    width = -(-(last - first + 1) // count)
    present: dict[str, list[ArmyView]] = {}
    for army in view.armies.values():
        present.setdefault(army.place, []).append(army)
    for west in range(first, last + 1, width):
        yield _panel(view, scenario, present, range(west, min(west + width, last + 1)))


def _panel(view: View, scenario: ScenarioData, present: Present, columns: range) -> list[str]:
    letters = scenario.theatre.letters[::-1]
    rulers = [_ruler(letters[0], columns), _ruler(letters[1], columns)]
    lines = [line for letter in letters for line in _row(view, present, letter, columns)]
    return [*rulers, *lines, *(_ruler(letter, columns) for letter in letters[-2:])]


def _indent(letter: str) -> str:
    """Even rows (B, D, F ...) stand half a hex to the east."""
    return " " * HALF if LAYOUT.spot(f"{letter}1").row % 2 == 0 else ""


def _ruler(letter: str, columns: range) -> str:
    return f"   {_indent(letter)}{''.join(f'{column:^{PITCH}}' for column in columns)}"


def _row(view: View, present: Present, letter: str, columns: range) -> tuple[str, str]:
    row = LAYOUT.spot(f"{letter}1").row
    cells = [_cell(view, present, LAYOUT.hex_at(Spot(column, row))) for column in columns]
    upper, lower = (" ".join(cell[line] for cell in cells) for line in (0, 1))
    width = PITCH * len(columns) + HALF
    return f"{letter}  {(_indent(letter) + upper):<{width}} {letter}", f"   {_indent(letter)}{lower}"


def _cell(view: View, present: Present, place: str) -> tuple[str, str]:
    board = europe()
    if place not in board:
        return NOTHING
    printed, known = board[place], view.places.get(place)
    if not printed.has_land:
        return SEA
    upper, lower = _tone(known)
    fort = "#" if place in view.forts else ""
    return _over(upper, army_mark(view, present.get(place, []))), _over(
        lower, fort + _ground_mark(printed, known, lower)
    )


def _tone(known: PlaceView | None) -> tuple[str, str]:
    """A full tone for what is in sight, a faint one for what is remembered, none for neutrals."""
    if known is None or known.owner not in TONES:
        return NEUTRAL if known is None else UNALIGNED
    tone = TONES[known.owner]
    return (tone, tone) if known.in_sight else FAINT_TONES[known.owner]


def _over(tone: str, mark: str) -> str:
    return (mark + tone[len(mark) :])[:CELL]


def _ground_mark(printed: Place, known: PlaceView | None, tone: str) -> str:
    """Mountain, capital, working and devastated production, in this order; of neutrals the mountains alone."""
    mark = _worth(printed, known) if known else ""
    if not printed.is_mountain:
        return mark
    return f"^{mark}" if mark else f"{tone[0]}^^"


def _worth(printed: Place, known: PlaceView) -> str:
    devastated = min(known.devastated, printed.production)
    working = printed.production - devastated
    capital = "*" if printed.capital else ""
    return capital + (f"${working}" if working else "") + (f"x{devastated}" if devastated else "")


# ------------------------------------------------------------------ armies


def army_mark(view: View, present: list[ArmyView]) -> str:
    """[10] of one's own, <M> of others in sight, (M) as last known; a plus for several armies."""
    if not present:
        return ""
    opening, closing = _brackets(view, present[0])
    return f"{opening}{_strength_together(present)}{closing}"[:CELL]


def _brackets(view: View, army: ArmyView) -> tuple[str, str]:
    if is_own(view, army):
        return "[", "]"
    return ("<", ">") if is_in_sight(view, army) else ("(", ")")


def is_own(view: View, army: ArmyView) -> bool:
    return view.side in (None, army.side)


def is_in_sight(view: View, army: ArmyView) -> bool:
    place = view.places.get(army.place)
    return is_own(view, army) or place is None or place.in_sight


def _strength_together(present: list[ArmyView]) -> str:
    if len(present) == 1:
        return short_strength(present[0])
    total = total_strength(present)
    return f"{len(present)}a" if total is None else f"{total}+"


def short_strength(army: ArmyView) -> str:
    """The strength if it is known for now, with a tilde as it was in battle, else the letter of the band."""
    if army.strength is not None:
        return str(army.strength) if army.fought is None else f"~{army.strength}"
    return BAND_LETTERS.get(army.band, "?")


def total_strength(present: list[ArmyView]) -> int | None:
    """Their strength together, if the view knows it of each."""
    known = [army.strength for army in present if army.strength is not None and army.fought is None]
    return sum(known) if len(known) == len(present) else None


# ------------------------------------------------------------------ under the map


def _is_drawn(place: str, scenario: ScenarioData) -> bool:
    if place not in europe() or europe()[place].is_box:
        return False
    west, east = scenario.theatre.columns
    return place[0] in scenario.theatre.letters and west <= int(place[1:]) <= east


def armies_by_place(view: View) -> list[Group]:
    """Every army the view knows of, those of one place together, north to south."""
    places: dict[str, list[ArmyView]] = {}
    for army in sorted(view.armies.values(), key=lambda army: in_card_order(army.id)):
        places.setdefault(army.place, []).append(army)
    return [_group(view, place, places[place]) for place in sorted(places, key=in_map_order)]


def _group(view: View, place: str, present: list[ArmyView]) -> Group:
    in_sight = is_in_sight(view, present[0])
    last_seen = "" if in_sight else season_name(max(army.seen for army in present))
    return Group(place, tuple(present), total_strength(present), last_seen)


def _capitals(view: View, scenario: ScenarioData) -> list[str]:
    board = europe()
    drawn = [place for place in view.places if place in board and board[place].capital and _is_drawn(place, scenario)]
    return [place_name(place) for place in sorted(drawn, key=in_map_order)]


def _boxes(view: View, scenario: ScenarioData) -> list[Box]:
    """The boxes off the map that are in the war, with what they give on this turn."""
    board = europe()
    return [
        Box(place, known.owner, _working_in_box(view, scenario, place, known), known.devastated, known.in_sight)
        for place, known in view.places.items()
        if place in board and board[place].is_box
    ]


def _working_in_box(view: View, scenario: ScenarioData, place: str, known: PlaceView) -> int:
    capacity = known.capacity if known.capacity is not None else scenario.box_production(europe(), place, view.turn)
    return max(0, capacity - known.devastated)


def _stale_places(view: View, scenario: ScenarioData) -> list[tuple[str, list[str]]]:
    """Hexes out of sight by the season they were last seen in; the set-up, which everybody saw, is left out."""
    seasons: dict[int, list[str]] = {}
    for place, known in view.places.items():
        if not known.in_sight and known.seen > scenario.first_turn and _is_drawn(place, scenario):
            seasons.setdefault(known.seen, []).append(place)
    return [(season_name(turn), sorted(seasons[turn], key=in_map_order)) for turn in sorted(seasons)]
