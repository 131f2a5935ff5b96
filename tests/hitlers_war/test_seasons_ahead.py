"""What a side will have to spend in its next two Production Phases if nothing on the board changes (HW-11, HW-41)."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import count, pairwise

import msgspec
import pytest

from engine.dice import KeyedDice
from engine.events import Event
from engine.game import Options
from engine.grand_strategy import seasons_ahead, turn
from engine.grand_strategy.events import FortCompleted, ProductionCounted
from engine.grand_strategy.orders import Build, Repair
from engine.grand_strategy.rules import production
from engine.grand_strategy.sight import Watch
from engine.grand_strategy.state import UNALIGNED, Country, Kept, State
from engine.grand_strategy.victory import TWO_PLAYERS
from engine.grand_strategy.view import ProductionView, SeasonAhead, View
from engine.hitlers_war.politics import surrender
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.tables import tables
from engine.orders import Sheet
from tests.overseas import GAME, of, position, put, put_fort, war_of

SCENARIOS = ("barbarossa", "fall-of-germany", "campaign-1")
EDITIONS = tables().editions


def ahead(state: State, side: str, fog: str = "open") -> tuple[SeasonAhead, ...]:
    return GAME.view(state, side, fog).seasons_ahead[side]


def to_spend(state: State, side: str, fog: str = "open") -> dict[int, int]:
    return {row.turn: row.production.budget for row in ahead(state, side, fog)}


def reasons(state: State, side: str, fog: str = "open") -> dict[int, dict[str, int]]:
    return {row.turn: {change.why: change.points for change in row.changes} for row in ahead(state, side, fog)}


def played_on(state: State) -> Iterator[tuple[State, list[Event]]]:
    """Every position from here to the end of the war and what led to it, while nobody orders anything new."""
    for number in count():
        gate = GAME.gate(state)
        if gate is None:
            return
        sheets = {side: Sheet(side) for side in gate.awaits}
        state, events = GAME.run(state, sheets, KeyedDice(b"ahead", str(number)))
        yield state, events


# ------------------------------------------------------------------ the calendar of HW-41

#: From the rulebook: what each side has to spend on each turn of a war in which nobody moves.
CALENDAR = {
    "campaign-1": {
        # HW-39.5; Italy's 7 in the phase of turn 2 (HW-20.1); Hungary 1 and Rumania 2 from turn 6 (HW-20.3).
        "axis": {1: 16} | dict.fromkeys(range(2, 6), 23) | dict.fromkeys(range(6, 19), 26),
        # HW-23.1: 8 of 15 until turn 8; Siberia's 8 a turn later, 12 from turn 11 (HW-23.4).
        "soviet": dict.fromkeys(range(1, 8), 8) | {8: 15, 9: 23, 10: 23} | dict.fromkeys(range(11, 19), 27),
        # HW-20.5: 16 on turn 8 and one more each later turn.
        "allies": dict.fromkeys(range(1, 8), 23) | {turn: 23 + 16 + turn - 8 for turn in range(8, 19)},
    },
    "barbarossa": {
        "axis": dict.fromkeys(range(6, 14), 34 - 17),  # HW-15.3, HW-15.4
        "soviet": {6: 16} | dict.fromkeys(range(7, 11), 16 + 8) | dict.fromkeys(range(11, 14), 16 + 12),  # HW-15.7
    },
    "fall-of-germany": {  # HW-16.3: nothing grows
        "axis": dict.fromkeys(range(14, 20), 30),
        "soviet": dict.fromkeys(range(14, 20), 23),
        "allies": dict.fromkeys(range(14, 20), 35),
    },
}


#: Every war in both editions; those of three sides for two players too.
WARS = [
    (scenario, edition, switches)
    for scenario in SCENARIOS
    for edition in EDITIONS
    for switches in ((), (TWO_PLAYERS,))
    if not switches or len(load_scenario(scenario).sides) == 3
]


@pytest.mark.parametrize(("scenario", "edition", "switches"), WARS)
def test_every_date_of_the_calendar_is_foreseen(scenario: str, edition: str, switches: tuple[str, ...]) -> None:
    """At every gate of the war each side reads its next two Production Phases, as far as the war goes on (HW-18.4)."""
    state = GAME.setup(scenario, Options("open", edition=edition, switches=switches))
    last = 17 if switches and scenario == "campaign-1" else load_scenario(scenario).last_turn
    done, before = dict.fromkeys(state.kept, 0), 0
    for after, events in [(state, []), *played_on(state)]:
        done |= {event.side: before for event in of(ProductionCounted, events)}
        before = after.turn
        for side, calendar in CALENDAR[scenario].items():
            coming = [turn for turn in calendar if done[side] < turn <= last][:2]
            expected = {} if after.outcome else {turn: calendar[turn] for turn in coming}
            view = GAME.view(after, side, "open")
            assert {row.turn: row.production.budget for row in view.seasons_ahead.get(side, ())} == expected


def test_reasons_of_the_calendar() -> None:
    """HW-20.1, HW-20.3, HW-20.5, HW-23.1, HW-23.4: each is named, with its points, where it comes."""
    told: dict[tuple[str, int], dict[str, int]] = {}
    for state, _ in played_on(GAME.setup("campaign-1", Options("open"))):
        if state.outcome is None:
            for side in state.kept:
                told |= {(side, turn): why for turn, why in reasons(state, side).items() if why}
    growth = {("allies", turn): {"more from the United States": 1} for turn in range(9, 19)}
    assert told == growth | {
        ("axis", 2): {"Italy joins": 7},
        ("axis", 6): {"Hungary joins": 1, "Rumania joins": 2},
        ("soviet", 8): {"fully mobilized": 7},
        ("soviet", 9): {"more from Siberia": 8},
        ("soviet", 11): {"more from Siberia": 4},
        ("allies", 8): {"the United States join": 16},
    }


def test_a_limited_war_puts_the_soviet_dates_off() -> None:
    """HW-23.3, HW-23.4: Spring 1944, and Siberia the turn after, by then with its twelve."""
    state = position("campaign-1", "soviet", 7)
    state.limited_war = True
    assert to_spend(state, "soviet") == {7: 8, 8: 8}
    state.turn = 13
    assert to_spend(state, "soviet") == {13: 8, 14: 15}
    state.turn, state.phasing = 13, "allies"
    assert reasons(state, "soviet") == {14: {"fully mobilized": 7}, 15: {"more from Siberia": 12}}


# ------------------------------------------------------------------ random positions


class Dice:
    """Numbers from a seed."""

    def __init__(self, *seed: object) -> None:
        self._numbers = (hashlib.sha256(repr((*seed, step)).encode()).digest() for step in count())

    def below(self, most: int) -> int:
        return int.from_bytes(next(self._numbers)[:8]) % most

    def chance(self, one_in: int) -> bool:
        return not self.below(one_in)


def random_position(number: int) -> State:
    """Any date, owners, damage, forts and politics; nobody has armies, so nothing happens by itself."""
    dice, scenario = Dice("position", number), load_scenario(SCENARIOS[number % 3])
    options = Options("open", ("one-run", "checkpoint")[dice.below(2)], EDITIONS[number // 3 % len(EDITIONS)])
    state = GAME.setup(scenario.id, options)
    state.armies, state.step = {}, "player-turn"
    state.turn = scenario.first_turn + dice.below(scenario.last_turn - scenario.first_turn + 1)
    state.phasing = scenario.sides[dice.below(len(scenario.sides))]
    _scramble_places(state, dice)
    if scenario.level >= 3:
        _scramble_politics(state, dice)
    if len(scenario.sides) == 3:
        state.lend_lease = dice.below(5)
        state.growth_lost = tuple(box for box in ("US", "SIBERIA") if dice.chance(5))
    return state


def _scramble_places(state: State, dice: Dice) -> None:
    war = war_of(state)
    for place, ground in state.ground.items():
        if ground.owner in state.kept and dice.chance(6):
            ground.owner = list(state.kept)[dice.below(len(state.kept))]
        if dice.chance(4):
            ground.devastated = max(ground.ruined, dice.below(war.place(place).production + 2))
    state.forts = {place: fort for place, fort in state.forts.items() if fort.side == state.ground[place].owner}
    for fort in state.forts.values():
        fort.building = dice.below(3)


def _scramble_politics(state: State, dice: Dice) -> None:
    war = war_of(state)
    for nation, country in {"Italy": "Italy", "Hungary": "Hungary", "United States": "United States"}.items():
        if dice.chance(3):
            side = list(state.kept)[dice.below(3)]
            state.countries[nation] = Country(("allies",), side, joined=1 + dice.below(state.turn))
            for place in war.board.of_country(country):
                state.ground[place].owner = side
    state.limited_war = dice.chance(3)
    state.mobilized = 1 + dice.below(state.turn) if dice.chance(3) else 0


@pytest.fixture
def nothing_changes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places out of supply are held and nobody surrenders: the board stays as it is."""
    monkeypatch.setattr(turn, "lose_isolated_places", lambda war: None)
    monkeypatch.setattr(surrender, "surrenders_after_combat", lambda war, joined: None)


def wrong_rows(state: State) -> list[str]:
    """Rows that differ from what is counted when the war is played on, or that do not add up."""
    view = GAME.view(state, None, "open")
    counted: dict[str, list[SeasonAhead]] = {side: [] for side in state.kept}
    before = state.turn
    for after, events in played_on(state):
        for event in of(ProductionCounted, events):
            forts = {fort.place: fort.points for fort in of(FortCompleted, events) if fort.side == event.side}
            made = ProductionView(event.working, event.reduction, event.budget, event.lend_lease, event.why)
            counted[event.side].append(SeasonAhead(before, made, forts=forts))
        before = after.turn
        if all(len(rows) >= 2 for rows in counted.values()):
            break
    return [
        f"{side}: {rows} instead of {counted[side][:2]}"
        for side, rows in view.seasons_ahead.items()
        if [msgspec.structs.replace(row, changes=()) for row in rows] != counted[side][:2] or not adds_up(view, side)
    ]


def adds_up(view: View, side: str) -> bool:
    """The reasons given make up the whole of the change, row by row, and none is empty."""
    budgets = [view.production[side].budget, *(row.production.budget for row in view.seasons_ahead[side])]
    changes = [[change.points for change in row.changes] for row in view.seasons_ahead[side]]
    steps = [after - before for before, after in pairwise(budgets)]
    return list(map(sum, changes)) == steps and all(map(all, changes))


@pytest.mark.parametrize("tenth", range(10))
def test_what_is_foreseen_is_counted(tenth: int, nothing_changes_by_itself: None) -> None:
    """600 positions of all wars and both editions, each played on for two Production Phases of every side."""
    for number in range(tenth * 60, (tenth + 1) * 60):
        assert wrong_rows(random_position(number)) == [], number


def test_the_random_positions_have_all_that_matters() -> None:
    """Every reason for a change and every deduction occurs among them."""
    views = [GAME.view(random_position(number), None, "open") for number in range(600)]
    rows = [row for view in views for rows in view.seasons_ahead.values() for row in rows]
    assert {change.why for row in rows for change in row.changes} == {
        "Italy joins",
        "Hungary joins",
        "Rumania joins",
        "the United States join",
        "more from the United States",
        "more from Siberia",
        "fully mobilized",
        "lend-lease",
    }
    assert {why for row in rows for why in row.production.why} == {
        "not mobilized",
        "from India, as long as Suez is lost",
    }
    assert any(row.forts for row in rows)


Plant = Callable[[pytest.MonkeyPatch], None]


def dates_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seasons_ahead, "calendar", lambda war: None)


def italy_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seasons_ahead, "before_production", lambda war: None)


def the_season_stands_still(patch: pytest.MonkeyPatch) -> None:
    def begin(war, turn: int, side: str) -> None:
        war.state.phasing = side
        seasons_ahead.calendar(war)

    patch.setattr(seasons_ahead, "_begin", begin)


def lend_lease_is_repeated(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seasons_ahead, "open_production", lambda war: production.budget_of(war, war.phasing))


def suez_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    counted = seasons_ahead.open_production
    patch.setattr(seasons_ahead, "open_production", lambda war: msgspec.structs.replace(counted(war), deductions=()))


def the_side_on_turn_has_produced(patch: pytest.MonkeyPatch) -> None:
    coming = seasons_ahead._player_turns
    patch.setattr(seasons_ahead, "_player_turns", lambda war: list(coming(war))[1:])


def the_war_never_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seasons_ahead, "last_turn", lambda scenario, options: 19)


@pytest.mark.parametrize(
    "plant",
    [
        dates_are_forgotten,
        italy_is_forgotten,
        the_season_stands_still,
        lend_lease_is_repeated,
        suez_is_forgotten,
        the_side_on_turn_has_produced,
        the_war_never_ends,
    ],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_mistake_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch, nothing_changes_by_itself: None
) -> None:
    plant(monkeypatch)
    assert any(wrong_rows(random_position(number)) for number in range(300))


# ------------------------------------------------------------------ wars that were fought


def fought(scenario: str, edition: str, seed: int) -> Iterator[State]:
    """The positions of a war between random players, at every gate."""
    state = GAME.setup(scenario, Options("fog", "checkpoint", edition))
    while (gate := GAME.gate(state)) is not None:
        yield state
        views = {side: GAME.view(state, side, "fog") for side in gate.awaits}
        sheets = {side: GAME.parse(GAME.bot(view, f"{seed}{gate.id}".encode()), view) for side, view in views.items()}
        state, _ = GAME.run(state, sheets, KeyedDice(b"ahead", f"{seed}/{gate.id}"))


def without_further_orders(state: State) -> State:
    """Only what is ordered for the Production Phase of this player-turn stays on file."""
    state = GAME.decode(GAME.encode(state))
    for side, kept in state.kept.items():
        state.kept[side] = Kept(later=[order for order in kept.later if isinstance(order, (Build, Repair))])
    return state


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_side_foresees_its_own_count_in_fog(
    scenario: str, edition: str, monkeypatch: pytest.MonkeyPatch, nothing_changes_by_itself: None
) -> None:
    """Every position of a war that was fought, in the middle of player-turns too, with repairs that are on file."""
    monkeypatch.setattr(surrender, "join_attacked_countries", lambda war: [])
    for number, state in enumerate(fought(scenario, edition, seed=7)):
        state, counted, before = without_further_orders(state), {side: [] for side in state.kept}, state.turn
        views = {side: GAME.view(state, side, "fog") for side in state.kept}
        for after, events in played_on(state):
            for event in of(ProductionCounted, events):
                counted[event.side].append((before, event.working, event.budget, event.why))
            before = after.turn
            if all(len(rows) >= 2 for rows in counted.values()):
                break
        for side, view in views.items():
            rows = [(row.turn, row.production) for row in view.seasons_ahead[side]]
            foreseen = [(turn, made.working, made.budget, made.why) for turn, made in rows]
            assert foreseen == counted[side][:2], (number, GAME.gate(state).id, side)
            assert adds_up(view, side)


def test_the_wars_that_were_fought_have_repairs_on_file() -> None:
    states = [state for edition in EDITIONS for state in fought("fall-of-germany", edition, seed=7)]
    views = [GAME.view(state, state.phasing, "fog") for state in states]
    told = {change.why for view in views for row in view.seasons_ahead[view.side] for change in row.changes}
    assert "repairs" in told


# ------------------------------------------------------------------ what is on file and under way


def before_production(scenario: str, side: str, season: int, *orders: str, **options: str) -> State:
    """A side stops before production with these lines on file."""
    state = position(scenario, side, season, mode="checkpoint", **options)
    sheet = GAME.parse("\n".join(orders), GAME.view(state, side, state.options.fog))
    assert not sheet.findings
    state.step, state.kept[side].later = "production", [line.order for line in sheet.lines]
    return state


def test_repairs_on_file_work_in_the_season_after() -> None:
    """HW-11.5: a repaired point serves only afterwards; what is spent before it may leave too little."""
    state = before_production("barbarossa", "axis", 8, "REPAIR L11", "REPAIR L12")
    assert reasons(state, "axis") == {8: {}, 9: {"repairs": 2}}
    assert to_spend(state, "axis") == {8: 17, 9: 19}
    state = before_production("barbarossa", "axis", 8, "BUILD 7I P10 NEW North", "REPAIR L11", "REPAIR L12")
    assert reasons(state, "axis") == {8: {}, 9: {"repairs": 1}}  # 17 less 14 pays for one at 3


def test_of_france_the_axis_repairs_four_points_at_most() -> None:
    """HW-21.5, A-94: though there is money for all seven, when it has surrendered."""
    lines = ("REPAIR N7", "REPAIR N6", "REPAIR N8", "REPAIR O8", "REPAIR M8", "REPAIR L8")
    state = before_production("campaign-1", "axis", 5, *lines)
    for place in war_of(state).board.of_country("Italy", "France"):
        state.ground[place].owner = "axis"
        if war_of(state).place(place).country == "France":
            state.ground[place].devastated = war_of(state).place(place).production
    assert reasons(state, "axis")[6] == {"Hungary joins": 1, "Rumania joins": 2, "repairs": 7}
    state.countries["France"] = Country(captor="axis", surrendered=3)
    assert reasons(state, "axis")[6] == {"Hungary joins": 1, "Rumania joins": 2, "repairs": 4}


def test_what_is_repaired_behind_the_soviet_cap_is_not_mobilized() -> None:
    """HW-23.1, HW-23.2."""
    state = before_production("campaign-1", "soviet", 5, "REPAIR Q15")
    state.ground["Q15"].devastated = 1
    assert to_spend(state, "soviet") == {5: 8, 6: 8}
    assert reasons(state, "soviet")[6] == {"repairs": 1, "not mobilized": -1}


def test_lend_lease_is_there_once() -> None:
    """HW-17.2."""
    state = position("campaign-1", "soviet", 9)
    state.lend_lease, state.mobilized = 3, 8
    assert to_spend(state, "soviet") == {9: 23 + 3, 10: 23}
    assert reasons(state, "soviet") == {9: {}, 10: {"lend-lease": -3}}


def test_forts_under_construction_are_completed_in_the_coming_phase() -> None:
    """HW-14.3: also those that are on file, a season later."""
    state = before_production("campaign-1", "axis", 5, "FORT N9 1")
    put_fort(state, "N9", strength=1, building=2)
    assert [row.forts for row in ahead(state, "axis")] == [{"N9": 2}, {"N9": 1}]


def test_the_count_takes_no_part_in_the_position() -> None:
    """Whatever is played on, is played on elsewhere."""
    for number in range(60):
        state = random_position(number)
        before = GAME.encode(state)
        GAME.view(state, None, "open")
        assert GAME.encode(state) == before


def test_before_the_war_begins_the_first_turn_is_foreseen() -> None:
    """HW-16.1: every side deploys first."""
    state = GAME.setup("fall-of-germany", Options("open"))
    assert state.step.startswith("deployment")
    assert [to_spend(state, side) for side in state.kept] == [{14: 30, 15: 30}, {14: 23, 15: 23}, {14: 35, 15: 35}]


# ------------------------------------------------------------------ what a side may know


@pytest.mark.parametrize("fog", ["veiled", "fog"])
def test_only_open_sheets_tell_what_others_will_have(fog: str) -> None:
    state = position("campaign-1", "axis", 1, fog=fog)
    Watch(war_of(state).setting, state).remember_what_cannot_be_seen()
    assert set(GAME.view(state, "axis", "open").seasons_ahead) == {"axis", "soviet", "allies"}
    assert set(GAME.view(state, "axis", fog).seasons_ahead) == {"axis"}


def test_orders_on_file_are_no_part_of_an_open_sheet() -> None:
    state = before_production("barbarossa", "axis", 8, "REPAIR L11")
    seen = GAME.view(state, "soviet", "open").seasons_ahead["axis"]
    assert [row.production.budget for row in seen] == [17, 17]


def lost_suez(known: str, really: str) -> State:
    """Suez and all around it lost to the Allies, who last saw it in these hands."""
    state = position("campaign-1", "allies", 5, fog="fog")
    board = war_of(state).board
    for place in (near for near in board.around["D15"] if near in state.ground):
        state.ground[place].owner = known if place == "D15" else "axis"
    Watch(war_of(state).setting, state).remember_what_cannot_be_seen()
    state.ground["D15"].owner = really
    return state


@pytest.mark.parametrize(("known", "less"), [("axis", 2), ("soviet", 0)])
def test_suez_counts_as_it_was_last_seen(known: str, less: int) -> None:
    """HW-23.5: who holds it now is out of sight, so it changes nothing that the Allies are shown."""
    one, other = (GAME.view(lost_suez(known, really), "allies", "fog") for really in ("axis", "soviet"))
    assert one == other
    assert {row.production.reduction for row in one.seasons_ahead["allies"]} == {less}
    assert one.production["allies"].reduction == less


def test_a_country_that_gave_up_out_of_sight_is_not_expected() -> None:
    """The surrender is public; that its hexes were taken before is not, and the Axis believes them unaligned."""
    state = position("campaign-1", "axis", 5, fog="fog")
    board = war_of(state).board
    for place in {near for hungarian in board.of_country("Hungary") for near in board.around[hungarian]}:
        state.ground[place].owner = UNALIGNED
    Watch(war_of(state).setting, state).remember_what_cannot_be_seen()
    assert reasons(state, "axis", "fog")[6] == {"Hungary joins": 1, "Rumania joins": 2}
    for place in board.of_country("Hungary"):
        state.ground[place].owner = "soviet"
    state.countries["Hungary"] = Country(("soviet",), captor="soviet", surrendered=4)
    view = GAME.view(state, "axis", "fog")
    assert view.places["M13"].owner == UNALIGNED
    assert reasons(state, "axis", "fog")[6] == {"Rumania joins": 2}


# ------------------------------------------------------------------ the receipt goes by it


def notes(state: State, *lines: str) -> list[str]:
    view = GAME.view(state, state.phasing, state.options.fog)
    return [finding.why for finding in GAME.check(view, GAME.parse("\n".join(lines), view))]


def test_a_receipt_of_spring_1940_counts_italy_in() -> None:
    """HW-20.1: eleven infantry cost 22 of 23; with twelve the end of the list waits."""
    state = position("campaign-1", "axis", 2)
    put(state, "NORTH", "P10", inf=1)
    assert not [why for why in notes(state, "BUILD 11I ANY") if "costs" in why]
    assert "the production list costs 24; you have about 23, so its end will wait" in notes(state, "BUILD 12I ANY")


def test_a_receipt_counts_lend_lease_in() -> None:
    """HW-17.2."""
    state = position("campaign-1", "soviet", 5)
    state.lend_lease = 4
    assert not [why for why in notes(state, "BUILD 6I ANY") if "costs" in why]
    assert "the production list costs 14; you have about 12, so its end will wait" in notes(state, "BUILD 7I ANY")
