"""A letter that was held is released by the GM: read once, as the seat's that he names, with its history kept."""

import json

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import pbem.cli.main
from pbem.desk import releasing
from pbem.intake import settling
from pbem.records import models
from pbem.settings import Limits, Trust
from tests.letterbox import Letterbox, body_of, confirmed, new_letterbox, settings_for
from tests.reading import flat
from tests.records.test_store import sql
from tests.toy.table import toy_games


@pytest.fixture
def held(box) -> models.Letter:
    """Red has written from his other address, with his key."""
    letter = box.send("red@work.example", "TAKE north", key=box.key("red"))
    assert (letter.fate, letter.meant_for) == (models.HELD, "red")
    box.new_mail()
    return letter


def released(box: Letterbox, letter: models.Letter, line: str = "") -> models.Letter:
    assert confirmed(box, line or f"RELEASE {letter.id}").fate == models.ACCEPTED
    return box.letter(letter.id)


# ------------------------------------------------------------------ by mail


def test_a_letter_from_another_address_is_released_by_mail(box, held):
    letter = released(box, held)
    assert (letter.fate, letter.side, letter.match_id) == (models.ACCEPTED, "red", 1)
    assert box.waiting("red") == "TAKE north\n"
    assert [one["fate"] for one in letter.history] == [models.HELD]
    assert "another address" in letter.history[0]["reason"]
    assert letter.raw == held.raw
    assert ("gm", "released a letter", f"letter {held.id}, as one of red") in [
        (entry.who, entry.act, entry.detail) for entry in box.ledger()
    ]


def test_the_answer_goes_to_the_seat_and_to_nobody_else(box, held):
    released(box, held)
    assert [mail.kind for mail in box.new_mail("red@example.net")] == ["receipt"]
    assert [mail for mail in box.outgoing() if mail.recipient == "red@work.example"] == []


def test_nothing_is_done_without_the_word(box, held):
    assert box.gm(f"RELEASE {held.id}").fate == models.ACCEPTED
    asked = flat(body_of(box.only_mail()))
    assert "be read as one of red in match 1; orders in it count for Turn 1, Red and Blue" in asked
    assert "red@work.example" in asked
    assert box.letter(held.id).fate == models.HELD
    assert box.waiting("red") is None


def test_a_letter_is_released_exactly_once(box, held):
    box.gm(f"RELEASE {held.id}")
    first = box.word("RELEASE")
    released(box, held)
    assert box.gm(f"CONFIRM {first}").fate == models.ANSWERED
    assert box.gm(f"RELEASE {held.id}").fate == models.ANSWERED
    assert "it was accepted" in flat(body_of(box.new_mail("gm@")[-1]))
    assert len(box.sheets()) == 1
    assert settling.settle(box.office, held.id) == models.ACCEPTED
    assert len(box.sheets()) == 1


def test_a_process_that_dies_after_the_release_reads_the_letter_later(box, held, monkeypatch):
    box.gm(f"RELEASE {held.id}")
    settle, number = settling.settle, held.id
    monkeypatch.setattr(
        settling, "settle", lambda office, one: models.ARRIVED if one == number else settle(office, one)
    )
    box.gm(f"CONFIRM {box.word('RELEASE')}")
    assert box.letter(held.id).fate == models.ARRIVED
    monkeypatch.undo()
    assert settling.settle_waiting(box.office) == [held.id]
    assert box.letter(held.id).fate == models.ACCEPTED
    assert len(box.sheets()) == 1


@pytest.mark.parametrize("subject", ["orders", "{1-red-aaaaaaaaaaaaaaaaaaaa}"])
def test_a_letter_without_the_right_key_is_released(box, subject):
    letter = box.send("red@example.net", "TAKE north\nREADY", subject=subject)
    assert letter.fate == models.HELD
    assert released(box, letter).fate == models.ACCEPTED
    assert box.waiting("red") == "TAKE north\n"


def test_a_letter_of_a_stranger_is_released_to_the_seat_that_is_named(box):
    letter = box.send("somebody@example.com", "Dear referee,\nORDERS for you:\nHave a nice day")
    assert letter.fate == models.HELD
    assert box.gm(f"RELEASE {letter.id}").fate == models.ANSWERED
    assert "does not say which seat" in flat(body_of(box.new_mail("gm@")[-1]))
    assert released(box, letter, f"RELEASE {letter.id} 1 Blue").side == "blue"


def test_the_named_seat_counts_more_than_what_the_letter_said(box, held):
    assert released(box, held, f"RELEASE {held.id} 1 blue").side == "blue"
    assert box.waiting("blue") == "TAKE north\n"
    assert box.waiting("red") is None


@pytest.mark.parametrize("line", ["RELEASE 99", "RELEASE", "RELEASE x", "RELEASE 1 9 red", "RELEASE 1 1 green"])
def test_a_release_that_cannot_be_is_refused_at_once(box, held, line):
    assert held.id == 1
    assert box.gm(line).fate == models.ANSWERED
    with box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_a_player_cannot_release_letters(box, held):
    box.play("blue", f"RELEASE {held.id}")
    assert box.letter(held.id).fate == models.HELD


def test_a_released_letter_of_the_gm_has_no_power_of_the_gm(box):
    letter = box.send("gm@example.org", "PAUSE 1", key=box.key("red"))
    assert letter.fate == models.HELD
    released(box, letter)
    assert not box.office.store.position(1).match.paused
    with box.office.store.reading() as session:
        assert [word for word in session.exec(select(models.Word)) if word.act == "GM PAUSE"] == []


def test_a_copy_that_was_dropped_does_not_stand_in_the_way(box):
    raw = box.compose("red@work.example", "TAKE north", key=box.key("red"))
    letter = box.bring(raw)
    copy = box.bring(raw.replace(b"Subject: orders", b"Received: again\r\nSubject: orders"))
    assert (letter.fate, copy.fate) == (models.HELD, models.DROPPED)
    assert released(box, letter).fate == models.ACCEPTED
    assert box.letter(copy.id).fate == models.DROPPED


def test_automatic_mail_stays_dropped_when_it_is_released(box, held):
    sql(
        box.office.store,
        "UPDATE letters SET raw = replace(raw, 'Subject:', 'Auto-Submitted: auto-replied\r\nSubject:')",
    )
    assert released(box, held).fate == models.DROPPED


def test_what_was_held_for_a_missing_signature_is_released(tmp_path):
    box = new_letterbox(tmp_path / "war", settings=settings_for(tmp_path / "war", trust=Trust(require="dkim")))
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    letter = box.bring(raw)
    assert (letter.fate, letter.side) == (models.HELD, "red")
    with box.office.store.writing() as session:
        found = releasing.held_letter(session, letter.id)
        releasing.release(session, box.office, found, releasing.seat_to_release_to(session, found, 1, "red"))
    assert settling.settle(box.office, letter.id) == models.ACCEPTED


def test_what_was_too_much_for_a_day_is_released_and_answered(tmp_path):
    settings = settings_for(tmp_path / "war", limits=Limits(letters_a_day=1))
    box = new_letterbox(tmp_path / "war", settings=settings)
    box.play("red", "STATUS")
    letter = box.play("red", "TAKE north")
    assert letter.fate == models.HELD
    box.new_mail()
    assert box.gm(f"RELEASE {letter.id} 1 red").fate == models.ACCEPTED
    box.watch.forward(days=1)  # the GM too has used up his one letter
    box.gm(f"CONFIRM {box.word('RELEASE')}")
    assert box.letter(letter.id).fate == models.ACCEPTED


def test_a_seat_that_was_left_meanwhile_keeps_the_letter_held(box, held):
    box.gm(f"RELEASE {held.id}")
    word = box.word("RELEASE")
    sql(box.office.store, "UPDATE seats SET state = 'open', key = '' WHERE side = 'red'")
    assert box.gm(f"CONFIRM {word}").fate == models.ANSWERED
    assert box.letter(held.id).fate == models.HELD


def test_a_letter_held_while_the_match_was_frozen_is_answered_again_when_it_is_read_again(box):
    sql(box.office.store, "UPDATE matches SET frozen = '1-red-blue'")
    letter = box.play("red", "TAKE north")
    assert letter.fate == models.HELD
    sql(box.office.store, "UPDATE matches SET frozen = ''")
    box.new_mail()
    assert released(box, letter, f"RELEASE {letter.id} 1 red").fate == models.ACCEPTED
    assert "TAKE north" in body_of(box.new_mail("red@")[-1])


def test_the_gms_status_lists_what_is_held(box, held):
    box.gm("STATUS")
    text = body_of(box.only_mail())
    assert "red@work.example" in text
    assert "says it is red" in text
    assert box.seat("red").key not in text


# ------------------------------------------------------------------ from the command line


@pytest.fixture
def gm(box, monkeypatch):
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)

    def run(*words: object, typed: str = "", ok: int = 0) -> str:
        directory = str(box.office.store.directory)
        result = CliRunner().invoke(pbem.cli.main.app, ["-C", directory, *map(str, words)], input=typed)
        assert result.exit_code == ok, result.output
        return result.output

    return run


def test_the_command_asks_and_then_reads_the_letter(box, held, gm):
    said = gm("release", held.id, typed="n\n", ok=1)
    assert "letter 1 be read as one of red in match 1" in said
    assert box.letter(held.id).fate == models.HELD
    assert "was read as one of red in match 1: accepted." in gm("release", held.id, typed="y\n")
    assert box.waiting("red") == "TAKE north\n"
    assert "it was accepted" in gm("release", held.id, "--yes", ok=1)
    listed = gm("letters")
    assert "(released by the GM)" in listed
    assert "was held: the key of a seat came from another address" in listed


def test_the_release_command_in_a_script(box, held, gm):
    facts = json.loads(gm("release", held.id, "--as", "blue", "--match", 1, "--yes", "--json"))
    assert (facts["fate"], facts["side"], facts["released"]) == (models.ACCEPTED, "blue", True)
    assert [one["fate"] for one in facts["history"]] == [models.HELD]
