"""An adversary's hour with the mail: he knows the program and all public addresses, and has a seat at most.

What he tried and what did harm once stays here, each as the letter he would send.
"""

from collections import Counter

import pytest
from sqlmodel import select

from pbem.clock.guards import MAILBOX_READ
from pbem.commands import copies
from pbem.intake.mailbox import Known, deadlines_are_held, recognise, remember
from pbem.mail.maildir import deliver
from pbem.post.notices import tell_players
from pbem.post.office import Office
from pbem.post.post import Mail, Sender, compose
from pbem.records import models
from pbem.service import daemon
from pbem.settings import ImapIn, Settings
from tests.letterbox import Letterbox, body_of, message_of
from tests.postal import GM, START, duty_of, mails, new_match, new_office

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
    assert [
        mail.recipient for mail in box.outgoing() if mail.recipient not in ("red@example.net", "blue@example.net")
    ] == []


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


# ------------------------------------------------------------------ orders of another in a message


def order_form_in_a_message(box: Letterbox, orders: str) -> models.Outgoing:
    """Lines so wide that they are broken just where the frame of an order form begins."""
    wide = "# " + "x" * 70
    frame = (f"{wide} order form: edit between these lines", orders, f"{wide} end of the order form")
    assert box.play("red", "\n".join(["PRESS TO blue", *frame, "END"])).fate == models.ACCEPTED
    (mail,) = box.new_mail("blue@")
    return mail


@pytest.mark.parametrize("answer", ["PRESS TO red\nNever.\nEND", "STATUS", "Thank you."])
@pytest.mark.parametrize("orders", ["TAKE north", "CANCEL", "DRAW"])
def test_whoever_answers_a_message_orders_nothing_that_stood_in_it(box: Letterbox, orders: str, answer: str) -> None:
    """An order form that comes back quoted is read: what was changed in it are orders."""
    mail = order_form_in_a_message(box, orders)
    letter = box.play("blue", quoting(mail, answer))
    assert orders.split()[0] not in letter.reason
    assert "ORDERS" not in letter.reason
    assert box.waiting("blue") is None


def test_a_form_behind_a_bar_is_none_even_in_a_mail_that_was_sent_before(box: Letterbox) -> None:
    mail = order_form_in_a_message(box, "TAKE north")
    mail.raw = mail.raw.replace(b"order-form", b"order form")
    assert "| order form: edit between these lines" in body_of(mail)
    for answer in (quoting(mail, "STATUS"), f"STATUS\n\n-----Original Message-----\n{body_of(mail)}"):
        assert box.play("blue", answer).reason == "STATUS"


def test_the_end_of_a_message_is_seen_below_a_wide_line(box: Letterbox) -> None:
    """It was taken for the rest of that line, and the orders below it went to the opponent."""
    wide = "PRESS TO blue: I shall hold the south this turn, and you may have it later on"
    box.play("red", f"{wide}\nEND\nTAKE north")
    assert "TAKE north" not in body_of(box.new_mail("blue@")[0])
    assert box.waiting("red") == "TAKE north\n"


@pytest.mark.parametrize("order", ["CANCEL", "DRAW", "TAKE north"])
@pytest.mark.parametrize("below", ["", "\nmore"])
def test_what_a_mail_program_breaks_off_a_message_is_not_carried_out(box: Letterbox, order: str, below: str) -> None:
    """The rest of a broken line loses its mark, and stands there as if the player had written it himself."""
    box.play("blue", "TAKE south")
    box.new_mail()
    wide = ("we could " * 9)[: 73 - len(order)]
    box.play("red", f"PRESS TO blue\n{wide} {order}{below}\nEND")
    (mail,) = box.new_mail("blue@")
    letter = box.play("blue", quoting(mail, "I do not think so.", width=76))
    assert "TAKE south" in (box.waiting("blue") or "")
    assert order.split()[0] not in letter.reason.split(", ")
    assert letter.fate == models.ANSWERED


def test_an_end_that_broke_off_a_message_does_not_hide_orders_below_it(box: Letterbox) -> None:
    box.play("red", f"PRESS TO blue\n{('we could ' * 9)[:70]} END\nEND")
    (mail,) = box.new_mail("blue@")
    said = box.answer("blue", f"{quoting(mail, 'See below.', width=76)}\n\nTAKE south")
    assert "broke in two: END" in " ".join(said.split())


# ------------------------------------------------------------------ one letter, much work


def test_a_used_message_id_costs_one_reading_however_many_messages_a_letter_has(
    box: Letterbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of twelve messages was compared with each of twenty earlier letters, read anew: minutes, if they are large."""
    read: list[int] = []
    real = copies.read_letter
    monkeypatch.setattr(copies, "read_letter", lambda raw, words: read.append(len(raw)) or real(raw, words))
    below = "On Mon, 16 Nov 2026 at 12:00, The Referee <referee@example.org> wrote:\n" + "> talk of yesterday\n" * 400
    for number in range(5):
        box.play("red", f"PRESS TO blue\nmessage {number}\nEND\n\n{below}", message_id="<same@example.net>")
        box.play("red", f"REMIND {number + 1}\n\n{below}", message_id="<same@example.net>")
    read.clear()
    many = "\n".join(f"PRESS TO blue\n{number} of many\nEND" for number in range(11))
    letter = box.play("red", f"{many}\nPRESS TO blue\nmessage 4\nEND", message_id="<same@example.net>")
    assert letter.fate == models.ACCEPTED
    assert len(read) <= 5, "none twice, and none that had no message"
    assert sum(read) <= copies.MOST_BYTES + max(read)
    assert sum("message 4" in body_of(mail) for mail in box.new_mail("blue@")) == 1, "it went out once"


def test_whoever_writes_without_end_holds_up_no_mail(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters were read until the mailbox was empty, and only then was anything sent."""
    monkeypatch.setattr(daemon, "LONGEST_READING", 0.0)
    monkeypatch.setattr(daemon, "LETTERS_AT_ONCE", 3)
    match = new_match(office)
    with office.store.writing() as session:
        tell_players(session, office, office.store.match_in(session, match), "told", "paused")
    maildir = office.settings.inbox.path
    for number in range(7):
        deliver(maildir, b"From: flood@example.com\nMessage-ID: <%d@x>\n\nBuy now." % number, f"{number}.flood")
    with duty_of(office) as duty:
        duty.one_pass()
        assert [mail.state for mail in mails(office, to="red@")] == [models.SENT]
        assert 0 < letters_read(office) < 7
        with office.store.reading() as session:
            assert session.get(models.Pulse, MAILBOX_READ) is None, "so no deadline passes"
        while duty.wait():
            assert duty.one_pass()
            if letters_read(office) == 7:
                break
        duty.one_pass()
    assert letters_read(office) == 7
    with office.store.reading() as session:
        assert session.get(models.Pulse, MAILBOX_READ) is not None


def letters_read(office: Office) -> int:
    with office.store.reading() as session:
        return len(session.exec(select(models.Letter.id).where(models.Letter.fate != models.ARRIVED)).all())


# ------------------------------------------------------------------ keys that show


def test_a_key_in_capitals_is_a_key_and_shows_nowhere(box: Letterbox) -> None:
    keys = {"red@example.net": box.key("red").upper(), GM: box.gm_key().upper()}
    for sender, key in keys.items():
        letter = box.send(sender, "STATUS", key=key)
        assert (letter.fate, letter.proved) == (models.ANSWERED, True)
        assert key not in f"{letter.subject} {letter.reason}"


# ------------------------------------------------------------------ another mailbox


class FreshServer:
    """An account on an empty disk that is numbered anew at every start; the referee files letters away in it."""

    def __init__(self) -> None:
        self.times, self.folder = 100, False

    def number(self) -> str:
        return str(self.times)

    def has_been_read(self) -> bool:
        return self.folder

    def leave_a_sign(self) -> None:
        self.folder = True


def test_a_mailbox_that_is_not_ours_does_not_become_ours_by_being_numbered_anew(tmp_path) -> None:
    """Its folder for letters that are done with is there because we made it, when we read it as a stranger's."""
    account = ImapIn(host="mail.example.org", user="referee")
    office = new_office(tmp_path / "war", settings=Settings(inbox=account))
    server = FreshServer()
    with office.store.writing() as session:
        remember(session, Known("referee at mail.example.org, folder INBOX", "7"))
        session.add(models.Pulse(name="mailbox read", at=START))
    for _ in range(3):
        recognise(office, server)  # type: ignore[arg-type]
        with office.store.reading() as session:
            assert deadlines_are_held(session)
        server.leave_a_sign()
        server.times += 1
    server.times = 7
    recognise(office, server)  # type: ignore[arg-type]
    with office.store.reading() as session:
        assert not deadlines_are_held(session), "the one on record answers again"
