"""The last sheet of a turn lies for a while before the turn is run: until when, what ends it, and what others learn."""

import itertools
import re
from datetime import timedelta

import pytest
from typer.testing import CliRunner

import pbem.cli.main
from pbem import referee
from pbem import rollback as rolling_back
from pbem.clock.guards import MAILBOX_READ, beat
from pbem.intake import settling
from pbem.mail.inbox import Arrived
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.records.replay import replay
from pbem.screens.console import status_text
from pbem.service.deadlines import look_at_every_match, thaw_and_repeat
from tests.letterbox import Letterbox, body_of, confirmed, message_of, new_letterbox
from tests.postal import START, change, key_for, look, match_of, new_match, take
from tests.reading import flat
from tests.toy.table import toy_games

HALF_AN_HOUR = timedelta(minutes=30)
RUN_NOW = "All orders that were awaited are in, so the turn is run now. Its report follows."


@pytest.fixture
def box(tmp_path) -> Letterbox:
    """Two Hills at once, whose sheets settle for half an hour."""
    return new_letterbox(tmp_path / "war", settle_minutes=30)


@pytest.fixture
def by_turns(tmp_path) -> Letterbox:
    """The same where one side is awaited after the other."""
    return new_letterbox(tmp_path / "war", scenario="by-turns", settle_minutes=30)


def turns(box: Letterbox) -> int:
    return match_of(box.office, 1).gate_number


def after(box: Letterbox, **how_long: float) -> list[str]:
    box.watch.forward(**how_long)
    return look(box.office)


def both_send(box: Letterbox, minutes_between: float = 0) -> None:
    box.play("red", "TAKE north")
    box.watch.forward(minutes=minutes_between)
    box.play("blue", "TAKE south")


# ------------------------------------------------------------------ how long


def test_the_turn_is_run_so_long_after_the_last_sheet(box):
    both_send(box, minutes_between=10)
    assert turns(box) == 0
    assert after(box, minutes=29, seconds=59) == []
    assert after(box, seconds=1) == ["match 1: ran 1-red-blue"]
    assert replay(box.office.store, 1)[-1].difference is None


def test_a_new_sheet_starts_the_time_again_and_a_copy_of_a_letter_does_not(box):
    both_send(box)
    letter = box.compose("red@example.net", "TAKE south", key=box.key("red"))
    box.watch.forward(minutes=20)
    box.bring(letter)
    assert after(box, minutes=20) == []
    assert box.bring(letter, "another place").fate == models.DROPPED
    assert after(box, minutes=10) == ["match 1: ran 1-red-blue"]


def test_the_same_orders_sent_anew_are_a_new_sheet(box):
    both_send(box)
    box.watch.forward(minutes=20)
    box.play("red", "TAKE north")
    assert after(box, minutes=29) == []
    assert after(box, minutes=1) == ["match 1: ran 1-red-blue"]


def test_a_sheet_that_is_withdrawn_ends_it(box):
    both_send(box)
    box.play("red", "CANCEL")
    assert after(box, hours=1) == []
    assert turns(box) == 0


def test_the_deadline_ends_it(box):
    box.play("blue", "TAKE south")
    box.watch.now = match_of(box.office, 1).deadline - timedelta(minutes=10)
    text = flat(box.answer("red", "TAKE north"))
    deadline = "Monday 23 November 2026, 12:00 UTC"
    assert f"The turn is run at the deadline, {deadline}, with the newest sheet of each." in text
    assert after(box, minutes=9) == []
    assert after(box, minutes=1) == ["match 1: ran 1-red-blue"]


def test_in_the_grace_a_turn_is_run_at_once(tmp_path):
    box = new_letterbox(tmp_path / "war", settle_minutes=30, clock={"hours": 168, "grace": 12})
    box.play("blue", "TAKE south")
    box.watch.now = match_of(box.office, 1).deadline + timedelta(hours=1)
    assert RUN_NOW in flat(box.answer("red", "TAKE north"))
    assert turns(box) == 1


def test_a_sheet_that_comes_after_the_grace_is_run_at_once_too(box):
    box.play("blue", "TAKE south")
    box.watch.now = match_of(box.office, 1).deadline + timedelta(hours=1)
    box.play("red", "TAKE north")
    assert turns(box) == 1
    assert box.seat("red").misses == 0


def test_without_a_deadline_it_is_the_only_time(tmp_path):
    box = new_letterbox(tmp_path / "war", settle_minutes=30, clock={})
    both_send(box)
    assert after(box, minutes=29) == []
    assert after(box, minutes=1) == ["match 1: ran 1-red-blue"]
    both_send(box)
    text = flat(box.answer("red", "WAIT\nSTATUS"))
    assert "There is no deadline. The turn is run when all sheets are in and you have said READY." in text
    assert after(box, days=20) == []


def test_a_match_that_was_made_before_runs_its_turns_at_once(office, watch):
    match = new_match(office)
    assert match_of(office, match).settle_minutes == 0
    take(office, match, "red")
    take(office, match, "blue")
    assert match_of(office, match).gate_number == 1


# ------------------------------------------------------------------ what holds it, and what skips it


def test_wait_holds_the_turn_until_its_deadline(box):
    both_send(box)
    box.play("red", "WAIT")
    assert after(box, hours=1) == []
    box.watch.now = match_of(box.office, 1).deadline
    assert look(box.office) == ["match 1: ran 1-red-blue"]


def test_only_ready_of_every_awaited_player_skips_it(box):
    both_send(box)
    said = box.answer("red", "READY")
    assert "as soon as READY has come from Blue too, or else 30 minutes after the last sheet" in flat(said)
    assert turns(box) == 0
    box.play("blue", "READY")
    assert turns(box) == 1


def test_a_new_sheet_takes_ready_back(box):
    both_send(box)
    box.play("red", "READY")
    box.play("red", "TAKE south")
    box.play("blue", "READY")
    assert turns(box) == 0


def test_ready_in_the_mail_of_the_sheet_is_known_to_its_receipt(by_turns):
    """One player is awaited, so his word is enough."""
    assert RUN_NOW in flat(by_turns.answer("red", "TAKE north\nTAKE east/west\nREADY"))
    assert turns(by_turns) == 1


def test_ready_in_the_mail_of_the_first_sheet_waits_for_the_other(box):
    text = flat(box.answer("red", "TAKE north\nREADY"))
    assert RUN_NOW not in text
    box.play("blue", "TAKE south")
    assert turns(box) == 0
    box.play("blue", "READY")
    assert turns(box) == 1


def test_refused_lines_hold_the_turn_and_after_ready_the_time_has_gone_on(box):
    box.play("red", "TAKE north\nTAKE east/west")
    box.play("blue", "TAKE south")
    assert after(box, minutes=40) == []
    box.play("red", "READY")
    assert look(box.office) == ["match 1: ran 1-red-blue"]


def test_sheets_of_bots_never_settle(tmp_path):
    seats = [SeatTaken("red", "red@example.net", "Red"), SeatTaken("blue", "", bot="random")]
    box = new_letterbox(tmp_path / "war", settle_minutes=30, seats=seats)
    box.watch.forward(minutes=5)
    box.play("red", "TAKE north")
    assert after(box, minutes=29) == []
    assert after(box, minutes=1) == ["match 1: ran 1-red-blue"]
    box.play("red", "HOLD\nREADY")
    assert turns(box) == 2, "nobody else can say it"


def test_where_only_bots_are_awaited_nothing_has_to_settle(tmp_path):
    seats = [SeatTaken("red", "red@example.net", "Red"), SeatTaken("blue", "", bot="random")]
    box = new_letterbox(tmp_path / "war", scenario="by-turns", settle_minutes=30, seats=seats)
    box.play("red", "TAKE north\nREADY")
    assert turns(box) == 1
    assert look(box.office) == ["match 1: ran 1-blue"]


def test_when_a_bot_takes_the_last_seat_the_sheet_of_the_other_still_settles(box):
    box.play("red", "TAKE north")
    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, 1)
        referee.seat_bot(session, box.office, match, referee.seat_in(session, match, "blue"))
    assert turns(box) == 0
    assert after(box, minutes=30) == ["match 1: ran 1-red-blue"]


# ------------------------------------------------------------------ SETTLE READY


def test_settle_ready_waits_for_ready_whatever_the_match_does(by_turns):
    assert "is run 30 minutes after the last sheet" in flat(by_turns.answer("red", "SETTLE"))
    assert "before you have said READY" in flat(by_turns.answer("red", "SETTLE READY"))
    text = flat(by_turns.answer("red", "TAKE north"))
    assert "You have asked to be waited for (SETTLE READY), so the turn is not run before its deadline" in text
    assert "12:30" not in text
    assert after(by_turns, hours=1) == []
    by_turns.play("red", "READY")
    assert turns(by_turns) == 1


def test_settle_ready_counts_where_turns_are_run_at_once(tmp_path):
    box = new_letterbox(tmp_path / "war", scenario="by-turns")
    box.play("red", "SETTLE READY")
    assert "as you asked" not in box.answer("red", "TAKE north")
    assert turns(box) == 0
    assert "without your READY (SETTLE OFF ends it)" in flat(box.answer("red", "STATUS"))
    box.play("red", "SETTLE OFF")
    assert turns(box) == 1


def test_at_the_deadline_the_sheet_is_used_without_ready(by_turns):
    by_turns.play("red", "SETTLE READY")
    by_turns.play("red", "TAKE north")
    by_turns.watch.now = match_of(by_turns.office, 1).deadline
    assert look(by_turns.office) == ["match 1: ran 1-red"]
    assert by_turns.seat("red").misses == 0


def test_it_counts_for_every_turn_until_it_is_taken_back_or_the_seat_changes_hands(by_turns):
    by_turns.play("red", "SETTLE READY")
    by_turns.play("red", "TAKE north\nREADY")
    assert turns(by_turns) == 1
    assert by_turns.seat("red").settle_ready
    with by_turns.office.store.writing() as session:
        match = by_turns.office.store.match_in(session, 1)
        referee.seat_player(session, by_turns.office, match, referee.seat_in(session, match, "red"), "new@example.net")
    assert not by_turns.seat("red").settle_ready


@pytest.mark.parametrize("talk", ["Settle down, please.", "SETTLE FOR PEACE"])
def test_talk_about_settling_is_no_command(box, talk):
    box.play("red", talk)
    assert not box.seat("red").settle_ready


# ------------------------------------------------------------------ what the players are told


def test_the_receipt_with_odds_says_until_when_and_what_stops_it(by_turns):
    text = flat(by_turns.answer("red", "TAKE north"))
    assert "ODDS" in text
    assert (
        "All orders that were awaited are in. The turn is run on Monday 16 November 2026, 12:30 UTC, 30 minutes after"
        " the last of them came, unless somebody holds it: WAIT does, until the deadline, Monday 23 November 2026, 12:00"
        " UTC, and so does a line that was refused. A new sheet starts the 30 minutes again. If nobody holds the turn,"
        " READY runs it at once."
    ) in text


def test_who_is_not_awaited_may_know_the_moment_too(by_turns):
    by_turns.play("red", "TAKE north")
    text = flat(by_turns.answer("blue", "STATUS"))
    assert "The turn is run on Monday 16 November 2026, 12:30 UTC" in text
    assert "READY of everybody who is awaited runs it at once" in text


def test_before_all_sheets_are_in_the_rule_is_told(box):
    text = flat(box.answer("red", "TAKE north"))
    rule = "or 30 minutes after the last sheet that is awaited has come."
    assert f"The turn is run at the deadline, Monday 23 November 2026, 12:00 UTC, {rule}" in text
    assert rule in flat(body_of(next(mail for mail in box.outgoing() if mail.kind == "welcome")))


def test_after_its_moment_a_turn_that_is_held_is_not_told_of_as_to_come(box):
    both_send(box)
    box.play("red", "WAIT")
    box.watch.forward(minutes=31)
    assert "30 minutes have passed. The turn is run at the next look at the clock, unless somebody holds it" in flat(
        box.answer("blue", "STATUS")
    )
    assert "and not earlier, as you asked (WAIT)" in flat(box.answer("red", "STATUS"))


SECRETS = {"nothing": (), "ready": ("READY",), "wait": ("WAIT",), "asked": ("SETTLE READY",)}
SHEETS = {"whole": "TAKE north", "in part": "TAKE north\nTAKE east/west"}


def mailed_to_blue(directory, sheet: str, said: tuple[str, ...], *, first: bool) -> list[list[str]]:
    """All that he is told while the sheets lie there, in words and as a page."""
    box = new_letterbox(directory, settle_minutes=30)
    for side in ("red", "blue"):
        change(box.office, 1, side, key=key_for(1, side))
    red = [("red", sheet), *(("red", word) for word in said)]
    blue = [("blue", "TAKE south"), ("blue", "SHOW")]
    for side, text in red + blue if first else blue + red:
        box.play(side, text)
    box.watch.forward(minutes=10)
    look(box.office)
    for word in ("STATUS", "SHOW", "CHECK\nTAKE south", "MAP", "WAIT"):
        box.play("blue", word)
    assert turns(box) == 0
    return [told_in(mail) for mail in box.new_mail("blue@")]


def told_in(mail: models.Outgoing) -> list[str]:
    parts = [part for part in message_of(mail).walk() if part.get_content_maintype() == "text"]
    names = re.compile(r'cid:[^"]+')
    facts = [mail.subject, mail.kind, mail.state, str(mail.expires)]
    return [*facts, *(names.sub("", str(part.get_content())) for part in parts)]


@pytest.mark.parametrize("first", [True, False])
def test_nothing_mailed_to_another_differs_by_ready_wait_or_refused_lines(tmp_path, first):
    told = {
        (sheet, said): mailed_to_blue(tmp_path / f"{sheet} {said}", SHEETS[sheet], SECRETS[said], first=first)
        for sheet, said in itertools.product(SHEETS, SECRETS)
    }
    plain = told["whole", "nothing"]
    assert len(plain) == 7
    assert sum("12:30 UTC" in str(mail) for mail in plain) >= 3
    for what, mails in told.items():
        assert mails == plain, what


# ------------------------------------------------------------------ the clock and the mailbox


def test_a_letter_that_was_sent_before_is_read_first(box):
    """No turn is run while the mailbox has not been read since its sheets have settled."""
    both_send(box)
    box.watch.forward(minutes=30)
    with box.office.store.writing() as session:
        beat(session, MAILBOX_READ, box.watch.now - timedelta(seconds=1))
    said = "match 1: all sheets are in, but the mailbox was not read since they have settled"
    assert look_at_every_match(box.office, box.watch.now) == [said]
    number = settling.take_in(box.office, Arrived("late", box.compose("red@example.net", "WAIT", key=box.key("red"))))
    assert look(box.office) == [said], "a letter lies there unread"
    settling.settle(box.office, number)
    assert look(box.office) == []
    assert turns(box) == 0


def test_in_a_pause_nothing_is_run_and_when_it_ends_the_time_has_gone_on(box):
    both_send(box)
    change(box.office, 1, paused=True)
    assert "12:30" not in box.answer("red", "STATUS")
    assert after(box, hours=1) == []
    change(box.office, 1, paused=False)
    assert look(box.office) == ["match 1: ran 1-red-blue"]


def test_a_turn_that_froze_is_repeated_without_settling_again(box, monkeypatch):
    both_send(box)
    with monkeypatch.context() as broken:
        broken.setattr(type(box.office.store.games["two-hills"]), "run", lambda *_: 1 / 0)
        assert "frozen" in after(box, minutes=30)[0]
    assert after(box, minutes=1) == []
    assert thaw_and_repeat(box.office, 1, box.watch.now) is not None


def test_after_a_rollback_all_begins_anew(box):
    both_send(box)
    after(box, minutes=30)
    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, 1)
        rolling_back.roll_back(session, box.office, rolling_back.plan(session, box.office, match), "")
    assert after(box, hours=1) == []
    both_send(box)
    assert after(box, minutes=29) == []
    assert after(box, minutes=1) == ["match 1: ran 1-red-blue"]


# ------------------------------------------------------------------ the GM


def test_the_gm_can_run_the_turn_before(box):
    both_send(box)
    confirmed(box, "PROCESS 1")
    assert turns(box) == 1


def test_status_shows_the_gm_the_moment_and_who_holds_it(box):
    store = box.office.store
    assert "   Runs 30 minutes after the last sheet\n" in status_text([store.standing(1)])
    both_send(box)
    assert "   Runs 2026-11-16 12:30 UTC, 30 minutes after the last sheet" in status_text([store.standing(1)])
    assert store.standing(1).settles == START + HALF_AN_HOUR
    box.play("red", "WAIT")
    assert "   All sheets are in, but the turn is held (red: WAIT)\n" in status_text([store.standing(1)])
    box.play("red", "READY\nSETTLE READY")
    box.play("red", "TAKE north")
    text = status_text([store.standing(1)])
    assert "   All sheets are in, but the turn is held\n" in text
    assert "not final (SETTLE READY): it waits for READY or the deadline" in text


def gm(directory, *words: object) -> str:
    done = CliRunner().invoke(pbem.cli.main.app, ["-C", str(directory), *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(
    ("settings", "words", "minutes"),
    [
        (None, (), 30),
        (None, ("--settle", 0), 0),
        (None, ("--settle", 45), 45),
        ("settle_minutes: 5", (), 5),
        ("", (), 0),
    ],
)
def test_pbem_new_says_it_or_the_settings_do(tmp_path, monkeypatch, settings, words, minutes):
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    war = tmp_path / "war"
    gm(war, "init", war)
    if settings is not None:
        file = war / "settings.yaml"
        lines = file.read_text().splitlines()
        file.write_text("\n".join(f"  {settings}" if "settle_minutes" in line else line for line in lines))
    seats = ("--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    said = gm(war, "new", "two-hills", "at-once", *seats, *words)
    assert (f"a turn is run {minutes} minutes after its last sheet" in said) == bool(minutes)
    assert f'"settle_minutes": {minutes}' in gm(war, "status", "--json")
