"""What somebody seems to want who has written no command: guessed by the words that people use for it."""

import re
from collections.abc import Collection, Iterable

#: By its command, in small letters. Where two fit equally well, the first one here is meant.
SIGNS: dict[str, tuple[str, ...]] = {
    "EXTEND": ("more time", "extension", "extend", "postpone", "delay", "too short", "another day", "few days"),
    "ABSENCE": ("holiday", "holidays", "vacation", "away", "travel", "travelling", "absent", "out of town", "hospital"),
    "STATUS": ("deadline", "due", "whose turn", "my turn", "your turn", "how long", "time left", "still on", "when"),
    "SHOW": ("my orders", "did you get", "have you got", "what i sent", "what did i send", "arrive", "arrived"),
    "REPORT": ("report", "result", "results", "last turn", "what happened", "send it again", "lost your mail"),
    "MAP": ("map", "picture", "pictures", "where is", "where are", "position"),
    "SHEET": ("record sheet", "how many points", "my armies", "how strong"),
    "CANCEL": ("withdraw", "take back", "undo", "ignore my", "forget my", "disregard", "retract"),
    "STANDING": ("standing order", "standing orders"),
    "READY": ("i am ready", "i'm ready", "go ahead", "run the turn", "process the turn"),
    "WAIT": ("wait", "not yet", "hold on", "not finished"),
    "RULES": ("rule", "rules", "rulebook", "allowed", "legal", "how does", "how do", "can i"),
    "PRESS": ("tell him", "tell her", "tell them", "tell the", "opponent", "message to", "pass on", "alliance"),
    "TIMEZONE": ("time zone", "timezone", "local time", "my clock"),
    "REMIND": ("remind", "reminder", "reminders"),
    "DRAW": ("draw", "peace", "truce", "armistice"),
    "CONCEDE": ("surrender", "give up", "concede", "capitulate", "have lost", "you win"),
    "RESIGN": ("resign", "quit", "leave the game", "drop out", "stop playing", "unsubscribe", "cannot go on"),
    "ADDRESS": ("new address", "my address", "new e-mail", "new email", "another mailbox", "other account"),
    "KEY": ("my key", "new key", "password", "stolen", "hacked"),
    "GAMES": ("other games", "which games", "another game", "new game"),
    "JOIN": ("join", "free seat", "take over", "want to play"),
    "BUNDLE": ("bundle", "secret of the dice"),
    "GM": ("game master", "human", "real person", "complain", "complaint", "unfair", "a bug", "broken"),
}
#: Of a letter so much is looked at.
MOST_LOOKED_AT = 4_000


def wish_in(lines: Iterable[str], known: Collection[str]) -> str:
    """The command that most words of the text speak of, if any does."""
    text = " ".join(" ".join(lines)[:MOST_LOOKED_AT].casefold().replace("’", "'").split())
    counted = {word: _count(signs, text) for word, signs in SIGNS.items() if word in known}
    best = max(counted, key=lambda word: counted[word], default="")
    return best if best and counted[best] else ""


def _count(signs: Iterable[str], text: str) -> int:
    return sum(bool(re.search(rf"\b{re.escape(sign)}\b", text)) for sign in signs)
