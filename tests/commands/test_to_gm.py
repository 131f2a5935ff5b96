"""Whoever gets on with no command is helped in short after a while, and can write to a person."""

import pytest

from pbem.commands.table import COMMANDS
from pbem.commands.to_gm import MOST_A_DAY
from pbem.commands.wishes import SIGNS, wish_in
from pbem.records import models
from pbem.settings import Referee
from tests.letterbox import Letterbox, body_of, new_letterbox, settings_for
from tests.postal import GM
from tests.reading import flat

# ------------------------------------------------------------------ letters that make no sense


def answers_to(box: Letterbox, *texts: str) -> list[str]:
    return [flat(box.answer("red", text)) for text in texts]


def is_short(text: str) -> bool:
    return "I still find nothing to do" in text


def test_after_three_in_a_row_the_answers_are_short_and_none_is_left_out(box: Letterbox) -> None:
    answers = answers_to(box, *(f"Good evening, friend number {number}." for number in range(30)))
    assert [is_short(text) for text in answers] == [False] * 3 + [True] * 27
    assert all("What you write behind the word GM" in text for text in answers[3:])
    assert max(map(len, answers[3:])) < min(map(len, answers[:3]))


@pytest.mark.parametrize("sense", ["STATUS", "TAKE north", "REMIND x"])
def test_whatever_makes_sense_begins_the_count_anew(box: Letterbox, sense: str) -> None:
    talk = [f"So much for number {number}." for number in range(3)]
    answers = answers_to(box, *talk, sense, *talk, "And so on.")
    assert [is_short(text) for text in answers] == [False] * 7 + [True]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("When is the deadline, please?", "STATUS"),
        ("I am away on holiday until the 5th.", "ABSENCE"),
        ("Could we have a few days more time?", "EXTEND"),
        ("Have you got my orders?", "SHOW"),
        ("Please tell the other side that I want an alliance.", "PRESS"),
        ("I want to leave the game.", "RESIGN"),
        ("Somebody has stolen my key!", "KEY"),
        ("How do I retreat? What do the rules say?", "RULES"),
        ("Statsu please", "STATUS"),
        ("This is unfair, I want to talk to a human.", "GM"),
    ],
)
def test_the_short_answer_helps_with_what_he_seems_to_want(box: Letterbox, text: str, word: str) -> None:
    answers_to(box, "One.", "Two.", "Three.")
    answer = flat(box.answer("red", text))
    assert f"Perhaps you want {word}," in answer
    assert flat(COMMANDS[word].what)[1:] in answer


def test_where_nothing_can_be_guessed_nothing_is(box: Letterbox) -> None:
    answers_to(box, "One.", "Two.", "Three.")
    answer = flat(box.answer("red", "Lorem ipsum."))
    assert "Perhaps" not in answer
    assert "Write HELP in a line of its own" in answer


def test_a_doubt_is_told_in_the_short_answer_too(box: Letterbox) -> None:
    below = "---------- Forwarded message ---------\nFrom: x@example.com\nDate: today\nSubject: y\n\nTAKE north\n"
    answers_to(box, "One.", "Two.", "Three.")
    answer = flat(box.answer("red", f"See below.\n\n{below}"))
    assert "I still cannot tell what of your mail is meant for me" in answer
    assert box.waiting("red") is None


def test_no_line_of_an_answer_would_be_carried_out_if_it_came_back(box: Letterbox) -> None:
    """Some programs send the whole text back without a mark."""
    answers_to(box, "One.", "Two.", "Three.")
    box.play("red", "Lorem ipsum.")
    text = body_of(box.new_mail("red@")[-1])
    assert box.play("red", text).reason == "there was nothing to do in it"


def test_every_sign_is_one_of_a_command_and_fits_it_alone() -> None:
    assert set(SIGNS) <= set(COMMANDS)
    for word, signs in SIGNS.items():
        for sign in signs:
            assert sign == sign.casefold()
            assert wish_in([f"{sign}!"], [word]) == word
            assert wish_in([f"x{sign}x"], [word]) == ""
    assert wish_in(["When? When? The deadline!"], ["DRAW"]) == "", "only what he may ask for"


# ------------------------------------------------------------------ GM


def test_a_message_goes_to_the_gm_with_an_address_to_answer_to(box: Letterbox) -> None:
    letter = box.play("red", "GM I cannot read your pictures.\nWhat shall I do?\nEND\nTAKE north")
    assert letter.fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE north\n", "END ends it, and the letter goes on"
    mails = box.new_mail()
    assert [mail.recipient for mail in mails].count(GM) == 1
    told = next(body_of(mail) for mail in mails if mail.recipient == GM)
    assert "| I cannot read your pictures.\n| What shall I do?\n" in told
    assert "red@example.net, who plays Red in match 1" in flat(told)
    said = next(flat(body_of(mail)) for mail in mails if mail.kind == "notice" and mail.recipient != GM)
    assert "The GM gets these lines" in said
    assert "reads like orders" not in said
    assert not [mail for mail in mails if "blue" in mail.recipient]


@pytest.mark.parametrize("text", ["GM, please help.", "GM: please help.", "GM\nplease help."])
def test_it_may_be_written_in_several_ways(box: Letterbox, text: str) -> None:
    assert "The GM gets these lines" in flat(box.answer("red", text))
    assert "| please help." in body_of([mail for mail in box.outgoing() if mail.recipient == GM][-1])


def test_orders_that_went_along_are_named(box: Letterbox) -> None:
    """A message goes on to END."""
    answer = flat(box.answer("red", "GM I do not get on with this.\n\nTAKE north"))
    assert "Some of it reads like orders or commands" in answer
    assert box.waiting("red") is None


def test_no_key_goes_along(box: Letterbox) -> None:
    box.new_mail()
    box.play("red", f"GM My key is {box.seat('red').key}, and that of Blue?\nEND")
    assert box.seat("red").key not in next(mail for mail in box.new_mail(GM)).raw.decode()


def test_so_many_a_day(box: Letterbox) -> None:
    for number in range(MOST_A_DAY + 3):
        box.play("red", f"GM Complaint {number}.")
    assert len(box.new_mail(GM)) == MOST_A_DAY
    assert f"The GM has got {MOST_A_DAY} messages of yours today" in flat(box.answer("red", "GM Once more."))
    assert "The GM gets these lines" in flat(box.answer("blue", "GM Hello."))
    box.watch.forward(days=1)
    assert "The GM gets these lines" in flat(box.answer("red", "GM Good morning."))


def test_a_mail_that_comes_twice_says_it_once(box: Letterbox) -> None:
    same = {"message_id": "<same@example.net>"}
    box.play("red", "GM Hello.\nEND", **same)
    box.play("red", "STATUS\nGM Hello.\nEND", **same)
    assert len(box.new_mail(GM)) == 1


@pytest.mark.parametrize("text", ["GM", "GM\n" + f"{'x' * 150}\n" * 90])
def test_nothing_and_too_much_are_refused(box: Letterbox, text: str) -> None:
    box.new_mail()
    assert box.play("red", text).fate == models.ANSWERED
    assert box.new_mail(GM) == []


def test_nobody_else_can_write_to_the_gm_so(box: Letterbox) -> None:
    box.send("who@example.com", "GM Buy now.")
    box.send("red@example.net", "GM Buy now.")
    box.send("who@example.com", "GM Buy now.", key=box.key("red"))
    assert box.new_mail(GM) == []


def test_without_a_gm_he_is_told_so(tmp_path) -> None:
    settings = settings_for(tmp_path / "war", referee=Referee(address="referee@example.org"))
    box = new_letterbox(tmp_path / "war", settings=settings)
    assert "nobody reads mail here as GM" in box.answer("red", "GM Hello?").replace("Nobody", "nobody")
