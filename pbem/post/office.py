"""The office: what everybody who writes mail needs, and the one way by which a mail gets into the outbox."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from sqlalchemy import bindparam, func
from sqlmodel import Session, select

from engine.game import Side
from pbem.games import box_of
from pbem.games.box import GameBox
from pbem.games.guarded import troubles_until_now
from pbem.letters.addresses import folded, same_address
from pbem.post import post
from pbem.post.gm_keys import key_of_gm
from pbem.records import models
from pbem.records.store import Store
from pbem.settings import Settings
from pbem.words.wording import render, side_name

#: Asks for a TXT record of the DNS by its name; None if there is none.
LookUp = Callable[..., bytes | None]

_PLAYED_FROM = select(models.Seat.id).where(
    func.lower(models.Seat.address) == bindparam("address"), models.Seat.state == models.TAKEN
)


@dataclass(frozen=True)
class Office:
    """Everything that touches mail gets one of these."""

    store: Store
    settings: Settings
    clock: Callable[[], datetime]
    look_up: LookUp | None = None  # in place of the real DNS

    @cached_property
    def sender(self) -> post.Sender:
        referee = self.settings.referee
        return post.Sender(referee.name, referee.address, referee.plus_addressing, self.store.mail_secret)

    @property
    def gm_addresses(self) -> tuple[str, ...]:
        return self.settings.referee.gm

    def gm_at(self, address: str) -> str:
        """The GM's address that this one is; empty if it is nobody's. It proves nothing."""
        return next((gm for gm in self.gm_addresses if same_address(gm, address)), "")

    # -------------------------------------------------------------- writing

    def write(self, session: Session, mail: post.Mail) -> bool:
        """Put a mail into the outbox, in the transaction at hand. False if it was written before."""
        known = self._in_its_style(self._with_key_of_gm(session, mail))
        written = post.write(session, self.sender, known, self.clock(), self._rank_of(session, mail))
        self._tell_of_words_that_failed(session, mail)
        return written

    def side_name(self, match: post.NamedMatch, side: Side) -> str:
        """What a side of a war is called; by its id if this program does not know the game any more."""
        box = self._box_of(match)
        return box.side_name(side) if box is not None else side_name(side)

    def _box_of(self, match: post.NamedMatch) -> GameBox | None:
        game = self.store.games.get(match.game)
        return box_of(game) if game is not None else None

    def _in_its_style(self, mail: post.Mail) -> post.Mail:
        """In the colours of its game."""
        box = self._box_of(mail.match) if mail.match is not None and mail.seat is not None else None
        return dataclasses.replace(mail, style=box.style) if box is not None else mail

    def _tell_of_words_that_failed(self, session: Session, mail: post.Mail) -> None:
        """What failed while this mail was put into words; of the same the GM hears once a day for each match."""
        from pbem.post.notices import tell_gm

        today = self.clock().astimezone(UTC).date()
        for trouble in troubles_until_now():
            key = f"words/{mail.match.id if mail.match else 0}/{today}/{trouble.asked}"
            tell_gm(session, self, key, "gm-words", None, mail=mail, trouble=trouble)

    def _rank_of(self, session: Session, mail: post.Mail) -> int:
        """Whose mail it is: a player's leaves first, then the GM's, then that of people we do not know."""
        if mail.seat is not None:
            return models.FOR_PLAYERS
        if self.gm_at(mail.recipient):
            return models.FOR_GMS
        played = session.exec(_PLAYED_FROM, params={"address": folded(mail.recipient)}).first()
        return models.FOR_STRANGERS if played is None else models.FOR_PLAYERS

    def _with_key_of_gm(self, session: Session, mail: post.Mail) -> post.Mail:
        """Mail to a GM carries his key, so that he need only reply; mail to a seat that he plays carries the seat's."""
        gm = self.gm_at(mail.recipient)
        if mail.seat is not None or not gm:
            return mail
        return dataclasses.replace(mail, gm_key=key_of_gm(session, gm, self.clock()).key)

    def size_of(self, mail: post.Mail) -> int:
        """How many bytes a mail would have."""
        styled = self._in_its_style(mail)
        return len(post.compose(self.sender, styled, post.subject_of(styled), self.clock()))

    def tell_gm(
        self,
        session: Session,
        key: str,
        subject: str,
        text: str,
        match: models.Match | None = None,
        attachments: tuple[post.Attachment, ...] = (),
    ) -> None:
        """A notice to every GM address; said once for each key."""
        words = render("mail/gm-notice.txt.j2", text=text, footer=self.settings.referee.footer)
        for address in self.gm_addresses:
            self.write(
                session,
                post.Mail(f"gm/{key}/{address}", "notice", address, subject, words, match, attachments=attachments),
            )
