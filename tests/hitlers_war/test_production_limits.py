"""What a side holds but may not count, and who may not move (HW-22, HW-23)."""

import pytest

from engine.grand_strategy.events import DoneInPart, FullyMobilized, LimitedWar, ProductionCounted
from engine.grand_strategy.orders import Repair
from engine.grand_strategy.rules.combat import note_attack
from engine.grand_strategy.state import Country, State
from engine.hitlers_war.europe import europe
from engine.hitlers_war.politics.mobilization import check_mobilization
from tests.overseas import GAME, of, position, put, put_fort, refusals, run, war_of


def budget(state: State, side: str) -> int:
    return GAME.view(state, side, "open").production[side].budget


def soviet_hexes(state: State, count: int) -> list[str]:
    return [place for place in war_of(state).board.of_country("Soviet Union") if place != "SIBERIA"][:count]


# ------------------------------------------------------------------ mobilization


def test_eight_soviet_points_count_at_the_start() -> None:
    """HW-23.1."""
    state = position("campaign-1", "soviet")
    counted = of(ProductionCounted, run(state, {"soviet": []})[1])[0]
    assert (counted.budget, counted.why) == (8, ("not mobilized",))


def test_the_cap_is_for_the_soviets() -> None:
    """HW-23.1: what the Axis has of the Soviet Union works for it."""
    state = position("campaign-1", "axis", 8)
    state.limited_war = True
    before = budget(state, "axis")
    for place in soviet_hexes(state, 99):
        state.ground[place].owner = "axis"
    assert budget(state, "axis") == before + 15


def test_points_outside_the_soviet_union_count_in_addition() -> None:
    """HW-23.2: Riga has one."""
    state = position("campaign-1", "soviet")
    for place in ("R13", "S14"):
        state.ground[place].owner = "soviet"
    assert budget(state, "soviet") == 8 + 1


def test_an_axis_attack_mobilizes_in_the_same_turn() -> None:
    """HW-23.1: all but Siberia count; Siberia from the turn after (HW-23.4)."""
    state = position("campaign-1", "axis", 5)
    war = war_of(state)
    note_attack(war, "P14")
    assert state.mobilized == 5
    assert budget(state, "soviet") == 15
    assert war.capacity("SIBERIA") == 0
    state.turn = 6
    assert (budget(state, "soviet"), war.capacity("SIBERIA")) == (15 + 8, 8)


@pytest.mark.parametrize("target", ["P14", "S14"])
def test_an_attack_on_the_baltic_states_counts_too(target: str) -> None:
    state = position("campaign-1", "axis", 4)
    war = war_of(state)
    note_attack(war, target)
    assert of(FullyMobilized, war.events)


def test_an_attack_on_what_the_soviets_hold_abroad_counts_too() -> None:
    """A Soviet hex is one of the Soviet Union or one the Soviets hold, such as their part of Poland."""
    state = position("campaign-1", "axis", 4)
    state.ground["P13"].owner = "soviet"
    note_attack(war_of(state), "P13")
    assert state.mobilized == 4


def test_an_axis_attack_elsewhere_changes_nothing() -> None:
    state = position("campaign-1", "axis", 4)
    note_attack(war_of(state), "P12")
    assert not state.mobilized


@pytest.mark.parametrize(("turn", "mobilized"), [(7, 0), (8, 8)])
def test_the_cap_ends_in_spring_1942(turn: int, mobilized: int) -> None:
    """HW-23.1, HW-41."""
    state = position("campaign-1", "soviet", turn)
    check_mobilization(war_of(state))
    assert state.mobilized == mobilized


def test_siberia_produces_from_summer_1942_at_the_latest() -> None:
    """HW-41: eight, and twelve from Spring 1943."""
    state = position("campaign-1", "soviet", 8)
    check_mobilization(war_of(state))
    yields = []
    for turn in (8, 9, 10, 11):
        state.turn = turn
        yields.append(war_of(state).capacity("SIBERIA"))
    assert yields == [0, 8, 8, 12]


def test_a_soviet_attack_means_limited_war() -> None:
    """HW-23.3: then neither the date nor an Axis attack lifts the cap."""
    state = position("campaign-1", "soviet", 3)
    war = war_of(state)
    note_attack(war, "T14")
    note_attack(war, "P13")
    assert len(of(LimitedWar, war.events)) == 1
    state.phasing = "axis"
    note_attack(war, "P14")
    state.turn = 8
    check_mobilization(war)
    assert not state.mobilized


@pytest.mark.parametrize(
    ("country", "target", "limited"),
    [("Poland", "P13", True), ("Baltic States", "R13", False), ("Poland", "Q14", False)],
)
def test_the_receipt_says_when_an_attack_means_limited_war(country: str, target: str, limited: bool) -> None:
    """HW-23.3: as the run will."""
    state = position("campaign-1", "soviet", 2)
    put(state, "WHITE", "R14" if country == "Baltic States" else "P14", mech=6)
    lines = [f"VIOLATE {country}", f"ATTACK White {target} ADVANCE", "BUILD MAX I ANY"]
    view = GAME.view(state, "soviet", "open")
    told = [each.why for each in GAME.check(view, GAME.parse("\n".join(lines), view)) if "limited war" in each.why]
    _, events = run(state, {"soviet": lines})
    assert len(told) == len(of(LimitedWar, events)) == limited


def test_an_advance_into_a_friendly_hex_attacks_nobody() -> None:
    """HW-9.12, HW-23: neither limited war for the Soviets, nor mobilization by an Axis that is in Russia already."""
    state = position("campaign-1", "soviet", 3)
    put(state, "MOSCOW", "Q17", mech=4)
    state, _ = run(state, {"soviet": ["ATTACK Moscow Q16 ADVANCE"]}, [1])
    assert state.armies["MOSCOW"].place == "Q16"
    assert not state.limited_war
    state = position("campaign-1", "axis", 3)
    put(state, "NORTH", "P14", mech=4)
    for place in ("P13", "P12", "P15"):
        state.ground[place].owner = "axis"
    state, _ = run(state, {"axis": ["ATTACK North P15 ADVANCE"]}, [1])
    assert state.armies["NORTH"].place == "P15"
    assert not state.mobilized


def test_an_attack_on_the_baltic_states_is_no_limited_war() -> None:
    """HW-23.3."""
    state = position("campaign-1", "soviet", 3)
    note_attack(war_of(state), "S14")
    assert not state.limited_war


@pytest.mark.parametrize(("lost", "mobilized"), [(4, 0), (5, 6)])
def test_five_axis_hexes_end_a_limited_war(lost: int, mobilized: int) -> None:
    """HW-23.3."""
    state = position("campaign-1", "soviet", 6)
    state.limited_war = True
    for place in soviet_hexes(state, lost):
        state.ground[place].owner = "axis"
    check_mobilization(war_of(state))
    assert state.mobilized == mobilized


@pytest.mark.parametrize(("turn", "mobilized"), [(13, 0), (14, 14)])
def test_a_limited_war_ends_in_spring_1944(turn: int, mobilized: int) -> None:
    """HW-23.3, A-12."""
    state = position("campaign-1", "soviet", turn)
    state.limited_war = True
    check_mobilization(war_of(state))
    assert state.mobilized == mobilized


# ------------------------------------------------------------------ Suez, Siberia, France


def test_india_does_not_count_while_suez_is_axis() -> None:
    """HW-23.5."""
    state = position("campaign-1", "allies")
    before = budget(state, "allies")
    state.ground["D15"].owner = "axis"
    lost = war_of(state).place("D15").production
    assert budget(state, "allies") == before - lost - 2
    assert "Suez" in GAME.view(state, "allies", "open").production["allies"].why[0]


def test_an_india_that_is_lost_itself_is_not_taken_off_twice() -> None:
    """HW-23.5."""
    state = position("campaign-1", "allies")
    before = budget(state, "allies")
    state.ground["D15"].owner = state.ground["INDIA"].owner = "axis"
    assert budget(state, "allies") == before - 2
    assert GAME.view(state, "allies", "open").production["allies"].why == ()


def test_a_cap_that_takes_nothing_off_is_not_mentioned() -> None:
    """HW-23.1: with eight working points or fewer."""
    state = position("campaign-1", "soviet")
    for place in ("Q17", "T15", "L15"):
        state.ground[place].devastated = war_of(state).capacity(place)
    assert (budget(state, "soviet"), GAME.view(state, "soviet", "open").production["soviet"].why) == (8, ())


def france_at_its_limit() -> State:
    """France has surrendered. Paris, Lille and Nantes work for the Axis; Strasbourg is Allied and in ruins, Poland Axis
    and in ruins."""
    state = position("campaign-1", "axis", 5)
    state.countries["France"] = Country(captor="axis", surrendered=3)
    for place in ("N7", "O8", "N6", "M8", "O13", "N13", "P12"):
        state.ground[place].owner = "axis"
    state.ground["M8"].devastated = state.ground["N8"].devastated = state.ground["O13"].devastated = 1
    return state


def test_the_limit_of_french_points_is_for_the_axis_and_for_france() -> None:
    """HW-21.5."""
    state, events = run(france_at_its_limit(), {"axis": ["REPAIR M8", "REPAIR O13"]})
    assert [refusal.text for refusal in refusals(events)] == ["REPAIR M8"]
    assert (state.ground["M8"].devastated, state.ground["O13"].devastated) == (1, 0)
    state = france_at_its_limit()
    state.phasing = "allies"
    state, events = run(state, {"allies": ["REPAIR N8"]})
    assert not refusals(events)
    assert state.ground["N8"].devastated == 0


def test_the_receipt_tells_a_limit_from_a_place_that_needs_no_repair() -> None:
    state = france_at_its_limit()
    view = GAME.view(state, "axis", "open")
    findings = GAME.check(view, GAME.parse("REPAIR M8\nREPAIR O8", view))
    assert [finding.why for finding in findings if finding.line] == [
        "at most 4 of the French points may work for the Axis (HW-21.5)",
        "nothing in O8 can be repaired as things stand (HW-11.5)",
    ]


def test_the_receipt_counts_the_french_points_line_by_line() -> None:
    """HW-21.5: two in Paris and two more; the fifth is refused when its turn comes."""
    state = position("campaign-1", "axis", 5)
    state.countries["France"] = Country(captor="axis", surrendered=3)
    for place in war_of(state).board.of_country("France", "Italy"):
        state.ground[place].owner = "axis"
        if war_of(state).place(place).country == "France":
            state.ground[place].devastated = war_of(state).place(place).production
    lines = ["REPAIR N7", "REPAIR N6", "REPAIR O8 1", "REPAIR N8 1", "BUILD 1I P10"]
    view = GAME.view(state, "axis", "open")
    found = GAME.check(view, GAME.parse("\n".join(lines), view))
    _, events = run(state, {"axis": lines})
    assert [each.line for each in found if "(HW-21.5)" in each.why] == [4]
    assert [each.line for each in refusals(events)] == [4]


@pytest.mark.parametrize(("line", "cost"), [("REPAIR N11", 3), ("REPAIR O10", 12), ("REPAIR O10 2", 6)])
def test_a_repair_of_all_that_lies_devastated_has_its_price(line: str, cost: int) -> None:
    """HW-11.5: three points for each."""
    state = position("campaign-1", "axis", 5)
    state.ground["N11"].devastated, state.ground["O10"].devastated = 1, 4
    view = GAME.view(state, "axis", "open")
    told = [each.why for each in GAME.check(view, GAME.parse(f"{line}\nBUILD 6I P10", view))]
    assert (f"the production list costs {cost + 12}; you have about 11, so its end will wait") in told


def test_india_counts_in_the_fall_of_germany() -> None:
    """A-57."""
    state = position("fall-of-germany", "allies")
    lost = war_of(state).place("D15").production
    state.ground["D15"].owner = "axis"
    assert budget(state, "allies") == 35 - lost


def test_nobody_may_repair_the_french_points_of_the_fall_of_germany() -> None:
    """HW-16.2, A-92."""
    state, events = run(position("fall-of-germany", "axis"), {"axis": ["REPAIR M8", "REPAIR L12"]})
    (refusal,) = refusals(events)
    assert "nobody may repair M8 (HW-16.2)" in refusal.why
    assert state.ground["L12"].devastated == 0


@pytest.mark.parametrize(("side", "allowed"), [("axis", True), ("allies", False)])
def test_the_axis_may_fortify_what_it_took_of_france(side: str, allowed: bool) -> None:
    """HW-23.6, HW-41: the ban of 1939 and 1940 is for the Allies."""
    state = position("campaign-1", side, 3)
    state.ground["N8"].owner = side
    state, _ = run(state, {side: ["FORT N8 1"]})
    assert ("N8" in state.forts) == allowed


def test_random_players_repair_no_more_of_france_than_works_for_them() -> None:
    """HW-21.5: one point may be repaired still; at the gate before production a second line would be refused."""
    state = position("campaign-1", "axis", 9, mode="checkpoint")
    state.step = "production"
    producing = [place for place in europe().of_country("France") if europe()[place].production]
    for number, place in enumerate(producing):
        state.ground[place].owner = "axis"
        state.ground[place].devastated = 0 if number < 3 else europe()[place].production
    view = GAME.view(state, "axis", "open")
    sheets = [GAME.parse(GAME.bot(view, bytes([number])), view) for number in range(200)]
    assert sum(isinstance(line.order, Repair) for sheet in sheets for line in sheet.lines) > 40
    assert not [each for sheet in sheets for each in GAME.check(view, sheet) if each.refuses]


def test_nobody_leaves_siberia_before_winter_1941() -> None:
    """HW-22.3."""
    for turn, moves in ((6, False), (7, True)):
        state = position("campaign-1", "soviet", turn)
        put(state, "SIBERIA", "SIBERIA", inf=2, mech=3)
        _, events = run(state, {"soviet": ["GOTO Siberia Q21"]})
        assert bool(refusals(events)) != moves


@pytest.mark.parametrize("turn", [1, 6])
@pytest.mark.parametrize("line", ["GOTO Siberia Q21", "ATTACK Siberia Q21 ADVANCE"])
def test_the_siberians_are_told_when_they_may_act(line: str, turn: int) -> None:
    state = position("campaign-1", "soviet", turn)
    put(state, "SIBERIA", "SIBERIA", inf=2, mech=3)
    state.ground["Q21"].owner = "soviet" if line.startswith("GOTO") else "axis"
    _, events = run(state, {"soviet": [line]})
    assert "before Winter 1941" in refusals(events)[0].why


# ------------------------------------------------------------------ held in France


def in_france(*, with_axis: bool) -> State:
    state = position("campaign-1", "allies", 4)
    put(state, "1FR", "O8", inf=5)
    put(state, "2BR", "P8", inf=1)  # the Low Countries have joined
    if with_axis:
        put(state, "WEST", "N8", inf=4)
    return state


def test_allied_points_are_held_in_france_while_the_axis_is_there() -> None:
    """HW-22.2."""
    _, events = run(in_france(with_axis=True), {"allies": ["GOTO 1Fr P8"]})
    (refusal,) = refusals(events)
    assert "HW-22.2" in refusal.why


@pytest.mark.parametrize(("strength", "building", "held"), [(1, 0, True), (0, 2, False)])
def test_an_axis_fort_holds_them_too(strength: int, building: int, held: bool) -> None:
    """HW-22.2 speaks of strength points; those under construction are none yet (HW-14.3)."""
    state = in_france(with_axis=False)
    state.ground["M9"].owner = "axis"
    put_fort(state, "M9", strength, building)
    _, events = run(state, {"allies": ["GOTO 1Fr P8"]})
    assert bool(refusals(events)) == held


@pytest.mark.parametrize("line", ["GOTO 1Fr N7", "GOTO 2Br O8", "XFER 1I 2Br -> 1Fr"])
def test_moves_inside_france_and_into_it_are_free(line: str) -> None:
    """HW-22.2."""
    _, events = run(in_france(with_axis=True), {"allies": [line]})
    assert not refusals(events)


@pytest.mark.parametrize("line", ["XFER 1I 1Fr -> 2Br", "SHIP 1I 1Fr -> 2Br", "FORM 8Br P7 1I FROM 1Fr"])
def test_points_are_held_however_they_are_moved(line: str) -> None:
    _, events = run(in_france(with_axis=True), {"allies": [line]})
    assert any("HW-22.2" in refusal.why for refusal in refusals(events))


def test_points_that_an_army_outside_lacks_do_not_come_out_of_france() -> None:
    """HW-22.2, D-05: an army goes into France with a lack, and what makes it good there has come out."""
    state = in_france(with_axis=True)
    put(state, "8BR", "P8", inf=1)
    lines = ["XFER 3I 2Br -> 8Br", "GOTO 2Br O8", "XFER 3I 1Fr -> 2Br"]
    after, events = run(state, {"allies": lines})
    assert any("HW-22.2" in refusal.why for refusal in refusals(events))
    assert sum(army.inf for army in after.armies.values() if army.place == "P8") <= 2


def test_a_final_picture_cannot_take_points_out_of_france() -> None:
    state = in_france(with_axis=True)
    state, _ = run(state, {"allies": ["SET 1Fr O8 4I", "SET 2Br P8 2I"]})
    assert (state.armies["1FR"].inf, state.armies["2BR"].inf) == (5, 1)


def test_the_axis_is_not_held_in_france() -> None:
    """HW-22.2 is about the Allies."""
    state = position("campaign-1", "axis", 4)
    put(state, "WEST", "N8", inf=4)
    put(state, "A", "M9", inf=1)
    state, events = run(state, {"axis": ["GOTO West N9"]})
    assert not refusals(events)
    assert state.armies["WEST"].place == "N9"


def test_nobody_is_held_in_france_before_the_campaigns() -> None:
    """HW-22 begins with level 3: in The Fall of Germany the Allies go where they like."""
    state = position("fall-of-germany", "allies")
    put(state, "1FR", "O8", inf=5)
    put(state, "2BR", "P8", inf=1)
    put(state, "WEST", "N8", inf=4)
    _, events = run(state, {"allies": ["GOTO 1Fr P8"]})
    assert not refusals(events)


def test_without_the_axis_everybody_may_leave() -> None:
    _, events = run(in_france(with_axis=False), {"allies": ["GOTO 1Fr P8"]})
    assert not refusals(events)


# ------------------------------------------------------------------ lists that cannot be done in full (D-33)


def crowded_london() -> State:
    """Nine points stand in P7, so one more finds room (HW-7.5)."""
    state = position("fall-of-germany", "allies")
    put(state, "BRITAIN", "P7", inf=3, mech=5, amph=1)
    return state


def notes_on(state: State, lines: list[str]) -> dict[int, str]:
    view = GAME.view(state, state.phasing, "open")
    findings = GAME.check(view, GAME.parse("\n".join(lines), view))
    return {finding.line: finding.why for finding in findings if finding.line}


def test_the_report_says_what_was_built_only_in_part() -> None:
    state = crowded_london()
    lines = ["BUILD 2A P7", "BUILD MAX M P7", "BUILD MAX I Q7", "FORT P7 9"]
    _, events = run(state, {"allies": lines})
    assert [(part.line, part.why) for part in of(DoneInPart, events)] == [
        (1, "1 of 2 were built; no room is left in P7 (HW-7.5)"),
        (3, "no room is left in Q7 (HW-7.5)"),
        (4, "1 of 9 were begun; a fort point costs 5 and 4 are left"),  # 35 less 6, less ten infantry
    ]
    (refused,) = refusals(events)
    assert (refused.line, refused.why) == (2, "no room is left in P7 (HW-7.5)")
    assert "CANADA (any number)" in refused.remedy  # HW-7.2


def test_the_receipt_notes_what_will_find_no_room() -> None:
    lines = ["BUILD 2A P7", "BUILD MAX M P7", "BUILD 2M P7 OR Q7", "BUILD MAX I Q7"]
    assert notes_on(crowded_london(), lines) == {
        1: "as things stand P7 will have room for 1 of these points (HW-7.5)",
        2: "as things stand P7 will have room for none of these points (HW-7.5)",
    }


def test_nothing_is_said_of_a_hex_that_an_army_may_leave() -> None:
    state = position("barbarossa", "axis")
    put(state, "CENTER", "P10", inf=10)
    put(state, "SWEST", "P11", inf=1)
    assert notes_on(state, ["ATTACK Center P11 ASSAULT ADVANCE", "BUILD 2I P10"]) == {}
    assert notes_on(state, ["BUILD 2I P10"]) == {
        1: "as things stand P10 will have room for none of these points (HW-7.5)"
    }
