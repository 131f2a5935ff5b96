"""The commands about who sits where: joining and leaving, a new address or key, and how a war ends before its time.

What ends or hands over a seat is done when a one-time word comes back from the address it was sent to.
"""

import dataclasses
import re
from collections.abc import Callable

from sqlmodel import col, select

from engine.game import Outcome
from pbem import referee
from pbem.closing import when_it_is_closed
from pbem.commands.asking import match_named
from pbem.commands.confirming import TheWordIsNotKnown, find_word, forget_votes, use, votes, word_for
from pbem.commands.confirming import vote as cast_vote
from pbem.commands.playing import TheWarIsOverAlready, ThisIsNotUnderstood, ask_the_others
from pbem.desk.desk import Answer, Desk, Request
from pbem.letters.addresses import PLAUSIBLE_ADDRESS, folded, same_address
from pbem.post.letterhead import cancelled_entry, deadline_entry, notice_mail, report_owed, stranger_mail
from pbem.records import models
from pbem.records.keys import new_key as fresh_key
from pbem.records.matches import ENDED, Position, is_over_since
from pbem.records.seats import is_played
from pbem.refusal import Refusal
from pbem.words.wording import render, visible

JOIN_SHAPE = re.compile(r"(?P<match>.{1,60}?)\s+AS\s+(?P<side>[\w-]+)[.!]?", re.IGNORECASE)
NEW_ADDRESSES_A_DAY = 3
OLD, NEW = "ADDRESS old", "ADDRESS new"


class TheSeatIsNotFree(Refusal):
    pass


class ThatIsEnoughForToday(Refusal):
    pass


# ------------------------------------------------------------------ leaving, giving up, agreeing


def concede(desk: Desk, request: Request) -> Answer:
    _must_be_running(desk)
    return _ask_for_word(desk, "CONCEDE", "concede")


def resign(desk: Desk, request: Request) -> Answer:
    _must_be_running(desk)
    return _ask_for_word(desk, "RESIGN", "resign")


def _must_be_running(desk: Desk) -> None:
    if desk.position.gate is None:
        raise TheWarIsOverAlready


def _ask_for_word(desk: Desk, act: str, template: str) -> Answer:
    word, side = word_for(desk, act), desk.the_seat.side
    winners = " and ".join(map(desk.side_name, _the_other_party(desk.position, side)))
    text = render(f"mail/confirm-{template}.txt.j2", word=word.word, side=desk.side_name(side), winners=winners)
    return Answer(f"Please confirm: {act}", text, changed=True)


def draw(desk: Desk, request: Request) -> Answer:
    """The war ends undecided when all who play have said so at the same gate."""
    _must_be_running(desk)
    gate = desk.position.open_gate
    cast_vote(desk, "DRAW", gate.id)
    agreed = [side for side, gate_id in votes(desk, "DRAW").items() if gate_id == gate.id]
    if all(seat.side in agreed for seat in desk.seats() if is_played(seat)):
        forget_votes(desk, "DRAW")
        end_the_war(desk, Outcome((), "all players agreed to a draw"))
        return _with_entry(desk, _said("The war is over", "All players agreed to a draw."))
    ask_the_others(desk, "draw", "offers a draw", agreed)
    text = "The other players have been asked. The war ends undecided if all of them agree before this turn is run."
    return _said("You offered a draw", text)


def _with_entry(desk: Desk, answer: Answer) -> Answer:
    """Also who ends a war himself has its deadline in his calendar."""
    entry = deadline_entry(desk.session, desk.office, desk.the_match, desk.the_seat)
    return dataclasses.replace(answer, attachments=entry)


def end_the_war(desk: Desk, outcome: Outcome) -> None:
    """Ended by the players. The position stays as it is, and everybody is told."""
    match = desk.the_match
    is_over_since(match, desk.office.clock())
    match.deadline = None
    match.options = {**match.options, ENDED: {"winners": list(outcome.winners), "how": outcome.how}}
    desk.session.add(match)
    desk.note("ended the war", outcome.how)
    winners = " and ".join(map(desk.side_name, outcome.winners)) or "Nobody"
    text = render("mail/said.txt.j2", text=f"The war is over: {outcome.how}. {winners} won. Thank you for playing.")
    for seat in filter(is_played, desk.seats()):
        if (owed := report_owed(desk.session, desk.office, match, seat)) is not None:
            desk.office.write(desk.session, owed)
        if seat.side != desk.the_seat.side:
            key = f"ended/{desk.match_id}/{desk.mark}/{seat.side}"
            entry = deadline_entry(desk.session, desk.office, match, seat)
            mail = notice_mail(desk.office, key, match, seat, "The war is over", text, attachments=entry)
            desk.office.write(desk.session, mail)
    when = render("mail/said.txt.j2", text=when_it_is_closed(desk.office, match))
    key, subject = f"ended/{desk.match_id}/{desk.mark}", f"Match {desk.match_id} is over"
    desk.office.tell_gm(desk.session, key, subject, f"{text}\n{when}", match)


# ------------------------------------------------------------------ key and address


def new_key(desk: Desk, request: Request) -> Answer:
    """A new key; the old one counts no more."""
    desk.the_seat.key = fresh_key()
    desk.session.add(desk.the_seat)
    desk.note("new key")
    text = (
        "This mail carries your new key: in the subject, in braces. From now on reply to this mail or a later one;"
        " the key in older mails counts no more."
    )
    return _said("Your new key", text)


def address(desk: Desk, request: Request) -> Answer:
    """A new address counts when the old and the new one have both confirmed it."""
    new = folded(request.rest.strip().strip("<>."))
    if not PLAUSIBLE_ADDRESS.fullmatch(new) or not new.isprintable():
        raise ThisIsNotUnderstood("ADDRESS wants your new mail address", "Write for example: ADDRESS new@example.org")
    if same_address(new, desk.the_seat.address) or same_address(new, desk.office.sender.address):
        raise ThisIsNotUnderstood("that is no new address of yours", "Write for example: ADDRESS new@example.org")
    prefix = f"address/{desk.match_id}/{desk.the_seat.side}/{desk.day}/"
    if desk.count_written(prefix) >= NEW_ADDRESSES_A_DAY:
        raise ThatIsEnoughForToday("you have asked for a new address several times today", "Try again tomorrow.")
    old_word, new_word = word_for(desk, OLD, new), word_for(desk, NEW, new)
    side = desk.side_name(desk.the_seat.side)
    to_new = render("mail/confirm-new-address.txt.j2", word=new_word.word, side=side, match=desk.the_match)
    subject = "Please confirm your address"
    mail = stranger_mail(desk.office, prefix + desk.mark, "question", new, subject, to_new, desk.the_match)
    desk.office.write(desk.session, mail)
    text = render("mail/confirm-address.txt.j2", word=old_word.word, side=side, address=visible(new))
    return Answer("Please confirm: ADDRESS", text, changed=True)


# ------------------------------------------------------------------ joining


def join(desk: Desk, request: Request) -> Answer:
    """Take a free seat. A word goes to the address that wants it, so that nobody is seated against his will; who writes
    with the key of a seat has proved already that it is he."""
    found = JOIN_SHAPE.fullmatch(request.rest.strip())
    if found is None:
        raise ThisIsNotUnderstood(
            "JOIN wants a game and a side", desk.filled_in("Write for example: JOIN 17 AS {side}")
        )
    match, seat = _free_seat(desk, found["match"].strip().casefold(), found["side"].casefold())
    table = dataclasses.replace(desk, match=match, seat=None, _position=None)
    if desk.seat is not None:
        return _seated(table, seat, desk.seat.address, desk.seat.name)
    argument = f"{desk.sender} {visible(desk.mail.sender_name)[:60]}"
    word = word_for(table, "JOIN", argument, seat.side, whose=desk.sender)
    text = render("mail/confirm-join.txt.j2", word=word.word, side=table.side_name(seat.side), match=match)
    return Answer(f"Please confirm: JOIN {match.id}", text, changed=True)


def _free_seat(desk: Desk, name: str, side: str) -> tuple[models.Match, models.Seat]:
    match = match_named(desk, name)
    table = dataclasses.replace(desk, match=match, seat=None, _position=None)
    seats = [seat for seat in table.seats() if seat.side.casefold() == side] if match else []
    if match is None or not seats or seats[0].state != models.OPEN:
        raise TheSeatIsNotFree("there is no such free seat", "GAMES lists the seats that are free.")
    _must_be_allowed_both(table, seats[0], desk.sender)
    return match, seats[0]


def _must_be_allowed_both(table: Desk, wanted: models.Seat, address: str) -> None:
    """Nobody holds two seats, unless the match has an option with which one player runs several sides."""
    own = [seat.side for seat in table.seats() if is_played(seat) and same_address(seat.address, address)]
    if not own:
        return
    position = table.position
    if not position.scenario.may_share({*own, wanted.side}, position.options.switches):
        raise TheSeatIsNotFree("you play in this game already", "Nobody sits on two seats of one game.")


# ------------------------------------------------------------------ confirming


def confirm(desk: Desk, request: Request) -> Answer:
    """Carry out what a one-time word stands for, if it comes from where it was sent."""
    word = find_word(desk, request.rest)
    if word is None or not may_confirm(desk, word):
        raise TheWordIsNotKnown
    return carry_out(desk, word, CONFIRMED[word.act])


def carry_out(desk: Desk, word: models.Word, act: Callable[[Desk, models.Word], Answer]) -> Answer:
    """At the table of the match the word is about. The word is used up, unless the act is refused."""
    match = desk.session.get(models.Match, word.match_id)
    seat = desk.seat if desk.seat is not None and desk.seat.match_id == word.match_id else None
    use(desk, word)
    return act(dataclasses.replace(desk, match=match, seat=seat, _position=None), word)


def may_confirm(desk: Desk, word: models.Word) -> bool:
    """A player's word comes back with his key, the others from the one address they were sent to."""
    if word.act not in CONFIRMED:
        return False
    if word.act in (NEW, "JOIN"):
        return same_address(desk.sender, word.argument.split()[0])
    seat = desk.seat
    return seat is not None and (seat.match_id, seat.side) == (word.match_id, word.side)


def _conceded(desk: Desk, word: models.Word) -> Answer:
    """With two parties the other one wins; with more the war goes on without whoever gives up."""
    _must_be_running(desk)
    side = desk.the_seat.side
    winners = _the_other_party(desk.position, side)
    if not winners:
        return _resigned(desk, word)
    end_the_war(desk, Outcome(winners, f"{desk.side_name(side)} conceded"))
    text = f"You have conceded. {' and '.join(map(desk.side_name, winners))} won. Thank you for playing."
    return _with_entry(desk, _said("The war is over", text))


def _the_other_party(position: Position, side: str) -> tuple[str, ...]:
    """The sides that win if this one gives up. Where one player runs several sides they are one; empty if there are
    more parties than two."""

    def is_one(*sides: str) -> bool:
        return len(sides) == 1 or position.scenario.may_share(set(sides), position.options.switches)

    others = tuple(one for one in position.scenario.sides if one != side and not is_one(side, one))
    return others if is_one(*others) else ()


def _resigned(desk: Desk, word: models.Word) -> Answer:
    _must_be_running(desk)
    entry = cancelled_entry(desk.session, desk.office, desk.the_match, desk.the_seat)
    referee.seat_left(desk.session, desk.office, desk.the_match, desk.the_seat)
    said = _said("You have left the game", "You have given up your seat. Thank you for playing so far.")
    return dataclasses.replace(said, attachments=entry)


def _address_confirmed(desk: Desk, word: models.Word) -> Answer:
    """Both words have to come back; either may be first."""
    seat = next(one for one in desk.seats() if one.side == word.side)
    if _other_half_is_open(desk, word):
        return _said("Half of it is done", "The other address has to confirm too, with the word I sent there.")
    old, seat.address, seat.key = seat.address, word.argument, fresh_key()
    seat.bounces = False
    desk.session.add(seat)
    desk.office.store.note(desk.session, desk.match_id, "new address", "", seat.side)
    _tell_both_addresses(desk, seat, old, word)
    return _said("Your new address", "It counts from now on, and your key is a new one. It was sent there.")


def _other_half_is_open(desk: Desk, word: models.Word) -> bool:
    half = select(models.Word).where(
        models.Word.match_id == word.match_id,
        models.Word.side == word.side,
        models.Word.act == (NEW if word.act == OLD else OLD),
        models.Word.argument == word.argument,
    )
    other = desk.session.exec(half.order_by(col(models.Word.id).desc())).first()
    return other is None or other.used is None


def _tell_both_addresses(desk: Desk, seat: models.Seat, old: str, word: models.Word) -> None:
    told = render("mail/new-address.txt.j2", side=desk.side_name(seat.side), here=True)
    subject = f"{desk.side_name(seat.side)}: your mail comes here now"
    key = f"moved/{desk.match_id}/{seat.side}/{word.id}"
    desk.office.write(desk.session, notice_mail(desk.office, key, desk.the_match, seat, subject, told))
    gone = render("mail/new-address.txt.j2", side=desk.side_name(seat.side), here=False)
    mail = stranger_mail(desk.office, f"{key}/old", "notice", old, "Your address was changed", gone, desk.the_match)
    desk.office.write(desk.session, mail)


def _joined(desk: Desk, word: models.Word) -> Answer:
    address, _, name = word.argument.partition(" ")
    seat = next(one for one in desk.seats() if one.side == word.side)
    if seat.state != models.OPEN:
        raise TheSeatIsNotFree("somebody else was faster, and the seat is taken", "GAMES lists the free seats.")
    _must_be_allowed_both(desk, seat, address)
    return _seated(desk, seat, address, name)


def _seated(desk: Desk, seat: models.Seat, address: str, name: str) -> Answer:
    match = desk.the_match
    others_are_taken = all(one.state != models.OPEN for one in desk.seats() if one.side != seat.side)
    begins = match.paused and match.gate_number == 0 and others_are_taken
    take = referee.seat_last_player if begins else referee.seat_player
    take(desk.session, desk.office, match, seat, address, name)
    desk.session.flush()
    desk.office.tell_gm(
        desk.session,
        f"joined/{desk.match_id}/{seat.side}/{desk.mark}",
        f"Match {desk.match_id}: {seat.side} is taken",
        f"{visible(name) or 'Somebody'} <{address}> has joined match {desk.match_id} as {seat.side}.",
        match,
    )
    text = f"You play {desk.side_name(seat.side)} in {match.title} (game {match.id}) now. The welcome is on its way."
    return _said("You have a seat", text)


def _said(title: str, text: str) -> Answer:
    return Answer(title, render("mail/said.txt.j2", text=text), changed=True)


CONFIRMED: dict[str, Callable[[Desk, models.Word], Answer]] = {
    "CONCEDE": _conceded,
    "RESIGN": _resigned,
    OLD: _address_confirmed,
    NEW: _address_confirmed,
    "JOIN": _joined,
}
