"""Letters that were held: reading them once more, by themselves or as those of a seat the GM vouches for.

A letter has one fate at a time. What had become of it before is kept beside it, so nothing is read twice unseen.
"""

from typing import TYPE_CHECKING

from sqlmodel import Session

from pbem import referee
from pbem.desk.forgetting import must_be_there
from pbem.records import models
from pbem.records.matches import ThereIsNoSuchMatch
from pbem.records.seats import is_played
from pbem.refusal import Refusal

if TYPE_CHECKING:
    from pbem.post.office import Office


class ThereIsNoSuchLetter(Refusal):
    pass


class TheLetterIsNotHeld(Refusal):
    pass


class TheSeatIsNotNamed(Refusal):
    pass


def letter_named(session: Session, number: int) -> models.Letter:
    letter = session.get(models.Letter, number)
    if letter is None:
        raise ThereIsNoSuchLetter(f"there is no letter {number}", "List them with: pbem letters")
    return letter


def held_letter(session: Session, number: int) -> models.Letter:
    letter = letter_named(session, number)
    if letter.fate != models.HELD:
        raise TheLetterIsNotHeld(
            f"letter {number} has its fate already: it was {letter.fate}", "Only held letters can be read again."
        )
    return must_be_there(letter)


def read_again(session: Session, letter: models.Letter) -> None:
    """Put a letter back to those that have not been read. The bytes are what they were."""
    settled = letter.settled.isoformat() if letter.settled else None
    letter.history = [*letter.history, {"fate": letter.fate, "reason": letter.reason, "settled": settled}]
    letter.fate, letter.settled = models.ARRIVED, None
    session.add(letter)


def seat_to_release_to(session: Session, letter: models.Letter, match: int | None, side: str) -> models.Seat:
    """The seat that is named, or else the one the letter seemed to come from, or came from."""
    match_id, side = match or letter.match_id, side or letter.meant_for or letter.side
    if match_id is None or not side:
        raise TheSeatIsNotNamed(
            f"letter {letter.id} does not say which seat it is for", "Name the match and the side too."
        )
    found = session.get(models.Match, match_id)
    if found is None:
        raise ThereIsNoSuchMatch(f"there is no match {match_id}", "List the matches with: pbem status")
    seat = referee.seat_in(session, found, side.casefold())
    if not is_played(seat):
        raise TheSeatIsNotNamed(f"nobody plays {seat.side} in match {match_id}", "Seat somebody with: pbem replace")
    return seat


def release(session: Session, office: "Office", letter: models.Letter, seat: models.Seat) -> None:
    """The GM says that this seat's player wrote it: it is read once more as if key and address were right."""
    read_again(session, letter)
    letter.match_id, letter.side, letter.released_to = seat.match_id, seat.side, seat.id
    office.store.note(session, seat.match_id, "released a letter", f"letter {letter.id}, as one of {seat.side}")
    session.flush()


def in_words(session: Session, office: "Office", letter: models.Letter, seat: models.Seat) -> str:
    """What would happen, as a part of a sentence. Orders count for the gate that is open now, whenever it came."""
    gate = office.store.position_in(session, seat.match_id).gate
    orders = f"; orders in it count for {gate.title}" if gate else ""
    return f"letter {letter.id} be read as one of {seat.side} in match {seat.match_id}{orders}"
