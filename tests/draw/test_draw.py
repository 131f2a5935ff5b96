"""Pictures are made of a view and of told events: nothing hidden shows, nothing visible is missing, nothing is cut off."""

import hashlib
import io
import itertools
import os
import subprocess
import sys
from collections.abc import Sequence

import msgspec
import pytest
from PIL import Image

from engine.events import Event, Roll
from engine.game import FOGS, Options
from engine.grand_strategy.events import (
    ArmyAdvanced,
    ArmyLanded,
    FortLost,
    FortPointsLost,
    InvasionAnnounced,
    LendLeaseGiven,
    NavalFired,
    PlaceCaptured,
    PointsBuilt,
    PointsLost,
    PointsShipped,
    SeaTransportUsed,
    SheetMissing,
    SupportFired,
)
from engine.grand_strategy.state import TYPES, Army, State
from engine.grand_strategy.view import ArmyView, FortView, PlaceView, View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.hidden import change_what_is_hidden
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.tables import tables
from engine.layout import ROW
from engine.load import data_path
from pbem.draw import forts
from pbem.draw.counter import LOW_SIZE
from pbem.draw.fonts import ELLIPSIS, FACES, fitted, width_of
from pbem.draw.forts import fort_sign
from pbem.draw.labels import CAPITAL_SIZE, COG_SIZE, INLINE_SIZE, NAME_ROOM, NAME_SIZE
from pbem.draw.scene import Face, Fort, Voyage
from pbem.draw.sprites import letters
from pbem.draw.stacks import ALONE, ONE_OF_TWO, draw_stack
from pbem.draw.style import rgb
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.faces import face_of, fort_of
from pbem.games.hitlers_war.happenings import Happenings
from pbem.games.hitlers_war.legend import reader_of
from pbem.games.hitlers_war.pictures import SCALE, front_png, map_png, print_png, sheet_png
from pbem.games.hitlers_war.sheet import record_sheet_of
from pbem.games.hitlers_war.style import style
from pbem.games.hitlers_war.telling import changes_of, happenings
from pbem.games.hitlers_war.theatre import active_part
from pbem.words.tables import abreast
from pbem.words.teller import tag_of
from tests import overseas
from tests.barbarossa import GAME, barbarossa, run
from tests.gallery import position, told
from tests.the_project import ROOT

MOST_BYTES, MOST_BYTES_OF_A_MAIL = 350_000, 450_000
SIDES = ("axis", "soviet")


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def at_the_start(fog: str = "fog", side: str | None = "axis") -> View:
    return GAME.view(barbarossa(fog=fog), side, fog)


# ------------------------------------------------------------------ form


@pytest.mark.parametrize("gates", [0, 7])
def test_pictures_are_small_and_of_a_size_to_be_read(gates: int) -> None:
    view, events = GAME.view(position(gates), "axis", "fog"), told(gates, "axis")
    for data in (map_png(view, events), front_png(view, events), sheet_png(view, "axis", events)):
        picture = opened(data)
        assert picture.mode == "P"
        assert len(data) < MOST_BYTES
        assert min(picture.size) >= 900
        assert max(picture.size) <= 2100
    assert min(opened(map_png(view)).size) > 1700


def test_a_page_for_the_printer_is_a3_at_300_dots_an_inch() -> None:
    picture = opened(print_png(GAME.view(position(7), "soviet", "fog")))
    assert picture.size == (4961, 3508)
    assert round(picture.info["dpi"][0]) == 300


DIGESTS = """
import hashlib
from engine.game import Options
from engine.hitlers_war.game import HitlersWar
from pbem.games.hitlers_war.pictures import map_png, sheet_png
game = HitlersWar()
view = game.view(game.setup("barbarossa", Options(fog="fog")), "axis", "fog")
for data in (map_png(view), sheet_png(view, "axis"), sheet_png(view, "soviet")):
    print(hashlib.sha256(data).hexdigest())
"""


def test_the_same_view_makes_the_same_bytes_in_another_process() -> None:
    view = at_the_start()
    here = [map_png(view), sheet_png(view, "axis"), sheet_png(view, "soviet")]
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", DIGESTS]
    root = ROOT
    there = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=root).stdout
    assert there.split() == [hashlib.sha256(data).hexdigest() for data in here]
    assert map_png(view) == here[0]


# ------------------------------------------------------------------ what shows and what does not


def pictures(view: View, events: list[Event]) -> list[bytes]:
    sheets = [sheet_png(view, side, events) for side in view.sides]
    return [map_png(view, events), front_png(view, events), *sheets]


@pytest.mark.parametrize("fog", ["veiled", "fog"])
@pytest.mark.parametrize("side", SIDES)
def test_what_a_side_cannot_know_changes_no_byte(side: str, fog: str) -> None:
    events = told(7, side, fog)
    state, other = position(7, fog), position(7, fog)
    view = GAME.view(state, side, fog)
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, side, fog, in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(state)
    assert pictures(GAME.view(other, side, fog), events) == pictures(view, events)


CAMPAIGN = (30, "fog", "campaign-1")


@pytest.mark.parametrize("side", ["axis", "soviet", "allies"])
def test_what_a_side_cannot_know_changes_no_byte_in_a_campaign(side: str) -> None:
    """With landings, forts out of sight, three sides and armies in boxes."""
    events, state, other = told(30, side, "fog", "campaign-1"), position(*CAMPAIGN), position(*CAMPAIGN)
    view = GAME.view(state, side, "fog")
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, side, "fog", in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(state)
    drawn, again = pictures(view, events), pictures(GAME.view(other, side, "fog"), events)
    assert drawn == again
    assert len(drawn[0]) + max(map(len, drawn[2:])) < MOST_BYTES_OF_A_MAIL


def moved_an_army(state: State) -> None:
    state.armies["NORTH"].place = "P10"


def hurt_an_army(state: State) -> None:
    state.armies["NORTH"].mech -= 1


def saw_an_enemy_grow(state: State) -> None:
    state.armies["SWEST"].inf += 5


def took_a_place(state: State) -> None:
    state.ground["P14"].owner = "axis"


def devastated_berlin(state: State) -> None:
    state.ground["P10"].devastated += 1


@pytest.mark.parametrize(
    "change",
    [moved_an_army, hurt_an_army, saw_an_enemy_grow, took_a_place, devastated_berlin],
    ids=lambda f: f.__name__,
)
def test_what_a_side_can_see_shows_on_its_map(change) -> None:
    state = barbarossa(fog="fog")
    before = map_png(GAME.view(state, "axis", "fog"))
    change(state)
    assert map_png(GAME.view(state, "axis", "fog")) != before


def test_what_was_told_shows() -> None:
    view = at_the_start()
    plain, sheet = map_png(view), sheet_png(view, "axis")
    for event in (ArmyAdvanced("axis", "NORTH", "Q12", "Q13"), PlaceCaptured("axis", "P14", "soviet", "advance", 0)):
        assert map_png(view, [event]) != plain
        assert front_png(view, [event]) != front_png(view)
    _, events = run(barbarossa(fog="fog"), {"axis": ["ATTACK Center P14 ASSAULT", "BUILD 1M P10"]}, [6, 1, 1])
    assert sheet_png(view, "axis", GAME.told(events, "axis", "fog")) != sheet


def test_the_record_sheet_tells_points_built_and_lost_by_type_and_places_by_name() -> None:
    events = [
        PointsBuilt("axis", "NORTH", "P10", {"inf": 2, "mech": 1}, 5),
        PointsLost("axis", "NORTH", "R13", 2, {"inf": 2}),
        PointsLost("axis", "SOUTH", "N14", 1, {"mech": 1}),
        PlaceCaptured("axis", "Q16", "soviet", "advance", 1),
        PlaceCaptured("soviet", "P14", "axis", "advance", 0),
    ]
    season = changes_of(events, "axis")
    assert (season.built_types, season.lost_types) == ({"inf": 2, "mech": 1}, {"inf": 2, "mech": 1})
    assert (season.taken, season.given_up) == (["Q16 Smolensk"], ["P14 Pinsk"])
    unknown = changes_of([PointsLost("soviet", "SWEST", "P14", 3)], "soviet")
    assert (unknown.lost, unknown.all_types_known) == ({"SWEST": 3}, False)


def test_the_sheet_draws_the_seasons_to_come() -> None:
    """Every part of them shows: what there is to spend, why it changes, the forts; a sheet that is not open has none."""
    state = overseas.position("campaign-1", "axis", 5)
    overseas.put_fort(state, "N9", strength=1, building=2)
    view = GAME.view(state, "axis", "open")
    now, later = view.seasons_ahead["axis"]
    assert (now.forts, [change.why for change in later.changes]) == ({"N9": 2}, ["Hungary joins", "Rumania joins"])
    poorer = msgspec.structs.replace(later.production, budget=1)
    others = [
        (now,),
        (msgspec.structs.replace(now, forts={}), later),
        (now, msgspec.structs.replace(later, changes=later.changes[:1])),
        (now, msgspec.structs.replace(later, production=poorer)),
        (now, msgspec.structs.replace(later, turn=9)),
    ]
    views = [view, *(msgspec.structs.replace(view, seasons_ahead={"axis": rows}) for rows in others)]
    assert len({sheet_png(each, "axis") for each in views}) == len(views)
    assert sheet_png(views[1], "soviet") == sheet_png(views[2], "soviet")


def test_three_record_sheets_fit_on_a_page() -> None:
    assert opened(print_png(campaign())).size == (4961, 3508)


def test_an_event_out_of_sight_draws_nothing_but_the_key() -> None:
    """'?' stands for a place the reader cannot see."""
    view = at_the_start()
    one, two = (ArmyAdvanced("soviet", army, "?", "?") for army in ("MOSCOW", "BALTIC"))
    assert map_png(view, [one]) == map_png(view, [two])


def test_a_remembered_army_is_a_ghost_with_its_season() -> None:
    view = at_the_start()
    far, near = (face_of(view, view.armies[army]) for army in ("MOSCOW", "SWEST"))
    assert (far.ghost, far.strength, far.bars) == (True, "Summer 41", 2)
    assert (near.ghost, near.strength, near.symbol) == (False, "medium", "bars")


# ------------------------------------------------------------------ every kind of position


@pytest.mark.parametrize("fog", FOGS)
def test_every_fog_level_is_drawn_for_everybody(fog: str) -> None:
    drawn = {map_png(at_the_start(fog, side)) for side in (*SIDES, None)}
    assert len(drawn) == 3


def test_the_end_of_the_war_is_drawn() -> None:
    state = position(99)
    assert GAME.outcome(state) is not None
    for side in (*SIDES, None):
        view = GAME.view(state, side, "fog")
        assert max(len(data) for data in pictures(view, told(99, side))) < MOST_BYTES


def campaign() -> View:
    """Scenarios that cannot be played yet can be drawn: three sides, boxes all around, countries not yet in the war."""
    scenario, turn = load_scenario("campaign-2"), 1
    owners = scenario.owners(europe())
    armies = {}
    for id_, start in scenario.armies.items():
        points = {kind: getattr(start, kind) for kind in TYPES if getattr(start, kind)}
        armies[id_] = ArmyView(id_, start.side, start.place, turn, points=points, strength=sum(points.values()))
    season, year = tables().season_of(turn)
    places = {place: PlaceView(owner, turn) for place, owner in owners.items() if owner != "neutral"}
    return View(
        scenario.id, scenario.title, Options(fog="open"), None, "open", turn, scenario.last_turn, season, year,
        "axis", "player-turn", scenario.sides, None, places, armies, (), {}, {},
    )  # fmt: skip


def test_a_war_of_three_sides_is_drawn() -> None:
    view = campaign()
    assert len(map_png(view)) < MOST_BYTES
    for side in view.sides:
        assert opened(sheet_png(view, side)).mode == "P"


def test_four_armies_in_a_hex_are_drawn_and_a_fifth_is_counted() -> None:
    state = barbarossa(fog="open")
    drawn = []
    for army in ("OKW", "WEST", "A", "B", "C", "ITALY"):
        state.armies[army] = Army(army, "axis", "P13", inf=1)
        drawn.append(map_png(GAME.view(state, "axis", "open")))
    assert len(set(drawn)) == len(drawn)


# ------------------------------------------------------------------ nothing is cut off


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
@pytest.mark.parametrize("scale", [82, 128])
def test_counters_stay_in_the_room_of_their_hex(count: int, scale: int) -> None:
    picture = Image.new("RGB", (2 * scale, 2 * scale), "white")
    face = Face("soviet", "A Very Long Name of a Front", "both", "10I 10M 10T")
    draw_stack(picture, style(), scale, [face] * count, scale, scale)
    left, top, right, bottom = Image.eval(picture, lambda part: 255 - part).getbbox() or (0, 0, 0, 0)
    assert right - left <= scale
    assert bottom - top <= ROW * scale
    assert left >= scale / 2 - 1
    assert right <= 1.5 * scale + 2


@pytest.mark.parametrize("text", ["Dnepropetrovsk", "Oberkommando der Wehrmacht", "W" * 80, ""])
@pytest.mark.parametrize("room", [20, 60, 200])
def test_text_is_never_wider_than_its_room(text: str, room: int) -> None:
    shown, size = fitted(text, "narrow bold", 12, room)
    assert width_of(shown, "narrow bold", size) <= room


@pytest.mark.parametrize("crowded", [False, True])
def test_every_city_can_be_read_whole(crowded: bool) -> None:
    """Even beside the marks that share its line."""
    for place in europe().places.values():
        marks = CAPITAL_SIZE * place.capital + crowded * INLINE_SIZE * (place.port + bool(place.production))
        face = "narrow bold" if place.capital else "narrow"
        shown, _ = fitted(place.name, face, NAME_SIZE * SCALE, (NAME_ROOM - marks) * SCALE)
        assert ELLIPSIS not in shown, place
    assert COG_SIZE < 0.25


def test_long_names_of_armies_and_wars_are_drawn() -> None:
    view = at_the_start()
    name = "THE ARMY WITH THE LONGEST NAME OF ALL"
    army = ArmyView(name, "axis", "P12", view.turn, points=dict.fromkeys(TYPES, 10), strength=50)
    long = msgspec.structs.replace(view, title="A War with a Title " * 6, armies={**view.armies, name: army})
    assert map_png(long) != map_png(view)
    assert opened(front_png(long)).mode == "P"


# ------------------------------------------------------------------ colours and letters

#: How colour-blind eyes see linear red, green and blue (Machado, Oliveira and Fernandes, 2009).
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """Lightness and two hues (CIE L*a*b*) of a colour to such eyes."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (p / 255 for p in rgb(colour))
    ]
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in EYES[eyes])
    white = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1.0), (0.0193, 0.1192, 0.9505, 1.089))
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in ((r * red + g * green + b * blue) / whole for r, g, b, whole in white)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str, eyes: str) -> float:
    return sum((a - b) ** 2 for a, b in zip(seen(one, eyes), seen(other, eyes), strict=True)) ** 0.5


@pytest.mark.parametrize("eyes", EYES)
def test_the_sides_can_be_told_apart_by_all_eyes(eyes: str) -> None:
    lands = [*(side.land for side in style().sides), style().closed.land]
    counters = [side.counter for side in style().sides]
    assert min(difference(a, b, eyes) for a, b in itertools.combinations(lands, 2)) > 7
    assert min(difference(a, b, eyes) for a, b in itertools.combinations(counters, 2)) > 10


def test_the_sides_can_be_told_apart_without_colour() -> None:
    emblems = [side.emblem for side in style().sides]
    assert len(set(emblems)) == len(emblems)


def test_the_typefaces_ship_with_their_licence() -> None:
    assert all(data_path("fonts", name).is_file() for name in FACES.values())
    assert "Bitstream Vera" in data_path("fonts", "LICENSE").read_text(encoding="utf-8")


def test_an_army_of_many_types_shows_its_sum_and_their_letters() -> None:
    view = at_the_start("open")
    army = ArmyView("NORTH", "axis", "P12", view.turn, points=dict.fromkeys(TYPES, 3), strength=15)
    assert face_of(view, army).strength == "15 IMTPA"
    three = msgspec.structs.replace(army, points={"inf": 3, "mech": 3, "tac": 1})
    assert face_of(view, three).strength == "3I 3M 1T"


@pytest.mark.parametrize(
    "points", [{"inf": 10, "mech": 10}, {"inf": 69, "mech": 31, "amph": 24}, {"inf": 4, "mech": 1, "amph": 5}]
)
def test_no_number_on_a_counter_is_cut_off(points: dict[str, int]) -> None:
    """An army in a box has no limit to its points."""
    view = at_the_start("open")
    strength = face_of(view, ArmyView("NORTH", "axis", "P12", view.turn, points=points)).strength
    for size in (ALONE, ONE_OF_TWO):
        width, height = (round(part * SCALE) for part in size)
        shown, _ = fitted(strength, "narrow bold", height * (0.21 if size == ALONE else LOW_SIZE), width * 0.9)
        assert ELLIPSIS not in shown


@pytest.mark.parametrize("size", range(8, 60))
@pytest.mark.parametrize("strength", ["1-3", "7-10", "11+", "9+1", "10+2"])
def test_no_number_on_a_fort_is_cut_off(strength: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the map: on the whole board a fort of 7 to 10 was one of '7-…'."""
    written: list[str] = []
    monkeypatch.setattr(forts, "letters", lambda text, *how: written.append(text) or letters(text, *how))
    forts.wall.__wrapped__(style(), "allies", strength, False, size)
    assert written == [strength]


# ------------------------------------------------------------------ forts, the sea and politics


def channel(**known: object) -> View:
    """1944 as the Allies know it, with a fort in Brest."""
    state = overseas.position("fall-of-germany", "allies", fog="open")
    overseas.put(state, "SHAEF", "P7", amph=3)
    view = GAME.view(state, "allies", "open")
    return msgspec.structs.replace(view, forts={"N6": FortView("axis", 1, view.turn, **known)})  # type: ignore[arg-type]


def test_what_is_known_of_a_fort_stands_on_its_wall() -> None:
    for known, words in (
        ({"strength": 2, "building": 0}, "2"),
        ({"strength": 2, "building": 1}, "2+1"),
        ({"strength": 0, "building": 3}, "+3"),
        ({"band": "strong"}, "7-10"),
        ({"band": "unfinished"}, "+"),
        ({}, "?"),
    ):
        assert fort_of(channel(**known), "N6") == Fort("axis", words)


def test_a_fort_shows_on_the_map_and_its_season_when_it_is_only_remembered() -> None:
    view = channel(band="light")
    hidden = msgspec.structs.replace(view.places["N6"], in_sight=False)
    remembered = msgspec.structs.replace(view, places={**view.places, "N6": hidden})
    earlier = msgspec.structs.replace(remembered, forts={"N6": FortView("axis", 1, view.turn - 1, band="light")})
    views = (msgspec.structs.replace(remembered, forts={}), view, remembered, earlier)
    assert len({map_png(each) for each in views}) == len(views)


ROUTE = ("P7", "O7", "O6", "N6")
SHOT = Roll(2, "17/14-allies/N6/1")


def test_a_landing_is_drawn_by_its_route_and_whether_it_came_ashore() -> None:
    view, announced = channel(), InvasionAnnounced("allies", "SHAEF", "P7", "N6", ROUTE)
    assert happenings(view, [announced]).voyages == [Voyage("allies", ROUTE, "turned back")]
    landed = ArmyLanded("allies", "SHAEF", "P7", "N6")
    assert happenings(view, [announced, landed]).voyages == [Voyage("allies", ROUTE, "landed")]


def test_a_landing_from_out_of_sight_is_drawn_alike_wherever_it_came_from() -> None:
    (voyage,) = happenings(channel(), [InvasionAnnounced("allies", "SHAEF", "?", "N6")]).voyages
    assert voyage.places[-1] == "N6"
    assert not europe()[voyage.places[0]].has_land


def test_shipped_points_keep_to_the_sea() -> None:
    """Round Spain, from London to Taranto, every hexside is one that ships may cross."""
    (voyage,) = happenings(channel(), [PointsShipped("allies", 2, "P7", "J11", ("Atlantic", "Mediterranean"))]).voyages
    assert (voyage.places[0], voyage.places[-1]) == ("P7", "J11")
    lanes = europe().chart.lanes
    assert all(there in [lane.to for lane in lanes[here]] for here, there in itertools.pairwise(voyage.places))


@pytest.mark.parametrize(
    "event",
    [
        InvasionAnnounced("allies", "SHAEF", "P7", "N6", ROUTE),
        NavalFired("axis", "SHAEF", "allies", ("O7", "O6"), "N6", 6, SHOT, 1),
        SupportFired("allies", "N6", 6, SHOT, 1),
        PointsShipped("allies", 2, "P7", "J11", ("Atlantic",)),
        FortPointsLost("axis", 1, "N6", 1),
        FortLost("axis", 1, "N6", "losses", 2),
    ],
    ids=tag_of,
)
def test_what_was_told_of_the_sea_and_of_forts_shows(event: Event) -> None:
    nothing = SheetMissing("allies")  # has no place on the map, but the key is there
    assert map_png(channel(), [event]) != map_png(channel(), [nothing])


def test_losses_of_two_sides_in_one_hex_are_both_told() -> None:
    """The tag of the one does not hide that of the other."""
    one, other = ([PointsLost("axis", "B", "N6", count), PointsLost("allies", "SHAEF", "N6", 2)] for count in (1, 3))
    assert map_png(channel(), one) != map_png(channel(), other)


def test_the_key_names_the_sea_only_where_there_is_one() -> None:
    assert reader_of(channel()).at_sea
    assert not reader_of(at_the_start()).at_sea


def test_countries_known_to_join_a_side_are_marked() -> None:
    """HW-20.1: Italy joins the Axis in Spring 1940, the second turn."""
    view = GAME.view(GAME.setup("campaign-1", Options(fog="open")), "axis", "open")
    (italy,) = [row for row in view.politics if row.country == "Italy"]
    assert (italy.joins, italy.joins_on, tables().season_of(italy.joins_on)) == ("axis", 2, ("spring", 1940))
    others = tuple(row for row in view.politics if row != italy)
    assert map_png(msgspec.structs.replace(view, politics=others)) != map_png(view)


def test_the_record_sheet_tells_forts_ships_the_pool_and_lend_lease() -> None:
    view = msgspec.structs.replace(channel(strength=2, building=1), pool={"inf": 3})
    used = SeaTransportUsed("allies", {"to and from North America": 2}, {})
    drawn = drawn_on(view, "allies", [used, LendLeaseGiven("allies", 4, "U18")])
    assert (drawn["TO DEPLOY"], drawn["FORTS"], drawn["BUILT AND LOST"]) == ("3I", "nothing", "lent 4")
    assert "to and from North America 3 a turn (2 used)" in drawn["BY SEA"]
    assert drawn_on(view, "axis")["FORTS"] == "N6 Brest 2+1"
    assert not {"FORTS", "BY SEA", "TO DEPLOY", "HAVE JOINED"} & drawn_on(at_the_start(), "axis").keys()


def drawn_on(view: View, side: str, told: Sequence[Event] = ()) -> dict[str, str]:
    """The lists at the bottom of the picture of a record sheet, by their headings."""
    rows = abreast(record_sheet_of(view, side, told).entries)
    entries = [entry for row in rows for _, entry in row]
    return {entry.label.on("picture"): entry.words.on("picture").replace("\u00a0", " ") for entry in entries}


def test_a_fort_shows_its_side_its_points_and_whether_it_is_seen_now() -> None:
    known = [
        Fort("axis", "3"),
        Fort("axis", "4"),
        Fort("soviet", "3"),
        Fort("axis", "3", ghost=True),
        Fort("axis", "7-10"),
    ]
    drawn = {fort_sign(style(), fort, 107).image.tobytes() for fort in known}
    assert len(drawn) == len(known)


def test_the_picture_shows_the_armies_that_watch_each_other_over_the_sea() -> None:
    """Before D-Day nothing happens in the west, but there the next turn is decided."""
    state = overseas.position("fall-of-germany", "axis")
    overseas.put(state, "CENTER", "P14", inf=4)
    overseas.put(state, "WHITE", "P15", inf=4)
    east = active_part(GAME.view(state, "axis", "open"), Happenings())
    overseas.put(state, "B", "N6", inf=3)
    overseas.put(state, "BRITAIN", "P7", inf=3, amph=3)
    west, south, east_end, north = active_part(GAME.view(state, "axis", "open"), Happenings())
    assert east[0] > europe_atlas().middle("P8")[0]
    for place in ("N6", "P7", "P15"):
        x, y = europe_atlas().middle(place)
        assert west < x < east_end
        assert south < y < north
