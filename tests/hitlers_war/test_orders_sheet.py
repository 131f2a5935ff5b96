"""Whole sheets: headings, sections, standing orders, which lines count when, and sheets nobody should send."""

import time

import pytest

from engine.grand_strategy.language.reading import GateFacts, read_sheet
from engine.grand_strategy.orders import Cancel, Defend, Exploit, Retreat, Step
from engine.hitlers_war.language.words import SECTIONS
from engine.hitlers_war.rulebook import vocabulary_for
from engine.orders import MOST_LINES, MOST_UNREADABLE, Finding, Kind, Sheet

AXIS_TO_MOVE = GateFacts("axis", "axis", "summer", 1941, 6, "17")
SOVIET_TO_MOVE = GateFacts("soviet", "soviet", "summer", 1941, 6, "17")
SOVIET_WAITS = GateFacts("soviet", "axis", "summer", 1941, 6, "17")


def sheet_of(text: str, facts: GateFacts = AXIS_TO_MOVE) -> Sheet:
    return read_sheet(text, vocabulary_for(facts.side, ("axis", "soviet")), facts)


def only_finding(sheet: Sheet) -> Finding:
    (finding,) = sheet.findings
    return finding


# ------------------------------------------------------------------ sheets

AXIS_MAIL = """\
GAME 17 TURN SUMMER 1941 SIDE AXIS
SET Center O14 2I 8M
ATTACK North Q14 ASSAULT ADVANCE IF RANGE>=3
ATTACK Center P14 ASSAULT ADVANCE
ATTACK Fourth Q14 ASSAULT
ATTACK South N14 ASSAULT-IF DEF>=3 ADVANCE
LOSSES ALL TYPES I,M
EXPLOIT Center P15 Q16:ASSAULT-IF RANGE<4 STOP-IF RANGE<3
EXPLOIT North R14 STOP-IF LOSS>=4
BUILD 2M P10 OR O10 Center
BUILD MAX I P10 West
STANDING DEFEND ALL NOW
STANDING RETREAT ALL TOWARD P10
"""
SOVIET_MAIL = """\
GAME 17 TURN SUMMER 1941 SIDE SOVIET
STANDING DEFEND ALL NOW
STANDING DEFEND Moscow EXPLOIT-ONLY
STANDING LOSSES ALL TYPES I,M
STANDING RETREAT N14 TO N15,O16
STANDING RETREAT ALL TOWARD Q17
"""


def test_a_sheet_of_the_axis() -> None:
    sheet = sheet_of(AXIS_MAIL)
    assert (sheet.side, sheet.findings, sheet.refused) == ("axis", (), False)
    assert [line.number for line in sheet.lines] == list(range(2, 14))
    assert [line.number for line in sheet.lines if line.standing] == [12, 13]
    assert sheet.lines[-1].text == "STANDING RETREAT ALL TOWARD P10"
    assert sheet.lines[-1].order == Retreat("ALL", "TOWARD", ("P10",))


def test_standing_orders_of_the_soviets_in_the_axis_player_turn() -> None:
    sheet = sheet_of(SOVIET_MAIL, SOVIET_WAITS)
    assert [line.standing for line in sheet.lines] == [True] * 5
    assert [finding.kind for finding in sheet.findings] == [Kind.NOTE]


WORKED_EXAMPLES = {
    AXIS_TO_MOVE: """\
SET West P11 5I 5M; SET B O12 5I; DISBAND OKW; DISBAND South; ATTACK Center Q16 ASSAULT; ATTACK Fourth Q16 ASSAULT
LOSSES Q16 FROM Fourth,Center TYPES I,M; ATTACK Center Q16 ASSAULT ADVANCE; LOSSES Center TYPES I,M
ATTACK Fourth Q16 ADVANCE; ATTACK Fourth Q16 ASSAULT ADVANCE; ATTACK South L12 ADVANCE; EXPLOIT South L13
ATTACK South L13 ASSAULT; LOSSES South TYPES M,I; ATTACK Center Q16 ADVANCE; ATTACK Center P14 ADVANCE
EXPLOIT Center P15; LOSSES Center TYPES I; ATTACK Fourth Q14 ADVANCE; EXPLOIT Fourth Q15
STANDING DEFEND ALL NOW; STANDING RETREAT P14 TO P13; STANDING DEFEND ALL NEVER""",
    SOVIET_TO_MOVE: """\
ATTACK Moscow Q15 ASSAULT; ATTACK 1Ukr Q15 ASSAULT; ATTACK 2Ukr Q15 ASSAULT; ATTACK White Q15 ADVANCE SAVE
LOSSES Q15 FROM 2Ukr TYPES I; EXPLOIT White Q14 P14:ASSAULT; ATTACK White Q15 ASSAULT; ATTACK West Q15 ASSAULT""",
    SOVIET_WAITS: """\
STANDING DEFEND Q16 NOW; STANDING LOSSES West TYPES I,M; STANDING RETREAT Q16 TO Q17; STANDING DEFEND ALL NEVER
STANDING RETREAT L13 TO L14; STANDING DEFEND L13 NOW; STANDING LOSSES Kiev TYPES I,M""",
}


@pytest.mark.parametrize("facts", WORKED_EXAMPLES)
def test_the_orders_of_the_worked_examples(facts: GateFacts) -> None:
    for line in WORKED_EXAMPLES[facts].replace("\n", ";").split(";"):
        sheet = sheet_of(line, facts)
        assert [finding for finding in sheet.findings if finding.refuses] == []
        assert len(sheet.lines) == 1


def test_comments_blank_lines_and_end() -> None:
    sheet = sheet_of("# all mine\n\n  GOTO West P11  # behind the lines\r\nend\nGOTO A P11\n")
    assert [(line.number, line.text) for line in sheet.lines] == [(3, "GOTO West P11")]
    assert sheet.findings == ()


def test_sections_are_headings() -> None:
    text = "\n".join(f"{section}{colon}" for section in SECTIONS for colon in ("", ":"))
    assert sheet_of(text.lower()) == Sheet("axis")


def test_the_standing_section_ends_with_the_next_one() -> None:
    sheet = sheet_of("STANDING\nDEFEND ALL NOW\nRETREAT Q16 DIE\nclear\nCOMBAT:\nLOSSES ALL TYPES I\nEXPLOIT A Q16")
    assert [line.standing for line in sheet.lines] == [True, True, False, False, False]
    assert sheet.lines[2].order == Cancel()
    assert sheet.findings == ()


def test_exploit_alone_is_a_section_and_with_an_army_an_order() -> None:
    sheet = sheet_of("EXPLOIT\nEXPLOIT Center P15")
    assert [line.order for line in sheet.lines] == [Exploit("CENTER", (Step("P15"),))]


@pytest.mark.parametrize(
    "heading",
    [
        "GAME 17 TURN SUMMER 1941 SIDE AXIS",
        "game 17 turn summer 1941 side axis",
        "SIDE Axis",
        "TURN Summer 1941",
        "Turn: Summer '41",
        "TURN 6 SIDE the Axis",
        "SIDE AXIS GAME 17",
    ],
)
def test_a_heading_that_fits(heading: str) -> None:
    sheet = sheet_of(f"{heading}\nGOTO West P11")
    assert len(sheet.lines) == 1
    assert sheet.findings == ()


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("GAME 18 TURN SUMMER 1941 SIDE AXIS", "GAME 18"),
        ("GAME 17 TURN WINTER 1941 SIDE AXIS", "TURN WINTER 1941"),
        ("TURN SUMMER 1942", "TURN SUMMER 1942"),
        ("TURN 7", "TURN 7"),
        ("GAME 17 TURN SUMMER 1941 SIDE SOVIET", "SIDE SOVIET"),
    ],
)
def test_a_sheet_for_another_gate_is_turned_away_as_a_whole(heading: str, said: str) -> None:
    sheet = sheet_of(f"GOTO West P11\n{heading}\nATTACK Center P14 ASSAULT")
    assert sheet.refused
    assert sheet.lines == ()
    finding = only_finding(sheet)
    assert (finding.line, finding.kind, finding.text) == (0, Kind.ILLEGAL, heading)
    assert said in finding.why
    assert "GAME 17 TURN Summer 1941 SIDE Axis" in finding.remedy


def test_a_game_nobody_knows_the_number_of_is_not_compared() -> None:
    assert not sheet_of("GAME 99 SIDE AXIS", GateFacts("axis", "axis", "summer", 1941)).refused


def test_a_sentence_that_begins_like_a_heading_is_just_a_line() -> None:
    finding = only_finding(sheet_of("Turn in, it is late"))
    assert (finding.line, finding.kind) == (1, Kind.UNREADABLE)


# ------------------------------------------------------------------ what counts when


@pytest.mark.parametrize("policy", ["DEFEND ALL NOW", "RETREAT Q16 DIE"])
def test_a_policy_for_the_enemys_turn_must_stand(policy: str) -> None:
    for facts in (SOVIET_TO_MOVE, SOVIET_WAITS):
        finding = only_finding(sheet_of(f"  {policy}", facts))
        assert (finding.kind, finding.column, finding.text) == (Kind.ILLEGAL, 3, policy)
        assert finding.remedy == f"Write STANDING {policy}"


def test_losses_count_both_ways_in_the_own_player_turn() -> None:
    sheet = sheet_of("LOSSES ALL TYPES I\nSTANDING LOSSES ALL TYPES M")
    assert [line.standing for line in sheet.lines] == [False, True]


def test_losses_of_the_side_that_waits_must_stand() -> None:
    assert only_finding(sheet_of("LOSSES ALL TYPES I", SOVIET_WAITS)).remedy == "Write STANDING LOSSES ALL TYPES I"


@pytest.mark.parametrize("line", ["ATTACK White Q15 ASSAULT", "GOTO White Q17", "BUILD MAX I Q17", "EXPLOIT White Q15"])
def test_only_standing_orders_count_in_the_enemys_player_turn(line: str) -> None:
    finding = only_finding(sheet_of(line, SOVIET_WAITS))
    assert finding.kind is Kind.ILLEGAL
    assert "It is the Axis player-turn: only STANDING and CANCEL lines count now." in finding.why


@pytest.mark.parametrize(
    ("facts", "why", "remedy"),
    [
        (SOVIET_WAITS, "the Axis player-turn", "Send it again when it is your turn."),
        (
            GateFacts("axis", "soviet", "spring", 1940, 2, "17"),
            "the Soviet player-turn",
            "Yours of Spring 1940 has been run; send what still fits in your next one.",
        ),
        (
            GateFacts("axis", "soviet", "spring", 1944, 14, "17", "deployment"),
            "the Soviet deployment",
            "Send it again when it is your turn.",
        ),
    ],
)
def test_who_is_late_is_told_that_his_player_turn_has_been_run(facts: GateFacts, why: str, remedy: str) -> None:
    finding = only_finding(sheet_of("BUILD MAX I ANY", facts))
    assert finding.why.startswith(f"It is {why}: ")
    assert finding.remedy == remedy


def test_cancelling_counts_at_any_time() -> None:
    sheet = sheet_of("CANCEL DEFEND ALL NOW\nSTANDING CLEAR", SOVIET_WAITS)
    assert [line.order for line in sheet.lines] == [Cancel(Defend("ALL", "NOW")), Cancel()]


@pytest.mark.parametrize("line", ["STANDING ATTACK Center Q16 ASSAULT", "STANDING\nBUILD MAX I P10"])
def test_orders_that_cannot_stand(line: str) -> None:
    finding = only_finding(sheet_of(line))
    assert finding.kind is Kind.ILLEGAL
    assert "cannot stand" in finding.why


def test_an_army_attacks_once() -> None:
    sheet = sheet_of("ATTACK Center Q16 ASSAULT\nATTACK AGC P14 ADVANCE\nATTACK North P14 ADVANCE")
    assert [line.number for line in sheet.lines] == [1, 3]
    finding = only_finding(sheet)
    assert (finding.line, finding.kind) == (2, Kind.ILLEGAL)
    assert "Center already attacks in line 1" in finding.why


def test_a_refused_attack_does_not_use_up_the_army() -> None:
    sheet = sheet_of("ATTACK Center Q16\nATTACK Center Q16 ASSAULT")
    assert [line.number for line in sheet.lines] == [2]


# ------------------------------------------------------------------ nothing a player writes does harm


@pytest.mark.parametrize(
    "text",
    [
        "ATTACK Center Q16 ASSAULT\n" * 10_000,
        "no order at all\n" * 10_000,
        "A" * 1_000_000,
        "ATTACK " * 150_000,
        "\0" * 100_000,
        "\n" * 1_000_000,
        "EXPLOIT Center " + "(" * 380,
        ("EXPLOIT Center " + "(P14|" * 70 + "\n") * 100,
        "ATTACK Center Q16 ASSAULT IF " + "EMPTY AND " * 36 + "EMPTY",
        "ÄÖÜ ﷽ 𝔸𝕋𝕋𝔸ℂ𝕂 → ≥ \u202e\n" * 5_000,
    ],
    ids=["orders", "junk", "one line", "words", "nul", "blank", "parentheses", "branches", "tests", "unicode"],
)
def test_a_monstrous_sheet_is_read_quickly(text: str) -> None:
    sheet_of("GOTO West P11")  # the grammar is made once
    start = time.perf_counter()
    sheet_of(text)
    assert time.perf_counter() - start < 1


def test_too_many_lines() -> None:
    sheet = sheet_of("# nothing\n" * MOST_LINES)
    assert sheet.findings == ()
    sheet = sheet_of("# nothing\n" * MOST_LINES + "GOTO West P11")
    assert sheet.lines == ()
    assert only_finding(sheet).line == MOST_LINES + 1


def test_too_many_lines_that_cannot_be_read() -> None:
    sheet = sheet_of("GOTO West P11\n" + "Dear referee\n" * 100)
    assert len(sheet.lines) == 1
    assert len(sheet.findings) == MOST_UNREADABLE + 1
    assert "stopped at line 42" in sheet.findings[-1].why
    assert not sheet.refused


def test_a_line_that_is_too_long() -> None:
    finding = only_finding(sheet_of("ATTACK Center Q16 ASSAULT" + " AND" * 100))
    assert finding.kind is Kind.UNREADABLE
    assert len(finding.text) <= 100


def test_what_the_player_wrote_is_quoted() -> None:
    finding = only_finding(sheet_of("   attack \u00a0 Centre q16 assault   # as usual"))
    assert finding.text == "attack   Centre q16 assault"
    assert "'Centre'" in finding.why
    assert finding.column == 13
