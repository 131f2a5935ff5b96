"""What a GM can do by mail. He writes with his key, and every act waits for a word that was sent to him."""

import dataclasses
import re
from collections.abc import Callable

from pbem import referee
from pbem import rollback as rolling_back
from pbem.commands.confirming import word_for
from pbem.commands.playing import LONGEST_EXTENSION, ThisIsNotUnderstood
from pbem.desk import releasing
from pbem.desk.desk import Answer, Command, Desk, Request
from pbem.letters.addresses import PLAUSIBLE_ADDRESS
from pbem.post.letterhead import barred, notice_mail
from pbem.records import models
from pbem.records.matches import ThereIsNoSuchMatch, number_of
from pbem.records.seats import is_played
from pbem.records.secrecy import blanked, secrets_of
from pbem.refusal import Refusal
from pbem.schedule import hours_in_words
from pbem.screens import mailroom
from pbem.screens.console import status_text
from pbem.words.wording import render, visible

#: By mail; `pbem letters --held` lists all.
MOST_LETTERS_LISTED = 10
MATCH = re.compile(r"(?P<match>\d{1,9})?[.!]?")
MATCH_AND_HOURS = re.compile(r"(?:(?P<match>\d{1,9})\s+)?(?P<what>\d{1,4})(?:\s*h(?:ours?)?)?", re.IGNORECASE)
MATCH_AND_GATE = re.compile(r"(?:(?P<match>\d{1,9})(?=\s|$))?\s*(?P<what>\S*)")
MATCH_AND_SEAT = re.compile(r"(?:(?P<match>\d{1,9})\s+)?(?P<what>[\w-]++\s++[^\s@]++@\S++)")
LETTER_AND_SEAT = re.compile(r"(?P<letter>\d{1,9})(?:\s+(?P<match>\d{1,9}))?(?:\s+(?P<side>[A-Za-z][\w-]*))?[.!]?")
MATCH_AND_TURN = re.compile(r"(?P<match>\d{1,9})?(?:(?:^|\s+)(?:TO\s+)?(?P<what>\d{1,4}))?[.!]?", re.IGNORECASE)


class TheGateIsAnotherOne(Refusal):
    pass


# ------------------------------------------------------------------ asking for a word


def at_match(desk: Desk, number: str | None) -> Desk:
    """The table of the match that is named in the line, or else in the subject."""
    named = [int(number)] if number else list(dict.fromkeys(desk.mail.matches))
    if len(named) != 1:
        raise ThisIsNotUnderstood("I cannot tell which match you mean", "Write its number behind the word: PAUSE 17")
    match = desk.session.get(models.Match, named[0])
    if match is None:
        raise ThereIsNoSuchMatch(f"there is no match {named[0]}", "STATUS lists the matches.")
    return dataclasses.replace(desk, match=match, seat=None, _position=None)


def _ask(table: Desk, act: str, argument: str, what: str) -> Answer:
    word = word_for(table, act, argument, side="")
    text = render("mail/confirm-gm.txt.j2", match=table.the_match, what=what, word=word.word)
    return Answer(f"Please confirm: {act.removeprefix('GM ')} {table.match_id}", text, changed=True)


def _read(shape: re.Pattern[str], request: Request, example: str) -> re.Match[str]:
    found = shape.fullmatch(request.rest.strip())
    if found is None:
        raise ThisIsNotUnderstood(f"{request.word} was not understood", f"Write for example: {example}")
    return found


def pause(desk: Desk, request: Request) -> Answer:
    table = at_match(desk, _read(MATCH, request, "PAUSE 17")["match"])
    return _ask(table, "GM PAUSE", "", "you want to pause the game")


def resume(desk: Desk, request: Request) -> Answer:
    table = at_match(desk, _read(MATCH, request, "RESUME 17")["match"])
    return _ask(table, "GM RESUME", "", "you want to resume the game")


def extend(desk: Desk, request: Request) -> Answer:
    found = _read(MATCH_AND_HOURS, request, "EXTEND 17 48")
    hours = int(found["what"])
    if not 1 <= hours <= LONGEST_EXTENSION:
        raise ThisIsNotUnderstood(f"EXTEND wants hours, from 1 to {LONGEST_EXTENSION}", "Write: EXTEND 17 48")
    return _ask(
        at_match(desk, found["match"]), "GM EXTEND", str(hours), f"you want {hours_in_words(hours)} more for the turn"
    )


def process(desk: Desk, request: Request) -> Answer:
    """The gate is remembered, so that a late confirmation does not run the next one."""
    found = _read(MATCH_AND_GATE, request, "PROCESS 17")
    table = at_match(desk, found["match"])
    gate = table.position.open_gate
    _must_be_the_gate(gate.id, found["what"] or gate.id)
    return _ask(
        table, "GM PROCESS", gate.id, f"you want {gate.title} ({gate.id}) to be run now, without what is missing"
    )


def _must_be_the_gate(open_gate: str, wanted: str) -> None:
    if wanted.casefold() != open_gate.casefold():
        raise TheGateIsAnotherOne(f"the gate {visible(wanted)[:40]} is not open", f"The open one is {open_gate}.")


def replace(desk: Desk, request: Request) -> Answer:
    found = _read(MATCH_AND_SEAT, request, desk.filled_in("REPLACE 17 {side} new@example.org"))
    table = at_match(desk, found["match"])
    side, address = found["what"].split()
    seat = referee.seat_in(table.session, table.the_match, side.casefold())
    if not PLAUSIBLE_ADDRESS.fullmatch(address.strip("<>")):
        raise ThisIsNotUnderstood(f"{visible(address)[:60]} is no mail address", "Write it as new@example.org")
    what = f"you want {table.side_name(seat.side)} to be played by {visible(address.strip('<>'))}"
    return _ask(table, "GM REPLACE", f"{seat.side} {address.strip('<>')}", what)


def broadcast(desk: Desk, request: Request) -> Answer:
    table = at_match(desk, _read(MATCH, request, "BROADCAST 17")["match"])
    text = "\n".join(request.lines).strip()
    if not text or len(text) > desk.office.settings.limits.press_characters:
        raise ThisIsNotUnderstood("there is no text below BROADCAST, or too much of it", "Write it below, and END.")
    return _ask(table, "GM BROADCAST", text, f"you want to send {len(request.lines)} lines to all players")


def rollback(desk: Desk, request: Request) -> Answer:
    """How many runs there have been is remembered, so that a late confirmation does not take back another turn."""
    found = _read(MATCH_AND_TURN, request, "ROLLBACK 17 3")
    table = at_match(desk, found["match"])
    planned = rolling_back.plan(
        table.session, table.office, table.the_match, int(found["what"]) if found["what"] else None
    )
    why = " ".join(" ".join(request.lines).split())[: rolling_back.LONGEST_REASON]
    reason = f' (the players will read: "{visible(why)}")' if why else ", without a reason"
    return _ask(table, "GM ROLLBACK", f"{planned.to} {planned.runs} {why}", f"you want to {planned.in_words()}{reason}")


def release(desk: Desk, request: Request) -> Answer:
    """A letter that was held because it did not prove whose it is; the GM says whose."""
    found = _read(LETTER_AND_SEAT, request, desk.filled_in("RELEASE 412, or RELEASE 412 17 {side}"))
    letter = releasing.held_letter(desk.session, int(found["letter"]))
    match = int(found["match"]) if found["match"] else None
    seat = releasing.seat_to_release_to(desk.session, letter, match, found["side"] or "")
    table = at_match(desk, str(seat.match_id))
    what = releasing.in_words(desk.session, desk.office, letter, seat)
    who = f"It came from {visible(letter.sender)[:60]} and was held: {visible(letter.reason)[:100]}"
    return _ask(table, "GM RELEASE", f"{letter.id} {seat.side} {len(letter.history)}", f"you want that {what}. {who}")


def status(desk: Desk, request: Request) -> Answer:
    """How all matches stand, or one of them, and which letters are held; it says nothing of what fog hides."""
    number = _read(MATCH, request, "STATUS 17")["match"]
    store = desk.office.store
    matches = (
        [int(number)] if number else [number_of(match) for match in store.matches() if match.status != models.OVER]
    )
    text = status_text([store.standing(match) for match in matches]) + "\n"
    held = mailroom.letters(store, held=True, most=MOST_LETTERS_LISTED)
    if held:
        text += f"\nLetters that wait for you (RELEASE reads one):\n\n{mailroom.letters_text(held, held=True)}\n"
    return Answer("How the matches stand", text)


# ------------------------------------------------------------------ carrying out


def _paused(desk: Desk, word: models.Word) -> Answer:
    done = referee.pause(desk.session, desk.office, desk.the_match)
    return _said("PAUSE", "The game is paused." if done else "It was paused already.")


def _resumed(desk: Desk, word: models.Word) -> Answer:
    done = referee.resume(desk.session, desk.office, desk.the_match)
    return _said("RESUME", "The game goes on." if done else "It was not paused.")


def _extended(desk: Desk, word: models.Word) -> Answer:
    later = referee.extend(desk.session, desk.office, desk.the_match, int(word.argument))
    return _said("EXTEND", f"The new deadline is {later:%Y-%m-%d %H:%M} UTC.")


def _processed(desk: Desk, word: models.Word) -> Answer:
    _must_be_the_gate(desk.position.open_gate.id, word.argument)
    run = referee.run_or_freeze(desk.session, desk.office, desk.the_match, without_missing=True)
    if run is None:
        return _said("PROCESS", "The turn could not be run; another mail says why.")
    return _said("PROCESS", f"Turn {run.turn.number} was run: {run.turn.title}.")


def _replaced(desk: Desk, word: models.Word) -> Answer:
    side, address = word.argument.split()
    seat = referee.seat_in(desk.session, desk.the_match, side)
    referee.seat_player(desk.session, desk.office, desk.the_match, seat, address)
    return _said("REPLACE", f"{desk.side_name(side)} is played by {address} now, with a new key.")


def _rolled_back(desk: Desk, word: models.Word) -> Answer:
    to, runs, why = word.argument.split(" ", 2)
    planned = rolling_back.plan(desk.session, desk.office, desk.the_match, int(to))
    rolling_back.must_be_as_seen(planned, int(runs))
    done = rolling_back.roll_back(desk.session, desk.office, planned, why)
    until = f" Deadline: {done.deadline:%Y-%m-%d %H:%M} UTC." if done.deadline else ""
    return _said("ROLLBACK", f"Done: {planned.gate.title} is open again, and every player is told.{until}")


def _broadcast(desk: Desk, word: models.Word) -> Answer:
    lines = blanked(word.argument, secrets_of(desk.session)).splitlines()
    text = render("mail/broadcast.txt.j2", lines=list(barred(lines)))
    readers = [seat for seat in desk.seats() if is_played(seat)]
    for seat in readers:
        key = f"broadcast/{desk.match_id}/{word.id}/{seat.side}"
        mail = notice_mail(desk.office, key, desk.the_match, seat, "A message from the GM", text)
        desk.office.write(desk.session, mail)
    desk.office.store.note(desk.session, desk.match_id, "wrote to all players", f"{len(lines)} lines")
    return _said("BROADCAST", f"It was sent to {len(readers)} players.")


def _released(desk: Desk, word: models.Word) -> Answer:
    """It is read when this letter has been settled; if it was read again meanwhile, the GM shall look first."""
    number, side, times = word.argument.split()
    letter = releasing.held_letter(desk.session, int(number))
    if len(letter.history) != int(times):
        raise releasing.TheLetterIsNotHeld(f"letter {number} was read again since you asked", "Ask once more.")
    seat = releasing.seat_to_release_to(desk.session, letter, desk.match_id, side)
    releasing.release(desk.session, desk.office, letter, seat)
    desk.released.append(int(number))
    return _said(
        "RELEASE", f"Letter {number} is read as one of {desk.side_name(side)}. The answer goes to {seat.address}."
    )


def _said(title: str, text: str) -> Answer:
    return Answer(title, render("mail/said.txt.j2", text=text), changed=True)


GM_CONFIRMED: dict[str, Callable[[Desk, models.Word], Answer]] = {
    "GM PAUSE": _paused,
    "GM RESUME": _resumed,
    "GM EXTEND": _extended,
    "GM PROCESS": _processed,
    "GM REPLACE": _replaced,
    "GM BROADCAST": _broadcast,
    "GM ROLLBACK": _rolled_back,
    "GM RELEASE": _released,
}


def _gm(word: str, usage: str, what: str, run: Callable[[Desk, Request], Answer], **more: object) -> Command:
    return Command(
        word,
        usage,
        what,
        run,
        who="gm",
        strict=False,
        takes_text=bool(more.get("takes_text")),
        confirm=bool(more.get("confirm", True)),
        more=str(more.get("more", "")),
    )


_LISTED = (
    _gm("STATUS", "STATUS [match]", "how the matches stand, and which letters are held", status, confirm=False),
    _gm("PAUSE", "PAUSE 17", "stop a game: nothing is run and no deadline passes", pause),
    _gm("RESUME", "RESUME 17", "let a paused game go on, with the whole time for the turn", resume),
    _gm("EXTEND", "EXTEND 17 48", "move the deadline by so many hours", extend),
    _gm(
        "PROCESS",
        "PROCESS 17 [gate]",
        "run the turn now; standing orders and defaults play for who is missing",
        process,
    ),
    _gm(
        "REPLACE", "REPLACE 17 {side} new@example.org", "seat somebody else; he gets a key and the last report", replace
    ),
    _gm(
        "BROADCAST",
        "BROADCAST 17\nThe text, up to\nEND",
        "write to all players of a game",
        broadcast,
        takes_text=True,
    ),
    _gm(
        "ROLLBACK",
        "ROLLBACK 17 [turn]\nThe reason, up to\nEND",
        "take back the turns after this one, or the last one alone; with the reason the players shall read",
        rollback,
        takes_text=True,
    ),
    _gm(
        "RELEASE",
        "RELEASE 412 [17 {side}]",
        "read a held letter as one of this seat, or of the one it seemed to come from",
        release,
    ),
)
GM_COMMANDS: dict[str, Command] = {command.word: command for command in _LISTED}
