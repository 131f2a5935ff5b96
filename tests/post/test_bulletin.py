"""A report as it is mailed: its parts, their bytes, the calendar, the view for programs, and how it leaves the house."""

import base64
import email
import hashlib
import json
import re
from datetime import timedelta
from email.message import EmailMessage
from email.policy import default

import msgspec
import pytest
from sqlmodel import select

from engine.dice import KeyedDice
from engine.game import Options, games
from pbem import referee
from pbem.games import box_of
from pbem.games.hitlers_war.view_file import ViewFile
from pbem.intake import settling
from pbem.mail.correspondents import mailbox_contents
from pbem.mail.inbox import Arrived
from pbem.post import bulletin, letterhead, sketches
from pbem.post.deadline_file import LONGEST_LINE
from pbem.post.ordered import what_came_of
from pbem.post.post import Mail, compose, with_pictures
from pbem.post.situation import TurnTold
from pbem.records import models
from pbem.records.matches import SeatTaken
from pbem.referee import begins_by_mail
from tests.golden_reports import NAMES, schema_path, schema_text
from tests.postal import WEEK, PatientPostman, Watch, mails, match_of, new_office, seat_of, send, take
from tests.toy.table import SECRET
from tools.samples import BEGINNING, GAME, SENDER, sample, situation, whole_war

MOST_BYTES = 600_000


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def shape(part: EmailMessage) -> object:
    """The tree of a mail by kinds and names."""
    if part.is_multipart():
        return {part.get_content_type(): [shape(each) for each in part.iter_parts()]}
    return part.get_filename() or part.get_content_type()


def file_in(message: EmailMessage, name: str) -> bytes:
    (part,) = [each for each in message.walk() if each.get_filename() == name]
    return part.get_payload(decode=True)


def finished(mail: bulletin.Mail) -> bytes:
    return bulletin.finished_bytes(SENDER, mail, BEGINNING)


@pytest.fixture(scope="module")
def report() -> bytes:
    return finished(sample("mid-war", "fog"))


# ------------------------------------------------------------------ its bytes


def test_a_report_is_text_beside_html_with_its_pictures_and_files_after_them(report):
    related = {"multipart/related": ["text/html", "map.png", "sheet.png"]}
    alternative = {"multipart/alternative": ["text/plain", related]}
    files = ["orders.txt", "view.json", "deadline.ics"]
    assert shape(parsed(report)) == {"multipart/mixed": [alternative, *files]}


def test_the_html_shows_the_pictures_that_come_with_it(report):
    message = parsed(report)
    html = message.get_body(("html",)).get_content()
    cids = [str(part["Content-ID"]).strip("<>") for part in message.walk() if part["Content-ID"]]
    assert re.findall(r'src="cid:([^"]+)"', html) == cids
    for name in ("map.png", "sheet.png"):
        assert file_in(message, name).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", NAMES, ids="-".join)
def test_a_report_is_small_enough_for_any_mailbox(name):
    raw = finished(sample(*name))
    assert len(raw) < MOST_BYTES
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))


def test_the_same_turn_gives_the_same_bytes(report):
    whole_war.cache_clear()
    assert finished(sample("mid-war", "fog")) == report


@pytest.mark.parametrize(
    "title", ["Campaign I", "Zwei Köpfe", "x" * 40, "The Fall of Germany, second try, with the others"]
)
def test_a_subject_of_any_length_begins_on_its_line(title):
    """Else many mail programs show a blank before it, and sort it apart from the rest of its thread."""
    for more in range(40):
        subject = (
            f"[2 {title}] Axis: welcome{' and so on'[: more % 11]} to {'y' * more} {{2-axis-efpq6errwz3sthbwh22u}}"
        )
        raw = compose(SENDER, Mail("key", "notice", "a@example.org", subject, "Text.\n"), subject, BEGINNING)
        assert b"\nSubject: " in raw
        assert parsed(raw)["Subject"] == subject


def test_no_mail_program_cuts_a_busy_report_short():
    """Random players attack wherever they can, and in the open everything is told."""
    state = GAME.setup("barbarossa", Options(fog="open"))
    for number in range(6):
        side = state.phasing
        view = GAME.view(state, side, "open")
        text = GAME.bot(view, f"busy {number}".encode())
        sheet = GAME.parse(text, view)
        state, events = GAME.run(state, {side: sheet}, KeyedDice(b"busy", str(number)))
        orders = what_came_of(box_of(GAME), text, sheet, sheet.findings, GAME.came_of(view, sheet, events))
        turn = TurnTold(number, "a busy turn", BEGINNING, "", (), tuple(events), orders)
        mail = bulletin.report_mail(situation(state, "open", side, BEGINNING, number), turn)
        html = parsed(compose(SENDER, mail, mail.subject, BEGINNING)).get_body(("html",)).get_content()
        assert len(html) < 80_000


# ------------------------------------------------------------------ the view for programs


def test_the_schema_of_the_view_is_the_one_on_file():
    """If this fails because the view has changed: make golden."""
    assert schema_path().read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", NAMES, ids="-".join)
def test_every_view_fits_the_schema(name):
    (data,) = [part.data for part in sample(*name).attachments if part.name == "view.json"]
    schema = json.loads(schema_path().read_text(encoding="utf-8"))
    assert_fits(json.loads(data), schema, schema)
    read = msgspec.json.decode(data, type=ViewFile)
    assert (read.match, read.game) == (17, "hitlers-war")


def test_the_check_of_the_schema_can_fail():
    schema = json.loads(schema_path().read_text(encoding="utf-8"))
    (data,) = [part.data for part in sample("start", "fog").attachments if part.name == "view.json"]
    for spoilt in ({"match": "17"}, {"view": {}}, {"events": [{"event": "rain"}]}, {"format": "another"}):
        with pytest.raises(AssertionError):
            assert_fits({**json.loads(data), **spoilt}, schema, schema)


TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


def assert_fits(value: object, schema: dict, root: dict) -> None:
    """As much of JSON Schema as ours uses; a keyword that is not known here fails."""
    known = {
        "$schema", "$id", "$defs", "$ref", "title", "description", "default", "discriminator", "type", "enum", "anyOf",
        "properties", "required", "additionalProperties", "items",
    }  # fmt: skip
    assert set(schema) <= known, set(schema) - known
    if "$ref" in schema:
        assert_fits(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema:
        assert any(fits(value, each, root) for each in schema["anyOf"]), value
    if "enum" in schema:
        assert value in schema["enum"]
    if "type" in schema:
        assert isinstance(value, TYPES[schema["type"]])
        assert schema["type"] == "boolean" or not isinstance(value, bool)
    if isinstance(value, dict):
        _assert_object_fits(value, schema, root)
    if isinstance(value, list):
        for each in value:
            assert_fits(each, schema.get("items", {}), root)


def _assert_object_fits(value: dict, schema: dict, root: dict) -> None:
    assert set(schema.get("required", ())) <= set(value)
    for name, each in value.items():
        inside = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
        assert_fits(each, inside if isinstance(inside, dict) else {}, root)


def fits(value: object, schema: dict, root: dict) -> bool:
    try:
        assert_fits(value, schema, root)
    except AssertionError:
        return False
    return True


# ------------------------------------------------------------------ the calendar


def entry_of(message: EmailMessage) -> dict[str, str]:
    """The lines of the calendar entry, unfolded."""
    data = file_in(message, "deadline.ics")
    assert all(len(line) <= LONGEST_LINE for line in data.split(b"\r\n"))
    lines = data.decode().replace("\r\n ", "").splitlines()
    entry = dict(line.split(":", 1) for line in lines if ":" in line)
    (part,) = [each for each in message.walk() if each.get_content_type() == "text/calendar"]
    assert part.get_param("method") == entry["METHOD"]
    return entry


@pytest.fixture
def war(tmp_path):
    """A match by mail at its first gate, the welcomes written."""
    watch = Watch()
    office = new_office(tmp_path, watch, games())
    seats = [SeatTaken(side, f"{side}@example.org", side.title()) for side in ("axis", "soviet")]
    arguments = {"secret": SECRET, "clock": WEEK, "begin": begins_by_mail(office)}
    made = office.store.new_match("hitlers-war", "barbarossa", seats, Options(fog="fog"), **arguments)
    return office, watch, made.id


def entries(office, to):
    """Every calendar entry that went to a seat."""
    messages = [parsed(mail.raw) for mail in mails(office, to=to)]
    return [entry_of(each) for each in messages if any(part.get_filename() == "deadline.ics" for part in each.walk())]


def test_one_entry_a_seat_moves_with_the_deadline_and_is_cancelled_by_a_pause(war):
    office, watch, match = war
    take(office, match, "axis", "# no orders")
    with office.store.writing() as session:
        referee.extend(session, office, office.store.match_in(session, match), 24)
    with office.store.writing() as session:
        referee.pause(session, office, office.store.match_in(session, match))
    watch.forward(hours=5)
    with office.store.writing() as session:
        referee.resume(session, office, office.store.match_in(session, match))
    told = entries(office, "soviet")
    assert [each["METHOD"] for each in told] == ["PUBLISH", "PUBLISH", "PUBLISH", "CANCEL", "PUBLISH"]
    assert len({each["UID"] for each in told}) == 1
    numbers = [int(each["SEQUENCE"]) for each in told]
    assert numbers == sorted(set(numbers))
    first, second, third = (each["DTSTART"] for each in told[:3])
    assert (first, second, third) == ("20261123T120000Z", "20261123T120000Z", "20261124T120000Z")
    assert told[3]["STATUS"] == "CANCELLED"
    assert told[4]["DTSTART"] == f"{match_of(office, match).deadline:%Y%m%dT%H%M%SZ}"
    assert {each["UID"] for each in entries(office, "axis")}.isdisjoint({each["UID"] for each in told})


def test_only_who_is_on_turn_is_alarmed(war):
    office, _, _ = war
    axis, soviet = entries(office, "axis")[0], entries(office, "soviet")[0]
    assert axis["TRIGGER"] == "-PT24H"
    assert "TRIGGER" not in soviet
    assert "orders of Axis are due" in axis["SUMMARY"]
    assert "orders of Axis are due" in soviet["SUMMARY"]


def test_the_last_report_cancels_the_entry():
    assert entry_of(parsed(finished(sample("end", "open"))))["METHOD"] == "CANCEL"


# ------------------------------------------------------------------ how it leaves the house


def test_what_is_sent_is_made_from_the_situation_alone(war):
    """The mail as it is carried and the mail as the pure function makes it are the same, byte for byte."""
    office, _, match = war
    take(office, match, "axis", "ATTACK Center P14 ASSAULT ADVANCE\n")
    with office.store.reading() as session:
        position, turn = office.store.position_in(session, match), office.store.turn_in(session, match, 1)
        mail = letterhead.report_mail(session, office, position, turn, seat_of(office, match, "axis"))
    postman = PatientPostman()
    send(office, postman)
    expected = bulletin.finished_bytes(office.sender, mail, office.clock())
    assert expected in [raw for recipient, raw in postman.carried if recipient == "axis@example.org"]


def test_no_picture_is_drawn_while_the_database_is_locked(war, monkeypatch):
    office, _, match = war
    monkeypatch.setattr(sketches, "drawn", lambda *_: pytest.fail("drawn before the mail leaves"))
    take(office, match, "axis", "# no orders")
    assert len(mails(office, kind="report")) == 2


def test_a_mail_that_has_to_be_sent_again_has_the_same_pictures(war):
    office, watch, _ = war
    postman = PatientPostman(axis=RuntimeError("killed"))
    with pytest.raises(RuntimeError, match="killed"):
        send(office, postman)
    watch.forward(minutes=5)
    del postman.answers["axis@example.org"]
    send(office, postman)
    first, second = (raw for recipient, raw in postman.carried if recipient == "axis@example.org")
    assert first == second
    assert b"\x89PNG" in file_in(parsed(first), "map.png")


def stand_in(known_by: str, name: str) -> bytes:
    return base64.b64encode(b"picture " + hashlib.sha256(f"picture/{known_by}/{name}".encode()).digest())


def test_no_text_can_take_the_place_of_a_picture(war):
    """How a mail is called everybody knows: were the mark of a picture made of that, a player could put it into press."""
    office, _, _ = war
    mail = next(one for one in mails(office) if one.recipient == "axis@example.org")
    mark = stand_in(mail.key, "map.png")
    with office.store.writing() as session:
        row = session.get_one(models.Outgoing, mail.id)
        row.raw = mail.raw.replace(b"\r\n\r\n", b"\r\n\r\n| " + mark + b"\r\n", 2)
        session.add(row)
    postman = PatientPostman()
    send(office, postman)
    raw = next(raw for recipient, raw in postman.carried if recipient == "axis@example.org")
    assert raw.count(mark) == 2
    assert file_in(parsed(raw), "map.png").startswith(b"\x89PNG")


def test_a_mail_of_an_older_version_gets_its_pictures_too(war):
    """Its marks were made of its key; it waits in the outbox while the program is replaced."""
    office, _, _ = war
    mail = next(one for one in mails(office) if one.recipient == "axis@example.org")
    older = mail.raw
    for name in ("map.png", "sheet.png"):
        assert stand_in(mail.message_id, name) in older
        older = older.replace(stand_in(mail.message_id, name), stand_in(mail.key, name))
    pictures = {"map.png": b"\x89PNG map", "sheet.png": b"\x89PNG sheet"}
    raw = with_pictures(older, (mail.message_id, mail.key), pictures)
    assert {name: file_in(parsed(raw), name) for name in pictures} == pictures


def test_sketches_are_thrown_away_when_their_mail_has_left(war):
    office, _, _ = war
    assert sketches_on_file(office) == 2
    send(office)
    assert sketches_on_file(office) == 0


def sketches_on_file(office) -> int:
    with office.store.reading() as session:
        return len(session.exec(select(models.Sketch)).all())


def test_a_picture_that_cannot_be_drawn_holds_nothing_up(war, monkeypatch):
    office, _, _ = war
    monkeypatch.setattr("pbem.games.hitlers_war.pictures.png", lambda _: 1 / 0)
    postman = PatientPostman()
    send(office, postman)
    carried = dict(postman.carried)
    assert "WELCOME TO" in parsed(carried["axis@example.org"]).get_body(("plain",)).get_content()
    assert any("A picture could not be drawn" in mail.subject for mail in mails(office, to="gm@"))


def test_orders_in_a_reply_to_the_html_are_read(war, tmp_path):
    """A phone answers in HTML and quotes the page; the player has written into the order form in it."""
    office, watch, _ = war
    send(office)
    (welcome,) = mailbox_contents(tmp_path / "mail" / "out" / "axis@example.org")
    quoted = welcome.get_body(("html",)).get_content()
    form = quoted.replace("\n\nKEY 1-axis", "\nATTACK Center P14 ASSAULT ADVANCE\nKEY 1-axis")
    assert form != quoted
    reply = EmailMessage()
    reply["From"], reply["To"] = "axis@example.org", "referee@example.org"
    reply["Subject"] = f"Re: {welcome['Subject']}"
    reply["Message-ID"], reply["In-Reply-To"] = "<1@phone.example>", str(welcome["Message-ID"])
    reply.set_content(f"<div><br></div><blockquote type='cite'>{form}</blockquote>", subtype="html")
    watch.forward(hours=1)
    letter = settling.take_in(office, Arrived("inbox/1", reply.as_bytes()))
    assert settling.settle(office, letter) == models.ACCEPTED
    with office.store.reading() as session:
        assert session.exec(select(models.Sheet)).one().text.strip().endswith("ASSAULT ADVANCE")


def test_every_kind_of_mail_has_text_and_html(war):
    office, watch, match = war
    watch.forward(hours=160)
    with office.store.writing() as session:
        position = office.store.position_in(session, match)
        office.write(session, letterhead.reminder_mail(office, position, seat_of(office, match, "axis")))
        referee.pause(session, office, office.store.match_in(session, match))
        found = office.store.match_in(session, match)
        seat = seat_of(office, match, "soviet")
        for name in ("question", "refusal", "notice"):
            make = getattr(letterhead, f"{name}_mail")
            office.write(session, make(office, f"x/{name}", found, seat, f"A {name}", f"This is a {name}."))
        office.write(session, letterhead.press_mail(office, "x/press", found, seat, "axis", "ALL", ("Hello <b>",)))
    take_in_hand = {mail.kind: parsed(mail.raw) for mail in mails(office)}
    assert {"welcome", "reminder", "notice", "question", "refusal", "press"} <= set(take_in_hand)
    for message in take_in_hand.values():
        assert message.get_body(("plain",)) is not None
        assert "<h1 " in message.get_body(("html",)).get_content()
    assert "Hello &lt;b&gt;" in take_in_hand["press"].get_body(("html",)).get_content()


def test_time_in_a_report_is_the_readers_own():
    assert "Wednesday 10 June 2026, 20:00 CEST" in sample("mid-war", "fog").text
    assert whole_war("fog")[2].at.utcoffset() == timedelta(0)
