"""Which roll a sentence of the diary tells of."""

import re
from functools import cache

from engine.grand_strategy.rolls import ABOUT_AN_ARMY, ASSAULT, HEIR, NAVAL_FIRE, parted
from pbem.games.hitlers_war.names import army_name, place_name
from pbem.games.hitlers_war.telling import TELLING
from pbem.memory import Memory
from pbem.words.told_dice import Mention

#: An attack over the sea has no origin that everybody may know.
_ANNOUNCED = re.compile(r"(.{1,60}?)(?: \([^()]{1,20}\))? (?:attacks from (.{1,60})\.|comes over the sea .*)")
#: In bytes: sentences that are kept in mind with what they announce.
SENTENCES_WEIGH = 1_000_000
_Announced = tuple[str, re.Match[str] | None]


def _weight(announced: _Announced) -> int:
    return 300 + len(announced[0])


_announcements: Memory[_Announced] = Memory(SENTENCES_WEIGH, _weight)


def tells_of(mention: Mention, place: str, purpose: str) -> bool:
    """Whether a sentence tells of the roll that a label names."""
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
    said = [found for found in map(_announcement, mention.above) if found and _is_named(found[1], mention.sentence)]
    return not said or place_name(place) in {found[2] or mention.heading for found in said}


def _announcement(sentence: str) -> re.Match[str] | None:
    """Of each sentence it is asked for every die below it."""
    return _announcements.recall(sentence, lambda: (sentence, _ANNOUNCED.fullmatch(sentence)))[1]


def _told_as(sentence: str) -> str:
    """The purpose that a sentence speaks of; only that of a die which settles an heirship has no word before it."""
    return _blows().get(sentence.partition(" ")[0], HEIR)


def _is_named(name: str, sentence: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None


@cache
def _blows() -> dict[str, str]:
    """What a die is for by the word before its roll."""
    blows = [blow for telling in TELLING.values() for blow in (telling.blow, telling.defence) if blow]
    return {blow.word: blow.rolls for blow in blows}
