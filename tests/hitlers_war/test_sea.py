"""Sea routes, transport and supply over water (HW-12), and what a sheet may say about them (D-05, D-06)."""

import pytest

from engine.grand_strategy.events import CutOff, PointsConverted, PointsShipped, SeaTransportUsed, StackCulled
from engine.grand_strategy.rules import movement
from engine.grand_strategy.sea.routes import UNLIMITED, Pilot, transport_limits
from engine.grand_strategy.state import Country, State
from engine.hitlers_war.europe import europe
from engine.orders import Kind
from tests.overseas import GAME, of, position, put, refusals, run, war_of

#: HW-12.5: what all trips of the Allies between the two boxes and the rest of the world share.
TO_NORTH_AMERICA = "to and from North America"


def fall(phasing: str, **options: str) -> State:
    return position("fall-of-germany", phasing, **options)


# ------------------------------------------------------------------ capacities


@pytest.mark.parametrize(
    ("side", "limits"),
    [
        ("axis", {"Baltic": 1}),
        ("soviet", {"Black Sea": 1, "Caspian": 1}),
        ("allies", {"Atlantic": UNLIMITED, "Mediterranean": UNLIMITED, "Red Sea-Persian Gulf": 1}),
    ],
)
def test_each_side_has_its_seas(side: str, limits: dict[str, int]) -> None:
    assert transport_limits(war_of(fall(side)), side) == limits  # HW-12.4


def test_barbarossa_has_no_sea_at_all() -> None:
    assert transport_limits(war_of(position("barbarossa", "axis")), "axis") == {}


@pytest.mark.parametrize(
    ("italy", "changes", "edition", "axis", "allies"),
    [
        (Country(), {}, "1984", 0, UNLIMITED),
        (Country(side="axis"), {}, "1984", 2, 2),
        (Country(side="axis"), {"G11": "axis"}, "1984", 3, 2),
        (Country(side="axis"), {"H4": "axis"}, "1984", 2, 2),  # France still stands
        (Country(side="axis"), {"H4": "axis", "France": "axis"}, "1984", 2, 0),
        (Country(side="axis"), {"France": "axis"}, "1984", 2, 2),  # Gibraltar still stands
        (Country(side="axis"), {"H4": "axis", "France": "axis"}, "later", 2, 2),  # Suez
        (Country(side="axis"), {"H4": "axis", "France": "axis", "D15": "axis"}, "later", 2, 0),
        (Country(side="axis", captor="allies", surrendered=12), {"G11": "axis"}, "1984", 0, UNLIMITED),
    ],
)
def test_the_mediterranean_follows_italy(
    italy: Country, changes: dict[str, str], edition: str, axis: int, allies: int
) -> None:
    state = position("campaign-1", "axis", turn=6, edition=edition)
    state.countries["Italy"] = italy
    for place, owner in changes.items():
        if place == "France":
            state.countries["France"] = Country(captor=owner, surrendered=3)
        else:
            state.ground[place].owner = owner
    war = war_of(state)
    assert transport_limits(war, "axis").get("Mediterranean", 0) == axis  # HW-12.7
    assert transport_limits(war, "allies").get("Mediterranean", 0) == allies


# ------------------------------------------------------------------ routes


def test_a_friendly_gibraltar_opens_the_mediterranean_and_an_enemy_one_closes_it() -> None:
    state = fall("allies")
    state.ground["D15"].owner = "axis"  # nor is there a way round Africa and past Suez
    assert Pilot(war_of(state), "allies").voyage("P7", "G11") is not None  # HW-12.3
    state.ground["H4"].owner = "axis"
    assert Pilot(war_of(state), "allies").voyage("P7", "G11") is None


def test_esbjerg_lies_on_two_seas_and_joins_them_for_nobody() -> None:
    state = fall("axis")
    state.ground["S10"].owner = "allies"  # North Denmark, the gateway
    pilot = Pilot(war_of(state), "axis")
    assert pilot.voyage("Q9", "R9") is not None
    assert pilot.voyage("Q9", "Q13") is None


def test_the_kiel_canal_carries_no_points() -> None:
    state = fall("axis")
    state.ground["S10"].owner = "allies"
    assert "is no friendly gateway" in Pilot(war_of(state), "axis").why_not(["Q9", "Q10", "R10"])


def test_a_strip_of_land_is_passed_between_friends_only() -> None:
    state = fall("axis")
    assert Pilot(war_of(state), "axis").why_not(["Q10", "Q9"]) == ""  # HW-12.2
    state.ground["Q9"].owner = "allies"
    assert "are not both yours" in Pilot(war_of(state), "axis").why_not(["Q10", "Q9"])


def test_a_strait_is_passed_between_friends_only() -> None:
    state = fall("allies")
    assert Pilot(war_of(state), "allies").why_not(["H10", "H11"]) == ""  # HW-12.2
    state.ground["H11"].owner = "axis"
    assert "are not both yours" in Pilot(war_of(state), "allies").why_not(["H10", "H11"])


def test_open_sea_is_free_whoever_holds_the_coasts() -> None:
    state = fall("allies")
    assert Pilot(war_of(state), "allies").why_not(["P7", "O7", "O6"]) == ""  # HW-12.2: past Cherbourg


def test_the_arrows_lead_off_the_map() -> None:
    state = fall("allies")
    state.ground["H4"].owner = "axis"
    voyage = Pilot(war_of(state), "allies").voyage("BRAFRICA", "D15")
    assert voyage is not None
    assert voyage.places == ("BRAFRICA", "A18", "B17", "C17", "D16", "D15")  # HW-12.1


def test_nobody_sails_the_white_sea() -> None:
    state = fall("soviet")
    assert Pilot(war_of(state), "soviet").voyage("U18", "W16") is None  # HW-12.4


# ------------------------------------------------------------------ moving points


def test_one_axis_point_crosses_the_baltic_and_the_next_line_is_refused() -> None:
    state = fall("axis")
    for place in ("U14", "U15", "V13", "V14", "V15", "W14", "W15", "X13", "X14", "X15"):
        if place in state.ground:
            state.ground[place].owner = "soviet"  # Finland has no land way to Germany
    put(state, "NORTH", "Q13", inf=3)
    put(state, "CENTER", "T14", inf=1)
    after, events = run(state, {"axis": ["SHIP 1I North -> Center", "XFER 1I North -> Center"]})
    assert after.armies["CENTER"].inf == 2
    (refusal,) = refusals(events)
    assert refusal.line == 2  # D-06: capacity is used in line order
    assert "the limit is 1 a turn (HW-12.4)" in refusal.why
    assert "leave 1 behind" in refusal.remedy
    (used,) = of(SeaTransportUsed, events)
    assert (used.used, used.left) == ({"Baltic": 1}, {"Baltic": 0})


def test_points_go_by_land_where_they_can() -> None:
    state = fall("axis")
    put(state, "NORTH", "Q13", inf=3)
    put(state, "CENTER", "Q10", inf=1)
    after, events = run(state, {"axis": ["XFER 3I North -> Center"]})
    assert after.armies["CENTER"].inf == 4
    assert of(PointsShipped, events) == []


def test_three_points_a_turn_cross_the_ocean_both_ways_together() -> None:
    state = fall("allies")
    put(state, "US", "US", inf=4)
    put(state, "BRITAIN", "P7", inf=2, mech=2)
    lines = ["SHIP 2I US -> Britain", "SHIP 1M Britain -> US", "SHIP 1M Britain -> US"]
    _, events = run(state, {"allies": lines})
    assert [refusal.line for refusal in refusals(events)] == [3]  # HW-12.5
    (used,) = of(SeaTransportUsed, events)
    assert used.used == {TO_NORTH_AMERICA: 3}


@pytest.mark.parametrize("second", ["GOTO US P7", "XFER ALL US -> Britain", "DISBAND US INTO Britain"])
def test_points_that_an_army_lacks_come_over_the_ocean_like_any_others(second: str) -> None:
    """An army may be short of points for a while (D-05), but where it goes with its lack, they come from (HW-12.5)."""
    state = fall("allies")
    put(state, "US", "US", inf=2)
    put(state, "1US", "US", inf=1)
    put(state, "BRITAIN", "P7", mech=2)
    _, events = run(state, {"allies": ["XFER 2M US -> 1US", second, "XFER 2M Britain -> US"]})
    assert any("4 points would travel" in refusal.why for refusal in refusals(events))  # two go and two come
    assert all(used.used[TO_NORTH_AMERICA] <= 3 for used in of(SeaTransportUsed, events))
    state.armies["US"].inf = 1
    after, events = run(state, {"allies": ["XFER 2M US -> 1US", "GOTO US P7", "XFER 2M Britain -> US"]})
    assert refusals(events) == []
    assert (after.armies["1US"].mech, after.armies["US"].place) == (2, "P7")
    assert {(ship.origin, ship.place, ship.count) for ship in of(PointsShipped, events)} == {
        ("US", "P7", 1),
        ("P7", "US", 2),
    }


def test_points_that_an_army_lacks_must_have_room_where_they_come_to() -> None:
    state = fall("allies")
    put(state, "1US", "R6", inf=9)
    put(state, "2BR", "R6", inf=1)
    put(state, "BRITAIN", "P7", mech=3)
    after, events = run(state, {"allies": ["XFER 3M 2Br -> 1US", "GOTO 2Br P7", "XFER 3M Britain -> 2Br"]})
    assert any("points would stand in R6" in refusal.why for refusal in refusals(events))  # HW-7.1, D-05
    assert of(StackCulled, events) == []
    assert sum(army.strength for army in after.armies.values()) == 13


def test_a_trip_between_the_united_states_and_canada_is_free() -> None:
    state = fall("allies")
    put(state, "US", "US", inf=9)
    _, events = run(state, {"allies": ["GOTO US CANADA"]})
    assert refusals(events) == []
    assert of(SeaTransportUsed, events) == []


def test_one_point_a_turn_goes_round_africa() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=5)
    put(state, "8BR", "INDIA", inf=1)
    _, events = run(state, {"allies": ["SHIP 2I Britain -> 8Br"]})
    assert "2 points would cross the Red Sea-Persian Gulf; the limit is 1 a turn" in refusals(events)[0].why  # HW-12.5
    after, events = run(state, {"allies": ["SHIP 1I Britain -> 8Br"]})
    assert after.armies["8BR"].inf == 2


def test_a_point_uses_every_limited_sea_on_its_way() -> None:
    state = position("campaign-1", "allies", turn=4)
    state.countries["Italy"] = Country(side="axis", joined=2)
    put(state, "BRITAIN", "P7", inf=5)
    put(state, "8BR", "INDIA", inf=1)
    _, events = run(state, {"allies": ["SHIP 1I Britain -> 8Br VIA ATL,MED,RED"]})
    (used,) = of(SeaTransportUsed, events)
    assert used.left == {"Mediterranean": 1, "Red Sea-Persian Gulf": 0}  # HW-12.5


def test_points_taken_up_in_britain_are_put_down_in_italy_by_sea() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=5)
    put(state, "5US", "J10", inf=1)
    after, events = run(state, {"allies": ["SET Britain P7 3I", "SET 5th J10 3I"]})
    assert refusals(events) == []
    assert (after.armies["BRITAIN"].inf, after.armies["5US"].inf) == (3, 3)
    assert [(shipped.count, shipped.seas) for shipped in of(PointsShipped, events)] == [
        (2, ("Atlantic", "Mediterranean"))
    ]


def test_a_soviet_point_may_not_cross_the_baltic() -> None:
    state = fall("soviet")
    state.ground["S14"].owner = "soviet"
    put(state, "LENIN", "T15", inf=3)
    for place in ("S15", "R14", "R15", "S16", "T16", "U15", "U16"):
        state.ground[place].owner = "axis"
    _, events = run(state, {"soviet": ["GOTO Leningrad S14"]})
    (refusal,) = refusals(events)
    assert "no way leads from T15 to S14" in refusal.why
    assert refusal.remedy == "you may carry points over: Black Sea (1 a turn), Caspian (1 a turn)"  # and no ocean


def test_via_names_the_seas_and_a_wrong_one_is_refused() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=5)
    put(state, "5US", "J10", inf=1)
    _, events = run(state, {"allies": ["SHIP 1I Britain -> 5th VIA MED"]})
    assert "over the Mediterranean" in refusals(events)[0].why


def test_a_route_is_sailed_place_by_place() -> None:
    state = fall("allies")
    put(state, "8BR", "D15", inf=1)
    lines = ["GOTO 8Br INDIA", "ROUTE 8Br D15 D16 C17 B17 A18 INDIA"]
    after, events = run(state, {"allies": lines})
    assert after.armies["8BR"].place == "INDIA"
    assert refusals(events) == []


def test_a_route_that_cannot_be_sailed_is_refused_with_its_line() -> None:
    state = fall("allies")
    put(state, "8BR", "D15", inf=1)
    after, events = run(state, {"allies": ["GOTO 8Br INDIA", "ROUTE 8Br D15 C15 INDIA"]})
    assert after.armies["8BR"].place == "D15"
    assert "no sea way leads from D15 to C15" in refusals(events)[0].why


@pytest.mark.parametrize("seas", ["MED", "ATL", "BALTIC"])
def test_who_names_the_wrong_seas_is_told_the_right_ones(seas: str) -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=2)
    put(state, "5US", "H10", inf=1)
    _, events = run(state, {"allies": [f"SHIP 1I Britain -> 5th VIA {seas}"]})
    (refusal,) = refusals(events)
    assert refusal.remedy == "without VIA or ROUTE they would go over the Atlantic and the Mediterranean"


def test_who_wants_to_sail_where_only_land_leads_is_told_so() -> None:
    state = fall("axis")
    put(state, "CENTER", "P10", inf=2)
    put(state, "A", "O11", inf=1)
    (refusal,) = refusals(run(state, {"axis": ["SHIP 1I Center -> A VIA ATL"]})[1])
    assert refusal.remedy == "without VIA or ROUTE they would go behind your lines"


def test_a_route_whose_line_is_refused_is_not_told_to_have_one() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=1)
    _, events = run(state, {"allies": ["GOTO Britain N6", "ROUTE Britain P7 P6 O6 N6"]})
    assert [(refusal.line, refusal.remedy) for refusal in refusals(events)][1:] == [
        (2, "mend the line that sends it, or leave the ROUTE away")
    ]


def test_a_route_for_an_army_that_stays_is_refused() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=1)
    _, events = run(state, {"allies": ["ROUTE Britain P7 O7"]})
    assert "does not sail" in refusals(events)[0].why


def test_an_army_has_one_route() -> None:
    """The last line counts, and the other is not passed over in silence."""
    state = fall("allies")
    put(state, "8BR", "D15", inf=1)
    lines = ["GOTO 8Br INDIA", "ROUTE 8Br D15 C15 INDIA", "ROUTE 8Br D15 D16 C17 B17 A18 INDIA"]
    after, events = run(state, {"allies": lines})
    (refusal,) = refusals(events)
    assert (refusal.line, refusal.why) == (2, "8BR has another ROUTE in line 3")
    assert after.armies["8BR"].place == "INDIA"


def test_the_check_refuses_what_the_run_would_refuse() -> None:
    state = fall("allies", fog="fog")
    put(state, "US", "US", inf=5)
    put(state, "BRITAIN", "P7", inf=1)
    view = GAME.view(state, "allies", "fog")
    findings = GAME.check(view, GAME.parse("SHIP 4I US -> Britain", view))
    (finding,) = [finding for finding in findings if finding.kind is Kind.ILLEGAL]
    assert "4 points would travel to and from North America; the limit is 3" in finding.why


@pytest.mark.parametrize("taker", ["Britain", "8Br"])  # a hex that is soon full, and a box that never is
def test_a_sheet_of_a_thousand_greedy_lines_is_judged_in_a_few_looks(
    taker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for far too much is refused without laying his lines out again for each of them."""
    state = fall("allies")
    put(state, "US", "US", inf=50)
    put(state, "BRITAIN", "P7", inf=1)
    put(state, "8BR", "BRAFRICA", inf=1)
    looks = []
    lay_out = movement._lay_out
    monkeypatch.setattr(movement, "_lay_out", lambda *given: looks.append(1) or lay_out(*given))
    after, events = run(state, {"allies": [f"SHIP 1I US -> {taker}"] * 1000})
    assert after.armies["US"].inf == 47  # HW-12.5: the first three lines
    assert sorted(refusal.line for refusal in refusals(events)) == list(range(4, 1001))
    assert len(looks) < 120


# ------------------------------------------------------------------ amphibious into infantry


def test_amphibious_points_become_infantry_for_good() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=1, amph=4)
    after, events = run(state, {"allies": ["CONVERT 3A Britain"]})
    assert (after.armies["BRITAIN"].inf, after.armies["BRITAIN"].amph) == (4, 1)  # HW-6.7
    assert of(PointsConverted, events)[0].armies == {"BRITAIN": 3}


def test_an_army_that_may_not_move_may_still_convert() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "N6", amph=2)  # a bridgehead
    state.ground["H4"].owner = "axis"
    after, _ = run(state, {"allies": ["CONVERT ALL A Britain"]})
    assert after.armies["BRITAIN"].inf == 2


def test_more_than_there_are_cannot_be_converted() -> None:
    state = fall("allies")
    put(state, "BRITAIN", "P7", inf=1, amph=1)
    after, events = run(state, {"allies": ["CONVERT 3A Britain"]})
    assert after.armies["BRITAIN"].amph == 1
    assert "2 amphibious short" in refusals(events)[0].why


# ------------------------------------------------------------------ supply


def test_the_allies_supply_malta_over_the_sea() -> None:
    assert "G11" in war_of(fall("allies")).supplied("allies")  # HW-12.6


def test_a_closed_mediterranean_carries_no_supply() -> None:
    state = position("campaign-1", "allies", turn=6)
    state.countries["Italy"] = Country(side="axis")
    assert "G11" in war_of(state).supplied("allies")
    state.countries["France"] = Country(captor="axis", surrendered=3)
    state.ground["H4"].owner = "axis"
    assert "G11" not in war_of(state).supplied("allies")  # HW-12.7


def test_an_axis_crete_is_out_of_supply() -> None:
    assert "G14" not in war_of(fall("axis")).supplied("axis")  # HW-12.6: the Axis has the Baltic alone


def test_the_lakes_carry_soviet_supply_and_no_other() -> None:
    state = fall("soviet")
    for place in state.ground:
        if place not in ("T15", "U16") and state.ground[place].owner == "soviet":
            state.ground[place].owner = "allies"
    assert "U16" in war_of(state).supplied("soviet")  # HW-12.6: over Ladoga from Leningrad
    state.ground["T15"].owner = state.ground["U16"].owner = "axis"
    for place in ("U15", "V16", "V15", "T16", "U17"):
        state.ground[place].owner = "allies"
    assert "U16" not in war_of(state).supplied("axis")


def test_supply_needs_no_capacity_of_its_own() -> None:
    state = fall("axis")
    for place in state.ground:
        if state.ground[place].owner == "axis" and place not in ("Q10", "P10", "T14", "U14", "T13"):
            state.ground[place].owner = "allies"
    supplied = war_of(state).supplied("axis")
    assert {"T14", "U14", "T13"} <= supplied  # HW-10.3: any number of chains, though one point a turn may move


def test_the_view_shows_what_may_be_carried() -> None:
    view = GAME.view(fall("allies", fog="fog"), "allies", "fog")
    assert view.sea_transport == {
        "allies": {"Atlantic": None, "Mediterranean": None, "Red Sea-Persian Gulf": 1, TO_NORTH_AMERICA: 3}
    }


# ------------------------------------------------------------------ who is cut off


def test_an_army_without_supply_is_told_so_and_stays() -> None:
    """HW-10.6, HW-6.6: neither by land nor by sea."""
    state = fall("axis")
    put(state, "SOUTH", "G14", inf=2, amph=2)
    _, events = run(state, {"axis": ["GOTO South H13", "INVADE South G11"]})
    assert [(event.army, event.place) for event in of(CutOff, events)] == [("SOUTH", "G14")]
    assert ["out of supply" in refusal.why for refusal in refusals(events)] == [True, True]


def test_in_barbarossa_only_what_was_overseas_at_the_start_is_left_alone() -> None:
    """HW-10.9, A-16: Crete stays Axis for ever, a pocket on the mainland does not."""
    state = position("barbarossa", "axis")
    pocket = ("Q13", "P13")  # in Poland, and friendly from the start
    assert all(state.ground[place].owner == "axis" for place in pocket)
    for place in (near for hex_ in pocket for near in europe().by_land[hex_] if near not in pocket):
        state.ground[place].owner = "soviet"
    after, _ = run(state, {"axis": []})
    assert after.ground["G14"].owner == "axis"
    assert [after.ground[place].owner for place in pocket] == ["soviet", "soviet"]
