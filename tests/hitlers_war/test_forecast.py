"""The odds of a sheet: exactly what the engine's own dice would come to, as far as the side can know."""

from collections.abc import Mapping
from fractions import Fraction

import overseas
import pytest
from barbarossa import GAME, barbarossa, run
from every_die import compare, fight
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.forecast import exactly
from engine.grand_strategy.odds import chances
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.table import table_of as as_table
from engine.grand_strategy.orders import Attack, Defend, Exploit, Retreat
from engine.grand_strategy.rules.exploitation import exploit
from engine.grand_strategy.state import Army, ArmyFought, State
from pbem.games import box_of
from pbem.post.odds_table import percent, points, table_of
from pbem.words.wording import render
from tests.the_project import ROOT
from tools.bench import SHEET, full_front

SUMMER_41, WINTER_41, SUMMER_42, WINTER_42 = 6, 7, 9, 10


def position(
    armies: Mapping[str, tuple[str, int, int]], turn: int = SUMMER_42, axis: str = "", **options: str
) -> State:
    """Armies given as place, infantry, mechanized; Axis counters have a plus before their name."""
    state = barbarossa(**options)
    state.turn = turn
    for place in axis.split():
        state.ground[place].owner = "axis"
    state.armies = {
        name.lstrip("+"): Army(name.lstrip("+"), "axis" if name.startswith("+") else "soviet", place, inf, mech)
        for name, (place, inf, mech) in armies.items()
    }
    return state


def forecast(state: State, text: str) -> list[Odds]:
    view = GAME.view(state, state.phasing, state.options.fog)
    sheet = GAME.parse(text, view)
    assert not sheet.findings, sheet.findings
    return GAME.odds(view, sheet)


def agrees_with_every_die(state: State, text: str, least_battles: int = 6) -> list[Odds]:
    """The forecast from an open view is what comes of fighting with all dice there are."""
    odds = forecast(state, text)
    sheet = GAME.parse(text, GAME.view(state, state.phasing, "open"))
    tried = fight(state, sheet)
    assert tried.battles >= least_battles
    compare(odds, tried)
    return odds


ONE_ARMY = {"+CENTER": ("O14", 2, 6), "SWEST": ("P14", 3, 1)}
EXAMPLE = "ATTACK Center P14 ASSAULT ADVANCE\nEXPLOIT Center P15 STOP-IF RANGE<1"
SITUATIONS = {
    "one army against one": (ONE_ARMY, {}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "the later edition": (ONE_ARMY, {"edition": "later"}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "a garrison does not fire": ({"+CENTER": ("O14", 2, 6)}, {}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "an advance without a shot": (ONE_ARMY, {}, "ATTACK Center P14 ADVANCE"),
    "a shot without an advance": (ONE_ARMY, {}, "ATTACK Center P14 ASSAULT"),
    "the first Russian winter": (
        {"+CENTER": ("P14", 2, 8), "SWEST": ("P15", 2, 0)},
        {"turn": WINTER_41, "axis": "P14"},
        "ATTACK Center P15 ASSAULT ADVANCE",
    ),
    "winter on home ground": (ONE_ARMY, {"turn": WINTER_41}, "ATTACK Center P14 ASSAULT ADVANCE"),
    "over a crossing": (
        {"+SOUTH": ("L16", 3, 7), "SWEST": ("L17", 3, 0)},
        {"axis": "L15 L16"},
        "ATTACK South L17 ASSAULT ADVANCE",
    ),
    "into the mountains": (
        {"+SOUTH": ("K18", 3, 7), "SWEST": ("J18", 2, 0)},
        {"axis": "L15 L16 L17 K18 M15 M16 M17"},
        "ATTACK South J18 ASSAULT ADVANCE",
    ),
    "two armies of one hex fire together": (
        {"+CENTER": ("O14", 2, 4), "+B": ("O14", 3, 1), "SWEST": ("P14", 4, 1)},
        {},
        "ATTACK Center P14 ASSAULT ADVANCE\nATTACK B P14 ASSAULT ADVANCE",
    ),
    "two armies of two hexes fire one after the other": (
        {"+CENTER": ("O14", 1, 5), "+FOURTH": ("P13", 4, 0), "SWEST": ("P14", 3, 0), "WHITE": ("P14", 1, 0)},
        {},
        "ATTACK Fourth P14 ASSAULT\nATTACK Center P14 ASSAULT ADVANCE",
    ),
    "losses by order": (
        {"+CENTER": ("O14", 1, 5), "+FOURTH": ("P13", 3, 0), "SWEST": ("P14", 5, 1)},
        {},
        "LOSSES P14 FROM Center TYPES M,I\nATTACK Fourth P14 ASSAULT\nATTACK Center P14 ADVANCE",
    ),
    "losses by a standing order of the same sheet": (
        {"+CENTER": ("O14", 2, 5), "SWEST": ("P14", 5, 1)},
        {},
        "STANDING LOSSES ALL TYPES M,I\nATTACK Center P14 ASSAULT ADVANCE",
    ),
    "an advance on a condition": (
        {"+CENTER": ("O14", 2, 6), "SWEST": ("P14", 4, 0)},
        {},
        "ATTACK Center P14 ASSAULT ADVANCE IF RANGE>=4",
    ),
    "an assault on a condition": (
        {"+CENTER": ("O14", 1, 3), "+FOURTH": ("P13", 3, 0), "SWEST": ("P14", 2, 1)},
        {},
        "ATTACK Fourth P14 ASSAULT\nATTACK Center P14 ASSAULT-IF DEF>=2 ADVANCE IF LOSS<2",
    ),
    "the second follows if the first got in": (
        {"+CENTER": ("O14", 0, 5), "+FOURTH": ("P13", 1, 2), "SWEST": ("P14", 2, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nATTACK Fourth P14 ADVANCE IF TAKEN P14",
    ),
    "who has left a hex does not defend it": (
        {"+CENTER": ("O14", 0, 6), "+FOURTH": ("P13", 0, 3)},
        {},
        "ATTACK Center P14 ADVANCE\nATTACK Fourth Q14 ADVANCE\nEXPLOIT Center (P13|P15 IF DEF P15<DEF P13)",
    ),
    "another hex decides": (
        {"+CENTER": ("O14", 0, 6), "+NORTH": ("Q13", 1, 5), "SWEST": ("P14", 2, 0), "NW": ("Q14", 1, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nATTACK North Q14 ADVANCE IF ROLLED Center",
    ),
    "the example of the page for players": (ONE_ARMY, {}, EXAMPLE),
    "two steps on by default": (
        {"+CENTER": ("O14", 0, 6)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15 Q16 R16",
    ),
    "what is driven out stands in the way": (
        {"+CENTER": ("O14", 2, 9), "SWEST": ("P14", 2, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center (P15|Q15 IF OCCUPIED) STOP-IF RANGE<1",
    ),
    "a shot saved for later": (
        {"+CENTER": ("O14", 2, 8), "WHITE": ("P15", 2, 0)},
        {},
        "ATTACK Center P14 ADVANCE SAVE\nEXPLOIT Center P15:ASSAULT STOP-IF LOSS>=2",
    ),
    "a shot by default at the first enemy": (
        {"+CENTER": ("O14", 2, 8), "WHITE": ("P15", 1, 0)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15",
    ),
    "two exploitations through one hex": (
        {"+CENTER": ("O14", 0, 6), "+SOUTH": ("N13", 0, 6)},
        {},
        """ATTACK Center O15 ADVANCE
        ATTACK South N14 ADVANCE
        EXPLOIT Center N15 STOP-IF RANGE<1
        EXPLOIT South N15 STOP-IF RANGE<1""",
    ),
    "there and back": (
        {"+CENTER": ("O14", 0, 7)},
        {},
        "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15 P14 P15 STOP-IF RANGE<1",
    ),
    "an army of the enemy moves first": (
        {"+CENTER": ("O13", 2, 6), "SWEST": ("P14", 2, 1)},
        {},
        "GOTO Center O14\nATTACK Center P14 ASSAULT ADVANCE",
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_forecast_is_what_all_dice_together_say(name: str) -> None:
    armies, extra, text = SITUATIONS[name]
    odds = agrees_with_every_die(position(armies, **extra), text)
    assert odds


# ------------------------------------------------------------------ by hand from the tables


def test_one_battle_reckoned_by_hand() -> None:
    """The defender's 4 points hit for 2, 1, 1, 1, 0, 0 and cost infantry; 8, 7 or 6 points fire back at him.

    Eight points hit for 3, 3, 2, 2, 2, 1, seven for 3, 2, 2, 2, 1, 1, six for 2, 2, 2, 1, 1, 1 (HW-8.9). Against 1, 2
    and 3 points left, six mechanized get in with 6, 5 and 3 (HW-9.2).
    """
    (odds,) = forecast(position(ONE_ARMY), "ATTACK Center P14 ASSAULT ADVANCE")
    assert odds.strength == 8
    assert odds.suffered_spread == (Fraction(2, 6), Fraction(3, 6), Fraction(1, 6))
    assert odds.suffered == exactly(Fraction(5, 6))
    assert odds.inflicted == exactly(Fraction(2 * 13 + 3 * 11 + 1 * 9, 36))
    eight, seven, six = 2 * 6 + 3 * 5 + 1 * 3, 1 * 6 + 3 * 5 + 2 * 3, 3 * 5 + 3 * 3
    assert odds.success == odds.taken == exactly(Fraction(2 * eight + 3 * seven + 1 * six, 216))


def test_the_later_table_is_one_worse_against_one_and_two() -> None:
    """Against 1, 2 and 3 points six mechanized get in with 5, 4 and 3 (HW-9.2, A-05)."""
    (odds,) = forecast(position(ONE_ARMY, edition="later"), "ATTACK Center P14 ASSAULT ADVANCE")
    eight, seven, six = 2 * 5 + 3 * 4 + 1 * 3, 1 * 5 + 3 * 4 + 2 * 3, 3 * 4 + 3 * 3
    assert odds.success == exactly(Fraction(2 * eight + 3 * seven + 1 * six, 216))


def test_a_garrison_is_shot_away_or_run_over() -> None:
    """Eight points always hit (HW-8.9), so the hex is empty and every die up to 8 takes it (HW-5.1, HW-9.2)."""
    (odds,) = forecast(position({"+CENTER": ("O14", 2, 6)}), "ATTACK Center P14 ASSAULT ADVANCE")
    assert odds.suffered == exactly(Fraction(0))
    assert odds.inflicted == exactly(Fraction(1))
    assert odds.success == exactly(Fraction(1))


def test_each_hex_behind_makes_the_next_one_harder() -> None:
    """Six mechanized against a garrison: 6, then 5, then 4 of six dice (HW-9.5)."""
    odds = forecast(
        position({"+CENTER": ("O14", 0, 6)}), "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15 Q16 STOP-IF RANGE<1"
    )
    assert [each.success for each in odds] == [exactly(Fraction(n)) for n in (1, Fraction(5, 6), Fraction(20, 36))]
    assert [each.step for each in odds] == [0, 1, 2]


def test_the_first_winter_adds_four() -> None:
    """Eight mechanized against 1 get in with 8, less 4 in the first winter (HW-9.16): four dice of six."""
    state = position({"+CENTER": ("P14", 0, 8)}, turn=WINTER_41, axis="P14")
    (odds,) = forecast(state, "ATTACK Center P15 ADVANCE")
    assert odds.success == exactly(Fraction(4, 6))
    state.winters_before = 1
    (odds,) = forecast(state, "ATTACK Center P15 ADVANCE")
    assert odds.success == exactly(Fraction(6, 6))


def test_a_country_is_taken_to_fight_on_without_its_capital() -> None:
    """Warsaw would end Poland (HW-21.7). Six mechanized meet a garrison in each hex all the same: 6, 5, then 4 of six
    dice (HW-9.5), and it is said."""
    state = overseas.position("campaign-1", "axis")
    overseas.put(state, "SOUTH", "O12", mech=6)
    odds = forecast(state, "VIOLATE Poland\nATTACK South P12 ADVANCE\nEXPLOIT South P13 O13 STOP-IF RANGE<1")
    assert [each.success for each in odds] == [exactly(Fraction(n)) for n in (1, Fraction(5, 6), Fraction(20, 36))]
    assert all(map(_fights_on, odds))


def test_it_is_said_of_a_hex_whose_country_may_have_fallen_elsewhere() -> None:
    """HW-21.10: with Warsaw all of Poland is friendly, and the advance another roll. Belgium has nothing to do with it."""
    state = overseas.position("campaign-1", "axis")
    overseas.put(state, "SOUTH", "O12", mech=6)
    overseas.put(state, "NORTH", "Q13", inf=5)
    overseas.put(state, "WEST", "O9", inf=5)
    warsaw, bialystok, belgium = forecast(
        state,
        "VIOLATE Poland\nVIOLATE Belgium\n"
        "ATTACK South P12 ADVANCE\nATTACK North P13 ASSAULT ADVANCE\nATTACK West P8 ASSAULT ADVANCE",
    )
    assert [_fights_on(each) for each in (warsaw, bialystok, belgium)] == [True, True, False]
    *_, back = forecast(state, "VIOLATE Poland\nATTACK South P12 ADVANCE\nEXPLOIT South P13 Q13")
    assert _fights_on(back), "Q13 is in Germany, but the way there leads through Poland"
    (alone,) = forecast(state, "VIOLATE Poland\nATTACK South P12 ADVANCE")
    assert not _fights_on(alone), "nobody comes after it"


def _fights_on(odds: Odds) -> bool:
    return any("fight on" in assumption.what for assumption in odds.assumes)


def test_odds_elsewhere_do_not_take_berlin_for_fallen() -> None:
    """HW-21.1: what one die in two would end is still to be fought for, and it is said."""
    state = overseas.position("campaign-1", "allies", 16)
    for place in ("O9", "P8", "P9"):
        state.ground[place].owner = "allies"
    overseas.put(state, "1US", "P9", mech=3)
    overseas.put(state, "2BR", "O9", mech=8)
    ruhr = "ATTACK 2Br O10 ADVANCE\nEXPLOIT 2Br O11 N11 STOP-IF RANGE<1"
    alone, both = forecast(state, ruhr), forecast(state, f"ATTACK 1US P10 ADVANCE\n{ruhr}")
    assert [each.success for each in alone] == [each.success for each in both[1:]]
    assert both[0].success == exactly(Fraction(1, 2))
    (*_, step) = forecast(state, "ATTACK 2Br O10 ADVANCE\nEXPLOIT 2Br O11 P10 STOP-IF RANGE<1")
    assert _fights_on(step)
    assert _fights_on(both[-1]), "the war may be over before"


def test_it_is_said_that_the_last_city_may_end_the_war() -> None:
    """HW-15.8: who comes to Leningrad second, or goes on from there, does so only if the war is not over."""
    state = position({"+NORTH": ("T14", 0, 6), "+SOUTH": ("T14", 2, 2)}, axis="T14 Q17 M19")
    both = "ATTACK North T15 ADVANCE\nATTACK South T15 ADVANCE"
    assert all(map(_fights_on, forecast(state, both)))
    state.ground["M19"].owner = "soviet"
    assert not any(map(_fights_on, forecast(state, both)))


# ------------------------------------------------------------------ at the exploitation gate


def test_at_the_checkpoint_the_odds_start_from_what_has_happened() -> None:
    """SWEST fired and was driven back to where the path leads; it does not fire again (HW-8.5)."""
    state = position({"+CENTER": ("O14", 1, 6), "SWEST": ("P14", 3, 0)}, mode="checkpoint")
    sheet = "ATTACK Center P14 ADVANCE\nLOSSES ALL TYPES M,I"
    for first in (1, 6):
        after, _ = run(state, {"axis": sheet}, [first, 1])
        assert after.step == "exploitation"
        refuge = after.armies["SWEST"].place
        text = f"EXPLOIT Center {refuge}:ASSAULT RETURN STOP-IF RANGE<1"
        odds = forecast(after, text)
        tried = fight(after, GAME.parse(text, GAME.view(after, "axis", "open")), (exploit,))
        compare(odds, tried)
        assert 0 < odds[0].success.least < 1
        assert odds[1].success.least == tried.advances["CENTER", "P14", 2] > 0


def test_what_was_ordered_for_the_exploitation_before_still_counts_for_losses() -> None:
    state = position({"+CENTER": ("O14", 3, 6), "WHITE": ("P15", 9, 0)}, mode="checkpoint")
    after, _ = run(state, {"axis": "ATTACK Center P14 ADVANCE\nLOSSES ALL TYPES M,I"}, [1])
    text = "EXPLOIT Center P15:ASSAULT STOP-IF RANGE<0"
    tried = fight(after, GAME.parse(text, GAME.view(after, "axis", "open")), (exploit,))
    compare(forecast(after, text), tried)


# ------------------------------------------------------------------ what is hidden


HIDDEN_SHEET = "ATTACK Center P14 ASSAULT ADVANCE\nEXPLOIT Center P15 STOP-IF RANGE<1"


def in_every_strength(armies: Mapping[str, tuple[str, int, int]], army: str, strengths: range, text: str, **extra):
    place = armies[army][0]
    return [forecast(position({**armies, army: (place, n, 0)}, fog="open", **extra), text) for n in strengths]


@pytest.mark.parametrize(("seen", "strengths"), [(2, range(1, 4)), (5, range(4, 7)), (8, range(7, 11))])
@pytest.mark.parametrize("text", [HIDDEN_SHEET, "ATTACK Center P14 ASSAULT-IF DEF>=3 ADVANCE IF DEF<5"])
def test_a_band_spans_exactly_the_strengths_it_may_hide(seen: int, strengths: range, text: str) -> None:
    armies = {"+CENTER": ("O14", 2, 8), "SWEST": ("P14", seen, 0)}
    spanned = forecast(position(armies, fog="fog"), text)
    exact = in_every_strength(armies, "SWEST", strengths, text)
    for row, possible in zip(spanned, zip(*exact, strict=True), strict=True):
        for number in ("success", "taken", "inflicted", "suffered"):
            values = [getattr(one, number) for one in possible if getattr(one, number) is not None]
            span = getattr(row, number)
            assert (span is None) == (not values)
            if span is not None:
                assert span.least == min(value.least for value in values)
                assert span.most == max(value.most for value in values)


def test_two_bands_in_one_hex_span_all_their_sums() -> None:
    armies = {"+CENTER": ("O14", 2, 8), "SWEST": ("P14", 2, 0), "WHITE": ("P14", 1, 0)}
    text = "ATTACK Center P14 ASSAULT ADVANCE"
    (row,) = forecast(position(armies, fog="fog"), text)
    for one in range(1, 4):
        for other in range(1, 4):
            changed = {**armies, "SWEST": ("P14", one, 0), "WHITE": ("P14", other, 0)}
            (true,) = forecast(position(changed), text)
            for number in ("success", "inflicted", "suffered"):
                span, value = getattr(row, number), getattr(true, number).least
                assert span.least <= value <= span.most


def test_an_unknown_strength_spans_one_to_ten_until_the_army_has_fought() -> None:
    state = position(ONE_ARMY, fog="veiled")
    (row,) = forecast(state, "ATTACK Center P14 ASSAULT ADVANCE")
    assert (row.success.least, row.success.most) == (0, 1)
    state.memory["axis"].fought["SWEST"] = ArmyFought(4, SUMMER_42)
    (row,) = forecast(state, "ATTACK Center P14 ASSAULT ADVANCE")
    (true,) = forecast(position(ONE_ARMY), "ATTACK Center P14 ASSAULT ADVANCE")
    assert row.success == true.success
    assert any("last battle" in each.what and "SWEST 4" in each.of for each in row.assumes)


def test_a_hex_out_of_sight_is_taken_as_last_seen() -> None:
    armies = {"+CENTER": ("O14", 2, 8)}
    text = "ATTACK Center P14 ADVANCE\nEXPLOIT Center P15 STOP-IF RANGE<1"
    seen = forecast(position(armies, fog="fog"), text)
    state = position({**armies, "WHITE": ("P15", 9, 0)}, fog="fog")
    assert forecast(state, text) == seen
    assert any("out of sight" in each.what and "P15" in each.of for each in seen[1].assumes)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_the_same_view_gives_the_same_odds(data: st.DataObject) -> None:
    """Whatever the defender is made of, and whatever he has ordered, while it looks the same."""
    shown = forecast(position({**ONE_ARMY, "WHITE": ("P15", 5, 0)}, fog="fog"), EXAMPLE)
    total = data.draw(st.integers(4, 6))
    mech = data.draw(st.integers(0, total))
    state = position(
        {
            "+CENTER": ("O14", 2, 6),
            "SWEST": ("P14", total - mech, mech),
            "WHITE": ("P15", data.draw(st.integers(1, 9)), data.draw(st.integers(0, 9))),
        },
        fog="fog",
    )
    policy = data.draw(st.sampled_from(["NEVER", "HOLD", "NOW"]))
    state.kept["soviet"].standing = [Defend("ALL", policy), Retreat("ALL", "TO", ("P15",))]
    assert forecast(state, EXAMPLE) == shown


# ------------------------------------------------------------------ several together


def test_lines_that_meet_in_too_many_ways_are_reckoned_hex_by_hex() -> None:
    """The number for each hex is then the one it has when its attackers and their steps are alone on the sheet."""
    armies = {
        "+NORTH": ("Q13", 1, 5), "+A": ("P13", 1, 5), "+CENTER": ("O14", 1, 5),
        "NW": ("Q14", 3, 0), "SWEST": ("P14", 3, 0), "SW": ("O15", 3, 0),
    }  # fmt: skip
    lines = {
        "NORTH": "ATTACK North Q14 ASSAULT ADVANCE\nEXPLOIT North Q15 P15 STOP-IF RANGE<1\n",
        "A": "ATTACK A P14 ASSAULT ADVANCE\nEXPLOIT A P15 STOP-IF RANGE<1\n",
        "CENTER": "ATTACK Center O15 ASSAULT ADVANCE\nEXPLOIT Center P15 STOP-IF RANGE<1\n",
    }
    odds = forecast(position(armies), "".join(lines.values()))
    assert any("hex by hex" in each.what for each in odds[0].assumes)
    for army, text in lines.items():
        alone = forecast(position(armies), text)
        together = [each for each in odds if each.who == army]
        assert [each.success for each in alone] == [each.success for each in together]


def test_what_is_too_much_even_alone_is_left_blank_and_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """First the exploitation, then the attack; what is told is told as if there were no limit."""
    told = forecast(position(ONE_ARMY), EXAMPLE)
    found = []
    for most in range(0, 120, 10):
        monkeypatch.setattr(chances, "MOST_RESULTS", most)
        odds = forecast(position(ONE_ARMY), EXAMPLE)
        assert [(each.line, each.who, each.where, each.step) for each in odds] == [
            (each.line, each.who, each.where, each.step) for each in told
        ]
        reckoned = [each for each in odds if each.success is not None]
        assert [each.success for each in reckoned] == [each.success for each in told[: len(reckoned)]]
        blank = [str(each.line) for each in odds if each.success is None]
        said = "; ".join(table_of(box_of(GAME), as_table(odds)).assumptions)
        assert ("left blank, in line: " + ", ".join(blank) in said) is bool(blank)
        found.append(len(reckoned))
    assert found == sorted(found)
    assert set(found) == {0, 1, 2}


def test_attacks_that_cannot_meet_do_not_change_each_other() -> None:
    armies = {**ONE_ARMY, "+RUMANIA": ("L14", 1, 5), "2UKR": ("L15", 2, 0)}
    center, rumania = "ATTACK Center P14 ASSAULT ADVANCE", "ATTACK Rumania L15 ASSAULT ADVANCE"
    both = forecast(position(armies), f"{center}\n{rumania}")
    alone = [forecast(position(armies), each)[0] for each in (center, rumania)]
    assert [each.success for each in both] == [each.success for each in alone]


def test_a_line_that_is_refused_has_no_odds() -> None:
    odds = forecast(position(ONE_ARMY), "ATTACK Center Q16 ASSAULT ADVANCE\nEXPLOIT Center P15")
    assert odds == []


def test_a_side_that_waits_has_no_odds() -> None:
    state = position(ONE_ARMY)
    view = GAME.view(state, "soviet", "open")
    assert GAME.odds(view, GAME.parse("STANDING DEFEND ALL NOW", view)) == []


def test_every_attack_of_a_full_front_has_its_odds() -> None:
    """Every line of a full front has its odds, and all of them are chances."""
    view = GAME.view(full_front(), "axis", "fog")
    sheet = GAME.parse(SHEET, view)
    odds = GAME.odds(view, sheet)
    assert {each.line for each in odds} == {
        line.number for line in sheet.lines if isinstance(line.order, Attack | Exploit)
    }
    for each in odds:
        assert each.success is None or 0 <= each.success.least <= each.success.most <= 1


# ------------------------------------------------------------------ the page for players


PLAYING = ROOT / "docs" / "hitlers-war" / "playing.md"


def test_the_example_of_the_page_is_what_the_receipt_would_say() -> None:
    page = PLAYING.read_text(encoding="utf-8")
    orders = page[page.index("## The odds") :].split("```\n")[1]
    assert orders.strip() == EXAMPLE
    told = render(
        "mail/odds.txt.j2", table=table_of(box_of(GAME), as_table(forecast(position(ONE_ARMY, fog="fog"), EXAMPLE)))
    )
    assert "\n".join(told.splitlines()[3:6]) in page


def test_the_numbers_of_the_page_are_those_of_the_engine() -> None:
    """76 and 28 of 100 against 4 and 6 points, and the row it gives for open record sheets."""
    known, onward = forecast(position(ONE_ARMY), EXAMPLE)
    assert known.success == exactly(Fraction(165, 216))
    assert (points(known.inflicted), points(known.suffered), percent(known.success)) == ("1.9", "0.8", "76%")
    assert percent(onward.success) == "49%"
    strong = {**ONE_ARMY, "SWEST": ("P14", 6, 0)}
    assert percent(forecast(position(strong), EXAMPLE)[0].success) == "28%"
