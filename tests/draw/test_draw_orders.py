"""A player's orders drawn on his map: every order that can be drawn shows, and nothing shows that he cannot know."""

import io

import pytest
from PIL import Image, ImageChops, ImageDraw

from engine.game import Options
from engine.grand_strategy.drafted import Drafted, GivenUp, Move, Newcomer, Violation, Work
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.hidden import change_what_is_hidden
from pbem.draw.atlas import CORNERS
from pbem.draw.forts import FORT_AT
from pbem.draw.geometry import whole_sheet
from pbem.draw.paint import paint_board
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.key_to_orders import key_to_orders
from pbem.games.hitlers_war.orders_scene import newcomer_face, orders_scene, places_for_name
from pbem.games.hitlers_war.pictures import SCALE, orders_png
from pbem.games.hitlers_war.record import orders_in_words
from pbem.games.hitlers_war.style import style
from tests.barbarossa import GAME, barbarossa, run
from tests.gallery import FIRST_WINTER, position
from tests.hitlers_war.test_drafted import before_the_landing


def axis(fog: str = "fog") -> View:
    return GAME.view(barbarossa(fog=fog), "axis", fog)


def drafted(view: View, *lines: str) -> Drafted:
    """Of lines that can all be read."""
    sheet = GAME.parse("\n".join(lines), view)
    assert not [finding for finding in sheet.findings if finding.refuses]
    return GAME.drafted(view, sheet)


def drawn(view: View, *lines: str) -> bytes:
    return orders_png(view, drafted(view, *lines))


# ------------------------------------------------------------------ the sea


def at_sea() -> View:
    return GAME.view(before_the_landing(), "allies", "fog")


@pytest.mark.parametrize(
    "line", ["INVADE SHAEF N6", "SHIP 1I 8BR -> SHAEF", "GOTO 8BR P6", "FORT P7 1", "LENDLEASE U18 2", "SUPPORT N6"]
)
def test_every_order_of_the_sea_shows(line: str) -> None:
    before = ["INVADE SHAEF N6"] if line.startswith("SUPPORT") else []
    assert drawn(at_sea(), *before, line) != drawn(at_sea(), *before)


def test_a_deployment_shows_line_by_line() -> None:
    view = GAME.view(GAME.setup("fall-of-germany", Options(fog="fog")), "axis", "fog")
    assert drawn(view, "DEPLOY OKW P10 3I", "DEPLOY A K10 2I") != drawn(view, "DEPLOY OKW P10 3I")


def test_what_the_allies_cannot_know_changes_no_byte_of_their_landings() -> None:
    view, other = at_sea(), before_the_landing()
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, "allies", "fog", in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(before_the_landing())
    lines = "INVADE SHAEF N6", "SHIP 1I SHAEF -> 8BR"
    first, second = (drawn(each, *lines) for each in (view, GAME.view(other, "allies", "fog")))
    assert first == second


# ------------------------------------------------------------------ forts and countries


def in_the_campaign(side: str = "axis", gates: int = 0, fog: str = "fog") -> View:
    return GAME.view(position(gates, fog, "campaign-1"), side, fog)


def legal(*lines: str, view: View | None = None) -> Drafted:
    """Of lines that the rules refuse nothing of."""
    view = view or in_the_campaign()
    sheet = GAME.parse("\n".join(lines), view)
    assert not [finding for finding in (*sheet.findings, *GAME.check(view, sheet)) if finding.refuses]
    return GAME.drafted(view, sheet)


def board_with(drafted: Drafted, view: View) -> Image.Image:
    return paint_board(orders_scene(view, drafted), whole_sheet(europe_atlas(), SCALE), style()).picture


def hexes_marked(*lines: str, view: View | None = None) -> set[str]:
    """The hexes in which the board looks other than without these lines, all but their very edge."""
    view = view or in_the_campaign()
    one, other = (board_with(each, view) for each in (legal(*lines, view=view), legal(view=view)))
    changed = ImageChops.difference(one, other).convert("L").point([0] * 24 + [255] * 232)
    inside = Image.new("L", (SCALE, round(SCALE * 1.2)))
    middle = inside.width / 2, inside.height / 2
    ImageDraw.Draw(inside).polygon(
        [(middle[0] + x * SCALE * 0.96, middle[1] + y * SCALE * 0.96) for x, y in CORNERS["pointed"]], 255
    )
    found = set()
    for place in europe_atlas().hexes:
        x, y = whole_sheet(europe_atlas(), SCALE).centre(place)
        left, top = x - inside.width // 2, y - inside.height // 2
        part = changed.crop((left, top, left + inside.width, top + inside.height))
        if ImageChops.darker(part, inside).getbbox():
            found.add(place)
    return found


def key_of(*lines: str, view: View | None = None) -> list[str]:
    parts = key_to_orders(legal(*lines, view=view))
    return [entry.text for part in parts if part.heading == "ORDERS" for entry in part.entries]


POLAND = {"N13", "O13", "O14", "P12", "P13", "Q12"}


@pytest.mark.parametrize("name", ["1", "N9"])
def test_a_fort_that_is_given_up_is_crossed_out_in_its_hex_and_nowhere_else(name: str) -> None:
    """HW-14.2: by its number or its hex."""
    line = f"DISMANTLE FORT {name}"
    assert legal(line).given_up == (GivenUp("N9"),)
    assert hexes_marked(line) == {"N9"}
    assert key_of(line) == ["fort given up"]
    red = Image.new("RGB", (1, 1), style().red).getpixel((0, 0))
    x, y = whole_sheet(europe_atlas(), SCALE).centre("N9")
    fort_at = (round(x + FORT_AT[0] * SCALE), round(y + FORT_AT[1] * SCALE))
    board = board_with(legal(line), in_the_campaign())
    assert board.getpixel(fort_at) == red


def test_forces_of_a_new_ally_stand_where_they_are_to_appear_under_the_counter_that_is_named() -> None:
    """HW-20.4: Rumania brings two infantry and one mechanized."""
    found = legal("STANDING GIFT Rumania L14 Rumania")
    assert found.newcomers == (Newcomer("RUMANIA", "L14", "Rumania", {"inf": 2, "mech": 1}),)
    face = newcomer_face(in_the_campaign(), "axis", found.newcomers[0])
    assert (face.name, face.strength, face.hollow, face.ghost) == ("Rumania", "2I 1M", True, False)
    marked = hexes_marked("STANDING GIFT Rumania L14 Rumania")
    assert "L14" in marked
    assert {europe()[place].country for place in marked} == {"Rumania"}
    assert key_of("STANDING GIFT Rumania L14 Rumania") == ["forces of a new ally"]


def test_an_adopted_army_stands_under_its_new_counter_where_the_country_has_it() -> None:
    """D-45: Italy's army is in Milan at the start."""
    view = in_the_campaign("allies", 2)
    found = legal("STANDING ADOPT Italy AS 8Br", view=view)
    assert found.newcomers == (Newcomer("8BR", "L9", "Italy"),)
    assert view.armies["ITALY"].place == "L9"
    face = newcomer_face(view, "allies", found.newcomers[0])
    assert (face.name, face.strength, face.side, face.hollow) == ("8Br", "Italy", "allies", True)
    assert hexes_marked("STANDING ADOPT Italy AS 8Br", view=view) == {"L9"}
    assert key_of("STANDING ADOPT Italy AS 8Br", view=view) == ["army that joins you"]


def test_an_adopted_army_off_the_map_stands_in_its_box() -> None:
    line, view = "STANDING ADOPT United States AS C", in_the_campaign()
    assert legal(line).newcomers == (Newcomer("C", "US", "United States"),)
    assert not hexes_marked(line)
    assert drawn(view, line) != drawn(view)


def test_a_violated_country_has_a_border_in_all_of_its_hexes_and_in_no_other() -> None:
    found = legal("VIOLATE Poland")
    assert found.violations == (Violation("Poland", tuple(sorted(POLAND))),)
    assert hexes_marked("VIOLATE Poland") == POLAND
    assert key_of("VIOLATE Poland") == ["country violated"]


def test_to_violate_libya_is_to_violate_italy_and_its_name_stands_on_both_shores() -> None:
    view = in_the_campaign("allies", 2)
    (italy,) = legal("VIOLATE Libya", "VIOLATE Italy", view=view).violations
    assert italy.country == "Italy"
    countries = {europe()[place].country for place in italy.places}
    assert {"Italy", "Libya", "Albania"} <= countries
    named = [europe()[place].country for place in places_for_name(italy, (), ())]
    assert len(named) == 2
    assert "Libya" in named


def test_the_name_of_a_violated_country_avoids_armies_and_what_is_attacked() -> None:
    (poland,) = legal("VIOLATE Poland").violations
    assert places_for_name(poland, ("O13", "O14", "P13"), ("N13", "P12")) == ["Q12"]
    assert places_for_name(poland, tuple(POLAND - {"N13"}), ("N13",)) == ["N13"]


def test_a_violated_box_is_marked_beside_the_map() -> None:
    view = in_the_campaign("allies", 2, "open")
    line = "VIOLATE United States"
    assert legal(line, view=view).violations == (Violation("United States", ("US",)),)
    assert drawn(view, line) != drawn(view)


def test_what_the_axis_cannot_know_changes_no_byte_of_its_politics_drawn() -> None:
    state, other = (position(0, "fog", "campaign-1") for _ in range(2))
    view = GAME.view(state, "axis", "fog")
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, "axis", "fog", in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(state)
    first, second = (drawn(each, *FIRST_WINTER.splitlines()) for each in (view, GAME.view(other, "axis", "fog")))
    assert first == second


def test_what_is_built_in_a_box_stands_in_its_panel() -> None:
    """Not at the edge of the map, where it would hide a hex."""
    view = in_the_campaign("allies", 2)
    found = legal("BUILD 2I CANADA", view=view)
    assert found.works == (Work("CANADA", "build", {"inf": 2}),)
    assert not hexes_marked("BUILD 2I CANADA", view=view)
    assert drawn(view, "BUILD 2I CANADA") != drawn(view)


# ------------------------------------------------------------------ in words


def test_the_orders_are_told_in_words_too() -> None:
    told = orders_in_words(drafted(in_the_campaign(), *FIRST_WINTER.splitlines()))
    for words in (
        "Your orders of Winter 1939",
        "Fourth Army from P11 Stettin to P12 Warsaw, assault, advance",
        "Exploitation: Army Group South to P13 Białystok.",
        "N10 Munich +1F",
        "Forts given up: N9 Stuttgart.",
        "If Rumania joins you, its forces, 2I 1M, appear in L14 Bucharest as Rumanian Army.",
        "If the United States joins you, its army in the United States becomes Army Group C.",
        "Poland is to be violated: N13 Lwów, O13 Kraków, O14 Lutsk, P12 Warsaw, P13 Białystok and Q12 Danzig.",
    ):
        assert words in told
    assert "VIOLATE" not in told


def test_landings_retreats_and_what_could_not_be_drawn_are_told_in_words() -> None:
    lines = ["INVADE SHAEF N6 SAVE", "SHIP 1I SHAEF -> 8BR", "SUPPORT N6", "REPAIR P7", "LOSSES ALL TYPES I,M"]
    told = orders_in_words(drafted(at_sea(), *lines, "STANDING RETREAT SHAEF AVOID P6"))
    for words in (
        "By sea: P7 London to J11 Taranto.",
        "Landings: Allied Supreme Command from P7 London to N6 Brest.",
        "P7 London never to P6 Plymouth",
        "Ships support N6 Brest.",
        "P7 London repair.",
        "Also ordered: LOSSES ALL TYPES I,M.",
    ):
        assert words in told


# ------------------------------------------------------------------ the picture


@pytest.mark.parametrize(
    "line",
    [
        "GOTO Center P12",
        "ATTACK Center P14 ASSAULT",
        "ATTACK Center P14 ADVANCE",
        "ATTACK Center P14 ASSAULT ADVANCE",
        "ATTACK Center P14 ADVANCE IF RANGE>=3",
        "ATTACK Center P14 ASSAULT-IF RANGE<3 ADVANCE",
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15",
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center (P15|O15 IF DEF O15<2)",
        "STANDING RETREAT Center TO P12",
        "STANDING RETREAT Center TOWARD P10",
        "STANDING RETREAT Center AVOID P12",
        "BUILD 2I P10",
        "REPAIR L12",
        "LOSSES ALL TYPES I,M",
    ],
)
def test_every_order_shows(line: str) -> None:
    *before, last = line.split("\n")
    assert drawn(axis(), *before, last) != drawn(axis(), *before)


def test_the_picture_is_cut_out_to_where_the_orders_are() -> None:
    picture = Image.open(io.BytesIO(drawn(axis(), "ATTACK Center P14 ASSAULT ADVANCE")))
    assert picture.mode == "P"
    assert min(picture.size) >= 900
    assert max(picture.size) <= 2100


@pytest.mark.parametrize("fog", ["veiled", "fog"])
def test_what_a_side_cannot_know_changes_no_byte_of_its_drawn_orders(fog: str) -> None:
    state, other = barbarossa(fog=fog), barbarossa(fog=fog)
    view = GAME.view(state, "axis", fog)
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, "axis", fog, in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(state)
    lines = "ATTACK Center P14 ASSAULT ADVANCE", "EXPLOIT Center P15 Q16", "BUILD 1M P10"
    first, second = (drawn(each, *lines) for each in (view, GAME.view(other, "axis", fog)))
    assert first == second


def test_a_way_to_a_box_off_the_map_ends_at_the_edge_of_the_picture() -> None:
    state, _ = run(barbarossa(fog="open"), {"axis": ""})
    view = GAME.view(state, "soviet", "open")
    assert drafted(view, "GOTO Moscow SIBERIA").moves == (Move("Q17", "SIBERIA"),)
    assert drawn(view, "GOTO Moscow SIBERIA") != drawn(view)
