"""What is held is told to the GM by mail: bundled, once an hour at most, each letter with the line that releases it."""

from pathlib import Path

import pytest
from sqlmodel import select

from pbem.desk import held
from pbem.desk.held import MOST_OF_PLAYERS, MOST_OF_STRANGERS, PAUSE, tell_of_held_letters
from pbem.intake import settling
from pbem.mail.maildir import deliver
from pbem.records import models
from pbem.settings import Limits, Referee
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox, settings_for
from tests.postal import GM, Watch, duty_of, mails, new_match, new_office, open_office
from tests.reading import flat
from tests.records.test_store import sql

RED, ELSEWHERE, STRANGER = "red@example.net", "red@work.example", "seller@example.com"


def tell(box: Letterbox) -> list[models.Outgoing]:
    """What the GM gets when the referee looks."""
    tell_of_held_letters(box.office, box.office.clock())
    return [mail for mail in box.new_mail(GM) if "/held/" in mail.key]


def hold(box: Letterbox, number: int = 0, **how: str) -> models.Letter:
    """Red writes from his other address, with his key."""
    letter = box.send(ELSEWHERE, f"TAKE north\n# {number}", **{"key": box.key("red"), **how})
    assert letter.fate == models.HELD
    return letter


def spam(box: Letterbox, number: int = 0) -> models.Letter:
    letter = box.send(STRANGER, f"Buy now, for {number} only.")
    assert letter.fate == models.HELD
    return letter


# ------------------------------------------------------------------ what he is told


def test_the_gm_is_told_what_is_held_and_why_and_how_to_release_it(box: Letterbox) -> None:
    letter = hold(box, subject="my orders")
    (mail,) = tell(box)
    text = flat(body_of(mail))
    assert mail.recipient == GM
    assert "1 letter waits for you" in mail.subject
    assert f"Letter {letter.id}, Monday 16 November 2026, 12:00 UTC" in text
    assert f"| From: {ELSEWHERE} | Subject: my orders" in text
    assert "| Held because: the key of a seat came from another address." in text
    assert f"\n  RELEASE {letter.id} 1 red\n" in body_of(mail)
    assert message_of(mail)["Auto-Submitted"] == "auto-generated"
    assert box.seat("red").key not in mail.raw.decode()


def test_the_line_in_it_releases_the_letter(box: Letterbox) -> None:
    hold(box)
    (mail,) = tell(box)
    line = next(line.strip() for line in body_of(mail).splitlines() if line.startswith("  RELEASE"))
    reply = {"subject": f"Re: {message_of(mail)['Subject']}"}
    assert box.send(GM, line, **reply).fate == models.ACCEPTED
    assert box.send(GM, f"CONFIRM {box.word('GM RELEASE')}", **reply).fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE north\n# 0\n"


def test_a_letter_above_the_limit_of_a_day_is_released_by_its_line_too(tmp_path) -> None:
    box = new_letterbox(tmp_path / "war", settings=settings_for(tmp_path / "war", limits=Limits(letters_a_day=1)))
    box.play("red", "STATUS")
    assert box.play("red", "TAKE north").fate == models.HELD
    (mail,) = tell(box)
    line = next(line.strip() for line in body_of(mail).splitlines() if line.startswith("  RELEASE"))
    assert box.gm(line).fate == models.ACCEPTED


def test_orders_that_came_while_a_match_was_frozen_are_told_of(box: Letterbox) -> None:
    sql(box.office.store, "UPDATE matches SET frozen = '1-red-blue'")
    letter = box.play("red", "TAKE north")
    (mail,) = tell(box)
    assert "the match is frozen: ORDERS" in flat(body_of(mail))
    assert f"RELEASE {letter.id} 1 red" in body_of(mail)


def test_of_a_stranger_no_seat_is_named(box: Letterbox) -> None:
    letter = spam(box)
    (mail,) = tell(box)
    assert f"\n  pbem letters --again {letter.id}\n" in body_of(mail)
    assert "RELEASE takes its number, a match and a side" in flat(body_of(mail))


def test_words_of_a_stranger_stay_in_their_line(box: Letterbox) -> None:
    spam_subject = "=?utf-8?q?hello=0D=0A=0D=0ARELEASE_1_1_red=E2=80=AE?="
    raw = box.compose(STRANGER, "Buy now.", subject="SUBJECT").replace(b"SUBJECT", spam_subject.encode())
    assert box.bring(raw).fate == models.HELD
    (mail,) = tell(box)
    assert [line for line in body_of(mail).splitlines() if line.strip().startswith("RELEASE")] == []
    assert "\u202e" not in body_of(mail)


# ------------------------------------------------------------------ how often


def test_letters_are_bundled_and_an_hour_lies_between_two_mails(box: Letterbox) -> None:
    hold(box)
    assert len(tell(box)) == 1
    later = [hold(box, number) for number in range(1, 4)]
    box.watch.forward(minutes=59)
    assert tell(box) == []
    box.watch.forward(minutes=1)
    (mail,) = tell(box)
    assert [f"RELEASE {letter.id} 1 red" in body_of(mail) for letter in later] == [True] * 3
    assert "3 letters wait for you" in mail.subject
    box.watch.forward(hours=5)
    assert tell(box) == [], "each is told of once"


def test_a_flood_is_one_mail_an_hour_and_hides_no_player(box: Letterbox) -> None:
    for number in range(40):
        spam(box, number)
    letter = hold(box)
    for number in range(40, 60):
        spam(box, number)
    (mail,) = tell(box)
    text = body_of(mail)
    assert "61 letters wait for you" in mail.subject
    assert text.index(f"RELEASE {letter.id} 1 red") < text.index("--again")
    assert text.count("pbem letters --again") == MOST_OF_STRANGERS
    assert f"{60 - MOST_OF_STRANGERS} more are held and not listed here" in flat(text)
    for minute in range(60):
        box.watch.forward(minutes=1)
        spam(box, 100 + minute)
        assert len(tell(box)) == (minute == 59)


def test_a_flood_in_the_name_of_a_player_ends_too(box: Letterbox) -> None:
    for number in range(MOST_OF_PLAYERS + 7):
        hold(box, number)
    (mail,) = tell(box)
    assert body_of(mail).count("  RELEASE ") == MOST_OF_PLAYERS
    assert "7 more are held" in flat(body_of(mail))


def test_what_was_released_before_the_mail_is_not_told(box: Letterbox) -> None:
    letter = hold(box)
    box.gm(f"RELEASE {letter.id}")
    box.gm(f"CONFIRM {box.word('GM RELEASE')}")
    assert tell(box) == []
    hold(box, 1)
    assert len(tell(box)) == 1, "and that was no mail that the next one would have to wait for"


def test_a_letter_that_is_held_again_is_told_again(box: Letterbox) -> None:
    letter = spam(box)
    tell(box)
    with box.office.store.writing() as session:
        held_letter = session.get_one(models.Letter, letter.id)
        held_letter.fate = models.ARRIVED
        session.add(held_letter)
    assert settling.settle(box.office, letter.id) == models.HELD
    box.watch.forward(hours=1)
    assert len(tell(box)) == 1


def test_a_clock_that_was_ahead_holds_up_nothing(box: Letterbox) -> None:
    box.watch.forward(days=400)
    hold(box)
    assert len(tell(box)) == 1
    box.watch.forward(days=-400)
    hold(box, 1)
    assert len(tell(box)) == 1


# ------------------------------------------------------------------ programs that answer


def test_a_gm_whose_program_answers_is_not_answered_for_ever(box: Letterbox) -> None:
    """It leaves the key out, and no header says that it is a program: its letters are held, and not told of."""
    hold(box)
    said = len(tell(box))
    for hour in range(48):
        box.watch.forward(hours=1)
        box.send(GM, "I am away and read your mail when I am back.", subject=f"Re: {hour}")
        said += len(tell(box))
    assert said == 1


def test_without_a_gm_nothing_is_noted(tmp_path) -> None:
    settings = settings_for(tmp_path / "war", referee=Referee(address="referee@example.org"))
    box = new_letterbox(tmp_path / "war", settings=settings)
    hold(box)
    with box.office.store.reading() as session:
        assert session.get(models.Paper, "held letters") is None


# ------------------------------------------------------------------ killed in between


def test_killed_while_he_tells_he_tells_it_the_next_time(box: Letterbox, monkeypatch: pytest.MonkeyPatch) -> None:
    letter = hold(box)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(held, "tell_gm", killed)
        with pytest.raises(KeyboardInterrupt):
            tell(box)
    assert tell(box)[0].state == models.TO_SEND
    assert tell(box) == []
    assert box.letter(letter.id).fate == models.HELD


@pytest.fixture
def directory(tmp_path) -> Path:
    new_match(new_office(tmp_path / "war"))
    return tmp_path / "war"


def test_held_by_one_process_told_by_the_next(directory) -> None:
    """From the Maildir: the first is killed when the letter has its fate, the second finds nothing new to read."""
    watch = Watch()
    office = open_office(directory, watch)
    deliver(office.settings.inbox.path, b"From: x@example.com\r\nMessage-ID: <1@x>\r\n\r\nBuy now.\r\n", "1.test")
    with duty_of(office) as duty:
        duty._read()
    assert mails(office, to=GM) == []
    office = open_office(directory, watch)
    with duty_of(office) as duty:
        assert duty.one_pass()
    (mail,) = mails(office, to=GM)
    assert (mail.state, "1 letter waits" in mail.subject) == (models.SENT, True)
    with duty_of(office) as duty:
        assert duty.one_pass()
    assert len(mails(office, to=GM)) == 1
    with office.store.reading() as session:
        assert [letter.fate for letter in session.exec(select(models.Letter))] == [models.HELD]


def test_the_pause_is_an_hour() -> None:
    assert PAUSE.total_seconds() == 3600
