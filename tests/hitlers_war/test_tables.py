"""The tables against the rules: each cell by its pattern, and the worked examples one by one."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from engine.grand_strategy.tables import ThereIsNoSuchEdition, TurnIsNotOnTheCalendar
from engine.hitlers_war.europe import atlas, countries, europe, gateways, seas
from engine.hitlers_war.scenario import scenario_ids
from engine.hitlers_war.tables import tables

TABLES = tables()
RAW = TABLES.raw
SIDES = ["axis", "soviet", "allies"]
STRENGTHS = range(1, 11)

# ------------------------------------------------------------------ firepower

#: Points lost for each firing strength, with a modified die of 1, 2, 3, 4, 5, 6 and 7. Read down the columns.
FIREPOWER = {
    1: (1, 0, 0, 0, 0, 0, 0),
    2: (1, 1, 0, 0, 0, 0, 0),
    3: (1, 1, 1, 0, 0, 0, 0),
    4: (2, 1, 1, 1, 0, 0, 0),
    5: (2, 2, 1, 1, 1, 0, 0),
    6: (2, 2, 2, 1, 1, 1, 0),
    7: (3, 2, 2, 2, 1, 1, 1),
    8: (3, 3, 2, 2, 2, 1, 1),
    9: (4, 3, 3, 3, 2, 2, 1),
    10: (4, 4, 3, 3, 2, 2, 1),
}


@pytest.mark.parametrize("strength", STRENGTHS)
def test_firepower(strength: int) -> None:
    assert tuple(TABLES.firepower(strength, die) for die in range(1, 8)) == FIREPOWER[strength]


@pytest.mark.parametrize(
    ("strength", "die", "lost"),
    [
        (6, 4, 1),  # the West Front's defensive assault at Smolensk
        (9, 3, 3),  # Army Group Center's assault there
        (9, 1, 4),  # the Second Ukrainian Front's assault on Q15
        (5, 2, 2),  # the Fourth Army against the White Russian Front
        (4, 1, 2),  # Army Group B against the British Second Army
        (7, 6, 1),  # the British Second Army's reply
        (3, 2, 1),  # three points of air defence against bombers
        (6, 1, 2),  # the six bombers that got through
    ],
)
def test_firepower_in_the_worked_examples(strength: int, die: int, lost: int) -> None:
    assert TABLES.firepower(strength, die) == lost


@pytest.mark.parametrize("strength", STRENGTHS)
def test_dice_outside_the_table_count_as_the_nearest(strength: int) -> None:
    """HW-8.16."""
    assert TABLES.firepower(strength, 0) == TABLES.firepower(strength, -3) == TABLES.firepower(strength, 1)
    assert TABLES.firepower(strength, 8) == TABLES.firepower(strength, 11) == TABLES.firepower(strength, 7)


def test_more_than_ten_points_fire_as_ten_and_none_do_not_fire() -> None:
    """HW-8.9."""
    for die in range(1, 8):
        assert TABLES.firepower(13, die) == TABLES.firepower(10, die)
        assert TABLES.firepower(0, die) == 0


def test_more_strength_never_hurts_and_a_higher_die_never_helps() -> None:
    for strength in STRENGTHS:
        for die in range(1, 7):
            assert TABLES.firepower(strength, die) >= TABLES.firepower(strength, die + 1)
            assert TABLES.firepower(strength, die) >= TABLES.firepower(strength - 1, die)


# ------------------------------------------------------------------ advance

AGAINST_NOBODY = (4, 4, 4, 5, 6, 7, 8, 8, 8, 8, 8)  # by mechanized points 0 to 10, in both editions
INTO_FRIENDLY = {
    "1984": (4, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9),
    "later": (4, 5, 5, 6, 7, 8, 9, 9, 9, 9, 9),
}


def by_the_diagonals(edition: str, row: int, defence: int) -> int | None:
    """A-05, A-06: the row less the defence, never more than 8; one better in 1984 against one or two points."""
    bonus = 1 if edition == "1984" and defence in (1, 2) else 0
    cell = min(row - defence + bonus, 8)
    return cell if cell > 0 and row > 0 else None


@pytest.mark.parametrize("edition", ["1984", "later"])
@pytest.mark.parametrize("row", range(11))
def test_advance(edition: str, row: int) -> None:
    assert TABLES.advance(edition, row, "friendly") == INTO_FRIENDLY[edition][row]
    assert TABLES.advance(edition, row, 0) == AGAINST_NOBODY[row]
    for defence in STRENGTHS:
        assert TABLES.advance(edition, row, defence) == by_the_diagonals(edition, row, defence)


@pytest.mark.parametrize(
    ("edition", "row", "cells"),
    [
        # What can be read of the 1984 table, against 1, 2, 3 and 4 points.
        ("1984", 5, (5, 4, 2, 1)),
        ("1984", 6, (6, 5, 3, 2)),
        ("1984", 7, (7, 6, 4, 3)),
        ("1984", 8, (8, 7, 5, 4)),
        # The same rows of the later sheet.
        ("later", 5, (4, 3, 2, 1)),
        ("later", 6, (5, 4, 3, 2)),
        ("later", 7, (6, 5, 4, 3)),
        ("later", 8, (7, 6, 5, 4)),
    ],
)
def test_rows_five_to_eight(edition: str, row: int, cells: tuple[int, ...]) -> None:
    assert tuple(TABLES.advance(edition, row, defence) for defence in range(1, 5)) == cells


@pytest.mark.parametrize(
    ("row", "column", "cell"),
    [(1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 1, 3), (4, 3, 1), (9, 4, 5), (9, 8, 1), (10, 4, 6)],
)
def test_single_cells_that_can_be_read_in_1984(row: int, column: int, cell: int) -> None:
    assert TABLES.advance("1984", row, column) == cell


@pytest.mark.parametrize("edition", ["1984", "later"])
@pytest.mark.parametrize(("row", "defence", "cell"), [(8, 6, 2), (8, 3, 5), (10, 0, 8), (10, 1, 8)])
def test_the_worked_examples_fit_both_editions(edition: str, row: int, defence: int, cell: int) -> None:
    assert TABLES.advance(edition, row, defence) == cell


def test_the_editions_differ_only_against_one_and_two_points_and_in_one_friendly_cell() -> None:
    columns: list[Any] = ["friendly", *range(11)]
    differ = {
        (row, column)
        for row in range(11)
        for column in columns
        if TABLES.advance("1984", row, column) != TABLES.advance("later", row, column)
    }
    assert differ == {(1, "friendly")} | {(row, 1) for row in range(1, 9)} | {(row, 2) for row in range(2, 10)}


@pytest.mark.parametrize("edition", ["1984", "later"])
def test_no_mechanized_points_take_only_empty_and_friendly_hexes(edition: str) -> None:
    """HW-9.8."""
    assert TABLES.advance(edition, 0, "friendly") == TABLES.advance(edition, 0, 0) == 4
    assert all(TABLES.advance(edition, 0, defence) is None for defence in STRENGTHS)


@pytest.mark.parametrize("edition", ["1984", "later"])
def test_rows_and_defence_above_ten_read_as_ten(edition: str) -> None:
    """HW-9.2: and nothing succeeds against ten."""
    assert TABLES.advance(edition, 14, 3) == TABLES.advance(edition, 10, 3) == 7
    assert TABLES.advance(edition, 10, 17) is TABLES.advance(edition, 10, 10) is None
    assert TABLES.advance(edition, 12, "friendly") == 9


def test_editions() -> None:
    assert TABLES.default_edition == "1984"
    assert TABLES.editions == ("1984", "later")
    with pytest.raises(ThereIsNoSuchEdition, match="'1985' is none of the editions 1984, later"):
        TABLES.advance("1985", 1, 1)


# ------------------------------------------------------------------ calendar


def test_the_calendar_is_nineteen_turns() -> None:
    """HW-2.1: spring, summer, winter of each year, from the lone winter of 1939."""
    years = [(season, year) for year in range(1940, 1946) for season in ("spring", "summer", "winter")]
    assert [TABLES.season_of(turn) for turn in range(1, 20)] == [("winter", 1939), *years]
    assert all(TABLES.turn_of(*TABLES.season_of(turn)) == turn for turn in range(1, 20))


def test_barbarossa_is_eight_of_them() -> None:
    names = " ".join(f"{season} {year}" for season, year in map(TABLES.season_of, range(6, 14)))
    assert names == ("summer 1941 winter 1941 spring 1942 summer 1942 winter 1942 spring 1943 summer 1943 winter 1943")


def test_turns_off_the_calendar() -> None:
    for turn in (0, 20):
        with pytest.raises(TurnIsNotOnTheCalendar):
            TABLES.season_of(turn)
    with pytest.raises(TurnIsNotOnTheCalendar, match="there is no summer 1939"):
        TABLES.turn_of("summer", 1939)


def test_calendar_notes() -> None:
    notes = {TABLES.season_of(turn): list(text) for turn, text in TABLES.calendar_notes.items() if text}
    french_forts = "the Allies may not build fort points in France"
    assert notes == {
        ("winter", 1939): [french_forts],
        ("spring", 1940): [french_forts, "Italy joins the Axis in the Production Phase"],
        ("summer", 1940): [french_forts],
        ("summer", 1941): ["Finland, Hungary, Rumania and Bulgaria join the Axis"],
        ("winter", 1941): ["the army in Siberia is free to move"],
        ("spring", 1942): ["the United States join the Allies", "the Soviet Union is fully mobilized"],
        ("spring", 1943): ["Siberia produces 12"],
        ("spring", 1944): ["the Soviet Union is fully mobilized even if it chose limited war"],
    }


def test_winter_1945_is_for_the_fall_of_germany_only() -> None:
    assert [turn["turn"] for turn in RAW["calendar"]["turns"] if turn.get("only")] == [19]
    assert RAW["calendar"]["turns"][18]["only"] in scenario_ids()


# ------------------------------------------------------------------ modifiers, costs, limits


def test_modifiers() -> None:
    assert TABLES.exploitation_modifier == 1
    assert TABLES.mountain_modifier == 2
    assert RAW["modifiers"]["russian_winter"]["winters"] == [4, 2, 1]


def test_basic_costs() -> None:
    """HW-11.3. Fifteen points buy three mechanized, or seven infantry and lose one, or one and five."""
    costs = TABLES.basic_costs
    assert costs == {"inf": 2, "mech": 5, "amph": 6, "fort": 5}
    assert 3 * costs["mech"] == 15
    assert 7 * costs["inf"] == 14
    assert costs["mech"] + 5 * costs["inf"] == 15
    assert TABLES.repair_cost == 3


def test_limits() -> None:
    assert TABLES.stacking_limit == 10
    assert RAW["limits"] == {"stacking": 10, "armies": 12, "forts": 7, "missiles": 3}


@pytest.mark.parametrize("side", SIDES)
def test_a_side_has_twelve_armies_that_can_be_told_apart(side: str) -> None:
    armies = TABLES.army_names[side]
    assert len(armies) == 12
    called = [name.casefold() for army in armies.values() for name in army.abbr]
    assert len(called) == len(set(called)), "two armies share an abbreviation"
    for id_, army in armies.items():
        others = {name.casefold() for other in armies.values() if other is not army for name in other.abbr}
        assert army.id == id_
        assert army.abbr
        assert id_.casefold() not in others


def test_army_ids_are_unique_over_all_sides() -> None:
    ids = [id_ for armies in TABLES.army_names.values() for id_ in armies]
    assert len(ids) == len(set(ids)) == 36


def test_army_names() -> None:
    assert TABLES.army_names["axis"]["CENTER"].name == "Army Group Center"
    assert TABLES.army_names["axis"]["CENTER"].abbr == ("Center", "AGC")
    assert TABLES.army_names["soviet"]["1UKR"].name == "First Ukrainian Front"
    assert list(TABLES.army_names) == SIDES


# ------------------------------------------------------------------ the higher levels

#: Each item's cost at tech level 0, 1, 2 ...
CAPABILITY = {
    "inf": "3 2 1",
    "mech": "6 4 3 2",
    "tac": "4 3 2 1",
    "para": "6 5",
    "amph": "6 4 3 2",
    "fort": "5",
    "uboat": "6 4 2 3/2 1",
    "ship": "11 9 7 5",
    "carrier": "15 12 10 8",
    "asw": "8 5 3",
    "airdef": "8 7 6 2 1 1/2 1/3",
    "bomber": "P 7 4 3",
    "escort": "P 7 6 5 2 1 1/2",
    "missile": "P P P P 3 2",
    "abomb": "P P P P P P 2",
}


def test_unit_capability() -> None:
    assert {item: " ".join(costs) for item, costs in RAW["unit_capability"].items()} == CAPABILITY


def test_costs_are_exact_and_fall_from_level_to_level() -> None:
    for item, costs in RAW["unit_capability"].items():
        buildable = [Fraction(cost) for cost in costs if cost != "P"]
        assert buildable == sorted(set(buildable), reverse=True), item


@pytest.mark.parametrize("side", SIDES)
def test_start_costs_are_those_of_their_level(side: str) -> None:
    for item, start in RAW["start_costs"][side].items():
        assert RAW["unit_capability"][item][start["level"]] == start["cost"], (side, item)


def test_who_starts_ahead() -> None:
    """Axis infantry and armour are a level ahead, and so are its missiles; all else starts at level 0."""
    ahead = {
        (side, item): start["level"]
        for side, items in RAW["start_costs"].items()
        for item, start in items.items()
        if start["level"]
    }
    assert ahead == {("axis", "inf"): 1, ("axis", "mech"): 1, ("axis", "missile"): 1}
    assert "uboat" in RAW["start_costs"]["axis"]
    assert "asw" in RAW["start_costs"]["allies"]
    for side in SIDES:
        everybody = set(RAW["who_builds"]["all"]) | set(RAW["who_builds"].get(f"{side}_only", ())) - {"shipping"}
        assert set(RAW["start_costs"][side]) == everybody


def test_research_results_cover_each_die_once() -> None:
    for step, results in RAW["research"]["results"].items():
        assert sorted(die for dice in results.values() for die in dice) == [1, 2, 3, 4, 5, 6]
        assert results["A"] == list(range(1, step + 1))
        assert results["B"] == [step + 1]
    assert list(RAW["research"]["results"]) == [1, 2, 3, 4, 5]
    assert RAW["research"]["efficiency"] == {1: 0, 2: -1, 3: -2, 4: -2, 5: -3, 6: "start"}


def test_national_morale() -> None:
    morale = RAW["national_morale"]
    assert (morale["start"]["Germany"], morale["most"], morale["fights_worse_at"], morale["surrenders_at"]) == (
        10,
        19,
        5,
        0,
    )
    assert [event["effect"] for event in morale["events"]] == [-4, -1, -1, 1, -1, -1, -1, 2, -4]
    assert {event["hex"] for event in morale["events"] if "hex" in event} == {"D15", "H4"}


def test_sea_transport() -> None:
    fall = RAW["sea_transport"]["fall-of-germany"]
    assert fall == {
        "axis": {"Baltic": 1},
        "soviet": {"Black Sea": 1, "Caspian": 1},
        "allies": {"Atlantic": "unlimited", "Mediterranean": "unlimited", "Red Sea-Persian Gulf": 1},
    }
    assert RAW["sea_transport"]["overseas"]["limit"] == 3
    assert RAW["sea_transport"]["overseas"]["sea"] in seas()
    for limits in (*fall.values(), *RAW["sea_transport"]["campaign"].values()):
        assert set(limits) <= set(seas())


def test_sea_links_are_those_of_the_map() -> None:
    assert {place: set(joined) for place, joined in RAW["sea_links"]["gateways"].items()} == {
        place: set(gateway.joins) for place, gateway in gateways().items()
    }
    lengths = {frozenset(link["between"]): link["length"] for link in RAW["sea_links"]["off_map_hexsides"]}
    assert lengths[frozenset(("BRAFRICA", "INDIA"))] == 65
    assert lengths[frozenset(("BRAFRICA", "Red Sea-Persian Gulf"))] == 50
    assert lengths[frozenset(("Atlantic", "Red Sea-Persian Gulf"))] == 85
    way = RAW["sea_links"]["up_the_red_sea"]
    assert all(europe().grid.edge(one, other) for one, other in pairwise(way))


def test_home_forces_are_those_of_the_map() -> None:
    """HW-32.1: listed countries as listed, other unaligned ones two, belligerents and their colonies none."""
    table = RAW["home_forces"]
    for name, country in countries().items():
        unaligned = country.colour in ("orange", "dark blue")
        expected = table["points"].get(name, table["other_countries"]) if unaligned else 0
        assert country.home_forces == expected, name
    assert europe()["O9"].country == "Low Countries"
    assert table["forts"] == {"O9": 1}


def test_capitals_are_those_of_the_map() -> None:
    assert RAW["capitals"]["Berlin"] == "P10"
    for place in RAW["capitals"].values():
        assert europe()[place].capital


def test_entry() -> None:
    entry = RAW["entry"]
    assert TABLES.season_of(entry["Italy"]["turn"]) == ("spring", 1940)
    assert TABLES.season_of(entry["axis_minors"]["turn"]) == ("summer", 1941)
    assert TABLES.season_of(entry["United States"]["turn"]) == ("spring", 1942)
    assert entry["United States"]["production"] == europe()["US"].production == 16
    assert set(entry["axis_minors"]["countries"]) == {
        name for name, country in countries().items() if country.colour == "dark blue"
    }
    assert entry["axis_minors"]["gifts"] == {
        "Rumania": {"inf": 2, "mech": 1},
        "Hungary": {"inf": 1, "mech": 1},
        "Finland": {"inf": 3},
    }


def test_alignment() -> None:
    """HW-19.4."""
    alignment = RAW["alignment"]
    assert alignment["attacked_by_allies"] == alignment["attacked_by_soviet"] == "axis"
    assert alignment["attacked_by_axis"] == "allies"
    assert set(alignment["attacked_by_axis_except"]) == {"Finland", "Baltic States", "Hungary", "Rumania", "Bulgaria"}
    assert set(alignment["attacked_by_axis_except"]) <= set(countries())


def test_production_limits() -> None:
    limits = RAW["production_limits"]
    assert TABLES.season_of(limits["soviet_mobilization"]["lifted_on_turn"]) == ("spring", 1942)
    assert TABLES.season_of(limits["soviet_mobilization"]["limited_war"]["lifted_on_turn"]) == ("spring", 1944)
    assert TABLES.season_of(limits["siberia"]["later_from_turn"]) == ("spring", 1943)
    assert TABLES.season_of(limits["french_forts"]["from_turn"]) == ("winter", 1940)
    siberia = atlas().boxes["SIBERIA"]
    assert (limits["siberia"]["first"], limits["siberia"]["later"]) == (siberia.production[0], siberia.production_later)
    assert {place for place in limits["lend_lease"]["depots"] if europe()[place].lendlease} == {"U18", "M20"}
    assert limits["uboat_hits"] == {"before_us_entry": 8, "after": 24}


def test_victory_ratios_rise_with_the_level() -> None:
    for side, levels in RAW["victory_ratios"].items():
        ratios = [Fraction(next(iter(levels[level].values()))) for level in ("marginal", "substantial", "decisive")]
        assert ratios == sorted(set(ratios)), side
    assert RAW["victory_ratios"]["axis"]["substantial"] == {"above": "1/3"}
    assert RAW["victory_ratios"]["soviet"]["decisive"] == {"at_least": "3/2"}
    assert RAW["victory_ratios"]["allies"]["decisive"] == {"at_least": "2/1"}


def test_leaders_and_fleets() -> None:
    assert {side: len(names) for side, names in RAW["leaders"]["names"].items()} == {
        "axis": 2,
        "soviet": 1,
        "allies": 2,
    }
    fleets = RAW["fleets"]
    assert {nation: sum(ships.values()) for nation, ships in fleets["naval_action"].items()} == {
        "Great Britain": 8,
        "France": 5,
        "Germany": 2,
        "Italy": 3,
        "Soviet Union": 1,
    }
    # The record cards show six Axis and four Soviet fleets; how they are shared out is a ruling.
    assert fleets["counters"] == {"Germany": 4, "Italy": 2, "Soviet Union": 4, "Great Britain": 4, "France": 2}


@pytest.mark.parametrize(
    ("case", "where", "value"),
    [
        ("HW-17.2", "production_limits lend_lease most", 4),
        ("HW-17.2", "production_limits lend_lease each_depot", 2),
        ("HW-21.5", "production_limits france", {"points": 7, "axis_repairs_at_most": 4}),
        ("HW-23.1", "production_limits soviet_mobilization cap", 8),
        ("HW-23.3", "production_limits soviet_mobilization limited_war or_axis_hexes_in_the_soviet_union", 5),
        ("HW-23.4", "production_limits siberia axis_repairs_at_most", 8),
        ("HW-23.5", "production_limits india", {"points": 2, "lost_while_axis": "D15"}),
        ("HW-28.5", "production_limits first_builds_in_us", 6),
        ("HW-24.2", "research most_points_a_turn", 2),
        ("HW-24.2", "research steps", 5),
        ("HW-24.9", "us_entry_levels", {"abomb": 2, "ship": 1}),
        ("HW-20.1", "entry Italy armies_free_from_turn", 3),
        ("HW-20.4", "entry axis_minors gifts_later_edition", {"Bulgaria": {"inf": 1}}),
        ("HW-20.5", "entry United-States growth", 1),
        ("HW-12.7", "sea_transport mediterranean_by_italy not_axis", {"axis": 0, "allies": "unlimited"}),
        ("HW-12.7", "sea_transport mediterranean_by_italy surrendered", {"axis": 0, "allies": "unlimited"}),
        (
            "HW-12.7",
            "sea_transport mediterranean_by_italy axis",
            {"axis": 2, "axis_with_malta_G11": 3, "allies": 2, "allies_without_gibraltar_H4_and_france": 0},
        ),
        ("HW-12.7", "sea_transport later_edition", {"allies_with_suez_D15": 2}),
        ("HW-27.1", "other_costs partisan_attack", "2"),
        ("HW-28.6", "other_costs shipping_point", "1"),
        ("HW-30.3", "national_morale events 2 event", "side lost 5 or more hexes in a Combat Phase"),
        ("HW-30.3", "national_morale events 3 event", "side gained 6 or more hexes in a Combat Phase"),
        ("HW-30.5", "modifiers low_morale add", 1),
        ("HW-31.1", "leaders markers", 10),
        ("HW-31.2", "leaders one_marker_for_each", 10),
        ("HW-31.5", "modifiers leader add", -1),
        ("HW-31.7", "leaders lost_on", 6),
        ("HW-32.1", "home_forces most_in_capital", 2),
        ("HW-33.3", "modifiers italian_army add", 1),
        ("HW-34.3", "modifiers chase_from_scapa_flow baltic_germany_denmark_low_countries", -2),
        ("HW-34.3", "modifiers chase_from_scapa_flow atlantic_norway", -1),
        ("HW-35.2", "fleets port_holds", {"anchor": "unlimited", "H4": 3, "other": 1}),
        ("HW-35.4", "fleets range", 7),
        ("HW-36.2", "fleets still_to_pay", {"axis": [6], "allies": [6, 6]}),
        ("HW-37.1", "fleets carriers", {"Great Britain": 3}),
    ],
)
def test_single_numbers_of_the_higher_levels(case: str, where: str, value: Any) -> None:
    found: Any = RAW
    for step in where.split():
        found = found[int(step) if step.isdigit() else step.replace("United-States", "United States")]
    assert found == value, case
