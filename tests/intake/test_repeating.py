"""Letters that say the same again and again, and programs that answer each other: it dies out, and no order is lost."""

import email
from collections.abc import Callable
from email.policy import SMTP
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.intake.repeating import THE_SAME_AGAIN
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.settings import Limits, Referee
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox, new_match, settings_for
from tests.postal import GM

RED = "red@example.net"


def fates(box: Letterbox, *texts: str, **how: str) -> list[str]:
    return [box.play("red", text, **how).fate for text in texts]


# ------------------------------------------------------------------ five that say the same


def test_the_fifth_that_says_the_same_is_automatic_mail(box: Letterbox) -> None:
    found = []
    for minute in range(8):
        letter = box.play("red", "STATUS", X_Number=f"{minute}")
        found.append(letter.fate)
        box.watch.forward(minutes=1)
    assert found == [models.ANSWERED] * 4 + [models.DROPPED] * 4
    assert letter.reason == THE_SAME_AGAIN
    assert len(box.new_mail()) == 4


def test_the_same_in_more_than_ten_minutes_is_not(box: Letterbox) -> None:
    for _ in range(9):
        assert box.play("red", "STATUS").fate == models.ANSWERED
        box.watch.forward(minutes=2, seconds=31)


def test_a_program_that_writes_on_and_on_is_left_alone_until_it_stops(box: Letterbox) -> None:
    for _ in range(120):
        box.play("red", "STATUS")
        box.watch.forward(minutes=1)
    assert len(box.new_mail()) == 4
    box.watch.forward(minutes=10)
    assert box.play("red", "STATUS").fate == models.ANSWERED


@pytest.mark.parametrize(
    "texts",
    [
        [f"Nice move number {number}." for number in range(6)],
        [f"HELP {word}" for word in ("TAKE", "HOLD", "PRESS", "MAP", "KEY", "DRAW")],
        ["STATUS", "STATUS", "STATUS", "STATUS", "SHOW", "STATUS", "STATUS", "STATUS", "STATUS"],
    ],
)
def test_letters_that_differ_are_answered(box: Letterbox, texts: list[str]) -> None:
    assert set(fates(box, *texts)) == {models.ANSWERED}


def test_another_subject_is_another_letter(box: Letterbox) -> None:
    """Whoever answers five mails of ours with the same word has written five letters."""
    assert {box.play("red", "STATUS", subject=f"Re: report {turn}").fate for turn in range(9)} == {models.ANSWERED}


def test_whoever_cannot_make_up_his_mind_is_heard_to_the_last(box: Letterbox) -> None:
    for _ in range(6):
        assert fates(box, "TAKE north", "TAKE south") == [models.ACCEPTED] * 2
    assert box.waiting("red") == "TAKE south\n"


def test_the_same_orders_turn_by_turn_are_orders(box: Letterbox) -> None:
    """A fast game: every turn is played within a minute."""
    for turn in range(3):
        for match in (box.match, new_match(box), new_match(box)):
            for side in ("red", "blue"):
                seat = box.seat(side, match)
                letter = box.send(seat.address, "HOLD", key=box.key(side, match))
                assert letter.fate == models.ACCEPTED, (turn, match, side)


def test_after_news_the_same_words_are_heard_again(box: Letterbox) -> None:
    assert fates(box, *["HOLD"] * 4) == [models.ACCEPTED] * 4
    box.play("blue", "HOLD")
    assert box.letters()[-1].fate == models.ACCEPTED
    assert fates(box, *["HOLD"] * 5) == [models.ACCEPTED] * 4 + [models.DROPPED]
    assert box.waiting("red") == "HOLD\n", "what was dropped had been taken before"


def test_a_letter_delivered_five_times_is_one(box: Letterbox) -> None:
    raw = box.compose(RED, "STATUS", key=box.key("red"))
    assert [box.bring(raw).fate for _ in range(6)] == [models.ANSWERED] + [models.DROPPED] * 5
    assert box.play("red", "STATUS").fate == models.ANSWERED


def test_letters_of_others_do_not_count(box: Letterbox) -> None:
    for _ in range(6):
        box.send(RED, "STATUS")
        box.send("thief@example.com", "STATUS", key=box.key("red"))
    assert fates(box, *["STATUS"] * 4) == [models.ANSWERED] * 4
    assert box.play("blue", "STATUS").fate == models.ANSWERED


def test_a_gm_who_writes_the_same_is_a_program_too(box: Letterbox) -> None:
    assert [box.gm("STATUS").fate for _ in range(6)] == [models.ANSWERED] * 4 + [models.DROPPED] * 2


# ------------------------------------------------------------------ programs that answer us

Answering = Callable[[models.Outgoing], str]


def away(_: models.Outgoing) -> str:
    return "I read your mail next week. Anna"


def quoting(mail: models.Outgoing) -> str:
    lines = "\n".join(f"> {line}" for line in body_of(mail).splitlines())
    return f"Thank you for your mail.\n\nOn {message_of(mail)['Date']}, The Referee <referee@example.org> wrote:\n\n{lines}"


def echoing(mail: models.Outgoing) -> str:
    return body_of(mail)


def rounds_until_quiet(box: Letterbox, address: str, answer: Answering, *, with_key: bool, minutes: float = 0) -> int:
    """A program behind an address answers every mail to it, and nothing in its letters says that it is one."""
    for count in range(400):
        mails = box.new_mail(address)
        if not mails:
            return count
        box.watch.forward(minutes=minutes)
        for mail in mails:
            subject = f"Re: {message_of(mail)['Subject']}" if with_key else "Your mail"
            box.send(address, answer(mail), subject=subject)
    raise AssertionError("they would go on for ever")


@pytest.mark.parametrize("answer", [away, quoting, echoing])
@pytest.mark.parametrize("with_key", [True, False])
def test_a_program_of_a_player_and_the_referee_fall_silent(box: Letterbox, answer: Answering, with_key: bool) -> None:
    box.play("red", "STATUS")
    assert rounds_until_quiet(box, RED, answer, with_key=with_key) <= 12


def test_a_slow_program_is_answered_as_often_as_the_day_allows(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "war", limits=Limits(letters_a_day=12))
    box = new_letterbox(tmp_path / "war", settings=settings)
    box.play("red", "STATUS")
    assert rounds_until_quiet(box, RED, away, with_key=True, minutes=3) == 12


def test_a_program_of_the_gm_and_the_referee_fall_silent(box: Letterbox) -> None:
    box.gm("STATUS")
    assert rounds_until_quiet(box, GM, away, with_key=True) <= 8
    box.gm("HELP")
    assert rounds_until_quiet(box, GM, away, with_key=False) <= 8


# ------------------------------------------------------------------ two referees

ONE, TWO = "referee@one.example", "referee@two.example"
MARKS = ("Auto-Submitted", "X-Auto-Response-Suppress", "Precedence")


def referee_at(directory: Path, address: str, other: str) -> Letterbox:
    """A referee in whose match another one plays Red, and is his GM."""
    settings = settings_for(directory, referee=Referee(address=address, gm=(other,)))
    seats = [SeatTaken("red", other), SeatTaken("blue", "blue@example.net")]
    return new_letterbox(directory, settings=settings, seats=seats)


def without_marks(raw: bytes) -> bytes:
    message = email.message_from_bytes(raw, policy=SMTP)
    for mark in MARKS:
        del message[mark]
    return message.as_bytes()


def letters_between(one: Letterbox, two: Letterbox, carried: Callable[[bytes], bytes]) -> int:
    """Everything either writes is carried to the other, until both are silent."""
    count, places = 0, pairwise(range(10**6))
    for _ in range(300):
        going = [(two, mail) for mail in one.new_mail(TWO)] + [(one, mail) for mail in two.new_mail(ONE)]
        if not going:
            return count
        for reader, mail in going:
            count += 1
            reader.bring(carried(mail.raw), f"between-{next(places)}")
    raise AssertionError("they would go on for ever")


@pytest.mark.parametrize("carried", [bytes, without_marks], ids=["as it is", "unmarked"])
@pytest.mark.parametrize("text", ["STATUS", "Nice game!", "TAKE north", "EXTEND 24", "KEY", "GM Are you there?"])
def test_two_referees_have_soon_said_everything(tmp_path: Path, text: str, carried: Callable[[bytes], bytes]) -> None:
    one, two = referee_at(tmp_path / "one", ONE, TWO), referee_at(tmp_path / "two", TWO, ONE)
    for box, key in ((one, one.key("red")), (two, two.key("red")), (one, two.key("red")), (two, "")):
        box.send(box.seat("red").address, text, key=key)
    marked = carried is bytes
    assert letters_between(one, two, carried) <= (12 if marked else 40)
    assert letters_between(one, two, carried) == 0
