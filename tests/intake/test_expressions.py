"""No letter takes the referee long: four times the length takes less than eight times the time, whatever it says."""

import re
from collections.abc import Callable

import pytest

from pbem.commands.table import COMMANDS, all_words
from pbem.desk.requests import requests_in
from pbem.intake.trust import is_vouched_for
from pbem.letters import LetterIsTooDeep, LetterIsTooLarge, read_letter
from pbem.letters.pages import _ATTRIBUTE
from pbem.settings import Trust
from tests.expressions import MOST, READ_OTHERS, USES, Expression, attacks, every_expression, growth, worst
from tests.intake.test_trust import dns, signed
from tests.toy.table import toy_games

# ------------------------------------------------------------------ every expression by itself


@pytest.mark.parametrize("package", READ_OTHERS)
def test_no_expression_takes_too_long_over_what_is_made_of_its_own_parts(package):
    listed = [one for one in every_expression() if one.where.startswith(package)]
    assert listed
    slow = {str(one): how for one in listed for ratio, how in [worst(one)] if ratio >= MOST}
    assert slow == {}


def test_every_expression_is_listed():
    where = {one.pattern: one for one in every_expression()}
    assert where[_ATTRIBUTE].uses == {"findall"}
    assert where[COMMANDS["REPORT"].shape].uses == {"fullmatch"}, "in a table"
    assert any("_skip, line" in one.where for one in where.values()), "inside a function"
    assert any("orders.lark" in one.where for one in where.values()), "in the grammar"
    assert len(where) > 200


@pytest.mark.parametrize(
    "planted",
    [
        r"""([A-Za-z-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""",  # as `pages._ATTRIBUTE` once was
        r"\s+$",
        r"<div[^>]*>",
        r"^(?:a+)+b",
        r"(?:x|xy|y)*z",
        r"(\d+)-(\d+)",
        r"begin.*end",
        r"word\s*,?\s*!",
        r"^\s*(\S.*?)\s*$",
        rb"From [^\n]*by",
    ],
)
def test_one_that_takes_too_long_would_be_noticed(planted):
    ratio, how = worst(Expression("planted", re.compile(planted), USES))
    assert ratio >= MOST, how


@pytest.mark.parametrize("planted", [r"(?<!\s)\s++$", r"[a-z]{1,40}@[a-z]{1,40}", r"(?<!\d)\d++-"])
def test_one_that_does_not_is_left_alone(planted):
    assert attacks(re.compile(planted))
    assert worst(Expression("planted", re.compile(planted), USES))[0] < MOST


# ------------------------------------------------------------------ letters as a whole

WORDS = all_words(toy_games().values())
HTML = b"From: a@example.org\r\nContent-Type: text/html\r\n\r\n"
PLAIN = b"From: a@example.org\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
LETTERS = {
    "a tag with one long name": (HTML, b"<p " + b"a" * 1990 + b">"),
    "attributes without a value": (HTML, b"<p a= "),
    "names without end": (HTML, b"<div aaaa-"),
    "open quotes": (HTML, b"<a b=\"c'"),
    "comments": (HTML, b"<!-- "),
    "scripts": (HTML, b"<script>"),
    "nested quotes": (HTML, b"<blockquote>"),
    "entities": (HTML, b"&amp"),
    "blanks": (PLAIN, b" "),
    "full stops": (PLAIN, b". "),
    "words": (PLAIN, b"TAKE "),
    "lines of orders": (PLAIN, b"TAKE north\r\n"),
    "quotes": (PLAIN, b"> > TAKE north\r\n"),
    "greetings": (PLAIN, b"best, ,,,,\r\n"),
    "keys": (PLAIN, b"0-a-"),
    "a header without end": (b"From: ", b'"\\'),
    "comments in an address": (b"From: ", b"(\\("),
    "addresses": (b"To: ", b"a@b,"),
    "encoded words": (b"Subject: ", b"=?utf-8?q?"),
    "options": (b"Content-Type: text/plain", b"; a*0="),
    "boundaries": (b"Content-Type: multipart/mixed; boundary=b\r\n\r\n", b"--b\r\n"),
    "base64": (b"Content-Transfer-Encoding: base64\r\n\r\n", b"QUJD="),
}


@pytest.mark.parametrize("kind", LETTERS)
def test_a_letter_four_times_as_long_takes_less_than_eight_times_as_long(kind):
    head, part = LETTERS[kind]

    def at(length: int) -> Callable[[], object]:
        raw = head + part * (length // len(part))
        return lambda: reading(raw)

    assert growth(at, 60_000) < MOST


def reading(raw: bytes) -> None:
    try:
        letter = read_letter(raw, WORDS)
    except (LetterIsTooLarge, LetterIsTooDeep):
        return
    requests_in(letter.lines, COMMANDS, ())


def test_a_signature_over_blanks_is_checked_in_time():
    """By itself dkimpy takes a quarter of an hour over a megabyte of them."""
    plain = b"From: a@example.net\r\nTo: r@example.org\r\nSubject: x\r\nDate: today\r\n\r\nTAKE north\r\n"
    raw = signed(plain, canonicalize=(b"relaxed", b"relaxed"))
    mail = read_letter(raw, WORDS)

    def at(length: int) -> Callable[[], object]:
        longer = raw + b" " * length + b"x\r\n"
        return lambda: is_vouched_for(Trust(require="dkim"), mail, longer, dns)

    assert is_vouched_for(Trust(require="dkim"), mail, raw, dns)
    assert growth(at, 100_000) < MOST
