"""The seats of a match, and which of them somebody plays."""

from sqlmodel import Session, col, select

from pbem.records import models
from pbem.records.matches import number_of


def seats_of(session: Session, match: models.Match) -> list[models.Seat]:
    seats = select(models.Seat).where(models.Seat.match_id == number_of(match)).order_by(col(models.Seat.id))
    return list(session.exec(seats))


def is_played(seat: models.Seat) -> bool:
    """Somebody reads what is sent to this seat."""
    return seat.state == models.TAKEN and bool(seat.address)
