"""The order language: what a line is read as, and how it is answered when it cannot be used."""

import pytest

from engine.grand_strategy.language.line import grammar_of, read_line, read_order
from engine.grand_strategy.language.names import Vocabulary
from engine.grand_strategy.language.reading import GateFacts, read_sheet
from engine.grand_strategy.orders import (
    ALL,
    Attack,
    Branch,
    Build,
    Cancel,
    Compare,
    CompareDefence,
    Defend,
    DevastateFrance,
    Disband,
    Exploit,
    Form,
    GoTo,
    Losses,
    Repair,
    Retreat,
    Rolled,
    Set,
    Step,
    Taken,
    TargetIs,
    Transfer,
    Unstack,
)
from engine.hitlers_war.language.parts import LAND, PARTS
from engine.hitlers_war.language.words import ELSEWHERE, IDIOM, VERBS, WORDS
from engine.hitlers_war.rulebook import vocabulary_for
from engine.hitlers_war.tables import tables
from engine.language import LineCannotBeUsed, Verb
from engine.language.names import plain
from engine.orders import Kind

SIDES = ("axis", "soviet")
AXIS, SOVIET = (vocabulary_for(side, SIDES) for side in SIDES)
VOCABULARIES = {"axis": AXIS, "soviet": SOVIET}
AXIS_TO_MOVE = GateFacts("axis", "axis", "summer", 1941)


def refusal(line: str, vocabulary: Vocabulary = AXIS) -> LineCannotBeUsed:
    with pytest.raises(LineCannotBeUsed) as caught:
        read_line(line, vocabulary)
    return caught.value


def at_least(number: int) -> Compare:
    return Compare("RANGE", ">=", number)


# ------------------------------------------------------------------ orders as values

READ = {
    "DEVASTATE-FRANCE M8 L8, N8": DevastateFrance(("M8", "L8", "N8")),
    "DEVASTATE-FRANCE M8 M8 N8": DevastateFrance(("M8", "M8", "N8")),
    "SET West P11 5I 5M": Set("WEST", "P11", {"inf": 5, "mech": 5}),
    "set west p11 5i5m": Set("WEST", "P11", {"inf": 5, "mech": 5}),
    "SET West P11 5 I, 5 M": Set("WEST", "P11", {"inf": 5, "mech": 5}),
    "SET West P11 0I 5M": Set("WEST", "P11", {"mech": 5}),
    "GOTO West P11": GoTo("WEST", "P11"),
    "XFER 1I 3M South -> West": Transfer({"inf": 1, "mech": 3}, "SOUTH", "WEST"),
    "XFER 1I South=>West": Transfer({"inf": 1}, "SOUTH", "WEST"),
    "XFER 1I South→West": Transfer({"inf": 1}, "SOUTH", "WEST"),
    "XFER 1I South –> West": Transfer({"inf": 1}, "SOUTH", "WEST"),
    "XFER 1I South TO West": Transfer({"inf": 1}, "SOUTH", "WEST"),
    "XFER ALL I South -> West": Transfer({"inf": ALL}, "SOUTH", "WEST"),
    "XFER ALLI 2M South -> West": Transfer({"inf": ALL, "mech": 2}, "SOUTH", "WEST"),
    "XFER ALL South -> West": Transfer({"inf": ALL, "mech": ALL}, "SOUTH", "WEST"),
    "XFER ALL A -> B": Transfer({"inf": ALL, "mech": ALL}, "A", "B"),
    "XFER ALL A TO B": Transfer({"inf": ALL, "mech": ALL}, "A", "B"),
    "FORM B O12 5I FROM South": Form("B", "O12", {"inf": 5}, "SOUTH"),
    "FORM B O12 ALL M FROM South": Form("B", "O12", {"mech": ALL}, "SOUTH"),
    "DISBAND OKW INTO West": Disband("OKW", "WEST"),
    "DISBAND OKW": Disband("OKW"),
    "ATTACK Center Q16 ASSAULT ADVANCE": Attack("CENTER", "Q16", assault=(), advance=()),
    "ATTACK Center Q16 ADVANCE ASSAULT": Attack("CENTER", "Q16", assault=(), advance=()),
    "ATTACK Center Q16 ASSAULT NOADVANCE": Attack("CENTER", "Q16", assault=(), no_advance=True),
    "ATTACK Center Q16 SAVE": Attack("CENTER", "Q16", save=True),
    "ATTACK Center Q16 SAVE ADVANCE": Attack("CENTER", "Q16", save=True, advance=()),
    "ATTACK Center Q15 ADVANCE IF RANGE>=4": Attack("CENTER", "Q15", advance=(at_least(4),)),
    "ATTACK Center Q15 ADVANCE-IF RANGE >= 4": Attack("CENTER", "Q15", advance=(at_least(4),)),
    "ATTACK Center Q15 ASSAULT IF RANGE≥4 ADVANCE": Attack("CENTER", "Q15", assault=(at_least(4),), advance=()),
    "ATTACK Center Q15 ASSAULT ADVANCE IF RANGE=>4": Attack("CENTER", "Q15", assault=(), advance=(at_least(4),)),
    "ATTACK Center Q15 ASSAULT SEQ 2 AFTER North": Attack("CENTER", "Q15", assault=(), seq=2, after="NORTH"),
    "ATTACK 4 Q15 ASSAULT AFTER Army Group North SEQ 0": Attack("FOURTH", "Q15", assault=(), seq=0, after="NORTH"),
    "ATTACK Center Smolensk ASSAULT.": Attack("CENTER", "Q16", assault=()),
    "ATTACK Center Q 16 ASSAULT": Attack("CENTER", "Q16", assault=()),
    "EXPLOIT Center Q14 P14 O13": Exploit("CENTER", (Step("Q14"), Step("P14"), Step("O13"))),
    "EXPLOIT Center Q14 P14:ASSAULT": Exploit("CENTER", (Step("Q14"), Step("P14", assault=()))),
    "EXPLOIT Center P14:SAVE RETURN": Exploit("CENTER", (Step("P14", save=True), Step("RETURN"))),
    "EXPLOIT Center Q14 P14:ASSAULT-IF RANGE<4": Exploit(
        "CENTER", (Step("Q14"), Step("P14", assault=(Compare("RANGE", "<", 4),)))
    ),
    "EXPLOIT Center Q14 (P14|P13 IF DEF P13<DEF P14)": Exploit(
        "CENTER", (Step("Q14"), Branch(Step("P14"), Step("P13"), (CompareDefence("P13", "<", "P14"),)))
    ),
    "EXPLOIT Center (P14:SAVE | P13:ASSAULT IF EMPTY) AFTER North": Exploit(
        "CENTER", (Branch(Step("P14", save=True), Step("P13", assault=()), (TargetIs("EMPTY"),)),), after="NORTH"
    ),
    "EXPLOIT Center Q14 STOP-IF RANGE<3 STOP IF LOSS>=3 AND WINTER": Exploit(
        "CENTER",
        (Step("Q14"),),
        stop_if=((Compare("RANGE", "<", 3),), (Compare("LOSS", ">=", 3), TargetIs("WINTER"))),
    ),
    "EXPLOIT Center Smolensk Moscow:ASSAULT Q18 Gorki": Exploit(
        "CENTER", (Step("Q16"), Step("Q17", assault=()), Step("Q18"), Step("Q18"))
    ),
    "UNSTACK Q15 BY White TO Q14": Unstack("Q15", "WHITE", "Q14"),
    "DEFEND Q16 NOW": Defend("Q16", "NOW"),
    "DEFEND ALL EXPLOIT-ONLY": Defend("ALL", "EXPLOIT-ONLY"),
    "DEFEND Soviet Union HOLD": Defend("Soviet Union", "HOLD"),
    "DEFEND Q16 IF ATTACKERS>=2": Defend("Q16", "IF", (Compare("ATTACKERS", ">=", 2),)),
    "DEFEND Q16 IF STR>=4 AND LOSS=0": Defend("Q16", "IF", (Compare("STR", ">=", 4), Compare("LOSS", "=", 0))),
    "LOSSES Q16 FROM West,Moscow TYPES I,M": Losses("Q16", ("SWEST", "MOSCOW"), ("inf", "mech")),
    "LOSSES Q16 FROM West Moscow": Losses("Q16", ("SWEST", "MOSCOW")),
    "LOSSES Q16 TYPES M I FROM First Ukrainian Front, White": Losses("Q16", ("1UKR", "WHITE"), ("mech", "inf")),
    "LOSSES SIBERIA FROM Moscow TYPES I": Losses("SIBERIA", ("MOSCOW",), ("inf",)),  # the box, not the army
    "LOSSES Moscow FROM Leningrad": Losses("Q17", ("LENIN",)),
    "LOSSES Siberia TYPES I": Losses("SIBERIA", (), ("inf",)),
    "LOSSES ALL TYPES infantry,mech": Losses("ALL", (), ("inf", "mech")),
    "RETREAT Q16 TO Q17,R16 P17": Retreat("Q16", "TO", ("Q17", "R16", "P17")),
    "RETREAT ALL TOWARDS Q17": Retreat("ALL", "TOWARD", ("Q17",)),
    "RETREAT White AVOID P13": Retreat("WHITE", "AVOID", ("P13",)),
    "RETREAT Q16 DIE": Retreat("Q16", "DIE"),
    "BUILD 3M ANY": Build({"mech": 3}, ("ANY",)),
    "BUILD 3M P10": Build({"mech": 3}, ("P10",)),
    "BUILD 1I 2M P10 Center": Build({"inf": 1, "mech": 2}, ("P10",), "CENTER"),
    "BUILD MAX I P10 AGW": Build({}, ("P10",), "WEST", most="inf"),
    "BUILD 2M P10 OR O10 OR ANY Center": Build({"mech": 2}, ("P10", "O10", "ANY"), "CENTER"),
    "BUILD 2M P10,O10 Center": Build({"mech": 2}, ("P10", "O10"), "CENTER"),
    "BUILD 2M R18 OR Q17 NEW B IF PP>=10": Build(
        {"mech": 2}, ("R18", "Q17"), "B", new=True, tests=(Compare("PP", ">=", 10),)
    ),
    "BUILD 2M Berlin Army Group Center": Build({"mech": 2}, ("P10",), "CENTER"),
    "REPAIR N15": Repair("N15"),
    "REPAIR N15 ALL": Repair("N15"),
    "REPAIR Kiev 2": Repair("N15", 2),
    "REPAIR N15 1 IF TAKEN N15": Repair("N15", 1, (Taken("N15"),)),
    "REPAIR N15 IF NOT TAKEN Kiev AND WINTER": Repair("N15", 0, (Taken("N15", negated=True), TargetIs("WINTER"))),
    "STANDING CLEAR": Cancel(),
    "CANCEL DEFEND Q16 HOLD": Cancel(Defend("Q16", "HOLD")),
    "CANCEL STANDING RETREAT Q16 DIE": Cancel(Retreat("Q16", "DIE")),
}
SOVIET_LINES = ("White", "Moscow")


@pytest.mark.parametrize("line", READ)
def test_a_line_is_read_as_its_order(line: str) -> None:
    vocabulary = SOVIET if any(name in line for name in SOVIET_LINES) and "Center" not in line else AXIS
    assert read_order(line, vocabulary) == READ[line]
    assert read_order(line.lower(), vocabulary) == READ[line]


def test_tests_of_every_kind() -> None:
    line = (
        "ATTACK Center Q16 ADVANCE IF DEF Q15<=3 AND RANGE Q16>2 AND MECH=1 AND FORT AND ROLLED 4th AND NOT TAKEN R15"
    )
    order = read_order(line, AXIS)
    assert order.advance == (
        Compare("DEF", "<=", 3, "Q15"),
        Compare("RANGE", ">", 2, "Q16"),
        Compare("MECH", "=", 1),
        TargetIs("FORT"),
        Rolled("FOURTH"),
        Taken("R15", negated=True),
    )


@pytest.mark.parametrize(("sign", "meant"), [("≤", "<="), ("=<", "<="), ("≥", ">="), ("=>", ">="), ("==", "=")])
def test_other_ways_to_write_a_comparison(sign: str, meant: str) -> None:
    assert read_order(f"ATTACK Center Q16 ADVANCE IF DEF{sign}3", AXIS).advance == (Compare("DEF", meant, 3),)


def test_orders_hold_plain_text_and_not_pieces_of_the_parser() -> None:
    order = read_order(
        "ATTACK Center Q99 ASSAULT-IF DEF Q98<2",
        Vocabulary("axis", AXIS.armies, {}, AXIS.setting, any_hex=True),
    )
    assert [type(text) for text in (order.army, order.hex, order.assault[0].hex, order.assault[0].op)] == [str] * 4


@pytest.mark.parametrize("line", READ)
def test_what_was_read_reads_back(line: str) -> None:
    vocabulary = SOVIET if any(name in line for name in SOVIET_LINES) and "Center" not in line else AXIS
    assert read_order(str(READ[line]), vocabulary) == READ[line]


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("name", "army"),
    [
        ("CENTER", "CENTER"),
        ("AGC", "CENTER"),
        ("Army Group Center", "CENTER"),
        ("army-group center", "CENTER"),
        ("Cen", "CENTER"),
        ("Army Group C", "C"),
        ("C", "C"),
        ("Group-C", "C"),
        ("N", "NORTH"),
        ("O.K.W.", "OKW"),
        ("4", "FOURTH"),
        ("4th Army", "FOURTH"),
        ("Army Group West / Oberkommando West", "WEST"),
        ("Oberkommando West", "WEST"),
        ("Afrika", "PZAA"),
        ("Rum", "RUMANIA"),
    ],
)
def test_names_of_axis_armies(name: str, army: str) -> None:
    assert read_order(f"GOTO {name} P11", AXIS) == GoTo(army, "P11")


@pytest.mark.parametrize(
    ("name", "army"),
    [
        ("West", "SWEST"),
        ("SWEST", "SWEST"),
        ("Western Military District / Front", "SWEST"),
        ("Western Front", "SWEST"),
        ("First Ukrainian Front", "1UKR"),
        ("1st Ukrainian Front", "1UKR"),
        ("2nd Ukr", "2UKR"),
        ("North West", "NW"),
        ("SW", "SW"),
        ("Moscow Front", "MOSCOW"),
        ("Lenin", "LENIN"),
    ],
)
def test_names_of_soviet_armies(name: str, army: str) -> None:
    assert read_order(f"GOTO {name} Q17", SOVIET) == GoTo(army, "Q17")


@pytest.mark.parametrize("side", SIDES)
def test_every_name_in_the_tables_means_its_army(side: str) -> None:
    for army in tables().army_names[side].values():
        for name in (army.id, army.name, *army.abbr):
            assert read_order(f"DISBAND {name}", VOCABULARIES[side]) == Disband(army.id), name


def test_the_siberian_army_goes_to_the_box_of_that_name() -> None:
    assert read_order("GOTO Siberia Siberia", SOVIET) == GoTo("SIBERIA", "SIBERIA")
    assert read_order("BUILD 2I Siberia Sib", SOVIET) == Build({"inf": 2}, ("SIBERIA",), "SIBERIA")


def test_every_place_can_be_written() -> None:
    for place in AXIS.places.values():
        if place.has_land:
            assert read_order(f"GOTO A {place.id}", AXIS).hex == place.id


def test_every_city_means_its_hex() -> None:
    for place in AXIS.places.values():
        if place.name and AXIS.places_called(plain(place.name).replace(" ", "")) == (place.id,):
            assert read_order(f"GOTO A {place.name}", AXIS).hex == place.id


def test_accents_do_not_matter() -> None:
    written = [read_order(f"GOTO A {name}", AXIS).hex for name in ("Königsberg", "KONIGSBERG")]
    assert written == ["Q13", "Q13"]
    decomposed = read_sheet("GOTO A Ko\u0308nigsberg", AXIS, AXIS_TO_MOVE)
    assert decomposed.lines[0].order == GoTo("A", "Q13")


def test_an_ambiguous_army_names_the_candidates() -> None:
    problem = refusal("ATTACK Army Group Q16 ASSAULT")
    assert problem.kind is Kind.AMBIGUOUS
    assert "North, Center, South, West, A, B or C" in problem.why
    assert problem.column == 8


def test_a_near_miss_is_not_guessed() -> None:
    problem = refusal("ATTACK Centre Q16 ASSAULT")
    assert problem.kind is Kind.UNREADABLE
    assert "Did you mean Center?" in problem.remedy
    assert "OKW, North, Center, South, West" in problem.remedy


def test_an_enemy_army_is_known_and_refused() -> None:
    problem = refusal("ATTACK Moscow Q16 ASSAULT")
    assert (problem.kind, problem.column) == (Kind.ILLEGAL, 8)
    assert "an army of the Soviet side" in problem.why


@pytest.mark.parametrize(
    ("hex_", "why", "remedy"),
    [
        ("014", "the letter O is not the digit 0", "Did you mean O14 (Lutsk)?"),
        ("Q016", "no hex, city or box 'Q016'", "Did you mean Q16 (Smolensk)?"),
        ("QI6", "no hex, city or box 'QI6'", "Did you mean Q16 (Smolensk)?"),
        ("16Q", "'16Q'", "Did you mean Q16 (Smolensk)?"),
        ("Smolenks", "no hex, city or box 'Smolenks'", "Did you mean Q16 (Smolensk)?"),
        ("Rom", "no hex, city or box 'Rom'", "Did you mean K10 (Rome)?"),
        ("Z99", "no hex Z99 on the map", "Land hexes near it: "),
    ],
)
def test_a_hex_that_is_not_there(hex_: str, why: str, remedy: str) -> None:
    for line in (f"ATTACK Center {hex_} ASSAULT", f"EXPLOIT Center Q15 {hex_}", f"RETREAT ALL TO Q16,{hex_}"):
        problem = refusal(line)
        assert (problem.kind, problem.column) == (Kind.UNREADABLE, line.index(hex_) + 1)
        assert why in problem.why
        assert remedy in problem.remedy


def test_a_country_is_no_hex_but_has_some() -> None:
    for line in ("ATTACK Center Denmark ASSAULT", "GOTO Center Denmark", "STANDING RETREAT ALL TOWARD Denmark"):
        problem = refusal(line)
        assert problem.why == "'Denmark' is a country; a hex belongs here."
        assert problem.remedy == "Name one of its hexes: R9 (Esbjerg), R10 (Copenhagen), S10 (Aalborg)."
    soviet = [place for place in AXIS.places.values() if place.country == "Soviet Union" and place.has_land]
    assert refusal("GOTO Center Soviet Union").remedy.endswith(f" and {len(soviet) - 8} more.")


def test_a_country_is_no_hex_by_other_names_either() -> None:
    axis = vocabulary_for("axis", (*SIDES, "allies"), "campaign-1")
    for name in ("Belgium", "the netherlands"):
        problem = refusal(f"ATTACK Center {name}", axis)
        assert problem.why == f"'{name}' is a country; a hex belongs here."
        assert problem.remedy == "Name one of its hexes: O9 (Liège), P8 (Brussels)."


@pytest.mark.parametrize("name", ['"Army Group Center"', "“Center”", "„Army Group Center“", "«Center»"])
def test_quotation_marks_around_a_name_do_no_harm(name: str) -> None:
    assert read_order(f"GOTO {name} P11", AXIS) == GoTo("CENTER", "P11")
    assert read_order('GOTO Center "P11"', AXIS) == GoTo("CENTER", "P11")


def test_a_sea_hex_is_no_place_for_an_army() -> None:
    sea = next(place.id for place in AXIS.places.values() if place.kind == "sea")
    problem = refusal(f"GOTO Center {sea}")
    assert problem.kind is Kind.ILLEGAL
    assert f"{sea} is a sea hex" in problem.why


def test_an_army_goes_before_a_place_of_the_same_name_and_a_note_says_so() -> None:
    understood = read_line("STANDING DEFEND Moscow EXPLOIT-ONLY", SOVIET)
    assert understood.order == Defend("MOSCOW", "EXPLOIT-ONLY")
    assert "read as your army, not as Q17 (Moscow)" in understood.notes[0][0]
    assert read_order("STANDING DEFEND Moscow HOLD", AXIS) == Defend("Q17", "HOLD")
    assert read_order("DEFEND Italy HOLD", SOVIET) == Defend("Italy", "HOLD")
    assert read_order("DEFEND Italy HOLD", AXIS) == Defend("ITALY", "HOLD")


def test_a_board_that_shows_only_a_part_of_the_map() -> None:
    stub = Vocabulary("axis", AXIS.armies, {"Q16": AXIS.places["Q16"]}, AXIS.setting, any_hex=True)
    assert read_order("ATTACK Center C3 ASSAULT", stub) == Attack("CENTER", "C3", assault=())
    assert refusal("ATTACK Center Nowhere ASSAULT", stub).kind is Kind.UNREADABLE


# ------------------------------------------------------------------ refusals

REFUSED = {
    "ATTACK Center Q16": (Kind.AMBIGUOUS, 15, "does not say", "Say ASSAULT, ADVANCE or both"),
    "ATTACK Center Q16 NOADVANCE": (Kind.AMBIGUOUS, 15, "does not say", "Say ASSAULT, ADVANCE or both"),
    "ATTACK Center Q16 SEQ 3": (Kind.AMBIGUOUS, 15, "does not say", "Say ASSAULT, ADVANCE or both"),
    "ATTACK Center Q16 ASSAULT SAVE": (Kind.AMBIGUOUS, 27, "ASSAULT and SAVE contradict", "one of them"),
    "ATTACK Center Q16 ASSAULT ASSAULT": (Kind.AMBIGUOUS, 27, "ASSAULT is given twice", "one of them"),
    "ATTACK Center Q16 ADVANCE NOADVANCE": (Kind.AMBIGUOUS, 27, "contradict", "one of them"),
    "ATTACK Center Q16 ASSAULT SEQ 1 SEQ 2": (Kind.AMBIGUOUS, 33, "SEQ is given twice", "one of them"),
    "ATTACK Center Q16 ASSALT": (Kind.UNREADABLE, 19, "'ASSALT'", "Did you mean ASSAULT?"),
    "ATTACK Center Q16 ASSAULT P10": (Kind.UNREADABLE, 27, "'P10'", "ADVANCE"),
    "ATTACK Center Q16 ASSAULT SEQ x": (Kind.UNREADABLE, 31, "A number belongs here", "Example: ATTACK"),
    "ATTACK Center Q16 ASSAULT SEQ 99999": (Kind.UNREADABLE, 31, "too large", "Example: ATTACK"),
    "ATTACK Center ASSAULT": (Kind.UNREADABLE, 8, "The hex is missing", "Example: ATTACK"),
    "ATTACK Q16 ASSAULT": (Kind.UNREADABLE, 8, "'Q16' is a place; an army belongs here", "Your armies"),
    "ATTACK": (Kind.UNREADABLE, 7, "ends too early", "Possible here: an army"),
    "ATTACK Center Q16 ASSAULT AFTER North ADVANSE": (Kind.UNREADABLE, 39, "'ADVANSE' after North", "Example"),
    "ATTACK Center Q16 ADVANCE IF": (Kind.UNREADABLE, 29, "ends too early", "a test such as RANGE>=4"),
    "ATTACK Center Q16 ADVANCE IF RANGE": (Kind.UNREADABLE, 35, "ends too early", "a comparison such as >="),
    "ATTACK Center Q16 ADVANCE IF RANGE<": (Kind.UNREADABLE, 36, "ends too early", "Possible here: a number"),
    "ATTACK Center Q16 ADVANCE IF NOT EMPTY": (Kind.UNREADABLE, 34, "'EMPTY'", "TAKEN"),
    "ATTACK Center Q16 ADVANCE IF PP>=3": (Kind.ILLEGAL, 30, "PP has no answer in an attack", "RANGE"),
    "ATTACK Center Q16 ADVANCE IF RANGE>=DEF Q16": (Kind.UNREADABLE, 37, "Only the defence", "DEF P13<DEF P14"),
    "ATTACK Center Q16 ADVANCE IF LOSS Q16>=2": (Kind.UNREADABLE, 35, "LOSS is about the army", "DEF and RANGE"),
    "ATTACK Center Q16 ASSAULT DROP 2": (Kind.ILLEGAL, 27, "DROP belongs to a later scenario", "infantry"),
    "ATTACK Center Q16 ASSAULT AIR MATCH": (Kind.ILLEGAL, 27, "AIR belongs to a later scenario", "infantry"),
    "EXPLOIT Center P14:AIR ALL": (Kind.ILLEGAL, 20, "AIR belongs to a later scenario", "infantry"),
    "EXPLOIT Center": (Kind.UNREADABLE, 9, "Where to?", "Example: EXPLOIT"),
    "EXPLOIT Center:ASSAULT": (Kind.UNREADABLE, 9, "A hex is missing before the colon", "Example: EXPLOIT"),
    "EXPLOIT Center P14:ASSAULT:SAVE": (Kind.AMBIGUOUS, 28, "contradict", "one of them"),
    "EXPLOIT Center (((P14": (Kind.UNREADABLE, 17, "'('", "a hex such as Q16"),
    "EXPLOIT Center (P14|P13)": (Kind.UNREADABLE, 24, "')'", "IF"),
    "DEFEND ALL": (Kind.UNREADABLE, 11, "ends too early", "NOW, HOLD, NEVER, EXPLOIT-ONLY, IF"),
    "DEFEND N5 INVADERS": (Kind.ILLEGAL, 11, "INVADERS belongs to a later scenario", "infantry"),
    "DEFEND Moscw NOW": (Kind.UNREADABLE, 8, "no army of yours, hex or country", "Did you mean Q17 (Moscow)?"),
    "DEFEND Q16 IF PP>=2": (Kind.ILLEGAL, 15, "PP has no answer in a defence", "ATTACKERS"),
    "LOSSES Center FROM North TYPES I": (Kind.AMBIGUOUS, 15, "FROM chooses among several", "Name a hex or ALL"),
    "LOSSES ALL": (Kind.UNREADABLE, 8, "does not say which points", "Example: LOSSES"),
    "LOSSES ALL TYPES I,I": (Kind.AMBIGUOUS, 18, "twice", "once"),
    "LOSSES ALL TYPES T,A": (Kind.ILLEGAL, 18, "None of these types", "infantry (I) and mechanized (M)"),
    "LOSSES ALL TYPES I FROM West,West": (Kind.AMBIGUOUS, 25, "twice", "once"),
    "LOSSES CONVOY TYPES I": (Kind.ILLEGAL, 8, "CONVOY belongs to a later scenario", "infantry"),
    "RETREAT ALL TOWARD P10,P11": (Kind.AMBIGUOUS, 13, "TOWARD takes one hex", "write TO"),
    "XFER 2T South -> West": (Kind.ILLEGAL, 6, "T (tac air) belongs to a later scenario", "infantry"),
    "XFER 2Q South -> West": (Kind.UNREADABLE, 6, "'Q' is no type", "infantry"),
    "XFER 2I 3I South -> West": (Kind.AMBIGUOUS, 9, "I is given twice", "Add them up"),
    "XFER 2I South -> South": (Kind.ILLEGAL, 18, "cannot hand points to itself", "two armies"),
    "XFER ALL M -> West": (Kind.UNREADABLE, 12, "'->'", "an army"),
    "SET West P11 ALL I": (Kind.ILLEGAL, 14, "ALL says nothing there", "Give a number"),
    "SET West P11 0I": (Kind.ILLEGAL, 14, "No points are left", "at least one"),
    "BUILD ALL I P10": (Kind.ILLEGAL, 7, "A number or MAX", "BUILD MAX I P10"),
    "BUILD 2M Center": (Kind.UNREADABLE, 10, "The hex is missing before 'Center'", "Example: BUILD"),
    "BUILD 2M P10 Center OR O10": (Kind.UNREADABLE, 24, "after the last hex", "Example: BUILD"),
    "BUILD 2M P10 Center NEW B": (Kind.AMBIGUOUS, 25, "Two armies", "Name one"),
    "BUILD 2M P10 IF RANGE>=3": (Kind.ILLEGAL, 17, "RANGE has no answer in production", "PP"),
    "REPAIR N15 0": (Kind.ILLEGAL, 12, "nothing to repair", "Leave the number away"),
    "REPAIR N15 x": (Kind.UNREADABLE, 12, "A number belongs here", "Example: REPAIR"),
    "CANCEL ATTACK Center Q16 ASSAULT": (Kind.ILLEGAL, 8, "CANCEL ends standing orders", "Send a new sheet"),
    "CANCEL": (Kind.UNREADABLE, 7, "An order is missing after CANCEL", "STANDING CLEAR"),
    "CANCEL ALL": (Kind.UNREADABLE, 8, "An order is missing after CANCEL", "STANDING CLEAR"),
    "ATACK Center Q16 ASSAULT": (Kind.UNREADABLE, 1, "I know no order 'ATACK'", "Did you mean ATTACK?"),
    "  MOVE Center Q16": (Kind.UNREADABLE, 3, "I know no order 'MOVE'", "Did you mean GOTO?"),
    "(ATTACK)": (Kind.UNREADABLE, 1, "does not begin with an order", "An order begins with"),
    "Dear referee": (Kind.UNREADABLE, 1, "I know no order 'DEAR'", "An order begins with"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_line_is_refused_with_its_reason_and_what_would_work(line: str) -> None:
    kind, column, why, remedy = REFUSED[line]
    problem = refusal(line)
    assert (problem.kind, problem.column) == (kind, column)
    assert why in problem.why
    assert remedy in problem.remedy


@pytest.mark.parametrize(
    ("verb", "rules"),
    [(verb, part.belongs_to) for part in PARTS if part is not LAND for verb in part.verbs],
    ids=lambda value: getattr(value, "word", ""),
)
def test_words_of_later_scenarios_are_known_and_refused(verb: Verb, rules: str) -> None:
    problem = refusal(verb.usage)
    assert problem.kind is Kind.ILLEGAL
    assert f"{verb.word} belongs to a later scenario of the rules ({rules})" in problem.why
    assert "Barbarossa has" in problem.remedy


@pytest.mark.parametrize("word", ELSEWHERE)
def test_words_that_are_no_orders(word: str) -> None:
    assert refusal(word).kind is Kind.ILLEGAL


def test_a_later_type_in_a_list_is_passed_over_with_a_note() -> None:
    understood = read_line("LOSSES Q16 FROM West,Moscow TYPES I,F,M", SOVIET)
    assert understood.order == Losses("Q16", ("SWEST", "MOSCOW"), ("inf", "mech"))
    assert [note[0] for note in understood.notes] == ["F is passed over."]


# ------------------------------------------------------------------ the registry


@pytest.mark.parametrize("verb", LAND.verbs, ids=lambda verb: verb.word)
def test_the_example_of_every_verb_can_be_sent(verb) -> None:
    sheet = read_sheet(verb.usage, AXIS, AXIS_TO_MOVE)
    assert sheet.findings == ()
    assert len(sheet.lines) == 1
    assert verb.word in verb.usage


def test_every_word_of_the_grammar_has_a_line_of_help() -> None:
    known = {*VERBS, *WORDS, "TOWARDS"}
    names = {terminal.name.strip("_").replace("_", "-") for terminal in grammar_of(IDIOM).terminals}
    lexical = {"POLICY", "STATE", "QUANTITY", "ARROW", "COMPARISON", "POINTS", "TYPE", "HEX", "NAME", "COMMA"}
    symbols = {"COLON", "LPAR", "RPAR", "VBAR"}
    assert {name for name in names if not name.startswith("IGNORE")} - lexical - symbols <= known
