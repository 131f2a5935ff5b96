"""The referee's clock: when a turn is run, who is reminded, what counts as missed, and when nothing may happen at all."""

from datetime import timedelta

import pytest
from sqlmodel import select

from pbem import referee
from pbem.clock.guards import MAILBOX_READ, TICK, beat
from pbem.mail.postman import Never
from pbem.post.notices import tell_players
from pbem.records import models
from pbem.records.matches import SheetsAreMissing, TheMatchIsFrozen
from pbem.records.replay import replay
from pbem.referee import TheMatchIsNotFrozen, ThereIsNoDeadline
from pbem.service.deadlines import look_at_every_match, thaw_and_repeat
from tests.postal import (
    GM,
    START,
    PatientPostman,
    change,
    key_for,
    look,
    mails,
    match_of,
    new_match,
    seat_of,
    send,
    subjects,
    take,
    text_of,
)


@pytest.fixture
def match(office) -> int:
    return new_match(office)


def turns(office, match) -> int:
    return match_of(office, match).gate_number


def ledger(office, match) -> list[str]:
    with office.store.reading() as session:
        return [entry.act for entry in session.exec(select(models.Ledger).where(models.Ledger.match_id == match))]


def act(office, match, what, *arguments, **more):
    with office.store.writing() as session:
        return what(session, office, office.store.match_in(session, match), *arguments, **more)


# ------------------------------------------------------------------ running at once


def test_the_last_sheet_runs_the_turn_and_everybody_gets_a_report(office, match, watch):
    take(office, match, "red")
    assert (turns(office, match), mails(office)) == (0, [])
    watch.forward(hours=5)
    take(office, match, "blue")
    assert turns(office, match) == 1
    assert [(mail.kind, mail.side) for mail in mails(office)] == [("report", "red"), ("report", "blue")]
    assert match_of(office, match).deadline == watch.now + timedelta(days=7)
    assert replay(office.store, match)[-1].difference is None


def test_the_reports_hold_what_their_reader_may_know_and_his_key_alone(office, match):
    take(office, match, "red", "TAKE north")
    take(office, match, "blue", "TAKE north")
    red, blue = mails(office, "report")
    assert key_for(match, "red").encode() in red.raw
    assert key_for(match, "blue").encode() not in red.raw
    assert key_for(match, "red").encode() not in blue.raw
    assert key_for(match, "red") not in red.subject


def test_a_sheet_with_a_bad_line_waits_until_its_sender_is_ready(office, match):
    take(office, match, "red", "TAKE north\nTAKE the moon")
    take(office, match, "blue")
    assert turns(office, match) == 0
    change(office, match, "red", ready_gate="some-other-gate")
    act(office, match, referee.on_sheet)
    assert turns(office, match) == 0
    change(office, match, "red", ready_gate=office.store.position(match).gate.id)
    act(office, match, referee.on_sheet)
    assert turns(office, match) == 1
    assert seat_of(office, match, "red").ready_gate == ""


def test_who_says_wait_is_waited_for(office, match, watch):
    gate = office.store.position(match).gate.id
    change(office, match, "red", wait_gate=gate)
    take(office, match, "red")
    take(office, match, "blue")
    assert turns(office, match) == 0
    assert look(office) == []
    watch.forward(days=7)
    assert look(office) == [f"match {match}: ran {gate}"]
    assert seat_of(office, match, "red").wait_gate == ""
    assert [seat_of(office, match, side).misses for side in ("red", "blue")] == [0, 0]


def test_a_sheet_with_a_bad_line_is_used_at_the_deadline_without_a_miss(office, match, watch):
    take(office, match, "red", "TAKE north\nTAKE the moon")
    take(office, match, "blue")
    watch.forward(days=7)
    look(office)
    assert turns(office, match) == 1
    assert seat_of(office, match, "red").misses == 0


@pytest.mark.parametrize("state", [{"paused": True}, {"status": models.OVER}])
def test_nothing_is_run_while_a_match_is_not_under_way(office, match, watch, state):
    change(office, match, **state)
    take(office, match, "red")
    take(office, match, "blue")
    watch.forward(days=100)
    assert look(office) == []
    assert turns(office, match) == 0


def test_what_came_in_a_pause_is_run_when_it_ends(office, match):
    act(office, match, referee.pause)
    take(office, match, "red")
    take(office, match, "blue")
    act(office, match, referee.resume)
    assert look(office) == [look_text(office, match)]
    assert turns(office, match) == 1


def look_text(office, match) -> str:
    with office.store.reading() as session:
        return f"match {match}: ran {session.get(models.Turn, (match, 1)).gate_id}"


def test_a_missing_sheet_is_not_passed_over_by_mistake(office, match):
    with pytest.raises(SheetsAreMissing):
        act(office, match, referee.run_gate)
    assert (turns(office, match), mails(office)) == (0, [])


def test_the_last_turn_ends_the_match_and_its_deadlines(office, match):
    for _ in range(4):
        take(office, match, "red")
        take(office, match, "blue")
    ended = match_of(office, match)
    assert (ended.status, ended.deadline, ended.gate_number) == (models.OVER, None, 4)
    assert subjects(office, to=GM) == [f"[{match} Two Hills, both at once] Match {match} is over"]


# ------------------------------------------------------------------ reminders


def test_each_player_is_reminded_once_at_his_own_lead(office, match, watch):
    change(office, match, "blue", lead_hours=48)
    watch.forward(days=5, seconds=-1)
    assert look(office) == []
    watch.forward(seconds=1)
    assert look(office) == [f"match {match}: reminded blue"]
    assert look(office) == []
    watch.forward(days=1)
    assert look(office) == [f"match {match}: reminded red"]
    reminder = mails(office, "reminder")[0]
    assert (reminder.recipient, reminder.expires) == ("blue@example.org", match_of(office, match).deadline)


def test_who_has_sent_or_wants_no_reminders_gets_none(office, match, watch):
    change(office, match, "blue", lead_hours=0)
    take(office, match, "red")
    watch.forward(days=6, hours=23)
    assert look(office) == []


def test_a_reminder_that_has_not_left_is_overtaken_by_the_turn(office, match, watch):
    watch.forward(days=6, hours=12)
    look(office)
    take(office, match, "red")
    take(office, match, "blue")
    assert {mail.state for mail in mails(office, "reminder")} == {models.OVERTAKEN}


def test_nobody_is_reminded_in_the_first_half_of_a_short_turn(office, watch):
    match = new_match(office, clock={"hours": 12})
    assert look(office) == []
    watch.forward(hours=6)
    assert look(office) == [f"match {match}: reminded red", f"match {match}: reminded blue"]


def test_after_an_extension_one_is_reminded_of_the_new_deadline(office, match, watch):
    watch.forward(days=6)
    look(office)
    act(office, match, referee.extend, 48)
    assert look(office) == []
    watch.forward(days=2)
    assert len(look(office)) == 2


# ------------------------------------------------------------------ the deadline


def after_the_deadline(office, match, watch, **more) -> list[str]:
    """The reports were sent; then the deadline passes."""
    send(office)
    watch.now = match_of(office, match).deadline + timedelta(**more)
    return look(office)


def test_after_the_deadline_standing_orders_and_defaults_are_played(office, match, watch):
    take(office, match, "red", "TAKE north")
    assert after_the_deadline(office, match, watch, seconds=-1) == [f"match {match}: reminded blue"]
    assert "ran" in after_the_deadline(office, match, watch)[0]
    assert [seat_of(office, match, side).misses for side in ("red", "blue")] == [0, 1]
    assert "missed a deadline" in ledger(office, match)
    assert len(mails(office, "report")) == 2
    assert replay(office.store, match)[-1].difference is None


def test_the_grace_after_the_deadline_is_kept(office, watch):
    match = new_match(office, clock={"hours": 168, "grace": 12})
    assert after_the_deadline(office, match, watch, hours=11, minutes=59) == []
    take(office, match, "red")
    assert "ran" in after_the_deadline(office, match, watch, hours=12)[0]
    assert seat_of(office, match, "red").misses == 0


def test_without_a_deadline_nothing_ever_passes(office, watch):
    match = new_match(office, clock={})
    watch.forward(days=400)
    assert look(office) == []
    assert turns(office, match) == 0


def test_after_two_misses_in_a_row_the_gm_is_told_what_he_can_do(office, match, watch):
    take(office, match, "red")
    after_the_deadline(office, match, watch)
    assert subjects(office, to=GM) == []
    take(office, match, "red")
    after_the_deadline(office, match, watch)
    notice = mails(office, to=GM)[-1]
    assert "blue has missed 2 deadlines" in notice.subject
    assert f"pbem replace {match} blue bot" in text_of(notice)


def test_a_sheet_makes_up_for_an_earlier_miss(office, match, watch):
    take(office, match, "red")
    after_the_deadline(office, match, watch)
    take(office, match, "blue")
    take(office, match, "red")
    assert seat_of(office, match, "blue").misses == 0
    assert turns(office, match) == 2


def test_an_open_seat_is_played_by_defaults_and_misses_nothing(office, match, watch):
    act(office, match, lambda *given: referee.seat_left(*given, referee.seat_in(given[0], given[2], "blue")))
    take(office, match, "red")
    assert turns(office, match) == 0
    after_the_deadline(office, match, watch)
    assert turns(office, match) == 1
    assert seat_of(office, match, "blue").misses == 0
    assert mails(office, "report", to="blue") == []


# ------------------------------------------------------------------ absence and bounces


def test_the_deadline_moves_to_the_end_of_an_absence_once(office, match, watch):
    deadline = match_of(office, match).deadline
    change(office, match, "blue", absent_from=START, absent_to=deadline + timedelta(days=3))
    assert after_the_deadline(office, match, watch)[0] == f"match {match}: the deadline waits for blue"
    assert match_of(office, match).deadline == deadline + timedelta(days=3)
    assert [mail.side for mail in mails(office, "notice")] == ["red", "blue"]
    change(office, match, "blue", absent_to=deadline + timedelta(days=30))
    take(office, match, "red")
    assert "ran" in after_the_deadline(office, match, watch)[0]
    assert seat_of(office, match, "blue").misses == 1


def test_an_absence_holds_nobody_up_for_longer_than_a_month(office, match, watch):
    deadline = match_of(office, match).deadline
    change(office, match, "blue", absent_from=START, absent_to=deadline + timedelta(days=300))
    after_the_deadline(office, match, watch)
    assert match_of(office, match).deadline == deadline + timedelta(days=30)


def test_who_is_away_but_has_sent_his_sheet_holds_nobody_up(office, match, watch):
    deadline = match_of(office, match).deadline
    change(office, match, "blue", absent_from=START, absent_to=deadline + timedelta(days=3))
    take(office, match, "blue")
    assert "ran" in after_the_deadline(office, match, watch)[0]


def test_an_absence_that_ends_before_the_deadline_changes_nothing(office, match, watch):
    change(office, match, "blue", absent_from=START, absent_to=START + timedelta(days=1))
    assert "ran" in after_the_deadline(office, match, watch)[0]


def test_a_call_our_own_server_refuses_is_not_a_missed_turn(office, match, watch):
    """Nobody can forge that, so the deadline is put off day by day until the GM has found a way."""
    take(office, match, "red")
    take(office, match, "blue")
    send(office, PatientPostman(blue=Never("550 5.1.1 no such user")))
    take(office, match, "red")
    held = [f"match {match}: the deadline is held, blue cannot be reached"]
    assert [after_the_deadline(office, match, watch) for _ in range(4)] == [held] * 4
    assert turns(office, match) == 1
    assert seat_of(office, match, "blue").misses == 0
    undelivered, notice = mails(office, to=GM)
    assert "cannot be delivered" in undelivered.subject
    assert f"pbem replace {match} blue" in text_of(notice)


def test_a_server_that_refuses_an_address_holds_the_deadline_whatever_the_mail_was(office, match, watch):
    """The report has arrived, but the answer to a question was refused, and so would the reminder be."""
    take(office, match, "red")
    act(office, match, lambda *given: tell_players(*given, "news", "paused"))
    send(office, PatientPostman(blue=Never("550 5.1.1 no such user")))
    assert "held" in after_the_deadline(office, match, watch)[0]
    act(office, match, lambda *given: tell_players(*given, "more", "resumed"))
    assert "ran" in after_the_deadline(office, match, watch)[0], "a mail was delivered, so he can be reached"


def test_a_mark_alone_holds_no_deadline(office, match, watch):
    take(office, match, "red")
    change(office, match, "blue", bounces=True)
    assert "ran" in after_the_deadline(office, match, watch)[0]


def test_after_a_bounce_the_right_address_gets_everything_and_its_full_time(office, match, watch):
    take(office, match, "red")
    take(office, match, "blue")
    change(office, match, "blue", bounces=True)
    after_the_deadline(office, match, watch)
    act(
        office,
        match,
        lambda *given: referee.seat_player(
            *given, referee.seat_in(given[0], given[2], "blue"), "new@example.net", "Berta"
        ),
    )
    seat = seat_of(office, match, "blue")
    assert (seat.address, seat.bounces, seat.state) == ("new@example.net", False, models.TAKEN)
    assert seat.key not in ("", key_for(match, "blue"))
    assert [mail.kind for mail in mails(office, to="new@example.net")] == ["welcome", "report"]
    assert match_of(office, match).deadline == watch.now + timedelta(days=7)


def test_a_report_that_could_not_leave_the_house_holds_the_deadline(office, match, watch):
    take(office, match, "red")
    take(office, match, "blue")
    watch.forward(days=7)
    assert "the deadline is held" in look(office)[0]
    assert turns(office, match) == 1


# ------------------------------------------------------------------ bots


def test_a_bot_writes_as_soon_as_its_gate_opens(office, match):
    act(office, match, lambda *given: referee.seat_bot(*given, referee.seat_in(given[0], given[2], "blue")))
    assert seat_of(office, match, "blue").key == ""
    take(office, match, "red")
    assert turns(office, match) == 1
    take(office, match, "red")
    assert turns(office, match) == 2
    assert mails(office, "report", to="blue") == []


def test_two_bots_play_on_by_themselves_one_turn_a_look(office, match):
    for side in ("red", "blue"):
        act(
            office, match, lambda *given, side=side: referee.seat_bot(*given, referee.seat_in(given[0], given[2], side))
        )
    assert turns(office, match) == 1  # the second one completed the sheets
    for count in (2, 3, 4):
        look(office)
        assert turns(office, match) == count
    assert look(office) == []
    assert replay(office.store, match)[-1].difference is None


# ------------------------------------------------------------------ guards


def look_as_it_is(office) -> list[str]:
    return look_at_every_match(office, office.clock())


def set_pulse(office, name, at) -> None:
    with office.store.writing() as session:
        beat(session, name, at)


@pytest.mark.parametrize("gap", [timedelta(seconds=-30), timedelta(0), timedelta(hours=23)])
def test_small_differences_are_no_jump(office, match, watch, gap):
    watch.now = match_of(office, match).deadline
    set_pulse(office, TICK, watch.now - gap)
    set_pulse(office, MAILBOX_READ, watch.now)
    assert "ran" in look_as_it_is(office)[0]


def test_no_deadline_passes_while_the_mailbox_was_not_read_since(office, match, watch):
    watch.now = match_of(office, match).deadline + timedelta(hours=1)
    assert look(office, mailbox_read=False) == [
        f"match {match}: the deadline has passed, but the mailbox was not read since"
    ]
    set_pulse(office, MAILBOX_READ, match_of(office, match).deadline - timedelta(seconds=1))
    assert "not read" in look(office, mailbox_read=False)[0]
    set_pulse(office, MAILBOX_READ, match_of(office, match).deadline)
    assert "ran" in look(office, mailbox_read=False)[0]


def test_the_grace_counts_for_the_mailbox_too(office, watch):
    match = new_match(office, clock={"hours": 24, "grace": 2})
    deadline = match_of(office, match).deadline
    watch.now = deadline + timedelta(hours=3)
    set_pulse(office, MAILBOX_READ, deadline + timedelta(hours=1))
    assert "not read" in look(office, mailbox_read=False)[0]


def test_no_deadline_passes_while_letters_lie_there_unread(office, match, watch):
    with office.store.writing() as session:
        session.add(models.Letter(place="1", raw=b"", raw_digest="x", arrived=watch.now))
    watch.now = match_of(office, match).deadline
    assert "not read" in look(office)[0]
    assert turns(office, match) == 0


def test_if_most_players_would_miss_at_once_the_gm_is_asked_first(office, watch):
    matches = [new_match(office) for _ in range(3)]
    take(office, matches[0], "red")
    watch.forward(days=7)
    assert look(office) == ["too many would miss their deadline: none passes"]
    assert [turns(office, match) for match in matches] == [0, 0, 0]
    watch.forward(minutes=5)
    look(office)
    (notice,) = mails(office, to=GM)
    assert notice.subject == "Stopped: 5 of 6 players would miss their deadline at once"
    assert f"match {matches[0]}: blue" in text_of(notice)
    assert "pbem tick --anyway" in text_of(notice)
    look(office, anyway=True)
    assert [turns(office, match) for match in matches] == [1, 1, 1]


def test_half_of_the_players_is_not_most_of_them(office, watch):
    matches = [new_match(office) for _ in range(2)]
    for match in matches:
        take(office, match, "red")
    watch.forward(days=7)
    assert len(look(office)) == 2


def test_three_players_are_too_few_to_suspect_the_mail(office, match, watch):
    new_match(office, "by-turns")
    watch.forward(days=7)
    assert len(look(office)) == 2


def test_sheets_that_are_all_in_are_run_even_if_others_would_miss(office, watch):
    for _ in range(3):
        new_match(office)
    change(office, 1, paused=True)
    take(office, 1, "red")
    take(office, 1, "blue")
    watch.forward(days=7)
    change(office, 1, paused=False)
    done = look(office)
    assert done[0] == "too many would miss their deadline: none passes"
    assert (turns(office, 1), turns(office, 2)) == (1, 0)


# ------------------------------------------------------------------ a run that fails


@pytest.fixture
def broken(office, monkeypatch):
    """An engine that fails, and can be mended."""

    def fail(*_):
        raise ZeroDivisionError(f"the key of red is {key_for(1, 'red')}")

    monkeypatch.setattr(type(office.store.games["two-hills"]), "run", fail)
    return monkeypatch


def test_a_run_that_fails_keeps_the_sheet_and_freezes_the_match(office, match, broken):
    take(office, match, "red", "TAKE north")
    take(office, match, "blue", "TAKE south")
    gate = office.store.position(match).gate
    frozen = match_of(office, match)
    assert (frozen.frozen, frozen.gate_number) == (gate.id, 0)
    with office.store.reading() as session:
        waiting = office.store.waiting_in(session, match, gate)
        assert {side: sheet.text for side, sheet in waiting.items()} == {"red": "TAKE north", "blue": "TAKE south"}
        assert session.exec(select(models.Turn)).all() == []
    assert mails(office, "report") == []
    notice = mails(office, to=GM)[0]
    assert "ZeroDivisionError" in text_of(notice)
    assert key_for(1, "red") not in text_of(notice)
    assert subjects(office, to="red@") == [
        f"[{match} Two Hills, both at once] The referee has a problem, your orders are safe"
    ]
    assert "ZeroDivision" not in text_of(mails(office, to="red@")[0])


def test_sheets_of_a_frozen_match_cannot_change_and_it_cannot_be_run(office, match, broken, watch):
    take(office, match, "red")
    take(office, match, "blue")
    with pytest.raises(TheMatchIsFrozen):
        take(office, match, "red", "TAKE north")
    with pytest.raises(TheMatchIsFrozen):
        act(office, match, referee.run_gate)
    watch.forward(days=30)
    assert look(office) == []


def test_a_thawed_match_is_run_with_the_same_sheets_and_dice(office, match, broken, watch):
    take(office, match, "red", "TAKE north")
    take(office, match, "blue", "TAKE north")
    watch.forward(days=30)
    assert thaw_and_repeat(office, match, watch.now) is None  # still broken
    assert match_of(office, match).frozen
    assert len(mails(office, to=GM)) == 2
    broken.undo()
    run = thaw_and_repeat(office, match, watch.now)
    assert [sheet["text"] for sheet in run.turn.sheets] == ["TAKE north", "TAKE north"]
    assert match_of(office, match).frozen == ""
    assert len(mails(office, "report")) == 2
    assert len(mails(office, to="red@", kind="notice")) == 1
    assert replay(office.store, match)[-1].difference is None


def test_a_deadline_whose_run_failed_is_repeated_with_its_misses(office, match, broken, watch):
    take(office, match, "red")
    assert "frozen" in after_the_deadline(office, match, watch)[0]
    assert seat_of(office, match, "blue").misses == 0
    broken.undo()
    assert thaw_and_repeat(office, match, watch.now).defaulted == ("blue",)
    assert seat_of(office, match, "blue").misses == 1


def test_only_what_is_frozen_can_be_thawed(office, match):
    with pytest.raises(TheMatchIsNotFrozen):
        thaw_and_repeat(office, match, office.clock())


def test_a_report_that_cannot_be_written_undoes_the_turn(office, match, monkeypatch):
    monkeypatch.setattr("pbem.post.letterhead.report_mail", lambda *_: 1 / 0)
    take(office, match, "red")
    take(office, match, "blue")
    assert turns(office, match) == 0
    assert match_of(office, match).frozen
    with office.store.reading() as session:
        assert session.exec(select(models.Turn)).all() == []
        assert len(session.exec(select(models.Snapshot)).all()) == 1


def test_trouble_in_one_match_leaves_the_others_alone(office, match, watch, monkeypatch):
    other = new_match(office, clock={"hours": 168})
    change(office, match, clock={"weekly": ["Nonesday 20:00"]})
    watch.forward(days=7)
    done = look(office)
    assert done[0] == f"match {match}: TheClockIsNotUnderstood, the GM is told"
    assert turns(office, other) == 1
    look(office)
    assert subjects(office, to=GM) == [f"[{match} Two Hills, both at once] Match {match} could not be looked after"]


# ------------------------------------------------------------------ more time, pauses, seats


def test_more_time_is_told_to_everybody(office, match):
    deadline = match_of(office, match).deadline
    assert act(office, match, referee.extend, 24) == deadline + timedelta(days=1)
    assert [mail.side for mail in mails(office, "notice")] == ["red", "blue"]
    assert "Tuesday 24 November 2026, 12:00 UTC" in text_of(mails(office)[0])
    assert "moved the deadline" in ledger(office, match)


def test_more_time_after_the_deadline_counts_from_now(office, match, watch):
    watch.forward(days=8)
    assert act(office, match, referee.extend, 24) == watch.now + timedelta(days=1)


def test_a_match_without_deadline_has_none_to_move(office):
    with pytest.raises(ThereIsNoDeadline):
        act(office, new_match(office, clock={}), referee.extend, 24)


def test_the_time_is_told_in_the_zone_of_its_reader(office, match):
    change(office, match, "red", zone="Asia/Tokyo")
    act(office, match, referee.extend, 24)
    assert "Tuesday 24 November 2026, 21:00 JST" in text_of(mails(office, to="red@")[0])


def test_a_pause_and_its_end(office, match, watch):
    assert act(office, match, referee.pause) is True
    assert act(office, match, referee.pause) is False
    watch.forward(days=30)
    assert look(office) == []
    assert act(office, match, referee.resume) is True
    assert act(office, match, referee.resume) is False
    assert match_of(office, match).deadline == watch.now + timedelta(days=7)
    said = [mail.subject.partition("] ")[2] for mail in mails(office, to="red@")]
    assert said == ["The game is paused", "The game goes on"]
    assert ledger(office, match)[-2:] == ["paused the match", "resumed the match"]


def test_who_leaves_gets_no_more_mail_and_his_key_opens_nothing(office, match):
    take(office, match, "red")
    take(office, match, "blue")
    act(office, match, lambda *given: referee.seat_left(*given, referee.seat_in(given[0], given[2], "blue")))
    seat = seat_of(office, match, "blue")
    assert (seat.state, seat.key) == (models.OPEN, "")
    assert [mail.state for mail in mails(office, to="blue@")] == [models.OVERTAKEN]
    assert "has left" in subjects(office, to="red@")[-1]
    assert f"pbem replace {match} blue" in text_of(mails(office, to=GM)[0])


def test_looking_twice_says_nothing_twice(office, match, watch):
    """Killed between two looks, the next one finds the same and writes nothing again."""
    watch.forward(days=6, hours=12)
    look(office)
    before = len(mails(office))
    for _ in range(3):
        look(office)
    assert len(mails(office)) == before
