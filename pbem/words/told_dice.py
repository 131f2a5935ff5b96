"""Reading a report backwards: in which sentence of its diary a die stands, and whether its label says the same.

A label that only has the right form could be one of thousands, and a sixth of them give a six. So the label has to name
the roll that the sentence tells of.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engine.hitlers_war.rolls import (
    ABOUT_AN_ARMY,
    ADVANCE,
    ASSAULT,
    COASTAL_AIR,
    DEFENCE,
    HEIR,
    LANDING,
    NAVAL_FIRE,
    SUPPORT,
    parted,
)
from pbem.words.diary import AFTER_COMBAT
from pbem.words.naming import army_name, place_name
from pbem.words.wording import environment

GAME = "hitlers-war"
#: How the templates tell of a die, with what is added to it and what that makes.
_MENTION = re.compile(
    r"\bdie ([0-9]{1,9})(?:((?:, [+-][0-9]{1,9} [^,=\[\]#]{1,60}){1,12}) = (-?[0-9]{1,9})(?:, read as [0-9]{1,9})?)?"
    r" \[#([0-9]{1,9})\]"
)
_ADDED = re.compile(r", ([+-][0-9]{1,9}) ")
#: A die that is told in any other way; a reader would take it for one.
_LOOSE = re.compile(r"#\d|\[\s?#|\bdie\W{1,3}\d", re.IGNORECASE)
#: The names of this game need no other letters. What else stands there does not show, or looks like what it is not.
_DISGUISE = re.compile(r"[^\n\t -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2026]")
#: Below this heading the diary quotes what the reader has ordered, in his own words.
_OWN_WORDS = AFTER_COMBAT["refused"].upper()


#: An attack over the sea has no origin that everybody may know.
_ANNOUNCED = re.compile(r"(.{1,60}?)(?: \([^()]{1,20}\))? (?:attacks from (.{1,60})\.|comes over the sea .*)")


class Mention(NamedTuple):
    """A die in the diary: the heading it stands under, the words around it, and who attacks there from where."""

    number: int
    die: int
    heading: str
    sentence: str
    announced: tuple[str, ...] = ()
    adds_up: bool = True  # what is said to be added to it makes what is said to come out


def mentions(diary: str) -> Iterator[Mention]:
    at, announced = "", list[str]()
    for heading, sentence in _paragraphs(diary):
        at, announced = heading, (announced if heading == at else [])
        announced += [sentence] if _ANNOUNCED.fullmatch(sentence) else []
        for die, added, total, number in _MENTION.findall(sentence):
            adds_up = not added or int(die) + sum(map(int, _ADDED.findall(added))) == int(total)
            yield Mention(int(number), int(die), heading, sentence, tuple(announced), adds_up)


def loose_dice(diary: str) -> Iterator[str]:
    """Where the story tells of a die in a way that nobody can check: without its number, or not as the referee does."""
    for heading, sentence in _paragraphs(diary):
        told = f"{heading}: {_MENTION.sub('', sentence)}"
        if heading != _OWN_WORDS and (_LOOSE.search(told) or _DISGUISE.search(told)):
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


# ------------------------------------------------------------------ Hitler's War


def tells_of(game_id: str, mention: Mention, place: str, purpose: str) -> bool:
    """Whether a sentence tells of the roll that a label names. Of a game without words of its own nobody can tell."""
    if game_id != GAME:
        return True
    what, named = parted(purpose)
    if _told_as(mention.sentence) != what:
        return False
    if what == ASSAULT:
        return mention.heading == place_name(named) and _attacks_from(mention, place)
    if what in (HEIR, NAVAL_FIRE):  # these are fought elsewhere
        where = _is_named(place_name(place) if what == HEIR else place, mention.sentence)
    else:
        where = mention.heading == place_name(place)
    return where and (what not in ABOUT_AN_ARMY or _is_named(army_name(named), mention.sentence))


def _attacks_from(mention: Mention, place: str) -> bool:
    """Whether one of those who fire has announced an attack from there; in an exploitation nobody announces."""
    attacks = map(_ANNOUNCED.fullmatch, mention.announced)
    said = [found for found in attacks if found and _is_named(found[1], mention.sentence)]
    return not said or place_name(place) in {found[2] or mention.heading for found in said}


def _told_as(sentence: str) -> str:
    """The purpose that a sentence speaks of; only that of a die which settles an heirship has no word before it."""
    return _blows().get(sentence.partition(" ")[0], HEIR)


def _is_named(name: str, sentence: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None


@cache
def _blows() -> dict[str, str]:
    """The word before each kind of roll, as the templates have it."""
    words = environment().get_template(f"{GAME}/words.txt.j2").make_module()
    kinds = {
        "advance-tried": ADVANCE,
        "landing-tried": LANDING,
        "naval-fired": NAVAL_FIRE,
        "support-fired": SUPPORT,
        "coastal-air-fired": COASTAL_AIR,
    }
    told = {("fired", True): DEFENCE, ("fired", False): ASSAULT} | {(kind, False): kinds[kind] for kind in kinds}
    return {str(words.blow(*kind)): purpose for kind, purpose in told.items()}  # type: ignore[attr-defined]
