"""What the referee says besides reports: a pause, a new deadline, trouble. The words are in `templates/notices/`."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from pbem.post import letterhead
from pbem.records import models
from pbem.records.seats import is_played, seats_of
from pbem.records.secrecy import blanked_traceback, secrets_of
from pbem.words.wording import render

if TYPE_CHECKING:
    from pbem.post.office import Office

#: Notices after which the calendars of the players are wrong; they bring the entry that puts it right.
ABOUT_THE_DEADLINE = ("begun", "deadline", "paused", "resumed", "seated", "turn-run")


@dataclass(frozen=True)
class Notice:
    subject: str
    text: str


def notice(name: str, **values: Any) -> Notice:
    """The first line of a template is the subject."""
    subject, _, text = render(f"notices/{name}.txt.j2", **values).partition("\n")
    return Notice(subject.removeprefix("Subject:").strip(), text.lstrip("\n"))


def tell_players(session: Session, office: "Office", match: models.Match, key: str, name: str, **values: Any) -> None:
    """The same to every seat that is played, each in its own time zone, and only once for a key.

    What was to be said about the same thing before, and has not left yet, is not said any more.
    """
    for seat in seats_of(session, match):
        if is_played(seat):
            tell_player(session, office, match, seat, key, name, **values)


def tell_others(
    session: Session, office: "Office", match: models.Match, seat: models.Seat, key: str, name: str, **values: Any
) -> None:
    """News about a seat: to every other seat that is played."""
    for other in seats_of(session, match):
        if is_played(other) and other.side != seat.side:
            tell_player(session, office, match, other, key, name, who=office.side_name(match, seat.side), **values)


def tell_player(
    session: Session, office: "Office", match: models.Match, seat: models.Seat, key: str, name: str, **values: Any
) -> None:
    said = notice(name, match=match, seat=seat, clock_time=partial(letterhead.clock_time, office, seat=seat), **values)
    topic = f"{name}/{match.id}/{seat.side}"
    entry = letterhead.deadline_entry(session, office, match, seat) if name in ABOUT_THE_DEADLINE else ()
    mail = letterhead.notice_mail(office, f"{key}/{seat.side}", match, seat, said.subject, said.text, topic, entry)
    office.write(session, mail)


def tell_gm(
    session: Session, office: "Office", key: str, name: str, match: models.Match | None = None, **values: Any
) -> None:
    """Once for a key. No seat's key may be in it, even if an error message has picked one up."""
    said = notice(name, match=match, clock_time=partial(letterhead.clock_time, office), **values)
    office.tell_gm(session, key, said.subject, blanked_traceback(said.text, secrets_of(session)), match)
