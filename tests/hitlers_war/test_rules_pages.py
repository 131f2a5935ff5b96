"""The rules and the tables that players read are complete, and every number in them is the program's own."""

import ast
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest

import engine
from engine.game import games
from engine.grand_strategy.events import AdvanceTried, Fired
from engine.grand_strategy.scenario import ScenarioData
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.tables import tables
from pbem import shipped
from pbem.games import own_box
from pbem.words import manual, rulebook
from tests.barbarossa import GAME, barbarossa, of, run
from tests.rules_played import LATER, RULES

DOCS = own_box(games()["hitlers-war"]).docs
CASES = rulebook.cases(DOCS)
CHAPTERS = {chapter.title: chapter for page in (DOCS.rules, DOCS.tables) for chapter in manual.chapters_of(page)}
RAW = tables().raw
LONGEST = 1200
SCENARIOS = {"Barbarossa": "barbarossa", "The Fall of Germany": "fall-of-germany", "Campaign I": "campaign-1"}
SIDES = {"Axis": "axis", "Soviets": "soviet", "Allies": "allies"}


def chapter(title: str) -> manual.Chapter:
    """By its number, or by its title without what stands in brackets."""
    numbered = title.startswith("HW-")
    (found,) = [one for one in CHAPTERS.values() if title == (one.title.partition(" ")[0] if numbered else one.name)]
    return found


def table(title: str) -> list[list[str]]:
    """The rows of the table in a chapter, its heading first."""
    lines = [line for line in chapter(title).body if line.startswith("|") and not set(line) <= set("|- ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def rows(title: str) -> dict[str, list[str]]:
    """What stands behind each label."""
    return {label: rest for label, *rest in table(title)[1:]}


def numbers(title: str) -> dict[str, int]:
    return {label: int(rest[0]) for label, rest in rows(title).items() if re.fullmatch(r"[+-]?\d+", rest[0])}


# ------------------------------------------------------------------ complete


def said_to_players() -> Iterator[str]:
    """Every string of the engine that is no docstring, all templates, and the scenarios without their remarks."""
    for path in Path(engine.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        yield from (
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        )
    for path in shipped.folder("templates").rglob("*.j2"):
        yield path.read_text(encoding="utf-8")
    for path in shipped.folder("data").rglob("scenarios/*.yaml"):
        yield re.sub(r"#.*", "", path.read_text(encoding="utf-8"))


def test_every_rule_the_referee_names_is_told() -> None:
    """Who is refused by HW-9.15 can ask what HW-9.15 says."""
    named = {case for text in said_to_players() for case in re.findall(r"HW-\d+\.\d+", text)}
    assert len(named) > 60
    assert sorted(named - set(CASES) - set(LATER)) == []


def test_every_ruling_and_decision_the_referee_names_is_told() -> None:
    """But for the decisions of words that come with a later level."""
    verbs = chain(*GAME.language("campaign-1").verbs_elsewhere.values())
    later = {case for verb in verbs for case in verb.case.split(", ")}
    named = {case for text in said_to_players() for case in re.findall(r"\b[AD]-\d\d\b", text)} - later
    assert len(named) > 20
    assert [case for case in sorted(named) if not rulebook.answer(DOCS, case)] == []


def test_every_rule_that_is_played_is_told() -> None:
    assert sorted(RULES - set(LATER) - set(CASES)) == []


def test_no_rule_of_a_later_level_is_told() -> None:
    assert set(LATER) & set(CASES) == set()
    assert {case for case in CASES if case not in RULES} == {f"HW-39.{number}" for number in range(1, 7)}


@pytest.mark.parametrize("case", CASES)
def test_a_rule_is_told_in_a_few_whole_sentences(case: str) -> None:
    told = CASES[case].partition("\n\n")[2].strip()
    assert 20 < len(told) <= LONGEST
    assert told.endswith((".", "any", " 2:1")) or "\n  " in told
    assert max(map(len, CASES[case].splitlines())) <= 78


def test_every_rule_and_ruling_that_a_page_names_can_be_asked_for() -> None:
    text = "\n".join("\n".join([one.title, *one.body]) for one in CHAPTERS.values())
    named = set(manual.cases_in(DOCS, text))
    assert len(named) > 200
    assert sorted(case for case in named if not rulebook.answer(DOCS, case)) == []


def test_the_order_words_a_page_names_have_a_chapter() -> None:
    text = "\n".join(line for one in CHAPTERS.values() for line in one.body)
    asked = set(re.findall(r"`HELP ([^`]+)`", text))
    assert {"RULES", "COMBAT", "TABLES", "ODDS"} <= asked
    assert [word for word in asked if not (rulebook.chapter(DOCS, word) or manual.about(DOCS, word))] == []


# ------------------------------------------------------------------ a battle


def test_the_battle_of_the_manual_is_fought_as_it_is_told() -> None:
    """The sheets and dice of the chapter, put through the rules, give its table."""
    axis, soviet = re.findall(r"```orders.*?\n(.*?)```", "\n".join(chapter("Combat").body), re.DOTALL)
    told = table("Combat")[1:]
    dice = [int(die.partition("+")[0]) for _, _, die, _ in told]
    state, events = run(barbarossa(), {"axis": axis, "soviet": soviet}, dice)
    assert [in_the_table(event) for event in of(Fired | AdvanceTried, events)] == told
    center = state.armies["CENTER"]
    assert (center.place, center.inf, center.mech) == ("Q16", 2, 8)
    assert "SWEST" not in state.armies
    assert state.armies["FOURTH"].inf == 4


def in_the_table(event: Fired | AdvanceTried) -> list[str]:
    called = {"SWEST": "West", "FOURTH": "Fourth", "CENTER": "Center"}
    assert event.roll is not None
    die = "+".join([str(event.roll.die), *(str(modifier.value) for modifier in event.roll.modifiers)])
    if isinstance(event, Fired):
        hits = f"{event.hits} hit{'s' if event.hits > 1 else ''}"
        return [called[event.armies[0]], str(event.strength), die, hits]
    got_in = f"{'in' if event.success else 'out'}, up to {event.cell}"
    return [f"{called[event.army]} to {event.target}", f"{event.row}:{event.column}", die, got_in]


def test_what_is_said_of_the_hex_after_the_battle() -> None:
    """Moscow: 8 against 4 is up to 4, and three hexes add three."""
    moscow = barbarossa().armies["MOSCOW"]
    assert (moscow.place, moscow.inf + moscow.mech) == ("Q17", 4)
    assert tables().advance("1984", 8, 4) == 4
    assert "8 against 4 is up to 4, and three hexes add three. Only a 1 would do" in chapter("Combat").said.replace(
        "\n", " "
    )


def test_the_numbers_of_the_game_in_five_minutes() -> None:
    """Eight points cost one to three; eight against three get in with 1 to 5, eight against eight never."""
    hits = [tables().firepower(8, die) for die in range(1, 7)]
    assert (min(hits), max(hits)) == (1, 3)
    assert tables().advance("1984", 8, 3) == tables().advance("later", 8, 3) == 5
    assert tables().advance("1984", 8, 8) is None
    assert RAW["basic_costs"] == {"inf": 2, "mech": 5, "amph": 6, "fort": 5}


def test_the_first_sheet_can_be_sent_as_it_is() -> None:
    said = "\n".join(chapter("Rules").body).partition("**Your first sheet**")[2]
    lines = [line for line in re.findall(r"`([^`]+)`", said) if " " in line]
    view = GAME.view(barbarossa(fog="fog"), "axis", "fog")
    sheet = GAME.parse("\n".join(lines), view)
    assert [line.text for line in sheet.lines] == lines
    assert [line.split()[0] for line in lines] == ["ATTACK", "EXPLOIT", "BUILD"]
    assert [finding for finding in GAME.check(view, sheet) if finding.refuses] == []


# ------------------------------------------------------------------ tables


def test_costs() -> None:
    cost = {**RAW["basic_costs"], "repair": tables().repair_cost}
    words = ("infantry", "mechanized", "amphibious", "fort", "repair")
    in_words = dict(zip(words, (cost[kind] for kind in ("inf", "mech", "amph", "fort", "repair")), strict=True))
    for title in ("Costs", "HW-11.3"):
        assert {label.split()[0]: price for label, price in numbers(title).items()} == in_words


def test_limits() -> None:
    limits = RAW["limits"]
    assert numbers("Limits") == {
        "points in a hex": limits["stacking"],
        "armies of a side": limits["armies"],
        "forts of a side": limits["forts"],
    }


def test_the_firepower_table() -> None:
    heading, *lines = table("Firepower Table")
    strengths = [int(strength) for strength in heading[1:]]
    assert strengths == list(range(1, 11))
    assert [int(die) for die, *_ in lines] == list(range(1, 8))
    for die, *hits in lines:
        assert [int(hit) for hit in hits] == [tables().firepower(strength, int(die)) for strength in strengths]


@pytest.mark.parametrize(
    ("title", "edition"), [("Advance Table", "1984"), ("Advance Table of the later edition", "later")]
)
def test_the_advance_tables(title: str, edition: str) -> None:
    heading, *lines = table(title)
    assert heading == ["mech", "own", *map(str, range(11))]
    assert [int(mech) for mech, *_ in lines] == list(range(11))
    for mech, *cells in lines:
        of_program = [tables().advance(edition, int(mech), column) for column in ("friendly", *range(11))]
        assert [None if cell == "-" else int(cell) for cell in cells] == of_program


def test_what_is_added_to_a_die() -> None:
    first, second, later = RAW["modifiers"]["russian_winter"]["winters"]
    assert numbers("What is added to a die") == {
        "each hex already advanced": tables().exploitation_modifier,
        "the hex is mountain": tables().mountain_modifier,
        "first Russian winter": first,
        "second Russian winter": second,
        "every later one": later,
    }
    assert f"first such winter +{first}, in the second +{second}, from the third on +{later}" in flat("HW-9.16")
    assert f"+{tables().exploitation_modifier} for each hex" in flat("HW-9.5")
    assert f"+{tables().mountain_modifier} if the hex is mountain" in flat("HW-9.5")


def test_fire_at_landings() -> None:
    rule = RAW["landing_fire"]
    assert numbers("Fire at landings") == {
        "the navy, for each hexside": rule["naval"]["strength"],
        "the navy, in support": rule["support"]["strength"],
        "coastal air": rule["coastal_air"]["strength"],
        "coastal air of a box, at the Axis": rule["coastal_air"]["strength_of_boxes"],
    }
    assert f"with strength {rule['naval']['strength']}." in flat("HW-13.8")
    assert f"with strength {rule['support']['strength']}." in flat("HW-13.11")
    assert f"strength {rule['coastal_air']['strength']}; with {rule['coastal_air']['strength_of_boxes']}" in flat(
        "HW-13.12"
    )


def in_a_table(limit: object) -> str:
    return {"unlimited": "any", 0: "-", None: "-"}.get(limit, str(limit))  # type: ignore[call-overload]


def test_what_a_side_carries_over_the_sea() -> None:
    heading, *lines = table("What a side carries over the sea")
    sides = [SIDES[name] for name in heading[1:]]
    told = {sea.partition(" (")[0]: cells for sea, *cells in lines}
    assert told.pop("US and Canada") == ["-", "-", str(RAW["sea_transport"]["overseas"]["limit"])]
    of_1944 = RAW["sea_transport"]["fall-of-germany"]
    assert set(told) == {sea for limits in of_1944.values() for sea in limits}
    for sea, cells in told.items():
        assert cells == [in_a_table(of_1944[side].get(sea)) for side in sides]
    in_campaign = RAW["sea_transport"]["campaign"]
    changed = {sea for side in sides for sea in told if in_campaign[side].get(sea) != of_1944[side].get(sea)}
    assert changed == {"Mediterranean"}
    assert {(SIDES[side], sea): points for side, sea, points in table("HW-12.4")[1:]} == {
        (side, sea): in_a_table(limit) for side in sides for sea, limit in of_1944[side].items()
    }


def test_the_mediterranean() -> None:
    rule = RAW["sea_transport"]["mediterranean_by_italy"]
    now = rule["axis"]
    expected = {
        "not Axis yet": [rule["not_axis"]["axis"], rule["not_axis"]["allies"]],
        "Axis": [now["axis"], now["allies"]],
        "Axis, with Malta": [now["axis_with_malta_G11"], now["allies"]],
        "Axis, Gibraltar and France lost": [now["axis"], now["allies_without_gibraltar_H4_and_france"]],
        "surrendered": [rule["surrendered"]["axis"], rule["surrendered"]["allies"]],
    }
    in_words = {label: [str(cell).replace("unlimited", "any") for cell in cells] for label, cells in expected.items()}
    assert rows("The Mediterranean in the campaign") == in_words
    in_words["Axis"][0] += f", with Malta {now['axis_with_malta_G11']}"
    shorter = rows("HW-12.7")
    assert shorter == {label: in_words[label] for label in shorter}


def test_gateways() -> None:
    told = {label.split()[-1] if label[-1].isdigit() else label: seas for label, (seas,) in rows("HW-12.3").items()}
    of_program = {
        "British Africa" if key == "BRAFRICA" else key: seas for key, seas in RAW["sea_links"]["gateways"].items()
    }
    assert set(told) == set(of_program)
    for place, seas in of_program.items():
        assert all(sea.startswith(short) for sea, short in zip(seas, told[place].split(", "), strict=True))


def test_production_at_the_start() -> None:
    heading, *lines = table("Production at the start")
    assert [name for name, *_ in lines] == list(SCENARIOS)
    for name, *cells in lines:
        scenario = load_scenario(SCENARIOS[name])
        assert cells == [in_a_table(scenario.production_at_start.get(SIDES[side])) for side in heading[1:]]
    assert {case: [int(number) for number in re.findall(r"\d+(?= for)", flat(case))] for case in STARTS} == {
        case: list(load_scenario(scenario).production_at_start.values()) for case, scenario in STARTS.items()
    }
    (taken_off,) = load_scenario("barbarossa").reduction.values()
    assert f"{taken_off} are taken off" in chapter("Production at the start").said
    assert f"has {taken_off} points less" in flat("HW-15.4")


STARTS = {"HW-15.3": "barbarossa", "HW-16.3": "fall-of-germany", "HW-18.3": "campaign-1"}


def test_limits_on_production() -> None:
    limits = RAW["production_limits"]
    assert numbers("Limits on production") == {
        "Soviet Union, not mobilized": limits["soviet_mobilization"]["cap"],
        "France for the Axis, surrendered": limits["france"]["axis_repairs_at_most"],
        "India, Suez being Axis": -limits["india"]["points"],
        "lend-lease in a turn": limits["lend_lease"]["most"],
        "lend-lease through a depot": limits["lend_lease"]["each_depot"],
    }
    assert all(depot in flat("HW-17.2") for depot in limits["lend_lease"]["depots"])


def test_what_grows() -> None:
    siberia, states = RAW["production_limits"]["siberia"], RAW["entry"]["United States"]
    growing = {
        tables().date_of(turn): points for turn, points in load_scenario("barbarossa").growing["SIBERIA"].items()
    }
    later = tables().date_of(siberia["later_from_turn"])
    assert growing["Winter 1941"] == siberia["first"]
    assert growing[later] == siberia["later"]
    assert rows("What grows") == {
        "Siberia, Barbarossa": ["Winter 1941", str(siberia["first"])],
        "Siberia, Campaign I": ["after mobilization", str(siberia["first"])],
        "Siberia, both": [later, str(siberia["later"])],
        "United States": [tables().date_of(states["turn"]), f"{states['production']}, +{states['growth']} a turn"],
    }
    assert [int(number) for number in re.findall(r"\b\d{1,2}\b", flat("HW-15.7").partition("yields ")[2])] == [
        siberia["first"],
        siberia["later"],
        siberia["axis_repairs_at_most"],
    ]


def test_dates() -> None:
    """Each date of the calendar is in both tables, and no other turn is said to bring anything."""
    italy, minors, states = RAW["entry"]["Italy"], RAW["entry"]["axis_minors"], RAW["entry"]["United States"]
    limits = RAW["production_limits"]
    campaign = load_scenario("campaign-1")
    dates = {
        "Italy joins": italy["turn"],
        "forts may be built in France": limits["french_forts"]["from_turn"],
        ", ".join(minors["countries"][:2]): minors["turn"],
        "points in Siberia may move": campaign.locked["SIBERIA"] + 1,
        "the Soviets are mobilized": limits["soviet_mobilization"]["lifted_on_turn"],
        "the United States join": states["turn"],
        "Siberia yields 12": limits["siberia"]["later_from_turn"],
        "after limited war": limits["soviet_mobilization"]["limited_war"]["lifted_on_turn"],
    }
    more = {
        "Italian points may move": italy["armies_free_from_turn"],
        "Siberia yields 8": limits["soviet_mobilization"]["lifted_on_turn"] + 1,
        "last turn with two players": campaign.last_turn_two_players,
        "last turn with three players": campaign.last_turn,
    }
    assert_dates(table("Dates of Campaign I")[1:], dates)
    assert_dates(table("HW-41")[1:], {**dates, **more})


def assert_dates(lines: list[list[str]], dates: Mapping[str, int]) -> None:
    told = {tables().turn_of(*_season(turn)) for turn, _ in lines}
    assert told == set(dates.values())
    for what, turn in dates.items():
        assert any(what in said and _season(when) == tables().season_of(turn) for when, said in lines), what


def _season(date: str) -> tuple[str, int]:
    season, year = date.split()
    return season.lower(), int(year)


@pytest.mark.parametrize("title", ["Winning Campaign I", "HW-18.7"])
def test_levels_of_victory(title: str) -> None:
    for level, *cells in table(title)[1:]:
        for side, cell in zip(("axis", "soviet", "allies"), cells, strict=True):
            needed = RAW["victory_ratios"][side][level]
            manner, ratio = ("above", needed["above"]) if "above" in needed else ("at_least", needed["at_least"])
            if cell == "always":
                assert Fraction(ratio) == 0
            else:
                assert cell.startswith("above") == (manner == "above")
                points, others = cell.removeprefix("above ").split(":")
                assert Fraction(int(points), int(others)) == Fraction(ratio)


def test_gifts() -> None:
    told = {country: {"inf": int(inf), "mech": int(mech)} for country, inf, mech, _ in table("HW-20.4")[1:]}
    gifts = RAW["entry"]["axis_minors"]["gifts"]
    assert told == {country: {"inf": 0, "mech": 0, **points} for country, points in gifts.items()}


def test_how_long_each_war_is() -> None:
    for name, turns, first, last in table("HW-2.3")[1:]:
        scenario = load_scenario(SCENARIOS[name])
        assert int(turns) == scenario.last_turn - scenario.first_turn + 1
        assert (first, last) == (tables().date_of(scenario.first_turn), tables().date_of(scenario.last_turn))


def test_pools_ruins_and_armies() -> None:
    pools = load_scenario("fall-of-germany").pools
    for side, *points in table("HW-16.1")[1:]:
        pool = pools[SIDES[side]]
        assert [int(point) for point in points] == [pool.inf, pool.mech, pool.amph]
    ruins = load_scenario("fall-of-germany").devastated
    assert set(re.findall(r"[A-X]\d+", flat("HW-16.2"))) == set(ruins)
    assert "three points of Essen O10" in flat("HW-16.2")
    assert ruins["O10"] == 3
    armies = load_scenario("barbarossa")
    assert {side: armies_in_words(armies, side) for side in armies.sides} == {
        "axis": ("five armies", "21 infantry and 20 mechanized"),
        "soviet": ("eight", "22 infantry and 10 mechanized"),
    }
    assert "five armies, 21 infantry and 20 mechanized in all, the Soviets with eight, 22 infantry" in flat("HW-15.1")


def armies_in_words(scenario: ScenarioData, side: str) -> tuple[str, str]:
    count = sum(start.side == side for start in scenario.armies.values())
    points = scenario.totals[side]
    return {5: "five armies", 8: "eight"}[count], f"{points['inf']} infantry and {points['mech']} mechanized"


def test_where_the_production_is() -> None:
    def points(*countries: str) -> int:
        return sum(europe().places[place].production for place in europe().of_country(*countries) if place != "SIBERIA")

    assert points("Germany") == points("United States") == points("Soviet Union", "Baltic States") == 16
    assert points("France") == points("Italy") == 7
    assert points("India") == 2
    assert "Germany has 16 points, the Soviet Union with the Baltic States 16" in flat("HW-39.5")


def test_the_places_the_rules_name() -> None:
    board = europe()
    capitals = {name: place for name, place in RAW["capitals"].items() if name != "Midlands"}
    text = " ".join(flat(case) for case in CASES)
    for name, place in re.findall(r"([A-Z][a-z]+) ([A-X]\d{1,2})(?!\d)", text):
        known = {board.places[place].name, *(city for city, at in capitals.items() if at == place)}
        if name not in ("Denmark", "Suez", "Gibraltar", "Istanbul"):
            assert name in known, (name, place)
    (mainland,) = re.findall(r"Axis: (L9.*) are the mainland", flat("HW-21.2"))
    assert sorted(re.findall(r"[A-X]\d+", mainland)) == sorted(board.of_country("Italy"))
    assert set(board.touching["Q15"]) == {"Q14", "Q16", "P14", "P15", "R14", "R15"}


def flat(case: str) -> str:
    return " ".join(CASES[case].split())
