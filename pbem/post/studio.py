"""The studio: draws the pictures of a mail when it leaves, outside any transaction.

A mail and the sketch of its pictures are written together; the drawn pictures are not kept. A mail that has to be sent
again, after a crash or a failure, is drawn again, to the same bytes. What cannot be drawn holds nothing up: the mail
goes without, and the GM is told.
"""

import asyncio
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from sqlmodel import Session, col, delete, select

from pbem.games import box_of
from pbem.games.box import GameBox
from pbem.post import sketches
from pbem.post.notices import tell_gm
from pbem.post.post import with_pictures
from pbem.records import models

if TYPE_CHECKING:
    from pbem.post.office import Office

#: A mail in one of these states may still leave.
MAY_LEAVE = (models.TO_SEND, models.FAILED)


class Studio:
    """Used within `with`, since it holds the threads of the encoders."""

    def __init__(self, office: "Office") -> None:
        self._office = office
        self._encoders = ThreadPoolExecutor(sketches.ENCODERS, "encoder")
        self._easel = asyncio.Semaphore(1)

    def __enter__(self) -> "Studio":
        return self

    def __exit__(self, *_: object) -> None:
        self._encoders.shutdown()

    async def finished(self, number: int, known_by: Sequence[str], raw: bytes) -> bytes:
        """The bytes of a mail with its pictures."""
        with self._office.store.reading() as session:
            found, box = session.get(models.Sketch, number), self._box_of(session, number)
        if found is None or box is None:
            return raw
        sketch = sketches.decoded(found.source)
        try:
            async with self._easel:  # one mail after the other; its pictures are drawn at once
                pictures = await asyncio.to_thread(sketches.drawn, box, sketch, self._encoders)
        except Exception:
            self._tell_of_trouble(number, traceback.format_exc())
            pictures = sketches.without_drawing(sketch)
        return with_pictures(raw, known_by, pictures)

    def _box_of(self, session: Session, number: int) -> GameBox | None:
        """The box of the game that a mail is about."""
        about = select(models.Match).join(models.Outgoing).where(models.Outgoing.id == number)
        match = session.exec(about).first()
        return box_of(self._office.store.game(match.game)) if match is not None else None

    def _tell_of_trouble(self, number: int, trouble: str) -> None:
        with self._office.store.writing() as session:
            mail = session.get_one(models.Outgoing, number)
            match = session.get(models.Match, mail.match_id) if mail.match_id else None
            tell_gm(session, self._office, f"picture/{mail.key}", "gm-picture", match, mail=mail, trouble=trouble)

    def tidy_up(self) -> None:
        """Throw away the sketches of mails that have left or never will."""
        done_with = select(models.Sketch.outgoing_id).join(models.Outgoing)
        done_with = done_with.where(col(models.Outgoing.state).not_in(MAY_LEAVE))
        with self._office.store.reading() as session:
            if session.exec(done_with.limit(1)).first() is None:
                return
        with self._office.store.writing() as session:
            session.exec(delete(models.Sketch).where(col(models.Sketch.outgoing_id).in_(done_with)))
