"""What every game must do, whatever it is about: the toy and each game of the engine are put to it.

A game with something to hide says in HIDDEN how to change a position in what a side cannot know.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.dice import KeyedDice, Label
from engine.events import canonical, without_lines
from engine.game import PUBLIC, Game, Gate, Options, Outcome, Scenario, ThereIsNoSuchScenario, state_hash
from engine.orders import Sheet
from pbem.games import box_of
from pbem.games.box import GameBox
from pbem.letters import Words
from tests.the_project import ROOT
from tests.toy.house import register
from tests.toy.round_island.rules.board import neighbours, other
from tests.toy.round_island.rules.game import RoundIsland
from tests.toy.two_hills import TwoHills

#: More gates than any game has: a game that reaches this does not end.
MOST_GATES = 400
FOGS = ("open", "veiled", "fog")

JUNK = [
    "", "\n\n", " ", "\0\0", "DANCE", "TAKE", "TAKE TAKE", "ATTACK", "SET", "STANDING", "STANDING STANDING", "FOR", "FOR x y",
    "ATTACK Center Q16 ADVANCE IF", "BUILD 99999999999999999999I Q16", "IF IF IF", "()" * 200, "(" * 400, "A" * 5000,
    "# only a comment", "END", "\ud83d\ude00 ünïcödé", "TAKE north\r\nTAKE south", "\u2028\u2029", "-1", "1e999", "%s %d {}",
    "XFER 1I A -> A", "\t\tHOLD\t", "CANCEL", "STANDING CLEAR", "x\n" * 3000, "'; DROP TABLE sheets; --",
]  # fmt: skip


def every_game() -> Iterator[Game]:
    from engine.game import games

    yield TwoHills()
    yield RoundIsland()
    yield from games().values()


WARS = [(game, scenario) for game in every_game() for scenario in game.scenarios()]


@pytest.fixture(params=WARS, ids=[f"{game.id} {scenario.id}" for game, scenario in WARS])
def war(request) -> tuple[Game, Scenario]:
    return request.param


def start(game: Game, scenario: Scenario, fog="fog", mode="one-run"):
    edition = scenario.editions[0] if scenario.editions else ""
    return game.setup(scenario.id, Options(fog=fog, mode=mode, edition=edition))


def dice_for(gate: Gate, key: bytes = b"dice") -> KeyedDice:
    return KeyedDice(key, f"test/{gate.id}")


def bot_sheets(game: Game, state, seed: int, fog="fog") -> dict[str, Sheet]:
    """A sheet from every side the gate awaits."""
    sheets = {}
    for side in game.gate(state).awaits:
        view = game.view(state, side, fog)
        sheets[side] = game.parse(game.bot(view, f"bot {seed}".encode()), view)
    return sheets


def play(game: Game, scenario: Scenario, seed: int = 0, fog="fog", mode="one-run") -> list[bytes]:
    """Every position at a gate of a war that bots play, and the last one, as bytes."""
    state = start(game, scenario, fog, mode)
    found = [game.encode(state)]
    while (gate := game.gate(state)) is not None:
        assert len(found) < MOST_GATES, "the war does not end"
        state, _ = game.run(state, bot_sheets(game, state, seed, fog), dice_for(gate, f"key {seed}".encode()))
        found.append(game.encode(state))
    return found


@cache
def played(game_id: str, scenario_id: str, fog: str, mode: str) -> list[bytes]:
    game, scenario = next(war for war in WARS if (war[0].id, war[1].id) == (game_id, scenario_id))
    return play(game, scenario, 0, fog, mode)


def positions(game: Game, scenario: Scenario, fog="fog", mode="one-run") -> list:
    """The positions of one whole war, played once."""
    return [game.decode(encoded) for encoded in played(game.id, scenario.id, fog, mode)]


# ------------------------------------------------------------------ scenarios and gates


def test_scenarios_have_sides_and_turns(war):
    game, scenario = war
    assert scenario.title
    assert scenario.turns > 0
    assert len(set(scenario.sides)) == len(scenario.sides) >= 2
    assert [one.id for one in game.scenarios()].count(scenario.id) == 1


def test_an_unknown_scenario_is_refused(war):
    with pytest.raises(ThereIsNoSuchScenario):
        war[0].setup("no such scenario", Options())


@pytest.mark.parametrize("mode", ["one-run", "checkpoint"])
def test_bots_play_a_whole_war_and_it_ends(war, mode):
    game, scenario = war
    states = positions(game, scenario, mode=mode)
    for state in states[:-1]:
        assert isinstance(game.gate(state), Gate)
        assert game.outcome(state) is None
    assert game.gate(states[-1]) is None
    outcome = game.outcome(states[-1])
    assert isinstance(outcome, Outcome)
    assert set(outcome.winners) <= set(scenario.sides)
    assert outcome.how


def test_a_gate_awaits_sides_of_the_scenario_and_its_id_never_comes_again(war):
    """The id is in the label of every die, so one that came twice would give the same dice twice."""
    game, scenario = war
    gates = [game.gate(state) for state in positions(game, scenario, mode="checkpoint")[:-1]]
    for gate in gates:
        assert gate.title
        assert gate.awaits
        assert set(gate.awaits) | set(gate.also_heard) <= set(scenario.sides)
        assert not set(gate.awaits) & set(gate.also_heard)
    assert len({gate.id for gate in gates}) == len(gates) <= game.traits.most_gates


# ------------------------------------------------------------------ runs


def test_the_same_sheets_and_dice_give_the_same_war(war):
    game, scenario = war
    one, other = (play(game, scenario, seed=3) for _ in range(2))
    assert list(map(state_hash, one)) == list(map(state_hash, other))


def test_a_run_gives_the_same_events_again(war):
    game, scenario = war
    for state in positions(game, scenario)[:-1][:6]:
        sheets = bot_sheets(game, state, 1)
        first, second = (game.run(state, sheets, dice_for(game.gate(state)))[1] for _ in range(2))
        assert game.encode_events(first) == game.encode_events(second)


def test_the_order_of_the_mapping_does_not_matter(war):
    game, scenario = war
    state = start(game, scenario)
    sheets = bot_sheets(game, state, 1)
    turned = dict(reversed(sheets.items()))
    one, other = (game.run(state, given, dice_for(game.gate(state)))[0] for given in (sheets, turned))
    assert game.encode(one) == game.encode(other)


def test_a_run_leaves_the_position_it_was_given(war):
    game, scenario = war
    for state in positions(game, scenario)[:-1][:8]:
        before = game.encode(state)
        after, _ = game.run(state, bot_sheets(game, state, 2), dice_for(game.gate(state)))
        assert game.encode(state) == before
        assert game.encode(after) != before


def test_a_run_from_a_decoded_position_is_the_same(war):
    """A position that went through the database is as good as one that did not."""
    game, scenario = war
    for state in positions(game, scenario)[:-1][:6]:
        sheets = bot_sheets(game, state, 4)
        again = game.decode(game.encode(state))
        one, other = (game.run(given, sheets, dice_for(game.gate(state)))[0] for given in (state, again))
        assert game.encode(one) == game.encode(other)


def test_missing_sheets_play_defaults_to_the_end(war):
    game, scenario = war
    state = start(game, scenario)
    for _ in range(MOST_GATES):
        gate = game.gate(state)
        if gate is None:
            break
        state, events = game.run(state, {}, dice_for(gate))
        assert events, "a default that was used is an event"
    assert game.outcome(state) is not None


def test_every_die_carries_a_label_that_begins_with_the_prefix(war):
    game, scenario = war
    labels: list[str] = []
    for state in positions(game, scenario)[:-1]:
        gate = game.gate(state)
        _, events = game.run(state, bot_sheets(game, state, 0), dice_for(gate, b"key 0"))
        labels += labels_in(msgspec.to_builtins(events))
    assert labels, "no die was rolled in a whole war"
    assert all(label.startswith("test/") for label in labels)


def labels_in(value) -> list[str]:
    if isinstance(value, dict):
        own = [value["label"]] if "label" in value and "die" in value else []
        return own + [label for inner in value.values() for label in labels_in(inner)]
    if isinstance(value, list | tuple):
        return [label for inner in value for label in labels_in(inner)]
    return []


# ------------------------------------------------------------------ bytes


def test_positions_and_events_survive_their_bytes(war):
    game, scenario = war
    for state in positions(game, scenario):
        encoded = game.encode(state)
        assert game.encode(game.decode(encoded)) == encoded
        if (gate := game.gate(state)) is not None:
            _, events = game.run(state, bot_sheets(game, state, 0), dice_for(gate))
            assert game.decode_events(game.encode_events(events)) == events


# ------------------------------------------------------------------ sheets


@pytest.mark.parametrize("fog", FOGS)
def test_a_bot_sends_legal_orders_from_its_view(war, fog):
    game, scenario = war
    for number, state in enumerate(positions(game, scenario, fog=fog)[:-1][:10]):
        for side in game.gate(state).awaits:
            view = game.view(state, side, fog)
            text = game.bot(view, f"{number}".encode())
            sheet = game.parse(text, view)
            assert sheet.side == side
            assert text.strip(), "an empty sheet is not taken"
            assert not [finding for finding in (*sheet.findings, *game.check(view, sheet)) if finding.refuses]
            assert game.bot(view, f"{number}".encode()) == text


def test_orders_read_back_as_they_are_written(war):
    game, scenario = war
    for state in positions(game, scenario)[:-1][:10]:
        for side, sheet in bot_sheets(game, state, 5).items():
            view = game.view(state, side, "fog")
            for line in sheet.lines:
                prefix = "STANDING " if line.standing else ""
                (again,) = game.parse(f"{prefix}{line.order}", view).lines
                assert again.order == line.order


def test_a_side_that_waits_gives_no_orders_for_the_one_on_turn(war):
    """What awaited sides may order is no order when a side that is only heard sends it."""
    game, scenario = war
    for state in positions(game, scenario)[:-1][:6]:
        gate = game.gate(state)
        orders = [line for sheet in bot_sheets(game, state, 6).values() for line in sheet.lines if not line.standing]
        for side in gate.also_heard:
            view = game.view(state, side, "fog")
            assert game.parse("\n".join(line.text for line in orders), view).lines == ()


@pytest.mark.parametrize("text", JUNK, ids=range(len(JUNK)))
def test_junk_is_read_checked_and_run_without_a_crash(war, text):
    play_text(war, text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text_at_all_is_read_checked_and_run_without_a_crash(war, data):
    game, scenario = war
    state = start(game, scenario)
    side = game.gate(state).awaits[0]
    words = sorted(set(game.bot(game.view(state, side, "fog"), b"words").split()))
    line = st.lists(st.sampled_from(words) | st.text(max_size=8), max_size=8).map(" ".join)
    play_text(war, "\n".join(data.draw(st.lists(line, max_size=12))))


def play_text(war, text: str) -> None:
    game, scenario = war
    state = start(game, scenario)
    gate = game.gate(state)
    sheets = {}
    for side in gate.awaits + gate.also_heard:
        view = game.view(state, side, "fog")
        sheets[side] = game.parse(text, view)
        known = text.splitlines()
        for finding in (*sheets[side].findings, *game.check(view, sheets[side])):
            assert finding.why
            assert 0 <= finding.line <= max(1, len(known))
        game.forecast(view, sheets[side])
    after, events = game.run(state, sheets, dice_for(gate))
    game.encode(after)
    game.encode_events(events)


# ------------------------------------------------------------------ odds


@pytest.mark.parametrize("mode", ["one-run", "checkpoint"])
@pytest.mark.parametrize("fog", FOGS)
def test_a_forecast_gives_chances_for_lines_of_the_sheet(war, fog, mode):
    game, scenario = war
    found = []
    for number, state in enumerate(positions(game, scenario, fog=fog, mode=mode)[:16]):
        for side in scenario.sides:
            view = game.view(state, side, fog)
            sheet = game.parse(game.bot(view, f"{number}".encode()), view)
            forecast = game.forecast(view, sheet)
            assert game.forecast(view, sheet) == forecast
            assert {row.line for row in forecast.rows if row.line} <= {line.number for line in sheet.lines}
            for row in forecast.rows:
                assert row.label.count("{}") == len(row.names)
                found += zip(forecast.columns, row.cells, strict=True)
    chances = [cell for column, cell in found if column.kind == "chance" and cell is not None]
    assert chances, "no chances in a whole war"
    for chance in chances:
        assert 0 <= chance.least <= chance.most <= 1
    for points in (cell for column, cell in found if column.kind == "points" and cell is not None):
        assert 0 <= points.least <= points.most


def test_a_forecast_knows_no_more_than_its_side(war):
    game, scenario = war
    for state in positions(game, scenario)[:-1][:10]:
        for side, sheet in bot_sheets(game, state, 1).items():
            changed = HIDDEN[game.id](game, state, side)
            one, other = (game.forecast(game.view(each, side, "fog"), sheet) for each in (state, changed))
            assert one == other


# ------------------------------------------------------------------ fog


def with_other_men(game: Game, state, side: str):
    """Two Hills hides how many men the other side has, and its standing order."""
    (enemy,) = {"red", "blue"} - {side}
    facts = msgspec.json.decode(game.encode(state))
    facts["men"][enemy] += 1
    facts["standing"][enemy] = {"type": "TAKE", "hill": "south"}
    return game.decode(canonical(facts))


def with_other_points(game: Game, state, side: str):
    """Hitler's War hides what enemy armies are made of, their standing orders, and lists kept for later."""
    facts = msgspec.json.decode(game.encode(state))
    for army in facts["armies"].values():
        if army["side"] != side:
            army["inf"], army["mech"] = army.get("mech", 0), army.get("inf", 0)
    for enemy, kept in facts["kept"].items():
        if enemy != side:
            kept["standing"] = [{"order": "DEFEND", "where": "ALL", "policy": "NEVER", "tests": []}]
            kept["production"] = []
    return game.decode(canonical(facts))


def with_other_spears(game: Game, state, side: str):
    """Round Island hides the spears that are not beside one's own, and standing orders."""
    facts = msgspec.json.decode(game.encode(state))
    near = {hex_id for own, band in state.bands.items() if band.side == side for hex_id in (own, *neighbours(own))}
    for hex_id, band in facts["bands"].items():
        band["spears"] += hex_id not in near
    facts["standing"][other(side)] = "0103" if facts["standing"][other(side)] != "0103" else ""
    return game.decode(canonical(facts))


HIDDEN: dict[str, Callable] = {
    "two-hills": with_other_men,
    "round-island": with_other_spears,
    "hitlers-war": with_other_points,
}


def test_what_a_side_cannot_know_is_not_in_its_view(war):
    """Two positions that differ only in what is hidden look the same, and the GM sees that they differ."""
    game, scenario = war
    assert game.id in HIDDEN, "say in HIDDEN how to change what a side cannot know"
    for state in positions(game, scenario)[:10]:
        for side in scenario.sides:
            changed = HIDDEN[game.id](game, state, side)
            assert canonical(game.view(state, None, "fog")) != canonical(game.view(changed, None, "fog"))
            assert canonical(game.view(state, side, "fog")) == canonical(game.view(changed, side, "fog"))
            assert game.bot(game.view(state, side, "fog"), b"x") == game.bot(game.view(changed, side, "fog"), b"x")


def test_what_a_side_cannot_know_is_in_no_picture(war, monkeypatch):
    """What its pictures show is the same to the last byte. That of the GM, who sees it, is not."""
    game, scenario = war
    register(monkeypatch)
    box, compared, seen_by_the_gm = box_of(game), 0, 0
    for state in positions(game, scenario)[:-1][:3]:
        for side, sheet in bot_sheets(game, state, 0).items():
            changed = HIDDEN[game.id](game, state, side)
            pictures = shown(box, game.view(state, side, "fog"), sheet)
            assert shown(box, game.view(changed, side, "fog"), sheet) == pictures
            compared += len(pictures)
            seen_by_the_gm += shown(box, game.view(state, None, "fog")) != shown(box, game.view(changed, None, "fog"))
    assert game.id == "two-hills" or (compared and seen_by_the_gm)  # the listing of Two Hills has no pictures


def shown(box: GameBox, view, sheet: Sheet | None = None) -> list[bytes]:
    """What each picture of a report shows, and of a welcome, and of the orders if there are any."""
    pictures = [*box.pictures("report", view), *box.pictures("welcome", view)]
    pictures += box.orders_pictures(view, sheet, []) if sheet else []
    orders = "\n".join(str(line.order) for line in sheet.lines) if sheet else ""
    stage = box.stage(canonical(view), b"[]", orders) if pictures else str
    return [msgspec.json.encode(stage(picture.what)) for picture in pictures]


def test_a_side_is_told_no_more_than_happened_and_everybody_else_no_less(war):
    game, scenario = war
    for state in positions(game, scenario)[:-1][:8]:
        _, events = game.run(state, bot_sheets(game, state, 0), dice_for(game.gate(state)))
        assert game.told(events, None, "fog") == events
        for side in scenario.sides:
            told = game.told(events, side, "fog")
            assert len(told) <= len(events)
            assert len(told) <= len(game.told(events, side, "open"))


# ------------------------------------------------------------------ what is public


def test_no_side_is_called_like_the_public(war):
    game, scenario = war
    assert PUBLIC not in scenario.sides
    for fog in FOGS:
        state = start(game, scenario, fog=fog)
        view = game.view(state, PUBLIC, fog)
        assert (view.side, view.gate, view.outcome) == (PUBLIC, game.gate(state), game.outcome(state))


@pytest.mark.parametrize("fog", FOGS)
def test_what_a_side_cannot_know_is_not_public(war, fog):
    """Whatever is hidden from one side is no part of what everybody knows."""
    game, scenario = war
    compared = 0
    for state in positions(game, scenario, fog=fog)[:10]:
        for side in scenario.sides:
            changed = HIDDEN[game.id](game, state, side)
            if canonical(game.view(state, side, fog)) == canonical(game.view(changed, side, fog)):
                assert canonical(game.view(state, PUBLIC, fog)) == canonical(game.view(changed, PUBLIC, fog))
                compared += 1
    assert compared or fog == "open"


@pytest.mark.parametrize("fog", FOGS)
def test_every_side_knows_what_is_public(war, fog):
    """Now, or as everybody knew it when the war began; what not everybody knows is empty or left out."""
    game, scenario = war
    reached = positions(game, scenario, fog=fog)
    at_start = facts_of(game.view(reached[0], PUBLIC, fog))
    for state in [*reached[:8], *reached[-2:]]:
        public = facts_of(game.view(state, PUBLIC, fog))
        assert public, "not even the turn is public"
        for side in scenario.sides:
            assert list(known_to_some(public, facts_of(game.view(state, side, fog)), at_start)) == []


def facts_of(view) -> dict:
    facts = msgspec.to_builtins(view)
    assert facts.pop("side") == view.side
    return facts


def known_to_some(public, to_a_side, at_start, *where: str) -> Iterator[str]:
    """What is public although this side does not know it: neither now nor from the start."""
    if isinstance(public, dict):
        for name, fact in public.items():
            others = (known.get(name) if isinstance(known, dict) else None for known in (to_a_side, at_start))
            yield from known_to_some(fact, *others, *where, name)
    elif public and public not in (to_a_side, at_start):
        yield f"{'.'.join(where)}: {public!r} is public, {to_a_side!r} is known"


@pytest.mark.parametrize("fog", FOGS)
def test_every_side_is_told_what_is_public(war, fog):
    """Each public event is told to every side: to those it is not about in the very same words."""
    game, scenario = war
    told = 0
    for state in positions(game, scenario, fog=fog)[:-1][:8]:
        _, events = game.run(state, bot_sheets(game, state, 0, fog), dice_for(game.gate(state)))
        public = game.told(events, PUBLIC, fog)
        assert public == [one for event in events for one in game.told([event], PUBLIC, fog)]
        for side in scenario.sides:
            for event in events:
                for one in game.told([event], PUBLIC, fog):
                    (known,) = game.told([event], side, fog)
                    assert type(known) is type(one)
                    assert without_lines(known) == one or getattr(event, "side", None) == side
                    told += 1
    assert told


def test_the_orders_of_an_enemy_are_not_told(war):
    """Whatever one side is told of a gate is the same when only the enemy's way of writing changes."""
    game, scenario = war
    state = start(game, scenario)
    gate = game.gate(state)
    sheets = bot_sheets(game, state, 0)
    writer = gate.awaits[0]
    text = game.bot(game.view(state, writer, "fog"), b"bot 0")
    noisy = game.parse("NONSENSE\n" + text, game.view(state, writer, "fog"))
    plain = game.parse(text, game.view(state, writer, "fog"))
    for side in scenario.sides:
        if side != writer:
            one, other = (
                game.told(game.run(state, {**sheets, writer: sheet}, dice_for(gate))[1], side, "fog")
                for sheet in (plain, noisy)
            )
            assert game.encode_events(one) == game.encode_events(other)


def test_views_are_plain_data(war):
    game, scenario = war
    for side in (None, *scenario.sides):
        for fog in FOGS:
            view = game.view(start(game, scenario, fog=fog), side, fog)
            assert msgspec.json.decode(canonical(view))
            assert view.side == side
            assert view.scenario == scenario.id


def test_the_language_of_every_scenario_can_be_looked_for_in_letters(war):
    game, scenario = war
    language = game.language(scenario.id)
    assert language.verbs
    assert all(verb.what and verb.usage for verb in language.verbs)
    assert len({verb.word for verb in language.verbs}) == len(language.verbs)
    assert all(word == word.upper() for word in language.beginnings)
    words = Words.of((), (language,))
    assert any(words.are_named_behind(verb.word, verb.usage) for verb in language.verbs)
    with pytest.raises(ThereIsNoSuchScenario):
        game.language("no-such-scenario")


def test_the_hash_of_a_position_is_chained():
    encoded = b"{}"
    first = state_hash(encoded)
    assert first == hashlib.sha256(encoded).hexdigest()
    assert state_hash(encoded, first) != first


def test_the_guide_explains_every_method_of_the_contract():
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    headings = [line for line in guide.splitlines() if line.startswith("###")]
    methods = [name for name in vars(Game) if not name.startswith("_")] + list(Game.__annotations__)
    assert methods
    assert [name for name in methods if not any(f"`{name}" in heading for heading in headings)] == []


# ------------------------------------------------------------------ dice


def labels_of(events: bytes) -> list[str]:
    return re.findall(r'"label":"([^"]+)"', events.decode())


@pytest.mark.parametrize("mode", ["one-run", "checkpoint"])
def test_every_die_has_a_label_of_the_form_that_the_game_declares(war, mode):
    """By this a report is checked: its gate is known by its title, its dice by place and purpose."""
    game, scenario = war
    rolled = 0
    for state in positions(game, scenario, mode=mode)[:-1]:
        gate = game.gate(state)
        known = game.gate_titled(gate.title)
        assert (known.id, known.awaits) == (gate.id, gate.awaits)
        dice = KeyedDice(b"key", f"{game.id}/17/{gate.id}")
        _, events = game.run(state, bot_sheets(game, state, 0), dice)
        labels = labels_of(game.encode_events(events))
        for side in gate.awaits:
            assert set(labels_of(game.encode_events(game.told(events, side, "fog")))) == set(labels)
        for text in labels:
            label = Label.of(text)
            assert label is not None, text
            assert (label.game, label.match, label.gate) == (game.id, 17, gate.id)
            assert game.rolls(label.place, label.purpose, label.sides), text
            assert label.sides in game.traits.dice
            rolled += 1
    assert rolled > 0


def test_a_title_of_no_gate_and_a_die_of_no_rule_are_not_known(war):
    game, _ = war
    for title in ("", "Turn 99, Red", "Summer 1999, Axis player-turn", "6-axis"):
        assert game.gate_titled(title) is None
    for place, purpose in (("", ""), ("Z99", "defensive assault"), ("Q16", "luck"), ("north", "luck"), ("Q16", "")):
        assert not game.rolls(place, purpose)
