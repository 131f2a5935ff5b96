"""Reading a whole sheet: headings, sections, standing orders, and which lines count at this gate.

Every line is read alone. Nothing in here raises on what a player wrote.
"""

import re
from functools import lru_cache

import msgspec

from engine.grand_strategy.language.line import read_line
from engine.grand_strategy.language.names import Vocabulary
from engine.grand_strategy.language.words import OrderLanguage
from engine.grand_strategy.orders import (
    Adopt,
    Attack,
    Cancel,
    Coastal,
    Defend,
    Invade,
    Losses,
    NavalFire,
    NavalReserve,
    Order,
    Retreat,
    StandingOrder,
)
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.rules.deployment import STAGE as DEPLOYMENT
from engine.grand_strategy.tables import ArmyName
from engine.grand_strategy.view import View
from engine.language import LineCannotBeUsed, SheetIsForAnotherGate, SheetReader, Understood
from engine.language.names import plain
from engine.language.sheet import heading_parts, printable
from engine.orders import Kind, Sheet

#: Orders that decide in somebody else's player-turn, so that they count only while they stand.
_POLICIES = (Defend, Losses, Retreat, Adopt, NavalFire, NavalReserve, Coastal)
_WELL_FORMED = {
    "GAME": re.compile(r"\S+"),
    "TURN": re.compile(r"(?:[A-Z]+[ ,/]*)?'?\d{1,4}|[A-Z]+"),
    "SIDE": re.compile(r"(?:THE +)?[A-Z]+"),
}


class GateFacts(msgspec.Struct, frozen=True):
    """What a sheet must fit: whose it is, whose player-turn it is and when. `game` is empty if nobody knows it."""

    side: str
    phasing: str
    season: str
    year: int
    turn: int = 0
    game: str = ""
    stage: str = "player-turn"

    @property
    def is_phasing(self) -> bool:
        return self.side == self.phasing


# ------------------------------------------------------------------ from a view


def vocabulary_of(view: View, setting: Setting) -> Vocabulary:
    """The names the side of a view may use. It is the same for every position of a scenario."""
    return vocabulary_for(setting, view.side or view.phasing, view.sides)


@lru_cache(maxsize=16)
def vocabulary_for(setting: Setting, side: str, sides: tuple[str, ...]) -> Vocabulary:
    """The names of one side in a war of these sides, on the whole map."""
    return Vocabulary(side, {other: _counters(setting, other) for other in sides}, setting.board.places, setting)


def _counters(setting: Setting, side: str) -> dict[str, ArmyName]:
    """The armies of a side, and what else orders can name."""
    kinds = [kind for kind in setting.rules.containers.values() if kind.id != "army" and not kind.is_of_its_place]
    names = [name for kind in kinds for name in kind.counters(setting.tables, side)]
    return {**setting.tables.army_names[side], **{name: ArmyName(name, name, ()) for name in names}}


@lru_cache(maxsize=16)
def language_with_names(setting: Setting, sides: tuple[str, ...]) -> OrderLanguage:
    """The language of a scenario with all names there are in it, whoever may use them."""
    every = [vocabulary_for(setting, side, sides) for side in sides]
    armies = {name: of[0] for one in every for name, of in one.own_armies.items()}
    places = {name: of[0] if len(of) == 1 else name for name, of in every[0].place_names.items()}
    countries = {name: f"country {country}" for name, country in every[0].countries_by_any_name.items()}
    return msgspec.structs.replace(every[0].language, armies=armies, places=countries | places)


def gate_facts_of(view: View, game: str = "") -> GateFacts:
    stage = view.gate.stage if view.gate else "player-turn"
    return GateFacts(view.side or view.phasing, view.phasing, view.season, view.year, view.turn, game, stage)


# ------------------------------------------------------------------ the sheet


def read_sheet(text: str, vocabulary: Vocabulary, facts: GateFacts) -> Sheet:
    """Orders and findings, line by line. A heading for another gate turns the whole sheet away."""
    return _Reader(vocabulary, facts).sheet(text)


class _Reader(SheetReader):
    def __init__(self, vocabulary: Vocabulary, facts: GateFacts) -> None:
        super().__init__(facts.side, vocabulary.language.sections)
        self.vocabulary = vocabulary
        self.facts = facts
        self.attacks: dict[str, int] = {}  # the line in which an army attacks

    def is_heading(self, text: str, line: str) -> bool:
        return _is_heading(text, line, self.facts, self.vocabulary.language.headings)

    def understand(self, number: int, line: str) -> Understood:
        understood = read_line(self._in_section(line), self.vocabulary)
        standing = self._standing(understood)
        self._must_count_now(understood.order, standing, number, line)
        return msgspec.structs.replace(understood, standing=standing)

    def what_would_fit(self) -> str:
        now = f"Now the heading would be {_expected(self.facts)}."
        return f"{now} {self._what_counts()} Nothing in the sheet was used."

    # -------------------------------------------------------------- sections and gates

    def _in_section(self, line: str) -> str:
        """CLEAR on its own under the heading STANDING is STANDING CLEAR."""
        alone = self.section == "STANDING" and line.strip(" .").upper() == "CLEAR"
        return "STANDING CLEAR" if alone else line

    def _standing(self, understood: Understood) -> bool:
        if isinstance(understood.order, Cancel):
            return False
        return understood.standing or self.section == "STANDING"

    def _must_count_now(self, order: Order, standing: bool, number: int, line: str) -> None:
        """Which orders may stand, and which count in whose player-turn."""
        if isinstance(order, Cancel):
            return
        column = len(line) - len(line.lstrip()) + 1
        why, remedy = self._why_not_now(order, standing, printable(line))
        if why:
            raise LineCannotBeUsed(Kind.ILLEGAL, why, remedy, column)
        if isinstance(order, Attack | Invade):
            self._must_attack_once(order, number, column)

    def _why_not_now(self, order: Order, standing: bool, text: str) -> tuple[str, str]:
        verb = str(order).split()[0]
        if standing:
            return ("", "") if isinstance(order, StandingOrder) else self._why_not_standing(verb)
        if isinstance(order, _POLICIES) and not (self.facts.is_phasing and isinstance(order, Losses)):
            return (
                f"{verb} counts in the enemy's player-turn, so it must be a standing order.",
                f"Write STANDING {text}",
            )
        if not self.facts.is_phasing:
            what = DEPLOYMENT if self.facts.stage == DEPLOYMENT else "player-turn"
            turn = f"the {self._whose_turn} {what}"
            return f"It is {turn}: only STANDING and CANCEL lines count now.", self._when_it_counts()
        return "", ""

    def _when_it_counts(self) -> str:
        facts = self.facts
        if not self._has_moved or facts.stage == DEPLOYMENT:
            return "Send it again when it is your turn."
        return f"Yours of {facts.season.capitalize()} {facts.year} has been run; send what still fits in your next one."

    @property
    def _has_moved(self) -> bool:
        """HW-2.4, HW-16.1: the sides play in their order, in every season and in the deployment."""
        order = list(self.vocabulary.setting.tables.side_names)
        return order.index(self.facts.side) < order.index(self.facts.phasing)

    @property
    def _whose_turn(self) -> str:
        return self.vocabulary.setting.tables.adjective(self.facts.phasing)

    def _what_counts(self) -> str:
        """For a sheet that comes too late, or too early: what may be sent now."""
        if self.facts.is_phasing:
            return "Orders for a turn that has been run come too late."
        return f"It is the {self._whose_turn} player-turn, in which you may send STANDING orders only."

    def _why_not_standing(self, verb: str) -> tuple[str, str]:
        remedy = "Write it without STANDING."
        if self.section == "STANDING":
            remedy = "Put a heading such as COMBAT or PRODUCTION before it."
        *others, last = self.vocabulary.language.may_stand
        return f"{verb} cannot stand; it is ordered anew each turn. {', '.join(others)} and {last} can stand.", remedy

    def _must_attack_once(self, order: Attack | Invade, number: int, column: int) -> None:
        earlier = self.attacks.setdefault(order.army, number)
        if earlier != number:
            name = self.vocabulary.call_army(order.army)
            why = f"{name} already attacks in line {earlier}; an army attacks one hex (HW-8.4)."
            raise LineCannotBeUsed(Kind.ILLEGAL, why, "Keep one of the lines; go on with EXPLOIT.", column)


# ------------------------------------------------------------------ headings


def _is_heading(text: str, line: str, facts: GateFacts, headings: tuple[str, ...]) -> bool:
    """Whether a line is a heading, with GAME, TURN and SIDE or a part of it.

    Raises SheetIsForAnotherGate if it is one and does not fit.
    """
    parts = heading_parts(text, headings)
    if not parts or not all(_WELL_FORMED[word].fullmatch(value) for word, value in parts):
        return False
    fits = {"GAME": _game_fits, "TURN": _turn_fits, "SIDE": _side_fits}
    for word, value in parts:
        if not fits[word](value, facts):
            raise SheetIsForAnotherGate(f"The heading says {word} {value}.", line)
    return True


def _expected(facts: GateFacts) -> str:
    game = f"GAME {facts.game} " if facts.game else ""
    return f"{game}TURN {facts.season.title()} {facts.year} SIDE {facts.side.title()}"


def _game_fits(value: str, facts: GateFacts) -> bool:
    return not facts.game or value == plain(facts.game)


def _turn_fits(value: str, facts: GateFacts) -> bool:
    """Season and year, either of them, or the number of the turn."""
    season, year = plain(facts.season), str(facts.year)
    fits = {season, season[:3], year, year[2:], f"'{year[2:]}"}
    return value == str(facts.turn) or all(part in fits for part in re.split(r"[ ,/]+", value))


def _side_fits(value: str, facts: GateFacts) -> bool:
    side = plain(facts.side)
    return value.removeprefix("THE ").lstrip() in (side, f"{side}S")
