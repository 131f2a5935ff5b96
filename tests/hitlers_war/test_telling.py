"""One table says how each kind of event is told, drawn and booked."""

from typing import get_args

import pytest

from engine.grand_strategy.events import AnyEvent, PlaceCaptured, PointsBuilt
from engine.grand_strategy.rolls import ABOUT_AN_ARMY, ASSAULT, DEFENCE, SUPPORT
from pbem.draw.arrows import STROKES
from pbem.draw.scene import ArrowSample, SignSample
from pbem.draw.signs import MARKS
from pbem.games.hitlers_war import story
from pbem.games.hitlers_war.telling import ATTACK, BATTLE, TELLING, changes_of, happenings, key_to_marks
from pbem.words.wording import environment
from tests.barbarossa import GAME
from tests.gallery import position, told

KINDS = get_args(AnyEvent)
IN_THE_WEST = [(gates, "open", "fall-of-germany") for gates in range(1, 13)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_of_the_engine_has_its_line_in_the_table(kind):
    assert kind in TELLING, f"{kind.__name__} has no line in pbem/games/hitlers_war/telling.py"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_has_its_words(kind):
    macro = kind.__struct_config__.tag.replace("-", "_")
    source, *_ = environment().loader.get_source(environment(), "hitlers-war/events.txt.j2")
    assert f"{{% macro {macro}(" in source, f"templates/hitlers-war/events.txt.j2 has no macro {macro}"


def test_the_table_has_no_line_for_what_cannot_happen():
    assert set(TELLING) == set(KINDS)


def test_every_chapter_of_the_table_is_a_chapter_of_the_diary():
    chapters = {
        chapter for telling in TELLING.values() for chapter in (telling.chapter, *telling.by_cause.values())
    } - {ATTACK, BATTLE}
    assert chapters < set(story.SECTIONS)
    assert set(story.SECTIONS) - chapters == {"opening"}  # politics that are told where they happen


def test_the_key_has_every_arrow_and_sign_that_events_leave_on_a_map():
    """In a year of the war in the west, with landings and ships that fire."""
    left = [happenings(GAME.view(position(*at), None, "open"), told(at[0], None, *at[1:])) for at in IN_THE_WEST]
    arrows = {each.manner for found in left for each in (*found.ways, *found.voyages)}
    signs = {mark.sign for found in left for mark in found.marks}
    samples = [entry.sample for entry in key_to_marks("axis", at_sea=True)]
    assert arrows <= {sample.manner for sample in samples if isinstance(sample, ArrowSample)} <= STROKES.keys()
    shown = {sample.sign for sample in samples if isinstance(sample, SignSample)}
    assert signs <= shown | {"bombarded"} == MARKS.keys()
    assert {"moved", "advanced", "turned back"} <= arrows
    assert {"battle", "bombarded"} <= signs


def test_every_roll_in_a_battle_has_a_word_of_its_own_before_it():
    """The words are how a reader, and the proof of a report, tell which die is which."""
    blows = [blow for telling in TELLING.values() for blow in (telling.blow, telling.defence) if blow]
    assert len({blow.word for blow in blows}) == len(blows)
    assert {blow.rolls for blow in blows} == {DEFENCE, SUPPORT, ASSAULT, *ABOUT_AN_ARMY}


def test_a_place_that_falls_is_booked_by_both_sides():
    falls = PlaceCaptured("axis", "Q16", "soviet", "advance", 1)
    assert changes_of([falls], "axis").taken == changes_of([falls], "soviet").given_up == ["Q16 Smolensk"]
    assert changes_of([falls], "soviet").taken == changes_of([falls], "allies").given_up == []


def test_what_a_side_builds_is_booked_by_that_side_alone():
    built = PointsBuilt("axis", "NORTH", "P10", {"inf": 2}, 4)
    assert changes_of([built], "axis").gained == {"NORTH": 2}
    assert changes_of([built], "soviet").gained == {}
