"""A player checks the dice of a report with nothing but the report; whatever is changed in it is found."""

import json
import re

import pytest
from typer.testing import CliRunner

import pbem.cli.main
from engine.game import games
from pbem.records.verify import ThisIsNoReport, in_words, verified
from tests.letterbox import Letterbox, body_of, new_letterbox

ATTACKS = "ORDERS\nATTACK Center P14 ASSAULT ADVANCE\nATTACK North Q14 ASSAULT ADVANCE\nREADY"


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Letterbox:
    """The axis has attacked; the turn was taken back, and it has attacked again."""
    box = new_letterbox(tmp_path_factory.mktemp("verify") / "war", games(), "hitlers-war", "barbarossa")
    box.play("axis", ATTACKS)
    box.gm("ROLLBACK 1")
    box.gm(f"CONFIRM {box.word('ROLLBACK')}")
    box.play("axis", ATTACKS)
    return box


def mail(box: Letterbox, run: int, side: str = "axis") -> bytes:
    return next(one.raw for one in box.outgoing() if one.key == f"report/1/{run}/{side}")


@pytest.fixture(scope="module")
def report(box) -> str:
    return body_of(next(one for one in box.outgoing() if one.key == "report/1/1/axis"))


@pytest.fixture(scope="module")
def commitment(box) -> str:
    return box.office.store.position(1).match.commitment


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_a_report_as_it_was_mailed_holds_for_either_side(box, commitment, side):
    found = verified(mail(box, 1, side), commitment)
    assert found.holds
    assert (found.turn, found.link, found.taken_back) == (1, 1, 0)
    assert len(found.dice) >= 4
    assert list(found.digests) == ["Axis", "Soviet"]


def test_every_die_of_the_events_that_the_axis_was_told_is_checked(box, report):
    turn = box.office.store.runs_of(1)[0]
    labels = set(re.findall(r'"label":"([^"]+)"', turn.events.decode()))
    assert {die.label for die in verified(report.encode()).dice} == labels


def test_a_turn_that_was_played_again_says_so(box, commitment):
    found = verified(mail(box, 2), commitment)
    assert found.holds
    assert (found.turn, found.link) == (1, 2)
    assert "right if 1 turn has been taken back" in in_words(found)


def test_the_text_alone_or_quoted_in_another_mail_will_do(report, commitment):
    quoted = "He wrote:\n" + "\n".join(f"> {line}" for line in report.splitlines())
    for text in (report, quoted, report.replace("\n", "\r\n")):
        assert verified(text.encode(), commitment).holds


def test_a_label_that_takes_two_lines_is_read_whole(report, commitment):
    folded = re.sub(r"(assault) (on P14)", r"\1\n          \2", report)
    assert folded != report
    assert verified(folded.encode(), commitment).holds


def test_the_same_dice_are_checked_when_the_die_is_changed(report):
    changed = re.sub(r"^( *#2 +)(\d)", lambda found: found[1] + str(int(found[2]) % 6 + 1), report, flags=re.MULTILINE)
    found = verified(changed.encode())
    assert not found.holds
    assert [die.number for die in found.dice if not die.is_right] == [2]
    assert "die #2 is" in in_words(found)


@pytest.mark.parametrize("name", ["Axis", "Soviet", "Run key"])
def test_a_changed_digest_or_key_is_found(report, name):
    changed = re.sub(rf"^({name} +)(.)", lambda of: of[1] + ("0" if of[2] != "0" else "1"), report, flags=re.MULTILINE)
    assert changed != report
    assert not verified(changed.encode()).holds


def test_a_key_that_does_not_lead_to_the_commitment_is_found(report):
    changed = re.sub(r"^(Commitment +)\w+", rf"\g<1>{'ab' * 32}", report, flags=re.MULTILINE)
    found = verified(changed.encode())
    assert found.link is None
    assert all(die.is_right for die in found.dice)
    assert not found.holds


def test_a_commitment_that_is_not_the_one_in_the_welcome_is_found(report, commitment):
    assert verified(report.encode(), commitment.upper()).holds
    found = verified(report.encode(), "cd" * 32)
    assert not found.holds
    assert "NOT the one you gave" in in_words(found)


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe\x00", b"From: a@b\n\n", b"Turn 1: x\nCommitment abc\n"])
def test_what_is_no_report_is_refused(raw):
    with pytest.raises(ThisIsNoReport):
        verified(raw)


def test_the_welcome_is_no_report(box):
    with pytest.raises(ThisIsNoReport):
        verified(next(one.raw for one in box.outgoing() if one.kind == "welcome"))


def test_the_command_needs_no_data_directory(box, report, commitment, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.eml").write_bytes(mail(box, 1))
    (tmp_path / "forged.txt").write_text(re.sub(r"^( *#1 +)\d", r"\g<1>9", report, flags=re.MULTILINE))
    run = CliRunner()
    said = run.invoke(pbem.cli.main.app, ["verify", "report.eml", "--commitment", commitment])
    assert said.exit_code == 0
    assert "The report holds." in said.output
    facts = json.loads(run.invoke(pbem.cli.main.app, ["verify", "report.eml", "--json"]).output)
    assert (facts["holds"], facts["link"], facts["commitment_is_right"]) == (True, 1, None)
    forged = run.invoke(pbem.cli.main.app, ["verify", "forged.txt"])
    assert forged.exit_code == 1
    assert "THE REPORT DOES NOT HOLD" in forged.output
    assert "cannot be read" in run.invoke(pbem.cli.main.app, ["verify", "nothing.eml"]).output
