"""Amphibious invasions step by step (HW-13), with the orders that steer them (D-25 to D-32)."""

import pytest

from engine.grand_strategy.conditions import advance_row, assault_strength
from engine.grand_strategy.events import (
    ArmyEliminated,
    ArmyLanded,
    AttackAnnounced,
    CoastalAirFired,
    DefaultUsed,
    Fired,
    InvasionAnnounced,
    LandingTried,
    NavalFired,
    PlaceCaptured,
    PointsLost,
    SupportFired,
)
from engine.grand_strategy.state import Army, State
from engine.hitlers_war.europe import europe
from engine.orders import Kind
from tests.overseas import GAME, notes, of, position, put, put_fort, refusals, run, war_of


def allied_channel(**options: str) -> State:
    """An Allied army in London, the Axis in Brest; French hexes are Axis."""
    state = position("fall-of-germany", "allies", **options)
    put(state, "2BR", "P7", inf=2, mech=1, amph=5)
    put(state, "WEST", "N6", inf=2)
    return state


def axis_north_sea() -> State:
    """Two Axis armies in Wilhelmshaven for Edinburgh, three open-sea hexsides away (HW-13.9)."""
    state = position("fall-of-germany", "axis")
    put(state, "B", "Q9", inf=2, amph=3)
    put(state, "C", "Q9", inf=1, amph=2)
    put(state, "BRITAIN", "S7", inf=1)
    return state


# ------------------------------------------------------------------ announcement


def test_an_army_of_half_amphibious_points_may_invade_and_one_of_fewer_may_not() -> None:
    state = allied_channel()
    put(state, "1US", "P6", inf=2, mech=1, amph=3)
    put(state, "3US", "P6", inf=3, amph=1)
    _, events = run(state, {"allies": ["INVADE 1US N6", "INVADE 3US N6"]})
    assert [event.army for event in of(InvasionAnnounced, events)] == ["1US"]
    (refusal,) = refusals(events)
    assert "1 of the 4 points of 3US are amphibious; half must be (HW-13.2)" in refusal.why
    assert "bring 2 more amphibious (A) into it" in refusal.remedy


def test_an_army_without_landing_craft_is_not_told_to_shrink() -> None:
    """HW-13.2: without amphibious points no number of others taken out would help."""
    state = allied_channel()
    put(state, "3US", "P6", inf=3)
    (refusal,) = refusals(run(state, {"allies": ["INVADE 3US N6"]})[1])
    assert refusal.why == "3US has no amphibious points, and half must be (HW-13.2)"
    assert refusal.remedy == "with XFER, bring 3 amphibious (A) into it; BUILD makes them"


@pytest.mark.parametrize(
    ("points", "remedy", "lines"),
    [
        ({"inf": 6, "amph": 2}, "with XFER, take 4 others out of it", ["XFER 4I 3US -> 2BR"]),
        (
            {"inf": 8},
            "with XFER, take 3 others out of it and bring 5 amphibious (A) in; BUILD makes them",
            ["XFER 3I 3US -> 2BR", "XFER 5A 5US -> 3US"],
        ),
        ({"inf": 4, "amph": 1}, "with XFER, bring 3 more amphibious (A) into it, or", ["XFER 3A 5US -> 3US"]),
    ],
)
def test_what_is_said_to_make_an_army_amphibious_fits_into_its_hex(
    points: dict[str, int], remedy: str, lines: list[str]
) -> None:
    """HW-7.1, HW-13.2: an army of six others and more has no room for as many landing craft."""
    state = position("fall-of-germany", "allies")
    put(state, "3US", "P6", **points)
    put(state, "2BR", "P7", inf=1)
    put(state, "5US", "H10", inf=1, amph=6)
    (refusal,) = refusals(run(state, {"allies": ["INVADE 3US N6"]})[1])
    assert remedy in refusal.remedy
    assert refusals(run(state, {"allies": [*lines, "INVADE 3US N6"]})[1]) == []


def test_an_army_without_landing_craft_in_a_full_hex_is_sent_elsewhere() -> None:
    state = position("fall-of-germany", "allies")
    put(state, "3US", "P6", inf=1)
    put(state, "2BR", "P6", inf=9)
    (refusal,) = refusals(run(state, {"allies": ["INVADE 3US N6"]})[1])
    assert refusal.remedy == "with XFER, take it to a hex with room and bring amphibious (A) into it; BUILD makes them"


def test_nobody_lands_where_he_stands() -> None:
    (refusal,) = refusals(run(allied_channel(), {"allies": ["INVADE 2Br P7"]})[1])
    assert (refusal.why, refusal.remedy) == ("2BR stands in P7 already", "leave the line away")


def test_an_invader_sails_from_a_coast() -> None:
    state = allied_channel()
    put(state, "1US", "F19", amph=3)  # Baghdad
    _, events = run(state, {"allies": ["INVADE 1US N6"]})
    assert "has no coast (HW-13.2)" in refusals(events)[0].why


def test_an_invasion_through_a_closed_strait_names_the_strait() -> None:
    state = position("fall-of-germany", "axis")
    put(state, "B", "Q9", amph=3)
    _, events = run(state, {"axis": ["INVADE B G11"]})
    (refusal,) = refusals(events)
    assert "closed at Gibraltar (H4)" in refusal.why  # HW-12.3
    assert refusal.remedy == "take H4 first, or sail from L7, L8 or L9"  # the nearest Axis ports on the Mediterranean


def test_switzerland_cannot_be_invaded() -> None:
    state = allied_channel()
    _, events = run(state, {"allies": ["INVADE 2Br M10"]})
    (refusal,) = refusals(events)
    assert "M10" in refusal.why
    assert refusal.remedy


def test_an_inland_hex_cannot_be_invaded() -> None:
    state = allied_channel()
    _, events = run(state, {"allies": ["INVADE 2Br N7"]})
    assert "N7, which has no coast (HW-13.5)" in refusals(events)[0].why


def why_not_land(state: State, army: str, target: str) -> tuple[str, str]:
    """What receipt and report say of a landing; both must say the same."""
    side = state.armies[army].side
    view = GAME.view(state, side, "open")
    (finding,) = [
        finding for finding in GAME.check(view, GAME.parse(f"INVADE {army} {target}", view)) if finding.refuses
    ]
    (refusal,) = refusals(run(state, {side: [f"INVADE {army} {target}"]})[1])
    assert (refusal.why, refusal.remedy) == (finding.why, finding.remedy)
    return refusal.why, refusal.remedy


def test_the_bosporus_is_named_though_both_its_shores_are_foreign() -> None:
    """HW-12.2, HW-12.3: the gateway lies behind a strait. In this scenario nobody can take it."""
    state = position("fall-of-germany", "allies")
    put(state, "8BR", "D15", amph=4)
    why, remedy = why_not_land(state, "8BR", "L14")
    assert "closed at Çanakkale (I14) and Istanbul (J14), which are not yours" in why
    assert remedy == "none of your coasts has a way there; go by land"
    state.ground["I14"].owner = state.ground["J14"].owner = "allies"
    _, events = run(state, {"allies": ["INVADE 8Br L14"]})
    assert of(InvasionAnnounced, events) != []


def test_ports_are_offered_that_have_a_way() -> None:
    """HW-12.3: an army in the Black Sea cannot come to Malta, but others could."""
    state = position("fall-of-germany", "axis")
    put(state, "B", "L14", amph=4)
    why, remedy = why_not_land(state, "B", "G11")
    assert "closed at Istanbul (J14), which is not yours" in why
    assert remedy == "sail from J13, I13 or K12"  # Turkey is closed to everybody, so nobody is told to take it
    for port in ("J13", "I13", "K12"):
        put(state, "B", port, amph=4)
        assert of(InvasionAnnounced, run(state, {"axis": ["INVADE B G11"]})[1]) != []


def test_a_coast_of_strips_of_land_alone_is_for_land_attacks() -> None:
    """HW-12.2, A-14: Venice has no open hexside."""
    state = position("fall-of-germany", "allies")
    put(state, "8BR", "J11", amph=4)
    why, remedy = why_not_land(state, "8BR", "L10")
    assert "no open hexside leads from the sea into L10" in why
    assert remedy == "ATTACK it by land, from M11, L11, K11, K10 or L9"  # not from Switzerland


def test_a_coast_of_strips_that_lies_among_friends_of_friends_is_out_of_reach() -> None:
    """HW-17.1: all around Rostov is Soviet, so the Allies cannot come there by land either."""
    state = position("fall-of-germany", "allies")
    put(state, "8BR", "D15", amph=4)
    for place in europe().for_retreat["M18"]:
        state.ground[place].owner = "soviet"
    state.ground["M18"].owner = "axis"
    why, remedy = why_not_land(state, "8BR", "M18")
    assert "no open hexside leads from the sea into M18" in why
    assert remedy == "attack another hex"


def test_a_neighbour_over_a_strip_of_land_is_for_a_land_attack() -> None:
    """A-14."""
    state = position("fall-of-germany", "soviet")
    state.ground["M18"].owner = "axis"
    put(state, "CAUCASUS", "L17", amph=4)
    why, remedy = why_not_land(state, "CAUCASUS", "M18")
    assert "M18 touches L17 over land" in why
    assert remedy == "ATTACK CAUCASUS M18 ASSAULT ADVANCE"


@pytest.mark.parametrize(("start", "target", "sea"), [("U18", "W17", "White Sea"), ("T15", "U16", "Soviet Lakes")])
def test_nobody_lands_over_waters_that_nobody_sails(start: str, target: str, sea: str) -> None:
    """HW-12.4: the coast is there, and is called so."""
    state = position("fall-of-germany", "soviet")
    state.ground[target].owner = "axis"
    put(state, "LENIN", start, amph=4)
    why, remedy = why_not_land(state, "LENIN", target)
    assert f"on the {sea}, where nobody sails (HW-12.4)" in why
    assert remedy


def test_a_neighbour_over_a_coastline_is_invaded_from_the_open_sea() -> None:
    state = position("fall-of-germany", "allies")
    put(state, "2BR", "N6", amph=4)  # a bridgehead at Brest; O7 touches it over a coastline
    _, events = run(state, {"allies": ["INVADE 2Br O7 VIA N5,O6"]}, [1] * 20)
    assert of(InvasionAnnounced, events)[0].route == ("N6", "N5", "O6", "O7")  # by open sea it may


def test_an_army_that_is_not_where_it_is_said_to_be_does_not_sail() -> None:
    _, events = run(allied_channel(), {"allies": ["INVADE 2Br N6 FROM Q7"]})
    assert "is in P7, not in Q7" in refusals(events)[0].why


def test_an_army_attacks_or_invades_but_not_both() -> None:
    state = allied_channel()
    view = GAME.view(state, "allies", "open")
    sheet = GAME.parse("ATTACK 2Br N6 ADVANCE\nINVADE 2Br N6", view)
    (finding,) = [finding for finding in sheet.findings if finding.refuses]
    assert "already attacks in line 1" in finding.why


def test_a_crossing_is_attacked_over_by_invasion_only() -> None:
    state = position("fall-of-germany", "allies")
    state.ground["H11"].owner = "axis"
    put(state, "5US", "H10", inf=2, mech=2, amph=4)
    _, events = run(state, {"allies": ["ATTACK 5th H11 ASSAULT ADVANCE"]})
    (refusal,) = refusals(events)
    assert "a strait parts H10 and H11 (HW-9.15)" in refusal.why
    assert "INVADE 5US H11" in refusal.remedy
    after, events = run(state, {"allies": ["INVADE 5th H11"]}, [6, 1])  # assault, landing
    assert after.armies["5US"].place == "H11"  # the last hexside may be a crossing


def test_the_default_route_avoids_the_navy_and_then_is_the_shortest() -> None:
    state = axis_north_sea()
    _, events = run(state, {"axis": ["INVADE B S7"]})
    assert of(InvasionAnnounced, events)[0].route == ("Q9", "R8", "S8", "S7")


def test_a_route_that_was_laid_down_is_taken() -> None:
    state = axis_north_sea()
    _, events = run(state, {"axis": ["INVADE B S7", "ROUTE B Q9 Q8 R8 S8 S7"]})
    assert of(InvasionAnnounced, events)[0].route == ("Q9", "Q8", "R8", "S8", "S7")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("INVADE B S7 VIA H13", "no sea route from Q9 to S7 touches H13 in that order"),
        ("INVADE B G11 VIA R8", "closed at Gibraltar (H4)"),  # not the fault of VIA
    ],
)
def test_via_is_blamed_only_if_there_is_a_way_without_it(line: str, why: str) -> None:
    """D-25."""
    (refusal,) = refusals(run(axis_north_sea(), {"axis": [line]})[1])
    assert why in refusal.why
    assert (refusal.remedy == "leave VIA away") == ("touches" in why)


@pytest.mark.parametrize(
    ("route", "why"),
    [
        ("Q9 R8 S8", "the ROUTE of B ends in S8"),
        ("Q9 R8 S7", "no sea way leads from R8 to S7"),
        ("Q9 Q8 P8 Q8 R8 S8 S7", ""),  # along a friendly coast and out again
        ("Q9 Q10 R10 S10 S9 S8 S7", "the way changes seas at Q10, which is no friendly gateway"),
        ("R8 S8 S7", ""),  # its own place may be left away
    ],
)
def test_a_route_is_judged_hexside_by_hexside(route: str, why: str) -> None:
    """HW-12.1 to HW-12.3, D-25."""
    _, events = run(axis_north_sea(), {"axis": ["INVADE B S7", f"ROUTE B {route}"]})
    assert [refusal.why.partition(" (")[0] for refusal in refusals(events)] == ([why] if why else [])
    assert bool(of(InvasionAnnounced, events)) == (not why)


def test_a_landing_on_an_unaligned_coast_is_an_attack_on_its_country() -> None:
    """HW-19.10: Norway takes the other side, though nobody came ashore."""
    state = position("campaign-1", "allies", turn=4)
    put(state, "BRITAIN", "P7", amph=2)
    after, _ = run(state, {"allies": ["VIOLATE Norway", "INVADE Britain U9 SAVE", "SUPPORT NONE"]}, [6])
    assert (after.armies["BRITAIN"].place, after.countries["Norway"].side) == ("P7", "axis")


def test_the_check_finds_a_landing_that_cannot_be() -> None:
    state = allied_channel(fog="fog")
    state.armies["2BR"].amph = 1
    view = GAME.view(state, "allies", "fog")
    findings = GAME.check(view, GAME.parse("INVADE 2Br N6", view))
    (finding,) = [finding for finding in findings if finding.kind is Kind.ILLEGAL]
    assert "half must be" in finding.why


@pytest.mark.parametrize(("line", "is_hopeless"), [("INVADE 2Br N6", False), ("INVADE 2Br N6 SAVE", True)])
def test_a_landing_is_called_hopeless_only_if_it_does_not_fire(line: str, *, is_hopeless: bool) -> None:
    """D-30: without a word an army fires as it lands, and may clear its own way."""
    state = allied_channel()
    put(state, "WEST", "N6", inf=9)
    view = GAME.view(state, "allies", "open")
    notes = [finding.why for finding in GAME.check(view, GAME.parse(line, view)) if finding.kind is Kind.NOTE]
    assert any("no die takes N6" in note for note in notes) == is_hopeless


def test_a_landing_that_no_supply_can_follow_is_called_so() -> None:
    """HW-10.7, HW-12.6: Axis supply crosses the Baltic alone, so what lands in Britain is lost in the same turn."""
    state = position("fall-of-germany", "axis")
    put(state, "B", "S10", amph=6)
    ((why, remedy),) = notes(state, "axis", "INVADE B S7")
    assert why == (
        "no supply of yours would reach S7; if an enemy's does, it is lost again when combat is over, and B with it (HW-10.7)"
    )
    assert remedy == "your supply crosses: Baltic"
    after, _ = run(state, {"axis": ["INVADE B S7"], "allies": ["STANDING NAVALFIRE INVASIONS NEVER"]}, [6, 1, 1])
    assert (after.ground["S7"].owner, after.armies) == ("allies", {})


@pytest.mark.parametrize(
    ("side", "army", "port", "lines"),
    [
        ("allies", "2BR", "P7", ["INVADE 2Br N6"]),  # over the Atlantic
        ("axis", "B", "R13", ["INVADE B T15"]),  # over the Baltic
        ("soviet", "LENIN", "T15", ["INVADE Lenin T14", "EXPLOIT Lenin U15"]),  # by land behind it
    ],
)
def test_a_landing_that_supply_can_follow_is_let_alone(side: str, army: str, port: str, lines: list[str]) -> None:
    state = position("fall-of-germany", side)
    put(state, army, port, amph=6)
    assert notes(state, side, *lines) == []


# ------------------------------------------------------------------ naval fire


def test_the_navy_fires_once_for_each_open_sea_hexside_at_the_army_it_chose() -> None:
    state = axis_north_sea()
    state.armies["B"].amph, state.armies["C"].amph, state.armies["C"].inf = 6, 9, 0
    state.armies["B"].inf = 0
    state.armies["B"].place = "R9"
    orders = ["STANDING NAVALFIRE INVASIONS AT C", "STANDING COASTAL S7 AT C"]
    _, events = run(state, {"axis": ["INVADE B S7 VIA R8", "INVADE C S7"], "allies": orders})
    fired = of(NavalFired, events)
    # HW-13.9: C crosses Q9-R8, R8-S8, S8-S7 and takes one fire on each; only R9-R8 is left for B.
    assert [(event.army, frozenset(event.hexside)) for event in fired] == [
        ("B", frozenset({"R9", "R8"})),
        ("C", frozenset({"R8", "S8"})),
        ("C", frozenset({"S8", "S7"})),
        ("C", frozenset({"Q9", "R8"})),
    ]
    assert {event.strength for event in fired} == {6}  # HW-13.8
    assert [event.army for event in of(CoastalAirFired, events)] == ["C"]  # HW-13.12


def test_without_orders_the_navy_fires_at_the_most_amphibious_army_fire_by_fire() -> None:
    state = axis_north_sea()
    _, events = run(state, {"axis": ["INVADE B S7", "INVADE C S7"]}, [1, 1, 1, *[6] * 9])
    # B 3 amphibious, C 2; each fire of 6 on a 1 kills two points, one of them amphibious (HW-13.10).
    assert [event.army for event in of(NavalFired, events)] == ["B", "B", "C"]
    assert "D-26" in {event.decision for event in of(DefaultUsed, events)}


@pytest.mark.parametrize(
    ("order", "armies"),
    [
        ("NAVALFIRE INVASIONS AT BIGGEST", ["B", "B", "B"]),
        ("NAVALFIRE INVASIONS AT C", ["C", "C", "B"]),  # C has three points and is gone after two fires
        ("NAVALFIRE INVASIONS SPREAD", ["B", "C", "B"]),
        ("NAVALFIRE INVASIONS NEVER", []),
    ],
)
def test_the_navy_follows_its_standing_order(order: str, armies: list[str]) -> None:
    state = axis_north_sea()
    state.armies["B"].inf, state.armies["B"].amph = 4, 5
    dice = [1] * 3 + [6] * 9
    _, events = run(state, {"axis": ["INVADE B S7", "INVADE C S7"], "allies": [f"STANDING {order}"]}, dice)
    assert [event.army for event in of(NavalFired, events)] == armies


def test_reserved_fires_are_kept_for_their_army() -> None:
    state = axis_north_sea()
    state.armies["B"].inf, state.armies["B"].amph = 4, 5
    orders = ["STANDING NAVALFIRE INVASIONS AT BIGGEST", "STANDING NAVALFIRE RESERVE 1 FOR C"]
    _, events = run(state, {"axis": ["INVADE B S7", "INVADE C S7"], "allies": orders}, [6] * 12)
    assert [event.army for event in of(NavalFired, events)] == ["B", "B", "C"]


def test_until_amph_0_the_navy_turns_to_another_army() -> None:
    state = axis_north_sea()
    state.armies["B"].inf, state.armies["B"].amph = 1, 1
    order = "STANDING NAVALFIRE INVASIONS AT B UNTIL AMPH=0"
    _, events = run(state, {"axis": ["INVADE B S7", "INVADE C S7"], "allies": [order]}, [6] * 12)
    assert [event.army for event in of(NavalFired, events)] == ["B", "C", "C"]


def test_until_amph_0_the_navy_goes_on_where_no_amphibious_point_is_left_at_all() -> None:
    """D-26: an army without landing craft is left alone only if there is another in reach."""
    state = axis_north_sea()
    del state.armies["C"]
    put(state, "B", "Q9", inf=2, amph=2)
    order = "STANDING NAVALFIRE INVASIONS AT BIGGEST UNTIL AMPH=0"
    _, events = run(state, {"axis": ["INVADE B S7"], "allies": [order]}, [6] * 12)
    assert [event.army for event in of(NavalFired, events)] == ["B", "B", "B"]
    assert [event.lost for event in of(PointsLost, events)] == [{"amph": 1}, {"amph": 1}, {"inf": 1}]


@pytest.mark.parametrize(("aim", "army"), [("BIGGEST", "B"), ("MOSTAMPH", "C"), ("C", "C"), ("B", "B")])
def test_the_biggest_army_is_not_always_the_most_amphibious(aim: str, army: str) -> None:
    """D-26, D-27: both kinds of fire take the army they are told to."""
    state = axis_north_sea()
    put(state, "B", "Q9", inf=4, amph=4)
    put(state, "C", "Q9", amph=6)
    orders = [f"STANDING NAVALFIRE INVASIONS AT {aim}", f"STANDING COASTAL ALL AT {aim}"]
    _, events = run(state, {"axis": ["INVADE B S7", "INVADE C S7"], "allies": orders}, [6] * 12)
    assert of(NavalFired, events)[0].army == army
    assert not {"D-26", "D-27"} & {event.decision for event in of(DefaultUsed, events)}


@pytest.mark.parametrize(("lines", "told"), [(["INVADE B S7"], 0), (["INVADE B S7", "INVADE C S7"], 1)])
def test_defaults_of_the_guns_are_told_once_and_only_where_there_was_a_choice(lines: list[str], told: int) -> None:
    """D-26, D-27."""
    _, events = run(axis_north_sea(), {"axis": lines}, [6] * 12)
    decisions = [event.decision for event in of(DefaultUsed, events) if event.side == "allies"]
    assert [decisions.count("D-26"), decisions.count("D-27")] == [told, told]


def test_half_of_each_fires_losses_rounded_up_are_amphibious_while_any_are_left() -> None:
    state = axis_north_sea()
    state.armies["B"].inf, state.armies["B"].amph = 3, 3
    lines = ["INVADE B S7", "LOSSES B TYPES I,A"]
    _, events = run(state, {"axis": lines}, [6, 1, *[6] * 9])
    losses = [event.lost for event in of(PointsLost, events) if event.army == "B"]
    assert losses[0] == {"amph": 1}  # one hit: half of one, rounded up (HW-13.10)
    assert losses[1] == {"amph": 1, "inf": 1}  # D-28: the rest as ordered


@pytest.mark.parametrize(
    ("points", "lines", "told"),
    [
        ({"inf": 3, "amph": 3}, [], True),
        ({"amph": 6}, [], False),  # there is nothing to choose
        ({"inf": 3, "amph": 3}, ["LOSSES B TYPES I,A"], False),
    ],
)
def test_the_owner_hears_when_a_default_chose_his_losses(
    points: dict[str, int], lines: list[str], *, told: bool
) -> None:
    """D-28."""
    state = axis_north_sea()
    del state.armies["C"]
    put(state, "B", "Q9", **points)
    _, events = run(state, {"axis": ["INVADE B S7", *lines]}, [1, *[6] * 9])  # two hits, one of them amphibious
    assert ("D-28" in {event.decision for event in of(DefaultUsed, events)}) == told


def test_only_axis_invaders_are_fired_at_and_only_in_two_seas() -> None:
    _, events = run(allied_channel(), {"allies": ["INVADE 2Br N6"]})
    assert of(NavalFired, events) == []
    state = position("fall-of-germany", "axis")
    put(state, "B", "Q13", amph=2)
    state.ground["S14"].owner = "soviet"
    _, events = run(state, {"axis": ["INVADE B S14"]})
    assert of(NavalFired, events) == []  # HW-13.8: the Baltic


def test_an_arrow_counts_its_printed_hexsides() -> None:
    state = position("fall-of-germany", "axis")
    put(state, "B", "BRAFRICA", amph=99)
    _, events = run(state, {"axis": ["INVADE B INDIA"]}, [6] * 100)
    assert len(of(NavalFired, events)) == 65  # HW-13.8: from British Africa to India
    state.armies["B"].amph = 99
    _, events = run(state, {"axis": ["INVADE B D15 VIA A18"]}, [6] * 100)
    assert len(of(NavalFired, events)) == 54  # 50 off the map and four on it


# ------------------------------------------------------------------ support and coastal air


def test_the_allied_navy_supports_a_landing_on_an_atlantic_coast_once() -> None:
    state = allied_channel()
    put(state, "1US", "P6", amph=2)
    _, events = run(state, {"allies": ["INVADE 2Br N6", "INVADE 1US N6"]}, [1, *[6] * 9])
    (fired,) = of(SupportFired, events)  # HW-13.11: one shot a hex
    assert (fired.target, fired.strength, fired.hits) == ("N6", 6, 2)
    assert ("WEST", "losses") in {(event.army, event.cause) for event in of(ArmyEliminated, events)}


def test_no_support_in_the_mediterranean() -> None:
    state = position("fall-of-germany", "allies")
    put(state, "5US", "H10", amph=3)
    state.ground["J8"].owner = "axis"  # Sardinia
    _, events = run(state, {"allies": ["INVADE 5th J8"]})
    assert of(SupportFired, events) == []


@pytest.mark.parametrize(("line", "targets"), [("SUPPORT NONE", []), ("SUPPORT N6", ["N6"])])
def test_the_player_says_where_the_navy_supports(line: str, targets: list[str]) -> None:
    state = allied_channel()
    put(state, "1US", "P6", amph=2)
    _, events = run(state, {"allies": ["INVADE 2Br N6", "INVADE 1US O7", line]})
    assert [event.target for event in of(SupportFired, events)] == targets  # D-29


def test_hexes_to_support_may_stand_on_several_lines() -> None:
    """D-29."""
    state = allied_channel()
    put(state, "1US", "P6", amph=2)
    put(state, "5US", "P6", amph=2)
    lines = ["INVADE 2Br N6", "INVADE 1US O7", "INVADE 5th M7", "SUPPORT N6", "SUPPORT O7"]
    _, events = run(state, {"allies": lines})
    assert [event.target for event in of(SupportFired, events)] == ["N6", "O7"]


@pytest.mark.parametrize("line", ["SUPPORT O7", "SUPPORT N6,O7"])
def test_support_of_a_hex_that_nobody_invades_is_refused(line: str) -> None:
    """And a line that is refused changes nothing: the landings have the support they have without it."""
    _, events = run(allied_channel(), {"allies": ["INVADE 2Br N6", line]})
    (refusal,) = refusals(events)
    assert "O7 is not invaded" in refusal.why
    assert "without a SUPPORT line every landing on the Atlantic is supported" in refusal.remedy
    assert [event.target for event in of(SupportFired, events)] == ["N6"]


def test_support_of_one_hex_and_of_none_contradict_each_other() -> None:
    _, events = run(allied_channel(), {"allies": ["INVADE 2Br N6", "SUPPORT NONE", "SUPPORT N6"]})
    (refusal,) = refusals(events)
    assert (refusal.line, refusal.why) == (2, "other lines call for support of N6")
    assert [event.target for event in of(SupportFired, events)] == ["N6"]


def test_support_outside_the_atlantic_is_refused() -> None:
    """HW-13.11."""
    state = allied_channel()
    put(state, "5US", "K9", inf=3, amph=3)
    _, events = run(state, {"allies": ["INVADE 5th L9", "INVADE 2Br N6", "SUPPORT L9"]})
    assert "L9 is not on the Atlantic" in refusals(events)[0].why
    assert [event.target for event in of(SupportFired, events)] == ["N6"]


def test_only_the_allies_have_a_navy_that_supports() -> None:
    """HW-13.11: an Axis SUPPORT line is refused, and nothing fires for it."""
    state = axis_north_sea()
    _, events = run(state, {"axis": ["INVADE B S7", "SUPPORT S7"]})
    assert "only the Allies" in refusals(events)[0].why
    assert refusals(events)[0].remedy
    assert of(SupportFired, events) == []


def test_coastal_air_fires_unless_the_attacker_held_a_neighbour_when_combat_began() -> None:
    state = allied_channel()
    _, events = run(state, {"allies": ["INVADE 2Br N6"]})
    assert [(event.army, event.strength) for event in of(CoastalAirFired, events)] == [("2BR", 6)]  # HW-13.12
    state.ground["M7"].owner = "allies"
    _, events = run(state, {"allies": ["INVADE 2Br N6"]})
    assert of(CoastalAirFired, events) == []


def test_a_landing_of_this_very_turn_does_not_ground_the_air_force() -> None:
    state = allied_channel()
    put(state, "1US", "P6", amph=4)
    state.armies.pop("WEST")
    _, events = run(state, {"allies": ["INVADE 2Br N6", "INVADE 1US O7"]}, [6] * 4 + [6] * 2 + [1] * 2)
    assert {event.target for event in of(CoastalAirFired, events)} == {"N6"}  # O7 touches London
    state.ground["P7"].owner = "axis"


def test_coastal_air_over_a_box_fires_with_ten_at_an_axis_invader() -> None:
    state = position("fall-of-germany", "axis")
    put(state, "B", "BRAFRICA", amph=99)
    _, events = run(state, {"axis": ["INVADE B INDIA"]}, [6] * 100)
    assert of(CoastalAirFired, events)[0].strength == 10


def test_an_unaligned_country_has_no_coastal_air() -> None:
    state = position("campaign-1", "allies", turn=4)
    put(state, "BRITAIN", "P7", amph=4)
    _, events = run(state, {"allies": ["VIOLATE Norway", "INVADE Britain U9"]})
    assert of(InvasionAnnounced, events) != []
    assert of(CoastalAirFired, events) == []  # HW-13.12, HW-19.9


# ------------------------------------------------------------------ assaults and advances


@pytest.mark.parametrize(("die", "place"), [(2, "J8"), (3, "H10")])
def test_operation_avalanche(die: int, place: str) -> None:
    """HW-13: the worked example, on Sardinia, which is no mountain; Corsica keeps the air force away."""
    state = position("fall-of-germany", "allies")
    put(state, "5US", "H10", inf=4, mech=1, amph=5)
    put(state, "C", "J8", inf=4, mech=2)
    orders = {"allies": ["INVADE Fifth J8 FROM H10 ASSAULT"], "axis": ["STANDING DEFEND J8 NOW"]}
    # Defence of 6 on a 4 is 1; assault of 4 on a 5 is 0; row 8 against 6 needs 1-2.
    after, events = run(state, orders, [4, 5, die])
    assert [event.lost for event in of(PointsLost, events)] == [{"amph": 1}]
    assert [event.strength for event in of(Fired, events)] == [6, 4]  # HW-13.14: amphibious points alone
    (landing,) = of(LandingTried, events)
    assert (landing.row, landing.column, landing.cell) == (8, "6", 2)  # HW-13.15: four and as many others
    assert after.armies["5US"].place == place
    assert after.armies["5US"].points == {"inf": 4, "mech": 1, "amph": 4}


@pytest.mark.parametrize(
    ("points", "row"),
    [
        ({"amph": 4, "mech": 2, "inf": 3}, 8),  # the worked example
        ({"amph": 4, "inf": 1}, 5),
        ({"amph": 0, "inf": 5}, 0),  # all amphibious points lost on the way
        ({"amph": 7, "mech": 7}, 10),
    ],
)
def test_the_row_of_a_landing(points: dict[str, int], row: int) -> None:
    army = Army("5US", "allies", "H10", **points)
    army.route, war = ("H10", "I11"), war_of(position("fall-of-germany", "allies"))
    assert advance_row(war, army) == row  # HW-13.15
    assert assault_strength(war, army, "I11") == points["amph"]


def test_a_beaten_invader_stays_on_its_own_coast_and_is_finished() -> None:
    state = allied_channel()
    put(state, "WEST", "N6", inf=10)
    after, events = run(state, {"allies": ["INVADE 2Br N6", "EXPLOIT 2Br N7"]})
    army = after.armies["2BR"]
    assert (army.place, army.finished, army.invading) == ("P7", True, False)  # HW-13.7
    assert of(NavalFired, events) == []


def test_a_landed_army_goes_on_like_any_other_with_one_hex_behind_it() -> None:
    state = allied_channel()
    state.armies.pop("WEST")
    put(state, "2BR", "P7", mech=5, amph=5)
    after, events = run(state, {"allies": ["INVADE 2Br N6 SAVE", "EXPLOIT 2Br N7:SAVE"]}, [6, 6, 1, 1])
    # support kills the garrison, coastal air one amphibious; row 8 against 0, then 5 mechanized against 1.
    assert after.armies["2BR"].place == "N7"
    onward = [event for event in events if type(event).__name__ == "AdvanceTried"]
    assert onward[0].row == 5
    assert sum(modifier.value for modifier in onward[0].roll.modifiers) == 1  # HW-13.16


def test_a_capture_from_the_sea_devastates_and_drives_defenders_back() -> None:
    state = allied_channel()
    after, events = run(state, {"allies": ["INVADE 2Br N6 SAVE"]}, [6, 6, 6, 1])
    assert [event.place for event in of(PlaceCaptured, events) if event.how == "advance"] == ["N6"]
    assert after.ground["N6"].devastated == 1  # HW-4.3
    assert after.armies["WEST"].place != "N6"
    assert of(ArmyLanded, events)[0].origin == "P7"


def test_a_friendly_hex_takes_an_invader_in_without_a_roll() -> None:
    state = allied_channel()
    after, events = run(state, {"allies": ["INVADE 2Br G11"]}, [])
    assert after.armies["2BR"].place == "G11"  # HW-13.17
    assert of(LandingTried, events)[0].roll is None


def test_nobody_fires_at_friends_who_come_ashore() -> None:
    """HW-13.17: neither the army nor the fort of Malta."""
    state = allied_channel()
    put(state, "8BR", "G11", inf=4)
    put_fort(state, "G11", 2)
    after, events = run(state, {"allies": ["INVADE 2Br G11", "STANDING DEFEND ALL NOW"]}, [])
    assert after.armies["2BR"].place == "G11"
    assert of(Fired, events) == []


def test_nobodys_aircraft_fire_at_an_army_that_comes_home() -> None:
    """HW-13.12, HW-13.17: an island or a box of one's own has no friendly hex beside it either."""
    state = position("fall-of-germany", "allies")
    put(state, "8BR", "BRAFRICA", amph=2)
    after, events = run(state, {"allies": ["INVADE 8Br INDIA"]}, [])
    assert after.armies["8BR"].place == "INDIA"
    assert of(CoastalAirFired, events) == of(SupportFired, events) == []


def test_an_axis_army_on_its_way_to_a_friendly_hex_is_still_fired_at() -> None:
    state = position("fall-of-germany", "axis")
    put(state, "B", "Q9", amph=9)
    _, events = run(state, {"axis": ["INVADE B U9"]}, [6] * 20)
    assert of(NavalFired, events) != []  # HW-13.17


def test_the_second_wave_comes_ashore_in_the_hex_the_first_has_taken() -> None:
    state = allied_channel()
    state.armies.pop("WEST")
    put(state, "1US", "P6", inf=1, amph=1)
    lines = ["INVADE 1US N6 AFTER 2Br SAVE", "INVADE 2Br N6 SAVE"]
    after, events = run(state, {"allies": lines}, [6, 6, 1])
    assert [event.army for event in of(LandingTried, events)] == ["2BR", "1US"]  # D-31
    assert [event.roll is None for event in of(LandingTried, events)] == [False, True]
    assert after.armies["1US"].place == "N6"


def test_landings_are_over_before_other_attacks_are_fired_on() -> None:
    state = allied_channel()
    put(state, "5US", "O7", inf=3, mech=3)  # a bridgehead beside Brest
    lines = ["ATTACK 5th N6 ASSAULT ADVANCE", "INVADE 2Br N6 ASSAULT"]
    _, events = run(state, {"allies": lines})
    assert of(AttackAnnounced, events) != []
    fired = [event for event in of(Fired, events) if event.defensive]
    assert [event.target for event in fired] == ["N6"]  # HW-40.3: at the invaders, and not again


@pytest.mark.parametrize(("policy", "target"), [("INVADERS", "N6"), ("LAND", "O7")])
def test_a_hex_attacked_from_both_sides_fires_where_it_was_told(policy: str, target: str) -> None:
    state = allied_channel()
    put(state, "WEST", "N6", inf=8)
    put(state, "5US", "O7", inf=3, mech=3)
    lines = ["ATTACK 5th N6 ASSAULT ADVANCE", "INVADE 2Br N6 ASSAULT"]
    orders = {"allies": lines, "axis": [f"STANDING DEFEND N6 {policy}"]}
    _, events = run(state, orders)
    fired = [event for event in of(Fired, events) if event.defensive]
    assert [event.target for event in fired] == [target]  # D-32


def test_land_is_no_reason_to_hold_the_shot_where_only_invaders_come() -> None:
    orders = {"allies": ["INVADE 2Br N6"], "axis": ["STANDING DEFEND N6 LAND"]}
    _, events = run(allied_channel(), orders, [6, 6, 6, 6, 6])
    assert [event.defensive for event in of(Fired, events)] == [True, False]


def test_invaders_of_one_hex_share_the_losses_of_its_defence() -> None:
    state = allied_channel()
    put(state, "WEST", "N6", inf=10)
    put(state, "1US", "P7", amph=2)
    state.armies["2BR"].inf = state.armies["2BR"].mech = 0
    lines = ["INVADE 2Br N6", "INVADE 1US N6", "LOSSES N6 FROM 1US,2Br TYPES A"]
    _, events = run(state, {"allies": lines}, [6, 6, 1, *[6] * 4])
    lost = [(event.army, event.count) for event in events if isinstance(event, PointsLost | ArmyEliminated)]
    assert ("1US", 2) in lost  # HW-13.13: the owner divides them
    assert ("2BR", 2) in lost


def test_fort_points_fire_at_invaders_too() -> None:
    state = allied_channel()
    put_fort(state, "N6", 3)
    _, events = run(state, {"allies": ["INVADE 2Br N6"]})
    (defence,) = [event for event in of(Fired, events) if event.defensive]
    assert (defence.fort, defence.strength) == (True, 5)


# ------------------------------------------------------------------ fog


def test_the_defender_does_not_learn_where_an_invader_sailed_from() -> None:
    state = allied_channel(fog="fog")
    state.armies["2BR"].place = "G11"
    _, events = run(state, {"allies": ["INVADE 2Br N6"]})
    told = GAME.told(events, "axis", "fog")
    (announced,) = of(InvasionAnnounced, told)
    assert (announced.place, announced.route) == ("?", ())
    assert of(Fired, told) != []
    hidden = {"G11", *of(InvasionAnnounced, events)[0].route[:-1]}
    places = {getattr(event, name, "") for event in told for name in ("place", "origin", "target")}
    assert not hidden & places


def test_a_navy_hears_what_it_hit_far_from_its_own_coasts() -> None:
    """HW-13.8, HW-13.17: the Allies cannot see Trondheim, where the army is bound for; they see their own shells strike."""
    state = position("fall-of-germany", "axis", fog="fog")
    put(state, "B", "Q9", inf=2, amph=4)
    _, events = run(state, {"axis": ["INVADE B U9"]}, [1] * 9)
    assert "allies" not in war_of(state).seeing("U9")
    told = GAME.told(events, "allies", "fog")
    assert [(event.army, event.count) for event in of(PointsLost, told)] == [("B", 2)]
    assert of(PointsLost, GAME.told(events, "soviet", "fog")) == []


def test_the_third_side_hears_nothing_of_a_landing_out_of_its_sight() -> None:
    state = allied_channel(fog="fog")
    _, events = run(state, {"allies": ["INVADE 2Br N6"]})
    assert of(InvasionAnnounced, GAME.told(events, "soviet", "fog")) == []
