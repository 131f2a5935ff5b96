"""Reading a report backwards: in which sentence of its diary a die stands, and whether its label says the same.

A label that only has the right form could be one of thousands, and a sixth of them give a six. So the label has to name
the roll that the sentence tells of.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

#: How the templates tell of a die, with what is added to it and what that makes.
_MENTION = re.compile(
    r"\bdie ([0-9]{1,9})(?:((?:, [+-][0-9]{1,9} [^,=\[\]#]{1,60}){1,12}) = (-?[0-9]{1,9})(?:, read as [0-9]{1,9})?)?"
    r" \[#([0-9]{1,9})\]"
)
_ADDED = re.compile(r", ([+-][0-9]{1,9}) ")
#: A die that is told in any other way; a reader would take it for one.
_LOOSE = re.compile(r"#\d|\[\s?#|\bdie\W{1,3}\d", re.IGNORECASE)
#: The names of our games need no other letters. What else stands there does not show, or looks like what it is not.
_DISGUISE = re.compile(r"[^\n\t -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2026]")
#: Below this heading the diary quotes what the reader has ordered, in his own words.
OWN_WORDS = "Orders that were not carried out in full"
#: More sentences without a die than a war has under one heading.
MOST_ABOVE = 1_000


#: Above the list of the dice with their labels, which ends a diary.
_LIST = "\nDICE\n"


def dice_apart(diary: str) -> tuple[str, str]:
    """The story, and the list of its dice: in a report they stand far from each other."""
    story, heading, listed = diary.rpartition(_LIST)
    return (story.strip("\n"), listed.strip("\n")) if heading else (diary.strip("\n"), "")


class Mention(NamedTuple):
    """A die in the diary: the heading it stands under, the words around it, and what is said above it.

    `above` are the sentences under the same heading that tell of no die, such as who attacks there from where.
    """

    number: int
    die: int
    heading: str
    sentence: str
    above: tuple[str, ...] = ()
    adds_up: bool = True  # what is said to be added to it makes what is said to come out


def mentions(diary: str) -> Iterator[Mention]:
    at, above = "", list[str]()
    for heading, sentence in _paragraphs(diary):
        at, above = heading, (above if heading == at else [])
        dice = _MENTION.findall(sentence)
        above += [sentence] if sentence and not dice and len(above) < MOST_ABOVE else []
        for die, added, total, number in dice:
            adds_up = not added or int(die) + sum(map(int, _ADDED.findall(added))) == int(total)
            yield Mention(int(number), int(die), heading, sentence, tuple(above), adds_up)


def loose_dice(diary: str) -> Iterator[str]:
    """Where the story tells of a die in a way that nobody can check: without its number, or not as the referee does."""
    for heading, sentence in _paragraphs(diary):
        told = f"{heading}: {_MENTION.sub('', sentence)}"
        if heading != OWN_WORDS.upper() and (_LOOSE.search(told) or _DISGUISE.search(told)):
            yield f"{heading}: {sentence}"


def _paragraphs(diary: str) -> Iterator[tuple[str, str]]:
    """A heading stands at the margin, a paragraph begins behind two blanks, and its other lines stand further in."""
    heading, lines = "", [""]
    for line in diary.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if indent > 2:
            lines.append(line)
        elif line.strip():
            yield heading, _joined(lines)
            heading, lines = (heading, [line]) if indent else (line.strip(), [])
    yield heading, _joined(lines)


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
