"""Every word a mail may begin a line with. The orders of a game are not among them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from engine.game import Game
from pbem.commands import asking, playing, proving, seating
from pbem.commands.confirming import find_word
from pbem.commands.gm import GM_COMMANDS, GM_CONFIRMED
from pbem.commands.to_gm import to_gm
from pbem.desk.desk import ANYTHING, Answer, Command, Desk, Request
from pbem.letters import Words


def _help(desk: Desk, request: Request) -> Answer:
    return asking.help_with(desk, request, commands_for(desk))


def _confirm(desk: Desk, request: Request) -> Answer:
    """A GM's word was sent to the GM's address, so it counts from there; any other from its own sender."""
    word = find_word(desk, request.rest)
    if desk.gm and word is not None and word.act in GM_CONFIRMED:
        return seating.carry_out(desk, word, GM_CONFIRMED[word.act])
    return seating.confirm(desk, request)


_LISTED = (
    Command(
        "HELP",
        "HELP [word]",
        "this list, or more about a command, an order or a chapter of the manual",
        _help,
        "For example HELP ATTACK, HELP PRESS or HELP CONDITIONS.",
        who="anybody",
        shape=ANYTHING,
    ),
    Command(
        "ORDERS",
        "ORDERS",
        "the lines below are orders; not needed where a line begins with an order",
        playing.orders,
        "The newest sheet counts, as a whole. ORDERS NONE says that you do nothing on purpose.",
        shape=playing.NONE,
    ),
    Command(
        "CHECK",
        "CHECK",
        "judge the orders below, but keep nothing",
        playing.orders,
        "You get the same receipt as for orders; what you sent before still counts.",
    ),
    Command("SHOW", "SHOW", "your orders on file", asking.show),
    Command(
        "CANCEL",
        "CANCEL",
        "withdraw your orders on file",
        playing.cancel,
        "It stands alone on its line. CANCEL and a standing order is an order: it ends that one.",
    ),
    Command(
        "STANDING",
        "STANDING",
        "your standing orders in force",
        asking.standing,
        "It stands alone in the letter. Before an order it makes a standing order.",
    ),
    Command(
        "READY",
        "READY",
        "run the turn as soon as nobody else is awaited, even if lines of yours were refused",
        playing.ready,
        "It counts for this turn, until you send another sheet. Where a turn is run some time after its last sheet,"
        " READY of everybody who is awaited runs it at once.",
    ),
    Command("WAIT", "WAIT", "do not run the turn before its deadline", playing.wait, "It counts for this turn."),
    Command("STATUS", "STATUS", "whose orders are awaited, until when, and what is noted about you", asking.status),
    Command(
        "REPORT",
        "REPORT [turn]",
        "a report again",
        asking.report_again,
        "Without a number it is the last one.",
        shape=re.compile(r"(?:TURN\s+)?\d{0,4}[.!]?", re.IGNORECASE),
    ),
    Command(
        "MAP",
        "MAP [place]",
        "the map as you know it",
        asking.map_again,
        "With a place behind it, what is around that place, large enough to read.",
        shape=re.compile(r"(?:\S{1,30}(?: +\S{1,30}){0,3})?"),
    ),
    Command("SHEET", "SHEET", "your record sheet", asking.sheet_again),
    Command(
        "RULES",
        "RULES {case}",
        "a rule by its number, and how the rulebook is read there",
        asking.rules,
        who="anybody",
        shape=re.compile(r"\S{0,20}"),
    ),
    Command(
        "PRESS",
        "PRESS TO {side}\nThe text, up to\nEND",
        "pass a message on to a side, or to ALL",
        playing.press,
        "Where the game allows it, PRESS TO ALL ANONYMOUS leaves your name out.",
        shape=re.compile(r"TO\s.*", re.IGNORECASE),
        takes_text=True,
    ),
    Command(
        "GM",
        "GM The text, up to\nEND",
        "write to the GM, who is a person; he gets your address to answer to",
        to_gm,
        "For everything that I cannot do for you.",
        shape=ANYTHING,
        takes_text=True,
    ),
    Command(
        "ABSENCE",
        "ABSENCE 2026-12-20 2027-01-03",
        "days on which you cannot send orders; a deadline in between is moved once",
        playing.absence,
        "ABSENCE OFF says that you are back.",
        strict=False,
    ),
    Command(
        "EXTEND",
        "EXTEND 24",
        "ask for so many hours more; it is done if all players or the GM agree",
        playing.extend,
        shape=playing.HOURS,
    ),
    Command(
        "TIMEZONE", "TIMEZONE Europe/Berlin", "the clock you want to be told times by", playing.timezone, strict=False
    ),
    Command(
        "REMIND",
        "REMIND 24",
        "remind you so many hours before a deadline",
        playing.remind,
        "REMIND OFF: never.",
        strict=False,
    ),
    Command(
        "SETTLE",
        "SETTLE READY",
        "run no turn of yours before you have said READY, or before its deadline",
        playing.settle,
        "It counts until SETTLE OFF. Alone it says when your turns are run.",
        shape=playing.SETTLE_SHAPE,
    ),
    Command("DRAW", "DRAW", "offer a draw, or agree to one; the war ends if all do", seating.draw),
    Command("CONCEDE", "CONCEDE", "give the war up for lost", seating.concede, confirm=True),
    Command("RESIGN", "RESIGN", "leave the game and your seat to somebody else", seating.resign, confirm=True),
    Command(
        "ADDRESS",
        "ADDRESS new@example.org",
        "play from another mail address",
        seating.address,
        "Both addresses have to confirm it; you get a new key.",
        strict=False,
        confirm=True,
    ),
    Command(
        "KEY",
        "KEY",
        "get a new key; the old one counts no more",
        seating.new_key,
        "Do this if somebody may have seen your key. It is sent to your own address.",
    ),
    Command("GAMES", "GAMES", "the games you play in, and the seats that are free", asking.games, who="anybody"),
    Command(
        "JOIN",
        "JOIN 17 AS {side}",
        "take a free seat",
        seating.join,
        "If you reply to a mail of a seat you have, it is done at once.",
        who="anybody",
        shape=seating.JOIN_SHAPE,
        confirm=True,
    ),
    Command(
        "BUNDLE",
        "BUNDLE [part]",
        "when the war is closed: its secret, all sheets and what every side was told, to check it",
        proving.bundle,
        "It comes as an attachment; if it is too large for one mail, in parts.",
        shape=proving.PART,
    ),
    Command(
        "CONFIRM",
        "CONFIRM word",
        "do what you have asked for; the word was sent to you",
        _confirm,
        who="anybody",
        shape=re.compile(r"\S{1,40}"),
    ),
)
COMMANDS: dict[str, Command] = {command.word: command for command in _LISTED}


def all_words(games: Iterable[Game]) -> Words:
    """Every word that can begin a line of a letter: nobody knows yet who wrote it, and which game it is about."""
    return _all_words(tuple(games))


@lru_cache(maxsize=8)
def _all_words(games: tuple[Game, ...]) -> Words:
    languages = (game.language(scenario.id) for game in games for scenario in game.scenarios())
    return Words.of((*COMMANDS, *GM_COMMANDS), languages)


def commands_for(desk: Desk) -> dict[str, Command]:
    """A GM who also plays has the player's commands where a word means two things."""
    if not desk.gm:
        return COMMANDS
    return {**COMMANDS, **GM_COMMANDS} if desk.seat is None else {**GM_COMMANDS, **COMMANDS}
