"""Which words of a letter are orders: those of the games at hand, each with the places of its own game."""

import pytest

from engine.game import games
from engine.language import Language, Verb
from pbem.commands.table import all_words
from pbem.games import box_of
from pbem.letters import Words, read_letter
from pbem.letters.orders import looks_like_an_order
from tests.letterbox import Letterbox, body_of
from tests.toy.two_hills import TwoHills

NUMBERED = Language((Verb("STRIKE", "STRIKE 1237", "attack"),), headings=("WEEK",), place=r"\d{4}")
LETTERED = Language((Verb("RAID", "RAID B0934", "bomb"),), place=r"[A-Z]\d{4}")
EUROPE = games()["hitlers-war"].language("barbarossa")
WORDS = Words.of(("STATUS",), (NUMBERED, LETTERED, EUROPE))


@pytest.mark.parametrize(
    "line",
    [
        "STRIKE 1237",
        "strike 1237 with all",
        "Strke 1237",
        "stirke at 0101.",
        "Raid b0934",
        "Riad B0934",
        "Atack Center Q16",
    ],
)
def test_an_order_is_known_by_the_places_of_its_game(line):
    assert looks_like_an_order(line, WORDS)


@pytest.mark.parametrize(
    "line",
    [
        "Strke him down",  # no place at all
        "Strke Q16",  # a place of another game
        "Atack in 1941",
        "Attack was the word of 1941, you know.",
        "Strikes are called off",
        "Riad is far away",
    ],
)
def test_talk_is_no_order_for_a_place_of_another_game(line):
    assert not looks_like_an_order(line, WORDS)


def test_alone_a_game_knows_its_own_places_only():
    alone = Words.of((), (EUROPE,))
    assert not looks_like_an_order("Strke 1237", alone)
    assert not alone.are_named_in("In 1941 it was 1237.")
    assert alone.headings == {"GAME", "TURN", "SIDE"}


def test_behind_a_command_any_place_may_be_named():
    assert WORDS.are_named_behind("STATUS", "Status of 1237")
    assert WORDS.are_named_behind("STATUS", "Status of Q16")
    assert not WORDS.are_named_behind("STATUS", "Status of all")


def test_without_a_game_nothing_is_named():
    assert not Words.of(("STATUS",), ()).are_named_in("Q16 1237 2I")


def test_the_words_are_gathered_once():
    playing = games().values()
    assert all_words(playing) is all_words(playing)


def test_a_letter_to_a_game_with_numbered_places_is_read():
    raw = b"From: a@example.org\r\n\r\nHello,\r\nthis is for you.\r\n\r\nStrke 1237\r\nSTRIKE 0934\r\n\r\nBest,\r\nAnn\r\n"
    assert read_letter(raw, Words.of((), (NUMBERED,))).lines == ("Strke 1237", "STRIKE 0934")
    assert read_letter(raw, Words.of((), (LETTERED,))).lines == ()


# ------------------------------------------------------------------ a game that was never heard of, by mail


def test_help_lists_the_orders_of_the_game_with_their_usage(box: Letterbox):
    text = box.answer("red", "HELP")
    listed = text.partition("Orders of Two Hills:")[2]
    for verb in TwoHills().language("at-once").verbs:
        assert f"  {verb.usage}\n" in listed
        assert verb.what in listed


def test_help_explains_an_order_that_has_no_chapter(box: Letterbox):
    text = box.answer("red", "HELP take")
    assert "  TAKE north\n" in text
    assert "Go to a hill and fight for it." in text


def test_a_mistyped_order_is_answered_by_the_receipt(box: Letterbox):
    told = box.answer("red", "Good evening,\n\nTaek north\n")
    assert "Taek north" in told
    assert "TAKE north" in told


def test_examples_name_a_side_of_the_game_at_hand(box: Letterbox):
    text = box.answer("red", "HELP")
    assert "PRESS TO blue" in text
    assert "soviet" not in text
    assert "HW-" not in text


def test_a_stranger_is_told_no_orders(box: Letterbox):
    box.send("somebody@example.org", "HELP")
    assert "TAKE" not in body_of(box.only_mail())


def test_the_plain_form_names_the_words(box: Letterbox):
    position = box.office.store.position(1)
    form = box_of(TwoHills()).form(1, position.view("red"), position.gate, "red")
    assert "# Orders begin with: TAKE, HOLD, STANDING." in form
