"""`deadline.ics`: the deadline of the open gate as an entry for a calendar.

Every seat has one entry a match, which moves with the deadline: the same UID, a higher SEQUENCE. It is published, not
an invitation (RFC 5546), so that no calendar answers the referee; it is cancelled when no deadline is running.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from pbem.post.post import Attachment
from pbem.post.situation import Situation

NAME = "deadline.ics"
#: Octets in a line; a longer one goes on in the next, behind a blank (RFC 5545, 3.1).
LONGEST_LINE = 75


def deadline_file(now: Situation, written: datetime) -> tuple[Attachment, ...]:
    """Nothing in a match that never has deadlines."""
    if not now.has_deadlines:
        return ()
    method = "PUBLISH" if is_running(now) else "CANCEL"
    data = "".join(f"{_folded(line)}\r\n" for line in _lines(now, method, written)).encode()
    return (Attachment(NAME, "text/calendar", data, {"method": method, "charset": "utf-8"}),)


def is_running(now: Situation) -> bool:
    return now.gate is not None and now.deadline is not None and not now.paused


def _lines(now: Situation, method: str, written: datetime) -> Iterator[str]:
    at = now.deadline or written
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//pbem//referee//EN", f"METHOD:{method}", "BEGIN:VEVENT")
    yield f"UID:deadline-{now.war.id}-{now.side}@{now.sender.domain}"
    yield f"SEQUENCE:{now.changes}"
    yield f"DTSTAMP:{_moment(written)}"
    yield f"DTSTART:{_moment(at)}"
    yield f"DTEND:{_moment(at)}"
    yield f"SUMMARY:{_escaped(_summary(now, method))}"
    yield f"ORGANIZER;CN={_quoted(now.sender.name)}:mailto:{now.sender.address}"
    yield f"STATUS:{'CONFIRMED' if method == 'PUBLISH' else 'CANCELLED'}"
    yield "TRANSP:TRANSPARENT"
    if method == "PUBLISH" and now.is_on_turn and now.seat.lead_hours:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:-PT{now.seat.lead_hours}H")
        yield from (f"DESCRIPTION:{_escaped(_summary(now, method))}", "END:VALARM")
    yield from ("END:VEVENT", "END:VCALENDAR")


def _summary(now: Situation, method: str) -> str:
    war = f"{now.war.title} ({now.war.id})"
    if now.gate is None or method == "CANCEL":
        return f"{war}: no deadline"
    if now.is_on_turn:
        return f"{war}: orders of {now.side_name} are due, {now.gate.title}"
    return f"{war}: orders of {now.war.sides_named(now.gate.awaits)} are due"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', "'") + '"'


def _folded(line: str) -> str:
    """Broken between characters, never inside one."""
    lines, room = [""], LONGEST_LINE
    for character in line:
        size = len(character.encode())
        if size > room:
            lines.append(" ")
            room = LONGEST_LINE - 1
        lines[-1] += character
        room -= size
    return "\r\n".join(lines)
