"""Unaligned countries: who may be attacked, and whom they join (HW-17, HW-19)."""

import pytest

from engine.game import Options
from engine.hitlers_war.events import ArmyJoined, AttackAnnounced, CountryJoined, CountryViolated, OrderRefused
from engine.hitlers_war.politics import join_attacked_countries, note_attack
from engine.hitlers_war.state import UNALIGNED, Army, Country, State
from engine.orders import Kind
from tests.overseas import GAME, of, position, put, refusals, run, war_of


def campaign(phasing: str = "axis", turn: int = 0) -> State:
    """All places as at the start, one army of each side, and nobody else on the map."""
    state = position("campaign-1", phasing, turn)
    put(state, "SOUTH", "P11", inf=3, mech=7)
    put(state, "MOSCOW", "Q17", inf=2, mech=2)
    put(state, "BRITAIN", "P7", inf=2, mech=2)
    return state


def owners(state: State, country: str) -> set[str]:
    war = war_of(state)
    return {war.owner(place) for place in war.board.of_country(country)}


# ------------------------------------------------------------------ what may be attacked


def test_an_attack_on_an_unaligned_country_needs_to_be_declared() -> None:
    """D-40: so that a typing error starts no war."""
    _, events = run(campaign(), {"axis": ["ATTACK South P12 ASSAULT"]})
    (refusal,) = refusals(events)
    assert "P12 is in Poland, which is unaligned" in refusal.why
    assert "VIOLATE Poland" in refusal.remedy
    assert not of(AttackAnnounced, events)


def test_a_declared_attack_is_carried_out() -> None:
    _, events = run(campaign(), {"axis": ["VIOLATE Poland", "ATTACK South P12 ASSAULT"]}, [6])
    assert not refusals(events)
    assert of(CountryViolated, events) == [CountryViolated("Poland", "axis")]


def test_a_declaration_alone_is_no_attack() -> None:
    """HW-19.10: only an announced attack counts."""
    state, events = run(campaign(), {"axis": ["VIOLATE Poland", "VIOLATE Denmark"]})
    assert not of(CountryViolated, events)
    assert owners(state, "Denmark") == {UNALIGNED}


def test_a_declaration_is_for_one_player_turn_and_one_side() -> None:
    state, _ = run(campaign(), {"axis": ["VIOLATE Poland"]})
    assert state.phasing == "soviet"
    assert not state.violated


def test_a_declaration_holds_at_the_checkpoints_of_the_player_turn() -> None:
    """The lines of the first sheet count for exploitation too; the others do not hear of it."""
    state = campaign()
    state.options = Options(fog="open", mode="checkpoint", edition="1984")
    put(state, "NORTH", "Q13", mech=5)
    state, _ = run(state, {"axis": ["VIOLATE Poland", "ATTACK North Q12 ADVANCE"]}, [1])
    assert GAME.view(state, "axis", "open").violated == ("Poland",)
    assert GAME.view(state, "soviet", "open").violated == ()
    state, events = run(state, {"axis": ["EXPLOIT North P12"]}, [1])
    assert state.armies["NORTH"].place == "P12", events


def test_the_receipt_says_so_too() -> None:
    state = campaign()
    view = GAME.view(state, "axis", "open")
    findings = GAME.check(view, GAME.parse("ATTACK South P12 ADVANCE", view))
    assert any("VIOLATE Poland" in finding.remedy for finding in findings if finding.kind is Kind.ILLEGAL)


def test_the_receipt_notes_a_declaration_that_no_line_makes_use_of() -> None:
    state = campaign()
    put(state, "SOUTH", "N12", inf=3, mech=7)
    view = GAME.view(state, "axis", "open")
    lines = ["VIOLATE Poland", "VIOLATE Spain", "ATTACK South O13 ASSAULT ADVANCE"]
    findings = GAME.check(view, GAME.parse("\n".join(lines), view))
    assert [(finding.line, finding.why) for finding in findings if finding.line] == [
        (2, "no line of this sheet attacks Spain, so this one does nothing")
    ]


@pytest.mark.parametrize(
    ("side", "line", "why"),
    [
        ("axis", "STANDING NAVALFIRE INVASIONS NEVER", "Only the Allies have a navy that fires"),
        ("soviet", "STANDING NAVALFIRE RESERVE 2 FOR West", "Only the Allies have a navy that fires"),
        ("axis", "STANDING LENDLEASE ALWAYS 4", "Only the Allies give lend-lease"),
        ("allies", "STANDING SURRENDER-TERMS REFUSE", "for the Axis to accept or to refuse"),
        ("soviet", "SURRENDER-TERMS ACCEPT", "for the Axis to accept or to refuse"),
        ("allies", "STANDING LOSSES ITALY-SURRENDER TYPES I", "Only the Axis loses points when Italy surrenders"),
        ("allies", "STANDING GIFT Rumania L14", "bring their forces to the Axis alone"),
        ("axis", "STANDING GIFT Spain J5", "Spain brings no forces"),
        ("axis", "STANDING GIFT Finland P10", "The forces of Finland appear in Finland"),
        ("allies", "STANDING ADOPT Spain AS 8Br", "Spain has no army that could change over"),
    ],
)
def test_an_order_that_can_never_count_is_refused(side: str, line: str, why: str) -> None:
    """It would stand on the record sheet for years and do nothing."""
    sheet = GAME.parse(line, GAME.view(campaign(side), side, "open"))
    (finding,) = sheet.findings
    assert finding.kind is Kind.ILLEGAL
    assert why in finding.why
    assert finding.remedy
    assert sheet.lines == ()


@pytest.mark.parametrize("country", ["Switzerland", "Saudi Arabia"])
def test_some_countries_are_closed_to_everybody(country: str) -> None:
    """HW-19.1."""
    _, events = run(campaign(), {"axis": [f"VIOLATE {country}"]})
    (refusal,) = refusals(events)
    assert f"{country} is closed to everybody" in refusal.why


def test_switzerland_cannot_be_attacked() -> None:
    state = campaign()
    put(state, "WEST", "N9", inf=4)
    _, events = run(state, {"axis": ["ATTACK West M10 ASSAULT"]})
    (refusal,) = refusals(events)
    assert "M10 is in Switzerland, which is closed to everybody (HW-19.1)" in refusal.why


def test_a_country_of_a_side_needs_no_declaration() -> None:
    _, events = run(campaign(), {"axis": ["VIOLATE France"]})
    (refusal,) = refusals(events)
    assert "it is held by the Allies" in refusal.why


@pytest.mark.parametrize(("side", "army", "target"), [("soviet", "MOSCOW", "Q16"), ("allies", "BRITAIN", "Q7")])
def test_soviets_and_allies_never_attack_each_other(side: str, army: str, target: str) -> None:
    """HW-17.1."""
    state = campaign(side)
    state.ground[target].owner = "allies" if side == "soviet" else "soviet"
    _, events = run(state, {side: [f"ATTACK {army} {target} ASSAULT"]})
    assert any("never attack or enter each other (HW-17.1)" in refusal.why for refusal in refusals(events))


def test_the_enemies_of_each_side() -> None:
    war = war_of(campaign())
    assert {side: war.enemies_of(side) for side in war.scenario.sides} == {
        "axis": ("soviet", "allies"),
        "soviet": ("axis",),
        "allies": ("axis",),
    }


# ------------------------------------------------------------------ taking sides


@pytest.mark.parametrize(
    ("attacker", "country", "side"),
    [
        ("axis", "Spain", "allies"),
        ("axis", "Low Countries", "allies"),
        ("axis", "Finland", "soviet"),
        ("axis", "Baltic States", "soviet"),
        ("axis", "Hungary", "soviet"),
        ("axis", "Rumania", "soviet"),
        ("axis", "Bulgaria", "soviet"),
        ("soviet", "Turkey", "axis"),
        ("allies", "Norway", "axis"),
        ("allies", "Hungary", "axis"),
    ],
)
def test_whom_an_attacked_country_joins(attacker: str, country: str, side: str) -> None:
    """HW-19.3, HW-19.4: with its production intact."""
    state = campaign(attacker)
    war = war_of(state)
    hexes = war.board.of_country(country)
    note_attack(war, hexes[0])
    join_attacked_countries(war)
    assert owners(state, country) == {side}
    assert all(not state.ground[place].devastated for place in hexes)
    assert state.countries[country].joined == state.turn
    assert of(CountryJoined, war.events)[0].case == "HW-19.3"


def test_hexes_that_were_captured_stay_with_the_captor() -> None:
    """HW-19.3: all its uncaptured hexes."""
    state = campaign()
    war = war_of(state)
    note_attack(war, "O9")
    state.ground["O9"].owner = "axis"
    join_attacked_countries(war)
    assert (state.ground["O9"].owner, state.ground["P8"].owner) == ("axis", "allies")


def test_poland_joins_nobody() -> None:
    """HW-19.5."""
    state = campaign()
    war = war_of(state)
    note_attack(war, "P12")
    join_attacked_countries(war)
    assert owners(state, "Poland") == {UNALIGNED}


def test_a_country_that_was_taken_whole_joins_nobody() -> None:
    """HW-19.6: nothing is left to join."""
    state = campaign("allies")
    war = war_of(state)
    note_attack(war, "G14")
    state.ground["G14"].owner = "allies"
    join_attacked_countries(war)
    assert not of(CountryJoined, war.events)
    assert next(row.status for row in GAME.view(state, None, "open").politics if row.country == "Crete") == "conquered"


def test_the_first_attacker_decides() -> None:
    state = campaign()
    war = war_of(state)
    note_attack(war, "P12")
    state.phasing = "soviet"
    note_attack(war, "P12")
    assert state.countries["Poland"].attackers == ("axis", "soviet")


def test_each_side_declares_its_own_first_attack() -> None:
    """Poland stays unaligned, so a second side can come; it has to mean it, too."""
    state = campaign("soviet")
    put(state, "1UKR", "P14", inf=4)
    state.ground["P13"].owner = UNALIGNED
    war = war_of(state)
    state.phasing = "axis"
    note_attack(war, "P12")
    state.phasing = "soviet"
    _, events = run(state, {"soviet": ["ATTACK 1Ukr P13 ASSAULT"]})
    assert "VIOLATE Poland" in refusals(events)[0].remedy


# ------------------------------------------------------------------ Italy and the United States


def with_italy(state: State) -> State:
    state.armies["ITALY"] = Army("ITALY", UNALIGNED, "L9", inf=4, mech=1)
    return state


def test_italy_and_her_allies_act_together() -> None:
    """HW-19.1, HW-20.1: an attack on one of the yellow countries is an attack on all."""
    state = with_italy(campaign("allies"))
    war = war_of(state)
    note_attack(war, "D12")
    join_attacked_countries(war)
    assert {
        owner for country in ("Italy", "Libya", "Sicily", "Sardinia", "Albania") for owner in owners(state, country)
    } == {"axis"}
    assert (state.armies["ITALY"].side, state.armies["ITALY"].points) == ("axis", {"inf": 4, "mech": 1})


def test_italy_attacked_by_the_axis_fights_for_the_allies() -> None:
    """HW-19.7: an Allied army of identical strength, under the first free counter."""
    state = with_italy(campaign())
    war = war_of(state)
    note_attack(war, "L9")
    join_attacked_countries(war)
    (joined,) = of(ArmyJoined, war.events)
    assert (joined.side, joined.previously, joined.points) == ("allies", "ITALY", {"inf": 4, "mech": 1})
    assert "ITALY" not in state.armies
    assert state.armies[joined.army].place == "L9"


def test_the_counter_of_a_converted_army_can_be_chosen() -> None:
    """D-45."""
    state = with_italy(campaign())
    state, _ = run(state, {"axis": [], "allies": ["STANDING ADOPT Italy AS 8Br"]})
    war = war_of(state)
    state.phasing = "axis"
    note_attack(war, "L9")
    join_attacked_countries(war)
    assert state.armies["8BR"].points == {"inf": 4, "mech": 1}


def test_without_a_free_counter_the_nearest_army_takes_the_points() -> None:
    """HW-19.7."""
    state = with_italy(campaign())
    for number, counter in enumerate(war_of(state).free_counters("allies")):
        state.armies[counter] = Army(counter, "allies", "P7" if number else "L8", inf=1)
    near = next(army.id for army in state.armies.values() if army.place == "L8")
    war = war_of(state)
    note_attack(war, "L9")
    join_attacked_countries(war)
    assert state.armies[near].points == {"inf": 5, "mech": 1}


def test_unaligned_forces_defend_and_do_nothing_else() -> None:
    """HW-22.1."""
    state = with_italy(campaign())
    view = GAME.view(state, "axis", "open")
    assert view.armies["ITALY"].side == UNALIGNED
    assert "ITALY" not in view.free_armies
    _, events = run(state, {"axis": ["GOTO Italy K10"]})
    assert "ITALY waits for its country" in refusals(events)[0].why


def test_an_unaligned_army_fires_in_defence() -> None:
    state = with_italy(campaign())
    put(state, "WEST", "M11", inf=4)
    _, events = run(state, {"axis": ["VIOLATE Italy", "ATTACK West L10 ASSAULT"]}, [1, 1])
    assert not refusals(events)


# ------------------------------------------------------------------ what is known


def test_alliances_are_public_in_fog() -> None:
    """What is out of sight is known to have joined, though nobody saw it."""
    state = GAME.setup("campaign-1", Options(fog="fog"))
    war = war_of(state)
    state.phasing = "allies"
    note_attack(war, "T10")
    join_attacked_countries(war)
    view = GAME.view(war.state, "soviet", "fog")
    assert {view.places[place].owner for place in war.board.of_country("Norway")} == {"axis"}
    assert next(row for row in view.politics if row.country == "Norway").status == "axis"


def test_the_table_of_politics_tells_what_will_come() -> None:
    """HW-41."""
    table = {row.country: row for row in GAME.view(GAME.setup("campaign-1", Options()), "allies", "fog").politics}
    assert table["Italy"].prospect == "joins the Axis next season (Spring 1940)"
    assert table["Rumania"].prospect == "joins the Axis in Summer 1941"
    assert table["United States"].prospect == "joins the Allies in Spring 1942"
    assert table["Spain"].prospect == ""
    assert table["Switzerland"].status == "neutral"


# ------------------------------------------------------------------ counters that wait for their country


@pytest.mark.parametrize("line", ["FORM ITALY P10 1I FROM NORTH", "SET ITALY P10 1I", "GOTO ITALY P10"])
@pytest.mark.parametrize("alive", [True, False])
def test_nobody_uses_the_counter_of_a_country_that_has_not_joined(line: str, alive: bool) -> None:
    """HW-22.1: the Italian Army is Italy's, and whether it still lives is not told by what the Axis may form."""
    state = position("campaign-1", "axis")
    put(state, "NORTH", "P10", inf=5)
    if alive:
        put(state, "ITALY", "L9", inf=4, mech=1).side = "unaligned"
        state.ground["L9"].owner = "unaligned"
    after, events = run(state, {"axis": [line]})
    assert [event.why for event in events if isinstance(event, OrderRefused)] == [
        "ITALY waits for its country (HW-22.1)"
    ]
    assert "ITALY" not in GAME.view(state, "axis", "open").free_armies
    assert ("ITALY" in after.armies) == alive
    assert not alive or after.armies["ITALY"].points == {"inf": 4, "mech": 1}


def test_the_counter_of_a_country_that_has_joined_is_free_when_its_army_is_gone() -> None:
    state = position("campaign-1", "axis", 5)
    put(state, "NORTH", "P10", inf=5)
    state.countries["Italy"] = Country(side="axis", joined=2)
    for place in war_of(state).board.of_country("Italy"):
        state.ground[place].owner = "axis"
    after, _ = run(state, {"axis": ["FORM ITALY P10 1I FROM NORTH"]})
    assert after.armies["ITALY"].points == {"inf": 1}
