"""A button is a letter: taken apart and sent as a mail program would send it, it is answered."""

import re
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from engine.game import games
from pbem.letters.pages import lines_of_page
from pbem.mail.finished import page_of
from pbem.records import models
from pbem.settings import Referee
from tests.letterbox import GM, Letterbox, body_of, message_of, new_letterbox, settings_for

_LINK = re.compile(r'<a href="([^"]*)"[^>]*>([A-Z]+)</a>')
ON_TURN = ["READY", "WAIT", "CHECK", "MAP", "STATUS", "HELP"]


def buttons_of(mail: models.Outgoing) -> dict[str, str]:
    return {word: unescape(link) for link, word in _LINK.findall(page_of(message_of(mail)))}


def pressed(box: Letterbox, mail: models.Outgoing, word: str) -> bytes:
    """What a mail program makes of the link, the signature of a phone below it."""
    link = urlsplit(buttons_of(mail)[word])
    fields = parse_qs(link.query, strict_parsing=True)
    assert link.scheme == "mailto"
    assert unquote(link.path) == message_of(mail)["Reply-To"]
    text = fields["body"][0].replace("\r\n", "\n") + "\nSent from my iPhone\n"
    return box.compose(mail.recipient, text, subject=fields["subject"][0])


@pytest.fixture(params=["two-hills", "hitlers-war"])
def box(request, tmp_path):
    if request.param == "two-hills":
        return new_letterbox(tmp_path)
    return new_letterbox(tmp_path, games(), "hitlers-war", "barbarossa")


def receipt_of(box: Letterbox) -> models.Outgoing:
    """Of a sheet that is kept while the turn waits."""
    side = box.office.store.position(box.match).open_gate.awaits[0]
    box.play(side, "WAIT\nORDERS NONE")
    return next(mail for mail in box.new_mail(f"{side}@") if mail.kind == "receipt")


@pytest.mark.parametrize("word", ON_TURN)
def test_every_button_of_a_receipt_is_answered(box, word):
    receipt = receipt_of(box)
    letter = box.bring(pressed(box, receipt, word))
    assert letter.fate in (models.ACCEPTED, models.ANSWERED)
    assert letter.reason == word, "it was read as this and nothing else"
    (answer, *_) = box.new_mail(receipt.recipient)
    assert "found neither an order nor a command" not in body_of(answer)


@pytest.mark.parametrize("word", ON_TURN)
def test_every_button_of_a_report_is_answered(tmp_path, word):
    box = new_letterbox(tmp_path)
    for side in ("red", "blue"):
        box.play(side, "ORDERS NONE")
    report = next(mail for mail in box.new_mail("red@") if mail.kind == "report")
    assert list(buttons_of(report)) == ON_TURN
    assert box.bring(pressed(box, report, word)).reason.startswith(word)
    assert box.new_mail("red@")


def test_who_is_not_awaited_is_offered_what_means_something_now(tmp_path):
    box = new_letterbox(tmp_path, games(), "hitlers-war", "barbarossa")
    box.play("axis", "ORDERS NONE")
    reports = {mail.side: mail for mail in box.new_mail() if mail.kind == "report"}
    assert list(buttons_of(reports["soviet"])) == ON_TURN
    assert list(buttons_of(reports["axis"])) == ON_TURN[2:], "standing orders may be checked"


def test_a_button_names_the_key_of_the_mail_it_stands_in(box):
    for mail in [*box.outgoing(), receipt_of(box)]:
        for link in buttons_of(mail).values():
            subject = parse_qs(urlsplit(link).query)["subject"][0]
            assert subject.startswith(f"[{box.match} ")
            assert subject.endswith(f" {{{box.key(mail.side)}}}")


def test_a_key_behind_a_plus_stands_in_the_address(tmp_path):
    referee = Referee(address="referee@example.org", gm=(GM,), plus_addressing=True)
    box = new_letterbox(tmp_path, settings=settings_for(tmp_path, referee=referee))
    receipt = receipt_of(box)
    assert box.bring(pressed(box, receipt, "STATUS")).reason == "STATUS"


def test_quoted_as_text_no_line_of_them_is_a_command(box):
    lines = lines_of_page(page_of(message_of(receipt_of(box))))
    (line,) = [line for line in lines if "STATUS" in line and "HELP" in line]
    assert line.startswith("A letter at one touch:")


def test_who_has_no_key_gets_no_button(box):
    box.send("stranger@example.net", "GAMES")
    box.gm("STATUS")
    for mail in box.new_mail():
        assert not buttons_of(mail), mail.subject
