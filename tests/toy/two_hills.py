"""Two Hills: red and blue send one order a turn, for four turns; whoever holds more hills at the end wins.

It has everything a game needs and nothing else. In the scenario `at-once` both sides are awaited at every gate;
in `by-turns` they alternate, and the side that waits may send a standing order.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from engine.dice import Dice, number_below
from engine.events import Event, Modifier, Roll, canonical, with_own_lines
from engine.forecast import Assumption, Column, Forecast, Row, Span, spanning
from engine.game import Fog, Gate, Options, Outcome, Scenario, Side, ThereIsNoSuchScenario, Traits
from engine.language import Language, Verb
from engine.orders import LONGEST_LINE, MOST_LINES, Finding, Kind, Line, Sheet, lines_of
from engine.results import LineResult, results_of

SIDES = ("red", "blue")
HILLS = ("north", "south")
LAST_TURN = 4
EVERY_GATE = [(turn, phasing) for turn in range(1, LAST_TURN + 1) for phasing in (SIDES, SIDES[:1], SIDES[1:])]
CHANCES = (Column("success", "is yours", "chance"),)
SCENARIOS = [
    Scenario("at-once", "Two Hills, both at once", SIDES, LAST_TURN, "Both sides order at the same time."),
    Scenario("by-turns", "Two Hills, turn about", SIDES, LAST_TURN, "Red orders first, then blue."),
]


# ------------------------------------------------------------------ orders, position, view, events


class Take(msgspec.Struct, frozen=True, tag="TAKE"):
    hill: str

    def __str__(self) -> str:
        return f"TAKE {self.hill}"


class Hold(msgspec.Struct, frozen=True, tag="HOLD"):
    def __str__(self) -> str:
        return "HOLD"


Order = Take | Hold


class State(msgspec.Struct):
    """`men` and `standing` are what the fog hides."""

    scenario: str
    options: Options
    turn: int
    phasing: tuple[Side, ...]
    owner: dict[str, Side]
    men: dict[Side, int]
    standing: dict[Side, Order]
    outcome: Outcome | None = None


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    scenario: str
    options: Options
    side: Side | None
    fog: Fog
    turn: int
    gate: Gate | None
    owner: dict[str, Side]
    men: dict[Side, int]
    standing: dict[Side, Order]
    outcome: Outcome | None = None


class Ordered(Event, frozen=True, tag="ordered"):
    side: Side
    order: Order


class DefaultUsed(Event, frozen=True, tag="default-used"):
    side: Side
    what: str


class Fought(Event, frozen=True, tag="fought"):
    hill: str
    attacker: Side
    attack: Roll
    defence: Roll
    winner: Side


class HillTaken(Event, frozen=True, tag="hill-taken"):
    hill: str
    side: Side


class MenLost(Event, frozen=True, tag="men-lost"):
    side: Side
    left: int


class WarEnded(Event, frozen=True, tag="war-ended"):
    outcome: Outcome


AnyEvent = Ordered | DefaultUsed | Fought | HillTaken | MenLost | WarEnded


# ------------------------------------------------------------------ the language

LANGUAGE = Language(
    (
        Verb("TAKE", "TAKE north", "go to a hill and fight for it", may_stand=True),
        Verb("HOLD", "HOLD", "stay where you are", may_stand=True),
        Verb("STANDING", "STANDING TAKE south", "what you do in a turn for which you send nothing"),
    ),
    headings=("FOR",),
    place="|".join(HILLS),
)


class NotAnOrder(ValueError):
    pass


def read_order(words: list[str]) -> Order:
    """`parse(str(order)) == order`, as everywhere in this house."""
    match [word.lower() for word in words]:
        case ["hold"]:
            return Hold()
        case ["take", hill] if hill in HILLS:
            return Take(hill)
        case ["take", *_]:
            raise NotAnOrder("TAKE wants one of the hills: " + ", ".join(HILLS))
    raise NotAnOrder("the orders are TAKE and HOLD")


def read_line(number: int, text: str) -> Line:
    words = text[:LONGEST_LINE].split()
    standing = words[0].lower() == "standing"
    return Line(number, text, read_order(words[1:] if standing else words), standing)


def other(side: Side) -> Side:
    return SIDES[1 - SIDES.index(side)]


# ------------------------------------------------------------------ the game


class TwoHills:
    id: str = "two-hills"
    title: str = "Two Hills"
    rules: int = 1
    traits: Traits = Traits(most_gates=2 * LAST_TURN, modes=("one-run", "checkpoint"))

    def scenarios(self) -> list[Scenario]:
        return list(SCENARIOS)

    def language(self, scenario: str) -> Language:
        must_be_known(scenario)
        return LANGUAGE

    def setup(self, scenario: str, options: Options) -> State:
        must_be_known(scenario)
        first = SIDES if scenario == "at-once" else SIDES[:1]
        return State(
            scenario,
            options,
            1,
            first,
            owner={},
            men=dict.fromkeys(SIDES, 3),
            standing=dict.fromkeys(SIDES, Hold()),
        )

    def gate(self, state: State) -> Gate | None:
        return None if state.outcome is not None else self._gate(state.turn, state.phasing)

    def _gate(self, turn: int, phasing: tuple[Side, ...]) -> Gate:
        waiting = tuple(side for side in SIDES if side not in phasing)
        who = " and ".join(side.capitalize() for side in phasing)
        return Gate(f"{turn}-{'-'.join(phasing)}", f"Turn {turn}, {who}", "orders", phasing, waiting)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def parse(self, text: str, view: View, match: str = "") -> Sheet:
        """Each line alone: `TAKE north`, `HOLD`, `STANDING TAKE south`; `FOR red 2` guards against old sheets."""
        lines: list[Line] = []
        findings: list[Finding] = []
        for number, raw in enumerate(lines_of(text)[:MOST_LINES], 1):
            line = raw.split("#")[0].strip()
            if line.rstrip(" .:").lower() == "end":
                break
            if line.lower().startswith("for "):
                findings += self._misdirected(line, view)
            elif line:
                read = self._read(number, line, view)
                lines += [read] if isinstance(read, Line) else []
                findings += [read] if isinstance(read, Finding) else []
        return Sheet(view.side or "", tuple(lines), tuple(findings))

    def _read(self, number: int, text: str, view: View) -> Line | Finding:
        """A side that waits may send standing orders and nothing else."""
        try:
            line = read_line(number, text)
        except NotAnOrder as why:
            return Finding(Kind.UNREADABLE, number, str(why), "write TAKE north", text)
        if line.standing or view.gate is None or view.side in view.gate.awaits:
            return line
        return Finding(Kind.ILLEGAL, number, "it is not your turn", f"write STANDING {line.order}", text)

    def _misdirected(self, line: str, view: View) -> list[Finding]:
        if line.lower().split()[1:] == [view.side, str(view.turn)]:
            return []
        here = f"FOR {view.side} {view.turn}"
        return [Finding(Kind.ILLEGAL, 0, "this sheet is for another side or turn", f"begin with {here}", line)]

    def check(self, view: View, sheet: Sheet) -> list[Finding]:
        """A hill one owns already cannot be taken; of several orders the first counts."""
        mine = [line for line in sheet.lines if not line.standing]
        findings = [
            Finding(Kind.ILLEGAL, line.number, "only the first order counts", "send one order", line.text)
            for line in mine[1:]
        ]
        for line in mine[:1]:
            if isinstance(line.order, Take) and view.owner.get(line.order.hill) == view.side:
                findings.append(Finding(Kind.ILLEGAL, line.number, "that hill is yours", "write HOLD", line.text))
        return findings

    def came_of(self, view: View, sheet: Sheet, told: Iterable[Event]) -> list[LineResult]:
        return results_of(sheet, told)

    def forecast(self, view: View, sheet: Sheet) -> Forecast:
        """The chance to take a hill. Whether the other side holds or comes too is not known, so it is a span."""
        awaited = view.gate is not None and view.side in view.gate.awaits
        mine = [line for line in sheet.lines if not line.standing][:1] if awaited and not sheet.refused else []
        takes = [line for line in mine if isinstance(line.order, Take) and view.owner.get(line.order.hill) != view.side]
        rows, assumptions = [], []
        for line in takes:
            chance, assumption = chance_to_take(view, line)
            rows.append(Row(line.number, f"{{}} {line.order.hill}", (chance,), (view.side or "",)))
            assumptions.append(assumption)
        return Forecast(CHANCES, tuple(rows), tuple(assumptions), "hill", "The number is the chance to take the hill.")

    def run(self, state: State, sheets: Mapping[Side, Sheet], dice: Dice) -> tuple[State, list[Event]]:
        after = msgspec.structs.replace(
            state, owner=dict(state.owner), men=dict(state.men), standing=dict(state.standing)
        )
        events: list[Event] = []
        for side in SIDES:
            if side in sheets:
                keep_standing(after, side, sheets[side])
        orders = {side: order_of(after, side, sheets.get(side), events) for side in state.phasing}
        for hill in HILLS:
            before = len(events)
            fight_for(after, hill, orders, dice, events)
            lines = lines_that_take(hill, sheets, state.phasing)
            events[before:] = [msgspec.structs.replace(event, lines=lines) for event in events[before:]]
        end_of_turn(after, events)
        return after, events

    def view(self, state: State, side: Side | None, fog: Fog) -> View:
        """Of PUBLIC nobody's men are known, unless all is open."""
        known = [one for one in SIDES if side in (None, one) or fog == "open"]
        return View(
            state.scenario,
            state.options,
            side,
            fog,
            state.turn,
            self.gate(state),
            dict(state.owner),
            {one: state.men[one] for one in known},
            {one: state.standing[one] for one in known},
            state.outcome,
        )

    def told(self, events: Iterable[Event], side: Side | None, fog: Fog) -> list[Event]:
        """PUBLIC has no eyes: it is told what is told to all."""
        if side is None or fog == "open":
            return [event if side is None else with_own_lines(event, side) for event in events]
        return [with_own_lines(event, side) for event in events if not event.seen_by or side in event.seen_by]

    def gate_titled(self, title: str) -> Gate | None:
        gates = (self._gate(turn, phasing) for turn, phasing in EVERY_GATE)
        return next((gate for gate in gates if gate.title == title), None)

    def rolls(self, place: str, purpose: str, sides: int = 6) -> bool:
        return sides == 6 and place in HILLS and purpose in SIDES

    def bot(self, view: View, key: bytes, level: str = "random") -> str:
        foreign = [hill for hill in HILLS if view.owner.get(hill) != view.side]
        choices = ["HOLD", *(f"TAKE {hill}" for hill in foreign)]
        return choices[number_below(key, f"bot/{view.turn}/{view.side}", len(choices))] + "\n"

    def encode(self, state: State) -> bytes:
        return canonical(state)

    def decode(self, data: bytes) -> State:
        return msgspec.json.decode(data, type=State)

    def encode_events(self, events: Iterable[Event]) -> bytes:
        return canonical(list(events))

    def decode_events(self, data: bytes) -> list[Event]:
        return list(msgspec.json.decode(data, type=list[AnyEvent]))


# ------------------------------------------------------------------ the rules


def must_be_known(scenario: str) -> None:
    if scenario not in {known.id for known in SCENARIOS}:
        raise ThereIsNoSuchScenario(f"Two Hills has no scenario {scenario!r}")


def chance_to_take(view: View, line: Line) -> tuple[Span, Assumption]:
    side, enemy, hill = view.side or "", other(view.side or ""), line.order.hill
    if view.owner.get(hill) == enemy:
        chances, assumes = [chance_to_win(0), chance_to_win(1)], f"{enemy} may be holding"
    elif view.gate is not None and enemy in view.gate.awaits:
        contest = chance_to_win(0) if side == SIDES[0] else 1 - chance_to_win(0)
        chances, assumes = [contest, Fraction(1)], f"{enemy} may come too"
    else:
        chances, assumes = [Fraction(1)], "nobody is there"
    return spanning(chances), Assumption(assumes)


def chance_to_win(bonus: int) -> Fraction:
    """How many of the 36 ways two dice fall beat the other die and its bonus."""
    return Fraction(sum(attack > defence + bonus for attack in range(1, 7) for defence in range(1, 7)), 36)


def keep_standing(state: State, side: Side, sheet: Sheet) -> None:
    for line in sheet.lines:
        if line.standing:
            state.standing[side] = line.order


def order_of(state: State, side: Side, sheet: Sheet | None, events: list[Event]) -> Order:
    """The first order on the sheet, else the standing order; every default used is an event."""
    line = first_line(sheet) if sheet else None
    if line is not None:
        order: Order = line.order
        events.append(Ordered(side=side, order=order, seen_by=(side,), lines={side: (line.number,)}))
        return order
    events.append(DefaultUsed(side=side, what=str(state.standing[side]), seen_by=(side,)))
    return state.standing[side]


def lines_that_take(hill: str, sheets: Mapping[Side, Sheet], phasing: Iterable[Side]) -> dict[Side, tuple[int, ...]]:
    """A fight may come of a line of either side."""
    first = {side: first_line(sheets[side]) for side in phasing if side in sheets}
    return {side: (line.number,) for side, line in first.items() if line is not None and line.order == Take(hill)}


def first_line(sheet: Sheet) -> Line | None:
    return next((line for line in sheet.lines if not line.standing), None)


def fight_for(state: State, hill: str, orders: Mapping[Side, Order], dice: Dice, events: list[Event]) -> None:
    takers = [side for side, order in orders.items() if order == Take(hill) and state.owner.get(hill) != side]
    if not takers:
        return
    attacker = takers[0]
    defender = other(attacker)
    if len(takers) == 1 and state.owner.get(hill) != defender:
        take(state, hill, attacker, events)
        return
    holds = orders.get(defender, state.standing[defender]) == Hold()
    attack, defence = roll(dice, hill, attacker, 0), roll(dice, hill, defender, 1 if holds else 0)
    winner = attacker if attack.total > defence.total else defender
    events.append(Fought(hill=hill, attacker=attacker, attack=attack, defence=defence, winner=winner))
    lose_a_man(state, other(winner), events)
    if winner in takers:
        take(state, hill, winner, events)


def roll(dice: Dice, hill: str, side: Side, bonus: int) -> Roll:
    die, label = dice.die(hill, side)
    return Roll(die, label, (Modifier(bonus, "holding"),) if bonus else ())


def take(state: State, hill: str, side: Side, events: list[Event]) -> None:
    state.owner[hill] = side
    events.append(HillTaken(hill=hill, side=side))


def lose_a_man(state: State, side: Side, events: list[Event]) -> None:
    state.men[side] -= 1
    events.append(MenLost(side=side, left=state.men[side], seen_by=(side,)))


def end_of_turn(state: State, events: list[Event]) -> None:
    """In `by-turns` the turn goes on with the other side; after the last turn the hills are counted."""
    beaten = [side for side in SIDES if state.men[side] <= 0]
    everybody_has_moved = state.phasing in (SIDES, SIDES[1:])
    if beaten or (everybody_has_moved and state.turn == LAST_TURN):
        state.outcome = Outcome(winners(state, beaten), "no men left" if beaten else "the hills were counted")
        events.append(WarEnded(outcome=state.outcome))
        return
    state.turn += 1 if everybody_has_moved else 0
    if state.scenario == "by-turns":
        state.phasing = (other(state.phasing[0]),)


def winners(state: State, beaten: list[Side]) -> tuple[Side, ...]:
    if beaten:
        return tuple(side for side in SIDES if side not in beaten)
    held = {side: list(state.owner.values()).count(side) for side in SIDES}
    return tuple(side for side in SIDES if held[side] == max(held.values()))
