"""The mails the referee writes, each made from what its reader may know and put into words by `templates/mail/`.

Every function gives a finished `Mail`; writing it is up to the caller, in the transaction of what it announces. The
key of a seat stands in its own mail and in no other.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.game import Fog, Outcome, Side
from pbem import models, report
from pbem.diary import diary
from pbem.matches import Position, Scene, how_it_ended
from pbem.naming import army_abbreviation, place_name
from pbem.post import FORM_BEGINS, FORM_ENDS, Attachment, Mail, key_tag
from pbem.schedule import clock_of, moment_in_words
from pbem.wording import WIDTH, own_or_shared, render, visible

if TYPE_CHECKING:
    from pbem.office import Office

PRESS_MODES = ("named", "anonymous", "off")


# ------------------------------------------------------------------ words that all mails share


def side_name(side: str) -> str:
    return side[:1].upper() + side[1:]


def sides_named(sides: tuple[str, ...]) -> str:
    return " and ".join(map(side_name, sides)) or "nobody"


def clock_time(office: "Office", at: datetime, seat: models.Seat | None = None) -> str:
    """A point in time by the player's clock."""
    return moment_in_words(at, (seat.zone if seat else "") or office.settings.clock.time_zone)


def press_mode(match: models.Match) -> str:
    return str(match.options.get("press", "named"))


def when_it_runs(office: "Office", position: Position, seat: models.Seat) -> str:
    """When the open gate will be run, as far as anybody can know."""
    match = position.match
    if match.frozen:
        return "The turn could not be run. The GM is looking into it; the orders on file stay as they are."
    if match.paused:
        return "The game is paused: nothing is run and no deadline passes until the GM resumes it."
    if match.deadline is None:
        return "There is no deadline. The turn is run when all sheets are in."
    waits = position.gate is not None and seat.wait_gate == position.gate.id
    early = "and not earlier, as you asked (WAIT)" if waits else "or earlier, if all sheets are in"
    return f"The turn is run at the deadline, {clock_time(office, match.deadline, seat)}, {early}."


def whose_turn(position: Position, seat: models.Seat) -> str:
    """What is expected of this seat now."""
    gate = position.gate
    if gate is None:
        return f"The war is over: {how_it_ended(position.outcome)}."
    if seat.side in gate.awaits:
        others = tuple(side for side in gate.awaits if side != seat.side)
        also = f" Orders are awaited from {sides_named(others)} too." if others else ""
        return f"It is your turn: {gate.title}. Your orders are awaited.{also}"
    may = " You may send standing orders meanwhile." if seat.side in gate.also_heard else ""
    return f"It is not your turn: {gate.title}. Orders are awaited from {sides_named(gate.awaits)}.{may}"


def order_form(position: Position, seat: models.Seat) -> str:
    """What a player can edit and send back. His armies stand in it as comments; empty when the war is over."""
    gate = position.gate
    if gate is None or seat.side not in gate.awaits + gate.also_heard:
        return ""
    lines = _form_lines(position.scene, position.options.fog, position.match_id, seat.side)
    return f"{FORM_BEGINS}\n{lines}\n\nKEY {key_tag(seat)}\n{FORM_ENDS}\n"


@lru_cache(maxsize=200)
def _form_lines(scene: Scene, fog: Fog, match_id: int, side: Side) -> str:
    """Kept in mind: every answer that quotes a form is compared with it."""
    view, gate = scene.view(side, fog), scene.gate
    assert gate is not None, "an open gate has a form"
    armies = [view.armies[army] for army in view.armies if view.armies[army].side == side] if _is_known(view) else []
    return render(
        own_or_shared(scene.game.id, "form.txt.j2", "plain"),
        match_id=match_id,
        view=view,
        gate=gate,
        side=side,
        on_turn=side in gate.awaits,
        armies=armies,
        place_name=place_name,
        abbreviation=army_abbreviation,
    )


def _is_known(view: Any) -> bool:
    return hasattr(view, "armies")


def _words(office: "Office", name: str, **values: Any) -> str:
    return render(f"mail/{name}.txt.j2", footer=office.settings.referee.footer, side_name=side_name, **values)


def _for_seat(
    office: "Office", kind: str, key: str, match: models.Match, seat: models.Seat, subject: str, text: str, **more: Any
) -> Mail:
    return Mail(key, kind, seat.address, subject, text, match, seat, **more)


# ------------------------------------------------------------------ welcome, report, reminder


def welcome_mail(office: "Office", position: Position, seat: models.Seat) -> Mail:
    """The first mail of a seat's thread: key `welcome/<match>/<side>`."""
    match = position.match
    text = _words(
        office,
        "welcome",
        match=match,
        seat=seat,
        scenario=position.scenario,
        game=position.game,
        options=position.options,
        press=press_mode(match),
        clock=clock_of(match.clock).in_words(),
        turn=whose_turn(position, seat),
        when=when_it_runs(office, position, seat) if position.gate else "",
        show=report.show_text(position.game.id, position.view(seat.side)),
        form=order_form(position, seat),
    )
    subject = f"{side_name(seat.side)}: welcome to {position.scenario.title}"
    return _for_seat(office, "welcome", f"welcome/{match.id}/{seat.side}", match, seat, subject, text)


def report_mail(office: "Office", position: Position, turn: models.Turn, seat: models.Seat) -> Mail:
    """What a turn brought, and what comes next. `position` is the one the turn left, its deadline already set.

    Key `report/<match>/<run>/<side>`.
    """
    match, form = position.match, order_form(position, seat)
    subject = f"{side_name(seat.side)}: {turn.title} resolved, {_what_is_next(position)}"
    key = f"report/{match.id}/{turn.run}/{seat.side}"
    text = report_text(office, position, turn, seat, form)
    files = (Attachment("orders.txt", "text/plain", form.encode()),) if form else ()
    return _for_seat(office, "report", key, match, seat, subject, text, attachments=files)


def report_text(office: "Office", position: Position, turn: models.Turn, seat: models.Seat, form: str = "") -> str:
    """A report as this seat may read it; also of an earlier turn, then from the position it left."""
    events = position.game.told(position.game.decode_events(turn.events), seat.side, position.options.fog)
    is_newest = turn.number == position.match.gate_number
    return _words(
        office,
        "report",
        match=position.match,
        seat=seat,
        turn=turn,
        ran_at=clock_time(office, turn.ran_at, seat),
        whose=whose_turn(position, seat) if is_newest else "",
        when=when_it_runs(office, position, seat) if is_newest and position.gate else "",
        diary=diary(position.game.id, events, seat.side).strip("\n"),
        show=report.show_text(position.game.id, position.view(seat.side)).strip("\n"),
        digests=[(sheet["side"], sheet["digest"]) for sheet in turn.sheets],
        form=form,
    )


def _what_is_next(position: Position) -> str:
    if position.gate is None:
        return "the war is over"
    return f"{sides_named(position.gate.awaits)} to move"


def rolled_back_mail(
    office: "Office",
    position: Position,
    seat: models.Seat,
    key: str,
    turns: Sequence[models.Turn],
    ended: Outcome | None,
    why: str,
) -> Mail:
    """Turns were taken back, and the game stands at `position` again. It calls to a turn, so it counts as a report."""
    match, form = position.match, order_form(position, seat)
    text = _words(
        office,
        "rolled-back",
        match=match,
        seat=seat,
        turns=turns,
        ended=ended,
        why=list(barred(why.splitlines())),
        whose=whose_turn(position, seat),
        when=when_it_runs(office, position, seat),
        show=report.show_text(position.game.id, position.view(seat.side)).strip("\n"),
        form=form,
    )
    subject = f"{side_name(seat.side)}: the game was taken back, {_what_is_next(position)}"
    topic = f"rolled-back/{match.id}/{seat.side}"
    files = (Attachment("orders.txt", "text/plain", form.encode()),) if form else ()
    return _for_seat(office, "report", f"{key}/{seat.side}", match, seat, subject, text, topic=topic, attachments=files)


def reminder_mail(office: "Office", position: Position, seat: models.Seat) -> Mail:
    """The open gate waits for this seat's sheet until `match.deadline`.

    Key `reminder/<match>/<occasion>/<side>/<deadline>`; it expires at the deadline.
    """
    match, gate = position.match, position.open_gate
    assert match.deadline is not None, "only of a deadline one is reminded"
    left = max(1, round((match.deadline - office.clock()).total_seconds() / 3600))
    text = _words(
        office,
        "reminder",
        seat=seat,
        gate=gate,
        hours=left,
        deadline=clock_time(office, match.deadline, seat),
        form=order_form(position, seat),
    )
    key = f"reminder/{match.id}/{position.occasion}/{seat.side}/{match.deadline.isoformat()}"
    subject = f"{side_name(seat.side)}: orders for {gate.title} are awaited"
    topic = f"reminder/{match.id}/{seat.side}"
    return _for_seat(office, "reminder", key, match, seat, subject, text, topic=topic, expires=match.deadline)


# ------------------------------------------------------------------ notices, questions, refusals, answers


def notice_mail(
    office: "Office", key: str, match: models.Match, seat: models.Seat, subject: str, text: str, topic: str = ""
) -> Mail:
    """A plain notice to a seat: a pause, a new deadline, somebody who left."""
    words = _words(office, "notice", seat=seat, text=text)
    return _for_seat(office, "notice", key, match, seat, subject, words, topic=topic)


def question_mail(office: "Office", key: str, match: models.Match, seat: models.Seat, subject: str, text: str) -> Mail:
    """Something a seat is asked: it can answer by replying."""
    words = _words(office, "question", seat=seat, text=text)
    return _for_seat(office, "question", key, match, seat, subject, words)


def refusal_mail(office: "Office", key: str, match: models.Match, seat: models.Seat, subject: str, text: str) -> Mail:
    """Something a seat sent could not be used."""
    words = _words(office, "refusal", seat=seat, text=text)
    return _for_seat(office, "refusal", key, match, seat, subject, words)


def press_mail(
    office: "Office", key: str, match: models.Match, seat: models.Seat, sender: str, to: str, lines: tuple[str, ...]
) -> Mail:
    """A message of another player. Each of his lines stands behind a bar, so that none can pass for the referee's."""
    words = _words(office, "press", seat=seat, sender=sender, to=to, lines=list(barred(lines)))
    subject = f"Press from {side_name(sender) if sender else 'somebody'}"
    return _for_seat(office, "press", key, match, seat, subject, words)


def barred(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        for piece in textwrap.wrap(visible(line), WIDTH - 4) or [""]:
            yield f"| {piece}".rstrip()


def stranger_mail(
    office: "Office", key: str, kind: str, address: str, subject: str, text: str, match: models.Match | None = None
) -> Mail:
    """To somebody who has no seat: no key of any seat can be in it."""
    return Mail(key, kind, address, subject, _words(office, "stranger", text=text), match)
