"""The outbox: each mail is sent, put off, given up or overtaken, and the books say which."""

import asyncio
from datetime import timedelta

import pytest

from pbem import referee
from pbem.mail.maildir import entries
from pbem.mail.postman import Fault, Later, Never, NotYet, Sent
from pbem.post.outbox import AT_ONCE, BATCH, pause_after, send_waiting
from pbem.post.post import Mail
from pbem.records import models
from pbem.settings import SmtpOut
from tests.postal import (
    GM,
    PatientPostman,
    change,
    key_for,
    mails,
    match_of,
    new_match,
    new_office,
    seat_of,
    send,
    settings_in,
    subjects,
    take,
    text_of,
)


@pytest.fixture
def reported(office) -> int:
    """A match with two reports in the outbox."""
    match = new_match(office)
    take(office, match, "red")
    take(office, match, "blue")
    return match


def write(office, key: str, to: str = "red@example.org", **more) -> None:
    with office.store.writing() as session:
        office.write(session, Mail(key, "notice", to, f"About {key}", "Hello.\n", **more))


def states(office) -> list[str]:
    return [mail.state for mail in mails(office)]


def test_what_was_written_is_sent_once(office, reported, watch):
    postman = PatientPostman()
    assert send(office, postman).sent == 2
    assert send(office, postman).is_quiet
    assert [recipient for recipient, _ in postman.carried] == ["red@example.org", "blue@example.org"]
    assert {(mail.state, mail.attempts, mail.sent) for mail in mails(office)} == {("sent", 1, watch.now)}


def test_the_finished_bytes_are_handed_over(office, reported):
    postman = PatientPostman()
    send(office, postman)
    assert sorted(raw for _, raw in postman.carried) == sorted(mail.raw for mail in mails(office))


def test_a_mail_that_expired_is_not_sent(office, watch):
    write(office, "late", expires=watch.now + timedelta(hours=1))
    watch.forward(hours=1)
    postman = PatientPostman()
    assert send(office, postman).expired == 1
    assert (states(office), postman.carried) == ([models.EXPIRED], [])


def test_only_the_newest_on_a_topic_leaves(office):
    write(office, "one", topic="deadline")
    write(office, "two", topic="deadline")
    send(office, PatientPostman())
    assert states(office) == [models.OVERTAKEN, models.SENT]


def test_a_mail_overtaken_while_the_others_are_sent_stays_here(office):
    write(office, "one", to="blue@example.org")
    write(office, "two", topic="deadline")

    class Busy(PatientPostman):
        async def send(self, sender, recipient, raw):
            if not self.carried:
                write(office, "three", topic="deadline")
            return await super().send(sender, recipient, raw)

    postman = Busy()
    send(office, postman)
    assert states(office) == [models.SENT, models.OVERTAKEN, models.SENT]
    assert len(postman.carried) == 2


def test_the_pauses_grow_to_six_hours():
    minutes = [pause_after(attempts) / timedelta(minutes=1) for attempts in (1, 2, 3, 4, 9, 10, 50, 5000)]
    assert minutes == [1, 2, 4, 8, 256, 360, 360, 360]


def test_what_cannot_be_sent_now_is_tried_again_later(office, watch):
    write(office, "one")
    postman = PatientPostman(red=Later("451 please wait"))
    assert send(office, postman).later == 1
    assert send(office, postman).is_quiet
    watch.forward(minutes=1)
    send(office, postman)
    (mail,) = mails(office)
    assert (mail.state, mail.attempts, mail.trouble) == (models.TO_SEND, 2, "451 please wait")
    assert mail.next_try == watch.now + timedelta(minutes=2)
    watch.forward(minutes=2)
    assert send(office, PatientPostman()).sent == 1
    assert mails(office)[0].trouble == ""


def test_after_five_days_it_is_given_up_and_the_gm_is_told(office, reported, watch):
    postman = PatientPostman(blue=Later("451 please wait"))
    send(office, postman)
    watch.forward(days=5)
    assert send(office, postman).failed == 1
    assert seat_of(office, reported, "blue").bounces
    notice = mails(office, to=GM)[0]
    assert notice.subject.endswith("Mail to blue@example.org cannot be delivered")
    assert "451 please wait" in text_of(notice)
    assert notice.state == models.SENT  # in the same round


def test_what_can_never_be_sent_is_given_up_at_once(office, reported):
    done = send(office, PatientPostman(blue=Never("550 no such user")))
    assert (done.sent, done.failed, done.trouble) == (2, 1, "550 no such user")
    assert [seat_of(office, reported, side).bounces for side in ("red", "blue")] == [False, True]
    assert f"pbem replace {reported} blue" in text_of(mails(office, to=GM)[0])


def test_one_notice_a_day_for_each_address(office, watch):
    write(office, "one")
    write(office, "two")
    postman = PatientPostman(red=Never("550 no such user"))
    send(office, postman)
    assert len(mails(office, to=GM)) == 1
    write(office, "three")
    watch.forward(days=1)
    send(office, postman)
    assert len(mails(office, to=GM)) == 2


def test_a_notice_that_cannot_be_delivered_makes_no_notice(office, watch):
    with office.store.writing() as session:
        office.tell_gm(session, "trouble", "Trouble", "There is trouble.")
    postman = PatientPostman(gm=Never("550 no such user"))
    for _ in range(3):
        send(office, postman)
        watch.forward(days=6)
    assert states(office) == [models.FAILED]
    assert len(postman.carried) == 1


def test_trouble_with_our_own_settings_is_never_given_up(office, reported, watch):
    postman = PatientPostman(blue=Later("535 wrong password", Fault.SETTINGS))
    for _ in range(10):
        send(office, postman)
        watch.forward(days=1)
    (mail,) = mails(office, to="blue@")
    assert mail.state == models.TO_SEND
    assert not seat_of(office, reported, "blue").bounces


def test_a_seat_with_another_address_now_is_not_blamed(office, reported):
    change(office, reported, "blue", address="new@example.org")
    send(office, PatientPostman(blue=Never("550 no such user")))
    assert not seat_of(office, reported, "blue").bounces


def test_when_the_server_is_back_nothing_waits_for_hours(tmp_path, watch):
    smtp = SmtpOut(host="localhost", port=2525, tls="none")
    settings = settings_in(tmp_path / "war")
    office = new_office(tmp_path / "war", watch, settings=type(settings)(referee=settings.referee, outbox=smtp))
    closed = PatientPostman(red=Later(f"{smtp.door}: connection refused"), blue=Later("450 greylisted"))
    write(office, "one")
    write(office, "two", to="blue@example.org")
    for _ in range(6):
        send(office, closed)
        watch.forward(hours=6)
    send(office, closed)
    write(office, "three", to="new@example.org")
    watch.forward(minutes=1)
    assert send(office, PatientPostman()).sent == 1
    assert send(office, PatientPostman()).sent == 1
    assert [mail.state for mail in mails(office)] == [models.SENT, models.TO_SEND, models.SENT]


def test_each_recipient_gets_his_mails_in_the_order_they_were_written(office):
    for number in range(30):
        write(office, f"{number}", to=("red@example.org", "blue@example.org", "Red@Example.org")[number % 3])

    class Slow(PatientPostman):
        async def send(self, sender, recipient, raw):
            await asyncio.sleep(0.001 * (len(self.carried) % 3))
            return await super().send(sender, recipient, raw)

    postman = Slow()
    send(office, postman)
    reds = [raw for recipient, raw in postman.carried if recipient.lower() == "red@example.org"]
    assert reds == [mail.raw for mail in mails(office) if mail.recipient.lower() == "red@example.org"]


def test_several_recipients_are_served_at_once_but_not_too_many(office):
    for number in range(20):
        write(office, f"{number}", to=f"player{number}@example.org")
    at_once, most = 0, 0

    class Counting:
        async def send(self, sender, recipient, raw):
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.002)
            at_once -= 1
            return Sent()

    assert send(office, Counting()).sent == 20
    assert most == AT_ONCE


def test_more_mails_than_one_batch_go_out_in_one_round(office):
    with office.store.writing() as session:
        for number in range(BATCH + 5):
            office.write(session, Mail(f"{number}", "notice", "red@example.org", "Subject", "Hello.\n"))
    assert send(office, PatientPostman()).sent == BATCH + 5


def test_asked_to_stop_the_mail_in_hand_is_the_last(office):
    for number in range(5):
        write(office, f"{number}")
    postman = PatientPostman()
    assert send(office, postman, stop=lambda: len(postman.carried) >= 2).sent == 2
    assert send(office, postman).sent == 3
    assert len({raw for _, raw in postman.carried}) == 5


def test_killed_between_sending_and_the_books_the_same_bytes_go_again(office, reported):
    """The repeat is recognisable: same Message-ID, same bytes; a Maildir does not even keep it twice."""
    first = PatientPostman(red=RuntimeError("killed"), blue=RuntimeError("killed"))
    with pytest.raises(RuntimeError, match="killed"):
        send(office, first)
    second = PatientPostman()
    send(office, second)
    assert set(first.carried) <= set(second.carried)
    assert send(office).is_quiet


def test_a_maildir_keeps_a_repeated_mail_once(office, reported):
    send(office)
    with office.store.writing() as session:
        for mail in mails(office):
            mail = session.get(models.Outgoing, mail.id)
            mail.state = models.TO_SEND
            session.add(mail)
    assert send(office).sent == 2
    folder = office.settings.outbox.path / "red@example.org"
    assert len(list(entries(folder))) == 1


def test_nothing_is_sent_inside_a_transaction(office, reported):
    class Writer(PatientPostman):
        async def send(self, sender, recipient, raw):
            with office.store.writing():  # would wait for ten seconds and fail if the outbox held one open
                return await super().send(sender, recipient, raw)

    assert send(office, Writer()).sent == 2


def test_no_notice_shows_a_key(office, reported):
    send(office, PatientPostman(blue=Never(f"550 {reported}-blue-{key_for(reported, 'blue')} is unknown")))
    assert key_for(reported, "blue") not in text_of(mails(office, to=GM)[0])
    assert key_for(reported, "blue") not in subjects(office, to=GM)[0]


# ------------------------------------------------------------------ whose fault it is


@pytest.fixture
def by_smtp(tmp_path, watch):
    """An office that sends over SMTP, with two reports to send; makes one with other settings of the server."""

    def made(**smtp):
        outbox = SmtpOut(host="localhost", port=2525, tls="none", **smtp)
        settings = settings_in(tmp_path / "war")
        office = new_office(tmp_path / "war", watch, settings=type(settings)(referee=settings.referee, outbox=outbox))
        match = new_match(office)
        take(office, match, "red")
        take(office, match, "blue")
        return office

    return made


LIMIT = Later("550 5.4.5 Daily user sending limit exceeded.", Fault.ACCOUNT)


def test_a_limit_of_our_account_is_nobodys_fault(by_smtp, watch):
    """All mail waits and is tried again every hour, the GM is told once a day, and no seat is marked."""
    office, full = by_smtp(), PatientPostman(red=LIMIT, blue=LIMIT, gm=LIMIT)
    for hours in (1, 1, *[24] * 6):
        send(office, full)
        send(office, full)
        watch.forward(hours=hours)
    assert {mail.state for mail in mails(office)} == {models.TO_SEND}
    assert [mail.attempts for mail in mails(office, "report")] == [8, 8]
    assert not any(seat_of(office, 1, side).bounces for side in ("red", "blue"))
    notices = mails(office, to=GM)
    assert len(notices) == 6, "one for each day"
    assert notices[0].subject == "Our mail provider takes no more mail for now"
    assert "550 5.4.5 Daily user sending limit" in text_of(notices[0])
    assert send(office, PatientPostman()).sent == 8


def test_a_refused_sender_is_told_to_the_gm_and_never_given_up(by_smtp, watch):
    office = by_smtp()
    refused = Later("550 5.7.1 Sender address rejected", Fault.SETTINGS)
    send(office, PatientPostman(blue=refused))
    assert [mail.subject for mail in mails(office, to=GM)] == ["Our mail server refuses the referee"]
    watch.forward(days=6)
    assert send(office, PatientPostman(blue=refused)).later == 1


def test_our_own_server_that_is_gone_for_a_week_marks_nobody(by_smtp, watch):
    office = by_smtp()
    gone = Later(f"{office.settings.outbox.door}: connection refused", Fault.SERVER)
    for _ in range(8):
        assert send(office, PatientPostman(red=gone, blue=gone)).failed == 0
        watch.forward(days=1)
    assert send(office, PatientPostman()).sent == 2
    assert mails(office, to=GM) == []


def test_a_mail_that_was_refused_for_itself_is_not_held_against_its_reader(office, reported):
    send(office, PatientPostman(blue=Never("554 5.6.0 malformed", Fault.MAIL)))
    assert [mail.state for mail in mails(office, to="blue@")] == [models.FAILED]
    assert not seat_of(office, reported, "blue").bounces
    assert len(mails(office, to=GM)) == 1


def test_a_mark_goes_when_a_mail_is_delivered(office, reported):
    """As after `pbem outbox --retry`: else no reminder would be sent any more, and the deadline be held."""
    from pbem.screens.mailroom import try_again

    send(office, PatientPostman(blue=Never("550 5.1.1 no such user")))
    assert seat_of(office, reported, "blue").bounces
    try_again(office.store)
    assert send(office, PatientPostman()).sent == 1
    assert not seat_of(office, reported, "blue").bounces


# ------------------------------------------------------------------ who is first, and how many


def test_players_first_then_the_gm_then_strangers(office):
    write(office, "answer", to="stranger@example.net")
    with office.store.writing() as session:
        office.tell_gm(session, "trouble", "Trouble", "There is trouble.")
    match = new_match(office)
    take(office, match, "red")
    take(office, match, "blue")
    write(office, "replaced", to="red@example.org")
    postman = PatientPostman()
    send(office, postman)
    assert [recipient for recipient, _ in postman.carried] == [
        "red@example.org", "blue@example.org", "red@example.org", GM, "stranger@example.net",
    ]  # fmt: skip


def test_a_player_is_served_before_strangers_however_much_mail_he_has(office):
    new_match(office)
    for number in range(3):
        write(office, f"answer {number}", to=f"stranger{number}@example.net")
        write(office, f"news {number}", to="red@example.org")
    postman = PatientPostman()
    send(office, postman)
    assert [recipient.partition("@")[0] for recipient, _ in postman.carried] == [
        "red", "red", "red", "stranger0", "stranger1", "stranger2",
    ]  # fmt: skip


class Paced(PatientPostman):
    """Has room for so many."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    async def send(self, sender, recipient, raw):
        if len(self.carried) >= self.room:
            return NotYet(42.0)
        return await super().send(sender, recipient, raw)


def test_when_the_pace_is_used_up_the_slice_ends_and_nothing_is_noted(office):
    for number in range(10):
        write(office, f"{number}", to=f"stranger{number}@example.net")
    postman = Paced(3)
    done = send(office, postman)
    assert (done.sent, done.later, done.left, done.again_in) == (3, 0, 7, 42.0)
    assert {(mail.attempts, mail.trouble) for mail in mails(office, state=models.TO_SEND)} == {(0, "")}
    postman.room = 10
    assert send(office, postman).sent == 7
    assert send(office, postman).again_in is None


def test_no_more_mails_a_day_than_allowed(by_smtp, watch):
    """Counted on record: another process knows it too. Players have what is left of it, and the GM is told once."""
    office = by_smtp(most_per_day=3)
    for number in range(3):
        write(office, f"{number}", to=f"stranger{number}@example.net")
    done = send(office, PatientPostman())
    assert (done.sent, done.most_today, done.left) == (3, 3, 2)
    assert [mail.state for mail in mails(office, "report")] == [models.SENT, models.SENT]
    watch.forward(hours=1)
    assert (send(office, PatientPostman()).sent, len(mails(office, to=GM))) == (0, 1)
    assert mails(office, to=GM)[0].subject == "The referee has sent 3 mails in 24 hours"
    watch.forward(hours=23, seconds=1)
    assert send(office, PatientPostman()).sent == 3
    assert {mail.state for mail in mails(office)} == {models.SENT}


def test_what_was_refused_does_not_count_against_the_day(by_smtp):
    office = by_smtp(most_per_day=2)
    write(office, "more", to="stranger@example.net")
    done = send(office, PatientPostman(red=Later("451 please wait")))
    assert (done.sent, done.later) == (2, 1)


def test_the_referee_himself_is_the_sender(office, reported):
    senders = set()

    class Curious(PatientPostman):
        async def send(self, sender, recipient, raw):
            senders.add(sender)
            return await super().send(sender, recipient, raw)

    asyncio.run(send_waiting(office, Curious(), office.clock()))
    assert senders == {"referee@example.org"}


def test_a_held_deadline_follows_a_failed_report(office, reported, watch):
    """From the refusal of a server to the deadline that waits: a bounce is not a missed turn."""
    from tests.postal import look

    send(office, PatientPostman(blue=Never("550 no such user")))
    take(office, reported, "red")
    watch.now = match_of(office, reported).deadline
    assert "held" in look(office)[0]
    with office.store.writing() as session:
        match = office.store.match_in(session, reported)
        referee.seat_player(session, office, match, referee.seat_in(session, match, "blue"), "b@example.org")
    assert not seat_of(office, reported, "blue").bounces
