"""Who wrote a letter and what becomes of it: nobody plays for somebody else, and no program is ever answered."""

import itertools
from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlmodel import select

from pbem.mail.inbox import Arrived
from pbem.records import models
from pbem.settings import Limits, Referee
from tests.letterbox import REFEREE, Letterbox, body_of, message_of, new_letterbox, new_match, settings_for
from tests.postal import GM, seat_of


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


def test_the_seat_is_told_once_a_day(box):
    for _ in range(5):
        box.send("thief@example.com", "TAKE north", key=box.key("red"))
        box.send("red@example.net", "TAKE north")
    assert len(box.new_mail()) == 1
    box.watch.forward(days=1)
    box.send("red@example.net", "TAKE north")
    assert len(box.new_mail()) == 1


def test_an_old_key_counts_no_more(box):
    old = box.key("red")
    box.play("red", "KEY")
    assert box.send("red@example.net", "TAKE north", key=old).fate == models.HELD
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


# ------------------------------------------------------------------ strangers


def test_a_stranger_without_a_command_is_held_silently(box):
    assert box.send("who@example.com", "I would like to sell you something.").fate == models.HELD
    assert box.new_mail() == []


def test_a_stranger_with_a_command_gets_one_polite_answer_a_day(box):
    assert box.send("who@example.com", "HELP").fate == models.ANSWERED
    assert box.only_mail().recipient == "who@example.com"
    assert box.send("who@example.com", "GAMES").fate == models.DROPPED
    assert box.send("WHO@example.com", "HELP JOIN").fate == models.DROPPED
    assert box.new_mail() == []
    box.watch.forward(days=1)
    assert box.send("who@example.com", "GAMES").fate == models.ANSWERED


def test_a_stranger_learns_nothing_about_games(box):
    box.send("who@example.com", "STATUS\nREPORT\nMAP\nTAKE north")
    text = body_of(box.only_mail())
    assert "I do not know you" in text
    assert "Two Hills" not in text
    assert "example.net" not in text


def test_a_stranger_with_a_wrong_key_changes_nothing(box):
    assert box.send("who@example.com", "TAKE north", key="1-red-aaaaaaaaaaaaaaaaaaaa").fate == models.HELD
    assert box.new_mail() == []


def test_no_answers_to_strangers_at_all_if_the_gm_says_so(tmp_path):
    box = with_limits(tmp_path, answers_to_strangers_a_day=0)
    assert box.send("who@example.com", "HELP").fate == models.DROPPED
    assert box.new_mail() == []


def test_a_player_may_ask_what_everybody_may_without_his_key(box):
    assert box.send("red@example.net", "GAMES").fate == models.ANSWERED
    mail = box.only_mail()
    assert "No seat is free" in body_of(mail)
    assert "You play in" not in body_of(mail)


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
    assert len(box.new_mail()) <= 3
    assert fates[-1] in (models.HELD, models.DROPPED)


def test_a_letter_without_a_clear_sender_is_held(box):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    two = raw.replace(b"From: red@example.net", b"From: red@example.net, blue@example.net")
    assert box.bring(two).fate == models.HELD
    assert box.bring(raw.replace(b"From: red@example.net\r\n", b"")).fate == models.HELD
    assert box.new_mail() == []


# ------------------------------------------------------------------ duplicates


def test_the_same_message_id_is_the_same_letter(box):
    first = box.compose("red@example.net", "TAKE north", key=box.key("red"), message_id="<same@x>")
    again = first.replace(b"TAKE north", b"TAKE north\r\n\r\nA footer of a mailing list.")
    box.play("red", "TAKE south")
    box.bring(first)
    box.play("red", "HOLD")
    box.new_mail()
    letter = box.bring(again)
    assert letter.fate == models.DROPPED
    assert "the same as letter" in letter.reason
    assert box.waiting("red") == "HOLD\n", "a copy that comes late does not undo what came after it"
    assert box.new_mail() == []


def test_another_sender_cannot_use_up_a_message_id(box):
    box.send("thief@example.com", "HELP", message_id="<same@x>")
    assert box.play("red", "TAKE north", message_id="<same@x>").fate == models.ACCEPTED


def test_without_message_id_content_and_date_decide(box):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"), message_id="")
    assert box.bring(raw, "a").fate == models.ACCEPTED
    assert box.bring(raw, "b").fate == models.DROPPED
    box.watch.forward(minutes=1)
    later = box.compose("red@example.net", "TAKE north", key=box.key("red"), message_id="")
    assert box.bring(later, "c").fate == models.ACCEPTED


def test_the_same_orders_in_a_new_letter_are_no_duplicate(box):
    assert [box.play("red", "TAKE north").fate for _ in range(3)] == [models.ACCEPTED] * 3
    assert len(box.new_mail()) == 3


# ------------------------------------------------------------------ bounces


def delivery_report(box: Letterbox, about: models.Outgoing, action: str = "failed", status: str = "5.1.1") -> bytes:
    return (
        "From: MAILER-DAEMON@mx.example.net\r\n"
        f"To: {REFEREE}\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\n"
        "Auto-Submitted: auto-replied\r\n"
        f"Message-ID: <dsn-{about.id}-{action}@mx.example.net>\r\n"
        "Return-Path: <>\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="B"\r\n'
        "\r\n"
        "--B\r\nContent-Type: text/plain\r\n\r\nIt did not work.\r\n"
        "--B\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.net\r\n\r\n"
        f"Final-Recipient: rfc822; {about.recipient}\r\nAction: {action}\r\nStatus: {status}\r\n"
        "Diagnostic-Code: smtp; 550 no such user\r\n\r\n"
        "--B\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {about.message_id}\r\nTo: {about.recipient}\r\n\r\n"
        "--B--\r\n"
    ).encode()


def test_a_bounce_is_recorded_against_its_mail(box):
    welcome = next(mail for mail in box.outgoing() if mail.side == "red")
    letter = box.bring(delivery_report(box, welcome))
    assert letter.fate == models.DROPPED
    assert "came back" in letter.reason
    assert box.seat("red").bounces
    assert not box.seat("blue").bounces
    assert next(mail for mail in box.outgoing() if mail.id == welcome.id).state == models.FAILED
    notice = box.only_mail()
    assert (notice.recipient, notice.kind) == (GM, "notice")
    assert "red@example.net" in body_of(notice)


def test_a_delay_is_no_bounce(box):
    welcome = next(mail for mail in box.outgoing() if mail.side == "red")
    letter = box.bring(delivery_report(box, welcome, "delayed", "4.4.7"))
    assert (letter.fate, "delayed" in letter.reason) == (models.DROPPED, True)
    assert not box.seat("red").bounces
    assert box.new_mail() == []


def test_a_bounce_of_something_else_is_dropped(box):
    welcome = box.outgoing()[0]
    raw = delivery_report(box, welcome).replace(welcome.message_id.encode(), b"<somebody-elses@example.com>")
    assert box.bring(raw).fate == models.DROPPED
    assert not box.seat("red").bounces
    assert box.new_mail() == []


def test_a_bounce_of_a_notice_to_the_gm_does_not_go_round(box):
    box.gm("STATUS")
    (mail,) = box.new_mail()
    assert box.bring(delivery_report(box, mail)).fate == models.DROPPED
    assert box.new_mail() == []


def test_whoever_writes_can_be_reached_again(box):
    box.bring(delivery_report(box, next(mail for mail in box.outgoing() if mail.side == "red")))
    assert box.seat("red").bounces
    box.play("red", "STATUS")
    assert not box.seat("red").bounces


# ------------------------------------------------------------------ how much


def test_letters_a_day_have_a_limit_and_the_player_is_told_once(tmp_path):
    box = with_limits(tmp_path, letters_a_day=5)
    fates = [box.play("red", f"STATUS\nHELP {n}").fate for n in range(8)]
    assert fates == [models.ANSWERED] * 5 + [models.HELD] * 3
    assert [mail.kind for mail in box.new_mail("red@")] == ["notice"] * 5 + ["refusal"]
    assert box.play("blue", "STATUS").fate == models.ANSWERED
    box.watch.forward(days=1)
    assert box.play("red", "STATUS").fate == models.ANSWERED


def test_nobody_else_can_use_up_a_players_letters(tmp_path):
    box = with_limits(tmp_path, letters_a_day=5)
    for _ in range(20):
        box.send("red@example.net", "STATUS")
        box.send("thief@example.com", "STATUS", key=box.key("red"))
    assert box.play("red", "TAKE north").fate == models.ACCEPTED


def test_a_gm_has_a_limit_too(tmp_path):
    box = with_limits(tmp_path, letters_a_day=3)
    assert [box.gm("STATUS").fate for _ in range(5)] == [models.ANSWERED] * 3 + [models.HELD] * 2


# ------------------------------------------------------------------ the GM


def test_a_gm_is_not_believed_for_his_address(box):
    assert box.gm("PAUSE 1").fate == models.ACCEPTED
    assert not box.office.store.position(1).match.paused
    mail = box.only_mail()
    assert mail.recipient == GM
    assert "CONFIRM" in body_of(mail)


def test_a_gms_word_counts_from_his_address_alone(box):
    box.gm("PAUSE 1")
    word = box.word("PAUSE")
    box.send("thief@example.com", f"CONFIRM {word}")
    box.play("red", f"CONFIRM {word}")
    assert not box.office.store.position(1).match.paused
    box.gm(f"CONFIRM {word}")
    assert box.office.store.position(1).match.paused


def test_a_gm_with_a_seat_is_a_player_by_his_key(tmp_path):
    settings = settings_for(tmp_path, referee=Referee(address=REFEREE, gm=("red@example.net",)))
    box = new_letterbox(tmp_path / "war", settings=settings)
    assert box.play("red", "TAKE north").fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE north\n"
    assert box.send("red@example.net", "PAUSE 1").fate == models.ACCEPTED
    assert not box.office.store.position(1).match.paused


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
    number = box.office.take_in(
        Arrived("p", box.compose("red@example.net", "HELP", key=box.key("red"), subject="Re: x"))
    )
    box.office.settle(number)
    letter = box.letter(number)
    assert (letter.sender, letter.subject.split()[0], letter.message_id) == (
        "red@example.net",
        "Re:",
        "<1.letter@client.example>",
    )
    assert seat_of(box.office, 1, "red").key not in letter.subject


def test_a_bounce_that_comes_far_too_late_is_not_believed(box):
    welcome = next(mail for mail in box.outgoing() if mail.side == "red")
    box.watch.now += timedelta(days=30)
    box.bring(delivery_report(box, welcome))
    assert not box.seat("red").bounces


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
