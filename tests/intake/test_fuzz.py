"""Four thousand damaged letters through the whole intake. `make soak` brings 20,000 others."""

import pytest

from pbem.records import models
from tests import fuzzing

CHUNK = 1_000
SEED = "1941"


@pytest.mark.parametrize("first", range(0, 2_000, CHUNK))
def test_damaged_letters_have_one_fate_each_and_forge_nothing(first, tmp_path):
    fates = fuzzing.run(tmp_path / "war", SEED, range(first, first + CHUNK))
    assert fates.total() == CHUNK
    assert all(fates[fate] > CHUNK / 50 for fate in models.FATES), "letters of all kinds are among them"


@pytest.mark.soak
@pytest.mark.parametrize("seed", [f"soak {number}" for number in range(8)])
def test_twenty_thousand_letters_more(seed, tmp_path):
    assert fuzzing.run(tmp_path / "war", seed, range(2_500)).total() == 2_500


@pytest.fixture
def fuzz(tmp_path):
    return fuzzing.Fuzzing(tmp_path / "war", SEED)


def settle_many(fuzz):
    for number in range(500):
        fuzz.settle(number)


def test_a_letter_accepted_without_the_key_would_be_noticed(fuzz, monkeypatch):
    monkeypatch.setattr("pbem.intake.triage.keys_agree", lambda given, seat: True)
    with pytest.raises(AssertionError, match="who did not write it"):
        settle_many(fuzz)


def test_a_letter_accepted_from_another_address_would_be_noticed(fuzz, monkeypatch):
    monkeypatch.setattr("pbem.intake.triage.same_address", lambda one, other: True)
    with pytest.raises(AssertionError, match=r"who did not write it|gets the key"):
        settle_many(fuzz)


def test_a_letter_that_breaks_the_program_would_be_noticed(fuzz, monkeypatch):
    monkeypatch.setattr("pbem.intake.errands.requests_of_own", lambda *_: 1 / 0)
    with pytest.raises(AssertionError, match="the program failed: ZeroDivisionError"):
        settle_many(fuzz)
