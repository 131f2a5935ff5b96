"""A message of a player to the GM, who is a person: for everything that no command can do."""

import hashlib

from pbem.commands.copies import asked_before
from pbem.desk.desk import Answer, Desk, Request
from pbem.desk.requests import MOST_REQUESTS, requests_in
from pbem.post.letterhead import barred
from pbem.post.notices import tell_gm
from pbem.records.secrecy import blanked, secrets_of
from pbem.refusal import Refusal
from pbem.words.wording import render

#: From one seat.
MOST_A_DAY = 10


class TheGmIsNotReached(Refusal):
    pass


def to_gm(desk: Desk, request: Request) -> Answer:
    """Pass the lines on, with the address to answer to. What a mail that came before said is not said again."""
    text = _text(desk, request)
    if not desk.office.gm_addresses:
        raise TheGmIsNotReached("nobody reads mail here as GM", "Whoever has invited you to this game can help.")
    if any(_text_in(other) == _text_in(request) for other in asked_before(desk, request.word)):
        raise TheGmIsNotReached(
            "the GM has got this message already, when your mail came for the first time",
            "If you want to say it again, write a new mail.",
        )
    lines = list(barred(text.splitlines()))
    key = f"{_today(desk)}{desk.mark}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    side = desk.side_name(desk.the_seat.side)
    tell_gm(desk.session, desk.office, key, "gm-asked", desk.the_match, seat=desk.the_seat, side=side, lines=lines)
    answer = render("mail/to-gm.txt.j2", lines=lines, address=desk.the_seat.address, orders=_orders_in(desk, request))
    return Answer("Your message went to the GM", answer, changed=True)


def _text_in(request: Request) -> str:
    return "\n".join((request.rest.lstrip(" ,;:.-"), *request.lines)).strip()


def _text(desk: Desk, request: Request) -> str:
    text, limits = _text_in(request), desk.office.settings.limits
    if not text:
        raise TheGmIsNotReached("there is no text behind GM", "Write for example: GM I cannot open your pictures.")
    if len(text) > limits.press_characters:
        raise TheGmIsNotReached(
            f"the message has {len(text)} characters, and {limits.press_characters} are allowed", "Make it shorter."
        )
    if desk.count_written(f"gm/{_today(desk)}") >= MOST_A_DAY * max(1, len(desk.office.gm_addresses)):
        raise TheGmIsNotReached(f"the GM has got {MOST_A_DAY} messages of yours today", "Try again tomorrow.")
    return blanked(text, secrets_of(desk.session))


def _today(desk: Desk) -> str:
    """Under this name the messages of a side on one day are kept."""
    return f"asked/{desk.match_id}/{desk.the_seat.side}/{desk.day}/"


def _orders_in(desk: Desk, request: Request) -> bool:
    """Whether something stands below it that was perhaps meant for the referee."""
    from pbem.commands.table import COMMANDS

    return bool(requests_in(request.lines, COMMANDS, desk.order_words)[:MOST_REQUESTS])
