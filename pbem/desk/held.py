"""Letters that are held, and telling the GM of them: one mail an hour at most, with the line that releases each.

Their numbers are noted in the commit in which they are held, and struck out in the commit that writes the mail, so
each is told of once, whatever happens in between. Whoever floods the referee makes him write one mail an hour to the
GM, and no number of letters of strangers hides one that may be a player's.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from sqlalchemy import Row, Table, select
from sqlmodel import Session

from pbem.post.letterhead import barred
from pbem.post.notices import tell_gm
from pbem.records import models
from pbem.records.papers import HELD_LETTERS, HELD_LETTERS_TOLD, paper, write_paper
from pbem.records.secrecy import without_tags
from pbem.words.wording import ended, shortened

if TYPE_CHECKING:
    from pbem.post.office import Office

_LETTERS: Table = models.Letter.__table__  # type: ignore[attr-defined]
_FACTS = ("id", "arrived", "sender", "subject", "match_id", "side", "meant_for", "reason")
#: Between two mails about held letters.
PAUSE = timedelta(hours=1)
#: Letters that are told of one by one; of more the number is told.
MOST_OF_PLAYERS, MOST_OF_STRANGERS = 40, 10
#: Characters of what is told of each.
LONGEST_FACT, LONGEST_REASON = 60, 300


class Untold(Struct, frozen=True):
    """The letters that the GM has not been told of: those of a seat, as it seems, the others, and how many more."""

    of_players: tuple[int, ...] = ()
    of_strangers: tuple[int, ...] = ()
    more: int = 0

    def with_one(self, number: int, *, of_player: bool) -> "Untold":
        most = MOST_OF_PLAYERS if of_player else MOST_OF_STRANGERS
        noted = self.of_players if of_player else self.of_strangers
        if number in noted:
            return self
        if len(noted) >= most:
            return Untold(self.of_players, self.of_strangers, self.more + 1)
        longer = (*noted, number)
        return Untold(longer if of_player else self.of_players, self.of_strangers if of_player else longer, self.more)


@dataclass(frozen=True)
class HeldLetter:
    """One of them as the GM is told of it. What others wrote stands behind a bar, so that no line of it can pass for
    an order of his when he replies."""

    number: int
    arrived: datetime
    facts: tuple[str, ...]
    release: str  # what he mails to have it read as a letter of this seat; empty if none is known


# ------------------------------------------------------------------ noting them


def note_that_it_is_held(session: Session, office: "Office", letter: models.Letter) -> None:
    """Not of what came from a GM's own address: he is answered there, and a mail about it could come back as another
    letter, from a program that answers for him, and so on every hour."""
    if not office.gm_addresses or office.gm_at(letter.sender):
        return
    untold = _untold(session).with_one(letter.id or 0, of_player=bool(letter.side or letter.meant_for))
    write_paper(session, HELD_LETTERS, msgspec.json.encode(untold).decode())


def _untold(session: Session) -> Untold:
    text = paper(session, HELD_LETTERS)
    return msgspec.json.decode(text, type=Untold) if text else Untold()


# ------------------------------------------------------------------ telling of them


def tell_of_held_letters(office: "Office", now: datetime) -> int:
    """How many letters the GM is told of now; those that have been read again meanwhile are not among them."""
    with office.store.reading() as session:
        if not _is_due(session, now):
            return 0
    with office.store.writing() as session:
        untold = _untold(session)
        letters = [_told(row) for row in _still_held(session, (*untold.of_players, *untold.of_strangers))]
        write_paper(session, HELD_LETTERS, "")
        if letters:
            write_paper(session, HELD_LETTERS_TOLD, now.isoformat())
            tell_gm(session, office, f"held/{now.isoformat()}", "gm-letters", letters=letters, more=untold.more)
        return len(letters)


def _is_due(session: Session, now: datetime) -> bool:
    """By a clock that was ahead, the last mail was written in the future: that holds up none."""
    if not paper(session, HELD_LETTERS):
        return False
    told = paper(session, HELD_LETTERS_TOLD)
    return not told or not timedelta() <= now - datetime.fromisoformat(told) < PAUSE


def _still_held(session: Session, numbers: tuple[int, ...]) -> list[Row[Any]]:
    """In the order in which they are noted, without their bytes, which may be many."""
    wanted = select(*(_LETTERS.c[name] for name in _FACTS)).where(
        _LETTERS.c.id.in_(numbers), _LETTERS.c.fate == models.HELD
    )
    found = {row.id: row for row in session.connection().execute(wanted)}
    return [found[number] for number in numbers if number in found]


def _told(row: Row[Any]) -> HeldLetter:
    side = row.side or row.meant_for
    release = f"RELEASE {row.id} {row.match_id} {side}" if side else ""
    said = (
        f"From: {_one_line(row.sender) or 'nobody can tell whom'}",
        f"Subject: {_one_line(row.subject) or '(none)'}",
        f"Held because: {ended(without_tags(row.reason[:LONGEST_REASON]))}",
    )
    return HeldLetter(row.id, row.arrived, tuple(barred(said)), release)


def _one_line(text: str) -> str:
    return shortened(without_tags(" ".join(text.split())), LONGEST_FACT)
