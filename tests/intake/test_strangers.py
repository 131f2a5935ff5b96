"""Letters of people without a seat: what they are told, how briefly, and how often."""

import pytest

from pbem.letters.addresses import mailbox_of
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.settings import Limits
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox, new_match, settings_for
from tests.postal import GM


def with_limits(tmp_path, **limits: int) -> Letterbox:
    return new_letterbox(tmp_path / "war", settings=settings_for(tmp_path, limits=Limits(**limits)))


def test_a_stranger_without_a_command_is_held_silently(box):
    assert box.send("who@example.com", "I would like to sell you something.").fate == models.HELD
    assert box.new_mail() == []


def test_a_stranger_with_a_command_gets_one_polite_answer_a_day(box):
    assert box.send("who@example.com", "HELP").fate == models.ANSWERED
    assert box.only_mail().recipient == "who@example.com"
    for again in ("who@example.com", "WHO@example.com", "who+again@example.com"):
        letter = box.send(again, "GAMES")
        assert (letter.fate, "answered today" in letter.reason) == (models.HELD, True)
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
    for limits in ({"answers_to_strangers_a_day": 0}, {"answers_to_strangers_in_all_a_day": 0}):
        box = with_limits(tmp_path / next(iter(limits)), **limits)
        assert box.send("who@example.com", "HELP").fate == models.HELD
        assert box.new_mail() == []


def test_a_player_may_ask_what_everybody_may_without_his_key(box):
    assert box.send("red@example.net", "GAMES").fate == models.ANSWERED
    mail = box.only_mail()
    assert "No seat is free" in body_of(mail)
    assert "You play in" not in body_of(mail)


def open_seat_box(tmp_path, **more: object) -> Letterbox:
    seats = [SeatTaken("red", "red@example.net"), SeatTaken("blue", "")]
    return new_letterbox(tmp_path / "war", seats=seats, **more)


def test_strangers_cannot_make_the_referee_write_much(tmp_path):
    """Hundreds of letters, half of them in the names of one victim, each worded so that it would be answered at length."""
    box = open_seat_box(tmp_path)
    box.send("carla@example.com", "JOIN 1 AS blue")
    word = box.word("JOIN")
    box.new_mail()
    asked = (
        "GAMES",
        "HELP",
        "JOIN 1 AS blue",
        "STATUS\n" * 12,
        "HELP\nRULES HW-8.4\nHELP TAKE\n" * 4,
        "CONFIRM abcdefghij",
    )
    raws = [box.compose(f"victim+{n}@example.org", asked[n % len(asked)]) for n in range(120)]
    raws += [box.compose(f"who{n}@example.org", asked[n % len(asked)]) for n in range(120)]
    fates = [box.bring(raw).fate for raw in raws]
    mails = [mail for mail in box.new_mail() if mail.recipient != GM]
    assert len(mails) == 29, "with the one to Carla they are 30"
    assert sum(mailbox_of(mail.recipient) == "victim@example.org" for mail in mails) == 3
    assert max(len(mail.raw) for mail in mails) <= 2048
    assert fates.count(models.HELD) == 240 - 29
    (told,) = (mail for mail in box.outgoing() if mail.recipient == GM)
    assert "30 answers" in body_of(told)
    assert box.play("red", "STATUS").fate == models.ANSWERED
    assert box.send("carla@example.com", f"CONFIRM {word}").fate == models.ACCEPTED
    assert box.seat("blue").address == "carla@example.com"
    assert [mail.kind for mail in box.new_mail("carla@")] == ["welcome", "notice"]
    box.watch.forward(days=1)
    assert box.send("who100@example.org", "GAMES").fate == models.ANSWERED


def test_nobody_can_take_away_anothers_word(tmp_path):
    box = open_seat_box(tmp_path)
    box.send("carla@example.com", "JOIN 1 AS blue")
    word = box.word("JOIN")
    box.send("dora@example.com", "JOIN 1 AS blue")
    assert box.send("dora@example.com", f"CONFIRM {word}").fate == models.ANSWERED
    assert box.send("carla@example.com", f"CONFIRM {word}").fate == models.ACCEPTED
    assert box.seat("blue").address == "carla@example.com"


def test_a_word_that_is_refused_is_not_answered_for_ever(tmp_path):
    box = open_seat_box(tmp_path)
    box.send("carla@example.com", "JOIN 1 AS blue")
    word = box.word("JOIN")
    box.send("dora@example.com", "JOIN 1 AS blue")
    box.send("dora@example.com", f"CONFIRM {box.word('JOIN')}")
    fates = [box.send("carla@example.com", f"CONFIRM {word}").fate for _ in range(5)]
    assert fates == [models.ANSWERED] * 3 + [models.HELD] * 2
    assert "Somebody else was faster" in body_of(box.new_mail("carla@")[-1])


@pytest.mark.parametrize("named", [b"a", b"x" * 250, "\u00e9".encode() * 100])
def test_an_answer_to_a_stranger_is_short_and_says_so(tmp_path, named):
    box = open_seat_box(tmp_path)
    with box.office.store.writing() as session:
        session.get_one(models.Match, 1).title = "A war with a very long name " * 5
    for _ in range(11):
        new_match(box, seats=[SeatTaken("red", ""), SeatTaken("blue", "")])
    box.new_mail()
    raw = box.compose(f"{'w' * 60}@{'example.' * 20}com", "GAMES\n" * 12, message_id="<id@example.com>")
    assert box.bring(raw.replace(b"<id@", b"<" + named + b"@")).fate == models.ANSWERED
    mail = box.only_mail()
    assert len(mail.raw) <= 2048
    assert message_of(mail).get_content_type() == "text/plain"
    assert "A war with a very long name" in body_of(mail)
    assert "only a little to whoever has no seat" in body_of(mail).replace("\n", " ")


def test_a_stranger_reads_of_some_games_and_how_to_join(tmp_path):
    box = open_seat_box(tmp_path)
    for _ in range(11):
        new_match(box, seats=[SeatTaken("red", ""), SeatTaken("blue", "")])
    box.new_mail()
    box.send("who@example.com", "GAMES")
    text = body_of(box.only_mail())
    assert text.count("Two Hills") == 8
    assert "in 4 more" in text
    assert "JOIN 1 AS blue" in text
    assert "only a little" not in text
