"""Letters of people without a seat: what anybody may ask is answered, but briefly, and not often.

Anybody can write any address into a From, and make the referee write to somebody who never asked. So one person gets
few answers a day and all strangers together not many, each is short, and what would be one too many waits for the GM.
Who brings back a word has read the mail it stood in: he is always answered.
"""

import dataclasses
import hashlib
from bisect import bisect_right
from collections.abc import Sequence

from pbem.commands.confirming import find_word
from pbem.commands.gm import GM_COMMANDS
from pbem.commands.seating import may_confirm
from pbem.commands.table import COMMANDS
from pbem.desk.desk import Answer, Desk, Request, Verdict
from pbem.desk.requests import MOST_REQUESTS, requests_in
from pbem.intake.errands import done, fate_of, together
from pbem.letters.addresses import PLAUSIBLE_ADDRESS, mailbox_of
from pbem.post.letterhead import stranger_mail
from pbem.post.notices import tell_gm
from pbem.post.post import Mail
from pbem.records import models
from pbem.words.wording import WIDTH, render, shortened

#: Bytes of an answer as it is mailed, whatever was asked.
LARGEST_ANSWER = 2048
#: A word is used once; so many answers there are if what it stands for is refused again and again.
MOST_ANSWERS_FOR_A_WORD = 3
#: Longer ones are not repeated in the answer.
LONGEST_ID = 200


def carry_out_for_stranger(desk: Desk) -> Verdict:
    """One polite answer a day, and only to a command. Taking a seat takes a few letters more."""
    wanted = requests_in(desk.mail.lines, {**GM_COMMANDS, **COMMANDS}, ())[:MOST_REQUESTS]
    if not wanted:
        return Verdict(models.HELD, "from a stranger, and there is no command in it")
    if not desk.sender.isascii() or not PLAUSIBLE_ADDRESS.fullmatch(desk.sender):
        return Verdict(models.HELD, "from a stranger, at an address that cannot be answered")
    word = word_brought_back(desk, wanted)
    if too_many := _too_many_for_a_word(desk, word) if word else _too_many(desk, wanted):
        return Verdict(models.HELD, too_many)
    account = _account_of_word(word) if word else _account(desk, wanted)
    answers = [_answer(desk, request) for request in wanted]
    desk.office.write(desk.session, _short_mail(desk, f"{account}{desk.mark}", answers))
    return Verdict(fate_of(answers), ", ".join(dict.fromkeys(request.word for request in wanted)))


def _answer(desk: Desk, request: Request) -> Answer:
    command = COMMANDS.get(request.word)
    if command is not None and command.who == "anybody":
        return done(desk, request)
    return Answer("Who are you?", render("mail/unknown.txt.j2", word=request.word), refused=True)


# ------------------------------------------------------------------ words that come back


def word_brought_back(desk: Desk, wanted: Sequence[Request]) -> models.Word | None:
    """A word for a new player or a new address, if it was sent to the address that it comes from."""
    words = [find_word(desk, request.rest) for request in wanted if request.word == "CONFIRM"]
    return next((word for word in words if word is not None and may_confirm(desk, word)), None)


def _account_of_word(word: models.Word) -> str:
    return f"confirmed/{word.id}/"


def _too_many_for_a_word(desk: Desk, word: models.Word) -> str:
    answered = desk.count_written(_account_of_word(word)) >= MOST_ANSWERS_FOR_A_WORD
    return "its word has been answered several times" if answered else ""


# ------------------------------------------------------------------ how many are answered


def _all_strangers(desk: Desk) -> str:
    """Under this name all answers of a day to strangers are counted."""
    return f"stranger/{desk.day}/"


def _person(desk: Desk) -> str:
    """And under this one those to one mailbox, whatever stands behind a plus in its address."""
    return f"{_all_strangers(desk)}{hashlib.sha256(mailbox_of(desk.sender).encode()).hexdigest()[:24]}/"


def _account(desk: Desk, wanted: Sequence[Request]) -> str:
    return f"{_person(desk)}{'join' if _is_about_a_seat(wanted) else 'once'}-"


def _is_about_a_seat(wanted: Sequence[Request]) -> bool:
    return any(request.word in ("JOIN", "CONFIRM") for request in wanted)


def _too_many(desk: Desk, wanted: Sequence[Request]) -> str:
    """Why a letter is not answered today; empty if it is. The GM hears once a day that strangers are kept waiting."""
    limits = desk.office.settings.limits
    asks_again = not _is_about_a_seat(wanted) and desk.count_written(_account(desk, wanted)) > 0
    if asks_again or desk.count_written(_person(desk)) >= limits.answers_to_strangers_a_day:
        return "from a stranger who has been answered today"
    most = limits.answers_to_strangers_in_all_a_day
    if desk.count_written(_all_strangers(desk)) < most:
        return ""
    if most:
        tell_gm(desk.session, desk.office, f"strangers/{desk.day}", "gm-strangers", most=most)
    return f"from a stranger, and {most} answers have gone to strangers today"


# ------------------------------------------------------------------ how long an answer is


def _short_mail(desk: Desk, key: str, answers: Sequence[Answer]) -> Mail:
    """Text alone, cut at the end of a line where it would be too long."""
    lines = together(answers).splitlines()

    def up_to(count: int) -> Mail:
        text = render("mail/briefly.txt.j2", lines=lines[:count], more=count < len(lines))
        subject = shortened(answers[0].title, WIDTH)
        mail = stranger_mail(desk.office, key, "notice", desk.sender, subject, text)
        return dataclasses.replace(mail, only_text=True, answers=_what_it_answers(desk))

    def size(count: int) -> int:
        return desk.office.size_of(up_to(count))

    if size(len(lines)) <= LARGEST_ANSWER:
        return up_to(len(lines))
    return up_to(max(0, bisect_right(range(len(lines)), LARGEST_ANSWER, key=size) - 1))


def _what_it_answers(desk: Desk) -> models.Letter | None:
    """The letter's Message-ID stands in the answer, unless it would fill it."""
    return desk.letter if len(desk.letter.message_id) <= LONGEST_ID else None
