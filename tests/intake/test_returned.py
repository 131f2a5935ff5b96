"""Reports that our mail was not delivered: anybody can write one, and only what it proves has consequences."""

import hashlib
import hmac
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from pbem.letters.keys import keys_in
from pbem.mail.maildir import deliver, make_maildir
from pbem.mail.reach import DAYS_THAT_MARK
from pbem.mail.returns import mail_returned_to, return_tag
from pbem.records import database, models
from pbem.records.migrations import upgrade
from pbem.settings import Referee
from tests.letterbox import REFEREE, Letterbox, body_of, message_of, new_letterbox, settings_for
from tests.postal import GM, change, duty_of, look, match_of, send
from tests.the_project import TESTS

CORPUS = TESTS / "letters"
#: What the letters of the corpus say came back.
THEIR_ID = b"<17.axis.3.report@example.org>"
THEIR_RECIPIENTS = re.compile(rb"player@mail\.example\.net|f\.paulus@contoso\.com|hans\.guderian@gmail\.com")


@pytest.fixture
def box(tmp_path: Path) -> Letterbox:
    """An office whose welcomes have been sent."""
    box = new_letterbox(tmp_path / "war")
    send(box.office)
    return box


def delivery_report(
    about: models.Outgoing,
    action: str = "failed",
    status: str = "5.1.1",
    *,
    recipient: str | None = None,
    message_id: str | None = None,
    to: str = REFEREE,
) -> bytes:
    named = about.recipient if recipient is None else recipient
    final = f"Final-Recipient: rfc822; {named}\r\n" if named else ""
    return (
        "From: MAILER-DAEMON@mx.example.net\r\n"
        f"To: {to}\r\n"
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
        f"{final}Action: {action}\r\nStatus: {status}\r\n"
        "Diagnostic-Code: smtp; 550 no such user\r\n\r\n"
        "--B\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {message_id or about.message_id}\r\nTo: {about.recipient}\r\n\r\n"
        "--B--\r\n"
    ).encode()


def welcome_of(box: Letterbox, side: str = "red") -> models.Outgoing:
    return next(mail for mail in box.outgoing() if mail.side == side and mail.kind == "welcome")


def reread(box: Letterbox, mail: models.Outgoing) -> models.Outgoing:
    return next(one for one in box.outgoing() if one.id == mail.id)


def reports_noted(box: Letterbox) -> list[models.Bounce]:
    with box.office.store.reading() as session:
        return list(session.exec(select(models.Bounce).order_by(col(models.Bounce.id))))


def notice_to(box: Letterbox, side: str, key: str) -> models.Outgoing:
    """One more mail of a seat, that has been sent."""
    from pbem.post.letterhead import notice_mail

    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, box.match)
        box.office.write(session, notice_mail(box.office, key, match, box.seat(side), "News", "There is news.\n"))
    send(box.office)
    return next(mail for mail in box.outgoing() if mail.key == key)


def comes_back(box: Letterbox, side: str = "red", days: int = 1) -> None:
    """On so many days a mail of this seat is sent and comes back."""
    for _ in range(days):
        mail = notice_to(box, side, f"news/{side}/{len(box.outgoing())}")
        assert "came back" in box.bring(delivery_report(mail)).reason
        box.watch.forward(days=1)
    box.new_mail()


# ------------------------------------------------------------------ what an opponent can do


def ids_anybody_can_compute(key: str) -> list[str]:
    digests = [
        hashlib.sha256(key.encode()).hexdigest(),
        hmac.digest(b"", key.encode(), "sha256").hex(),
        hmac.digest(b"referee@example.org", key.encode(), "sha256").hex(),
    ]
    return [f"<{digest[:40]}@example.org>" for digest in digests]


def test_an_opponent_cannot_stop_a_report_with_a_forged_bounce(box):
    """His sheet ends the turn, and in the same pass lies a report that the other side's mail was not delivered."""
    mailbox = box.office.settings.inbox.path
    make_maildir(mailbox)
    box.play("blue", "TAKE south")
    deadline = match_of(box.office, 1).deadline
    box.new_mail()
    deliver(mailbox, box.compose("red@example.net", "TAKE north", key=box.key("red")), "0001.sheet")
    forged = models.Outgoing(id=0, recipient="blue@example.net")
    for number, message_id in enumerate(ids_anybody_can_compute("report/1/1/blue")):
        deliver(mailbox, delivery_report(forged, message_id=message_id), f"0002.{number}")
    with duty_of(box.office) as duty:
        assert duty.one_pass()
        (report,) = [mail for mail in box.outgoing() if mail.kind == "report" and mail.side == "blue"]
        assert report.state == models.SENT
        box.watch.now = match_of(box.office, 1).deadline + timedelta(hours=1)
        look(box.office)
    assert match_of(box.office, 1).deadline > deadline, "the next turn was run as it should be"
    assert not any(box.seat(side).bounces for side in ("red", "blue"))
    assert not [entry for entry in box.ledger() if "held" in entry.act]
    assert [mail.subject for mail in box.new_mail(GM)] == []
    assert reports_noted(box) == []


def test_a_mail_that_has_not_left_cannot_come_back(tmp_path):
    """Not even if its id is the right one."""
    box = new_letterbox(tmp_path / "war")
    letter = box.bring(delivery_report(welcome_of(box)))
    assert (letter.fate, letter.reason) == (models.DROPPED, "a report of failed delivery, but that mail is to send")
    assert welcome_of(box).state == models.TO_SEND
    assert reports_noted(box) == []
    assert send(box.office).sent == 2


@pytest.mark.parametrize("state", [models.OVERTAKEN, models.EXPIRED, models.FAILED])
def test_a_mail_that_was_never_sent_is_left_as_it_is(box, state):
    mail = welcome_of(box)
    with box.office.store.writing() as session:
        row = session.get_one(models.Outgoing, mail.id)
        row.state, row.trouble = state, "as it was"
        session.add(row)
    assert box.bring(delivery_report(mail)).fate == models.DROPPED
    assert (reread(box, mail).state, reread(box, mail).trouble) == (state, "as it was")
    assert reports_noted(box) == []


@pytest.mark.parametrize("recipient", ["blue@example.net", "redd@example.net", "", "re\u212ad@example.net"])
def test_a_report_must_speak_of_the_recipient_that_mail_had(box, recipient):
    letter = box.bring(delivery_report(welcome_of(box), recipient=recipient))
    assert letter.reason == "a report of failed delivery, but it does not speak of the recipient that mail had"
    assert welcome_of(box).state == models.SENT


def test_ids_of_another_installation_are_others(box, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "upgrade", upgrade)  # in other tests a new database is a copy of the first one
    other = new_letterbox(tmp_path / "other")
    assert welcome_of(box).message_id != welcome_of(other).message_id
    assert welcome_of(box).message_id not in ids_anybody_can_compute("welcome/1/red")
    secret = box.office.sender.secret
    assert len(secret) == 64
    assert secret not in repr(box.office.sender) + repr(box.office) + repr(box.office.store)
    assert all(secret.encode() not in mail.raw for mail in box.outgoing())


def test_a_bounce_of_something_else_is_dropped(box):
    letter = box.bring(delivery_report(welcome_of(box), message_id="<somebody-elses@example.com>"))
    assert (letter.fate, letter.reason) == (models.DROPPED, "a report of failed delivery, but not of a mail of ours")
    assert box.new_mail() == []


def test_a_bounce_that_comes_far_too_late_is_not_believed(box):
    box.watch.forward(days=11)
    assert box.bring(delivery_report(welcome_of(box))).reason.endswith("but that mail was sent 11 days ago")
    assert welcome_of(box).state == models.SENT


# ------------------------------------------------------------------ what is proved


def test_a_bounce_is_recorded_against_its_mail(box):
    letter = box.bring(delivery_report(welcome_of(box)))
    assert (letter.fate, "mail to red@example.net came back" in letter.reason) == (models.DROPPED, True)
    assert (welcome_of(box).state, welcome_of(box).trouble) == (models.FAILED, "550 no such user")
    assert welcome_of(box, "blue").state == models.SENT
    assert [(row.outgoing_id, row.recipient, row.side) for row in reports_noted(box)] == [
        (welcome_of(box).id, "red@example.net", "red")
    ]


def test_one_bounce_marks_nobody_and_is_no_news_to_the_gm(box):
    box.bring(delivery_report(welcome_of(box)))
    assert not box.seat("red").bounces
    assert box.new_mail() == []


def test_the_same_bounce_twice_is_one(box):
    box.bring(delivery_report(welcome_of(box)))
    assert box.bring(delivery_report(welcome_of(box))).reason.endswith("but of that mail it is known")
    assert len(reports_noted(box)) == 1


def test_a_mail_that_was_sent_again_may_come_back_again(box):
    from pbem.screens.mailroom import try_again

    box.bring(delivery_report(welcome_of(box)))
    try_again(box.office.store, welcome_of(box).id)
    send(box.office)
    later = box.watch.forward(days=1)
    box.bring(delivery_report(welcome_of(box)))
    assert welcome_of(box).state == models.FAILED
    assert [row.at for row in reports_noted(box)] == [later]


def test_a_delay_is_no_bounce(box):
    letter = box.bring(delivery_report(welcome_of(box), "delayed", "4.4.7"))
    assert (letter.fate, "delayed" in letter.reason) == (models.DROPPED, True)
    assert welcome_of(box).state == models.SENT
    assert reports_noted(box) == []


def test_a_bounce_of_a_notice_to_the_gm_does_not_go_round(box):
    box.gm("STATUS")
    send(box.office)
    (mail,) = [one for one in box.new_mail() if one.recipient == GM]
    assert box.bring(delivery_report(mail)).fate == models.DROPPED
    assert box.new_mail() == []


GIVEN_UP = ["bounce-exchange", "bounce-exim", "bounce-expired", "bounce-gmail", "bounce-postfix", "bounce-qmail"]


@pytest.mark.parametrize("name", GIVEN_UP)
def test_what_mail_servers_really_write_is_understood(box, name):
    raw = (CORPUS / f"{name}.eml").read_bytes().replace(THEIR_ID, welcome_of(box).message_id.encode())
    assert "came back" in box.bring(THEIR_RECIPIENTS.sub(b"Red@Example.NET", raw)).reason
    assert welcome_of(box).state == models.FAILED


def test_a_domain_with_umlauts_is_known_in_its_other_spelling(box):
    change(box.office, 1, "red", address="red@königsberg.example")
    mail = notice_to(box, "red", "news/umlaut")
    letter = box.bring(delivery_report(mail, recipient="red@xn--knigsberg-07a.example"))
    assert "came back" in letter.reason


# ------------------------------------------------------------------ the score


def test_mail_that_comes_back_on_three_days_marks_the_seat_and_the_gm_is_told(box):
    comes_back(box, days=DAYS_THAT_MARK - 1)
    assert not box.seat("red").bounces
    mail = notice_to(box, "red", "news/last")
    box.new_mail()
    box.bring(delivery_report(mail))
    assert box.seat("red").bounces
    assert not box.seat("blue").bounces
    (notice,) = box.new_mail()
    assert (notice.recipient, notice.rank) == (GM, models.FOR_GMS)
    assert notice.subject.endswith("Mail to red@example.net comes back")
    assert "550 no such user" in body_of(notice)
    assert "pbem replace 1 red" in body_of(notice)


def test_of_one_day_one_bounce_counts(box):
    for number in range(5):
        box.bring(delivery_report(notice_to(box, "red", f"news/{number}")))
    assert len(reports_noted(box)) == 5
    assert not box.seat("red").bounces


def test_bounces_of_another_month_do_not_count(box):
    comes_back(box, days=2)
    box.watch.forward(days=29)
    comes_back(box)
    assert not box.seat("red").bounces


def test_the_gm_is_told_once_a_day_of_an_address(box):
    comes_back(box, days=3)
    for number in range(3):
        box.bring(delivery_report(notice_to(box, "red", f"more/{number}")))
    assert len(box.new_mail(GM)) == 1


def test_whoever_writes_can_be_reached_again(box):
    comes_back(box, days=3)
    assert box.seat("red").bounces
    box.play("red", "STATUS")
    assert not box.seat("red").bounces


def test_whoever_writes_begins_anew(box):
    """Otherwise the next bounce of the month would mark him again at once."""
    comes_back(box, days=3)
    box.play("red", "STATUS")
    box.watch.forward(hours=1)
    comes_back(box, days=2)
    assert not box.seat("red").bounces
    comes_back(box)
    assert box.seat("red").bounces


def test_a_letter_without_the_key_changes_nothing(box):
    comes_back(box, days=3)
    box.send("red@example.net", "STATUS")
    assert box.seat("red").bounces


def test_a_mark_fades_when_no_mail_has_come_back_for_a_month(box):
    comes_back(box, days=3)
    change(box.office, 1, deadline=box.watch.now + timedelta(days=30))
    look(box.office)
    assert box.seat("red").bounces
    box.watch.forward(days=29)
    look(box.office)
    assert not box.seat("red").bounces


def test_mail_our_server_takes_proves_nothing_about_mail_that_comes_back(box):
    comes_back(box, days=3)
    notice_to(box, "red", "news/taken")
    assert box.seat("red").bounces


# ------------------------------------------------------------------ the deadline


def at_the_deadline(box: Letterbox) -> list[str]:
    """What the clock does the moment the deadline and its grace have passed."""
    from pbem.schedule import clock_of

    match = match_of(box.office, 1)
    box.watch.now = match.deadline + clock_of(match.clock).grace
    return look(box.office)


def test_a_call_that_came_back_holds_the_deadline_once(box):
    """Who forges a bounce of his own mail gains a day, and the GM reads of it."""
    box.play("blue", "TAKE south")
    box.bring(delivery_report(welcome_of(box)))
    due = match_of(box.office, 1).deadline
    box.new_mail()
    assert at_the_deadline(box) == [
        "match 1: the deadline is held, red was called to the turn by a mail that came back"
    ]
    assert match_of(box.office, 1).deadline == due + timedelta(days=1)
    (notice,) = box.new_mail(GM)
    assert notice.subject.endswith("Match 1: the deadline waits a day for red")
    assert at_the_deadline(box) == ["match 1: ran 1-red-blue"]
    assert box.seat("red").misses == 1


def test_the_day_is_a_day_whatever_the_grace(box):
    change(box.office, 1, clock={"hours": 168, "grace": 12})
    box.bring(delivery_report(welcome_of(box)))
    at_the_deadline(box)
    assert match_of(box.office, 1).deadline + timedelta(hours=12) == box.watch.now + timedelta(days=1)


def test_a_marked_seat_holds_no_more_than_that(box):
    """Three bounces of his own, and he would hold up the war for ever."""
    comes_back(box, days=3)
    assert box.seat("red").bounces
    box.bring(delivery_report(welcome_of(box)))
    assert "held" in at_the_deadline(box)[0]
    assert "ran" in at_the_deadline(box)[0]


def test_without_a_call_that_came_back_a_mark_holds_nothing(box):
    comes_back(box, days=3)
    assert "ran" in at_the_deadline(box)[0]


def test_the_next_turn_may_be_held_again(box):
    box.bring(delivery_report(welcome_of(box)))
    assert ["held" in at_the_deadline(box)[0], "held" in at_the_deadline(box)[0]] == [True, False]
    send(box.office)
    report = next(mail for mail in box.outgoing() if mail.kind == "report" and mail.side == "red")
    box.bring(delivery_report(report))
    assert ["held" in at_the_deadline(box)[0], "held" in at_the_deadline(box)[0]] == [True, False]


def test_a_bounce_of_the_last_turn_holds_nothing_in_this_one(box):
    box.play("red", "TAKE north")
    box.watch.forward(hours=1)
    box.play("blue", "TAKE south")
    send(box.office)
    box.bring(delivery_report(welcome_of(box)))
    assert "ran" in at_the_deadline(box)[0]


def test_what_is_no_call_holds_nothing(box):
    box.bring(delivery_report(notice_to(box, "red", "news/1")))
    assert "ran" in at_the_deadline(box)[0]


def test_a_player_who_has_sent_his_sheet_holds_nobody_up(box):
    box.play("red", "TAKE north")
    box.bring(delivery_report(welcome_of(box)))
    assert "ran" in at_the_deadline(box)[0]


# ------------------------------------------------------------------ return addresses


@pytest.fixture
def tagged(tmp_path: Path) -> Letterbox:
    directory = tmp_path / "war"
    referee = Referee(address=REFEREE, gm=(GM,), plus_addressing=True)
    box = new_letterbox(directory, settings=settings_for(directory, referee=referee))
    send(box.office)
    return box


def test_a_report_to_a_return_address_names_its_mail_by_itself(tagged):
    mail = welcome_of(tagged)
    to = tagged.office.sender.return_address(mail.id)
    raw = delivery_report(mail, to=to, recipient="somebody.else@example.com", message_id="<another@example.com>")
    assert "mail to red@example.net came back" in tagged.bring(raw).reason
    assert welcome_of(tagged).state == models.FAILED


@pytest.mark.parametrize("damage", [lambda tag: tag[:-1] + "x", lambda tag: tag.replace("b.", "b.0", 1)[:-1]])
def test_a_return_address_cannot_be_made_up(tagged, damage: Callable[[str], str]):
    mail = welcome_of(tagged)
    tag = return_tag(tagged.office.sender.secret, mail.id)
    raw = delivery_report(mail, to=f"referee+{damage(tag)}@example.org", message_id="<another@example.com>")
    assert tagged.bring(raw).reason.endswith("but not of a mail of ours")


def test_an_automatic_answer_to_a_return_address_is_no_failure(tagged):
    mail = welcome_of(tagged)
    raw = tagged.compose("red@example.net", "I am away until Monday.\n", subject="Away", key=tagged.key("red"))
    raw = raw.replace(f"To: {REFEREE}".encode(), f"To: {tagged.office.sender.return_address(mail.id)}".encode())
    letter = tagged.bring(raw)
    assert (letter.fate, letter.reason) == (models.DROPPED, "it came to a return address, and reports nothing")
    assert welcome_of(tagged).state == models.SENT
    assert tagged.new_mail() == []


def test_a_return_address_shows_neither_a_key_nor_how_many_mails_there_are():
    tags = [return_tag("secret", number) for number in range(1, 200)]
    assert [mail_returned_to("secret", f"referee+{tag}@example.org") for tag in tags] == list(range(1, 200))
    assert [mail_returned_to("another", f"referee+{tag}@example.org") for tag in tags] == [None] * 199
    assert keys_in(f"referee+{tag}@example.org" for tag in tags) == ()
    assert len({tag[:6] for tag in tags}) > 100, "numbers that follow each other do not look like it"


def test_each_mail_leaves_from_its_own_return_address(tagged):
    senders = {}

    class Curious:
        async def send(self, sender, recipient, raw):
            from pbem.mail.postman import Sent

            senders[recipient] = sender
            return Sent()

    tagged.play("red", "STATUS")
    tagged.play("blue", "STATUS")
    send(tagged.office, Curious())
    secret = tagged.office.sender.secret
    numbers = {mail.recipient: mail.id for mail in tagged.new_mail()}
    assert {to: mail_returned_to(secret, sender) for to, sender in senders.items()} == numbers


# ------------------------------------------------------------------ wars that are under way


def test_the_thread_of_an_old_war_goes_on(box):
    """Its welcomes were named in another way; mail programs keep the thread together by the first id."""
    old = f"<{hashlib.sha256(b'welcome/1/red').hexdigest()[:40]}@example.org>"
    with box.office.store.writing() as session:
        row = session.get_one(models.Outgoing, welcome_of(box).id)
        row.message_id = old
        session.add(row)
    box.play("red", "STATUS")
    references = {mail.side: str(message_of(mail)["References"]) for mail in [box.only_mail()]}
    assert references["red"].split()[0] == old
    box.play("blue", "STATUS")
    assert str(message_of(box.only_mail())["References"]).split()[0] == welcome_of(box, "blue").message_id
