"""The key or the address of a seat alone: its own player is told what was wrong, a few times a day, and nobody else."""

import pytest

from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.settings import Trust
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox, new_match, settings_for
from tests.postal import GM
from tests.reading import flat

RED, THIEF = "red@example.net", "thief@example.com"


def told(box: Letterbox) -> list[str]:
    """Whom the mails since the last look went to."""
    return [mail.recipient for mail in box.new_mail()]


def forged(box: Letterbox, *, key: str = "", number: int = 0) -> models.Letter:
    """A letter in Red's name, with no key or a wrong one."""
    letter = box.send(RED, f"TAKE north\nREADY\n# {number}", key=key)
    assert (letter.fate, letter.side, letter.proved, letter.meant_for) == (models.HELD, "", False, "red")
    return letter


# ------------------------------------------------------------------ how often, and whom


def test_the_seat_is_told_four_times_a_day_and_the_last_says_so(box: Letterbox) -> None:
    for number in range(6):
        box.send(THIEF, "TAKE north", key=box.key("red"))
        forged(box, number=number)
    mails = box.new_mail()
    assert [mail.recipient for mail in mails] == [RED] * 4
    assert ["the last time today" in flat(body_of(mail)) for mail in mails] == [False, False, False, True]
    assert box.sheets() == []
    box.watch.forward(days=1)
    forged(box)
    assert told(box) == [RED]


@pytest.mark.parametrize("key", ["", "1-red-aaaaaaaaaaaaaaaaaaaa", "1-blue-aaaaaaaaaaaaaaaaaaaa", "9-red-" + "b" * 20])
def test_whoever_forges_an_address_makes_the_referee_write_four_mails_at_most(box: Letterbox, key: str) -> None:
    for number in range(50):
        forged(box, key=key, number=number)
    assert told(box) == [RED] * 4


def test_a_player_of_many_matches_gets_no_more_for_it(box: Letterbox) -> None:
    """Each match can be named in the subject."""
    matches = [box.match, *(new_match(box) for _ in range(3))]
    box.new_mail()
    for match in matches * 4:
        letter = box.send(RED, "TAKE north", subject=f"Re: [{match} Two Hills] Red")
        assert (letter.fate, letter.match_id) == (models.HELD, match)
    assert told(box) == [RED] * 4


def test_nobody_else_is_written_to(box: Letterbox) -> None:
    """Not the address that the key came from, not the sender of the envelope, not where replies shall go."""
    elsewhere = {"Reply_To": THIEF, "Return_Path": f"<{THIEF}>", "Sender": THIEF, "Cc": "victim@example.com"}
    box.send(THIEF, "TAKE north", key=box.key("red"), **elsewhere)
    box.send(RED, "TAKE north", **elsewhere)
    box.send("blue@example.net", "TAKE north", key=box.key("red"), **elsewhere)
    assert told(box) == [RED] * 3


def test_what_waits_can_still_be_asked_for_with_the_key(box: Letterbox) -> None:
    """The mail is one of the seat: a reply to it brings the key."""
    forged(box)
    mail = box.only_mail()
    subject = str(message_of(mail)["Subject"])
    assert box.send(RED, "TAKE north", subject=f"Re: {subject}").fate == models.ACCEPTED


def test_a_seat_that_nobody_plays_is_told_nothing(box: Letterbox) -> None:
    box.play("red", "RESIGN")
    box.play("red", f"CONFIRM {box.word('RESIGN')}")
    box.new_mail()
    assert box.send(RED, "TAKE north").fate == models.HELD
    assert told(box) == []


# ------------------------------------------------------------------ what was wrong


def only_text(box: Letterbox) -> str:
    return flat(body_of(box.only_mail()))


def test_it_is_told_where_a_key_came_from_and_when(box: Letterbox) -> None:
    box.send(THIEF, "TAKE north", key=box.key("red"))
    text = only_text(box)
    assert f"from another address than this one, {THIEF}, on Mon" in text
    assert "send it again from this address" in text
    assert "reply KEY" in text


def test_an_address_that_says_more_is_not_passed_on(box: Letterbox) -> None:
    raw = box.compose(THIEF, "TAKE north", key=box.key("red"))
    odd = "Buy\u00a0now" * 20
    box.bring(raw.replace(b"From: thief@", f"From: {odd}@".encode()))
    assert "Buy" not in only_text(box)


def test_without_a_key_he_is_told_how_to_bring_it(box: Letterbox) -> None:
    forged(box)
    text = only_text(box)
    assert "your key was not in it" in text
    assert "send it again as a reply to this mail" in text


def test_with_a_wrong_key_he_is_told_that_it_is_wrong(box: Letterbox) -> None:
    forged(box, key="1-red-aaaaaaaaaaaaaaaaaaaa")
    text = only_text(box)
    assert "the key in it is not that of your seat" in text
    assert "aaaaaaaa" not in text


def test_a_player_who_forgets_his_key_is_not_left_alone_when_strangers_are_not_answered_any_more(
    box: Letterbox,
) -> None:
    """What anybody may ask he is answered as anybody, once a day."""
    assert box.send(RED, "HELP").fate == models.ANSWERED
    assert told(box) == [RED]
    assert box.send(RED, "HELP JOIN").fate == models.HELD
    assert "your key was not in it" in only_text(box)


def test_a_letter_without_the_signature_that_the_gm_wants_is_told_of(tmp_path) -> None:
    settings = settings_for(tmp_path / "war", trust=Trust(require="dkim"))
    box = new_letterbox(tmp_path / "war", settings=settings)
    for _ in range(6):
        assert box.play("red", "TAKE north").fate == models.HELD
    mails = box.new_mail()
    assert [mail.recipient for mail in mails] == [RED] * 4
    assert "your provider has not signed it" in flat(body_of(mails[0]))
    for _ in range(6):
        assert box.gm("PAUSE 1").fate == models.HELD
    mails = box.new_mail()
    assert [mail.recipient for mail in mails] == [GM] * 3
    assert "your provider has not signed it" in flat(body_of(mails[0]))


def test_a_gm_who_plays_is_told_about_his_seat_too(tmp_path) -> None:
    seats = [SeatTaken("red", GM), SeatTaken("blue", "blue@example.net")]
    box = new_letterbox(tmp_path / "war", seats=seats)
    for number in range(9):
        box.send(GM, f"TAKE north\n# {number}")
    texts = [flat(body_of(mail)) for mail in box.new_mail()]
    assert ["key as GM" in text for text in texts] == [True] * 3 + [False] * 4
    assert ["your seat (Red)" in text for text in texts] == [False] * 3 + [True] * 4
