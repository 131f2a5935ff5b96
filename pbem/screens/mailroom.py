"""What the GM sees of letters, mails and deadlines. No key of a seat is among it."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlmodel import Session, col, select

from pbem.clock.guards import TICK
from pbem.clock.jumps import doubt_in
from pbem.desk import releasing
from pbem.desk.forgetting import is_forgotten, must_be_there
from pbem.records import models
from pbem.records.matches import number_of
from pbem.records.secrecy import blanked, secrets_of, without_tags
from pbem.records.store import Store
from pbem.refusal import Refusal
from pbem.schedule import clock_of
from pbem.screens.console import Facts, moment
from pbem.words.wording import shortened, visible


class ThereIsNoSuchMail(Refusal):
    pass


def _one_line(text: str, width: int) -> str:
    return shortened(visible(without_tags(" ".join(text.split()))), width)


# ------------------------------------------------------------------ letters


def letters(store: Store, *, held: bool = False, most: int = 50) -> list[Facts]:
    """The newest letters, the oldest of them first."""
    found = select(models.Letter).order_by(col(models.Letter.id).desc()).limit(most)
    if held:
        found = found.where(models.Letter.fate == models.HELD)
    with store.reading() as session:
        return [letter_facts(letter) for letter in reversed(session.exec(found).all())]


def letter_facts(letter: models.Letter) -> Facts:
    return {
        "letter": letter.id,
        "arrived": letter.arrived,
        "sender": letter.sender,
        "subject": without_tags(letter.subject),
        "match": letter.match_id,
        "side": letter.side,
        "fate": letter.fate,
        "reason": without_tags(letter.reason),
        "settled": letter.settled,
        "meant_for": letter.meant_for,
        "released": letter.released_to is not None,
        "history": [{**one, "reason": without_tags(one["reason"])} for one in letter.history],
        "bytes": len(letter.raw),
        "forgotten": is_forgotten(letter),
    }


def letters_text(facts: Sequence[Facts], *, held: bool) -> str:
    if not facts:
        return "No letter waits for the GM." if held else "No letter has come yet."
    return "\n".join(line for letter in facts for line in _letter_lines(letter))


def _letter_lines(letter: Facts) -> list[str]:
    about = f"match {letter['match']} {letter['side']}".rstrip() if letter["match"] else "no match"
    about += f" (says it is {letter['meant_for']})" if letter["meant_for"] and not letter["side"] else ""
    about += " (released by the GM)" if letter["released"] else ""
    about += " (its bytes are deleted)" if letter["forgotten"] else ""
    head = f"{letter['letter']:>5}  {moment(letter['arrived'])}  {letter['fate']:<8}  {about}"
    return [
        head.rstrip(),
        f"       from {_one_line(letter['sender'] or '?', 60)}: {_one_line(letter['subject'] or '(no subject)', 80)}",
        *(f"       was {one['fate']}: {_one_line(one['reason'], 90)}" for one in letter["history"]),
        *([f"       {_one_line(letter['reason'], 100)}"] if letter["reason"] else []),
    ]


def letter_text(store: Store, number: int) -> str:
    """A letter as it came, but for the keys."""
    with store.reading() as session:
        letter = must_be_there(releasing.letter_named(session, number))
        return blanked(letter.raw.decode("utf-8", "replace"), secrets_of(session))


def read_again(store: Store, number: int) -> None:
    """A letter that was set aside goes back to the others that have not been read."""
    with store.writing() as session:
        releasing.read_again(session, releasing.held_letter(session, number))


# ------------------------------------------------------------------ the clock


def clock_facts(store: Store) -> Facts:
    """What the referee thinks of the clock, without looking at it."""
    with store.reading() as session:
        last, doubt = session.get(models.Pulse, TICK), doubt_in(session)
    return {
        "now": store.clock(),
        "last_look": None if last is None else last.at,
        "trusted": doubt is None,
        "jumped_from": None if doubt is None else doubt.before,
        "jumped_to": None if doubt is None else doubt.since,
        "minutes_to_go": 0 if doubt is None else round(doubt.left.total_seconds() / 60),
    }


def clock_text(facts: Facts) -> str:
    looked = f"; the referee last looked at {moment(facts['last_look'])}" if facts["last_look"] else ""
    said = f"It is {moment(facts['now'])}{looked}."
    if facts["trusted"]:
        return f"{said} The clock is trusted, and deadlines count."
    return "\n".join(
        [
            f"{said} The clock has jumped from {moment(facts['jumped_from'])} to {moment(facts['jumped_to'])}.",
            f"No deadline passes before it has been steady for {facts['minutes_to_go']} minutes more, or you say",
            "that it is right: pbem clock --trust",
        ]
    )


# ------------------------------------------------------------------ mails


def outgoing(store: Store, *, states: Collection[str] | None, most: int = 50) -> list[Facts]:
    """The newest mails in these states, or in all; the oldest of them first."""
    found = select(models.Outgoing).order_by(col(models.Outgoing.id).desc()).limit(most)
    if states is not None:
        found = found.where(col(models.Outgoing.state).in_(sorted(states)))
    with store.reading() as session:
        return [_outgoing_facts(mail) for mail in reversed(session.exec(found).all())]


def _outgoing_facts(mail: models.Outgoing) -> Facts:
    return {
        "mail": mail.id,
        "kind": mail.kind,
        "match": mail.match_id,
        "side": mail.side,
        "recipient": mail.recipient,
        "subject": without_tags(mail.subject),
        "state": mail.state,
        "created": mail.created,
        "attempts": mail.attempts,
        "next_try": mail.next_try,
        "expires": mail.expires,
        "sent": mail.sent,
        "trouble": without_tags(mail.trouble),
        "bytes": len(mail.raw),
    }


def outgoing_text(facts: Sequence[Facts]) -> str:
    if not facts:
        return "No mail waits, and none has failed."
    return "\n".join(line for mail in facts for line in _outgoing_lines(mail))


def _outgoing_lines(mail: Facts) -> list[str]:
    head = f"{mail['mail']:>5}  {moment(mail['created'])}  {mail['state']:<9}  {mail['kind']} to {mail['recipient']}"
    lines = [head, f"       {_one_line(mail['subject'], 100)}"]
    if mail["trouble"]:
        lines.append(f"       {mail['attempts']} tried: {_one_line(mail['trouble'], 100)}")
    if mail["state"] == models.TO_SEND and mail["attempts"]:
        lines.append(f"       next try {moment(mail['next_try'])}")
    return lines


def try_again(store: Store, number: int = 0) -> int:
    """Let a mail that waits or has failed go out with the next pass; 0 for all of them. How many there were."""
    with store.writing() as session:
        found = select(models.Outgoing).where(col(models.Outgoing.state).in_((models.TO_SEND, models.FAILED)))
        mails = session.exec(found if number == 0 else found.where(models.Outgoing.id == number)).all()
        if number and not mails:
            raise ThereIsNoSuchMail(f"no mail {number} waits or has failed", "List them with: pbem outbox")
        for mail in mails:
            mail.state, mail.next_try = models.TO_SEND, store.clock()
            session.add(mail)
        return len(mails)


# ------------------------------------------------------------------ deadlines


def deadlines(store: Store) -> list[Facts]:
    """Every match that goes on, the most urgent first."""
    with store.reading() as session:
        matches = session.exec(select(models.Match).where(models.Match.status == models.RUNNING)).all()
        facts = [_deadline_facts(session, store, match) for match in matches]
    return sorted(facts, key=lambda one: (one["deadline"] is None, one["deadline"] or one["match"], one["match"]))


def _deadline_facts(session: Session, store: Store, match: models.Match) -> Facts:
    gate = store.position_in(session, number_of(match)).gate
    waiting = store.waiting_in(session, number_of(match), gate) if gate else {}
    seats = session.exec(select(models.Seat).where(models.Seat.match_id == match.id).order_by(col(models.Seat.id)))
    return {
        "match": match.id,
        "title": match.title,
        "gate": gate.title if gate else "",
        "deadline": match.deadline,
        "clock": clock_of(match.clock).in_full(),
        "paused": match.paused,
        "frozen": match.frozen,
        "seats": [_seat_facts(seat, gate.awaits if gate else (), waiting) for seat in seats],
    }


def _seat_facts(seat: models.Seat, awaits: Collection[str], waiting: Collection[str]) -> Facts:
    return {
        "side": seat.side,
        "state": seat.state,
        "bot": seat.bot,
        "awaited": seat.side in awaits,
        "has_sent": seat.side in waiting,
        "misses": seat.misses,
        "bounces": seat.bounces,
        "absent_to": seat.absent_to,
    }


def deadlines_text(facts: Sequence[Facts]) -> str:
    if not facts:
        return "No match is under way."
    return "\n".join(line for match in facts for line in _deadline_lines(match))


def _deadline_lines(match: Facts) -> list[str]:
    when = moment(match["deadline"]) if match["deadline"] else "no deadline"
    signs = [sign for sign in ("paused", "frozen") if match[sign]]
    return [
        f"{match['match']:>5}  {when}{''.join(f', {sign}' for sign in signs)}  {match['title']} ({match['clock']})",
        f"       {match['gate']}",
        *(f"       {seat['side']}: {_seat_text(seat)}" for seat in match["seats"]),
    ]


def _seat_text(seat: Facts) -> str:
    said: list[Any] = ["has sent a sheet" if seat["has_sent"] else "is awaited" if seat["awaited"] else "waits"]
    state = f"{seat['state']}:{seat['bot']}" if seat["bot"] else seat["state"]
    said += [f"the seat is {state}"] if state != models.TAKEN else []
    said += [f"{seat['misses']} missed in a row"] if seat["misses"] else []
    said += ["mail comes back"] if seat["bounces"] else []
    said += [f"away until {moment(seat['absent_to'])}"] if seat["absent_to"] else []
    return ", ".join(said)
