"""Taking turns back: what counts again, what stays on file, and that nobody can foresee the dice of the new run."""

import hashlib
import json
import sqlite3
from datetime import timedelta

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import pbem.cli.main
from engine.game import games
from pbem import rollback
from pbem.post import letterhead
from pbem.records import models
from pbem.records.database import database_in
from pbem.records.replay import replay
from pbem.records.seals import record_for
from pbem.rollback import ThereIsNothingToTakeBack
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox
from tests.postal import look, send
from tests.reading import flat
from tests.records.test_store import sql
from tests.toy.table import toy_games


@pytest.fixture
def box(tmp_path) -> Letterbox:
    """Two turns have been run, and red's sheet for the third is on file."""
    box = new_letterbox(tmp_path / "war")
    play_turn(box)
    play_turn(box)
    box.play("red", "TAKE south")
    box.new_mail()
    return box


def play_turn(box: Letterbox, order: str = "TAKE north") -> models.Turn:
    """Both sides give this order, but for one that has the hill already."""
    before = len(box.office.store.turns_of(1))
    owner = box.office.store.state_of(1).owner.get("north")
    for side in ("red", "blue"):
        box.play(side, "HOLD" if side == owner else order)
    assert len(box.office.store.turns_of(1)) == before + 1
    return box.office.store.turns_of(1)[-1]


def take_back(box: Letterbox, to: int | None = None, why: str = "") -> rollback.RolledBack:
    with box.office.store.writing() as session:
        match = box.office.store.match_in(session, 1)
        return rollback.roll_back(session, box.office, rollback.plan(session, box.office, match, to), why)


def match_of(box: Letterbox) -> models.Match:
    return box.office.store.position(1).match


def replays_exactly(box: Letterbox) -> bool:
    return all(step.difference is None for step in replay(box.office.store, 1))


def dice_of(box: Letterbox, turn: models.Turn) -> dict[str, int]:
    rolls = [roll for event in box.office.store.events_of(turn) for roll in (getattr(event, "attack", None),) if roll]
    return {roll.label: roll.die for roll in rolls}


# ------------------------------------------------------------------ what counts


def test_the_game_stands_again_as_it_stood(box):
    store = box.office.store
    with store.reading() as session:
        before = store.position_after(session, 1, 1).entry
    box.watch.forward(hours=5)
    done = take_back(box, why="a slip")
    position = store.position(1)
    assert position.entry == before
    assert position.match.gate_number == 1
    assert position.open_gate.id == "2-red-blue"
    assert done.deadline == position.match.deadline == box.watch.now + timedelta(hours=168)


def test_nothing_is_deleted_and_the_record_says_who_when_and_why(box):
    store = box.office.store
    before = store.runs_of(1)
    take_back(box, why="a slip")
    after = store.runs_of(1)
    assert [turn.events for turn in after] == [turn.events for turn in before]
    assert [turn.number for turn in store.turns_of(1)] == [1]
    (gone,) = [turn for turn in after if turn.taken_back]
    assert (gone.number, gone.taken_back, gone.taken_back_by, gone.taken_back_for) == (2, box.watch.now, "gm", "a slip")
    entry = box.ledger()[-1]
    assert (entry.who, entry.act) == ("gm", "rolled back")
    assert entry.detail == "to turn 1; took back turn 2 (run 2); a slip"


def test_sheets_of_the_reopened_gate_and_later_ones_do_not_count(box):
    take_back(box)
    states = [(sheet.gate_id, sheet.state) for sheet in box.sheets()]
    assert states == [
        ("1-red-blue", models.SEALED),
        ("1-red-blue", models.SEALED),
        ("2-red-blue", models.TAKEN_BACK),
        ("2-red-blue", models.TAKEN_BACK),
        ("3-red-blue", models.TAKEN_BACK),
    ]
    assert look(box.office) == []
    play_turn(box)
    assert box.waiting("red") is None, "the sheet for turn 3 was sent before the game went back"
    assert match_of(box).gate_number == 2


def test_readiness_and_votes_end_with_the_gate(box):
    box.play("red", "DRAW")
    box.play("blue", "WAIT")
    take_back(box, 1)
    play_turn(box)
    assert box.seat("blue").wait_gate == ""
    assert "offers a draw" not in box.answer("blue", "STATUS")
    box.play("blue", "DRAW")
    assert match_of(box).status == models.RUNNING, "red offered his draw in another third turn"


def test_a_frozen_match_can_be_taken_back(box):
    sql(box.office.store, "UPDATE matches SET frozen = '3-red-blue'")
    take_back(box)
    assert not match_of(box).frozen
    assert play_turn(box).number == 2


# ------------------------------------------------------------------ the dice


def test_a_turn_played_again_uses_a_fresh_link_and_other_dice(box):
    first = box.office.store.runs_of(1)[1]
    take_back(box)
    again = play_turn(box)
    assert (again.number, again.run) == (2, 3)
    assert again.link not in [turn.link for turn in box.office.store.runs_of(1)[:2]]
    assert [one["text"] for one in again.sheets] == [one["text"] for one in first.sheets]
    assert dice_of(box, again).keys() == dice_of(box, first).keys()


def test_over_many_repeats_the_dice_of_the_same_orders_differ(box):
    fallen = set()
    for _ in range(6):
        take_back(box)
        fallen.add(tuple(dice_of(box, play_turn(box)).values()))
    assert len(fallen) > 1
    assert replays_exactly(box)


def test_the_chain_of_revealed_links_is_whole_as_a_player_sees_it(box):
    take_back(box)
    play_turn(box)
    take_back(box, 0)
    play_turn(box)
    link = match_of(box).commitment
    for turn in box.office.store.runs_of(1):
        assert hashlib.sha256(bytes.fromhex(turn.link)).hexdigest() == link
        link = turn.link


def test_the_same_sheet_has_another_digest_when_the_turn_is_played_again(box):
    """Else the digest would tell whether an opponent has sent the same again."""
    first = box.office.store.runs_of(1)[1]
    take_back(box)
    again = play_turn(box)
    for earlier, later in zip(first.sheets, again.sheets, strict=True):
        assert record_for(earlier, "nobody")["digest"] != record_for(later, "nobody")["digest"]


def test_a_bot_does_not_repeat_itself_in_a_turn_played_again(tmp_path):
    box = new_letterbox(tmp_path / "war")
    box.gm("REPLACE 1 red bot@example.org")
    sql(box.office.store, "UPDATE seats SET state = 'bot', key = '' WHERE side = 'red'")
    texts = set()
    for _ in range(8):
        look(box.office)
        texts.add(box.waiting("red"))
        box.play("blue", "HOLD")
        take_back(box)
    assert len(texts) > 1


# ------------------------------------------------------------------ replays


def test_a_match_that_was_taken_back_replays_exactly(box):
    take_back(box)
    assert replays_exactly(box)
    play_turn(box)
    play_turn(box, "HOLD")
    take_back(box, 0)
    play_turn(box, "HOLD")
    assert replays_exactly(box)
    assert [(step.number, step.taken_back) for step in replay(box.office.store, 1)] == [
        (0, False),
        (1, True),
        (2, True),
        (2, True),
        (3, True),
        (1, False),
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE turns SET taken_back = ran_at WHERE run = 1", "the state of sheet"),
        ("UPDATE turns SET events = x'5b5d' WHERE run = 2", "the events"),
        ("DELETE FROM turns WHERE run = 2", "the number of the run"),
        ("UPDATE sheets SET state = 'superseded' WHERE id = 3", "the state of sheet 3"),
        ("UPDATE turns SET number = 1 WHERE run = 2", "whether the turn counts"),
        ("UPDATE turns SET number = 3 WHERE run = 3", "the gate"),
        ("UPDATE turns SET number = 4 WHERE run = 3", "the number of the turn"),
    ],
)
def test_a_replay_finds_what_was_changed_in_a_game_that_was_taken_back(box, statement, expected):
    take_back(box)
    play_turn(box)
    sql(box.office.store, statement)
    assert replay(box.office.store, 1)[-1].difference.what.startswith(expected)


def test_a_turn_that_was_played_again_cannot_count_twice(box):
    take_back(box)
    play_turn(box)
    with sqlite3.connect(database_in(box.office.store.directory)) as connection:
        connection.execute("DROP INDEX uq_turns_counting")
    sql(box.office.store, "UPDATE turns SET taken_back = NULL WHERE run = 2")
    assert replay(box.office.store, 1)[-1].difference.what == "whether the turn counts"


# ------------------------------------------------------------------ wars that were over


def play_to_the_end(box: Letterbox) -> None:
    while match_of(box).status == models.RUNNING:
        play_turn(box, "HOLD")


def test_a_victory_is_taken_back_with_the_last_turn(box):
    play_to_the_end(box)
    take_back(box)
    assert (match_of(box).status, match_of(box).gate_number) == (models.RUNNING, 3)
    play_turn(box)
    assert match_of(box).status == models.OVER
    assert len([mail for mail in box.outgoing() if mail.key.startswith("gm/over/")]) == 2, "the GM hears of both ends"
    assert replays_exactly(box)


@pytest.mark.parametrize("to", [None, 1])
def test_a_draw_is_taken_back_alone_or_with_turns(box, to):
    box.play("red", "DRAW")
    box.play("blue", "DRAW")
    assert match_of(box).status == models.OVER
    assert replays_exactly(box)
    take_back(box, to)
    assert (match_of(box).status, match_of(box).gate_number) == (models.RUNNING, 2 if to is None else to)
    assert match_of(box).deadline is not None
    assert box.waiting("red") is None
    mail = flat(body_of(box.new_mail("blue@")[-1]))
    assert "all players agreed to a draw" in mail
    play_turn(box, "HOLD")
    assert replays_exactly(box)


def test_a_concession_is_taken_back_and_can_be_made_again(box):
    def concede() -> None:
        box.play("red", "CONCEDE")
        box.play("red", f"CONFIRM {box.word('CONCEDE')}")

    concede()
    assert match_of(box).status == models.OVER
    take_back(box)
    assert match_of(box).status == models.RUNNING
    box.new_mail()
    concede()
    assert match_of(box).status == models.OVER
    assert [mail.subject for mail in box.new_mail("blue@")] == ["[1 Two Hills, both at once] The war is over"]


# ------------------------------------------------------------------ what is refused


def test_there_must_be_something_to_take_back(tmp_path):
    box = new_letterbox(tmp_path / "war")
    with pytest.raises(ThereIsNothingToTakeBack, match="no turn"):
        take_back(box)
    play_turn(box)
    for wrong in (1, 2, -1):
        with pytest.raises(ThereIsNothingToTakeBack, match=f"turn {wrong}"):
            take_back(box, wrong)


def test_a_rollback_that_fails_halfway_changes_nothing(box, monkeypatch):
    before = [(turn.run, turn.taken_back) for turn in box.office.store.runs_of(1)]
    position, outbox = box.office.store.position(1), len(box.outgoing())
    mails = iter([letterhead.rolled_back_mail])
    monkeypatch.setattr(letterhead, "rolled_back_mail", lambda *told: next(mails)(*told))
    with pytest.raises(StopIteration):
        take_back(box)
    assert [(turn.run, turn.taken_back) for turn in box.office.store.runs_of(1)] == before
    after = box.office.store.position(1)
    assert (after.entry, after.match.deadline) == (position.entry, position.match.deadline)
    assert box.waiting("red") is not None
    assert len(box.outgoing()) == outbox


# ------------------------------------------------------------------ what the players read


def test_every_player_is_told_with_the_position_and_an_order_form(box):
    take_back(box, why="A battle was\nresolved wrongly.")
    mails = {mail.side: mail for mail in box.new_mail()}
    assert set(mails) == {"red", "blue"}
    for side, mail in mails.items():
        text = flat(body_of(mail))
        assert "Turn 2: Turn 2, Red and Blue" in text
        assert "| A battle was | resolved wrongly." in text
        assert "It is your turn" in text
        assert "cannot be unread" in text
        assert "2026-11-23" in text or "23 November 2026" in text
        assert box.key(side) in body_of(mail)
        other = {"red": "blue", "blue": "red"}[side]
        assert box.seat(other).key not in mail.raw.decode()
        (form,) = [part for part in message_of(mail).iter_attachments() if part.get_filename() == "orders.txt"]
        assert box.key(side) in form.get_content()


def test_the_form_of_the_notice_can_be_sent_back(box):
    take_back(box)
    (mail,) = box.new_mail("red@")
    form = body_of(mail)
    box.send(
        "red@example.net", "TAKE south\n\n" + "\n".join(f"> {line}" for line in form.splitlines()), key=box.key("red")
    )
    assert box.waiting("red") == "TAKE south\n"


def test_reports_that_have_not_left_are_overtaken(box):
    send(box.office)
    play_turn(box, "HOLD")
    unsent = [mail.key for mail in box.outgoing() if mail.kind == "report" and mail.state == models.TO_SEND]
    assert unsent == ["report/1/3/red", "report/1/3/blue"]
    take_back(box)
    states = {mail.key: mail.state for mail in box.outgoing()}
    assert [states[key] for key in unsent] == [models.OVERTAKEN] * 2
    assert states["report/1/2/red"] == models.SENT
    play_turn(box, "HOLD")
    assert {mail.key: mail.state for mail in box.outgoing()}["report/1/4/red"] == models.TO_SEND


def test_the_report_of_a_turn_is_the_one_that_counts(box):
    first = box.office.store.runs_of(1)[1]
    take_back(box)
    assert "There is no turn 2 yet" in flat(box.answer("red", "REPORT 2"))
    again = play_turn(box)
    text = box.answer("red", "REPORT 2")
    assert again.link in text
    assert first.link not in text
    assert "1 more was taken back" in flat(box.answer("red", "STATUS"))


def test_a_deadline_does_not_pass_for_a_player_whose_notice_has_not_left(box):
    send(box.office)
    take_back(box)
    box.watch.forward(days=8)
    assert look(box.office) == ["match 1: the deadline is held, red, blue cannot be reached"]


def test_a_player_who_is_reminded_again_after_a_rollback_to_the_same_gate(box):
    send(box.office)
    box.watch.forward(days=6, hours=12)
    box.play("red", "CANCEL")
    assert look(box.office) == ["match 1: reminded red", "match 1: reminded blue"]
    play_turn(box, "HOLD")
    take_back(box)
    send(box.office)
    box.watch.forward(days=6, hours=12)
    assert look(box.office) == ["match 1: reminded red", "match 1: reminded blue"]


# ------------------------------------------------------------------ by mail


def test_the_gm_takes_a_turn_back_by_mail(box):
    letter = box.gm("ROLLBACK 1 1\nThe fleet was\nforgotten.\nEND")
    assert letter.fate == models.ACCEPTED
    asked = flat(body_of(box.only_mail()))
    assert "take back turn 2 (Turn 2, Red and Blue)" in asked
    assert '"The fleet was forgotten."' in asked
    assert match_of(box).gate_number == 2, "nothing is done without the word"
    assert box.gm(f"CONFIRM {box.word('ROLLBACK')}").fate == models.ACCEPTED
    assert match_of(box).gate_number == 1
    assert "| The fleet was forgotten." in flat(body_of(box.new_mail("red@")[0]))
    play_turn(box)
    assert replays_exactly(box)


@pytest.mark.parametrize(
    ("line", "subject", "stays"),
    [
        ("ROLLBACK 1", "x", 1),
        ("rollback 1 0", "x", 0),
        ("ROLLBACK 1 to 1", "x", 1),
        ("ROLLBACK", "Re: [1 Two Hills] x", 1),
        ("ROLLBACK TO 0", "Re: [1 Two Hills] x", 0),
    ],
)
def test_the_ways_to_write_it(box, line, subject, stays):
    box.gm(line, subject=subject)
    box.gm(f"CONFIRM {box.word('ROLLBACK')}")
    assert match_of(box).gate_number == stays


def test_a_late_confirmation_does_not_take_back_another_turn(box):
    box.gm("ROLLBACK 1")
    word = box.word("ROLLBACK")
    box.play("blue", "HOLD")
    assert match_of(box).gate_number == 3
    box.new_mail()
    assert box.gm(f"CONFIRM {word}").fate == models.ANSWERED
    assert match_of(box).gate_number == 3
    assert "A turn has been run meanwhile" in flat(body_of(box.only_mail()))


@pytest.mark.parametrize("line", ["ROLLBACK 1 2", "ROLLBACK 1 9", "ROLLBACK 9", "ROLLBACK one", "ROLLBACK"])
def test_a_rollback_that_cannot_be_is_refused_at_once(box, line):
    assert box.gm(line).fate == models.ANSWERED
    with box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_a_word_to_run_a_gate_does_not_run_the_reopened_one(box):
    take_back(box)
    box.gm("PROCESS 1")
    word = box.word("PROCESS")
    play_turn(box)
    take_back(box)
    box.gm(f"CONFIRM {word}")
    assert match_of(box).gate_number == 1


def test_a_key_in_the_reason_is_blanked(box):
    take_back(box, why=f"red sent {box.key('red')}")
    assert box.seat("red").key not in "".join(body_of(mail) for mail in box.new_mail("blue@"))
    assert box.seat("red").key not in box.ledger()[-1].detail


def test_hitlers_war_is_taken_back_and_played_on(tmp_path):
    box = new_letterbox(tmp_path / "war", games(), "hitlers-war", "barbarossa")
    store = box.office.store
    for number in range(2):
        with store.writing() as session:
            position = store.position_in(session, 1)
            side = position.open_gate.awaits[0]
            text = position.game.bot(position.view(side), f"{number}".encode())
        box.play(side, f"ORDERS\n{text}\nREADY")
    assert match_of(box).gate_number == 2
    box.gm("ROLLBACK 1 0")
    box.gm(f"CONFIRM {box.word('ROLLBACK')}")
    box.play("axis", "ORDERS NONE\nREADY")
    assert [turn.run for turn in store.turns_of(1)] == [3]
    assert replays_exactly(box)
    told = next(mail for mail in box.outgoing() if mail.key.startswith("rolled-back/") and mail.side == "soviet")
    assert "It is not your turn" in flat(body_of(told))


# ------------------------------------------------------------------ from the command line


@pytest.fixture
def gm(box, monkeypatch):
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)

    def run(*words: object, typed: str = "", ok: int = 0) -> str:
        result = CliRunner().invoke(
            pbem.cli.main.app, ["-C", str(box.office.store.directory), *map(str, words)], input=typed
        )
        assert result.exit_code == ok, result.output
        return result.output

    return run


def test_the_command_asks_before_it_takes_anything_back(box, gm):
    assert "take back turn 2 (Turn 2, Red and Blue)" in gm("rollback", 1, typed="n\n", ok=1)
    assert match_of(box).gate_number == 2
    said = gm("rollback", 1, "--to", 0, "--why", "a slip", typed="y\n")
    assert "Turn 1, Red and Blue is open again in match 1." in said
    assert match_of(box).gate_number == 0


def test_the_command_in_a_script(box, gm):
    done = json.loads(gm("rollback", 1, "--yes", "--json"))
    assert (done["to"], done["taken_back"]) == (1, [{"turn": 2, "run": 2, "title": "Turn 2, Red and Blue"}])
    assert "cannot go back to turn 7" in gm("rollback", 1, "--to", 7, "--yes", ok=1)


def test_log_status_and_replay_know_what_was_taken_back(box, gm):
    gm("rollback", 1, "--yes", "--why", "a slip")
    play_turn(box)
    assert "2 turns run, 1 taken back" in gm("status", 1)
    assert json.loads(gm("status", 1, "--json"))[0]["turns_taken_back"] == 1
    said = gm("log", 1)
    assert said.count("Turn 2: Turn 2, Red and Blue") == 2
    assert said.count("TAKEN BACK") == 1
    assert "by gm, it does not count: a slip" in said
    runs = json.loads(gm("log", 1, "--turn", 2, "--json"))
    assert [(one["turn"], one["run"], one["taken_back"] is None) for one in runs] == [(2, 2, False), (2, 3, True)]
    assert "replays exactly: 2 turns that count, 1 that were taken back" in gm("replay", 1)
