"""One-time words: what a player or GM asked for and has to confirm with a second mail, and what several must agree to.

A word goes to the address that has to confirm and nowhere else. Whoever sends it back proves that he reads there.
"""

import secrets
from datetime import timedelta

from sqlmodel import col, select

from pbem.desk.desk import Desk
from pbem.records import models
from pbem.records.keys import KEY_LETTERS
from pbem.refusal import Refusal

WORD_LENGTH = 10
VALID_DAYS = 3
#: How long a vote for a draw or for more time stands.
VOTE_DAYS = 7


class TheWordIsNotKnown(Refusal):
    def __init__(self) -> None:
        super().__init__(
            "this word is not one I have sent you, or it has been used or has expired",
            "Ask again for what you wanted; you will get a new word.",
        )


def new_word() -> str:
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(WORD_LENGTH))


def word_for(desk: Desk, act: str, argument: str = "", side: str | None = None, whose: str = "") -> models.Word:
    """A word that confirms an act. One that was asked for earlier for the same act counts no more.

    Where several may ask for the same, `whose` is the first word of the argument; nobody takes away another's.
    """
    side = side if side is not None else (desk.seat.side if desk.seat else "")
    for earlier in _open_words(desk, act, side):
        if not whose or earlier.argument.split()[0] == whose:
            earlier.used = desk.now
            desk.session.add(earlier)
    return _written(desk, act, argument, side, VALID_DAYS)


def _written(desk: Desk, act: str, argument: str, side: str, days: int) -> models.Word:
    word = models.Word(
        word=new_word(),
        match_id=desk.match_id,
        side=side,
        act=act,
        argument=argument,
        expires=desk.now + timedelta(days=days),
    )
    desk.session.add(word)
    desk.session.flush()
    return word


def _open_words(desk: Desk, act: str, side: str | None = None) -> list[models.Word]:
    found = select(models.Word).where(
        models.Word.match_id == desk.match_id,
        models.Word.act == act,
        col(models.Word.used).is_(None),
        col(models.Word.expires) > desk.now,
    )
    if side is not None:
        found = found.where(models.Word.side == side)
    return list(desk.session.exec(found.order_by(col(models.Word.id))))


def find_word(desk: Desk, text: str) -> models.Word | None:
    """A word that may still be used, whoever sends it; whether he may is for the caller to say."""
    found = desk.session.exec(select(models.Word).where(models.Word.word == text.strip().strip(".").lower())).first()
    if found is None or found.act.startswith(models.VOTE) or found.used is not None or found.expires <= desk.now:
        return None
    return found


def use(desk: Desk, word: models.Word) -> None:
    word.used = desk.now
    desk.session.add(word)
    desk.session.flush()


# ------------------------------------------------------------------ votes


def vote(desk: Desk, act: str, argument: str) -> None:
    """A side's voice for something that counts at this gate alone; the newest one stands."""
    side = desk.the_seat.side
    for earlier in _open_words(desk, models.VOTE + act, side):
        use(desk, earlier)
    _written(desk, models.VOTE + act, argument, side, VOTE_DAYS)


def votes(desk: Desk, act: str) -> dict[str, str]:
    """Who has voted for it and with what."""
    return {word.side: word.argument for word in _open_words(desk, models.VOTE + act)}


def forget_votes(desk: Desk, act: str) -> None:
    for word in _open_words(desk, models.VOTE + act):
        use(desk, word)
