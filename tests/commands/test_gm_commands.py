"""What the GM does by mail."""

from sqlmodel import select

from pbem.commands.gm import GM_COMMANDS
from pbem.records import models
from pbem.settings import Clock
from tests.letterbox import body_of, confirmed, new_letterbox, settings_for
from tests.postal import GM

# ------------------------------------------------------------------ the GM


def test_pause_and_resume(box):
    confirmed(box, "PAUSE 1")
    assert box.office.store.position(1).match.paused
    confirmed(box, "RESUME 1")
    assert not box.office.store.position(1).match.paused
    assert len(box.new_mail("red@")) == 2


def test_the_subject_may_name_the_match(box):
    assert box.gm("PAUSE", subject="Re: [1 Two Hills] something").fate == models.ACCEPTED
    assert box.gm("PAUSE").fate == models.ANSWERED
    assert "which match" in body_of(box.new_mail(GM)[-1])
    assert box.gm("PAUSE 99").fate == models.ANSWERED


def test_a_gm_extends_alone(box):
    before = box.office.store.position(1).match.deadline
    confirmed(box, "EXTEND 1 48")
    assert (box.office.store.position(1).match.deadline - before).total_seconds() == 48 * 3600


def test_process_runs_the_gate_that_was_meant(box):
    box.gm("PROCESS 1")
    word = box.word("PROCESS")
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")
    assert box.office.store.position(1).match.gate_number == 1
    box.gm(f"CONFIRM {word}")
    assert box.office.store.position(1).match.gate_number == 1, "the gate had been run meanwhile"
    confirmed(box, "PROCESS 1 2-red-blue")
    assert box.office.store.position(1).match.gate_number == 2
    assert box.gm("PROCESS 1 7-red").fate == models.ANSWERED


def test_replace_seats_somebody_else(box):
    old = box.key("red")
    confirmed(box, "REPLACE 1 red carla@example.com")
    assert box.seat("red").address == "carla@example.com"
    assert box.send("red@example.net", "TAKE north", key=old).fate != models.ACCEPTED
    assert box.play("red", "TAKE north").fate == models.ACCEPTED
    assert box.gm("REPLACE 1 green x@example.com").fate == models.ANSWERED


def test_broadcast(box):
    confirmed(box, "BROADCAST 1\nI am away next week.\nHave fun.\nEND")
    for side in ("red", "blue"):
        (mail,) = box.new_mail(f"{side}@") if side == "red" else [one for one in box.outgoing() if one.key.endswith("/blue") and one.key.startswith("broadcast")]  # fmt: skip
        assert "| I am away next week." in body_of(mail)


def test_gm_status_and_help(box):
    box.gm("STATUS\nHELP")
    text = body_of(box.only_mail())
    assert "Two Hills" in text
    for word in GM_COMMANDS:
        assert f"  {word}" in text


def test_a_player_cannot_use_the_gms_words(box):
    for word in ("PAUSE 1", "RESUME 1", "PROCESS 1", "REPLACE 1 blue red@example.net", "ROLLBACK 1 1"):
        box.play("red", word)
    match = box.office.store.position(1).match
    assert not match.paused
    assert match.gate_number == 0
    with box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_the_settings_say_when_a_new_player_is_reminded(tmp_path):
    settings = settings_for(tmp_path / "war", clock=Clock(reminder_hours=36))
    box = new_letterbox(tmp_path / "war", settings=settings)
    assert {box.seat(side).lead_hours for side in ("red", "blue")} == {36}
    box.play("red", "REMIND 5\nTIMEZONE Europe/Berlin")
    confirmed(box, "REPLACE 1 red carla@example.com")
    assert (box.seat("red").lead_hours, box.seat("red").zone) == (36, "")


def test_every_gm_act_is_on_the_record(box):
    confirmed(box, "PAUSE 1")
    confirmed(box, "RESUME 1")
    acts = [(entry.who, entry.act) for entry in box.ledger()]
    assert ("gm", "paused the match") in acts
    assert ("gm", "resumed the match") in acts
