"""A directory of an earlier program, with a war in the middle of each scenario: it loads, goes on and replays.

Only commands and the tables are used here, so that this holds whatever becomes of the program between them.
"""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from email import message_from_bytes
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.main import app
from tools import old_wars

SIDES = {1: ("axis", "soviet"), 2: ("axis", "soviet", "allies"), 3: ("axis", "soviet", "allies")}
WARS = {1: "barbarossa", 2: "fall-of-germany", 3: "campaign-1"}
FACTS = old_wars.facts()
Pbem = Callable[..., str]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wars as the earlier program left them. Nothing here may run a turn of them."""
    return unpacked_in(tmp_path_factory.mktemp("old"))


@pytest.fixture(scope="module")
def gone_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same wars one turn later."""
    directory = unpacked_in(tmp_path_factory.mktemp("gone-on"))
    old_wars.go_on(pbem_in(directory), FACTS["now"])
    return directory


def unpacked_in(folder: Path) -> Path:
    old_wars.unpack(folder / "wars")
    return folder / "wars"


def pbem_in(directory: Path) -> Pbem:
    def pbem(*words: str) -> str:
        done = CliRunner().invoke(app, ["-C", str(directory), *words])
        assert done.exit_code == 0, f"pbem {' '.join(words)}: {done.output} {done.exception!r}"
        return done.stdout

    return pbem


def rows_of(directory: Path, query: str, *values: object) -> list[tuple]:
    with closing(sqlite3.connect(directory / "pbem.sqlite")) as connection:
        return connection.execute(query, values).fetchall()


def waiting_in(directory: Path) -> set[tuple[int, str, str]]:
    return set(rows_of(directory, "SELECT match_id, side, text FROM sheets WHERE state = 'waiting'"))


def test_the_database_is_small_and_is_in_the_middle_of_three_wars(directory):
    assert old_wars.PACKED.stat().st_size <= old_wars.MOST_BYTES
    listed = json.loads(pbem_in(directory)("status", "--json"))
    assert {one["match"]: one["scenario"] for one in listed} == WARS
    assert {match for match, _, _ in waiting_in(directory)} == set(WARS), "a sheet waits in each war"
    assert rows_of(directory, "SELECT count(*) FROM turns WHERE taken_back IS NOT NULL") == [(1,)]
    assert rows_of(directory, "SELECT count(*) FROM sketches") == [(2,)]


def test_every_position_has_the_hash_it_had(directory):
    pbem_in(directory)("status")
    assert old_wars.hashes_in(directory) == FACTS["positions"]


@pytest.mark.parametrize("match", WARS)
def test_every_turn_replays(directory, match):
    steps = json.loads(pbem_in(directory)("replay", str(match), "--json"))
    assert len(steps) == len(FACTS["positions"][match])
    assert steps[-1]["hash"] == FACTS["positions"][match][-1]


@pytest.mark.parametrize(("match", "side"), [(match, side) for match, sides in SIDES.items() for side in sides])
def test_every_side_sees_its_position_and_its_diary(directory, match, side):
    pbem = pbem_in(directory)
    shown = pbem("show", str(match), "--as", side)
    assert f"as {side} may know it" in shown
    assert "RECORD SHEET" in shown
    assert len(pbem("log", str(match), "--as", side)) > 1000


def test_the_wars_go_on_to_the_positions_the_earlier_program_reached(gone_on):
    found = old_wars.hashes_in(gone_on)
    assert {match: hashes[-1] for match, hashes in found.items()} == FACTS["goes_on"]
    assert {match: hashes[:-1] for match, hashes in found.items()} == FACTS["positions"]


def test_the_sheets_that_waited_are_used_in_that_turn(directory, gone_on):
    for match, side, text in waiting_in(directory):
        ((sheets,),) = rows_of(gone_on, "SELECT sheets FROM turns WHERE match_id = ? ORDER BY run DESC LIMIT 1", match)
        sealed = {one["side"]: one["text"] for one in json.loads(sheets)}
        assert sealed[side].split() == text.split()


@pytest.mark.parametrize("match", WARS)
def test_the_turn_that_was_added_replays_with_the_others(gone_on, match):
    steps = json.loads(pbem_in(gone_on)("replay", str(match), "--json"))
    assert steps[-1]["hash"] == FACTS["goes_on"][match]


def test_the_letter_in_the_mailbox_was_read_and_answered(directory, gone_on):
    newest = "SELECT fate, match_id FROM letters ORDER BY id DESC LIMIT 1"
    assert rows_of(gone_on, newest) == [("accepted", 3)]
    before = rows_of(directory, "SELECT count(*) FROM outgoing WHERE match_id = 3")[0][0]
    assert rows_of(gone_on, "SELECT count(*) FROM outgoing WHERE match_id = 3")[0][0] == before + 4  # and three reports


def test_mail_that_waited_leaves_with_its_pictures(directory, gone_on):
    waited = rows_of(directory, "SELECT recipient, message_id FROM outgoing WHERE state = 'to send'")
    mails = {mail["Message-ID"]: mail for mail in sent_by(gone_on)}
    pictures = [
        picture for _, name in waited for picture in mails[name].walk() if picture.get_content_type() == "image/png"
    ]
    assert len(waited) == 3
    assert len(pictures) >= 3, "two of the report, one of the receipt"
    assert rows_of(gone_on, "SELECT count(*) FROM outgoing WHERE key LIKE '%picture/%' OR state = 'failed'") == [(0,)]


def sent_by(directory: Path) -> list:
    return [
        message_from_bytes(path.read_bytes())
        for path in (directory / "mail" / "out").rglob("*")
        if "/new/" in str(path)
    ]
