"""A war is closed some time after its end: the players get its bundle, and nothing can be taken back any more."""

import dataclasses
import io
import json
import zipfile
from datetime import timedelta

import msgspec
import pytest
from typer.testing import CliRunner

import pbem.cli.main
from pbem import closing
from pbem.records import models
from pbem.records.bundle import BundledRecord, read_bundle
from pbem.settings import Clock, Limits
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox
from tests.postal import look, mails, send
from tests.reading import flat
from tests.records.test_rollback import match_of, play_turn, take_back
from tests.toy.table import toy_games


@pytest.fixture
def box(tmp_path) -> Letterbox:
    """A war that is just over: it was fought to its end."""
    box = new_letterbox(tmp_path / "war")
    fight_to_the_end(box)
    box.new_mail()
    return box


def fight_to_the_end(box: Letterbox) -> None:
    """Nobody dares: so it takes all four turns."""
    while box.office.store.position(1).gate is not None:
        box.play("red", "HOLD")
        box.play("blue", "HOLD")


def addresses(box: Letterbox) -> list[str]:
    return [seat.address for seat in box.office.store.seats_of(1)]


def with_settings(box: Letterbox, **sections: object) -> None:
    box.office = dataclasses.replace(box.office, settings=msgspec.structs.replace(box.office.settings, **sections))


def closed(box: Letterbox) -> Letterbox:
    box.watch.forward(hours=49)
    look(box.office)
    return box


def files_of(mail: models.Outgoing) -> dict[str, bytes]:
    return {part.get_filename(): part.get_payload(decode=True) for part in message_of(mail).iter_attachments()}


# ------------------------------------------------------------------ when


def test_it_is_closed_two_days_after_its_end_and_not_before(box):
    assert match_of(box).over_since == box.office.clock()
    box.watch.forward(hours=47)
    assert look(box.office) == []
    assert match_of(box).closed is None
    assert box.new_mail() == []
    box.watch.forward(hours=1)
    assert look(box.office) == ["match 1: closed, its bundle goes to the players"]
    assert match_of(box).closed == box.office.clock()
    assert [mail.recipient for mail in box.new_mail()] == addresses(box)
    assert look(box.office) == []
    assert box.new_mail() == []


def test_a_war_that_the_players_ended_is_closed_as_well(tmp_path):
    box = new_letterbox(tmp_path / "war")
    play_turn(box)
    for side in ("red", "blue"):
        box.play(side, "DRAW")
    assert match_of(box).over_since == box.office.clock()
    closed(box)
    assert match_of(box).closed is not None
    (mail, _) = (mail for mail in box.outgoing() if mail.key.startswith("closed/"))
    assert read_bundle(files_of(mail)["war-1.zip"]).ended.how == "all players agreed to a draw"


def test_the_settings_say_how_long_it_takes(box):
    with_settings(box, clock=Clock(close_hours=0))
    assert look(box.office) == ["match 1: closed, its bundle goes to the players"]


def test_a_war_that_goes_on_is_never_closed(tmp_path):
    box = new_letterbox(tmp_path / "war")
    play_turn(box)
    closed(box)
    assert match_of(box).closed is None


def test_it_is_not_closed_while_the_clock_or_the_mailbox_is_not_to_be_trusted(box):
    """A letter of the GM may lie there that takes the last turn back."""
    box.watch.forward(hours=49)
    assert look(box.office, mailbox_read=False) == []
    box.watch.forward(days=30)
    from pbem.service.deadlines import look_at_every_match

    (said,) = look_at_every_match(box.office, box.office.clock())
    assert "the clock has jumped" in said
    assert match_of(box).closed is None


def test_the_gm_is_told_until_when_he_can_take_a_turn_back(tmp_path):
    box = new_letterbox(tmp_path / "war")
    fight_to_the_end(box)
    (mail,) = (mail for mail in box.outgoing() if mail.key.startswith("gm/over/"))
    until = box.office.clock() + timedelta(hours=48)
    assert f"{until:%d %B %Y, %H:%M} UTC, the war is closed" in flat(body_of(mail))
    assert "pbem rollback 1" in body_of(mail)


def test_a_bundle_that_cannot_be_made_is_told_to_the_gm_and_changes_nothing(box):
    with box.office.store.writing() as session:
        session.connection().exec_driver_sql("UPDATE turns SET events = 'x' WHERE run = 2")
    box.watch.forward(hours=49)
    assert look(box.office) == ["match 1 could not be closed: DecodeError, the GM is told"]
    assert look(box.office) == ["match 1 could not be closed: DecodeError, the GM is told"]
    assert match_of(box).closed is None
    assert [mail.subject for mail in box.new_mail()] == ["[1 Two Hills, both at once] Match 1 could not be closed"]


# ------------------------------------------------------------------ taking back


def test_until_then_a_turn_can_be_taken_back_and_the_count_begins_anew(box):
    box.watch.forward(hours=47)
    take_back(box)
    assert match_of(box).over_since is None
    assert look(closed(box).office) == []
    assert match_of(box).closed is None
    box.play("red", "HOLD")
    box.play("blue", "HOLD")
    assert match_of(box).over_since == box.office.clock()
    closed(box)
    assert match_of(box).closed is not None


def test_a_closed_war_cannot_be_taken_back_by_mail_or_by_hand(box, tmp_path, monkeypatch):
    box.gm("ROLLBACK 1")
    word = box.word("ROLLBACK")
    closed(box)
    box.new_mail()
    box.gm(f"CONFIRM {word}")  # it was asked for before the war was closed
    assert "nothing of it can be taken back any more" in flat(body_of(box.only_mail()))
    box.gm("ROLLBACK 1")
    assert "nothing of it can be taken back any more" in flat(body_of(box.only_mail()))
    with pytest.raises(closing.TheWarIsClosed):
        take_back(box)
    said = cli(box, monkeypatch, "rollback", "1", "--yes")
    assert said.exit_code == 1
    assert "was closed at" in said.output
    assert match_of(box).gate_number == 4


# ------------------------------------------------------------------ the bundle


def test_every_player_gets_the_whole_war_and_how_to_check_it(box):
    closed(box)
    for mail in box.new_mail():
        (data,) = files_of(mail).values()
        bundle = read_bundle(data)
        assert bundle.secret == match_of(box).secret.hex()
        assert [run.run for run in bundle.runs] == [1, 2, 3, 4]
        assert "pbem verify war-1.zip" in flat(body_of(mail))
        assert "Nothing of it can be taken back any more" in flat(body_of(mail))
        assert "give orders" not in flat(body_of(mail))
    assert send(box.office).sent > 0


def test_a_seat_that_nobody_plays_gets_no_bundle(box):
    with box.office.store.writing() as session:
        session.connection().exec_driver_sql("UPDATE seats SET state = 'bot' WHERE side = 'blue'")
    closed(box)
    assert [mail.recipient for mail in box.new_mail()] == addresses(box)[:1]


def test_nothing_private_is_in_the_bundle(tmp_path):
    """No names, addresses, keys, letters, remarks, reasons of the GM."""
    box = new_letterbox(tmp_path / "war")
    box.play("red", "HOLD  # a remark of red's")
    box.play("blue", "Dear referee,\n\nTAKE north # a remark of blue's\n\nYours, Bert")
    take_back(box, why="a reason of the GM")
    fight_to_the_end(box)
    closed(box)
    (data, _) = (files_of(mail)["war-1.zip"] for mail in box.outgoing() if mail.key.startswith("closed/"))
    text = zipfile.ZipFile(io.BytesIO(data)).read("war.json").decode()
    assert len(json.loads(text)["runs"]) == 5
    keys = [seat.key for seat in box.office.store.seats_of(1)]
    for hidden in ("remark", "reason", "Rosa", "Dear", "Yours", "example.org", "example.net", "#", *keys):
        assert hidden not in text


def test_BUNDLE_sends_it_again_once_a_day(box):
    closed(box)
    first = next(mail for mail in box.outgoing() if mail.key == "closed/1/red")
    answer = box.answer("red", "BUNDLE")
    assert "It comes with 1 mail." in answer
    again = next(mail for mail in box.outgoing() if mail.key.startswith("bundle/"))
    assert files_of(again) == files_of(first)
    assert "It was mailed to you today already" in box.answer("red", "BUNDLE")
    assert "It comes with 1 mail." in box.answer("blue", "BUNDLE")
    box.watch.forward(days=1)
    assert "It comes with 1 mail." in box.answer("red", "BUNDLE")


def test_a_war_that_was_over_before_there_were_bundles_has_one_and_nobody_is_bothered(box):
    """The migration counts it as closed; its sheets do not say by which rule they were sealed."""
    with box.office.store.writing() as session:
        session.connection().exec_driver_sql("UPDATE matches SET closed = over_since")
        session.connection().exec_driver_sql("UPDATE turns SET sheets = replace(sheets, ', \"rule\": 2', '')")
    assert "rule" not in str(box.office.store.runs_of(1)[0].sheets)
    closed(box)
    assert box.new_mail() == []
    assert "It comes with 1 mail." in box.answer("red", "BUNDLE")
    sent = next(mail for mail in box.outgoing() if mail.key.startswith("bundle/"))
    record = BundledRecord.of(read_bundle(files_of(sent)["war-1.zip"]), toy_games())
    assert [step.difference for step in record.steps()] == [None] * 5


def test_BUNDLE_is_refused_before_with_the_reason_and_when_it_will_be(tmp_path):
    box = new_letterbox(tmp_path / "war")
    assert "when the war is closed, 48 hours after its end" in flat(box.answer("red", "BUNDLE"))
    fight_to_the_end(box)
    until = box.office.clock() + timedelta(hours=48)
    assert f"It is closed at {until:%Y-%m-%d %H:%M} UTC" in flat(box.answer("red", "BUNDLE"))
    assert [mail for mail in box.outgoing() if mail.key.startswith(("bundle/", "closed/"))] == []


def test_a_bundle_that_is_too_large_comes_in_parts_when_it_is_asked_for(box, tmp_path, monkeypatch):
    monkeypatch.setattr(closing, "KILOBYTE", 32)
    with_settings(box, limits=Limits(attachment_kilobytes=16))
    closed(box)
    for mail in box.new_mail():
        assert files_of(mail) == {}
        assert "Reply BUNDLE, and it comes in" in flat(body_of(mail))
    box.play("red", "BUNDLE")
    parts = [mail for mail in box.new_mail() if mail.key.startswith("bundle/")]
    assert len(parts) > 2
    assert all(len(data) <= 512 for mail in parts for data in files_of(mail).values())
    names = [name for mail in parts for name in files_of(mail)]
    assert names == [f"war-1.zip.{number:03}" for number in range(1, len(parts) + 1)]
    assert read_bundle(b"".join(data for mail in parts for data in files_of(mail).values())).match == 1
    assert "part 2 of" in parts[1].subject
    assert "pbem verify war-1.zip.*" in flat(body_of(parts[1]))
    assert "It comes with 1 mail." in box.answer("blue", "BUNDLE 2")
    assert "has no part 99" in box.answer("blue", "BUNDLE 99")
    for mail in parts:
        for name, data in files_of(mail).items():
            (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    run, names = CliRunner(), [str(tmp_path / name) for name in names]
    assert "The war holds." in run.invoke(pbem.cli.main.app, ["verify", *reversed(names)]).output
    missing = run.invoke(pbem.cli.main.app, ["verify", names[0], names[2]])
    assert missing.exit_code == 1
    assert "war-1.zip.002 is missing" in missing.output


# ------------------------------------------------------------------ by hand


def cli(box: Letterbox, monkeypatch, *words: str):
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    return CliRunner().invoke(pbem.cli.main.app, ["-C", str(box.office.store.directory), *words])


def test_the_gm_closes_it_at_once(box, monkeypatch, tmp_path):
    refused = cli(box, monkeypatch, "bundle", "1", "-o", str(tmp_path / "war.zip"))
    assert refused.exit_code == 1
    assert "not closed yet" in refused.output
    declined = cli(box, monkeypatch, "close", "1")
    assert declined.exit_code == 1
    assert match_of(box).closed is None
    facts = json.loads(cli(box, monkeypatch, "close", "1", "--yes", "--json").output)
    assert (facts["match"], facts["parts"]) == (1, 1)
    assert len(mails(box.office, kind="notice", to="red@")) == 1
    again = cli(box, monkeypatch, "close", "1", "--yes")
    assert again.exit_code == 1
    assert "was closed already" in again.output
    said = cli(box, monkeypatch, "bundle", "1", "-o", str(tmp_path / "war.zip"))
    assert said.exit_code == 0
    mailed = next(mail for mail in box.outgoing() if mail.key == "closed/1/red")
    assert (tmp_path / "war.zip").read_bytes() == files_of(mailed)["war-1.zip"]


def test_a_war_that_is_not_over_is_not_closed_by_hand_either(tmp_path, monkeypatch):
    box = new_letterbox(tmp_path / "war")
    said = cli(box, monkeypatch, "close", "1", "--yes")
    assert said.exit_code == 1
    assert "match 1 is not over" in said.output
    assert match_of(box).closed is None
