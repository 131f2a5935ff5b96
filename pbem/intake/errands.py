"""Carrying out what a letter asks for.

A letter may ask for several things. Each is done or refused alone; the answers go out together, the receipt of a
sheet by itself, and then the referee looks whether the turn can be run.
"""

import dataclasses
from collections.abc import Collection, Iterable, Sequence

from pbem import referee
from pbem.commands.asking import help_about, may_use
from pbem.commands.table import all_words, commands_for
from pbem.commands.wishes import wish_in
from pbem.desk.desk import Answer, Command, Desk, Request, Verdict
from pbem.desk.lines import line_sorter
from pbem.desk.requests import (
    MOST_REQUESTS,
    READY,
    SHEET_WORDS,
    first_words,
    requests_in,
    requests_of_own,
    resembled,
)
from pbem.intake.answered import SENSELESS, account, last_words, senseless_before
from pbem.letters.orders import first_word, is_talk
from pbem.post.post import Mail
from pbem.post.receipt import quoted_prose
from pbem.post.sketches import Sketch
from pbem.post.sketches import together as drawn_together
from pbem.records import models
from pbem.records.seats import is_played
from pbem.refusal import Refusal
from pbem.words.pages import EMPTY, fragment
from pbem.words.wording import ended, render, shortened, visible

#: So many letters in a row that make no sense are answered at length, the others in short.
MOST_AT_LENGTH = 3
HELP = "HELP"


# ------------------------------------------------------------------ somebody we know


def carry_out(desk: Desk) -> Verdict:
    """What a player or a GM asks for."""
    wanted = requests_of(desk)
    if not wanted:
        return _nothing_was_asked(desk)
    wanted, left_out = _not_too_many(wanted)
    desk.words = tuple(dict.fromkeys(request.word for request in wanted))
    answers = [done(desk, request) for request in wanted]
    _write_answers(desk, [*answers, *([_too_much(left_out)] if left_out else [])])
    if desk.may_run:
        referee.on_sheet(desk.session, desk.office, desk.the_match)
    words = ", ".join(desk.words)
    if desk.fate == models.HELD:
        return Verdict(models.HELD, f"the match is frozen: {words}")
    return Verdict(desk.fate or fate_of(answers), words)


def requests_of(desk: Desk) -> list[Request]:
    """In the order of the letter, but the sheet last and then READY, which is about the sheet; before it WAIT."""
    return sorted(_asked_for(desk), key=lambda request: (request.word == READY, request.word in SHEET_WORDS))


def _asked_for(desk: Desk) -> list[Request]:
    """Of a seat whose game waits for orders, each line is looked at by the words of that game."""
    if desk.seat is None:
        return requests_in(desk.mail.lines, commands_for(desk), ())
    if desk.position.gate is None or desk.language is None:
        return requests_in(desk.mail.lines, commands_for(desk), desk.order_words)
    words, sort = all_words(desk.office.store.games.values()), line_sorter(desk).sorted

    def asks_for_no_help(line: str) -> bool:
        return first_word(line) == HELP and is_talk(line, words)

    return requests_of_own(desk.mail.own, commands_for(desk), desk.order_words, sort, asks_for_no_help)


def fate_of(answers: Sequence[Answer]) -> str:
    return models.ACCEPTED if any(answer.changed for answer in answers) else models.ANSWERED


def _not_too_many(wanted: list[Request]) -> tuple[list[Request], list[Request]]:
    """The first ones, but always the sheet and readiness, and what is left out."""
    last = [request for request in wanted if request.word in (*SHEET_WORDS, READY)][:MOST_REQUESTS]
    rest = [request for request in wanted if request not in last]
    most = MOST_REQUESTS - len(last)
    return [*rest[:most], *last], rest[most:]


def _too_much(left_out: list[Request]) -> Answer:
    asked = "; ".join(visible(f"{request.word} {request.rest}".strip()) for request in left_out)
    text = f"I do {MOST_REQUESTS} things for one letter, and left these out: {shortened(asked, 400)}. Please ask again."
    return Answer("Too much at once", render("mail/said.txt.j2", text=text), refused=True)


def done(desk: Desk, request: Request) -> Answer:
    """One request in a transaction inside the transaction: what is refused leaves nothing behind."""
    command = commands_for(desk)[request.word]
    try:
        _must_be_allowed(desk, command)
        with desk.session.begin_nested():
            return command.run(desk, request)
    except Refusal as refusal:
        text = f"{ended(refusal.why[:1].upper() + refusal.why[1:])} {refusal.remedy}".strip()
        return Answer(f"{request.word}: not done", render("mail/said.txt.j2", text=text), refused=True)


def _must_be_allowed(desk: Desk, command: Command) -> None:
    if not may_use(desk, command):
        raise Refusal(f"{command.word} is for players", "Write to me with the key of your seat.")
    if command.who == "player" and desk.seat is not None and not is_played(desk.seat):
        raise Refusal("you have just left your seat", "GAMES lists the seats that are free.")


# ------------------------------------------------------------------ the answers


def _write_answers(desk: Desk, answers: list[Answer]) -> None:
    """The receipt of a sheet by itself, since a newer one takes its place; everything else in one mail."""
    for receipt in (answer for answer in answers if answer.receipt):
        subject = f"{desk.side_name(desk.the_seat.side)}: {receipt.title}"
        _reply(desk, "receipt", subject, [receipt], _receipt_topic(desk) if receipt.changed else "")
    others = [answer for answer in answers if not answer.receipt]
    if others:
        kind = "refusal" if all(answer.refused for answer in others) else "notice"
        _reply(desk, kind, _subject(desk, others), others)


def _receipt_topic(desk: Desk) -> str:
    """The receipt of a sheet that was kept takes the place of one that has not left yet."""
    return f"receipt/{desk.match_id}/{desk.position.open_gate.id}/{desk.the_seat.side}"


def together(answers: Sequence[Answer]) -> str:
    return render("mail/answers.txt.j2", answers=answers)


def _subject(desk: Desk, answers: list[Answer]) -> str:
    more = f", and {len(answers) - 1} more" if len(answers) > 1 else ""
    whose = f"{desk.side_name(desk.seat.side)}: " if desk.seat is not None else ""
    return f"{whose}{answers[0].title}{more}"


def _reply(desk: Desk, kind: str, subject: str, answers: list[Answer], topic: str = "") -> None:
    """To the seat's own address with its key; to a GM, or to somebody who has just left, without one."""
    footer, name = desk.office.settings.referee.footer, account(desk)
    last = last_words(desk, name)
    words = render("mail/reply.txt.j2", text=together(answers), last=last, footer=footer)
    sketch = drawn_together([answer.sketch for answer in answers if answer.sketch is not None])
    shown = [_with_pictures(one, sketch) for one in answers]
    body = fragment("mail/answers.html.j2", answers=shown, last=last, footer=footer)
    key, seat = f"{name}{kind}-{desk.mark}", desk.seat
    own = seat if seat is not None and is_played(seat) else None
    recipient = own.address if own is not None else desk.gm or desk.sender
    files = [file for answer in answers for file in answer.attachments]
    mail = Mail(key, kind, recipient, subject, words, desk.match, own, body=body, sketch=sketch, answers=desk.letter)
    topic = topic if own is not None else ""
    desk.office.write(desk.session, dataclasses.replace(mail, topic=topic, attachments=files))


def _with_pictures(answer: Answer, sketch: Sketch | None) -> Answer:
    """An answer whose pictures did not get into the mail is told by its text."""
    missing = answer.sketch is not None and (sketch is None or not set(answer.sketch.pictures) <= set(sketch.pictures))
    return dataclasses.replace(answer, body=EMPTY) if missing else answer


def _nothing_was_asked(desk: Desk) -> Verdict:
    """Talk, or an unclear letter: a friendly answer, and a short one to whoever goes on like that."""
    name = account(desk)
    text = _in_short(desk) if senseless_before(desk, name) >= MOST_AT_LENGTH else _at_length(desk)
    last, footer = last_words(desk, name), desk.office.settings.referee.footer
    words = render("mail/reply.txt.j2", text=text, last=last, footer=footer)
    recipient = desk.seat.address if desk.seat is not None else desk.gm
    subject, key = "I found nothing to do in your mail", f"{name}{SENSELESS}-{desk.mark}"
    mail = Mail(key, "refusal", recipient, subject, words, desk.match, desk.seat, answers=desk.letter)
    desk.office.write(desk.session, mail)
    return Verdict(models.ANSWERED, desk.mail.doubt or "there was nothing to do in it")


def _at_length(desk: Desk) -> str:
    prose = [line.text for line in desk.mail.own if line.text.strip()] if desk.seat is not None else []
    values = {"doubt": desk.mail.doubt, "meant": _word_meant(desk), "gm": bool(desk.gm)}
    return render("mail/friendly.txt.j2", **values, prose=prose, quoted=quoted_prose(prose))


def _in_short(desk: Desk) -> str:
    """Help with what he seems to want, and with whom he can speak besides."""
    known, own = commands_for(desk), [line.text for line in desk.mail.own]
    wanted = _word_meant(desk) or wish_in(own, known) or _mistyped_in(own, known)
    told = help_about(desk, wanted, known) if wanted else ""
    return render("mail/in-short.txt.j2", doubt=desk.mail.doubt, wanted=wanted, told=told, seat=desk.seat)


def _word_meant(desk: Desk) -> str:
    return _mistyped_in(desk.mail.lines, commands_for(desk))


def _mistyped_in(lines: Iterable[str], known: Collection[str]) -> str:
    for word in first_words(lines)[:20]:
        if meant := resembled(word, known):
            return meant
    return ""
