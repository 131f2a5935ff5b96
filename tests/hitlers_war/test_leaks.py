"""Nothing a side is mailed tells it what it cannot know: pairs of positions with one view give the same bytes.

A comparison is worth something only if it would notice, so leaks are planted in every part of a mail.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from markupsafe import Markup

from engine.dice import ForcedDice
from engine.game import PUBLIC, Options, state_hash
from engine.grand_strategy import sight, viewing
from engine.grand_strategy.state import Container, Memory, State
from engine.grand_strategy.war import War
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.hidden import CHANGES
from engine.orders import Finding, Kind
from pbem.games.hitlers_war import card, map_scenes, record
from pbem.games.hitlers_war.box import HitlersWarBox
from pbem.post import bulletin, letterhead, post
from pbem.records.matches import Position
from tests.leaks import (
    GAME,
    PAIRS_A_WAR,
    Pair,
    Table,
    differences,
    pair_numbered,
    public_knowledge,
    told_apart,
    two_truths,
)

WARS = 15
FIXED = Pair(
    "barbarossa", Options("fog", edition="1984"), 0, 4, "soviet", tuple(CHANGES), ("ORDERS", "STATUS"), draw=True
)

Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def table_for(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Table]:
    made: dict[str, Table] = {}

    def table(scenario: str) -> Table:
        if scenario not in made:
            made[scenario] = Table(tmp_path_factory.mktemp("table"), scenario)
        return made[scenario]

    return table


@pytest.mark.parametrize("war", range(WARS))
def test_what_a_side_cannot_know_is_in_none_of_its_mails(war: int, table_for: Callable[[str], Table]) -> None:
    """300 pairs: every scenario, fog level, mode and edition comes round. `make soak` compares 20,000."""
    for number in range(war * PAIRS_A_WAR, (war + 1) * PAIRS_A_WAR):
        pair = pair_numbered(number)
        assert differences(table_for(pair.scenario), pair) == [], pair


def test_the_two_positions_of_a_pair_are_really_two() -> None:
    one, other = two_truths(FIXED)
    assert GAME.encode(one.state) != GAME.encode(other.state)
    assert len(one.events) > len(other.events)
    assert [army.strength for army in one.state.armies.values()] != [
        army.strength for army in other.state.armies.values()
    ]


def test_without_a_planted_leak_nothing_differs(table_for: Callable[[str], Table]) -> None:
    assert differences(table_for(FIXED.scenario), FIXED) == []


# ------------------------------------------------------------------ planted leaks


class Spy:
    """Remembers the position that a mail is made from, which nobody who writes mail should ever look at."""

    state: State

    def tells(self) -> str:
        return state_hash(GAME.encode(self.state))[:8]

    def strength(self) -> int:
        return sum(army.strength for army in self.state.armies.values())


SPY = Spy()


def listen(patch: pytest.MonkeyPatch) -> None:
    looked = Position.view

    def view(position: Position, side: str | None):
        if position.entry.run:  # the turn began in the same position for both
            SPY.state = position.state
        return looked(position, side)

    patch.setattr(Position, "view", view)


def a_finer_band(patch: pytest.MonkeyPatch) -> None:
    def looks(_looker: viewing._Looker, container: Container) -> str:
        return "strong" if container.strength % 2 else "massed"

    patch.setattr(viewing._Looker, "_looks", looks)


def eyes_everywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(viewing._Looker, "sees", lambda looker, place: True)


def true_control(patch: pytest.MonkeyPatch) -> None:
    looked = viewing._Looker._place
    patch.setattr(
        viewing._Looker,
        "_place",
        lambda looker, place, ground: msgspec.structs.replace(looked(looker, place, ground), owner=ground.owner),
    )


def open_record_sheets(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(viewing._Looker, "may_read_sheet_of", lambda looker, side: True)


def an_outlook_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    """What the seasons to come will bring, reckoned from the position and not from what the side knows of it."""

    def as_it_is(looker: viewing._Looker, view) -> War:
        state = GAME.decode(GAME.encode(looker.state))
        state.options = msgspec.structs.replace(state.options, fog="open")
        return War(looker.war.setting, state, ForcedDice([]))

    patch.setattr(viewing._Looker, "_as_known", as_it_is)


def events_of_others(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(HitlersWar, "told", lambda game, events, side, fog: list(events))


def losses_of_others(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sight, "_as_told", lambda event, side, fog: event)


def points_that_went_with_a_counter(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sight, "_leaving_the_map", lambda event, fog: event)


def a_word_in_the_text(patch: pytest.MonkeyPatch) -> None:
    said = record.show_text
    patch.setattr(record, "show_text", lambda *about: f"{said(*about)}\n{SPY.tells()}\n")


def blank_lines_in_the_text(patch: pytest.MonkeyPatch) -> None:
    """Nothing to read, but the part is longer."""
    said = record.show_text
    patch.setattr(record, "show_text", lambda *about: said(*about).replace("\n", "\n" * SPY.strength(), 1))


def a_comment_in_the_page(patch: pytest.MonkeyPatch) -> None:
    said = record.position_html
    patch.setattr(record, "position_html", lambda *about: said(*about) + Markup(f"<!-- {SPY.tells()} -->"))


def an_alt_text(patch: pytest.MonkeyPatch) -> None:
    said = record.alt_texts
    patch.setattr(record, "alt_texts", lambda *about: msgspec.structs.replace(said(*about), map=SPY.tells()))


def a_file_name(patch: pytest.MonkeyPatch) -> None:
    made = bulletin.view_file
    patch.setattr(bulletin, "view_file", lambda *about: replace(made(*about), name=f"view-{SPY.strength()}.json"))


def a_field_in_the_view_file(patch: pytest.MonkeyPatch) -> None:
    made = bulletin.view_file
    patch.setattr(bulletin, "view_file", lambda *about: replace(made(*about), data=SPY.tells().encode()))


def a_subject(patch: pytest.MonkeyPatch) -> None:
    said = bulletin._what_happened
    patch.setattr(bulletin, "_what_happened", lambda *of: f"{said(*of)}, {SPY.strength()} points in the field")


def a_lead(patch: pytest.MonkeyPatch) -> None:
    said = HitlersWarBox.lead
    patch.setattr(
        HitlersWarBox, "lead", lambda *about: msgspec.structs.replace(said(*about), lines=(("Spied", SPY.tells()),))
    )


def a_message_id(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(post.Sender, "message_id", lambda sender, key: f"<{SPY.tells()}.{abs(hash(key))}@example.org>")


def a_picture(patch: pytest.MonkeyPatch) -> None:
    """Not a pixel of it: bytes after the end of the file."""
    paint = HitlersWarBox.paint
    patch.setattr(HitlersWarBox, "paint", lambda *about: paint(*about) + SPY.tells().encode())


def a_scene(patch: pytest.MonkeyPatch) -> None:
    """One number more on the track beside the map: in no word, and in no mail that is not drawn."""
    track = map_scenes._turn_track
    patch.setattr(map_scenes, "_turn_track", lambda view: msgspec.structs.replace(track(view), heading=SPY.tells()))


def a_counter_of_a_record_sheet(patch: pytest.MonkeyPatch) -> None:
    make = card.face_of
    patch.setattr(card, "face_of", lambda *about: msgspec.structs.replace(make(*about), badge=str(SPY.strength())))


def a_sketch(patch: pytest.MonkeyPatch) -> None:
    make = bulletin.sketch_of
    patch.setattr(bulletin, "sketch_of", lambda *about: make(*about, orders=SPY.tells()))


def a_finding(patch: pytest.MonkeyPatch) -> None:
    """A check that looks at the position is the likeliest leak of all."""
    check = HitlersWar.check

    def from_the_state(game: HitlersWar, view, sheet) -> list[Finding]:
        return [*check(game, view, sheet), Finding(Kind.NOTE, 1, f"{SPY.strength()} points against this")]

    patch.setattr(HitlersWar, "check", from_the_state)


def the_odds(patch: pytest.MonkeyPatch) -> None:
    reckon = HitlersWar.forecast
    patch.setattr(
        HitlersWar, "forecast", lambda game, view, sheet: reckon(game, GAME.view(SPY.state, view.side, "open"), sheet)
    )


def whose_turn_it_is(patch: pytest.MonkeyPatch) -> None:
    said = letterhead.situation.whose_turn
    patch.setattr(letterhead.situation, "whose_turn", lambda now: f"{said(now)} {SPY.tells()}")


def lines_of_others(patch: pytest.MonkeyPatch) -> None:
    """The numbers of the lines an enemy's attacks came of show how much else he has ordered."""
    patch.setattr(sight, "with_own_lines", lambda event, side: event)


LEAKS: tuple[Plant, ...] = (
    lines_of_others,
    a_finer_band,
    eyes_everywhere,
    true_control,
    open_record_sheets,
    events_of_others,
    losses_of_others,
    a_word_in_the_text,
    blank_lines_in_the_text,
    a_comment_in_the_page,
    an_alt_text,
    a_file_name,
    a_field_in_the_view_file,
    a_subject,
    a_lead,
    a_message_id,
    a_picture,
    a_sketch,
    a_scene,
    a_finding,
    the_odds,
    whose_turn_it_is,
)


def test_an_outlook_from_the_truth_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, table_for: Callable[[str], Table]
) -> None:
    """In the first winter the Axis cannot see whether Italy, which will join in spring, has been damaged (HW-20.1)."""
    winter = replace(FIXED, scenario="campaign-1", war=1, gates=0, side="axis", draw=False)
    truths = two_truths(winter)
    assert told_apart(table_for(winter.scenario), winter, *truths) == []
    an_outlook_from_the_truth(monkeypatch)
    assert told_apart(Table(tmp_path, winter.scenario), winter, *truths)


#: Turns in which armies are cut off and a fort falls, each in sight of the other side.
COUNTERS_LOST = (
    replace(FIXED, war=0, gates=10, draw=False),
    replace(FIXED, options=Options("veiled", edition="1984"), war=1, gates=7, side="axis", draw=False),
    replace(FIXED, scenario="fall-of-germany", war=0, gates=11, side="allies", draw=False),
)


@pytest.mark.parametrize("pair", COUNTERS_LOST, ids=("an army in fog", "armies in veiled", "a fort in fog"))
def test_the_points_that_went_with_a_counter_are_in_no_mail(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, table_for: Callable[[str], Table]
) -> None:
    truths = two_truths(pair)
    assert told_apart(table_for(pair.scenario), pair, *truths) == []
    points_that_went_with_a_counter(monkeypatch)
    assert told_apart(Table(tmp_path, pair.scenario), pair, *truths)


# ------------------------------------------------------------------ what is public


def of_the_public(looked: Callable, for_it: Callable) -> Callable:
    """Everything as it is but for the public."""
    return lambda looker, *about: for_it(looker, *about) if looker.side == PUBLIC else looked(looker, *about)


def what_anybody_sees(patch: pytest.MonkeyPatch) -> None:
    sees = of_the_public(viewing._Looker.sees, lambda looker, place: bool(looker.war.watch.sides_seeing(place)))
    patch.setattr(viewing._Looker, "sees", sees)


def what_all_see(patch: pytest.MonkeyPatch) -> None:
    """A place in sight of every side; but whether the others see it, no side knows."""

    def in_sight_of_all(looker: viewing._Looker, place: str) -> bool:
        return set(looker.war.watch.sides_seeing(place)) == set(looker.war.scenario.sides)

    patch.setattr(viewing._Looker, "sees", of_the_public(viewing._Looker.sees, in_sight_of_all))


def what_one_side_remembers(patch: pytest.MonkeyPatch) -> None:
    remembers = viewing._Looker._remembers

    def with_the_axis(looker: viewing._Looker) -> Memory:
        known = remembers(looker).ground | looker.state.memory["axis"].ground
        return msgspec.structs.replace(remembers(looker), ground=known)

    patch.setattr(viewing._Looker, "_remembers", of_the_public(remembers, with_the_axis))


def what_two_sides_saw(patch: pytest.MonkeyPatch) -> None:
    """A battle in sight of both; in a war of three it is not public, and nobody knows who else saw it."""
    told = sight._as_told

    def as_told(event, side, fog):
        return told(event, event.seen_by[0] if side == PUBLIC and len(event.seen_by) > 1 else side, fog)

    patch.setattr(sight, "_as_told", as_told)


#: In a war of three, so that what two sides know is not known to all.
AMONG_THREE = replace(FIXED, scenario="campaign-1", side="soviet", gates=10, letters=(), draw=False)
PUBLIC_LEAKS: tuple[Plant, ...] = (what_anybody_sees, what_all_see, what_one_side_remembers, what_two_sides_saw)


@pytest.mark.parametrize("plant", PUBLIC_LEAKS, ids=lambda plant: plant.__name__)
def test_what_is_public_though_one_side_cannot_know_it_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch, table_for: Callable[[str], Table]
) -> None:
    assert differences(table_for(AMONG_THREE.scenario), AMONG_THREE) == []
    plant(monkeypatch)
    found = differences(table_for(AMONG_THREE.scenario), AMONG_THREE)
    assert found
    assert all(key.startswith("public ") for key in found)


def test_orders_on_file_are_not_public_where_record_sheets_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a side has ordered for its production is part of its own outlook alone."""
    pair = replace(FIXED, options=Options("open", edition="1984"), scenario="campaign-1", gates=1, draw=False)
    one, other = (public_knowledge(pair, truth) for truth in two_truths(pair))
    assert one == other
    known = viewing._Looker._as_known

    def with_orders_of_all(looker: viewing._Looker, view) -> War:
        war = known(looker, view)
        war.state.lend_lease += sum(len(repr(kept.production)) for kept in looker.state.kept.values())
        return war

    monkeypatch.setattr(viewing._Looker, "_as_known", with_orders_of_all)
    one, other = (public_knowledge(pair, truth) for truth in two_truths(pair))
    assert one != other


@pytest.mark.parametrize("plant", [a_scene, a_counter_of_a_record_sheet], ids=lambda plant: plant.__name__)
def test_a_leak_in_what_a_picture_shows_is_found_without_painting_it(
    plant: Plant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pair = replace(FIXED, letters=("MAP", "SHEET"), draw=False)
    truths, table = two_truths(pair), Table(tmp_path, pair.scenario)
    listen(monkeypatch)
    plant(monkeypatch)
    monkeypatch.setattr(HitlersWarBox, "paint", lambda *_: pytest.fail("nothing is painted"))
    assert told_apart(table, pair, *truths)


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    truths, table = two_truths(FIXED), Table(tmp_path, FIXED.scenario)
    listen(monkeypatch)
    plant(monkeypatch)
    assert told_apart(table, FIXED, *truths)
