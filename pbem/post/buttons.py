"""Buttons of HTML mail: links that write a letter with one word in it, and the key of the seat in its subject.

A link opens a new letter in the reader's own mail program, which he sends himself. The plain text needs none: whoever
reads it replies.
"""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from engine.game import Gate
from pbem.post.post import NamedMatch, Sender, tagged
from pbem.records.keys import KeyedSeat

#: What can be written while a seat is awaited, while it is heard, and at any time.
WHILE_AWAITED, WHILE_HEARD, ALWAYS = ("READY", "WAIT"), ("CHECK",), ("MAP", "STATUS", "HELP")


class Button(NamedTuple):
    word: str
    link: str


def buttons_for(sender: Sender, match: NamedMatch, seat: KeyedSeat, gate: Gate | None) -> tuple[Button, ...]:
    """The words that mean something now, each as a letter of this seat."""
    return tuple(Button(word, _letter(sender, match, seat, word)) for word in _words(seat, gate))


def _words(seat: KeyedSeat, gate: Gate | None) -> Sequence[str]:
    if gate is None or seat.side not in gate.awaits + gate.also_heard:
        return ALWAYS
    return (*(WHILE_AWAITED if seat.side in gate.awaits else ()), *WHILE_HEARD, *ALWAYS)


def _letter(sender: Sender, match: NamedMatch, seat: KeyedSeat, word: str) -> str:
    """As RFC 6068 writes one. The word is a line of the text, since subjects are not read for words."""
    address = quote(sender.reply_address(seat), safe="@")
    return f"mailto:{address}?subject={quote(tagged(word, match, seat), safe='')}&body={word}%0D%0A"
