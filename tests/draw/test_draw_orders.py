"""A player's orders drawn on his map: every order that can be drawn shows, and nothing shows that he cannot know."""

import io
from itertools import pairwise

import msgspec
import pytest
from PIL import Image, ImageChops, ImageDraw

from engine.game import Options
from engine.grand_strategy.state import State
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.hidden import change_what_is_hidden
from engine.orders import Finding, Kind
from pbem.draw.atlas import CORNERS
from pbem.draw.forts import FORT_AT
from pbem.draw.geometry import whole_sheet
from pbem.draw.paint import paint_board
from pbem.draw.plan import Assault, Leg, Move, Newcomer, Plan, Retreat, Violation, Voyage
from pbem.draw.planning import plan_of
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.key_to_orders import key_to_orders
from pbem.games.hitlers_war.orders_scene import newcomer_face, orders_scene, places_for_name
from pbem.games.hitlers_war.pictures import SCALE, orders_png
from pbem.games.hitlers_war.record import orders_alt_text
from pbem.games.hitlers_war.style import style
from tests import overseas
from tests.barbarossa import GAME, barbarossa, run
from tests.gallery import FIRST_WINTER, position


def axis(fog: str = "fog") -> View:
    return GAME.view(barbarossa(fog=fog), "axis", fog)


def plan(*lines: str, findings: tuple[Finding, ...] = ()) -> Plan:
    view = axis()
    sheet = GAME.parse("\n".join(lines), view)
    assert not [finding for finding in sheet.findings if finding.refuses]
    return plan_of(view, sheet, findings)


def drawn(*lines: str) -> bytes:
    view = axis()
    return orders_png(view, GAME.parse("\n".join(lines), view))


# ------------------------------------------------------------------ what a sheet would do


def test_an_army_that_goes_elsewhere_attacks_from_there() -> None:
    found = plan("GOTO Center P12", "ATTACK Center P13 ASSAULT")
    assert found.armies["CENTER"].place == "P12"
    assert found.moves == [Move(axis().armies["CENTER"].place, "P12")]
    assert found.assaults == [Assault("CENTER", "P12", "P13", fires=True, advances=False)]


def test_points_handed_over_change_both_counters() -> None:
    before = axis().armies
    found = plan("XFER 1I Center -> South")
    gave, took = (found.armies[army].points or {} for army in ("CENTER", "SOUTH"))
    assert gave["inf"] == (before["CENTER"].points or {})["inf"] - 1
    assert took["inf"] == (before["SOUTH"].points or {}).get("inf", 0) + 1


def test_a_new_army_stands_where_it_is_formed_and_a_dissolved_one_is_gone() -> None:
    formed = plan("FORM B P11 1I FROM Center").armies["B"]
    assert (formed.place, formed.points, formed.strength) == ("P11", {"inf": 1}, 1)
    assert "NORTH" not in plan("DISBAND North INTO Center").armies


def test_conditions_of_an_attack_are_kept_apart() -> None:
    found = plan("ATTACK Center P14 ASSAULT-IF RANGE<4 ADVANCE IF RANGE>=3").assaults[0]
    assert (found.fires, found.fires_if, found.advances, found.advances_if) == (True, True, True, True)


def test_an_exploitation_goes_on_from_the_hex_that_is_attacked() -> None:
    """Of the two hexes of the branch only Q16 touches R16."""
    found = plan("ATTACK Center P14 ADVANCE", "EXPLOIT Center P15 (Q16|Q15 IF DEF Q15<2) R16")
    assert found.legs == [
        Leg("CENTER", 1, "P14", "P15"),
        Leg("CENTER", 2, "P15", "Q16", open=True),
        Leg("CENTER", 2, "P15", "Q15", open=True),
        Leg("CENTER", 3, "Q16", "R16", open=True),
    ]


def test_a_return_leads_back_to_where_the_army_came_from() -> None:
    found = plan("ATTACK Center P14 ADVANCE", "EXPLOIT Center P15 RETURN")
    assert [(leg.origin, leg.place) for leg in found.legs] == [("P14", "P15"), ("P15", "P14")]


def test_retreats_of_one_army_are_drawn_and_those_of_all_are_told() -> None:
    found = plan("STANDING RETREAT Center TO P12,O12", "STANDING RETREAT ALL TOWARD P10")
    here = axis().armies["CENTER"].place
    assert found.retreats == [Retreat(here, "P12", 1), Retreat(here, "O12", 2)]
    assert found.untold == ["RETREAT ALL TOWARD P10"]


def test_new_and_repaired_points_stand_in_their_hex() -> None:
    found = plan("BUILD 2I P10", "BUILD 1M P10 OR O10", "BUILD MAX I ANY", "REPAIR L12 1")
    assert found.works == {"P10": ["+2I", "+1M"], "L12": ["⚒1"]}
    assert found.untold == ["BUILD MAX I ANY"]


def test_refused_lines_are_not_drawn() -> None:
    refusal = Finding(Kind.ILLEGAL, 2, "because")
    found = plan("ATTACK Center P14 ASSAULT", "ATTACK North R13 ASSAULT", findings=(refusal,))
    assert [each.army for each in found.assaults] == ["CENTER"]


# ------------------------------------------------------------------ the sea


def before_the_landing() -> State:
    """1944: the Allies hold Britain and southern Italy, the Axis what lies between."""
    state = overseas.position("fall-of-germany", "allies", fog="fog")
    overseas.put(state, "SHAEF", "P7", inf=2, mech=1, amph=3)
    overseas.put(state, "8BR", "J11", inf=3)
    overseas.put(state, "B", "N6", inf=4)
    overseas.put(state, "SOUTH", "N15", inf=4)
    overseas.put_fort(state, "N6", 2)
    return state


def at_sea() -> View:
    return GAME.view(before_the_landing(), "allies", "fog")


def sea_plan(*lines: str) -> Plan:
    view = at_sea()
    sheet = GAME.parse("\n".join(lines), view)
    assert not [finding for finding in sheet.findings if finding.refuses]
    return plan_of(view, sheet)


def test_a_landing_sails_by_the_way_the_rules_choose_and_fires_unless_it_saves_its_fire() -> None:
    """D-06: from London to Brest over the hexsides of the Channel that are all sea."""
    landing = sea_plan("INVADE SHAEF N6").voyages[0]
    assert (landing.places[0], landing.places[-1], landing.lands, landing.fires) == ("P7", "N6", True, True)
    lanes = europe().chart.lanes
    assert all(there in [lane.to for lane in lanes[here]] for here, there in pairwise(landing.places))
    assert sea_plan("INVADE SHAEF N6 SAVE").voyages == [Voyage(landing.places, "SHAEF")]


def test_a_landing_sails_by_the_route_that_is_laid_down() -> None:
    (landing,) = sea_plan("ROUTE SHAEF P7 O7 O6 N6", "INVADE SHAEF N6").voyages
    assert landing.places == ("P7", "O7", "O6", "N6")


def test_an_army_that_has_landed_exploits_from_there() -> None:
    assert sea_plan("INVADE SHAEF N6", "EXPLOIT SHAEF N7").legs == [Leg("SHAEF", 1, "N6", "N7")]


def test_shipped_points_change_both_counters_and_sail_between_them() -> None:
    found = sea_plan("SHIP 1I 8BR -> SHAEF")
    (voyage,) = found.voyages
    assert (voyage.places[0], voyage.places[-1], voyage.lands) == ("J11", "P7", False)
    assert "H4" in voyage.places or "H3" in voyage.places  # past Gibraltar
    assert (found.armies["SHAEF"].points or {})["inf"] == 3


def test_points_sail_the_sea_that_is_named_though_land_would_do() -> None:
    """D-06: along the Soviet coast of the Black Sea."""
    state = overseas.position("fall-of-germany", "soviet", fog="fog")
    overseas.put(state, "CAUCASUS", "K18", inf=2)
    overseas.put(state, "KIEV", "M17", inf=1)
    view = GAME.view(state, "soviet", "fog")
    (voyage,) = plan_of(view, GAME.parse("SHIP 1I Caucasus -> Kiev VIA BLACK", view)).voyages
    assert (voyage.places[0], voyage.places[-1], len(voyage.places)) == ("K18", "M17", 4)  # not round the coast
    lanes = europe().chart.lanes
    for here, there in pairwise(voyage.places):
        assert [lane.water for lane in lanes[here] if lane.to == there] == ["Black Sea"]


def test_a_move_that_no_land_joins_is_a_voyage() -> None:
    found = sea_plan("GOTO 8BR P6")
    assert found.moves == []
    assert (found.voyages[0].places[0], found.voyages[0].places[-1]) == ("J11", "P6")
    assert sea_plan("GOTO SHAEF Q7").moves == [Move("P7", "Q7")]


def test_works_stand_in_their_hex_and_ships_support_a_coast() -> None:
    found = sea_plan("INVADE SHAEF N6", "SUPPORT N6", "LENDLEASE U18 2", "FORT P7 1")
    assert found.works == {"U18": ["lend 2"], "P7": ["+1F"]}
    assert found.bombarded == ["N6"]


def test_deployed_armies_stand_where_they_begin_and_the_pool_shrinks() -> None:
    view = GAME.view(GAME.setup("fall-of-germany", Options(fog="fog")), "axis", "fog")
    sheet = GAME.parse("DEPLOY OKW P10 3I\nDEPLOY OKW P10 1M\nDEPLOY A K10 2I", view)
    found = plan_of(view, sheet)
    assert found.armies["OKW"].points == {"inf": 3, "mech": 1}
    assert found.deployed == ["P10", "K10"]
    assert found.pool == {"inf": view.pool["inf"] - 5, "mech": view.pool["mech"] - 1}
    assert orders_png(view, sheet) != orders_png(view, GAME.parse("DEPLOY OKW P10 3I", view))


@pytest.mark.parametrize(
    "line", ["INVADE SHAEF N6", "SHIP 1I 8BR -> SHAEF", "GOTO 8BR P6", "FORT P7 1", "LENDLEASE U18 2", "SUPPORT N6"]
)
def test_every_order_of_the_sea_shows(line: str) -> None:
    view = at_sea()
    assert orders_png(view, GAME.parse(line, view)) != orders_png(view, GAME.parse("", view))


def test_what_the_allies_cannot_know_changes_no_byte_of_their_landings() -> None:
    view, other = at_sea(), before_the_landing()
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, "allies", "fog", in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(before_the_landing())
    text = "INVADE SHAEF N6\nSHIP 1I 8BR -> SHAEF"
    first, second = (orders_png(each, GAME.parse(text, each)) for each in (view, GAME.view(other, "allies", "fog")))
    assert first == second


# ------------------------------------------------------------------ forts and countries


def in_the_campaign(side: str = "axis", gates: int = 0, fog: str = "fog") -> View:
    return GAME.view(position(gates, fog, "campaign-1"), side, fog)


def political_plan(*lines: str, view: View | None = None) -> Plan:
    view = view or in_the_campaign()
    sheet = GAME.parse("\n".join(lines), view)
    assert not [finding for finding in (*sheet.findings, *GAME.check(view, sheet)) if finding.refuses]
    return plan_of(view, sheet)


def board_with(plan: Plan, view: View) -> Image.Image:
    return paint_board(orders_scene(view, plan), whole_sheet(europe_atlas(), SCALE), style()).picture


def hexes_marked(*lines: str, view: View | None = None) -> set[str]:
    """The hexes in which the board looks other than without these lines, all but their very edge."""
    view = view or in_the_campaign()
    one, other = (board_with(plan, view) for plan in (political_plan(*lines, view=view), political_plan(view=view)))
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
    parts = key_to_orders(political_plan(*lines, view=view))
    return [entry.text for part in parts if part.heading == "ORDERS" for entry in part.entries]


POLAND = {"N13", "O13", "O14", "P12", "P13", "Q12"}


@pytest.mark.parametrize("name", ["1", "N9"])
def test_a_fort_that_is_given_up_is_crossed_out_in_its_hex_and_nowhere_else(name: str) -> None:
    """HW-14.2: by its number or its hex."""
    line = f"DISMANTLE FORT {name}"
    assert political_plan(line).given_up == ["N9"]
    assert hexes_marked(line) == {"N9"}
    assert key_of(line) == ["fort given up"]
    red = Image.new("RGB", (1, 1), style().red).getpixel((0, 0))
    x, y = whole_sheet(europe_atlas(), SCALE).centre("N9")
    fort_at = (round(x + FORT_AT[0] * SCALE), round(y + FORT_AT[1] * SCALE))
    board = board_with(political_plan(line), in_the_campaign())
    assert board.getpixel(fort_at) == red


def test_forces_of_a_new_ally_stand_where_they_are_to_appear_under_the_counter_that_is_named() -> None:
    """HW-20.4: Rumania brings two infantry and one mechanized."""
    plan = political_plan("STANDING GIFT Rumania L14 Rumania")
    assert plan.newcomers == [Newcomer("RUMANIA", "L14", "Rumania", {"inf": 2, "mech": 1})]
    face = newcomer_face(in_the_campaign(), "axis", plan.newcomers[0])
    assert (face.name, face.strength, face.hollow, face.ghost) == ("Rumania", "2I 1M", True, False)
    marked = hexes_marked("STANDING GIFT Rumania L14 Rumania")
    assert "L14" in marked
    assert {europe()[place].country for place in marked} == {"Rumania"}
    assert key_of("STANDING GIFT Rumania L14 Rumania") == ["forces of a new ally"]


def test_without_a_counter_the_forces_of_a_new_ally_take_the_one_the_rules_would() -> None:
    """D-43: Rumania's own if it is free, else any free one, and none of those on the map."""
    view = in_the_campaign()
    assert political_plan("STANDING GIFT Rumania L14").newcomers[0].army == "RUMANIA"
    finland = political_plan("STANDING GIFT Finland U14").newcomers[0]
    assert finland.army in view.free_armies
    assert finland.army not in view.armies


def test_forces_that_join_an_army_are_new_points_of_it() -> None:
    view = in_the_campaign()
    there = msgspec.structs.replace(view.armies["SOUTH"], place="L14")
    plan = political_plan(
        "STANDING GIFT Rumania L14 South", view=msgspec.structs.replace(view, armies={"SOUTH": there})
    )
    assert (plan.newcomers, plan.works) == ([], {"L14": ["+2I 1M Rumania"]})


def test_an_adopted_army_stands_under_its_new_counter_where_the_country_has_it() -> None:
    """D-45: Italy's army is in Milan at the start."""
    view = in_the_campaign("allies", 2)
    plan = political_plan("STANDING ADOPT Italy AS 8Br", view=view)
    assert plan.newcomers == [Newcomer("8BR", "L9", "Italy")]
    assert view.armies["ITALY"].place == "L9"
    face = newcomer_face(view, "allies", plan.newcomers[0])
    assert (face.name, face.strength, face.side, face.hollow) == ("8Br", "Italy", "allies", True)
    assert hexes_marked("STANDING ADOPT Italy AS 8Br", view=view) == {"L9"}
    assert key_of("STANDING ADOPT Italy AS 8Br", view=view) == ["army that joins you"]


def test_an_adopted_army_off_the_map_stands_in_its_box() -> None:
    line, view = "STANDING ADOPT United States AS C", in_the_campaign()
    assert political_plan(line).newcomers == [Newcomer("C", "US", "United States")]
    assert not hexes_marked(line)
    assert orders_png(view, GAME.parse(line, view)) != orders_png(view, GAME.parse("", view))


@pytest.mark.parametrize("line", ["STANDING ADOPT Italy AS SHAEF", "STANDING GIFT Rumania L14"])
def test_what_waits_for_a_country_that_has_joined_already_is_told_in_words(line: str) -> None:
    view = in_the_campaign("allies" if "ADOPT" in line else "axis", 30)
    plan = plan_of(view, GAME.parse(line, view))
    assert (plan.newcomers, plan.untold) == ([], [line.removeprefix("STANDING ")])


def test_a_violated_country_has_a_border_in_all_of_its_hexes_and_in_no_other() -> None:
    plan = political_plan("VIOLATE Poland")
    assert plan.violations == [Violation("Poland", tuple(sorted(POLAND)))]
    assert hexes_marked("VIOLATE Poland") == POLAND
    assert key_of("VIOLATE Poland") == ["country violated"]


def test_to_violate_libya_is_to_violate_italy_and_its_name_stands_on_both_shores() -> None:
    view = in_the_campaign("allies", 2)
    (italy,) = political_plan("VIOLATE Libya", "VIOLATE Italy", view=view).violations
    assert italy.country == "Italy"
    countries = {europe()[place].country for place in italy.places}
    assert {"Italy", "Libya", "Albania"} <= countries
    named = [europe()[place].country for place in places_for_name(italy, (), ())]
    assert len(named) == 2
    assert "Libya" in named


def test_the_name_of_a_violated_country_avoids_armies_and_what_is_attacked() -> None:
    (poland,) = political_plan("VIOLATE Poland").violations
    assert places_for_name(poland, ("O13", "O14", "P13"), ("N13", "P12")) == ["Q12"]
    assert places_for_name(poland, tuple(POLAND - {"N13"}), ("N13",)) == ["N13"]


def test_a_violated_box_is_marked_beside_the_map() -> None:
    view = in_the_campaign("allies", 2, "open")
    line = "VIOLATE United States"
    assert political_plan(line, view=view).violations == [Violation("United States", ("US",))]
    assert orders_png(view, GAME.parse(line, view)) != orders_png(view, GAME.parse("", view))


def test_what_the_axis_cannot_know_changes_no_byte_of_its_politics_drawn() -> None:
    state, other = (position(0, "fog", "campaign-1") for _ in range(2))
    view = GAME.view(state, "axis", "fog")
    in_sight = [place for place, known in view.places.items() if known.in_sight]
    change_what_is_hidden(other, "axis", "fog", in_sight, lambda below: 7 % below)
    assert GAME.encode(other) != GAME.encode(state)
    first, second = (
        orders_png(each, GAME.parse(FIRST_WINTER, each)) for each in (view, GAME.view(other, "axis", "fog"))
    )
    assert first == second


def test_what_is_built_in_a_box_stands_in_its_panel() -> None:
    """Not at the edge of the map, where it would hide a hex."""
    view = in_the_campaign("allies", 2)
    plan = political_plan("BUILD 2I CANADA", view=view)
    assert (plan.works, plan.places()) == ({"CANADA": ["+2I"]}, set())
    assert not hexes_marked("BUILD 2I CANADA", view=view)
    assert orders_png(view, GAME.parse("BUILD 2I CANADA", view)) != orders_png(view, GAME.parse("", view))


# ------------------------------------------------------------------ in words


def test_the_orders_are_told_in_words_too() -> None:
    view = in_the_campaign()
    sheet = GAME.parse(FIRST_WINTER, view)
    told = orders_alt_text(view, sheet, GAME.check(view, sheet))
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
    view = at_sea()
    lines = ["INVADE SHAEF N6 SAVE", "SHIP 1I 8BR -> SHAEF", "SUPPORT N6", "REPAIR P7", "LOSSES ALL TYPES I,M"]
    told = orders_alt_text(view, GAME.parse("\n".join([*lines, "STANDING RETREAT SHAEF AVOID P6"]), view), ())
    for words in (
        "By sea: J11 Taranto to P7 London.",
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
    assert drawn(line) != drawn(line.rpartition("\n")[0])


def test_the_picture_is_cut_out_to_where_the_orders_are() -> None:
    picture = Image.open(io.BytesIO(drawn("ATTACK Center P14 ASSAULT ADVANCE")))
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
    text = "ATTACK Center P14 ASSAULT ADVANCE\nEXPLOIT Center P15 Q16\nBUILD 1M P10"
    first, second = (
        orders_png(each, sheet, GAME.check(each, sheet))
        for each in (view, GAME.view(other, "axis", fog))
        for sheet in (GAME.parse(text, each),)
    )
    assert first == second


def test_a_way_to_a_box_off_the_map_ends_at_the_edge_of_the_picture() -> None:
    state, _ = run(barbarossa(fog="open"), {"axis": ""})
    view = GAME.view(state, "soviet", "open")
    sheet = GAME.parse("GOTO Moscow SIBERIA", view)
    assert plan_of(view, sheet).moves == [Move("Q17", "SIBERIA")]
    assert orders_png(view, sheet) != orders_png(view, GAME.parse("", view))
