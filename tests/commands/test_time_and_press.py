"""More time, less time, absence, and press: the commands of a game that is being played."""

from datetime import UTC, datetime

import pytest

from pbem.records import models
from pbem.settings import Limits
from tests.letterbox import body_of, new_letterbox, new_match, settings_for
from tests.postal import GM
from tests.reading import flat

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
    text = flat(box.answer("red", "ABSENCE 2026-12-20 2027-01-03"))
    assert "away from Sunday 20 December 2026, 00:00 CET until Monday 4 January 2027, 00:00 CET" in text
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
