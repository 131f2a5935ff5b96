"""A report as it is printed, taken apart again for somebody who has nothing else."""

import email
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from email.message import Message

from pbem.refusal import Refusal
from pbem.words.told_dice import Mention, loose_dice, mentions

#: In characters; a long report has a tenth of it, and more would be slow to read.
LONGEST = 250_000

_LINE_END = re.compile(r"(?<!\r)\r*+\n")
#: As mail programs quote; a report may have been forwarded.
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
_HEADING = re.compile(r"^REPORT OF \[(\d{1,9}) (.*)\nTurn (\d{1,9}): (.*(?:\n  \S.*)*)", re.MULTILINE)
_NUMBERS = re.compile(
    r"^Commitment +([0-9a-f]{64})\s+Run key +([0-9a-f]{64})((?:\s+\S+ +[0-9a-f]{64}\b)+)", re.MULTILINE
)
_DIGEST = re.compile(r"(?<!\S)(\S++) ++([0-9a-f]{64})")
#: Above the map, or with the numbers: what is played and how much of it is hidden.
_GAME = re.compile(r"^(\S.{0,60}), edition\s[^\n]{0,40}\.\sFog:\s(\w+)\.\sMode:", re.MULTILINE)
#: Under the heading of the first turn that was run by other rules than the one before it.
_NEW_RULES = re.compile(r"^Rules (\d{1,9}) in place of rules (\d{1,9}):", re.MULTILINE)
#: Where the story begins; what stands before it are the reader's own orders.
_STORY = re.compile(r"^(?:WAR DIARY|BEFORE THE WAR)\b", re.MULTILINE)
#: Words of other players, whatever they say.
_BARRED = re.compile(r"^\|.*$", re.MULTILINE)
#: A die, and the rest of a long label on the lines below.
_DIE = re.compile(r"^ *#(\d{1,9}) +(\d{1,9}) +(\S.*(?:\n {8,}(?!#)\S.*)*)$", re.MULTILINE)
#: Beside the report that is read: another one, or what looks like one.
_LOOKS_LIKE_A_REPORT = re.compile(r"^REPORT OF\b|^Run key\b|\[#\d", re.MULTILINE | re.IGNORECASE)


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
    loose: tuple[str, ...]  # sentences that tell of a die in a way that cannot be checked
    cut_off_above: bool  # another report begins above, and its numbers cannot be read
    others: bool  # something else in the file looks like a report, and was not looked at
    new_rules: tuple[int, int] | None = None  # the number of those it was run by, and of those before, if it says so


def read_report(raw: bytes) -> Printed:
    """The mail as it was saved, or its text. Of several reports the first one is read."""
    return _printed(_unquoted(raw))


def read_reports(raw: bytes) -> tuple[Printed, ...]:
    """The same of a report that tells of several turns, one after the other; of any other file the first report alone.

    Game and fog stand above the map, and that is below the last of them.
    """
    text = _unquoted(raw)
    begin = [found.start() for found in _HEADING.finditer(text)]
    pieces = [text[start:end] for start, end in zip(begin, [*begin[1:], len(text)], strict=True)]
    found = _one_after_the_other(pieces)
    if len(found) < 2:
        return (read_report(raw),)
    last = replace(found[-1], others=found[-1].others or len(found) < len(pieces))
    return (*(replace(one, game=last.game, fog=last.fog) for one in found[:-1]), last)


def _one_after_the_other(pieces: Sequence[str]) -> list[Printed]:
    """From the first one on, as long as each is of the turn after the one before it, for the same side of a war."""
    found: list[Printed] = []
    for piece in pieces:
        try:
            read = _printed(piece)
        except ThisIsNoReport:
            break
        if found and (read.match, read.side, read.turn) != (found[-1].match, found[-1].side, found[-1].turn + 1):
            break
        found.append(read)
    return found


def _unquoted(raw: bytes) -> str:
    return _QUOTED.sub("", text_of(raw))


def _printed(text: str) -> Printed:
    numbers = _NUMBERS.search(text)
    headings = list(_HEADING.finditer(text, 0, numbers.start() if numbers else 0))
    if numbers is None or not headings:
        raise ThisIsNoReport(
            "there is no report with its heading, commitment, run key and digests in this file",
            "Save the whole mail (.eml), or its text from REPORT OF down to the digests below CHECKING THE DICE.",
        )
    match, whose, turn, title = headings[-1].groups()
    body = _BARRED.sub("", text[headings[-1].end() : numbers.start()])
    commitment, link, below = numbers.groups()
    game, fog = ([found.groups() for found in _GAME.finditer(body)] or [("", "")])[-1]
    story = _DIE.sub("", body)
    beside = (text[: headings[0].start()], text[numbers.end() :])
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
        tuple(mentions(story)),
        tuple(dict.fromkeys(loose_dice(_without_own_orders(story)))),
        len(headings) > 1,
        any(map(_LOOKS_LIKE_A_REPORT.search, beside)),
        _new_rules_in(body),
    )


def names_its_game(position: str) -> bool:
    """Whether it can be read from a position what is played, and how much of it is hidden."""
    return bool(_GAME.search(position))


def _new_rules_in(body: str) -> tuple[int, int] | None:
    found = _NEW_RULES.search(body)
    return (int(found[1]), int(found[2])) if found else None


def is_report(raw: bytes) -> bool:
    try:
        read_report(raw)
    except ThisIsNoReport:
        return False
    return True


def _without_own_orders(story: str) -> str:
    begins = _STORY.search(story)
    return story[begins.start() :] if begins else story


# ------------------------------------------------------------------ the text


def text_of(raw: bytes) -> str:
    """The plain text of a saved mail, or the file itself."""
    try:
        message: Message = email.message_from_bytes(raw)
        text = "\n".join(map(_decoded, _texts_in(message))) if message["From"] else raw.decode("utf-8-sig", "replace")
    except RecursionError:
        raise Refusal("this mail has parts within parts without an end", "Save its text alone.") from None
    if len(text) > LONGEST:
        raise ThisIsNoReport("this is longer than any report", "Save one report alone.")
    return _LINE_END.sub("\n", text).replace("\N{NO-BREAK SPACE}", " ")


def _texts_in(message: Message) -> Iterator[Message]:
    """What a mail program would show as text. All of it: which part it shows first is its own affair."""
    for part in message.walk():
        if part.get_content_type() == "text/plain" and part.get_content_disposition() != "attachment":
            yield part


def _decoded(part: Message) -> str:
    body = part.get_payload(decode=True)
    data = body if isinstance(body, bytes) else b""
    try:
        text = data.decode(part.get_content_charset("utf-8"), "replace").removeprefix("\ufeff")
    except (LookupError, ValueError):
        text = data.decode("utf-8-sig", "replace")
    return _unflowed(text) if str(part.get_param("format", "")).lower() == "flowed" else text


def _unflowed(text: str) -> str:
    """The lines as they were, before a mail program that forwards them broke them and put a blank before some."""
    lines = re.sub(r"^>* ?", "", _LINE_END.sub("\n", text), flags=re.MULTILINE)
    return re.sub(r" \n", " ", lines)
