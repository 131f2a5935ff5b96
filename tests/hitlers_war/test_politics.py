"""Unaligned countries: who may be attacked, and whom they join (HW-17, HW-19)."""

from fractions import Fraction

import pytest

from engine.game import Options
from engine.grand_strategy.events import ArmyJoined, AttackAnnounced, CountryJoined, CountryViolated, DefaultUsed
from engine.grand_strategy.politics.neutrals import join_attacked_countries
from engine.grand_strategy.rules.combat import note_attack
from engine.grand_strategy.state import UNALIGNED, Army, Country, State
from engine.hitlers_war.bot.chance import Chance
from engine.hitlers_war.bot.politician import Politician
from engine.hitlers_war.rulebook import setting_of
from engine.orders import Kind
from tests.overseas import GAME, campaign, notes, of, position, put, refusals, run, war_of


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
    assert of(CountryViolated, events) == [CountryViolated("Poland", "axis", lines={"axis": (2,)})]


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


def path_notes(state: State, *lines: str) -> list[tuple[str, str]]:
    return [each for each in notes(state, "axis", *lines) if "path ends" in each[0]]


def test_the_receipt_asks_for_a_declaration_before_an_exploitation() -> None:
    """D-40: the army would stop there. What is closed for good has no remedy of that kind."""
    state = campaign()
    put(state, "NORTH", "P13", mech=8)
    attack = "ATTACK North Q13 ADVANCE"
    ((why, remedy),) = path_notes(state, attack, "EXPLOIT North R13")
    assert why == "the path ends in Q13: R13 is in the Baltic States, which is unaligned (HW-19.2)"
    assert "VIOLATE Baltic States" in remedy
    assert path_notes(state, "VIOLATE Baltic States", attack, "EXPLOIT North R13") == []
    assert path_notes(state, attack, "EXPLOIT North (R13|P13 IF DEF<=3)") == []
    put(state, "WEST", "N9", mech=8)
    ((why, _),) = path_notes(state, "ATTACK West N10 ADVANCE", "EXPLOIT West M10")
    assert why == "the path ends in N10: M10 is in Switzerland, which is closed to everybody (HW-19.1)"
    ((why, _),) = path_notes(state, attack, "EXPLOIT North T15")
    assert why == "the path ends in Q13: from there T15 cannot be attacked (HW-8.3)"


def test_a_sheet_that_is_sent_again_at_the_checkpoint_may_declare_again() -> None:
    """Poland has fallen with Warsaw meanwhile; the line did its work before."""
    state = campaign()
    state.options = Options(fog="open", mode="checkpoint", edition="1984")
    state, _ = run(state, {"axis": ["VIOLATE Poland", "ATTACK South P12 ADVANCE"]}, [1])
    assert owners(state, "Poland") == {"axis"}
    _, events = run(state, {"axis": ["VIOLATE Poland", "EXPLOIT South P13"]}, [1])
    assert not refusals(events)


def test_a_declaration_at_the_checkpoint_is_judged_in_its_receipt() -> None:
    state = campaign()
    state.options = Options(fog="open", mode="checkpoint", edition="1984")
    put(state, "NORTH", "P13", mech=8)
    state, _ = run(state, {"axis": ["ATTACK North Q13 ADVANCE"]}, [1])
    assert state.step == "exploitation"
    assert path_notes(state, "EXPLOIT North R13")
    assert path_notes(state, "VIOLATE Baltic States", "EXPLOIT North R13") == []
    view = GAME.view(state, "axis", "open")
    (refused,) = [each for each in GAME.check(view, GAME.parse("VIOLATE France", view)) if each.refuses]
    assert refused.why == "France is not unaligned: it is on the side of the Allies"


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
    assert refusal.why == "France is not unaligned: it is on the side of the Allies"


@pytest.mark.parametrize(
    ("fate", "why"),
    [
        (Country(captor="axis", surrendered=2), "it has surrendered to the Axis"),
        (Country(captor="allies", conquered=2), "it was conquered by the Allies"),
        (Country(side="allies", joined=2), "it has joined the Allies"),
    ],
)
@pytest.mark.parametrize("holder", ["allies", "soviet"])
def test_a_refused_declaration_tells_what_everybody_knows(fate: Country, why: str, holder: str) -> None:
    """Who holds the country by now may be out of sight."""
    state = campaign()
    state.countries["Crete"], state.ground["G14"].owner = fate, holder
    _, events = run(state, {"axis": ["VIOLATE Crete"]})
    assert refusals(events)[0].why == f"Crete is not unaligned: {why}"


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


@pytest.mark.parametrize(("side", "turn", "place"), [("allies", 8, "US"), ("axis", 6, "M12")])
def test_random_players_attack_nobody_who_joins_them_this_turn(side: str, turn: int, place: str) -> None:
    """HW-20.3, HW-20.5: they have joined before any attack, so VIOLATE would be refused."""
    assert is_ever_violated(side, turn - 1, place)
    assert not is_ever_violated(side, turn, place)


def is_ever_violated(side: str, turn: int, place: str) -> bool:
    said: list[str] = []
    view = GAME.view(campaign(side, turn), side, "open")
    for number in range(100):
        Politician(view, setting_of("campaign-1", view.options), Chance(bytes([number])), said.append).violate([place])
    return bool(said)


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


def test_before_the_campaigns_nobody_takes_sides() -> None:
    """Eire is taken without a word in The Fall of Germany, and nothing is written down about it."""
    state = position("fall-of-germany", "allies")
    put(state, "BRITAIN", "R5", mech=4)
    state, events = run(state, {"allies": ["ATTACK Britain Q5 ADVANCE"]}, [1])
    assert state.ground["Q5"].owner == "allies"
    assert state.countries == {}
    assert not of(CountryViolated, events)


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


@pytest.mark.parametrize(
    "fate",
    [
        Country(attackers=("allies",), side="axis", joined=1),
        Country(attackers=("allies",), captor="allies", surrendered=1),
        Country(attackers=("allies",), captor="allies", conquered=1),
    ],
)
def test_a_country_chooses_once(fate: Country) -> None:
    """What was settled when the first Combat Phase ended is not settled again at the end of the next."""
    state = campaign("allies")
    state.ground["G14"].owner = "axis"
    state.countries["Crete"] = fate
    war = war_of(state)
    join_attacked_countries(war)
    assert not war.events
    assert state.countries["Crete"] == fate


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


def test_the_odds_of_an_attack_on_an_army_that_has_no_side_yet() -> None:
    """HW-8.9: five points of Italy's army fire back; nobody has given it orders about its losses."""
    state = with_italy(campaign("allies"))
    put(state, "1FR", "L8", inf=3, mech=7)
    view = GAME.view(state, "allies", "open")
    (odds,) = GAME.odds(view, GAME.parse("VIOLATE Italy\nATTACK 1Fr L9 ASSAULT ADVANCE", view))
    assert (odds.who, odds.where) == ("1FR", "L9")
    assert odds.suffered_spread == (Fraction(1, 6), Fraction(1, 2), Fraction(1, 3))  # dice 6; 3 to 5; 1 and 2


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


def test_the_army_of_another_country_waits_on() -> None:
    """HW-22.1: Denmark joins, Italy does not."""
    state = with_italy(campaign())
    war = war_of(state)
    note_attack(war, "R9")
    join_attacked_countries(war)
    assert owners(state, "Denmark") == {"allies"}
    assert state.armies["ITALY"] == Army("ITALY", UNALIGNED, "L9", inf=4, mech=1)


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


def test_what_was_learnt_of_an_army_goes_with_its_counter() -> None:
    """The Italians fought, then changed over: who forms their old counter later is not taken for them."""
    state = with_italy(campaign())
    state.options = Options(fog="veiled", edition="1984")
    put(state, "SOUTH", "M11", mech=8)
    state.armies["ITALY"].place = "L10"
    state, _ = run(state, {"axis": ["VIOLATE Italy", "ATTACK South L10 ASSAULT"]}, [6, 6])
    assert "ITALY" not in state.armies
    assert all("ITALY" not in memory.fought for memory in state.memory.values())


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
    (default,) = of(DefaultUsed, war.events)
    assert (default.what, default.remedy) == (f"the army of Italy becomes {near}", "")


def test_a_counter_named_for_another_army_is_not_taken() -> None:
    """D-45: what stands is about one country."""
    state = with_italy(campaign())
    state, _ = run(state, {"axis": [], "allies": ["STANDING ADOPT US AS 8Br"]})
    war = war_of(state)
    state.phasing = "axis"
    note_attack(war, "L9")
    join_attacked_countries(war)
    assert "8BR" not in state.armies
    assert state.armies["2BR"].points == {"inf": 4, "mech": 1}


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


def row_of(state: State, country: str) -> tuple[str, str, str]:
    row = next(row for row in GAME.view(state, "allies", "open").politics if row.country == country)
    return row.status, row.note, row.prospect


def test_what_the_table_says_of_the_soviet_union() -> None:
    state = campaign(turn=7)
    prospect = "fully mobilized next season (Spring 1942), or when the Axis attacks it or the Baltic States"
    assert row_of(state, "Soviet Union") == ("soviet", "", prospect)
    state.limited_war = True
    prospect = "limited war: fully mobilized in Spring 1944, or when 5 of its hexes are Axis"
    assert row_of(state, "Soviet Union") == ("soviet", "", prospect)
    state.turn = 14
    assert row_of(state, "Soviet Union")[2].startswith("limited war: fully mobilized this season")
    state.mobilized = 14
    assert "Soviet Union" not in {row.country for row in GAME.view(state, "allies", "open").politics}
    state.countries["Soviet Union"] = Country(captor="axis", surrendered=14)
    assert row_of(state, "Soviet Union") == ("surrendered", "to the Axis, Spring 1944", "")


@pytest.mark.parametrize(
    ("fate", "row"),
    [
        (Country(), ("unaligned", "", "joins the Axis in Summer 1941")),
        (Country(attackers=("axis",)), ("unaligned", "attacked by the Axis", "joins the Axis in Summer 1941")),
        (
            Country(attackers=("axis",), side="soviet", joined=2),
            ("soviet", "joined the Soviet Union in Spring 1940", ""),
        ),
        (
            Country(attackers=("allies",), side="axis", joined=2, captor="allies", surrendered=4),
            ("surrendered", "to the Allies, Winter 1940", ""),
        ),
        (Country(attackers=("axis",), captor="axis", conquered=3), ("conquered", "by the Axis, Summer 1940", "")),
    ],
)
def test_what_the_table_says_of_a_country(fate: Country, row: tuple[str, str, str]) -> None:
    """A country that has taken a side, given up or gone under does not join anybody on its day."""
    state = campaign(turn=4)
    state.countries["Hungary"] = fate
    assert row_of(state, "Hungary") == row


def test_what_the_table_says_of_poland() -> None:
    """HW-19.5."""
    state = campaign()
    assert row_of(state, "Poland") == (UNALIGNED, "", "stays unaligned until its capital falls")
    state.countries["Poland"] = Country(attackers=("axis", "soviet"))
    assert row_of(state, "Poland")[1] == "attacked by the Axis and the Soviet Union"
    state.countries["Poland"] = Country(attackers=("axis",), captor="axis", surrendered=1)
    assert row_of(state, "Poland") == ("surrendered", "to the Axis, Winter 1939", "")


def test_the_table_of_a_war_without_politics_says_who_is_closed() -> None:
    """HW-16.6: nobody joins anybody in The Fall of Germany, whatever the calendar of the campaigns says."""
    rows = GAME.view(position("fall-of-germany", "axis"), "axis", "open").politics
    closed = [row.country for row in rows if row.status == "neutral"]
    assert closed == ["Portugal", "Saudi Arabia", "Spain", "Sweden", "Switzerland", "Turkey"]
    assert {row.country for row in rows if row.status == UNALIGNED} == {"Albania", "Eire", "French Africa"}
    assert not any(row.prospect or row.joins for row in rows)
    assert GAME.view(position("barbarossa", "axis"), "axis", "open").politics == ()
