"""Reports that mail of ours was not delivered: which of them are believed, and what follows.

Anybody can write such a report. One counts only if it names a mail of ours that has been sent: by an id or a return
address that only its recipient and the servers on the way have seen, and as one to that recipient. Then the mail has
failed; a seat is marked only when mail to it has come back on several days.
"""

from datetime import timedelta

from sqlmodel import col, select

from pbem.desk.desk import Desk, Verdict
from pbem.letters.addresses import folded, same_address
from pbem.letters.letter import Bounce
from pbem.mail.postman import for_envelope
from pbem.mail.reach import DAYS_THAT_MARK, keeps_coming_back, seat_of
from pbem.mail.returns import mail_returned_to
from pbem.post.notices import tell_gm
from pbem.records import models
from pbem.records.secrecy import without_tags

#: A report of failed delivery that comes later than this is not believed.
OLDEST_BOUNCE = timedelta(days=10)
LONGEST_NOTED = 300

REPORT = "a report of failed delivery"


def bounce(desk: Desk) -> Verdict | None:
    """Dropped, whatever it says; what it proves is noted."""
    report, returned = desk.mail.bounce, _mail_of_return_address(desk)
    if report is None:
        return None if returned is None else Verdict(models.DROPPED, "it came to a return address, and reports nothing")
    mail = returned or _mail_named(desk, report)
    doubt = _why_not_believed(desk, report, mail, is_proved=returned is not None)
    if mail is None or doubt:
        return Verdict(models.DROPPED, f"{REPORT}, {doubt}")
    desk.letter.match_id = mail.match_id
    if not report.given_up:
        return Verdict(models.DROPPED, f"delivery to {mail.recipient} is delayed")
    _record(desk, mail, without_tags(report.diagnostic)[:LONGEST_NOTED])
    return Verdict(models.DROPPED, f"mail to {mail.recipient} came back: {report.diagnostic[:200]}")


# ------------------------------------------------------------------ which mail, and whether it is believed


def _mail_of_return_address(desk: Desk) -> models.Outgoing | None:
    """The mail whose own return address the letter came to."""
    secret = desk.office.sender.secret
    numbers = (mail_returned_to(secret, address) for address in desk.mail.recipients)
    number = next((one for one in numbers if one is not None), None)
    return None if number is None else desk.session.get(models.Outgoing, number)


def _mail_named(desk: Desk, report: Bounce) -> models.Outgoing | None:
    """The first mail of ours that the report names by its id."""
    ids = [one for one in report.message_ids if one]
    ours = select(models.Outgoing).where(col(models.Outgoing.message_id).in_(ids))
    named = {mail.message_id: mail for mail in desk.session.exec(ours)}
    return next((named[one] for one in ids if one in named), None)


def _why_not_believed(desk: Desk, report: Bounce, mail: models.Outgoing | None, *, is_proved: bool) -> str:
    """Empty if it is. A mail that has not left yet cannot have come back."""
    if mail is None:
        return "but not of a mail of ours"
    if mail.state != models.SENT or mail.sent is None:
        return f"but that mail is {mail.state}" if mail.state != models.FAILED else "but of that mail it is known"
    if desk.now - mail.sent > OLDEST_BOUNCE:
        return f"but that mail was sent {(desk.now - mail.sent).days} days ago"
    if not is_proved and not any(_same_mailbox(mail.recipient, one) for one in report.recipients):
        return "but it does not speak of the recipient that mail had"
    return ""


def _same_mailbox(one: str, other: str) -> bool:
    """As servers write it: a domain with umlauts in its other spelling, capitals of ASCII alone."""
    try:
        return for_envelope(one).encode().lower() == for_envelope(other).encode().lower()
    except ValueError:
        return False


# ------------------------------------------------------------------ what follows


def _record(desk: Desk, mail: models.Outgoing, reason: str) -> None:
    mail.state, mail.trouble = models.FAILED, reason
    desk.session.add(mail)
    _note(desk, mail, reason)
    seat = seat_of(desk.session, mail)
    is_a_gm = any(same_address(mail.recipient, gm) for gm in desk.office.gm_addresses)
    if seat is not None and not is_a_gm and keeps_coming_back(desk.session, mail.recipient, desk.now):
        _mark(desk, mail, seat, reason)


def _note(desk: Desk, mail: models.Outgoing, reason: str) -> None:
    """One row a mail; it may have been sent again and have come back again."""
    noted = desk.session.exec(select(models.Bounce).where(models.Bounce.outgoing_id == mail.id)).first()
    row = noted or models.Bounce(outgoing_id=mail.id or 0, recipient=mail.recipient, at=desk.now)
    row.match_id, row.side, row.at, row.reason = mail.match_id, mail.side, desk.now, reason
    desk.session.add(row)
    desk.session.flush()


def _mark(desk: Desk, mail: models.Outgoing, seat: models.Seat, reason: str) -> None:
    """The seat is shown as one whose mail comes back, and the GM is told, once a day."""
    seat.bounces = True
    desk.session.add(seat)
    match = desk.session.get_one(models.Match, seat.match_id)
    key, told = f"undelivered/{folded(mail.recipient)}/{desk.day}", {"mail": mail, "seat": seat, "days": DAYS_THAT_MARK}
    tell_gm(desk.session, desk.office, key, "gm-comes-back", match, reason=reason or "no reason was given", **told)
