"""Every command by mail: what it answers, what it changes, and what it refuses."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import select

import engine.hitlers_war
from engine.game import Options, games
from pbem import referee, shipped
from pbem.commands.gm import GM_COMMANDS
from pbem.commands.table import COMMANDS
from pbem.intake.requests import order_words, requests_in
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.settings import Clock, Limits
from pbem.words import manual, report
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox, new_match, settings_for
from tests.postal import GM
from tests.toy.two_hills import TwoHills


@pytest.fixture
def box(tmp_path) -> Letterbox:
    return new_letterbox(tmp_path / "war")


@pytest.fixture
def by_turns(tmp_path) -> Letterbox:
    return new_letterbox(tmp_path / "war", scenario="by-turns")


@pytest.fixture
def barbarossa(tmp_path) -> Letterbox:
    return new_letterbox(tmp_path / "war", games(), "hitlers-war", "barbarossa")


def flat(text: str) -> str:
    return " ".join(text.split())


# ------------------------------------------------------------------ taking a letter apart


def requests(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    found = requests_in(text.splitlines(), COMMANDS, order_words(TwoHills()))
    return [(one.word, one.rest, one.lines) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HELP", [("HELP", "", ())]),
        ("help attack", [("HELP", "attack", ())]),
        ("Status:\n", [("STATUS", "", ())]),
        ("TAKE north", [("ORDERS", "", ("TAKE north",))]),
        ("ORDERS\nTAKE north\n\n# why\nHOLD", [("ORDERS", "", ("TAKE north", "", "# why", "HOLD"))]),
        ("CHECK\nTAKE north", [("CHECK", "", ("TAKE north",))]),
        ("ORDERS NONE", [("ORDERS", "", ("# no orders",))]),
        ("# no orders", [("ORDERS", "", ("# no orders",))]),
        ("# a remark and nothing else", []),
        ("TAEK north", [("ORDERS", "", ("TAEK north",))]),
        ("TAKE north\nREADY", [("READY", "", ()), ("ORDERS", "", ("TAKE north",))]),
        ("STANDING", [("STANDING", "", ())]),
        ("STANDING HOLD", [("ORDERS", "", ("STANDING HOLD",))]),
        ("STANDING\nHOLD", [("ORDERS", "", ("STANDING", "HOLD"))]),
        ("CANCEL", [("CANCEL", "", ())]),
        ("CANCEL STANDING HOLD\nTAKE north", [("ORDERS", "", ("CANCEL STANDING HOLD", "TAKE north"))]),
        (
            "PRESS TO blue\nTAKE north!\nHELP\nEND\nSTATUS",
            [("PRESS", "TO blue", ("TAKE north!", "HELP")), ("STATUS", "", ())],
        ),
        ("TAKE north\nEND\nRESIGN", [("ORDERS", "", ("TAKE north",))]),
        ("Wait, I have a question about the weather", []),
        ("Ready or not, here I come", []),
        ("Draw your own conclusions", []),
        ("Resign yourself to it", []),
        ("KEY", [("KEY", "", ())]),
        ("KEY 17-axis-abcdefghijkmnpqrstuv", []),
        ("KEY 17-axis-abcdefghijkmnpqrstuv\nTAKE north", [("ORDERS", "", ("TAKE north",))]),
        ("TAKE north {17-axis-abcdefghijkmnpqrstuv}", [("ORDERS", "", ("TAKE north [key]",))]),
        ("{17-axis-abcdefghijkmnpqrstuv}\nHELP", [("HELP", "", ())]),
        ("Hello referee,\nSTATUS\nthank you", [("STATUS", "", ())]),
        ("", []),
    ],
)
def test_a_letter_is_taken_apart(text, expected):
    assert requests(text) == expected


# ------------------------------------------------------------------ orders


def test_orders_are_the_default(box):
    text = box.answer("red", "TAKE north\nDANCE")
    assert "1 ok          TAKE north" in text
    assert "2 unreadable  DANCE" in text
    assert "Digest: " in text
    assert "Arrived: 16 November 2026, 12:00 UTC" in text
    assert "READY if it is meant as it is" in flat(text)
    assert box.waiting("red") == "TAKE north\nDANCE\n"


def test_the_receipt_of_the_last_sheet_says_that_the_turn_is_run_now(box):
    now = "All orders that were awaited are in, so the turn is run now."
    assert now not in flat(box.answer("red", "TAKE north"))
    assert now in flat(box.answer("blue", "TAKE south"))
    assert now not in flat(box.answer("red", "CHECK\nTAKE north"))
    box.play("red", "HOLD")
    assert now not in flat(box.answer("blue", "HOLD\nWAIT"))  # whatever the order in the letter
    assert box.waiting("blue") == "HOLD\n"


def test_a_newer_sheet_supersedes_and_its_receipt_overtakes(box):
    box.play("red", "TAKE north")
    box.play("red", "TAKE south")
    assert box.waiting("red") == "TAKE south\n"
    first, second = box.new_mail()
    assert "They replace the sheet you sent before" in body_of(second)
    assert (first.state, second.state) == (models.OVERTAKEN, models.TO_SEND)


SHEET = "ATTACK Center P14 ASSAULT ADVANCE\nBUILD MAX I P10 West\nATACK South N14 ASSAULT"


def test_a_part_of_a_sheet_does_not_run_the_turn(barbarossa):
    """Who mends one line may send that line alone; only the newest sheet counts, so the turn waits for him."""
    barbarossa.play("axis", SHEET)
    text = flat(barbarossa.answer("axis", "ATTACK South N14 ASSAULT"))
    assert "unfinished: 2 lines of the sheet before this one could be used, 1 of this one" in text
    assert "It looks unfinished, so the turn is not run before its deadline" in text
    assert barbarossa.waiting("axis") == "ATTACK South N14 ASSAULT\n"
    barbarossa.play("axis", "READY")
    assert barbarossa.waiting("axis") is None


@pytest.mark.parametrize("text", [SHEET.replace("ATACK", "ATTACK"), "ORDERS NONE"])
def test_a_whole_sheet_or_none_on_purpose_runs_the_turn(barbarossa, text):
    barbarossa.play("axis", SHEET)
    assert "unfinished" not in barbarossa.answer("axis", text)
    assert barbarossa.waiting("axis") is None


def test_refused_lines_of_somebody_who_is_not_awaited_hold_nobody_up(by_turns):
    text = flat(by_turns.answer("blue", "STANDING HOLD\nDANCE"))
    assert "DANCE" in text
    assert "the turn is not run before" not in text


def test_a_receipt_of_nothing_does_not_overtake_one_of_something(box):
    box.play("red", "TAKE north")
    box.play("red", "DANCE\nTAKE nowhere")
    box.play("red", "CHECK\nTAKE south")
    assert [mail.state for mail in box.new_mail()] == [models.TO_SEND] * 3
    assert box.waiting("red") == "TAKE north\n"


def test_check_keeps_nothing(box):
    text = box.answer("red", "CHECK\nTAKE north")
    assert "1 ok          TAKE north" in text
    assert "This was a check only" in text
    assert box.sheets() == []
    assert "no orders below CHECK" in box.answer("red", "CHECK")


@pytest.mark.parametrize("word", ["CHECK", "ORDERS"])
def test_the_receipt_of_orders_and_of_a_check_tells_the_odds(box, word):
    assert "42-100%" in box.answer("red", f"{word}\nTAKE north")
    assert "ODDS" not in box.answer("red", f"{word}\nHOLD")


def test_orders_none_does_nothing_on_purpose(box):
    assert box.play("red", "ORDERS NONE").fate == models.ACCEPTED
    assert box.waiting("red") == "# no orders\n"
    assert "ORDERS NONE" in box.answer("blue", "ORDERS")


def test_a_sheet_that_cannot_be_used_is_answered_with_the_reason(box):
    letter = box.play("red", "FOR red 7\nTAKE north")
    assert letter.fate == models.ANSWERED
    text = body_of(box.only_mail())
    assert "NOTHING WAS KEPT" in text
    assert "this sheet is for another side or turn" in flat(text)


def test_when_all_sheets_are_in_the_turn_is_run(box):
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")
    kinds = [(mail.kind, mail.side) for mail in box.new_mail()]
    assert kinds == [("receipt", "red"), ("receipt", "blue"), ("report", "red"), ("report", "blue")]
    assert box.office.store.position(1).match.gate_number == 1


def test_a_sheet_with_a_refused_line_waits_for_ready(box):
    box.play("red", "TAKE north\nDANCE")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 0
    box.play("red", "READY")
    assert box.office.store.position(1).match.gate_number == 1


def test_orders_and_ready_in_one_letter_are_about_the_same_turn(box):
    box.play("blue", "TAKE south")
    assert box.play("red", "READY\nTAKE north\nDANCE").fate == models.ACCEPTED
    assert box.office.store.position(1).match.gate_number == 1
    assert box.seat("red").ready_gate == ""


def test_ready_needs_orders(box):
    assert "no orders on file yet" in box.answer("red", "READY")
    assert box.seat("red").ready_gate == ""


def test_wait_holds_the_turn_and_ready_lets_it_go(box):
    box.play("red", "TAKE north")
    assert "not run before its deadline" in box.answer("red", "WAIT")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 0
    box.play("red", "READY")
    assert box.office.store.position(1).match.gate_number == 1


def test_a_new_sheet_takes_readiness_back(box):
    box.play("red", "TAKE north\nDANCE\nREADY")
    box.play("red", "TAKE north\nSING")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 0


def test_show_and_cancel(box):
    assert "no orders of yours on file" in box.answer("red", "SHOW")
    assert "nothing to withdraw" in box.answer("red", "CANCEL")
    box.play("red", "TAKE north")
    assert "1  TAKE north" in box.answer("red", "SHOW")
    assert "withdrawn" in box.answer("red", "CANCEL")
    assert box.waiting("red") is None
    assert [sheet.state for sheet in box.sheets()] == [models.SUPERSEDED]


def test_the_side_that_waits_may_send_standing_orders(by_turns):
    text = by_turns.answer("blue", "STANDING TAKE south")
    assert "Your orders are kept" in text
    assert "HOLD" in by_turns.answer("blue", "STANDING")
    by_turns.play("red", "HOLD")
    assert "TAKE south" in by_turns.answer("blue", "STANDING")


def test_a_frozen_match_holds_sheets(box):
    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, 1)
        match.frozen = "1-red-blue"
        session.add(match)
    assert box.play("red", "TAKE north").fate == models.HELD
    assert "will be repeated" in flat(body_of(box.only_mail()))
    assert box.sheets() == []
    assert box.play("red", "CHECK\nTAKE north").fate == models.ANSWERED
    assert "may not change" in flat(box.answer("red", "CANCEL"))


def test_a_paused_match_takes_sheets_and_says_so(box):
    with box.office.store.writing() as session:
        referee.pause(session, box.office, box.office.store.match_in(session, 1))
    assert "The game is paused" in box.answer("red", "TAKE north")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 0


def test_a_run_that_fails_keeps_the_sheet(box, monkeypatch):
    box.play("red", "TAKE north")
    monkeypatch.setattr(TwoHills, "run", lambda *_: 1 / 0)
    assert box.play("blue", "TAKE south").fate == models.ACCEPTED
    assert box.waiting("blue") == "TAKE south\n"
    assert box.office.store.position(1).match.frozen


def test_after_the_war_there_are_no_orders(box):
    box.play("red", "DRAW")
    box.play("blue", "DRAW")
    for text in ("TAKE north", "READY", "WAIT", "CANCEL", "EXTEND 24", "CONCEDE"):
        assert "war is over" in flat(box.answer("red", text))


# ------------------------------------------------------------------ asking


def test_help_lists_every_command_and_order(box):
    text = box.answer("red", "HELP")
    for word, command in COMMANDS.items():
        assert f"  {word}" in text
        assert command.what.split()[0] in text
    assert "TAKE" in text
    assert "PROCESS" not in text


@pytest.mark.parametrize("word", COMMANDS)
def test_help_explains_each_command(box, word):
    text = box.answer("red", f"HELP {word.lower()}")
    assert COMMANDS[word].usage.splitlines()[0] in text


def test_help_knows_the_orders_of_the_game(barbarossa):
    assert "ATTACK Center Q16 ASSAULT ADVANCE" in barbarossa.answer("axis", "HELP ATTACK")
    assert "RANGE>=4" in barbarossa.answer("axis", "HELP conditions")
    assert "Did you mean HELP ATTACK?" in barbarossa.answer("axis", "HELP ATACK")


def test_help_finds_chapters_by_a_word_of_their_title(barbarossa):
    text = barbarossa.answer("axis", "HELP forts")
    assert "The sea and forts" in text
    assert "Forts cost five a point" in text
    assert "HELP ATTACK, HELP EXPLOIT and HELP UNSTACK" in flat(barbarossa.answer("axis", "HELP combat"))
    assert "Center fires with 8 points" in barbarossa.answer("axis", "HELP odds")
    assert "makes a policy that stays in force" in flat(barbarossa.answer("axis", "HELP STANDING"))
    assert "![" not in barbarossa.answer("axis", "HELP Writing orders: Hitler's War")
    listed = flat(barbarossa.answer("axis", "HELP"))
    assert "How a sheet is read; Headings;" in listed


def test_help_says_where_a_word_is_told_and_which_come_later(barbarossa):
    assert "STOP-IF has no chapter of its own. See HELP EXPLOIT" in flat(barbarossa.answer("axis", "HELP STOP-IF"))
    assert "SAIL belongs to a later scenario" in flat(barbarossa.answer("axis", "HELP SAIL"))
    assert "VIOLATE" in barbarossa.answer("axis", "HELP VIOLATE"), "a word with a chapter is explained all the same"
    assert "Did you mean HELP READY?" in flat(barbarossa.answer("axis", "HELP REDY"))


def test_tables_of_the_manual_are_set_in_columns(barbarossa):
    lines = barbarossa.answer("axis", "HELP DEFEND").splitlines()
    meant = [line for line in lines if line.startswith(("  NOW ", "  EXPLOIT-ONLY ", "  IF tests "))]
    assert [line.index(text) for line, text in zip(meant, ("at the", "not in", "at the"), strict=True)] == [16] * 3


def test_every_rule_the_referee_names_is_answered_by_mail():
    """Who is refused by HW-9.15 can ask what HW-9.15 says."""
    named = {case for text in _said_to_players() for case in re.findall(r"HW-\d+\.\d+", text)}
    assert len(named) > 60
    assert sorted(named - set(manual.known_cases("hitlers-war"))) == []


def _said_to_players() -> Iterator[str]:
    """Every string of the engine that is no docstring, and all templates."""
    for path in Path(engine.hitlers_war.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        yield from (
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        )
    for path in shipped.folder("templates").rglob("*.j2"):
        yield path.read_text(encoding="utf-8")


def test_status_tells_whose_orders_are_awaited(box):
    box.play("blue", "TAKE south")
    text = box.answer("red", "STATUS")
    assert "It is your turn" in text
    assert "Red           awaited" in text
    assert "Blue          a sheet has come" in text
    assert "TAKE" not in text
    assert "blue@example.net" not in text


def test_report_map_and_sheet_again(barbarossa):
    assert "No turn has been run yet" in barbarossa.answer("axis", "REPORT")
    barbarossa.play("axis", "ORDERS NONE")
    barbarossa.play("soviet", "ORDERS NONE")
    assert "Turn 2: Summer 1941, Soviet" in barbarossa.answer("axis", "REPORT")
    first = barbarossa.answer("axis", "REPORT 1")
    assert "Turn 1: Summer 1941, Axis" in first
    assert "order form" not in first
    assert "no turn 9 yet" in barbarossa.answer("axis", "REPORT 9")
    assert "out of sight" in barbarossa.answer("axis", "MAP")
    assert "AXIS RECORD SHEET" in barbarossa.answer("axis", "SHEET")


def test_the_toy_has_a_map_and_sheet_too(box):
    assert "men:" in box.answer("red", "MAP")
    assert "men:" in box.answer("red", "SHEET")


def test_rules_quotes_rulings_and_manual(barbarossa):
    text = barbarossa.answer("axis", "RULES A-03")
    assert "first Russian winter" in text
    assert "STANDING RETREAT ALL TOWARD" in barbarossa.answer("axis", "RULES hw-9.9")
    assert "Cases: A-01" in flat(barbarossa.answer("axis", "RULES HW-99.9"))
    assert "Cases: HW-9.9, HW-9.13, HW-9.15." in flat(barbarossa.answer("axis", "RULES HW-9.1"))


def test_games_lists_own_seats_and_free_ones(box):
    new_match(box, seats=[SeatTaken("red", "red@example.net"), SeatTaken("blue", "")], title="Open hills")
    text = box.answer("red", "GAMES")
    assert "1 Two Hills, both at once, Red" in text
    assert "JOIN 2 AS blue" in flat(text)
    assert "example.net" not in text


def test_several_questions_get_one_answer(box):
    box.play("red", "STATUS\nSHOW\nGAMES")
    text = body_of(box.only_mail())
    assert text.index("HOW THE GAME STANDS") < text.index("YOUR ORDERS ON FILE") < text.index("GAMES\n-----")


def test_what_is_too_much_for_one_letter_is_left_out_but_never_the_orders(box):
    box.play("red", "STATUS\n" * 40 + "TAKE north\nDANCE\nREADY")
    assert box.waiting("red") == "TAKE north\nDANCE\n"
    assert box.seat("red").ready_gate == "1-red-blue"
    receipt, answers = box.new_mail()
    assert receipt.kind == "receipt"
    assert "left these out: STATUS" in flat(body_of(answers))


def test_of_too_much_the_first_is_done_and_the_rest_is_named(box):
    text = flat(box.answer("red", "\n".join(f"HELP {word}" for word in list(COMMANDS)[:14])))
    assert "HELP: HELP" in text
    assert "left these out: HELP RULES; HELP PRESS. Please ask again." in text


def test_orders_after_leaving_are_nobodys(box):
    box.play("red", "RESIGN")
    box.play("red", f"CONFIRM {box.word('RESIGN')}\nTAKE north")
    assert box.seat("red").state == models.OPEN
    assert box.sheets() == []


def test_talk_gets_a_short_friendly_answer(box):
    letter = box.play("red", "Nice game, isn't it?")
    assert letter.fate == models.ANSWERED
    text = body_of(box.only_mail())
    assert "STATUS" in text
    assert "HELP" in text


def test_no_answer_is_wider_than_a_quoted_line(barbarossa):
    for word in (*COMMANDS, *order_words(games()["hitlers-war"])):
        barbarossa.play("axis", f"HELP {word}")
    for text in (
        "HELP",
        "STATUS",
        "GAMES",
        "RULES D-18",
        f"TIMEZONE {'x' * 300}",
        f"HELP {'y' * 300}",
        f"ADDRESS {'z' * 300}",
    ):
        barbarossa.play("axis", text)
    for mail in barbarossa.new_mail():
        assert [line for line in body_of(mail).splitlines() if len(line) > 78] == []


# ------------------------------------------------------------------ time


def test_timezone_changes_how_times_are_told(box):
    assert "13:00 CET" in box.answer("red", "TIMEZONE Europe/Berlin")
    assert "13:00 CET" in box.answer("red", "STATUS")
    assert "Europe/Berlin" in box.answer("red", "TIMEZONE berlin")
    assert "not a time zone" in flat(box.answer("red", "TIMEZONE Atlantis"))
    assert box.seat("red").zone == "Europe/Berlin"


def test_remind(box):
    box.play("red", "REMIND 12")
    assert box.seat("red").lead_hours == 12
    box.play("red", "REMIND OFF")
    assert box.seat("red").lead_hours == 0
    assert "wants a number" in box.answer("red", "REMIND soon")
    assert "wants a number" in box.answer("red", "REMIND 9999")


def test_absence(box):
    box.play("red", "TIMEZONE Europe/Berlin")
    assert "away until" in box.answer("red", "ABSENCE 2026-12-20 2027-01-03")
    seat = box.seat("red")
    assert seat.absent_from == datetime(2026, 12, 19, 23, tzinfo=UTC)
    assert seat.absent_to == datetime(2027, 1, 3, 23, tzinfo=UTC)
    assert "You are back" in box.answer("red", "ABSENCE OFF")
    assert box.seat("red").absent_to is None


@pytest.mark.parametrize("dates", ["", "tomorrow", "2026-12-20", "2026-12-20 2026-12-01", "2020-01-01 2020-01-02", "2026-12-20 2027-12-20", "2026-13-40 2026-14-01"])  # fmt: skip
def test_an_absence_that_cannot_be_is_refused(box, dates):
    assert box.play("red", f"ABSENCE {dates}").fate == models.ANSWERED
    assert box.seat("red").absent_to is None


def test_extend_needs_the_others(box):
    before = box.office.store.position(1).match.deadline
    box.play("red", "EXTEND 48")
    recipients = [mail.recipient for mail in box.new_mail()]
    assert recipients == ["blue@example.net", GM, "red@example.net"]
    assert box.office.store.position(1).match.deadline == before
    assert "Red asks for 48 more hours" in box.answer("blue", "STATUS")
    assert "All agree" in box.answer("blue", "EXTEND 24")
    assert (box.office.store.position(1).match.deadline - before).total_seconds() == 24 * 3600
    assert "asks for" not in box.answer("blue", "STATUS")


def test_asking_again_does_not_pester_the_others(box):
    for _ in range(4):
        box.play("red", "EXTEND 48")
        box.play("red", "DRAW")
    assert len(box.new_mail("blue@")) == 2


def test_a_request_for_time_ends_with_its_turn(box):
    box.play("red", "EXTEND 48")
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")
    before = box.office.store.position(1).match.deadline
    box.play("blue", "EXTEND 48")
    assert box.office.store.position(1).match.deadline == before


@pytest.mark.parametrize("hours", ["0", "9999", "337"])
def test_an_extension_that_cannot_be_is_refused(box, hours):
    assert box.play("red", f"EXTEND {hours}").fate == models.ANSWERED
    assert "EXTEND wants hours" in body_of(box.only_mail())


# ------------------------------------------------------------------ press


def test_press_is_passed_on_signed_and_barred(box):
    letter = box.play("red", "PRESS TO blue\nShall we share the hills?\n\nKEY 1-blue-abcdefghijkmnpqrstuv\nEND")
    assert letter.fate == models.ACCEPTED
    press, answer = box.new_mail()
    assert (press.kind, press.recipient, answer.recipient) == ("press", "blue@example.net", "red@example.net")
    assert "Press from Red" in body_of(press)
    assert "| Shall we share the hills?" in body_of(press)
    assert "red@example.net" not in press.raw.decode()
    assert letter.message_id not in press.raw.decode()
    assert press.letter_id is None


def test_press_to_all_and_to_nobody(box):
    box.play("red", "PRESS TO ALL\nHello\nEND")
    assert [mail.recipient for mail in box.new_mail() if mail.kind == "press"] == ["blue@example.net"]
    assert "obody reads mail for" in flat(box.answer("red", "PRESS TO green\nHello\nEND"))
    assert "obody reads mail for" in flat(box.answer("red", "PRESS TO red\nHello\nEND"))
    assert "no text below PRESS" in box.answer("red", "PRESS TO ALL\nEND")


def test_the_letter_goes_on_below_a_message(box):
    box.play("red", "PRESS TO blue\nOne\nEND\nTAKE north\n\nPRESS TO ALL\nTwo\nEND\nBest regards\nRed")
    pressed = [body_of(mail) for mail in box.new_mail() if mail.kind == "press"]
    assert ["| One" in pressed[0], "| Two" in pressed[1]] == [True, True]
    assert box.waiting("red") == "TAKE north\n"


def test_unsigned_press_only_where_the_match_allows_it(tmp_path):
    box = new_letterbox(tmp_path / "war", press="anonymous")
    box.play("red", "PRESS TO ALL ANONYMOUS\nGuess who\nEND")
    press = next(mail for mail in box.new_mail() if mail.kind == "press")
    assert "Red" not in body_of(press)
    assert "red" not in press.raw.decode().replace("Message-ID", "").lower().replace("referee", "").replace(
        "transferred", ""
    )
    signed = new_match(box)
    box.match = signed
    box.new_mail()
    assert "signed in this game" in box.answer("red", "PRESS TO ALL ANONYMOUS\nGuess who\nEND")
    assert [mail for mail in box.new_mail() if mail.kind == "press"] == []


def test_press_may_be_off(tmp_path):
    box = new_letterbox(tmp_path / "war", press="off")
    assert "not passed on" in flat(box.answer("red", "PRESS TO ALL\nHello\nEND"))
    assert box.new_mail("blue@") == []


def test_press_has_caps(tmp_path):
    limits = Limits(press_a_day=2, press_characters=50)
    box = new_letterbox(tmp_path / "war", settings=settings_for(tmp_path, limits=limits))
    assert "characters" in box.answer("red", f"PRESS TO ALL\n{'x' * 60}\nEND")
    for number in range(4):
        box.play("red", f"PRESS TO ALL\nnumber {number}\nEND")
    assert len([mail for mail in box.outgoing() if mail.kind == "press"]) == 2
    assert "2 messages today" in box.answer("red", "PRESS TO ALL\nmore\nEND")
    box.watch.forward(days=1)
    assert "To: Blue" in box.answer("red", "PRESS TO ALL: tomorrow\nEND")


# ------------------------------------------------------------------ ends


def over(box: Letterbox) -> bool:
    return box.office.store.position(box.match).match.status == models.OVER


def test_a_draw_needs_all(box):
    box.play("red", "DRAW")
    assert not over(box)
    assert box.new_mail("blue@")[0].kind == "question"
    box.play("blue", "DRAW")
    assert over(box)
    assert "agreed to a draw" in flat(box.answer("red", "STATUS"))
    standing = box.office.store.standing(1)
    assert (standing.gate, standing.outcome.winners) == (None, ())
    assert {mail.recipient for mail in box.outgoing() if "war is over" in mail.subject.lower()} >= {"red@example.net"}


@pytest.mark.parametrize(
    ("letters", "says"),
    [
        (("DRAW", "DRAW"), "The war ends without a winner: all players agreed to a draw."),
        (("CONCEDE",), "The Soviet Union wins the war: Axis conceded."),
    ],
)
def test_after_the_players_have_ended_a_war_the_map_awaits_no_orders(barbarossa, letters, says):
    assert "Orders are awaited" in barbarossa_now(barbarossa)
    for side, text in zip(("axis", "soviet"), letters, strict=False):
        barbarossa.play(side, text)
    if "CONCEDE" in letters:
        barbarossa.play("axis", f"CONFIRM {barbarossa.word('CONCEDE')}")
    shown = barbarossa_now(barbarossa)
    assert says in flat(shown)
    assert "awaited" not in shown


def barbarossa_now(box: Letterbox) -> str:
    return report.show_text("hitlers-war", box.office.store.position(1).view("axis")).split("\n\n")[0]


def test_the_report_of_a_turn_before_a_draw_shows_it_as_it_was(barbarossa):
    for side in ("axis", "soviet"):
        barbarossa.play(side, "ORDERS NONE\nREADY")
    for side in ("axis", "soviet"):
        barbarossa.play(side, "DRAW")
    assert "Orders are awaited from the Soviet Union" in flat(barbarossa.answer("axis", "REPORT 1"))
    assert "Orders are awaited" not in flat(barbarossa.answer("axis", "REPORT 2"))


def test_an_offer_of_a_draw_ends_with_its_turn(box):
    box.play("red", "DRAW")
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")
    box.play("blue", "DRAW")
    assert not over(box)


def test_concede_is_confirmed_and_ends_the_war(box):
    assert box.play("red", "CONCEDE").fate == models.ACCEPTED
    assert not over(box)
    word = box.word("CONCEDE")
    assert f"CONFIRM {word}" in body_of(box.only_mail())
    assert "not one I have sent you" in flat(box.answer("blue", f"CONFIRM {word}"))
    assert not over(box)
    assert "You have conceded" in box.answer("red", f"CONFIRM {word}")
    assert over(box)
    assert box.office.store.standing(1).outcome.winners == ("blue",)
    assert "Red conceded" in flat(
        body_of(next(mail for mail in box.outgoing() if mail.key.startswith("ended/1/") and mail.side == "blue"))
    )


def test_resign_is_confirmed_and_opens_the_seat(box):
    box.play("red", "RESIGN")
    word = box.word("RESIGN")
    old = box.key("red")
    box.new_mail()
    letter = box.send("red@example.net", f"CONFIRM {word}", key=old)
    assert letter.fate == models.ACCEPTED
    seat = box.seat("red")
    assert (seat.state, seat.key) == (models.OPEN, "")
    to_red = box.new_mail("red@example.net")
    assert ["You have given up your seat" in flat(body_of(mail)) for mail in to_red] == [True]
    assert not over(box)


@pytest.mark.parametrize("act", ["CONCEDE", "RESIGN"])
def test_a_word_is_good_once_and_for_three_days(box, act):
    box.play("red", act)
    word = box.word(act)
    box.watch.forward(days=3, seconds=1)
    assert "expired" in flat(box.answer("red", f"CONFIRM {word}"))
    box.play("red", act)
    first = box.word(act)
    box.play("red", act)
    assert "expired" in flat(box.answer("red", f"CONFIRM {first}")), "a newer word takes the place of an older one"
    box.play("red", f"CONFIRM {box.word(act)}")
    assert over(box) or box.seat("red").state == models.OPEN


def test_a_word_that_was_never_given_is_refused(box):
    assert "not one I have sent you" in flat(box.answer("red", "CONFIRM abcdefghij"))
    box.play("red", "DRAW")
    with box.office.store.reading() as session:
        (vote,) = session.exec(select(models.Word)).all()
    assert "not one I have sent you" in flat(box.answer("red", f"CONFIRM {vote.word}"))


# ------------------------------------------------------------------ key and address


def test_key_gives_a_new_key_to_the_seats_own_address(box):
    old = box.seat("red").key
    box.play("red", "KEY")
    new = box.seat("red").key
    assert new != old
    mail = box.only_mail()
    assert mail.recipient == "red@example.net"
    assert new in message_of(mail)["Subject"]
    assert old not in mail.raw.decode()
    assert new not in mail.subject


def change_address(box: Letterbox) -> tuple[str, str]:
    box.play("red", "ADDRESS <New@Example.com>")
    mails = {mail.recipient: body_of(mail) for mail in box.new_mail()}
    words = {address: text.partition("CONFIRM ")[2].split()[0] for address, text in mails.items()}
    return words["red@example.net"], words["new@example.com"]


@pytest.mark.parametrize("first", ["old", "new"])
def test_a_new_address_is_confirmed_from_both(box, first):
    old_key = box.seat("red").key
    old, new = change_address(box)
    steps = [lambda: box.play("red", f"CONFIRM {old}"), lambda: box.send("new@example.com", f"CONFIRM {new}")]
    steps = steps if first == "old" else steps[::-1]
    assert steps[0]().fate == models.ACCEPTED
    assert box.seat("red").address == "red@example.net"
    box.new_mail()
    assert steps[1]().fate == models.ACCEPTED
    seat = box.seat("red")
    assert seat.address == "new@example.com"
    assert seat.key != old_key
    for mail in box.new_mail():
        assert mail.recipient == "new@example.com" or seat.key.encode() not in mail.raw
    assert box.play("red", "TAKE north").fate == models.ACCEPTED


def test_a_new_address_needs_its_own_word_from_itself(box):
    old, new = change_address(box)
    box.send("thief@example.com", f"CONFIRM {new}")
    box.play("red", f"CONFIRM {new}")
    box.play("red", f"CONFIRM {old}")
    assert box.seat("red").address == "red@example.net"


def test_the_mail_to_a_new_address_carries_no_key_and_is_not_for_spam(box):
    for number in range(6):
        box.play("red", f"ADDRESS victim{number}@example.com")
    sent = box.new_mail("victim")
    assert len(sent) == 3
    assert all(box.seat("red").key.encode() not in mail.raw for mail in sent)


@pytest.mark.parametrize(
    "address", ["", "nobody", "a@b@c", "red@example.net", "referee@example.org", "a b@example.com"]
)
def test_an_address_that_cannot_be_is_refused(box, address):
    assert box.play("red", f"ADDRESS {address}").fate == models.ANSWERED


# ------------------------------------------------------------------ joining


@pytest.fixture
def open_box(tmp_path) -> Letterbox:
    seats = [SeatTaken("red", "red@example.net", "Rosa"), SeatTaken("blue", "")]
    return new_letterbox(tmp_path / "war", seats=seats, title="Open hills")


def test_a_match_with_an_open_seat_waits(open_box):
    match = open_box.office.store.position(1).match
    assert (match.paused, match.deadline) == (True, None)
    assert [mail.key for mail in open_box.outgoing()] == ["welcome/1/red"]


def test_a_stranger_joins_with_a_word(open_box):
    assert open_box.send("Boris <boris@example.com>", "JOIN 1 AS blue").fate == models.ACCEPTED
    mail = open_box.only_mail()
    word = open_box.word("JOIN")
    assert (mail.recipient, f"CONFIRM {word}" in body_of(mail)) == ("boris@example.com", True)
    assert open_box.seat("blue").state == models.OPEN
    open_box.send("thief@example.com", f"CONFIRM {word}")
    assert open_box.seat("blue").state == models.OPEN
    open_box.new_mail()
    assert open_box.send("boris@example.com", f"CONFIRM {word}").fate == models.ACCEPTED
    seat = open_box.seat("blue")
    assert (seat.state, seat.address, seat.name) == (models.TAKEN, "boris@example.com", "Boris")
    welcome = next(mail for mail in open_box.new_mail("boris@") if mail.kind == "welcome")
    assert seat.key in message_of(welcome)["Subject"]
    match = open_box.office.store.position(1).match
    assert (match.paused, match.deadline is not None) == (False, True)
    assert open_box.play("blue", "TAKE north").fate == models.ACCEPTED


def test_join_by_title_and_from_another_game(open_box):
    second = new_match(open_box)
    letter = open_box.send("blue@example.net", "JOIN open hills AS blue", key=open_box.key("blue", second))
    assert letter.fate == models.ACCEPTED
    open_box.send("blue@example.net", f"CONFIRM {open_box.word('JOIN')}")
    assert open_box.seat("blue").address == "blue@example.net"


@pytest.mark.parametrize("wish", ["1 AS red", "1 AS green", "9 AS blue", "AS blue", "1", "hills AS blue"])
def test_a_seat_that_is_not_free_is_refused(open_box, wish):
    open_box.send("boris@example.com", f"JOIN {wish}")
    with open_box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_nobody_sits_on_two_seats(open_box):
    assert "already" in open_box.answer("red", "JOIN 1 AS blue")
    open_box.send("red@example.net", "JOIN 1 AS blue")
    with open_box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_nobody_confirms_two_seats_that_were_both_free(tmp_path):
    box = new_letterbox(tmp_path / "war", seats=[SeatTaken("red", ""), SeatTaken("blue", "")])
    words = []
    for side in ("red", "blue"):
        box.send("boris@example.com", f"JOIN 1 AS {side}")
        words.append(box.word("JOIN"))
    for word in words:
        box.send("boris@example.com", f"CONFIRM {word}")
    assert [box.seat(side).state for side in ("red", "blue")] == [models.TAKEN, models.OPEN]


@pytest.mark.parametrize(
    ("switches", "first", "second", "allowed"),
    [
        (("two-players",), "soviet", "allies", True),
        (("two-players",), "allies", "soviet", True),
        (("two-players",), "axis", "allies", False),
        ((), "soviet", "allies", False),
    ],
)
def test_with_two_players_one_holds_the_soviets_and_the_allies(tmp_path, switches, first, second, allowed):
    seats = [SeatTaken(side, "") for side in ("axis", "soviet", "allies")]  # HW-16.5, HW-18.5
    options = Options(switches=switches)
    box = new_letterbox(tmp_path / "war", games(), "hitlers-war", "fall-of-germany", seats=seats, options=options)
    box.send("boris@example.com", f"JOIN 1 AS {first}")
    box.send("boris@example.com", f"CONFIRM {box.word('JOIN')}")
    box.play(first, f"JOIN 1 AS {second}")
    box.play(first, f"CONFIRM {box.word('JOIN')}")
    assert box.seat(first).address == "boris@example.com"
    assert (box.seat(second).address == "boris@example.com") == allowed
    assert box.seat(first).key != box.seat(second).key


def test_the_faster_one_gets_the_seat(open_box):
    for who in ("boris", "carla"):
        open_box.send(f"{who}@example.com", "JOIN 1 AS blue")
    with open_box.office.store.reading() as session:
        words = {word.argument.split()[0]: word for word in session.exec(select(models.Word))}
    open_box.send("carla@example.com", f"CONFIRM {words['carla@example.com'].word}")
    assert open_box.seat("blue").address == "carla@example.com"


# ------------------------------------------------------------------ the GM


def confirmed(box: Letterbox, text: str) -> models.Letter:
    assert box.gm(text).fate == models.ACCEPTED
    letter = box.gm(f"CONFIRM {box.word('GM ')}")
    return letter


def test_pause_and_resume(box):
    confirmed(box, "PAUSE 1")
    assert box.office.store.position(1).match.paused
    confirmed(box, "RESUME 1")
    assert not box.office.store.position(1).match.paused
    assert len(box.new_mail("red@")) == 2


def test_the_subject_may_name_the_match(box):
    assert box.gm("PAUSE", subject="Re: [1 Two Hills] something").fate == models.ACCEPTED
    assert box.gm("PAUSE").fate == models.ANSWERED
    assert "which match" in body_of(box.new_mail(GM)[-1])
    assert box.gm("PAUSE 99").fate == models.ANSWERED


def test_a_gm_extends_alone(box):
    before = box.office.store.position(1).match.deadline
    confirmed(box, "EXTEND 1 48")
    assert (box.office.store.position(1).match.deadline - before).total_seconds() == 48 * 3600


def test_process_runs_the_gate_that_was_meant(box):
    box.gm("PROCESS 1")
    word = box.word("PROCESS")
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 1
    box.gm(f"CONFIRM {word}")
    assert box.office.store.position(1).match.gate_number == 1, "the gate had been run meanwhile"
    confirmed(box, "PROCESS 1 2-red-blue")
    assert box.office.store.position(1).match.gate_number == 2
    assert box.gm("PROCESS 1 7-red").fate == models.ANSWERED


def test_replace_seats_somebody_else(box):
    old = box.key("red")
    confirmed(box, "REPLACE 1 red carla@example.com")
    assert box.seat("red").address == "carla@example.com"
    assert box.send("red@example.net", "TAKE north", key=old).fate != models.ACCEPTED
    assert box.play("red", "TAKE north").fate == models.ACCEPTED
    assert box.gm("REPLACE 1 green x@example.com").fate == models.ANSWERED


def test_broadcast(box):
    confirmed(box, "BROADCAST 1\nI am away next week.\nHave fun.\nEND")
    for side in ("red", "blue"):
        (mail,) = box.new_mail(f"{side}@") if side == "red" else [one for one in box.outgoing() if one.key.endswith("/blue") and one.key.startswith("broadcast")]  # fmt: skip
        assert "| I am away next week." in body_of(mail)


def test_gm_status_and_help(box):
    box.gm("STATUS\nHELP")
    text = body_of(box.only_mail())
    assert "Two Hills" in text
    for word in GM_COMMANDS:
        assert f"  {word}" in text


def test_a_player_cannot_use_the_gms_words(box):
    for word in ("PAUSE 1", "RESUME 1", "PROCESS 1", "REPLACE 1 blue red@example.net", "ROLLBACK 1 1"):
        box.play("red", word)
    match = box.office.store.position(1).match
    assert not match.paused
    assert match.gate_number == 0
    with box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_the_settings_say_when_a_new_player_is_reminded(tmp_path):
    settings = settings_for(tmp_path / "war", clock=Clock(reminder_hours=36))
    box = new_letterbox(tmp_path / "war", settings=settings)
    assert {box.seat(side).lead_hours for side in ("red", "blue")} == {36}
    box.play("red", "REMIND 5\nTIMEZONE Europe/Berlin")
    confirmed(box, "REPLACE 1 red carla@example.com")
    assert (box.seat("red").lead_hours, box.seat("red").zone) == (36, "")


def test_every_gm_act_is_on_the_record(box):
    confirmed(box, "PAUSE 1")
    confirmed(box, "RESUME 1")
    acts = [(entry.who, entry.act) for entry in box.ledger()]
    assert ("gm", "paused the match") in acts
    assert ("gm", "resumed the match") in acts
