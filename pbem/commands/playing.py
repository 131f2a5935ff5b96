"""The commands of a player: his orders and when they are run, his clock and his absences, and messages to others."""

import re
import secrets
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import fuzz, process

from engine.game import Gate
from pbem import referee
from pbem.clock.jumps import remember_sheet_if_in_doubt
from pbem.commands.confirming import vote as cast_vote
from pbem.commands.confirming import votes
from pbem.commands.copies import asked_before
from pbem.desk.desk import Answer, Desk, Request
from pbem.desk.requests import CHECK, READY
from pbem.games import box_of
from pbem.post.buttons import Button, buttons_for
from pbem.post.letterhead import clock_time, press_mail, press_mode, question_mail, zone_of
from pbem.post.odds_table import table_of
from pbem.post.receipt import ReceiptFacts, receipt_text, refused_lines, transcript_of
from pbem.post.situation import RUN_NOW
from pbem.post.sketches import sketch_of
from pbem.records import models
from pbem.records.matches import Receipt
from pbem.records.seats import is_played
from pbem.records.secrecy import blanked
from pbem.records.settled import players_awaited
from pbem.refusal import Refusal
from pbem.schedule import hours_in_words, minutes_in_words, zone_or_utc
from pbem.words.pages import fragment
from pbem.words.wording import ended, render, sides_named, visible

LONGEST_ABSENCE = timedelta(days=30)
LONGEST_EXTENSION = 14 * 24
LONGEST_LEAD = 14 * 24
#: The others and the GM get a mail for each.
EXTENSIONS_ASKED_A_DAY = 3
PRESS_TO = re.compile(
    r"TO\s+(?P<whom>[\w-]+)(?P<unsigned>\s+ANONYMOUS(?:LY)?\b)?(?:\s*:\s*|\s+|$)(?P<text>.*)", re.IGNORECASE
)
TWO_DATES = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})\s+(?:TO\s+|-\s*)?(\d{4}-\d{1,2}-\d{1,2})|OFF", re.IGNORECASE)
NONE = re.compile(r"(?:NONE)?[.!]?", re.IGNORECASE)
SETTLE_SHAPE = re.compile(r"(?:READY|OFF)?[.!]?", re.IGNORECASE)
HOURS = re.compile(r"(\d{1,4})?(?:\s*h(?:ours?)?)?", re.IGNORECASE)
HOURS_OR_OFF = re.compile(r"(\d{1,4})(?:\s*h(?:ours?)?)?|OFF", re.IGNORECASE)


class TheWarIsOverAlready(Refusal):
    def __init__(self) -> None:
        super().__init__("the war is over, so there are no orders to give", "REPORT sends you the last report again.")


class ThereIsNothingToRead(Refusal):
    pass


class ThereIsNothingOnFile(Refusal):
    pass


class ThePressIsNotPassedOn(Refusal):
    pass


class ThisIsNotUnderstood(Refusal):
    pass


class ThereIsNoDeadlineToMove(Refusal):
    pass


# ------------------------------------------------------------------ orders


def orders(desk: Desk, request: Request) -> Answer:
    """Judge the lines and keep them for the open gate; CHECK keeps nothing."""
    if not request.lines:
        raise ThereIsNothingToRead(
            f"there are no orders below {request.word}",
            "Write them in the lines below it. To do nothing on purpose, write ORDERS NONE in a line of its own.",
        )
    if desk.position.gate is None:
        raise TheWarIsOverAlready
    if desk.the_match.frozen and request.word != CHECK:
        return _held(desk)
    text = "\n".join(request.lines) + "\n"
    keep = request.word != CHECK
    store, side = desk.office.store, desk.the_seat.side
    taken = store.receive_in(desk.session, desk.match_id, side, text, keep=keep, remarks=request.remarks)
    if taken.kept:
        _is_no_longer_ready(desk, taken)
    return _receipt(desk, taken, text, request.prose)


def _is_no_longer_ready(desk: Desk, taken: Receipt) -> None:
    """A new sheet may be run at once if all is well with it; if not, its sender says again that he is ready. Where
    sheets have to settle, the receipt knows that he says so below them."""
    match, seat = desk.the_match, desk.the_seat
    seat.ready_gate = ""
    if READY in desk.words and taken.awaited and (match.settle_minutes or seat.settle_ready):
        seat.ready_gate, seat.wait_gate = taken.gate.id, ""
    desk.session.add(seat)
    if match.settle_minutes:
        waiting = desk.office.store.waiting_in(desk.session, desk.match_id, taken.gate)
        remember_sheet_if_in_doubt(desk.session, match, waiting[seat.side])
    desk.may_run = True


def _held(desk: Desk) -> Answer:
    desk.fate = models.HELD
    return Answer("Your orders are held", render("mail/frozen.txt.j2"), refused=True)


def _receipt_title(taken: Receipt) -> str:
    """First what is wrong with it: of a subject a phone shows the beginning."""
    what = "checked" if taken.only_checked else "received" if taken.kept else "NOT KEPT"
    refused = refused_lines(taken.judged.sheet, taken.judged.findings)
    wrong = f"{refused} {'line' if refused == 1 else 'lines'} REFUSED, " if refused else ""
    return f"{wrong}orders for {taken.gate.title} {what}"


def _receipt(desk: Desk, taken: Receipt, text: str, prose: tuple[str, ...] = ()) -> Answer:
    """Every line with what became of it, and the orders drawn on the player's own map."""
    box, judged = box_of(desk.position.game), taken.judged
    view, shown = desk.position.view(taken.side), bool(judged.sheet.lines) and not judged.sheet.refused
    facts = ReceiptFacts(
        match=desk.match_id,
        title=taken.match.title,
        side=taken.side,
        gate_title=taken.gate.title,
        digest=taken.digest,
        arrived=taken.arrived,
        superseded=taken.superseded,
        missing=tuple("your own sheet" if side == taken.side else desk.side_name(side) for side in taken.missing),
        kept=taken.kept,
        only_checked=taken.only_checked,
        awaited=taken.awaited,
        odds=table_of(box, judged.odds),
        plan=box.plan(view, judged.sheet) if shown else None,
        zone=zone_of(desk.office, desk.the_seat),
        prose=prose,
    )
    transcript = transcript_of(box, text, judged.sheet, judged.findings, facts)
    values = {
        "why_not": ended(taken.why_not) if taken.why_not else "",
        "check": taken.only_checked,
        "doubt": _doubt(desk, taken),
        "when": _when(desk, taken),
    }
    pictures = box.orders_pictures(view, judged.sheet, judged.findings) if shown else ()
    return Answer(
        _receipt_title(taken),
        render("mail/receipt-foot.txt.j2", transcript=receipt_text(transcript), **values),
        changed=taken.kept,
        refused=not taken.kept,
        receipt=True,
        body=fragment("mail/receipt.html.j2", of=transcript, pictures=pictures, buttons=_buttons(desk), **values),
        sketch=sketch_of(view, pictures, orders=text),
    )


def _buttons(desk: Desk) -> tuple[Button, ...]:
    return buttons_for(desk.office.sender, desk.the_match, desk.the_seat, desk.position.gate)


def _when(desk: Desk, taken: Receipt) -> str:
    """When the turn is run: at once, if this was the last sheet it waited for."""
    if taken.kept and referee.can_be_run(desk.session, desk.office, desk.position):
        return RUN_NOW
    return desk.when_it_runs()


def _doubt(desk: Desk, taken: Receipt) -> str:
    """Why the turn waits for a sheet that was kept: lines of it were refused, it looks unfinished, or its sender wants
    to be asked."""
    found = [finding for finding in taken.judged.findings if finding.leaves_doubt]
    if not taken.kept or not taken.awaited or desk.the_seat.ready_gate == taken.gate.id:
        return ""
    if not found:
        return "ready" if desk.the_seat.settle_ready else ""
    return "refused" if any(finding.refuses for finding in found) else "unfinished"


def cancel(desk: Desk, request: Request) -> Answer:
    """Withdraw the sheet that waits."""
    _must_not_be_frozen(desk)
    if desk.position.gate is None:
        raise TheWarIsOverAlready
    sheet = desk.office.store.withdraw_in(desk.session, desk.match_id, desk.the_seat.side)
    if sheet is None:
        raise ThereIsNothingOnFile("you have no orders on file for this turn", "There is nothing to withdraw.")
    desk.the_seat.ready_gate = ""
    desk.session.add(desk.the_seat)
    text = "They are withdrawn and will not be used. Send others, or your standing orders and the defaults decide."
    return _said("Your orders are withdrawn", text, changed=True)


def _must_not_be_frozen(desk: Desk) -> None:
    if desk.the_match.frozen:
        raise ThereIsNothingOnFile(
            "the turn is being repeated after a fault of the program, and its orders may not change", "Please wait."
        )


def ready(desk: Desk, request: Request) -> Answer:
    """Run the turn as soon as the others have sent; also if lines of the sheet were refused."""
    gate, seat = desk.position.gate, desk.the_seat
    if gate is None:
        raise TheWarIsOverAlready
    waiting = desk.office.store.waiting_in(desk.session, desk.match_id, gate)
    if seat.side in gate.awaits and seat.side not in waiting:
        raise ThereIsNothingOnFile("you have no orders on file yet", "Send them first, or ORDERS NONE.")
    seat.ready_gate, seat.wait_gate = gate.id, ""
    desk.session.add(seat)
    desk.may_run = True
    return _said("You are ready", _when_all_are_ready(desk, gate), changed=True)


def _when_all_are_ready(desk: Desk, gate: Gate) -> str:
    """Whether others have said so is not told."""
    minutes = desk.the_match.settle_minutes
    others = [seat for seat in players_awaited(gate, desk.seats()) if seat.side != desk.the_seat.side]
    if not minutes or not others:
        return f"{gate.title} is run as soon as nobody else is awaited."
    whose = sides_named(desk.side_name(seat.side) for seat in others)
    return (
        f"{gate.title} is run as soon as READY has come from {whose} too, or else {minutes_in_words(minutes)} after"
        " the last sheet, unless somebody holds it."
    )


def wait(desk: Desk, request: Request) -> Answer:
    """Do not run the turn before its deadline."""
    gate, seat = desk.position.gate, desk.the_seat
    if gate is None:
        raise TheWarIsOverAlready
    seat.ready_gate, seat.wait_gate = "", gate.id
    desk.session.add(seat)
    text = f"{gate.title} is not run before its deadline, even if all orders are in. READY takes that back."
    return _said("The turn waits for its deadline", text, changed=True)


def settle(desk: Desk, request: Request) -> Answer:
    """Whether a turn of his is ever run before he has said READY, but for its deadline."""
    said = request.rest.strip().rstrip(".!").upper()
    if said:
        for seat in desk.seats_of_the_player():
            seat.settle_ready = said == READY
            desk.session.add(seat)
        desk.may_run = True
    return _said("When your turns are run", _how_it_settles(desk), changed=bool(said))


def _how_it_settles(desk: Desk) -> str:
    if desk.the_seat.settle_ready:
        return (
            "No turn that awaits you is run before you have said READY, or before its deadline. You can write READY"
            " into the same mail as your orders. SETTLE OFF takes this back."
        )
    minutes = desk.the_match.settle_minutes
    after = f"{minutes_in_words(minutes)} after the last sheet that is awaited has come"
    return (
        f"A turn is run {after if minutes else 'as soon as all sheets that are awaited are in'}, or at its deadline."
        " SETTLE READY: not before you have said READY."
    )


# ------------------------------------------------------------------ time


def timezone(desk: Desk, request: Request) -> Answer:
    """The zone in which the player reads clocks."""
    zone = _zone_named(request.rest.strip())
    for seat in desk.seats_of_the_player():
        seat.zone = zone
        desk.session.add(seat)
    now = clock_time(desk.office, desk.now, desk.the_seat)
    return _said("Your time zone", f"I tell you times in {zone} from now on. It is {now} there.", changed=True)


def _zone_named(name: str) -> str:
    known = {zone.casefold(): zone for zone in available_timezones()}
    wanted = name.casefold().replace(" ", "_")
    if wanted in known:
        return known[wanted]
    cities = [zone for key, zone in known.items() if key.endswith(f"/{wanted}")]
    if len(cities) == 1:
        return cities[0]
    near = [known[key] for key, _, _ in process.extract(wanted, list(known), scorer=fuzz.WRatio, limit=3)]
    raise ThisIsNotUnderstood(f"{visible(name)[:40]!r} is not a time zone I know", f"Perhaps {', '.join(near)}?")


def remind(desk: Desk, request: Request) -> Answer:
    """How many hours before a deadline the player is reminded."""
    found = HOURS_OR_OFF.fullmatch(request.rest.strip())
    hours = int(found[1] or 0) if found else -1
    if not 0 <= hours <= LONGEST_LEAD:
        raise ThisIsNotUnderstood("REMIND wants a number of hours, or OFF", "Write for example: REMIND 24")
    for seat in desk.seats_of_the_player():
        seat.lead_hours = hours
        desk.session.add(seat)
    text = f"I remind you {hours_in_words(hours)} before a deadline." if hours else "I do not remind you any more."
    return _said("Reminders", text, changed=True)


def absence(desk: Desk, request: Request) -> Answer:
    """Days on which the player cannot send orders; a deadline in between waits for him."""
    found = TWO_DATES.fullmatch(request.rest.strip().rstrip("."))
    if found is None:
        raise ThisIsNotUnderstood("ABSENCE wants two dates", "Write for example: ABSENCE 2026-12-20 2027-01-03, or OFF")
    first, last = _days(desk, found) if found[1] else (None, None)
    for seat in desk.seats_of_the_player():
        seat.absent_from, seat.absent_to = first, last
        desk.session.add(seat)
    desk.note("absence", f"{first.date()} to {last.date()}" if first and last else "ended")
    if first is None or last is None:
        return _said("Your absence", "You are back.", changed=True)
    begins, ends = (clock_time(desk.office, moment, desk.the_seat) for moment in (first, last))
    text = f"You are away from {begins} until {ends}. A deadline that falls into it is moved once."
    return _said("Your absence", text, changed=True)


def _days(desk: Desk, found: re.Match[str]) -> tuple[datetime, datetime]:
    """From the beginning of the first day to the end of the last, by the player's clock."""
    zone = zone_or_utc(zone_of(desk.office, desk.the_seat))
    first, last = (_day(text) for text in (found[1], found[2]))
    begins, ends = _midnight(first, zone), _midnight(last + timedelta(days=1), zone)
    if ends <= desk.now or ends <= begins:
        raise ThisIsNotUnderstood(
            "the second date is not after the first, or has passed", "Give the two the other way."
        )
    if ends - begins > LONGEST_ABSENCE:
        raise ThisIsNotUnderstood("nobody waits so long", f"The longest absence is {LONGEST_ABSENCE.days} days.")
    return begins, ends


def _day(text: str) -> date:
    try:
        return date(*map(int, text.split("-")))
    except ValueError:
        raise ThisIsNotUnderstood(f"there is no {text}", "Write dates as 2026-12-20.") from None


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


# ------------------------------------------------------------------ asking the others


def extend(desk: Desk, request: Request) -> Answer:
    """More time, if all players want it; the GM may grant it alone."""
    match, gate = desk.the_match, desk.position.gate
    if gate is None:
        raise TheWarIsOverAlready
    if match.deadline is None or match.paused:
        raise ThereIsNoDeadlineToMove("no deadline is running", "STATUS says how the game stands.")
    hours = _hours_wanted(request.rest)
    cast_vote(desk, "EXTEND", f"{gate.id} {hours}")
    said = {side: of.split() for side, of in votes(desk, "EXTEND").items()}
    agreed = {side: int(of[1]) for side, of in said.items() if of[0] == gate.id}
    if all(seat.side in agreed for seat in desk.seats() if is_played(seat)):
        return _extended(desk, min(agreed.values()))
    _must_not_ask_for_ever(desk, hours)
    asks = f"asks for {hours_in_words(hours)} more"
    ask_the_others(desk, "extend", asks, agreed, str(hours), hours=hours_in_words(hours), number=hours)
    desk.office.tell_gm(
        desk.session,
        f"extend/{desk.match_id}/{gate.id}/{desk.the_seat.side}/{hours}",
        f"Match {desk.match_id}: {desk.the_seat.side} asks for {hours_in_words(hours)} more",
        f"The others have been asked. You can grant it alone:\n\n  pbem extend {desk.match_id} {hours}\n",
        match,
    )
    text = (
        f"The other players and the GM have been asked for {hours_in_words(hours)} more. Until then the deadline stays."
    )
    return _said("You asked for more time", text, changed=True)


def _hours_wanted(text: str) -> int:
    found = HOURS.fullmatch(text.strip().rstrip("."))
    hours = int(found[1] or 24) if found else 0
    if not 1 <= hours <= LONGEST_EXTENSION:
        raise ThisIsNotUnderstood(f"EXTEND wants hours, from 1 to {LONGEST_EXTENSION}", "Write for example: EXTEND 24")
    return hours


def _must_not_ask_for_ever(desk: Desk, hours: int) -> None:
    """Every number of hours is another question."""
    today = _questions(desk, "extend")
    asked = {key.removeprefix(today).split("/")[0] for key in desk.written(today)}
    if len(asked - {str(hours)}) >= EXTENSIONS_ASKED_A_DAY:
        raise ThereIsNoDeadlineToMove(
            "you have asked for more time several times today", "Wait for what the others say, or ask again tomorrow."
        )


def _extended(desk: Desk, hours: int) -> Answer:
    from pbem import referee
    from pbem.commands.confirming import forget_votes

    later = referee.extend(desk.session, desk.office, desk.the_match, hours, who="players")
    forget_votes(desk, "EXTEND")
    text = f"All agree. The new deadline is {clock_time(desk.office, later, desk.the_seat)}."
    return _said("More time", text, changed=True)


def ask_the_others(desk: Desk, what: str, asks: str, agreed: Any, how_much: str = "", **values: Any) -> None:
    """A question to every other player who has not agreed yet; the same one is asked once a day."""
    gate = desk.position.open_gate
    for seat in desk.others():
        if seat.side not in agreed:
            text = render(f"mail/ask-{what}.txt.j2", who=desk.side_name(desk.the_seat.side), gate=gate, **values)
            key = f"{_questions(desk, what)}{how_much}/{seat.side}"
            subject = f"{desk.side_name(seat.side)}: {desk.side_name(desk.the_seat.side)} {asks}"
            desk.office.write(desk.session, question_mail(desk.office, key, desk.the_match, seat, subject, text))


def _questions(desk: Desk, what: str) -> str:
    """Under this name a side's questions of a day are kept."""
    return f"question/{what}/{desk.match_id}/{desk.position.open_gate.id}/{desk.the_seat.side}/{desk.day}/"


# ------------------------------------------------------------------ messages


def press(desk: Desk, request: Request) -> Answer:
    """Pass a message on to another side, or to all."""
    mode, found = press_mode(desk.the_match), PRESS_TO.fullmatch(request.rest.strip())
    if mode == "off":
        raise ThePressIsNotPassedOn("messages between players are not passed on in this game", "")
    if found is None:
        raise ThisIsNotUnderstood(
            "PRESS wants to know to whom", "Write for example: PRESS TO ALL, and the text below it."
        )
    if found["unsigned"] and mode != "anonymous":
        raise ThePressIsNotPassedOn("messages are signed in this game, and nothing was sent", "Leave ANONYMOUS out.")
    readers = _readers(desk, found["whom"].casefold())
    if any(_is_the_same_message(request, other) for other in asked_before(desk, request.word)):
        raise ThePressIsNotPassedOn(
            "this message was passed on already, when your mail came for the first time",
            "If you want to say it again, write a new mail.",
        )
    text = _press_text(desk, (found["text"], *request.lines))
    _deliver(
        desk, readers, "ALL" if found["whom"].casefold() == "all" else readers[0].side, text, not found["unsigned"]
    )
    to = " and ".join(desk.side_name(seat.side) for seat in readers)
    return _said("Your message was passed on", f"To: {to}. Lines: {len(text)}.", changed=True)


def _is_the_same_message(one: Request, other: Request) -> bool:
    """To the same readers, and the same but for what a scanner may have written below it."""
    first, second = ([" ".join(line.split()).casefold() for line in (ask.rest, *ask.lines)] for ask in (one, other))
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]


def _press_text(desk: Desk, lines: tuple[str, ...]) -> tuple[str, ...]:
    limits = desk.office.settings.limits
    text = "\n".join(lines).strip()
    if not text:
        raise ThePressIsNotPassedOn("there is no text below PRESS", "Write it in the lines below, and END after it.")
    if len(text) > limits.press_characters:
        raise ThePressIsNotPassedOn(
            f"the message has {len(text)} characters, and {limits.press_characters} are allowed", "Make it shorter."
        )
    if len(_sent_today(desk)) >= limits.press_a_day:
        raise ThePressIsNotPassedOn(f"you have sent {limits.press_a_day} messages today", "Try again tomorrow.")
    return tuple(blanked(text, [seat.key for seat in desk.seats() if seat.key]).splitlines())


def _sent_today(desk: Desk) -> set[str]:
    keys = desk.written(f"press/{desk.match_id}/{desk.the_seat.side}/{desk.day}/")
    return {key.split("/")[4] for key in keys}


def _readers(desk: Desk, whom: str) -> list[models.Seat]:
    readers = [seat for seat in desk.others() if whom in ("all", seat.side.casefold())]
    if not readers:
        others = ", ".join(seat.side for seat in desk.others()) or "nobody"
        raise ThePressIsNotPassedOn(
            f"nobody reads mail for {visible(whom)[:30]!r}", f"You can write to: {others}, ALL."
        )
    return readers


def _deliver(desk: Desk, readers: list[models.Seat], to: str, text: tuple[str, ...], signed: bool) -> None:
    """The key is partly random: nobody shall find out from the Message-ID who wrote."""
    token = secrets.token_hex(8)
    for seat in readers:
        key = f"press/{desk.match_id}/{desk.the_seat.side}/{desk.day}/{token}/{seat.side}"
        sender = desk.the_seat.side if signed else ""
        desk.office.write(desk.session, press_mail(desk.office, key, desk.the_match, seat, sender, to, text))


def _said(title: str, text: str, *, changed: bool = False) -> Answer:
    return Answer(title, render("mail/said.txt.j2", text=text), changed)
