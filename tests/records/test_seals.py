"""What is sealed into the dice: the orders, and not the remarks and blanks around them."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import without_lines
from engine.game import Options, games
from engine.orders import LONGEST_LINE, MOST_LINES
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.records.replay import replay
from pbem.records.seals import AS_SENT, NO_ORDERS, WITHOUT_REMARKS, digest_of, hashed_text, salt_for, without_remarks
from pbem.records.store import create_store, open_store
from tests.contract.test_contract import JUNK, WARS, positions
from tests.toy.table import SECRET
from tests.toy.two_hills import TwoHills

GAMES = [TwoHills(), *games().values()]
SEATS = [SeatTaken("red", "r@example.org"), SeatTaken("blue", "b@example.org")]


def orders_in(game, text: str, view) -> list[tuple]:
    """What a sheet means: the orders with their lines, and which lines are refused."""
    sheet = game.parse(text, view, "1")
    refused = {finding.line for finding in sheet.findings if finding.refuses and finding.line <= MOST_LINES}
    lines = [(line.number, msgspec.to_builtins(line.order), line.standing) for line in sheet.lines]
    return [lines, refused, sheet.refused]


def first_view(game, side: str | None = None):
    scenario = game.scenarios()[-1]
    edition = scenario.editions[0] if scenario.editions else ""
    state = game.setup(scenario.id, Options(edition=edition))
    return game.view(state, side or game.gate(state).awaits[0], "fog")


def must_mean_the_same(game, text: str, view) -> None:
    sealed = without_remarks(text)
    assert orders_in(game, sealed, view) == orders_in(game, text, view)
    assert without_remarks(sealed) == sealed
    # What is hashed fixes the orders, though it has no empty lines: only their numbers could be others.
    hashed = hashed_text(sealed, WITHOUT_REMARKS)
    orders = [line[1:] for line in orders_in(game, hashed, view)[0]]
    assert orders == [line[1:] for line in orders_in(game, sealed, view)[0]]


def with_remarks(text: str, chance: random.Random) -> str:
    """The same sheet as a talkative player would write it."""
    lines = []
    for line in text.split("\n"):
        lines += chance.choice([[], [], ["# for later"], ["", "   "], ["\t# hm"]])
        words = line.split(" ")
        line = "".join(word + " " * chance.choice([1, 1, 1, 2, 5]) for word in words)
        lines.append(" " * chance.choice([0, 0, 3]) + line + chance.choice(["", "", "# why not?", "#", "\t", " \r"]))
    return "\n".join(lines)


@pytest.mark.parametrize(("game", "scenario"), WARS, ids=[f"{game.id} {scenario.id}" for game, scenario in WARS])
def test_a_sealed_sheet_means_the_same_for_every_sheet_of_a_war(game, scenario):
    for number, state in enumerate(positions(game, scenario)[:-1]):
        side = game.gate(state).awaits[0]
        view = game.view(state, side, "fog")
        text = game.bot(view, f"sheet {number}".encode())
        must_mean_the_same(game, with_remarks(text, random.Random(number)), view)


@pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
@pytest.mark.parametrize("text", JUNK, ids=range(len(JUNK)))
def test_junk_means_as_little_when_it_is_sealed(game, text):
    must_mean_the_same(game, text.encode("utf-8", "replace").decode(), first_view(game))


WORDS = st.sampled_from(
    ["SIDE", "THE", "AXIS", "SOVIET", "TURN", "GAME", "1", "Spring", "1939", "STANDING", "CLEAR", "END", "end.", "COMBAT:",
     "ATTACK", "North", "Army Group North", "P14", "ASSAULT", "BUILD", "2I", "TAKE", "north", "HOLD", "FOR", "red", "#", ".",
     "LOSSES", "ALL", "TYPES", "I,M", "\t", "\u00a0", "\u2028", "\u200b", "\x1c", "x" * 390, " " * 20, "\n", "\r\n", "\n\n"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "  ", "\n"])), max_size=30))
def test_whatever_is_written_means_the_same_when_it_is_sealed(written):
    text = "".join(word + gap for word, gap in written)
    for game in GAMES:
        must_mean_the_same(game, text, first_view(game))


def test_a_line_that_was_too_long_to_be_read_is_not_made_short():
    """Else an order that the receipt had refused would be carried out."""
    text = f"TAKE{' ' * LONGEST_LINE}north"
    assert without_remarks(text) == text


def test_what_is_not_read_is_not_sealed():
    assert without_remarks("HOLD\nend .\nDear GM, I am ill") == "HOLD\nend ."
    assert without_remarks("\n" * MOST_LINES + "HOLD") == NO_ORDERS


# ------------------------------------------------------------------ in a match


def new_store(directory):
    create_store(directory)
    return open_store(directory, {"two-hills": TwoHills()})


@pytest.fixture
def store(tmp_path):
    return new_store(tmp_path / "war")


def turn_after(store, sheet: str) -> models.Turn:
    store.new_match("two-hills", "at-once", SEATS, secret=SECRET)
    store.take_sheet(1, "blue", "TAKE north")
    receipt = store.take_sheet(1, "red", sheet)
    turn = store.process(1).turn
    assert receipt.digest == turn.sheets[0]["digest"]
    assert [step.difference for step in replay(store, 1)] == [None, None]
    return turn


def test_remarks_and_blanks_move_no_die_and_are_not_sealed(store, tmp_path):
    plain = turn_after(store, "TAKE north")
    letter = "# Hello!\n\n  TAKE   north   # surely he does not expect it\n\n# Yours, Rita\n"
    talkative = turn_after(new_store(tmp_path / "other"), letter)
    assert plain.sheets[0]["digest"] == talkative.sheets[0]["digest"]
    assert b'"die":' in plain.events
    happened = [list(map(without_lines, TwoHills().decode_events(turn.events))) for turn in (plain, talkative)]
    assert happened[0] == happened[1], "but for the number of the line"
    assert plain.hash_after == talkative.hash_after
    assert talkative.sheets[0]["text"] == "\n\nTAKE north"
    assert talkative.sheets[0]["rule"] == WITHOUT_REMARKS


def test_what_the_player_sent_stays_on_file_with_his_remarks(store):
    match = store.new_match("two-hills", "at-once", SEATS, secret=SECRET).id
    store.take_sheet(match, "red", "HOLD # for now")
    with store.reading() as session:
        assert [sheet.text for sheet in session.exec(models.Sheet.__table__.select())] == ["HOLD # for now"]


def test_a_sheet_of_remarks_is_not_the_same_as_no_sheet(store):
    """Or it could be said afterwards that nothing had come."""
    match = store.new_match("two-hills", "at-once", SEATS, secret=SECRET).id
    store.take_sheet(match, "red", "# no orders")
    sheets = store.process(match, without_missing=True).turn.sheets
    assert [sheet["text"] for sheet in sheets] == [NO_ORDERS, None]
    secret = store.position(match).match.secret
    assert sheets[0]["digest"] != digest_of(secret, "1-red-blue", "red", None)


def test_a_sheet_that_came_before_this_was_the_rule_is_sealed_as_its_receipt_said(store):
    """It waits at the gate while the program is upgraded."""
    match = store.new_match("two-hills", "at-once", SEATS, secret=SECRET).id
    for side in ("red", "blue"):
        store.take_sheet(match, side, "TAKE north # now")
    older = digest_of(SECRET, "1-red-blue", "red", "TAKE north # now", AS_SENT)
    with store.writing() as session:
        session.connection().exec_driver_sql("UPDATE sheets SET digest = ? WHERE side = 'red'", (older,))
    red, blue = store.process(match).turn.sheets
    assert (red["rule"], red["text"], red["digest"]) == (AS_SENT, "TAKE north # now", older)
    assert (blue["rule"], blue["text"]) == (WITHOUT_REMARKS, "TAKE north")
    assert [step.difference for step in replay(store, match)] == [None, None]


def test_a_turn_that_was_sealed_before_there_were_rules_is_replayed_by_the_first(store):
    match = store.new_match("two-hills", "at-once", SEATS, secret=SECRET).id
    for side in ("red", "blue"):
        store.take_sheet(match, side, "TAKE north")
    store.process(match)
    with store.writing() as session:
        turn = session.get(models.Turn, (match, 1))
        turn.sheets = [{key: value for key, value in one.items() if key != "rule"} for one in turn.sheets]
        session.add(turn)
    assert [step.difference for step in replay(store, match)] == [None, None]
    assert salt_for(SECRET, "1-red-blue", "red").hex() == turn.sheets[0]["salt"]
