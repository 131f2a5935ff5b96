"""The words of the reports: how wide they are, that nothing is left unsaid, and that nothing leaks."""

import html
import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from engine.dice import ForcedDice, KeyedDice
from engine.events import Event, Modifier, Roll
from engine.forecast import Assumption
from engine.game import FOGS, MODES, Options, Outcome
from engine.grand_strategy.events import (
    AdvanceTried,
    AnyEvent,
    ArmyAdvanced,
    ArmyDeployed,
    ArmyEliminated,
    ArmyRearranged,
    ArmyRetreated,
    AttackAnnounced,
    CoastalAirFired,
    ConditionFailed,
    CountryJoined,
    CountrySurrendered,
    CountryViolated,
    CutOff,
    DefaultUsed,
    DoneInPart,
    ExploitationEnded,
    Fired,
    GarrisonLost,
    GiftReceived,
    HitsIgnored,
    InvasionAnnounced,
    LandingTried,
    NavalFired,
    OrderRefused,
    PlaceCaptured,
    PlayerTurnBegan,
    PointsBuilt,
    PointsLost,
    PointsRepaired,
    PointsRuined,
    ProductionCounted,
    ProductionEnded,
    SheetMissing,
    StackCulled,
    StandingChanged,
    SupportFired,
    WarEnded,
)
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.table import table_of as as_table
from engine.grand_strategy.view import ArmyView
from engine.hitlers_war.game import HitlersWar
from engine.orders import Finding, Kind, Sheet
from pbem.games import box_of
from pbem.games.hitlers_war.names import with_names
from pbem.games.hitlers_war.record import alt_texts, position_html, record_sheet, show_text
from pbem.games.hitlers_war.story import diary, diary_html
from pbem.games.hitlers_war.textmap import text_map
from pbem.post.odds_table import table_of
from pbem.post.ordered import what_came_of
from pbem.post.receipt import receipt
from pbem.words.teller import tag_of
from pbem.words.wording import TEMPLATES, environment
from tests import overseas
from tests.politics_samples import POLITICS_SAMPLES
from tests.reading import assert_fits, facts, flat
from tests.sea_samples import SEA_SAMPLES
from tests.toy.two_hills import TwoHills

GAME = HitlersWar()
BOX = box_of(GAME)


def roll(die: int, *modifiers: tuple[int, str], label: str = "17/6-axis/Q16/assault/1") -> Roll:
    return Roll(die, f"{label}-{die}", tuple(Modifier(value, why) for value, why in modifiers))


#: One of each, with something in the text that only this event would say.
SAMPLES: list[tuple[Event, str]] = [
    (PlayerTurnBegan(6, "summer", 1941, "axis"), "SUMMER 1941: AXIS PLAYER-TURN"),
    (WarEnded(("soviet",), "the Soviet Union held out to the end", "HW-15.8"), "The Soviet Union wins the war"),
    (SheetMissing("axis"), "No sheet of the Axis was at hand"),
    (OrderRefused("axis", 3, "ATTACK North Q18", "Q18 is too far", "attack Q14"), "What would work: attack Q14"),
    (DefaultUsed("axis", "D-13", "NORTH fires at once", "STANDING DEFEND NORTH HOLD"), "Army Group North fires at once"),
    (StandingChanged("axis", ("DEFEND ALL NOW",), ("DEFEND ALL HOLD",)), "No longer in force: DEFEND ALL HOLD"),
    (DoneInPart("axis", 3, "BUILD 2M P10", "1 of 2 were built; no room is left in P10"), "Done in part: 1 of 2 were built"),
    (ConditionFailed("axis", "ATTACK North Q14 ADVANCE IF RANGE>=5", "NORTH"), "the condition did not hold"),
    (PointsRuined("axis", "M8", 1), "1 production point in M8 Lyon is out of use for the whole war"),
    (CutOff("axis", "NORTH", "Q15"), "is cut off from supply"),
    (ArmyRearranged("axis", "NORTH", "Q13", "P13", {"inf": 5}, {"inf": 3, "mech": 1}), "5I becomes 3I 1M"),
    (StackCulled("axis", "Q13", "NORTH", {"inf": 2}), "More than ten points stood in Q13"),
    (AttackAnnounced("axis", "NORTH", "Q13", "Q14"), "attacks from Q13"),
    (Fired("axis", False, ("NORTH",), "Q13", "Q14", 9, roll(3), 3), "strength 9: die 3 [#1]: 3 hits"),
    (PointsLost("soviet", "NW", "Q14", 2, {"inf": 2}), "Northwest Front (NW) loses 2 infantry"),
    (GarrisonLost("soviet", "Q15"), "The garrison of Q15 Vitebsk is destroyed"),
    (HitsIgnored("soviet", "Q15", 2), "2 hits find nothing left to destroy"),
    (AdvanceTried("axis", "NORTH", "Q13", "Q14", 8, "3", 5, roll(5), True), "8 mechanized against 3: needs 1-5"),
    (ArmyRetreated("soviet", "NW", "Q14", "Q15"), "retreats to Q15 Vitebsk"),
    (ArmyEliminated("soviet", "NW", "Q14", "no retreat", 4, {"inf": 3, "mech": 1}), "has nowhere to retreat"),
    (ArmyEliminated("soviet", "NW", "Q14", "isolated", band="strong"), "is cut off and destroyed, strong (7-10) when last seen."),
    (ArmyAdvanced("axis", "NORTH", "Q13", "Q14"), "enters Q14 Minsk"),
    (PlaceCaptured("axis", "Q15", "soviet", "advance", 1), "falls to the Axis; 1 production point is devastated"),
    (ExploitationEnded("axis", "NORTH", "Q14", "its path is done"), "goes no further than Q14 Minsk"),
    (ProductionCounted("axis", 34, 17, 17), "34 production points work, less 17 for other fronts"),
    (PointsBuilt("axis", "NORTH", "P10", {"mech": 2}, 10, True), "2 mechanized for Army Group North (North), a new army"),
    (PointsRepaired("axis", "L12", 1, 3), "1 production point in L12 Belgrade is repaired; cost 3"),
    (ProductionEnded("axis", 13, 4), "13 spent, 4 not spent and lost"),
    *SEA_SAMPLES,
    *POLITICS_SAMPLES,
]  # fmt: skip


def played(fog: Any, mode: Any, seed: str, gates: int = 99) -> Iterator[tuple[Any, list[Event]]]:
    """A war between bots: the position after each run, and its events."""
    state = GAME.setup("barbarossa", Options(fog=fog, mode=mode))
    for number in range(gates):
        gate = GAME.gate(state)
        if gate is None:
            return
        view = GAME.view(state, gate.awaits[0], fog)
        sheet = GAME.parse(GAME.bot(view, f"{seed}/{number}".encode()), view)
        state, events = GAME.run(state, {gate.awaits[0]: sheet}, KeyedDice(seed.encode(), f"17/{gate.id}"))
        yield state, events


# ------------------------------------------------------------------ every event has words


def test_there_is_a_sample_of_every_event() -> None:
    assert {type(event) for event, _ in SAMPLES} == set(get_args(AnyEvent))


@pytest.mark.parametrize("kind", get_args(AnyEvent), ids=lambda kind: kind.__name__)
def test_every_event_has_wording(kind: type[Event]) -> None:
    macros = environment().get_template(f"{GAME.id}/events.txt.j2").make_module()
    assert hasattr(macros, str(kind.__struct_config__.tag).replace("-", "_"))


@pytest.mark.parametrize(("event", "words"), SAMPLES, ids=[tag_of(event) for event, _ in SAMPLES])
def test_every_event_is_told(event: Event, words: str) -> None:
    text = diary([event], "axis" if getattr(event, "side", "axis") == "axis" else "soviet")
    assert words in flat(text)
    assert_fits(text)


@pytest.mark.parametrize(("event", "words"), SAMPLES, ids=[tag_of(event) for event, _ in SAMPLES])
def test_every_event_is_told_in_html_too(event: Event, words: str) -> None:
    side = "axis" if getattr(event, "side", "axis") == "axis" else "soviet"
    shown = html.unescape(re.sub(r"<[^>]*>", " ", diary_html([event], side)))
    assert words.casefold() in flat(shown).casefold()


@pytest.mark.parametrize(
    ("event", "label"),
    [
        (NavalFired("axis", "BRITAIN", "allies", ("R8", "S8"), "S7", 6, roll(2), 2), "Navy"),
        (SupportFired("allies", "N6", 6, roll(2), 0), "Support"),
        (CoastalAirFired("axis", "BRITAIN", "allies", "N6", 6, roll(2), 1), "Air"),
        (LandingTried("axis", "NORTH", "S7", 8, "6", 2, roll(2), True), "Landing"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_every_blow_at_sea_has_its_label_and_its_die(event: Event, label: str) -> None:
    assert f"  {label.ljust(9)}" in diary([event], "axis")
    row = re.search(r"<tr>.*?</tr>", diary_html([event], "axis"), re.DOTALL)
    assert row is not None
    assert re.search(rf">{label}</th>.*>2</span>", row[0], re.DOTALL)


def test_what_was_deployed_is_told_before_the_war() -> None:
    event = ArmyDeployed("axis", "NORTH", "Q13", {"inf": 5, "mech": 2})
    assert "BEFORE THE WAR" in diary([event], "axis")
    assert "Before the war" in diary_html([event], "axis")


def test_points_are_listed_in_the_order_of_the_card_whatever_order_they_come_in() -> None:
    event = ArmyDeployed("axis", "NORTH", "Q13", {"amph": 1, "inf": 5, "mech": 2})
    assert "with 5I 2M 1A." in flat(diary([event], "axis"))


def test_a_diary_without_events_says_so() -> None:
    assert "Nothing that the Axis could see." in diary([], "axis")
    began = PlayerTurnBegan(6, "summer", 1941, "soviet")
    assert "Nothing that the Axis could see." in diary([began], "axis")


# ------------------------------------------------------------------ golden texts, read against the rules


SMOLENSK = [
    PlayerTurnBegan(9, "summer", 1942, "axis"),
    AttackAnnounced("axis", "CENTER", "Q15", "Q16"),
    Fired("soviet", True, ("SWEST",), "Q16", "Q15", 6, Roll(4, "17/9-axis/Q16/defensive assault/1"), 1),
    PointsLost("axis", "CENTER", "Q15", 1, {"inf": 1}),
    Fired("axis", False, ("CENTER",), "Q15", "Q16", 9, Roll(3, "17/9-axis/Q15/assault on Q16/1"), 3),
    PointsLost("soviet", "SWEST", "Q16", 3, None),
    AdvanceTried("axis", "CENTER", "Q15", "Q16", 8, "3", 5, Roll(5, "17/9-axis/Q16/advance of CENTER/1"), True),
    ArmyRetreated("soviet", "SWEST", "Q16", "Q17"),
    ArmyAdvanced("axis", "CENTER", "Q15", "Q16"),
    PlaceCaptured("axis", "Q16", "soviet", "advance"),
    AdvanceTried(
        "axis", "CENTER", "Q16", "Q17", 8, "3", 5,
        Roll(6, "17/9-axis/Q17/advance of CENTER/1", (Modifier(1, "already advanced 1"),)), False, True,
    ),
]  # fmt: skip

# HW-8 and HW-9, the battle of Smolensk: firepower of 6 on a 4 is 1, of 9 on a 3 is 3; row 8 against 3 is 1-5.
SMOLENSK_TEXT = """\
WAR DIARY, SUMMER 1942: AXIS PLAYER-TURN
========================================

INITIAL ATTACKS

Q16 Smolensk
  Army Group Center (Center) attacks from Q15 Vitebsk.
  Defence  Western Front (West), strength 6: die 4 [#1]: 1 hit.
           Army Group Center loses 1 infantry.
  Assault  Army Group Center, strength 9: die 3 [#2]: 3 hits.
           Western Front loses 3 points.
  Advance  Army Group Center, 8 mechanized against 3: needs 1-5; die 5 [#3]:
           it advances.
           Western Front retreats to Q17 Moscow.
           Q16 Smolensk falls to the Axis.

EXPLOITATION

Q17 Moscow
  Advance  Army Group Center, 8 mechanized against 3: needs 1-5; die 6, +1
           already advanced 1 = 7 [#4]: it stays in Q16 Smolensk.

DICE

  Each die with its label. With the key of this run anybody can compute them
  again.
   #1  4  17/9-axis/Q16/defensive assault/1
   #2  3  17/9-axis/Q15/assault on Q16/1
   #3  5  17/9-axis/Q16/advance of CENTER/1
   #4  6  17/9-axis/Q17/advance of CENTER/1
"""


def test_the_battle_of_smolensk_reads_as_it_was_fought() -> None:
    assert diary(SMOLENSK, "axis") == SMOLENSK_TEXT


def in_this_order(text: str, *pieces: str) -> bool:
    places = [text.index(piece) for piece in pieces]
    return places == sorted(places)


def test_landings_are_told_before_the_other_attacks() -> None:
    """HW-13.4. The orders may name them in any order."""
    events = [
        PlayerTurnBegan(14, "spring", 1944, "allies"),
        AttackAnnounced("allies", "5US", "J11", "K11"),
        InvasionAnnounced("allies", "2BR", "P6", "N6", ("P6", "O6", "N6")),
        LandingTried("allies", "2BR", "N6", 8, "2", 7, roll(2), True),
        Fired("allies", False, ("5US",), "J11", "K11", 5, roll(6), 0),
    ]
    text = diary(events, "allies")
    assert in_this_order(text, "LANDINGS", "N6 Brest", "die 2 [#1]", "INITIAL ATTACKS", "K11 Ancona", "die 6 [#2]")


def test_politics_are_told_when_they_happen() -> None:
    """HW-19.10 with the attack, HW-21.7 when the capital falls, HW-20.3 before anybody moves, HW-20.1 in production."""
    events = [
        PlayerTurnBegan(6, "summer", 1941, "axis"),
        CountryJoined("Rumania", "axis", "HW-20.3"),
        GiftReceived("axis", "Rumania", "RUMANIA", "L14", {"inf": 2, "mech": 1}),
        ArmyRearranged("axis", "SOUTH", "N12", "N13", {"inf": 2}, {"inf": 2}),
        CountryViolated("Low Countries", "axis"),
        CountryViolated("Yugoslavia", "axis"),
        AttackAnnounced("axis", "SOUTH", "M12", "L12"),
        AdvanceTried("axis", "SOUTH", "M12", "L12", 7, "1", 5, roll(3), True),
        PlaceCaptured("axis", "L12", "unaligned", "advance"),
        CountrySurrendered("Yugoslavia", "axis", "HW-21.7", ("L11", "K12")),
        AdvanceTried("axis", "SOUTH", "L12", "K12", 7, "friendly", 9, roll(1), True, True),
        CountryJoined("Low Countries", "allies", "HW-19.3", ("P8",)),
    ]
    text = flat(diary(events, "axis"))
    assert in_this_order(
        text, "POLITICS AT THE START", "Rumania joins the Axis", "Rumania brings", "MOVEMENT",
        "ATTACKS ON UNALIGNED COUNTRIES", "attacks the Low Countries, which were unaligned", "INITIAL ATTACKS",
        "L12 Belgrade falls", "Yugoslavia surrenders", "EXPLOITATION", "POLITICS The Low Countries join the Allies",
    )  # fmt: skip


def test_who_does_not_see_the_capital_fall_hears_of_it_all_the_same() -> None:
    surrender = CountrySurrendered("Poland", "axis", "HW-21.7", ("N13",))
    text = diary([PlayerTurnBegan(1, "winter", 1939, "axis"), surrender], "allies")
    assert in_this_order(text, "POLITICS", "Poland surrenders to the Axis")


def test_the_enemy_does_not_read_what_an_army_is_made_of() -> None:
    text = flat(diary(SMOLENSK, "soviet"))
    assert "mechanized" not in text
    assert "Army Group Center against 3: needs 1-5; die 5" in text


def test_modifiers_are_named_and_a_die_above_the_table_is_read_as_its_last_row() -> None:
    winter = Fired("axis", False, ("NORTH",), "Q15", "Q16", 7, roll(5, (4, "Russian winter")), 1)
    assert "die 5, +4 Russian winter = 9, read as 7 [#1]: 1 hit." in flat(diary([winter], "axis"))


def test_a_blank_cell_rolls_no_die() -> None:
    blank = AdvanceTried("axis", "FOURTH", "P13", "P14", 0, "4", None, None, False)
    text = diary([blank], "axis")
    assert "0 mechanized against 4: no die would do. It stays in P13 Białystok." in flat(text)
    assert "DICE" not in text


def test_several_player_turns_are_told_one_after_the_other() -> None:
    text = diary([*SMOLENSK, StandingChanged("soviet", ("DEFEND ALL NOW",)), SAMPLES[0][0]], None)
    first, second = text.split("WAR DIARY, ")[1:]
    assert "DEFEND ALL NOW" not in first
    assert "DEFEND ALL NOW" in second


START_AROUND_MINSK = """\
R     ~   .... ....  n    ~   <M>: : :  : :  : :  : :  : :  : :  : :  : :   R
        ~ .... *...         ~ ::::  : :  : :  : :  : :  : :  : :  : :  : :
Q   ~   .... .... .... .... [10] <M>: : :  : :  (M)  : :  : :  : :  : :     Q
      ~ .... $1.. .... .... .... :::: $1 :  : : *$3: $1 :  : :  : :  : :
P    .... .... .... .... .... [5]. <M>: : :  : :  : :  : :  : :  : :  : :   P
     *$1. $1.. *$3. .... *... .... ::::  : :  : :  : :  : :  : :  : :  : :
"""


def test_the_map_of_the_first_turn() -> None:
    """Rows Q and R as the Axis sees them: North 10 in Q13, medium armies in R13, Q14 and (remembered) Q17."""
    text = text_map(GAME.view(GAME.setup("barbarossa", Options()), "axis", "fog"))
    assert START_AROUND_MINSK in text
    assert text.splitlines()[0].split() == [str(column) for column in range(8, 22)]
    assert [line[0] for line in text.splitlines()[2:36:2]] == list("XWVUTSRQPONMLKJIH")
    assert_fits(text)


def test_the_legend_explains_every_mark() -> None:
    for fog in FOGS:
        for side in (None, "axis"):
            drawing, _, below = text_map(GAME.view(GAME.setup("barbarossa", Options(fog=fog)), side, fog)).partition(
                "\n\n"
            )
            legend = below.split("Capitals")[0]
            signs = {sign for sign in drawing if not sign.isalnum() and not sign.isspace()}
            assert signs <= set(legend)


def test_stacks_show_their_total_and_are_listed() -> None:
    state = GAME.setup("barbarossa", Options())
    state.armies["FOURTH"].place = "Q13"
    text = text_map(GAME.view(state, "axis", "fog"))
    assert "[15+" in text
    assert "Q13 Königsberg: Army Group North, 10; Fourth Army, 5; together 15." in text
    assert "<2a>" in text_map(GAME.view(state, "soviet", "fog")).split("\n\n")[0]


def test_devastated_and_working_production_are_told_apart() -> None:
    state = GAME.setup("barbarossa", Options())
    state.ground["Q17"].devastated = 1
    assert "*$2x" in text_map(GAME.view(state, "soviet", "fog"))


def test_the_own_record_sheet() -> None:
    text = record_sheet(GAME.view(GAME.setup("barbarossa", Options()), "axis", "fog"), "axis")
    assert re.search(r"^Army Group Center +Center +O14 Lutsk +2 +8 +10$", text, re.M)
    assert re.search(r"^Total +21 +20 +41$", text, re.M)
    assert "34 points work, less 17 for other fronts: 17 to spend" in flat(text)
    assert "OKW, West, A, B, C, PZAA, Italy" in text
    assert " T " not in text.splitlines()[2]  # no tac air at this level


def test_the_record_sheet_tells_what_there_will_be_to_spend_and_why() -> None:
    """HW-20.1, HW-14.3: in words, in the table and in the alt text."""
    state = overseas.position("campaign-1", "axis", 1, fog="veiled")
    overseas.put_fort(state, "N9", strength=1, building=2)
    view = GAME.view(state, "axis", "veiled")
    text = record_sheet(view, "axis")
    assert re.search(r"^Production +If nothing on the board changes:$", text, re.M)
    assert "Winter 1939 16 points work: 16 to spend. Fort points completed: 2 in N9 Stuttgart." in flat(text)
    assert "Spring 1940 23 points work: 23 to spend (Italy joins: +7)." in flat(text)
    assert "; 16 production points to spend in Winter 1939 and 23 in Spring 1940. " in alt_texts(view).sheet
    page = position_html(view).replace("\xa0", " ")
    assert re.search(
        r"Spring 1940</th><td[^>]*>23 points work\.<br>Italy joins: \+7\.</td><td[^>]*><strong>23</strong>", page
    )
    assert "Fort points completed: 2 in N9 Stuttgart." in page


def test_in_fog_the_record_sheet_says_that_it_goes_by_what_is_known() -> None:
    view = GAME.view(GAME.setup("campaign-1", Options("fog")), "allies", "fog")
    assert "If nothing on the board changes, as far as you know:" in record_sheet(view, "allies")
    assert "if nothing on the board changes, as far as you know." in position_html(view)


def test_after_the_last_production_phase_nothing_is_left_to_spend() -> None:
    view = GAME.view(overseas.position("campaign-1", "allies", 18), None, "open")
    assert "Production    16 points work; no Production Phase is left." in record_sheet(view, "axis")
    assert "Summer 1945   23 points work: 23 to spend." in record_sheet(view, "allies")


def test_the_enemy_record_sheet_shows_what_is_known_and_since_when() -> None:
    text = record_sheet(GAME.view(GAME.setup("barbarossa", Options()), "axis", "fog"), "soviet")
    assert "SOVIET, AS FAR AS KNOWN" in text
    assert re.search(r"^Northwest Front +Q14 Minsk +medium \(4-6\) +now$", text, re.M)
    assert re.search(r"^Moscow Front +Q17 Moscow +medium \(4-6\) +Summer 1941$", text, re.M)
    assert "Production" not in text


def test_the_heading_says_where_the_war_stands() -> None:
    state = GAME.setup("barbarossa", Options())
    heading = flat(show_text(GAME.title, GAME.view(state, "axis", "fog"))[:300])
    assert "BARBAROSSA Hitler's War, edition 1984. Fog: fog. Mode: one-run." in heading
    assert "Summer 1941, turn 1 of 8. Orders are awaited from the Axis (player-turn)." in heading
    over = msgspec.structs.replace(state, outcome=Outcome(("axis",), "the Axis holds all", "HW-15.8"))
    assert "The Axis wins the war: the Axis holds all (HW-15.8)." in flat(
        show_text(GAME.title, GAME.view(over, "axis", "fog"))
    )


def test_the_game_master_reads_all_sheets() -> None:
    text = show_text(GAME.title, GAME.view(GAME.setup("barbarossa", Options()), None, "fog"))
    assert "AXIS RECORD SHEET" in text
    assert "SOVIET RECORD SHEET" in text
    assert "AS FAR AS KNOWN" not in text


# ------------------------------------------------------------------ whole wars


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fog", FOGS)
def test_whole_wars_fit_into_a_mail(fog: str, mode: str) -> None:
    for state, events in played(fog, mode, "whole wars", 20):
        for side in (None, "axis", "soviet"):
            text = diary(GAME.told(events, side, fog), side) + show_text(GAME.title, GAME.view(state, side, fog))
            assert_fits(text)
            assert "\n\n\n" not in text


def test_a_fogged_report_is_the_same_whatever_it_may_not_tell() -> None:
    """What enemy armies are made of is changed, and the order they are kept in; their bands stay what they are."""
    for state, _ in played("fog", "one-run", "fog", 6):
        other = GAME.decode(GAME.encode(state))
        for army in other.armies.values():
            if army.side == "soviet" and army.inf:
                army.inf, army.mech = army.inf - 1, army.mech + 1
        other.armies = dict(reversed(other.armies.items()))
        assert show_text(GAME.title, GAME.view(other, "axis", "fog")) == show_text(
            GAME.title, GAME.view(state, "axis", "fog")
        )


# ------------------------------------------------------------------ games without templates


def test_a_game_without_templates_is_listed_plainly() -> None:
    game, box = TwoHills(), box_of(TwoHills())
    state = game.setup("at-once", Options())
    views = {side: game.view(state, side, "fog") for side in ("red", "blue")}
    sheets = {side: game.parse("TAKE north", view) for side, view in views.items()}
    after, events = game.run(state, sheets, KeyedDice(b"key", "two-hills/1"))
    text = box.story(events, "red")
    assert "ordered: side=red" in text
    assert "fought: hill=north attacker=red" in text
    assert "turn: 2" in box.position(game.view(after, "red", "fog"))
    assert "1 ok" in receipt(box, "TAKE north", sheets["red"], [], facts(side="red"))
    assert_fits(text)
    assert re.search(r"attack=die \d \[#1\] defence=die \d(?:, \+\d holding = \d)? \[#2\]", " ".join(text.split()))
    assert re.search(r"^   #1  \d  +two-hills/1/north/red/1$", text, re.MULTILINE)
    assert box.story([], "red") == "WAR DIARY\n=========\n\n  Nothing happened.\n"


def test_templates_are_found_beside_the_program() -> None:
    assert (TEMPLATES / GAME.id).is_dir()


def test_every_roll_says_whether_it_belongs_to_the_initial_attack_or_to_exploitation() -> None:
    """HW-8.6, HW-8.7: initial attacks are announced; exploitation follows all of them, by armies that advanced."""
    rolls = []
    for _, events in played("open", "one-run", "sub-phases", gates=8):
        announced = {(event.army, event.target) for event in events if isinstance(event, AttackAnnounced)}
        advanced = set()
        fights = [event for event in events if isinstance(event, Fired | AdvanceTried)]
        assert [event.exploitation for event in fights] == sorted(event.exploitation for event in fights)
        for event in (event for event in fights if isinstance(event, AdvanceTried)):
            assert event.army in advanced if event.exploitation else (event.army, event.target) in announced
            advanced |= {event.army} if event.success else set()
        rolls += [event.exploitation for event in fights]
    assert set(rolls) == {True, False}


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("no way leads from P7 to D15", "no way leads from P7 London to D15 Suez"),
        ("BRITAIN is in P7, not in Q7", "Britain is in P7 London, not in Q7 Birmingham"),
        ("new points in M8 form 5US", "new points in M8 Lyon form 5th"),
        ("the way is closed at Gibraltar (H4)", "the way is closed at Gibraltar (H4)"),
    ],
)
def test_a_remark_names_every_hex_once_and_armies_as_in_orders(said: str, read: str) -> None:
    assert with_names(said) == read


def test_armies_are_called_in_replies_as_on_the_record_sheet() -> None:
    """Leningrad Front is LENIN inside the program, but a player writes Leningrad, and finds that on his sheet."""
    refused = OrderRefused(
        "soviet", 1, "BUILD 2M Q17 Leningrad", "LENIN stands in T15, not in Q17", "free: NW, SWEST, SW"
    )
    assert "free: NW, West, SW." in diary([refused], "soviet")
    default = DefaultUsed("soviet", "D-13", "1UKR fires at once", "STANDING DEFEND 1UKR HOLD")
    assert "STANDING DEFEND 1Ukr HOLD" in flat(diary([default], "soviet"))
    finding = Finding(Kind.ILLEGAL, 1, "5US is not on the map", "your armies are: 5US, 2BR", "ATTACK 5th K11 ASSAULT")
    sheet = Sheet("allies", (), (finding,))
    assert "5th is not on the map. What would work: your armies are: 5th, 2Br." in flat(
        receipt(BOX, "ATTACK 5th K11 ASSAULT", sheet, (), facts())
    )
    table = table_of(BOX, as_table([Odds(1, "LENIN", "S15", assumes=(Assumption("strong", "SWEST 7 to 10"),))]))
    assert (table.rows[0].what, table.assumptions) == ("Leningrad S15", ("strong: West 7 to 10",))


# ------------------------------------------------------------------ lines of orders and standing orders


def test_a_landing_that_is_sunk_on_its_way_is_told_so():
    """HW-13.8: a die of 1 is 2 hits of strength 6, so two points are gone before anybody could land."""
    state = overseas.position("fall-of-germany", "axis")
    overseas.put(state, "B", "Q9", inf=1, amph=1)
    overseas.put(state, "BRITAIN", "S7", inf=1)
    text = "INVADE B S7"
    view = GAME.view(state, "axis", "fog")
    sheet = GAME.parse(text, view)
    _, events = GAME.run(state, {"axis": sheet}, ForcedDice([1] * 12))
    (line,) = what_came_of(BOX, text, sheet, (), GAME.came_of(view, sheet, events))
    assert line.result == "lost its last points before it could fire or advance"


def test_standing_orders_call_armies_as_the_record_sheet_does():
    """The Fifth Army is 5th on the sheet of the Allies; its id in the engine is nobody's business."""
    state = overseas.position("campaign-1", "allies")
    sheet = GAME.parse("STANDING ADOPT Italy AS 5th", GAME.view(state, "allies", "fog"))
    after, events = GAME.run(state, {"allies": sheet}, KeyedDice(b"test", "test"))
    view = GAME.view(after, "allies", "fog")
    assert "ADOPT Italy AS 5th" in record_sheet(view, "allies")
    assert "ADOPT Italy AS 5th" in position_html(view)
    assert "Now in force: ADOPT Italy AS 5th." in flat(diary(events, "allies"))


def test_no_strength_of_an_enemy_is_cut_off_in_his_table():
    """The longest band beside the longest season."""
    view = GAME.view(overseas.position("campaign-1", "axis", fog="fog"), "axis", "fog")
    army = ArmyView("US", "allies", "US", view.turn, band="massed")
    text = record_sheet(msgspec.structs.replace(view, armies={"US": army}), "allies")
    assert "massed (11 or more) Winter 1939\n" in text
    assert_fits(text)


def test_in_html_a_band_is_not_parted_at_its_hyphen():
    """On a phone 'strong (7-10)' became 'strong (7-' and '10)'."""
    view = GAME.view(overseas.position("campaign-1", "axis", fog="fog"), "axis", "fog")
    army = ArmyView("1FR", "allies", "O8", view.turn, band="strong")
    page = position_html(msgspec.structs.replace(view, armies={"1FR": army}))
    assert "strong (7\u201110)" in page
    assert "(7-10)" not in page
