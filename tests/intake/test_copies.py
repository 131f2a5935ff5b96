"""The same letter twice, and letters that only look like it: a copy does nothing, and everything else is answered."""

import dataclasses

from pbem.desk import releasing
from pbem.intake import settling
from pbem.post.post import FORM_BEGINS, FORM_ENDS
from pbem.records import models
from pbem.settings import Trust
from tests.letterbox import body_of, new_letterbox, settings_for


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


def test_the_same_message_id_with_other_words_is_another_letter(box):
    """Some programs give every mail the same."""
    assert box.play("red", "TAKE north", message_id="<same@x>").fate == models.ACCEPTED
    assert box.play("red", "TAKE south", message_id="<same@x>").fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE south\n"
    assert len(box.new_mail("red@")) == 2
    assert box.play("red", "TAKE south", message_id="<same@x>").fate == models.DROPPED
    assert box.play("red", "TAKE south\nHOLD", message_id="<same@x>").fate == models.ACCEPTED
    assert box.play("blue", "TAKE south", message_id="<same@x>").fate == models.ACCEPTED, "another seat's is another"


def test_the_same_message_id_with_other_loose_words_is_another_letter(box):
    """An order may stand in words that only its game understands, above all that every game does."""
    assert box.play("red", "north, take it!\nHOLD", message_id="<same@x>").fate == models.ACCEPTED
    assert box.play("red", "south, take it!\nHOLD", message_id="<same@x>").fate != models.DROPPED
    assert box.play("red", "south, take it!\nHOLD", message_id="<same@x>").fate == models.DROPPED


def test_an_unproved_letter_uses_up_no_message_id(box):
    """Somebody has seen the id, and writes first what the player is about to write, from the player's address."""
    for forged in ("TAKE north", "HELP"):
        assert box.send("red@example.net", forged, message_id="<same@x>").fate in (models.HELD, models.ANSWERED)
    assert box.send("red@example.net", "TAKE north", message_id="<same@x>").fate == models.DROPPED, (
        "his own copy is one"
    )
    assert box.play("red", "TAKE north", message_id="<same@x>").fate == models.ACCEPTED
    assert box.play("red", "TAKE north", message_id="<same@x>").fate == models.DROPPED


def test_a_letter_that_was_released_is_read_once(box):
    held = box.send("red@example.net", "TAKE north", message_id="<same@x>")
    with box.office.store.writing() as session:
        releasing.release(session, box.office, releasing.held_letter(session, held.id), box.seat("red"))
    assert settling.settle(box.office, held.id) == models.ACCEPTED
    assert box.letter(held.id).proved
    assert box.play("red", "TAKE north", message_id="<same@x>").fate == models.DROPPED


#: Our server has found it good; that it covers all that is asked for the referee sees for himself.
SIGNATURE = (
    b"DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=s1; h=from:to:subject:date; bh=aGFzaA==; b=c2lnbg==\r\n"
)


def test_a_letter_without_the_signature_that_is_required_proves_nothing(tmp_path):
    settings = settings_for(tmp_path, trust=Trust(require="dkim", authserv_id="mx.example.org"))
    box = new_letterbox(tmp_path / "war", settings=settings)
    box.office = dataclasses.replace(box.office, look_up=lambda *_, **__: None)
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"), message_id="<same@x>")
    found = b"Authentication-Results: mx.example.org; dkim=pass header.d=example.net\r\n" + SIGNATURE
    assert box.bring(raw).fate == models.HELD
    assert box.bring(found + raw).fate == models.ACCEPTED
    assert box.bring(raw, "elsewhere").fate == models.DROPPED, "what was read already is not held as well"


def test_a_letter_fetched_again_from_another_place_is_the_letter_it_was(box):
    """Also if its key counts no more: it was the letter that asked for a new one."""
    raw = box.compose("red@example.net", "KEY", key=box.key("red"))
    assert [box.bring(raw, place).fate for place in ("a", "b")] == [models.ACCEPTED, models.DROPPED]
    assert len(box.new_mail()) == 1


def test_lists_and_scanners_do_not_make_another_letter(box):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"), subject="orders", message_id="<same@x>")
    assert box.bring(raw).fate == models.ACCEPTED
    for number, (old, new) in enumerate(
        [
            (b"Subject: orders", b"Subject: [EXTERNAL] [hills 7] orders"),
            (b"TAKE north", b"CAUTION: this mail came from outside.\r\n\r\ntake  north\r\n\r\nScanned by Example.\r\n"),
            (b"Date: ", b"X-Scanned: yes\r\nDate: "),
        ]
    ):
        assert old in raw
        assert box.bring(raw.replace(old, new), f"copy-{number}").fate == models.DROPPED


def test_forms_that_differ_make_different_letters(box):
    """What was changed in an order form that comes back is told only when it is compared with the one that was sent."""
    form = body_of(next(mail for mail in box.outgoing() if mail.side == "red"))
    assert FORM_BEGINS in form
    for order, fate in (
        ("TAKE north", models.ACCEPTED),
        ("TAKE south", models.ACCEPTED),
        ("TAKE south", models.DROPPED),
    ):
        reply = "\n".join(f"> {line}" for line in form.replace(FORM_ENDS, f"{order}\n{FORM_ENDS}").splitlines())
        assert box.play("red", f"On Monday the Referee wrote:\n{reply}", message_id="<same@x>").fate == fate


def test_press_goes_out_once(box):
    """Whether the mail comes as it was, with a scanner's words below it, or with other orders."""
    once = "PRESS TO blue\nShall we share the hills?\n"
    raw = box.compose("red@example.net", once, key=box.key("red"), message_id="<same@x>")
    for place in ("a", "b", "c"):
        box.bring(raw, place)
    box.play("red", f"{once}\nThis mail was scanned by Example.", message_id="<same@x>")
    assert box.play("red", f"TAKE north\n{once}END", message_id="<same@x>").fate == models.ACCEPTED
    mails = box.new_mail()
    assert [mail.kind for mail in mails if mail.recipient == "blue@example.net"] == ["press"]
    assert "passed on already" in body_of(mails[-1])
    assert box.play("red", "PRESS TO blue\nNever mind.", message_id="<same@x>").fate == models.ACCEPTED
    assert box.play("red", once).fate == models.ACCEPTED, "a new mail says it again"
    assert len(box.new_mail("blue@")) == 2


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
