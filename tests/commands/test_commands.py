"""Sheets and questions by mail: what is answered, what is kept, and what is refused."""

import pytest

from engine.game import games
from pbem import referee
from pbem.commands.table import COMMANDS
from pbem.records import models
from pbem.records.matches import SeatTaken
from tests.letterbox import body_of, new_match
from tests.reading import flat
from tests.toy.two_hills import TwoHills

# ------------------------------------------------------------------ orders


def test_orders_are_the_default(box):
    text = box.answer("red", "TAKE north\nTAKE east")
    assert "1 ok          TAKE north" in text
    assert "2 unreadable  TAKE east" in text
    assert "Digest: " in text
    assert "Arrived: Monday 16 November 2026, 12:00 UTC" in text
    assert "READY if it is meant as it is" in flat(text)
    assert box.waiting("red") == "TAKE north\nTAKE east\n"


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
    text = flat(by_turns.answer("blue", "STANDING HOLD\nTAKE east"))
    assert "Your standing orders are kept. It is not your turn, so nothing else of this sheet counts." in text
    assert "TAKE east" in text
    assert "the turn is not run before" not in text


def test_a_receipt_of_nothing_does_not_overtake_one_of_something(box):
    box.play("red", "TAKE north")
    box.play("red", "TAKE east\nTAKE nowhere")
    box.play("red", "CHECK\nTAKE south")
    assert [mail.state for mail in box.new_mail()] == [models.TO_SEND] * 3
    assert box.waiting("red") == "TAKE north\n"


def test_check_keeps_nothing(box):
    text = box.answer("red", "CHECK\nTAKE north")
    assert "1 ok          TAKE north" in text
    assert "Checked, not kept." in text
    assert "NOTHING WAS KEPT" not in text
    assert "This was a check only" in text
    assert box.sheets() == []


def test_a_check_of_what_could_not_be_used_does_not_ask_to_hand_it_in(box):
    text = box.answer("red", "CHECK\nTAKE east")
    assert "NOTHING WAS KEPT" in text
    assert "This was a check only" not in text
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
    box.play("red", "TAKE north\nTAKE east")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 0
    box.play("red", "READY")
    assert box.office.store.position(1).match.gate_number == 1


def test_orders_and_ready_in_one_letter_are_about_the_same_turn(box):
    box.play("blue", "TAKE south")
    assert box.play("red", "READY\nTAKE north\nTAKE east").fate == models.ACCEPTED
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
    box.play("red", "TAKE north\nTAKE east\nREADY")
    box.play("red", "TAKE north\nTAKE west")
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


def test_show_says_which_lines_do_not_count(box):
    box.play("red", "TAKE north\nTAKE east")
    text = box.answer("red", "SHOW")
    assert "1  TAKE north\n   2  TAKE east\n        refused, does not count: " in text


def test_a_receipt_tells_the_time_by_the_clock_of_the_player(box):
    box.play("red", "TIMEZONE Europe/Moscow")
    assert "Arrived: Monday 16 November 2026, 15:00 MSK" in box.answer("red", "TAKE north")


def test_who_only_checks_is_told_that_his_own_sheet_is_missing(box):
    text = box.answer("red", "CHECK\nTAKE north")
    assert "Still missing: your own sheet.\nStill missing: Blue.\n" in text


def test_status_says_in_words_what_becomes_of_messages(box):
    assert "Press         messages between players are passed on and signed" in box.answer("red", "STATUS")


def test_the_side_that_waits_may_send_standing_orders(by_turns):
    text = by_turns.answer("blue", "STANDING TAKE south")
    assert "Your standing orders are kept. It is not your turn" in text
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
    assert COMMANDS[word].usage.format(side="blue", case="case").splitlines()[0] in text


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


def test_rules_tells_the_rule_then_its_rulings_then_where_it_is_ordered(barbarossa):
    text = barbarossa.answer("axis", "RULES hw-9.9")
    told = ("An army that has to leave goes whole", "How the referee reads the rulebook:", "Orders: HELP RETREAT.")
    assert [text.index(part) for part in told] == sorted(text.index(part) for part in told)
    assert "STANDING RETREAT" not in text
    for question in ("RULES 9.16", "HELP hw-9.16"):
        winter = flat(barbarossa.answer("axis", question))
        assert "HW-9.16 The Russian winter" in winter
        assert "Is the Russian winter felt in the Baltic States?" in winter, "a ruling that the rule names"


def test_rules_tells_rulings_and_decisions_too(barbarossa):
    text = flat(barbarossa.answer("axis", "RULES A-03"))
    assert "What is the first Russian winter?" in text
    assert "It belongs to RULES HW-9.16." in text
    assert "STANDING RETREAT ALL TOWARD" in barbarossa.answer("axis", "RULES D-18")


def test_rules_alone_tells_the_game_in_short(barbarossa):
    text = flat(barbarossa.answer("axis", "RULES"))
    assert "The war. Europe from 1939 to 1945" in text
    assert "HW-9 Advances" in text
    assert "HW-9.1 " not in text


def test_a_chapter_of_the_rules_comes_whole(barbarossa):
    for question in ("RULES HW-10", "HELP HW-10", "HELP supply", "RULES supply", "HELP HW-10 Supply"):
        text = barbarossa.answer("axis", question)
        assert text.index("HW-10.1 The chain") < text.index("HW-10.9 Overseas"), question
        assert "HW-11" not in text


def test_what_is_no_rule_is_answered_with_those_near_it(barbarossa):
    assert "Cases: HW-10.1, HW-10.2," in flat(barbarossa.answer("axis", "RULES HW-10.99"))
    assert "RULES alone tells the game in short" in flat(barbarossa.answer("axis", "RULES HW-99.9"))
    assert "Of the rules: RULES HW-9.16 (The Russian winter)." in flat(barbarossa.answer("axis", "HELP winter"))


def test_help_has_lessons_for_newcomers(barbarossa):
    assert "three production points repair one" in flat(barbarossa.answer("axis", "HELP rules"))
    battle = barbarossa.answer("axis", "HELP combat")
    assert battle.index("These are the dice") < battle.index("HELP ATTACK, HELP EXPLOIT")
    tables = barbarossa.answer("axis", "HELP tables").splitlines()
    assert "  die  1  2  3  4  5  6  7  8  9  10" in tables
    assert "     8    9  8  8  7  5  4  3  2  1  -  -   -" in tables
    listed = flat(barbarossa.answer("axis", "HELP"))
    assert "The rules: HELP RULES (the game in five minutes), HELP COMBAT (a battle from first to last)" in listed
    assert "HW-10" not in listed, "its chapters are listed by HELP RULES"


def test_a_game_without_a_page_of_rules_has_no_lessons(box):
    assert "The rules: HELP" not in flat(box.answer("red", "HELP"))
    assert "The manual says nothing about no case" in flat(box.answer("red", "RULES"))


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
    box.play("red", "STATUS\n" * 40 + "TAKE north\nTAKE east\nREADY")
    assert box.waiting("red") == "TAKE north\nTAKE east\n"
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
    for word in (*COMMANDS, *games()["hitlers-war"].language("barbarossa").beginnings):
        barbarossa.play("axis", f"HELP {word}")
    for text in (
        "HELP",
        "STATUS",
        "GAMES",
        "RULES D-18",
        "RULES",
        "RULES HW-13",
        "HELP TABLES",
        "HELP COMBAT",
        f"TIMEZONE {'x' * 300}",
        f"HELP {'y' * 300}",
        f"ADDRESS {'z' * 300}",
    ):
        barbarossa.play("axis", text)
    for mail in barbarossa.new_mail():
        assert [line for line in body_of(mail).splitlines() if len(line) > 78] == []
