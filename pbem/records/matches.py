"""A match as the store hands it out: its position, the answers to a sheet and to a run, and the checks.

`run_sheets` is the one place where the engine is called: the store runs a turn with it, and so does a replay.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import msgspec

from engine.dice import CHAIN_LENGTH, KeyedDice, chain_link, run_key_from_digests
from engine.events import Event
from engine.game import Choice, Fog, Game, Gate, Options, Outcome, OwnView, Scenario, Side, State, View
from engine.orders import Sheet
from pbem.records import models
from pbem.records.seals import SealedSheet
from pbem.records.sheets import Judged, Reading, text_to_read
from pbem.records.snapshots import Entry
from pbem.refusal import Refusal

#: Beside a match's options: how it ended when a side conceded or all agreed to a draw.
ENDED = "ended"
#: In memory a position takes so many times what it has when encoded, and each view of it; a reading, of its text.
STATE_WEIGHS, VIEW_WEIGHS, READING_WEIGHS = 8, 2, 100
#: So many sheets are kept in mind with a position: those of its sides, and some that were replaced.
READINGS_REMEMBERED = 8
#: Beside a match's options: what becomes of messages between the players.
PRESS = "press"
#: Beside a match's options: by which rules its set-up was made, unless by the first.
RULES = "rules"
FIRST_RULES = 1
#: So many keys of a dice chain are kept for turns that are taken back and played again.
KEPT_FOR_TURNS_PLAYED_AGAIN = 200


class ThereIsNoSuchMatch(Refusal):
    pass


class ThereIsNoSuchSide(Refusal):
    pass


class ThereIsNoSuchTurn(Refusal):
    pass


class TheGameIsNotKnown(Refusal):
    pass


class TheSeatsDoNotFit(Refusal):
    pass


class TheEditionIsNotKnown(Refusal):
    pass


class TheGameHasNotThat(Refusal):
    """A fog, a mode, a bot or an option that this game or scenario does not offer."""


class TheWarIsTooLong(Refusal):
    pass


class TheWarIsOver(Refusal):
    pass


class SheetsAreMissing(Refusal):
    def __init__(self, match_id: int, gate: Gate, missing: Sequence[Side]) -> None:
        super().__init__(
            f"match {match_id}, {gate.title}: no sheet has come from {', '.join(missing)}",
            "Take their sheets first (pbem orders), or let standing orders and defaults decide for them with"
            " --without-missing.",
        )
        self.missing = tuple(missing)


class TheGateHasBeenRunAlready(Refusal):
    pass


class TheDiceChainIsUsedUp(Refusal):
    pass


class TheMatchIsFrozen(Refusal):
    pass


# ------------------------------------------------------------------ what the store answers


@dataclass(frozen=True)
class SeatTaken:
    """Who shall play a side. An open seat has no address: somebody may join by mail.

    `bot` is how well the program plays that shall hold the seat; empty for the first level that the game has.
    """

    side: Side
    address: str
    name: str = ""
    bot: str | None = None

    @property
    def is_open(self) -> bool:
        return not self.address and self.bot is None


@dataclass(frozen=True)
class Receipt:
    """What became of a sheet. `why_not` says why it cannot be used, and is empty if it can."""

    match: models.Match
    side: Side
    gate: Gate
    judged: Judged
    digest: str
    arrived: datetime
    kept: bool
    why_not: str
    superseded: bool
    missing: tuple[Side, ...]

    @property
    def only_checked(self) -> bool:
        """It could be used, but was not meant to be kept."""
        return not self.kept and not self.why_not

    @property
    def awaited(self) -> bool:
        """Others may send standing orders meanwhile."""
        return self.side in self.gate.awaits


@dataclass(frozen=True)
class Run:
    """A turn that has just been run, and what comes next."""

    match: models.Match
    turn: models.Turn
    defaulted: tuple[Side, ...]
    next_gate: Gate | None
    outcome: Outcome | None
    mended: str = ""  # what was wrong on file with the position it began from, and is no more


@dataclass(frozen=True)
class Awaited:
    """A side at the open gate, since when it is awaited, and when its sheet came if it has come.

    A sheet in doubt has refused lines or looks unfinished: the turn waits for its sender's READY, or for the deadline.
    So it does, whatever the sheet, for a sender who wants to say READY each time and has not.
    """

    side: Side
    since: datetime
    must_send: bool
    arrived: datetime | None
    in_doubt: bool = False
    unready: bool = False


@dataclass(frozen=True)
class Standing:
    """How a match stands. `settles` is when its sheets have lain long enough, once all are in; `waits` is who wants the
    turn to be held until its deadline."""

    match: models.Match
    gate: Gate | None
    outcome: Outcome | None
    awaited: tuple[Awaited, ...]
    taken_back: int = 0
    settles: datetime | None = None
    waits: tuple[Side, ...] = ()

    @property
    def is_held(self) -> bool:
        """Sheets alone do not let the turn be run before its deadline."""
        return bool(self.waits) or any(one.in_doubt or one.unready for one in self.awaited)

    @property
    def missing(self) -> tuple[Side, ...]:
        return tuple(one.side for one in self.awaited if one.must_send and one.arrived is None)


@dataclass(frozen=True, eq=False)
class Scene:
    """A position, read once for all who ask: the state, its gate, what each side sees of it, and what is made of that.

    Only to be looked at. The engine runs a turn on a copy of the state.
    """

    game: Game
    encoded: bytes = field(repr=False)

    def __post_init__(self) -> None:
        self.state  # noqa: B018 - one that cannot be read shall fail here

    def weight(self) -> int:
        """In bytes, roughly, with all that has been asked of it by now."""
        position = len(self.encoded) * (STATE_WEIGHS + VIEW_WEIGHS * len(self._views))
        texts = sum(map(len, list(self._texts.values())))
        return position + texts + sum(READING_WEIGHS * len(about[2]) for about in list(self._readings))

    @cached_property
    def state(self) -> State:
        return self.game.decode(self.encoded)

    @cached_property
    def gate(self) -> Gate | None:
        return self.game.gate(self.state)

    @cached_property
    def _views(self) -> dict[tuple[Side | None, Fog], View]:
        return {}

    def view(self, side: Side | None, fog: Fog) -> View:
        if (side, fog) not in self._views:
            self._views[side, fog] = self.game.view(self.state, side, fog)
        return self._views[side, fog]

    @cached_property
    def _texts(self) -> dict[Hashable, str]:
        return {}

    def text(self, about: Hashable, make: Callable[[], str]) -> str:
        """A text that is made of this position, kept as long as the position is."""
        if about not in self._texts:
            self._texts[about] = make()
        return self._texts[about]

    @cached_property
    def _readings(self) -> dict[tuple[Side, Fog, str, str], Reading]:
        return {}

    def reading(self, side: Side, fog: Fog, text: str, match: str) -> Reading:
        """A sheet of a side, read once for its receipt, its run and its reports. The oldest readings are forgotten."""
        about = (side, fog, text_to_read(text), match)
        found = self._readings.get(about) or Reading(self.game, self.view(side, fog), about[2], match)
        self._readings[about] = found
        for oldest in list(self._readings)[:-READINGS_REMEMBERED]:
            self._readings.pop(oldest, None)
        return found


@dataclass(frozen=True)
class Position:
    """A match with its game and the position after turn `number`, usually the one it has reached.

    `runs` turns had been run when it was read, and `taken_back` of them do not count any more.
    """

    match: models.Match
    game: Game
    entry: Entry
    scene: Scene
    number: int
    runs: int
    taken_back: int

    @property
    def state(self) -> State:
        return self.scene.state

    @property
    def match_id(self) -> int:
        return number_of(self.match)

    @cached_property
    def options(self) -> Options:
        return msgspec.convert(self.match.options, Options)

    @cached_property
    def scenario(self) -> Scenario:
        return scenario_of(self.game, self.match.scenario)

    @cached_property
    def gate(self) -> Gate | None:
        """None when the war is over, by the rules or because the players ended it."""
        return None if self._ended_early else self.scene.gate

    @property
    def outcome(self) -> Outcome | None:
        return self._ended_early or self.game.outcome(self.state)

    @property
    def _ended_early(self) -> Outcome | None:
        """The players end a war in its last position; in those before it orders were awaited."""
        return ended_early(self.match) if self.number == self.match.gate_number else None

    @property
    def open_gate(self) -> Gate:
        if self.gate is None:
            raise TheWarIsOver(
                f"match {self.match_id} is over: {how_it_ended(self.outcome)}",
                f"See how it stands with: pbem show {self.match_id}",
            )
        return self.gate

    @property
    def occasion(self) -> str:
        """The open gate by a name that is not given again when the game is taken back to it."""
        return occasion(self.open_gate.id, self.taken_back, self.runs + 1)

    def reading(self, side: Side, text: str) -> Reading:
        return self.scene.reading(side, self.options.fog, text, str(self.match_id))

    def view(self, side: Side | None) -> View:
        """What a side may know. If the players have ended the war, the view says so as it does of a victory."""
        view = self.scene.view(side, self.options.fog)
        return view if self._ended_early is None else _at_the_end(view, self._ended_early)


def _at_the_end(view: OwnView, outcome: Outcome) -> View:
    ended: View = msgspec.structs.replace(view, gate=None, outcome=outcome)
    return ended


def number_of(match: models.Match) -> int:
    assert match.id is not None, "a match that was written has a number"
    return match.id


def occasion(gate_id: str, taken_back: int, run: int) -> str:
    """A gate and, once turns have been taken back, the run that it waits for."""
    return f"{gate_id}/run-{run}" if taken_back else gate_id


def is_over_since(match: models.Match, at: datetime) -> None:
    """The war has ended, by the rules or because the players ended it; from now it is counted when it is closed."""
    match.status, match.over_since = models.OVER, at


def check_not_frozen(match: models.Match) -> None:
    """A gate whose run has failed is run again with the same sheets."""
    if match.frozen:
        raise TheMatchIsFrozen(
            f"match {match.id} is frozen, because its turn could not be run; the orders on file stay as they are",
            f"When the cause is mended: pbem thaw {match.id}",
        )


def ended_early(match: models.Match) -> Outcome | None:
    """How the players ended the war before the rules did, if they did."""
    ended = match.options.get(ENDED)
    return msgspec.convert(ended, Outcome) if ended else None


def set_up_by(match: models.Match) -> int:
    """The number of the rules by which a match was set up."""
    return int(match.options.get(RULES, FIRST_RULES))


def how_it_ended(outcome: Outcome | None) -> str:
    if outcome is None:
        return "the last gate has been run"
    winners = " and ".join(side[:1].upper() + side[1:] for side in outcome.winners) or "nobody"
    return f"{winners} won. {outcome.how[:1].upper()}{outcome.how[1:]}"


# ------------------------------------------------------------------ games and seats


def scenario_of(game: Game, scenario_id: str) -> Scenario:
    known = {scenario.id: scenario for scenario in game.scenarios()}
    if scenario_id not in known:
        raise TheGameIsNotKnown(
            f"{game.title} has no scenario {scenario_id!r}", f"There are: {', '.join(known)}. See: pbem games"
        )
    return known[scenario_id]


def check_side(scenario: Scenario, side: Side) -> None:
    if side not in scenario.sides:
        raise ThereIsNoSuchSide(
            f"there is no side {side!r} in {scenario.title}", f"There are: {', '.join(scenario.sides)}"
        )


def check_seats(scenario: Scenario, seats: Sequence[SeatTaken]) -> None:
    """Every side exactly once."""
    for seat in seats:
        check_side(scenario, seat.side)
    given = [seat.side for seat in seats]
    twice = sorted({side for side in given if given.count(side) > 1})
    if twice:
        raise TheSeatsDoNotFit(f"{', '.join(twice)} has more than one seat", "Give each side one --seat.")
    without = [side for side in scenario.sides if side not in given]
    if without:
        example = " ".join(f"--seat {side}=someone@example.org" for side in without)
        raise TheSeatsDoNotFit(f"nobody plays {', '.join(without)}", f"Add: {example}")


def with_edition(scenario: Scenario, options: Options) -> Options:
    """The options with an edition the scenario knows: the first one if none was named."""
    if options.edition and options.edition not in scenario.editions:
        there_are = f"There are: {', '.join(scenario.editions)}" if scenario.editions else "Leave --edition out."
        raise TheEditionIsNotKnown(f"{scenario.title} has no edition {options.edition!r}", there_are)
    if scenario.editions and not options.edition:
        return msgspec.structs.replace(options, edition=scenario.editions[0])
    return options


def options_that_fit(game: Game, scenario: Scenario, options: Options) -> Options:
    """What was asked for, if game and scenario have it, with the edition and the values that nobody named."""
    must_have(game, "fog", options.fog, game.traits.fogs)
    must_have(game, "mode", options.mode, game.traits.modes)
    return with_values(scenario, with_edition(scenario, options))


def must_have(game: Game, what: str, wanted: str, offered: Sequence[str]) -> None:
    if wanted not in offered:
        raise TheGameHasNotThat(f"{game.title} has no {what} {wanted!r}", f"There is: {', '.join(offered)}.")


def must_have_bots(game: Game, seats: Sequence[SeatTaken]) -> None:
    for seat in seats:
        if seat.bot:
            must_have(game, "bot", seat.bot, game.traits.bots)


def with_values(scenario: Scenario, options: Options) -> Options:
    """The options with a value for each choice of the scenario, so that a later default changes no war under way."""
    given, choices = options.values or {}, {choice.name: choice for choice in scenario.choices}
    for name, value in given.items():
        if name not in choices:
            there_are = f"By pbem games, {what_can_be_chosen(scenario)}."
            raise TheGameHasNotThat(f"{scenario.title} has no option {name}", there_are)
        _must_take(choices[name], value)
    if not choices:
        return options
    return msgspec.structs.replace(
        options, values={name: given.get(name, choice.default) for name, choice in choices.items()}
    )


def _must_take(choice: Choice, value: str) -> None:
    if not choice.takes(value):
        raise TheGameHasNotThat(f"{choice.name} cannot be {value!r}", f"{choice.told} Write {choice.what_works}.")


def what_can_be_chosen(scenario: Scenario) -> str:
    """The options of a scenario, as they are written."""
    there_are = [*scenario.switches, *(choice.what_works for choice in scenario.choices)]
    return f"it has {', '.join(there_are)}" if there_are else "it has none"


def must_fit_the_dice(game: Game) -> None:
    """Each run uses a key of the chain, also one that is taken back."""
    room = CHAIN_LENGTH - KEPT_FOR_TURNS_PLAYED_AGAIN
    if game.traits.most_gates > room:
        raise TheWarIsTooLong(
            f"a war of {game.title} can have {game.traits.most_gates} gates, and the dice of a match last for"
            f" {CHAIN_LENGTH}, of which {KEPT_FOR_TURNS_PLAYED_AGAIN} are kept for turns played again",
            f"Its wars must end within {room} gates (most_gates in its traits).",
        )


# ------------------------------------------------------------------ one run


def run_gate(
    game: Game, match_id: int, position: State, options: Options, sealed: Sequence[SealedSheet], link: bytes
) -> tuple[State, list[Event]]:
    """Run the open gate from what was sealed and the link and nothing else: so a replay does the same."""
    sheets: dict[Side, Sheet] = {}
    for one in sealed:
        if one.text is not None:
            view = game.view(position, one.side, options.fog)
            sheets[one.side] = game.parse(one.text, view, str(match_id))
    return run_sheets(game, match_id, position, sheets, sealed, link)


def run_sheets(
    game: Game,
    match_id: int,
    position: State,
    sheets: Mapping[Side, Sheet],
    sealed: Sequence[SealedSheet],
    link: bytes,
) -> tuple[State, list[Event]]:
    """The same with sheets that were read from what was sealed already."""
    gate = game.gate(position)
    assert gate is not None, "only an open gate is run"
    key = run_key_from_digests(link, [bytes.fromhex(one.digest) for one in sealed])
    return game.run(position, sheets, KeyedDice(key, f"{game.id}/{match_id}/{gate.id}"))


def begun_after(turns: Iterable[int]) -> list[int]:
    """The run that had led to where each run began, counted from 1; 0 is the set-up. `turns` are their turns in order.

    Of a turn that was played again that is the newest run.
    """
    reached, found = [0], []
    for run, turn in enumerate(turns, 1):
        found.append(reached[min(turn, len(reached)) - 1])
        reached = [*reached[:turn], run]
    return found


def link_for(match: models.Match, run: int) -> bytes:
    """The link of the dice chain that a run reveals. No link is used twice, also when a turn is played again."""
    if run > CHAIN_LENGTH:
        raise TheDiceChainIsUsedUp(f"match {match.id} has used all its {CHAIN_LENGTH} dice keys", "Start a new match.")
    return chain_link(match.secret, run)


def missing_at(gate: Gate, waiting: Collection[Side]) -> tuple[Side, ...]:
    return tuple(side for side in gate.awaits if side not in waiting)
