"""Who wrote this letter, and what is to become of it: a list of checks, each of which settles it or passes it on.

Nothing is answered before it is clear that a person wrote, and whom the answer would reach. A sheet counts only with
the key of its seat and from the address of its seat.
"""

import email
from collections.abc import Callable
from datetime import timedelta
from email.policy import compat32
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from pbem.commands.confirming import find_word
from pbem.commands.seating import NEW
from pbem.commands.table import COMMANDS, all_words
from pbem.intake.desk import Desk, Verdict, is_played, same_address
from pbem.intake.errands import account_of, carry_out, carry_out_for_stranger, gm_account
from pbem.intake.requests import requests_in
from pbem.intake.secrecy import blanked, without_tags
from pbem.letters import Letter, LetterIsTooDeep, LetterIsTooLarge, read_letter, with_its_form
from pbem.mail.post import keys_agree
from pbem.records import models
from pbem.records.seals import as_kept
from pbem.words.letterhead import notice_mail, order_form, refusal_mail, side_name
from pbem.words.notices import tell_gm
from pbem.words.wording import render

if TYPE_CHECKING:
    from pbem.intake.office import Office

Check = Callable[[Desk], Verdict | None]

_OUR_MAIL = select(models.Outgoing.id).where(models.Outgoing.message_id == bindparam("message_id"))
_SEAT_NAMED = select(models.Seat).where(
    models.Seat.match_id == bindparam("match_id"), func.lower(models.Seat.side) == bindparam("side")
)
_EARLIER = (
    select(models.Letter.id, models.Letter.raw)
    .where(
        models.Letter.sender == bindparam("sender"),
        col(models.Letter.id) < bindparam("number"),
        models.Letter.fate != models.ARRIVED,
        models.Letter.message_id == bindparam("message_id"),
    )
    .order_by(col(models.Letter.id))
)
_ALIKE = _EARLIER.where(models.Letter.digest == bindparam("digest"))

#: A report of failed delivery that comes later than this is not believed.
OLDEST_BOUNCE = timedelta(days=10)
LONGEST_NOTED = 300


def read(office: "Office", raw: bytes) -> tuple[Letter, str]:
    """A letter, and why it cannot be read as a whole if it cannot."""
    try:
        return read_letter(raw, all_words(office.store.games.values())), ""
    except (LetterIsTooLarge, LetterIsTooDeep) as refusal:
        return refusal.letter, refusal.why


def is_from_somebody_we_know(office: "Office", session: Session, mail: Letter) -> bool:
    """Whether the address is that of a player or a GM, which proves nothing yet."""
    return bool(seats_at(session, mail.sender)) or any(same_address(mail.sender, gm) for gm in office.gm_addresses)


def seats_at(session: Session, address: str) -> list[models.Seat]:
    """The seats that are played from an address, newest match first."""
    found = select(models.Seat).where(func.lower(models.Seat.address) == address.strip().lower())
    seats = session.exec(found.order_by(col(models.Seat.match_id).desc(), col(models.Seat.id)))
    return [seat for seat in seats if is_played(seat)]


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
    mailbox, _, domain = desk.office.sender.address.lower().rpartition("@")
    sender, _, sender_domain = desk.sender.rpartition("@")
    if sender_domain == domain and sender.partition("+")[0] == mailbox:
        return Verdict(models.DROPPED, "our own mail came back")
    message_id = desk.mail.message_id
    if message_id and desk.session.exec(_OUR_MAIL, params={"message_id": message_id}).first() is not None:
        return Verdict(models.DROPPED, "our own mail came back")
    return None


def bounce(desk: Desk) -> Verdict | None:
    """A report that our mail was not delivered; the mail is found by its id."""
    bounced = desk.mail.bounce
    if bounced is None:
        return None
    ids = [one for one in bounced.message_ids if one]
    ours = desk.session.exec(select(models.Outgoing).where(col(models.Outgoing.message_id).in_(ids))).first()
    if ours is None or desk.now - (ours.sent or ours.created) > OLDEST_BOUNCE:
        return Verdict(models.DROPPED, "a report of failed delivery, but not of a mail of ours")
    desk.letter.match_id = ours.match_id
    if not bounced.given_up:
        return Verdict(models.DROPPED, f"delivery to {ours.recipient} is delayed")
    _record_bounce(desk, ours, bounced.diagnostic)
    return Verdict(models.DROPPED, f"mail to {ours.recipient} came back: {bounced.diagnostic[:200]}")


def _record_bounce(desk: Desk, mail: models.Outgoing, reason: str) -> None:
    """A bounce is not a missed turn: the seat cannot be reached, and the GM is told once a day."""
    mail.state, mail.trouble = models.FAILED, without_tags(reason)[:LONGEST_NOTED]
    desk.session.add(mail)
    if any(same_address(mail.recipient, gm) for gm in desk.office.gm_addresses):
        return
    seats = [one for one in seats_at(desk.session, mail.recipient) if one.match_id == mail.match_id]
    seat = next((one for one in seats if one.side == mail.side), None)
    if seat is not None:
        seat.bounces = True
        desk.session.add(seat)
    match = desk.session.get(models.Match, mail.match_id) if mail.match_id else None
    key = f"undelivered/{mail.recipient.lower()}/{desk.day}"
    told = {"mail": mail, "seat": seat, "reason": without_tags(reason)[:LONGEST_NOTED] or "no reason was given"}
    tell_gm(desk.session, desk.office, key, "gm-undelivered", match, **told)


def automatic_mail(desk: Desk) -> Verdict | None:
    """RFC 3834: what a program wrote is never answered."""
    if desk.mail.automatic:
        return Verdict(models.DROPPED, f"automatic mail: {desk.mail.automatic}"[:LONGEST_NOTED])
    return None


def no_clear_sender(desk: Desk) -> Verdict | None:
    if not desk.sender:
        return Verdict(models.HELD, "it does not say clearly who wrote it")
    return None


def duplicate(desk: Desk) -> Verdict | None:
    """The same letter as an earlier one: by its Message-ID, or without one, by what it says and when it was written."""
    letter = desk.letter
    facts = {"sender": letter.sender, "number": letter.id, "message_id": letter.message_id, "digest": letter.digest}
    if letter.message_id:
        same = [number for number, _ in desk.session.exec(_EARLIER, params=facts)]
    else:
        alike = desk.session.exec(_ALIKE, params=facts)
        same = [number for number, raw in alike if _date_of(raw) == _date_of(letter.raw)]
    return Verdict(models.DROPPED, f"the same as letter {same[0]}") if same else None


def _date_of(raw: bytes) -> str:
    head = raw[:65536].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return str(email.message_from_bytes(head, policy=compat32).get("Date", "")).strip()


# ------------------------------------------------------------------ who is it


def who_is_it(desk: Desk) -> Verdict | None:
    """Key and address together make a player, the address alone a GM who has to confirm everything."""
    fitting = _seats_with_key(desk)
    proved = [seat for seat in fitting if is_played(seat) and same_address(desk.sender, seat.address)]
    if len(proved) > 1:
        proved = [seat for seat in proved if seat.match_id in desk.mail.matches] or proved
    desk.gm = next((gm for gm in desk.office.gm_addresses if same_address(desk.sender, gm)), "")
    if len(proved) == 1:
        _take_seat(desk, proved[0])
        return None
    if proved:
        return _which_seat(desk, proved)
    if desk.gm and not fitting:
        return None
    if fitting:
        return _somebody_tried(desk, fitting[0], "the key of a seat came from another address")
    return _stranger(desk)


def the_gm_vouches_for_it(desk: Desk) -> Verdict | None:
    """The GM has said whose letter it is."""
    seat = desk.session.get_one(models.Seat, desk.letter.released_to)
    if not is_played(seat):
        return Verdict(models.HELD, "it was released, but nobody plays the seat any more")
    _take_seat(desk, seat)
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


def _which_seat(desk: Desk, seats: list[models.Seat]) -> Verdict:
    """One player with several seats, and the keys of more than one in the letter."""
    seat = seats[0]
    match = desk.session.get_one(models.Match, seat.match_id)
    sides = " and ".join(f"{side_name(one.side)} in match {one.match_id}" for one in seats)
    text = render("mail/which-seat.txt.j2", sides=sides)
    key = f"{account_of(seat, desk.day)}which-{desk.mark}"
    subject = "Which seat is this for?"
    desk.office.write(desk.session, refusal_mail(desk.office, key, match, seat, subject, text))
    return Verdict(models.ANSWERED, f"it holds the keys of several seats: {sides}")


def _stranger(desk: Desk) -> Verdict:
    """A player's address without his key may ask what everybody may; for more he has to show the key."""
    known = seats_at(desk.session, desk.sender)
    if not known or _asks_what_anybody_may(desk) or _confirms_an_address(desk):
        return carry_out_for_stranger(desk)
    hinted = [seat for seat in known if seat.match_id in (*desk.mail.matches, *(key[0] for key in desk.mail.keys))]
    why = "the key in it fits no seat" if desk.mail.keys else "there is no key in it"
    return _somebody_tried(desk, (hinted or known)[0], f"it came from the address of a seat, but {why}")


def _asks_what_anybody_may(desk: Desk) -> bool:
    wanted = requests_in(desk.mail.lines, COMMANDS, ())
    return not desk.mail.keys and bool(wanted) and all(COMMANDS[one.word].who == "anybody" for one in wanted)


def _confirms_an_address(desk: Desk) -> bool:
    """The word that proves a new address or a new player comes back without a key."""
    wanted = [one for one in requests_in(desk.mail.lines, COMMANDS, ()) if one.word == "CONFIRM"]
    words = [find_word(desk, one.rest) for one in wanted]
    return any(word is not None and word.act in (NEW, "JOIN") for word in words)


def _somebody_tried(desk: Desk, seat: models.Seat, why: str) -> Verdict:
    """The letter waits for the GM. The seat's own address hears of it, once a day, and nobody else."""
    desk.letter.match_id, desk.letter.meant_for = seat.match_id, seat.side
    if is_played(seat):
        match = desk.session.get_one(models.Match, seat.match_id)
        text = render("mail/somebody-tried.txt.j2", side=side_name(seat.side), key_was_right=keys_agree_any(desk, seat))
        key = f"tried/{seat.match_id}/{seat.side}/{desk.day}"
        subject = f"{side_name(seat.side)}: a mail could not be taken as yours"
        desk.office.write(desk.session, notice_mail(desk.office, key, match, seat, subject, text))
    return Verdict(models.HELD, why)


def keys_agree_any(desk: Desk, seat: models.Seat) -> bool:
    return any(keys_agree(key, seat) for _, _, key in desk.mail.keys)


# ------------------------------------------------------------------ how much is believed and taken


def not_vouched_for(desk: Desk) -> Verdict | None:
    """Where the GM requires it, the sender's provider must have signed the letter."""
    if desk.office.settings.trust.require == "dkim" and not desk.vouched_for:
        return Verdict(
            models.HELD, "no good DKIM signature of the sender's domain over From, Subject and the whole text"
        )
    return None


def too_many(desk: Desk) -> Verdict | None:
    """So many letters a day are answered; the rest waits, and the writer is told so once."""
    most = desk.office.settings.limits.letters_a_day
    account = account_of(desk.seat, desk.day) if desk.seat is not None else gm_account(desk.gm, desk.day)
    if desk.count_written(account) < most:
        return None
    if desk.seat is not None:
        key, text = f"too-many/{account}", render("mail/too-many.txt.j2", most=most)
        mail = refusal_mail(desk.office, key, desk.the_match, desk.seat, "That is enough mail for today", text)
        desk.office.write(desk.session, mail)
    return Verdict(models.HELD, f"more than {most} letters in a day")


def cannot_be_read(desk: Desk) -> Verdict | None:
    """Too large or too deep. Its head says who wrote it, so the player learns what would work."""
    if not desk.trouble:
        return None
    if desk.seat is None:
        return Verdict(models.HELD, desk.trouble)
    text = render("mail/too-large.txt.j2", why=blanked(desk.trouble, [desk.seat.key]))
    key = f"{account_of(desk.seat, desk.day)}large-{desk.mark}"
    subject = f"{side_name(desk.seat.side)}: your mail could not be read"
    desk.office.write(desk.session, refusal_mail(desk.office, key, desk.the_match, desk.seat, subject, text))
    return Verdict(models.ANSWERED, desk.trouble)


CHECKS: tuple[Check, ...] = (
    our_own_mail,
    bounce,
    automatic_mail,
    no_clear_sender,
    duplicate,
    who_is_it,
    not_vouched_for,
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
