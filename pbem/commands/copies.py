"""The same letter twice: a copy that came by another way, or was fetched again from another place, does nothing.

A Message-ID alone makes no copy: some programs use one again, and anybody can write another's. A letter is a copy of an
earlier one that was of the same writer and said the same. Whoever has proved who he is is held against nothing that
somebody wrote who had not.
"""

import email
from collections.abc import Iterator
from email.policy import compat32
from typing import Any

from sqlalchemy import Boolean, Row, Select, Table, bindparam, or_, select

from pbem.desk.desk import Desk, Request, Verdict
from pbem.desk.requests import requests_in
from pbem.letters import read_letter
from pbem.letters.addresses import same_address
from pbem.records import models

_LETTERS: Table = models.Letter.__table__  # type: ignore[attr-defined]
_EARLIER = (
    select(_LETTERS.c.id, _LETTERS.c.sender, _LETTERS.c.match_id, _LETTERS.c.side)
    .where(
        _LETTERS.c.message_id == bindparam("message_id"),
        _LETTERS.c.id < bindparam("number"),
        _LETTERS.c.fate != models.ARRIVED,
        or_(_LETTERS.c.proved, bindparam("also_unproved", type_=Boolean)),
    )
    .order_by(_LETTERS.c.id)
)
_ALIKE = _EARLIER.where(or_(_LETTERS.c.digest == bindparam("digest"), _LETTERS.c.raw_digest == bindparam("raw_digest")))
_ACCEPTED = _EARLIER.where(_LETTERS.c.fate == models.ACCEPTED)
_BYTES = select(_LETTERS.c.raw).where(_LETTERS.c.id == bindparam("number"))

#: Of a program that gives all its mails the same Message-ID so many are looked at, the newest first, and no more
#: than so many bytes of them.
MOST_EARLIER = 20
MOST_BYTES = 1_000_000


def copy_of_an_earlier_one(desk: Desk) -> Verdict | None:
    """By its Message-ID and what it says; without one, also by when it was written."""
    letter = desk.letter
    same = _numbers(desk, _ALIKE, digest=letter.digest, raw_digest=letter.raw_digest)
    if not letter.message_id:
        same = [number for number in same if _date_of(_bytes_of(desk, number)) == _date_of(letter.raw)]
    return Verdict(models.DROPPED, f"the same as letter {same[0]}") if same else None


def _numbers(desk: Desk, which: Select[Any], **facts: str) -> list[int]:
    """Earlier letters of the same writer."""
    letter = desk.letter
    known = {"message_id": letter.message_id, "number": letter.id, "also_unproved": not letter.proved}
    found = desk.session.connection().execute(which, {**known, **facts})
    return [earlier.id for earlier in found if _is_of_the_same_writer(desk, earlier)]


def _is_of_the_same_writer(desk: Desk, earlier: Row[Any]) -> bool:
    """Of the same seat, or else from the same address."""
    if desk.seat is not None:
        return bool((earlier.match_id, earlier.side) == (desk.seat.match_id, desk.seat.side))
    return same_address(earlier.sender, desk.letter.sender)


def _bytes_of(desk: Desk, number: int) -> bytes:
    raw: bytes = desk.session.connection().execute(_BYTES, {"number": number}).scalar_one()
    return raw


def _date_of(raw: bytes) -> str:
    head = raw[:65536].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return str(email.message_from_bytes(head, policy=compat32).get("Date", "")).strip()


# ------------------------------------------------------------------ in part the same


def asked_before(desk: Desk, word: str) -> Iterator[Request]:
    """What the player has asked for with this word in letters that had the Message-ID of this one."""
    if not desk.letter.message_id:
        return
    if word not in desk.asked_before:
        desk.asked_before[word] = tuple(_asked_before(desk, word))
    yield from desk.asked_before[word]


def _asked_before(desk: Desk, word: str) -> Iterator[Request]:
    from pbem.commands.table import COMMANDS, all_words

    words, orders = all_words(desk.office.store.games.values()), desk.order_words
    for raw in _earlier_with(desk, word):
        requests = requests_in(read_letter(raw, words).lines, COMMANDS, orders)
        yield from (request for request in requests if request.word == word)


def _earlier_with(desk: Desk, word: str) -> Iterator[bytes]:
    """The letters in which this was asked for. What was asked is noted as the reason of their fate."""
    left = MOST_BYTES
    for number in reversed(_numbers(desk, _ACCEPTED.where(_LETTERS.c.reason.contains(word)))[-MOST_EARLIER:]):
        if left > 0:
            raw = _bytes_of(desk, number)
            left -= len(raw)
            yield raw
