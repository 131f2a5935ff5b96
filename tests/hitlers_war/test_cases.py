"""The case files: every case holds in every edition, every rule up to level 3 has one, and the runner notices mistakes."""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.game import Options
from engine.grand_strategy.board import Board
from engine.grid import Edge
from engine.hitlers_war.cases import board as case_board
from engine.hitlers_war.cases.board import stub_board
from engine.hitlers_war.cases.judging import KINDS, Verdict, judge
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.tables import tables
from pbem.cli.cases import cases_in, run_case_files
from pbem.cli.main import app
from tests.rules_played import CHAPTERS, LATER, RULES
from tests.the_project import TESTS

CASES = TESTS / "cases" / "hitlers-war"
FILES = sorted(CASES.glob("*.yaml"))
RULEBOOK = CASES / "rulebook.yaml"
SHORT = [CASES / "tables.yaml", CASES / "winter.yaml"]  # for tests of the runner that need any files

#: Cases of rules levels that are not played yet. A level that is added takes its cases out of this list.
NOT_YET = {
    "EX-21", "EX-22", "EX-23", "EX-24", "EX-25", "EX-26", "EX-27", "EX-28", "EX-29", "DV-19", "DV-20",  # level 4
}  # fmt: skip

#: Rules that a position with orders cannot show, and the file that looks after them.
ELSEWHERE = {
    "HW-1.1": "test_fog.py",
    "HW-2.1": "test_tables.py",
    "HW-9.10": "test_cases.py",
    "HW-15.10": "test_cases.py",
}

#: The decisions up to level 3 that have at least one case.
DECISIONS = {
    "D-01", "D-02", "D-05", "D-06", "D-10", "D-11", "D-12", "D-13", "D-15", "D-16", "D-18", "D-20", "D-21", "D-22", "D-23",
    "D-24", "D-25", "D-26", "D-27", "D-28", "D-29", "D-30", "D-31", "D-32", "D-33", "D-34", "D-38", "D-39", "D-40", "D-41",
    "D-42", "D-43", "D-45", "D-68",
}  # fmt: skip

ALL_CASES = {case["id"]: case for path in FILES for case in cases_in(path)}


def failures(case: Mapping[str, Any]) -> list[Verdict]:
    return [verdict for verdict in judge(case) if verdict.status == "failed"]


@cache
def judged(name: str) -> list[Verdict]:
    return judge(ALL_CASES[name])


# ------------------------------------------------------------------ the cases themselves


def test_there_are_many_cases() -> None:
    assert RULEBOOK in FILES
    assert len(ALL_CASES) >= 51 + 216 + 160


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case["id"] for path in FILES for case in cases_in(path)]
    assert sorted(names) == sorted(ALL_CASES)


@pytest.mark.parametrize("name", ALL_CASES)
def test_the_case_holds(name: str) -> None:
    failed = [verdict for verdict in judged(name) if verdict.status == "failed"]
    assert [(verdict.id, verdict.edition, verdict.differences) for verdict in failed] == []


@pytest.mark.parametrize("name", [name for name in ALL_CASES if name not in NOT_YET])
def test_the_case_is_judged_in_every_edition_it_names(name: str) -> None:
    case = ALL_CASES[name]
    editions = {str(edition) for edition in case.get("editions", tables().editions)}
    assert {verdict.edition for verdict in judged(name) if verdict.id == name} == editions


def test_a_case_for_one_edition_has_a_variant_for_the_other() -> None:
    """Only the tables themselves differ without more."""
    for name, case in ALL_CASES.items():
        editions = [str(edition) for edition in case.get("editions", tables().editions)]
        if len(editions) == 1 and case["kind"] != "lookup":
            others = {str(edition) for variant in case.get("variants", ()) for edition in variant.get("editions", ())}
            assert others - set(editions), name


def test_what_is_not_yet_played_is_known() -> None:
    assert {name for name in ALL_CASES if judged(name)[0].status == "not yet"} == NOT_YET


# ------------------------------------------------------------------ what the cases show


def test_every_case_names_its_rules() -> None:
    for name, case in ALL_CASES.items():
        assert case["title"], name
        assert case["case"], name
        assert all(re.fullmatch(r"HW-\d+\.\d+|HW-41|[AD]-\d\d", reference) for reference in case["case"]), name


def shown_rules() -> set[str]:
    return {reference for name, case in ALL_CASES.items() if name not in NOT_YET for reference in case["case"]}


@pytest.mark.parametrize("rule", sorted((RULES | DECISIONS) - set(ELSEWHERE) - set(LATER)))
def test_the_rule_has_a_case(rule: str) -> None:
    assert rule in shown_rules()


@pytest.mark.parametrize(("rule", "file"), ELSEWHERE.items())
def test_a_rule_without_a_case_is_named_by_the_test_that_looks_after_it(rule: str, file: str) -> None:
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    assert re.search(rf"{re.escape(rule)}(?!\d)", text)


def test_nothing_is_both_shown_and_said_to_be_elsewhere() -> None:
    assert not shown_rules() & (set(ELSEWHERE) | set(LATER))


def test_no_case_names_a_rule_that_there_is_not() -> None:
    for name, case in ALL_CASES.items():
        rules = {
            rule for rule in case["case"] if rule.startswith("HW-") and int(re.split(r"[-.]", rule)[1]) in CHAPTERS
        }
        assert rules <= RULES, name


CASE_WORDS = {
    "id", "title", "kind", "level", "case", "editions", "setup", "orders", "dice", "lookups", "expect",
    "expect_by_edition", "variants",
}  # fmt: skip
VARIANT_WORDS = {"editions", "setup", "setup_change", "orders", "dice", "lookups", "expect", "expect_by_edition"}
SETUP_WORDS = {
    "phasing", "season", "turn", "scenario", "winters_in_russia_before", "hexes", "hexsides", "armies", "check",
    "side", "budget", "undevastated", "map", "start", "players", "player_turns", "sea", "forts", "countries", "joined",
    "surrendered", "terms", "mobilized", "limited_war", "lend_lease", "points", "berlin",
}  # fmt: skip
HEX_WORDS = {
    "owner", "country", "terrain", "production", "devastated", "ruined", "capital", "box", "coastal", "lost_once",
}  # fmt: skip
ARMY_WORDS = {"id", "side", "hex", "inf", "mech", "tac", "para", "amph", "waits_for"}
FORT_WORDS = {"side", "number", "hex", "strength", "building"}


def setups_of(case: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield case.get("setup", {})
    for variant in case.get("variants", ()):
        yield variant.get("setup", {})
        yield variant.get("setup_change", {})


@pytest.mark.parametrize("name", [name for name in ALL_CASES if name not in NOT_YET])
def test_no_word_of_the_case_is_misspelt(name: str) -> None:
    """A word the runner does not know would be passed over, and with it what the case was meant to show."""
    case = ALL_CASES[name]
    assert set(case) <= CASE_WORDS
    assert case["kind"] in KINDS
    assert case.get("expect") or case.get("expect_by_edition")
    for variant in case.get("variants", ()):
        assert set(variant) <= VARIANT_WORDS
        assert variant.get("expect") or variant.get("expect_by_edition")
    for setup in setups_of(case):
        assert set(setup) <= SETUP_WORDS
        assert all(set(facts) <= HEX_WORDS for facts in setup.get("hexes", {}).values())
        assert all(set(army) <= ARMY_WORDS for army in setup.get("armies", ()))
        assert all(set(fort) <= FORT_WORDS for fort in setup.get("forts", ()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_file_stands_alone_and_says_what_it_is(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert len(text.partition("version: 1")[0].splitlines()) >= 4
    assert run_case_files(judge, [path]) in (0, 1)
    assert re.fullmatch(r"\d+ passed, \d+ failed", capsys.readouterr().out.splitlines()[-1])


# ------------------------------------------------------------------ the runner notices mistakes

Way = tuple[str | int, ...]

WRONG: list[tuple[str, Way, Any]] = [
    ("EX-05", ("expect", "armies", 0, "inf"), 4),
    ("EX-06", ("expect", "armies", 0, "mech"), 7),
    ("EX-07", ("expect", "exploitation_modifier", "modifier"), 1),
    ("EX-08", ("variants", 0, "expect", "armies", 0, "hex"), "P14"),
    ("EX-09", ("expect", "eliminated"), []),
    ("EX-10", ("expect", "combinations", 1, "lost"), 0),
    ("EX-11", ("expect", "budget"), 34),
    ("EX-12", ("expect", "siberia_production", 7), 12),
    ("DV-01", ("expect", "rolls"), 1),
    ("DV-05", ("dice", 0, "roll"), 3),
    ("DV-12", ("expect", "culled"), 3),
    ("DV-13", ("lookups", 1, "value"), 2),
    ("DV-13", ("expect", "advance_against", 9), "never"),
    ("MV-06", ("expect", "totals", "axis", "mech"), 4),
    ("MV-10", ("expect", "off_map"), ["WEST"]),
    ("MV-13", ("expect", "legal"), True),
    ("CB-02", ("expect", "order_refused"), []),
    ("CB-08", ("expect", "hits_ignored"), 1),
    ("CB-08", ("expect", "losses_applied"), 2),
    ("CB-08", ("expect", "hits"), 2),
    ("AD-14", ("expect", "hexes", "Q15", "garrison"), 1),
    ("AD-14", ("expect", "hexes", "Q16", "defence"), 9),
    ("AD-15", ("expect", "hexes", "Q16", "working"), 1),
    ("SU-09", ("expect", "axis_losses"), 8),
    ("SU-17", ("expect", "winners"), ["soviet"]),
    ("SU-17", ("expect", "over"), False),
    ("PR-04", ("expect", "mechanized_built"), 3),
    ("PR-06", ("expect", "spent_on_repair"), 6),
    ("PR-15", ("expect", "production_next_turn"), 11),
    ("PR-15", ("expect", "lost"), 1),
    ("SR-01", ("expect", "armies", 0, "hex"), "P7"),
    ("SR-26", ("variants", 0, "expect", "legal"), True),
    ("IV-08", ("expect", "naval_fires", "C"), 2),
    ("IV-15", ("expect", "support_fires"), {}),
    ("IV-17", ("expect", "coastal_air_fires"), {}),
    ("FT-01", ("expect", "forts", "N7", "building"), 1),
    ("FT-09", ("expect", "absorbed"), 2),
    ("FT-12", ("expect", "forts", "Q14"), {"strength": 2}),
    ("FG-03", ("expect", "accepted"), []),
    ("FG-11", ("expect", "winners"), ["allies"]),
    ("FG-22", ("expect", "counted", "soviet"), 23),
    ("NE-01", ("expect", "joined"), {}),
    ("NE-02", ("expect", "surrendered"), {}),
    ("NE-06", ("expect", "hexes", "T14", "strength"), 2),
    ("SD-04", ("expect", "terms"), "refused"),
    ("SD-20", ("expect", "mobilized"), 0),
    ("SD-27", ("expect", "levels", "axis"), "substantial"),
    ("EX-20", ("expect", "ratios", "axis"), "1/7"),
    ("EX-30", ("expect", "supply_seas", "axis"), ["Atlantic"]),
    ("EX-13", ("expect", "hexsides_under_fire", "BRAFRICA-D15"), 50),
    ("TO-01", ("expect", "next"), "allies"),
]


def changed(name: str, way: Way, value: Any) -> dict[str, Any]:
    """The case with one entry replaced."""
    case: dict[str, Any] = copy.deepcopy(dict(ALL_CASES[name]))
    inner: Any = case
    for step in way[:-1]:
        inner = inner[step]
    assert inner[way[-1]] != value
    inner[way[-1]] = value
    return case


@pytest.mark.parametrize(("name", "way", "value"), WRONG)
def test_a_wrong_expectation_makes_the_case_fail(name: str, way: Way, value: Any) -> None:
    failed = failures(changed(name, way, value))
    assert {verdict.edition for verdict in failed} == set(tables().editions)
    assert all(verdict.differences for verdict in failed)


def test_a_wrong_expectation_for_one_edition_fails_in_that_edition_only() -> None:
    way = ("expect_by_edition", "later", "armies", 0, "hex")
    assert [verdict.edition for verdict in failures(changed("AD-01", way, "Q16"))] == ["later"]


def test_the_difference_names_what_was_expected_and_what_came() -> None:
    failed = failures(changed("CB-24", ("expect", "armies", 1, "inf"), 7))
    assert failed[0].differences == ("SWEST inf: 9 instead of 7",)


def test_an_unknown_expectation_is_a_difference() -> None:
    case = {**ALL_CASES["EX-01"], "expect": {"morale": 10}}
    assert all("'morale'" in verdict.differences[0] for verdict in failures(case))
    assert len(failures(case)) == 2


@pytest.mark.parametrize(
    "expect",
    [
        {"armies": [{"id": "NORTH", "infantry": 2}]},
        {"armies": [{"id": "SOUTH", "inf": 2}]},
        {"hexes": {"Q13": {"owner": "axis"}}},
        {"hexes": {"Q14": {"strength": 2}}},
        {"axis_gains": 3},
    ],
)
def test_an_expectation_about_what_is_not_there_is_a_difference(expect: Mapping[str, Any]) -> None:
    case = {**ALL_CASES["EX-01"], "setup": {**ALL_CASES["EX-01"]["setup"], "hexes": {"Q14": {"owner": "axis"}}}}
    assert failures(case) == []
    assert len(failures({**case, "expect": expect})) == 2


def test_too_few_dice_and_dice_left_over_are_differences() -> None:
    case = ALL_CASES["AD-09"]
    assert len(failures({**case, "dice": []})) == 2
    left = failures({**case, "dice": [6, 6]})
    assert left[0].differences == ("1 of the forced dice were not used",)


def test_a_line_that_cannot_be_read_is_a_difference() -> None:
    case = {**ALL_CASES["AD-09"], "orders": {"soviet": ["ATTAK White Q15 ADVANCE"]}, "dice": []}
    assert "ATTAK" in failures(case)[0].differences[-1]


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "siege"},
        {"setup": [1]},
        {"setup": {"hexes": {"Q15": {}}}},
        {"setup": {"scenario": "rome"}},
        {"setup": {"map": "asia"}},
        {"setup": {"map": "europe", "countries": {"Atlantis": "axis"}}},
        {"setup": {"phasing": "rome", "hexes": {"Q15": {"owner": "axis"}}}},
        {"expect": [1]},
        {"lookups": [{"table": "firepower"}]},
    ],
)
def test_a_case_that_makes_no_sense_fails(change: Mapping[str, Any]) -> None:
    verdicts = judge({**ALL_CASES["AD-09"], **change})
    assert [verdict.status for verdict in verdicts] in (["failed"], ["failed", "failed"])  # at once, or in each edition
    assert all(verdict.differences for verdict in verdicts)


# ------------------------------------------------------------------ files and output

MALFORMED = {
    "not yaml": "cases: [",
    "a list": "- id: X\n",
    "nothing": "",
    "no list of cases": "version: 1\nfoo: []\n",
    "a case without an id": "cases: [{title: x}]\n",
    "a case that is a word": "cases: [word]\n",
    "a text instead of cases": "cases: text\n",
    "a mapping instead of cases": "cases: {id: X}\n",
    "a tag": "cases: [!!python/object/apply:os.getcwd []]\n",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_file_gives_two(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(text, encoding="utf-8")
    assert run_case_files(judge, [*SHORT, path]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(f"pbem case: {path}")
    assert shown.out == ""


def test_a_file_that_cannot_be_read_gives_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_case_files(judge, [tmp_path / "missing.yaml"]) == 2
    assert run_case_files(judge, [tmp_path]) == 2
    (tmp_path / "latin.yaml").write_bytes(b"cases: [{id: caf\xe9}]\n")
    assert run_case_files(judge, [tmp_path / "latin.yaml"]) == 2
    assert capsys.readouterr().err.count("pbem case: ") == 3


STRANGE = {
    "a number instead of cases": "cases: 5\n",
    "a level in words": "cases: [{id: X, level: two}]\n",
    "a number instead of variants": "cases: [{id: X, variants: 3}]\n",
    "a variant that is a number": "cases: [{id: X, variants: [3]}]\n",
    "a number instead of editions": "cases: [{id: X, editions: 3}]\n",
    "a changed army without an id": "cases: [{id: X, variants: [{setup_change: {armies: [{hex: Q16}]}}]}]\n",
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE.keys())
def test_a_strange_entry_is_said_to_be_strange(text: str, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(text, encoding="utf-8")
    assert run_case_files(judge, [path]) in (1, 2)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """One case that holds, one that does not, one of a later level."""
    path = tmp_path / "mixed.yaml"
    good, later = ALL_CASES["AD-09"], ALL_CASES["EX-21"]
    path.write_text(json.dumps({"cases": [good, changed("AD-09", ("expect", "rolls"), 2) | {"id": "BAD"}, later]}))
    return path


def test_the_text_ends_with_the_count(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_case_files(judge, [mixed]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["1 of a rules level that is not played yet", "2 passed, 2 failed"]
    assert lines[0] == f"passed  AD-09 (1984)  {ALL_CASES['AD-09']['title']}"
    assert "          rolls: 1 instead of 2" in lines
    assert f"not yet EX-21  {ALL_CASES['EX-21']['title']}" in lines


def test_the_count_is_that_of_all_files(capsys: pytest.CaptureFixture[str]) -> None:
    run_case_files(judge, SHORT)
    statuses = [verdict.status for path in SHORT for case in cases_in(path) for verdict in judged(case["id"])]
    count = f"{statuses.count('passed')} passed, {statuses.count('failed')} failed"
    assert capsys.readouterr().out.splitlines()[-1] == count


def test_json(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_case_files(judge, [mixed], json=True) == 1
    document = json.loads(capsys.readouterr().out)
    assert {key: document[key] for key in ("passed", "failed", "not_yet")} == {"passed": 2, "failed": 2, "not_yet": 1}
    assert [(verdict["id"], verdict["edition"], verdict["status"]) for verdict in document["verdicts"]] == [
        ("AD-09", "1984", "passed"),
        ("AD-09", "later", "passed"),
        ("BAD", "1984", "failed"),
        ("BAD", "later", "failed"),
        ("EX-21", "", "not yet"),
    ]
    assert [verdict.get("differences") for verdict in document["verdicts"]] == [
        None, None, ["rolls: 1 instead of 2"], ["rolls: 1 instead of 2"], None,
    ]  # fmt: skip
    assert set(document["verdicts"][0]) == {"id", "title", "edition", "status"}


def test_the_command(mixed: Path) -> None:
    runner = CliRunner()
    good = runner.invoke(app, ["case", str(RULEBOOK)])
    assert good.exit_code == 0
    assert re.fullmatch(r"\d+ passed, 0 failed", good.output.splitlines()[-1])
    bad = runner.invoke(app, ["case", "--json", str(mixed)])
    assert bad.exit_code == 1
    assert json.loads(bad.output)["failed"] == 2
    assert runner.invoke(app, ["case", str(mixed.parent / "none.yaml")]).exit_code == 2


def test_a_side_sends_one_sheet_however_many_command_it() -> None:
    """HW-15.10"""
    game = HitlersWar()
    gate = game.gate(game.setup("barbarossa", Options()))
    assert gate is not None
    assert gate.awaits == ("axis",)


# ------------------------------------------------------------------ Siberia, which touches no hex of a case file


@pytest.fixture
def siberia_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    """On these boards Siberia touches Q18 and R18."""

    def board_with_siberia(setup: Mapping[str, Any]) -> Board:
        board = stub_board(setup)
        edges = {place: list(board.grid.edges(place)) for place in board.places}
        for near in ("Q18", "R18"):
            edges["SIBERIA"].append(Edge(near, "touch"))
            edges[near].append(Edge("SIBERIA", "touch"))
        return Board(board.places.values(), edges, board.layout)

    monkeypatch.setattr(case_board, "stub_board", board_with_siberia)


def siberia(turn: int, *armies: Mapping[str, Any], q18: str = "soviet", r18: str = "soviet") -> dict[str, Any]:
    return {
        "scenario": "barbarossa",
        "turn": turn,
        "phasing": "soviet",
        "hexes": {
            "Q18": {"owner": q18, "country": "Soviet Union", "production": 1},
            "R18": {"owner": r18, "country": "Soviet Union"},
            "Siberia": {"owner": "soviet", "box": True},
        },
        "armies": armies,
    }


CENTER = {"side": "axis", "id": "CENTER", "hex": "Q18", "mech": 10}
SIBERIANS = {"side": "soviet", "id": "SIBERIA", "hex": "Siberia", "inf": 2, "mech": 3}
DRIVEN_OUT = {
    "id": "driven out of Siberia",
    "kind": "combat",
    "setup": siberia(8, CENTER, SIBERIANS, q18="axis") | {"phasing": "axis"},
    "orders": {"axis": ["ATTACK Center SIBERIA ADVANCE"], "standing": {"soviet": ["DEFEND ALL NEVER"]}},
    "dice": [5],
}
LEAVING = {"id": "leaving Siberia", "orders": {"soviet": ["GOTO Siberia R18"]}, "kind": "movement"}
ATTACKING = {"id": "attacking from Siberia", "orders": {"soviet": ["ATTACK Siberia Q18 ADVANCE"]}, "kind": "supply"}

SIBERIAN_CASES = [
    # HW-9.17: one advance takes the box and ruins all of it. HW-9.10: from Siberia armies may retreat.
    # Ten against five is 1-5.
    DRIVEN_OUT
    | {
        "expect": {
            "armies": [{"id": "CENTER", "hex": "Siberia"}, {"id": "SIBERIA", "hex": "R18", "inf": 2, "mech": 3}],
            "hexes": {"Siberia": {"owner": "axis", "devastated": 8, "working": 0}},
        },
    },
    DRIVEN_OUT | {"dice": [6], "expect": {"armies": [{"id": "CENTER", "hex": "Q18"}, {"id": "SIBERIA", "hex": "Siberia"}]}},
    DRIVEN_OUT
    | {
        "setup": siberia(8, CENTER, SIBERIANS, q18="axis", r18="axis") | {"phasing": "axis"},
        "expect": {"armies": [{"id": "CENTER", "hex": "Siberia"}], "eliminated": ["SIBERIA"]},
    },
    # HW-5.1: an empty box has a garrison.
    DRIVEN_OUT
    | {
        "setup": siberia(8, CENTER, q18="axis") | {"phasing": "axis"},
        "dice": [6],
        "expect": {"armies": [{"id": "CENTER", "hex": "Siberia"}], "rolls": 1},
    },
    # HW-15.6: held on turn 6, free from turn 7, to move and to attack. Three against a garrison is 1-3, later 1-2.
    LEAVING | {"setup": siberia(6, SIBERIANS), "expect": {"legal": False, "armies": [{"id": "SIBERIA", "hex": "Siberia"}]}},
    LEAVING | {"setup": siberia(7, SIBERIANS), "expect": {"legal": True, "armies": [{"id": "SIBERIA", "hex": "R18"}]}},
    ATTACKING
    | {
        "setup": siberia(6, SIBERIANS, q18="axis"),
        "expect": {"order_refused": ["SIBERIA"], "armies": [{"id": "SIBERIA", "hex": "Siberia"}], "rolls": 0},
    },
    ATTACKING
    | {
        "setup": siberia(7, SIBERIANS, q18="axis"),
        "dice": [2],
        "expect": {"armies": [{"id": "SIBERIA", "hex": "Q18"}], "hexes": {"Q18": {"owner": "soviet", "devastated": 1}}},
    },
    # HW-7.2, HW-9.9: a box takes everybody in.
    {
        "id": "retreat into Siberia",
        "kind": "combat",
        "setup": siberia(
            8,
            CENTER,
            {"side": "soviet", "id": "MOSCOW", "hex": "R18", "inf": 3},
            SIBERIANS | {"inf": 9, "mech": 6},
            q18="axis",
        )
        | {"phasing": "axis"},
        "orders": {"axis": ["ATTACK Center R18 ADVANCE"], "standing": {"soviet": ["DEFEND ALL NEVER"]}},
        "dice": [6],
        "expect": {"armies": [{"id": "CENTER", "hex": "R18"}, {"id": "MOSCOW", "hex": "Siberia", "inf": 3}], "eliminated": []},
    },
]  # fmt: skip


@pytest.mark.usefixtures("siberia_touches")
@pytest.mark.parametrize("case", SIBERIAN_CASES, ids=lambda case: case["id"])
def test_siberia(case: Mapping[str, Any]) -> None:
    assert [(verdict.edition, verdict.differences) for verdict in failures(case)] == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"expects": {}}, "did you mean 'expect'"),
        ({"setup": {"armys": [], "hexes": {}}}, "did you mean 'armies'"),
        ({"editions": ["1985"]}, "no edition '1985'"),
        ({"dice": [9]}, "9 is no die"),
        ({"rolls": 7}, "rolls: "),
    ],
)
def test_a_slip_of_the_pen_does_not_pass(change: Mapping[str, Any], word: str) -> None:
    verdicts = failures({**ALL_CASES["AD-09"], **change})
    assert verdicts
    assert all(word in " ".join(verdict.differences) for verdict in verdicts)


def test_a_case_that_expects_nothing_fails() -> None:
    case = {key: value for key, value in ALL_CASES["AD-09"].items() if key not in ("expect", "lookups", "variants")}
    assert "expects nothing" in failures(case)[0].differences[0]
