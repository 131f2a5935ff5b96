"""Reading mail: every letter in tests/letters beside its expected reading, and thousands of damaged ones.

The expectations say what the player meant. `automatic`, `doubt` and the diagnostic of a bounce need only be part
of what is said; `auth_results` is a number.
"""

import random
import re
import time
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as some

from engine.game import game_named
from pbem.letters import MOST_LINES, Letter, LetterIsTooDeep, LetterIsTooLarge, Words, read_letter
from pbem.letters.reading import DAMAGED
from pbem.post.post import FORM_BEGINS, FORM_ENDS
from tests.damage import CORPUS, damaged
from tests.the_project import TESTS

FOLDER = TESTS / "letters"
NAMES = sorted(path.stem for path in FOLDER.glob("*.eml"))
COMMANDS = """ABSENCE ADDRESS CANCEL CHECK CONCEDE DRAW EXTEND GAMES HELP JOIN KEY MAP ORDERS PRESS READY REPORT RESIGN RULES
    SHEET SHOW STANDING STATUS WAIT"""
WORDS = Words.of(COMMANDS.split(), [game_named("hitlers-war").language("barbarossa")])
FORM = [FORM_BEGINS, *(FOLDER / "form.txt").read_text(encoding="utf-8").splitlines(), "KEY 17-axis-secret", FORM_ENDS]
#: What is on the line with the key, and in the address.
KEY_SHAPE = re.compile(r"\b17[-.]axis[-.]k3y5e|^KEY \d", re.I | re.M)


def raw_letter(name: str) -> bytes:
    return (FOLDER / f"{name}.eml").read_bytes()


def expected_of(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


def read(name: str) -> Letter:
    form = FORM if expected_of(name).get("form") else ()
    return read_letter(raw_letter(name), WORDS, form)


# ------------------------------------------------------------------ the corpus


def test_there_are_letters_with_expectations():
    assert len(NAMES) >= 60
    assert sorted(path.stem for path in FOLDER.glob("*.yaml")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_letter_is_read_as_it_was_meant(name):
    expected = expected_of(name)
    letter = read(name)
    assert list(letter.lines) == expected["lines"]
    assert [list(key) for key in letter.keys] == expected["keys"]
    assert_part_of(letter.doubt, expected.get("doubt", ""))
    assert_part_of(letter.automatic, expected.get("automatic", ""))
    assert_bounce(letter, expected.get("bounce"))
    assert_headers(letter, expected)


def assert_part_of(said: str, expected: str) -> None:
    assert bool(said) == bool(expected)
    assert expected in said


def assert_bounce(letter: Letter, expected: dict[str, Any] | None) -> None:
    assert (letter.bounce is None) == (expected is None)
    if letter.bounce is None or expected is None:
        return
    assert list(letter.bounce.message_ids) == expected["message_ids"]
    assert list(letter.bounce.recipients) == expected["recipients"]
    assert letter.bounce.permanent == expected["permanent"]
    assert letter.bounce.given_up == expected["given_up"]
    assert expected["diagnostic"] in letter.bounce.diagnostic


def assert_headers(letter: Letter, expected: dict[str, Any]) -> None:
    for name in ("sender", "sender_name", "subject", "message_id", "return_path"):
        assert getattr(letter, name) == expected.get(name, getattr(letter, name))
    for name in ("references", "recipients", "matches"):
        assert list(getattr(letter, name)) == expected.get(name, list(getattr(letter, name)))
    if "date" in expected:
        assert (letter.date.isoformat() if letter.date else None) == expected["date"]
    assert len(letter.auth_results) == expected.get("auth_results", len(letter.auth_results))


# ------------------------------------------------------------------ keys


def test_what_only_looks_like_a_key_stays_in_the_orders():
    orders = ["GOTO 1-Baltic-MilitaryDistrict P11", "ABSENCE 17-Jun-2024 24-Jun-2024", "KEY", "HELP KEY"]
    assert list(read_letter(letter_with("\r\n".join(orders)), WORDS).lines) == orders


# ------------------------------------------------------------------ digest


def letter_with(text: str, **headers: str) -> bytes:
    named = {"From": "player@mail.example.net", "Subject": "orders", "Date": "Wed, 12 Jun 2024 12:02:54 +0200"}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in {**named, **headers}.items())
    return (head + "\r\n" + text).encode()


def digest(text: str, **headers: str) -> str:
    return read_letter(letter_with(text, **headers), WORDS).digest


def test_digest_is_the_same_for_a_letter_delivered_twice():
    assert digest("GOTO West P11") == digest("hello\r\n\r\ngoto  west P11\r\n-- \r\nme", Received="from elsewhere")


def test_digest_differs_where_the_meaning_does():
    digests = [
        digest("GOTO West P11"),
        digest("GOTO West P12"),
        digest("GOTO West P11", Subject="other"),
        digest("GOTO West P11", From="other@mail.example.net"),
        digest("GOTO West P11", Date="Wed, 12 Jun 2024 12:03:54 +0200"),
    ]
    assert len(set(digests)) == 5


def test_with_a_message_id_only_what_it_says_counts():
    """Lists write into the subject, gateways into the date, scanners below the text."""
    named = {"Message_ID": "<a@b>"}
    one = digest("GOTO West P11", **named)
    assert one == digest("GOTO West P11\r\n\r\nChecked for viruses.", Subject="[list] orders", **named)
    assert one == digest("GOTO West P11", Date="Wed, 12 Jun 2024 10:02:54 +0000", **named)
    assert one != digest("GOTO West P12", **named)
    assert one != digest("GOTO West P11\r\nREADY", **named)
    press = "PRESS TO ALL\r\nHello.\r\n"
    assert digest(press, **named) != digest(f"{press}And more.", **named), "below PRESS every line is the player's"


# ------------------------------------------------------------------ how much is read


def nested(depth: int) -> bytes:
    head = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(depth))
    return (
        b"From: a@b.example\r\nAuto-Submitted: auto-replied\r\n" + head + b"Content-Type: text/plain\r\n\r\nREADY\r\n"
    )


def test_ten_parts_deep_is_read_and_eleven_is_not():
    assert read_letter(nested(10), WORDS).lines == ("READY",)
    with pytest.raises(LetterIsTooDeep) as problem:
        read_letter(nested(11), WORDS)
    assert problem.value.letter.sender == "a@b.example"
    assert problem.value.letter.automatic == "Auto-Submitted: auto-replied"


def test_two_hundred_parts_are_enough():
    with pytest.raises(LetterIsTooDeep):
        read_letter(letter_with("--x\r\n\r\nREADY\r\n" * 250, Content_Type="multipart/mixed; boundary=x"), WORDS)


def test_a_megabyte_of_text_is_too_large():
    with pytest.raises(LetterIsTooLarge) as problem:
        read_letter(letter_with("READY\r\n" + "x" * 1_000_100), WORDS)
    assert problem.value.letter.sender == "player@mail.example.net"
    assert "1,000,000 bytes" in problem.value.why


def test_twenty_thousand_lines_are_too_many():
    with pytest.raises(LetterIsTooLarge):
        read_letter(letter_with("READY\r\n" * 20_001), WORDS)


def test_large_pictures_do_not_matter():
    picture = (
        f"--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n{'iVBORw0KGgo=' * 500_000}\r\n"
    )
    text = f"--x\r\nContent-Type: text/plain\r\n\r\nREADY\r\n{picture}{picture}--x--\r\n"
    assert read_letter(letter_with(text, Content_Type="multipart/mixed; boundary=x"), WORDS).lines == ("READY",)


@pytest.mark.parametrize("head", [b"X: " + b"y" * 300_000 + b"\r\n", b"X: y\r\n" * 1_100])
def test_headers_are_bounded(head):
    with pytest.raises(LetterIsTooLarge) as problem:
        read_letter(b"From: a@b.example\r\n" + head + b"\r\nREADY\r\n", WORDS)
    assert problem.value.letter.sender == "a@b.example"


def test_a_long_sheet_is_cut_where_the_reader_of_orders_notices():
    letter = read_letter(letter_with("GOTO West P11\r\n" * 1_500 + "GOTO " + "x" * 5_000), WORDS)
    assert len(letter.lines) == MOST_LINES
    assert len(read_letter(letter_with("GOTO " + "x" * 1_900), WORDS).lines[0]) == 500


# ------------------------------------------------------------------ hard nuts, in bounded time

MEGABYTE = 990_000


def filled(piece: str) -> str:
    return piece * (MEGABYTE // len(piece.encode()))


PAGES = [
    "<div>", "<b>", "<a><p>", "<table><tr><td>", "<blockquote>x", "<br>x", "<!--", "<p a=", "<p a='", '<p a="b', "<", "<a",
    "<style>", "</style", "</div>", "<div></span>", "&amp", "<![CDATA[", "<pre>\n", "<span style='display:none'>", "> \n<p>",
]  # fmt: skip
TEXTS = [
    "> ", "wrote:\n", "On 1:11 a@b wrote\n", "-----Original Message-----\n", "From: \n", "-- ", "a@", "1-a-", "+1.a.",
    "1-a-" + "b" * 39, "*ATTACK", "1. ", "ATTACK Q1\nx ", "\t", "ATACK Q14\n", "sent from my ", "_" * 500 + "\n", "KEY ",
    "thanks a b c ", "- ", "\u200b", "----- order form: edit between these lines and send back -----\n", "> a\nb\n",
    "-----BEGIN PGP SIGNED MESSAGE-----\n", "-" * 490 + " x\n", "- " * 240 + "x\n", "wrote " * 20 + "x" * 150 + ":\n",
    "Von: a\n\n", "Set it up.\n" + "x" * 30 + "\n", "Set it up.\n", "x " * 35 + "\nATTACK", "\x0c", "こ", "PRESS TO ALL\nx\n", "> a\nx 10:11:\n", "SET a\n" + "x\n" * 20,
]  # fmt: skip


@pytest.mark.parametrize("piece", [*PAGES, *TEXTS])
@pytest.mark.parametrize("kind", ["text/html", "text/plain; format=flowed", "text/plain"])
def test_a_megabyte_of_anything_is_read_quickly(kind, piece):
    started = time.process_time()
    text = filled(piece)
    for size in (len(text), len(text) // 50):
        try:
            read_letter(letter_with(text[:size], Content_Type=kind), WORDS, FORM)
        except LetterIsTooLarge:
            continue
    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    "header",
    [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "References",
        "Content-Type",
        "Return-Path",
        "Authentication-Results",
    ],
)
@pytest.mark.parametrize(
    "piece", ["(", '"', "<", "a@", ",", "=?utf-8?q?", "=?a?b?", ";a=", ";a*0*=", "\\", " ", "[17", "é"]
)
def test_a_header_of_anything_is_read_quickly(header, piece):
    started = time.process_time()
    raw = f"{header}: {piece * 200_000}".encode()[:200_000] + b"\r\n\r\nREADY"
    assert read_letter(raw, WORDS).doubt != DAMAGED
    assert time.process_time() - started < 2


# ------------------------------------------------------------------ damaged letters

CHUNK = 1_000
CHUNKS = 20


def damaged_letter(number: int) -> bytes:
    dice = random.Random(number)
    return damaged(dice.choice(CORPUS), dice)


def read_whatever_it_is(raw: bytes) -> Letter | None:
    started = time.process_time()
    try:
        letter = read_letter(raw, WORDS, FORM if len(raw) % 2 else ())
    except (LetterIsTooLarge, LetterIsTooDeep):
        letter = None
    assert time.process_time() - started < 3
    return letter


def assert_sound(letter: Letter) -> None:
    assert letter.doubt != DAMAGED
    assert not (letter.doubt and letter.lines)
    assert len(letter.lines) <= MOST_LINES
    said = "\n".join(letter.lines)
    assert said.count("\n") == max(len(letter.lines) - 1, 0)
    assert not any(key in said.lower() for _, _, key in letter.keys if re.search(r"\d", key))
    assert not KEY_SHAPE.search(said)
    assert letter.date is None or letter.date.tzinfo is not None
    assert all(0 <= match < 10**9 and 12 <= len(key) <= 40 for match, _, key in letter.keys)


@pytest.mark.parametrize("first", range(0, CHUNK * CHUNKS, CHUNK))
def test_damaged_letters_are_read_without_a_fault(first):
    for number in range(first, first + CHUNK):
        letter = read_whatever_it_is(damaged_letter(number))
        if letter:
            assert_sound(letter)


@settings(max_examples=300, deadline=None)
@given(some.binary(max_size=3_000))
def test_any_bytes_are_read_without_a_fault(raw):
    letter = read_whatever_it_is(raw)
    assert letter is not None
    assert_sound(letter)


@settings(max_examples=300, deadline=None)
@given(
    some.text(max_size=500), some.text(max_size=200), some.sampled_from(["text/plain", "text/html", "message/rfc822"])
)
def test_any_text_is_read_without_a_fault(text, header, kind):
    raw = f"From: {header}\r\nSubject: {header}\r\nContent-Type: {kind}; {header}\r\n\r\n{text}".encode(
        "utf-8", "replace"
    )
    letter = read_whatever_it_is(raw)
    assert letter is not None
    assert letter.doubt != DAMAGED


def test_a_fault_of_ours_does_not_lose_the_letter(monkeypatch):
    def fail(*_):
        raise IndexError

    monkeypatch.setattr("pbem.letters.reading.texts_of", fail)
    letter = read_letter(raw_letter("gmail-top-posting"), WORDS)
    assert letter.doubt == DAMAGED
    assert letter.sender == "hans.guderian@gmail.com"
    assert letter.lines == ()
