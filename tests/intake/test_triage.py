"""Who wrote a letter and what becomes of it: nobody plays for somebody else, and no program is ever answered."""

import itertools
from email.message import EmailMessage

import pytest
from sqlmodel import select

from pbem.intake import settling
from pbem.intake.triage import seats_at
from pbem.mail.inbox import Arrived
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.settings import Limits
from tests.letterbox import REFEREE, Letterbox, body_of, message_of, new_letterbox, new_match, settings_for
from tests.postal import seat_of
from tests.reading import flat


def with_limits(tmp_path, **limits: int) -> Letterbox:
    return new_letterbox(tmp_path / "war", settings=settings_for(tmp_path, limits=Limits(**limits)))


# ------------------------------------------------------------------ key and address


def test_key_and_address_together_are_the_seat(box):
    assert box.play("red", "TAKE north").fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE north\n"


@pytest.mark.parametrize("sender", ["Red <RED@EXAMPLE.NET>", "red@Example.Net", '"R, D" <Red@example.net>'])
def test_capitals_and_names_do_not_matter(box, sender):
    assert box.send(sender, "TAKE north", key=box.key("red")).fate == models.ACCEPTED


def test_the_key_may_stand_in_the_body_or_the_address(box, tmp_path):
    assert box.send("red@example.net", f"TAKE north\nKEY {box.key('red')}").fate == models.ACCEPTED
    plus = f"referee+1.blue.{box.seat('blue').key}@example.org"
    message = box.compose("blue@example.net", "TAKE south").replace(REFEREE.encode(), plus.encode())
    assert box.bring(message).fate == models.ACCEPTED


def test_the_right_key_from_another_address_is_held_and_the_seat_is_told(box):
    letter = box.send("thief@example.com", "TAKE north", key=box.key("red"))
    assert (letter.fate, letter.side) == (models.HELD, "")
    assert box.sheets() == []
    mail = box.only_mail()
    assert mail.recipient == "red@example.net"
    assert "from another address" in body_of(mail)
    assert "reply KEY" in body_of(mail).replace("\n", " ")


HIDDEN = ("\x00", "\x01", "\x0b", "\x1f", "\x7f", "\x85", "\u200b", "\u202e", "\u2060", "\ufeff")


def test_an_address_with_hidden_characters_is_nobodys(box):
    """It looks like the seat's own, and the key is right."""
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    addresses = ("red{}@example.net", "red@exa{}mple.net", "{}red@example.net", "Rosa <red{}@example.net>")
    for number, (address, hidden) in enumerate(itertools.product(addresses, HIDDEN)):
        sender = address.format(hidden).encode()
        letter = box.bring(raw.replace(b"From: red@example.net", b"From: " + sender), f"place-{number}")
        assert sender in letter.raw
        assert letter.fate == models.HELD, sender
    assert box.sheets() == []


DOUBTFUL = (
    "friends: red@example.net;",
    "red@example.net, thief@evil.example",
    "red@example.net thief@evil.example",
    "thief@evil.example <red@example.net>",
    "red@example.net <thief@evil.example>",
    "<red@example.net> thief@evil.example",
    "<red@example.net> <thief@evil.example>",
    "<<red@example.net>>",
    "Red <thief@evil.example <red@example.net>>",
    "red@example.net@evil.example",
    "<thief@evil.example@red@example.net>",
    "<@evil.example:red@example.net>",
    "red(@evil.example)@example.net",
    "thief, <red@example.net>",
    "red@example.net\r\nFrom: red@example.net",
)


@pytest.mark.parametrize("sender", DOUBTFUL)
def test_anything_but_one_plain_address_is_no_clear_sender(box, sender):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    letter = box.bring(raw.replace(b"From: red@example.net", b"From: " + sender.encode()))
    assert (letter.fate, letter.sender) == (models.HELD, "")
    assert "who wrote it" in letter.reason
    assert box.sheets() == []
    mail = box.only_mail()
    assert mail.recipient == "red@example.net", "his key was right, and nobody else hears of it"
    assert "does not name one plain address" in flat(body_of(mail))


@pytest.mark.parametrize(
    "sender",
    [
        '"thief@evil.example" <red@example.net>',
        "red@example.net <red@example.net>",
        "red@example.net (Red of the two hills)",
        "(Red) Rosa Red <red@example.net> (at home)",
        "=?utf-8?q?thief=40evil=2Eexample?= <red@example.net>",
    ],
)
def test_a_name_and_a_remark_leave_no_doubt(box, sender):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    assert box.bring(raw.replace(b"From: red@example.net", b"From: " + sender.encode())).fate == models.ACCEPTED


@pytest.mark.parametrize(("ours", "theirs"), [("boris@example.net", "bori\u017f@"), ("kim@example.net", "\u212aim@")])
def test_only_the_letters_from_a_to_z_have_small_ones(tmp_path, ours, theirs):
    """By the rules of Unicode these are other ways to write an s and a K."""
    seats = [SeatTaken("red", ours), SeatTaken("blue", "blue@example.net")]
    box = new_letterbox(tmp_path / "war", seats=seats)
    raw = box.compose("x@example.net", "TAKE north", key=box.key("red"))
    forged = raw.replace(b"From: x@", f"From: {theirs}".encode())
    assert forged != raw
    assert box.bring(forged).fate == models.HELD
    assert box.sheets() == []
    with box.office.store.reading() as session:
        assert [seat.side for seat in seats_at(session, ours.upper())] == ["red"]
        assert seats_at(session, f"{theirs}example.net") == []


@pytest.mark.parametrize("subject", ["orders", "[1 Two Hills] orders", "{1-red-aaaaaaaaaaaaaaaaaaaa}"])
def test_the_right_address_without_the_key_is_held_and_the_seat_is_told(box, subject):
    letter = box.send("red@example.net", "TAKE north", subject=subject)
    assert (letter.fate, letter.side) == (models.HELD, "")
    assert box.sheets() == []
    mail = box.only_mail()
    assert mail.recipient == "red@example.net"
    assert "reply to this mail" in body_of(mail).replace("\n", " ")
    assert box.key("red") in message_of(mail)["Subject"], "so that a reply brings the key"


def test_the_key_of_the_other_seat_is_of_no_use(box):
    letter = box.send("blue@example.net", "TAKE north", key=box.key("red"))
    assert letter.fate == models.HELD
    assert box.sheets() == []
    assert [mail.recipient for mail in box.new_mail()] == ["red@example.net"]


def test_an_old_key_counts_no_more(box):
    old = box.key("red")
    box.play("red", "KEY")
    box.new_mail()
    assert box.send("red@example.net", "TAKE north", key=old).fate == models.HELD
    assert "perhaps it is an older one" in flat(body_of(box.only_mail()))
    assert box.play("red", "TAKE north").fate == models.ACCEPTED


def test_a_player_of_several_matches_is_known_by_the_key(box):
    second = new_match(box)
    key = box.key("red", second)
    letter = box.send("red@example.net", "TAKE north", key=key)
    assert (letter.fate, letter.match_id) == (models.ACCEPTED, second)


def test_keys_of_two_seats_of_one_player_are_told_apart_by_the_subject(box):
    second = new_match(box)
    both = f"KEY {box.key('red')}\nKEY {box.key('red', second)}"
    unclear = box.send("red@example.net", f"TAKE north\n{both}")
    assert unclear.fate == models.ANSWERED
    assert "more than one seat" in body_of(box.new_mail()[-1])
    assert box.sheets() == []
    clear = box.send("red@example.net", f"TAKE north\n{both}", subject=f"Re: [{second} Two Hills] Red")
    assert (clear.fate, clear.match_id) == (models.ACCEPTED, second)


def test_a_seat_that_was_left_is_nobodys(box):
    key = box.key("red")
    box.play("red", "RESIGN")
    box.play("red", f"CONFIRM {box.word('RESIGN')}")
    box.new_mail()
    assert box.send("red@example.net", "TAKE north", key=key).fate in (models.HELD, models.ANSWERED)
    assert box.sheets() == []


# ------------------------------------------------------------------ what no person wrote


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"Precedence": "bulk"},
        {"List_Id": "<list.example.net>"},
        {"X_Auto_Response_Suppress": "All"},
        {"Return_Path": "<>"},
    ],
)
def test_automatic_mail_is_never_answered(box, headers):
    for text in ("TAKE north", "HELP", "I am out of the office."):
        letter = box.play("red", text, **headers)
        assert letter.fate == models.DROPPED
        assert box.send("who@example.com", text, **headers).fate == models.DROPPED
    assert box.new_mail() == []
    assert box.sheets() == []


def test_our_own_mail_never_comes_to_anything(box):
    """Everything we ever wrote, sent back in: by us, and by somebody who takes our text for his own."""
    for text in (
        "TAKE north",
        "HELP",
        "STATUS",
        "RESIGN",
        "KEY",
        "EXTEND 24",
        "DRAW",
        "nonsense",
        "ADDRESS a@example.com",
    ):
        box.play("red", text)
    box.play("red", "PRESS TO ALL\nHELP\nEND")
    box.send("who@example.com", "HELP")
    box.gm("PAUSE 1")
    box.send("thief@example.com", "HELP\nTAKE north", key=box.key("red"))
    written = box.outgoing()
    assert {mail.kind for mail in written} >= {"welcome", "receipt", "notice", "refusal", "press", "question"}
    box.new_mail()
    for number, mail in enumerate(written):
        assert box.bring(mail.raw, f"loop-{number}").fate == models.DROPPED
        resent = mail.raw.replace(b"From: The Referee <referee@example.org>", b"From: red@example.net")
        assert resent != mail.raw
        assert box.bring(resent, f"resent-{number}").fate == models.DROPPED
    assert box.new_mail() == []


def test_a_program_that_answers_our_answers_is_left_alone_soon(box):
    """An out-of-office note without any mark of one: each is answered, and answers us again."""
    fates = [box.play("red", "Ich bin bis Montag nicht da. Viele Grüße").fate for _ in range(20)]
    assert len(box.new_mail()) == 4
    assert fates == [models.ANSWERED] * 4 + [models.DROPPED] * 16


def test_a_letter_without_a_clear_sender_is_held(box):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    two = raw.replace(b"From: red@example.net", b"From: red@example.net, blue@example.net")
    assert box.bring(two).fate == models.HELD
    assert box.bring(raw.replace(b"From: red@example.net\r\n", b"")).fate == models.HELD
    assert [mail.recipient for mail in box.new_mail()] == ["red@example.net"] * 2
    without_key = box.compose("red@example.net", "TAKE north").replace(b"From: red@example.net\r\n", b"")
    assert box.bring(without_key).fate == models.HELD
    assert box.new_mail() == []


# ------------------------------------------------------------------ how much


def test_letters_a_day_have_a_limit_and_the_last_answer_says_so(tmp_path):
    box = with_limits(tmp_path, letters_a_day=5)
    fates = [box.play("red", f"STATUS\nHELP {n}").fate for n in range(8)]
    assert fates == [models.ANSWERED] * 5 + [models.HELD] * 3
    mails = box.new_mail("red@")
    assert [mail.kind for mail in mails] == ["notice"] * 5
    said = ["the last of your mails that I answer today: I answer 5 a day" in flat(body_of(mail)) for mail in mails]
    assert said == [False] * 4 + [True]
    assert "What comes before Tuesday 17 November 2026, 00:00 UTC is kept for the GM" in flat(body_of(mails[-1]))
    page = message_of(mails[-1]).get_body(("html",))
    assert page is not None
    assert "the last of your mails" in flat(page.get_content())
    assert box.play("blue", "STATUS").fate == models.ANSWERED
    box.watch.forward(days=1)
    assert box.play("red", "STATUS").fate == models.ANSWERED


def test_a_letter_counts_once_however_many_mails_answer_it(tmp_path):
    box = with_limits(tmp_path, letters_a_day=3)
    for number in range(3):
        assert box.play("red", f"TAKE north\nSTATUS\n# {number}").fate == models.ACCEPTED
    mails = box.new_mail("red@")
    assert [mail.kind for mail in mails] == ["receipt", "notice"] * 3
    assert ["the last of your mails" in flat(body_of(mail)) for mail in mails] == [False] * 4 + [True] * 2
    assert box.play("red", "TAKE south").fate == models.HELD


@pytest.mark.parametrize("last", ["Nice game!", "TAKE north", "x" * 40_000 + "\n" * 21_000, "both keys"])
def test_whatever_the_last_letter_is_its_answer_says_that_it_is_the_last(tmp_path, last):
    box = with_limits(tmp_path, letters_a_day=2)
    second = new_match(box)
    box.play("red", "STATUS")
    box.new_mail()
    text = f"KEY {box.key('red', second)}\nTAKE north" if last == "both keys" else last
    assert box.play("red", text).fate in (models.ANSWERED, models.ACCEPTED)
    assert "the last of your mails" in flat(body_of(box.only_mail()))
    assert box.play("red", text + "\nagain").fate == models.HELD
    assert box.new_mail() == []


def test_nobody_else_can_use_up_a_players_letters(tmp_path):
    box = with_limits(tmp_path, letters_a_day=5)
    for _ in range(20):
        box.send("red@example.net", "STATUS")
        box.send("thief@example.com", "STATUS", key=box.key("red"))
    assert box.play("red", "TAKE north").fate == models.ACCEPTED


def test_a_gm_has_a_limit_too(tmp_path):
    box = with_limits(tmp_path, letters_a_day=3)
    assert [box.gm(f"STATUS\nHELP {n}").fate for n in range(5)] == [models.ANSWERED] * 3 + [models.HELD] * 2


# ------------------------------------------------------------------ one fate


def test_every_letter_has_one_fate_and_a_reason(box):
    for text in ("TAKE north", "HELP", "nonsense", "RESIGN"):
        box.play("red", text)
        box.send("who@example.com", text)
        box.send("red@example.net", text)
    message = EmailMessage()
    message["From"] = "x@example.com"
    box.bring(message.as_bytes())
    for letter in box.letters():
        assert letter.fate in models.FATES
        assert letter.reason
        assert letter.settled is not None


def test_a_letter_is_noted_with_what_it_is(box):
    number = settling.take_in(
        box.office, Arrived("p", box.compose("red@example.net", "HELP", key=box.key("red"), subject="Re: x"))
    )
    settling.settle(box.office, number)
    letter = box.letter(number)
    assert (letter.sender, letter.subject.split()[0], letter.message_id) == (
        "red@example.net",
        "Re:",
        "<1.letter@client.example>",
    )
    assert seat_of(box.office, 1, "red").key not in letter.subject


def test_words_of_the_database_do_not_reach_the_gm(box, monkeypatch):
    """An error of the database lists what it was given; none of that is passed on."""
    from pbem.intake import triage

    key = box.seat("red").key

    def clash(desk):
        desk.session.add(models.Word(word=key, match_id=999, side="", act="x", expires=desk.now))
        desk.session.flush()

    monkeypatch.setattr(triage, "carry_out", clash)
    letter = box.play("red", "TAKE north")
    assert letter.fate == models.HELD
    assert key not in box.only_mail().raw.decode()
    with box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []
