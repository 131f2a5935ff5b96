"""A kind of counter and a kind of points that the game does not have: data in a rulebook, and every rule knows them."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from engine.events import canonical
from engine.game import Options
from engine.grand_strategy.containers import ContainerKind
from engine.grand_strategy.events import (
    ArmyEliminated,
    ArmyRearranged,
    ArmyRetreated,
    DefaultUsed,
    Fired,
    GarrisonLost,
    HitsIgnored,
    PointsLost,
)
from engine.grand_strategy.rulebook import Rulebook
from engine.grand_strategy.rules.deployment import is_deployment
from engine.grand_strategy.sight import Watch
from engine.grand_strategy.state import Group, State
from engine.grand_strategy.units import UNITS, UnitKind, Units
from engine.hitlers_war import rulebook
from engine.hitlers_war.audit import Auditor
from engine.hitlers_war.hidden import change_what_is_hidden
from engine.hitlers_war.rulebook import FALL_OF_GERMANY, setting_of
from tests.contract.test_contract import bot_sheets, dice_for
from tests.overseas import GAME, of, position, put, put_fort, refusals, run, war_of

#: Goods that are defended like infantry, and lost before anything else.
CARGO = UnitKind("V", "cargo", ("defence",), lost_defending=0)
#: They neither fire nor fill a hex, and nobody hits them.
ROCKETS = UnitKind("R", "rocket", on_the_ground=False)


def three_of(name: str):
    return lambda _tables, _side: tuple(f"{name}{number}" for number in (1, 2, 3))


CONVOY = ContainerKind(id="convoy", holds=("cargo",), counters=three_of("Convoy"), stands_in=("port",), moves=True)
RAMP = ContainerKind(id="ramp", holds=("rockets",), counters=three_of("Ramp"), moves=True)


def with_further_kinds(book: Rulebook, convoy: ContainerKind = CONVOY) -> Rulebook:
    units = Units({**book.units, "cargo": CARGO, "rockets": ROCKETS})
    return replace(book, units=units, containers={**book.containers, "convoy": convoy, "ramp": RAMP})


@pytest.fixture(autouse=True)
def rules(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The Fall of Germany with convoys and ramps."""
    monkeypatch.setitem(UNITS, "cargo", CARGO)
    monkeypatch.setitem(UNITS, "rockets", ROCKETS)
    monkeypatch.setitem(rulebook.RULEBOOKS, "fall-of-germany", with_further_kinds(FALL_OF_GERMANY))
    return monkeypatch


def put_group(state: State, kind: str, name: str, place: str, **points: int) -> Group:
    group = Group(kind, name, state.ground[place].owner, place, points)
    state.groups[group.key] = group
    return group


def leningrad(phasing: str = "axis", **options: str) -> State:
    """A Soviet convoy of four in the port of Leningrad, and an Axis army next door."""
    state = position("fall-of-germany", phasing, **options)
    put(state, "NORTH", "S15", inf=3, mech=5)
    put_group(state, "convoy", "Convoy1", "T15", cargo=4)
    return state


# ------------------------------------------------------------------ stacking, garrison, defence


def test_points_on_the_ground_fill_a_hex_and_defend_it_whatever_holds_them() -> None:
    state = leningrad()
    war = war_of(state)
    assert (war.stack("T15"), war.room("T15"), war.garrison("T15"), war.defence("T15")) == (4, 6, 1, 5)
    put(state, "MOSCOW", "T15", inf=5)
    put_fort(state, "T15", strength=2)
    assert (war.stack("T15"), war.excess("T15"), war.garrison("T15"), war.defence("T15")) == (11, 1, 0, 11)


def test_points_off_the_ground_do_neither() -> None:
    state = position("fall-of-germany", "axis")
    put_group(state, "ramp", "Ramp1", "T15", rockets=9)
    war = war_of(state)
    assert (war.stack("T15"), war.room("T15"), war.garrison("T15"), war.defence("T15")) == (0, 10, 1, 1)


def test_a_kind_that_occupies_its_place_needs_no_garrison(rules: pytest.MonkeyPatch) -> None:
    occupying = with_further_kinds(FALL_OF_GERMANY, replace(CONVOY, occupies=True))
    rules.setitem(rulebook.RULEBOOKS, "fall-of-germany", occupying)
    war = war_of(leningrad())
    assert (war.garrison("T15"), war.defence("T15")) == (0, 4)


# ------------------------------------------------------------------ combat and losses


def test_it_fires_in_defence_and_loses_its_points_after_the_garrison() -> None:
    state, events = run(leningrad(), {"axis": ["ATTACK North T15 ASSAULT"]}, [6, 1])
    defence, assault = of(Fired, events)
    assert (defence.armies, defence.fort, defence.strength, defence.hits) == (("Convoy1",), False, 4, 0)
    assert (assault.strength, assault.hits) == (8, 3)
    assert of(GarrisonLost, events)
    (lost,) = of(PointsLost, events)
    assert (lost.side, lost.army, lost.place, lost.lost) == ("soviet", "Convoy1", "T15", {"cargo": 2})
    assert state.groups["soviet Convoy1"].points == {"cargo": 2}
    assert [event.what for event in of(DefaultUsed, events) if event.decision == "D-13"] == [
        "Convoy1 fires in defence of T15 at once"
    ]


@pytest.mark.parametrize(
    ("standing", "lost"),
    [
        ([], {"Convoy1": {"cargo": 1}, "MOSCOW": {"inf": 2}}),  # D-12: none is emptied while another can lose
        (["STANDING LOSSES T15 FROM Convoy1"], {"Convoy1": {"cargo": 2}, "MOSCOW": {"inf": 1}}),
        (["STANDING LOSSES T15 FROM Moscow TYPES V,M,I"], {"MOSCOW": {"mech": 2, "inf": 1}}),
    ],
)
def test_beside_an_army_its_owner_chooses_as_between_armies(
    standing: list[str], lost: dict[str, dict[str, int]]
) -> None:
    state = leningrad()
    state.groups["soviet Convoy1"].hold({"cargo": 2})
    put(state, "MOSCOW", "T15", inf=2, mech=2)
    sheets = {"axis": ["ATTACK North T15 ASSAULT"], "soviet": ["STANDING DEFEND ALL NEVER", *standing]}
    _, events = run(state, sheets, [1])
    told = [*of(PointsLost, events), *of(ArmyEliminated, events)]
    assert {event.army: event.lost for event in told} == lost


def test_what_cannot_be_hit_is_not_hit_and_is_lost_with_its_place() -> None:
    state = position("fall-of-germany", "axis")
    put(state, "NORTH", "S15", inf=3, mech=5)
    put_group(state, "ramp", "Ramp1", "T15", rockets=2)
    after, events = run(state, {"axis": ["ATTACK North T15 ASSAULT ADVANCE"]}, [1, 1])
    assert [event.armies for event in of(Fired, events)] == [("NORTH",)]  # the ramp has nothing to fire with
    assert [event.hits for event in of(HitsIgnored, events)] == [2]  # three, and one for the garrison
    (gone,) = of(ArmyEliminated, events)
    assert (gone.army, gone.cause, gone.lost) == ("Ramp1", "captured", {"rockets": 2})
    assert after.groups == {}


@pytest.mark.parametrize(
    ("stands_in", "went", "gone"),
    [(("hex",), [("Convoy1", "T15", "S16")], []), (("port",), [], [("Convoy1", "no retreat")])],
)
def test_a_kind_that_retreats_goes_where_it_may_stand(
    rules: pytest.MonkeyPatch, stands_in: tuple, went: list[tuple[str, ...]], gone: list[tuple[str, ...]]
) -> None:
    convoy = replace(CONVOY, stands_in=stands_in, retreats=True)
    rules.setitem(rulebook.RULEBOOKS, "fall-of-germany", with_further_kinds(FALL_OF_GERMANY, convoy))
    state = leningrad()
    state.groups["soviet Convoy1"].hold({"cargo": 3})
    standing = ["STANDING DEFEND ALL NEVER", "STANDING RETREAT Convoy1 TO S16"]
    after, events = run(state, {"axis": ["ATTACK North T15 ADVANCE"], "soviet": standing}, [1])
    assert [(event.army, event.origin, event.place) for event in of(ArmyRetreated, events)] == went
    assert [(event.army, event.cause) for event in of(ArmyEliminated, events)] == gone
    assert [group.place for group in after.groups.values()] == [place for _, _, place in went]
    assert after.armies["NORTH"].place == "T15"


# ------------------------------------------------------------------ movement


def channel() -> State:
    """Allied convoys in London and Plymouth, and the armies beside them."""
    state = position("fall-of-germany", "allies")
    put(state, "BRITAIN", "P7", inf=2)
    put(state, "8BR", "P6", inf=6)
    put_group(state, "convoy", "Convoy1", "P7", cargo=3)
    put_group(state, "convoy", "Convoy2", "P6", cargo=1)
    return state


def test_it_moves_and_exchanges_points_in_the_lines_of_armies() -> None:
    lines = ["XFER 2V Convoy1 -> Convoy2", "FORM Convoy3 P7 1V FROM Convoy1"]
    after, events = run(channel(), {"allies": lines})
    assert refusals(events) == []
    assert {group.id: (group.place, group.points) for group in after.groups.values()} == {
        "Convoy2": ("P6", {"cargo": 3}),
        "Convoy3": ("P7", {"cargo": 1}),
    }
    assert {event.army: event.place for event in of(ArmyRearranged, events)} == {
        "Convoy1": "",
        "Convoy2": "P6",
        "Convoy3": "P7",
    }


@pytest.mark.parametrize(
    ("line", "why", "remedy"),
    [
        ("GOTO Convoy1 Q7", "Convoy1 cannot stand in Q7", "choose a port"),
        ("FORM Convoy3 Q7 1V FROM Convoy1", "Convoy3 cannot stand in Q7", "choose a port"),
        ("XFER 1I Britain -> Convoy1", "Convoy1 cannot hold infantry points", "it holds cargo"),
        ("XFER 1V Convoy1 -> Britain", "BRITAIN cannot hold cargo points", "it holds infantry and mechanized and amph"),
        ("FORM Convoy2 P6 1V FROM Convoy1", "Convoy2 is on the map already", "FORM one of: Convoy3"),
        ("GOTO Convoy3 P6", "Convoy3 is not on the map", "8BR, BRITAIN, Convoy1, Convoy2"),
    ],
)
def test_what_it_may_not_do_is_refused_with_what_would_work(line: str, why: str, remedy: str) -> None:
    state, view = channel(), GAME.view(channel(), "allies", "open")
    after, events = run(state, {"allies": [line]})
    (refusal,) = refusals(events)
    assert why in refusal.why
    assert remedy in refusal.remedy
    assert after.groups == state.groups
    assert (refusal.why, refusal.remedy) in [
        (each.why, each.remedy) for each in GAME.check(view, GAME.parse(line, view))
    ]


def test_a_counter_holds_so_many_points_and_no_more(rules: pytest.MonkeyPatch) -> None:
    small = with_further_kinds(FALL_OF_GERMANY, replace(CONVOY, most=lambda _tables: 3))
    rules.setitem(rulebook.RULEBOOKS, "fall-of-germany", small)
    after, events = run(channel(), {"allies": ["XFER 3V Convoy1 -> Convoy2"]})
    (refusal,) = refusals(events)
    assert refusal.why == "Convoy2 would hold 4 points; a convoy holds 3 at most"
    assert after.groups["allies Convoy2"].points == {"cargo": 1}


def test_its_points_count_for_the_limit_of_a_hex() -> None:
    state = channel()
    state.armies["8BR"].inf = 8
    _, events = run(state, {"allies": ["GOTO Convoy1 P6"]})
    (refusal,) = refusals(events)
    assert (refusal.why, refusal.remedy) == (
        "12 points would stand in P6; the limit is 10 (HW-7.1)",
        "leave 2 elsewhere",
    )


# ------------------------------------------------------------------ views and bytes


def test_its_owner_knows_its_points_and_others_what_they_see() -> None:
    state = leningrad(fog="fog")
    put_group(state, "convoy", "Convoy2", "U7", cargo=8)
    Watch(setting_of(state.scenario, state.options), state).remember_what_cannot_be_seen()
    seen = {side: GAME.view(state, side, "fog").groups for side in ("axis", "soviet", "allies")}
    assert seen["soviet"]["soviet Convoy1"].points == {"cargo": 4}
    next_door = seen["axis"]["soviet Convoy1"]
    assert (next_door.points, next_door.band, next_door.seen) == (None, "medium", state.turn)
    state.groups["allies Convoy2"].hold({"cargo": 1})  # nobody of the Axis sees it
    state.turn += 1
    remembered = GAME.view(state, "axis", "fog").groups["allies Convoy2"]
    assert (remembered.place, remembered.band, remembered.seen) == ("U7", "strong", state.turn - 1)


def test_what_is_hidden_of_it_makes_no_difference_to_others() -> None:
    state = leningrad(fog="fog")
    put_group(state, "convoy", "Convoy2", "U7", cargo=8)
    Watch(setting_of(state.scenario, state.options), state).remember_what_cannot_be_seen()
    changed, view = GAME.decode(GAME.encode(state)), GAME.view(state, "axis", "fog")
    in_sight = [place for place, seen in view.places.items() if seen.in_sight]
    change_what_is_hidden(changed, "axis", "fog", in_sight, lambda most: most - 1, ("groups",))
    assert changed.groups["soviet Convoy1"].points == {"cargo": 6}
    assert "allies Convoy2" not in changed.groups
    assert canonical(GAME.view(changed, "axis", "fog")) == canonical(view)


def test_a_position_without_it_is_written_as_ever_and_one_with_it_comes_back() -> None:
    assert b'"groups"' not in GAME.encode(position("fall-of-germany", "axis", fog="fog"))
    state = leningrad()
    assert GAME.decode(GAME.encode(state)) == state


# ------------------------------------------------------------------ all of it together


@pytest.mark.parametrize(("cargo", "chance"), [(0, "5/6"), (3, "1/6")])
def test_the_odds_reckon_with_it(cargo: int, chance: str) -> None:
    """In the fifth row a garrison alone is entered with a 5, with three points of cargo beside it with a 1 (HW-9.2)."""
    state = leningrad()
    state.groups = {}
    if cargo:
        put_group(state, "convoy", "Convoy1", "T15", cargo=cargo)
    view = GAME.view(state, "axis", "open")
    (odds,) = GAME.odds(view, GAME.parse("ATTACK North T15 ADVANCE", view))
    assert odds.success.least == odds.success.most == Fraction(chance)


def test_wars_with_it_go_on_and_no_point_is_lost_or_found() -> None:
    state = GAME.setup("fall-of-germany", Options(fog="fog"))
    while is_deployment(state.step) or state.phasing == "axis":  # what is printed has to be there at the start
        state, _ = GAME.run(state, bot_sheets(GAME, state, 1), dice_for(GAME.gate(state)))
    for number, place in enumerate(("P7", "T15", "N6"), 1):
        put_group(state, "convoy", f"Convoy{number}", place, cargo=number)
        put_group(state, "ramp", f"Ramp{number}", place, rockets=number)
    for _ in range(9):
        state, _ = GAME.run(state, bot_sheets(GAME, state, 1), dice_for(GAME.gate(state)), Auditor(state))
        assert GAME.decode(GAME.encode(state)) == state
    assert state.groups
