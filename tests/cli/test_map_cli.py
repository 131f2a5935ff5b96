"""`pbem map` on the screen and as JSON."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import pbem.cli.main
import pbem.cli.offered
from engine.game import games
from engine.grid import route, search
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from pbem.cli.maps import map_app
from pbem.games.hitlers_war.gazetteer import NoSuchPlace, find_place
from pbem.games.hitlers_war.tools import TOOLS
from tests.toy.table import toy_games

runner = CliRunner()
app = typer.Typer()
app.add_typer(map_app, name="map")


@app.command()
def play() -> None:
    """Stands for the other commands, so that `map` is one of several."""


def run(*words: str) -> Result:
    return runner.invoke(app, ["map", *words], env={"COLUMNS": "80", "NO_COLOR": "1"})


def read(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def lines(result: Result) -> list[str]:
    """The lines of a screen with their blanks drawn together."""
    return [" ".join(line.split()) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("hex", "Q16", "SIBERIA", "BRAFRICA", "A18", "D15", "J14", "E14", "O10", "U18", "Q13"),
        ("route", "P10", "L14", "--side", "axis"),
        ("route", "Q13", "J8", "--side", "axis"),
    ],
)
def test_screens_fit_into_eighty_columns(words: tuple[str, ...]) -> None:
    screen = run(*words).stdout.splitlines()
    assert screen
    assert max(map(len, screen)) <= 80
    assert not any("…" in line for line in screen)


# ------------------------------------------------------------------ the summary


def test_summary() -> None:
    result = run()
    assert result.exit_code == 0
    shown = lines(result)
    assert shown[0] == "Europe: 406 hexes (154 inland, 163 coast, 89 open sea) and 6 off-map boxes"
    assert "Germany 15 16 P10 Berlin" in shown
    assert "Soviet Union 88 15 T15 Leningrad, Q17 Moscow, M19 Stalingrad" in shown
    assert "Spain 9 1 J5 Madrid 6" in shown
    assert "gray: neutral for good" in shown
    assert "SIBERIA Siberia 8, later 12 touches M21 to V21" in shown
    assert "L16-L17 Kerch Strait crossing: armies may pass" in shown
    assert "D15 Suez gateway: Mediterranean / Red Sea-Persian Gulf" in shown


def test_summary_as_json() -> None:
    facts = read()
    assert facts["kinds"] == {"inland": 154, "coast": 163, "open sea": 89}
    assert len(facts["countries"]) == 42
    assert {country["name"]: country["production"] for country in facts["countries"]}["Soviet Union"] == 15
    assert {box["id"] for box in facts["boxes"]} == {"US", "CANADA", "INDIA", "BRAFRICA", "FRAFRICA", "SIBERIA"}
    assert len(facts["crossings"]) == 6
    assert [gateway["place"] for gateway in facts["gateways"]] == ["H4", "S10", "J14", "D15", "BRAFRICA"]


# ------------------------------------------------------------------ hexes


def test_a_hex_with_everything() -> None:
    shown = lines(run("hex", "T15"))
    assert shown[0] == "T15 Leningrad"
    assert "kind coast" in shown
    assert "country Soviet Union (stated), red: Soviet Union" in shown
    assert "production 2 (chosen)" in shown
    assert "capital yes (stated)" in shown
    assert "port yes (stated); on the Baltic (HW-35.6)" in shown
    assert "seas Baltic, Soviet Lakes" in shown
    assert "NE U16 Petrozavodsk open sea (Soviet Lakes)" in shown
    assert "W T14 Helsinki open sea (Baltic)" in shown
    assert "SW S15 Pskov land" in shown
    assert "Barbarossa Soviet Leningrad Military District / Front" in shown
    assert "The Fall of Germany Soviet fort 2" in shown


def test_crossings_are_named() -> None:
    assert "E L17 Krasnodar crossing, Kerch Strait (Black Sea)" in lines(run("hex", "L16"))


def test_the_edge_of_the_board_and_siberia() -> None:
    shown = lines(run("hex", "P21"))
    assert "NE edge of the board" in shown
    assert "SIBERIA Siberia touches" in shown


def test_several_places_at_once() -> None:
    shown = lines(run("hex", "Q16", "SIBERIA"))
    assert "Q16 Smolensk" in shown
    assert "SIBERIA Siberia" in shown
    assert "production 8, later 12 (stated)" in shown


def test_a_lend_lease_depot_and_mountains() -> None:
    assert "lend-lease depot, 2 points a turn" in lines(run("hex", "U18"))
    assert "kind inland, mountain" in lines(run("hex", "M10"))


def test_open_sea_belongs_to_nobody() -> None:
    result = run("hex", "E14")
    assert result.exit_code == 0
    assert "scenario" not in result.stdout
    assert "country" not in result.stdout


def test_hexes_as_json() -> None:
    (smolensk,) = read("hex", "Q16")
    assert smolensk["name"] == "Smolensk"
    assert [side["to"] for side in smolensk["sides"]] == ["R16", "Q17", "P16", "P15", "Q15", "R15"]
    assert {scenario: start["holder"] for scenario, start in smolensk["at_start"].items()} == {
        "barbarossa": "soviet",
        "fall-of-germany": "soviet",
        "campaign-1": "soviet",
        "campaign-2": "soviet",
    }
    (essen,) = read("hex", "O10")
    assert essen["at_start"]["fall-of-germany"] == {"holder": "axis", "devastated": 3, "armies": [], "fort": 2}
    (sea,) = read("hex", "E14")
    assert sea["at_start"]["barbarossa"] is None


@pytest.mark.parametrize("place", europe().places)
def test_every_place_can_be_shown(place: str) -> None:
    result = run("hex", place)
    assert result.exit_code == 0
    assert lines(result)[0].startswith(place)


# ------------------------------------------------------------------ what was meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Q16", "Q16"),
        ("q16", "Q16"),
        (" siberia ", "SIBERIA"),
        ("Smolensk", "Q16"),
        ("königsberg", "Q13"),
        ("Konigsberg", "Q13"),
        ("BIALYSTOK", "P13"),
        ("Scapa Flow", "U7"),
        ("scapaflow", "U7"),
        ("United States", "US"),
        ("British Africa", "BRAFRICA"),
        ("Sicily", "H10"),
        ("North Denmark", "S10"),
        ("Kiel Canal", "Q10"),
        ("Malta", "G11"),
    ],
)
def test_places_are_found_by_id_and_by_name(typed: str, meant: str) -> None:
    assert find_place(typed) == meant


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("014", "letter O and digit 0 are different: did you mean O14?"),
        ("08", "letter O and digit 0 are different: did you mean O8?"),
        ("111", "letter I and digit 1 are different: did you mean I11?"),
        ("P1O", "did you mean P10?"),
        ("Q016", "did you mean Q16?"),
        ("Smolensc", "did you mean Smolensk (Q16)"),
        ("Stalingrd", "did you mean Stalingrad (M19)"),
        ("Sibiria", "did you mean Siberia (SIBERIA)"),
        ("Q99", "row Q goes from Q4 (west) to Q21 (east)"),
        ("Z3", "rows are A in the south to X in the north"),
        ("Germany", "Germany has 15 hexes, name one: M11 N9"),
        ("Xqzzy", "Hexes are a letter and a number"),
        ("", "There is no place called"),
    ],
)
def test_what_is_no_place_gets_a_hint_and_exit_code_2(typed: str, hint: str) -> None:
    with pytest.raises(NoSuchPlace) as refused:
        find_place(typed)
    assert hint in str(refused.value)
    result = run("hex", typed)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert result.stdout == ""


def test_a_wrong_place_among_good_ones_shows_nothing() -> None:
    result = run("hex", "Q16", "014")
    assert result.exit_code == 2
    assert result.stdout == ""


# ------------------------------------------------------------------ routes


def test_a_route() -> None:
    result = run("route", "Berlin", "L14", "--side", "axis")
    assert result.exit_code == 0
    shown = lines(result)
    assert shown[0] == "P10 Berlin to L14 Bucharest, Axis, Barbarossa: 6 hexsides"
    assert shown[2] == "0 P10 Berlin Germany"
    assert shown[-1].startswith("6 L14 Bucharest Rumania")


def test_a_route_is_unbroken_and_friendly() -> None:
    facts = read("route", "SIBERIA", "T15", "--side", "soviet")
    way = facts["route"]
    assert way[0] == "SIBERIA"
    assert way[-1] == "T15"
    assert facts["steps"] == len(way) - 1 == 7
    owners = load_scenario("barbarossa").owners(europe())
    assert all(owners[place] == "soviet" for place in way)
    assert all(there in europe().by_land[here] for here, there in pairwise(way))


def test_a_route_goes_over_crossings() -> None:
    shown = lines(run("route", "Palermo", "Rome", "--side", "axis"))
    assert any(line.endswith("crossing, Strait of Messina (Mediterranean)") for line in shown)


def test_a_route_goes_round_what_is_not_friendly() -> None:
    """From Leningrad to Murmansk the straight way is Finnish; the Soviet one goes round the lakes."""
    straight = search(["T15"], europe().by_land.__getitem__)
    assert len(route(straight, "W16")) - 1 == 3
    facts = read("route", "Leningrad", "Murmansk", "--side", "soviet")
    assert facts["steps"] > 3
    assert not {"U15", "V15", "W15"} & set(facts["route"])


def test_a_place_to_itself() -> None:
    assert read("route", "P10", "P10", "--side", "axis")["steps"] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Q13", "J8", "--side", "axis"), "J8 Cagliari in one of 1 hex."),
        (
            ("Q13", "Q17", "--side", "soviet"),
            "Q13 Königsberg is not friendly to the Soviet side at the start: it is Axis.",
        ),
        (
            ("Q17", "P7", "--side", "soviet"),
            "P7 London is not friendly to the Soviet side at the start: it is neutral.",
        ),
        (("P10", "E14", "--side", "axis"), "E14 is open sea."),
        (("Q13", "T14", "--side", "axis"), "Both are friendly, but no land, coast or crossing joins them"),
    ],
)
def test_no_route_says_why_and_exits_with_1(words: tuple[str, ...], why: str) -> None:
    result = run("route", *words)
    assert result.exit_code == 1
    assert lines(result)[0].startswith("No way by land: ")
    assert why in " ".join(lines(result))
    as_json = run("route", *words, "--json")
    assert as_json.exit_code == 1
    assert why in json.loads(as_json.stdout)["why_not"]
    assert json.loads(as_json.stdout)["route"] is None


def test_both_ends_are_named_if_neither_is_friendly() -> None:
    shown = " ".join(lines(run("route", "P7", "Q17", "--side", "axis")))
    assert "P7 London is not friendly" in shown
    assert "Q17 Moscow is not friendly" in shown


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("Q13", "P10", "--side", "allies"), "There is no side 'allies' in Barbarossa; there are: axis, soviet."),
        (("Q13", "P10", "--side", "axis", "--scenario", "citadel"), "there are: barbarossa, fall-of-germany"),
        (("Q13", "014", "--side", "axis"), "did you mean O14?"),
    ],
)
def test_wrong_words_exit_with_2(words: tuple[str, ...], hint: str) -> None:
    result = run("route", *words)
    assert result.exit_code == 2
    assert hint in result.stderr


# ------------------------------------------------------------------ whose board


def asked(monkeypatch: pytest.MonkeyPatch, games: Callable[[], Any], *words: str) -> Result:
    monkeypatch.setattr(pbem.cli.main, "known_games", games)
    return runner.invoke(pbem.cli.main.app, ["map", *words], env={"COLUMNS": "80", "NO_COLOR": "1"})


@pytest.mark.parametrize("words", [(), ("hex", "Q16"), ("route", "P10", "L14", "--side", "axis")])
def test_a_game_without_a_board_says_so(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    result = asked(monkeypatch, toy_games, *words)
    assert result.exit_code == 1
    assert result.stderr == "pbem: no game has a board.\n"


@pytest.mark.parametrize("words", [("--game", "two-hills"), ("--game", "two-hills", "hex", "Q16")])
def test_the_games_with_a_board_are_named_if_another_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    result = asked(monkeypatch, lambda: {**games(), **toy_games()}, *words)
    assert result.exit_code == 1
    assert "has no board" in result.stderr
    assert "Games with a board: hitlers-war." in result.stderr


def test_the_only_game_with_a_board_need_not_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    both = asked(monkeypatch, lambda: {**toy_games(), **games()}, "hex", "Q16")
    named = asked(monkeypatch, games, "hex", "Q16", "--game", "hitlers-war")
    assert both.stdout == named.stdout == run("hex", "Q16").stdout
    assert both.exit_code == named.exit_code == 0


def test_of_several_boards_one_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second game with a board: here the same under another name."""
    monkeypatch.setattr(pbem.cli.offered, "tools_of", lambda game: TOOLS)
    result = asked(monkeypatch, lambda: {**toy_games(), **games()}, "hex", "Q16")
    assert result.exit_code == 1
    assert "Games with a board: two-hills, hitlers-war. Name one with --game." in result.stderr


def test_a_game_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    result = asked(monkeypatch, games, "--game", "chess")
    assert result.exit_code == 1
    assert "there is no game 'chess'" in result.stderr
