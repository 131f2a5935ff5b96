"""What the order sheets of all games have in common, tried with a language of three words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language import Language, LineCannotBeUsed, SheetIsForAnotherGate, SheetReader, Understood, Verb
from engine.language.sheet import heading_parts
from engine.orders import LONGEST_LINE, MOST_LINES, MOST_UNREADABLE, Kind, Sheet

MARCH = Verb("MARCH", "MARCH 5 1237", "move a group", "R-4.1")
HOLD = Verb("HOLD", "HOLD 5", "stay", "R-4.2", may_stand=True)
BOMB = Verb("BOMB", "BOMB 1237", "send bombers", "R-9.1")
LANGUAGE = Language(
    (MARCH, HOLD),
    {"level 2: the air": (BOMB,)},
    what_there_is="The land has groups",
    sections=("ARMY", "AIR"),
    headings=("WEEK",),
    place=r"\d{4}",
    elsewhere={"RESIGN": "Mail the word alone"},
    meant={"GOTO": "MARCH", "RAID": "BOMB"},
)


class Reader(SheetReader):
    """Every line is the list of its words, under its section."""

    def __init__(self) -> None:
        super().__init__("axis", LANGUAGE.sections)

    def is_heading(self, text: str, line: str) -> bool:
        for word, value in heading_parts(text, LANGUAGE.headings):
            if value != "3":
                raise SheetIsForAnotherGate(f"The heading says {word} {value}.", line)
            return True
        return False

    def understand(self, number: int, line: str) -> Understood:
        words = line.split()
        LANGUAGE.must_have(words[0].upper(), len(line) - len(line.lstrip()) + 1)
        notes = (("Twice?", "Once is enough.", 1),) if "TWICE" in words else ()
        return Understood((self.section, *words), words[0].upper() in LANGUAGE.may_stand, notes)

    def what_would_fit(self) -> str:
        return "Write WEEK 3."


def read(text: str) -> Sheet:
    return Reader().sheet(text)


def test_lines_sections_remarks_and_end() -> None:
    sheet = read("WEEK 3\nMARCH 5 1237 # over the river\n\n air :\nHOLD 5\nEND.\nMARCH 6 1238")
    assert [(line.number, line.text, line.order, line.standing) for line in sheet.lines] == [
        (2, "MARCH 5 1237", ("", "MARCH", "5", "1237"), False),
        (5, "HOLD 5", ("AIR", "HOLD", "5"), True),
    ]
    assert sheet.findings == ()


def test_a_line_that_cannot_be_used_says_why_and_what_would_work() -> None:
    (finding,) = read("  MARHC 5 1237").findings
    assert (finding.kind, finding.line, finding.column, finding.text) == (Kind.UNREADABLE, 1, 3, "MARHC 5 1237")
    assert finding.why == "I know no order 'MARHC'."
    assert finding.remedy == "Did you mean MARCH? Example: MARCH 5 1237"


@pytest.mark.parametrize(
    ("word", "kind", "why", "remedy"),
    [
        ("BOMB", Kind.ILLEGAL, "BOMB belongs to a later scenario of the rules (level 2: the air).", "The land has groups."),
        ("RESIGN", Kind.ILLEGAL, "RESIGN is no order of a sheet.", "Mail the word alone."),
        ("GOTO", Kind.UNREADABLE, "I know no order 'GOTO'.", "Did you mean MARCH? Example: MARCH 5 1237"),
        ("RAID", Kind.UNREADABLE, "I know no order 'RAID'.", "An order begins with MARCH, HOLD."),
        ("", Kind.UNREADABLE, "The line does not begin with an order.", "An order begins with MARCH, HOLD."),
    ],
)  # fmt: skip
def test_what_is_said_of_a_word_that_begins_no_order(word: str, kind: Kind, why: str, remedy: str) -> None:
    with pytest.raises(LineCannotBeUsed) as problem:
        LANGUAGE.must_have(word, 1)
    assert (problem.value.kind, problem.value.why, problem.value.remedy) == (kind, why, remedy)


def test_words_that_begin_a_line_and_words_that_come_later() -> None:
    assert LANGUAGE.beginnings == ("MARCH", "HOLD", "BOMB", "ARMY", "AIR", "WEEK")
    assert [LANGUAGE.has(word) for word in ("MARCH", "HOLD", "BOMB", "ARMY")] == [True, True, False, False]
    assert LANGUAGE.may_stand == ("HOLD",)
    assert LANGUAGE.later("MARCH") == LANGUAGE.later("NOTHING") == ""
    assert LANGUAGE.later("BOMB") == "BOMB belongs to a later scenario of the rules (level 2: the air)"


def test_a_heading_for_another_week_turns_the_sheet_away() -> None:
    sheet = read("MARCH 5 1237\nWEEK 4")
    assert sheet.lines == ()
    assert sheet.refused
    assert [(one.why, one.remedy) for one in sheet.findings] == [("The heading says WEEK 4.", "Write WEEK 3.")]


def test_notes_do_not_refuse_a_line() -> None:
    sheet = read("HOLD 5 TWICE")
    assert len(sheet.lines) == 1
    assert [(one.kind, one.why) for one in sheet.findings] == [(Kind.NOTE, "Twice?")]


def test_no_sheet_is_read_without_end() -> None:
    assert "stopped at line" in read("talk\n" * (MOST_UNREADABLE + 5)).findings[-1].why
    assert len(read("HOLD 5\n" * (MOST_LINES + 5)).lines) == MOST_LINES
    assert read("HOLD " + "5" * LONGEST_LINE).lines == ()


@given(st.text(max_size=300))
def test_nothing_a_player_writes_raises(text: str) -> None:
    sheet = read(text)
    assert sheet.side == "axis"
