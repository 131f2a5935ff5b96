"""The war diary: the events a side was told, sorted into phases and battles and put into words.

Beside the template `diary.txt.j2` stands `events.txt.j2` with one macro for each kind of event, named after its tag.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from engine.events import Event
from engine.grand_strategy import events as happened
from engine.grand_strategy.politics.nations import nation_of_country
from engine.hitlers_war.europe import europe
from pbem.games.hitlers_war.names import Introductions, as_in_orders, place_name, season_name, with_names
from pbem.games.hitlers_war.telling import ATTACK, BATTLE, blow_of, chapter_of, telling_of
from pbem.words.pages import fragment
from pbem.words.teller import DiceList, macro_name, tied
from pbem.words.told_dice import OWN_WORDS
from pbem.words.wording import environment, laid_out

#: Where a player-turn's own sections stand among its battles, with their titles.
BEFORE_COMBAT = {
    "orders": "Sheets",
    "deployment": "Deployment",
    "opening": "Politics at the start",
    "supply": "Start of the player-turn",
    "movement": "Movement",
    "declared": "Attacks on unaligned countries",
}
AFTER_COMBAT = {
    "politics": "Politics",
    "production": "Production",
    "ending": "The war is over",
    "refused": OWN_WORDS,
    "defaults": "Decided by the referee, for want of an order",
}

SECTIONS = ("beginning", *BEFORE_COMBAT, "isolation", *AFTER_COMBAT)

#: Who joins by these cases joins when the player-turn begins.
AT_THE_START = ("HW-20.3", "HW-20.5")


def diary(events: Iterable[Event], side: str | None) -> str:
    """What happened, as told to a side; None is the game master, who is told everything."""
    return laid_out(environment().get_template("hitlers-war/diary.txt.j2").render(_words(events, side)))


def diary_html(events: Iterable[Event], side: str | None) -> Markup:
    """The same as HTML."""
    return fragment("hitlers-war/diary.html.j2", **_words(events, side))


def _words(events: Iterable[Event], side: str | None) -> dict[str, Any]:
    dice = DiceList()
    return {
        "side": side,
        "say": _teller(side, dice),
        "player_turns": player_turns(list(events)),
        "dice": dice.rolls,
        "blow": blow_of,
        "telling": telling_of,
        "place_name": place_name,
        "season_name": season_name,
    }


def _teller(side: str | None, dice: DiceList) -> Callable[[Event], str]:
    """A function that words one event after the other; it remembers whom it has introduced and which dice fell."""
    names = {
        "army": tied(Introductions()),
        "place": tied(place_name),
        "named": with_names,
        "in_orders": as_in_orders,
        "season_name": season_name,
        "die": dice.number,
        "side": side,
    }
    macros = environment().get_template("hitlers-war/events.txt.j2").make_module(names)
    return lambda event: str(getattr(macros, macro_name(event))(event)).strip()


# ------------------------------------------------------------------ sorting


class Battle(msgspec.Struct):
    """The fight for one place: what was announced, fired, tried and lost there."""

    place: str
    events: list[Event]
    army: str = ""  # whose advance was tried last
    decided: bool = False  # an exploiting army tried its advance, so the next attack is another battle

    @property
    def is_silent(self) -> bool:
        return all(telling_of(event).in_battle == "announcement" for event in self.events)

    @property
    def is_landing(self) -> bool:
        return any(isinstance(event, happened.InvasionAnnounced | happened.LandingTried) for event in self.events)


class Chapter(msgspec.Struct, frozen=True):
    """A part of the diary with a title: battles, or events one after the other."""

    id: str
    title: str
    events: list[Event] = []
    battles: list[Battle] = []

    @property
    def is_empty(self) -> bool:
        return not (self.events or self.battles)


class PlayerTurn(msgspec.Struct):
    """The events of one player-turn, sorted. A run that goes on after a gate has no beginning."""

    sections: dict[str, list[Event]]
    initial: list[Battle]
    exploitation: list[Battle]
    halted: list[Event]

    @property
    def chapters(self) -> list[Chapter]:
        """In the order of the rules, those left out of which there is nothing to tell."""
        halted = "Exploitation that was not begun" if self.exploitation else "Exploitation"
        every = [
            *self._plain_chapters(BEFORE_COMBAT),
            Chapter("landings", "Landings", battles=[each for each in self.initial if each.is_landing]),  # HW-13.4
            Chapter("initial", "Initial attacks", battles=[each for each in self.initial if not each.is_landing]),
            Chapter("exploitation", "Exploitation", battles=self.exploitation),
            Chapter("halted", halted, self.halted),
            Chapter("isolation", "Cut off at the end of combat", self.sections["isolation"]),
            *self._plain_chapters(AFTER_COMBAT),
        ]
        return [chapter for chapter in every if not chapter.is_empty]

    def _plain_chapters(self, titles: dict[str, str]) -> list[Chapter]:
        return [Chapter(section, title, self.sections[section]) for section, title in titles.items()]

    @property
    def is_quiet(self) -> bool:
        return not self.chapters


def player_turns(events: Sequence[Event]) -> list[PlayerTurn]:
    return [_sorted_out(group) for group in _by_player_turn(events)]


def _by_player_turn(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Cut before each beginning; what was heard on the sheets just before it belongs to it."""
    group: list[Event] = []
    for event in events:
        if isinstance(event, happened.PlayerTurnBegan) and any(_is_of_the_game(each) for each in group):
            heard = _heard_at_the_end(group)
            yield group[: len(group) - len(heard)]
            group = heard
        group.append(event)
    if group:
        yield group


def _is_of_the_game(event: Event) -> bool:
    return telling_of(event).chapter != "orders"


def _heard_at_the_end(group: list[Event]) -> list[Event]:
    last = max((number for number, event in enumerate(group) if _is_of_the_game(event)), default=-1)
    return group[last + 1 :]


def _sorted_out(events: Sequence[Event]) -> PlayerTurn:
    battles = Battles()
    sections: dict[str, list[Event]] = {section: [] for section in SECTIONS}
    for event in events:
        section = chapter_of(event)
        if section == "politics":
            section = _moment_of(event, sections["opening"], battles)
        if section in (ATTACK, BATTLE):
            battles.add(event)
        else:
            sections[section].append(event)
    return PlayerTurn(sections, battles.initial, battles.exploitation, battles.halted)


def _moment_of(event: Event, opening: Sequence[Event], battles: "Battles") -> str:
    """Politics are told when they happen: at the start, in the battle for a capital, else after combat."""
    if isinstance(event, happened.CountryJoined):
        return "opening" if event.case in AT_THE_START else "politics"
    if isinstance(event, happened.ArmyJoined | happened.GiftReceived):
        joined = any(isinstance(each, happened.CountryJoined) and each.country == event.country for each in opening)
        return "opening" if joined else "politics"
    falls = isinstance(event, happened.CountrySurrendered) and battles.has_just_taken_the_capital_of(event.country)
    return BATTLE if falls else "politics"


class Battles:
    """Sorts the events of a Combat Phase by the place that was fought for.

    In the initial attack all fire comes before all advances, so a battle is put together from several steps. In
    exploitation each advance ends a battle (HW-8.6, HW-8.8).
    """

    def __init__(self) -> None:
        self.initial: list[Battle] = []
        self.exploitation: list[Battle] = []
        self.halted: list[Event] = []  # exploitation that ended without a battle of its own
        self._current: Battle | None = None

    def add(self, event: Event) -> None:
        if telling_of(event).chapter != ATTACK:
            self._follow(event)
            return
        battle = self._battle_for(_fought_for(event), self._part(getattr(event, "exploitation", False)))
        battle.events.append(event)
        if isinstance(event, happened.AdvanceTried):
            battle.army, battle.decided = event.army, event.exploitation

    def has_just_taken_the_capital_of(self, nation: str) -> bool:
        """HW-21.7: then it surrenders at once."""
        last = self._current.events[-1] if self._current is not None else None
        if not isinstance(last, happened.PlaceCaptured) or last.how == "isolation":
            return False
        return europe()[last.place].capital and nation_of_country(europe(), europe()[last.place].country) == nation

    def _part(self, exploitation: bool) -> list[Battle]:
        return self.exploitation if exploitation else self.initial

    def _follow(self, event: Event) -> None:
        """What comes of a roll belongs to its battle. That a successful advance moves the army goes without saying."""
        if isinstance(event, happened.ArmyAdvanced | happened.ArmyLanded) and self._has_just_rolled(event):
            return
        if isinstance(event, happened.ExploitationEnded) and not self._is_exploiting(event.army):
            self.halted.append(event)
            return
        if self._current is None:
            self._current = self._begun(str(getattr(event, "place", "")), self.initial)
        self._current.events.append(event)

    def _is_exploiting(self, army: str) -> bool:
        return bool(self.exploitation) and self._current is self.exploitation[-1] and self._current.army == army

    def _has_just_rolled(self, event: happened.ArmyAdvanced | happened.ArmyLanded) -> bool:
        return any(
            isinstance(each, happened.AdvanceTried | happened.LandingTried)
            and each.success
            and each.target == event.place
            for each in (self._current.events if self._current else ())
            if getattr(each, "army", "") == event.army
        )

    def _battle_for(self, place: str, part: list[Battle]) -> Battle:
        """In the initial attack one battle a place; in exploitation a new one after each advance."""
        fights = part[-1:] if part is self.exploitation else part
        found = next((battle for battle in fights if battle.place == place and not battle.decided), None)
        self._current = found or self._begun(place, part)
        return self._current

    def _begun(self, place: str, part: list[Battle]) -> Battle:
        battle = Battle(place, [])
        part.append(battle)
        return battle


def _fought_for(attack: Any) -> str:
    """Who defends fires from the place that is fought for."""
    return str(attack.place if getattr(attack, "defensive", False) else attack.target)
