"""The four set-ups: what is friendly to whom, what it produces, and which armies stand there."""

import re
from collections import Counter
from pathlib import Path

import pytest

import engine.load
from engine.game import Scenario, ThereIsNoSuchScenario
from engine.grand_strategy.scenario import ScenarioData
from engine.hitlers_war.europe import countries, europe, western_libya
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.scenario import load_scenario, scenario_ids
from engine.hitlers_war.tables import tables
from engine.load import data_path, load_yaml

BOARD = europe()
BARBAROSSA = load_scenario("barbarossa")
FALL = load_scenario("fall-of-germany")
CAMPAIGN_1 = load_scenario("campaign-1")
CAMPAIGN_2 = load_scenario("campaign-2")
ALL = [BARBAROSSA, FALL, CAMPAIGN_1, CAMPAIGN_2]
every_scenario = pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.id)


def working(scenario: ScenarioData, side: str) -> int:
    """Points that work for a side at the start, counted hex by hex (HW-11.1)."""
    total = 0
    for place in set(scenario.friendly[side].places(BOARD)):
        if BOARD[place].is_box:
            total += scenario.box_production(BOARD, place, scenario.first_turn)
        else:
            total += BOARD[place].production - scenario.devastated.get(place, 0)
    choice = scenario.ruined_choice
    if choice and choice.side == side:
        total -= choice.points
    return min(total, scenario.production_cap.get(side, total))


def strength(scenario: ScenarioData, side: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for army in scenario.armies.values():
        if army.side == side:
            total.update({kind: getattr(army, kind) for kind in ("inf", "mech", "tac", "para", "amph")})
    if side in scenario.pools:
        pool = scenario.pools[side]
        total.update({"inf": pool.inf, "mech": pool.mech, "amph": pool.amph})
    total["fort"] += sum(fort.strength for fort in scenario.forts if fort.side == side)
    return +total


# ------------------------------------------------------------------ all of them


def test_the_scenarios_are_the_files() -> None:
    files = {path.stem for path in data_path("hitlers-war", "scenarios").glob("*.yaml")}
    assert set(scenario_ids()) == files
    assert [load_scenario(scenario).level for scenario in scenario_ids()] == [1, 2, 3, 4]


def test_unknown_scenario() -> None:
    with pytest.raises(ThereIsNoSuchScenario, match="there are: barbarossa, fall-of-germany"):
        load_scenario("citadel")


@pytest.mark.parametrize(
    ("scenario", "side", "points"),
    [
        (BARBAROSSA, "axis", 34),
        (BARBAROSSA, "soviet", 16),
        (FALL, "axis", 30),
        (FALL, "soviet", 23),
        (FALL, "allies", 35),
        (CAMPAIGN_1, "axis", 16),
        (CAMPAIGN_1, "soviet", 8),
        (CAMPAIGN_1, "allies", 23),
        (CAMPAIGN_2, "axis", 16),
        (CAMPAIGN_2, "soviet", 8),
        (CAMPAIGN_2, "allies", 23),
    ],
)
def test_production_at_start(scenario: ScenarioData, side: str, points: int) -> None:
    """HW-39.5: the printed totals come out of the map."""
    assert working(scenario, side) == scenario.production_at_start[side] == points


@every_scenario
def test_friendly_areas_do_not_overlap(scenario: ScenarioData) -> None:
    held = [place for area in (*scenario.friendly.values(), scenario.neutral) for place in area.places(BOARD)]
    assert max(Counter(held).values()) == 1


@every_scenario
def test_everything_named_is_on_the_board(scenario: ScenarioData) -> None:
    for area in (*scenario.friendly.values(), scenario.neutral):
        assert set(area.countries) <= set(countries())
        assert {*area.hexes, *area.boxes, *area.without} <= set(BOARD.places)
        assert all(BOARD[box].is_box for box in area.boxes)
        assert not any(BOARD[place].is_box for place in area.hexes)
        assert all(BOARD[place].has_land for place in area.places(BOARD))
    builders = {country for names in scenario.build_countries.values() for country in names}
    assert builders <= {place.country for place in BOARD.places.values()}


@every_scenario
def test_every_place_with_land_has_an_owner(scenario: ScenarioData) -> None:
    owners = scenario.owners(BOARD)
    assert set(owners) == {place.id for place in BOARD.places.values() if place.has_land}
    assert set(owners.values()) <= {*scenario.sides, "neutral", "unaligned"}


@every_scenario
def test_armies_and_forts_stand_in_friendly_places(scenario: ScenarioData) -> None:
    owners = scenario.owners(BOARD)
    for id_, army in scenario.armies.items():
        assert id_ in tables().army_names[army.side]
        assert owners[army.place] == ("unaligned" if army.waits_for else army.side), id_
        if army.waits_for:
            assert BOARD[army.place].country == army.waits_for
    for fort in scenario.forts:
        assert owners[fort.place] == fort.side


@every_scenario
def test_nothing_is_overstacked(scenario: ScenarioData) -> None:
    """HW-7.1, tac air not counted; a fort and an army count together, a box holds any number."""
    stacked: Counter[str] = Counter()
    for army in scenario.armies.values():
        stacked[army.place] += army.inf + army.mech + army.para + army.amph
    for fort in scenario.forts:
        stacked[fort.place] += fort.strength
    assert all(points <= 10 for place, points in stacked.items() if not BOARD[place].is_box)


@every_scenario
def test_totals(scenario: ScenarioData) -> None:
    assert {side: dict(strength(scenario, side)) for side in scenario.sides} == scenario.totals
    used = {kind for total in scenario.totals.values() for kind in total}
    assert used <= set(scenario.unit_types)


@every_scenario
def test_devastation_is_never_more_than_there_is(scenario: ScenarioData) -> None:
    for place, points in scenario.devastated.items():
        assert 0 < points <= BOARD[place].production


@every_scenario
def test_fort_numbers_are_unique_and_at_most_seven(scenario: ScenarioData) -> None:
    for side in scenario.sides:
        numbers = [fort.number for fort in scenario.forts if fort.side == side]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) <= 7


@every_scenario
def test_the_theatre_shows_every_army(scenario: ScenarioData) -> None:
    letters, (first, last) = scenario.theatre.letters, scenario.theatre.columns
    for army in scenario.armies.values():
        if not BOARD[army.place].is_box:
            assert army.place[0] in letters
            assert first <= int(army.place[1:]) <= last
    assert letters[-1] == "X"
    assert last == 21


# ------------------------------------------------------------------ Barbarossa


def test_barbarossa_in_outline() -> None:
    assert (BARBAROSSA.sides, BARBAROSSA.first_turn, BARBAROSSA.last_turn) == (("axis", "soviet"), 6, 13)
    assert BARBAROSSA.unit_types == ("inf", "mech")
    assert BARBAROSSA.others == "neutral"
    assert BARBAROSSA.build_countries == {"axis": ("Germany",), "soviet": ("Soviet Union",)}
    assert BARBAROSSA.sea_transport == ""


def test_barbarossa_armies() -> None:
    found = {id_: (army.side, army.place, army.inf, army.mech) for id_, army in BARBAROSSA.armies.items()}
    assert found == {
        "NORTH": ("axis", "Q13", 5, 5),
        "FOURTH": ("axis", "P13", 5, 0),
        "CENTER": ("axis", "O14", 2, 8),
        "SOUTH": ("axis", "N13", 3, 7),
        "RUMANIA": ("axis", "L14", 6, 0),
        "MOSCOW": ("soviet", "Q17", 2, 2),
        "LENIN": ("soviet", "T15", 3, 0),
        "BALTIC": ("soviet", "R13", 3, 1),
        "NW": ("soviet", "Q14", 3, 1),
        "SWEST": ("soviet", "P14", 3, 1),
        "SW": ("soviet", "O15", 3, 1),
        "KIEV": ("soviet", "N14", 3, 1),
        "SIBERIA": ("soviet", "SIBERIA", 2, 3),
    }
    assert strength(BARBAROSSA, "axis") == {"inf": 21, "mech": 20}
    assert strength(BARBAROSSA, "soviet") == {"inf": 22, "mech": 10}


def test_barbarossa_axis_areas() -> None:
    owners = BARBAROSSA.owners(BOARD)
    axis = {place for place, owner in owners.items() if owner == "axis"}
    assert {"H10", "J8", "J12", "G14", "K9", "X15"} <= axis  # Sicily, Sardinia, Albania, Crete, Corsica, Petsamo
    assert axis & set(BOARD.of_country("Libya")) == set(western_libya())
    assert owners["D13"] == owners["D15"] == owners["F16"] == "neutral"  # Libya's east, Suez, Lebanon
    assert owners["T12"] == owners["M10"] == owners["P7"] == owners["US"] == "neutral"


def test_barbarossa_soviet_areas() -> None:
    owners = BARBAROSSA.owners(BOARD)
    soviet = {place for place, owner in owners.items() if owner == "soviet"}
    assert soviet == {*BOARD.of_country("Soviet Union", "Baltic States"), "SIBERIA"}


def test_barbarossa_devastation() -> None:
    """HW-15.2: all of Yugoslavia and Greece, and three French points for good."""
    ruined = {place: BOARD[place].production for place in BOARD.of_country("Yugoslavia", "Greece")}
    assert BARBAROSSA.devastated == {place: points for place, points in ruined.items() if points}
    choice = BARBAROSSA.ruined_choice
    assert choice is not None
    assert (choice.side, choice.country, choice.points) == ("axis", "France", 3)
    assert choice.default == ("M8", "L8", "N8")
    assert sum(BOARD[place].production for place in choice.default) == 3
    assert {BOARD[place].country for place in choice.default} == {"France"}


def test_barbarossa_reduction() -> None:
    assert BARBAROSSA.reduction == {"axis": 17}
    assert working(BARBAROSSA, "axis") - BARBAROSSA.reduction["axis"] == 17


def test_siberia_grows() -> None:
    """HW-15.7: nothing on the first turn, 8 from Winter 1941, 12 from Spring 1943."""
    by_turn = [BARBAROSSA.box_production(BOARD, "SIBERIA", turn) for turn in range(6, 14)]
    assert by_turn == [0, 8, 8, 8, 8, 12, 12, 12]
    assert BARBAROSSA.locked == {"SIBERIA": 6}
    assert FALL.box_production(BOARD, "SIBERIA", 14) == 12
    assert FALL.box_production(BOARD, "INDIA", 14) == 2


def test_barbarossa_victory() -> None:
    """HW-15.8: Leningrad, Moscow and Stalingrad for the Axis, Berlin or the end of the war for the Soviet side."""
    assert BARBAROSSA.victory["take_all"] == {"axis": ["T15", "Q17", "M19"], "soviet": ["P10"]}
    assert BARBAROSSA.victory["otherwise"] == "soviet"


def test_the_barbarossa_theatre_holds_the_whole_war() -> None:
    """Of all that the two sides hold and that produces, only Brest and Paris are left out."""
    letters, (first, last) = BARBAROSSA.theatre.letters, BARBAROSSA.theatre.columns

    def outside(places: list[str]) -> set[str]:
        return {
            place
            for place in places
            if not BOARD[place].is_box and not (place[0] in letters and first <= int(place[1:]) <= last)
        }

    fought_over = ["Germany", "Soviet Union", "Baltic States", "Poland", "Finland", "Rumania", "Hungary", "Bulgaria"]
    assert not outside(BOARD.of_country(*fought_over, "Yugoslavia", "Greece", "Italy", "Denmark", "Norway"))
    held = [place for place, owner in BARBAROSSA.owners(BOARD).items() if owner in BARBAROSSA.sides]
    assert {place for place in outside(held) if BOARD[place].production} == {"N6", "N7"}


# ------------------------------------------------------------------ the others


def test_fall_of_germany_in_outline() -> None:
    assert (FALL.sides, FALL.first_turn, FALL.last_turn) == (("axis", "soviet", "allies"), 14, 19)
    assert not FALL.armies
    assert strength(FALL, "axis") == {"inf": 29, "mech": 14, "fort": 12}
    assert strength(FALL, "soviet") == {"inf": 40, "mech": 16, "fort": 2}
    assert strength(FALL, "allies") == {"inf": 28, "mech": 12, "amph": 12}
    assert FALL.victory["soviet_share_of_allied_points"] == "2/3"
    assert FALL.victory["capitals_that_count"] == ["P10"]


def test_fall_of_germany_forts() -> None:
    found = {(fort.side, fort.number): (fort.place, fort.strength) for fort in FALL.forts}
    assert found == {
        ("axis", 1): ("N9", 2),
        ("axis", 2): ("O10", 2),
        ("axis", 3): ("K10", 2),
        ("axis", 4): ("P8", 1),
        ("axis", 5): ("Q9", 2),
        ("axis", 6): ("Q10", 3),
        ("soviet", 1): ("T15", 2),
    }


def test_fall_of_germany_areas() -> None:
    owners = FALL.owners(BOARD)
    occupied = ["S15", "R14", "Q14", "Q15", "P14", "O15", "N14", "N15", "M15", "M16", "M17", "L15"]
    soviet_hexes = [place for place in BOARD.of_country("Soviet Union") if place != "SIBERIA"]
    assert {place for place in soviet_hexes if owners[place] == "axis"} == set(occupied)
    assert {place for place in soviet_hexes if owners[place] == "soviet"} == set(soviet_hexes) - set(occupied)
    assert {place for place in BOARD.of_country("Italy") if owners[place] == "axis"} == {"L9", "L10", "K10", "K11"}
    closed = BOARD.of_country("Portugal", "Spain", "Sweden", "Turkey", "Saudi Arabia", "Switzerland")
    assert {place for place, owner in owners.items() if owner == "neutral"} == set(closed)
    assert {place for place, owner in owners.items() if owner == "unaligned"} == {"J12", "Q5", "FRAFRICA"}


def test_fall_of_germany_devastation() -> None:
    """HW-16.2: nine hexes wholly, O10 by three points; nobody ever repairs the French ones (A-92)."""
    whole = {place for place, points in FALL.devastated.items() if points == BOARD[place].production}
    assert whole == {"M8", "L8", "N8", "L11", "L12", "S14", "Q15", "N15", "L15"}
    assert {place: points for place, points in FALL.devastated.items() if place not in whole} == {"O10": 3}
    assert FALL.not_repairable == dict.fromkeys(("axis", "soviet", "allies"), ("M8", "L8", "N8"))


@pytest.mark.parametrize("campaign", [CAMPAIGN_1, CAMPAIGN_2], ids=lambda scenario: scenario.id)
def test_campaigns_in_outline(campaign: ScenarioData) -> None:
    assert (campaign.first_turn, campaign.last_turn, campaign.last_turn_two_players) == (1, 18, 17)
    places = {id_: army.place for id_, army in campaign.armies.items()}
    assert places == {
        "NORTH": "Q13",
        "FOURTH": "P11",
        "SOUTH": "N12",
        "WEST": "N9",
        "ITALY": "L9",
        "MOSCOW": "Q17",
        "LENIN": "T15",
        "WHITE": "R14",
        "1UKR": "P14",
        "SIBERIA": "SIBERIA",
        "BRITAIN": "P7",
        "1FR": "O8",
        "US": "US",
    }
    assert {id_ for id_, army in campaign.armies.items() if army.waits_for} == {"ITALY", "US"}
    forts = [(fort.side, fort.place, fort.strength) for fort in campaign.forts]
    assert forts == [
        ("axis", "N9", 1),
        ("allies", "H4", 2),
        ("allies", "G11", 1),
        ("allies", "N8", 7),
        ("allies", "M9", 7),
    ]
    assert campaign.optional_armies["PZAA"].place == "D12"


@pytest.mark.parametrize("campaign", [CAMPAIGN_1, CAMPAIGN_2], ids=lambda scenario: scenario.id)
def test_campaign_sides_are_the_colour_groups(campaign: ScenarioData) -> None:
    """HW-18.2, HW-19.1."""
    owner_of_colour = {
        "light blue": "axis",
        "red": "soviet",
        "brown": "allies",
        "light green": "allies",
        "gray": "neutral",
    }
    for place, owner in campaign.owners(BOARD).items():
        assert owner == owner_of_colour.get(BOARD[place].colour, "unaligned"), place


def test_campaign_strengths() -> None:
    ground = {id_: (army.inf, army.mech, army.amph) for id_, army in CAMPAIGN_1.armies.items()}
    assert ground == {
        "NORTH": (2, 0, 0),
        "FOURTH": (2, 3, 0),
        "SOUTH": (3, 7, 0),
        "WEST": (4, 0, 0),
        "ITALY": (4, 1, 0),
        "MOSCOW": (2, 2, 0),
        "LENIN": (3, 0, 0),
        "WHITE": (4, 2, 0),
        "1UKR": (4, 2, 0),
        "SIBERIA": (2, 3, 0),
        "BRITAIN": (2, 2, 1),
        "1FR": (5, 2, 0),
        "US": (8, 3, 1),
    }
    assert {id_: (army.inf, army.mech, army.amph) for id_, army in CAMPAIGN_2.armies.items()} == ground


def test_campaign_2_adds_tac_air_fleets_and_morale() -> None:
    assert not any(army.tac for army in CAMPAIGN_1.armies.values())
    with_air = {id_ for id_, army in CAMPAIGN_2.armies.items() if army.tac == 1}
    assert with_air == {"FOURTH", "SOUTH", "MOSCOW", "LENIN", "BRITAIN", "1FR", "US"}
    assert sum(army.tac for army in CAMPAIGN_2.armies.values()) == 7
    assert {side: fleet.ships_in_port for side, fleet in CAMPAIGN_2.fleets.items()} == {
        "axis": 2,
        "soviet": 0,
        "allies": 8,
    }
    assert CAMPAIGN_2.fleets["axis"].uboats_in_port == 2
    assert CAMPAIGN_2.morale == {"Germany": 10, "Great Britain": 10}
    assert not CAMPAIGN_1.fleets
    table = tables().raw["fleets"]["campaign-2"]
    assert {side: fleet["ships_in_port"] for side, fleet in table.items()} == {"axis": 2, "soviet": 0, "allies": 8}


def test_soviet_production_is_capped_in_the_campaigns() -> None:
    """HW-23.1: fifteen points lie in the Soviet Union; eight count."""
    uncapped = sum(BOARD[place].production for place in BOARD.of_country("Soviet Union") if not BOARD[place].is_box)
    assert uncapped == 15
    assert CAMPAIGN_1.production_cap == CAMPAIGN_2.production_cap == {"soviet": 8}


@pytest.mark.parametrize("scenario", [FALL, CAMPAIGN_1, CAMPAIGN_2], ids=lambda scenario: scenario.id)
def test_the_wars_for_three_end_with_berlin(scenario: ScenarioData) -> None:
    """HW-16.4, HW-18.6."""
    assert scenario.victory["ends_when_taken"] == scenario.victory["axis_holds"] == "P10"


def test_siberia_waits_for_mobilization_in_the_campaigns() -> None:
    """HW-22.3, HW-23.4."""
    for campaign in (CAMPAIGN_1, CAMPAIGN_2):
        assert campaign.growing == {"SIBERIA": {1: 8, 11: 12}}
        assert campaign.needs_mobilization == ("SIBERIA",)
        assert campaign.locked == {"SIBERIA": 6}


def test_the_campaigns_are_shown_on_the_whole_board() -> None:
    columns = [int(place.id[1:]) for place in BOARD.places.values() if not place.is_box]
    for campaign in (CAMPAIGN_1, CAMPAIGN_2):
        assert campaign.theatre.letters == "ABCDEFGHIJKLMNOPQRSTUVWX"
        assert campaign.theatre.columns == (min(columns), max(columns))


@every_scenario
def test_sea_transport_is_among_the_tables(scenario: ScenarioData) -> None:
    assert (scenario.sea_transport == "") == (scenario.level == 1)
    if scenario.sea_transport:
        assert set(tables().raw["sea_transport"][scenario.sea_transport]) == set(scenario.sides)


# ------------------------------------------------------------------ where the files are


def test_files_are_read_once() -> None:
    assert load_yaml("hitlers-war", "map.yaml") is load_yaml("hitlers-war", "map.yaml")


@pytest.mark.parametrize("where", ["engine/data", "data"], ids=["installed", "checkout"])
def test_data_ships_inside_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    (tmp_path / where).mkdir(parents=True)
    monkeypatch.setattr(engine.load, "_PACKAGE", tmp_path / "engine")
    engine.load._data_root.cache_clear()
    try:
        assert data_path("hitlers-war", "map.yaml") == tmp_path / where / "hitlers-war" / "map.yaml"
    finally:
        engine.load._data_root.cache_clear()


@pytest.mark.parametrize("scenario", HitlersWar().scenarios(), ids=lambda scenario: scenario.id)
def test_every_scenario_tells_its_players_how_it_is_won(scenario: Scenario) -> None:
    """HW-15.8, HW-16.4, HW-16.5, HW-18.5, HW-18.7; with two players it is another aim."""
    told = {scenario.how_it_is_won(switches) for switches in ((), *((switch,) for switch in scenario.switches))}
    assert len(told) == 1 + len(scenario.switches)
    assert all("Berlin" in words for words in told)
    assert len(re.findall(r"HW-(?:15\.8|16\.4|16\.5|18\.5|18\.7)", " ".join(told))) == len(told)


def test_the_aim_of_the_campaign_names_the_ratios_of_the_tables() -> None:
    """HW-18.7."""
    (campaign,) = (scenario for scenario in HitlersWar().scenarios() if scenario.id == "campaign-1")
    words = campaign.how_it_is_won(())
    for side, name in (("soviet", "the Soviet Union needs"), ("allies", "the Allies")):
        needed = [level["at_least"].replace("/", ":") for level in tables().raw["victory_ratios"][side].values()]
        assert f"{name} {needed[0]}, {needed[1]} or {needed[2]}" in words
    assert "above 1:3 a substantial one, and a decisive one from 1:1 on" in words
