"""A report as it is printed, taken apart again for somebody who has nothing else."""

import email
import re
from dataclasses import dataclass
from email.message import Message

from pbem.refusal import Refusal
from pbem.words.told_dice import Mention, mentions

#: As mail programs quote; a report may have been forwarded.
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
_HEADING = re.compile(r"^REPORT OF \[(\d{1,9}) (.*)\nTurn (\d{1,9}): (.*(?:\n  \S.*)*)", re.MULTILINE)
_NUMBERS = re.compile(
    r"^Commitment +([0-9a-f]{64})\s+Run key +([0-9a-f]{64})((?:\s+\S+ +[0-9a-f]{64}\b)+)", re.MULTILINE
)
_DIGEST = re.compile(r"(?<!\S)(\S++) ++([0-9a-f]{64})")
#: Above the map: what is played and how much of it is hidden.
_GAME = re.compile(r"^(\S.{0,60}), edition\s[^\n]{0,40}\.\sFog:\s(\w+)\.\sMode:", re.MULTILINE)
_DICE = re.compile(r"^DICE$", re.MULTILINE)
#: A die, and the rest of a long label on the lines below.
_DIE = re.compile(r"^ *#(\d{1,9}) +(\d{1,9}) +(\S.*(?:\n {8,}(?!#)\S.*)*)$", re.MULTILINE)


class ThisIsNoReport(Refusal):
    pass


@dataclass(frozen=True)
class PrintedDie:
    number: int
    die: int
    label: str


@dataclass(frozen=True)
class Printed:
    """What a report says that can be checked. `side`, `game` and `fog` are empty where it does not name them."""

    match: int
    side: str
    turn: int
    title: str
    game: str
    fog: str
    commitment: str
    link: str
    digests: tuple[tuple[str, str], ...]
    dice: tuple[PrintedDie, ...]
    told: tuple[Mention, ...]
    others_below: bool  # there is another report in the file, which is not looked at


def read_report(raw: bytes) -> Printed:
    """The mail as it was saved, or its text. Of several reports the first one is read."""
    text = _QUOTED.sub("", text_of(raw))
    numbers = _NUMBERS.search(text)
    headings = list(_HEADING.finditer(text, 0, numbers.start() if numbers else 0))
    if numbers is None or not headings:
        raise ThisIsNoReport(
            "there is no report with its heading, commitment, run key and digests in this file",
            "Save the whole mail (.eml), or its text from REPORT OF down to the digests below CHECKING THE DICE.",
        )
    match, whose, turn, title = headings[-1].groups()
    body = text[headings[-1].end() : numbers.start()]
    commitment, link, below = numbers.groups()
    game, fog = ([found.groups() for found in _GAME.finditer(body)] or [("", "")])[-1]
    diary, *_ = _DICE.split(body, maxsplit=1)
    return Printed(
        int(match),
        whose.rpartition("], ")[2].lower(),
        int(turn),
        " ".join(title.split()),
        game,
        fog,
        commitment,
        link,
        tuple(_DIGEST.findall(below)),
        tuple(PrintedDie(int(number), int(die), " ".join(label.split())) for number, die, label in _DIE.findall(body)),
        tuple(mentions(diary)),
        _NUMBERS.search(text, numbers.end()) is not None,
    )


def text_of(raw: bytes) -> str:
    """The plain text of a saved mail, or the file itself."""
    message: Message = email.message_from_bytes(raw)
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    if message["From"] and parts:
        body = parts[0].get_payload(decode=True)
        raw = body if isinstance(body, bytes) else b""
    text = raw.decode("utf-8-sig", "replace")  # as the referee writes it; all that is checked is ASCII
    return text.replace("\r\n", "\n").replace("\N{NO-BREAK SPACE}", " ")
