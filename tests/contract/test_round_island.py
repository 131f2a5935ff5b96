"""The rules of Round Island, case by case, and what belongs to its box alone."""

import json
import re
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from engine.dice import ForcedDice
from engine.game import Options
from engine.orders import Kind
from pbem.words.told_dice import Mention
from tests.toy.round_island import FOLDER
from tests.toy.round_island.rules.battle import attacker_wins, chance_to_win, costs
from tests.toy.round_island.rules.board import LAYOUT, hexes, neighbours, rim, villages
from tests.toy.round_island.rules.events import BattleFought, CraterRumbled, HexTaken, OrderRefused, SpearsBurned
from tests.toy.round_island.rules.game import RoundIsland
from tests.toy.round_island.rules.orders import LANGUAGE
from tests.toy.round_island.rules.state import Band, State
from tests.toy.round_island.rules.turn import counted, defender_of
from tests.toy.round_island.shown.box import RoundIslandBox
from tests.toy.round_island.shown.view_file import view_schema

GAME = RoundIsland()
EMBER, TIDE = "ember", "tide"


def state_with(ember: dict[str, int], tide: dict[str, int], **changes: object) -> State:
    """A position in which everybody owns what he stands in, and nobody anything else."""
    bands = {hex_id: Band(EMBER, spears) for hex_id, spears in ember.items()}
    bands |= {hex_id: Band(TIDE, spears) for hex_id, spears in tide.items()}
    state = GAME.setup("six-moons", Options())
    owner = {hex_id: band.side for hex_id, band in bands.items()}
    return msgspec.structs.replace(state, bands=bands, owner=owner, **changes)


def play(state: State, ember: str = "HOLD", tide: str = "HOLD", dice: tuple[int, ...] = ()):
    """One moon with these sheets and dice: the position after it and the events."""
    sheets = {side: GAME.parse(text, GAME.view(state, side, "fog")) for side, text in ((EMBER, ember), (TIDE, tide))}
    return GAME.run(state, sheets, ForcedDice(dice))


def spears(state: State, side: str) -> dict[str, int]:
    return {hex_id: band.spears for hex_id, band in state.bands.items() if band.side == side}


def only(events, kind):
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def findings(state: State, text: str, side: str = EMBER) -> list[tuple[int, Kind, str]]:
    view = GAME.view(state, side, "fog")
    sheet = GAME.parse(text, view)
    return [(each.line, each.kind, f"{each.why} {each.remedy}") for each in (*sheet.findings, *GAME.check(view, sheet))]


# ------------------------------------------------------------------ the island


def test_the_island_goes_round():
    """RI-1.1: the eighth column touches the first."""
    assert len(hexes()) == 20
    assert "0801" in neighbours("0101")
    assert LAYOUT.distance("0102", "0701") == 2
    after, _ = play(state_with({"0102": 3}, {"0502": 1}), ember="MARCH 2 0102 0801")
    assert spears(after, EMBER) == {"0102": 2, "0801": 2}  # one of them is new (RI-5.1)


def test_lava_is_no_hex():
    """RI-1.2."""
    assert "0402" not in hexes()
    assert "0402" not in neighbours("0401")
    assert "There is no hex 0402" in findings(state_with({"0401": 1}, {"0502": 1}), "MARCH 1 0401 0402")[0][2]


def test_both_clans_begin_alike():
    """Four columns on, the island is the same."""
    turned = {f"{(int(hex_id[:2]) + 3) % 8 + 1:02}{hex_id[2:]}": known.terrain for hex_id, known in hexes().items()}
    assert turned == {hex_id: known.terrain for hex_id, known in hexes().items()}


# ------------------------------------------------------------------ marches


def test_no_spear_marches_twice():
    """RI-3.2: what the first line takes is not there for the second; the check says so and the run refuses it."""
    state = state_with({"0102": 3}, {"0502": 1})
    text = "MARCH 2 0102 0101\nMARCH 2 0102 0103"
    ((line, kind, words),) = findings(state, text)
    assert (line, kind) == (2, Kind.ILLEGAL)
    assert "Only 1 can march from 0102 (RI-3.2). Write MARCH 1 0102 0103." in words
    after, events = play(state, ember=text)
    assert spears(after, EMBER) == {"0101": 2, "0102": 2}
    assert only(events, OrderRefused).lines_of(EMBER) == (2,)


def test_one_marches_to_a_hex_that_touches():
    """RI-3.1."""
    assert "does not touch 0102 (RI-3.1)" in findings(state_with({"0102": 3}, {"0502": 1}), "MARCH 1 0102 0301")[0][2]


def test_who_marches_against_each_other_passes():
    """RI-3.3."""
    state = state_with({"0102": 2}, {"0801": 2})
    after, events = play(state, ember="MARCH 2 0102 0801", tide="MARCH 2 0801 0102")
    assert not [event for event in events if isinstance(event, BattleFought)]
    assert spears(after, EMBER) == {"0801": 2}
    assert spears(after, TIDE) == {"0102": 3}


def test_who_rallies_goes_one_hex_along_a_shortest_way():
    """RI-3.5: round the back of the island, if that is shorter."""
    after, _ = play(state_with({"0101": 2, "0701": 1}, {"0502": 1}), ember="RALLY 0701")
    assert spears(after, EMBER) == {"0801": 2, "0701": 2}


# ------------------------------------------------------------------ battles


@pytest.mark.parametrize(("die", "winner"), [(70, TIDE), (71, EMBER)])
def test_ten_for_each_spear_and_the_cover_of_the_place(die, winner):
    """RI-4.3: three against four in a village are 20 to the bad, so 71 makes 51."""
    after, events = play(state_with({"0401": 3}, {"0502": 4}), ember="MARCH 3 0401 0502", dice=(die,))
    battle = only(events, BattleFought)
    assert [modifier.value for modifier in battle.roll.modifiers] == [-10, -10]
    assert battle.roll.total == die - 20
    assert battle.winner == winner
    assert after.owner["0502"] == winner


def test_what_a_battle_costs():
    """RI-4.5: the beaten everybody, the winner half as many as they were, and never his last spear."""
    assert (costs(3, 4, won=True).attacker, costs(3, 4, won=True).defender) == (2, 4)
    assert (costs(5, 2, won=False).attacker, costs(5, 2, won=False).defender) == (5, 1)
    assert costs(1, 9, won=True).attacker == 0
    assert costs(2, 9, won=True).attacker == 1


def test_small_dice_never_win_and_great_ones_always():
    """RI-4.4."""
    assert [die for die in range(1, 101) if attacker_wins(die, 500)] == list(range(6, 101))
    assert [die for die in range(1, 101) if attacker_wins(die, -500)] == list(range(96, 101))
    assert [die for die in range(1, 101) if attacker_wins(die, 0)] == list(range(51, 101))


def test_the_owner_defends_and_in_nobodys_hex_the_weaker():
    """RI-4.2."""
    state = state_with({"0102": 1}, {"0502": 1})
    assert defender_of(state, "0502", {EMBER: 1, TIDE: 9}) == TIDE
    assert defender_of(state, "0302", {EMBER: 1, TIDE: 2}) == EMBER
    assert defender_of(state, "0302", {EMBER: 2, TIDE: 2}) == TIDE


def test_bands_that_meet_fight_as_one():
    """RI-4.1: from two hexes five march on two in the open, which is 30 to the good."""
    state = state_with({"0101": 3, "0102": 2}, {"0201": 2})
    after, events = play(state, ember="MARCH 3 0101 0201\nMARCH 2 0102 0201", dice=(21,))
    battle = only(events, BattleFought)
    assert (battle.attacking, battle.defending, battle.roll.total, battle.winner) == (5, 2, 51, EMBER)
    assert spears(after, EMBER) == {"0201": 4, "0102": 1}


def odds_of(view, text: str) -> tuple:
    (row,) = GAME.forecast(view, GAME.parse(text, view)).rows
    return row.cells


def test_the_odds_are_those_of_all_hundred_dice():
    """Played out die by die, so nothing in them is estimated."""
    state = state_with({"0401": 3}, {"0502": 2})
    text = "MARCH 3 0401 0502"
    view = GAME.view(state, EMBER, "fog")
    strength, inflicted, suffered, success = odds_of(view, text)
    battles = [only(play(state, ember=text, dice=(die,))[1], BattleFought) for die in range(1, 101)]
    assert strength == 3
    assert success.least == success.most == Fraction(sum(each.winner == EMBER for each in battles), 100)
    assert success.least == chance_to_win(3, 2, "0502") == Fraction(1, 2)  # 51 is 51: +10 and -10
    assert inflicted.least == Fraction(sum(each.defender_lost for each in battles), 100)
    assert suffered.least == Fraction(sum(each.attacker_lost for each in battles), 100)


def test_help_that_is_counted_beside_the_place_makes_the_odds_a_span():
    view = GAME.view(state_with({"0401": 3}, {"0502": 2, "0501": 1}), EMBER, "fog")
    *_, success = odds_of(view, "MARCH 3 0401 0502")
    assert (success.least, success.most) == (Fraction(40, 100), Fraction(50, 100))


def test_each_side_learns_what_came_of_its_own_lines():
    state = state_with({"0401": 3}, {"0502": 4, "0501": 1})
    text = "MARCH 3 0401 0502\nMARCH 1 0401 0302"
    _, events = play(state, ember=text, tide="HOLD\nMARCH 1 0501 0502", dice=(71,))
    assert only(events, BattleFought).lines == {EMBER: (1,), TIDE: (2,)}
    told = GAME.told(events, EMBER, "fog")
    assert only(told, BattleFought).lines == {EMBER: (1,)}
    view = GAME.view(state, EMBER, "fog")
    first, second = GAME.came_of(view, GAME.parse(text, view), told)
    box = RoundIslandBox(GAME)
    assert (first.verdict, box.result_words(None, first)) == ("ok", "battle in 0502 Shell, held by Tide")
    assert second.verdict == "refused"
    assert "No spear of yours is left" in box.result_words(None, second)


# ------------------------------------------------------------------ the end of a moon


def test_villages_give_a_spear():
    """RI-5.1: also one whose owner has gone on."""
    after, _ = play(state_with({"0102": 1}, {"0502": 1}), ember="MARCH 1 0102 0101")
    assert spears(after, EMBER) == {"0101": 1, "0102": 1}


@pytest.mark.parametrize(("die", "left"), [(30, {"0103": 1, "0101": 2}), (31, {"0103": 2, "0101": 2, "0803": 1})])
def test_the_crater_burns_the_rim_after_every_second_moon(die, left):
    """RI-6.1."""
    state = state_with({"0103": 2, "0101": 2, "0803": 1}, {"0501": 1}, moon=2)
    after, events = play(state, dice=(die,))
    assert only(events, CraterRumbled).erupts == (die == 30)
    assert {event.hex for event in events if isinstance(event, SpearsBurned)} == (
        {"0103", "0803"} if die == 30 else set()
    )
    assert spears(after, EMBER) == left
    assert {"0103", "0803"} <= set(rim())
    assert not [event for event in play(state_with({"0103": 2}, {"0501": 1}))[1] if isinstance(event, CraterRumbled)]


@pytest.mark.parametrize(("heat", "die", "erupts"), [("60", 60, True), ("60", 61, False), ("15", 16, False)])
def test_the_gm_chooses_how_often_the_crater_erupts(heat, die, erupts):
    """RI-6.2; a crater that sleeps rolls no die, and its phase is passed over."""
    options = Options(values={"crater": heat})
    _, events = play(state_with({"0103": 2}, {"0501": 1}, moon=2, options=options), dice=(die,))
    assert only(events, CraterRumbled).erupts == erupts
    quiet = state_with({"0103": 2}, {"0501": 1}, moon=2, options=Options(values={"crater": "0"}))
    assert not [event for event in play(quiet)[1] if isinstance(event, CraterRumbled)]


def test_the_raider_goes_for_the_next_village():
    """Cinder is his own, so from there he goes for Ferry or for Kiln, each two hexes away, and of these the first."""
    view = GAME.view(state_with({"0102": 3}, {"0502": 3}), EMBER, "fog")
    assert GAME.bot(view, b"key", "raider") == "MARCH 3 0102 0202\n"
    assert findings(state_with({"0102": 3}, {"0502": 3}), GAME.bot(view, b"key", "raider")) == []


def test_who_has_no_spears_has_lost():
    """RI-7.1."""
    after, _ = play(state_with({"0401": 9}, {"0501": 1}), ember="MARCH 9 0401 0501", dice=(96,))
    assert GAME.outcome(after).winners == (EMBER,)
    assert GAME.outcome(after).case == "RI-7.1"
    assert GAME.gate(after) is None


def test_the_last_moon_is_counted():
    """RI-7.2, RI-7.3."""
    more_villages = state_with({"0102": 1, "0203": 1}, {"0502": 9})
    more_spears = state_with({"0102": 1}, {"0502": 2})
    alike = state_with({"0102": 1}, {"0502": 1})
    assert [counted(each).winners for each in (more_villages, more_spears, alike)] == [(EMBER,), (TIDE,), (EMBER, TIDE)]
    assert counted(alike).case == "RI-7.3"


# ------------------------------------------------------------------ what is seen


@pytest.mark.parametrize(
    ("fog", "seen"),
    [("fog", {"0201": 2}), ("veiled", {"0201": 2, "0501": None}), ("open", {"0201": 2, "0501": 5})],
)
def test_others_are_counted_beside_ones_own(fog, seen):
    """RI-8.2."""
    view = GAME.view(state_with({"0102": 1}, {"0201": 2, "0501": 5}), EMBER, fog)
    assert {hex_id: band.spears for hex_id, band in view.bands.items() if band.side == TIDE} == seen
    assert view.owner["0501"] == TIDE  # RI-8.1


def test_battles_are_heard_everywhere_and_marches_are_not():
    """RI-8.1, RI-8.3."""
    _, events = play(
        state_with({"0401": 2}, {"0502": 2, "0801": 1}), tide="MARCH 2 0502 0401\nMARCH 1 0801 0101", dice=(50,)
    )
    told = {fog: GAME.told(events, EMBER, fog) for fog in ("fog", "veiled", "open")}
    tags = {fog: [type(event).__struct_config__.tag for event in found] for fog, found in told.items()}
    assert all("battle-fought" in found for found in tags.values())
    assert [tags[fog].count("marched") for fog in ("fog", "veiled", "open")] == [0, 2, 2]
    assert {event.hex for event in told["fog"] if isinstance(event, HexTaken)} >= {"0101"}
    assert {getattr(event, "spears", None) for event in told["veiled"] if getattr(event, "side", "") == TIDE} == {None}


# ------------------------------------------------------------------ sheets


def test_a_side_without_orders_follows_its_standing_order():
    """RI-9.1, RI-9.2: the last one counts, until it is cleared."""
    state = state_with({"0101": 2}, {"0501": 2})
    after, _ = play(state, ember="STANDING RALLY 0203\nSTANDING RALLY 0103")
    assert spears(after, EMBER) == {"0102": 3}  # a village on the way
    again, _ = GAME.run(after, {}, ForcedDice((99,)))
    assert spears(again, EMBER) == {"0103": 3, "0102": 1}
    cleared, _ = play(after, ember="STANDING CLEAR", dice=(99,))
    assert spears(cleared, EMBER) == {"0102": 4}
    held, _ = play(after, ember="HOLD", dice=(99,))  # RI-3.6
    assert spears(held, EMBER) == {"0102": 4}


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("MARCH 1 Cindr 0101", Kind.UNREADABLE, "Did you mean 0102?"),
        ("MARCH one 0102 0101", Kind.UNREADABLE, "ONE is no number of spears"),
        ("MARCH 1 0102", Kind.UNREADABLE, "I expect 3 words"),
        ("MOVE 1 0102 0101", Kind.UNREADABLE, "Did you mean MARCH 3 0102 0103?"),
        ("CLEAR", Kind.ILLEGAL, "Write STANDING CLEAR."),
        ("STANDING HOLD", Kind.ILLEGAL, "Only RALLY and CLEAR can stand"),
        ("STANDING", Kind.UNREADABLE, ""),
        ("TURN 2\nHOLD", Kind.ILLEGAL, "This sheet is for TURN 2."),
        ("SIDE Tide\nHOLD", Kind.ILLEGAL, "Begin with TURN 1 SIDE Ember"),
    ],
)
def test_what_cannot_be_used_is_answered_with_what_would_work(text, kind, words):
    found = findings(state_with({"0102": 3}, {"0502": 1}), text)
    if text == "STANDING":  # the heading of a section
        assert found == []
    else:
        assert found[0][1] == kind
        assert words in found[0][2]


def test_a_heading_that_fits_is_taken():
    state = state_with({"0102": 3}, {"0502": 1})
    for heading in ("GAME 17 TURN 1 SIDE Ember", "turn Moon 1", "SIDE: ember"):
        assert findings(state, f"{heading}\nMARCH 1 Cinder 0101") == []


# ------------------------------------------------------------------ its pages and its box


def cases_in(text: str) -> set[str]:
    return set(re.findall(LANGUAGE.case_number, text))


def test_every_case_that_is_cited_is_in_the_rules():
    ruled = cases_in((FOLDER / "docs" / "rules.md").read_text(encoding="utf-8"))
    cited = {
        case
        for path in (Path(__file__), *FOLDER.rglob("*.py"), *FOLDER.rglob("*.j2"), FOLDER / "docs" / "orders.md")
        for case in cases_in(path.read_text(encoding="utf-8"))
    }
    chapters = {case.partition(".")[0] for case in ruled}
    assert len(ruled) > 20
    assert cited - ruled - chapters == set()


def test_the_sheet_of_the_page_of_orders_can_be_sent():
    (example,) = re.findall(
        r"```orders\n(.*?)```", (FOLDER / "docs" / "orders.md").read_text(encoding="utf-8"), re.DOTALL
    )
    state = GAME.setup("six-moons", Options())
    view = GAME.view(state, EMBER, "fog")
    assert findings(state, example) == []
    assert len(GAME.parse(example, view, "17").lines) == 4


def test_every_word_of_the_language_has_a_chapter():
    page = (FOLDER / "docs" / "orders.md").read_text(encoding="utf-8")
    for verb in LANGUAGE.verbs:
        assert f"## {verb.word} ({verb.case})" in page


def test_the_schema_of_the_view_is_that_of_its_types():
    """Made with `python -m tests.toy.round_island.shown.view_file`."""
    stored = json.loads((FOLDER / "data" / "view.schema.json").read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(view_schema()))


def test_a_sentence_tells_of_the_die_at_its_hex_and_of_no_other():
    box = RoundIslandBox(GAME)
    battle = Mention(1, 50, "BATTLES", "0502 Shell: Ember attacks with 3, Tide defends with 4; die 50 [#1].")
    assert box.tells_of(battle, "0502", "battle")
    assert not box.tells_of(battle, "0401", "battle")
    assert not box.tells_of(battle, "crater", "eruption")


def test_the_rules_know_nothing_of_how_they_are_shown():
    for path in (FOLDER / "rules").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^(?:from|import) (?:pbem|random|PIL)|round_island\.shown", text, re.MULTILINE), path


def test_every_village_gives_and_is_named():
    """RI-2.2."""
    assert len(villages()) == 6
    assert all(hexes()[hex_id].name for hex_id in villages())
    assert sum(known.terrain == "forest" for known in hexes().values()) == 4


def test_a_report_begins_with_what_was_taken_and_lost():
    before = GAME.view(state_with({"0102": 1, "0202": 1}, {"0502": 2}), EMBER, "fog")
    now = GAME.view(state_with({"0102": 1, "0103": 1}, {"0502": 2, "0202": 2}), EMBER, "fog")
    lead = RoundIslandBox(GAME).lead((), before, now)
    assert lead.headline == "1 lost, 1 taken"
    assert lead.lines == (
        ("Taken", "0103"),
        ("Lost", "0202"),
        ("Winning", "Villages: Ember 1, Tide 1, of 6; moon 1 of 6."),
    )
