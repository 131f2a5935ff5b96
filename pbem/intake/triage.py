"""Who wrote this letter, and what is to become of it: a list of checks, each of which settles it or passes it on.

Nothing is answered before it is clear that a person wrote, and whom the answer would reach. A sheet counts only with
the key of its seat and from the address of its seat; a GM has a key of his own.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from pbem.commands.confirming import find_word
from pbem.commands.copies import copy_of_an_earlier_one
from pbem.commands.gm import GM_CONFIRMED
from pbem.commands.table import COMMANDS, all_words
from pbem.desk.desk import Desk, Request, Verdict
from pbem.desk.requests import requests_in
from pbem.intake.answered import account, account_of, gm_account, last_words, may_be_answered
from pbem.intake.errands import carry_out
from pbem.intake.half_proved import (
    ANOTHER_ADDRESS,
    NO_CLEAR_ADDRESS,
    NO_KEY,
    NO_SIGNATURE,
    WRONG_KEY,
    hold_and_tell,
)
from pbem.intake.repeating import the_same_again
from pbem.intake.returned import bounce
from pbem.intake.strangers import carry_out_for_stranger, word_brought_back
from pbem.letters import Letter, LetterIsTooDeep, LetterIsTooLarge, read_letter, with_its_form
from pbem.letters.addresses import folded, same_address
from pbem.post.gm_keys import is_key_of_gm
from pbem.post.letterhead import order_form, refusal_mail, stranger_mail
from pbem.records import models
from pbem.records.keys import keys_agree
from pbem.records.seals import as_kept
from pbem.records.seats import is_played
from pbem.records.secrecy import blanked, without_tags
from pbem.words.wording import render

if TYPE_CHECKING:
    from pbem.post.office import Office

Check = Callable[[Desk], Verdict | None]

_OUR_MAIL = select(models.Outgoing.id).where(models.Outgoing.message_id == bindparam("message_id"))
_SEAT_NAMED = select(models.Seat).where(
    models.Seat.match_id == bindparam("match_id"), func.lower(models.Seat.side) == bindparam("side")
)
LONGEST_NOTED = 300
#: A day, to each of his addresses.
ANSWERS_TO_A_GM_WITHOUT_KEY = 3


def read(office: "Office", raw: bytes) -> tuple[Letter, str]:
    """A letter, and why it cannot be read as a whole if it cannot."""
    try:
        return read_letter(raw, all_words(office.store.games.values())), ""
    except (LetterIsTooLarge, LetterIsTooDeep) as refusal:
        return refusal.letter, refusal.why


def is_from_somebody_we_know(office: "Office", session: Session, mail: Letter) -> bool:
    """Whether the address is that of a player or a GM, which proves nothing yet."""
    return bool(seats_at(session, mail.sender)) or bool(office.gm_at(mail.sender))


def seats_at(session: Session, address: str) -> list[models.Seat]:
    """The seats that are played from an address, newest match first. A database may fold more letters than we do."""
    found = select(models.Seat).where(func.lower(models.Seat.address) == func.lower(folded(address)))
    seats = session.exec(found.order_by(col(models.Seat.match_id).desc(), col(models.Seat.id)))
    return [seat for seat in seats if is_played(seat) and same_address(seat.address, address)]


def settled(desk: Desk) -> Verdict:
    """The first check that knows decides; a letter that passes all of them is carried out."""
    _note_what_it_is(desk)
    for check in CHECKS if desk.letter.released_to is None else CHECKS_OF_RELEASED:
        verdict = check(desk)
        if verdict is not None:
            return verdict
    _read_with_its_form(desk)
    return carry_out(desk)


def _note_what_it_is(desk: Desk) -> None:
    letter, mail = desk.letter, desk.mail
    letter.message_id = as_kept(mail.message_id)[:LONGEST_NOTED]
    letter.sender = as_kept(mail.sender)[:LONGEST_NOTED]
    letter.subject = as_kept(without_tags(mail.subject))[:LONGEST_NOTED]
    letter.digest = mail.digest


def _read_with_its_form(desk: Desk) -> None:
    """Now that the seat is known, what its player changed in the order form can be told from what stood there."""
    if desk.seat is not None and desk.mail.texts is not None:
        form = order_form(desk.position, desk.seat).splitlines()
        desk.mail = with_its_form(desk.mail, all_words(desk.office.store.games.values()), form)


# ------------------------------------------------------------------ what nobody answers


def our_own_mail(desk: Desk) -> Verdict | None:
    """Something sent our mail back to us."""
    mailbox, _, domain = folded(desk.office.sender.address).rpartition("@")
    sender, _, sender_domain = desk.sender.rpartition("@")
    if sender_domain == domain and sender.partition("+")[0] == mailbox:
        return Verdict(models.DROPPED, "our own mail came back")
    message_id = desk.mail.message_id
    if message_id and desk.session.exec(_OUR_MAIL, params={"message_id": message_id}).first() is not None:
        return Verdict(models.DROPPED, "our own mail came back")
    return None


def automatic_mail(desk: Desk) -> Verdict | None:
    """RFC 3834: what a program wrote is never answered."""
    if desk.mail.automatic:
        return Verdict(models.DROPPED, f"automatic mail: {desk.mail.automatic}"[:LONGEST_NOTED])
    return None


def no_clear_sender(desk: Desk) -> Verdict | None:
    """Nobody can be answered; but if it has the key of a seat, its player is told."""
    if desk.sender:
        return None
    shown = _seats_with_key(desk)
    return hold_and_tell(desk, shown[0], NO_CLEAR_ADDRESS) if shown else Verdict(models.HELD, NO_CLEAR_ADDRESS.why)


# ------------------------------------------------------------------ who is it


def who_is_it(desk: Desk) -> Verdict | None:
    """Key and address together make a player or a GM; a GM who plays is one by the key of his seat, too."""
    desk.shown = _seats_with_key(desk)
    own = _own_seats(desk)
    if len(own) == 1:
        _take_seat(desk, own[0])
    desk.gm = desk.office.gm_at(desk.sender) if own or _is_proved_to_be_a_gm(desk) else ""
    desk.letter.proved = bool(own or desk.gm) and not _lacks_a_signature(desk)
    return None


def _own_seats(desk: Desk) -> list[models.Seat]:
    """The seats whose key and address are both right; if they are several, the subject may say which is meant."""
    own = [seat for seat in desk.shown if is_played(seat) and same_address(desk.sender, seat.address)]
    return [seat for seat in own if seat.match_id in desk.mail.matches] or own if len(own) > 1 else own


def _is_proved_to_be_a_gm(desk: Desk) -> bool:
    """By his key, or by a word that was sent to a GM and to nobody else."""
    if not desk.office.gm_at(desk.sender):
        return False
    words = [find_word(desk, one.rest) for one in requests_in(desk.mail.lines, COMMANDS, ()) if one.word == "CONFIRM"]
    confirms = any(word is not None and word.act in GM_CONFIRMED for word in words)
    return confirms or is_key_of_gm(desk.session, desk.sender, desk.mail.gm_keys)


def not_proved(desk: Desk) -> Verdict | None:
    """Nobody has shown whose letter it is, or it could be of several seats."""
    if desk.seat is not None:
        return None
    if own := _own_seats(desk):
        return _which_seat(desk, own)
    if desk.gm:
        return None
    if desk.shown:
        return hold_and_tell(desk, desk.shown[0], ANOTHER_ADDRESS)
    return _gm_without_key(desk) if desk.office.gm_at(desk.sender) else _stranger(desk)


def the_gm_vouches_for_it(desk: Desk) -> Verdict | None:
    """The GM has said whose letter it is."""
    seat = desk.session.get_one(models.Seat, desk.letter.released_to)
    if not is_played(seat):
        return Verdict(models.HELD, "it was released, but nobody plays the seat any more")
    _take_seat(desk, seat)
    desk.letter.proved = True
    return None


def _seats_with_key(desk: Desk) -> list[models.Seat]:
    found = []
    for match_id, side, key in desk.mail.keys:
        seat = desk.session.exec(_SEAT_NAMED, params={"match_id": match_id, "side": side.lower()}).first()
        if seat is not None and keys_agree(key, seat) and seat not in found:
            found.append(seat)
    return found


def _take_seat(desk: Desk, seat: models.Seat) -> None:
    desk.seat = seat
    desk.match = desk.session.get(models.Match, seat.match_id)
    desk.letter.match_id, desk.letter.side = seat.match_id, seat.side
    if seat.bounces:  # whoever writes can perhaps be reached again; the answer will tell
        seat.bounces = False
        desk.session.add(seat)


def _side_of(desk: Desk, seat: models.Seat) -> str:
    return desk.office.side_name(desk.session.get_one(models.Match, seat.match_id), seat.side)


def _which_seat(desk: Desk, seats: list[models.Seat]) -> Verdict:
    """One player with several seats, and the keys of more than one in the letter."""
    seat = seats[0]
    if not may_be_answered(desk, account_of(seat, desk.day)):
        return _too_many(desk)
    sides = " and ".join(f"{_side_of(desk, one)} in match {one.match_id}" for one in seats)
    text = render("mail/which-seat.txt.j2", sides=sides)
    _refuse(desk, seat, "which", "Which seat is this for?", text)
    return Verdict(models.ANSWERED, f"it holds the keys of several seats: {sides}")


def _refuse(desk: Desk, seat: models.Seat, what: str, subject: str, text: str) -> None:
    """An answer to a letter that nothing can be done with; it counts as one."""
    match, name = desk.session.get_one(models.Match, seat.match_id), account_of(seat, desk.day)
    last = last_words(desk, name)
    mail = refusal_mail(desk.office, f"{name}{what}-{desk.mark}", match, seat, subject, text, last)
    desk.office.write(desk.session, dataclasses.replace(mail, answers=desk.letter))


def _gm_without_key(desk: Desk) -> Verdict:
    """Anybody can write this address. A GM who plays may have meant his seat; he is told how to do either right."""
    if word_brought_back(desk, requests_in(desk.mail.lines, COMMANDS, ())) is not None:
        return carry_out_for_stranger(desk)
    verdict = _tell_gm(desk, "it came from the address of a GM, but without his key", is_signed=True)
    known = seats_at(desk.session, desk.sender)
    return _seat_without_key(desk, known) if known and verdict.fate == models.HELD else verdict


def _tell_gm(desk: Desk, why: str, *, is_signed: bool) -> Verdict:
    """What he has to show, a few times a day. It is counted apart, so that whoever forges his address cannot use up
    what the GM himself is answered."""
    gm = desk.office.gm_at(desk.sender)
    name = f"unproved/{gm_account(gm, desk.day)}"
    if desk.count_written(name) >= ANSWERS_TO_A_GM_WITHOUT_KEY:
        return Verdict(models.HELD, why)
    text = render("mail/gm-without-key.txt.j2", most=ANSWERS_TO_A_GM_WITHOUT_KEY, is_signed=is_signed)
    subject = f"Your {'key' if is_signed else 'signature'} was not in your mail"
    mail = stranger_mail(desk.office, f"{name}{desk.mark}", "refusal", gm, subject, text)
    desk.office.write(desk.session, dataclasses.replace(mail, answers=desk.letter))
    return Verdict(models.ANSWERED if is_signed else models.HELD, why)


def _stranger(desk: Desk) -> Verdict:
    """A player's address without his key may ask what everybody may, while strangers are answered; for more he has to
    show the key."""
    known = seats_at(desk.session, desk.sender)
    wanted = requests_in(desk.mail.lines, COMMANDS, ())
    if not known or _asks_what_anybody_may(desk, wanted) or word_brought_back(desk, wanted) is not None:
        verdict = carry_out_for_stranger(desk)
        if not known or verdict.fate != models.HELD:
            return verdict
    return _seat_without_key(desk, known)


def _asks_what_anybody_may(desk: Desk, wanted: Sequence[Request]) -> bool:
    return not desk.mail.keys and bool(wanted) and all(COMMANDS[one.word].who == "anybody" for one in wanted)


def _seat_without_key(desk: Desk, known: Sequence[models.Seat]) -> Verdict:
    """Of several seats the letter may name the match that is meant."""
    named = (*desk.mail.matches, *(key[0] for key in desk.mail.keys))
    hinted = [seat for seat in known if seat.match_id in named]
    return hold_and_tell(desk, (hinted or known)[0], WRONG_KEY if desk.mail.keys else NO_KEY)


# ------------------------------------------------------------------ how much is believed and taken


def not_vouched_for(desk: Desk) -> Verdict | None:
    """Where the GM requires it, the sender's provider must have signed the letter."""
    if not _lacks_a_signature(desk):
        return None
    if desk.seat is not None:
        return hold_and_tell(desk, desk.seat, NO_SIGNATURE)
    return _tell_gm(desk, NO_SIGNATURE.why, is_signed=False)


def _lacks_a_signature(desk: Desk) -> bool:
    return desk.office.settings.trust.require == "dkim" and not desk.vouched_for


def too_many(desk: Desk) -> Verdict | None:
    """So many letters a day are answered, and the last answer has said so; the rest waits."""
    return None if may_be_answered(desk, account(desk)) else _too_many(desk)


def _too_many(desk: Desk) -> Verdict:
    return Verdict(models.HELD, f"more than {desk.office.settings.limits.letters_a_day} letters in a day")


def cannot_be_read(desk: Desk) -> Verdict | None:
    """Too large or too deep. Its head says who wrote it, so the player learns what would work."""
    if not desk.trouble:
        return None
    if desk.seat is None:
        return Verdict(models.HELD, desk.trouble)
    text = render("mail/too-large.txt.j2", why=blanked(desk.trouble, [desk.seat.key]))
    _refuse(desk, desk.seat, "large", f"{desk.side_name(desk.seat.side)}: your mail could not be read", text)
    return Verdict(models.ANSWERED, desk.trouble)


CHECKS: tuple[Check, ...] = (
    our_own_mail,
    bounce,
    automatic_mail,
    no_clear_sender,
    who_is_it,
    copy_of_an_earlier_one,
    not_proved,
    not_vouched_for,
    the_same_again,
    too_many,
    cannot_be_read,
)

#: Of a letter that the GM has released it is known who wrote it, and that it is no copy of one that was read.
CHECKS_OF_RELEASED: tuple[Check, ...] = (
    our_own_mail,
    bounce,
    automatic_mail,
    the_gm_vouches_for_it,
    cannot_be_read,
)
