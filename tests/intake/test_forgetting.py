"""The bytes of strangers' letters go after some time, and nobody else's."""

from datetime import timedelta

import pytest

from pbem.clock.guards import TICK, beat
from pbem.desk import releasing
from pbem.desk.forgetting import AT_ONCE, TheLetterIsForgotten, forget_strangers
from pbem.records import models
from pbem.screens import mailroom
from pbem.settings import Limits
from tests.letterbox import Letterbox, new_letterbox, settings_for
from tests.postal import change, duty_of


def after(box: Letterbox, **how_long: float) -> int:
    """How many are forgotten in the first pass after so long."""
    now = box.watch.forward(**how_long)
    with box.office.store.writing() as session:
        beat(session, TICK, now)
    return forget_strangers(box.office, now)


def the_fates(box: Letterbox) -> list[tuple[object, ...]]:
    return [
        (one.id, one.fate, one.reason, one.digest, one.raw_digest, one.sender, one.subject) for one in box.letters()
    ]


def test_after_ninety_days_a_strangers_bytes_go_and_his_fate_stays(box):
    stranger = box.send("who@example.com", "HELP")
    dropped = box.send("robot@example.com", "hello", Auto_Submitted="auto-generated")
    before = the_fates(box)
    assert after(box, days=89, hours=23) == 0
    assert after(box, days=1) == 2
    assert [box.letter(one.id).raw for one in (stranger, dropped)] == [b"", b""]
    assert the_fates(box) == before


def test_letters_of_players_and_what_is_proved_stay(box):
    kept = [box.play("red", "TAKE north"), box.play("red", "nonsense"), box.gm("STATUS")]
    with box.office.store.writing() as session:
        session.get_one(models.Letter, kept[2].id).proved = True
    assert after(box, days=1000) == 0
    assert all(box.letter(one.id).raw for one in kept)


def test_what_may_be_a_players_waits_for_the_gm_while_his_war_goes_on(box):
    held = box.send("red@example.net", "TAKE north")
    assert (held.fate, held.meant_for) == (models.HELD, "red")
    assert after(box, days=100) == 0
    change(box.office, 1, status=models.OVER)
    assert after(box, days=1) == 1


def test_what_is_held_of_somebody_unknown_goes_too(box):
    held = box.bring(box.compose("who@example.com", "hello").replace(b"From: who@example.com", b"From: "))
    assert held.fate == models.HELD
    assert after(box, days=91) == 1


def test_a_letter_that_was_not_read_yet_stays(box):
    box.send("who@example.com", "HELP")
    with box.office.store.writing() as session:
        for letter in box.letters():
            letter.fate, letter.settled = models.ARRIVED, None
            session.add(letter)
    assert after(box, days=1000) == 0


@pytest.mark.parametrize(("days", "count"), [(0, 0), (10, 1)])
def test_how_long_is_a_setting_and_0_is_for_ever(tmp_path, days, count):
    box = new_letterbox(tmp_path / "war", settings=settings_for(tmp_path, limits=Limits(keep_strangers_days=days)))
    box.send("who@example.com", "HELP")
    assert after(box, days=11) == count


def test_they_go_some_at_a_time_and_once_a_day(box):
    with box.office.store.writing() as session:
        for number in range(AT_ONCE + 3):
            settled = box.watch.now
            session.add(
                models.Letter(
                    place=f"x{number}",
                    raw=b"x",
                    raw_digest=f"{number}",
                    arrived=settled,
                    settled=settled,
                    fate=models.DROPPED,
                )
            )
    assert after(box, days=91) == AT_ONCE
    assert after(box, minutes=1) == 3
    box.send("who@example.com", "HELP")
    with box.office.store.writing() as session:
        session.get_one(models.Letter, box.letters()[-1].id).settled = box.watch.now - timedelta(days=100)
    assert after(box, minutes=1) == 0
    assert after(box, days=1) == 1


def test_by_a_clock_in_doubt_nothing_is_too_old(box):
    box.send("who@example.com", "HELP")
    with box.office.store.writing() as session:
        beat(session, TICK, box.watch.now)
    assert forget_strangers(box.office, box.watch.forward(days=365)) == 0
    assert box.letters()[-1].raw


def test_a_pass_forgets_them_and_says_so(box):
    box.send("who@example.com", "HELP")
    box.watch.forward(days=91)
    with duty_of(box.office) as duty:
        assert duty.one_pass()
        assert 'deleted" count=1' in duty.said.getvalue()
    assert box.letters()[-1].raw == b""


def test_the_gm_is_told_where_it_went(box):
    held = box.bring(box.compose("who@example.com", "hello").replace(b"From: who@example.com", b"From: "))
    after(box, days=91)
    with box.office.store.reading() as session, pytest.raises(TheLetterIsForgotten, match="keep_strangers_days"):
        releasing.held_letter(session, held.id)
    with pytest.raises(TheLetterIsForgotten):
        mailroom.letter_text(box.office.store, held.id)
    with pytest.raises(TheLetterIsForgotten):
        mailroom.read_again(box.office.store, held.id)
    assert "its bytes are deleted" in mailroom.letters_text(mailroom.letters(box.office.store), held=False)
    assert box.gm(f"RELEASE {held.id} 1 red").fate == models.ANSWERED
    assert box.sheets() == []


def test_a_letter_that_was_always_empty_is_not_forgotten(box):
    letter = box.bring(b"")
    assert mailroom.letter_text(box.office.store, letter.id) == ""


def test_the_mailbox_may_bring_it_again_and_it_is_the_letter_it_was(box):
    """The mailbox has lost its memory of what was fetched; nobody is answered twice."""
    raw = box.compose("who@example.com", "HELP")
    letter = box.bring(raw, "place")
    after(box, days=91)
    box.new_mail()
    assert box.bring(raw, "place").id == letter.id
    assert box.new_mail() == []


def test_a_copy_of_a_forgotten_letter_does_no_harm(box):
    raw = box.compose("who@example.com", "HELP", message_id="")
    box.bring(raw)
    after(box, days=91)
    assert box.bring(raw, "elsewhere").fate in (models.ANSWERED, models.DROPPED)
