"""The seats of a match, and which of them somebody plays."""

from sqlmodel import Session, col, select

from engine.game import Game
from pbem.records import models
from pbem.records.matches import number_of

#: How a GM writes that the program shall play a seat; behind a colon he can say how well.
BOT = "bot"


def seats_of(session: Session, match: models.Match) -> list[models.Seat]:
    seats = select(models.Seat).where(models.Seat.match_id == number_of(match)).order_by(col(models.Seat.id))
    return list(session.exec(seats))


def bot_named(text: str) -> str | None:
    """The level in `bot` or `bot:cautious`, which is empty if none is named; None for anybody but a bot."""
    word, colon, level = text.strip().partition(":")
    return level.strip() if word == BOT and bool(level.strip()) == bool(colon) else None


def level_of(game: Game, seat: models.Seat) -> str:
    """How well the program plays that holds a seat."""
    return seat.bot or game.traits.bots[0]


def bot_in_words(level: str) -> str:
    return f"the {level} player"


def is_played(seat: models.Seat) -> bool:
    """Somebody reads what is sent to this seat."""
    return seat.state == models.TAKEN and bool(seat.address)
