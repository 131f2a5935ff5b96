"""Killed many times at random moments while mail flows, the referee loses nothing and does nothing twice."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import select

from pbem.mail.maildir import entries
from pbem.records import models
from pbem.records.replay import replay
from pbem.records.store import Store, open_store
from tests.crashing import MATCHES_BY_CLOCK, MATCHES_BY_MAIL, TURNS
from tests.the_project import ROOT
from tests.toy.table import toy_games

KILLS = 200


def test_killed_again_and_again_nothing_is_lost_and_nothing_happens_twice(tmp_path):
    """One test, because it is played once. `make soak` kills 2,000 times."""
    kill_and_look(tmp_path / "war", 1941, KILLS, timeout=300)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1942, 1952))
def test_killed_two_thousand_times_more(seed, tmp_path):
    kill_and_look(tmp_path / "war", seed, KILLS, timeout=900)


def kill_and_look(directory: Path, seed: int, kills: int, timeout: int) -> None:
    command = [sys.executable, "-m", "tests.crashing", str(directory), str(seed), str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr
    store = open_store(directory, toy_games())
    every_letter_has_one_fate(directory, store, json.loads(done.stdout)["letters"])
    no_sheet_is_lost_or_taken_twice(store)
    every_sheet_came_to_the_turn_it_was_meant_for(store)
    no_turn_is_half_written(store)
    every_turn_has_its_reports_and_no_report_is_without_its_turn(store)
    every_missed_deadline_is_counted_once(store)
    every_mail_was_carried_and_one_carried_twice_is_the_same(directory, store)
    every_letter_that_asked_was_answered_once(store)


def rows(store: Store, table) -> list:
    with store.reading() as session:
        return list(session.exec(select(table)))


def every_letter_has_one_fate(directory: Path, store: Store, count: int) -> None:
    letters = rows(store, models.Letter)
    assert len(letters) == count
    assert len({letter.place for letter in letters}) == count
    assert Counter(letter.fate for letter in letters)[models.ARRIVED] == 0
    assert Counter(letter.fate for letter in letters)[models.HELD] == 0
    assert all(letter.filed for letter in letters)
    assert list(entries(directory / "mail" / "in")) == []
    assert len(list(entries(directory / "mail" / "in" / ".Processed"))) == count


def no_sheet_is_lost_or_taken_twice(store: Store) -> None:
    sheets = rows(store, models.Sheet)
    numbers = Counter(re.search(r"# sheet (\d+)", sheet.text)[1] for sheet in sheets)
    assert len(numbers) == MATCHES_BY_MAIL * TURNS * 2
    assert set(numbers.values()) == {1}
    assert {sheet.state for sheet in sheets} == {models.SEALED}


def every_sheet_came_to_the_turn_it_was_meant_for(store: Store) -> None:
    """As it was sent: the remark that says it is not sealed."""
    sent = {sheet.id: sheet.text for sheet in rows(store, models.Sheet)}
    for match in range(1, MATCHES_BY_MAIL + 1):
        for turn in store.turns_of(match):
            assert [f"turn {turn.number - 1}" in sent[sheet["sheet"]] for sheet in turn.sheets] == [True, True]


def no_turn_is_half_written(store: Store) -> None:
    for match in store.matches():
        assert match.status == models.OVER
        steps = replay(store, match.id)
        assert [step.difference for step in steps] == [None] * (TURNS + 1)


def every_turn_has_its_reports_and_no_report_is_without_its_turn(store: Store) -> None:
    reports = Counter(mail.key for mail in rows(store, models.Outgoing) if mail.kind == "report")
    turns = [(turn.match_id, turn.number) for turn in rows(store, models.Turn)]
    assert len(turns) == (MATCHES_BY_MAIL + MATCHES_BY_CLOCK) * TURNS
    assert reports == Counter(f"report/{match}/{turn}/{side}" for match, turn in turns for side in ("red", "blue"))


def every_missed_deadline_is_counted_once(store: Store) -> None:
    for match in range(MATCHES_BY_MAIL + 1, MATCHES_BY_MAIL + MATCHES_BY_CLOCK + 1):
        assert [seat.misses for seat in store.seats_of(match)] == [TURNS, TURNS]


def every_mail_was_carried_and_one_carried_twice_is_the_same(directory: Path, store: Store) -> None:
    carried = [json.loads(line) for line in (directory / "carried").read_text().splitlines()]
    books = {mail.message_id: mail.state for mail in rows(store, models.Outgoing)}
    times = Counter(one["id"] for one in carried)
    assert set(times) <= set(books)  # nothing was sent of what did not happen
    assert {state for message_id, state in books.items() if message_id not in times} <= {
        models.OVERTAKEN,
        models.EXPIRED,
    }
    assert set(books.values()) <= {models.SENT, models.OVERTAKEN, models.EXPIRED}
    assert len({(one["id"], one["bytes"]) for one in carried}) == len(times)


def every_letter_that_asked_was_answered_once(store: Store) -> None:
    answers = Counter(mail.letter_id for mail in rows(store, models.Outgoing) if mail.letter_id)
    asked = [letter.id for letter in rows(store, models.Letter) if letter.fate != models.DROPPED]
    assert answers == Counter(asked)
