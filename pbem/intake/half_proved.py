"""Letters that show the key of a seat or come from its address, but not both: they wait for the GM, and the player of
the seat is told what was wrong and how to send it again.

He is told at his own address and nowhere else: whoever forges a letter gets nothing by it, and can make the referee
write a player a few mails a day, however many seats that player has.
"""

from dataclasses import dataclass

from pbem.desk.desk import Desk, Verdict
from pbem.letters.addresses import PLAUSIBLE_ADDRESS, folded
from pbem.post.letterhead import clock_time, notice_mail
from pbem.records import models
from pbem.records.seats import is_played
from pbem.words.wording import render, shortened

#: A day, to one address.
TOLD_A_DAY = 4
LONGEST_ADDRESS = 60


@dataclass(frozen=True)
class Flaw:
    """What a letter lacks: by its name for the player, in words for the GM."""

    name: str
    why: str


ANOTHER_ADDRESS = Flaw("another address", "the key of a seat came from another address")
NO_CLEAR_ADDRESS = Flaw("no clear address", "it does not say clearly who wrote it")
NO_KEY = Flaw("no key", "it came from the address of a seat, but there is no key in it")
WRONG_KEY = Flaw("wrong key", "it came from the address of a seat, but the key in it fits no seat")
NO_SIGNATURE = Flaw(
    "no signature", "no good DKIM signature of the sender's domain over From, Subject and the whole text"
)


def hold_and_tell(desk: Desk, seat: models.Seat, flaw: Flaw) -> Verdict:
    """The letter waits for the GM, and the seat's own address hears of it, if not too often."""
    desk.letter.match_id, desk.letter.meant_for = seat.match_id, seat.side
    told = desk.count_written(_account(desk, seat))
    if is_played(seat) and told < TOLD_A_DAY:
        _tell(desk, seat, flaw, is_last=told + 1 == TOLD_A_DAY)
    return Verdict(models.HELD, flaw.why)


def _account(desk: Desk, seat: models.Seat) -> str:
    """Under this name the mails of a day are counted."""
    return f"tried/{folded(seat.address)}/{desk.day}/"


def _tell(desk: Desk, seat: models.Seat, flaw: Flaw, *, is_last: bool) -> None:
    match = desk.session.get_one(models.Match, seat.match_id)
    side = desk.office.side_name(match, seat.side)
    text = render(
        "mail/somebody-tried.txt.j2",
        side=side,
        flaw=flaw.name,
        came=clock_time(desk.office, desk.letter.arrived, seat),
        sender=_as_shown(desk.sender),
        most=TOLD_A_DAY,
        is_last=is_last,
    )
    key = f"{_account(desk, seat)}{desk.mark}"
    subject = f"{side}: a mail could not be taken as yours"
    desk.office.write(desk.session, notice_mail(desk.office, key, match, seat, subject, text))


def _as_shown(sender: str) -> str:
    """Where the key came from, if it is an address and nothing else."""
    return shortened(sender, LONGEST_ADDRESS) if sender.isascii() and PLAUSIBLE_ADDRESS.fullmatch(sender) else ""
