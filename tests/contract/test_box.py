"""The showing half of a game: a game without a box is listed, one with a box shown by it, and a broken box stops nothing."""

import logging
import re
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

import pbem.games
from engine.hitlers_war.game import HitlersWar
from pbem.games import box_of, own_box
from pbem.games.box import GameBox, PlainBox
from pbem.games.guarded import Guarded, remember_trouble, troubles_until_now
from pbem.mail.finished import parsed
from pbem.records import models
from pbem.screens.console import show_text
from tests.letterbox import Letterbox, body_of, new_letterbox
from tests.postal import GM, send
from tests.toy.box import TwoHillsBox, hills_png
from tests.toy.two_hills import TwoHills

#: Every question a box may be asked; a new one is tried by itself.
MEMBERS = sorted(name for name in vars(GameBox) if not name.startswith("_") and name != "game")
#: Asked by who checks a report, not when mail is written.
NOT_FOR_MAIL = ("tells_of",)


@pytest.fixture(autouse=True)
def boxes_fail_aloud() -> Iterator[None]:
    """Here they fail as they do for a GM, and nobody else hears of it."""
    troubles_until_now()
    yield
    troubles_until_now()


class TheBoxIsBroken(Exception):
    pass


class Broken:
    """The box of Two Hills, but it fails at one question."""

    def __init__(self, game: TwoHills, at: str) -> None:
        self._whole, self._at = TwoHillsBox(game), at

    def __getattr__(self, name: str) -> object:
        if name == self._at:
            raise TheBoxIsBroken(name)
        return getattr(self._whole, name)


@pytest.fixture
def with_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pbem.games.BOXES, "two-hills", "tests.toy.box:TwoHillsBox")


def break_the_box(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    monkeypatch.setitem(pbem.games.BOXES, "two-hills", "tests.toy.box:TwoHillsBox")
    monkeypatch.setattr(pbem.games, "own_box", lambda game: Broken(game, at))


def play_a_turn(box: Letterbox) -> list[models.Outgoing]:
    """Both sides look at what they have and order something; the turn is run. All mail from the welcome on."""
    send(box.office)
    assert box.play("red", "MAP\nMAP north\nSHEET\nORDERS\nTAKE north\nEND\n").fate == models.ACCEPTED
    assert box.play("blue", "ORDERS\nTAKE south\nEND\n").fate == models.ACCEPTED
    send(box.office)
    return box.outgoing()


def assert_the_war_goes_on(box: Letterbox, mails: list[models.Outgoing]) -> None:
    match = box.office.store.position(1).match
    assert (match.frozen, match.gate_number) == ("", 1)
    kinds = [(mail.side, mail.kind) for mail in mails]
    for side in ("red", "blue"):
        assert [kind for whose, kind in kinds if whose == side and kind != "notice"] == ["welcome", "receipt", "report"]
    assert {mail.state for mail in mails if mail.side} == {models.SENT}


# ------------------------------------------------------------------ games with and without a box


def test_a_game_without_a_box_is_played_wholly_by_mail(tmp_path):
    box = new_letterbox(tmp_path)
    mails = play_a_turn(box)
    assert_the_war_goes_on(box, mails)
    welcome, receipt, report = (body_of(mail) for mail in mails if mail.side == "red" and mail.kind != "notice")
    assert "# Orders begin with: TAKE, HOLD, STANDING." in welcome
    assert 'men: {"red":3}' in welcome
    assert "1 ok" in receipt
    assert "hill-taken: hill=north side=red" in report
    assert "turn: 2" in report
    assert not [mail for mail in mails if mail.recipient == GM]


def test_a_game_with_a_box_is_shown_by_it(tmp_path, with_a_box):
    box = new_letterbox(tmp_path)
    mails = play_a_turn(box)
    assert_the_war_goes_on(box, mails)
    _, receipt, report = (mail for mail in mails if mail.side == "red" and mail.kind != "notice")
    assert "The Reds north" in body_of(receipt)
    assert "Red stands on the north hill." in body_of(report)
    assert "hill-taken" not in body_of(report)
    assert report.subject.endswith("The Reds: YOUR TURN, Turn 2, Red and Blue")
    page = parsed(report.raw).get_body(("html",)).get_content()
    assert 'alt="Two hills, seen from above"' in page
    assert 'class="banner-red in" style="color:#ffffff;background-color:#a02020;' in page
    assert not [mail for mail in mails if mail.recipient == GM]


def test_the_pictures_of_a_box_leave_with_the_mail(tmp_path, with_a_box):
    box = new_letterbox(tmp_path)
    play_a_turn(box)
    (delivered,) = [
        part.get_payload(decode=True)
        for path in (tmp_path / "out").rglob("*")
        if path.is_file() and "The Reds: YOUR TURN, Turn 2" in parsed(path.read_bytes())["Subject"]
        for part in parsed(path.read_bytes()).walk()
        if part.get_content_type() == "image/png"
    ]
    assert delivered == hills_png("red,blue")


def test_the_list_has_the_box_of_each_game_and_the_plain_one_for_others():
    assert type(own_box(HitlersWar())).__name__ == "HitlersWarBox"
    assert isinstance(box_of(TwoHills()), PlainBox)


@pytest.mark.parametrize("member", MEMBERS)
def test_every_box_answers_everything(member):
    for box in (own_box(HitlersWar()), box_of(HitlersWar()), box_of(TwoHills())):
        assert hasattr(box, member)


# ------------------------------------------------------------------ a box that is broken


@pytest.mark.parametrize("member", MEMBERS)
def test_words_and_pictures_cannot_stop_a_war(tmp_path, monkeypatch, member):
    break_the_box(monkeypatch, member)
    box = new_letterbox(tmp_path)
    mails = play_a_turn(box)
    assert_the_war_goes_on(box, mails)
    told = [mail for mail in mails if mail.recipient == GM and f"TheBoxIsBroken: {member}" in body_of(mail)]
    assert bool(told) == (member not in NOT_FOR_MAIL)


def test_what_came_of_a_line_cannot_stop_a_war_either(tmp_path, monkeypatch):
    """The lines that the events carry say it then."""

    def fails(*_):
        raise TheBoxIsBroken("came_of")

    monkeypatch.setattr(TwoHills, "came_of", fails)
    box = new_letterbox(tmp_path)
    mails = play_a_turn(box)
    assert_the_war_goes_on(box, mails)
    (report,) = (mail for mail in mails if mail.side == "red" and mail.kind == "report")
    assert re.search(r"1 ok +TAKE north", body_of(report))
    assert [mail for mail in mails if mail.recipient == GM and "TheBoxIsBroken: came_of" in body_of(mail)]


def test_of_the_same_trouble_the_gm_hears_once_a_day(tmp_path, monkeypatch):
    break_the_box(monkeypatch, "position")
    box = new_letterbox(tmp_path)
    assert len([mail for mail in play_a_turn(box) if mail.recipient == GM]) == 1
    box.watch.forward(days=1)
    box.play("red", "REPORT\n")
    assert [mail.subject for mail in box.outgoing() if mail.recipient == GM] == ["Words of a game failed: position"] * 2


def test_the_listing_takes_the_place_of_what_failed_and_of_nothing_else(tmp_path, monkeypatch):
    break_the_box(monkeypatch, "story")
    box = new_letterbox(tmp_path)
    (report,) = (mail for mail in play_a_turn(box) if (mail.side, mail.kind) == ("red", "report"))
    assert "hill-taken: hill=north side=red" in body_of(report)
    assert "Two hills, seen from above" in parsed(report.raw).get_body(("html",)).get_content()


def test_a_box_that_cannot_even_be_opened_stops_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(pbem.games.BOXES, "two-hills", "tests.toy.no_such_module:Box")
    box = new_letterbox(tmp_path)
    mails = play_a_turn(box)
    assert [mail.state for mail in mails if mail.kind == "report"] == [models.SENT] * 2
    assert any("No module named" in body_of(mail) for mail in mails if mail.recipient == GM)


def test_no_key_of_a_seat_is_told_to_the_gm(tmp_path, monkeypatch):
    box = new_letterbox(tmp_path)
    key = box.seat("red").key

    def tell_the_key(game: TwoHills) -> GameBox:
        raise TheBoxIsBroken(key)

    monkeypatch.setitem(pbem.games.BOXES, "two-hills", "tests.toy.box:TwoHillsBox")
    monkeypatch.setattr(pbem.games, "own_box", tell_the_key)
    told = [body_of(mail) for mail in play_a_turn(box) if mail.recipient == GM]
    assert told
    assert not any(key in text for text in told)


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), OperationalError("", {}, Exception("the disk is full"))])
def test_what_is_not_the_fault_of_a_box_is_passed_on(trouble):
    def fail() -> GameBox:
        raise trouble

    with pytest.raises((KeyboardInterrupt, DBAPIError)):
        Guarded(fail, PlainBox(TwoHills())).named("north")
    assert not troubles_until_now()


def test_who_only_looks_is_warned_that_he_sees_a_listing(tmp_path, monkeypatch, caplog):
    break_the_box(monkeypatch, "position")
    box = new_letterbox(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert "turn: 1" in show_text(box.office.store.position(1), "red")
    assert "Two Hills: position failed (TheBoxIsBroken)" in caplog.text


def test_of_what_fails_again_and_again_only_the_last_is_remembered():
    """Nobody may ask for it in a program that writes no mail."""
    for number in range(50):
        remember_trouble(TwoHills(), f"question {number % 2}", TheBoxIsBroken(str(number)))
    assert [(one.asked, one.traceback.strip()[-2:]) for one in troubles_until_now()] == [
        ("question 0", "48"),
        ("question 1", "49"),
    ]
    assert not troubles_until_now()
