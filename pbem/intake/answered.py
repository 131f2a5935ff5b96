"""How many letters of one writer are answered in a day. Each is, up to a limit, and the last answer says that it is the
last; what comes after it waits for the GM."""

from datetime import UTC, datetime, time, timedelta

from pbem.desk.desk import Desk
from pbem.letters.addresses import folded
from pbem.post.letterhead import clock_time
from pbem.records import models
from pbem.records.written import numbered
from pbem.words.wording import render

#: What an answer to a letter that made no sense is called in its key.
SENSELESS = "friendly"


def account_of(seat: models.Seat, day: str) -> str:
    """Under this name the answers of a day are counted."""
    return f"answer/{seat.match_id}/{seat.side}/{day}/"


def gm_account(address: str, day: str) -> str:
    return f"answer/gm/{folded(address)}/{day}/"


def account(desk: Desk) -> str:
    return account_of(desk.seat, desk.day) if desk.seat is not None else gm_account(desk.gm, desk.day)


def answered_today(desk: Desk, name: str) -> set[str]:
    """The letters that were answered under this name; several mails may answer one."""
    return {key.removeprefix(name).partition("-")[2] for key in desk.written(name)}


def may_be_answered(desk: Desk, name: str) -> bool:
    return len(answered_today(desk, name)) < desk.office.settings.limits.letters_a_day


def last_words(desk: Desk, name: str) -> str:
    """What the last answer of a day says below everything else; empty in any other."""
    most = desk.office.settings.limits.letters_a_day
    if len(answered_today(desk, name) - {desk.mark}) != most - 1:
        return ""
    again = clock_time(desk.office, _next_day(desk.now), desk.seat)
    return render("mail/last-today.txt.j2", most=most, again=again)


def _next_day(now: datetime) -> datetime:
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)


def senseless_before(desk: Desk, name: str) -> int:
    """How many letters made no sense today, one after the other, until this one."""
    count = 0
    for _, key in reversed(numbered(desk.session, name)):
        if not key.removeprefix(name).startswith(f"{SENSELESS}-"):
            break
        count += 1
    return count
