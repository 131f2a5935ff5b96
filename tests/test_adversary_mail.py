"""An adversary's hour with the mail: he knows the program and all public addresses, and has a seat at most.

What he tried and what did harm once stays here, each as the letter he would send.
"""

from collections import Counter

import pytest

from pbem.intake import copies
from pbem.intake.mailbox import Known, deadlines_are_held, recognise, remember
from pbem.mail.post import Mail, Sender, compose
from pbem.records import models
from pbem.settings import ImapIn
from pbem.words.console import PLAUSIBLE_ADDRESS
from tests.letterbox import Letterbox, body_of, message_of
from tests.postal import GM, START, look, new_office, settings_in

VICTIM = "victim@example.com"


def quoting(mail: models.Outgoing, text: str, width: int = 0) -> str:
    """An answer as mail programs write it; some break quoted lines that are too wide for them."""
    lines = [f"> {line}".rstrip() for line in body_of(mail).splitlines()]
    if width:
        lines = [piece for line in lines for piece in broken(line, width)]
    return "\n".join([text, "", "On Mon, 16 Nov 2026 at 12:00, The Referee <referee@example.org> wrote:", *lines])


def broken(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    at = line.rindex(" ", 0, width + 1)
    return [line[:at], line[at + 1 :]]


# ------------------------------------------------------------------ headers of ours with words of theirs

#: What a mail library may read more into than stands there.
NASTY_IDS = [
    b"<=?utf-8?q?=0D=0AReply-To:_thief@example.com?=>",
    b"<=?utf-8?q?=0D=0A=0D=0ABuy_now?=>",
    b"<=?utf-8?q?=0AX-Mine:_1?=@example.com>",
    b"<=?utf-7?q?+2AA-?=@example.com>",
    b"<=?unicode_escape?q?\\ud800?=@example.com>",
    b"<a b@example.com>",
    b"<\xc3\xa9@example.com>",
]


def headers_of(mail: models.Outgoing) -> Counter[str]:
    head = mail.raw.partition(b"\r\n\r\n")[0]
    return Counter(line.partition(b":")[0].decode().lower() for line in head.splitlines() if line[:1] not in b" \t")


@pytest.mark.parametrize("named", NASTY_IDS)
def test_a_message_id_writes_no_header_and_no_text_of_ours(box: Letterbox, named: bytes) -> None:
    """The answer to a forged letter of the GM carries his key: a second Reply-To would bring it to the forger."""
    plain = {GM: "", VICTIM: "", "red@example.net": box.key("red")}
    for sender, key in plain.items():
        raw = box.compose(sender, "HELP", key=key, message_id="<id@example.com>").replace(b"<id@example.com>", named)
        letter = box.bring(raw)
        assert letter.fate == models.ANSWERED, letter.reason
        mail = box.only_mail()
        assert mail.recipient == sender
        assert headers_of(mail)["reply-to"] == 1
        assert not {"x-mine", "bcc", "buy now"} & set(headers_of(mail))
        assert "Buy" not in body_of(mail)
        assert str(message_of(mail)["Message-ID"]) == mail.message_id


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?a=0D=0ABcc=3A_victim?=@example.com",
        "=?utf-8?b?DQoNCkhlbGxv?=@example.com",
        "a@=?utf-8?q?=0D=0AX=3A_y?=",
        "a@[b",
        "a@[127.0.0.1]",
    ],
)
def test_an_address_that_a_header_cannot_hold_is_nobodys(box: Letterbox, address: str) -> None:
    raw = box.compose(VICTIM, "HELP").replace(VICTIM.encode(), address.encode())
    letter = box.bring(raw)
    assert (letter.fate, "the program failed" in letter.reason) == (models.HELD, False), letter.reason
    assert "ADDRESS wants your new mail address" in box.answer("red", f"ADDRESS {address}")
    assert [mail.recipient for mail in box.outgoing() if mail.recipient not in ("red@example.net", "blue@example.net")] == []


def test_no_mail_is_composed_whose_headers_are_not_ours() -> None:
    """Whatever gets that far: a mail that says more than we said does not leave."""
    mail = Mail("key", "notice", "a@example.com", "A =?utf-8?q?=0D=0ABcc:_victim@example.com?= b", "text")
    with pytest.raises(ValueError, match="header"):
        compose(Sender("The Referee", "referee@example.org"), mail, mail.subject, START)


# ------------------------------------------------------------------ many mails for few letters


def test_letters_that_break_the_program_do_not_drown_the_gm(box: Letterbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should one be found that does, it can be sent a thousand times."""

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("pbem.intake.triage.carry_out_for_stranger", breaks)
    fates = {box.send(VICTIM, f"HELP {number}").fate for number in range(30)}
    assert fates == {models.HELD}
    told = box.new_mail(GM)
    assert len(told) == 10
    assert "pbem letters --held" not in body_of(told[0])
    assert "pbem letters --held" in body_of(told[-1])
    box.watch.forward(days=1)
    box.send(VICTIM, "HELP once more")
    assert len(box.new_mail(GM)) == 1


def test_one_letter_asks_the_others_for_more_time_a_few_times_at_most(box: Letterbox) -> None:
    """Every number of hours is another question; a letter has room for twelve, and a day for a hundred letters."""
    for letter in range(3):
        box.play("red", "\n".join(f"EXTEND {12 * letter + hours}" for hours in range(1, 13)))
    written = Counter(mail.recipient for mail in box.new_mail())
    assert written == {"red@example.net": 3, "blue@example.net": 3, GM: 3}
    assert "several times today" in box.answer("red", "EXTEND 100")
    assert "have been asked" in box.answer("red", "EXTEND 3"), "the same again is no new question"
    assert "All agree" in box.answer("blue", "EXTEND 48")
