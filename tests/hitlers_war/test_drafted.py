"""What a sheet would come to before any die is rolled, noted by the rules that judge it."""

from itertools import pairwise

import msgspec
import pytest

from engine.dice import KeyedDice
from engine.game import Options
from engine.grand_strategy.drafted import (
    Attack,
    Drafted,
    GivenUp,
    InWords,
    Landing,
    Move,
    Newcomer,
    Retreat,
    Step,
    Support,
    Violation,
    Voyage,
    Work,
)
from engine.grand_strategy.events import (
    AttackAnnounced,
    ExploitationEnded,
    Fired,
    InvasionAnnounced,
    PlayerTurnBegan,
    PointsShipped,
)
from engine.grand_strategy.rules.movement import move
from engine.grand_strategy.state import State
from engine.grand_strategy.view import View
from engine.hitlers_war.europe import europe
from engine.orders import Sheet
from tests import overseas
from tests.barbarossa import GAME, barbarossa
from tests.gallery import position


def axis(fog: str = "fog") -> View:
    return GAME.view(barbarossa(fog=fog), "axis", fog)


def drafted(view: View, *lines: str) -> Drafted:
    """Of lines that can all be read."""
    sheet = GAME.parse("\n".join(lines), view)
    assert not [finding for finding in sheet.findings if finding.refuses]
    return GAME.drafted(view, sheet)


def points(found: Drafted, army: str) -> dict[str, int]:
    return found.armies[army].points or {}


# ------------------------------------------------------------------ movement


def test_an_army_that_goes_elsewhere_attacks_from_there() -> None:
    found = drafted(axis(), "GOTO Rumania M14", "ATTACK Rumania M15 ASSAULT")
    assert found.armies["RUMANIA"].place == "M14"
    assert found.moves == (Move("L14", "M14"),)
    assert found.attacks == (Attack("RUMANIA", "M14", "M15", "yes", "no"),)


def test_points_handed_over_change_both_armies() -> None:
    before = axis().armies
    assert (before["CENTER"].points, before["FOURTH"].points) == ({"inf": 2, "mech": 8}, {"inf": 5})
    found = drafted(axis(), "XFER 1M Center -> Fourth")
    assert (points(found, "CENTER"), points(found, "FOURTH")) == ({"inf": 2, "mech": 7}, {"inf": 5, "mech": 1})
    assert found.moves == (Move(before["CENTER"].place, before["FOURTH"].place),)


def test_where_an_army_has_nothing_to_give_nothing_goes() -> None:
    found = drafted(at_sea(), "FORM 2Br Q7 2I FROM SHAEF", "XFER ALL A 2Br -> SHAEF")
    assert found.moves == (Move("P7", "Q7"),)


def test_a_new_army_stands_where_it_is_formed_and_a_dissolved_one_is_gone() -> None:
    formed = drafted(axis(), "FORM B P11 1I FROM Center").armies["B"]
    assert (formed.place, formed.points, formed.strength) == ("P11", {"inf": 1}, 1)
    assert "FOURTH" not in drafted(axis(), "FORM B P11 5I FROM Fourth").armies


def test_what_the_rules_refuse_moves_nobody() -> None:
    """HW-7.1: eleven points and more would stand in one hex."""
    view = axis()
    found = drafted(view, f"GOTO North {view.armies['CENTER'].place}")
    assert (found.armies, found.moves) == (view.armies, ())


def test_counters_that_change_places_over_the_sea_ship_nothing() -> None:
    """HW-6.1: of two armies alike each takes up what the other puts down."""
    state = overseas.position("fall-of-germany", "allies", fog="open")
    for army, place in (("8BR", "J11"), ("BRITAIN", "P6")):
        overseas.put(state, army, place, inf=3)
    view = GAME.view(state, "allies", "open")
    found = drafted(view, "SET 8BR P6 3I", "SET BRITAIN J11 3I")
    assert {army: found.armies[army].place for army in ("8BR", "BRITAIN")} == {"8BR": "P6", "BRITAIN": "J11"}
    assert (found.voyages, found.moves) == ((), ())
    (voyage,) = drafted(view, "SET 8BR P6 4I", "SET BRITAIN J11 2I").voyages
    assert (voyage.places[0], voyage.places[-1]) == ("J11", "P6"), "one point is left over in Italy"


def test_amphibious_points_that_are_converted_are_infantry() -> None:
    """HW-6.7."""
    found = drafted(at_sea(), "CONVERT 1A SHAEF")
    assert points(found, "SHAEF") == {"inf": 3, "mech": 1, "amph": 2}


def test_what_stands_too_thick_is_culled_before_the_attacks() -> None:
    """HW-7.3."""
    state = barbarossa(fog="open")
    state.armies["CENTER"].inf = 20
    view = GAME.view(state, "axis", "open")
    place = view.armies["CENTER"].place
    stack = [army for army in drafted(view, "STANDING DEFEND ALL NOW").armies.values() if army.place == place]
    assert sum(army.strength or 0 for army in stack) - sum((army.points or {}).get("tac", 0) for army in stack) == 10


# ------------------------------------------------------------------ attacks and what follows


def test_conditions_of_an_attack_are_kept_apart() -> None:
    (attack,) = drafted(axis(), "ATTACK Center P14 ASSAULT-IF RANGE<4 ADVANCE IF RANGE>=3").attacks
    assert (attack.fires, attack.advances) == ("perhaps", "perhaps")


def test_nobody_fires_at_a_hex_of_his_own() -> None:
    """HW-8.17."""
    view = axis()
    here = view.armies["CENTER"].place
    own = next(near for near in europe().by_land[here] if view.places[near].owner == "axis")
    (attack,) = drafted(view, f"ATTACK Center {own} ASSAULT ADVANCE").attacks
    assert (attack.fires, attack.advances) == ("no", "yes")


def test_an_exploitation_goes_on_from_the_hex_that_is_attacked() -> None:
    """Of the two hexes of the branch only Q16 touches R16."""
    found = drafted(axis(), "ATTACK Center P14 ADVANCE", "EXPLOIT Center P15 (Q16|Q15 IF DEF Q15<2) R16")
    assert found.steps == (
        Step("CENTER", 1, "P14", "P15"),
        Step("CENTER", 2, "P15", "Q16", open=True),
        Step("CENTER", 2, "P15", "Q15", open=True),
        Step("CENTER", 3, "Q16", "R16", open=True),
    )


def test_a_return_leads_back_to_where_the_army_came_from() -> None:
    found = drafted(axis(), "ATTACK Center P14 ADVANCE", "EXPLOIT Center P15 RETURN")
    assert [(step.origin, step.place) for step in found.steps] == [("P14", "P15"), ("P15", "P14")]


def test_between_attack_and_exploitation_an_army_goes_on_from_where_it_has_come_to() -> None:
    """HW-8.7: what it would have to attack first has been done, and it may return at once."""
    state = barbarossa(fog="open")
    state.step, state.ground["P14"].owner = "exploitation", "axis"
    center = state.armies["CENTER"]
    center.came_from, center.place, center.advanced = center.place, "P14", 1
    view = GAME.view(state, "axis", "open")
    assert drafted(view, "EXPLOIT Center RETURN").steps == (Step("CENTER", 1, "P14", "O14"),)
    found = drafted(view, "EXPLOIT Center P15 RETURN", "ATTACK North R13 ASSAULT", "GOTO South N12")
    assert [(step.origin, step.place) for step in found.steps] == [("P14", "P15"), ("P15", "P14")]
    assert (found.attacks, found.moves, found.armies) == ((), (), view.armies), "the phases of these lines are over"


def test_a_path_is_noted_as_far_as_it_can_be_gone() -> None:
    """HW-8.3: Q18 touches none of the hexes before it."""
    found = drafted(axis(), "ATTACK Center P14 ADVANCE", "EXPLOIT Center P15 Q18 Q19")
    assert [(step.origin, step.place) for step in found.steps] == [("P14", "P15")]


def test_an_army_that_only_fires_goes_nowhere_afterwards() -> None:
    """HW-8.7: without an advance the exploitation is refused."""
    assert drafted(axis(), "ATTACK Center P14 ASSAULT", "EXPLOIT Center P15").steps == ()


def test_retreats_of_one_army_have_a_place_and_those_of_all_are_in_words() -> None:
    found = drafted(axis(), "STANDING RETREAT Center TO P12,O12", "STANDING RETREAT ALL TOWARD P10")
    here = axis().armies["CENTER"].place
    assert found.retreats == (Retreat(here, "P12", 1), Retreat(here, "O12", 2))
    assert found.in_words == (InWords("RETREAT ALL TOWARD P10"),)


def test_who_is_not_on_turn_changes_his_standing_orders_only() -> None:
    state = barbarossa(fog="fog")
    view = GAME.view(state, "soviet", "fog")
    found = drafted(view, "STANDING RETREAT Moscow TOWARD Q18")
    assert (found.armies, found.retreats) == (view.armies, (Retreat(view.armies["MOSCOW"].place, "Q18"),))


# ------------------------------------------------------------------ production


def test_new_and_repaired_points_come_to_the_first_hex_that_can_take_them() -> None:
    """HW-11.4: P12 is in Poland, where nobody builds."""
    found = drafted(axis(), "BUILD 2I P10", "BUILD 1M P12 OR O10", "BUILD MAX I ANY", "REPAIR L12 1")
    assert found.works == (
        Work("P10", "build", {"inf": 2}),
        Work("O10", "build", {"mech": 1}),
        Work("L12", "repair", number=1),
    )
    assert found.in_words == (InWords("BUILD MAX I ANY"),)


def test_what_can_never_be_built_is_not_noted() -> None:
    assert drafted(axis(), "BUILD 2I P12").works == ()


def test_a_fort_is_found_by_its_number_and_by_its_hex() -> None:
    """HW-14.2."""
    for name in ("1", "N9"):
        assert drafted(in_the_campaign(), f"DISMANTLE FORT {name}").given_up == (GivenUp("N9"),)


# ------------------------------------------------------------------ the sea


def before_the_landing() -> State:
    """1944: the Allies hold Britain and southern Italy, the Axis what lies between."""
    state = overseas.position("fall-of-germany", "allies", fog="fog")
    overseas.put(state, "SHAEF", "P7", inf=2, mech=1, amph=3)
    overseas.put(state, "8BR", "J11", inf=3)
    overseas.put(state, "B", "N6", inf=4)
    overseas.put(state, "SOUTH", "N15", inf=4)
    overseas.put_fort(state, "N6", 2)
    return state


def at_sea() -> View:
    return GAME.view(before_the_landing(), "allies", "fog")


def test_a_landing_sails_by_the_way_the_rules_choose_and_fires_unless_it_saves_its_fire() -> None:
    """D-06: from London to Brest over the hexsides of the Channel that are all sea."""
    (landing,) = drafted(at_sea(), "INVADE SHAEF N6").landings
    assert (landing.army, landing.places[0], landing.places[-1], landing.fires) == ("SHAEF", "P7", "N6", "yes")
    lanes = europe().chart.lanes
    assert all(there in [lane.to for lane in lanes[here]] for here, there in pairwise(landing.places))
    assert drafted(at_sea(), "INVADE SHAEF N6 SAVE").landings == (Landing("SHAEF", landing.places, "no"),)


def test_a_landing_sails_by_the_route_that_is_laid_down() -> None:
    (landing,) = drafted(at_sea(), "ROUTE SHAEF P7 O7 O6 N6", "INVADE SHAEF N6").landings
    assert landing.places == ("P7", "O7", "O6", "N6")


def test_a_landing_by_a_route_that_cannot_be_sailed_is_refused() -> None:
    """HW-12.1: no sea way leads from London to Brest at once."""
    assert drafted(at_sea(), "ROUTE SHAEF P7 N6", "INVADE SHAEF N6").landings == ()


def test_an_army_that_has_landed_exploits_from_there() -> None:
    assert drafted(at_sea(), "INVADE SHAEF N6", "EXPLOIT SHAEF N7").steps == (Step("SHAEF", 1, "N6", "N7"),)


def test_shipped_points_change_both_armies_and_sail_between_them() -> None:
    found = drafted(at_sea(), "SHIP 1I 8BR -> SHAEF")
    (voyage,) = found.voyages
    assert (voyage.places[0], voyage.places[-1]) == ("J11", "P7")
    assert {"H3", "H4"} & set(voyage.places)  # past Gibraltar
    assert points(found, "SHAEF")["inf"] == 3


def test_points_sail_the_sea_that_is_named_though_land_would_do() -> None:
    """D-06: along the Soviet coast of the Black Sea."""
    state = overseas.position("fall-of-germany", "soviet", fog="fog")
    overseas.put(state, "CAUCASUS", "K18", inf=2)
    overseas.put(state, "KIEV", "M17", inf=1)
    (voyage,) = drafted(GAME.view(state, "soviet", "fog"), "SHIP 1I Caucasus -> Kiev VIA BLACK").voyages
    assert (voyage.places[0], voyage.places[-1], len(voyage.places)) == ("K18", "M17", 4)  # not round the coast
    lanes = europe().chart.lanes
    for here, there in pairwise(voyage.places):
        assert [lane.water for lane in lanes[here] if lane.to == there] == ["Black Sea"]


def test_a_move_that_no_land_joins_is_a_voyage() -> None:
    found = drafted(at_sea(), "GOTO 8BR P6")
    assert found.moves == ()
    assert (found.voyages[0].places[0], found.voyages[0].places[-1]) == ("J11", "P6")
    assert drafted(at_sea(), "GOTO SHAEF Q7").moves == (Move("P7", "Q7"),)


def test_a_shipment_sails_by_the_route_of_the_army_that_gives() -> None:
    """D-25: the route begins in a port of the piece of land where the army is."""
    route = "J11 I11 I10 I9 I8 I7 H6 H5 G5 H4 H3 I3 J3 K4 L4 M5 N5 O6 O7 P7"
    found = drafted(at_sea(), f"ROUTE 8BR {route}", "SHIP 1I 8BR -> SHAEF")
    assert found.voyages == (Voyage(tuple(route.split())),)


def test_works_stand_in_their_hex_and_ships_support_a_coast() -> None:
    found = drafted(at_sea(), "INVADE SHAEF N6", "SUPPORT N6", "LENDLEASE U18 2", "FORT P7 1")
    assert found.works == (Work("U18", "lend-lease", number=2), Work("P7", "fort", number=1))
    assert found.supports == (Support("N6"),)


def test_ships_support_no_coast_that_nobody_invades() -> None:
    """HW-13.11."""
    assert drafted(at_sea(), "SUPPORT N6").supports == ()


def test_deployed_armies_stand_where_they_begin_and_the_pool_shrinks() -> None:
    view = GAME.view(GAME.setup("fall-of-germany", Options(fog="fog")), "axis", "fog")
    found = drafted(view, "DEPLOY OKW P10 3I", "DEPLOY OKW P10 1M", "DEPLOY A K10 2I")
    assert found.armies["OKW"].points == {"inf": 3, "mech": 1}
    assert found.deployed == ("P10", "K10")
    assert found.pool == {"inf": view.pool["inf"] - 5, "mech": view.pool["mech"] - 1}


def test_what_has_no_room_is_not_deployed() -> None:
    """HW-7.1."""
    view = GAME.view(GAME.setup("fall-of-germany", Options(fog="fog")), "axis", "fog")
    found = drafted(view, "DEPLOY OKW P10 11I")
    assert (found.armies, found.deployed, found.pool) == ({**view.armies}, (), view.pool)


# ------------------------------------------------------------------ countries


def in_the_campaign(side: str = "axis", gates: int = 0, fog: str = "fog") -> View:
    return GAME.view(position(gates, fog, "campaign-1"), side, fog)


def test_forces_of_a_new_ally_appear_under_the_counter_that_is_named() -> None:
    """HW-20.4: Rumania brings two infantry and one mechanized."""
    found = drafted(in_the_campaign(), "STANDING GIFT Rumania L14 Rumania")
    assert found.newcomers == (Newcomer("RUMANIA", "L14", "Rumania", {"inf": 2, "mech": 1}),)


def test_without_a_counter_the_forces_of_a_new_ally_take_the_one_the_rules_would() -> None:
    """D-43: Rumania's own if it is free, else any free one, and none of those on the map."""
    view = in_the_campaign()
    assert drafted(view, "STANDING GIFT Rumania L14").newcomers[0].army == "RUMANIA"
    finland = drafted(view, "STANDING GIFT Finland U14").newcomers[0]
    assert finland.army in view.free_armies
    assert finland.army not in view.armies


def test_forces_that_join_an_army_are_new_points_of_it() -> None:
    view = in_the_campaign()
    there = msgspec.structs.replace(view.armies["SOUTH"], place="L14")
    found = drafted(msgspec.structs.replace(view, armies={"SOUTH": there}), "STANDING GIFT Rumania L14 South")
    assert found.newcomers == ()
    assert found.works == (Work("L14", "gift", {"inf": 2, "mech": 1}, country="Rumania"),)


def test_on_its_day_a_country_has_joined_before_the_movement() -> None:
    """HW-20.3, HW-20.4: in the summer of 1941, so its forces are an army that may move like any other."""
    state = overseas.campaign("axis", 6)
    found = drafted(GAME.view(state, "axis", "open"), "GIFT Rumania M14 Rumania", "GOTO Rumania L14")
    assert (found.armies["RUMANIA"].place, points(found, "RUMANIA")) == ("L14", {"inf": 2, "mech": 1})
    assert found.newcomers == ()


def test_of_an_army_that_has_just_joined_no_more_is_known_than_before() -> None:
    """HW-20.5: in the spring of 1942 the Americans join the Allies, but nobody has counted them yet."""
    state = position(0, "fog", "campaign-1")
    state.step, state.phasing, state.turn = "player-turn", "allies", 8
    view = GAME.view(state, "allies", "fog")
    assert (view.armies["US"].side, view.armies["US"].points) == ("unaligned", None)
    joined = drafted(view, "STANDING DEFEND ALL NOW").armies["US"]
    assert (joined.side, joined.points, joined.band) == ("allies", None, view.armies["US"].band)
    assert "US" not in drafted(view, "FORM 5th US 1I FROM US", "DISBAND US INTO 5th").armies


def test_an_adopted_army_takes_its_new_counter_where_the_country_has_it() -> None:
    """D-45: Italy's army is in Milan at the start."""
    view = in_the_campaign("allies", 2)
    assert drafted(view, "STANDING ADOPT Italy AS 8Br").newcomers == (Newcomer("8BR", "L9", "Italy"),)
    assert view.armies["ITALY"].place == "L9"


@pytest.mark.parametrize("line", ["STANDING ADOPT Italy AS SHAEF", "STANDING GIFT Rumania L14"])
def test_what_waits_for_a_country_that_has_joined_already_is_told_in_words(line: str) -> None:
    view = in_the_campaign("allies" if "ADOPT" in line else "axis", 30)
    found = drafted(view, line)
    assert (found.newcomers, found.in_words) == ((), (InWords(line.removeprefix("STANDING ")),))


def test_to_violate_libya_is_to_violate_italy() -> None:
    """D-40."""
    view = in_the_campaign("allies", 2)
    (italy,) = drafted(view, "VIOLATE Libya").violations
    assert italy.country == "Italy"
    assert {"Italy", "Libya", "Albania"} <= {europe()[place].country for place in italy.places}
    poland = ("N13", "O13", "O14", "P12", "P13", "Q12")
    assert drafted(in_the_campaign(), "VIOLATE Poland").violations == (Violation("Poland", poland),)


# ------------------------------------------------------------------ as it will happen, and once


@pytest.mark.parametrize(
    ("scenario", "fog"), [("barbarossa", "open"), ("fall-of-germany", "open"), ("campaign-1", "open")]
)
def test_the_run_does_before_the_dice_what_was_drafted(scenario: str, fog: str) -> None:
    """With nothing hidden from the side on turn: its armies, its voyages, and what it announces."""
    state, noted = GAME.setup(scenario, Options(fog=fog)), 0
    while (gate := GAME.gate(state)) is not None and noted < 24:
        (side,) = gate.awaits
        view = GAME.view(state, side, fog)
        sheet = GAME.parse(GAME.bot(view, f"drafted {gate.id}".encode()), view)
        found, seen = GAME.drafted(view, sheet), Seen(side)
        state, events = GAME.run(state, {side: sheet}, KeyedDice(b"drafted", gate.id), observer=seen)
        if gate.stage != "player-turn":
            continue
        noted += 1
        assert seen.armies == {a.id: (a.place, a.points) for a in found.armies.values() if a.side == side}
        told = GAME.told(events, side, fog)
        attacks = {e.army: (e.place, e.target) for e in told if isinstance(e, AttackAnnounced)}
        assert {a.army: (a.origin, a.target) for a in found.attacks} == attacks
        routes = {e.army: e.route for e in told if isinstance(e, InvasionAnnounced)}
        assert {landing.army: landing.places for landing in found.landings} == routes
        shipped = [(e.origin, e.place) for e in told if isinstance(e, PointsShipped)]
        assert {(v.places[0], v.places[-1]) for v in found.voyages} == set(shipped)
        fired = {
            army for e in told if isinstance(e, Fired) and not (e.defensive or e.exploitation) for army in e.armies
        }
        assert fired <= {each.army for each in (*found.attacks, *found.landings) if each.fires != "no"}
        ended = {e.army for e in told if isinstance(e, ExploitationEnded) and e.why == "its path is done"}
        assert ended <= {step.army for step in found.steps}
    assert noted >= 10


class Seen:
    """Looks at the armies of a side when its movement is over: at the first event that belongs to a later phase."""

    def __init__(self, side: str) -> None:
        self.side, self.armies, self.began = side, None, False

    def __call__(self, war, event) -> None:
        self.began = self.began or isinstance(event, PlayerTurnBegan)
        if self.armies is None and self.began and war.step not in ("player-turn", "movement"):
            self.armies = {army.id: (army.place, army.points) for army in war.armies_of(self.side)}


def test_a_sheet_is_laid_out_once_for_its_findings_and_for_its_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out = []
    monkeypatch.setattr("engine.grand_strategy.known.move", lambda war: laid_out.append(war) or move(war))
    view = axis()
    sheet = GAME.parse("GOTO Center P13\nATTACK Center P14 ASSAULT", view)
    findings = GAME.check(view, sheet)
    remarked = Sheet(sheet.side, sheet.lines, tuple(findings))
    assert GAME.drafted(view, remarked) == GAME.drafted(view, sheet)
    assert len(laid_out) == 1
    assert GAME.drafted(axis(), sheet) == GAME.drafted(view, sheet)
    assert len(laid_out) == 3, "another view may know more"


def test_a_sheet_for_a_war_that_is_over_moves_nobody() -> None:
    view = axis()
    sheet = GAME.parse("GOTO Rumania M14\nATTACK Center P14 ASSAULT", view)
    over = msgspec.structs.replace(view, gate=None)
    assert GAME.drafted(over, sheet) == GAME.drafted(over, Sheet("axis"))
