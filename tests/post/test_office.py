"""The office: nothing is lost, nothing happens twice, every letter has one fate, and no key reaches anybody else."""

import dataclasses
import sqlite3
import subprocess
import sys
import time
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import pbem.cli.main
from pbem import referee
from pbem.cli.main import app
from pbem.commands import playing
from pbem.intake import errands, settling, triage
from pbem.mail.inbox import Arrived
from pbem.post import post
from pbem.post.post import FORM_BEGINS, FORM_ENDS
from pbem.records import models
from pbem.records.database import TheDatabaseIsBusy, database_in
from pbem.records.keys import KEY_LENGTH, key_tag
from pbem.records.store import Store, open_store
from tests.letterbox import REFEREE, Letterbox, body_of, message_of, new_letterbox, new_match
from tests.postal import GM
from tests.toy.table import toy_games

# ------------------------------------------------------------------ the first commit


def test_a_letter_is_kept_as_it_came(box):
    raw = b"From: x@example.net\r\n\r\nanything \xff\x00 at all"
    number = settling.take_in(box.office, Arrived("INBOX/7", raw))
    letter = box.letter(number)
    assert (letter.raw, letter.fate, letter.place) == (raw, models.ARRIVED, "INBOX/7")


def test_a_letter_fetched_again_is_the_same_letter(box):
    raw = box.compose("red@example.net", "TAKE north", key=box.key("red"))
    first = box.bring(raw, "INBOX/7")
    again = box.bring(raw, "INBOX/7")
    assert first.id == again.id
    assert len(box.letters()) == 1
    assert len(box.new_mail("red@")) == 1


def test_another_letter_in_the_same_place_is_another_letter(box):
    one = settling.take_in(box.office, Arrived("INBOX/7", b"a"))
    assert one != settling.take_in(box.office, Arrived("INBOX/7", b"b"))


def test_many_letters_are_kept_in_one_commit(box, monkeypatch):
    commits = []
    real = Store.writing
    monkeypatch.setattr(Store, "writing", lambda self: commits.append(1) or real(self))
    numbers = settling.take_in_many(box.office, [Arrived(f"p{n}", b"letter %d" % n) for n in range(1000)])
    assert len(set(numbers)) == 1000
    assert len(commits) == 1


def test_a_thousand_letters_are_not_slow(box):
    key = box.key("red")
    raws = [box.compose("red@example.net", f"TAKE north # {n}", key=key) for n in range(60)]
    raws += [box.compose(f"s{n}@example.com", "Buy now!") for n in range(940)]
    began = time.process_time()  # other programs may be busy
    settling.take_in_many(box.office, [Arrived(f"p{n}", raw) for n, raw in enumerate(raws)])
    assert len(settling.settle_waiting(box.office, 1000)) == 1000
    assert time.process_time() - began < 20
    assert {letter.fate for letter in box.letters()} <= set(models.FATES)


def test_the_oldest_letters_are_settled_first(box):
    for n in range(5):
        settling.take_in(box.office, Arrived(f"p{n}", b"From: a@example.com\n\nhello %d" % n))
    assert settling.settle_waiting(box.office, 2) == [1, 2]
    assert [letter.fate == models.ARRIVED for letter in box.letters()] == [False, False, True, True, True]
    assert settling.settle_waiting(box.office) == [3, 4, 5]
    assert settling.settle_waiting(box.office) == []


# ------------------------------------------------------------------ the second commit


def test_a_sheet_is_taken_and_answered_in_one_commit(box):
    letter = box.play("red", "TAKE north")
    assert (letter.fate, letter.match_id, letter.side) == (models.ACCEPTED, 1, "red")
    assert box.waiting("red") == "TAKE north\n"
    mail = box.only_mail()
    assert (mail.kind, mail.recipient, mail.letter_id) == ("receipt", "red@example.net", letter.id)
    assert "1 ok          TAKE north" in body_of(mail)
    assert "Still missing: Blue" in body_of(mail)
    assert "23 November 2026" in body_of(mail)


def test_settling_twice_changes_nothing(box):
    letter = box.play("red", "TAKE north")
    before = len(box.outgoing())
    assert settling.settle(box.office, letter.id) == models.ACCEPTED
    assert len(box.outgoing()) == before
    assert len(box.sheets()) == 1


CRASHES = [
    (triage, "carry_out"),
    (triage, "read_letter"),
    (errands, "_write_answers"),
    (playing, "transcript_of"),
    (post, "compose"),
    (referee, "on_sheet"),
    (Store, "receive_in"),
]


@pytest.mark.parametrize(("where", "what"), CRASHES, ids=lambda one: getattr(one, "__name__", one))
def test_a_crash_holds_the_letter_and_undoes_everything(box, monkeypatch, where, what):
    """At whichever point it happens: no sheet, no receipt, one notice to the GM, and the next letter is read."""
    key = box.seat("red").key

    def fail(*_args, **_more):
        raise RuntimeError(f"it broke near {key}")

    real = post.compose
    with monkeypatch.context() as patched:
        if what == "compose":  # the notice to the GM has to be composed all the same
            patched.setattr(
                post, "compose", lambda sender, mail, *rest: fail() if mail.seat else real(sender, mail, *rest)
            )
        else:
            patched.setattr(where, what, fail)
        letter = box.play("red", "TAKE north\nREADY")
    assert letter.fate == models.HELD
    assert "RuntimeError: it broke near [key]" in letter.reason
    assert box.sheets() == []
    assert box.seat("red").ready_gate == ""
    notice = box.only_mail()
    assert notice.recipient == GM
    assert "RuntimeError" in body_of(notice)
    assert key not in notice.raw.decode()
    assert box.play("blue", "TAKE south").fate == models.ACCEPTED


def test_the_gm_gets_the_letter_without_its_key(box, monkeypatch):
    monkeypatch.setattr(triage, "carry_out", lambda desk: 1 / 0)
    box.play("red", f"TAKE north\nKEY {box.key('red')}\n")
    notice = message_of(box.only_mail())
    (attached,) = notice.iter_attachments()
    assert attached.get_content_type() == "message/rfc822"
    copy = attached.get_content().as_bytes()
    assert box.seat("red").key.encode() not in notice.as_bytes()
    assert b"[key]" in copy
    assert b"TAKE north" in copy


def test_a_bare_key_in_capitals_is_blanked_as_well(box, monkeypatch):
    monkeypatch.setattr(triage, "carry_out", lambda desk: 1 / 0)
    key = box.seat("blue").key.upper()
    assert box.play("red", f"TAKE north\nhis key is {key}").fate == models.HELD
    (mail,) = box.new_mail(GM)
    assert key.lower() not in mail.raw.decode().lower()


def test_a_letter_whose_key_cannot_be_blanked_is_not_passed_on(box, monkeypatch):
    monkeypatch.setattr(triage, "carry_out", lambda desk: 1 / 0)
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "red@example.net", REFEREE, "<b64@x>"
    message["Subject"] = f"orders {{{box.key('red')}}}"
    message.set_content(f"TAKE north\nKEY {box.key('red')}\n", cte="base64")
    assert box.bring(message.as_bytes()).fate == models.HELD
    notice = message_of(box.only_mail())
    assert list(notice.iter_attachments()) == []
    assert "could not be blanked out" in str(notice.get_body(("plain",)))


def test_a_crash_of_the_database_is_not_the_letters_fault(box, monkeypatch):
    def busy(*_):
        raise TheDatabaseIsBusy("somebody else is writing")

    number = settling.take_in(
        box.office, Arrived("p", box.compose("red@example.net", "TAKE north", key=box.key("red")))
    )
    with monkeypatch.context() as patched:
        patched.setattr(triage, "carry_out", busy)
        with pytest.raises(TheDatabaseIsBusy):
            settling.settle(box.office, number)
    assert box.letter(number).fate == models.ARRIVED
    assert settling.settle(box.office, number) == models.ACCEPTED


KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from tests.letterbox import Letterbox, settings_for
from tests.postal import Watch, open_office
from pbem.intake import errands, settling, triage

def die(*_): os.kill(os.getpid(), signal.SIGKILL)

directory = Path(sys.argv[1])
office = open_office(directory, Watch(), None, settings_for(directory))
if sys.argv[2] == "while reading":
    triage.read_letter = die
if sys.argv[2] == "before the answer":
    errands._write_answers = die
if sys.argv[2] == "before the commit":
    commits = []
    event.listen(office.store.engine, "commit", lambda *_: die())
settling.settle(office, 1)
if sys.argv[2] == "after the commit":
    die()
"""


@pytest.mark.parametrize("moment", ["while reading", "before the answer", "before the commit", "after the commit"])
def test_kill_9_leaves_the_letter_before_or_after(box, moment):
    number = settling.take_in(
        box.office, Arrived("p", box.compose("red@example.net", "TAKE north", key=box.key("red")))
    )
    killed = subprocess.run([sys.executable, "-c", KILLED, str(box.office.store.directory), moment], check=False)
    assert killed.returncode == -9
    done = moment == "after the commit"
    assert (box.letter(number).fate == models.ACCEPTED) == done
    assert (box.waiting("red") is not None) == done
    assert settling.settle(box.office, number) == models.ACCEPTED
    assert len(box.new_mail("red@")) == 1
    assert box.waiting("red") == "TAKE north\n"


# ------------------------------------------------------------------ what is too much


def test_a_letter_that_is_too_large_is_answered_to_its_player(box):
    raw = box.compose("red@example.net", "[This letter has 99999999 bytes]", key=box.key("red"))
    letter = box.bring(raw, too_large=True)
    assert letter.fate == models.ANSWERED
    assert "plain text" in body_of(box.only_mail())


def test_a_letter_that_is_too_large_from_a_stranger_is_not_answered(box):
    letter = box.bring(box.compose("who@example.com", "HELP"), too_large=True)
    assert letter.fate in (models.ANSWERED, models.HELD)


def test_a_letter_that_is_too_deep_is_settled(box):
    inner = EmailMessage()
    inner.set_content("TAKE north")
    for _ in range(40):
        outer = EmailMessage()
        outer.make_mixed()
        outer.attach(inner)
        inner = outer
    inner["From"], inner["Subject"], inner["Message-ID"] = "red@example.net", f"{{{box.key('red')}}}", "<deep@x>"
    assert box.bring(inner.as_bytes()).fate in (models.ANSWERED, models.HELD)
    assert box.waiting("red") is None


@pytest.mark.parametrize("raw", [b"", b"\n", b"\x00\xff", b"From: \n\n", b"no header at all", b"From: a@b\n" * 3000])
def test_rubbish_is_held_or_dropped(box, raw):
    assert box.bring(raw).fate in (models.HELD, models.DROPPED)
    assert box.new_mail() == []


# ------------------------------------------------------------------ replies as clients write them


def reply_to(box: Letterbox, mail: models.Outgoing, text: str) -> bytes:
    """What a mail program makes of Reply: the subject, the text, and everything quoted below."""
    message = message_of(mail)
    quoted = "\n".join(f"> {line}" for line in body_of(mail).splitlines())
    return box.compose(
        mail.recipient,
        f"{text}\n\nOn Monday, The Referee wrote:\n{quoted}\n",
        subject=f"Re: {message['Subject']}",
        In_Reply_To=message["Message-ID"],
        References=message["Message-ID"],
    )


def test_a_reply_to_the_welcome_is_a_sheet(barbarossa):
    welcome = next(mail for mail in barbarossa.outgoing() if mail.side == "axis")
    letter = barbarossa.bring(reply_to(barbarossa, welcome, "ATTACK Center P14 ASSAULT ADVANCE"))
    assert letter.fate == models.ACCEPTED
    run = [mail for mail in barbarossa.new_mail() if mail.kind == "report"]
    assert {mail.side for mail in run} == {"axis", "soviet"}, "the only awaited sheet came, so the turn was run"


def test_the_order_form_can_be_filled_in(barbarossa):
    welcome = next(mail for mail in barbarossa.outgoing() if mail.side == "axis")
    form = body_of(welcome).partition(FORM_BEGINS)[2].partition(FORM_ENDS)[0]
    filled = form.replace("KEY", "ATTACK Center P14 ASSAULT ADVANCE\nKEY")
    raw = barbarossa.compose("axis@example.net", f"{FORM_BEGINS}{filled}{FORM_ENDS}\n", subject="my orders")
    letter = barbarossa.bring(raw)
    assert letter.fate == models.ACCEPTED
    (sheet,) = barbarossa.sheets()
    assert "ATTACK Center P14 ASSAULT ADVANCE" in sheet.text
    assert "KEY" not in sheet.text


def test_an_old_form_is_turned_away(barbarossa):
    welcome = next(mail for mail in barbarossa.outgoing() if mail.side == "axis")
    form = body_of(welcome).partition(FORM_BEGINS)[2].partition(FORM_ENDS)[0]
    barbarossa.play("axis", "ORDERS NONE")
    barbarossa.play("soviet", "ORDERS NONE")
    barbarossa.new_mail()
    filled = form.replace("KEY", "ATTACK Center P14 ASSAULT ADVANCE\nKEY")
    raw = barbarossa.compose("axis@example.net", f"{FORM_BEGINS}{filled}{FORM_ENDS}\n", subject="my orders")
    assert barbarossa.bring(raw).fate == models.ANSWERED
    assert "NOTHING WAS KEPT" in body_of(barbarossa.only_mail())


def test_a_whole_war_by_mail(barbarossa):
    """Every sheet comes as a letter, every report goes out as mail, and nobody's key is in anybody else's."""
    store = barbarossa.office.store
    for _ in range(40):
        position = store.position(1)
        if position.gate is None:
            break
        for side in position.gate.awaits:
            orders = position.game.bot(position.view(side), f"{side}{position.match.gate_number}".encode())
            letter = barbarossa.play(side, f"ORDERS\n# by a bot\n{orders}\nREADY")
            assert letter.fate == models.ACCEPTED, letter.reason
    assert store.position(1).gate is None
    keys = {seat.side: seat.key for seat in store.seats_of(1)}
    for mail in barbarossa.outgoing():
        for side, key in keys.items():
            assert side == mail.side or key.encode() not in mail.raw
        assert all(len(line) <= 78 for line in body_of(mail).splitlines() if not line.startswith("----- order"))
    turns = store.turns_of(1)
    reports = [mail for mail in barbarossa.outgoing() if mail.kind == "report"]
    assert len(reports) == 2 * len(turns)


# ------------------------------------------------------------------ keys


def test_keys_are_nowhere_but_in_a_seats_own_mail(box):
    """After a lively correspondence: not in the ledger, not in letters' notes, not in sheets, not in others' mail."""
    keys = {side: box.seat(side).key for side in ("red", "blue")}
    tag = box.key("red")
    box.play("red", f"TAKE north # {tag}\nKEY {tag}")
    box.play("red", f"PRESS TO ALL\nmy key is {tag} and {keys['red']}\nEND")
    box.play("red", f"HELP {tag}")
    box.play("red", f"TIMEZONE {tag}")
    box.play("red", "EXTEND 24")
    box.play("red", "DRAW")
    box.send("thief@example.com", "TAKE north", key=tag)
    box.send("red@example.net", "TAKE south", subject=tag.replace(keys["red"], "a" * 20))
    box.play("blue", "TAKE south")
    with box.office.store.reading() as session:
        tables = [session.exec(select(table)).all() for table in (models.Ledger, models.Sheet, models.Turn)]
    notes = [f"{one.subject} {one.sender} {one.reason}" for one in box.letters()]
    for side, key in keys.items():
        assert all(key not in f"{row.model_dump()}" for rows in tables for row in rows)
        assert all(key not in note for note in notes)
        for mail in box.outgoing():
            assert key not in f"{mail.subject} {mail.key} {mail.topic} {mail.trouble}"
            assert mail.recipient == f"{side}@example.net" or key.encode() not in mail.raw
    assert keys["red"] not in repr(box.letters())
    assert keys["red"] not in repr(box.seat("red"))


def test_a_new_match_gives_every_seat_a_key_and_a_welcome(box):
    number = new_match(box)
    seats = box.office.store.seats_of(number)
    assert len({seat.key for seat in seats}) == 2
    assert all(len(seat.key) == KEY_LENGTH for seat in seats)
    welcomes = box.new_mail()
    assert [(mail.kind, mail.key) for mail in welcomes] == [
        ("welcome", f"welcome/{number}/red"),
        ("welcome", f"welcome/{number}/blue"),
    ]
    assert box.office.store.position(number).match.deadline is not None
    for mail, seat in zip(welcomes, seats, strict=True):
        assert message_of(mail)["Message-ID"] == box.office.sender.thread_of(number, seat.side)
        assert key_tag(seat) in body_of(mail)


def test_without_an_office_nobody_is_written_to(box):
    before = len(box.outgoing())
    new_match(box, begin=None)
    assert len(box.outgoing()) == before


def test_a_report_does_not_tell_what_fog_hides(barbarossa):
    """Two wars that differ only in what the Soviets cannot see give byte-identical reports to them."""
    reports = []
    for orders in ("XFER 1M South -> Center\nXFER 1I Center -> South", "ORDERS NONE"):
        match = new_match(barbarossa, "hitlers-war", "barbarossa")
        barbarossa.new_mail()
        sql(
            barbarossa, "UPDATE seats SET key = substr(side || 'kkkkkkkkkkkkkkkkkkkk', 1, 20) WHERE match_id = ?", match
        )
        barbarossa.match = match
        barbarossa.play("axis", orders)
        (mail,) = [mail for mail in barbarossa.new_mail("soviet@") if mail.kind == "report"]
        text = (
            body_of(mail)
            .replace(f"GAME {match} ", "GAME N ")
            .replace(f"[{match} ", "[N ")
            .replace(f"KEY {match}-", "KEY N-")
        )
        reports.append("\n".join(line for line in text.splitlines() if not line.startswith("Axis        ")))
    assert reports[0] == reports[1]


def sql(box: Letterbox, statement: str, *values: object) -> None:
    with sqlite3.connect(database_in(box.office.store.directory)) as connection:
        connection.execute(statement, values)


def test_the_office_can_be_opened_by_anybody_who_has_a_store(tmp_path: Path) -> None:
    box = new_letterbox(tmp_path / "war")
    again = dataclasses.replace(box.office)
    assert again.sender.address == REFEREE
    assert again.gm_addresses == (GM,)


# ------------------------------------------------------------------ a new match at the keyboard


class Keyboard:
    """The GM's command line over Two Hills."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def __call__(self, *words: object, ok: int = 0) -> str:
        result = CliRunner().invoke(app, ["-C", str(self.directory), *map(str, words)])
        assert result.exit_code == ok, result.output
        return result.output

    def store(self) -> Store:
        return open_store(self.directory, toy_games())


@pytest.fixture
def keyboard(tmp_path, monkeypatch) -> Keyboard:
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    keyboard = Keyboard(tmp_path / "wars")
    keyboard("init", keyboard.directory)
    return keyboard


TOY = ("new", "two-hills", "at-once")
RED, BLUE = ("--seat", "red=Rosa <red@example.org>"), ("--seat", "blue=blue@example.net")


def test_new_writes_welcomes_and_sets_the_clock(keyboard):
    keyboard(*TOY, *RED, *BLUE)
    match = keyboard.store().position(1).match
    assert match.clock == {"hours": 168.0, "grace": 12.0}
    assert match.deadline is not None
    with keyboard.store().reading() as session:
        assert [mail.kind for mail in session.exec(select(models.Outgoing))] == ["welcome", "welcome"]


def test_new_with_a_pace_of_its_own(keyboard):
    keyboard(*TOY, *RED, *BLUE, "--hours", 48)
    keyboard(*TOY, *RED, *BLUE, "--weekly", "Sun 20:00", "--zone", "Europe/Berlin", "--press", "off")
    keyboard(*TOY, *RED, *BLUE, "--hours", 0)
    store = keyboard.store()
    clocks = [store.position(number).match.clock for number in (1, 2, 3)]
    assert clocks[0]["hours"] == 48
    assert clocks[1] == {"grace": 12.0, "weekly": ["Sun 20:00"], "zone": "Europe/Berlin"}
    assert store.position(2).match.deadline.astimezone(ZoneInfo("Europe/Berlin")).strftime("%a %H:%M") == "Sun 20:00"
    assert store.position(2).match.options["press"] == "off"
    assert store.position(3).match.deadline is None
    assert "time of the week" in keyboard(*TOY, *RED, *BLUE, "--weekly", "someday", ok=1)
    keyboard(*TOY, *RED, *BLUE, "--weekly", "Sun 20:00", "--hours", 3, ok=2)


def test_new_with_an_open_seat(keyboard):
    assert "blue: open" in keyboard(*TOY, *RED, "--open", "blue")
    store = keyboard.store()
    assert [(seat.side, seat.state, bool(seat.key)) for seat in store.seats_of(1)] == [
        ("red", models.TAKEN, True),
        ("blue", models.OPEN, False),
    ]
    assert store.position(1).match.paused
    keyboard(*TOY, *RED, "--open", "green", ok=1)
    keyboard(*TOY, ok=2)


def test_no_command_prints_a_key(keyboard):
    said = keyboard(*TOY, *RED, *BLUE) + keyboard(*TOY, *RED, *BLUE, "--json")
    for words in (("status",), ("status", "--json"), ("show", 1, "--json"), ("log", 1, "--json"), ("show", 1)):
        said += keyboard(*words)
    for words in (("outbox",), ("outbox", "--json"), ("letters",), ("letters", "--json")):
        said += CliRunner().invoke(app, ["-C", str(keyboard.directory), *words]).output
    keys = [seat.key for number in (1, 2) for seat in keyboard.store().seats_of(number)]
    assert len(set(keys)) == 4
    assert not any(key in said for key in keys)


# ------------------------------------------------------------------ oddities


@pytest.mark.parametrize(
    "message_id", ["<a b>", "<\u00fc@x>", "<" + "a" * 900 + "@x>", "<=?utf-8?q?x?=@y>", "no brackets", "<>"]
)
def test_odd_message_ids_do_not_hurt_the_answer(box, message_id):
    raw = box.compose("red@example.net", "STATUS", key=box.key("red"), message_id="<here@x>")
    letter = box.bring(raw.replace(b"<here@x>", message_id.encode()))
    assert letter.fate == models.ANSWERED
    assert "How the game stands" in box.only_mail().subject


def test_a_stranger_whose_address_cannot_be_answered_is_held(box):
    raw = box.compose("who@example.com", "HELP").replace(b"who@example.com", "hü@exämple.com".encode())
    assert box.bring(raw).fate == models.HELD
    assert box.new_mail() == []


def test_even_if_the_gm_cannot_be_told_the_letter_is_held(box, monkeypatch):
    monkeypatch.setattr(triage, "carry_out", lambda desk: 1 / 0)
    monkeypatch.setattr(type(box.office), "tell_gm", lambda *_, **__: 1 / 0)
    assert box.play("red", "TAKE north").fate == models.HELD
    assert box.new_mail() == []
