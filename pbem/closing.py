"""Closing a war: some time after its end its secret and all sealed sheets are published, and every player gets them.

Until then turns can be taken back. Afterwards nobody can: whoever knows the secret knows every die that is left in the
chain. A war is closed in one transaction with the mail that brings the bundle; it is made from what is on file, so it
can be asked for again at any time.
"""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlmodel import Session, col, select

from pbem.clock.guards import mailbox_was_read_since
from pbem.post import letterhead
from pbem.post.notices import notice, tell_gm
from pbem.post.post import Attachment
from pbem.records import models
from pbem.records.bundle import bundle_of, packed, parts_of
from pbem.records.database import TheDatabaseCannotBeWritten, TheDatabaseIsBusy
from pbem.records.matches import Position, number_of
from pbem.records.mending import first_entry, state_on_file
from pbem.records.seats import is_played, seats_of
from pbem.records.snapshots import entry_of
from pbem.refusal import Refusal

if TYPE_CHECKING:
    from pbem.post.office import Office

REFEREE = "referee"
KILOBYTE = 1024


class TheWarIsNotOver(Refusal):
    pass


class TheWarIsNotClosed(Refusal):
    pass


class TheWarIsClosed(Refusal):
    pass


# ------------------------------------------------------------------ when


def closes_at(office: "Office", match: models.Match) -> datetime | None:
    """When a war that is over will be closed; None while it is not over."""
    if match.over_since is None:
        return None
    return match.over_since + timedelta(hours=office.settings.clock.close_hours)


def when_it_is_closed(office: "Office", match: models.Match) -> str:
    """For the GM: until when he can take something back."""
    at = closes_at(office, match)
    when = letterhead.clock_time(office, at) if at else "its last day"
    return (
        f"On {when}, the war is closed: its secret and all sheets are mailed to the players, and no turn can be taken"
        f" back any more. Until then pbem rollback {match.id} does so; pbem close {match.id} closes it at once."
    )


def must_not_be_closed(match: models.Match) -> None:
    if match.closed is not None:
        raise TheWarIsClosed(
            f"match {match.id} was closed at {match.closed:%Y-%m-%d %H:%M} UTC, and the secret of its dice and all its"
            " sheets were published; so nothing of it can be taken back any more",
            "The players can begin a new war: pbem new",
        )


def must_be_ready(match: models.Match) -> None:
    """To be closed: over, and not closed already."""
    if match.closed is not None:
        raise TheWarIsClosed(
            f"match {match.id} was closed already, at {match.closed:%Y-%m-%d %H:%M} UTC",
            f"Write its bundle to a file with: pbem bundle {match.id}",
        )
    if match.status != models.OVER:
        raise TheWarIsNotOver(
            f"match {match.id} is not over, and whoever had its secret could foresee the dice",
            f"See whom it waits for with: pbem status {match.id}",
        )


def close_what_is_due(office: "Office", now: datetime) -> list[str]:
    """Each war by itself; the trouble of one is told to the GM and does not hold up the others.

    The mailbox must have been read since: a letter of the GM that takes the last turn back may lie in it.
    """
    with office.store.reading() as session:
        numbers = [number_of(match) for match in session.exec(_OVER) if _is_due(office, match, now)]
    return [said for number in numbers for said in _close_one(office, number, now)]


_OVER = select(models.Match).where(models.Match.status == models.OVER, col(models.Match.closed).is_(None))


def _is_due(office: "Office", match: models.Match, now: datetime) -> bool:
    at = closes_at(office, match)
    return match.status == models.OVER and match.closed is None and at is not None and at <= now


def _close_one(office: "Office", number: int, now: datetime) -> list[str]:
    try:
        with office.store.writing() as session:
            match = office.store.match_in(session, number)
            at = closes_at(office, match)
            if at is None or not _is_due(office, match, now) or not mailbox_was_read_since(session, at):
                return []
            close(session, office, match, REFEREE)
    except (TheDatabaseIsBusy, TheDatabaseCannotBeWritten):
        raise
    except Exception as error:
        _tell_of_trouble(office, number, traceback.format_exc(), now)
        return [f"match {number} could not be closed: {type(error).__name__}, the GM is told"]
    return [f"match {number}: closed, its bundle goes to the players"]


def _tell_of_trouble(office: "Office", number: int, trouble: str, now: datetime) -> None:
    with office.store.writing() as session:
        match = office.store.match_in(session, number)
        key = f"closing-trouble/{number}/{now.astimezone(UTC).date()}"
        tell_gm(session, office, key, "gm-not-closed", match, trouble=trouble)


# ------------------------------------------------------------------ closing


def close(session: Session, office: "Office", match: models.Match, who: str) -> "Package":
    """Publish the war: from now on it cannot be taken back. Every player is told, and gets the bundle if it fits."""
    must_be_ready(match)
    match.closed = office.clock()
    session.add(match)
    office.store.note(session, number_of(match), "closed the war", "", who)
    package = Package.of(session, office, match)
    for seat in seats_of(session, match):
        if is_played(seat):
            files = package.files if len(package.files) == 1 else ()
            _write(session, office, match, seat, f"closed/{match.id}", "closed", files, package=package)
    return package


@dataclass(frozen=True)
class Package:
    """The bundle as it is mailed: one zip, or pieces of it that are not too large for a mail."""

    name: str
    files: tuple[Attachment, ...]

    @classmethod
    def of(cls, session: Session, office: "Office", match: models.Match) -> "Package":
        if match.closed is None:
            raise TheWarIsNotClosed(*_why_not_yet(office, match))
        position = office.store.position_in(session, number_of(match))
        runs = session.exec(
            select(models.Turn).where(models.Turn.match_id == match.id).order_by(col(models.Turn.run))
        ).all()
        bundle = bundle_of(position, runs, lambda run: _state_after(session, position, runs[run - 1] if run else None))
        parts = parts_of(packed(bundle), office.settings.limits.attachment_kilobytes * KILOBYTE)
        return cls(bundle.name, tuple(_files(bundle.name, parts)))

    @property
    def data(self) -> bytes:
        return b"".join(file.data for file in self.files)

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def kilobytes(self) -> int:
        return -(-self.size // KILOBYTE)


def _state_after(session: Session, position: Position, turn: models.Turn | None) -> bytes:
    """After a run; without one, of the set-up."""
    entry = entry_of(turn) if turn is not None else first_entry(session, position.match)
    return state_on_file(session, position.game, position.match, entry)


def _files(name: str, parts: list[bytes]) -> Iterator[Attachment]:
    if len(parts) == 1:
        yield Attachment(name, "application/zip", parts[0])
        return
    for number, part in enumerate(parts, 1):
        yield Attachment(f"{name}.{number:03}", "application/octet-stream", part)


def _why_not_yet(office: "Office", match: models.Match) -> tuple[str, str]:
    at = closes_at(office, match)
    if at is None or match.status != models.OVER:
        hours = office.settings.clock.close_hours
        remedy = f"You get it by mail when the war is closed, {hours:g} hours after its end."
        return "the war is not over, and whoever had its secret could foresee the dice", remedy
    when = f"It is closed at {at:%Y-%m-%d %H:%M} UTC; then you get the bundle by mail."
    return "the war is over but not closed yet, so that a turn could still be taken back", when


def send(session: Session, office: "Office", match: models.Match, seat: models.Seat, day: str, part: int) -> int:
    """Mail the bundle once more, or one part of it; each once a day. How many mails were written."""
    package = Package.of(session, office, match)
    wanted = range(1, len(package.files) + 1) if part == 0 else (part,)
    if wanted[-1] > len(package.files):
        raise Refusal(f"the bundle has no part {part}", f"It has {len(package.files)}; BUNDLE alone sends it whole.")
    return sum(
        _write(
            session,
            office,
            match,
            seat,
            f"bundle/{match.id}/{day}/{number}",
            "bundle",
            package.files[number - 1 : number],
            package=package,
            part=number,
        )
        for number in wanted
    )


def _write(
    session: Session,
    office: "Office",
    match: models.Match,
    seat: models.Seat,
    key: str,
    name: str,
    files: tuple[Attachment, ...],
    **values: Any,
) -> bool:
    said = notice(name, match=match, attached=[file.name for file in files], **values)
    key = f"{key}/{seat.side}"
    return office.write(
        session, letterhead.notice_mail(office, key, match, seat, said.subject, said.text, attachments=files)
    )
