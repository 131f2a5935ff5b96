"""The diary: the events a side was told, sorted into chapters and put into words.

Beside `diary.txt.j2` stands `events.txt.j2` with one macro for each kind of event, named after its tag.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup

from engine.events import Event
from pbem.words.teller import DiceList, macro_name
from pbem.words.told_dice import OWN_WORDS
from tests.toy.round_island.rules import events as happened
from tests.toy.round_island.shown import TEMPLATES
from tests.toy.round_island.shown.names import WORDS

#: The chapter that tells an event, in the order of the moon.
CHAPTERS: dict[str, tuple[type[Event], ...]] = {
    "Sheets": (happened.StandingChanged, happened.DefaultUsed),
    "Marches": (happened.Marched,),
    "Battles": (happened.BattleFought,),
    "New owners": (happened.HexTaken,),
    "The volcano": (happened.CraterRumbled, happened.SpearsBurned),
    "New spears": (happened.Mustered,),
    "The war is over": (happened.WarEnded,),
    OWN_WORDS: (happened.OrderRefused,),
}


def diary(events: Iterable[Event]) -> str:
    return TEMPLATES.text("diary.txt.j2", **_words(list(events)))


def diary_html(events: Iterable[Event]) -> Markup:
    return TEMPLATES.html("diary.html.j2", **_words(list(events)))


def _words(events: Sequence[Event]) -> dict[str, Any]:
    """Every event is worded before the dice are listed, so that the list is complete."""
    dice = DiceList()
    say = _teller(dice)
    told = [(title, [say(event) for event in events if isinstance(event, kinds)]) for title, kinds in CHAPTERS.items()]
    return {
        "moon": next((event.moon for event in events if isinstance(event, happened.MoonBegan)), 0),
        "chapters": [(title, sentences) for title, sentences in told if sentences],
        "dice": dice.rolls,
    }


def _teller(dice: DiceList) -> Callable[[Event], str]:
    macros = TEMPLATES.macros("events.txt.j2", number=dice.number, **WORDS)
    return lambda event: " ".join(str(getattr(macros, macro_name(event))(event)).split())
