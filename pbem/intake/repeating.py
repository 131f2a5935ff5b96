"""Letters that say the same again and again: a program writes them, and whoever answers a program is answered for ever.

Five of one writer within ten minutes, one after the other, that differ in nothing but their date are automatic mail,
the fifth and all that follow it. They must have come on the same occasion: if a report, a reminder or a message was
mailed to him in between, the same words may mean something else, such as the same orders for the next turn.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, Table, func, select

from pbem.commands.table import all_words
from pbem.desk.desk import Desk, Verdict
from pbem.intake.answered import account
from pbem.letters import Letter, LetterIsTooDeep, LetterIsTooLarge, read_letter
from pbem.records import models
from pbem.records.secrecy import without_tags
from pbem.records.written import numbered

_LETTERS: Table = models.Letter.__table__  # type: ignore[attr-defined]
_OUTBOX: Table = models.Outgoing.__table__  # type: ignore[attr-defined]

ALIKE = 5
WITHIN = timedelta(minutes=10)
THE_SAME_AGAIN = f"automatic mail: {ALIKE} letters in {WITHIN.seconds // 60} minutes that say the same"
#: Letters that are looked at, those of all writers, and of one; and bytes of them that are read once more.
MOST_LOOKED_AT, MOST_OF_ONE, MOST_BYTES = 1_000, 20, 1_000_000


def the_same_again(desk: Desk) -> Verdict | None:
    """What cannot be read is not compared: each such letter may be another."""
    earlier = _letters_just_before(desk) if _is_perhaps_alike(desk) and not desk.trouble else []
    if len(earlier) < ALIKE - 1 or _has_heard_something(desk, earlier):
        return None
    if not all(_says_the_same(desk, one) for one in _to_be_compared(earlier)):
        return None
    return Verdict(models.DROPPED, THE_SAME_AGAIN)


# ------------------------------------------------------------------ which letters


def _is_perhaps_alike(desk: Desk) -> bool:
    """Found by the index alone, which settles it for nearly every letter."""
    same = select(_LETTERS.c.id).where(_LETTERS.c.digest == desk.letter.digest, *_before(desk))
    return len(desk.session.connection().execute(same.limit(ALIKE - 1)).all()) == ALIKE - 1


def _before(desk: Desk) -> tuple[Any, ...]:
    number = desk.letter.id or 0
    return _LETTERS.c.id < number, _LETTERS.c.id > number - MOST_LOOKED_AT


def _letters_just_before(desk: Desk) -> list[Row[Any]]:
    """The last letters of the same writer, the newest first; of a letter that was delivered twice one."""
    arrived, seat = desk.letter.arrived, desk.seat
    whose = (
        (_LETTERS.c.match_id == seat.match_id, _LETTERS.c.side == seat.side)
        if seat is not None
        else (_LETTERS.c.side == "", _LETTERS.c.sender == desk.letter.sender)
    )
    columns = [_LETTERS.c[name] for name in ("id", "message_id", "raw_digest", "digest", "reason")]
    wanted = (
        select(*columns, func.length(_LETTERS.c.raw).label("size"))
        .where(
            *_before(desk), *whose, _LETTERS.c.proved, _LETTERS.c.arrived.between(arrived - WITHIN, arrived + WITHIN)
        )
        .order_by(_LETTERS.c.id.desc())
        .limit(MOST_OF_ONE)
    )
    rows: list[Row[Any]] = list(desk.session.connection().execute(wanted))
    found = {row.message_id or row.id: row for row in reversed(rows)}
    return list(reversed(found.values()))[: ALIKE - 1]


def _to_be_compared(earlier: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """The last one has been compared with those before it, if it was found to be one of many."""
    return earlier[:1] if earlier[0].reason == THE_SAME_AGAIN else earlier


# ------------------------------------------------------------------ whether they say the same, and mean it


def _says_the_same(desk: Desk, earlier: Row[Any]) -> bool:
    if earlier.raw_digest == desk.letter.raw_digest:
        return True
    if earlier.digest != desk.letter.digest or earlier.size > MOST_BYTES // ALIKE:
        return False
    raw = desk.session.connection().execute(select(_LETTERS.c.raw).where(_LETTERS.c.id == earlier.id)).scalar_one()
    try:
        return _what_it_says(read_letter(raw, all_words(desk.office.store.games.values()))) == _what_it_says(desk.mail)
    except (LetterIsTooLarge, LetterIsTooDeep):
        return False


def _what_it_says(mail: Letter) -> tuple[str, list[str]]:
    """Its subject and its own words. What is quoted below them was written by somebody else, and has dates in it."""
    lines = [" ".join(line.text.split()) for line in mail.own]
    return " ".join(without_tags(mail.subject).split()).casefold(), [line for line in lines if line]


def _has_heard_something(desk: Desk, earlier: Sequence[Row[Any]]) -> bool:
    """Whether mail that answers no letter was written to the seat since the first of these was answered, or since the
    last answer of today if none of them was. Without any answer to go by they are not taken for the same."""
    if desk.seat is None:
        return False
    name = account(desk)
    answers = [(number, key.removeprefix(name).partition("-")[2]) for number, key in numbered(desk.session, name)]
    if not answers:
        return True
    marks = {row.raw_digest[:24] for row in earlier}
    since = min((number for number, mark in answers if mark[:24] in marks), default=answers[-1][0])
    told = select(_OUTBOX.c.id).where(
        _OUTBOX.c.id > since,
        _OUTBOX.c.match_id == desk.seat.match_id,
        _OUTBOX.c.side == desk.seat.side,
        _OUTBOX.c.letter_id.is_(None),
    )
    return desk.session.connection().execute(told.limit(1)).first() is not None
